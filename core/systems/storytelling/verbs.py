"""The verbs of Storytelling, their commands and questions, and the house options.

Here: how the words behind a verb become a command. Never: whether it is allowed, or what follows.
"""

from __future__ import annotations

from core.grammar.arguments import Arguments, unquoted
from core.grammar.pool import again_key, pool_text, rote_flag
from core.grammar.text import check_name
from core.grammar.verb import Command, Question, Verb
from core.house import Option
from core.language import Phrase
from core.refusal import Refusal
from core.systems.storytelling import rules
from core.table.verbs import AS, DICE, LIST, SECRET

MOST_SIDES = 20


class RollPool(Command, frozen=True, kw_only=True):
    """`again` is the lowest face that goes again, None the usual 10, 11 never."""

    pool: str
    again: int | None = None
    rote: bool = False
    reflexive: bool = False


class StartExtended(Command, frozen=True, kw_only=True):
    """`target` and `every_s` as read; `limit` as typed, since it may need the pool (ST-08)."""

    title: str
    target: int
    every_s: int
    limit: str
    pool: str
    hidden: bool


class RollExtended(Command, frozen=True, kw_only=True):
    """`words`: the title, if any, then the pool, if any."""

    words: tuple[str, ...]
    again: int | None = None
    rote: bool = False


class ModifyExtended(Command, frozen=True, kw_only=True):
    """`words`: the title, if any, then the step, as `-4(fire)`."""

    words: tuple[str, ...]


class RetryExtended(Command, frozen=True, kw_only=True):
    title: str


class EndExtended(Command, frozen=True, kw_only=True):
    title: str


class ListExtended(Question, frozen=True, kw_only=True):
    pass


class OpenContest(Command, frozen=True, kw_only=True):
    """`sides` by name, or none; `size` of them."""

    title: str
    target: int | None
    every_s: int | None
    size: int
    sides: tuple[str, ...]


class RollContest(Command, frozen=True, kw_only=True):
    title: str
    pool: str
    again: int | None = None
    rote: bool = False


class VoidContest(Command, frozen=True, kw_only=True):
    title: str


class ReopenContest(Command, frozen=True, kw_only=True):
    title: str


class ListContests(Question, frozen=True, kw_only=True):
    pass


class Store(Command, frozen=True, kw_only=True):
    title: str
    pool: str
    again: int | None = None
    rote: bool = False


class RemoveStored(Command, frozen=True, kw_only=True):
    title: str


class ListStored(Question, frozen=True, kw_only=True):
    pass


class Challenge(Command, frozen=True, kw_only=True):
    title: str
    pool: str
    again: int | None = None
    rote: bool = False


# ---- reading


def _title(arguments: Arguments) -> str:
    return check_name(arguments.word("title"))


def _thrown(arguments: Arguments) -> dict[str, object]:
    """What all throws of a pool share."""
    return {"again": again_key(arguments), "rote": rote_flag(arguments)}


def _read_pool(arguments: Arguments) -> Command:
    shared = _thrown(arguments)
    reflexive = arguments.flag("reflexive", "反射", "反射动作")
    return RollPool(reflexive=reflexive, pool=_pool(arguments), **shared)  # type: ignore[arg-type]


def _pool(arguments: Arguments) -> str:
    text = pool_text(arguments)
    if not text:
        raise Refusal("bad_argument", "missing", what="pool")
    return text


def _read_extended(arguments: Arguments) -> Command:
    if not arguments.tokens or arguments.one_of(LIST):
        return ListExtended()
    if arguments.one_of(("new", "新建", "开始")):
        return _read_start(arguments)
    if arguments.one_of(("roll", "掷", "骰", "继续")):
        shared = _thrown(arguments)
        return RollExtended(words=_words(arguments), **shared)  # type: ignore[arg-type]
    if arguments.one_of(("retry", "再试", "重试")):
        return RetryExtended(title=arguments.maybe() or "")
    if arguments.one_of(("mod", "modify", "修正")):
        return ModifyExtended(words=_words(arguments))
    if arguments.one_of(("end", "结束", "停止")):
        return EndExtended(title=arguments.maybe() or "")
    expected = ("new", "roll", "retry", "mod", "list", "end")
    raise Refusal("bad_argument", "subverb", got=arguments.word("subverb"), expected=expected)


