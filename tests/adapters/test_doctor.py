"""`rollbook doctor`: the real program, asked about a log, a Telegram and a homeserver in every state it can tell of."""

from __future__ import annotations

import ast
import json
import re
import shutil
import sqlite3
import string
import time
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar, get_args

import pytest
from aiohttp import web

from adapters import doctor, words
from adapters.config import Telegram, read
from adapters.findings import MARKS
from adapters.matrix import words as matrix_words
from adapters.telegram import words as telegram_words
from core.language import Language, Phrase, PhraseBook
from events.beside import Beside, Letter, MessageKey, Receipt
from events.log import Unusable
from events.sqlite import MIGRATIONS, SqliteLog
from tests.adapters.matrix_chat import Encrypted, Person, Running, Settings, bot_on, said_hello
from tests.adapters.terminal import ENVIRONMENT, ROOT, play, refused, run
from tests.adapters.test_serve import ended, serving, table_of
from tests.servers.synapse import Synapse, free_port, running
from tests.servers.telegram import FakeTelegram

Json = dict[str, Any]
Found = dict[str, str]  # the key of each finding's sentence, and its mark
BOOKS: dict[str, PhraseBook] = {
    "": words.DOCTOR, "telegram.": telegram_words.CHECKUP, "matrix.": matrix_words.CHECKUP,
}  # fmt: skip
FILES = {"": "adapters/doctor.py", "telegram.": "adapters/telegram/checkup.py", "matrix.": "adapters/matrix/checkup.py"}
SPEECH: dict[Language, str] = {"en": "C.UTF-8", "zh": "zh_CN.UTF-8"}
PICKLE_KEY = "a secret"
DAY_S = 86_400


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENVIRONMENT, "NO_PROXY", "127.0.0.1")


@pytest.fixture
def telegram() -> Iterator[FakeTelegram]:
    with FakeTelegram() as server:
        yield server


@pytest.fixture
def server() -> Synapse:
    return running()


@pytest.fixture
def settings(server: Synapse, tmp_path: Path) -> Settings:
    return bot_on(server, tmp_path)


# ---- asking it, and reading what it says


def configured(path: Path, telegram: FakeTelegram | None = None, matrix: Settings | None = None, **more: str) -> Path:
    """A configuration on this log; `more` are keys of [telegram]."""
    text = [f'db = "{path}"']
    if telegram:
        keys = {"token": telegram.token, "base_url": telegram.base_url, "base_file_url": telegram.base_file_url, **more}
        text += ["[telegram]", *(f'{key} = "{value}"' for key, value in keys.items())]
    if matrix:
        given = {key: value for key, value in vars(matrix).items() if value not in (None, ())}
        text += ["[matrix]", *(f"{key} = {json.dumps(value)}" for key, value in given.items())]
    file = path.with_name("rollbook.toml")
    file.touch(mode=0o600)
    file.write_text("\n".join(text))
    return file


def examined(file: Path, *options: object, speech: Language = "en") -> Found:
    """What the program finds. It leaves with 1 if there is a fault, and says nothing but findings, and no secret."""
    done = run("doctor", "--config", file, *options, language=SPEECH[speech])
    assert done.stderr == ""
    assert done.returncode == (1 if "✗" in done.stdout else 0)
    assert [secret for secret in secrets_in(file) if secret in done.stdout] == []
    return understood(done.stdout, speech)


def secrets_in(file: Path) -> list[str]:
    config = read(file, {})
    telegram = [config.telegram.token.split(":")[1]] if config.telegram else []
    matrix = [config.matrix.access_token, config.matrix.password, config.matrix.pickle_key] if config.matrix else []
    return [one for one in (*telegram, *matrix) if one]


def understood(stdout: str, speech: Language) -> Found:
    """Each line is one sentence of the books as it stands there, with what to do about it unless all is well."""
    found = {}
    for line in stdout.splitlines():
        mark, said = line.split(" ", 1)
        assert mark in MARKS.values()
        keys = [key for key, shape in shapes(speech, ok=mark == MARKS["ok"]).items() if shape.fullmatch(said)]
        assert len(keys) == 1, (line, keys)
        found[keys[0]] = mark
    return found


def shapes(speech: Language, *, ok: bool) -> dict[str, re.Pattern[str]]:
    found = {}
    for room, book in BOOKS.items():
        for key, phrase in book.items():
            todo = book.get(f"{key}.do")
            if not key.endswith(".do") and (todo is None) == ok:
                found[room + key] = shape(*(one for one in (phrase, todo) if one), speech=speech)
    return found


