"""What the commands of every table make true: people, sessions, seeds, characters, plain dice, undo.

Here: command + table + dice -> facts, or a refusal. Never: a sentence, and nothing that only one system has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from core.decider import (
    POOL,
    Turn,
    character_named,
    check_person,
    own_or_gm,
    person_named,
    plays,
    roll_made,
    who,
)
from core.dice import expression
from core.dice.source import commitment
from core.evolve import MAX_ACTS, Act
from core.grammar.text import fold
from core.house import Option
from core.language import Phrase
from core.refusal import Refusal
from core.registry import SYSTEMS, room, rooms
from core.table import talk
from core.table import verbs as v
from core.table.state import Choice, Footprint
from core.zones import TIME_ZONE, zone_named
from events import types as e

MAX_CHARACTERS = 200  # at one table
MAX_TRAITS = 100  # on one sheet
MAX_PLAYERS = 200  # at one table, those who only came by too
STANDS = (
    e.TableOpened, e.SessionStarted, e.SessionEnded, e.SeedRevealed, e.PeriodOpened, e.LuckAdded, e.Undone,
    e.ChatLinked, e.ChatUnlinked, e.AccountLinked, e.PersonForgotten,
    e.LogOpened, e.LogPaused, e.LogResumed, e.LogEnded,
)  # fmt: skip
THROWN = (e.RollMade, e.CardDealt)


def open_table(command: v.OpenTable, turn: Turn) -> list[e.Event]:
    if command.system not in SYSTEMS:
        raise Refusal("bad_argument", "system_not_here", got=command.system, known=SYSTEMS)
    opened = e.TableOpened(
        system=command.system, title=command.title, gm=turn.actor, language=command.language or turn.language,
        period=1, commitment=commitment(turn.fresh),
    )  # fmt: skip
    return [opened]


def join(command: v.Join, turn: Turn) -> list[e.Event]:
    if turn.is_gm:
        raise Refusal("already_done", "is_gm")
    if turn.actor in turn.play.players:
        raise Refusal("already_done", "joined")
    check_person(turn)
    _check_room(turn)
    return [e.PlayerJoined(player=turn.actor)]


def _check_room(turn: Turn) -> None:
    if len(turn.play.players) >= MAX_PLAYERS:
        raise Refusal("limit_reached", "players", limit=MAX_PLAYERS)


def name_gm(command: v.NameGm, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    person = person_named(turn, command.name)
    if person == turn.play.gm:
        raise Refusal("already_done", "is_gm")
    return [e.GmNamed(gm=person, was=turn.play.gm)]


def link_chat(command: v.JoinTable, turn: Turn) -> list[e.Event]:
    return [e.ChatLinked(platform=command.platform)]


def unlink_chat(command: v.LeaveTable, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    return [e.ChatUnlinked(platform=command.platform)]


def unlink_others(command: v.LeaveOthers, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    return [e.ChatUnlinked(platform=platform) for platform in command.platforms]


def join_accounts(command: v.JoinAccounts, turn: Turn) -> list[e.Event]:
    return [e.AccountLinked(person=command.person, was=command.was)]


def set_language(command: v.SetLanguage, turn: Turn) -> list[e.Event]:
    turn.require_player()
    return [e.LanguageSet(language=command.language)]


def options(system: str) -> tuple[Option, ...]:
    """All house options of a table of this system, the table's own first."""
    return tuple(option for one in rooms(system, "verbs") for option in one.HOUSE)


def option_named(system: str, key: str) -> Option:
    """The house option called so in either language; none: not_found."""
    for option in options(system):
        if key in (option.key, fold(option.zh)):
            return option
    raise Refusal("not_found", "house", key=key, known=[Phrase(option.zh, option.key) for option in options(system)])


