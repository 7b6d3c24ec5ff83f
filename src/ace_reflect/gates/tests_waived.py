"""The words with which people take the tests on themselves, put them off or do without (`tests_may_fail`: let them be red)."""

from ace_reflect.gates.phrases import NOT, NOT_STARTS, RUN_OF_TESTS, TAIL, TESTS, TESTS_STARTS, anywhere, starting

#: A sentence without one of these words is not looked at any closer; `tests_may_fail`'s are among them.
SIGNS = (
    "test", "spec", "suite", "jest", "pruebas", "prueb", "try", "verif", "run ", "execut", "command", "take it from", "take over", "ignore", "skip", "leave", "them", "those", "fail", "check", "e2e", "ci ", "be green", "anything", "nothing", "even ", "wip", "in progress", "in-progress", "broken", "unfinished", "half", "to work", "needn't work", "compile", "browser", "navigateur", "navegador", "selbst", "selber", "moi-même", "vérif", " zelf", "провер", "посмотр", "the rest", "den rest", "reste", "resto", "myself", "watch", "eyeball", "throwaway", "throw-away", "disposable", "bother", "测", "測", "验证", "確認", "検証", "nichts", " rien", " nada", " nulla", " niente", "niets", "ничего", "什么都", "何も", "тест", "测试", "測試", "テスト", "테스트",
)  # fmt: skip
_IN_CI = r"(?:in|on|by)\s+(?:the\s+|our\s+)?(?:ci|build server|staging|github actions|pipeline)\b"

#: "Not locally, run them in docker": the person says where.
RUN_THERE = anywhere(
    r"\b(?:use|run|execute|only|always)\b[^.;]{0,40}\b(?:docker|containers?|compose|devcontainer|vms?|remote|cluster|ssh|tox|nox|make|`[^`]+`)",
    "use|run|execute|only|always",
    "docker|container|compose|vm|remote|cluster|ssh|tox|nox|make|`",
)

