"""
Which open items only a person can do, told by the action and its object.

"Approve the OAuth consent screen" and "plug in the device" are a person's; "handle sign-in errors", "token refresh
logic" and "run the tests" are the agent's, whatever words they share.
"""

from ace_reflect import regex as re
from ace_reflect.gates import prose
from ace_reflect.late import Alternatives, Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

#: What only a person holds or can reach.
_THEIRS = (
    r"oauth|consent|2fa|mfa|two-?factor|captcha|\botps?\b|one-?time (?:code|password)|verification code|pass(?:word|phrase|code)s?|api[ -]?keys?|(?:access|aws|gcp|azure|stripe|openai|private|ssh|leaked) keys?|secrets?|credentials?|(?:access |auth |bearer |session |personal access )?tokens?|session cookies?"
    r"|dashboard|console|account|billing|payment|credit card|subscription|licen[cs]e|permission|consent|access request|invitation|invite|device|phone|iphone|ipad|android|simulator|emulator|hardware|usb|cable|headset|printer|board|sensor"
    r"|1password|keychain|touch ?id|face ?id|yubikey|security key|ssh[ -]agent|gpg|signing (?:key|agent)|browser|popup|dialog|prompt|screen|settings page|app store|play store|dns|domain|registrar|merchant|legal|approval|sign-?off|business decision|vpn|machine|laptop|computer|github (?:settings|ui)"
)
_HUMAN_VERB = (
    r"approve|authori[sz]e|consent|allow|accept|agree|sign(?: |-)?in(?:to)?|log(?: |-)?in(?:to)?|log into|enter|provide|supply|paste|send me|give me|share|plug(?: in)?|unplug|attach|connect|unlock|tap|touch|scan|press|click|rotate|revoke|grant|invite|pay|purchase|buy|subscribe|top up"
    r"|obtain|get|request|create|register|renew|enable|configure|set|add|open|visit|go to|confirm|verify|complete|solve|restart|reboot|insert|authenticate|upload|install|set up|sign up|whitelist|allowlist"
    r"|generate (?=(?:an? |the |your )?(?:new |fine-grained |classic ){0,2}personal access)"
)
_THEIR_THING = Late(
    rf"(?i)\b(?:{_THEIRS})\b",
    needs=(
        "oauth|consent|2fa|mfa|factor|captcha|otp|code|password|passphrase|key|secret|credential|token|cookie|dashboard|console|account|billing|payment|card|subscription|license|licence|permission|access request|invit|device|phone|ipad|android|simulator|emulator|hardware|usb|cable|headset|printer|board|sensor|1password|touch id|touchid|face id|faceid|agent|gpg|browser|popup|dialog|prompt|screen|settings|app store|play store|dns|domain|registrar|merchant|legal|approval|sign-off|signoff|decision|vpn|machine|laptop|computer|github ui",
    ),
)
_CODE_SENT = Late(
    r"(?i)\b(2fa|mfa|otp|one-time|verification|security|sms|qr|pairing|invite) codes?\b",
    needs=("2fa|mfa|otp|one-time|verification|security|sms|qr|pairing|invite", " code"),
)
#: What can only be touched.
_HARD = r"(?:st-?link|jtag|arduino|esp-?(?:32|8266)|raspberry pi|usb(?: \w+)?|dongles?|cables?|probes?|sd[ -]?cards?|sim[ -]?cards?|batter(?:y|ies)|power (?:supply|strip|button|cord)|(?:reset|boot|power|pairing) button|robot arm|yubi-?key|security key|test rig|headphones|headset)"
#: What can also be a name in a program.
_SOFT = r"(?:boards?|devices?|adapters?|phones?|iphones?|ipads?|tablets?|android|printers?|scanners?|cameras?|microphones?|monitors?|keyboards?|paper|routers?|modems?|sensors?|motors?|drones?|hardware|laptops?|(?:server|machine|box) in the (?:data cent(?:er|re)|rack|office))"
_GRASPS = r"(?:plug|unplug|reseat|power[- ]?cycle|attach|insert|swap|press|hold|turn on|turn off|switch on|switch off|power (?:on|off|up)|charge|hook up|unlock|pair|tap|touch|flip|shake|hand me|load paper|reboot|connect|reconnect)"
_MOVES = r"(?:move|put|place|push|load|reset|remove|replace|disconnect|point|wake|restart|boot)"
_BETWEEN = r"(?:\s+(?!and\b|then\b|or\b|for\b|when\b|where\b|if\b)[\w'-]+){0,5}?\s+"
#: The thing itself, and not the first part of a program's name: "the device table".
_ITSELF = r"(?=\s*(?:$|[.,;:!?)–—-]|(?:and|then|to|into|in|on|over|via|with|again|now|so|while|before|after|until|first|please|off|back|by|at|from|once|if|when|or|near|under)\b))"
_TOUCHES = Late(
    rf"(?i)\b(?:{_GRASPS}{_BETWEEN}(?:{_HARD}|{_SOFT})|{_MOVES}{_BETWEEN}{_HARD}|put (?:the|your) (?:phone|device|tablet|board) in(?:to)?|load paper){_ITSELF}",
    needs=(
        "st-link|stlink|jtag|arduino|esp|raspberry pi|usb|dongle|cable|probe|card|batter|power|button|robot arm|key|rig|headphones|headset|board|device|adapter|phone|ipad|tablet|android|printer|scanner|camera|monitor|paper|router|modem|sensor|motor|drone|hardware|laptop|server in|machine in|box in",
    ),
)
_PLUGS = Late(
    r"(?i)^\W*(?:please |then |first,? |you (?:need|have) to )*(?:plug|unplug|reseat|power[- ]?cycle)\b",
    needs=("plug|reseat|power",),
)
#: Who one is, what one pays and signs, whom one knows: nobody else can.
_IN_PERSON = Alternatives(
    Late(
        r"(?i)\b(?:gcloud|gh|aws|az|npm|pnpm|yarn|docker|podman|vercel|netlify|heroku|firebase|flyctl|fly|railway|supabase|wrangler|doctl|oc|vault|twine|cargo|claude|codex|op|eas|expo|shopify|stripe|azd|huggingface-cli|wandb)\s+(?:auth(?:entication)?\s+|sso\s+)*(?:application-default\s+)?log-?in\b"
        r"|\blog(?: |-)?in(?:to)? (?:to )?(?:npm|aws|gcp|azure|github|gitlab|docker(?: hub)?|vercel|google|apple|your \w+)\b",
        needs=("login|log-in|log in",),
    ),
    Late(
        rf"(?i)\b(?:pay|settle) (?:the |your |this |an? )?(?:\w+ )?(?:invoice|bill|fee)\b|\bupgrade (?:the|your|to)\b.{{0,20}}\bplan\b|\b(?:sign|countersign) (?:the|a|an|this|your) (?:\w+ ){{0,3}}(?:contract|agreement|form|nda|document|letter){_ITSELF}",
        needs=("invoice|bill|fee|plan|contract|agreement|form|nda|document|letter", "pay|settle|upgrade|sign"),
    ),
    Late(
        r"(?i)\bsubmit (?:the |your |this )?(?:app|build|binary|form|application)\b.{0,30}\b(?:review|app store|play store|approval|testflight)\b|\b(?:whitelist|allowlist|allow) .{0,20}\b(?:at|with|in) (?:the|your) (?:provider|host\w*|firewall|console|dashboard|registrar)\b|\brequest access\b|\bjoin (?:the |your )?(?:vpn|network|call|meeting)\b",
        needs=("submit |whitelist |allowlist |allow |request access|join ",),
    ),
    Late(
        rf"(?i)\b(?:contact|call|phone|write to|ask|talk to) (?:your |the |our |aws |google |apple |github )?(?:\w+ )?(?:support|legal|admin\w*|it department|security team|finance|customer|vendor|provider|stakeholders?|accountant|lawyer|hr|manager|boss){_ITSELF}",
        needs=(
            "contact |call |phone |write to |ask |talk to ",
            "support|legal|admin|it department|security team|finance|customer|vendor|provider|stakeholder|accountant|lawyer|hr|manager|boss",
        ),
    ),
    Late(
        r"(?i)\bgrant\b.{0,40}\b(?:access|permission|rights?)\b.{0,30}\b(?:settings|preferences|console|dashboard|finder|terminal)\b|\b(?:give|grant|allow) (?:terminal|the terminal|iterm|vs ?code|the app|claude)\b.{0,40}\b(?:permission|access)\b|\b(?:full disk access|screen recording|accessibility permission)\b",
        needs=("access|permission|right|recording", "grant|give |allow |full disk|screen |accessibility"),
    ),
    Late(
        r"(?i)\breview and (?:merge|approve)\b|\b(?:approve|merge) (?:and merge )?(?:it|this|the pr|pr #?\d+) (?:yourself|when you|once you)",
        needs=("merge|approve", "review and|you"),
    ),
    Late(
        r"(?i)\b(?:code|digits?|pin)\b.{0,20}\bfrom (?:your|the) (?:authenticator|phone|sms|e-?mail|text message|app)\b|\bconfirm (?:the|your) e-?mail\b|\blisten to\b.{0,40}\btell me\b|\btake (?:a|some) photos?\b|\bin (?:your|a) (?:own )?terminal\b.{0,20}\b(?:interactive|password|sudo)\b",
        needs=("from your|from the|confirm |listen to|photo|terminal",),
    ),
    Late(r"(?i)\b(?:start|launch|open) docker desktop\b|\bsudo [a-z]", needs=("docker desktop|sudo ",)),
    # What is kept on somebody's own pages: a key from a dashboard, a payment method, the terms, an app's access.
    Late(
        rf"(?i)\b(?:retrieve|copy|fetch|grab|find|generate|look up|take|pull|get|obtain|create|reveal)\b.{{0,40}}\b(?:keys?|secrets?|tokens?|credentials?|(?:client|project|account|app) ids?)\b.{{0,20}}\b(?:from|in|on|at|via) (?:the |your |their |an? )?(?:[\w'-]+ ){{0,3}}(?:dashboard|console|portal|account(?: settings| page)?){_ITSELF}",
        needs=("dashboard|console|portal|account", "key|secret|token|credential|id"),
    ),
    Late(
        rf"(?i)\badd (?:a|your) (?:valid )?(?:payment method|credit card)(?: (?:to|on|in|under) (?:the|your) (?:\w+ )?(?:account|billing(?: page| settings)?|dashboard|console|workspace|organi[sz]ation))?{_ITSELF}"
        rf"|\b(?:accept|agree to) (?:the |their |its )?(?:\w+ )?(?:terms(?: of (?:service|use)| and conditions)?|(?:licen[cs]e )?agreements?|eula){_ITSELF}",
        needs=("payment method|credit card|terms|agreement|eula",),
    ),
    Late(
        rf"(?i)\bauthori[sz]e (?:the |your )?(?:\w+ ){{0,2}}app (?:for|in|on|at|with) (?:your|github|gitlab|slack|google|the browser)\b|\bclick (?:on )?the (?:\w+ )?link (?:in|from) (?:the|your|that) (?:\w+ )?e-?mail{_ITSELF}",
        needs=("authorise |authorize |link",),
    ),
)
#: Alone they are a person's only together with `_THEIRS`; these need no object.
_ALWAYS_HUMAN = Late(
    r"(?i)\b(?:approve|merge and approve|sign off on)\b(?!.{0,300}\b(?:logic|flow|handler|endpoint|code|function|button|workflow file)\b)"
    r"|\b(?:plug|unplug)\b.{0,20}\bdevice\b|\bsolve the captcha\b|\bscan (?:the )?qr\b|\b(?:manually|physically)\s+(?:test|verify|check|press|connect)\b|\btouch id\b|\bon (?:your|a real|a physical) (?:device|phone|machine|iphone)\b"
    r"|\byour (?:approval|decision|review|confirmation|permission|input|choice|sign-?off)\b"
    # Somebody with more rights, the person's own taste, what proves who they are, and a secret by its variable's name.
    r"|\b(?:ask|have|contact|get) (?:your|an?|the) (?:\w+ ){0,2}(?:admin(?:istrator)?s?|owners?|manager|it (?:team|department))(?: to)? (?:add|grant|give|approve|enable|invite|allow|allowlist|whitelist|reset|unlock|raise)\b(?!.{0,300}\b(?:logic|flow|handler|endpoint|code|function|button|page|script|tests?)\b)"
    r"|^\W*(?:please )?(?:decide|choose|pick)\b[^.!?]{0,80}\byou(?:'d| would)? (?:prefer|want|like)\b"
    r"|^\W*(?:please |you (?:need|have|must|should) (?:to )?|first,? |then )?(?:verify|confirm) your (?:e-?mail|phone|identity|account)\b"
    r"|\b(?:provide|supply|paste|enter|share|send(?: me)?|give me) (?:your |the |an? |a valid )?`?(?-i:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD))\b(?!.{0,300}\b(?:tests?|fixtures?|mocks?|stubs?|placeholders?|example|constructor|parameter|argument)\b)",
    needs=(
        "approve|device|machine|manually|phone|physically|scan qr|scan the qr|sign off on|solve the captcha|touch id|your approval|your choice|your confirmation|your decision|your input|your permission|your review|your sign-off|your signoff|admin|owner|manager|it team|it department|prefer|you want|you like|you'd|you would|verify|confirm|provide|supply|paste|enter|share|send|give me",
    ),
)
#: Nouns that make the object program text: "sign-in errors", "token refresh logic", "upload endpoint".
_PROGRAM = Late(
    r"(?i)\b(?:errors?|logic|handling|handlers?|endpoints?|functions?|methods?|class(?:es)?|tests?|code|modules?|components?|middleware|validation|flows?|pages? (?:component|layout|styles?)|forms?|schemas?|migrations?|refresh|parser|parsing|cache|caching|support|implementation|types?|scripts?|docs?|documentation|readme|branch|lint\w*|format\w*|builds?|ci\b|commits?|pull requests?|prs?|files?|imports?|dependenc(?:y|ies)|storage layer|routes?|services?|toggles?|transitions?|retr(?:y|ies)|tables?|columns?|models?|fields?|widgets?|hooks?|clients?|stores?|events?|drivers?|reducers?|queries|query|screen component|rotation (?:logic|job|script)|edge cases?|bugs?)\b"
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
    text = _CODE_SENT.sub("otp", text)
    if not text:
        return "unclear"
    if _WRITES.match(text):
        return "agent"
    if _PLUGS.match(text) or _IN_PERSON.search(text):
        return "human"
    if _TOUCHES.search(text):
        return "human"
    if _ALWAYS_HUMAN.search(text):
        return "human"
    theirs = _THEIR_THING.search(text)
    acts = re.search(rf"(?i)\b(?:{_HUMAN_VERB})\b", text) if theirs else None
    if theirs and acts and acts.start() <= theirs.start() and not _is_program(text, theirs.end()):
        strong = re.match(
            r"(?i)\W*(?:please |you (?:need|have|must|should|will need) (?:to )?|then |first,? )?(?:add|create|set|configure|install|enable|update|open|verify|get|complete)\b",
            text,
        )
        return "human" if not strong or not _names_program(text) else "agent"
    return "agent" if _AGENT_VERB.match(text) or _names_program(text) else "unclear"


def _names_program(text: str) -> bool:
    return _PROGRAM.search(_THEIRS_STRIPPED.sub(" ", text)) is not None


#: An item that says whose it is: "User: change the nameservers", "Change the nameservers (manual)".
_LABEL = Late(
    r"(?i)^\W*(?:(?:user|you|human)(?: (?:step|action|task|todo))?|manual (?:step|action|task|todo))(?:\s?[:–—]| - )\s*(?P<behind>\S.*)|[(\[](?:for |by )?(?:the )?(?:user|you|human|manual(?:ly)?|owner)(?: (?:step|action|task))?[)\]]\W*$|^\W*(?:the )?(?:user|human) (?:to|must|needs to|has to) ",
    needs=("user|you|human|manual|owner",),
)


def labelled(item: str) -> bool:
    """Whether an item says that it is a person's. "User: add the e-mail field" is of a program's part."""
    match = _LABEL.search(item)
    return match is not None and not (match["behind"] and _PROGRAM.search(match["behind"]))


#: Verbs of somebody who writes text, whatever the text is about.
_WRITES = Late(
    r"(?i)^\W*(?:then |also |next,? |finally,? |please )?(?:implement|support|document|write(?! to\b)|refactor|fix|handle|cover|rename|extract|cache|validate|parse|render|port|lint|format|test the|add (?:a |an |the |some |missing |more |unit |integration )*(?:tests?|support|retr(?:y|ies)|docs?|handling|toggle|field|column|endpoint|route|logging|types?|validation|section|example)\b)\b(?!.*\bon (?:your|a real|a physical)\b)",
    needs=(
        "implement|support|document|write|refactor|fix|handle|cover|rename|extract|cache|validate|parse|render|port|lint|format|test|add",
    ),
)
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
    r"(?i)\b(?:you(?:'ll| will| may| might)?(?: (?:still|also|only|just|now|first))? (?:need|have|must|should) to|you must|please|(?:could|can) you|bitte|veuillez|s'il (?:te|vous) pla[iî]t|por favor|per favore|alstublieft|пожалуйста|i need you to|needs? you to|(?:requires?|needs?) (?:you|your|manual|a human)|only you can|waiting (?:for|on) you(?:r)?|once you(?:'ve| have)?|after you|until you|can't (?:proceed|continue) without|blocked (?:on|by|until)|manual(?:ly)?(?: step)?:?)\b",
    needs=(
        "could you|can you|bitte|veuillez|s'il |por favor|per favore|alstublieft|пожалуйста|after you|blocked by|blocked on|blocked until|can't continue without|can't proceed without|manual|need|once you|only you can|please|require|until you|waiting for you|waiting on you|you |you'll ",
    ),
)


