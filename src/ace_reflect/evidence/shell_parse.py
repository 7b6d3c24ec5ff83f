"""
The grammar of the shell: a command line as typed -> a tree of lists, pipelines and commands.

The parser accepts every text. What bash would reject is read as far as it makes sense: a stray `)` or `done` is passed
over, what is open at the end counts as closed.

Source: Bash Reference Manual, "Shell Commands" and "Redirections".
"""

import re

from ace_reflect.evidence.shell_words import MAX_DEPTH, Substitution, Word, WordReader

_BLANKS = re.compile(r"(?:[ \t\r\f\v]|\\\r?\n)*").match
_LINE_REST = re.compile(r"[^\n]*").match
_REDIRECT = re.compile(r"(?:\d+|\{\w+\})?(?:<<<|<<-|<<|<>|<&|<|>>|>\||>&|>)|&>>|&>").match
_RESERVED = re.compile(
    r"(?:if|then|elif|else|fi|for|select|while|until|do|done|case|esac|function|time|coproc|\{|\}|!|\[\[)(?=[\s;&|()<>]|$)"
).match
_FUNCTION_PARENS = re.compile(r"[ \t]*\([ \t]*\)").match
_NAME = re.compile(r"[^\s|&;<>()$`\\\"'={}]+").match
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=").match
_COPROC_NAME = re.compile(r"[A-Za-z_]\w*(?=[ \t]+(?:\{|\())").match
_CLOSED_BY = {
    "if": frozenset({"then"}),
    "elif": frozenset({"then"}),
    "while": frozenset({"do"}),
    "until": frozenset({"do"}),
}
_BRANCH_ENDS = frozenset({"elif", "else", "fi"})
_DONE, _FI, _BRACE, _NONE = frozenset({"done"}), frozenset({"fi"}), frozenset({"}"}), frozenset[str]()


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


