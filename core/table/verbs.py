"""The verbs that every table has, their commands and questions, and the house options of every table.

Here: how the words behind a verb become a command. Never: whether it is allowed, or what follows.
"""

from __future__ import annotations

import re

from core.grammar.arguments import Arguments, whole
from core.grammar.text import check_name, fold
from core.grammar.verb import Command, Question, Verb
from core.house import Option
from core.language import Phrase
from core.refusal import Refusal
from core.zones import TIME_ZONE, UTC, zone_name

AS, DICE, SECRET = "as", "dice", "secret"
MAX_TITLE = 120  # characters
MAX_LUCK = 200  # characters
MAX_LINES = 50  # of history in one answer
LANGUAGES = {
    "zh": "zh",
    "中文": "zh",
    "汉语": "zh",
    "chinese": "zh",
    "cn": "zh",
    "en": "en",
    "英文": "en",
    "英语": "en",
    "english": "en",
}
LINK = ("link", "连接", "互通", "绑定")
LOOKALIKES = str.maketrans("OIL", "011", "-– ")
START, END, LIST, NEW = ("start", "开始"), ("end", "结束"), ("list", "列表"), ("new", "新建", "新")
ON, OFF = ("on", "开", "开启", "开始", "继续"), ("off", "关", "关闭", "暂停", "停")


class OpenTable(Command, frozen=True, kw_only=True):
    system: str
    title: str
    language: str = ""


class UseTable(Command, frozen=True, kw_only=True):
    """Back to another table of this GM's, by its id; the app carries it out, since it is about the chat alone."""

    id: str


class LinkTable(Command, frozen=True, kw_only=True):
    """A code, please, by which another chat joins this table."""


class JoinTable(Command, frozen=True, kw_only=True):
    """This chat is the table's too. `platform` is where the chat is; the app knows it."""

    code: str
    platform: str = ""


class LeaveTable(Command, frozen=True, kw_only=True):
    """This chat is no longer the table's."""

    platform: str = ""


class LeaveOthers(Command, frozen=True, kw_only=True):
    """All other chats leave this table. `platforms` are where they are; the app knows them."""

    platforms: tuple[str, ...] = ()


class ListTables(Command, frozen=True, kw_only=True):
    """Which tables am I the GM of? The app answers, since it alone knows them all."""


class LinkMe(Command, frozen=True, kw_only=True):
    """A code, please, by which another account of mine joins this one; or with a `code`: that I am that person.

    `sure`: said again, knowing who that is.
    """

    code: str = ""
    sure: bool = False


class JoinAccounts(Command, frozen=True, kw_only=True):
    """`was` is `person` at this table. No verb leads here: the app says it at every table of `was`."""

    person: str
    was: str


class GoOnFromBackup(Command, frozen=True, kw_only=True):
    """The record is a copy of before: other dice fall from here on. No verb leads here: a restore says it."""


class KeepTalk(Command, frozen=True, kw_only=True):
    """`name` is a log to go on with; empty: the one that is paused, or a new one."""

    name: str


class OpenLog(Command, frozen=True, kw_only=True):
    name: str


class PauseLog(Command, frozen=True, kw_only=True):
    pass


class EndLog(Command, frozen=True, kw_only=True):
    pass


class ListLogs(Question, frozen=True, kw_only=True):
    pass


class Speak(Command, frozen=True, kw_only=True):
    """A line of talk, to be kept. No verb leads here, nor to the two below: the app says it of messages."""

    text: str


class EditLine(Command, frozen=True, kw_only=True):
    """`line` is the seq of what was said."""

    line: int
    text: str


class DeleteLine(Command, frozen=True, kw_only=True):
    line: int


class ForgetMe(Command, frozen=True, kw_only=True):
    """What would go, please; or with a `code`: let it go."""

    code: str = ""


class ForgetPerson(Command, frozen=True, kw_only=True):
    """`person` is forgotten, and so is the text of `lines`. No verb leads here: the app says it at every table."""

    person: str
    lines: int


class ShowTable(Question, frozen=True, kw_only=True):
    pass


class Help(Question, frozen=True, kw_only=True):
    topic: str


class Join(Command, frozen=True, kw_only=True):
    pass


