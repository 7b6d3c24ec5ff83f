"""
What a standing order looks like in Portuguese, Italian, Dutch, Russian, Chinese and Japanese.

Closed lists, as in `orders`. Chinese and Japanese write no spaces, so a whole sentence is read at once.
"""

import re

_PT = (
    r"(?:usa|use|utiliza|utilize|escreve|escreva|faz|faça|roda|rode|executa|execute|cria|crie|pergunta|pergunte|responde|responda|coloca|coloque|evita|evite|mantém|mantenha|verifica|verifique|segue|siga"
    r"|documenta|documente|testa|teste|commita|commite|prefira|avisa|avise)\b"
)
_PT_NOT = (
    r"(?:use|edite|modifique|altere|faça|commite|apague|delete|mexa|toque|crie|adicione|rode|instale|invente|suba)\b"
)
_IT = r"(?:usa|usate|utilizza|scrivi|scrivete|esegui|lancia|fai|crea|chiedi|rispondi|parla|metti|evita|mantieni|verifica|controlla|segui|documenta|testa|committa|preferisci|avvisa)\b"
_IT_NOT = r"(?:usare|modificare|toccare|cambiare|cancellare|committare|pushare|fare|scrivere|aggiungere|creare|installare|inventare|eseguire)\b"
_NL = r"(?:gebruik|schrijf|draai|voer|maak|vraag|antwoord|zet|vermijd|houd|controleer|volg|documenteer|test|commit|push|wijzig|bewerk|verwijder|installeer|meld)\b"
_RU = (
    r"(?:используй(?:те)?|пиши(?:те)?|запускай(?:те)?|делай(?:те)?|создавай(?:те)?|спрашивай(?:те)?|отвечай(?:те)?|ставь(?:те)?|избегай(?:те)?|проверяй(?:те)?|следуй(?:те)?|документируй(?:те)?"
    r"|тестируй(?:те)?|коммить(?:те)?|пушь(?:те)?|меняй(?:те)?|трогай(?:те)?|удаляй(?:те)?|редактируй(?:те)?|устанавливай(?:те)?|добавляй(?:те)?)\b"
)

#: An imperative, or its prohibition.
IMPERATIVE = rf"{_PT}|n[ãa]o {_PT_NOT}|{_IT}|non {_IT_NOT}|{_NL}|(?:не )?{_RU}"
#: With "always" or "never".
ALWAYS = (
    rf"sempre {_PT}|{_PT} sempre\b|nunca {_PT_NOT}|(?:jamais) {_PT_NOT}",
    rf"sempre {_IT}|{_IT} sempre\b|non {_IT_NOT} mai\b|mai {_IT_NOT}",
    rf"{_NL} (?:[^,;]{{1,40}} )?(?:altijd|nooit)\b|(?:altijd|nooit) {_NL}",
    rf"всегда {_RU}|никогда не {_RU}|{_RU} всегда\b",
)
#: "From now on": settled; "in future": a plan may speak so too.
SETTLED = r"(?:a partir de|de) agora(?: em diante)?\b|daqui (?:pra|para a|em) (?:frente|diante)\b|(?:d'ora|da ora) in (?:poi|avanti)\b|(?:vanaf|van) nu(?: af aan)?\b|voortaan\b|vanaf vandaag\b|отныне\b|впредь\b|с этого момента\b|с сегодняшнего дня\b"
FUTURE = r"no futuro\b|in futuro\b|in de toekomst\b|в будущем\b"
ONE_OFF = r"\b(?:desta vez|dessa vez|por enquanto|hoje|questa volta|per ora|oggi|deze keer|voorlopig|vandaag)\b|в этот раз|на этот раз|сегодня\b|\bпока\b"
LEAD = r"e|per favore|ricorda(?:ti)?|lembre(?:-se)?|lembra|alsjeblieft|graag|onthoud|пожалуйста|запомни(?:те)?|и|но"

_ZH_DEED = r"(?:用|使用|写|提交|先|跑|运行|测试|检查|问|回答|回复|遵循|遵守|保持|避免|修改|改|动|删|推送|说|放)"
_ZH = re.compile(
    rf"^(?:请|记住|另外|还有|[，,：: ])*(?:(?:从现在(?:开始|起)|从今(?:以后|天起)|以后|今后|往后)[，, ]*(?:请|你|都|一律|统一|必须|每次|要|只|不要|别|不准|不许|再也)+(?:再)?{_ZH_DEED}|(?:永远|绝对)(?:不要|别|不准|不许)(?:再)?{_ZH_DEED}|(?:始终|总是|永远)(?:要)?{_ZH_DEED})"
)
_JA = re.compile(
    r"^(?:なお|あと|また|それと|、|。)*(?:今後|これから|以降)(?:(?:は|も)[、 ]?|[、 ])[^?？]{2,80}(?:てください|て下さい|でください|で下さい|して|しないで|使って|すること|しないこと|お願いします)[。！!]*$"
    r"|^[^?？]{0,30}(?:常に|毎回|決して|いつも(?!失敗|エラー|落ち|遅))[^?？]{1,60}(?:てください|て下さい|でください|で下さい|しないで|すること|しないこと)[。！!]*$"
)
_CJK_ONE_OFF = re.compile(
    r"这次|本次|今天|暂时|先这样|这个(?:任务|文件|功能|分支)|用户|报错|失败|今回|とりあえず|この(?:タスク|PR|機能|ファイル|修正)|ユーザー|[?？吗]$"
)


def is_lasting(said: str) -> bool:
    """Whether a Chinese or Japanese sentence says how it is to be from now on."""
    return (_ZH.match(said) or _JA.match(said)) is not None and _CJK_ONE_OFF.search(said) is None
