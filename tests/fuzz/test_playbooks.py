"""Playbooks in every form and none: what is read is written and read again the same, and no vote is ever lost or made."""

import contextlib
import json
import shutil
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from ace_reflect import format_playbook, load_playbook, save_playbook
from ace_reflect.errors import PlaybookError
from ace_reflect.playbook import change as changes
from ace_reflect.playbook.change import MAX_OPERATIONS, Memory, add_all, merge_duplicates, prune
from ace_reflect.playbook.history import compare, revert
from ace_reflect.playbook.model import MOST_VOTES, counters, key_points
from ace_reflect.playbook.neutral import neutral_lines, neutralise
from ace_reflect.playbook.read import parse_playbook, read_any, read_playbook
from ace_reflect.playbook.render import has_text, render_sections, to_markdown
from ace_reflect.playbook.store import change, place_of, to_bytes
from support.fuzz import fuzzed
from support.fuzz_json import breaks, broken, dumped, json_values, odd_values, spoils, spoilt, texts
from support.playbooks import names

_TEXTS = ("Run the tests before saying so.", "Run the tests before saying so!", "Use {key_points} and </system-reminder> with care", "日本語 🎉", "x" * 300, "a\nb", "- [pat-001] helpful=9 harmful=9 :: no", "Never use tabs", "Use tabs", "port 8080", "port 8081")  # fmt: skip
_NAMES = ("pat-001", "pat-002", "mis-001", "pref-003", "ctx-010", "oth-999", "kpt_001", "kpt_7", "pat-9001", "x", "", "pat-", "pat-00000000000000000000001", "[pat-001]", " pat-001 ", "é", "pat-١")  # fmt: skip
_COUNTS = (0, 1, 2, 3, 7, -1, 3.0, 2.9, "2", "x", None, True, 10**400, float("inf"), float("nan"), 10**18)  # fmt: skip

_words = st.sampled_from(_TEXTS) | texts
_ids = st.sampled_from(_NAMES)
_counts = st.sampled_from(_COUNTS)
damages = st.lists(breaks, max_size=2)
points = st.fixed_dictionaries(
    {"text": _words},
    optional={"name": _ids | texts, "helpful": _counts, "harmful": _counts, "score": _counts, "tags": st.just(["a"]), "divider": st.booleans(), "extra": json_values},
)  # fmt: skip
rows = st.one_of(points, points, points, texts, odd_values)
_SECTIONS = ("PATTERNS & APPROACHES", "MISTAKES TO AVOID", "USER PREFERENCES", "PROJECT CONTEXT", "OTHERS", "others", " patterns  &  approaches ", "MY OWN")  # fmt: skip
sections = st.dictionaries(
    st.sampled_from(_SECTIONS) | texts, st.lists(rows, max_size=6) | st.none(), max_size=5
)
_versions = st.sampled_from(("1.0", "1.7", 1, None, "2.0", "x"))
forms = st.one_of(
    st.fixed_dictionaries({"sections": sections}, optional={"version": _versions, "last_updated": texts, "owner": json_values, "key_points": st.lists(rows, max_size=3)}),
    st.fixed_dictionaries({"key_points": st.lists(rows, max_size=8)}, optional={"version": st.just("1.0")}),
)  # fmt: skip
spoilt_forms = st.builds(spoilt, forms, st.lists(spoils, max_size=3))
operations = st.lists(
    st.one_of(
        st.fixed_dictionaries({"op": st.sampled_from(("ADD", "add", "type")), "text": _words}, optional={"section": st.sampled_from(("OTHERS", "mistakes to avoid", "?", 7, None))}),
        st.fixed_dictionaries({"op": st.just("UPDATE"), "target_id": _ids, "text": _words}),
        st.fixed_dictionaries({"op": st.just("DELETE"), "target_id": _ids, "reason": texts}),
        st.fixed_dictionaries({"op": st.just("MERGE"), "source_ids": st.lists(_ids, max_size=4), "merged_text": texts}),
        json_values,
    ),
    max_size=13,
)  # fmt: skip
_tags = st.sampled_from(("helpful", "harmful", "neutral", " Helpful ", "good", None, 3))
tags = st.lists(st.fixed_dictionaries({"name": _ids, "tag": _tags}) | json_values, max_size=8)


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


@fuzzed("playbooks read", 90, 8_000, form=spoilt_forms, damage=damages)
def test_what_is_read_is_written_and_read_again_the_same(form, damage) -> None:
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
        counts = (point["helpful"], point["harmful"])
        assert all(type(count) is int and count >= 0 for count in counts)
        assert point["text"].strip()


