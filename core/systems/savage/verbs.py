"""The verbs of Savage Worlds, their commands and questions, the bare forms people type, and the house options.

Here: how the words behind a verb become a command. Never: whether it is allowed, or what follows.
"""

from __future__ import annotations

import re
from itertools import pairwise

from msgspec import Struct

from core.grammar.arguments import Arguments, whole
from core.grammar.text import Token, check_name, fold
from core.grammar.verb import Command, Question, Verb
from core.house import Option
from core.language import Phrase
from core.refusal import Refusal
from core.systems.savage.rules import DIE, STEPS, TARGET, is_trait, trait_name
from core.table.verbs import AS, DICE, SECRET
from events.types import Modifier

MAX_TRAIT_DICE = 20  # in one action
MAX_DAMAGE_DICE = 50
MAX_BENNIES = 100  # given at once
BARE = re.compile(r"(s|sw|e)(\d{1,4})(.*)|d(\d{1,4})w(.*)", re.IGNORECASE | re.DOTALL)
COMMENTED = re.compile(r"([^()]+)(\(.*\))", re.DOTALL)
BARE_STEPS = re.compile(r"(?:[+-]\d+(?:\([^()]*\))?)+$")
TERM = re.compile(r"([+-]?)(?:(\d{0,6})d(\d{1,7})|(\d{1,7})|([^\W\d_][^+\-()=]*))(?:\(([^()]*)\))?", re.IGNORECASE)
PURPOSES = {
    "unshake": "unshake", "摆脱动摇": "unshake", "动摇": "unshake",
    "soak": "soak", "化解": "soak", "化解骰": "soak",
    "card": "card", "换牌": "card", "动作卡": "card", "抽卡": "card",
    "damage": "damage", "伤害": "damage", "重骰伤害": "damage",
    "power": "power", "奇术点": "power", "奇术": "power",
    "story": "story", "剧情": "story", "影响故事": "story",
    "reroll": "reroll", "重骰": "reroll",
}  # fmt: skip
KNOWN_PURPOSES = tuple(
    Phrase(next(word for word, one in PURPOSES.items() if one == purpose and not word.isascii()), purpose)
    for purpose in dict.fromkeys(PURPOSES.values())
)
EDGES = {
    "quick": "quick", "迅捷": "quick",
    "level-headed": "level-headed", "levelheaded": "level-headed", "level": "level-headed",
    "身先士卒": "level-headed", "沉着": "level-headed", "冷静": "level-headed",
    "hesitant": "hesitant", "犹豫不决": "hesitant", "犹豫": "hesitant",
}  # fmt: skip


class TraitCommand(Command, frozen=True, kw_only=True):
    """A trait roll. `trait` is a canonical name or a die such as d8; `wild` the Wild Die's sides, None the usual."""

    trait: str
    modifiers: tuple[Modifier, ...] = ()
    target: int = TARGET
    count: int = 1
    wild: int | None = None
    extra: bool = False
    crit: bool = False
    unskilled: bool = False


class RollTrait(TraitCommand, frozen=True, kw_only=True):
    pass


class RollGroup(TraitCommand, frozen=True, kw_only=True):
    pass


class Oppose(TraitCommand, frozen=True, kw_only=True):
    pass


class Resist(TraitCommand, frozen=True, kw_only=True):
    """`against` names the active side; empty: the latest open one."""

    against: str = ""


class Unshake(TraitCommand, frozen=True, kw_only=True):
    pass


class Reroll(Command, frozen=True, kw_only=True):
    """`edge` empty: a Benny pays, from `source`: own, pool, or empty for own first. `roll`: of this roll and no other."""

    edge: str = ""
    source: str = ""
    roll: int | None = None


class DamageTerm(Struct, frozen=True):
    """`count` dice of `sides`, or the die of `trait`, or a number; `sign` is 1 or -1."""

    sign: int
    count: int = 0
    sides: int = 0
    number: int = 0
    trait: str = ""
    name: str = ""


class RollDamage(Command, frozen=True, kw_only=True):
    """`against` is a Toughness as digits, or a character's name, or empty."""

    terms: tuple[DamageTerm, ...]
    label: str
    raised: bool
    against: str = ""


class ListBennies(Question, frozen=True, kw_only=True):
    pass


class GiveBenny(Command, frozen=True, kw_only=True):
    to: str
    count: int


