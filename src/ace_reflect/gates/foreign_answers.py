"""
What an answer says of its proof in the languages met most besides English: that it was not run, that it fails, that it
passes, and the offer to run it; and that the work was committed or pushed.
"""

from ace_reflect.gates.foreign_words import TESTS
from ace_reflect.late import Alternatives, Late, folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

_NOT_RUN = (
    Late(
        r"\btests?\b[^.!?\n]{0,40}\bnicht (?:mehr |lokal |hier )?(?:ausführen|ausgeführt|laufen|gelaufen|starten|gestartet|durchführen|durchgeführt)\b|\bnicht (?:getestet|mit tests)\b|\bungetestet\b",
        needs=("nicht|ungetestet",),
    ),
    Late(
        r"\b(?:pas (?:encore )?(?:pu )?|impossible (?:de |d'))(?:les )?(?:lanc|exécut|fait tourner|faire tourner|test)\w*|\btests? n'(?:ont|a) pas ",
        needs=("pas |impossible ",),
    ),
    Late(
        r"\bno (?:las |los )?(?:pude|he podido|pudimos|he|fue posible|se pudieron|se han) (?:\w+ )?(?:ejecut|corr|lanz|prob)\w+",
        needs=("no las |no los |no pude |no he |no pudimos |no fue posible |no se pudieron |no se han ",),
    ),
    Late(
        r"\bn[ãa]o (?:os )?(?:consegui|pude|foi possível|foram) (?:rod|execut)\w+|\bn[ãa]o (?:executei|rodei)\b",
        needs=("não |nao ",),
    ),
    Late(
        r"\bnon (?:li )?(?:ho potuto|sono riuscit[oa] a|è stato possibile|ho) (?:ad )?(?:esegu|lanci|far)\w*",
        needs=("non ",),
    ),
    Late(
        r"\btests? (?:[\w-]+ ){0,3}niet (?:kunnen )?(?:draaien|gedraaid|uitvoeren|uitgevoerd|runnen)\b",
        needs=("niet ",),
    ),
    Late(
        r"\bне (?:смог\w*|удалось|могу|получилось) (?:\w+ )?(?:запустить|прогнать|выполнить)|\b(?:запустить|прогнать|выполнить) (?:\w+ )?не (?:смог\w*|удалось|могу|получилось)|\bтест\w* не (?:запуска|запущен|прогон)",
        needs=("не ",),
    ),
    Late(
        r"(?:无法|無法|未能|没能|不能|没有|沒有|没法|未)(?:在[^，。]{1,10})?(?:实际)?(?:运行|運行|执行|執行|跑)",
        needs=("运行|運行|执行|執行|跑",),
    ),
    Late(
        r"実行(?:でき|して|し)(?:い?ませんでした|い?ません|ていません|なかった|ていない|ない)|テストできま(?:せん)|未実行",
        needs=("実行|テストできません",),
    ),
)
_FAILING = (
    Late(r"\btests? (?:[\w-]+ ){0,3}(?:schlagen|schlägt) (?:\w+ ){0,2}fehl\b|\bfehlgeschlagene\w? tests?\b", needs=("fehl",)),
    Late(r"\btests? (?:\w+ ){0,2}échou\w+|\b(?:tests?|pruebas) (?:\w+ ){0,3}fall(?:an|a|ando|ó|aron)\b", needs=("échou|falla|falló",)),
    Late(r"\btestes? (?:\w+ ){0,3}falh\w+|\btest (?:\w+ ){0,3}fallisc\w+|\btests? (?:\w+ ){0,2}fa(?:len|alt)\b", needs=("falh|fallisc|falen|faalt",)),
    Late(r"\bтест\w* (?:[\w-]+ ){0,3}(?:пада|провал|не проход)", needs=("пада|провал|не проход",)),
    Late(r"测试[^，。]{0,6}(?:失败|没通过|没有通过|未通过)|テスト[^、。]{0,8}(?:失敗|落ち)", needs=("失败|通过|失敗|落ち",)),
)  # fmt: skip
_NONE_FAILS = Late(
    r"\b(?:kein\w*|nicht mehr|ne .{0,20}plus|aucun\w*|ningun\w*|ningún|nenhum\w*|nessun\w*|geen|niet meer|behoben|corrig\w+|больше не|ни один)\b|修复了|修好|没有测试|なし|修正しました"
)
_ENVIRONMENT = Late(
    r"\b(?:(?:nicht )?(?:verfügbar|installiert|vorhanden|erreichbar)|fehl(?:t|en)|kein(?:e|en)? (?:netz\w*|zugriff|docker|internet|gerät|datenbank)|umgebung|indisponible|disponibles?|installée?s?|manqu\w+|accès|environnement|réseau"
    r"|instalad[oa]s?|falta[mn]?|faltan|acceso|entorno|disponível|disponíveis|acesso|ambiente|disponibil\w+|installat[oi]|manca(?:no)?|accesso|beschikbaar|geïnstalleerd|ontbre(?:ekt|ken)|toegang|omgeving|sandbox|docker)\b"
    r"|недоступ|не установлен|нет доступ|отсутству|окружени|песочниц|没有 ?[a-z]|没有(?:安装|网络|权限|环境)|未安装|不可用|无法访问|环境|沙箱|缺少|网络|(?:が|は)(?:ない|なく|無い)(?:ため|ので|から)|インストールされて|利用でき|アクセス|環境"
)

