"""
The words with which people switch gates off, ask for deeds and set limits, in the languages that are met most.

Patterns for the start of a clause are tried behind fillers ("please", "can you"; `opening`); most end in `_TAIL`, so
that "skip the tests" waives and "skip the tests that need network" does not.
"""

from ace_reflect.gates.opening import Opening
from ace_reflect.late import IGNORECASE, Late

ALL = "all"

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
    r"|at all|right now|until|because|since|as\b|myself|yourself|on your own|needed|necessary|required|either|though|tho|afterwards?|after|before|from now|thanks|entirely|completely|pls|plz|thx|cause\b|cuz|bc\b"
    r"|every time|each time|when|while|if you|unless|or\b|just|it'?s|they|i\b|we\b))"
)
_GATES = r"(?:(?:the|all|any|these|those|your|my|completion|reflection|ace-?reflect|stop|quality|verification|hook)\s+){0,3}(?:gates?|checks|completion checks?|reflections?|ace-?reflect|stop[ -]hooks?)"

#: The first words of `_NOT` and `_TESTS`.
_NOT_STARTS = "avoid|do|it's|its|need|never|no|refrain|skip|stop|that's|thats|there|we|you"
_TESTS_STARTS = "all|any|broken|bun|cargo|e2e|existing|failed|failing|flaky|further|go|integration|its|jest|make|more|mvn|my|new|npm|other|our|pnpm|pytest|red|slow|specs|test|the|those|unit|vitest|yarn|your"


def _opening(pattern: str, starts: str, *needs: str) -> Opening:
    return Opening(pattern, starts, needs=needs)


def _anywhere(pattern: str, *needs: str) -> Late:
    return Late(pattern, IGNORECASE, needs=needs)


