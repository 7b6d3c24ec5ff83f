"""The words in force at a stop: the turn's own, and what earlier prompts of the session said for good."""

from ace_reflect.checksum import checksum
from ace_reflect.gates.vocabulary import ALL
from ace_reflect.gates.words import Settled, Waiver, Words, read_words
from ace_reflect.late import folded, holds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ace_reflect.evidence.facts import Ledger, Turn

_NOTHING = Words()
_LASTING = ("waivers", "restores", "confirmed", "asks_push", "asks_commit")
#: Of what the person answers in a dialog; "Looks good" is there of what was asked, and not of earlier work.
_IN_DIALOG = ("waivers", "restores", "asks_push", "asks_pr", "asks_commit", "limits_scope")

#: One of these stands in a line of instructions that waives something.
_NEGATIONS = ("don't", "dont", "do not", "never", "no need", "skip", "only")

#: "Don't run the tests yet": a rule for this prompt only.
_THIS_TURN = (" yet", " first", "for now", "this time", "right now")


def words_in_force(ledger: "Ledger", turn: "Turn", heard: "dict[str, Any] | None" = None) -> Words:
    """
    The words in force at this stop: the turn's own, what was said in mid-turn, and the session's waivers before it.

    Prompts that Claude Code typed itself (an accepted plan) waive nothing. `heard` is what earlier calls made of earlier
    turns, plain JSON that the caller keeps: what was said does not change, and a long session's prompts are many.
    """
    heard = {} if heard is None else heard
    kept: list[Waiver] = []
    settled: list[Settled] = []
    previous_answer = ""
    own = Words()
    for each in ledger.turns:
        earlier = each.number != turn.number
        silent = f"silent {each.number} {each.line} {sum(map(len, each.typed))}"  # most turns say nothing that lasts
        if earlier and silent in heard:
            previous_answer = each.final_text or previous_answer
            continue
        if earlier:
            said = [_lasting(text, heard) for text in each.typed]
        else:
            said = [read_words(text, previous_answer=previous_answer) for text in each.typed]
        answered = "\n".join(asked.answer for asked in ledger.questions if asked.turn == each.number)
        if answered:
            said.append(_lasting(answered, heard, _IN_DIALOG))
        if earlier and all(words is _NOTHING for words in said):
            heard[silent] = True
        ahead = _said_ahead(each, ledger)
        for words in said:
            kept = [w for w in kept if w.gate not in words.restores and ALL not in words.restores]
            kept += [w.replace(session=True) for w in words.waivers if w.session or (ahead and not _for_now(w.quote))]
            settled += [Settled(gate=w.gate, turn=each.number, quote=w.quote) for w in words.waivers]
            if taken := words.confirmed or _takes_as_told(words, previous_answer, heard):
                settled.append(Settled(gate="tests", turn=each.number - 1, quote=taken))
        if each.number == turn.number:
            own = _merged(said)
            break
        previous_answer = each.final_text or previous_answer
    waivers = (*own.waivers, *(w for w in kept if w not in own.waivers))
    return own.replace(waivers=waivers, settled=tuple(settled))


def standing_waivers(instructions: str, by: str, heard: "dict[str, Any] | None" = None) -> tuple[Waiver, ...]:
    """What a project's instruction files, called `by`, waive in any of their lines. Read once and kept in `heard`."""
    heard = {} if heard is None else heard
    key = f"instructions {by} {_key(instructions)}"
    if key not in heard:
        lines = [line for line in instructions.split("\n") if len(line) < 300 and holds(folded(line), _NEGATIONS)]
        waivers = read_words("\n".join(lines), by=by).waivers if lines else ()
        heard[key] = [waiver.to_json() for waiver in waivers]
    return tuple(Waiver.from_json(waiver) for waiver in heard[key])


def _key(text: str) -> str:
    raw = text.encode("utf-8", "surrogatepass")
    return f"{len(raw)}:{checksum(raw):x}"


def _lasting(text: str, heard: "dict[str, Any]", names: tuple[str, ...] = _LASTING) -> Words:
    """What an earlier prompt's words mean for later turns (the fields in `names`), read once and kept in `heard`."""
    key = _key(text) if names is _LASTING else f"dialog {_key(text)}"
    if key not in heard:
        words = read_words(text)
        heard[key] = {name: words.to_json()[name] for name in names if getattr(words, name)}
    kept = heard[key]
    if not kept:
        return _NOTHING
    waivers = tuple(Waiver.from_json(waiver) for waiver in kept.get("waivers", ()))
    return Words.from_json({**kept, "waivers": waivers})


def _said_ahead(turn: "Turn", ledger: "Ledger") -> bool:
    """
    Whether this turn, and all before it, did nothing: a waiver in it has no work to be about, and so is a rule for the work
    to come, as if it had said "from now on".
    """
    return not turn.tool_calls and turn.line < (ledger.edits[0].line if ledger.edits else turn.line + 1)


def _for_now(quote: str) -> bool:
    low = folded(quote)
    return any(word in low for word in _THIS_TURN)


def _takes_as_told(words: Words, previous_answer: str, heard: "dict[str, Any]") -> str:
    """The order to ship what the answer before it had said fails or cannot be tested here: whoever gives it knows."""
    order = words.asks_push or words.asks_commit
    if not order or not previous_answer:
        return ""
    key = f"told {_key(previous_answer)}"
    if key not in heard:
        from ace_reflect.gates import honesty  # only where something is to be shipped

        told = honesty.admits(previous_answer)
        heard[key] = told.kind == "failing" or (told.kind == "not-run" and told.reason == "environment")
    return order if heard[key] else ""


def _merged(parts: "Iterable[Words]") -> Words:
    merged = Words()
    for words in parts:
        changes = {name: getattr(words, name) for name in Words._fields if getattr(words, name)}
        changes["waivers"] = (*merged.waivers, *words.waivers)
        changes["restores"] = (*merged.restores, *words.restores)
        merged = merged.replace(**changes)
    return merged
