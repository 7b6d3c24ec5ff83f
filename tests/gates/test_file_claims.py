"""Files that an answer says were made or changed, against what the session did."""

import pytest

from ace_reflect.gates.file_claims import listed_in, made_in
from ace_reflect.gates.model import State
from support.work import Work, checkout


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("I created `docs/webhooks.md` with the header.", "docs/webhooks.md"),
        ("The summary was written to `notes/findings.md`.", "notes/findings.md"),
        ("Saved the report to reports/q3.md.", "reports/q3.md"),
        ("Wrote a short guide called `GUIDE.md`.", "GUIDE.md"),
        ("`docs/setup.md` has been created.", "docs/setup.md"),
        ("New file: `src/retry.ts`", "src/retry.ts"),
        ("Created **src/components/Logo.tsx**.", "src/components/Logo.tsx"),
    ],
)
def test_sentences_that_say_a_file_was_made(said: str, path: str) -> None:
    assert [claim.path for claim in made_in(said)] == [path]


@pytest.mark.parametrize(
    "said",
    [
        "I created a TODO app using Next.js.",
        "Generated the client from `openapi.yaml`.",
        "I wrote tests for `hooks.py`.",
        "The fields are correctly written to `metadata.json`.",
        "I created the `Branch` type used by `a.go`.",
        "The file must be written to `out.md`.",
        "It reads what was saved by `gen.py`.",
        "I created `*.test.ts` files for both.",
        "I wrote `<name>.md` files for each.",
        "Saved to `$OUT/x.md`.",
    ],
)
def test_sentences_that_say_something_else(said: str) -> None:
    assert list(made_in(said)) == []


LISTED = """The retry is in.

- `src/retry.py`: added the back-off
- `tests/test_retry.py` — Added two tests
- **docs/retry.md** — Added a section on limits

All tests pass."""


def test_a_list_of_changes_is_read_with_its_files() -> None:
    wrapped = LISTED.replace("added the back-off", "added the back-off,\n  which doubles each time\n\t(up to a minute)")

    for text in (LISTED, wrapped):
        (items,) = listed_in(text)
        assert [item.path for item in items] == ["src/retry.py", "tests/test_retry.py", "docs/retry.md"]


def work(prompt: str = "Add a retry with back-off") -> Work:
    return Work(prompt).edit("src/retry.py").edit("tests/test_retry.py").run("pytest -q")


def test_a_listed_file_that_nothing_touched_is_a_contradiction() -> None:
    judgement = work().say(LISTED).judge(checkout())

    finding = next(f for f in judgement.findings if f.gate == "claims")
    assert (finding.state, judgement.verdict.decision) == (State.DISPROVEN, "block")
    assert "`docs/retry.md` as made or changed, and nothing in this session touched it" in finding.reason
    assert "show it with `ls -l docs/retry.md`" in judgement.verdict.feedback


def test_a_file_that_is_said_to_be_written_and_was_not() -> None:
    judgement = Work("Investigate the leak").read(3).edit("a.py").say("I wrote the findings to `docs/leak.md`.").judge()

    assert judgement.verdict.decision == "block"


def test_what_the_person_named_and_the_list_tells_in_the_present_tense() -> None:
    text = LISTED.replace("Added a section on", "describes the").replace("added the", "holds the")
    asked = work("Add a retry. Describe it in docs/retry.md as well").say(text)
    unasked = work().say(text)
    only_named = work("Why is docs/retry.md so short, and what does src/retry.py do?").say(text)

    assert asked.gate("claims", checkout()).state is State.DISPROVEN
    assert only_named.gate("claims", checkout()).state is not State.DISPROVEN
    assert unasked.gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    "done",
    [
        work().edit("docs/retry.md").say(LISTED),
        work().call("cp template.md docs/retry.md").say(LISTED),
        work().call("python scripts/docs.py").say(LISTED),
        work().call("git pull").say(LISTED),
        work().call("ls -l docs/retry.md").say(LISTED),
        work().say(LISTED.replace("Added a section on limits", "unchanged, the limits stand there already")),
        work().say(LISTED.replace("Added a section on limits", "should get a section on limits")),
        work().say(LISTED.replace("The retry is in.", "Files to review:")),
        work().edit("/home/dev/project/*", kind="other").say(LISTED),
        work()
        .edit("/home/dev/project/*", kind="other", formatter=True)
        .say(LISTED.replace("Added a section on limits", "Formatted")),
        work().say(LISTED.replace("docs/retry.md", "package.json")),
        Work("What changed in the last commit?").call("git show").say(LISTED),
        Work("What did the last release bring?").read(2).say(LISTED),
        Work("Fix the pager")
        .edit("src/pager.py")
        .run("pytest -q")
        .say(LISTED.replace("The retry is in.", "On main is:")),
    ],
)
def test_claims_that_may_be_true_stand(done: Work) -> None:
    assert done.gate("claims", checkout()).state is not State.DISPROVEN


