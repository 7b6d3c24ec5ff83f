"""`ace-reflect install`, `uninstall`, `doctor`: our hooks into Claude Code's settings, exactly ours out, and the proof."""

import difflib
import os
import shutil
import sys
from collections.abc import Mapping, Sequence

import click

from ace_reflect import config, paths
from ace_reflect.cli.config import load_config
from ace_reflect.cli.options import FOLDER
from ace_reflect.cli.output import Json, Report, folded, reporting, say, short_path
from ace_reflect.errors import ConfigError
from ace_reflect.install import agents, codex, host, registration, settings_file, traces
from ace_reflect.install.answers import in_force, merged, parse_models
from ace_reflect.llm.port import ANTHROPIC_KEYS
from ace_reflect.settings import Settings, online
from ace_reflect.text import counted

_WORKFLOWS = click.Choice(["auto", "pull-request", "local"])
_ABOUT_MODELS = "Which model may be asked when the rules cannot tell (one stop in seven, about 0.5 cents each) and to learn? Redacted parts of your sessions are sent to it. `none` stays offline: nothing leaves this machine."
_TRUST = "Start `codex` and choose “Trust all and continue” (later: /hooks), for it runs no hook that was not trusted"
_HOSTS = click.Choice(["claude", "codex"])
_SCOPES = click.Choice(["user", "project", "local"])
host_option = click.option("--host", "into", type=_HOSTS, default="claude", show_default=True)
scope_option = click.option("--scope", type=_SCOPES, default="user", show_default=True)
project_option = click.option("--project", type=FOLDER, default=".", help="The project.")
yes_option = click.option("--yes", "-y", is_flag=True, help="Ask nothing.")
diff_option = click.option("--diff", is_flag=True, help="Show the change line by line.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Only say what would change.")


@click.command()
@host_option
@scope_option
@project_option
@click.option("--models", help='Whom to ask, in order; "none" stays offline.')
@click.option("--workflow", type=_WORKFLOWS, help="When a pull request is due.")
@yes_option
@diff_option
@dry_run_option
@reporting
def install(
    into: str,
    scope: str,
    project: str,
    models: str | None,
    workflow: str | None,
    yes: bool,
    diff: bool,
    dry_run: bool,
) -> Report:
    """Register the hooks in Claude Code's settings: yours, the project's (shared), or this checkout's (local). With
    --host codex in Codex CLI's hooks.json: yours, or the project's.

    May be run again, and upgrades. Nothing is sent anywhere until you name a model.

    \b
    ace-reflect install
    ace-reflect install --yes --models claude-code/sonnet --workflow local
    """
    project, home = os.path.abspath(project), paths.home(os.environ)
    of_codex = into == "codex"
    if not of_codex:
        _check_host(project)
    # All that can fail on what was asked for, before the first file is written.
    file = _file(into, scope, project)
    settings = settings_file.sound_settings(file)
    answers: Json = {} if models is None else {"models": parse_models(models)}
    answers |= {"workflow": workflow} if workflow else {}
    if models is None and not yes and sys.stdin.isatty():
        answers |= _asked(answers)
    found = in_force(answers, os.environ)
    assess = bool(found.settings.models) or found.settings.review_enabled
    foreground = found.settings.assess_mode == "foreground"
    entries = registration.entries(assess=assess, foreground=foreground)
    entries = codex.entries(assess=assess) if of_codex else entries
    changed = registration.with_ours(settings.data, entries)
    own = paths.user_config(home)
    before = (config.read_file(own) or b"").decode("utf-8-sig")
    after = merged(before, answers, own)
    routed = found if scope == "user" else load_config(project, answers).sound()
    steps, notes = agents.plan(routed.settings, os.path.dirname(file), learn=scope == "user")
    if of_codex:
        steps, notes = {}, codex.notes(file, os.environ)
    for spec in online(found.settings.models):
        if why := host.why_not_asked(spec, found, project, os.environ):
            notes.append(f"{spec} cannot be asked: {why}")
    differs = changed != settings.data
    what = {
        settings.path: f"hooks for {', '.join(entries)}" * differs or "nothing to change",
        own: f"{', '.join(answers)} written" * (after != before),
    }
    _show(what | _placed(steps), notes, settings, changed if diff else settings.data)
    if not dry_run and (after != before or differs or steps):
        _ask("Do that?", yes=yes)
    if not dry_run:
        text = registration.launcher_text()
        settings_file.replace(registration.launcher(home), text.encode(), 0o700)
        if after != before:
            settings_file.replace(own, after.encode())
        if differs:
            # The copy to give back is the one from before the first of ours.
            first = not registration.registered(settings.data)
            settings_file.write_settings(settings, changed, keep_copy=first)
        agents.carry_out(steps)
    _name_others(settings.path, project)
    flag = " --host codex" * of_codex + ("" if scope == "user" else f" --scope {scope}")
    start = _TRUST if of_codex else "Start a new Claude Code session"
    page = f"Installed. {start}; `ace-reflect doctor` proves that it works, `ace-reflect uninstall{flag}` takes it out, `ace-reflect learn --all` learns from the sessions you have had."
    body = _body(settings.path, steps, changed=differs, dry_run=dry_run) | {"answers": answers}
    return Report("install", body, "Nothing was changed." if dry_run else page)


