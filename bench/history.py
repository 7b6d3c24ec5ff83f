"""What a person sees who learns from a history: bench/history.py FOLDER [OPTION…]; the options are `ace-reflect learn`'s.

The folder's sessions are laid out as Claude Code keeps them, a folder a project, in a home that is thrown away.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ace_reflect.errors import TranscriptError
from ace_reflect.learning.gather import gather
from ace_reflect.paths import sessions_dir


def main(folder: str, options: list[str]) -> int:
    with tempfile.TemporaryDirectory() as place:
        environ = {
            "PATH": os.environ["PATH"],
            "HOME": place,
            "CLAUDE_CONFIG_DIR": f"{place}/.claude",
        }
        environ |= {"LANG": "C.UTF-8", "COLUMNS": "100"}
        for path in sorted(Path(folder).glob("*.jsonl")):
            try:
                session = gather(str(path)).ledger
            except TranscriptError:
                continue
            project = f"{place}/checkouts/{Path(session.cwd or 'unknown').name}"
            Path(project).mkdir(parents=True, exist_ok=True)
            target = Path(sessions_dir(environ, project))
            target.mkdir(parents=True, exist_ok=True)
            own = target / (session.session_id or path.stem)
            if path.with_suffix("").is_dir():
                shutil.copytree(path.with_suffix(""), own)
            shutil.copy(path, own.with_name(f"{own.name}.jsonl"))
            # Everywhere, or what is edited lies outside of the project.
            for file in (own.with_name(f"{own.name}.jsonl"), *own.rglob("*.jsonl")):
                data = file.read_bytes()
                file.write_bytes(data.replace((session.cwd or "\0").encode(), project.encode()))
        command = [Path(sys.executable).with_name("ace-reflect"), "learn", "--all", *options]
        return subprocess.run(
            command, cwd=f"{place}/checkouts", env=environ, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:] or ["--offline", "--yes"]))
