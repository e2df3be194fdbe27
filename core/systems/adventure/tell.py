"""Adventure moves: which sentence each of its facts gets.

Here: fact -> Lines. Never: the sentences themselves (words.py), a rule, a decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.language import Line, line
from core.systems.adventure import rules
from core.systems.adventure.state import FROM_CONDITIONS, adventure, against_player, party
from core.table.state import Character, Play
from core.table.tell import roll_made
from core.telling import Button, View, step
from events import types as e

CONDITIONS = 5
OWN_TITLES = (*FROM_CONDITIONS, "ally", "comfort", "followed")


def character_name(character: Character, play: Play) -> object:
    return character.name


BUTTONS: dict[str, Callable[[e.RollMade, Play, str], list[Button]]] = {}  # a move is made once


def option_label(kind: str, option: str) -> object:
    """What an option of a choice is called on a button or in a list."""
    if kind in FROM_CONDITIONS:
        return line(f"condition.{option}")
    return option if kind == "ally" else line(f"option.{option}", name=option)


def condition(name: str) -> Line:
    return line(f"condition.{name}")


# ---- moves


def _roll(event: e.RollMade, view: View) -> list[Line]:
    if event.kind == "damage":
        return []  # told by DamageDealt
    if event.kind != "move":
        return roll_made(event, view)
    faces = event.dice[0].faces
    told = line(
        "move.made", name=view.name(event.character), move=line(f"move.{event.label}"), how=_how(event, view),
        dice=f"[{' '.join(map(str, faces))}]", advantage=line(f"move.{event.advantage}") if event.advantage else "",
        steps=line("move.steps", steps=[step(one) for one in event.modifiers]) if event.modifiers else "",
        total=event.total, outcome=line(f"outcome.{event.outcome}"),
    )  # fmt: skip
    return [told, *_result(event, view), *_xp_later(event, view)]


def _how(event: e.RollMade, view: View) -> Line | str:
    """In brackets behind the move: how it was made and against whom, or where to."""
    how: list[object] = [line(f"way.{event.way}", name=event.way)] if event.way else []
    if event.against:
        how.append(view.name(event.against) if event.against in view.play.characters else event.against)
    return line("move.how", how=how) if how else ""


def _result(event: e.RollMade, view: View) -> list[Line]:
    """What a result says by itself; of Influence what follows from the approach (AD-08).

    A miss of Read against a player character is no move of the GM's: that player asks instead (AD-09).
    """
    outcome = event.outcome or "miss"
    if (event.label, outcome) == ("read", "miss") and not against_player(event, view.play):
        return [line("told.read.miss")]
    keys = [(event.label, outcome), (event.label, outcome, event.way)]
    return [RESULTS[key] for key in keys if key in RESULTS]


def _xp_later(event: e.RollMade, view: View) -> list[Line]:
    """Of a miss that is still secret: when its XP is marked. GM characters mark none."""
    character = view.play.characters.get(event.character)
    if character is None or character.gm or not rules.marks_xp(event, against_player(event, view.play)):
        return []
    return [line("xp.later")] if any(one.roll == event.roll for one in view.ledger.sealed) else []


RESULTS: dict[tuple[str, ...], Line] = {
    ("defy", "strong_hit"): line("told.defy.strong_hit"),
    ("defy", "miss"): line("told.miss"),
    ("clash", "miss"): line("told.miss"),
    ("influence", "strong_hit"): line("told.influence.strong_hit"),
    ("influence", "weak_hit"): line("told.influence.weak_hit"),
    ("influence", "weak_hit", "deceive"): line("told.influence.deceive"),
    ("influence", "weak_hit", "persuade"): line("told.influence.persuade"),
    ("influence", "weak_hit", "threaten"): line("told.influence.threaten"),
    ("influence", "miss"): line("told.influence.miss"),
    ("sneak", "strong_hit"): line("told.sneak.strong_hit"),
    ("sneak", "miss"): line("told.sneak.miss"),
    ("recall", "strong_hit"): line("told.recall.strong_hit"),
    ("recall", "weak_hit"): line("told.recall.weak_hit"),
    ("recall", "miss"): line("told.recall.miss"),
    ("uncover", "strong_hit"): line("told.uncover.strong_hit"),
    ("uncover", "miss"): line("told.uncover.miss"),
    ("cast", "strong_hit"): line("told.cast.strong_hit"),
    ("cast", "weak_hit"): line("told.cast.weak_hit"),
    ("cast", "miss"): line("told.cast.miss"),
    ("journey", "strong_hit"): line("told.journey.strong_hit"),
    ("journey", "weak_hit"): line("told.journey.weak_hit"),
    ("journey", "miss"): line("told.journey.miss"),
    ("death", "strong_hit"): line("told.death.strong_hit"),
    ("death", "weak_hit"): line("told.death.weak_hit"),
}


def _damage(event: e.DamageDealt, view: View) -> list[Line]:
    name = view.name(event.character) if event.character else line("foe")
    if event.how != "rolled":
        return [line(f"damage.{event.how}", name=name, total=event.total)]
    return [line("damage.rolled", name=name, total=event.total, dice=f"[{event.total}]")]


# ---- choices


def _offered(event: e.ChoiceOffered, view: View) -> list[Line]:
    key = f"choice.title.{event.kind}" if event.kind in OWN_TITLES else "choice.title"
    head = [line("condition.breaking", name=view.name(event.about))] if event.kind == "outburst" else []
    options = [
        line("choice.option", n=n, label=option_label(event.kind, option)) for n, option in enumerate(event.options, 1)
    ]
    about = view.name(event.about)
    return [*head, line(key, number=event.choice, owner=view.person(event.owner), about=about), *options]


def _made(event: e.ChoiceMade, view: View) -> list[Line]:
    choice = view.play.choices[event.choice]
    option = choice.options[event.option - 1]
    told = [line("choice.made", label=option_label(choice.kind, option))]
    if option == "shake_off":
        told += _none_free([one.name for one in party(view.play)], view)
    if choice.kind == "outburst":
        told.append(line(f"outburst.{option}"))
    return told


def _none_free(names: list[str], view: View) -> list[Line]:
    """Who should mark a condition and has none left to mark: that is the GM's to settle."""
    taken = adventure(view.play).conditions
    full = [name for name in names if list(taken.get(name, {}).values()).count("locked") == CONDITIONS]
    return [line("condition.all_locked", name=view.name(name)) for name in full]