def _file(into: str, scope: str, project: str) -> str:
    """The file that the hooks are registered in. Raises ConfigError."""
    of = codex.hooks_path if into == "codex" else host.settings_path
    return of(scope, project, os.environ)


@click.command()
@host_option
@scope_option
@project_option
@click.option("--purge", is_flag=True, help="Delete what was learned too, in every project.")
@yes_option
@diff_option
@dry_run_option
@reporting
def uninstall(
    into: str, scope: str, project: str, purge: bool, yes: bool, diff: bool, dry_run: bool
) -> Report:
    """Take exactly our hooks out of Claude Code's settings, or Codex CLI's, and say what stays."""
    project, home = os.path.abspath(project), paths.home(os.environ)
    file = _file(into, scope, project)
    settings, place = settings_file.read_settings(file), os.path.dirname(file)
    left = traces.left_behind(settings, os.environ)
    changed = registration.with_ours(settings.data, {})
    if purge and settings.path in left:
        changed = {key: value for key, value in changed.items() if key != "statusLine"}
    steps, notes = agents.plan(Settings(), place)
    differs = changed != settings.data
    what = {settings.path: "our hooks taken out" if differs else "nothing to change"}
    if purge:
        what |= {path: f"deleted ({held})" for path, held in left.items() if path != settings.path}
    _show(what | _placed(steps), notes, settings, changed if diff else settings.data)
    will_change = differs or bool(steps) or (purge and bool(left or os.path.exists(home)))
    if will_change and not dry_run:
        if purge and not yes and not sys.stdin.isatty():
            raise ConfigError("no terminal to ask on: `ace-reflect uninstall --purge --yes`")
        _ask("Delete that for good?" if purge else "Do that?", yes=yes, default=not purge)
        if differs:
            settings_file.take_back(settings, changed)
        agents.carry_out(steps)
        agents.tidy(place)
        of_claude = [*registration.registered_files(project, os.environ)]
        if purge:
            traces.delete(left, os.environ)
        elif scope == "user" and not (of_claude or [*codex.registered(project, os.environ)]):
            settings_file.replace(registration.launcher(home), registration.STUB, 0o700)
    _name_others(settings.path, project)
    body = _body(settings.path, steps, changed=differs, dry_run=dry_run)
    page = "Taken out." if will_change and not dry_run else "Nothing was changed."
    if left and not purge:
        stays = [f"  {short_path(path)}: {held}" for path, held in left.items()]
        page = "\n".join([f"{page} These stay (--purge deletes them):", *stays])
    return Report("uninstall", {**body, "left": [*left] * (not purge)}, page)


def _body(path: str, steps: agents.Changes, *, changed: bool, dry_run: bool) -> Json:
    return {"settings": path, "changed": changed, "dry_run": dry_run, "agents": [*steps]}


