"""Adventure moves: what its commands make true.

Here: command + table + dice -> facts, or a refusal. Never: arithmetic of the rules (rules.py), a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from core.decider import Dice, Turn, Who, character_named, own_or_gm, plays, roll_made, who
from core.grammar.text import fold
from core.grammar.verb import Command
from core.refusal import Refusal
from core.systems.adventure import rules
from core.systems.adventure import verbs as v
from core.systems.adventure.state import (
    HP_TRAITS,
    Adventure,
    Clash,
    Growth,
    Held,
    Hp,
    Ritual,
    against_player,
    party,
)
from core.systems.adventure.state import adventure as adventure_of
from core.table.decide import set_traits as set_plain_traits
from core.table.state import Character, Choice
from core.table.verbs import Choose, SetTraits
from events import types as e
from events.types import Die, Modifier, Outcome, RollMade

MOST_RITUALS, MOST_KNOWN = 50, 500  # that are under way, and with those that were completed


def adventure(turn: Turn) -> Adventure:
    """This system's part of the table."""
    return adventure_of(turn.play)


class _Facts:
    """Facts in the making: each one is decided on the table as those before it left it."""

    def __init__(self, turn: Turn) -> None:
        self.start, self.turn, self.events = turn, turn, list[e.Event]()
        self.offers, self.picking = 0, 0  # choices offered so far; the number of the one that is being made

    @property
    def state(self) -> Adventure:
        return adventure(self.turn)

    def add(self, *events: e.Event) -> None:
        self.events += events
        self.turn = self.turn.after(events)

    def offer(self, owner: str, kind: str, about: str, options: Iterable[str]) -> int:
        """A choice for somebody; its number."""
        self.offers += 1
        number = self.start.table.ledger.choice + self.offers
        self.add(e.ChoiceOffered(choice=number, owner=owner, kind=kind, about=about, options=tuple(options)))
        return number

    # ---- conditions

    def mark(self, name: str, condition: str) -> None:
        """Mark a condition; the last free one is the Breaking Point (AD-19)."""
        how = self.state.conditions.get(name, {}).get(condition)
        if how == "locked":
            raise Refusal("already_done", "locked", condition=condition)
        if how:
            raise Refusal("already_done", "marked", condition=condition)
        self.add(e.ConditionMarked(character=name, condition=condition))
        self._break(name)

    def lock(self, name: str, condition: str) -> None:
        """Lock a condition; a locked one counts as taken, so this too can take the last free one (AD-19)."""
        if self.state.conditions.get(name, {}).get(condition) == "locked":
            raise Refusal("already_done", "locked", condition=condition)
        self.add(e.ConditionLocked(character=name, condition=condition))
        self._break(name)

    def _break(self, name: str) -> None:
        """The Breaking Point: none is free, so all that are marked are cleared and an outburst is picked."""
        taken = self.state.conditions.get(name, {})
        if rules.free(taken) or not rules.marked(taken):
            return
        for one in rules.marked(taken):
            self.add(e.ConditionCleared(character=name, condition=one))
        self.lock_one(name, "outburst")

    def mark_one(self, name: str, condition: str = "") -> None:
        """Mark the condition named, the only free one, or the one that its player will pick."""
        free = rules.free(self.state.conditions.get(name, {}))
        if not free:
            raise Refusal("limit_reached", "no_free", name=name)
        if condition or len(free) == 1:
            self.mark(name, condition or free[0])
        else:
            self.offer(_player(self.turn, name), "condition", name, free)

    def mark_if_free(self, name: str) -> None:
        """Mark one where any is free; where all five are locked the GM decides, and the telling says so."""
        if rules.free(self.state.conditions.get(name, {})):
            self.mark_one(name)

    def clear_one(self, name: str, condition: str = "") -> None:
        """Clear the condition named, the only marked one, or the one that its player will pick; none: nothing."""
        marked = rules.marked(self.state.conditions.get(name, {}))
        if condition or len(marked) == 1:
            self.add(e.ConditionCleared(character=name, condition=condition or marked[0]))
        elif marked:
            self.offer(_player(self.turn, name), "clear", name, marked)

    def lock_one(self, name: str, kind: str) -> None:
        """Lock the condition that its player will pick."""
        options = rules.unlocked(self.state.conditions.get(name, {}))
        if options:
            self.offer(_player(self.turn, name), kind, name, options)

    # ---- HP

    def hurt(self, name: str, amount: int) -> None:
        """HP lost: at 0 incapacitated; any lost then is death (AD-15). Nothing hurts the dead."""
        now = _hp(self.turn, name)
        if name in self.state.down | self.state.sealed:
            self.die(name, "wounds")
        elif name not in self.state.dead:
            left = max(0, now.hp - amount)
            self.add(e.HpChanged(character=name, hp=left, max_hp=now.max_hp, incapacitated=left == 0))

    def heal(self, name: str, amount: int, more: int = 0) -> None:
        """HP regained, `more` of them on the maximum too; it ends incapacitated and locks a condition (AD-15).

        It helps nobody whose death is sealed.
        """
        now, was_down, lost = _hp(self.turn, name), name in self.state.down, name in self.state.sealed
        most = now.max_hp + more
        left = now.hp if lost else min(most, now.hp + amount)
        self.add(e.HpChanged(character=name, hp=left, max_hp=most, incapacitated=was_down and lost))
        if was_down and not lost:
            self.lock_one(name, "lock")

    def die(self, name: str, how: str) -> None:
        """Dead, and what was still to be picked for them before this command is over."""
        self.add(e.CharacterDied(character=name, how=how))
        moot = [one for one in self.start.play.choices.values() if one.open and one.about == name]
        self.add(*(e.ChoiceWithdrawn(choice=one.number) for one in moot if one.number != self.picking))

    # ---- XP

    def xp(self, name: str, count: int = 1) -> None:
        """XP, box by box; the last box is a level (AD-01, AD-16). GM characters mark none."""
        character = self.turn.play.characters.get(name)
        track = int(self.start.rule("xp-track"))
        for _ in range(0 if character is None or character.gm else count):
            now = self.state.growth.get(name, Growth())
            self.add(e.XpMarked(character=name, xp=now.xp + 1, level=now.level))
            if now.xp + 1 >= track:
                self._level(name, now)

    def _level(self, name: str, now: Growth) -> None:
        """Level and HP up; without HP on the sheet there are none to gain."""
        hp = self.state.hp.get(name)
        gained = 1 if hp and now.from_levels < rules.MOST_FROM_LEVELS else 0
        most = hp.max_hp + gained if hp else 0
        self.add(e.LevelGained(character=name, level=now.level + 1, max_hp=most, hp_gained=gained))
        if gained:
            self.heal(name, gained, more=gained)


