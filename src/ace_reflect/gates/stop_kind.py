"""How the last answer presents itself: finished, waiting for the person, still at work, stuck, or none of these."""

from ace_reflect import regex as re
from ace_reflect.gates import foreign_answers, human_action, prose
from ace_reflect.gates.done import done_sentence, says_done
from ace_reflect.gates.model import StopKind
from ace_reflect.late import DIGITS, Late, Scripts

_BETWEEN = Scripts(
    r"(?<=[.!?。！？])\s+(?=[\w×\"“`(¿¡])|(?<=[。！？])(?=\w)", r"(?<=[.!?])\s+(?=[\w\"`(])"
)  # two sentences
_COURTESY = Late(
    r"(?i)\b(?:anything else|any (?:other )?(?:questions|changes|adjustments|feedback|concerns|issues)|let me know (?:if|how (?:it|that|this))|how (?:does|do) (?:that|this|it|these) (?:look|sound|feel)|(?:is|was) (?:that|this|there) (?:what you (?:had in mind|wanted|meant)|clear|helpful|anything)|does (?:that|this) help|make sense|happy to|feel free|(?:tell me|say so|say the word) if you(?:'d| would)? (?:like|want|need|prefer)(?![^.!?]{0,120}\bor))\b",
    needs=(
        "adjustments|anything|changes|clear|concerns|does that help|does this help|feedback|feel|happy to|helpful|issues|let me know how it|let me know how that|let me know how this|let me know if|look|make sense|questions|say so if|say the word if|sound|tell me if|what you had in mind|what you meant|what you wanted",
    ),
)
_OFFER = Late(
    r"(?i)\b(?:(?:would|do) you (?:like|want)(?: for)? me to|want me to|should i(?: also| now| go ahead and)?|shall i(?: also| now| go ahead and)?|ready (?:to|for)|may i|can i|would you like to|do you want to|would you like|möchtest du|soll ich|veux-tu que je|quieres que)\b",
    needs=(
        "can i|like|may i|möchtest du|quieres que|ready for|ready to|shall i|should i|soll ich|veux-tu que je|want",
    ),
)
_HANDS_OVER = Late(
    r"(?i)\b(?:could|can|would|will) you (?:please )?(?:re-?)?(?:run|execute)\b",
    needs=("could you|can you|would you|will you",),
)
#: What the agent has no hold of.
_ON_THEIRS = Late(
    r"(?i)\b(?:on|with|in|against) (?:your|the (?:real|physical|staging|production)|a (?:real|physical|mac|windows)|macos|windows)\b",
    needs=("on |with |in |against ",),
)
_TO_VERIFY = Late(
    r"(?i)\b(?:run|execute|verify with|check with)\b.{0,30}\b(?:(?:py|vi|c)?tests?|jest|rspec|phpunit|suite|specs|build|lint|type ?check)\b",
    needs=("run|execute|verify with|check with", "test|jest|rspec|phpunit|suite|specs|build|lint|type"),
)
_WAITING = Late(
    r"(?i)\b(?:(?:i'?m |i am )?(?:waiting|await(?:ing)?|standing by|on hold)\b.{0,20}\b(?:you|your|input|approval|confirmation|instructions?|feedback|decision|answer|response|go-ahead)|please (?:confirm|choose|decide|advise|clarify|specify|select|pick|tell me|let me know (?:which|what|how|whether|when|your))"
    r"|let me know (?:which|what|how you|whether|when|where|your|once|your preference|if you(?:'d| would)? (?:like|want|prefer)\b.{0,60}\bor\b)|(?:which|what) (?:one|option|approach|version|would you|do you|should)\b|tell me (?:which|what|how|when|if)|once (?:you(?:'ve| have)?|i(?: have|'ve got|'ve received)) .{3,60}\b(?:i(?:'ll| will| can)|we can)|need your (?:input|decision|approval|guidance|help|confirmation)|over to you|your call|up to you|awaiting)\b",
    needs=(
        "approach|await|do you|let me know |need your approval|need your confirmation|need your decision|need your guidance|need your help|need your input|on hold|once you |once you've |once i have|once i've |one|option|over to you|please advise|please choose|please clarify|please confirm|please decide|please pick|please select|please specify|please tell me|should|standing by|tell me how|tell me if|tell me what|tell me when|tell me which|up to you|version|waiting|would you|your call",
    ),
)
_WORKING = Late(
    r"(?i)^(?:(?:ok(?:ay)?|great|good|perfect|alright|now|next|so|and|then|first|finally|excellent|right|sure)[,.!:]?\s+)*(?:let me|let's|i'?ll|i will|i'?m going to|i am going to|i'?m (?:now )?(?:running|checking|updating|fixing|adding|creating|starting|working)|now (?:i|let|running|checking|updating|fixing|adding)|next,? i|i need to|i should|i also need|time to|(?:running|checking)(?![^.!?\n]{0,60}\b(?:was|were|is|takes?|took|needs?|requires?|would|fail\w*|showed|shows)\b))\b(?! know\b)",
    needs=(
        "adding|checking|creating|fixing|i also need|i am going to|i need to|i should|i'll|i'm going to|ill|im going to|let me|let's|next i|next, i|now i|now let|running|starting|time to|updating|working",
    ),
)
#: A step that comes now: with the turn at its end it is announced, even behind a report of finished work.
_COMES_NOW = Late(
    r"(?i)\b(?:i'?ll|i will|i'?m going to|let me)\s+(?!be\b)(?:(?!\b(?:what|where|which|you)|[.!?;:]\s).){2,120}(?<!\bfor )\b(?:now|right away)[.!]*$"
    r"|^(?:(?:and|so|ok(?:ay)?|great|good|perfect|excellent)[,.!]?\s+)?now,?\s+(?:let me|i'?ll|i will|i'?m going to)\b"
    r"|(?:^let me (?:now |also |just |quickly )?|(?:^|[,;–—]\s+(?:and |so )?)(?:i'?ll|i will|i'?m going to|i am going to) now )(?:run|re-?run|(?:double-)?check(?! with you)|verify|confirm|update|fix|add|create|test|write|commit|push|build|clean up|continue|proceed|start|implement|complete|finish|submit|apply|address|handle|remove|refactor|wire|install|set up|move on|do (?:the|that|this|it|so)\b|open (?:the|a)\b|look (?:at|into))\b",
    needs=("ll|will|going to|let me", "now|right away|let me"),
)
#: Work that comes next: it is not done, and it may be for another turn.
_COMES_NEXT = Late(
    r"(?i)\b(?:i'?ll|i will|i'?m going to)\s+(?!be\b)(?:(?!\b(?:what|where|which|you)|[.!?;:]\s).){2,120}\b(?:next|in the next (?:step|pass|turn|message))[.!]*$"
    r"|^next,?\s+(?:let me|i'?ll|i will|i'?m going to)\b"
    r"|\b(?:the (?:rest|others?)|the remaining\b.{1,20}|die (?:restlichen|übrigen|anderen)\b.{0,20})\s+(?:will )?(?:follows?|comes? next|folg(?:t|en))\b",
    needs=("next|follow|folg",),
)
#: A step for later, on a condition, or not to be taken at all.
_NOT_NOW = Late(
    r"(?i)\b(?:once|when(?:ever)?|after|if|unless|until) (?:you|i|the|that|this|it|they|we)\b|\bif you\b|\bwait(?:ing)?\b|\bhelp\b|\bnext time\b|\bfrom now on\b|\bin (?:the )?future\b|\b(?:every|each|any) (?:future|time|new|next)\b|\bgoing forward\b|\bavoid\b|\bremember\b|\bkeep\b|\bnot\b|n't\b"
    r"|\b(?:let me|let's|i'?ll|i will|i'?m going to|i am going to)\s+(?:\w+ly\s+|just\s+|then\s+|also\s+)?(?:leave|stop (?:here|there|at|now|for)|pause|skip|hold off|assume|treat|stay|stick|rest|refrain|defer|hand (?:it|this|that)|call it|consider (?:this|it|that))\b"
    r"|\b(?:summari[sz]e|recap|sum up|explain|clarify|be (?:clear|honest|brief)|note|repeat)\b[^:\n]{0,60}:\s*\S",  # it follows at once
    needs=(
        "summarise|summarize|recap|sum up|explain|clarify|be clear|be honest|be brief|note|repeat|assume|call it|consider |defer|hand |hold off|leave|pause|refrain|rest|skip|stay|stick|stop |treat|after i|after that|after the|after this|after we|after you|any|avoid|each|every|from now on|going forward|help|if i|if that|if the|if this|if we|if you|in future|in the future|keep|n't|next time|not|once i|once that|once the|once this|once we|once you|remember|unless i|unless that|unless the|unless this|unless we|unless you|until i|until that|until the|until this|until we|until you|wait|when i|when that|when the|when this|when we|when you|when it|when they|whenever ",
    ),
)
_IN_BACKGROUND = Late(
    r"(?i)\b(?:(?:is|are|still) (?:now |still |currently )?running|running in (?:the )?background|in the background|waiting (?:for|on) (?!you\b|your\b|me\b)|dispatched|i'?ll (?:be notified|wait|check back|report back|continue (?:when|once|after)|let you know (?:when|once)))\b",
    needs=(
        "are currently running|are now running|are running|be notified|check back|continue after|continue once|continue when|dispatched|in the background|is currently running|is now running|is running|let you know once|let you know when|report back|running in background|still currently running|still now running|still running|wait",
    ),
)
#: What is up and serves is no work that goes on ("the dev server is running at http://localhost:5173"), nor is CI.
_SERVES = Late(
    r"(?i)\b(?:server|app|site|storybook|preview|api|frontend|backend|container)s?\b[^.!?\n]{0,20}\b(?:is|are)\b[^.!?\n]{0,20}\brunning\b(?:[^!?\n]{0,40}(?:://|\blocalhost\b|\bport \d)|(?<=server is running)| in the background[.!]*$)"
    r"|^(?!.{0,300}\bwait).{0,80}\b(?:ci|pipelines?|workflows?|actions|checks)\b[^.!?\n]{0,20}\b(?:is|are)\b[^.!?\n]{0,12}\brunning\b",
    needs=(
        "server|app|site|storybook|preview|api|frontend|backend|container|ci|pipeline|workflow|action|checks",
        "running",
    ),
)
#: Others are at work, and the agent comes back to it by itself.
_AWAITS = Late(
    r"(?i)^\W*(?:(?:still|now|ok|noted|ack|got it|so|and)\W+)*(?:waiting (?:for|on) (?!you\b|your\b|me\b|the user)|(?:continuing|continue|going) to wait\b)|\bcontinuing to wait\b|^\W*ack\b(?!nowledg)|\bmore (?:incoming|to come)\b|\b(?:will|i'?ll) (?:report|review|verify|continue|resume|follow up|check|go on|proceed|chain|merge)\b[^.!?\n]{0,70}\b(?:once|when|as soon as)\b(?! you\b)",
    needs=("waiting |to wait|ack|more incoming|more to come|once|when|as soon as",),
)
#: A numbered part of the work that others are at: "T3 running on another model", "Phase 2 (docs) is still in progress".
_PART_RUNS = Late(
    r"(?i)\b(?:t[0-9]{1,3}|(?:task|step|phase|batch|part|wave|agent|stage|milestone) #?[0-9]{1,3})(?: \([^()\n]{1,60}\))? (?:(?:is|are|now|still|currently) ){0,2}(?:running|in progress|under ?way|in flight)\b(?! (?:in \d|at|fine|green|well|smoothly|correctly|without)\b)",
    needs=("running|in progress|underway|under way|in flight", DIGITS),
)
#: The same of a job that was said to be in the background: "I'll summarize the metrics when it's done".
_COMES_BACK = Late(
    r"(?i)\b(?:i'?ll|i will) [^.!?\n]{2,70} (?:once|when|as soon as) (?:it|that|this|they|the \w{2,20})(?:'s|'re| is| are| has| have)? (?:done|finish\w*|complet\w*|ready)\b",
    needs=("i'll|ill|i will", "once|when|as soon as", "done|finish|complet|ready"),
)
#: "I looked at the code. Now I'll fix it": the look is not the work.
_LOOKED = Late(
    r"(?i)\bi(?:'ve| have)? (?:now |also |just |already )?(?:looked|checked|reviewed|analy[sz]ed|investigated|examined|explored|inspected|searched|identified|located|traced|reproduced|read|understood|gathered|found)\b",
    needs=(
        "looked|checked|reviewed|analysed|analyzed|investigated|examined|explored|inspected|searched|identified|located|traced|reproduced|read|understood|gathered|found",
    ),
)
_STUCK = Late(
    r"(?i)\b(?:i(?:'m| am) (?:stuck|blocked|unable to (?:proceed|continue|make|complete|finish|resolve|fix|figure))|i (?:can'?t|cannot|could not|couldn't|wasn't able to|was unable to) (?:proceed|continue|figure|resolve|complete|finish|fix|solve|make)|(?:is|are|remains?) blocked (?:by|on)|can'?t go (?:any )?further|giving up|out of ideas)\b",
    needs=(
        "blocked|can't|cannot|cant|could not|couldn't|giving up|out of ideas|stuck|unable to complete|unable to continue|unable to figure|unable to finish|unable to fix|unable to make|unable to proceed|unable to resolve|was unable to|wasn't able to",
    ),
)
#: An answer that begins with it is about it, however long its reasons are.
_STUCK_FIRST = Late(r"(?i)\W*i(?:'m| am) (?:stuck|blocked)\b", needs=("stuck|blocked",))

