"""
What an order looks like, in English, German, French and Spanish (more in `foreign_orders`): the words that
`preferences` joins.

Closed lists on purpose: a standing wish that is missed is said again, a remark that became a rule is obeyed for ever.
"""

import re

from ace_reflect.learning import foreign_orders

#: What may stand before an order without changing it.
LEAD = (
    r"^(?:(?:please|pls|plz|oh|ok(?:ay)?|also|and|but|so|hey|btw|by the way|(?:quick |small |friendly |gentle )?(?:note(?: that)?|reminder)|remember(?: that| to)?|important|fyi|actually|no|nope|yes|yeah|great|thanks|thank you"
    r"|good|right|well|then|again|as a rule|in general|generally|(?:(?:general|house|team|golden) )?rule|claude|one (?:more |last |other |small )?(?:thing|note|request)(?: though)?|for the record"
    r"|(?:as )?i(?:'ve)? (?:said|(?:have |already )*told you)(?: (?:to|that|this|it|so|before|already|earlier|twice|often)){0,2}"
    r"|you (?:should|must|need to|have to)|i(?:'d| would)? (?:want|need|like|expect) you to|i(?:'d| would) rather you"
    r"|make sure (?:to|you|that you)|be sure to|keep in mind(?: that)?|kindly|only|just|let's"
    r"|bitte|und|aber|ach|übrigens|wichtig|merk(?:e)? dir|denk dran|s'il (?:te|vous) pla[iî]t|stp|svp|et|mais|au fait|rappel|por favor|y|pero|recuerda|ojo|importante"
    rf"|{foreign_orders.LEAD})[,:;.!]*\s+)*"
)

_VERBS = (
    r"double-check|default to|rewrite|replace|convert|adapt|adjust|capitalise|capitalize|regenerate|overwrite|proofread|summarise|summarize|translate|annotate|consider|describe|document|generate|refactor|remember|address"
    r"|comment|confirm|consult|disable|execute|explain|include|install|mention|provide|release|respond|answer|assume|attach|branch|change|commit|create|delete|deploy|enable"
    r"|finish|follow|format|handle|ignore|import|indent|inform|launch|modify|notify|prefer|prefix|re-run|rebase|remove|rename|report|return|review|search|squash|update|verify"
    r"|apply|avoid|begin|build|check|clean|close|fetch|group|leave|limit|merge|quote|raise|refer|reply|rerun|speak|spell|split|stage|start|stash|stick|store|think|throw|touch"
    r"|track|treat|write|bump|call|cite|copy|edit|file|give|have|keep|link|lint|list|look|make|mock|move|name|note|open|pass|ping|plan|pull|push|read|save|show|sign|skip|sort"
    r"|stop|talk|tell|test|tidy|type|wait|work|wrap|add|ask|end|fix|get|let|log|pin|put|run|say|set|tag|try|use|be|do|go"
)
#: Verbs of a wish about the product rather than about the work on it: "in future allow several accounts".
_OF_THE_PRODUCT = r"allow|support|consider|extend|migrate|improve|implement|show(?! me\b)|list|open|close|return|throw|enable|disable|make (?:it|this|that|them)|add support"
_VERB = rf"(?:{_VERBS})\b(?!')"
_MODAL = r"(?:should|must|shall|need to|have to|are to|ought to)(?! (?:\w+ )?(?:be able|see|find|get|have (?:\w+ed|been)|notice)\b)"
_THINGS = r"(?:all|every|each|any|no|new|your|commits?|commit messages?|prs?|pull requests?|tests?|branch(?:es)?|comments?|docstrings?|changes)\b"

