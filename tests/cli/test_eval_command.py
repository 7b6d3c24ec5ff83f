"""`ace-reflect eval`: the table and every miss."""

import json
import re

import pytest

from support.cli import Ace

SAID = {"text": json.dumps({"kind": "working", "why": "it runs"})}
MODEL = "anthropic/claude-haiku-4-5"


def test_the_rules_alone_need_no_setting_and_every_miss_is_told(ace: Ace) -> None:
    body, page = ace("eval", "stuck", "--json").json, ace("eval", "all").out

    assert (body["schema"], body["engine"]) == ("ace-reflect/eval/1", "rules")
    (suite,) = body["suites"]
    assert suite["right"] + len(suite["misses"]) == suite["cases"]
    assert suite["misses"]
    assert page.startswith("### Evaluation suites: rules\n")
    rows = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("|")]
    assert rows[2:] == ["assess", "judge", "stuck", "post-compaction", "agent"]
    for miss in suite["misses"]:
        assert f"- {miss['id']}: {miss['expected'][0]}, said {miss['said']}" in page


@pytest.mark.usefixtures("asked_by_environment")
@pytest.mark.parametrize("refused", [0, 1])
def test_a_model_is_asked_once_a_case_and_its_cost_is_shown(ace, api, refused):
    """A case without an answer fails the run."""
    api.enqueue(*[{"status": 400}] * refused, {**SAID, "repeat": 20})

    said = ace("eval", "stuck", "--model", MODEL)

    assert (said.code, "1 cases have no answer" in said.err) == (refused, bool(refused))
    assert len(api.requests) == 20
    assert f"### Evaluation suites: {MODEL}" in said.out
    assert "rules first" in said.out
    if not refused:
        assert "25%" in said.out  # the five that really were at work
        assert "$0.0002" in said.out
        assert re.search(r"\d\.\d s\b", said.out)
