"""All steps of `rollbook setup`, in their order: language, chats, clock, service; then all is written, or nothing.

Here: the order, and what is told at the end. Never: what a single answer must be like.
"""

from __future__ import annotations

import logging
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

import click

from adapters import config, wiring
from adapters.config import Config, NotConfigured
from adapters.setup import clock, matrix, program, service, telegram
from adapters.setup.configuration import Configuration
from adapters.setup.dialogue import Dialogue
from adapters.setup.options import Answers, Known, Options, beside, configuring
from adapters.setup.words import BOTH
from core.language import Language
from events.log import LogUnusable

CHATS: Mapping[str, Callable[..., Answers]] = {"telegram": telegram.answers, "matrix": matrix.answers}
LANGUAGES = {"zh": "zh", "中文": "zh", "en": "en", "english": "en"}
HIDDEN = "…"


def run(path: Path | None, options: Options, environment: Mapping[str, str] = os.environ) -> bool:
    """Ask, check, and write the file at `path` or the user's own. True: the bot is to be started now.

    NotConfigured: what is there or given is no good. Left by click.Abort or KeyboardInterrupt nothing is written.
    """
    file = Configuration(path or config.own_file())
    dialogue = Dialogue(_language(file, options), silent=options.silent)
    try:
        with _quiet_libraries():
            _ask(dialogue, file, options, environment)
            serves = _service(dialogue, options)
            _confirm(dialogue, file)
    except (click.Abort, KeyboardInterrupt):
        click.echo(f"\n{dialogue.said('aborted')}", err=True)
        raise
    usable = _write(dialogue, file, environment)
    if serves and usable:
        _serve(dialogue, file, environment)
    if not usable:
        return False
    return _to_start(dialogue, file, path, serves=serves, runs=not serves and _runs(usable))


def _confirm(dialogue: Dialogue, file: Configuration) -> None:
    if file.changed and not dialogue.confirm("write", default=True, path=file.path):
        raise click.Abort


@contextmanager
def _quiet_libraries() -> Iterator[None]:
    """What they would log is said in our words."""
    logging.disable()
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


# ---- the questions


def _language(file: Configuration, options: Options) -> Language:
    before = file.get("language")
    default: Language = before if before in ("zh", "en") else wiring.user_language()
    if options.language or options.silent:
        return options.language or default
    while True:
        answer = click.prompt(BOTH, default)
        if found := LANGUAGES.get(answer.strip().lower()):
            return cast(Language, found)
        Dialogue(default, silent=False).tell("no_such_language")


def _ask(dialogue: Dialogue, file: Configuration, options: Options, environment: Mapping[str, str]) -> None:
    """Nothing of it is on the disk yet."""
    if not dialogue.silent:
        dialogue.tell("hello")
    if file.exists:
        _show(dialogue, file)
    if names := configuring(environment):
        dialogue.tell("from_environment", names=names)
    configured = False
    for name, answers in CHATS.items():
        known = Known(name, getattr(options, name), file.section(name), environment, first=not configured)
        file.fill(name, known.to_write(answers(dialogue, known, check=options.check)))
        configured |= bool(file.section(name) or known.fixed)
    if not configured:
        raise NotConfigured(dialogue.said("unanswered"))
    file.put("language", dialogue.speech)
    if not environment.get("ROLLBOOK_TIME_ZONE"):
        file.put("time_zone", clock.time_zone(dialogue, options.time_zone, str(file.get("time_zone") or "")))


def _show(dialogue: Dialogue, file: Configuration) -> None:
    """What there is, without its secrets."""
    dialogue.tell("has", path=file.path)
    if token := str(file.section("telegram").get("token", "")):
        dialogue.tell("has.telegram", token=f"{token.partition(':')[0]}:{HIDDEN}" if ":" in token else HIDDEN)
    if (section := file.section("matrix")).get("user"):
        dialogue.tell("has.matrix", user=section["user"], homeserver=section.get("homeserver", ""))


def _service(dialogue: Dialogue, options: Options) -> bool:
    """Whether a service is wanted; asked only where there is a systemd that would run it."""
    if options.service is not None or dialogue.silent or not service.usable():
        return bool(options.service)
    if os.geteuid() == 0:
        dialogue.tell("service.root")
        return False
    return dialogue.confirm("service", default=True)


# ---- what is done


def _write(dialogue: Dialogue, file: Configuration, environment: Mapping[str, str]) -> Config | None:
    """The configuration as `serve` will read it; None: it cannot use what is in the file now."""
    try:
        if file.changed:
            file.write()
    except OSError as error:
        raise NotConfigured(f"{file.path} cannot be written: {error.strerror}.") from error
    dialogue.tell("written" if file.changed else "unchanged", path=file.path)
    if file.changed and file.exists:
        dialogue.tell("backup", path=file.backup)
    try:
        return config.read(file.path, environment)
    except NotConfigured as error:
        dialogue.tell("still_wrong", said=error)
        return None


def _serve(dialogue: Dialogue, file: Configuration, environment: Mapping[str, str]) -> None:
    try:
        dialogue.tell("service.written", path=service.write(file.path))
    except OSError as error:
        raise NotConfigured(f"The service cannot be written: {error}") from error
    if unseen := [*configuring(environment), *beside(environment)]:
        dialogue.tell("service.environment", names=unseen)
    failed = list(service.start())
    for command in failed:
        dialogue.tell("service.by_hand", command=command)
    if not failed:
        dialogue.tell("service.runs")


def _runs(settings: Config) -> bool:
    """Whether a bot is at this log already. A second one would take the first one's messages from it."""
    try:
        with closing(wiring.opened(wiring.log_of(settings), read_only=True)) as log:
            return bool(wiring.served(log))
    except (LogUnusable, NotConfigured):  # `serve` and `doctor` say what is wrong with it
        return False


def _to_start(dialogue: Dialogue, file: Configuration, named: Path | None, *, serves: bool, runs: bool) -> bool:
    """What comes next is told; whether it is to be started from here."""
    option = f" --config {shlex.quote(str(file.path))}" if named else ""
    typed = sys.stdin.isatty() and sys.stdout.isatty() and not dialogue.silent
    if not serves:
        dialogue.tell("runs" if runs else "next", command=f"{program.typed()} serve{option}")
    dialogue.tell("then", doctor=f"{program.typed()} doctor{option}")
    return typed and not serves and not runs and dialogue.confirm("start", default=True)
