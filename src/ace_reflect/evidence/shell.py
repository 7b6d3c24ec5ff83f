"""
What a command line runs: every simple command in it, where it runs, and whether the line's status is its own.

`split` reads the line as bash would (`shell_parse`), follows `cd`, variables and functions of the same line, and looks
into what is itself a command line: `bash -lc '…'`, `eval`, `$(…)`, `ssh host '…'`, `find -exec` (`wrappers`).
"""

from posixpath import isabs, join, normpath

from ace_reflect.evidence import shell_status as status
from ace_reflect.evidence.patterns import matcher, replacer
from ace_reflect.evidence.shell_parse import (
    AndOrNode,
    CompoundNode,
    ListNode,
    PipelineNode,
    Redirect,
    SimpleNode,
    Word,
    parse,
)
from ace_reflect.evidence.shell_words import MAX_DEPTH
from ace_reflect.evidence.wrappers import Unwrapped, unwrap
from ace_reflect.values import Value
TYPE_CHECKING = False

if TYPE_CHECKING:
    import re

#: `bash -c '…'` and the like that are looked into.
_MAX_SCRIPTS = 60
_MAX_SCRIPT_DEPTH = 6
#: A variable's value or a path that is longer is not followed.
_MAX_VALUE = 4000
#: Values of a loop's variable that are remembered.
_MAX_VALUES = 50
#: Calls of the line's own functions that are followed.
_MAX_CALLS = 24
_fill = replacer(r"\$(?:\{(\w+)\}|(\w+))")
_WINDOWS_ABSOLUTE = matcher(r"[A-Za-z]:[\\/]")
_HOME = matcher(r"(?:/home|/Users|/c/Users|[A-Za-z]:[\\/]Users)[\\/][^\\/]+|/root")


class SimpleCommand(Value):
    """
    One command that a line runs.

    `status_visible`: the line exits 0 only if this command, where it ran, did; and if it fails, so does the line.
    `masked` says what stands against that: "| tail -5", "|| true", "; echo done", "&", "!", "$(…)", "for".
    `conditional`: "&&" if it runs only when what stands before it went well, and the line fails otherwise; "||" if the
    line may exit 0 without it having run: behind `||`, in a branch of `if` or `case`, in a loop over nothing.
    """

    argv: tuple[str, ...]  # without quotes; variables the line itself sets are filled in, others stay as text
    assignments: tuple[tuple[str, str], ...] = ()
    redirects: tuple[tuple[str, str], ...] = ()  # ("2>&", "1"), (">", "out.txt")
    text: str = ""
    cwd: str | None = None  # None: not known
    status_visible: bool = True
    masked: str = ""
    conditional: str = ""
    after_failure_hidden: bool = False  # something that ran before it in the line may have failed unseen
    background: bool = False
    in_loop: bool = False
    piped_from: bool = False
    piped_to: bool = False
    captured: bool = False  # its output goes into a variable or an argument
    heredoc: str | None = None  # the here-document or here-string it reads
    depth: int = 0  # of subshells and substitutions around it
    unwrapped: tuple[str, ...] = ()  # argv seen through `timeout 60`, `env`, `uv run`, `npx` …
    via: tuple[str, ...] = ()  # what it was seen through, outermost first
    remote: bool = False  # on another machine or in a container
    echoed_status: str = ""  # what prints its status: "EXIT: $?"
    echo_passed: str = ""  # what is printed if it passed: `&& echo OK`
    echo_failed: str = ""
    loops: tuple[tuple[str, tuple[str, ...]], ...] = ()  # variables of the loops around it; no values: not known