def _words(arguments: Arguments) -> tuple[str, ...]:
    words = tuple(token.text for token in arguments.tokens)
    arguments.tokens = []
    return words


def _read_start(arguments: Arguments) -> Command:
    target, every = arguments.key("target", "目标"), arguments.key("every", "每次", "间隔")
    limit = arguments.key("limit", "上限", "限") or ""
    hidden = arguments.flag("secret", "暗", "秘密", "暗骰")
    title = _title(arguments)
    if target is None:
        raise Refusal("bad_argument", "missing", what="target")
    every_s = rules.seconds(every) if every else rules.INTERVALS["turn"]
    return StartExtended(
        title=title, target=rules.target(target), every_s=every_s, limit=limit, pool=pool_text(arguments), hidden=hidden
    )


def _read_contest(arguments: Arguments) -> Command:
    if not arguments.tokens or arguments.one_of(LIST):
        return ListContests()
    if arguments.one_of(("open", "开", "新建", "开始")):
        return _read_open(arguments)
    if arguments.one_of(("roll", "掷", "骰")):
        shared = _thrown(arguments)
        return RollContest(title=_title(arguments), pool=_pool(arguments), **shared)  # type: ignore[arg-type]
    if arguments.one_of(("void", "作废", "无效")):
        return VoidContest(title=_title(arguments))
    if arguments.one_of(("again", "再来", "继续")):
        return ReopenContest(title=_title(arguments))
    word = arguments.word("subverb")
    raise Refusal("bad_argument", "subverb", got=word, expected=("open", "roll", "again", "void", "list"))


def _read_open(arguments: Arguments) -> Command:
    target, every = arguments.key("target", "目标"), arguments.key("every", "每次", "间隔")
    sides = arguments.key("sides", "各方", "方") or "2"
    title = _title(arguments)
    named = () if sides.isdecimal() else tuple(dict.fromkeys(filter(None, map(unquoted, sides.replace("、", ",").split(",")))))
    size = int(sides) if sides.isdecimal() and len(sides) < 4 else len(named)
    if not 2 <= size <= MOST_SIDES:
        raise Refusal("bad_argument", "number", what="sides", got=sides, least=2, most=MOST_SIDES)
    return OpenContest(
        title=title, target=rules.target(target) if target else None, every_s=rules.seconds(every) if every else None,
        size=size, sides=named,
    )  # fmt: skip


def _read_store(arguments: Arguments) -> Command:
    if not arguments.tokens or arguments.one_of(LIST):
        return ListStored()
    if arguments.one_of(("drop", "remove", "拆除", "移除")):
        return RemoveStored(title=_title(arguments))
    shared = _thrown(arguments)
    return Store(title=_title(arguments), pool=_pool(arguments), **shared)  # type: ignore[arg-type]


def _read_challenge(arguments: Arguments) -> Command:
    shared = _thrown(arguments)
    return Challenge(title=_title(arguments), pool=_pool(arguments), **shared)  # type: ignore[arg-type]


def bare(word: str) -> str | None:
    """No words stand for a verb here; `p7` is `pool 7` because `p` is a name of it."""
    return None


HOUSE: tuple[Option, ...] = (
    Option(
        key="contested-exceptional", zh="对抗额外成功", default="total", values=("total", "margin"),
        says=Phrase("对抗里的额外成功：胜者有 5 个成功（total），或比对手多 5 个（margin）",
                    "exceptional in a contest: 5 successes of the winner (total), or 5 more than the loser (margin)"),
    ),
    Option(
        key="contested-dramatic", zh="对抗大失败", default="plain", values=("plain", "exceptional"),
        says=Phrase("对方大失败时：照常取胜（plain），或算额外成功（exceptional）",
                    "when the other side fails dramatically: a plain win, or an exceptional one"),
    ),
    Option(
        key="players-extended", zh="玩家发起持续动作", default="off", values=("on", "off"),
        says=Phrase("玩家可以自己发起持续动作", "players may start extended actions themselves"),
    ),
    Option(
        key="retry", zh="连续尝试", default="now", values=("now", "scene"),
        says=Phrase("失败后可以马上再试（now），或要等下一个场景（scene）",
                    "after a failure another attempt is allowed at once (now) or in the next scene (scene)"),
    ),
)  # fmt: skip

