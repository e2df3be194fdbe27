"""Games of the other rule systems: one entry each in GAMES, and every law of test_systems.py is tried on it."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from core.vocabulary import verb_table
from tests.laws.played import said
from tests.story import Seeds, Story

Lines = st.SearchStrategy[str]


@dataclass(frozen=True)
class Game:
    """`opening` sets a table up for gm, ann and bob. `lines` are what they may type there: throws with fair dice,
    deeds, `by_hand` (throws with given faces, which fall the same everywhere), `asked` (questions). `junk` are words
    of the system that may stand anywhere."""

    opening: tuple[str, ...]
    throws: Lines
    deeds: Lines
    by_hand: Lines
    asked: tuple[str, ...]
    said_twice: tuple[tuple[str, str], ...]
    junk: tuple[str, ...]


def _joined(*parts: Lines | str) -> Lines:
    return st.tuples(*(st.just(part) if isinstance(part, str) else part for part in parts)).map("".join)


_of = st.sampled_from

# ---- what every table has

SHARED = st.one_of(
    _of(("/join", "/scene", "/scene Night", "/session start", "/session end", "/reveal", "/luck no ones", "/roll 2d6")),
    _of(("/undo", "/undo", "/undo oops", "/char list", "/history", "/house")),
    st.integers(1, 40).map("/undo {}".format),
)
SHARED_ASKED = ("/history 50", "/sheet", "/char list", "/house", "/table", "/session", "/choices", "/help")

# ---- Storytelling

_titles = _of(("Car", "Car", "Lock", "赛跑", "Wall"))
_pools = _of(("5", "3+1-3", "wits+crafts", "力量+运动 -2(雾)", "0", "2-5", "9 +1(tools)"))
_options = _of(("", "", "", " again=9", " again=8", " again=no", " rote"))
_as = _of(("", "", "", " as=Ann", " as=Ghoul"))
STORYTELLING = Game(
    opening=(
        "gm: /table new storytelling Night",
        "gm: /house physical-dice on",
        "ann: /char new Ann wits=4 crafts=3 str=3 athletics=1",
        "bob: /char new 小波 机智=2 工艺=1 力量=2 运动=4",
        "gm: /char new Ghoul str=5 athletics=2 wits=1 crafts=1",
    ),
    throws=st.one_of(
        _joined("/pool ", _pools, _options, _of(("", "", " reflexive", " secret", " secret=gm")), _as),
        _joined("/extended roll ", _titles, " ", _pools, _options, _as),
        _joined("/extended roll", _of(("", " -1(dark)"))),
        _joined("/contest roll ", _titles, " ", _pools, _options, _as),
        _joined("/store ", _titles, " ", _pools),
        _joined("/challenge ", _titles, " ", _pools, _as),
    ),
    deeds=st.one_of(
        _joined("/extended new ", _titles, _of((" target=3", " target=easy every=1h", " target=2 secret 7"))),
        _joined("/extended new ", _titles, _of((" target=9 limit=2", " target=9 limit=traits wits+crafts"))),
        _joined("/extended mod ", _titles, _of((" -2", " -9(fire)", " +1"))),
        _joined("/extended ", _of(("retry ", "end ")), _titles),
        _joined("/contest open ", _titles, _of(("", " target=4", " target=2 every=turn"))),
        _joined("/contest open ", _titles, _of((" sides=3", " target=3 sides=3", " sides=Ann,小波"))),
        _joined("/contest ", _of(("void ", "again ")), _titles),
        _joined("/store drop ", _titles),
        _joined("/set ", _of(("Ann", "小波", "Ghoul")), _of((" str=4", " wits+=1", " 运动-=1"))),
        _joined("/char new ", _of(("Lise", "Wolf")), _of(("", " str=2 athletics=2"))),
        _of(("/house retry scene", "/house players-extended on", "/house contested-dramatic exceptional",
             "/house contested-exceptional margin", "/scene", "/gm ann", "/join")),
    ),
    by_hand=st.one_of(
        _joined("/extended roll ", _titles, _of((" 2 dice=8,8", " 2 dice=2,3", " 0 dice=1", " 2 dice=8"))),
        _joined("/contest roll ", _titles, _of((" 2 dice=8,8", " 2 dice=8,2", " 2 dice=2,2", " 0 dice=1"))),
        _joined("/store ", _titles, _of((" 2 dice=8,2", " 0 dice=1"))),
        _joined("/challenge ", _titles, _of((" 2 dice=8,8", " 2 dice=2,2"))),
        _joined("/pool 2 dice=8,", _of(("8", "3"))),
    ),
    asked=("/extended", "/contest", "/store", "/odds pool wits+crafts again=9 rote need=2"),
    said_twice=(
        ("/pool 3+1-3 again=9 rote reflexive", "。骰池 ３＋１－３ 加骰=9 熟练 反射"),
        ("/pool str+athletics secret", "。骰池 力量+运动 暗骰"),
        ("/extended new A target=hard every=turn limit=traits secret", "。持续 新建 A 目标=困难 每次=轮 上限=特性 暗"),
        ("/extended new Car target=5 every=15m limit=2h", "。持续 开始 Car target=简单 间隔=15分钟 限=2小时"),
        ("/extended list", "。持续 列表"),
        ("/extended roll Rope again=8", "。持续 掷 Rope 加骰=8"),
        ("/extended mod Rope -4(fire)", "。持续 修正 Rope －４（fire）"),
        ("/extended retry Rope", "。持续 再试 Rope"),
        ("/extended end Rope", "。持续 结束 Rope"),
        ("/contest open Race target=6 every=1h sides=3", "。竞赛 开 Race 目标=6 每次=1小时 各方=3"),
        ("/contest roll Duel wits+crafts", "。竞赛 掷 Duel 机智+工艺"),
        ("/contest again Duel", "。竞赛 再来 Duel"),
        ("/contest void Duel", "。竞赛 作废 Duel"),
        ("/contest list", "。竞赛 列表"),
        ("/store Cache 5", "。存放 Cache 5"),
        ("/store list", "。存放 列表"),
        ("/store drop Wall", "。存放 拆除 Wall"),
        ("/challenge Wall 7", "。挑战 Wall 7"),
        ("/house retry scene", "。房规 连续尝试 scene"),
        ("/house players-extended on", "。房规 玩家发起持续动作 开"),
        ("/house contested-dramatic exceptional", "。房规 对抗大失败 exceptional"),
        ("/house contested-exceptional margin", "。房规 对抗额外成功 margin"),
        ("/odds pool 7 again=9 rote need=3", "。概率 骰池 7 加骰=9 熟练 需要=3"),
        ("/set Ann wits=5", "。设置 Ann 机智=5"),
    ),
    junk=("again=7", "again=", "target=0", "target=10", "every=-5m", "every=1h", "limit=traits", "limit=0", "sides=1",
          "sides=Ann,小波", "rote", "reflexive", "open", "开", "roll", "掷", "retry", "再试", "mod", "修正", "void",
          "作废", "again", "再来", "drop", "拆除", "Rope", "Wall", "Duel", "wits+crafts", "力量+", "3+1-3", "1001",
          "need=0"),
)  # fmt: skip

# ---- 无限恐怖

_targets = _of(("", "", " target=Ann", " target=小波", " target=Ogre", " target=Ann,Ogre", " target=Ann,Ann split=1,1",
                " target=小波,Ogre,小波 split=1,0", " target=Ogre split=2,0 gain=2", " target=Ann weapon=axe+2,sword",
                " target=Ogre weapon=axe", " target=小波 speed=2", " target=Nobody", " split=3,3"))  # fmt: skip
_checked = _of(("5", "str+athletics", "力量+运动 -2(雾)", "0", "2-5", "per +1(lamp)", "dex+stealth"))
_opposer = _of(("", "", " as=Ogre", " as=Ann"))
INFINITE = Game(
    opening=(
        "gm: /table new infinite Hospital",
        "gm: /house physical-dice on",
        "ann: /char new Ann str=11 dex=6 per=4 athletics=3 stealth=2 defence-extra=5 attack-extra=2",
        "bob: /char new 小波 力量=6 运动=3 感知=5 敏捷=2 潜行=1 防御附加=2 传奇敏捷=2 基础防御=2",
        "gm: /char new Ogre str=16 per=2 dex=1 stealth=1 athletics=1 defence-extra=3 axe-extra=3",
    ),
    throws=st.one_of(
        _joined("/check ", _checked, _options, _of(("", "", " dc=3", " extra=2", " lose=1", " secret")), _opposer),
        _joined("/check ", _checked, " reflexive", _opposer),
        _joined("/oppose ", _checked, _options, _of(("", "", " reflexive", " secret=gm")), _opposer),
        _joined("/resist ", _checked, _of(("", "", " vs=Ann", " vs=小波", " vs=Ogre")), _opposer),
        _joined("/attack ", _checked, _of(("", " extra=2", " lose=1")), _targets, _opposer),
    ),
    deeds=st.one_of(
        _joined("/defend ", _of(("1", "2", "1,1", "0,2", "4", "off", "9")), _opposer),
        _joined("/defend ", _of(("1", "2", "1,1")), _opposer),
        _joined("/set ", _of(("Ann", "小波", "Ogre")), _of((" str=12", " base-defence=0", " 防御附加+=1"))),
        _joined("/char new ", _of(("Lise", "Wolf")), _of(("", " str=6 defence-extra=2"))),
        _of(("/house late-defence on", "/house late-defence off", "/house opposed-tie challenger")),
        _of(("/scene", "/gm ann", "/join")),
    ),
    by_hand=st.one_of(
        _joined("/check 2 dice=8,", _of(("8", "3"))),
        _joined("/oppose 2 dice=8,", _of(("8", "3"))),
        _joined("/resist 2", _of(("", " vs=Ann", " vs=小波")), " dice=8,", _of(("8", "3")), _opposer),
        _joined("/attack 2 target=", _of(("Ann", "小波", "Ogre")), _of((" dice=8,8", " speed=2 dice=8,9"))),
        _joined("/attack 1 target=", _of(("Ann,Ann", "小波,小波")), " split=0,0 dice=8,", _of(("8", "2"))),
    ),
    asked=("/sheet Ann", "/sheet 小波", "/odds check 7 again=9 need=3", "/calc 30 x2 x4 +50"),
    said_twice=(
        ("/check str+athletics-2 dc=3 extra=2 rote", "。检定 力量＋运动－２ 难度=3 附加=2 熟练"),
        ("/check 5 lose=1 again=9", "。检定 ５ 失去=1 加骰=9"),
        ("/check 5 reflexive secret", "。检定 ５ 反射 暗骰"),
        ("/oppose dex+stealth reflexive", "。对抗 敏捷+潜行 反射"),
        ("/resist 3 vs=小波", "。抵抗 ３ 对=小波"),
        ("/attack 2 extra=4 target=小波,小波 split=2,2 gain=1", "。攻击 ２ 附加=4 目标=小波、小波 分配=2，2 获得=1"),
        ("/attack 2 target=小波 speed=1", "。攻击 ２ 目标=小波 高速=1"),
        ("/attack 2 target=Ogre weapon=axe+2,sword", "。攻击 2 目标＝Ogre 武器＝axe＋2，sword"),
        ("/defend 1,2", "。防御 １，２"),
        ("/defend off", "。防御 恢复"),
        ("/house opposed-tie challenger", "。房规 对抗平手 challenger"),
        ("/house late-defence on", "。房规 事后防御 开"),
        ("/odds check 7 again=9 need=3", "。概率 检定 7 加骰=9 需要=3"),
        ("/set Ann strength=12 athletics-extra=1", "。设置 Ann 力量=12 运动附加=1"),
        ("/calc plain 7/2", "。计算 普通 7/2"),
        ("/calc (30 x2 +10) x4", "。计算 （30 ×2 ＋10） ×4"),
    ),
    junk=("again=7", "dc=0", "dc=3", "extra=2", "extra=-1", "lose=1", "split=2,2", "split=", "split=9,9", "split=x",
          "target=Ann", "target=Ann,Ann", "target=", "weapon=axe+4", "weapon=+", "gain=2", "speed=1", "vs=小波", "vs=",
          "rote", "reflexive", "反射", "off", "恢复", "1,2", "1,,2", "str+athletics", "力量+", "3+1-3", "1001",
          "need=0", "30", "x2", "×4", "/2", "/0", "(", ")", "+50"),
)  # fmt: skip

# ---- Adventure moves

_heroes = _of(("Ann", "小波", "Bear", "Ann", "小波"))
_conditions = _of(("angry", "分心", "exhausted", "frightened", "不安"))
_moves = _of(("defy STR", "defy 敏捷 +1", "influence deceive", "influence", "sneak", "recall yes=2", "uncover", "read",
              "read vs=Ann", "read vs=Bear", "clash melee vs=Bear", "clash ranged foe=d4 dmg=d12",
              "cast MAG=1 stat=INT", "cast MAG=2 stat=INT", "cast MAG=9 stat=INT"))  # fmt: skip
_mover = _of(("", "", "", " as=Bear", " as=Ann"))
_hand = _of((" dice=6,5", " dice=4,3", " dice=1,2", " dice=6,5,2"))
ADVENTURE = Game(
    opening=(
        "gm: /table new adventure Peaks",
        "gm: /house physical-dice on",
        "ann: /char new Ann STR=1 DEX=0 INT=2 WIS=0 CHA=-1 damage=d8 hp=4 max_hp=7",
        "bob: /char new 小波 力量=0 敏捷=2 智力=1 感知=1 魅力=1 伤害=d6 生命=3 生命上限=3",
        "gm: /char new Bear STR=2 DEX=1 INT=0 WIS=0 CHA=0 damage=d6 hp=6 max_hp=6",
    ),
    throws=st.one_of(
        _joined("/move ", _moves, _of(("", "", "", " adv", " dis", " adv dis", " -2(dark)", " secret", " secret=gm"))),
        _joined("/move ", _moves, _mover),
        _joined("/journey Peaks leader=", _heroes, _of((" fast", " normal", " careful"))),
        _joined("/death gamble", _of(("", " secret"))),
        _joined("/choose ", _of(("1", "2", "3"))),
    ),
    deeds=st.one_of(
        _joined("/", _of(("mark ", "mark ", "mark ", "clear ")), _conditions, _mover),
        _joined("/", _of(("lock ", "unlock ")), _conditions, _of((" as=Ann", " as=小波"))),
        _joined("/hp ", _of(("-1", "-2", "-5", "+1", "+3")), _mover),
        _joined("/aid ", _heroes, _of((" expose", " mark=angry", " depth"))),
        _joined("/comfort ", _heroes, _of((" yes=1", " yes=1,2,3", " new", ""))),
        _joined("/bond ", _heroes, _of(("", " +1", " -1"))),
        _joined("/hold ", _heroes, _of((" adv", " dis", " adv sneak", " none"))),
        _joined("/xp ", _of(("1", "2", "5")), _mover),
        _joined("/choose ", _of(("1", "2", "3", "1 mark=angry"))),
        _joined("/choose ", _of(("1", "2", "3"))),
        _of(("/camp", "/endsession yes=2", "/death glory", "/death now", "/ask Why?", "/advance STR +1", "/scene")),
        _of(("/ritual new Seal mag=2", "/ritual need Seal moon", "/ritual done Seal 1", "/ritual done Seal 2")),
        _of(("/house xp-track 2", "/set Ann hp=5", "/set Ann hp-=1", "/set 小波 max_hp=5", "/set Ann STR=2")),
        _of(("/gm ann", "/join", "/char new Lise STR=1 hp=2 max_hp=2", "/char new Wolf hp=3 max_hp=3")),
    ),
    by_hand=st.one_of(
        _joined("/move ", _moves, _hand, _mover),
        _joined("/move ", _moves, _hand, _mover),
        _joined("/death gamble", _hand),
        _joined("/journey Peaks leader=", _heroes, _of((" fast", " normal", " careful")), _hand),
        _joined("/choose ", _of(("1", "2", "3")), _of((" dice=3,2", " dice=3", " dice=2"))),
    ),
    asked=("/bond", "/xp", "/ritual", "/sheet Ann", "/sheet 小波", "/odds move +1 adv"),
    said_twice=(
        ("/move defy STR adv +1", "。动作 面对危险 力量 优势 ＋１"),
        ("/move influence persuade dis", "。动作 施加影响 说服 劣势"),
        ("/move clash melee vs=Bear foe=d8 dmg=d10", "。动作 交锋 近战 对=Bear 敌=d8 伤害=d10"),
        ("/move cast MAG=1 stat=INT secret", "。动作 施法 ＭＡＧ＝１ 属性=智力 暗骰"),
        ("/move recall yes=3", "。动作 忆述见闻 是=3"),
        ("/aid 小波 mark=angry", "。援助 小波 标记=愤怒"),
        ("/aid 小波 expose", "。援助小波 承担"),
        ("/aid 小波 depth", "。援助 小波 深度"),
        ("/mark exhausted", "。标记 疲惫"),
        ("/clear angry", "。消除 愤怒"),
        ("/lock insecure as=Ann", "。锁定 不安 扮演=Ann"),
        ("/unlock frightened as=Ann", "。解锁 恐惧 as=Ann"),
        ("/xp 5", "。经验 ５"),
        ("/advance STR +1", "。成长 STR +1"),
        ("/bond 小波 -1", "。关系 小波 －１"),
        ("/hp -3", "。生命 －３"),
        ("/camp", "。扎营"),
        ("/comfort 小波 yes=1,3", "。安慰 小波 是=1，3"),
        ("/death gamble", "。面对死亡 对赌"),
        ("/journey Peaks leader=Ann careful", "。旅途 Peaks 领队=Ann 谨慎"),
        ("/ritual new Door mag=2", "。仪式 新建 Door ＭＡＧ=2"),
        ("/ritual need Seal moon", "。仪式 要求 Seal moon"),
        ("/ritual done Seal 1", "。仪式 完成 Seal 1"),
        ("/endsession yes=2", "。结束场次 是=2"),
        ("/ask Why?", "。提问 Why?"),
        ("/hold Ann dis sneak", "。持有 Ann 劣势 悄然行事"),
        ("/choose 1 mark=angry", "。选择 1 标记=愤怒"),
        ("/house xp-track 3", "。房规 经验格数 3"),
        ("/odds move +1 adv", "。概率 动作 ＋1 优势"),
    ),
    junk=("defy", "面对危险", "clash", "cast", "recall", "STR", "力量", "melee", "近战", "adv", "优势", "dis", "MAG=2",
          "MAG=", "MAG=-1", "stat=INT", "stat=", "yes=1,2", "yes=9", "yes=", "foe=d6", "foe=d7", "dmg=", "vs=Bear",
          "vs=", "deceive", "angry", "愤怒", "mark=angry", "mark=", "expose", "depth", "gamble", "glory", "leader=Ann",
          "leader=", "fast", "谨慎", "mag=3", "need", "要求", "done", "完成", "Seal", "-3", "+99", "none", "hp=3"),
)  # fmt: skip

# What the languages are tried on: something to roll for, to contend in, to challenge.
STARTED = {
    "storytelling": (
        "gm: /extended new Rope target=9 limit=9 2",
        "gm: /contest open Duel",
        "bob: /store Wall 3 dice=8,8,2",
    ),
    "adventure": (
        "ann: /mark angry", "gm: /lock frightened as=Ann", "ann: /bond 小波 +1", "gm: /ritual new Seal mag=2",
        "gm: /ritual need Seal salt", "ann: /move read vs=Bear dice=6,5", "ann: /move defy DEX dice=4,4",
    ),
    "infinite": ("bob: /oppose 3 dice=8,8,2", "ann: /defend 1", "gm: /attack 2 as=Ogre target=Ann dice=8,2"),
}
GAMES: dict[str, Game] = {"storytelling": STORYTELLING, "infinite": INFINITE, "adventure": ADVENTURE}


def lines(system: str) -> Lines:
    game = GAMES[system]
    return st.one_of(game.throws, game.throws, game.deeds, game.deeds, game.by_hand, SHARED, _of(game.asked))


def games(system: str, of: Lines | None = None, most: int = 25) -> st.SearchStrategy[list[str]]:
    """Lines of three people; all that the system has, unless said otherwise."""
    return st.lists(said(lines(system) if of is None else of), max_size=most)


def begun(system: str, *more: str, language: str = "en", start: int = 0) -> Story:
    """A table of three with the same dice in every run, unless `start` says otherwise."""
    return Story(seeds=Seeds(start)).given(*GAMES[system].opening, f"gm: /lang {language}", "gm: /session start", *more)


def junk(system: str) -> Lines:
    """Any verb of the system with words that may or may not fit it."""
    words = sorted({name for verb in verb_table(system).verbs for name in verb.names()})
    parts = st.one_of(
        _of((*GAMES[system].junk, *"-+(#=“0", "+2", "+2(", "as=Ann", "as=", "dice=", "dice=8,8", "dice=0", "secret",
             "new", "list", "Ann", "小波", "x" * 65, "9" * 40, "５", "｛p｝", "{p}", "%s", "\u202e", "②")),
        st.integers(-(10**12), 10**12).map(str),
        st.text(max_size=5),
    )  # fmt: skip
    tail = st.lists(st.tuples(_of((" ", " ", " ", "")), parts).map("".join), max_size=6).map("".join)
    return _joined(_of("/!.。"), _of(words), tail)
