"""Who speaks in a line of the terminal, and what an answer looks like."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.terminal.wire import Spoken, as_json, as_text, decoded, spoken
from core.messages import Answer
from events.beside import Letter, MessageKey

KEY = MessageKey("terminal", "main", "1")


@pytest.mark.parametrize(
    ("line", "person", "text"),
    [
        ("ann: /roll d6", "ann", "/roll d6"),
        ("ann:/roll d6", "ann", "/roll d6"),
        ("小安：。骰 d6", "小安", "。骰 d6"),
        ("小安：你好", "小安", "你好"),
        ("Red Fox: hello: there", "Red Fox", "hello: there"),
        ("ann:", "ann", ""),
        ("/roll 2d6 # note: this", "you", "/roll 2d6 # note: this"),
        ("。骰 d6 # 备注：这个", "you", "。骰 d6 # 备注：这个"),
        ("！roll d6 # a： b", "you", "！roll d6 # a： b"),
        ("see http://example.org", "you", "see http://example.org"),
        ("see you at 12:30", "you", "see you at 12:30"),
        (": nobody", "you", ": nobody"),
        ("", "you", ""),
        (f"{'a' * 65}: /roll d6", "you", f"{'a' * 65}: /roll d6"),
        ("a\x1b[31mnn: hi", "a[31mnn", "hi"),
        ("ann: one\rtwo", "ann", "one two"),
    ],
)
def test_a_line_is_its_named_speakers_or_the_default_ones(line: str, person: str, text: str) -> None:
    assert spoken(line, "you") == Spoken(person, text)


@given(st.text())
def test_any_line_has_a_speaker_and_no_line_end_in_its_text(line: str) -> None:
    said = spoken(line, "you")
    assert said.person
    assert said.person.isprintable()
    assert "\r" not in said.text


@given(st.binary())
def test_any_bytes_become_text(line: bytes) -> None:
    assert json.loads(as_json(1, spoken(decoded(line), "you"), [], str))["line"] == 1


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    assert decoded("\ufeffann: hi\r\n".encode()) == "ann: hi"


def test_talk_is_an_object_with_nothing_in_it() -> None:
    shown = json.loads(as_json(7, Spoken("ann", "hello"), [], str))
    assert shown == {"line": 7, "from": "ann", "text": "hello", "events": [], "replies": [], "error": None}


def test_a_refusal_has_its_code_and_sentence_and_no_reply() -> None:
    answer = Answer(key=KEY, error=("no_table", "Open a table."), letters=(Letter("table", "not to be shown"),))
    shown = json.loads(as_json(1, Spoken("ann", "/x"), [answer], str))
    assert (shown["events"], shown["replies"]) == ([], [])
    assert shown["error"] == {"code": "no_table", "message": "Open a table."}
    assert as_text([answer], str) == ["Open a table."]


def test_every_line_of_a_private_reply_says_for_whom_it_is() -> None:
    answer = Answer(key=KEY, letters=(Letter("p1", "one\ntwo", ((1, "this"),)), Letter("table", "all")))
    assert as_text([answer], {"p1": "Ann"}.__getitem__) == ["[to Ann] one", "[to Ann] two", "[to Ann]   1) this", "all"]
    shown = json.loads(as_json(1, Spoken("ann", "/x"), [answer], {"p1": "Ann"}.__getitem__))
    assert shown["replies"][0] == {"to": "Ann", "text": "one\ntwo", "choices": [{"n": 1, "label": "this"}]}
