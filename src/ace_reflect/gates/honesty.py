"""
What an answer openly says of its own proof: not run, failing, and why.

A colleague who says "two tests fail, I need your decision" or "I could not run them: no device here" is not nagged. One
who says "they fail, but that is unrelated" has given an excuse, and is asked for the proof of it.
"""

from ace_reflect.gates import foreign_answers, prose
from ace_reflect.late import Alternatives, Late, folded, holds
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

_SUBJECT = r"(?:tests?|test suite|suite|specs?|e2e|pytest|jest|vitest|playwright|cypress|phpunit|rspec|ctest|bats|pester|(?<!npm )ci|checks)"
_NOT_RUN = Late(
    rf"(?i)\b(?:(?:have|has|had|did|do|does|were|was|are|is|could|can|would|will|should)(?:\s+not|n'?t)|cannot|can'?t|never|not (?:yet )?(?:been )?|unable to|without|skipp?ed)\b[^.!?\n]{{0,50}}\b(?:run(?:ning)?|ran|execut\w*|verif\w*|tested|test(?:ing)?|{_SUBJECT})\b|\b{_SUBJECT}\b[^.!?\n]{{0,40}}\b(?:not (?:yet )?(?:been )?(?:run|executed|verified)|n'?t (?:been )?(?:run|executed|work)|untested|skipped|can'?t (?:be )?run|cannot (?:be )?run)|\b(?:untested|unverified|not (?:been )?tested)\b",
    needs=("executed|n't|never|not|nt|run|skiped|skipped|unable to|verified|without|work",),
)
#: The same with no word of negation: "running the tests was denied", "no test run: …", "the tests need macOS".
_KEPT_FROM = Alternatives(
    Late(
        rf"(?i)\bno test run\b|\bunrun\b|\brunning (?:the |any |all )?{_SUBJECT} (?:was|is|were) (?:denied|refused|blocked|rejected|declined)\b|\btest run (?:kept |just )?(?:hang(?:s|ing)?|hung|timed out|stall(?:s|ed|ing)?)\b",
        needs=("test run|unrun|denied|refused|blocked|rejected|declined",),
    ),
    Late(
        rf"(?i)\b{_SUBJECT} (?:all |only )?(?:requires?|needs?|runs? only on) (?:an? |the |your |real )?(?:macos|windows|linux|xcode|gpu|docker|vpn|physical|credentials)\b",
        needs=(
            "require|need|only on",
            "macos|windows|linux|xcode|gpu|docker|vpn|physical|credentials",
        ),
    ),
    # What is not found, not installed, or needs what the agent has no way to.
    Late(
        rf"(?i)\b{_SUBJECT}`?(?:: (?:command )?not found| (?:is|are|was|were)(?: still)?(?: not|n'?t) (?:installed|available))\b",
        needs=("found|installed|available",),
    ),
    Late(
        rf"(?i)\b{_SUBJECT} (?:all |only )?(?:requires?|needs?) [^.!?;\n]{{1,60}} (?:I|we|this \w{{1,20}}) (?:can'?t|cannot|could(?:n'?t| not)|do(?:es)?(?:n'?t| not)) (?:reach|access|connect|have)\b",
        needs=(
            "require|need",
            "reach|access|connect|have",
        ),
    ),
    # The person is asked to run them, for the agent cannot.
    Late(
        rf"(?i)\brun (?:the |all |all the )?(?:\w{{1,20}} )?{_SUBJECT}\b[^.!?;\n]{{0,80}}\b(?:I|we)(?: (?:can'?t|cannot|can not|could(?:n'?t| not)|have no way to)|(?:'m| am) not able to)\b",
        needs=("run ", "can|could|have no way|not able"),
    ),
    Late(
        r"(?i)\b(?:running|executing) (?:anything|(?:any )?(?:shell |bash )?commands?|(?:any )?code) (?:was|is|were|are) (?:(?:not |n'?t )(?:permitted|allowed|possible)|denied|refused|blocked|rejected|declined)\b|\b(?:(?:every|each|all|any) (?:shell|bash|terminal) commands?|commands? (?:that )?I (?:tried|ran)(?: to run)?) (?:was|were|is|are|got|gets) (?:denied|refused|blocked|rejected|declined)\b",
        needs=("permitted|allowed|possible|denied|refused|blocked|rejected|declined",),
    ),
    # What says of the whole work, and not of "the tests", that it was not tried.
    Late(
        r"(?i)\b(?:nothing (?:has been|have been|could be|was)|neither) (?:(?:yet|actually|been) )?(?:(?:built|compiled|linked)(?:,? (?:or|nor|and) ))?(?:tested|run)\b|(?:\bnot|n't) (?:been able to |able to )?(?:build|compile|run|test|execute)(?: (?:or|and) (?:test|run))? anything\b",
        needs=("nothing|neither|anything",),
    ),
)
#: What a sentence must speak of to be about proof: "this workflow has not run in CI yet" is about something else.
_OF_TESTS = Late(
    r"(?i)\b(?:tests?|test suite|suite|specs?|e2e|pytest|jest|vitest|playwright|cypress|phpunit|rspec|ctest|bats|pester|untested|unverified|end-to-end)\b|\bnot (?:yet )?(?:been )?tested\b|\b(?:tested|verified|verify|test)\s+(?:it|this|that|them|the (?:fix|change|changes|code|build)|locally|live|manually|here)\b|\brun(?:ning)? `?(?:cargo|gradlew?|mvn|dotnet|npm|pnpm|yarn|xcodebuild)\b",
    needs=(
        "bats|cypress|e2e|end-to-end|jest|pester|phpunit|playwright|spec|suite|test|verified|verify|cargo|gradle|mvn|dotnet|npm|yarn|xcodebuild",
    ),
)
#: Something else that did not run: "this workflow has not executed in CI yet" is no word of the tests.
_OTHER_NOT_RUN = Late(
    rf"(?i)^(?:(?!\b{_SUBJECT}\b)[^.!?\n]){{0,40}}\b(?:workflows?|pipelines?|jobs?|actions?|migrations?|deployments?|releases?|scripts?|crons?|containers?)\b(?: itself| as such)? (?:has|have|had|is|are|was|were|did|does)(?: not|n'?t)\b",
    needs=(
        "workflow|pipeline|job|action|migration|deployment|release|script|cron|container",
        "not|nt|n't",
    ),
)
_FAILING = Alternatives(
    Late(
        rf"(?i)\b(?:\d+|one|two|three|some|several|the|a few|other|remaining|existing|those|these|a|all)\b[^!?\n]{{0,60}}\b{_SUBJECT}\b(?:(?!:\s)[^!?\n]){{0,60}}\b(?:fail(?:s|ed|ing|ure|ures)?|red|broken|error(?:s|ed)?|timed? ?out|flaky)\b",
        needs=(
            "fail|red|broken|error|time|flaky",
            "test|suite|spec|e2e|jest|playwright|cypress|phpunit|bats|pester|ci|check",
        ),
    ),
    Late(
        rf"(?i)\b(?:fail(?:s|ed|ing|ures?)|broken|flaky)\b(?:(?!\b(?:and|but|so)\b)[^!?\n]){{0,40}}\b{_SUBJECT}\b|\btest failures?\b|\bstill (?:fail\w*|red)\b|\b\d+ fail(?:s|ed|ing|ures?)\b",
        needs=("fail|broken|flaky|red",),
    ),
    # One test by its name: "only `test_legacy.py::test_a` fails, as it did before", "`Cart > adds up` times out".
    Late(
        r"(?i)(?:\btest_\w{1,80}|::\w{1,80}|\bTest[A-Z][\w/]{1,80}|\b(?-i:[A-Z])\w{1,60} [>›] \w[^.,;:!?\n]{1,120})`?(?: (?:still|also|alone|again))? (?:fails?|failed|failing|times? out|timed out|hangs?)\b|\b(?:only|same|known) (?:\w+ )?failures?\b",
        needs=("fail|time|hang",),
    ),
    # One part of what was run: "WSL: fails", "Linux: FAIL, …".
    Late(
        r"(?i)^(?!(?:lint|format|types?|type[- ]?check|build|docs?|root cause|cause|before|was|were|error|problem|symptom|bug)\b)[\w .,/()+-]{1,40}:\s?(?:still )?(?:fail(?:s|ed|ing)?|red|times? out|timed out)\b(?=\s*(?:$|[.,;(—–-])|\s+(?:in|on|with|after|again)\b)",
        needs=(
            "fail|red|time",
            ":",
        ),
    ),
    # A run can be red with every test green: "coverage is 88.2%, below the 90% threshold".
    Late(
        r"(?i)\bcoverage\b[^!?\n]{0,60}\b(?:below|under|short of|not (?:met|reached)|misses)\b",
        needs=("coverage",),
    ),
)
#: "The new test fails without the fix": what a test of a bug is there for.
_WITHOUT_THE_WORK = Late(r"(?i)\bfail\w* (?:without|on (?:the )?(?:old|previous|original|unfixed))\b", needs=("fail",))
_EXCUSE = Late(
    r"(?i)\b(?:pre-?existing|unrelated|not related|already (?:fail\w*|broken|red)|fail\w* before|were failing|known (?:issue|failure|flak\w*)|flak(?:y|es|iness)|not (?:important|relevant|caused|due|introduced|from my|related|part of)|can be ignored|safe to ignore|separate (?:issue|problem|concern)|existing issue|environment(?:al)? issue|on main (?:too|as well|also)|timing[- ]?(?:dependent|sensitive)?|intermittent)\b",
    needs=(
        " before|already |can be ignored|environment issue|environmental issue|existing issue|flakes|flakiness|flaky|intermittent|known |not caused|not due|not from my|not important|not introduced|not part of|not related|not relevant|on main also|on main as well|on main too|pre-existing|preexisting|safe to ignore|separate concern|separate issue|separate problem|timing|unrelated|were failing",
    ),
)
_ENVIRONMENT = Late(
    r"(?i)(?:\b|(?<=[a-z])(?=n't ))(?:no (?:[\w-]+ )?(?:docker|network|internet|database|device|simulator|emulator|gpu|display|browser|xcode|access|credentials?|api key|permission|such (?:command|file)|test (?:runner|framework|suite|environment|infrastructure))|not (?:installed|available|running|configured|accessible|found|set up|possible|supported|permitted|allowed)|n'?t (?:installed|available|running|configured|accessible|found|set up|possible|reachable|exist)"
    r"|only(?: [\w.+#-]{1,20}){1,5} installed|no(?: [\w.+#-]{1,20}){1,5} (?:installed|available)|no (?:[\w.+#-]{1,20} ){0,2}(?:[jn]dk|jre|sdks?|toolchain|compiler|interpreter|php|ruby|java|go|rust|cargo|dotnet|node|flutter|dart|swift|elixir|cmake|maven|gradle)(?:[,.;:]| (?:here|on (?:this|the)|in (?:this|the)|so)\b)"
    r"|missing (?:dependenc\w*|module|package|env\w*|binary|key|credentials?|tool\w*)|requires? (?:docker|a |an |the |your|network|real|physical|manual|xcode|credentials|access|macos|windows|linux)|needs? (?:docker|a |an |your|network|real|manual|xcode|credentials|access|to be run (?:on|in|manually))|permission denied|sandbox\w*|offline|unreachable|command not found|connection refused|refus(?:es|ed|ing) (?:the |all )?connections?|(?:can'?t|cannot|could not|couldn'?t) (?:start|launch|run|install|pull) docker|(?:local|this|my|the) (?:environment|machine|sandbox|container)|cannot connect|can'?t connect|denied|rejected|declined|(?:permission|run|was|were|is|are) refused|blocked by (?:the |your |my )?(?:\w+ )?(?:permissions?|polic(?:y|ies)|settings?|firewall|proxy|sandbox)|n't (?:allowed|permitted)|(?:not|n't) (?:on (?:the |my )?path|in the repo(?:sitory)?)|only (?:reachable|accessible|available)|(?:can'?t|cannot|could(?:n'?t| not)) (?:reach|access|download|connect)|without (?:an? |any )?(?:network|internet|docker)|(?:not|n't) have (?:the |any )?(?:permissions?|access|network|docker)|missing (?:here|on this|in this)|(?:needs?|requires?|waits? for|waiting for) (?:(?:a|an|the|running|local|live) ){0,2}(?:postgres\w{0,3}|redis|mysql|mariadb|mongo(?:db)?|kafka|rabbitmq|elasticsearch|minio|ldap)|vpn|(?:virtualenv|venv|interpreter|toolchain|node_modules) (?:is|are) (?:broken|missing|corrupt\w*|incomplete)|(?:be|needs?|requires?|only) (?:\w+ )?manual(?:ly)?|manual only|on your|in your|your (?:machine|device|side|environment|phone)|only (?:on|in) ci|ci will|in ci)\b"
)
#: Tests that ran and failed for want of something: it is named, and not just "the environment".
_WANTING = Late(
    r"(?i)\b(?:no|without(?: an?| any)?)\s+(?:\w*_(?:key|token|secret|url|dsn)|(?:\w+ ){0,2}(?:docker|network|internet|database|redis|postgres\w*|mysql|mongo\w*|credentials?|api key|gpu|display|browsers?|daemon))\b[^.!?\n]{0,30}\b(?:here|available|running|installed|set|in this|on this)\b"
    r"|(?:\bnot|n't) (?:running|installed|available|reachable|set|configured)\b[^.!?\n]{0,20}\b(?:here|locally|in this|on this)\b|\bneeds? (?:the |an? )?(?:internet|network|docker|database|redis|postgres\w*|mysql|mongo\w*|credentials?|gpu|display|browsers?)\b[^.!?\n]{0,60}(?:\bnot|n't|\bnone)\b[^.!?\n]{0,20}\bhere\b|\be?conn(?:ection)? ?refused",
    needs=("no|n't|refused|without",),
)
#: Tests of a kind, and not "I couldn't test it on a device".
_SUITE = Late(
    r"(?i)\b(?:tests|suite|specs|e2e|playwright|cypress|(?:integration|acceptance|functional|smoke|contract|system|browser|network|database) test)\b",
    needs=("tests|suite|specs|e2e|playwright|cypress|test",),
)


