"""
What the person wants from now on, in their own explicit words: "always …", "never …", "from now on …".

Precision first: it is used at once, and for ever. A request for this once, a question, a complaint ("it never works"), a
remark on what may be ("you can …, if some task in future …"), a description of the program and pasted text are none. The
sentence itself becomes the key point, cleaned; nothing is paraphrased.
"""

import re
from dataclasses import dataclass

from ace_reflect.gates import prose
from ace_reflect.learning import foreign_orders
from ace_reflect.learning.orders import ALWAYS, ALWAYS_ELSEWHERE, LEAD, is_order

MAX_PROMPT = 4_000  # of a longer prompt only the first and the last lines are taken for the person's own
MAX_SENTENCE = 300

#: A condition on what the agent or the team does, before the order: "when you change the schema, always …".
_CONDITION = (
    r"(?:(?:(?:when(?:ever)?|if|before|after|every time|once|unless|while)\s+(?:you|we)\b(?!\s+(?:see|get|click|open|log|find|have time|can|want|like))|(?:when|if) (?:in doubt|unsure|possible)"
    r"|(?:when|before|after|while) \w+ing\b|by default\b|(?:in|for|on) (?:this|our|the) (?:project|repo|repository|codebase|team)\b|(?:in|for) (?!the\b|this\b|that\b|these\b|now\b|future\b)[a-z]+(?: [a-z]+)?(?=,))"
    r"[^,;]{0,80}(?:,\s*(?:then |please )*|\s+(?=always|never|please (?:always|never))))?(?:please )?"
)
_STYLE = r"(?:commits|commit[- ]messages|commit-nachrichten|nachrichten|messages|quotes|tabs|spaces|(?:early )?returns|functions|components|imports|exports|types|interfaces|comments|semicolons|names|tests|answers|explanations|anführungszeichen|leerzeichen|kommentare|funktionen|antworten|guillemets|espaces|commentaires|fonctions|réponses|comillas|espacios|comentarios|funciones|respuestas)\b"
_RULES = tuple(
    re.compile(f"{LEAD}{_CONDITION}(?:{pattern})", re.IGNORECASE)
    for pattern in (
        ALWAYS,
        r"we (?:always|never)\s+(?:commit|push|use|write|run|test|merge|squash|rebase|name|put|document|deploy|release|format|lint|branch|mock|skip|edit|touch|review|sign|tag|prefix|pin)\b(?! (?:this|that|it|these|the (?:result|value|return))\b)",
        r"(?:in this (?:project|repo|repository|codebase),?\s+)?we (?:use|prefer|write|go with|stick (?:to|with)) (?!(?:this|that|it|these)\b).{1,80}?(?:,? (?:and )?not |,? instead of |,? rather than |,? over |,? never )\S",
        r"(?:this|our|the) (?:project|repo|repository|codebase|team) (?:always|never|only) (?:uses|writes|commits|requires|follows|prefers|targets|ships|squashes|rebases|merges)\b",
        r"(?:this|our|the) (?:project|repo|repository|codebase|team) (?:uses?|prefers?|writes?) .{1,80}?(?:,? (?:and )?not |,? instead of |,? rather than |,? never )\S",
        r"i (?:always|never) want\b",
        r"make (?:it )?a habit (?:to|of)\b",
        r"i (?:always |strongly |generally |usually |much )*prefer (?!(?:the|a|an|this|that|it|option|approach|version|solution|variant|plan|your|my|not)\b).{1,80}?(?: over | to (?!be |have |see |keep )| rather than | instead of )\S",
        # A taste in how code and answers are written; "I prefer cards on this page" is one in the product.
        rf"(?:i (?:always |strongly |generally |usually |much )*prefer(?! (?:the|a|an|this|that|it|your|my)\b)|ich bevorzuge(?! (?:die|das|den|der|diese\w*|eine?n?)\b)|je préfère (?:les|des)|prefiero(?! (?:el|la|los|las|un|una)\b)) (?!.*\b(?:on|in|at|for|from|of) (?:the|this|that|these)\b)(?:[\w-]+ ){{0,4}}?{_STYLE}(?= ?(?:[,.;:!(]|$)| (?:in|over|to(?! be)|with|for|and|that|when\w*|auf|mit|en|de|à|a|simples|dobles|cort[oa]s|courte?s)\b)",
        r"we use \S.{1,60}? everywhere(?: (?:in|across) (?:this|our|the) (?:project|repo|repository|codebase|team))?[.!]*$",
        r"in this (?:project|repo|repository|codebase),? we only (?:use|commit|push|write|deploy|release|merge)\b",
        r"in diesem (?:projekt|repo|repository) (?:verwenden|nutzen|benutzen|schreiben|committen) wir (?:immer|nur|ausschließlich|nie|niemals|keine?n?)\b",
        r"(?:dans|sur) ce (?:projet|dépôt|repo) (?:on|nous) (?:n'|ne )?(?:utilis\w+|écri\w+|commit\w*|pouss\w+) (?:toujours|jamais|uniquement|que)\b|en este (?:proyecto|repo|repositorio) (?:siempre|nunca|s[oó]lo) (?:usamos|escribimos|hacemos)\b",
        *ALWAYS_ELSEWHERE,
    )
)
#: What the person asks to be remembered of how they work: "please remember: we target Python 3.9". Not what happened.
_MEMO = re.compile(
    r"(?:(?:please|pls|ok(?:ay)?|and|also|no|bitte|und|btw)[,:.]? )*(?:(?:remember|keep in mind|bear in mind|don'?t forget)(?: that)?[,:]? (?:we|our (?:project|repo|repository|codebase|team)|this (?:project|repo|repository|codebase))(?: (?:always|never|only|still|all|don'?t|do not))*"
    r" (?!\w+ed\b)(?:use|target|support|run|deploy|release|commit|follow|require|write|prefer|avoid|have (?:no|to support)|are on|uses|targets|supports|runs|requires|follows)\b(?!.*\bso (?!no\b|never\b|always\b|don'?t\b|do not\b|only\b|all\b|any\b|every))"
    r"|for (?:future|later) reference[,:] \S+ \S+ \S|merke? dir(?: bitte)?(?:: |,? dass )(?:wir|die|das|der|unser\w*|alle) )",
    re.IGNORECASE,
)
#: "You should always run the linter", "tests must never be deleted by you".
_OBLIGED = re.compile(
    r"^(?:[^,;]{0,40}\b)?(?:you|we) (?:should|must|shall|need to|have to) (?:always|never|not ever) (?!(?:have|be able|see|get|find|had|been)\b)\w+"
    r"|\b(?:should|must|may|shall) (?:never|not ever|under no circumstances) be \w+ by you(?= ever| without| again| on your own|[,.;!]|$)"
    r"|\byou (?:must|shall|may) (?:not ever|under no circumstances)\b",
    re.IGNORECASE,
)
_SETTLED = (
    r"from (?:now|here|today|this point)(?: on(?:wards?)?| forward)\b|going forward\b|henceforth\b|(?:ab|von) (?:jetzt|sofort|heute|nun)(?: an)?\b|à partir de maintenant\b|désormais\b|dorénavant\b|a partir de ahora\b|(?:de ahora )?en adelante\b|as a (?:general )?rule\b|"
    + foreign_orders.SETTLED
)
_FUTURE = (
    r"(?:in|for) (?:the )?future(?! (?:releases?|versions?|iterations?|steps?|phases?|use|users?|developers?|contributors?|maintainers?|proof|work)\b)(?: (?:reference|sessions|conversations|tasks|prs|pull requests|commits))?\b|in zukunft\b|(?:zu)?künftig\b|à l'avenir\b|en el futuro\b|en lo sucesivo\b|"
    + foreign_orders.FUTURE
)
_TIME_WORD = re.compile(rf"(?<![\w-])(?:(?P<settled>{_SETTLED})|(?P<future>{_FUTURE}))", re.IGNORECASE)
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
    + r"(?:(?:it|this|that|they|there|he|she|the \w+(?: \w+)?|my \w+|these|those|which)\s+(?:\w+\s+)?(?:always|never)\b(?! (?:uses|writes|commits|requires|follows|prefers|targets|ships|squashes|rebases|merges)\b)"
    r"|i(?:'ve| have| had|'ll| will)? (?:always|never)\b(?! want))"
    r"|^we\b.*\b(?:here|currently|at the moment|in (?:this|that) (?:function|file|class|method|module))\b",
    re.IGNORECASE,
)
#: A permission, a guess or somebody else's words at the head of a sentence: whatever follows is no order of the person's.
_NO_ORDER = re.compile(
    LEAD
    + r"(?:(?:you|we|i|one|it|that|this|they) (?:(?:probably|also|then|still|always|perhaps|maybe) )*(?:can|could|may|might)\b(?! (?:not ever|under no circumstances))|(?:feel|you're|you are) (?:free|welcome) to\b"
    r"|maybe\b|perhaps\b|probably\b|i (?:don'?t )?(?:think|guess|believe|suppose|feel|wonder|assume)\b(?! you (?:should|must))|i'?m (?:not )?sure\b|not sure\b|what if\b|suppose\b|imagine\b|assuming\b|it (?:would|might|could|seems)\b"
    r"|(?:du|wir|man) (?:kannst|könntest|könn(?:t)?en|kann|könnte|darf)\b|vielleicht\b|(?:tu|vous|on) (?:peux|pouvez|peut|pourrais|pourriez|pourrait)\b|peut-être\b|(?:puedes|podrías|podemos|quizás?|tal vez)\b)"
    r"|^(?!.{0,30}\bi (?:said|(?:have |already )*told you)\b).{0,60}\b(?:says?|said|suggests?|suggested|recommends?|recommended|told (?:me|us)|wrote|claims?|according to|states|sagt|meint|dit|dice)\b",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"^(?:(?:ok(?:ay)?|also|and|but|so|hey|btw|by the way|actually|no|nope|yes|yeah|great|thanks|thank you|good|right|well|then|again|please|pls|plz|claude|note(?: that)?|fyi|important|reminder|oh|hm+)[,:;.!]*\s+)+",
    re.IGNORECASE,
)
#: A lasting wish in the form of a question: "can you use tabs from now on?".
_REQUEST = re.compile(
    LEAD
    + r"(?:(?:can|could|would|will) you|(?P<infinitive>(?:kannst|könntest|würdest) du)|(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous|¿?(?:puedes|podrías)|você pode|pode(?:ria)?|puoi|potresti|kun je|kan je) (?:please |bitte |s'il te pla[iî]t |por favor )?(?P<order>[^?]*[^?\s])\s*\?$",
    re.IGNORECASE,
)
#: What is asked in words of which the order is left without them: "could you please always …?"
_ASKED = re.compile(r"(?:can|could|would|will) you (?:please )?(?P<order>[^?]+)\?$", re.IGNORECASE)
#: "Never do that again": what, nobody will know later.
_NO_CONTENT = re.compile(
    LEAD
    + r"(?:always|never|don'?t ever)\s+(?:ever\s+)?(?:do|try|say|write)\s+(?:that|this|it|so)(?:\s+(?:ever\s+)?again)?[.!]*$",
    re.IGNORECASE,
)
#: What comes after such a line is what somebody else wrote, and so is a document with headings, or a prompt for a role.
_REPORTS = re.compile(
    r"\b(?:says?|said|wrote|writes|comment(?:s|ed)?|feedback|review(?:er|s)?|suggest(?:s|ed|ions?)?|docs?|documentation|readme|guide|article|spec|ticket|issue|email|message|prompt|output|log|error"
    r"|pasted?|text|schreibt|sagt|meint|écrit|dit|escribe|dice)\b",
    re.IGNORECASE,
)
_OWN_REPORT = re.compile(r"\bi (?:said|(?:have |already )*told)\b", re.IGNORECASE)
#: It begins like a question, and is a condition.
_WHEN = re.compile(r"(?i)(?:when|quand|cuando)\b[^,?]{3,100},[^?]+$")
_HEADING = re.compile(r"(?m)^#{1,6} \S")
_ROLE = re.compile(r"(?i)^\W*(?:you are|you're|act as|du bist|tu es|eres) (?:an? |the |ein |eine |une? |una? )")


