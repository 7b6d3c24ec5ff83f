"""`ace-reflect playbook sync`: the project's key points in a managed section of CLAUDE.md or AGENTS.md."""

import os

import click

from ace_reflect import atomic, paths
from ace_reflect.cli import books
from ace_reflect.cli.options import project_of, project_option
from ace_reflect.cli.output import Report, reporting, short_path
from ace_reflect.errors import PlaybookError
from ace_reflect.playbook.render import to_markdown

_BEGIN = "<!-- ace-reflect: begin (made by `ace-reflect playbook sync`; edits in here are lost) -->"
_END = "<!-- ace-reflect: end -->"
NAMES = ("CLAUDE.md", "AGENTS.md")


@click.command()
@click.option("--file", "name", help="The file (default: CLAUDE.md, else AGENTS.md).")
@click.option("--remove", is_flag=True, help="Take the section out again.")
@project_option
@reporting
def sync(name: str | None, remove: bool, project: str | None) -> Report:
    """Write the project's key points into CLAUDE.md or AGENTS.md, for tools that read no playbook.

    Only the section between its own two marks is written; all else in the file stays as it is, to the byte.
    """
    folder = project_of(project)
    there = [one for one in NAMES if os.path.exists(os.path.join(folder, one))]
    path = os.path.join(folder, name or (*there, NAMES[0])[0])
    if not paths.leads_into(path, folder):
        raise PlaybookError(f"{path} leads out of the project: nothing was written")
    before = _text(path)
    shown = "" if remove else to_markdown(books.look(books.project_playbook(project)).playbook)
    after = _with_section(before, shown, path)
    if after != before and after:
        atomic.write(path, after.encode(), mode=atomic.mode_of(path) if before else 0o644)
    elif after != before:
        os.unlink(path)  # nothing but our section was in it
    did = "is up to date" if after == before else "written" if shown else "section removed"
    body = {"file": path, "changed": after != before, "section": bool(shown)}
    return Report("playbook-sync", body, f"{short_path(path)}: {did}")


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as fault:
        raise PlaybookError(f"{path} cannot be read ({fault}): nothing was written") from None


def _with_section(text: str, shown: str, path: str) -> str:
    """The text with its section replaced, added at the end, or taken out. Raises PlaybookError for marks that do not pair."""
    marks = (text.count(_BEGIN), text.count(_END))
    if marks not in {(0, 0), (1, 1)} or text.find(_END) < text.find(_BEGIN):
        raise PlaybookError(f"{path}: ace-reflect's marks do not pair: fix them by hand")
    section = f"{_BEGIN}\n{shown}{_END}\n" if shown else ""
    if _BEGIN not in text:
        return text + ("\n" if text and section else "") + section
    before, _, rest = text.partition(_BEGIN)
    after = rest.partition(_END)[2].removeprefix("\n")
    return (before if section else before.removesuffix("\n")) + section + after
