"""Secrets out, before anything is stored, shown to a model or written to the playbook.

Three nets: tokens in a known form, values that a name or a place gives away (`password=…`), and those of this process's own
secret-looking variables. Each expression is linear, and tried only if one of its signs is there; SECURITY.md names the holes.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

_ALNUM = r"[A-Za-z0-9]{20,300}"
_WORD = r"[A-Za-z0-9_\-]{16,1000}"
_WIDE = r"[A-Za-z0-9_.+/=%\-]{16,2000}"
#: Kind, prefixes of its tokens (separated by spaces), and what follows them.
_TOKENS = (
    ("anthropic-key", "sk-ant-", _WORD),
    ("openai-key", "sk-", r"[A-Za-z0-9_\-]{20,300}"),  # sk-proj-, sk-svcacct-, sk-or-v1- too
    ("aws-key-id", "AKIA ASIA AROA AIDA ABIA ACCA AGPA AIPA ANPA", r"[A-Z0-9]{16}\b"),
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"[A-Za-z0-9_]{20,255}"),
    ("gitlab-token", "glpat- glptt- gldt- glrt- glcbt- glsoat- glft- glimt- glagent- PMAK- NRAK- CFPAT- tskey- sq0atp- sq0csp-", _WORD),
    ("slack-token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", r"[A-Za-z0-9\-]{10,255}"),
    ("webhook", "hooks.slack.com/services/ hooks.slack.com/workflows/ discord.com/api/webhooks/ discordapp.com/api/webhooks/", _WIDE),
    ("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_", r"[A-Za-z0-9]{10,200}"),
    ("google-key", "AIza ya29. GOCSPX- 1//0", _WIDE),
    ("jwt", "eyJ", r"[A-Za-z0-9_\-]{8,4000}\.[A-Za-z0-9_.\-]{8,8000}"),
    ("token", "ATATT3 ATCTT3 dckr_pat_ dckr_oat_ sbp_ sb_secret_ figd_ glsa_ sntrys_ fm2_", _WIDE),
    ("token", "npm_ hf_ gsk_ r8_ xai- lin_api_ ntn_ secret_ AGE-SECRET-KEY-1 dop_v1_ doo_v1_ dor_v1_ shpat_ shpca_ shppa_ shpss_ sntryu_ rubygems_ xkeysib- pul- nfp_ pplx- phx_ lin_oauth_", _ALNUM),
    ("token", "SG. whsec_ hvs. hvb. dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", _WIDE),
    ("token", "SK AC dapi", r"[0-9a-f]{32}\b"),
    ("token", "pypi-", r"[A-Za-z0-9_\-]{40,1000}"),
    ("telegram-token", ":AA", r"[A-Za-z0-9_\-]{30,60}"),
    ("azure-key", "AccountKey= SharedAccessKey= &sig= ?sig=", _WIDE),
)  # fmt: skip
#: What a secret is called; the first letters are asked for first, which is three times as fast.
_NAME = r"(?=[pstcae])(?:pass(?:wor[dt]|wd|phrase|code)|pwd|secret|token|credential|(?:api|access|private|auth|encryption|signing)[_-]?key)"
#: Between a name and its value: `"name" => `, `name:   |` and a line of its own.
_GIVEN = r"\\?[\"']?\]?[ \t]{0,40}(?P<op>[=-]>|:=|[:=])(?:\*\*)?\s{0,40}(?:[|>][-+]?\s{1,40})?"
_GIVES = r"(?:\\?[\"'`](?P<quoted>[^\"'`\\\n]{6,400})|(?P<value>[^\s\"'`,\\][^\s\"`,\\]{5,400}))"
_OPEN = r"[\"']?(?P<value>[^\s\"'-][^\s\"']{3,400})"  # a value behind an option
#: Kind, signs (one must be in the lower-cased text), and where the value is.
_VALUES = (
    ("url-password", "://", r"://(?P<value>[^\s/:@\"'<>]{0,100}:(?!\d{1,5}/)[^\s@\"'<>]{3,200})(?=@)"),
    ("url-password", "://", r"://(?P<value>[A-Za-z0-9_\-]{16,300})(?=@)"),
    ("assigned", "passw passphrase passcode pwd secret token credential key", rf"(?i)(?P<name>{_NAME})[A-Za-z0-9_.\-]{{0,40}}{_GIVEN}{_GIVES}"),
    ("assigned", "_pass _pw _key _auth _pat -pass .pass dbpass", rf"(?i)(?<![A-Za-z0-9_])(?:db|[A-Za-z][A-Za-z0-9_]{{0,60}}(?:[_-]|\.(?=pass)))(?P<name>pass|pw|pat|key|auth){_GIVEN}{_GIVES}"),
    ("assigned", "passw token secret key", rf"(?i)\b(?P<name>{_NAME.replace('[_-]', '[ _-]')})\s{{1,4}}is:?\s{{1,4}}[\"'`]?(?P<value>[^\s\"'`]{{6,200}})"),
    ("assigned", "_pass _pw _key _auth _secret _access _api _token", rf"(?i)\b(?:set|setenv|config|env|arg)\s(?:[^\s=]{{1,40}}\s){{0,2}}?[^\s=]{{0,60}}_(?:auth)?(?P<name>{_NAME}|pass|pw|key)[^\s=]{{0,20}}\s{{1,4}}{_OPEN}"),
    ("assigned", "machine identified", r"(?i)(?:\bmachine\s{1,4}\S{1,100}\s{1,20}login\s{1,4}\S{1,100}\s{1,20}password\s{1,4}|\bidentified\s(?:with\s\S{1,40}\s)?by\s{1,4}')(?P<value>[^\s']{6,200})"),
    ("assigned", "password", r"(?i)\b(?:with|role\s\S{1,60})\s(?:encrypted\s)?password\s{1,4}'(?P<value>[^\s']{6,200})"),
    ("assigned", "auth", r"(?i)(?:[:_]auth|\"auth\\?\")\s{0,4}[:=]\s{0,4}\\?[\"']?(?P<value>[A-Za-z0-9+/=_\-]{12,4000})"),
    ("assigned", "key-data", r"(?i)client-key-data\\?[\"']?:\s{0,4}\\?[\"']?(?P<value>[A-Za-z0-9+/=]{16,20000})"),
    ("assigned", "</", rf"(?i)<(?:{_NAME})(?:\s[^<>]{{0,100}})?>(?P<value>[^<\s]{{6,400}})(?=</)"),
    ("assigned", "value", rf"(?i)(?:name|key)[\"']?[:=]\s{{0,4}}[\"']?[A-Z0-9_]{{0,60}}(?:{_NAME}|PASS|KEY)[\"']?,?\s{{1,40}}[\"']?value[\"']?[:=]\s{{0,9}}[\"']?(?P<value>[^\s\"']{{6,400}})"),
    ("assigned", "value", rf"(?i)(?:{_NAME})\\?[\"']?\s{{0,4}}:\s{{0,4}}\{{\s{{0,20}}\\?[\"']?value\\?[\"']?\s{{0,4}}:\s{{0,4}}\\?[\"'](?P<value>[^\"'\\]{{6,400}})"),
    ("assigned", "-passw -passphrase -passcode -pwd -secret -token -credential -api -access -private -auth -encryption -signing", rf"(?i)--(?:[a-z0-9]{{1,20}}-){{0,2}}(?:{_NAME})[ =][\"']?(?P<value>[^\s\"'-][^\s\"']{{5,400}})"),
    ("assigned", "curl", rf"curl\b[^\n|;]{{0,200}}?\s(?:-u|--user)[ =]?[\"']?[^\s:\"']{{1,100}}:{_OPEN}"),
    ("assigned", "mysql", rf"\bmysql(?:dump|admin)?\b[^\n|;]{{0,200}}?\s-p{_OPEN}"),
    ("assigned", "sshpass login mongo redis-cli ldap passin passout", rf"\b(?:pass(?:in|out)\s{{1,4}}pass:|(?:sshpass|login|mongo\w{{0,10}})\b[^\n|;]{{0,200}}?\s-p|redis-cli\b[^\n|;]{{0,200}}?\s-a|ldap\w{{1,10}}\b[^\n|;]{{0,200}}?\s-w)\s{{0,4}}{_OPEN}"),
    ("header", "cookie", r"(?i)\bcookie\\?[\"']?\s{0,4}:\s{0,4}\\?[\"']?(?P<value>[^\r\n\"'\\]{6,4000})"),
    ("header", "authorization api-key cookie", r"(?i)(?:authorization|api-key|cookie)\\?[\"']?\s{0,4}[:=]\s{0,4}\\?[\"']?(?:(?:bearer|basic|token|apikey|api-key|digest|key|sharedkey)\s{1,4})?(?P<value>[^\s\"'\\]{6,4000})"),
    ("header", "bearer", r"(?i)\bbearer\s{1,4}(?P<value>[A-Za-z0-9_.~+/=\-]{16,4000})"),
)  # fmt: skip
#: What is in a secret's place but is none: placeholders, types, references to variables, code.
_PLACEHOLDER = (
    r"(?i)(?:none|null|true|false|undefined|string|str|bytes|number|required|optional|example|changeme|redacted)(?![a-z0-9])"
    r"|(?:process|os|env|self|this|args|config|settings)\.|\*+$|x+$|\.+$|your[-_]|\$"
)
_CODE = frozenset("(){}<>[]|")
#: A password in quotes may hold any of these marks, but seldom begins with a bracket.
_QUOTED_CODE = r"^[(){<\[%]|\$\{|\{\{|\w\([^)]*\)"
_PEM_LABEL = r"[A-Z0-9 ]{0,60}PRIVATE KEY[A-Z ]{0,20}-----"
#: A private key: to its end, else to where its base64 stops; and the end of one whose beginning was cut off.
_PEM = (
    rf"-----BEGIN {_PEM_LABEL}(?:(?:(?!-----)[\s\S]){{0,20000}}-----END {_PEM_LABEL}|(?:[A-Za-z0-9+/=:,\s]|\\[nr])*)",
    rf"(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/=]{{1,100}}[ \t\r]{{0,8}}(?:\n|\\n)[ \t]{{0,8}}){{0,120}}[A-Za-z0-9+/=]{{0,100}}-----END {_PEM_LABEL}",
)
#: How much of a value is examined; the rest of a longer one is removed with it.
_MOST_VALUE, _REST = 400, re.compile(r"[^\s\"'`,]*")
#: Of a variable that holds a secret, and of one that only seems to.
_TELLING = ("key", "token", "secret", "passw", "credential", "auth", "cookie", "dsn", "private")
_HARMLESS = ("_FILE", "_PATH", "_DIR", "_URL", "_SOCK", "_SOCKET", "_ID", "_NAME", "_TYPE", "_ENABLED", "XAUTHORITY", "GPG_KEY")  # fmt: skip


def redact(
    text: str, environ: Mapping[str, str] | None = None, *, patterns: Iterable[str] = ()
) -> str:
    """`text` with every secret replaced by `[REDACTED:kind]`: those of `environ` too, and what the person's `patterns` match."""
    return _clean(text, secret_values(environ or {}), patterns)


