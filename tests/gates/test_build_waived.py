"""Where the tests are waived no build is asked for instead, unless the words speak of the build."""

import pytest

from ace_reflect.gates.model import State
from ace_reflect.gates.words import read_words
from support.work import Work, checkout, node_scope


def build(text: str) -> State:
    return Work(text).edit("src/a.ts").say("Done.").gate("build", checkout(node_scope(build=True))).state


def waived(text: str) -> set[str]:
    return {waiver.gate for waiver in read_words(text).waivers}


@pytest.mark.parametrize(
    "text",
    [
        "make the header sticky, no tests needed, I'll look at it in the browser",
        "rename it. don't run the tests, i'll do it",
        "Mach den Button größer. Tests brauchst du nicht laufen lassen, ich schau mir das selbst im Browser an.",
        "Ändere die Farbe, ich probier das gleich selbst aus",
        "Benenne Foo in Bar um, Tests mache ich selbst",
        "Tests und Build brauchst du nicht laufen lassen",
        "Change la couleur, je testerai moi-même",
        "cambia el título. no ejecutes los tests ni el build, ya lo hago yo",
        "cambia el color, lo pruebo yo mismo en el navegador",
        "muda o label, deixa que eu mesmo testo depois",
        "não precisa rodar os testes nem o build",
        "cambia il colore, lo testo io",
        "maak hem blauw, ik test het zelf wel",
        "поменяй цвет, проверю сам",
        "把超时改成30秒,不用跑测试,我自己来",
        "色を変えて。確認はこちらでやります",
        "just start on the client, it doesn't have to work yet",
        "sketch the parser, needn't compile yet",
    ],
)
def test_who_tries_it_out_needs_no_build(text: str) -> None:
    assert "tests" in waived(text)
    assert build(text) is State.WAIVED


@pytest.mark.parametrize(
    "text",
    [
        "skip the tests, build and deploy",
        "I'll run the tests, just make sure it builds",
        "I'll run the tests. Make sure that everything compiles.",
        "keine Tests nötig, aber bau das Projekt einmal",
        "no ejecutes los tests, pero haz el build",
    ],
)
def test_who_speaks_of_the_build_beside_the_tests_keeps_it(text: str) -> None:
    assert waived(text) == {"tests"}
    assert build(text) is State.DISPROVEN


@pytest.mark.parametrize(
    "text",
    [
        "Wenn ich es selbst teste, kommt ein Fehler",
        "se lo provo io, fallisce",
        "Quand je teste moi-même dans le navigateur, ça plante",
        "Eu testo o login e dá erro 500",
        "je teste la page dans le navigateur et elle est vide",
        "ik test het zelf en het werkt niet",
        "I tested it myself in the browser and it crashes",
        "我自己试了一下,报错了",
        "ich kann das nicht selbst testen",
        "the save button doesn't have to work offline, fix the rest",
    ],
)
def test_who_tells_what_the_trial_showed_waives_nothing(text: str) -> None:
    assert waived(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "change the brand colour in src/theme.ts; don't bother with tests or the build",
        "rename the label without running the tests or the build",
        "don't bother running the build or the tests",
        "change the icon, I'll do the build and the tests myself",
        "swap the logo. I'll run the tests and the build",
        "no need for tests and a build here",
    ],
)
def test_both_behind_one_verb_are_waived(text: str) -> None:
    assert waived(text) == {"tests", "build"}
    assert build(text) is State.WAIVED


@pytest.mark.parametrize(
    "text",
    [
        "don't bother running the build",
        "don't waste time on the build",
        "never mind the build",
        "forget about the build",
        "the build isn't needed",
        "the build can wait",
        "leave the build to me",
    ],
)
def test_the_build_alone_is_waived_in_the_words_that_waive_tests(text: str) -> None:
    assert waived(text) == {"build"}


@pytest.mark.parametrize(
    "text",
    [
        "don't forget the build",
        "don't forget about the build and the tests",
        "don't break the build or the tests",
        "don't worry about the build failing on Windows",
        "leave the build script alone",
        "the build isn't needed for the docs, but run it for src",
        "never mind the builder pattern",
        "don't bother building a new parser",
    ],
)
def test_what_else_is_said_of_a_build_waives_nothing(text: str) -> None:
    assert waived(text) == set()


def test_a_build_that_is_ordered_behind_waived_tests_is_no_pair() -> None:
    assert waived("skip the tests and build a demo page") == {"tests"}


@pytest.mark.parametrize(
    "text",
    [
        "src/app.ts: limit to 20 rows. just the edit please, nothing else",
        "Only make that one change and do nothing else",
        "raise the limit to 10, you can skip running anything",
        "raise the limit, no need for running anything",
    ],
)
def test_who_wants_the_edit_and_nothing_else_wants_no_run(text: str) -> None:
    assert waived(text) == {"tests", "build"}


@pytest.mark.parametrize(
    "text",
    [
        "fix the parser and nothing else",
        "just the edit dialog is broken, nothing more happens there",
        "nothing else uses it, just the edit dialog",
        "the only change is nothing more than a rename",
        "skip running the migrations",
    ],
)
def test_nothing_else_alone_may_be_of_other_work(text: str) -> None:
    assert waived(text) == set()


@pytest.mark.parametrize(
    "text",
    ["pls dont run npm test it hangs on this machine", "don't run the tests it takes an hour", "skip the tests it won't work here"],
)  # fmt: skip
def test_the_reason_may_follow_without_a_comma(text: str) -> None:
    assert waived(text) == {"tests"}


def test_it_may_also_begin_what_the_tests_are() -> None:
    assert waived("don't run the tests it generates") == set()
