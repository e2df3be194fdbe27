"""The command line: options in, exit code out.

Here: what each command takes, and every error as one sentence. Never: what a command does.
0: done. 1: the answer is no. 2: wrong usage or unusable input. 130: interrupted before there was an answer.
"""

from __future__ import annotations

import errno
import logging
import math
import os
import re
import secrets
import shlex
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import click
from msgspec.structs import replace

from adapters import config, files, heads, wiring
from adapters.backup.checked import name_of, verdict_on
from adapters.backup.making import NotBackedUp
from adapters.backup.restoring import NotRestored
from adapters.backup.words import BACKUP
from adapters.export import from_jsonl, from_sealdice, to_html, to_person, whole
from adapters.export.extract import Extract
from adapters.export.from_jsonl import Imported, NotImported, Record
from adapters.export.from_sealdice import SealDiceLog
from adapters.export.tables import WhichTable, shown, table_named, title_of
from adapters.export.to_person import WhichPerson
from adapters.export.words import TRANSCRIPT
from adapters.heads import NotNoted
from adapters.terminal import play as playing
from adapters.terminal import replay as replaying
from adapters.terminal import verdict, wire, words
from adapters.terminal.progress import STEP, Moved, WatchedLog, bar, watched
from adapters.wiring import Place
from adapters.zones import Iana, unknown
from core.language import Language, Line, PhraseBook, line, say
from core.registry import SYSTEMS
from core.render import letters
from core.secrecy import Role
from core.stats import figures
from core.table.files import stats_told
from core.table.talk import number_called
from core.table.tell import session_name
from core.table.verbs import LOG_FORMS
from core.telling import called, view_of
from core.verify import Verdict, verify
from core.zones import Zone
from events.beside import Attached, Beside
from events.codec import UnreadableEvent, UnreadableLine
from events.dump import NotCopied, Row
from events.envelope import Head
from events.log import Conflict, EventLog, LogUnusable

UNUSABLE = (
    config.NotConfigured, LogUnusable, UnreadableEvent, UnreadableLine, WhichTable, WhichPerson, NotImported, NotCopied,
    NotBackedUp, NotRestored, NotNoted,
)  # fmt: skip
NOTED = re.compile(r"(?<![0-9A-Za-z:])(\d{1,18}) ?: ?([0-9a-fA-F]{8,64})(?![0-9A-Za-z])")  # as it stands in the chat
MOST_LINE = 2**20  # bytes of a line in `play`; a message may have 4,000 characters
MOST_SKIPPED = 2**31  # bytes without a line end: a device, not a script
SQLITE = b"SQLite format 3\0"
MOST_BEFORE_PAGE = 64  # bytes: blanks may stand before it, where an editor saved it anew
BESIDE_LOG = ("-wal", "-shm", "-journal")  # SQLite's own files next to a log
# How often the record is read while a file of it is written: as talk reads now, and, for the audit, as it was.
READINGS = {"jsonl": (3, 2), "csv": (6, 3), "txt": (6, 3), "md": (7, 4), "html": (11, 6)}
LONGEST_WAIT_S = 2.0  # between two steps of a replay


