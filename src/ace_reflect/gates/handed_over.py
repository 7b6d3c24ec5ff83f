"""
Open items of a to-do list that wait for the person: the prompt put them off, the answer goes on at the person's word, or it
says why an item stays open.

Told openly, an item needs no push: the person sees it, and can say more. "Ready for review" alone hands nothing over.
"""

from itertools import pairwise

from ace_reflect import regex as re
from ace_reflect.gates import prose
from ace_reflect.late import Alternatives, Late, folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Todo

#: What the person does first: "once you've had a look", "when you give the word", "say “go”". "When you click it" is of a program.
_THEIR_WORD = Late(
    r"(?i)\b(?:once|until|till|when|after|as soon as|before|if|unless) you(?:'(?:ve|re|d|ll))? (?:(?:have|are|would|both|then|first) ){0,2}(?:had a look|look(?:ed)?\b|read\b|seen\b|see it|review|give\b|given\b|gave\b|say\b|said\b|confirm|approv|decide|agree|happy|fine with|ok\b|okay\b|ready\b|tell me|told me|answer|repl|sign(?:ed)? off|check|pick|choose|chosen)"
    r"|\b(?:just )?say (?:“|go\b|so\b|yes\b|the word\b)|\b(?:at|on|for|with|like|want|need|get|have) your (?:word|go\b|go-ahead|ok\b|okay|nod|verdict|blessing|approval|feedback|review|decision)|\bgive me (?:the|a|your) (?:word|go\b|go-ahead|ok\b|okay|nod)",
    needs=("you|say |give me",),
)
#: What the agent does then, or has stopped before.
_THEN = Late(
    r"(?i)\bi(?:'(?:ll|d|m|ve)| will| would| can| am| have)? (?:then |only |just |now )?(?:go on|continue|carry on|proceed|resume|do\b|start|begin|tackle|move on|pick|convert|touch|hold|wait|stop|pause|held|leave|left|take)"
    r"|\b(?:is|are|comes?|follows?) next\b|\bthe (?:rest|others?|(?:other|remaining) \w+)\b[^.!?;]{0,20}\b(?:waits?|follows?|comes?|stays?|goes)\b|\b(?:hold|stop|paus)\w*\b|\bbefore i\b",
    needs=("i|next|the |hold|stop|paus",),
)
#: Why an item stays open: somebody's word is wanted, it was left so on purpose, or what it needs is not here.
_WHY = Alternatives(
    Late(
        r"(?i)\byour (?:explicit |final |own )?(?:ok|okay|go|go-ahead|word|call|confirmation|approval|decision|sign-?off|input|answer|side|end|(?:[\w-]+ )?team)\b",
        needs=("your ",),
    ),
    Late(
        r"(?i)\b(?:is|are|stays?|remains?) (?:yours|for you|with you|up to you)\b|\byours to\b|\b(?:waits?|waiting) for you\b",
        needs=("yours|for you|with you|up to you",),
    ),
    Late(
        r"(?i)\bsay (?:when|so|the word)\b|\btell me (?:whether|which|what)\b|\bplease (?:confirm|decide|approve|try)\b",
        needs=("say |tell me |please ",),
    ),
    Late(
        r"(?i)\bhow do you want\b|\bnobody has\b|\bhas to (?:be (?:done|approved|decided|signed|confirmed|released) by|decide|approve|confirm|say)\b",
        needs=("how do you want|nobody has|has to ",),
    ),
    Late(
        r"(?i)\bon purpose\b|\bdeliberately\b|\bintentionally\b|\bas (?:you (?:said|asked|wanted)|agreed|discussed)\b",
        needs=("on purpose|deliberately|intentionally|as you |as agreed|as discussed",),
    ),
    Late(
        r"(?i)\byou (?:asked|told|wanted) me to (?:stop|leave|wait|hold|skip|pause)\b",
        needs=(
            "you ",
            " me to ",
        ),
    ),
    Late(
        r"(?i)\b(?:can't|cannot) be undone\b|\brather not do (?:it|this|that) without\b|\bran out of ideas\b|\bcould(?:n't| not) find out\b",
        needs=("be undone|rather not do |ran out of ideas| find out",),
    ),
    Late(
        r"(?i)\bi (?:do not|don't|did not|didn't) have\b(?! (?:\w+ )?(?:context|time|room|budget|tokens|space)\b)|\bi have (?:no (?:access|way)\b|none\b)|\bi(?:'ve)? (?:only )?(?:have|got) (?:only )?[\w-]+ here\b",
        needs=(
            "i",
            "have|got",
        ),
    ),
    Late(
        r"(?i)\bi(?:'d| would) need access\b|\bwhich i (?:can't|cannot|don't|do not)\b",
        needs=("need access|which i ",),
    ),
    Late(
        r"(?i)\bi (?:can't|cannot|can not|couldn't|could not) (?:reach|access|get at|get to|log in|sign in)\b|\bi (?:can't|cannot|can not|couldn't|could not)\b[^.!?]{0,60}\b(?:from )?(?:here|this (?:machine|box|sandbox|environment|container))\b",
        needs=("i c", "reach|access|get at|get to|log in|sign in|here|this "),
    ),
    Late(
        r"(?i)\b(?:no|without) access to\b",
        needs=("no access to|without access to",),
    ),
    Late(
        r"(?i)\bthere(?:'s| is| are) (?:none|no [\w-]+(?: [\w-]+)?) here\b|\b(?:is|are)(?:n't| not) (?:available|reachable|installed|connected|set up) (?:here|on this machine|in this (?:sandbox|environment|container))\b",
        needs=(
            "there|n't|not",
            "here|on this machine|in this ",
        ),
    ),
    Late(
        r"(?i)\b(?:needs?|requires?|asks? for|behind) (?:the |an? )?(?:vpn|sso|2fa|mfa|admin rights?|production (?:access|data)|prod access)\b",
        needs=("vpn|sso|2fa|mfa|admin right|production |prod access",),
    ),
)
#: What the prompt puts off: "the writer comes tomorrow", "don't touch the writer yet", "ping me before you start the writer".
_PUT_OFF = Alternatives(
    Late(
        r"(?i)\b(?:comes?|follows?|is|are|do|for) (?:later|tomorrow|next (?:week|time|month|sprint|session))\b",
        needs=("later|tomorrow|next ",),
    ),
    Late(
        r"(?i)\b(?:tomorrow|next (?:week|time|month|sprint|session)|another (?:day|time|pr|session))\W*$",
        needs=("tomorrow|next |another ",),
    ),
    Late(
        r"(?i)\bgets? (?:its|their) own\b",
        needs=("its own|their own",),
    ),
    Late(
        r"(?i)(?:\bnot|n't|n’t)\b[^.;!?]{0,60}\b(?:yet|for (?:now|today)|today|(?:for|in) this (?:pr|session))\b",
        needs=(
            "not|n't|n’t",
            "yet|for now|today|for this |in this ",
        ),
    ),
    Late(
        r"(?i)\bleave\b[^.;!?]{0,60}\b(?:for (?:now|later|another|tomorrow)|alone|out)\b|\bhold off\b",
        needs=("leave|hold off",),
    ),
    Late(
        r"(?i)\b(?:ping|show|tell|ask|call|check with|wait for) me\b[^.;!?]{0,60}\bbefore\b|\breport back\b[^.;!?]{0,40}\bbefore\b",
        needs=(
            "me|report back",
            "before",
        ),
    ),
)
_SMALL = frozenset(
    ["with", "that", "this", "from", "into", "about", "over", "them", "their", "when", "then", "also", "some"]
)


