"""
Turns: a human prompt and all that follows it up to the next one.

A turn is known by its prompt line's `uuid`, which a resumed session and a fork's copied lines keep, so that it is
learned from once. Words queued while the agent worked, a background task's end, a hook's feedback and a compaction's
summary go on with the turn they fall into.
"""

from ace_reflect.transcript.records import Prompt, Record
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class TurnSpan(Value):
    """
    Where a turn stands in its transcript: from `line` to `last_line`, both included.

    `open` is the last turn of what was read, which more may follow.
    """

    number: int  # from 1
    line: int
    last_line: int
    key: str  # the prompt's uuid; the hooks' prompt id or the line where a line has none
    prompt_id: str | None = None
    kind: str = "human"  # or "plan"
    text: str = ""
    open: bool = False


def opens_turn(record: Record) -> bool:
    """Whether a record is the human prompt that a turn begins with."""
    return (
        type(record) is Prompt
        and record.kind in ("human", "plan")
        and not record.queued
        and not record.sidechain
        and record.file is None
    )


def turn_spans(records: "Iterable[Record]") -> tuple[TurnSpan, ...]:
    """
    The turns of a session's records, in order; what stands before the first prompt belongs to none.

    A prompt that comes twice with the same uuid (a copied line) is one turn.
    """
    spans: list[TurnSpan] = []
    keys: set[str] = set()
    last = 0
    for record in records:
        if record.file is not None:
            continue
        if isinstance(record, Prompt) and opens_turn(record):
            span = _span(record, len(spans) + 1)
            if span.key not in keys:
                keys.add(span.key)
                _end(spans, last, is_open=False)
                spans.append(span)
        last = record.line
    _end(spans, last, is_open=True)
    return tuple(spans)


def _end(spans: list[TurnSpan], last: int, *, is_open: bool) -> None:
    if spans:
        spans[-1] = spans[-1].replace(last_line=max(last, spans[-1].line), open=is_open)


def _span(prompt: Prompt, number: int) -> TurnSpan:
    return TurnSpan(
        number=number,
        line=prompt.line,
        last_line=prompt.line,
        key=prompt.uuid or prompt.prompt_id or f"line:{prompt.line}",
        prompt_id=prompt.prompt_id,
        kind=prompt.kind,
        text=prompt.text,
    )
