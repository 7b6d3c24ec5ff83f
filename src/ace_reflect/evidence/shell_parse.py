"""
The grammar of the shell: a command line as typed -> a tree of lists, pipelines and commands.

The parser accepts every text. What bash would reject is read as far as it makes sense: a stray `)` or `done` is passed
over, what is open at the end counts as closed.

Source: Bash Reference Manual, "Shell Commands" and "Redirections".
"""

from ace_reflect.evidence.shell_compounds import CompoundReader
from ace_reflect.evidence.shell_lines import ORDINARY
from ace_reflect.evidence.shell_tree import AndOrNode, CompoundNode, ListNode, PipelineNode, SimpleNode
from ace_reflect.evidence.shell_words import MAX_DEPTH, Substitution, Word
from ace_reflect.late import Late

_NONE = frozenset[str]()
_LONGEST_NAME = 100
#: PowerShell's assignment of what a command prints: a value that begins with a letter, or is called with `&`, is a command.
_ASSIGNS = Late(
    r"\$(?:global:|script:|local:)?(\w+)[ \t]{0,20}\+?=[ \t]{0,20}(?:&[ \t]{1,20}(?=\S)|(?=[A-Za-z]))"
).match


class Parser(CompoundReader):
    """Reads one text; `program` gives its tree."""

    def program(self) -> ListNode:
        """The whole text. Never raises."""
        return self._list(_NONE)

    def parenthesised(self) -> ListNode:
        self.parens += 1
        node = self._list(_NONE)
        self.parens -= 1
        self.pos = min(self.pos + 1, self.size)
        return node

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

    def _pipeline(self) -> PipelineNode:
        node = PipelineNode(self.pos)
        self._pipeline_prefix(node)
        assigned = self._powershells_assignment()
        if assigned is not None:
            node.commands = [assigned]
            node.end = assigned.end
            return node
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

    def _powershells_assignment(self) -> SimpleNode | None:
        """`$name = command …` as bash's `name=$(command …)`; values that are no command are left as they stand."""
        text, start = self.text, self.pos
        if text[start : start + 1] != "$" or text.find("=", start, start + _LONGEST_NAME) < 0:
            return None
        match = _ASSIGNS(text, start)
        if match is None or self.depth >= MAX_DEPTH:
            return None
        node = SimpleNode(start)
        self.pos = match.end()
        if self._at_reserved():  # `$x = if (…) {…}`
            self.pos = start
            return None
        self.depth += 1
        value = ListNode(self.pos)
        value.items.append(AndOrNode(self.pos))
        value.items[0].pipelines.append(self._pipeline())
        self.depth -= 1
        node.end = value.end = value.items[0].end = value.items[0].pipelines[0].end
        subs = (Substitution("$(", value, text),)
        node.assignments.append((match[1], Word(text[start : node.end], "", subs, literal=False)))
        return node

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

    def _simple(self) -> SimpleNode | CompoundNode | None:
        node = SimpleNode(self.pos)
        while self.pos < self.size:
            ordinary = ORDINARY(self.text, self.pos)
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

    def _function_definition(self, simple: SimpleNode) -> CompoundNode:
        node = CompoundNode("function", simple.start)
        node.name = simple.words[0].value
        self.pos = self._function_parens() or self.pos
        self.depth += 1
        self._function_body(node)
        self.depth -= 1
        node.end = self.pos
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