class SpendBenny(Command, frozen=True, kw_only=True):
    """`purpose` as in `PURPOSES`; `source` own, pool or empty; `modifiers` for a soak roll."""

    purpose: str
    source: str = ""
    modifiers: tuple[Modifier, ...] = ()


class Wound(Command, frozen=True, kw_only=True):
    count: int


class SetShaken(Command, frozen=True, kw_only=True):
    shaken: bool


class DealCards(Command, frozen=True, kw_only=True):
    pass


class JoinInitiative(Command, frozen=True, kw_only=True):
    name: str
    edges: tuple[str, ...]


class LeaveInitiative(Command, frozen=True, kw_only=True):
    name: str


class ShowInitiative(Question, frozen=True, kw_only=True):
    pass


class NextTurn(Command, frozen=True, kw_only=True):
    """`name` empty: the highest card that has not acted; else a Joker or one on hold steps in."""

    name: str = ""


class EndInitiative(Command, frozen=True, kw_only=True):
    pass


class KeepCard(Command, frozen=True, kw_only=True):
    option: int


# ---- reading


def _traits(arguments: Arguments, word: str | None = None) -> dict[str, object]:
    """The words that all trait rolls share."""
    shared: dict[str, object] = {
        "wild": _wild_die(arguments.key("wild", "不羁骰", "不羁")),
        "extra": arguments.flag("extra", "龙套"),
        "crit": arguments.flag("crit", "大失败"),
        "unskilled": arguments.flag("unskilled", "拙劣", "拙劣尝试"),
        "modifiers": tuple(arguments.modifiers(STEPS)),
    }
    return {**shared, "trait": word or _trait(_uncommented(arguments))}


def _uncommented(arguments: Arguments) -> str:
    """The trait's word; a bracket that leans on it is a comment: `潜行(夜里)`."""
    match = COMMENTED.fullmatch(arguments.tokens[0].text) if arguments.tokens else None
    if match is None or arguments.tokens[0].quoted:
        return arguments.word("trait")
    token, head = arguments.tokens.pop(0), len(match[1])
    arguments.asides.append(Token(match[2], token.raw[head:], token.at + head, aside=True))
    return match[1]


def _target(arguments: Arguments) -> int:
    return arguments.number_key("tn", "目标", "目标数", "难度", least=1, most=999) or TARGET


def _trait(word: str) -> str:
    """A die as `d8`, or a trait's canonical name."""
    match = DIE.fullmatch(fold(word))
    if match:
        return f"d{int(match[1])}"
    if re.fullmatch(r"[+-]?[\d.]+", word) or re.fullmatch(r"\d+d\d+", fold(word)):
        raise Refusal("bad_argument", "trait_or_die", got=word)
    return trait_name(word)


def _wild_die(value: str | None) -> int | None:
    if value is None:
        return None
    match = re.fullmatch(r"d?(\d{1,3})", fold(value))
    if not match or int(match[1]) not in (4, 6, 8, 10, 12):
        raise Refusal("bad_argument", "wild_die", got=value)
    return int(match[1])


def _count(arguments: Arguments) -> int:
    """`x3`, `×3`: so many trait dice in one action."""
    for place, token in enumerate(arguments.tokens):
        match = re.fullmatch(r"[x×*](\d{1,4})", fold(token.text))
        if match and not token.quoted:
            del arguments.tokens[place]
            return whole(match[1], "count", 1, MAX_TRAIT_DICE)
    return 1


def read_trait(arguments: Arguments) -> RollTrait:
    """A trait roll from its words."""
    target, count = _target(arguments), _count(arguments)
    return RollTrait(target=target, count=count, **_traits(arguments))  # type: ignore[arg-type]


def _read_group(arguments: Arguments) -> Command:
    return RollGroup(target=_target(arguments), **_traits(arguments))  # type: ignore[arg-type]


def _read_oppose(arguments: Arguments) -> Command:
    return Oppose(count=_count(arguments), **_traits(arguments))  # type: ignore[arg-type]


def _read_resist(arguments: Arguments) -> Command:
    against = arguments.key("vs", "对", "对抗") or ""
    return Resist(against=against, count=_count(arguments), **_traits(arguments))  # type: ignore[arg-type]


def _read_unshake(arguments: Arguments) -> Command:
    return Unshake(target=_target(arguments), **_traits(arguments, "spirit"))  # type: ignore[arg-type]