_DE = (
    r"(?:verwende|benutze?|nutze?|nimm|schreibe?|mache?|führe?|lasse?|frage?|commite|committe|pushe|teste|prüfe?|starte|antworte|sprich|nenne?|halte?|vermeide|achte|denke?|stelle?|lege?"
    r"|füge?|baue?|arbeite|erstelle|installiere|formatiere|dokumentiere|kommentiere|lösche?|ändere|bearbeite|fasse?|sage?|gib|zeige?|warte|lies|rufe?|setze?|mocke)\b"
)
_DE_MODAL = (
    r"(?:du )?(?:sollst|musst|darfst|solltest)\b|wir (?:verwenden|nutzen|benutzen|schreiben|nehmen|müssen|sollten|arbeiten|committen)\b"
    r"|(?:verwenden|nutzen|benutzen|schreiben|nehmen|arbeiten|committen) wir\b"
)
_FR = (
    r"(?:utilise[rz]?|écri[st]|écrivez|écrire|fais|faites|faire|lance[rz]?|exécute[rz]?|mets|mettez|mettre|réponds|répondez|répondre|parle[rz]?|préfère|préférer|évite[rz]?|garde[rz]?|nomme[rz]?"
    r"|commit(?:e[rz]?|te[rz]?)?|pousse[rz]?|demande[rz]?|vérifie[rz]?|teste[rz]?|ajoute[rz]?|crée[rz]?|documente[rz]?|arrête[rz]?|supprime[rz]?|modifie[rz]?|touche[rz]?|installe[rz]?|formate[rz]?"
    r"|respecte[rz]?|suis|suivez|suivre)\b"
)
_FR_NOT = rf"(?:ne |n')(?:(?:pas|plus|jamais) )?{_FR}"
_ES = (
    r"(?:usa|usar|utiliza|utilizar|emplea|escribe|escribir|ejecuta|ejecutar|corre|correr|haz|hacer|pon|poner|añade|añadir|agrega|agregar|crea|crear|pregunta|preguntar|responde|responder|habla|hablar"
    r"|mantén|mantener|deja|dejar|evita|evitar|prefiere|comprueba|comprobar|verifica|verificar|revisa|revisar|sigue|seguir|nombra|documenta|documentar|prueba|probar|lanza|lanzar|pide|incluye|incluir)\b"
)
_ES_NOT = (
    r"(?:uses|utilices|hagas|pongas|escribas|toques|edites|modifiques|cambies|borres|elimines|subas|empujes|pushees|commitees|añadas|agregues|crees|ejecutes|corras|instales|dejes|olvides"
    r"|asumas|supongas|inventes|mezcles|envíes|mockees|usar|hacer|tocar|editar|modificar|cambiar|borrar|subir|instalar|poner|escribir)\b"
)

#: An imperative of some language, or its prohibition.
_IMPERATIVE = (
    rf"{_VERB}|(?:always|never)\s+\w|(?:don'?t|do not|dont)\s+(?:you\s+)?(?:ever\s+)?{_VERB}|{_DE}|(?:immer|nie|niemals|keine?n?|nur)\s+\w|{_FR}|{_FR_NOT}|(?:toujours|jamais) \w|(?:tu dois|vous devez|il faut|merci de)\b"
    rf"|{_ES}|(?:no|nunca) {_ES_NOT}|siempre {_ES}|(?:debes|tienes que|hay que)\b|{_DE_MODAL}|{foreign_orders.IMPERATIVE}"
)
_OBLIGATION = rf"(?:you|we) {_MODAL}|{_THINGS}.{{0,60}}?\b(?:should|must|shall|ha(?:s|ve) to|needs? to|(?:are|is) to)\b|i (?:want|expect|need|would like) you to\b"
_DECISION = (
    rf"(?:you|we)(?:'ll| will)? (?:only |always |never )*(?!(?:get|have|go|be|look|read)\b){_VERB}|you(?:'re| are) to\b|we(?:'re| are) (?:using|going to use)\b|i (?:want|expect|prefer|would like)\b"
    rf"|(?:can|could|would|will) you (?:please )?{_VERB}|(?:no|no more|only) \w+|(?!(?:it|this|that|the|they)\b)(?:[\w-]+ ){{1,3}}only\b(?! (?!please\b)\w)|on (?:utilise|écrit|met)\b|usamos\b|bitte\b.+en[.!]?$"
)
_ORDER = re.compile(f"{LEAD}(?:{_IMPERATIVE}|{_OBLIGATION})", re.IGNORECASE)
_SETTLED = re.compile(f"{LEAD}(?:{_DECISION})", re.IGNORECASE)
_PRODUCT = re.compile(f"{LEAD}(?:{_OF_THE_PRODUCT})\\b", re.IGNORECASE)
#: What the agent itself does, and how it speaks: "ask me first in the future", but not "reject dates in the future".
_CONDUCT = re.compile(
    LEAD
    + r"(?:use|run|ask|check|write|name|commit|push|prefer|stop|avoid|answer|speak|tell|let me|remember|follow|do|be|don'?t|do not|dont|always|never|you|we|i)\b"
    + rf"|{LEAD}(?:{_DE}|{_FR}|{_FR_NOT}|{_ES}|(?:no|nunca) {_ES_NOT}|{foreign_orders.IMPERATIVE})",
    re.IGNORECASE,
)