def put_off(todo: "Todo", prompt: str) -> bool:
    """Whether a clause of the prompt names the item and puts it off."""
    clauses = re.split(r"[.,;:!?\n]|\band\b", folded(prompt)) if _PUT_OFF.search(prompt) else []
    return any(_PUT_OFF.search(each) and _names(todo.text, each) for each in clauses)


def waits_for_word(answer: str) -> bool:
    """Whether one of its last sentences says that the rest comes at the person's word: "I'll go on once you've looked"."""
    said = prose.sentences(prose.plain(answer)[-900:])[-3:]
    return any(_THEIR_WORD.search(each.text) and _THEN.search(each.text) for each in said)


def says_why(todos: "list[Todo]", answer: str) -> bool:
    """Whether for each item a sentence names it, and that one or the next says why: "The benchmark is open. I don't have a phone"."""
    said = [folded(each) for each in _sentences(answer)]
    with_reason = [each for each, behind in pairwise((*said, "")) if _WHY.search(each) or _WHY.search(behind)]
    return bool(with_reason) and all(any(_names(todo.text, each) for each in with_reason) for todo in todos)


def _sentences(answer: str) -> list[str]:
    lines = prose.plain(answer).split("\n")
    return [part for line in lines for part in re.split(r"(?<=[.!?])\s+", line)]


def _names(item: str, said: str) -> bool:
    """Whether a sentence has half the words of an item or more; what stands in brackets only explains it."""
    words = set(re.findall(r"[^\W\d_]{4,}", folded(re.sub(r"\([^()]*\)", " ", item)))) - _SMALL
    met = sum(word[: min(6, max(4, len(word) - 1))] in said for word in words)  # "rotate", "rotating"
    return 0 < len(words) <= 2 * met
