"""What every EventLog keeps to. A log's own tests inherit this class and give it a fixture `log`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

from events.beside import (
    FORGOTTEN,
    Account,
    Attached,
    Beside,
    Invitation,
    Letter,
    MessageKey,
    Offer,
    Parcel,
    Pending,
    Receipt,
    Said,
    Standing,
)
from events.chain import first_break, head_of
from events.envelope import Head
from events.log import Conflict, Entry, EventLog, LogUnusable, Outrun, SeenBefore
from tests.events.records import message, receipt, spoken

SEED, OTHER_SEED = bytes(range(32)), bytes(range(32, 64))
TEXT = Said(1, 1, "p1", "aa", "hello")


def everything(table: str = "green") -> Beside:
    """An append's beside with each of its parts, but `reveal`."""
    return Beside(
        names={"terminal:red": "Red"},
        chat=("terminal", "chat-1"),
        seed=(1, SEED),
        key=message(),
        receipt=receipt(table, letters=2),
    )


def seen(log: EventLog) -> tuple[object, ...]:
    """All that a log can be asked for."""
    return (
        log.tables(),
        [list(log.read(table)) for table in ("green", "red")],
        [log.head(table) for table in ("green", "red")],
        log.table_of("terminal", "chat-1"),
        [log.seed("green", period) for period in (1, 2)],
        log.names(),
        [log.receipt(message(number)) for number in (1, 2)],
        log.pending(),
        log.chats("green"),
        [log.invitation(code) for code in ("AAAA", "BBBB")],
        [log.accounts(person) for person in ("p1", "p2")],
        [log.texts(table) for table in ("green", "red")],
    )


def submitted(log: EventLog, entries: Sequence[Entry]) -> list[Exception | None]:
    done = [log.submit(one.table, one.expected, one.events, one.beside) for one in entries]
    return [one.exception(60) for one in done]  # type: ignore[misc]


