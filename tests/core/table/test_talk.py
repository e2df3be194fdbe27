"""The table's talk: kept when its GM asks for it, edited and deleted with its messages, in nobody's way."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import pytest

from core.app import App
from core.messages import Answer, Deleted, Edited, Incoming, Shown
from events.beside import MessageKey
from events.sqlite import SqliteLog
from events.talk import digest, latest, recorded
from events.types import (
    LineDeleted,
    LineEdited,
    LineSpoken,
    LogEnded,
    LogOpened,
    LogPaused,
    LogResumed,
    RollMade,
)
from tests.story import Seeds, Story, code_in, one_of, refused, restarted, savage, told

STARTED = LogOpened(number=1, name="")


def say(story: Story, line: str, message: str = "") -> LineSpoken:
    """A line of talk that is kept: the one fact, and no answer."""
    (answer,) = story.hear(line, message)
    assert (answer.letters, answer.error) == ((), None)
    return one_of(answer, LineSpoken)


def unheard(story: Story, line: str) -> None:
    before = story.log.head(story.table.id)
    assert story.hear(line) == []
    assert story.log.head(story.table.id) == before


def edit(story: Story, message: str, text: str, by: str = "ann", edit: str = "1") -> Answer | None:
    return story.app.edited(Edited(key=MessageKey("test", story.chat, message), person=by, text=text, edit=edit))


def delete(story: Story, message: str, by: str = "ann") -> Answer | None:
    return story.app.deleted(Deleted(key=MessageKey("test", story.chat, message), person=by))


def now(story: Story) -> list[object]:
    return [one.data.text for one in latest(story.log, story.table.id) if isinstance(one.data, LineSpoken)]


def history(story: Story) -> list[object]:
    found = (one.data for one in recorded(story.log, story.table.id))
    return [one.text if isinstance(one, LineSpoken | LineEdited) else type(one).__name__ for one in found]


# ---- which logs there are


def test_talk_is_not_kept_unless_somebody_asks() -> None:
    unheard(savage(), "ann: hello")


@pytest.mark.parametrize("line", ["/log on", "/log new", "。日志 开", "。日志 新建", "。日志开", "。记录 开"])
def test_the_gm_starts_a_log_and_the_table_is_told_what_is_kept(line: str) -> None:
    answer = savage().when(f"gm: {line}")
    assert one_of(answer, LogOpened) == STARTED
    shown = told(answer)
    for part in ("private chats", "export", "/log off", "/forget me"):
        assert part in shown


def test_a_log_may_have_a_name() -> None:
    assert one_of(savage().when("gm: 。日志 新建 第一夜"), LogOpened) == LogOpened(number=1, name="第一夜")


@pytest.mark.parametrize("line", ["/log on", "/log new x", "/log end"])
def test_a_log_is_the_gms_to_start_and_to_end(line: str) -> None:
    assert refused(savage("ann: /join").when(f"ann: {line}")) == "not_allowed"


def test_anybody_at_the_table_may_pause_a_log_and_nobody_else() -> None:
    story = savage("ann: /join", "gm: /log on")
    assert refused(story.when("tom: /log off")) == "not_allowed"
    assert one_of(story.when("ann: /log off"), LogPaused) == LogPaused(number=1)


def test_starting_pausing_and_ending_in_any_order_has_a_clear_answer() -> None:
    story = savage()
    steps: list[tuple[str, object]] = [
        ("/log off", "already_done"), ("/log end", "already_done"), ("/log on", STARTED), ("/log on", "already_done"),
        ("/log new x", "already_done"), ("/log off", LogPaused(number=1)), ("/log off", "already_done"),
        ("/log on", LogResumed(number=1)), ("/log end", LogEnded(number=1)), ("/log end", "already_done"),
        ("/log off", "already_done"), ("/log new Night", LogOpened(number=2, name="Night")),
        ("/log off", LogPaused(number=2)), ("/log new night", "already_done"),
        ("/log new Day", LogOpened(number=3, name="Day")),
        ("/log end", LogEnded(number=3)), ("/log on dusk", "not_found"), ("/log on NIGHT", LogResumed(number=2)),
        ("/log end", LogEnded(number=2)), ("/log on 1", LogResumed(number=1)), ("/log maybe", "bad_argument"),
    ]  # fmt: skip
    for line, expected in steps:
        answer = story.when(f"gm: {line}")
        assert (answer.error[0] if answer.error else answer.events[0].data) == expected, line


def test_the_end_of_a_log_names_the_command_that_gives_it_and_no_other() -> None:
    story = savage("gm: /log new 2", "gm: /log end", "gm: /log new Night")
    said = told(story.when("gm: /log end"))
    assert "/export txt log=2 " in said
    (letter, *_) = story.when("gm: /export txt log=2").letters
    assert letter.attached
    assert (letter.attached.form, letter.attached.log) == ("txt", 2)


@pytest.mark.parametrize(
    "line",
    ["/export log=night", "/export txt log NIGHT", "。导出 日志=Night", "。导出 txt 日志 1", '/export md log="night"'],
)
def test_one_log_is_asked_for_by_its_name_or_number(line: str) -> None:
    story = savage("gm: /log new Night", "gm: /log end", "gm: /log new Day")
    (letter, *_) = story.when(f"gm: {line}").letters
    assert letter.attached
    assert letter.attached.log == 1
    assert "Night" in letter.text


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("/export log=Day", "not_found"), ("/export log", "bad_argument"), ("/export html log=1", "bad_argument"),
        ("/export jsonl log=1", "bad_argument"), ("/export log=1 log=2", "bad_argument"),
    ],
)  # fmt: skip
def test_what_cannot_be_had_of_a_log_is_refused(line: str, code: str) -> None:
    assert refused(savage("gm: /log new Night").when(f"gm: {line}")) == code


def test_a_log_that_is_over_leaves_no_log_that_could_go_on_unnamed() -> None:
    story = savage("gm: /log new Night", "gm: /log end")
    assert one_of(story.when("gm: /log on"), LogOpened) == LogOpened(number=2, name="")


@pytest.mark.parametrize("name", ["NIGHT  one", "Ｎｉｇｈｔ　ｏｎｅ", "1", "１", "①"])
def test_what_names_a_log_or_is_its_number_names_no_other(name: str) -> None:
    story = savage("gm: /log new Night one", "gm: /log end")
    assert refused(story.when(f"gm: /log new {name}")) == "already_done"
    assert one_of(story.when(f"gm: /log on {name}"), LogResumed) == LogResumed(number=1)


@pytest.mark.parametrize("name", ["🐉🔥", "👨\u200d👩\u200d👧", "off", "长" * 120, "20261130", "<b>@room</b>"])
def test_any_other_name_is_one(name: str) -> None:
    story = savage(f"gm: /log new {name}", "gm: /log end")
    assert name in told(story.when("ann: /log list"))
    assert one_of(story.when(f"gm: /log on {name}"), LogResumed) == LogResumed(number=1)


@pytest.mark.parametrize("line", [f"/log new {'长' * 200}", "/log new \u202egnp", "/log end Night", "/log off now"])
def test_what_is_no_name_is_refused(line: str) -> None:
    assert refused(savage("gm: /log on", "gm: /log end").when(f"gm: {line}")) in ("too_large", "bad_argument")


@pytest.mark.parametrize("line", ["/log on", "/log off", "/log new x", "/log end", "/log list", "。日志 开"])
def test_where_there_is_no_table_that_is_said(line: str) -> None:
    assert refused(Story().when(f"gm: {line}")) == "no_table"


def test_a_log_goes_on_across_sessions_and_a_restart() -> None:
    story = savage("gm: /log on", "gm: /session start")
    say(story, "ann: one")
    story.given("gm: /session end")
    again = restarted(story)
    say(again, "ann: two")
    again.given("gm: /log end")
    unheard(again, "ann: three")
    assert now(again) == ["one", "two"]


def test_of_five_who_ask_at_once_in_five_programs_one_starts_the_log_and_the_others_hear_that_it_runs(
    tmp_path: Path,
) -> None:
    path = tmp_path / "rollbook.db"
    Story(SqliteLog(path)).given("gm: /table new savage Glacier")

    def ask(number: int) -> str:
        log = SqliteLog(path)
        story = Story(log, seeds=Seeds(1000 * number))
        story.said = 1000 * number
        answer = story.when("gm: /log on")
        log.close()
        return answer.error[0] if answer.error else type(answer.events[0].data).__name__

    with ThreadPoolExecutor(5) as pool:
        found = sorted(pool.map(ask, range(1, 6)))
    assert found == ["LogOpened", *["already_done"] * 4]


# ---- who hears that talk is kept


def test_a_chat_to_which_the_table_comes_hears_that_its_talk_is_kept() -> None:
    story = savage("gm: /log new Night")
    word = code_in(told(story.when("gm: /table link")))
    other = Story(story.log, chat="other")
    shown = told(other.when(f"gm: /table join {word}"))
    assert "kept here: log 1 “Night”" in shown
    assert "/log off" in shown
    assert "kept here" not in "\n".join(one.letter.text for one in story.log.pending() if one.chat == "test")
    say(other, "ann: hello")


def test_a_chat_hears_that_its_talk_is_kept_when_it_goes_back_to_its_table() -> None:
    story = savage("gm: /log on")
    first = story.table.id
    story.given("gm: /table new savage Other")
    unheard(story, "ann: elsewhere")
    assert "kept here: log 1" in told(story.when(f"gm: /table use {first}"))
    say(story, "ann: hello")


def test_where_nothing_is_kept_nothing_is_said_of_it() -> None:
    story = savage("gm: /log on", "gm: /log off")
    first, word = story.table.id, code_in(told(story.when("gm: /table link")))
    other = Story(story.log, chat="other")
    assert "kept" not in told(other.when(f"gm: /table join {word}"))
    running = savage("gm: /log on")
    own = Story(running.log, chat="ann")
    own.said = 1000
    word = code_in(told(running.when("gm: /table link")))
    assert "kept here" not in told(own.when(f"ann: /table join {word}"))
    story.given("gm: /table new savage Other")
    assert "kept here" not in told(story.when(f"gm: /table use {first}"))


def test_who_is_forgotten_while_a_log_runs_hears_that_it_goes_on() -> None:
    story = savage("ann: /join", "gm: /log on")
    say(story, "ann: one", "m")
    for ended, shown in ((False, True), (True, False)):
        if ended:
            story.given("gm: /log end")
        word = code_in(told(story.when("tom: /forget me"), "tom"))
        assert ("kept here" in told(story.when(f"tom: /forget me {word}"))) is shown
    word = code_in(told(story.when("ann: /forget me"), "ann"))
    story.given(f"ann: /forget me {word}")
    assert edit(story, "m", "back") is None
    story.hear("ann: one", "m")
    assert [one for one in now(story) if isinstance(one, str)] == []


def test_the_list_shows_each_log_and_how_much_was_said() -> None:
    story = savage("gm: /log new Night", "ann: one", "ann: two", "gm: /log off")
    story.given("gm: /log new Day", "gm: three", "gm: /log end")
    shown = told(story.when("ann: /log list")).split("\n")
    assert ["Night" in shown[0], "lines: 2, paused" in shown[0]] == [True, True]
    assert ["Day" in shown[1], "lines: 1, over" in shown[1]] == [True, True]
    assert "/log on" in told(savage().when("ann: /log"))


def test_where_there_is_no_log_yet_the_refusal_says_how_to_begin_one() -> None:
    answer = savage().when("gm: /log on First night")
    assert refused(answer) == "not_found"
    assert answer.error is not None
    assert "/log new First night" in answer.error[1]


def test_no_log_of_another_table_can_be_reached() -> None:
    story = savage("gm: /log new Night", "gm: /log end")
    other = Story(story.log, chat="other").given("gm: /table new savage Other")
    assert refused(other.when("gm: /log on Night")) == "not_found"
    other.given("gm: /log new Night")
    say(other, "ann: over there")
    unheard(story, "ann: over here")


def test_a_log_is_not_taken_back() -> None:
    story = savage("gm: /log on")
    for line in ("/undo", f"/undo {story.table.ledger.seq}"):
        answer = story.when(f"gm: {line}")
        assert refused(answer) == "not_allowed"
        assert "logs of talk" in str(answer.error)


# ---- what is kept


def test_a_line_holds_what_was_said_as_whom_and_only_its_digest_is_stored() -> None:
    story = savage("ann: /char new Ann", "gm: /log on")
    said = say(story, "ann: It is cold.  Very.")
    assert (said.text, said.character, said.ooc) == ("It is cold.  Very.", "Ann", False)
    (stored,) = story.log.read(story.table.id, after=story.table.ledger.seq - 1)
    assert b"cold" not in stored.body
    assert said.digest.encode() in stored.body
    kept = story.log.texts(story.table.id)[stored.seq]
    assert (kept.text, kept.person) == ("It is cold.  Very.", "ann")
    assert digest(kept.salt, kept.text) == said.digest


def test_the_same_words_have_another_digest_each_time() -> None:
    story = savage("gm: /log on")
    assert say(story, "ann: yes").digest != say(story, "ann: yes").digest


@pytest.mark.parametrize(
    ("text", "ooc"),
    [
        ("（我去倒杯水）", True), ("(brb)", True), ("(brb）", True), ("//brb", True), ("／／brb", True), ("(brb", True),
        ("(laughs) Come in!", False), ("Come in (laughs)", False), ("no / no // no", False), ("…", False),
    ],
)  # fmt: skip
def test_brackets_and_two_slashes_mean_out_of_character(text: str, ooc: bool) -> None:
    assert say(savage("gm: /log on"), f"ann: {text}").ooc is ooc


def test_who_has_no_character_or_a_retired_one_speaks_as_nobodys() -> None:
    story = savage("ann: /char new Ann", "gm: /log on")
    assert say(story, "tom: hello").character == ""
    story.given("ann: /char retire Ann")
    assert say(story, "ann: hello").character == ""


@pytest.mark.parametrize(
    "line", ["/calc 1+1", "/nonsense", "。骰 2d6", "/roll@otherbot 2d6", "/roll 2d6\nand a line", "/" + "x" * 4001]
)
def test_commands_are_not_talk(line: str) -> None:
    story = savage("gm: /log on")
    story.hear(f"ann: {line}")
    assert history(story).count("LogOpened") == 1
    assert now(story) == []


def test_a_private_chat_is_never_kept_and_cannot_be_asked_to() -> None:
    story = savage("gm: /log on")
    word = code_in(told(story.when("gm: /table link")))
    own = Story(story.log, chat="ann")
    own.said = 1000
    own.given(f"ann: /table join {word}")
    assert own.hear("ann: psst") == []
    assert refused(own.when("ann: /log on")) == "not_allowed"
    say(story, "ann: aloud")


def test_all_chats_of_a_table_are_kept_and_none_hears_the_other() -> None:
    story = savage("gm: /log on")
    word = code_in(told(story.when("gm: /table link")))
    other = Story(story.log, chat="other")
    other.given(f"gm: /table join {word}")
    before = len(story.log.pending())
    say(story, "ann: here")
    say(other, "tom: there")
    assert now(story) == ["here", "there"]
    assert len(story.log.pending()) == before


def test_a_message_that_comes_again_is_one_line() -> None:
    story = savage("gm: /log on")
    first = say(story, "ann: hello", "m")
    (again,) = story.hear("ann: hello", "m")
    assert not again.new
    assert one_of(again, LineSpoken).text == first.text
    assert now(story) == ["hello"]


def test_what_is_too_long_is_cut_and_what_hides_is_left_out_and_nobody_is_refused() -> None:
    story = savage("gm: /log on")
    long = say(story, "ann: " + "龘" * 5000).text
    assert isinstance(long, str)
    assert (len(long), long[-1]) == (4000, "…")
    assert say(story, "ann: a\u202eb\x00c\r\nd\ud83c").text == "abc\nd"
    unheard(story, "ann: \u202e\x07 ")


def test_talk_moves_no_act_out_of_reach_and_is_not_taken_back_itself() -> None:
    story = savage("ann: /char new Ann", "gm: /log on")
    for number in range(210):
        say(story, f"ann: {number}")
    assert refused(story.when("gm: /undo 10")) == "not_allowed"
    assert "Ann" in told(story.when("ann: /undo"))
    assert now(story)[:2] == ["0", "1"]


def test_a_roll_between_two_lines_is_as_fair_as_any() -> None:
    story, silent = savage("gm: /log on"), savage("gm: /log on")
    say(story, "ann: luck!")
    assert one_of(story.when("ann: /roll 3d6"), RollMade).first == one_of(silent.when("ann: /roll 3d6"), RollMade).first


def test_what_was_said_before_anybody_asked_is_not_kept_when_it_comes_again_after_a_crash() -> None:
    """A platform gives again what was taken just before the end, lines among them that were not to be kept."""
    story = savage()
    unheard(story, "ann: between us")
    story.given("gm: /log on")
    asked = datetime.fromisoformat(story.table.ledger.logs[0].since)
    after = Story(story.log)
    after.app = App(story.log, story.app.tables.clock, Seeds(700))
    for seconds, texts in ((-60, []), (0, ["now"]), (60, ["now", "now"])):
        key = MessageKey("test", story.chat, f"again{seconds}")
        said_at = asked.timestamp() + seconds
        after.app.hear(Incoming(key=key, person="ann", name="ann", text="now", sent_at=said_at))
        assert now(after) == texts


def show(story: Story, text: str, shown: Shown, message: str) -> list[Answer]:
    key = MessageKey("test", story.chat, message)
    return story.app.hear(Incoming(key=key, person="ann", name="ann", text=text, shown=shown))


@pytest.mark.parametrize(
    ("text", "shown", "zh", "en"),
    [
        ("", "picture", "[图片]", "[picture]"), ("\u200e ", "sticker", "[贴纸]", "[sticker]"),
        ("", "voice", "[语音]", "[voice message]"), ("", "video", "[视频]", "[video]"),
        ("", "audio", "[音频]", "[audio]"), ("", "file", "[文件]", "[file]"),
        ("The map of 霜谷", "picture", "The map of 霜谷", "The map of 霜谷"),
    ],
)  # fmt: skip
def test_of_what_is_shown_its_words_are_kept_or_else_a_mark_in_the_tables_language(
    text: str, shown: Shown, zh: str, en: str
) -> None:
    for system, kept in (("/团 新建 savage 冰河", zh), ("/table new savage Glacier", en)):
        story = Story().given(f"gm: {system}", "gm: /log on")
        (answer,) = show(story, text, shown, "m")
        assert (answer.letters, answer.error) == ((), None)
        assert now(story) == [kept]


def test_words_below_a_picture_come_and_go_with_its_edits() -> None:
    story = savage("gm: /log on")
    show(story, "", "picture", "m")
    for number, (text, kept) in enumerate((("", "[picture]"), ("a map", "a map"), ("", "[picture]"))):
        key = MessageKey("test", story.chat, "m")
        story.app.edited(Edited(key=key, person="ann", text=text, edit=str(number), shown="picture"))
        assert now(story) == [kept]
    assert [one for one in history(story) if one in ("[picture]", "a map")] == ["[picture]", "a map", "[picture]"]


def test_a_command_below_a_picture_is_a_command_and_no_talk() -> None:
    story = savage("gm: /log on")
    (answer,) = show(story, "/roll 2d6", "picture", "m")
    assert one_of(answer, RollMade)
    assert now(story) == []


def test_without_a_log_nothing_that_is_shown_is_kept() -> None:
    story = savage()
    assert show(story, "a map", "picture", "m") == []


# ---- edits and deletions


def test_an_edited_line_reads_as_it_does_now_and_its_history_stays() -> None:
    story = savage("gm: /log on")
    say(story, "ann: helo", "m")
    answer = edit(story, "m", "(hello)")
    assert answer
    assert one_of(answer, LineEdited).line == story.table.ledger.seq - 1
    assert answer.letters == ()
    assert now(story) == ["(hello)"]
    assert history(story)[-2:] == ["helo", "(hello)"]
    (line,) = [one.data for one in latest(story.log, story.table.id) if isinstance(one.data, LineSpoken)]
    assert line.ooc


def test_an_edit_is_taken_up_once_and_one_that_changes_nothing_not_at_all() -> None:
    story = savage("gm: /log on")
    say(story, "ann: a", "m")
    edit(story, "m", "b", edit="1")
    edit(story, "m", "a", edit="2")
    head = story.log.head(story.table.id)
    edit(story, "m", "b", edit="1")
    edit(story, "m", "a", edit="3")
    edit(story, "m", "\u202e", edit="4")
    assert story.log.head(story.table.id) == head
    assert now(story) == ["a"]


def test_nobody_edits_what_another_said() -> None:
    story = savage("gm: /log on")
    say(story, "ann: mine", "m")
    assert edit(story, "m", "yours", by="tom") is None
    assert now(story) == ["mine"]


def test_a_deleted_line_is_read_no_more_and_its_history_stays() -> None:
    story = savage("gm: /log on", "gm: first")
    say(story, "ann: oops", "m")
    answer = delete(story, "m", by="gm")
    assert answer
    assert isinstance(one_of(answer, LineDeleted), LineDeleted)
    assert now(story) == ["first"]
    assert history(story)[-2:] == ["oops", "LineDeleted"]
    head = story.log.head(story.table.id)
    delete(story, "m")
    edit(story, "m", "back")
    assert story.log.head(story.table.id) == head


def test_lines_change_after_their_log_is_over_too() -> None:
    story = savage("gm: /log on")
    say(story, "ann: helo", "m")
    story.given("gm: /log end")
    edit(story, "m", "hello")
    assert now(story) == ["hello"]
    delete(story, "m")
    assert now(story) == []


@pytest.mark.parametrize("message", ["roll", "question", "refused", "before", "nothing"])
def test_what_was_never_a_line_can_be_neither_edited_nor_deleted(message: str) -> None:
    story = savage()
    story.hear("ann: quiet", "before")
    story.given("gm: /log on")
    story.hear("ann: /roll 2d6", "roll")
    story.hear("ann: /calc 1+1", "question")
    story.hear("ann: /nonsense", "refused")
    head = story.log.head(story.table.id)
    assert (edit(story, message, "hello"), delete(story, message)) == (None, None)
    assert story.log.head(story.table.id) == head


def test_a_chat_may_call_a_message_otherwise_when_it_is_edited() -> None:
    """On Matrix the key of a message in a thread holds the thread, and what edits it does not name that."""
    story = savage("gm: /log on")
    key = MessageKey("test", story.chat, "$a|$root")
    (answer,) = story.app.hear(Incoming(key=key, person="ann", name="ann", text="helo", line="$a"))
    assert one_of(answer, LineSpoken)
    edit(story, "$a", "hello")
    assert now(story) == ["hello"]
