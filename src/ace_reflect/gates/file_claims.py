"""
Files that an answer says were made or changed, against what the session did.

Certain is little: anything that may have made the file unseen (a generator, a subagent, an earlier session) lets the
claim stand.
"""

from ace_reflect.evidence.call_words import posix
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.gates import prose
from ace_reflect.late import Late
from ace_reflect.transcript.tool_names import EDITS, SUBAGENTS, TODOS
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ace_reflect.evidence.commands import Command
    from ace_reflect.evidence.facts import Edit
    from ace_reflect.gates.case import Case

_EXTENSIONS = r"(?:md|mdx|rst|txt|adoc|pyi?|tsx?|jsx?|[cm]js|go|rs|java|kts?|rb|php|cs|cpp|hpp|[ch]|swift|scala|sh|bash|ps1|sql|html?|s?css|jsonl?|ya?ml|toml|ini|cfg|xml|csv|ipynb|tf|lua|exs?|vue|svelte|proto|graphql|dart|zig|jl|svg|png|pdf|docx)"
_FILE = rf"(?P<path>(?:[\w@.~()\[\]-]{{1,200}}/)*[\w@.-]*\w\.{_EXTENSIONS})(?![\w/-])"
#: What is called like a file and is none.
_PRODUCT = Late(
    r"(?i)(?:node|next|nuxt|vue|react|express|three|d3|chart|alpine|ember|moment|discord|p5|solid|backbone|socket|day|matter|type|draw|asp|ado|vb)\.(?:js|io|net)"
)
_MADE = Late(
    r"(?i)\b(?:added|created|wrote|written|saved|generated|produced|drafted|exported|updated|rewrote|rewritten)\b(?P<gap>(?:[^.!?\n`]|`[^`\n]*`(?=[^\n]*`))"
    r"{0,80}?)[`\[*(]*" + _FILE,
    needs=("added|created|wrote|written|saved|generated|produced|drafted|exported|updated|rewrote|rewritten",),
)
#: The next of several behind one verb: "Created `a.md`, `b.md` and `c.md`". What has a verb of its own is none of them.
_ALSO_MADE = Late(
    rf"(?i)[`*\])]{{0,6}}(?:, ?(?:and )?| and | & | \+ )[`\[*]{{0,6}}{_FILE}(?=[`*\])]{{0,6}}(?:$|[.;:(]| [(–—-]|(?:,(?: and)?| and| &| \+) [`\[*]{{0,6}}[\w@./-]{{1,200}}\.\w| (?:with|for|so that)\b))"
)
_IS_MADE = Late(
    rf"(?i)(?<![\w@./\[-])[`*\[]{{0,6}}/*{_FILE}[`*\])]{{0,6}}\s+(?:(?:is|was|has been|have been|now)\s+){{1,2}}(?:created|written|added|saved|generated|in place|ready)\b|\bnew (?:file|document|script|module|page)s?:?\s+[`*\[]*"
    + _FILE.replace("path", "new"),
    needs=(
        "created|written|added|saved|generated|in place|ready|new file|new document|new script|new module|new page",
        "is|was|been|now|new ",
    ),
)
#: In front of the verb: nothing, or the speaker. "A generated `x.md`" and "modified: x.md" are somebody else's.
_BY_ME = Late(
    r"(?i)(?:^\W*(?:\d+[.)]\W*)?|\b(?:i|i've|have|has|we|we've|and|also|then|been|was|were|just|now|successfully|newly)\W*)$"
)
#: "are written to metadata.json": what a program does.
_OF_A_PROGRAM = Late(
    r"(?i)\b(?:is|are|be|being|gets?|will|would|should|can|must|to|not|n't|never|if|when|once|that|which)\s+(?:\w+\s+)?$"
)
#: Between the verb and the name: the name is what was made, or where it was put.
_LEADS_TO = Late(
    r"(?i)^\W*(?:(?:a|an|the|new|short|full|complete|separate|basic|small|simple|minimal|initial|first|comprehensive|detailed|file|files|script|module|document|doc|report|guide|summary|page|component|config|plan|called|named|also|and)\W+){0,6}$|\b(?:to|in|at|into|as|under|called|named)\s*[:`*(\[]*$|:\s*$"
)
_ITEM = Late(
    rf"^\s*(?:[-*•+]|\d+[.)]|\|)\s*(?:(?:✅|✓|☑|\[x\])\s*)?(?:\*\*)?[`\[]{{0,6}}{_FILE}(?::\d+)?[`\]]{{0,6}}(?:\([^)]*\))?(?:\*\*)?\s*(?:\([^)]*\)\s*)?(?:[:—–|]|-\s)\s*(?P<what>\S.*)$"
)
_PAST = Late(
    r"(?i)^\W*(?:also |now |newly |just )?(?!(?:need|shared|unchanged|unaffected|untouched|related|reviewed|checked|verified|confirmed|noted|used|required|expected|planned|skipped|based|kept|hundred|embed|unused)\b)(?:\w+ed|made|wrote|rewrote|built|new|set|put|split)\b"
)
_PRESENT = Late(
    r"(?i)^\W*(?:now |also )?(?!(?:is|was|has|does|needs|stays|remains|keeps|still|uses|lets|its|this|as|exists|lives)\b)[a-z]{3,}s\b"
)
_NOT_MINE = Late(
    r"(?i)\b(?:unchanged|no changes?|not (?:changed|touched|needed|modified|written|created|yet)|n'?t\b|already|existing|exists|untouched|todo|should|will|would|could|can|may|needs?|remains?|optional|later|if|once|please|you\b|upstream|previously|was there|before|from (?:main|the pr|upstream))\b"
)
_HEADING_OF_OTHERS = Late(
    r"(?i)\b(?:existing|upstream|related|review\w*|next|remaining|todo|reference|previous\w*|suggest\w*|recommend\w*|propos\w*|plan\w*|would|should|could|missing|needed|not (?:changed|touched|done|yet)|unchanged|to (?:do|be|change|create|add|write)|key files|where|structure|overview|main|master|incoming|theirs?)\b"
)
_HARMLESS = frozenset(
    {
        CommandKind.READ,
        CommandKind.TEST,
        CommandKind.LINT,
        CommandKind.TYPECHECK,
        CommandKind.COMMIT,
        CommandKind.PUSH,
        CommandKind.PR_CREATE,
        CommandKind.PR_VIEW,
        CommandKind.PR_CHECKS,
        CommandKind.PR_COMMENT,
        CommandKind.ISSUE,
        CommandKind.INSTALL,
        CommandKind.BUILD,
        CommandKind.FORMAT,
        CommandKind.SERVER,
    }
)
_MESSAGES = frozenset({CommandKind.COMMIT, CommandKind.PR_CREATE, CommandKind.PR_COMMENT, CommandKind.ISSUE})
#: Make no file, or name every file they make.
_QUIET_PROGRAMS = Late(
    r"^(?:git (?:add|fetch|log|diff|status|show|branch|tag|remote|config|push|commit|rm|rev-parse|reset|mv|init|clean|check-ref-format|checkout -b|switch -c)\b|(?:mkdir|chmod|kill|pkill|lsof|sleep|echo|printf|wc|pwd|date|sed|rm|touch|tee|cat|gofmt|prettier|black|ruff)\b)"
)
#: Made by runs of tests and builds rather than by hand.
_MADE_BY_RUNS = Late(
    r"(?i)(?:^|/)(?:generated|snapshots?|__snapshots__|coverage|dist|build|out|output|reports?|results?|logs?|tmp|target|htmlcov|screenshots?)(?:/|$)|\.(?:snap|log|lock|xml|csv|png|pdf|html)$"
    # What installing, building or publishing rewrites without a word.
    r"|(?:^|/)(?:package(?:-lock)?\.json|pnpm-lock\.yaml|go\.(?:mod|sum)|Cargo\.toml|pyproject\.toml|requirements[\w.-]*\.txt|composer\.json|tsconfig[\w.-]*\.json|next-env\.d\.ts|openapi\.(?:json|ya?ml)|schema\.(?:graphql|json)|[\w.-]*\.gen(?:erated)?\.\w+)$"
)
_OWN_TOOLS = (
    EDITS | TODOS
    | {"Read", "Bash", "BashOutput", "KillShell", "Grep", "Glob", "LS", "AskUserQuestion", "WebFetch", "WebSearch", "ToolSearch", "ExitPlanMode", "EnterPlanMode"}
)  # fmt: skip
_TIDIED = Late(
    r"(?i)format|lint|imports?\b|style|whitespace|sort|indent|tid(?:y|ied)|clean",
    needs=("format|lint|import|style|whitespace|sort|indent|tid|clean",),
)
_BY_SUBAGENTS = SUBAGENTS | {"TaskOutput"}
#: Flags with which a check writes what it would have complained of: recorded outputs, what a linter mends.
_REWRITES = ("--fix", "-fix", "--update", "-update", "--snapshot-update", "--accept", "--bless", "--write", "--autocorrect", "--auto-correct", "-a", "-A", "-u")  # fmt: skip
_MENDS = frozenset({CommandKind.TEST, CommandKind.LINT, CommandKind.FORMAT})
#: What a build or an installer is said to have made is its own to name.
_BY_A_TOOL = ("generated", "produced", "exported", "by running", "the build", "scaffold")
#: Commands that show what others, or earlier sessions, changed.
_LOOKS_AT_CHANGES = ("git log", "git show", "git diff", "git whatchanged", "git range-diff", "gh pr diff", "gh pr view", "glab mr diff")  # fmt: skip


