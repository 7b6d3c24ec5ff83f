"""`ace-reflect report` and `audit`: the page, the numbers, and their contracts."""

import json
import os
import re
from html.parser import HTMLParser

import pytest

from ace_reflect.report import figures, page
from ace_reflect.state import record
from ace_reflect.state.db import open_state
from conftest import ROOT
from support.playbooks import playbook, point

PASSED = "===== 3 passed in 0.10s ====="
KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
VOID = {"meta", "link", "input", "br", "img", "hr", "path", "rect", "wbr"}
VOID |= {"th", "td"}  # closed by what follows them


class Page(HTMLParser):
    """The elements of a page: those left open, the ids, what would be fetched."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.wrong: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        given = dict(attrs)
        self.ids += [given["id"]] if "id" in given else []
        self.targets += [given[name] for name in ("src", "href", "action", "data") if name in given]
        self.open += [tag] * (tag not in VOID)

    def handle_endtag(self, tag) -> None:
        if tag not in VOID and (not self.open or self.open.pop() != tag):
            self.wrong.append(tag)


@pytest.fixture
def two(put):
    """One session that a message would have sent back, and one that was proven."""
    put("a", f"<script>alert(1)</script> with {KEY}").edit("src/a.py").say("Done.").write()
    put("b").edit("src/b.py").bash("pytest -q", PASSED).say("All tests pass.").write()


def test_the_page_is_whole_and_loads_nothing(ace, two) -> None:
    said = ace("report", "--no-open", "--output", "page.html")
    text = (ace.host.project / "page.html").read_text()
    read = Page(text)

    assert said.code == 0
    assert "2 sessions, 2 of them read just now" in said.out
    assert (read.open, read.wrong) == ([], [])
    assert len(read.ids) == len(set(read.ids))
    assert {target for target in read.targets if not target.startswith("#")} == set()
    assert {target[1:] for target in read.targets} <= set(read.ids)
    assert not re.search(r"url\(|@import|https?://|\bfetch\(", text)
    assert KEY not in text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "tests have not been run since the last edit" in text
    assert all(part in text for part in ("claude --resume 5e55105e-b", "<th>minutes to proof"))
    assert ace("report", "--no-open").out.startswith("2 sessions, 0 of them read just now")
    assert (ace.host.home / "report.html").stat().st_mode & 0o777 == 0o600
    os.mkfifo(ace.host.project / "pipe")
    assert "pipe cannot be written" in ace("report", "--output", "pipe").err
    assert (ace.host.project / "pipe").is_fifo(), "nor is /dev/null replaced, as root"


def test_what_was_learned_stands_with_its_votes_and_the_sentence_it_came_from(ace, two) -> None:
    place = ace.host.project / ".claude" / "playbook.json"
    place.write_text(json.dumps(playbook(point("pref-001", "Use pnpm.", helpful=2))))
    quote = {"line": 3, "quote": "we use pnpm, not npm"}
    rows = record.Rows(
        turns=("t1",),
        votes=(record.Vote(key_point="pref-001", tag="helpful", counted=True, rationale="It ran."),),
        changes=(record.Change(op="ADD", key_point="pref-001", evidence=(quote,)),),
        waiting=(record.Waiting(section="OTHERS", text="Maybe small pull requests.", source="read"),),
    )  # fmt: skip
    with open_state(str(ace.host.home)) as state:
        record.write(state, os.path.realpath(place), rows)
        record.write(state, "/another/project/playbook.json", rows)

    data = ace("report", "--json").json
    ((book,), waiting) = data["playbooks"], data["waiting"]

    assert data["schema"] == "ace-reflect/report/1"
    assert {"total", "caught", "sessions", "months", "weeks", "projects", "models", "errors"} <= set(data)  # fmt: skip
    assert [one["gates"] for one in data["caught"]] == [["tests"]]
    assert data["total"]["claims"] == {"borne_out": 1, "unproven": 0, "contradicted": 0}
    assert not (ace.host.home / "report.html").exists()
    assert book["key_points"][0]["from"] == "we use pnpm, not npm"
    assert [vote["why"] for vote in book["key_points"][0]["votes"]] == ["It ran."]
    assert [one["text"] for one in waiting] == ["Maybe small pull requests."]
    assert "we use pnpm, not npm" in page.render(data)


def test_a_years_page_stays_small_and_its_older_sessions_stand_by_month(known, two, ace) -> None:
    one = known().sessions[0]
    one["marks"] = one["marks"] * 8
    year = [{**one, "id": f"s{n}", "end": f"2026-{12 - n // 100:02}-01T10:00:00Z", "month": f"2026-{12 - n // 100:02}"} for n in range(1200)]  # fmt: skip
    with open_state(str(ace.host.home)) as state:
        data = page.view(year, 0, state, {})

    assert len(page.render(data).encode()) < 2_000_000
    assert len(data["sessions"]) + sum(month["sessions"] for month in data["months"]) == 1200
    assert data["months"][-1]["name"] == "2026-01"


def test_audit_in_numbers(ace, two) -> None:
    data = ace("audit", "--json").json
    page = ace("audit", "--markdown").out

    assert data["schema"] == "ace-reflect/audit/1"
    assert {"total", "projects", "models", "months", "errors", "max_unproven", "passed"} < set(data)
    assert {name: data["total"][name] for name in ("sessions", "stops", "proven", "open", "unknown")} == {"sessions": 2, "stops": 2, "proven": 1, "open": 1, "unknown": 0}  # fmt: skip
    assert data["total"]["unproven"] == {"count": 1, "of": 2, "rate": 0.5, "low": 0.0945, "high": 0.9055}  # fmt: skip
    assert data["total"]["by_gate"] == {"tests": 1}
    assert [each["name"] for each in data["models"]] == ["claude-opus-5-5"]
    assert "## ace-reflect audit" in page
    told = (ROOT / "docs" / "json.md").read_text()
    assert [each for each in {**data, **data["total"]} if f"`{each}`" not in told] == ["schema"]
    assert re.search(r"^\|2026-11 +\| +2 +\|", page, re.M)


@pytest.mark.parametrize(("limit", "code"), [("0.4", 1), ("0.5", 0)])
def test_audit_fails_above_the_rate(ace, two, limit, code) -> None:
    said = ace("audit", "--max-unproven", limit)

    assert said.code == code
    assert ("exceeded" in said.out) is bool(code)


def test_since_and_a_project_without_sessions(ace, two, tmp_path) -> None:
    assert ace("audit", "--since", "2026-11-23", "--json").json["total"]["sessions"] == 0
    assert ace("audit", "--since", "2026-11-22", "--json").json["total"]["sessions"] == 2
    assert ace("audit", "--since", "yesterday").code == 2
    assert ace("report", "--no-open", "--project", tmp_path).code == 2


@pytest.mark.parametrize(("count", "of", "low", "high"), [
    (0, 10, 0.0, 0.2775), (8, 10, 0.4902, 0.9433), (10, 10, 0.7225, 1.0), (0, 0, None, None),
])  # fmt: skip
def test_intervals_are_wilsons(count, of, low, high) -> None:
    """Source: Newcombe 1998, and `statsmodels.stats.proportion.proportion_confint(method="wilson")`."""
    found = figures.share(count, of)

    assert (found["low"], found["high"]) == (low, high)
