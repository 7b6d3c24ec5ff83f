"""Whether a status shows is asked of bash itself: small programs are run with every combination of outcomes."""

import itertools
import subprocess
from functools import partial

import pytest
from hypothesis import strategies as st

from ace_reflect.evidence.shell import split
from support.fuzz import fuzzed

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
#: How programs stand in a line: "~" is a name of its own, for a function that is defined twice is another one.
FORMS = (
    "{} && {}", "{} || {}", "{}; {}", "{}\n{}", "{{ {}; }} | {{ {}; }}", "! ( {} )", "{{ {}; }}", "( {} )", "{{ {}; }} || exit 1",
    "{{ {}; }} || true", "{{ {}; }} && echo OK || echo BAD", "{{ {}; }}; exit $?", "{{ {}; }}; rc=$?; echo done; exit $rc",
    "{{ {}; }}; [ $? -eq 0 ]", "{{ {}; }} | tail -1; exit ${{PIPESTATUS[0]}}", "x=$( {} )", "echo $( {} )", "set -e; {}", "set -o pipefail; {}",
    "for i in 1 2; do {}; done", "for i in 1; do {}; done", "~() {{ {}; }}; ~", "if ! ( {} ); then echo no; exit 1; fi", "if {}; then {}; fi",
    "if {}; then {}; else {}; fi", "case a in a) {};; esac", "eval '{}'", "{{ {}; }}; false", "(exit 3) && {}", "[ -d /nowhere ] || exit 0; {}",
    "[ -d /nowhere ] && {}", "if [ -d /nowhere ]; then {}; fi", "while [ -d /nowhere ]; do {}; done", "for i in $(true); do {}; done",
    "~() {{ {}; return 0; true; }}; ~", "~() {{ {} || return 1; echo ok; }}; ~", "{{ {}; }} & wait", "{{ {}; }} & wait $!",
    "{{ {}; }} & p=$!; {{ {}; }}; wait $p || exit 1; true", "set -e; {{ {}; }} & p=$!; {}; wait $p; true", "{}; exit",
    "{}; rc=$?; {}; rc=$?; exit $rc", "{} || exit $?; {}", "{}; exec true; {}", "set -e; {{ {}; }} > /dev/null; {}; true",
)  # fmt: skip


def filled(form: str, parts: tuple[str, ...]) -> str:
    if form.startswith("eval") and "'" in parts[0]:
        return parts[0]
    return form.replace("~", f"f{next(NAMES)}").format(*parts)


def combine(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(*[children] * form.count("{}")).map(partial(filled, form)) for form in FORMS
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
    rows = "".join(" ".join(map(str, row)) + "\n" for row in outcomes)
    command = ["bash", "-c", DRIVER, "driver", program]
    done = subprocess.run(command, input=rows, capture_output=True, text=True, check=True)
    found = {}
    for row, line in zip(outcomes, done.stdout.splitlines(), strict=True):
        words = line.split()  # a command in the background may print behind the status
        (code,) = [word for word in words if word.startswith("status:")]
        ran = {int(word) for word in words if word != code}
        found[row] = (int(code.removeprefix("status:")), ran)
    return found


def misread(program: str, count: int) -> list[str]:
    """What bash contradicts: a visible command failed, or one that is not "||" never ran, and the line exited 0."""
    shown = [one for one in split(program) if one.argv and one.status_visible]
    visible = {simple.argv[0]: simple.conditional for simple in shown}
    wrong = []
    for outcomes, (code, ran) in in_bash(program, count).items():
        for number in range(count) if code == 0 else ():
            name = f"c{number}"
            if name in visible and number in ran and outcomes[number]:
                wrong.append(f"{name} failed, exit 0, outcomes {outcomes}")
            elif visible.get(name, "||") != "||" and number not in ran:
                wrong.append(f"{name} never ran, exit 0, outcomes {outcomes}")
    return wrong


@fuzzed("programs in bash", 40, 1_000, template=programs)
def test_a_visible_command_never_fails_without_the_line_failing(template: str) -> None:
    program, count = numbered(template)
    found = {simple.argv[0] for simple in split(program) if simple.argv}
    assert found >= {f"c{number}" for number in range(count)}
    assert misread(program, count) == []


@pytest.mark.parametrize("template", [
    "{ { @; } & p=$!; { { @; } & p=$!; { @; }; wait $p || exit 1; true; }; wait $p || exit 1; true; } || exit 1",
    "{ @; } & p=$!; if true; then { @; } & p=$!; fi; wait $p || exit 1",
    "{ @; } & p=$!; for p in 1 2; do { @; }; done; wait $p || exit 1",
    "{ @; } & p=$!; p=; wait $p || exit 1", "{ @; } & { { @; } & }; wait $! || exit 1",
])  # fmt: skip
def test_a_variable_that_names_another_job_by_then_waits_for_that(template: str) -> None:
    assert misread(*numbered(template)) == []


@pytest.mark.parametrize(("program", "visible"), [
    ("for d in a b; do c0 || exit 1; done", False), ("set -e; eval 'c0 && true'; echo done", False),
    ("c0", True), ("cd . && c0", True), ("c0 && echo ok", True), ("c0 || exit 1; echo ok", False),
    ("set -e; c0; echo done", False), ("x=$(c0)", True), ("(cd . && c0)", True),
    ("bash -c 'c0'", True), ("c0 | tail -5", False), ("c0 || true", False),
    ("c0; echo done", False), ("c0 &", False), ("echo $(c0)", False),
    ("set -e; c0 && true; echo done", False), ("set -e; { true && c0; }; echo done", False),
    ("set -e; x=$(c0); echo done", False), ("set -e; bash -c 'c0 && true'; echo done", False),
])  # fmt: skip
def test_whether_the_status_shows(program: str, visible: bool) -> None:
    found = [simple.status_visible for simple in split(program) if simple.argv[:1] == ("c0",)]
    assert found == [visible]
