"""
The project's own words on what "done" means: its instruction files, and `reflection.md`, which adds to the assessment's
prompt and replaces nothing in it. Kept for a minute, so that a row of stops reads them once.
"""

import json
import os
import stat
import time
from dataclasses import dataclass

from ace_reflect.assess.text import cut
from ace_reflect.paths import leads_into
from ace_reflect.project.git import read_git, read_text
from ace_reflect.state import cache
from ace_reflect.state.db import State

FRESH_S = 60.0
INSTRUCTIONS_CHARS = 6_000
RUBRIC_CHARS = 6_000
RUBRIC = "reflection.md"
NAMES = ("CLAUDE.md", "AGENTS.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.local.md")
_MAX_BYTES = 64_000


@dataclass(frozen=True, slots=True)
class ProjectTexts:
    instructions: str = ""
    rubric: str = ""


def project_texts(state: State, root: str, *, now: float | None = None) -> ProjectTexts:
    """Both texts, capped, at most a minute old. A project without them gives empty ones."""
    now = time.time() if now is None else now
    kept = cache.get(state, "assess-instructions", root, "")
    if kept is not None:
        try:
            at, instructions, rubric = json.loads(kept)
            if 0 <= now - at < FRESH_S:
                return ProjectTexts(str(instructions), str(rubric))
        except (ValueError, TypeError):
            pass  # of another version: read anew
    found = ProjectTexts(
        cut(read_instructions(root), INSTRUCTIONS_CHARS), cut(read_rubric(root), RUBRIC_CHARS)
    )
    cache.put(
        state,
        "assess-instructions",
        root,
        "",
        json.dumps([now, found.instructions, found.rubric]).encode(),
    )
    return found


def read_instructions(root: str) -> str:
    """CLAUDE.md, AGENTS.md and their local variants up to the repository's root, outermost first."""
    folder = os.path.abspath(root)
    top = read_git(folder).top or folder
    texts: list[str] = []
    while leads_into(os.path.join(folder, "x"), top):
        paths = [os.path.join(folder, name) for name in NAMES]
        texts[:0] = [read_text(path, _MAX_BYTES) for path in paths if leads_into(path, top)]
        folder = os.path.dirname(folder)
    # CLAUDE.md is often a link to AGENTS.md
    return "\n\n".join(dict.fromkeys(filter(str.strip, texts)))[:_MAX_BYTES]


def read_rubric(root: str) -> str:
    """
    The text of `<root>/reflection.md`, "" without one.

    A checkout may be anybody's: a link is not followed, for it could name any file of the person's.
    """
    try:
        descriptor = os.open(
            os.path.join(root, RUBRIC), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        )
    except (OSError, ValueError):
        return ""
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return ""
        return os.read(descriptor, _MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    finally:
        os.close(descriptor)
