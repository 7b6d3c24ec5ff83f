"""`read_ledger`: a transcript's file and those of its subagents, read whole into one ledger."""

from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.transcript.files import subagent_files
from ace_reflect.transcript.reader import TranscriptReader


def read_ledger(path: str, *, final: bool = True) -> Ledger:
    """
    The ledger of a session.

    Args:
        path: its transcript.
        final: the file is finished, so that a last line without a newline counts too.

    Raises TranscriptError when the file cannot be read; an unreadable subagent's file is passed over.
    """
    builder = LedgerBuilder()
    others = subagent_files(path)
    reader = TranscriptReader(path, final=final, progress=not others)
    for record in reader:
        builder.feed(record)
    builder.count(reader.lines, reader.bad_lines)
    for other in others:
        feed_subagent(builder, other, final=final)
    return builder.ledger()


def feed_subagent(builder: LedgerBuilder, path: str, *, final: bool = True) -> None:
    """Feed one subagent's file whole; what cannot be read is left out."""
    from ace_reflect.errors import TranscriptError

    try:
        for record in TranscriptReader(path, file=path.rpartition("/")[2], final=final):
            builder.feed(record)
    except TranscriptError:
        return
