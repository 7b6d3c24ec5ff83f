"""
What the person wants from now on, in their own explicit words: "always …", "never …", "from now on …".

Precision first: it is used at once, and for ever. A request for this once, a question, a complaint ("it never works"), a
remark on what may be ("you can …, if some task in future …"), a description of the program and pasted text are none. The
sentence itself becomes the key point, cleaned; nothing is paraphrased.
"""

import re
from dataclasses import dataclass

from ace_reflect.learning import foreign_orders, wording
from ace_reflect.learning.orders import ALWAYS, ALWAYS_ELSEWHERE, HABIT, LEAD, is_order
from ace_reflect.learning.own_part import own_part
from ace_reflect.learning.reactions import read_reaction
from ace_reflect.learning.words import sentences

MAX_SENTENCE = 300

_PROJECT = r"(?:project|repo|repository|codebase|team)"
#: What a project, or who works on it, does by rule.
_DOES = r"(?:uses|writes|commits|requires|follows|prefers|targets|ships|squashes|rebases|merges)"
_IS = r"(?:is|are|has|have|runs?|needs?|must|should|belongs?|lives?|uses?|go(?:es)?)"
_MUCH = r"(?:always |strongly |generally |usually |much )*"
_SETTLED = (
    r"from (?:now|here|today|this point)(?: on(?:wards?)?(?: out)?| forward)\b|going forward\b|henceforth\b|(?:ab|von) (?:jetzt|sofort|heute|nun)(?: an)?\b|à partir de maintenant\b|désormais\b|dorénavant\b|a partir de ahora\b|(?:de ahora )?en adelante\b|as a (?:general )?rule\b|"
    + foreign_orders.SETTLED
)
_FUTURE = (
    r"next time,?(?! (?:the|a|an|it|that|this|these|they|he|she|some\w+|users?|i|we|you|my|our)\b)(?= \w)|das nächste mal\b|la prochaine fois(?! que)\b|la próxima vez(?! que)\b|"
    r"(?:in|for) (?:the )?future(?! (?:releases?|versions?|iterations?|steps?|phases?|use|users?|developers?|contributors?|maintainers?|proof|work)\b)(?: (?:reference|sessions|conversations|tasks|prs|pull requests|commits))?\b|in zukunft\b|(?:zu)?künftig\b|à l'avenir\b|en el futuro\b|en lo sucesivo\b|"
    + foreign_orders.FUTURE
)

