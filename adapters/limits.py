"""How much is taken up at once: token buckets, one for each person in a chat and one for each chat.

Here: what was taken up is counted, and who has used up what they may is left out until the bucket has filled again.
Never: a clock (handed in), a platform, a sentence. The buckets lie in memory: each program has its own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Literal, TypeAlias

from adapters import config
from core.messages import Answer, Incoming
from events.types import TableOpened

Whose: TypeAlias = Literal["person", "chat"]
TALK, COMMAND, TABLE = 0.2, 1, 10  # what a line of kept talk costs, a command, and one that opens a table
OPEN_AGAIN = 0.25  # of a bucket, before anything is taken again from whoever has emptied it
LIVE_S = 60.0  # what is older was said while nobody listened, and goes by its own time
LONGEST_AGO_S = 86_400.0  # a time before this is taken for this: a server may say what it likes
MOST_BUCKETS = 10_000  # of which those that were used last are kept


class Bucket:
    """`most` tokens, of which `per_s` come back each second. What is taken whole may leave less than none."""

    def __init__(self, per_s: float, most: float, now: float) -> None:
        self.per_s, self.most, self._tokens, self._at, self.closed = per_s, most, most, now, False

    def fill(self, now: float) -> None:
        """Up to now; time does not run backwards here."""
        self._tokens = min(self.most, self._tokens + max(0.0, now - self._at) * self.per_s)
        self._at = max(self._at, now)
        self.closed = self.closed and self._tokens < self.most * OPEN_AGAIN

    def take(self, tokens: float) -> None:
        self._tokens -= tokens

    @property
    def empty(self) -> bool:
        return self._tokens <= 0

    @property
    def opens_in_s(self) -> float:
        """Until something is taken again, if nothing is till then."""
        return max(0.0, self.most * OPEN_AGAIN - self._tokens) / self.per_s


class Limits:
    """The buckets of one platform. Nothing is limited that is configured as 0 a minute."""

    def __init__(self, settings: config.Limits) -> None:
        rates: dict[Whose, tuple[float, float]] = {
            "person": (settings.person_per_minute / 60, settings.person_at_once),
            "chat": (settings.chat_per_minute / 60, settings.chat_at_once),
        }
        self._rates = {whose: rate for whose, rate in rates.items() if rate[0]}
        self._buckets: OrderedDict[tuple[str, str, bool], Bucket] = OrderedDict()

    def used_up(self, chat: str, person: str, sent_at: float | None, now: float) -> tuple[Whose, Bucket] | None:
        """The bucket that has nothing left for this message, written at `sent_at`; both in seconds since 1970."""
        for whose, bucket in self._of(chat, person, sent_at, now):
            if bucket.closed or bucket.empty:
                return whose, bucket
        return None

    def took(self, incoming: Incoming, answers: Sequence[Answer], now: float) -> None:
        """This message was taken up and led to these; what only came again costs nothing."""
        if cost := sum(_cost(one) for one in answers if one.new):
            self.spend(incoming.key.chat, incoming.person, incoming.sent_at, now, cost)

    def spend(self, chat: str, person: str, sent_at: float | None, now: float, cost: float) -> None:
        for _, bucket in self._of(chat, person, sent_at, now):
            bucket.take(cost)

    def _of(self, chat: str, person: str, sent_at: float | None, now: float) -> list[tuple[Whose, Bucket]]:
        """What was said while we were away has buckets of its own, which fill as time went by then."""
        caught_up = sent_at is not None and sent_at < now - LIVE_S
        at = max(sent_at, now - LONGEST_AGO_S) if caught_up and sent_at is not None else now
        found = []
        for whose, (per_s, most) in self._rates.items():
            bucket = self._bucket((chat, person if whose == "person" else "", caught_up), per_s, most, at)
            bucket.fill(at)
            found.append((whose, bucket))
        return found

    def _bucket(self, name: tuple[str, str, bool], per_s: float, most: float, at: float) -> Bucket:
        bucket = self._buckets.setdefault(name, Bucket(per_s, most, at))
        self._buckets.move_to_end(name)
        while len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return bucket


def _cost(answer: Answer) -> float:
    if any(isinstance(one.data, TableOpened) for one in answer.events):
        return TABLE
    return COMMAND if answer.letters or answer.error else TALK
