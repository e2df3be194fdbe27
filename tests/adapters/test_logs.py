"""What the program logs, and what never gets into a log: secrets, and what was said or rolled."""

from __future__ import annotations

import json
import logging

import pytest

from adapters import logs
from adapters.config import Config, Matrix, Telegram, secrets_in
from adapters.logs import HIDDEN, JsonFormatter, TextFormatter

TOKEN = "700:AAH-do/not+tell"
SAID = "Mara rolled 17 in secret"
PASSWORD = 'pass"word&\\ü'


def entry(message: str, *arguments: object, error: BaseException | None = None) -> logging.LogRecord:
    trace = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord("adapters.post", logging.WARNING, __file__, 1, message, arguments, trace)


def raised() -> BaseException:
    try:
        try:
            int(SAID)
        except ValueError as error:
            raise ExceptionGroup(SAID, [RuntimeError(SAID)]) from error
    except ExceptionGroup as error:
        return error


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()], ids=["text", "json"])
@pytest.mark.parametrize("form", ["{}", "https://x/bot{}/getMe", "{!r}"])
@pytest.mark.parametrize("secret", [TOKEN, PASSWORD, "700%3AAAH-do%2Fnot%2Btell", "pass%22word%26%5C%C3%BC"])
def test_a_secret_stands_in_no_entry_in_whichever_form(formatter: logging.Formatter, form: str, secret: str) -> None:
    for one in (TOKEN, PASSWORD):
        logs.hide(one)
    written = formatter.format(entry("Asked %s", form.format(secret), error=OSError(secret)))
    assert HIDDEN in written
    assert [part for part in ("AAH-do", "not%2B", "not+tell", "pass", "word") if part in written] == []


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()], ids=["text", "json"])
@pytest.mark.parametrize("ascii_alone", [True, False])
def test_a_secret_stands_in_no_entry_as_json_either(formatter: logging.Formatter, ascii_alone: bool) -> None:
    logs.hide(PASSWORD)
    written = formatter.format(entry("Sent %s", json.dumps([PASSWORD], ensure_ascii=ascii_alone)))
    assert HIDDEN in written
    assert [part for part in ("pass", "word") if part in written] == []


def test_every_secret_of_a_configuration_is_known() -> None:
    config = Config(
        db="postgresql://bot:p%40ss@db/rollbook?password=second&sslpassword=third",
        telegram=Telegram(token="700:AAHtoken", webhook_secret="hooked"),
        matrix=Matrix(homeserver="https://x", user="@r:x", access_token="syt", password="word", pickle_key="pickle"),
    )
    expected = {"700:AAHtoken", "AAHtoken", "hooked", "syt", "word", "pickle", "p%40ss", "p@ss", "second", "third"}
    assert set(secrets_in(config)) == expected
    assert set(secrets_in(Config(db="/var/lib/rollbook.db"))) == set()


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()], ids=["text", "json"])
def test_an_error_is_told_with_its_way_but_not_with_what_it_says(formatter: logging.Formatter) -> None:
    written = formatter.format(entry("An update was not understood", error=raised()))
    expected = ("ExceptionGroup", "ValueError", "RuntimeError", "test_logs.py", "which led to")
    assert [word for word in expected if word not in written] == []
    assert SAID not in written


def test_json_is_one_object_on_a_line() -> None:
    written = JsonFormatter().format(entry("Two\nlines: %s", "骰子", error=OSError(28, "No space left on device")))
    told = json.loads(written)
    assert "\n" not in written
    assert (told["level"], told["logger"], told["message"]) == ("warning", "adapters.post", "Two\nlines: 骰子")
    assert (told["exception"], told["stack"]) == ("OSError", "OSError: [Errno 28] No space left on device")
    assert told["time"].endswith("Z")


def test_what_a_server_says_cannot_look_like_another_entry() -> None:
    assert len(TextFormatter().format(entry("Refused: %s", "x\n2026-11-30 ERROR forged")).splitlines()) == 1