#: A condition on what the agent or the team does, before the order: "when you change the schema, always …".
_CONDITION = (
    r"(?:(?:(?:when(?:ever)?|if|before|after|every time|once|unless|while)\s+(?:you|we)\b(?!\s+(?:see|get|click|open|log|find|have time|can|want|like))|(?:when|if) (?:in doubt|unsure|possible)"
    rf"|(?:when|before|after|while) \w+ing\b|by default\b|(?:in|for|on) (?:this|our|the) {_PROJECT}\b|(?:in|for) (?!the\b|this\b|that\b|these\b|now\b|future\b)[a-z]+(?: [a-z]+)?(?=,))"
    r"[^,;]{0,80}(?:,\s*(?:then |please )*|\s+(?=always|never|please (?:always|never))))?(?:please )?"
)
_STYLE = r"(?:commits|commit[- ]messages|commit-nachrichten|nachrichten|messages|quotes|tabs|spaces|(?:early )?returns|functions|components|imports|exports|types|interfaces|comments|semicolons|names|tests|answers|explanations|anführungszeichen|leerzeichen|kommentare|funktionen|antworten|guillemets|espaces|commentaires|fonctions|réponses|comillas|espacios|comentarios|funciones|respuestas)\b"
_RULES = tuple(
    re.compile(f"{LEAD}{_CONDITION}(?:{pattern})", re.IGNORECASE)
    for pattern in (
        ALWAYS,
        r"we (?:always|never)\s+(?:commit|push|use|write|run|test|merge|squash|rebase|name|put|document|deploy|release|format|lint|branch|mock|skip|edit|touch|review|sign|tag|prefix|pin)\b(?! (?:this|that|it|these|the (?:result|value|return))\b)",
        r"(?:in this (?:project|repo|repository|codebase),?\s+)?we (?:use|prefer|write|go with|stick (?:to|with)) (?!(?:this|that|it|these)\b).{1,80}?(?:,? (?:and )?not |,? instead of |,? rather than |,? over |,? never )\S",
        # Of a tool: "we don't use npm here"; "we don't use the cache here" tells of a place in the code.
        rf"we (?:don'?t|do not|never) use (?!(?:this|that|it|these|those|them|any|the|a|an|our|your)\b)\S+(?: (?!here\b)\w\S*){{0,2}} (?:(?:here|in (?:this|our) {_PROJECT})(?:[.!]*$|[,;:] )|at all[.!]*$)",
        r"we (?:don'?t|do not|never) use (?!(?:this|that|it|these|those|them)\b)[^,;]{1,40}[,;] (?:but )?(?:we|only) use \S",
        rf"(?:this|our|the) {_PROJECT} (?:always|never|only) {_DOES}\b",
        rf"(?:this|our|the) {_PROJECT} (?:uses?|prefers?|writes?) .{{1,80}}?(?:,? (?:and )?not |,? instead of |,? rather than |,? never )\S",
        r"i (?:always|never) want\b|(?:our|the (?:team|project|house)(?:'s)?) (?:convention|rule|policy|practice) (?:here |for \w+(?: \w+)? )?is (?:that|to) \S+ \S+ \S",
        rf"(?:(?:{_SETTLED})[,:]? )?when(?:ever)? i (?:say|write|type)\b.{{1,40}}?,? (?:i mean|it means|that means|i want you to)\b",
        r"make (?:it )?a habit (?:to|of)\b",
        rf"i {_MUCH}prefer (?!(?:the|a|an|this|that|it|option|approach|version|solution|variant|plan|your|my|not)\b).{{1,80}}?(?: over | to (?!be |have |see |keep )| rather than | instead of )\S",
        # A taste in how code and answers are written; "I prefer cards on this page" is one in the product.
        rf"(?:i {_MUCH}prefer(?! (?:the|a|an|this|that|it|your|my)\b)|ich bevorzuge(?! (?:die|das|den|der|diese\w*|eine?n?)\b)|je préfère (?:les|des)|prefiero(?! (?:el|la|los|las|un|una)\b)) (?!.*\b(?:on|in|at|for|from|of) (?:the|this|that|these)\b)(?:[\w-]+ ){{0,4}}?{_STYLE}(?= ?(?:[,.;:!(]|$)| (?:in|over|to(?! be)|with|for|and|that|when\w*|auf|mit|en|de|à|a|simples|dobles|cort[oa]s|courte?s)\b)",
        rf"we use \S.{{1,60}}? everywhere(?: (?:in|across) (?:this|our|the) {_PROJECT})?[.!]*$",
        r"in this (?:project|repo|repository|codebase),? we only (?:use|commit|push|write|deploy|release|merge)\b",
        r"in diesem (?:projekt|repo|repository) (?:verwenden|nutzen|benutzen|schreiben|committen) wir (?:immer|nur|ausschließlich|nie|niemals|keine?n?)\b",
        r"(?:dans|sur) ce (?:projet|dépôt|repo) (?:on|nous) (?:n'|ne )?(?:utilis\w+|écri\w+|commit\w*|pouss\w+) (?:toujours|jamais|uniquement|que)\b|en este (?:proyecto|repo|repositorio) (?:siempre|nunca|s[oó]lo) (?:usamos|escribimos|hacemos)\b",
        *ALWAYS_ELSEWHERE,
    )
)
#: What the person asks to be remembered of how they work: "please remember: we target Python 3.9". Not what happened.
_MEMO = re.compile(
    rf"(?:(?:please|pls|ok(?:ay)?|and|also|no|bitte|und|btw)[,:.]? )*(?:(?:remember|keep in mind|bear in mind|don'?t forget)(?: that)?[,:]? (?:we|our {_PROJECT}|this (?:project|repo|repository|codebase))(?: (?:always|never|only|still|all|don'?t|do not))*"
    r" (?!\w+ed\b)(?:use|target|support|run|deploy|release|commit|follow|require|write|prefer|avoid|have (?:no|to support)|are on|uses|targets|supports|runs|requires|follows)\b(?!.*\bso (?!no\b|never\b|always\b|don'?t\b|do not\b|only\b|all\b|any\b|every))"
    r"|for (?:future|later) reference[,:] \S+ \S+ \S|for the future: (?!.*\b(?:will|would|could|might|may|can|want)\b)\S.*\b(?:go(?:es)?|belongs?|lives?|stays?|is|are|has|have|needs?|must|should)\b \S"
    rf"|(?:please|pls) remember(?:,? that|[,:]) (?!(?:i|you|it|this|that|there|these|those|to)\b)(?!.*\b(?:it|this|that|them|these|those|yesterday|earlier|just|was|were|will|can|could|might|may|sometimes|so)\b)\S.* {_IS}\b \S"
    rf"|remember: (?:all|every|each|no|only|our|we)\b(?!.*\b(?:it|this|that|them|these|those|so|was|were|will)\b).* {_IS}\b \S|merke? dir(?: bitte)?(?:: |,? dass )(?:wir|die|das|der|unser\w*|alle) )",
    re.IGNORECASE,
)
#: "You should always run the linter", "tests must never be deleted by you".
_OBLIGED = re.compile(
    r"^(?:[^,;]{0,40}\b)?(?:you|we) (?:should|must|shall|need to|have to) (?:always|never|not ever) (?!(?:have|be able|see|get|find|had|been)\b)\w+"
    r"|^(?:all |every |the |your |our )*(?:commits?|commit messages?|prs?|pull requests?|pr descriptions?|branch(?:es| names?)) (?:should|must|may|shall) (?:always|never|not ever) \w++.*\b(?:you|claude)\b"
    r"|\b(?:should|must|may|shall) (?:never|not ever|under no circumstances) be \w+ by you(?= ever| without| again| on your own|[,.;!]|$)"
    r"|\byou (?:must|shall|may) (?:not ever|under no circumstances)\b",
    re.IGNORECASE,
)
_TIME_WORD = re.compile(
    rf"(?<![\w-])(?:(?P<settled>{_SETTLED})|(?P<future>{_FUTURE}))", re.IGNORECASE
)
#: "each time you …, do …": the order follows the condition.
_EVERY_TIME = re.compile(
    rf"{LEAD}(?:(?:every|each) time|whenever) (?:you|we)\b(?!'re| (?:have (?:time|a)|can|get|want|like|feel|are (?:ready|done|free)|see|click|open))[^,;]{{3,120}},\s*(?:then )?(?P<order>.+)",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"[,;:()]+|\s[-–—]+\s|—"
    r"|\s(?=(?:if|when|whenever|unless|because|since|so (?:that|the|we|it|they|you|i)|that|which|who|while|although|though|but|where|wherever|to ensure|in order to|in case|how|what|why|wenn|falls|weil|damit|dass|si|quand|parce que|pour que|cuando|porque|para que)\b)",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"(?:and |or |but )?(?:if|when|whenever|unless|because|since|so (?:that|the|we|it|they|you|i)|that|which|who|while|although|though|where|wherever|to ensure|in order to|in case|before|after|once"
    r"|wenn|falls|weil|damit|dass|si|quand|parce que|pour que|cuando|porque|para que)\b",
    re.IGNORECASE,
)
_NOUN_OF_TIME = re.compile(
    r"\b(?:is|are|be|being|lies?|dates?|times?|timestamps?|events?|days?|minutes?|hours?|weeks?|months?|years?|points?|far|expiry|deadlines?|somewhere|happens?|something|sometime|as|needed|later)$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\b(?:for|about|of|on|to|the|a|an|with|is|are|this)$", re.IGNORECASE)
