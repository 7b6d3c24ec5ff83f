"""
The grammar of the shell: a command line as typed -> a tree of lists, pipelines and commands.

The parser accepts every text. What bash would reject is read as far as it makes sense: a stray `)` or `done` is passed
over, what is open at the end counts as closed.

Source: Bash Reference Manual, "Shell Commands" and "Redirections".
"""

import re

from ace_reflect.evidence.shell_words import MAX_DEPTH, Substitution, Word, WordReader

_BLANKS = frozenset(" \t\r\f\v")
_REDIRECT_STARTS = frozenset("<>&{0123456789")
#: Longest first.
_REDIRECTS = ("<<<", "<<-", "<<", "<>", "<&", "<", ">>", ">|", ">&", ">")
_RESERVED: dict[str, tuple[str, ...]] = {
    "i": ("if",),
    "t": ("then", "time"),
    "e": ("else", "elif", "esac"),
    "f": ("for", "fi", "function"),
    "s": ("select",),
    "w": ("while",),
    "u": ("until",),
    "d": ("do", "done"),
    "c": ("case", "coproc"),
    "{": ("{",),
    "}": ("}",),
    "!": ("!",),
    "[": ("[[",),
}
_ENDS_RESERVED = frozenset(("", *" \t\r\n\f\v;&|()<>"))
#: A word with nothing special in it, and nothing special right behind it.
_ORDINARY = re.compile(r"[ \t]*([^\s|&;<>()$`\\\"'#]+)(?=[ \t\n;]|$)").match
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
        text, pos = self.text, self.pos
        for word in _RESERVED.get(text[pos : pos + 1], ()):
            if text.startswith(word, pos) and text[pos + len(word) : pos + len(word) + 1] in _ENDS_RESERVED:
                return word
        return ""

    def _skip_blanks(self) -> None:
        text, pos = self.text, self.pos
        char = text[pos : pos + 1]
        while char in _BLANKS or (char == "\\" and text.startswith(("\\\n", "\\\r\n"), pos)):
            pos += 1 if char != "\\" else 2 if text[pos + 1] == "\n" else 3
            char = text[pos : pos + 1]
        self.pos = self._line_end(pos) if char == "#" else pos

    def _line_end(self, pos: int) -> int:
        end = self.text.find("\n", pos)
        return self.size if end < 0 else end

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
            line_end = self._line_end(self.pos)
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

    def read_group(self, node: CompoundNode) -> None:
        node.form = "group"
        node.parts = [self._list(_BRACE)]
        self._expect("}")

    def read_if(self, node: CompoundNode) -> None:
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

    def read_while(self, node: CompoundNode) -> None:
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

    def read_for(self, node: CompoundNode) -> None:
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

    def read_case(self, node: CompoundNode) -> None:
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

    def read_function(self, node: CompoundNode) -> None:
        self._skip_blanks()
        node.name = self.word().value
        self.pos = self._function_parens() or self.pos
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

    def read_test(self, node: CompoundNode) -> None:
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

    def read_coproc(self, node: CompoundNode) -> None:
        node.form = "coproc"
        self._skip_blanks()
        name = _ORDINARY(self.text, self.pos)
        if name is not None and name[1].isidentifier() and self.text[name.end() :][:9].lstrip(" \t")[:1] in ("{", "("):
            self.pos = name.end()
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
            ordinary = _ORDINARY(self.text, self.pos)
            if ordinary is not None:
                self.pos = ordinary.end()
                word = Word(ordinary[1], ordinary[1])
            else:
                self._skip_blanks()
                if self._redirect(node.redirects):
                    node.end = self.pos
                    continue
                word = self._process_or_word()
                if not word.raw:
                    break
            node.end = self.pos
            if node.words or "=" not in word.raw or not self._assignment(node, word):
                node.words.append(word)
                if len(node.words) == 1 and self._is_function(word):
                    return self._function_definition(node)
        return node if node.words or node.assignments or node.redirects else None

    def _assignment(self, node: SimpleNode, word: Word) -> bool:
        left = word.raw.partition("=")[0]
        name = left.removesuffix("+").partition("[")[0]
        if not name.isidentifier() or ("[" in left and "]" not in left):
            return False
        value = word.value[len(left) + 1 :] if word.value.startswith(left + "=") else word.value
        node.assignments.append((name, Word(word.raw, value, word.subs, word.literal, word.quoted)))
        return True

    def _is_function(self, word: Word) -> bool:
        return (
            self.depth < MAX_DEPTH
            and self._function_parens() > 0
            and not word.quoted
            and word.literal
            and "{" not in word.raw
        )

    def _function_parens(self) -> int:
        """Where the `()` of a function definition that stands here ends; 0 if none does."""
        text, pos = self.text, self.pos
        while text[pos : pos + 1] in (" ", "\t"):
            pos += 1
        if text[pos : pos + 1] != "(":
            return 0
        pos += 1
        while text[pos : pos + 1] in (" ", "\t"):
            pos += 1
        return pos + 1 if text[pos : pos + 1] == ")" else 0

    def _function_definition(self, simple: SimpleNode) -> CompoundNode:
        node = CompoundNode("function", simple.start)
        node.name = simple.words[0].value
        self.pos = self._function_parens() or self.pos
        self.depth += 1
        self._function_body(node)
        self.depth -= 1
        node.end = self.pos
        return node

    def _redirect(self, into: list[Redirect]) -> bool:
        if self.text[self.pos : self.pos + 1] not in _REDIRECT_STARTS:
            return False
        op = self._redirect_operator()
        if not op or (op in ("<", ">") and self.text.startswith("(", self.pos + 1)):
            return False  # none, or a process substitution
        self.pos += len(op)
        self._skip_blanks()
        redirect = Redirect(op, self._process_or_word())
        into.append(redirect)
        if op.endswith("<<<"):
            redirect.body = redirect.target.value
        elif op.endswith(("<<", "<<-")):
            target = redirect.target
            self._pending.append((redirect, target.value, op.endswith("-"), target.quoted))
        return True

    def _redirect_operator(self) -> str:
        """The operator that stands here, with its descriptor: `2>`, `{fd}<`, `&>>`; "" if none does."""
        text, start = self.text, self.pos
        pos = start
        while text[pos : pos + 1].isdigit():
            pos += 1
        if text.startswith("{", pos):
            end = text.find("}", pos, pos + 40)
            pos = end + 1 if end > 0 and text[pos + 1 : end].isidentifier() else pos
        elif text.startswith("&>", pos):
            return "&>>" if text.startswith("&>>", pos) else "&>"
        for op in _REDIRECTS:
            if text.startswith(op, pos):
                return text[start:pos] + op
        return ""


def _alone(command: SimpleNode | CompoundNode) -> AndOrNode:
    pipeline = PipelineNode(command.start)
    pipeline.commands = [command]
    node = AndOrNode(command.start)
    node.pipelines = [pipeline]
    pipeline.end = node.end = command.end
    return node


_READERS = {
    "{": Parser.read_group,
    "if": Parser.read_if,
    "while": Parser.read_while,
    "until": Parser.read_while,
    "for": Parser.read_for,
    "select": Parser.read_for,
    "case": Parser.read_case,
    "function": Parser.read_function,
    "[[": Parser.read_test,
    "coproc": Parser.read_coproc,
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
