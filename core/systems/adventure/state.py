"""Adventure moves: what its facts leave behind at a table.

Here: conditions, XP, HP, relationships, held ADV and DIS, questions, rituals, limits, and the plain consequence of
each fact. Never: a decision, a rule, dice, a refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from core.table.state import Character, Footprint, Play
from events import types as e


class Hp(Struct, frozen=True, gc=False):
    hp: int
    max_hp: int


class Growth(Struct, frozen=True, gc=False):
    """`from_levels`: HP gained by levels; `advances`: still to be picked."""

    xp: int = 0
    level: int = 1
    from_levels: int = 0
    advances: int = 0


class Held(Struct, frozen=True, gc=False):
    """ADV or DIS in hand; `move` empty: the next move whatever it is."""

    kind: str
    move: str
    why: str
    by: str = ""


class Ritual(Struct, frozen=True, gc=False):
    title: str
    mag: int
    by: str
    needs: tuple[str, ...] = ()
    met: frozenset[int] = frozenset()
    complete: bool = False


class Clash(Struct, frozen=True, gc=False):
    """A clash whose pick is open: the dice that fall after it, in sides; 0 where there is none."""

    against: str
    dealt: int
    taken: int


class Adventure(Struct, frozen=True, gc=False):
    """`conditions`: by character, each `marked` or `locked`. `depth[a][b]`: a's relationship with b.

    `questions[a][b]`: how many a may still ask about b. `exposed[a]`: who shares all consequences of a's last roll.
    `down` are incapacitated, `last_act` will die after their next act, `dying` before the scene ends.
    `secret` are the moves that nobody may know yet, `opened` those that the last seed revealed has opened.
    """

    conditions: dict[str, dict[str, str]] = {}
    hp: dict[str, Hp] = {}
    growth: dict[str, Growth] = {}
    held: dict[str, tuple[Held, ...]] = {}
    depth: dict[str, dict[str, int]] = {}
    questions: dict[str, dict[str, int]] = {}
    exposed: dict[str, tuple[str, ...]] = {}
    rituals: dict[str, Ritual] = {}
    clashes: dict[str, Clash] = {}
    comforts: dict[int, str] = {}
    down: frozenset[str] = frozenset()
    last_act: frozenset[str] = frozenset()
    dying: frozenset[str] = frozenset()
    dead: frozenset[str] = frozenset()
    used: frozenset[str] = frozenset()
    secret: tuple[e.RollMade, ...] = ()
    opened: tuple[e.RollMade, ...] = ()

    @property
    def sealed(self) -> frozenset[str]:
        """Those whose death nothing averts any more."""
        return self.last_act | self.dying


def adventure(play: Play) -> Adventure:
    """This system's part of a table."""
    return play.rules or Adventure()


def party(play: Play) -> list[Character]:
    """The player characters on the stage."""
    dead = adventure(play).dead
    return [one for one in play.characters.values() if not one.gm and not one.retired and one.name not in dead]


def against_player(roll: e.RollMade, play: Play) -> bool:
    """Whether a move is made against a player character."""
    other = play.characters.get(roll.against)
    return other is not None and not other.gm


HP_TRAITS = ("hp", "max_hp")
SECRET_MISS = "secret-miss"  # its XP is marked when the seed is revealed, so it stands from then on
LOCKS = ("lock", "outburst")
FROM_CONDITIONS = ("condition", "clear", *LOCKS)  # choices whose options are a character's conditions


def _put(state: Adventure, field: str, name: Any, value: Any) -> Adventure:
    return replace(state, **{field: {**getattr(state, field), name: value}})


def _condition(state: Adventure, name: str, condition: str, value: str | None) -> Adventure:
    taken = {one: how for one, how in state.conditions.get(name, {}).items() if one != condition}
    return _put(state, "conditions", name, {**taken, condition: value} if value else taken)


