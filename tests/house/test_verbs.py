"""One table of verbs: nothing clashes, every example works, help shows everything, every command is decided once."""

from __future__ import annotations

import pytest

from core.grammar.parse import parse
from core.grammar.verb import Command, Question, Verb
from core.registry import SYSTEMS, rooms
from core.seating import SEATED
from core.table.verbs import ForgetMe, LinkMe, LinkTable, ListTables, UseTable
from core.vocabulary import verb_table
from tests.story import savage, told

# The contract's Chinese names of what every table has, and of Savage Worlds.
GENERAL = (
    "帮助 help · 开团 table · 加入 join · 主持 gm · 房规 house · 场次 session · 场景 scene · 角色 char · "
    "角色卡 sheet · 设置 set · 骰 roll · 选择 choose · 撤销 undo · 记录 history · 揭示 reveal · 计算 calc"
)
SAVAGE = (
    "特性 trait · 团队骰 group · 重骰 reroll · 对抗 oppose · 抵抗 resist · "
    "伤害 damage · 助力 benny · 损伤 wound · 动摇 shaken · 先攻 init"
)
STORYTELLING = "骰池 pool · 持续 extended · 竞赛 contest"
ADVENTURE = "动作 move · 援助 aid · 标记 mark · 消除 clear · 扎营 camp · 安慰 comfort · 旅途 journey · 仪式 ritual"
INFINITE = "检定 check · 对抗 oppose · 抵抗 resist · 攻击 attack · 防御 defend"
ENGLISH_ONLY = ("lang", "choices", "luck", "odds", "log")  # the contract names them without a Chinese name


def names(contract: str) -> list[tuple[str, str]]:
    return [(zh, name) for zh, name in (one.split() for one in contract.split(" · "))]


VERBS = [(system, verb) for system in ("", *SYSTEMS) for verb in verb_table(system).verbs]
IDS = [f"{system or 'table'}-{verb.name}" for system, verb in VERBS]


@pytest.mark.parametrize("system", ["", *SYSTEMS])
def test_no_two_verbs_share_a_name(system: str) -> None:
    table = verb_table(system)
    assert len(table.by_name) == sum(len(verb.names()) for verb in table.verbs)


@pytest.mark.parametrize(("zh", "name"), names(GENERAL))
def test_every_table_has_the_contracts_verbs(zh: str, name: str) -> None:
    for system in ("", *SYSTEMS):
        assert verb_table(system).by_name[zh].name == name == verb_table(system).by_name[name].name


@pytest.mark.parametrize(("zh", "name"), names(SAVAGE))
def test_savage_worlds_has_the_contracts_verbs(zh: str, name: str) -> None:
    assert verb_table("savage").by_name[zh].name == name == verb_table("savage").by_name[name].name


@pytest.mark.parametrize(("zh", "name"), names(STORYTELLING))
def test_storytelling_has_the_contracts_verbs(zh: str, name: str) -> None:
    assert verb_table("storytelling").by_name[zh].name == name == verb_table("storytelling").by_name[name].name


@pytest.mark.parametrize(("zh", "name"), names(INFINITE))
def test_infinite_terror_has_the_contracts_verbs(zh: str, name: str) -> None:
    assert verb_table("infinite").by_name[zh].name == name == verb_table("infinite").by_name[name].name


@pytest.mark.parametrize(("zh", "name"), names(ADVENTURE))
def test_adventure_has_the_contracts_verbs(zh: str, name: str) -> None:
    assert verb_table("adventure").by_name[zh].name == name == verb_table("adventure").by_name[name].name


@pytest.mark.parametrize("name", ["lock", "unlock", "xp", "bond", "hp", "death", "endsession"])
def test_the_rest_of_adventures_verbs_are_there_too(name: str) -> None:
    assert verb_table("adventure").by_name[name].name == name


@pytest.mark.parametrize("name", ENGLISH_ONLY)
def test_verbs_without_a_fixed_chinese_name_are_there_too(name: str) -> None:
    assert verb_table("").by_name[name].name == name