def shape(*phrases: Phrase, speech: Language) -> re.Pattern[str]:
    texts = [re.sub(r"\\\{\w+\\\}", ".*", re.escape(getattr(one, speech))) for one in phrases]
    return re.compile(" → ".join(texts))


def at(found: Found, room: str) -> Found:
    return {key.removeprefix(room): mark for key, mark in found.items() if key.startswith(room)}


# ---- its sentences


SENTENCES = [pytest.param(phrase, id=f"{room}{key}") for room, book in BOOKS.items() for key, phrase in book.items()]


@pytest.mark.parametrize("phrase", SENTENCES)
def test_a_finding_says_the_same_in_both_languages_on_one_line(phrase: Phrase) -> None:
    assert blanks(Phrase(phrase.zh, "")) == blanks(Phrase("", phrase.en))
    assert "\n" not in phrase.zh + phrase.en


def blanks(*phrases: Phrase) -> set[str]:
    return {name for one in phrases for _, name, _, _ in string.Formatter().parse(one.zh + one.en) if name}


@pytest.mark.parametrize("room", BOOKS)
def test_every_sentence_is_found_by_something_and_what_is_no_good_has_a_way_out(room: str) -> None:
    text = (ROOT / FILES[room]).read_text(encoding="utf-8")
    named = {one.value for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Constant)}
    reasons = set() if room else {f"log.{reason}" for reason in get_args(Unusable)}
    keys = {key for key in BOOKS[room] if not key.endswith(".do")}
    assert keys - named - reasons == set()
    assert reasons <= keys
    assert {key.removesuffix(".do") for key in BOOKS[room] if key.endswith(".do")} <= keys


@pytest.mark.parametrize("room", BOOKS)
def test_every_finding_has_its_sentences_and_the_facts_that_they_name(room: str) -> None:
    calls = [one for one in ast.walk(ast.parse((ROOT / FILES[room]).read_text(encoding="utf-8"))) if found_by(one)]
    assert len(calls) > 10
    for call in calls:
        if isinstance(call.args[0], ast.Constant):
            key = call.args[0].value
            keys = [key] if call.func.attr == "ok" else [key, f"{key}.do"]
            assert blanks(*(BOOKS[room][one] for one in keys)) <= {one.arg for one in call.keywords}


def found_by(node: ast.AST) -> bool:
    """Whether this is `found.ok(…)` or another finding."""
    func = getattr(node, "func", None)
    return isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "found"


# ---- the configuration


def test_without_a_chat_the_log_alone_is_looked_at_and_nothing_is_made(tmp_path: Path) -> None:
    done = run("doctor", "--db", tmp_path / "new" / "x.db")
    found = understood(done.stdout, "en")
    assert (done.returncode, done.stderr) == (0, "")
    assert {key: found.get(key) for key in ("no_chat", "versions", "log_new")} == {
        "no_chat": "!", "versions": "✓", "log_new": "✓"
    }  # fmt: skip
    assert list(tmp_path.iterdir()) == []


def test_a_configuration_that_cannot_be_read_ends_with_one_line(tmp_path: Path) -> None:
    file = tmp_path / "rollbook.toml"
    assert "cannot be read" in refused(run("doctor", "--config", file))
    file.write_text('[telegram]\ntoken = "no such shape"\n')
    said = refused(run("doctor", "--config", file))
    assert "telegram.token" in said
    assert "no such shape" not in said


@pytest.mark.parametrize(("rights", "mark"), [(0o600, None), (0o640, None), (0o644, "!")])
def test_a_file_with_a_token_that_others_can_read_is_told(
    telegram: FakeTelegram, path: Path, rights: int, mark: str | None
) -> None:
    file = configured(path, telegram)
    file.chmod(rights)
    assert examined(file).get("open_file") == mark


# ---- the log


