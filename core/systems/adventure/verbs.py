"""The verbs of adventure moves, their commands and questions, and the house options.

Here: how the words behind a verb become a command. Never: whether it is allowed, or what follows.
"""

from __future__ import annotations

import difflib
import re

from core.grammar.arguments import Arguments, whole
from core.grammar.text import check_name, fold
from core.grammar.verb import Command, Question, Verb
from core.house import Option
from core.language import Phrase
from core.refusal import Refusal
from core.systems.adventure import rules
from core.systems.adventure.words import CONDITION_NAMES, MOVE_NAMES
from core.table.verbs import AS, DICE, SECRET
from events.types import Modifier

MOST_YES = 3
MOST_MAG = 99
MOST_TEXT = 200  # characters
PACES = {
    "fast": "fast", "全速": "fast", "快": "fast", "normal": "normal", "正常": "normal", "普通": "normal",
    "careful": "careful", "谨慎": "careful", "缓慢": "careful",
}  # fmt: skip
APPROACHES = {
    "deceive": "deceive", "欺骗": "deceive", "persuade": "persuade", "说服": "persuade",
    "threaten": "threaten", "威胁": "threaten",
}  # fmt: skip
WAYS = {
    "melee": "melee", "近战": "melee", "ranged": "ranged", "远程": "ranged", "finesse": "finesse", "精巧": "finesse",
}  # fmt: skip


class MakeMove(Command, frozen=True, kw_only=True):
    """A move. `stat` empty: the move's own. `way` is melee, ranged or finesse, `approach` deceive, persuade or threaten.

    `foe` and `dmg` are damage dice in sides, 0 where none was given.
    """

    move: str
    stat: str = ""
    adv: bool = False
    dis: bool = False
    modifiers: tuple[Modifier, ...] = ()
    yes: int | None = None
    mag: int | None = None
    way: str = ""
    approach: str = ""
    against: str = ""
    foe: int = 0
    dmg: int = 0


class Aid(Command, frozen=True, kw_only=True):
    """`cost`: expose, mark or depth."""

    name: str
    cost: str
    condition: str = ""


class Mark(Command, frozen=True, kw_only=True):
    condition: str


class Clear(Command, frozen=True, kw_only=True):
    condition: str


class Lock(Command, frozen=True, kw_only=True):
    condition: str


class Unlock(Command, frozen=True, kw_only=True):
    condition: str


class MarkXp(Command, frozen=True, kw_only=True):
    count: int


class ShowXp(Question, frozen=True, kw_only=True):
    pass


class TakeAdvance(Command, frozen=True, kw_only=True):
    text: str


class SetBond(Command, frozen=True, kw_only=True):
    name: str
    change: int


class ShowBonds(Question, frozen=True, kw_only=True):
    pass


class ChangeHp(Command, frozen=True, kw_only=True):
    change: int


class MakeCamp(Command, frozen=True, kw_only=True):
    pass


class Comfort(Command, frozen=True, kw_only=True):
    """`yes` are the questions answered yes; `new`: a relationship is made here, and the first is yes."""

    name: str
    yes: tuple[int, ...]
    new: bool = False


class FaceDeath(Command, frozen=True, kw_only=True):
    """`how`: gamble, glory, or now: the moment that a lost gamble left open."""

    how: str


class Journey(Command, frozen=True, kw_only=True):
    place: str
    leader: str
    pace: str


class StartRitual(Command, frozen=True, kw_only=True):
    title: str
    mag: int


class SetRequirement(Command, frozen=True, kw_only=True):
    title: str
    text: str


class MeetRequirement(Command, frozen=True, kw_only=True):
    title: str
    number: int


class ListRituals(Question, frozen=True, kw_only=True):
    pass


class ReviewSession(Command, frozen=True, kw_only=True):
    yes: int


class Ask(Command, frozen=True, kw_only=True):
    """A question of Read Motives, as it was put; `about` empty: the only one it may be put about."""

    about: str
    text: str


