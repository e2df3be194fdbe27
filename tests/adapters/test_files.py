"""Files: every form of every session, without a secret in it; names that are safe; text that stays text."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from adapters import files
from adapters.export import to_csv
from adapters.export.to_markdown import escaped
from adapters.export.words import COLUMNS
from core.registry import SYSTEMS
from core.secrecy import Role
from events import codec
from events.beside import Attached
from events.types import RollMade
from tests.adapters.page import PARTS, packed
from tests.laws.played import ANY_TEXT, DEEDS, begun
from tests.laws.played import games as savage_games
from tests.laws.systems import begun as begun_in
from tests.laws.systems import games
from tests.story import Story, all_of, savage

WRITABLE = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)
FORMS = ("jsonl", "csv", "md", "txt", "html")
# A head as the log painters of SealDice look for it: name, number in brackets, date and time, and nothing behind.
HEAD = re.compile(r"^\s*(.+?)\((\d{5,}|Bot)\)\s+(\d{4})[/\-.](\d{2})[/\-.](\d{2})\s+(\d{2}:\d{2}:\d{2})\s*$")
AGAIN = re.compile(r"^\d{4}-\d{2}-\d{2} \d{1,2}:\d{1,2}:\d{1,2}\s+.+?(\([^)]+\)|<[^>]+>)$")


def attached(
    story: Story, form: str, audience: str = "player", kind: str = "export", session: int | None = None
) -> Attached:
    return Attached(kind, form, story.table.id, story.table.ledger.seq, audience, session)


def made(story: Story, form: str, audience: str = "player", kind: str = "export", session: int | None = None) -> str:
    content = files.maker(story.log)(attached(story, form, audience, kind, session)).content.decode()
    return "\n".join(packed(content, part) for part in PARTS) if form == "html" else content


def rows(text: str) -> list[dict[str, str]]:
    """A CSV file as a spreadsheet program shows it, by our own names of its columns."""
    assert text.startswith("\ufeff")
    head, *body = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    assert len(head) == len(COLUMNS)
    return [dict(zip(COLUMNS, row, strict=True)) for row in body]


def rolls(story: Story) -> list[RollMade]:
    events = (codec.decode(one).data for one in story.log.read(story.table.id))
    return [one for one in events if isinstance(one, RollMade)]


# ---- every session in every form


@pytest.mark.parametrize("system", SYSTEMS)
@given(data=st.data())
def test_any_session_is_written_in_every_form_for_everybody(system: str, data: st.DataObject) -> None:
    story = begun() if system == "savage" else begun_in(system)
    for line in data.draw(savage_games() if system == "savage" else games(system)):
        story.hear(line)
    for audience in ("player", "gm", "audit"):
        exported = [json.loads(line) for line in made(story, "jsonl", audience).splitlines()]
        assert [one["seq"] for one in exported] == list(range(1, story.table.ledger.seq + 1))
        assert [int(one["roll"]) for one in rows(made(story, "csv", audience)) if one["roll"]] == [
            one["data"]["roll"] for one in exported if one.get("type") == "RollMade"
        ]
        assert made(story, "txt", audience)
        assert made(story, "html", audience)
        assert made(story, "md", audience).startswith("# ")
    assert made(story, "md", kind="replay")
    assert all(story.when(f"gm: /{verb}").error is None for verb in ("stats", "replay", "replay 1"))


@pytest.mark.parametrize("kind", ["secret", "secret=gm", "secret=me"])
@given(lines=savage_games(DEEDS, most=8), start=st.integers(0, 10_000))
def test_no_file_shows_a_sealed_roll_to_whom_it_is_hidden_from(kind: str, lines: list[str], start: int) -> None:
    story = begun(start=start)
    (roll,) = all_of(story.when(f"ann: /roll d1000000 {kind} # hush"), RollMade)
    assume(roll.total > 9999)
    for line in lines:
        story.hear(line)
    secret = re.compile(rf"\b{roll.total}\b|hush")
    hidden_from = ("player", "gm", "audit") if kind == "secret=me" else ("player",)
    for audience in hidden_from:
        for form in FORMS:
            assert not secret.search(made(story, form, audience)), (form, audience)
    assert not secret.search(made(story, "md", kind="replay"))
    if kind != "secret=me":
        assert all(secret.search(made(story, form, "gm")) for form in FORMS)
    story.given(f"{story.table.play.gm}: /reveal")
    assert all(secret.search(made(story, form)) for form in FORMS)


def test_a_pick_on_a_secret_move_is_sealed_like_the_move() -> None:
    story = Story().given("gm: /table new adventure", "gm: /house physical-dice on", "ann: /char new Ann STR=1")
    story.given("ann: /move defy STR dice=3,4 secret", "ann: /choose 2")
    last = [json.loads(line) for line in made(story, "jsonl").splitlines()][-2:]
    assert [one.get("sealed") for one in last] == [True, True]
    assert "ChoiceMade" not in made(story, "jsonl")
    assert "ChoiceMade" in made(story, "jsonl", "gm")
    assert "attention" not in made(story, "txt")


def test_an_unknown_audience_sees_what_players_see() -> None:
    story = savage("gm: /roll 3d6 secret")
    assert made(story, "jsonl", "everyone") == made(story, "jsonl", "player")


def test_a_picture_says_of_which_session_it_is() -> None:
    story = savage("gm: /session start", "ann: /roll 2d6", "gm: /session end")
    one, all_sessions = (attached(story, "png", kind="stats", session=session) for session in (1, None))
    make = files.maker(story.log)
    assert make(one).content != make(all_sessions).content


@pytest.mark.parametrize("form", [*FORMS, "png"])
def test_a_file_is_the_same_whenever_it_is_made(form: str) -> None:
    story = savage("ann: /char new Ann agility=d8", "gm: /session start").given(*["ann: /trait agility"] * 3)
    asked = attached(story, form, kind="stats" if form == "png" else "export")
    first = files.maker(story.log)(asked)
    story.given("ann: /trait agility", "gm: /undo", "gm: /roll d6 secret", "gm: /session end", "gm: /lang zh")
    assert files.maker(story.log)(asked) == first


# ---- what was taken back


def test_what_was_taken_back_is_left_out_with_a_mark_and_shown_to_the_audit() -> None:
    story = savage("ann: /char new Ann agility=d8", "ann: /roll d1000000")
    (roll,) = rolls(story)
    undone = story.table.ledger.seq
    story.given("gm: /undo misread")
    for form in ("md", "txt"):
        player, audit = (made(story, form, audience) for audience in ("player", "audit"))
        before, _, after = player.partition(f"number {undone} was taken back later, by number {undone + 1}")
        assert str(roll.total) not in before
        assert "misread" in after
        assert audit.count(f" = {roll.total}") == 2  # where it fell, and where it is said what was taken back
        assert f"taken back later, by number {undone + 1}" in audit
    (row,) = rows(made(story, "csv"))
    assert row["undone"] == str(undone + 1)


# ---- csv


@given(st.lists(st.one_of(WRITABLE, st.integers(), st.none()), min_size=2))
def test_a_row_of_csv_is_read_back_as_it_was_and_is_no_formula(cells: list[str | int | None]) -> None:
    (read,) = csv.reader(io.StringIO(to_csv.row(cells)))
    assert len(read) == len(cells)
    for cell, text in zip(cells, read, strict=True):
        if isinstance(cell, int):
            assert text == str(cell)
        else:
            assert text[:1] not in (*"=+-@＝＋－＠", "\t", "\r", "\n")
            shown = text.removeprefix("'")
            assert shown == to_csv.plain(cell or "")


def test_names_and_notes_that_begin_like_formulas_do_not_become_any() -> None:
    story = savage("=1+1: /join", "=1+1: /roll 2d6 # @SUM(1+9)*cmd|' /C calc'!A0")
    (row,) = rows(made(story, "csv"))
    assert row["person"] == "'=1+1"
    assert row["comment"].startswith("'@SUM")
    assert made(story, "csv").count("\n") == 2


def test_a_row_is_a_roll_with_all_that_was_thrown() -> None:
    story = savage("gm: /lang zh", "ann: /char new 小红 运动=d8", "gm: /session start")
    story.given("ann: /trait 运动 +2(顺风) dice=8,3,1 # 跳过去", "ann: /roll 2d6", "gm: /roll d6 secret")
    first, second, sealed = rows(made(story, "csv"))
    assert {key: first[key] for key in ("session", "person", "character", "label", "dice", "modifiers", "comment")} == {
        "session": "1", "person": "ann", "character": "小红", "label": "运动", "dice": "d8: 8 3; d6: 1",
        "modifiers": "'+2 顺风", "comment": "跳过去",
    }  # fmt: skip
    assert (first["total"], first["target"], first["modifier"], first["outcome"]) == ("13", "4", "2", "成功")
    assert (second["outcome"], second["target"]) == ("", "")
    assert {key: value for key, value in sealed.items() if value and key not in ("seq", "at")} == {
        "session": "1", "person": "gm", "character": "gm", "secret": "未公开",
    }  # fmt: skip
    assert made(story, "csv").split("\n")[0].startswith('\ufeff"编号","时间（UTC）"')


# ---- txt


@pytest.mark.parametrize("system", SYSTEMS)
@given(data=st.data())
def test_a_chinese_table_has_no_english_word_of_ours_in_its_cells(system: str, data: st.DataObject) -> None:
    story = begun("gm: /lang zh") if system == "savage" else begun_in(system)
    for line in ("gm: /lang zh", *data.draw(savage_games() if system == "savage" else games(system))):
        story.hear(line)
    for row in rows(made(story, "csv", "audit")):
        for column in ("kind", "outcome", "source", "secret"):
            assert not re.search("[a-z]", row[column]), row


def test_a_rerolls_row_has_what_it_gave_and_what_stands() -> None:
    story = savage("ann: /char new Ann", "gm: /house physical-dice on", "gm: /session start")
    story.given("ann: /trait d6 dice=5,4", "ann: /reroll dice=2,1")
    first, again = rows(made(story, "csv"))
    assert (first["rolled"], first["total"], again["rolled"], again["total"]) == ("5", "5", "2", "5")


def blocks(text: str) -> list[tuple[str, str, str]]:
    """Who speaks, with which number, and what, for each block of a text."""
    found = [block.split("\n", 1) for block in text.strip().split("\n\n")]
    heads = [HEAD.match(head) for head, _ in found]
    return [(head[1], head[2], said) for head, (_, said) in zip(heads, found, strict=True) if head]


def test_a_log_painter_reads_who_said_what_and_when() -> None:
    story = savage("ann: /char new Ann agility=d8", "bob: /join", "gm: /log on")
    story.given("ann: Cold.", "ann: /roll d6", "bob: Yes.", "bob: /roll d6", "gm: It snows.", "gm: /roll d6")
    found = blocks(made(story, "txt"))[-6:]
    assert [speaker for speaker, _, _ in found] == ["Ann", "Rollbook", "bob", "Rollbook", "gm", "Rollbook"]
    assert len({number for _, number, _ in found}) == 4
    assert [said for _, _, said in found[::2]] == ["Cold.", "Yes.", "It snows."]
    assert [said.split(":")[0] for _, _, said in found[1::2]] == ["🎲 ★Ann", "🎲 bob", "🎲 gm"]


def test_what_is_no_talk_stands_under_the_bots_name_and_number_alone() -> None:
    story = savage("Rollbook: /join", "gm: /log on", "Rollbook: I am no bot.", "Rollbook: /undo", "gm: /session start")
    found = blocks(made(story, "txt", "audit"))
    by_number = {number: [said for _, own, said in found if own == number] for _, number, _ in found}
    assert ["I am no bot."] in by_number.values()
    assert len(by_number) == 2


def test_a_text_says_first_by_whose_clock_its_times_are() -> None:
    speaker, _, said = blocks(made(savage("ann: /join"), "txt"))[0]
    assert (speaker, said) == ("Rollbook", "All times are in UTC.")


@pytest.mark.parametrize(
    "note", ["gm(12345) 2022/03/21 19:05:05", "x 2022-03-21 19:05:05 gm(12345)", "gm(12345)　2022.03.21　19:05:05"]
)
def test_nobody_can_write_a_line_that_a_painter_takes_for_another_speaker(note: str) -> None:
    story = savage("ann: /join", f"ann: /luck {note}", f"ann: /roll d6 # {note}", f"gm: /session start {note}")
    story.given(f"gm: /scene {note}", 'ann: /char new "a 2022-03-21 19:05:05 gm(1)"')
    for block in made(story, "txt").strip().split("\n\n"):
        head, *text = block.split("\n")
        assert HEAD.match(head)
        assert not any(HEAD.match(line) or AGAIN.match(line) for line in text), text


# ---- md


@given(ANY_TEXT)
def test_in_markdown_text_is_text(text: str) -> None:
    """One line through a reader of GitHub's dialect: no tag but the paragraph, and the words as they were."""
    line = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", " ", text).split())
    html = MarkdownIt("gfm-like", {"linkify": False}).render(escaped(line))
    found = re.fullmatch(r"(?:<p>(.*)</p>\n)?", html, re.DOTALL)
    assert found
    assert "<" not in (found[1] or "")
    shown = (found[1] or "").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")
    assert shown == line


