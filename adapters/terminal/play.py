"""The terminal as a chat: lines in, answers out, and the letters that were printed marked as sent.

Here: the loop over piped lines, and what it shares with the prompt. Never: how a line reads (wire.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from adapters import files
from adapters.terminal import wire
from adapters.terminal.words import FILE_KEPT, FILE_NOT_KEPT
from core.app import App
from core.language import say
from core.messages import Answer
from events.beside import Attached, Letter, Pending


class Seat:
    """One place at one table's terminal. `run` makes the message ids of this run differ from any other's.

    Files that come with replies are put into `folder`.
    """

    def __init__(self, app: App, chat: str, speaker: str, run: str, folder: Path = Path()) -> None:
        self.app, self.chat, self.speaker, self._run, self._folder = app, chat, speaker, run, folder
        self.said = 0

    def hear(self, line: str) -> tuple[wire.Spoken, list[Answer]]:
        """One line of input and what it led to; it is in the log when this returns."""
        self.said += 1
        said = wire.spoken(line, self.speaker)
        return said, self.app.hear(wire.incoming(said, self.chat, f"{self._run}-{self.said}"))

    def printed(self, answers: Iterable[Answer]) -> None:
        """These answers were shown. Not called, or not reached: the next run shows them."""
        keys = {one.key for one in answers}
        if keys:
            self.sent(one for one in self.unprinted() if one.key in keys)

    def named(self, attached: Attached) -> dict[str, str]:
        """What the file of a reply would be called and be."""
        speech = files.speech_of(self.app.log, attached)
        name = files.name_of(self.app.log, attached, speech)
        return {"name": name, "media_type": files.MEDIA_TYPES[attached.form]}

    def kept(self, letter: Letter) -> list[str]:
        """Put the file of a letter, if it has one, into the folder, and say where it is."""
        if letter.attached is None:
            return []
        file, speech = files.maker(self.app.log, self.app.zones)(letter.attached), self.app.language
        try:
            path = files.keep(file, self._folder)
        except OSError as error:
            facts = {"path": (self._folder / file.name).absolute(), "why": error.strerror or str(error)}
            return [wire.plain(say(FILE_NOT_KEPT, speech, {}).format(**facts))]
        return [wire.plain(say(FILE_KEPT, speech, {}).format(path=path.absolute()))]

    def unprinted(self) -> list[Pending]:
        """What an earlier run here recorded and did not show, oldest first."""
        return self.app.log.pending(wire.PLATFORM, self.chat)

    def sent(self, letters: Iterable[Pending]) -> None:
        for one in letters:
            self.app.log.sent(one.id)


def play_text(seat: Seat, lines: Iterable[bytes], out: BinaryIO) -> None:
    """Plain text: the replies and nothing else, each flushed at once, so that a program can converse with it."""
    print_unprinted(seat, out, seat.kept)
    for line in lines:
        _, answers = seat.hear(wire.decoded(line))
        _put(out, wire.as_text(answers, seat.app.name, seat.kept))
        seat.printed(answers)


def play_json(seat: Seat, lines: Iterable[bytes], out: BinaryIO, aside: BinaryIO) -> None:
    """One JSON object for each line. What an earlier run left unprinted goes to `aside`, as text."""
    print_unprinted(seat, aside)
    for line in lines:
        said, answers = seat.hear(wire.decoded(line))
        out.write(wire.as_json(seat.said, said, answers, seat.app.name, seat.named) + b"\n")
        out.flush()
        seat.printed(answers)


def print_unprinted(seat: Seat, out: BinaryIO, kept: wire.Kept = lambda letter: []) -> None:
    left = seat.unprinted()
    _put(out, [text for one in left for text in (*wire.letter_lines(one.letter, seat.app.name), *kept(one.letter))])
    seat.sent(left)


def _put(out: BinaryIO, lines: list[str]) -> None:
    if lines:
        out.write("".join(f"{text}\n" for text in lines).encode("utf-8", "replace"))
        out.flush()