_NEEDS_THEIRS = Late(
    rf"(?i)\b(?:needs?|requires?) your (?:[\w'-]{{1,30}} ){{0,3}}?(?:{_THEIRS})\b", needs=("need|require", "your")
)


#: A secret that keeps the agent from going on, and that only a person has: "I need the database password to go on".
_LACKS_SECRET = Late(
    r"(?i)\b(?:i(?: still)? (?:need|require)|blocked (?:on|by)|(?:can(?:not|'t)|could(?: not|n't)) (?:continue|proceed|go on|finish)\b[^.!?\n]{0,20} without)"
    r" (?:[\w'-]{1,20} ){0,4}?(?:passwords?|passphrase|(?:api|access|secret) keys?|credentials|(?:access|auth|api) tokens?|(?:2fa|mfa|otp|verification|one-time) codes?)\b(?=[.,;:!]|$| (?:to (?:continue|proceed|go on|finish|log in|sign in|deploy|connect|test|run)|for|of|before|from)\b)",
    needs=("need|require|blocked|without", "password|passphrase|key|credentials|token|code"),
)


#: Whoever is to tell when it is done does it: "please start it and tell me".
_REPORT_BACK = Late(
    r"(?i)\b(?:and|then) (?:please )?(?:tell me|let me know|ping me|say so|come back to me)\b(?! (?:what|which|how|if|whether)\b)",
    needs=("tell me|let me know|ping me|say so|come back to me",),
)


