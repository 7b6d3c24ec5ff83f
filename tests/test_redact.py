"""Secrets never leave; ordinary text stays as it is. (Of every kind, in every place: `security/test_secrets.py`.)"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.redact import redact, redact_record, secret_values
from ace_reflect.text import without_private
from support.plants import KINDS, Plants

# Put together at run time, so that no scanner takes this file for a leak.
ALNUM = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"
NAMES = ("password", "passwd", "PASSPHRASE", "pwd", "secret", "token", "api_key", "apikey", "api-key", "ACCESS_KEY", "private-key", "credential", "auth_key", "signing_key")  # fmt: skip


@given(st.text(), st.sampled_from(sorted(KINDS)), st.text())
def test_a_planted_key_never_survives_whatever_stands_around_it(before, kind, after):
    # A letter or digit glued to a key makes another word of it; a separator is what real text has.
    plants = Plants()
    text = f"{before}\n{plants.one(kind, before)}\n{after}"

    assert plants.leaks([("redacted", redact(text))]) == []


HEX = "0123456789abcdef" * 2
RARE = (
    f"ghs_{ALNUM}", f"gsk_{ALNUM}", f"secret_{ALNUM}", f"ntn_{ALNUM}", f"shpat_{HEX}", f"dapi{HEX}", f"AC{HEX}", f"whsec_{ALNUM}",
    f"ya29.{ALNUM}", f"dp.st.prd.{ALNUM}", f"AGE-SECRET-KEY-1{ALNUM.upper()}", f"https://discord.com/api/webhooks/123/{ALNUM}",
    f"https://x.blob.core.windows.net/?sv=1&sig={ALNUM}",
)  # fmt: skip


def test_a_token_that_is_seldom_seen_is_replaced():
    for token in RARE:
        clean = redact(f"before {token} after")
        assert token[-20:] not in clean
        assert clean.startswith("before ")
        assert clean.endswith(" after")


@pytest.mark.parametrize(
    "text",
    [
        "max_tokens: 4096",
        "const token = getToken(request)",
        "token: string | null",
        "password = os.environ['DB_PASSWORD']",
        "postgres://${USER}:${PASSWORD}@db/app",
        "see https://example.com/a/b?x=1#token",
        "commit 3b1f0a9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a",
        "2 failed, 10 passed in 0.4s",
        "def reset_password(user): ...",
        "the secret of good tests",
        "tokens used: 123456",
        "a task-management-of-things-and-more",
        "POST /api/webhooks/stripe-events-handler",
        "redis-cli -p 6379 ping and docker run -p 8080:80 x",
        "set the token limit, with 'Usage:' first; the secret is out",
        "fn get_token(&self) -> Option<String>",
    ],
)
def test_ordinary_text_stays_as_it_is(text):
    assert redact(text) == text


SECRET = ALNUM[:14]


GIVEN_AWAY = (
    "DB_PASS={}", "SMTP_PASS={}", "ROOT_PW={}", "RAILS_MASTER_KEY={}", "APP_KEY=base64:{}", "AZURE_STORAGE_KEY={}==",
    "//registry.npmjs.org/:_auth={}", '"auth": "{}"', "client-key-data: {}AAAA", "<password>{}</password>",
    "--api-token {}", "--client-secret {}", "--password '{}'", "curl -u admin:{} https://x.y", "mysql -p{} -u root",
    "sshpass -p '{}' ssh x", "password:          {}", "password: |\n  {}", "password=ab;{}&a'b", "password is {}",
    "- name: DB_PASSWORD\n  value: {}", '{{"db_password": {{"value": "{}"}}}}', "Cookie: a=1; session={}",
    "Authorization: ApiKey {}", "https://user:a/{}@host/x", "https://{}abcd@github.com/x", "sb_secret_{}abcdef",
    "ATATT3xFfGF0{}", "dckr_pat_{}abc", "glsa_{}abcdef_1", "tskey-auth-{}", "PMAK-{}ab", "1//0{}abc",
    "DBPASS={}", "helm --set db.pass={}", "GITHUB_PAT={}", "Passwort: {}", "password is: {}", "the API key is {}", "**Password:** {}", "password -> {}",
    "curl -uadmin:{} x", "docker login -u x -p {} r.io", "mongosh -u a -p {} h", "redis-cli -a {} ping", "ldapsearch -x -w {}", "openssl rsa -passin pass:{}",
    "aws configure set aws_secret_access_key {}", "set -gx API_TOKEN {}", "ENV API_KEY {}", "npm config set //r.org/:_authToken {}",
    "machine github.com login x password {}", "IDENTIFIED BY '{}'", "CREATE USER x WITH PASSWORD '{}'", "os.environ['DB_PASSWORD'] = '{}'",
    '<add key="ApiKey" value="{}" />', "<Password type='x'>{}</Password>", '"name": "DB_PASSWORD", "value": "{}"', "From now on always use DB_PASS={} for staging", "api_key: '" + "x9" * 300 + "{}'",
)  # fmt: skip


def test_a_value_that_a_name_or_a_place_gives_away_is_replaced():
    assert [text for text in GIVEN_AWAY if SECRET in redact(text.format(SECRET))] == []


@pytest.mark.parametrize(("text", "left"), [
    ("a <private>x</private> b", "a [private] b"), ("a <Private  >x</PRIVATE > b", "a [private] b"),
    ('a <private why="x">y</private> b', "a [private] b"), ("a <private>x", "a [private]"),
    ("a <private>x<private>y</private>z</private> b", "a [private] b"), ("a </private> b", "a </private> b"),
    ("a <privateer> b", "a <privateer> b"), ("a < private>x< / private> b", "a [private] b"),
])  # fmt: skip
def test_what_is_marked_as_private_goes(text, left):
    assert without_private(text) == left


def test_a_password_of_letters_alone_is_one_where_it_is_assigned():
    assert redact("password=correcthorsebattery") == "password=[REDACTED:assigned]"


@pytest.mark.parametrize(
    ("written", "hidden"),
    [
        ("{}=hunter22x9", True),
        ("{}_of_the_db: hunter22x9", True),
        ('"{}": "correct horse 9"', True),
        ('\\"{}\\": \\"hunter22x9\\"', True),
        ("{} := 'hunter22x9'", True),
        ("--{} hunter22x9", True),
        ("İİİ {}=hunter22x9 İ", True),
        ("{}=strong-hold-22", True),
        ("the {} hunter22x9", False),
        ("{} | hunter22x9", False),
    ],
)
def test_a_value_that_is_assigned_to_a_telling_name_is_removed(written, hidden):
    found = {name: "[REDACTED:" in redact(written.format(name)) for name in NAMES}
    assert found == dict.fromkeys(NAMES, hidden)


@pytest.mark.parametrize(
    ("value", "secret"),
    [
        ("aaaaaaaaaaaaaaaaaaaaaaaaaaaa", False),
        ("AAAAAAAAAAAAAAAAAAAAAAAAAAAA", False),
        ("XddQBZZNQLfEgjNDtVGJjYIeKCkybyXQtUMqNXWx", True),
        ("AuthorizationTokenProviderFactory", False),
        ("DEFAULT_SECRET_NAME_OF_THE_VAULT", False),
        ("aaaaaaa1", True),
        ("aaaaaa1", False),
        ("12345678", False),
    ],
)
def test_a_secret_of_letters_only_is_known_by_its_capitals(value, secret):
    assert ("REDACTED" in redact(f"secret={value} and so on")) is secret


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


def test_a_record_is_redacted_in_every_text_of_it():
    record = {"a": [f"ghp_{ALNUM}", 1, None], "b": {"c": ("x plain9word",)}, "d": "ACME-12"}

    clean = redact_record(record, {"X_TOKEN": "plain9word"}, patterns=[r"ACME-\d+"])

    assert clean["a"] == ["[REDACTED:github-token]", 1, None]
    assert clean["b"] == {"c": ["x [REDACTED:environment]"]}
    assert clean["d"] == "[REDACTED:configured]"


def test_a_pattern_of_the_persons_may_be_anchored_to_the_ends_of_one_text():
    record = {"a": ["before", "ACME-17", "after"]}

    clean = redact_record(record, {}, patterns=[r"^ACME-\d+$"])

    assert clean == {"a": ["before", "[REDACTED:configured]", "after"]}


@given(st.lists(st.text() | st.sampled_from(sorted(KINDS)), max_size=5))
def test_a_record_is_redacted_as_each_of_its_texts_alone(texts):
    plants = Plants()
    texts = [plants.one(text, text) if text in KINDS else text for text in texts]

    assert redact_record({"texts": texts}, {}) == {"texts": [redact(text) for text in texts]}


def test_a_private_key_is_removed_whole_and_of_one_that_is_cut_what_is_left():
    begin, end = "-----BEGIN OPENSSH PRIVATE KEY-----", "-----END OPENSSH PRIVATE KEY-----"
    body = "b3BlbnNzaC1rZXk\nAAAAB3NzaC1yc2E"

    assert redact(f"x\n{begin}\n{body}\n{end}\ny") == "x\n[REDACTED:private-key]\ny"
    assert redact(f"x\n{begin}\n{body}") == "x\n[REDACTED:private-key]"
    assert redact(f"{body}\n{end}\ny") == "[REDACTED:private-key]\ny"
    assert redact(f"… b3Bl\n    {body}\n    {end}\ny") == "… [REDACTED:private-key]\ny"
    escaped = f"{begin}\n{body}\n{end}".replace("\n", "\\n")
    assert redact(f'{{"key": "{escaped}"}}') == '{"key": "[REDACTED:private-key]"}'


def test_the_persons_own_patterns_are_applied():
    own = [r"ACME-\d+"]

    assert redact("ticket ACME-1234", patterns=own) == "ticket [REDACTED:configured]"


@pytest.mark.parametrize(
    ("text", "environ"),
    [
        (f"-----BEGIN api_key: {ALNUM}RSA PRIVATE KEY----- x", {}),
        ("-----BEGIN -----END RSA PRIVATE KEY-----RSA PRIVATE KEY-----", {}),
        ("Authorization: Bearer --token @h</private>a+0--token api_key: }x1a", {}),
        ("cookie: --token None*x1&>{--token api_key: RSA PRIVATE KEY-----", {}),
        ("curl --password ${A}--password=hunter22x", {}),
        ('"token": "hunter22x9"]</private>', {"SECRET": "]</private>"}),
        ("ED:assigned] password=hunter22x9", {"X_TOKEN": "ED:assigned]"}),
    ],
)
def test_what_is_redacted_once_stays_as_it_is(text, environ):
    once = redact(text, environ)
    assert redact(once, environ) == once


@pytest.mark.parametrize(
    "text",
    [
        "curl --password ${A}--password=hunter22x",
        "cookie: None,cookie:hunter22x",
        "--token (x)--token hunter22x",
        "secret: access_key = hunter22x",
    ],
)
def test_what_is_no_value_hides_none_behind_it(text):
    assert "[REDACTED:" in redact(text)
    assert "hunter22x" not in redact(text)
