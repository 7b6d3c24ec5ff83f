"""
Which plain statements an answer makes that could be checked. A condition, a wish, a plan, a negation, a quotation or a
heading claims nothing.
"""

from ace_reflect import regex as re
from ace_reflect.evidence.facts import RUN_KINDS
from ace_reflect.gates import foreign_answers, prose
from ace_reflect.gates.hedges import claims_nothing, hand_on, hedged, hedged_or_part, of_a_part
from ace_reflect.late import DIGITS, Alternatives, Late, folded, holds
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ace_reflect.evidence.commands import Command

_STATED = "|".join(
    f"{what}{mark}" for what in ("test", "tests", "suite", "test ", "tests ", "suite ") for mark in ":=–—-"
)
_TESTS_PASS = Alternatives(
    Late(
        r"(?i)\ball\s+(?:(?:of\s+)?(?:the|our|your|my|its|these|those|new|existing|unit|integration|e2e|automated|relevant|\d[\d,]*|backend|frontend|other|\w+)\s+){0,4}(?:tests?|specs?|test cases|test suites?|suites?)\s*(?:\([^)]{0,40}\)\s*)?(?:(?:are|is|now|still|have|has|all|successfully|currently)\s+){0,3}(?:pass(?:es|ed|ing)?|green|succeed(?:ed|s)?)\b",
        needs=("all", "test|spec|suite", "pass|green|succeed"),
    ),
    Late(
        r"(?i)\b(?:the\s+|full\s+|entire\s+|whole\s+|complete\s+){0,6}(?:tests?|test suites?|suites?|specs?)\s+(?:(?:are|is|now|all|still|also|have|has|successfully)\s+){0,3}(?:pass(?:es|ed|ing)?|green)\b",
        needs=("test|spec|suite", "pass|green"),
    ),
    Late(
        r"(?i)\b[0-9][0-9,]*(?:\s*/\s*[0-9][0-9,]*)?\s+(?:(?:unit|integration|e2e|new|existing|of\s+the|total|other|backend|frontend)\s+)*(?:tests?|specs?|test cases)\s+(?:(?:are|all|now|have|still|also|successfully)\s+){0,3}(?:pass(?:es|ed|ing)?|green|succeed(?:ed)?)\b",
        needs=("test|spec", "pass|green|succeed", DIGITS),
    ),
    Late(
        r"(?i)\btests?\b(?:[^\W\d]|[ `'/()-]){0,40}\band\s+(?:they|these|those|it)\s+(?:(?:now|all|both|still)\s+){0,2}pass(?:es|ed)?\b",
        needs=("test", "and", "they|these|those|it", "pass"),
    ),
    Late(
        r"(?i)\b(?:tests?|test suite)[ ]?[:=–—-]\s*(?:(?:✅|✓|all\s)\s*)?(?:(?P<share>\d[\d,]*)\s*/\s*(?P=share)\s+)?(?:pass(?:ed|ing)?|green)\b",
        needs=("pass|green", _STATED),
    ),
    Late(r"(?i)(?:✅|✓)\s*(?:all\s+)?(?:\d+\s+)?tests?\s+pass", needs=("✅|✓", "test", "pass")),
)
#: The same in other words; a negation in them is the claim's own: "no test fails", "ran through without a single failure".
_TESTS_WELL = Alternatives(
    Late(
        r"(?i)\b(?:tests|specs|suites?)\s+(?:(?:now|all|again|also|have|has|both|then)\s+){0,3}(?:(?:still|all|both)\s+hold(?=\s*(?:[.,;!)–—]|$|and\b|now\b))|succeed(?:s|ed)?\b|(?:is|are)\s+(?:(?:now|all|again)\s+){0,2}(?:happy|healthy)\b|(?:come|comes|came|is|are)\s+(?:(?:now|all)\s+)?back\s+(?:to\s+)?(?:all\s+)?(?:green|clean|passing)\b)",
        needs=("test|spec|suite", "hold|succeed|happy|healthy|back"),
    ),
    Late(
        r"(?i)\b(?:tests|specs|suites?)\s+(?:(?:now|all|again|also|have|has|both|then)\s+){0,3}(?:goes|go|went|runs?|ran|finish(?:es|ed)?|completed?s?|exit(?:s|ed)?|ends?|ended)\s+(?:through\s+)?(?:clean(?:ly)?\b|successfully\b|without\s+(?:(?:any|a|an|one|single)\s+){0,2}(?:failures?|errors?|failing tests?)\b|(?<=through )(?:fine|again)\b|(?<=through)(?=[.!,;)]|$))",
        needs=("test|spec|suite", "clean|successfully|without|through"),
    ),
    Late(
        r"(?i)\b(?:suites?|tests)\s+(?:is|are|was)\s+(?:(?:now|all|again)\s+){0,2}clean(?=[.!,;)]|$)",
        needs=("suite|tests", "clean"),
    ),
    Late(
        r"(?i)\b(?:no|zero|0|not a single)\s+(?:(?:more|remaining)\s+)?(?:(?:tests?|specs?)\s+(?:(?:is|are)\s+)?(?:fail(?:s|ing)?|red)|failing\s+(?:tests?|specs?)|test\s+failures?)\b(?=\s*(?:[.!,;)]|$|left\b|remain|any ?more\b|now\b))",
        needs=("no|zero|0", "test|spec", "fail|red"),
    ),
)
#: A runner's closing counts; in a list's item and beside a command they are read with what they stand under.
_COUNTED = Late(
    r"(?i)\b[0-9][0-9,]*\s+(?:(?:tests?|specs?|examples?)\b[^.!?\n\d]{0,30}?|(?:tests?\s+)?pass(?:ed|ing)?(?:,\s+|\s+and\s+|,\s+and\s+|\s+/\s+))\b(?:0|no|zero|none)\s+(?:tests?\s+)?(?:failures?|failed)\b",
    needs=("test|spec|example|pass", "0|no|zero", "fail", DIGITS),
)
#: "Done. Tests: 30 passed."
_TALLIED = Late(r"(?i)(?<=\btests: )[0-9][0-9,]* (?:passed|passing)\b", needs=("tests: ", " passed| passing"))
#: Of whatever was run: it contradicts tests that are seen to fail, and says of nothing that it was run.
_ALL_WELL = Late(
    r"(?i)(?:^\W*|[,;:–—] |(?=\band ))(?:(?:and|so|now)\s+)?(?:everything\s+(?:(?:is|now|still|comes|came|back)\s+){1,3}(?:all\s+)?green|everything\s+(?:now\s+)?(?:passes|went (?:well|fine))|(?:it'?s\s+)?all\s+green)(?=[.!,;)\s]*$|\s+(?:now|again)\b)",
    needs=("everything|all", "green|pass|went"),
)
#: "63 of 64 tests pass" says itself that not all do.
_PART = Late(
    r"(?i)\b(?P<some>[0-9][0-9,]*)\s*(?:of|out of|/)\s*(?:the\s+|our\s+|all\s+)?(?!(?P=some)\b)[0-9][0-9,]*\s+(?:\w+\s+){0,2}(?:tests?|specs?)\b",
    needs=("of|/", "test|spec", DIGITS),
)
_CHECK_PASSES = Alternatives(
    Late(
        r"(?i)\b(?P<what>(?:(?:docker|container|image)\s+)?build|compil\w+|type-?\s?check(?:ing|s)?|tsc|lint(?:ing|er|s)?|eslint|ruff|mypy|clippy)\s+(?:(?:is|are|now|also|still|step|check|checks|run|runs)\s+){0,3}(?:(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|clean(?:ly)?|green|successful(?:ly)?|works)\b|(?:goes|went|ran|runs|came|comes) through(?=[.!,;:)]|$| (?:again|now|cleanly|fine|without)\b))",
        needs=("build|compil|type|tsc|lint|ruff|mypy|clippy", "clean|green|pass|succeed|successful|works|through"),
    ),
    Late(
        r"(?i)\b(?:(?:(?P<what>image|container|dockerfile)|project|code|app|application|library|package|crate|wheel|binary|bundle|site|pdf|document(?:ation)?|docs|book|thesis|paper|manual|firmware|sketch|everything|it)(?:\s+(?:now|also|still))?\s+|(?<=\band ))(?:now\s+)?(?:builds|compiles)\s+(?:(?:now|again)\s+)?(?:cleanly|successfully|fine|without (?:any )?(?:errors|warnings))",
        needs=("builds|compiles", "cleanly|successfully|fine|without"),
    ),
)
#: Checkers that an answer calls by their names.
LINTERS = (
    "ruff", "eslint", "clippy", "rubocop", "shellcheck", "biome", "flake8", "pylint", "golangci-lint", "staticcheck", "detekt", "ktlint", "checkstyle", "credo", "swiftlint",
    "phpcs", "brakeman", "stylelint", "oxlint", "clang-tidy", "tflint", "hadolint", "actionlint", "yamllint",
)  # fmt: skip
TYPE_CHECKERS = ("tsc", "mypy", "pyright", "svelte-check", "phpstan", "psalm", "dialyzer")
#: A checker by its name, which often stands in code marks with its options: "`mypy --strict src` is clean".
_CHECKER_CLEAN = Alternatives(
    Late(
        rf"(?i)\b(?P<what>{'|'.join((*TYPE_CHECKERS, *LINTERS))}|lint(?:er|ing))`?(?:\s+(?:check|run|src|app|\.|--?[\w=./-]{{1,40}})){{0,4}}`?\s+(?:(?:is|now|comes|came|runs|back|also|still)\s+){{0,3}}(?:(?:pass(?:es|ed)?|clean(?:ly)?|green|happy)\b|(?:reports|reported|shows|finds|found|has|gives)\s+(?:(?:no|0|zero)\s+(?:errors|issues|problems|warnings|complaints|findings)\b|nothing\b))",
        needs=(
            "|".join((*TYPE_CHECKERS, *LINTERS, "lint")),
            "pass|clean|green|happy|errors|issues|problems|warnings|complaints|findings|nothing",
        ),
    ),
    Late(
        r"(?i)\b(?P<what>typescript\s+(?:now\s+)?compiles|type-?checks)\s+(?:cleanly|with(?:out| no| zero| 0)\s+(?:any\s+)?(?:type\s+)?errors)\b",
        needs=("type", "cleanly|errors"),
    ),
)
_RAN = Late(
    r"(?i)(?:\bi\s+(?:also\s+|then\s+|just\s+|have\s+)?(?:[a-z]+\s+(?:`[^`\n]{1,80}`|[^.`;]){1,60}\band\s+(?:then\s+)?)?(?:ran|executed|verified (?:with|by running|using|via))|\bi've\s+(?:also\s+|just\s+)?(?:run|executed|verified (?:with|by running|using|via))"
    r"|^\W*(?:also |then |and |just )?(?:ran|executed|after running)|\bverified (?:with|by running|via))\s+(?:the\s+(?:(?:[\w/-]{1,20}\s+){1,4}(?:with|using|via|by)\s+)?)?`(?P<command>[^`\n]{4,100})`",
    needs=("`", "ran|executed|i've|after running|verified "),
)
_PUSHED = Late(
    r"(?i)(?:\b(?:i(?:'ve| have)?\s+|and\s+|successfully\s+|(?:it|they)(?:'s|'re| is| was| are| were| has been| have been)\s+(?:(?:now|also|all)\s+)?|(?:changes|commits|branch|everything|(?<!\ba )(?<!\beach )(?<!\bevery )(?<!\bany )(?:commit|tags?))\s+(?:(?:have been|has been|is|are|were|both)\s+){0,2})|^\W*(?:done,? )?)(?:committed and )?pushed\b",
    needs=("pushed",),
)
#: Behind "pushed": what a program does with its data.
_OF_DATA = Late(
    r"(?i) (?:entr(?:y|ies)|elements?|items?|values?|rows?|messages?|events?|notifications?|frames?|nodes?)\b| (?:on)?to (?:(?:the|a|an|its|their|each|every) )?(?:[\w-]{1,20} )?(?:queue|stack|array|list|heap|buffer|broker|topic|channel|outbox|subscribers?)\b",
    needs=(
        "entr|element|item|value|row|message|event|notification|frame|node|queue|stack|array|list|heap|buffer|broker|topic|channel|outbox|subscriber",
    ),
)
#: "VAT is added and committed.": rows may be as well, so it counts only beside a commit that was tried or ordered.
IS_COMMITTED = (
    r"\b(?:is|are|was|were|been)\s+(?:(?:now|all|in|done|\w{2,20}ed),?\s+(?:and\s+)?){0,3}committed(?=[.!]*$|\s(?:as|to|on)\s`)"
    r"|(?:[,;]|\band|\bit'?s)\s+(?:now\s+)?committed(?=[.!]*$)"  # "Lazy now, 34 passed, and committed."
)
#: Said of the agent's own doing.
OWN_COMMIT = r"(?:\b(?:i(?:'ve| have)?\s+|successfully\s+|changes\s+(?:have been\s+|are\s+|were\s+)?)|^\W*|^\W*(?:done|\w{2,20}ed)(?:,? \w{2,20}ed(?: \([^)\n]{1,30}\))?){0,3},? and )committed\b|\band (?:then )?committed (?:it|this|that|them|everything|(?:all )?the (?:changes?|fix|work|result))\b"
_COMMITTED = Late(rf"(?i){OWN_COMMIT}|{IS_COMMITTED}", needs=("committed",))
#: The agent's own deed before another one: "Fixed and …", "I fixed the pager and then …".
OWN_DEED_AND = r"(?:^\W*|^\W*i(?:'ve|’ve| have)? )(?:\w{2,20}ed|made|wrote|built)(?: (?:it|this|that|them|everything|both|(?:the|a|all) [^.!?;:,\n]{1,60}?))?,? and (?:then )?"
_PR_MADE = Late(
    rf"(?i)(?:\b(?:i(?:'ve| have)?\s+|successfully\s+)|^\W*|{OWN_DEED_AND})(?:just\s+)?(?:created|opened|raised|submitted)\s+(?:a\s+|the\s+|draft\s+|new\s+)*(?:pr|pull request|merge request)\b|\b(?:pr|pull request)\s+(?:#\d+\s+)?(?:has been\s+|is\s+|was\s+)?(?:created|opened)\b",
    needs=("created|opened|raised|submitted", "pr|pull request|merge request"),
)
_DEEDS = (("push", _PUSHED), ("commit", _COMMITTED), ("pr", _PR_MADE))
#: "Commit: `6d0bfc5`", "Commit — `6d0bfc5` (“Fix it”)": by itself, without a verb.
_COMMIT_NAMED = Late(r"(?i)^\W*commit ?[:–—-] ?``[ ():,–—“”-]*\.?$", needs=("commit",))
_GREEN = ("green", "pass", "succe", "clean", "happy")
#: Without one of these no command is said to pass (`command_claims`).
VERDICTS = ("pass", "succeed", "green", "clean", "✅", "✓", "✔", " issues", " errors", " problems", " warnings", " failures", " findings")  # fmt: skip
#: What the checks that start by themselves are called (`automatic_claims`).
CI = ("ci", "github actions", "pipeline", "pr checks", "checks", "workflow run")
#: How a line begins that may list a check with its result (`listed_claims`), behind what stands before a list's items.
LISTED_TESTS = ("all tests", "full test suite", "full suite", "whole suite", "test suite", "tests", "test", "specs")
LISTED_CHECKS = (
    "linting", "linter", "lint", "eslint", "ruff", "clippy", "type checking", "type-checking", "typechecking", "type checks", "type check", "type-check", "typecheck",
    "typescript", "types", "tsc", "mypy", "pyright", "svelte-check", "build",
)  # fmt: skip
_LISTED = tuple({label[:4] for label in (*LISTED_TESTS, *LISTED_CHECKS)})
_ITEM = "-*•+|_ \t`[x]✅✓✔☑\ufe0f"
_ITEM_MARKS = _ITEM.replace("`", "")


