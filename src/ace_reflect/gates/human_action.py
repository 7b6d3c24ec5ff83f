"""
Which open items only a person can do, told by the action and its object.

"Approve the OAuth consent screen" and "plug in the device" are a person's; "handle sign-in errors", "token refresh
logic" and "run the tests" are the agent's, whatever words they share.
"""

import re

from ace_reflect.gates import prose
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

#: What only a person holds or can reach.
_THEIRS = (
    r"oauth|consent|2fa|mfa|two-?factor|captcha|\botps?\b|one-?time (?:code|password)|verification code|pass(?:word|phrase|code)s?|api[ -]?keys?|access keys?|secrets?|credentials?|(?:access |auth |bearer |session |personal access )?tokens?|session cookies?"
    r"|dashboard|console|account|billing|payment|credit card|subscription|licen[cs]e|permission|consent|access request|invitation|invite|device|phone|iphone|ipad|android|simulator|emulator|hardware|usb|cable|headset|printer|board|sensor"
    r"|1password|keychain|touch ?id|face ?id|yubikey|security key|ssh[ -]agent|gpg|signing (?:key|agent)|browser|popup|dialog|prompt|screen|settings page|app store|play store|dns|domain|registrar|merchant|legal|approval|sign-?off|business decision|vpn|machine|laptop|computer|github (?:settings|ui)"
)
_HUMAN_VERB = (
    r"approve|authori[sz]e|consent|allow|accept|agree|sign(?: |-)?in(?:to)?|log(?: |-)?in(?:to)?|log into|enter|provide|supply|paste|send me|give me|share|plug(?: in)?|unplug|attach|connect|unlock|tap|touch|scan|press|click|rotate|revoke|grant|invite|pay|purchase|buy|subscribe|top up"
    r"|obtain|get|request|create|register|renew|enable|configure|set|add|open|visit|go to|confirm|verify|complete|solve|restart|reboot|insert|pair|authenticate|upload|install|set up|sign up|whitelist|allowlist"
)
#: Alone they are a person's only together with `_THEIRS`; these need no object.
_ALWAYS_HUMAN = Late(
    r"(?i)\b(?:approve|merge and approve|sign off on)\b(?!.*\b(?:logic|flow|handler|endpoint|code|function|button|workflow file)\b)"
    r"|\b(?:plug|unplug)\b.{0,20}\bdevice\b|\bsolve the captcha\b|\bscan (?:the )?qr\b|\b(?:manually|physically)\s+(?:test|verify|check|press|connect)\b|\btouch id\b|\bon (?:your|a real|a physical) (?:device|phone|machine|iphone)\b"
    r"|\byour (?:approval|decision|review|confirmation|permission|input|choice|sign-?off)\b",
    needs=(
        "approve|device|machine|manually|phone|physically|scan qr|scan the qr|sign off on|solve the captcha|touch id|your approval|your choice|your confirmation|your decision|your input|your permission|your review|your sign-off|your signoff",
    ),
)
#: Nouns that make the object program text: "sign-in errors", "token refresh logic", "upload endpoint".
_PROGRAM = Late(
    r"(?i)\b(?:errors?|logic|handling|handlers?|endpoints?|functions?|methods?|class(?:es)?|tests?|code|modules?|components?|middleware|validation|flows?|pages? (?:component|layout|styles?)|forms?|schemas?|migrations?|refresh|parser|parsing|cache|caching|support|implementation|types?|scripts?|docs?|documentation|readme|branch|lint\w*|format\w*|builds?|ci\b|commits?|pull requests?|prs?|files?|imports?|dependenc(?:y|ies)|storage layer|routes?|screen component|rotation (?:logic|job|script)|edge cases?|bugs?)\b"
)
_AGENT_VERB = Late(
    r"(?i)^\W*(?:then |also |next,? |finally,? )?(?:run|re-?run|test|build|compile|lint|format|commit|push|merge main|rebase|check ci|verify (?:ci|the tests|tests|that)|fix|implement|add|write|edit|update|refactor|remove|delete|rename|handle|create|open (?:a |the )?(?:pr|pull request)|document|extract|move|replace|support|investigate|debug|capture|record|screenshot|clean up|wire|integrate|migrate|cover|improve|bump|install (?:the )?(?:dependencies|packages|deps))\b",
    needs=(
        "add|build|bump|capture|check ci|clean up|commit|compile|cover|create|debug|delete|dependencies|deps|document|edit|extract|fix|format|handle|implement|improve|integrate|investigate|lint|merge main|migrate|move|open a pr|open a pull request|open pr|open pull request|open the pr|open the pull request|packages|push|rebase|record|refactor|rename|replace|run|screenshot|support|test|update|verify ci|verify that|wire|write",
    ),
)