#: Words after "always" or "never" that make no order of it: a state, a complaint, a memory, what a program does.
_NO_DEED = (
    r"(?:gonna|wanna|mind|again|ever mind|the|a|an|this|that|these|those|it|i|you|he|she|they|there|my|your|our|his|same|so|such|quite|really|very|too|enough|on|off|at|to|for|of|by|from|any|anything|some"
    r"|something|nothing|true|false|null|nil|none|empty|zero|visible|hidden|present|available|green|red|wrong|right|broken|slow|fast|better|worse|possible|necessary|required|ready|up|down|more|less"
    r"|been|had|seen|got|gotten|heard|known|thought|found|felt|meant|made|went|gone|came|come|ran|knew|understood|saw|said|told|was|were|is|are|am|did|done|does|took|gave|began|kept|left|lost|met|sent"
    r"|get|see|happen|work|fail|crash|occur|appear|seem|end|finish|land|have (?:i|you|we|to|\w+ed|been|done|had|made)|be able|be \w+ed|could|can|would|will|should|might|may|must"
    r"|show|display|hide|render|redirect|return|scroll|highlight|exit|emit|fire|trigger|load|open|close|enable|disable|select)\b"
    r"|(?!focus\b|access\b|process\b|canvas\b|press\b|pass\b|discuss\b|address\b|bring\b|ping\b|embed\b|feed\b|proceed\b|express\b|alias\b|seed\b|shed\b)\w+(?:s|ed|ing)\b"
)
ALWAYS = rf"(?:always|never),?\s+(?:ever\s+)?(?!{_NO_DEED})[a-z][\w'/-]*|(?:don'?t|do not|dont)\s+(?:you\s+)?(?:ever\s+(?!{_NO_DEED})[a-z][\w'-]*|{_VERB}[^?]{{1,80}}?,?\sever[.!]*$)"
ALWAYS_ELSEWHERE = (
    rf"{_DE}[^,;]{{0,40}}?\s(?:immer|nie|niemals|stets)\b",
    r"(?:(?:nie|niemals) wieder |(?:immer|nie|niemals|stets) (?!(?:noch|wieder|mehr|wenn|so|gleich|das gleiche)\b))[^?]{0,120}(?-i:[a-zäöüß]{2,}(?:en|ern|eln))[.!]*$",
    rf"(?:immer|nie|niemals|stets) {_DE}",
    r"du (?:sollst|musst|darfst|solltest) (?:immer|nie|niemals|stets)\b",
    rf"{_FR} (?:toujours|jamais)\b|{_FR_NOT} jamais\b|(?:toujours|ne jamais|jamais) {_FR}|(?:tu dois|vous devez|il faut) toujours {_FR}|(?:tu ne dois|vous ne devez|il ne faut) jamais {_FR}",
    rf"{_ES} siempre\b|siempre {_ES}|nunca {_ES_NOT}|no {_ES_NOT} nunca\b|(?:debes|tienes que|hay que) siempre\b",
    *foreign_orders.ALWAYS,
)

