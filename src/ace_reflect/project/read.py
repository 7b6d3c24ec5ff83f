"""`read_project`: a checkout's facts, from its files alone. Nothing is run, and whatever is in the folder, it ends soon."""

import os

from ace_reflect.project.facts import Project
from ace_reflect.project.git import forge_of, read_git
from ace_reflect.project.instructions import commands_in, read_instructions, wish_for_pr
from ace_reflect.project.manifests.node_scripts import without_tests
from ace_reflect.project.scopes import find_scopes
from ace_reflect.project.tree import Tree, read_text, stamp

MAX_COMMANDS = 400
MAX_HOOK = 4_000  # bytes


def read_project(root: str) -> Project:
    """
    Everything the checkout at `root` tells; `present` is False where there is no such folder.

    Source: the manifests, `.git` and instruction files only. Symbolic links to folders are not followed.
    """
    root = os.path.abspath(root)
    if not os.path.isdir(root):
        return Project(root=root)
    tree = Tree(root)
    scopes, scripts = find_scopes(tree)
    git = read_git(root)
    words = read_instructions(root, git.top)
    tests, builds = instructed(words.text)
    hook = os.path.join(root, ".husky", "pre-commit")
    checks = tuple(row.split()[0] for row in scripts if without_tests(row))
    return Project(
        root=root,
        present=True,
        truncated=tree.truncated,
        scopes=scopes,
        default_branch=git.default_branch,
        branch=git.branch,
        remotes=git.remotes,
        has_remote=bool(git.remotes) if git.top else False,
        forge=next((forge for forge in (forge_of(remote.url) for remote in git.remotes) if forge), ""),
        instructions=words.text,
        instruction_files=words.files,
        wants_pr=wish_for_pr(words.text),
        instructed_tests=tuple(line for line in tests if line.split()[-1] not in checks),
        instructed_builds=builds,
        script_kinds=scripts,
        hook_builds=_builds(read_text(hook, MAX_HOOK)),
        stamps=(stamp(root), stamp(hook), *tree.stamps[:150], *git.stamps, *words.stamps),
    )


def _builds(hook: str) -> bool:
    """Whether a hook's script, which husky runs up to the first failure, type-checks or builds."""
    if not hook:
        return False
    from ace_reflect.evidence.commands import classify
    from ace_reflect.evidence.facts import CommandKind

    kinds = {CommandKind.BUILD, CommandKind.TYPECHECK}
    lines = (line for line in hook.split("\n") if "||" not in line and not line.rstrip().endswith("&"))
    return any(command.kind in kinds for line in lines for command in classify(line))


def instructed(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Test and build commands that the instructions show, whole runs before narrow ones."""
    from ace_reflect.evidence.commands import classify
    from ace_reflect.evidence.facts import CommandKind

    found: dict[CommandKind, dict[str, bool]] = {CommandKind.TEST: {}, CommandKind.BUILD: {}}
    for count, line in enumerate(commands_in(text)):
        if count >= MAX_COMMANDS:
            break
        for command in classify(line):
            if command.kind in found and not any(mark in line for mark in "<>…{["):
                narrow = bool(command.targets or command.selected or command.collects_only or command.watch)
                found[command.kind].setdefault(line, narrow)
    tests, builds = (sorted(found[kind], key=lambda line, kind=kind: found[kind][line]) for kind in found)  # type: ignore[misc]
    return tuple(tests[:10]), tuple(builds[:10])
