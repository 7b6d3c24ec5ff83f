"""
What a clause of a prompt says in the languages met most besides English.

Word order differs from one to the next ("Tests brauchst du nicht laufen zu lassen"), so these are looked for anywhere in
a clause, and each names the deed itself: "pas besoin de modifier les tests" waives no run of them.
"""

from ace_reflect.late import Late, folded

#: The tests, whatever the language; what has none of these says nothing about them.
TESTS = ("test", "pruebas", "тест", "测试", "測試", "テスト")

_MYSELF = ("selbst", "selber", "moi-même", "yo mism", "eu mesm", "io stess", "zelf", "сам", "自己", "自分")

_LATER = r"(?:später|nachher|morgen|plus tard|demain|más tarde|mañana|mais tarde|amanhã|più tardi|domani|later|straks|morgen|потом|позже|завтра)"
_IN_CI = r"(?:in der|auf der|im|en(?: la| el)?|dans la|na|no|in|nella|op|на|в) (?:ci|pipeline)"

#: Run where every push runs them; "en" also joins clauses, so that it is looked for in the sentence. Not "laufen in der CI rot".
_RUN_IN_CI = Late(
    rf"\b(?:tests?|testes|pruebas|тесты) (?:laufen|tournent|passent|corren|se ejecutan|rodam|girano|draaien|гоняются|бегут) (?:(?:eh|ja|sowieso|ohnehin|déjà|ya|já|già|toch) )?{_IN_CI}(?=$|[.,;!])",
    needs=("test|pruebas|тесты", "laufen|tournent|passent|corren|ejecutan|rodam|girano|draaien|гоняются|бегут"),
)
_NO_TESTS = (
    # Put off, to the end of the clause: "Tests später umbauen" is another thing.
    Late(
        rf"\b(?:tests?|testes|pruebas|тесты) (?:(?:bitte|dann|erst|lieber|noch) )?{_LATER}[.!]*$"
        r"|\bkein(?:e|en)? (?:pytest|jest|vitest|testl[aä]uf\w*)[.!]*$|\bniente (?:pytest|jest)\b|\bgeen (?:pytest|jest|vitest)\b",
        needs=(
            "test|pruebas|тесты|jest",
            "später|nachher|morgen|plus tard|demain|más tarde|mañana|mais tarde|amanhã|più tardi|domani|later|straks|потом|позже|завтра|kein|niente |geen ",
        ),
    ),
    Late(
        r"\b(?:musst|brauchst|müssen|brauchen) (?:(?:du|wir|ihr|das|es|auch|jetzt) ){0,3}nicht (?:zu )?testen\b|^nicht testen\b|\btests? (?:kommen|machen wir|mache ich) (?:später|nachher|morgen)\b|\btests? (?:sind mir |sind )(?:gerade |erstmal )?egal\b|\btests? (?:(?:mach|übernehm|fahr)e? ich|laufen bei mir)$"
        r"|\bignorier(?:e|t|en)? (?:(?:bitte|die|alle|erstmal|roten|fehlschlagenden) ){0,3}tests?\b(?: (?:bitte|erstmal|vorerst))*$|\btests? (?:bitte |erstmal )?ignorieren\b"
        r"|\bnicht (?:(?:mehr|jetzt|extra|unbedingt|erst|alle|die) ){0,2}(?:(?:durch)?laufen (?:zu )?lassen|aus(?:zu)?führen|(?:zu )?starten|nötig|notwendig|erforderlich)\b"
        r"|\b(?:müssen|brauchen) nicht (?:zu )?(?:durch)?laufen\b|\bkannst du (?:dir )?(?:sparen|weglassen|auslassen|überspringen)\b"
        r"|\b(?:brauchst|brauchen|musst|müssen) (?:(?:du|wir|ihr|hier|dafür|die|tests?|auch|jetzt) ){0,4}(?:nicht|keine)$"
        r"|\bohne (?:(?:die|alle|irgendwelche) )?tests? (?:auszuführen|laufen zu lassen|zu starten)\b",
        needs=("nicht|ohne|brauchst|brauchen|musst|müssen|kannst du|ignorier|kommen|machen wir| ich|bei mir|egal",),
    ),
    Late(
        r"\b(?:(?:teste|führe|starte|lasse?|mache?|übernehme) ich|ich (?:teste|führe|starte|lasse?|mache?|übernehme|werde)) (?:[\w-]+ ){0,4}?(?:selbst|selber|später|nachher)\b",
        needs=("ich ",),
    ),
    Late(
        r"\bpas (?:besoin|la peine) de (?:re)?tester\b|\b(?:laisse|laissez) tomber (?:les )?tests?\b|\btests? plus tard\b"
        r"|\bignore[sz]? (?:les|ces) tests?\b(?! (?:de|du|des|dans)\b)"
        r"|\bpas (?:besoin|la peine|nécessaire|utile) (?:de |d')(?:re)?(?:lancer|exécuter|faire|passer|tests?\b)|\binutile (?:de |d')(?:re)?(?:lancer|exécuter|faire|passer)|\btests? (?:ne sont |n'est )?pas (?:nécessaires?|requis|utiles?)\b"
        r"|\bsans (?:re)?(?:lancer|exécuter|faire tourner|passer) |\bne (?:pas|plus) (?:re)?(?:lancer|exécuter|faire tourner) |\bc'est moi qui (?:les )?(?:lance|fais|exécute|teste)\b|\bje (?:les )?(?:re)?(?:lance|lancerai|exécuterai|ferai|m'occupe|vais (?:re)?lancer|vais faire)\b",
        needs=("pas |inutile |sans |ne plus |je |moi qui|ignore|tomber |plus tard",),
    ),
    Late(
        r"\bolv[ií]da(?:te)? (?:de )?(?:los|las) (?:tests?|pruebas)\b|\bdeja (?:los|las) (?:tests?|pruebas) para (?:después|luego|más tarde|mañana)\b"
        r"|\bignora (?:los|las|esos|esas) (?:tests?|pruebas)\b(?! (?:de|en)\b)"
        r"|\bno (?:hace falta|es necesario|necesitas|tienes que|hay que|hay necesidad de) (?:que )?(?:(?:ejecut|corr|lan[zc]|hac|hag|pas)\w+|(?:los |las )?(?:tests?|pruebas)\b)|\bsin (?:ejecutar|correr|lanzar|pasar|hacer) |\bno (?:ejecutes|corras|lances|pases|hagas) "
        r"|\byo (?:mism[oa] )?(?:los |las )?(?:ejecut|corr|lanz|hag|har)\w+|\b(?:los|las) (?:ejecuto|ejecutaré|corro|lanzo|hago) yo\b|\b(?:tests?|pruebas) no (?:son necesari[ao]s|hacen falta)\b",
        needs=("no |sin |yo |los |las |esos |esas ",),
    ),
    Late(
        r"\bpode (?:pular|ignorar) (?:os )?testes\b"
        r"|\bignor[ae] (?:os|esses) testes?\b(?! (?:de|do|da|em)\b)|\bn[ãa]o precisa (?:compilar nem )?testar\b"
        r"|\bn[ãa]o (?:precisa|é necess[áa]rio|é preciso|tem que|há necessidade de) (?:de )?(?:rodar|executar|fazer|(?:os )?testes?\b)|\bsem (?:rodar|executar|fazer) |\bn[ãa]o (?:rode|roda|execute|executa) "
        r"|\beu (?:mesm[oa] )?(?:os )?(?:rodo|executo|faço|vou rodar|rodarei)\b|\b(?:rodo|executo) eu\b",
        needs=("não |nao |sem |eu|ignor|pode ",),
    ),
    Late(
        r"\bnon (?:serve|è necessario|occorre|c'è bisogno di|devi|bisogna) (?:eseguire|lanciare|fare|far girare|testare\b|(?:i )?test\b)|\bignora (?:i|quei) test\b|\blascia perdere i test\b|\bnon testare\b|\bsenza (?:eseguire|lanciare|fare|far girare) |\bnon (?:eseguire|lanciare|far girare) "
        r"|\b(?:eseguo|lancio|faccio|eseguirò|lancerò) io\b|\bio (?:eseguo|lancio|faccio|eseguirò|lancerò)\b",
        needs=("non |senza | io|io |ignora|perdere",),
    ),
    Late(
        r"\bniet (?:te )?(?:draaien|runnen|uit(?: te )?voeren|starten|nodig)\b|\bzonder (?:de )?tests? te (?:draaien|runnen)\b|\bik (?:draai|run|doe) (?:[\w-]+ ){0,3}?(?:zelf|later)\b|\b(?:draai|run|doe) ik (?:[\w-]+ ){0,2}?zelf\b",
        needs=("niet |zonder |ik ",),
    ),
    Late(
        r"(?:запускать|прогонять|гонять|выполнять) (?:\w+ )?не (?:нужно|надо|обязательно|требуется)|не (?:нужно|надо|обязательно|требуется) (?:запускать|прогонять|гонять|выполнять|тест)|тесты? не (?:нужн|требу)|\bсама? (?:запущу|прогоню)|(?:запущу|прогоню) (?:\w+ )?сама?\b|без запуска тест|тест\w* (?:\w+ )?не (?:запускай|гоняй|прогоняй|выполняй)",
        needs=("не |сам|без ",),
    ),
    Late(
        r"(?:测试|測試)(?:可以|先|就)?(?:跳过|跳過|忽略|省略)(?:[了吧。]|$)"
        r"|(?:不用|不要|不必|无需|無需|不需要|没必要|先别|先不|别|別)(?:再|去|先)?(?:运行|運行|执行|執行|跑|做)(?:任何|单元|單元|所有|全部)?(?:测试|測試)|(?:测试|測試)(?:就|先|都)?(?:不用|不必|不需要|不要)(?:运行|执行|跑|做|了)?(?:[了吧。]|$)"
        r"|(?:测试|測試)(?:由|让|就)?我(?:自己)?(?:(?:会|來|来)?(?:跑|运行|执行|做|测)|[来來](?:[吧。]|$))|我(?:自己|会|來|来){1,2}(?:跑|运行|执行|做)(?:一下)?(?:测试|測試)",
        needs=("测试|測試",),
    ),
    Late(
        r"テスト(?:の?実行)?(?:は|を|も)?(?:実行)?(?:せず|しないで|しなくて|走らせなくて|回さなくて|走らせずに|必要ない|必要ありません|不要|なしで|後で|あとで|後回し|こちらで|自分で|私が|僕が)",
        needs=("テスト",),
    ),
)
#: The person tries the work out, which no run need be named for: "ich probier das selbst aus", "lo pruebo yo".
_TRIES_IT = Late(
    r"\bich (?:teste?|probiere?|prüfe?|schaue?|gucke?|checke?|kontrolliere?) (?:[\w-]+ ){0,4}?(?:selbst|selber|im browser)\b|\btesten tu ich\b"
    r"|\bje (?:(?:le|la|les|l') ?)?(?:test|vérifi|regard|essa|contrôl)\w+ (?:[\w-]+ ){0,3}?(?:moi-même|le navigateur)"
    r"|\b(?:l[oa]s?|ya) (?:pruebo|probaré|verifico|compruebo|reviso|testeo) (?:\w+ )?(?:yo|en el navegador)\b|\byo (?:mism[oa] )?(?:l[oa]s? )?(?:pruebo|probaré|verifico|compruebo|testeo)\b"
    r"|\beu (?:mesm[oa] )?(?:testo|testarei|verifico|confiro|vou testar)\b|\b(?:l[oaie] )?(?:provo|testo|verifico|controllo) (?:\w+ )?io\b|\bio (?:l[oaie] )?(?:provo|testo|verifico)\b"
    r"|\bik (?:test|check|probeer|bekijk|controleer) (?:[\w-]+ ){0,3}?zelf\b|\bсама? (?:проверю|протестирую|потестирую|посмотрю)|(?:проверю|протестирую|потестирую) (?:\w+ )?сама?\b"
    r"|我(?:自己|会|來|来){1,2}(?:再|去)?(?:测|測|验证|驗證|检查|檢查|试|試)|(?:确认|测试|验证)(?:由)?我(?:自己)?来|(?:確認|検証|テスト)は?(?:こちらで|自分で|私が|僕が)",
    needs=(
        "selbst|selber|browser|tu ich|moi-même|navigateur|yo|navegador|eu |io|zelf|сам|我|こちらで|自分で|私が|僕が",
        "ich|je |pruebo|probaré|verifico|compruebo|reviso|testeo|testo|testarei|confiro|testar|provo|controllo|ik |проверю|тестирую|смотрю|我|確認|検証|テスト",
    ),
)
#: In front of it: a case that is told of, and no promise.
_SUPPOSED = Late(r"\b(?:wenn|falls|sobald|quand|lorsque|si|cuando|quando|se|als|wanneer)\b|если|когда|如果|的时候")
_OR_TESTS = r"(?:tests?|testes|pruebas|тест\w{0,6}|测试|測試|テスト)"
_BUILD = r"(?:build|builds|сборк\w{0,4}|构建|構建|编译|ビルド)"
_AND = r" ?(?:,? ?\b(?:ni|nem|né|noch|und|oder|ou|of|en|et|y|e|o)\b|/|или|и|和|或|や) ?"
_ARTICLE = r"(?:(?:el|le|la|den|die|das|der|o|a|il|de|het|un|einen?|keinen?) )?"
#: Behind it: what was seen, and no promise either.
_FAILS = Late(
    r"\b(?:err(?:o|or|ore|eur|eurs|ores|os)|fehler\w{0,12}|foutmelding|fall[ao]|falha|fallisce|plante|vide|vac[ií]o|vazi[oa]|vuot[oa]|leer|leeg|crash\w{0,3}|nicht|niet|nichts|pas|rien|no|não|non|nada|niente)\b|не |ошибк|пуст|падает|报错|失败|不行|不了|エラー|落ち|ない"
)
#: Both in one breath: "weder Tests noch Build".
TESTS_AND_BUILD = Late(
    rf"{_OR_TESTS}{_AND}{_ARTICLE}{_BUILD}(?!\w)|{_BUILD}{_AND}{_ARTICLE}{_OR_TESTS}",
    needs=("build|сборк|构建|構建|编译|ビルド", "test|pruebas|тест|测试|測試|テスト"),
)
#: "Run nothing", of whatever kind: no tests, and no build.
RUN_NOTHING = Late(
    r"\bnichts (?:ausführen|laufen lassen|starten)\b|\bführe? (?:bitte )?nichts aus\b|\bn(?:'exécute|e lance)[sz]? rien\b|\bno (?:ejecutes|corras|lances) nada\b|\bn[ãa]o (?:execute|executa|rode|roda) nada\b"
    r"|\bnon eseguire (?:nulla|niente)\b|\bniets (?:uitvoeren|draaien)\b|\bничего не (?:запускай|выполняй|гоняй)|什么都(?:不要|不用|别)(?:运行|执行|跑)|何も(?:実行しない|実行せず|走らせない)",
    needs=("nichts| rien| nada| nulla| niente|niets|ничего|什么都|何も",),
)
#: It cannot be done, it must not be forgotten, or nothing may happen without it: no waiver.
_NO_WAIVER = Late(
    r"\b(?:kann|können|konnte|lässt|lassen sich|vergiss|vergessen|(?<!tu )peux(?!-tu)|peut|arrive|oubli\w+|puedo|puede|podemos|olvid\w+|consigo|consegue|posso|esque[çc]\w+|riesco|dimentic\w+|kan(?! je)|lukt|vergeet|vergeten)\b|могу|удаётся|удается|забудь|забывай|无法|不能|忘|できない|できません|忘れ"
    r"|\b(?:nicht|nie|niemals|pas|jamais|rien|no|nunca|não|nao|non|mai|niet|nooit)\b[^,;]{0,60}\b(?:ohne|sans|sin|sem|senza|zonder)\b|\b(?:nicht|ne|pas|no|não|non|niet) (?:nur|seulement|solo|só|solamente|alleen)\b"
)

