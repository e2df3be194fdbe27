"""A log proves itself: what is intact is proved, and whatever was altered is named."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert
from msgspec.json import decode as read_json
from msgspec.json import encode as write_json
from msgspec.structs import replace

from core.evolve import MAX_ACTS
from core.systems.savage.rules import recount
from core.verify import Sealed, Verdict, verify
from events.beside import Beside
from events.chain import seal
from events.codec import decode, split_line
from events.envelope import Head, Stored
from events.log import MemoryLog
from events.sqlite import SqliteLog
from events.talk import Texts, to_carry
from events.types import Event, HouseRuleSet, LuckAdded, PeriodOpened, RollMade, SeedRevealed, TableOpened
from tests.bench import long_log
from tests.protocol import records
from tests.story import Seeds, Story, savage

Body = dict[str, Any]


def evening() -> Story:
    """A whole session with luck, fair, physical and secret dice, a fight with an undone deal, and its seed revealed."""
    return savage(
        "ann: /char new Ann athletics=d8",
        "gm: /char new Wolf wild fighting=d6",
        "gm: /session start Night",
        "ann: /luck north wind",
        "ann: /trait athletics",
        "ann: /roll 3#4d6",
        "ann: /trait athletics dice=3,4",
        "gm: /roll 2d6 secret",
        "gm: /init join Wolf",
        "gm: /init deal",
        "gm: /undo",
        "gm: /init deal",
        "gm: /init next",
        "gm: /session end",
        "ann: /roll 5d10",
    )


def stored(story: Story) -> list[Stored]:
    return list(story.log.read(story.table.id))


def why(verdict: Verdict) -> tuple[int, str]:
    assert verdict.broken is not None
    return verdict.broken.seq, verdict.broken.why


def resealed(events: Sequence[Stored], change: Callable[[Body], None], seq: int) -> list[Stored]:
    """A forger's copy: the body of one event changed, and the whole chain behind it calculated anew."""
    prev, forged = "0" * 64, []
    for one in events:
        body = read_json(one.body)
        body["prev"] = prev
        if one.seq == seq:
            change(body)
        written = write_json(body)
        prev = sha256(written).hexdigest()
        forged.append(Stored(one.seq, written, prev))
    return forged


def forged(kind: type[Event], change: Callable[[Body], None], number: int = 0) -> Verdict:
    """The verdict on the evening with the data of one event of this type changed by somebody who can chain."""
    events = stored(evening())
    seq = [one.seq for one in events if isinstance(decode(one).data, kind)][number]
    verdict = verify(resealed(events, lambda body: change(body["data"]), seq))
    assert verdict.broken is None or verdict.broken.seq >= min(seq, 2)
    return verdict


def test_an_evening_proves_every_die_and_card_of_its_revealed_periods() -> None:
    events = stored(evening())
    verdict = verify(events)
    assert verdict.broken is None
    assert (verdict.events, verdict.head) == (len(events), Head(events[-1].seq, events[-1].hash))
    fair = [one.data for one in map(decode, events) if isinstance(one.data, RollMade) and one.data.period == 2]
    assert verdict.dice == sum(len(die.faces) for roll in fair for die in roll.dice)
    assert (verdict.cards, verdict.physical, verdict.waiting) == (4, 1, 5)
    assert (verdict.proved, verdict.open, verdict.lost) == ((1, 2), 3, ())


def test_an_empty_log_proves_nothing_and_breaks_nothing() -> None:
    assert verify([]) == Verdict()


