"""`rollbook setup`: the real program, answered by a pipe and at a terminal, on Telegram and on a real homeserver."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import string
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.config import Config, Matrix, Telegram, own_file, read
from adapters.export import whole
from adapters.matrix.words import CREDENTIALS
from adapters.setup import service
from adapters.setup.words import SETUP
from core.language import Phrase
from tests.adapters.matrix_chat import Encrypted, opened
from tests.adapters.terminal import ENVIRONMENT, PROGRAM, ROOT, refused, run
from tests.adapters.test_serve import ended
from tests.adapters.typed import Typed
from tests.servers.synapse import Synapse, free_port, running
from tests.servers.telegram import FakeTelegram
from tests.servers.telegram_emulator import TelegramEmulator

Json = dict[str, Any]
NO, YES, ENTER = "n", "y", ""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new user on a machine without systemd: the tester's own is left alone."""
    (programs := tmp_path / "bin").mkdir()
    monkeypatch.setitem(ENVIRONMENT, "PATH", str(programs))
    for name, folder in (("HOME", "."), ("XDG_CONFIG_HOME", ".config"), ("XDG_DATA_HOME", ".local/share")):
        monkeypatch.setitem(ENVIRONMENT, name, str(tmp_path / folder))
    monkeypatch.setitem(ENVIRONMENT, "NO_PROXY", "127.0.0.1,localhost")
    return tmp_path


@pytest.fixture
def file(home: Path) -> Path:
    return home / ".config" / "rollbook" / "rollbook.toml"


@pytest.fixture
def telegram() -> Iterator[FakeTelegram]:
    with FakeTelegram() as server:
        yield server


@pytest.fixture
def server() -> Synapse:
    return running()


@pytest.fixture
def account(server: Synapse) -> Json:
    return server.register("Rollbook")