_PR = r"(?:prs?|pull[ -]?requests?|merge[ -]?requests?|mrs?)(?![\w-])"
#: When it is to be done, and what it is for: "mach danach bitte einen PR dafür auf".
_THEN = r"danach|dann|anschließend|noch|auch|gleich|jetzt|dafür|daraus|daraufhin|ensuite|puis|aussi|maintenant|après|luego|después|también|ahora|depois|também|agora|poi|anche|dopo|ora|daarna|dan|ook|nu"
_ARTICLE = rf"(?:(?:einen?|eine|den|une?|la|le|una?|el|um|uma|o|il|een|de|neuen|bitte|mir|maar|{_THEN}) ){{0,4}}"
LEAD = r"^(?:(?:und|dann|danach|anschließend|zum schluss|am ende|bitte|et|puis|ensuite|enfin|y|luego|después|al final|por favor|e|depois|no final|poi|infine|en|daarna|dan|vervolgens|и|потом|затем)[, ]+)*"
_POLITE = r"(?:(?:,? (?:bitte|danke|stp|svp|s'il te plaît|por favor|gracias|obrigad[oa]|per favore|grazie|пожалуйста|graag))*|(?:して|しといて|お願い)(?:ください|下さい|おいて(?:ください|下さい)?|します|いたします|ね)?)[.!。！]*$"
_MAKE = r"(?:mach|mache|erstelle?|fais|faites|haz|faz|faça|fai|maak|сделай)"
_ONE = r"(?:(?:einen?|den|une?|le|el|um|o|il|een|mir) ){0,2}"
_ALL_OF_IT = r"(?: (?:das(?: ganze)?|es|alles|die änderungen|le tout|tout|ça|todo|tudo|tutto|alles|всё|все|это))?"
#: Where no clause is cut, the order stands behind another verb: "почини и закоммить", "直してコミットして".
_LINKED = r"(?<=\bи )(?:потом |затем )?(?=за|ком|пуш)|(?<=[てで])(?:から)?(?=コミット|プッシュ)"
_TO = r"(?:到 ?(?:远程|[\w./-]{1,40}))?"
#: A whole clause that orders one of git's deeds, and says nothing else.
ORDERS: dict[str, Late] = {
    "commit": Late(
        rf"(?:{LEAD}|{_LINKED})(?:(?:(?:das|es|alles|die änderungen) )?(?:bitte )?(?:commit|comit)ten|commit (?:het|dit|alles|de wijzigingen)|(?:(?:commit|comit)t?e|commitez|commitea|commitealo|(?:commit|comit)t?a|commitéalo){_ALL_OF_IT}|{_MAKE} {_ONE}(?:commit|коммит)|(?:за)?коммить{_ALL_OF_IT}(?: и (?:за)?пуш[иь])?|(?:请|再|然后|最后)?提交(?:代码|一下|更改|修改|并推送{_TO})|(?:最後に|そして)?コミット(?:(?:して|と|・|、)*(?:プッシュ|push))?(?:まで)?[をも]?(?=して|しといて|お願い)){_POLITE}",
        needs=("commit|comit|коммит|提交|コミット",),
    ),
    "push": Late(
        rf"(?:{LEAD}|{_LINKED})(?:(?:(?:das|es|alles|die änderungen) )?(?:bitte )?pushen|(?:pushe|poussez?|pushea|pushealo|pusha|s[uú]belo){_ALL_OF_IT}|push (?:het|dit|alles|de wijzigingen)|(?:{_MAKE}|d[áê]) {_ONE}(?:push|пуш)|(?:(?:за)?коммить и )?(?:за)?пуш[иь]{_ALL_OF_IT}|(?:请|再|然后|最后)?(?:提交)?并?推送(?:代码|一下|上去|{_TO})|(?:最後に|そして)?(?:コミット(?:して|と|・|、)*)?プッシュ(?:まで)?[をも]?(?=して|しといて|お願い)){_POLITE}",
        needs=("push|pouss|sube|súbe|пуш|推送|プッシュ",),
    ),
}
#: name in `Words` -> what says it, anywhere in a clause.
_SAYS: dict[str, tuple[Late, ...]] = {
    "no_push": (
        Late(  # the person does it: "ich committe selbst", "je ferai le commit moi-même"
            r"\b(?:commit\w*|push\w*|pousse\w*)\b[^,;]{0,20}\b(?:ich (?:dann )?selbst|selber|selbst|moi-même|yo mism[oa]|eu mesm[oa]|io stesso|zelf)\b|\byo (?:mism[oa] )?(?:hago|haré) (?:el )?(?:commit|push)\b|\beu (?:mesm[oa] )?(?:faço|vou fazer) (?:o )?(?:commit|push)\b|\b(?:commit|push) (?:lo faccio|li faccio) io\b",
            needs=("commit|push|pousse", "selbst|selber|moi-même|mism|mesm|stesso|zelf|yo |eu |io"),
        ),
        Late(
            r"(?:コミット|プッシュ)(?:は|も)?(?:自分で|こちらで|私が|僕が)|我(?:自己)(?:会|来|來)?(?:提交|推送|commit|push)|(?:提交|推送)(?:由|让)?我(?:自己)?[来來]",
            needs=("コミット|プッシュ|提交|推送|commit|push", "コミット|プッシュ|我"),
        ),
        Late(r"\bniet (?:pushen|committen)\b", needs=("niet pushen|niet committen",)),
        Late(r"\b(?:não|nao) (?:faça|faz|dê|fazer) (?:o |um )?(?:push|commit)\b", needs=("não |nao ",)),
        Late(r"\bnon (?:pushare|committare|fare (?:il )?(?:push|commit))\b", needs=("non pushare|non committare|non fare",)),
        Late(r"\bne (?:fais|faites) pas (?:de |le )?(?:push|commit)\b", needs=("ne fais pas|ne faites pas",)),
        Late(r"\bне (?:пушь|пуши|коммить|коммити)", needs=("не ",)),
        Late(
            r"(?:不要|别|別|先不|不用)(?:推送|push|提交)|(?:プッシュ|コミット)(?:は)?(?:しないで|せず|不要)",
            needs=("不|别|別|プッシュ|コミット",),
        ),
    ),
    "asks_commit": (ORDERS["commit"], Late(rf"{LEAD}commit[.!]*$", needs=("commit",))),
    "asks_push": (
        ORDERS["push"],
        Late(r"^(?:o|el|le|il|un|um|de|den) push\b", needs=("o push|l push|le push|un push|um push|de push|den push",)),
        Late(r"\b(?:faz|faça|fai|fais|haz|doe|mach|dá|dê)\b (?:o |el |le |il |un |um |een |den )?push\b|\bs[uú]bel[oa]s?\b(?!\()", needs=("faz |faça |fai |fais |haz |doe |mach |dá |dê |bel", "push|sube|súbe")),
        Late(r"(?<!не )\b(?:за)?(?:пушь|пуши|пушни|пушить)\b|\bзалей\b", needs=("пуш|залей",)),
        Late(
            r"(?:プッシュ|push)(?:して|しといて|も?お願い)|(?<!不要)(?<!别)(?<!別)(?<!先不)(?<!不用)(?:推送(?!通知|消息|服务|功能|系统)|推到|推上去|push(?:一下|到|上去))",
            needs=("プッシュ|推|pushし|pushも|pushお|push一|push到|push上",),
        ),
    ),
    "asks_pr": (
        Late(
            rf"\b(?:erstelle?|mache?|öffne|eröffne|lege?) {_ARTICLE}{_PR}|^{_ARTICLE}{_PR} (?:(?:dafür|daraus|dazu|bitte) )?(?:erstellen|aufmachen|öffnen|anlegen|stellen)\b|\b(?:ouvre|ouvrez|crée|créez|fais|faites) {_ARTICLE}{_PR}|\b(?:abre|abra|crea|haz|apri|fai|cria|crie|faz|faça|maak) {_ARTICLE}{_PR}|\bopen (?:een|maar) {_ARTICLE}{_PR}",
            needs=(
                "pr|pull|merge|mr",
                "erstell|mach|öffne|leg |lege|aufmachen|anlegen|stellen|ouvr|crée|créez|fais|faites|abre|abra|crea |haz |apri |fai |cria |crie |faz |faça |maak |open een|open maar",
            ),
        ),
        Late(r"\b(?:создай|открой|сделай|оформи)(?:те)? (?:pr|пр|mr|пулл?[ -]?реквест)(?!\w)", needs=("создай|открой|сделай|оформи",)),
        Late(
            r"(?:创建|創建|开|開|提交?|建|发|發)(?:一?[个個])?\s*(?:pr|pull request|mr)(?![a-z])|(?:(?<![a-z])pr|プルリク(?:エスト)?)(?:を|も)?(?:作成|作って|出して|立てて)",
            needs=("pr|pull request|mr|プルリク",),
        ),
    ),
    "no_change": (
        Late(r"\bniets (?:aanpassen|wijzigen|veranderen)\b|\balleen uitleggen\b", needs=("niets|alleen",)),
        Late(r"\bничего не (?:меняй|трогай|изменяй|правь)|\b(?:просто|только) объясни", needs=("ничего|объясни",)),
        Late(r"(?:変更|修正|編集)(?:しないで|せず)|触らないで|説明だけ|(?:只|仅)(?:需要?)?(?:解释|说明)", needs=("変更|修正|編集|触|説明|解释|说明",)),
    ),
    "confirmed": (
        Late(r"^(?:es |das |jetzt )*(?:funktioniert|läuft|klappt|geht|passt)(?: (?:jetzt|nun|super|alles|so|wieder|perfekt|danke))*[.!]*$", needs=("funktioniert|läuft|klappt|geht|passt",)),
        Late(r"^(?:ça |cela |tout |maintenant )*(?:marche|fonctionne)(?: (?:maintenant|bien|très|parfaitement|merci))*[.!]*$", needs=("marche|fonctionne",)),
        Late(r"^(?:ya |ahora |todo |agora |já |tudo |isso |eso |ora |adesso |tutto )*(?:funciona|funcionou|funziona)(?: (?:ya|ahora|bien|perfecto|agora|bem|ora|adesso|bene|perfettamente|genial))*[.!]*$|^deu certo\b", needs=("funciona|funcionou|funziona|deu certo",)),
        Late(r"^(?:het |dit |alles )?werkt(?: (?:nu|goed|weer|perfect|prima))*[.!]*$", needs=("werkt",)),
        Late(r"^(?:всё |все |теперь |уже |сейчас )*(?:работает|заработало)(?: (?:теперь|отлично|хорошо))*[.!]*$", needs=("работа",)),
        Late(r"^(?:现在|已经|都|完全|就)*(?:好了|可以了|能用了|正常了|没问题了?|修好了|解决了)[.!。！]*$|^(?:ちゃんと|無事|うまく|正常に)*(?:動きました|動いた|動いています|直りました|いきました)", needs=("了|没问题|した|いた|います",)),
    ),
}  # fmt: skip


def waives_tests(clause: str, sentence: str) -> bool:
    """Whether a clause says that the tests need not run, or that the person runs them: "les tests, je les lance moi-même"."""
    low = folded(clause)
    if tries_it(low, sentence) or _RUN_IN_CI.search(folded(sentence)):
        return True
    whole = any(word in low for word in _MYSELF) or TESTS_AND_BUILD.search(folded(sentence)) is not None
    about = folded(sentence) if whole else low
    spoken_of = any(word in about for word in TESTS) and any(known.search(low) for known in _NO_TESTS)
    return spoken_of and not _NO_WAIVER.search(low)


def tries_it(low: str, sentence: str) -> bool:
    """Whether a clause in lower case promises that the person tries the work out, and does not tell what came of it."""
    match = _TRIES_IT.search(low)
    if match is None or _SUPPOSED.search(low[: match.start()]) or _NO_WAIVER.search(low):
        return False
    return _FAILS.search(folded(sentence).partition(low)[2] + low[match.end() :]) is None


def says(name: str, clause: str) -> bool:
    """Whether a clause says what the field `name` of `Words` stands for."""
    low = folded(clause)
    return any(known.search(low) for known in _SAYS.get(name, ()))
