"""
Every Bash command of the transcripts, classified: how many of each kind and runner, and the programs nothing is known of.

    .venv/bin/python bench/command_table.py [--kind KIND] [FOLDER …]     with --kind: every command line of that kind
"""

import argparse
from collections import Counter
from pathlib import Path

from corpus import bash_commands

from ace_reflect.evidence.commands import Command, classify


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--kind", help="list the command lines of this kind instead")
    options = parser.parse_args()
    found = [
        (line, one) for line, _ in bash_commands(options.folders) for one in classify(line, "/repo")
    ]
    if options.kind:
        listed(found, options.kind)
    else:
        counted(found)


def counted(found: list[tuple[str, Command]]) -> None:
    kinds = Counter(str(one.kind) for _, one in found)
    print(f"{len({line for line, _ in found})} command lines run {len(found)} commands\n")
    for kind, count in kinds.most_common():
        runners = Counter(one.runner or "(redirection)" for _, one in found if one.kind == kind)
        print(
            f"{kind:12} {count:6}  "
            + ", ".join(f"{name} {number}" for name, number in runners.most_common(12))
        )
    others = Counter(
        one.argv[0].rpartition("/")[2] for _, one in found if one.kind == "other" and one.argv
    )
    print(
        f"\nprograms of kind other: {', '.join(f'{name} {number}' for name, number in others.most_common())}"
    )


def listed(found: list[tuple[str, Command]], kind: str) -> None:
    for _, one in found:
        if one.kind == kind:
            details = {
                name: getattr(one, name)
                for name in ("targets", "selected", "deselects", "writes", "push")
                if getattr(one, name)
            }
            print(
                f"{one.runner:24} {' '.join(' '.join(one.argv).split())[:120]}  {details or ''}  {one.simple.masked}"
            )


if __name__ == "__main__":
    main()
