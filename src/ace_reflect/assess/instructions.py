"""The project's own words on what "done" means, cached for a minute, so that several stops read them once."""

import json
import os
from typing import NamedTuple

from ace_reflect.paths import leads_into
from ace_reflect.project.git import read_git, read_text
from ace_reflect.state import cache
from ace_reflect.state.db import State
from ace_reflect.text import cut_middle

MOST_CHARS = 6_000
RUBRIC = "reflection.md"
NAMES = ("CLAUDE.md", "AGENTS.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.local.md")
_KIND = "assess-instructions"
_MAX_BYTES = 64_000


class ProjectTexts(NamedTuple):
    instructions: str
    rubric: str  # `reflection.md`: added to the assessment's prompt, replacing nothing


def project_texts(state: State, root: str) -> ProjectTexts:
    """Both texts, capped, at most a minute old. A project without them gives empty ones."""
    if kept := cache.get(state, _KIND, root, fresh_s=60):
        return ProjectTexts(*json.loads(kept))
    place = os.path.join(root, RUBRIC)
    # A checkout may be anybody's: a link in it could point at any of the person's files.
    rubric = "" if os.path.islink(place) else read_text(place, _MAX_BYTES)
    texts = (read_instructions(root), rubric)
    found = ProjectTexts(*(cut_middle(text.strip(), MOST_CHARS) for text in texts))
    cache.put(state, _KIND, root, "", json.dumps(found).encode())
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
