"""What an install asks a person: once, and not what their configuration says already."""

import os
import shutil
from typing import Any

import click

from ace_reflect.cli.terminal import tell
from ace_reflect.errors import ConfigError
from ace_reflect.install.answers import in_force, parse_models
from ace_reflect.llm.keys import ANTHROPIC_KEYS

_WORKFLOWS = {
    "auto": "where you, the project's instructions or the session call for one",
    "pull-request": "wherever something was changed",
    "local": "never",
}
_REVIEWS = {
    "untrusted": "those that come only from text which Claude read",
    "all": "every one",
    "none": "none: all are used at once",
}


def given(models: str | None, workflow: str | None, review: str | None) -> dict[str, Any]:
    """The answers on the command line."""
    answers: dict[str, Any] = {}
    if models is not None:
        answers["models"] = parse_models(models)
    if workflow is not None:
        answers["workflow"] = workflow
    if review is not None:
        answers["learning"] = {"review": review}
    return answers


def ask(answers: dict[str, Any]) -> dict[str, Any]:
    """
    `answers` and those to the other questions. What is configured already is not asked: Enter would set it back.

    Raises ConfigError where the configuration is broken elsewhere.
    """
    sources = in_force(answers, os.environ).sources
    found = dict(answers)
    if sources["models"] == "default":
        found["models"] = _ask_models()
    if sources["workflow"] == "default":
        found["workflow"] = _choose("When does a pull request belong to being done?", _WORKFLOWS)
    if sources["learning.review"] == "default":
        found["learning"] = {
            "review": _choose("Which new key points wait for your word?", _REVIEWS)
        }
    return {key: found[key] for key in ("models", "workflow", "learning") if key in found}


def _choose(question: str, choices: dict[str, str]) -> str:
    tell(question)
    for name, means in choices.items():
        tell(f"  {name:13} {means}")
    answer: str = click.prompt(
        "Your choice",
        default=next(iter(choices)),
        err=True,
        type=click.Choice(list(choices)),
        show_choices=False,
    )
    return answer


def _ask_models() -> list[str]:
    tell(
        "Which model may be asked? Redacted parts of your sessions are sent to it. `none` stays offline: rules only, "
        "nothing leaves this machine."
    )
    for offer in _offers():
        tell(f"  {offer}")
    answer: list[str] = click.prompt(
        "Models, in order, comma-separated", default="none", err=True, value_proc=_usable_models
    )
    return answer


def _offers() -> list[str]:
    offers = []
    if any(os.environ.get(name) for name in ANTHROPIC_KEYS):
        offers.append("anthropic/claude-sonnet-5")
    if shutil.which("claude"):
        offers.append("claude-code/sonnet")
    return offers


def _usable_models(text: str) -> list[str]:
    models = parse_models(text)
    try:
        in_force({"models": models}, os.environ)
    except ConfigError as error:
        raise click.BadParameter(str(error)) from None
    return models
