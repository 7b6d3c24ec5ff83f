"""
What comes in through the queue while Claude works: the person's words, and notices of background tasks.

A `queue-operation` line enters or leaves it. Words that leave by "dequeue" follow as an ordinary prompt, by "remove" they
went to the model in mid-turn: newer hosts then write an attachment too, older ones nothing else. They are told once.
"""

from ace_reflect.transcript import notices, people
from ace_reflect.transcript.fields import cut_middle, mapping, plain_text, string
from ace_reflect.transcript.memory import Memory
from ace_reflect.transcript.records import Prompt, Record
from ace_reflect.transcript.user import read_prompt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LONGEST = 10_000
_MOST_WAITING = 50
_MOST_TOLD = 20


def read_operation(memory: Memory, data: "dict[str, Any]") -> "list[Record]":
    """One `queue-operation` line."""
    operation = string(data, "operation")
    if operation == "enqueue":
        return _enqueue(memory, _words(data), data)
    if operation == "popAll":
        memory.queue.clear()
    elif operation in ("dequeue", "remove") and memory.queue:
        text = _take(memory, _words(data))
        if operation == "remove":
            return _told_in_turn(memory, text, memory.base(data))
    return []


def _words(data: "dict[str, Any]") -> str:
    content = data.get("content")
    return people.without_wrappers(plain_text(content)) if type(content) in (str, list) else ""


def _enqueue(memory: Memory, text: str, data: "dict[str, Any]") -> "list[Record]":
    hosts = notices.is_task_line(text)
    memory.queue.append("" if hosts else cut_middle(text, _LONGEST))
    del memory.queue[:-_MOST_WAITING]
    return notices.told_in(memory, text, memory.base(data)) if hosts else []


def _take(memory: Memory, text: str) -> str:
    """The words that leave the queue. The line seldom says which: a person's go before notices."""
    queue = memory.queue
    for wanted in (cut_middle(text, _LONGEST), *queue):
        if wanted and wanted in queue:
            queue.remove(wanted)
            return wanted
    if queue:
        queue.pop(0)
    return ""


def _told_in_turn(memory: Memory, text: str, base: "dict[str, Any]") -> "list[Record]":
    if not text or text.startswith(("/", "<")):
        return []
    memory.told.append(text)
    del memory.told[:-_MOST_TOLD]
    return [Prompt(**base, kind="human", text=text, queued=True, print_mode=people.in_print_mode(memory.context))]


def read_queued_command(memory: Memory, data: "dict[str, Any]", base: "dict[str, Any]") -> "list[Record]":
    """The attachment that newer hosts write for what left the queue in mid-turn."""
    attachment = mapping(data, "attachment")
    text = people.without_wrappers(plain_text(attachment.get("prompt")))
    if not text or attachment.get("isMeta") is True:
        return []
    if string(attachment, "commandMode") == "task-notification" or notices.is_task_line(text):
        return notices.told_in(memory, text, base)
    return read_prompt(memory, text, {**data, "origin": attachment.get("origin")}, base, queued=True)