def _text(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:  # noqa: ARG001  click's signature
    """A name: bytes that are no UTF-8 arrive as half surrogates, and neither they nor control marks can be typed."""
    if value is not None and not value.isprintable():
        raise click.BadParameter("it has characters that cannot be shown.")
    return None if value is None else value.strip()


def _speed(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:  # noqa: ARG001  click's signature
    if value is not None and not math.isfinite(value):
        raise click.BadParameter("it is not a number.")
    return value


def _zone(context: click.Context, parameter: click.Parameter, value: str | None) -> Zone | None:
    name = _text(context, parameter, value)
    if name is None:
        return None
    if (found := Iana().find(name)) is None:
        raise click.BadParameter(f"{unknown(name)}.")
    return found


class _Place(click.Path):
    """A file, or the address of a database."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:  # click's signature
        at = wiring.place(os.fspath(value))
        return at if isinstance(at, str) else super().convert(value, param, ctx)


DB = click.option(
    "--db", type=_Place(path_type=Path, dir_okay=False), help="The log: its file, or a database (postgresql://…).",
)  # fmt: skip
CONFIG = click.option(
    "--config", "path", envvar="ROLLBOOK_CONFIG", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
    help="A TOML file. Default: the one that `rollbook setup` writes, in your configuration folder.",
)  # fmt: skip
TABLE = click.option(
    "--table", "table", metavar="T", callback=_text, help="The table: its id, its title, or its name in `play`.",
)  # fmt: skip
SESSION = click.option("--session", type=click.IntRange(1), metavar="N", help="Only this session.")
ROLE = click.option(
    "--as", "role", type=click.Choice(["player", "gm", "audit"]), default="player", show_default=True,
    help="Whose eyes: what is still secret from them is left out.",
)  # fmt: skip
TIME_ZONE = click.option(
    "--time-zone", "zone", metavar="NAME", callback=_zone,
    help="By which clock times are told, as in Asia/Shanghai or UTC+8. Default: the table's own, else that of "
    "ROLLBOOK_TIME_ZONE, else UTC.",
)  # fmt: skip


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="rollbook", message="rollbook %(version)s")
@click.pass_context
def rollbook(context: click.Context) -> None:
    """A dice bot for role-playing tables: fair dice, and a log from which every result can be verified."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


# ---- playing


@rollbook.command()
@DB
@click.option(
    "--table", "chat", default="main", metavar="NAME", callback=_text, help="Which of your tables here. Default: main.",
)  # fmt: skip
@click.option("--as", "speaker", default="you", metavar="NAME", help="Who speaks in a line without a name.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each line of input.")
@click.argument("script", required=False, type=click.Path(exists=True, dir_okay=False, allow_dash=True))
def play(db: Place | None, chat: str, speaker: str, as_json: bool, script: str | None) -> None:
    """The whole bot in this terminal: reads SCRIPT or standard input.

    `name: text` speaks as that person.
    """
    if not (name := wire.person(speaker)) or len(name) > wire.MOST_NAME:
        raise click.UsageError(f"--as needs a name of at most {wire.MOST_NAME} characters.")
    _require_name(chat)
    at = db or wiring.default_log()
    with _input(script) as file, _log(at) as log:
        _sit_down(log, chat)
        seat = playing.Seat(wiring.build(log, wiring.user_language()), chat, name, secrets.token_hex(6))
        typed = file is sys.stdin.buffer and sys.stdin.isatty() and not as_json
        try:
            _play(seat, file, as_json, at if typed else None)
        except KeyboardInterrupt:
            if not typed:
                raise


def _require_name(chat: str) -> None:
    if not chat:
        raise click.UsageError("--table needs a name.")


def _sit_down(log: EventLog, chat: str) -> None:
    """`--table` with the id or the title of a table in the log that is not open here: it is opened here."""
    if log.table_of(wire.PLATFORM, chat) is not None:
        return
    try:
        table = table_named(log, chat, wire.PLATFORM)
    except WhichTable:
        return  # a new name: `/table new` makes a table of it
    try:
        log.append(table, 0, (), Beside(chat=(wire.PLATFORM, chat), former=None))
    except Conflict:
        return  # somebody sat down here just now


def _play(seat: playing.Seat, file: BinaryIO, as_json: bool, typed_at: Place | None) -> None:
    """`typed_at`: somebody types, on the log in this place."""
    if as_json:
        playing.play_json(seat, _lines(file), sys.stdout.buffer, sys.stderr.buffer)
        return
    if typed_at and seat.app.log.table_of(wire.PLATFORM, seat.chat) is None:
        click.echo(say(words.FIRST_START, seat.app.language, {}))
    if typed_at and sys.stdout.isatty():
        _converse(seat, typed_at)
    else:
        playing.play_text(seat, _lines(file), sys.stdout.buffer)


def _converse(seat: playing.Seat, at: Place) -> None:
    from adapters.terminal import prompt  # its library is slow to load, and pipes do not need it

    beside = at if isinstance(at, Path) else wiring.own_file()
    beside.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    prompt.converse(seat, seat.app.language, beside.with_name(f"{beside.name}.history"))
    click.echo(say(words.GOODBYE, seat.app.language, {}).format(path=wiring.shown(at)))


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Line by line as they come. Of one that is far too long its beginning, which is answered with just that."""
    while line := file.readline(MOST_LINE):
        yield line
        if len(line) == MOST_LINE and not line.endswith(b"\n"):
            _skip_line(file)


def _skip_line(file: BinaryIO) -> None:
    skipped = 0
    while (more := file.readline(MOST_LINE)) and not more.endswith(b"\n"):
        skipped += len(more)
        if skipped > MOST_SKIPPED:
            raise UnreadableLine("it has no end")


@contextmanager
def _input(script: str | None) -> Iterator[BinaryIO]:
    """The script, or standard input."""
    if script in (None, "-"):
        yield sys.stdin.buffer
    else:
        with Path(str(script)).open("rb") as file:
            yield file


# ---- serving


@rollbook.command()
@CONFIG
def serve(path: Path | None) -> None:
    """The bot in the chats that are configured; ends on SIGTERM.

    Every key of the file is an environment variable too: telegram.token is ROLLBOOK_TELEGRAM_TOKEN.
    """
    from adapters import serve as serving  # the chats' libraries are slow to load

    serving.run(config.read(config.chosen(path)))


def _secret(context: click.Context, parameter: click.Parameter, value: BinaryIO | None) -> str | None:  # noqa: ARG001  click's signature
    """The first line of a file, as it stands there."""
    if value is None:
        return None
    with nullcontext(value) if value is sys.stdin.buffer else value as file:
        line = file.readline(MOST_LINE)
    try:
        return line.decode().rstrip("\r\n")
    except UnicodeDecodeError:
        raise click.BadParameter("it is no text.") from None


SECRET: dict[str, Any] = {"type": click.File("rb"), "metavar": "FILE", "callback": _secret}


@rollbook.command("setup")
@CONFIG
@click.option("--language", type=click.Choice(["en", "zh"]), help="Of the questions, and of the bot.")
@click.option("--time-zone", metavar="NAME", help="By which clock times are told. Default: this machine's.")
@click.option("--telegram-token-file", "token", **SECRET, help="It holds the token; - is standard input.")
@click.option("--telegram-base-url", "base_url", metavar="URL", help="Another Bot API server, as in https://…/bot.")
@click.option("--telegram-allow", "people", metavar="NAMES", help="Whom it serves, as in @ann; * is everybody.")
@click.option("--matrix-user", "user", metavar="ACCOUNT", help="As in @rollbook:example.org.")
@click.option("--matrix-homeserver", "homeserver", metavar="URL", help="Default: as the account's server tells it.")
@click.option("--matrix-password-file", "password", **SECRET)
@click.option("--matrix-access-token-file", "access_token", **SECRET, help="Instead of the password.")
@click.option("--matrix-allow", "allow", metavar="NAMES", help="Whose invitations are accepted; * is everybody.")
@click.option("--matrix-encryption/--no-matrix-encryption", "encryption", default=None)
@click.option("--service/--no-service", default=None, help="Start it with this machine, by systemd.")
@click.option("--check/--no-check", default=True, help="Ask Telegram and Matrix whether all is right. Default: yes.")
@click.option("--yes", "silent", is_flag=True, help="Ask nothing: what is not given is as usual.")
def set_up(
    path: Path | None, language: Language | None, time_zone: str | None, token: str | None, base_url: str | None,
    people: str | None, service: bool | None, check: bool, silent: bool, **matrix: str | bool | None,
) -> None:  # fmt: skip
    """Ask for what the bot needs, check it, and write it down for `serve`.

    What stands in a variable such as ROLLBOOK_TELEGRAM_TOKEN is neither asked for nor written down.
    """
    from adapters.setup import steps
    from adapters.setup.options import Options

    telegram = {"token": token, "base_url": base_url, "allow": people}
    options = Options(
        telegram=telegram, matrix=matrix, language=language, time_zone=time_zone, service=service, check=check,
        silent=silent,
    )  # fmt: skip
    if steps.run(path, options):
        from adapters import serve as serving

        serving.run(config.read(config.chosen(path)))


@rollbook.command()
@CONFIG
@DB
@click.pass_context
def doctor(context: click.Context, path: Path | None, db: Place | None) -> None:
    """Check configuration, log, disk, clock and logins, and say what to do.

    Configured as `serve`. Exit code 1: something is wrong (a line with ✗).
    """
    from adapters.doctor import examine  # the chats' libraries are slow to load

    logging.disable()  # what the libraries would log is said in our words
    speech, faults, file = wiring.user_language(), 0, config.chosen(path)
    for finding in examine(config.read(file), file, db, time.time):
        click.echo(wire.plain(finding.told(speech)))
        faults += finding.level == "fault"
    context.exit(1 if faults else 0)


# ---- looking back


@rollbook.command()
@DB
@TABLE
@SESSION
@click.option("--to", "to", type=click.IntRange(1), metavar="SEQ", help="Stop behind this event.")
@click.option(
    "--speed", type=click.FloatRange(0, min_open=True), metavar="X", callback=_speed,
    help="Wait as they did, X times faster. With --html: the page plays so from the start.",
)  # fmt: skip
@click.option(
    "--html", "page", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="A page to step through.",
)  # fmt: skip
@ROLE
@TIME_ZONE
def replay(
    db: Place | None, table: str | None, session: int | None, to: int | None, speed: float | None, page: Path | None,
    role: Role, zone: Zone | None,
) -> None:  # fmt: skip
    """Rebuild a session from the log alone and show it step by step."""
    _spare_logs(page)
    with _log(_existing(db), read_only=True) as log:
        name = table_named(log, table, wire.PLATFORM)
        zone = zone or files.zone_of(log, name, log.head(name).seq, wiring.user_zones())
        if page:
            end = replaying.end_of_act(log, name, to)
            extract = Extract(name, end, role, session, undone=role == "audit", zone=zone)
            _write_page(log, extract, page, speed)
            return
        speech = wiring.user_language()
        by_which_clock = say(line("zone", zone=zone.name), speech, TRANSCRIPT)
        shown = _show_steps(replaying.steps(log, name, role, session, to, speech, zone), speed, by_which_clock)
    if session is not None and not shown:
        raise click.UsageError(f"There is no session {session} at this table.")


def _show_steps(found: Iterable[replaying.Step], speed: float | None, head: str) -> int:
    """Print each step, below this head if there are any; how many there were."""
    from rich.console import Console

    console, last, count = Console(highlight=False, markup=False, emoji=False, soft_wrap=True), None, 0
    for count, step in enumerate(found, 1):
        if count == 1:
            console.print(head)
        if speed and last:
            time.sleep(min(LONGEST_WAIT_S, replaying.seconds_between(last, step) / speed))
        console.print(f"#{step.seq} {step.at[:19].replace('T', ' ')} {step.actor} {step.undone}".rstrip(), style="bold")
        for text in step.heard:
            console.print(f"  {text}", style="strike" if step.undone else "")
        for text in step.changed:
            console.print(f"    {text}", style="cyan")
        last = step
    return count


@rollbook.command()
@DB
@TABLE
@SESSION
@click.option(
    "--format", "form", type=click.Choice([*READINGS]),
    help="Default: as the name of the output ends, else jsonl, of one log txt.",
)  # fmt: skip
@click.option("--log", "talk", metavar="NAME|N", callback=_text, help="Only this log of talk: txt, md or csv.")
@click.option("--person", metavar="NAME", callback=_text, help="Instead: all that the log has about somebody, as json.")
@click.option("-o", "--output", "path", type=click.Path(path_type=Path, allow_dash=True), default=Path("-"))
@ROLE
@TIME_ZONE
def export(
    db: Place | None, table: str | None, session: int | None, form: str | None, talk: str | None, person: str | None,
    path: Path, role: Role, zone: Zone | None,
) -> None:  # fmt: skip
    """Write a table's record out.

    jsonl is lossless and can be imported; csv has one row a roll; md and txt are what the chat was told; html is a
    page of its own, with a timeline, figures and a verifier.
    """
    _spare_logs(path)
    if person is not None and (table or session or form or talk or zone or role != "player"):
        raise click.UsageError(
            "--person writes everything about somebody: no --table, --session, --log, --format, --time-zone "
            "or --as."
        )
    with _log(_existing(db), read_only=True) as log:
        if person is not None:
            return _write(path, to_person.lines(log, to_person.person_named(log, person)), "json")
        name = table_named(log, table, wire.PLATFORM)
        form, end = form or _form_of(path, "jsonl" if talk is None else "txt"), log.head(name).seq
        if zone and form == "jsonl":
            raise click.UsageError("jsonl has its times as they are recorded, in UTC; --time-zone is for the others.")
        zone = zone or files.zone_of(log, name, end, wiring.user_zones())
        extract = Extract(name, end, role, session, undone=role == "audit", zone=zone)
        return _write_export(log, extract if talk is None else _of_log(log, extract, talk, form), form, path)


def _form_of(path: Path, otherwise: str) -> str:
    """What a file of this name is expected to be."""
    ending = path.suffix.lower().removeprefix(".")
    return ending if ending in READINGS else otherwise


def _of_log(log: EventLog, extract: Extract, name: str, form: str) -> Extract:
    """The same of one log of talk alone, by its name or number."""
    if form not in LOG_FORMS:
        known = ", ".join(LOG_FORMS)
        raise click.UsageError(f"One log by itself cannot be {form}, which holds the whole chain; --format {known}.")
    logs = extract.logs(log)
    if (number := number_called(name, logs)) is None:
        there = ", ".join(f"{one} ({called})" if called else str(one) for one, called in logs.items())
        raise click.UsageError(f"There is no log {name} at this table. There are: {there or 'none'}.")
    return replace(extract, log=number)


def _write_export(log: WatchedLog, extract: Extract, form: str, path: Path) -> None:
    _require_session(log, extract)
    speech = files.speech_of(log, Attached("export", form, extract.table, extract.to))
    found = files.lines(log, form, extract, called(log.names(), speech), speech)
    _write(path, found, form, _shown(log, extract, form))


def _shown(log: WatchedLog, extract: Extract, form: str) -> AbstractContextManager[None]:
    return log.shown((READINGS[form][extract.undone] + (extract.log is not None)) * extract.to)


def _write_page(log: WatchedLog, extract: Extract, path: Path, speed: float | None) -> None:
    _require_session(log, extract)
    speech = files.speech_of(log, Attached("export", "html", extract.table, extract.to))
    names, title = called(log.names(), speech), title_of(log, extract.table) or extract.table
    found = to_html.lines(log, extract, names, speech, title=title, speed=speed)
    _write(path, found, "html", _shown(log, extract, "html"))


def _require_session(log: EventLog, extract: Extract) -> None:
    if extract.session is not None and extract.session not in extract.sessions(log):
        raise click.UsageError(f"There is no session {extract.session} at this table.")


def _write(path: Path, found: Iterable[bytes], form: str, shown: AbstractContextManager[None] | None = None) -> None:
    """`shown` shows how far it is; not where the lines themselves go to the terminal."""
    shown = shown or nullcontext()
    if str(path) == "-":
        with nullcontext() if sys.stdout.isatty() else shown:
            whole.put(found, sys.stdout.buffer.write)
            sys.stdout.buffer.flush()
        return
    try:
        with shown:
            count = whole.write(found, path)
    except OSError as error:
        raise click.ClickException(f"{path} was not written: {error.strerror}.") from error
    counted = f"Written to {path}: {'events' if form == 'jsonl' else 'lines'} {count}."
    click.echo(f"The page is in {path}." if form == "html" else counted, err=True)


@rollbook.command()
@DB
@TABLE
@SESSION
@click.option("-o", "--output", "path", type=click.Path(path_type=Path, dir_okay=False), help="A picture too: PNG.")
def stats(db: Place | None, table: str | None, session: int | None, path: Path | None) -> None:
    """Figures of a table's rolls, and whether its dice fall as they should."""
    _spare_logs(path)
    if path and path.suffix.lower() not in ("", ".png"):
        raise click.UsageError(f"The picture is a PNG: name it {path.with_suffix('.png').name}.")
    with _log(_existing(db), read_only=True) as log:
        name = table_named(log, table, wire.PLATFORM)
        extract = Extract(name, log.head(name).seq, session=session)
        _require_session(log, extract)
        for text in _figures(log, extract).split("\n"):
            click.echo(wire.plain(text))
        if path:
            asked = Attached("stats", "png", name, extract.to, session=session)
            speech = files.speech_of(log, asked)
            _write_picture(path, files.made(log, asked, speech, called(log.names(), speech)).content)


def _figures(log: EventLog, extract: Extract) -> str:
    table = wiring.build(log, wiring.user_language()).table(extract.table)
    titles = extract.sessions(log)
    of = session_name(extract.session, titles[extract.session]) if extract.session else table.play.title or table.id
    found = figures(lambda: extract.envelopes(log), extract.session)
    voice = letters.voice_of(table)
    return voice.text(stats_told(found, of, view_of(table, called(log.names(), voice.speech))))


def _write_picture(path: Path, content: bytes) -> None:
    try:
        whole.write_bytes(content, path)
    except OSError as error:
        raise click.ClickException(f"{path} was not written: {error.strerror}.") from error
    click.echo(f"The picture is in {path}.", err=True)


@rollbook.command("import")
@DB
@click.option("--table", "chat", metavar="NAME", callback=_text, help="Play on at it under this name in `play`.")
@click.option(
    "--system", type=click.Choice(SYSTEMS), default="savage", show_default=True,
    help="For a log of SealDice: by which rules its table plays on.",
)  # fmt: skip
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def take_in(db: Place | None, chat: str | None, system: str, file: Path) -> None:
    """Take in an export made with --as audit, or a log of SealDice (its standard JSON)."""
    if chat is not None:
        _require_name(chat)
    at = db or wiring.default_log()
    names = _names_in(at, chat)
    record = from_sealdice.read(file) or _vetted(file, names)
    speech = wiring.user_language()
    with _log(at) as log:
        done = _stored(log, record, file.stem, system)
        if chat:
            _name_it(log, done.table, chat)
        gm = wiring.build(log, speech).table(done.table).play.gm
    told = [line("imported", added=done.added, table=done.table, events=done.events), *_amiss(record)]
    log_option = f" --db {shlex.quote(wiring.shown(db))}" if db else ""
    command = f"rollbook play{log_option} --table {shlex.quote(chat or done.table)}"
    for one in (*told, line("into_chat", gm=shlex.quote(gm)), line("play_on", command=command)):
        click.echo(wire.plain(say(one, speech, words.IMPORT)))


def _names_in(at: Place, chat: str | None) -> Mapping[str, str]:
    """What people are called in the log. Where there is none yet, none is made: the file may be refused."""
    if isinstance(at, Path) and not at.exists():
        return {}
    with _log(at) as log:
        if chat and log.table_of(wire.PLATFORM, chat):
            raise click.UsageError(f"There is a table called {chat} already.")
        return log.names()


def _vetted(file: Path, names: Mapping[str, str]) -> Record:
    with bar(file.stat().st_size) as moved:
        return from_jsonl.vetted(file, names, moved)


def _stored(log: EventLog, record: Record | SealDiceLog, title: str, system: str) -> Imported:
    if isinstance(record, Record):
        return from_jsonl.append(log, record)
    return from_sealdice.import_into(log, record, title, system, wiring.now(), secrets.token_bytes)


def _amiss(record: Record | SealDiceLog) -> Iterator[Line]:
    """What of a file was not taken in as it stands there."""
    if isinstance(record, SealDiceLog):
        if record.left_out:
            yield line("left_out", count=record.left_out)
        if record.undated:
            yield line("undated", count=record.undated)


def _name_it(log: EventLog, table: str, chat: str) -> None:
    try:
        log.append(table, 0, (), Beside(chat=(wire.PLATFORM, chat), former=None))
    except Conflict as other:
        raise click.UsageError(f"It is imported, but {chat} was given to another table just now.") from other


# ---- moving


@rollbook.group("log")
def whole_log() -> None:
    """A log as a whole."""


@whole_log.command("copy")
@click.argument("source", metavar="FROM", type=_Place(exists=True, dir_okay=False, path_type=Path))
@click.argument("target", metavar="TO", type=_Place(dir_okay=False, path_type=Path))
def copy(source: Place, target: Place) -> None:
    """Copy the log FROM into TO, which must be empty: each a file, or a database (postgresql://…).

    All of it: events with their hashes, and what is kept beside them, down to the letters that wait to be sent. Nothing
    is copied unless all is, and it is read again before it is kept. End what plays on FROM before.
    """
    copied = Counter[str]()
    with closing(wiring.opened(source, read_only=True)) as old, closing(wiring.opened(target)) as new:
        if wiring.served(old):
            click.echo("FROM is being served now: what comes from now on is not in the copy.", err=True)
        with bar(sum(old.head(table).seq for table in old.tables())) as moved:
            new.load(_counted(old.dump(), copied, moved))
    click.echo(f"Copied to {wiring.shown(target)}: tables {copied['tables']}, events {copied['events']}.")


@whole_log.command("follow")
@click.option(
    "-o", "output", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False, allow_dash=False),
    help="Write it to FILE, and go on behind what stands there. Default: standard output.",
)  # fmt: skip
@click.option("--once", is_flag=True, help="End when all that is there is noted.")
@click.argument("source", metavar="LOG", type=_Place(exists=True, dir_okay=False, path_type=Path))
def follow(source: Place, output: Path | None, once: bool) -> None:
    """Note the head of each table as soon as an event of LOG is stored: a line of JSON for each, until it is stopped.

    It holds nothing of what was said or rolled. Kept on another machine, it shows later whether the record was changed
    or cut off: `rollbook verify LOG --heads FILE`.
    """
    with closing(wiring.opened(source, read_only=True)) as log:
        heads.note(log, output, once=once)


def _counted(rows: Iterable[Row], copied: Counter[str], moved: Moved) -> Iterator[Row]:
    for row in rows:
        copied[row[0]] += 1
        if moved and not copied["events"] % STEP and row[0] == "events":
            moved(STEP)
        yield row


@rollbook.command("backup")
@CONFIG
@DB
@click.option("--keep", type=click.IntRange(1), metavar="N", help="Of the backups in the folder TO, only the newest N.")
@click.argument("target", metavar="TO", type=click.Path(path_type=Path))
@click.pass_context
def back_up(context: click.Context, path: Path | None, db: Place | None, keep: int | None, target: Path) -> None:
    """Copy the log into a file TO, or into a folder TO under a name with the date, while it is in use.

    A TO that is not there yet is made as a folder, unless its name has an ending, as in copy.db.

    The copy is read again and verified before it is kept. With the --config of `serve` the Matrix login and keys are in
    it. Exit code 1: it is kept, and shows that something in the log does not hold.
    """
    from adapters.backup import keys, making, report

    settings, now = config.read(config.chosen(path)), datetime.now(UTC)
    made = making.make(_existing(_place_of(settings, db)), target, keys.folder_of(settings), now, keep)
    _tell(report.of_backup(made), BACKUP)
    context.exit(0 if made.found.holds else 1)


@rollbook.command("restore")
@CONFIG
@DB
@click.option("--replace", is_flag=True, help="A log that is there already is kept aside, under another name.")
@click.argument("source", metavar="FROM", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_context
def put_back(context: click.Context, path: Path | None, db: Place | None, replace: bool, source: Path) -> None:
    """Put FROM, a backup or any other copy of a log, in the place of the log, to be played on.

    It is verified before. Every table goes on with a new seed, since dice that fell after the backup would fall again;
    the old seed is published, and with it the secret rolls of its period. End what uses the log first. Exit code 1:
    FROM does not hold, and nothing was restored.
    """
    from adapters.backup import keys, report, restoring

    settings, speech = config.read(config.chosen(path)), wiring.user_language()
    at, folder = _place_of(settings, db), keys.folder_of(settings)
    done = restoring.restore(source, at, folder, datetime.now(UTC), speech, replace=replace)
    _tell(report.of_restore(done, source, wiring.shown(at), folder), BACKUP)
    context.exit(0 if done.found.holds else 1)


def _place_of(settings: config.Config, db: Place | None) -> Place:
    """`--db` goes before what is configured."""
    return db or wiring.log_of(settings)


def _tell(lines: Iterable[Line], book: PhraseBook) -> None:
    for one in lines:
        click.echo(wire.plain(say(one, wiring.user_language(), book)))


# ---- verifying


@rollbook.command("verify")
@TABLE
@click.option("--head", metavar="SEQ:HASH", help="The end of the record as the chat was told it.")
@click.option(
    "--heads", "kept", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What `rollbook log follow` noted of this log: each table has to lead to what was noted last.",
)  # fmt: skip
@click.option("--part", is_flag=True, help="FILE is one session: it may begin in the middle.")
@click.argument("file", metavar="FILE-or-DB", type=_Place(exists=True, dir_okay=False, path_type=Path))
@click.pass_context
def check(
    context: click.Context, file: Place, table: str | None, head: str | None, kept: Path | None, part: bool
) -> None:
    """Check the hash chain and work every die out again.

    FILE-or-DB is an export (jsonl) or a log: a file, or a database (postgresql://…). Exit code 1: something does not
    hold, and the first such event is named.
    """
    noted = _noted(head)
    if isinstance(file, Path) and _is_page(file):
        raise click.UsageError(f"{file.name} is a page: open it in a browser and press “Verify now”.")
    speech, export = wiring.user_language(), file if isinstance(file, Path) and not _is_log(file) else None
    if export and kept:
        raise click.UsageError("--heads are those of a whole log; an export has one --head.")
    known = heads.latest(kept) if kept else {}
    found = _verify_export(export, noted, part) if export else _verify_log(file, table, noted, known)
    for name, one in found:
        if not one.events and not one.broken:
            raise click.UsageError(f"{name}: {say(words.VERIFY['empty'], speech, {})}.")
        click.echo("\n".join(verdict.told(one, name, speech, noted=noted is not None or one.table in known)))
        if export and _begins_late(one):
            click.echo(say(words.VERIFY["late"], speech, {}))
    context.exit(1 if any(one.broken for _, one in found) else 0)


def _noted(text: str | None) -> Head | None:
    if text is None:
        return None
    found = set(NOTED.findall(unicodedata.normalize("NFKC", text)))  # the line of the chat as it stands will do
    if len(found) != 1 or not int((noted := found.pop())[0]):
        raise click.UsageError("--head is written SEQ:HASH, as the chat was told it, for example 12:abcdef0123456789.")
    return Head(int(noted[0]), noted[1].lower())


def _verify_log(
    at: Place, table: str | None, noted: Head | None, known: Mapping[str, Head]
) -> list[tuple[str, Verdict]]:
    with _log(at, read_only=True) as log:
        log.examine()
        tables = [*dict.fromkeys([*log.tables(), *known])]  # also one that the log has no more
        if noted is not None and table is None and len(tables) > 1:
            raise WhichTable(f"--head is the end of one table's record; add --table with one of: {shown(log, tables)}.")
        if table is not None or not tables:
            tables = [table_named(log, table, wire.PLATFORM)]
        with log.shown(sum(log.head(one).seq for one in tables)):
            return [(name_of(log, one), verdict_on(log, one, known.get(one, noted))) for one in tables]


def _verify_export(path: Path, noted: Head | None, part: bool) -> list[tuple[str, Verdict]]:
    start = Head()
    if part:
        first = next(from_jsonl.read(path), None)
        start = from_jsonl.before(first) if first else start
    if noted is not None and noted.seq <= start.seq:
        begins = f"This file begins with event {start.seq + 1}"
        raise click.UsageError(f"{begins}: the head of event {noted.seq} cannot be checked in it, only in the whole.")
    with bar(path.stat().st_size) as moved:
        return [(path.name, verify(from_jsonl.read(path, moved=moved), noted, start))]


def _begins_late(found: Verdict) -> bool:
    return found.broken is not None and (found.broken.seq, found.broken.why) == (1, "seq_missing")


# ---- all commands


def _existing(db: Place | None) -> Place:
    at = db or wiring.default_log()
    if isinstance(at, Path) and not at.is_file():
        raise click.UsageError(f"There is no log at {at}.")
    return at


def _spare_logs(path: Path | None) -> None:
    """What is written never takes the place of a log, be it this one or another: nobody has a second one."""
    if path is None:
        return
    place = Path(os.path.realpath(path))
    owners = [place.with_name(place.name.removesuffix(ending)) for ending in BESIDE_LOG if place.name.endswith(ending)]
    if any(map(_is_log, (place, *owners))):
        raise click.UsageError(f"{path} is a log or belongs to one, and is not written over; name another file.")


def _is_log(path: Path) -> bool:
    return _first(path, len(SQLITE)) == SQLITE


def _is_page(path: Path) -> bool:
    return _first(path, MOST_BEFORE_PAGE).lstrip().lower().startswith(b"<!doctype html")


def _first(path: Path, count: int) -> bytes:
    """A file's first bytes; none of a pipe, which gives them once."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(count)


@contextmanager
def _log(at: Place, *, read_only: bool = False) -> Iterator[WatchedLog]:
    log = watched(wiring.opened(at, read_only=read_only))
    try:
        yield log
    finally:
        log.close()


def main() -> NoReturn:
    """Run a command and leave with its exit code."""
    _open_streams()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # an old terminal shows ? where it has no sign
    code = _run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except OSError:  # the interpreter would complain of it again at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def _open_streams() -> None:
    """A stream closed by whoever started us leads nowhere: else the next file opened would get its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            place = os.open(os.devnull, os.O_RDWR)
            if place != number:
                os.dup2(place, number)
                os.close(place)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False))


def _run(arguments: list[str]) -> int:
    """Not by click's own `main`, which takes a closed pipe for a failure."""
    try:
        with rollbook.make_context("rollbook", arguments) as context:
            rollbook.invoke(context)
    except click.exceptions.Exit as asked:
        return asked.exit_code
    except BrokenPipeError:  # whoever read our output has seen enough
        return 0
    except (KeyboardInterrupt, click.Abort):
        return 130
    except click.ClickException as error:
        return _say(error.format_message())
    except UNUSABLE as error:
        return _say(str(error))
    except MemoryError:
        return _say("There is not enough memory for this.")
    except OSError as error:
        return _say(error.strerror if error.errno == errno.ENOSPC and error.strerror else str(error))
    return 0


def _say(sentence: str) -> int:
    """One line on stderr, whatever was in it."""
    print("rollbook: " + wire.plain(" ".join(sentence.split())), file=sys.stderr)
    return 2
