"""The page in a real Chromium: clicked through, in both themes, at 400 px, and nothing is fetched."""

import json
import re
import shutil
from pathlib import Path

import pytest

from support.programs import ran

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chrome"))), "")
PICTURES = Path(__file__).parents[2] / ".cache" / "report"  # kept, for a person to look at
PASSED = "===== 3 passed in 0.10s ====="
#: What a person does, and what they would see; it stands in the page's title at the end.
CLICKS = r"""
<script>
const $ = (query) => document.querySelector(query);
const luminance = (color) => color.match(/[\d.]+/g).slice(0, 3).map((each) => each / 255)
  .map((each) => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
  .reduce((sum, each, at) => sum + each * [0.2126, 0.7152, 0.0722][at], 0);
const ground = (node) => { for (let at = node; at; at = at.parentElement) { const own = getComputedStyle(at).backgroundColor; if (!own.endsWith(", 0)")) return own; } return "rgb(255, 255, 255)"; };
const contrast = () => Math.min(...[...document.querySelectorAll("body *")].filter((node) => node.offsetParent && [...node.childNodes].some((each) => each.nodeType === 3 && each.textContent.trim()))
  .map((node) => [luminance(getComputedStyle(node).color), luminance(ground(node))].sort((a, b) => b - a)).map(([light, dark]) => (light + 0.05) / (dark + 0.05)));
const said = { sessions: document.querySelectorAll(".session").length };
$(".catch a").click();
$(".catch").dispatchEvent(new KeyboardEvent("keydown", { key: "w" }));
said.marks = $("#marks").textContent;
$(".catch").dispatchEvent(new KeyboardEvent("keydown", { key: "r", ctrlKey: true }));
$(".catch").dispatchEvent(new KeyboardEvent("keydown", { key: "w" }));
said.unmarked = $("#marks").textContent;
$("#project").selectedIndex = 1; $("#project").dispatchEvent(new Event("input"));
said.ours = $("#found").textContent;
$("#project").selectedIndex = 0;
$("#search").value = "proven one"; $("#search").dispatchEvent(new Event("input"));
said.found = $("#found").textContent;
$("#search").value = ""; $("#search").dispatchEvent(new Event("input"));
setTimeout(() => {
  said.opened = document.querySelectorAll(".session[open]").length;
  document.querySelectorAll("details").forEach((each) => { each.open = true; });
  said.before = [getComputedStyle(document.body).backgroundColor, contrast()];
  $("#theme").click();
  said.after = [getComputedStyle(document.body).backgroundColor, contrast()];
  said.focusable = [...document.querySelectorAll("a, button, input, select, summary, .catch, .wide")].every((each) => each.tabIndex === 0);
  document.documentElement.style.width = "400px";  // the window itself cannot be that narrow
  said.over = document.documentElement.scrollWidth - Math.max(400, innerWidth) + Math.max(0, document.body.scrollWidth - 400);
  said.fetched = performance.getEntriesByType("resource").length;
  document.title = JSON.stringify(said);
}, 100);
</script></body>"""


@pytest.mark.e2e
@pytest.mark.skipif(not CHROMIUM, reason="no Chromium is at hand; .ci/run installs one")
def test_a_person_clicks_through_the_page(ace, put, tmp_path: Path) -> None:
    put("a", "a forgotten one").edit("src/a.py").say("Done.").write()
    put("b", "a proven one").edit("src/b.py").bash("pytest -q", PASSED).say("Done.").write()
    place = tmp_path / "page.html"
    assert ace("report", "--no-open", "--output", place).code == 0
    page = place.read_text()
    place.write_text(page.replace("</body>", CLICKS))

    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=400,900", "--virtual-time-budget=3000"]  # fmt: skip
    flags += [f"--user-data-dir={tmp_path / 'browser'}", place.as_uri()]
    shown = ran(CHROMIUM, "--dump-dom", *flags, timeout=100)
    title = re.search(r"<title>(\{.*?\})</title>", shown.stdout)
    assert title, shown.stderr[-2000:]
    said = json.loads(title[1])

    assert (said["marks"], said["unmarked"]) == ("By your marks 0 of 1 were right.", "")
    assert said["ours"] == "2 of 2"
    assert (said["sessions"], said["found"], said["opened"]) == (2, "1 of 2", 1)
    assert {said["before"][0], said["after"][0]} == {"rgb(255, 255, 255)", "rgb(13, 17, 23)"}
    assert min(said["before"][1], said["after"][1]) >= 4.5
    assert said["focusable"]
    assert said["over"] <= 0
    assert said["fetched"] == 0

    PICTURES.mkdir(parents=True, exist_ok=True)
    for theme in ("light", "dark"):
        place.write_text(page.replace("<html ", f'<html data-theme="{theme}" '))
        ran(CHROMIUM, f"--screenshot={PICTURES / theme}.png", *flags, timeout=100)
        assert (PICTURES / f"{theme}.png").read_bytes().startswith(b"\x89PNG")
