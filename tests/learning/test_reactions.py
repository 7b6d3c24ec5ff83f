"""How the person took the work: told from their words, and not from the next task's."""

import pytest

from ace_reflect.learning.reactions import read_reaction

AGAINST = [
    "No, that's wrong.",
    "That broke the login page, revert it please",
    "Your change broke the tests",
    "You've broken the header",
    "you have misunderstood me",
    "That made it worse",
    "This made the page way worse",
    "Now nothing works",
    "now it crashes on startup",
    "Now the tests fail",
    "I don't like this, undo it",
    "I liked the old version better, go back to it",
    "That removed my comments, put them back",
    "Not quite.",
    "That isn't what I asked for",
    "Same problem as before",
    "Too many changes, I only wanted the fix in a.py",
    "You changed too much",
    "wtf did you do",
    "Getting 500s since your change",
    "The fix has introduced a new bug",
    "It doesn't work as expected",
    "Das stimmt nicht, bitte rückgängig machen",
    "Das hat die Tests kaputt gemacht",
    "mach das rückgängig",
    "Hmm. It fails when the list is empty.",
    "I tried it. It doesn't work.",
    "Tested it on my phone. That broke the menu.",
    "Why did you delete the tests?",
    "why didn't you run them",
    "Why are you still using npm?",
    "Não, está errado. Desfaça isso.",
    "Isso está errado",
    "Нет, это неправильно",
    "откати изменения",
    "Nee, dat is fout",
    "Deshaz los cambios",
    "Annule ça",
    "不对,请撤销这个修改。",
    "違います。元に戻してください。",
    "撤销所有修改",
    "違う、そのファイルじゃない",
    "아니요, 틀렸어요.",
    "please git checkout src/app.py, I don't want this change",
    "can you run git restore src/app.py? that was not a good idea",
    "Do a git checkout -- . and start over",
    "git reset --hard please",
    "restore the file to how it was before",
    "put app.py back to how it was",
    "discard the changes",
    "throw that away, we go with plan B",
    "I don't want this.",
    "I don't want these changes, sorry",
    "This change is not what the ticket says",
    "no wait. it's wrong after all",
    "Ne, das war so nicht gewollt",
    "remets comme avant",
    "déjalo como estaba",
]
NOT_AGAINST = [
    "No, thanks",
    "Nein danke",
    "No need to test, commit it",
    "Now the tests: they should fail first",
    "The test fails as expected, now implement it",
    "Now nothing else is open, commit",
    "Now it should also crash when the key is missing",
    "Now fail the build when coverage drops",
    "Add a revert button to the editor",
    "Let users edit a note, and undo it",
    "I want a trash folder, so that people can put it back",
    "Same error handling in b.py please",
    "same problem in the importer, fix that too",
    "I don't like this library in general, is there an alternative?",
    "What did you do about the cache?",
    "This breaks down into three steps",
    "It creates a new error class, right?",
    "Worse, the customer called. Look into ticket 4",
    "Not quite sure about the name, any ideas?",
    "Look at b.py. It fails when the list is empty.",
    "Please check the exporter. It doesn't work on Windows.",
    "Next: the importer. The test fails on CI.",
    "Thanks! Now fix issue 12. It crashes on empty input.",
    "Why did you use strip() there?",
    "Why would you take a queue instead of cron?",
    "Nein, passt so",
    "Non, c'est bon",
    "No te preocupes, está bien así",
    "No hagas push todavía",
    "Não commite ainda",
    "Não, obrigado",
    "нет, спасибо",
    "Nee hoor, prima",
    "Nie auf main pushen",
    "Reverta o commit abc1234 do Tom",
    "恢复数据库备份的脚本怎么写?",
    "元に戻すボタンを追加してください",
    "取り消しボタンを追加してください",
    "間違って入力した場合の処理を追加して",
    "잘못된 입력을 처리해 주세요",
    "撤销所有订单的功能要加上",
    "不对外开放的接口要加鉴权",
    "git checkout main and pull",
    "git restore doesn't know my branch, why?",
    "restore the window to its previous size when the app starts",
    "discard button should be red",
    "I don't want this button on mobile, hide it there",
    "no wait, that was right, keep it",
    "no sorry, that is correct, leave it",
    "No, actually it's fine as it is.",
    "déjame ver el carrito",
]


@pytest.mark.parametrize("said", AGAINST)
def test_words_against_what_was_done_are_a_correction_or_a_revert(said: str) -> None:
    reaction = read_reaction(said)

    assert reaction is not None
    assert reaction.kind in {"correction", "revert"}


@pytest.mark.parametrize("said", NOT_AGAINST)
def test_the_next_task_and_a_polite_no_are_not_against_what_was_done(said: str) -> None:
    reaction = read_reaction(said)

    assert reaction is None or reaction.kind == "confirmation"


@pytest.mark.parametrize(
    ("offer", "said"),
    [
        ("Done. Shall I also commit it?", "No."),
        ("Fixed. Do you want me to update the changelog too?", "no, leave it"),
        ("The suite passes. Should I push?", "nope"),
        ("Fertig. Soll ich auch die Doku anpassen?", "Nein, nur den Code"),
        ("All green. Anything else?", "No"),
    ],
)
def test_a_no_to_an_offer_says_nothing_of_the_work(offer: str, said: str) -> None:
    assert read_reaction(said, offer) is None


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("Done. Shall I also commit it?", "No, that's wrong."),
        ("Done. Should I push?", "no, you broke the header"),
        ("I fixed the header. Does it look right now?", "No."),
        ("Should I start? Yes, I did, and it is done.", "No. It still fails"),
        ("The header is fixed.", "No."),
    ],
)
def test_a_no_to_the_work_stays_one(before: str, said: str) -> None:
    reaction = read_reaction(said, before)

    assert reaction is not None
    assert reaction.kind == "correction"


@pytest.mark.parametrize(
    "said", ["works now, thanks", "lgtm", "Passt, danke", "That works, but change the color"]
)
def test_words_of_content_are_a_confirmation(said: str) -> None:
    reaction = read_reaction(said)

    assert reaction is not None
    assert reaction.kind == "confirmation"


@pytest.mark.parametrize(
    "said", ["", "Das passt nicht in die Zeile, kürze es", "Add a test for b.py"]
)
def test_what_says_nothing_of_the_work_is_no_reaction(said: str) -> None:
    assert read_reaction(said) is None


@pytest.mark.parametrize(
    "unit",
    ["that , ", "i ,; and so then ", "now the my ", "you have just ", "getting x ", "it is "],
)
def test_a_long_line_is_read_in_a_moment(unit: str) -> None:
    assert len(unit * 2000) > 500
    read_reaction(unit * 70)
    read_reaction(unit * 2000)
