"""With a log on, any text is kept, a command or refused; a replay, a file and another process know the same."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from core.evolve import Table, replay
from core.messages import Deleted, Edited
from core.refusal import CODES
from core.verify import verify
from events import codec
from events.beside import MessageKey
from events.sqlite import SqliteLog
from events.talk import Texts, latest, recorded
from events.types import LineDeleted, LineEdited, LineSpoken, LogEnded, LogOpened, LogPaused, LogResumed
from tests.laws.played import ANY_TEXT, JUNK, LINES, OPENING, PEOPLE, begun
from tests.story import Seeds, Story

LOGS = st.sampled_from(("/log on", "/log off", "/log new", "/log new Night", "/log end", "/log list", "/log on Night"))
IMPATIENT = (
    "/log on", "/log off", "/log new", "/log new Ｎｉｇｈｔ", "/log end", "/log list", "/log on night", "/log on 2",
    "/log", "/log new 2", "/log off\n/log on\n/log on", "/undo", "/session start", "/session end", "/roll 2d6",
    *["hello"] * 8,
)  # fmt: skip
SAID = st.one_of(ANY_TEXT, ANY_TEXT, JUNK, LINES, LOGS, st.sampled_from(("(brb)", "//x", "…", "1", "hello")))
PEOPLE_AND_TEXTS = st.lists(st.tuples(st.sampled_from(PEOPLE), SAID), max_size=12)
# Said, edited or deleted by somebody: the number of the message, and what it says then.
Changes = list[tuple[str, str, int, str]]
CHANGES = st.lists(
    st.tuples(st.sampled_from(("say", "edit", "delete")), st.sampled_from(PEOPLE), st.integers(0, 5), ANY_TEXT | LOGS),
    max_size=20,
)


@given(PEOPLE_AND_TEXTS, st.sampled_from(("zh", "en")))
def test_any_text_is_kept_a_command_or_refused(texts: list[tuple[str, str]], speech: str) -> None:
    story = begun("gm: /log on", language=speech)
    for person, text in texts:
        for answer in story.hear(f"{person}: {text}"):
            if answer.error:
                assert answer.error[0] in CODES
                assert answer.events == ()
            elif not answer.letters:
                (kept,) = answer.events
                assert isinstance(kept.data, LineSpoken)
                assert isinstance(kept.data.text, str)


@given(st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(IMPATIENT)), max_size=30))
def test_every_line_lies_in_the_one_log_that_runs_and_every_command_is_answered(steps: list[tuple[str, str]]) -> None:
    story = begun()
    for person, text in steps:
        answers = story.hear(f"{person}: {text}")
        log = story.table.ledger.log
        if text == "hello":
            assert bool(answers) is (log is not None and log.status == "running")
        else:
            assert all(one.letters or one.error for one in answers)
            assert answers
    running = None
    for one in recorded(story.log, story.table.id):
        match one.data:
            case LogOpened(number=number) | LogResumed(number=number):
                assert running is None
                running = number
            case LogPaused(number=number):
                assert running == number
                running = None
            case LogEnded(number=number):
                assert running in (number, None)
                running = None
            case LineSpoken():
                assert running is not None


def changed(story: Story, changes: Changes) -> None:
    for number, (what, person, which, text) in enumerate(changes):
        key = MessageKey("test", story.chat, f"m{which}")
        if what == "say":
            story.hear(f"{person}: {text}", key.message)
        elif what == "edit":
            story.app.edited(Edited(key=key, person=person, text=text, edit=str(number)))
        else:
            story.app.deleted(Deleted(key=key, person=person))


@given(CHANGES)
def test_a_replay_is_the_live_table_and_every_text_is_that_of_its_digest(changes: Changes) -> None:
    story = begun("gm: /log on")
    changed(story, changes)
    record = list(story.log.read(story.table.id))
    assert replay(Table(story.table.id), map(codec.decode, record)) == story.table
    assert verify(record).broken is None
    assert verify(story.log.read(story.table.id), texts=Texts(story.log, story.table.id)).broken is None


@given(CHANGES)
def test_what_is_read_is_the_last_of_what_was_said(changes: Changes) -> None:
    story = begun("gm: /log on")
    changed(story, changes)
    now: dict[int, object] = {}
    for one in recorded(story.log, story.table.id):
        match one.data:
            case LineSpoken():
                now[one.seq] = one.data.text
            case LineEdited(line=line):
                assert line in now, "nothing is edited that was not said, or was deleted"
                now[line] = one.data.text
            case LineDeleted(line=line):
                del now[line]
    found = {one.seq: one.data.text for one in latest(story.log, story.table.id) if isinstance(one.data, LineSpoken)}
    assert found == now


@settings(max_examples=15)
@given(CHANGES)
def test_a_file_keeps_what_memory_keeps_and_a_second_process_takes_nothing_up_again(changes: Changes) -> None:
    with TemporaryDirectory() as folder:
        log = SqliteLog(Path(folder) / "rollbook.db")
        story, other = Story(log), Story()
        for one in (story, other):
            one.given(*OPENING, "gm: /log on")
            changed(one, changes)
        assert list(latest(log, story.table.id)) == list(latest(other.log, other.table.id))
        head = log.head(story.table.id)
        again = Story(log, seeds=Seeds(900))
        taken_up = [one for one in changes if log.receipt(MessageKey("test", "test", f"m{one[2]}"))]
        changed(again, [one for one in taken_up if one[0] == "say"])
        assert log.head(story.table.id) == head
        log.close()


@given(st.lists(st.tuples(st.sampled_from(PEOPLE), LINES), max_size=12))
def test_talk_between_commands_changes_nothing_that_they_lead_to(lines: list[tuple[str, str]]) -> None:
    """The same dice, the same answers, the same undos; only what is said of numbers differs."""
    quiet, loud = begun("gm: /log on"), begun("gm: /log on")
    for person, text in lines:
        if "undo" in text and text != "/undo":
            continue  # a number in it means another act
        (one,) = quiet.hear(f"{person}: {text}")
        loud.hear("bob: what was that?")
        loud.app.tables.entropy.drawn -= 1  # type: ignore[attr-defined]  # the salt of what bob said
        (other,) = loud.hear(f"{person}: {text}")
        assert [type(event.data) for event in one.events] == [type(event.data) for event in other.events]
        assert (one.error and one.error[0]) == (other.error and other.error[0])
    assert quiet.table.play.rules == loud.table.play.rules
    assert quiet.table.ledger.next_die == loud.table.ledger.next_die