def classify(item: str) -> 'Literal["human", "agent", "unclear"]':
    """Who can do an item."""
    text = item.strip().strip("-*•[] \t.").replace("’", "'")
    text = re.sub(r"(?i)\b(2fa|mfa|otp|one-time|verification|security|sms|qr|pairing|invite) codes?\b", "otp", text)
    if not text:
        return "unclear"
    theirs = re.search(rf"(?i)\b(?:{_THEIRS})\b", text)
    acts = re.search(rf"(?i)\b(?:{_HUMAN_VERB})\b", text)
    program = _PROGRAM.search(_THEIRS_STRIPPED.sub(" ", text))
    if _ALWAYS_HUMAN.search(text):
        return "human"
    if theirs and acts and acts.start() <= theirs.start() and not _is_program(text, theirs.end()):
        strong = re.match(
            r"(?i)\W*(?:please |you (?:need|have|must|should|will need) (?:to )?|then |first,? )?(?:add|create|set|configure|install|enable|update|open|verify|get|complete)\b",
            text,
        )
        return "human" if not program or not strong else "agent"
    if _AGENT_VERB.match(text) or program:
        return "agent"
    return "unclear"


_THEIRS_STRIPPED = Late(
    r"(?i)\b(?:access request|security key|signing key)\b", needs=("access request|security key|signing key",)
)


def _is_program(text: str, end: int) -> bool:
    """Whether the object goes on as a name of program text: "token *refresh logic*", "OAuth *handler*"."""
    tail = text[end : end + 40]
    return (
        _PROGRAM.match(tail.lstrip(" -")) is not None
        or re.match(r"(?i)[\s-]+\w+\s+(?:logic|handling|errors?|endpoints?|flow|tests?|handler|code)\b", tail)
        is not None
    )


_NEEDS_YOU = Late(
    r"(?i)\b(?:you(?:'ll| will| may| might)? (?:need|have|must|should) to|you must|please|i need you to|needs? you to|requires? (?:you|your|manual|a human)|only you can|waiting (?:for|on) you(?:r)?|once you(?:'ve| have)?|after you|until you|can't (?:proceed|continue) without|blocked (?:on|by|until)|manual(?:ly)?(?: step)?:?)\b",
    needs=(
        "after you|blocked by|blocked on|blocked until|can't continue without|can't proceed without|have|manual|must|need|once you|only you can|please|require a human|require you|requires a human|requires you|should|until you|waiting for you|waiting on you",
    ),
)


def asked_of_person(answer: str) -> tuple[str, ...]:
    """The sentences of an answer that ask the person for what only a person can do."""
    tail = prose.plain(answer)[-3000:]
    found = []
    for sentence in prose.sentences(tail):
        match = _NEEDS_YOU.search(sentence.text)
        if (
            match
            and classify(sentence.text[match.end() :] if len(sentence.text) - match.end() > 8 else sentence.text)
            == "human"
        ):
            found.append(prose.shortened(sentence.text, 160))
    return tuple(dict.fromkeys(found))