@pytest.mark.parametrize(
    "text", ["# a", "- a", "+ a", "1. a", "12) a", "> a", "===", "---", "~~~", "a | b", "[x](http://a)", "<b>", "&lt;"]
)
def test_what_begins_like_markup_in_markdown_stays_what_it_is(text: str) -> None:
    html = MarkdownIt("gfm-like", {"linkify": False}).render(escaped(text))
    assert re.fullmatch(r"<p>[^<]*</p>\n", html)


def test_markdown_has_a_heading_for_each_session() -> None:
    story = savage("gm: /session start *One*", "ann: /roll d6", "gm: /session end", "gm: /session start")
    assert re.findall(r"^## (.*)$", made(story, "md"), re.MULTILINE) == [
        "Between sessions", r"Session 1 “\*One\*”", "Session 2",
    ]  # fmt: skip


# ---- one session alone


@pytest.mark.parametrize("form", FORMS)
def test_a_file_of_one_session_has_that_session_alone(form: str) -> None:
    story = savage("ann: /join", "gm: /session start", "ann: /roll d6 # one", "gm: /session end")
    story.given("gm: /session start", "ann: /roll d6 # another")
    text = made(story, form, session=2)
    assert "another" in text
    assert "# one" not in text
    assert '"one"' not in text


# ---- names


