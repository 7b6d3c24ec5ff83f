"""
Whose exit status the line's own status is: small questions about a parsed list.

Source: Bash Reference Manual, "Pipelines", "Lists of Commands", "The Set Builtin" (errexit, pipefail).
"""

from ace_reflect import regex as re
from ace_reflect.evidence.shell_tree import AndOrNode, CompoundNode, ListNode, PipelineNode, SimpleNode
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_STATUS = Late(r"\$\?|\$\{\?\}", needs=("$?|${?}",)).search
_PIPE_STATUS = Late(r"\$\{?(?:PIPESTATUS|pipestatus)\b", needs=("PIPESTATUS|pipestatus",)).search
_variables = Late(r"\$\{?(\w+)").finditer
_LEAVES = frozenset({"exit", "return"})
_PID = ("$!", "${!}")
_TESTS = frozenset({"[", "test"})
_SAYS = frozenset({"echo", "printf", "print"})
#: How many of the following commands are looked at for an `echo $?`.
_NEAR = 4
_EXCERPT = 80


def excerpt(source: str, start: int, end: int) -> str:
    """A piece of a command for people: one line, cut where it is long."""
    flat = " ".join(source[start : min(end, start + 4 * _EXCERPT)].split())
    return flat if len(flat) <= _EXCERPT else flat[: _EXCERPT - 1] + "…"


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
    """
    "exit" or "return" for a pipeline that always leaves the shell or the function with a failure (`exit 1`), "false" for one
    that always fails but leaves nothing, "" for any other.
    """
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
    if len(words) == 2 and words[0] in _LEAVES and (is_failure(words[1]) or words[1] == "$?"):
        return words[0]
    return ""


def is_failure(code: str) -> bool:
    """Whether an exit code as typed is a number other than 0."""
    return code.isdigit() and code.strip("0") != ""


def list_fails(node: ListNode) -> str:
    """Like `always_fails`, for a list."""
    for item in node.items:
        words = words_of(item)
        if words and words[0] in _LEAVES:
            return words[0] if len(words) == 2 and is_failure(words[1]) else ""
    return _last_fails(node.items[-1]) if node.items else ""


def _last_fails(item: AndOrNode) -> str:
    """`cat log && exit 1` is "false": it fails in any case, but leaves only if `cat` went well."""
    verdict = always_fails(item.pipelines[-1])
    if len(item.pipelines) == 1:
        return verdict
    return "false" if verdict and all(op == "&&" for op in item.ops) else ""


def saved_status(item: AndOrNode) -> str:
    """The variable of an item that is only `name=$?` (or `name=${PIPESTATUS[0]}`)."""
    command = sole_command(item)
    if isinstance(command, SimpleNode) and not command.words and len(command.assignments) == 1:
        name, word = command.assignments[0]
        if _STATUS(word.value) or _PIPE_STATUS(word.value):
            return name
    return ""


def handed_on(node: ListNode) -> tuple[list[str], list[str]]:
    """
    What later items of a list do with the status of each item, so that it is not lost though others follow. Two words for
    each item: one for its own status, one for that of the first command in its pipe (`${PIPESTATUS[0]}`).

    "exit": the shell ends with it (`cmd; exit $?`, `cmd; rc=$?; …; exit $rc`); "return": the function does; "value": it
    becomes the list's status (`cmd; [ $? -eq 0 ]`); "": it is lost.
    """
    count = len(node.items)
    own, piped = [""] * count, [""] * count
    wanted: dict[str, str] = {}  # variable -> what a later item does with it
    for index in range(count - 1, -1, -1):
        item = node.items[index]
        kind, text = _end_by_status(item, last=index == count - 1)
        name = saved_status(item)
        if name:
            kind, text = wanted.pop(name, ""), _saved_value(item)
        elif kind:
            if sole_command(item) is not None and not _guarded(item)[0]:
                wanted.clear()  # nothing that stands behind an `exit` runs
            wanted.update((match[1], kind) for match in _variables(text))
        if kind and index:
            own[index - 1] = kind if _STATUS(text) or text == "exit" else ""
            piped[index - 1] = kind if _PIPE_STATUS(text) else ""
    return own, piped


def _end_by_status(item: AndOrNode, *, last: bool) -> tuple[str, str]:
    """
    Whether an item turns an earlier status into the end's, as (word of `handed_on`, the words in which it names the status:
    "$?", "$rc"). A bare `exit` takes the status of the command before it: its words are "exit".
    """
    words = words_of(item)
    if words and words[0] in _LEAVES:
        return words[0], " ".join(words[1:]) or "exit"
    if last and words and words[0] in _TESTS and _tests(words, zero=True):
        return "value", " ".join(words)
    if last and _exit_in_subshell(item):
        return "value", " ".join(_exit_in_subshell(item)[1:])
    return _guarded(item)


