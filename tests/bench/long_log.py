"""A log as years of play leave it, made in minutes: real commands through a real App, kept in memory, then stored.

`python -m tests.bench.long_log FILE EVENTS [SYSTEM…]` makes one table for each system named, all of them otherwise, and
shares the events out. The same arguments give the same record, byte for byte.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
from msgspec import Struct

from core.app import App
from core.messages import Incoming
from core.registry import SYSTEMS
from events.beside import Beside, MessageKey
from events.log import MemoryLog
from events.sqlite import SqliteLog
from tests.story import Seeds

PEOPLE = ("gm", "ann", "bob")
MESSAGES = 400  # of an evening; with what some of them lead to, 600 to 700 events
TALK_SHARE, TRIFLE_SHARE = 0.4, 0.05  # of the messages; the others are of the rule system
TRIFLES = (
    "/roll 2d6+1", "/roll 4d6kh3", "/roll d% # which way?", "/roll 3#2d8", "/roll 4dF", "/roll 3d6 secret",
    "/scene The crevasse", "/scene", "/undo",
)  # fmt: skip
SENTENCES = (
    "I look over the edge and hold on to the rope.", "“谁在那里？”", "(back in five minutes)", "门后什么声音也没有。",
    "The wind drops. For a moment there is nothing to be heard but the ice.", "//rules question: does that stack?",
    "我把火把举高一点，往里走。", "We should not have come here at night.",
)  # fmt: skip


class Game(Struct, frozen=True):
    """`opening` sets a table up for the three, `played` is what they do there, some of it in vain."""

    opening: tuple[str, ...]
    played: tuple[str, ...]


GAMES = {
    "savage": Game(
        (
            "ann: /char new Ann athletics=d8 fighting=d6 spirit=d6 vigor=d6 toughness=5 pp=10 max_pp=10",
            "bob: /char new 小波 运动=d6 射击=d8 精神=d4 活力=d8 坚韧=6",
            "gm: /char new Wolf extra fighting=d6 toughness=4",
            "gm: /char new Boss wild fighting=d10 spirit=d8 toughness=7",
        ),
        (
            "/trait athletics", "/trait fighting +1(ground)", "/trait d8 -2(dark)", "/trait d10 x2", "/trait d6 tn=6",
            "/trait fighting as=Wolf", "/trait fighting as=Boss", "/damage 2d6+1 vs=Wolf", "/damage 2d8 raise vs=Ann",
            "/reroll", "/group d6", "/oppose d8", "/resist d6 as=Boss", "/benny spend soak", "/unshake", "/shaken off",
            "/wound -1", "/benny give Ann", "/benny give 小波", "/init join Ann", "/init join Boss level-headed",
            "/init deal", "/init next", "/init end", "/set Ann pp-=1", "/set Ann pp=10",
        ),
    ),
    "storytelling": Game(
        (
            "ann: /char new Ann wits=4 crafts=3 str=3 athletics=1", "bob: /char new 小波 机智=2 工艺=1 力量=2 运动=4",
            "gm: /char new Ghoul str=5 athletics=2 wits=1 crafts=1",
        ),
        (
            "/pool wits+crafts", "/pool 3+1-3", "/pool 9 +1(tools) again=9", "/pool 0", "/pool 6 again=8 rote",
            "/pool str+athletics as=Ghoul", "/extended new Lock target=9", "/extended roll Lock 5",
            "/extended end Lock", "/contest open Race", "/contest roll Race 5", "/contest roll Race 4 as=Ghoul",
            "/contest void Race", "/store Wall 5", "/challenge Wall 6", "/store drop Wall", "/set Ann wits=4",
        ),
    ),
    "infinite": Game(
        (
            "ann: /char new Ann str=11 dex=6 per=4 athletics=3 stealth=2 defence-extra=5 attack-extra=2",
            "bob: /char new 小波 力量=6 运动=3 感知=5 敏捷=2 潜行=1 防御附加=2",
            "gm: /char new Ogre str=16 per=2 dex=1 stealth=1 athletics=1 defence-extra=3 axe-extra=3",
        ),
        (
            "/check str+athletics dc=3", "/check 5 extra=2", "/check dex+stealth -2(fog)", "/check 7 again=9",
            "/oppose dex+stealth", "/resist 3", "/attack 6 target=Ogre", "/attack 7 target=Ann as=Ogre",
            "/attack 5 target=Ann,小波 as=Ogre", "/defend 1", "/defend 2 as=Ogre", "/set Ann 防御附加=5",
        ),
    ),
    "adventure": Game(
        (
            "ann: /char new Ann STR=1 DEX=0 INT=2 WIS=0 CHA=-1 damage=d8 hp=4 max_hp=7",
            "bob: /char new 小波 力量=0 敏捷=2 智力=1 感知=1 魅力=1 伤害=d6 生命=3 生命上限=3",
            "gm: /char new Bear STR=2 DEX=1 INT=0 WIS=0 CHA=0 damage=d6 hp=6 max_hp=6",
        ),
        (
            "/move defy STR", "/move defy DEX +1", "/move influence deceive", "/move sneak", "/move read", "/choose 1",
            "/choose 1", "/choose 2", "/choose 1 mark=angry", "/move clash melee vs=Bear",
            "/move cast MAG=1 stat=INT", "/move uncover adv", "/mark angry",
            "/clear angry", "/mark frightened", "/clear frightened", "/hp +3", "/set Ann hp=7", "/aid Ann depth",
            "/comfort Ann yes=1", "/xp 1", "/bond Ann +1", "/camp",
        ),
    ),
}  # fmt: skip


def write(path: Path, events: int, systems: Sequence[str] = SYSTEMS) -> None:
    """Make the log `path` with so many events."""
    log = SqliteLog(path)
    try:
        for number, system in enumerate(systems):
            _store(log, _Table(system, number), events // len(systems) + (number < events % len(systems)))
    finally:
        log.close()


class _Table:
    """A table that is played at in memory; a second goes by between two messages."""

    def __init__(self, system: str, number: int) -> None:
        self.log, self.game, self.chance = MemoryLog(), GAMES[system], random.Random(number)
        self.now, self.said = datetime(2020, 1, 1, tzinfo=UTC), 0
        self.app = App(self.log, self._clock, Seeds(1_000_000 * number))
        for line in (f"gm: /table new {system} {system.title()}", "gm: /lang en", "gm: /log on", *self.game.opening):
            self._say(line)

    @property
    def id(self) -> str:
        return self.log.tables()[0]

    def play_an_evening(self) -> None:
        self._say(f"gm: /session start Evening {self.said}")
        self._say("ann: /luck north wind")
        for _ in range(MESSAGES):
            self._say(f"{self.chance.choice(PEOPLE)}: {self._message()}")
        self._say("gm: /session end")

    def _message(self) -> str:
        drawn = self.chance.random()
        if drawn < TALK_SHARE:
            return self.chance.choice(SENTENCES)
        return self.chance.choice(TRIFLES if drawn < TALK_SHARE + TRIFLE_SHARE else self.game.played)

    def _say(self, line: str) -> None:
        name, _, text = line.partition(": ")
        self.said += 1
        self.app.hear(Incoming(key=MessageKey("bench", "main", str(self.said)), person=name, name=name, text=text))

    def _clock(self) -> str:
        self.now += timedelta(seconds=1)
        return self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _store(log: SqliteLog, table: _Table, events: int) -> None:
    """Evening after evening into the log, up to just so many events."""
    names, done = {one: one.title() for one in PEOPLE}, 0
    while done < events:
        table.play_an_evening()
        new = list(table.log.read(table.id, done, events))
        texts = table.log.texts(table.id, done, done + len(new)).values()
        log.append(table.id, done, new, Beside(texts=tuple(texts), names=names))
        done += len(new)


@click.command()
@click.argument("path", metavar="FILE", type=click.Path(exists=False, path_type=Path))
@click.argument("events", type=click.IntRange(1))
@click.argument("systems", metavar="[SYSTEM]…", nargs=-1, type=click.Choice(SYSTEMS))
def main(path: Path, events: int, systems: tuple[str, ...]) -> None:
    """Make a log of so many events."""
    write(path, events, systems or SYSTEMS)


if __name__ == "__main__":
    main()
