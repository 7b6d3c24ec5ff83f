"""Which key points an answer cites, and the votes on them."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect import apply_bullet_tags, extract_cited_ids
from support.playbooks import named, playbook, point


def assistant(content: object) -> dict[str, object]:
    return {"role": "assistant", "content": content}


SESSION = [
    {"role": "user", "content": "Help me refactor this code"},
    assistant("Based on [pat-001] and [mis-002], I recommend..."),
    {"role": "user", "content": "What about [pat-003]?"},
    assistant("Good point. Also applying [pat-001] here..."),
]


@pytest.mark.req("REQ-REFL-001", "SCN-REFL-001-01", "SCN-REFL-001-02", "SCN-REFL-001-03")
@pytest.mark.parametrize(
    ("messages", "cited"),
    [
        (SESSION, ["mis-002", "pat-001"]),
        (SESSION[:1] + [assistant("Sure, here is the solution...")], []),
        ([assistant("Following [kpt_001] and [oth-003], I suggest...")], ["kpt_001", "oth-003"]),
        *((odd, []) for odd in (None, "text", 3, [], [None, 3, "x", []], [{}], [{"role": "assistant"}], [{"content": "[pat-001]"}])),
        ([{"role": role, "content": "[pat-001]"} for role in ("user", "system", "tool", "Assistant", None)], []),
    ],
)  # fmt: skip
def test_each_id_that_the_assistant_cited_is_given_once_and_others_are_not_read(messages, cited):
    assert sorted(extract_cited_ids(messages)) == cited


BLOCKS = [
    {"type": "text", "text": "As [pat-001] says"},
    {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "echo [pat-002]"}},
    {"type": "tool_result", "text": "[pat-003]"},
    {"type": "text", "text": None},
    {"type": "text"},
    "and [mis-001]",
    None,
    7,
]


@pytest.mark.req("REQ-REFL-001")
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("[pat-1] [mis-22] [pref-333] [ctx-4444] [oth-5]", ["pat-1", "mis-22", "pref-333", "ctx-4444", "oth-5"]),
        ("pat-001 without brackets (pat-001) {pat-001}", []),
        ("[PAT-001] [pat_001] [kpt-001] [pat-] [foo-001] [ pat-001 ] [pat-001, mis-002]", []),
        ("[[pat-001]] and [pat-001](#here)", ["pat-001"]),
        (BLOCKS, ["pat-001", "mis-001"]),
        *((odd, []) for odd in (None, 3, {}, {"text": "[pat-001]"}, [], [[]], True)),
    ],
)  # fmt: skip
def test_the_pattern_is_the_specifications_and_text_blocks_are_read(content, expected):
    assert extract_cited_ids([assistant(content)]) == expected


@pytest.mark.req("INV-REFL-001")
@given(st.lists(st.text(alphabet="[]patkmis-_0123, ", max_size=60)))
def test_no_id_is_ever_given_twice(texts):
    cited = extract_cited_ids([assistant(text) for text in texts])
    assert len(cited) == len(set(cited))


def tag(name: object, value: object = "helpful", **more: object) -> dict[str, object]:
    return {"name": name, "tag": value, "rationale": "…", **more}


@pytest.mark.req("REQ-REFL-007", "SCN-REFL-006-01", "INV-REFL-004")
def test_each_tag_moves_its_counter_by_one_in_whatever_section_and_each_time():
    book = playbook(point("pat-001", "use types", 3, 1), point("oth-001", "legacy tip"))
    book["sections"]["MY OWN"] = [point("mine-1")]
    result = apply_bullet_tags(book, [tag("pat-001"), tag("oth-001", "harmful"), tag("mine-1")])
    flat = {"key_points": [point("kpt_001")]}
    apply_bullet_tags(flat, [tag("kpt_001")])
    assert flat["key_points"] == [point("kpt_001", helpful=1)], "not migrated yet"
    assert result is book
    assert named(book, "pat-001") == point("pat-001", "use types", 4, 1)
    assert named(book, "oth-001") == point("oth-001", "legacy tip", 0, 1)
    assert named(book, "mine-1")["helpful"] == 1
    apply_bullet_tags(book, [tag("mine-1"), tag("mine-1")])
    assert named(book, "mine-1")["helpful"] == 3


@pytest.mark.req("REQ-REFL-007", "SCN-REFL-006-02", "SCN-REFL-004-02")
def test_a_neutral_tag_changes_nothing_and_one_for_an_unknown_key_point_is_named_on_stderr(capsys):
    book = playbook(point("pat-001", "use types", 3, 1))
    apply_bullet_tags(book, [tag("pat-001", "neutral")])
    assert capsys.readouterr() == ("", "")
    apply_bullet_tags(book, [tag("pat-999"), tag("\x1b[31mevil\x07\n")])
    said = capsys.readouterr()
    assert said.out == ""
    assert "pat-999" in said.err
    assert "\x1b" not in said.err
    assert book == playbook(point("pat-001", "use types", 3, 1))


NO_BOOKS = [
    *({}, {"sections": None}, {"sections": []}, {"sections": {"OTHERS": None, "PATTERNS & APPROACHES": "x"}}),
    {"sections": {"OTHERS": [None, 3, "text", {"text": "nameless"}, {"name": ["pat-001"], "text": "x"}]}},
]  # fmt: skip


@pytest.mark.parametrize(
    ("book", "tags"),
    [
        *((playbook(point("pat-001")), tags) for tags in (None, [], (), "helpful", 3, tag("pat-001"))),
        *((book, [tag("pat-001")]) for book in NO_BOOKS),
    ],
)  # fmt: skip
def test_a_list_or_a_playbook_that_is_none_changes_nothing(book, tags):
    before = copy.deepcopy(book)
    assert apply_bullet_tags(book, tags) is book
    assert book == before


@pytest.mark.req("REQ-REFL-007", "REQ-REFL-004")
@pytest.mark.parametrize(
    "odd",
    [
        *(tag("pat-001", value) for value in ("very helpful", "", "useful", "Helpful", "HARMFUL", " helpful", None, 1, [], {"a": 1})),
        *(tag(name) for name in ("[pat-001]", " pat-001 ", "PAT-001", None, ["pat-001"], {})),
        {"id": "pat-001", "tag": "helpful"},
        {"name": "pat-001", "tag": None, "rating": "helpful"},
        *(None, 3, "pat-001", [], {}),
    ],
)  # fmt: skip
def test_tags_count_to_the_letter_only_and_an_odd_one_spoils_no_other(odd, capsys):
    book = playbook(point("pat-001", helpful=2, harmful=1))
    apply_bullet_tags(book, [odd])
    assert named(book, "pat-001") == point("pat-001", helpful=2, harmful=1)
    assert capsys.readouterr().err
    apply_bullet_tags(book, [odd, tag("pat-001")])
    assert named(book, "pat-001")["helpful"] == 3


@pytest.mark.req("INV-REFL-003")
@given(st.lists(st.fixed_dictionaries({
    "name": st.sampled_from(["pat-001", "mis-001", "pat-999"]) | st.none() | st.lists(st.integers()),
    "tag": st.sampled_from(["helpful", "harmful", "neutral", "Helpful"]) | st.text() | st.none()})))  # fmt: skip
def test_counters_only_grow(tags):
    book = playbook(point("pat-001", helpful=1), point("mis-001", harmful=2))
    apply_bullet_tags(book, tags)
    assert named(book, "pat-001")["helpful"] >= 1
    assert named(book, "pat-001")["harmful"] >= 0
    assert named(book, "mis-001")["harmful"] >= 2


@pytest.mark.req("INV-REFL-003")
@pytest.mark.parametrize(("counter", "after"), [(999_999_999, 10**9), (10**18, 10**18 + 1), ("2", 3), (-3, 1), (None, 1), (True, 1), ("many", 1)])  # fmt: skip
def test_a_vote_raises_a_counter_of_any_height_by_one_and_one_that_is_none_to_one(counter, after):
    """What is read from a file is capped; what a caller holds is his, and a vote never lowers it."""
    book = playbook(point("pat-001", helpful=counter), {"name": "pat-002", "text": "x"})
    apply_bullet_tags(book, [tag("pat-001"), tag("pat-002", "harmful")])
    assert named(book, "pat-001")["helpful"] == after
    assert named(book, "pat-002")["harmful"] == 1
