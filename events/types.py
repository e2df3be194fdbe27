"""Every event, past tense: the vocabulary of the record.

An event says what happened, never how to work it out: a replay rolls no die. The name of a class is its
stored name, `version` its stored version; a change of fields is a new version and a step in `upcasts.py`.
People are opaque ids here and characters are names; `who` is either, where somebody without a character
acts. Times are in the envelope. No fact can hold what holds it, so Python's garbage collector is spared a look
through the thousands that a program has in memory (`gc=False`). Sections: table, talk, sessions, characters, rolls,
choices, Savage Worlds.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

Value: TypeAlias = str | int
Outcome: TypeAlias = Literal[
    "critical_failure", "failure", "success", "exceptional", "dramatic_failure", "strong_hit", "weak_hit", "miss"
]


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """One fact. `comment` is what the person wrote behind `#`; it is left out of the record when empty."""

    version: ClassVar[int] = 1
    comment: str | UnsetType = UNSET


# ---- the table


class TableOpened(Event, frozen=True):
    """A table began; its opener is the GM. `commitment` is the SHA-256 (hex) of the first period's seed."""

    system: str
    title: str
    gm: str
    language: str
    period: int
    commitment: str


class PlayerJoined(Event, frozen=True):
    player: str


class GmNamed(Event, frozen=True):
    gm: str
    was: str


class ChatLinked(Event, frozen=True):
    """One more chat is the table's: on which platform. Which chat it is lies beside the log."""

    platform: str


class ChatUnlinked(Event, frozen=True):
    platform: str


class AccountLinked(Event, frozen=True):
    """`was` and `person` are one: all that was `was`'s at this table is `person`'s."""

    person: str
    was: str


class LanguageSet(Event, frozen=True):
    language: str


class HouseRuleSet(Event, frozen=True):
    key: str
    value: str


class PersonForgotten(Event, frozen=True):
    """`person` asked to be forgotten: name, accounts and the text of `lines` lines of talk here are gone."""

    person: str
    lines: int


class Undone(Event, frozen=True):
    """The act whose first event has the seq `event` was taken back; both stay in the record."""

    event: int
    reason: str


# ---- the table's talk


class LogOpened(Event, frozen=True):
    """From here on the talk of the table's chats is kept, as log `number`."""

    number: int
    name: str


class LogPaused(Event, frozen=True):
    number: int


class LogResumed(Event, frozen=True):
    number: int


class LogEnded(Event, frozen=True):
    number: int


class LineSpoken(Event, frozen=True):
    """The actor said something, as `character` (empty: as nobody's), in character or out of it (`ooc`).

    `digest` is the SHA-256 (hex) of salt and text, both of which lie beside the log, where they can be forgotten.
    `text` and `salt` are laid over where people read (events/talk.py) and are no part of what is stored and hashed.
    An empty digest: the text is in the event itself, as all were in version 1. `source` is foreign where another
    program's log says so, which nobody here can prove; `said_at` is when, and `roll` marks what it says of dice.
    """

    version = 2
    character: str = ""
    ooc: bool = False
    digest: str = ""
    source: Literal["foreign"] | UnsetType = UNSET
    said_at: str | UnsetType = UNSET
    roll: bool | UnsetType = UNSET
    text: str | UnsetType = UNSET
    salt: str | UnsetType = UNSET


class LineEdited(Event, frozen=True):
    """What was said in the event `line` reads so from here on; for the other fields see LineSpoken."""

    line: int
    ooc: bool
    digest: str
    text: str | UnsetType = UNSET
    salt: str | UnsetType = UNSET


class LineDeleted(Event, frozen=True):
    """The message of the event `line` was deleted in its chat."""

    line: int


# ---- sessions, seed periods, scenes


class SessionStarted(Event, frozen=True):
    """A session and with it seed period `period` began. Its seed's SHA-256 (hex) is `commitment`."""

    number: int
    title: str
    commitment: str
    period: int


class SessionEnded(Event, frozen=True):
    number: int


class SeedRevealed(Event, frozen=True):
    """Period `period` is closed; `seed` is 64 hex digits. From here on its secret rolls are open too."""

    period: int
    seed: str


class PeriodOpened(Event, frozen=True):
    """A seed period began that no session start opened. `reason`: ended, revealed, seed_missing or restored (from
    a backup, whose dice may have fallen already)."""

    period: int
    commitment: str
    reason: str


class LuckAdded(Event, frozen=True):
    period: int
    text: str


