"""The `ace-reflect` command: one file for each sub-command, imported only when it is called."""

import errno
import io
import os
import sqlite3
import sys
import traceback
from contextlib import suppress
from importlib import import_module

from ace_reflect import __version__, log, paths
from ace_reflect.errors import AceReflectError, StateError

#: The way out of an environment that lost a package.
REINSTALL = "A package that ace-reflect needs is missing: install it again (./install.sh, or pip install --force-reinstall ace-reflect)."

try:
    import click

    from ace_reflect.cli.groups import Group
except ModuleNotFoundError as error:
    sys.exit(f"ace-reflect: {error}. {REINSTALL}")

#: name -> (module:attribute, one line for the overview)
COMMANDS = {
    "run": ("run:run", "Learn from transcripts: citations, votes, changes of the playbook."),
    "check": ("check:check", "Is it done? Facts, gates and the message Claude would get."),
    "playbook": ("playbook:playbook", "Look at the playbook and change it."),
    "review": ("review:review", "Accept, edit or reject key points that wait."),
    "install": ("install:install", "Register the hooks in Claude Code's settings."),
    "uninstall": ("install:uninstall", "Take exactly our hooks out again."),
    "doctor": ("doctor:doctor", "Find what is wrong, and prove both paths of the Stop hook."),
    "status": ("status:status", "One screen: what is on, what was learned, what waits."),
    "statusline": ("statusline:statusline", "A line for Claude Code's status line."),
    "skip": ("skip:skip", "Switch the checks off for a session."),
    "log": ("log:log", "What was decided, and what models cost."),
    "queue": ("queue:queue", "Sessions that wait to be learned from."),
    "config": ("config:config", "Each setting with its source."),
    "trust": ("config:trust", "Trust this project's reflection.yaml."),
    "eval": ("eval:eval_", "Score a model, or the rules alone, on the evaluation suites."),
}

EXIT_EXPECTED = 1
EXIT_BUG = 3
EXIT_INTERRUPTED = 130


class LazyGroup(Group):
    """Commands that are imported when called: `--help` does not pay for an SDK."""

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name][0].partition(":")
        command = getattr(import_module(f"ace_reflect.cli.{module}"), attribute)
        assert isinstance(command, click.Command)  # noqa: S101 - the table names commands only
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="ace-reflect")
def group() -> None:
    """
    Claude Code that learns from its sessions and does not stop before it is done.

    \b
    ace-reflect run ~/.claude/projects/*/SESSION.jsonl   learn from a session
    ace-reflect check SESSION.jsonl                      done? with the evidence
    ace-reflect playbook                                 what was learned so far
    """


def main(arguments: list[str] | None = None) -> int:
    """
    Run the command line. Returns the exit code: 0 done, 1 expected failure or failed gate, 2 usage, 3 our bug,
    130 interrupted.
    """
    _let_every_letter_through("--json" in (sys.argv[1:] if arguments is None else arguments))
    try:
        code = group.main(
            args=arguments, prog_name="ace-reflect", standalone_mode=False, color=_colour()
        )
    except click.exceptions.Exit as leave:
        code = leave.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        sys.stderr.write("\nInterrupted; what was finished is saved, the rest was not begun.\n")
        code = EXIT_INTERRUPTED
    except AceReflectError as error:
        code = report_error(error, arguments)
    except SystemExit:
        # The reader of our output left (`| head`), which click answers with 1: not a failure, and no blocked stop.
        code = 0
    except Exception as error:  # noqa: BLE001 - the one boundary: a person sees two lines, the log the rest
        trouble = _trouble_of_the_machine(error)
        code = report_error(trouble, arguments) if trouble else _report_bug(error)
    _let_go_of_stdout()
    return code if isinstance(code, int) else 0


def _colour() -> bool | None:
    """No colour where the person wants none (https://no-color.org) or the terminal has none; else as click sees fit."""
    return False if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else None


def _let_go_of_stdout() -> None:
    """What a full disk did not take has been reported: Python would try once more at its end, and exit with 120."""
    try:
        if sys.stdout is not None:  # it is where whoever started us closed it
            sys.stdout.flush()
    except OSError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115


def _let_every_letter_through(as_json: bool) -> None:
    """
    What a stream cannot hold becomes a question mark, and no crash: a ✓ where the terminal is not UTF-8, half of an emoji
    that somebody's program cut. JSON is UTF-8 wherever it goes, and such a half its escape.
    """
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        if as_json and stream is sys.stdout:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        elif stream.encoding.lower() != "ascii":  # that one click makes UTF-8
            stream.reconfigure(errors="replace")


_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO)
_SQLITE = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_BUSY", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_CORRUPT", "SQLITE_NOTADB")  # fmt: skip


def _trouble_of_the_machine(error: Exception) -> AceReflectError | None:
    """
    A full disk, a folder that cannot be written or is gone, a database in use, a lost package: said as that. None for a bug
    of ours.
    """
    if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorname", "").startswith(
        _SQLITE
    ):
        path = paths.state_db(paths.home(os.environ))
        return StateError(
            f"{path}: {error}; mend that and do it again, what was begun is finished then"
        )
    if isinstance(error, ModuleNotFoundError) and not (error.name or "ace_reflect").startswith(
        "ace_reflect"
    ):
        return AceReflectError(f"{error}. {REINSTALL}")
    if isinstance(error, OSError) and error.errno in _ERRORS:
        return AceReflectError(
            f"{error.filename or 'the output'} cannot be written or read: {error.strerror}"
        )
    if isinstance(error, FileNotFoundError) and _here_is_gone():
        return AceReflectError(
            "the folder that you are in is no longer there: go to another one (cd) and do it again"
        )
    return None


def _here_is_gone() -> bool:
    """The working directory was deleted, as that of a worktree that was removed in another window."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def report_error(error: AceReflectError, arguments: list[str] | None) -> int:
    """An expected failure: JSON on stdout where JSON was asked for and can be written, else one line on stderr."""
    if "--json" in (sys.argv[1:] if arguments is None else arguments):
        import json

        with suppress(OSError):
            click.echo(json.dumps({"error": str(error)}, ensure_ascii=False))
            return EXIT_EXPECTED
    from ace_reflect.playbook.neutral import neutral_lines

    # It may quote a key of a clone's reflection.yaml, or a file's name.
    click.echo(neutral_lines(f"ace-reflect: {error}"), err=True)
    return EXIT_EXPECTED


def _report_bug(error: Exception) -> int:
    home = paths.home(os.environ)
    place = os.path.join(home, "crash.log")
    try:
        paths.make_folder(home)
        with open(
            os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
            "w",
            encoding="utf-8",
            errors="replace",
        ) as file:
            file.write(
                f"ace-reflect {__version__}, Python {sys.version}\n\n{''.join(traceback.format_exception(error))}"
            )
    except OSError:
        place = ""
    log.failure(home, "bug", error)
    click.echo(f"ace-reflect: this is a bug of ours: {type(error).__name__}: {error}", err=True)
    click.echo(
        f"The traceback is in {place}; please add it to a report."
        if place
        else "The traceback could not be written.",
        err=True,
    )
    return EXIT_BUG


if __name__ == "__main__":
    sys.exit(main())
