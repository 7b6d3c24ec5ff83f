"""What the person's own words say: how to work from now on, and that something was wrong.

Two tiers. *Strict* forms (`FORMS`, a table with an example each) are explicit standing wishes and become USER
PREFERENCES at once. *Loose* ones (`_MAYBE`) only hint at one and wait for review. Pasted text, quotations, questions,
one-off wishes and descriptions of the program are neither.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LONGEST = 300  # characters of a sentence
_LINES = 12  # in a longer prompt only the first and last lines count as the person's

#: What an agent does; verbs for what a program does ("show", "log", "open") mostly describe the program.
_DO = (
    r"(?:add|amend|annotate|answer|ask|assume|avoid|begin|branch|build|bump|change|check|cite|claim|comment|commit|confirm|consult"
    r"|create|delete|deploy|describe|disable|do|document|edit|explain|finish|fix|follow|force[- ]?push|format|generate|give"
    r"|guess|hard-?code|ignore|import|include|install|invent|keep|leave|let|link|lint|look|make|mention|merge|mock"
    r"|modify|name|open an? (?:draft |new )?(?:pr|pull)|override|overwrite|pin|prefer|prefix|publish|pull|push|put|re-?run"
    r"|read|rebase|refactor|regenerate|release|remove|rename|reply|report|respond|review|rewrite|run|say|show me|sign|skip|speak"
    r"|split|squash|stage|start|stash|stick|stop|summari[sz]e|switch|tag|talk|tell me|test|think|touch|type|update|use"
    r"|verify|wait|work|write)\b(?!'| (?:it|them|that|this|these|those|so)\b)"
)
_NOT_GENERAL = r"(?!(?:the|an?|this|that|it|these|those|them|my|your|his|her|its|option|approach|version|here|there|and|\d)\b)"
_SETTLED = r"(?:from (?:now|here|today|this point) on(?:wards?| out)?|going forward|next time)"
_LASTING = rf"(?:{_SETTLED}|henceforth|as a (?:general )?rule|for the future|in (?:the )?future(?!,? (?:add|build|create|make|include|generate|we)\b))"
_WHEN = r"(?:(?:when(?:ever)?|if|before|after) (?:(?:you|we|a|your) [^,;?]{2,80}|in doubt|\w+ing [^,;?]{2,60})|(?:in|for|on) \w+(?: \w+)?), "
_WORK = r"(?:commits|(?:all |every |each |our |your )?commit messages?|(?:all|every|each) (?:commits?|prs?|pull requests?|branch)|prs|pull requests|pr (?:titles?|descriptions?)|branches|branch names?)"
_ORDER = rf"(?:please |just |{_WHEN})*(?:(?:always|never|don'?t|do not|no|only|let me|let's|one|small|all|every|{_DO})|(?:we (?:always|never|only|use|write|want)|you (?:should|must|need to|have to)|i(?:'d| would)? (?:want|like|expect|prefer))\b|{_WORK})"

#: (expression, an example). Each is matched at a sentence's start, after `_FILLER`; "no, " is put before what followed a no.
FORMS = (
    (rf"(?:{_WHEN}(?:please )?)?(?:we |i want you to )?(?:always|never(?: to)?|(?:don'?t|do not) ever)(?: ever)? {_DO}", "Always run the linter before committing"),
    (r"(?:no|never|don'?t|do not) [^,;.!?]{3,80},? ever[.!]*$|[^,;.!?]{3,80} (?:should|must) (?:never|not ever) be \w+ by you\b", "no commits directly to main, ever!!!"),
    (r"no (?:more )?(?:emojis?|todos|mocks|summar(?:y files|ies)|em[- ]dashes|abbreviations|co-author\w*|force[- ]push\w*|commits|new dependencies)\b(?! (?:are|is|were|here|there|yet|left|(?:in|on) th(?:is|at|e)\b))", "no emojis in commit messages"),
    (rf"{_LASTING}[,:]? {_ORDER}", "From now on write the commit messages in English"),
    (rf"(?:please )?(?:always|never|don'?t|do not|only|{_DO})(?:(?!\b(?:so|that|which|we)\b)[^,;?]){{2,120}}(?<! for) (?:{_SETTLED}|in (?:the )?future)(?: please)?[.!]*$", "use tabs from now on"),
    (rf"(?:in (?:this|our) \w+,? )?we only use \S|(?:we|this project|this repo\w*|our (?:team|project))(?: only| always| never| don'?t| do not)* (?:use|prefer|write|target|follow|squash|rebase|deploy|test with)s? {_NOT_GENERAL}[^,;.!?]{{1,60}}?(?:,? (?:and )?(?:not|never)\b|,? (?:instead of|rather than|over)\b|[;,]? [—–-]* ?we use\b| here[.!]*$| here,? (?:not|never|we)\b| everywhere[.!]*$| in (?:this|our) (?:project|repo\w*|codebase|team)[.!]*$)", "we use pnpm here, not npm"),
    (rf"no, (?:please )?(?:use|we use|it's|write|call it) {_NOT_GENERAL}[^,;.!?]{{1,40}}?(?:,? (?:not|instead of|rather than)\b|[,;]? ?[—–-]+ ?we\b)", "no, use uv, not pip"),
    (rf"(?:don'?t|do not|stop|never) us(?:e|ing) {_NOT_GENERAL}[^,;.!?]{{1,40}}[,;:—–-]+ ?(?:but |just |please |always )*(?:use|prefer|we use)\b", "don't use print, use logging"),
    (rf"i(?:'ve| have)?(?: already)? told you(?: \w+){{0,2}}?(?:,? (?:to )?(?:never|always|not to)\b|: ?(?:please )?(?:don'?t|do not|no|never|always|{_DO}))|(?:as|like) i(?:'ve)? said(?: before| already| earlier)?[,:] ?(?:don'?t|do not|no|never|always|only|{_DO})", "I told you never to commit to main"),
    (r"(?:standing orders?|(?:house|team|project|coding|code|golden|general) (?:rules?|standards?|conventions?|guidelines?)) ?: ?\S+ \S+ \S|(?:our|the (?:team|project|house)(?:'s)?) (?:convention|rule|policy|practice)(?: here| for \w+)? is\b", "Code standard: every new addition has a test"),
    (rf"(?:don'?t|do not|stop) (?:apologi[sz]|thank|praise|summari[sz]|over-?engineer|flatter)\w*|stop (?:adding|using|creating|writing|putting|including|generating|leaving|mocking|hard-?coding|inventing|repeating|saying|committing|pushing|asking|explaining) {_NOT_GENERAL}(?![^,;.!?]*\b(?:when (?!you\b)|this\b|that\b))\w", "stop adding comments to every line"),
    (rf"(?:don'?t|do not|never) {_DO}[^;?]{{1,100}} (?:unless i\b|without (?:asking|my|telling)\b|(?:in|to|into|on) (?:commits|commit messages|prs|pull requests|main|master)\b)|(?:don'?t|do not) (?:run|ask|explain|repeat|remind|tell|commit|push)\b[^;?]{{0,60}} (?:every|each|all the) (?:single )?time\b", "don't create README files unless I ask for them"),
    (r"make it a habit to\b|for (?:future|later) reference[,:] \S+ \S+ \S|(?:remember|keep in mind|bear in mind|don'?t forget)(?: that|:|,)? (?:to (?:always|never)|we (?:use|target|support|don'?t|never|always|only)|our|all|every|never|always|this (?:project|repo\w*))\b", "remember that we target Python 3.9"),
    (rf"{_WORK} (?:must|should|have to|need to|always|never)\b(?! always have| have\b)", "commit messages must be in English"),
    (rf"i (?:much |always |strongly )?prefer {_NOT_GENERAL}[^,;.!?]{{2,60}}? (?:over|rather than|instead of|to (?!be\b|have\b|see\b|keep\b))", "I prefer small commits over large ones"),
    (rf"(?:(?:whenever|(?:every|each) time|any ?time) (?:you|we) [^,;?]{{3,100}}|(?:when|if) (?:in doubt|unsure)), (?:please |first |then )*(?:always|never|don'?t|do not|{_DO})", "whenever you add a dependency, say why in the PR"),
    # German and French, Spanish and Portuguese and Russian, Chinese and Japanese and Korean
    (r"(?:ab (?:jetzt|sofort|heute)|künftig|in zukunft) (?:bitte |immer |nur |nie |keine? |verwend|nutz|schreib|antwort|frag|mach|commit)|(?:verwend|nutz|benutz|schreib|mach|frag|test|antwort)e?\b[^,;?]{0,40} (?:immer|nie|niemals)\b|(?:du (?:sollst|musst|darfst) )?(?:immer|nie|niemals) (?!noch\b|wieder\b|wenn\b)[^,;?]{0,60}\w+en[.!]*$|(?:désormais|dorénavant|à partir de maintenant|la prochaine fois),? (?!l[ae]?s?\b|c'est|qu)\w+|(?:utilise|écris|lance|fais|réponds|mets)\b[^,;?]{0,40} (?:toujours|jamais)\b|n(?:e |')(?:utilise|pousse|committ?e|touche|modifie|supprime|fais|écris) jamais\b|(?:toujours|ne jamais) [a-zéèê]+(?:er|re|ir)\b", "Ab jetzt bitte auf Deutsch antworten"),
    (r"(?:a partir de ahora|de ahora en adelante|a partir de agora|de agora em diante|en el futuro),? (?!el\b|la\b|los\b|las\b|os?\b|as?\b|es\b)\w+|(?:siempre|sempre) (?:us[ae]|escrib\w+|ejecuta|haz|responde|pregunta|escrev\w+|rode|faça)\b|nunca (?:us[ei]s?|hagas|toques|edites?|modifiques?|borres|faça)\b|(?:всегда|никогда не|впредь|отныне) (?:всегда )?(?:не )?(?:используй|пиши|запускай|делай|спрашивай|отвечай|коммить|пушь|трогай|удаляй|меняй)", "A partir de ahora usa pnpm"),
    (r"(?!.*用户)(?:请|记住)?(?:从现在(?:开始|起)|以后|今后)[，,]? ?(?:提交信息|请|都|一律|统一|必须|不要|别|始终)[^？?]{1,60}$|(?:永远|绝对)(?:不要|别)[^？?]{2,60}$|(?!.*(?:ので|から|この|ユーザー))(?:今後|これから)(?:は|、)[^？?]{2,60}(?:てください|でください|て下さい|お願いします)[。！!]*$|(?!.* 이 )(?:앞으로|이제부터)는? [^？?]{2,60}(?:주세요|하세요|해줘|마세요|하지 ?마)[.!]*$", "今後は必ずテストを実行してください"),
)  # fmt: skip
_STRICT = re.compile("|".join(f"(?:{form})" for form, _ in FORMS), re.IGNORECASE)
#: What may precede an order and adds nothing; `no` if something was wrong.
_FILLER = re.compile(
    r"(?i)(?:please|pls|plz|ok(?:ay)?|oh|also|and|but|so|hey|btw|by the way|yes|yeah|sorry|claude|one (?:more |last )?thing(?: though)?"
    r"|(?:right|well|then|again|great|good|nice|thanks|thank you)(?=[,.!:])|(?:quick |small |friendly )?reminder|note(?: that)?|fyi|important|for the record"
    r"|(?:make|be) sure (?:to|that you|you)|i(?:'d| would)? (?:want|like|expect) you to|i'd rather you|i said this before(?=:)|can you(?= (?:stop|please stop))"
    r"|(?:can|could|would|will) you(?: please)?(?=,? (?:always|never|from)|[^?]*\bfrom now on)|you (?:should|must|need to|have to)(?= (?:always|never))"
    r"|bitte|por favor|merci de|(?P<no>no|nope|nah|wrong|actually)(?=[,.!:;—–-]|$|\s+(?:always|never|don'?t|use)\b))\b[,:;.!—–-]*(?:\s+|$)"
)
_ONE_OFF = re.compile(
    r"(?i)\b(?:for|in|during|on|with) (?:this|the (?:current|rest of (?:this|the))) (?:\w+ )?(?:session|task|chat|conversation|prompt|pr|branch|commit|change|one|feature|file|fix"
    r"|bug|issue|ticket|release|migration|refactor\w*|step|plan|phase|run|page|component|function|test|script|demo|day|week|sprint)\b"
    r"|\b(?:this|that) (?:time|once|session|one)\b|\bfor (?:now|the moment)\b|\bjust (?:this )?once\b|(?<!from )\btoday\b|\bright now\b|\buntil\b"
    r"|\btemporar|\b(?:diesmal|vorerst|heute|pour l'instant|cette fois|por ahora|esta vez|hoy)\b|这次|今天|暂时|пока|今回|とりあえず|이번|сегодня"
)
#: Permissions, guesses, what somebody else says, what something does.
_NO_ORDER = re.compile(
    r"(?i)(?:(?:you|we|i|one|it|that|this|they) (?:\w+ )?(?:can|could|may|might)\b|maybe|perhaps|probably|i (?:don't )?(?:think|guess|believe|suppose|wonder)"
    r"|i'm (?:not )?sure|not sure|what if|suppose|imagine|(?:(?:it|this|that|there|he|she|they|users?|the [\w-]+(?: [\w-]+)?|my [\w-]+|i(?:'ve)?) (?:\w+ )?(?:always|never)\b))"
    r"|.{0,60}\b(?:says|complains|warns|reports|(?:people|some|others|docs) say|said that|suggests?|recommends?|told (?:me|us)|claims|according to)\b"
)
#: Where the rule ends and its consequence for this task begins.
_SO = re.compile(
    rf"(?i)[,;]? so (?:please |now |can you )*(?!use\b|prefer\b|avoid\b)(?={_DO}|convert)|,? (?:and )?then (?:carry on|continue|go on|proceed)"
)
_MAYBE = re.compile(
    rf"(?i)(?:no, )?(?:(?:always|never) (?!(?:mind|again|been|have|had|see|seen|be|get|show|display|hide|render|return|redirect|retry)\b|\w+ (?:it|them|that|this|these)\b)(?!\w+(?:s|ed|ing)\b)[a-z]+ \w"
    rf"|use {_NOT_GENERAL}[^,;]{{1,40}}(?: instead|,? not )(?!.*(?:\b(?:on|in|at|for|from|of) (?:the|this|that|these)\b|\d\d|\ba \w+ there$))|we (?:only |don'?t )?use {_NOT_GENERAL}(?!.*\bfor (?:the|this|that)\b)|(?:don'?t|do not) use {_NOT_GENERAL}|i (?:\w+ )?prefer {_NOT_GENERAL}(?!.*\b(?:on|in|at|for|from|of) (?:the|this|that|these)\b)"
    rf"|we (?:don'?t|do not) (?:do|want|like|allow) {_NOT_GENERAL}\w+ \w|i'?d rather (?:have|see|you)\b|it's .{{3,40}}, always {_DO}"
    rf"|when you (?:finish|are done|add|change|touch|create|write|fix) [^,;?]{{3,60}}, {_DO}|(?:you|we) (?:must|need to|have to) {_DO}.*\b(?:before|after) (?:each|every)\b"
    r"|remember that the .* (?:is|are|has|needs?|must)\b|before (?:you (?:commit|push|merge|say)|committing|pushing)\b"
    r"|you keep (?:creating|adding|writing|using|committing|pushing|asking)\b|we should (?:always |never )?be \w+ing\b)"
    rf"|.*(?:[,;:—–-] (?:and |but |please )*(?:always|never) {_DO}|\b(?:never again|unless i (?:ask|say|tell)|without asking|wherever (?:we|you) can|memori[sz]e|repeats? again"
    r"|i(?:'ve)? (?:already )?told you(?:,|:| to| not| never| before| already| twice)|(?:as|like) i said)\b)"
)
#: How, and not only what: "commit after each step", "don't mock the database".
_HOW = re.compile(
    rf"(?i)(?:don'?t|do not|avoid|no|stop) \w+ \w|(?:{_DO}|(?:you|we|i) \w|tests?\b|ask\b|stick to\b|let'?s\b|in (?:this|our)\b)"
    r"(?=.*\b(?:before|after|each|every|without|instead|only|whenever|when|first|not|next to|small|always|never)\b)|stick to \S"
)
_BUT = re.compile(rf"(?i)(?!{_DO})(?:.(?! but | aber )){{0,200}}(?:,| [–—-]) (?:but|aber) ")
_QUESTION = re.compile(
    r"(?i)(?:why|what|how|when (?:do|does|did|is|are|was|will|can|should)|where|who|which|did|does|is|are|was|has|have|should|do (?:you|we|i)|can i|may i|warum|wieso|wie|pourquoi|comment|por qué|cómo|почему)\b|.*[?？吗]\s*$"
)
_TAG = re.compile(
    r"(?i),? (?:ok(?:ay)?|alright|understood|got it|deal|clear|klar|d'accord|vale) ?\?+$"
)

_PASTED = re.compile(r"(?s)```.*?(?:```|\Z)|<([\w-]{2,40})[^<>\n]*>.*?</\1>|(\"\"\"|''').*?\2")
#: A line that a program wrote: shell prompts, log levels, stack frames, quote and diff marks.
_PASTED_LINE = re.compile(
    r"\s{4,}|[>|+⎿●✓✗×]|[$%] |\+\+\+|---|@@|at .+:\d+|\[?\d{4}-\d\d-\d\d[T ]|\d\d:\d\d|(?:INFO|WARN\w*|ERROR|DEBUG|FAIL|PASS|Traceback|File \"|hint:|remote:|fatal:)"
)
_ANNOUNCES = re.compile(
    r"(?i)(?!.*\bi(?:'ve)? (?:already )?(?:said|told)\b).*\b(?:says?|said|wrote|comments?|commented|feedback|review(?:er|s)?|docs?|readme|guide|article|spec|ticket|issue|e?mail|message|prompt|output|log|error|pasted?|text)\b[^:]{0,30}:$"
)
#: Headings, or a role prompt.
_DOCUMENT = re.compile(r"(?im)^#{1,6} \S|\A\W*(?:you are|you're|act as) (?:an?|the) ")
_QUOTED = re.compile(
    r"`[^`\n]{1,200}`|\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|「[^」\n]{1,400}」|(?<![\w'])'(?! )[^'\n]{2,200}'(?![\w'])"
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")

_CORRECTION = re.compile(
    r"(?i)(?:(?:hm+|oh|ok(?:ay)?|sorry|but|and|so|wait|hey|well|please|claude)[,.!]* )*"
    r"(?:no\b(?! (?:problem|worries|need|rush|idea|thanks|matter|longer|prs?|pull)\b)(?!,? thanks)|nope|nah|wrong|incorrect|that'?s not|(?:that|this|it)(?:'s| is| was)? (?:wrong|not (?:what|how|right))"
    r"|not (?:what|how|like) |i (?:said|told you|meant|didn'?t (?:ask|want|mean)|never (?:asked|said|wanted))|i don'?t (?:like|want) (?:this|that|it)\b|stop \w+ing|don'?t|do not|never (?!mind)|undo|revert|roll (?:it|this|that)? ?back"
    r"|you(?:'ve| have)? (?:broke|forgot|missed|ignored|deleted|misunder|should(?:n'?t| not)? have|keep|overwrote)|why (?:did|didn'?t|are|do) you|(?:it|that|this) (?:still )?(?:doesn'?t|does not|didn'?t) (?:work|help)|(?:that|this|it|you)\b.{0,20} (?:broke|breaks)"
    r"|nein\b|falsch|das ist (?:falsch|nicht)|mach das rückgängig|non\b|c'est faux|annule|eso est[aá] mal|deshaz|isso está errado|нет\b|это неправильно|откати|不对|错了|撤销|違います|元に戻して|아니요|틀렸)"
)


@dataclass(frozen=True, slots=True)
class Wish:
    """A sentence on how to do things. `strict`: an explicit standing wish; otherwise it only may be one."""

    text: str  # one line, a capital at the start, a full stop at the end
    quote: str  # as it was said
    strict: bool
    heard: bool = False  # it says how, and no more: it counts if another session hears it again


def wishes(text: str, *, heard: bool = False) -> list[Wish]:
    """The standing wishes in one text from the person, each once, in order; with `heard` also those that may become one."""
    found: dict[str, Wish] = {}
    after_no = False
    for said, form in _sentences(text):
        but = _BUT.match(form)
        wish, no = _wish(said, form, 0, after_no=after_no, heard=heard)
        if but and not (wish and wish.strict):
            wish = _wish(said, form, but.end())[0] or wish
        after_no = no
        if wish is not None:
            found.setdefault(wish.text.lower(), wish)
    return list(found.values())


def correction(text: str) -> str:
    """The words in a prompt's first sentences that correct the work before it; "" if there are none."""
    said = list(_sentences(text[:6_000]))
    for place, (_, form) in enumerate(said[:2]):
        if _CORRECTION.match(form):
            return " ".join(each for each, _ in said[place : place + 3])[:200]
    return ""


