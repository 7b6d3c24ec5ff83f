"""What a command line runs: its simple commands in order, where each runs, and whether the line's status tells its own.
tree-sitter-bash parses; `cd` is followed, and `bash -lc '…'`, `eval` and `$(…)` are looked into. On status: Bash Reference
Manual, "Pipelines" and "Lists". What `set -e` or `set -o pipefail` would show more counts as hidden: it accuses nobody.
"""

import re
from collections.abc import Iterable
from functools import cache
from importlib.machinery import PathFinder
from typing import Any, NamedTuple

from ace_reflect.evidence.files import absolute
from ace_reflect.evidence.programs import inside, words
from ace_reflect.values import Value

_MAX_LENGTH, _MAX_DEPTH, _MAX_COMMANDS, _NEAR = 10_000, 40, 500, 8
_COMPOUNDS = words("subshell compound_statement if_statement case_statement while_statement for_statement c_style_for_statement")  # fmt: skip
_CLAUSES = words("do_group case_item elif_clause else_clause")
_FILLED = words("string translated_string simple_expansion expansion command_substitution")
#: A PATH that begins in the project, and not with what its tools install.
_OWN_PATH = r"(?<!\w)PATH=[\"']?(?!\.?/?(?:\S*/)?(?:\.?venv|node_modules|vendor)/|\$HOME|\$\{HOME)(?:\.|\w|\$PWD)"
_NOT_ASCII = "Qzu"


_APART = words("ssh wsl docker podman docker-compose kubectl devcontainer chroot")


class SimpleCommand(Value):
    """One command of a line. Where `status_visible`, its failure fails the line, and exit 0 says that it passed if it ran."""

    argv: tuple[str, ...]  # unquoted; variables stay: "$X"
    text: str = ""
    cwd: str | None = None
    masked: str = ""  # what hides the status: "| tail -5", "|| true", "; echo done", "&", "if"
    conditional: str = ""  # "&&": ran only after a success; "||": exit 0 does not say that it ran
    writes: tuple[str, ...] = ()
    appends: bool = False
    heredoc: str = ""
    pipe: tuple[tuple[str, ...], ...] = ()  # what stdout is piped through
    background: bool = False
    operator: str = ""  # what joins it to the one before: "&&", "||", ";", "|"
    captured: bool = False  # `x=$(…)`: its output is not shown
    inner: tuple[str, ...] = ()  # argv seen through `timeout 60`, `uv run`, `npx` …
    via: tuple[str, ...] = ()  # the wrappers it was seen through; behind `ssh` files are others
    feigned: bool = False  # what the line itself calls so: a function, an alias, a PATH of its own
    echoed_status: str = ""  # what prints its status: "EXIT: $?"

    @property
    def status_visible(self) -> bool:
        return not self.masked

    @property
    def apart(self) -> bool:
        """Whether its paths are those of a container or another machine."""
        return any(key.split()[0] in _APART for key in self.via)


class _At(NamedTuple):
    """Where a command stands. `mask` hides a failure there from the line's status; "": nothing does."""

    shell: dict[str, Any]  # what it remembers: `cwd`, `errexit`
    found: list[SimpleCommand]
    mask: str = ""
    depth: int = 0
    fields: dict[str, Any] = {}  # noqa: RUF012 - never changed

    def having(self, **fields: Any) -> "_At":
        return self._replace(fields=self.fields | fields)

    def own_shell(self, mask: str, **fields: Any) -> "_At":
        at = self._replace(shell=self.shell.copy(), mask=mask, depth=self.depth + 1)
        return at.having(**fields)


class _Part:
    """A command of a list and what joins it to the one before. `node`: None where only redirections stand."""

    def __init__(self, operator: str, node: Any, negated: bool, redirects: Iterable[Any]) -> None:
        self.operator, self.node, self.negated = operator, node, negated
        self.redirects, self.background = [*redirects], False

    @property
    def kind(self) -> str:
        return str(getattr(self.node, "type", ""))

    @property
    def text(self) -> str:
        return " ".join(map(_source, filter(None, (self.node, *self.redirects))))


_Statement = list[_Part]


def _flat(parts: Iterable[_Part]) -> str:
    text = "".join(f" {p.operator} {'! ' * p.negated}{p.text[:1_000]}" for p in parts)
    text = " ".join(text.replace("\n", "; ").split())
    return text if len(text) <= 80 else f"{text[:79]}…"


