"""reflection.yaml and settings.json: refused with a place or read whole, never half; what was there comes back."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import strategies as st

from ace_reflect.config import FREE_KEYS, load, load_usable
from ace_reflect.config_form import known_keys
from ace_reflect.config_yaml import MAX_BYTES
from ace_reflect.errors import ConfigError
from ace_reflect.install.registration import entries, registered, with_ours, without_ours
from ace_reflect.install.settings_file import (
    read_settings,
    remove_copy,
    render,
    restore_if_same,
    write_settings,
)
from ace_reflect.settings import GATES, Settings, dump, for_hooks, parse
from ace_reflect.state.db import open_state
from support.fuzz import fuzzed
from support.fuzz_json import ODD, breaks, broken, json_values, spoils, spoilt, texts

_GOOD: tuple[tuple[str, Any], ...] = (
    ("models", ["anthropic/claude-sonnet-4-5", "offline"]), ("workflow", "local"), ("gates.tests", "warn"), ("gates.ci", False), ("max_attempts", 5), ("assess.when", "never"),
    ("assess.daily_tokens", 10), ("learning.on", ["pre_compact"]), ("learning.review", "all"), ("injection.max_chars", 500), ("routing.enabled", True), ("routing.models.backend", "a/b"),
    ("review.enabled", True), ("review.reviewer", "x/y"), ("notify.command", "say 'done'\nand more\ttoo"), ("enabled", False), ("fast_models", {"a": ["b"]}),
    ("endpoints", {"x": {"base_url": "http://127.0.0.1/v1"}}), ("redaction.patterns", ["a+", "x{3}"]),
)  # fmt: skip
_TEXTS = (
    b"models: [anthropic/claude-sonnet-4-5]\nworkflow: auto\ngates: {tests: block, ci: warn, wiring: 'off'}\nmax_attempts: 3\n",
    b"assess: {when: auto, mode: background, daily_tokens: 200000}\nlearning: {review: untrusted, on: [session_end]}\n# x\n",
    b"notify:\n  command: |\n    say done\n    and more\nredaction:\n  patterns:\n    - 'a'\n    - \"\\t\"\n",
    b"%YAML 1.1\n---\nenabled: yes\n...\n", b"? workflow\n: local\n", b"gates:\n  tests: off\n  tests: warn\n", b"max_attempts: 0x7\n", b"max_attempts: 1_0\n", b"max_attempts: 1:30\n",
    b"enabled: 2026-11-22\n", b"models: &a [x/y]\n", b"models: !!set {x/y}\n", b"<<: {a: b}\n", b"\xff\xfee\x00", b'workflow: "\\ud800"\n', b'notify: {command: "a\\0b\\ud800\\x1f"}\n',
)  # fmt: skip
_KEYS = (
    *(key for key, _ in _GOOD),
    "gates",
    "assess",
    "x",
    "models.x",
    "gates.test",
    "",
    "learning",
    "<<",
    "é",
)


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
    st.sampled_from(_GOOD) | st.tuples(st.sampled_from(_KEYS), st.sampled_from(ODD) | json_values),
    max_size=5,
)
structured = st.tuples(_pairs, st.lists(spoils, max_size=2)).map(
    lambda pair: _yaml(spoilt(_nested(pair[0]), pair[1]))
)
files = st.tuples(
    st.one_of(structured, st.sampled_from(_TEXTS), st.binary(max_size=60), texts.map(lambda text: text.encode("utf-8", "replace"))),
    st.lists(breaks, max_size=2),
).map(lambda pair: broken(*pair))  # fmt: skip
_VALUES = st.sampled_from(
    (
        "",
        "1",
        "0",
        "true",
        "off",
        "warn",
        "auto",
        "a/b,c/d",
        "tests=warn,ci=off",
        "tests=",
        "=",
        "9" * 400,
        "\udcff",
        "x\ty",
        "é",
        "never",
    )
)
variables = st.dictionaries(
    st.sampled_from((*(f"ACE_REFLECT_{key.replace('.', '_').upper()}" for key in known_keys()), "ACE_REFLECT_GATES", "ACE_REFLECT_X", "ACE_REFLECT_")),
    _VALUES,
    max_size=3,
)  # fmt: skip


def written(tmp_path: Path, project: bytes | None, user: bytes | None) -> tuple[str, str]:
    for folder, data in ((tmp_path / "project" / ".claude", project), (tmp_path / "home", user)):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "reflection.yaml").unlink(missing_ok=True)
        if data is not None:
            (folder / "reflection.yaml").write_bytes(data)
    return str(tmp_path / "project"), str(tmp_path / "home")


def sound(settings: Settings) -> None:
    assert parse(dump(settings)) == settings
    assert 1 <= settings.max_attempts <= 7
    assert 0 <= settings.injection_max_chars <= 9_900
    assert settings.assess_daily_tokens >= 0
    assert {settings.gate_mode(gate) for gate in GATES} <= {"off", "warn", "block"}


@fuzzed(
    "configurations",
    short=100,
    long=7_000,
    project=st.none() | files,
    user=st.none() | files,
    environ=variables,
)
def test_a_configuration_is_read_whole_or_refused_with_its_place(
    project: bytes | None, user: bytes | None, environ: dict[str, str], tmp_path: Path
) -> None:
    places = written(tmp_path, project, user)
    try:
        found = load(*places, environ)
    except ConfigError as refused:
        said = str(refused)
        assert any(name in said for name in ("reflection.yaml", *environ)), said
        assert len(said) < 3 * MAX_BYTES
    else:
        sound(found.settings)
        assert set(found.sources) >= set(known_keys())
        from_project = {
            key for key, source in found.sources.items() if source.startswith("project")
        }
        assert all(
            any(key == free or key.startswith(free + ".") for free in FREE_KEYS)
            for key in from_project
        )
        for pattern in found.redaction_patterns:
            pattern.pattern.encode("utf-8", "surrogatepass")
    sound(load_usable(*places, environ).settings)


@fuzzed(
    "compiled settings",
    short=20,
    long=1_500,
    project=st.none() | files,
    user=st.none() | files,
    environ=variables,
)
def test_hooks_get_the_same_settings_compiled_as_read(
    project: bytes | None, user: bytes | None, environ: dict[str, str], tmp_path: Path
) -> None:
    places = written(tmp_path, project, user)
    with open_state(str(tmp_path / "home")) as state:
        first = for_hooks(*places, environ, state)
        again = for_hooks(*places, environ, state)

    assert first == again == load_usable(*places, environ).settings


# ------------------------------------------------------------------ settings.json

OURS = {
    assess: entries("/opt/py thon/bin/python", "/opt/ace reflect/hooks", assess=assess)
    for assess in (False, True)
}
_COMMANDS = (
    {"type": "command", "command": "say done"},
    {"type": "command", "command": "x", "args": ["ace-reflect", "y"]},
    {"args": "ace-reflect"},
    "x",
    None,
)
_entry = st.one_of(
    st.fixed_dictionaries(
        {"hooks": st.lists(st.sampled_from(_COMMANDS), max_size=3)}, optional={"matcher": texts}
    ),
    json_values,
)
_hooks = st.dictionaries(
    st.sampled_from(("Stop", "SessionEnd", "PreToolUse", "é")),
    st.lists(_entry, min_size=1, max_size=3) | json_values,
    max_size=4,
)
_data = st.fixed_dictionaries(
    {}, optional={"hooks": _hooks, "model": texts, "permissions": json_values, "env": json_values}
)
_styles = st.sampled_from(
    ({"indent": 2}, {"indent": 4}, {"indent": "\t"}, {}, {"indent": 0}, {"separators": (",", ":")})
)


def _without_nan(value: Any) -> Any:
    """What JSON can hold and compare."""
    return json.loads(json.dumps(value, allow_nan=True), parse_constant=lambda _: 0)


def _can_be_merged(data: Any) -> bool:
    return all(isinstance(data.get("hooks", {}).get(event, []), list) for event in OURS[True])


def _without_empty(data: Any) -> Any:
    """Without lists of no hooks: they say nothing, and go with ours."""
    hooks = {
        event: value
        for event, value in data.get("hooks", {}).items()
        if value != [] or event not in OURS[True]
    }
    return {
        **{key: value for key, value in data.items() if key != "hooks"},
        **({"hooks": hooks} if hooks else {}),
    }


@fuzzed("settings files", short=100, long=7_000, data=_data, style=_styles, newline=st.sampled_from(("", "\n", "\r\n")), mark=st.booleans(), assess=st.booleans(),
        ascii_only=st.booleans(), edit=st.booleans())  # fmt: skip
def test_what_was_in_the_settings_comes_back(
    *,
    data: Any,
    style: Any,
    newline: str,
    mark: bool,
    assess: bool,
    ascii_only: bool,
    edit: bool,
    tmp_path: Path,
) -> None:
    """In and out again: byte for byte where nobody touched it in between, else with every value that was there."""
    data = _without_nan(data)
    path = tmp_path / "settings.json"
    try:
        raw = (b"\xef\xbb\xbf" if mark else b"") + (
            json.dumps(data, ensure_ascii=ascii_only, **style) + newline
        ).encode()
    except UnicodeEncodeError:
        raw = json.dumps(data, **style).encode()
    path.write_bytes(raw)
    Path(str(path) + ".before-ace-reflect").unlink(missing_ok=True)

    before = read_settings(str(path)) if isinstance(data.get("hooks", {}), dict) else None
    if before is None or not _can_be_merged(data):
        with pytest.raises(ConfigError):
            with_ours(read_settings(str(path)).data, OURS[assess])
        return
    merged = with_ours(before.data, OURS[assess])
    assert with_ours(merged, OURS[assess]) == merged
    assert registered(merged) == OURS[assess]
    write_settings(before, merged)

    now = read_settings(str(path))
    assert now.data == merged
    if edit:
        write_settings(now, {**now.data, "added": 1}, keep_copy=False)
        now = read_settings(str(path))
    rest = without_ours(now.data)
    if not restore_if_same(now, rest):
        write_settings(now, rest, keep_copy=False)
        remove_copy(now)
    if not edit:
        assert path.read_bytes() == raw
    came_back = read_settings(str(path)).data
    came_back.pop("added", None)
    assert _without_empty(came_back) == _without_empty(data)
    assert os.listdir(tmp_path) == ["settings.json"]


@fuzzed(
    "settings files of any bytes",
    short=60,
    long=4_000,
    data=_data,
    damage=st.lists(breaks, max_size=3),
    raw=st.binary(max_size=40),
    which=st.integers(0, 3),
)
def test_a_settings_file_that_cannot_be_read_is_refused_and_left_alone(
    data: Any, damage: list[Any], raw: bytes, which: int, tmp_path: Path
) -> None:
    path = tmp_path / "settings.json"
    content = raw if which == 0 else broken(json.dumps(data, indent=2).encode(), damage)
    path.write_bytes(content)
    try:
        found = read_settings(str(path))
    except ConfigError as refused:
        said = str(refused)
        assert str(path) in said
        assert path.read_bytes() == content
        return
    if _can_be_merged(found.data):
        merged = with_ours(found.data, OURS[True])
        json.loads(render(merged, found.text))
        assert json.dumps(_without_empty(without_ours(merged))) == json.dumps(
            _without_empty(without_ours(found.data))
        )
