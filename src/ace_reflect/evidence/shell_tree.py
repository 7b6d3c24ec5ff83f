"""The tree of a command line: lists of pipelines of commands. Positions count in the text that was parsed."""

from ace_reflect.evidence.shell_words import Word


class Redirect:
    """`op` with its file descriptor as typed ("2>", "<<-", "&>"), the target, and a here-document's or here-string's text."""

    __slots__ = ("body", "op", "subs", "target")

    def __init__(self, op: str, target: Word) -> None:
        self.op = op
        self.target = target
        self.body: str | None = None
        self.subs = target.subs


class SimpleNode:
    """Assignments, words and redirections."""

    __slots__ = ("assignments", "end", "redirects", "start", "words")

    def __init__(self, start: int) -> None:
        self.start = start
        self.end = start
        self.assignments: list[tuple[str, Word]] = []
        self.words: list[Word] = []
        self.redirects: list[Redirect] = []


class CompoundNode:
    """
    A command made of lists. `form` says which: subshell, group, if, for, while, case, function, test, arithmetic, coproc.

    `parts` are its lists in order: for `if` condition and body by turns, then a lone else; for `while` condition and body.
    """

    __slots__ = ("end", "form", "name", "parts", "redirects", "start", "words")

    def __init__(self, form: str, start: int) -> None:
        self.form = form
        self.start = start
        self.end = start
        self.name = ""
        self.parts: list[ListNode] = []
        self.words: list[Word] = []
        self.redirects: list[Redirect] = []


class PipelineNode:
    __slots__ = ("commands", "end", "negated", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.end = start
        self.negated = False
        self.commands: list[SimpleNode | CompoundNode] = []


class AndOrNode:
    """Pipelines joined by `&&` and `||`; `ops[i]` stands before `pipelines[i + 1]`. `background`: it ends in `&`."""

    __slots__ = ("background", "end", "ops", "pipelines", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.end = start
        self.background = False
        self.pipelines: list[PipelineNode] = []
        self.ops: list[str] = []


class ListNode:
    __slots__ = ("end", "items", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.end = start
        self.items: list[AndOrNode] = []


def alone(command: SimpleNode | CompoundNode) -> AndOrNode:
    """A list's item that is this command."""
    pipeline = PipelineNode(command.start)
    pipeline.commands = [command]
    node = AndOrNode(command.start)
    node.pipelines = [pipeline]
    pipeline.end = node.end = command.end
    return node
