"""Messages that fit a model's window: what is given up, and what never is."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace_reflect.learning.fit import Fitted, estimate_tokens, fit, message_tokens
from ace_reflect.learning.segment import read_segment, segment
from support.transcripts import TranscriptBuilder


def tokens(fitted: Fitted) -> int:
    return sum(map(message_tokens, fitted.messages))


def long_session(turns: int = 30) -> TranscriptBuilder:
    builder = TranscriptBuilder()
    for number in range(turns):
        builder.prompt(f"The person's wish {number}: keep it simple").think(f"hm {number} " * 60)
        builder.say(f"Working on {number}, see [pat-{number:03d}]. " + "More words. " * 60)
        builder.read(f"/p/{number}.py", f"value_{number} = 1\n" * 400).edit(
            f"/p/{number}.py", "a\n" * 200, "b\n" * 200
        )
        builder.bash(
            f"pytest -q t{number}.py",
            "x\n" * 900 + f"{number + 1} failed, 2 passed in 0.10s",
            exit_code=1,
        )
    return builder


def messages(builder: TranscriptBuilder, tmp_path: Path) -> list[dict[str, Any]]:
    return segment(builder.records(tmp_path / "s.jsonl", whole=True), environ={}).messages


def text(fitted: Fitted) -> str:
    return "\n".join(m["content"] for m in fitted.messages)


def test_what_fits_is_left_as_it_is(tmp_path: Path) -> None:
    found = messages(TranscriptBuilder().prompt("a").say("b"), tmp_path)
    fitted = fit(found, 10_000)
    assert (fitted.messages, fitted.note) == (found, "")


@pytest.mark.parametrize("share", [0.9, 0.6, 0.4, 0.25])
def test_words_outcomes_and_citations_survive(tmp_path: Path, share: float) -> None:
    found = messages(long_session(), tmp_path)
    budget = int(sum(map(message_tokens, found)) * share)
    fitted = fit(found, budget)

    assert tokens(fitted) <= budget
    assert "had to be shortened" not in fitted.note
    for number in range(30):
        assert f"The person's wish {number}: keep it simple" in text(fitted)
        assert f"{number + 1} failed, 2 passed" in text(fitted)
        assert f"[pat-{number:03d}]" in text(fitted)
    assert fitted.messages[0]["content"] == fitted.note


def test_the_oldest_output_goes_first(tmp_path: Path) -> None:
    found = messages(long_session(), tmp_path)
    fitted = fit(found, int(sum(map(message_tokens, found)) * 0.9))
    assert "value_0 = 1" not in text(fitted)
    assert "value_29 = 1" in text(fitted)
    assert "tool outputs" in fitted.note
    assert "thoughts" not in fitted.note


def test_the_note_says_when_even_words_were_cut(tmp_path: Path) -> None:
    found = messages(
        TranscriptBuilder()
        .prompt("begin " + "log line\n" * 50_000 + " end")
        .bash("ls", "a")
        .say("ok"),
        tmp_path,
    )
    fitted = fit(found, 2_000)
    assert tokens(fitted) <= 2_000
    assert "had to be shortened" in fitted.note
    assert "begin" in text(fitted)
    assert " end" in text(fitted)


def test_plain_messages_fit_too() -> None:
    plain = [
        {"role": "user", "content": "words " * 500},
        {"role": "assistant", "content": "talk " * 5_000},
    ]
    fitted = fit(plain, 1_500)
    assert tokens(fitted) <= 1_500
    assert "words words" in text(fitted)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(
        st.fixed_dictionaries(
            {
                "role": st.sampled_from(["user", "assistant"]),
                "content": st.text(max_size=60).map(lambda t: t * 40),
                "kind": st.sampled_from(
                    ["person", "said", "thinking", "call", "output", "plan", "other"]
                ),
                "core": st.text(max_size=30),
            }
        ),
        max_size=25,
    ),
    budget=st.integers(400, 4_000),
)
def test_it_always_fits(rows: list[dict[str, Any]], budget: int) -> None:
    fitted = fit(rows, budget)
    assert tokens(fitted) <= budget


def test_the_estimate_is_bytes_by_three() -> None:
    assert [estimate_tokens(text) for text in ("", "abc", "abcd", "é", "🎉", "\ud83d")] == [
        0,
        1,
        2,
        1,
        2,
        1,
    ]


@pytest.mark.shared
def test_ten_megabytes_of_real_sessions_fit(shared_dir: Path, tmp_path: Path) -> None:
    path = tmp_path / "large.jsonl"
    with path.open("wb") as file:
        for source in sorted(shared_dir.glob("transcripts/*.jsonl")):
            if file.tell() < 10_000_000:
                file.write(source.read_bytes().rstrip(b"\n") + b"\n")
    found = read_segment(str(path), environ={}).messages
    fitted = fit(found, 150_000)

    assert tokens(fitted) <= 150_000
    assert "had to be shortened" not in fitted.note
    kept = text(fitted)
    assert all(m["content"] in kept for m in found if m["kind"] == "person")