def _wish(
    said: str, form: str, at: int, *, after_no: bool = False, heard: bool = False
) -> tuple[Wish | None, bool]:
    """The wish in a sentence from `at` on, and whether nothing but a "no" stands there."""
    start, no = at, after_no
    while filler := _FILLER.match(form, start):
        start, no = filler.end(), no or bool(filler["no"])
    if start == len(form):
        return None, no
    then = _SO.search(form, start)
    end = then.start() if then else len(form)
    rule = form[start:end]
    if "you" in form[at:start].lower():  # "could you always …?" asks for an action
        rule = rule.rstrip("? ")
    if len(rule.split()) < 2 and rule.isascii():
        return None, False
    if _ONE_OFF.search(rule) or _NO_ORDER.match(rule):
        return None, False
    if _QUESTION.match(rule) and not _TAG.search(rule):
        return None, False
    whole = f"no, {rule}" if no else rule
    strict = bool(_STRICT.match(whole) or _STRICT.match(rule))
    loose = strict or (len(rule.split()) >= 4 and bool(_MAYBE.match(whole)))
    if not loose and not (heard and len(rule.split()) >= 3 and _HOW.match(rule)):
        return None, False
    quote = said[start:end].strip()
    return Wish(_cleaned(quote), quote, strict, heard=not loose), False


