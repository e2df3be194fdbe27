"""Adventure moves: what its commands make true.

Here: command + table + dice -> facts, or a refusal. Never: arithmetic of the rules (rules.py), a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from core.decider import Dice, Turn, Who, character_named, own_or_gm, who
from core.grammar.text import fold
from core.grammar.verb import Command
from core.refusal import Refusal
from core.systems.adventure import rules
from core.systems.adventure import verbs as v
from core.systems.adventure.state import Adventure, Clash, Growth, Held, Hp, Ritual
from core.table.state import Character, Choice, Play
from core.table.verbs import Choose
from events import types as e
from events.types import Die, Modifier, RollMade

MOST_RITUALS = 50


def adventure(turn: Turn) -> Adventure:
    """This system's part of the table."""
    return turn.play.rules or Adventure()


class _Facts:
    """Facts in the making: each one is decided on the table as those before it left it."""

    def __init__(self, turn: Turn) -> None:
        self.start, self.events = turn, list[e.Event]()
        self.offers = 0

    @property
    def turn(self) -> Turn:
        return self.start.after(self.events)

    @property
    def state(self) -> Adventure:
        return adventure(self.turn)

    def add(self, *events: e.Event) -> None:
        self.events += events

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
        taken = self.state.conditions.get(name, {})
        if rules.free(taken):
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
        """HP lost: at 0 incapacitated; any lost then is death (AD-15)."""
        now = _hp(self.turn, name)
        if amount and name in self.state.down:
            self.add(e.CharacterDied(character=name, how="wounds"))
            return
        left = max(0, now.hp - amount)
        self.add(e.HpChanged(character=name, hp=left, max_hp=now.max_hp, incapacitated=left == 0))

    def heal(self, name: str, amount: int, more: int = 0) -> None:
        """HP regained, `more` of them on the maximum too; it ends incapacitated and locks a condition (AD-15)."""
        now, was_down = _hp(self.turn, name), name in self.state.down or name in self.state.dying
        most = now.max_hp + more
        self.add(e.HpChanged(character=name, hp=min(most, now.hp + amount), max_hp=most, incapacitated=False))
        if was_down:
            self.lock_one(name, "lock")

    # ---- XP

    def xp(self, name: str, count: int = 1) -> None:
        """XP, box by box; the last box is a level (AD-01, AD-16)."""
        track = int(self.start.rule("xp-track"))
        for _ in range(count):
            now = self.state.growth.get(name, Growth())
            self.add(e.XpMarked(character=name, xp=now.xp + 1, level=now.level))
            if now.xp + 1 >= track:
                self._level(name, now)

    def _level(self, name: str, now: Growth) -> None:
        gained = 1 if now.from_levels < rules.MOST_FROM_LEVELS else 0
        hp = self.state.hp.get(name)
        most = (hp.max_hp if hp else 0) + gained
        self.add(e.LevelGained(character=name, level=now.level + 1, max_hp=most, hp_gained=gained))
        if hp and gained:
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
    """The dead do nothing, and the incapacitated nothing decisive (AD-15)."""
    state = adventure(turn)
    if actor.name in state.dead:
        raise Refusal("not_allowed", "dead", name=actor.name)
    if decisive and actor.name in state.down | state.dying:
        raise Refusal("not_allowed", "incapacitated", name=actor.name)


def _party(play: Play) -> list[Character]:
    """The player characters on the stage."""
    dead = play.rules.dead if play.rules else frozenset()
    return [one for one in play.characters.values() if not one.gm and not one.retired and one.name not in dead]


# ---- moves


def make_move(command: v.MakeMove, turn: Turn) -> list[e.Event]:
    """2d6 + stat: the roll, what it uses up, what its result brings and offers (AD-01 to AD-13)."""
    actor = who(turn, command)
    _able(turn, actor)
    move = rules.MOVES[command.move]
    facts = _Facts(turn)
    modifiers = (*_steps(command, move, actor), *command.modifiers)
    dis = command.dis or (command.move == "cast" and _exactly_in_power(command, actor))
    dice = turn.dice(command)
    roll = _throw(facts, move, command, actor, modifiers, command.adv, dis, dice)
    dice.finish()
    _result(facts, move, roll, command, actor)
    return facts.events


