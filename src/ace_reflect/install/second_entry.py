"""
Whether the second Stop entry, the assessment by a model, is registered as the configuration wants it.

`assess.mode` takes effect where the entry is registered: `asyncRewake` tells the host not to wait, `--wait` tells the
script that it does. One without the other, or a mode that was changed afterwards, is an assessment that comes too late or
keeps a person waiting.
"""

from collections.abc import Iterable, Mapping

from ace_reflect import paths
from ace_reflect.config import Config

_IN_WORDS = {
    "background": "beside your work (asyncRewake)",
    "foreground": "while you wait (no asyncRewake)",
}


def how_it_runs(argv: tuple[str, ...], *, rewakes: bool, wait: str) -> str:
    """`background` or `foreground`; "" where what the host and what the script were told contradict each other."""
    waits = wait in argv
    if rewakes == waits:
        return ""
    return "foreground" if waits else "background"


def mismatches(
    runs: Iterable[str], plugin: str | None, found: Config, environ: Mapping[str, str]
) -> list[tuple[str, str]]:
    """What does not fit `assess.mode`, each with what to do: (says, fix). `runs`: `how_it_runs` of each entry."""
    mode, source = found.settings.assess_mode, found.sources["assess.mode"]
    told = []
    for way in dict.fromkeys(runs):
        if not way:
            says = "the assessment's entry is half for the background and half for waiting: asyncRewake and --wait exclude each other"
            told.append((says, "Run `ace-reflect install` again: it registers the entry anew."))
        elif way != mode:
            told.append(
                (
                    f"the assessment runs {_IN_WORDS[way]}, but assess.mode is {mode} ({source})",
                    _fix(mode, source, environ),
                )
            )
    if plugin and mode == "foreground":
        told.append(
            (
                f"assess.mode is foreground ({source}), but the plugin {plugin} registers the assessment for the background",
                f"Take that line out, or register by `ace-reflect install` and run `claude plugin uninstall {plugin}`.",
            )
        )
    return told


def _fix(mode: str, source: str, environ: Mapping[str, str]) -> str:
    """A project's file cannot register anything: who installs reads their own."""
    if source.startswith("project"):
        own = paths.user_config(paths.home(environ))
        return f"Put `assess: {{mode: {mode}}}` into {own} and run `ace-reflect install` again, or take it out of the project's file."
    return "Run `ace-reflect install` again: it registers the entry as assess.mode says."
