import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect import extract_cited_ids


def assistant(content: object) -> dict[str, object]:
    return {"role": "assistant", "content": content}


@pytest.mark.req("REQ-REFL-001", "SCN-REFL-001-01", "INV-REFL-001")
def test_each_id_that_the_assistant_cited_is_given_once_and_users_are_not_read():
    messages = [
        {"role": "user", "content": "Help me refactor this code"},
        assistant("Based on [pat-001] and [mis-002], I recommend..."),
        {"role": "user", "content": "What about [pat-003]?"},
        assistant("Good point. Also applying [pat-001] here..."),
    ]

    cited = extract_cited_ids(messages)

    assert sorted(cited) == ["mis-002", "pat-001"]


@pytest.mark.req("REQ-REFL-001", "SCN-REFL-001-02")
def test_a_session_without_citations_gives_an_empty_list():
    messages = [
        {"role": "user", "content": "Help me with this"},
        assistant("Sure, here is the solution..."),
    ]

    assert extract_cited_ids(messages) == []
    assert extract_cited_ids([]) == []


@pytest.mark.req("REQ-REFL-001", "SCN-REFL-001-03")
def test_old_kpt_ids_are_citations_too():
    cited = extract_cited_ids([assistant("Following [kpt_001] and [oth-003], I suggest...")])

    assert set(cited) == {"kpt_001", "oth-003"}


@pytest.mark.req("REQ-REFL-001")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[pat-1] [mis-22] [pref-333] [ctx-4444] [oth-5]",
            ["pat-1", "mis-22", "pref-333", "ctx-4444", "oth-5"],
        ),
        ("pat-001 without brackets", []),
        ("(pat-001) {pat-001}", []),
        ("[PAT-001] [pat_001] [kpt-001] [pat-] [foo-001] [ pat-001 ]", []),
        ("[pat-001, mis-002]", []),
        ("[[pat-001]] and [pat-001](#here)", ["pat-001"]),
    ],
)
def test_the_pattern_is_the_specifications(text, expected):
    assert extract_cited_ids([assistant(text)]) == expected


@pytest.mark.req("REQ-REFL-001")
def test_content_may_be_a_list_of_blocks_of_which_the_text_is_read():
    blocks = [
        {"type": "text", "text": "As [pat-001] says"},
        {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "echo [pat-002]"}},
        {"type": "tool_result", "text": "[pat-003]"},
        {"type": "text", "text": None},
        {"type": "text"},
        "and [mis-001]",
        None,
        7,
    ]

    assert extract_cited_ids([assistant(blocks)]) == ["pat-001", "mis-001"]


@pytest.mark.req("REQ-REFL-001")
@pytest.mark.parametrize("content", [None, 3, {}, {"text": "[pat-001]"}, [], [[]], True])
def test_content_of_another_kind_holds_no_citation(content):
    assert extract_cited_ids([assistant(content)]) == []


@pytest.mark.parametrize(
    "messages",
    [
        None,
        "text",
        3,
        [None, 3, "x", []],
        [{}],
        [{"role": "assistant"}],
        [{"content": "[pat-001]"}],
    ],
)
def test_messages_of_another_shape_are_passed_over(messages):
    assert extract_cited_ids(messages) == []


def test_tool_results_and_system_messages_are_not_read():
    messages = [
        {"role": role, "content": "[pat-001]"}
        for role in ("user", "system", "tool", "Assistant", None)
    ]

    assert extract_cited_ids(messages) == []


@pytest.mark.req("INV-REFL-001")
@given(st.lists(st.text(alphabet="[]patkmis-_0123, ", max_size=60)))
def test_no_id_is_ever_given_twice(texts):
    cited = extract_cited_ids([assistant(text) for text in texts])

    assert len(cited) == len(set(cited))
