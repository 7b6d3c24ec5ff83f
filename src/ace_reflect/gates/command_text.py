"""A test command as a colleague would type it: without what hides its result."""

from ace_reflect import regex as re
from ace_reflect.late import Late

#: What hides a result; a quoted part before it is kept: `-run 'TestA|TestB'`.
_MASKS = Late(
    r"('[^'\n]*'|\"[^\"\n]*\")|(?<!\s)\s*(?:2>&1|&>|\d?>>?\s*/dev/null|\d?>>?\s*[\w./-]+\.(?:log|txt|out)|\|\|.*|\|&?.*|;.*|(?<![>&])&(?![&>]).*)",
    re.DOTALL,
)
_SIGNS = frozenset("|;>&")
_OPENING = frozenset("$({`")
#: Words of the shell's grammar before a command: `do pytest` is nothing that a person can type.
_GRAMMAR = frozenset({"do", "then", "else", "elif", "if", "while", "until", "!", "{", "("})
_STEP = Late(r"(?<!\s)\s*(?:&&|\n)\s*", needs=("&&|\n",))
_QUOTED = r"'[^']*+'|\"(?>(?:\\.|[^\"\\])*)\""
#: Up to what ends a step, or a part of one, outside of quotes.
_TO_STEP_END = Late(rf"(?>(?:{_QUOTED}|[^'\"&\n]|&(?!&))+)(?!['\"])", re.DOTALL)
_TO_PART_END = Late(rf"(?>(?:{_QUOTED}|[^'\";])+)(?!['\"])", re.DOTALL)
_CLOSED_QUOTES = Late(_QUOTED, re.DOTALL)


def unmasked(command: str, runner: str) -> str:
    """
    `cd app && npm test 2>&1 | tail -20` → `cd app && npm test`.

    Of a longer line only the leading `cd` and the step that ran the tests are kept; "" for one that is too long to show.
    """
    words = _step(command, runner).split(" ")
    while len(words) > 1 and words[0] in _GRAMMAR:
        del words[0]
    return " ".join(words)


def _step(command: str, runner: str) -> str:
    """The same with the words of a loop or a condition before it."""
    steps = [step.strip() for step in _STEP.split(command.strip()) if step.strip()]
    if not steps:
        return ""
    word = (runner.split() or [""])[-1].lower() if runner else ""
    chosen = (
        next((step for step in steps if runner and runner.lower() in step.lower()), None)
        or next((step for step in steps if word and word in step.lower().split()), None)  # no `-DskipTests` of another
        or next((step for step in steps if word and word in step.lower()), None)
    )
    if chosen is None:
        typed_steps = [step for step in steps if not step.startswith(("cd ", "export ", "source "))] or steps[-1:]
        # Where no step names the runner, git's hook ran the tests.
        by_hook = (step for step in typed_steps if step.startswith(("git commit", "git push")))
        chosen = next((step for step in typed_steps if "test" in step.lower()), None) or next(by_hook, typed_steps[0])
    lead = _folder(steps[: steps.index(chosen)])
    chosen = _with_its_quote(chosen, command, _TO_STEP_END)
    parts = [part.strip() for part in chosen.split(";")]
    if len(parts) > 1:
        part = next(
            (part for part in parts if runner and runner.lower() in part.lower()),
            next((part for part in parts if word and word in part.lower()), parts[0]),
        )
        lead, chosen = "", _with_its_quote(part, chosen, _TO_PART_END)
    fed, chosen = _fed(chosen, word)
    bare = fed + _closed(
        chosen.strip() if _SIGNS.isdisjoint(chosen) else _MASKS.sub(lambda found: found[1] or "", chosen).strip()
    )
    typed = f"{lead} && {bare}" if lead else bare
    return typed if bare and len(typed) <= 160 and "\n" not in typed and "<<" not in typed else ""


def _with_its_quote(step: str, command: str, to_end: Late) -> str:
    """The step with the rest of a quote that it opens: `docker run x sh -c "pip install pytest && pytest"` is one."""
    left = _CLOSED_QUOTES.sub("", step)
    quote = next((sign for sign in left if sign in "'\""), "")
    if not quote or left.endswith(quote):  # none, or the end of one that an earlier step opens
        return step
    whole = to_end.match(command, command.index(step))
    return whole.group().strip() if whole else step


def _folder(steps: "list[str]") -> str:
    """The `cd` that holds behind these steps; one in brackets holds up to their end: `(cd api && pytest)`, `pushd api`."""
    lead, brackets = "", False
    for step in steps:
        found = re.fullmatch(r"(\(\s*)?(?:cd|pushd) ([^|;&<>$`()]+)", step)
        if found:
            lead, brackets = f"cd {found[2].strip()}", found[1] is not None
        elif step == "popd" or (brackets and step.endswith(")")):
            lead = ""
    return lead


def _fed(step: str, word: str) -> tuple[str, str]:
    """What a pipe feeds the runner with, and the rest: `go list ./... | `, `xargs go test | tail -3`."""
    parts = step.split("|") if "||" not in step else [step]
    place = next((index for index, part in enumerate(parts) if word and word in part.lower().split()), 0)
    return ("|".join(parts[:place]).strip() + " | ", "|".join(parts[place:]).strip()) if place else ("", step)


def _closed(step: str) -> str:
    """Without the quote or bracket at its end whose other half stands in an earlier step: `ssh host 'cd app && npm test'`."""
    while step and (
        (step[-1] == ")" and step.count(")") > step.count("(")) or (step[-1] in "'\"" and step.count(step[-1]) % 2)
    ):
        step = step[:-1].rstrip()
    return step


def again(command: str, runner: str = "") -> str:
    """The same where it can be typed on its own; "" of a part of a loop, a condition or an expansion."""
    typed = _step(command, runner)
    first = typed.partition(" ")[0]
    part = first in _GRAMMAR or first == "for" or not _OPENING.isdisjoint(typed)
    return "" if part else typed
