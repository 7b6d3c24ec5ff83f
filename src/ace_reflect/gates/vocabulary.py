"""
The words with which people switch gates off, ask for deeds and set limits, in the languages that are met most.

Patterns for the start of a clause are tried behind the fillers of `LEAD` ("please", "can you"); most end in `_TAIL`, so
that "skip the tests" waives and "skip the tests that need network" does not.
"""

from ace_reflect.late import Late

ALL = "all"

LEAD = (
    r"^(?:(?:please|pls|plz|just|ok(?:ay)?|also|then|now|oh|btw|hey|yes|yep|yeah|no|sure|great|good|actually|instead|again|for now|this time|next time|from now on"
    r"|let'?s|we (?:can|should|will|could|do)|you (?:can|may|should|could|must)|feel free to|can (?:you|we)|could (?:you|we)|would you|will you"
    r"|i(?:'d| would) (?:like|prefer|want|rather)(?: you)?(?: to| if you)?|i (?:need|want)(?: you)? to|claude|bitte|s'il te pla[iî]t|por favor|per favore)[,]?\s+)*"
)
_NOT = (
    r"(?:do not|don'?t|dont|never|no need (?:to|for)|needn'?t|need not|avoid|stop|not|refrain from|skip"
    r"|(?:you |we )?(?:do not|don'?t) (?:have|need) to|(?:there'?s|there is|that'?s|it'?s) no need (?:to|for)|it'?s not necessary to|not necessary to)"
)
_TESTS = (
    r"(?:(?:the|any|all|those|these|my|our|your|its|unit|integration|e2e|existing|more|further|other|new|failing|broken|flaky|failed|red|slow)\s+){0,3}"
    r"(?:tests?|test ?suites?|specs|test runs?|testing|pytest|jest|vitest|(?:npm|yarn|pnpm|bun|go|cargo|mvn|make)(?: run)? tests?)"
)
_PR = r"(?:(?:a|an|any|the|another|new|draft|separate|github|gitlab|me)\s+){0,3}(?:prs?|pull[ -]?requests?|merge[ -]?requests?|mrs?)"
_TAIL = (
    r"(?=\s*(?:$|[.!?]|“”|(?:for|in|on|during|at|until) (?:this|that|the|now|today|it|me|all|once|point)\b|this (?:time|session|one)|today|now|yet|again|any ?more|please|here"
    r"|at all|right now|until|because|since|as\b|myself|yourself|on your own|needed|necessary|required|either|though|tho|afterwards?|after|before|from now|thanks|entirely|completely"
    r"|every time|each time|when|while|if you|unless|or\b|just|it'?s|they|i\b|we\b))"
)
_GATES = r"(?:(?:the|all|any|these|those|your|my|completion|reflection|ace-?reflect|stop|quality|verification|hook)\s+){0,3}(?:gates?|checks|completion checks?|reflections?|ace-?reflect|stop[ -]hooks?)"