def asked_of_person(answer: str) -> tuple[str, ...]:
    """The sentences of an answer that ask the person for what only a person can do."""
    tail = prose.plain(answer.replace("`! ", "`"))[-3000:]  # "run `! fly auth login`": the mark of the host's prompt
    found = []
    for sentence in prose.sentences(tail):
        match = _NEEDS_YOU.search(sentence.text)
        if _LACKS_SECRET.search(sentence.text):
            found.append(prose.shortened(sentence.text, 160))
        elif match is None:  # "Run `aws sso login`, then tell me and I'll deploy": an imperative
            if _REPORT_BACK.search(sentence.text) and classify(sentence.text) == "human":
                found.append(prose.shortened(sentence.text, 160))
        else:
            who = classify(sentence.text[match.end() :] if len(sentence.text) - match.end() > 8 else sentence.text)
            if who == "human" or (who == "unclear" and _REPORT_BACK.search(sentence.text)):
                found.append(prose.shortened(sentence.text, 160))
    return tuple(dict.fromkeys((*found, *listed_for_person(tail))))


def said_to_need_theirs(answer: str) -> "Iterator[str]":
    """The sentences that want a thing of the person's: "applying it needs your *production credentials*: run `terraform apply`"."""
    for sentence in prose.sentences(prose.plain(answer)[-3000:]):
        thing = _NEEDS_THEIRS.search(sentence.text)
        if thing and not _is_program(sentence.text, thing.end()):
            yield sentence.text


