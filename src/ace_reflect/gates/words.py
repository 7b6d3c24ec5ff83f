"""
What the person's own words switch off, ask for or limit: one prompt's (`words_in_force`: all that hold at a stop).

A waiver holds for the prompt that it stands in, or for the session where it says so or its reason does (`lasting`). Asking about one, quoting one,
naming one as the subject of the work ("add a skip-gates flag") or a program's output waives nothing.
"""

from ace_reflect import regex as re
from ace_reflect.gates import (
    foreign_words,
    phrases,
    prose,
    requests,
    shared_verb,
    tests_may_fail,
    tests_waived,
    vocabulary,
)
from ace_reflect.gates.vocabulary import ALL
from ace_reflect.late import Late, begins, folded
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.gates.opening import Opening


class Waiver(Value):
    gate: str  # a gate's name, or ALL
    quote: str
    session: bool = False
    by: str = "the person"  # or the instruction file


class Settled(Value):
    """Debt up to and with a turn that the person took on: waived in its prompt, or found good in the next one's words."""

    gate: str
    turn: int
    quote: str


class Words(Value):
    """What was said in one prompt, with the words themselves as the reason."""

    waivers: tuple[Waiver, ...] = ()
    restores: tuple[str, ...] = ()  # gates that a session's waiver no longer holds for
    asks_push: str = ""
    asks_pr: str = ""
    asks_commit: str = ""
    asks_tests: str = ""
    asks_build: str = ""
    no_change: str = ""
    no_push: str = ""
    limits_scope: str = ""  # "stop after the first one", "only step 2"
    confirmed: str = ""  # "I tested it", "it works now"
    settled: tuple[Settled, ...] = ()

    def waiver(self, gate: str) -> Waiver | None:
        """The words that switch this gate off, or None."""
        for waiver in self.waivers:
            if waiver.gate in {gate, ALL}:
                return waiver
        return None

    def settles(self, gate: str, turn: int) -> str:
        """The words by which the person took on this gate's debt of a turn; "" if there are none."""
        return next((each.quote for each in self.settled if each.gate in {gate, ALL} and turn <= each.turn), "")


_MOST_BEHIND = 40  # characters behind the words that agree: more are an order of their own

# ------------------------------------------------------------------ reading


def read_words(text: str, *, previous_answer: str = "", by: str = "the person") -> Words:
    """What one prompt says. `previous_answer` is what a bare "yes" agrees to."""
    waivers: list[Waiver] = []
    found: dict[str, Any] = {}
    restores: list[str] = []
    before = ""
    for sentence in prose.sentences(text):
        if vocabulary.RESTORE.search(sentence.text) and not sentence.asks:
            restores.append(ALL)
            continue
        if not sentence.asks:
            waivers += _waivers(sentence.text, by, before)
            if vocabulary.NEGATED_WAIVER.search(sentence.text) and tests_waived.OF_TESTS.search(sentence.text):
                restores.append("tests")  # "stop skipping the tests"
        _note_asks(sentence, found)
        before = sentence.text
    _note_command(text, found)
    if _assents(text.strip()):
        _note_offer(previous_answer, text, found)
    if any(waiver.gate == "pr" for waiver in waivers):
        found.pop("asks_pr", None)
    if "no_push" in found:
        found.pop("asks_push", None)
        waivers.append(Waiver(gate="pr", quote=found["no_push"], by=by))
    if "asks_build" in found:  # "I'll run the tests. Just make sure it builds."
        waivers = [waiver for waiver in waivers if waiver.gate != "build"]
    waivers = [waiver for waiver in waivers if waiver.gate != "tests" or not _of_named_ones(waiver.quote, text)]
    if any(waiver.gate == "tests" for waiver in waivers):
        from ace_reflect.gates import lasting  # few prompts waive the tests

        if lasting.lasts(text):
            waivers = [waiver.replace(session=True) if waiver.gate == "tests" else waiver for waiver in waivers]
    elif "asks_tests" in found:
        restores.append("tests")
    return Words(waivers=tuple(waivers), restores=tuple(restores), **found)


