"""Answers on file: kept as they come, used again, never paid for twice."""

import asyncio
import json
import stat
from pathlib import Path

import pytest

from ace_reflect.errors import AceReflectError, ModelUnavailable
from ace_reflect.evals.journal import Journal, Recorded, open_journal, read_journal, replayed
from ace_reflect.llm.port import Reply, Request, Usage
from support.fake_model import FakeModel

REQUEST = Request(
    "What kind of stop is it?", "You answer.", schema={"type": "object"}, role="stop_kind"
)


def ask(model: Recorded, request: Request = REQUEST) -> Reply:
    return asyncio.run(model.ask(request))


def test_an_answer_is_on_the_disk_before_it_is_used_and_for_nobody_else(tmp_path: Path) -> None:
    path = tmp_path / "evals" / "answers.jsonl"
    said = ask(Recorded(FakeModel({"kind": "working"}), open_journal(str(path), resume=False)))

    (row,) = [json.loads(line) for line in path.read_text().splitlines()]
    assert (row["asked"], row["role"], row["text"]) == ("fake/model", "stop_kind", said.text)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_was_answered_is_not_asked_again(tmp_path: Path) -> None:
    path = str(tmp_path / "answers.jsonl")
    first = ask(Recorded(FakeModel("one"), open_journal(path, resume=False)))
    model = Recorded(FakeModel("two"), open_journal(path, resume=True))

    assert ask(model) == first
    assert model.reused == 1
    assert ask(model, Request("Another question")).text == "two"
    assert [len(read_journal(path).replies), model.reused] == [2, 1]


def test_another_models_answer_is_none_of_this_ones(tmp_path: Path) -> None:
    path = str(tmp_path / "answers.jsonl")
    ask(Recorded(FakeModel("one", name="a/one"), open_journal(path, resume=False)))

    assert (
        ask(Recorded(FakeModel("two", name="b/two"), open_journal(path, resume=True))).text == "two"
    )


def test_a_replay_asks_nobody_and_gives_the_same(tmp_path: Path) -> None:
    path = str(tmp_path / "answers.jsonl")
    reply = Reply('{"kind": "working"}', "m", {"kind": "working"}, Usage(9, 3, 0.5), 12, cut=True)
    Journal(path=path).put(REQUEST, "a/one", reply)

    model = replayed(path)

    assert model.name == "replay of a/one"
    assert asyncio.run(model.ask(REQUEST)) == reply
    with pytest.raises(ModelUnavailable, match="not on record"):
        asyncio.run(model.ask(Request("Another question")))


def test_a_line_that_was_cut_off_by_a_kill_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    ask(Recorded(FakeModel("one"), open_journal(str(path), resume=False)))
    path.write_text(path.read_text() + '{"key": "x", "asked": "fake/mod')

    model = Recorded(FakeModel("two"), open_journal(str(path), resume=True))

    assert ask(model).text == "one"
    assert ask(model, Request("Another question")).text == "two"
    assert len(read_journal(str(path)).replies) == 2


def test_paid_answers_are_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text("precious\n")

    with pytest.raises(AceReflectError, match="--resume goes on with it"):
        open_journal(str(path), resume=False)

    assert path.read_text() == "precious\n"


@pytest.mark.parametrize("content", [None, "", "not json\n", "[1]\n", '{"key": "x"}\n'])
def test_a_file_without_answers_is_said(content: str | None, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    if content is not None:
        path.write_text(content)

    with pytest.raises(
        AceReflectError, match=r"answers\.jsonl: (?:cannot be read|holds no recorded answer)"
    ):
        replayed(str(path))


def test_a_journal_that_cannot_be_written_stops_the_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(AceReflectError, match="cannot be written"):
        ask(Recorded(FakeModel("one"), Journal(path=str(tmp_path / "file" / "answers.jsonl"))))
