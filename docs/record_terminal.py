"""Records the picture of a session in docs/terminal.svg: the real Claude Code under tmux, our hooks, a scripted model.

python docs/record_terminal.py        # wants tmux, and the CLI where .ci/run puts it
"""

import io
import re
import sys
import tempfile
import time
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.claude_code import RUN_TESTS, ClaudeCode, edit  # noqa: E402

ANSI = ((1, 4, 9), (255, 123, 114), (86, 211, 100), (227, 179, 65), (121, 192, 255), (210, 168, 255), (86, 212, 221), (230, 237, 243))  # fmt: skip
THEME = TerminalTheme((13, 17, 23), (230, 237, 243), [*ANSI], [*ANSI])


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="dev-") as folder:
        host = ClaudeCode(Path(folder))
        host.install()
        proven = "Slugs fold case now; the tests pass (1 passed)."
        host.api.enqueue(*edit(host), "Slugs fold case now.", RUN_TESTS, proven)
        with host.terminal(COLORTERM="truecolor") as screen:
            screen.say("make slugs fold case, so that straße and STRASSE are the same")
            screen.wait_for("Stop says: ")
            time.sleep(2)
            shown = screen.screen("-e")
            screen.leave()
        host.learned()
        host.close()
    lines = shown.rstrip().splitlines()
    first = next(at for at, line in enumerate(lines) if "make slugs fold case" in line)
    last = next(at for at, line in enumerate(lines) if "Stop says: " in line)
    rows = [Text.from_ansi(line.rstrip()) for line in lines[first : last + 2]]
    console = Console(record=True, width=max(row.cell_len for row in rows) + 1, file=io.StringIO())
    console.print(Text("\n").join(rows))
    plain = re.sub(r"\s*@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    svg = console.export_svg(title="claude", theme=THEME, code_format=plain)  # that fetches no font
    (ROOT / "docs" / "terminal.svg").write_text(svg)


if __name__ == "__main__":
    main()