_OF_FAILURES = ("fail", "red", "flak", "broken", "known", "ignor", "skip", "leave", "forget", "worry")
#: "… and don't run the others", "… and skip the suite": all of them are meant as well.
_OF_ALL_TESTS = Late(
    r"(?i)\b(?:run|running|execut\w{1,3}) (?:the|any|all|others?|it|them|those|tests?|anything)\b"
    r"|\b(?:skip|ignore|no|without|mind|forget|about) (?:(?:the|all|any|other|about|running) ){0,3}(?:tests|suites?|specs)\b(?! “)",
    needs=("run|execut|tests|suite|specs",),
)


def _of_named_ones(quote: str, text: str) -> bool:
    """Whether a waiver is of tests that the sentence names, which may fail (`exempt`), and not of all of them."""
    if not any(sign in folded(quote) for sign in _OF_FAILURES) or _OF_ALL_TESTS.search(quote):
        return False
    from ace_reflect.gates import exempt

    return quote in {prose.shortened(said, 100) for said in exempt.named_in(text)}


def _waivers(sentence: str, by: str, before: str) -> "list[Waiver]":
    """The waivers of a sentence; `before` is the one in front of it, which "it" may stand for."""
    if len(sentence) > 400:
        return []
    low = sentence.lower()
    gates = [gate for gate, signs in vocabulary.SIGNS.items() if any(sign in low for sign in signs)]
    if not gates:
        return []
    parts = shared_verb.parts(sentence)
    found = [gate for gate in gates if _opens(parts, vocabulary.AT_START[gate])]
    found += [gate for gate in gates if _stands_in(sentence, gate)]
    if "tests" in gates and "tests" not in found and _waives_tests(parts, sentence, before):
        found.append("tests")
    if any(foreign_words.RUN_NOTHING.search(low) for low, _ in parts):
        found += ["tests", "build"]
    if "tests" in found and "locally" in low and tests_waived.RUN_THERE.search(low):
        found.remove("tests")
    if "tests" in found and "build" not in found and foreign_words.TESTS_AND_BUILD.search(folded(sentence)):
        found.append("build")
    elif ("tests" in found) != ("build" in found) and vocabulary.TESTS_AND_BUILD.search(sentence):
        found += ["tests", "build"]
    if not found or vocabulary.NEGATED_WAIVER.search(sentence) or _reported(sentence):
        return []
    if any(vocabulary.NEGATED_WITHOUT.search(low) for low, _ in parts):
        return []
    if "pr" in found and vocabulary.UNTIL_PROVEN.search(sentence):
        found.remove("pr")
    if "pr" in found and vocabulary.TO_DEFAULT_BRANCH.search(sentence) and not vocabulary.NEGATED_PUSH.search(sentence):
        found.append("direct_push")
    session = vocabulary.SESSION.search(sentence) is not None
    quote = prose.shortened(sentence, 100)
    return [Waiver(gate=gate, quote=quote, session=session, by=by) for gate in dict.fromkeys(found)]


def _waives_tests(parts: "list[tuple[str, list[int]]]", sentence: str, before: str) -> bool:
    """In another language, or where the tests are only meant: "The suite takes an hour. Don't run it."."""
    if any(foreign_words.waives_tests(low, sentence) for low, _ in parts):
        return True
    of_tests = tests_waived.OF_TESTS
    if _opens(parts, (tests_waived.NOT_THEM,)) and (of_tests.search(sentence) or of_tests.match(before)):
        return True
    return _opens(parts, (tests_may_fail.LEAVE_THEM,)) and tests_may_fail.RED_TESTS.search(before) is not None


def _stands_in(sentence: str, gate: str) -> bool:
    known = vocabulary.ANYWHERE.get(gate, ())
    if gate != "pr":
        return any(each.search(sentence) for each in known)
    found = (match.start() for each in known for match in each.finditer(sentence))
    return any(not _behind_article(sentence, at) for at in found) and vocabulary.NEGATED_PUSH.search(sentence) is None