class _Shell:
    """What a shell remembers from one command to the next."""

    __slots__ = (
        "cwd",
        "errexit",
        "functions",
        "home",
        "left",
        "pipefail",
        "previous",
        "returned",
        "stack",
        "variables",
    )

    def __init__(self, cwd: str | None) -> None:
        self.cwd = cwd
        self.previous: str | None = None
        self.home = _home_of(cwd)
        self.pipefail = False
        self.errexit = False
        self.left = self.returned = False  # an `exit` or `return` without failure may have ended it
        self.variables: dict[str, str] = {}
        self.functions: dict[str, tuple[CompoundNode, str]] = {}
        self.stack: tuple[str | None, ...] = ()

    def copy(self) -> "_Shell":
        other = _Shell.__new__(_Shell)
        other.cwd, other.previous, other.home = self.cwd, self.previous, self.home
        other.pipefail, other.errexit = self.pipefail, self.errexit
        other.left, other.returned = self.left, self.returned
        other.variables, other.functions = dict(self.variables), dict(self.functions)
        other.stack = self.stack
        return other

    def options(self) -> tuple[bool, bool]:
        return self.errexit, self.pipefail

    def only_options(self, sure: tuple[bool, bool]) -> None:
        """Forget what was switched on by a command that may not have run."""
        self.errexit = self.errexit and sure[0]
        self.pipefail = self.pipefail and sure[1]

    def for_substitution(self) -> "_Shell":
        """bash switches errexit off in `$(…)` (Bash manual, "Command Execution Environment")."""
        other = self.copy()
        other.errexit = False
        return other


class _Context:
    """Where in the line a command stands."""

    def __init__(self) -> None:
        self.mask = ""  # what hides the status of a command that stands here
        self.shell_mask = ""  # what hides the status of the shell, were it to end here
        self.return_mask = ""  # what hides that of the function
        self.first_shown = False  # the status of a pipe's first command is handed on
        self.conditional = ""
        self.echoed_status = self.echo_passed = self.echo_failed = ""
        self.background = self.in_loop = self.piped_from = self.piped_to = False
        self.captured = self.remote = self.errexit_ignored = self.after_failure_hidden = False
        self.depth = 0  # of subshells
        self.nesting = 0  # of everything that can be nested
        self.scripts = 0  # of scripts in scripts
        self.via: tuple[str, ...] = ()
        self.loops: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def but(self, **changes: object) -> "_Context":
        other = _Context.__new__(_Context)
        other.__dict__.update(self.__dict__)
        other.__dict__.update(changes)
        return other

    def mask_of(self, end: str) -> str:
        """What hides a status that ends the shell ("exit"), the function ("return"), or becomes the list's ("value")."""
        return self.shell_mask if end == "exit" else self.return_mask if end == "return" else self.mask

    def describe(self, fields: "dict[str, object]") -> None:
        """Add to a command's fields what differs from the defaults."""
        if self.mask:
            fields["status_visible"] = False
            fields["masked"] = self.mask
        for name in _FACTS:
            value = getattr(self, name)
            if value:
                fields[name] = value


#: What a context and a `SimpleCommand` both have, empty or false by default.
_FACTS = (
    "after_failure_hidden",
    "background",
    "captured",
    "conditional",
    "depth",
    "echo_failed",
    "echo_passed",
    "echoed_status",
    "in_loop",
    "loops",
    "piped_from",
    "piped_to",
    "remote",
    "via",
)


