"""JSON without `json`: the same values, the same text, and the same texts refused."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect import lean_json

SRC = str(Path(__file__).resolve().parents[1] / "src")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
WRONG = (
    "",
    " ",
    "{",
    "[1,",
    '"a',
    '{"a" 1}',
    "nul",
    "1 2",
    "{} x",
    "[1,]",
    '"\\x"',
    '"\n"',
    "\ufeff{}",
    "}",
    "[" * 20 + "x",
    "-",
    "tru",
)


@given(VALUES)
def test_values_come_back_and_are_written_as_json_writes_them(value: Any) -> None:
    assert lean_json.dumps(value) == json.dumps(value)
    assert lean_json.dumps(value, ensure_ascii=False) == json.dumps(value, ensure_ascii=False)
    assert lean_json.dumps(value, separators=(",", ":")) == json.dumps(value, separators=(",", ":"))
    assert lean_json.loads(json.dumps(value, indent=1)) == value
    assert lean_json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")) == value


@given(st.text(alphabet='{}[]",:\\u0 1eatrufslnN\n-.', max_size=24))
def test_what_json_refuses_is_refused(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError):  # noqa: PT011 - of any wording
            lean_json.loads(text)
    else:
        assert repr(lean_json.loads(text)) == repr(expected)


def test_what_is_no_json_at_all_is_an_error_where_json_was_never_loaded() -> None:
    """The interpreter's reader takes its own error from `json`, and has none where that is not there."""
    code = f"""
import sys; sys.path.insert(0, {SRC!r})
from ace_reflect.lean_json import dumps, loads, scan
for text in {WRONG!r}:
    try:
        loads(text)
    except ValueError:
        continue
    raise SystemExit("taken: " + text)
try:
    scan("[1", 0)
except ValueError:
    pass
try:
    loads("[" * 100_000)
except RecursionError:
    pass
try:
    dumps({{"a": object()}})
except TypeError:
    pass
assert loads('{{"a": [1, "\\u00e4"]}}') == {{"a": [1, "\\u00e4"]}}
assert dumps([1.5, "\\u00e4"]) == '[1.5, "\\\\u00e4"]'
assert "json" not in sys.modules and "re" not in sys.modules, "loaded"
"""
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("value", [object(), {1, 2}, b"bytes", {"a": [object()]}])
def test_what_is_no_json_is_not_written(value: Any) -> None:
    with pytest.raises(TypeError):
        lean_json.dumps(value)
    assert lean_json.dumps({"a": value}, default=lambda _: "x").startswith('{"a": ')