class NameGm(Command, frozen=True, kw_only=True):
    name: str


class SetLanguage(Command, frozen=True, kw_only=True):
    language: str


class SetHouseRule(Command, frozen=True, kw_only=True):
    key: str
    value: str


class ShowHouseRules(Question, frozen=True, kw_only=True):
    key: str = ""


class StartSession(Command, frozen=True, kw_only=True):
    title: str


class EndSession(Command, frozen=True, kw_only=True):
    pass


class ListSessions(Question, frozen=True, kw_only=True):
    pass


class StartScene(Command, frozen=True, kw_only=True):
    title: str


class AddCharacter(Command, frozen=True, kw_only=True):
    """`kind` is wild, extra or empty (a player's is wild, the GM's an Extra); `traits` as typed."""

    name: str
    kind: str
    ally: bool
    traits: tuple[tuple[str, str, str], ...]


class UseCharacter(Command, frozen=True, kw_only=True):
    name: str


class ListCharacters(Question, frozen=True, kw_only=True):
    pass


class RetireCharacter(Command, frozen=True, kw_only=True):
    name: str


class ShowSheet(Question, frozen=True, kw_only=True):
    name: str


class SetTraits(Command, frozen=True, kw_only=True):
    """`changes` as typed: (trait, sign, value), the sign one of `=` `+=` `-=`."""

    name: str
    changes: tuple[tuple[str, str, str], ...]


class RollDice(Command, frozen=True, kw_only=True):
    expression: str


class ShowChoices(Question, frozen=True, kw_only=True):
    pass


class Choose(Command, frozen=True, kw_only=True):
    """`choice` 0 is the only one open for this person. `option` counts from 1; `mark` names a condition (adventure)."""

    choice: int
    option: int
    mark: str = ""


class Undo(Command, frozen=True, kw_only=True):
    """`event` 0 is the last act that may be taken back, else the number that `/history` shows."""

    event: int
    reason: str


class ShowHistory(Question, frozen=True, kw_only=True):
    count: int


class Reveal(Command, frozen=True, kw_only=True):
    pass


class AddLuck(Command, frozen=True, kw_only=True):
    text: str


class ShowOdds(Question, frozen=True, kw_only=True):
    """`of` is what is asked for (roll, or a verb of the system), `words` the rest."""

    of: str
    expression: str
    target: int | None = None


class Calculate(Question, frozen=True, kw_only=True):
    expression: str
    plain: bool


class Export(Question, frozen=True, kw_only=True):
    """`form` is one of FORMS, `audience` one of AUDIENCES; without a `session` or a `log` the whole record.

    `log` is the name or number of a log of talk; empty: none is meant.
    """

    form: str
    audience: str
    session: int | None
    log: str = ""


class ShowReplay(Question, frozen=True, kw_only=True):
    """Without a `session` the running one, or the last."""

    session: int | None


class ShowStats(Question, frozen=True, kw_only=True):
    """`name` is a character or a person; empty: everybody. Without a `session` the whole record."""

    name: str
    session: int | None


def _title(arguments: Arguments) -> str:
    title = arguments.rest().strip('"“”「」『』 ')
    if len(title) > MAX_TITLE:
        raise Refusal("too_large", "title", limit=MAX_TITLE)
    return title


def _expression(arguments: Arguments) -> str:
    """Words and brackets as typed, put together again: brackets are arithmetic here."""
    words = sorted((*arguments.tokens, *arguments.asides), key=lambda token: token.at)
    arguments.tokens, arguments.asides = [], []
    text = " ".join(token.text for token in words)
    if not text:
        raise Refusal("bad_argument", "missing", what="expression")
    return text


def _read_table(arguments: Arguments) -> Command:
    if not arguments.one_of(NEW) and (not arguments.tokens or arguments.one_of(("show", "info", "查看"))):
        return ShowTable()
    if arguments.one_of(("use", "回到", "使用")):
        return UseTable(id=arguments.word("table_id"))
    if arguments.one_of(LINK):
        return LinkTable()
    if arguments.one_of(("join", "加入")):
        return JoinTable(code=_code(arguments.word("code")))
    if arguments.one_of(("leave", "离开", "退出")):
        return LeaveTable()
    if arguments.one_of(("alone", "只留", "独占")):
        return LeaveOthers()
    if arguments.one_of(LIST):
        return ListTables()
    word = arguments.word("system")
    system = SYSTEM_WORDS.get(fold(word))
    if system is None:
        raise Refusal("bad_argument", "system", got=word, known=SYSTEM_NAMES)
    return OpenTable(system=system, title=_title(arguments))