# ---- conditions, HP, XP


def _condition(key: str) -> Callable[[Any, View], list[Line]]:
    def told(event: Any, view: View) -> list[Line]:
        return [line(key, name=view.name(event.character), condition=condition(event.condition))]

    return told


def _locked(event: e.ConditionLocked, view: View) -> list[Line]:
    told = line("condition.locked", name=view.name(event.character), condition=condition(event.condition))
    return [told, *_none_free([event.character], view)]


def _hp(event: e.HpChanged, view: View) -> list[Line]:
    """A GM character at 0 HP is out of it; Face Death is for player characters."""
    character = view.play.characters.get(event.character)
    down = "hp.out" if character and character.gm else "hp.down"
    key = down if event.incapacitated else "hp.changed"
    return [line(key, name=view.name(event.character), hp=event.hp, max_hp=event.max_hp)]


def _level(event: e.LevelGained, view: View) -> list[Line]:
    facts = {"name": view.name(event.character), "level": event.level}
    up = line("level.gained", **facts, max_hp=event.max_hp) if event.max_hp else line("level.gained_alone", **facts)
    return [up, line("level.advance")]


def _xp(event: e.XpMarked, view: View) -> list[Line]:
    track = view.play.house.get("xp-track", "5")
    return [line("xp.marked", name=view.name(event.character), xp=event.xp, track=track)]


def _died(event: e.CharacterDied, view: View) -> list[Line]:
    head = [line("glory", name=view.name(event.character))] if event.how == "glory" else []
    return [*head, line("died", name=view.name(event.character))]


