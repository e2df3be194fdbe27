"""The configuration: a file, environment variables before it, and a clear word for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.config import Config, Limits, Matrix, NotConfigured, Telegram, read
from tests.adapters.terminal import ENVIRONMENT, refused, run

TOKEN = "700:TEST-token"
MATRIX = "[matrix]\nhomeserver = 'https://x'\nuser = '@r:x'\npassword = 'p'\n"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "rollbook.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_says_what_is_served(tmp_path: Path) -> None:
    path = written(
        tmp_path, f'db = "x.db"\nlanguage = "zh"\npatience_minutes = 5\n[telegram]\ntoken = "{TOKEN}"\nbase_url = "http://u/bot"\n'
    )
    telegram = Telegram(token=TOKEN, base_url="http://u/bot")
    assert read(path, {}) == Config(db="x.db", language="zh", patience_minutes=5, telegram=telegram)


def test_every_key_is_an_environment_variable_too_and_that_goes_first(tmp_path: Path) -> None:
    environment = {
        "ROLLBOOK_DB": "y.db", "ROLLBOOK_LANGUAGE": "en", "ROLLBOOK_PATIENCE_MINUTES": "30",
        "ROLLBOOK_TELEGRAM_TOKEN": TOKEN, "ROLLBOOK_TELEGRAM_BASE_URL": "http://b", "ROLLBOOK_TELEGRAM_BASE_FILE_URL": "http://[::1]:8081/f",
    }  # fmt: skip
    expected = Config(
        db="y.db", language="en", patience_minutes=30,
        telegram=Telegram(token=TOKEN, base_url="http://b", base_file_url="http://[::1]:8081/f"),
    )  # fmt: skip
    assert read(None, environment) == expected
    assert read(written(tmp_path, 'db = "x.db"\n[telegram]\ntoken = "1:x"\n'), environment) == expected


def test_both_chats_may_be_configured(tmp_path: Path) -> None:
    home = "https://matrix.example.org"
    path = written(
        tmp_path,
        f'[telegram]\ntoken = "{TOKEN}"\n[matrix]\nhomeserver = "{home}"\nuser = "@r:example.org"\npassword = "x"\n'
        'allow = ["example.org", "@ann:example.com"]\nencryption = false\n',
    )
    matrix = Matrix(
        homeserver=home, user="@r:example.org", password="x", allow=("example.org", "@ann:example.com"),
        encryption=False,
    )
    assert read(path, {}) == Config(telegram=Telegram(token=TOKEN), matrix=matrix)
    environment = {
        "ROLLBOOK_TELEGRAM_TOKEN": TOKEN, "ROLLBOOK_MATRIX_HOMESERVER": home, "ROLLBOOK_MATRIX_USER": "@r:example.org",
        "ROLLBOOK_MATRIX_PASSWORD": "x", "ROLLBOOK_MATRIX_ALLOW": "example.org, @ann:example.com",
        "ROLLBOOK_MATRIX_ENCRYPTION": "false",
    }  # fmt: skip
    assert read(None, environment) == read(path, {})


def test_limits_and_who_is_served_are_configured_in_either_way(tmp_path: Path) -> None:
    allow = 'allow = ["@ann", "123456789", "-1001234567890"]'
    few = "[limits]\nperson_at_once = 5\nchat_per_minute = 0"
    path = written(tmp_path, f'[telegram]\ntoken = "{TOKEN}"\n{allow}\n{few}\n')
    limits = Limits(person_at_once=5, chat_per_minute=0)
    allowed = Telegram(token=TOKEN, allow=("@ann", "123456789", "-1001234567890"))
    assert read(path, {}) == Config(telegram=allowed, limits=limits)
    environment = {
        "ROLLBOOK_TELEGRAM_TOKEN": TOKEN, "ROLLBOOK_TELEGRAM_ALLOW": "@ann 123456789,-1001234567890",
        "ROLLBOOK_LIMITS_PERSON_AT_ONCE": "5", "ROLLBOOK_LIMITS_CHAT_PER_MINUTE": "0",
    }  # fmt: skip
    assert read(None, environment) == read(path, {})


def test_without_a_token_no_chat_is_configured() -> None:
    assert read(None, {"ROLLBOOK_TELEGRAM_TOKEN": ""}) == Config()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[telegram]\nbase_url = 'http://x'", ["telegram.token", "ROLLBOOK_TELEGRAM_TOKEN"]),
        ("[telegram]\ntoken = 'secret'", ["telegram.token", "@BotFather"]),
        ("[telegram]\ntokn = '1:x'\ntoken = '1:x'", ["telegram.tokn", "not a key"]),
        ("tokens = 1", ["tokens", "not a key"]),
        ("language = 'fr'", ["language", '"en" or "zh"', "ROLLBOOK_LANGUAGE"]),
        ("patience_minutes = 0", ["patience_minutes", "from 1 to 10080"]),
        ("patience_minutes = 'long'", ["patience_minutes", "from 1 to 10080"]),
        ("telegram = 'x'", ["telegram in", "begins with [telegram]."]),
        ("[[matrix]]", ["matrix in", "begins with [matrix]."]),
        ("[limits]\nperson_per_minute = -1", ["limits.person_per_minute", "from 0 (no limit) to 100000"]),
        ("[limits]\nchat_at_once = 'many'", ["limits.chat_at_once", "ROLLBOOK_LIMITS_CHAT_AT_ONCE"]),
        ("limits = 5", ["limits in", "begins with [limits]."]),
        (f"[telegram]\ntoken = '{TOKEN}'\nallow = ['ann!']", ["telegram.allow", "people and groups"]),
        ("db = 5", ["db in", "text between quotation marks", "ROLLBOOK_DB"]),
        ("[telegram]\nweb-hook = 1\ntoken = '1:x'", ["telegram.web-hook", "not a key"]),
        ("[telegram]\ntoken = '1:x'\nbase_url = ''", ["telegram.base_url", "https://api.telegram.org/bot"]),
        ("[telegram]\ntoken = '1:x'\nbase_url = 'not a url'", ["telegram.base_url", "https://api.telegram.org/bot"]),
        ("[telegram]\ntoken = '1:x'\nbase_url = 'https://x:70000/bot'", ["telegram.base_url", "an address"]),
        ("[telegram]\ntoken = '1:x'\nbase_file_url = 'ftp://x'", ["telegram.base_file_url", "an address"]),
        ("[telegram]\ntoken = '1:x'\nwebhook_url = 'https://[x/hook'", ["telegram.webhook_url", "https://"]),
        ("log_format = 'xml'", ["log_format", '"text" or "json"', "ROLLBOOK_LOG_FORMAT"]),
        ("[metrics]\nlisten = '9464'", ["metrics.listen", "127.0.0.1:9464", "ROLLBOOK_METRICS_LISTEN"]),
        ("[metrics]\nlisten = '127.0.0.1:9464'\ntoken = 'secret'", ["metrics.token", "not a key"]),
        ("language = ", ["TOML"]),
        ("[matrix]\nuser = '@r:x'\npassword = 'p'", ["matrix.homeserver", "ROLLBOOK_MATRIX_HOMESERVER"]),
        ("[matrix]\nhomeserver = 'x'\nuser = '@r:x'\npassword = 'p'", ["matrix.homeserver", "https://"]),
        ("[matrix]\nhomeserver = 'https://['\nuser = '@r:x'\npassword = 'p'", ["matrix.homeserver", "https://"]),
        ("[matrix]\nhomeserver = 'https://x'\nuser = 'r'\npassword = 'p'", ["matrix.user", "@rollbook:example.org"]),
        ("[matrix]\nhomeserver = 'https://x'\nuser = '@r:x'", ["matrix.password", "ROLLBOOK_MATRIX_PASSWORD"]),
        (f"{MATRIX}allow = 5", ["matrix.allow", "accounts and servers"]),
        (f"{MATRIX}allow = [5]", ["matrix.allow in", "accounts and servers"]),
        (f"{MATRIX}encryption = 'maybe'", ["matrix.encryption", "true or false", "ROLLBOOK_MATRIX_ENCRYPTION"]),
    ],
)
def test_each_mistake_is_named_with_its_key(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(NotConfigured) as told:
        read(written(tmp_path, text), {})
    assert [word for word in words if word not in str(told.value)] == []
    assert [word for word in ("secret", "`", "regex", "\n") if word in str(told.value)] == []


@pytest.mark.parametrize("port", ["0", "65536", "99999", "08443", "8443\n"])
def test_a_port_that_cannot_be_is_told(port: str) -> None:
    with pytest.raises(NotConfigured, match=r"telegram\.webhook_listen .*a port up to 65535"):
        read(None, {"ROLLBOOK_TELEGRAM_TOKEN": "1:x", "ROLLBOOK_TELEGRAM_WEBHOOK_LISTEN": f"127.0.0.1:{port}"})


@pytest.mark.parametrize("port", [1, 80, 8443, 59999, 65535])
def test_every_port_that_can_be_is_taken(port: int) -> None:
    at = f"127.0.0.1:{port}"
    telegram = read(None, {"ROLLBOOK_TELEGRAM_TOKEN": "1:x", "ROLLBOOK_TELEGRAM_WEBHOOK_LISTEN": at}).telegram
    assert telegram
    assert telegram.webhook_listen == at


def test_a_tilde_is_the_home_and_one_text_a_list(tmp_path: Path) -> None:
    text = f"db = '~/r.db'\n{MATRIX}device_id = '~/d'\nstore = '~/x'\nallow = 'example.org, @ann:x'"
    config = read(written(tmp_path, text), {})
    assert config.matrix
    assert (config.db, config.matrix.store) == (str(Path.home() / "r.db"), str(Path.home() / "x"))
    assert (config.matrix.device_id, config.matrix.allow) == ("~/d", ("example.org", "@ann:x"))


def test_a_file_may_begin_with_the_mark_of_an_editor(tmp_path: Path) -> None:
    assert read(written(tmp_path, "\ufefflanguage = 'zh'"), {}).language == "zh"


def test_without_a_named_file_the_users_own_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENVIRONMENT, "HOME", str(tmp_path))
    monkeypatch.setitem(ENVIRONMENT, "XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert "rollbook setup" in refused(run("serve"))
    (own := tmp_path / "config" / "rollbook" / "rollbook.toml").parent.mkdir(parents=True)
    own.write_text("language = 'fr'")
    assert f"language in {own}" in refused(run("serve"))
    assert f"language in {own}" in refused(run("doctor"))
    other = written(tmp_path, "patience_minutes = 0")
    assert f"patience_minutes in {other}" in refused(run("serve", "--config", other))
    monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_CONFIG", str(other))
    assert f"patience_minutes in {other}" in refused(run("doctor"))


def test_a_missing_file_and_a_missing_token_end_with_one_line(tmp_path: Path) -> None:
    assert "cannot be read" in refused(run("serve", "--config", tmp_path / "no.toml"))
    assert "ROLLBOOK_TELEGRAM_TOKEN" in refused(run("serve", "--config", written(tmp_path, "")))