_ITEM = Late(r"(?:[-*•+]|\d{1,2}[.)])\s+\S")
_NEXT_STEPS = Late(
    r"(?i)^\W*(?:my |the )?(?:next steps?|remaining (?:steps|work|tasks))(?: are| is)?\W*$",
    needs=("next step|remaining",),
)
_OPTIONAL = Late(
    r"(?i)\b(?:you|your|optional(?:ly)?|later|consider|could|might|if (?:needed|wanted|desired)|future|nice to have)\b",
    needs=("you|optional|later|consider|could|might|if |future|nice",),
)

_ALL_BUT = Late(
    r"(?i)\b(?:every ?thing|all|all the) (?:else|other \w+)\b|\bthe rest\b|\b(?:apart from|other than|except for) (?:that|this)\b|\botherwise\b",
    needs=("else|other|rest|apart from|except for",),
)


def read_kind(answer: str) -> StopKind:
    """The stop's kind by rule; UNCLEAR where none speaks."""
    text = prose.plain(answer).strip()
    if not text:
        return StopKind.UNCLEAR
    last = last_sentence(text)
    if asks_decision(text):
        return StopKind.WAITING_FOR_USER
    if (
        announces_step(text)
        or goes_on(text)
        or (_IN_BACKGROUND.search(last) and not _SERVES.search(last))
        or any(_AWAITS.search(each) or _PART_RUNS.search(each) for each in _last_sentences(text, 4))
        or (_COMES_BACK.search(last) and _IN_BACKGROUND.search(text))
    ):
        return StopKind.WORKING
    if _WAITING.search(_tail(text)) and not _COURTESY.search(last):
        return StopKind.WAITING_FOR_USER
    if _STUCK.search(_tail(text)) or _STUCK_FIRST.match(text) or foreign_answers.is_stuck(_tail(text)):
        return StopKind.WAITING_FOR_USER if human_action.asked_of_person(text) else StopKind.GENUINELY_STUCK
    asked = human_action.asked_of_person(_tail(text)) or human_action.listed_for_person(text)
    if asked and (human_action.task_waits(text) or not _done_for_good(text[:400])):
        return StopKind.WAITING_FOR_USER
    if _only_next_steps(text):
        return StopKind.GENUINELY_STUCK
    return StopKind.COMPLETE if says_done(text) else StopKind.UNCLEAR


