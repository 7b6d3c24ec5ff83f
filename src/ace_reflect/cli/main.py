"""The `ace-reflect` command: each sub-command is imported only when it is called. Errors and exit codes."""

import errno
import gc
import io
import os
import sys
import traceback
from contextlib import suppress
from importlib import import_module

from ace_reflect import __version__, atomic, log, paths
from ace_reflect.errors import AceReflectError

#: The way out of an environment that lost a package.
REINSTALL = "A package that ace-reflect needs is missing: install it again (./install.sh, or pip install --force-reinstall ace-reflect)."

gc.set_threshold(100_000, 20, 20)  # as in a hook: what is imported and read stays
try:
    import click

    from ace_reflect.cli.options import Group
except ModuleNotFoundError as error:
    sys.stderr.write(f"ace-reflect: {error}. {REINSTALL}\n")
    sys.exit(2)

#: name -> (module:attribute, one line for the overview)
COMMANDS = {
    "run": ("learn:run", "Learn from transcripts: citations, votes, changes to the playbook."),
    "check": ("check:check", "Is it done? Facts, gates and the message Claude would get."),
    "report": ("report:report", "What was caught, learned and done, as one page of HTML."),
    "audit": ("report:audit", "The same in numbers, for scripts and CI."),
    "playbook": ("playbook:playbook", "Look at the playbook and change it."),
    "learn": ("learn:learn", "Learn from this project's history, or every project's."),
    "review": ("review:review", "Accept, edit or reject key points that wait."),
    "install": ("install:install", "Register the hooks in Claude Code's settings."),
    "uninstall": ("install:uninstall", "Remove exactly our hooks again."),
    "doctor": ("install:doctor", "Find what is wrong, and prove both paths of the Stop hook."),
    "status": ("status:status", "One screen: what is on, what was learned, what waits."),
    "statusline": ("log:statusline", "A line for Claude Code's status line."),
    "skip": ("status:skip", "Switch the checks off for a session."),
    "log": ("log:log", "What was decided, and what models cost."),
    "queue": ("queue:queue", "Sessions that wait to be learned from."),
    "config": ("config:config", "Each setting with its source."),
    "trust": ("config:trust", "Trust this project's reflection.yaml."),
    "eval": ("eval:eval_", "Score a model, or the rules alone, on the evaluation suites."),
}

EXIT_ERROR = 2  # click's own for a mistake in the usage; 1 is a check that failed
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
        command: click.Command = getattr(import_module(f"ace_reflect.cli.{module}"), attribute)
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    default=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="ace-reflect")
def group() -> None:
    """Claude Code that learns from its sessions and does not stop before it is done.

    \b
    ace-reflect report --all   one page of the sessions you have had
    ace-reflect check          the newest session here: done? with the evidence
    ace-reflect playbook       what was learned so far
    """


def main(arguments: list[str] | None = None) -> int:
    """Run the command line. Exit code: 0 done, 1 a check failed, 2 usage or error, 3 our bug, 130 interrupted."""
    as_json = "--json" in (sys.argv[1:] if arguments is None else arguments)
    _let_every_letter_through(as_json)
    # No colour where the person wants none (https://no-color.org) or the terminal has none; else as click sees fit.
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    try:
        colour = False if plain else None
        code = group.main(arguments, "ace-reflect", standalone_mode=False, color=colour)
    except click.exceptions.Exit as leave:
        code = leave.exit_code
    except (KeyboardInterrupt, click.Abort):
        sys.stderr.write("\nInterrupted; what was finished is saved, the rest was not started.\n")
        code = EXIT_INTERRUPTED
    except SystemExit:
        # The reader of our output left (`| head`), which click answers with 1: not a failure, and no blocked stop.
        code = 0
    except Exception as error:  # noqa: BLE001 - the one boundary: a person sees two lines, the log the rest
        known = error if isinstance(error, click.ClickException) else _expected(error)
        if known:
            _report_error(known, as_json)
        else:
            _report_bug(error)
        code = EXIT_ERROR if known else EXIT_BUG
    try:
        if sys.stdout is not None:  # it is where whoever started us closed it
            sys.stdout.flush()
    except OSError:  # reported by now: Python would try once more at its end, and exit with 120
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    gc.freeze()  # or the interpreter's end looks through all of it twice
    return code if isinstance(code, int) else 0


def _let_every_letter_through(as_json: bool) -> None:
    """What a stream cannot hold becomes a question mark, and no crash. JSON is UTF-8 wherever it goes."""
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        if as_json and stream is sys.stdout:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        elif stream.encoding.lower() != "ascii":  # that one click makes UTF-8
            stream.reconfigure(errors="replace")


_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.EISDIR)  # fmt: skip
_SQLITE: tuple[str, ...] = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_BUSY", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_CORRUPT", "SQLITE_NOTADB")  # fmt: skip


def _expected(error: Exception) -> AceReflectError | None:
    """One of our own errors, or the machine's: a full disk, a database in use, a lost package. None for a bug of ours."""
    if isinstance(error, AceReflectError):
        return error
    if getattr(error, "sqlite_errorname", "").startswith(_SQLITE) or "no such table:" in str(error):
        path = os.path.join(paths.home(os.environ), "state.db")
        return AceReflectError(f"{path}: {error}; fix that and try again")
    if isinstance(error, ModuleNotFoundError) and not str(error.name).startswith("ace_reflect"):
        return AceReflectError(f"{error}. {REINSTALL}")
    if isinstance(error, OSError) and error.errno in _ERRORS:
        what = error.filename or "the output"
        return AceReflectError(f"{what} cannot be written or read: {error.strerror}")
    if isinstance(error, FileNotFoundError):
        try:
            os.getcwd()
        except FileNotFoundError:  # as that of a worktree that was removed in another window
            return AceReflectError("the folder that you are in is no longer there: cd to another")
    return None


def _report_error(error: AceReflectError | click.ClickException, as_json: bool) -> None:
    """JSON on stdout where JSON was asked for and can be written, else text on stderr."""
    from ace_reflect.cli.output import visible_json
    from ace_reflect.playbook.neutral import neutral_lines

    message = error.format_message() if isinstance(error, click.ClickException) else str(error)
    if as_json:
        with suppress(OSError):
            click.echo(visible_json({"error": message}))
            return
    if isinstance(error, click.UsageError):
        click.UsageError(neutral_lines(message), error.ctx).show()
        return
    # It may quote a key of a clone's reflection.yaml, or a file's name.
    click.echo(neutral_lines(f"ace-reflect: {message}"), err=True)


def _report_bug(error: Exception) -> None:
    home = paths.home(os.environ)
    place = os.path.join(home, "crash.log")
    trace = "".join(traceback.format_exception(error))
    told = f"ace-reflect {__version__}, Python {sys.version}\n\n{trace}"
    try:
        paths.make_folder(home)
        atomic.write(place, told.encode("utf-8", "replace"))
        where = f"The traceback is in {place}; please add it to a report."
    except OSError:
        where = "The traceback could not be written."
    log.failure(home, "bug", error)
    said = f"ace-reflect: this is a bug of ours: {type(error).__name__}: {error}"
    click.echo(f"{said}\n{where}", err=True)


if __name__ == "__main__":
    sys.exit(main())