class Hold(Command, frozen=True, kw_only=True):
    """The GM gives ADV or DIS for the next fitting move; `kind` empty takes all away."""

    name: str
    kind: str
    move: str


# ---- reading


def _move(arguments: Arguments) -> str:
    """The move's name, one word or two (`defy danger`)."""
    word = arguments.word("move")
    ahead = arguments.peek()
    both = rules.move_named(f"{word} {ahead}") if ahead else None
    if both:
        arguments.next_token()
        return both
    found = rules.move_named(word)
    if found is None:
        raise Refusal("bad_argument", "move", got=word, nearest=_nearest(word))
    return found


def _nearest(word: str) -> list[str]:
    """The moves that look like this, in its script; all of them where none does."""
    known = [name for key, others in MOVE_NAMES.items() for name in (key, *others)]
    near = difflib.get_close_matches(fold(word), known, n=3, cutoff=0.4)
    return near or [key if word.isascii() else names[0] for key, names in MOVE_NAMES.items()]


def _read_move(arguments: Arguments) -> Command:
    adv, dis = arguments.flag("adv", "优势"), arguments.flag("dis", "劣势")
    yes = arguments.number_key("yes", "是", least=0, most=MOST_YES)
    mag = arguments.number_key("mag", "等级", least=0, most=MOST_MAG)
    stat = arguments.key("stat", "属性") or ""
    against = arguments.key("vs", "对", "target") or ""
    foe, dmg = (_die(arguments.key(*names)) for names in (("foe", "对手", "敌"), ("dmg", "damage", "伤害")))
    modifiers = tuple(arguments.modifiers({}))
    move = _move(arguments)
    approach = APPROACHES.get(arguments.one_of(APPROACHES) or "", "")
    way = WAYS.get(arguments.one_of(WAYS) or "", "")
    named = stat or (arguments.word("stat") if arguments.tokens else "")
    return MakeMove(
        move=move, stat=rules.stat_named(named) if named else "", adv=adv, dis=dis, modifiers=modifiers, yes=yes, mag=mag,
        way=way, approach=approach, against=against, foe=foe, dmg=dmg,
    )  # fmt: skip


def _die(value: str | None) -> int:
    return 0 if value is None else rules.damage_die(value)


def _read_aid(arguments: Arguments) -> Command:
    condition = arguments.key("mark", "标记", "状态")
    name = arguments.word("name")
    cost = arguments.one_of(("expose", "depth", "承担", "关系", "深度"))
    if (condition is None) == (cost is None):
        raise Refusal("bad_argument", "cost")
    if condition is not None:
        return Aid(name=name, cost="mark", condition=rules.condition_named(condition))
    return Aid(name=name, cost="expose" if cost in ("expose", "承担") else "depth")


def _condition(arguments: Arguments) -> str:
    return rules.condition_named(arguments.word("condition"))


def _read_xp(arguments: Arguments) -> Command:
    return MarkXp(count=arguments.number("xp", 1, 20)) if arguments.tokens else ShowXp()


def _text(arguments: Arguments, what: str) -> str:
    text = arguments.rest()
    if not text:
        raise Refusal("bad_argument", "missing", what=what)
    if len(text) > MOST_TEXT:
        raise Refusal("too_large", "title", limit=MOST_TEXT)
    return text


def _read_bond(arguments: Arguments) -> Command:
    if not arguments.tokens or arguments.one_of(("list", "列表")):
        return ShowBonds()
    name = arguments.word("name")
    return SetBond(name=name, change=arguments.number("depth", -20, 20, 0))


def _read_hp(arguments: Arguments) -> Command:
    """`-3` or `+2`: a number without its sign could be meant as the HP that are left."""
    signed, change = arguments.peek()[:1] in ("+", "-"), arguments.number("hp", -rules.MOST_HP, rules.MOST_HP)
    if not change or not signed:
        raise Refusal("bad_argument", "missing", what="hp")
    return ChangeHp(change=change)