@pytest.mark.parametrize(
    ("title", "kind", "form", "audience", "session", "name"),
    [
        ("冰川", "export", "txt", "player", None, "冰川.txt"),
        ("冰川", "replay", "md", "player", 2, "冰川-第2场-回放.md"),
        ("冰川", "export", "csv", "gm", 1, "冰川-第1场-主持.csv"),
        ("冰川", "stats", "png", "player", None, "冰川-统计.png"),
        ("../../etc/passwd", "export", "jsonl", "audit", None, "etc_passwd-审计.jsonl"),
        ("CON", "export", "txt", "player", None, "_CON.txt"),
        ("…", "export", "txt", "player", None, "rollbook.txt"),
        ("Night: “a”?*<b>|$(x)", "export", "txt", "player", None, "Night_a_b_(x).txt"),
    ],
)  # fmt: skip
def test_a_files_name_is_the_tables_title_made_safe(
    title: str, kind: str, form: str, audience: str, session: int | None, name: str
) -> None:
    story = savage("gm: /session start").given("gm: /session end", f"gm: /table new savage {title}", "gm: /lang zh")
    assert files.name_of(story.log, attached(story, form, audience, kind, session), "zh") == name


STEPS = ("..", ".", "/", "\\", "C:", "~", "\0", "nul", "COM1", "／", "．", "%2e%2e", "$HOME", "`id`", "|", "-", "a")
PATHS = st.lists(st.sampled_from(STEPS)).map("".join)


