"""`ace-reflect install`, `uninstall`, `doctor`: our hooks into Claude Code's settings, exactly ours out, and the proof."""

import difflib
import os
import shutil
import sys
from typing import Any

import click

from ace_reflect import config, paths
from ace_reflect.cli.config import load_config
from ace_reflect.cli.options import FOLDER
from ace_reflect.cli.output import Json, Report, reporting, say
from ace_reflect.errors import ConfigError
from ace_reflect.install import agents, host, registration, settings_file
from ace_reflect.install.answers import as_flags, in_force, merged, parse_models, write
from ace_reflect.llm.port import ANTHROPIC_KEYS
from ace_reflect.settings import Settings
from ace_reflect.text import counted

_WORKFLOWS = click.Choice(["auto", "pull-request", "local"])
_REVIEWS = click.Choice(["untrusted", "all", "none"])
_ABOUT_MODELS = (
    "Which model may be asked? Redacted parts of your sessions are sent to it. `none` stays offline: rules only,"
    " nothing leaves this machine."
)
_ABOUT_WORKFLOW = """\
When does a pull request belong to being done?
  auto          where you, the project's instructions or the session call for one
  pull-request  wherever something was changed
  local         never"""
_ABOUT_REVIEW = """\
Which new key points wait for your word?
  untrusted     those that come only from text which Claude read
  all           every one
  none          none: all are used at once"""
_SCOPES = click.Choice(["user", "project", "local"])
scope_option = click.option("--scope", type=_SCOPES, default="user", show_default=True)
project_option = click.option("--project", type=FOLDER, default=".", help="The project.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Show the change and make none.")


@click.command()
@scope_option
@project_option
@click.option("--models", help='Whom to ask, in order; "none" stays offline.')
@click.option("--workflow", type=_WORKFLOWS, help="When a pull request is due.")
@click.option("--review", type=_REVIEWS, help="Which new key points wait for you.")
@click.option("--yes", "-y", is_flag=True, help="Ask nothing: the rest keeps its default.")
@dry_run_option
@reporting
def install(
    scope: str,
    project: str,
    models: str | None,
    workflow: str | None,
    review: str | None,
    yes: bool,
    dry_run: bool,
) -> Report:
    """
    Register the hooks in Claude Code's settings: yours, the project's (shared), or this checkout's (local).

    May be run again, and upgrades. Nothing is sent anywhere until you name a model.

    \b
    ace-reflect install
    ace-reflect install --yes --models claude-code/sonnet --workflow local
    """
    project = os.path.abspath(project)
    _check_host(project)
    # All that can fail on what was asked for, before the first file is written.
    settings = settings_file.read_settings(host.settings_path(scope, project, os.environ))
    answers: Json = {} if models is None else {"models": parse_models(models)}
    answers |= {"workflow": workflow} if workflow else {}
    answers |= {"learning": {"review": review}} if review else {}
    if not yes and sys.stdin.isatty():
        answers = _asked(answers)
    wanted = in_force(answers, os.environ).settings
    entries = registration.entries(
        os.path.abspath(sys.executable),  # a virtual environment is told by the link's own place
        paths.data_dir("hooks"),
        assess=bool(wanted.models) or wanted.review_enabled,
        foreground=wanted.assess_mode == "foreground",
    )
    changed = registration.with_ours(settings.data, entries, settings.path)
    own = paths.user_config(paths.home(os.environ))
    before = (config.read_file(own) or b"").decode("utf-8-sig")
    after = merged(before, answers, own)
    routed = wanted if scope == "user" else load_config(project, as_flags(answers)).settings
    planned = agents.plan(routed, agents.folder(scope, project, os.environ))
    _show_change(settings, changed, dry_run=dry_run)
    if not dry_run:
        if after != before:
            write(own, after)
            say(f"{own}: {', '.join(sorted(answers))} written")
        if changed != settings.data:
            # The copy to give back is the one from before the first of ours.
            settings_file.write_settings(
                settings, changed, keep_copy=not registration.registered(settings.data)
            )
    _name_others(settings.path, project)
    placed = _carry_out(planned, dry_run=dry_run)
    differs = changed != settings.data
    body = {"settings": settings.path, "changed": differs, "dry_run": dry_run, "agents": placed}
    flag = "" if scope == "user" else f" --scope {scope}"
    ways = f"`ace-reflect doctor` proves that it works, `ace-reflect uninstall{flag}` takes it out"
    page = f"Installed. Start a new Claude Code session; {ways}."
    page = "Nothing was changed." if dry_run else page
    return Report("install", {**body, "answers": answers}, page)


@click.command()
@scope_option
@project_option
@click.option("--yes", "-y", is_flag=True, expose_value=False, help="For scripts: asks nothing.")
@dry_run_option
@reporting
def uninstall(scope: str, project: str, dry_run: bool) -> Report:
    """Take exactly our hooks out of Claude Code's settings. Playbooks and what was learned stay."""
    project = os.path.abspath(project)
    settings = settings_file.read_settings(host.settings_path(scope, project, os.environ))
    changed = registration.without_ours(settings.data)
    _show_change(settings, changed, dry_run=dry_run)
    differs = changed != settings.data
    if differs and not dry_run and not settings_file.restore_if_same(settings, changed):
        if changed or os.path.exists(settings.copy_path):
            settings_file.write_settings(settings, changed, keep_copy=False)
            settings_file.remove_copy(settings)
        else:
            os.unlink(settings.path)  # it was there only because of us
    none_wanted = agents.plan(Settings(), agents.folder(scope, project, os.environ))
    gone = _carry_out(none_wanted, dry_run=dry_run)
    _name_others(settings.path, project)
    body = {"settings": settings.path, "changed": differs, "dry_run": dry_run, "agents": gone}
    left = f"{paths.home(os.environ)} and in each project's .claude/playbook.json"
    page = f"Taken out. What was learned stays in {left}."
    done = (differs or gone) and not dry_run
    return Report("uninstall", body, page if done else "Nothing was changed.")


