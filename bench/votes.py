"""Ten built sessions, each with a citation, and the vote that the offline rules give: bench/votes.py"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from ace_reflect.learning.gather import gather
from ace_reflect.learning.offline import reflect
from support.transcripts import TranscriptBuilder

PASS, FAIL = "3 passed in 0.10s", "1 failed, 2 passed in 0.10s"
#: What happens after a citation; the key point; the vote a careful reader gives.
SESSIONS = (
    ("its tests pass", "Run the tests before you say it is done.", lambda s: s.edit("a.py").bash("pytest -q", PASS), "helpful"),
    ("its own command passes", "Run `make lint` after each edit.", lambda s: s.edit("a.py").bash("make lint", "All checks passed!"), "helpful"),
    ("other tests pass, it is about a button", "Buttons are blue.", lambda s: s.edit("a.py").bash("pytest -q", PASS), "neutral"),
    ("the tests fail", "Run the tests before you say it is done.", lambda s: s.edit("a.py").bash("pytest -q", FAIL, exit_code=1), "neutral"),
    ("the person wants the opposite", "Use npm for packages.", lambda s: s.bash("npm install", "ok").say("Done.").prompt("No, never npm, use pnpm"), "harmful"),
    ("the person repeats it: right, not followed", "Never use npm.", lambda s: s.bash("npm install", "ok").say("Done.").prompt("I told you, not npm!"), "neutral"),
    ("the person corrects a colour", "Run the tests before you say it is done.", lambda s: s.bash("pytest -q", PASS).say("Done.").prompt("No, the button should be blue"), "neutral"),
    ("its command no longer exists", "Run `make check-all` before the tests are called green.", lambda s: s.bash("make check-all", "make: *** No rule to make target 'check-all'.  Stop.", exit_code=2).bash("pytest -q", PASS), "neutral"),
    ("it is set aside", "Run the tests before you say it is done.", lambda s: s.say("[pat-001] does not apply here.").bash("ls", "a"), "neutral"),
    ("a claim, and nothing ran", "Run the tests before you say it is done.", lambda s: s.edit("a.py").say("All tests pass."), "neutral"),
)  # fmt: skip


def main() -> None:
    right = 0
    with tempfile.TemporaryDirectory() as place:
        for number, (what, text, steps, wanted) in enumerate(SESSIONS):
            session = TranscriptBuilder(Path(place) / f"{number}.jsonl")
            steps(session.prompt("Fix it").say("As [pat-001] says."))
            gathered = gather(str(session.say("Done.").write()))
            votes = reflect(gathered, gathered.turns[:1], {"pat-001": text}).votes
            given = votes[0].tag if votes else "none"
            right += given == wanted
            print(
                f"{'right' if given == wanted else 'WRONG':6}{given:9}{text}\n      {what}; {votes[0].rationale}"
            )
    print(f"{right} of {len(SESSIONS)} as a careful reader votes")


if __name__ == "__main__":
    main()
