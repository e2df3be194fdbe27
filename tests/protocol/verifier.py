"""A verifier of Rollbook exports, written from docs/protocol.md alone; § is a section there.

python verifier.py FILE [SEQ:HASH] says what was proved, and exits with 1 if an event does not hold. It shows that the
page is enough: it uses the standard library and nothing of Rollbook, whose own verifier is `rollbook verify`.
"""

import hashlib
import hmac
import json
import math
import re
import sys
from collections import Counter, deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

NUMBERS = 2**64
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
DECK = (*(rank + suit for rank in RANKS for suit in "CDHS"), "black_joker", "red_joker")
TAIL = re.compile(rb',"hash":"[0-9a-f]{64}"}\Z')
DIGESTED = {"LineSpoken": 2, "LineEdited": 1}  # type: the first version whose text is not hashed
TALK = ("LineSpoken", "LineEdited", "LineDeleted")
Data = dict[str, Any]


class Flaw(Exception):
    def __init__(self, seq: int, why: str) -> None:
        super().__init__(seq, why)
        self.seq, self.why = seq, why


class Throw(NamedTuple):
    seq: int
    first: int
    next: int
    draws: list[tuple[int, int]] | None  # (one of how many, which of them from 0); null: the deck was not known
    card: bool


class Period:
    def __init__(self, number: int, commitment: str) -> None:
        self.number, self.commitment = number, commitment
        self.luck, self.throws = list[str](), list[Throw]()
        self.k, self.certain = 0, True  # not certain: behind a sealed entry, `k` is the least that may come

    def prove(self, seed: bytes, table: str) -> None:
        key = hmac.digest(seed, "".join(f"{text}\n" for text in self.luck).encode(), "sha256")
        head = f"rollbook-dice-1|{table}|{self.number}|"
        for seq, k, due, draws, card in self.throws:
            for many, place in draws or ():
                drawn, k = draw(key, head, many, k)  # noqa: PLW2901  on to the next number
                if drawn != place:
                    raise Flaw(seq, "card_differs" if card else "face_differs")
            if draws is not None and k != due:
                raise Flaw(seq, "numbers_differ")


def draw(key: bytes, head: str, many: int, k: int) -> tuple[int, int]:
    """§7: a draw, and the k behind the number that was used."""
    while True:
        block = hmac.digest(key, f"{head}{k // 4}".encode(), "sha256")
        number, k = int.from_bytes(block[8 * (k % 4) :][:8], "big"), k + 1
        if number < NUMBERS // many * many:
            return number % many, k


def canonical(raw: bytes, event: Data) -> bytes:
    """§2, §3: the bytes that are hashed. ValueError: the line does not end with its hash."""
    if not TAIL.search(raw):
        raise ValueError(raw)
    body, data = raw[:-75] + b"}", event["data"]
    text, salt = data.get("text"), data.get("salt")
    if is_digested(event) and isinstance(text, str) and isinstance(salt, str) and salt:
        behind = f'}},"prev":{written(event["prev"])}}}'.encode()
        words = f',"text":{written(text)},"salt":{written(salt)}'.encode()
        if body.endswith(words + behind):
            return body.removesuffix(words + behind) + behind
    return body


def is_digested(event: Data) -> bool:
    return event["v"] >= DIGESTED.get(event["type"], math.inf) and bool(event["data"].get("digest"))


def is_its_text(data: Data) -> bool:
    """§3"""
    salt = data.get("salt", "")
    if not re.fullmatch("([0-9a-f]{2})*", salt):
        return False
    return hashlib.sha256(bytes.fromhex(salt) + data["text"].encode()).hexdigest() == data["digest"]