_ASKS_TO_RUN = (
    Late(
        r"\b(?:soll ich|möchtest du|willst du|darf ich)\b[^.!?]{0,60}\b(?:ausführ\w*|laufen lass\w*|starte\w*)|\b(?:dois-je|veux-tu que|voulez-vous que|souhaitez-vous que|souhaites-tu que)\b[^.!?]{0,40}\b(?:lance|exécute)\w*",
        needs=("soll ich|möchtest du|willst du|darf ich|dois-je|veux-tu que|voulez-vous que|souhaitez-vous que|souhaites-tu que",),
    ),
    Late(
        r"\b(?:quieres que|deseas que|te gustaría que|debo|quer que|gostaria que|devo|vuoi che|desideri che)\b[^.!?]{0,40}\b(?:ejecut|corra|lance|rod|execut|esegu|lanci)\w*",
        needs=("quieres que|deseas que|te gustaría que|debo|quer que|gostaria que|devo|vuoi che|desideri che",),
    ),
    Late(
        r"\b(?:zal ik|wil je dat ik|moet ik)\b[^.!?]{0,40}\b(?:draai|run|uitvoer)\w*|(?:хотите|хочешь|нужно ли|стоит ли)\b[^.!?]{0,40}(?:запус|прогна|прогон)|(?:^|\s)(?:запустить|прогнать) (?:\w+ )?тест",
        needs=("zal ik|wil je dat ik|moet ik|хотите|хочешь|нужно ли|стоит ли|запустить|прогнать",),
    ),
    Late(
        r"(?:要我|需要我|是否需要|要不要)[^。？?]{0,8}(?:运行|執行|执行|跑)|(?:実行|走らせ|回し)(?:し|せ)?(?:て)?(?:み)?(?:ましょうか|ますか)",
        needs=("运行|執行|执行|跑|実行|走らせ|回し",),
    ),
)  # fmt: skip
#: The agent's own next step before a colon: nothing came behind it.
_ANNOUNCES = Late(
    r"^(?:(?:jetzt|nun|als nächstes|zunächst|dann)\b.{0,80}\bich\b|ich (?:werde|führe|prüfe|passe|starte|sehe)\b|(?:maintenant|ensuite|d'abord),? je\b|je vais\b|(?:ahora|a continuación|primero),? (?:(?:l[oae]s?|te) )?(?:voy a|ejecut\w+|vamos a)|voy a\b"
    r"|(?:agora|em seguida|primeiro),? (?:vou|vamos)\b|vou\b|(?:ora|adesso|poi),? (?:eseguo|lancio|aggiorno|controllo|vado)\b|(?:nu|eerst|vervolgens) \w+ ik\b|(?:теперь|сейчас|далее|сначала),? (?:я )?\w+[ую]\b|(?:现在|接下来|下面|首先)(?:我|让我|，我)|(?:次に|まず|では|それでは)[^。]{1,40}ます)"
)
#: A whole sentence in which the agent says what it does now: nothing comes behind the end of the answer.
_COMES_NOW = Late(
    r"^(?:und |et |y )?(?:(?:jetzt|nun) (?!(?:sehe|verstehe|habe|bin|kann|weiß|würde|könnte|brauche|bitte)\b)\w+ ich\b|ich werde (?:jetzt|nun)\b|maintenant,? je vais\b|je vais maintenant\b|ahora,? voy a\b|agora,? vou\b"
    r"|现在，?(?:我(?:会|将|来|就|要)|让我)|これから[^。？?]{1,60}(?:します|していきます|進めます)。?$)",
    needs=("ich|je vais|voy a|vou|我|これから",),
)
_COMES_NEXT = Late(
    r"^(?:(?:als nächstes|anschließend) (?!(?:würde|könnte|sollte|kann|brauche)\b)\w+ ich\b|(?:ensuite,? je vais|je vais ensuite)\b|(?:a continuación|luego),? voy a\b|em seguida,? vou\b|(?:接下来|下一步)，?(?:我(?:会|将|来|就|要)|让我)|次に[^。？?]{1,60}(?:していきます|進めます|始めます|取りかかります)。?$)",
    needs=("ich|je vais|voy a|vou|我|次に",),
)
_WAITS = ("warte", "attend", "esper", "aguard", "等", "待", "お願い")

