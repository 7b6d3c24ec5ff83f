"""`ace-reflect doctor`."""

import os

import click

from ace_reflect.cli.as_json import as_json_option, echo_json
from ace_reflect.cli.named import FOLDER
from ace_reflect.cli.terminal import wrapped
from ace_reflect.install.doctor import examine
from ace_reflect.playbook.neutral import neutralise
from ace_reflect.text import counted

MARKS = {"ok": ("✓", "green"), "note": ("!", "yellow"), "wrong": ("✗", "red")}


@click.command()
@click.option(
    "--project",
    type=FOLDER,
    default=".",
    help="The project (default: the working directory).",
)
@as_json_option
def doctor(project: str, as_json: bool) -> int:
    """
    Find what is wrong, and prove through the registered hooks that a bad stop is blocked and a good one passes.

    Exits with 1 where something is wrong.

    \b
    Example:
      ace-reflect doctor
    """
    checks = examine(os.path.abspath(project), os.environ)
    wrong = sum(check.state == "wrong" for check in checks)
    if as_json:
        echo_json("doctor", {"ok": not wrong, "checks": [check.to_json() for check in checks]})
    else:
        for check in checks:
            mark, colour = MARKS[check.state]
            said = wrapped(f"{check.name}: {neutralise(check.says)}", "  ", "    ")
            click.echo(f"{click.style(mark, fg=colour)}{said[1:]}")
            if check.fix and check.state != "ok":
                click.echo(wrapped(neutralise(check.fix), "    "))
        click.echo(f"\n{_sum_up(wrong, notes=any(check.state == 'note' for check in checks))}")
    return 1 if wrong else 0


def _sum_up(wrong: int, *, notes: bool) -> str:
    if wrong:
        return f"{counted(wrong, 'thing')} to mend."
    return "It works; what is marked ! is worth a look." if notes else "Everything works."
