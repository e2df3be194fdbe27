"""Old events are read for ever: each version of each type stands here as a frozen sample."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import pytest

from events.chain import first_break
from events.codec import decode
from events.envelope import Stored
from events.types import EVENT_TYPES, CardDealt, LineSpoken
from events.upcasts import UPCASTS, upcast
from tests.events.records import samples

FROZEN = {(name, version): stored for name, version, stored in samples()}
NEEDED = {(name, version) for name, kind in EVENT_TYPES.items() for version in range(1, kind.version + 1)}


def test_every_version_of_every_event_has_a_frozen_sample_and_no_other_is_there() -> None:
    assert set(FROZEN) == NEEDED


def test_every_step_from_an_old_version_to_the_next_is_there_and_no_other() -> None:
    assert set(UPCASTS) == {(name, version) for name, version in NEEDED if version < EVENT_TYPES[name].version}


@pytest.mark.parametrize(("key", "stored"), FROZEN.items(), ids=[f"{name}.{v}" for name, v in FROZEN])
def test_a_sample_was_not_edited_and_reads_as_the_event_of_today(key: tuple[str, int], stored: Stored) -> None:
    assert sha256(stored.body).hexdigest() == stored.hash, "a frozen sample is never edited: raise the version instead"
    assert first_break([stored]) is None
    envelope = decode(stored)
    assert (envelope.type, envelope.v) == key
    assert type(envelope.data) is EVENT_TYPES[key[0]]


@pytest.mark.parametrize("name", EVENT_TYPES)
def test_the_fields_of_a_version_never_change(name: str) -> None:
    stored = FROZEN[name, EVENT_TYPES[name].version]
    kept = bytes(msgspec.json.decode(stored.body, type=dict[str, msgspec.Raw])["data"])
    assert msgspec.json.encode(decode(stored).data) == kept, f"{name} changed its fields: raise its version"


def test_a_card_of_version_1_was_dealt_and_nobody_knows_its_die_numbers() -> None:
    event = decode(FROZEN["CardDealt", 1]).data
    assert event == CardDealt(
        character="Red", card="QH", reason="deal", period=None, first=None, next=None, comment="旧牌"
    )


def test_a_line_of_version_1_keeps_its_text_in_the_event_itself() -> None:
    event = decode(FROZEN["LineSpoken", 1]).data
    assert event == LineSpoken(text="“Draw,” she said. 拔枪吧。")
    assert upcast("LineSpoken", 1, 2, {"text": "(brb)"})["ooc"] is True


@pytest.mark.parametrize(("name", "version"), UPCASTS)
def test_a_step_leaves_its_input_alone(name: str, version: int) -> None:
    fields = msgspec.json.decode(FROZEN[name, version].body)["data"]
    before = dict(fields)
    assert upcast(name, version, version + 1, fields) != before
    assert fields == before


def test_a_missing_step_is_an_error_and_not_a_guess() -> None:
    with pytest.raises(KeyError):
        upcast("LineSpoken", 2, 3, {"text": "hello"})