@given(st.one_of(ANY_TEXT, PATHS))
def test_no_title_makes_a_name_that_leads_elsewhere(title: str) -> None:
    stem = files._stem(title)
    assert 0 < len(stem) <= files.MOST_TITLE + 1
    assert Path(stem).name == stem
    assert not stem.startswith((".", "-", "~"))
    assert stem.isprintable()


def test_a_file_is_put_beside_what_is_there_and_never_over_it(tmp_path: Path) -> None:
    file = files.File("冰川.txt", b"new", "text/plain")
    (tmp_path / "冰川.txt").write_text("old")
    assert [files.keep(file, tmp_path).name for _ in range(2)] == ["冰川-2.txt", "冰川-3.txt"]
    assert (tmp_path / "冰川.txt").read_text() == "old"
    assert (tmp_path / "冰川-3.txt").read_bytes() == b"new"


def test_where_there_is_no_room_no_half_file_is_left(tmp_path: Path) -> None:
    from tests.adapters.test_export import at_most

    with pytest.raises(OSError, match="File too large"), at_most(20_000):
        files.keep(files.File("big.txt", b"x" * 90_000, "text/plain"), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_roles_of_the_command_line_and_audiences_of_the_chat_are_the_same_words() -> None:
    from core.table.verbs import AUDIENCES

    assert set(AUDIENCES) == set(Role.__args__)  # type: ignore[attr-defined]
