"""CLAUDE.md, AGENTS.md and their local variants: their text, and what they ask about pull requests and tests."""

import os

from ace_reflect import regex as re
from ace_reflect.late import Late
from ace_reflect.project.tree import leads_into, read_text, stamp
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ("CLAUDE.md", "AGENTS.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.local.md", "AGENT.md")
MAX_FILE = 64_000
MAX_TEXT = 64_000
MAX_IMPORTS = 10
_LONGEST_LINE = 1_000  # of one that shows a command
_IMPORT = Late(r"(?m)(?:^|\s)@((?:\./|\.\./|[\w-])[\w./-]*\.\w+)", needs=("@",))


class Instructions(Value):
    files: tuple[str, ...] = ()
    text: str = ""
    stamps: tuple[str, ...] = ()


def read_instructions(root: str, top: str = "", *, inside: bool = False) -> Instructions:
    """
    The instruction files of `root` and of the folders above it up to the repository's `top`, outermost first.

    `@path` imports are followed as Claude Code does, inside the repository only. `inside`: a file that is itself a link
    out of the repository is not read either, as must be where the text is sent to somebody.
    """
    limit = top or root
    texts: dict[str, str] = {}
    seen_content: set[str] = set()
    for folder in _folders(root, limit):
        for name in NAMES:
            path = os.path.join(folder, name)
            if not inside or leads_into(path, limit):
                _take(path, limit, texts, seen_content, depth=0)
    shown = tuple(os.path.relpath(path, root) for path in texts)
    return Instructions(
        files=shown,
        text="\n\n".join(texts.values())[:MAX_TEXT],
        stamps=tuple(stamp(path) for path in texts)
        + tuple(stamp(os.path.join(root, name)) for name in ("CLAUDE.md", "AGENTS.md")),
    )


def _folders(root: str, top: str) -> list[str]:
    folder, found = os.path.abspath(root), []
    top = os.path.abspath(top)
    while folder.startswith(top):
        found.append(folder)
        if folder == top:
            break
        folder = os.path.dirname(folder)
    return found[::-1][-20:]


def _take(path: str, limit: str, texts: dict[str, str], seen: set[str], depth: int) -> None:
    path = os.path.normpath(path)
    if path in texts or len(texts) >= MAX_IMPORTS + len(NAMES):
        return
    text = read_text(path, MAX_FILE)
    if not text.strip() or text in seen:  # CLAUDE.md is often a link to AGENTS.md
        return
    seen.add(text)
    texts[path] = text
    for name in _IMPORT.findall(_without_code(text)) if depth < 3 else ():
        target = os.path.normpath(os.path.join(os.path.dirname(path), name))
        if leads_into(target, limit) and target.endswith((".md", ".txt", ".mdc")):
            _take(target, limit, texts, seen, depth + 1)


def _without_code(text: str) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", " ", text, flags=re.DOTALL)


