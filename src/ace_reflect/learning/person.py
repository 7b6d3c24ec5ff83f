"""What the person's own words say: how to work from now on, and that something was wrong.

A sentence is a wish if it is *addressed* to whoever works here: an order, "we …", a rule for what an agent makes. A sign
that it holds for good makes it *strict*: a USER PREFERENCE at once. A weaker sign makes it a candidate for review. Pasted
text, quotations, questions, one-off wishes and descriptions of the program are none. All words are in `_TABLES`: a table
a section, in it a row a line, `expression  # a phrase that it is for`, where `{name}` stands for a table.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

_LONGEST = 300  # characters of a sentence
_LINES = 12  # in a longer prompt only the first and last lines count as the person's

_TABLES = r"""
[verb: what an agent does; what a program does ("show", "log", "open") mostly describes the program]
add|adopt|amend|annotate|answer|apply|ask|assume|avoid|begin|branch|build|bump|catch|change|check|cite|claim|comment|commit|confirm|consult|create|declare|decorate|define|delete|deploy|describe|disable|do(?! not\b)|document|duplicate
edit|end|explain|finish|fix|follow|force[- ]?push|format|generate|give|go with|guess|hard-?code|ignore|import|include|install|invent|keep|leave|let|link|lint|look|make|mention|merge|mock|modify|name|open an? (?:draft |new )?(?:pr|pull|issue|ticket)|override|overwrite|pick|take
pin|place|prefer|prefix|publish|pull|push|put|re-?run|read|rebase|refactor|regenerate|release|remove|rename|reply|report|require|respond|review|rewrite|run|say|show me|sign|skip|speak|split|squash|stage|start|stash|stick|stop|suggest|summari[sz]e|support|switch
tag|talk|target|tell|test|think|touch|treat|type|update|use|verify|wait|work|wrap|write
[do: with an object of its own]
{verb}\b(?!'| (?:it|them|that|this|these|those|so)\b)
[not]
don'?t|do not|never|not|(?:must|should)(?: not|n'?t)
[any: not one certain thing]
(?!(?:the|an?|this|that|it|these|those|them|my|your|his|her|its|option|approach|version|here|there|and|or|but|to|one|yet|\d+)\b)
[work: what an agent makes]
(?:[\w-]*(?:branch|class)(?:es)?|(?:arg(?:ument)?|attribute|changelog|comment|commit|component|constant|decorator|dependenc(?:y|ie)|doc|docstring|endpoint|env var|exception|feature|field|file|fixture|function|hint|import|line|interface|message|method|migration|mock|module|name|package|parameter|pr|pull request|quer(?:y|ie)|script|secret|test|timestamp|title|type|variable)s?)\b
[every]
(?:every|each|all|any|new|(?:our|your)(?=(?: [\w-]+){0,3}s\b)) (?:(?!of\b|other\b)[\w-]+ ){0,3}?{work}
[rather]
,? (?:and )?(?:not|never)\b|,? (?:instead of|rather than|over)\b
[settled]
from (?:now|here|today|this point) on(?:wards?| out|ward)?|starting (?:today|now)|(?:going|moving) forward|next time|for the future|for (?:all |the )?(?:future|next) (?:work|tasks?|prs?|changes?|commits?|sessions?)|henceforth|as a (?:general )?rule|in general|in (?:the )?future(?!,? (?:add|build|create|make|include|generate|we)\b)
[rule]
standing (?:orders?|instructions?)|(?:(?:house|team|project|coding|code|golden|general|naming|commit) )?(?:rules?|standards?|conventions?|guidelines?|polic(?:y|ies)|practices?|workflow|style)
[when: what may precede an order]
(?:when(?:ever)?|if|before|after|(?:every|each) time) (?:(?:you|we|every|each|any|an?|your|our)(?:'ve|'re)? [^;?]{2,80}?|\w+ing [^;?]{2,60}?),? |(?:in|for) (?:(?:this|our|all) )?(?:\w+ )?\w+(?:s|ing) |(?:in|for) (?:this|our) \w+,?   # in this repo
(?:if|in|for|on|at|as for|regarding|instead of) [^,;?]{2,60}, |instead of [^,;?]{2,60}?   # instead of guessing
[asked]
i(?:'d| would)? (?:want|like|expect|need|prefer)(?: that)? you(?: to)?|you(?:'ll| will)? (?:must|should|need to|have to)(?! not)
(?:(?:let'?s )?(?:make|be) sure|ensure)(?: that)?(?: to| you)?|it(?:'s| is) (?:\w+ )?(?:important|mandatory|required|crucial|essential)(?: that you| that| to)?
[lead]
{before}(?:[,:;.!—–-]+(?:\s+|$)|\s+|$)
[before: what may precede a wish; `good`: it holds for good; `again`, `remember`: it was said before; `no`: something was wrong]
(?P<good>(?:whenever|next time|(?:every|each|any) ?time) (?:you|we)(?:'re|'ve)? [^,;?]{3,80},|{settled}|make it a habit(?: to)?|(?:when|if) (?:in doubt|unsure|you(?: are|'re)?(?: not|n't| aren't) sure))  # next time,
(?P<again>i(?:'ve| have)?(?: already)? told you(?: (?:already|before|twice|yesterday|now))*(?: that| to)?|(?:as|like) i(?:'ve)? said(?: before| already| earlier| yesterday)?|again(?=[,:]))  # I already told you
(?P<remember>(?:remember|keep in mind|bear in mind|don'?t forget)(?: that| to)?|how (?:many times|often) .{3,40}[,:]|reminder(?: that| to)?|for (?:future|later) reference|let's agree on \w+|for the \w+ time|i'm tired of \w+ing(?: \w+)?|that(?:'s| is) the \w+ time)  # keep in mind that
(?P<no>no|nope|nah|wrong(?: again)?|actually)(?=[,.!:;—–-]|$|\s+(?:always|never|don'?t|use)\b)  # No.
(?P<asked>{asked})  # I want you to
(?!(?:{verb}|{work}|we|our|always|all|every|each|{not}|no|stop)\b)[^;?]{2,200}?(?:,| [–—-]) (?:but|aber)  # It's fine, but
can you(?= (?:stop|please stop))|(?:can|could|would|will) you(?: please)?(?=,? (?:always|never) {do}|[^?]*\b{settled})  # could you please always use tabs?
please?|pls|plz|ok(?:ay)?|oh|also|and|but|so|hey|btw|by the way|yes|yeah|sorry|claude|then|just|now(?=,)|one (?:more |last )?thing(?: though)?|neither|for god'?s sake|bitte|por favor|merci de  # oh and please
(?:right|well|great|good|nice|thanks|thank you)(?=[,.!:])|(?:quick|small|friendly)(?= reminder)|note(?: that)?|fyi|important|for the record  # thanks!
[order: whom a sentence addresses]
{when}?(?:{asked} )?(?:(?:please|just|then|also|only|we|you|always|ever|to|don'?t|do not|never|not|(?:should|must)(?:n'?t)?|need to|have to) )*{verb}\b|(?:no|stop|let me|don'?t|do not)\b  # please use tabs
i(?:'d| would)? (?:\w+ )?(?:want|like|need|expect) (?:{every}|{any}\w)  # I want all functions typed
(?:(?:you|we) )?(?:(?:must|should) )?(?:always|never) (?!(?:mind|again|been|have|had|see|seen|be|get|show|display|hide|render|return|redirect|retry)\b)(?!\w+(?:s|ed|ing)\b)[a-z-]+ \w  # never log tokens
[ours]
{when}?(?:we|our(?: [\w-]+){1,3}|this (?:project|repo\w*))(?: only| always| never| don'?t| do not| now)* {verb}s?   # we use pnpm
[rules]
(?:all|every|each|any|new|our) (?!users?\b|customers?\b|admins?\b|people\b)(?:[\w-]+ ){1,3}?(?:must|should|needs?|ha(?:s|ve) to|gets?|(?:is|are) (?:always|never))\b  # all new tables need a primary key
{when}?(?:(?:all|every|each|any|no|new|our|your) )?{any}(?:[\w-]+ ){0,3}?{work} (?:(?:that|which|without) [\w ]{2,30} |(?:you|we) \w+ |in (?:this|our) \w+ )?(?:here \w+|must|should|needs?|ha(?:s|ve) to|(?:are |is )?(?:always|never)(?! have)|go(?:es)?|belongs?|lives?|begins?|starts?|ends?)\b  # all public functions need a docstring
[good: signs that what is addressed holds for good]
{when}?(?:please |we |you |i want you to )*(?:always|never(?: to)?|(?:don'?t|do not) ever)(?: ever| have to| need to)? (?:please )?{do}  # Always run the linter before committing
(?:(?!\b(?:so|that|which|we)\b)[^;?])*(?<! for)(?: {settled}|,? ever|[,.:;] ?always|, everywhere|,? every (?:single )?time)(?: please)?(?:[.!]*$|,)  # use tabs from now on
(?:don'?t|do not|never|no) .*(?: unless i\b| without (?:asking|my|telling)\b| (?:in|to|into|on) (?:commits|commit messages|prs|pull requests|main|master)\b)  # don't create README files unless I ask for them
(?:(?:all|every|each|our|your) )*(?:commits?|commit messages?|prs?|pull requests?|pr \w+|branch(?:es)?|branch names?) (?:must|should|have to|need to|always|never)   # commit messages must be in English
[contrast: in what follows "we use"]
{any}[^,;.!?]{1,60}?(?:{rather}| (?:here|everywhere|anywhere|in (?:this|our) (?:project|repo\w*|code ?base|team|company))\b(?! to\b)|[;,]? ?[—–-]* ?we use\b)  # pnpm here, not npm
[strict: lasting by its form alone; "no, " is put before what followed a no]
(?:our|another|the (?:team|project|house)(?:'s)?|our team'?s) {rule}(?: here| for \w+| we (?:follow|use|have))* is |we have an? {rule} that |the {rule} here is   # our convention is snake_case
{rule}(?: (?:here|for [\w ]{3,20}))?: ?\S+ \S+ \S  # Code standard: every new addition has a test
stop (?:\w+ing) {any}(?![^,;.!?]*\b(?:when (?!you\b)|this\b|that\b))\w|(?:don'?t|do not|stop) (?:apologi|thank|prais|summari|over-?engineer|flatter)\w+  # stop adding comments to every line
(?:no, )?(?:don'?t |do not |never |stop )?(?:use|using|go with) {any}[^,;.!?\d]{1,40}?[,;:—–-]+ ?(?:but |just |please |always )*(?:we )?(?:use|don'?t use)\b  # don't use print, use logging
no, (?:we )?(?:use|write|it's|call it) {any}[^,;.!?\d]{1,40}?{rather}  # no, use uv, not pip
i (?:much |always |strongly )?prefer {any}[^,;.!?]{2,60}? (?:over|rather than|instead of|to (?!be\b|have\b|see\b|keep\b))  # I prefer small commits over large ones
(?:no|never|don'?t|do not) [^,;.!?]{3,80},? ever[.!]*$|[^,;.!?]{3,80} (?:should|must) (?:never|not ever) be \w+ by you\b  # no commits directly to main, ever!!!
(?:ab (?:jetzt|sofort|heute)|künftig|in zukunft) (?:bitte |immer |nur |nie |keine? |verwend|nutz|schreib|antwort|frag|mach|commit)|(?:verwend|nutz|benutz|schreib|mach|frag|test|antwort)e?\b[^,;?]{0,40} (?:immer|nie|niemals)\b|(?:du (?:sollst|musst|darfst) )?(?:immer|nie|niemals) (?!noch\b|wieder\b|wenn\b)[^,;?]{0,60}\w+en[.!]*$|(?:désormais|dorénavant|à partir de maintenant|la prochaine fois),? (?!l[ae]?s?\b|c'est|qu)\w+|(?:utilise|écris|lance|fais|réponds|mets)\b[^,;?]{0,40} (?:toujours|jamais)\b|n(?:e |')(?:utilise|pousse|committ?e|touche|modifie|supprime|fais|écris) jamais\b|(?:toujours|ne jamais) [a-zéèê]+(?:er|re|ir)\b  # Ab jetzt bitte auf Deutsch antworten
(?:a partir de ahora|de ahora en adelante|a partir de agora|de agora em diante|en el futuro),? (?!el\b|la\b|los\b|las\b|os?\b|as?\b|es\b)\w+|(?:siempre|sempre) (?:us[ae]|escrib\w+|ejecuta|haz|responde|pregunta|escrev\w+|rode|faça)\b|nunca (?:us[ei]s?|hagas|toques|edites?|modifiques?|borres|faça)\b|(?:всегда|никогда не|впредь|отныне) (?:всегда )?(?:не )?(?:используй|пиши|запускай|делай|спрашивай|отвечай|коммить|пушь|трогай|удаляй|меняй)  # A partir de ahora usa pnpm
(?!.*用户)(?:请|记住)?(?:从现在(?:开始|起)|以后|今后)[，,]? ?(?:提交信息|请|都|一律|统一|必须|不要|别|始终)[^？?]{1,60}$|(?:永远|绝对)(?:不要|别)[^？?]{2,60}$|(?!.*(?:ので|から|この|ユーザー))(?:今後|これから)(?:は|、)[^？?]{2,60}(?:てください|でください|て下さい|お願いします)[。！!]*$|(?!.* 이 )(?:앞으로|이제부터)는? [^？?]{2,60}(?:주세요|하세요|해줘|마세요|하지 ?마)[.!]*$  # 今後は必ずテストを実行してください
[maybe: signs in an addressed clause that it may hold for good]
(?:please |you |we )*(?:always|{not}) (?:ever |to )?[a-z-]+ (?:(?:the|an?) \w+ (?:in|on|to|for|from|with) (?:the (?=\w+s\b))?|my (?=\w+s\b))?{any}\w  # don't run migrations yourself
(?:no(?: more)?|stop \w+ing|avoid|keep|prefer|follow|stick to|work in|use(?!.* (?:on|in|at|for|from|of) the\b)) {any}(?!(?:just|idea|problem|need|way|changes yet)\b|.* (?:is|are|was|were)\b)\w+ \w  # use conventional commits
(?:before|after|when(?:ever)?|if) (?:(?:you|we)(?:'ve|'re| are| have)? )?(?:{verb}|need|finished|done|\w+ing)\b|(?:always|never) [a-z-]+ (?:it|them) (?:in|on|with|to|as|by) \w|let me (?:do|commit|push|run|handle)\b  # before you commit, run the formatter
{ours}{any}\w|only {verb} {any}\w  # we write British English
[sign: the same, in the whole sentence]
(?!(?:address|check|commit|delete|do|find|fix|list|look|merge|move|push|re-?run|read|rebase|remove|rename|review|run|test|update|verify)\b).*(?:\b{every}|\b(?:in|for|to|on) {any}(?:[\w-]+ )?\w*[^\Ws]s(?<!this)(?=[.!]*$|,))  # add a docstring to every function
.*(?:\b(?:before|after|for|on|with|in) (?:each|every|any|all)\b|\b(?:before|whenever) (?:you|we)\b|\b(?:instead of|rather than) \w+ing\b|\b(?:every time|anything|everywhere|(?<!to )(?<!that )(?:always|never) (?:{do}|in|on|with|by|as|to)|without (?:asking|my)|unless i|anymore|(?:where|when)ever (?:possible|you can|we can))\b|, never\b)  # ask me before you delete anything
[liking: what may be a wish by its form alone]
(?:in general,? )?i(?:'d| would)? (?:\w+ )?(?:(?:want|like|need|expect) (?:all|every|each|to (?:review|approve|be asked|decide)) |prefer (?:that you |{any})|hate |rather (?:you|have|see)\b|(?:don'?t(?: ever)?|never) (?:want|like|need) (?:you to|to see {any}|it when|{any}(?!to\b))|like (?:my |our |{any}\w+ )\w+s\b|(?:want|like) .*, (?:no|not|never) )  # I'd rather you ask than guess
you keep \w+ing\b|.*[,;] (?:and |but )?{settled}\b|you (?:always|keep) forget|.*\b(?:never again|remember (?:that|this)|everywhere else|convention|mandatory|our (?:policy|rule|convention|standard|style)|when i say|i said (?:no|not|never|don'?t)|for everything|no exceptions|at all times|style guide|how we (?:do|work)|memori[sz]e|repeats? again|a habit)\b|we should (?:always |never )?be \w+ing\b  # you keep creating summary files
[general: the same, of whomever it is said but the program and its users]
(?!(?:if |when |while )?(?:the|an?|it|it's|this|that|these|those|he|she|they|(?:new )?users?|customers?|admins?|my|i|there|some)\b)(?:.*(?<!to )(?<!that )\b(?:(?:always|never) (?:{do}|in|on|with|by|as|to)|(?<=, )never|must not|no more|not allowed|can'?t use|don'?t need to|keep (?!the\b|going\b))\b|(?!let\b).*(?<!the )\bfirst[.!]*$)  # e2e tests run in CI, never locally
[certain: one certain thing, after all]
.*(?:\b(?:on|in|at|for|from|of|to|with) (?:this|that|these|those)\b(?! (?:project|repo|code|team))|\bline \d|\b(?:port|issue|pr) \d)  # in this file
[facts: behind a "remember" or a "for the future"]
(?:one|all|no|every|each|only) [\w-]+ \w|.* only[.!]*$|(?:smaller|shorter|fewer|more|less) \w  # all flags default to off
[fact]
the .* (?:is|are|has|needs?|must|lives?|go(?:es)?|belongs?)\b|i (?:always |never |will )?{verb}\b|{facts}  # the button is blue
[so it is: after a no]
(?!(?:{verb}|i meant)\b){any}\w+.*(?:\b(?:always|never)\b|{rather})  # prices are always integers
[one-off]
\b(?:for|in|during|on|with) (?:this|the (?:current|rest of (?:this|the))) (?:\w+ )?(?:session|task|chat|conversation|prompt|pr|branch|commit|change|one|feature|file|fix|bug|issue|ticket|release|migration|refactor\w*|step|plan|phase|run|page|component|function|test|script|demo|day|week|sprint)\b|\b(?:this|that) (?:time|once|session|one)\b|\bfor (?:now|the moment)\b|\bjust (?:this )?once\b|(?<!from )(?<!starting )\btoday\b|\bright now\b|\buntil\b|\byet\b|\btemporar|\b(?:diesmal|vorerst|heute|pour l'instant|cette fois|por ahora|esta vez|hoy)\b|这次|今天|暂时|пока|今回|とりあえず|이번|сегодня  # for now
[no order: permissions, guesses, what somebody else says, what something does]
(?:(?:you|we|i|one|it|that|this|they) (?:\w+ )?(?:can|could|may|might)\b(?!'t)|maybe|perhaps|probably|(?:never|not) have\b|i (?:don't )?(?:think|guess|believe|suppose|wonder)|i'm (?:not )?sure|not sure|what if|suppose|imagine|(?:(?:it|this|that|there|he|she|they|users?|the [\w-]+(?: [\w-]+)?|my [\w-]+|i(?:'ve)?) (?:\w+ )?(?:always|never)\b))|.{0,60}\b(?:says|complains|warns|reports|(?:people|some|others|docs) say|said that|suggests|recommends|told (?:me|us)|claims|according to)\b  # you can skip the linter
[so: where the rule ends and its consequence for this task begins]
[,;]? so (?:please |now |can you )*(?!use\b|prefer\b|avoid\b)(?=(?:{do})|convert)|,? (?:and )?then (?:carry on|continue|go on|proceed)  # we use UTC, so change the dates
[clause]
[,;:—–-]+\s+(?:so |and |but )?|\b(?:so|but|because|since)   # , so
[question]
(?:why|what|how|when (?:do|does|did|is|are|was|will|can|should)|where|who|which|did|does|is|are|was|has|have|should|do (?:you|we|i)|can i|may i|warum|wieso|wie|pourquoi|comment (?:faire|on|est)|por qué|cómo|почему)\b|.*[?？吗]\s*$  # why do you always ask?
[tag]
,? (?:ok(?:ay)?|alright|understood|got it|deal|clear|klar|d'accord|vale) ?\?+$  # , ok?
[pasted]
(?s:```.*?(?:```|\Z)|<([\w-]{2,40})[^<>\n]*>.*?</\1>|(\"\"\"|''').*?\2)  # ```Always use tabs```
[pasted line: what a program wrote: shell prompts, log levels, stack frames, quote and diff marks]
\s{4,}|[>|+⎿●✓✗×]|[$%] |\+\+\+|---|@@|at .+:\d+|\[?\d{4}-\d\d-\d\d[T ]|\d\d:\d\d|(?-i:(?:npm )?(?:INFO|WARN\w*|ERR!|ERROR|DEBUG|FAIL|PASS|Traceback|File \"))|npm (?:warn|notice)\b|error:|hint:|remote:|fatal:  # ERROR: always provide --config
[announces]
(?!.*\bi(?:'ve)? (?:already )?(?:said|told)\b).*\b(?:says?|said|wrote|comments?|commented|feedback|review(?:er|s)?|docs?|readme|guide|article|spec|ticket|issue|e?mail|message|prompt|output|log|error|pasted?|text)\b[^:]{0,30}:$  # The review says:
[document: headings, or a role prompt]
(?m:^#{1,6} \S)|\A\W*(?:you are|you're|act as) (?:an?|the)   # You are a careful reviewer
[quoted]
`[^`\n]{1,200}`|\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|「[^」\n]{1,400}」|(?<![\w'])'(?! )[^'\n]{2,200}'(?![\w'])  # "always use tabs"
[sentence end]
(?<=[.!?])\s+|(?<=[。！？])  # .
[correction]
(?:(?:hm+|oh|ok(?:ay)?|sorry|but|and|so|wait|hey|well|please|claude)[,.!]* )*(?:no\b(?! (?:problem|worries|need|rush|idea|thanks|matter|longer|prs?|pull)\b)(?!,? thanks)|nope|nah|wrong|incorrect|that'?s not|(?:that|this|it)(?:'s| is| was)? (?:wrong|not (?:what|how|right))|not (?:what|how|like) |i (?:said|told you|meant|didn'?t (?:ask|want|mean)|never (?:asked|said|wanted))|i don'?t (?:like|want) (?:this|that|it)\b|stop \w+ing|don'?t|do not|never (?!mind)|undo|revert|roll (?:it|this|that)? ?back|you(?:'ve| have)? (?:broke|forgot|missed|ignored|deleted|misunder|should(?:n'?t| not)? have|keep|overwrote)|why (?:did|didn'?t|are|do) you|(?:it|that|this) (?:still )?(?:doesn'?t|does not|didn'?t) (?:work|help)|(?:that|this|it|you)\b.{0,20} (?:broke|breaks)|nein\b|falsch|das ist (?:falsch|nicht)|mach das rückgängig|non\b|c'est faux|annule|eso est[aá] mal|deshaz|isso está errado|нет\b|это неправильно|откати|不对|错了|撤销|違います|元に戻して|아니요|틀렸)  # No, that's wrong.
"""


def rows(table: str) -> list[list[str]]:
    """[expression, example] of each row of a table; without an example where the row is a list of words."""
    section = re.split(rf"\n\[{table}(?:: .*)?\]\n", _TABLES)[1].partition("\n[")[0]
    return [line.split("  # ") for line in section.strip("\n").split("\n")]


@cache
def _words(table: str) -> str:
    """The expression for a table, with other tables in place of their names."""
    said = "|".join(row[0] for row in rows(table))
    return f"(?:{re.sub(r'{([a-z]+)}', lambda name: _words(name[1]), said)})"


@cache
def _pattern(table: str) -> re.Pattern[str]:
    return re.compile(_words(table), re.IGNORECASE)


def _is(table: str, text: str, at: int = 0) -> bool:
    return bool(_pattern(table).match(text, at))


class Wish(NamedTuple):
    """A sentence on how to do things."""

    text: str  # one line, a capital at the start, a full stop at the end
    quote: str  # as it was said
    strict: bool  # an explicit standing wish; otherwise it only may be one


def wishes(text: str) -> list[Wish]:
    """The standing wishes in one text from the person, each once, in order."""
    found: dict[str, Wish] = {}
    no = False
    for said, form in _sentences(text):
        tier, start, end, no = _read(form, no=no)
        if tier:
            quote = said[start:end].strip()
            wish = Wish(_cleaned(quote), quote, tier == "strict")
            found.setdefault(wish.text.lower(), wish)
    return list(found.values())


def correction(text: str) -> str:
    """The words in a prompt's first sentences that correct the work before it; "" if there are none."""
    said = list(_sentences(text[:6_000]))
    for place, (_, form) in enumerate(said[:2]):
        if _is("correction", form):
            return " ".join(each for each, _ in said[place : place + 3])[:200]
    return ""


def _read(form: str, *, no: bool) -> tuple[str, int, int, bool]:
    """(tier, start, end) of the wish in a sentence, and whether nothing but a "no" stands there."""
    start, first, leads = 0, -1, {"no"} if no else set[str]()
    while lead := _pattern("lead").match(form, start):
        names = {name for name, said in lead.groupdict().items() if said}
        first = start if first < 0 and names - {"no", "asked"} else first
        start, leads = lead.end(), leads | names
    if start == len(form):
        return "", 0, start, "no" in leads
    then = _pattern("so").search(form, start)
    end = then.start() if then else len(form)
    rule = form[start:end]
    if "you" in form[:start].lower():  # "could you always …?" asks for an action
        rule = rule.rstrip("? ")
    asks = _is("question", rule) and not _pattern("tag").search(rule)
    once = _pattern("one-off").search(rule) or _is("no order", rule)
    if asks or once or (len(rule.split()) < 2 and rule.isascii()):
        return "", 0, end, False
    return _tier(rule, leads), start if first < 0 else first, end, False


def _tier(rule: str, leads: set[str]) -> str:
    """`strict`, `maybe`, or "" where it is no wish."""
    ours = _pattern("ours").match(rule)
    told = ours or _is("rules", rule)
    addressed = told or "asked" in leads or _is("order", rule)
    if _is("strict", rule) or ("no" in leads and _is("strict", f"no, {rule}")):
        return "strict"
    if "good" in leads and (addressed or _is("facts", rule)):
        return "strict"
    if leads & {"again", "remember"} and (told or _is("not", rule)):
        return "strict"
    if (addressed and _is("good", rule)) or (ours and _is("contrast", rule, ours.end())):
        return "strict"
    if len(rule.split()) < 3 and not (leads & {"again", "remember"} and _is("do", rule)):
        return ""
    if (addressed and leads - {"no", "asked"}) or _is("liking", rule):
        return "maybe"
    if ("no" in leads and _is("so it is", rule)) or ("remember" in leads and _is("fact", rule)):
        return "maybe"
    if _is("certain", rule):
        return ""
    starts = (0, *(clause.end() for clause in _pattern("clause").finditer(rule)))
    for clause in (rule[at:] for at in starts):
        asked = "asked" in leads or _is("order", clause) or _is("ours", clause)
        signs = "again" in leads or _is("maybe", clause) or _is("sign", rule)
        if _is("rules", clause) or (asked and signs):
            return "maybe"
    return "maybe" if _is("general", rule) else ""


def _cleaned(quote: str) -> str:
    bare = _pattern("tag").sub("", " ".join(quote.split())).replace("**", "")
    text = bare.rstrip(" ,;:!.?。！？")
    stop = "。" if "\u3040" <= text[-1:] <= "\u9fff" else "."
    return f"{text[:1].upper()}{text[1:]}{stop}"


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """Each of the person's own sentences: as it was said, and with quotations and code masked."""
    for line in _own_lines(text.replace("’", "'")):
        form = _pattern("quoted").sub(lambda found: "x" * len(found[0]), line)
        at = 0
        for end in [*_pattern("sentence end").finditer(form), None]:
            stop = end.start() if end else len(line)
            if 0 < len(line[at:stop].strip()) <= _LONGEST:
                yield line[at:stop], form[at:stop]
            at = end.end() if end else stop


def _own_lines(text: str) -> list[str]:
    """The person's own lines of a prompt, without pasted text, documents and role prompts."""
    bare = _pattern("pasted").sub("\n", text)
    document = _pattern("document").search(bare)
    lines = []
    for line in bare[: document.start() if document else None].split("\n"):
        if line.strip() and not _is("pasted line", line):
            lines.append(line.strip().lstrip("-*•# \t").strip())
            if _is("announces", lines[-1]):
                break
    return lines if len(lines) <= _LINES else [*lines[:4], *lines[-3:]]
