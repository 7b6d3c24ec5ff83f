"""The orders to commit and to push of a prompt in one of the languages met most besides English (`not_shipped`)."""

from ace_reflect.gates import foreign_words, prose, shared_verb
from ace_reflect.late import Late, folded

#: On a condition, denied, told of, or a matter of the person's.
_UNSURE = Late(
    r"\b(?:wenn|falls|sobald|bevor|vorher|vor|erst|nachdem|beim|während|ob|damit|könn\w+|kann\w*|soll\w*|würde\w*|werde|ich|wir|man|nicht|nie|niemals|kein\w*|später|morgen|selbst|selber"
    r"|si|quand|lorsque|dès|avant|pour|pas|jamais|je|nous|on|plus tard|demain|peux|pourrais|faut|cuando|antes|para|no|nunca|yo|puedes|quiero|mañana|quando|se|não|nao|eu|pode|depois que|amanhã"
    r"|prima|non|mai|io|puoi|domani|als|wanneer|voordat|niet|nooit|ik|kun|morgen|если|когда|перед|не|никогда|я|чтобы|завтра)\b|n'|如果|当|(?<![最然])后|前|不|(?<![错特级类区识性分辨判])别(?![字的人名处])|我|たら|れば|(?<!最)[前後]に|ない|とき"
)
#: The person wants to see something before it goes out, or goes through the steps of something.
_KEEPS_A_SAY = Late(
    r"\b(?:zeig\w*|frag\w*|warte\w*|schritte?|plan\w*|vorschlag\w*|skript\w*|befehl\w*|montre\w*|demande\w*|attend\w*|étapes?|muéstra\w*|muestra\w*|pregunta\w*|espera\w*|pasos?|mostr\w+|pergunt\w+|esper\w+|passos?|chied\w+|aspetta\w*|pass[io]|toon|vraag|wacht|stappen|покажи\w*|спроси\w*|подожди\w*|шаг\w*|workflow\w*|hooks?|script\w*|ci|bot)\b|给我看|问我|步骤|脚本|見せ|確認して|手順|スクリプト"
)
#: A deed's bare name, which shares the verb in front of it: "mach einen Commit und push", "fai il commit e il push".
_SHARED = Late(r"(?:(?:il|o|el|le|den|de|een|un|um|einen?) )?(?:(?P<commit>commit|коммит)|(?P<push>push|пуш))$")
#: Portuguese, where "no README" is no "no": the verb is spelled so in no other of these languages.
_PORTUGUESE = Late(r"\b(?:faça|faz|dê)\b", needs=("faça|faz|dê",))
_LED = Late(foreign_words.LEAD)
#: Told of, and not ordered: "die Reihenfolge ist build, dann commit und push".
_TOLD = Late(r"\b(?:ist|sind|est|sont|es|son|é|são|è|sono|zijn)\b|:")
#: What a text is to hold: "schreib in die README: committen und pushen".
_IN_A_TEXT = Late(
    r"\b(?:readme|docs?|doku|dokumentation|anleitung|contributing|changelog|guide|guía|guida|guia|leitfaden|handleiding|\w{1,40}\.(?:md|rst|txt))\b[^:：]{0,60}[:：]",
    needs=(":|：",),
)
_POLITE = frozenset(["bitte", "danke", "merci", "svp", "stp", "gracias", "por favor", "obrigado", "grazie", "per favore", "graag", "спасибо", "пожалуйста", "谢谢"])  # fmt: skip


def orders(prompt: str) -> dict[str, str]:
    """The sentences that order a commit and a push, by kind."""
    found: dict[str, str] = {}
    if _KEEPS_A_SAY.search(folded(prompt)):
        return found
    for sentence in prose.sentences(prompt):
        low = folded(sentence.text)
        if _PORTUGUESE.search(low):
            low = low.replace(" no ", " em ")
        if not sentence.asks and not _UNSURE.search(low) and not _IN_A_TEXT.search(low):
            found.update(dict.fromkeys(_ordered(sentence.text), prose.shortened(sentence.text, 120)))
    return found


def _ordered(sentence: str) -> list[str]:
    """What its last clauses order: with anything behind it, "committen und pushen dauert ewig" is no order."""
    found: list[str] = []
    theirs = False
    for low, _ in reversed(shared_verb.parts(sentence)):
        bare = low.strip(" .!")
        led = _LED.match(bare)
        leads = led.end() if led else 0
        kinds = [kind for kind, order in foreign_words.ORDERS.items() if order.search(low.strip())]
        shared = _SHARED.match(bare[leads:])
        if not kinds and shared is None and bare not in _POLITE:
            break
        led_to = shared is not None and leads > 0 and not _TOLD.search(folded(sentence))  # "danach commit und push"
        theirs = theirs or bool(kinds) or led_to
        found += kinds or ([str(shared.lastgroup)] if shared else [])
    return found if theirs else []
