"""Adventure moves: which sentence each of its facts gets.

Here: fact -> Lines. Never: the sentences themselves (words.py), a rule, a decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.language import Line, line
from core.systems.adventure.state import Adventure
from core.table.state import Character, Play
from core.table.tell import roll_made
from core.telling import View, step
from events import types as e

CONDITION_CHOICES = ("condition", "clear", "lock", "outburst")


def _state(view: View) -> Adventure:
    return view.play.rules or Adventure()


def character_name(character: Character, play: Play) -> object:
    return character.name


def option_label(kind: str, option: str) -> object:
    """What an option of a choice is called on a button or in a list."""
    if kind in CONDITION_CHOICES:
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
        "move.made", name=view.name(event.character), move=line(f"move.{event.label}"),
        label=line("move.label", label=event.against) if event.against else "", dice=f"[{' '.join(map(str, faces))}]",
        advantage=line(f"move.{event.advantage}") if event.advantage else "",
        steps=line("move.steps", steps=[step(one) for one in event.modifiers]) if event.modifiers else "",
        total=event.total, outcome=line(f"outcome.{event.outcome}"),
    )  # fmt: skip
    return [told, *RESULTS.get((event.label, event.outcome or ""), [])]


RESULTS = {
    ("influence", "strong_hit"): [line("told.influence.strong_hit")],
    ("influence", "weak_hit"): [line("told.influence.weak_hit")],
    ("recall", "strong_hit"): [line("told.recall.strong_hit")],
    ("recall", "weak_hit"): [line("told.recall.weak_hit")],
    ("journey", "strong_hit"): [line("told.journey.strong_hit")],
    ("death", "strong_hit"): [line("told.death.strong_hit")],
    ("death", "miss"): [line("told.death.miss")],
}


def _damage(event: e.DamageDealt, view: View) -> list[Line]:
    name = view.name(event.character) if event.character else line("foe")
    if event.how != "rolled":
        return [line(f"damage.{event.how}", name=name, total=event.total)]
    return [line("damage.rolled", name=name, total=event.total, dice=f"[{event.total}]")]


# ---- choices


def _offered(event: e.ChoiceOffered, view: View) -> list[Line]:
    key = f"choice.title.{event.kind}" if event.kind in (*CONDITION_CHOICES, "ally") else "choice.title"
    head = [line("condition.breaking", name=view.name(event.about))] if event.kind == "outburst" else []
    options = [
        line("choice.option", n=n, label=option_label(event.kind, option)) for n, option in enumerate(event.options, 1)
    ]
    return [*head, line(key, number=event.choice, owner=view.name(event.owner)), *options]


def _made(event: e.ChoiceMade, view: View) -> list[Line]:
    choice = view.play.choices.get(event.choice)
    return [line("choice.made", label=option_label(choice.kind, choice.options[event.option - 1]))] if choice else []


# ---- conditions, HP, XP


def _condition(key: str) -> Callable[[Any, View], list[Line]]:
    def told(event: Any, view: View) -> list[Line]:
        return [line(key, name=view.name(event.character), condition=condition(event.condition))]

    return told


def _locked(event: e.ConditionLocked, view: View) -> list[Line]:
    name = view.name(event.character)
    told = [line("condition.locked", name=name, condition=condition(event.condition))]
    taken = _state(view).conditions.get(event.character, {})
    full = list(taken.values()).count("locked") == len(ALL_CONDITIONS)
    return [*told, line("condition.all_locked", name=name)] if full else told


ALL_CONDITIONS = ("angry", "distracted", "exhausted", "frightened", "insecure")


def _hp(event: e.HpChanged, view: View) -> list[Line]:
    key = "hp.down" if event.incapacitated else "hp.changed"
    return [line(key, name=view.name(event.character), hp=event.hp, max_hp=event.max_hp)]


def _xp(event: e.XpMarked, view: View) -> list[Line]:
    track = view.play.house.get("xp-track", "5")
    return [line("xp.marked", name=view.name(event.character), xp=event.xp, track=track)]


def _died(event: e.CharacterDied, view: View) -> list[Line]:
    head = [line("glory", name=view.name(event.character))] if event.how == "glory" else []
    return [*head, line("died", name=view.name(event.character))]


def why(held: Any) -> Line:
    return line(f"why.{held.why}", name=held.why)


def _held(event: e.AdvantageHeld, view: View) -> list[Line]:
    return [line(f"held.{event.kind}", name=view.name(event.character), why=why(event))]


def _questions(event: e.QuestionsHeld, view: View) -> list[Line]:
    about = view.name(event.about) if event.about else line("anyone")
    before = _state(view).questions.get(event.character)
    asked = before is not None and event.left == 0
    key = "question.asked" if asked else "questions.held"
    return [line(key, name=view.name(event.character), about=about, left=event.left)]


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
    e.LevelGained: lambda event, view: [
        line("level.gained", name=view.name(event.character), level=event.level, max_hp=event.max_hp)
    ],
    e.AdvanceTaken: lambda event, view: [line("advance.taken", name=view.name(event.character), text=event.text)],
    e.DepthChanged: lambda event, view: [
        line("depth.changed", name=view.name(event.character), other=view.name(event.other), depth=event.depth)
    ],
    e.HpChanged: _hp,
    e.CharacterDied: _died,
    e.AdvantageHeld: _held,
    e.AdvantageUsed: lambda event, view: [line("held.used", why=why(event))],
    e.AdvantagesDropped: lambda event, view: [line("held.dropped", name=view.name(event.character))],
    e.QuestionsHeld: _questions,
    e.ClashOpened: lambda event, view: [],
    e.AidGiven: lambda event, view: [
        line(f"aid.{event.cost}", helper=view.name(event.helper), helped=view.name(event.helped))
    ],
    e.ComfortGiven: lambda event, view: [
        line(
            "comfort.given",
            comforter=view.name(event.comforter),
            comforted=view.name(event.comforted),
            yes=len(event.yes),
        )
    ],
    e.CampMade: lambda event, view: [line("camp.made")],
    e.SessionReviewed: lambda event, view: [line("session.reviewed", yes=event.yes)],
    e.JourneySet: lambda event, view: [
        line("journey.set", place=event.place, leader=view.name(event.leader), pace=line(f"pace.{event.pace}"))
    ],
    e.RitualStarted: lambda event, view: [line("ritual.started", title=event.ritual, mag=event.mag)],
    e.RequirementSet: lambda event, view: [
        line("ritual.need", title=event.ritual, number=event.number, text=event.text)
    ],
    e.RequirementMet: lambda event, view: [line("ritual.met", title=event.ritual, number=event.number)],
    e.RitualCompleted: lambda event, view: [line("ritual.completed", title=event.ritual)],
}