_BUT = Late(r"(?i)\b(?:but|though|however)\b|;", needs=("but|though|however|;",))
_MENDED = ("fixed", "fixes", "resolve", "resolved")
#: What failed, and does not now.
_NO_MORE = Late(
    r"(?i)\b(?:fixed|fixes|(?<!n't )(?<!not )resolved?|no longer|now pass\w*|previously|were failing|was failing|0 fail\w*|no fail\w*|zero fail\w*|none fail\w*|no test failures)\b",
    needs=(
        "fixed|fixes|resolve|no longer|now pass|previously|were failing|was failing|0 fail|no fail|zero fail|none fail|no test fail",
    ),
)
_CLAUSES = Late(r"[,;:()–—]|\b(?:and|while|where)\b")
_STILL = Late(
    r"(?i)\bstill (?:fail(?:s|ing)?|red|broken)\b|\bfail(?:s|ing)? still\b|\bfailures?\b.{0,60}\b(?:still|remains?)\b",
    needs=("fail|red|broken", "still|remain"),
)
#: With one of these nothing is said to fail now: "none still fails", "the ones that were still failing".
_NOT_SO = (
    "no",
    "none",
    "nothing",
    "not",
    "never",
    "n't",
    "without",
    "if",
    "would",
    "should",
    "could",
    "may",
    "might",
    "were",
    "was",
    "until",
    "whether",
)


