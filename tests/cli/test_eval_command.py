"""`ace-reflect eval`: the table, every miss, and a run that can be broken off."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from ace_reflect.cli import eval_page
from ace_reflect.evals.cases import Case
from ace_reflect.evals.score import UNDECIDED, Answer, Result, Score
from ace_reflect.evals.session import Session
from ace_reflect.llm.port import Usage
from support.cli import Ace
from support.messages_api import MessagesApi

SAID = {"text": json.dumps({"kind": "working", "why": "it runs"})}
MODEL = "anthropic/claude-haiku-4-5"


def result(name: str, right: str, said: str, why: str = "", **more: Any) -> Result:
    case = Case(
        "judge",
        name,
        (right,),
        f"The label's reason for {name} stands here, in one sentence.",
        Session([], cwd="/"),
    )
    return Result(case, Answer(said, why, Usage(1000, 100, 0.0123), **more))


SCORES = (
    Score(
        "judge",
        (
            result("a-good-one", "complete", "complete"),
            result(
                "a-false-alarm",
                "complete",
                "incomplete",
                "the last run \x1b[31mfailed\x1b[0m: 2 | 3",
            ),
            result("left-open", "incomplete", UNDECIDED, "nothing says whether it is done"),
            result("nobody-answered", "incomplete", "", failed="anthropic/x: no key"),
        ),
    ),
    Score("post-compaction", (result("another", "complete", "complete"),)),
)


def test_the_page_as_a_person_reads_it(snapshot: SnapshotAssertion) -> None:
    page = eval_page.page("rules", SCORES)

    assert max(map(len, page.splitlines())) <= 80
    assert page == snapshot


def test_the_markdown_of_a_runs_summary(snapshot: SnapshotAssertion) -> None:
    assert eval_page.markdown("rules", SCORES) == snapshot


def test_the_rules_alone_ask_nobody_and_need_no_setting(ace: Ace) -> None:
    said = ace("eval", "all")

    assert said.code == 0
    assert said.out.startswith("Engine: rules\n")
    assert [line.split()[0] for line in said.out.splitlines()[3:7]] == [
        "judge",
        "stuck",
        "post-compaction",
        "agent",
    ]
    assert not (ace.host.home / "evals").exists()


def test_json_has_the_form_that_other_tools_build_on(ace: Ace) -> None:
    body = ace("eval", "stuck", "--json").json

    assert (body["schema"], body["engine"]) == ("ace-reflect/eval/1", "rules")
    (suite,) = body["suites"]
    assert suite.keys() == {
        "suite", "cases", "positive", "right", "undecided", "failed", "false_alarms", "accuracy", "sensitivity",
        "specificity", "usage", "misses",
    }  # fmt: skip
    assert suite["right"] + len(suite["misses"]) == suite["cases"]
    assert suite["usage"] == {"input_tokens": 0, "output_tokens": 0, "cost_usd": None}


def test_the_summary_of_a_run_in_markdown(ace: Ace) -> None:
    said = ace("eval", "all", "--model", "rules", "--markdown").out

    assert said.startswith("### Evaluation suites: rules\n")
    assert said.count("| judge |") == 1


@pytest.mark.parametrize(
    "flags",
    [
        ("--model", "replay"),
        ("--model", MODEL, "--replay", "x"),
        ("--record", "x"),
        ("--resume",),
        ("--concurrency", "0"),
        ("--json", "--markdown"),
    ],
)
def test_flags_that_do_not_go_together_are_refused(flags: tuple[str, ...], ace: Ace) -> None:
    assert ace("eval", "stuck", *flags).code == 2


# ------------------------------------------------------------------ a model


@pytest.fixture
def asked(ace: Ace, monkeypatch: pytest.MonkeyPatch) -> Any:
    with MessagesApi({"default": SAID}) as api:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-0123456789")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        monkeypatch.setenv("ACE_REFLECT_RETRY_BASE_S", "0.01")
        yield api


def test_a_model_is_asked_once_a_case_and_its_cost_is_shown(ace: Ace, asked: MessagesApi) -> None:
    said = ace("eval", "stuck", "--model", MODEL)

    assert said.code == 0
    assert len(asked.requests) == 20
    assert f"Engine: {MODEL}" in said.out
    assert "25%" in said.out  # the five that really were at work
    assert "$0.004" in said.out
    assert "rules first" in said.out


def test_recorded_answers_give_the_same_page_without_asking(ace: Ace, asked: MessagesApi) -> None:
    first = ace("eval", "stuck", "--model", MODEL, "--record", "answers.jsonl", "--json").json
    again = ace("eval", "stuck", "--replay", "answers.jsonl", "--json").json

    assert len(asked.requests) == 20
    assert again["suites"] == first["suites"]
    assert again["engine"] == f"replay of {MODEL} (answers.jsonl)"


def test_every_miss_is_on_the_page(ace: Ace, asked: MessagesApi) -> None:
    misses = ace("eval", "stuck", "--model", MODEL, "--record", "answers.jsonl", "--json").json[
        "suites"
    ][0]["misses"]
    page = ace("eval", "stuck", "--replay", "answers.jsonl").out

    assert misses
    assert all(
        f"  {miss['id']}: {miss['expected'][0]}, said {miss['said']}" in page for miss in misses
    )


def test_a_question_that_is_not_on_record_has_no_answer(ace: Ace, asked: MessagesApi) -> None:
    ace("eval", "stuck", "--model", MODEL, "--record", "answers.jsonl")
    rows = Path("answers.jsonl").read_text().splitlines()
    Path("answers.jsonl").write_text("\n".join(rows[:15]) + "\n")

    said = ace("eval", "stuck", "--replay", "answers.jsonl")

    assert said.code == 1
    assert "5 cases have no answer" in said.err


def test_what_was_recorded_is_not_written_over(ace: Ace, asked: MessagesApi) -> None:
    Path("answers.jsonl").write_text("precious\n")

    said = ace("eval", "stuck", "--model", MODEL, "--record", "answers.jsonl")

    assert (said.code, len(asked.requests)) == (1, 0)
    assert "--resume goes on with it" in said.err


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("anthropic/claude-haiku-4-5", "no key"),
        ("nobody/x", "no provider is called"),
        ("sonnet", "provider/model"),
    ],
)
def test_a_model_that_cannot_be_asked_is_said_at_once(model: str, said: str, ace: Ace) -> None:
    found = ace("eval", "stuck", "--model", model)

    assert found.code == 1
    assert said in found.err


def test_a_run_that_was_broken_off_goes_on_where_it_was(ace: Ace, tmp_path: Path) -> None:
    script = {"turns": [SAID] * 7, "default": {"hang": True}}
    with MessagesApi(script) as api:
        command = [
            sys.executable,
            "-m",
            "ace_reflect.cli.main",
            "eval",
            "stuck",
            "--model",
            MODEL,
            "--concurrency",
            "3",
        ]
        environ = ace.host.environment(
            ANTHROPIC_API_KEY="sk-test-0123456789", ANTHROPIC_BASE_URL=api.url
        )
        child = subprocess.Popen(
            command,
            env=environ,
            cwd=ace.host.project,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        journal = ace.host.home / "evals" / "anthropic_claude-haiku-4-5.jsonl"
        _eventually(
            lambda: (
                journal.exists()
                and journal.read_text().count("\n") == 7
                and len(api.requests) >= 10
            )
        )
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)

        assert (child.returncode, out) == (130, b"")
        assert (
            f"7 answers are kept. To go on: ace-reflect eval stuck --model {MODEL} --resume\n"
            in err.decode()
        )

    with MessagesApi({"default": SAID}) as api:
        environ = {**os.environ, **environ, "ANTHROPIC_BASE_URL": api.url}
        done = subprocess.run(
            [*command, "--resume", "--json"],
            env=environ,
            cwd=ace.host.project,
            capture_output=True,
            timeout=60,
            check=True,
        )

        assert len(api.requests) == 13
        assert b"7 answers were taken from" in done.stderr
        assert json.loads(done.stdout)["suites"][0]["failed"] == 0


def _eventually(claim: Any, within_s: float = 40.0) -> None:
    end = time.monotonic() + within_s
    while not claim():
        assert time.monotonic() < end
        time.sleep(0.05)