def why(held: Any, view: View) -> Line:
    """Where it came from: `aid by Bob`."""
    reason = line(f"why.{held.why}", name=held.why)
    reason = line("why.by", why=reason, by=view.name(held.by)) if held.by else reason
    return line("why.only", why=reason, move=line(f"move.{held.move}")) if held.why == "gm" and held.move else reason


def _held(event: e.AdvantageHeld, view: View) -> list[Line]:
    return [line(f"held.{event.kind}", name=view.name(event.character), why=why(event, view))]


def _used(event: e.AdvantageUsed, view: View) -> list[Line]:
    told = [line("held.used", kind=line(f"held_word.{event.kind}"), why=why(event, view))]
    if event.why == "exposed":
        told.append(line("held.exposed", helper=view.name(event.by), name=view.name(event.character)))
    return told


def _about(who: str, view: View) -> object:
    return view.name(who) if who else line("anyone")


def _questions(event: e.QuestionsHeld, view: View) -> list[Line]:
    told = {"name": view.name(event.character), "about": _about(event.about, view), "left": event.left}
    return [line("questions.held", **told)]


def _asked(event: e.QuestionAsked, view: View) -> list[Line]:
    told = {"name": view.name(event.character), "about": _about(event.about, view), "left": event.left}
    return [line("question.put", **told, text=event.text) if event.text else line("question.asked", **told)]


def _journey(event: e.JourneySet, view: View) -> list[Line]:
    """The way; who should mark a condition for the pace and has none free is named."""
    told = line("journey.set", place=event.place, leader=view.name(event.leader), pace=line(f"pace.{event.pace}"))
    everyone = [one.name for one in party(view.play)]
    marking = {"fast": everyone, "normal": [event.leader]}.get(event.pace, [])
    return [told, *_none_free(marking, view)]


def _comfort(event: e.ComfortGiven, view: View) -> list[Line]:
    comforter, comforted = view.name(event.comforter), view.name(event.comforted)
    return [line("comfort.given", comforter=comforter, comforted=comforted, yes=len(event.yes))]


TELL: dict[type[e.Event], Callable[[Any, View], list[Line]]] = {
    e.RollMade: _roll,
    e.DamageDealt: _damage,
    e.ChoiceOffered: _offered,
    e.ChoiceMade: _made,
    e.ConditionMarked: _condition("condition.marked"),
    e.ConditionCleared: _condition("condition.cleared"),
    e.ConditionLocked: _locked,
    e.ConditionUnlocked: _condition("condition.unlocked"),
    e.XpMarked: _xp,
    e.LevelGained: _level,
    e.AdvanceTaken: lambda event, view: [line("advance.taken", name=view.name(event.character), text=event.text)],
    e.DepthChanged: lambda event, view: [
        line("depth.changed", name=view.name(event.character), other=view.name(event.other), depth=event.depth)
    ],
    e.HpChanged: _hp,
    e.DeathSealed: lambda event, view: [line(f"sealed.{event.when}", name=view.name(event.character))],
    e.CharacterDied: _died,
    e.AdvantageHeld: _held,
    e.AdvantageUsed: _used,
    e.AdvantagesDropped: lambda event, view: [line("held.dropped", name=view.name(event.character))],
    e.QuestionsHeld: _questions,
    e.QuestionAsked: _asked,
    e.ClashOpened: lambda event, view: [],
    e.AidGiven: lambda event, view: [
        line(f"aid.{event.cost}", helper=view.name(event.helper), helped=view.name(event.helped))
    ],
    e.ComfortGiven: _comfort,
    e.CampMade: lambda event, view: [line("camp.made")],
    e.SessionReviewed: lambda event, view: [line("session.reviewed", yes=event.yes)],
    e.JourneySet: _journey,
    e.RitualStarted: lambda event, view: [line("ritual.started", title=event.ritual, mag=event.mag)],
    e.RequirementSet: lambda event, view: [
        line("ritual.need", title=event.ritual, number=event.number, text=event.text)
    ],
    e.RequirementMet: lambda event, view: [line("ritual.met", title=event.ritual, number=event.number)],
    e.RitualCompleted: lambda event, view: [line("ritual.completed", title=event.ritual)],
}