class SceneStarted(Event, frozen=True):
    number: int
    title: str


# ---- characters


class CharacterAdded(Event, frozen=True):
    """`kind` is wild or extra. `owner` is a person; `gm` marks a GM character, `ally` one that is not hostile."""

    character: str
    kind: Literal["wild", "extra"]
    owner: str
    gm: bool
    ally: bool


class CharacterActivated(Event, frozen=True):
    """`character` is the one `player` acts for from now on; empty: nobody."""

    player: str
    character: str


class CharacterRetired(Event, frozen=True):
    character: str


class TraitSet(Event, frozen=True):
    """`was` is the value before, or null where there was none."""

    character: str
    trait: str
    value: Value
    was: Value | None


# ---- rolls


class Die(Struct, frozen=True, gc=False):
    """One die, or a pool of like dice. `faces` are natural, in the order in which they were thrown."""

    sides: int
    role: Literal["trait", "wild", "damage", "pool", "again", "chance", "move", "check", "plain"]
    faces: tuple[int, ...]


class Modifier(Struct, frozen=True, gc=False):
    """A named step on a result; `name` is as the player wrote it, or one of our keys (wounds, joker, …)."""

    name: str
    value: int


class Extra(Struct, frozen=True, gc=False):
    """Extra successes and where they come from (IT-04): a trait or a weapon, or one of our keys (extra, split, gain).

    `of` is the attribute's value of which they were worked out, null where they are given as they stand.
    """

    name: str
    value: int
    of: int | None = None


class RollMade(Event, frozen=True):
    """Dice fell. `results` are totals after modifiers, best first; `total` the best of them.

    On a reroll `total`, `outcome`, `raises` and `results` are those that stand, `rolled_total` is what this
    throw gave and `reroll_of` the first roll's number. `first` is the first die number k of the throw in
    `period`, null for physical dice. `secret` is null, or who may see: both, gm or me.
    For pools `successes` is the rolled count, `lost` what was taken from it, `extra` what was added, which
    `extras` explain; a face of `again` or more went again. `advantage` is that of a move.
    `next` is the die number k that the next throw begins with. `by` is what allowed a reroll: benny or an Edge.
    `crit`: an Extra's natural 1 matters here (SW-12). `working` is how a plain expression came to its total,
    `against` the character or the title that it was rolled against. `way` is how a move was made: melee, ranged,
    finesse, deceive, persuade, threaten, or a spell's magnitude (`MAG 2`).
    """

    roll: int
    system: str
    kind: str
    label: str
    character: str
    dice: tuple[Die, ...]
    modifiers: tuple[Modifier, ...]
    modifier: int
    target: int | None
    results: tuple[int, ...]
    total: int
    rolled_total: int
    outcome: Outcome | None
    raises: int | None
    reroll_of: int | None
    source: Literal["fair", "physical"]
    secret: Literal["both", "gm", "me"] | None
    period: int | None
    first: int | None
    next: int | None
    successes: int | None = None
    extra: int | None = None
    extras: tuple[Extra, ...] = ()
    lost: int = 0
    again: int | None = None
    advantage: Literal["adv", "dis"] | None = None
    reflexive: bool = False
    rote: bool = False
    by: str | None = None
    crit: bool = False
    working: str = ""
    against: str = ""
    way: str = ""


class OppositionResolved(Event, frozen=True):
    """An opposed roll was settled. `active` and `defending` are roll numbers, `loser` the other side."""

    winner: str
    loser: str
    outcome: Outcome
    raises: int
    active: int
    defending: int


# ---- choices


class ChoiceOffered(Event, frozen=True):
    """`owner` (a person) may pick one of `options`, counted from 1. `kind` says what the pick does, `about` to whom."""

    choice: int
    owner: str
    kind: str
    about: str
    options: tuple[str, ...]


class ChoiceMade(Event, frozen=True):
    choice: int
    option: int


class ChoiceWithdrawn(Event, frozen=True):
    """The moment for this choice is over."""

    choice: int


# ---- Savage Worlds


class BennyAwarded(Event, frozen=True):
    """`to` is a character, a person without one, or `pool` (the GM's). `reason` as written, or one of our keys."""

    to: str
    count: int
    reason: str


class BennySpent(Event, frozen=True):
    """`from` is own or pool; `left` is what remains there."""

    character: str
    purpose: str
    source: Literal["own", "pool"] = field(name="from")
    left: int


class BenniesDiscarded(Event, frozen=True):
    """The session is over and what was left is gone (SW-17)."""

    count: int