def _steps(command: v.MakeMove, move: rules.Move, actor: Who) -> tuple[Modifier, ...]:
    """What the move is rolled with: a stat, or the yes answers of Recall (AD-11)."""
    if command.move == "recall":
        return (Modifier("yes", command.yes),)
    if command.move == "influence" and not command.approach:
        raise Refusal("bad_argument", "approach")
    if command.move == "clash" and not command.stat:
        raise Refusal("bad_argument", "way")
    stat = command.stat or (move.stats[0] if len(move.stats) == 1 else "")
    if not stat:
        raise Refusal("bad_argument", "stat_missing")
    if command.move == "cast":
        _check_power(command, stat, actor)
    return (Modifier(stat, _stat(stat, actor)),)


def _stat(stat: str, actor: Who) -> int:
    value = actor.character.traits.get(stat) if actor.character else None
    if not isinstance(value, int):
        raise Refusal("not_found", "stat", name=actor.name, stat=stat)
    return value


def _check_power(command: v.MakeMove, stat: str, actor: Who) -> None:
    """Magic beyond one's power is not rolled (AD-05)."""
    if not command.mag:
        raise Refusal("bad_argument", "missing", what="MAG")
    if command.mag > _stat(stat, actor):
        raise Refusal("not_allowed", "beyond_power", mag=command.mag, stat=stat, value=_stat(stat, actor))


def _exactly_in_power(command: v.MakeMove, actor: Who) -> bool:
    return command.mag == _stat(command.stat, actor)


def _throw(
    facts: _Facts, move: rules.Move, command: Command, actor: Who, modifiers: tuple[Modifier, ...], adv: bool,
    dis: bool, dice: Dice, label: str = "",
) -> RollMade:  # fmt: skip
    """The dice of a move; held ADV and DIS that fit go into it and are used up (AD-02)."""
    fitting = [held for held in facts.state.held.get(actor.name, ()) if held.move in ("", move.key)]
    both = (adv or any(one.kind == "adv" for one in fitting), dis or any(one.kind == "dis" for one in fitting))
    advantage = rules.advantage(*both)
    faces = tuple(dice.roll(6) for _ in range(3 if advantage else 2))
    total = sum(rules.kept(faces, advantage)) + sum(step.value for step in modifiers)
    roll = RollMade(
        roll=facts.start.table.ledger.roll + 1, system="adventure", kind="move", label=move.key, character=actor.name,
        dice=(Die(6, "move", faces),), modifiers=modifiers, modifier=sum(step.value for step in modifiers), target=None,
        results=(total,), total=total, rolled_total=total, outcome=rules.outcome(total), raises=None, reroll_of=None,
        source=dice.kind, secret=command.secret, period=dice.period, first=dice.first, next=dice.next,
        advantage=advantage, against=label,
    )  # fmt: skip
    facts.add(roll, *(_used(actor.name, held) for held in fitting if held.why != "suspicion"))
    return roll


def _used(name: str, held: Held) -> e.AdvantageUsed:
    return e.AdvantageUsed(character=name, kind="adv" if held.kind == "adv" else "dis", move=held.move, why=held.why)


def _result(facts: _Facts, move: rules.Move, roll: RollMade, command: v.MakeMove, actor: Who) -> None:
    """What the result brings by itself, and what it offers."""
    outcome = roll.outcome or "miss"
    if move.key == "clash":
        _open_clash(facts, command, actor)
    if move.key == "read":
        _read(facts, roll, command, actor)
    elif outcome == "miss" and move.xp and actor.character:
        facts.xp(actor.name)
    if move.key == "recall" and outcome == "strong_hit":
        _give_opening(facts, actor, "recall", itself=True)
    if offer := move.offers.get(outcome):
        owner = facts.turn.play.gm if offer.by_gm else actor.person
        facts.offer(owner, f"move.{move.key}", actor.name, offer.options)


