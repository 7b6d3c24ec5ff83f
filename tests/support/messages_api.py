"""
A scripted model behind real HTTP on loopback: the Messages API, and the same scripts as OpenAI chat completions.

    with MessagesApi() as api:
        api.enqueue({"text": '{"analysis": "…", "bullet_tags": []}'})
        api.enqueue({"status": 429, "headers": {"retry-after": "1"}})
        …                      # point ANTHROPIC_BASE_URL at api.url, or an OpenAI client at api.url + "/v1"
    api.requests               # what was asked: method, path, headers, body, kind

It streams, calls tools and tells the host's own calls apart, so that it drives the real Claude Code CLI too.
"""

import json
import threading
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from support.api_script import Script, Turn, blocks_of, kind_of

Json = dict[str, Any]

USAGE = {"input_tokens": 100, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 20}  # fmt: skip
ERROR_TYPES = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
               413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error"}  # fmt: skip
PIECE = 40  # characters of a streamed text piece


@dataclass
class Asked:
    """One request as it came. Header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    kind: str
    at: float = field(default_factory=time.monotonic)


class MessagesApi:
    """The server, on a free port, from construction (or `with`) to `close`."""

    def __init__(self) -> None:
        self.script = Script()
        self.requests: list[Asked] = []
        self.batch: list[Json] = []  # the results of the last one
        self._lock = threading.Lock()
        self.closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), self)
        self.port: int = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        serve = self._server.serve_forever
        self._thread = threading.Thread(target=serve, args=(0.02,), daemon=True)
        self._thread.start()

    def enqueue(self, *turns: Turn) -> None:
        for turn in turns:
            self.script.add(turn)

    @property
    def asked(self) -> list[Asked]:
        """The requests for an answer, without the host's probes and titles."""
        return [one for one in self.requests if one.method == "POST" and one.kind == "main"]

    def note(self, asked: Asked) -> None:
        with self._lock:
            self.requests.append(asked)

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a handler may be hanging on purpose

    def __init__(self, address: tuple[str, int], api: MessagesApi) -> None:
        self.api = api
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what many tests want."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        pass

    def do_HEAD(self) -> None:
        self._json(200, {})

    def do_GET(self) -> None:
        self.server.api.note(Asked("GET", self.path, self._headers(), None, "get"))
        if "/models" in self.path:
            model = {"type": "model", "id": "scripted-model", "display_name": "Scripted"}
            self._json(200, {"data": [model], "has_more": False})
        elif self.path.endswith("/results"):
            data = "".join(f"{json.dumps(row)}\n" for row in self.server.api.batch)
            self._send(200, data.encode(), {"content-type": "application/x-jsonl"})
        elif "/messages/batches/" in self.path:
            self._json(200, self._batch("ended"))
        elif self.path == "/":
            self._json(200, {})
        else:
            self._error(404, self.path)

    def do_POST(self) -> None:
        raw, path = self._body(), self.path.partition("?")[0]
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            body = {"unreadable": raw.decode("utf-8", "replace")}
        if path.endswith("/count_tokens"):
            self._json(200, {"input_tokens": len(raw) // 4})
        elif path.endswith("/messages/batches"):
            self._take_batch(body)
        elif path.endswith(("/messages", "/chat/completions")):
            self._answer(body, openai=path.endswith("/chat/completions"))
        else:
            self.server.api.note(Asked("POST", self.path, self._headers(), body, "other"))
            self._error(404, path)

    def _take_batch(self, body: Any) -> None:
        """Message Batches: the script answers each request in its order; one of status N has `errored`."""
        api = self.server.api
        api.note(Asked("POST", self.path, self._headers(), body, "batch"))
        api.batch = []
        for row in body["requests"]:
            reply = api.script.reply("main", row["params"])
            turn = {"text": reply} if isinstance(reply, str) else reply
            said = message(turn, blocks_of(turn, row["params"]), row["params"])
            result: Json = {"type": "succeeded", "message": said}
            if "status" in turn:
                result = {
                    "type": "errored",
                    "error": {
                        "type": "error",
                        "error": {"type": "api_error", "message": "scripted"},
                    },
                }
            api.batch.append({"custom_id": row["custom_id"], "result": result})
        self._json(200, self._batch("in_progress"))

    def _batch(self, status: str) -> Json:
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        url, at = f"{self.server.api.url}/v1/messages/batches/b1/results", "2026-01-01T00:00:00Z"
        told = {
            "id": "b1",
            "type": "message_batch",
            "processing_status": status,
            "request_counts": counts,
        }
        return {**told, "results_url": url, "created_at": at, "expires_at": at}

    def _answer(self, body: Any, *, openai: bool) -> None:
        api = self.server.api
        kind = "main" if openai else kind_of(body, self._headers())
        reply = api.script.reply(kind, body)
        api.note(Asked("POST", self.path, self._headers(), body, kind))
        turn = {"text": reply} if isinstance(reply, str) else reply
        with suppress(BrokenPipeError, ConnectionResetError):
            api.closing.wait(turn.get("delay_s", 0))
            if self._misbehaves(turn):
                return
            blocks = blocks_of(turn, body)
            if openai:
                self._json(200, completion(turn, blocks, body), cut=bool(turn.get("cut")))
            elif body.get("stream"):
                self._stream(message(turn, blocks, body), turn.get("chunk_delay_s", 0))
            else:
                self._json(200, message(turn, blocks, body), cut=bool(turn.get("cut")))

    def _misbehaves(self, turn: Mapping[str, Any]) -> bool:
        """Answer in one of the ways in which an endpoint fails; False for a turn that is a message."""
        if turn.get("hang"):
            self.close_connection = True
            self.server.api.closing.wait(600)
        elif "drip_s" in turn:
            self._drip(turn["drip_s"])
        elif "redirect" in turn:
            self._send(307, b"", {"location": turn["redirect"]})
        elif "status" in turn:
            self._error(turn["status"], turn.get("message", "scripted"), turn.get("headers"))
        elif "raw" in turn:
            raw = turn["raw"] if isinstance(turn["raw"], bytes) else turn["raw"].encode()
            self._send(200, raw, {"content-type": "application/json"})
        else:
            return False
        return True

    # -- bodies

    def _stream(self, reply: dict[str, Any], pause_s: float) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        usage = reply["usage"] | {"output_tokens": 1}
        opening = reply | {"content": [], "stop_reason": None, "usage": usage}
        self._event("message_start", message=opening)
        for index, block in enumerate(reply["content"]):
            empty, pieces = _pieces(block)
            self._event("content_block_start", index=index, content_block=empty)
            for delta in pieces:
                self._event("content_block_delta", index=index, delta=delta)
                self.server.api.closing.wait(pause_s)
            self._event("content_block_stop", index=index)
        done = {"stop_reason": reply["stop_reason"], "stop_sequence": None}
        spent = {"output_tokens": reply["usage"]["output_tokens"]}
        self._event("message_delta", delta=done, usage=spent)
        self._event("message_stop")

    def _event(self, name: str, **fields: Any) -> None:
        data = json.dumps({"type": name, **fields})
        self.wfile.write(f"event: {name}\ndata: {data}\n\n".encode())
        self.wfile.flush()

    def _drip(self, pause_s: float) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "1000000")
        self.end_headers()
        while not self.server.api.closing.wait(pause_s):
            self.wfile.write(b" ")
            self.wfile.flush()

    def _error(self, status: int, said: str, headers: Mapping[str, str] | None = None) -> None:
        kind = ERROR_TYPES.get(status, "api_error")
        self._json(status, {"type": "error", "error": {"type": kind, "message": said}}, headers)

    def _json(self, status: int, value: Any, headers=None, *, cut: bool = False) -> None:
        data = json.dumps(value).encode()
        self._send(status, data, {"content-type": "application/json", **(headers or {})}, cut=cut)

    def _send(self, status: int, data: bytes, headers: Mapping[str, str], *, cut=False) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if cut:
            self.close_connection = True
            data = data[: len(data) // 2]
        if self.command != "HEAD":
            self.wfile.write(data)

    def _headers(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        data = b""
        while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data


def message(turn: Json, blocks: list[Json], body: Json) -> Json:
    """The turn as the Messages API writes it."""
    content = [_block(block) for block in blocks]
    calls = any(block["type"] == "tool_use" for block in content)
    said = {"id": f"msg_{uuid.uuid4().hex[:24]}", "type": "message", "role": "assistant"}
    said |= {"model": body.get("model", "scripted-model"), "content": content}
    ends = turn.get("stop_reason") or ("tool_use" if calls else "end_turn")
    usage = {**USAGE, **(turn.get("usage") or {})}
    return {**said, "stop_reason": ends, "stop_sequence": None, "usage": usage}


def completion(turn: Json, blocks: list[Json], body: Json) -> Json:
    """The same turn as a chat completion."""
    stop = turn.get("stop_reason", "end_turn")
    usage = {**USAGE, **(turn.get("usage") or {})}
    said = "".join(block.get("text", "") for block in blocks)
    refusal = "I cannot help with that." if stop == "refusal" else None
    answer = {"role": "assistant", "content": None if refusal else said, "refusal": refusal}
    finish = "length" if stop == "max_tokens" else "stop"
    reply = {"id": f"chatcmpl-{uuid.uuid4().hex[:24]}", "object": "chat.completion", "created": 0}
    reply["model"] = body.get("model", "scripted-model")
    reply["choices"] = [{"index": 0, "finish_reason": finish, "message": answer}]
    asked, told = usage["input_tokens"], usage["output_tokens"]
    tokens = {"prompt_tokens": asked, "completion_tokens": told, "total_tokens": asked + told}
    return {**reply, "usage": tokens}


def _block(block: Mapping[str, Any]) -> dict[str, Any]:
    if "tool" in block:
        call = {"type": "tool_use", "id": block.get("id") or f"toolu_{uuid.uuid4().hex[:24]}"}
        return call | {"name": block["tool"], "input": block.get("input", {})}
    if "thinking" in block:
        return {"type": "thinking", "thinking": block["thinking"], "signature": "c2NyaXB0ZWQ="}
    return {"type": "text", "text": block.get("text", "")}


def _pieces(block: Json) -> tuple[Json, list[Json]]:
    """A block as streaming sends it: its empty opening, and the deltas."""
    if block["type"] == "tool_use":
        given = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        return {**block, "input": {}}, [given]
    if block["type"] == "thinking":
        deltas = [{"type": f"{k}_delta", k: block[k]} for k in ("thinking", "signature")]
        return {"type": "thinking", "thinking": "", "signature": ""}, deltas
    text = block["text"]
    texts = (text[at : at + PIECE] for at in range(0, len(text), PIECE))
    return {"type": "text", "text": ""}, [{"type": "text_delta", "text": one} for one in texts]