def written(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


class Verifier:
    """`found` counts what was seen; `proved` are the periods whose dice came out again; `broken` is the first flaw."""

    def __init__(self, *, part: bool = False) -> None:
        self.found, self.proved, self.broken = Counter[str](), list[int](), ("", 0)
        self.seq, self.head, self.table = 0, "0" * 64, ""
        self.part, self.numbered = part, False
        self.period: Period | None = None
        self.unrevealed, self.commitments = dict[int, Period](), set[str]()
        self.acts, self.cause = deque[int](maxlen=200), ("", 0)
        self.changes = list[tuple[int, str, Data]]()  # (first seq of their act, type, data), but for undone ones

    def verify(self, lines: Iterable[bytes], noted: tuple[int, str] = (0, "")) -> "Verifier":
        try:
            for raw in lines:
                if raw.strip():
                    self.line(raw.rstrip(b"\r\n"), noted)
            if noted[0] > self.seq:
                self.broken = ("cut_off", self.seq + 1)
        except Flaw as flaw:
            self.broken = (flaw.why, flaw.seq)
        return self

    def line(self, raw: bytes, noted: tuple[int, str]) -> None:
        try:
            event = json.loads(raw.decode())
            sealed = event.get("sealed") is True and event.keys() == {"seq", "table", "sealed", "prev", "hash"}
            seq, body = event["seq"] + 0, b"" if sealed else canonical(raw, event)
        except (ValueError, LookupError, TypeError, AttributeError):
            raise Flaw(self.seq + 1, "hash_differs") from None
        if self.part and not self.seq:
            self.seq, self.head, self.part = seq - 1, event["prev"], seq > 1
        if seq != self.seq + 1:
            raise Flaw(self.seq + 1, "seq_missing" if seq > self.seq else "seq_out_of_order")
        if not sealed and hashlib.sha256(body).hexdigest() != event["hash"]:
            raise Flaw(seq, "hash_differs")
        if event["prev"] != self.head:
            raise Flaw(seq, "prev_differs")
        if seq == noted[0] and not event["hash"].startswith(noted[1]):
            raise Flaw(seq, "head_differs")
        try:
            self.sealed(seq, event) if sealed else self.event(seq, event)
        except (ValueError, LookupError, TypeError, AttributeError):
            raise Flaw(seq, "unreadable") from None
        self.seq, self.head = seq, event["hash"]
        self.found["events"] += 1

    def sealed(self, seq: int, event: Data) -> None:
        self.same_table(seq, event)
        self.found["sealed"] += 1
        self.found["unbound"] = seq
        if self.period:
            self.period.certain = False

    def same_table(self, seq: int, event: Data) -> None:
        if event["table"] != (self.table or event["table"]):
            raise Flaw(seq, "other_table")
        self.table = event["table"]

    def event(self, seq: int, event: Data) -> None:
        kind, data = event["type"], event["data"]
        self.same_table(seq, event)
        if (seq == 1) != (kind == "TableOpened"):
            raise Flaw(seq, "not_opened" if seq == 1 else "opened_again")
        if is_digested(event) and "text" in data and not is_its_text(data):
            raise Flaw(seq, "text_differs")
        if kind not in TALK:
            if self.cause != (event["cause"], seq - 1):
                self.acts.append(seq)
            self.cause = (event["cause"], seq)
        if kind in ("DeckShuffled", "HouseRuleSet"):
            self.changes.append((self.acts[-1], kind, data))
        elif kind == "LineSpoken":
            self.found["foreign"] += data.get("source") == "foreign" and data.get("roll") is True
        elif check := CHECKS.get(kind):
            check(self, seq, data, event["v"])

    def opened(self, seq: int, data: Data, _: int) -> None:
        number, commitment = data["period"], data["commitment"]
        due = self.period.number + 1 if self.period else 1
        if number != due and (self.period or not self.part):
            raise Flaw(seq, "period_out_of_order")
        if commitment in self.commitments:
            raise Flaw(seq, "seed_reused")
        self.commitments.add(commitment)
        self.period = self.unrevealed[number] = Period(number, commitment)

    def revealed(self, seq: int, data: Data, _: int) -> None:
        period = self.unrevealed.pop(data["period"], None)
        if period is None:
            if self.period or not self.part:
                raise Flaw(seq, "seed_unasked")
            return
        seed = bytes.fromhex(data["seed"]) if re.fullmatch("[0-9a-f]{64}", data["seed"]) else b""
        if hashlib.sha256(seed).hexdigest() != period.commitment:
            raise Flaw(seq, "seed_differs")
        period.prove(seed, self.table)
        self.proved.append(period.number)
        for throw in period.throws:
            self.found["cards" if throw.card else "dice"] += len(throw.draws or ())

    def current(self, seq: int, number: int) -> Period | None:
        """The open period; null before the first that a part shows."""
        if self.part and not self.period:
            return None
        if not self.period or self.period.number != number or number not in self.unrevealed:
            raise Flaw(seq, "wrong_period")
        return self.period

    def lucky(self, seq: int, data: Data, _: int) -> None:
        if period := self.current(seq, data["period"]):
            if period.throws:
                raise Flaw(seq, "luck_late")
            period.luck.append(data["text"])
            period.certain = True

    def rolled(self, seq: int, data: Data, _: int) -> None:
        draws = [(die["sides"], face - 1) for die in data["dice"] for face in die["faces"]]
        possible = all(1 <= die["sides"] <= NUMBERS for die in data["dice"])
        if not possible or any(not 0 <= place < many for many, place in draws):
            raise Flaw(seq, "impossible_face")
        if data["source"] == "physical":
            if self.standing()[1] is False:
                raise Flaw(seq, "physical_not_allowed")
            if any(data[name] is not None for name in ("period", "first", "next")):
                raise Flaw(seq, "no_numbers")
            self.found["physical"] += 1
        elif draws or data["first"] != data["next"]:
            self.take(data, Throw(seq, data["first"], data["next"], draws, card=False))

    def dealt(self, seq: int, data: Data, version: int) -> None:
        out, draws = self.standing()[0], None
        if out is not None:
            left = [card for card in DECK if card not in out]
            if data["card"] not in left:
                raise Flaw(seq, "not_in_deck")
            draws = [(len(left), left.index(data["card"]))]
        self.changes.append((self.acts[-1], "CardDealt", data))
        self.found["unprovable"] += draws is None or version == 1
        if version > 1:
            self.take(data, Throw(seq, data["first"], data["next"], draws, card=True))
        elif self.numbered:
            raise Flaw(seq, "no_numbers")

    def take(self, data: Data, throw: Throw) -> None:
        if None in (data["period"], throw.first, throw.next):
            raise Flaw(throw.seq, "no_numbers")
        self.numbered = True
        if not (period := self.current(throw.seq, data["period"])):
            return
        if throw.first < period.k:
            raise Flaw(throw.seq, "dice_reused")
        if throw.first > period.k and period.certain:
            raise Flaw(throw.seq, "dice_skipped")
        if throw.next < throw.first + max(1, len(throw.draws or ())):
            raise Flaw(throw.seq, "numbers_differ")
        period.throws.append(throw)
        period.k, period.certain = throw.next, True

    def undone(self, seq: int, data: Data, _: int) -> None:
        if (first := data["event"]) in self.acts:
            self.changes = [change for change in self.changes if change[0] != first]
        elif self.part:
            self.changes.append((seq, "HouseRuleSet", {"key": "physical-dice", "value": None}))

    def standing(self) -> tuple[list[str] | None, bool | None]:
        """§10: the cards that are out, and whether physical dice are allowed; null is not known."""
        out, physical = (None, None) if self.part else (list[str](), False)
        for _, kind, data in self.changes:
            if kind == "DeckShuffled":
                out = list(data["held"])
            elif kind == "CardDealt" and out is not None:
                out.append(data["card"])
            elif kind == "HouseRuleSet" and data["key"] == "physical-dice":
                physical = None if data["value"] is None else data["value"] == "on"
        return out, physical


CHECKS = {
    "TableOpened": Verifier.opened, "SessionStarted": Verifier.opened, "PeriodOpened": Verifier.opened,
    "SeedRevealed": Verifier.revealed, "LuckAdded": Verifier.lucky, "RollMade": Verifier.rolled,
    "CardDealt": Verifier.dealt, "Undone": Verifier.undone,
}  # fmt: skip

if __name__ == "__main__":
    file, *told = sys.argv[1:]
    seq, _, start = told[0].partition(":") if told else ("0", "", "")
    with Path(file).open("rb") as record:
        verifier = Verifier().verify(record, (int(seq), start))
    sys.stdout.write(f"{verifier.broken} {dict(verifier.found)} proved: {verifier.proved}\n")
    sys.exit(verifier.broken[1] > 0)