def _trait(state: Adventure, event: e.TraitSet, play: Play) -> Adventure:
    """HP on the sheet are HP in play, 0 of them incapacitated; the first of the two that is told is the other too."""
    if event.trait not in HP_TRAITS or not isinstance(event.value, int):
        return state
    now = replace(state.hp.get(event.character, Hp(event.value, event.value)), **{event.trait: event.value})
    return _hp_now(state, event.character, now, incapacitated=now.hp == 0)


def _hp_now(state: Adventure, name: str, now: Hp, *, incapacitated: bool) -> Adventure:
    down = state.down | {name} if incapacitated else state.down - {name}
    return replace(_put(state, "hp", name, now), down=down)


def _hp(state: Adventure, event: e.HpChanged, play: Play) -> Adventure:
    return _hp_now(state, event.character, Hp(event.hp, event.max_hp), incapacitated=event.incapacitated)


def _xp(state: Adventure, event: e.XpMarked, play: Play) -> Adventure:
    now = state.growth.get(event.character, Growth())
    return _put(state, "growth", event.character, replace(now, xp=event.xp))


def _level(state: Adventure, event: e.LevelGained, play: Play) -> Adventure:
    now = state.growth.get(event.character, Growth())
    grown = replace(
        now, xp=0, level=event.level, from_levels=now.from_levels + event.hp_gained, advances=now.advances + 1
    )
    return _put(state, "growth", event.character, grown)


def _advance(state: Adventure, event: e.AdvanceTaken, play: Play) -> Adventure:
    now = state.growth.get(event.character, Growth())
    return _put(state, "growth", event.character, replace(now, advances=now.advances - 1))


def _hold(state: Adventure, event: e.AdvantageHeld, play: Play) -> Adventure:
    held = state.held.get(event.character, ())
    return _put(state, "held", event.character, (*held, Held(event.kind, event.move, event.why, event.by)))


def _use(state: Adventure, event: e.AdvantageUsed, play: Play) -> Adventure:
    """Out of hand; whoever is exposed by it shares what comes of the roll (AD-04)."""
    held = list(state.held.get(event.character, ()))
    used = Held(event.kind, event.move, event.why, event.by)
    if used in held:
        held.remove(used)
    if event.why == "exposed" and event.by not in state.exposed.get(event.character, ()):
        state = _put(state, "exposed", event.character, (*state.exposed.get(event.character, ()), event.by))
    return _put(state, "held", event.character, tuple(held))


def _depth(state: Adventure, event: e.DepthChanged, play: Play) -> Adventure:
    return _put(state, "depth", event.character, {**state.depth.get(event.character, {}), event.other: event.depth})


def _ritual(state: Adventure, title: str, **changes: Any) -> Adventure:
    return _put(state, "rituals", title, replace(state.rituals[title], **changes))


def _questions(state: Adventure, event: e.QuestionsHeld | e.QuestionAsked, play: Play) -> Adventure:
    others = {about: left for about, left in state.questions.get(event.character, {}).items() if about != event.about}
    left = {event.about: event.left} if event.left else {}
    return _put(state, "questions", event.character, {**others, **left})


def _made(state: Adventure, event: e.RollMade, play: Play) -> Adventure:
    """A new move: nobody shares its consequences until their aid has gone into it."""
    if event.kind != "move":
        return state
    secret = (*state.secret, event) if event.secret else state.secret
    return _put(replace(state, secret=secret), "exposed", event.character, ())


def _sealed(state: Adventure, event: e.DeathSealed, play: Play) -> Adventure:
    field = "last_act" if event.when == "act" else "dying"
    return replace(state, **{field: getattr(state, field) | {event.character}})


def _comfort(state: Adventure, event: e.ComfortGiven, play: Play) -> Adventure:
    comforts = {**state.comforts, **dict.fromkeys(event.choices, event.comforter)}
    return replace(state, comforts=comforts, used=state.used | {f"comfort:{event.comforter}"})