def _read(facts: _Facts, roll: RollMade, command: v.MakeMove, actor: Who) -> None:
    """Questions to ask; on a miss against a player character that one asks instead, else XP (AD-09)."""
    other = character_named(facts.turn.play, command.against) if command.against else None
    if left := rules.questions(roll.outcome or "miss"):
        facts.add(e.QuestionsHeld(character=actor.name, about=other.name if other else "", left=left))
    elif other and not other.gm:
        facts.add(e.QuestionsHeld(character=other.name, about=actor.name, left=1))
    elif actor.character:
        facts.xp(actor.name)


def _give_opening(facts: _Facts, actor: Who, why: str, itself: bool = False) -> None:
    """ADV for an ally's next move, or for the first of all to act: the player says whose (AD-11, AD-12)."""
    names = [one.name for one in _party(facts.turn.play) if itself or one.name != actor.name]
    if len(names) == 1:
        facts.add(e.AdvantageHeld(character=names[0], kind="adv", move="", why=why))
    elif names:
        facts.offer(actor.person, "ally", why, names)


def _open_clash(facts: _Facts, command: v.MakeMove, actor: Who) -> None:
    """The dice that wait for the pick: both sides' (AD-12)."""
    other = character_named(facts.turn.play, command.against) if command.against else None
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
    if command.mark and option not in ("condition", "shake_off"):
        raise Refusal("bad_argument", "no_mark_here")
    PICKED.get(choice.kind, _picked_of_move)(choice, option, command, facts)
    return facts.events


def _picked_of_move(choice: Choice, option: str, command: Choose, facts: _Facts) -> None:
    """An option of a move: most are for the story, some mark, hold, heal or kill."""
    name = choice.about
    if option == "condition":
        facts.mark_one(name, rules.condition_named(command.mark) if command.mark else "")
    elif option == "suspicion":
        facts.add(e.AdvantageHeld(character=name, kind="dis", move="sneak", why="suspicion"))
    elif option == "ally_opening":
        _give_opening(facts, Who(name, choice.owner, facts.turn.play.characters.get(name)), "opening")
    elif option == "followed":
        facts.offer(choice.owner, "followed", name, ("let_follow", "shake_off"))
    elif option == "lose_part":
        facts.heal(name, 1)
    elif option == "die_after":
        facts.add(e.CharacterDied(character=name, how="choice"))
    if choice.kind == "move.clash":
        _clash_damage(name, option, command, facts)


def _clash_damage(name: str, option: str, command: Choose, facts: _Facts) -> None:
    """After the pick both sides' damage falls, at its most or least where picked (AD-12)."""
    clash = facts.state.clashes.get(name, Clash("", 0, 0))
    dice = facts.start.dice(command)
    dealt = {"max_dealt": "max", "min_dealt": "min"}.get(option, "rolled")
    taken = {"min_taken": "min", "max_taken": "max"}.get(option, "rolled")
    _deal(facts, name, clash.against, clash.dealt, dealt, dice, command)
    _deal(facts, clash.against, name, clash.taken, taken, dice, command)
    dice.finish()


def _deal(facts: _Facts, by: str, at: str, sides: int, how: str, dice: Dice, command: Command) -> None:
    """One side's damage: rolled, or as picked without a roll; whoever has HP loses them."""
    if not sides:
        return
    total = {"max": sides, "min": 1}.get(how, 0)
    if how == "rolled":
        dice.begin()
        total = dice.roll(sides)
        facts.add(_damage_roll(facts, by, at, sides, total, dice, command))
    kind: Any = how
    facts.add(e.DamageDealt(character=by, against=at, total=total, how=kind))
    if at in facts.state.hp:
        facts.hurt(at, total)


