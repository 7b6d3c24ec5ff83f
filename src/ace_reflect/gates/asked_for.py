"""
What the person asked for by name and the session shows no trace of: a test to be written, a command to be run.

Only plain requests in a short prompt count, and only where nothing could have done it unseen.
"""

from ace_reflect import regex as re
from ace_reflect.evidence import languages
from ace_reflect.evidence.call_words import NODE_MANAGERS, TASK_RUNNERS
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.gates import phrases, prose
from ace_reflect.gates.unanswered import is_apart
from ace_reflect.late import Late, folded, holds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.commands import Command
    from ace_reflect.evidence.facts import Run
    from ace_reflect.gates.case import Case

_LONGEST = 1_200  # characters: longer prompts are pasted reviews, plans and logs
_TEST_WANTED = Late(
    r"(?i)(?:^|[,;:]\s*|\b(?:and|then|also|please|plus|you|should|must)\s+)(?:also |please |then ){0,6}(?:add|write|create)\s+(?:(?:a|an|one|two|some|the|new|more|few|unit|regression|integration|failing|e2e|its|corresponding|matching|proper|small|short|simple)\s+){0,4}tests?\b(?![/-]|\.\w)(?! *(?:failures?|suites?|runners?|results?|runs?|data|users?|accounts?|env\w*|server|db|database|plans?|pages?|commands?|scripts?|ids?\b|buttons?|hooks?|flags?|mode|calls?|requests?|inputs?|images?|strings?|values?|quer(?:y|ies)|messages?|projects?|repos?\b|apps?\b|videos?|e-?mails?|keys?\b|tokens?|orders?|payments?|webhooks?|instances?|setup|harness|framework|outputs?|logs?\b|names?|labels?|doubles?|files?\b(?! for)|(?:to|in|into) (?:the |our |my )?(?:ci\b|pipeline|workflow|makefile|docker|matrix|build|github|package|pre-?commit|script|readme|docs)))"
    r"|(?:,|\b(?:and|plus))\s+(?:a|one|an?\s+(?:unit|regression|integration))\s+test\s+(?:for|that|which|to|of)\b|\bwith (?:a|an|one|unit|regression|some|new)\s+(?:(?:unit|regression|integration|new|small)\s+)?tests?\b(?![/-]|\.\w)(?! *(?:data|user|account|server|suite|runner|env|run|file|page|call|request|input|image|string|value|query|message|project|repo|app|mode|key|token|order|payment))",
    needs=("test",),
)
_NEGATED = Late(
    r"(?i)\b(?:don'?t|do not|no need|not(?! (?:just|only)\b)|without|never|skip|instead of|if|unless|before|after you|maybe|perhaps|later|eventually|some ?day|next (?:time|week|sprint))\b",
    needs=("n't|nt|not|no |without|never|skip|instead|if|unless|before|after|maybe|perhaps|later|eventual|some|next ",),
)
#: When it is to be run: "before you finish", "before committing".
_MOMENT = Late(r"(?i)\s*\bbefore (?:you|we|i|committing|pushing|opening|finishing|merging)\b", needs=("before",))
#: The answer itself speaks of why there is none.
_SPOKEN_OF = Late(
    r"(?i)\btests?\b[^.!?\n]{0,80}\b(?:not|n'?t|already|skipp\w*|instead|manual\w*|later|cannot)\b|\b(?:not|n'?t|no|already|without|cannot|instead of|skipp\w*)\b[^.!?\n]{0,60}\btests?\b|\bcover(?:s|ed|ing|age)?\b",
    needs=("test|cover",),
)
#: Tests that stand in the file they test, or that no name tells.
_INLINE = frozenset(["rust", "zig", "d", "solidity", "sql", "shell", "r", "julia", "nim", ""])
_TEST_LIKE = Late(
    r"(?i)test|spec|e2e|cypress|\.cy\.|feature|scenario|check|bench|fixture|snap",
    needs=("test|spec|e2e|cypress|.cy.|feature|scenario|check|bench|fixture|snap",),
)
_RUN_WANTED = Late(
    r"(?i)(?:^|[.;:,]\s*|\b(?:and|then|also|please|afterwards|finally)\s+)(?:also |then |please ){0,6}(?:run|execute|verify(?: it| this| that)? (?:with|by running)|check(?: it| this)? (?:with|by running)|test(?: it| this)? (?:with|by running)|confirm (?:with|by running))\b\s*:?\s*(?P<list>[^!?\n]+)",
    needs=("run|execute|verify|check|test|confirm",),
)
#: "Make sure `npm run lint` is clean": the command stands between backticks.
_SURE_WANTED = Late(
    r"(?i)\b(?:make sure|ensure)(?: that)? (?P<list>[^!?\n]{3,120}? (?:still |also )?(?:passes|succeeds|is (?:still )?(?:clean|green|happy))\b)",
    needs=("make sure|ensure", "passes|succeeds|clean|green|happy"),
)
_NOT_DONE = Late(
    r"(?i)\b(?:not|no|cannot|without|never|skipp\w+|unable)\b|n['’]t\b",
    needs=("not|no|without|never|skipp|unable|n't|n’t",),
)
#: A server that is started runs on, and an installation shows in what works afterwards.
_LEFT_TO_THE_PERSON = frozenset({CommandKind.SERVER, CommandKind.INSTALL})
#: A word that begins a command, wherever it is named.
PROGRAM = Late(
    r"^(?:npm|npx|pnpm|yarn|bun|deno|node|pytest|python3?|tox|nox|uv|poetry|cargo|go|make|just|task|mise|docker|docker-compose|kubectl|helm|terraform|gradle|mvn|dotnet|ruff|mypy|eslint|tsc|rspec|rake|bundle|composer|phpunit|mix|swift|flutter|bazel|cmake|ctest)$|^\./"
)

