"""No expression of the package takes a time that grows with more than its text: each is tried with hostile texts."""

import importlib
import pkgutil
import re
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import ace_reflect
from ace_reflect import redact
from ace_reflect.gates import words
from ace_reflect.learning import person

#: What is repeated, each behind each beginning of an expression's own letters.
PUMPS = (" ", "a", "0", "\n", "-", "/", "=", "a ", "ab.", "<a", '"', "'", "[", "(", "\\", "a\n", "\n ", "a=", "::", "é")  # fmt: skip
SHORT, FOLD = 1_000, 4
SLOW_S = 0.15  # what the longer text may take, however it grows


def compiled() -> dict[str, tuple[re.Pattern[str], bool]]:
    """
    Every expression that a module keeps, and those of tables that are compiled when they are needed; with each whether it
    is looked for everywhere in a text. What is only matched at its start is not.
    """
    found = {}
    for info in pkgutil.walk_packages(ace_reflect.__path__, "ace_reflect."):
        module = importlib.import_module(info.name)
        source = Path(module.__file__ or "").read_text(encoding="utf-8")
        used = set(re.findall(r"\b(\w+)\.(\w+)\(", source))
        given = {name: how for how, name in re.findall(r"\bre\.(\w+)\((\w+),", source)}
        used |= {*given.items()}
        for name, value in vars(module).items():
            if name in given:
                value = re.compile(value)
            anywhere = any(one == name and how not in {"match", "fullmatch"} for one, how in used)
            for number, pattern in enumerate(value if isinstance(value, tuple) else (value,)):
                if isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
                    found[f"{info.name}.{name}.{number}"] = (pattern, anywhere)
    rows = [*redact._TOKENS, *redact._VALUES, *(("key", "", pattern) for pattern in redact._PEM)]
    found |= {f"redact {row[0]} {n}": (re.compile(row[2]), True) for n, row in enumerate(rows)}
    source = Path(words.__file__).read_text(encoding="utf-8")
    started = set(re.findall(r'starts\("([a-z ]+)"', source))
    tables = re.findall(r"(?m)^\[([a-z_ ]+)\]$", words._TABLES)
    own = {f"words {name}": (words._compiled(name), name not in started) for name in tables}
    whole = {"pasted": True, "document": True, "pasted line": False, "announces": False}
    own |= {f"person {name}": (person._pattern(name), where) for name, where in whole.items()}
    return found | own


def attacks(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """(beginning, what is repeated): with the longest words of the expression in front, and themselves repeated."""
    own = sorted(set(re.findall(r"[A-Za-z_:<=\-]{2,20}", pattern.pattern)), key=len)[-6:]
    yield from (("", pump) for pump in PUMPS)
    for word in own:
        yield from ((word, pump) for pump in (" ", "a", "a ", "0", "\n"))
        yield ("", word)
        yield ("", f"{word} ")


def seconds(pattern: re.Pattern[str], text: str, *, everywhere: bool) -> float:
    began = time.process_time()
    if everywhere:
        deque(pattern.finditer(text), maxlen=0)
    else:
        pattern.match(text)
        pattern.fullmatch(text)
    return time.process_time() - began


def grows(pattern: re.Pattern[str], everywhere: bool) -> str:
    for start, pump in attacks(pattern):
        text = (start + pump * SHORT)[:SHORT]
        first = seconds(pattern, text + "!", everywhere=everywhere)
        if first < SLOW_S / FOLD**3:
            continue
        long = (start + pump * SHORT * FOLD)[: SHORT * FOLD] + "!"
        longer = min(seconds(pattern, long, everywhere=everywhere) for _ in range(2))
        if longer > SLOW_S:
            return f"{start!r} + {pump!r}: {SHORT * FOLD} characters take {longer:.2f} s"
    return ""


def test_no_expression_takes_longer_than_its_text() -> None:
    every = compiled()
    slow = {name: told for name, given in every.items() if (told := grows(*given))}

    assert slow == {}
    assert len(every) > 100
    assert {"words off", "redact jwt 9"} <= every.keys()