def _damage_roll(facts: _Facts, by: str, at: str, sides: int, face: int, dice: Dice, command: Command) -> RollMade:
    made = sum(isinstance(event, RollMade) for event in facts.events)
    return RollMade(
        roll=facts.start.table.ledger.roll + made + 1, system="adventure", kind="damage", label=f"d{sides}",
        character=by, dice=(Die(sides, "damage", (face,)),), modifiers=(), modifier=0, target=None, results=(face,),
        total=face, rolled_total=face, outcome=None, raises=None, reroll_of=None, source=dice.kind,
        secret=command.secret, period=dice.period, first=dice.first, next=dice.next, against=at,
    )  # fmt: skip


def _picked_condition(choice: Choice, option: str, command: Choose, facts: _Facts) -> None:
    facts.mark(choice.about, option)


def _picked_clear(choice: Choice, option: str, command: Choose, facts: _Facts) -> None:
    if facts.state.conditions.get(choice.about, {}).get(option) == "marked":
        facts.clear_one(choice.about, option)


def _picked_lock(choice: Choice, option: str, command: Choose, facts: _Facts) -> None:
    facts.add(e.ConditionLocked(character=choice.about, condition=option))


def _picked_ally(choice: Choice, option: str, command: Choose, facts: _Facts) -> None:
    facts.add(e.AdvantageHeld(character=option, kind="adv", move="", why=choice.about))


def _picked_followed(choice: Choice, option: str, command: Choose, facts: _Facts) -> None:
    if option == "shake_off":
        _everyone_marks(facts)


def _everyone_marks(facts: _Facts) -> None:
    """All player characters mark a condition, those who still can."""
    for one in _party(facts.turn.play):
        if rules.free(facts.state.conditions.get(one.name, {})):
            facts.mark_one(one.name)


def _picked_comfort(choice: Choice, option: str, command: Choose, facts: _Facts) -> None:
    """One yes of Comfort, as its comforted player spends it (AD-06)."""
    comforted, comforter = choice.about, facts.state.comforts[choice.number]
    if option == "clear_own":
        facts.clear_one(comforted)
    elif option == "clear_other":
        facts.clear_one(comforter)
    else:
        facts.add(_depth(facts.turn, comforted, comforter, 1))


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
    actor = own_or_gm(turn, command)
    if _how(turn, actor.name, command.condition) == "locked":
        raise Refusal("already_done", "locked", condition=command.condition)
    return [e.ConditionLocked(character=actor.name, condition=command.condition)]


