"""reflection.yaml and settings.json: refused with a place or read whole, never half; what was there comes back."""

import json
import os
from pathlib import Path
from typing import Any

import yaml
from hypothesis import strategies as st

from ace_reflect.config import FREE_KEYS, KEYS, MAX_BYTES, load
from ace_reflect.errors import ConfigError
from ace_reflect.install.registration import entries, registered, with_ours
from ace_reflect.install.settings_file import (
    read_settings,
    take_back,
    why_dropped,
    write_settings,
)
from ace_reflect.settings import GATES, Settings
from ace_reflect.state import cache
from ace_reflect.state.db import open_state
from support.fuzz import fuzzed
from support.fuzz_json import breaks, broken, json_values, odd_values, spoils, spoilt, texts

_GOOD: tuple[tuple[str, Any], ...] = (
    ("models", ["anthropic/claude-sonnet-4-5", "offline"]), ("workflow", "local"), ("gates.tests", "warn"), ("gates.ci", False), ("max_attempts", 5), ("assess.when", "never"),
    ("assess.daily_tokens", 10), ("learning.on", ["pre_compact"]), ("learning.review", "all"), ("injection.max_chars", 500), ("routing.enabled", True), ("routing.models.backend", "a/b"),
    ("review.enabled", True), ("review.reviewer", "x/y"), ("notify.command", "say 'done'\nand more\ttoo"), ("enabled", False),
    ("endpoints", {"x": {"base_url": "http://127.0.0.1/v1"}}), ("redaction.patterns", ["a+", "x{3}"]),
)  # fmt: skip
_TEXTS = (
    b"models: [anthropic/claude-sonnet-4-5]\nworkflow: auto\ngates: {tests: block, ci: warn, wiring: 'off'}\nmax_attempts: 3\n",
    b"assess: {when: auto, mode: background, daily_tokens: 200000}\nlearning: {review: untrusted, on: [session_end]}\n# x\n",
    b"notify:\n  command: |\n    say done\n    and more\nredaction:\n  patterns:\n    - 'a'\n    - \"\\t\"\n",
    b"%YAML 1.1\n---\nenabled: yes\n...\n", b"? workflow\n: local\n", b"gates:\n  tests: off\n  tests: warn\n", b"max_attempts: 0x7\n", b"max_attempts: 1_0\n", b"max_attempts: 1:30\n",
    b"enabled: 2026-11-22\n", b"models: &a [x/y]\n", b"models: !!set {x/y}\n", b"<<: {a: b}\n", b"\xff\xfee\x00", b'workflow: "\\ud800"\n', b'notify: {command: "a\\0b\\ud800\\x1f"}\n',
)  # fmt: skip
_KEYS = (*dict(_GOOD), "gates", "assess", "x", "models.x", "gates.test", "", "learning", "<<", "é")