#: A command between backticks is one whatever its program, where the order is plainly the person's own.
_QUOTED = Late(
    r"`(?P<command>[\w./-]{2,40} [^`\n]{1,120})`(?=$|[.,;)]| (?:when|once|after|afterwards|at the end|to (?:check|verify|confirm|see|make sure)|and|then|for me|please|too|as well|again)\b)",
    needs=("`",),
)
_TOLD_OF = Late(r"(?i)\b(?:when(?:ever)?|i|we|they|he|she|it|users?|people|someone|which|that|to)\b")
#: Tasks of these names run all checks of a project, of whatever kind.
_ALL_OF_THEM = frozenset({"all", "check", "checks", "ci", "preflight", "validate", "verify"})
_TASKS = "|".join([*TASK_RUNNERS, "tox", "nox", "hatch", "pdm", "pre-commit", "lefthook"])
#: A command that runs others, which it does not name: a script, a task, what an image or a service starts. To install packages is no task.
RUNS_OTHERS = Late(
    rf"(?:^|[\s;&|(])(?:\./|(?:bash|sh|zsh) [\w./]|(?!(?:{'|'.join(NODE_MANAGERS)}) (?:i|ci|install|add)\b)(?:{_TASKS})\b|(?:docker|podman)(?: compose|-compose)? (?:run|exec|start|up)\b)",
    needs=(f"./|bash |sh |docker|podman|{_TASKS}",),
)


def test_not_written(case: "Case") -> str:
    """The person's words that ask for a test where this turn changed code and wrote none; "" where all is well or unsure."""
    edits = case.own(case.ledger.edits)
    code = [edit for edit in edits if edit.kind == "code" and not edit.trivial]
    if not code or any(edit.kind == "test" or _TEST_LIKE.search(edit.path) for edit in edits):
        return ""
    if any(edit.unnamed for edit in edits):  # a checkout, a generator: it may have brought one
        return ""
    if any(languages.of_file(edit.path) in _INLINE for edit in code) or _unseen(case) or _SPOKEN_OF.search(case.final):
        return ""
    return next((said for said in _requests(case) if _TEST_WANTED.search(said) and not _NEGATED.search(said)), "")


def never_run(case: "Case") -> tuple[str, str]:
    """(command, the person's words) of a command that was to be run in this turn and never was; ("", "") else."""
    if not case.worked or _unseen(case):
        return "", ""
    for said in _requests(case):
        text = phrases.IN_A_TEXT.search(said)
        if text and not said[text.end() :].strip():  # what follows is the text
            return "", ""
        match = _RUN_WANTED.search(said) or _SURE_WANTED.search(said)
        if match is None:
            continue
        if text and text.end() <= match.start("list"):
            continue
        listed, *_when = _MOMENT.split(match["list"])
        if _NEGATED.search(said[: match.start("list")] + listed):
            continue
        in_marks = [command for command in case.turn.prompt.split("`")[1::2] if " " in command]
        if match.re is not _RUN_WANTED.compiled and not any(map(listed.startswith, in_marks)):
            continue
        named = _commands(listed, in_marks) or _quoted(said, match, case)
        missing = next((each for each in named if not _ran(each, case) and not _told(each, case)), "")
        if missing:
            return missing, prose.shortened(said, 120)
    return "", ""


