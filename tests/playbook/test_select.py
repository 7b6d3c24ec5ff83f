import json
import os
import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.playbook import index, select
from ace_reflect.playbook.model import track_record
from ace_reflect.playbook.render import utf16_units
from ace_reflect.playbook.select import for_prompt
from support.playbooks import playbook, point

SUBJECTS = [
    "docker",
    "kubernetes",
    "postgres",
    "redis",
    "react",
    "django",
    "flask",
    "celery",
    "terraform",
    "ansible",
    "webpack",
    "eslint",
    "mypy",
    "poetry",
]


def write(path: Path, book: object) -> str:
    path.write_text(json.dumps(book))
    return str(path)


def large(count: int, slug: str = "pat", start: int = 1) -> dict[str, object]:
    """Key points about one of many subjects each, with words that all of them share."""
    dice = random.Random(count)
    texts = (
        f"Always check the {SUBJECTS[n % len(SUBJECTS)]} settings number {n} "
        + "and think about it " * dice.randint(1, 4)
        for n in range(count)
    )
    return playbook(
        *(point(f"{slug}-{n:03d}", text, n % 4, n % 3) for n, text in enumerate(texts, start=start))
    )


@pytest.fixture
def db(tmp_path):
    connection = sqlite3.connect(tmp_path / "state.db", isolation_level=None)
    yield connection
    connection.close()


@pytest.fixture
def project(tmp_path):
    return str(tmp_path / "playbook.json")


def test_what_fits_goes_in_whole_the_projects_before_the_users(db, tmp_path, snapshot):
    project = write(
        tmp_path / "p.json", playbook(point("pat-001", "one", 3), point("mis-001", "two"))
    )
    user = write(tmp_path / "u.json", playbook(point("pref-9001", "three", 1)))

    chosen = for_prompt(db, project, user, "anything", budget=9000)

    assert chosen.text == snapshot
    assert chosen.project_ids == ("pat-001", "mis-001")
    assert chosen.user_ids == ("pref-9001",)
    assert chosen.ids == ("pat-001", "mis-001", "pref-9001")
    assert chosen.left_out == 0


@pytest.mark.parametrize("prompt", ["", "docker"])
def test_nothing_to_say_is_the_empty_text(db, tmp_path, prompt):
    empty = write(tmp_path / "p.json", playbook())

    for first in (True, False):
        assert for_prompt(db, empty, None, prompt, budget=9000, first=first).text == ""
        assert for_prompt(db, None, None, prompt, budget=9000, first=first).text == ""
        assert (
            for_prompt(
                db,
                str(tmp_path / "none.json"),
                str(tmp_path / "no"),
                prompt,
                budget=9000,
                first=first,
            ).text
            == ""
        )


@pytest.mark.parametrize("count", [60, 500, 5000])
@pytest.mark.parametrize("budget", [600, 2000, 9000])
def test_above_the_budget_whole_lines_go_in_and_the_text_says_how_many_did_not(
    db, project, count, budget
):
    book = large(count)
    write(Path(project), book)

    chosen = for_prompt(db, project, None, "the docker settings", budget=budget)

    lines = [line for line in chosen.text.splitlines() if line.startswith("[")]
    assert utf16_units(chosen.text) <= budget
    assert len(lines) == len(chosen.ids)
    assert chosen.left_out == count - len(chosen.ids)
    assert all(line.endswith("it") for line in lines)
    if chosen.ids and chosen.left_out:
        assert (
            f"({chosen.left_out} more key points were left out to save room; `ace-reflect playbook list` shows all of them.)"
            in chosen.text
        )
        assert utf16_units(chosen.text) > budget - 250
        assert list(chosen.ids) == sorted(chosen.ids, key=lambda name: int(name[4:]))


def test_a_budget_that_holds_no_line_gives_nothing(db, project):
    write(Path(project), large(100))

    assert for_prompt(db, project, None, "docker", budget=300) == select.Selection(left_out=100)
    assert for_prompt(db, project, None, "docker", budget=-5).text == ""


