"""Playbooks in every form and none: what is read is written and read again the same, and no vote is ever lost or made."""

import contextlib
import json
import sqlite3
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from ace_reflect import extract_cited_ids, format_playbook, load_playbook, save_playbook
from ace_reflect.errors import PlaybookError
from ace_reflect.playbook.change import (
    MAX_OPERATIONS,
    apply_operations,
    prune,
    update_playbook_data,
)
from ace_reflect.playbook.dedup import merge_duplicates
from ace_reflect.playbook.delta import compare, revert
from ace_reflect.playbook.exchange import add_all, read_any, to_lines, to_markdown
from ace_reflect.playbook.model import MOST_VOTES, counters, key_points
from ace_reflect.playbook.neutral import neutral_id, neutral_lines, neutralise
from ace_reflect.playbook.outcome import Memory
from ace_reflect.playbook.read import parse_playbook, read_playbook
from ace_reflect.playbook.render import has_text, render_sections, utf16_units
from ace_reflect.playbook.select import for_prompt
from ace_reflect.playbook.store import change, place_of, to_bytes
from ace_reflect.playbook.tags import apply_bullet_tags
from support.fuzz import fuzzed
from support.fuzz_json import ODD, breaks, broken, dumped, json_values, spoils, spoilt, texts
from support.playbooks import names

_TEXTS = ("Run the tests before saying so.", "Run the tests before saying so!", "Use {key_points} and </system-reminder> with care", "日本語 🎉", "x" * 300, "a\nb", "- [pat-001] helpful=9 harmful=9 :: no", "Never use tabs", "Use tabs", "port 8080", "port 8081")  # fmt: skip
_NAMES = ("pat-001", "pat-002", "mis-001", "pref-003", "ctx-010", "oth-999", "kpt_001", "kpt_7", "pat-9001", "x", "", "pat-", "pat-00000000000000000000001", "[pat-001]", " pat-001 ", "é", "pat-١")  # fmt: skip
_COUNTS = (
    0,
    1,
    2,
    3,
    7,
    -1,
    3.0,
    2.9,
    "2",
    "x",
    None,
    True,
    10**400,
    float("inf"),
    float("nan"),
    10**18,
)

points = st.fixed_dictionaries(
    {"text": st.sampled_from(_TEXTS) | texts},
    optional={
        "name": st.sampled_from(_NAMES) | texts,
        "helpful": st.sampled_from(_COUNTS),
        "harmful": st.sampled_from(_COUNTS),
        "score": st.sampled_from(_COUNTS),
        "tags": st.just(["a"]),
        "divider": st.booleans(),
        "extra": json_values,
    },
)
rows = st.one_of(points, points, points, texts, st.sampled_from(ODD))
sections = st.dictionaries(
    st.sampled_from(("PATTERNS & APPROACHES", "MISTAKES TO AVOID", "USER PREFERENCES", "PROJECT CONTEXT", "OTHERS", "others", " patterns  &  approaches ", "MY OWN")) | texts,
    st.lists(rows, max_size=6) | st.none(),
    max_size=5,
)  # fmt: skip
forms = st.one_of(
    st.fixed_dictionaries({"sections": sections}, optional={"version": st.sampled_from(("1.0", "1.7", 1, None, "2.0", "x")), "last_updated": texts, "owner": json_values, "key_points": st.lists(rows, max_size=3)}),
    st.fixed_dictionaries({"key_points": st.lists(rows, max_size=8)}, optional={"version": st.just("1.0")}),
)  # fmt: skip
spoilt_forms = st.tuples(forms, st.lists(spoils, max_size=3)).map(
    lambda pair: spoilt(pair[0], pair[1])
)
operations = st.lists(
    st.one_of(
        st.fixed_dictionaries({"op": st.sampled_from(("ADD", "add", "type")), "text": st.sampled_from(_TEXTS) | texts}, optional={"section": st.sampled_from(("OTHERS", "mistakes to avoid", "?", 7, None))}),
        st.fixed_dictionaries({"op": st.just("UPDATE"), "target_id": st.sampled_from(_NAMES), "text": st.sampled_from(_TEXTS) | texts}),
        st.fixed_dictionaries({"op": st.just("DELETE"), "target_id": st.sampled_from(_NAMES), "reason": texts}),
        st.fixed_dictionaries({"op": st.just("MERGE"), "source_ids": st.lists(st.sampled_from(_NAMES), max_size=4), "merged_text": texts}),
        json_values,
    ),
    max_size=13,
)  # fmt: skip
tags = st.lists(
    st.one_of(
        st.fixed_dictionaries({"name": st.sampled_from(_NAMES), "tag": st.sampled_from(("helpful", "harmful", "neutral", " Helpful ", "good", None, 3))}),
        json_values,
    ),
    max_size=8,
)  # fmt: skip


