"""Which key points a prompt gets, and the index behind it."""

import json
import os
import random
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace_reflect.playbook import index, select
from ace_reflect.playbook.render import utf16_units
from ace_reflect.playbook.select import for_prompt
from support.playbooks import playbook, point

SUBJECTS = "docker kubernetes postgres redis react django flask celery terraform ansible webpack eslint mypy poetry".split()  # noqa: SIM905 - one line  # fmt: skip


def write(path: Path, book: object) -> str:
    path.write_text(json.dumps(book))
    return str(path)


def large(count: int, *more: str, start: int = 1) -> dict[str, object]:
    """Key points about one of many subjects each, with words that all of them share; then `more` from pat-500 on."""
    dice = random.Random(count)
    about = [f"the {SUBJECTS[n % len(SUBJECTS)]} settings number {n}" for n in range(count)]
    texts = [f"Always check {one} {'and think about it ' * dice.randint(1, 4)}" for one in about]
    rows = [point(f"pat-{n + start:03d}", text, n % 4, n % 3) for n, text in enumerate(texts)]
    return playbook(*rows, *(point(f"pat-{n}", text) for n, text in enumerate(more, start=500)))


@pytest.fixture
def db(tmp_path):
    connection = sqlite3.connect(tmp_path / "state.db", isolation_level=None)
    yield connection
    connection.close()


@pytest.fixture
def project(tmp_path):
    return str(tmp_path / "playbook.json")


def with_preferences(count, likes):
    return playbook(*(row for rows in large(count)["sections"].values() for row in rows), *likes)


def later(db, path, prompt, already=()):
    return for_prompt(db, path, None, prompt, budget=2000, already=already, first=False).ids


def test_what_fits_goes_in_whole_the_projects_before_the_users(db, tmp_path, snapshot):
    both = playbook(point("pat-001", "one", 3), point("mis-001", "two"))
    project = write(tmp_path / "p.json", both)
    user = write(tmp_path / "u.json", playbook(point("pref-9001", "three", 1)))

    chosen = for_prompt(db, project, user, "anything", budget=9000)

    assert chosen.text == snapshot
    assert chosen.project_ids == ("pat-001", "mis-001")
    assert chosen.user_ids == ("pref-9001",)
    assert chosen.ids == ("pat-001", "mis-001", "pref-9001")


def test_nothing_to_say_and_no_room_for_a_line_is_the_empty_text(db, tmp_path):
    empty, missing = write(tmp_path / "p.json", playbook()), str(tmp_path / "none.json")
    for places in ((empty, None), (None, None), (missing, missing)):
        for first in (True, False):
            assert for_prompt(db, *places, "docker", budget=9000, first=first).text == ""
    full = write(tmp_path / "full.json", large(100))
    assert for_prompt(db, full, None, "docker", budget=300) == select.Selection()
    assert for_prompt(db, full, None, "docker", budget=-5).text == ""


@pytest.mark.parametrize(("count", "budget"), [(60, 900), (60, 9000), (500, 2000), (5000, 9000)])
def test_of_many_a_dozen_at_most_goes_in_and_the_budget_is_not_filled(db, project, count, budget):
    write(Path(project), large(count))

    chosen = for_prompt(db, project, None, "the docker settings", budget=budget)

    lines = [line for line in chosen.text.splitlines() if line.startswith("[")]
    assert utf16_units(chosen.text) <= budget
    assert 0 < len(lines) == len(chosen.ids) <= 12
    assert all("docker" in line and line.endswith("it") for line in lines)
    assert list(chosen.ids) == sorted(chosen.ids, key=lambda name: int(name[4:]))


@pytest.mark.parametrize(
    "prompt", ["thanks!", "ok, go on", "The migration of the invoices fails", ""]
)
def test_preferences_go_in_always_the_newest_first_up_to_a_third_of_the_budget(db, project, prompt):
    likes = [point(f"pref-{n:03d}", f"Wish {n} " + "and so on " * 8) for n in range(1, 31)]
    write(Path(project), with_preferences(500, likes))

    chosen = for_prompt(db, project, None, prompt, budget=3000)

    kept = [name for name in chosen.ids if name.startswith("pref-")]
    assert kept == [f"pref-{n:03d}" for n in range(31 - len(kept), 31)]
    assert 700 < len(chosen.text) < 1600
    assert len(kept) > 5
    assert chosen.ids[-len(kept) :] == tuple(kept)
    assert later(db, project, prompt, already=chosen.ids) == ()


def test_a_small_playbook_goes_in_whole_unless_the_prompt_is_about_nothing(db, project):
    write(Path(project), playbook(point("pat-001", "Use redis"), point("pref-001", "Be brief")))
    assert for_prompt(db, project, None, "a new page", budget=9000).ids == ("pat-001", "pref-001")
    assert for_prompt(db, project, None, "fix it", budget=9000).ids == ("pat-001", "pref-001")
    assert for_prompt(db, project, None, "thanks!", budget=9000).ids == ("pref-001",)