def _read_reroll(arguments: Arguments) -> Command:
    edge = arguments.key("edge", "专长")
    if edge is not None:
        edge = check_name(edge)
    roll = arguments.number_key("roll", "骰号", most=10**6)
    return Reroll(edge=edge or "", source=_source(arguments), roll=roll)


def _source(arguments: Arguments) -> str:
    value = arguments.key("from", "来源", "从")
    if value is None:
        return ""
    if fold(value) in ("own", "自己"):
        return "own"
    if fold(value) in ("pool", "池", "主持池", "共用池"):
        return "pool"
    raise Refusal("bad_argument", "benny_source", got=value)


def _read_damage(arguments: Arguments) -> Command:
    given = arguments.key("vs", "对", "坚韧")
    against = given or ""
    raised = arguments.flag("raise", "优良")
    if given is not None and not against:
        raise Refusal("bad_argument", "missing", what="toughness")
    if re.fullmatch(r"-?\d+", against):
        whole(against, "toughness", 1, 999)
    for before, behind in pairwise(arguments.tokens):
        if before.text[-1:] not in ("+", "-") and behind.text[:1] not in ("+", "-"):
            raise Refusal("bad_argument", "damage_term", mark=behind.raw, at=behind.at)
    text = "".join(token.text for token in arguments.tokens)
    arguments.tokens = []
    if not text:
        raise Refusal("bad_argument", "missing", what="damage")
    return RollDamage(terms=_terms(text), label=text[:120], raised=raised, against=against)


def _terms(text: str) -> tuple[DamageTerm, ...]:
    """`2d6+str+1` in its terms; what is no term is refused with its place."""
    terms: list[DamageTerm] = []
    at = 0
    while at < len(text):
        match = TERM.match(text, at)
        if not match or (at and not match[1]):
            raise Refusal("bad_argument", "damage_term", mark=text[at : at + 12], at=at + 1)
        terms.append(_term(match))
        at = match.end()
    if not any(term.sides or term.trait for term in terms):
        raise Refusal("bad_argument", "no_dice", got=text[:60])
    if sum(term.count for term in terms) > MAX_DAMAGE_DICE:
        raise Refusal("too_large", "many_dice", limit=MAX_DAMAGE_DICE)
    return tuple(terms)


def _term(match: re.Match[str]) -> DamageTerm:
    sign, name = -1 if match[1] == "-" else 1, (match[6] or "").strip()[:64]
    if match[4]:
        return DamageTerm(sign, number=whole(match[4], "number", 0, 999), name=name)
    if match[5]:
        return DamageTerm(sign, count=1, trait=trait_name(match[5].strip()), name=name)
    count = whole(match[2], "count", 1, 1000) if match[2] else 1
    if sign < 0:
        raise Refusal("bad_argument", "minus_dice", got=match[0])
    return DamageTerm(sign, count, whole(match[3], "sides", 2, 1000), name=name)


def _read_benny(arguments: Arguments) -> Command:
    if arguments.one_of(("give", "给")):
        return GiveBenny(to=arguments.word("name"), count=arguments.number("count", 1, MAX_BENNIES, 1))
    if arguments.one_of(("spend", "花", "用")):
        return _read_spend(arguments)
    if not arguments.tokens or arguments.one_of(("list", "列表")):
        return ListBennies()
    raise Refusal("bad_argument", "subverb", got=arguments.word("subverb"), expected=("list", "give", "spend"))


def _read_spend(arguments: Arguments) -> Command:
    source = _source(arguments)
    modifiers = tuple(arguments.modifiers(STEPS))
    word = arguments.word("purpose")
    purpose = PURPOSES.get(fold(word))
    if purpose is None:
        raise Refusal("bad_argument", "purpose", got=word, known=KNOWN_PURPOSES)
    if purpose == "reroll":
        return Reroll(source=source)
    return SpendBenny(purpose=purpose, source=source, modifiers=modifiers)


def _read_wound(arguments: Arguments) -> Command:
    count = arguments.number("count", -20, 20)
    if count == 0:
        raise Refusal("bad_argument", "number", what="count", got="0", least=1, most=20)
    return Wound(count=count)


def _read_shaken(arguments: Arguments) -> Command:
    if arguments.one_of(("off", "关", "否", "解除", "no")):
        return SetShaken(shaken=False)
    if arguments.one_of(("on", "开", "是", "yes")):
        return SetShaken(shaken=True)
    raise Refusal("bad_argument", "subverb", got=arguments.word("subverb"), expected=("on", "off"))


