"""Records on which verifiers must agree: honest ones of rare shapes, and talk that was tampered with.

All are the lines of an export; in an honest one nothing is broken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from core.evolve import MAX_ACTS
from events.beside import Beside
from tests.laws import played, systems
from tests.protocol.example import exported
from tests.story import Seeds, Story, savage


def talk_between_a_deal_and_its_undo() -> list[bytes]:
    talk = ["ann: hm"] * (MAX_ACTS + 1)
    return exported(played.begun("gm: /log on", "gm: /init deal", *talk, "gm: /undo", "gm: /init deal", "gm: /reveal"))


def talk_between_a_house_rule_and_its_undo() -> list[bytes]:
    talk = ["ann: hm"] * (MAX_ACTS + 1)
    off, by_hand = "gm: /house physical-dice off", "ann: /roll d6 dice=3"
    return exported(played.begun("gm: /log on", off, *talk, "gm: /undo", by_hand))


def luck_behind_a_secret_target() -> list[bytes]:
    """For players: what names the target is sealed, and hides no die."""
    told = ("gm: /extended new Lock target=9 secret 5", "ann: /luck no ones", "ann: /pool 5", "gm: /reveal")
    return exported(systems.begun("storytelling", *told), "player")


def secret_throw_that_opens_a_period() -> list[bytes]:
    """For players: the table was moved here without its seed, and its first throw is secret."""
    source = savage("ann: /char new Ann", "ann: /roll d6")
    story, table = Story(seeds=Seeds(1000)), source.table.id
    story.said = source.said  # no message comes twice
    story.log.append(table, 0, tuple(source.log.read(table)), Beside(chat=("test", "test")))
    return exported(story.given("gm: /roll 2d6 secret", "ann: /roll d6"), "player")


def card_behind_an_undone_shuffle() -> list[bytes]:
    """The second session alone: its shuffle is undone, and a card is dealt from a deck that it does not show."""
    story = played.begun("gm: /init deal", "gm: /init end", "gm: /session end", "gm: /session start Two", start=53)
    story.given("gm: /init deal", "gm: /init next", "gm: /init deal")  # a Joker was dealt, so the deck is shuffled
    story.given("gm: /undo", "gm: /undo", "ann: /benny spend card", "gm: /reveal")
    return exported(story, session=2)


WHOLE: tuple[Callable[[], list[bytes]], ...] = (
    talk_between_a_deal_and_its_undo,
    talk_between_a_house_rule_and_its_undo,
    luck_behind_a_secret_target,
    secret_throw_that_opens_a_period,
)
PARTS: tuple[Callable[[], list[bytes]], ...] = (card_behind_an_undone_shuffle,)

# What is changed in the bytes of a line of talk, and what its flaw is: (pattern, replacement, flaw).
MISQUOTED: dict[str, tuple[bytes, bytes, str]] = {
    "a field more": (rb'"text":', rb'"note":"I never said this","text":', "hash_differs"),
    "a field more between them": (rb'"salt":', rb'"note":"I never said this","salt":', "hash_differs"),
    "a field more behind them": (rb'"},"prev"', rb'","note":"I never said this"},"prev"', "hash_differs"),
    "a field twice": (rb'"actor":', rb'"actor":"gm","actor":', "hash_differs"),
    "the words twice": (rb'"text":', rb'"text":"I never said this","text":', "hash_differs"),
    "words and salt twice": (rb'("text":.*?,"salt":"\w+")', rb'"text":"Never","salt":"00",\1', "hash_differs"),
    "a space": (rb'"seq":', rb'"seq": ', "hash_differs"),
    "a space before the words": (rb'"text":', rb'"text": ', "hash_differs"),
    "a letter escaped": (rb"look", rb"\\u006cook", "hash_differs"),
    "half a surrogate pair": (rb"look", rb"\\ud800", "hash_differs"),
    "words that are none": (rb'"text":".*?","salt"', rb'"text":7,"salt"', "hash_differs"),
    "no salt": (rb',"salt":"\w+"', rb"", "hash_differs"),
    "no words": (rb'"text":".*?",(?="salt")', rb"", "hash_differs"),
    "other words": (rb"look", rb"I never said this", "text_differs"),
    "words with all that must be escaped": (rb"look", rb"\\u000bl\\\\ook\\u001f\\n\\t", "text_differs"),
    "words beyond ASCII": (rb"look", "别\u007f\u2028\U0001f3b2".encode(), "text_differs"),
    "another salt": (rb'"salt":"\w+"', rb'"salt":"00"', "text_differs"),
    "an empty salt": (rb'"salt":"\w+"', rb'"salt":""', "hash_differs"),
    "a salt that is none": (rb'"salt":"', rb'"salt":" ', "text_differs"),
    "a salt of half bytes": (rb'"salt":"', rb'"salt":"0', "text_differs"),
}


def misquoted(lines: list[bytes], name: str) -> tuple[list[bytes], str]:
    """The lines with the first of talk changed, and the flaw that this is."""
    pattern, becomes, why = MISQUOTED[name]
    at = next(at for at, line in enumerate(lines) if b'"LineSpoken"' in line)
    changed = re.sub(pattern, becomes, lines[at], count=1)
    assert changed != lines[at]
    return [*lines[:at], changed, *lines[at + 1 :]], why


def _spoken(**data: object) -> dict[str, Any]:
    return {"type": "LineSpoken", "v": 2, "data": {"character": "", "ooc": False, **data}}


_DIGEST = sha256(b"\0never").hexdigest()
# Events that somebody puts behind a record who can chain, with all that stands in them hashed; and the flaw.
FORGED: dict[str, tuple[dict[str, Any], str]] = {
    "words in what is hashed": (_spoken(digest=_DIGEST, text="never", salt="00"), "hash_differs"),
    "words in what is hashed, a field behind them": (_spoken(digest=_DIGEST, text="never", salt="00", note=1), ""),
    "other words, a field behind them": (_spoken(digest=_DIGEST, text="ever", salt="00", note=1), "text_differs"),
    "other words without salt": (_spoken(digest=_DIGEST, text="ever"), "text_differs"),
    "no words": (_spoken(digest=_DIGEST), ""),
    "no digest": (_spoken(digest="", text="never", salt="00"), ""),
    "a line of version 1": ({**_spoken(digest=_DIGEST, text="ever", salt="00"), "v": 1}, ""),
}


def appended(lines: list[bytes], *changes: dict[str, Any]) -> list[bytes]:
    """Events put behind a record by somebody who can chain: each is the last but for these fields."""
    for change in changes:
        last = json.loads(lines[-1])
        event = {**last, "seq": last["seq"] + 1, "cause": f"forged:{len(lines)}", **change, "prev": last["hash"]}
        del event["hash"]
        lines = [*lines, written({**event, "hash": sha256(written(event)).hexdigest()})]
    return lines


def written(event: dict[str, Any]) -> bytes:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
