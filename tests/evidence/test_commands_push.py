"""Where a push goes, by the words of the command."""

from typing import Any

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import PushTarget

PUSHES: list[tuple[str, dict[str, Any]]] = [
    ("git push", {}),
    ("git push origin", {"remote": "origin"}),
    ("git push origin main", {"remote": "origin", "refspecs": ("main",), "branches": ("main",)}),
    (
        "git push -u origin HEAD",
        {"remote": "origin", "refspecs": ("HEAD",), "branches": ("HEAD",), "set_upstream": True},
    ),
    ("git push origin HEAD:main", {"remote": "origin", "refspecs": ("HEAD:main",), "branches": ("main",)}),
    ("git push origin a:refs/heads/b", {"remote": "origin", "refspecs": ("a:refs/heads/b",), "branches": ("b",)}),
    (
        "git push origin feature/main-menu",
        {"remote": "origin", "refspecs": ("feature/main-menu",), "branches": ("feature/main-menu",)},
    ),
    (
        "git push --force-with-lease origin x",
        {"remote": "origin", "refspecs": ("x",), "branches": ("x",), "force": True},
    ),
    ("git push -f", {"force": True}),
    ("git push origin +main", {"remote": "origin", "refspecs": ("+main",), "branches": ("main",), "force": True}),
    ("git push --tags", {"tags": True, "only_tags": True}),
    (
        "git push --follow-tags origin main",
        {"remote": "origin", "refspecs": ("main",), "branches": ("main",), "tags": True},
    ),
    ("git push origin v1.2.3", {"remote": "origin", "refspecs": ("v1.2.3",), "tags": True, "only_tags": True}),
    ("git push origin tag v1", {"remote": "origin", "refspecs": ("refs/tags/v1",), "tags": True, "only_tags": True}),
    (
        "git push origin main v1.0.0",
        {"remote": "origin", "refspecs": ("main", "v1.0.0"), "branches": ("main",), "tags": True},
    ),
    ("git push origin --delete x", {"remote": "origin", "refspecs": ("x",), "branches": ("x",), "delete": True}),
    ("git push origin :x", {"remote": "origin", "refspecs": (":x",), "branches": ("x",), "delete": True}),
    ("git push --all origin", {"remote": "origin", "every_branch": True}),
    ("git push --mirror", {"every_branch": True}),
    ("git push --no-verify", {"no_verify": True}),
    ("git push -o ci.skip origin main", {"remote": "origin", "refspecs": ("main",), "branches": ("main",)}),
    ("git -C /x push origin main", {"remote": "origin", "refspecs": ("main",), "branches": ("main",)}),
    ("git -c a.b=c push", {}),
    ("cd x && git add . && git commit -m 'y' && git push", {}),
    (
        "B=topic; git push -u origin $B",
        {"remote": "origin", "refspecs": ("topic",), "branches": ("topic",), "set_upstream": True},
    ),
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