def _died(state: Adventure, event: e.CharacterDied, play: Play) -> Adventure:
    name = {event.character}
    return replace(
        state, dead=state.dead | name, dying=state.dying - name, last_act=state.last_act - name, down=state.down - name
    )


def _scene(state: Adventure, event: e.SceneStarted, play: Play) -> Adventure:
    """Incapacitated ends with the scene (AD-15), so does suspicion (AD-10), and what is left to ask (AD-09)."""
    held = {name: tuple(one for one in all_ if one.why != "suspicion") for name, all_ in state.held.items()}
    return replace(state, down=frozenset(), held=held, questions={})


EVOLVE: dict[type[e.Event], Callable[[Adventure, Any, Play], Adventure]] = {
    e.TraitSet: _trait,
    e.RollMade: _made,
    e.ConditionMarked: lambda state, event, play: _condition(state, event.character, event.condition, "marked"),
    e.ConditionCleared: lambda state, event, play: _condition(state, event.character, event.condition, None),
    e.ConditionLocked: lambda state, event, play: _condition(state, event.character, event.condition, "locked"),
    e.ConditionUnlocked: lambda state, event, play: _condition(state, event.character, event.condition, None),
    e.HpChanged: _hp,
    e.XpMarked: _xp,
    e.LevelGained: _level,
    e.AdvanceTaken: _advance,
    e.AdvantageHeld: _hold,
    e.AdvantageUsed: _use,
    e.AdvantagesDropped: lambda state, event, play: _put(state, "held", event.character, ()),
    e.DepthChanged: _depth,
    e.QuestionsHeld: _questions,
    e.QuestionAsked: _questions,
    e.ClashOpened: lambda state, event, play: _put(
        state, "clashes", event.character, Clash(event.against, event.dealt, event.taken)
    ),
    e.ComfortGiven: _comfort,
    e.CampMade: lambda state, event, play: replace(state, used=state.used | {"camp"}),
    e.SessionReviewed: lambda state, event, play: replace(state, used=state.used | {"review"}),
    e.RitualStarted: lambda state, event, play: _put(
        state, "rituals", event.ritual, Ritual(event.ritual, event.mag, event.by)
    ),
    e.RequirementSet: lambda state, event, play: _ritual(
        state, event.ritual, needs=(*state.rituals[event.ritual].needs, event.text)
    ),
    e.RequirementMet: lambda state, event, play: _ritual(
        state, event.ritual, met=state.rituals[event.ritual].met | {event.number}
    ),
    e.RitualCompleted: lambda state, event, play: _ritual(state, event.ritual, complete=True),
    e.DeathSealed: _sealed,
    e.CharacterDied: _died,
    e.SceneStarted: _scene,
    e.SeedRevealed: lambda state, event, play: replace(state, secret=(), opened=state.secret),
    e.SessionStarted: lambda state, event, play: replace(state, used=frozenset()),
}


STATE = Adventure  # what `evolve` gives


def evolve(state: Adventure | None, event: e.Event, play: Play) -> Adventure:
    """This system's part of the table after one fact; `play` is the table after it."""
    state = state or Adventure()
    step = EVOLVE.get(type(event))
    return step(state, event, play) if step else state


def _everyone(play: Play) -> tuple[str, ...]:
    """What an act for all player characters is built on."""
    return tuple(f"{what}:{name}" for name in play.characters for what in ("character", "hp", "conditions"))