#: Of proof in general: of the tests as of the build.
_NO_PROOF = (
    _opening(
        rf"{_NOT}\s+(?:run|execute|verify)\s+anything\b{_TAIL}|{_NOT}\s+verify(?:\s+(?:it|this|that|them|the changes?))?{_TAIL}",
        _NOT_STARTS,
        "anything|verify",
    ),
    _opening(
        r"(?:i'?ll|i will|we'?ll|we will)\s+take\s+(?:it|over)\s+from\s+(?:here|there)\b",
        "i|we",
        "take",
        "here|there",
    ),
    _opening(
        rf"{_NOT}\s+(?:run|execute)\s+(?:any\s+)?(?:(?:bash|shell|terminal)\s+)?commands?(?=\s*(?:$|[.!?]|(?:please|pls|at all|here|yet|for now|until|just|only|today)\b))|no\s+(?:(?:bash|shell|terminal)\s+)?commands(?:\s+(?:please|pls|at all|today))?\s*[.!]*$",
        _NOT_STARTS,
        "command",
    ),
    _opening(
        r"(?:no|without)\s+(?:further\s+|additional\s+|extra\s+)?(?:verification|validation)\b(?:\s+(?:is\s+)?(?:needed|necessary|required)|\s*$)",
        "no|without",
        "verification|validation",
    ),
    _opening(
        r"(?:i'?ll|i will|i'?m going to|let me|we'?ll|we will)\s+(?:just |then |first )?verify\b(?:\s+(?:it|this|them|everything|these|manually|locally|later|afterwards?|myself|by hand|on my)\b|\s*[.!]?$)",
        "i|let|we",
        "verify",
    ),
)
#: gate -> patterns at the start of a clause. `{…}` are the parts above.
AT_START: dict[str, tuple[Opening, ...]] = {
    ALL: (
        _opening(
            rf"(?:skip|ignore|disable|bypass|drop|forget|turn off|switch off|no|mute|silence|without|pause|suspend)\s+{_GATES}{_TAIL}",
            "bypass|disable|drop|forget|ignore|mute|no|pause|silence|skip|suspend|switch|turn|without",
            "ace-reflect|acereflect|checks|completion check|gate|reflection|stop hook|stop-hook",
            "bypass|disable|drop|forget|mute|no|pause|silence|skip|suspend|switch off|turn off|without",
        ),
        _opening(
            rf"{_NOT}\s+(?:run|use|apply|enforce|do|bother with)\s+{_GATES}{_TAIL}",
            _NOT_STARTS,
            "ace-reflect|acereflect|checks|completion check|gate|reflection|stop hook|stop-hook",
            "apply|bother with|do|enforce|run|use",
        ),
        _opening(rf"(?:turn|switch)\s+{_GATES}\s+off", "switch|turn", "switch|turn", "off"),
        _opening(
            rf"{_GATES}\s+off{_TAIL}",
            "ace-reflect|acereflect|all|any|checks|completion|gate|hook|my|quality|reflection|stop|the|those|verification|your",
            "off",
            "ace-reflect|acereflect|checks|completion check|gate|reflection|stop hook|stop-hook",
        ),
        _opening(
            r"(?:überspring\w*|ignorier\w*|keine)\s+(?:die\s+|alle\s+)?gates?",
            "ignorier|keine|überspring",
            "gate",
            "ignorier|keine|überspring",
        ),
        _opening(r"gates?\s+(?:überspringen|ignorieren|aus)\b", "gate", "gate", "aus|ignorieren|überspringen"),
        _opening(
            r"(?:saute|ignore|passe|désactive|sans|pas de)\s+(?:les\s+|tous les\s+)?gates?",
            "désactive|ignore|pas de|passe|sans|saute",
            "gate",
            "désactive|ignore|pas de|passe|sans|saute",
        ),
        _opening(
            r"(?:salta|omite|ignora|desactiva|sin|pula|pule|sem|disattiva|senza)\s+(?:los\s+|las\s+|os\s+|i\s+)?(?:todas?\s+)?gates?",
            "desactiva|disattiva|ignora|omite|pula|pule|salta|sem|senza|sin",
            "gate",
            "desactiva|disattiva|ignora|omite|pula|pule|salta|sem|senza|sin",
        ),
        _opening(r"(?:sla)\s+(?:de\s+)?gates?\s+over|geen\s+gates?", "geen|sla", "gate|geen"),
        _opening(r"(?:пропусти\w*|без)\s+(?:гейт\w*|gates?)", "без|пропусти", "gate|гейт", "без|пропусти"),
        _opening(
            r"(?:跳过|跳過|忽略)\s*(?:gates?|检查|檢查)|(?:gates?|ゲート)\s*(?:は|を)?\s*(?:スキップ|飛ばし|無視)",
            "gate|ゲート|忽略|跳过|跳過",
            "gate|ゲート|检查|檢查",
        ),
    ),
    "tests": (
        *_NO_PROOF,
        _opening(
            rf"{_NOT}\s+(?:(?:even|ever|actually)\s+)?(?:run|running|execute|executing|re-?run(?:ning)?|start|launch|bother (?:with|running|to run|about)|worry about|wait for|waste time on|do|care about)\s+(?!all\b|every\b|the (?:full|whole|entire)\b){_TESTS}{_TAIL}",
            _NOT_STARTS,
            "jest|specs|test",
            "avoid|don't|dont|needn't|neednt|never|no need for|no need to|not|refrain from|skip|stop",
        ),
        _opening(
            rf"(?:skip|skipping|ignore|forget(?: about)?|bypass|leave out|omit|no|without|w/o)\s+(?:running\s+|the run of\s+)?{_TESTS}{_TAIL}",
            "bypass|forget|ignore|leave out|no|omit|skip|without|w/o",
            "jest|specs|test",
            "bypass|forget|leave out|no|omit|skip|without|w/o",
        ),
        _opening(
            rf"{_TESTS}\s+(?:(?:are|is)\s+not|aren'?t|isn'?t|not)\s+(?:needed|necessary|required|important|relevant)",
            _TESTS_STARTS,
            "jest|specs|test",
            "important|necessary|needed|relevant|required",
        ),
        _opening(rf"no (?:need to test|need for {_TESTS}){_TAIL}", "no need", "no need ", "for |to test"),
        _opening(
            rf"(?:(?:i|we|you|this|it)\s+)?(?:do not|don'?t|does not|doesn'?t)\s+(?:really\s+|even\s+)?(?:need|want|require)\s+{_TESTS}{_TAIL}",
            "do|i|it|this|we|you",
            "jest|specs|test",
            "don't|dont|do not|does not|doesn't|doesnt",
        ),
        _opening(
            rf"{_TESTS}\s+(?:are|is)\s+(?:optional|up to me|on me|my job)\b|{_TESTS}\s+(?:are|is|will be)\s+run\s+(?:by|in|on)\s+(?:the\s+)?ci\b",
            _TESTS_STARTS,
            "jest|specs|test",
            "optional|up to me|on me|my job|ci",
        ),
        _opening(
            rf"(?:the\s+|our\s+)?ci\s+(?:will|can|is going to)\s+(?:run|do|execute|handle|take care of)\s+(?:{_TESTS}|the rest|that|it){_TAIL}",
            "ci|our|the",
            "ci",
            "do|execute|handle|run|take care of",
        ),
        _opening(
            rf"hold off\s+(?:on|with)\s+(?:running\s+)?{_TESTS}{_TAIL}", "hold off", "hold off", "jest|specs|test"
        ),
        _opening(
            rf"(?:you|we)\s+(?:don'?t have|do not have|have no)\s+(?:the\s+)?(?:permissions?|access|rights?)\s+to\s+(?:run|execute)\s+{_TESTS}{_TAIL}",
            "we|you",
            "access|permission|right",
            "jest|specs|test",
        ),
        _opening(
            rf"{_TESTS}\s+(?:can|could|may)\s+wait\b(?!\s+(?:for|on)\s+(?!now\b))",
            _TESTS_STARTS,
            "jest|specs|test",
            "wait",
        ),
        _opening(
            rf"leave\s+(?:(?:running|the running of)\s+)?{_TESTS}\s+(?:to|for)\s+(?:me|us|(?:the )?ci)\b",
            "leave",
            "leave",
            "jest|specs|test",
        ),
        _opening(
            rf"(?:you|we)\s+(?:can'?t|cannot|can not|won'?t be able to|(?:are|'re) not able to)\s+(?:actually |even |really )?(?:run|execute)\s+{_TESTS}{_TAIL}",
            "we|you",
            "jest|specs|test",
            "can't|cant|cannot|can not|be able|not able",
        ),
        _opening(
            rf"(?:don'?t|do not|no need to|needn'?t)\s+test\s*(?:it|this|that|them|anything|the changes?)?{_TAIL}",
            "do not|don't|dont|needn't|neednt|no need to",
            "test",
            "do not|don't|dont|needn't|neednt|no need to",
        ),
        _opening(
            r"(?:i'?ll|i will|i'?m going to|i am going to|i'?m gonna|let me|i can|i have to|i need to|i want to|we'?ll|we will)\s+(?:just |then |now |first )?"
            r"(?:test|try|run (?:the |our |all )?(?:\w+ )?(?:tests?|suite|specs))\b(?:\s+(?:it|this|that|them|everything|these|out|manually|locally|later|tonight|there|afterwards?|myself|by hand|the changes?|on my \w+|tomorrow|first|now|and|then|what|if)\b|\s*[.!]?$)",
            "i|let|we",
            "specs|suite|test|try",
            "i am going to|i can|i have to|i need to|i want to|i'll|i'm going to|i'm gonna|ill|im going to|im gonna|let me|we'll|well",
        ),
        _opening(
            rf"{_TESTS}\s+(?:can'?t|cannot|can not|won'?t|don'?t|do not|doesn'?t)\s+(?:be )?(?:run|work|start|execute|executed)\b(?:\s+(?:here|locally|in this|on this|without|at the moment|right now|yet)\b|\s*$)",
            _TESTS_STARTS,
            "jest|specs|test",
            "execute|run|start|work",
        ),
        _opening(
            r"(?:führe?\s+|starte?\s+|lass(?:e)?\s+)?keine\s+(?:unit-?)?tests?\b(?:\s+(?:aus|ausführen|laufen|nötig|starten|machen))?",
            "führ|keine|lass|start",
            "keine",
            "test",
        ),
        _opening(
            r"(?:die\s+)?tests?\s+(?:bitte\s+)?(?:nicht\s+(?:ausführen|laufen\s+lassen|starten|nötig)|überspringen|weglassen)|führe?\s+(?:die\s+)?tests?\s+nicht|ohne\s+tests?\b|ich\s+teste(?:\s+\w+)?\s+selbst",
            "die|führ|ich|ohne|test",
            "nicht|ohne|überspringen|weglassen|selbst",
            "test",
        ),
        _opening(
            r"ne\s+(?:lance|lances|lancez|fais|exécute|exécutez)\s+pas\s+(?:les|de)\s+tests?|pas\s+de\s+tests?\b|sans\s+(?:lancer\s+(?:les\s+)?)?tests?\b|je\s+(?:teste|testerai)",
            "je|ne|pas|sans",
            "pas|sans|je",
            "test",
        ),
        _opening(
            r"no\s+(?:ejecutes?|corras?|lances?|hagas?)\s+(?:los\s+|las\s+)?(?:tests?|pruebas)|sin\s+(?:ejecutar\s+(?:los\s+|las\s+)?)?(?:tests?|pruebas)\b|yo\s+(?:lo\s+)?(?:pruebo|probar[eé])",
            "no|sin|yo",
            "probare|probaré|pruebas|pruebo|test",
            "corra|ejecute|haga|lance|sin|yo",
        ),
        _opening(
            r"n[ãa]o\s+(?:rode|execute|rodar|executar|fa[çc]a)\s+(?:os\s+)?testes?|sem\s+(?:rodar\s+(?:os\s+)?)?testes?\b|eu\s+(?:mesmo\s+)?testo",
            "eu|nao|não|sem",
            "teste|testo",
            "eu|executar|execute|faca|faça|rodar|rode|sem",
        ),
        _opening(
            r"non\s+(?:eseguire|lanciare|fare)\s+(?:i\s+)?test\b|senza\s+(?:eseguire\s+(?:i\s+)?)?test\b|salta\s+i\s+test|niente\s+test",
            "niente|non|salta|senza",
            "non|senza|niente|salta",
            "test",
        ),
        _opening(
            r"(?:draai|voer)\s+(?:de\s+)?tests?\s+niet|geen\s+tests?\b|zonder\s+tests?\b|sla\s+(?:de\s+)?tests?\s+over",
            "draai|geen|sla|voer|zonder",
            "niet|geen|zonder|over",
            "test",
        ),
        _opening(
            r"(?:не\s+(?:запускай\w*|гоняй\w*|прогоняй\w*)|пропусти\w*)\s+тест\w*|без\s+тестов",
            "без|не|пропусти",
            "тест",
            "без|гоняй|запускай|пропусти",
        ),
        _opening(
            r"(?:不要|不用|别|別|无需|不必)\s*(?:运行|執行|执行|跑|再跑)?\s*(?:单元|任何)?\s*(?:测试|測試)|跳过(?:所有)?测试|跳過測試",
            "不必|不用|不要|別|别|无需|跳过所有测试|跳过测试|跳過測試",
            "测试|測試",
        ),
        _opening(
            r"テスト(?:は|を|の)?\s*(?:実行)?\s*(?:しないで|しなくて|不要|いらない|要らない|スキップ|走らせないで|回さないで|なしで)",
            "テスト",
            "テスト",
        ),
        _opening(r"테스트(?:는|를)?\s*(?:실행)?\s*(?:하지\s*마|안\s*해도|필요\s*없|생략|건너)", "테스트", "테스트"),
    ),
    "pr": (
        _opening(
            rf"(?:no|no need for|without|skip|forget(?: about)?)\s+{_PR}{_TAIL}",
            "forget|no|skip|without",
            "forget|no|skip|without",
            "pr|pull|merge|mr",
        ),
        _opening(
            rf"(?:{_NOT}|no)\s+(?:open(?:ing)?|creat(?:e|ing)|mak(?:e|ing)|rais(?:e|ing)|submit(?:ting)?|do(?:ing)?|need|file|put up|send|start|bother with)\s+{_PR}\b(?!\s+(?:description|title|comment|body|template|link))",
            _NOT_STARTS,
            "avoid|don't|dont|needn't|neednt|never|no|refrain from|skip|stop",
            "pr|pull|merge|mr",
        ),
        _opening(
            rf"(?:i'?ll|i will|let me|we'?ll)\s+(?:open|create|make|raise|submit|do|file)\s+{_PR}",
            "i will|i'll|ill|let me|we'll|well",
            "i'll|ill|let me|we'll|well",
            "create|do|file|make|open|raise|submit",
        ),
        _opening(rf"(?:don'?t|do not)\s+(?:need|want)\s+{_PR}", "do not|don't|dont", "do not|don't|dont", "need|want"),
        _opening(
            r"(?:erstell\w*|mach\w*|öffne\w*)?\s*kein(?:en)?\s+(?:pr|pull[ -]?request|merge[ -]?request)|ohne\s+(?:pr|pull[ -]?request)\b",
            "",
            "kein|ohne",
            "merge request|merge-request|mergerequest|pr|pull request|pull-request|pullrequest",
        ),
        _opening(
            r"pas\s+de\s+(?:pr|pull[ -]?request|mr)\b|ne\s+(?:crée|ouvre|fais)\s+pas\s+de\s+(?:pr|pull[ -]?request)|sans\s+(?:pr|pull[ -]?request)\b",
            "ne|pas|sans",
            "pas|sans",
            "pr|pull|mr",
        ),
        _opening(
            r"no\s+(?:hagas?|crees?|abras?)\s+(?:un\s+|el\s+|ning[uú]n\s+)?(?:pr|pull[ -]?request)|sin\s+(?:pr|pull[ -]?request)\b|sem\s+(?:pr|pull[ -]?request)\b|n[ãa]o\s+(?:abra|crie|fa[çc]a)\s+(?:um\s+|o\s+)?(?:pr|pull[ -]?request)",
            "nao|no|não|sem|sin",
            "abra|cree|crie|faca|faça|haga|sem|sin",
            "pr|pull",
        ),
        _opening(
            r"(?:niente|senza|nessuna)\s+(?:pr|pull[ -]?request)\b|geen\s+(?:pr|pull[ -]?request)\b|zonder\s+(?:pr|pull[ -]?request)\b|без\s+(?:pr|пр|пулл?[ -]?реквест\w*)",
            "geen|nessuna|niente|senza|zonder|без",
            "geen|nessuna|niente|senza|zonder|без",
            "pr|pull|пр|реквест",
        ),
        _opening(
            r"(?:不要|不用|别|無需|无需|不需要)\s*(?:提|开|創建|创建|建)?\s*(?:pr|pull request)|(?:pr|プルリク(?:エスト)?)(?:は|を)?\s*(?:不要|いらない|要らない|作らないで|なし)|pr\s*없이",
            "pr|プルリク|不用|不要|不需要|别|无需|無需",
            "pr|pull request|プルリク",
        ),
    ),
    "ci": (
        _opening(
            rf"(?:ignore|skip|forget(?: about)?|no)\s+(?:the\s+)?(?:ci|pipelines?|github actions|ci checks?){_TAIL}",
            "forget|ignore|no|skip",
            "ci|github actions|pipeline",
            "forget|no|skip",
        ),
        _opening(
            rf"{_NOT}\s+(?:wait(?:ing)? for|check(?:ing)?|watch(?:ing)?|worry about|bother (?:with|about)|look at|care about)\s+(?:the\s+|about\s+)?(?:ci|pipelines?|github actions|checks){_TAIL}",
            _NOT_STARTS,
            "bother about|bother with|care about|check|look at|wait for|waiting for|watch|worry about",
            "avoid|don't|dont|needn't|neednt|never|no need for|no need to|not|refrain from|skip|stop",
        ),
        _opening(
            r"(?:the\s+)?(?:ci|pipeline)\s+(?:is|'s)\s+(?:broken|down|flaky|red anyway|always red)",
            "ci|pipeline|the",
            "always red|broken|down|flaky|red anyway",
            "ci|pipeline",
        ),
    ),
    "build": (
        *_NO_PROOF,
        _opening(
            rf"{_NOT}\s+(?:(?:run|do|start|bother with)\s+)?(?:a\s+|the\s+|any\s+)?(?:re)?build(?:s|ing)?(?:\s+(?:it|this|anything))?{_TAIL}",
            _NOT_STARTS,
            "build",
            "avoid|don't|dont|needn't|neednt|never|no need for|no need to|not|refrain from|skip|stop",
        ),
        _opening(
            rf"(?:skip|no|without|ignore)\s+(?:the\s+|a\s+|running the\s+)?(?:re)?build(?:ing|s)?{_TAIL}",
            "ignore|no|skip|without",
            "build",
            "no|skip|without",
        ),
        _opening(r"(?:i'?ll|i will|let me)\s+(?:re)?build\b", "i will|i'll|ill|let me", "build", "i'll|ill|let me"),
        _opening(
            r"(?:nicht|ohne\s+zu)\s+bauen|kein(?:en)?\s+build|pas\s+de\s+build|sans\s+build|sin\s+(?:build|compilar)|sem\s+build",
            "kein|nicht|ohne|pas|sans|sem|sin",
            "bauen|build|compilar",
            "kein|nicht|ohne|pas|sans|sem|sin",
        ),
    ),
    "remaining_work": (
        _opening(
            r"(?:ignore|leave|forget(?: about)?|clear|drop|skip)\s+(?:the\s+|those\s+|all\s+|other\s+|remaining\s+|open\s+)*(?:to-?dos?(?: lists?)?|task lists?|rest|others|remaining (?:ones|items|tasks|steps|work))",
            "clear|drop|forget|ignore|leave|skip",
            "clear|drop|forget|ignore|leave|skip",
            "others|remaining items|remaining ones|remaining steps|remaining tasks|remaining work|rest|task list|to-do|todo",
        ),
    ),
    "wiring": (
        _opening(
            r"(?:don'?t|do not|no need to|never)\s+(?:wire|hook|integrate|connect|register|import)\b",
            "do not|don't|dont|never|no need to",
            "do not|don't|dont|never|no need to",
            "connect|hook|import|integrate|register|wire",
        ),
        _opening(
            r"(?:not|never) wired? (?:in|up)",
            "never wire in|never wire up|never wired in|never wired up|not wire in|not wire up|not wired in|not wired up",
            "never wire in|never wire up|never wired in|never wired up|not wire in|not wire up|not wired in|not wired up",
        ),
    ),
}
#: "The suite takes an hour, so don't run it": of the tests where they were spoken of just before.
NOT_THEM = _opening(
    rf"{_NOT}\s+(?:run|execute|start|launch)\s+(?:it|them|those|that)\b{_TAIL}", _NOT_STARTS, "execute|launch|run|start"
)
OF_TESTS = _anywhere(rf"\b{_TESTS}\b", "jest|specs|test")
#: The same, wherever in the sentence they stand.
ANYWHERE: dict[str, tuple[Late, ...]] = {
    "tests": (
        _anywhere(
            rf"\b(?:without|w/o)\s+(?:running|executing|re-?running|doing|any)\s+{_TESTS}{_TAIL}",
            "without|w/o",
            "jest|specs|test",
        ),
        _anywhere(
            rf"\b{_TESTS}\s+(?:are|is)\s+(?:\w+ )?(?:broken|flaky|outdated|useless|dead)\b.{{0,60}}\b(?:ignore|skip|leave|don'?t worry|never ?mind|not your)",
            "jest|specs|test",
            "broken|dead|flaky|outdated|useless",
        ),
        _anywhere(
            rf"\b(?:ignore|skip|leave|don'?t worry about|never ?mind)\s+{_TESTS}.{{0,40}}\b(?:broken|flaky|outdated|anyway)",
            "anyway|broken|flaky|outdated",
            "jest|specs|test",
        ),
    ),
    "pr": (
        _anywhere(
            r"\b(?:push|commit|merge|ship|land|go)(?:\s+(?:it|this|that|them|everything|all|changes|the changes|these))?\s+(?:directly|straight|right)?\s*(?:to|into|on|onto)\s+(?:origin[ /])?(?:main|master|trunk|the default branch)\b",
            "main|master|the default branch|trunk",
            "commit|go|land|merge|push|ship",
        ),
        _anywhere(
            r"\b(?:directly|straight|right)\s+(?:to|into|on|onto)\s+(?:main|master|trunk)\b",
            "directly|straight|right",
            "main|master|trunk",
        ),
        _anywhere(
            r"\b(?:pushing|committing|merging|going)\s+(?:directly\s+|straight\s+)?(?:to|into|on|onto)\s+(?:main|master|trunk)\s+is\s+(?:fine|ok(?:ay)?|allowed|alright)\b",
            "main|master|trunk",
            "fine|ok|allowed|alright",
        ),
        _anywhere(
            r"\b(?:direkt|directement|direct[oa](?:mente)?|diret[oa](?:mente)?|direttamente|rechtstreeks|прямо|напрямую)\s+(?:(?:auf|nach|in|sur|dans|a|en|na|no|para|su|naar|op|в|на)\s+)(?:(?:den|la|el|il)\s+)?(?:main|master)\b|直接(?:推送?|提交|push)?(?:到|上)?\s?(?:main|master)\b|(?:main|master)\s?に直接",
            "main|master",
            "dire|rechtstreeks|прямо|напрямую|直接",
        ),
        _anywhere(
            rf"\b(?:without|w/o)\s+(?:opening|creating|making)?\s*{_PR}{_TAIL}", "w/o|without", "pr|pull|merge|mr"
        ),
    ),
}
NEGATED_WAIVER = Late(
    r"(?i)\b(?:don'?t|do not|never|dont|must not|mustn'?t|no longer|stop|nicht|nie|jamais|nunca)\s+(?:just |ever |simply )?(?:skip|ignor|bypass|disab|forget|turn off|switch off|omit|leav|mut)",
    needs=(
        "bypass|disab|forget|ignor|leav|mut|omit|skip|switch off|turn off",
        "do not|don't|dont|jamais|must not|mustn't|mustnt|never|nicht|nie|no longer|nunca|stop",
    ),
)
#: "Never push to main" forbids a place: it neither waives a pull request nor allows that place.
NEGATED_PUSH = Late(
    r"(?i)\b(?:don'?t|do not|never|must not|mustn'?t|should(?:n'?t| not)|instead of|avoid|not|nicht|nie|jamais|nunca)\s+(?:(?:ever|just|directly|straight)\s+)?(?:push|commit|merg|ship|land|go|directly|straight)"
    r"|\bno\s+(?:more\s+)?(?:direct\s+)?(?:commits?|committing|push(?:es|ing)?|merges?|merging)\b(?=[^,;]{0,30}\b(?:main|master|trunk)\b)"
    r"|\b(?:nicht|nie|niemals|ne|pas|jamais|no (?:hagas|subas|empujes|pushees|commitees)|nunca|não|non|mai|niet|nooit|не|никогда)\b[^,;.]{0,25}\b(?:dire\w+|rechtstreeks|прямо|напрямую)\b|(?:不要|别|禁止|不能)[^，。]{0,6}直接|直接[^、。]{0,12}(?:しないで|禁止)",
    needs=(
        "don't|dont|do not|never|must not|mustn't|mustnt|shouldn't|shouldnt|should not|instead of|avoid|no|nicht|nie|jamais|nunca|ne|pas|não|mai|не|никогда|不要|别|禁止|不能|しないで",
        "push|commit|merg|ship|land|go|dire|straight|rechtstreeks|прямо|напрямую|直接",
    ),
)
#: "It works now, but the colour is wrong."
BUT = Late(
    r"(?i)\b(?:but|except|however|although|fail(?:s|ed|ing)?|broken|wrong|(?<!no )errors?|aber|mais|pero|mas|ma|maar)\b|但|でも|но ",
    needs=("but|except|however|although|fail|broken|wrong|error|aber|mais|pero|mas|ma|但|でも|но ",),
)
NOT_YET = Late(r"(?i)\b(?:yet|until|before)\b", needs=("yet|until|before",))
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
TO_DEFAULT_BRANCH = Late(
    r"(?i)\b(?:to|into|on|onto) (?:origin[ /])?(?:main|master|trunk|the default)|\b(?:dire\w+|rechtstreeks|прямо|напрямую) \w+ (?:(?:den|la|el|il) )?(?:main|master)\b|直接.{0,4}(?:main|master)|(?:main|master) ?に直接",
    needs=(
        "main|master|the default|trunk",
        "on main|on master|on origin main|on origin master|on origin the default|on origin trunk|on origin/main|on origin/master|on origin/the default|on origin/trunk|on the default|on trunk|dire|rechtstreeks|прямо|напрямую|直接|to main|to master|to origin main|to origin master|to origin the default|to origin trunk|to origin/main|to origin/master|to origin/the default|to origin/trunk|to the default|to trunk",
    ),
)
#: How a short prompt begins that agrees to what the answer before it offered.
ASSENT = (
    "y", "yes", "yep", "yeah", "yup", "ok", "okay", "sure", "go", "go ahead", "do it", "do that", "please", "please do", "yes please", "sounds good", "proceed",
    "continue", "perfect", "great", "lgtm", "ja", "oui", "si", "sí", "sim", "da",
)  # fmt: skip
THUMB = "👍"