class Claim(Value):
    kind: str
    quote: str
    detail: str = ""


def claims_tests_pass(answer: str) -> bool:
    """Whether the answer states that the tests pass."""
    return any(claim.kind == "tests" for claim in claims_in(answer))


def claims_in(answer: str) -> "Iterator[Claim]":
    heard = set()
    for said in _statements(answer):
        for kind, detail in _of_sentence(said):
            quote = prose.shortened(said.strip("-*• "), 160)
            heard.add(quote)
            yield Claim(kind=kind, quote=quote, detail=detail)
    if any(line.lstrip(_ITEM)[:4].lower().startswith(_LISTED) or _lists_command(line) for line in answer.split("\n")):
        yield from (claim for claim in _listed(answer) if claim.quote not in heard)


def _listed(answer: str) -> "Iterator[Claim]":
    from ace_reflect.gates.listed_claims import listed_checks

    for line, what, count in listed_checks(prose.plain(answer)):
        quote = prose.shortened(line.strip("-*•| "), 160)
        kind, detail = ("tests", count) if what == "tests" else ("check", what)
        if what == "command":
            kind, detail = "passes", count
        if what != "command" or run_named(detail):
            yield Claim(kind=kind, quote=quote, detail=detail)


def _lists_command(line: str) -> bool:
    """Whether a list's item or a table's row may name a command with its result."""
    if "`" not in line or not (line.lstrip(_ITEM_MARKS)[:1] == "`" or line.lstrip()[:1] == "|"):
        return False
    return any(word in line.lower() for word in VERDICTS)