def _player(turn: Turn, name: str) -> str:
    """Who picks for a character: its player, for GM characters the GM."""
    character = turn.play.characters.get(name)
    return turn.play.gm if character is None or character.gm else character.owner


def _hp(turn: Turn, name: str) -> Hp:
    found = adventure(turn).hp.get(name)
    if found is None:
        raise Refusal("not_found", "hp", name=name)
    return found


def _able(turn: Turn, actor: Who, *, decisive: bool = True) -> None:
    """The dead do nothing, and the incapacitated nothing decisive (AD-15), but for the one act bought with death."""
    state = adventure(turn)
    if actor.name in state.dead:
        raise Refusal("not_allowed", "dead", name=actor.name)
    if decisive and actor.name in (state.down | state.dying) - state.last_act:
        raise Refusal("not_allowed", "incapacitated", name=actor.name)


def _acting(turn: Turn, command: Command, *, decisive: bool = True) -> Who:
    """Who makes a move: somebody with a sheet, and able to."""
    actor = who(turn, command)
    if actor.character is None:
        raise Refusal("not_found", "no_character")
    _able(turn, actor, decisive=decisive)
    return actor


def _pick_first(turn: Turn, name: str, kind: str) -> None:
    """A move whose pick is still open is not made again before it is picked."""
    for one in turn.play.choices.values():
        if one.open and one.about == name and one.kind == kind:
            raise Refusal("not_allowed", "pick_first", number=one.number)


def _close(facts: _Facts, name: str) -> None:
    """Whoever kept what death asked for has had the act that it bought (AD-15)."""
    if name in facts.state.last_act:
        facts.die(name, "choice")


# ---- moves


def make_move(command: v.MakeMove, turn: Turn) -> list[e.Event]:
    """2d6 + stat: the roll, what it uses up, what its result brings and offers (AD-01 to AD-13)."""
    actor = _acting(turn, command)
    move, facts = rules.MOVES[command.move], _Facts(turn)
    _check_words(command, move)
    _pick_first(turn, actor.name, "move.clash")
    other = character_named(turn.play, command.against) if command.against else None
    if other and other.name == actor.name:
        raise Refusal("not_allowed", "against_oneself", name=actor.name)
    if move.key == "clash":
        _check_open(facts, command, actor.name, other.name if other else "")
    modifiers = (*_steps(command, move, actor), *command.modifiers)
    dis = command.dis or _exactly_in_power(command, actor)
    dice = turn.dice(command)
    roll = _throw(facts, move, command, actor, modifiers, command.adv, dis, dice, other.name if other else "")
    dice.finish()
    _result(facts, move, roll, command, actor, other)
    _close(facts, actor.name)
    return facts.events


def _check_open(facts: _Facts, command: Command, *names: str) -> None:
    """What changes the HP of one of these shows on the sheet, so it is not made in secret."""
    for name in names:
        if command.secret and name in facts.state.hp:
            raise Refusal("not_allowed", "secret_hp", name=name)


