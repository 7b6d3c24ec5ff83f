"""A prompt made fit to be kept."""

import pytest

from ace_reflect.hooks.prompt_text import may_hold_secret, safe_text
from ace_reflect.state.prompts import MAX_TEXT


def test_of_a_long_prompt_the_end_is_kept_also_where_nearly_all_of_the_beginning_was_a_secret() -> (
    None
):
    prompt = "-----BEGIN PRIVATE KEY-----\n" + "A" * 70_000 + "\nuse this key and run the tests"

    kept = safe_text(prompt, {})

    assert kept.startswith("[REDACTED:private-key]")
    assert kept.endswith("use this key and run the tests")


@pytest.mark.parametrize("length", [MAX_TEXT - 1, MAX_TEXT, MAX_TEXT + 1])
def test_a_prompt_is_cut_only_where_it_is_too_long(length: int) -> None:
    kept = safe_text("a" * length, {})

    assert len(kept) <= MAX_TEXT
    assert (kept == "a" * length) is (length <= MAX_TEXT)


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("https://ann:hunter2@host/x", True),
        ("see https://host/x", False),
        ("ann@host", False),
        ("the Token is", True),
        ("abcdefghijklmno1", True),
        ("abcdefghijklmn1", False),
        ("abcdefghijklmnopqrst", False),
        ("fold case in slugs", False),
    ],
)
def test_redaction_is_loaded_only_for_a_text_that_could_hold_a_secret(text: str, may: bool) -> None:
    assert may_hold_secret(text, {}) is may


@pytest.mark.parametrize(
    ("environ", "may"),
    [
        ({"DB_PASSWORD": "tulips-a"}, True),
        ({"DB_PASSWORD": "tulips"}, False),
        ({"DB_PASSWORD": "something-else"}, False),
        ({"FLOWERS": "tulips-a"}, False),
    ],
)
def test_a_value_of_the_environment_counts_by_its_name_and_length(
    environ: dict[str, str], may: bool
) -> None:
    assert may_hold_secret("plant tulips-a in rows", environ) is may
