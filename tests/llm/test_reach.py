"""doctor's question: does the endpoint answer, and does it take the key?"""

import socket
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from ace_reflect.llm.reach import why_unreachable


@pytest.fixture
def endpoint():
    seen: list[dict[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        status, location = 200, ""

        def do_GET(self):
            seen.append({**{k.lower(): v for k, v in self.headers.items()}, "path": self.path})
            self.send_response(Handler.status)
            if Handler.location:
                self.send_header("location", Handler.location)
            self.send_header("content-length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", Handler, seen
    server.shutdown()
    server.server_close()


def environ(url: str) -> dict[str, str]:
    return {
        "ANTHROPIC_API_KEY": "sk-fake",
        "ANTHROPIC_BASE_URL": url,
        "OPENAI_API_KEY": "sk-fake",
        "OPENAI_BASE_URL": url,
    }


@pytest.mark.parametrize(("spec", "path"), [("anthropic/x", "/v1/models"), ("openai/x", "/models")])
def test_an_endpoint_that_answers_can_be_asked(endpoint, spec, path):
    url, _, seen = endpoint

    assert why_unreachable(spec, None, environ(url)) == ""
    assert seen[0]["path"] == path


@pytest.mark.parametrize(
    ("status", "says"),
    [(401, "ANTHROPIC_API_KEY was refused (401)"), (503, "answers with 503"), (404, "")],
)
def test_what_the_endpoint_says_is_told(endpoint, status, says):
    url, handler, _ = endpoint
    handler.status = status

    assert says in why_unreachable("anthropic/x", None, environ(url))
    assert bool(says) == bool(why_unreachable("anthropic/x", None, environ(url)))


def test_a_redirect_does_not_take_the_key_along(endpoint):
    url, handler, seen = endpoint
    handler.status, handler.location = 302, url + "/elsewhere"

    why_unreachable("anthropic/x", None, environ(url))

    assert [one["path"] for one in seen] == ["/v1/models"]


def test_nobody_there_and_no_key_are_told_apart():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"

    assert "cannot be reached" in why_unreachable("anthropic/x", None, environ(url), timeout_s=1)
    assert "no key" in why_unreachable("anthropic/x", None, {})