FOR_MOVES: dict[str, tuple[str, ...]] = {
    "yes": ("recall",), "mag": ("cast",), "foe": ("clash",), "dmg": ("clash",), "way": ("clash",),
    "approach": ("influence",), "against": ("read", "clash", "influence"),
}  # fmt: skip
TYPED = {"against": "vs=", "yes": "yes=", "mag": "MAG=", "foe": "foe=", "dmg": "dmg="}


def _check_words(command: v.MakeMove, move: rules.Move) -> None:
    """What this move has no use for is refused and never passed over."""
    for option, moves in FOR_MOVES.items():
        value = getattr(command, option)
        if value not in (None, "", 0) and move.key not in moves:
            raise Refusal("bad_argument", "not_for_move", got=TYPED.get(option, value))
    way = (rules.WAY_STATS[command.way],) if command.way else move.stats
    if command.stat and not move.stats:
        raise Refusal("bad_argument", "not_for_move", got=rules.stat_phrase(command.stat))
    if command.stat and command.stat not in way:
        raise Refusal("bad_argument", "other_stat", trait=command.stat, stats=[rules.stat_phrase(one) for one in way])


def _steps(command: v.MakeMove, move: rules.Move, actor: Who) -> tuple[Modifier, ...]:
    """What the move is rolled with: a stat, or the yes answers of Recall (AD-11)."""
    if command.move == "recall":
        return (Modifier("yes", command.yes or 0),)
    stat = command.stat or (rules.WAY_STATS[command.way] if command.way else "")
    if command.move == "clash" and not stat:
        raise Refusal("bad_argument", "way")
    stat = stat or (move.stats[0] if len(move.stats) == 1 else "")
    if not stat:
        raise Refusal("bad_argument", "stat_missing")
    if command.move == "cast":
        _check_power(command, stat, actor)
    return (Modifier(stat, _stat(stat, actor)),)


def _way(command: Command) -> str:
    """How a move was made, for the record."""
    if not isinstance(command, v.MakeMove):
        return ""
    return command.way or command.approach or (f"MAG {command.mag}" if command.mag is not None else "")


def _stat(stat: str, actor: Who) -> int:
    value = actor.character.traits.get(stat) if actor.character else None
    if not isinstance(value, int):
        raise Refusal("not_found", "stat", name=actor.name, trait=stat)
    return value


def _check_power(command: v.MakeMove, stat: str, actor: Who) -> None:
    """Magic beyond one's power is not rolled (AD-05)."""
    if command.mag is None:
        raise Refusal("bad_argument", "missing", what="MAG")
    if command.mag > _stat(stat, actor):
        raise Refusal("not_allowed", "beyond_power", mag=command.mag, trait=stat, value=_stat(stat, actor))


def _exactly_in_power(command: v.MakeMove, actor: Who) -> bool:
    return command.move == "cast" and command.mag == _stat(command.stat, actor)


def _throw(
    facts: _Facts, move: rules.Move, command: Command, actor: Who, modifiers: tuple[Modifier, ...], adv: bool,
    dis: bool, dice: Dice, against: str = "",
) -> RollMade:  # fmt: skip
    """The dice of a move; held ADV and DIS that fit go into it and are used up (AD-02)."""
    fitting = _fitting(facts.state, actor.name, move)
    both = (adv or any(one.kind == "adv" for one in fitting), dis or any(one.kind == "dis" for one in fitting))
    advantage = rules.advantage(*both)
    faces = tuple(dice.roll(6) for _ in range(3 if advantage else 2))
    total = sum(rules.kept(faces, advantage)) + sum(step.value for step in modifiers)
    roll = roll_made(
        facts.start, command, dice, (Die(6, "move", faces),), kind="move", label=move.key, character=actor.name,
        results=(total,), modifiers=modifiers, outcome=rules.outcome(total), advantage=advantage, against=against,
        way=_way(command),
    )  # fmt: skip
    facts.add(roll, *(_used(actor.name, held) for held in fitting if held.why != "suspicion"))
    return roll


def _fitting(state: Adventure, name: str, move: rules.Move) -> list[Held]:
    """What somebody holds for this move; the gamble with death is rolled bare (AD-15)."""
    held = () if move.key == "death" else state.held.get(name, ())
    return [one for one in held if one.move in ("", move.key)]


def _used(name: str, held: Held) -> e.AdvantageUsed:
    kind: Any = held.kind
    return e.AdvantageUsed(character=name, kind=kind, move=held.move, why=held.why, by=held.by)


def _result(
    facts: _Facts, move: rules.Move, roll: RollMade, command: v.MakeMove, actor: Who, other: Character | None
) -> None:
    """What the result brings by itself, and what it offers."""
    outcome = roll.outcome or "miss"
    if move.key == "clash":
        _open_clash(facts, command, actor, other)
    if move.key == "read":
        _read(facts, outcome, actor, other)
    if roll.secret is None:  # else its XP would tell of it (xp_of_opened_secrets)
        _learn(facts, roll)
    if move.key == "recall" and outcome == "strong_hit":
        _give_opening(facts, actor.name, actor.person, "recall", itself=True)
    if offer := move.offers.get(outcome):
        owner = facts.turn.play.gm if offer.by_gm else actor.person
        facts.offer(owner, f"move.{move.key}", actor.name, offer.options)