def _check_host(project: str) -> None:
    found = host.find_host(os.environ)
    if found.command is None:
        say("No `claude` command was found; the hooks work as soon as Claude Code is there.")
    elif found.too_old:
        raise ConfigError(f"Claude Code {found.too_old}: run `claude update`")
    for obstacle in host.obstacles(project, os.environ):
        say(f"Note: {obstacle}")


def _placed(steps: agents.Changes) -> dict[str, str]:
    return {path: "written" if text else "taken out" for path, text in steps.items()}


def _show(
    what: Mapping[str, str], notes: Sequence[str], settings: settings_file.SettingsFile, data: Json
) -> None:
    """Say what becomes of each file, and show each line of the settings that becomes another."""
    for path, becomes in what.items():
        if becomes:
            say(f"{path}: {becomes}")
    old = (settings.text or "").splitlines()
    new = settings_file.render(data, settings.text).splitlines()
    if data != settings.data:
        click.echo("\n".join(difflib.unified_diff(old, new, n=1, lineterm="")), err=True)
    for text in notes:
        say(f"Note: {text}")


def _ask(question: str, *, yes: bool, default: bool = True) -> None:
    """Raises ConfigError where the person at the terminal does not want it."""
    if not yes and sys.stdin.isatty() and not click.confirm(question, default, err=True):
        raise ConfigError("your answer was no; nothing was changed")


def _name_others(known: str, project: str) -> None:
    """Say where else our hooks are registered: in another settings file, or by the plugin."""
    for scope, path, _ in registration.registered_files(project, os.environ):
        if not host.same_file(path, known):
            out = f"`ace-reflect uninstall --scope {scope}` takes those out"
            say(f"Note: the hooks are registered in {path} too; {out}")
    for scope, path, _ in codex.registered(project, os.environ):
        if not host.same_file(path, known):
            out = f"`ace-reflect uninstall --host codex --scope {scope}` takes those out"
            say(f"Note: the hooks are registered in {path} too; {out}")
    if plugin := host.plugin_enabled(os.environ):
        say(f"Note: the plugin {plugin} is on too; `claude plugin uninstall {plugin}` ends that")


def _asked(answers: Json) -> Json:
    """Which models, unless that is configured: Enter would set it back. Raises ConfigError for a broken configuration."""
    if in_force(answers, os.environ).sources["models"] != "default":
        return {}
    say(_ABOUT_MODELS)
    if any(os.environ.get(name) for name in ANTHROPIC_KEYS):
        say("  anthropic/claude-sonnet-5")
    if shutil.which("claude"):
        say("  claude-code/sonnet")
    wanted = "Models, in order, comma-separated"
    return {"models": click.prompt(wanted, default="none", err=True, value_proc=_usable_models)}


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
    """Find what is wrong, and prove through the registered hooks that a bad stop is blocked and a good one passes.

    Exits with 1 if something is wrong.
    """
    from ace_reflect.install.doctor import examine

    checks = [check._asdict() for check in examine(os.path.abspath(project), os.environ)]
    ok = all(check["state"] != "wrong" for check in checks)
    body = {"ok": ok, "checks": checks}
    return Report("doctor", body, _doctor_page, code=0 if ok else 1, fold=False)


def _doctor_page(body: Json) -> str:
    lines = []
    for check in body["checks"]:
        lines.append(f"  {_MARKS[check['state']][0]} {check['name']}: {check['says']}")
        lines += [f"    {check['fix']}"] * (bool(check["fix"]) and check["state"] != "ok")
    states = [check["state"] for check in body["checks"]]
    last = (
        "It works; what is marked ! is worth a look." if "note" in states else "Everything works."
    )
    if "wrong" in states:
        last = f"{counted(states.count('wrong'), 'thing')} to fix."
    page = folded("\n".join([*lines, "", last]))
    for mark, colour in _MARKS.values():  # once it is folded: a colour takes no room
        page = page.replace(f"  {mark} ", f"  {click.style(mark, fg=colour)} ")
    return page