def unlock(command: v.Unlock, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    actor = own_or_gm(turn, command)
    if _how(turn, actor.name, command.condition) != "locked":
        raise Refusal("already_done", "not_locked", condition=command.condition)
    return [e.ConditionUnlocked(character=actor.name, condition=command.condition)]


def mark_xp(command: v.MarkXp, turn: Turn) -> list[e.Event]:
    facts = _Facts(turn)
    facts.xp(own_or_gm(turn, command).name, command.count)
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
    return [_depth(turn, actor.name, other.name, command.change)]


def change_hp(command: v.ChangeHp, turn: Turn) -> list[e.Event]:
    """HP lost or regained by hand, within 0 and the maximum."""
    facts, actor = _Facts(turn), own_or_gm(turn, command)
    _able(turn, actor, decisive=False)
    now = _hp(turn, actor.name)
    if command.change < 0:
        facts.hurt(actor.name, -command.change)
    elif now.hp + command.change > now.max_hp:
        raise Refusal("limit_reached", "hp", name=actor.name, max_hp=now.max_hp)
    else:
        facts.heal(actor.name, command.change)
    return facts.events


# ---- the other moves


def aid(command: v.Aid, turn: Turn) -> list[e.Event]:
    """ADV for the other's next move, at one of three costs (AD-04)."""
    helper, helped = who(turn, command), character_named(turn.play, command.name)
    _able(turn, helper)
    if helper.name == helped.name:
        raise Refusal("not_allowed", "aid_oneself")
    if helper.character is None or helper.gm or helped.gm:
        raise Refusal("not_allowed", "player_characters")
    facts = _Facts(turn)
    facts.add(e.AidGiven(helper=helper.name, helped=helped.name, cost=command.cost))
    if command.cost == "mark":
        facts.mark_one(helper.name, command.condition)
    elif command.cost == "depth":
        facts.add(_depth(turn, helper.name, helped.name, -1))
    facts.add(e.AdvantageHeld(character=helped.name, kind="adv", move="", why="aid"))
    return facts.events


def comfort(command: v.Comfort, turn: Turn) -> list[e.Event]:
    """Once a session each as the comforter; every yes is a pick of the comforted player (AD-06)."""
    comforter, comforted = who(turn, command), character_named(turn.play, command.name)
    _able(turn, comforter, decisive=False)
    if comforter.name == comforted.name:
        raise Refusal("not_allowed", "comfort_oneself")
    if comforter.character is None or comforter.gm or comforted.gm:
        raise Refusal("not_allowed", "player_characters")
    if f"comfort:{comforter.name}" in adventure(turn).used:
        raise Refusal("already_done", "comforted", name=comforter.name)
    first = turn.table.ledger.choice + 1
    choices = tuple(range(first, first + len(command.yes)))
    facts = _Facts(turn)
    facts.add(e.ComfortGiven(comforter=comforter.name, comforted=comforted.name, yes=command.yes, choices=choices))
    for _ in choices:
        facts.offer(_player(turn, comforted.name), "comfort", comforted.name, ("clear_own", "deepen", "clear_other"))
    return facts.events


def camp(command: v.MakeCamp, turn: Turn) -> list[e.Event]:
    """Once a session: full HP and one condition cleared for each player character (AD-17)."""
    turn.require_player()
    if "camp" in adventure(turn).used:
        raise Refusal("already_done", "camped")
    facts = _Facts(turn)
    facts.add(e.CampMade(by=turn.actor))
    for one in _party(turn.play):
        hp = facts.state.hp.get(one.name)
        if hp and hp.hp < hp.max_hp:
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
    for one in _party(turn.play):
        facts.xp(one.name, command.yes)
    return facts.events


def face_death(command: v.FaceDeath, turn: Turn) -> list[e.Event]:
    """A decisive act while incapacitated: a gamble without modifiers, or a last blaze of glory (AD-15)."""
    actor, facts = who(turn, command), _Facts(turn)
    _able(turn, actor, decisive=False)
    if actor.name not in facts.state.down:
        raise Refusal("already_done", "not_incapacitated", name=actor.name)
    if command.how == "glory":
        facts.add(e.CharacterDied(character=actor.name, how="glory"))
        return facts.events
    move, dice = rules.MOVES["death"], turn.dice(command)
    roll = _throw(facts, move, command, actor, (), adv=False, dis=False, dice=dice)
    dice.finish()
    if roll.outcome == "strong_hit":
        facts.heal(actor.name, rules.half(_hp(turn, actor.name).max_hp))
    elif roll.outcome == "weak_hit":
        facts.offer(actor.person, "move.death", actor.name, move.offers["weak_hit"].options)
    return facts.events


def journey(command: v.Journey, turn: Turn) -> list[e.Event]:
    """Destination, leader, pace; the leader rolls (AD-20)."""
    leader = character_named(turn.play, command.leader)
    if not turn.is_gm and leader.owner != turn.actor:
        raise Refusal("not_yours", "character", name=leader.name)
    actor, facts = Who(leader.name, leader.owner, leader), _Facts(turn)
    _able(turn, actor)
    pace: Any = command.pace
    facts.add(e.JourneySet(place=command.place, leader=leader.name, pace=pace))
    if command.pace == "fast":
        _everyone_marks(facts)
    elif command.pace == "normal":
        facts.mark_one(leader.name)
    move, dice = rules.MOVES["journey"], turn.dice(command)
    steps = (Modifier("pace", rules.PACES[command.pace]),)
    roll = _throw(facts, move, command, actor, steps, adv=False, dis=False, dice=dice, label=command.place)
    dice.finish()
    if roll.outcome == "miss":
        for one in _party(turn.play):
            facts.xp(one.name)
    elif roll.outcome == "weak_hit":
        facts.offer(leader.owner, "move.journey", leader.name, move.offers["weak_hit"].options)
    return facts.events


def ask(command: v.Ask, turn: Turn) -> list[e.Event]:
    """A question of Read Motives less (AD-09)."""
    actor = who(turn, command)
    now = adventure(turn).questions.get(actor.name)
    if now is None or not now.left:
        raise Refusal("not_found", "no_questions", name=actor.name)
    return [e.QuestionsHeld(character=actor.name, about=now.about, left=now.left - 1)]


def hold(command: v.Hold, turn: Turn) -> list[e.Event]:
    """The GM's ADV or DIS for somebody's next fitting move, or all of them gone."""
    turn.require_gm()
    name = character_named(turn.play, command.name).name
    if not command.kind:
        return [e.AdvantagesDropped(character=name)]
    return [
        e.AdvantageHeld(character=name, kind="adv" if command.kind == "adv" else "dis", move=command.move, why="gm")
    ]


# ---- rituals


def start_ritual(command: v.StartRitual, turn: Turn) -> list[e.Event]:
    actor, known = who(turn, command), adventure(turn).rituals
    if fold(command.title) in map(fold, known):
        raise Refusal("already_done", "title", title=command.title)
    if len(known) >= MOST_RITUALS:
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
    if len(ritual.needs) >= ritual.mag:
        raise Refusal("limit_reached", "needs", title=ritual.title, mag=ritual.mag)
    return [e.RequirementSet(ritual=ritual.title, number=len(ritual.needs) + 1, text=command.text)]


def meet_requirement(command: v.MeetRequirement, turn: Turn) -> list[e.Event]:
    """Ticked off by the GM; the last one completes the ritual (AD-18)."""
    turn.require_gm()
    ritual, number = _ritual(command.title, turn), command.number
    if number > len(ritual.needs):
        raise Refusal("bad_argument", "need_number", title=ritual.title, got=number, most=len(ritual.needs))
    if number in ritual.met:
        raise Refusal("already_done", "need", number=number)
    met = e.RequirementMet(ritual=ritual.title, number=number)
    done = len(ritual.met) + 1 == len(ritual.needs)
    return [met, *([e.RitualCompleted(ritual=ritual.title)] if done else [])]


def deaths_at_scenes_end(event: e.SceneStarted, turn: Turn) -> list[e.Event]:
    """Whoever lost the gamble is dead before the scene ends (AD-15)."""
    return [e.CharacterDied(character=name, how="gamble") for name in sorted(adventure(turn).dying)]


FOLLOWS: dict[type[e.Event], Callable[[Any, Turn], list[e.Event]]] = {e.SceneStarted: deaths_at_scenes_end}

DECIDE: dict[type, Callable[[Any, Turn], list[e.Event]]] = {
    v.MakeMove: make_move, v.Aid: aid, v.Mark: mark, v.Clear: clear, v.Lock: lock, v.Unlock: unlock, v.MarkXp: mark_xp,
    v.TakeAdvance: take_advance, v.SetBond: set_bond, v.ChangeHp: change_hp, v.MakeCamp: camp, v.Comfort: comfort,
    v.FaceDeath: face_death, v.Journey: journey, v.StartRitual: start_ritual, v.SetRequirement: set_requirement,
    v.MeetRequirement: meet_requirement, v.ReviewSession: review_session, v.Ask: ask, v.Hold: hold,
}  # fmt: skip