#: Of proof in general: of the tests as of the build.
NO_PROOF = (
    starting(
        rf"{NOT}\s+(?:run(?:ning)?|execut(?:e|ing)|verify(?:ing)?)\s+anything\b{TAIL}|{NOT}\s+verify(?:\s+(?:it|this|that|them|the changes?))?{TAIL}",
        NOT_STARTS,
        "anything|verify",
    ),
    starting(
        r"(?:i|i'?ll|i will|we'?ll|we will)\s+(?:just |then )?take\s+(?:it|over)\s+from\s+(?:here|there)\b",
        "i|we",
        "take",
        "here|there",
    ),
    starting(  # "wip is fine, I'll fill in the rest tomorrow", "stub it out, I'll implement it myself"
        r"(?:i|i'?ll|i will|i'?m going to|i'?m gonna|let me)\s+(?:just |then )?(?:(?:fill in|finish|complete|do|write|implement|handle|take care of|flesh out)\s+(?:the rest|the remainder|what'?s left|the remaining (?:parts?|pieces?|bits?))(?:\s+(?:of it|myself|later|tomorrow|tonight|today|by hand|then|afterwards?))*"
        r"|(?:implement|finish|complete|flesh out)\s+(?:it|them|this|that|the (?:bodies|logic|details))\s+(?:myself|by hand|later|tomorrow|tonight))\s*[.!]*$",
        "i|let",
        "the rest|the remain|what's left|whats left|myself|by hand|later|tomorrow|tonight",
    ),
    starting(
        r"den rest\s+(?:mache?|erledige|übernehme|schreibe?|baue?|fülle?)\s+ich\b|je\s+(?:fais|ferai|finis|finirai|termine|terminerai|m'occupe du|m'occuperai du)\s+(?:le\s+)?reste\b|(?:yo\s+)?(?:hago|haré|termino|terminaré|me encargo del|me encargaré del)\s+(?:el\s+)?resto\b",
        "den|je|yo|hago|haré|termin|me",
        "rest",
    ),
    starting(
        rf"{NOT}\s+(?:run|execute)\s+(?:any\s+)?(?:(?:bash|shell|terminal)\s+)?commands?(?=\s*(?:$|[.!?]|(?:please|pls|at all|here|yet|for now|until|just|only|today)\b))|no\s+(?:(?:bash|shell|terminal)\s+)?commands(?:\s+(?:please|pls|at all|today))?\s*[.!]*$",
        NOT_STARTS,
        "command",
    ),
    starting(
        r"(?:no|without|skip)\s+(?:the\s+|any\s+|further\s+|additional\s+|extra\s+)?(?:verification|validation|execution)\b(?:\s+(?:is\s+)?(?:needed|necessary|required)|\s*$)",
        "no|without|skip",
        "verification|validation|execution",
    ),
    starting(
        r"i verify(?: (?:it|this|everything))?(?: (?:myself|manually|locally|later|by hand))?\s*[.!]*$|(?:i'?ll|i will|i'?m going to|let me|we'?ll|we will)\s+(?:just |then |first )?verify\b(?:\s+(?:it|this|them|everything|these|manually|locally|later|afterwards?|myself|by hand|on my)\b|\s*[.!]?$)",
        "i|let|we",
        "verify",
    ),
)
#: "Just the edit please, nothing else"; alone, "nothing else" may be of other work.
NOTHING_ELSE = anywhere(
    r"\b(?:just|only)\s+(?:make\s+|do\s+)?(?:the|this|that)\s+(?:one\s+)?(?:code\s+)?(?:edit|change)s?(?:\s+(?:please|pls))?\s*[,;–—-]?\s*(?:and\s+)?(?:do\s+)?nothing\s+(?:else|more)\b",
    "edit|change",
    "nothing",
)
#: At the start of a clause.
AT_START = (
    *NO_PROOF,
    starting(
        rf"{NOT}\s+(?:(?:even|ever|actually)\s+)?(?:(?:try(?:ing)? to |attempt to )?(?:(?:write|add|create|update) (?:or|nor) )?(?:run|re-?run|execute)(?: (?:or|nor) (?:write|add|create|update|change|touch))?|running|executing|re-?running|start|launch|bother(?: (?:with|w/?|running|to run|about))?|worry (?:about|abt)|mind|nag\w*(?: me)? about|wait for|(?:waste|spend) (?:any |too much |much )?time (?:on|with)|do|care about)\s+(?!all\b|every\b|the (?:full|whole|entire)\b){TESTS}{TAIL}",
        NOT_STARTS,
        "jest|specs|suite|test",
        "avoid|don't|dont|needn't|neednt|never|no need for|no need to|not|refrain from|skip|stop",
    ),
    starting(
        rf"(?:skip|skipping|ignore|forget(?: about)?|bypass|leave out|omit|nvm|never\s?mind|no|zero|without|w/o)\s+(?:running\s+|the run of\s+)?{RUN_OF_TESTS}{TAIL}",
        "bypass|forget|ignore|leave out|never|no|nvm|omit|skip|without|w/o|zero",
        "jest|specs|suite|test",
        "bypass|forget|leave out|never|no|nvm|omit|skip|without|w/o|zero",
    ),
    starting(
        rf"{NOT}\s+(?:(?:try to )?(?:run|re-?run|start|execute|launch)|running|executing|bother with)\s+(?:the\s+|any\s+)?(?:e2e|playwright|cypress|phpunit|rspec|mocha|ctest|tox)(?:\s+(?:locally|here|checks?))?{TAIL}",
        NOT_STARTS,
        "e2e|playwright|cypress|phpunit|rspec|mocha|ctest|tox",
        "run|start|execut|launch|bother with",
    ),
    starting(  # "only run tests when i ask"
        rf"only\s+(?:ever\s+)?(?:re-?)?run\s+{TESTS}\s+(?:when|if|once|after)\s+(?:i (?:ask|say|tell)|asked|told)\b",
        "only",
        "jest|specs|suite|test",
        "i ask|i say|i tell|asked|told",
    ),
    starting(
        rf"{TESTS}\s+(?:(?:are|is)\s+not|aren'?t|isn'?t|not)\s+(?:needed|necessary|required|important|relevant)",
        TESTS_STARTS,
        "jest|specs|suite|test",
        "important|necessary|needed|relevant|required",
    ),
    starting(rf"no (?:need to test|need for {RUN_OF_TESTS}){TAIL}", "no need", "no need ", "for |to test"),
    starting(
        rf"(?:(?:i|we|you|this|it)\s+)?(?:do not|don'?t|does not|doesn'?t)\s+(?:really\s+|even\s+)?(?:need|want|require)\s+(?:{RUN_OF_TESTS}|to be (?:tested|verified)){TAIL}",
        "do|i|it|this|we|you",
        "jest|specs|suite|test|verified",
        "don't|dont|do not|does not|doesn't|doesnt",
    ),
    starting(
        rf"{TESTS}(?:'s|\s+(?:are|is))\s+(?:optional|up to me|on me|my job)\b|{TESTS}\s+(?:are|is|will be)\s+run\s+(?:(?:by|in|on)\s+(?:the\s+)?ci|by\s+(?:me|us|(?:the\s+|our\s+|my\s+|a\s+)?(?:reviewers?|qa|team|colleagues?|coworkers?)))\b",
        TESTS_STARTS,
        "jest|specs|suite|test",
        "optional|up to me|on me|my job|ci|by",
    ),
    starting(  # all of them, as "the e2e tests run in CI only" says nothing of the others
        rf"(?:(?:the|all|our|my|your|these|unit)\s+){{0,2}}(?:tests|specs|(?:test )?suite)\s(?:[^.;:!?]{{0,60}}?\s)??(?:only\s+(?:be\s+)?(?:runs?|works?)\s+{_IN_CI}|(?:run|work)s?\s+only\s+{_IN_CI}|(?:run|work)s?\s+{_IN_CI}\s+only\b)",
        "all|my|our|specs|suite|test|the|unit|your",
        "specs|suite|test",
        "only",
        "ci|build server|staging|github actions|pipeline",
    ),
    starting(
        rf"(?:the\s+|our\s+)?ci\s+(?:(?:will|can|is going to)\s+(?:run|do|execute|handle|take care of)\s+(?:{TESTS}|the rest|that|it){TAIL}|(?:already\s+)?(?:runs|does|executes|handles)\s+{TESTS}{TAIL})",
        "ci|our|the",
        "ci",
        "do|execute|handle|run|take care of",
    ),
    starting(
        r"(?:the\s+|our\s+)?ci\s+(?:will|is going to)\s+(?:tell|show|catch|check|verify)(?:\s+(?:us|me|it|that|them|anything|everything))*\s*[.!]*$",
        "ci|our|the",
        "ci",
        "tell|show|catch|check|verify",
    ),
    starting(
        r"(?:i'?ll|i will|let me)\s+(?:just |then )?eyeball\s+(?:it|this|that|them|the (?:result|output|page|screen|diff))\b",
        "i|let",
        "eyeball",
    ),
    starting(
        rf"hold off\s+(?:on|with)\s+(?:running\s+)?{TESTS}{TAIL}", "hold off", "hold off", "jest|specs|suite|test"
    ),
    starting(
        rf"(?:you|we)\s+(?:don'?t have|do not have|have no)\s+(?:the\s+)?(?:permissions?|access|rights?)\s+to\s+(?:run|execute)\s+{TESTS}{TAIL}",
        "we|you",
        "access|permission|right",
        "jest|specs|suite|test",
    ),
    starting(
        rf"(?:do|finish|ship|commit|push|make|add|build|fix|write|try|go|continue|proceed)\s+(?:(?:it|this|that|on|ahead)\s+)?(?:without|w/o)\s+{TESTS}{TAIL}",
        "do|finish|ship|commit|push|make|add|build|fix|write|try|go|continue|proceed",
        "without|w/o",
        "jest|specs|suite|test",
    ),
    starting(  # "tests later", "we can do the tests tomorrow"
        rf"(?:(?:we|i)(?:'?ll| will| can| could)?\s+)?(?:(?:do|run|handle|look at|fix|repair)\s+)?{TESTS}\s+(?:(?:come|comes|is for|are for)\s+)?(?:later|tomorrow|afterwards?|another time)\s*(?:$|[.!]|(?:pls|please|thanks)\b)",
        f"do|fix|handle|i|look|repair|run|we|{TESTS_STARTS}",
        "jest|specs|suite|test",
        "later|tomorrow|after|another time",
    ),
    starting(r"(?:(?:there'?s|there is|so)\s+)?nothing to test\b", "nothing|so|there", "nothing", "test"),
    starting(rf"no time (?:for {TESTS}|to (?:test|run {TESTS})){TAIL}", "no", "test|jest|specs|suite", "time"),
    starting(
        rf"(?:qa|the qa(?: team)?|our testers?|my (?:colleague|coworker|boss)|the (?:client|customer)s?)\s+(?:(?:will|is going to|are going to)\s+(?:test|(?:run|do)\s+{TESTS})|(?:runs?|does)\s+{TESTS})\b",
        "qa|the|our|my",
        "jest|specs|suite|test",
    ),
    starting(
        rf"{TESTS}\s+(?:can|could|may)\s+wait\b(?!\s+(?:for|on)\s+(?!now\b))",
        TESTS_STARTS,
        "jest|specs|suite|test",
        "wait",
    ),
    starting(
        rf"leave\s+(?:(?:running|the running of)\s+)?{TESTS}\s+(?:to|for)\s+(?:me|us|(?:the )?ci)\b",
        "leave",
        "leave",
        "jest|specs|suite|test",
    ),
    starting(
        rf"(?:you|we)\s+(?:can'?t|cannot|can not|won'?t be able to|(?:are|'re) not able to)\s+(?:actually |even |really )?(?:run|execute)\s+{TESTS}{TAIL}",
        "we|you",
        "jest|specs|suite|test",
        "can't|cant|cannot|can not|be able|not able",
    ),
    starting(
        rf"{NOT}\s+test(?:ing)?\s*(?:it|this|that|them|anything|the changes?)?{TAIL}",
        NOT_STARTS,
        "test",
        "avoid|don't|dont|needn't|neednt|never|no need for|no need to|not|refrain from|skip|stop",
    ),
    starting(  # "you can't test that without the device", and no rule of who may
        r"you\s+(?:can'?t|cannot|can not|won'?t be able to)\s+(?:actually |even |really )?(?:test|run)(?:\s+(?:it|this|that|anything))?\s*(?:$|[.!]|(?:here|there|locally|anyways?|without|from|on your|yourself)\b)",
        "you",
        "test|run",
        "can't|cant|cannot|can not|be able",
    ),
    starting(
        r"(?:i'?ll|i will|i'?m going to|i am going to|i'?m gonna|let me|i can|i have to|i need to|i want to|we'?ll|we will|will)\s+(?:just |then |now |first )?"
        r"(?:test|try|run (?:the |our |all )?(?:\w+ )?(?:tests?|suite|specs))\b(?:\s+(?:it|this|that|them|everything|these|out|manually|locally|later|tonight|there|afterwards?|myself|by hand|the changes?|on (?:my|the|a|our|real|device|hardware|staging|prod\w*) ?\w*|in (?:the )?(?:simulator|emulator|browser|xcode|staging)|tomorrow|first|now|and|then|what|if|once|when|as soon as|on (?:my|our) (?:end|side)|at the end)\b|\s*[.!]?$)",
        "i|let|w",
        "specs|suite|test|try",
        "i am going to|i can|i have to|i need to|i want to|i'll|i'm going to|i'm gonna|ill|im going to|im gonna|let me|we'll|well|will",
    ),
    starting(  # "i'll run it and tell you", and not "we'll run it every night"
        r"(?:i'?ll|i will|let me|i'?m going to|i'?m gonna|we'?ll)\s+(?:just |then )?(?:run|execute) (?:it|this|them|everything|(?:all )?(?:the )?commands)(?:\s+(?:in a (?:minute|moment|second|sec|bit|while)|soon|shortly|tonight|tomorrow|myself|locally|here|manually|later|now|first|then|on (?:my|the) (?:own )?(?:phone|device|machine|mac|laptop|box|end|side)|at the end|in the end|afterwards?|please|pls))*\s*[.!]*$"
        rf"|i(?:'?ve)?\s+(?:have|keep|got)\s+{TESTS}\s+(?:running (?:on|in) (?:watch|another|a second)|running (?:continuously|permanently|all the time|on (?:my|the other) (?:side|end|screen))|on watch|in watch)",
        "i|let|we",
        "run|execute|on watch|in watch",
        "i'll|ill|i will|let me|i'm g|im g|we'll|well|have|keep|got",
    ),
    starting(  # "jest is in watch mode over here", "my watcher reruns the tests on save"
        rf"{TESTS}\s+(?:is|are)\s+(?:(?:already|always|running)\s+){{0,2}}(?:on|in)\s+watch(?:\s+mode)?\s+(?:in (?:my|another|the other|a second)|over here|here|on my)\b|my\s+(?:\w+\s+)?watcher\s+(?:re-?)?runs\s+{TESTS}\b"
        rf"|{TESTS}\s+--watch(?:all)?\s+(?:(?:is|runs|running|open|already|on)\s+){{1,3}}(?:in (?:my|another|the other|a second)|over here|here|my)\b|i(?:'?ve)?\s+(?:have|keep|got)\s+(?:a|the|my)\s+test\s+watcher\s+(?:open|running|up|on)\b",
        f"i|my|{TESTS_STARTS}",
        "jest|specs|suite|test",
        "watch",
    ),
    starting(  # "no point in running the tests", "it's ok to skip the tests"
        rf"(?:i|we)\s+(?:don'?t(?:\s+really)?|do not|couldn'?t)\s+care\s+(?:less\s+)?(?:about|for)\s+{RUN_OF_TESTS}{TAIL}|(?:there'?s\s+)?no point (?:in\s+)?(?:running\s+)?{TESTS}{TAIL}|(?:it'?s\s+)?not worth (?:running\s+)?{TESTS}{TAIL}|(?:it'?s|that'?s)\s+(?:ok(?:ay)?|fine|alright)\s+(?:to skip|without|not to run)\s+(?:running\s+)?{TESTS}{TAIL}",
        "there|no|it|that|i|we",
        "care|no point|not worth|to skip|without|not to run",
        "jest|specs|suite|test",
    ),
    starting(  # "i'll do the testing", "i test it myself", "i run the tests myself", "i'll check it in the browser"
        rf"(?:i'?ll|i will|let me|i'?m going to|we'?ll)\s+(?:just |then )?(?:do|handle|take care of)\s+{TESTS}{TAIL}|i(?:'?m| am)?\s+test(?:ing)?\s+(?:(?:it|this|that|everything)\s+)?(?:myself|manually|by hand)\b"
        rf"|i\s+(?:(?:always|usually|normally)\s+)?(?:run|do|execute)\s+{TESTS}\s+(?:myself|by hand)\s*(?:$|[.!,;])"
        r"|(?:i'?ll|i will|let me)\s+(?:just |then )?(?:check|look at|try)\s+(?:(?:it|this|that|everything|if it works)\s+)?(?:myself|manually|by hand|locally|in (?:the |my )?(?:browser|simulator|emulator|app)|on (?:my|the) (?:phone|device|machine|end))\b",
        "i|let|we",
        "test|check|suite|specs|jest|look at|try",
        "myself|manually|by hand|do|handle|take care of|check|look at|try",
    ),
    starting(
        rf"{TESTS}\s+(?:can'?t|cannot|can not|won'?t|don'?t|do not|doesn'?t)\s+(?:be )?(?:run|work|start|execute|executed)\b(?:\s+(?:here|locally|in this|on this|without|at the moment|right now|yet)\b|\s*$)",
        TESTS_STARTS,
        "jest|specs|suite|test",
        "execute|run|start|work",
    ),
    starting(
        r"(?:führe?\s+|starte?\s+|lass(?:e)?\s+)?keine\s+(?:unit-?)?tests?\b(?:\s+(?:aus|ausführen|laufen|nötig|starten|machen))?",
        "führ|keine|lass|start",
        "keine",
        "test",
    ),
    starting(
        r"(?:die\s+)?tests?\s+(?:bitte\s+)?(?:nicht\s+(?:ausführen|laufen\s+lassen|starten|nötig)|überspringen|weglassen)|führe?\s+(?:die\s+)?tests?\s+nicht|ohne\s+tests?\b(?!\s+(?:geht|kann|können|läuft|wird|darf|ist|gibt)\b)|ich\s+teste(?:\s+\w+)?\s+selbst",
        "die|führ|ich|ohne|test",
        "nicht|ohne|überspringen|weglassen|selbst",
        "test",
    ),
    starting(
        r"ne\s+(?:lance|lances|lancez|fais|exécute|exécutez)\s+pas\s+(?:(?:les|de)\s+tests?|(?:pytest|jest|vitest))|pas\s+de\s+tests?\b|sans\s+(?:lancer\s+(?:les\s+)?)?tests?\b(?!\s+(?:on|ça|c'est|il|je|impossible)\b)|(?:on|nous)\s+(?:testera|testerons)\b(?:\s+(?:ça|plus tard|après|demain|ensuite))*\s*[.!]*$|je\s+(?:testerai\b|teste\s*[.!]*$)",
        "je|ne|nous|on|pas|sans",
        "pas|sans|je|teste",
        "test|jest",
    ),
    starting(
        r"no\s+(?:ejecutes?|corras?|lances?|hagas?)\s+(?:los\s+|las\s+)?(?:tests?|pruebas)|sin\s+(?:ejecutar\s+(?:los\s+|las\s+)?)?(?:tests?|pruebas)\b(?!\s+no\b)|yo\s+(?:lo\s+)?(?:pruebo|probar[eé])",
        "no|sin|yo",
        "probare|probaré|pruebas|pruebo|test",
        "corra|ejecute|haga|lance|sin|yo",
    ),
    starting(
        r"n[ãa]o\s+(?:rode|execute|rodar|executar|fa[çc]a)\s+(?:os\s+)?testes?|sem\s+(?:rodar\s+(?:os\s+)?)?testes?\b(?!\s+(?:não|nao)\b)",
        "nao|não|sem",
        "teste",
        "executar|execute|faca|faça|rodar|rode|sem",
    ),
    starting(
        r"non\s+(?:eseguire|lanciare|fare)\s+(?:i\s+)?test\b|senza\s+(?:eseguire\s+(?:i\s+)?)?test\b(?!\s+non\b)|salta\s+i\s+test|niente\s+test",
        "niente|non|salta|senza",
        "non|senza|niente|salta",
        "test",
    ),
    starting(
        r"(?:draai|voer)\s+(?:de\s+)?tests?\s+niet|geen\s+tests?\b|zonder\s+tests?\b|sla\s+(?:de\s+)?tests?\s+over",
        "draai|geen|sla|voer|zonder",
        "niet|geen|zonder|over",
        "test",
    ),
    starting(
        r"(?:не\s+(?:запускай\w*|гоняй\w*|прогоняй\w*)|пропусти\w*)\s+тест\w*|без\s+тестов",
        "без|не|пропусти",
        "тест",
        "без|гоняй|запускай|пропусти",
    ),
    starting(
        r"(?:不要|不用|别|別|无需|不必|不需要|没必要)\s*(?:运行|執行|执行|跑|再跑)?\s*(?:单元|任何)?\s*(?:测试|測試)|跳过(?:所有)?测试(?!目录|文件|数据|代码|框架)|跳過測試(?!目錄|檔案)",
        "不必|不用|不要|不需要|没必要|別|别|无需|跳过所有测试|跳过测试|跳過測試",
        "测试|測試",
    ),
    starting(
        r"テスト(?:は|を|の)?\s*(?:実行)?\s*(?:しないで|しなくて|不要|いらない|要らない|スキップ(?!する|され|した|でき)|走らせないで|回さないで|なしで)",
        "テスト",
        "テスト",
    ),
    starting(r"테스트(?:는|를)?\s*(?:실행)?\s*(?:하지\s*마|안\s*해도|필요\s*없|생략|건너)", "테스트", "테스트"),
)
#: "The suite takes an hour, so don't run it": of the tests where they were spoken of just before.
NOT_THEM = starting(
    rf"(?:{NOT}|you (?:can'?t|cannot|can not|won'?t be able to))\s+(?:run|re-?run|execute|start|launch|worry about|bother with)\s+(?:it|them|'?em|those|that)\b{TAIL}"
    r"|skip\s+(?:them|'?em|those)\s+(?:locally|here(?! that\b)|for now|this time|today)\b|(?:do not|don'?t|no need to)\s+(?:even\s+)?bother\s*[.!]*$",
    NOT_STARTS,
    "execute|launch|run|start|worry about|bother|skip",
)
OF_TESTS = anywhere(rf"\b{TESTS}\b", "jest|specs|suite|test")
#: Wherever in a sentence.
ANYWHERE = (
    NOTHING_ELSE,
    anywhere(  # and no word of a program's throw-away objects
        r"\b(?:throw-?away|disposable)\s+(?:prototype|spike|experiment|script|hack|demo|code)\b(?=\s*(?:$|[.,;:!)]|(?:to|for|that|which|so|and|anyway)\b))",
        "throwaway|throw-away|disposable",
    ),
    anywhere(  # "my pre-push hook runs the tests, so you don't have to"
        rf"\bruns?\s+{TESTS}\b[^.!?;,]{{0,40}},?\s+(?:so\s+)?(?:you|we)\s+(?:don'?t|do not)\s+(?:have|need)\s+to\s*(?:$|[.!,;])",
        "run",
        "jest|specs|suite|test",
        "have|need",
    ),
    anywhere(  # "Tests: none"
        r"(?:^|[\s(])(?:unit )?tests?:\s*(?:no|none|nope|skip(?:ped)?|off|not needed)\s*(?:$|[.,;!)])",
        "tests:|test:",
        "no|skip|off",
    ),
    anywhere(
        rf"\b(?:without|w/o|with (?:no|zero))\s+testing(?:\s+(?:it|this|that|anything))?{TAIL}", "with|w/o", "testing"
    ),
    anywhere(
        rf"\b(?:everything|all) (?:except|but) (?:for )?{TESTS}{TAIL}",
        "everything except|everything but|all except|all but",
        "jest|specs|suite|test",
    ),
    anywhere(r"\buntested\s+(?:is|works?)\s+(?:\w+ )?(?:fine|ok(?:ay)?|good)\b", "untested", "fine|ok|good"),
    anywhere(
        rf"\b(?:without|w/o)\s+(?:(?:running|executing|re-?running|doing|any)\s+{TESTS}|(?:running|executing)\s+anything){TAIL}",
        "without|w/o",
        "jest|specs|suite|test|anything",
    ),
)
