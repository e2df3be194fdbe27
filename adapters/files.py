"""Files that go with a letter, and the same for the command line: what they are called, and what is in them.

Here: Attached -> File, and the forms by their names. Never: a chat, who may have a file (core/table/files.py).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from adapters.export import to_csv, to_html, to_jsonl, to_markdown, to_text
from adapters.export.extract import Extract
from adapters.export.tables import title_of
from adapters.export.words import NAME, TRANSCRIPT
from core.evolve import Table, replay
from core.language import Language, language, line, say
from core.render import letters
from core.secrecy import Role
from core.stats import figures
from core.table.recap import recap
from core.telling import called
from core.zones import TIME_ZONE, UTC, UTC_ALONE, Zone, Zones, zone_set
from events.beside import Attached
from events.codec import decode
from events.log import EventLog
from events.types import LanguageSet, TableOpened

MEDIA_TYPES = {
    "jsonl": "application/jsonl", "csv": "text/csv", "md": "text/markdown", "txt": "text/plain", "png": "image/png",
    "html": "text/html",
}  # fmt: skip
SPEAKING = (TableOpened, LanguageSet)
MOST_TITLE = 40  # characters of a table's title in a file's name
UNSAFE = re.compile(r'[\\/:*?"<>|#%&{}$!@+`=~\s.]+')  # for some file system, shell or link
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)")  # names that Windows keeps for itself
Names: TypeAlias = Mapping[str, str]


class File(Struct, frozen=True):
    """A file as it is sent: a name that is safe everywhere, its bytes, its media type."""

    name: str
    content: bytes
    media_type: str


Maker: TypeAlias = Callable[[Attached], File]


def maker(log: EventLog, zones: Zones = UTC_ALONE) -> Maker:
    """What makes files of this log, each by its table's clock.

    It reads and counts, which may take a while: for a thread of its own.
    """

    def make(attached: Attached) -> File:
        speech = speech_of(log, attached)
        zone = zone_of(log, attached.table, attached.to, zones)
        return made(log, attached, speech, called(log.names(), speech), zone)

    return make


def made(log: EventLog, attached: Attached, speech: Language, names: Names, zone: Zone = UTC) -> File:
    """The file that goes with a letter; always the same one as long as people keep their names.

    What only its roller may see is in no file for others, not even one for the audit.
    """
    audit = attached.audience == "audit"
    eyes: Role = "gm" if audit or attached.audience == "gm" else "player"
    extract = Extract(attached.table, attached.to, eyes, attached.session, undone=audit, log=attached.log, zone=zone)
    content = _content(log, attached, extract, names, speech)
    return File(name_of(log, attached, speech), content, MEDIA_TYPES[attached.form])


def _content(log: EventLog, attached: Attached, extract: Extract, names: Names, speech: Language) -> bytes:
    if attached.kind == "stats":
        return picture(log, extract, names, speech, attached.only)
    found = recapped(log, extract, names, speech) if attached.kind == "replay" else None
    return b"".join(one + b"\n" for one in found or lines(log, attached.form, extract, names, speech))


def lines(log: EventLog, form: str, extract: Extract, names: Names, speech: Language) -> Iterator[bytes]:
    """An export line by line, without line ends, a few events at a time in memory."""
    match form:
        case "jsonl":
            return to_jsonl.lines(log, extract)
        case "csv":
            return to_csv.lines(log, extract, names, speech)
        case "txt":
            return to_text.lines(log, extract, names, speech)
        case "md":
            return to_markdown.lines(log, extract, names, speech, title=_title(log, extract.table))
        case "html":
            return to_html.lines(log, extract, names, speech, title=_title(log, extract.table))
    raise ValueError(form)


def recapped(log: EventLog, extract: Extract, names: Names, speech: Language) -> Iterator[bytes]:
    """The recap of a session, and its transcript behind it, in Markdown."""
    told = recap(lambda: extract.envelopes(log), extract.table, names, extract.session, extract.zone)
    voice = letters.Voice(speech, _system(log, extract.table))
    text = [one for said in map(voice.say, told) for one in said.split("\n")]
    return to_markdown.lines(log, extract, names, speech, title=_title(log, extract.table), recap=text)


def picture(log: EventLog, extract: Extract, names: Names, speech: Language, only: Collection[str] = ()) -> bytes:
    """The figures as a PNG, as everybody at the table may know them; of those in `only`, if any."""
    from adapters import pictures  # its library is slow to load, and few ask for a picture

    found = figures(lambda: extract.envelopes(log), extract.session, only)
    session = say(line("session", number=extract.session), speech, TRANSCRIPT) if extract.session else ""
    return pictures.drawn(found, f"{session}　{_title(log, extract.table)}".strip(), names, speech)


# ---- what a file is called


def name_of(log: EventLog, attached: Attached, speech: Language) -> str:
    """`冰川-第2场-回放.md`: no path, nothing that a file system or a shell could stumble over."""
    session = say(line("session", number=attached.session), speech, NAME) if attached.session else ""
    talk = say(line("log", number=attached.log), speech, NAME) if attached.log else ""
    kind = attached.kind if attached.kind in NAME else ""
    audience = attached.audience if attached.audience in NAME else ""
    parts = [session, talk, *(say(NAME[one], speech, {}) for one in (kind, audience) if one)]
    return "-".join(filter(None, (_stem(title_of(log, attached.table)), *parts))) + f".{attached.form}"


def _stem(title: str) -> str:
    shown = "".join(sign for sign in unicodedata.normalize("NFKC", title) if unicodedata.category(sign)[0] not in "CM")
    stem = UNSAFE.sub("_", shown).strip("_-")[:MOST_TITLE].strip("_-")
    return f"_{stem}" if RESERVED.fullmatch(stem) else stem or "rollbook"


def _title(log: EventLog, table: str) -> str:
    return title_of(log, table) or table


def _system(log: EventLog, table: str) -> str:
    opened = (decode(one).data for one in log.read(table, to=1))
    return next((one.system for one in opened if isinstance(one, TableOpened)), "")


def speech_of(log: EventLog, attached: Attached) -> Language:
    """The table's language when the file was asked for."""
    marks = tuple(f'"type":"{kind.__name__}"'.encode() for kind in SPEAKING)
    stored = (one for one in log.read(attached.table, to=attached.to) if any(mark in one.body for mark in marks))
    set_to = [one.language for one in (decode(each).data for each in stored) if isinstance(one, SPEAKING)]
    return language(set_to[-1]) if set_to else "en"


def zone_of(log: EventLog, table: str, to: int, zones: Zones) -> Zone:
    """By whose clock the table was told times at its event `to`."""
    mark = f'"{TIME_ZONE}"'.encode()  # most tables have set none, and a look at the bytes shows it
    if not any(mark in one.body for one in log.read(table, to=to)):
        return zones.default
    return zone_set(zones, replay(Table(table), map(decode, log.read(table, to=to))).play.house)


# ---- keeping one


def keep(file: File, folder: Path) -> Path:
    """Write a file into a folder, beside what is there: never over it. OSError: there is none then."""
    stem, _, form = file.name.rpartition(".")
    for number in range(1, 10_000):
        path = folder / (file.name if number == 1 else f"{stem}-{number}.{form}")
        try:
            with path.open("xb") as out:
                _fill(out.write, file.content, path)
        except FileExistsError:
            continue
        return path
    raise FileExistsError(file.name)


def _fill(write: Callable[[bytes], object], content: bytes, path: Path) -> None:
    try:
        write(content)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
