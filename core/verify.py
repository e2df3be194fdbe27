"""What a log proves by itself: its chain, the seeds against what was promised, and every die and card once more.

Here: stored events in, a Verdict out, read once from front to back; of an open period only numbers are held.
Never: a sentence, a file, a rule (a system's `rules.recount` says what a throw must total), and no trust in anything
but the bytes and the seeds in them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict, replace

from core.dice import expression
from core.dice.cards import remaining
from core.dice.source import FairDice, GivenFaces
from core.evolve import MAX_ACTS, TALK
from core.refusal import Refusal
from core.registry import SYSTEMS, room
from events.beside import Said
from events.chain import Break, follower
from events.codec import UnreadableEvent
from events.envelope import Envelope, Head, Stored
from events.talk import Texts, said_of, stands_for, taken_off
from events.types import (
    CardDealt,
    DeckShuffled,
    Die,
    Event,
    HouseRuleSet,
    LineSpoken,
    LuckAdded,
    PeriodOpened,
    RollMade,
    SeedRevealed,
    SessionStarted,
    TableOpened,
    Undone,
)  # fmt: skip

PHYSICAL = "physical-dice"  # the house rule that allows them
MOST_SIDES = 2**64  # a draw is one of so many numbers
Opening: TypeAlias = TableOpened | SessionStarted | PeriodOpened
Undoable: TypeAlias = CardDealt | DeckShuffled | HouseRuleSet  # what is followed here and can be taken back


class Sealed(Struct, frozen=True, gc=False):
    """An event of which an export shows only its place in the chain: what it says is still secret.

    Nobody can work out its hash, so nothing binds that hash to `prev`: what stands before it is not bound to the head.
    """

    seq: int
    table: str
    prev: str
    hash: str


class Broken(Struct, frozen=True):
    """The first event that does not hold. `why` is a flaw of `events.chain` or one of these.

    not_opened, opened_again: the table does not open with its first event, or twice. other_table: it is another's.
    period_out_of_order, seed_reused, seed_differs (from its promise), seed_unasked (its period is not open).
    wrong_period, no_numbers, dice_skipped, dice_reused: die numbers. luck_late: words after the first die.
    impossible_face, face_differs, card_differs, numbers_differ: what the seed gives is something else.
    not_in_deck: the card was out already. physical_not_allowed: by the house rules. total_differs: from what the
    recorded faces give. text_differs: what was said is not what its digest stands for. `detail` is English or a
    value, for the curious.
    """

    seq: int
    why: str
    detail: str = ""


class Verdict(Struct, frozen=True, kw_only=True):
    """What was proved. `dice` and `cards` came out again from their seeds; `waiting` are those of the open period.

    Nobody can prove `physical` rolls, nor `foreign` ones, of another program's log; `unprovable` are cards dealt from a
    deck that this copy does not show. `open` is the period whose seed is still to come, `lost` are earlier ones never
    revealed, `sealed` counts events withheld. `unbound` is the last of these (0: none): whoever made this copy could
    have changed anything before it.
    """

    table: str = ""
    head: Head = Head()
    events: int = 0
    sealed: int = 0
    unbound: int = 0
    dice: int = 0
    cards: int = 0
    waiting: int = 0
    physical: int = 0
    unprovable: int = 0
    foreign: int = 0
    proved: tuple[int, ...] = ()
    open: int | None = None
    lost: tuple[int, ...] = ()
    broken: Broken | None = None


def verify(
    stored: Iterable[Stored | Sealed], expect: Head | None = None, start: Head = Head(), texts: Texts | None = None
) -> Verdict:
    """Check a table's events, which follow `start`; stops at the first that does not hold.

    `expect` is a head noted outside the log, its hash perhaps cut to the first digits. With a `start` other than
    the beginning (an export of one session), what was promised or dealt before it cannot be checked. What was said must
    be what the digests in the events stand for, whether it came with them or is in `texts`, the table's talk.
    """
    audit = _Audit(start, expect, texts)
    try:
        for one in stored:
            audit.look_at(one)
        audit.end()
    except _Flawed as flaw:
        return replace(audit.verdict(), broken=flaw.broken)
    except UnreadableEvent as flaw:
        return replace(audit.verdict(), broken=Broken(flaw.seq, "unreadable", flaw.reason))
    return audit.verdict()


class _Flawed(Exception):
    def __init__(self, seq: int, why: str, detail: object = "") -> None:
        super().__init__(seq, why)
        self.broken = Broken(seq, why, str(detail))


class _Drawn(Protocol):
    """Numbers one after the other, each made one of `sides`: a Die, or a card as its place in the deck."""

    @property
    def sides(self) -> int: ...

    @property
    def faces(self) -> tuple[int, ...]: ...


class _Place(Struct, frozen=True, gc=False):
    sides: int
    faces: tuple[int, ...]


class _Throw(Struct, frozen=True, gc=False):
    """The numbers of one throw or card, until its seed comes: `drawn` is null where the deck was not known.

    `least` is how many numbers they took if none was discarded.
    """

    seq: int
    first: int
    next: int
    drawn: Sequence[_Drawn] | None
    least: int
    card: bool


class _Period:
    """A seed period not yet revealed. `certain`: `k` is the next die number, not only the least it can be."""

    def __init__(self, number: int, commitment: str) -> None:
        self.number, self.commitment = number, commitment
        self.luck: list[str] = []
        self.throws: list[_Throw] = []
        self.k, self.certain = 0, True

    def take(self, throw: _Throw) -> None:
        """The numbers follow on the throw before: none left out, none used twice."""
        if throw.first < self.k:
            raise _Flawed(throw.seq, "dice_reused", f"{throw.first}, not {self.k}")
        if throw.first > self.k and self.certain:
            raise _Flawed(throw.seq, "dice_skipped", f"{throw.first}, not {self.k}")
        if throw.next < throw.first + throw.least:
            raise _Flawed(throw.seq, "numbers_differ", f"{throw.first} to {throw.next}")
        self.throws.append(throw)
        self.k, self.certain = throw.next, True

    def prove(self, seed: bytes, table: str) -> None:
        dice = FairDice(seed, self.luck, table, self.number)
        for throw in self.throws:
            if throw.drawn is None:
                continue
            dice.next = throw.first
            for one in throw.drawn:
                for face in one.faces:
                    if (due := dice.pick(one.sides) + 1) != face:
                        why = "card_differs" if throw.card else "face_differs"
                        raise _Flawed(throw.seq, why, f"{due} of {one.sides}, not {face}")
            if dice.next != throw.next:
                raise _Flawed(throw.seq, "numbers_differ", f"the next is {dice.next}, not {throw.next}")

    def count(self, *, card: bool) -> int:
        return sum(throw.least for throw in self.throws if throw.card == card and throw.drawn is not None)


class _Tally(Struct):
    """What a Verdict counts, while it is counted."""

    sealed: int = 0
    unbound: int = 0
    dice: int = 0
    cards: int = 0
    physical: int = 0
    unprovable: int = 0
    foreign: int = 0


class _Audit:
    """Everything that is known up to one event."""

    def __init__(self, start: Head, expect: Head | None, texts: Texts | None) -> None:
        self.last: Head | Stored | Sealed = start  # the end of what was looked at and holds
        self.start, self.expect, self.texts = start, expect or Head(), texts
        self.whole = start.seq == 0
        self.table = ""
        self.tally = _Tally()
        self.proved: list[int] = []
        self.period: _Period | None = None
        self.unrevealed: dict[int, _Period] = {}
        self.commitments: set[str] = set()
        self.standing = _Standing(whole=self.whole)
        self.system = ""
        self.numbered = False  # whether a die or card with a number was seen

    def look_at(self, one: Stored | Sealed) -> None:
        """The next event: its place in the chain, the head that was noted, its table, and then what it says."""
        shown: Envelope | Sealed | Break
        if isinstance(one, Sealed):
            shown, said = self._placed(one), None
        else:
            bare, said = taken_off(one)
            shown = follower(bare, self.last)
        if isinstance(shown, Break):
            raise _Flawed(shown.seq, shown.flaw, shown.detail)
        if one.seq == self.expect.seq and not one.hash.startswith(self.expect.hash.lower()):
            raise _Flawed(one.seq, "head_differs", one.hash)
        if shown.table != self.table:
            self._same_table(one.seq, shown.table)
        if isinstance(shown, Sealed):
            self._withheld(one.seq)
        else:
            self._check(shown, said)
        self.last = one

    def end(self) -> None:
        if self.expect.seq > self.last.seq:
            raise _Flawed(self.last.seq + 1, "cut_off", f"{self.expect.seq} were noted")

    def verdict(self) -> Verdict:
        current = self.period.number if self.period else None
        left = tuple(number for number in self.unrevealed if number != current)
        still = self.unrevealed.get(current) if current else None
        waiting = still.count(card=False) + still.count(card=True) if still else 0
        return Verdict(
            table=self.table, head=Head(self.last.seq, self.last.hash), events=self.last.seq - self.start.seq,
            proved=tuple(self.proved), open=current if still else None, lost=left, waiting=waiting,
            **asdict(self.tally),
        )  # fmt: skip

    # ---- one event

    def _placed(self, one: Sealed) -> Sealed | Break:
        due = self.last.seq + 1
        if one.seq != due:
            return Break(due, "seq_missing" if one.seq > due else "seq_out_of_order", f"{one.seq} stands there")
        return one if one.prev == self.last.hash else Break(one.seq, "prev_differs")

    def _same_table(self, seq: int, table: str) -> None:
        if self.table:
            raise _Flawed(seq, "other_table", table)
        self.table = table

    def _withheld(self, seq: int) -> None:
        """Its dice, if any, are not shown, so the next throw may begin anywhere behind them."""
        if self.period:
            self.period.certain = False
        self.tally.sealed += 1
        self.tally.unbound = seq

    def _check(self, envelope: Envelope, said: Said | None) -> None:
        event = envelope.data
        kind = type(event)
        if envelope.seq == 1 and kind is not TableOpened:
            raise _Flawed(1, "not_opened")
        if kind in TALK:  # which is no act, as in `core.evolve`
            self._heard(envelope, said or said_of(event, envelope.seq, envelope.actor))
        else:
            self.standing.act(envelope)
        if self.texts:
            self._heard(envelope, self.texts.get(envelope.seq))
        if check := _CHECKS.get(kind):
            check(self, envelope, event)

    def _heard(self, envelope: Envelope, said: Said | None) -> None:
        if said and not stands_for(envelope.data, said):
            raise _Flawed(envelope.seq, "text_differs")

    def _opened(self, envelope: Envelope, event: TableOpened) -> None:
        if envelope.seq != 1:
            raise _Flawed(envelope.seq, "opened_again")
        self.system = event.system
        self._open(envelope, event)

    def _line(self, _: Envelope, event: LineSpoken) -> None:
        if event.source == "foreign" and event.roll is True:
            self.tally.foreign += 1

    def _follow(self, _: Envelope, event: Undoable | Undone) -> None:
        self.standing.follow(event)

    def _open(self, envelope: Envelope, event: Opening) -> None:
        """Every period has the next number and a promise of its own: a seed promised twice is known the second time."""
        seq = envelope.seq
        due = self.period.number + 1 if self.period else 1
        if event.period != due and (self.period or self.whole):
            raise _Flawed(seq, "period_out_of_order", f"{event.period}, not {due}")
        if event.commitment in self.commitments:
            raise _Flawed(seq, "seed_reused", event.commitment)
        self.commitments.add(event.commitment)
        self.period = self.unrevealed[event.period] = _Period(event.period, event.commitment)

    def _reveal(self, envelope: Envelope, event: SeedRevealed) -> None:
        seq = envelope.seq
        period = self.unrevealed.pop(event.period, None)
        if period is None:
            if self.whole or self.period:
                raise _Flawed(seq, "seed_unasked", event.period)
            return  # promised before this copy begins
        seed = _bytes_of(event.seed)
        if seed is None or sha256(seed).hexdigest() != period.commitment:
            self.unrevealed[event.period] = period
            raise _Flawed(seq, "seed_differs", event.period)
        period.prove(seed, self.table)
        self.tally.dice += period.count(card=False)
        self.tally.cards += period.count(card=True)
        self.proved.append(event.period)

    def _luck(self, envelope: Envelope, event: LuckAdded) -> None:
        period = self._current(envelope.seq, event.period)
        if period is None:
            return
        if period.k or period.throws:
            raise _Flawed(envelope.seq, "luck_late")
        period.luck.append(event.text)
        period.certain = True  # so no sealed event before it has used a number

    def _roll(self, envelope: Envelope, event: RollMade) -> None:
        seq, dice = envelope.seq, event.dice
        least = sum([_count(seq, die) for die in dice])
        if not _adds_up(event, self.system):
            raise _Flawed(seq, "total_differs", event.rolled_total)
        if event.source == "physical":
            self._physical(seq, event)
        elif least or event.first != event.next:  # else: an expression without a die
            self._take(seq, event, dice, least, card=False)

    def _physical(self, seq: int, event: RollMade) -> None:
        if self.standing.physical is False:
            raise _Flawed(seq, "physical_not_allowed")
        if (event.period, event.first, event.next) != (None, None, None):
            raise _Flawed(seq, "no_numbers", "physical dice have none")
        self.tally.physical += 1

    def _card(self, envelope: Envelope, event: CardDealt) -> None:
        seq, place = envelope.seq, self.standing.place(envelope.seq, event.card)
        self.standing.follow(event)
        if place is None or envelope.v == 1:
            self.tally.unprovable += 1
        if envelope.v > 1:
            self._take(seq, event, (place,) if place else None, 1, card=True)
        elif self.numbered:  # version 1 did not say which numbers drew it, and is older than all numbers
            raise _Flawed(seq, "no_numbers", "an old card among numbered dice")

    def _take(
        self, seq: int, event: RollMade | CardDealt, drawn: Sequence[_Drawn] | None, least: int, *, card: bool
    ) -> None:
        if event.period is None or event.first is None or event.next is None:
            raise _Flawed(seq, "no_numbers")
        self.numbered = True
        if period := self._current(seq, event.period):
            period.take(_Throw(seq, event.first, event.next, drawn, least, card))

    def _current(self, seq: int, number: int) -> _Period | None:
        """The open period, which must be this one; null before the first that this copy shows."""
        if self.period is None and not self.whole:
            return None
        if self.period is None or self.period.number != number or number not in self.unrevealed:
            raise _Flawed(seq, "wrong_period", number)
        return self.period


_CHECKS: Mapping[type[Event], Callable[[_Audit, Envelope, Any], None]] = {
    TableOpened: _Audit._opened,
    SessionStarted: _Audit._open,
    PeriodOpened: _Audit._open,
    SeedRevealed: _Audit._reveal,
    LuckAdded: _Audit._luck,
    RollMade: _Audit._roll,
    CardDealt: _Audit._card,
    LineSpoken: _Audit._line,
    DeckShuffled: _Audit._follow,
    HouseRuleSet: _Audit._follow,
    Undone: _Audit._follow,
}


class _State(Struct, frozen=True, gc=False):
    """The cards that are out, and whether physical dice are allowed; either null: not known."""

    out: tuple[str, ...] | None
    physical: bool | None


class _Standing:
    """What the acts that still stand have left: an undone deal puts its cards back, an undone house rule the former."""

    def __init__(self, *, whole: bool) -> None:
        self.state = _State((), False) if whole else _State(None, None)
        self._whole = whole
        self._acts: deque[int] = deque(maxlen=MAX_ACTS)  # the first seq of each that can be taken back
        self._cause, self._last = "", 0
        self._changed: list[_Act] = []  # those of them that changed something here

    @property
    def physical(self) -> bool | None:
        return self.state.physical

    def act(self, envelope: Envelope) -> None:
        """Events of one cause are one act, as in `core.evolve`."""
        seq = envelope.seq
        if seq != self._last + 1 or envelope.cause != self._cause or not self._acts:
            self._acts.append(seq)
            self._cause = envelope.cause
        self._last = seq

    def place(self, seq: int, card: str) -> _Place | None:
        """The card as one of those left; null where it is not known which were."""
        if self.state.out is None:
            return None
        left = remaining(self.state.out)
        if card not in left:
            raise _Flawed(seq, "not_in_deck", card)
        return _Place(len(left), (left.index(card) + 1,))

    def follow(self, event: Undoable | Undone) -> None:
        if isinstance(event, Undone):
            self._undo(event.event)
            return
        self._this_act().changes.append(event)
        self.state = _after(self.state, event)

    def _this_act(self) -> _Act:
        if not self._changed or self._changed[-1].first != self._acts[-1]:
            within_reach = [act for act in self._changed if act.first >= self._acts[0]]
            self._changed = [*within_reach, _Act(self._acts[-1], self.state)]
        return self._changed[-1]

    def _undo(self, first: int) -> None:
        if first not in self._acts:
            if not self._whole:  # it may have been a house rule of before this copy begins
                self.state = replace(self.state, physical=None)
            return
        later = [act for act in self._changed if act.first >= first]
        if later and later[0].first == first:
            later[0].changes = []
        self.state = later[0].before if later else self.state
        for act in later:
            act.before = self.state
            for change in act.changes:
                self.state = _after(self.state, change)


class _Act:
    """Its first seq, the state before its first change, and the changes."""

    def __init__(self, first: int, before: _State) -> None:
        self.first, self.before = first, before
        self.changes: list[Undoable] = []


def _after(state: _State, event: Undoable) -> _State:
    match event:
        case CardDealt():
            return state if state.out is None else _State((*state.out, event.card), state.physical)
        case DeckShuffled():
            return _State(event.held, state.physical)
        case HouseRuleSet():
            return _State(state.out, event.value == "on") if event.key == PHYSICAL else state


# ---- totals


def _adds_up(event: RollMade, system: str) -> bool:
    """Whether the throw's total is what its faces give; true as well where no rule says what they must."""
    try:
        return _plain(event) if event.kind == "roll" else _by_rules(event, system or event.system)
    except (Refusal, ArithmeticError, LookupError, TypeError, ValueError):
        return False  # such dice or labels no rule of ours has ever made


def _plain(event: RollMade) -> bool:
    """A plain roll is its expression over its faces, and nothing is added to it."""
    parsed = expression.parse(event.label)
    given = GivenFaces(tuple([face for die in event.dice for face in die.faces]))
    dice, total = expression.recount(parsed, given)
    given.finish()
    return (event.dice, event.rolled_total, event.total, event.results) == (dice, total, total, (total,))


def _by_rules(event: RollMade, system: str) -> bool:
    if event.reroll_of is None and not event.results[0] == event.total == event.rolled_total:
        return False  # only of a reroll may another total stand, that of the throw before it
    recount = getattr(room(system, "rules"), "recount", None) if system in SYSTEMS else None
    due = recount(event) if recount else None
    return due is None or due == event.rolled_total


def _count(seq: int, die: Die) -> int:
    """How many faces it shows, each of which must be one that it has."""
    sides, faces = die.sides, die.faces
    if not 1 <= sides <= MOST_SIDES or (faces and (min(faces) < 1 or max(faces) > sides)):
        raise _Flawed(seq, "impossible_face", f"d{sides} {faces}")
    return len(faces)


def _bytes_of(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None
