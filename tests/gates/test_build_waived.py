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