def _read_init(arguments: Arguments) -> Command:
    if not arguments.tokens or arguments.one_of(("list", "列表")):
        return ShowInitiative()
    if arguments.one_of(("deal", "发牌", "发")):
        return DealCards()
    if arguments.one_of(("next", "下一个", "下一位", "继续")):
        return NextTurn(name=arguments.maybe() or "")
    if arguments.one_of(("end", "结束")):
        return EndInitiative()
    if arguments.one_of(("keep", "保留", "留")):
        return KeepCard(option=arguments.number("option", 1, 54))
    if arguments.one_of(("leave", "离开", "退出")):
        return LeaveInitiative(name=arguments.word("name"))
    if arguments.one_of(("join", "加入")):
        return _read_join(arguments)
    expected = ("deal", "list", "next", "end", "join", "keep", "leave")
    raise Refusal("bad_argument", "subverb", got=arguments.word("subverb"), expected=expected)


def _read_join(arguments: Arguments) -> Command:
    edges = tuple(dict.fromkeys(edge for word, edge in EDGES.items() if arguments.flag(word)))
    if {"level-headed", "hesitant"} <= set(edges):
        raise Refusal("bad_argument", "edges_clash")
    return JoinInitiative(name=arguments.maybe() or "", edges=edges)


def bare(word: str) -> str | None:
    """`s8`, `sw8+2`, `d8w` are `trait d8`, `e8` is an Extra's; a trait's name alone is its roll: `。察觉`, `/notice+1`."""
    match = BARE.fullmatch(word)
    if not match:
        return f"trait {word}" if is_trait(BARE_STEPS.sub("", word)) else None
    sides, rest = match[2] or match[4], match[3] or match[5] or ""
    if rest[:1] not in ("", "+", "-", "("):
        return None
    return f"trait d{sides}{rest}{' extra' if (match[1] or '').lower() == 'e' else ''}"


def _mark(value: str) -> str:
    if len(value) > 8:
        raise Refusal("too_large", "mark", limit=8)
    return value


def _starting(value: str) -> str:
    return str(whole(value, "count", 0, 20))


HOUSE: tuple[Option, ...] = (
    Option(
        key="wild-mark", zh="不羁标记", default="★", check=_mark,
        says=Phrase("不羁角色名字前的标记", "the mark before a Wild Card's name"),
    ),
    Option(
        key="extra-crit", zh="龙套大失败", default="roll", values=("roll", "natural"),
        says=Phrase("龙套带 crit 骰出 1 时：再掷 d6，出 1 才是大失败（roll），或直接算大失败（natural）",
                    "an Extra's natural 1 with crit: a d6 decides (roll), or it is critical by itself (natural)"),
    ),
    Option(
        key="unskilled", zh="拙劣尝试", default="on", values=("on", "off"),
        says=Phrase("没有技能时可以 d4-2 尝试", "a roll without the skill is allowed, at d4-2"),
    ),
    Option(
        key="bennies", zh="起始助力点", default="3", check=_starting,
        says=Phrase("每位玩家每场开始时的助力点", "Bennies of each player when a session starts"),
    ),
)  # fmt: skip

_ALL = frozenset({AS, DICE, SECRET})