_ALL = frozenset({AS, DICE, SECRET})
_OPEN = frozenset({AS, DICE})

_p = Phrase  # short: it stands in every row
VERBS: tuple[Verb, ...] = (
    Verb(
        name="pool", zh=("骰池",), also=("p",), takes=_ALL, read=_read_pool,
        usage=_p("骰池 特性或数字 [again=10|9|8|no] [rote] [reflexive]", "pool TRAITS|N [again=10|9|8|no] [rote] [reflexive]"),
        says=_p("掷 d10 骰池：8 以上成功，10 加骰；0 以下是机运骰", "a pool of d10: 8 and above succeed, a 10 goes again; 0 or less is a chance die"),
        example=_p("骰池 力量+运动-2", "pool str+athletics-2"),
    ),
    Verb(
        name="extended", zh=("持续",), also=("ext",), takes=_OPEN, read=_read_extended,
        usage=_p("持续 新建 标题 target=10|困难 every=15m|轮 [limit=4|traits|2h] [secret] [骰池] | 掷 [标题] [骰池] [again=9] [rote] | 修正 [标题] ±N(原因) | 再试 [标题] | 列表 | 结束 [标题]",
                 "extended new TITLE target=10|hard every=15m|turn [limit=4|traits|2h] [secret] [POOL] | roll [TITLE] [POOL] [again=9] [rote] | mod [TITLE] ±N(why) | retry [TITLE] | list | end [TITLE]"),
        says=_p("持续动作：一次次攒成功，下次场次接着来", "an extended action: successes add up, next week too"),
        example=_p("持续 新建 链锯 target=10 every=15m 7 +3(工具)", "extended new Chainsaw target=10 every=15m 7 +3(tools)"),
        words=(_p("新建", "new"), _p("掷", "roll"), _p("再试", "retry"), _p("列表", "list"), _p("结束", "end"), _p("修正", "mod")),
    ),
    Verb(
        name="contest", zh=("竞赛",), takes=_OPEN, read=_read_contest,
        usage=_p("竞赛 开 标题 [target=6] [every=1h] [sides=3|甲,乙] | 掷 标题 骰池 [again=9] [rote] | 再来 标题 | 作废 标题 | 列表",
                 "contest open TITLE [target=6] [every=1h] [sides=3|A,B] | roll TITLE POOL [again=9] [rote] | again TITLE | void TITLE | list"),
        says=_p("对抗动作：成功多的赢；有 target 就是持续对抗", "contested: more successes win; with a target it is extended"),
        example=_p("竞赛 开 赛跑 target=6", "contest open Race target=6"),
        words=(_p("开", "open"), _p("掷", "roll"), _p("再来", "again"), _p("作废", "void"), _p("列表", "list")),
    ),
    Verb(
        name="store", zh=("存放",), takes=_OPEN, read=_read_store,
        usage=_p("存放 标题 骰池 [again=9] [rote] | 列表 | 拆除 标题", "store TITLE POOL [again=9] [rote] | list | drop TITLE"),
        says=_p("把成功数存下来，等以后的挑战者", "keep successes for a later challenger"),
        example=_p("存放 防火墙 智力+计算机", "store Firewall int+computer"),
        words=(_p("列表", "list"), _p("拆除", "drop")),
    ),
    Verb(
        name="challenge", zh=("挑战",), takes=_OPEN, read=_read_challenge,
        usage=_p("挑战 标题 骰池 [again=9] [rote]", "challenge TITLE POOL [again=9] [rote]"),
        says=_p("挑战存下的成功数：要更多才行", "challenge what is stored: it takes more"),
        example=_p("挑战 防火墙 7", "challenge Firewall 7"),
    ),
)  # fmt: skip
