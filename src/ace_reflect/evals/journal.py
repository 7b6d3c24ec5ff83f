"""
Models' answers on file: recorded as they come, so that a run that was broken off goes on, and replayed without asking.

A line for each answer; a line that was cut off by a kill is passed over.
"""

import hashlib
import json
import os
from dataclasses import dataclass, field
from typing import Any

from ace_reflect.errors import AceReflectError, ModelUnavailable
from ace_reflect.llm.port import Model, Reply, Request, Usage
from ace_reflect.redact import redact


@dataclass(slots=True)
class Journal:
    """Answers by what was asked (`digest`). With a `path`, each new one is on the disk before it is used."""

    replies: dict[str, Reply] = field(default_factory=dict)
    path: str = ""
    asked: tuple[str, ...] = ()  # whose answers the file held

    def put(self, request: Request, asked: str, reply: Reply) -> None:
        """Keep one answer. Raises AceReflectError where it cannot be written: the next one would be paid for in vain, too."""
        key = digest(request, asked)
        self.replies[key] = reply
        if self.path:
            row = {"key": key, "asked": asked, "role": request.role, **_to_json(reply)}
            _append(self.path, json.dumps(_clean(row), ensure_ascii=False) + "\n")


def open_journal(path: str, *, resume: bool) -> Journal:
    """The journal at `path` for recording; `resume` takes the answers that stand there, else it must not exist."""
    if resume and os.path.exists(path):
        kept = read_journal(path).replies
        _append(path, "\n")  # a line that was cut off ends here
        return Journal(kept, path)
    if os.path.exists(path):
        raise AceReflectError(
            f"{path}: is there already; --resume goes on with it, another name begins anew"
        )
    return Journal(path=path)


def read_journal(path: str) -> Journal:
    """The recorded answers of a file. Raises AceReflectError where it cannot be read or holds none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            rows = [row for line in file if (row := _row(line)) is not None]
    except OSError as error:
        raise AceReflectError(f"{path}: cannot be read ({error.strerror})") from None
    if not rows:
        raise AceReflectError(
            f"{path}: holds no recorded answer; `ace-reflect eval … --record FILE` writes them"
        )
    asked = dict.fromkeys(str(row["asked"]) for row in rows)
    return Journal({row["key"]: _from_json(row) for row in rows}, asked=tuple(asked))


def digest(request: Request, asked: str) -> str:
    """What an answer is known by: the model asked, and the whole of the question."""
    asked_for = json.dumps(request.schema, sort_keys=True)
    parts = (asked, request.system, request.prompt, asked_for, str(request.max_tokens))
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()


@dataclass(slots=True)
class Recorded:
    """A model whose answers are taken from the journal where it has them, and written into it where not."""

    inner: Model
    journal: Journal
    reused: int = 0

    @property
    def name(self) -> str:
        return self.inner.name

    async def ask(self, request: Request) -> Reply:
        known = self.journal.replies.get(digest(request, self.name))
        if known is not None:
            self.reused += 1
            return known
        reply = await self.inner.ask(request)
        self.journal.put(request, self.name, reply)
        return reply


@dataclass(slots=True)
class Replayed:
    """Nobody: gives what was recorded, whoever was asked then. A question that is not on record stays without an answer."""

    journal: Journal

    @property
    def name(self) -> str:
        return f"replay of {', '.join(self.journal.asked)}"

    async def ask(self, request: Request) -> Reply:
        for asked in self.journal.asked:
            known = self.journal.replies.get(digest(request, asked))
            if known is not None:
                return known
        raise ModelUnavailable(
            "this question is not on record (the case or the prompt has changed since)"
        )


def replayed(path: str) -> Replayed:
    """The recorded answers of a file as a model."""
    return Replayed(read_journal(path))


def _clean(value: Any) -> Any:
    """Without secrets: an endpoint may say back what it was sent, its key among it."""
    if isinstance(value, str):
        return redact(value, os.environ)
    if isinstance(value, dict):
        return {name: item if name == "key" else _clean(item) for name, item in value.items()}
    return [_clean(item) for item in value] if isinstance(value, list) else value


def _append(path: str, line: str) -> None:
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), mode=0o700, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, line.encode("utf-8", "replace"))
        finally:
            os.close(descriptor)
    except OSError as error:
        raise AceReflectError(
            f"{path}: cannot be written ({error.strerror}); nothing more was asked"
        ) from None


def _row(line: str) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) and {"key", "asked", "text"} <= row.keys() else None


def _to_json(reply: Reply) -> dict[str, Any]:
    return {
        "model": reply.model,
        "text": reply.text,
        "structured": reply.structured,
        "usage": reply.usage.to_json(),
        "ms": reply.ms,
        "cut": reply.cut,
    }


def _from_json(row: dict[str, Any]) -> Reply:
    spent = row.get("usage") or {}
    structured = row.get("structured")
    return Reply(
        str(row["text"]),
        str(row.get("model", "")),
        structured if isinstance(structured, dict) else None,
        Usage(
            int(spent.get("input_tokens") or 0),
            int(spent.get("output_tokens") or 0),
            spent.get("cost_usd"),
        ),
        int(row.get("ms") or 0),
        bool(row.get("cut")),
    )