_p = Phrase  # short: it stands in every row
VERBS: tuple[Verb, ...] = (
    Verb(
        name="trait", zh=("特性",), also=("t",), takes=_ALL, read=read_trait,
        usage=_p("特性 骰或特性 [修正] [tn=4] [x3] [wild=d6] [extra] [crit] [unskilled]",
                 "trait DIE|TRAIT [MODS] [tn=4] [x3] [wild=d6] [extra] [crit] [unskilled]"),
        says=_p("特性骰，不羁角色带不羁骰（/s8、/sw8+2、/d8w 也行）",
                "a trait roll, with the Wild Die for a Wild Card (/s8, /sw8+2, /d8w do too)"),
        example=_p("特性 潜行 -2(夜里)", "trait stealth -2(dark)"),
        words=(_p("困难", "hard"), _p("简单", "easy")),
    ),
    Verb(
        name="group", zh=("团队骰",), takes=_ALL, read=_read_group,
        usage=_p("团队骰 骰或特性 [修正]", "group DIE|TRAIT [MODS]"),
        says=_p("一队龙套一起掷：一枚特性骰加一枚不羁骰", "one roll for like Extras: a trait die and a Wild Die"),
        example=_p("团队骰 d6", "group d6"),
    ),
    Verb(
        name="reroll", zh=("重骰",), also=("rr",), takes=frozenset({AS, DICE}), read=_read_reroll,
        usage=_p("重骰 [edge=专长] [from=pool]", "reroll [edge=NAME] [from=pool]"),
        says=_p("花 1 助力点（或用专长）重掷上次特性骰，取较好的",
                "a Benny (or an Edge) for the last trait roll; the better result stands"),
        example=_p("重骰", "reroll"),
    ),
    Verb(
        name="oppose", zh=("对抗",), takes=_ALL, read=_read_oppose,
        usage=_p("对抗 骰或特性 [修正]", "oppose DIE|TRAIT [MODS]"),
        says=_p("对抗骰的主动方先掷", "the active side of an opposed roll"),
        example=_p("对抗 潜行", "oppose stealth"),
    ),
    Verb(
        name="resist", zh=("抵抗",), takes=_ALL, read=_read_resist,
        usage=_p("抵抗 骰或特性 [修正] [vs=主动方]", "resist DIE|TRAIT [MODS] [vs=NAME]"),
        says=_p("防御方应对；平手算防御方赢", "the defender answers; a tie is the defender's"),
        example=_p("抵抗 察觉", "resist notice"),
    ),
    Verb(
        name="damage", zh=("伤害",), also=("dmg",), takes=_ALL, read=_read_damage,
        usage=_p("伤害 2d6+1 [raise] [vs=坚韧或角色]", "damage 2d6+1 [raise] [vs=TOUGHNESS|NAME]"),
        says=_p("伤害骰，优良加 1d6；对着角色时直接算动摇和损伤",
                "damage, a raise adds a d6; against a character Shaken and wounds are marked"),
        example=_p("伤害 力量+d6 优良 vs=7", "damage str+d6 raise vs=7"),
    ),
    Verb(
        name="benny", zh=("助力", "助力点"), also=("bennies",), takes=frozenset({AS, DICE}), read=_read_benny,
        usage=_p("助力 [列表] | 给 名字 [数量] | 花 重骰|摆脱动摇|化解|换牌|伤害|奇术点|剧情 [from=pool]",
                 "benny [list] | give NAME [N] | spend reroll|unshake|soak|card|damage|power|story [from=pool]"),
        says=_p("看、给、花助力点", "show, award or spend Bennies"),
        example=_p("助力 给 小红 1 # 救了孩子", "benny give Red 1 # saved the child"),
        words=(_p("给", "give"), _p("花", "spend"), _p("列表", "list"), _p("化解", "soak"), _p("换牌", "card")),
    ),
    Verb(
        name="wound", zh=("损伤",), takes=frozenset({AS}), read=_read_wound,
        usage=_p("损伤 N 或 -N", "wound N or -N"), says=_p("记损伤或治好损伤", "mark wounds, or heal them"),
        example=_p("损伤 1", "wound 1"),
    ),
    Verb(
        name="shaken", zh=("动摇",), takes=frozenset({AS}), read=_read_shaken,
        usage=_p("动摇 开|关", "shaken on|off"), says=_p("进入或解除动摇", "Shaken, or no longer"),
        example=_p("动摇 开", "shaken on"), words=(_p("开", "on"), _p("关", "off")),
    ),
    Verb(
        name="unshake", zh=("摆脱动摇",), takes=frozenset({AS, DICE}), read=_read_unshake,
        usage=_p("摆脱动摇 [修正]", "unshake [MODS]"), says=_p("掷心志摆脱动摇", "a Spirit roll to shake it off"),
        example=_p("摆脱动摇", "unshake"),
    ),
    Verb(
        name="init", zh=("先攻",), also=("initiative",), takes=frozenset({AS}), read=_read_init,
        usage=_p("先攻 发牌 | 列表 | 下一个 [名字] | 结束 | 加入 名字 [迅捷] [身先士卒] [犹豫不决] | 离开 名字 | 保留 N",
                 "init deal | list | next [NAME] | end | join NAME [quick] [level-headed] [hesitant] | leave NAME | keep N"),
        says=_p("动作卡：发牌、轮次、换牌后的保留", "action cards: deal, whose turn, which card to keep"),
        example=_p("先攻 加入 守卫 迅捷", "init join Guard quick"),
        words=(_p("发牌", "deal"), _p("下一个", "next"), _p("列表", "list"), _p("结束", "end"), _p("加入", "join"), _p("保留", "keep")),
    ),
)  # fmt: skip