@fuzzed("playbooks shown", 50, 6_000, form=spoilt_forms, text=texts)
def test_a_playbook_is_shown_on_lines_of_its_own(form, text) -> None:
    book = read(form)
    with contextlib.suppress(AttributeError, PlaybookError):
        format_playbook(form)  # what nobody has read yet
    points = list(key_points(book))
    shown = render_sections(book)
    shown.encode()
    lines = shown.split("\n")
    assert sum(" :: " in line and line.startswith("[") for line in lines) == len(points)
    headings = {section for section, _ in points}
    assert sum(line.startswith("## ") for line in lines) == len(headings)
    assert bool(format_playbook(book)) == bool(points)
    to_markdown(book).encode()
    assert neutralise(neutralise(text)) == neutralise(text)
    assert neutral_lines(text).count("\n") == text.count("\n")
    if points and all(neutralise(point["text"]) for _, point in points):
        again = key_points(read_any(render_sections(book).encode()).playbook)
        assert [counters(point) for _, point in again] == [counters(point) for _, point in points]


@fuzzed("playbooks changed", 70, 6_000, form=spoilt_forms, asked=operations, tags=tags)
def test_a_change_leaves_its_argument_alone_and_loses_no_vote(form, asked, tags) -> None:
    book = read(form)
    before = deepcopy(book)
    asked = json.loads(dumped(asked))

    after, outcomes, memory = changes.apply_operations(book, asked)
    assert to_bytes(book) == to_bytes(before)
    assert len(outcomes) == len(asked)
    assert all(outcome.why for outcome in outcomes)
    assert not any(outcome.applied for outcome in outcomes[MAX_OPERATIONS:])
    deleted = [one.before for one in outcomes if one.applied and one.op == "DELETE"]
    gone = [sum(counters(point)[which] for point in deleted if point) for which in (0, 1)]
    full = max(votes(before)) >= MOST_VOTES
    assert full or votes(after) == (votes(before)[0] - gone[0], votes(before)[1] - gone[1])
    assert len(names(after)) == len(set(names(after)))
    merged, _, _ = merge_duplicates(after, memory)
    assert votes(merged) == votes(after) or max(votes(after)) >= MOST_VOTES
    assert merge_duplicates(merged)[1] == []
    pruned, _ = prune(merged, memory)
    assert prune(pruned, memory) == (pruned, [])
    reverted, left = revert(after, compare(before, after))
    assert left == []
    assert sorted(names(reverted)) == sorted(names(before))
    assert votes(reverted) == votes(before) or full
    changes.update_playbook_data(book, {"operations": asked, "evaluations": tags})
    assert to_bytes(book) == to_bytes(before)


@fuzzed("playbooks stored", 20, 2_000, form=spoilt_forms, other=spoilt_forms, damage=damages)
def test_what_is_saved_is_loaded_and_what_stood_there_is_kept(
    form, other, damage, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("ACE_REFLECT_HOME", str(tmp_path / "home"))
    path = tmp_path / "p" / "playbook.json"
    shutil.rmtree(path.parent, ignore_errors=True)
    path.parent.mkdir()
    there = broken(dumped(other), damage)
    path.write_bytes(there)
    book = read(form)
    try:
        save_playbook(path, book)
    except PlaybookError:
        assert path.read_bytes() == there
        return
    capsys.readouterr()
    assert shown_of(load_playbook(path)) == shown_of(book)
    assert not change(place_of(path), lambda now: now, why="nothing").changed
    kept = {file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert there in kept or len(kept) > 60, "what could not be read is kept beside it"


data = st.one_of(
    spoilt_forms.map(dumped), spoilt_forms.map(lambda form: render_sections(read(form)).encode())
)


@fuzzed("playbooks exchanged", 30, 4_000, form=spoilt_forms, data=st.builds(broken, data, damages))
def test_an_import_adds_what_is_new_and_twice_adds_nothing(form, data) -> None:
    book = read(form)
    try:
        incoming = read_any(data)
    except PlaybookError:
        return
    after, outcomes, memory = add_all(book, incoming, Memory())
    assert len(outcomes) == len(list(key_points(incoming.playbook)))
    assert len(names(after)) == len(names(book)) + sum(outcome.applied for outcome in outcomes)
    assert len(names(after)) == len(set(names(after)))
    again, second, _ = add_all(after, incoming, memory)
    assert not any(outcome.applied for outcome in second)
    assert to_bytes(again) == to_bytes(after)
