"""What a clause opens with: stepping over fillers finds what one expression of all of it would."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace_reflect.gates import requests, vocabulary
from ace_reflect.gates.opening import FILLERS, Opening, clause
from support.regex_needs import begins

OPENINGS = [one for table in (vocabulary.AT_START, requests.ASKS) for group in table.values() for one in group]
WORDS = (
    "skip",
    "the",
    "tests",
    "don't",
    "run",
    "push",
    "it",
    "commit",
    "gates",
    "no",
    "pr",
    "i'll",
    "test",
    "keine",
    "nur",
    "Please",
    "OK",
)


@pytest.mark.parametrize("known", OPENINGS, ids=lambda known: known.source[:40])
def test_every_match_begins_with_one_of_its_words(known: Opening) -> None:
    assert not known.starts or begins(known.source, 0, known.starts.split("|"))


def whole(known: Opening, text: str) -> bool:
    """As one expression over the clause as it was written."""
    lead = rf"^(?:(?:{'|'.join(FILLERS)})[,]?\s+)*"
    return re.match(f"{lead}(?:{known.source})", text, re.IGNORECASE) is not None


@settings(max_examples=120)
@given(st.lists(st.sampled_from((*FILLERS, *WORDS)), max_size=7), st.sampled_from((" ", ", ", ",  ", "  ")))
def test_a_clause_of_fillers_and_words_opens_as_the_whole_expression_says(words: list[str], joint: str) -> None:
    text = joint.join(words)
    assert [known.opens(*clause(text)) for known in OPENINGS] == [whole(known, text) for known in OPENINGS]


@settings(max_examples=200)
@given(st.data(), st.sampled_from(("", "Please ", "ok, NOW ", "can you  ")))
def test_what_matches_opens(data: st.DataObject, filler: str) -> None:
    known = data.draw(st.sampled_from(OPENINGS))
    text = filler + data.draw(st.from_regex(re.compile(known.source), alphabet=st.characters(codec="utf-8")))
    assert known.opens(*clause(text)) == whole(known, text)


def test_places_are_the_start_and_what_stands_behind_each_filler() -> None:
    assert clause("Please, can you  run it") == ("please, can you  run it", [0, 8, 17])
    assert clause("I'd like you to push") == ("i'd like you to push", [0, 9, 13, 16])
    assert clause("") == ("", [0])