class WoundsChanged(Event, frozen=True):
    """`wounds` is the count now, `change` the step; `incapacitated` is the state now (SW-02).

    `cause`: damage, reroll, soak, marked or healed; `roll` is the first roll behind it, if any.
    """

    character: str
    wounds: int
    change: int
    incapacitated: bool
    cause: str
    roll: int | None = None


class ShakenChanged(Event, frozen=True):
    character: str
    shaken: bool


class CombatantJoined(Event, frozen=True):
    """In the initiative from the next deal on. `edges`: quick, level-headed, hesitant."""

    character: str
    edges: tuple[str, ...]


class CombatantLeft(Event, frozen=True):
    character: str


class RoundStarted(Event, frozen=True):
    number: int


class CardDealt(Event, frozen=True):
    """A card left the deck: `2C` … `AS`, `black_joker`, `red_joker`.

    `reason`: deal, quick, level-headed, hesitant or benny. `period`, `first` and `next` say which die numbers drew it.
    """

    version: ClassVar[int] = 2
    character: str
    card: str
    reason: str
    period: int | None
    first: int | None
    next: int | None


class CardKept(Event, frozen=True):
    """Of several cards this one counts."""

    character: str
    card: str


class TurnStarted(Event, frozen=True):
    character: str


class DeckShuffled(Event, frozen=True):
    """All cards not listed in `held` are in the deck again. `reason`: joker or empty."""

    reason: str
    held: tuple[str, ...]


class InitiativeEnded(Event, frozen=True):
    rounds: int


# ---- Storytelling


class ExtendedStarted(Event, frozen=True):
    """An extended action (ST-05). `limit`: the most rolls, null for none; `pool`: rolled unless said otherwise.

    `by_traits`: the limit is attribute + skill of whoever rolls first (ST-08). `secret`: its target is the ST's alone.
    """

    action: str
    target: int
    every_s: int
    limit: int | None
    by_traits: bool
    pool: str
    secret: bool
    by: str


class ExtendedProgress(Event, frozen=True):
    """After a roll, or its end by the ST. `exceptional` says by which of the two rules (ST-07)."""

    action: str
    successes: int
    total: int
    target: int
    rolls: int
    elapsed_s: int
    attempt: int
    status: Literal["running", "complete", "failed", "reset", "ended"]
    exceptional: Literal["roll", "total"] | None
    limit: int | None


class ExtendedRetried(Event, frozen=True):
    """A new attempt; every roll of it has `penalty` (ST-09)."""

    action: str
    attempt: int
    penalty: int
    limit: int | None


class ExtendedModified(Event, frozen=True):
    """The ST has put a step on the action's next roll (ST-17)."""

    action: str
    name: str
    value: int


class ContestOpened(Event, frozen=True):
    """`sides` are those asked for by name, `size` how many there are; with a `target` it is extended (ST-16)."""

    contest: str
    size: int
    sides: tuple[str, ...]
    target: int | None
    every_s: int | None


class ContestStageEnded(Event, frozen=True):
    """All sides have rolled once more; `leader` is null where nobody is ahead alone.

    `fallen` failed dramatically in it and are out of the contest (ST-14).
    """

    contest: str
    stage: int
    totals: dict[str, int]
    leader: str | None
    fallen: tuple[str, ...] = ()


class ContestResolved(Event, frozen=True):
    """`status`: resolved, draw or void; no `winner` unless it is resolved."""

    contest: str
    winner: str | None
    totals: dict[str, int]
    outcome: Outcome | None
    status: Literal["resolved", "draw", "void"]


class ContestReopened(Event, frozen=True):
    """A tie is rolled again."""

    contest: str


class OppositionStored(Event, frozen=True):
    """Successes kept under a name for later challengers (ST-15)."""

    title: str
    successes: int
    by: str
    roll: int


class OppositionRemoved(Event, frozen=True):
    """What was stored under this title is there no longer."""

    title: str


# ---- 无限恐怖


class DefenceDeclared(Event, frozen=True):
    """Defence extras put up before attacks, one number for each (IT-12). `declared` is their sum."""

    character: str
    declared: int
    left: int
    attacks: tuple[int, ...]


class DefenceRestored(Event, frozen=True):
    """The character acts again and has its defence extras back (IT-12)."""

    character: str
    left: int


