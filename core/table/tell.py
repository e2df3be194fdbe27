"""Which sentence each fact of every table gets.

Here: fact -> Lines. Never: the sentences themselves (words.py), and nothing that only one system has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.evolve import Ledger
from core.language import Line, line
from core.table.state import Character, Play
from core.telling import Button, View, summary
from events import types as e

MOST_WORKING = 300  # characters; the faces of a thousand dice are in the record, not in the chat
SHORT_HASH = 16  # hex digits of the head told in chat: 64 bits cannot be met by trial


def character_name(character: Character, play: Play) -> object:
    return character.name


def session_name(number: int, title: str) -> Line:
    return line("session.titled", number=number, title=title) if title else line("session.number", number=number)


def log_name(number: int, name: str) -> Line:
    return line("log.named", number=number, name=name) if name else line("log.number", number=number)


def talk_kept(ledger: Ledger) -> list[Line]:
    """What people hear who may not know that a log of the table's talk runs; nothing where none does."""
    log = ledger.log
    if log is None or log.status != "running":
        return []
    return [line("log.goes_on", log=log_name(log.number, log.name)), line("log.consent")]


def _log(key: str) -> Callable[[Any, View], list[Line]]:
    """A change of one of the logs, by its name."""

    def told(event: Any, view: View) -> list[Line]:
        name = next((one.name for one in view.ledger.logs if one.number == event.number), "")
        consent = [line("log.consent")] if key in ("log.opened", "log.resumed") else []
        return [line(key, log=log_name(event.number, name), number=event.number), *consent]

    return told


def _spoken(event: e.LineSpoken | e.LineEdited, view: View) -> list[Line]:
    text = event.text if isinstance(event.text, str) else line("talk.gone")
    said = line("talk.ooc", text=text) if event.ooc else text
    if isinstance(event, e.LineEdited):
        return [line("talk.edited", line=event.line, text=said)]
    if event.source == "foreign" and event.roll is True:
        said = line("talk.foreign", text=said)
    if not event.character:
        return [line("talk.said", text=said)]
    return [line("talk.said_as", name=view.name(event.character), text=said)]


def _opened(event: e.TableOpened, view: View) -> list[Line]:
    title = event.title or line(f"system.{event.system}")
    opened = line("table.opened", title=title, system=line(f"system.{event.system}"), gm=view.person(event.gm))
    return [opened, line("seed.promised", commitment=event.commitment), line("table.next_steps")]


def _chat(platform: str, view: View) -> dict[str, object]:
    title = view.play.title or line(f"system.{view.play.system}")
    return {"platform": line(f"platform.{platform}", name=platform.capitalize()), "title": title}


def _session_started(event: e.SessionStarted, view: View) -> list[Line]:
    started = line("session.started", session=session_name(event.number, event.title))
    return [started, line("seed.promised", commitment=event.commitment)]


def head(view: View) -> Line:
    """The end of the chain: the copy of it in the chat is what shows a log cut off at its end."""
    return line("head", seq=view.ledger.seq, hash=view.ledger.head[:SHORT_HASH])


def _seed_revealed(event: e.SeedRevealed, view: View) -> list[Line]:
    return [line("seed.revealed", period=event.period, seed=event.seed)]


def _trait_set(event: e.TraitSet, view: View) -> list[Line]:
    trait = line(f"trait.{event.trait}", name=event.trait)
    key = "sheet.set" if event.was is None else "sheet.changed"
    return [line(key, name=view.name(event.character), trait=trait, value=event.value, was=event.was)]


def roll_made(event: e.RollMade, view: View) -> list[Line]:
    """A plain roll with its working, which is left out where it is the total itself."""
    short = event.working == str(event.total) or len(event.working) > MOST_WORKING
    key = "roll.plain_short" if short else "roll.plain"
    return [line(key, name=view.name(event.character), label=event.label, working=event.working, total=event.total)]


def _undone(event: e.Undone, view: View) -> list[Line]:
    act = next((act for act in view.acts if act.first == event.event), None)
    what = summary(act, view)[:1] if act else []
    key = "undone.because" if event.reason else "undone"
    return [line(key, event=event.event, what=what, reason=event.reason)]


def _character_added(event: e.CharacterAdded, view: View) -> list[Line]:
    kind = line(f"kind.{event.kind}")
    key = "character.added_gm" if event.gm else "character.added"
    return [line(key, name=view.name(event.character), kind=kind, owner=view.person(event.owner))]


def _choice_offered(event: e.ChoiceOffered, view: View) -> list[Line]:
    return [line("choice.offered", number=event.choice, owner=view.person(event.owner))]


def _period_opened(event: e.PeriodOpened, view: View) -> list[Line]:
    missing = [line("seed.missing")] if event.reason == "seed_missing" else []
    restored = [line("seed.restored")] if event.reason == "restored" else []
    return [*missing, *restored, line("seed.promised", commitment=event.commitment)]


TELL: dict[type[e.Event], Callable[[Any, View], list[Line]]] = {
    e.TableOpened: _opened,
    e.PlayerJoined: lambda event, view: [line("player.joined", name=view.person(event.player))],
    e.GmNamed: lambda event, view: [line("gm.named", name=view.person(event.gm))],
    e.ChatLinked: lambda event, view: [line("chat.linked", **_chat(event.platform, view))],
    e.ChatUnlinked: lambda event, view: [line("chat.unlinked", **_chat(event.platform, view))],
    e.AccountLinked: lambda event, view: [
        line("account.linked", was=view.person(event.was), name=view.person(event.person))
    ],
    e.PersonForgotten: lambda event, view: [line("person.forgotten", lines=event.lines)],
    e.LogOpened: _log("log.opened"),
    e.LogPaused: _log("log.now_paused"),
    e.LogResumed: _log("log.resumed"),
    e.LogEnded: _log("log.now_ended"),
    e.LineSpoken: _spoken,
    e.LineEdited: _spoken,
    e.LineDeleted: lambda event, view: [line("talk.deleted", line=event.line)],
    e.LanguageSet: lambda event, view: [line("language.set")],
    e.HouseRuleSet: lambda event, view: [
        line(
            "rule.set",
            key=line(f"house.{event.key}", name=event.key),
            value=line(f"value.{event.value}", name=event.value),
        )
    ],
    e.Undone: _undone,
    e.SessionStarted: _session_started,
    e.SessionEnded: lambda event, view: [line("session.ended", number=event.number)],
    e.SeedRevealed: _seed_revealed,
    e.PeriodOpened: _period_opened,
    e.LuckAdded: lambda event, view: [line("luck.added", text=event.text)],
    e.SceneStarted: lambda event, view: [line("scene.started", number=event.number, title=event.title)],
    e.CharacterAdded: _character_added,
    e.CharacterActivated: lambda event, view: [
        line("character.activated", name=view.name(event.character), player=view.person(event.player))
    ],
    e.CharacterRetired: lambda event, view: [line("character.retired", name=view.name(event.character))],
    e.TraitSet: _trait_set,
    e.RollMade: roll_made,
    e.ChoiceOffered: _choice_offered,
    e.ChoiceMade: lambda event, view: [],
    e.ChoiceWithdrawn: lambda event, view: [],
}


def again(roll: e.RollMade, play: Play, command: str) -> list[Button]:
    """The same command once more."""
    return [Button("🔁", line("button.again"), command)]


# What may be pressed under a fair and open roll of a kind; each system has a table of its own.
BUTTONS: dict[str, Callable[[e.RollMade, Play, str], list[Button]]] = {"roll": again}


def option_label(kind: str, option: str) -> object:
    """What an option of a choice is called on a button or in a list."""
    return option