@dataclass(frozen=True, slots=True)
class Preference:
    text: str  # the sentence, cleaned: one line, a capital at the start, a full stop at the end
    quote: str  # as it was said


def read_preferences(prompt: str) -> list[Preference]:
    """The lasting wishes in one prompt, each once, in order."""
    own = _own_part(prompt)
    found: dict[str, Preference] = {}
    for sentence in prose.sentences(own):
        said = sentence.text
        if len(said) <= MAX_SENTENCE and (not sentence.asks or _WHEN.match(said)) and is_lasting(said):
            quote = _with_quotations(said, own)
            text = _cleaned(quote)
            found.setdefault(text.lower(), Preference(text, quote))
    return list(found.values())


def is_lasting(said: str) -> bool:
    """Whether a sentence of the person's says how it is to be from now on."""
    if foreign_orders.is_lasting(said):
        return True
    request = _REQUEST.match(said)
    if request is not None:
        return is_lasting(request["order"]) or (request["infinitive"] is not None and _in_infinitive(request["order"]))
    if said.endswith("?") or len(said.split()) < 3:
        return False
    if any(veto(said) for veto in (_ONE_OFF.search, _DESCRIBES.match, _NO_ORDER.match, _NO_CONTENT.match)):
        return False
    if _MEMO.match(said) or any(rule.match(said) for rule in _RULES) or _obliged(said):
        return True
    every = _EVERY_TIME.match(said)
    return _ordered_for_good(said) or (every is not None and is_order(every["order"], settled=False))


