"""What ten prompts bring in front of the model with 10, 100 and 500 key points, and how much of it bears on the prompt.

Key points are made by subject, so that it is known which ones bear on a prompt: those of its subject. Preferences always
go in, and are counted apart. `bench/injected.py`
"""

import json
import sqlite3
import tempfile
from pathlib import Path

from ace_reflect.playbook.select import for_prompt

#: A prompt, and the names of things of its subject.
SUBJECTS = (
    ("the docker build fails on arm64, fix the Dockerfile", "Dockerfile|docker image|compose service|container entrypoint|registry tag"),
    ("add a migration for the invoices table", "migration|schema change|alembic revision|database column|down migration"),
    ("the login redirect loops after the session expires", "login redirect|session cookie|OAuth callback|auth middleware|refresh token"),
    ("make the chart's tooltip readable in dark mode", "chart axis|tooltip|dark mode palette|SVG legend|plot colour"),
    ("pagination of /orders skips the last page", "pagination cursor|page size|orders endpoint|offset query|next-page link"),
    ("translate the settings page to French", "translation key|locale file|French plural|settings label|i18n message"),
    ("upload of large files times out", "file upload|multipart chunk|upload timeout|storage bucket|presigned URL"),
    ("the nightly mail digest is sent twice", "mail digest|cron schedule|SMTP queue|email template|unsubscribe link"),
    ("search returns archived documents", "search index|archived document|ranking weight|tokenizer|stale reindex"),
    ("the webhook signature check rejects valid payloads", "webhook payload|signature header|replay window|HMAC secret|event retry"),
)  # fmt: skip
OTHERS = ("websocket frame|heartbeat ping|socket reconnect", "cache key|Redis eviction|TTL jitter", "currency rounding|tax rate|receipt number", "feature toggle|rollout percentage|kill switch", "audit entry|retention period|export job")  # fmt: skip
SAYINGS = (
    "A {} is tested with real data, not with a mock.",
    "Look at how the nearest {} is made before adding another.",
    "The {} has a test of its own; run that one first.",
    "Changing a {} needs a line in the changelog.",
    "Never rename a {}: clients depend on it.",
    "A broken {} shows up in staging only after a restart.",
    "Keep the {} small; split it rather than nest it.",
)
PREFERENCES = ("Use pnpm, not npm.", "Ask before adding a dependency.", "Commit messages are in the imperative.", "Never push without asking.", "Answer briefly.", "No emojis.", "Write the test first.", "One logical change a commit.", "Prefer early returns.", "Keep functions short.", "Use UTC everywhere.", "Link the ticket in the PR.")  # fmt: skip


def playbook(points: int) -> tuple[dict[str, object], dict[str, int]]:
    """A playbook of so many key points, and id -> the number of its subject."""
    things = [part.split("|") for part in (*(names for _, names in SUBJECTS), *OTHERS)]
    wishes = PREFERENCES[: max(points // 10, 1)]
    kept = [{"name": f"pref-{at:03d}", "text": text} for at, text in enumerate(wishes, 1)]
    rows, about = [], {}
    for at in range(points - len(wishes)):
        subject, turn = at % len(things), at // len(things)
        thing = things[subject][turn % len(things[subject])]
        name = f"pat-{at + 1:03d}"
        rows.append({"name": name, "text": SAYINGS[turn % len(SAYINGS)].format(thing)})
        about[name] = subject
    return {"sections": {"USER PREFERENCES": kept, "PATTERNS & APPROACHES": rows}}, about


def main() -> None:
    print(f"{'prompt':<52}{'10 key points':>24}{'100':>24}{'500':>24}")
    print(f"{'':<52}" + f"{'chars':>10}{'prefs':>6}{'right':>8}" * 3)
    with tempfile.TemporaryDirectory() as place:
        connection = sqlite3.connect(":memory:", isolation_level=None)
        made = {points: playbook(points) for points in (10, 100, 500)}
        for points, (book, _) in made.items():
            Path(place, f"{points}.json").write_text(json.dumps(book))
        for number, prompt in enumerate([said for said, _ in SUBJECTS] + ["thanks!"]):
            row = f"{prompt[:50]:<52}"
            for points, (_, about) in made.items():
                found = for_prompt(connection, f"{place}/{points}.json", None, prompt, budget=9_000)
                others = [name for name in found.ids if name in about]
                right = sum(about[name] == number for name in others)
                prefs = len(found.ids) - len(others)
                row += f"{f'{len(found.text)}':>10}{prefs:>6}{f'{right}/{len(others)}':>8}"
            print(row)


if __name__ == "__main__":
    main()
