"""Chinese and English say the same: same commands, same facts, and every sentence in both."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given

from core.language import Phrase
from core.registry import SYSTEMS, rooms
from core.vocabulary import phrase_book, verb_table
from events.types import Event, LanguageSet
from tests.laws.played import begun, games
from tests.story import Story

HAN = re.compile("[\u4e00-\u9fff]")
PLACEHOLDER = re.compile(r"\{\w+\}")
LETTERS = re.compile("[A-Za-z]{2,}")

SAID_TWICE = [
    ("/char new Lise wild agility=d8 toughness=6", "。角色 新建 Lise 不羁 敏捷=d8 坚韧=6"),
    ("/char use Ann", "。角色 使用 Ann"),
    ("/set Ann agility=d10", "。设置 Ann 敏捷＝d10"),
    ("/trait agility -2 hard", "。特性 敏捷 －２ 困难"),
    ("/trait d8 x3 tn=6", "。特性 d8 ×3 目标数=6"),
    ("/trait d8 extra crit", "。特性 d8 龙套 大失败"),
    ("/trait d8 unskilled secret=gm", "。特性 d8 拙劣 暗骰=主持"),
    ("/group d6", "。团队骰 d6"),
    ("/oppose d8", "。对抗 d8"),
    ("/reroll", "。重骰"),
    ("/reroll edge=Elan", "。重骰 专长=Elan"),
    ("/benny give Ann 2 # good", "。助力 给 Ann 2 # good"),
    ("/benny spend story", "。助力 花 剧情"),
    ("/damage 2d6 raise vs=Guard", "。伤害 2d6 优良 对=Guard"),
    ("/wound 1 as=Ann", "。损伤 1 扮演=Ann"),
    ("/shaken on as=Ann", "。动摇 开 as=Ann"),
    ("/init deal", "。先攻 发牌"),
    ("/init next", "。先攻 下一个"),
    ("/init end", "。先攻 结束"),
    ("/scene Night", "。场景 Night"),
    ("/house bennies 5", "。房规 起始助力点 5"),
    ("/house unskilled off", "。房规 拙劣尝试 关"),
    ("/session end", "。场次 结束"),
    ("/reveal", "。揭示"),
    ("/undo oops", "。撤销 oops"),
    ("/roll 3d6", "。骰 3d6"),
    ("/gm ann", "。主持 ann"),
    ("/history 5", "。记录 5"),
    ("/sheet Ann", "。角色卡 Ann"),
    ("/benny", "。助力 列表"),
    ("/choices", "。待选"),
    ("/odds trait d8", "。概率 特性 d8"),
    ("/calc 1+1", "。计算 1+1"),
    ("/help roll", "。帮助 骰"),
]


def facts(story: Story, lines: list[str]) -> list[tuple[list[Event], list[tuple[str, int]], str | None]]:
    """What each command led to, its text left out."""
    told = []
    for line in lines:
        for answer in story.hear(line):
            events = [envelope.data for envelope in answer.events]
            letters = [(letter.to, len(letter.choices)) for letter in answer.letters]
            assert all(letter.text for letter in answer.letters)
            told.append((events, letters, answer.error[0] if answer.error else None))
    return told


@given(games())
def test_the_same_commands_lead_to_the_same_facts_at_a_chinese_and_an_english_table(lines: list[str]) -> None:
    assert facts(begun(language="zh"), lines) == facts(begun(language="en"), lines)


@pytest.mark.parametrize("person", ["gm", "ann"])
@pytest.mark.parametrize(("english", "chinese"), SAID_TWICE, ids=[one for one, _ in SAID_TWICE])
def test_a_command_in_chinese_is_the_same_command(person: str, english: str, chinese: str) -> None:
    said, again = begun(), begun()
    told, told_again = facts(said, [f"{person}: {english}"]), facts(again, [f"{person}: {chinese}"])
    for one, other in zip(told, told_again, strict=True):
        assert [_without_name(event) for event in one[0]] == [_without_name(event) for event in other[0]]
        assert one[1:] == other[1:]
    assert said.table.play.rules == again.table.play.rules or "hard" in english


def _without_name(event: Event) -> object:
    """A step keeps the word it was typed with (hard, 困难); everything else is the same in both languages."""
    return re.sub("Modifier\\(name='(hard|困难)'", "Modifier(name='…'", repr(event))


def test_a_change_of_language_is_told_in_the_new_one() -> None:
    story = begun()
    assert HAN.search(story.when("gm: /lang zh").letters[0].text)
    assert not HAN.search(story.when("gm: /lang en").letters[0].text)
    assert isinstance(story.hear("gm: /lang zh")[0].events[0].data, LanguageSet)


# ---- the phrase book


def placeholders(sentence: str) -> list[str]:
    return sorted({name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None} - {"p"})


PHRASES = sorted((key, phrase) for one in ("", *SYSTEMS) for key, phrase in rooms(one, "words")[-1].PHRASES.items())


@pytest.mark.parametrize(("key", "phrase"), PHRASES, ids=[key for key, _ in PHRASES])
def test_both_languages_of_a_sentence_name_the_same_facts(key: str, phrase: Phrase) -> None:
    assert placeholders(phrase.zh) == placeholders(phrase.en)
    assert all(name.isidentifier() for name in placeholders(phrase.zh))
    assert phrase.zh.strip()
    assert phrase.en.strip()


@pytest.mark.parametrize(("key", "phrase"), PHRASES, ids=[key for key, _ in PHRASES])
def test_a_chinese_sentence_is_chinese(key: str, phrase: Phrase) -> None:
    """One made of signs and facts alone is its own in every language."""
    words = LETTERS.search(PLACEHOLDER.sub("", phrase.zh))
    assert HAN.search(phrase.zh) or not words


@pytest.mark.parametrize(("key", "phrase"), PHRASES, ids=[key for key, _ in PHRASES])
def test_an_english_sentence_has_no_chinese_in_it(key: str, phrase: Phrase) -> None:
    assert not re.search("[\u4e00-\u9fff，。：；「」（）！？]", phrase.en)


def test_no_two_rooms_say_something_under_the_same_key() -> None:
    for system in SYSTEMS:
        books = [room.PHRASES for room in rooms(system, "words")]
        assert len(phrase_book(system)) == sum(map(len, books))


@pytest.mark.parametrize("system", ["", *SYSTEMS])
def test_every_verb_is_described_in_both_languages(system: str) -> None:
    for verb in verb_table(system).verbs:
        for phrase in (verb.usage, verb.says, verb.example):
            assert not HAN.search(phrase.en), (verb.name, phrase)
        assert HAN.search(verb.says.zh), verb.name
        assert HAN.search(verb.usage.zh), verb.name
        assert HAN.search(verb.example.zh), verb.name
