"""
What a standing order looks like in Portuguese, Italian, Dutch, Russian, Polish, Turkish, Chinese, Japanese and Korean.

Closed lists, as in `orders`. Chinese and Japanese write no spaces, and in Turkish, Japanese and Korean the verb comes
last, so a whole sentence is read at once.
"""

import re

_PT = (
    r"(?:usa|use|utiliza|utilize|escreve|escreva|faz|faça|roda|rode|executa|execute|cria|crie|pergunta|pergunte|responde|responda|coloca|coloque|evita|evite|mantém|mantenha|verifica|verifique|segue|siga"
    r"|documenta|documente|testa|teste|commita|commite|prefira|avisa|avise)\b"
)
_PT_NOT = r"(?:use|edite|modifique|altere|faça|commite|apague|delete|mexa|toque|crie|adicione|rode|instale|invente|suba)\b"
_IT = r"(?:usa|usate|utilizza|scrivi|scrivete|esegui|lancia|fai|crea|chiedi|rispondi|parla|metti|evita|mantieni|verifica|controlla|segui|documenta|testa|committa|preferisci|avvisa)\b"
_IT_NOT = r"(?:usare|modificare|toccare|cambiare|cancellare|committare|pushare|fare|scrivere|aggiungere|creare|installare|inventare|eseguire)\b"
_NL = r"(?:gebruik|schrijf|draai|voer|maak|vraag|antwoord|zet|vermijd|houd|controleer|volg|documenteer|test|commit|push|wijzig|bewerk|verwijder|installeer|meld)\b"
_RU = (
    r"(?:используй(?:те)?|пиши(?:те)?|запускай(?:те)?|делай(?:те)?|создавай(?:те)?|спрашивай(?:те)?|отвечай(?:те)?|ставь(?:те)?|избегай(?:те)?|проверяй(?:те)?|следуй(?:те)?|документируй(?:те)?"
    r"|тестируй(?:те)?|коммить(?:те)?|пушь(?:те)?|меняй(?:те)?|трогай(?:те)?|удаляй(?:те)?|редактируй(?:те)?|устанавливай(?:те)?|добавляй(?:те)?)\b"
)

_PL = r"(?:używaj|stosuj|uruchamiaj|odpalaj|pisz|pytaj|rób|commituj|testuj|sprawdzaj|dodawaj|odpowiadaj|formatuj|pushuj|wypychaj|usuwaj|kasuj|edytuj|zmieniaj|ruszaj|dotykaj|instaluj)(?:cie)?\b"

#: An imperative, or its prohibition; the adverb in front decides where the verb comes last or is an infinitive.
IMPERATIVE = rf"{_PT}|n[ãa]o {_PT_NOT}|{_IT}|non {_IT_NOT}|{_NL}|(?:не )?{_RU}|(?:nie )?{_PL}|(?:sempre|nunca|altijd|nooit|всегда|никогда|zawsze|nigdy) (?!qu?e\b)\w"
#: With "always" or "never".
ALWAYS = (
    rf"sempre {_PT}|{_PT} sempre\b|nunca {_PT_NOT}|(?:jamais) {_PT_NOT}",
    rf"sempre {_IT}|{_IT} sempre\b|non {_IT_NOT} mai\b|mai {_IT_NOT}",
    rf"{_NL} (?:[^,;]{{1,40}} )?(?:altijd|nooit)\b|(?:altijd|nooit) {_NL}",
    rf"всегда {_RU}|никогда не {_RU}|{_RU} всегда\b",
    rf"zawsze {_PL}|nigdy (?:więcej )?nie {_PL}|{_PL} zawsze\b",
)
#: "From now on": settled; "in future": a plan may speak so too.
SETTLED = r"(?:a partir de|de) agora(?: em diante)?\b|daqui (?:pra|para a|em) (?:frente|diante)\b|(?:d'ora|da ora) in (?:poi|avanti)\b|(?:vanaf|van) nu(?: af aan)?\b|voortaan\b|vanaf vandaag\b|отныне\b|впредь\b|с этого момента\b|с сегодняшнего дня\b|od (?:teraz|dziś|dzisiaj|tej pory)\b"
FUTURE = r"no futuro\b|(?:n|d)as? pr[óo]ximas? ve(?:z|zes)\b(?! que)|in futuro\b|la prossima volta\b(?! che)|in de toekomst\b|(?:de )?volgende keer\b(?! dat)|в будущем\b"
ONE_OFF = r"\b(?:desta vez|dessa vez|por enquanto|hoje|questa volta|per ora|oggi|deze keer|voorlopig|vandaag)\b|в этот раз|на этот раз|сегодня\b|\bпока\b|\b(?:tym razem|na razie)\b"
LEAD = r"e|per favore|ricorda(?:ti)?|lembre(?:-se)?|lembra|alsjeblieft|graag|onthoud|пожалуйста|запомни(?:те)?|и|но|proszę|pamiętaj"