def test_every_single_byte_that_is_changed_is_found_at_its_event() -> None:
    events = stored(evening())
    for place, one in enumerate(events):
        for at in (0, len(one.body) // 2, len(one.body) - 1):
            body = one.body[:at] + bytes([one.body[at] ^ 1]) + one.body[at + 1 :]
            changed = [*events[:place], Stored(one.seq, body, one.hash), *events[place + 1 :]]
            assert why(verify(changed)) == (one.seq, "hash_differs")


def test_every_event_that_is_removed_is_named() -> None:
    events = stored(evening())
    for place in range(len(events) - 1):
        assert why(verify([*events[:place], *events[place + 1 :]])) == (place + 1, "seq_missing")


def test_two_events_that_were_swapped_are_found() -> None:
    events = stored(evening())
    events[4], events[5] = events[5], events[4]
    assert why(verify(events)) == (5, "seq_missing")


def test_a_log_cut_off_at_its_end_shows_against_the_head_that_was_told() -> None:
    events = stored(evening())
    told = Head(events[-1].seq, events[-1].hash[:16])
    assert verify(events, told).broken is None
    assert verify(events[:-2]).broken is None
    assert why(verify(events[:-2], told)) == (events[-1].seq - 1, "cut_off")
    assert why(verify(events, Head(5, "f" * 16))) == (5, "head_differs")


def other_face(data: Body) -> None:
    die = data["dice"][0]
    die["faces"][0] = die["faces"][0] % die["sides"] + 1


def other_face_added_up(data: Body) -> None:
    """A forger who knows the rules: the total fits the face again."""
    other_face(data)
    roll = convert(data, RollMade)
    due = sum(face for die in roll.dice for face in die.faces) if roll.kind == "roll" else recount(roll)
    data.update(rolled_total=due, total=due, results=[due])


@pytest.mark.parametrize("number", [0, 2])
def test_another_face_is_found_although_the_chain_was_calculated_anew(number: int) -> None:
    assert why(forged(RollMade, other_face_added_up, number))[1] == "face_differs"


@pytest.mark.parametrize("number", [0, 2, 4], ids=["trait", "plain", "physical"])
def test_a_total_that_its_faces_do_not_give_is_found_without_any_seed(number: int) -> None:
    assert why(forged(RollMade, lambda data: data.update(rolled_total=99), number))[1] == "total_differs"


THROWS = (
    ("savage", "/trait d8"), ("savage", "/trait d8 x3"), ("savage", "/group d6"), ("savage", "/damage 2d6+1"),
    ("savage", "/roll 2d6"), ("storytelling", "/pool 7"), ("storytelling", "/pool 0"), ("infinite", "/check 9"),
    ("infinite", "/attack 6"), ("adventure", "/move defy STR"), ("adventure", "/roll 2d6"),
)  # fmt: skip


@pytest.mark.parametrize(("system", "throw"), THROWS)
def test_a_total_other_than_the_throws_own_is_found_in_every_system(system: str, throw: str) -> None:
    sheet = " STR=1" if system == "adventure" else ""
    events = stored(Story().given(f"gm: /table new {system}", f"gm: /char new Wolf{sheet}", f"gm: {throw} as=Wolf"))
    roll = next(one.seq for one in events if isinstance(decode(one).data, RollMade))
    assert verify(events).broken is None
    for change in ({"total": 99}, {"total": -1}, {"results": [99]}, {"results": []}):
        forgery = resealed(events, lambda body, change=change: body["data"].update(change), roll)  # type: ignore[misc]
        assert why(verify(forgery)) == (roll, "total_differs"), change


def test_of_a_reroll_the_total_before_it_may_stand() -> None:
    story = savage("ann: /char new Ann", "gm: /session start", "ann: /trait d8 dice=8,1,1", "ann: /reroll dice=2,3")
    roll = next(one.data for one in map(decode, reversed(stored(story))) if isinstance(one.data, RollMade))
    assert (roll.rolled_total, roll.total) == (3, 9)
    assert verify(stored(story)).broken is None


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(total=data["total"] + 1),
        lambda data: data.update(label="4d6kh3", total=24),
        lambda data: data.update(label="4d8"),
        lambda data: data.update(label="3d6"),
        lambda data: data.update(label="5d6"),
        lambda data: data.update(label="no dice"),
    ],
)
def test_a_plain_roll_is_its_expression_over_its_faces(change: Callable[[Body], None]) -> None:
    assert why(forged(RollMade, change, number=2))[1] == "total_differs"


def test_totals_of_every_kind_of_plain_expression_add_up() -> None:
    rolls = ("4d6kl2+d%", "3#(2d6!+4dF)*2 # twice", "-7/2", "10d10dh3")
    story = savage(*(f"ann: /roll {one}" for one in rolls))
    assert verify(stored(story)).broken is None


def test_physical_dice_where_the_house_does_not_allow_them_are_found() -> None:
    events = stored(evening())
    rule, roll = (
        next(one.seq for one in events if test(decode(one).data))
        for test in (
            lambda data: isinstance(data, HouseRuleSet),
            lambda data: isinstance(data, RollMade) and data.source == "physical",
        )
    )
    off = resealed(events, lambda body: body["data"].update(value="off"), rule)
    assert why(verify(off)) == (roll, "physical_not_allowed")
    other = resealed(events, lambda body: body["data"].update(key="bennies"), rule)
    assert why(verify(other)) == (roll, "physical_not_allowed")


