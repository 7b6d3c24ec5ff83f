"""
Words of the shell language: quotes, expansions and the substitutions inside them.

`WordReader` moves over the text once and never looks back, so that its time is linear in the text whatever the text is.
What bash would reject (an open quote, a missing parenthesis) is read as if it were closed at the end.

Source: Bash Reference Manual, "Quoting" and "Shell Expansions".
"""

from ace_reflect.late import DOTALL, Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from ace_reflect.evidence.shell_tree import ListNode

#: Compounds and substitutions inside each other; what lies deeper is read as plain text.
MAX_DEPTH = 40

_PLAIN = Late(r"[^\s|&;<>()$`\\\"']+").match
_QUOTED = Late(r"[^\"\\$`]+").match
_BRACED = Late(r"[^}\"'\\$`]+").match
_NAME = Late(r"\w+|[@*#?$!-]").match
_ARITHMETIC = Late(r"[()'\"`]").search
_ANSI_C_END = Late(r"(?:[^'\\]|\\.)*", DOTALL).match
_ansi_c = Late(r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|.)", DOTALL).sub
_BACKTICK_END = Late(r"(?:[^`\\]|\\.)*", DOTALL).match
_ASSIGNMENT = Late(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=$").match
_unescape = Late(r"\\([`\\$])", needs=("\\$|\\\\|\\`",)).sub
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "E": "\x1b"}
_WORD_ENDS = frozenset(" \t\n\r\f\v|&;<>()")
_EXTGLOB = frozenset("?*+@!")


class Word:
    """One word: as typed, with its quotes removed (expansions stay as text), and the commands it runs."""

    __slots__ = ("literal", "quoted", "raw", "subs", "value")

    def __init__(
        self, raw: str, value: str, subs: "tuple[Substitution, ...]" = (), literal: bool = True, quoted: bool = False
    ) -> None:
        self.raw = raw
        self.value = value
        self.subs = subs
        self.literal = literal  # no expansion in it: value is what the command gets
        self.quoted = quoted


class Substitution:
    """Commands whose output becomes (part of) a word: `$(…)`, backquotes, `<(…)`, `>(…)`."""

    __slots__ = ("body", "form", "source")

    def __init__(self, form: str, body: "ListNode", source: str) -> None:
        self.form = form
        self.body = body
        self.source = source  # the text that the body's positions count in


