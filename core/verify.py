"""What a log proves by itself: its chain, the seeds against what was promised, and every die and card once more.

Here: stored events in, a Verdict out, read once from front to back; of an open period only numbers are held.
Never: a sentence, a file, a rule (a system's `rules.recount` says what a throw must total), and no trust in anything
but the bytes and the seeds in them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from hashlib import sha256
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from core.dice import expression
from core.dice.cards import remaining
from core.dice.source import FairDice, GivenFaces
from core.evolve import MAX_ACTS
from core.refusal import Refusal
from core.registry import SYSTEMS, room
from events.chain import Break, first_break
from events.codec import UnreadableEvent, decode
from events.envelope import Envelope, Head, Stored
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
Draws: TypeAlias = tuple[tuple[int, int], ...]  # (one of how many, which of them from 0)
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
    recorded faces give. `detail` is English or a value, for the curious.
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


def verify(stored: Iterable[Stored | Sealed], expect: Head | None = None, start: Head = Head()) -> Verdict:
    """Check a table's events, which follow `start`; stops at the first that does not hold.

    `expect` is a head noted outside the log, its hash perhaps cut to the first digits. With a `start` other than
    the beginning (an export of one session), what was promised or dealt before it cannot be checked.
    """
    audit = _Audit(start)
    try:
        for one in stored:
            audit.look_at(one, expect)
        audit.end(expect)
    except _Flawed as flaw:
        return replace(audit.verdict(), broken=flaw.broken)
    return audit.verdict()


class _Flawed(Exception):
    def __init__(self, seq: int, why: str, detail: object = "") -> None:
        super().__init__(seq, why)
        self.broken = Broken(seq, why, str(detail))


class _Throw(Struct, frozen=True, gc=False):
    """The numbers of one throw or card, until its seed comes: `draws` is null where the deck was not known."""

    seq: int
    first: int
    next: int
    draws: Draws | None
    card: bool = False


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
        if throw.next < throw.first + len(throw.draws or (0,)):
            raise _Flawed(throw.seq, "numbers_differ", f"{throw.first} to {throw.next}")
        self.throws.append(throw)
        self.k, self.certain = throw.next, True

    def prove(self, seed: bytes, table: str) -> None:
        dice = FairDice(seed, self.luck, table, self.number)
        for throw in self.throws:
            dice.next = throw.first
            for at, (sides, place) in enumerate(throw.draws or (), 1):
                if (due := dice.pick(sides)) != place:
                    why = "card_differs" if throw.card else "face_differs"
                    raise _Flawed(throw.seq, why, f"number {at}: {due + 1} of {sides}, not {place + 1}")
            if throw.draws is not None and dice.next != throw.next:
                raise _Flawed(throw.seq, "numbers_differ", f"the next is {dice.next}, not {throw.next}")

    def count(self, *, card: bool) -> int:
        return sum(len(throw.draws or ()) for throw in self.throws if throw.card == card)


class _Audit:
    """Everything that is known up to one event."""

    def __init__(self, start: Head) -> None:
        self.found = Verdict(head=start)
        self.whole = start.seq == 0
        self.period: _Period | None = None
        self.unrevealed: dict[int, _Period] = {}
        self.commitments: set[str] = set()
        self.standing = _Standing(known=self.whole)
        self.system = ""
        self.numbered = False  # whether a die or card with a number was seen

    def look_at(self, one: Stored | Sealed, expect: Head | None) -> None:
        found, head = self.found, Head(one.seq, one.hash)
        if flaw := _unchained(one, found.head):
            raise _Flawed(flaw.seq, flaw.flaw, flaw.detail)
        if expect is not None and expect.seq == one.seq and not one.hash.startswith(expect.hash.lower()):
            raise _Flawed(one.seq, "head_differs", one.hash)
        if isinstance(one, Sealed):
            self._same_table(one.seq, one.table)
            self._withheld(head)
            return
        envelope = _decoded(one)
        self._same_table(one.seq, envelope.table)
        self._check(envelope, envelope.data)
        self.found = replace(self.found, head=head, events=found.events + 1)

    def end(self, expect: Head | None) -> None:
        if expect is not None and expect.seq > self.found.head.seq:
            raise _Flawed(self.found.head.seq + 1, "cut_off", f"{expect.seq} were noted")

    def verdict(self) -> Verdict:
        current = self.period.number if self.period else None
        left = tuple(number for number in self.unrevealed if number != current)
        still = self.unrevealed.get(current) if current else None
        waiting = still.count(card=False) + still.count(card=True) if still else 0
        return replace(self.found, open=current if still else None, lost=left, waiting=waiting)

    # ---- one event

    def _same_table(self, seq: int, table: str) -> None:
        if self.found.table and table != self.found.table:
            raise _Flawed(seq, "other_table", table)
        self.found = replace(self.found, table=table)

    def _withheld(self, head: Head) -> None:
        """Its dice, if any, are not shown, so the next throw may begin anywhere behind them."""
        if self.period:
            self.period.certain = False
        found = self.found
        self.found = replace(found, head=head, events=found.events + 1, sealed=found.sealed + 1, unbound=head.seq)

    def _check(self, envelope: Envelope, event: Event) -> None:
        seq = envelope.seq
        if (seq == 1) != isinstance(event, TableOpened):
            raise _Flawed(seq, "not_opened" if seq == 1 else "opened_again")
        self.standing.act(envelope)
        if isinstance(event, TableOpened):
            self.system = event.system
        match event:
            case TableOpened() | SessionStarted() | PeriodOpened():
                self._open(seq, event)
            case SeedRevealed():
                self._reveal(seq, event)
            case LuckAdded():
                self._luck(seq, event)
            case RollMade():
                self._roll(seq, event)
            case CardDealt():
                self._card(envelope, event)
            case LineSpoken(source="foreign", roll=True):
                self.found = replace(self.found, foreign=self.found.foreign + 1)
            case DeckShuffled() | HouseRuleSet() | Undone():
                self.standing.follow(event)

    def _open(self, seq: int, event: Opening) -> None:
        """Every period has the next number and a promise of its own: a seed promised twice is known the second time."""
        due = self.period.number + 1 if self.period else 1
        if event.period != due and (self.period or self.whole):
            raise _Flawed(seq, "period_out_of_order", f"{event.period}, not {due}")
        if event.commitment in self.commitments:
            raise _Flawed(seq, "seed_reused", event.commitment)
        self.commitments.add(event.commitment)
        self.period = self.unrevealed[event.period] = _Period(event.period, event.commitment)

    def _reveal(self, seq: int, event: SeedRevealed) -> None:
        period = self.unrevealed.pop(event.period, None)
        if period is None:
            if self.whole or self.period:
                raise _Flawed(seq, "seed_unasked", event.period)
            return  # promised before this copy begins
        seed = _bytes_of(event.seed)
        if seed is None or sha256(seed).hexdigest() != period.commitment:
            self.unrevealed[event.period] = period
            raise _Flawed(seq, "seed_differs", event.period)
        period.prove(seed, self.found.table)
        found = self.found
        self.found = replace(
            found, dice=found.dice + period.count(card=False), cards=found.cards + period.count(card=True),
            proved=(*found.proved, event.period),
        )  # fmt: skip

    def _luck(self, seq: int, event: LuckAdded) -> None:
        period = self._current(seq, event.period)
        if period is None:
            return
        if period.k or period.throws or not period.certain:
            raise _Flawed(seq, "luck_late")
        period.luck.append(event.text)

    def _roll(self, seq: int, event: RollMade) -> None:
        draws = tuple(draw for die in event.dice for draw in _draws(seq, die))
        if not _adds_up(event, self.system):
            raise _Flawed(seq, "total_differs", event.rolled_total)
        if event.source == "physical":
            if self.standing.physical is False:
                raise _Flawed(seq, "physical_not_allowed")
            if (event.period, event.first, event.next) != (None, None, None):
                raise _Flawed(seq, "no_numbers", "physical dice have none")
            self.found = replace(self.found, physical=self.found.physical + 1)
        elif not draws and event.first == event.next:
            return  # an expression without a die
        else:
            self._take(seq, event, draws, card=False)

    def _card(self, envelope: Envelope, event: CardDealt) -> None:
        seq, draw = envelope.seq, self.standing.draw(envelope.seq, event.card)
        self.standing.follow(event)
        if draw is None or envelope.v == 1:
            self.found = replace(self.found, unprovable=self.found.unprovable + 1)
        if envelope.v > 1:
            self._take(seq, event, draw, card=True)
        elif self.numbered:  # version 1 did not say which numbers drew it, and is older than all numbers
            raise _Flawed(seq, "no_numbers", "an old card among numbered dice")

    def _take(self, seq: int, event: RollMade | CardDealt, draws: Draws | None, *, card: bool) -> None:
        if event.period is None or event.first is None or event.next is None:
            raise _Flawed(seq, "no_numbers")
        self.numbered = True
        if period := self._current(seq, event.period):
            period.take(_Throw(seq, event.first, event.next, draws, card))

    def _current(self, seq: int, number: int) -> _Period | None:
        """The open period, which must be this one; null before the first that this copy shows."""
        if self.period is None and not self.whole:
            return None
        if self.period is None or self.period.number != number or number not in self.unrevealed:
            raise _Flawed(seq, "wrong_period", number)
        return self.period


class _State(Struct, frozen=True, gc=False):
    """The cards that are out, and whether physical dice are allowed (null: not known)."""

    out: tuple[str, ...]
    physical: bool | None


class _Standing:
    """What the acts that still stand have left: an undone deal puts its cards back, an undone house rule the former."""

    def __init__(self, *, known: bool) -> None:
        self.state = _State((), False if known else None)
        self.known = known  # which cards are in the deck
        self._whole = known
        self._acts: deque[_Act] = deque(maxlen=MAX_ACTS)

    @property
    def physical(self) -> bool | None:
        return self.state.physical

    def act(self, envelope: Envelope) -> None:
        """Events of one cause are one act, as in `core.evolve`."""
        if not self._acts or self._acts[-1].cause != envelope.cause or self._acts[-1].last != envelope.seq - 1:
            self._acts.append(_Act(envelope.seq, envelope.cause, self.state))
        self._acts[-1].last = envelope.seq

    def draw(self, seq: int, card: str) -> Draws | None:
        """The card as one of those left; null where it is not known which were."""
        if not self.known:
            return None
        left = remaining(self.state.out)
        if card not in left:
            raise _Flawed(seq, "not_in_deck", card)
        return ((len(left), left.index(card)),)

    def follow(self, event: Undoable | Undone) -> None:
        if isinstance(event, Undone):
            self._undo(event.event)
            return
        self._acts[-1].changes.append(event)
        self.known = self.known or isinstance(event, DeckShuffled)
        self.state = _after(self.state, event)

    def _undo(self, first: int) -> None:
        acts = list(self._acts)
        place = next((n for n, act in enumerate(acts) if act.first == first), None)
        if place is None:
            if not self._whole:  # it may have been a house rule of before this copy begins
                self.state = replace(self.state, physical=None)
            return
        acts[place].changes = []
        self.state = acts[place].before
        for act in acts[place:]:
            act.before = self.state
            for change in act.changes:
                self.state = _after(self.state, change)


class _Act:
    def __init__(self, first: int, cause: str, before: _State) -> None:
        self.first, self.last, self.cause, self.before = first, first, cause, before
        self.changes: list[Undoable] = []


def _after(state: _State, event: Undoable) -> _State:
    match event:
        case CardDealt():
            return _State((*state.out, event.card), state.physical)
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
    body = expression.parse(event.label).body
    given = GivenFaces(tuple(face for die in event.dice for face in die.faces))
    due = expression.throw(body, given)
    given.finish()
    told = (event.dice, event.rolled_total, event.total, event.results)
    return told == (due.dice, due.total, due.total, (due.total,))


def _by_rules(event: RollMade, system: str) -> bool:
    recount = getattr(room(system, "rules"), "recount", None) if system in SYSTEMS else None
    due = recount(event) if recount else None
    return due is None or due == event.rolled_total


def _unchained(one: Stored | Sealed, head: Head) -> Break | None:
    if isinstance(one, Stored):
        return first_break((one,), head)
    due = head.seq + 1
    if one.seq != due:
        return Break(due, "seq_missing" if one.seq > due else "seq_out_of_order", f"{one.seq} stands there")
    return None if one.prev == head.hash else Break(one.seq, "prev_differs")


def _decoded(one: Stored) -> Envelope:
    try:
        return decode(one)
    except UnreadableEvent as flaw:
        raise _Flawed(one.seq, "unreadable", flaw.reason) from flaw


def _draws(seq: int, die: Die) -> Draws:
    if not 1 <= die.sides <= MOST_SIDES or any(not 1 <= face <= die.sides for face in die.faces):
        raise _Flawed(seq, "impossible_face", f"d{die.sides} {die.faces}")
    return tuple((die.sides, face - 1) for face in die.faces)


def _bytes_of(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None