def read(form: Any) -> Any:
    """The playbook that a form is read into, an empty one where it is refused."""
    try:
        return parse_playbook(dumped(form)).playbook
    except PlaybookError:
        return read_playbook({}).playbook


def shown_of(playbook: Any) -> list[str]:
    return [repr((section, point)) for section, point in key_points(playbook) if has_text(point)]


def votes(playbook: Any) -> tuple[int, int]:
    counted = [counters(point) for _, point in key_points(playbook)]
    return sum(one for one, _ in counted), sum(two for _, two in counted)


@fuzzed(
    "playbooks read", short=100, long=8_000, form=spoilt_forms, damage=st.lists(breaks, max_size=2)
)
def test_what_is_read_is_written_and_read_again_the_same(form: Any, damage: list[Any]) -> None:
    try:
        found = parse_playbook(broken(dumped(form), damage))
    except PlaybookError as refused:
        said = str(refused)
        assert said
        return

    again = parse_playbook(to_bytes(found.playbook))

    assert to_bytes(again.playbook) == to_bytes(found.playbook)
    assert again.migrated == frozenset()
    ids = names(found.playbook)
    assert len(ids) == len(set(ids))
    assert all(ids)
    for _, point in key_points(found.playbook):
        assert all(
            type(count) is int and count >= 0 for count in (point["helpful"], point["harmful"])
        )
        assert point["text"].strip()


@fuzzed("playbooks shown", short=80, long=6_000, form=spoilt_forms, text=texts)
def test_a_playbook_is_shown_on_lines_of_its_own(form: Any, text: str) -> None:
    book = read(form)
    with contextlib.suppress(AttributeError, PlaybookError):
        format_playbook(form)  # what nobody has read yet
    points = list(key_points(book))

    shown = render_sections(book)

    shown.encode()
    assert sum(" :: " in line and line.startswith("[") for line in shown.split("\n")) == len(points)
    assert len([line for line in shown.split("\n") if line.startswith("## ")]) == len(
        {section for section, _ in points}
    )
    assert bool(format_playbook(book)) == bool(points)
    to_markdown(book).encode()
    assert neutralise(neutralise(text)) == neutralise(text)
    assert neutral_lines(text).count("\n") == text.count("\n")
    if points and all(neutralise(point["text"]) for _, point in points):
        again = read_any(to_lines(book).encode()).playbook
        assert [counters(point) for _, point in key_points(again)] == [
            counters(point) for _, point in points
        ]


@fuzzed("playbooks changed", short=80, long=6_000, form=spoilt_forms, asked=operations, tags=tags)
def test_a_change_leaves_its_argument_alone_and_loses_no_vote(
    form: Any, asked: Any, tags: Any
) -> None:
    book = read(form)
    before = deepcopy(book)
    asked = json.loads(dumped(asked))

    after, outcomes, memory = apply_operations(book, asked)

    assert to_bytes(book) == to_bytes(before)
    assert len(outcomes) == len(asked)
    assert all(outcome.why for outcome in outcomes)
    assert not any(outcome.applied for outcome in outcomes[MAX_OPERATIONS:])
    deleted = [outcome.before for outcome in outcomes if outcome.applied and outcome.op == "DELETE"]
    gone = [sum(counters(point)[which] for point in deleted if point) for which in (0, 1)]
    if max(votes(before)) < MOST_VOTES:
        assert votes(after) == tuple(
            had - lost for had, lost in zip(votes(before), gone, strict=True)
        )
    assert len(names(after)) == len(set(names(after)))
    merged, _, _ = merge_duplicates(after, memory)
    assert votes(merged) == votes(after) or max(votes(after)) >= MOST_VOTES
    assert merge_duplicates(merged)[1] == []
    pruned, _ = prune(merged, memory)
    assert prune(pruned, memory) == (pruned, [])
    reverted, left = revert(after, compare(before, after))
    assert left == []
    assert sorted(names(reverted)) == sorted(names(before))
    assert votes(reverted) == votes(before) or max(votes(before)) >= MOST_VOTES
    update_playbook_data(book, {"operations": asked, "evaluations": tags})
    assert to_bytes(book) == to_bytes(before)


