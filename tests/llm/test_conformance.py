"""What every provider is held to, over real HTTP on loopback."""

import asyncio
import importlib
import json
import socket
import time
from operator import attrgetter
from typing import Any

import pytest

from ace_reflect.errors import ModelReplyInvalid, ModelUnavailable
from ace_reflect.llm.chain import Chain
from ace_reflect.llm.port import Request, without_login
from ace_reflect.llm.registry import model_for, why_unreachable
from support.fake_model import FakeModel
from support.messages_api import MessagesApi

KEY = "sk-test-0123456789abcdef"
text_of = attrgetter("text")


def test_an_answer_comes_with_its_model_and_usage(provider: Any, api: MessagesApi) -> None:
    usage = {"input_tokens": 1000, "output_tokens": 50}
    api.enqueue({"text": '{"analysis": "fine"}', "usage": usage})

    reply = provider.ask("What happened?")

    assert reply.text == '{"analysis": "fine"}'
    assert provider.spec == reply.model
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (1000, 50)
    assert not reply.cut
    assert "What happened?" in str(api.asked[0].body)
    assert "You answer." in str(api.asked[0].body)


def test_secrets_do_not_leave_with_the_prompt(provider: Any, api: MessagesApi) -> None:
    api.enqueue("ok")

    token = "ghp_" + "0123456789abcdefghijABCDEFGHIJ456789"
    provider.ask(f"The log says {token} and {KEY}, half \ud83d")

    assert "ghp_" not in str(api.asked[0].body)
    assert KEY not in str(api.asked[0].body)
    assert "[REDACTED:" in str(api.asked[0].body)


# ------------------------------------------------------------------ what is tried again


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_names_its_variable_and_is_not_tried_again(provider, api, status):
    api.enqueue({"status": status, "message": f"invalid x-api-key: {KEY}"}, "never asked for")

    with pytest.raises(ModelUnavailable, match=provider.variable) as caught:
        provider.ask()

    assert KEY not in str(caught.value)
    assert not caught.value.retry_later
    assert len(api.asked) == 1


WRONG = {400: "refused the request", 404: "there is no such model"}


@pytest.mark.parametrize(("status", "said"), WRONG.items())
def test_a_wrong_request_is_not_tried_again_and_names_the_chain(provider, api, status, said):
    api.enqueue({"status": status, "message": "model: not found", "repeat": 3})

    with pytest.raises(ModelUnavailable, match=rf"configured: {provider.spec}") as caught:
        asyncio.run(Chain((provider.model(),)).answer(Request("?", deadline_s=20), text_of))

    assert said in str(caught.value)
    if provider.sdk:  # in the endpoint's words, for it is the person's to mend
        assert f"({status}: model: not found)" in str(caught.value)
    if not provider.real:  # which asks once more by itself
        assert len(api.asked) == 1


def test_a_rate_limit_is_waited_out_as_long_as_it_says(provider: Any, api: MessagesApi) -> None:
    slowly = {"text": "in the end", "delay_s": 0.2}
    api.enqueue({"status": 429, "headers": {"retry-after": "0.4"}}, {"status": 500}, slowly)

    assert provider.ask().text == "in the end"
    first, second, _ = api.asked
    if provider.sdk:  # the CLI does not pass the header on
        assert second.at - first.at >= 0.4


@pytest.mark.parametrize("status", [408, 529])
def test_what_may_pass_is_tried_three_times_and_no_more(provider, api, status):
    api.enqueue({"status": status, "message": "try later", "repeat": 4})

    with pytest.raises(ModelUnavailable, match=str(status)) as caught:
        provider.ask()

    assert len(api.asked) == 3
    assert caught.value.retry_later


def test_a_refused_connection_is_tried_three_times_and_may_be_tried_later(provider, api):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{unused.getsockname()[1]}"
        moved = {name: value.replace(api.url, nowhere) for name, value in provider.environ.items()}
        provider.config.endpoints["house"].base_url = nowhere + "/v1"

        with pytest.raises(ModelUnavailable) as caught:
            provider.ask(environ=moved)

    assert caught.value.retry_later
    assert api.requests == []


# ------------------------------------------------------------------ time


def test_an_endpoint_that_hangs_or_drips_does_not_outlast_the_deadline(provider, api):
    for sdk in ("anthropic", "openai"):
        importlib.import_module(sdk)  # it takes seconds, which no deadline of a call counts
    api.enqueue({"hang": True}, {"drip_s": 0.05, "repeat": 3})
    # A program takes a second to start, and more on a busy machine.
    attempt_s = 5.0 if provider.real else 0.8 if provider.sdk else 2.0
    started = time.monotonic()

    with pytest.raises(ModelUnavailable, match="no answer"):
        provider.ask(deadline_s=2.5 * attempt_s, attempt_s=attempt_s)

    assert time.monotonic() - started < 30
    assert (1 if provider.real else 2) <= len(api.asked) <= 3


