"""Every word that a rule reads, in `_TABLES`: a table a section, in it a row a line, `expression  # a phrase that it is for`, in
lower case. An order stands at the start of a clause, behind a `filler`. Of a switch, an `off` stands before what is checked
(`gates` to `pr`), or an `off behind` it; what follows and is no `tail` limits it ("not on the host"): nothing is switched off.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from ace_reflect.evidence.facts import Turn
from ace_reflect.text import shortened

_TABLES = r"""
[gates]
(?:quality |completion )?gates?|ace[- ]?reflect|prüfungen|гейт\w*|провер[ок]\w*|门禁|門禁|ゲート|게이트  # gates
[tests]
(?:the )?suite\b|pytest|jest|vitest|(?:npm|yarn|pnpm|go|cargo) test\b  # pytest
(?:(?<=run )|(?<=cute )|(?<=run any )|(?<=cute any ))(?:anything|(?:shell |bash )?commands?)\b|(?:unit )?test(?:e?s|ing| suite| run)?\b(?: (?:it|this(?! (?:time|turn|session|round)\b)|that|anything|everything)\b)?|verify|pruebas|тест\w*|测试|測試|テスト|테스트  # tests
[build]
(?:build|compile|bauen)\b(?: (?:it|this|anything)\b)?|сборк\w*|构建|编译|ビルド|빌드  # build it
[pr]
(?:draft )?(?:prs?|pull[- ]requests?|mrs?|merge[- ]requests?|пр)\b|合并请求|プルリク(?:エスト)?  # pull request
[off]
(?:you |we |i )?(?:do not|don'?t|dont|never mind|never|not|no|needn'?t|skip|without|w/o|w/out|omit|forget|disable|(?:turn|switch) off|stop)(?: need| have| want| waste time)?(?: you)?(?: to| about| for| on)?(?: even| bother(?: to| with)?)?(?: (?:re-?)?run(?:ning)?| execut(?:e|ing)| do| start| worry about| open(?:ing)?| create| make| submit| raise| file)?(?: the| any| all| an?| your| more| these)*  # don't run the tests
(?:i'?ll|i(?= (?:run|do)\b)|(?:i|we|(?:the )?ci) will|i'm going to|we'?ll|let me) (?:run |do |handle |execute |take care of |open |create )?(?:the |all |a )*  # I'll run the tests
(?:ignore|(?:hold off|wait)(?: on| with)?)(?: running)?(?: the| all)?  # hold off on the tests
(?!.{0,80}(?:\b(?:never|not|cannot|nothing|nobody)|n'?t)\b)\w[\w .'/-]{0,60}? without (?:running |opening )(?:the |any |a )?|(?:do|commit|push|finish)\b[\w ]{0,16} without (?:the |any |a )?  # commit it without running the tests
(?:bitte )?(?:kein(?:en?)?|ohne|lass|nicht|überspring\w*|ignorier\w*) (?:die )?  # keine Tests
(?:ne )?(?:pas (?:de|besoin de)|sans|passe[rz]?|ignore[zr]?|saute[zr]?|désactive[rz]?|(?:lance|exécute|fais)[sz]? pas|je (?:lance|lancerai|ferai)(?: moi-même)?) (?:lancer )?(?:les |de )?  # ne lance pas les tests
(?:sin|omite|salta|ignora|desactiva|no (?:hace falta (?:ejecutar|correr|lanzar)|ejecutes|corras|hagas|lances)|yo (?:ejecuto|corro|haré)|sem|pule|desative|não (?:rode|execute|faça|precisa rodar)|eu (?:rodo|executo)) (?:los |las |os |as )?  # no ejecutes las pruebas
(?:без|не (?:запускай|гоняй|прогоняй)(?:те)?|(?:пропусти|отключи)(?:те)?)  # не запускай тесты
先?(?:不要|不用|别|別|无需|無需|不必|不需要|跳过|跳過|关闭|關閉|忽略|我(?:自己|来|會|会)+)[再先]?(?:运行|運行|执行|執行|跑|创建|提交|开|提)? ?(?:任何|单元)?  # 不要运行测试
[off behind]
(?:off|later|aus|abschalten|überspringen|can wait|(?:(?:are|is)(?: not|n'?t)|not) (?:needed|necessary|required)|führe ich|brauchst du nicht|(?:bitte )?(?:nicht|(?:lasse|führe|mache|starte) ich))\b  # gates off
我(?:自己)?(?:来|會|会)(?:跑|运行|運行|执行|測|测)?  # 测试我来跑
(?:не (?:нужны|запускай|гоняй|прогоняй)(?:те)?|(?:запущу|прогоню) сам\w*)  # тесты не нужны
(?:は|を|の)?(?:後で|あとで)?(?:実行)?は?(?:しないで|作らないで|走らせな(?:いで|くていい)|不要|いらない|なしで|スキップ|オフ|無効|私|自分|こちら)  # テストは実行しないで
(?:는|를|을|은)? ?(?:실행)?(?:은|는)? ?(?:(?:하|만들)지 ?마|필요 ?없|생략|없이|건너|꺼|제가|내가)  # 테스트는 실행하지 마
[push]
(?:re-?|commit-|[a-z])?push(?:e[ns]?)?\b(?! (?:button|notification|back|event|service|token|message)s?\b)|push(?:して|する|お願い)  # push
(?:get|have) (?:it|this|that|these|them|everything|(?:the|my|all) [\w ]{1,20}?) (?:pushed|merged|up on|on(?:to)? (?:main|master|trunk|origin|the remote|git(?:hub|lab)))\b  # get this pushed
(?!.{0,80}\b(?:nicht|kein)).{0,60}\b(?:pushen|pushst|hochladen)\b  # nach main pushen
ship (?:it|this|that)\b|(?:ship|deploy|release|publish|land)(?: (?:it|this|that|now|a new version|the (?:changes|release|package)))?$  # ship it
(?:deploy|release|publish|merge|land|commit|go|put)\b[^,;.]{0,30}?(?: (?:on|to|into|straight to|directly to)) (?:main|master|trunk|prod\w*|origin|github|gitlab|(?:the )?(?:remote|default branch))\b  # merge it to main
(?:puss?he|envoie|pousse)[zr]?\b|(?:sube|empuja|haz push|pushea|suba|faça push|envie|dá push)\b|(?:запушь|пушни|залей|пуш)\w*|推送|推上去|提交并推送|发布|プッシュ(?:して|する|お願い)|푸시  # sube los cambios
[make_pr]
(?!open (?:the|your) |.{0,80}\b(?:once|after|when|if) i(?:'ve|'m)? )(?:open|create|make|submit|raise|file|send|put up|prepare|draft|do|i (?:want|need)|give me)(?: up| me)? (?:(?:a|an|another|one|separate) |(?:the |your )?(?=(?:new |draft )?(?:prs?|pull[- ]requests?|mrs?|merge[- ]requests?)(?: (?:for|with|from|to|against|when|once|after|please|now)\b|$)))(?:new |draft |separate |github |small )?(?:prs?|pull[- ]requests?|mrs?|merge[- ]requests?)\b(?!-| (?!(?:for|with|from|to|against|when|once|after|please|now|on|in|if|only|and|then|that|titled|called)\b)\w)  # open a PR
[session]
(?:this|the) (?:whole |entire )?(?:session|conversation|chat)|from now on|going forward|(?:until|unless) i (?:say|ask|tell)  # for this session
(?:diese|die ganze) (?:sitzung|session)|ab jetzt|cette session|désormais|est[ae] (?:sesión|sessão)|a partir de ahora|de agora em diante|(?:эту сессию|в этой сессии|отныне)|(?:本次|这次|這次|整个)(?:会话|會話)|このセッション|今後|이번 세션|앞으로  # für diese Sitzung
[filler]
(?:actually|btw|by the way|fyi|hm+|nah|hey|no wait|please|pls|just|also|ok(?:ay)?|now|yes|no worries|then|and|but|so|you can|you may|you should|you could|we can|we should|let'?s|feel free to|go ahead and|can you|could you|would you|i want you to|make sure (?:to|you)|don'?t forget to|remember to|finally|when (?:you(?:'re| are) )?done|for (?:now|this(?: session)?)|this time|bitte|dann|und|por favor|s'il (?:te|vous) plaît|пожалуйста)\s+|请|請  # please do
[tail]
(?:please|pls|now|right now|just yet|(?:this|the) (?:turn|session|round)|for (?:now|this|me|today|that)|yet|today|this time|at all|myself|every time|all the time|ourselves|yourself|here|again|either|any ?more|later|afterwards|manually|locally|first|or (?:tests|build\w*|linting)|because|since|as|if that'?s ok|thanks?|unless i|until i|when you|on my|(?:in|for|during) (?:this|the) (?:rest|whole|entire|current|session|conversation|chat|turn|prompt|change|one)|from now on|going forward|to me|in (?:this|the) (?:environment|sandbox|container|machine|repo)|run|suite|needed|required|bitte|später|ausführen|laufen|selbst|mehr|jetzt|für|moi|yo|mismo|por|s'il|pour|para|в|сам|пожалуйста)\b  # for now
[courtesy]
\b(?:anything else|any (?:other )?(?:questions|concerns|feedback)|(?:does|do) (?:that|this) (?:help|make sense)|make sense|how (?:does|do) (?:that|this|it) (?:look|sound))\b|\b(?:sonst noch etwas|autre chose|algo más|mais alguma coisa)\b|что-?нибудь ещё|还有(?:什么|其他)|他に何か|더 (?:필요|도와)  # Anything else?
[handover]
\blet me know (?:which|what|how|whether|when|where|your|once|as soon|if you(?:'d| would)? (?:like|want|prefer)(?: me)? (?:to|the|me|option))\b  # let me know which
^(?!.*\b(?:going forward|from now on|in future|next time)\b).*\b(?:wait(?:ing)?|await(?:ing)?|standing by|holding|on hold) (?:for |on )?(?:you|your)\b  # waiting for your approval
\b(?:i|we|this|it|that|which) (?:still )?needs? (?:you\b|your\b|an? (?:decision|answer|approval) from you)  # I need your decision
\b(?:please|kindly) (?:confirm|choose|decide|clarify|specify|select|pick|advise|tell me|provide|share|send|approve|review and)\b  # please confirm
\b(?:over to you|your call|up to you|your (?:turn|choice|move|decision)|tell me (?:which|what|how|when|if|whether)|say the word|reply with|which (?:one|option) (?:do|would|should))\b  # your call
\b(?:(?:need|needs|needed|missing|left|remaining|remains|open|wait\w*) (?:\w+ )?(?:from|for|to|on|with) you|your (?:part|side)|for you to (?:do|decide|review|approve))\b  # What I need from you:
\b(?:sag mir|gib mir bescheid|bitte (?:bestätige|wähle|entscheide)|dis[- ]moi|dites[- ]moi|avísame|dime|confirma(?:me)?|me (?:avise|diga))\b|дай(?:те)? знать|скажи(?:те)?|подтверди\w*|请(?:告诉|确认|選|选)|(?:教えて|知らせて|確認して|選んで)ください|알려 ?주|확인해 ?주  # sag mir Bescheid
[stuck]
\b(?:can'?t|cannot|can not) (?:go on|proceed|continue)\b|\bblocked (?:on|by|until)\b  # I can't go on
[persons]
\b(?:log(?: |-)?in\b(?!-| (?:page|screen|form|flow|logic|button|code|error|endpoint))|log(?:ged)? in(?:to)?|sign(?:ed)? in(?:to)?|authenticate|authori[sz]e|approv(?:e|ed|al)|consent|grant(?:ed)?|2fa|mfa|two-factor|captcha|one-time (?:code|password)|verification code)\b  # log in
\b(?:passwords?|credentials?|api keys?|access keys?|secrets?|personal access tokens?|billing|payment|credit card|subscription|invoice|licen[cs]e key|permissions?|sign-?off)\b  # your credentials
\b(?:plug(?:ged)? in|physical|your (?:phone|device|hardware)|the (?:phone|device|usb|hardware|board)|sudo)\b  # plug in the device
[yours]
\b(?:you|your|yourself|manually|please|needs? (?:a|the|to be)|has to be|have to be|must be|waits? for|requires?)\b  # you need to
[announces]
(?:(?:ok(?:ay)?|great|good|perfect|now|next|so|and|then|first|finally|right)[,.!:]? ){0,4}(?:let me|let's|i'?ll|i will|i'?m going to|i am going to|now (?:i|let|for)|next,? i|time to|\w{1,30}ing (?:the|a|all|this|it|them))\b(?! know\b)  # Now I'll run the tests:
[claim]
^(?P<tests>(?:(?:done|fixed|yes|great|perfect|finished|updated|added|implemented|everything)\b[^.!?;,]{0,40}(?:[;,:]| [—–-]| and) )?(?:all|the full|the whole|the entire|the)? ?(?:of the |the |existing |(?P<count>\d+) )*(?:tests|test suite|suite|specs)(?: cases)? (?:are |is |now |all |still |have |has |run )*(?:pass(?:es|ed|ing)?|green)\b(?! (?:in|on|for|except|with|when|if|but|to|through|as|by)\b))  # Fixed it; all 12 tests pass.
^(?P<build>(?:and )?(?:the )?(?:project |production |full )?(?:build|compilation) (?:now |also |is |still )*(?:pass(?:es|ed|ing)?|succeed(?:s|ed)|green|clean|successful)\b)  # The build passes.
^(?P<push>(?:i(?:'ve| have)? |and )?(?:committed and )?pushed\b(?! back\b| for\b))  # Pushed to origin.
^(?P<pr>(?:i(?:'ve| have)? |and )?(?:opened|created|submitted|raised) (?:a|the|an) (?:new |draft )?(?:pr|pull request|mr|merge request)\b|(?:the |a )?(?:pr|pull request|merge request) (?:#?\d+ )?(?:is|was|has been) (?:now )?(?:opened|created|open|up|submitted)\b)  # I opened a pull request.
[hedges]
\b(?:if|once|when|whenever|should|would|could|will|until|before|unless|make sure|makes sure|ensure[sd]?|verif\w+ that|confirm that|so that|assum\w+|expect\w*|need(?:s|ed)? to|must|previously|earlier|was able to)\b  # once all tests pass
:$|：$|\b(?:not|never|no longer|except|besides|apart from|other than|but|although|though|however|only|most|some|remaining|rest|other|relevant|related|affected|new|targeted|these|those|unrelated|locally|none|known|almost|nearly)\b|n't\b|\?  # The relevant tests pass
[admits]
(?<!0 )(?<!no )(?<!zero )(?<!without )(?<!previously )(?<!was )(?<!were )\b(?:fail(?:s|ed|ing|ure|ures)?|red|broken|errors?|time[sd]? ?out|blocked|stopped|known issues?|flaky|pre-existing|rejected|denied|unable|couldn'?t|could not|cannot|can'?t)\b(?! (?:before|first|as expected|until))|(?:n['’]t|\bnot|\bnever)(?: \w+){0,2} (?:pass|green|succe)|\b(?P<of>\d{1,5}) ?(?:/|(?:out )?of) ?(?!(?P=of)\b)\d{1,5}(?: \w+){0,2} (?:tests?|pass|green)|(?:pass\w*|success)["']? ?[:=] ?(?:false|no)\b|[❌✗✘🔴]|schl[aä]gt .{0,40}fehl|fehlgeschlagen|scheiter|(?:ist|sind|noch) rot\b|échou|échec|\bfall(?:a|an|ó|ando|aron|ido)\b|\bfalh|пада[ею]|упал|провал|не про(?:ход|ш)|失败|未通过|失敗|通らな|실패  # 2 of them fail
[change]
(?:fix|implement|refactor|rewrite|add|create|build|write|rename|remove|delete|update|improve|change|patch|port|migrate|optimi[sz]e|support|handle|replace|extract|make|move|convert|simplify|bump|integrate|address|resolve|wire|generate|correct|adjust|clean up|set up|repair|solve|modify|edit|introduce|drop|enable|disable|apply|revert|upgrade|continue|proceed|finish|debug|redo)\b  # fix the parser
"""
SWITCHES = ("gates", "tests", "build", "pr")
#: How the prompts of our own model calls begin (prompts/*.txt).
OWN_PROMPTS = ("ACE-REFLECT ", "You are the Reflector. A", "You are the Curator of a coding")


def rows(table: str) -> list[list[str]]:
    """[expression, example] of each row of a table."""
    lines = _TABLES.partition(f"\n[{table}]\n")[2].partition("\n[")[0].strip().split("\n")
    return [line.rsplit("  # ", 1) for line in lines]


@cache
def _compiled(table: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{row})" for row, _ in rows(table)))


def found(table: str, text: str) -> re.Match[str] | None:
    """Where a table row matches in the text."""
    return _compiled(table).search(text.lower())


def starts(table: str, text: str) -> str:
    """What a table row matches at the start of the text."""
    match = _compiled(table).match(text.lower())
    return match[0] if match else ""


_FENCED = re.compile(r"```.*?(?:```|\Z)|<([\w-]{2,40})[^<>\n]*>.*?</\1>|`[^`\n]*`", re.DOTALL)
_POLITE = r"(?i)(?:ok(?:ay)?,? |please |and )?(?:can|could|would|will) you\b"
_QUOTED = re.compile(r"\"[^\"\n]{0,400}\"|“[^”\n]{0,400}”|«[^»\n]{0,400}»|「[^」\n]{0,400}」")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_CLAUSE_END = r"[.!;:,()\n，。；！、—–]+|\s[-+&]\s|\b(?:and|but|und|aber|et|mais|pero|и)\b"
_PASTED = r"(?i)\b(?:issue|e?-?mail|log|error|trace(?:back)?|message|output|ticket|description|report|says|wrote|diff)\b[^\n]{0,30}:\s*$"  # fmt: skip


@lru_cache(maxsize=64)
def plain(text: str) -> str:
    """A text without code, tags, quotations and quoted lines."""
    bare = _QUOTED.sub("“”", _FENCED.sub(" ", text))
    return "\n".join(line for line in bare.split("\n") if not line.lstrip().startswith(">"))


def sentences(text: str) -> list[str]:
    """The sentences of an answer outside code, quotations, headings and tables."""
    said = (each.strip(" \t*_-•") for each in _SENTENCE_END.split(plain(text)))
    return [each for each in said if each and not each.startswith(("#", "|"))]


def clauses(prompt: str) -> list[tuple[str, str]]:
    """(clause, its line) for a prompt's own lines, without questions, polite forms and what was pasted after "the log:"."""
    lines = [line for line in plain(prompt).split("\n") if line.strip()]
    own = lines[: next((at for at, line in enumerate(lines, 1) if re.search(_PASTED, line)), None)]
    own = own if len(own) <= 12 else [*own[:4], *own[-3:]]
    own = [line for line in own if len(line) < 600 and not line.startswith((" ", "\t", "+"))]
    said = [(each, line) for line in own for each in _SENTENCE_END.split(line)]
    told = (row for row in said if row[0].rstrip()[-1:] not in "?？" or re.match(_POLITE, row[0]))
    return [(_bare(part), line) for each, line in told for part in re.split(_CLAUSE_END, each)]


def _bare(clause: str) -> str:
    clause = clause.strip(" \t*_-•>'[]/").lstrip(" 1234567890")
    while filler := starts("filler", clause):
        clause = clause[len(filler) :].lstrip(" ,")
    return clause


@lru_cache(maxsize=1024)
def ordered(prompt: str, what: str) -> tuple[str, ...]:
    """The lines of a prompt that give an order; `what` is the name of its table."""
    named = "pr" if what == "make_pr" else what
    if named in SWITCHES and not found(named, prompt):
        return ()
    said, own = clauses(prompt), [line for line in plain(prompt).split("\n") if line.strip()]
    if what in SWITCHES and (len(own) > 3 or "\n\n" in prompt.strip()):  # the middle may be pasted
        said = [(clause, line) for clause, line in said if line in (own[0], own[-1])]
    given = dict.fromkeys(line for clause, line in said if _is_order(what, clause.lower()))
    return tuple(shortened(line, 100) for line in given)


def _is_order(what: str, clause: str) -> bool:
    """Whether a clause begins with an order. The large tables are compiled only if the gate is named."""
    if what not in SWITCHES:
        return bool(starts(what, clause))
    for named in _compiled(what).finditer(clause):
        before, end = clause[: named.start()], named.end()
        off = any(_compiled("off").fullmatch(each) for each in (before, before.rstrip()) if each)
        if not off and before in ("", "the ", "die "):
            behind = _compiled("off behind").match(clause, end + clause.startswith(" ", end))
            off, end = bool(behind), behind.end() if behind else end
        if off:
            rest = clause[end:].strip(" \t*_”“'")
            return not rest or (not rest.isascii() and len(rest) <= 8) or bool(starts("tail", rest))
    return False


def _ordered_in(turn: Turn, what: str) -> list[str]:
    """The lines of a turn that give an order."""
    return [line for text in turn.typed for line in ordered(text, what)]


def waiver(turns: Sequence[Turn], gate: str, turn: int = 0) -> str:
    """The words that switch a gate off for a turn's work (0: the current one's): of it, later, or for the session."""
    since = turn or turns[-1].number
    for each in reversed(turns):
        now, lines = each.number >= since, _ordered_in(each, gate)
        if held := [line for line in lines if now or found("session", line)]:
            return held[-1]
    return waiver(turns, "gates", turn) if gate != "gates" else ""


def asked(turns: Sequence[Turn], what: str) -> tuple[int, str]:
    """(turn, line) of the session's last order of a kind; (0, "") for none. A short reply to an offer to push orders it."""
    answers = ("", *(turn.final_text for turn in turns))
    for turn, answer in reversed([*zip(turns, answers, strict=False)]):
        offered = what == "push" and len(turn.prompt) <= 60 and "push" in answer[-800:].lower()
        taken = [turn.prompt] if offered and asks_person(answer) else []
        if lines := [*_ordered_in(turn, what), *taken]:
            return turn.number, lines[-1]
    return 0, ""


def asks_person(answer: str) -> str:
    """The question or hand-over in an answer's last paragraphs; "" for none."""
    paragraphs = [sentences(part) for part in plain(answer).split("\n\n") if part.strip()]
    for place, said in enumerate(paragraphs[:-5:-1]):
        asked = [each for each in said if each.endswith(("?", "？"))]
        put = [each for each in asked if place == 0 or each == said[-1]]
        put = [each for each in put if not found("courtesy", each)]
        for each in said if place < 2 and not put else ():
            stuck = found("handover", each) or (found("stuck", each) and found("persons", each))
            put += [each] if stuck else []
        if put:
            return put[-1]
    return ""


def is_persons(item: str) -> bool:
    """Whether an open item is one that only a person can do."""
    return bool(found("persons", item) and found("yours", item))


def claims(answer: str) -> list[tuple[str, int | None, str]]:
    """(what, the number it names, the sentence) for every plain claim; none if the answer mentions failures."""
    short = (each.removeprefix("[x]") for each in sentences(answer) if len(each) < 300)
    said = [each.lstrip("✅✓☑🎉 *:") for each in short]
    hits = [(found("claim", each), each) for each in said]
    plainly = [(hit, each) for hit, each in hits if hit and not found("hedges", each)]
    if not plainly or found("admits", plain(answer)):
        return []
    return [(str(hit.lastgroup), int(hit["count"] or 0) or None, each) for hit, each in plainly]


def asks_for_change(prompt: str) -> bool:
    """Whether a prompt asks for a change, not just an answer."""
    return any(starts("change", clause) for clause, _ in clauses(prompt))