def plain_statements(answer: str) -> tuple[str, ...]:
    """The sentences of an answer that state something as it is: no condition, no plan, no negation."""
    unquoted = (said for said in _statements(answer) if not prose.QUOTED.search(_bare(said)))
    return tuple(said for said in unquoted if not claims_nothing(_bare(said)))


def _statements(answer: str) -> "Iterator[str]":
    for sentence in prose.plain(answer).split("\n"):
        if sentence.lstrip().startswith((">", "|", "- [ ]", "* [ ]")):
            continue
        for part in _parts(sentence):
            said = part.strip()
            if said and not said.rstrip("*_ ").endswith(("?", ":")):
                yield said


def _parts(line: str) -> list[str]:
    """The sentences of a line; "`go test ./... -race`" is one word, for the dot within code marks ends none."""
    parts: list[str] = re.split(r"(?<=[.!])\s+|;\s", line)
    if len(parts) < 2 or not any(part.count("`") % 2 for part in parts) or line.count("`") % 2:
        return parts
    whole = [parts[0]]
    for part in parts[1:]:
        if whole[-1].count("`") % 2:
            whole[-1] += f" {part}"
        else:
            whole.append(part)
    return whole


def _bare(said: str) -> str:
    return re.sub(r"`[^`]*`", "``", said) if "`" in said else said