def test_what_subagents_may_have_written_stands() -> None:
    done = work().say(LISTED)
    done.top["subagents"] = 1

    assert done.gate("claims", checkout()).state is not State.DISPROVEN


def test_a_dunder_file_is_the_same_in_the_answer_and_in_the_edit() -> None:
    done = work().edit("src/__init__.py").say("I created `src/__init__.py` for the package.")

    assert done.gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    ("said", "paths"),
    [
        ("I added a regression test in `tests/test_discount.py`.", ["tests/test_discount.py"]),
        ("Added a section on limits to `docs/limits.md`.", ["docs/limits.md"]),
        ("Added `Decimal` handling to match `pricing.py`.", []),
        ("The fields are added to `metadata.json`.", []),
    ],
)
def test_what_was_added_to_a_file_made_or_changed_it(said: str, paths: list[str]) -> None:
    assert [claim.path for claim in made_in(said)] == paths


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("touch docs/{api,web}.md", "Created `docs/api.md` and `docs/web.md`."),
        ("mkdir -p src && touch src/{a,b}.ts", "I created `src/a.ts`."),
        ("go test ./... -update", "I updated `testdata/expr.txt`, the golden file."),
        ("ruff check --select UP --fix .", "I've rewritten `app/models.py` to the new syntax."),
        ("cargo build", "Generated `src/bindings.rs` by running the build script."),
        ("npm ci", "Generated `src/client.ts` by running the install."),
        ("git diff --stat main...HEAD", "Added `src/retry.ts` with a back-off."),
        ("gh pr diff 9", "Added `src/retry.ts`; wrote `docs/retry.md`."),
    ],
)
def test_what_a_tool_or_somebody_else_may_have_made_contradicts_nothing(command: str, answer: str) -> None:
    assert Work("Set it up").call(command).say(answer).gate("claims").state is not State.DISPROVEN


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("touch docs/{api,web}.md", "Created `docs/cli.md`."),
        ("go test ./...", "I updated `testdata/expr.txt`, the golden file."),
        ("ruff check --select UP .", "I've rewritten `app/models.py` to the new syntax."),
        ("cargo build", "I created `src/bindings.rs`."),
        ("cargo test", "I generated `src/bindings.rs`."),
        ("git diff --stat main...HEAD", "I added `src/retry.ts` with a back-off."),
    ],
)
def test_what_they_cannot_have_made_is_contradicted(command: str, answer: str) -> None:
    assert Work("Set it up").edit("a.py").call(command).say(answer).gate("claims").state is State.DISPROVEN


@pytest.mark.parametrize(
    ("said", "paths"),
    [
        ("I created docs/config.md and docs/env.md with all settings.", ["docs/config.md", "docs/env.md"]),
        ("Created `a.md`, **b.md**, and `c.md`.", ["a.md", "b.md", "c.md"]),
        ("Wrote the guide to `a.md` & `b.md` (German)", ["a.md", "b.md"]),
        ("I created `a.md`, `b.md` links to it.", ["a.md"]),
        ("I created `a.md` and `b.py` reads it.", ["a.md"]),
        ("I created `a.md` from `b.md`.", ["a.md"]),
        ("I created `a.md` and left `b.md` alone.", ["a.md"]),
        ("I created `a.md`, and it uses Node.js.", ["a.md"]),
    ],
)
def test_several_files_behind_one_verb_are_each_said_to_be_made(said: str, paths: list[str]) -> None:
    assert [claim.path for claim in made_in(said)] == paths


def test_the_second_of_two_files_that_nothing_touched_is_a_contradiction() -> None:
    done = Work("Document it").edit("docs/a.md").say("I created `docs/a.md` and `docs/env.md`.")
    both = Work("Document it").edit("docs/a.md").edit("docs/env.md").say("I created `docs/a.md` and `docs/env.md`.")

    assert done.gate("claims", checkout()).state is State.DISPROVEN
    assert both.gate("claims", checkout()).state is State.PROVEN
