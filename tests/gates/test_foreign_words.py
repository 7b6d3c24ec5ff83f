"""The person's words in other languages than English: anywhere in a clause, and only with the deed itself."""

import pytest

from ace_reflect.gates.words import read_words


@pytest.mark.parametrize(
    "text",
    [
        "Behebe den Fehler im Parser. Tests brauchst du nicht laufen zu lassen.",
        "Fixe den Bug. Die Tests müssen nicht laufen, das mache ich später selbst",
        "Korrigiere den Import, die Tests lasse ich selbst laufen",
        "Kannst du den Import fixen? Tests sind nicht nötig.",
        "Corrige le parseur. Pas besoin de lancer les tests.",
        "Corrige l'import sans lancer les tests",
        "Corrige l'import. Les tests, je les lance moi-même",
        "Arregla el parser, no hace falta ejecutar los tests",
        "Arregla el parser, yo mismo ejecuto las pruebas",
        "Corrige o parser, não precisa rodar os testes",
        "Muda a cor. Não é necessário executar os testes",
        "Correggi il parser, non serve eseguire i test",
        "Sistema il parser senza eseguire i test",
        "Fix de parser, je hoeft de tests niet te draaien",
        "Pas de kleur aan, ik draai de tests zelf wel",
        "Исправь парсер, тесты запускать не нужно",
        "Исправь парсер. Тесты я сам запущу",
        "修复解析器的问题，测试我自己跑",
        "改一下颜色，先别跑测试",
        "色を変えて。テストは後でこちらで実行します",
    ],
)
def test_words_that_waive_the_tests(text: str) -> None:
    assert read_words(text).waiver("tests") is not None


@pytest.mark.parametrize(
    "text",
    [
        "Behebe den Fehler im Parser und lass die Tests laufen",
        "Ich kann die Tests nicht ausführen, bitte beheb das in app.py",
        "Du sollst die Tests nicht anpassen. Fix den Parser.",
        "Ich habe die Tests selbst geschrieben, fix den Parser bitte",
        "Die Tests laufen nicht, bitte beheben",
        "Pas besoin de modifier les tests, corrige le parseur",
        "Ne commit jamais sans lancer les tests. Corrige le parseur",
        "N'oublie pas de lancer les tests",
        "No hace falta cambiar los tests, arregla el parser",
        "No subas nada sin ejecutar los tests. Arregla el parser",
        "No puedo ejecutar los tests, arréglalo en app.py",
        "Não mexa nos testes, corrija o parser",
        "Non devi modificare i test, correggi il parser",
        "Ik kan de tests niet draaien, fix app.py",
        "Не трогай тесты, исправь парсер",
        "Не могу запустить тесты, исправь app.py",
        "不要修改测试，修复解析器",
        "别忘了运行测试，修复解析器",
        "测试跑不了，帮我修复 app.py",
        "テストを変更しないで、パーサーを直して",
        "テストが実行できません。app.pyを直して",
    ],
)
def test_what_cannot_be_done_is_forbidden_to_be_changed_or_not_to_be_forgotten_waives_nothing(text: str) -> None:
    assert read_words(text).waiver("tests") is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("コミットしてプッシュして", "asks_push"),
        ("提交并推送", "asks_push"),
        ("закоммить и запушь", "asks_push"),
        ("faz o commit e o push", "asks_push"),
        ("Wenn du fertig bist, pushe es", "asks_push"),
        ("когда закончишь, запушь", "asks_push"),
        ("quand c'est fini, pousse", "asks_push"),
        ("まだプッシュしないで", "no_push"),
        ("先不要推送", "no_push"),
        ("не пушь пока", "no_push"),
        ("Bitte einen PR erstellen", "asks_pr"),
        ("Beträge mit Komma. Mach danach bitte einen PR auf.", "asks_pr"),
        ("lehne leere Namen ab, dann noch einen MR dafür aufmachen bitte", "asks_pr"),
        ("corrige le total, ouvre ensuite une PR", "asks_pr"),
        ("arregla el total y abre después un PR", "asks_pr"),
        ("ouvre une PR", "asks_pr"),
        ("abre um PR", "asks_pr"),
        ("帮我提个PR", "asks_pr"),
        ("PRを作成してください", "asks_pr"),
        ("создай PR", "asks_pr"),
        ("コードは変更しないで、説明だけして", "no_change"),
        ("ничего не меняй, просто объясни", "no_change"),
        ("niets aanpassen, alleen uitleggen", "no_change"),
        ("agora funciona, valeu", "confirmed"),
        ("funktioniert jetzt, danke", "confirmed"),
        ("werkt nu, bedankt", "confirmed"),
        ("теперь работает, спасибо", "confirmed"),
        ("现在好了，谢谢", "confirmed"),
        ("動きました、ありがとう", "confirmed"),
    ],
)
def test_what_else_the_words_say(text: str, name: str) -> None:
    assert getattr(read_words(text), name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("推送通知功能有bug，修一下", "asks_push"),
        ("プッシュ通知を実装して", "asks_push"),
        ("добавь пуш-уведомления", "asks_push"),
        ("先不要推送", "asks_push"),
        ("PR-Beschreibung aktualisieren", "asks_pr"),
        ("mach danach die Beschreibung im PR kürzer", "asks_pr"),
        ("不要提PR", "asks_pr"),
        ("revisa el PR", "asks_pr"),
        ("no funciona", "confirmed"),
        ("ça marche pas", "confirmed"),
        ("läuft leider immer noch nicht", "confirmed"),
        ("не работает", "confirmed"),
        ("还是不行", "confirmed"),
        ("動きません", "confirmed"),
    ],
)
def test_what_they_do_not_say(text: str, name: str) -> None:
    assert not getattr(read_words(text), name)


@pytest.mark.parametrize(
    "text",
    [
        "Kannst du das beheben ohne die Tests laufen zu lassen?",
        "Peux-tu corriger ça sans lancer les tests ?",
        "能不能不跑测试？不用跑测试",
    ],
)
def test_a_request_in_the_form_of_a_question_waives_too(text: str) -> None:
    assert read_words(text).waiver("tests") is not None
