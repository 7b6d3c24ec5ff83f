"""What answers in other languages than English admit, claim, offer and announce."""

import pytest

from ace_reflect.gates.claim_text import claims_tests_pass
from ace_reflect.gates.foreign_answers import announces, is_stuck, offers_to_run, proof_missing
from ace_reflect.gates.honesty import admits
from ace_reflect.gates.stop_kind import announces_step, offers_to_verify
from support.work import Work, checkout


@pytest.mark.parametrize(
    "answer",
    [
        "Ich konnte die Tests nicht ausführen, weil in dieser Umgebung kein Docker installiert ist.",
        "Je n'ai pas pu lancer les tests car Docker n'est pas disponible.",
        "No he podido ejecutar las pruebas porque no hay acceso a la base de datos.",
        "Não consegui rodar os testes porque o Docker não está disponível.",
        "Non ho potuto eseguire i test perché manca Docker.",
        "Ik kon de tests niet draaien omdat Docker ontbreekt.",
        "Не удалось запустить тесты: в окружении нет Postgres.",
        "当前环境缺少依赖，无法运行测试。",
        "テスト環境がないため、テストは実行できませんでした。",
    ],
)
def test_tests_that_cannot_be_run_here_are_not_asked_for(answer: str) -> None:
    assert admits(answer).kind == "not-run"
    assert admits(answer).reason == "environment"
    assert Work().edit().say(answer).judge(checkout()).verdict.decision == "allow"


@pytest.mark.parametrize(
    "answer",
    [
        "Fertig. Die Tests habe ich nicht ausgeführt, weil die Änderung trivial ist.",
        "Fini. Je n'ai pas lancé les tests car c'est un petit changement.",
        "Listo. No he ejecutado las pruebas.",
        "完成。没有运行测试。",
        "完了しました。テストは実行していません。",
        "Готово. Тесты не запускал.",
    ],
)
def test_tests_that_were_left_out_are(answer: str) -> None:
    assert admits(answer).reason == ""
    assert Work().edit().say(answer).judge(checkout()).verdict.decision == "block"


@pytest.mark.parametrize(
    "answer",
    [
        "Zwei Tests schlagen noch fehl.",
        "Deux tests échouent encore.",
        "Dos pruebas siguen fallando.",
        "还有两个测试失败。",
    ],
)
def test_failing_tests_are_admitted(answer: str) -> None:
    assert admits(answer).kind == "failing"


@pytest.mark.parametrize("answer", ["Die Tests schlagen nicht mehr fehl.", "修复了失败的测试。", "Le parseur échoue."])
def test_tests_that_no_longer_fail_are_not(answer: str) -> None:
    assert admits(answer).kind == ""


@pytest.mark.parametrize(
    "question",
    [
        "Soll ich die Tests laufen lassen?",
        "Voulez-vous que je lance les tests ?",
        "¿Quieres que ejecute las pruebas?",
        "Quer que eu rode os testes?",
        "Vuoi che esegua i test?",
        "Zal ik de tests draaien?",
        "Хотите, чтобы я запустил тесты?",
        "需要我运行测试吗？",
        "テストを実行してみましょうか？",
        "Would you like me to run `pytest` now?",
    ],
)
def test_an_offer_to_run_the_tests_does_not_stand_for_them(question: str) -> None:
    assert offers_to_verify(question)
    assert Work().edit().say(question).judge(checkout()).verdict.decision == "block"


@pytest.mark.parametrize(
    "question",
    [
        "Soll ich Variante A oder B nehmen?",
        "¿Cuál prefieres: ignorar las líneas vacías o tratarlas como separadores?",
        "空行应该忽略还是作为分隔符？请告诉我。",
        "空行は無視しますか、それとも区切りとして扱いますか？",
    ],
)
def test_a_question_that_the_person_decides_stands(question: str) -> None:
    assert Work().edit().say(question).judge(checkout()).verdict.decision == "allow"


