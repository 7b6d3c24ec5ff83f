"""A session id is never trusted as a file name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.hooks.prompt_text import may_hold_secret, safe_text
from ace_reflect.hooks.verdict_file import safe_name
from ace_reflect.redact import redact


def test_an_ordinary_id_stays_whole() -> None:
    assert (
        safe_name("65f68b31-b05b-4dd1-81af-ab5dc9d1256a") == "65f68b31-b05b-4dd1-81af-ab5dc9d1256a"
    )


@pytest.mark.parametrize(
    "hostile",
    [
        "",
        ".",
        "..",
        "../../x",
        "a/b",
        "a\\b",
        ".git",
        "x" * 500,
        "a\0b",
        "ä",
        "\ud800",
        "a\nb",
        "-rf",
    ],
)
def test_a_hostile_id_becomes_a_plain_name(hostile: str) -> None:
    name = safe_name(hostile)
    assert name
    assert not name.startswith(".")
    assert len(name) <= 100
    assert all(letter.isascii() and (letter.isalnum() or letter in "._-") for letter in name)


@given(st.text(max_size=40), st.text(max_size=40))
def test_two_ids_have_two_names(one: str, other: str) -> None:
    assert (safe_name(one) == safe_name(other)) == (one == other) or one.encode(
        "utf-8", "replace"
    ) == other.encode("utf-8", "replace")


@given(st.text(max_size=300))
def test_what_is_not_suspicious_holds_nothing_that_would_be_redacted(text: str) -> None:
    assert may_hold_secret(text, {}) or redact(text, {}) == text


@pytest.mark.parametrize(
    "secret",
    [
        "sk-ant-api03-" + "Ab1" * 20, "ghp_" + "a1B2" * 9, "AKIA" + "ABCD1234" * 2, "password=hunter2!", "https://bob:s3cret@example.com/x",
        "-----BEGIN " + "PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----", "Authorization: Bearer abcdefghijklmnop", "xoxb-" + "1234567890-abcdefgh",
    ],
)  # fmt: skip
def test_every_kind_of_secret_makes_a_prompt_suspicious(secret: str) -> None:
    assert may_hold_secret(f"use {secret} please", {})
    assert secret not in safe_text(f"use {secret} please", {})


@pytest.mark.parametrize(
    ("session_id", "begins"),
    [("", "session-"), ("..", "session-"), ("a/b", "a_b-"), ("é" * 70, "_" * 60 + "-")],
)
def test_a_name_that_is_made_says_what_it_was_made_from(session_id: str, begins: str) -> None:
    made = safe_name(session_id)

    assert made.startswith(begins)
    assert len(made) == len(begins) + 8
