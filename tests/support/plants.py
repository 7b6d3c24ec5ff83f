"""
Secrets of the common kinds, made up and planted; and the search for what is left of them.

Each is put together at run time, so that no scanner takes this file for a leak, and differs by kind and place, so that a
leak tells where it came from.
"""

import base64
import json
import random
import string
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_B64 = _ALNUM + "+/"


def _of(chance: random.Random, letters: str, length: int) -> str:
    return "".join(chance.choice(letters) for _ in range(length))


def _pem(chance: random.Random) -> tuple[str, str]:
    body = "\n".join(_of(chance, _B64, 64) for _ in range(12))
    return f"-----BEGIN RSA PRIVATE {'KEY'}-----\n{body}\n-----END RSA PRIVATE {'KEY'}-----", body


def _jwt(chance: random.Random) -> tuple[str, str]:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256"}').decode().rstrip("=")
    claims = json.dumps({"sub": _of(chance, _ALNUM, 20)}).encode()
    body = base64.urlsafe_b64encode(claims).decode().rstrip("=")
    signed = _of(chance, _ALNUM, 43)
    return f"{head}.{body}.{signed}", signed


def _plain(
    prefix: str, letters: str, length: int, before: str = "", after: str = ""
) -> Callable[[random.Random], tuple[str, str]]:
    def make(chance: random.Random) -> tuple[str, str]:
        secret = _of(chance, letters, length)
        # A password of letters alone is a word: what people generate has a digit in it.
        secret = secret[:-1] + chance.choice("23456789") if letters == _ALNUM else secret
        return f"{before}{prefix}{secret}{after}", secret

    return make


#: kind -> a maker of (the text as it is found, the part that must not leave)
KINDS: dict[str, Callable[[random.Random], tuple[str, str]]] = {
    "anthropic": _plain("sk-ant-" + "api03-", _ALNUM, 90),
    "openai": _plain("sk-" + "proj-", _ALNUM, 48),
    "aws id": _plain("AKIA", string.ascii_uppercase + string.digits, 16),
    "aws secret": _plain("", _B64, 40, before="aws_secret_access_key = "),
    "github": _plain("ghp_", _ALNUM, 36),
    "github fine": _plain("github_pat_", _ALNUM, 60),
    "gitlab": _plain("glpat-", _ALNUM, 20),
    "slack": _plain("xoxb-" + "123456789012-", _ALNUM, 24),
    "slack hook": _plain("https://hooks.slack.com/services/" + "T0ABCDEFG/B0ABCDEFG/", _ALNUM, 24),
    "stripe": _plain("sk_live_", _ALNUM, 24),
    "google": _plain("AIza", _ALNUM, 35),
    "jwt": _jwt,
    "npm": _plain("npm_", _ALNUM, 36),
    "pypi": _plain("pypi-", _ALNUM, 100),
    "huggingface": _plain("hf_", _ALNUM, 34),
    "sendgrid": _plain("SG.abcdefghijklmnopqrstuv.", _ALNUM, 43),
    "telegram": _plain("1234567890" + ":AA", _ALNUM, 33),
    "digitalocean": _plain("dop_v1_", _HEX, 64),
    "vault": _plain("hvs.", _ALNUM, 24),
    "azure": _plain("", _B64, 86, "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=", "=="),
    "url password": _plain("", _ALNUM, 18, before="postgres://app:", after="@db.internal/app"),
    "password": _plain("", _ALNUM, 18, before='password: "', after='"'),
    "env file": _plain("", _ALNUM, 30, before="DATABASE_PASSWORD="),
    "json": _plain("", _ALNUM, 30, before='{"client_secret": "', after='"}'),
    "header": _plain("", _ALNUM, 40, before="Authorization: Bearer "),
    "basic": _plain("", _ALNUM, 32, before="Authorization: Basic "),
    "flag": _plain("", _ALNUM, 24, before="mytool --api-key "),
    "pem": _pem,
}
#: Kinds that can be part of a file's name.
IN_NAMES = ["anthropic", "openai", "aws id", "github", "gitlab", "slack", "stripe", "google", "npm", "huggingface", "jwt", "vault"]  # fmt: skip


@dataclass(frozen=True)
class Plant:
    kind: str
    place: str
    text: str
    core: str

    def pieces(self) -> Iterator[str]:
        """What must not be left of it: every twelve letters of a line, in steps of four."""
        for line in self.core.split("\n"):
            yield from (line[at : at + 12] for at in range(0, max(len(line) - 12, 0) + 1, 4))


class Plants:
    """All secrets of one scene. `at(place)` is a text with one of each kind."""

    def __init__(self) -> None:
        self.all: list[Plant] = []

    def one(self, kind: str, place: str) -> str:
        chance = random.Random(zlib.crc32(f"{kind}/{place}".encode()))
        text, core = KINDS[kind](chance)
        self.all.append(Plant(kind, place, text, core))
        return text

    def at(self, place: str, kinds: Iterable[str] = KINDS) -> str:
        notes = (f"note {n}: {self.one(kind, place)} ." for n, kind in enumerate(kinds))
        return "\n".join(notes)

    def leaks(self, texts: Iterable[tuple[str, str]]) -> list[str]:
        """(where, text) -> what of which secret stands there."""
        planted = {piece: plant for plant in self.all for piece in plant.pieces()}
        assert {len(piece) for piece in planted} == {12}
        found = {}
        for where, text in texts:
            for at in range(len(text) - 11):
                if plant := planted.get(text[at : at + 12]):
                    found[f"{plant.kind} of {plant.place} in {where}"] = text[at : at + 12]
        return [f"{what}: {piece}" for what, piece in found.items()]


def files_below(
    *folders: Path, apart_from: Callable[[Path], bool] = lambda _: False
) -> Iterator[tuple[str, str]]:
    """Every file as text, with its name, which may tell a secret too."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not apart_from(path):
                text = f"{path.name}\n{path.read_bytes().decode('latin-1')}"
                yield str(path.relative_to(folder.parent)), text