def _cleaned(quote: str) -> str:
    text = _TAG.sub("", " ".join(quote.split())).replace("**", "").rstrip(" ,;:!.?。！？")
    stop = "。" if "\u3040" <= text[-1:] <= "\u9fff" else "."
    return f"{text[:1].upper()}{text[1:]}{stop}"


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """Each of the person's own sentences: as it was said, and with quotations and code masked."""
    for line in _own_lines(text.replace("’", "'")):
        form = _QUOTED.sub(_blanked, line)
        at = 0
        for end in [*_SENTENCE_END.finditer(form), None]:
            stop = end.start() if end else len(line)
            if 0 < len(line[at:stop].strip()) <= _LONGEST:
                yield line[at:stop], form[at:stop]
            at = end.end() if end else stop


def _blanked(match: re.Match[str]) -> str:
    return "x" * len(match[0])


def _own_lines(text: str) -> list[str]:
    """The person's own lines of a prompt, without pasted text, documents and role prompts."""
    bare = _PASTED.sub("\n", text)
    document = _DOCUMENT.search(bare)
    lines = []
    for line in bare[: document.start() if document else None].split("\n"):
        if line.strip() and not _PASTED_LINE.match(line):
            lines.append(line.strip().lstrip("-*•# \t").strip())
            if _ANNOUNCES.match(lines[-1]):
                break
    return lines if len(lines) <= _LINES else [*lines[:4], *lines[-3:]]
