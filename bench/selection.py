"""How long the choice of key points takes inside a running process: no start, no import."""

import argparse
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from hook_rows import PROMPTS
from machine import Machine


def rows(given: argparse.Namespace, place: Path) -> Iterator[dict[str, Any]]:
    from ace_reflect.playbook.select import for_prompt

    for points in (500, 2_000, 10_000):
        machine = Machine(place / str(points))
        machine.playbook(points)
        book = str(machine.project / ".claude" / "playbook.json")
        connection = sqlite3.connect(place / f"{points}.db", isolation_level=None)
        begun = time.perf_counter()
        known = for_prompt(connection, book, None, PROMPTS[0], budget=9_000).ids
        indexing = time.perf_counter() - begun
        for first in (True, False):
            took = []
            for number in range(given.samples * 3):
                begun = time.perf_counter()
                for_prompt(
                    connection,
                    book,
                    None,
                    PROMPTS[number % 7],
                    budget=9_000,
                    first=first,
                    already=() if first else known,
                )
                took.append(1000 * (time.perf_counter() - begun))
            note = f"indexed anew in {1000 * indexing:.0f} ms" if first else ""
            name = f"selection, {points:,} key points, {'first' if first else 'later'} prompt"
            yield {"name": name, "value": median(took), "unit": " ms", "note": note}
        connection.close()
