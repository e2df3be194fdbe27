"""The verbs of 无限恐怖, their commands and questions, and the house options.

Here: how the words behind a verb become a command. Never: whether it is allowed, or what follows.
"""

from __future__ import annotations

import re

from core.grammar.arguments import Arguments, whole
from core.grammar.pool import again_key, pool_text, rote_flag
from core.grammar.text import check_name
from core.grammar.verb import Command, Verb
from core.house import Option
from core.language import Phrase
from core.refusal import Refusal
from core.table.verbs import AS, DICE, SECRET

MOST_EXTRA = 1000
MOST_ATTACKS = 20  # in one action
WEAPON = re.compile(r"([^+]+)(?:\+(\d{1,4}))?")
NAME = re.compile(r"""["“「『]([^"”」』]*)["”」』]|([^,、"“「『]+)""")
REFLEXIVE = ("reflexive", "反射", "反射动作")


class PoolCommand(Command, frozen=True, kw_only=True):
    """`again` is the lowest face that goes again, None the usual 10, 11 never. `lose` successes are taken away.

    `reflexive`: it is no action, so defence extras do not come back with it (IT-12).
    """

    pool: str
    again: int | None = None
    rote: bool = False
    extra: int = 0
    lose: int = 0
    reflexive: bool = False


class Check(PoolCommand, frozen=True, kw_only=True):
    dc: int | None = None


class Oppose(PoolCommand, frozen=True, kw_only=True):
    pass


class Resist(PoolCommand, frozen=True, kw_only=True):
    """`against` names the first side; empty: the latest that waits."""

    against: str = ""


class Attack(PoolCommand, frozen=True, kw_only=True):
    """One action. `targets` one for each attack; `split` the attack extras of those that share a target.

    `weapons` are (name, extras given or -1) for each attack; `gain` extras come with the first hit (IT-10);
    `speed` is High Speed X (IT-14).
    """

    targets: tuple[str, ...] = ()
    split: tuple[int, ...] = ()
    weapons: tuple[tuple[str, int], ...] = ()
    gain: int = 0
    speed: int = 0


class Defend(Command, frozen=True, kw_only=True):
    """One number for each attack to come; none: the character acts and has its extras back."""

    attacks: tuple[int, ...]


# ---- reading


def _shared(arguments: Arguments) -> dict[str, object]:
    """What all throws of a pool share; the pool itself is read last, from what is left."""
    return {
        "again": again_key(arguments),
        "rote": rote_flag(arguments),
        "extra": arguments.number_key("extra", "附加", "附加成功", least=0, most=MOST_EXTRA) or 0,
        "lose": arguments.number_key("lose", "失去", least=0, most=MOST_EXTRA) or 0,
    }


def _pool(arguments: Arguments) -> str:
    text = pool_text(arguments)
    if not text:
        raise Refusal("bad_argument", "missing", what="pool")
    return text


def _read_check(arguments: Arguments) -> Command:
    shared = _shared(arguments)
    dc = arguments.number_key("dc", "难度", "tn", least=1, most=MOST_EXTRA)
    reflexive = arguments.flag(*REFLEXIVE)
    return Check(dc=dc, reflexive=reflexive, pool=_pool(arguments), **shared)  # type: ignore[arg-type]


def _read_oppose(arguments: Arguments) -> Command:
    shared = _shared(arguments)
    reflexive = arguments.flag(*REFLEXIVE)
    return Oppose(reflexive=reflexive, pool=_pool(arguments), **shared)  # type: ignore[arg-type]


def _read_resist(arguments: Arguments) -> Command:
    shared = _shared(arguments)
    against = arguments.key("vs", "对", "对抗")
    if against is not None and not against.strip():
        raise Refusal("bad_argument", "missing", what="name")
    return Resist(against=against or "", pool=_pool(arguments), **shared)  # type: ignore[arg-type]


def _read_attack(arguments: Arguments) -> Command:
    shared = _shared(arguments)
    targets = _names(arguments.key("target", "目标", "vs", "对"), "target")
    split = _numbers(arguments.key("split", "分配"))
    weapons = tuple(_weapon(one) for one in _names(arguments.key("weapon", "武器"), "weapon"))
    gain = arguments.number_key("gain", "获得", least=0, most=MOST_EXTRA) or 0
    speed = arguments.number_key("speed", "高速", least=0, most=MOST_EXTRA) or 0
    if max(len(targets), len(split), len(weapons)) > MOST_ATTACKS:
        raise Refusal("too_large", "attacks", limit=MOST_ATTACKS)
    return Attack(
        targets=targets, split=split, weapons=weapons, gain=gain, speed=speed, pool=_pool(arguments),
        **shared,  # type: ignore[arg-type]
    )  # fmt: skip


def _names(value: str | None, what: str) -> tuple[str, ...]:
    """`甲,"Ice King",乙`; `key=` with nothing behind it is refused."""
    names = [(quoted or plain).strip() for quoted, plain in NAME.findall(value or "")]
    if value is not None and not any(names):
        raise Refusal("bad_argument", "missing", what=what)
    return tuple(name for name in names if name)


