"""
What a command line runs: every simple command in it, where it runs, and whether the line's status is its own.

`split` reads the line as bash would (`shell_parse`), follows `cd`, variables and functions of the same line, and looks
into what is itself a command line: `bash -lc '…'`, `eval`, `$(…)`, `ssh host '…'`, `find -exec` (`wrappers`).
"""

from ace_reflect.evidence import shell_status as status
from ace_reflect.evidence.shell_context import Context, SimpleCommand
from ace_reflect.evidence.shell_parse import parse
from ace_reflect.evidence.shell_state import Shell
from ace_reflect.evidence.shell_tree import AndOrNode, CompoundNode, ListNode, PipelineNode, SimpleNode
from ace_reflect.evidence.shell_walk import CommandWalker, bare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ace_reflect.evidence.shell_words import Word

__all__ = ["SimpleCommand", "split"]

#: Values of a loop's variable that are remembered.
_MAX_VALUES = 50


class _Walker(CommandWalker):
    """Walks lists, pipelines and compounds, and knows whose status shows."""

    def visit_list(self, node: ListNode, ctx: Context, shell: Shell, source: str) -> None:
        items = node.items
        if len(items) == 1 and not items[0].background:
            self._and_or(items[0], ctx, ctx.early(), shell, source)
            return
        own, piped = status.handed_on(node) if "$" in source or "exit" in source or "return" in source else ((), ())
        waits = status.waited_for(node) if any(item.background for item in items) else {}
        for index, item in enumerate(items):
            if not item.background:
                self._and_or(item, *self._contexts(node, index, ctx, own, piped, shell, source), shell, source)
                continue
            at = waits.get(index)
            if at is None:
                inner = ctx.own_shell("&", background=True)
            elif at < 0:
                inner = ctx.own_shell("& … wait")
            else:
                inner = self._awaited(items[at], *self._contexts(node, at, ctx, own, (), shell, source), source)
            if len(item.pipelines[-1].commands) > 1:
                inner.echoed_status = ""  # it is that of the pipe's last command
            inner.errexit_ignored = ctx.errexit_ignored
            self._and_or(item, inner, inner, shell.copy(), source)

    def _awaited(self, wait: AndOrNode, last: Context, loose: Context, source: str) -> Context:
        """The context of what stands in the background and has the status of `wait $!`, the first command of a list's item."""
        fallback = wait.ops.index("||") + 1 if "||" in wait.ops else -1
        ctx = self._joined(wait, 0, fallback, loose if wait.ops else last, source)
        return ctx.own_shell(ctx.mask)

    def _contexts(
        self,
        node: ListNode,
        index: int,
        ctx: Context,
        own: "Sequence[str]",
        piped: "Sequence[str]",
        shell: Shell,
        source: str,
    ) -> tuple[Context, Context]:
        """The contexts of the last pipeline of a list's item and of those before it."""
        if index == len(node.items) - 1:
            return ctx, ctx.early()
        loose = self._followed(node, index, ctx, own[index] if own else "", source, pipefail=shell.pipefail)
        loose.first_shown = bool(piped) and bool(piped[index])
        strict = shell.errexit and not ctx.errexit_ignored
        return ctx.but(mask=ctx.shell_mask, early_mask=loose.mask) if strict else loose, loose

    def _followed(
        self, node: ListNode, index: int, ctx: Context, handed: str, source: str, *, pipefail: bool
    ) -> Context:
        """The context of an item whose status is overwritten by what follows, unless that hands it on."""
        if handed:
            return ctx.but(mask=ctx.mask_of(handed))
        item = node.items[index]
        echoed = ""
        if "$" in source:
            pipe = len(item.pipelines[-1].commands) > 1
            if not pipe or set(item.ops) <= {"&&"}:
                echoed = status.echoed_status(node, index, piped=pipe)
            if pipe and pipefail:  # then `$?` is a pipe's as well
                echoed = echoed or status.echoed_status(node, index)
        return ctx.but(mask="; " + status.excerpt(source, node.items[index + 1].start, node.end), echoed_status=echoed)

    def _and_or(self, node: AndOrNode, last: Context, rest: Context, shell: Shell, source: str) -> None:
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
            ctx = self._joined(node, index, after[index], last if index == count - 1 else rest, source)
            if index and ctx.conditional != "||":
                ctx.conditional = "||" if skipped_unseen or node.ops[index - 1] == "||" else "&&"
            if index < count - 1 and len(pipeline.commands) > 1 and not shell.pipefail:
                ctx.echoed_status = ""  # what is printed after the list says nothing of a pipe's first command
            self._pipeline(pipeline, ctx, shell, source)
            skipped_unseen = (
                skipped_unseen or bool(ctx.mask) or pipeline.negated or node.ops[index : index + 1] == ["||"]
            )
            sure = shell.options() if index == 0 else sure
        shell.only_options(sure)

    def _joined(self, node: AndOrNode, index: int, fallback: int, ctx: Context, source: str) -> Context:
        """The context of a pipeline among those that `&&` and `||` join to it; the next `||` stands before `fallback`, if any."""
        ctx = self._before_fallback(node, fallback, ctx, source) if fallback >= 0 else ctx.but()
        if index < len(node.ops):
            ctx.errexit_ignored = True
            if node.ops[index] == "&&":
                ctx.echo_passed = status.said(node.pipelines[index + 1])
        return ctx

    def _before_fallback(self, node: AndOrNode, fallback: int, ctx: Context, source: str) -> Context:
        pipeline = node.pipelines[fallback]
        verdict = status.always_fails(pipeline)
        ctx = ctx.but(echo_failed=status.said(pipeline))
        if verdict in ("exit", "return"):
            ctx.mask = ctx.mask_of(verdict)
        elif not verdict:
            ctx.mask = "|| " + status.excerpt(source, pipeline.start, node.end)
        return ctx

    def _pipeline(self, node: PipelineNode, ctx: Context, shell: Shell, source: str) -> None:
        first_shown = ctx.first_shown
        if first_shown:
            ctx = ctx.but(first_shown=False)
        if node.negated:
            ctx = ctx.but(mask=ctx.mask or "!", errexit_ignored=True, echoed_status="")
            ctx.echo_passed, ctx.echo_failed = ctx.echo_failed, ctx.echo_passed
        if len(node.commands) == 1:
            self._command(node.commands[0], ctx, shell, source)
            return
        last = len(node.commands) - 1
        for index, command in enumerate(node.commands):
            mask = ctx.mask
            if index == 0 and first_shown:
                mask = ctx.mask_of("exit")
            elif index < last and not shell.pipefail:
                mask = "| " + status.excerpt(source, node.commands[index + 1].start, node.end)
            inner = ctx.own_shell(mask, piped_from=index > 0 or ctx.piped_from, piped_to=index < last or ctx.piped_to)
            if index > 0:
                inner.echoed_status = ""
            self._command(command, inner, shell.copy(), source)

    def _command(self, node: "SimpleNode | CompoundNode", ctx: Context, shell: Shell, source: str) -> None:
        if isinstance(node, SimpleNode):
            self.simple(node, ctx, shell, source)
            return
        for word in node.words:
            self.substitutions(word.subs, ctx, shell, "$(…)")
        if node.form == "function":
            shell.functions[node.name] = (node, source)
            return
        self._parts(node, ctx, shell, source)
        self._redirected(node, ctx, shell, source)

    def _parts(self, node: CompoundNode, ctx: Context, shell: Shell, source: str) -> None:
        ctx = ctx.but(nesting=ctx.nesting + 1)
        sure = shell.options()
        self._part(node, ctx, shell, source)
        if node.form != "group":
            shell.only_options(sure)

    def _part(self, node: CompoundNode, ctx: Context, shell: Shell, source: str) -> None:
        if node.form == "if":
            self._if(node, ctx, shell, source)
        elif node.form in ("for", "while"):
            self._loop(node, ctx, shell, source)
        elif node.form == "subshell":
            self.visit_list(node.parts[0], ctx.own_shell(ctx.mask), shell.copy(), source)
        elif node.form == "coproc":
            self.visit_list(node.parts[0], ctx.own_shell("coproc", background=True), shell.copy(), source)
        else:
            if node.form == "case":
                ctx = ctx.but(conditional="||")
            for part in node.parts:
                self.visit_list(part, ctx, shell, source)

    def _if(self, node: CompoundNode, ctx: Context, shell: Shell, source: str) -> None:
        lone_else = node.parts[-1] if len(node.parts) % 2 else None
        pairs = len(node.parts) // 2
        body_ctx = ctx.but(conditional="||", echoed_status="")
        for index in range(pairs):
            condition, body = node.parts[2 * index], node.parts[2 * index + 1]
            negated = len(condition.items) == 1 and condition.items[0].pipelines[-1].negated
            otherwise = lone_else if index == pairs - 1 else None
            self._condition(condition, ctx, shell, source, negated=negated, body=body, otherwise=otherwise)
            self.visit_list(body, body_ctx, shell, source)
        if lone_else is not None:
            self.visit_list(lone_else, body_ctx, shell, source)

    def _condition(
        self,
        condition: ListNode,
        ctx: Context,
        shell: Shell,
        source: str,
        *,
        negated: bool,
        body: ListNode,
        otherwise: ListNode | None,
    ) -> None:
        """A condition's status shows only where its failure always ends the shell."""
        on_failure = body if negated else otherwise
        end = status.list_fails(on_failure) if on_failure is not None else ""
        shown = end in ("exit", "return")
        inner = ctx.but(mask=ctx.mask_of(end) if shown else "if", errexit_ignored=True)
        inner.echo_passed, inner.echo_failed = status.said(body), status.said(otherwise)
        if negated and shown and len(condition.items) == 1:
            inner.echo_passed, inner.echo_failed = inner.echo_failed, inner.echo_passed
            for pipeline in condition.items[0].pipelines:
                for command in pipeline.commands:
                    self._command(command, inner, shell, source)
            return
        self.visit_list(condition, inner, shell, source)

    def _loop(self, node: CompoundNode, ctx: Context, shell: Shell, source: str) -> None:
        strict = shell.errexit and not ctx.errexit_ignored
        once = node.form == "for" and len(node.words) == 1 and node.words[0].literal and not _is_pattern(node.words[0])
        inner = ctx.but(in_loop=True, mask=ctx.shell_mask if strict else ctx.mask if once else node.form)
        if strict and not once:
            inner.early_mask = node.form
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

    def _redirected(self, node: CompoundNode, ctx: Context, shell: Shell, source: str) -> None:
        """What a whole group or loop writes to is written by nobody in particular: a command without words."""
        if not node.redirects:
            return
        for redirect in node.redirects:
            self.substitutions(redirect.subs, ctx, shell, "<(…)")
        if any(">" in redirect.op for redirect in node.redirects):
            empty = bare(node)
            empty.redirects = node.redirects
            self.emit((), empty, ctx, shell, source)


def _is_pattern(word: "Word") -> bool:
    """Whether a word may become several: `packages/*`, `{1..5}`."""
    return any(mark in word.value for mark in "*?{") or ("[" in word.value and not word.quoted)


def split(command: str, cwd: str | None = None, *, look_inside: bool = True) -> tuple[SimpleCommand, ...]:
    """
    Every simple command that the line runs, in order.

    `cwd` is the folder the line starts in. Without `look_inside`, wrappers and the scripts they carry are left as they
    stand. Never raises; the time is linear in the length of the line.
    """
    walker = _Walker(look_inside=look_inside)
    walker.visit_list(parse(command), Context(), Shell(cwd), command)
    return tuple(walker.found)
