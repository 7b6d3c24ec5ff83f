"""`user` lines: tool results, the person's words, and all that the host writes into the person's side."""

from ace_reflect.transcript import notices, people
from ace_reflect.transcript.fields import TEXT_CAP, blocks, cut_middle, mapping, optional, string, tag
from ace_reflect.transcript.memory import Memory
from ace_reflect.transcript.records import Compaction, Interrupt, Prompt, Record, UserShell, made
from ace_reflect.transcript.tools import read_results

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read_user(memory: Memory, data: "dict[str, Any]", *, whole: bool) -> "list[Record]":
    """One `user` line."""
    base = memory.base(data)
    records = memory.changes(data, base)
    if data.get("isSidechain") is not True:
        records += memory.set_mode(string(data, "permissionMode"), base)
    found = blocks(mapping(data, "message").get("content"))
    results = read_results(memory, found, data, base, whole=whole)
    return records + results + _said(memory, found, data, base, beside_result=bool(results))


def _said(
    memory: Memory,
    found: "list[dict[str, Any]]",
    data: "dict[str, Any]",
    base: "dict[str, Any]",
    *,
    beside_result: bool,
) -> "list[Record]":
    records: list[Record] = []
    hosts = data.get("isMeta") is True or data.get("isCompactSummary") is True
    words = []
    shown = False
    for block in found:
        kind = block.get("type")
        if kind != "text":
            shown = shown or kind in ("image", "document")
            continue
        text = string(block, "text")
        if text.startswith(people.INTERRUPTED):
            records += flush_shell(memory)
            records.append(Interrupt(**base, during_tool="for tool use" in text))
        elif text := text if hosts else people.without_wrappers(text):
            words.append(text)
    text = "\n".join(words)
    if shown and not (text or records or beside_result):
        text = "[image]"
    return records + (read_prompt(memory, text, data, base, queued=beside_result) if text else [])


def read_prompt(
    memory: Memory, text: str, data: "dict[str, Any]", base: "dict[str, Any]", *, queued: bool
) -> "list[Record]":
    """Text that is no tool result, without the host's wrappers. `queued`: it came in mid-turn."""
    if text.startswith("<bash-") and data.get("isMeta") is not True:
        return _shell(memory, text, base)
    records = flush_shell(memory)
    kind = people.prompt_kind(data, text)
    if kind == "task-notification":
        records += notices.told_in(memory, text, base)
    if kind == "compact-summary" and not memory.boundary and not base.get("sidechain"):
        records.append(Compaction(**base))
    memory.boundary = False
    command = people.slash_command(text) if kind == "human" else None
    if command:
        kind = "human" if text.startswith("<command-message>") else "command-output"
        text = f"/{command[0]} {command[1]}".strip()
    if kind in ("human", "plan") and not _first_told(memory, text, base, queued=queued):
        return records
    own = {
        "kind": kind,
        "text": text,
        "prompt_id": optional(data, "promptId"),
        "print_mode": people.in_print_mode(data),
        "queued": queued,
        "command": command[0] if command else None,
    }
    return [*records, made(Prompt, base | own)]


def _first_told(memory: Memory, text: str, base: "dict[str, Any]", *, queued: bool) -> bool:
    """Whether these words were not yet given: once from the queue, or by a copied line with the same uuid."""
    uuid = base.get("uuid")
    key = f"{uuid} {len(text)} {text[:40]}"  # not the whole text: a long key is summed up first
    if uuid is not None and not memory.first(key):
        return False
    if queued and text in memory.told:
        memory.told.remove(text)
        return False
    return True


def _shell(memory: Memory, text: str, base: "dict[str, Any]") -> "list[Record]":
    """`<bash-input>` waits for the `<bash-stdout>` of the next line; both may also stand in one."""
    records: list[Record] = []
    if "<bash-input>" in text:
        records += flush_shell(memory)
        memory.shell = {**base, "command": tag(text, "bash-input")}
    if "<bash-stdout>" in text or "<bash-stderr>" in text:
        shell = memory.shell or {**base, "command": ""}
        memory.shell = {}
        stdout, stderr = tag(text, "bash-stdout"), tag(text, "bash-stderr")
        records.append(UserShell(**shell, stdout=cut_middle(stdout, TEXT_CAP), stderr=cut_middle(stderr, TEXT_CAP)))
    return records


def flush_shell(memory: Memory) -> "list[Record]":
    """The person's command whose output line never came."""
    shell, memory.shell = memory.shell, {}
    return [UserShell(**shell)] if shell else []
