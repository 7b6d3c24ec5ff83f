"""The phrases that the patterns of a prompt's words are put together from (`vocabulary`, `tests_waived`, `tests_may_fail`, `requests`)."""

from ace_reflect.gates.opening import Opening
from ace_reflect.late import IGNORECASE, Late

NOT = (
    r"(?:do not|don'?t|dont|never|no need (?:to|for)|needn'?t|need not|avoid|stop|not|refrain from|skip"
    r"|(?:you |we |u )?(?:do not|don'?t) (?:have|need) to|i (?:do not|don'?t) want you to|(?:there'?s|there is|that'?s|it'?s) no need (?:to|for)|it'?s not necessary to|not necessary to)"
)
TESTS = (
    r"(?:(?:the|any|all|those|these|my|our|your|its|unit|integration|e2e|existing|more|further|other|new|failing|broken|flaky|failed|red|slow)\s+){0,3}"
    r"(?:tests?|(?:test )?suites?|testsuites?|specs|test runs?|testing|pytest|jest|vitest|(?:npm|yarn|pnpm|bun|go|cargo|mvn|make)(?: run)? tests?)"
)
#: "No new tests needed" is about writing some, and not about running those that are there.
RUN_OF_TESTS = rf"(?!(?:(?:any|further)\s+)?(?:new|additional|extra)\s){TESTS}"
PR = r"(?:(?:a|an|any|the|another|new|draft|separate|github|gitlab|me)\s+){0,3}(?:prs?|pull[ -]?requests?|merge[ -]?requests?|mrs?)"
TAIL = (
    r"(?=\s*(?:$|[,;.!?]|“”|(?:for|in|on|during|at|until) (?:this|that|the|now|today|it|me|all|once|point)\b|this (?:time|session|one)|today|now|yet|again|any ?more|please|here"
    r"|locally(?! (?:with|unless|outside))|at all|right now|until|because|since|as\b|myself|yourself|on your own|needed|necessary|required|either|though|tho|afterwards?|after|before|from (?:now|here|this (?:box|machine|host|laptop|computer))|thanks|entirely|completely|pls|plz|thx|cause\b|cuz|bc\b"
    r"|rn\b|every time|each time|when|while|if you|unless|or\b|just|it'?s|it (?:hangs?|takes|fails|breaks|crash\w*|kills|eats|costs|hits|will|would|only|won'?t|doesn'?t|can'?t)\b|they|i\b|we\b))"
)
GATES = r"(?:(?:the|all|any|these|those|your|my|completion|reflection|ace-?reflect|stop|quality|verification|hook)\s+){0,3}(?:gates?|checks|completion checks?|reflections?|ace-?reflect|stop[ -]hooks?)"

#: The first words of `NOT` and `TESTS`.
NOT_STARTS = "avoid|do|i do|it's|its|need|never|no|refrain|skip|stop|that's|thats|there|u do|we|you"
TESTS_STARTS = "all|any|broken|bun|cargo|e2e|existing|failed|failing|flaky|further|go|integration|its|jest|make|more|mvn|my|new|npm|other|our|pnpm|pytest|red|slow|specs|suite|test|the|those|unit|vitest|yarn|your"

#: What a text is to hold: "add to the README: to check it, run pytest -x", "a note that people run `make setup`".
IN_A_TEXT = Late(
    r"(?i)\b(?:add|write|put|mention|document|describe|explain|note|include|say)\b[^:;]{0,100}?(?:\b(?:readme|docs?|documentation|guide|section|note|paragraph|sentence|line|comment|docstring|example|snippet|instructions?|help|faq|page|template|checklist|runbook|contributing|changelog|claude|agents|steps?)\b(?:\.\w{1,4}\b)?[^:;,]{0,60}(?::|\b(?:that|saying|which says?|telling|reading)\b)|\bhow to\b[^:;]{0,60}:)",
    needs=(":|that|say|telling|reading", "add|write|put|mention|document|describe|explain|note|include|say"),
)


def starting(pattern: str, starts: str, *needs: str) -> Opening:
    return Opening(pattern, starts, needs=needs)


def anywhere(pattern: str, *needs: str) -> Late:
    return Late(pattern, IGNORECASE, needs=needs)
