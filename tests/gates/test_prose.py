"""Sentences of a prompt: which of them ask."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.gates import prose

_JOINING = ("and", "but", "so", "ok", "okay", "hm", "hmmm", "wait", "hey", "also", "then")
_ASKING = (
    "why",
    "what's",
    "does",
    "shouldn't",
    "do you",
    "can i",
    "may I",
    "will that",
    "hast du",
    "qu'est-ce",
    "por qué",
    "Perché",
    "когда",
)
_TELLING = (
    "whyever",
    "dot",
    "candle",
    "willing",
    "do the",
    "can you",
    "history",
    "area",
    "white",
    "hatch",
    "wash",
    "isnt",
)


@given(
    st.lists(st.sampled_from(_JOINING), max_size=3), st.sampled_from([" ", ", ", ",", ",  "]), st.sampled_from(_ASKING)
)
def test_a_question_word_asks_behind_any_words_that_join(before: list[str], between: str, asking: str) -> None:
    said = between.join([*before, f"{asking} it fail on Windows"])
    assert prose.sentences(said)[0].asks


@given(st.lists(st.sampled_from(_JOINING), max_size=3), st.sampled_from(_TELLING))
def test_a_word_that_only_begins_like_one_does_not(before: list[str], telling: str) -> None:
    assert not prose.sentences(", ".join([*before, f"{telling} it fails on Windows"]))[0].asks


@pytest.mark.parametrize("said", ["so", "and, but", "hm", "ok,", "wait"])
def test_joining_words_alone_ask_nothing(said: str) -> None:
    assert not any(sentence.asks for sentence in prose.sentences(said))


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("=== 3 failed, 2 passed ===", "3 failed, 2 passed"),
        ("----- FAILURES -----", "FAILURES"),
        ("a === b", "a === b"),
        ("-x is a flag", "-x is a flag"),
        ("Tests ***", "Tests"),
    ],
)
def test_rules_around_a_summary_are_not_shown(said: str, shown: str) -> None:
    assert prose.shortened(said) == shown
