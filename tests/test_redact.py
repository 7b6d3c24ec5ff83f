"""Secrets never leave; ordinary text stays as it is."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.redact import _WORDS, redact, secret_values

# Shapes of twenty common kinds, put together at run time so that no scanner takes this file for a leak.
ALNUM = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"
PLANTED = {
    "anthropic": "sk-ant-" + "api03-" + ALNUM,
    "openai": "sk-" + "proj-" + ALNUM,
    "aws id": "AKIA" + "IOSFODNN7EXAMPLE",
    "aws secret": "aws_secret_access_key = " + "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzzKEY",
    "github": "ghp_" + ALNUM,
    "github fine": "github_pat_" + ALNUM,
    "gitlab": "glpat-" + ALNUM[:20],
    "slack": "xoxb-" + "123456789012-" + ALNUM[:24],
    "stripe": "sk_live_" + ALNUM[:24],
    "google": "AIza" + ALNUM[:35],
    "jwt": "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0" + ".dozjgNryP4J3jVmNHl0w5N",
    "npm": "npm_" + ALNUM,
    "pypi": "pypi-" + ALNUM + ALNUM,
    "huggingface": "hf_" + ALNUM[:34],
    "sendgrid": "SG." + ALNUM[:22] + "." + ALNUM,
    "telegram": "123456789" + ":AA" + ALNUM[:33],
    "url password": "postgres://app:" + "hunter22@db.internal/app",
    "assigned": 'password: "' + 'correct horse battery"',
    "header": "Authorization: Bearer " + ALNUM,
    "pem": "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE KEY-----",
    "digitalocean": "dop_v1_" + "0123456789abcdef" * 4,
    "vault": "hvs." + ALNUM,
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_secret_of_each_common_kind_is_replaced(kind):
    secret = PLANTED[kind]

    clean = redact(f"before {secret} after")

    core = (
        secret.split("=")[-1].split("://")[-1].strip(' "')[-12:]
        if kind != "url password"
        else "hunter22"
    )
    assert core not in clean
    assert "[REDACTED:" in clean
    assert clean.startswith("before ")


@pytest.mark.parametrize(
    "text",
    [
        "max_tokens: 4096",
        "const token = getToken(request)",
        "token: string | null",
        "password = os.environ['DB_PASSWORD']",
        "see https://example.com/a/b?x=1#token",
        "commit 3b1f0a9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a",
        "2 failed, 10 passed in 0.4s",
        "def reset_password(user): ...",
        "the secret of good tests",
        "tokens used: 123456",
    ],
)
def test_ordinary_text_stays_as_it_is(text):
    assert redact(text) == text


def test_values_of_secret_looking_variables_are_removed_wherever_they_stand():
    environ = {
        "DEPLOY_TOKEN": "plain9word",
        "PATH": "/usr/bin",
        "EDITOR": "vim",
        "SSH_AUTH_SOCK": "/tmp/agent.1234",
    }

    assert secret_values(environ) == ("plain9word",)
    assert (
        redact("curl -u me:plain9word /tmp/agent.1234", environ)
        == "curl -u me:[REDACTED:environment] /tmp/agent.1234"
    )


def test_a_key_block_that_is_cut_off_is_removed_to_its_end():
    cut = "x\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\nAAAAB3NzaC1yc2E"

    assert redact(cut) == "x\n[REDACTED:private-key]"


@given(st.text(), st.sampled_from(sorted(PLANTED)), st.text())
def test_a_planted_key_never_survives_whatever_stands_around_it(before, kind, after):
    # A letter or digit glued to a key makes another word of it; a separator is what real text has.
    clean = redact(f"{before}\n{PLANTED[kind]}\n{after}")

    assert PLANTED[kind] not in clean


@pytest.mark.parametrize(
    "hostile",
    [
        "password",
        "password=",
        "a:b@",
        "://",
        "://a:",
        "eyJ",
        "bearer ",
        "sk-",
        "-----BEGIN PRIVATE KEY-----",
        "token:\\",
        "api_key: '",
        "-",
        "xox",
        "--token ${",
        "--token " + "{" + "x" * 399,
        "cookie:{",
        "cookie: {" + "x" * 3_000,
        "bearer aaaaaaaaaaaaaaaa(",
        "-----END RSA PRIVATE KEY",
    ],
)
def test_no_pattern_backtracks_on_hostile_input(hostile):
    text = hostile * (200_000 // len(hostile))
    started = time.process_time()

    redact(text)

    assert time.process_time() - started < 5


def _fastest(text: str) -> float:
    times = []
    for _ in range(3):
        started = time.process_time()
        redact(text)
        times.append(time.process_time() - started)
    return min(times)


@pytest.mark.parametrize("chain", ["secret=token=", "api_key:secret:", "secret='token='"])
def test_a_word_whose_value_is_the_next_word_costs_little_more_than_one_without_a_value(chain):
    """Each of 20,000 words has the 400 characters behind it for its value, and none of them is a secret."""
    _fastest("secret=token=")  # compiled

    assert _fastest(chain * 10_000) < 20 * _fastest("secret_token " * 10_000)


@pytest.mark.parametrize(
    ("value", "secret"),
    [
        ("aaaaaaaaaaaaaaaaaaaaaaaaaaaa", False),
        ("AAAAAAAAAAAAAAAAAAAAAAAAAAAA", False),
        ("aaaaaaaaaaaaaaaAAAAAAAAAAAAA", True),
        ("aaaaaaaaaaaaaaaaaaaaAAAAAAAA", False),
        ("aaaaaaaaaaaaaaaaaaaAAAAAAAAA", True),
        ("AAAAAAAAAAAAAAAAAAAAAaaaaaaa", False),
        ("AAAAAAAAAAAAAAAAAAAAaaaaaaaa", False),
        ("AAAAAAAAAAAAAAAAAAAaaaaaaaaa", True),
        ("aaaaaaaaaAAAAAAAAAA", False),
        ("aaaaaaaaaaAAAAAAAAAA", True),
        ("aaaaaaa1", True),
        ("aaaaaa1", False),
        ("12345678", False),
    ],
)
def test_how_often_a_letter_stands_there_counts_and_not_only_which(value, secret):
    assert ("REDACTED" in redact(f"secret={value} and so on")) is secret


def test_the_persons_own_patterns_are_applied():
    import re

    assert (
        redact("ticket ACME-1234", patterns=[re.compile(r"ACME-\d+")])
        == "ticket [REDACTED:configured]"
    )


#: The whole of what is looked for, as one expression: a word, what may stand behind it, the sign and the value.
_WHOLE = re.compile(
    rf"(?P<name>{'|'.join(_WORDS)})(?P<rest>[A-Za-z0-9_.\-]{{0,40}})(?P<eq>\\?[\"']?\s{{0,4}}(?:=>|:=|[:=])\s{{0,4}})"
    r"(?:(?P<quote>\\?[\"'`])(?P<quoted>[^\"'`\\\n]{6,400})|(?P<bare>[^\s\"'`,;&\\]{6,400}))",
    re.IGNORECASE,
)


@given(
    st.sampled_from(_WORDS),
    st.text(alphabet="aZ09_.-", max_size=42),
    st.sampled_from(["", '"', '\\"', "'"]),
    st.text(alphabet=" \t\n\xa0", max_size=5),
    st.sampled_from(["=", ":", "=>", ":=", "", "-", "|"]),
    st.sampled_from([" hunter22x9", ' "correct horse 9"', "hunter22x9"]),
)
def test_a_value_that_is_assigned_to_one_of_the_words_is_removed(
    word: str, rest: str, quote: str, space: str, sign: str, value: str
) -> None:
    text = f"so the {word.upper()}{rest}{quote}{space}{sign}{value} of it"
    found = _WHOLE.search(text)
    secret = found[found.lastgroup or "bare"] if found else ""
    assert ("[REDACTED" in redact(text)) is any(ch.isdigit() for ch in secret)


def test_a_letter_that_is_longer_in_lower_case_hides_nothing() -> None:
    assert "hunter22x9" not in redact("İİİ password=hunter22x9 İ")


def test_none_of_the_words_begins_another() -> None:
    assert not [
        (one, other) for one in _WORDS for other in _WORDS if one != other and other.startswith(one)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN -----END RSA PRIVATE KEY-----RSA PRIVATE KEY-----",
        "-----BEGIN -----BEGIN -----END EC PRIVATE KEY-----EC PRIVATE KEY-----PRIVATE KEY-----\nMIIabcd\n",
    ],
)
def test_marks_of_keys_in_one_another_leave_none_that_shows_later(text: str) -> None:
    once = redact(text)
    assert redact(once) == once
    assert "MIIabcd" not in once


@pytest.mark.parametrize(
    ("text", "environ"),
    [
        # What stands for the secret makes the line of a key's beginning or end short enough to be one.
        (
            "-----BEGIN api_key: aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9jK2mN5pQ8sT1vW4yZ7RSA PRIVATE KEY----- x",
            {},
        ),
        (
            "-----END Authorization: Bearer aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9jK2m(RSA PRIVATE KEY----- x",
            {},
        ),
        # What was passed over as no value holds the next one's name.
        ("Authorization: Bearer --token @h</private>a+0--token api_key: }x1a", {}),
        ("cookie: --token None*x1&>{--token api_key: RSA PRIVATE KEY-----", {}),
        ("curl --password ${A}--password=hunter22x", {}),
        # A variable's value begins or ends as a mark does.
        ('"token": "hunter22x9"]</private>', {"SECRET": "]</private>"}),
        ('Authorization: Bearer "token": "AKIAsecretsecretAKIAa"', {"X_TOKEN": '"token": "['}),
        ("ED:assigned] password=hunter22x9", {"X_TOKEN": "ED:assigned]"}),
    ],
)
def test_what_is_redacted_once_stays_as_it_is(text: str, environ: dict[str, str]) -> None:
    once = redact(text, environ)
    assert redact(once, environ) == once


@pytest.mark.parametrize(
    "text",
    [
        "curl --password ${A}--password=hunter22x",
        "cookie: None,cookie:s1d9f8a7b6c5",
        "--token (x)--token hunter22x",
    ],
)
def test_what_is_no_value_hides_none_behind_it(text: str) -> None:
    assert "[REDACTED:" in redact(text)
    assert "hunter22x" not in redact(text)
    assert "s1d9f8a7b6c5" not in redact(text)


@pytest.mark.parametrize(
    ("line", "hidden"),
    [
        ("aws_secret_access_key = " + "XddQBZZNQLfEgjNDtVGJ" + "jYIeKCkybyXQtUMqNXWx", True),
        ("client_secret: " + "qPzRtYuIoAsDfGhJkLmN", True),
        ("access_token = AuthorizationTokenProviderFactory", False),
        ("secret = DEFAULT_SECRET_NAME_OF_THE_VAULT", False),
        ("password_token: resetpasswordtokengenerator", False),
    ],
)
def test_a_secret_of_letters_only_is_known_by_its_capitals(line: str, hidden: bool) -> None:
    assert ("[REDACTED:" in redact(line)) is hidden