def test_an_undone_house_rule_holds_no_longer_and_the_former_holds_again() -> None:
    on, off = "gm: /house physical-dice on", "gm: /house physical-dice off"
    rolls = [decode(one).data for one in stored(savage("ann: /roll d6 dice=3"))][-1:]

    def verdict(*lines: str) -> Verdict:
        events = [decode(one) for one in stored(savage(*lines, physical=False))]
        head, sealed = Head(), []
        for cause, one in [(one.cause, one.data) for one in events] + [("last", one) for one in rolls]:
            sealed += seal(head, "t", "2026-11-30T05:00:00.000Z", "gm", cause, None, [one])
            head = Head(sealed[-1].seq, sealed[-1].hash)
        return verify(sealed)

    assert verdict(on).broken is None
    assert verdict(on, off, "gm: /undo").broken is None
    for lines in ((), (off,), (on, "gm: /undo"), (on, off), (on, off, on, "gm: /undo")):
        assert why(verdict(*lines))[1] == "physical_not_allowed"


def test_in_a_part_it_is_not_known_whether_physical_dice_were_allowed_before() -> None:
    events = stored(savage("ann: /roll d6 dice=3"))
    assert verify(events[-1:], start=Head(events[-2].seq, events[-2].hash)).broken is None


def test_a_roll_left_out_by_somebody_who_chains_anew_is_found_by_its_die_numbers() -> None:
    events = stored(evening())
    gone = next(one.seq for one in events if isinstance(decode(one).data, RollMade))
    shorter = []
    for one in events:
        if one.seq != gone:
            body = read_json(one.body)
            body["seq"] = len(shorter) + 1
            shorter.append(Stored(body["seq"], write_json(body), ""))
    assert why(verify(resealed(shorter, lambda body: None, 0))) == (gone, "dice_skipped")


@pytest.mark.parametrize(
    ("change", "flaw"),
    [
        (lambda data: data.update(first=data["first"] + 4), "dice_skipped"),
        (lambda data: data.update(next=data["next"] + 4), "dice_reused"),  # by the throw behind it
        (lambda data: data.update(next=data["first"]), "numbers_differ"),
        (lambda data: data.update(period=1), "wrong_period"),
        (lambda data: data.update(first=None), "no_numbers"),
        (lambda data: data["dice"][0].update(faces=[99]), "impossible_face"),
        (lambda data: data["dice"][0].update(sides=0), "impossible_face"),
        (lambda data: data.update(source="physical"), "no_numbers"),
    ],
)
def test_numbers_and_faces_that_cannot_be_are_found_without_any_seed(change: Callable[[Body], None], flaw: str) -> None:
    assert why(forged(RollMade, change))[1] == flaw


def test_dice_used_twice_are_found() -> None:
    events = stored(evening())
    rolls = [one for one in map(decode, events) if isinstance(one.data, RollMade)]
    again = lambda body: body["data"].update(first=rolls[0].data.first)  # type: ignore[union-attr]  # noqa: E731
    assert why(verify(resealed(events, again, rolls[1].seq))) == (rolls[1].seq, "dice_reused")


def test_another_seed_than_the_promised_one_is_found() -> None:
    assert why(forged(SeedRevealed, lambda data: data.update(seed="00" * 32)))[1] == "seed_differs"
    assert why(forged(SeedRevealed, lambda data: data.update(seed="no hex")))[1] == "seed_differs"
    assert why(forged(SeedRevealed, lambda data: data.update(period=2)))[1] == "seed_unasked"


def test_a_promise_changed_afterwards_does_not_fit_its_seed() -> None:
    assert why(forged(TableOpened, lambda data: data.update(commitment="00" * 32)))[1] == "seed_differs"


def test_other_words_of_luck_give_other_dice() -> None:
    assert why(forged(LuckAdded, lambda data: data.update(text="south wind")))[1] == "face_differs"


def test_a_card_exchanged_is_found() -> None:
    events = stored(evening())
    dealt = [one.seq for one in events if decode(one).type == "CardDealt"][-1]
    held = {decode(one).data.card for one in events if decode(one).type == "CardDealt"}  # type: ignore[attr-defined]
    other = "2C" if "2C" not in held else "3C" if "3C" not in held else "4C"
    assert why(verify(resealed(events, lambda body: body["data"].update(card=other), dealt))) == (dealt, "card_differs")


def test_a_card_that_was_out_already_is_found() -> None:
    events = stored(evening())
    first, second = [one.seq for one in events if decode(one).type == "CardDealt"][-2:]
    card = read_json(events[first - 1].body)["data"]["card"]
    forgery = resealed(events, lambda body: body["data"].update(card=card), second)
    assert why(verify(forgery)) == (second, "not_in_deck")