class _Walker:
    """Walks one tree and the trees inside it, in the order in which the commands run."""

    def __init__(self, *, look_inside: bool) -> None:
        self.look_inside = look_inside
        self.found: list[SimpleCommand] = []
        self.scripts = 0
        self.calls = 0

    # lists

    def visit_list(self, node: ListNode, ctx: _Context, shell: _Shell, source: str) -> None:
        items = node.items
        if len(items) == 1 and not items[0].background:
            self._and_or(items[0], ctx, ctx, shell, source)
            return
        own, piped = status.handed_on(node) if "$" in source or "exit" in source or "return" in source else ((), ())
        waits = max((i for i, item in enumerate(items) if status.words_of(item)[:1] == ("wait",)), default=-1)
        hidden = ctx.after_failure_hidden
        for index, item in enumerate(items):
            here = ctx.but(after_failure_hidden=hidden)
            if item.background:
                self._in_background(item, here, shell.copy(), source, awaited=waits > index)
            elif index == len(items) - 1:
                self._and_or(item, here, here, shell, source)
            else:
                loose = self._followed(node, index, here, own[index] if own else "", source)
                loose.first_shown = bool(piped) and bool(piped[index])
                strict = shell.errexit and not ctx.errexit_ignored
                last = here.but(mask=ctx.shell_mask) if strict else loose
                self._and_or(item, last, loose, shell, source)
                hidden = hidden or bool(last.mask)

    def _in_background(self, item: AndOrNode, ctx: _Context, shell: _Shell, source: str, *, awaited: bool) -> None:
        mask = "& … wait" if awaited else "&"
        ctx = ctx.but(mask=mask, shell_mask=mask, return_mask=mask, background=ctx.background or not awaited)
        self._and_or(item, ctx, ctx, shell, source)

    def _followed(self, node: ListNode, index: int, ctx: _Context, handed: str, source: str) -> _Context:
        """The context of an item whose status is overwritten by what follows, unless that hands it on."""
        if handed:
            return ctx.but(mask=ctx.mask_of(handed))
        item = node.items[index]
        pipe = len(item.pipelines) == 1 and len(item.pipelines[0].commands) > 1
        return ctx.but(
            mask="; " + status.excerpt(source, node.items[index + 1].start, node.end),
            echoed_status=status.echoed_status(node, index, piped=pipe) if "$" in source else "",
        )

    def _and_or(self, node: AndOrNode, last: _Context, rest: _Context, shell: _Shell, source: str) -> None:
        count = len(node.pipelines)
        if count == 1:
            self._pipeline(node.pipelines[0], last, shell, source)
            return
        fallback = -1  # the first pipeline after this one that follows `||`
        after: list[int] = [-1] * count
        for index in range(count - 2, -1, -1):
            fallback = index + 1 if node.ops[index] == "||" else fallback
            after[index] = fallback
        sure = shell.options()
        skipped_unseen = False
        for index, pipeline in enumerate(node.pipelines):
            ctx = last if index == count - 1 else rest
            ctx = self._before_fallback(node, after[index], ctx, source) if after[index] >= 0 else ctx.but()
            if index and ctx.conditional != "||":
                ctx.conditional = "||" if skipped_unseen or node.ops[index - 1] == "||" else "&&"
            if index < count - 1:
                ctx.errexit_ignored = True
                if node.ops[index] == "&&":
                    ctx.echo_passed = status.said(node.pipelines[index + 1])
            self._pipeline(pipeline, ctx, shell, source)
            skipped_unseen = (
                skipped_unseen or bool(ctx.mask) or pipeline.negated or node.ops[index : index + 1] == ["||"]
            )
            sure = shell.options() if index == 0 else sure
        shell.only_options(sure)

    def _before_fallback(self, node: AndOrNode, fallback: int, ctx: _Context, source: str) -> _Context:
        pipeline = node.pipelines[fallback]
        verdict = status.always_fails(pipeline)
        ctx = ctx.but(echo_failed=status.said(pipeline))
        if verdict in ("exit", "return"):
            ctx.mask = ctx.mask_of(verdict)
        elif not verdict:
            ctx.mask = "|| " + status.excerpt(source, pipeline.start, node.end)
        return ctx

    def _pipeline(self, node: PipelineNode, ctx: _Context, shell: _Shell, source: str) -> None:
        first_shown = ctx.first_shown
        if first_shown:
            ctx = ctx.but(first_shown=False)
        if node.negated:
            ctx = ctx.but(mask=ctx.mask or "!", errexit_ignored=True)
        if len(node.commands) == 1:
            self._command(node.commands[0], ctx, shell, source)
            return
        last = len(node.commands) - 1
        for index, command in enumerate(node.commands):
            inner = ctx.but(piped_from=index > 0 or ctx.piped_from, piped_to=index < last or ctx.piped_to)
            if index > 0:
                inner.echoed_status = ""
            if index == 0 and first_shown:
                inner.mask = ctx.mask_of("exit")
            elif index < last and not shell.pipefail:
                inner.mask = "| " + status.excerpt(source, node.commands[index + 1].start, node.end)
            inner.shell_mask = inner.return_mask = inner.mask  # each is a shell of its own
            self._command(command, inner, shell.copy(), source)

    # commands

    def _command(self, node: "SimpleNode | CompoundNode", ctx: _Context, shell: _Shell, source: str) -> None:
        if isinstance(node, SimpleNode):
            self._simple(node, ctx, shell, source)
            return
        for word in node.words:
            self._substitutions(word.subs, ctx, shell, "$(…)")
        if node.form == "function":
            shell.functions[node.name] = (node, source)
            return
        self._parts(node, ctx, shell, source)
        self._redirected(node, ctx, shell, source)

    def _parts(self, node: CompoundNode, ctx: _Context, shell: _Shell, source: str) -> None:
        ctx = ctx.but(nesting=ctx.nesting + 1)
        sure = shell.options()
        self._part(node, ctx, shell, source)
        if node.form != "group":
            shell.only_options(sure)

    def _part(self, node: CompoundNode, ctx: _Context, shell: _Shell, source: str) -> None:
        if node.form == "if":
            self._if(node, ctx, shell, source)
        elif node.form in ("for", "while"):
            self._loop(node, ctx, shell, source)
        elif node.form == "subshell":
            inner = ctx.but(shell_mask=ctx.mask, return_mask=ctx.mask, depth=ctx.depth + 1)
            self.visit_list(node.parts[0], inner, shell.copy(), source)
        elif node.form == "coproc":
            inner = ctx.but(mask="coproc", shell_mask="coproc", return_mask="coproc", background=True)
            self.visit_list(node.parts[0], inner, shell.copy(), source)
        else:
            if node.form == "case":
                ctx = ctx.but(conditional="||")
            for part in node.parts:
                self.visit_list(part, ctx, shell, source)

    def _if(self, node: CompoundNode, ctx: _Context, shell: _Shell, source: str) -> None:
        lone_else = node.parts[-1] if len(node.parts) % 2 else None
        pairs = len(node.parts) // 2
        body_ctx = ctx.but(conditional="||", echoed_status="")
        for index in range(pairs):
            condition, body = node.parts[2 * index], node.parts[2 * index + 1]
            negated = len(condition.items) == 1 and condition.items[0].pipelines[-1].negated
            otherwise = body if negated else (lone_else if index == pairs - 1 else None)
            self._condition(condition, ctx, shell, source, negated=negated, body=body, otherwise=otherwise)
            self.visit_list(body, body_ctx, shell, source)
        if lone_else is not None:
            self.visit_list(lone_else, body_ctx, shell, source)

    def _condition(
        self,
        condition: ListNode,
        ctx: _Context,
        shell: _Shell,
        source: str,
        *,
        negated: bool,
        body: ListNode,
        otherwise: ListNode | None,
    ) -> None:
        """A condition's status shows only where its failure always ends the shell."""
        end = status.list_fails(otherwise) if otherwise is not None else ""
        shown = end in ("exit", "return")
        inner = ctx.but(mask=ctx.mask_of(end) if shown else "if", errexit_ignored=True)
        inner.echo_passed, inner.echo_failed = "" if negated else status.said(body), status.said(otherwise)
        if negated and shown and len(condition.items) == 1:
            for pipeline in condition.items[0].pipelines:
                for command in pipeline.commands:
                    self._command(command, inner, shell, source)
            return
        self.visit_list(condition, inner, shell, source)

    def _loop(self, node: CompoundNode, ctx: _Context, shell: _Shell, source: str) -> None:
        strict = shell.errexit and not ctx.errexit_ignored
        once = node.form == "for" and len(node.words) == 1 and node.words[0].literal
        inner = ctx.but(in_loop=True, mask=ctx.shell_mask if strict else ctx.mask if once else node.form)
        if node.form == "for" and node.name:
            shell.variables.pop(node.name, None)
            if once:
                shell.variables[node.name] = node.words[0].value
            values = (
                tuple(word.value for word in node.words[:_MAX_VALUES])
                if all(word.literal for word in node.words)
                else ()
            )
            inner.loops = (*ctx.loops, (node.name, values))
        if node.form == "while" or not all(word.literal for word in node.words):
            inner.conditional = "||"
        if node.form == "while" and node.parts:
            self.visit_list(node.parts[0], inner.but(mask="while", errexit_ignored=True), shell, source)
        for part in node.parts[1:] if node.form == "while" else node.parts:
            self.visit_list(part, inner, shell, source)

    def _redirected(self, node: CompoundNode, ctx: _Context, shell: _Shell, source: str) -> None:
        """What a whole group or loop writes to is written by nobody in particular: a command without words."""
        if not node.redirects:
            return
        for redirect in node.redirects:
            self._substitutions(redirect.subs, ctx, shell, "<(…)")
        if any(">" in redirect.op for redirect in node.redirects):
            bare = _bare(node)
            bare.redirects = node.redirects
            self._emit((), bare, ctx, shell, source)

    def _substitutions(self, subs: "tuple[object, ...]", ctx: _Context, shell: _Shell, mask: str) -> None:
        for sub in subs:
            inner = ctx.but(
                captured=True,
                depth=ctx.depth + 1,
                nesting=ctx.nesting + 1,
                echoed_status="",
                echo_passed="",
                echo_failed="",
            )
            inner.mask = inner.shell_mask = inner.return_mask = mask
            self.visit_list(sub.body, inner, shell.for_substitution(), sub.source)  # type: ignore[attr-defined]

    # simple commands

    def _simple(self, node: SimpleNode, ctx: _Context, shell: _Shell, source: str) -> None:
        bare = not node.words
        last_sub = None
        for _, word in node.assignments:
            if bare and word.subs:
                self._substitutions(word.subs[:-1], ctx, shell, "$(…)")
                last_sub = word.subs[-1]
                inner = ctx.but(
                    captured=True,
                    depth=ctx.depth + 1,
                    nesting=ctx.nesting + 1,
                    shell_mask=ctx.mask,
                    return_mask=ctx.mask,
                )
                self.visit_list(last_sub.body, inner, shell.for_substitution(), last_sub.source)
            else:
                self._substitutions(word.subs, ctx, shell, "$(…)")
        for word in node.words:
            if word.subs:
                self._substitutions(word.subs, ctx, shell, "$(…)")
        for redirect in node.redirects:
            if redirect.subs:
                self._substitutions(redirect.subs, ctx, shell, "$(…)")
        if bare:
            self._assign(node.assignments, shell)
            if not node.redirects:
                return
        self._run(self._argv(node.words, shell), node, ctx, shell, source)

    def _assign(self, assignments: list[tuple[str, Word]], shell: _Shell) -> None:
        for name, word in assignments:
            value = word.value if word.literal else _filled(word.value, shell)
            if (
                word.subs
                or len(value) > _MAX_VALUE
                or (not word.literal and "$" in value)
                or word.raw.startswith(f"{name}+=")
            ):
                shell.variables.pop(name, None)
            else:
                shell.variables[name] = value

    def _argv(self, words: list[Word], shell: _Shell) -> tuple[str, ...]:
        argv: list[str] = []
        for word in words:
            if word.literal or not self.look_inside or not (shell.variables or shell.cwd):
                argv.append(word.value)
            elif word.value == "$@" and "@" in shell.variables:
                argv.extend(shell.variables["@"].split("\0") if shell.variables["@"] else ())
            else:
                value = _filled(word.value, shell)
                argv.extend(value.split() if not word.quoted and value != word.value else (value,))
        return tuple(argv)

    def _run(self, argv: tuple[str, ...], node: SimpleNode, ctx: _Context, shell: _Shell, source: str) -> None:
        if argv and argv[0] in shell.functions and self.calls < _MAX_CALLS and ctx.nesting < MAX_DEPTH:
            self._call(argv, ctx, shell)
            return
        seen = (
            unwrap(argv, tuple(r.body for r in node.redirects if r.body is not None))
            if argv and self.look_inside
            else None
        )
        if seen is None:
            self._emit(argv, node, ctx, shell, source)
            _builtin(argv, shell)
            return
        inner = ctx.but(via=ctx.via + seen.via, remote=ctx.remote or seen.remote)
        inner.background = ctx.background or seen.background
        inner.mask = ctx.mask or seen.masked
        inner.in_loop = ctx.in_loop or seen.repeated
        if seen.argv:
            self._emit(argv, node, ctx if seen.extra else inner, shell, source, seen)
        inner.nesting += 1
        for argv_inside in seen.extra if inner.nesting < MAX_DEPTH else ():
            self._run(argv_inside, _bare(node), inner, shell.copy(), source)
        for script in seen.scripts:
            self._script(script, seen, inner, shell)
        shell.left = shell.left or argv[0] == "exec"  # nothing that stands behind it runs

    def _call(self, argv: tuple[str, ...], ctx: _Context, shell: _Shell) -> None:
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

    def _script(self, script: str, seen: Unwrapped, ctx: _Context, shell: _Shell) -> None:
        if self.scripts >= _MAX_SCRIPTS or ctx.scripts >= _MAX_SCRIPT_DEPTH or ctx.nesting >= MAX_DEPTH:
            return
        self.scripts += 1
        inside = shell if seen.same_shell else shell.copy()
        if not seen.same_shell:
            inside.errexit, inside.pipefail = seen.errexit, seen.pipefail
            inside.functions = {}
        if seen.cwd is not None or seen.elsewhere:
            inside.cwd = None if seen.elsewhere else _joined(inside.cwd, seen.cwd or "", inside)
        inner = ctx.but(
            shell_mask=ctx.mask,
            return_mask=ctx.mask,
            depth=ctx.depth + 1,
            nesting=ctx.nesting + 1,
            scripts=ctx.scripts + 1,
        )
        self.visit_list(parse(script, inner.nesting), inner, inside, script)

    def _emit(
        self,
        argv: tuple[str, ...],
        node: SimpleNode,
        ctx: _Context,
        shell: _Shell,
        source: str,
        seen: Unwrapped | None = None,
    ) -> None:
        cwd = shell.cwd
        if seen is not None and (seen.cwd is not None or seen.elsewhere):
            cwd = None if seen.elsewhere else _joined(cwd, seen.cwd or "", shell)
        command = SimpleCommand.__new__(SimpleCommand)
        fields = command.__dict__  # filled directly: checking twenty known names costs more than reading the command
        fields["argv"] = argv
        fields["text"] = source[node.start : node.end]
        fields["cwd"] = cwd
        fields["unwrapped"] = argv if seen is None else seen.argv
        if node.assignments:
            fields["assignments"] = tuple((name, word.value) for name, word in node.assignments)
        if node.redirects:
            fields["redirects"] = tuple((r.op, _target(r, shell)) for r in node.redirects)
            fields["heredoc"] = next((r.body for r in node.redirects if r.body is not None), None)
        ctx.describe(fields)
        if shell.left or shell.returned:
            fields["conditional"] = "||"
        self.found.append(command)


