"""What was asked for: its type by what was done first and by the words second, and whether a change was wanted at all."""

from ace_reflect import regex as re
from ace_reflect.gates import prose
from ace_reflect.gates.model import Task
from ace_reflect.late import Late, begins, folded, holds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from ace_reflect.evidence.facts import Ledger, Turn
    from ace_reflect.gates.words import Words

    TaskType = Literal["coding", "docs", "research", "ops", "other"]

_RESEARCH = Late(
    r"(?i)\b(?:research|investigat\w*|analy[sz]e?\w*|compar(?:e|ing|ison)|evaluat\w*|study|studying|explor(?:e|ing)|look into|find out|explain|understand|review|audit|check|assess|summari[sz]e|trade-?offs?)\b",
    needs=(
        "analys|analyz|assess|audit|check|compare|comparing|comparison|evaluat|explain|explore|exploring|find out|investigat|look into|research|review|study|summarise|summarize|trade-off|tradeoff|understand",
    ),
)
_CODE_DEEDS = (
    "fix", "implement", "refactor", "rewrite", "add", "create", "build", "write", "rename", "remove", "delete", "update", "improve", "change", "patch", "port", "migrate", "optimise", "optimize", "support", "handle", "replace", "extract", "make", "move", "convert", "simplify", "bump", "integrate", "address", "resolve", "wire", "hook up", "generate", "correct", "adjust", "clean up", "set up", "setup", "repair", "solve", "modify", "edit", "introduce", "drop", "enable", "disable", "apply", "undo", "revert",
)  # fmt: skip
#: Verbs that are done to code and to no answer, before what they are done to: "cache misses" are none.
_CODE_ORDER = Late(
    r"(?i)\b(?:allow|annotate|cache|catch|debounce|decouple|deprecate|encrypt|escape|extend|harden|hide|inject|inline|instrument|locali[sz]e|memoi[sz]e|mock|normali[sz]e|paginate|parallelize|parametri[sz]e|persist|prevent|redesign|restyle|retry|sanitize|sanitise|scaffold|stub|throttle|tweak) (?:the|all|any|every|each|an?|this|that|these|those|our|my|its|it|them|both|`\w)\b(?!.{0,40}\b(?:review|search|analysis|investigation|research|report|answer|summary|scope|findings)\b)",
    needs=(
        "allow|annotate|cache|catch|debounce|decouple|deprecate|encrypt|escape|extend|harden|hide|inject|inline|instrument|localise|localize|memoise|memoize|mock|normalise|normalize|paginate|parallelize|parametrise|parametrize|persist|prevent|redesign|restyle|retry|sanitize|sanitise|scaffold|stub|throttle|tweak",
    ),
)
_STRONG_DEED = Late(
    r"(?i)\b(?:fix|implement|refactor|rewrite|patch|port|debug|rename|optimi[sz]e|solve|(?:write|add|create|build|make|update|improve|change|extend|handle|support|remove|replace)\b.{0,40}\b"
    r"(?:tests?|parser|functions?|class(?:es)?|modules?|methods?|endpoints?|handlers?|components?|hooks?|features?|api|cli|flags?|options?|commands?|buttons?|pages?|screens?|forms?|fields?|validation|scripts?|bugs?|errors?|regressions?|types?|schema|migrations?|"
    r"queries|query|services?|librar(?:y|ies)|packages?|apps?|filters?|code|tests? green|login|auth\w*|tokens?|cache|router?|templates?|styles?|css|models?|interfaces?|props?))\b",
    needs=(
        "add|build|change|create|debug|extend|fix|handle|implement|improve|make|optimise|optimize|patch|port|refactor|remove|rename|replace|solve|update|write",
    ),
)
_DOCS = Late(
    r"(?i)\b(?:docs?|readme(?:\.md)?|documentation|changelog|docstrings?|comments? in|claude\.md|agents\.md|wiki|tutorial|guide|\w+\.(?:md|rst|adoc))\b",
    needs=(".md|.rst|changelog|comment in|comments in|doc|guide|readme|tutorial|wiki",),
)
_OPS_NOUN = Late(
    r"(?i)\b(?:gmail|inbox|calendar|linkedin|recruiters?|e-?mails?|mailbox|newsletters?|mcp server|browser tabs?|on-?call|incident|runbook|cron ?job|production|staging|kubernetes cluster|dns|ssl cert\w*|server|notariz\w*)\b",
    needs=(
        "browser tab|calendar|cron job|cronjob|dns|e-mail|email|gmail|inbox|incident|kubernetes cluster|linkedin|mailbox|newsletter|notariz|on-call|oncall|production|recruiter|runbook|server|ssl cert|staging",
    ),
)
_OPS_DEED = Late(
    r"(?i)^\W*(?:(?:please|can you|could you|now|ok|okay|and|then|also|let'?s)\W+)*(?:deploy|release|publish|install|configure|set ?up|organi[sz]e|clean ?up|push|commit|merge|tag|rebase|restart|start|stop|run|upgrade|provision|roll ?back|reply|draft a reply|send|schedule|unsubscribe|archive|builds? entities|squash|pull|checkout|create a (?:new )?(?:release|tag|branch))\b",
    needs=(
        "archive|build entities|builds entities|checkout|clean up|cleanup|commit|configure|create a branch|create a new branch|deploy|install|merge|organise|organize|provision|publish|pull|push|rebase|release|reply|roll back|rollback|run|schedule|send|set up|setup|squash|start|stop|tag|unsubscribe|upgrade",
    ),
)
_ISSUE_URL = Late(
    r"https?://(?:www\.)?(?:github|gitlab)\.[\w.]+/[\w./-]+/(?:issues|merge_requests|pull)/\d+",
    needs=("/issues/|/merge_requests/|/pull/",),
)
_PLAN_ASK = Late(
    r"(?i)(?:\bplan mode\b|^\W*(?:(?:please|ok(?:ay)?|let'?s|can you|could you|first|now|so)\W+)*(?:plan\b(?!\s+(?:is|was|looks|has|b\b|\d))|(?:create|make|draft|generate|propose|write|prepare|come up with|give me|sketch|outline|develop)\b[^.!?\n]{0,30}\bplan\b))",
    needs=("plan",),
)
_PLAN_DONE = Late(
    r"(?i)\b(?:implement|execute|carry out|follow|apply|start|do|proceed with|continue|work on|complete|finish|build|code)\b[^.!?\n]{0,40}\bplan\b|\bplan\b[^.!?\n]{0,60}\b(?:and|then)\s+(?:implement|execute|build|code|do it|fix|start|apply)",
    needs=("plan",),
)
#: Words of asking in front of what is asked for; none begins another that is longer by a word.
_WANTS = (
    "please", "pls", "ok", "okay", "now", "then", "also", "and", "but", "so", "yes", "just", "great", "thank", "thanks", "next", "first", "hey", "hi", "claude", "actually", "lets", "let's", "can you", "can u", "could you", "could u", "would you", "will you", "i want you to", "i need you to", "i'd like you to", "we need to", "we should", "you should", "you need to", "go ahead and", "help me", "try to", "i want to", "need to",
)  # fmt: skip


