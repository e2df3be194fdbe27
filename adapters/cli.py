"""The command line: options in, exit code out.

Here: what each command takes, and every error as one sentence. Never: what a command does.
0: done. 1: the answer is no. 2: wrong usage or unusable input. 130: interrupted before there was an answer.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NoReturn

import click

from adapters import wiring
from adapters.terminal import play as playing
from adapters.terminal import wire
from core.app import App
from events.codec import UnreadableEvent, UnreadableLine
from events.log import LogUnusable
from events.sqlite import SqliteLog

UNUSABLE = (LogUnusable, UnreadableEvent, UnreadableLine, OSError)
DB = click.option("--db", type=click.Path(path_type=Path), help="The log's file. Default: in your data folder.")


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="rollbook", message="rollbook %(version)s")
@click.pass_context
def rollbook(context: click.Context) -> None:
    """A dice bot for role-playing tables: fair dice, and a log from which every result can be verified."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@rollbook.command()
@DB
@click.option("--table", "chat", default="main", metavar="NAME", help="Which of your tables here. Default: main.")
@click.option("--as", "speaker", default="you", metavar="NAME", help="Who speaks in a line without a name.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each line of input.")
@click.argument("script", required=False, type=click.Path(exists=True, dir_okay=False, allow_dash=True))
def play(db: Path | None, chat: str, speaker: str, as_json: bool, script: str | None) -> None:
    """The whole bot in this terminal: reads SCRIPT or standard input.

    `name: text` speaks as that person.
    """
    if not (name := wire.person(speaker)):
        raise click.UsageError("--as needs a name.")
    with _lines(script) as lines, _app(db) as app:
        seat = playing.Seat(app, chat, name, secrets.token_hex(6))
        if as_json:
            playing.play_json(seat, lines, sys.stdout.buffer, sys.stderr.buffer)
        else:
            playing.play_text(seat, lines, sys.stdout.buffer)


@contextmanager
def _lines(script: str | None) -> Iterator[BinaryIO]:
    """The script, or standard input, line by line as they come."""
    if script in (None, "-"):
        yield sys.stdin.buffer
    else:
        with Path(str(script)).open("rb") as file:
            yield file


@contextmanager
def _app(db: Path | None) -> Iterator[App]:
    log = SqliteLog(db or wiring.default_log())
    try:
        yield wiring.build(log, wiring.user_language())
    finally:
        log.close()


def main() -> NoReturn:
    """Run a command and leave with its exit code."""
    try:
        code = rollbook.main(prog_name="rollbook", standalone_mode=False) or 0
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except (KeyboardInterrupt, click.Abort):
        code = 130
    except click.ClickException as error:
        code = _say(error.format_message())
    except UNUSABLE as error:
        code = _say(str(error))
    sys.exit(code)


def _say(sentence: str) -> int:
    """One line on stderr, whatever was in it."""
    print("rollbook: " + " ".join(sentence.split()), file=sys.stderr)
    return 2
