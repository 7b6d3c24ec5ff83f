"""Whether a status shows is asked of bash itself: small programs are run with every combination of outcomes."""

import itertools
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ace_reflect.evidence.shell import split

#: Runs $1 once for each line of outcomes on stdin; prints the line's status and which commands ran.
DRIVER = r"""
while read -r line; do
  i=0
  for code in $line; do eval "c$i() { printf '%s ' $i >&3; return $code; }"; i=$((i+1)); done
  ran=$( { ( eval "$1" ) >/dev/null 2>&1 3>&4; echo "status:$?" >&4; } 4>&1 | tr '\n' ' ')
  echo "$ran"
done
"""

LEAF = "@"
NAMES = itertools.count()


def function(body: str, form: str) -> str:
    """A function and its call, under a name of its own: one that is defined twice depends on which definition ran."""
    name = f"f{next(NAMES)}"
    return f"{name}() {{ {form.format(body)}; }}; {name}"


def combine(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two = st.tuples(children, children)
    return st.one_of(
        two.map(" && ".join),
        two.map(" || ".join),
        two.map("; ".join),
        two.map("\n".join),
        two.map(lambda pair: f"{{ {pair[0]}; }} | {{ {pair[1]}; }}"),
        children.map(lambda one: f"! ( {one} )"),
        children.map(lambda one: f"{{ {one}; }}"),
        children.map(lambda one: f"( {one} )"),
        children.map(lambda one: f"{{ {one}; }} || exit 1"),
        children.map(lambda one: f"{{ {one}; }} || true"),
        children.map(lambda one: f"{{ {one}; }} && echo OK || echo BAD"),
        children.map(lambda one: f"{{ {one}; }}; exit $?"),
        children.map(lambda one: f"{{ {one}; }}; rc=$?; echo done; exit $rc"),
        children.map(lambda one: f"{{ {one}; }}; [ $? -eq 0 ]"),
        children.map(lambda one: f"{{ {one}; }} | tail -1; exit ${{PIPESTATUS[0]}}"),
        children.map(lambda one: f"x=$( {one} )"),
        children.map(lambda one: f"echo $( {one} )"),
        children.map(lambda one: f"set -e; {one}"),
        children.map(lambda one: f"set -o pipefail; {one}"),
        children.map(lambda one: f"for i in 1 2; do {one}; done"),
        children.map(lambda one: f"for i in 1; do {one}; done"),
        children.map(lambda one: function(one, "{}")),
        children.map(lambda one: f"if ! ( {one} ); then echo no; exit 1; fi"),
        two.map(lambda pair: f"if {pair[0]}; then {pair[1]}; fi"),
        st.tuples(children, children, children).map(
            lambda parts: "if {}; then {}; else {}; fi".format(*parts)
        ),
        children.map(lambda one: f"case a in a) {one};; esac"),
        children.map(lambda one: f"eval '{one}'" if "'" not in one else one),
        children.map(lambda one: f"{{ {one}; }}; false"),
        children.map(lambda one: f"(exit 3) && {one}"),
        children.map(lambda one: f"[ -d /nowhere ] || exit 0; {one}"),
        children.map(lambda one: f"[ -d /nowhere ] && {one}"),
        children.map(lambda one: f"if [ -d /nowhere ]; then {one}; fi"),
        children.map(lambda one: f"while [ -d /nowhere ]; do {one}; done"),
        children.map(lambda one: f"for i in $(true); do {one}; done"),
        children.map(lambda one: function(one, "{}; return 0; true")),
        children.map(lambda one: function(one, "{} || return 1; echo ok")),
        children.map(lambda one: f"{{ {one}; }} & wait"),
        children.map(lambda one: f"{{ {one}; }} & wait $!"),
        two.map(lambda pair: f"{{ {pair[0]}; }} & p=$!; {{ {pair[1]}; }}; wait $p || exit 1; true"),
        two.map(lambda pair: f"set -e; {{ {pair[0]}; }} & p=$!; {pair[1]}; wait $p; true"),
        children.map(lambda one: f"{one}; exit"),
        two.map(lambda pair: f"{pair[0]}; rc=$?; {pair[1]}; rc=$?; exit $rc"),
        two.map(lambda pair: f"{pair[0]} || exit $?; {pair[1]}"),
        two.map(lambda pair: f"{pair[0]}; exec true; {pair[1]}"),
        two.map(lambda pair: f"set -e; {{ {pair[0]}; }} > /dev/null; {pair[1]}; true"),
    )


programs = st.recursive(st.just(LEAF), combine, max_leaves=4)


def numbered(template: str) -> tuple[str, int]:
    """Each leaf becomes a command of its own: c0, c1, …"""
    parts = template.split(LEAF)
    text = parts[0] + "".join(f"c{number}{part}" for number, part in enumerate(parts[1:]))
    return text, len(parts) - 1


def in_bash(program: str, count: int) -> dict[tuple[int, ...], tuple[int, set[int]]]:
    """For each combination of outcomes: the line's status and the commands that ran."""
    outcomes = list(itertools.product((0, 1), repeat=count))
    lines = "\n".join(" ".join(map(str, row)) for row in outcomes) + "\n"
    output = subprocess.run(
        ["bash", "-c", DRIVER, "driver", program],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = {}
    for row, line in zip(outcomes, output.splitlines(), strict=True):
        words = line.split()  # a command in the background may print behind the status
        code = next(word for word in words if word.startswith("status:"))
        found[row] = (
            int(code.removeprefix("status:")),
            {int(word) for word in words if word != code},
        )
    return found


def misread(program: str, count: int) -> list[str]:
    """What bash contradicts: a visible command failed, or one that is not "||" never ran, and the line exited 0."""
    visible = {
        simple.argv[0]: simple.conditional
        for simple in split(program)
        if simple.argv and simple.status_visible
    }
    all_names = {f"c{number}" for number in range(count)}
    wrong = []
    for outcomes, (code, ran) in in_bash(program, count).items():
        if code:
            continue
        failed = {f"c{number}" for number in ran if outcomes[number]}
        idle = all_names - {f"c{number}" for number in ran}
        wrong += [f"{name} failed, exit 0, outcomes {outcomes}" for name in failed & set(visible)]
        wrong += [
            f"{name} never ran, exit 0, outcomes {outcomes}"
            for name in idle
            if visible.get(name, "||") != "||"
        ]
    return wrong


@settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
@given(programs)
def test_a_visible_command_never_fails_without_the_line_failing(template: str) -> None:
    program, count = numbered(template)

    assert {simple.argv[0] for simple in split(program) if simple.argv} >= {
        f"c{number}" for number in range(count)
    }
    assert misread(program, count) == []


@pytest.mark.parametrize(
    "template",
    [
        "{ { @; } & p=$!; { { @; } & p=$!; { @; }; wait $p || exit 1; true; }; wait $p || exit 1; true; } || exit 1",
        "{ @; } & p=$!; if true; then { @; } & p=$!; fi; wait $p || exit 1",
        "{ @; } & p=$!; for p in 1 2; do { @; }; done; wait $p || exit 1",
        "{ @; } & p=$!; p=; wait $p || exit 1",
        "{ @; } & { { @; } & }; wait $! || exit 1",
    ],
)
def test_a_variable_that_names_another_job_by_then_waits_for_that(template: str) -> None:
    assert misread(*numbered(template)) == []


@pytest.mark.long
@settings(max_examples=3000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.recursive(st.just(LEAF), combine, max_leaves=5))
def test_a_visible_command_never_fails_without_the_line_failing_in_many_programs(
    template: str,
) -> None:
    program, count = numbered(template)

    assert misread(program, count) == []


@pytest.mark.parametrize(
    ("program", "visible"),
    [
        ("c0", True),
        ("cd . && c0", True),
        ("c0 && echo ok", True),
        ("c0 || exit 1; echo ok", True),
        ("c0 || { echo bad; exit 2; }", True),
        ("c0; exit $?", False),
        ("c0; rc=$?; echo done; exit $rc", False),
        ("c0 | tee log; exit ${PIPESTATUS[0]}", False),
        ("set -o pipefail; c0 | tail", True),
        ("set -e; c0; echo done", True),
        ("set -euo pipefail\nc0 | tail\necho done", True),
        ("if ! c0; then echo no; exit 1; fi; echo yes", False),
        ("x=$(c0)", True),
        ("(cd . && c0)", True),
        ("for d in one; do c0; done", False),
        ("for d in a b; do c0 || exit 1; done", True),
        ("for d in packages/*; do c0 || exit 1; done", True),
        ('for d in "app/[id]"; do c0 || exit 1; done', True),
        ("c0 || (cat log && exit 1)", False),
        ("c0 || { cat log; exit 1; }", True),
        ("c0 || (cat log || exit 1)", False),
        ("c0 || { cat log && exit 1; }; echo done", False),
        ("for d in packages/*; do c0; done", False),
        ("for i in {1..5}; do c0; done", False),
        ("bash -c 'c0'", True),
        ("c0; [ $? -eq 0 ] || exit 1", False),
        ("c0 | tail -5", False),
        ("c0 || true", False),
        ("c0; echo done", False),
        ("c0 &", False),
        ("! c0", False),
        ("echo $(c0)", False),
        ("if c0; then echo a; else echo b; fi", False),
        ("for d in a b; do c0; done", False),
        ("c0 && echo OK || echo BAD", False),
        ("set -e; c0 && true; echo done", False),
        ("set -e; { c0 && true; }; echo done", False),
        ("set -e; { c0 && true; } > log; echo done", False),
        ("set -e; for d in a b; do c0 && true; done; echo done", False),
        ("set -e; if true; then c0 && true; fi; echo done", False),
        ("set -e; eval 'c0 && true'; echo done", True),
        ("set -e; { true && c0; }; echo done", True),
        ("set -e; (c0 && true); echo done", False),
        ("set -e; x=$(c0); echo done", True),
        ("set -e; bash -c 'c0 && true'; echo done", True),
        ("set -o pipefail; c0 | tail; echo done", False),
        ("bash -c 'c0; true'", False),
        ("c0; exit 0", False),
    ],
)
def test_whether_the_status_shows(program: str, visible: bool) -> None:
    found = [simple.status_visible for simple in split(program) if simple.argv[:1] == ("c0",)]

    assert found == [visible]
