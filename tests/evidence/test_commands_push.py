"""Where a push goes, by the words of the command."""

from typing import Any

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import PushTarget

PUSHES: list[tuple[str, dict[str, Any]]] = [
    ("git push", {}),
    ("git push origin", {}),
    ("git push origin main", {"refspecs": ("main",)}),
    ("git push -u origin HEAD", {"refspecs": ("HEAD",)}),
    ("git push origin HEAD:main", {"refspecs": ("HEAD:main",)}),
    ("git push origin a:refs/heads/b", {"refspecs": ("a:refs/heads/b",)}),
    ("git push origin feature/main-menu", {"refspecs": ("feature/main-menu",)}),
    ("git push --force-with-lease origin x", {"refspecs": ("x",), "force": True}),
    ("git push -f", {"force": True}),
    ("git push origin +main", {"refspecs": ("+main",), "force": True}),
    ("git push --tags", {"only_tags": True}),
    ("git push --follow-tags origin main", {"refspecs": ("main",)}),
    ("git push origin v1.2.3", {"refspecs": ("v1.2.3",), "only_tags": True}),
    ("git push origin tag v1", {"refspecs": ("refs/tags/v1",), "only_tags": True}),
    ("git push origin main v1.0.0", {"refspecs": ("main", "v1.0.0")}),
    ("git push origin --delete x", {"refspecs": ("x",)}),
    ("git push origin :x", {"refspecs": (":x",)}),
    ("git push --all origin", {}),
    ("git push --no-verify", {}),
    ("git push -o ci.skip origin main", {"refspecs": ("main",)}),
    ("git -C /x push origin main", {"refspecs": ("main",)}),
    ("git -c a.b=c push", {}),
    ("cd x && git add . && git commit -m 'y' && git push", {}),
    ("B=topic; git push -u origin $B", {"refspecs": ("topic",)}),
]


@pytest.mark.parametrize(("command", "fields"), PUSHES, ids=[command for command, _ in PUSHES])
def test_a_push_names_its_target(command: str, fields: dict[str, Any]) -> None:
    (found,) = [one for one in classify(command, "/repo") if one.kind is CommandKind.PUSH]

    assert found.push == PushTarget(**fields)


@pytest.mark.parametrize(
    "command",
    [
        "git stash push",
        "git stash push -m 'push'",
        "echo git push",
        "git push --dry-run",
        "git log --grep 'git push'",
        "git subtree add push",
        "npm run push-docs",
    ],
)
def test_what_only_looks_like_a_push_is_none(command: str) -> None:
    assert CommandKind.PUSH not in {one.kind for one in classify(command)}


def test_a_push_runs_in_the_folder_it_names() -> None:
    (found,) = classify("git -C sub push", "/repo")

    assert found.cwd == "/repo/sub"
