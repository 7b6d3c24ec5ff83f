"""How the person took it: a correction, a revert or a confirmation, from their own words alone."""

import re
from dataclasses import dataclass
from typing import Literal

from ace_reflect.learning.words import sentences
from ace_reflect.text import shortened

Kind = Literal["correction", "revert", "confirmation"]

#: What they say first is about what was done; further down a prompt is the next task.
_LEADING = 3

_LEAD = (
    r"^(?:(?:hm+|um+|uh|oh|ok(?:ay)?|sorry|but|and|so|wait|hey|actually|well|please|claude|still|great|thanks|yes|yeah)"
    r"[,.!…]*\s+)*"
)
_SUBJECT = r"(?:that|this|it|these|those|they|your \w+|the (?:code|fix|change|changes|result|output|test|tests|button|page|app|build|script|function))"
_HAS = r"(?:'s|'re| has| have| is| are| was| were)?\s+(?:(?:still|now|just|also|all|completely|totally|even)\s+)*"
_FAILS = r"(?:broken(?! (?:down|out|up))|fail(?:s|ed|ing)?\b(?! (?:now )?(?:as|like) (?:expected|intended|planned|it should))|crash(?:es|ed|ing)?|hang(?:s|ing)?|not working|(?:doesn'?t|does not|didn'?t|did not|don'?t|isn'?t|won'?t|never) (?:work|help|fix|solve|compile|build|run|do|start|load)\w*)"
#: What the agent did, or what it is told.
_CORRECTIONS = (
    (
        r"(?:no|nope|nah|nein|non)\b(?!\s*(?:problem|worries|worry|need|rush|prs?\b|pull|tests?\b|gates?\b|idea|thanks|one|matter|longer|more|changes?\b|rush)|,?\s*(?:danke|merci|thank)"
        r"|(?:[,.!]?\s*(?:wait|sorry|hold on|actually|you'?re right))*[,.!]?\s*(?:that'?s|it'?s|this is|(?:that|it|this) (?:is|was)|looks|all)\s+(?:fine|ok(?:ay)?|good|great|right|correct|perfect|it|all)\b"
        r"|\s*,?\s*(?:(?:das |es )?(?:passt|reicht|ist (?:gut|ok(?:ay)?|super|alles|so gut))|alles (?:gut|klar)|schon gut|kein problem|c'est (?:bon|bien|parfait|ok)|pas de souci|ça va)\b"
        r"|\s*,?\s*(?:gracias|grazie|te preocupes|pasa nada|hay problema|hace falta|es necesario|(?:te )?olvides|hagas|subas|está bien|así está bien)\b)"
    ),
    r"(?:wrong|incorrect|falsch)\b",
    r"(?:(?:that|this|it)(?:'?s| is| was) )?(?:absolutely |really |definitely )?not (?:what|how|where|the way) (?:i|we)\b",
    r"(?:that|this|it) (?:isn'?t|wasn'?t) (?:really |quite |at all )?(?:what|how|where|the way) (?:i|we)\b",
    r"not (?:quite\b(?! (?:sure|clear|certain|ready|done|yet))|like (?:this|that)\b)",
    r"i (?:said|told you|asked (?:you )?(?:for|to|not)|specifically|explicitly|already (?:said|told)|didn'?t (?:ask|say|want|mean)|did not (?:ask|say|want|mean)|meant|never (?:asked|said|wanted)|only (?:asked|wanted|meant))\b",
    r"i (?:don'?t|do not) like (?:this|that|it|your \w+)(?: at all)?(?:\s*[,.;!]|$| and | because )",
    r"too many changes\b",
    r"i (?:don'?t|do not) want (?:(?:any of )?(?:this|that|it|these|those)|your \w+|(?:this|that|the|these|those) (?:change|edit|commit|refactor\w*|rewrite|approach)(?:s|es)?)(?: at all| any ?more)?\s*(?:[,.;!]|$)",
    r"(?:this|that|the|your) (?:change|edit|fix|solution|approach) (?:isn'?t|is not|wasn'?t|was not) (?:what|how|the way)\b",
    r"(?:ne|nee)[,.]? (?:das|so|es) (?:war|ist|habe?|wollte|meinte|geht|passt)\b(?! (?:gut|ok|richtig|so gut|prima|super))",
    r"you(?:'ve| have)?(?: (?:just|also|completely|totally|really|again))? (?:broken?|forgot(?:ten)?|missed|misunderst(?:oo|an)d|misread|ignored|lied|should(?:n'?t| not) have|should have|were (?:supposed|not supposed)|weren'?t supposed|deleted|overwrote|messed|changed (?:way |far )?too|made (?:it|that) (?:up|worse)|hallucinated|invented|keep|kept|(?:did|do) not|didn'?t|failed|can'?t just)\b",
    # A question why is a reproach where it names what was not done, or was done away with.
    r"why (?:didn'?t|don'?t|haven'?t|are|aren'?t) you\b(?! asking)|why the (?:hell|heck|f\w+)\b",
    r"why (?:did|do|would|have) you (?:\w+ ){0,2}?(?:not|again|still|even|keep|ignor\w+|delet\w+|remov\w+|overwr\w+|break|broken?|revert\w*|skip\w*|disabl\w+|touch\w*|drop\w*|lie|invent\w*)\b",
    r"(?:wtf|what the (?:hell|heck|f\w+)) (?:did|have) you (?:do|done)\b",
    r"stop (?:doing|using|adding|changing|making|trying|it|that|editing|writing|creating)\b",
    r"(?:don'?t|do not) do (?:that|this|it)\b",
    r"(?:das|es) (?:ist|war) (?:falsch|nicht richtig)|das stimmt (?:so )?nicht|c'est faux|eso est[aá] mal",
    r"(?:não\s*(?=[,.!]|$)|(?:nee|нет)\b)(?!\s*[,.!]?\s*(?:obrigad|precisa|dank|bedankt|hoeft|hoor\b|probleem|geen|спасибо|надо|нужно|(?:está|tá|é) (?:bom|ótimo|cert|isso)|(?:dat|het) is (?:goed|prima)|вс[её]|это (?:всё|хорошо)))",
    r"(?:isso |isto )?(?:está|tá|é) errad[oa]\b|errado\b|(?:è |è tutto )?sbagliat[oa]\b|(?:dat|dit) (?:is|klopt) (?:fout|niet|verkeerd)|(?:это )?(?:неправильно|неверно|не то\b|не так\b)",
    r"(?:不对(?![外称齐应])|不是这样|错了|你(?:弄|改|搞|写)(?:错|坏)|这不是我(?:要|想)|違います|違う(?=[、。!！よ]|$)|そうじゃな|そうではな|間違ってい?(?:る|ます)|아니[요,. ]|틀렸|잘못(?:했|됐|되었))",
)
#: How the work behaves. Behind a new task these tell about that one.
_SYMPTOMS = (
    rf"{_SUBJECT}(?:'s|'re| is| are| was| were| looks?| seems?)?\s+(?:\w+\s+){{0,2}}(?:wrong|incorrect|not (?:right|correct|true|it|good)|a mistake|nonsense|terrible|awful|worse(?!-))\b",
    rf"{_SUBJECT}{_HAS}{_FAILS}",
    rf"{_SUBJECT}{_HAS}(?:broke|breaks)\b(?! (?:down|even|out|into))",
    rf"{_SUBJECT}{_HAS}(?:made|makes) (?:\S+ ){{1,4}}worse\b",
    rf"{_SUBJECT}{_HAS}(?:caus|introduc)(?:ed|es) (?:\w+ ){{0,3}}(?:regression|bug|error|crash|problem|failure)s?\b",
    rf"now (?:nothing|it|everything|(?:all |some |most )?(?:of )?(?:the|my|our) \w+){_HAS}(?:{_FAILS}|breaks?|crash|throws?)\b",
    r"now nothing works\b",
    r"(?:the )?(?:exact )?same (?:error|problem|issue|failure|exception|bug)(?: (?:again|still|as before|persists|remains))?\s*(?:[,.!:;(]|$)",
    r"(?:getting|seeing|i(?:'m| am)? (?:now )?(?:get|getting|see|seeing)) .{1,80}\bsince your (?:last |latest )?(?:change|fix|edit|commit|update|refactor)",
    r"(?:still|again)\s+(?:broken|fail\w*|the same|wrong|crash\w*|not|doesn'?t|getting|seeing|does not)\b",
    r"(?:doesn'?t|does not|didn'?t|did not) (?:work|help|fix)\b|not working\b",
    r"(?:das )?(?:geht|funktioniert) (?:immer noch )?nicht|das hat .{1,60} kaputt ?gemacht|ça ne marche pas|no funciona",
)
_TOLD = r"(?:(?:please|then|now|just|can you|could you|bitte) )*"
_REVERTS = (
    rf"{_TOLD}(?:revert|undo|roll ?back|un-?do|back out)\b(?:\s+(?:that|this|it|these|those|them|your|all|everything|the (?:last|previous|change|changes|commit|edit|edits)|what|my)\b|\s*[.!]?$)",
    rf"{_TOLD}(?:run |do )?(?:a )?git (?:restore|revert|reset --hard|checkout (?:HEAD\b|--|\.(?:\s|$)|\S*\w\.[a-z]\w*))(?! (?:(?:does|did|is|was|has|should)(?:n't)?|won't|can't|needs?)\b)",
    r"(?:put|change|switch|set) (?:it|that|this|them|everything) back\b",
    rf"{_TOLD}(?:restore|put|leave|set|change) (?:it|this|that|them|everything|all of (?:it|that)|the \w+|[\w/-]+\.\w+) (?:back )?(?:to )?(?:how|what|the way|as) (?:it|they|things|everything) (?:was|were)(?: before)?\s*(?:[,.!?;]|$)",
    rf"{_TOLD}(?:discard|throw (?:away|out)|drop|scrap) (?:it|that|this|these|those|them|all of (?:it|that)|(?:the|your|these|those|all)(?: the)? (?:change|edit|commit|modification)s?)(?: away| out)?\s*(?:[,.!?;]|$)|{_TOLD}throw (?:it|that|this|these|those|them|all that) (?:away|out)\b",
    r"(?:restore|go back to|bring back) (?:the|what|how|my) (?:old|previous|original|earlier|was|had|it was)\b",
    r"remets? (?:ça |tout |le fichier )?comme (?:avant|c'était)|(?:d[ée]ja(?:lo)?|deixa|lascia)(?:lo| todo| tudo| tutto)? (?:como estaba|como estava|com'era)|(?:元に|全部)?戻してください[。！!]*$",
    r"(?:take|rip) (?:that|it|this|them|those) (?:out|back)\b",
    (
        r"(?:that|this|it|these|those|i|you|your|the|das|es) .{1,200}[,;] (?:(?:and|so|then|please|just|can you|could you) )*"
        r"(?:(?:revert|undo|roll ?back|back out|take back) (?:it|that|this|them)|(?:put (?:it|that|this|them) back|go back to (?:it|that)))(?: please| again| now)?[.!?]*$"
    ),
    r"(?:bitte )?(?:mach|nimm) (?:das|es|die änderung\w*|alles) (?:bitte )?(?:wieder )?(?:rückgängig|zurück)\b|.{0,60}\bbitte rückgängig machen[.!]*$",
    r"(?:(?:por favor|per favore),? )?(?:annulez?|défais|défaites|deshaz|revierte|desfa(?:z|ça)|revert[ae]|annulla|ripristina)(?:lo)?(?=\s*(?:ça|cela|tout|tes|(?:les?|tes|los|as|le) (?:\w+ )?(?:changement|modif|cambio|mudan|altera)|eso|esto|todo|isso|tudo|tutto|questo|[.,!]|$))",
    r"(?:draai|maak) (?:dat|het|dit|die \w+) (?:terug|ongedaan)|(?:пожалуйста,? )?(?:откати|отмени|верни)(?:те)? (?:это|вс[её]|изменени|обратно|назад|как было)",
    r"(?:请|麻烦|帮我)*(?:撤销|撤回|回滚|还原|恢复)(?:(?:这(?:个|些|次)?|所有|全部)?的?(?:修改|改动|更改)|它|刚才|你|吧|$)|(?:これを|それを|変更を|さっきの変更を)?(?:元に戻し|取り消し)て|(?:변경(?:을|사항을) )?(?:되돌려|원래대로)",
)
_CONFIRMATIONS = (
    r"(?:thanks|thank you|thx|perfect|great|excellent|awesome|nice|lovely|wonderful|brilliant|lgtm|exactly|good job|well done|very good|looks (?:good|great|fine)|super|danke|passt(?=[,.! ]*(?:so|danke|perfekt|super|gut)?[,.! ]*$|, danke)|merci|gracias|parfait|perfekt|perfecto)\b",
    r"(?:that|it|this)(?:'s| is| now)?\s*(?:works?|worked|working|(?:exactly )?right|correct|great|perfect|good|it)\b",
    r"works\b",
)
_KINDS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("revert", _REVERTS),
    ("correction", _CORRECTIONS),
    ("correction", _SYMPTOMS),
    ("confirmation", _CONFIRMATIONS),
)
_TRIED = r"(?:(?:i|we)(?:'ve| have)?(?: just)? )?(?:tested|tried|checked|ran|restarted|rebuilt|reloaded|looked|refreshed)\b"
_OFFER = re.compile(
    r"\b(?:shall (?:i|we)|should (?:i|we)|want me to|would you (?:like|prefer)|do you want|may i|can i|could i|ok(?:ay)? (?:to|if i)"
    r"|need (?:me|anything)|anything else|soll(?:en|te)? (?:ich|wir)|möchtest du|willst du)\b[^?\n]{0,300}[?？]",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^\s*(?:no|nope|nah|nein|non|não|nee|нет|nie|不用|不要|いいえ|아니[요오])(?!\w)[\s,.;:!–—、，。-]*",
    re.IGNORECASE,
)
_SHELL_REVERT = re.compile(
    r"\bgit\s+(?:-C\s+\S+\s+)?(?:revert|restore|reset\s+--hard|checkout\s+(?:\S+\s+)?--|checkout\s+\.|stash\b(?!\s+(?:pop|apply|list)))"
)