class Parser(WordReader):
    """Reads one text; `program` gives its tree."""

    def __init__(self, text: str, depth: int = 0) -> None:
        super().__init__(text, depth)
        self._pending: list[tuple[Redirect, str, bool, bool]] = []
        self._absent: set[str] = set()

    def program(self) -> ListNode:
        """The whole text. Never raises."""
        return self._list(_NONE)

    def parenthesised(self) -> ListNode:
        self.parens += 1
        node = self._list(_NONE)
        self.parens -= 1
        self.pos = min(self.pos + 1, self.size)
        return node

    # lists

    def _list(self, stops: frozenset[str], *, in_case: bool = False) -> ListNode:
        self._skip_separators(in_case=in_case)
        node = ListNode(self.pos)
        while self.pos < self.size and not self._list_ends(stops, in_case=in_case):
            before = self.pos
            item = self._and_or()
            if item.pipelines:
                node.items.append(item)
            if self.pos == before:
                self.pos += 1
            self._skip_separators(in_case=in_case)
        node.end = self.pos
        return node

    def _list_ends(self, stops: frozenset[str], *, in_case: bool) -> bool:
        char = self.text[self.pos]
        if char == ")":
            return self.parens > 0
        if char == ";":
            return in_case and self.text[self.pos + 1 : self.pos + 2] in (";", "&")
        return bool(stops) and self._at_reserved() in stops

    def _at_reserved(self) -> str:
        match = _RESERVED(self.text, self.pos)
        return match[0] if match else ""

    def _skip_blanks(self) -> None:
        match = _BLANKS(self.text, self.pos)
        self.pos = match.end() if match else self.pos
        if self.text.startswith("#", self.pos):
            self._skip_comment()

    def _skip_comment(self) -> None:
        match = _LINE_REST(self.text, self.pos)
        self.pos = match.end() if match else self.size

    def _skip_separators(self, *, in_case: bool = False) -> None:
        """Blanks, comments, newlines (with the here-documents that wait there) and lone `;`."""
        while True:
            self._skip_blanks()
            char = self.text[self.pos : self.pos + 1]
            if char == "\n":
                self._newline()
            elif char == ";" and not (in_case and self.text[self.pos + 1 : self.pos + 2] in (";", "&")):
                self.pos += 1
            else:
                return

    def _newline(self) -> None:
        self.pos += 1
        if self._pending:
            pending, self._pending = self._pending, []
            for redirect, delimiter, strip, quoted in pending:
                self._here_document(redirect, delimiter, strip=strip, quoted=quoted)

    def _here_document(self, redirect: Redirect, delimiter: str, *, strip: bool, quoted: bool) -> None:
        start = self.pos
        end = self.pos
        while True:
            end = self.pos
            if self.pos >= self.size:
                break
            match = _LINE_REST(self.text, self.pos)
            line_end = match.end() if match else self.size
            line = self.text[self.pos : line_end].rstrip("\r")
            self.pos = min(line_end + 1, self.size)
            if (line.lstrip("\t") if strip else line) == delimiter:
                break
        redirect.body = self.text[start:end]
        if not quoted:
            redirect.subs += self.substitutions_in(redirect.body)

    def _and_or(self) -> AndOrNode:
        node = AndOrNode(self.pos)
        while True:
            pipeline = self._pipeline()
            node.end = pipeline.end
            if pipeline.commands:
                node.pipelines.append(pipeline)
            self._skip_blanks()
            op = self.text[self.pos : self.pos + 2]
            if op not in ("&&", "||"):
                break
            self.pos += 2
            if node.pipelines:
                node.ops.append(op)
            self._skip_newlines()
        del node.ops[max(len(node.pipelines) - 1, 0) :]
        if self.text.startswith("&", self.pos):
            node.background = True
            self.pos += 1
        return node

    def _skip_newlines(self) -> None:
        self._skip_blanks()
        while self.text.startswith("\n", self.pos):
            self._newline()
            self._skip_blanks()

    def _pipeline(self) -> PipelineNode:
        node = PipelineNode(self.pos)
        self._pipeline_prefix(node)
        while True:
            command = self._command()
            node.end = max(self._trimmed_end(), node.start)
            if command is not None:
                node.commands.append(command)
            self._skip_blanks()
            if not self.text.startswith("|", self.pos) or self.text.startswith("||", self.pos):
                return node
            self.pos += 2 if self.text.startswith("|&", self.pos) else 1
            self._skip_newlines()

    def _trimmed_end(self) -> int:
        end = self.pos
        while end > 0 and self.text[end - 1] in " \t\r\n":
            end -= 1
        return end

    def _pipeline_prefix(self, node: PipelineNode) -> None:
        while True:
            word = self._at_reserved()
            if word == "!":
                node.negated = not node.negated
            elif word != "time":
                return
            self.pos += len(word)
            self._skip_blanks()
            if word == "time" and self.text.startswith("-p", self.pos):
                self.pos += 2
                self._skip_blanks()

    # commands

    def _command(self) -> SimpleNode | CompoundNode | None:
        start = self.pos
        if self.text.startswith("(", start):
            return self._parenthesis()
        word = self._at_reserved()
        if not word:
            return self._simple()
        read = _READERS.get(word)
        if read is None or self.depth >= MAX_DEPTH:
            self.pos += len(word)  # `fi` or `done` with nothing to close, or too deep
            return None
        self.depth += 1
        node = CompoundNode(word, start)
        self.pos += len(word)
        read(self, node)
        self.depth -= 1
        self._trailing_redirects(node)
        return node

    def _trailing_redirects(self, node: CompoundNode) -> None:
        node.end = self.pos
        while True:
            self._skip_blanks()
            if not self._redirect(node.redirects):
                return
            node.end = self.pos

    def _parenthesis(self) -> CompoundNode | None:
        start = self.pos
        node = CompoundNode("subshell", start)
        end = self.arithmetic_end(start + 2) if self.text.startswith("((", start) else 0
        if end:
            node.form = "arithmetic"
            node.words = [Word("", "", self.substitutions_in(self.text[start + 2 : end - 2]))]
            self.pos = end
        elif self.depth >= MAX_DEPTH:
            self.pos += 1
            return None
        else:
            self.pos += 1
            self.depth += 1
            node.parts = [self.parenthesised()]
            self.depth -= 1
        self._trailing_redirects(node)
        return node

    def _expect(self, word: str) -> bool:
        self._skip_separators()
        if self._at_reserved() != word:
            return False
        self.pos += len(word)
        return True

    def _group(self, node: CompoundNode) -> None:
        node.form = "group"
        node.parts = [self._list(_BRACE)]
        self._expect("}")

    def _if(self, node: CompoundNode) -> None:
        word = "if"
        while word in ("if", "elif"):
            node.parts.append(self._list(_CLOSED_BY[word] | _FI))
            self._expect("then")
            node.parts.append(self._list(_BRANCH_ENDS))
            word = self._at_reserved()
            self.pos += len(word)
        if word == "else":
            node.parts.append(self._list(_FI))
            self._expect("fi")

    def _while(self, node: CompoundNode) -> None:
        node.form = "while"
        node.parts = [self._list(_CLOSED_BY["while"] | _DONE)]
        self._body(node)

    def _body(self, node: CompoundNode) -> None:
        if self._expect("do"):
            node.parts.append(self._list(_DONE))
            self._expect("done")
        elif self._expect("{"):
            node.parts.append(self._list(_BRACE))
            self._expect("}")
        else:
            self._expect("done")

    def _for(self, node: CompoundNode) -> None:
        node.form = "for"
        self._skip_blanks()
        if self.text.startswith("((", self.pos):
            end = self.arithmetic_end(self.pos + 2)
            self.pos = end or self.pos + 2
        else:
            node.name = self.word().value
            self._skip_newlines()
            if self._at_in():
                node.words = self._words_of_line()
        self._body(node)

    def _at_in(self) -> bool:
        if self.text.startswith("in", self.pos) and self.text[self.pos + 2 : self.pos + 3] in (
            "",
            " ",
            "\t",
            "\n",
            ";",
            "\\",
        ):
            self.pos += 2
            return True
        return False

    def _words_of_line(self) -> list[Word]:
        words: list[Word] = []
        while True:
            self._skip_blanks()
            word = self._process_or_word()
            if not word.raw:
                return words
            words.append(word)

    def _process_or_word(self) -> Word:
        if self.text.startswith(("<(", ">("), self.pos):
            return self.process_substitution()
        return self.word()

    def _case(self, node: CompoundNode) -> None:
        self._skip_blanks()
        node.words = [self.word()]
        self._skip_newlines()
        self._at_in()
        while True:
            self._skip_separators()
            if self.pos >= self.size or self._expect("esac") or (self.parens and self.text[self.pos] == ")"):
                return
            self._case_pattern()
            node.parts.append(self._list(frozenset({"esac"}), in_case=True))
            if self.text.startswith(";", self.pos):
                self.pos += 3 if self.text.startswith(";;&", self.pos) else 2

    def _case_pattern(self) -> None:
        if self.text.startswith("(", self.pos):
            self.pos += 1
        while self.pos < self.size:
            self._skip_blanks()
            char = self.text[self.pos : self.pos + 1]
            if char == ")" or char in "\n;&":
                self.pos += char == ")"
                return
            if not self.word().raw:
                self.pos += 1

    def _function(self, node: CompoundNode) -> None:
        self._skip_blanks()
        node.name = self.word().value
        match = _FUNCTION_PARENS(self.text, self.pos)
        if match:
            self.pos = match.end()
        self._function_body(node)

    def _function_body(self, node: CompoundNode) -> None:
        node.form = "function"
        self._skip_newlines()
        body = ListNode(self.pos)
        command = self._command()
        if command is not None:
            body.items.append(_alone(command))
        body.end = self.pos
        node.parts = [body]

    def _test(self, node: CompoundNode) -> None:
        """`[[ … ]]`, whose operators are not the shell's."""
        node.form = "test"
        if not self._ahead("]]"):
            return
        while self.pos < self.size:
            self._skip_newlines()
            if self.text.startswith("]]", self.pos):
                self.pos += 2
                return
            word = self.word()
            if word.raw:
                node.words.append(word)
            else:
                self.pos += 1

    def _ahead(self, mark: str) -> bool:
        """Whether `mark` occurs further on. Looked for in vain once, it is not looked for again."""
        if mark in self._absent:
            return False
        if self.text.find(mark, self.pos) >= 0:
            return True
        self._absent.add(mark)
        return False

    def _coproc(self, node: CompoundNode) -> None:
        node.form = "coproc"
        self._skip_blanks()
        match = _COPROC_NAME(self.text, self.pos)
        if match:
            self.pos = match.end()
            self._skip_blanks()
        body = ListNode(self.pos)
        command = self._command()
        if command is not None:
            body.items.append(_alone(command))
        body.end = self.pos
        node.parts = [body]

    # simple commands

    def _simple(self) -> SimpleNode | CompoundNode | None:
        node = SimpleNode(self.pos)
        while self.pos < self.size:
            self._skip_blanks()
            if self._redirect(node.redirects):
                node.end = self.pos
                continue
            word = self._process_or_word()
            if not word.raw:
                break
            node.end = self.pos
            if not self._assignment(node, word):
                node.words.append(word)
                if len(node.words) == 1 and self._is_function(word):
                    return self._function_definition(node)
        return node if node.words or node.assignments or node.redirects else None

    def _assignment(self, node: SimpleNode, word: Word) -> bool:
        match = None if node.words else _ASSIGNMENT(word.raw)
        if match is None:
            return False
        value = word.value[match.end() :] if word.value.startswith(match[0]) else word.value
        node.assignments.append((match[1], Word(word.raw, value, word.subs, word.literal, word.quoted)))
        return True

    def _is_function(self, word: Word) -> bool:
        return (
            self.depth < MAX_DEPTH
            and _FUNCTION_PARENS(self.text, self.pos) is not None
            and not word.quoted
            and word.literal
            and _NAME(word.raw) is not None
        )

    def _function_definition(self, simple: SimpleNode) -> CompoundNode:
        node = CompoundNode("function", simple.start)
        node.name = simple.words[0].value
        match = _FUNCTION_PARENS(self.text, self.pos)
        self.pos = match.end() if match else self.pos
        self.depth += 1
        self._function_body(node)
        self.depth -= 1
        node.end = self.pos
        return node

    def _redirect(self, into: list[Redirect]) -> bool:
        match = _REDIRECT(self.text, self.pos)
        if match is None:
            return False
        op = match[0]
        if op in ("<", ">") and self.text.startswith("(", match.end()):
            return False  # a process substitution
        self.pos = match.end()
        self._skip_blanks()
        redirect = Redirect(op, self._process_or_word())
        into.append(redirect)
        if op.endswith(("<<", "<<-")):
            target = redirect.target
            self._pending.append((redirect, target.value, op.endswith("-"), target.quoted))
        elif op.endswith("<<<"):
            redirect.body = redirect.target.value
        return True


def _alone(command: SimpleNode | CompoundNode) -> AndOrNode:
    pipeline = PipelineNode(command.start)
    pipeline.commands = [command]
    node = AndOrNode(command.start)
    node.pipelines = [pipeline]
    pipeline.end = node.end = command.end
    return node


_READERS = {
    "{": Parser._group,
    "if": Parser._if,
    "while": Parser._while,
    "until": Parser._while,
    "for": Parser._for,
    "select": Parser._for,
    "case": Parser._case,
    "function": Parser._function,
    "[[": Parser._test,
    "coproc": Parser._coproc,
}


def parse(command: str, depth: int = 0) -> ListNode:
    """The tree of a command line. Positions in it count in `command`."""
    return Parser(command, depth).program()


__all__ = [
    "AndOrNode",
    "CompoundNode",
    "ListNode",
    "Parser",
    "PipelineNode",
    "Redirect",
    "SimpleNode",
    "Substitution",
    "Word",
    "parse",
]
