"""
Whose exit status the line's own status is: small questions about a parsed list.

Source: Bash Reference Manual, "Pipelines", "Lists of Commands", "The Set Builtin" (errexit, pipefail).
"""

import re

from ace_reflect.evidence.patterns import finder, searcher
from ace_reflect.evidence.shell_parse import AndOrNode, CompoundNode, ListNode, PipelineNode, SimpleNode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_STATUS = searcher(r"\$\?|\$\{\?\}")
_PIPE_STATUS = searcher(r"\$\{?(?:PIPESTATUS|pipestatus)\b")
_variables = finder(r"\$\{?(\w+)")
_LEAVES = frozenset({"exit", "return"})
_TESTS = frozenset({"[", "test"})
_SAYS = frozenset({"echo", "printf", "print"})
#: How many of the following commands are looked at for an `echo $?`.
_NEAR = 4


def excerpt(source: str, start: int, end: int, limit: int = 80) -> str:
    """A piece of a command for people: one line, at most `limit` characters."""
    flat = " ".join(source[start : min(end, start + 4 * limit)].split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def sole_command(item: AndOrNode) -> "SimpleNode | CompoundNode | None":
    """The command of a list item that is nothing but this command."""
    if len(item.pipelines) == 1 and len(item.pipelines[0].commands) == 1 and not item.pipelines[0].negated:
        return item.pipelines[0].commands[0]
    return None


def words_of(item: AndOrNode) -> tuple[str, ...]:
    """The words of a list item that is one simple command, else none."""
    command = sole_command(item)
    return tuple(word.value for word in command.words) if isinstance(command, SimpleNode) else ()


def always_fails(pipeline: PipelineNode) -> str:
    """ "exit" if the pipeline always ends the shell with a failure, "false" if it only always fails, else ""."""
    if len(pipeline.commands) != 1 or pipeline.negated:
        return ""
    command = pipeline.commands[0]
    if isinstance(command, SimpleNode):
        return _fails(tuple(word.value for word in command.words))
    if command.form in ("group", "subshell") and command.parts:
        verdict = list_fails(command.parts[0])
        return "false" if verdict and command.form == "subshell" else verdict
    return ""


def _fails(words: tuple[str, ...]) -> str:
    if words[:1] == ("false",):
        return "false"
    if len(words) == 2 and words[0] in _LEAVES and (_is_failure(words[1]) or words[1] == "$?"):
        return "exit"
    return ""


def _is_failure(code: str) -> bool:
    return code.isdigit() and code.strip("0") != ""


def list_fails(node: ListNode) -> str:
    """Like `always_fails`, for a list."""
    for item in node.items:
        words = words_of(item)
        if words and words[0] in _LEAVES and len(words) == 2 and _is_failure(words[1]):
            return "exit"
        if words and words[0] == "exit":
            return ""
    return always_fails(node.items[-1].pipelines[0]) if node.items and len(node.items[-1].pipelines) == 1 else ""


def saved_status(item: AndOrNode) -> str:
    """The variable of an item that is only `name=$?` (or `name=${PIPESTATUS[0]}`)."""
    command = sole_command(item)
    if isinstance(command, SimpleNode) and not command.words and len(command.assignments) == 1:
        name, word = command.assignments[0]
        if _STATUS(word.value) or _PIPE_STATUS(word.value):
            return name
    return ""


def exits_by_variable(node: ListNode) -> dict[str, int]:
    """For each variable, the last item that makes the shell's status of it: `exit $rc`, a last `[ $rc -eq 0 ]`."""
    found: dict[str, int] = {}
    last = len(node.items) - 1
    for index, item in enumerate(node.items):
        words = words_of(item) or _exit_in_subshell(item)
        decides = words and (words[0] in _LEAVES or (words[0] in _TESTS and index == last and _is_zero_test(words)))
        text = " ".join(words[1:]) if decides else _guarded_exit(item)
        for match in _variables(text):
            found[match[1]] = index
    return found


def _is_zero_test(words: tuple[str, ...]) -> bool:
    return ("-eq" in words or "=" in words or "==" in words) and "0" in words


def _exit_in_subshell(item: AndOrNode) -> tuple[str, ...]:
    command = sole_command(item)
    if isinstance(command, CompoundNode) and command.form == "subshell" and command.parts and command.parts[0].items:
        return words_of(command.parts[0].items[-1])
    return ()


def _guarded_exit(item: AndOrNode) -> str:
    """The test of `if [ $rc -ne 0 ]; then exit 1; fi` and `[ $rc -eq 0 ] || exit 1`."""
    command = sole_command(item)
    if isinstance(command, CompoundNode) and command.form == "if" and len(command.parts) >= 2:
        if list_fails(command.parts[1]) == "exit" and command.parts[0].items:
            return _test_text(command.parts[0].items[0].pipelines[0])
    if item.ops == ["||"] and always_fails(item.pipelines[1]) == "exit":
        return _test_text(item.pipelines[0])
    return ""


def _test_text(pipeline: PipelineNode) -> str:
    command = pipeline.commands[0]
    return " ".join(word.value for word in command.words)


def status_reused(node: ListNode, index: int, exits: dict[str, int], *, piped: bool = False) -> bool:
    """Whether what follows item `index` makes the line's status of that item's own (`piped`: of its pipe's first command)."""
    following = node.items[index + 1]
    name = saved_status(following)
    pattern = _PIPE_STATUS if piped else _STATUS
    if name:
        command = sole_command(following)
        value = command.assignments[0][1].value if isinstance(command, SimpleNode) else ""
        return exits.get(name, -1) > index + 1 and pattern(value) is not None
    words = words_of(following)
    if words and words[0] in _LEAVES:
        return bool(pattern(" ".join(words[1:]))) or (not piped and len(words) == 1)
    if words and words[0] in _TESTS and index + 2 == len(node.items) and _is_zero_test(words):
        return pattern(" ".join(words)) is not None
    return pattern(_guarded_exit(following)) is not None


def echoed_status(node: ListNode, index: int, *, piped: bool = False) -> str:
    """What a following `echo "EXIT: $?"` prints of item `index`'s status: its text with `$?` in place of the number."""
    pattern = _PIPE_STATUS if piped else _STATUS
    name = ""
    for item in node.items[index + 1 : index + 1 + _NEAR]:
        words = words_of(item)
        if words and words[0] in _SAYS:
            text = " ".join(words[1:])
            if not name and pattern(text):
                return re.sub(r"\$\{(?:PIPESTATUS|pipestatus)\[?[^}]*\}|\$pipestatus\[\d\]|\$\{\?\}", "$?", text)
            if name and re.search(rf"\$\{{?{name}\b", text):
                return re.sub(rf"\$\{{?{name}\b\}}?", "$?", text)
        if not name:
            name = saved_status(item)
            if not name or not _saves(item, pattern):
                return ""
    return ""


def _saves(item: AndOrNode, pattern: "Callable[..., object]") -> bool:
    command = sole_command(item)
    return isinstance(command, SimpleNode) and pattern(command.assignments[0][1].value) is not None


def said(node: "ListNode | PipelineNode | None") -> str:
    """The literal text that a branch's first command echoes: `&& echo OK`."""
    pipeline = node
    if isinstance(node, ListNode):
        pipeline = node.items[0].pipelines[0] if node.items else None
    if not isinstance(pipeline, PipelineNode) or len(pipeline.commands) != 1:
        return ""
    command = pipeline.commands[0]
    if isinstance(command, CompoundNode):
        return said(command.parts[0]) if command.form in ("group", "subshell") and command.parts else ""
    words = [word for word in command.words if word.literal]
    if not words or words[0].value not in _SAYS or len(words) != len(command.words):
        return ""
    return " ".join(word.value for word in words[1:] if word.value not in ("-e", "-n", "-en", "-ne"))