_ONE_OFF = re.compile(
    r"\b(?:for|in|during|on|with) (?:this|the (?:current|rest of (?:this|the))) (?:\w+ )?(?:session|task|conversation|chat|time|prompt|pr|branch|commit|change|turn|one|feature|file|fix|bug|issue|ticket|release|migration"
    r"|refactor(?:ing)?|step|plan|phase|run|page|component|function|test|script|demo|prototype|exercise|experiment|day|week|sprint|case)\b|\bthis (?:time|once|session)\b"
    r"|\bfor now\b|\bfor the moment\b|\bjust (?:this )?once\b|(?<!from )\btoday\b|\bright now\b|\buntil (?:i|we|it|the)\b|\btemporar|\bthis one\b"
    r"|\bfür (?:diese[ns]?|heute|jetzt)\b|\b(?:diesmal|vorerst|dieses mal)\b|\b(?:pour l'instant|cette fois|aujourd'hui)\b|\b(?:por ahora|esta vez|hoy)\b|"
    + foreign_orders.ONE_OFF,
    re.IGNORECASE,
)
_DESCRIBES = re.compile(
    LEAD
    + rf"(?:(?:it|this|that|they|there|he|she|the \w+(?: \w+)?|my \w+|these|those|which)\s+(?:\w+\s+)?(?:always|never)\b(?! {_DOES}\b)"
    r"|i(?:'ve| have| had|'ll| will)? (?:always|never)\b(?! want))"
    r"|^we (?!don'?t use\b|do not use\b|never use\b)(?=.*\b(?:here|currently|at the moment|in (?:this|that) (?:function|file|class|method|module))\b)",
    re.IGNORECASE,
)
#: A permission, a guess or somebody else's words at the head of a sentence: whatever follows is no order of the person's.
_NO_ORDER = re.compile(
    LEAD
    + r"(?:(?:you|we|i|one|it|that|this|they) (?:(?:probably|also|then|still|always|perhaps|maybe) )*(?:can|could|may|might)\b(?! (?:not ever|under no circumstances))|(?:feel|you're|you are) (?:free|welcome) to\b"
    r"|maybe\b|perhaps\b|probably\b|i (?:don'?t )?(?:think|guess|believe|suppose|feel|wonder|assume)\b(?! you (?:should|must))|i'?m (?:not )?sure\b|not sure\b|what if\b|suppose\b|imagine\b|assuming\b|it (?:would|might|could|seems)\b"
    r"|(?:du|wir|man) (?:kannst|könntest|könn(?:t)?en|kann|könnte|darf)\b|vielleicht\b|(?:tu|vous|on) (?:peux|pouvez|peut|pourrais|pourriez|pourrait)\b|peut-être\b|(?:puedes|podrías|podemos|quizás?|tal vez)\b)"
    r"|^(?!.{0,30}\bi (?:say|said|(?:have |already )*told you)\b).{0,60}\b(?:says|(?:they|people|docs|some|others|you|we|guides?|rules?) say|said|suggests?|suggested|recommends?|recommended|told (?:me|us)|wrote|claims?|according to|states|sagt|meint|dit|dice)\b",
    re.IGNORECASE,
)
#: A lasting wish in the form of a question: "can you use tabs from now on?".
_REQUEST = re.compile(
    LEAD
    + r"(?:(?:can|could|would|will) you,?|(?P<infinitive>(?:kannst|könntest|würdest) du)|(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous|¿?(?:puedes|podrías)|você pode|pode(?:ria)?|puoi|potresti|kun je|kan je) (?:please |bitte |s'il te pla[iî]t |por favor )?(?P<order>[^?]*[^?\s])\s*\?$",
    re.IGNORECASE,
)
#: "Never do that again", "always run them first": what, nobody will know later.
_NO_CONTENT = re.compile(
    LEAD
    + r"(?:always|never|(?:don'?t|do not)(?: ever)?|stop|next time)\s+(?:ever\s+)?(?:(?!keep\b|make\b|take\b)[\w'-]+\s+(?:it|them)\b|[\w'-]+\s+(?:(?:to|with|on|in|from)\s+)?(?:(?:that|it|them|so|there)(?=[,.;!]|$|\s+(?:ever|again|any ?more|first|like|this way|that way|before|after|without|in|on|at|as|when|unless|if)\b)|(?:this|these|those)\b(?! (?:project|repo\w*|codebase|team)\b)))",
    re.IGNORECASE,
)
_DANGLING = re.compile(r"\b(?:it|this|that|them|these|those|there)\b", re.IGNORECASE)
#: Where the rule ends and what follows from it for this task begins: "…, so change the report".
_APPLIED = re.compile(
    r"[,;]? (?:so|donc|así que|então|quindi) (?:please |now |(?:can|could) you (?:please )?)*(?!(?:use|prefer|avoid|stick|always|never|don'?t|do not|no)\b)(?P<task>[^,;]+)|,? (?:and )?then (?:please )?(?:carry on|continue|go on|proceed|go ahead|move on)\b.*",
    re.IGNORECASE,
)
#: Two thoughts in a sentence, of which the second is the one that counts.
_TURN = re.compile(
    r"(?:[,;]| [–—-]|—) (?:but|however,?|aber|mais|pero|mas|però|maar) ", re.IGNORECASE
)
#: "You keep adding comments. Stop that." is one wish in two sentences.
_KEEPS = re.compile(
    LEAD + r"you(?:'re| are)? (?:always|constantly|keep|kept)(?: on)? (?P<habit>\w+ing\b.*)$",
    re.IGNORECASE,
)
_STOP_THAT = re.compile(
    LEAD + r"(?:stop|don'?t|do not)(?: do(?:ing)?)? (?:that|this|it)\b[^,;]*$", re.IGNORECASE
)
#: It begins like a question, and is a condition.
_WHEN = re.compile(r"(?i)(?:when|quand|cuando)\b[^,?]{3,100},[^?]+$")