def test_the_log_that_is_named_goes_before_the_configured_one(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    play(other, "gm: /table new savage Glacier")
    assert examined(configured(path))["log_new"] == "✓"
    assert examined(configured(path), "--db", other)["log"] == "✓"


def changed(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as conn:
        for statement in statements:
            conn.execute(statement)
    conn.close()


def long_table(path: Path) -> str:
    """A table with more events than are looked at; its id."""
    play(path, "gm: /table new savage Glacier", *(f"gm: /roll d6 # {n}" for n in range(doctor.LAST + 5)))
    log = SqliteLog(path, read_only=True)
    (table,) = log.tables()
    assert log.head(table).seq > doctor.LAST
    log.close()
    return table


def test_of_a_long_chain_its_end_is_looked_at(path: Path) -> None:
    long_table(path)
    assert examined(configured(path))["log"] == "✓"
    changed(path, "UPDATE events SET hash = 'x' WHERE seq = (SELECT max(seq) - 3 FROM events)")
    found = examined(configured(path))
    assert "log" not in found
    assert found["chain"] == "✗"


def test_a_table_that_has_lost_all_its_events_is_a_broken_one(path: Path) -> None:
    play(path, "gm: /table new savage Glacier")
    changed(path, "DELETE FROM events")
    assert examined(configured(path))["chain"] == "✗"


def test_every_reason_why_a_log_cannot_be_used_is_told(path: Path) -> None:
    path.mkdir()
    assert examined(configured(path))["log.no_access"] == "✗"
    path.rmdir()
    path.write_bytes(b"no database" * 100)
    assert examined(configured(path))["log.not_a_log"] == "✗"
    path.unlink()
    changed(path, "CREATE TABLE t (x)")
    assert examined(configured(path))["log.other_program"] == "✗"
    path.unlink()
    play(path, "gm: /table new savage Glacier")
    changed(path, f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    assert examined(configured(path), speech="zh")["log.newer"] == "✗"


def test_a_place_where_no_log_can_be_made_is_told(path: Path) -> None:
    path.write_text("a file")
    file = configured(path)
    assert examined(file, "--db", path / "sub" / "x.db")["log_unwritable"] == "✗"


def waiting(path: Path, to: str, count: int = 1) -> None:
    """Letters that a table's first event led to, and that were not sent."""
    log = SqliteLog(path)
    (table,) = log.tables()
    for number in range(count):
        key = MessageKey("telegram", "-100", f"{to}-{number}")
        receipt = Receipt(table, 1, 1, None, (Letter(to, "x"),))
        log.append("", 0, (), Beside(key=key, receipt=receipt, names={"p1": "Ann"}))
    log.close()


def told(path: Path, telegram: FakeTelegram, days: float) -> str:
    """What is found in the English of a day that is yet to come."""
    file = configured(path, telegram)
    found = doctor.examine(read(file, {}), file, None, lambda: time.time() + days * DAY_S)
    return "\n".join(one.told("en") for one in found)


def test_letters_that_wait_are_counted_and_those_who_get_them_in_private_are_named(
    path: Path, telegram: FakeTelegram
) -> None:
    play(path, "gm: /table new savage Glacier")
    assert examined(configured(path, telegram))["outbox_empty"] == "✓"
    waiting(path, "table", 3)
    assert examined(configured(path, telegram))["outbox"] == "✓"
    waiting(path, "p1", 2)
    waiting(path, "p2")
    found = examined(configured(path, telegram))
    assert (found["outbox"], found["held"]) == ("✓", "!")
    now, later = told(path, telegram, 0), told(path, telegram, 2)
    assert "waiting: 3 (Ann 2, somebody without a name yet), for more than a day: 0" in now
    assert "waiting: 3 (Ann 2, somebody without a name yet), for more than a day: 3" in later
    assert "! Outbox: letters waiting for chats: 3, for more than a day: 3" in later


# ---- disk and clock


@pytest.mark.parametrize(
    ("free", "level"),
    [(10**12, "ok"), (10**9, "ok"), (10**9 - 1, "warning"), (10**8, "warning"), (10**8 - 1, "fault"), (0, "fault")],
)
def test_free_space_is_told_below_a_gigabyte_and_is_a_fault_below_a_tenth(free: int, level: str) -> None:
    assert doctor.disk(free, Path("x")).level == level


@pytest.mark.parametrize(
    ("ahead_s", "level"),
    [(0, "ok"), (5, "ok"), (-5, "ok"), (6, "warning"), (-6, "warning"), (60, "warning"), (61, "fault"), (-61, "fault")],
)
def test_a_clock_is_told_above_5_seconds_and_is_a_fault_above_60(ahead_s: float, level: str) -> None:
    assert doctor.clock_found(ahead_s, Phrase("x", "x")).level == level


# ---- Telegram


class Odd(FakeTelegram):
    """A Telegram that says other things of the bot, and lives at another time."""

    about: Mapping[str, bool] = {}
    ahead_s: float | None = None

    def _getMe(self, given: Json) -> Json:
        return super()._getMe(given) | self.about

    async def _called(self, request: web.Request) -> web.Response:
        response = await super()._called(request)
        if self.ahead_s is not None:
            stamp = time.gmtime(time.time() + self.ahead_s)
            response.headers["Date"] = time.strftime("%a, %d %b %Y %H:%M:%S GMT", stamp)
        return response


@pytest.fixture
def odd() -> Iterator[Odd]:
    with Odd() as server:
        yield server


def asked(server: FakeTelegram, method: str, **given: object) -> None:
    """As another program with the same token."""
    request = urllib.request.Request(f"{server.base_url}{server.token}/{method}", json.dumps(given).encode())
    request.add_header("Content-Type", "application/json")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=15) as answer:
        assert answer.status == 200


@pytest.mark.parametrize("speech", SPEECH)
def test_a_bot_that_telegram_knows_is_in_order(telegram: FakeTelegram, path: Path, speech: Language) -> None:
    found = examined(configured(path, telegram), speech=speech)
    assert found["clock"] == "✓"
    assert at(found, "telegram.") == {"known": "✓", "privacy": "!", "joins": "✓", "polling": "✓"}
    assert {call.method for call in telegram.calls} == {"getMe", "getWebhookInfo"}


def test_what_botfather_was_told_is_told(odd: Odd, path: Path) -> None:
    odd.about = {"can_read_all_group_messages": True, "can_join_groups": False}
    found = at(examined(configured(path, odd)), "telegram.")
    assert found == {"known": "✓", "hears_all": "✓", "joins_nothing": "!", "polling": "✓"}


def test_a_telegram_that_makes_no_sense_is_told(odd: Odd, path: Path) -> None:
    del odd.bot["first_name"]
    assert at(examined(configured(path, odd)), "telegram.") == {"unreached": "✗"}


@pytest.mark.parametrize(("ahead_s", "mark"), [(-40, "!"), (40, "!"), (7200, "✗")])
def test_a_clock_is_compared_with_telegrams(odd: Odd, path: Path, ahead_s: float, mark: str) -> None:
    odd.ahead_s = ahead_s
    assert examined(configured(path, odd))["clock_off"] == mark


def test_a_token_that_telegram_does_not_know_is_told(telegram: FakeTelegram, path: Path) -> None:
    found = examined(configured(path, telegram, token="700:another-token"))
    assert at(found, "telegram.") == {"token": "✗"}


def test_a_telegram_that_is_not_there_or_says_nothing_is_told(telegram: FakeTelegram, path: Path) -> None:
    nobody = {"base_url": f"http://127.0.0.1:{free_port()}/bot"}
    assert at(examined(configured(path, telegram, **nobody)), "telegram.") == {"unreached": "✗"}
    telegram.delay_next("getMe", 600)
    assert at(examined(configured(path, telegram)), "telegram.") == {"unreached": "✗"}
    telegram.drop_connection_next("getWebhookInfo")
    found = at(examined(configured(path, telegram), speech="zh"), "telegram.")
    assert found == {"known": "✓", "privacy": "!", "joins": "✓", "unreached": "✗"}


def test_how_updates_come_is_compared_with_the_configuration(telegram: FakeTelegram, path: Path) -> None:
    ours = "https://127.0.0.1:1/a-secret-path"
    hook = configured(path, telegram, webhook_url=ours)
    assert examined(hook)["telegram.webhook_not_set"] == "!"
    asked(telegram, "setWebhook", url="https://127.0.0.1:1/another")
    assert examined(hook)["telegram.webhook_other"] == "!"
    assert examined(configured(path, telegram))["telegram.webhook_set"] == "!"
    asked(telegram, "setWebhook", url=ours)
    hook = configured(path, telegram, webhook_url=ours)
    assert examined(hook)["telegram.webhook"] == "✓"
    gm = telegram.person("Gm")
    telegram.text(telegram.private(gm), gm, "/roll d6")
    telegram.wait_for(lambda: telegram._webhook_error)
    assert examined(hook)["telegram.webhook_failing"] == "!"
    assert "a-secret-path" not in run("doctor", "--config", hook).stdout


def test_a_bot_that_serves_is_seen_and_goes_on_serving(telegram: FakeTelegram, path: Path) -> None:
    gm, group = table_of(telegram, path)
    file = configured(path, telegram)
    assert examined(file)["not_served"] == "✓"
    with serving(telegram, path) as process:
        telegram.text(group, gm, "/roll 2d6")
        telegram.wait_for(lambda: len(telegram.of_bot(group)) == 2, 30)
        found = examined(file)
        assert (found["served"], found["outbox_empty"], found["telegram.there"]) == ("✓", "✓", "✓")
        telegram.text(group, gm, "/roll 2d6")
        telegram.wait_for(lambda: len(telegram.of_bot(group)) == 3, 30)
        ended(process)
    telegram.kick_bot(group, gm)
    done = run("doctor", "--config", file)
    assert understood(done.stdout, "en")["telegram.away"] == "!"
    assert "Glacier" in done.stdout


# ---- Matrix


def devices(server: Synapse, token: str) -> list[Json]:
    found: list[Json] = server.request("GET", "/_matrix/client/v3/devices", token=token)["devices"]
    return found


def test_a_bot_that_was_never_started_is_in_order_and_nothing_is_made_for_it(
    server: Synapse, settings: Settings, path: Path, tmp_path: Path
) -> None:
    found = examined(configured(path, matrix=settings))
    assert found["clock"] == "✓"
    assert at(found, "matrix.") == {
        "encryption": "✓", "store_new": "✓", "reached": "✓", "known": "✓", "keys_new": "✓", "rooms": "✓",
    }  # fmt: skip
    assert not (tmp_path / "keys").exists()
    assert examined(configured(path, matrix=settings), speech="zh")["matrix.keys_new"] == "✓"


def test_a_missing_library_for_encryption_is_told(
    settings: Settings, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['vodozemac'] = sys.modules['peewee'] = None\n")
    monkeypatch.setitem(ENVIRONMENT, "PYTHONPATH", f"{tmp_path}:{ENVIRONMENT['PYTHONPATH']}")
    found = at(examined(configured(path, matrix=settings)), "matrix.")
    assert (found["no_encryption"], found["known"], found["rooms"]) == ("✗", "✓", "✓")


@pytest.fixture
def started(settings: Settings, path: Path) -> Settings:
    """The bot has run once, so that its device has keys."""
    with Running(settings, path) as bot:
        bot.settled()
    return settings


def test_a_bot_that_has_run_has_its_keys_and_still_works_after_it_was_looked_at(
    server: Synapse, started: Settings, path: Path, tmp_path: Path
) -> None:
    file = configured(path, matrix=started)
    before = {one.name: one.read_bytes() for one in (tmp_path / "keys").iterdir()}
    found = at(examined(file), "matrix.")
    assert (found["keys"], found["store"]) == ("✓", "✓")
    assert {one.name: one.read_bytes() for one in (tmp_path / "keys").iterdir()} == before
    gm = Encrypted(server, "gm", tmp_path)
    with Running(started, path):
        room = gm.room(started.user, encrypted=True)
        said_hello(gm, room, started.user)
        assert at(examined(file), "matrix.") == found


def test_what_is_wrong_with_the_keys_is_told(started: Settings, path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    assert examined(configured(path, matrix=replace(started, pickle_key="another one")))["matrix.sealed"] == "✗"
    bare = examined(configured(path, matrix=replace(started, pickle_key=None)))
    assert (bare["matrix.no_pickle_key"], bare["matrix.sealed"]) == ("!", "✗")
    folder.chmod(0o755)
    assert examined(configured(path, matrix=started))["matrix.store_open"] == "!"
    (keys,) = folder.glob("*.db")
    keys.write_bytes(b"no database" * 100)
    assert examined(configured(path, matrix=started))["matrix.keys_unreadable"] == "✗"
    shutil.rmtree(folder)
    assert examined(configured(path, matrix=started))["matrix.deaf"] == "✗"
    folder.write_text("a file")
    assert examined(configured(path, matrix=started))["matrix.store_unwritable"] == "✗"


def test_a_login_that_is_not_known_is_told(server: Synapse, settings: Settings, path: Path) -> None:
    found = at(examined(configured(path, matrix=replace(settings, access_token="syt_another"))), "matrix.")
    assert (found["reached"], found["token"]) == ("✓", "✗")
    other = server.register("Other")["access_token"]
    assert examined(configured(path, matrix=replace(settings, access_token=other)))["matrix.other_user"] == "✗"


def test_with_a_password_nobody_is_logged_in_and_the_login_that_was_kept_is_looked_at(
    server: Synapse, path: Path, tmp_path: Path
) -> None:
    user = server.register("Rollbook")
    by_password = Settings(server.base_url, user["user_id"], password=user["password"], store=str(tmp_path / "keys"))
    file = configured(path, matrix=by_password)
    assert examined(file)["matrix.not_entered"] == "✓"
    assert len(devices(server, user["access_token"])) == 1
    with Running(by_password, path) as bot:
        bot.settled()
        token = bot.bot.client.access_token
    found = at(examined(file), "matrix.")
    assert (found["known"], found["keys"]) == ("✓", "✓")
    assert token not in run("doctor", "--config", file).stdout
    (keys,) = (tmp_path / "keys").glob("*.db")
    keys.unlink()
    assert examined(file)["matrix.keys_lost"] == "!"
    server.request("POST", "/_matrix/client/v3/logout", {}, token)
    assert examined(file)["matrix.run_out"] == "!"
    assert len(devices(server, user["access_token"])) == 1


def test_encrypted_rooms_that_cannot_be_read_and_invitations_are_told(
    server: Synapse, settings: Settings, path: Path, tmp_path: Path
) -> None:
    gm, plain = Person(server, "gm"), replace(settings, encryption=False)
    with Running(plain, path):
        said_hello(gm, gm.room(settings.user), settings.user)
    file = configured(path, matrix=plain)
    assert "matrix.locked_out" not in examined(file)
    with Running(plain, path):
        said_hello(gm, gm.room(settings.user, encrypted=True), settings.user)
    gm.room(settings.user)
    done = run("doctor", "--config", file)
    assert understood(done.stdout, "en")["matrix.locked_out"] == "✗"
    assert "rooms: 2, invitations waiting: 1" in done.stdout
    assert "while matrix.encryption is false: 1" in done.stdout


def test_a_homeserver_that_is_none_or_not_there_or_says_nothing_is_told(
    telegram: FakeTelegram, settings: Settings, path: Path
) -> None:
    other = replace(settings, homeserver=f"http://127.0.0.1:{telegram.port}")
    assert examined(configured(path, matrix=other))["matrix.no_homeserver"] == "✗"
    for address in (f"http://127.0.0.1:{free_port()}", "http://localhost.invalid"):
        found = examined(configured(path, matrix=replace(settings, homeserver=address)), speech="zh")
        assert {found.get("matrix.unreached"), found.get("matrix.no_homeserver")} == {"✗", None}


class Nonsense(BaseHTTPRequestHandler):
    """Something that answers every question as no homeserver would."""

    answer: ClassVar[Json] = {}

    def do_GET(self) -> None:
        body = json.dumps(self.answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Nothing on stderr."""


@pytest.mark.parametrize("answer", [{"device_keys": ["x"]}, {"rooms": "x"}, {"rooms": {"join": {"!r": []}}}])
def test_answers_that_make_no_sense_are_told(settings: Settings, path: Path, answer: Json) -> None:
    Nonsense.answer = {"versions": [], "user_id": settings.user} | answer
    with ThreadingHTTPServer(("127.0.0.1", 0), Nonsense) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        nonsense = replace(settings, homeserver=f"http://127.0.0.1:{server.server_port}")
        found = at(examined(configured(path, matrix=nonsense)), "matrix.")
        server.shutdown()
    assert (found["known"], found["no_homeserver"]) == ("✓", "✗")


def test_a_homeserver_that_hangs_is_told_and_telegram_is_looked_at_all_the_same(
    telegram: FakeTelegram, path: Path, tmp_path: Path
) -> None:
    with Synapse() as server:
        settings = bot_on(server, tmp_path)
        server.freeze()
        found = examined(configured(path, telegram, settings))
        server.thaw()
    assert (found["matrix.unreached"], found["telegram.known"], found["clock"]) == ("✗", "✓", "✓")


def test_a_token_in_what_a_library_says_is_not_told() -> None:
    from adapters.telegram.checkup import _without_token

    said = "Unknown error for https://x/bot700%3ATEST-token/getMe and https://x/bot700:TEST-token/getMe"
    assert "TEST-token" not in _without_token(said, Telegram(token="700:TEST-token"))