def _source(node: Any) -> str:
    if node.type == "heredoc_redirect":
        return "".join(_source(child) for child in node.children[:2])
    head, *escaped = str(node.text, "ascii").split(_NOT_ASCII)
    return head + "".join(chr(int(piece[:6], 16)) + piece[6:] for piece in escaped)


@cache
def _parser() -> Any:
    from tree_sitter import Language, Parser

    # Without the grammar's own package, which imports as much as the rest of a hook to find query files.
    package = PathFinder.find_spec("tree_sitter_bash")
    folders = package.submodule_search_locations if package else None
    spec = PathFinder.find_spec("tree_sitter_bash._binding", folders)
    if spec is None or spec.loader is None:
        raise ImportError("tree-sitter-bash is not installed")
    binding: Any = spec.loader.create_module(spec)
    spec.loader.exec_module(binding)
    return Parser(Language(binding.language()))


def _parse(line: str) -> list[_Statement]:
    if len(line) > _MAX_LENGTH:  # tree-sitter's time grows with the square of what it cannot read
        line = f"{line[: _MAX_LENGTH // 2]}\n{line[-_MAX_LENGTH // 2 :]}"
    # tree-sitter-bash 0.25 asks C's isalpha() about any character and crashes on some
    escaped = re.sub(r"[^\x00-\x7f]", lambda char: f"{_NOT_ASCII}{ord(char[0]):06x}", line)
    root = _parser().parse(escaped.encode()).root_node
    unread = [_Part(";", None, False, ())]  # hides every status before it
    return _statements(root.children) + ([unread] if root.has_error else [])


def _statements(nodes: Iterable[Any]) -> list[_Statement]:
    found: list[_Statement] = []
    for node in nodes:
        if node.type == "&" and found:
            found[-1][-1].background = True
        elif node.is_named and node.type not in ("comment", "heredoc_body"):
            found += filter(None, [_parts(node)])
    return found


def _parts(node: Any) -> _Statement:
    """The commands that a node joins, each with the redirections behind it. tree-sitter reads `a && b 2>&1 | c` as
    `(a && b) | c`, and puts what follows a here-document into its redirection.
    """
    parts: _Statement = []
    operator, negated, stack = "", False, [node]
    while stack:
        item = stack.pop()
        redirects = item.type.endswith("_redirect")
        if item.type in words("list pipeline negated_command redirected_statement ERROR"):
            stack += item.children[::-1]
        elif item.type == "!":
            negated = not negated
        elif item.type in ("&&", "||", "|", "|&"):
            operator = item.type.replace("|&", "|")
        elif (item.is_named and item.text) or redirects:
            if not redirects or operator or not parts:
                parts.append(_Part(operator, None if redirects else item, negated, ()))
                operator, negated = "", False
            parts[-1].redirects += [item] if redirects else []
            if item.type == "heredoc_redirect":
                stack += [c for c in item.children[:1:-1] if c.type[:8] != "heredoc_"]
    return parts


def _run(items: list[_Statement], at: _At) -> None:
    """A list's statements. Only the last one's status is the list's."""
    for index, parts in enumerate(items):
        if at.depth > _MAX_DEPTH or len(at.found) > _MAX_COMMANDS:
            return
        here, later = at.having(operator=";") if index else at, items[index + 1 : index + 2]
        if at.shell.get("errexit"):  # an earlier command may have ended it
            here = here.having(conditional=at.fields.get("conditional") or "&&")
        if later:
            echo, _, said = _flat(later[0]).partition(" ")
            operators = {part.operator for part in parts}
            # in a pipe `$?` is the last one's
            told = "${PIPESTATUS[0]}" in said or ("$?" in said and "|" not in operators)
            told = told and echo == "echo" and "||" not in operators
            here = here._replace(mask=f"; {_flat(later[0])}")
            here = here.having(echoed_status=said.strip("\"'") if told else "")
        _and_or(parts, here.own_shell("&", background=True) if parts[-1].background else here)