def _read(facts: _Facts, outcome: Outcome, actor: Who, other: Character | None) -> None:
    """Questions to ask; on a miss against a player character that one asks instead (AD-09)."""
    if left := rules.questions(outcome):
        _hold_questions(facts, actor.name, other.name if other else "", left)
    elif other and not other.gm:
        _hold_questions(facts, other.name, actor.name, 1)


def _learn(facts: _Facts, roll: RollMade) -> None:
    """The XP of a miss (AD-01)."""
    if rules.marks_xp(roll, against_player(roll, facts.turn.play)):
        facts.xp(roll.character)


def _hold_questions(facts: _Facts, name: str, about: str, more: int) -> None:
    """So many questions about somebody, with those that are still held."""
    held = facts.state.questions.get(name, {}).get(about, 0)
    facts.add(e.QuestionsHeld(character=name, about=about, left=held + more))


def _give_opening(facts: _Facts, name: str, picker: str, why: str, itself: bool = False) -> None:
    """ADV for an ally's next move, or for the first of all to act: the player says whose (AD-11, AD-12)."""
    names = [one.name for one in party(facts.turn.play) if itself or one.name != name]
    if len(names) == 1:
        facts.add(e.AdvantageHeld(character=names[0], kind="adv", move="", why=why, by=name))
    elif names:
        facts.offer(picker, "ally", why, names)


def _open_clash(facts: _Facts, command: v.MakeMove, actor: Who, other: Character | None) -> None:
    """The dice that wait for the pick: both sides' (AD-12)."""
    own = command.dmg or _damage_die(actor.character)
    foe = command.foe or _damage_die(other)
    facts.add(e.ClashOpened(character=actor.name, against=other.name if other else "", dealt=own, taken=foe))


def _damage_die(character: Character | None) -> int:
    value = character.traits.get("damage") if character else None
    return rules.damage_die(str(value)) if value else 0


# ---- picks


def chosen(choice: Choice, command: Choose, turn: Turn) -> list[e.Event]:
    """What picking an option does, in the same append (AD-03)."""
    option, facts = choice.options[command.option - 1], _Facts(turn)
    facts.picking = choice.number
    if command.mark and option != "condition":
        raise Refusal("bad_argument", "no_mark_here")
    if command.given is not None and choice.kind != "move.clash":
        turn.dice(command).finish()  # no dice fall here, so faces are too many
    PICKED.get(choice.kind, _picked_of_move)(choice, option, command, facts)
    return facts.events


def _picked_of_move(choice: Choice, option: str, command: Choose, facts: _Facts) -> None:
    """An option of a move: most are for the story, some mark, hold, heal or kill."""
    name = choice.about
    if option == "condition":
        _mark_with_helpers(facts, name, rules.condition_named(command.mark) if command.mark else "")
    elif option == "suspicion":
        _suspect(facts, name)
    elif option == "ally_opening":
        _give_opening(facts, name, choice.owner, "opening")
    elif option == "followed":
        facts.offer(choice.owner, "followed", name, ("let_follow", "shake_off"))
    elif option == "lose_part":
        facts.heal(name, 1)
    elif option == "die_after":
        facts.add(e.DeathSealed(character=name, when="act"))
    if choice.kind == "move.clash":
        _clash_damage(name, option, command, facts)


def _mark_with_helpers(facts: _Facts, name: str, condition: str) -> None:
    """The roller marks a condition, and so does whoever shares all consequences (AD-04)."""
    facts.mark_one(name, condition)
    for helper in facts.start.play.rules.exposed.get(name, ()):
        facts.mark_if_free(helper)


def _suspect(facts: _Facts, name: str) -> None:
    """DIS on Sneak until the situation changes: held once, and not used up (AD-10)."""
    suspicion = Held("dis", "sneak", "suspicion")
    if suspicion not in facts.state.held.get(name, ()):
        facts.add(e.AdvantageHeld(character=name, kind="dis", move="sneak", why="suspicion"))


def _clash_damage(name: str, option: str, command: Choose, facts: _Facts) -> None:
    """After the pick both sides' damage falls, at its most or least where picked (AD-12)."""
    clash = facts.state.clashes.get(name, Clash("", 0, 0))
    dice = facts.start.dice(command)
    dealt = {"max_dealt": "max", "min_dealt": "min"}.get(option, "rolled")
    taken = {"min_taken": "min", "max_taken": "max"}.get(option, "rolled")
    _deal(facts, name, clash.against, clash.dealt, dealt, dice, command)
    _deal(facts, clash.against, name, clash.taken, taken, dice, command, sharing=True)
    dice.finish()