A_LOG = "fix terraform " + "word " * 600 + "docker redis " * 50_000 + "word " * 600


@pytest.mark.parametrize("prompt", ["Please fix the Terraform setup", A_LOG])
def test_what_the_prompt_is_about_comes_first_and_a_log_in_it_has_no_say(db, project, prompt):
    write(Path(project), large(400))
    chosen = for_prompt(db, project, None, prompt, budget=3000)
    lines = [line for line in chosen.text.splitlines() if line.startswith("[")]
    assert sum("terraform" in line for line in lines) > len(lines) * 0.9


class WithoutFts5(sqlite3.Connection):
    """A real connection whose SQLite was built without FTS5."""

    def execute(self, sql, *parameters):
        if "USING fts5" in sql:
            raise sqlite3.OperationalError("no such module: fts5")
        return super().execute(sql, *parameters)


def test_without_full_text_search_the_preferences_go_in(project):
    write(Path(project), with_preferences(300, [point("pref-001", "Be brief")]))
    connection = sqlite3.connect(":memory:", isolation_level=None, factory=WithoutFts5)
    assert for_prompt(connection, project, None, "docker", budget=3000).ids == ("pref-001",)
    connection.close()


def test_a_small_playbook_of_the_users_stands_beside_a_large_one_of_the_projects(db, tmp_path):
    own = playbook(*(point(f"pat-{n}", f"Wash the {n}th dish") for n in range(9001, 9006)))
    user = write(tmp_path / "u.json", own)
    crowd = write(tmp_path / "large.json", large(500))

    chosen = for_prompt(db, crowd, user, "docker", budget=9000)

    assert len(chosen.project_ids) == 12
    assert len(chosen.user_ids) == 5
    assert chosen.text.index(f"[{chosen.project_ids[-1]}]") < chosen.text.index("[pat-9001]")
    assert len(for_prompt(db, crowd, user, "docker", budget=1500).user_ids) == 5


def test_later_prompts_get_only_what_is_newly_relevant(db, project, snapshot):
    write(Path(project), large(420))
    first = for_prompt(db, project, None, "docker", budget=2000)

    def then(prompt):
        return for_prompt(db, project, None, prompt, budget=2000, already=first.ids, first=False)

    about = then("now the poetry settings number 27")
    assert "pat-028" in about.ids
    assert set(about.ids).isdisjoint(first.ids)
    assert len(about.ids) <= 8
    assert utf16_units(about.text) <= 2000
    assert about.text.splitlines()[0] == snapshot
    assert then("thanks, that looks good").text == ""


ONCE = ["Add new secret fields to REDACT_KEYS", "A replay fails twice before it works", "Never set reducedMotion for each page", "The lavender theme is frozen"]  # fmt: skip


@pytest.mark.parametrize(
    ("texts", "prompt", "called"),
    [
        # A word of any prompt calls for nothing, however few key points hold it.
        (ONCE, "now fix the header: it fails again", ()),
        (ONCE, "add a new test, and set it up for each of them", ()),
        (ONCE, "fix the lavender header", ("pat-503",)),
        (ONCE, "add redact_keys", ("pat-500",)),
        # A word calls for the longer ones that begin with it; three letters begin too much.
        (["Copy the lock file first in the Vagrantfile"], "why is the vagrant build slow", ("pat-500",)),
        (["Rechnungsnummern haben keine Lücken"], "mach das Datum in der Rechnung deutsch", ("pat-500",)),
        (["Las facturas no se borran nunca"], "guarda la factura", ("pat-500",)),
        (["Keep the categories short"], "run the cat fixture", ()),
        (["Postpone the posters"], "the post office", ()),
        # A Latin name is found where no space parts it from another script.
        (["The Android app is built with Gradle"], "Gradleのビルドが失敗する", ("pat-500",)),
        (["Gradleのビルドはキャッシュを消してから"], "the gradle build fails", ("pat-500",)),
        (["HTTPServerを閉じる"], "where is the server closed", ("pat-500",)),
        (["Gradle이 느리면 데몬을 다시 시작한다"], "gradle daemon", ("pat-500",)),
        (["Gradleのビルドはキャッシュを消してから"], "grade the essays", ()),
        (["データベースの移行は夜間に行う"], "データベースを移行して", ("pat-500",)),
    ],
)  # fmt: skip
def test_a_later_prompt_calls_for_what_shares_its_subject(db, project, texts, prompt, called):
    write(Path(project), large(420, *texts))
    assert later(db, project, prompt) == called


def test_what_the_session_has_is_not_given_again(db, project):
    rows = point("pat-001", "Pin the docker image"), point("pat-002", "Use redis")
    write(Path(project), playbook(*rows))

    prompt, already = "build the docker image", {"pat-001"}
    assert later(db, project, prompt, already) == ()
    first = for_prompt(db, project, None, prompt, budget=9000, already=already)
    assert first.ids == ("pat-002",)


