"""Whether an expression's time grows with more than its text's length."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from support.fuzz import Watch
from support.patterns import Attack, Found, attacks

FIRST = 500  # characters; then four times as many, up to the longest
ENDLESS_S = 0.8  # for the first, short text
SLOW_S = 0.1  # what takes less is quick enough, however it grows
_MOST_FOLD = 8.0  # times the time for four times the text: 4 is linear, 16 is quadratic


@dataclass(frozen=True)
class Inputs:
    """What an expression is ever given: `longest` characters, of `line` at most in a row, with one blank between words."""

    longest: int = 32_000
    line: int = 0
    one_blank: bool = False

    def of(self, text: str) -> str:
        text = text[: self.longest]
        if self.one_blank:
            text = " ".join(text.split())
        if self.line:
            text = "\n".join(row[: self.line] for row in text.split("\n"))
        return text


def grows(
    found: Found, inputs: Inputs, watch: Watch, *, size: int, tried: Iterable[Attack] | None = None
) -> tuple[str, int]:
    """What is wrong with it, or nothing; and how many attacks were tried. `size`: the first text's, which most settle."""
    size = min(max(size, inputs.longest // 64), inputs.longest)
    count = 0
    for attack in attacks(found) if tried is None else tried:
        count += 1

        def seconds(length: int, repeats: int = 3, attack: Attack = attack) -> float:
            text = inputs.of(attack.text(length))
            return _quickest(lambda: found.run(text), watch, repeats)

        # A quadratic one that would take SLOW_S for the longest text takes this for the first.
        first = seconds(size, 1)
        if first < max(SLOW_S * (size / inputs.longest) ** 2, 0.0005):
            continue
        if first > ENDLESS_S and seconds(size) > ENDLESS_S:  # not the machine, which may have been busy elsewhere
            return f"{size} characters take more than {ENDLESS_S:g} s: {attack}", count
        said = _said(seconds, inputs.longest)
        if said:
            return f"{said}: {attack.before[-30:]!r} + {attack.pump[:40]!r} * n + {attack.after!r}", count
    return "", count


def _said(seconds: Callable[..., float], longest: int) -> str:
    length = min(FIRST, longest // 4)
    shorter = seconds(length)
    while True:
        longer = seconds(4 * length)
        if longer > SLOW_S and longer > _MOST_FOLD * shorter:
            # Again, with more patience: the machine may have been busy elsewhere.
            shorter, longer = seconds(length, 6), seconds(4 * length, 6)
            if longer > SLOW_S and longer > _MOST_FOLD * shorter:
                return f"{length} characters take {shorter * 1000:.1f} ms, {4 * length} take {longer * 1000:.0f} ms"
        if 4 * length >= longest or longer > 1:
            return ""
        length, shorter = min(4 * length, longest // 4), longer


def _quickest(run: Callable[[], None], watch: Watch, repeats: int) -> float:
    """The least time of a few; what takes long is not repeated, and what does not end is ended."""
    best = float("inf")
    for _ in range(repeats):
        began = time.process_time()  # whatever else the machine does
        try:
            watch.run(run)
        except AssertionError:
            return 3600.0
        best = min(best, time.process_time() - began)
        if best > 0.3:
            break
    return best
