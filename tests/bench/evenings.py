"""What people type at a table, made up by chance: the verbs that are most used most often, each with its own words.

Unlike `long_log.py` hardly two tables have a name in common, modifiers and comments vary, and few lines are in vain.
The same number gives the same table.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from core.registry import SYSTEMS

GM, ANN, BOB = "g", "a", "b"
EVENING = 250  # commands between the start of a session and its end
NAMES = (
    "Ann", "Brigid", "Corvin", "Dmitri", "Elowen", "Farid", "Greta", "Halvard", "Imogen", "Jorge", "Katya", "Lin",
    "Mirela", "Nkechi", "Orla", "Piet", "Quill", "Rosa", "小波", "明月", "阿福", "青石", "云生", "南风",
)  # fmt: skip
FOES = ("Wolf", "Ghoul", "Ogre", "Bear", "Raider", "Wraith", "Spider", "Drone", "Golem", "守卫", "冰怪", "影子")
_SLOT = re.compile(r"\{(\w+)\}")
_COMMENTS = (
    "from the roof", "with the lantern", "last chance", "小心脚下", "behind the door", "for the rope", "再来一次",
)  # fmt: skip
_CAUSES = ("dark", "cover", "aim", "tools", "help", "fog", "ground", "瞄准", "黑暗", "掩护")

Choice = Callable[[random.Random], str]


def _one_of(*options: str) -> Choice:
    return lambda chance: chance.choice(options)


def _modifier(chance: random.Random) -> str:
    """None, as mostly; plain; or with its cause."""
    number = f"{chance.choice((-4, -3, -2, -1, 1, 2, 3)):+d}"
    return chance.choice(("", "", "", f" {number}", f" {number}({chance.choice(_CAUSES)})"))


def _dice(chance: random.Random) -> str:
    added = chance.choice(("", "+1", "+2", "+3"))
    return f"{chance.randint(1, 5)}d{chance.choice((4, 6, 8, 10, 12, 20))}{added}"


def _note(chance: random.Random) -> str:
    return f" # {chance.choice(_COMMENTS)}" if chance.random() < 0.12 else ""


SHARED: Mapping[str, Choice] = {
    "mod": _modifier,
    "note": _note,
    "dice": _dice,
    "count": lambda chance: str(chance.randint(1, 9)),
    "place": _one_of("The crevasse", "Old mill", "Harbour at night", "雪原", "A long stair", "The third gate", "旧桥"),
    "few": _one_of("1", "2", "3"),
    "label": lambda chance: f"{chance.choice(_CAUSES)}-{chance.randint(2, 99)}",
}  # fmt: skip
# (weight, who, line); "p" is one of the two players.
COMMON = (
    (4, "p", "/roll {dice}{note}"), (2, "g", "/roll {dice}"), (1, "p", "/roll d%{note}"), (1, "g", "/scene {place}"),
    (1, "p", "/sheet"), (1, "g", "/undo"), (1, "g", "/history {count}"), (1, "g", "/roll {dice} secret"),
)  # fmt: skip


class Game(Struct, frozen=True):
    """`opening` sets a table up, once; `played` is done there, by weight; `slots` are the words of its own."""

    opening: tuple[tuple[str, str], ...]
    played: tuple[tuple[int, str, str], ...]
    slots: Mapping[str, Choice]


GAMES: Mapping[str, Game] = {
    "savage": Game(
        (
            (ANN, "/char new {ann} athletics=d8 fighting=d6 notice=d6 spirit=d6 vigor=d6 toughness=5 pp=10 max_pp=10"),
            (BOB, "/char new {bob} 运动=d6 射击=d8 notice=d8 精神=d4 活力=d8 坚韧=6 fighting=d4"),
            (GM, "/char new {foe} extra fighting=d6 notice=d4 toughness=4"),
            (GM, "/char new {boss} wild fighting=d10 spirit=d8 notice=d6 toughness=7"),
        ),
        (
            (22, "p", "/trait {skill}{mod}{note}"), (6, "p", "/trait d{die}{mod}{note}"),
            (4, "p", "。特性 {skill}{mod}"), (3, "p", "/trait {skill} tn={tn}"),
            (6, "g", "/trait fighting as={foe}{mod}"), (5, "g", "/trait {skill} as={boss}{mod}{note}"),
            (4, "p", "/damage {harm} vs={foe}"), (3, "p", "/damage {harm} raise vs={boss}"),
            (3, "g", "/damage {harm} vs={ann}"), (2, "g", "/group d{die}{mod}"), (4, "p", "/reroll"),
            (5, "g", "/benny give {ann}"), (5, "g", "/benny give {bob}"), (1, "p", "/benny list"),
            (2, "p", "/shaken on"), (2, "p", "/unshake"), (1, "p", "/wound 1"), (1, "p", "/wound -1"),
            (1, "g", "/init deal"), (1, "g", "/init next"), (1, "g", "/init list"),
            (2, "a", "/set pp-={few}"), (1, "a", "/set pp=10"), (2, "a", "/oppose d{die}"), (2, "b", "/resist d{die}"),
        ),
        {
            "skill": _one_of("athletics", "fighting", "notice", "spirit", "vigor", "运动", "精神", "活力"),
            "die": _one_of("4", "6", "8", "10", "12"), "tn": _one_of("4", "5", "6", "8"),
            "harm": _one_of("2d6", "2d6+1", "2d8", "d6+d8", "3d6", "2d4+2", "d10+d6"),
        },
    ),
    "storytelling": Game(
        (
            (ANN, "/char new {ann} wits=4 crafts=3 str=3 athletics=1 dex=2 stealth=3"),
            (BOB, "/char new {bob} 机智=2 工艺=1 力量=2 运动=4 敏捷=3 潜行=2"),
            (GM, "/char new {foe} str=5 athletics=2 wits=1 crafts=1 dex=2 stealth=2"),
            (GM, "/char new {boss} str=4 athletics=4 wits=3 crafts=1 dex=4 stealth=1"),
        ),
        (
            (20, "p", "/pool {trait}+{skill}{mod}{note}"), (8, "p", "/pool {count}{mod}{note}"),
            (4, "p", "。骰池 {count}{mod}"), (5, "p", "/pool {trait}+{skill} again={again}"),
            (5, "g", "/pool {trait}+{skill} as={foe}{mod}"), (4, "g", "/pool {trait}+{skill} as={boss}{mod}"),
            (4, "g", "/extended new {deed}{label} target={count} every=15m {count}"), (1, "g", "/extended list"),
            (1, "a", "/set wits={few}"), (1, "b", "/set crafts={few}"), (3, "g", "/store {deed}{label} {count}"),
            (2, "p", "/pool 0"),
        ),
        {
            "trait": _one_of("wits", "str", "dex"), "skill": _one_of("crafts", "athletics", "stealth"),
            "again": _one_of("9", "8", "no"), "deed": _one_of("Lock", "Wall", "Climb", "Ledger", "仪式", "修车"),
        },
    ),
    "infinite": Game(
        (
            (ANN, "/char new {ann} str=11 dex=6 per=4 athletics=3 stealth=2 defence-extra=5 attack-extra=2"),
            (BOB, "/char new {bob} 力量=6 运动=3 per=5 dex=2 潜行=1 防御附加=2"),
            (GM, "/char new {foe} str=16 per=2 dex=1 stealth=1 athletics=1 defence-extra=3"),
            (GM, "/char new {boss} str=9 per=6 dex=5 stealth=3 athletics=2 defence-extra=6"),
        ),
        (
            (20, "p", "/check {trait}+{skill}{mod}{note}"), (8, "p", "/check {trait}+{skill} dc={few}{mod}"),
            (6, "p", "/check {count} extra={few}{note}"), (4, "p", "。检定 {count}{mod}"),
            (4, "g", "/check {trait}+{skill} as={foe}{mod}"), (4, "a", "/oppose {trait}+{skill}"),
            (4, "b", "/resist {count}"), (5, "p", "/attack {count} target={foe}"),
            (4, "p", "/attack {count} extra={few} target={boss}{note}"),
            (4, "g", "/attack {count} target={ann} as={foe}"),
            (2, "p", "/defend 1"), (2, "a", "/set defence-extra=5"), (3, "p", "/calc {count}*{count}+{few}"),
        ),
        {"trait": _one_of("str", "dex", "per"), "skill": _one_of("athletics", "stealth")},
    ),
    "adventure": Game(
        (
            (ANN, "/char new {ann} STR=1 DEX=0 INT=2 WIS=0 CHA=-1 damage=d8 hp=4 max_hp=7"),
            (BOB, "/char new {bob} 力量=0 敏捷=2 智力=1 感知=1 魅力=1 伤害=d6 生命=3 生命上限=3"),
            (GM, "/char new {foe} STR=2 DEX=1 INT=0 WIS=0 CHA=0 damage=d6 hp=6 max_hp=6"),
            (GM, "/char new {boss} STR=3 DEX=0 INT=1 WIS=1 CHA=0 damage=d10 hp=9 max_hp=9"),
        ),
        (
            (16, "p", "/move defy {stat}{mod}{note}"), (6, "p", "/move defy {stat} {adv}"),
            (4, "p", "/move sneak{mod}"), (4, "p", "/move read{note}"), (4, "p", "/move influence deceive{mod}"),
            (3, "p", "/move uncover {adv}"),
            (4, "p", "。动作 defy {stat}{mod}"), (1, "p", "/mark {condition}"),
            (1, "p", "/clear {condition}"), (2, "p", "/hp -1"), (2, "p", "/hp +1"), (2, "p", "/xp 1"),
            (2, "a", "/bond {bob} +1"), (1, "b", "/bond {ann} +1"), (3, "p", "/move recall yes={few}"),
            (2, "p", "/set hp=3"),
        ),
        {
            "stat": _one_of("STR", "DEX", "INT", "WIS", "CHA"), "adv": _one_of("adv", "dis"),
            "condition": _one_of("angry", "distracted", "exhausted", "frightened", "insecure"),
        },
    ),
}  # fmt: skip


class Line(Struct, frozen=True):
    """`who` types `text`."""

    who: str
    text: str


class Evenings:
    """One table, evening after evening; `number` says which."""

    def __init__(self, number: int) -> None:
        system = SYSTEMS[number % len(SYSTEMS)]
        self._game, self._chance, self._typed = GAMES[system], random.Random(number), 0
        ann, bob = self._chance.sample(NAMES, 2)
        foe, boss = self._chance.sample(FOES, 2)
        named = {"ann": _one_of(ann), "bob": _one_of(bob), "foe": _one_of(foe), "boss": _one_of(boss)}
        self._slots = {**SHARED, **self._game.slots, **named}
        self._played = (*self._game.played, *COMMON)
        self._weights = [weight for weight, _, _ in self._played]
        title = f"/table new {system} Campaign {number}"
        self.opening = [Line(GM, title), *(self._filled(who, text) for who, text in self._game.opening), self._begun()]

    def typed(self, count: int) -> Sequence[Line]:
        """What is typed next."""
        return [self._next() for _ in range(count)]

    def _next(self) -> Line:
        self._typed += 1
        if place := self._typed % EVENING:
            return self._begun() if place == 1 and self._typed > 1 else self._command()
        return Line(GM, "/session end")

    def _begun(self) -> Line:
        return Line(GM, f"/session start Evening {self._typed // EVENING + 1}")

    def _command(self) -> Line:
        ((_, who, text),) = self._chance.choices(self._played, self._weights)
        return self._filled(self._chance.choice((ANN, BOB)) if who == "p" else who, text)

    def _filled(self, who: str, text: str) -> Line:
        return Line(who, _SLOT.sub(lambda slot: self._slots[slot[1]](self._chance), text))


def again_share(texts: Sequence[str]) -> float:
    """Of these lines, what share was typed before among them, letter by letter."""
    return 1 - len(set(texts)) / len(texts)