def redact_record(
    record: dict[str, Any], environ: Mapping[str, str], *, patterns: Iterable[str] = ()
) -> dict[str, Any]:
    """A record with every text in it redacted."""
    values, own, texts = secret_values(environ), tuple(patterns), list[str]()
    _each(record, texts.append)
    whole = "\n\0\n".join(texts)
    # One look at all of it: nearly always there is none. A pattern of the person's may be anchored to a text's ends.
    if not own and _clean(whole, values, ()) == whole:
        return record
    cleaned: dict[str, Any] = _each(record, lambda text: _clean(text, values, own))
    return cleaned


def _each(value: Any, change: Callable[[str], object]) -> Any:
    """A record with each text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: _each(item, change) for key, item in value.items()}
    return [_each(item, change) for item in value] if isinstance(value, list | tuple) else value


def secret_values(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The values of `environ` that look like secrets by their variable's name, longest first; short ones are left out."""
    found = {
        value
        for name, value in environ.items()
        if len(value) >= 8
        and any(word in name.lower() for word in _TELLING)
        and not name.upper().endswith(_HARMLESS)
        and not value.isalpha()
    }
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


def _clean(text: str, values: Iterable[str], patterns: Iterable[str]) -> str:
    for _ in range(8):  # the text around a removed secret may form another
        before, text = text, _once(text, values)
        if text == before:
            break
    for pattern in patterns:
        text = re.sub(pattern, "[REDACTED:configured]", text)
    return text