def answered(*answers: str, options: tuple[object, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Set up in English, by UTC, the answers line by line."""
    told = ("--language", "en", "--time-zone", "UTC")
    return run("setup", *told, *options, given="".join(f"{one}\n" for one in answers))


def on(telegram: FakeTelegram) -> tuple[object, ...]:
    return ("--telegram-base-url", telegram.base_url)


def given(folder: Path, text: str) -> Path:
    """A file that holds a secret."""
    (path := folder / "secret").write_text(f"{text}\n")
    return path


def rights(path: Path) -> int:
    return path.stat().st_mode & 0o777


def everything_in(home: Path) -> set[str]:
    return {path.name for path in home.rglob("*") if path.is_file()}


# ---- to a bot that answers


def test_what_it_writes_is_all_that_a_bot_in_both_chats_needs(
    telegram: FakeTelegram, server: Synapse, account: Json, file: Path, tmp_path: Path
) -> None:
    answers = (telegram.token, ENTER, YES, account["user_id"], server.base_url, account["password"], ENTER, YES, YES)
    done = answered(*answers, options=on(telegram))
    assert (done.returncode, done.stderr) == (0, "")
    assert "https://t.me/rollbook_bot?startgroup=true" in done.stdout
    assert "privacy mode is on" in done.stdout
    assert [secret for secret in (telegram.token, account["password"]) if secret in done.stdout] == []
    assert (rights(file), rights(file.parent)) == (0o600, 0o700)
    assert run("doctor").returncode == 0
    gm, ann = telegram.person("Gm"), Encrypted(server, "ann", tmp_path)
    group = telegram.supergroup("Night", gm)
    process = subprocess.Popen([*PROGRAM, "serve"], env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    try:
        telegram.text(group, gm, "/table new savage Glacier")
        telegram.wait_for(lambda: telegram.of_bot(group), 60)
        opened(read(file, {}).matrix, ann, encrypted=True)
        ended(process)
    finally:
        process.kill()
        process.communicate()


def test_an_emulator_of_somebody_else_takes_the_token_too(file: Path, tmp_path: Path) -> None:
    with TelegramEmulator() as server:
        token = given(tmp_path, server.token)
        done = run("setup", "--yes", "--telegram-token-file", token, "--telegram-base-url", server.base_url)
    assert (done.returncode, done.stderr) == (0, "")
    assert read(file, {}).telegram == Telegram(
        token=server.token, base_url=server.base_url, base_file_url=server.base_file_url
    )


def test_at_a_terminal_secrets_are_not_shown_and_the_bot_is_started_from_there(telegram: FakeTelegram) -> None:
    with Typed("setup", *on(telegram)) as person:
        person.until("Language / 语言").type("中文\n")
        person.until("令牌").until("：").type(f"{telegram.token}\n")
        person.until("拉进群").until("[*]").type("\n")
        person.until("用在 Matrix 上吗").type("不要\n")
        person.until("时间按哪里的算").until("：").type("北京时间\n")
        person.until("吗？ [Y/n]").type("\n")
        person.until("现在启动吗").type("\n")
        gm = telegram.person("Gm")
        group = telegram.supergroup("Night", gm)
        telegram.text(group, gm, "。骰 2d6")
        telegram.text(group, gm, "/开团 savage 冰川")
        telegram.wait_for(lambda: [one for one in telegram.of_bot(group) if "冰川" in one.text], 60)
        person.type("\x03")
        assert person.ended() == 0
    assert telegram.token not in person.seen
    assert "Traceback" not in person.seen


def test_where_the_bot_runs_already_no_second_one_is_offered(telegram: FakeTelegram, tmp_path: Path) -> None:
    token = given(tmp_path, telegram.token)
    assert run("setup", "--yes", "--telegram-token-file", token, *on(telegram)).returncode == 0
    with Typed("serve") as bot:
        bot.until("Serving telegram")
        gm = telegram.person("Gm")
        group = telegram.supergroup("Night", gm)
        telegram.text(group, gm, "/roll 2d6")
        telegram.wait_for(lambda: telegram.of_bot(group), 60)
        with Typed("setup", "--language", "en", "--no-check", *on(telegram)) as person:
            person.until("Keep the token?").type("\n")
            person.until("Whom does it serve?").until("[*]").type("\n")
            person.until("Is it for Matrix?").type("n\n")
            person.until("By which clock").until(": ").type("\n")
            person.until("The bot runs already")
            assert person.ended() == 0
        assert "Start it now?" not in person.seen
        bot.type("\x03")
        assert bot.ended() == 0


# ---- answers that are no good


def test_a_token_that_is_none_or_that_telegram_does_not_know_is_asked_for_again(
    telegram: FakeTelegram, file: Path
) -> None:
    answers = ("no token", "700:another-token", telegram.token, "ann!", "@ann，-100123", "maybe", NO, YES)
    done = answered(*answers, options=on(telegram))
    assert (done.returncode, done.stderr) == (0, "")
    assert "ann! is no Telegram name" in done.stdout
    assert "Please answer y or n." in done.stdout
    assert "That is no token" in done.stdout
    assert "telegram.token is not known" in done.stdout
    assert read(file, {}) == Config(
        language="en", time_zone="UTC",
        telegram=Telegram(
            token=telegram.token, base_url=telegram.base_url, base_file_url=telegram.base_file_url,
            allow=("@ann", "-100123"),
        ),
    )  # fmt: skip


def test_an_account_an_address_a_password_and_an_invitation_that_are_none_are_asked_for_again(
    server: Synapse, account: Json, file: Path, telegram: FakeTelegram
) -> None:
    somewhere = f"http://127.0.0.1:{telegram.port}"  # it answers, and is no homeserver
    user = account["user_id"].replace("@", "＠").replace(":", "：")  # as a Chinese keyboard has them
    answers = (
        NO, YES, "rollbook", user, "ftp://x", somewhere, f"{server.base_url}/", "wrong",
        ENTER, account["password"], "ann", "@ann:example.org，example.com", NO, YES,
    )  # fmt: skip
    done = answered(*answers)
    assert (done.returncode, done.stderr) == (0, "")
    told = ("That is no account", "That is no address", "no Matrix homeserver", "with this password", "ann is neither")
    assert [said for said in told if said not in done.stdout] == []
    assert read(file, {}).matrix == Matrix(
        homeserver=server.base_url, user=account["user_id"], password=account["password"],
        allow=("@ann:example.org", "example.com"), encryption=False,
    )  # fmt: skip


def test_what_is_no_text_is_asked_for_again(file: Path) -> None:
    done = run("setup", "--no-check", given=b"fr\nen\ny\n\xff\n700:token\n\nn\nnowhere\nshanghai\ny\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Please answer en or zh" in done.stdout
    assert "characters that cannot be shown" in done.stdout
    assert "There is no time zone nowhere" in done.stdout
    expected = Config(language="en", time_zone="Asia/Shanghai", telegram=Telegram(token="700:token"))
    assert read(file, {}) == expected


def test_what_cannot_be_seen_round_a_pasted_token_is_left_out(file: Path) -> None:
    pasted = "\ufeff\xa0700:token\u200b\r"
    assert answered(YES, pasted, ENTER, NO, YES, options=("--no-check",)).returncode == 0
    assert read(file, {}).telegram == Telegram(token="700:token")


def test_a_password_is_tried_and_no_device_is_left_of_it(
    server: Synapse, account: Json, home: Path
) -> None:
    answers = (NO, YES, account["user_id"], server.base_url, account["password"], ENTER, YES, YES)
    assert answered(*answers).returncode == 0
    devices = server.request("GET", "/_matrix/client/v3/devices", token=account["access_token"])["devices"]
    assert [one["device_id"] for one in devices] == [account["device_id"]]
    assert everything_in(home) == {"rollbook.toml"}


def test_an_access_token_is_compared_with_the_account(server: Synapse, account: Json, file: Path) -> None:
    other = server.register("other")
    answers = (
        NO, YES, account["user_id"], server.base_url, ENTER, other["access_token"],
        ENTER, ENTER, "syt_unknown", ENTER, ENTER, account["access_token"], "*", YES, YES,
    )  # fmt: skip
    done = answered(*answers)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"belongs to {other['user_id']}" in done.stdout
    assert "does not know this access token" in done.stdout
    matrix = read(file, {}).matrix
    assert matrix
    assert (matrix.access_token, matrix.password, matrix.allow) == (account["access_token"], None, ())
    assert len(matrix.pickle_key or "") > 40


def test_a_token_of_another_program_that_encrypts_is_told(server: Synapse, tmp_path: Path) -> None:
    element = Encrypted(server, "element", tmp_path)
    element.room()
    token = given(tmp_path, element.token)
    account = ("--matrix-user", element.account, "--matrix-homeserver", server.base_url)
    done = run("setup", "--yes", *account, "--matrix-access-token-file", token)
    assert (done.returncode, done.stderr) == (0, "")
    assert "another program seems to use it" in done.stdout


# ---- without a network, and without an answer


def test_without_a_network_it_says_so_and_can_go_on(file: Path) -> None:
    nobody = ("--telegram-base-url", f"http://127.0.0.1:{free_port()}/bot")
    done = answered("700:a", NO, "700:b", YES, ENTER, NO, YES, options=nobody)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Use it unchecked?") == 2
    telegram = read(file, {}).telegram
    assert telegram
    assert telegram.token == "700:b"


def test_a_homeserver_that_is_not_there_can_be_taken_unchecked(file: Path) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    done = answered(NO, YES, "@r:localhost", address, YES, "password", ENTER, ENTER, YES)
    assert (done.returncode, done.stderr) == (0, "")
    matrix = read(file, {}).matrix
    assert matrix
    assert (matrix.homeserver, matrix.password) == (address, "password")


ANSWERS = (YES, "700:token", ENTER, YES, "@r:localhost", "https://localhost", "password", ENTER, YES)


@pytest.mark.parametrize("count", range(len(ANSWERS) + 1))
def test_whoever_leaves_before_the_end_leaves_nothing(home: Path, count: int) -> None:
    done = answered(*ANSWERS[:count], options=("--no-check",))
    assert done.returncode == 130
    assert done.stderr == "\nLeft; nothing was written.\n"
    assert everything_in(home) == set()


def test_a_no_at_the_end_leaves_what_there_was(file: Path) -> None:
    assert answered(*ANSWERS, YES, options=("--no-check",)).returncode == 0
    before = file.read_bytes()
    assert answered(YES, NO, "800:other", ENTER, NO, NO, options=("--no-check",)).returncode == 130
    assert file.read_bytes() == before
    assert everything_in(file.parent) == {"rollbook.toml"}


def test_ctrl_c_and_ctrl_d_at_a_terminal_leave_nothing(home: Path) -> None:
    for keys in ("\x03", "\x04"):
        with Typed("setup", "--language", "en") as person:
            person.until("Is it for Telegram?").type("y\n")
            person.until("while you paste it").until(": ").type(keys)
            assert person.ended() == 130
        assert "Left; nothing was written." in person.seen
        assert "Traceback" not in person.seen
    assert everything_in(home) == set()


# ---- a file that is there

KEPT = """# my notes
patience_minutes = 30 # half an hour

[telegram]
token = "700:old-secret" # from BotFather
webhook_url = "https://example.org/hook"

[matrix]
homeserver = "https://matrix.example.org"
user = "@r:example.org"
password = "old-password"
allow = ["example.org"]
"""


@pytest.fixture
def kept(file: Path) -> Path:
    file.parent.mkdir(parents=True)
    file.write_text(KEPT)
    file.chmod(0o644)
    return file


def test_a_file_that_is_there_keeps_what_is_not_asked_for(kept: Path) -> None:
    done = answered(YES, NO, "800:new-secret", ENTER, NO, YES, options=("--no-check",))
    assert (done.returncode, done.stderr) == (0, "")
    assert "token 700:…" in done.stdout
    assert "@r:example.org at https://matrix.example.org" in done.stdout
    assert [secret for secret in ("old-secret", "old-password", "new-secret") if secret in done.stdout] == []
    added = 'an hour\nlanguage = "en"\ntime_zone = "UTC"\n'
    changed = KEPT.replace("700:old-secret", "800:new-secret").replace("an hour\n", added)
    assert kept.read_text() == changed
    backup = kept.with_name("rollbook.toml.bak")
    assert backup.read_text() == KEPT
    assert (rights(kept), rights(backup)) == (0o600, 0o600)


def test_of_a_chat_that_is_there_one_part_can_be_changed(kept: Path) -> None:
    done = answered(NO, YES, YES, "*", YES, YES, options=("--no-check",))
    assert (done.returncode, done.stderr) == (0, "")
    matrix = read(kept, {}).matrix
    assert matrix
    assert (matrix.user, matrix.password, matrix.allow) == ("@r:example.org", "old-password", ())
    assert len(matrix.pickle_key or "") > 40
    assert answered(NO, YES, NO, ENTER, ENTER, ENTER, "token", ENTER, YES, YES, options=("--no-check",)).returncode == 0
    matrix = read(kept, {}).matrix
    assert matrix
    assert (matrix.access_token, matrix.password, matrix.homeserver) == ("token", None, "https://matrix.example.org")


def test_keys_that_are_there_get_no_new_pickle_key(kept: Path, home: Path) -> None:
    (store := home / ".local" / "share" / "rollbook" / "matrix").mkdir(parents=True)
    (store / "@r:example.org_DEVICE.db").touch()
    assert answered(NO, YES, YES, ENTER, YES, YES, options=("--no-check",)).returncode == 0
    matrix = read(kept, {}).matrix
    assert matrix
    assert matrix.pickle_key is None


def test_a_file_that_says_the_same_afterwards_is_not_written(kept: Path) -> None:
    kept.write_text(f'language = "en"\ntime_zone = "UTC"\n{KEPT}')
    done = answered(NO, NO)
    assert (done.returncode, done.stderr) == (0, "")
    assert "is as it was" in done.stdout
    assert everything_in(kept.parent) == {"rollbook.toml"}


def test_values_of_another_kind_are_asked_for_anew(kept: Path) -> None:
    kept.write_text("language = 5\ntime_zone = []\n[telegram]\ntoken = 5\nallow = 7\n")
    assert answered(YES, NO, "800:secret", ENTER, NO, YES, options=("--no-check",)).returncode == 0
    assert read(kept, {}) == Config(language="en", time_zone="UTC", telegram=Telegram(token="800:secret"))


@pytest.mark.parametrize("text", ["telegram = ", "telegram = 5", "[[matrix]]", "\udcff"])
def test_a_file_that_is_something_else_is_left_alone(kept: Path, text: str) -> None:
    kept.write_bytes(text.encode(errors="surrogateescape"))
    done = answered(*ANSWERS, YES, options=("--no-check",))
    assert done.returncode == 2
    assert done.stderr.startswith("rollbook: ")
    assert done.stderr.count("\n") == 1
    assert kept.read_bytes() == text.encode(errors="surrogateescape")


def test_a_pipe_is_no_configuration(home: Path) -> None:
    os.mkfifo(home / "pipe")
    assert "is no file" in refused(answered(*ANSWERS, YES, options=("--no-check", "--config", home / "pipe")))


def test_a_link_stays_one_and_a_key_that_serve_does_not_know_is_told(kept: Path, home: Path) -> None:
    (real := home / "dotfiles.toml").write_text(f"{KEPT}unknown = 1\n")
    kept.unlink()
    kept.symlink_to(real)
    done = answered(YES, NO, "800:new-secret", ENTER, NO, YES, options=("--no-check",))
    assert done.returncode == 0
    assert "matrix.unknown" in done.stdout
    assert kept.is_symlink()
    assert "800:new-secret" in real.read_text()
    assert "unknown = 1" in real.read_text()


def test_a_file_is_its_owners_alone_from_the_first_byte_on(tmp_path: Path) -> None:
    (path := tmp_path / "x").write_text("old")
    path.chmod(0o644)
    seen: list[int] = []
    before = os.umask(0)
    try:
        whole._whole(path, lambda out: seen.append(os.fstat(out.fileno()).st_mode & 0o777) or 0, 0o600)
    finally:
        os.umask(before)
    assert (seen, rights(path)) == ([0o600], 0o600)


# ---- without questions


def test_options_and_the_environment_answer_all_questions(
    telegram: FakeTelegram, server: Synapse, account: Json, file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_TELEGRAM_TOKEN", telegram.token)
    monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_TELEGRAM_BASE_URL", telegram.base_url)
    monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_MATRIX_PICKLE_KEY", "a word")
    monkeypatch.setitem(ENVIRONMENT, "TZ", "Europe/Berlin")
    password = given(tmp_path, account["password"])
    asked = ("--matrix-user", account["user_id"], "--matrix-homeserver", server.base_url)
    more = ("--matrix-password-file", password, "--matrix-allow", "@ann:example.org")
    done = run("setup", "--yes", "--language", "zh", *asked, *more)
    assert (done.returncode, done.stderr) == (0, "")
    text = file.read_text()
    assert [one for one in (telegram.token, telegram.base_url, "a word", "[telegram]") if one in text] == []
    matrix = Matrix(
        homeserver=server.base_url, user=account["user_id"], password=account["password"], allow=("@ann:example.org",)
    )
    assert read(file, {}) == Config(language="zh", time_zone="Europe/Berlin", matrix=matrix)


def test_without_questions_what_is_wrong_or_missing_is_one_line(telegram: FakeTelegram, tmp_path: Path) -> None:
    wrong, shape = given(tmp_path, "700:another-token"), tmp_path / "shape"
    shape.write_bytes(b"\xff\n")
    nobody = f"http://127.0.0.1:{free_port()}/bot"
    assert "there is nothing to set up" in refused(run("setup", "--yes"))
    assert "is not known" in refused(run("setup", "--yes", *on(telegram), "--telegram-token-file", wrong))
    said = refused(run("setup", "--yes", "--telegram-base-url", nobody, "--telegram-token-file", wrong))
    assert "--no-check" in said
    assert "another-token" not in said
    assert "no text" in refused(run("setup", "--yes", "--telegram-token-file", shape))
    assert "Password" in refused(run("setup", "--yes", "--no-check", "--matrix-user", "@r:x.org"))
    assert "no account" in refused(run("setup", "--yes", "--matrix-user", "r"))
    assert "no address" in refused(run("setup", "--yes", "--telegram-base-url", "x", "--telegram-token-file", wrong))


def test_without_questions_one_part_of_what_is_there_can_be_changed(kept: Path, tmp_path: Path) -> None:
    asked = ("--yes", "--no-check", "--language", "en")
    assert run("setup", *asked, "--matrix-password-file", given(tmp_path, "new password")).returncode == 0
    assert run("setup", *asked, "--matrix-allow", "*", "--no-matrix-encryption").returncode == 0
    assert run("setup", *asked, "--telegram-base-url", "https://example.org/bot").returncode == 0
    assert run("setup", *asked, "--telegram-allow", "@ann").returncode == 0
    config = read(kept, {})
    assert config.matrix
    assert (config.matrix.user, config.matrix.password) == ("@r:example.org", "new password")
    assert (config.matrix.allow, config.matrix.encryption) == ((), False)
    assert config.telegram
    assert (config.telegram.token, config.telegram.base_url) == ("700:old-secret", "https://example.org/bot")
    assert config.telegram.allow == ("@ann",)


def test_a_wrong_token_in_the_environment_is_not_asked_for_again(
    telegram: FakeTelegram, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_TELEGRAM_TOKEN", "700:another-token")
    done = answered(options=on(telegram))
    assert done.returncode == 2
    assert "is not known" in done.stderr
    assert everything_in(home) == set()


def test_it_writes_where_it_is_told_to(home: Path) -> None:
    path = home / "new folder" / "bot.toml"
    done = answered(YES, "700:token", ENTER, NO, YES, options=("--no-check", "--config", path))
    assert done.returncode == 0
    assert f"rollbook serve --config '{path}'" in done.stdout
    assert everything_in(home) == {"bot.toml"}


def test_where_nothing_can_be_written_it_is_told(home: Path) -> None:
    (home / "file").touch()
    done = answered(YES, "700:token", ENTER, NO, YES, options=("--no-check", "--config", home / "file" / "bot.toml"))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


# ---- the service


def test_what_it_says_to_type_can_be_typed_where_no_shell_finds_rollbook_by_its_name() -> None:
    done = run("setup", "--yes", "--no-check", "--telegram-token-file", "-", given="700:token\n")
    (command,) = re.findall(r"To start it: (.+)", done.stdout)
    words = [*shlex.split(command), "--help"]
    started = subprocess.run(words, capture_output=True, env=ENVIRONMENT, check=False, timeout=60)
    assert (started.returncode, started.stderr) == (0, b"")


def verified(unit: Path) -> subprocess.CompletedProcess[str]:
    """As systemd sees it; it wants a folder for the sockets of a session."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    environment = {**ENVIRONMENT, "XDG_RUNTIME_DIR": "/tmp"}
    asked = [analyze, "--user", "verify", unit]
    return subprocess.run(asked, env=environment, capture_output=True, text=True, check=False, timeout=60)


def test_the_service_is_one_that_systemd_takes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_PATIENCE_MINUTES", "20")
    done = answered(YES, "700:token", ENTER, NO, YES, options=("--no-check", "--service"))
    assert (done.returncode, done.stderr) == (0, "")
    unit = home / ".config" / "systemd" / "user" / "rollbook.service"
    assert str(own_file_in(home)) in unit.read_text()
    assert "run this yourself: systemctl --user daemon-reload" in done.stdout
    assert "does not see this terminal's variables ROLLBOOK_PATIENCE_MINUTES" in done.stdout
    checked = verified(unit)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_service_is_taken_into_use_by_the_programs_of_systemd(home: Path) -> None:
    for name in ("systemctl", "loginctl"):
        (program := home / "bin" / name).write_text(f'#!/bin/sh\necho {name} "$@" >> {home}/asked\n')
        program.chmod(0o755)
    done = answered(YES, "700:token", ENTER, NO, YES, options=("--no-check", "--service"))
    assert (done.returncode, done.stderr) == (0, "")
    assert (home / "asked").read_text().splitlines() == [
        "systemctl --user daemon-reload", "systemctl --user enable rollbook.service",
        "systemctl --user restart rollbook.service", "loginctl enable-linger",
    ]  # fmt: skip
    assert "The service runs" in done.stdout
    assert "To start it" not in done.stdout


def own_file_in(home: Path) -> Path:
    return home / ".config" / own_file().relative_to(own_file().parents[1])


def test_a_path_with_signs_of_systemds_own_is_taken_as_it_stands(tmp_path: Path) -> None:
    (unit := tmp_path / "rollbook.service").write_text(service.unit(Path('/a b/100% "$HOME" \\n.toml')))
    assert r'"/a b/100%% \"$$HOME\" \\n.toml"' in unit.read_text()
    checked = verified(unit)
    assert (checked.returncode, checked.stderr) == (0, "")


# ---- its sentences


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


PHRASES = [pytest.param(phrase, id=key) for book in (SETUP, CREDENTIALS) for key, phrase in book.items()]


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_sentence_says_the_same_in_both_languages_on_one_line(phrase: Phrase) -> None:
    assert blanks(phrase.zh) == blanks(phrase.en)
    assert "\n" not in phrase.zh + phrase.en


def named_in(*folders: str) -> set[str]:
    paths = [path for folder in folders for path in ROOT.glob(folder) if path.name != "words.py"]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    return {one.value for tree in trees for one in ast.walk(tree) if isinstance(one, ast.Constant)}


def test_every_sentence_is_said_by_something() -> None:
    assert SETUP.keys() - named_in("adapters/setup/*.py") == set()
    found = {key for key in CREDENTIALS if not key.endswith(".do")}
    assert found - named_in("adapters/matrix/credentials.py") == set()
    assert {key.removesuffix(".do") for key in CREDENTIALS if key.endswith(".do")} <= found