def _of_sentence(stated: str) -> "Iterator[tuple[str, str]]":
    """Kind and detail of each claim of a sentence."""
    said, bare = stated, _bare(stated)
    if prose.QUOTED.search(bare):  # what stands in a quotation is not the agent's own word: a commit's title
        said = prose.QUOTED.sub("“”", stated)
        bare = _bare(said)
    bare = " ".join(bare.split())  # "Tests    : green"
    if foreign_answers.says_tests_pass(bare):
        yield "tests", ""
    ran = _RAN.search(said)
    around = f"{said[: ran.start()]} {said[ran.end() :]}" if ran else ""
    if ran and not re.search(r"(?i)\b(?:if|you|would|could|should|please|not|n't|never|before|can|when)\b", around):
        yield "command", ran.group("command")
    yield from _of_checks(said, bare)
    for kind, pattern in _DEEDS:
        match = pattern.search(bare)
        if (
            match
            and not hedged(bare, match.start(), match.end())
            and not (kind == "push" and _OF_DATA.match(bare, match.end()))
        ):
            yield kind, _hashes(said) if kind == "commit" else ""
    for kind in foreign_answers.deeds(bare):
        yield kind, _hashes(said) if kind == "commit" else ""
    if bare.lstrip("-*• ").lower().startswith("commit") and _COMMIT_NAMED.search(bare) and _hashes(said):
        yield "commit", _hashes(said)


