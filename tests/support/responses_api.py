"""
A scripted OpenAI Responses API on loopback: what the real Codex CLI streams from.

A turn is a text, or a list of items: `{"text"}`, `{"call", "arguments"}` (a function), `{"custom", "input"}` (a free-form
tool), or a dict `{"status": 500}`. Turns are used in order; then "Done." for ever.
"""

import json
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Turn = str | list[dict[str, Any]] | dict[str, Any]


class ResponsesApi:
    """`url` is a provider's `base_url`; `asked` has every request for a response, in order."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.asked: list[dict[str, Any]] = []
        self.paths: list[str] = []
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                api.paths.append(f"GET {self.path}")
                self.send_error(404)

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if self.headers.get("Content-Encoding") == "gzip":
                    raw = zlib.decompress(raw, 31)
                api.paths.append(f"POST {self.path}")
                if not self.path.endswith("/responses"):
                    self.send_error(404)
                    return
                body = json.loads(raw)
                api.asked.append(body)
                turn = api.turns.pop(0) if api.turns else "Done."
                if isinstance(turn, dict):
                    self.send_error(turn["status"])
                    return
                events = _events(turn, len(api.asked))
                payload = "".join(
                    f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in events
                ).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def enqueue(self, *turns: Turn) -> None:
        self.turns += turns

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _events(turn: str | list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    answer = f"resp_{number}"
    items = [_item(each, f"{number}_{i}") for i, each in enumerate(_listed(turn))]
    usage = {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5}
    usage |= {"output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15}
    done = [{"type": "response.output_item.done", "item": item} for item in items]
    ended = {"type": "response.completed", "response": {"id": answer, "usage": usage}}
    return [{"type": "response.created", "response": {"id": answer}}, *done, ended]


def _listed(turn: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"text": turn}] if isinstance(turn, str) else turn


def _item(each: dict[str, Any], number: str) -> dict[str, Any]:
    if "text" in each:
        content = [{"type": "output_text", "text": each["text"], "annotations": []}]
        return {"type": "message", "role": "assistant", "id": f"msg_{number}", "content": content}
    if "custom" in each:
        own = {"name": each["custom"], "input": each["input"]}
        return {
            "type": "custom_tool_call",
            "call_id": f"call_{number}",
            "id": f"ctc_{number}",
            **own,
        }
    own = {"name": each["call"], "arguments": json.dumps(each["arguments"])}
    own |= {"namespace": each["ns"]} if "ns" in each else {}
    return {"type": "function_call", "call_id": f"call_{number}", "id": f"fc_{number}", **own}
