const root = document.documentElement;
const kept = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, value); } catch { /* a browser that keeps nothing */ } },
};
if (kept.get("theme")) root.dataset.theme = kept.get("theme");
document.getElementById("theme").onclick = () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  kept.set("theme", root.dataset.theme = dark ? "light" : "dark");
};

const sessions = [...document.querySelectorAll(".session")];
const texts = sessions.map((each) => each.textContent.toLowerCase());
const [search, project] = ["search", "project"].map((id) => document.getElementById(id));
search.oninput = project.oninput = () => {
  const words = search.value.toLowerCase().split(/\s+/);
  const ours = (each) => !project.selectedIndex || each.dataset.project === project.value;
  sessions.forEach((each, at) => { each.hidden = !ours(each) || !words.every((word) => texts[at].includes(word)); });
  document.getElementById("found").textContent = `${sessions.filter((each) => !each.hidden).length} of ${sessions.length}`;
};
const open = () => { const at = document.getElementById(location.hash.slice(1)); if (at?.matches(".session")) { at.hidden = false; at.open = true; at.scrollIntoView(); } };
addEventListener("hashchange", open);
open();
document.querySelectorAll(".copy").forEach((button) => {
  button.onclick = async () => {
    const command = button.previousElementSibling;
    try { await navigator.clipboard.writeText(command.textContent); button.textContent = "Copied"; }
    catch { getSelection().selectAllChildren(command); button.textContent = "Selected"; }
  };
});

const catches = [...document.querySelectorAll(".catch")];
const show = () => {
  const marks = catches.map((each) => kept.get(each.dataset.key));
  catches.forEach((each, at) => each.querySelectorAll("[data-mark]").forEach((button) => {
    button.setAttribute("aria-pressed", button.dataset.mark === marks[at]);
  }));
  const given = marks.filter(Boolean);
  const right = given.filter((mark) => mark === "right").length;
  document.getElementById("marks").textContent = given.length ? `By your marks ${right} of ${given.length} were right.` : "";
};
catches.forEach((each) => {
  const key = each.dataset.key;
  const mark = (value) => { kept.set(key, kept.get(key) === value ? "" : value); show(); };
  each.onkeydown = (event) => {
    const value = { r: "right", w: "wrong" }[event.key];
    if (value && !event.ctrlKey && !event.metaKey && !event.altKey) mark(value);
  };
  each.querySelectorAll("[data-mark]").forEach((button) => { button.onclick = () => mark(button.dataset.mark); });
});
show();