class LogContract:
    # ---- events

    def test_a_new_log_holds_nothing(self, log: EventLog) -> None:
        nothing: tuple[object, ...] = (
            [], [[], []], [Head(), Head()], None, [None, None], {}, [None, None], [], [], [None, None], [[], []],
            [{}, {}],
        )  # fmt: skip
        assert seen(log) == nothing

    def test_events_come_back_byte_for_byte_and_in_order(self, log: EventLog) -> None:
        written = spoken(5)
        log.append("green", 0, written[:3])
        log.append("green", 3, written[3:])
        assert tuple(log.read("green")) == written
        assert log.head("green") == head_of(written, Head())
        assert first_break(log.read("green")) is None

    def test_a_reader_may_ask_for_a_part(self, log: EventLog) -> None:
        written = spoken(5)
        log.append("green", 0, written)
        assert tuple(log.read("green", after=2)) == written[2:]
        assert tuple(log.read("green", to=4)) == written[:4]
        assert tuple(log.read("green", after=1, to=3)) == written[1:3]
        assert tuple(log.read("green", after=5)) == ()
        assert tuple(log.read("green", after=3, to=2)) == ()

    def test_a_long_table_is_read_to_its_end(self, log: EventLog) -> None:
        written = spoken(2_500)
        log.append("green", 0, written)
        assert tuple(log.read("green")) == written
        assert tuple(log.read("green", after=499, to=2_001)) == written[499:2_001]

    def test_a_reader_may_stop_anywhere_and_the_log_goes_on(self, log: EventLog) -> None:
        log.append("green", 0, spoken(1_200))
        reading = log.read("green")
        assert next(reading).seq == 1
        log.append("green", 1_200, spoken(1, log.head("green")))
        assert next(reading).seq == 2
        assert log.head("green").seq == 1_201

    def test_tables_are_chains_of_their_own_in_order_of_opening(self, log: EventLog) -> None:
        for table in ("red", "green", "阿"):
            log.append(table, 0, spoken(2, table=table))
        log.append("green", 2, spoken(1, log.head("green")))
        assert log.tables() == ["red", "green", "阿"]
        assert [log.head(table).seq for table in log.tables()] == [2, 3, 2]
        assert tuple(log.read("阿")) == spoken(2, table="阿")

    # ---- conflicts

    @pytest.mark.parametrize("expected", [0, 1, 2, 4, 9])
    def test_an_append_on_another_head_is_a_conflict_and_writes_nothing(self, log: EventLog, expected: int) -> None:
        log.append("green", 0, spoken(3))
        before = seen(log)
        with pytest.raises(Conflict) as told:
            log.append("green", expected, spoken(1, Head(expected)), everything())
        assert (told.value.table, told.value.expected, told.value.actual) == ("green", expected, 3)
        assert seen(log) == before

    def test_an_unknown_table_stands_at_nothing(self, log: EventLog) -> None:
        with pytest.raises(Conflict):
            log.append("green", 4, spoken(1, Head(4)))
        assert log.tables() == []

    def test_after_a_conflict_the_append_succeeds_on_the_new_head(self, log: EventLog) -> None:
        log.append("green", 0, spoken(1))
        with pytest.raises(Conflict):
            log.append("green", 0, spoken(1))
        log.append("green", 1, spoken(1, log.head("green")))
        assert first_break(log.read("green"), expect=log.head("green")) is None

    # ---- many at once

    def test_appends_that_are_submitted_at_once_are_carried_out_in_order(self, log: EventLog) -> None:
        green, red = spoken(700), spoken(5, table="red")
        done = [log.submit("red", 0, red), *(log.submit("green", n, green[n : n + 1]) for n in range(700))]
        assert [one.result(60) for one in done] == [None] * 701
        assert (tuple(log.read("green")), tuple(log.read("red"))) == (green, red)

    @pytest.mark.parametrize("way", [submitted, lambda log, entries: log.append_many(entries)])
    def test_what_is_wrong_with_one_of_many_is_told_of_it_alone(
        self, log: EventLog, way: Callable[[EventLog, Sequence[Entry]], list[Exception | None]]
    ) -> None:
        log.append("green", 0, spoken(1), everything())
        rest = spoken(3)[1:]
        again = Beside(key=message(), receipt=receipt())
        entries = [
            Entry("green", 1, rest[:1], Beside(key=message(2), receipt=receipt(first=2, last=2))),
            Entry("green", 2, rest[1:], again),
            Entry("green", 9, spoken(1, Head(9))),
            Entry("red", 0, spoken(1, table="red"), Beside(key=message(3), receipt=receipt("blue"))),
            Entry("", 0, (), Beside(accept="ABCD", names={"x": "X"})),
            Entry("green", 2, rest[1:], Beside(key=message(4), receipt=receipt(first=3, last=3))),
            Entry("red", 0, spoken(2, table="red"), Beside(names={"p9": "Nine"})),
        ]
        kinds = [type(error) for error in way(log, entries)]
        assert kinds == [type(None), SeenBefore, Conflict, ValueError, Outrun, type(None), type(None)]
        assert (log.head("green").seq, log.head("red").seq) == (3, 2)
        assert first_break(log.read("green")) is None
        assert log.names() == {"terminal:red": "Red", "p9": "Nine"}
        assert [log.receipt(message(number)) is not None for number in (1, 2, 3, 4)] == [True, True, False, True]
        assert [one.key for one in log.pending()] == [message(1), message(1), message(2), message(4)]

    def test_many_appends_are_all_there_in_order(self, log: EventLog) -> None:
        green = spoken(2_500)
        assert log.append_many([Entry("green", n, green[n : n + 1]) for n in range(2_500)]) == [None] * 2_500
        assert tuple(log.read("green")) == green
        assert log.append_many([]) == []

    def test_one_of_many_that_does_not_fit_together_is_told_at_once(self, log: EventLog) -> None:
        with pytest.raises(ValueError, match="belong to a table"):
            log.submit("", 0, spoken(1))
        with pytest.raises(ValueError, match="belong to a table"):
            log.append_many([Entry("green", 0, spoken(1)), Entry("", 0, spoken(1))])
        assert log.tables() == []

    # ---- snapshots

    def test_the_last_snapshot_of_a_table_is_kept_beside_it(self, log: EventLog) -> None:
        log.append("green", 0, spoken(1))
        log.append("red", 0, spoken(1, table="red"))
        assert log.snapshot("green") is None
        for body in (b"one", b"\x00\xff two"):
            log.keep_snapshot("green", body)
        log.keep_snapshot("blue", b"there is no such table")
        assert [log.snapshot(table) for table in ("green", "red", "blue")] == [b"\x00\xff two", None, None]

    # ---- messages, receipts, letters

    def test_a_message_is_taken_up_once_and_its_receipt_is_told_again(self, log: EventLog) -> None:
        log.append("green", 0, spoken(1), everything())
        before = seen(log)
        with pytest.raises(SeenBefore) as told:
            log.append(
                "green", 1, spoken(1, log.head("green")), Beside(key=message(), receipt=receipt(first=2, last=2))
            )
        assert told.value.receipt == log.receipt(message()) == receipt(letters=2)
        assert seen(log) == before

    def test_a_message_seen_before_is_told_before_a_conflict(self, log: EventLog) -> None:
        log.append("green", 0, spoken(1), everything())
        with pytest.raises(SeenBefore):
            log.append("green", 0, spoken(1), everything())

    @pytest.mark.parametrize(
        "other",
        [
            MessageKey("matrix", "chat-1", "1"),
            MessageKey("terminal", "chat-2", "1"),
            MessageKey("terminal", "chat-1", "2"),
        ],
    )
    def test_another_platform_chat_or_id_is_another_message(self, log: EventLog, other: MessageKey) -> None:
        log.append("green", 0, spoken(1), Beside(key=message(), receipt=receipt()))
        assert log.receipt(other) is None
        log.append("green", 1, spoken(1, log.head("green")), Beside(key=other, receipt=receipt(first=2, last=2)))
        assert log.receipt(other) == receipt(first=2, last=2)

    @pytest.mark.parametrize(
        "kept",
        [
            Receipt("", 1, 0, None, ()),
            Receipt("", 1, 0, ("no_table", "There is no table here."), (Letter("table", "There is no table here."),)),
            Receipt("green", 2, 1, ("bad_argument", ""), (Letter("terminal:red", ""),)),
            Receipt(
                "green",
                1,
                3,
                None,
                (Letter("table", "选择", ((1, "一"), (2, "“two”"))), Letter("terminal:red", "psst")),
            ),
        ],
    )
    def test_a_receipt_comes_back_as_it_went_in(self, log: EventLog, kept: Receipt) -> None:
        log.append("green", 0, spoken(3))
        log.append("", 0, (), Beside(key=message(), receipt=kept))
        assert log.receipt(message()) == kept
        assert [pending.letter for pending in log.pending()] == list(kept.letters)

    def test_letters_are_pending_until_sent_oldest_first(self, log: EventLog) -> None:
        log.append("green", 0, spoken(1), Beside(key=message(1), receipt=receipt(letters=2)))
        log.append("", 0, (), Beside(key=message(2), receipt=receipt(letters=1)))
        first, second, third = log.pending()
        assert [pending.key for pending in (first, second, third)] == [message(1), message(1), message(2)]
        assert [pending.letter.text for pending in (first, second, third)] == [
            "answer 1 好",
            "answer 2 好",
            "answer 1 好",
        ]
        log.sent(second.id)
        assert log.pending() == [first, third]
        assert log.pending(first.key.platform, first.key.chat) == [
            one for one in (first, third) if one.key.chat == first.key.chat
        ]
        assert log.pending("nowhere") == []
        log.sent(second.id)
        log.sent(first.id)
        assert log.pending() == [third]
        assert log.receipt(message(1)) == receipt(letters=2)

    def test_a_letter_that_is_not_there_cannot_be_sent(self, log: EventLog) -> None:
        log.append("green", 0, spoken(1), Beside(key=message(), receipt=receipt(letters=1)))
        (pending,) = log.pending()
        for unknown in (0, pending.id + 1):
            with pytest.raises(LookupError):
                log.sent(unknown)
        assert log.pending() == [Pending(pending.id, message(), Letter("table", "answer 1 好"), "terminal", "chat-1")]

    def test_a_letter_comes_back_with_all_that_belongs_to_it_sent_or_not(self, log: EventLog) -> None:
        file = Attached("export", "jsonl", "green", 7, "gm", 2)
        full = Letter("p1", "好", ((1, "一"),), (Offer("🔁", "again", "/roll 2d6", "p1"),), file, "matrix")
        kept = Receipt("green", 1, 1, None, (full, Letter("table", "x")))
        log.append("green", 0, spoken(1), Beside(key=message(), receipt=kept))
        first, second = log.pending()
        log.sent(first.id)
        assert [log.letter(one.id) for one in (first, second)] == [first, second]
        assert first.letter == full
        assert log.receipt(message()) == kept
        assert log.letter(second.id + 1) is None

    def test_a_letter_goes_to_the_chat_or_to_its_person_where_that_is_reached(self, log: EventLog) -> None:
        letters = (Letter("table", "x"), Letter("p1", "y"), Letter("p2", "z", via="matrix"))
        log.append("green", 0, spoken(1), Beside(key=message(), receipt=Receipt("green", 1, 1, None, letters)))
        places = [("terminal", "chat-1"), ("terminal", "p1"), ("matrix", "p2")]
        assert [(one.platform, one.chat) for one in log.pending()] == places
        assert [one.letter for one in log.pending("matrix")] == [letters[2]]
        assert [one.letter for one in log.pending("terminal", "p1")] == [letters[1]]
        assert (log.waiting("terminal"), log.waiting("matrix"), log.waiting("x")) == (["chat-1", "p1"], ["p2"], [])
        log.sent(log.pending("matrix")[0].id)
        assert [[one.letter for one in log.written_to(person)] for person in ("p1", "p2", "p3")] == [
            [letters[1]], [letters[2]], [],
        ]  # fmt: skip
        assert log.waiting("matrix") == []

    def test_a_copy_goes_to_another_chat_and_is_no_part_of_the_answer(self, log: EventLog) -> None:
        copy = Parcel("matrix", "!room", Letter("table", "x"))
        log.append("green", 0, spoken(1), Beside(key=message(), receipt=receipt(letters=1), also=(copy,)))
        (one,) = log.pending("matrix", "!room")
        assert (one.key, one.letter) == (message(), copy.letter)
        assert log.receipt(message()) == receipt(letters=1)
        log.sent(one.id)
        assert log.pending("matrix") == []

    # ---- invitations, bookmarks, tasks

    def test_an_invitation_is_accepted_once(self, log: EventLog) -> None:
        invitation = Invitation("AAAA", "2026-11-30T06:00:00.000Z", table="green")
        log.append("green", 0, spoken(1), Beside(invite=invitation))
        assert log.invitation("AAAA") == invitation
        log.append("", 0, (), Beside(accept="AAAA"))
        before = seen(log)
        with pytest.raises(Outrun):
            log.append("green", 1, spoken(1, log.head("green")), Beside(accept="AAAA", names={"x": "X"}))
        assert seen(log) == before

    def test_a_new_invitation_to_the_same_takes_the_place_of_the_old_one(self, log: EventLog) -> None:
        until = "2026-11-30T06:00:00.000Z"
        log.append("", 0, (), Beside(invite=Invitation("AAAA", until, person="p1")))
        log.append("", 0, (), Beside(invite=Invitation("CCCC", until, table="p1")))
        log.append("", 0, (), Beside(invite=Invitation("BBBB", until, person="p1")))
        assert [log.invitation(code) is None for code in ("AAAA", "BBBB", "CCCC")] == [True, False, False]

    def test_an_account_that_is_joined_to_a_person_is_theirs_from_then_on(self, log: EventLog) -> None:
        here, there = Account("telegram", "5"), Account("matrix", "@a:b")
        for account, person in ((here, "p1"), (there, "p2")):
            log.person(account, person)
        log.append("", 0, (), Beside(join=("p2", "p1")))
        assert log.person(there, "p9") == "p1"
        assert (log.accounts("p1"), log.accounts("p2")) == ([here, there], [])

    def test_what_waits_for_a_person_who_is_joined_and_the_private_chats_go_along(self, log: EventLog) -> None:
        told = (Letter("table", "x"), Letter("p2", "y"))
        key = MessageKey("telegram", "p2", "1")
        log.append("green", 0, spoken(1), Beside(chat=("telegram", "p2")))
        log.append("red", 0, spoken(1, table="red"), Beside(chat=("matrix", "p2")))
        log.append("red", 0, (), Beside(chat=("telegram", "p1")))
        log.append("green", 0, (), Beside(key=key, receipt=Receipt("green", 1, 1, None, told)))
        first, second = log.pending()
        joining, joined = replace(key, message="2"), Receipt("", 1, 0, None, (Letter("table", "z"),))
        log.append("", 0, (), Beside(join=("p2", "p1"), key=joining, receipt=joined))
        assert [(one.chat, one.letter.to) for one in log.pending()] == [("p1", "table"), ("p1", "p1"), ("p1", "table")]
        assert [one.id for one in log.pending()][:2] == [first.id, second.id]
        assert {one.key for one in log.pending()} == {replace(key, chat="p1"), replace(joining, chat="p1")}
        assert log.receipt(replace(key, chat="p1"))
        assert log.receipt(key) is None
        assert (log.table_of("telegram", "p1"), log.table_of("telegram", "p2")) == ("red", None)
        assert (log.table_of("matrix", "p1"), log.table_of("matrix", "p2")) == ("red", None)

    def test_the_buttons_of_a_person_who_is_joined_go_along(self, log: EventLog) -> None:
        offers = tuple(Offer("🔁", 'p2 "p2"', "/roll p2", owner) for owner in ("p2", "p22", "p1"))
        letters = (Letter("table", "x", offers=offers),)
        log.append("green", 0, spoken(1), Beside(key=message(), receipt=Receipt("green", 1, 1, None, letters)))
        (one,) = log.pending()
        log.sent(one.id)
        log.append("", 0, (), Beside(join=("p2", "p1")))
        kept = log.letter(one.id)
        assert kept
        assert [offer.owner for offer in kept.letter.offers] == ["p1", "p22", "p1"]

    def test_a_bookmark_stays_where_it_was_set_last(self, log: EventLog) -> None:
        assert log.bookmark("sync") is None
        for value in ("a", "", "好"):
            log.set_bookmark("sync", value)
            log.set_bookmark("other", "x")
            assert log.bookmark("sync") == value

    def test_a_task_is_done_by_whoever_asked_first(self, log: EventLog) -> None:
        assert log.sole("post")
        assert log.sole("post")

    # ---- talk, and who is forgotten

    def test_what_was_said_is_kept_with_its_event_and_found_by_seq_line_and_person(self, log: EventLog) -> None:
        said = [Said(2, 2, "p1", "aa", "好"), Said(3, 3, "p2", "bb", "x"), Said(4, 2, "p1", "cc", "")]
        log.append("green", 0, spoken(4), Beside(texts=tuple(said[:2])))
        log.append("green", 4, spoken(1, log.head("green")), Beside(texts=tuple(said[2:])))
        assert log.texts("green") == {one.seq: one for one in said}
        assert log.texts("green", after=2, to=3) == {3: said[1]}
        assert log.versions("green", 2) == [said[0], said[2]]
        assert log.said_by("p1") == {"green": [said[0], said[2]]}
        assert (log.texts("red"), log.versions("red", 2), log.said_by("p3")) == ({}, [], {})

    def test_what_was_said_may_hold_any_character(self, log: EventLog) -> None:
        said = replace(TEXT, text="\0\t\\ \u202e'\"{}%s \U0001f3b2\uffff")
        log.append("green", 0, spoken(1), Beside(texts=(said,)))
        assert log.texts("green") == {1: said}
        assert log.versions("green", 1) == log.said_by("p1")["green"] == [said]

    def test_what_was_said_needs_a_table_and_is_not_kept_where_nothing_is(self, log: EventLog) -> None:
        log.append("green", 0, spoken(1))
        with pytest.raises(ValueError, match="no table"):
            log.append("red", 0, (), Beside(texts=(TEXT,)))
        with pytest.raises(Conflict):
            log.append("green", 0, spoken(1), Beside(texts=(TEXT,)))
        assert log.texts("green") == {}

    def test_what_a_person_said_is_that_of_the_person_it_is_joined_to(self, log: EventLog) -> None:
        log.append("green", 0, spoken(2), Beside(texts=(TEXT, replace(TEXT, seq=2, line=2, person="p2"))))
        log.append("", 0, (), Beside(join=("p2", "p1")))
        assert [one.person for one in log.texts("green").values()] == ["p1", "p1"]
        assert log.said_by("p2") == {}

    def test_who_is_forgotten_has_no_name_no_account_no_text_and_no_code_and_others_keep_theirs(
        self, log: EventLog
    ) -> None:
        log.person(Account("telegram", "5"), "p1")
        log.person(Account("telegram", "6"), "p2")
        other = replace(TEXT, seq=2, line=2, person="p2")
        log.append("green", 0, spoken(2), Beside(names={"p1": "Red", "p2": "Tom"}, texts=(TEXT, other)))
        log.append("", 0, (), Beside(invite=Invitation("AAAA", "2026-11-30T06:00:00.000Z", person="p1")))
        log.append("green", 0, (), Beside(chat=("telegram", "p1")))
        for name in ("telegram:private:p1", "telegram:private:op1", "sync"):
            log.set_bookmark(name, "5")
        before = list(log.read("green"))
        log.append("", 0, (), Beside(forget="p1"))
        assert log.names() == {"p1": FORGOTTEN, "p2": "Tom"}
        assert (log.accounts("p1"), log.accounts("p2")) == ([], [Account("telegram", "6")])
        assert log.texts("green") == {2: other}
        assert (log.invitation("AAAA"), log.table_of("telegram", "p1")) == (None, None)
        assert [log.bookmark(f"telegram:private:{one}") for one in ("p1", "op1")] == [None, "5"]
        assert log.person(Account("telegram", "5"), "p3") == "p3"
        assert list(log.read("green")) == before

    def test_a_text_may_go_and_with_it_none_of_another_event_or_table(self, log: EventLog) -> None:
        second = replace(TEXT, seq=2, line=2)
        for table in ("green", "red"):
            log.append(table, 0, spoken(2, table=table), Beside(texts=(TEXT, second)))
        log.append("green", 2, spoken(1, log.head("green")), Beside(drop_texts=(1, 7)))
        assert log.texts("green") == {2: second}
        assert log.texts("red") == {1: TEXT, 2: second}
        with pytest.raises(ValueError, match="blue"):
            log.append("blue", 0, (), Beside(drop_texts=(1,)))

    def test_no_letter_that_was_sent_tells_of_somebody_forgotten_and_none_waits(self, log: EventLog) -> None:
        letters = (Letter("table", "Red rolls 7"), Letter("p1", "psst"), Letter("p2", "x"), Letter("p1", "later"))
        log.append("green", 0, spoken(1), Beside(names={"p1": "Red"}))
        log.append("green", 0, (), Beside(key=message(), receipt=Receipt("green", 1, 1, None, letters)))
        refused = Receipt("green", 1, 0, ("not_yours", "That is Red's."), ())
        log.append("green", 0, (), Beside(key=message(2), receipt=refused))
        first, *_ = pending = log.pending()
        for one in pending[:3]:
            log.sent(one.id)
        farewell = Receipt("", 1, 0, None, (Letter("table", "Red is forgotten"),))
        log.append("", 0, (), Beside(forget="p1", key=message(3), receipt=farewell))
        assert [one.letter.text for one in log.pending()] == ["Red is forgotten"]
        assert [log.letter(one.id).letter.text for one in pending] == ["", "", "x", ""]  # type: ignore[union-attr]
        kept, error = log.receipt(message()), log.receipt(message(2))
        assert kept
        assert [one.text for one in kept.letters] == ["", "", "x", ""]
        assert error
        assert error.error == ("not_yours", "")
        assert first.letter.to == "table"

    # ---- names, chats, seeds

    def test_a_chat_may_leave_its_table_and_no_other(self, log: EventLog) -> None:
        log.append("green", 0, spoken(1), Beside(chat=("terminal", "chat-1")))
        log.append("green", 0, (), Beside(chat=("matrix", "chat-1")))
        log.append("red", 0, spoken(1, table="red"), Beside(chat=("terminal", "chat-2")))
        assert log.chats("green") == [("matrix", "chat-1"), ("terminal", "chat-1")]
        log.append("red", 0, (), Beside(leave=(("terminal", "chat-1"),)))
        log.append("green", 0, (), Beside(leave=(("terminal", "chat-1"),)))
        assert log.chats("green") == [("matrix", "chat-1")]
        assert log.chats("red") == [("terminal", "chat-2")]
        assert log.chats("blue") == []

    def test_what_a_message_meets_is_asked_at_once(self, log: EventLog) -> None:
        new = MessageKey("terminal", "chat-1", "9")
        assert log.standing(new) == Standing(None, None, 0, ())
        log.append("green", 0, spoken(2), everything())
        assert log.standing(new) == Standing(None, "green", 2, (("terminal", "chat-1"),))
        assert log.standing(message()) == Standing(receipt(letters=2), "green", 2, (("terminal", "chat-1"),))
        log.append("green", 0, (), Beside(chat=("matrix", "chat-1")))
        log.append("red", 0, spoken(1, table="red"), Beside(chat=("terminal", "chat-2")))
        both = (("matrix", "chat-1"), ("terminal", "chat-1"))
        assert log.standing(new).chats == log.standing(replace(new, platform="matrix")).chats == both
        assert log.standing(replace(new, chat="chat-2")) == Standing(None, "red", 1, (("terminal", "chat-2"),))
        assert log.standing(replace(new, chat="chat-3")) == Standing(None, None, 0, ())

    def test_what_was_taken_up_is_known_in_a_chat_without_a_table(self, log: EventLog) -> None:
        log.append("", 0, (), Beside(key=message(), receipt=receipt("", 1, 0)))
        assert log.standing(message()) == Standing(receipt("", 1, 0), None, 0, ())

    def test_names_are_those_of_now(self, log: EventLog) -> None:
        log.append("", 0, (), Beside(names={"terminal:red": "Red", "terminal:tom": "Tom"}))
        log.append("", 0, (), Beside(names={"terminal:red": "阿红"}))
        assert log.names() == {"terminal:red": "阿红", "terminal:tom": "Tom"}

    def test_what_was_asked_for_is_the_callers_own(self, log: EventLog) -> None:
        log.append("", 0, (), Beside(names={"terminal:red": "Red"}))
        log.names().clear()
        log.tables().append("ghost")
        log.pending().clear()
        assert log.names() == {"terminal:red": "Red"}
        assert log.tables() == []

    def test_a_chat_is_bound_to_the_table_that_came_last(self, log: EventLog) -> None:
        log.append("green", 0, spoken(1), Beside(chat=("terminal", "chat-1")))
        assert log.table_of("terminal", "chat-1") == "green"
        log.append("red", 0, spoken(1, table="red"), Beside(chat=("terminal", "chat-1"), former="green"))
        log.append("green", 0, (), Beside(chat=("matrix", "chat-1")))
        assert log.table_of("terminal", "chat-1") == "red"
        assert log.table_of("matrix", "chat-1") == "green"
        assert log.table_of("matrix", "chat-2") is None

    @pytest.mark.parametrize("former", [None, "blue"])
    @pytest.mark.parametrize("count", [0, 1])
    def test_a_chat_that_has_another_table_than_the_caller_saw_is_a_conflict(
        self, log: EventLog, former: str | None, count: int
    ) -> None:
        log.append("green", 0, spoken(1), Beside(chat=("terminal", "chat-1")))
        log.append("red", 0, spoken(1, table="red"))
        before = seen(log)
        more, beside = spoken(count, log.head("red"), "red"), Beside(chat=("terminal", "chat-1"), former=former)
        with pytest.raises(Conflict, match="'green'"):
            log.append("red", 1, more, beside)
        assert seen(log) == before
        with pytest.raises(Conflict, match="None"):
            log.append("red", 1, more, Beside(chat=("terminal", "chat-2"), former="green"))
        log.append("red", 1, more, Beside(chat=("terminal", "chat-1"), former="green"))
        log.append("red", 0, (), Beside(chat=("terminal", "chat-1"), former="red"))
        log.append("red", 0, (), Beside(former="blue"))
        assert log.table_of("terminal", "chat-1") == "red"

    def test_who_is_asked_for_is_not_known_by_that(self, log: EventLog) -> None:
        red = Account("telegram", "1001")
        assert log.known(red) is None
        assert log.known(red) is None
        log.person(red, "p1")
        assert log.known(red) == "p1"

    def test_an_account_is_one_person_from_the_first_time_on(self, log: EventLog) -> None:
        red, other = Account("telegram", "5"), Account("telegram", "6")
        assert log.person(red, "p1") == "p1"
        assert log.person(other, "p2") == "p2"
        assert log.person(red, "p3") == "p1"
        assert (log.accounts("p1"), log.accounts("p2"), log.accounts("p3")) == ([red], [other], [])

    @pytest.mark.parametrize("other", [Account("matrix", "5"), Account("telegram", "50")])
    def test_another_platform_or_id_is_another_account(self, log: EventLog, other: Account) -> None:
        log.person(Account("telegram", "5"), "p1")
        assert log.person(other, "p2") == "p2"
        assert log.accounts("p2") == [other]

    def test_nobody_is_given_the_id_of_somebody_else(self, log: EventLog) -> None:
        log.person(Account("telegram", "5"), "p1")
        with pytest.raises(ValueError, match="somebody's"):
            log.person(Account("telegram", "6"), "p1")
        assert log.accounts("p1") == [Account("telegram", "5")]
        assert log.person(Account("telegram", "6"), "p2") == "p2"

    def test_a_chat_with_a_new_id_takes_its_table_along(self, log: EventLog) -> None:
        log.append("green", 0, spoken(1), Beside(chat=("telegram", "-5")))
        log.append("green", 0, (), Beside(chat=("matrix", "-5")))
        for _ in range(2):
            log.move("telegram", "-5", "-1005")
            assert (log.table_of("telegram", "-5"), log.table_of("telegram", "-1005")) == (None, "green")
        log.move("telegram", "-1005", "-1005")
        log.move("telegram", "nowhere", "-7")
        assert log.table_of("telegram", "-1005") == log.table_of("matrix", "-5") == "green"
        assert log.table_of("telegram", "-7") is None

    def test_a_table_that_is_open_at_the_new_id_stays(self, log: EventLog) -> None:
        log.append("green", 0, spoken(1), Beside(chat=("telegram", "-5")))
        log.append("red", 0, spoken(1, table="red"), Beside(chat=("telegram", "-1005")))
        log.move("telegram", "-5", "-1005")
        assert (log.table_of("telegram", "-5"), log.table_of("telegram", "-1005")) == (None, "red")

    def test_a_seed_is_kept_until_it_is_revealed(self, log: EventLog) -> None:
        log.append("green", 0, spoken(1), Beside(seed=(1, SEED)))
        log.append("red", 0, spoken(1, table="red"), Beside(seed=(1, OTHER_SEED)))
        assert (log.seed("green", 1), log.seed("red", 1)) == (SEED, OTHER_SEED)
        log.append("green", 1, spoken(1, log.head("green")), Beside(reveal=1, seed=(2, OTHER_SEED)))
        assert (log.seed("green", 1), log.seed("green", 2)) == (None, OTHER_SEED)
        assert log.seed("red", 1) == OTHER_SEED
        assert log.seed("blue", 1) is None

    def test_a_seed_that_is_missing_can_be_revealed_all_the_same(self, log: EventLog) -> None:
        log.append("green", 0, spoken(1), Beside(reveal=7))
        assert log.seed("green", 7) is None

    # ---- all or nothing

    @pytest.mark.parametrize(
        ("table", "beside"),
        [
            (
                "green",
                Beside(names={"x": "X"}, chat=("matrix", "c"), seed=(1, OTHER_SEED), key=message(2), receipt=receipt()),
            ),
            ("green", Beside(names={"x": "X"}, reveal=1, key=message(2), receipt=receipt("blue"))),
            ("red", Beside(names={"x": "X"}, seed=(2, OTHER_SEED), key=message(2), receipt=receipt("blue"))),
        ],
        ids=["a seed that would be overwritten", "a receipt of an unknown table", "the same in a table just opened"],
    )
    def test_an_append_that_fails_in_the_middle_leaves_nothing(self, log: EventLog, table: str, beside: Beside) -> None:
        log.append("green", 0, spoken(1), everything())
        before = seen(log)
        head = log.head(table)
        with pytest.raises((ValueError, LogUnusable), match=r"period 1|'blue'"):
            log.append(table, head.seq, spoken(2, head, table), beside)
        assert seen(log) == before
        log.append(table, head.seq, spoken(2, head, table), Beside(key=message(2), receipt=receipt(table)))
        assert tuple(log.read(table, head.seq)) == spoken(2, head, table)
        assert log.receipt(message(2)) == receipt(table)

    @pytest.mark.parametrize(
        "beside",
        [
            Beside(chat=("terminal", "chat-1")), Beside(leave=(("terminal", "chat-1"),)), Beside(seed=(1, SEED)),
            Beside(reveal=1),
        ],
        ids=["chat", "leave", "seed", "reveal"],
    )
    @pytest.mark.parametrize("table", ["", "blue"])
    def test_what_belongs_to_a_table_needs_one(self, log: EventLog, table: str, beside: Beside) -> None:
        before = seen(log)
        with pytest.raises(ValueError, match="no table"):
            log.append(table, 0, (), beside)
        assert seen(log) == before

    def test_without_events_the_expected_head_is_ignored_and_no_table_is_opened(self, log: EventLog) -> None:
        log.append("green", 0, spoken(2))
        log.append("green", 77, (), Beside(key=message(), receipt=receipt("green", 3, 2)))
        log.append("red", 77, (), Beside(names={"x": "X"}))
        assert log.receipt(message()) == receipt("green", 3, 2)
        assert log.head("green").seq == 2
        assert log.tables() == ["green"]

    @pytest.mark.parametrize(
        ("table", "expected", "count", "beside"),
        [
            ("", 0, 1, Beside()),
            ("green", 1, 1, Beside()),
            ("green", 0, 1, Beside(key=message())),
            ("green", 0, 1, Beside(receipt=receipt())),
            ("green", 0, 1, Beside(seed=(1, b"short"))),
            ("green", 0, 1, Beside(seed=(1, SEED), reveal=1)),
        ],
        ids=["no table", "seqs that do not follow", "no receipt", "no key", "short seed", "open and reveal at once"],
    )
    def test_a_call_that_does_not_fit_together_is_refused(
        self, log: EventLog, table: str, expected: int, count: int, beside: Beside
    ) -> None:
        before = seen(log)
        with pytest.raises(ValueError, match=r"\.$"):
            log.append(table, expected, spoken(count), beside)
        assert seen(log) == before

    def test_a_gap_between_the_events_of_one_append_is_refused(self, log: EventLog) -> None:
        one, _, three = spoken(3)
        with pytest.raises(ValueError, match="count up"):
            log.append("green", 0, [one, three])
        assert log.tables() == []

    def test_a_log_may_be_closed_twice(self, log: EventLog) -> None:
        log.close()
        log.close()
