"""
Secrets out, before anything is stored, shown to a model or written to the playbook.

Three nets: known shapes (vendor prefixes, PEM, JWT, URLs with a password), assignments (`password=…`, `"api_key": "…"`,
`Authorization: Bearer …`), and the *values* of this process's own secret-looking environment variables. Each pattern is
tried only where its literal is found, and each is linear: nothing before the literal is matched with a repeat.

A net has holes. SECURITY.md says what is not caught.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

_T = r"[A-Za-z0-9_\-]"
#: What stands for a secret of each shape, and the shape: kind, what every match holds one of, the pattern.
_SHAPES = (
    ("anthropic-key", "sk-ant-", rf"sk-ant-{_T}{{16,300}}"),
    ("openai-key", "sk-", rf"\bsk-(?:proj-|svcacct-|admin-|or-v1-)?{_T}{{20,300}}"),
    ("aws-key-id", "AKIA|ASIA|AROA|AIDA", r"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b"),
    ("github-token", "ghp_|gho_|ghu_|ghs_|ghr_", r"\bgh[pousr]_[A-Za-z0-9]{20,255}"),
    ("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{20,255}"),
    (
        "gitlab-token",
        "glpat-|glptt-|gldt-|glrt-|glcbt-|glsoat-|glft-|glimt-|glagent-",
        rf"\bgl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent)-{_T}{{16,255}}",
    ),
    ("slack-token", "xox|xapp-", r"\b(?:xox[abeoprs]|xapp)-[A-Za-z0-9\-]{10,255}"),
    (
        "slack-webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_\-]{20,200}",
    ),
    ("discord-webhook", "/api/webhooks/", rf"/api/webhooks/\d{{10,25}}/{_T}{{30,200}}"),
    (
        "stripe-key",
        "_live_|_test_|whsec_",
        r"\b(?:(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,200}|whsec_[A-Za-z0-9+/=]{16,200})",
    ),
    ("google-key", "AIza", rf"AIza{_T}{{30,60}}"),
    (
        "google-oauth",
        "ya29.|GOCSPX-",
        rf"(?:ya29\.[A-Za-z0-9_.\-]{{20,2000}}|GOCSPX-{_T}{{20,60}})",
    ),
    (
        "jwt",
        "eyJ",
        r"\beyJ[A-Za-z0-9_\-]{8,4000}\.[A-Za-z0-9_\-]{8,8000}(?:\.[A-Za-z0-9_\-]{4,2000})?",
    ),
    ("npm-token", "npm_", r"\bnpm_[A-Za-z0-9]{30,100}"),
    ("pypi-token", "pypi-", rf"\bpypi-{_T}{{40,1000}}"),
    ("huggingface-token", "hf_", r"\bhf_[A-Za-z0-9]{20,100}"),
    ("sendgrid-key", "SG.", rf"\bSG\.{_T}{{16,64}}\.{_T}{{16,128}}"),
    ("twilio-key", "SK|AC", r"\b(?:SK|AC)[0-9a-f]{32}\b"),
    ("telegram-token", ":AA", rf"\b\d{{8,12}}:AA{_T}{{30,60}}"),
    ("digitalocean-token", "dop_v1_|doo_v1_|dor_v1_", r"\bdo[opr]_v1_[a-f0-9]{32,128}"),
    ("databricks-token", "dapi", r"\bdapi[a-f0-9]{32}(?:-\d)?\b"),
    (
        "shopify-token",
        "shpat_|shpca_|shppa_|shpss_",
        r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b",
    ),
    ("linear-key", "lin_api_", r"\blin_api_[A-Za-z0-9]{20,100}"),
    (
        "notion-key",
        "ntn_|secret_",
        r"\b(?:ntn_[A-Za-z0-9]{30,100}|secret_[A-Za-z0-9]{40,60})\b",
    ),
    ("groq-key", "gsk_", r"\bgsk_[A-Za-z0-9]{30,100}"),
    ("xai-key", "xai-", r"\bxai-[A-Za-z0-9]{30,200}"),
    ("replicate-token", "r8_", r"\br8_[A-Za-z0-9]{30,100}"),
    ("vault-token", "hvs.|hvb.", rf"\bhv[sb]\.{_T}{{20,300}}"),
    (
        "doppler-token",
        "dp.pt.|dp.st.|dp.ct.|dp.sa.|dp.scim.|dp.audit.",
        r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._\-]{30,200}",
    ),
    (
        "azure-key",
        "Key=|sig=",
        r"(?<=Key=)[A-Za-z0-9+/=]{30,200}|(?<=[?&]sig=)[A-Za-z0-9%+/=]{30,200}",
    ),
    ("age-key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[A-Z0-9]{40,80}"),
    ("url-password", "://", r"(?<=://)[^\s/:@\"'<>]{0,100}:[^\s/@\"'<>]{3,200}(?=@)"),
)

_WORDS = ("password", "passwd", "passphrase", "pwd", "secret", "token", "api_key", "apikey", "api-key", "access_key", "accesskey", "access-key",
          "private_key", "privatekey", "private-key", "credential", "auth_key", "authkey", "encryption_key", "signing_key")  # fmt: skip
# Patterns are compiled where a text holds what they are for: most texts of a hook hold none of it.
#: What stands behind one of the words where something is assigned to it.
_ASSIGNED = (
    r"(?i)[A-Za-z0-9_.\-]{0,40}\\?[\"']?\s{0,4}(?:=>|:=|[:=])\s{0,4}"
    r"(?:(?P<quote>\\?[\"'`])(?P<quoted>[^\"'`\\\n]{6,400})|(?P<bare>[^\s\"'`,;&\\]{6,400}))"
)
#: What may stand between one of the words and its `=` or `:`; at most so many characters.
_NAMES_REST = "abcdefghijklmnopqrstuvwxyz0123456789_.-\\\"' "
_LONGEST_REST = 48
#: Where else a value follows a name: what stands for it, what every match holds one of, the pattern.
_NAMED_VALUES = (
    ("assigned", "--", rf"(?i)--(?:{'|'.join(_WORDS)})[ =](?P<value>[^\s\"'-][^\s\"']{{5,400}})"),
    (
        "header",
        "authorization|api-key|cookie",
        (
            r"(?i)(?:authorization|x-api-key|api-key|cookie|set-cookie)\\?[\"']?\s{0,4}[:=]\s{0,4}\\?[\"']?"
            r"(?:(?:bearer|basic|token)\s{1,4})?(?P<value>[^\s\"'\\]{6,4000})"
        ),
    ),
    ("header", "bearer", r"(?i)\bbearer\s{1,4}(?P<value>[A-Za-z0-9_.~+/=\-]{16,4000})"),
)
#: What stands where a secret would, and is none: code, placeholders, types, references to a variable.
_PLACEHOLDER = r"^(?:none|null|true|false|undefined|string|str|bytes|number|required|optional|example|changeme|redacted|process\.|os\.|env\.|self\.|this\.|args\.|config\.|settings\.|\*+$|x+$|\.+$|your[-_])"
_NO_SECRET = rf"(?i)[(){{}}<>\[\]|]|^\$|{_PLACEHOLDER}"
#: The same for a value in quotes: a password may hold any mark, but seldom begins with a bracket.
_NO_QUOTED_SECRET = rf"(?i)^[(){{<\[$%]|\$\{{|\{{\{{|\w\([^)]*\)|{_PLACEHOLDER}"
_BASE64 = r"(?:[A-Za-z0-9+/=:,\s\-]|\\[nr])*"
#: Of a text that is read backwards.
_BASE64_BEFORE = r"(?:[ \t]{0,8}(?:\n|n\\))?(?:[A-Za-z0-9+/=]{1,100}[ \t]{0,8}(?:\r?\n|n\\|\Z))*[A-Za-z0-9+/=]{0,100}"
_PRIVATE = r"(?is)<private>.*?(?:</private>|\Z)"
_MARK = r"(\[REDACTED:[a-z\-]{1,40}\])"
_BETWEEN = "\n\x1e\n"
_CONFIGURED = "[REDACTED:configured]"
_MOST_NESTED = 8
_PEM_BEGIN, _PEM_END, _PEM_MARK = "-----BEGIN ", "-----END ", "[REDACTED:private-key]"
_CAPITALS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789")
#: Of a variable that holds a secret; `hooks.prompt_text`, which cannot afford this module, has them too.
_TELLING_NAMES = (
    "key",
    "token",
    "secret",
    "passw",
    "credential",
    "auth",
    "cookie",
    "dsn",
    "private",
)
_HARMLESS_NAME = r"(?i)(?:_FILE|_PATH|_DIR|_URL|_SOCK|_SOCKET|_ID|_NAME|_TYPE|_ENABLED)$|^(?:SSH_AUTH_SOCK|XAUTHORITY|GPG_KEY)$"


def redact(
    text: str,
    environ: Mapping[str, str] | None = None,
    *,
    patterns: Iterable[re.Pattern[str]] = (),
) -> str:
    """
    `text` with every secret replaced by `[REDACTED:kind]`.

    `environ`: values of its secret-looking variables are removed wherever they stand. `patterns`: the user's own.
    """
    if not text:
        return text
    for value in secret_values(environ) if environ else ():
        if value in text:
            text = _without_value(value, text)
    for _ in range(_MOST_NESTED):
        if _PEM_BEGIN not in text and _PEM_END not in text:
            break
        whole, text = (
            text,
            _without_pem(text),
        )  # one that stood in another's first line shows when that is gone
        if text == whole:
            break
    for kind, held, shape in _SHAPES:
        if any(literal in text for literal in held.split("|")):
            text = re.sub(shape, f"[REDACTED:{kind}]", text)
    text = _without_assigned(text)
    for pattern in patterns:
        text = pattern.sub(_CONFIGURED, text)
    return text


def secret_values(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The values of `environ` that look like secrets by their variable's name, longest first; short ones are left out."""
    found = {
        value
        for name, value in environ.items()
        if len(value) >= 8
        and any(word in name.lower() for word in _TELLING_NAMES)
        and not re.search(_HARMLESS_NAME, name)
        and not value.isalpha()
    }
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