@dataclass(frozen=True, slots=True)
class Preference:
    text: str  # the sentence, cleaned: one line, a capital at the start, a full stop at the end
    quote: str  # as it was said


def read_preferences(prompt: str) -> list[Preference]:
    """The lasting wishes in one prompt, each once, in order."""
    own = own_part(prompt)
    found: dict[str, Preference] = {}
    before = ""
    for sentence in sentences(own):
        said = wording.without_tag(sentence.text)
        asks = sentence.asks and said == sentence.text and not _WHEN.match(said)
        short = len(said) <= MAX_SENTENCE
        rule = None if asks or not short else _habit(before, said) or _rule_in(said)
        before = said if short else ""
        if rule is not None:
            quote = wording.with_quotations(rule, own)
            text = wording.cleaned(quote)
            found.setdefault(text.lower(), Preference(text, quote))
    return list(found.values())


def _habit(before: str, said: str) -> str | None:
    kept = _KEEPS.match(before) if _STOP_THAT.match(said) else None
    return f"{before} {said}" if kept is not None and HABIT.match(f"stop {kept['habit']}") else None


def _rule_in(said: str) -> str | None:
    """
    The part of a sentence that says how it is to be from now on; None where there is none.

    "I trust you with the keys, but you should never override the branch protection" is a rule in its last clause; a task
    and what must not be done meanwhile is one task, and so is what to remember "so …" something is done now.
    """
    applied = _APPLIED.search(said)
    if applied is not None and (applied["task"] is None or is_order(applied["task"], settled=True)):
        rule = said[: applied.start()]
        if is_lasting(rule) and (applied["task"] is None or not _MEMO.match(rule)):
            return rule
    for turn in _TURN.finditer(said):
        before, behind = said[: turn.start()], said[turn.end() :]
        if _DANGLING.search(behind) or (
            is_order(before, settled=False) and not read_reaction(before)
        ):
            continue  # "great work" is no order
        if is_lasting(before):
            continue
        meanwhile = _ONE_OFF.search(said) is not None and _TIME_WORD.search(behind) is None
        if not meanwhile and not _NO_ORDER.match(said) and is_lasting(behind):
            return behind
    return said if is_lasting(said) else None