#: gate -> patterns at the start of a clause. `{…}` are the parts above.
AT_START: dict[str, tuple[str, ...]] = {
    ALL: (
        rf"(?:skip|ignore|disable|bypass|drop|forget|turn off|switch off|no|mute|silence|without|pause|suspend)\s+{_GATES}{_TAIL}",
        rf"{_NOT}\s+(?:run|use|apply|enforce|do|bother with)\s+{_GATES}{_TAIL}",
        rf"(?:turn|switch)\s+{_GATES}\s+off",
        rf"{_GATES}\s+off{_TAIL}",
        r"(?:überspring\w*|ignorier\w*|keine)\s+(?:die\s+|alle\s+)?gates?",
        r"gates?\s+(?:überspringen|ignorieren|aus)\b",
        r"(?:saute|ignore|passe|désactive|sans|pas de)\s+(?:les\s+|tous les\s+)?gates?",
        r"(?:salta|omite|ignora|desactiva|sin|pula|pule|sem|disattiva|senza)\s+(?:los\s+|las\s+|os\s+|i\s+)?(?:todas?\s+)?gates?",
        r"(?:sla)\s+(?:de\s+)?gates?\s+over|geen\s+gates?",
        r"(?:пропусти\w*|без)\s+(?:гейт\w*|gates?)",
        r"(?:跳过|跳過|忽略)\s*(?:gates?|检查|檢查)|(?:gates?|ゲート)\s*(?:は|を)?\s*(?:スキップ|飛ばし|無視)",
    ),
    "tests": (
        rf"{_NOT}\s+(?:(?:even|ever|actually)\s+)?(?:run|running|execute|executing|re-?run(?:ning)?|start|launch|bother (?:with|running|to run|about)|worry about|wait for|waste time on|do|care about)\s+(?!all\b|every\b|the (?:full|whole|entire)\b){_TESTS}{_TAIL}",
        rf"(?:skip|skipping|ignore|forget(?: about)?|bypass|leave out|omit|no|without)\s+(?:running\s+|the run of\s+)?{_TESTS}{_TAIL}",
        rf"{_TESTS}\s+(?:(?:are|is)\s+not|aren'?t|isn'?t|not)\s+(?:needed|necessary|required|important|relevant)",
        rf"no (?:need to test|need for {_TESTS}){_TAIL}",
        rf"(?:don'?t|do not|no need to|needn'?t)\s+test\s*(?:it|this|that|them|anything|the changes?)?{_TAIL}",
        (
            r"(?:i'?ll|i will|i'?m going to|i am going to|i'?m gonna|let me|i can|i have to|i need to|i want to|we'?ll|we will)\s+(?:just |then |now |first )?"
            r"(?:test|try|run the (?:tests?|suite|specs)|run tests)\b(?:\s+(?:it|this|that|them|everything|these|out|manually|locally|later|afterwards?|myself|by hand|the changes?|on my \w+|tomorrow|first|now|and|then|what|if)\b|\s*[.!]?$)"
        ),
        rf"{_TESTS}\s+(?:can'?t|cannot|can not|won'?t|don'?t|do not|doesn'?t)\s+(?:be )?(?:run|work|start|execute|executed)\b(?:\s+(?:here|locally|in this|on this|without|at the moment|right now|yet)\b|\s*$)",
        r"(?:führe?\s+|starte?\s+|lass(?:e)?\s+)?keine\s+(?:unit-?)?tests?\b(?:\s+(?:aus|ausführen|laufen|nötig|starten|machen))?",
        r"(?:die\s+)?tests?\s+(?:bitte\s+)?(?:nicht\s+(?:ausführen|laufen\s+lassen|starten|nötig)|überspringen|weglassen)|führe?\s+(?:die\s+)?tests?\s+nicht|ohne\s+tests?\b|ich\s+teste(?:\s+\w+)?\s+selbst",
        r"ne\s+(?:lance|lances|lancez|fais|exécute|exécutez)\s+pas\s+(?:les|de)\s+tests?|pas\s+de\s+tests?\b|sans\s+(?:lancer\s+(?:les\s+)?)?tests?\b|je\s+(?:teste|testerai)",
        r"no\s+(?:ejecutes?|corras?|lances?|hagas?)\s+(?:los\s+|las\s+)?(?:tests?|pruebas)|sin\s+(?:ejecutar\s+(?:los\s+|las\s+)?)?(?:tests?|pruebas)\b|yo\s+(?:lo\s+)?(?:pruebo|probar[eé])",
        r"n[ãa]o\s+(?:rode|execute|rodar|executar|fa[çc]a)\s+(?:os\s+)?testes?|sem\s+(?:rodar\s+(?:os\s+)?)?testes?\b|eu\s+(?:mesmo\s+)?testo",
        r"non\s+(?:eseguire|lanciare|fare)\s+(?:i\s+)?test\b|senza\s+(?:eseguire\s+(?:i\s+)?)?test\b|salta\s+i\s+test|niente\s+test",
        r"(?:draai|voer)\s+(?:de\s+)?tests?\s+niet|geen\s+tests?\b|zonder\s+tests?\b|sla\s+(?:de\s+)?tests?\s+over",
        r"(?:не\s+(?:запускай\w*|гоняй\w*|прогоняй\w*)|пропусти\w*)\s+тест\w*|без\s+тестов",
        r"(?:不要|不用|别|別|无需|不必)\s*(?:运行|執行|执行|跑|再跑)?\s*(?:单元|任何)?\s*(?:测试|測試)|跳过(?:所有)?测试|跳過測試",
        r"テスト(?:は|を|の)?\s*(?:実行)?\s*(?:しないで|しなくて|不要|いらない|要らない|スキップ|走らせないで|回さないで|なしで)",
        r"테스트(?:는|를)?\s*(?:실행)?\s*(?:하지\s*마|안\s*해도|필요\s*없|생략|건너)",
    ),
    "pr": (
        rf"(?:no|without|skip|forget(?: about)?)\s+{_PR}{_TAIL}",
        rf"(?:{_NOT}|no)\s+(?:open(?:ing)?|creat(?:e|ing)|mak(?:e|ing)|rais(?:e|ing)|submit(?:ting)?|do(?:ing)?|need|file|put up|send|start|bother with)\s+{_PR}\b(?!\s+(?:description|title|comment|body|template|link))",
        rf"(?:i'?ll|i will|let me|we'?ll)\s+(?:open|create|make|raise|submit|do|file)\s+{_PR}",
        rf"(?:don'?t|do not)\s+(?:need|want)\s+{_PR}",
        r"(?:erstell\w*|mach\w*|öffne\w*)?\s*kein(?:en)?\s+(?:pr|pull[ -]?request|merge[ -]?request)|ohne\s+(?:pr|pull[ -]?request)\b",
        r"pas\s+de\s+(?:pr|pull[ -]?request|mr)\b|ne\s+(?:crée|ouvre|fais)\s+pas\s+de\s+(?:pr|pull[ -]?request)|sans\s+(?:pr|pull[ -]?request)\b",
        r"no\s+(?:hagas?|crees?|abras?)\s+(?:un\s+|el\s+|ning[uú]n\s+)?(?:pr|pull[ -]?request)|sin\s+(?:pr|pull[ -]?request)\b|sem\s+(?:pr|pull[ -]?request)\b|n[ãa]o\s+(?:abra|crie|fa[çc]a)\s+(?:um\s+|o\s+)?(?:pr|pull[ -]?request)",
        r"(?:niente|senza|nessuna)\s+(?:pr|pull[ -]?request)\b|geen\s+(?:pr|pull[ -]?request)\b|zonder\s+(?:pr|pull[ -]?request)\b|без\s+(?:pr|пр|пулл?[ -]?реквест\w*)",
        r"(?:不要|不用|别|無需|无需|不需要)\s*(?:提|开|創建|创建|建)?\s*(?:pr|pull request)|(?:pr|プルリク(?:エスト)?)(?:は|を)?\s*(?:不要|いらない|要らない|作らないで|なし)|pr\s*없이",
    ),
    "ci": (
        rf"(?:ignore|skip|forget(?: about)?|no)\s+(?:the\s+)?(?:ci|pipelines?|github actions|ci checks?){_TAIL}",
        rf"{_NOT}\s+(?:wait(?:ing)? for|check(?:ing)?|watch(?:ing)?|worry about|bother (?:with|about)|look at|care about)\s+(?:the\s+|about\s+)?(?:ci|pipelines?|github actions|checks){_TAIL}",
        r"(?:the\s+)?(?:ci|pipeline)\s+(?:is|'s)\s+(?:broken|down|flaky|red anyway|always red)",
    ),
    "build": (
        rf"{_NOT}\s+(?:(?:run|do|start|bother with)\s+)?(?:a\s+|the\s+|any\s+)?(?:re)?build(?:s|ing)?(?:\s+(?:it|this|anything))?{_TAIL}",
        rf"(?:skip|no|without|ignore)\s+(?:the\s+|a\s+|running the\s+)?(?:re)?build(?:ing|s)?{_TAIL}",
        r"(?:i'?ll|i will|let me)\s+(?:re)?build\b",
        r"(?:nicht|ohne\s+zu)\s+bauen|kein(?:en)?\s+build|pas\s+de\s+build|sans\s+build|sin\s+(?:build|compilar)|sem\s+build",
    ),
    "remaining_work": (
        r"(?:ignore|leave|forget(?: about)?|clear|drop|skip)\s+(?:the\s+|those\s+|all\s+|other\s+|remaining\s+|open\s+)*(?:to-?dos?(?: lists?)?|task lists?|rest|others|remaining (?:ones|items|tasks|steps|work))",
    ),
    "wiring": (
        r"(?:don'?t|do not|no need to|never)\s+(?:wire|hook|integrate|connect|register|import)\b",
        r"(?:not|never) wired? (?:in|up)",
    ),
}
#: The same, wherever in the sentence they stand.
ANYWHERE: dict[str, tuple[str, ...]] = {
    "tests": (
        rf"\bwithout\s+(?:running|executing|re-?running|doing|any)\s+{_TESTS}{_TAIL}",
        rf"\b{_TESTS}\s+(?:are|is)\s+(?:\w+ )?(?:broken|flaky|outdated|useless|dead)\b.{{0,60}}\b(?:ignore|skip|leave|don'?t worry|never ?mind|not your)",
        rf"\b(?:ignore|skip|leave|don'?t worry about|never ?mind)\s+{_TESTS}.{{0,40}}\b(?:broken|flaky|outdated|anyway)",
    ),
    "pr": (
        r"\b(?:push|commit|merge|ship|land|go)(?:\s+(?:it|this|that|them|everything|all|changes|the changes|these))?\s+(?:directly|straight|right)?\s*(?:to|into|on|onto)\s+(?:origin[ /])?(?:main|master|trunk|the default branch)\b",
        r"\bdirectly\s+(?:to|into|on|onto)\s+(?:main|master|trunk)\b",
        rf"\b(?:without|w/o)\s+(?:opening|creating|making)?\s*{_PR}{_TAIL}",
    ),
}
NEGATED_WAIVER = Late(
    r"(?i)\b(?:don'?t|do not|never|dont|must not|mustn'?t|no longer|stop|nicht|nie|jamais|nunca)\s+(?:just |ever |simply )?(?:skip|ignor|bypass|disab|forget|turn off|switch off|omit|leav|mut)",
    needs=(
        "bypass|disab|forget|ignor|leav|mut|omit|skip|switch off|turn off",
        "do not|don't|dont|jamais|must not|mustn't|mustnt|never|nicht|nie|no longer|nunca|stop",
    ),
)
REPORTED = Late(
    r"(?i)\b(?:said|says|say|saying|told|asked|mentions?|printed?|prints|showed|shows|output|if i|when i|whenever|what if|someone|somebody|the (?:hook|message|log|docs?|readme|tool|agent|user|command|option|flag))\b",
    needs=(
        "asked|if i|mention|output|printe|prints|said|say|showed|shows|somebody|someone|the agent|the command|the doc|the flag|the hook|the log|the message|the option|the readme|the tool|the user|told|what if|when i|whenever",
    ),
)
SESSION = Late(
    r"(?i)\b(?:(?:for|in|during|throughout) (?:this|the (?:rest of (?:this|the)|whole|entire|current|present)) (?:session|conversation|chat)|this session|from now on|session-?wide"
    r"|for the rest of (?:this|the) (?:session|conversation|chat)|until i say|für (?:diese|die ganze|den rest der) (?:sitzung|session)|ab jetzt"
    r"|pour (?:cette|toute la) session|à partir de maintenant|(?:para|en|por) (?:esta|toda la) sesi[oó]n|a partir de ahora|nesta sess[ãa]o|para esta sess[ãa]o"
    r"|per (?:questa|tutta la) sessione|d'ora in poi|voor deze sessie|vanaf nu|на эту сессию|(?:本|这|這)次?(?:会话|會話)|このセッション|이번 세션)",
    needs=(
        "a partir de ahora|ab jetzt|chat|conversation|d'ora in poi|ession|esta|from now on|itzung|toda la|until i say|vanaf nu|voor deze sessie|à partir de maintenant|на эту сессию|このセッション|本会话|本會話|本次会话|本次會話|这会话|这會話|这次会话|这次會話|這会话|這會話|這次会话|這次會話|이번 세션",
    ),
)
RESTORE = Late(
    rf"(?i)\b(?:stop skipping|turn (?:on|back on)|switch (?:on|back on)|re-?enable|resume|restore)\s+{_GATES}|{_GATES}\s+(?:back\s+)?on\b|turn\s+{_GATES}\s+(?:back\s+)?on",
    needs=(
        "ace-reflect|acereflect|checks|completion check|gate|re-enable|reenable|reflection|restore|resume|stop hook|stop skipping|stop-hook|switch back on|switch on|turn",
    ),
)
NO_PUSH = rf"{_NOT}\s+(?:git\s+)?(?:push|commit(?:ting)?(?:\s*(?:or|/|and)\s*push)?|pushing)\b|no\s+(?:push(?:es|ing)?|commits?){_TAIL}|nicht\s+(?:pushen|committen)|ne\s+(?:pousse|push|commit)\w*\s+pas|no\s+hagas\s+(?:push|commit)"
NO_CHANGE = (
    r"(?:do not|don'?t|dont|without|never|no need to|not)\s+(?:(?:actually|yet)\s+)?(?:chang(?:e|ing)|edit(?:ing)?|modify(?:ing)?|touch(?:ing)?|writ(?:e|ing)|fix(?:ing)?|implement(?:ing)?|cod(?:e|ing)|do|mak(?:e|ing))\s*"
    r"(?:anything|any (?:code|files?|changes?|edits?)|the code|code|yet|files|changes|it(?: yet)?|this(?: yet)?|nothing)\b"
    r"|(?:just|only|simply)\s+(?:explain|answer|tell me|analy[sz]e|look|describe|investigate|read|research|list|discuss|show me|respond|reply|give me|report|summari[sz]e|explore)\b"
    r"|read[- ]?only\b|no (?:code )?(?:changes|edits)\b|nichts\s+ändern|nur\s+(?:erklären|erklär|analysier\w*|anschauen)|ne\s+(?:change|modifie|touche)\w*\s+rien|(?:juste|seulement)\s+(?:explique|analyse)"
    r"|no\s+(?:cambies|modifiques|toques)\s+nada|s[oó]lo\s+(?:explica|analiza)|não\s+(?:mude|altere)\s+nada|non\s+(?:cambiare|modificare)\s+(?:niente|nulla)"
    r"|(?:不要|别)(?:修改|改动|改)|变更しないで|変更しないで"
)
LIMITS = (
    r"stop\s+(?:after|there|here|when|once|before|at|now)\b|(?:only|just)\s+(?:do|fix|address|start with|work on|the first|handle|implement|cover|tackle)?\s*(?:the\s+)?(?:first|step|phase|task|item|part|number|no\.?|#|\d|one\b|this one|that one)"
    r"|(?:nothing|don'?t do anything|do nothing)\s+(?:else|more)\b|leave\s+(?:the\s+)?(?:rest|others)\b|one\s+(?:step|thing|at)\b.{0,12}\btime|that'?s\s+(?:all|it|enough)\b|pause\b|wait for (?:me|my)"
    r"|(?:we'?ll|i'?ll|we can|i can)\s+(?:do|handle|continue|finish|take care of|come back to)\s+(?:the\s+)?(?:rest|others?|it|that|this|them)\b.{0,20}(?:later|tomorrow|another|next|myself)"
    r"|nur\s+(?:schritt|das erste|den ersten)|seulement\s+(?:l'étape|le premier|la première)|s[oó]lo\s+(?:el primer|la primera|el paso)"
)
CONFIRMED = (
    r"(?:i'?ve|i have|i|we'?ve|we)\s+(?:just |already |also |now )?(?:tested|tried|verified|checked|ran the tests|run the tests)\b(?!.*\b(?:fail\w*|broken|not|doesn'?t|error)\b)"
    r"|(?:it|this|that|everything|all)\s+(?:all )?(?:works?|is working|looks good|passes)\b(?!.*\b(?:but|except|not|fail\w*|broken|error)\b)|tests?\s+(?:all )?pass(?:es|ed)?\s+(?:for me|here|locally|on my)|lgtm\b"
    r"|(?:es |das )?(?:funktioniert|läuft)\b(?!.*nicht)|(?:ça|cela) marche|(?:ya )?funciona\b"
)
TO_DEFAULT_BRANCH = Late(
    r"(?i)\b(?:to|into|on|onto) (?:origin[ /])?(?:main|master|trunk|the default)",
    needs=(
        "main|master|the default|trunk",
        "on main|on master|on origin main|on origin master|on origin the default|on origin trunk|on origin/main|on origin/master|on origin/the default|on origin/trunk|on the default|on trunk|to main|to master|to origin main|to origin master|to origin the default|to origin trunk|to origin/main|to origin/master|to origin/the default|to origin/trunk|to the default|to trunk",
    ),
)
ASSENT = Late(
    r"(?i)^(?:y|yes|yep|yeah|yup|ok(?:ay)?|sure|go|go ahead|do it|do that|please(?: do)?|yes please|sounds good|proceed|continue|perfect|great|lgtm|ja|oui|s[ií]|sim|da|👍)\b.{0,40}$"
)