@pytest.mark.parametrize(("system", "verb"), VERBS, ids=IDS)
def test_an_example_is_a_command_of_its_verb_in_both_languages(system: str, verb: Verb) -> None:
    for example in verb.example:
        invocation = parse(example, verb_table(system))
        assert invocation.verb is verb
    assert type(parse(verb.example.zh, verb_table(system)).command) is type(
        parse(verb.example.en, verb_table(system)).command
    )


@pytest.mark.parametrize(("system", "verb"), VERBS, ids=IDS)
def test_a_usage_begins_with_its_verb(system: str, verb: Verb) -> None:
    assert verb.usage.zh.split()[0] == verb.zh[0]
    assert verb.usage.en.split()[0] == verb.name


@pytest.mark.parametrize(("system", "verb"), VERBS, ids=IDS)
def test_every_name_of_a_verb_is_read_as_that_verb(system: str, verb: Verb) -> None:
    _, _, words = verb.example.en.partition(" ")
    for name in verb.names():
        for written in (name, name.upper()):
            assert parse(f"{written} {words}", verb_table(system)).verb is verb


@pytest.mark.parametrize("speech", ["zh", "en"])
def test_help_names_every_verb(speech: str) -> None:
    story = savage(f"gm: /lang {speech}")
    shown = told(story.when("ann: /help"))
    for verb in verb_table("savage").verbs:
        assert verb.name in shown
        assert verb.zh[0] in shown
        assert verb.says[0 if speech == "zh" else 1] in shown


@pytest.mark.parametrize("speech", ["zh", "en"])
@pytest.mark.parametrize("verb", verb_table("savage").verbs, ids=lambda verb: verb.name)
def test_help_of_a_verb_shows_its_usage_its_names_and_every_option(verb: Verb, speech: str) -> None:
    story = savage(f"gm: /lang {speech}")
    place = 0 if speech == "zh" else 1
    for name in verb.names():
        shown = told(story.when(f"ann: /help {name}"))
        assert verb.usage[place] in shown
        assert verb.example[place] in shown
        assert all(other in shown for other in verb.names() if other not in (verb.name, verb.zh[0]))
        for option, sign in (("as", "as="), ("dice", "dice="), ("secret", "secret=gm")):
            assert (sign in shown) == (option in verb.takes)


@pytest.mark.parametrize("speech", ["zh", "en"])
def test_house_names_every_option_with_its_value_and_its_choices(speech: str) -> None:
    story = savage(f"gm: /lang {speech}")
    shown = told(story.when("ann: /house"))
    for room in rooms("savage", "verbs"):
        for option in room.HOUSE:
            assert (option.zh if speech == "zh" else option.key) in shown
            assert option.says[0 if speech == "zh" else 1] in shown
            assert all(value in shown for value in option.values)


def commands(kind: type[Command] = Command) -> list[type[Command]]:
    """Every command that a verb can become: those that no other is a kind of."""
    below = [one for sub in kind.__subclasses__() for one in commands(sub)]
    return below or [kind]


@pytest.mark.parametrize("kind", commands(), ids=lambda kind: kind.__name__)
def test_every_command_is_decided_or_answered_in_exactly_one_place(kind: type[Command]) -> None:
    deciding = {id(room): room for system in ("", *SYSTEMS) for room in rooms(system, "decide")}.values()
    answering = {id(room): room for system in ("", *SYSTEMS) for room in rooms(system, "answer")}.values()
    decided = [room.__name__ for room in deciding if kind in room.DECIDE]
    answered = [room.__name__ for room in answering if kind in room.ANSWER]
    if kind in (UseTable, LinkTable, LinkMe, ListTables, ForgetMe):
        assert kind in SEATED
        assert not decided, "it is about chats and accounts alone, and leads to no fact by itself"
        return
    assert bool(answered) == issubclass(kind, Question) != bool(decided)
    own, *others = [one.rpartition(".")[0] for one in (*decided, *answered)]
    assert own == kind.__module__.rpartition(".")[0]
    assert not others or own == "core.table", "a system may better what every table has, and nothing else"
