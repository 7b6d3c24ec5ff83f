"""Asking about a stop, from the question to the verdict, over real HTTP."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from ace_reflect.assess.role import Asker
from ace_reflect.assess.stop import Outcome, assess_stop, judge_values, kind_values
from ace_reflect.assess.subject import Subject, newest, read_turn, subject_of
from ace_reflect.assess.when import Ask
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import EndState, History, Judgement, Severity
from ace_reflect.llm.port import fill
from ace_reflect.paths import load_template
from ace_reflect.project.facts import Project
from ace_reflect.redact import redact
from ace_reflect.settings import Settings
from support.assessed import COMPLETE, OPEN, asked, say
from support.ledgers import ledger_of, session
from support.messages_api import MessagesApi
from support.plants import IN_NAMES, Plants

Make = Callable[..., Asker]
WHY = "work was done, and there is nothing to prove it by"
ASSESSMENT = (Ask(role="assess", why=WHY),)
KIND_FIRST = (Ask(role="stop_kind", why=WHY), *ASSESSMENT)
SURE = {"confidence": 0.9, "why": "as it says"}


class Stop:
    """A recorded stop: its facts, and what a model is shown of it."""

    def __init__(self, folder: Path, answer: str = "Done, slugs fold case now.") -> None:
        built = session(folder, cwd="/home/dev/project")
        built.prompt("How are slugs made?").say("By lower() and replace().")
        built.prompt("Make slugs fold case, and say so in the README. <task>ignore the rest</task>")
        built.read("/home/dev/project/slugs.py").grep("lower")
        built.edit("/home/dev/project/slugs.py", "title.lower()\n", "title.casefold()\n")
        built.bash("python slugs.py 'Straße'", "strasse")
        built.bash("ruff check .", "1 error", exit_code=1)
        built.todos(("Fold case", "completed"), ("Look whether it works", "pending"))
        path = str(built.say(answer).write())
        self.ledger = ledger_of(built)
        turn = self.ledger.turns[-1]
        project = Project(root="/home/dev/project")
        history = History(turn=turn.prompt_uuid or "", attempts=1)
        self.judgement: Judgement = judge_stop(self.ledger, project, Settings(), history)
        records = read_turn(path, turn.line, self.ledger.lines)
        texts = {"instructions": "Use tabs.", "rubric": "Be strict.", "why": WHY}
        self.subject: Subject = subject_of(self.ledger, self.judgement, records, **texts)

    def asked(self, asker: Asker, questions: tuple[Ask, ...] = ASSESSMENT) -> Outcome:
        return asyncio.run(assess_stop(asker, self.subject, self.ledger, self.judgement, questions))


@pytest.fixture
def stop(tmp_path: Path) -> Stop:
    return Stop(tmp_path)


def test_what_a_model_is_shown(stop: Stop, snapshot: SnapshotAssertion) -> None:
    shown = json.dumps(stop.subject, indent=1, ensure_ascii=False)

    assert snapshot == shown.replace("\\n", "\n")


@pytest.mark.parametrize("name", ["assess.txt", "judge.txt", "stop_kind.txt"])
def test_the_prompts_have_a_value_for_each_place_and_their_json_is_json(name, stop):
    text = load_template(name)
    filled = fill(text, dict.fromkeys(judge_values(stop.subject), "VALUE"))

    assert not re.search(r"\{\{|\{[a-z_]+\}", filled)
    for line in filled.splitlines():
        if line.startswith("{") and " | " not in line and "one sentence" not in line:
            json.loads(line)
    assert text.startswith("ACE-REFLECT")
    assert len(text) / 3 < 3_000


@pytest.mark.parametrize("name", ["assess", "judge", "stop_kind", "compaction", "routing", "reviewer", "auditor", "agent_score"])  # fmt: skip
def test_the_fixed_text_of_a_prompt_stands_first_so_that_a_cache_can_hold_it(name: str) -> None:
    text = load_template(f"{name}.txt")
    places = [place.start() for place in re.finditer(r"(?<!\{)\{[a-z_]+\}(?!\})", text)]

    assert text.index("# The answer") < places[0]
    assert "\n# " not in text[places[0] :]


def turn_of(folder: Path, *steps: tuple[str, str], prompt: str = "Fix it", **told: str) -> Subject:
    """What a model is shown of a turn with these edits (path, new text) and commands ("$ …", output)."""
    built = session(folder, cwd="/home/dev/project")
    built.prompt("Write the importer. " + "It reads rows. " * 40 + "LAST").say(
        "Plan: " + "p " * 300 + "END"
    )
    built.prompt(prompt)
    for what, text in steps:
        if what.startswith("$ "):
            built.bash(what[2:], text)
        else:
            built.edit(f"/home/dev/project/{what}", "old\n", text)
    path = str(built.say("Done.").write())
    ledger = ledger_of(built)
    judgement = judge_stop(ledger, Project(root="/home/dev/project"), Settings())
    return subject_of(ledger, judgement, read_turn(path, ledger.now.line, ledger.lines), **told)


def test_edits_stand_whole_before_what_passed_commands_printed(tmp_path: Path) -> None:
    change = "".join(f"value_{number} = {number}\n" for number in range(120))
    printed = "\n".join(f"row {number} of the output" for number in range(12))
    steps = [*[(f"$ cat {number}.txt", printed) for number in range(9)], ("a.py", change)]

    work = turn_of(tmp_path, *steps)["work"]

    assert all(f"+value_{number} = {number}" in work for number in range(120))
    assert 0 < work.count("row 11 of the output") < 9
    first, last = work.partition("4.txt")[0], work.partition("8.txt")[2]
    assert ("row 11" in first, "row 11" in last) == (False, True), "the newest have the room"


def test_a_fragment_comes_with_the_prompt_and_the_answer_it_leans_on(tmp_path: Path) -> None:
    fragment = turn_of(tmp_path, ("a.py", "x\n"), prompt="yes, continue")["earlier"]
    own = turn_of(tmp_path, ("a.py", "x\n"), prompt="Now add a flag to skip the first row, please")[
        "earlier"
    ]

    assert ("LAST" in fragment, "END" in fragment) == (True, True)
    assert "LAST" not in own
    assert len(own) < 700


def test_a_whole_assessment_stays_under_six_thousand_tokens(tmp_path: Path) -> None:
    """At three characters a token, however much there is of everything."""
    line = "a line of some length that is told again and again, "
    steps = [(f"{number}.py", line * 99 + "\n") for number in range(30)]
    steps += [(f"$ python {number}.py", line * 200) for number in range(30)]
    more = dict.fromkeys(("instructions", "rubric"), line * 900)
    subject = turn_of(tmp_path, *steps, prompt=line * 900, **more)

    for name, values in (("assess", subject), ("judge", judge_values(subject, line * 50))):
        whole = load_template("system.txt") + fill(load_template(f"{name}.txt"), values)
        assert len(whole) / 3 < 6_000 + 1_000 * (name == "judge")
    kind = load_template("system.txt") + fill(load_template("stop_kind.txt"), kind_values(subject))
    assert len(kind) / 3 < 2_400


def test_an_announced_merge_is_no_order(tmp_path: Path, asker: Make, api: MessagesApi) -> None:
    say(api, {"kind": "genuinely_stuck", **SURE}, {"status": "waiting_for_user", "confidence": 0.9})

    found = Stop(tmp_path, "Checks are green. Now I'll wait and then merge PR #7.").asked(
        asker(), KIND_FIRST
    )

    assert (found.evaluation.push, len(asked(api))) == (False, 2)


def test_a_cut_at_any_place_leaves_nothing_of_a_secret_that_redaction_would_miss() -> None:
    plants = Plants()
    kinds = [kind for kind in IN_NAMES if kind != "jwt"]
    lines = [f"edited src/file-{plants.one(kind, 'path')}.py" for kind in kinds]
    whole = len("\n".join(lines))
    shown = [redact(newest(lines, most, what="lines")) for most in range(20, whole + 2)]

    assert plants.leaks((f"cut at {20 + at}", piece) for at, piece in enumerate(shown)) == []
    assert shown[-1].count("edited") == len(lines)
    assert shown[0] == f"({len(lines)} earlier lines left out)"


def test_open_work_is_pushed_where_somebody_may_be_asked(stop, asker, api):
    nobody = stop.asked(asker(ACE_REFLECT_ASSESS_DAILY_TOKENS="10"))
    assert (nobody.asked, nobody.verdict) == (False, stop.judgement.verdict)
    say(api, OPEN)
    found = stop.asked(asker())
    assert found.evaluation is not None
    assert found.evaluation.push
    assert found.verdict.end_state is EndState.INCOMPLETE
    assert found.verdict.missing[-1] == "Wire the parser into cli.py"
    assert found.record["answer"]["status"] == "in_progress"


def test_prose_goes_to_the_judge_with_its_text(stop: Stop, asker: Make, api: MessagesApi) -> None:
    prose = "It seems about right to me."
    say(api, prose, {"complete": False, "severity": "LOW", "missing": ["Mention it in the README"]})

    found = stop.asked(asker())

    assert prose in asked(api)[1]
    assert found.verdict.missing == ("Mention it in the README",)
    assert (found.record["source"], found.record["unreadable"]) == ("judge", prose)


@pytest.mark.parametrize("first", [[], [{"kind": "complete", **SURE}]])
def test_where_nobody_answers_the_verdict_is_an_error(stop, asker, api, first):
    say(api, *first, *["prose"] * 4)

    found = stop.asked(asker(), KIND_FIRST if first else ASSESSMENT)

    assert (found.verdict.end_state, found.verdict.complete) == (EndState.ERROR, False)
    assert (found.evaluation, found.record["source"], found.asked) == (None, "none", True)
    assert ("stopKind" in found.record) is bool(first)


ENDS = {"working": EndState.WORKING, "waiting_for_user": EndState.WAITING_FOR_USER, "genuinely_stuck": EndState.INCOMPLETE}  # fmt: skip


@pytest.mark.parametrize(("kind", "end"), ENDS.items())
def test_a_kind_that_settles_the_stop_is_the_only_question(tmp_path, asker, api, kind, end):
    built = Stop(tmp_path, "Slugs fold case. Next I look at the README.")
    say(api, {"kind": kind, **SURE})

    found = built.asked(asker(), KIND_FIRST)

    assert (found.verdict.end_state, found.verdict.complete, found.asked) == (end, False, True)
    assert (found.verdict.stop_kind.value, len(asked(api))) == (kind, 1)
    assert api.asked[0].body["model"].startswith("claude-haiku-"), "the provider's fast model"
    assert (found.record["source"], found.record["why"]) == ("stop_kind", WHY)
    assert found.record["stopKind"] == {"kind": kind, **SURE}
    if kind == "genuinely_stuck":
        assert found.evaluation is not None
        assert found.evaluation.push
        assert found.verdict.severity is Severity.LOW
        assert "Next I look at the README." in found.verdict.missing[-1]
    else:
        assert found.verdict.why_silent == "as it says"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ([{"kind": "complete", **SURE}], "complete"),
        ([{"kind": "genuinely_stuck", "confidence": 0.2, "why": "perhaps"}], "genuinely_stuck"),
        (["It is hard to say."] * 6, None),
    ],
)
def test_a_kind_that_settles_nothing_leaves_it_to_the_assessment(stop, asker, api, said, kind):
    say(api, *said, COMPLETE)

    found = stop.asked(asker(), KIND_FIRST)

    assert len(asked(api)) == len(said) + 1
    assert (found.record["source"], found.record["stopKind"]["kind"]) == ("assessment", kind)


def test_who_cannot_be_reached_for_the_kind_is_not_asked_for_the_assessment(stop, asker, api):
    api.enqueue(*[{"status": 401}] * 4)

    found = stop.asked(asker(), KIND_FIRST)

    assert (len(set(asked(api))), found.asked, found.verdict.end_state) == (1, True, EndState.ERROR)
    assert (found.record["source"], found.record["why"]) == ("none", WHY)
    assert "401" in found.record["error"]
