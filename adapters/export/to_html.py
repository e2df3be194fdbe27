"""A record as one page: transcript, timeline, figures, and the record as jsonl has it, which the page itself verifies.

The page needs no network and may have none: its policy lets it run its own script and nothing else. What people wrote
gets into it as text alone: packed data that the script puts there, never as markup.
Here: facts and packed steps into the template. Never: what a step is (page/steps.py), what the page does (page/*.js).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any
from zlib import compressobj

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from msgspec.json import Encoder

from adapters.export import to_jsonl
from adapters.export.extract import Extract
from adapters.export.page.steps import Names, steps
from adapters.export.page.words import PAGE
from adapters.export.transcript import plain
from adapters.export.words import WHY
from core.language import Language, PhraseBook, line, say
from core.registry import SYSTEMS, room
from core.stats import Faces, Figures, Tally, figures
from core.vocabulary import phrase_book
from events.codec import decode
from events.log import EventLog
from events.types import EVENT_TYPES, TableOpened

FOLDER = Path(__file__).with_name("page")
SCRIPTS = ("sha256", "totals", "talk", "verify", "words", "record", "transcript", "timeline", "plots", "proof", "main")
SPEEDS = (1, 2, 4, 8, 30, 120)  # how many times faster than they played
PIECE = 3 * 4096  # bytes that make a line of base64 without a rest
GZIP = 31  # zlib's name for it: the form that browsers unpack
_write = Encoder().encode


def lines(
    log: EventLog, extract: Extract, names: Names, speech: Language, *, title: str, speed: float | None = None
) -> Iterator[bytes]:
    """The file line by line, without line ends. With a `speed`, finite and above 0, it plays from the start."""
    script, style = _script(), _style()
    pieces = _template().generate(
        title=plain(title), speech=speech, extract=extract, speed=speed or 1, speeds=sorted({*SPEEDS, speed or 1}),
        facts=_facts(log, extract, names, speech, title) | {"speed": speed},
        say=lambda key: say(line(key, zone=extract.zone.name), speech, PAGE), script=script, style=style,
        script_hash=_hash(script), style_hash=_hash(style), record=_packed(to_jsonl.lines(log, extract)),
        steps=_packed(map(_write, steps(log, extract, names))),
    )  # fmt: skip
    return _split(pieces)


@cache
def _script() -> Markup:
    return Markup("\n".join((FOLDER / f"{one}.js").read_text(encoding="utf-8") for one in SCRIPTS))  # noqa: S704  ours


@cache
def _style() -> Markup:
    return Markup((FOLDER / "page.css").read_text(encoding="utf-8"))  # noqa: S704  ours


@cache
def _template() -> Any:
    loader = FileSystemLoader(FOLDER)
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("page.html.j2")


def _hash(text: str) -> str:
    """As a Content-Security-Policy names what may run."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _packed(found: Iterable[bytes]) -> Iterator[str]:
    """The lines, compressed, as lines of base64; as much in memory as makes one of those."""
    packer, rest = compressobj(9, wbits=GZIP), b""
    for part in chain((packer.compress(one + b"\n") for one in found), (packer.flush() for _ in range(1))):
        rest += part
        while len(rest) >= PIECE:
            yield b64encode(rest[:PIECE]).decode()
            rest = rest[PIECE:]
    yield b64encode(rest).decode()


def _split(pieces: Iterable[str]) -> Iterator[bytes]:
    """Text that comes in pieces, a line at a time."""
    rest = ""
    for piece in pieces:
        *whole, rest = f"{rest}{piece!s}".split("\n")  # str: joined with Markup, the rest would be escaped again
        yield from (one.encode() for one in whole)
    yield rest.encode()


# ---- what the page knows besides


def _facts(log: EventLog, extract: Extract, names: Names, speech: Language, title: str) -> dict[str, Any]:
    system = _system(log, extract.table)
    rules = room(system, "words").RULES if system in SYSTEMS else {}
    return {
        "title": plain(title), "table": extract.table, "zone": extract.zone.name, "speech": speech,
        "part": extract.session is not None, "history": extract.undone,
        "talk": _both({key: phrase_book("")[f"talk.{key}"] for key in ("gone", "foreign")}),
        "words": _both(PAGE), "why": _both(WHY), "rules": _both(rules),
        "types": {name: kind.version for name, kind in EVENT_TYPES.items()},
        "sessions": {str(number): plain(called) for number, called in extract.sessions(log).items()},
        "figures": _figures(figures(lambda: extract.envelopes(log), extract.session), names),
    }  # fmt: skip


def _system(log: EventLog, table: str) -> str:
    opened = (decode(one).data for one in log.read(table, to=1))
    return next((one.system for one in opened if isinstance(one, TableOpened)), "")


def _both(book: PhraseBook) -> dict[str, tuple[str, str]]:
    return {key: (phrase.zh, phrase.en) for key, phrase in book.items()}


def _figures(found: Figures, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "rolls": found.total.rolls, "hidden": found.hidden,
        "faces": [_faces(one) for one in found.total.faces if one.sides > 1],
        "people": [_person(one, names) for one in found.by if one.rolls],
    }  # fmt: skip


def _faces(one: Faces) -> dict[str, Any]:
    test = {"chi_square": f"{one.chi_square:.1f}", "chance": f"{one.chance:.1%}"} if one.telling else {}
    return {"sides": one.sides, "counts": one.counts, "count": one.thrown, "expected": one.expected, **test}


def _person(one: Tally, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "who": plain(names.get(one.who, one.who)), "rolls": one.rolls, "succeeded": one.successes,
        "failed": one.decided - one.successes - one.critical, "critical": one.critical,
        "undecided": one.rolls - one.decided,
    }  # fmt: skip
