"""
The shell splitter against tree-sitter-bash over every Bash command of the transcripts.

For each command line two lists are compared: which commands run, in order, and for each whether the line's exit status
is its own. The rules for the status are written a second time here, over the other parser's tree, so that one mistake
does not hide in both. What is given as a string (`bash -lc '…'`) is left alone by both sides.

    .venv/bin/python bench/shell_oracle.py [FOLDER …]     prints the rate and every disagreement; exit 1 above 0.5 %
"""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import tree_sitter_bash
from corpus import bash_commands
from tree_sitter import Language, Node, Parser

from ace_reflect.evidence.shell import split

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT = 0.005
#: Disagreements that were looked into and are tree-sitter's errors: what is in the line -> why it is theirs.
KNOWN = (
    (re.compile(r"^\s*time\b|[;&|]\s*time\b"), "takes `time` for a command"),
    (re.compile(r"\bcoproc\b"), "does not know `coproc`"),
)
PARSER = Parser(Language(tree_sitter_bash.language()))
Found = tuple[str, bool]
REUSES = re.compile(r"^(?:exit|return)(?:\s+\"?\$\?\"?)?$|^\[ \"?\$\?\"? -(?:eq|ne) ")
SAVES = re.compile(r"^(\w+)=\"?\$\?\"?$")


def commands_of(line: str) -> list[Found]:
    """The commands of the line and whether their status shows, by tree-sitter's tree."""
    tree = PARSER.parse(line.encode())
    walk = Walk()
    walk.block(tree.root_node, visible=True, shell=True)  # noqa: S604 - not subprocess's `shell`
    return walk.found


def has_error(line: str) -> bool:
    """Whether tree-sitter could not read all of the line."""
    return PARSER.parse(line.encode()).root_node.has_error