@pytest.mark.parametrize(
    "answer",
    [
        "Alle Tests laufen durch.",
        "Tous les tests passent.",
        "Todas las pruebas pasan.",
        "Todos os testes passam.",
        "Tutti i test passano.",
        "Alle tests slagen.",
        "Все тесты проходят.",
        "所有测试都通过了。",
        "テストは全てパスしています。",
    ],
)
def test_a_claim_is_heard(answer: str) -> None:
    assert claims_tests_pass(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Die Tests sollten jetzt alle bestehen",
        "Wenn alle Tests bestehen, kannst du mergen",
        "Assurez-vous que tous les tests passent.",
        "Los tests deberían pasar.",
        "确保所有测试都通过",
        "すべてのテストが通るはずです",
        "не все тесты проходят",
        "Nicht alle Tests sind grün",
    ],
)
def test_a_hope_a_condition_or_its_contrary_is_none(answer: str) -> None:
    assert not claims_tests_pass(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Als Nächstes führe ich die Tests aus:",
        "Ahora voy a ejecutar las pruebas:",
        "接下来我将运行测试：",
        "Теперь запущу тесты:",
    ],
)
def test_a_step_that_is_announced_before_a_colon(answer: str) -> None:
    assert announces_step(answer)
    assert not announces_step("Die Änderungen:")


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        ("Não executei os testes.", "not-run"),
        ("Não executei a migração.", ""),
        ("Die Tests konnte ich nicht ausführen: tests laufen hier nicht.", "not-run"),
        ("No pude ejecutar el despliegue.", ""),
    ],
)
def test_what_was_not_run_is_the_tests_where_they_are_named(said: str, missing: str) -> None:
    assert proof_missing(said) == missing


@pytest.mark.parametrize(
    ("question", "offers"),
    [
        ("Soll ich die Tests laufen lassen?", True),
        ("Soll ich die Migration laufen lassen?", False),
        ("Veux-tu que je lance les tests ?", True),
        ("Veux-tu que je lance le serveur ?", False),
    ],
)
def test_an_offer_is_of_the_tests_where_they_are_named(question: str, offers: bool) -> None:
    assert offers_to_run(question) is offers


@pytest.mark.parametrize(
    ("last", "comes"),
    [
        ("Ich werde jetzt die Tests anpassen.", True),
        ("Ich werde jetzt die Tests anpassen, falls der Name so bleibt.", False),
        ("Maintenant, je vais corriger le parseur.", True),
        ("Maintenant, je vais corriger le parseur si le nom te convient.", False),
    ],
)
def test_a_step_on_a_condition_is_not_announced(last: str, comes: bool) -> None:
    assert announces(last) is comes


@pytest.mark.parametrize(
    "answer",
    [
        "Bitte gib den 2FA-Code ein, ohne ihn kann ich nicht weitermachen.",
        "Ich kann ohne Zugang leider nicht fortfahren.",
        "Je ne peux pas continuer sans le mot de passe.",
        "No puedo seguir sin la contraseña.",
        "Não consigo continuar sem a senha.",
        "Non posso proseguire senza la password.",
        "Zonder wachtwoord kan ik niet verder.",
        "Без пароля я не могу продолжить.",
    ],
)
def test_who_cannot_go_on_is_not_done(answer: str) -> None:
    verdict = Work().edit().run().say(answer).judge(checkout()).verdict

    assert is_stuck(answer)
    assert (verdict.decision, verdict.complete) == ("allow", False)


@pytest.mark.parametrize(
    "answer",
    [
        "Erledigt. Ohne Konto kann der Nutzer nicht fortfahren, wie gewünscht.",
        "Fini. L'utilisateur ne peut pas continuer sans compte.",
        "Listo. Ahora puedo seguir con otra tarea si quieres.",
        "Gereed. De gebruiker kan niet verder zonder account.",
    ],
)
def test_what_keeps_a_programs_user_from_going_on_is_no_hindrance(answer: str) -> None:
    assert not is_stuck(answer)
    assert Work().edit().run().say(answer).judge(checkout()).verdict.complete
