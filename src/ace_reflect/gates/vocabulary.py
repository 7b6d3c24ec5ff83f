"""
The words with which people switch gates off, in the languages that are met most; what they ask for stands in `requests`.

Patterns for the start of a clause are tried behind fillers ("please", "can you"; `opening`); most end in `phrases.TAIL`, so
that "skip the tests" waives and "skip the tests that need network" does not.
"""

from ace_reflect.gates import tests_may_fail, tests_waived
from ace_reflect.gates.opening import Opening
from ace_reflect.gates.phrases import GATES, NOT, NOT_STARTS, PR, TAIL, anywhere, starting
from ace_reflect.late import Late

ALL = "all"

#: gate -> patterns at the start of a clause. `{…}` are `phrases`.
AT_START: dict[str, tuple[Opening, ...]] = {
    ALL: (
        starting(
            rf"(?:skip|ignore|disable|bypass|drop|forget|turn off|switch off|no|mute|silence|without|pause|suspend)\s+{GATES}{TAIL}",
            "bypass|disable|drop|forget|ignore|mute|no|pause|silence|skip|suspend|switch|turn|without",
            "ace-reflect|acereflect|checks|completion check|gate|reflection|stop hook|stop-hook",
            "bypass|disable|drop|forget|mute|no|pause|silence|skip|suspend|switch off|turn off|without",
        ),
        starting(
            rf"{NOT}\s+(?:run|use|apply|enforce|do|bother with)\s+{GATES}{TAIL}",
            NOT_STARTS,
            "ace-reflect|acereflect|checks|completion check|gate|reflection|stop hook|stop-hook",
            "apply|bother with|do|enforce|run|use",
        ),
        starting(rf"(?:turn|switch)\s+{GATES}\s+off", "switch|turn", "switch|turn", "off"),
        starting(
            rf"{GATES}\s+off{TAIL}",
            "ace-reflect|acereflect|all|any|checks|completion|gate|hook|my|quality|reflection|stop|the|those|verification|your",
            "off",
            "ace-reflect|acereflect|checks|completion check|gate|reflection|stop hook|stop-hook",
        ),
        starting(
            r"(?:überspring\w*|ignorier\w*|keine)\s+(?:die\s+|alle\s+)?gates?",
            "ignorier|keine|überspring",
            "gate",
            "ignorier|keine|überspring",
        ),
        starting(r"gates?\s+(?:überspringen|ignorieren|aus)\b", "gate", "gate", "aus|ignorieren|überspringen"),
        starting(
            r"(?:saute|ignore|passe|désactive|sans|pas de)\s+(?:les\s+|tous les\s+)?gates?",
            "désactive|ignore|pas de|passe|sans|saute",
            "gate",
            "désactive|ignore|pas de|passe|sans|saute",
        ),
        starting(
            r"(?:salta|omite|ignora|desactiva|sin|pula|pule|sem|disattiva|senza)\s+(?:los\s+|las\s+|os\s+|i\s+)?(?:todas?\s+)?gates?",
            "desactiva|disattiva|ignora|omite|pula|pule|salta|sem|senza|sin",
            "gate",
            "desactiva|disattiva|ignora|omite|pula|pule|salta|sem|senza|sin",
        ),
        starting(r"(?:sla)\s+(?:de\s+)?gates?\s+over|geen\s+gates?", "geen|sla", "gate|geen"),
        starting(r"(?:пропусти\w*|без)\s+(?:гейт\w*|gates?)", "без|пропусти", "gate|гейт", "без|пропусти"),
        starting(
            r"(?:跳过|跳過|忽略)\s*(?:gates?|检查|檢查)|(?:gates?|ゲート)\s*(?:は|を)?\s*(?:スキップ|飛ばし|無視)",
            "gate|ゲート|忽略|跳过|跳過",
            "gate|ゲート|检查|檢查",
        ),
    ),
    "tests": (*tests_waived.AT_START, *tests_may_fail.AT_START),
    "pr": (
        starting(
            rf"(?:no|no need for|without|skip|forget(?: about)?|(?:hold off|wait)\s+(?:on|with)(?:\s+(?:opening|creating|making))?)\s+{PR}{TAIL}",
            "forget|hold off|no|skip|wait|without",
            "forget|hold off|no|skip|wait|without",
            "pr|pull|merge|mr",
        ),
        starting(
            rf"(?:{NOT}|no)\s+(?:open(?:ing)?|creat(?:e|ing)|mak(?:e|ing)|rais(?:e|ing)|submit(?:ting)?|do(?:ing)?|need|file|put up|send|start|bother with)\s+{PR}\b(?!\s+(?:description|title|comment|body|template|link))",
            NOT_STARTS,
            "avoid|don't|dont|needn't|neednt|never|no|refrain from|skip|stop",
            "pr|pull|merge|mr",
        ),
        starting(
            rf"(?:i'?ll|i will|let me|we'?ll)\s+(?:open|create|make|raise|submit|do|file)\s+{PR}",
            "i will|i'll|ill|let me|we'll|well",
            "i'll|ill|let me|we'll|well",
            "create|do|file|make|open|raise|submit",
        ),
        starting(
            rf"(?:(?:i|we|this|it)\s+)?(?:don'?t|do not|doesn'?t)\s+(?:need|want|do|use)\s+{PR}",
            "do|i|it|this|we",
            "do not|don't|dont|doesn't|doesnt",
            "need|want|do|use",
            "pr|pull|merge|mr",
        ),
        starting(
            r"(?:erstell\w*|mach\w*|öffne\w*)?\s*kein(?:en)?\s+(?:pr|pull[ -]?request|merge[ -]?request)|ohne\s+(?:pr|pull[ -]?request)\b",
            "",
            "kein|ohne",
            "merge request|merge-request|mergerequest|pr|pull request|pull-request|pullrequest",
        ),
        starting(
            r"pas\s+de\s+(?:pr|pull[ -]?request|mr)\b|ne\s+(?:crée|ouvre|fais)\s+pas\s+de\s+(?:pr|pull[ -]?request)|sans\s+(?:pr|pull[ -]?request)\b",
            "ne|pas|sans",
            "pas|sans",
            "pr|pull|mr",
        ),
        starting(
            r"no\s+(?:hagas?|crees?|abras?)\s+(?:un\s+|el\s+|ning[uú]n\s+)?(?:pr|pull[ -]?request)|sin\s+(?:pr|pull[ -]?request)\b|sem\s+(?:pr|pull[ -]?request)\b|n[ãa]o\s+(?:abra|crie|fa[çc]a)\s+(?:um\s+|o\s+)?(?:pr|pull[ -]?request)",
            "nao|no|não|sem|sin",
            "abra|cree|crie|faca|faça|haga|sem|sin",
            "pr|pull",
        ),
        starting(
            r"(?:niente|senza|nessuna)\s+(?:pr|pull[ -]?request)\b|geen\s+(?:pr|pull[ -]?request)\b|zonder\s+(?:pr|pull[ -]?request)\b|без\s+(?:pr|пр|пулл?[ -]?реквест\w*)",
            "geen|nessuna|niente|senza|zonder|без",
            "geen|nessuna|niente|senza|zonder|без",
            "pr|pull|пр|реквест",
        ),
        starting(
            r"(?:不要|不用|别|無需|无需|不需要)\s*(?:提|开|創建|创建|建)?\s*(?:pr|pull request)|(?:pr|プルリク(?:エスト)?)(?:は|を)?\s*(?:不要|いらない|要らない|作らないで|なし)|pr\s*없이",
            "pr|プルリク|不用|不要|不需要|别|无需|無需",
            "pr|pull request|プルリク",
        ),
    ),
    "ci": (
        starting(
            rf"(?:ignore|skip|forget(?: about)?|no)\s+(?:the\s+)?(?:(?:red|failing|failed|broken)\s+)?(?:ci|pipelines?|github actions|ci checks?){TAIL}",
            "forget|ignore|no|skip",
            "ci|github actions|pipeline",
            "forget|no|skip",
        ),
        starting(
            rf"{NOT}\s+(?:wait(?:ing)? for|check(?:ing)?|watch(?:ing)?|worry about|bother (?:with|about)|look at|care about)\s+(?:the\s+|about\s+)?(?:ci|pipelines?|github actions|checks){TAIL}",
            NOT_STARTS,
            "bother about|bother with|care about|check|look at|wait for|waiting for|watch|worry about",
            "avoid|don't|dont|needn't|neednt|never|no need for|no need to|not|refrain from|skip|stop",
        ),
        starting(
            r"(?:the\s+)?(?:ci|pipeline)\s+(?:is|'s)\s+(?:broken|down|flaky|red anyway|always red)",
            "ci|pipeline|the",
            "always red|broken|down|flaky|red anyway",
            "ci|pipeline",
        ),
        starting(
            r"(?:i'?ll|i will|we'?ll)\s+(?:watch|check|monitor|keep an eye on|look at)\s+(?:the\s+)?(?:ci|pipelines?|checks|github actions)\b",
            "i will|i'll|ill|we'll|well",
            "ci|pipeline|checks|github actions",
        ),
    ),
    "build": (
        *tests_waived.NO_PROOF,
        starting(
            rf"{NOT}\s+(?:(?:run|do|start|bother(?:\s+(?:with|to\s+run|running|doing))?|worry\s+about|waste\s+(?:any\s+)?time\s+(?:on|with))\s+)?(?:a\s+|the\s+|any\s+)?(?:(?:npm|pnpm|yarn|bun|docker|cargo|go|gradle|next|vite)\s+(?:run\s+)?)?(?:(?:re)?build(?:s|ing)?|(?:re)?compil(?:e|ing))(?:\s+(?:it|this|anything|the (?:app|project|image|container|code)))?{TAIL}",
            NOT_STARTS,
            "build|compil",
            "avoid|don't|dont|needn't|neednt|never|no need for|no need to|not|refrain from|skip|stop",
        ),
        starting(
            rf"(?:skip|no|without|ignore|forget(?:\s+about)?|never\s?mind)\s+(?:the\s+|a\s+|running the\s+)?(?:re)?build(?:ing|s)?{TAIL}",
            "forget|ignore|never|no|skip|without",
            "build",
            "forget|mind|no|skip|without",
        ),
        starting(
            r"(?:leave\s+(?:the\s+)?build\s+(?:to\s+me|out|alone)|(?:the|a)\s+build\s+(?:(?:isn'?t|is\s+not)\s+(?:needed|necessary|required)(?!\s+(?:in|on|by|when|if|for\s+(?!this\b|now\b|that\b|today\b|it\b)))|can\s+(?:be\s+(?:skipped|left\s+out)|wait)))\b",
            "a|leave|the",
            "build",
            "leave|isn't|isnt|is|can",
        ),
        starting(
            r"(?:i'?ll|i will|let me|we'?ll)\s+(?:(?:re)?(?:build|compile)\b(?!\s+(?:an?|on|upon|up|out|in|with|some|more)\b)|(?:do|run|handle|take care of)\s+(?:the\s+)?build\b(?!\s+(?!myself|later|afterwards?)\w))",
            "i will|i'll|ill|let me|we'll|well",
            "build|compile",
        ),
        starting(
            r"(?:nicht|ohne\s+zu)\s+(?:bauen|kompilieren)|kein(?:en)?\s+build|pas\s+(?:besoin\s+)?de\s+(?:(?:faire|lancer)\s+(?:le\s+|un\s+)?)?build|no\s+(?:hagas|lances|ejecutes|hace\s+falta(?:\s+hacer)?)\s+(?:el\s+|un\s+)?build|(?:não|nao)\s+(?:precisa\s+(?:de\s+|fazer\s+)?|faça\s+|faz\s+|rode\s+)(?:o\s+)?build|sans\s+build|sin\s+(?:build|compilar)|sem\s+build"
            r"|(?:den\s+)?build\s+(?:kannst\s+du|können\s+wir)\s+(?:dir\s+|uns\s+)?(?:sparen|weglassen)|ne\s+(?:compile|build)\s+pas\b|ne\s+lance\s+pas\s+le\s+build\b|no\s+compiles|(?:não|nao)\s+(?:precisa\s+)?compil(?:ar|e)\b|non\s+(?:serve\s+)?compilare",
            "build|den|kein|nao|ne|nicht|no|não|ohne|pas|sans|sem|sin",
            "bauen|build|compil|kompil",
        ),
        starting(
            r"(?:不用|不要|不必|别|無需|无需|不需要)\s*(?:重新)?(?:编译|構建|构建|打包)(?:了|吧)?$|(?:ビルド|コンパイル)(?:は|を)?\s*(?:不要|いらない|しないで|しなくて)",
            "不|别|無需|无需|ビルド|コンパイル",
            "编译|構建|构建|打包|ビルド|コンパイル",
        ),
    ),
    "remaining_work": (
        starting(
            r"(?:ignore|leave|forget(?: about)?|clear|drop|skip|(?:don'?t|do not) (?:worry|bother|care) (?:about|with))\s+(?:(?:the|those|all|other|remaining|open)\s+){0,4}(?:to-?dos?(?: lists?)?|task lists?|rest|others|(?:remaining|other)\s+(?:ones|items|tasks|steps|work|tickets|issues))",
            "clear|do not|don't|dont|drop|forget|ignore|leave|skip",
            "clear|drop|forget|ignore|leave|skip|worry|bother|care",
            "others|remaining|other|rest|task list|to-do|todo",
        ),
        starting(  # "the rest we do tomorrow", and not "the rest of the page loads later"
            r"(?:the\s+)?(?:rest|others|other ones|remaining (?:ones|items|tasks|steps|work))\b(?!\s+(?:of|apis?|endpoints?|clients?|calls?|requests?|services?|controllers?|servers?)\b).{0,30}\b(?:tomorrow|later(?! than)|next (?:week|time|session|sprint)|(?:on |until )(?:mon|tues|wednes|thurs|fri|satur|sun)day|another (?:day|time)|can wait)\b",
            "other|remaining|rest|the",
            "rest|other|remaining",
            "tomorrow|later|next|day|another|can wait",
        ),
        starting(
            r"(?:we\s+)?(?:pick up|continue with|do|finish|handle|tackle)\s+(?:the\s+)?(?:rest|others|remaining (?:ones|items|tasks|steps|work))\s+(?:tomorrow|later|next (?:week|time|session|sprint)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|another (?:day|time))\b",
            "continue with|do|finish|handle|pick up|tackle|we",
            "rest|others|remaining",
        ),
    ),
    "wiring": (
        starting(
            r"(?:don'?t|do not|no need to|never)\s+(?:wire|hook|integrate|connect|register|import)\b",
            "do not|don't|dont|never|no need to",
            "do not|don't|dont|never|no need to",
            "connect|hook|import|integrate|register|wire",
        ),
        starting(
            r"(?:not|never) wired? (?:in|up)",
            "never wire in|never wire up|never wired in|never wired up|not wire in|not wire up|not wired in|not wired up",
            "never wire in|never wire up|never wired in|never wired up|not wire in|not wire up|not wired in|not wired up",
        ),
    ),
}
#: The same, wherever in the sentence they stand.
ANYWHERE: dict[str, tuple[Late, ...]] = {
    "tests": (*tests_waived.ANYWHERE, *tests_may_fail.ANYWHERE),
    "build": (tests_may_fail.WORKS_LATER, tests_waived.NOTHING_ELSE),
    "pr": (
        anywhere(
            r"\b(?:push|commit|merge|ship|land|go)(?:\s+(?:it|this|that|them|everything|all|changes|the changes|these))?\s+(?:directly|straight|right)?\s*(?:to|into|on|onto)\s+(?:origin[ /])?(?:main|master|trunk|the default branch)\b",
            "main|master|the default branch|trunk",
            "commit|go|land|merge|push|ship",
        ),
        anywhere(
            r"\b(?:directly|straight|right)\s+(?:to|into|on|onto)\s+(?:main|master|trunk)\b",
            "directly|straight|right",
            "main|master|trunk",
        ),
        anywhere(
            r"\b(?:pushing|committing|merging|going)\s+(?:directly\s+|straight\s+)?(?:to|into|on|onto)\s+(?:main|master|trunk)\s+is\s+(?:fine|ok(?:ay)?|allowed|alright)\b",
            "main|master|trunk",
            "fine|ok|allowed|alright",
        ),
        anywhere(
            r"\b(?:direkt|directement|direct[oa](?:mente)?|diret[oa](?:mente)?|direttamente|rechtstreeks|прямо|напрямую)\s+(?:(?:auf|nach|in|sur|dans|a|en|na|no|para|su|naar|op|в|на)\s+)(?:(?:den|la|el|il)\s+)?(?:main|master)\b|直接(?:推送?|提交|push)?(?:到|上)?\s?(?:main|master)\b|(?:main|master)\s?に直接",
            "main|master",
            "dire|rechtstreeks|прямо|напрямую|直接",
        ),
        anywhere(
            r"(?:^|[\s(])(?:pr|mr|pull request): ?(?:no|none|nope|skip|not needed)\s*(?:$|[.,;!)])",
            "pr:|mr:|request:",
            "no|skip",
        ),
        anywhere(rf"\b(?:without|w/o)\s+(?:opening|creating|making)?\s*{PR}{TAIL}", "w/o|without", "pr|pull|merge|mr"),
        anywhere(
            r"\bне\s+(?:создавай|открывай|делай)(?:те)?\s+(?:pr|пр|mr|pull request|пулл?[ -]?реквест)|\b(?:pr|пр|mr|pull request|пулл?[ -]?реквест\w*)\s+(?:\w+\s+)?не\s+(?:создавай|открывай|делай|нуж)",
            "не",
            "создавай|открывай|делай|нуж",
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
#: "Never merge without running the tests" asks for them; tried on a clause, for "so do it without" is another one.
NEGATED_WITHOUT = Late(
    r"\b(?:don'?t|do not|never|not|nothing|no ?one|nobody|can'?t|cannot|mustn'?t|shouldn'?t|won'?t|wouldn'?t)\b[^,;]{0,60}\b(?:without|w/o)\s+(?:\w+\s+){0,2}(?:tests?|testing|running|suite|specs|prs?|pull|merge|passing|verif\w+|review)\b|\b(?:without|w/o)\b[^,;]{0,30}\b(?:we|you|i|it|nobody)\s+(?:can'?t|cannot|won'?t|don'?t)\b",
    needs=("without|w/o",),
)
#: "Don't open the PR until the tests are green": put off, and not waived.
UNTIL_PROVEN = Late(
    r"(?i)\b(?:until|till|before|unless)\b[^,;]{0,20}\b(?:tests?|specs|suite|ci|build|checks|pipeline|everything|all)\b[^,;]{0,20}\b(?:pass\w*|green|succeeds?|done|finish\w*|works?|runs?|clean)\b|\b(?:before|without)\s+(?:running|testing|a green)\b",
    needs=("until|till|before|unless|without",),
)
#: "On every push to main", "the last commit to master": a noun, which the word in front of it tells.
BEFORE_NOUN = frozenset(
    ["a", "an", "the", "on", "upon", "every", "each", "any", "per", "after", "last", "latest", "first", "previous", "recent", "direct", "his", "her", "their", "of", "by", "s"]
)  # fmt: skip
REPORTED = Late(
    r"(?i)\b(?:said|says|(?<!until i )(?<!unless i )(?<!when i )say|saying|(?<!unless )told|(?<!unless )(?<!unless i )(?<!only when )asked|mentions?|printed?|prints|showed|shows|output|if i|when i(?! (?:ask|say|tell))|whenever|what if|someone|somebody|the (?:hook|message|log|docs?|readme|tool|agent|user|command|option|flag))\b",
    needs=(
        "asked|if i|mention|output|printe|prints|said|say|showed|shows|somebody|someone|the agent|the command|the doc|the flag|the hook|the log|the message|the option|the readme|the tool|the user|told|what if|when i|whenever",
    ),
)
SESSION = Late(
    r"(?i)\b(?:(?:for|in|during|throughout) (?:this|the (?:rest of (?:this|the)|whole|entire|current|present)) (?:session|conversation|chat)|this session|from now on|session-?wide"
    r"|for the rest of (?:this|the) (?:session|conversation|chat)|(?:until|unless) i (?:say|ask|tell)|only (?:re-?)?(?:run|push|commit|build)\b[^,;.]{0,30}\bwhen i (?:say|ask|tell)|going forward|from here on\b|für (?:diese|die ganze|den rest der) (?:sitzung|session)|ab jetzt"
    r"|pour (?:cette|toute la) session|à partir de maintenant|(?:para|en|por) (?:esta|toda la) sesi[oó]n|a partir de ahora|nesta sess[ãa]o|para esta sess[ãa]o"
    r"|per (?:questa|tutta la) sessione|d'ora in poi|voor deze sessie|vanaf nu|на эту сессию|(?:本|这|這)次?(?:会话|會話)|このセッション|이번 세션)",
    needs=(
        "a partir de ahora|ab jetzt|chat|conversation|d'ora in poi|ession|esta|from now on|itzung|toda la|until i say|until i ask|until i tell|unless i|when i|going forward|from here on|vanaf nu|voor deze sessie|à partir de maintenant|на эту сессию|このセッション|本会话|本會話|本次会话|本次會話|这会话|这會話|这次会话|这次會話|這会话|這會話|這次会话|這次會話|이번 세션",
    ),
)
RESTORE = Late(
    rf"(?i)\b(?:stop skipping|turn (?:on|back on)|switch (?:on|back on)|re-?enable|resume|restore)\s+{GATES}|{GATES}\s+(?:back\s+)?on\b|turn\s+{GATES}\s+(?:back\s+)?on",
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
#: A sentence without one of these words is not looked at any closer.
SIGNS: dict[str, tuple[str, ...]] = {
    ALL: ("gate", "check", "reflect", "hook", "гейт", "检查", "檢查", "ゲート"),
    "tests": tests_waived.SIGNS,
    "pr": ("pr", "pull", "merge", "main", "master", "trunk", "mr", "プルリク", "реквест"),
    "ci": ("ci", "pipeline", "action", "checks"),
    "build": (
        "build",
        "bau",
        "compil",
        "kompil",
        "编译",
        "构建",
        "構建",
        "打包",
        "ビルド",
        "コンパイル",
        "verif",
        "to work",
        "needn't work",
        "functional",
        "run anything",
        "running anything",
        "nothing",
        "execut",
        "command",
        "take it from",
        "take over",
        "the rest",
        "den rest",
        "reste",
        "resto",
        "myself",
    ),
    "remaining_work": ("todo", "to-do", "task", "rest", "other", "remaining"),
    "wiring": ("wire", "hook", "integrat", "connect", "regist", "import"),
}
#: Both behind one verb: "don't bother with the tests or the build", and not "skip the tests and build a demo page".
TESTS_AND_BUILD = Late(
    r"(?i)\btests?,? (?:and|or|nor) (?:(?:the|a|any|running the) )?builds?(?= *(?:[.,;:!)]|$)| (?:either|please|for now|at all|now|yet|here|today|myself|step)\b)"
    r"|\bbuilds?,? (?:and|or|nor) (?:(?:the|any|running the|running) )?tests\b(?! (?:should|must|have to|need to|that|which|in)\b)",
    needs=("test", "build"),
)