def _bare(node: "SimpleNode | CompoundNode") -> SimpleNode:
    bare = SimpleNode(node.start)
    bare.end = node.end
    return bare


def _target(redirect: Redirect, shell: _Shell) -> str:
    return redirect.target.value if redirect.target.literal else _filled(redirect.target.value, shell)


def _filled(value: str, shell: _Shell) -> str:
    """The text with the variables that the line has set itself."""
    if "$" not in value:
        return value
    if shell.cwd is not None and "$(pwd)" in value:
        value = value.replace("$(pwd)", shell.cwd)

    def known(match: "re.Match[str]") -> str:
        name = match[1] or match[2]
        if name == "PWD" and shell.cwd is not None:
            return shell.cwd
        if name == "HOME" and shell.home:
            return shell.home
        return shell.variables.get(name, match[0])

    return _fill(known, value)


def _home_of(cwd: str | None) -> str:
    match = _HOME(cwd) if cwd else None
    return match[0] if match else ""


def _joined(cwd: str | None, path: str, shell: _Shell) -> str | None:
    """Where `cd path` leads from `cwd`; None if that cannot be known."""
    if path == "~" or path.startswith("~/"):
        path = shell.home + path[1:] if shell.home else path
    if "$" in path or "`" in path or path.startswith("~") or len(path) + len(cwd or "") > _MAX_VALUE:
        return None
    if _WINDOWS_ABSOLUTE(path):
        return path.replace("\\", "/").rstrip("/")
    if isabs(path):
        return normpath(path)
    return normpath(join(cwd, path)) if cwd is not None else None


