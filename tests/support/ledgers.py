"""From a built transcript to its ledger, whole or in pieces."""

import json
from pathlib import Path

from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import LedgerBuilder, read_ledger
from ace_reflect.transcript.records import Record
from support.transcripts import TranscriptBuilder


def session(folder: Path, **options: str) -> TranscriptBuilder:
    return TranscriptBuilder(folder / "5e55105e-0000-4000-8000-000000000001.jsonl", **options)  # type: ignore[arg-type]


def ledger_of(built: TranscriptBuilder) -> Ledger:
    """What `read_ledger` makes of the transcript and the subagents' files beside it."""
    return read_ledger(str(built.write()))


def fed(records: list[Record], cuts: tuple[int, ...] = ()) -> Ledger:
    """The ledger of `records`, put away as JSON and taken up again at each of `cuts`."""
    builder, at = LedgerBuilder(), 0
    for cut in (*sorted(cuts), len(records)):
        for record in records[at:cut]:
            builder.feed(record)
        at = max(at, cut)
        builder = put_away_and_taken_up(builder)
    return builder.ledger()


def put_away_and_taken_up(builder: LedgerBuilder) -> LedgerBuilder:
    stored = json.dumps(builder.ledger().to_json()), json.dumps(builder.state())
    return LedgerBuilder(Ledger.from_json(json.loads(stored[0])), json.loads(stored[1]))