def _check_host(project: str) -> None:
    found = host.find_host(os.environ)
    if found.command is None:
        say("No `claude` command was found; the hooks work as soon as Claude Code is there.")
    elif found.too_old:
        version, oldest = (".".join(map(str, one)) for one in (found.version or (), host.OLDEST))
        raise ConfigError(f"Claude Code {version} is older than {oldest}: run `claude update`")
    for obstacle in host.obstacles(project, os.environ):
        say(f"Note: {obstacle}")


def _show_change(settings: settings_file.SettingsFile, changed: Json, *, dry_run: bool) -> None:
    """Say what becomes of the file; in a dry run every line of it that changes."""
    if changed == settings.data:
        say(f"{settings.path}: nothing to change")
        return
    if not dry_run:
        events = ", ".join(registration.registered(changed))
        say(f"{settings.path}: {f'hooks for {events}' if events else 'our hooks taken out'}")
        return
    old = (settings.text or "").splitlines()
    new = settings_file.render(changed, settings.text).splitlines()
    for line in difflib.unified_diff(old, new, settings.path, settings.path, n=1, lineterm=""):
        click.echo(line, err=True)


def _name_others(known: str, project: str) -> None:
    """Say where else our hooks are registered: in another settings file, or by the plugin."""
    for scope, path, _ in registration.registered_files(project, os.environ):
        if not host.same_file(path, known):
            out = f"`ace-reflect uninstall --scope {scope}` takes those out"
            say(f"Note: the hooks are registered in {path} too; {out}")
    if plugin := host.plugin_enabled(os.environ):
        say(f"Note: the plugin {plugin} is on too; `claude plugin uninstall {plugin}` ends that")


def _carry_out(planned: tuple[list[agents.Step], tuple[str, ...]], *, dry_run: bool) -> list[str]:
    """Do what was planned and say so; the files that change."""
    steps, notes = planned
    changed = [step for step in steps if step.do in {"write", "remove"}]
    for step in changed:
        will = "would be " if dry_run else ""
        say(f"{step.path}: {will}{'written' if step.do == 'write' else 'taken out'}")
    for why in (*(step.why for step in steps if step.do == "keep"), *notes):
        say(f"Note: {why}")
    if not dry_run:
        agents.carry_out(steps)
    return [step.path for step in changed]


def _asked(answers: Json) -> Json:
    """
    `answers` and those to the other questions. What is configured already is not asked: Enter would set it back.

    Raises ConfigError where the configuration is broken elsewhere.
    """
    sources = in_force(answers, os.environ).sources
    if sources["models"] == "default":
        say(_ABOUT_MODELS)
        if any(os.environ.get(name) for name in ANTHROPIC_KEYS):
            say("  anthropic/claude-sonnet-5")
        if shutil.which("claude"):
            say("  claude-code/sonnet")
        answers["models"] = click.prompt(
            "Models, in order, comma-separated", default="none", err=True, value_proc=_usable_models
        )
    if sources["workflow"] == "default":
        say(_ABOUT_WORKFLOW)
        answers["workflow"] = _choice("auto", _WORKFLOWS)
    if sources["learning.review"] == "default":
        say(_ABOUT_REVIEW)
        answers["learning"] = {"review": _choice("untrusted", _REVIEWS)}
    return {key: answers[key] for key in ("models", "workflow", "learning") if key in answers}


def _choice(default: str, kind: click.Choice[str]) -> Any:
    return click.prompt("Your choice", default=default, err=True, type=kind, show_choices=False)


def _usable_models(text: str) -> list[str]:
    models = parse_models(text)
    try:
        in_force({"models": models}, os.environ)
    except ConfigError as error:
        raise click.BadParameter(str(error)) from None
    return models


_MARKS = {"ok": ("✓", "green"), "note": ("!", "yellow"), "wrong": ("✗", "red")}


@click.command()
@project_option
@reporting
def doctor(project: str) -> Report:
    """
    Find what is wrong, and prove through the registered hooks that a bad stop is blocked and a good one passes.

    Exits with 1 where something is wrong.
    """
    from ace_reflect.install.doctor import examine

    checks = [check._asdict() for check in examine(os.path.abspath(project), os.environ)]
    wrong = any(check["state"] == "wrong" for check in checks)
    body = {"ok": not wrong, "checks": checks}
    return Report("doctor", body, _doctor_page, code=1 if wrong else 0)


def _doctor_page(body: Json) -> str:
    lines = []
    for check in body["checks"]:
        mark, colour = _MARKS[check["state"]]
        lines.append(f"{click.style(mark, fg=colour)} {check['name']}: {check['says']}")
        if check["fix"] and check["state"] != "ok":
            lines.append(f"    {check['fix']}")
    states = [check["state"] for check in body["checks"]]
    if "wrong" in states:
        last = f"{counted(states.count('wrong'), 'thing')} to mend."
    else:
        notes = "note" in states
        last = "It works; what is marked ! is worth a look." if notes else "Everything works."
    return "\n".join([*lines, "", last])
