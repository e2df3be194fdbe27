"""Whatever is typed is talk, a command or a refusal, and never any other error."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language import Language
from core.messages import Answer
from core.refusal import CODES
from core.registry import SYSTEMS
from core.vocabulary import phrase_book
from events.envelope import Head
from tests.laws.played import ANY_TEXT, JUNK, PEOPLE, begun
from tests.story import Story

MOST_SIGNS = 1000  # of a refusal: one sentence, whatever was quoted in it
SPEECHES: tuple[Language, ...] = ("zh", "en")
TEXTS = st.one_of(ANY_TEXT, st.tuples(st.sampled_from("/!.。"), ANY_TEXT).map("".join), JUNK, JUNK)


def _template(sentence: str) -> str:
    return re.sub(r"\\\{\w+\\\}", ".*", re.escape(sentence))


def _sentences(code: str, speech: Language) -> re.Pattern[str]:
    """Every sentence that a refusal of this code can have."""
    books = [phrase_book(system) for system in SYSTEMS]
    phrases = [phrase for book in books for key, phrase in book.items() if key.split(".")[0] == code]
    return re.compile("|".join(_template(getattr(phrase, speech)) for phrase in phrases), re.DOTALL)


SENTENCES = {(code, speech): _sentences(code, speech) for code in CODES for speech in SPEECHES}


def state(story: Story) -> tuple[object, ...]:
    """All that a refusal may not touch."""
    log = story.log
    return [list(log.read(table)) for table in log.tables()], log.tables(), log.table_of("test", story.chat)  # type: ignore[return-value]


def kept_its_word(answer: Answer, speech: Language) -> None:
    """A command says something; a refusal is one sentence in the table's language, and nothing else."""
    if answer.error is None:
        assert answer.letters
        return
    code, sentence = answer.error
    assert code in CODES
    assert (answer.events, answer.letters) == ((), ())
    assert not re.search(r"[\r\n\u2028\u2029]", sentence)
    assert 0 < len(sentence) <= MOST_SIGNS
    assert SENTENCES[code, speech].fullmatch(sentence), sentence


def try_all(story: Story, texts: list[tuple[str, str]], speech: Language | None) -> None:
    for person, text in texts:
        before = state(story)
        answers = story.hear(f"{person}: {text}")
        for answer in answers:
            kept_its_word(answer, speech or spoken(text))
        if all(answer.error is not None for answer in answers):
            assert state(story) == before


def spoken(text: str) -> Language:
    """Where no table has said otherwise: Chinese in the message is answered in Chinese."""
    return "zh" if re.search("[\u4e00-\u9fff]", text) else "en"


PEOPLE_AND_TEXTS = st.lists(st.tuples(st.sampled_from(PEOPLE), TEXTS), min_size=1, max_size=8)


@given(PEOPLE_AND_TEXTS)
def test_where_there_is_no_table_any_text_is_answered_or_let_be(texts: list[tuple[str, str]]) -> None:
    for person, text in texts:
        story = Story()
        try_all(story, [(person, text)], None)


@given(PEOPLE_AND_TEXTS, st.sampled_from(SPEECHES))
def test_at_a_table_any_text_is_answered_or_let_be(texts: list[tuple[str, str]], speech: Language) -> None:
    story = Story().given("gm: /table new savage Glacier", f"gm: /lang {speech}")
    try_all(story, [(person, text) for person, text in texts if not speaks_of_language(text)], speech)


@given(PEOPLE_AND_TEXTS, st.sampled_from(SPEECHES))
def test_within_a_session_any_text_is_answered_or_let_be(texts: list[tuple[str, str]], speech: Language) -> None:
    story = begun("gm: /init deal", "ann: /oppose d8", language=speech)
    try_all(story, [(person, text) for person, text in texts if not speaks_of_language(text)], speech)


def speaks_of_language(text: str) -> bool:
    """`/lang` and a new table, and the undo of one, change what is spoken."""
    return bool(re.search("lang|语言|table|开团|团|undo|撤销", text))


@pytest.mark.parametrize("person", PEOPLE)
@pytest.mark.parametrize(
    "text",
    [
        "/roll " + "(" * 3900,
        "/roll " + "1+" * 1900 + "1",
        "/roll " + "9" * 3900,
        "/roll " + "-" * 3900,
        "/trait d8" + "+1" * 1900,
        "/trait " + "⑴" * 3900,
        "/trait d8 " + "+⑴" * 1900,
        "/" + "ﷺ" * 3900,
        "/set " + "a=1 " * 900,
        "/set Ann " + "x" * 3900 + "=1",
        "/help " + "x" * 3900,
        "/char new " + "龘" * 3900,
        "/damage " + "+d6" * 1300,
        "/damage " + "力量+" * 900,
        "/odds roll 1000d1000",
        "/odds roll 60d60!",
        "/odds trait " + "d8 " * 900,
        "/calc " + "2*" * 200 + "2",
        "/calc 1" + "/1" * 240,
        "/roll d6 dice=" + "1," * 1900,
        "/roll 1000d6",
        "/roll 20#50d1000000!kh1",
        "/luck " + "🍀" * 3900,
        "/roll d6 # " + "龘" * 3900,
        "/roll d6 " + "[" * 1900,
        "/roll d6 " + "“" * 3900,
        "/roll d6 as=" + "x" * 3900,
        "/house " + "x" * 3900,
        "/gm " + "x" * 3900,
        "/benny give " + "x" * 3900,
        "/undo " + "9" * 3900,
        "/undo " + "x" * 3900,
        "/choose " + "9" * 3900,
        "/" + "x" * 3999,
        "/" + "x" * 4000,
        "/" * 3000,
    ],
    ids=lambda text: text[:16] if len(text) > 5 else text,
)
def test_texts_made_to_hurt_are_answered_too(person: str, text: str) -> None:
    try_all(begun(), [(person, text)], "en")


def test_a_refusal_in_a_chinese_chat_is_chinese_before_there_is_a_table() -> None:
    (answer,) = Story().hear("ann: 。特性 d8")
    assert answer.error is not None
    kept_its_word(answer, "zh")
    assert Story().log.head("") == Head()