def _read_comfort(arguments: Arguments) -> Command:
    value, new = arguments.key("yes", "是") or "", arguments.flag("new", "新关系")
    name = arguments.word("name")
    parts = [part for part in re.split("[,、]", value) if part]
    if not all(part in ("1", "2", "3") for part in parts) or len(set(parts)) < len(parts):
        raise Refusal("bad_argument", "yes_list", got=value)
    return Comfort(name=name, yes=tuple(sorted({*map(int, parts), *([1] if new else [])})), new=new)


def _read_death(arguments: Arguments) -> Command:
    if arguments.one_of(("gamble", "对赌", "赌")):
        return FaceDeath(how="gamble")
    if arguments.one_of(("glory", "壮烈", "谢幕")):
        return FaceDeath(how="glory")
    if arguments.one_of(("now", "此刻")):
        return FaceDeath(how="now")
    raise Refusal("bad_argument", "death")


def _read_journey(arguments: Arguments) -> Command:
    leader = arguments.key("leader", "领队")
    paces = [pace for word, pace in PACES.items() if arguments.flag(word)]
    pace = paces[0] if len(paces) == 1 else ""
    if leader is None or not pace:
        raise Refusal("bad_argument", "missing", what="leader" if leader is None else "pace")
    return Journey(place=_text(arguments, "place"), leader=leader, pace=pace)


def _read_ritual(arguments: Arguments) -> Command:
    if arguments.one_of(("new", "新建", "开始")):
        mag = arguments.number_key("mag", "等级", least=0, most=MOST_MAG)
        if mag is None:
            raise Refusal("bad_argument", "missing", what="MAG")
        return StartRitual(title=check_name(arguments.word("title")), mag=mag)
    if arguments.one_of(("need", "要求", "需要")):
        return SetRequirement(title=arguments.word("title"), text=_text(arguments, "text"))
    if arguments.one_of(("done", "完成")):
        return MeetRequirement(title=arguments.word("title"), number=arguments.number("number", 1, 99))
    if not arguments.tokens or arguments.one_of(("list", "列表")):
        return ListRituals()
    word = arguments.word("subverb")
    raise Refusal("bad_argument", "subverb", got=word, expected=("new", "need", "done", "list"))


def _read_review(arguments: Arguments) -> Command:
    yes = arguments.number_key("yes", "是", least=0, most=MOST_YES)
    if yes is None:
        raise Refusal("bad_argument", "missing", what="yes")
    return ReviewSession(yes=yes)


def _read_ask(arguments: Arguments) -> Command:
    about = arguments.key("vs", "对", "target") or ""
    return Ask(about=about, text=_text(arguments, "question") if arguments.tokens or arguments.asides else "")


def _read_hold(arguments: Arguments) -> Command:
    name = arguments.word("name")
    kinds = {"adv": "adv", "优势": "adv", "dis": "dis", "劣势": "dis", "none": "", "无": ""}
    word = arguments.one_of(kinds)
    if word is None:
        raise Refusal("bad_argument", "subverb", got=arguments.maybe() or "…", expected=("adv", "dis", "none"))
    return Hold(name=name, kind=kinds[word], move=_move(arguments) if arguments.tokens else "")


def bare(word: str) -> str | None:
    """A move's name alone is that move: `。面对危险 力量`, `/defy STR`."""
    return f"move {word}" if rules.move_named(word) else None


def _track(value: str) -> str:
    return str(whole(value, "xp", 1, 50))


HOUSE: tuple[Option, ...] = (
    Option(
        key="xp-track", zh="经验格数", default="5", check=_track,
        says=Phrase("经验记录栏有几格，满了就升级", "boxes of the XP track; the last one is a level"),
    ),
)  # fmt: skip

_ALL = frozenset({AS, DICE, SECRET})
_AS = frozenset({AS})