_ALL_THE_TIME = r"(?:every|each|all the) (?:single )?time(?=[,.;:!]|$)"
#: A habit of the agent's that is to end: what it adds, uses or says again and again, not the one thing at hand.
HABIT = re.compile(
    LEAD
    + r"(?:(?:(?:can|could) you )?stop (?:apologi[sz]ing|over-?engineering|hallucinating|summari[sz]ing everything|flattering me)(?=[,.;:!]|$| for every| after (?:each|every)| all the time)"
    r"|stop (?:adding|using|creating|writing|putting|including|generating|leaving|inserting|appending|mocking|hard-?coding|inventing|repeating|thanking|praising|saying) (?!(?:the|a|an|this|that|these|those|it|them|my|your|our|his|so|here|there|until|and|for|in|on|to|now)\b)"
    r"(?![^,;.!]*(?:\b(?:this|that|these|those|there|and|until|then|(?:when|if|once|while) (?!you\b|we\b|i\b))\b|\(\)|\.[a-z]{1,4}\b))[^,;.!]+"
    r"|no more (?:emojis?|comments|todos|mocks|summar(?:y files|ies)|markdown files|apologies|em[- ]dashes|semicolons|abbreviations)\b(?! (?:here|there|left|in (?:the|this|that)|on|yet)\b)[^,;]*"
    r"|(?:don'?t|do not|dont) (?:add|create|write|put|include|say|ask|commit|push|use) (?:the (?:words?|phrase) )?(?!(?:the|a|an|this|that|these|those|it|them|my|your|our|his|so|here|there)\b)(?![^,;.!]*\b(?:this|that|these|those|there|it)\b)[^,;.!]+ any ?more(?=[,.;!]|$)"
    r"|stop (?:committing|pushing|deploying|merging|installing)\b(?=[^,;]{0,40}\bwithout\b)"
    rf"|(?:don'?t|do not|dont|stop) (?:ask(?:ing)?|explain(?:ing)?|summari[sz](?:e|ing)|repeat(?:ing)?|apologi[sz](?:e|ing)|remind(?:ing)?|tell(?:ing)?|commit(?:ting)?|push(?:ing)?)\b(?: [^,;.!]{{1,60}})? {_ALL_THE_TIME}"
    rf"|(?:don'?t|do not|dont|stop) (?:re-?)?run(?:ning)? [^,;.!]{{0,30}}\b(?:tests?|suite|lint(?:er)?|build|checks?)\b[^,;.!]{{0,30}} {_ALL_THE_TIME}"
    r"|hör(?:t)? (?:bitte )?auf,? (?:(?:immer|ständig|überall|dauernd) )?(?!(?:das|den|die|dem|diese\w*|damit|mit)\b)[^,;.!]{3,60} zu (?:verwenden|benutzen|nutzen|schreiben|erstellen|machen)(?=[,.;:!]|$)|hör(?:t)? (?:bitte )?auf,? (?!(?:das|den|die|dem|diese\w*)\b)[^,;.!]{3,40} (?:hinzuzufügen|einzufügen|anzulegen)(?=[,.;:!]|$)"
    r"|(?:arrête(?:z)?|cesse(?:z)?) (?:de (?:mettre|créer|faire|rajouter)|d'(?:ajouter|utiliser|écrire|insérer)) (?:des |d'|partout )(?![^,;.!]*\b(?:ce|cette|ces|ça)\b)"
    r"|(?:deja de|para de|pare de|smettila di|smetti di) (?:usar|añadir|agregar|crear|escribir|poner|adicionar|criar|escrever|colocar|usare|aggiungere|creare|scrivere|mettere) (?!(?:el|la|los|las|un|una|este|esta|estos|eso|esto|o|a|os|as|um|uma|esse|essa|isso|il|lo|gli|le|questo|quest\w*)\b))",
    re.IGNORECASE,
)


def is_order(clause: str, *, settled: bool, at_end: bool = False) -> bool:
    """
    Whether a clause tells the agent what to do.

    `settled`: its time word is "from now on", which decides; "in future" may also tell of plans. `at_end`: that word
    stands at the clause's end with no comma before it, where it may belong to a noun ("dates in the future").
    """
    if settled:
        return _ORDER.match(clause) is not None or _SETTLED.match(clause) is not None
    if _PRODUCT.match(clause) or (at_end and not _CONDUCT.match(clause)):
        return False
    return _ORDER.match(clause) is not None