def old_card(body: Body) -> None:
    body.update(v=1)
    for name in ("reason", "period", "first", "next"):
        del body["data"][name]


def test_an_old_card_without_numbers_hides_no_dice_among_numbered_ones() -> None:
    events = stored(evening())
    dealt = next(one.seq for one in events if decode(one).type == "CardDealt")
    assert why(verify(resealed(events, old_card, dealt))) == (dealt, "no_numbers")
    only = stored(savage("gm: /char new Wolf wild", "gm: /init join Wolf", "gm: /init deal", "ann: /roll d6"))
    dealt = next(one.seq for one in only if decode(one).type == "CardDealt")
    forgery = resealed(only, old_card, dealt)
    assert verify(forgery[:-1]).unprovable == 1
    assert why(verify(forgery)) == (len(only), "dice_skipped")


def chained(*events: Event, table: str = "t") -> list[Stored]:
    return list(seal(Head(), table, "2026-11-30T05:00:00.000Z", "gm", "c", None, events))


def opened(seed: bytes = b"\0" * 32) -> TableOpened:
    promise = sha256(seed).hexdigest()
    return TableOpened(system="savage", title="", gm="gm", language="en", period=1, commitment=promise)


def next_period(seed: bytes, number: int = 2) -> PeriodOpened:
    return PeriodOpened(period=number, commitment=sha256(seed).hexdigest(), reason="revealed")


def test_a_table_is_opened_first_and_once() -> None:
    assert why(verify(chained(LuckAdded(period=1, text="x")))) == (1, "not_opened")
    assert why(verify(chained(opened(), opened(b"\1" * 32)))) == (2, "opened_again")


def test_periods_count_up_and_no_seed_is_promised_twice() -> None:
    assert why(verify(chained(opened(), next_period(b"\1" * 32, number=3)))) == (2, "period_out_of_order")
    assert why(verify(chained(opened(), next_period(b"\0" * 32)))) == (2, "seed_reused")


def test_a_period_whose_seed_was_lost_is_reported_and_breaks_nothing() -> None:
    verdict = verify(chained(opened(), next_period(b"\1" * 32)))
    assert (verdict.broken, verdict.lost, verdict.open) == (None, (1,), 2)


def test_luck_after_the_first_die_is_found() -> None:
    events = stored(evening())
    luck = next(one.seq for one in events if isinstance(decode(one).data, LuckAdded))
    late = [decode(one).data for one in events]
    late.insert(luck + 1, late.pop(luck - 1))
    assert why(verify(chained(*late)))[1] == "luck_late"


def test_an_event_of_another_table_is_found() -> None:
    events = stored(evening())
    forgery = resealed(events, lambda body: body.update(table="other"), 7)
    assert why(verify(forgery)) == (7, "other_table")


def test_what_cannot_be_read_is_found() -> None:
    events = stored(evening())
    assert why(verify(resealed(events, lambda body: body.update(type="Nothing"), 3))) == (3, "unreadable")


def test_a_withheld_event_is_held_to_its_place_in_the_chain() -> None:
    events = stored(savage("ann: /char new Ann", "ann: /roll d6", "gm: /roll d6 secret", "ann: /roll 2d6"))
    shown: list[Stored | Sealed] = list(events)
    secret = decode(events[-2])
    shown[-2] = Sealed(secret.seq, secret.table, secret.prev, secret.hash)
    verdict = verify(shown)
    assert (verdict.broken, verdict.events, verdict.sealed, verdict.waiting) == (None, len(events), 1, 3)
    assert (verdict.unbound, verify(events).unbound) == (secret.seq, 0)
    shown[-2] = Sealed(secret.seq, secret.table, "0" * 64, secret.hash)
    assert why(verify(shown)) == (secret.seq, "prev_differs")
    shown[-2] = Sealed(secret.seq, secret.table, secret.prev, "0" * 64)
    assert why(verify(shown)) == (secret.seq + 1, "prev_differs")


def shown_but(*seqs: int, events: Sequence[Stored]) -> list[Stored | Sealed]:
    """A copy in which these are withheld."""
    envelopes = {one.seq: one for one in map(decode, events)}
    return [
        Sealed(one.seq, envelopes[one.seq].table, envelopes[one.seq].prev, one.hash) if one.seq in seqs else one
        for one in events
    ]