def test_what_the_prompt_is_about_comes_before_the_rest(db, project):
    write(Path(project), large(400))

    chosen = for_prompt(db, project, None, "Please fix the Terraform setup", budget=3000)

    lines = [line for line in chosen.text.splitlines() if line.startswith("[")]
    assert sum("terraform" in line for line in lines) > len(lines) * 0.9


@pytest.mark.parametrize(
    "prompt", ["", "the and of it", "🎉", "\x00\ud800", '"unbalanced AND (NEAR', "zzz qqq"]
)
def test_without_telling_words_the_track_record_decides(db, project, prompt):
    points = [
        point(f"pat-{n:03d}", f"note {n} " + "x" * 80, *((9, 0) if n % 50 == 0 else (0, 2)))
        for n in range(1, 301)
    ]
    write(Path(project), playbook(*points))

    chosen = for_prompt(db, project, None, prompt, budget=1300)

    assert set(chosen.ids) >= {"pat-050", "pat-100", "pat-150", "pat-200", "pat-250", "pat-300"}


def test_the_users_key_points_get_what_the_project_leaves_over(db, tmp_path):
    user = write(tmp_path / "u.json", large(50, start=9001))

    alone = for_prompt(db, write(tmp_path / "small.json", large(10)), user, "docker", budget=4000)
    crowded = for_prompt(
        db, write(tmp_path / "large.json", large(500)), user, "docker", budget=4000
    )

    assert len(alone.project_ids) == 10
    assert len(alone.user_ids) > 5
    assert alone.text.index("[pat-010]") < alone.text.index(f"[{alone.user_ids[0]}]")
    assert len(crowded.project_ids) > 15
    assert len(crowded.user_ids) < 3


def test_later_prompts_get_only_what_is_newly_relevant(db, project, snapshot):
    write(Path(project), large(420))
    first = for_prompt(db, project, None, "docker", budget=2000)

    later = for_prompt(
        db,
        project,
        None,
        "now the poetry settings number 27",
        budget=2000,
        already=first.ids,
        first=False,
    )
    unrelated = for_prompt(
        db, project, None, "thanks, that looks good", budget=2000, already=first.ids, first=False
    )

    assert "pat-028" in later.ids
    assert set(later.ids).isdisjoint(first.ids)
    assert len(later.ids) <= 8
    assert utf16_units(later.text) <= 2000
    assert later.text.splitlines()[0] == snapshot
    assert unrelated.text == ""


ONCE = [
    "Add new secret fields to REDACT_KEYS",
    "A replay fails twice before it works",
    "Never set reducedMotion for each page",
    "The lavender theme is frozen",
]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("now fix the header: it fails again", ()),
        ("add a new test, and set it up for each of them", ()),
        ("ok, update it and create another", ()),
        ("fix the lavender header", ("pat-503",)),
        ("add redact_keys", ("pat-500",)),
    ],
)
def test_a_word_of_any_prompt_calls_for_nothing_however_few_key_points_hold_it(
    db, project, prompt, expected
):
    book = large(420)
    rows = book["sections"]["PATTERNS & APPROACHES"]
    rows += [point(f"pat-{number}", text) for number, text in enumerate(ONCE, start=500)]
    write(Path(project), book)

    assert for_prompt(db, project, None, prompt, budget=2000, first=False).ids == expected


def test_in_a_small_playbook_one_shared_word_calls_for_nothing_on_a_later_prompt_and_two_do(
    db, project
):
    write(
        Path(project),
        playbook(point("pat-001", "Pin the docker image"), point("pat-002", "Use redis")),
    )

    def later(prompt):
        return for_prompt(db, project, None, prompt, budget=9000, first=False).ids

    assert later("build the docker thing") == ()
    assert later("build the docker image") == ("pat-001",)


def test_a_few_for_a_later_prompt_are_a_few_of_both_playbooks_together(db, tmp_path):
    about = [point(f"pat-{n:03d}", f"Pin the docker image of service {n}") for n in range(1, 7)]
    project = write(
        tmp_path / "p.json",
        playbook(*large(420, start=100)["sections"]["PATTERNS & APPROACHES"], *about),
    )
    users = ({**row, "name": f"pat-9{row['name'][4:]}"} for row in about)
    user = write(
        tmp_path / "u.json",
        playbook(*large(420, start=9100)["sections"]["PATTERNS & APPROACHES"], *users),
    )

    chosen = for_prompt(
        db, project, user, "pin the docker image of each service", budget=9000, first=False
    )

    assert len(chosen.project_ids) == 6
    assert len(chosen.user_ids) == 2