def _code(word: str) -> str:
    """A code as people type it off another screen: with or without its dash, small letters, O for 0."""
    return word.upper().translate(LOOKALIKES)


def _read_me(arguments: Arguments) -> Command:
    if not arguments.one_of(LINK):
        raise Refusal("bad_argument", "subverb", got=arguments.word("subverb"), expected=("link",))
    word = arguments.maybe()
    sure = word is not None and arguments.one_of(("yes", "确认", "是"))
    return LinkMe(code=_code(word) if word else "", sure=bool(sure))


def _read_log(arguments: Arguments) -> Command:
    if arguments.one_of(ON):
        return KeepTalk(name=_title(arguments))
    if arguments.one_of(OFF):
        return PauseLog()
    if arguments.one_of(NEW):
        return OpenLog(name=_title(arguments))
    if arguments.one_of((*END, "halt")):
        return EndLog()
    if not arguments.tokens or arguments.one_of(LIST):
        return ListLogs()
    expected = ("on", "off", "new", "end", "list")
    raise Refusal("bad_argument", "subverb", got=arguments.word("subverb"), expected=expected)


def _read_history(arguments: Arguments) -> Command:
    """`记录 开` is what people say to other bots who want their talk kept."""
    if any(arguments.peek() == word for word in (*ON, *OFF, *NEW, *END, *LIST) if not word.isascii()):
        return _read_log(arguments)
    return ShowHistory(count=arguments.number("count", 1, MAX_LINES, 10))


def _read_forget(arguments: Arguments) -> Command:
    if not arguments.one_of(("me", "我")):
        raise Refusal("bad_argument", "subverb", got=arguments.maybe() or "…", expected=("me",))
    word = arguments.maybe()
    return ForgetMe(code=_code(word) if word else "")


SYSTEM_WORDS = {
    "savage": "savage", "sw": "savage", "狂野世界": "savage", "野蛮世界": "savage", "狂野": "savage",
    "storytelling": "storytelling", "wod": "storytelling", "cod": "storytelling", "讲述者": "storytelling", "黑暗世界": "storytelling",
    "infinite": "infinite", "无限恐怖": "infinite", "无限": "infinite",
    "adventure": "adventure", "冒险": "adventure", "冒险动作": "adventure",
}  # fmt: skip
SYSTEM_NAMES = (
    Phrase("savage（狂野世界）", "savage"), Phrase("storytelling（讲述者）", "storytelling"),
    Phrase("infinite（无限恐怖）", "infinite"), Phrase("adventure（冒险）", "adventure"),
)  # fmt: skip


def _read_house(arguments: Arguments) -> Command:
    if changed := arguments.changes():
        if len(changed) > 1 or changed[0][1] != "=":
            raise Refusal("bad_argument", "leftover", mark=changed[-1][0], at=0)
        return SetHouseRule(key=fold(changed[0][0]), value=changed[0][2])
    key = arguments.maybe()
    value = arguments.rest().strip('"“”「」 ')
    if key is None or not value:
        return ShowHouseRules(key=fold(key or ""))
    return SetHouseRule(key=fold(key), value=value)


def _read_session(arguments: Arguments) -> Command:
    if arguments.one_of(START):
        return StartSession(title=_title(arguments))
    if arguments.one_of(END):
        return EndSession()
    if not arguments.tokens or arguments.one_of(LIST):
        return ListSessions()
    raise Refusal("bad_argument", "subverb", got=arguments.word("subverb"), expected=("start", "end", "list"))


def _read_character(arguments: Arguments) -> Command:
    if arguments.one_of(NEW):
        return _read_new_character(arguments)
    if arguments.one_of(("use", "使用", "换", "切换")):
        return UseCharacter(name=arguments.word("name"))
    if arguments.one_of(("retire", "退休", "离场")):
        return RetireCharacter(name=arguments.word("name"))
    if not arguments.tokens or arguments.one_of(LIST):
        return ListCharacters()
    expected = ("new", "use", "list", "retire")
    raise Refusal("bad_argument", "subverb", got=arguments.word("subverb"), expected=expected)


