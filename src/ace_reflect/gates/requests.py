"""
The words with which people ask for deeds, set limits, agree and confirm, in the languages that are met most.

As in `vocabulary`, patterns are tried at the start of a clause, behind its fillers, where nothing else is said.
"""

from ace_reflect.gates.opening import Opening
from ace_reflect.gates.phrases import NOT, NOT_STARTS, PR, TAIL, TESTS, anywhere, starting
from ace_reflect.late import Late

_END = r"\s*(?:$|[.!]|(?:please|pls|at all|here|yet|for now|myself)\b)"
#: How a short prompt begins that agrees to what the answer before it offered.
ASSENT = (
    "y", "yes", "yep", "yeah", "yup", "ok", "okay", "sure", "go", "go ahead", "do it", "do that", "please", "please do", "yes please", "sounds good", "proceed",
    "continue", "perfect", "great", "lgtm", "ja", "oui", "si", "sí", "sim", "da",
)  # fmt: skip
THUMB = "👍"

#: A sentence without one of these words is not looked at any closer.
ASK_SIGNS: dict[str, tuple[str, ...]] = {
    "no_push": ("push", "commit", "merge", "git", "local", "pousse", "推送", "提交", "プッシュ", "コミット", "пуш", "комм"),
    "no_change": (
        "chang", "edit", "modif", "touch", "writ", "fix", "implement", "cod", "anything", "nothing", "just", "only", "simply", "read", "ändern",
        "nur", "juste", "seulement", "solo", "sólo", "nada", "niente", "nulla", "don", "改", "動", "变更", "変更", "修正", "編集", "触", "説明", "解释", "说明", "niets",
        "alleen", "ничего", "объясни",
    ),
    "limits_scope": (
        "stop", "only", "just", "first", "step", "with me", "before", "phase", "task", "else", "more", "leave", "one ", "all", "it", "enough", "pause", "wait", "later", "tomorrow", "nur", "seulement", "solo", "sólo",
    ),
    "confirmed": (
        "test", "work", "ran ", "verified", "confirmed", "checked", "gone", "resolved", "pass", "green", "did it", "lgtm", "look", "good", "fixed", "solved", "trick", "perfect", "funktioniert", "läuft", "klappt", "geht", "passt",
        "marche", "fonctionne", "funcion", "funziona", "deu certo", "werkt", "работа", "了", "まし", "いた",
    ),
    "asks_push": (
        "push", "psuh", "puhs", "ship", "publish", "release", "deploy", "merge", "pousse", "sube", "súbe", "empuja", "пуш", "залей", "推", "プッシュ",
    ),
    "asks_commit": ("commit", "check", "comit", "коммит", "提交", "コミット"),
    "asks_pr": ("pr", "pull", "merge", "mr", "пр", "プルリク"),
    "asks_tests": ("test", "spec", "suite", "jest"),
    "asks_build": ("build", "compiles"),
}  # fmt: skip
ASKS: dict[str, tuple[Opening, ...]] = {
    "no_push": (
        starting(
            rf"{NOT}\s+(?:git\s+)?(?:push|commit(?:ting)?(?:\s*(?:or|/|and)\s*push)?|pushing)\b(?!\s+(?:its|their|his|her)\b|\s+(?:the\s+|any\s+|my\s+|your\s+)?(?:[\w/-]*\.\w|(?:node_modules|secrets?|credentials|generated|build|config|lock|logs?|temp|tmp|env|binar\w+|large|unrelated)\b))",
            NOT_STARTS,
            "commit|push",
            "avoid|don't|dont|needn't|neednt|never|no need for|no need to|not|refrain from|skip|stop",
        ),
        starting(  # the person does it, or nobody
            r"(?:i'?ll|i will|we'?ll|let me|i want to)\s+(?:just\s+)?(?:(?:commit|push|merge)\s*(?:and (?:push|merge)\s*)?(?:it|this|that|them|everything|the changes)?|(?:do|handle|take care of)\s+(?:all\s+)?(?:the\s+)?(?:git|commits?|committing|push(?:es|ing)?)(?:\s+(?:stuff|part|side|things?|work))?)(?=\s*(?:$|[.!]|(?:myself|later|once|when|after\w*|tomorrow|manually|by hand|on my|from here)\b))",
            "i|let|we",
            "push|commit|git|merge",
        ),
        starting(
            r"(?:leave|keep)\s+(?:the\s+)?(?:(?:git|commits?|committing|push|pushing)\s+(?:alone|(?:stuff\s+)?to\s+me)|(?:it|this|everything|the changes|changes|that)\s+(?:local(?!\s+to)|uncommitted|unpushed)\b)",
            "keep|leave",
            "alone|me|local|uncommitted|unpushed",
        ),
        starting(
            rf"{NOT}\s+(?:use|touch|run)\s+(?:any\s+)?git(?:\s+commands?)?(?={_END}|\s+i\b)",
            NOT_STARTS,
            "use|touch|run",
            "git",
        ),
        starting(rf"no\s+(?:push(?:es|ing)?|commits?)(?:{TAIL}|(?=\s+to\b))", "no", "commit|push", "no"),
        starting(
            r"(?:hold off|wait)\s+(?:on\s+|with\s+)(?:the\s+)?(?:push|commit)",
            "hold off|wait",
            "push|commit",
            "hold|wait",
        ),
        starting(
            r"(?:(?:noch|jetzt|erst(?:mal)?)\s+)?nicht\s+(?:pushen|committen)|kein(?:en)?\s+(?:push|commit)\b",
            "erst|jetzt|kein|nicht|noch",
            "nicht|kein",
            "commit|push",
        ),
        starting(r"(?:just|only)\s+commit(?:\s+(?:it|this|that))?\s+locally\b", "just|only", "locally", "commit"),
        starting(r"ne\s+(?:pousse|push|commit)\w*\s+pas", "ne", "commit|pousse|push", "pas"),
        starting(r"no\s+hagas\s+(?:push|commit)", "no", "hagas", "commit|push"),
    ),
    "no_change": (
        starting(
            r"(?:do not|don'?t|dont|without|never|no need to|not)\s+(?:(?:actually|yet)\s+)?(?:chang(?:e|ing)|edit(?:ing)?|modify(?:ing)?|touch(?:ing)?|writ(?:e|ing)|fix(?:ing)?|implement(?:ing)?|cod(?:e|ing)|do|mak(?:e|ing))\s*(?:anything|any (?:code|files?|changes?|edits?)|the code|code|yet|files|changes|it(?: yet)?|this(?: yet)?|nothing)\b(?!\s+(?:else|other|more|beyond|outside|except|besides|unrelated)\b)",
            "do not|don't|dont|never|no need to|not|without",
            "don't|dont|never|no need to|not|without",
        ),
        starting(
            r"(?:just|only|simply)\s+(?:explain|answer|tell me|analy[sz]e|look|describe|investigate|read|research|list|discuss|show me|respond|reply|give me|report|summari[sz]e|explore)\b",
            "just|only|simply",
            "just|only|simply",
            "analyse|analyze|answer|describe|discuss|explain|explore|give me|investigate|list|look|read|reply|report|research|respond|show me|summarise|summarize|tell me",
        ),
        starting(r"read[- ]?only\b", "read only|read-only|readonly", "read only|read-only|readonly"),
        starting(r"no (?:code )?(?:changes|edits)\b", "no", "changes|edits"),
        starting(r"nichts\s+ändern", "nichts", "nichts", "ändern"),
        starting(r"nur\s+(?:erklären|erklär|analysier\w*|anschauen)", "nur", "analysier|anschauen|erklär", "nur"),
        starting(r"ne\s+(?:change|modifie|touche)\w*\s+rien", "ne", "rien", "change|modifie|touche"),
        starting(
            r"(?:juste|seulement)\s+(?:explique|analyse)", "juste|seulement", "juste|seulement", "analyse|explique"
        ),
        starting(r"no\s+(?:cambies|modifiques|toques)\s+nada", "no", "nada", "cambies|modifiques|toques"),
        starting(r"s[oó]lo\s+(?:explica|analiza)", "solo|sólo", "analiza|explica", "solo|sólo"),
        starting(r"não\s+(?:mude|altere)\s+nada", "não", "nada", "altere|mude"),
        starting(r"non\s+(?:cambiare|modificare)\s+(?:niente|nulla)", "non", "cambiare|modificare", "niente|nulla"),
        starting(r"(?:不要|别)(?:修改|改动|改)", "不要修改|不要改|别修改|别改", "不要修改|不要改|别修改|别改"),
        starting(r"变更しないで", "变更しないで", "变更しないで"),
        starting(r"変更しないで", "変更しないで", "変更しないで"),
    ),
    "confirmed": (
        starting(
            r"(?:i'?ve|i have|i|we'?ve|we)\s+(?:just |already |also |now )?(?:tested|tried|verified|checked|ran the tests|run the tests)\b(?!.*\b(?:fail\w*|broken|not|doesn'?t|error)\b)",
            "i|we",
            "checked|ran the tests|run the tests|tested|tried|verified",
        ),
        starting(
            r"(?:manually tested|tested|verified|confirmed (?:working|fixed|it|this|that|on (?:my|our) \w+))(?:\s+(?:it|this|that|everything|them))?(?:\s+(?:works?|working|fixed|locally|manually|myself|here|by hand|on (?:(?:my|our|a real) \w+|staging|prod\w*)|in (?:the|my) (?:browser|app|simulator|emulator)|too|already))*\s*[.!]*$"
            r"|(?:checked|tried)(?:\s+(?:it|this|that|them|everything|both))?\s+(?:locally|manually|myself|by hand|on (?:staging|prod\w*|(?:my|our|a real) \w+)|in (?:the|my) (?:browser|app|simulator|emulator))\s*[.!]*$",
            "manually|tested|verified|confirmed|checked|tried",
            "tested|verified|confirmed|checked|tried",
        ),
        starting(  # "ran pytest, everything green", "they all pass"
            r"(?:(?:it'?s )?(?:all )?green|(?:all|everything|they|both)(?: all)?(?: are| is)? (?:green|pass(?:ed|ing)?))(?:\s+(?:now|here|for me|locally|too|again|thanks))*\s*[.!]*$",
            "all|both|everything|green|it|they",
            "green|pass",
        ),
        starting(
            r"(?:it'?s |that'?s |everything'?s )?(?:all |finally |now )?work(?:s|ing)(?:\s+(?:now|great|fine|well|perfectly|again|for me|as expected|like a charm|nicely|beautifully|locally|thanks|thx|ty))*\s*[.!]*$",
            "all|everything|finally|it|now|that|work",
            "works|working",
        ),
        starting(  # "login works now", "the error is gone", and nothing else of it
            r"(?!.{0,60}\b(?:how|way|what|if|whether|sure|check|verify|that|once|when|until|ensure|like|as|not|never|should)\b)(?:\w+ ){1,5}works (?:(?:fine|great|well|perfectly) )?now(?: thanks| thx)?\s*[.!]*$",
            "",
            "works now|works fine now|works great now|works well now|works perfectly now",
        ),
        starting(
            r"(?:the |that |this )?(?:\w+ )?(?:bugs?|issues?|problems?|errors?|warnings?) (?:is|are|has been|have been|was) (?:now |finally )?(?:gone|fixed|solved|resolved)(?: now| thanks)*\s*[.!]*$|(?:it'?s|that'?s) (?:now |all |finally )?(?:fixed|solved|resolved|gone)(?: now| thanks)*\s*[.!]*$|(?:fixed|solved|gone) (?:now|thanks)\b",
            "",
            "gone|fixed|solved|resolved",
            "bug|issue|problem|error|warning|it's|its|that's|thats|now|thanks",
        ),
        starting(
            r"(?:that|this|it|you)\s+(?:(?:has|have)\s+)?(?:fixed|solved)\s+(?:it|that|the (?:issue|problem|bug))\b|(?:that|this|it)\s+(?:did the trick|worked|did it(?=\s*(?:$|[.!]|thanks|thx)))",
            "it|that|this|you",
            "fixed|solved|trick|worked|did it",
        ),
        starting(
            r"(?:(?:it|this|that|all|everything)\s+)?(?:looks|look)\s+(?:good|great|fine|perfect|right|correct)(?:\s+(?:to me|now|here|thanks))*\s*[.!]*$|all (?:good|is good|is well)(?: now)?\s*[.!]*$",
            "all|everything|it|look|that|this",
            "look|good|well",
        ),
        starting(
            r"(?:it|this|that|everything|all)\s+(?:all |finally |now |actually )?(?:works?|is working|looks good|passes)\b(?!.*\b(?:but|except|not|fail\w*|broken|error)\b)",
            "all|everything|it|that|this",
            "looks good|passes|work",
            "all|everything|it|that|this",
        ),
        starting(
            r"(?:(?:all|the|my|unit) ){0,3}tests?\s+(?:all |are )?(?:pass(?:es|ed|ing)?|green)\s+(?:for me|here|locally|on my|now)\b",
            "all|my|test|the|unit",
            "test",
            "pass|green",
        ),
        starting(r"lgtm\b", "lgtm", "lgtm"),
    ),
    "asks_push": (
        starting(
            r"(?:do )?(?:(?:git )?(?:add|com{1,3}it+|stage)\b[^.!?]{0,40}?(?:&&?|\+|/|and|then|n\b)?\s*)?(?:git\s+)?\w?(?:push|psuh|puhs)\b(?!\s*(?:back|notification|button|event|the button)|[^.!?]{0,40}\b(?:stack|queue|array|list|heap|vector|deque|history)\b(?!\s+(?:branch|repo)))",
            "",
            "psuh|puhs|push",
        ),
        starting(r"ship it", "ship it", "ship it"),
        starting(r"(?:publish|release|deploy)\b", "deploy|publish|release", "deploy|publish|release"),
        starting(r"merge\b.{0,30}\b(?:in)?to\s+(?:main|master)", "merge", "merge", "main|master"),
        starting(r"(?:pushe|pousse|sube|empuja)\b", "empuja|pousse|pushe|sube", "empuja|pousse|pushe|sube"),
    ),
    "asks_commit": (
        starting(
            r"(?:do\s+)?(?:git\s+)?(?:commit(?:te?)?|comm?itt?)\b|check (?:it|this) in\b(?!\s+(?:the|my|a|an|your)\b)",
            "check it in|check this in|com|do|git",
            "check it in|check this in|commit|comit",
        ),
    ),
    "asks_pr": (
        starting(
            rf"(?:open|create|make|raise|submit|file|put up|send|start|cut|prepare|draft|do|get|turn (?:it|this) into|(?:don'?t|do not) forget|and)\s+{PR}\b(?!\s*(?:description|title\b|comments?|body|reviews?|template|number|checks?|link|page|list|feedback|url|branch|#?\d))",
            "and|create|cut|do|draft|file|get|make|open|prepare|put|raise|send|start|submit|turn",
            "and|create|cut|do|draft|file|forget|get|make|open|prepare|put up|raise|send|start|submit|turn it into|turn this into",
        ),
        starting(
            r"(?:push|commit)\b.{0,30}\b(?:and|\+|&|,)\s*(?:a\s+)?(?:pr|pull request)\b|(?:then\s+)?pr\s+(?:it|this)\b|a?\s*pr\s*$|gh pr create\b|(?:pull request|pr)\s+(?:please|erstellen|öffnen)",
            "",
            "commit|erstellen|please|pr|push|öffnen",
        ),
    ),
    "asks_tests": (
        starting(
            rf"(?:run|re-?run|execute|make sure|ensure|verify|check(?: that)?)\b.{{0,30}}\b{TESTS}|test (?:it|this|everything|that)\b",
            "check|ensure|execute|make|re-run|rerun|run|test|verify",
            "jest|specs|suite|test",
            "check|ensure|everything|execute|it|make sure|run|that|this|verify",
        ),
    ),
    "asks_build": (
        starting(
            r"(?:run|do|make|ensure|verify|check)\b.{0,30}\bbuild\b|(?:re)?build (?:it|this|the (?:app|project))\b|(?:(?:do )?make sure|ensure|verify|check)(?: that)? (?:it|this|that|everything|all|the (?:app|project|code))(?: all)?(?: still)? (?:builds|compiles)\b",
            "build|check|do|ensure|make|rebuild|run|verify",
            "build|compiles",
        ),
    ),
}
#: A push or release that was made, or what is named after it: "deploy fails on staging", "the release script".
TOLD_OF_PUSH = Late(
    r"\b(?:push|publish|release|deploy)(?: (?:to|on|in) \S+)? (?:(?:is|was|isn'?t|wasn'?t|keeps?|still|fail\w*|does\w*|did\w*|gets?|got|gives?|gave|has|had|errors?|logs?|broke\w*|throws?|crash\w*|hangs?|takes?|took|works?|worked|rejected|looks?|says)\b|(?<!push )(?:notes?|script|workflow|jobs?|steps?|pipeline|process|command|page|button)\b)",
    needs=(
        "push|publish|release|deploy",
        "is|was|keep|still|fail|does|did|get|got|give|gave|has|had|error|log|broke|throw|crash|hang|take|took|work|reject|look|say|note|script|job|step|pipeline|process|command|page|button",
    ),
)
#: "Only the first step": wherever in a sentence.
LIMITS = (
    anywhere(
        r"stop\s+(?:after|there|here|when|once|before|at|now|so (?:that )?(?:i|we))\b|(?:then|and)\s+stop\s*(?:$|[.,;!]|for (?:now|today)\b)",
        "stop",
        "after|at|before|here|now|once|when|so i|so we|so that|then|and",
    ),
    anywhere(  # "one file per turn", "first the schema, then wait", "we continue tomorrow"
        r"\bone\s+\w+\s+(?:per|each|every)\s+(?:turn|prompt|message|session)\b|\b(?:then|and)\s+wait\s*(?:$|[.!,;])|\bwe(?:'?ll| will| can)?\s+(?:continue|go on|resume|finish)\s+(?:it\s+|this\s+|the rest\s+)?(?:tomorrow|later|next (?:week|time)|another day)\b",
        "turn|prompt|message|session|wait|tomorrow|later|next|another",
    ),
    anywhere(  # "start with the first five and then check in with me", "show me the schema before you go on to the UI"
        r"\bcheck (?:back |in |back in )?with me\b(?!\s+(?:if|when|whenever|once)\b)"
        r"|\b(?:show|send|give|tell|ask)\s+me\b[^.!?\n]{0,60}\bbefore\s+(?:you\s+)?(?:go(?:ing)? on|continu\w+|proceed\w*|mov(?:e|ing) on|start\w*|begin\w*|touch\w*)\b",
        "check|show|send|give|tell|ask",
        "with me|before",
    ),
    anywhere(  # "just do the backend for now", "start with phase 1 only"
        r"(?:just|only)\s+(?:(?:do|implement|fix|build|handle|cover|tackle|start with)\s+)?(?:the\s+)?(?:\w+\s+){1,3}(?:part|half|side|bit|piece|for now|for today|today|this time)\b(?!\s+(?:is|was|are|of|that)\b)"
        r"|(?:(?:step|phase|task|part|item|number)s?\s+#?\w{1,3}(?:\s*(?:-|to|and)\s*\w{1,3})?|the first(?:\s+\w+)?)\s+(?:only|for now)\s*(?:$|[.,;!]|please|pls|and\b|then\b)",
        "just|only|for now",
        "part|half|side|bit|piece|now|today|this time|step|phase|task|item|number|the first",
    ),
    anywhere(
        r"(?:only|just)\s+(?:do|fix|address|start with|work on|the first|handle|implement|cover|tackle)?\s*(?:the\s+)?(?:first|step|phase|task|item|part|number|no\.? ?\d|#|\d|one\b|this one|that one)",
        "just|only",
    ),
    anywhere(  # "list the steps and do the first"
        r"(?:and|then|,)\s+(?:do|implement|tackle|finish|fix|complete)\s+the first(?:\s+(?:one|task|step|item|part|phase|point))?(?:\s+(?:of (?:them|these|those)|please|pls))?\s*(?:$|[.!])",
        "do|implement|tackle|finish|fix|complete",
        "the first",
    ),
    anywhere(
        r"(?:nothing|don'?t do anything|do nothing)\s+(?:else|more)\b",
        "don't do anything|dont do anything|nothing",
        "else|more",
    ),
    anywhere(r"leave\s+(?:the\s+)?(?:rest|others)\b", "leave", "others|rest"),
    anywhere(r"one\s+(?:\w+\s+)?at\s+a\s+time", "at", "time", "one"),
    anywhere(
        r"(?:don'?t|do not)\s+(?:do|start|begin|touch|implement|continue with|go on (?:to|with)|proceed (?:to|with)|move on to)\s+(?:on\s+)?(?:the\s+)?(?:steps?|phases?|parts?|tasks?|rest|others|next|remaining)\b",
        "don't|dont|do not",
        "step|phase|part|task|rest|others|next|remaining",
    ),
    anywhere(r"that'?s\s+(?:all|it|enough)\b", "that's|thats", "all|enough|it"),
    anywhere(r"pause\b", "pause"),
    anywhere(r"wait for (?:me|my)", "wait for me|wait for my"),
    anywhere(
        r"(?:we'?ll|i'?ll|we can|i can)\s+(?:do|handle|continue|finish|take care of|come back to)\s+(?:the\s+)?(?:rest|others?|it|that|this|them)\b.{0,20}(?:later|tomorrow|another|next|myself)",
        "another|later|myself|next|tomorrow",
        "i can|i'll|ill|we can|we'll|well",
    ),
    anywhere(r"nur\s+(?:schritt|das erste|den ersten)", "das erste|den ersten|schritt", "nur"),
    anywhere(r"seulement\s+(?:l'étape|le premier|la première)", "seulement", "l'étape|la première|le premier"),
    anywhere(r"s[oó]lo\s+(?:el primer|la primera|el paso)", "el paso|el primer|la primera", "solo|sólo"),
)
#: "It works now, but the colour is wrong."
BUT = Late(
    r"(?i)\b(?:but|except|however|although|fail(?:s|ed|ing)?|broken|wrong|(?<!no )errors?(?! (?:is|are|has been) (?:now |finally )?(?:gone|fixed|resolved|solved))|crash\w*|hangs?|(?:freez|froz)\w*|nothing happens|no luck|same (?:error|issue|problem|thing)|still(?! (?:works?|working|looks|passes|good|green|fine|all))|aber|mais|pero|mas|ma|maar)\b|但|でも|но ",
    needs=(
        "but|except|however|although|fail|broken|wrong|error|crash|hang|freez|froz|nothing happens|no luck|same |still|aber|mais|pero|mas|ma|但|でも|но ",
    ),
)
#: "Mend it so it works", "it works when I reload", "on localhost it works, not on the server": wished for, or half the truth.
NOT_WHOLLY = Late(
    r"(?i)^(?:\w+,? )?(?:if|when|whenever) |\w \w+,? so (?:that )?(?:it|this|everything|all) |\bworks? (?!now )(?:\w+ ){0,3}(?:if|when|only|until|unless|sometimes|mostly|partially)\b|, (?:just )?not (?:on|in|for|with|the|when)\b",
    needs=("if|when|so |only|until|unless|sometimes|mostly|partially|not ",),
)
NOT_YET = Late(r"(?i)\b(?:yet|until|before)\b", needs=("yet|until|before",))