def read_task(ledger: "Ledger", turn: "Turn", words: "Words") -> Task:
    """
    The task of the current turn. Its type is read from what the whole session did, and only then from words: the prompt
    "commit and push" alone would look like ops, where it ends a coding task.
    """
    prompt = turn.prompt
    kind, source = _by_deeds(ledger)
    if kind is None:
        first = next((each.prompt for each in ledger.turns if each.prompt), prompt)
        kind, source = type_by_words(prompt), "words"
        if kind == "other":
            kind = type_by_words(first)
        if kind in {"coding", "other"} and (words.no_change or _only_looks(prompt)):
            kind = "research"
        kind, source = _ops_by_commands(ledger, kind, source)
    return Task(
        type=kind,
        source=source,
        prompt=prompt,
        asks_for_change=asks_for_change(prompt) and not words.no_change,
        plan_only=asks_for_plan(prompt),
        print_mode=turn.print_mode,
    )


def _only_looks(prompt: str) -> bool:
    """Whether it asks to find or to judge what is there: "find all places where we build SQL by hand", "/review URL"."""
    return first_deed(prompt) in _LOOKS and not asks_for_change(prompt)


def _by_deeds(ledger: "Ledger") -> "tuple[TaskType | None, str]":
    made = [edit for edit in ledger.edits if not edit.formatter and not edit.unnamed]
    code = sum(edit.kind in {"code", "test"} for edit in made)
    docs = sum(edit.kind == "docs" for edit in made)
    rest = len(made) - code - docs
    if code:
        return "coding", "edits"
    words = type_by_words(" ".join(turn.prompt for turn in ledger.turns)[:4000])
    if docs and docs >= rest:
        # A changelog entry is a part of a release, and not what was asked for.
        return ("ops" if words == "ops" and docs <= 2 else "docs"), "edits"
    if rest:
        return ("coding" if words == "coding" else "ops"), "edits"
    return None, ""


def _ops_by_commands(ledger: "Ledger", kind: "TaskType", source: str) -> "tuple[TaskType, str]":
    if kind in {"other", "coding"} and (ledger.pushes or ledger.commits):
        return "ops", "commands"
    return kind, source