def _builtin(argv: tuple[str, ...], shell: _Shell) -> None:
    """What the shell's own commands change in the shell."""
    name = argv[0] if argv else ""
    if name in ("cd", "pushd", "chdir"):
        _change_directory(argv, shell)
    elif name == "popd" and shell.stack:
        shell.cwd, shell.stack = shell.stack[-1], shell.stack[:-1]
    elif name == "set":
        _set_options(argv[1:], shell)
    elif name in ("exit", "return"):
        fails = len(argv) == 2 and status.is_failure(argv[1])
        shell.returned = shell.returned or (name == "return" and not fails)
        shell.left = shell.left or (name != "return" and not fails)
    elif name in ("export", "declare", "local", "readonly", "typeset"):
        for word in argv[1:]:
            key, equals, value = word.partition("=")
            if equals and "$" not in value and "`" not in value:
                shell.variables[key] = value
            elif equals:
                shell.variables.pop(key, None)
    elif name in ("unset", "read"):
        for word in argv[1:]:
            shell.variables.pop(word, None)


def _change_directory(argv: tuple[str, ...], shell: _Shell) -> None:
    words = [word for word in argv[1:] if word == "-" or not word.startswith("-")]
    before = shell.cwd
    if argv[0] == "pushd":
        shell.stack = (*shell.stack, before)
    if not words:
        shell.cwd = shell.home or None
    elif words[0] == "-":
        shell.cwd = shell.previous
    else:
        shell.cwd = _joined(before, words[0], shell)
    shell.previous = before


def _set_options(words: tuple[str, ...], shell: _Shell) -> None:
    expects = ""
    for word in words:
        if expects:
            on = expects == "-"
            shell.pipefail = on if word == "pipefail" else shell.pipefail
            shell.errexit = on if word == "errexit" else shell.errexit
            expects = ""
        elif word == "--" or word[:1] not in "+-":
            return
        else:
            if "e" in word[1:]:
                shell.errexit = word[0] == "-"
            expects = word[0] if word.endswith("o") else ""


def split(command: str, cwd: str | None = None, *, look_inside: bool = True) -> tuple[SimpleCommand, ...]:
    """
    Every simple command that the line runs, in order.

    `cwd` is the folder the line starts in. Without `look_inside`, wrappers and the scripts they carry are left as they
    stand. Never raises; the time is linear in the length of the line.
    """
    walker = _Walker(look_inside=look_inside)
    walker.visit_list(parse(command), _Context(), _Shell(cwd), command)
    return tuple(walker.found)