def _once(text: str, values: Iterable[str]) -> str:
    for value in values:
        text = text.replace(value, "[REDACTED:environment]")
    if "PRIVATE KEY" in text:
        for pattern in _PEM:
            text = re.sub(pattern, "[REDACTED:private-key]", text)
    for kind, signs, rest in _TOKENS:
        found = [sign for sign in signs.split() if sign in text]
        if found:
            begins = "|".join(map(re.escape, found))
            text = re.sub(rf"(?<![A-Za-z])(?:{begins}){rest}", f"[REDACTED:{kind}]", text)
    low = text.lower()
    for kind, signs, pattern in _VALUES:
        if any(sign in low for sign in signs.split()):
            text = _without_values(re.compile(pattern), f"[REDACTED:{kind}]", text)
    return text


def _without_values(pattern: re.Pattern[str], mark: str, text: str) -> str:
    """Not `sub`: what looked like a value and is none may be the name of the next (`secret: access_key = …`)."""
    out: list[str] = []
    at = 0
    while (match := pattern.search(text, at)) is not None:
        start, end = match.span(match.lastgroup or 0)
        if _is_secret(match):
            out += (text[at:start], mark)
            rest = _REST.match(text, end) if end - start >= _MOST_VALUE else None
            at = rest.end() if rest else start + len(text[start:end].rstrip(";&'"))
        else:
            out.append(text[at:start])
            at = start
    return "".join(out) + text[at:]


