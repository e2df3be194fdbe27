"""The worked example of docs/protocol.md: a short table with fixed seeds, and what a verifier works out of it.

`python -m tests.protocol.example` prints its blocks, one after the other, as they stand in the page.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
from collections.abc import Iterator
from typing import Any

from adapters.export import to_jsonl
from adapters.export.extract import Extract
from core.dice.cards import DECK
from core.secrecy import Role
from tests.story import Story

LINES = (
    "gm: /table new savage Glacier",
    "gm: /log on",
    "gm: /luck north wind",
    "ann: 别看下面。",
    "gm: /trait d8",
    "gm: /char new Wolf wild",
    "gm: /init join Wolf",
    "gm: /init deal",
)
LUCK = b"north wind\n"
HALF = 2**63 + 1  # of this many almost every second number is discarded


def exported(story: Story, eyes: Role = "audit", session: int | None = None) -> list[bytes]:
    """The lines of a table's jsonl export, without line ends."""
    extract = Extract(story.table.id, story.table.ledger.seq, eyes, session, undone=eyes == "audit")
    return list(to_jsonl.lines(story.log, extract))


def blocks() -> list[str]:
    """The fenced blocks of section 15, in order."""
    record = [line.decode() for line in exported(Story().given(*LINES, "gm: /reveal"))]
    sealed = exported(Story().given(*LINES, "gm: /roll 2d6 secret"), "player")[-1].decode()
    values = "\n".join(f"{name:24} {value}" for name, value in _values(record))
    return ["\n".join(record), values, "\n".join(_rejected(record)), sealed]


def _values(record: list[str]) -> Iterator[tuple[str, object]]:
    events = [json.loads(line) for line in record]
    talk, seed = events[3]["data"], bytes.fromhex(events[9]["data"]["seed"])
    salted = bytes.fromhex(talk["salt"]) + talk["text"].encode()
    bare = _canonical(record[3].replace(f',"text":"{talk["text"]}","salt":"{talk["salt"]}"', ""))
    key, head = _key(events)
    blocks = [_block(key, head, number) for number in (0, 1)]
    return iter(
        (
            ("1: canonical bytes", len(_canonical(record[0]))),
            ("1: their SHA-256", _sha256(_canonical(record[0]))),
            ("4: salt and text", salted.hex()),
            ("4: their SHA-256", _sha256(salted)),
            ("4: canonical bytes", len(bare)),
            ("4: their SHA-256", _sha256(bare)),
            ("10: seed", seed.hex()),
            ("10: its SHA-256", _sha256(seed)),
            ("luck", LUCK.hex()),
            ("key", key.hex()),
            ("block 0 is the HMAC of", f"{head}0"),
            ("block 0", blocks[0].hex()),
            ("block 1", blocks[1].hex()),
            *(_face(_number(key, head, k), k, sides) for k, sides in enumerate((8, 6, 6, 6))),
            _card(_number(key, head, 4), 4),
        )
    )


def _face(number: int, k: int, sides: int) -> tuple[str, str]:
    return f"number {k}", f"{number:>20} mod {sides} is {number % sides}: the face {number % sides + 1}"


def _card(number: int, k: int) -> tuple[str, str]:
    return f"number {k}", f"{number:>20} mod {len(DECK)} is {number % len(DECK)}: the card {DECK[number % len(DECK)]}"


def _rejected(record: list[str]) -> Iterator[str]:
    key, head = _key([json.loads(line) for line in record])
    k = drawn = 0
    while drawn < 3:
        number = _number(key, head, k)
        kept = number < 2**64 // HALF * HALF
        yield f"{f'number {k}':24} {number:>20} {f'drawn: {number % HALF}' if kept else 'discarded'}"
        drawn, k = drawn + kept, k + 1


def _key(events: list[Any]) -> tuple[bytes, str]:
    """The key of period 1, and what the message of its blocks begins with."""
    seed = bytes.fromhex(events[9]["data"]["seed"])
    return hmac.digest(seed, LUCK, "sha256"), f"rollbook-dice-1|{events[0]['table']}|1|"


def _block(key: bytes, head: str, number: int) -> bytes:
    return hmac.digest(key, f"{head}{number}".encode(), "sha256")


def _number(key: bytes, head: str, k: int) -> int:
    return int.from_bytes(_block(key, head, k // 4)[8 * (k % 4) :][:8], "big")


def _canonical(line: str) -> bytes:
    return line.encode()[:-75] + b"}"


def _sha256(found: bytes) -> str:
    return hashlib.sha256(found).hexdigest()


if __name__ == "__main__":
    sys.stdout.write("\n\n".join(blocks()) + "\n")