_APART = dict.fromkeys(map(ord, "{},/.'\""), " ")
_MARKS = frozenset("-*•+|0123456789")  # how an item of a list begins


class FileClaim(Value):
    path: str
    quote: str
    present: bool = False  # told in the present tense: "describes the header"


def made_in(sentence: str) -> "Iterator[FileClaim]":
    """The files that a sentence says were made. Hedged sentences are the caller's to leave out."""
    text = sentence.replace("**", "")
    quote = prose.shortened(text.strip("-*• "), 160)
    for match in _MADE.finditer(text):
        if not _BY_ME.search(text[: match.start()]) or _OF_A_PROGRAM.search(text[: match.start()]):
            continue
        if _LEADS_TO.search(match.group("gap")) and _is_one(text, match.start("path"), match.group("path")):
            yield FileClaim(path=match.group("path"), quote=quote)
            yield from (FileClaim(path=path, quote=quote) for path in _and_others(text, match.end()))
    for match in _IS_MADE.finditer(text):
        path = match.group("path") or match.group("new")
        if _is_file(path):
            yield FileClaim(path=path, quote=quote)


def _and_others(text: str, at: int) -> "Iterator[str]":
    """The further files of "Created `a.md`, `b.md` and `c.md`"; `at`: behind the first."""
    while match := _ALSO_MADE.match(text, at):
        if _is_file(match["path"]):
            yield match["path"]
        at = match.end()