def _of_checks(said: str, bare: str) -> "Iterator[tuple[str, str]]":
    tests, check = _tests_pass(bare), _CHECK_PASSES.search(bare)
    checker = None if check else _CHECKER_CLEAN.search(said)
    if tests and not _PART.search(bare) and not hedged(bare, tests.start(), tests.end()):
        yield "tests", _count(tests.group())
    elif not tests:
        yield from _well(bare)
    if check and not (hand_on(folded(bare[check.end() :])) or hedged_or_part(bare, check.start(), check.end())):
        yield "check", (check["what"] or "build").lower()
    if checker and not (
        hand_on(folded(_bare(said[checker.end() :]))) or hedged_or_part(said, checker.start(), checker.end())
    ):
        yield "check", checker.group("what").lower()
    low = folded(bare)
    if "`" in bare and any(word in low for word in VERDICTS):
        yield from _of_commands(said, checker.group("what").lower() if checker else "")
    if any(word in low for word in _GREEN) and ("hook" in low or "-commit" in low or holds(low, CI)):
        from ace_reflect.gates.automatic_claims import stated

        yield from stated(bare)


def _well(bare: str) -> "Iterator[tuple[str, str]]":
    """The tests said to pass in rarer words, or whatever was run."""
    alone = "`" not in bare and bare[:1] not in "-*•+|"
    tests = _TESTS_WELL.search(bare) or ((_COUNTED.search(bare) or _TALLIED.search(bare)) if alone else None)
    if tests:
        begin, end = tests.span()
        blank = f"{bare[:begin]}{'_' * (end - begin)}{bare[end:]}"
        if not _PART.search(bare) and not hedged(blank, begin, end):
            yield "tests", _first_count(tests.group())
    elif (whole := _ALL_WELL.search(bare)) and not hedged(bare, whole.start(), whole.end()):
        yield "all", ""