def _in_infinitive(order: str) -> bool:
    """ "Kannst du ab jetzt auf Deutsch antworten?": the order behind its time word is an infinitive."""
    found = _TIME_WORD.search(order)
    if found is None or found["settled"] is None or _ONE_OFF.search(order):
        return False
    return is_order(f"bitte {order[: found.start()]}{order[found.end() :].strip()}", settled=True)


def _obliged(said: str) -> bool:
    found = _OBLIGED.search(said)
    return found is not None and not any(_SUBORDINATE.match(part.strip()) for part in _CUT.split(found[0]))


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
        main = next((part for part in following if not _SUBORDINATE.match(part) and not _only_leads(part)), "")
        return is_order(main, settled=settled)
    parts = [part.strip() for part in _CUT.split(before) if part.strip()]
    return bool(parts) and not _SUBORDINATE.match(parts[-1]) and is_order(parts[-1], settled=settled)


def _at_end(before: str, after: str, *, settled: bool) -> bool:
    if _SUBORDINATE.match(before) or _GOES_ON.search(before) or (not settled and _NOUN_OF_TIME.search(before)):
        return False
    return is_order(f"{before} {after}".strip(), settled=settled, at_end=not settled)


def _only_leads(text: str) -> bool:
    return re.fullmatch(f"{LEAD}", f"{text} ", re.IGNORECASE) is not None