@dataclass(frozen=True, slots=True)
class Reaction:
    kind: Kind
    quote: str


def read_reaction(text: str, answered: str = "") -> Reaction | None:
    """
    What a prompt says of the work before it, or None where it goes on to something else.

    Pasted logs, quotations and code are not the person's own words. `answered` is the text that the prompt answers, the
    agent's last: where that offers something, a "no" in front declines the offer and says nothing of the work.
    """
    if _OFFER.search(answered[-600:]):
        text = _NO.sub("", text, count=1)
    leading = sentences(text[:6_000])[:_LEADING]
    for kind, patterns in _KINDS:
        for at, sentence in enumerate(leading):
            if not _matches(sentence.text, patterns):
                continue
            if patterns is not _SYMPTOMS or all(
                _is_about_what_was_done(before.text) for before in leading[:at]
            ):
                # What follows says what it is about: "No! Never npm."
                return Reaction(
                    kind, shortened(" ".join(other.text for other in leading[at:]), 200)
                )
    return None


def _matches(said: str, patterns: tuple[str, ...]) -> bool:
    return len(said) <= 500 and any(
        re.match(f"{_LEAD}(?:{pattern})", said, re.IGNORECASE) for pattern in patterns
    )


def _is_about_what_was_done(said: str) -> bool:
    """Whether a sentence hands out no new task: "Hmm.", "I tried it.", or a reaction itself."""
    return _matches(f"{said} ", (r"$", _TRIED)) or any(
        _matches(said, patterns) for _, patterns in _KINDS
    )


def reverts(command: str) -> bool:
    """Whether the person's own shell command takes changes back."""
    return _SHELL_REVERT.search(command) is not None