def _is_secret(match: re.Match[str]) -> bool:
    """`token: string` and `token_count: 12345678` are none; `password: hunter22` and `secret = "correct horse"` are."""
    found = match.groupdict()
    quoted, name = found.get("quoted"), (found.get("name") or "").lower()
    value = quoted or found["value"]
    letters = set(value)  # each once: a long value is looked at again for every name in it
    code = re.search(_QUOTED_CODE, value) if quoted else _CODE & letters
    if code or "REDACTED:" in value or re.match(_PLACEHOLDER, value):
        return False
    if not name:
        return True
    if name.startswith(("pass", "pwd", "pw")):
        marked = any(not ch.isalpha() and ch not in "._;&" for ch in letters)
        # `password=correcthorse`, and no name of a variable
        bare = found.get("op") == "=" and len(value) >= 8 and value.isalpha() and value.islower()
        return bool(quoted) or marked or (bare and not value.startswith("pass"))
    if len(value) < 8 or not any(map(str.isalpha, letters)):
        return False
    if quoted or any(map(str.isdigit, letters)):
        return True
    # One AWS key in a thousand has no digit; a name in CamelCase has fewer capitals than drawn letters have.
    return len(value) >= 20 and 0.3 <= sum(map(str.isupper, value)) / len(value) <= 0.7