class AttackResolved(Event, frozen=True):
    """One attack. `rolled` successes less `cancelled`, plus `extra` where any are left, is `total` (IT-13).

    It is attack number `nth` of its action. `declared` is the defence put up against it that counts, `void` what
    base defence at 0 has made worthless (IT-14; `speed` is the attack's High Speed), `lost` what abilities took.
    `late`: the defence came after the roll, and this stands in place of the attack before.
    """

    attacker: str
    target: str
    rolled: int
    cancelled: int
    extra: int
    total: int
    hit: bool
    weapon: str
    roll: int
    late: bool
    nth: int
    declared: int
    void: int
    lost: int
    speed: int


# ---- adventure moves


class ConditionMarked(Event, frozen=True):
    character: str
    condition: str


class ConditionCleared(Event, frozen=True):
    character: str
    condition: str


class ConditionLocked(Event, frozen=True):
    character: str
    condition: str


class ConditionUnlocked(Event, frozen=True):
    character: str
    condition: str


class XpMarked(Event, frozen=True):
    """`xp` boxes are marked now, on the way to the level after `level`."""

    character: str
    xp: int
    level: int


class LevelGained(Event, frozen=True):
    """The track is cleared; `hp_gained` is 0 once levels have given all they give (AD-16)."""

    character: str
    level: int
    max_hp: int
    hp_gained: int


class AdvanceTaken(Event, frozen=True):
    character: str
    text: str


class DepthChanged(Event, frozen=True):
    """The relationship of `character` with another has this depth now."""

    character: str
    other: str = field(name="with")
    depth: int


class HpChanged(Event, frozen=True):
    """HP now; `incapacitated` is the state now (AD-15)."""

    character: str
    hp: int
    max_hp: int
    incapacitated: bool


class DamageDealt(Event, frozen=True):
    """`how`: rolled, max or min. `against` is empty for an enemy without a character."""

    character: str
    against: str
    total: int
    how: Literal["rolled", "max", "min"]


class CharacterDied(Event, frozen=True):
    """`how`: wounds, gamble, choice, glory."""

    character: str
    how: str


class DeathSealed(Event, frozen=True):
    """A character will die and nothing heals it: `when` is act (after its next) or scene (before it ends) (AD-15)."""

    character: str
    when: Literal["act", "scene"]


class AdvantageHeld(Event, frozen=True):
    """ADV or DIS in hand for the next fitting roll; `move` is empty where any fits.

    `why`: aid, exposed (aid whose giver shares all consequences), opening, recall, suspicion or gm; `by` gave it.
    """

    character: str
    kind: Literal["adv", "dis"]
    move: str
    why: str
    by: str = ""


class AdvantageUsed(Event, frozen=True):
    """What was held went into a roll; the fields are those of AdvantageHeld."""

    character: str
    kind: Literal["adv", "dis"]
    move: str
    why: str
    by: str = ""


class AdvantagesDropped(Event, frozen=True):
    character: str


class QuestionsHeld(Event, frozen=True):
    """`left` questions may still be asked about somebody (AD-09)."""

    character: str
    about: str
    left: int


class QuestionAsked(Event, frozen=True):
    """One of the questions about somebody, as it was put; `left` more may be asked (AD-09)."""

    character: str
    about: str
    text: str
    left: int


class ClashOpened(Event, frozen=True):
    """The dice that fall once the pick is made, in sides; 0 where there is none (AD-12)."""

    character: str
    against: str
    dealt: int
    taken: int


class AidGiven(Event, frozen=True):
    """`cost`: expose, mark or depth (AD-04)."""

    helper: str
    helped: str
    cost: str


class ComfortGiven(Event, frozen=True):
    """`yes` are the questions answered yes, `choices` the picks they gave (AD-06)."""

    comforter: str
    comforted: str
    yes: tuple[int, ...]
    choices: tuple[int, ...]


class CampMade(Event, frozen=True):
    by: str


class SessionReviewed(Event, frozen=True):
    """The questions at a session's end: each yes is 1 XP for everyone (AD-14)."""

    yes: int


class JourneySet(Event, frozen=True):
    place: str
    leader: str
    pace: Literal["fast", "normal", "careful"]


class RitualStarted(Event, frozen=True):
    ritual: str
    mag: int
    by: str


class RequirementSet(Event, frozen=True):
    ritual: str
    number: int
    text: str


class RequirementMet(Event, frozen=True):
    ritual: str
    number: int


class RitualCompleted(Event, frozen=True):
    ritual: str


EVENT_TYPES: dict[str, type[Event]] = {kind.__name__: kind for kind in Event.__subclasses__()}