_PR = r"(?:pull[- ]requests?|merge[- ]requests?|PRs?|MRs?)"
_MAKE = r"(?:open|create|submit|raise|make|file|send|use|go through|come through|land (?:via|through)|via|through|as|in|by|with)"
_CONDITIONAL = Late(
    r"(?i)^(?:if|when|whenever|before|after|once|while|unless|for)\b|\b(?:if|when|unless) (?:you|asked|requested|the user|a user|someone|i|we)\b|\bonly (?:if|when)\b",
    needs=("after|for|if|once|unless|when|while",),
)
#: Not a condition, but the end of the work: "open a PR when you are done".
_AT_THE_END = Late(
    r"(?i),?\s?\b(?:when|once|after)\s+(?:(?:you(?:'re| are)|you have|it(?:'s| is)|everything(?:'s| is)|(?:the|your|a|each|every) (?:work|task|change|changes|feature|fix|code|implementation)(?: is| are)?)\s+)?(?:all )?(?:done|finished|completed?|ready|implemented)\b,?",
    needs=("when|once|after", "done|finished|complete|ready|implemented"),
)
_AND_OPEN = Late(
    rf"(?i)(?:\band|\bthen|,) (?:then,? |finally,? )?(?:open|create|submit|raise)\s+(?:(?:a|an|the)\s+)?(?:\w+\s+)?{_PR}\b(?!\s+(?:template|description|title|comment|review))",
    needs=("create|open|raise|submit",),
)
_OTHERS = Late(
    r"(?i)\b(?:contributors?|fork(?:s|ing|ed)?|users?|they|people|maintainers?|dependabot|renovate|bots?)\b",
    needs=("contributor|fork|user|they|people|maintainer|dependabot|renovate|bot",),
)
_EXPLICIT = Late(
    r"(?i)\bonly (?:if|when)\b|\bunless\b|\bwhen (?:asked|requested)\b|\bif (?:asked|requested)\b",
    needs=("if asked|if requested|only if|only when|unless|when asked|when requested",),
)
#: Told as a fact, and not as an order: it is the only way for anybody's work, the reader's too.
_ONLY_WAY = Late(
    rf"(?i)\b(?:changes?|work|code|commits?|features?|fix(?:es)?|main|master|trunk)\b[^.;]{{0,40}}\b(?:(?:via|through|by) (?:a )?{_PR} only|only (?:via|through|by|with) (?:a |an )?(?:\w+ )?{_PR})\b"
    rf"|\b(?:nothing|no (?:changes?|commits?|code|work))\b[^.;]{{0,40}}\bwithout (?:a |an )?(?:\w+ )?{_PR}\b"
    r"|\bdirect (?:push|commit)(?:es|s)?(?: (?:to|on|into) [^.;]{1,30}?)? (?:(?:is|are|will be) )(?:always )?(?:rejected|forbidden|prohibited|disallowed|not allowed|not permitted|blocked|disabled)\b",
    needs=("only|nothing|no |direct ",),
)
_DEMANDS = (
    Late(
        rf"(?i)\b(?:always|must|shall|required? to|need(?:s)? to|have to|has to|should)\b[^.]{{0,60}}\b{_MAKE}\b[^.]{{0,30}}\b{_PR}\b",
        needs=("always|has to|have to|must|need to|needs to|require to|required to|shall|should",),
    ),
    Late(
        rf"(?i)\b(?:all|every|any|each)\b[^.]{{0,40}}\b(?:changes?|work|features?|fix(?:es)?|commits?|code|contributions?|tasks?)\b[^.]{{0,40}}\b{_MAKE}\b[^.]{{0,30}}\b{_PR}\b",
        needs=("all|any|each|every", "change|code|commit|contribution|feature|fix|task|work"),
    ),
    Late(
        r"(?i)\b(?:never|do not|don't|must not|no)\b[^.]{0,20}\b(?:push|commit|pushes|commits|pushing|committing)\b[^.]{0,25}\b(?:to|on|into)\b[^.]{0,20}\b(?:main|master|trunk|the default branch)\b",
        needs=("commit|push", "main|master|the default branch|trunk"),
    ),
    Late(
        r"(?i)\bno direct (?:push|commit)(?:es|s)?\b[^.]{0,20}\b(?:main|master)\b",
        needs=("no direct commit|no direct push",),
    ),
    Late(
        rf"(?i)\b{_PR}\b[^.]{{0,15}}\b(?:is|are)\b (?:always |strictly )?(?:required|mandatory|compulsory)\b",
        needs=(
            "compulsory|mandatory|required",
            "are always compulsory|are always mandatory|are always required|are compulsory|are mandatory|are required|are strictly compulsory|are strictly mandatory|are strictly required|is always compulsory|is always mandatory|is always required|is compulsory|is mandatory|is required|is strictly compulsory|is strictly mandatory|is strictly required",
        ),
    ),
    Late(
        rf"(?i)^(?:then,? |finally,? |and )?(?:open|create|submit|raise)\s+(?:a|an|the)?\s*(?:\w+\s+)?{_PR}\b(?!\s+(?:template|description|title|comment|review))",
        needs=("create|open|raise|submit",),
    ),
)
_REFUSALS = (
    Late(
        rf"(?i)\b(?:never|do not|don't|no need to|without|not)\b[^.]{{0,15}}\b(?:open|create|submit|raise|make|use|opening|creating)\b[^.]{{0,15}}\b{_PR}\b",
        needs=("don't|never|no need to|not|without", "create|creating|make|open|raise|submit|use"),
    ),
    Late(
        rf"(?i)\bno {_PR}\b", needs=("no merge request|no merge-request|no mr|no pr|no pull request|no pull-request",)
    ),
    Late(
        r"(?i)\b(?:push|commit)\b[^.]{0,12}\b(?:directly|straight)\b[^.]{0,12}\b(?:to|on)\b[^.]{0,8}\b(?:main|master|trunk)\b",
        needs=("directly|straight", "commit|push"),
    ),
    Late(r"(?i)\btrunk[- ]based\b", needs=("trunk based|trunk-based",)),
)