def listed_in(answer: str) -> "Iterator[tuple[FileClaim, ...]]":
    """The answer's lists of files with what was done to each, a list at a time."""
    items: list[FileClaim] = []
    heading = ""
    for line in answer.replace("’", "'").split("\n"):
        match = _ITEM.match(line) if "." in line and line.lstrip()[:1] in _MARKS else None
        if match and _is_file(match.group("path")):
            what = match.group("what")
            told = bool(_PAST.match(what))
            if not _NOT_MINE.search(what) and not _HEADING_OF_OTHERS.search(heading) and (told or _PRESENT.match(what)):
                items.append(
                    FileClaim(
                        path=match.group("path"),
                        quote=prose.shortened(line.strip("-*•| "), 160),
                        present=not told,
                    )
                )
        elif line.strip() and not line.startswith((" ", "\t", "-", "*  ", "|")):
            if items:
                yield tuple(items)
            items, heading = [], line
    if items:
        yield tuple(items)


def _is_one(text: str, at: int, path: str) -> bool:
    """A name, and no pattern for names: `*.test.ts`, `<name>.md`, `$OUT/x.md`."""
    return _is_file(path) and not (at and text[at - 1] in "*>}$")


def _is_file(path: str) -> bool:
    return not _PRODUCT.fullmatch(path) and not path.startswith(("http", "www.")) and ".." not in path


def claimed(case: "Case", sentences: tuple[str, ...]) -> tuple[FileClaim, ...]:
    """The files that the answer says this turn made or changed. `sentences`: those of it that are not hedged."""
    if not (case.turn.tool_calls or case.untouched) or "." not in case.final:
        return ()
    plain = [claim for said in sentences for claim in made_in(said)]
    listed = [claim for items in listed_in(case.final) for claim in _of_a_change_list(items, case)]
    return (*plain, *listed)


def shown(claim: FileClaim, case: "Case") -> "Edit | None":
    """The edit that bears a claim out."""
    return next((edit for edit in reversed(case.ledger.edits) if _name(edit.path) == _name(claim.path)), None)


def never_made(claims: tuple[FileClaim, ...], case: "Case") -> FileClaim | None:
    """The first of them that certainly nothing in this session made or changed."""
    unseen = next((claim for claim in claims if not _seen(claim, case)), None)
    return None if unseen is None or made_unseen(unseen.quote, case) else unseen


def _of_a_change_list(items: tuple[FileClaim, ...], case: "Case") -> "Iterator[FileClaim]":
    """The items of a list that tells of this turn's edits. In the present tense only a file that the person asked for by name."""
    edited = {_name(edit.path) for edit in case.own(case.ledger.edits)}
    if not any(_name(item.path) in edited for item in items):
        return
    for item in items:
        if not item.present or (item.path in case.turn.prompt and case.task.asks_for_change):
            yield item