def is_lasting(said: str) -> bool:
    """Whether a sentence of the person's says how it is to be from now on."""
    if foreign_orders.is_lasting(said):
        return True
    request = _REQUEST.match(said)
    if request is not None:
        return is_lasting(request["order"]) or (
            request["infinitive"] is not None and _in_infinitive(request["order"])
        )
    if said.endswith("?") or _vetoed(said):
        return False
    if HABIT.match(said):
        return True
    if len(said.split()) < 3:
        return False
    if _MEMO.match(said) or any(rule.match(said) for rule in _RULES) or _obliged(said):
        return True
    every = _EVERY_TIME.match(said)
    return _ordered_for_good(said) or (
        every is not None and is_order(every["order"], settled=False)
    )


def _vetoed(said: str) -> bool:
    return any(
        veto(said)
        for veto in (_ONE_OFF.search, _DESCRIBES.match, _NO_ORDER.match, _NO_CONTENT.match)
    )


def _in_infinitive(order: str) -> bool:
    """ "Kannst du ab jetzt auf Deutsch antworten?": the order behind its time word is an infinitive."""
    found = _TIME_WORD.search(order)
    if found is None or found["settled"] is None or _ONE_OFF.search(order):
        return False
    return is_order(f"bitte {order[: found.start()]}{order[found.end() :].strip()}", settled=True)


