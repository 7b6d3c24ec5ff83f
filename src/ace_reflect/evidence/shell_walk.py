"""
The simple commands of a line as they run: words filled in, functions called, wrappers and scripts looked into.

`shell` walks the lists and compounds around them.
"""

from ace_reflect.evidence.shell_context import Context, SimpleCommand
from ace_reflect.evidence.shell_parse import parse
from ace_reflect.evidence.shell_state import FOLDER_CHANGERS, MAX_VALUE, Shell, filled, joined, run_builtin
from ace_reflect.evidence.shell_tree import CompoundNode, ListNode, Redirect, SimpleNode
from ace_reflect.evidence.shell_words import MAX_DEPTH, Substitution, Word
from ace_reflect.evidence.wrappers import Unwrapped, unwrap

#: `bash -c '…'` and the like that are looked into.
_MAX_SCRIPTS = 60
_MAX_SCRIPT_DEPTH = 6
#: Calls of the line's own functions that are followed.
_MAX_CALLS = 24


class CommandWalker:
    """Runs the simple commands; the lists inside substitutions, functions and scripts are walked by `visit_list`."""

    def __init__(self, *, look_inside: bool) -> None:
        self.look_inside = look_inside
        self.found: list[SimpleCommand] = []
        self.scripts = 0
        self.calls = 0

    def visit_list(self, node: ListNode, ctx: Context, shell: Shell, source: str) -> None:
        """Walk a list's items in the order in which they run."""
        raise NotImplementedError

    def substitutions(self, subs: tuple[Substitution, ...], ctx: Context, shell: Shell, mask: str) -> None:
        for sub in subs:
            inner = ctx.own_shell(mask, captured=True, nesting=ctx.nesting + 1)
            inner.echoed_status = inner.echo_passed = inner.echo_failed = ""
            self.visit_list(sub.body, inner, shell.for_substitution(), sub.source)

    def simple(self, node: SimpleNode, ctx: Context, shell: Shell, source: str) -> None:
        bare = not node.words
        for _, word in node.assignments:
            if bare and word.subs:
                self.substitutions(word.subs[:-1], ctx, shell, "$(…)")
                last = word.subs[-1]  # its status is the assignment's
                inner = ctx.own_shell(ctx.mask, captured=True, nesting=ctx.nesting + 1)
                self.visit_list(last.body, inner, shell.for_substitution(), last.source)
            else:
                self.substitutions(word.subs, ctx, shell, "$(…)")
        for word in node.words:
            if word.subs:
                self.substitutions(word.subs, ctx, shell, "$(…)")
        for redirect in node.redirects:
            if redirect.subs:
                self.substitutions(redirect.subs, ctx, shell, "$(…)")
        if bare:
            self._assign(node.assignments, shell)
            if not node.redirects:
                return
        self._run(self._argv(node.words, shell), node, ctx, shell, source)

    def _assign(self, assignments: list[tuple[str, Word]], shell: Shell) -> None:
        for name, word in assignments:
            value = word.value if word.literal else filled(word.value, shell)
            if (
                word.subs
                or len(value) > MAX_VALUE
                or (not word.literal and "$" in value)
                or word.raw.startswith(f"{name}+=")
            ):
                shell.variables.pop(name, None)
            else:
                shell.variables[name] = value

    def _argv(self, words: list[Word], shell: Shell) -> tuple[str, ...]:
        argv: list[str] = []
        for word in words:
            if "\\" in word.raw and (not argv or argv[0] in FOLDER_CHANGERS) and _is_windows_path(word.raw):
                argv.append(word.raw.replace("\\", "/"))
            elif word.literal or not self.look_inside or not (shell.variables or shell.cwd):
                argv.append(word.value)
            elif word.value == "$@" and "@" in shell.variables:
                argv.extend(shell.variables["@"].split("\0") if shell.variables["@"] else ())
            else:
                value = filled(word.value, shell)
                argv.extend(value.split() if not word.quoted and value != word.value else (value,))
        return tuple(argv)

    def _run(self, argv: tuple[str, ...], node: SimpleNode, ctx: Context, shell: Shell, source: str) -> None:
        if argv and argv[0] in shell.functions and self.calls < _MAX_CALLS and ctx.nesting < MAX_DEPTH:
            self._call(argv, ctx, shell)
            return
        seen = (
            unwrap(argv, tuple(r.body for r in node.redirects if r.body is not None))
            if argv and self.look_inside
            else None
        )
        if seen is None:
            self.emit(argv, node, ctx, shell, source)
            run_builtin(argv, shell)
            return
        inner = ctx.but(via=ctx.via + seen.via, remote=ctx.remote or seen.remote)
        inner.background = ctx.background or seen.background
        inner.mask = ctx.mask or seen.masked
        inner.in_loop = ctx.in_loop or seen.repeated
        if seen.argv:
            self.emit(argv, node, ctx if seen.extra else inner, shell, source, seen)
        inner.nesting += 1
        for argv_inside in seen.extra if inner.nesting < MAX_DEPTH else ():
            inside = shell.copy()
            inside.cwd = None if seen.elsewhere else inside.cwd
            self._run(argv_inside, bare(node), inner, inside, source)
        for script in seen.scripts:
            self._script(script, seen, inner, shell)
        shell.left = shell.left or argv[0] == "exec"  # nothing that stands behind it runs

    def _call(self, argv: tuple[str, ...], ctx: Context, shell: Shell) -> None:
        self.calls += 1
        function, source = shell.functions.pop(argv[0])  # not inside itself
        outer = shell.variables
        shell.variables = dict(outer)
        shell.variables.update({str(number): value for number, value in enumerate(argv[1:], 1)})
        shell.variables["@"] = "\0".join(argv[1:])
        returned, shell.returned = shell.returned, False
        self.visit_list(function.parts[0], ctx.but(nesting=ctx.nesting + 1, return_mask=ctx.mask), shell, source)
        shell.returned = returned
        shell.variables = outer
        shell.functions[argv[0]] = (function, source)

    def _script(self, script: str, seen: Unwrapped, ctx: Context, shell: Shell) -> None:
        if self.scripts >= _MAX_SCRIPTS or ctx.scripts >= _MAX_SCRIPT_DEPTH or ctx.nesting >= MAX_DEPTH:
            return
        self.scripts += 1
        inside = shell if seen.same_shell else shell.copy()
        if not seen.same_shell:
            inside.errexit, inside.pipefail = seen.errexit, seen.pipefail
            inside.functions = {}
            inside.remote = ctx.remote
        if seen.cwd is not None or seen.elsewhere:
            inside.cwd = None if seen.elsewhere else joined(inside.cwd, seen.cwd or "", inside)
        inner = ctx.own_shell(ctx.mask, nesting=ctx.nesting + 1, scripts=ctx.scripts + 1)
        if seen.same_shell:
            inner.early_mask = ctx.early_mask
        self.visit_list(parse(script, inner.nesting), inner, inside, script)

    def emit(
        self,
        argv: tuple[str, ...],
        node: SimpleNode,
        ctx: Context,
        shell: Shell,
        source: str,
        seen: Unwrapped | None = None,
    ) -> None:
        cwd = shell.cwd
        if seen is not None and (seen.cwd is not None or seen.elsewhere):
            cwd = None if seen.elsewhere else joined(cwd, seen.cwd or "", shell)
        command = SimpleCommand.__new__(SimpleCommand)
        fields = command.__dict__  # filled directly: checking twenty known names costs more than reading the command
        fields["argv"] = argv
        fields["text"] = source[node.start : node.end]
        fields["cwd"] = cwd
        fields["unwrapped"] = argv if seen is None else seen.argv
        if node.redirects:
            fields["redirects"] = tuple((r.op, _target(r, shell)) for r in node.redirects)
            fields["heredoc"] = next((r.body for r in node.redirects if r.body is not None), None)
        ctx.describe(fields)
        if shell.abroad:
            fields["abroad"] = True
        if shell.left or shell.returned:
            fields["conditional"] = "||"
        self.found.append(command)


def _is_windows_path(raw: str) -> bool:
    r"""Whether a word without quotes is a path as PowerShell writes it, `.\gradlew.bat`, `src\app`: no `\rm`, no `a\ b`."""
    parts = raw.split("\\")
    return parts[0] != "" and all(
        part.replace(".", "a").replace("-", "a").replace("_", "a").isalnum() for part in parts[1:]
    )


def bare(node: "SimpleNode | CompoundNode") -> SimpleNode:
    """A command without words in the place of the node."""
    empty = SimpleNode(node.start)
    empty.end = node.end
    return empty


def _target(redirect: Redirect, shell: Shell) -> str:
    return redirect.target.value if redirect.target.literal else filled(redirect.target.value, shell)