# ------------------------------------------------------------------ what is no answer


def test_an_answer_at_its_limit_says_that_it_is_cut(provider: Any, api: MessagesApi) -> None:
    api.enqueue({"text": '{"analysis": "as far as', "stop_reason": "max_tokens", "repeat": 9})

    if provider.sdk:
        reply = provider.ask()
        assert (reply.cut, reply.text) == (True, '{"analysis": "as far as')
    else:
        with pytest.raises(ModelReplyInvalid, match="exit code"):
            provider.ask()


@pytest.mark.parametrize(
    ("turn", "told"),
    [({"text": "I cannot", "stop_reason": "refusal"}, "declined"), ({"blocks": []}, "empty")],
)
def test_a_refusal_or_empty_content_is_no_answer_and_was_paid_for(provider, api, turn, told):
    api.enqueue({**turn, "repeat": 3})
    with pytest.raises(ModelReplyInvalid, match=told) as caught:
        provider.ask()
    assert caught.value.usage.output_tokens >= 20


def test_a_body_that_ends_in_the_middle_is_asked_for_again(provider: Any, api: MessagesApi) -> None:
    api.enqueue({"text": "lost on the way " * 20, "cut": True}, "whole")

    if provider.real:  # it streams, where `cut` has no meaning
        api.enqueue("whole")
    assert provider.ask().text in {"whole", "lost on the way " * 20}
    if not provider.real:
        assert len(api.asked) == 2


@pytest.mark.parametrize("raw", ["garbage", "null", '{"content": 5, "choices": 7, "usage": []}'])
def test_a_body_of_another_form_is_no_answer(provider: Any, api: MessagesApi, raw: str) -> None:
    api.enqueue({"raw": raw, "repeat": 4})

    kinds = (ModelReplyInvalid, ModelUnavailable) if provider.real else ModelReplyInvalid
    with pytest.raises(kinds):
        provider.ask()

    if not provider.real:
        assert len(api.asked) == 1, "an endpoint that speaks another language will not learn ours"


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ('{"error": {"message": "No credits left", "code": 402}}', "No credits left"),
        (f'"<html>Open WebUI {KEY}</html>"', r"is the base URL right\?.*Open WebUI"),
    ],
)
def test_an_error_or_a_page_with_a_status_of_200_is_told(sdk_provider, api, raw, told):
    api.enqueue({"raw": raw})

    with pytest.raises(ModelReplyInvalid, match=told) as caught:
        sdk_provider.ask()

    assert KEY not in str(caught.value)


def test_an_answer_in_parts_is_put_together_without_the_thoughts(api: MessagesApi) -> None:
    parts = [{"type": "thinking", "thinking": [{"text": "hm"}]}, {"type": "text", "text": "rea"}, {"text": "dy"}]  # fmt: skip
    api.enqueue({"raw": json.dumps({"choices": [{"message": {"content": parts}}]})})
    environ = {"OLLAMA_BASE_URL": api.url + "/v1"}

    assert asyncio.run(model_for("ollama/x", None, environ).ask(Request("?"))).text == "ready"


# ------------------------------------------------------------------ where it goes


def test_a_redirect_is_not_followed_so_that_no_key_goes_with_it(sdk_provider, api):
    with MessagesApi() as elsewhere:
        api.enqueue({"redirect": elsewhere.url + "/v1/messages", "repeat": 4})

        with pytest.raises(ModelUnavailable, match="redirects to another address") as caught:
            sdk_provider.ask()

        assert elsewhere.requests == []
    assert KEY not in str(caught.value)
    assert len(api.asked) == 1


def test_a_password_in_an_address_is_not_quoted(api: MessagesApi) -> None:
    api.enqueue({"status": 401, "repeat": 3})
    url = api.url.replace("://", "://bob:hunter2@")
    environ = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": url}

    with pytest.raises(ModelUnavailable, match="at http://127") as caught:
        asyncio.run(model_for("anthropic/x", None, environ).ask(Request("?")))

    assert "hunter2" not in str(caught.value)
    assert "hunter2" not in why_unreachable("anthropic/x", None, environ)
    plain = "mail bob@example.com, see https://a/b@c"
    assert without_login(plain) == plain


def test_a_proxy_that_is_none_is_told_and_the_next_model_is_asked(sdk_provider, api, monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "socks9://bob:hunter2@127.0.0.1:9")

    with pytest.raises(ModelUnavailable, match="proxy") as caught:
        sdk_provider.ask()
    chain = Chain((sdk_provider.model(), FakeModel("from the next")))

    assert asyncio.run(chain.answer(Request("?"), text_of)).value == "from the next"
    assert "hunter2" not in str(caught.value)
    assert api.asked == []