#: A sentence without one of these words is not looked at any closer.
SIGNS: dict[str, tuple[str, ...]] = {
    ALL: ("gate", "check", "reflect", "hook", "гейт", "检查", "檢查", "ゲート"),
    "tests": ("test", "spec", "suite", "jest", "pruebas", "prueb", "try", "тест", "测试", "測試", "テスト", "테스트"),
    "pr": ("pr", "pull", "merge", "main", "master", "trunk", "mr", "プルリク"),
    "ci": ("ci", "pipeline", "action", "checks"),
    "build": ("build", "bau", "compil"),
    "remaining_work": ("todo", "to-do", "task list", "rest", "others", "remaining"),
    "wiring": ("wire", "hook", "integrat", "connect", "regist", "import"),
}
ASK_SIGNS: dict[str, tuple[str, ...]] = {
    "no_push": ("push", "commit", "pousse"),
    "no_change": (
        "chang", "edit", "modif", "touch", "writ", "fix", "implement", "cod", "anything", "nothing", "just", "only", "simply", "read", "ändern",
        "nur", "juste", "seulement", "solo", "sólo", "nada", "niente", "nulla", "don", "改", "動", "变更",
    ),
    "limits_scope": (
        "stop", "only", "just", "else", "more", "leave", "one ", "all", "it", "enough", "pause", "wait", "later", "tomorrow", "nur", "seulement", "solo", "sólo",
    ),
    "confirmed": ("test", "work", "ran ", "verified", "passes", "lgtm", "funktioniert", "marche", "funciona"),
    "asks_push": ("push", "psuh", "puhs", "ship", "publish", "release", "deploy", "merge", "pousse", "sube", "empuja"),
    "asks_commit": ("commit", "check"),
    "asks_pr": ("pr", "pull", "merge", "mr"),
    "asks_tests": ("test", "spec", "suite", "jest"),
    "asks_build": ("build",),
}  # fmt: skip
ASKS: dict[str, tuple[str, ...]] = {
    "no_push": (NO_PUSH,),
    "no_change": (NO_CHANGE,),
    "limits_scope": (LIMITS,),
    "confirmed": (CONFIRMED,),
    "asks_push": (
        r"(?:(?:git )?(?:add|commit|stage)\b[^.!?]{0,40}?(?:&&?|\+|/|and|then)?\s*)?(?:git\s+)?\w?(?:push|psuh|puhs)\b(?!\s*(?:back|notification|button|event|the button))|ship it|(?:publish|release|deploy)\b|merge\b.{0,30}\b(?:in)?to\s+(?:main|master)|(?:pushe?|pousse|sube|empuja)\b",
    ),
    "asks_commit": (r"(?:git\s+)?commit(?:te?)?\b|check (?:it|this) in\b",),
    "asks_pr": (
        rf"(?:open|create|make|raise|submit|file|put up|send|start|cut|prepare|draft|do|get|turn (?:it|this) into|and)\s+{_PR}\b(?!\s*(?:description|title|comments?|body|reviews?|template|number|checks?|link|page|list|feedback|url|branch|#?\d))",
        r"(?:push|commit)\b.{0,30}\b(?:and|\+|&|,)\s*(?:a\s+)?(?:pr|pull request)\b|(?:then\s+)?pr\s+(?:it|this)\b|a?\s*pr\s*$|(?:pull request|pr)\s+(?:please|erstellen|öffnen)",
    ),
    "asks_tests": (
        rf"(?:run|re-?run|execute|make sure|ensure|verify|check(?: that)?)\b.{{0,30}}\b{_TESTS}|test (?:it|this|everything|that)\b",
    ),
    "asks_build": (
        r"(?:run|do|make|ensure|verify|check)\b.{0,30}\bbuild\b|(?:re)?build (?:it|this|the (?:app|project))\b",
    ),
}