def listed_for_person(answer: str) -> tuple[str, ...]:
    """The items that only a person can do, of lists under a line that puts them to the person ("Could you:")."""
    found = []
    inside = False
    for line in filter(None, map(str.strip, prose.plain(answer).split("\n"))):
        item = line.lstrip("-*•0123456789.) ")
        if len(item) == len(line):
            inside = line.endswith(":") and _NEEDS_YOU.search(line) is not None
        elif inside and classify(item) == "human":
            found.append(prose.shortened(item, 160))
    return tuple(found)


#: What the agent could run itself, told as open: "the tests still have to be run", an item "Run the tests".
_RUNS_OPEN = Late(
    r"(?i)\b(?:tests?|test suite|suite|specs|build)\b[^.!?;:\n]{0,20}\b(?:ha(?:ve|s) (?:still |yet )?to|needs? (?:still )?to|must|(?:is|are|remains?) (?:still |yet )?to) (?:still )?be (?:re-?)?(?:run|executed)\b"
    r"|\bi (?:still|also) (?:need|have) to (?:re-?)?run the (?:\w+ )?(?:tests?|suite|build)\b",
    needs=("test|suite|specs|build", "run|executed"),
)
_RUN_ITEM = Late(
    r"(?i)^[-*•]\s+(?:\[ \]\s*)?(?:re-?)?run (?:the |all )?(?:[\w-]{1,20} )?(?:tests?|test suite|suite|specs|build)\b",
    needs=("run",),
)
#: Where it hangs on what the person does first, or is put to the person.
_THEIRS_FIRST = Late(
    r"(?i)\b(?:once|after(?:wards?)?|when|until|then|so that|before|without|by you|yourself|you (?:can|could|need|have|must|should) (?:\w+ )?(?:re-?)?run|on (?:your|the) (?:device|phone|machine))\b",
    needs=("once|after|when|until|then|so that|before|without|by you|yourself|you |on your|on the",),
)