@pytest.mark.parametrize(
    ("text", "prompt", "called"),
    [
        ("Copy the lock file first in the Vagrantfile", "why is the vagrant build slow", True),
        ("Rechnungsnummern haben keine Lücken", "mach das Datum in der Rechnung deutsch", True),
        ("Las facturas no se borran nunca", "guarda la factura", True),
        ("Formularze mają testy", "napraw formularz", True),
        ("Keep the categories short", "run the cat fixture", False),  # three letters begin too much
        ("Postpone the posters", "the post office", False),
    ],
)
def test_a_word_calls_for_the_longer_ones_that_begin_with_it(db, project, text, prompt, called):
    book = large(420)
    book["sections"]["PATTERNS & APPROACHES"].append(point("pat-500", text))
    write(Path(project), book)

    assert (
        "pat-500" in for_prompt(db, project, None, prompt, budget=2000, first=False).ids
    ) is called


@pytest.mark.parametrize(
    ("text", "prompt", "called"),
    [
        ("The Android app is built with Gradle", "Gradleのビルドが失敗する", True),
        ("Gradleのビルドはキャッシュを消してから", "the gradle build fails", True),
        ("用pnpm安装依赖", "pnpm install fails", True),
        ("HTTPServerを閉じる", "where is the server closed", True),
        ("Gradle이 느리면 데몬을 다시 시작한다", "gradle daemon", True),
        ("Gradleのビルドはキャッシュを消してから", "grade the essays", False),
        ("ログは消さない", "the gradle build fails", False),
    ],
)
def test_a_latin_name_is_found_where_no_space_parts_it_from_another_script(
    db, project, text, prompt, called
):
    book = large(420)
    book["sections"]["PATTERNS & APPROACHES"].append(point("pat-500", text))
    write(Path(project), book)

    assert (
        "pat-500" in for_prompt(db, project, None, prompt, budget=2000, first=False).ids
    ) is called


def test_what_the_session_has_is_not_injected_again(db, project):
    write(
        Path(project),
        playbook(point("pat-001", "docker compose"), point("pat-002", "docker swarm")),
    )

    assert (
        for_prompt(
            db,
            project,
            None,
            "docker compose swarm",
            budget=9000,
            already={"pat-001", "pat-002"},
            first=False,
        ).text
        == ""
    )
    assert for_prompt(
        db, project, None, "docker", budget=9000, already={"pat-001"}, first=True
    ).ids == ("pat-002",)


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


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff", b"[]", b'{"version": "9.0"}', b'{"sections": 3}']
)
def test_a_playbook_that_cannot_be_read_is_left_alone_and_named(db, tmp_path, content):
    project = tmp_path / "p.json"
    project.write_bytes(content)
    user = write(tmp_path / "u.json", playbook(point("pref-9001")))

    chosen = for_prompt(db, str(project), user, "x", budget=9000)

    assert chosen.user_ids == ("pref-9001",)
    assert len(chosen.problems) == 1
    assert str(project) in chosen.problems[0]
    assert project.read_bytes() == content
    assert sorted(os.listdir(tmp_path)) == ["p.json", "state.db", "u.json"]


def test_a_pipe_in_place_of_a_playbook_is_never_waited_for(db, tmp_path):
    os.mkfifo(tmp_path / "p.json")

    assert "pipe" in for_prompt(db, str(tmp_path / "p.json"), None, "x", budget=9000).problems[0]


def test_a_flat_playbook_and_the_users_small_numbers_are_understood(db, tmp_path):
    project = write(tmp_path / "p.json", {"key_points": ["one", {"text": "two", "score": 2}]})
    user = write(tmp_path / "u.json", playbook(point("pat-001", "three")))

    chosen = for_prompt(db, project, user, "", budget=9000)

    assert chosen.ids == ("kpt_001", "kpt_002", "pat-9001")
    assert "[kpt_002] helpful=2 harmful=0 :: two" in chosen.text