_p = Phrase  # short: it stands in every row
VERBS: tuple[Verb, ...] = (
    Verb(
        name="move", zh=("动作",), also=("m",), takes=_ALL, read=_read_move,
        usage=_p("动作 名称 [属性] [优势] [劣势] [+1] [MAG=2] [yes=2] [vs=名字] [近战|远程|精巧] [dmg=d8] [foe=d6] [欺骗|说服|威胁]",
                 "move NAME [STAT] [adv] [dis] [+1] [MAG=2] [yes=2] [vs=NAME] [melee|ranged|finesse] [dmg=d8] [foe=d6] [deceive|persuade|threaten]"),
        says=_p("做一个动作：面对危险、施加影响、洞悉动机、悄然行事、忆述见闻、交锋、发掘秘密、施法",
                "make a move: defy, influence, read, sneak, recall, clash, uncover, cast"),
        example=_p("动作 面对危险 力量", "move defy STR"),
        words=tuple(_p(names[0], key) for key, names in MOVE_NAMES.items()),
    ),
    Verb(
        name="aid", zh=("援助",), takes=_AS, read=_read_aid,
        usage=_p("援助 名字 承担|mark=状态|深度", "aid NAME expose|mark=CONDITION|depth"),
        says=_p("让对方下一个动作有优势，自己付一种代价", "the other's next move has ADV; you pay one cost"),
        example=_p("援助 小红 mark=愤怒", "aid Ash mark=angry"),
    ),
    Verb(
        name="mark", zh=("标记",), takes=_AS, read=lambda a: Mark(condition=_condition(a)),
        usage=_p("标记 状态", "mark CONDITION"), says=_p("标记一个状态", "mark a condition"), example=_p("标记 愤怒", "mark angry"),
        words=tuple(_p(names[0], key) for key, names in CONDITION_NAMES.items()),
    ),
    Verb(
        name="clear", zh=("消除",), takes=_AS, read=lambda a: Clear(condition=_condition(a)),
        usage=_p("消除 状态", "clear CONDITION"), says=_p("消除一个已标记的状态", "clear a marked condition"),
        example=_p("消除 愤怒", "clear angry"),
    ),
    Verb(
        name="lock", zh=("锁定",), takes=_AS, read=lambda a: Lock(condition=_condition(a)),
        usage=_p("锁定 状态", "lock CONDITION"), says=_p("主持人锁定一个状态", "the GM locks a condition"),
        example=_p("锁定 恐惧 as=小红", "lock frightened as=Ash"),
    ),
    Verb(
        name="unlock", zh=("解锁",), takes=_AS, read=lambda a: Unlock(condition=_condition(a)),
        usage=_p("解锁 状态", "unlock CONDITION"), says=_p("主持人解锁一个状态", "the GM unlocks a condition"),
        example=_p("解锁 恐惧 as=小红", "unlock frightened as=Ash"),
    ),
    Verb(
        name="xp", zh=("经验",), takes=_AS, read=_read_xp,
        usage=_p("经验 [N]", "xp [N]"), says=_p("看经验，或标记经验", "show XP, or mark some"), example=_p("经验 1", "xp 1"),
    ),
    Verb(
        name="advance", zh=("成长",), takes=_AS, read=lambda a: TakeAdvance(text=_text(a, "text")),
        usage=_p("成长 内容", "advance TEXT"), says=_p("升级后选一个成长", "pick the advance of a level"),
        example=_p("成长 力量 +1", "advance STR +1"),
    ),
    Verb(
        name="bond", zh=("关系",), takes=_AS, read=_read_bond,
        usage=_p("关系 [名字 [+1|-1]]", "bond [NAME [+1|-1]]"), says=_p("谁和谁是什么关系", "who stands how with whom"),
        example=_p("关系 小红 +1", "bond Ash +1"),
    ),
    Verb(
        name="hp", zh=("生命",), takes=_AS, read=_read_hp,
        usage=_p("生命 ±N", "hp ±N"), says=_p("失去或恢复生命", "lose or regain HP"), example=_p("生命 -3", "hp -3"),
    ),
    Verb(
        name="camp", zh=("扎营",), read=lambda a: MakeCamp(),
        usage=_p("扎营", "camp"), says=_p("扎营休整，每场一次", "camp, once a session"), example=_p("扎营", "camp"),
    ),
    Verb(
        name="comfort", zh=("安慰",), takes=_AS, read=_read_comfort,
        usage=_p("安慰 名字 yes=1,2,3 [新关系]", "comfort NAME yes=1,2,3 [new]"),
        says=_p("安慰或支持，每人每场一次。yes 写回答「是」的题号：1 探索、改变或重申了关系；2 对方也敞开心扉；3 揭示了困境的新内容。新关系：当场建立关系，第 1 题算「是」",
                "comfort or support, once a session each. yes lists the questions answered yes: 1 a bond was explored, changed or affirmed; 2 they opened up too; 3 something new about a trouble came out. new: a relationship is made here, and 1 is yes"),
        example=_p("安慰 小红 yes=1,3", "comfort Ash yes=1,3"),
    ),
    Verb(
        name="death", zh=("面对死亡",), takes=_ALL, read=_read_death,
        usage=_p("面对死亡 对赌|壮烈|此刻", "death gamble|glory|now"),
        says=_p("无力行动时的决定性行动；赌输之后，此刻就是死的那一刻", "a decisive act while incapacitated; now: the moment of death after a lost gamble"), example=_p("面对死亡 对赌", "death gamble"),
    ),
    Verb(
        name="journey", zh=("旅途",), takes=frozenset({DICE}), read=_read_journey,
        usage=_p("旅途 目的地 leader=名字 全速|正常|谨慎", "journey PLACE leader=NAME fast|normal|careful"),
        says=_p("踏上险途", "a journey through perilous land"), example=_p("旅途 雪山 leader=小红 谨慎", "journey Peaks leader=Ash careful"),
    ),
    Verb(
        name="ritual", zh=("仪式",), takes=_AS, read=_read_ritual,
        usage=_p("仪式 新建 标题 mag=3 | 要求 标题 内容 | 完成 标题 N | 列表", "ritual new TITLE mag=3 | need TITLE TEXT | done TITLE N | list"),
        says=_p("举行仪式：要求一项项勾掉", "a ritual: its requirements are ticked off"),
        example=_p("仪式 新建 封门 mag=3", "ritual new Seal mag=3"),
        words=(_p("新建", "new"), _p("要求", "need"), _p("完成", "done")),
    ),
    Verb(
        name="endsession", zh=("结束场次", "场次结算"), read=_read_review,
        usage=_p("结束场次 yes=2", "endsession yes=2"), says=_p("三个问题有几个「是」，人人标记几点经验：有人加深了关系吗；击败强敌、到访新地或得到珍宝了吗；了解到世界或 NPC 的要事了吗", "three questions, each yes is 1 XP for everyone: did a relationship deepen; was a threat beaten, a place found or a treasure won; was something important learnt"),
        example=_p("结束场次 yes=2", "endsession yes=2"),
    ),
    Verb(
        name="ask", zh=("提问",), takes=_AS, read=_read_ask,
        usage=_p("提问 [问题] [vs=名字]", "ask [QUESTION] [vs=NAME]"), says=_p("用掉洞悉动机的一个问题", "use up a question of Read Motives"),
        example=_p("提问 你在怕什么？", "ask What are you afraid of?"),
    ),
    Verb(
        name="hold", zh=("持有",), read=_read_hold,
        usage=_p("持有 名字 优势|劣势|无 [动作]", "hold NAME adv|dis|none [MOVE]"),
        says=_p("主持人给下一个动作优势或劣势，或清掉", "the GM gives ADV or DIS for the next move, or takes them away"),
        example=_p("持有 小红 优势", "hold Ash adv"),
    ),
)  # fmt: skip