def _deal(
    facts: _Facts, by: str, at: str, sides: int, how: str, dice: Dice, command: Command, *, sharing: bool = False
) -> None:
    """One side's damage: rolled, or as picked without a roll; whoever has HP loses them.

    `sharing`: whoever is exposed by helping is hurt as much (AD-04).
    """
    if not sides:
        return
    total = {"max": sides, "min": 1}.get(how, 0)
    if how == "rolled":
        dice.begin()
        total = dice.roll(sides)
        facts.add(_damage_roll(facts, by, at, sides, total, dice, command))
    kind: Any = how
    facts.add(e.DamageDealt(character=by, against=at, total=total, how=kind))
    for one in (at, *facts.state.exposed.get(at, ())) if sharing else (at,):
        if one in facts.state.hp:
            facts.hurt(one, total)


def _damage_roll(facts: _Facts, by: str, at: str, sides: int, face: int, dice: Dice, command: Command) -> RollMade:
    made = sum(isinstance(event, RollMade) for event in facts.events)
    return roll_made(
        facts.start, command, dice, (Die(sides, "damage", (face,)),), kind="damage", label=f"d{sides}", character=by,
        results=(face,), nth=made + 1, against=at,
    )  # fmt: skip


def _picked_condition(choice: Choice, option: str, command: Choose, facts: _Facts) -> None:
    if rules.free(facts.state.conditions.get(choice.about, {})):
        facts.mark(choice.about, option)  # else the GM has locked what was left, and there is nothing to mark


def _picked_clear(choice: Choice, option: str, command: Choose, facts: _Facts) -> None:
    """What is no longer marked cannot be picked while another still is."""
    marked = rules.marked(facts.state.conditions.get(choice.about, {}))
    if option in marked:
        facts.clear_one(choice.about, option)
    elif set(marked) & set(choice.options):
        raise Refusal("already_done", "not_marked", condition=option)


def _picked_lock(choice: Choice, option: str, command: Choose, facts: _Facts) -> None:
    if set(choice.options) & set(rules.unlocked(facts.state.conditions.get(choice.about, {}))):
        facts.lock(choice.about, option)  # else the GM has locked them all meanwhile


def _picked_ally(choice: Choice, option: str, command: Choose, facts: _Facts) -> None:
    facts.add(e.AdvantageHeld(character=option, kind="adv", move="", why=choice.about))


def _picked_followed(choice: Choice, option: str, command: Choose, facts: _Facts) -> None:
    if option == "shake_off":
        _everyone_marks(facts)


def _everyone_marks(facts: _Facts) -> None:
    """All player characters mark a condition, those who still can."""
    for one in party(facts.turn.play):
        facts.mark_if_free(one.name)


def _picked_comfort(choice: Choice, option: str, command: Choose, facts: _Facts) -> None:
    """One yes of Comfort, as its comforted player spends it (AD-06)."""
    comforted, comforter = choice.about, facts.state.comforts[choice.number]
    if option == "deepen":
        facts.add(_depth(facts.turn, comforted, comforter, 1))
        return
    name = comforted if option == "clear_own" else comforter
    if not rules.marked(facts.state.conditions.get(name, {})):
        raise Refusal("already_done", "none_marked", name=name)
    facts.clear_one(name)


PICKED: dict[str, Callable[[Choice, str, Choose, _Facts], None]] = {
    "condition": _picked_condition, "clear": _picked_clear, "lock": _picked_lock, "outburst": _picked_lock,
    "ally": _picked_ally, "followed": _picked_followed, "comfort": _picked_comfort,
}  # fmt: skip


# ---- conditions, XP, HP, relationships


def mark(command: v.Mark, turn: Turn) -> list[e.Event]:
    facts, actor = _Facts(turn), own_or_gm(turn, command)
    if not rules.free(facts.state.conditions.get(actor.name, {})):
        raise Refusal("limit_reached", "no_free", name=actor.name)
    facts.mark(actor.name, command.condition)
    return facts.events


def _how(turn: Turn, name: str, condition: str) -> str | None:
    return adventure(turn).conditions.get(name, {}).get(condition)


def clear(command: v.Clear, turn: Turn) -> list[e.Event]:
    """An ordinary clearing: a locked condition stays (AD-19)."""
    actor = own_or_gm(turn, command)
    how = _how(turn, actor.name, command.condition)
    if how == "locked":
        raise Refusal("not_allowed", "locked", condition=command.condition)
    if how is None:
        raise Refusal("already_done", "not_marked", condition=command.condition)
    return [e.ConditionCleared(character=actor.name, condition=command.condition)]