def test_an_id_that_stands_in_both_is_injected_once(db, tmp_path):
    project = write(tmp_path / "p.json", {"sections": {"OTHERS": [point("mine", "project's")]}})
    user = write(
        tmp_path / "u.json",
        {"sections": {"OTHERS": [point("mine", "user's"), point("oth-9001", "x")]}},
    )

    chosen = for_prompt(db, project, user, "", budget=9000)

    assert chosen.ids == ("mine", "oth-9001")
    assert "user's" not in chosen.text.split("{")[0].split("[mine]")[1]


def test_one_file_in_both_roles_is_injected_once(db, tmp_path):
    path = write(tmp_path / "p.json", playbook(point("pat-9001")))

    assert for_prompt(db, path, path, "", budget=9000).ids == ("pat-9001",)


def test_a_database_that_cannot_be_written_costs_time_and_no_key_point(tmp_path, project):
    write(Path(project), large(300))
    sqlite3.connect(tmp_path / "state.db").close()
    (tmp_path / "state.db").write_bytes(b"")
    connection = sqlite3.connect(
        f"file:{tmp_path}/state.db?mode=ro", uri=True, isolation_level=None
    )

    assert len(for_prompt(connection, project, None, "docker", budget=3000).ids) > 10
    connection.close()


def test_a_locked_database_costs_time_and_no_key_point(db, tmp_path, project):
    write(Path(project), playbook(point("pat-001")))
    other = sqlite3.connect(tmp_path / "state.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    impatient = sqlite3.connect(tmp_path / "state.db", isolation_level=None, timeout=0.05)

    assert for_prompt(impatient, project, None, "", budget=9000).ids == ("pat-001",)
    for connection in (impatient, other):
        connection.close()


def test_an_index_inside_the_callers_transaction_is_part_of_it(db, project):
    write(Path(project), playbook(point("pat-001")))
    db.execute("BEGIN IMMEDIATE")

    assert for_prompt(db, project, None, "", budget=9000).ids == ("pat-001",)

    assert db.in_transaction
    db.execute("COMMIT")
    assert for_prompt(db, project, None, "", budget=9000).ids == ("pat-001",)


class WithoutFts5(sqlite3.Connection):
    """A real connection whose SQLite was built without FTS5."""

    def execute(self, sql, *parameters):
        if "USING fts5" in sql:
            raise sqlite3.OperationalError("no such module: fts5")
        return super().execute(sql, *parameters)


def test_without_fts5_words_are_compared_plainly(tmp_path, project):
    write(Path(project), large(400))
    connection = sqlite3.connect(tmp_path / "state.db", isolation_level=None, factory=WithoutFts5)

    chosen = for_prompt(connection, project, None, "the Terraform setup", budget=3000)
    later = for_prompt(
        connection,
        project,
        None,
        "now poetry settings number 27",
        budget=3000,
        already=chosen.ids,
        first=False,
    )

    lines = [line for line in chosen.text.splitlines() if line.startswith("[")]
    assert sum("terraform" in line for line in lines) > len(lines) * 0.9
    assert later.text == "" or "poetry" in later.text
    connection.close()


def test_many_playbooks_do_not_fill_the_database(db, tmp_path):
    for number in range(70):
        for_prompt(
            db,
            write(tmp_path / f"{number}.json", playbook(point("pat-001"))),
            None,
            "",
            budget=9000,
        )

    assert db.execute("SELECT count(*) FROM playbook_files").fetchone() == (64,)
    for table in ("playbook_points", "playbook_lines"):
        assert db.execute(f"SELECT count(DISTINCT file) FROM {table}").fetchone() == (64,)
    assert db.execute(
        "SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%USING fts5%'"
    ).fetchone() == (64,)


def test_an_index_of_another_form_is_made_anew(db, project):
    write(Path(project), playbook(point("pat-001")))
    db.execute("CREATE TABLE playbook_files (id INTEGER PRIMARY KEY, path TEXT)")
    db.execute("CREATE TABLE playbook_points (file INTEGER, older TEXT)")
    db.execute("CREATE VIRTUAL TABLE playbook_words_1 USING fts5(other)")

    assert for_prompt(db, project, None, "", budget=9000).ids == ("pat-001",)

    assert db.execute("SELECT count(*) FROM playbook_points").fetchone() == (1,)


def test_hooks_that_index_at_once_all_get_their_key_points(tmp_path, project):
    write(Path(project), large(800))
    # A change of the journal's mode does not wait for others: with the real state it has long happened.
    sqlite3.connect(tmp_path / "state.db").execute("PRAGMA journal_mode=WAL").connection.close()
    script = (
        "import sqlite3, sys; from ace_reflect.playbook.select import for_prompt;"
        "c = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=10);"
        "print(len(for_prompt(c, sys.argv[2], None, 'docker', budget=3000).ids))"
    )
    hooks = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path / "state.db"), project],
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]

    answers = [hook.communicate(timeout=60)[0] for hook in hooks]

    assert len(set(answers)) == 1
    assert int(answers[0]) > 10


