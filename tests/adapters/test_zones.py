"""By whose clock times are told: zones by their names, in chat, in every file, in the terminal, as configured."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from adapters import files
from adapters.config import NotConfigured, read, zones
from adapters.export import from_jsonl
from adapters.zones import Iana
from core.app import App
from core.zones import UTC, Zone
from events.beside import Attached
from events.log import MemoryLog
from tests.adapters.page import packed
from tests.adapters.terminal import ENVIRONMENT, EVENING, exported, play, refused, run
from tests.adapters.test_serve import ended, serving
from tests.servers.telegram import FakeTelegram
from tests.story import Clock, Seeds, Story

SHANGHAI = "/house time-zone Asia/Shanghai"
SLOW_S = 30  # for a program to start on a busy machine


# ---- names and clocks


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Asia/Shanghai", "Asia/Shanghai"), ("asia/shanghai", "Asia/Shanghai"), ("shanghai", "Asia/Shanghai"),
        ("北京", "Asia/Shanghai"), ("New York", "America/New_York"), ("UTC", "UTC"), ("gmt+0", "UTC"),
        ("UTC+8", "UTC+8"), ("GMT-03:30", "UTC-3:30"), ("+0545", "UTC+5:45"),
    ],
)  # fmt: skip
def test_a_zone_is_found_by_what_people_call_it_and_by_its_own_name_again(text: str, name: str) -> None:
    found = Iana().find(text)
    assert found is not None
    assert found.name == name
    again = Iana().find(name)
    assert again is not None
    assert again.name == name


@pytest.mark.parametrize(
    "text", ["", "Asia", "Mordor", "UTC+15", "localtime", "Factory", "/etc/localtime", "../Asia/Shanghai", "Asia/.."]
)
def test_what_is_no_zone_is_none(text: str) -> None:
    assert Iana().find(text) is None


def test_the_nearest_names_of_a_misspelt_one_are_told() -> None:
    assert Iana().nearest("Asia/Shangai")[0] == "Asia/Shanghai"
    assert "Europe/Istanbul" in Iana().nearest("Istanbul"), "there is one in Asia too"
    assert Iana().nearest("Mordor")


@pytest.mark.parametrize(
    ("name", "at", "local"),
    [
        ("Asia/Shanghai", "2026-11-30T20:00:01.000Z", "2026-12-01T04:00:01.000+08:00"),
        ("Europe/London", "2026-03-29T00:59:59.000Z", "2026-03-29T00:59:59.000+00:00"),
        ("Europe/London", "2026-03-29T01:00:00.000Z", "2026-03-29T02:00:00.000+01:00"),
        ("UTC-3:30", "2026-11-30T02:00:00.000Z", "2026-11-29T22:30:00.000-03:30"),
        ("UTC", "2026-11-30T02:00:00.000Z", "2026-11-30T02:00:00.000Z"),
        ("Asia/Shanghai", "2026-11-30T20:00:01", "2026-12-01T04:00:01.000+08:00"),
        ("Asia/Shanghai", "9999-12-31T23:00:00.000Z", "9999-12-31T23:00:00.000Z"),
        ("Asia/Shanghai", "yesterday", "yesterday"),
    ],
)
def test_a_clock_shows_the_same_moment_summer_and_winter(name: str, at: str, local: str) -> None:
    found = Iana().find(name)
    assert found is not None
    assert found.local(at) == local


def test_a_system_without_time_zone_files_has_those_of_the_package() -> None:
    asked = "from adapters.zones import Iana; print(Iana().find('上海').local('2026-11-30T20:00:00.000Z'))"
    environment = {**ENVIRONMENT, "PYTHONTZPATH": "", "PYTHONUTF8": "1"}
    told = subprocess.run([sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout == "2026-12-01T04:00:00.000+08:00\n"


# ---- in chat


def glacier(*lines: str, zones: Iana | None = None) -> Story:
    return Story(zones=zones or Iana()).given("gm: /table new savage Glacier", *lines)


def told(story: Story, line: str) -> str:
    answer = story.when(line)
    assert answer.error is None
    return "\n".join(letter.text for letter in answer.letters)


def test_lists_history_and_the_recap_have_the_tables_time() -> None:
    story = glacier("gm: /session start Night", "gm: /log on", "gm: /roll d6")
    for zone, shown in (("上海", "2026-11-30 08:00"), ("UTC-11", "2026-11-29 13:00")):
        story.given(f"gm: /house time-zone {zone}")
        assert shown in told(story, "gm: /session list")
        assert shown in told(story, "gm: /log list")
        assert f"  {shown[11:]}  gm: 🎲" in told(story, "gm: /history")
        assert f"{shown} – {shown} {story.app.zones.find(zone).name}" in told(story, "gm: /replay")


def test_a_zone_is_kept_under_its_own_name_and_undone_like_any_house_rule() -> None:
    story = glacier("gm: 。房规 时区 北京")
    assert story.table.play.house == {"time-zone": "Asia/Shanghai"}
    assert "time-zone = Asia/Shanghai (default UTC)" in told(story, "gm: /house")
    story.given("gm: /undo")
    assert story.table.play.house == {}
    assert "time-zone = UTC (default UTC)" in told(story, "gm: /house")


def test_an_unknown_zone_is_refused_with_the_nearest_names_and_nobody_but_the_gm_sets_one() -> None:
    story = glacier("ann: /join")
    answer = story.when("gm: /house time-zone Asia/Shangai")
    assert answer.error == ("bad_argument", "There is no time zone “Asia/Shangai”; try Asia/Shanghai.")
    assert answer.events == ()
    refusal = story.when("gm: 。房规 时区 魔多").error
    assert refusal is not None
    assert "UTC+8" in refusal[1]
    refusal = story.when(f"ann: {SHANGHAI}").error
    assert refusal is not None
    assert refusal[0] == "not_allowed"


def test_a_table_that_has_set_none_has_the_configured_one() -> None:
    story = glacier("gm: /session start", zones=Iana(Iana().find("Asia/Tokyo") or UTC))
    assert "2026-11-30 09:00" in told(story, "gm: /session list")
    assert "time-zone = Asia/Tokyo (default Asia/Tokyo)" in told(story, "gm: /house time-zone")
    story.given("gm: /house time-zone UTC")
    assert "2026-11-30 00:00" in told(story, "gm: /session list")


# ---- in files


def made(story: Story, form: str, kind: str = "export") -> str:
    asked = Attached(kind, form, story.table.id, story.table.ledger.seq)
    return files.maker(story.log, story.app.zones)(asked).content.decode()


def test_every_form_has_the_tables_time_and_says_which_but_jsonl_is_as_it_is_recorded() -> None:
    story = glacier("gm: /session start Night", "gm: /log on", "gm: It is cold.", "gm: /roll d6")
    before = made(story, "jsonl")
    story.given(f"gm: {SHANGHAI}")
    assert made(story, "jsonl").startswith(before)

    text = made(story, "txt").split("\n")
    assert text[1] == "All times are in Asia/Shanghai."
    assert re.fullmatch(r"gm\(\d+\) 2026/11/30 08:00:\d\d", text[text.index("It is cold.") - 1])
    for kind in ("export", "replay"):
        markdown = made(story, "md", kind)
        assert "*All times are in Asia/Shanghai.*" in markdown
        assert re.search(r"\*\*gm\*\* · \d+ · 08:00:\d\d +\nIt is cold", markdown)
    assert "2026-11-30 08:00 – 2026-11-30 08:00 Asia/Shanghai" in made(story, "md", "replay")

    head, row = csv.reader(io.StringIO(made(story, "csv").removeprefix("\ufeff")))
    assert head[1] == "time (Asia/Shanghai)"
    assert row[1].startswith("2026-11-30 08:00:")

    page = made(story, "html")
    assert "all times are in Asia/Shanghai" in page
    steps = [json.loads(line) for line in packed(page, "steps").splitlines()]
    assert {re.sub(r"\d\d\.\d{3}", "", one["at"]) for one in steps} == {"2026-11-30T08:00:+08:00"}


def test_a_file_has_the_zone_of_when_it_was_asked_for() -> None:
    story = glacier("gm: /session start", f"gm: {SHANGHAI}")
    asked = Attached("export", "txt", story.table.id, story.table.ledger.seq)
    story.given("gm: /undo", "gm: /house time-zone Tokyo")
    assert "in Asia/Shanghai." in files.maker(story.log, story.app.zones)(asked).content.decode()
    assert "in Asia/Tokyo." in made(story, "txt")


def test_a_zone_that_this_program_does_not_know_is_taken_in_and_told_as_if_there_were_none(tmp_path: Path) -> None:
    class Newer(Iana):
        def find(self, text: str) -> Zone | None:
            return Zone(text, str) if text.startswith("Mars") else super().find(text)

    story = glacier("gm: /house time-zone Mars/Olympus", "gm: /session start", zones=Newer())
    path = tmp_path / "mars.jsonl"
    asked = Attached("export", "jsonl", story.table.id, story.table.ledger.seq, "audit")
    path.write_bytes(files.maker(story.log)(asked).content)
    log = MemoryLog()
    from_jsonl.append(log, from_jsonl.vetted(path, {}))
    app = App(log, Clock(), Seeds(), zones=Iana())
    assert app.table(story.table.id).play.house["time-zone"] == "Mars/Olympus"
    content = files.maker(log, app.zones)(Attached("export", "txt", story.table.id, asked.to)).content.decode()
    assert "All times are in UTC." in content


# ---- on the command line, and as configured


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "log.db"
    play(path, *EVENING)
    return path


def began(db: Path, zone: str) -> str:
    """When the evening began, by this clock, to the minute."""
    found = Iana().find(zone)
    assert found is not None
    return found.minute(json.loads(exported(db).splitlines()[0])["at"])


def zone_of(db: Path, *options: str) -> str:
    """Which one a text says that it has."""
    (found,) = re.findall(r"All times are in (.*)\.\n", exported(db, "--format", "txt", *options))
    return str(found)


def test_an_export_has_the_time_that_was_asked_for(db: Path) -> None:
    found = exported(db, "--format", "txt", "--time-zone", "kathmandu")
    assert "All times are in Asia/Kathmandu." in found
    assert f" {began(db, 'Asia/Kathmandu').replace('-', '/')}:" in found
    assert "time (UTC-11)" in exported(db, "--format", "csv", "--time-zone", "UTC-11").splitlines()[0]


def test_what_was_asked_for_goes_before_the_tables_own_and_that_before_the_configured_one(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert zone_of(db) == "UTC"
    monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_TIME_ZONE", "europe/paris")
    assert zone_of(db) == "Europe/Paris"
    play(db, f"gm: {SHANGHAI}")
    assert zone_of(db) == "Asia/Shanghai"
    assert zone_of(db, "--time-zone", "Tokyo") == "Asia/Tokyo"


def test_a_replay_has_the_time_that_was_asked_for_in_the_terminal_and_on_its_page(db: Path, tmp_path: Path) -> None:
    zone, page = ("--time-zone", "Asia/Kathmandu"), tmp_path / "page.html"
    first, second, *_ = run("replay", "--db", db, *zone).stdout.splitlines()
    assert first == "All times are in Asia/Kathmandu."
    assert second.startswith(f"#1 {began(db, 'Asia/Kathmandu')}:")
    assert run("replay", "--db", db, *zone, "--html", page).returncode == 0
    assert "all times are in Asia/Kathmandu" in page.read_text()


@pytest.mark.parametrize("command", ["export", "replay"])
def test_an_unknown_zone_is_refused_in_one_line_with_the_nearest_names(db: Path, command: str) -> None:
    said = refused(run(command, "--db", db, "--time-zone", "Asia/Shangai"))
    assert "there is no time zone Asia/Shangai; try Asia/Shanghai." in said


def test_a_jsonl_in_another_time_is_refused(db: Path) -> None:
    assert "UTC" in refused(run("export", "--db", db, "--time-zone", "Tokyo"))
    assert "--time-zone" in refused(run("export", "--db", db, "--person", "gm", "--time-zone", "Tokyo"))


def test_a_configured_zone_that_is_none_is_refused_with_the_nearest_names(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rollbook.toml"
    file.write_text('time_zone = "Asia/Shangai"\n')
    with pytest.raises(NotConfigured, match=r"time_zone in .* there is no time zone Asia/Shangai; try Asia/Shanghai\."):
        read(file, {})
    assert read(file, {"ROLLBOOK_TIME_ZONE": "上海"}).time_zone == "上海"
    assert zones("上海", "here").default.name == "Asia/Shanghai"
    monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_TIME_ZONE", "Mordor")
    for command in (["export", "--db", db, "--format", "txt"], ["play", "--db", db]):
        assert "ROLLBOOK_TIME_ZONE" in refused(run(*command))


def test_files_from_the_bot_have_the_configured_time(server: FakeTelegram, tmp_path: Path) -> None:
    gm = server.person("Gm")
    group = server.supergroup("Night", gm)
    with serving(server, tmp_path / "rollbook.db", ROLLBOOK_TIME_ZONE="上海") as process:
        for text in ("/table new savage Glacier", "/export txt", "/house time-zone Tokyo", "/export txt"):
            server.text(group, gm, text)
        server.wait_for(lambda: len([one for one in server.of_bot(group) if one.document]) == 2, SLOW_S)
        ended(process)
    first, second = (content.decode() for name, content in sorted(server._files.items()) if "documents" in name)
    assert "All times are in Asia/Shanghai." in first
    assert "All times are in Asia/Tokyo." in second
