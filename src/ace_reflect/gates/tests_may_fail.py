"""The words with which people let tests be red, or work be unfinished (`tests_waived`: that they need not be run)."""

from ace_reflect.gates.phrases import NOT, NOT_STARTS, TAIL, TESTS, TESTS_STARTS, anywhere, starting

#: "The e2e tests fail on main as well", "the suite takes an hour"; and what says in a clause or sentence behind it that they may.
RED_TESTS = anywhere(
    r"\b(?:tests?|specs|suites?)\b.{0,30}\b(?:red|fail\w*|broken|known|unrelated|expected|flaky|slow|takes?|long)\b|\b(?:red|failing|broken|flaky|known|unrelated|slow)\s+(?:tests?|specs|suites?)\b",
    "tests|test|specs|suite",
    "red|fail|broken|known|unrelated|expected|flaky|slow|take|long",
)
_LEAVE_THEM = r"(?:(?:please|so|just|you can)\s+){0,2}(?:(?:ignore|skip|leave)(?:\s+(?:it|them|'?em|those|that|these|all of them))?|forget about (?:it|them|those|that)|(?:don'?t|do not) (?:(?:worry about|bother with|care about|fix|touch) (?:it|them|those|that)|bother))\s*(?:$|[.,;!]|(?:for now|and|alone|as (?:they|it) (?:are|is)|please|pls)\b)"
_LEAVE_NEEDS = "ignore|skip|leave|forget about|worry about|bother|care about|fix|touch"
#: "Leave them": of tests that the sentence before called red.
LEAVE_THEM = starting(_LEAVE_THEM, "please|so|just|you|do|don't|forget|ignore|skip|leave", _LEAVE_NEEDS)
_NEED_NOT = r"(?:(?:do|does)(?:n'?t| not) (?:have|need) to|needn'?t|need not)"
#: "It doesn't have to work yet": neither tests nor a build show more than that.
WORKS_LATER = anywhere(
    rf"(?:^|[,;:(–—-] ?|\b(?:it|this|that|everything|the code|and|but|so) )(?:{_NEED_NOT}|nothing (?:has|needs) to) (?:(?:actually|even|really|fully|all) )?(?:work|compile|build|be (?:working|functional|runnable)) (?:yet|for now|right (?:now|away)|at this point|tonight|today)\b",
    "work|compile|build|functional|runnable",
    "need|to ",
)
_ARE_RED = (
    r"(?:(?:now|still|then|all)\s+){0,2}(?:fail|break|(?:are|is|go|goes|turn|stay) red|don'?t pass|aren'?t green)"
)
#: At the start of a clause.
AT_START = (
    starting(  # one kind of them, of which the name is told
        rf"(?:ignore|forget(?: about)?|{NOT}\s+(?:worry|care) about)\s+(?:(?:the|those|these|all|any)\s+)?(?:failing|failed|red|broken|flaky)\s+\w+\s+(?:tests?|specs|suites?){TAIL}",
        f"forget|ignore|{NOT_STARTS}",
        "failing|failed|red|broken|flaky",
        "specs|suite|test",
        "ignore|forget|worry about|care about",
    ),
    starting(  # "failing tests are ok for now", "it's fine if the tests fail"
        rf"(?:failing|failed|red|broken|flaky|breaking)\s+(?:the\s+)?(?:tests?|specs|suites?)\s+(?:are|is)\s+(?:\w+\s+)?(?:ok(?:ay)?|fine|acceptable)\b|(?:it'?s|that'?s|its)\s+(?:ok(?:ay)?|fine|alright)\s+if\s+{TESTS}\s+{_ARE_RED}",
        "it|that|failing|failed|red|broken|flaky|breaking",
        "jest|specs|suite|test",
        "ok|fine|acceptable|alright",
    ),
    starting(  # "don't worry if the tests break", "I don't mind if tests fail", "tests may fail for the moment"
        rf"(?:{NOT}\s+(?:worry|care|mind)|i\s+(?:don'?t|do not)\s+(?:really\s+)?(?:care|mind)|never\s?mind|no matter)\s+if\s+{TESTS}\s+{_ARE_RED}|{TESTS}\s+(?:may|can|might)\s+(?:all\s+)?(?:fail|break|(?:be|stay|go|turn) red)\s+(?:for (?:now|the moment|the time being)|until|in the meantime|meanwhile|at this point)\b",
        f"i|never|no|{NOT_STARTS}|{TESTS_STARTS}",
        "jest|specs|suite|test",
        "worry|care|mind|matter|may|can|might",
        "fail|break|red|pass|green",
    ),
    starting(  # "commit it even if the tests fail", "push that even though it's red"
        rf"(?:commit|push|save|ship|merge|stop|finish|continue|go on)\b.{{0,30}}\beven (?:if|though|when)\s+(?:{TESTS}|it|this|that|they|ci|something|everything|the build)(?:'?s|'?re)?\s+(?:(?:is|are|still|all|currently|\w+)\s+){{0,2}}(?:fail\w*|red|broken|not green|don'?t pass|doesn'?t (?:pass|build|compile))\b",
        "commit|push|save|ship|merge|stop|finish|continue|go on",
        "even",
        "fail|red|broken|not green|pass|build|compile",
    ),
    starting(  # what the person calls unfinished is to be proven by nobody
        r"(?:commit|push|save|stage)\s+(?:(?:it|this|that|them|everything|all|what (?:we|you) have|the (?:changes|rest))\s+)?(?:(?:and push|as it is|for now)\s+)?(?:as|in)\s+(?:an?\s+)?(?:wip|work[- ]in[- ]progress)\b|(?:commit|push|save)\s+(?:it\s+in\s+)?(?:the|its|this|that)\s+(?:broken|unfinished|half-?(?:done|finished))\s+(?:state|version|code|work)\b"
        r"|(?:(?:make|do|create)\s+)?(?:a\s+)?(?:wip|work[- ]in[- ]progress)[- ]commit\b",
        "commit|push|save|stage|make|do|create|a|wip|work",
        "wip|in progress|in-progress|broken|unfinished|half",
    ),
    starting(  # "leave the tests red for now"
        rf"leave\s+{TESTS}\s+(?:red|failing|broken|for (?:now|later))\b|leave\s+(?:the\s+|those\s+)?(?:failing|red|broken)\s+(?:tests?|specs|ones)(?:{TAIL}|\s+for later)",
        "leave",
        "leave",
        "red|failing|broken|for now|for later",
    ),
)
#: Wherever in a sentence.
ANYWHERE = (
    WORKS_LATER,
    anywhere(  # "those failures are unrelated", and nobody is to mend them
        r"(?:^|[,;:] |\b(?:and|but|so|no|yes|ok|think|btw) )(?:(?:the|those|these|that|all|any|other|remaining|two|three|\d+) ){0,3}(?:(?:test )?failures?|(?:failing|failed|red|broken) (?:\w+ )?(?:tests?|specs|ones))(?: (?:in|of|from) (?:the )?\S+)? (?:is|are|was|were) (?:(?:all|just|probably|already|also) ){0,2}(?:unrelated|pre-?existing|not (?:ours?|related|your (?:fault|problem)|from (?:us|this|you)|caused by)|there before|failing before)\b(?!.*\b(?:fix|why|look|find|repair)\b)",
        "unrelated|pre-existing|preexisting|not our|not related|not your|not from|not caused|there before|failing before",
        "fail|red |broken",
    ),
    anywhere(  # "it doesn't have to be green yet", "the tests need not pass for now"
        rf"\b(?:(?:{TESTS}|ci|the build|everything)\s+{_NEED_NOT}\s+(?:all )?(?:be (?:all )?(?:green|passing)|pass|succeed){TAIL}|(?:it|they|that|this)\s+{_NEED_NOT}\s+(?:all )?be (?:all )?green (?:yet|for now|right away|immediately|at this point)\b)",
        "green|pass|succeed",
        "have to|need",
    ),
    anywhere(
        rf"\b{TESTS}\s+(?:are|is)\s+(?:\w+ )?(?:broken|flaky|outdated|useless|dead)\b.{{0,60}}\b(?:ignore|skip|leave|don'?t worry|never ?mind|not your)",
        "jest|specs|suite|test",
        "broken|dead|flaky|outdated|useless",
    ),
    anywhere(
        rf"(?:{RED_TESTS.source}).{{0,60}}(?:[,;:]|\b(?:and|so|but)\b)\s*{_LEAVE_THEM}", *RED_TESTS.needs, _LEAVE_NEEDS
    ),
    anywhere(  # "the tests are still red, I will fix them tomorrow"
        rf"\b{TESTS}\s+(?:(?:is|are|still|currently|all|will|be|do|does|has|have|been|keeps?)\s+){{0,4}}(?:red|fail\w*|broken)\b.{{0,40}}\bi(?:'?ll| will| am going to|'m going to)\s+(?:fix|handle|deal|sort|look|get to|take care|mend|repair)\b",
        "broken|fail|red",
        "fix|handle|deal|sort|look|get to|take care|mend|repair",
    ),
    anywhere(  # "tests are failing but commit anyway"
        rf"\b{TESTS}\s+(?:(?:is|are|still|currently|all|will|do|does|has|have|been|keeps?)\s+){{0,4}}(?:red|fail\w*|broken)\b.{{0,30}}\b(?:commit|push|ship|merge|stop|finish|leave)\b.{{0,20}}\b(?:anyways?|regardless|as (?:it )?is|nonetheless)\b",
        "broken|fail|red",
        "anyway|regardless|as is|as it is|nonetheless",
    ),
    anywhere(
        rf"\b(?:ignore|skip|leave|don'?t worry about|never ?mind)\s+{TESTS}.{{0,40}}\b(?:broken|flaky|outdated|anyway)",
        "anyway|broken|flaky|outdated",
        "jest|specs|suite|test",
    ),
)