def leaves_runs_open(answer: str) -> bool:
    """
    Whether an answer that asks the person for their part, and no question, tells of runs that the agent still owes.

    "Approve the consent screen, and the tests still have to be run": the second part need not wait for the first.
    """
    said = prose.sentences(answer[-3000:])
    if any(sentence.asks for sentence in said) or not asked_of_person(answer):
        return False
    if any(_RUNS_OPEN.search(sentence.text) and not _THEIRS_FIRST.search(sentence.text) for sentence in said):
        return True
    mine = False
    for line in filter(None, map(str.strip, answer.split("\n"))):
        if line.endswith(":"):
            mine = _NEEDS_YOU.search(line) is None and not _THEIRS_FIRST.search(line)
        elif mine and _RUN_ITEM.match(line) and not _THEIRS_FIRST.search(line):
            return True
    return False


#: The agent goes on when it is done: the task waits.
_GOES_ON = Late(
    r"(?i)\b(?:(?:and|then|so(?: that)?|afterwards?|after that|when(?:ever)? (?:that|it|you|this)\b[^.!?]{0,30}|once (?:that|it|you|this)\b[^.!?]{0,40}|as soon as[^.!?]{0,40})[, ]+(?:then )?i(?:'ll| will| can| could|'m)\b"
    r"|i(?:'ll| will| can) (?:then|continue|proceed|go on|resume|carry on|pick (?:it|this) up|take it from there)|let me know (?:when|once|as soon as)|tell me (?:when|once|as soon as|the|which|what|its)|before i can\b|before (?:it|this|that|anything) (?:works?|will work|can (?:work|run|start|go live|be (?:deployed|published|released|used)))\b|(?:can'?t|cannot|could ?n[o']?t|unable to|not able to)\b[^.!?]{0,60}\b(?:until|without|before|unless)\b"
    r"|(?:i'?m |is |are )?(?:waiting|blocked)\b|to (?:continue|proceed|go on|(?:finish|complete) (?:this|the|it))\b|^\W*to (?:finish|complete),)"
)


def task_waits(answer: str) -> bool:
    """Whether the task itself goes on only after the person did what the end of the answer asks for."""
    said = [sentence.text for sentence in prose.sentences(prose.plain(answer)[-1500:])][-5:]
    for number, text in enumerate(said):
        if asked_of_person(text) and any(_GOES_ON.search(near) for near in said[number : number + 2]):
            return True
    return bool(said) and _GOES_ON.search(said[-1]) is not None and bool(listed_for_person(answer))