def test_luck_behind_a_withheld_event_is_not_late_but_says_that_this_has_used_no_number() -> None:
    events = stored(savage("gm: /scene", "gm: /luck north wind", "gm: /roll d6", "gm: /reveal"))
    luck = next(one.seq for one in events if isinstance(decode(one).data, LuckAdded))
    assert verify(shown_but(luck - 1, events=events)).broken is None
    late = lambda body: body["data"].update(first=1, next=2)  # noqa: E731
    forgery = resealed(events, late, luck + 1)
    assert why(verify(shown_but(luck - 1, events=forgery))) == (luck + 1, "dice_skipped")
    assert verify(shown_but(luck + 1, events=events)).broken is None


def test_in_a_part_an_undone_shuffle_leaves_the_deck_unknown() -> None:
    lines = records.card_behind_an_undone_shuffle()
    events = [split_line(line) for line in lines]
    verdict = verify(events, start=Head(events[0].seq - 1, decode(events[0]).prev))
    dealt = [one for one in map(decode, events) if one.type == "CardDealt"]
    shuffle = next(one.seq for one in map(decode, events) if one.type == "DeckShuffled")
    assert dealt[-1].seq > shuffle
    behind = sum(one.seq > shuffle for one in dealt) - 1
    assert (verdict.broken, verdict.unprovable, verdict.cards) == (None, len(dealt) - behind, behind)


def test_an_export_of_one_session_is_proved_as_far_as_it_goes() -> None:
    events = [one for one in stored(evening()) if decode(one).session == 1]
    start = Head(events[0].seq - 1, decode(events[0]).prev)
    verdict = verify(events, start=start)
    assert (verdict.broken, verdict.proved, verdict.unprovable) == (None, (2,), 4)
    assert verdict.dice > 0
    assert why(verify(events)) == (1, "seq_missing")


def test_talk_is_no_act_and_pushes_no_act_out_of_an_undos_reach() -> None:
    story = savage("gm: /log on", "gm: /char new Wolf wild", "gm: /init join Wolf", "gm: /init deal")
    story.given(*["ann: What now?"] * (MAX_ACTS + 1), "gm: /undo", *["gm: /init deal", "gm: /undo"] * 5)
    verdict = verify(stored(story.given("gm: /init deal", "gm: /reveal")))
    assert (verdict.broken, verdict.cards) == (None, 7)


def test_a_text_that_its_digest_does_not_stand_for_is_found_at_its_event() -> None:
    story = savage("gm: /log on", "ann: What now?", "bob: Nothing.", "ann: /roll d6")
    events, table = stored(story), story.table.id
    said = list(story.log.texts(table).values())
    assert verify(events, texts=Texts(story.log, table)).broken is None
    other = [replace(one, text="Something else.") for one in said]
    no_hex = [replace(one, salt="no hex") for one in said]
    for text in (*other, *no_hex, replace(said[0], seq=1)):
        log = MemoryLog()
        log.append(table, 0, events, Beside(texts=(text,)))
        assert why(verify(events, texts=Texts(log, table))) == (text.seq, "text_differs")


def test_words_that_came_with_a_line_are_held_to_its_digest() -> None:
    story = savage("gm: /log on", "ann: What now?", "ann: /roll d6")
    lines = list(to_carry(story.log, story.table.id, history=True))
    spoken = next(one for one in lines if b"What now?" in one.body)
    assert verify(lines).broken is None
    for was, becomes, flaw in (
        (b"What now?", b"Nothing.", "text_differs"),
        (b'"text":', b'"note":"I never said this","text":', "hash_differs"),
    ):
        other = replace(spoken, body=spoken.body.replace(was, becomes))
        assert why(verify([other if one is spoken else one for one in lines])) == (spoken.seq, flaw)


def test_long_logs_of_all_systems_are_proved(tmp_path: Path) -> None:
    long_log.write(tmp_path / "long.db", 4_000)
    log = SqliteLog(tmp_path / "long.db", read_only=True)
    found = [verify(log.read(table), texts=Texts(log, table)) for table in log.tables()]
    log.close()
    assert [(one.broken, one.events) for one in found] == [(None, 1_000)] * 4
    assert all(one.dice > 0 for one in found)


def test_ten_thousand_rolls_in_one_period_are_proved_within_seconds() -> None:
    story = Story(seeds=Seeds(7)).given("gm: /table new savage", "ann: /char new Ann")
    story.given(*["ann: /roll 20#2d6"] * 500, "gm: /reveal")
    began = time.perf_counter()
    verdict = verify(story.log.read(story.table.id))
    assert (verdict.broken, verdict.dice) == (None, 20_000)
    assert time.perf_counter() - began < 10
