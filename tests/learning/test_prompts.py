"""The prompts as a model reads them, for review."""

from ace_reflect import load_template
from ace_reflect.learning.curator import curator_request
from ace_reflect.learning.reflector import reflector_request, transcript_text

MESSAGES = [
    {"speaker": "person", "content": "Add pagination to {orders}.", "line": 3},
    {"speaker": "claude", "content": "I run the failing test alone first [pat-004].", "line": 9},
    {"speaker": "tool result", "content": "1 failed, 11 passed", "line": 12},
]
PLAYBOOK = (
    "## PATTERNS & APPROACHES\n[pat-004] helpful=2 harmful=0 :: Run a failing test alone first."
)
FACTS = "line 12: `pytest -q tests/orders` failed: 1 failed, 11 passed\nline 31: `pytest -q` passed: 64 passed"


def test_the_reflector_with_citations(snapshot):
    request = reflector_request(transcript_text(MESSAGES), PLAYBOOK, ["pat-004"], facts=FACTS)
    assert request.prompt == snapshot


def test_the_curator(snapshot):
    analysis = "The full run cut the first error off (line 12, outcome)."
    reflection = {"analysis": analysis, "bullet_tags": []}
    assert curator_request(reflection, PLAYBOOK, facts=FACTS).prompt == snapshot


def test_all_roles_are_told_that_a_session_is_material(snapshot):
    assert load_template("system.txt") == snapshot