def _tests(words: tuple[str, ...], *, zero: bool) -> bool:
    """Whether a test asks for zero, or for something else than zero."""
    return "0" in words and bool({"-eq", "=", "=="} & set(words) if zero else {"-ne", "!=", "-gt"} & set(words))


def _exit_in_subshell(item: AndOrNode) -> tuple[str, ...]:
    """`(exit $rc)`"""
    command = sole_command(item)
    if not isinstance(command, CompoundNode) or command.form != "subshell" or len(command.parts[0].items) != 1:
        return ()
    words = words_of(command.parts[0].items[0])
    return words if words[:1] == ("exit",) else ()


def _guarded(item: AndOrNode) -> tuple[str, str]:
    """`if [ $rc -ne 0 ]; then exit 1; fi` and `[ $rc -eq 0 ] || exit 1`: how they leave, and the words of the test."""
    command = sole_command(item)
    words: tuple[str, ...] = ()
    verdict = ""
    if isinstance(command, CompoundNode) and command.form == "if" and len(command.parts) >= 2:
        words, verdict = _test_words(command.parts[0]), list_fails(command.parts[1])
        verdict = verdict if _tests(words, zero=False) else ""
    elif item.ops == ["||"]:
        words, verdict = _words_of_test(item.pipelines[0]), always_fails(item.pipelines[1])
        verdict = verdict if _tests(words, zero=True) else ""
    return (verdict, " ".join(words)) if verdict in _LEAVES else ("", "")


def _test_words(node: ListNode) -> tuple[str, ...]:
    return (
        _words_of_test(node.items[0].pipelines[0]) if len(node.items) == 1 and len(node.items[0].pipelines) == 1 else ()
    )


def _words_of_test(pipeline: PipelineNode) -> tuple[str, ...]:
    if len(pipeline.commands) != 1 or pipeline.negated:
        return ()
    return tuple(word.value for word in pipeline.commands[0].words)


def _saved_value(item: AndOrNode) -> str:
    command = sole_command(item)
    return command.assignments[0][1].value if isinstance(command, SimpleNode) else ""


def waited_for(node: ListNode) -> dict[int, int]:
    """
    The items of a list that run in the background and are waited for: by which item their status is told, or -1 if by none.

    `wait $pid` and `wait $!` end with the status of the one they name, a bare `wait` with 0.
    """
    found: dict[int, int] = {}
    pids: dict[str, int] = {}  # variable, or "!" for the last one's -> its item
    pending: list[int] = []
    for index, item in enumerate(node.items):
        if item.background:
            pids["!"] = index
            pending.append(index)
            continue
        command = item.pipelines[0].commands[0]
        if not isinstance(command, SimpleNode):
            for name in _changed_by(item):  # `$p` and `$!` name another job behind it
                pids.pop(name, None)
        if not pending or not isinstance(command, SimpleNode):
            continue
        words = [word.value for word in command.words]
        if words[:1] == ["wait"]:
            one = None if item.pipelines[0].negated else pids.get(words[-1].strip("${}"))
            if one is not None:
                found.setdefault(one, index)
            else:
                found = dict.fromkeys(pending, -1) | found
                pending = []
        elif not words:
            for name, word in command.assignments:
                pids.pop(name, None)
                if word.value in _PID and "!" in pids:
                    pids[name] = pids["!"]
    return found


def _changed_by(item: AndOrNode) -> set[str]:
    """The variables that an item may set in the shell it stands in; "!" where it starts a job of its own."""
    found: set[str] = set()
    for pipeline in item.pipelines:
        command = pipeline.commands[0]
        if len(pipeline.commands) > 1:
            continue  # each is a shell of its own
        if isinstance(command, SimpleNode):
            found |= set() if command.words else {name for name, _ in command.assignments}
        elif command.form not in ("subshell", "function", "coproc"):
            found.add(command.name)  # of a loop
            for inner in (inner for part in command.parts for inner in part.items):
                found |= {"!"} if inner.background else _changed_by(inner)
    return found


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
            if name and (said := _with_status(text, name)) != text:
                return said
        if not name:
            name = saved_status(item)
            if not name or not _saves(item, pattern):
                return ""
    return ""


def _with_status(text: str, name: str) -> str:
    """With `$?` in place of the variable that a line saved its status in."""
    import re  # the name is the session's own

    return re.sub(rf"\$\{{?{name}\b\}}?", "$?", text)


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