def _nested(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        *sections, leaf = key.split(".")
        place = made
        for section in sections:
            inner = place.setdefault(section, {})
            place = inner if isinstance(inner, dict) else place
        place[leaf] = value
    return made


def _yaml(data: Any) -> bytes:
    try:
        return yaml.safe_dump(data, allow_unicode=True).encode()
    except (yaml.YAMLError, UnicodeEncodeError, ValueError):
        return json.dumps(data).encode()


_pairs = st.lists(
    st.sampled_from(_GOOD) | st.tuples(st.sampled_from(_KEYS), odd_values | json_values),
    max_size=5,
)
_damage = st.lists(breaks, max_size=2)
_contents = st.one_of(
    st.builds(spoilt, _pairs.map(_nested), st.lists(spoils, max_size=2)).map(_yaml),
    st.sampled_from(_TEXTS),
    st.binary(max_size=60),
    texts.map(lambda text: text.encode("utf-8", "replace")),
)
files = st.none() | st.builds(broken, _contents, _damage)
_VALUES = ("", "1", "0", "true", "off", "warn", "auto", "a/b,c/d", "tests=warn,ci=off", "tests=", "=", "9" * 400, "\udcff", "x\ty", "é", "never")  # fmt: skip
_VARIABLES = [f"ACE_REFLECT_{key.replace('.', '_').upper()}" for key in (*KEYS, "gates", "x", "")]
variables = st.dictionaries(st.sampled_from(_VARIABLES), st.sampled_from(_VALUES), max_size=3)


def written(tmp_path: Path, project: bytes | None, user: bytes | None) -> tuple[str, str]:
    for folder, data in ((tmp_path / "project" / ".claude", project), (tmp_path / "home", user)):
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "reflection.yaml"
        path.write_bytes(data or b"")
        if data is None:
            path.unlink()
    return str(tmp_path / "project"), str(tmp_path / "home")


def sound(settings: Settings) -> None:
    assert Settings.from_json(json.loads(json.dumps(settings.to_json()))) == settings
    assert 1 <= settings.max_attempts <= 7
    assert 0 <= settings.injection_max_chars <= 9_900
    assert settings.assess_daily_tokens >= 0
    assert {settings.gate_mode(gate) for gate in GATES} <= {"off", "warn", "block"}


@fuzzed("configurations", 60, 7_000, project=files, user=files, environ=variables)
def test_a_configuration_is_read_whole_or_refused_with_its_place(project, user, environ, tmp_path):
    places = written(tmp_path, project, user)
    try:
        found = load(*places, environ).sound()
    except ConfigError as refused:
        said = str(refused)
        assert any(name in said for name in ("reflection.yaml", *environ)), said
        assert len(said) < 3 * MAX_BYTES
    else:
        sound(found.settings)
        assert set(found.sources) >= set(KEYS)
        for key, source in found.sources.items():
            free = any(key == free or key.startswith(free + ".") for free in FREE_KEYS)
            assert free or not source.startswith("project")
        for pattern in found.settings.redaction_patterns:
            pattern.encode("utf-8", "surrogatepass")
    sound(load(*places, environ).settings)


@fuzzed("compiled settings", 12, 1_500, project=files, user=files, environ=variables)
def test_hooks_get_the_same_settings_compiled_as_read(project, user, environ, tmp_path) -> None:
    places = written(tmp_path, project, user)
    with open_state(places[1]) as state:
        first = cache.settings(state, places[0], environ)
        again = cache.settings(state, places[0], environ)
    assert first == again == load(*places, environ).settings


# ------------------------------------------------------------------ settings.json

OURS = entries(assess=True)
_COMMANDS = ({"type": "command", "command": "say done"}, {"type": "command", "command": "x", "args": ["ace-reflect", "y"]}, {"args": "ace-reflect"}, "x", None)  # fmt: skip
_commands = st.lists(st.sampled_from(_COMMANDS), max_size=3)
_entry = st.fixed_dictionaries({"hooks": _commands}, optional={"matcher": texts}) | json_values
_hooks = st.dictionaries(
    st.sampled_from(("Stop", "SessionEnd", "PreToolUse", "é")),
    st.lists(_entry, min_size=1, max_size=3) | json_values,
    max_size=4,
)
_data = st.fixed_dictionaries(
    {}, optional={"hooks": _hooks, "model": texts, "permissions": json_values}
)
_STYLES = ({"indent": 2}, {"indent": "\t"}, {}, {"indent": 0}, {"separators": (",", ":")}, {"ensure_ascii": True})  # fmt: skip


def _without_nan(value: Any) -> Any:
    """What JSON can hold and compare."""
    return json.loads(json.dumps(value, allow_nan=True), parse_constant=lambda _: 0)


def _without_empty(data: Any) -> Any:
    """Without lists of no hooks: they say nothing, and go with ours."""
    hooks = data.get("hooks", {}).items()
    kept = {event: value for event, value in hooks if value not in ([], None) or event not in OURS}
    rest = {key: value for key, value in data.items() if key != "hooks"}
    return {**rest, "hooks": kept} if kept else rest


@fuzzed(
    "settings files", 60, 7_000, data=_data, style=st.sampled_from(_STYLES), edit=st.booleans(),
    newline=st.sampled_from(("", "\n", "\r\n")), mark=st.sampled_from((b"", b"\xef\xbb\xbf")),
)  # fmt: skip
def test_what_was_in_the_settings_comes_back(data, style, edit, newline, mark, tmp_path) -> None:
    """In and out again: byte for byte where nobody touched it in between, else with every value that was there."""
    data = _without_nan(data)
    path = tmp_path / "settings.json"
    try:
        raw = mark + (json.dumps(data, **{"ensure_ascii": False, **style}) + newline).encode()
    except UnicodeEncodeError:
        raw = json.dumps(data, **style).encode()
    path.write_bytes(raw)
    Path(str(path) + ".before-ace-reflect").unlink(missing_ok=True)

    lists = [entry for event in OURS if (entry := data.get("hooks", {}).get(event)) is not None]
    if not all(isinstance(entry, list) for entry in lists):
        assert why_dropped(data)  # and `install` refuses it
        return
    before = read_settings(str(path))
    merged = with_ours(before.data, OURS)
    assert with_ours(merged, OURS) == merged
    assert registered(merged) == OURS
    write_settings(before, merged)

    now = read_settings(str(path))
    assert now.data == merged
    if edit:
        write_settings(now, {**now.data, "added": 1}, keep_copy=False)
        now = read_settings(str(path))
    take_back(now, with_ours(now.data, {}))
    assert edit or path.read_bytes() == raw
    came_back = read_settings(str(path)).data
    came_back.pop("added", None)
    assert _without_empty(came_back) == _without_empty(data)
    assert os.listdir(tmp_path) == ["settings.json"]