class Admission(Value):
    """What the answer admits of the tests; `kind` "" where it admits nothing."""

    kind: 'Literal["", "not-run", "failing"]' = ""
    reason: 'Literal["", "environment", "excuse"]' = ""
    quote: str = ""

    @property
    def tells_the_rest(self) -> bool:
        """Whether it tells that some tests fail, or which ones have no browser, daemon or network to run with."""
        return self.kind == "failing" or (self.reason == "environment" and _SUITE.search(self.quote) is not None)


def admits(answer: str) -> Admission:
    """The last sentence about missing or failing proof, with the sentences beside it read for the reason."""
    said = [sentence.text for sentence in prose.sentences(answer)]
    for index in range(len(said) - 1, -1, -1):
        kind = _kind(said[index])
        if kind:
            around = " ".join(said[max(0, index - 1) : index + 3])
            reason = _reason(around, elsewhere=bool(foreign_answers.proof_missing(said[index])), ran=kind == "failing")
            return Admission(kind=kind, reason=reason, quote=prose.shortened(said[index], 140))
    return Admission()


def _kind(sentence: str) -> 'Literal["", "not-run", "failing"]':
    # "Fixed, but untested", "the parser is fixed, but the tests couldn't run": the end of it speaks of the proof.
    *before, end = _BUT.split(sentence)
    if any(holds(folded(part), _MENDED) for part in before):
        sentence = end
    if _NO_MORE.search(sentence) and not _EXCUSE.search(sentence):
        return "failing" if _still_fails(sentence) else ""
    if _FAILING.search(sentence) and (_EXCUSE.search(sentence) or not _WITHOUT_THE_WORK.search(sentence)):
        return "failing"
    if _KEPT_FROM.search(sentence):
        return "not-run"
    if _NOT_RUN.search(sentence) and _OF_TESTS.search(sentence) and not _OTHER_NOT_RUN.search(sentence):
        return "not-run"
    return foreign_answers.proof_missing(sentence)


def _still_fails(sentence: str) -> bool:
    """Whether a clause tells of what fails still, beside others that tell what does not any more: "5 are fixed, 2 still fail"."""
    return any(
        _STILL.search(clause) and not (_NO_MORE.search(clause) or holds(folded(clause), _NOT_SO))
        for clause in (_CLAUSES.split(sentence) if _STILL.may_match(sentence) else ())
    )


def _reason(around: str, *, elsewhere: bool, ran: bool) -> 'Literal["", "environment", "excuse"]':
    if _EXCUSE.search(around):
        return "excuse"
    if ran:
        return "environment" if _WANTING.search(around) else ""
    return (
        "environment"
        if _ENVIRONMENT.search(around) or (elsewhere and foreign_answers.names_environment(around))
        else ""
    )