def wish_for_pr(text: str) -> str:
    """The sentence that asks for pull requests without a condition; "" if none does."""
    for sentence in _sentences(text):
        said = _unconditional(sentence)
        if _CONDITIONAL.search(said) or _EXPLICIT.search(said):
            continue
        if (any(pattern.search(said) for pattern in _DEMANDS) or _asked_otherwise(said)) and not _refuses(sentence):
            return sentence[:300]
    return ""


def _asked_otherwise(sentence: str) -> bool:
    """Whether the sentence has one opened behind another step, or as the only way, and not for others' contributions."""
    asks = _AND_OPEN.search(sentence) or _ONLY_WAY.search(sentence)
    return asks is not None and not _OTHERS.search(sentence)


def _unconditional(sentence: str) -> str:
    """The sentence without "when you are done" and the like."""
    return _AT_THE_END.sub("", sentence).strip(" ,:")


def _refuses(sentence: str) -> bool:
    if re.search(
        r"(?i)\b(?:never|do not|don't|must not|avoid)\b[^.]{0,20}\b(?:push|commit|direct)|\bno direct\b", sentence
    ):
        return False
    return any(pattern.search(sentence) for pattern in _REFUSALS)


_BLOCKS = {"```": "```", "~~~": "~~~", "<!--": "-->"}


def _without_blocks(text: str) -> str:
    """
    The text with a space for each block of code and comment; one that nothing closes is text.

    By hand: an expression would read to the end for each mark that nothing closes, and the file is anybody's.
    """
    next_at = {begin: text.find(begin) for begin in _BLOCKS}
    kept, at = [], 0
    while any(place >= 0 for place in next_at.values()):
        begin = min((mark for mark in next_at if next_at[mark] >= 0), key=lambda mark: next_at[mark])
        place = next_at[begin]
        end = text.find(_BLOCKS[begin], place + len(begin))
        if end < 0:
            next_at[begin] = -1
            continue
        kept.append(text[at:place])
        at = end + len(_BLOCKS[begin])
        next_at = {mark: text.find(mark, at) if 0 <= found < at else found for mark, found in next_at.items()}
    return " ".join([*kept, text[at:]])


def _sentences(text: str) -> "Iterator[str]":
    """Prose lines and list items, split at full stops; headings, tables, quotes and code are left out."""
    for line in _without_blocks(text).splitlines():
        bare = re.sub(r"^\s*(?:[-*+]|\d+[.)]|\[[ x]\])\s+", "", line).strip()
        if not bare or bare.startswith(("#", "|", ">")):
            continue
        bare = " ".join(re.sub(r"[*_`]{1,3}", "", bare).split())
        for sentence in re.split(r"(?<=[.!?])\s+", bare):
            if 8 < len(sentence) < 500:
                yield sentence.strip()


def commands_in(text: str) -> "Iterator[str]":
    """Commands that instructions show: lines of fenced shell blocks, and inline code, in order, comments cut off."""
    text = "\n".join(line[:_LONGEST_LINE] for line in text.split("\n"))
    for match in re.finditer(r"```[ \t]*+([\w+-]*+)[^\n]*+\n(.*?)```|`([^`\n]{3,200})`", text, re.DOTALL):
        language, block, inline = match.groups()
        if inline:
            yield inline.strip()
        elif language.lower() in ("", "bash", "sh", "shell", "zsh", "console", "text"):
            for line in block.splitlines():
                bare = re.sub(r"(?<!\s)\s+#\s.*$", "", re.sub(r"^\s*\$\s+", "", line)).strip()
                if bare and not bare.startswith("#"):
                    yield bare
