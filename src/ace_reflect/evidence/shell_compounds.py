"""
The compound commands: groups, conditions, loops, cases, functions, tests.

Source: Bash Reference Manual, "Compound Commands" and "Shell Functions".
"""

from ace_reflect.evidence.shell_lines import ORDINARY, LineReader
from ace_reflect.evidence.shell_tree import CompoundNode, ListNode, SimpleNode, alone
from ace_reflect.evidence.shell_words import Word

_CLOSED_BY = {
    "if": frozenset({"then"}),
    "elif": frozenset({"then"}),
    "while": frozenset({"do"}),
    "until": frozenset({"do"}),
}
_BRANCH_ENDS = frozenset({"elif", "else", "fi"})
_ENDS_IN = ("", " ", "\t", "\n", ";", "\\")
_DONE, _FI, _BRACE = frozenset({"done"}), frozenset({"fi"}), frozenset({"}"})


class CompoundReader(LineReader):
    """Reads each compound command from behind its first word. `Parser` gives the lists and commands inside."""

    def _list(self, stops: frozenset[str], *, in_case: bool = False) -> ListNode:
        raise NotImplementedError

    def _command(self) -> "SimpleNode | CompoundNode | None":
        raise NotImplementedError

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
        if self.text.startswith("in", self.pos) and self.text[self.pos + 2 : self.pos + 3] in _ENDS_IN:
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
        self._one_command_body(node)

    def _one_command_body(self, node: CompoundNode) -> None:
        """What a function or a coprocess runs is one command: most often a `{ … }`, but any other will do."""
        body = ListNode(self.pos)
        command = self._command()
        if command is not None:
            body.items.append(alone(command))
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
                self.pos = min(self.pos + 1, self.size)

    def read_coproc(self, node: CompoundNode) -> None:
        node.form = "coproc"
        self._skip_blanks()
        name = ORDINARY(self.text, self.pos)
        if name is not None and name[1].isidentifier() and self.text[name.end() :][:9].lstrip(" \t")[:1] in ("{", "("):
            self.pos = name.end()
            self._skip_blanks()
        self._one_command_body(node)