def _read_new_character(arguments: Arguments) -> Command:
    traits = tuple(arguments.changes())
    name = check_name(arguments.word("name"))
    wild = arguments.flag("wild", "不羁", "不羁角色")
    extra = arguments.flag("extra", "龙套")
    if wild and extra:
        raise Refusal("bad_argument", "both_kinds")
    kind = "wild" if wild else "extra" if extra else ""
    return AddCharacter(name=name, kind=kind, ally=arguments.flag("ally", "盟友"), traits=traits)


def _read_set(arguments: Arguments) -> Command:
    changes = tuple(arguments.changes())
    if not changes:
        raise Refusal("bad_argument", "missing", what="change")
    return SetTraits(name=arguments.maybe() or "", changes=changes)


def _read_choose(arguments: Arguments) -> Command:
    mark = arguments.key("mark", "标记", "状态") or ""
    first = arguments.number("option", 1, 100_000)
    if not arguments.tokens:
        return Choose(choice=0, option=first, mark=mark)
    return Choose(choice=first, option=arguments.number("option", 1, 1000), mark=mark)


def _read_undo(arguments: Arguments) -> Command:
    event = 0
    if arguments.peek().isdecimal():
        event = whole(arguments.word("event"), "event", 1, 10**6)
    reason = _title(arguments)
    if not event and re.match(r"[-№]?[0-9]", reason):  # never the last act where a number was meant
        raise Refusal("bad_argument", "number", what="event", got=reason, least=1, most=10**6)
    return Undo(event=event, reason=reason)


def _read_luck(arguments: Arguments) -> Command:
    text = arguments.rest()
    if not text:
        raise Refusal("bad_argument", "missing", what="luck")
    if len(text) > MAX_LUCK:
        raise Refusal("too_large", "title", limit=MAX_LUCK)
    return AddLuck(text=text)


def _read_odds(arguments: Arguments) -> Command:
    target = arguments.number_key("tn", "目标", "目标数", least=-1000, most=100_000)
    pool = arguments.peek().startswith("骰池")  # 骰 alone is the plain roll, glued to its dice or not
    if not pool and arguments.one_of(("roll", "骰", "r")):
        return ShowOdds(of="roll", expression=_expression(arguments), target=target)
    return ShowOdds(of="", expression=_expression(arguments), target=target)


FORMS = ("txt", "md", "html", "csv", "jsonl")
LOG_FORMS = ("txt", "md", "csv")  # the others carry the chain, which a log that was paused would break
AUDIENCES = {"player": ("player", "玩家"), "gm": ("gm", "主持", "主持人"), "audit": ("audit", "审计")}
SESSION = re.compile(r"(?:session|场次)([0-9]*)|第([0-9]+)场")


def _read_export(arguments: Arguments) -> Command:
    session, log = _session_named(arguments), _log_named(arguments)
    audience = next((one for one, words in AUDIENCES.items() if arguments.flag(*words)), "player")
    form = arguments.maybe() or FORMS[0]
    if fold(form) not in FORMS:
        raise Refusal("bad_argument", "form", got=form, known=FORMS)
    if log and fold(form) not in LOG_FORMS:
        raise Refusal("bad_argument", "log_form", form=fold(form), log=log, known=LOG_FORMS)
    return Export(form=fold(form), audience=audience, session=session, log=log)


def _read_replay(arguments: Arguments) -> Command:
    session = _session_named(arguments)
    if session is None and arguments.tokens:
        session = arguments.number("session", 1, 10**6)
    return ShowReplay(session=session)


def _session_named(arguments: Arguments) -> int | None:
    """The number behind `session`, wherever it stands: `session 2`, `session=2`, `场次2`, `第2场`."""
    if (value := arguments.key("session", "场次")) is not None:
        return whole(value, "session", 1, 10**6)
    for place, token in enumerate(arguments.tokens):
        found = None if token.quoted else SESSION.fullmatch(fold(token.text))
        if found:
            number = found[1] or found[2] or (arguments.tokens.pop(place + 1).text if arguments.tokens[place + 1 :] else "")
            del arguments.tokens[place]
            if not number:
                raise Refusal("bad_argument", "missing", what="session")
            return whole(number, "session", 1, 10**6)
    return None