class WordReader:
    """A position in a text, and the reading of one word from there. `shell_parse.Parser` adds the grammar."""

    def __init__(self, text: str, depth: int = 0) -> None:
        self.text = text
        self.size = len(text)
        self.pos = 0
        self.depth = depth
        self.parens = 0
        self.budget = (
            4 * self.size + 1000
        )  # characters that may be looked at in vain to tell `$((1+2))` from `$((a); b)`
        self._literal = True
        self._quoted = False
        self._subs: list[Substitution] = []

    def parenthesised(self) -> "ListNode":
        """The commands up to the closing parenthesis, which is consumed."""
        raise NotImplementedError

    def program(self) -> "ListNode":
        """All commands of the text."""
        raise NotImplementedError

    def word(self) -> Word:
        """The word that starts here; empty where none does."""
        text, start = self.text, self.pos
        match = _PLAIN(text, start)
        end = match.end() if match else start
        if end >= self.size or (text[end] in _WORD_ENDS and text[end] != "("):
            self.pos = end
            raw = text[start:end]
            return Word(raw, raw)
        return self._composed_word(start)

    def _composed_word(self, start: int) -> Word:
        outer = self._literal, self._quoted, self._subs
        self._literal, self._quoted, self._subs = True, False, []
        value = "".join(self._pieces(start))
        word = Word(self.text[start : self.pos], value, tuple(self._subs), self._literal, self._quoted)
        self._literal, self._quoted, self._subs = outer
        return word

    def _pieces(self, start: int) -> list[str]:
        pieces: list[str] = []
        while self.pos < self.size:
            match = _PLAIN(self.text, self.pos)
            if match:
                pieces.append(match[0])
                self.pos = match.end()
                continue
            char = self.text[self.pos]
            if char == "(" and self._joins_parenthesis(start):
                pieces.append(self._parenthesis_text())
            elif char in _WORD_ENDS:
                break
            else:
                pieces.append(self._special(char))
        return pieces

    def _special(self, char: str) -> str:
        if char == "'":
            return self._single_quoted()
        if char == '"':
            return self._double_quoted()
        if char == "\\":
            return self._escaped()
        return self._expansion()

    def _joins_parenthesis(self, start: int) -> bool:
        """Whether `(` belongs to the word: `@(a|b)`, `array=(…)`."""
        if self.pos == start or self.depth >= MAX_DEPTH:
            return False
        before = self.text[self.pos - 1]
        if before in _EXTGLOB:
            return True
        return before == "=" and self.pos - start < 200 and _ASSIGNMENT(self.text[start : self.pos]) is not None

    def _parenthesis_text(self) -> str:
        """An array's or a pattern's text with its parentheses; its words are read for the substitutions in them."""
        start = self.pos
        self.pos += 1
        self.depth += 1
        while self.pos < self.size and self.text[self.pos] != ")":
            if self.text[self.pos] == "(" or not self._pieces(self.pos):
                self.pos += 1
        self.depth -= 1
        self.pos = min(self.pos + 1, self.size)
        return self.text[start : self.pos]

    def _escaped(self) -> str:
        self._quoted = True
        char = self.text[self.pos + 1 : self.pos + 2]
        self.pos = min(self.pos + 2, self.size)
        return "" if char == "\n" else char

    def _single_quoted(self) -> str:
        self._quoted = True
        end = self.text.find("'", self.pos + 1)
        end = self.size if end < 0 else end
        value = self.text[self.pos + 1 : end]
        self.pos = min(end + 1, self.size)
        return value

    def _double_quoted(self) -> str:
        self._quoted = True
        self.pos += 1
        value = self._until_quote('"')
        self.pos = min(self.pos + 1, self.size)
        return value

    def _until_quote(self, quote: str) -> str:
        """Text with `$`, backquote and backslash special, as between double quotes; stops before `quote`."""
        pieces: list[str] = []
        while self.pos < self.size:
            match = _QUOTED(self.text, self.pos)
            if match:
                pieces.append(match[0])
                self.pos = match.end()
                continue
            char = self.text[self.pos]
            if char == quote:
                break
            if char == "\\":
                pieces.append(self._escaped_in_quotes())
            elif char == '"':
                pieces.append(char)
                self.pos += 1
            else:
                pieces.append(self._expansion(in_quotes=True))
        return "".join(pieces)

    def _escaped_in_quotes(self) -> str:
        char = self.text[self.pos + 1 : self.pos + 2]
        self.pos = min(self.pos + 2, self.size)
        if char == "\n":
            return ""
        return char if char in '"\\$`' else "\\" + char

    def _expansion(self, *, in_quotes: bool = False) -> str:
        """What starts with `$` or a backquote, kept as text."""
        text, start = self.text, self.pos
        if text[start] == "`":
            return self._backquoted()
        following = text[start + 1 : start + 2]
        if following == "(":
            return self._dollar_parenthesis()
        if following == "{":
            return self._dollar_brace(in_quotes=in_quotes)
        if not in_quotes and following == "'":
            return self._ansi_c_quoted()
        if not in_quotes and following == '"':
            self.pos += 1
            return self._double_quoted()
        match = _NAME(text, start + 1)
        self.pos = match.end() if match else start + 1
        if match:
            self._literal = False
        return text[start : self.pos]

    def _ansi_c_quoted(self) -> str:
        self._quoted = True
        match = _ANSI_C_END(self.text, self.pos + 2)
        end = match.end() if match else self.size
        value = _ansi_c(_ansi_c_character, self.text[self.pos + 2 : end])
        self.pos = min(end + 1, self.size)
        return value

    def _backquoted(self) -> str:
        start = self.pos
        match = _BACKTICK_END(self.text, start + 1)
        end = match.end() if match else self.size
        self.pos = min(end + 1, self.size)
        self._literal = False
        inner = self.text[start + 1 : end]
        if self.depth < MAX_DEPTH and inner.strip():
            if "\\" in inner:
                inner = _unescape(r"\1", inner)
            self._subs.append(Substitution("`", type(self)(inner, self.depth + 1).program(), inner))
        return self.text[start : self.pos]

    def _dollar_parenthesis(self) -> str:
        start = self.pos
        self._literal = False
        if self.text.startswith("((", start + 1):
            end = self.arithmetic_end(start + 3)
            if end:
                self._subs.extend(self.substitutions_in(self.text[start + 3 : end - 2]))
                self.pos = end
                return self.text[start:end]
        self.substitution("$(")
        return self.text[start : self.pos]

    def substitution(self, form: str) -> None:
        """Read `$(…)`, `<(…)` or `>(…)` in place; `form` is its opening."""
        self.pos += len(form)
        if self.depth >= MAX_DEPTH:
            return
        self.depth += 1
        outer = self._literal, self._quoted, self._subs
        self._subs = []
        body = self.parenthesised()
        self._literal, self._quoted, self._subs = outer
        self.depth -= 1
        self._subs.append(Substitution(form, body, self.text))

    def process_substitution(self) -> Word:
        """The word `<(…)` or `>(…)` that starts here."""
        start = self.pos
        outer, self._subs = self._subs, []
        self.substitution(self.text[start : start + 2])
        word = Word(self.text[start : self.pos], self.text[start : self.pos], tuple(self._subs), literal=False)
        self._subs = outer
        return word

    def _dollar_brace(self, *, in_quotes: bool) -> str:
        """`${…}` with whatever is nested in it."""
        text, start = self.text, self.pos
        self._literal = False
        self.pos += 2
        if self.depth >= MAX_DEPTH:
            return text[start : self.pos]
        self.depth += 1
        while self.pos < self.size:
            match = _BRACED(text, self.pos)
            if match:
                self.pos = match.end()
                continue
            char = text[self.pos]
            if char == "}":
                self.pos += 1
                break
            if char == "'" and in_quotes:
                self.pos += 1
            else:
                self._special(char)
        self.depth -= 1
        return text[start : self.pos]

    def arithmetic_end(self, pos: int) -> int:
        """Where `((`, whose inside starts at `pos`, is closed by `))`; 0 if it is two parentheses."""
        text, depth, start = self.text, 2, pos
        while self.budget > 0:
            match = _ARITHMETIC(text, pos)
            pos = match.end() if match else self.size
            if match is None:
                break
            if match[0] == "(":
                depth += 1
            elif match[0] == ")":
                depth -= 1
                if depth == 1 and text[pos : pos + 1] == ")":
                    return pos + 1
                if depth == 1:
                    break
            else:
                pos = (text.find(match[0], pos) + 1) or self.size
        self.budget -= pos - start
        return 0

    def substitutions_in(self, body: str) -> tuple[Substitution, ...]:
        """The commands run by a text that is expanded as if between double quotes: here-documents, arithmetic."""
        if self.depth >= MAX_DEPTH or ("$(" not in body and "`" not in body):
            return ()
        reader = type(self)(body, self.depth + 1)
        reader._until_quote("")  # noqa: SLF001 - the same class
        return tuple(reader._subs)  # noqa: SLF001


def _ansi_c_character(match: "re.Match[str]") -> str:
    code = match[1]
    if code[0] in "xuU" and len(code) > 1:
        point = int(code[1:], 16)
        return chr(point) if point < 0x110000 else ""
    if code[0] in "01234567":
        return chr(int(code, 8))
    return _ESCAPES.get(code, code if code in "\\'\"?" else match[0])