def footprint(event: e.Event, play: Play) -> Footprint:
    """What a fact of this system wrote and what it was built on (for undo)."""
    match event:
        case e.RollMade() | e.ClashOpened() | e.DamageDealt() | e.ChoiceOffered() | e.ChoiceMade():
            return _roll_footprint(event, play)
        case e.ConditionMarked() | e.ConditionCleared() | e.ConditionLocked() | e.ConditionUnlocked():
            return Footprint.of(f"conditions:{event.character}", sets=True, needs=(f"character:{event.character}",))
        case e.TraitSet() if event.trait in HP_TRAITS:
            return Footprint.of(f"hp:{event.character}", f"able:{event.character}", sets=True)
        case e.HpChanged() | e.DeathSealed() | e.CharacterDied():
            return _hp_footprint(event)
        case e.XpMarked() | e.LevelGained() | e.AdvanceTaken():
            return Footprint.of(
                f"xp:{event.character}", sets=True, needs=(f"character:{event.character}", "house:xp-track")
            )
        case e.AdvantageHeld() | e.AdvantageUsed() | e.AdvantagesDropped():
            needs = (f"character:{event.character}", "SceneStarted")
            return Footprint.of(f"held:{event.character}", sets=not isinstance(event, e.AdvantageHeld), needs=needs)
        case e.DepthChanged():
            needs = (f"character:{event.character}", f"character:{event.other}")
            return Footprint.of(f"depth:{event.character}:{event.other}", sets=True, needs=needs)
        case e.QuestionsHeld() | e.QuestionAsked():
            return Footprint.of(f"questions:{event.character}", sets=True, needs=("SceneStarted",))
        case e.RitualStarted() | e.RequirementSet() | e.RequirementMet() | e.RitualCompleted():
            return Footprint.of(f"ritual:{event.ritual}", sets=True)
    return _gathering_footprint(event, play)


def _roll_footprint(event: e.Event, play: Play) -> Footprint:
    match event:
        case e.ChoiceMade() if (choice := play.choices.get(event.choice)) and choice.kind == "move.clash":
            return Footprint.of(f"clash:{choice.about}", sets=True)
        case e.RollMade() if event.kind == "move":
            needs = tuple(f"{what}:{event.character}" for what in ("character", "sheet", "held", "able", "clash"))
            later = (SECRET_MISS,) if event.secret and event.outcome == "miss" else ()
            return Footprint.of(f"roll:{event.roll}", *later, needs=(*needs, "SceneStarted"))
        case e.RollMade():
            return Footprint.of(f"roll:{event.roll}", needs=(f"character:{event.character}",))
        case e.ClashOpened():
            needs = (f"character:{event.against}", f"sheet:{event.against}")
            return Footprint.of(f"clash:{event.character}", needs=needs)
        case e.DamageDealt():
            return Footprint.of(needs=(f"hp:{event.against}",))
        case e.ChoiceOffered(kind="lock"):
            return Footprint.of(f"able:{event.about}", needs=(f"conditions:{event.about}",))
        case e.ChoiceOffered() if event.kind in FROM_CONDITIONS:
            return Footprint.of(needs=(f"conditions:{event.about}",))
        case e.ChoiceOffered():
            return Footprint.of(needs=tuple(f"character:{option}" for option in event.options))
    return Footprint()


def _hp_footprint(event: e.HpChanged | e.DeathSealed | e.CharacterDied) -> Footprint:
    """`able` is written where somebody can no longer act as before."""
    name = event.character
    able = () if isinstance(event, e.HpChanged) and not event.incapacitated else (f"able:{name}",)
    return Footprint.of(f"hp:{name}", *able, sets=True, needs=(f"character:{name}", "SceneStarted"))


def _gathering_footprint(event: e.Event, play: Play) -> Footprint:
    """Acts of two people, or of all."""
    match event:
        case e.SeedRevealed():
            return Footprint.of(needs=(SECRET_MISS,))
        case e.AidGiven():
            people = (f"character:{event.helper}", f"character:{event.helped}")
            return Footprint.of(needs=(*people, f"able:{event.helper}"))
        case e.ComfortGiven():
            needs = (f"character:{event.comforter}", f"character:{event.comforted}")
            return Footprint.of(f"comfort:{event.comforter}", sets=True, needs=needs)
        case e.CampMade() | e.SessionReviewed():
            return Footprint.of(type(event).__name__, sets=True, needs=_everyone(play))
        case e.JourneySet():
            return Footprint.of(needs=_everyone(play))
    return Footprint()
