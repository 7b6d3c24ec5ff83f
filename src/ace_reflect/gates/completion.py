"""Whether the turn ends at all: not in mid-sentence, not on an announcement, not after nothing but reading."""

from ace_reflect import regex as re
from ace_reflect.gates import human_action, prose, stop_kind
from ace_reflect.gates.confirmation import UNCONFIRMED, unconfirmed
from ace_reflect.gates.done import done_sentence, plain_report
from ace_reflect.gates.model import Cause, State, StopKind
from ace_reflect.gates.task import asks_for_edits
from ace_reflect.late import folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.gates.case import Case
    from ace_reflect.gates.loops import Loops
    from ace_reflect.gates.model import Evidence, Finding

GATE = "completion"


def completion_gate(case: "Case", loops: "Loops", *, proven: bool, spared: bool) -> "Finding":
    """
    `proven`: this turn's edits are, so that an answer which only reports on them leaves nothing to ask about. `spared`:
    proven but for what the person exempted.
    """
    if not case.task.asks_for_change and case.turn.tool_calls == 0:
        return case.finding(GATE, State.NOT_APPLICABLE, "nothing was asked to be done")
    evidence = _evidence(case, stop_kind.last_sentence(case.plain) or "(no answer)")
    return _left_in_the_middle(case, loops, evidence) or _as_told(case, evidence, proven=proven, spared=spared)


def _left_in_the_middle(case: "Case", loops: "Loops", evidence: "tuple[Evidence, ...]") -> "Finding | None":
    text: dict[str, Any] = {"key": f"{GATE}:{case.turn.number}:text", "mark": case.turn.tool_calls}
    if not case.final.strip():
        return case.finding(
            GATE, State.UNKNOWN, "the turn ends without an answer", evidence=evidence, cause=Cause.NO_ANSWER
        )
    if breaks_off(case.final):
        return case.finding(GATE, State.DISPROVEN, "the answer breaks off in mid-sentence", evidence=evidence, **text)
    if case.stop_kind is StopKind.WORKING and stop_kind.announces_step(case.plain):
        return case.finding(
            GATE, State.DISPROVEN, "the answer announces a next step, and nothing follows", evidence=evidence, **text
        )
    waits = case.stop_kind in {StopKind.WAITING_FOR_USER, StopKind.WORKING}
    if loops.only_read and not waits and asks_for_edits(case.turn.prompt):
        return case.finding(
            GATE,
            State.DISPROVEN if case.task.print_mode else State.UNKNOWN,
            f"a change was asked for, and {_only_read(loops)}",
            evidence=evidence,
            cause=Cause.ONLY_READ,
            key=f"{GATE}:{case.turn.number}:planning",
            mark=loops.calls,
        )
    return None


def _as_told(case: "Case", evidence: "tuple[Evidence, ...]", *, proven: bool, spared: bool) -> "Finding":
    """What the answer says of the work itself: done, reported on, or nothing."""
    doubt = unconfirmed(case, proven=proven) if case.stop_kind in {StopKind.COMPLETE, StopKind.UNCLEAR} else None
    if doubt:
        return case.finding(GATE, State.UNKNOWN, UNCONFIRMED[doubt], evidence=evidence, cause=doubt)
    if case.stop_kind is StopKind.COMPLETE and case.untouched:
        reason = "the answer says that it is done, and no tool was used in this session"
        return case.finding(GATE, State.UNKNOWN, reason, evidence=evidence, cause=Cause.NOTHING_DONE)
    if case.stop_kind is StopKind.COMPLETE:
        said = done_sentence(case.plain)
        return case.finding(
            GATE, State.PROVEN, "the answer says that it is done", evidence=_evidence(case, said) if said else evidence
        )
    if proven and case.stop_kind is StopKind.UNCLEAR and plain_report(case.plain, spared=spared):
        return case.finding(
            GATE, State.PROVEN, "the work is proven, and the answer reports on it with nothing open", evidence=evidence
        )
    return case.finding(GATE, State.UNKNOWN, "nothing says that it is done", evidence=evidence)


def _only_read(loops: "Loops") -> str:
    if loops.reads >= loops.calls:
        return f"this turn only read ({loops.calls} calls, nothing written)"
    return f"no file was seen to change ({loops.reads} of {loops.calls} calls only looked)"


def _evidence(case: "Case", said: str) -> "tuple[Evidence, ...]":
    return (case.said(prose.shortened(said.lstrip("#>*-• "), 160)),)


def with_question_back(case: "Case", findings: "tuple[Finding, ...]") -> "tuple[Finding, ...]":
    """In print mode nobody can answer: a question that the agent could settle itself is pushed back once."""
    key = f"{GATE}:{case.turn.number}:question"
    asks = case.task.print_mode and case.task.asks_for_change and stop_kind.asks_decision(case.plain)
    if not asks or human_action.asked_of_person(case.final) or key in case.history.told:
        return findings
    last = stop_kind.last_sentence(case.plain)
    if human_action.classify(last) == "human":
        return findings
    pushed = case.finding(
        GATE,
        State.DISPROVEN,
        "the answer asks a question, and nobody can answer in print mode",
        evidence=_evidence(case, last),
        cause=Cause.ASKS_NOBODY,
        key=key,
    )
    return (*(finding for finding in findings if finding.gate != GATE), pushed)


def breaks_off(answer: str) -> bool:
    """Whether a text ends in the middle of a sentence: on a comma, an opening bracket or a joining word, or inside a code block."""
    text = answer.rstrip()
    if text.count("```") % 2 == 1 and not re.search(r"```\w*\s*$", text):
        return True
    last = text.rsplit("\n", 1)[-1].strip()
    if last.startswith(("|", "```", "#", ">", "-", "*")) or len(last.split()) < 3:
        return False
    return last.endswith((",", "(", "[", "{")) or _joins_more(last)


_JOINING = frozenset(
    ["and", "or", "but", "the", "a", "an", "because", "which", "into", "und", "oder", "et", "ou", "pero", "или"]
)  # fmt: skip
#: Those that also end a whole sentence: "that's what the flag is for", "the account you log in with".
_STRANDED = frozenset(["to", "of", "with", "for", "from", "is", "are", "as"])
_BRINGS_TO_ITS_END = frozenset(
    ["what", "whatever", "which", "who", "where", "how", "that", "it", "they", "you", "we"]
)  # fmt: skip
#: "… and with Redis we would have to"; "you don't have to" and "if you want to" are whole.
_WANTS_A_VERB = frozenset(["have", "has", "had", "need", "needs", "needed", "going", "able"])
_LETS_IT_STAND = frozenset(["if", "whenever", "when", "not", "no", "never", "as", "than"])


def _joins_more(line: str) -> bool:
    last = _last_word(line)
    if last not in _STRANDED:
        return last in _JOINING
    words = re.findall(r"[a-z']+", re.split(r"[,;:–—]", folded(line))[-1])
    if last == "to" and words[-2:-1] and words[-2] in _WANTS_A_VERB:
        return not (_LETS_IT_STAND & set(words) or any(word.endswith("n't") for word in words))
    return not _BRINGS_TO_ITS_END & set(words)


def _last_word(text: str) -> str:
    """The letters, digits and `_` at the very end, in lower case; "" where they end a longer name ("feat/a", "is-a")."""
    at = len(text)
    while at and (text[at - 1].isalnum() or text[at - 1] == "_"):
        at -= 1
    return "" if text[at - 1 : at] in {*"/.-:#@=&%~+"} else folded(text[at:])