def test_a_few_for_a_later_prompt_are_a_few_of_both_playbooks_together(db, tmp_path):
    about = [f"Pin the docker image of service {n}" for n in range(1, 7)]
    project = write(tmp_path / "p.json", large(420, *about))
    user = write(tmp_path / "u.json", large(420, *about, start=9100))
    prompt = "pin the docker image of each service"
    chosen = for_prompt(db, project, user, prompt, budget=9000, first=False)
    assert len(chosen.project_ids) == 6
    assert len(chosen.user_ids) == 2


def test_a_changed_file_is_read_again_and_an_unchanged_one_is_not(db, project, monkeypatch):
    write(Path(project), playbook(point("pat-001", "one")))
    for_prompt(db, project, None, "", budget=9000)

    monkeypatch.setattr(index, "_read", None)  # any reading would fail
    assert for_prompt(db, project, None, "", budget=9000).ids == ("pat-001",)
    monkeypatch.undo()

    write(Path(project), playbook(point("pat-001", "one"), point("pat-002", "two")))
    assert for_prompt(db, project, None, "", budget=9000).ids == ("pat-001", "pat-002")
    os.unlink(project)
    assert for_prompt(db, project, None, "", budget=9000).text == ""


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[]", b'{"name": "app"}', b'{"sections": 3}', None])  # fmt: skip
def test_an_unreadable_playbook_is_left_alone_named_and_not_waited_for(db, tmp_path, content):
    project = tmp_path / "p.json"
    project.write_bytes(content) if content is not None else os.mkfifo(project)
    user = write(tmp_path / "u.json", playbook(point("pref-9001")))

    chosen = for_prompt(db, str(project), user, "docker", budget=9000)

    assert chosen.user_ids == ("pref-9001",)
    assert str(project) in select.indexes(db, str(project), user)["project"].problem
    assert content is None or project.read_bytes() == content
    assert sorted(os.listdir(tmp_path)) == ["p.json", "state.db", "u.json"]


def test_any_form_is_understood_and_what_stands_in_both_is_injected_once(db, tmp_path):
    flat = {"key_points": ["one", {"name": "mine", "text": "two", "score": 2}]}
    project = write(tmp_path / "p.json", flat)
    user = write(tmp_path / "u.json", playbook(point("pat-001", "three"), point("mine", "user's")))
    chosen = for_prompt(db, project, user, "", budget=9000)
    assert chosen.ids == ("kpt_001", "mine", "pat-9001")
    assert "[mine] helpful=2 harmful=0 :: two" in chosen.text
    assert for_prompt(db, user, user, "", budget=9000).ids == ("pat-9001", "mine")


@pytest.mark.parametrize("why", ["read-only", "locked"])
def test_a_database_that_cannot_be_written_costs_time_and_no_key_point(tmp_path, project, why):
    write(Path(project), large(300))
    other = sqlite3.connect(tmp_path / "state.db", isolation_level=None)
    if why == "locked":
        other.execute("BEGIN EXCLUSIVE")
    address = f"file:{tmp_path}/state.db?mode={'ro' if why == 'read-only' else 'rw'}"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=0.05)

    assert len(for_prompt(connection, project, None, "docker", budget=3000).ids) > 10
    for one in (connection, other):
        one.close()


def test_an_index_of_another_form_is_made_anew_and_old_ones_go(db, tmp_path, monkeypatch):
    db.execute("CREATE TABLE playbook_files (id INTEGER PRIMARY KEY, path TEXT)")
    db.execute("CREATE TABLE playbook_points (file INTEGER, older TEXT)")
    db.execute("CREATE VIRTUAL TABLE playbook_words_1 USING fts5(other)")
    monkeypatch.setattr(index, "_FORGET_AFTER_FILES", 4)
    for number in range(6):
        path = write(tmp_path / f"{number}.json", playbook(point("pat-001")))
        assert for_prompt(db, path, None, "", budget=9000).ids == ("pat-001",)
    fts = "SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%USING fts5%'"
    assert db.execute("SELECT count(DISTINCT file) FROM playbook_points").fetchone() == (4,)
    assert db.execute(fts).fetchone() == (4,)


@settings(max_examples=40)
@given(st.text(max_size=300), st.integers(-10, 3000), st.booleans(), st.sets(st.sampled_from([f"pat-{n:03d}" for n in range(1, 40)])))  # fmt: skip
def test_any_prompt_is_answered_within_any_budget(tmp_path_factory, prompt, budget, first, already):
    path = write(tmp_path_factory.mktemp("p") / "p.json", large(40))
    connection = sqlite3.connect(":memory:", isolation_level=None)
    chosen = for_prompt(connection, path, None, prompt, budget=budget, already=already, first=first)
    assert not chosen.text or utf16_units(chosen.text) <= budget
    assert set(chosen.ids).isdisjoint(already)
    connection.close()