def _only_next_steps(text: str) -> bool:
    """
    Whether the answer lists next steps of its own, ends there, and tells of nothing before them but a look around. Behind
    a report on work such a list is a wish.
    """
    if not _NEXT_STEPS.may_match(text):
        return False
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    listed: list[str] = []
    while lines and _ITEM.match(lines[-1]):
        listed.append(lines.pop())
    if not lines or not _NEXT_STEPS.match(lines.pop()) or any(map(_OPTIONAL.search, listed)):
        return False
    return all(line.startswith("#") or _LOOKED.search(line) for line in lines)


def _done_for_good(text: str) -> bool:
    """Whether a text says that the work is done, and not only what is left beside a step that waits: "all else is done"."""
    done = done_sentence(text)
    return bool(done) and _ALL_BUT.search(done) is None


def asks_decision(text: str) -> bool:
    """Whether the answer ends on a question that the person has to decide, and not on a courtesy or an offer after finished work."""
    said = _last_sentences(text, 4)
    questions = [sentence for sentence in said if sentence.rstrip(" *_)\"'”").endswith(("?", "？"))]
    if all(_COURTESY.search(question) for question in questions):
        return False
    if _OFFER.search(questions[-1]) and says_done(text) and _offers_more(questions[-1]):
        return False
    return questions[-1] in said[-2:]