def _own_part(prompt: str) -> str:
    """What of a prompt is the person's own: a document's "always", a reviewer's or a role's is not."""
    if _ROLE.match(prompt):
        return ""
    if len(_HEADING.findall(prompt)) > 1:
        prompt = _HEADING.split(prompt, maxsplit=1)[0]
    prompt = _before_report(prompt)
    if len(prompt) <= MAX_PROMPT:
        return prompt
    blocks = [block for block in re.split(r"\n\s*\n", prompt) if block.strip()]
    ends = [blocks[0], blocks[-1]] if len(blocks) > 1 else [blocks[0][:1_000]] if blocks else []
    return "\n\n".join(block for block in ends if len(block) <= MAX_PROMPT // 2)


def _before_report(prompt: str) -> str:
    lines = prompt.split("\n")
    for at, line in enumerate(lines):
        said = line.strip()[-MAX_SENTENCE:]
        if said.endswith(":") and _REPORTS.search(said) and not _OWN_REPORT.search(said):
            return "\n".join(lines[:at])
    return prompt


def _with_quotations(said: str, prompt: str) -> str:
    """`prose` blanks quotations and drops backticks; the key point keeps the person's own."""
    pattern = r"\s+".join(re.escape(word).replace("“”", r"[\"“«„][^\"”»\n]{1,400}[\"”»“]") for word in said.split())
    loose = pattern.replace(r"\s+", r"[\s`*]+")
    match = re.search(f"`?{loose}`?", prompt.replace("’", "'"))
    return " ".join(match[0].split()).replace("**", "") if match else said


def _cleaned(said: str) -> str:
    text = _FILLER.sub("", said).strip(" \t-*•#>")
    asked = _ASKED.match(text)
    text = (asked["order"] if asked else text).rstrip(" ,;:!.?。！？")
    # Japanese and Chinese end a sentence with a mark of their own.
    stop = "。" if "\u3040" <= text[-1:] <= "\u9fff" else "."
    return f"{text[:1].upper()}{text[1:]}{stop}"