def _and_or(parts: _Statement, at: _At) -> None:
    """Pipelines joined by `&&` and `||`. A failure is hidden by the next `||`."""
    starts = [index for index, part in enumerate(parts) if part.operator != "|" or not index]
    pipes = [parts[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]
    unseen = at.fields.get("conditional") == "||"
    for index, pipe in enumerate(pipes[:_MAX_COMMANDS]):
        joined_by = (later for later in pipes[index + 1 :] if later[0].operator == "||")
        here = at._replace(mask=next(map(_flat, joined_by), at.mask))
        if index:
            unseen = unseen or pipe[0].operator == "||"
            here = here.having(operator=pipe[0].operator, conditional="||" if unseen else "&&")
        if pipe[0].negated:
            here = here._replace(mask=here.mask or "!").having(echoed_status="")
        _pipeline(pipe, here)
        unseen = unseen or bool(here.mask)


def _pipeline(parts: _Statement, at: _At) -> None:
    if len(parts) == 1:
        _command(parts[0], at)
        return
    parts = parts[:_MAX_COMMANDS]
    argvs = [_words(part) for part in parts[1:_NEAR]]
    for index, part in enumerate(parts):
        rest = parts[index + 1 : index + 5]
        here = at.own_shell(_flat(rest) if rest else at.mask)
        if index:
            here = here.having(operator="|", echoed_status="")
        if rest:
            here = here.having(pipe=(*argvs[index:], *at.fields.get("pipe", ())))
        _command(part, here)


def _command(part: _Part, at: _At) -> None:
    node, kind = part.node, part.kind
    if kind == "function_definition":  # as if it were called here
        at.shell["names"] = {*at.shell["names"], *map(_source, node.children_by_field_name("name"))}
        _run(_statements(node.children[-1:]), at.own_shell("function", conditional="||"))
        return
    if kind not in _COMPOUNDS:
        _simple(part, at)
        return
    _simple(_Part("", None, False, part.redirects), at)
    inner = at._replace(depth=at.depth + 1)
    if kind == "subshell":
        _run(_statements(node.children), inner.own_shell(inner.mask))
    elif kind == "compound_statement":
        _run(_statements(node.children if node.children[0].type == "{" else ()), inner)
    else:
        _substitutions(node.children_by_field_name("value"), at)
        _branches(node, inner, kind.removeprefix("c_style_").partition("_")[0])


def _branches(node: Any, at: _At, form: str) -> None:
    """A condition's status is lost, and what stands in a body may not have run."""
    kinds = [child.type for child in node.children]
    start = next((kinds.index(k) for k in ("then", ")", "do_group", "case_item") if k in kinds), 0)
    if form in ("if", "while"):
        _run(_statements(node.children[:start]), at._replace(mask=form))
    here = at.having(conditional="||", echoed_status="")
    here = here._replace(mask=form if form in ("for", "while") else at.mask)
    body = node.children[start:]
    _run(_statements(child for child in body if child.type not in _CLAUSES), here)
    for child in body:
        if child.type in _CLAUSES:
            _branches(child, at, form)


def _value(node: Any) -> str:
    text = _source(node)
    if node.type == "concatenation":
        return "".join(_value(child) for child in node.children)
    if node.type in ("raw_string", "ansi_c_string"):
        return text.lstrip("$")[1:-1].replace("\\'", "'")
    if node.type in _FILLED:
        text = text.removeprefix("$")[1:-1] if '"' in text[:2] else text
        return re.sub(r'\\([\\"$`\n])', lambda match: match[1].strip("\n"), text)
    if text[:1] == "\\" or re.search(r"\\[^\w.]", text):
        return text.replace("\\\n", "").replace("\\", "")
    return text  # .\gradlew.bat is a path of PowerShell's; \rm and a\ b are bash's


def _words(part: _Part) -> tuple[str, ...]:
    node, found = part.node, list[str]()
    if part.kind in words("test_command unset_command declaration_command") | _COMPOUNDS:
        found = [word.strip("'\"") for word in _source(node).split()]
    for child in node.children if part.kind == "command" else ():
        one = child.children[0] if child.type == "command_name" else child
        if one.type != "variable_assignment" and not one.type.endswith("_redirect"):
            found.append(_value(one))
    for other in part.redirects:  # tree-sitter takes `b` of `a > f b` for a second file
        found += [_value(c) for c in other.children_by_field_name("destination")[1:]]
    return tuple(found)


def _redirected(nodes: Iterable[Any]) -> dict[str, Any]:
    """What redirections give a SimpleCommand."""
    found: dict[str, Any] = {}
    for node in nodes:
        marks = [c for c in node.children[:-1] if not c.is_named or c.type == "file_descriptor"]
        operator = "".join(map(_source, marks))
        target = "".join(_value(c) for c in node.children_by_field_name("destination")[:1])
        if node.type != "file_redirect":
            body = "".join(_source(c) for c in node.children if c.type == "heredoc_body")
            found["heredoc"] = _value(node.children[-1]) if operator == "<<<" else body
        elif "<" not in operator and target.strip("-0123456789") and target[:2] != ">(":
            found |= {"appends": ">>" in operator}
            if not target.startswith(("/dev/", "NUL", "nul", "$null")):
                found["writes"] = (*found.get("writes", ()), target)
    return found


def _substitutions(nodes: Iterable[Any], at: _At, last: str = "$(…)") -> None:
    """What `$(…)` and `<(…)` run; `last` hides the status of the last one."""
    stack, found = list(nodes)[::-1], []
    while stack:
        node = stack.pop()
        if node.type in ("command_substitution", "process_substitution"):
            found.append(node)
        else:
            stack += node.children[::-1]
    for node in found:
        mask = last if node is found[-1] and node.type[0] == "c" else "$(…)"
        here = at.own_shell(mask, captured=True, pipe=(), echoed_status="")
        _run(_statements(node.children), here)


def _simple(part: _Part, at: _At) -> None:
    shell, argv = at.shell, _words(part)
    nodes = [part.node] if part.kind else []
    _substitutions([*nodes, *part.redirects], at, "$(…)" if argv else at.mask)
    among = [c for node in nodes for c in node.children if c.type.endswith("_redirect")]
    fields = _redirected([*part.redirects, *among])
    seen = inside(argv, fields.get("heredoc", ""))
    at = at.having(via=(*at.fields.get("via", ()), *seen.via))
    cwd = joined(shell["cwd"], seen.folder) if seen.folder else shell["cwd"]
    for script in seen.scripts:
        here = at
        if seen.via[-1] != "eval":
            here = at.own_shell(at.mask)
            here.shell["cwd"] = cwd
        _run(_parse(script), here._replace(depth=at.depth + 4))
    if (argv and not seen.scripts) or fields.get("writes"):
        own: dict[str, Any] = {"argv": () if seen.scripts else argv, "inner": seen.argv}
        own |= {"cwd": cwd, "text": part.text, "masked": at.mask}
        if shell.get("ended"):
            own["conditional"] = "||"
        named = {*argv[:1], "PATH"} & shell["names"]
        own["feigned"] = bool(named or ("PATH=" in part.text and re.search(_OWN_PATH, part.text)))
        at.found.append(SimpleCommand(**(at.fields | fields | own)))
    _builtin(argv, at)


def joined(cwd: str | None, path: str) -> str | None:
    """Where a path leads from a folder; None where that cannot be known."""
    if any(mark in path for mark in "$`*?~") or len(path) > 4_000:
        return None
    found = absolute(path.replace("\\", "/"), cwd)
    return found if found[:1] == "/" or found[1:2] == ":" else None


def _builtin(argv: tuple[str, ...], at: _At) -> None:
    """What the shell's own commands change in it."""
    shell, name, words = at.shell, "".join(argv[:1]), argv[1:]
    if name in ("cd", "pushd", "popd", "chdir", "Set-Location", "Push-Location", "Pop-Location"):
        paths = [word for word in words if word[:1] != "-" and word.lower() != "/d"]
        back = name[:3].lower() == "pop" or "-" in words
        shell["cwd"] = None if back else joined(shell["cwd"], (paths or ["~"])[0])
    elif name == "set" and any(re.match("-[a-z]*e|errexit", word) for word in words):
        shell["errexit"] = True
    elif name in ("alias", "export"):
        own = (word for word in words if word[:5] != "PATH=" or re.match(_OWN_PATH, word))
        shell["names"] = shell["names"].union(word.partition("=")[0] for word in own)
    elif name in ("exit", "return", "exec") and not "".join(words).strip("0").isdigit():
        shell["ended"] = True  # what follows may not have run, and the line goes well


def split(command: str, cwd: str | None = None) -> tuple[SimpleCommand, ...]:
    """Every simple command that the line runs, in order. `cwd`: the folder it starts in. Never raises; linear in its length."""
    found: list[SimpleCommand] = []
    _run(_parse(command), _At({"cwd": cwd, "names": set()}, found))
    return tuple(found)