_ZH_DEED = r"(?:用|使用|写|提交|先|跑|运行|测试|检查|问|回答|回复|遵循|遵守|保持|避免|修改|改|动|删|推送|说|放)"
_ZH = re.compile(
    rf"^(?:请|记住|另外|还有|[，,：: ])*(?:(?:从现在(?:开始|起)|从今(?:以后|天起)|以后|今后|往后)[，, ]*(?:请|你|都|一律|统一|必须|务必|始终|总是|永远|每次|尽量|要|只|不要|别|不准|不许|再也)+(?:再)?{_ZH_DEED}|(?:从现在(?:开始|起)|从今(?:以后|天起)|今后|以后(?=[^，,？?]{{1,14}}(?:一律|统一|只用)))[，, ]*[^，,？?]{{1,14}}(?:一定要|必须|都要|都用|一律|统一|只用|不要|不准|不许|要先)|(?:永远|绝对)(?:不要|别|不准|不许)(?:再|直接|随便|擅自|自动|手动)*{_ZH_DEED}|(?:始终|总是|永远)(?:要)?{_ZH_DEED})"
)
_JA = re.compile(
    r"^(?:なお|あと|また|それと|、|。)*(?:今後|これから|以降)(?:(?:は|も)[、 ]?|[、 ])[^?？]{2,80}(?:てください|て下さい|でください|で下さい|して|しないで|使って|すること|しないこと|お願いします)[。！!]*$"
    r"|^[^?？]{0,30}(?:常に|毎回|決して|いつも(?!失敗|エラー|落ち|遅))[^?？]{1,60}(?:てください|て下さい|でください|で下さい|しないで|すること|しないこと)[。！!]*$"
)
_KO = re.compile(
    r"^(?:그리고|참고로|,|\s)*(?:(?:앞으로|이제부터|지금부터)(?:(?:는|도)[ ,]|[ ,]+(?:항상|절대로?|매번|모든) )[^?？]{2,80}|(?:항상|언제나|절대로?|반드시) [^?？]{2,60})(?:주세요|주십시오|하세요|쓰세요|해줘|써줘|하지 ?마|마세요|마라|말아줘|할 것|말 것|하자|쓰자)[.!]*$"
)
_TR = re.compile(
    r"^(?:lütfen |ve |ayrıca )*(?:(?:bundan sonra|bundan böyle),? (?:lütfen )?(?:her zaman |daima |hep |asla )?|(?:her zaman|daima|asla) )[^?]{2,80}\b(?:kullan|yaz|çalıştır|sor|yap|et|ekle|cevapla|pushla|commitle|dokun|sil|değiştir|düzenle|test et)(?:m[ae])?(?:[yn]?[ıiuü]n(?:[ıiuü]z)?)?[.!]*$",
    re.IGNORECASE,
)
_WHOLE_ONE_OFF = re.compile(
    r"这次|本次|今天|暂时|先这样|这个(?:任务|文件|功能|分支|接口|页面|按钮|函数|参数|字段)|用户|报错|失败|이번|사용자|일단|오늘|실패|에러|kullanıcı|bu sefer|şimdilik|bugün|今回|とりあえず|この(?:タスク|PR|機能|ファイル|修正|関数|メソッド|クラス|ボタン|画面|ページ|処理|値|変数|フィールド|テーブル|API)|ユーザー|[?？吗]$"
)


def is_lasting(said: str) -> bool:
    """Whether a Chinese, Japanese, Korean or Turkish sentence says how it is to be from now on."""
    whole = (_ZH, _JA, _KO, _TR)
    return any(order.match(said) for order in whole) and _WHOLE_ONE_OFF.search(said) is None