_PASS = (
    Late(
        r"\balle (?:\d+ )?(?:unit-?)?tests? (?:(?:jetzt|nun|wieder|sind|laufen|wurden|zijn|nu) ){0,3}(?:bestehen|bestanden|durch|grün|erfolgreich|slagen|geslaagd|groen)\b|\btests? (?:sind|laufen) (?:(?:alle|jetzt|wieder|nun) ){0,3}(?:grün|durch)\b",
        needs=("bestehen|bestanden|durch|grün|erfolgreich|slagen|geslaagd|groen",),
    ),
    Late(
        r"\b(?:tous )?les (?:\d+ )?tests (?:passent|sont (?:au )?verts?|réussissent|ont réussi)\b|\btod[oa]s (?:l[oa]s|os) (?:\d+ )?(?:tests|pruebas|testes) (?:pasan|pasaron|están pasando|han pasado|passam|passaram|estão passando)\b|\btutti i (?:\d+ )?test (?:passano|superati|sono (?:passati|verdi))\b",
        needs=("les |todos |todas |tutti i ", "test|pruebas", "passent|vert|réussi|pasa|passa|passano|superati|verdi"),
    ),
    Late(r"\bвсе (?:\d+ )?тест\w* (?:успешно )?(?:проход|прош|зел[её]н|пройден)", needs=("все ",)),
    Late(
        r"(?:所有|全部)的?(?:\d+ ?个)?(?:单元)?测试(?:都|均|全部)?(?:已经?)?(?:通过|成功)|测试(?:已经?)?(?:全部|都|均)(?:已经?)?(?:通过|成功)|(?:すべて|全て|全)の?(?:\d+件の)?テスト[がは](?:通|パス|成功|合格)|テスト[はが](?:すべて|全て|全部)(?:通|パス|成功|合格)",
        needs=("测试|テスト",),
    ),
)
#: What git was made to do, told as done.
_DEEDS: "dict[str, Late | Alternatives]" = {
    "commit": Alternatives(
        Late(
            r"\b(?:habe?|ist|sind|wurden?|und)\b[^.!?,;\n]{0,40}\b(?:committe[td]|commite[td]|eingecheckt)\b",
            needs=("hab|ist|sind|wurde|und", "committet|committed|commitet|commited|eingecheckt"),
        ),
        Late(
            r"\b(?:j'ai|ho|he|hice|cre[ée]|fiz|criei) (?:(?:fait|créé|effectué|fatto|creato|hecho|creado) )?(?:(?:le|un|il|el|o|um) )?commit\b",
            needs=("j'ai |ho |he |hice |cree |creé |fiz |criei ", "commit"),
        ),
        Late(r"\bj'ai (?:tout )?comm?it[ée]\b|\bho committato\b|\bcommitei\b", needs=("j'ai |ho committato|commitei",)),
        Late(
            r"\bcommit (?:(?:est|está|foi|è stato) )?(?:fait|créé|effectué|hecho|creado|feito|criado|fatto|creato)\b",
            needs=("commit ", "fait|créé|effectué|hecho|creado|feito|criado|fatto|creato"),
        ),
        Late(
            r"\bgecommit(?:t?eerd|)\b|\bзакоммит(?:ил|ила|или|чен\w*|ен\w*)\b|\bзакоммичен\w*|\b(?:сделала?|создала?) коммит\b|\bкоммит (?:сделан|создан)\b|已经?(?:全部)?提交|提交(?:了|完成|完毕)|コミット(?:しました|済み|完了)",
            needs=("gecommit|коммит|коммич|提交|コミット",),
        ),
    ),
    "push": Late(
        r"\b(?:habe?|ist|sind|wurden?|und)\b[^.!?,;\n]{0,60}\bgepush(?:t|ed)\b|\bj'ai (?:tout )?(?:poussé|pushé)\b|\b(?:est|sont|a été|ont été) (?:poussé|pushé)e?s?\b|\b(?:hice|he hecho|fiz|ho fatto) (?:(?:el|o|il) )?push\b|\bpush (?:hecho|feito|fatto)\b|\bpushei\b|\bho pushato\b|\b(?:heb|is|zijn|en)\b[^.!?,;\n]{0,40}\bgepusht\b"
        r"|\bзапуш(?:ил|ила|или|ен\w*)\b|已经?推送|推送(?:了|完成|完毕)|プッシュ(?:しました|済み|完了)",
        needs=("gepush|poussé|pushé|hice |hecho|fiz |fatto|feito|pushei|pushato|запуш|推送|プッシュ",),
    ),
}
_HEDGED = Late(
    r"\b(?:soll\w*|wenn|sobald|falls|bis|nicht|würde\w*|devrai\w*|si|quand|une fois|pas|pour que|deber[ií]a\w*|cuando|hasta|para que|no|deve[mr]?\w*|quando|se|até|não|dovre\w*|dopo|finché|non|zou\w*|als|zodra|niet|vor|avant|antes|prima|voor|dass alle|que tous|que tod[oa]s|che tutti|dat alle)\b|что все|должны|если|когда|чтобы|пока|не |应该|如果|一旦|确保|直到|没|未|不|はず|たら|れば|ない|ませ|まで|か[？?]"
)