def _obliged(said: str) -> bool:
    found = _OBLIGED.search(said)
    return found is not None and not any(
        _SUBORDINATE.match(part.strip()) for part in _CUT.split(found[0])
    )


def _ordered_for_good(said: str) -> bool:
    """Whether "from now on" or "in future" stands with an order: in its own clause, or in the one beside it."""
    found = _TIME_WORD.search(said)
    if found is None:
        return False
    settled = found["settled"] is not None
    before, after = said[: found.start()], said[found.end() :]
    own_before = _CUT.split(before)[-1].strip()
    own_after = _CUT.split(after)[0].strip(" .!")
    if own_before and not _only_leads(own_before):
        return _at_end(own_before, own_after, settled=settled)
    if own_after:
        return is_order(own_after, settled=settled)
    if after.strip(" .!,:;"):
        following = [part.strip() for part in _CUT.split(after) if part.strip(" .!")]
        main = next(
            (part for part in following if not _SUBORDINATE.match(part) and not _only_leads(part)),
            "",
        )
        return is_order(main, settled=settled)
    parts = [part.strip() for part in _CUT.split(before) if part.strip()]
    return (
        bool(parts) and not _SUBORDINATE.match(parts[-1]) and is_order(parts[-1], settled=settled)
    )


def _at_end(before: str, after: str, *, settled: bool) -> bool:
    if (
        _SUBORDINATE.match(before)
        or _GOES_ON.search(before)
        or (not settled and _NOUN_OF_TIME.search(before))
    ):
        return False
    return is_order(f"{before} {after}".strip(), settled=settled, at_end=not settled)


def _only_leads(text: str) -> bool:
    return re.fullmatch(f"{LEAD}", f"{text} ", re.IGNORECASE) is not None