def set_house_rule(command: v.SetHouseRule, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    option = option_named(turn.play.system, command.key)
    value = zone_named(turn.zones, command.value).name if option.key == TIME_ZONE else command.value
    return [e.HouseRuleSet(key=option.key, value=option.read(value))]


# ---- sessions and seeds


def _published(turn: Turn) -> list[e.Event]:
    """The open period's seed, made known; nothing where it is not at hand (a log moved here without it)."""
    return [] if turn.seed is None else [e.SeedRevealed(period=turn.table.ledger.period, seed=turn.seed.hex())]


def _next_period(turn: Turn, reason: str) -> e.PeriodOpened:
    return e.PeriodOpened(period=turn.table.ledger.period + 1, commitment=commitment(turn.fresh), reason=reason)


def reopen(turn: Turn) -> e.PeriodOpened:
    """A new period for a table whose seed is not at hand: its dice must not wait for a session."""
    return _next_period(turn, "seed_missing")


def start_session(command: v.StartSession, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    if turn.play.session:
        raise Refusal("already_done", "session_runs", number=turn.play.session.number)
    ledger = turn.table.ledger
    started = e.SessionStarted(
        number=len(ledger.sessions) + 1,
        title=command.title,
        commitment=commitment(turn.fresh),
        period=ledger.period + 1,
    )
    return [*_published(turn), started]


def end_session(command: v.EndSession, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    if not turn.play.session:
        raise Refusal("no_session", "end")
    return [e.SessionEnded(number=turn.play.session.number), *_published(turn), _next_period(turn, "ended")]


def reveal(command: v.Reveal, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    if not turn.table.ledger.next_die and not turn.table.ledger.sealed:
        raise Refusal("already_done", "nothing_to_reveal")
    return [*_published(turn), _next_period(turn, "revealed")]


def go_on_from_backup(command: v.GoOnFromBackup, turn: Turn) -> list[e.Event]:
    """What fell behind the copy is known to people and not to the record: the same seed would give it again."""
    return [*_published(turn), _next_period(turn, "restored")]


def add_luck(command: v.AddLuck, turn: Turn) -> list[e.Event]:
    turn.require_player()
    if turn.table.ledger.next_die:
        raise Refusal("already_done", "luck")
    if len(turn.table.ledger.luck) >= MAX_TRAITS:
        raise Refusal("limit_reached", "luck", limit=MAX_TRAITS)
    return [e.LuckAdded(period=turn.table.ledger.period, text=command.text)]


def start_scene(command: v.StartScene, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    number = turn.play.scene.number + 1 if turn.play.scene else 1
    return [e.SceneStarted(number=number, title=command.title)]


# ---- characters


def add_character(command: v.AddCharacter, turn: Turn) -> list[e.Event]:
    """A character; a player joins with the first one and acts for it from then on (SW-01)."""
    _check_new_name(command.name, turn)
    if command.ally and not turn.is_gm:
        raise Refusal("not_allowed", "ally")
    kind = command.kind or ("extra" if turn.is_gm else "wild")
    added = e.CharacterAdded(
        character=command.name,
        kind="wild" if kind == "wild" else "extra",
        owner=turn.actor,
        gm=turn.is_gm,
        ally=command.ally,
    )
    stranger = not turn.is_gm and turn.actor not in turn.play.players
    if stranger:
        _check_room(turn)
    joined: list[e.Event] = [e.PlayerJoined(player=turn.actor)] if stranger else []
    active = turn.play.characters.get(turn.play.active.get(turn.actor, ""))
    first = not turn.is_gm and (active is None or active.retired)
    activated: list[e.Event] = [e.CharacterActivated(player=turn.actor, character=command.name)] if first else []
    events = [*joined, added, *activated]
    return [*events, *_traits(turn.after(events), command.name, command.traits)]


def _check_new_name(name: str, turn: Turn) -> None:
    play = turn.play
    if fold(name) in {fold(one) for one in play.characters}:
        raise Refusal("already_done", "character", name=name)
    others = [one for one in (*play.players, play.gm) if one != turn.actor]
    taken = {fold(name) for one in others for name in (one, turn.names.get(one, one))}
    if fold(name) in (POOL, *taken):
        raise Refusal("bad_argument", "name_taken", got=name)
    if len(play.characters) >= MAX_CHARACTERS:
        raise Refusal("limit_reached", "characters", limit=MAX_CHARACTERS)


def use_character(command: v.UseCharacter, turn: Turn) -> list[e.Event]:
    character = character_named(turn.play, command.name)
    if not plays(turn, character):
        raise Refusal("not_yours", "character", name=character.name)
    return [e.CharacterActivated(player=turn.actor, character=character.name)]


def retire_character(command: v.RetireCharacter, turn: Turn) -> list[e.Event]:
    character = character_named(turn.play, command.name)
    if not turn.is_gm and not plays(turn, character):
        raise Refusal("not_yours", "character", name=character.name)
    return [e.CharacterRetired(character=character.name)]


def set_traits(command: v.SetTraits, turn: Turn) -> list[e.Event]:
    named = replace_name(command)
    return _traits(turn, own_or_gm(turn, named).name, command.changes)


def replace_name(command: v.SetTraits) -> v.SetTraits:
    """`/set Ann agility=d8` says the same as `/set agility=d8 as=Ann`."""
    return v.SetTraits(name="", changes=command.changes, as_=command.name or command.as_)


def _traits(turn: Turn, name: str, changes: tuple[tuple[str, str, str], ...]) -> list[e.Event]:
    """Each change as a fact; the system's rules say what a trait is called and what it may be."""
    rules = room(turn.play.system, "rules")
    events: list[e.Event] = []
    for key, sign, text in changes:
        traits = turn.after(events).play.characters[name].traits
        trait = rules.trait_name(key)
        value = rules.trait_value(trait, text, sign, traits)
        if trait not in traits and len(traits) >= MAX_TRAITS:
            raise Refusal("limit_reached", "traits", limit=MAX_TRAITS)
        events.append(e.TraitSet(character=name, trait=trait, value=value, was=traits.get(trait)))
    return events


# ---- plain dice


def roll_dice(command: v.RollDice, turn: Turn) -> list[e.Event]:
    """Any dice: one RollMade for each repeat."""
    parsed = expression.parse(command.expression)
    actor, dice = who(turn, command), turn.dice(command)
    events: list[e.Event] = []
    for nth in range(1, parsed.repeat + 1):
        dice.begin()
        thrown = expression.throw(parsed, dice)
        events.append(
            roll_made(
                turn, command, dice, thrown.dice, kind="roll", label=command.expression, character=actor.name,
                results=(thrown.total,), nth=nth, working=thrown.working,
            )
        )  # fmt: skip
    dice.finish()
    return events


# ---- choices


def choose(command: v.Choose, turn: Turn) -> list[e.Event]:
    choice = _choice(command, turn)
    if not choice.open:
        raise Refusal("already_done", "choice", number=choice.number)
    if turn.actor != choice.owner:
        raise Refusal("not_yours", "choice", number=choice.number, owner=turn.names.get(choice.owner, choice.owner))
    if command.option > len(choice.options):
        raise Refusal("bad_argument", "option", got=command.option, most=len(choice.options))
    made: e.Event = e.ChoiceMade(choice=choice.number, option=command.option)
    return [made, *room(turn.play.system, "decide").chosen(choice, command, turn)]


def _choice(command: v.Choose, turn: Turn) -> Choice:
    """The choice meant by its number, or the last one open for this person."""
    if command.choice:
        if found := turn.play.choices.get(command.choice):
            return found
        raise Refusal("not_found", "choice", number=command.choice)
    own = [one for one in turn.play.choices.values() if one.open and one.owner == turn.actor]
    if not own:
        raise Refusal("not_found", "no_choice")
    if len(own) > 1:
        raise Refusal("bad_argument", "which_choice", numbers=[one.number for one in own], option=command.option)
    return own[0]


# ---- undo


def undo(command: v.Undo, turn: Turn) -> list[e.Event]:
    """Take back an act (contract): a player the own last one that is no roll, the GM any that nothing depends on."""
    number = command.event or (int(command.note) if re.fullmatch(r"[0-9]{1,6}", command.note) else 0)  # `/undo #12`
    act = _act(number, turn) if number else _last_act(turn)
    asked = number or act.first
    if act.undone:
        raise Refusal("already_done", "undone", event=asked)
    if any(isinstance(event, STANDS) for event in act.events):
        raise Refusal("not_allowed", "stands", event=asked)
    if not turn.is_gm and act.actor != turn.actor:
        raise Refusal("not_yours", "act", event=asked)
    if not turn.is_gm and any(isinstance(event, THROWN) for event in act.events):
        raise Refusal("not_allowed", "undo_roll", gm=turn.names.get(turn.play.gm, turn.play.gm))
    if later := _depending(act, turn):
        raise Refusal("not_allowed", "depends", event=asked, later=later.first)
    return [e.Undone(event=act.first, reason=command.reason or command.note)]


def _act(event: int, turn: Turn) -> Act:
    for act in turn.table.acts:
        if act.first <= event <= act.last:
            return act
    if turn.table.acts and turn.table.acts[0].first < event <= turn.table.ledger.seq:
        raise Refusal("not_allowed", "talk_stands", event=event)
    if 0 < event <= turn.table.ledger.seq:
        raise Refusal("limit_reached", "undo", limit=MAX_ACTS)
    raise Refusal("not_found", "act", event=event)


def _last_act(turn: Turn) -> Act:
    """The last act that still stands: of this person, for the GM of anybody."""
    for act in reversed(turn.table.acts):
        if act.undone or isinstance(act.events[0], e.Undone):
            continue
        if turn.is_gm or act.actor == turn.actor:
            return act
    raise Refusal("not_found", "nothing_to_undo")


def _depending(act: Act, turn: Turn) -> Act | None:
    """The first later act, still standing, that is built on what this one wrote."""
    written = {name for mark in _footprints(act, turn) for name in mark.writes}
    for later in turn.table.acts:
        if (
            later.first > act.first
            and not later.undone
            and any(written & mark.reads for mark in _footprints(later, turn))
        ):
            return later
    return None


def _footprints(act: Act, turn: Turn) -> Iterator[Footprint]:
    """Those of its facts; who may do what is built on who the GM is, whatever the act."""
    if not isinstance(act.events[0], e.Undone):
        yield Footprint.of(needs=(e.GmNamed.__name__,))
    for event in act.events:
        for states in rooms(turn.play.system, "state"):
            yield states.footprint(event, turn.play)


DECIDE: dict[type, Callable[[Any, Turn], list[e.Event]]] = {
    v.OpenTable: open_table, v.Join: join, v.NameGm: name_gm, v.JoinTable: link_chat,
    v.LeaveTable: unlink_chat, v.LeaveOthers: unlink_others, v.JoinAccounts: join_accounts, v.SetLanguage: set_language,
    v.SetHouseRule: set_house_rule, v.StartSession: start_session, v.EndSession: end_session, v.Reveal: reveal,
    v.GoOnFromBackup: go_on_from_backup,
    v.AddLuck: add_luck, v.StartScene: start_scene, v.AddCharacter: add_character, v.UseCharacter: use_character,
    v.RetireCharacter: retire_character, v.SetTraits: set_traits, v.RollDice: roll_dice, v.Choose: choose, v.Undo: undo,
    **talk.DECIDE,
}  # fmt: skip
