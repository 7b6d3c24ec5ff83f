"""A ledger that is put away between two stops and taken up again is the ledger of one reading."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.transcript.records import Record
from support.ledgers import fed, session
from support.transcripts import TranscriptBuilder

STEPS = {
    "prompt": lambda t: t.prompt("Please fix it"),
    "plan": lambda t: t.plan_prompt("1. do it"),
    "say": lambda t: t.say("I see.").say("Done."),
    "edit": lambda t: t.edit("/home/dev/project/src/a.py"),
    "test edit": lambda t: t.edit("/home/dev/project/tests/test_a.py", "assert 1\n", ""),
    "write": lambda t: t.create("/home/dev/project/b.py"),
    "pytest": lambda t: t.bash("pytest -q", "1 failed, 2 passed in 0.1s", exit_code=1),
    "sed": lambda t: t.bash("sed -i s/a/b/ src/c.py && npm test", "x", exit_code=1),
    "open": lambda t: t.bash("cargo test", answered=False),
    "parallel": lambda t: t.parallel(
        [("Bash", {"command": "go test ./..."}, "ok  \tx\t0.1s"), ("Read", {"file_path": "x"}, "y")]
    ),
    "background": lambda t: t.background("npm test", "b1"),
    "notice": lambda t: t.task_notification("b1", exit_code=1, how="queue"),
    "output": lambda t: t.task_output("b1", "Tests:       1 failed, 2 passed, 3 total"),
    "push": lambda t: t.bash("git push", "To x:o/r.git\n   1a2b3c4..5d6e7f8  main -> main"),
    "commit": lambda t: t.bash("git commit -m x", "[main 1a2b3c4] x"),
    "pr": lambda t: t.bash("gh pr create", "https://github.com/o/r/pull/1"),
    "todos": lambda t: t.task_create("a").task_update(1, "completed"),
    "reject": lambda t: t.edit("/p/x.py", answered=False).reject("no"),
    "interrupt": lambda t: t.interrupt(),
    "error": lambda t: t.api_error(),
    "queue": lambda t: t.queue("faster"),
    "shell": lambda t: t.shell("pytest", "3 passed in 0.1s"),
    "plan mode": lambda t: t.enter_plan_mode().exit_plan_mode(),
    "mode": lambda t: t.mode("plan"),
    "ask": lambda t: t.ask("Which?"),
    "agent": lambda t: t.agent("look", "seen"),
    "sidechain": lambda t: t.sidechain().edit("/home/dev/project/s.py").sidechain(on=False),
}


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=st.lists(st.sampled_from(sorted(STEPS)), min_size=1, max_size=25), data=st.data())
def test_wherever_it_is_put_away_the_ledger_comes_out_the_same(
    steps: list[str], data: st.DataObject, tmp_path: Path
) -> None:
    built = session(tmp_path)
    for step in steps:
        STEPS[step](built)
    records = built.records()
    cuts = data.draw(st.lists(st.integers(0, len(records)), max_size=4))
    assert fed(records, tuple(cuts)) == fed(records)


def test_a_subagents_file_may_come_in_between_or_at_the_end(tmp_path: Path) -> None:
    main = session(tmp_path).prompt("One").edit("/p/a.py")
    worker = TranscriptBuilder(tmp_path / "w.jsonl", agent_id="a1")
    worker._count = main._count + 1
    worker.edit("/p/b.py").bash("pytest -q", "1 passed in 0.1s")
    main._count = worker._count + 1
    main.agent("x", "y").prompt("Two").edit("/p/c.py")
    mine, theirs = main.records(), worker.records(file="agent-a1.jsonl")
    names = [getattr(record, "name", "") for record in mine]
    half = names.index("Agent" if "Agent" in names else "Task") + 1
    at_the_end, between = LedgerBuilder(), LedgerBuilder()
    for record in [*mine, *theirs]:
        at_the_end.feed(record)
    for record in [*mine[:half], *theirs, *mine[half:]]:
        between.feed(record)

    assert at_the_end.ledger() == between.ledger()
    assert [edit.turn for edit in between.ledger().edits] == [1, 1, 2]


@pytest.mark.shared
@pytest.mark.parametrize("seed", range(4))
def test_a_real_sessions_ledger_is_small_and_comes_out_the_same_in_pieces(
    seed: int, shared_dir: Path
) -> None:
    chance = random.Random(seed)
    for path in sorted((shared_dir / "transcripts").glob("*.jsonl"))[seed::4]:
        records: list[Record] = list(TranscriptReader(str(path), final=True))
        cuts = tuple(chance.randrange(len(records) + 1) for _ in range(3))
        builder = LedgerBuilder()
        for record in records:
            builder.feed(record)
        assert fed(records, cuts) == builder.ledger(), path.name
        size = len(json.dumps([builder.ledger().to_json(), builder.state()]))
        assert size < 60_000 + path.stat().st_size * 0.03, path.name
