"""One `reflection.yaml` as its settings, each with its line. Raises ConfigError naming the file, the line and the way out."""

import errno
import hashlib
import os
import stat
from typing import Any

import yaml

from ace_reflect.config_form import kind_of, nearest
from ace_reflect.errors import ConfigError

MAX_BYTES = 64_000
LARGEST = 10**15  # a number beyond it means nothing here
_DEEPEST = 20  # brackets in brackets; PyYAML takes a time that grows with the square of it


def settings_in(path: str, *, passing_over: bool = False) -> list[tuple[str, Any, int]]:
    """
    (dotted key, value, 1-based line) of every setting in the file; none where there is no file. Raises ConfigError.

    `passing_over`: a setting that cannot be read is left out instead, and so is a file that cannot.
    """
    try:
        document = _compose(path)
        return [] if document is None else _leaves(document, path, passing_over=passing_over)
    except ConfigError:
        if passing_over:
            return []
        raise


def content_hash(path: str) -> str | None:
    """SHA-256 of a file's bytes, or None where it cannot be read."""
    try:
        raw = read_file(path)
    except OSError:
        return None
    return None if raw is None else hashlib.sha256(raw).hexdigest()


def read_file(path: str) -> bytes | None:
    """
    The bytes of a configuration file, at most one more than it may have; None where there is none. Raises OSError.

    A checkout may be anybody's: what is a pipe or a device there would hold a hook for ever.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file", path)
        return file.read(MAX_BYTES + 1)


def _compose(path: str) -> yaml.Node | None:
    try:
        raw = read_file(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(
            f"{path}: cannot be read ({reason}); mend its permissions or remove it"
        ) from None
    if raw is None:
        return None
    if len(raw) > MAX_BYTES:
        raise ConfigError(
            f"{path}: is larger than {MAX_BYTES} bytes and was not read; a reflection.yaml is a few lines"
        )
    try:
        text = raw.decode("utf-8-sig")
        if _depth(text) > _DEEPEST:
            raise ConfigError(f"{path}: is nested too deeply to be a reflection.yaml")
        # Composing first gives every key its line; aliases are refused, for ten of them can make a billion values.
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            if isinstance(token, yaml.AliasToken):
                line = token.start_mark.line + 1
                raise ConfigError(
                    f"{path}:{line}: YAML aliases (*name) are not used here; write the value out"
                )
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not UTF-8 text; save it as UTF-8 or remove it") from None
    except RecursionError:
        raise ConfigError(f"{path}: is nested too deeply to be a reflection.yaml") from None
    except (ValueError, OverflowError):  # what the library says of `"\UFFFFFFFF"`
        line = text.count("\n", 0, text.find("\\U")) + 1
        raise ConfigError(
            f"{path}:{line}: a \\U escape names no character; mend the line"
        ) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark else path
        raise ConfigError(
            f"{where}: is not valid YAML: {getattr(error, 'problem', error)}; mend the line or remove the file"
        ) from None


def _depth(text: str) -> int:
    """How many brackets stand open at once, at most."""
    deepest = depth = 0
    for letter in text:
        if letter in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif letter in "]}":
            depth = max(depth - 1, 0)
    return deepest


def _leaves(
    node: yaml.Node, path: str, prefix: str = "", *, passing_over: bool
) -> list[tuple[str, Any, int]]:
    """(dotted key, value, 1-based line) of every setting in the file."""
    if isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null" and not prefix:
        return []
    if not isinstance(node, yaml.MappingNode):
        raise ConfigError(
            f"{path}:{node.start_mark.line + 1}: {prefix.rstrip('.') or 'the file'} must be a table of `key: value` lines"
        )
    found: list[tuple[str, Any, int]] = []
    for key_node, value_node in node.value:
        try:
            found += _setting(key_node, value_node, path, prefix, passing_over=passing_over)
        except ConfigError:
            if not passing_over:
                raise
    return found


def _setting(
    key_node: yaml.Node, value_node: yaml.Node, path: str, prefix: str, *, passing_over: bool
) -> list[tuple[str, Any, int]]:
    """What one `key: value` sets: itself, or all that stands in its section."""
    key = prefix + str(key_node.value)
    line = key_node.start_mark.line + 1
    kind = kind_of(key)
    if kind == "unknown":
        raise ConfigError(f"{path}:{line}: unknown key `{key}`{nearest(key)}")
    if kind != "section":
        return [(key, _construct(value_node, f"{path}:{line}: {key}"), line)]
    if isinstance(value_node, yaml.MappingNode):
        return _leaves(value_node, path, key + ".", passing_over=passing_over)
    if value_node.tag != "tag:yaml.org,2002:null":
        raise ConfigError(f"{path}:{line}: {key} must be a table of `key: value` lines")
    return []


def _construct(node: yaml.Node, where: str) -> Any:
    try:
        value = yaml.SafeLoader("").construct_object(node, deep=True)
    except (
        yaml.YAMLError,
        ValueError,
        OverflowError,
        RecursionError,
        AttributeError,
        TypeError,
    ) as error:
        raise ConfigError(
            f"{where}: has a value that cannot be used ({getattr(error, 'problem', error)})"
        ) from None
    if isinstance(value, int) and abs(value) > LARGEST:
        raise ConfigError(f"{where}: is a number that is too large to mean anything here")
    return value