def _log_named(arguments: Arguments) -> str:
    """The name or number behind `log=`, or behind the word `log`, wherever it stands; empty: none."""
    if (value := arguments.key("log", "日志")) is not None:
        return value
    for place, token in enumerate(arguments.tokens):
        if not token.quoted and fold(token.text) in ("log", "日志"):
            named = arguments.tokens[place + 1 : place + 2]
            del arguments.tokens[place : place + 2]
            if not named:
                raise Refusal("bad_argument", "missing", what="log")
            return named[0].text
    return ""


def _read_language(arguments: Arguments) -> Command:
    word = arguments.word("language")
    if fold(word) not in LANGUAGES:
        raise Refusal("bad_argument", "language", got=word)
    return SetLanguage(language=LANGUAGES[fold(word)])


def bare(word: str) -> str | None:
    """No table has bare forms of its own."""
    return None


HOUSE: tuple[Option, ...] = (
    Option(
        key="physical-dice", zh="实体骰", default="off", values=("on", "off"),
        says=Phrase("玩家可以用 dice= 报自己掷的骰面", "people may give the faces of dice rolled by hand with dice="),
    ),
    Option(
        key=TIME_ZONE, zh="时区", default=UTC.name, check=zone_name,
        says=Phrase("给大家看的时间按哪个时区，例如 Asia/Shanghai、UTC+8",
                    "by which clock times are told, as in Asia/Shanghai or UTC+8"),
    ),
)  # fmt: skip

