import pytest

from ace_reflect.learning.gather import cited_in, is_set_aside, reads_out

TEXTS = {
    "pat-001": "Run the unit tests before each commit, and read what they print before you say that they passed in full",
    "mis-002": "Don't force-push",
}


def cited(text):
    return [citation.key_point for citation in cited_in(text, 1) if not reads_out(citation, TEXTS)]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("As [pat-001] says, I run them first.", ["pat-001"]),
        ("[pat-001] applies here.", ["pat-001"]),
        ("Following [pat-001, mis-002] I start with the tests", ["pat-001", "mis-002"]),
        ("By [mis-002]: don't force-push", ["mis-002"]),
        ("[mis-002] Don't force-push, so I merge instead", ["mis-002"]),
        ("[pat-001] and [mis-002]", ["pat-001", "mis-002"]),
        ("As [**pat-001**] and [`mis-002`] say", ["pat-001", "mis-002"]),
        ("As [`pat-001`, `mis-002`] say", ["pat-001", "mis-002"]),
        ("I ran them first \\[pat-001\\]", ["pat-001"]),
        ("I ran them first [see pat-001, and mis-002].", ["pat-001", "mis-002"]),
        ("I ran them first [key points pat-001 & mis-002].", ["pat-001", "mis-002"]),
        ("By [mis-002: don't force-push] I merge.", ["mis-002"]),
        ("Erst die Tests [pat-001 und mis-002].", ["pat-001", "mis-002"]),
        ("【pat-001】に従い、[mis-002、pat-001]も見る。", ["pat-001", "mis-002", "pat-001"]),
    ],
)
def test_an_id_in_the_assistants_own_words_is_a_citation(text, ids):
    assert cited(text) == ids


@pytest.mark.parametrize(
    "text",
    [
        "[mis-002] Don't force-push", "- **[mis-002]**: don't force-push.", "3. [mis-002] Don't force-push",
        f"* [pat-001] {TEXTS['pat-001']}", f"[pat-001] helpful=3 harmful=0 :: {TEXTS['pat-001']}",
        "It says `[pat-001] helpful=3 harmful=0 :: Run the unit tests`",
        "1. [pat-001] helpful=3 harmful=0 :: Run", "- [mis-002: Don't force-push]",
        "2. [mis-002]: Don't force-push", "I was told to cite its ID in brackets, e.g. [pat-001].",
        "I have read [pat-001..pat-010]", "from [pat-001 to pat-003]", "[not pat-001]", "the ticket [PAT-001]",
        "at [pat-001:3]", "[xpat-001] and [pat-001x]", "(pat-001), <pat-001>", "[the agent read pat-001]",
    ],
)  # fmt: skip
def test_reading_the_playbook_out_or_a_bracket_that_says_something_else_is_none(text):
    assert cited(text) == []


SET_ASIDE = (
    "[mis-002: does not apply here]", "[`mis-002`] does not apply here", "[mis-002] does not apply here, nothing is pushed.",
    "[pat-001] isn't needed for a typo.", "[pat-001, mis-002] are not relevant", "[mis-002] is not about this: nothing is pushed",
    "[pat-001] doesn't really fit here.",
)  # fmt: skip
FOLLOWED = (
    "[mis-002]: do not force-push", "[mis-002] doesn't allow a force-push, so I merge", "Not ignoring [pat-001], I run them all",
    "[mis-002] is not only about main: I push no branch by force", "I follow [pat-001]. It is not needed to run all of them",
)  # fmt: skip


@pytest.mark.parametrize("text", [*SET_ASIDE, *FOLLOWED])
def test_a_key_point_named_as_not_followed_is_set_aside_and_no_other(text):
    assert is_set_aside(cited_in(text, 1)[0]) is (text in SET_ASIDE)