def test_a_prompt_with_a_fresh_index_imports_nothing_heavy(tmp_path, project):
    write(Path(project), large(500))
    script = (
        "import sqlite3, sys; from ace_reflect.playbook.select import for_prompt;"
        "c = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "print(len(for_prompt(c, sys.argv[2], None, 'docker settings', budget=3000).text));"
        "print(*sorted({'json', 'dataclasses', 'inspect', 'pathlib', 'logging', 'unicodedata', 'copy'} & set(sys.modules)))"
    )
    arguments = [sys.executable, "-I", "-c", script, str(tmp_path / "state.db"), project]
    subprocess.run(arguments, check=True, capture_output=True)

    second = subprocess.run(arguments, check=True, capture_output=True, text=True)

    units, heavy = second.stdout.split("\n")[:2]
    assert int(units) > 2000
    assert heavy == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("run the tests", "run the tests"),
        ("src/app_views.py:12 (foo.bar)", "src app views py 12 foo bar"),
        ("runTests HTTPServer", "runTests run Tests HTTPServer HTTP Server"),
        ("Word WORD", "Word WORD"),
        ("日本語で", "日本語で 日本 本語 語で"),
        ("naïve café", "naïve café"),
    ],
)
def test_both_sides_of_a_search_see_the_same_words(text, expected):
    assert index.searchable_text(text) == expected


def test_scripts_without_spaces_are_found(db, project):
    points = [point(f"pat-{n:03d}", f"設定{n}番を確認 " + "x" * 60) for n in range(1, 200)]
    write(Path(project), playbook(*points, point("ctx-001", "データベースの移行は夜間に行う")))

    assert "ctx-001" in for_prompt(db, project, None, "データベースを移行して", budget=1200).ids


def test_a_pasted_log_in_the_middle_of_a_prompt_has_no_say(db, project):
    write(Path(project), large(400))
    prompt = "fix terraform " + "docker redis " * 50_000 + " terraform please"

    chosen = for_prompt(db, project, None, prompt, budget=2000)

    assert "terraform" in chosen.text


def test_a_proven_key_point_is_above_an_untried_one_and_that_above_a_harmful_one():
    order = [track_record(*votes) for votes in ((20, 0), (3, 0), (1, 0), (0, 0), (0, 1), (0, 9))]

    assert order == sorted(order, reverse=True)
    assert all(0 <= value <= 1 for value in order)


@given(
    st.text(max_size=300),
    st.integers(-10, 3000),
    st.booleans(),
    st.sets(st.sampled_from([f"pat-{n:03d}" for n in range(1, 40)])),
)
def test_any_prompt_and_budget_are_answered_within_the_budget(
    tmp_path_factory, prompt, budget, first, already
):
    path = write(tmp_path_factory.mktemp("p") / "p.json", large(40))
    connection = sqlite3.connect(":memory:", isolation_level=None)

    chosen = for_prompt(connection, path, None, prompt, budget=budget, already=already, first=first)

    assert not chosen.text or utf16_units(chosen.text) <= budget
    assert set(chosen.ids).isdisjoint(already)
    connection.close()
