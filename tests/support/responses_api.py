"""
A scripted OpenAI Responses API on loopback: what the real Codex CLI streams from.

A turn is a text, or a list of items: `{"text"}`, `{"call", "arguments"}` (a function, `namespace` where it is in one),
`{"custom", "input"}` (a free-form tool). Turns are used in order, those of subagents for themselves; then "Done." for ever.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Turn = str | list[dict[str, Any]]
_USAGE = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}


class ResponsesApi:
    """`url` is a provider's `base_url`; `asked` has every request for a response, in order."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.agents: list[Turn] = []  # the turns of subagents
        self.asked: list[dict[str, Any]] = []
        api = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                for event in api.answer(body):
                    self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())  # fmt: skip

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def enqueue(self, *turns: Turn) -> None:
        self.turns += turns

    def answer(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        """The events of the next turn."""
        self.asked.append(body)
        turns = (
            self.agents if "x-openai-subagent" in body.get("client_metadata", {}) else self.turns
        )
        turn = turns.pop(0) if turns else "Done."
        items = [{"text": turn}] if isinstance(turn, str) else turn
        number = len(self.asked)
        done = [{"type": "response.output_item.done", "item": _item(one, f"{number}_{i}")} for i, one in enumerate(items)]  # fmt: skip
        response = {"id": f"resp_{number}", "usage": _USAGE}
        return [{"type": "response.created", "response": {"id": response["id"]}}, *done, {"type": "response.completed", "response": response}]  # fmt: skip

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _item(each: dict[str, Any], number: str) -> dict[str, Any]:
    if "text" in each:
        content = [{"type": "output_text", "text": each["text"]}]
        return {"type": "message", "role": "assistant", "id": f"msg_{number}", "content": content}
    if "custom" in each:
        own = {"type": "custom_tool_call", "name": each["custom"], "input": each["input"]}
    else:
        own = {"type": "function_call", "name": each["call"], "arguments": json.dumps(each["arguments"])}  # fmt: skip
    own |= {"namespace": each["namespace"]} if "namespace" in each else {}
    return {**own, "call_id": f"call_{number}", "id": f"item_{number}"}