def _behind_article(sentence: str, at: int) -> bool:
    """Whether what begins there is a noun: "on every push to main"."""
    before = sentence[:at].replace("'", " ").split()[-1:]
    return bool(before) and before[0].lower() in vocabulary.BEFORE_NOUN


def _reported(sentence: str) -> bool:
    # "you said no tests" reports; "no PR please, as I said" does not open with it.
    match = vocabulary.REPORTED.search(sentence)
    return match is not None and match.start() < 25 and not re.match(r"(?i)(?:as i|like i) said", sentence)


def _opens(parts: "list[tuple[str, list[int]]]", known: "tuple[Opening, ...]") -> bool:
    return any(each.opens(low, places) for low, places in parts for each in known)


def _note_asks(sentence: prose.Sentence, found: "dict[str, str]") -> None:
    text, low = sentence.text, sentence.text.lower()
    names = [name for name, signs in requests.ASK_SIGNS.items() if any(sign in low for sign in signs)]
    if not names:
        return
    parts = shared_verb.parts(text)
    for name in names:
        may_ask = not sentence.asks or name == "no_push"
        if may_ask and _asks_for(name, text, parts) and not _takes_back(name, text):
            found.setdefault(name, prose.shortened(text, 100))


def _asks_for(name: str, text: str, parts: "list[tuple[str, list[int]]]") -> bool:
    if name == "limits_scope":
        return any(known.search(text) for known in requests.LIMITS)
    if name == "asks_pr" and phrases.IN_A_TEXT.search(text):
        return False
    if name == "asks_push":
        not_asking = (vocabulary.NEGATED_PUSH, requests.TOLD_OF_PUSH)
        parts = [part for part in parts if not any(each.search(part[0]) for each in not_asking)]
    return _opens(parts, requests.ASKS[name]) or any(foreign_words.says(name, low) for low, _ in parts)


def _put_off(text: str) -> bool:
    """Whether nothing is forbidden but to do it unproven: "don't push until the tests pass"."""
    return (
        vocabulary.UNTIL_PROVEN.search(text) is not None or vocabulary.NEGATED_WITHOUT.search(text.lower()) is not None
    )


def _takes_back(name: str, text: str) -> bool:
    if name == "no_push":  # it is put off, or a place is forbidden and not the push
        place = vocabulary.TO_DEFAULT_BRANCH.search(text) is not None and not requests.NOT_YET.search(text)
        return place or _put_off(text)
    return name == "confirmed" and any(each.search(text) for each in (requests.BUT, requests.NOT_WHOLLY))


def _note_command(text: str, found: "dict[str, str]") -> None:
    """A slash command asks for what its name says: /commit-push, /ship, /release, /create-pr."""
    match = re.match(r"/([\w:-]+)", text.lstrip()) if text.lstrip().startswith("/") else None
    if match is None:
        return
    name = match.group(1).lower()
    opens_pr = re.search(
        r"(?:create|open|make|submit|raise|new|push)[-_:]?(?:pr|pull[-_]?request|mr)\b|(?:^|[-_:])(?:pr|pull[-_]?request|mr)[-_](?:create|open|submit|new)",
        name,
    )
    if opens_pr:
        found.setdefault("asks_pr", "/" + name)
    # "/pr-address" works on one that is there, and may well push to it.
    if opens_pr or re.search(
        r"push|ship|release|deploy|land|merge|publish|sync|submit|finish|(?:^|[-_:])(?:pr|pull[-_]?request|mr)(?:$|[-_:])",
        name,
    ):
        found.setdefault("asks_push", "/" + name)


def _assents(text: str) -> bool:
    low = folded(text)
    agrees = any(len(low) - len(word) <= _MOST_BEHIND and begins(low, (word,)) for word in requests.ASSENT)
    thumb = low.startswith(requests.THUMB) and len(low) <= _MOST_BEHIND
    return "\n" not in text and (agrees or thumb)


def _note_offer(previous_answer: str, text: str, found: "dict[str, str]") -> None:
    if re.search(r"(?i)\b(?:push|pull request|pr)\b[^.!\n]*\?", previous_answer[-600:]):
        found.setdefault("asks_push", prose.shortened(text, 60))