def type_by_words(prompt: str) -> "TaskType":
    """The type that the words alone suggest: whole words in their place, never substrings."""
    text = " ".join(sentence.text for sentence in prose.sentences(prompt))[:2000]
    researches = _RESEARCH.search(text) is not None
    if researches and (holds(folded(_RESEARCH.sub(" ", text)), _CODE_DEEDS) or _ISSUE_URL.search(prompt)):
        strong = (
            _STRONG_DEED.search(text)
            or _ISSUE_URL.search(prompt)
            or re.search(
                r"(?i)\band (?:then )?(?:fix|implement|create|update|add|patch|change|remove|build|write)\b", text
            )
        )
        return "coding" if strong else "research"
    if _OPS_DEED.search(text) and not _STRONG_DEED.search(text):
        return "ops"
    if _DOCS.search(text) and not re.search(r"(?i)\b(?:fix|implement|refactor)\b", text):
        return "docs"
    if _OPS_NOUN.search(text) and not _STRONG_DEED.search(text):
        return "ops"
    if researches:
        return "research"
    if (
        _STRONG_DEED.search(text)
        or holds(folded(text), _CODE_DEEDS)
        or any(map(_CODE_ORDER.match, _wishes(prompt)))
        or re.search(r"(?i)\b(?:bugs?|errors?|regressions?|crash\w*|fails?|failing|broken|exception|traceback)\b", text)
    ):
        return "coding"
    return "research" if is_question(prompt) and len(text) > 20 else "other"


_LOOKS = frozenset(["find", "search", "list", "locate", "show", "count", "identify", "review", "where", "which"])
_OTHER_DEEDS = frozenset(
    ["commit", "push", "deploy", "release", "publish", "run", "test", "install", "merge", "finish", "continue", "do", "start", "go", "proceed", "open", "bring", "use", "put", "let", "try", "ensure", "rework", "redo", "document"]
)  # fmt: skip
#: Of them: what is done by running something or by looking.
_DEEDS_WITHOUT_EDITS = frozenset(["run", "use", "try", "test", "start", "open", "let"])


def _first_word(text: str) -> str:
    """The letters, digits and `_` at the very start, in lower case."""
    at = 0
    while at < len(text) and (text[at].isalnum() or text[at] == "_"):
        at += 1
    return folded(text[:at])


def _wanted(clause: str) -> str:
    """What is asked for, without the words of asking."""
    at = 0
    while at < len(clause) and not (clause[at].isalnum() or clause[at] == "_"):
        at += 1
    bare = clause[at:]
    if clause[at - 1 : at] == "@":  # "@src/app.ts add a retry"
        bare = bare.partition(" ")[2] or bare
    return _without_asking(bare)


def _without_asking(clause: str) -> str:
    at, low = 0, folded(clause)  # as long as the clause
    while low.startswith(_WANTS, at):
        ends = (at + len(words) for words in _WANTS if low.startswith(words, at))
        end = next((end for end in ends if low[end : end + 1] == "," or low[end : end + 1].isspace()), None)
        if end is None:
            break
        at = end
        while low[at : at + 1] == "," or low[at : at + 1].isspace():
            at += 1
    return clause[at:]


def asks_for_change(prompt: str) -> bool:
    """Whether the prompt asks for something to be done, and not only for an answer."""
    return _asks_for(prompt, _OTHER_DEEDS)


def asks_for_edits(prompt: str) -> bool:
    """Whether what it asks for takes a change: "use the deploy skill" and "try the new command" take none."""
    return _asks_for(prompt, _OTHER_DEEDS - _DEEDS_WITHOUT_EDITS)


def _asks_for(prompt: str, deeds: "frozenset[str]") -> bool:
    return any(
        _first_word(rest) in deeds or begins(folded(rest), _CODE_DEEDS) or _CODE_ORDER.match(rest)
        for rest in _wishes(prompt)
    )


def _wishes(prompt: str) -> "Iterator[str]":
    """What each clause asks for that is no part of a question."""
    said = (sentence.text for sentence in prose.sentences(prompt) if not sentence.asks)
    return (_wanted(clause) for text in said for clause in prose.clauses(text))


def first_deed(prompt: str) -> str:
    """The verb that a prompt begins with, without the words of asking; "" where it says nothing."""
    first = next((sentence.text for sentence in prose.sentences(prompt)), "")
    return _first_word(_wanted(first))


def is_question(prompt: str) -> bool:
    """Whether the prompt wants an answer and no deed."""
    said = prose.sentences(prompt)
    return any(sentence.asks for sentence in said) and not asks_for_change(prompt)


def asks_for_plan(prompt: str) -> bool:
    """Whether a plan was asked for in words, and not its execution."""
    text = "\n".join(sentence.text for sentence in prose.sentences(prompt)[:12])
    return any(_PLAN_ASK.search(line) for line in text.split("\n")) and not _PLAN_DONE.search(text)