def _requests(case: "Case") -> list[str]:
    """The plain requests of this prompt, without questions."""
    prompt = case.turn.prompt
    if case.turn.kind != "human" or case.turn.limits or len(prompt) > _LONGEST or case.words.waiver("tests"):
        return []
    return [sentence.text for sentence in prose.sentences(prompt) if not sentence.asks]


def _commands(listed: str, in_marks: list[str]) -> list[str]:
    """ "npm test, npm run lint, and docker build ." as its three commands; what is no command is left out."""
    parts = re.split(r",\s*(?:and |then )?|(?<!\s)\s+(?:and|then|&&)\s+|;\s*", listed)
    words = [_words(part.strip(" `.'\""), in_marks) for part in parts]
    return [
        " ".join(each)
        for each in words
        if len(each) > 1 and PROGRAM.match(each[0]) and re.match(r"[\w./:@-]+$", each[1])
    ]


def _words(part: str, in_marks: list[str]) -> list[str]:
    """All words of a command that stands in code marks; else the first three, for nothing tells where it ends."""
    return next((each for each in in_marks if part.startswith(each)), " ".join(part.split()[:3])).split()


def _quoted(said: str, match: "re.Match[str]", case: "Case") -> list[str]:
    """The first three words of a command between backticks, of a program that no table holds: `mkdocs build --strict`."""
    quoted = [found["command"] for found in _QUOTED.finditer(case.turn.prompt)]
    command = next((each for each in quoted if match["list"].startswith(each)), "")
    known = {run.command for run in case.ledger.runs}
    behind = (seen for seen in case.ledger.commands_seen if seen not in known)
    if not command or _TOLD_OF.search(said[: match.start()]) or any(map(RUNS_OTHERS.search, behind)):
        return []
    return [" ".join(command.split()[:3])]


def _ran(command: str, case: "Case") -> bool:
    """Whether it ran, or another of its kind did: who asks for `npm run lint` is served by `npx eslint src`."""
    from ace_reflect.evidence.commands import classify  # the shell's splitter: few stops come this far

    meant = classify(command)
    kinds = {item.kind for item in meant}
    if kinds & _LEFT_TO_THE_PERSON or any(serves(run, meant) for run in case.ledger.runs):
        return True
    program, key = _name(command)
    known = [program, *([key] if re.fullmatch(r"[a-z][\w:-]*", key) else [])]
    return any(all(word in seen for word in known) for seen in case.ledger.commands_seen)


def serves(run: "Run", meant: "tuple[Command, ...]") -> bool:
    """Whether a run is as good, as one of the same kind is; unit tests are not for `pnpm e2e`, a suite that they leave out."""
    if not _ALL_OF_THEM.isdisjoint(re.split(r"[\s:_-]", run.runner)):
        return True
    same = [item.runner for item in meant if item.kind is run.kind]
    if run.kind is CommandKind.TEST and any(map(is_apart, same)):
        return is_apart(f"{run.runner} {run.command}")
    return bool(same)


def _told(command: str, case: "Case") -> bool:
    """Whether the answer speaks of it by its name, or says in other words that it was not run: "no browser for Playwright here"."""
    key = folded(_name(command)[1])
    return " ".join(command.split()[:2]) in case.final or any(
        holds(folded(said), (key,)) and _NOT_DONE.search(said) for said in prose.plain(case.final).split("\n")
    )


def _name(command: str) -> tuple[str, str]:
    """The program and what it is told to do: pnpm and e2e of `pnpm --filter web run e2e`."""
    from ace_reflect.evidence.commands import classify

    words = command.split()
    runner = next((item.runner.split() for item in classify(command)), [])
    if len(runner) > 1 and runner[0] == words[0]:
        return words[0], runner[-1]
    return words[0], words[2] if len(words) > 2 and words[1] in {"run", "exec"} else words[1]


def _unseen(case: "Case") -> bool:
    """Whether others may have done it, out of sight."""
    return case.out_of_sight or bool(case.running) or case.used_servers
