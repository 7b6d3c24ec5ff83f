"""What offline learning makes of `bench/sentences.tsv`: by set, how many lasting wishes it learns at once, offers, or misses.

`bench/sentences.py [SET…]`; with a SET each sentence too. `lasting` ones should be learned or offered, `other` ones not learned.
"""

import sys
from collections import Counter
from pathlib import Path

from ace_reflect.learning.person import wishes

TIERS = ("strict", "maybe", "none")


def tier_of(sentence: str) -> str:
    """The surest tier of a wish in it."""
    found = {wish.strict for wish in wishes(sentence.replace("\\n", "\n"))}
    return "strict" if True in found else "maybe" if found else "none"


def main(wanted: list[str]) -> None:
    counts: dict[tuple[str, str], Counter[str]] = {}
    for line in Path(__file__).with_name("sentences.tsv").read_text("utf-8").splitlines()[1:]:
        name, kind, _, sentence = line.split("\t")
        tier = tier_of(sentence)
        counts.setdefault((name, kind), Counter())[tier] += 1
        if name in wanted:
            print(f"{kind:8}{tier:8}{sentence}")
    for (name, kind), found in counts.items():
        offered = found["strict"] + found["maybe"]
        shown = ", ".join(f"{found[tier]} {tier}" for tier in TIERS)
        print(f"{name:8}{kind:8}{shown}; learned or offered {offered} of {found.total()}")


if __name__ == "__main__":
    main(sys.argv[1:])