def text(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


class Walk:
    """Goes down the tree with what is known of the place: does a failure here show in the line's status?"""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.functions: dict[str, Node] = {}
        self.errexit = self.pipefail = False
        self.inside: set[str] = set()

    def block(self, node: Node, *, visible: bool, shell: bool, condition: bool = False) -> None:
        """Statements one after the other: the last decides, the others only under `set -e`, or where handed on."""
        items = list(statements(node))
        last = len(items) - 1
        for index, (item, background) in enumerate(items):
            strict = self.errexit and not condition
            if background:
                self.node(item, visible=False, shell=False, condition=condition)
            elif index == last:
                self.node(item, visible=visible, shell=shell, condition=condition)
            elif handed_on(items, index):
                self.node(item, visible=shell, shell=shell, condition=condition)
            elif strict:
                self.node(item, visible=shell, shell=shell, condition=condition, followed=True)
            else:
                self.node(item, visible=False, shell=shell, condition=condition)

    def node(self, node: Node, *, visible: bool, shell: bool, condition: bool = False, followed: bool = False) -> None:
        place = {"visible": visible, "shell": shell, "condition": condition}
        if is_chain(node):
            self.and_or(node, **place, followed=followed)
        elif node.type in BLOCKS:
            self.block(node, **place)
        elif node.type == "subshell":
            self.copied(node, visible=visible, shell=visible, condition=condition)
        elif node.type in FORMS:
            getattr(self, FORMS[node.type])(node, **place)
        else:
            self.leaf(node, **place)

    def negated(self, node: Node, *, visible: bool, shell: bool, condition: bool) -> None:  # noqa: ARG002
        for child in node.named_children:
            self.node(child, visible=False, shell=shell, condition=condition)

    def cases(self, node: Node, *, visible: bool, shell: bool, condition: bool) -> None:
        for child in node.named_children:
            if child.type == "case_item":
                self.block(child, visible=visible, shell=shell, condition=condition)
            else:
                self.substitutions(child, visible=False)

    def copied(self, node: Node, *, visible: bool, shell: bool, condition: bool = False) -> None:
        """A subshell: options set in it end with it."""
        before = self.errexit, self.pipefail, dict(self.functions)
        self.block(node, visible=visible, shell=shell, condition=condition)
        self.errexit, self.pipefail, self.functions = before

    def and_or(self, node: Node, *, visible: bool, shell: bool, condition: bool, followed: bool) -> None:
        parts, operators = chain(node)
        for redirect in redirects(node):
            self.substitutions(redirect, visible=False)
        for index, part in enumerate(parts):
            fallback = next((i + 1 for i in range(index, len(operators)) if operators[i] == "||"), None)
            end = index == len(parts) - 1
            shows = visible if not followed or end else False
            if fallback is not None:
                verdict = always_fails(parts[fallback][0]) if len(parts[fallback]) == 1 else ""
                shows = shell if verdict == "exit" else shows if verdict else False
            self.pipeline(part, visible=shows, shell=shell, condition=condition or not end)

    def pipeline(self, stages: "list[Node]", *, visible: bool, shell: bool, condition: bool) -> None:
        negated = stages[0].type == "negated_command"
        for index, stage in enumerate(stages):
            shows = visible and not negated and (index == len(stages) - 1 or self.pipefail)
            before = self.errexit, self.pipefail
            self.node(stage, visible=shows, shell=shows if len(stages) > 1 else shell, condition=condition)
            if len(stages) > 1:
                self.errexit, self.pipefail = before

    def redirected(self, node: Node, *, visible: bool, shell: bool, condition: bool) -> None:
        """A here-document's tree holds what stands behind it on the line: pipes, `&&`."""
        body = node.child_by_field_name("body")
        heredocs = [child for child in node.named_children if child.type == "heredoc_redirect"]
        for child in node.named_children:
            if child.type in ("file_redirect", "herestring_redirect"):
                self.substitutions(child, visible=False)
        rest = [part for heredoc in heredocs for part in heredoc.named_children if part.type not in HEREDOC_PARTS]
        operators = [text(part) for heredoc in heredocs for part in heredoc.children if part.type in ("&&", "||")]
        piped = [part for part in rest if part.type == "pipeline"]
        shows = (
            visible
            and (self.pipefail or not piped)
            and not ("||" in operators and not any(always_fails(part) for part in rest))
        )
        if body is not None:
            self.node(body, visible=shows, shell=shell and not piped, condition=condition)
        for part in rest:
            if part.type not in ("file_redirect", "herestring_redirect"):
                self.node(part, visible=visible, shell=shell, condition=condition)
            else:
                self.substitutions(part, visible=False)
        for heredoc in heredocs:
            for part in heredoc.named_children:
                if part.type == "heredoc_body":
                    self.substitutions(part, visible=False)

    def branches(self, node: Node, *, visible: bool, shell: bool, condition: bool) -> None:
        sections = sections_of(node)
        for index, (test, body) in enumerate(sections):
            otherwise = sections[index + 1][1] if index + 2 == len(sections) and not sections[index + 1][0] else None
            if test:
                negated = len(test) == 1 and test[0].type == "negated_command"
                fails = body if negated else otherwise
                shows = shell and fails is not None and ends_shell(fails)
                for position, part in enumerate(test):
                    inner = part.named_children[0] if negated and shows else part
                    self.node(inner, visible=shows and position == len(test) - 1, shell=shell, condition=True)
            self.sequence(body, visible=visible, shell=shell, condition=condition)

    def sequence(self, items: "list[Node]", *, visible: bool, shell: bool, condition: bool) -> None:
        for index, item in enumerate(items):
            last = index == len(items) - 1
            strict = self.errexit and not condition
            handed = not last and handed_on([(node, False) for node in items], index)
            shows = visible if last else shell if handed or strict else False
            self.node(item, visible=shows, shell=shell, condition=condition, followed=strict and not last)

    def loop(self, node: Node, *, visible: bool, shell: bool, condition: bool) -> None:
        strict = self.errexit and not condition
        words = [child for child in node.named_children if child.type not in ("do_group", "variable_name", "comment")]
        once = node.type == "for_statement" and len(words) == 1 and words[0].type in ("word", "number", "raw_string")
        shows = shell if strict else visible if once else False
        for child in node.named_children:
            if child.type == "do_group":
                self.block(child, visible=shows, shell=shell, condition=condition)
            elif node.type == "while_statement":
                self.node(child, visible=False, shell=shell, condition=True)
            elif child.type in WORDS:
                self.substitutions(child, visible=False)

    def define(self, node: Node, **_: bool) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is not None and body is not None:
            self.functions[text(name)] = body

    def leaf(self, node: Node, *, visible: bool, shell: bool, condition: bool) -> None:
        kind = node.type
        if kind in ("variable_assignment", "variable_assignments"):
            last = list(descend(node))
            for index, substitution in enumerate(last):
                shows = visible and index == len(last) - 1
                self.copied(substitution, visible=shows, shell=shows, condition=condition)
            return
        self.substitutions(node, visible=False)
        if kind == "command":
            self.command(node, visible=visible, shell=shell, condition=condition)
        elif kind in ("declaration_command", "unset_command"):
            self.found.append((text(node).split()[0], visible))
        elif kind == "test_command" and text(node).startswith("[ "):
            self.found.append(("[", visible))
        elif kind == "ERROR":
            for child in node.named_children:
                self.node(child, visible=False, shell=False)

    def command(self, node: Node, *, visible: bool, shell: bool, condition: bool) -> None:
        name = node.child_by_field_name("name")
        head = text(name) if name is not None else ""
        if head in self.functions and head not in self.inside:
            self.inside.add(head)
            self.node(self.functions[head], visible=visible, shell=shell, condition=condition)
            self.inside.discard(head)
            return
        self.found.append((head, visible))
        if head == "set":
            words = text(node).split()
            self.errexit = self.errexit or any(w.startswith("-") and "e" in w for w in words[1:])
            self.errexit = self.errexit and "+e" not in words
            self.pipefail = self.pipefail or ("pipefail" in words and "+o" not in words)

    def substitutions(self, node: Node, *, visible: bool) -> None:
        for substitution in descend(node):
            self.copied(substitution, visible=visible, shell=visible)


BLOCKS = frozenset({"compound_statement", "do_group", "program"})
FORMS = {
    "redirected_statement": "redirected",
    "negated_command": "negated",
    "if_statement": "branches",
    "for_statement": "loop",
    "c_style_for_statement": "loop",
    "while_statement": "loop",
    "case_statement": "cases",
    "function_definition": "define",
}
HEREDOC_PARTS = frozenset({"heredoc_start", "heredoc_body", "heredoc_end", "file_descriptor"})
WORDS = frozenset(
    {"word", "string", "raw_string", "concatenation", "command_substitution", "simple_expansion", "expansion", "number"}
)


def statements(node: Node) -> "Iterator[tuple[Node, bool]]":
    """The statements of a block, and whether each is sent to the background."""
    children = [child for child in node.children if child.type != "comment"]
    for index, child in enumerate(children):
        if not child.is_named or child.type in ("variable_name", "heredoc_body", "heredoc_end"):
            continue
        if node.type == "case_item" and child == children[0]:
            continue
        if node.type == "case_item" and child.end_byte <= next((c.start_byte for c in children if c.type == ")"), 0):
            continue
        following = children[index + 1].type if index + 1 < len(children) else ""
        yield child, following == "&"


def is_chain(node: Node) -> bool:
    """A list or a pipeline, or one whose last command is redirected."""
    if node.type in ("list", "pipeline"):
        return True
    body = node.child_by_field_name("body") if node.type == "redirected_statement" else None
    heredoc = any(child.type == "heredoc_redirect" for child in node.named_children)
    return body is not None and body.type in ("list", "pipeline") and not heredoc


def chain(node: Node) -> "tuple[list[list[Node]], list[str]]":
    """
    Pipelines, each as its commands, and the operators between them.

    tree-sitter reads `a && b 2>&1 | c` as `(a && b) | c`; a list is never one of a pipe's commands, so this mends it.
    """
    if node.type == "redirected_statement" and is_chain(node):
        return chain(node.child_by_field_name("body"))
    parts: list[list[Node]] = []
    operators: list[str] = []
    joins_pipe = False
    for child in node.children:
        if child.type in ("&&", "||"):
            operators.append(child.type)
        elif child.type in ("|", "|&"):
            joins_pipe = True
        elif child.is_named and child.type != "comment":
            inner, between = chain(child) if is_chain(child) else ([[child]], [])
            if joins_pipe and parts:
                parts[-1].extend(inner[0])
                parts.extend(inner[1:])
            else:
                parts.extend(inner)
            operators.extend(between)
            joins_pipe = False
    return parts, operators


def redirects(node: Node) -> "Iterator[Node]":
    """The redirections that hang on the lists and pipelines of a chain."""
    for child in node.children:
        if child.type in ("file_redirect", "herestring_redirect"):
            yield child
        elif is_chain(child):
            yield from redirects(child)


def descend(node: Node) -> "Iterator[Node]":
    """The outermost substitutions below a node."""
    for child in node.children:
        if child.type in ("command_substitution", "process_substitution"):
            yield child
        elif child.type != "subshell":
            yield from descend(child)


def always_fails(node: Node) -> str:
    words = text(node).split()
    if words[:1] == ["false"]:
        return "false"
    if (
        len(words) == 2
        and words[0] in ("exit", "return")
        and (re.fullmatch(r"0*[1-9]\d*", words[1]) or words[1] == "$?")
    ):
        return "exit"
    if node.type in ("compound_statement", "subshell") and ends_shell([item for item, _ in statements(node)]):
        return "exit" if node.type == "compound_statement" else "false"
    return ""


def ends_shell(items: "list[Node]") -> bool:
    for item in items:
        words = text(item).split()
        if words[:1] in (["exit"], ["return"]):
            return len(words) == 2 and re.fullmatch(r"0*[1-9]\d*", words[1]) is not None
    return False


def sections_of(node: Node) -> "list[tuple[list[Node], list[Node]]]":
    """(condition, body) of each branch; the else has no condition."""
    sections: list[tuple[list[Node], list[Node]]] = []
    test: list[Node] = []
    body: list[Node] = []
    then = False
    for child in node.children:
        if child.type == "then":
            then = True
        elif child.type == "elif_clause":
            sections.append((test, body))
            test, body = [], []
            sections.extend(sections_of(child))
        elif child.type == "else_clause":
            if test or body:
                sections.append((test, body))
            test, body = [], []
            sections.append(([], [part for part in child.named_children if part.type != "comment"]))
        elif child.is_named and child.type != "comment":
            (body if then else test).append(child)
    if test or body:
        sections.append((test, body))
    return sections


def handed_on(items: "list[tuple[Node, bool]]", index: int) -> bool:
    """`cmd; exit $?`, `cmd; rc=$?; …; exit $rc`"""
    following = text(items[index + 1][0]).strip()
    match = SAVES.match(following)
    if match:
        later = re.compile(
            rf"^\(?(?:exit|return) \"?\$\{{?{match[1]}\b|^(?:\[|test) \"?\$\{{?{match[1]}\}}?\"? -eq 0|^if \[+ \"?\$\{{?{match[1]}\}}?\"? (?:-ne|!=) 0 .*exit [1-9]",
            re.DOTALL,
        )
        return any(later.match(text(item).strip()) for item, _ in items[index + 2 :])
    if REUSES.match(following):
        return following.startswith(("exit", "return")) or (index + 2 == len(items) and " -eq 0" in following)
    return re.match(r"^if \[+ \$\? (?:-ne|!=) 0 \]+.*exit [1-9]", following, re.DOTALL) is not None


def ours(line: str) -> list[Found]:
    """The same lists by our splitter."""
    return [(one.argv[0], one.status_visible) for one in split(line, look_inside=False) if one.argv]


def flat(found: list[Found]) -> list[Found]:
    """Comparable: quotes and backslashes gone, what is computed is only `$`, order ignored."""
    return sorted(
        ("$" if "$" in head or "`" in head else re.sub(r"[\\'\"]|\s+", "", head), shows) for head, shows in found
    )


def why_theirs(line: str) -> str:
    """The reason why tree-sitter is the one in error, if it is one of the known ones."""
    return next((reason for pattern, reason in KNOWN if pattern.search(line)), "")


def main(folders: list[str]) -> int:
    """Compare and report."""
    total = disagreements = unread = 0
    explained: dict[str, int] = {}
    for line, where in bash_commands([Path(folder) for folder in folders]):
        total += 1
        theirs, own = commands_of(line), ours(line)
        if flat(theirs) == flat(own):
            continue
        reason = why_theirs(line)
        if reason:
            explained[reason] = explained.get(reason, 0) + 1
            continue
        disagreements += 1
        unread += has_error(line)
        print(f"--- {where}{' (tree-sitter could not read it)' if has_error(line) else ''}\n{line[:1500]}")
        only_theirs, only_ours = difference(flat(theirs), flat(own)), difference(flat(own), flat(theirs))
        print(f"    only theirs: {only_theirs}\n    only ours:   {only_ours}\n")
    rate = disagreements / total if total else 0.0
    print(
        f"{total} command lines, {disagreements} disagreements ({rate:.2%}), of them {unread} that tree-sitter could not read"
    )
    for reason, count in sorted(explained.items()):
        print(f"  and {count} where tree-sitter {reason}")
    return int(rate > LIMIT)


def difference(some: list[Found], others: list[Found]) -> list[Found]:
    rest = list(others)
    left = []
    for item in some:
        if item in rest:
            rest.remove(item)
        else:
            left.append(item)
    return left


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
