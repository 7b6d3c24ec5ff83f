"""How many instructions of a mentor are learned or offered: bench/memorycode.py FILE… of for-ai/MemoryCode (JSON, a history each).

Each session is one project's: the mentor's turns are the person's prompts. An instruction counts as proposed if a wish names
its quoted part ('x_'), or has half of its words. What was proposed beside the instructions is printed too.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from ace_reflect.learning.facts import subjects
from ace_reflect.learning.person import Wish, wishes


def mentors_turns(dialogue: str) -> list[str]:
    """What the one who speaks first says, a turn each."""
    turns = re.findall(r"(?ms)^([\w’'-]{2,20}): (.*?)(?=^[\w’'-]{2,20}: |\Z)", dialogue)
    return [said.strip() for who, said in turns if who == turns[0][0]]


def proposes(wish: Wish, instruction: str) -> bool:
    quoted = re.findall(r"'([^']+)'", instruction)
    words = subjects(instruction)
    return all(part in wish.text for part in quoted) if quoted else (
        2 * len(words & subjects(wish.text)) >= len(words)
    )  # fmt: skip


def main(files: list[str]) -> None:
    given, learned, offered, beside = 0, 0, 0, 0
    for file in files:
        found = json.loads(Path(file).read_text("utf-8"))
        sessions: Any = found["sessions"]
        sessions = json.loads(sessions) if isinstance(sessions, str) else sessions
        for number, session in enumerate(sessions, 1):
            turns = mentors_turns(session["text"])
            left = [wish for said in turns for wish in wishes(said)]
            kinds = zip(session["type"], session["topic"], strict=True)
            for topic in [topic for kind, topic in kinds if not kind.startswith("filler")]:
                given += 1
                wish = next((one for one in left if proposes(one, topic)), None)
                learned += wish is not None and wish.strict
                offered += wish is not None and not wish.strict
                left = [one for one in left if one is not wish]
                shown = f"{'learned' if wish.strict else 'offered'}: {wish.text}" if wish else "-"
                print(f"{Path(file).stem} session {number}: {topic}\n    {shown}")
            beside += len(left)
            for wish in left:
                print(f"    beside: {wish.text}")
    print(
        f"{given} instructions: {learned} learned, {offered} offered; {beside} proposals beside them"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