#: The agent, and nobody else, can't go on: "der Nutzer kann nicht fortfahren" is said of a program.
_STUCK = (
    Late(
        r"\bkann ich (?:hier |so )?nicht (?:weitermachen|weiterarbeiten|fortfahren)\b|\bich kann (?:[\w-]{1,20} ){0,4}nicht (?:weitermachen|weiterarbeiten|fortfahren)\b",
        needs=("kann", "weitermachen|weiterarbeiten|fortfahren"),
    ),
    Late(r"\bje (?:ne )?peux pas (?:continuer|poursuivre|avancer)\b|\bje suis bloqu", needs=("je ",)),
    Late(r"\bno puedo (?:continuar|seguir|avanzar)\b|\bestoy bloquead", needs=("no puedo|estoy",)),
    Late(r"\bn[ãa]o (?:posso|consigo) (?:continuar|prosseguir|avançar)\b", needs=("posso|consigo",)),
    Late(r"\bnon (?:posso|riesco a) (?:continuare|proseguire|andare avanti)\b", needs=("non ",)),
    Late(r"\b(?:kan ik|ik kan) (?:[\w-]{1,20} ){0,3}niet (?:verder|doorgaan)\b", needs=("niet ",)),
    Late(r"\bне могу (?:продолжить|продолжать)", needs=("не могу",)),
)


def is_stuck(text: str) -> bool:
    """Whether the agent says that it cannot go on."""
    low = folded(text)
    return any(pattern.search(low) for pattern in _STUCK)


def proof_missing(sentence: str) -> 'Literal["", "not-run", "failing"]':
    """ "not-run" or "failing" where a sentence says so of the tests; "" else."""
    low = folded(sentence)
    if not any(word in low for word in TESTS):
        return ""
    if any(known.search(low) for known in _FAILING) and not _NONE_FAILS.search(low):
        return "failing"
    return "not-run" if any(known.search(low) for known in _NOT_RUN) else ""


def names_environment(text: str) -> bool:
    """Whether a text gives what is missing on the machine as the reason."""
    return _ENVIRONMENT.search(folded(text)) is not None


def offers_to_run(question: str) -> bool:
    """Whether a question offers to run the tests."""
    low = folded(question)
    return any(word in low for word in TESTS) and any(known.search(low) for known in _ASKS_TO_RUN)


def announces(last: str) -> bool:
    """Whether an answer's last sentence, with a colon behind it or a word that it comes now, announces the agent's own next step."""
    low = folded(last)
    if low.rstrip().endswith((":", "：", "…", "...")):
        return any(_ANNOUNCES.search(part.strip()) for part in (low, low.replace("，", ",").rpartition(",")[2]))
    return _is_sure(low, _COMES_NOW)


def goes_on(last: str) -> bool:
    """Whether an answer's last sentence tells which part of the work comes next."""
    low = folded(last)
    return _is_sure(low, _COMES_NEXT)


def _is_sure(low: str, step: Late) -> bool:
    """Whether a sentence begins with a step, and what follows makes it depend on nothing and is not to wait."""
    match = step.match(low)
    return match is not None and not _HEDGED.search(low, match.end()) and not any(word in low for word in _WAITS)


def says_tests_pass(sentence: str) -> bool:
    """Whether a sentence states, with no condition, that all tests pass."""
    low = folded(sentence)
    return any(known.search(low) for known in _PASS) and not _HEDGED.search(low)


def deeds(sentence: str) -> tuple[str, ...]:
    """Which of "commit" and "push" a sentence tells as done."""
    low = folded(sentence)
    found = tuple(kind for kind, known in _DEEDS.items() if known.search(low))
    return () if found and _HEDGED.search(low) else found