def _offers_more(question: str) -> bool:
    """An offer to go on with something else: it does not keep the work behind it from being judged."""
    return (
        re.search(
            r"(?i)\b(?:commit|push|pr\b|pull request|also|anything|another|next|merge|continue with|move on|proceed (?:to|with) (?:the )?(?:next|phase|step|commit)|add (?:tests|docs)|write (?:tests|docs)|run (?:the )?(?:tests?|build|suite|lint)|test (?:it|this|the)|the same|likewise|similar(?:ly)?|as well)\b",
            question,
        )
        is not None
        and re.search(r"(?i)\b(?:or\b.{2,60}\?|which|instead|option [ab1-3]|prefer)", question) is None
    )


def offers_to_verify(text: str) -> bool:
    """Whether a question at the end offers to run the tests or the build, or asks the person to, instead of running them."""
    return any(
        sentence.endswith(("?", "？"))
        and ((_TO_VERIFY.search(sentence) and _offers_or_asks(sentence)) or foreign_answers.offers_to_run(sentence))
        for sentence in _last_sentences(text, 4)
    )


def _offers_or_asks(question: str) -> bool:
    return bool(_OFFER.search(question) or (_HANDS_OVER.search(question) and not _ON_THEIRS.search(question)))


def announces_step(text: str) -> bool:
    """Whether the answer ends by announcing the agent's own next step, with nothing after it."""
    last = last_sentence(text)
    if foreign_answers.announces(last):
        return True
    if _COURTESY.search(last) or last.rstrip().endswith("?"):
        return False
    if _COMES_NOW.search(last) and " … " not in last:  # a text that was cut in the middle
        return _NOT_NOW.search(last) is None
    if not _WORKING.match(last):
        return False
    if says_done(_LOOKED.sub("", text)) and not last.rstrip().endswith((":", "…", "...")):
        return False
    return _NOT_NOW.search(last) is None


def goes_on(text: str) -> bool:
    """Whether the answer ends by telling which part of the work comes next, perhaps in another turn."""
    last = last_sentence(text)
    if last.rstrip().endswith(("?", "？")) or _COURTESY.search(last):
        return False
    clause = re.split(r"[:;–—]\s", last)[-1]
    return (_COMES_NEXT.search(clause) is not None and not _NOT_NOW.search(clause)) or foreign_answers.goes_on(last)


def last_sentence(text: str) -> str:
    """The last sentence of the last line that holds words, without list marks."""
    found = _last_sentences(text, 1)
    return found[-1] if found else ""


def _last_sentences(text: str, count: int) -> list[str]:
    lines = [line.strip().lstrip("#>*-• \t").rstrip("*_` ") for line in text.split("\n")]
    lines = [line for line in lines if re.search(r"\w", line)][-count:]
    parts: list[str] = []
    for line in lines:
        parts += [part.strip() for part in _BETWEEN.of(line).split(line) if re.search(r"\w", part)]
    return parts[-count:]


def _tail(text: str) -> str:
    return " ".join(_last_sentences(text, 3))[-600:]
