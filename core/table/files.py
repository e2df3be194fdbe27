"""Questions that are answered with a file or a picture: export, replay, stats. They record nothing.

Here: who may have it, and whether it goes to the table's chat or to one person alone. Never: how a file is written.
"""

from __future__ import annotations

from msgspec.structs import replace

from core.decider import Turn, someone_named
from core.language import Line, line
from core.refusal import Refusal
from core.stats import Faces, Figures, figures
from core.table import verbs as v
from core.table.recap import recap, tally_row
from core.table.talk import log_called
from core.table.tell import log_name, session_name
from core.telling import Reply, View, view_of
from events.beside import Attached

MOST_ROWS = 12  # people, and sizes of dice, told of in chat


def export(question: v.Export, turn: Turn) -> Reply:
    """The record as a file. What the GM alone may see is the GM's to ask for, and goes to the GM in private."""
    turn.require_player()
    private = question.audience != "player"
    if private:
        turn.require_gm()
    _check_session(question.session, turn)
    of = [_session_of(question.session, turn)] if question.session else []
    log = log_called(question.log, turn) if question.log else None
    of += [log_name(log.number, log.name)] if log else []
    audience = line(f"audience.{question.audience}")
    told = line("files.export", form=question.form, of=of or line("files.all"), audience=audience)
    attached = _attached("export", question.form, turn, question.session, question.audience)
    return Reply((told,), replace(attached, log=log and log.number), private)


def show_replay(question: v.ShowReplay, turn: Turn) -> Reply:
    """What a session came to, and its transcript as a file: the one asked for, the running one, or the last."""
    _check_session(question.session, turn)
    latest = [past.number for past in turn.table.ledger.sessions[-1:]]
    session = question.session or next(iter(latest), None)
    told = recap(turn.record, turn.table.id, turn.names, session, turn.zone)
    return Reply((*told, line("files.below")), _attached("replay", "md", turn, session))


def show_stats(question: v.ShowStats, turn: Turn) -> Reply:
    """Figures in the chat, and as a picture where there are any."""
    _check_session(question.session, turn)
    only = _meant(question.name, turn) if question.name else frozenset[str]()
    found = figures(turn.record, question.session, only)
    of = question.name or (_session_of(question.session, turn) if question.session else line("files.all"))
    told = tuple(stats_told(found, of, view_of(turn.table, turn.names)))
    picture = replace(_attached("stats", "png", turn, question.session), only=tuple(sorted(only)))
    return Reply(told, picture if found.total.rolls else None)


def stats_told(found: Figures, of: object, view: View) -> list[Line]:
    """Figures as Lines. `of` says of what they are."""
    hidden = [line("stats.hidden", count=found.hidden)] if found.hidden else []
    if not found.by:
        return [line("stats.none", of=of), *hidden]
    dice = [one for one in found.total.faces if one.sides > 1]
    return [
        line("stats.title", of=of, rolls=found.total.rolls, dice=sum(one.thrown for one in found.total.faces)),
        *(tally_row(one, view) for one in found.by[:MOST_ROWS]),
        *(_dice_row(one) for one in dice[:MOST_ROWS]),
        *hidden,
    ]


def _dice_row(faces: Faces) -> Line:
    facts = {"sides": faces.sides, "count": faces.thrown, "mean": f"{faces.mean:.2f}"}
    expected = f"{(faces.sides + 1) / 2:.2f}"
    if not faces.telling:
        return line("stats.few", expected=expected, **facts)
    chance = f"{faces.chance * 100:.1f}%"
    return line("stats.dice", expected=expected, chi_square=f"{faces.chi_square:.1f}", chance=chance, **facts)


def _meant(name: str, turn: Turn) -> frozenset[str]:
    """A character, or a person with all characters that are theirs."""
    found = someone_named(turn, name)
    owner = turn.play.owner_of(found)
    called_so = found in turn.play.characters and name != turn.names.get(owner, owner)
    own = (one.name for one in turn.play.characters.values() if one.owner == owner and not one.gm)
    return frozenset({found} if called_so else {found, owner, *own})


def _check_session(number: int | None, turn: Turn) -> None:
    known = [past.number for past in turn.table.ledger.sessions]
    if number is not None and number not in known:
        raise Refusal("not_found", "session", number=number, known=known)


def _session_of(number: int, turn: Turn) -> Line:
    title = next((past.title for past in turn.table.ledger.sessions if past.number == number), "")
    return session_name(number, title)


def _attached(kind: str, form: str, turn: Turn, session: int | None, audience: str = "player") -> Attached:
    ledger = turn.table.ledger
    return Attached(kind, form, turn.table.id, ledger.seq, audience, session)