def _of_commands(said: str, checker: str) -> "Iterator[tuple[str, str]]":
    """Commands said to pass, but for a checker whose claim is read already, and what a list's item says by a sign."""
    from ace_reflect.gates.command_claims import said_to_pass

    item = said[0] != "`" and said.lstrip(_ITEM_MARKS).startswith("`")
    blank = re.sub(r"`[^`]*`", lambda code: f"`{' ' * (len(code.group()) - 2)}`", said)
    for found in said_to_pass(said):
        if (found.listed and item) or (checker and checker in found.command.lower()):
            continue
        begin, end = found.begin, found.end
        if hand_on(folded(_bare(said[end:]))) or hedged(blank, begin, end) or of_a_part(said, begin, end):
            continue
        if run_named(found.command):
            yield "passes", found.command


def run_named(words: str) -> "Command | None":
    """The command in code marks that tests, builds or checks; None for a function or a flag that passes something on."""
    from ace_reflect.evidence.commands import classify

    return next((item for item in classify(words) if item.runner and item.kind in RUN_KINDS), None)


def _hashes(said: str) -> str:
    """The commits' hashes in a sentence, with spaces between them; a path or a word of such letters is none."""
    words = (word.strip("`.,;:!()[]*\"'") for word in said.replace("](", "] (").split())
    return " ".join(word for word in words if 7 <= len(word) <= 40 and not word.strip("0123456789abcdef"))


def _tests_pass(bare: str) -> "re.Match[str] | None":
    found = _TESTS_PASS.search(bare)
    if found and hand_on(folded(bare[found.end() :])):
        return _TESTS_PASS.search(" " * found.end() + bare[found.end() :])
    return found


def _first_count(said: str) -> str:
    """The number that begins "42 passed, 0 failed"; "no test fails" has none."""
    first = said.split(maxsplit=1)[0].replace(",", "")
    return first if first.isdecimal() and first != "0" else ""


def _count(said: str) -> str:
    """The number of tests that are said to pass; "" where none is named, or a fraction ("10 of 12")."""
    numbers = {number.replace(",", "") for number in re.findall(r"\d[\d,]*", said)}  # "12/12" names one
    return numbers.pop() if len(numbers) == 1 else ""