_p = Phrase  # short: it stands in every row
VERBS: tuple[Verb, ...] = (
    Verb(
        name="help", zh=("帮助",), also=("h", "start", "?"),
        read=lambda a: Help(topic=a.maybe() or ""),
        usage=_p("帮助 [指令]", "help [VERB]"),
        says=_p("指令列表，或某条指令的用法", "all commands, or how one of them is used"),
        example=_p("帮助 骰", "help roll"),
    ),
    Verb(
        name="table", zh=("开团", "团"), read=_read_table,
        usage=_p("开团 规则 [标题] | 列表 | 回到 编号 | 连接 | 加入 连接码 | 离开 | 独占",
                 "table new SYSTEM [TITLE] | list | use ID | link | join CODE | leave | alone"),
        says=_p("开一桌新的团，开团的人是主持人", "open a table; whoever opens it is the GM"),
        example=_p("开团 savage 冰川", "table new savage Glacier"),
        words=(_p("新建", "new"), _p("回到", "use"), _p("连接", "link"), _p("加入", "join"), _p("离开", "leave"), _p("独占", "alone"), _p("列表", "list"), *(_p(one, one) for one in dict.fromkeys(SYSTEM_WORDS.values()))),
    ),
    Verb(
        name="join", zh=("加入",), read=lambda a: Join(),
        usage=_p("加入", "join"), says=_p("成为这桌的玩家", "become a player of this table"), example=_p("加入", "join"),
    ),
    Verb(
        name="gm", zh=("主持", "主持人"), read=lambda a: NameGm(name=a.word("person")),
        usage=_p("主持 名字", "gm NAME"), says=_p("把主持人交给别人", "hand the GM's chair to somebody else"),
        example=_p("主持 小红", "gm Ann"),
    ),
    Verb(
        name="me", zh=("我",), read=_read_me,
        usage=_p("我 连接 [连接码 [确认]]", "me link [CODE [yes]]"),
        says=_p("把我在别处的账号连成同一个人", "join my account elsewhere to this one"),
        example=_p("我 连接", "me link"), words=(_p("连接", "link"),),
    ),
    Verb(
        name="lang", zh=("语言",), also=("language",), read=_read_language,
        usage=_p("语言 zh|en", "lang zh|en"), says=_p("这桌用中文还是英文", "the language of this table"),
        example=_p("语言 zh", "lang en"), words=(_p("zh", "zh"), _p("en", "en")),
    ),
    Verb(
        name="house", zh=("房规",), read=_read_house,
        usage=_p("房规 [项目 值]", "house [KEY VALUE]"),
        says=_p("查看或设定房规", "show or set the house rules"),
        example=_p("房规 实体骰 开", "house physical-dice on"),
    ),
    Verb(
        name="session", zh=("场次",), read=_read_session,
        usage=_p("场次 开始 [标题] | 结束 | 列表", "session start [TITLE] | end | list"),
        says=_p("开始或结束一场，并公布骰子的种子", "start or end a session; the end publishes the seed of its dice"),
        example=_p("场次 开始 第一夜", "session start The first night"),
        words=(_p("开始", "start"), _p("结束", "end"), _p("列表", "list")),
    ),
    Verb(
        name="scene", zh=("场景",), read=lambda a: StartScene(title=_title(a)),
        usage=_p("场景 [标题]", "scene [TITLE]"), says=_p("开始一个新场景", "start a scene"),
        example=_p("场景 冰裂缝", "scene The crevasse"),
    ),
    Verb(
        name="char", zh=("角色",), also=("character", "pc"), read=_read_character, takes=frozenset(),
        usage=_p("角色 新建 名字 [不羁|龙套] [盟友] [特性=值…] | 使用 名字 | 列表 | 退休 名字",
                 "char new NAME [wild|extra] [ally] [KEY=VALUE…] | use NAME | list | retire NAME"),
        says=_p("建立、切换、列出角色", "make, pick or list characters"),
        example=_p("角色 新建 小红 运动=d8 敏捷=d6", "char new Red athletics=d8 agility=d6"),
        words=(_p("新建", "new"), _p("使用", "use"), _p("列表", "list"), _p("退休", "retire")),
    ),
    Verb(
        name="sheet", zh=("角色卡",), read=lambda a: ShowSheet(name=a.maybe() or ""), takes=frozenset({AS}),
        usage=_p("角色卡 [名字]", "sheet [NAME]"), says=_p("看角色卡", "show a character sheet"),
        example=_p("角色卡 小红", "sheet Red"),
    ),
    Verb(
        name="set", zh=("设置",), read=_read_set, takes=frozenset({AS}),
        usage=_p("设置 [名字] 特性=值…（也可 += 和 -=）", "set [NAME] KEY=VALUE… (also += and -=)"),
        says=_p("改角色卡", "change a character sheet"),
        example=_p("设置 潜行=d6", "set stealth=d6"),
    ),
    Verb(
        name="roll", zh=("骰", "掷"), also=("r",), takes=frozenset({AS, DICE, SECRET}),
        read=lambda a: RollDice(expression=_expression(a)),
        usage=_p("骰 表达式", "roll EXPRESSION"),
        says=_p("掷任意骰子：2d6+1、4d6kh3、3#d20、d%、4dF、2d6!", "any dice: 2d6+1, 4d6kh3, 3#d20, d%, 4dF, 2d6!"),
        example=_p("骰 4d6kh3+2 # 力量", "roll 4d6kh3+2 # strength"),
    ),
    Verb(
        name="choices", zh=("待选",), read=lambda a: ShowChoices(),
        usage=_p("待选", "choices"), says=_p("还没做的选择", "choices still open"), example=_p("待选", "choices"),
    ),
    Verb(
        name="choose", zh=("选择", "选"), read=_read_choose, takes=frozenset({DICE}),
        usage=_p("选择 [编号] 第几项 [mark=状态]", "choose [ID] N [mark=CONDITION]"), says=_p("做一个选择", "make a choice"),
        example=_p("选择 2", "choose 2"),
    ),
    Verb(
        name="undo", zh=("撤销",), read=_read_undo,
        usage=_p("撤销 [编号] [原因]", "undo [NUMBER] [REASON]"),
        says=_p("收回上一步（掷骰由主持人收回）；记录里两行都在", "take back the last act (a roll: the GM only); the record keeps both lines"),
        example=_p("撤销 给错人了", "undo wrong player"),
    ),
    Verb(
        name="history", zh=("记录", "历史"), read=_read_history,
        usage=_p("记录 [条数]", "history [N]"), says=_p("最近发生的事和编号", "the latest acts with their numbers"),
        example=_p("记录 20", "history 20"),
    ),
    Verb(
        name="log", zh=("日志",), read=_read_log,
        usage=_p("日志 开 [名字] | 新建 [名字] | 关 | 结束 | 列表", "log on [NAME] | new [NAME] | off | end | list"),
        says=_p("把群里的聊天也记下来；不开就不记", "keep the table's talk in the record too; off unless asked for"),
        example=_p("日志 新建 第一夜", "log new The first night"),
        words=(_p("开", "on"), _p("新建", "new"), _p("关", "off"), _p("结束", "end"), _p("列表", "list")),
    ),
    Verb(
        name="forget", zh=("遗忘",), read=_read_forget,
        usage=_p("遗忘 我 [确认码]", "forget me [CODE]"),
        says=_p("删掉我的名字、账号和聊天；先列出会删什么", "remove my name, accounts and talk; first it is shown what would go"),
        example=_p("遗忘 我", "forget me"), words=(_p("我", "me"),),
    ),
    Verb(
        name="reveal", zh=("揭示",), read=lambda a: Reveal(),
        usage=_p("揭示", "reveal"),
        says=_p("公布暗骰和种子，换新种子", "publish the secret rolls and the seed; a new seed begins"),
        example=_p("揭示", "reveal"),
    ),
    Verb(
        name="luck", zh=("手气", "幸运"), read=_read_luck,
        usage=_p("手气 文字", "luck TEXT"),
        says=_p("第一骰之前，往种子里加自己的话", "before the first roll: add words of your own to the seed"),
        example=_p("手气 今晚不要一", "luck no ones tonight"),
    ),
    Verb(
        name="odds", zh=("概率",), read=_read_odds,
        usage=_p("概率 骰 2d6+1 [tn=8] | 特性 d8 +1 | 骰池 7 [again=9] [rote] [need=3] | 检定 7 | 动作 +1 优势",
                 "odds roll 2d6+1 [tn=8] | trait d8 +1 | pool 7 [again=9] [rote] [need=3] | check 7 | move +1 adv"),
        says=_p("精确的成功率：任意骰子，或这套规则的掷骰", "exact chances: of any dice, or of what this table's system rolls"),
        example=_p("概率 骰 2d6+1 tn=8", "odds roll 2d6+1 tn=8"),
    ),
    Verb(
        name="calc", zh=("计算",), read=lambda a: Calculate(plain=a.flag("plain", "普通"), expression=_expression(a)),
        usage=_p("计算 [普通] 算式", "calc [plain] EXPRESSION"), says=_p("算术，不掷骰", "arithmetic without dice"),
        example=_p("计算 (7+5)/2", "calc (7+5)/2"),
    ),
    Verb(
        name="export", zh=("导出",), read=_read_export,
        usage=_p("导出 [txt|md|html|csv|jsonl] [场次 几] [日志=名字] [玩家|主持|审计]",
                 "export [txt|md|html|csv|jsonl] [session N] [log=NAME] [player|gm|audit]"),
        says=_p("把记录发成文件；主持和审计的那份只私下发给主持人", "the record as a file; the GM's and the audit's come to the GM in private"),
        example=_p("导出 csv 场次 1", "export csv session 1"),
        words=(*(_p(one, one) for one in FORMS), _p("场次", "session"), _p("日志=", "log="), _p("主持", "gm"),
               _p("审计", "audit")),
    ),
    Verb(
        name="replay", zh=("回放",), read=_read_replay,
        usage=_p("回放 [第几场]", "replay [N]"),
        says=_p("一场的回顾：谁做了什么，最好最差的骰，还有什么没完；全文在附件里",
                "a session looked back on: who did what, the best and worst rolls, what is open; the whole of it as a file"),
        example=_p("回放 1", "replay 1"),
    ),
    Verb(
        name="stats", zh=("统计",), read=lambda a: ShowStats(session=_session_named(a), name=a.maybe() or ""),
        usage=_p("统计 [名字] [场次 几]", "stats [NAME] [session N]"),
        says=_p("掷骰统计，骰面偏不偏，附一张图", "figures of all rolls, whether the dice are even, and a picture"),
        example=_p("统计", "stats"), words=(_p("场次", "session"),),
    ),
)  # fmt: skip
