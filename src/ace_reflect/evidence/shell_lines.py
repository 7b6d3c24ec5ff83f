"""
What stands between the words of a command line: blanks, comments, newlines, redirections, here-documents.

Source: Bash Reference Manual, "Redirections" and "Reserved Words".
"""

from ace_reflect import regex as re
from ace_reflect.evidence.shell_tree import Redirect
from ace_reflect.evidence.shell_words import Word, WordReader

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
ORDINARY = re.compile(r"[ \t]*([^\s|&;<>()$`\\\"'#]+)(?=[ \t\n;]|$)").match


class LineReader(WordReader):
    """Moves over what is no word. The `Parser` builds the tree with it."""

    def __init__(self, text: str, depth: int = 0) -> None:
        super().__init__(text, depth)
        self._pending: list[tuple[Redirect, str, bool, bool]] = []
        self._absent: set[str] = set()

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

    def _skip_newlines(self) -> None:
        self._skip_blanks()
        while self.text.startswith("\n", self.pos):
            self._newline()
            self._skip_blanks()

    def _process_or_word(self) -> Word:
        if self.text.startswith(("<(", ">("), self.pos):
            return self.process_substitution()
        return self.word()

    def _ahead(self, mark: str) -> bool:
        """Whether `mark` occurs further on. Looked for in vain once, it is not looked for again."""
        if mark in self._absent:
            return False
        if self.text.find(mark, self.pos) >= 0:
            return True
        self._absent.add(mark)
        return False

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