def lock(command: v.Lock, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    facts = _Facts(turn)
    facts.lock(own_or_gm(turn, command).name, command.condition)
    return facts.events


def unlock(command: v.Unlock, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    actor = own_or_gm(turn, command)
    if _how(turn, actor.name, command.condition) != "locked":
        raise Refusal("already_done", "not_locked", condition=command.condition)
    return [e.ConditionUnlocked(character=actor.name, condition=command.condition)]


def mark_xp(command: v.MarkXp, turn: Turn) -> list[e.Event]:
    actor, facts = own_or_gm(turn, command), _Facts(turn)
    if actor.gm:
        raise Refusal("not_allowed", "player_characters")
    facts.xp(actor.name, command.count)
    return facts.events


def take_advance(command: v.TakeAdvance, turn: Turn) -> list[e.Event]:
    actor = own_or_gm(turn, command)
    if not adventure(turn).growth.get(actor.name, Growth()).advances:
        raise Refusal("not_found", "no_advance", name=actor.name)
    return [e.AdvanceTaken(character=actor.name, text=command.text)]


def _depth(turn: Turn, name: str, other: str, change: int) -> e.DepthChanged:
    """A relationship deeper or shallower, or made; never below 0."""
    now = adventure(turn).depth.get(name, {}).get(other, 0)
    if now + change < 0:
        raise Refusal("limit_reached", "depth", other=other, depth=now)
    return e.DepthChanged(character=name, other=other, depth=now + change)


def set_bond(command: v.SetBond, turn: Turn) -> list[e.Event]:
    actor, other = own_or_gm(turn, command), character_named(turn.play, command.name)
    if actor.name == other.name:
        raise Refusal("not_allowed", "bond_oneself")
    return [_depth(turn, actor.name, other.name, command.change)]


def change_hp(command: v.ChangeHp, turn: Turn) -> list[e.Event]:
    """HP lost or regained by hand, within 0 and the maximum."""
    facts, actor = _Facts(turn), own_or_gm(turn, command)
    _able(turn, actor, decisive=False)
    now = _hp(turn, actor.name)
    if command.change < 0:
        facts.hurt(actor.name, -command.change)
    elif actor.name in facts.state.sealed:
        raise Refusal("not_allowed", "death_sealed", name=actor.name)
    elif now.hp + command.change > now.max_hp:
        raise Refusal("limit_reached", "hp", name=actor.name, max_hp=now.max_hp)
    else:
        facts.heal(actor.name, command.change)
    return facts.events


def set_traits(command: SetTraits, turn: Turn) -> list[e.Event]:
    """A sheet changed by hand: HP are counted from what they are in play now."""
    characters = {name: _with_hp(one, adventure(turn)) for name, one in turn.play.characters.items()}
    play = replace(turn.play, characters=characters)
    return set_plain_traits(command, replace(turn, table=replace(turn.table, play=play)))


def _with_hp(character: Character, state: Adventure) -> Character:
    now = state.hp.get(character.name)
    current = {trait: getattr(now, trait) for trait in HP_TRAITS} if now else {}
    return replace(character, traits={**character.traits, **current})


# ---- the other moves


def aid(command: v.Aid, turn: Turn) -> list[e.Event]:
    """ADV for the other's next move, at one of three costs (AD-04)."""
    helper, helped = _acting(turn, command), character_named(turn.play, command.name)
    _two_of_the_party(turn, helper, helped, "aid")
    facts = _Facts(turn)
    facts.add(e.AidGiven(helper=helper.name, helped=helped.name, cost=command.cost))
    if command.cost == "mark":
        facts.mark_one(helper.name, command.condition)
    elif command.cost == "depth":
        facts.add(_depth(turn, helper.name, helped.name, -1))
    why = "exposed" if command.cost == "expose" else "aid"
    facts.add(e.AdvantageHeld(character=helped.name, kind="adv", move="", why=why, by=helper.name))
    return facts.events


def _two_of_the_party(turn: Turn, one: Who, other: Character, deed: str) -> None:
    """Two player characters, both alive, and not the same."""
    if one.name == other.name:
        raise Refusal("not_allowed", "aid_oneself" if deed == "aid" else "comfort_oneself")
    if one.gm or other.gm:
        raise Refusal("not_allowed", "player_characters")
    _able(turn, Who(other.name, other.owner, other), decisive=False)


def comfort(command: v.Comfort, turn: Turn) -> list[e.Event]:
    """Once a session each as the comforter; every yes is a pick of the comforted player (AD-06)."""
    comforter, comforted = own_or_gm(turn, command), character_named(turn.play, command.name)
    _able(turn, comforter, decisive=False)
    _two_of_the_party(turn, comforter, comforted, "comfort")
    if f"comfort:{comforter.name}" in adventure(turn).used:
        raise Refusal("already_done", "comforted", name=comforter.name)
    first = turn.table.ledger.choice + 1
    choices = tuple(range(first, first + len(command.yes)))
    facts = _Facts(turn)
    facts.add(e.ComfortGiven(comforter=comforter.name, comforted=comforted.name, yes=command.yes, choices=choices))
    if command.new:
        _meet(facts, comforter.name, comforted.name)
    for _ in choices:
        facts.offer(_player(turn, comforted.name), "comfort", comforted.name, ("clear_own", "deepen", "clear_other"))
    return facts.events


def _meet(facts: _Facts, one: str, other: str) -> None:
    """A relationship made here, by each of the two who has none yet (AD-06)."""
    depth = facts.state.depth
    missing = [(a, b) for a, b in ((one, other), (other, one)) if b not in depth.get(a, {})]
    if not missing:
        raise Refusal("already_done", "related", name=one, other=other)
    facts.add(*(e.DepthChanged(character=a, other=b, depth=0) for a, b in missing))


def camp(command: v.MakeCamp, turn: Turn) -> list[e.Event]:
    """Once a session: full HP and one condition cleared for each player character (AD-17)."""
    turn.require_player()
    if "camp" in adventure(turn).used:
        raise Refusal("already_done", "camped")
    facts = _Facts(turn)
    facts.add(e.CampMade(by=turn.actor))
    for one in party(turn.play):
        hp = facts.state.hp.get(one.name)
        if hp and hp.hp < hp.max_hp and one.name not in facts.state.sealed:
            facts.heal(one.name, hp.max_hp - hp.hp)
        facts.clear_one(one.name)
    return facts.events


def review_session(command: v.ReviewSession, turn: Turn) -> list[e.Event]:
    """Each yes marks 1 XP for everyone, once a session (AD-14)."""
    turn.require_gm()
    if "review" in adventure(turn).used:
        raise Refusal("already_done", "reviewed")
    facts = _Facts(turn)
    facts.add(e.SessionReviewed(yes=command.yes))
    for one in party(turn.play):
        facts.xp(one.name, command.yes)
    return facts.events


def face_death(command: v.FaceDeath, turn: Turn) -> list[e.Event]:
    """A decisive act while incapacitated: a gamble without modifiers, or a last blaze of glory (AD-15)."""
    actor, facts = _acting(turn, command, decisive=False), _Facts(turn)
    if command.how == "now":
        return _die_now(facts, actor)
    if actor.name in facts.state.sealed:
        raise Refusal("not_allowed", "death_sealed", name=actor.name)
    if actor.name not in facts.state.down:
        raise Refusal("already_done", "not_incapacitated", name=actor.name)
    _pick_first(turn, actor.name, "move.death")
    if command.how == "glory":
        if command.given is not None:
            turn.dice(command).finish()  # no dice fall here, so faces are too many
        facts.die(actor.name, "glory")
    else:
        _gamble(facts, command, actor)
    return facts.events


def _die_now(facts: _Facts, actor: Who) -> list[e.Event]:
    """The moment of a death that was lost to the gamble is its player's to name."""
    if actor.name not in facts.state.sealed:
        raise Refusal("not_allowed", "death_not_sealed", name=actor.name)
    facts.die(actor.name, "gamble" if actor.name in facts.state.dying else "choice")
    return facts.events


def _gamble(facts: _Facts, command: v.FaceDeath, actor: Who) -> None:
    _check_open(facts, command, actor.name)
    move, dice = rules.MOVES["death"], facts.start.dice(command)
    roll = _throw(facts, move, command, actor, (), adv=False, dis=False, dice=dice)
    dice.finish()
    if roll.outcome == "strong_hit":
        facts.heal(actor.name, rules.half(_hp(facts.start, actor.name).max_hp))
    elif roll.outcome == "weak_hit":
        facts.offer(_player(facts.start, actor.name), "move.death", actor.name, move.offers["weak_hit"].options)
    else:
        facts.add(e.DeathSealed(character=actor.name, when="scene"))


def journey(command: v.Journey, turn: Turn) -> list[e.Event]:
    """Destination, leader, pace; the leader rolls (AD-20)."""
    leader = character_named(turn.play, command.leader)
    if not turn.is_gm and not plays(turn, leader):
        raise Refusal("not_yours", "character", name=leader.name)
    actor, facts = Who(leader.name, _player(turn, leader.name), leader), _Facts(turn)
    _able(turn, actor)
    pace: Any = command.pace
    facts.add(e.JourneySet(place=command.place, leader=leader.name, pace=pace))
    if command.pace == "fast":
        _everyone_marks(facts)
    elif command.pace == "normal":
        facts.mark_if_free(leader.name)
    move, dice = rules.MOVES["journey"], turn.dice(command)
    steps = (Modifier("pace", rules.PACES[command.pace]),)
    roll = _throw(facts, move, command, actor, steps, adv=False, dis=False, dice=dice, against=command.place)
    dice.finish()
    if roll.outcome == "miss":
        for one in party(turn.play):
            facts.xp(one.name)
    elif roll.outcome == "weak_hit":
        facts.offer(_player(turn, leader.name), "move.journey", leader.name, move.offers["weak_hit"].options)
    _close(facts, leader.name)
    return facts.events


def ask(command: v.Ask, turn: Turn) -> list[e.Event]:
    """A question of Read Motives is put, and one less is left (AD-09)."""
    actor = who(turn, command)
    held = adventure(turn).questions.get(actor.name, {})
    about = character_named(turn.play, command.about).name if command.about else next(reversed(held), "")
    if about not in held:
        raise Refusal("not_found", "no_questions", name=actor.name)
    return [e.QuestionAsked(character=actor.name, about=about, text=command.text, left=held[about] - 1)]


def hold(command: v.Hold, turn: Turn) -> list[e.Event]:
    """The GM's ADV or DIS for somebody's next fitting move, or all of them gone."""
    turn.require_gm()
    name = character_named(turn.play, command.name).name
    if not command.kind:
        return [e.AdvantagesDropped(character=name)]
    kind: Any = command.kind
    return [e.AdvantageHeld(character=name, kind=kind, move=command.move, why="gm")]


# ---- rituals


def start_ritual(command: v.StartRitual, turn: Turn) -> list[e.Event]:
    turn.require_player()
    actor, known = who(turn, command), adventure(turn).rituals
    if fold(command.title) in map(fold, known):
        raise Refusal("already_done", "title", title=command.title)
    if len(known) >= MOST_KNOWN or sum(not one.complete for one in known.values()) >= MOST_RITUALS:
        raise Refusal("limit_reached", "rituals", limit=MOST_RITUALS)
    return [e.RitualStarted(ritual=command.title, mag=command.mag, by=actor.name)]


def _ritual(title: str, turn: Turn) -> Ritual:
    known = adventure(turn).rituals
    found = next((one for name, one in known.items() if fold(name) == fold(title)), None)
    if found is None:
        raise Refusal("not_found", "ritual", title=title, titles=list(known) or ("—",))
    if found.complete:
        raise Refusal("already_done", "ritual", title=found.title)
    return found


def set_requirement(command: v.SetRequirement, turn: Turn) -> list[e.Event]:
    """The GM sets 1 to MAG requirements (AD-18)."""
    turn.require_gm()
    ritual = _ritual(command.title, turn)
    if len(ritual.needs) >= max(1, ritual.mag):
        raise Refusal("limit_reached", "needs", title=ritual.title, mag=ritual.mag)
    return [e.RequirementSet(ritual=ritual.title, number=len(ritual.needs) + 1, text=command.text)]


def meet_requirement(command: v.MeetRequirement, turn: Turn) -> list[e.Event]:
    """Ticked off by the GM; the last one completes the ritual (AD-18)."""
    turn.require_gm()
    ritual, number = _ritual(command.title, turn), command.number
    if not ritual.needs:
        raise Refusal("not_found", "no_needs", title=ritual.title)
    if number > len(ritual.needs):
        raise Refusal("bad_argument", "need_number", title=ritual.title, got=number, most=len(ritual.needs))
    if number in ritual.met:
        raise Refusal("already_done", "need", number=number)
    met = e.RequirementMet(ritual=ritual.title, number=number)
    done = len(ritual.met) + 1 == len(ritual.needs)
    return [met, *([e.RitualCompleted(ritual=ritual.title)] if done else [])]


def deaths_at_scenes_end(event: e.SceneStarted, turn: Turn) -> list[e.Event]:
    """Whoever lost the gamble is dead before the scene ends (AD-15)."""
    facts = _Facts(turn)
    for name in sorted(facts.state.sealed):
        facts.die(name, "gamble" if name in facts.state.dying else "choice")
    return facts.events


def xp_of_opened_secrets(event: e.SeedRevealed, turn: Turn) -> list[e.Event]:
    """The XP of secret misses, now that everybody may know of them. The dead have no use for theirs."""
    facts = _Facts(turn)
    for roll in facts.state.opened:
        if roll.character not in facts.state.dead:
            _learn(facts, roll)
    return facts.events


FOLLOWS: dict[type[e.Event], Callable[[Any, Turn], list[e.Event]]] = {
    e.SceneStarted: deaths_at_scenes_end,
    e.SeedRevealed: xp_of_opened_secrets,
}

DECIDE: dict[type, Callable[[Any, Turn], list[e.Event]]] = {
    v.MakeMove: make_move, v.Aid: aid, v.Mark: mark, v.Clear: clear, v.Lock: lock, v.Unlock: unlock, v.MarkXp: mark_xp,
    v.TakeAdvance: take_advance, v.SetBond: set_bond, v.ChangeHp: change_hp, v.MakeCamp: camp, v.Comfort: comfort,
    v.FaceDeath: face_death, v.Journey: journey, v.StartRitual: start_ritual, v.SetRequirement: set_requirement,
    v.MeetRequirement: meet_requirement, v.ReviewSession: review_session, v.Ask: ask, v.Hold: hold,
    SetTraits: set_traits,
}  # fmt: skip