#: A sentence without one of these words is not looked at any closer.
SIGNS: dict[str, tuple[str, ...]] = {
    ALL: ("gate", "check", "reflect", "hook", "гейт", "检查", "檢查", "ゲート"),
    "tests": (
        "test",
        "spec",
        "suite",
        "jest",
        "pruebas",
        "prueb",
        "try",
        "verif",
        "run ",
        "execute",
        "command",
        "take it from",
        "take over",
        "ci ",
        "тест",
        "测试",
        "測試",
        "テスト",
        "테스트",
    ),
    "pr": ("pr", "pull", "merge", "main", "master", "trunk", "mr", "プルリク"),
    "ci": ("ci", "pipeline", "action", "checks"),
    "build": ("build", "bau", "compil", "verif", "run anything", "execute", "command", "take it from", "take over"),
    "remaining_work": ("todo", "to-do", "task list", "rest", "others", "remaining"),
    "wiring": ("wire", "hook", "integrat", "connect", "regist", "import"),
}
ASK_SIGNS: dict[str, tuple[str, ...]] = {
    "no_push": ("push", "commit", "pousse", "推送", "提交", "プッシュ", "コミット", "пуш", "комм"),
    "no_change": (
        "chang", "edit", "modif", "touch", "writ", "fix", "implement", "cod", "anything", "nothing", "just", "only", "simply", "read", "ändern",
        "nur", "juste", "seulement", "solo", "sólo", "nada", "niente", "nulla", "don", "改", "動", "变更", "変更", "修正", "編集", "触", "説明", "解释", "说明", "niets",
        "alleen", "ничего", "объясни",
    ),
    "limits_scope": (
        "stop", "only", "just", "step", "phase", "task", "else", "more", "leave", "one ", "all", "it", "enough", "pause", "wait", "later", "tomorrow", "nur", "seulement", "solo", "sólo",
    ),
    "confirmed": (
        "test", "work", "ran ", "verified", "passes", "lgtm", "look", "good", "fixed", "solved", "trick", "perfect", "funktioniert", "läuft", "klappt", "geht", "passt",
        "marche", "fonctionne", "funcion", "funziona", "deu certo", "werkt", "работа", "了", "まし", "いた",
    ),
    "asks_push": (
        "push", "psuh", "puhs", "ship", "publish", "release", "deploy", "merge", "pousse", "sube", "empuja", "пуш", "залей", "推", "プッシュ",
    ),
    "asks_commit": ("commit", "check"),
    "asks_pr": ("pr", "pull", "merge", "mr", "пр", "プルリク"),
    "asks_tests": ("test", "spec", "suite", "jest"),
    "asks_build": ("build",),
}  # fmt: skip
ASKS: dict[str, tuple[Opening, ...]] = {
    "no_push": (
        _opening(
            rf"{_NOT}\s+(?:git\s+)?(?:push|commit(?:ting)?(?:\s*(?:or|/|and)\s*push)?|pushing)\b(?!\s+(?:its|their|his|her)\b)",
            _NOT_STARTS,
            "commit|push",
            "avoid|don't|dont|needn't|neednt|never|no need for|no need to|not|refrain from|skip|stop",
        ),
        _opening(rf"no\s+(?:push(?:es|ing)?|commits?)(?:{_TAIL}|(?=\s+to\b))", "no", "commit|push", "no"),
        _opening(
            r"(?:hold off|wait)\s+(?:on\s+|with\s+)(?:the\s+)?(?:push|commit)",
            "hold off|wait",
            "push|commit",
            "hold|wait",
        ),
        _opening(r"nicht\s+(?:pushen|committen)", "nicht", "nicht", "committen|pushen"),
        _opening(r"ne\s+(?:pousse|push|commit)\w*\s+pas", "ne", "commit|pousse|push", "pas"),
        _opening(r"no\s+hagas\s+(?:push|commit)", "no", "hagas", "commit|push"),
    ),
    "no_change": (
        _opening(
            r"(?:do not|don'?t|dont|without|never|no need to|not)\s+(?:(?:actually|yet)\s+)?(?:chang(?:e|ing)|edit(?:ing)?|modify(?:ing)?|touch(?:ing)?|writ(?:e|ing)|fix(?:ing)?|implement(?:ing)?|cod(?:e|ing)|do|mak(?:e|ing))\s*(?:anything|any (?:code|files?|changes?|edits?)|the code|code|yet|files|changes|it(?: yet)?|this(?: yet)?|nothing)\b",
            "do not|don't|dont|never|no need to|not|without",
            "don't|dont|never|no need to|not|without",
        ),
        _opening(
            r"(?:just|only|simply)\s+(?:explain|answer|tell me|analy[sz]e|look|describe|investigate|read|research|list|discuss|show me|respond|reply|give me|report|summari[sz]e|explore)\b",
            "just|only|simply",
            "just|only|simply",
            "analyse|analyze|answer|describe|discuss|explain|explore|give me|investigate|list|look|read|reply|report|research|respond|show me|summarise|summarize|tell me",
        ),
        _opening(r"read[- ]?only\b", "read only|read-only|readonly", "read only|read-only|readonly"),
        _opening(r"no (?:code )?(?:changes|edits)\b", "no", "changes|edits"),
        _opening(r"nichts\s+ändern", "nichts", "nichts", "ändern"),
        _opening(r"nur\s+(?:erklären|erklär|analysier\w*|anschauen)", "nur", "analysier|anschauen|erklär", "nur"),
        _opening(r"ne\s+(?:change|modifie|touche)\w*\s+rien", "ne", "rien", "change|modifie|touche"),
        _opening(
            r"(?:juste|seulement)\s+(?:explique|analyse)", "juste|seulement", "juste|seulement", "analyse|explique"
        ),
        _opening(r"no\s+(?:cambies|modifiques|toques)\s+nada", "no", "nada", "cambies|modifiques|toques"),
        _opening(r"s[oó]lo\s+(?:explica|analiza)", "solo|sólo", "analiza|explica", "solo|sólo"),
        _opening(r"não\s+(?:mude|altere)\s+nada", "não", "nada", "altere|mude"),
        _opening(r"non\s+(?:cambiare|modificare)\s+(?:niente|nulla)", "non", "cambiare|modificare", "niente|nulla"),
        _opening(r"(?:不要|别)(?:修改|改动|改)", "不要修改|不要改|别修改|别改", "不要修改|不要改|别修改|别改"),
        _opening(r"变更しないで", "变更しないで", "变更しないで"),
        _opening(r"変更しないで", "変更しないで", "変更しないで"),
    ),
    "confirmed": (
        _opening(
            r"(?:i'?ve|i have|i|we'?ve|we)\s+(?:just |already |also |now )?(?:tested|tried|verified|checked|ran the tests|run the tests)\b(?!.*\b(?:fail\w*|broken|not|doesn'?t|error)\b)",
            "i|we",
            "checked|ran the tests|run the tests|tested|tried|verified",
        ),
        _opening(
            r"(?:tested|verified)(?:\s+(?:it|this|that|everything|them))?(?:\s+(?:locally|manually|myself|here|by hand|on (?:(?:my|our|a real) \w+|staging|prod\w*)|too|already))*\s*[.!]*$",
            "tested|verified",
            "tested|verified",
        ),
        _opening(
            r"(?:now )?work(?:s|ing)(?:\s+(?:now|great|fine|well|perfectly|again|for me|as expected|like a charm|nicely|beautifully|locally|thanks|thx|ty))*\s*[.!]*$",
            "now|work",
            "works|working",
        ),
        _opening(
            r"(?:that|this|it|you)\s+(?:(?:has|have)\s+)?(?:fixed|solved)\s+(?:it|that|the (?:issue|problem|bug))\b|(?:that|this|it)\s+(?:did the trick|worked)\b",
            "it|that|this|you",
            "fixed|solved|trick|worked",
        ),
        _opening(
            r"(?:(?:it|this|that|all|everything)\s+)?(?:looks|look)\s+(?:good|great|fine|perfect|right|correct)(?:\s+(?:to me|now|here|thanks))*\s*[.!]*$|all (?:good|is good|is well)\s*[.!]*$",
            "all|everything|it|look|that|this",
            "look|good|well",
        ),
        _opening(
            r"(?:it|this|that|everything|all)\s+(?:all )?(?:works?|is working|looks good|passes)\b(?!.*\b(?:but|except|not|fail\w*|broken|error)\b)",
            "all|everything|it|that|this",
            "looks good|passes|work",
            "all|everything|it|that|this",
        ),
        _opening(r"tests?\s+(?:all )?pass(?:es|ed)?\s+(?:for me|here|locally|on my)", "test", "test", "pass"),
        _opening(r"lgtm\b", "lgtm", "lgtm"),
    ),
    "asks_push": (
        _opening(
            r"(?:(?:git )?(?:add|com{1,3}it+|stage)\b[^.!?]{0,40}?(?:&&?|\+|/|and|then|n\b)?\s*)?(?:git\s+)?\w?(?:push|psuh|puhs)\b(?!\s*(?:back|notification|button|event|the button)|[^.!?]{0,40}\b(?:stack|queue|array|list|heap|vector|deque|history)\b(?!\s+(?:branch|repo)))",
            "",
            "psuh|puhs|push",
        ),
        _opening(r"ship it", "ship it", "ship it"),
        _opening(r"(?:publish|release|deploy)\b", "deploy|publish|release", "deploy|publish|release"),
        _opening(r"merge\b.{0,30}\b(?:in)?to\s+(?:main|master)", "merge", "merge", "main|master"),
        _opening(r"(?:pushe|pousse|sube|empuja)\b", "empuja|pousse|pushe|sube", "empuja|pousse|pushe|sube"),
    ),
    "asks_commit": (
        _opening(
            r"(?:git\s+)?commit(?:te?)?\b|check (?:it|this) in\b",
            "check it in|check this in|commit|git",
            "check it in|check this in|commit",
        ),
    ),
    "asks_pr": (
        _opening(
            rf"(?:open|create|make|raise|submit|file|put up|send|start|cut|prepare|draft|do|get|turn (?:it|this) into|and)\s+{_PR}\b(?!\s*(?:description|title|comments?|body|reviews?|template|number|checks?|link|page|list|feedback|url|branch|#?\d))",
            "and|create|cut|do|draft|file|get|make|open|prepare|put|raise|send|start|submit|turn",
            "and|create|cut|do|draft|file|get|make|open|prepare|put up|raise|send|start|submit|turn it into|turn this into",
        ),
        _opening(
            r"(?:push|commit)\b.{0,30}\b(?:and|\+|&|,)\s*(?:a\s+)?(?:pr|pull request)\b|(?:then\s+)?pr\s+(?:it|this)\b|a?\s*pr\s*$|(?:pull request|pr)\s+(?:please|erstellen|öffnen)",
            "",
            "commit|erstellen|please|pr|push|öffnen",
        ),
    ),
    "asks_tests": (
        _opening(
            rf"(?:run|re-?run|execute|make sure|ensure|verify|check(?: that)?)\b.{{0,30}}\b{_TESTS}|test (?:it|this|everything|that)\b",
            "check|ensure|execute|make|re-run|rerun|run|test|verify",
            "jest|specs|test",
            "check|ensure|everything|execute|it|make sure|run|that|this|verify",
        ),
    ),
    "asks_build": (
        _opening(
            r"(?:run|do|make|ensure|verify|check)\b.{0,30}\bbuild\b|(?:re)?build (?:it|this|the (?:app|project))\b",
            "build|check|do|ensure|make|rebuild|run|verify",
            "build",
        ),
    ),
}
#: "Only the first step": wherever in a sentence.
LIMITS = (
    _anywhere(r"stop\s+(?:after|there|here|when|once|before|at|now)\b", "stop", "after|at|before|here|now|once|when"),
    _anywhere(
        r"(?:only|just)\s+(?:do|fix|address|start with|work on|the first|handle|implement|cover|tackle)?\s*(?:the\s+)?(?:first|step|phase|task|item|part|number|no\.?|#|\d|one\b|this one|that one)",
        "just|only",
    ),
    _anywhere(
        r"(?:nothing|don'?t do anything|do nothing)\s+(?:else|more)\b",
        "don't do anything|dont do anything|nothing",
        "else|more",
    ),
    _anywhere(r"leave\s+(?:the\s+)?(?:rest|others)\b", "leave", "others|rest"),
    _anywhere(r"one\s+(?:\w+\s+)?at\s+a\s+time", "at", "time", "one"),
    _anywhere(
        r"(?:don'?t|do not)\s+(?:do|start|begin|touch|implement|continue with|go on (?:to|with)|proceed (?:to|with)|move on to)\s+(?:on\s+)?(?:the\s+)?(?:steps?|phases?|parts?|tasks?|rest|others|next|remaining)\b",
        "don't|dont|do not",
        "step|phase|part|task|rest|others|next|remaining",
    ),
    _anywhere(r"that'?s\s+(?:all|it|enough)\b", "that's|thats", "all|enough|it"),
    _anywhere(r"pause\b", "pause"),
    _anywhere(r"wait for (?:me|my)", "wait for me|wait for my"),
    _anywhere(
        r"(?:we'?ll|i'?ll|we can|i can)\s+(?:do|handle|continue|finish|take care of|come back to)\s+(?:the\s+)?(?:rest|others?|it|that|this|them)\b.{0,20}(?:later|tomorrow|another|next|myself)",
        "another|later|myself|next|tomorrow",
        "i can|i'll|ill|we can|we'll|well",
    ),
    _anywhere(r"nur\s+(?:schritt|das erste|den ersten)", "das erste|den ersten|schritt", "nur"),
    _anywhere(r"seulement\s+(?:l'étape|le premier|la première)", "seulement", "l'étape|la première|le premier"),
    _anywhere(r"s[oó]lo\s+(?:el primer|la primera|el paso)", "el paso|el primer|la primera", "solo|sólo"),
)
