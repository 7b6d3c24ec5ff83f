"""
Why tests that are not to be run for this prompt are not to be run for the next one either: the person said "never", or
named what they would do to somebody ("they hit production").

A reason that costs no more than time or comfort ("they take an hour") holds for its prompt only.
"""

from ace_reflect.late import Late

_THEM = r"(?:they|it|these|those|that|which|(?:each|every) (?:one|run)|running (?:it|them)|(?:the |our |my )?(?:\w+ )?(?:tests?|specs|suites?))"
_WILL = r"(?:(?:'ll|'d| will| would| can| could| might| may| all| actually| still| also| really| always) ?){0,3}"
_REAL = r"(?:the |our |a |an |my )?(?:\w+ ){0,2}?(?:prod|production|live|real)\b"
_NEVER = Late(
    r"(?i)\b(?:never|(?:don'?t|do not) (?:you )?ever)\s+(?:try to\s+|re-?)?(?:run|execute|start|launch)\b",
    needs=("ever", "run|execute|start|launch"),
)
_DANGER = Late(
    rf"(?i)\b{_THEM}{_WILL}\s*(?:"
    rf"(?:hits?|touch(?:es)?|uses?|calls?|modif(?:y|ies)|changes?|(?:talk|connect|write|run|work)s? (?:to|against|on)|go(?:es)? (?:to|against))\s+{_REAL}"
    r"|(?:cost|burn|spend)s?\s+(?:(?:us|me|you|a lot of|real|actual)\s+){0,3}(?:money|dollars|euros|credits|[$€£])"
    r"|sends?\s+(?:(?:out|real|actual)\s+){0,2}(?:e-?mails|mails|sms|texts|messages|notifications|invoices)\b"
    r"|charges?\s+(?:(?:the|our|real|actual)\s+){0,2}(?:cards?|customers?|users?|accounts?)\b"
    r"|(?:wipe|delete|drop|truncate|destroy|overwrite)s?\s+(?:(?:the|our|my|all|local|dev|real)\s+){0,3}(?:data|databases?|db|tables?|records|buckets?|prod|production)\b)",
    needs=(
        "they|it|these|those|that|which|each|every|running|test|specs|suite",
        "prod|live|real|money|dollar|euro|credit|$|€|£|mails|sms|texts|messages|notifications|invoices|card|customer|user|account|data|db|table|records|bucket",
        "hit|touch|talk|use|call|connect|writ|modif|chang|run|go|work|cost|burn|spend|send|charge|wipe|delete|drop|truncate|destroy|overwrite",
    ),
)


def lasts(prompt: str) -> bool:
    """Whether a prompt that waives the tests gives such a reason."""
    return _NEVER.search(prompt) is not None or _DANGER.search(prompt) is not None
