"""A log in a database in place of a file, wherever a program takes one: the real program on a real PostgreSQL."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from adapters.wiring import place, shown
from events.log import LogUnusable
from events.postgres import PostgresLog
from tests.adapters.terminal import ENVIRONMENT, EVENING, refused, run
from tests.adapters.test_doctor import understood
from tests.adapters.test_serve import ended, serving
from tests.servers.postgres import Postgres, running, url_of
from tests.servers.telegram import FakeTelegram

PASSWORD = "hunter2%21"  # as it stands in an address


@pytest.fixture
def postgres() -> Postgres:
    return running()


@pytest.fixture
def url(postgres: Postgres) -> str:
    return url_of(postgres.fresh(), PASSWORD)


def played(url: str) -> None:
    done = run("play", "--db", url, given="\n".join(EVENING))
    assert (done.returncode, done.stderr) == (0, "")
    assert "Glacier" in done.stdout


def test_what_is_played_on_a_database_can_be_looked_back_on_and_holds(url: str, tmp_path: Path) -> None:
    played(url)
    for command in (["verify", url], ["replay", "--db", url], ["stats", "--db", url]):
        done = run(*command)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout
    with closing(PostgresLog(url, read_only=True)) as log:
        assert log.size() > 100_000
    file = tmp_path / "out.jsonl"
    done = run("export", "--db", url, "--as", "audit", "-o", file)
    assert (done.returncode, done.stdout) == (0, "")
    assert len(file.read_bytes().splitlines()) > len(EVENING)
    assert run("verify", file).returncode == 0


def test_an_export_is_taken_into_a_database_and_the_address_is_not_said(
    url: str, postgres: Postgres, tmp_path: Path
) -> None:
    played(url)
    file, other = tmp_path / "out.jsonl", url_of(postgres.fresh(), PASSWORD)
    run("export", "--db", url, "--as", "audit", "-o", file)
    done = run("import", "--db", other, "--table", "again", file)
    assert (done.returncode, done.stderr) == (0, "")
    assert PASSWORD not in done.stdout
    assert run("export", "--db", other, "--as", "audit").stdout == file.read_text()


def test_the_environment_may_name_the_database(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    played(url)
    monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_DB", url)
    done = run("replay")
    assert (done.returncode, done.stderr) == (0, "")
    assert "athletics" in done.stdout


def test_serve_keeps_its_log_in_a_database(url: str) -> None:
    with FakeTelegram() as server:
        gm = server.person("Gm")
        group = server.supergroup("Night", gm)
        with serving(server, url) as process:
            server.text(group, gm, "/table new savage Glacier")
            server.text(group, gm, "/roll 2d6")
            server.wait_for(lambda: len(server.of_bot(group)) == 2, 60)
            said = ended(process)
    assert "Serving telegram from postgresql://" in said
    assert PASSWORD not in said
    log = PostgresLog(url, read_only=True)
    assert b"RollMade" in list(log.read(log.tables()[0]))[-1].body
    log.close()


# ---- copied


def test_a_log_goes_from_a_file_to_a_database_and_back_and_is_the_same(url: str, tmp_path: Path) -> None:
    file, again = tmp_path / "rollbook.db", tmp_path / "again.db"
    played(str(file))
    for source, target in ((file, url), (url, again)):
        done = run("log", "copy", source, target)
        assert (done.returncode, done.stderr) == (0, "")
        assert re.fullmatch(r"Copied to \S+: tables 1, events \d\d\.\n", done.stdout)
        assert PASSWORD not in done.stdout
    exports = [run("export", "--db", db, "--as", "audit").stdout for db in (file, url, again)]
    assert exports[0]
    assert exports == exports[:1] * 3
    assert run("verify", url).stdout == run("verify", file).stdout
    played_on = run("play", "--db", url, given="gm: /roll d6")
    assert (played_on.returncode, "d6" in played_on.stdout) == (0, True)


def test_a_copy_that_cannot_be_is_refused_in_one_line_and_leaves_things_as_they_are(url: str, tmp_path: Path) -> None:
    file, new = tmp_path / "rollbook.db", tmp_path / "new.db"
    played(str(file))
    played(url)
    assert "holds something already" in refused(run("log", "copy", file, url))
    assert "does not exist" in refused(run("log", "copy", tmp_path / "nowhere.db", new))
    assert "nowhere" in refused(run("log", "copy", url.replace("/postgres?", "/nowhere?"), new))
    assert not new.exists()


def test_a_copy_of_a_log_that_is_served_says_what_it_will_not_have(url: str, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    with FakeTelegram() as server:
        gm = server.person("Gm")
        group = server.supergroup("Night", gm)
        with serving(server, url):
            server.text(group, gm, "/table new savage Glacier")
            server.wait_for(lambda: server.of_bot(group), 60)
            done = run("log", "copy", url, new)
    assert done.returncode == 0
    assert done.stderr == "FROM is being served now: what comes from now on is not in the copy.\n"
    assert run("verify", new).returncode == 0


# ---- the doctor


def configured(path: Path, url: str, rights: int = 0o600) -> Path:
    path.touch(mode=rights)
    path.chmod(rights)
    path.write_text(f"db = {json.dumps(url)}\n")
    return path


def examined(file: Path, language: str = "C.UTF-8") -> dict[str, str]:
    done = run("doctor", "--config", file, language=language)
    assert done.stderr == ""
    assert PASSWORD not in done.stdout
    return understood(done.stdout, "zh" if language.startswith("zh") else "en")


@pytest.mark.parametrize("language", ["C.UTF-8", "zh_CN.UTF-8"])
def test_the_doctor_looks_at_a_database(url: str, tmp_path: Path, language: str) -> None:
    file = configured(tmp_path / "rollbook.toml", url)
    assert examined(file, language)["database_new"] == "✓"
    with psycopg.connect(url) as raw:
        things = raw.execute("SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace")
        assert things.fetchall() == []
    played(url)
    found = examined(file, language)
    assert (found["log"], "disk" in found, "database_new" in found) == ("✓", False, False)


def test_the_doctor_tells_what_is_wrong_with_a_database(url: str, tmp_path: Path) -> None:
    file = configured(tmp_path / "rollbook.toml", url)
    with psycopg.connect(url, autocommit=True) as raw:
        raw.execute("CREATE TABLE songs (title text)")
        assert examined(file)["database_taken"] == "✗"
        raw.execute("DROP TABLE songs")
        played(url)
        raw.execute("UPDATE rollbook SET version = version + 1")
        assert examined(file)["log.newer"] == "✗"
    assert examined(configured(file, url.replace("/postgres?", "/nowhere?")))["database_unreached"] == "✗"
    assert examined(configured(file, "postgresql://u:pass/word@host/db"))["database_unreached"] == "✗"


@pytest.mark.parametrize(("rights", "mark"), [(0o600, None), (0o644, "!")])
def test_a_file_with_a_databases_password_that_others_can_read_is_told(
    url: str, tmp_path: Path, rights: int, mark: str | None
) -> None:
    assert examined(configured(tmp_path / "rollbook.toml", url, rights)).get("open_file") == mark


# ---- addresses that will not do


@pytest.mark.parametrize("command", [["play", "--db"], ["replay", "--db"], ["verify"]])
def test_a_database_that_cannot_be_reached_is_said_in_one_line(url: str, command: list[str]) -> None:
    said = refused(run(*command, url.replace("/postgres?", "/nowhere?")))
    assert "nowhere" in said
    assert PASSWORD not in said


@pytest.mark.parametrize(
    "address", ["postgresql://u:hunter/2@host/db", "postgresql://u:hun@ter@host/db", "postgresql://u:1/hunter@host/db"]
)
def test_a_password_that_is_written_wrongly_does_not_end_up_in_what_is_told(address: str) -> None:
    with pytest.raises(LogUnusable, match="its address cannot be read") as told:
        shown(place(address))
    assert "hun" not in str(told.value)


def test_without_the_library_the_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "psycopg.py").write_text("raise ImportError('as if it were not installed')")
    monkeypatch.setitem(ENVIRONMENT, "PYTHONPATH", f"{tmp_path}:{ENVIRONMENT['PYTHONPATH']}")
    for command in (["play", "--db", "postgresql://host/db"], ["verify", "postgres://host/db"]):
        assert 'pip install "psycopg[binary]"' in refused(run(*command))
    monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_DB", "postgresql://host/db")
    done = run("doctor")
    assert (done.returncode, understood(done.stdout, "en")["no_library"]) == (1, "✗")
    played_on_a_file = run("play", "--db", tmp_path / "rollbook.db", given="/calc 1+1")
    assert (played_on_a_file.returncode, played_on_a_file.stderr) == (0, "")