def redact_record(
    record: dict[str, Any], environ: Mapping[str, str], *, patterns: Iterable[str] = ()
) -> dict[str, Any]:
    """
    A record with every text in it without secrets. All texts go through `redact` as one, for its cost is by the call and a
    record has hundreds; a mark between them, which no pattern of ours crosses, tells them apart again. The user's own
    `patterns`, as they are written, are asked of each text.
    """
    together = _texts_in(record)
    whole = _BETWEEN.join(together)
    clean = redact(whole, environ)
    cleaned = clean.split(_BETWEEN)
    if len(cleaned) != len(
        together
    ):  # a secret over several lines was begun in one text and ended in another
        cleaned = [redact(text, environ) for text in together]
    for pattern in configured(patterns):
        cleaned = [pattern.sub(_CONFIGURED, text) for text in cleaned]
    if cleaned == together:
        return record
    found: dict[str, Any] = _replaced(record, dict(zip(together, cleaned, strict=True)))
    return found


def configured(patterns: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    """The user's own patterns (`redaction.patterns`), ready for `redact`. They were tried when the settings were read."""
    return tuple(map(re.compile, patterns))


def _texts_in(record: Any) -> list[str]:
    """Every text in it once."""
    texts: dict[str, None] = {}
    left = [record]
    while left:
        value = left.pop()
        if isinstance(value, str):
            texts[value] = None
        elif isinstance(value, dict):
            left.extend(value.values())
        elif isinstance(value, (list, tuple)):
            left.extend(value)
    return list(texts)


def _replaced(value: Any, texts: dict[str, str]) -> Any:
    if isinstance(value, str):
        return texts[value]
    if isinstance(value, dict):
        return {key: _replaced(item, texts) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_replaced(item, texts) for item in value]
    return value


def without_private(text: str) -> str:
    """`text` without what the person put between `<private>` and `</private>`, or after a mark that nothing closes."""
    return re.sub(_PRIVATE, "[private]", text) if "<" in text else text


def _without_value(value: str, text: str) -> str:
    """A mark is left whole, also where the value's first or last letters are the mark's."""
    pieces = re.split(_MARK, text)
    pieces[::2] = (piece.replace(value, "[REDACTED:environment]") for piece in pieces[::2])
    return "".join(pieces)


def _without_assigned(text: str) -> str:
    text = _each_assigned(text)
    low = text.lower()
    for kind, held, pattern in _NAMED_VALUES:
        if any(literal in low for literal in held.split("|")):
            text = _each_value(re.compile(pattern), f"[REDACTED:{kind}]", text)
    return text


def _each_value(pattern: re.Pattern[str], mark: str, text: str) -> str:
    """Not `sub`, as below: `--token ${X}--token …`."""
    out: list[str] = []
    at = 0
    while (match := pattern.search(text, at)) is not None:
        start, end = match.span("value")
        if "REDACTED:" in match["value"] or re.search(_NO_SECRET, match["value"]):
            end = start
        out += (text[at:start], mark if end > start else "")
        at = end
    return "".join(out) + text[at:] if out else text


def _each_assigned(text: str) -> str:
    """Not `sub`: what looked like a value and is none may be the name of the next (`secret: access_key = …`)."""
    out: list[str] = []
    at = 0
    for place, word in _named(text):
        behind = place + len(word)
        match = re.compile(_ASSIGNED).match(text, behind) if place >= at else None
        if match is None:
            continue
        start, end = match.span("quoted" if match["quote"] else "bare")
        if _is_secret(word, match):
            out += (text[at:start], "[REDACTED:assigned]")
            at = end
        else:
            out.append(text[at:start])
            at = start
    return "".join(out) + text[at:] if out else text


def _named(text: str) -> list[tuple[int, str]]:
    """Where one of the words stands before a `=` or `:`, in order, and which; none of them begins another."""
    low = text.lower()
    if len(low) != len(text):  # a letter that is two in lower case
        low = "".join(one if len(one) == 1 else "?" for one in map(str.lower, text))
    found = []
    for word in _WORDS:
        at = low.find(word)
        while at >= 0:
            end = at + len(word)
            if low[end : end + _LONGEST_REST].lstrip(_NAMES_REST).lstrip().startswith(("=", ":")):
                found.append((at, word))
            at = low.find(word, end)
    return sorted(found)


def _is_secret(word: str, match: re.Match[str]) -> bool:
    value, quoted = match["quoted"] or match["bare"], bool(match["quote"])
    if "REDACTED:" in value or not _could_be_secret(word, value, quoted=quoted):
        return False
    return not re.search(_NO_QUOTED_SECRET if quoted else _NO_SECRET, value)


def _could_be_secret(name: str, value: str, *, quoted: bool) -> bool:
    """`token: string` and `token_count: 12345678` are none; `password: hunter22` and `secret = "correct horse"` are."""
    letters = set(
        value
    )  # each once: of `secret=token=secret=…` every word has the rest for its value
    if name in {"password", "passwd", "passphrase", "pwd"}:
        return quoted or any(
            ch.isdigit() or (not ch.isalnum() and ch not in "._") for ch in letters
        )
    if len(value) < 8 or not any(ch.isalpha() for ch in letters):
        return False
    if quoted or any(ch.isdigit() for ch in letters):
        return True
    # One AWS key in a thousand has no digit; a name in CamelCase has fewer capitals than drawn letters have.
    capitals = sum(value.count(ch) for ch in letters if ch.isupper())
    return len(value) >= 20 and 0.3 <= capitals / len(value) <= 0.7


def _without_pem(text: str) -> str:
    """Private key blocks, complete or cut off. By hand: a lazy regex would read to the end for every BEGIN without an END."""
    out, at = [], 0
    while (begin := text.find(_PEM_BEGIN, at)) >= 0:
        head_end = text.find("-----", begin + len(_PEM_BEGIN))
        if head_end < 0 or not _is_label(text[begin + len(_PEM_BEGIN) : head_end]):
            out.append(text[at : begin + len(_PEM_BEGIN)])
            at = begin + len(_PEM_BEGIN)
            continue
        end = text.find(_PEM_END, head_end, head_end + 20_000)
        stop = (
            text.find("-----", end + len(_PEM_END)) + 5
            if end >= 0
            else _end_of_base64(text, head_end + 5)
        )
        out.append(text[at:begin] + _PEM_MARK)
        at = max(stop, head_end + 5)
    return _without_pem_ends("".join(out) + text[at:])


def _without_pem_ends(text: str) -> str:
    """The ends of private key blocks whose beginning was cut off."""
    out, at = [], 0
    while (end := text.find(_PEM_END, at)) >= 0:
        stop = text.find("-----", end + len(_PEM_END), end + 200)
        if stop < 0 or not _is_label(text[end + len(_PEM_END) : stop]):
            out.append(text[at : end + len(_PEM_END)])
            at = end + len(_PEM_END)
            continue
        body = re.match(_BASE64_BEFORE, text[max(at, end - 20_000) : end][::-1])
        out.append(text[at : end - (body.end() if body else 0)] + _PEM_MARK)
        at = stop + 5
    return "".join(out) + text[at:]


def _is_label(text: str) -> bool:
    """`RSA PRIVATE KEY`, `PGP PRIVATE KEY BLOCK`; capitals only, or what stands for another secret could make it one."""
    text = text.replace(_PEM_MARK, "")
    return len(text) <= 70 and "PRIVATE KEY" in text and _CAPITALS.issuperset(text)


def _end_of_base64(text: str, at: int) -> int:
    match = re.compile(_BASE64).match(text, at)
    return match.end() if match else at
