"""What was verified, in words.

Here: Verdict -> lines of text. Never: the verifying (core/verify.py), the sentences (words.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from adapters.export.words import WHY
from adapters.terminal.wire import plain
from adapters.terminal.words import VERIFY
from core.language import Language, line, say
from core.verify import Verdict

SHORT_HASH = 16  # as many digits as the chat is told


def told(verdict: Verdict, name: str, speech: Language, *, noted: bool) -> list[str]:
    """The verdict on the table called `name`; `noted`: a head from outside the log was compared."""
    return [plain(say(line(key, **facts), speech, VERIFY)) for key, facts in _lines(verdict, name, speech, noted)]


def _lines(verdict: Verdict, name: str, speech: Language, noted: bool) -> Iterator[tuple[str, dict[str, object]]]:
    if broken := verdict.broken:
        yield "chain_broken", {"name": name}
        yield "broken", {"seq": broken.seq, "why": say(line(broken.why), speech, WHY)}
        return
    head = verdict.head
    chain = "chain_sealed" if verdict.sealed else "chain"
    yield chain, {"name": name, "events": verdict.events, "seq": head.seq, "hash": head.hash[:SHORT_HASH]}
    if verdict.proved:
        yield "proved", {"dice": verdict.dice, "cards": verdict.cards, "periods": _spans(verdict.proved)}
    else:
        yield "nothing_revealed", {}
    yield from _unproved(verdict)
    if not noted:
        yield "no_head", {}


def _unproved(verdict: Verdict) -> Iterator[tuple[str, dict[str, object]]]:
    if verdict.lost:
        yield "lost", {"periods": _spans(verdict.lost)}
    if verdict.open is not None and verdict.waiting:
        yield "open", {"period": verdict.open, "waiting": verdict.waiting}
    for key in ("physical", "foreign", "unprovable"):
        if count := getattr(verdict, key):
            yield key, {key: count}
    if verdict.sealed:
        yield "sealed", {"sealed": verdict.sealed, "unbound": verdict.unbound}


def _spans(numbers: tuple[int, ...]) -> str:
    """1, 2, 3, 5 as `1-3, 5`."""
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and spans[-1][-1] == number - 1:
            spans[-1][1:] = [number]
        else:
            spans.append([number])
    return ", ".join("-".join(map(str, span)) for span in spans)
