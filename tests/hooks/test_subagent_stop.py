"""SubagentStop: a subagent that leaves its own tests red without a word is told so once; all others go."""

import pytest

from support.stops import FAILED, PASSED, Session, python_project

FIXED = "Slugs keep their digits now."
APP = "src/app.py"


class Agent:
    """A subagent of a session that was asked to fix something."""

    def __init__(self, host, said="Fix the parser"):
        self.host, self.main = python_project(host), Session(python_project(host)).ask(said)
        self.own = Session(host, agent_id="a1b2c3d").prompt("fix it").edit(f"{host.project}/{APP}")

    def stops(self, report=FIXED, **payload):
        self.main.write()
        file = self.own.say(report).write_subagent(self.host.transcript())
        fields = {"agent_id": "a1b2c3d", "agent_type": "fixer", "agent_transcript_path": str(file)}
        fields |= {"last_assistant_message": report, "stop_hook_active": False, **payload}
        answered = self.host.hook("SubagentStop", **fields)
        assert (answered.code, answered.stderr) == (0, "")
        return answered.json


@pytest.fixture
def agent(host):
    return Agent(host)


def test_a_red_run_that_the_report_keeps_silent_about_is_named_once(agent):
    agent.own.bash("pytest -q", FAILED)

    told = agent.stops()

    assert (set(told), told["decision"]) == ({"decision", "reason"}, "block")
    parts = ("last run of the tests failed", "agent-a1b2c3d.jsonl", "`pytest -q`")
    assert all(part in told["reason"] for part in parts)
    assert agent.stops(stop_hook_active=True) == {}


def test_edits_after_the_red_run_leave_it_red(agent):
    agent.own.bash("pytest -q", FAILED).edit(f"{agent.host.project}/src/b.py")

    assert "not been run since the last edit" in agent.stops()["reason"]


@pytest.mark.parametrize("report", ["One test still fails: test_digits.", "It can't pass here.", "14/15 tests pass.", "test_b is not green yet.", "They fail as expected.", "❌ test_b", "Ein Test schlägt fehl.", "Un test échoue.", "Una prueba sigue fallando.", "Um teste falha.", "Один тест падает.", "一个测试失败", "テストが失敗", "테스트 실패", "{'passed': false}", "Keep the digits? test_b says no."])  # fmt: skip
def test_a_report_that_says_so_stands(agent, report):
    agent.own.bash("pytest -q", FAILED)

    assert agent.stops(report) == {}
    agent.own.prompt("Now the README").edit(f"{agent.host.project}/README.md")
    assert agent.stops("README updated.") == {}  # it was resumed


@pytest.mark.parametrize("output", [PASSED, "command not found: pytest", None])
def test_no_run_or_one_that_is_not_red_accuses_nobody(agent, output):
    if output:
        agent.own.bash("pytest -q", FAILED).bash("pytest -q", output)

    assert agent.stops() == {}


@pytest.mark.parametrize("said", ["Fix the parser, skip gates", "Fix the parser. Skip the tests."])
def test_the_persons_words_hold_for_subagents_too(host, said):
    agent = Agent(host, said)
    agent.own.bash("pytest -q", FAILED)

    assert agent.stops() == {}


@pytest.mark.parametrize("setting", ["gates: {tests: warn}", "gates: {tests: 'off'}", "enabled: false"])  # fmt: skip
def test_only_a_gate_that_blocks_speaks(host, setting):
    host.home.mkdir(exist_ok=True)
    (host.home / "reflection.yaml").write_text(setting)
    agent = Agent(host)
    agent.own.bash("pytest -q", FAILED)

    assert agent.stops() == {}


@pytest.mark.parametrize("edits", [False, True])
def test_what_failed_or_was_edited_before_it_came_is_not_its_own(host, edits):
    agent = Agent(host)
    agent.main.edit(f"{host.project}/src/b.py") if edits else agent.main.bash("pytest -q", FAILED)
    agent.own = Session(host, agent_id="a1b2c3d").prompt("fix it")
    for _ in range(9):  # later than that
        agent.own.say("Let me look.")
    agent.own.edit(f"{host.project}/{APP}").bash("pytest -q", FAILED)

    assert agent.stops() == {}


def test_what_another_edits_meanwhile_may_be_what_fails(agent):
    agent.own.bash("pytest -q", FAILED)
    other = Session(agent.host, agent_id="b2").prompt("and this").say("I look.").say("I edit.")
    other.edit(f"{agent.host.project}/src/b.py").write_subagent(agent.host.transcript())

    assert agent.stops() == {}


@pytest.mark.parametrize(("path", "line"), [("tests/test_b.py", "pytest -q"), (APP, "npx vitest")])
def test_a_subagent_whose_code_the_red_run_does_not_test_owes_nothing(agent, path, line):
    agent.own = Session(agent.host, agent_id="a1b2c3d").prompt("write a failing test")
    agent.own.edit(f"{agent.host.project}/{path}").bash(line, FAILED)

    assert agent.stops() == {}


@pytest.mark.parametrize("payload", [{"agent_transcript_path": "/nowhere/agent-x.jsonl", "agent_type": ""}, {"last_assistant_message": None}])  # fmt: skip
def test_a_compaction_and_an_end_without_a_report_are_silent(agent, payload):
    agent.own.bash("pytest -q", FAILED)

    assert agent.stops(**payload) == {}


def test_the_subagents_stop_leaves_the_sessions_own_to_the_stop_hook(agent):
    agent.own.bash("pytest -q", FAILED)
    agent.stops()
    agent.main.agent("fix it", FIXED)

    assert agent.main.stop_hook().json["decision"] == "block"
    rows = [(row["event"], row["decision"]) for row in agent.host.log()[-2:]]
    assert rows == [("SubagentStop", "block"), ("Stop", "block")]