def _seen(claim: FileClaim, case: "Case") -> bool:
    """Whether anything in the session touched, ran or met a file of this name."""
    name = _name(claim.path)
    stem = name.partition(".")[0]
    if _MADE_BY_RUNS.search(claim.path) or shown(claim, case) is not None:
        return True
    if any(
        name in said or (len(stem) > 3 and stem in said)
        for said in (command.lower().replace("__", "") for command in case.ledger.commands_seen)
    ):
        return True
    # A file that was looked at may have been there: "describes" is then true of it. One that only failed to be written was not.
    tried = (call for call in case.ledger.calls if name in call.key.lower().replace("__", ""))
    looked = any(not (call.write and call.failed) for call in tried)
    return looked or any(name in seen.lower() for seen in case.ledger.files_seen) or _in_braces(stem, case)


def _in_braces(stem: str, case: "Case") -> bool:
    """`touch docs/{api,web}.md`: each by itself, however short."""
    spelled = (command.lower() for command in case.ledger.commands_seen if "{" in command and "," in command)
    return any(stem in command.translate(_APART).split() for command in spelled)


def _name(path: str) -> str:
    # `prose.plain` takes "__" for emphasis.
    return posix(path).rpartition("/")[2].lower().replace("__", "")


def made_unseen(quote: str, case: "Case") -> bool:
    """Whether something that leaves no trace of a name may have made the files that a sentence claims."""
    # Files were changed that the command does not name: a checkout may have brought any, a formatter tidies.
    unnamed = [edit for edit in case.ledger.edits if "*" in _name(edit.path)]
    if any(not edit.formatter for edit in unnamed) or (unnamed and _TIDIED.search(quote)):
        return True
    return done_unseen(quote, case)


def done_unseen(quote: str, case: "Case", *, by_git: bool = True) -> bool:
    """
    Whether a subagent, a tool or a script may have done what a sentence claims: made files, shipped them.

    `by_git`: what a rebase or a merge brings may be it; it ships nothing.
    """
    ledger = case.ledger
    if case.out_of_sight or _tells_of_others(quote, case):
        return True
    if any(
        call.name not in _OWN_TOOLS and not (case.subagents_read and call.name in _BY_SUBAGENTS)
        for call in ledger.calls
    ):
        return True
    by_a_tool = any(word in quote.lower() for word in _BY_A_TOOL)
    return any(_may_make_files(command, by_a_tool=by_a_tool, by_git=by_git) for command in ledger.commands_seen)


def _tells_of_others(quote: str, case: "Case") -> bool:
    """Whether "Added `a.ts` with a back-off" may be what a branch holds: nothing was edited, changes were looked at, and no "I" says it."""
    if case.own(case.ledger.edits) or not {"i", "i've", "i’ve", "i'd"}.isdisjoint(quote.lower().split()):
        return False
    return any(look in command for command in case.ledger.commands_seen for look in _LOOKS_AT_CHANGES)


def _stands_by_message(item: "Command") -> bool:
    """Of `cd … && git add … && git commit -m "$(cat <<'EOF' …`, what is not the commit."""
    return (
        item.argv[:1] == ("cd",)
        or item.argv[:2] == ("git", "add")
        or (item.kind, item.argv) == (CommandKind.READ, ("cat",))
    )


_BRINGS = frozenset(["rebase", "merge", "pull", "cherry-pick", "revert", "am", "apply", "stash", "switch", "checkout"])


def _goes_on(item: "Command") -> bool:
    """`git merge --continue` commits, and brings what was merged."""
    return item.kind is CommandKind.COMMIT and not _BRINGS.isdisjoint(item.argv[1:2])


def _may_make_files(command: str, *, by_a_tool: bool, by_git: bool) -> bool:
    from ace_reflect.evidence.commands import classify  # the shell's splitter: few stops come this far

    items = classify(command)
    if not by_git:
        items = tuple(item for item in items if item.argv[:1] != ("git",) or _BRINGS.isdisjoint(item.argv[1:2]))
    # Longer ones are cut in the ledger: the text that one brings along may be anything, but for a commit's message.
    if (
        len(command) >= 300
        and "<<" in command
        and not all(item.kind in _MESSAGES or _stands_by_message(item) for item in items)
    ):
        return True
    if any(item.kind in _MENDS and not set(_REWRITES).isdisjoint(item.argv) for item in items):
        return True
    if by_a_tool and any(item.kind in {CommandKind.BUILD, CommandKind.INSTALL} for item in items):
        return True
    return any(
        (item.kind not in _HARMLESS or _goes_on(item))
        and not _QUIET_PROGRAMS.match(" ".join(item.argv).replace("git -C . ", "git "))
        for item in items
    )