@fuzzed("playbooks voted on", short=60, long=5_000, form=spoilt_forms, tags=tags)
def test_each_vote_counts_once(form: Any, tags: Any, capsys: pytest.CaptureFixture[str]) -> None:
    book = read(form)
    before = deepcopy(book)
    tags = json.loads(dumped(tags))

    apply_bullet_tags(book, tags)
    capsys.readouterr()

    known = [
        tag
        for tag in tags
        if isinstance(tag, dict) and str(tag.get("tag")).strip().lower() in {"helpful", "harmful"}
    ]
    added = sum(votes(book)) - sum(votes(before))
    assert 0 <= added <= len(known)
    once = deepcopy(book)
    apply_bullet_tags(book, tags)
    capsys.readouterr()
    assert sum(votes(book)) - sum(votes(once)) == added or max(votes(book)) >= MOST_VOTES
    assert names(book) == names(before)


@fuzzed(
    "playbooks stored",
    short=30,
    long=2_000,
    form=spoilt_forms,
    other=spoilt_forms,
    damage=st.lists(breaks, max_size=1),
)
def test_what_is_saved_is_loaded_and_what_stood_there_is_kept(
    form: Any,
    other: Any,
    damage: list[Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
) -> None:
    monkeypatch.setenv("ACE_REFLECT_HOME", str(tmp_path / "home"))
    path = tmp_path / "p" / "playbook.json"
    path.parent.mkdir(exist_ok=True)
    there = broken(dumped(other), damage)
    path.write_bytes(there)
    book = read(form)
    try:
        save_playbook(path, book)
    except PlaybookError:
        assert path.read_bytes() == there
        return
    capsys.readouterr()

    # What could not be read in the file is kept beside it.
    assert shown_of(load_playbook(path)) == shown_of(book)
    done = change(place_of(path), lambda now: now, why="nothing")
    assert not done.changed
    kept = {file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert there in kept or there == path.read_bytes() or len(kept) > 60
    for file in path.parent.iterdir():
        if file != path:
            file.unlink()


@fuzzed("playbooks selected from", short=30, long=3_000, form=spoilt_forms, prompt=texts, budget=st.integers(-5, 4000), first=st.booleans(),
        already=st.sets(st.sampled_from(_NAMES), max_size=3))  # fmt: skip
def test_what_is_chosen_fits_and_is_there(
    form: Any, prompt: str, budget: int, first: bool, already: set[str], tmp_path: Path
) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(dumped(form))
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        chosen = for_prompt(
            connection, str(path), None, prompt, budget=budget, already=already, first=first
        )
    finally:
        connection.close()

    assert utf16_units(chosen.text) <= max(budget, 0)
    chosen.text.encode()
    assert set(chosen.ids) <= {neutral_id(name) for name in names(read(form))}
    assert chosen.left_out >= 0
    assert bool(chosen.text) == bool(chosen.ids) or not chosen.ids


@fuzzed(
    "playbooks exchanged",
    short=50,
    long=4_000,
    form=spoilt_forms,
    other=spoilt_forms,
    damage=st.lists(breaks, max_size=3),
    as_lines=st.booleans(),
)
def test_an_import_adds_what_is_new_and_twice_adds_nothing(
    form: Any, other: Any, damage: list[Any], as_lines: bool
) -> None:
    book = read(form)
    data = to_lines(read(other)).encode() if as_lines else dumped(other)
    try:
        incoming = read_any(broken(data, damage))
    except PlaybookError:
        return

    after, outcomes, memory = add_all(book, incoming, Memory())

    assert len(outcomes) == len(list(key_points(incoming.playbook)))
    added = sum(outcome.applied for outcome in outcomes)
    assert len(names(after)) == len(names(book)) + added
    assert len(names(after)) == len(set(names(after)))
    again, second, _ = add_all(after, incoming, memory)
    assert not any(outcome.applied for outcome in second)
    assert to_bytes(again) == to_bytes(after)


@fuzzed("citations", short=50, long=3_000, messages=st.lists(st.one_of(json_values, st.fixed_dictionaries({"role": st.sampled_from(("assistant", "user", None)), "content": st.one_of(
    st.sampled_from(("[pat-001]", "see [mis-2] and [pat-001]", "[kpt_3][oth-9999999999]", "[pat-٣]")), json_values)})), max_size=5))  # fmt: skip
def test_only_the_assistants_citations_count_each_once(messages: Any) -> None:
    cited = extract_cited_ids(messages)

    assert len(cited) == len(set(cited))
    shown = json.dumps(
        [one for one in messages if isinstance(one, dict) and one.get("role") == "assistant"],
        ensure_ascii=False,
    )
    assert all(f"[{one}]" in shown for one in cited)