def _numbers(value: str | None) -> tuple[int, ...]:
    parts = [part.strip() for part in re.split("[,、]", value)] if value is not None else []
    if not all(re.fullmatch(r"[0-9]{1,4}", part) for part in parts):
        raise Refusal("bad_argument", "split", got=value)
    return tuple(map(int, parts))


def _weapon(text: str) -> tuple[str, int]:
    match = WEAPON.fullmatch(text)
    if not match:
        raise Refusal("bad_argument", "weapon", got=text)
    return check_name(match[1]), int(match[2]) if match[2] else -1


def _read_defend(arguments: Arguments) -> Command:
    if arguments.one_of(("off", "恢复", "refresh", "act")):
        return Defend(attacks=())
    word = arguments.word("defence")
    attacks = tuple(whole(part, "defence", 0, MOST_EXTRA) for part in re.split("[,、]", word))
    if len(attacks) > MOST_ATTACKS:
        raise Refusal("too_large", "attacks", limit=MOST_ATTACKS)
    return Defend(attacks=attacks)


def bare(word: str) -> str | None:
    """This system has no bare forms."""
    return None


HOUSE: tuple[Option, ...] = (
    Option(
        key="opposed-tie", zh="对抗平手", default="first", values=("first", "challenger"),
        says=Phrase("对抗平手时：先手赢（first），或后手赢（challenger）",
                    "equal successes in an opposed roll: the first side wins (first) or the challenger does"),
    ),
    Option(
        key="late-defence", zh="事后防御", default="off", values=("on", "off"),
        says=Phrase("受到攻击之后再宣言防御附加也行", "defence extras may be put up after the attack was rolled"),
    ),
)  # fmt: skip

_ALL = frozenset({AS, DICE, SECRET})

_p = Phrase  # short: it stands in every row
VERBS: tuple[Verb, ...] = (
    Verb(
        name="check", zh=("检定",), also=("c",), takes=_ALL, read=_read_check,
        usage=_p("检定 骰池 [dc=3] [extra=2] [lose=1] [again=10|9|8|no] [rote] [reflexive]", "check POOL [dc=3] [extra=2] [lose=1] [again=10|9|8|no] [rote] [reflexive]"),
        says=_p("d10 检定；高属性的附加成功、角色卡上写的（如 运动附加=1）自动算", "a check with d10s; extra successes of high attributes, and those on the sheet (athletics-extra=1), count by themselves"),
        example=_p("检定 力量+运动 dc=3", "check str+athletics dc=3"),
    ),
    Verb(
        name="oppose", zh=("对抗",), takes=_ALL, read=_read_oppose,
        usage=_p("对抗 骰池 [extra=2] [lose=1] [again=10|9|8|no] [rote] [reflexive]", "oppose POOL [extra=2] [lose=1] [again=10|9|8|no] [rote] [reflexive]"),
        says=_p("对抗检定的先手：结果就是对方的难度", "the first side of an opposed roll: its total is the other's DC"),
        example=_p("对抗 敏捷+潜行", "oppose dex+stealth"),
    ),
    Verb(
        name="resist", zh=("抵抗",), takes=_ALL, read=_read_resist,
        usage=_p("抵抗 骰池 [vs=先手] [extra=2] [lose=1] [again=10|9|8|no] [rote]", "resist POOL [vs=NAME] [extra=2] [lose=1] [again=10|9|8|no] [rote]"),
        says=_p("对抗检定的后手：要比先手多", "the other side: it takes more than the first"),
        example=_p("抵抗 感知+调查", "resist per+investigation"),
    ),
    Verb(
        name="attack", zh=("攻击",), takes=_ALL, read=_read_attack,
        usage=_p("攻击 骰池 [extra=4] [target=甲,乙] [split=2,2] [weapon=长剑,巨斧+4] [gain=2] [speed=1] [lose=1] [again=10|9|8|no] [rote]",
                 "attack POOL [extra=4] [target=A,B] [split=2,2] [weapon=sword,axe+4] [gain=2] [speed=1] [lose=1] [again=10|9|8|no] [rote]"),
        says=_p("攻击：先减对方宣言的防御，剩下的才加攻击附加；多次攻击同一目标用 split 分配，gain 是命中后当场得到的附加，speed 是高速", "an attack: declared defence first, then the attack extras on what is left; several attacks on one target split them, gain comes with a hit, speed is High Speed"),
        example=_p("攻击 力量+格斗 extra=4 target=守卫", "attack str+brawl extra=4 target=Guard"),
    ),
    Verb(
        name="defend", zh=("防御",), takes=frozenset({AS}), read=_read_defend,
        usage=_p("防御 N[,N…] | 恢复", "defend N[,N…] | off"),
        says=_p("攻击掷骰之前宣言防御附加，每次攻击一个数；恢复：到了自己的行动，全部回来", "put up defence extras before the attack is rolled, a number for each attack; off: one's own action has come and they are back"),
        example=_p("防御 3", "defend 3"),
    ),
)  # fmt: skip
