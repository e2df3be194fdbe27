"""What an import lets in: everything this program wrote itself, and nothing that would bring it down later."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.json import decode as read_json
from msgspec.json import encode as write_json

from adapters.export.from_jsonl import Imported, NotImported, append, vetted
from core.registry import SYSTEMS
from core.vocabulary import verb_table
from events.beside import Beside
from events.chain import head_of, seal
from events.codec import line_of
from events.envelope import Head, Stored
from events.log import MemoryLog
from events.types import (
    BennyAwarded,
    CharacterAdded,
    ChoiceMade,
    ChoiceOffered,
    Event,
    HouseRuleSet,
    LineSpoken,
    LuckAdded,
    PeriodOpened,
    PlayerJoined,
    RollMade,
    SceneStarted,
    SessionEnded,
    TableOpened,
    TraitSet,
    Undone,
)  # fmt: skip
from tests.adapters.terminal import exported, play, refused, run
from tests.story import Seeds, Story, savage

AT = "2026-11-30T05:00:00.000Z"
PROMISE = sha256(bytes(32)).hexdigest()


def opened(system: str = "savage", title: str = "", gm: str = "gm") -> TableOpened:
    return TableOpened(system=system, title=title, gm=gm, language="en", period=1, commitment=PROMISE)


def acts(
    *events: Event, table: str = "t1", at: str = AT, actor: str = "gm", first: Event | None = None
) -> list[Stored]:
    """A table of these events, each an act of its own."""
    head, sealed = Head(), []
    for cause, one in enumerate((first or opened(), *events)):
        new = seal(head, table, at, actor, f"c:{cause}", None, [one])
        head, sealed = head_of(new, head), [*sealed, *new]
    return sealed


def import_of(events: Sequence[Stored], path: Path, log: MemoryLog | None = None) -> Imported:
    file = path / "in.jsonl"
    file.write_bytes(b"".join(line_of(one) + b"\n" for one in events))
    log = MemoryLog() if log is None else log
    return append(log, vetted(file, log.names()))


def not_imported(events: Sequence[Stored], path: Path, log: MemoryLog | None = None) -> str:
    log = MemoryLog() if log is None else log
    before = [(table, log.head(table)) for table in log.tables()]
    with pytest.raises(NotImported, match=r"^[^\n]+$") as told:
        import_of(events, path, log)
    assert [(table, log.head(table)) for table in log.tables()] == before
    return str(told.value)


# ---- everything of our own


@pytest.mark.parametrize("system", SYSTEMS)
def test_whatever_can_be_played_can_be_taken_in(system: str, tmp_path: Path) -> None:
    """Every verb's example by GM and player, in both languages, refused or not."""
    story = Story().given(f"gm: /table new {system} “A\tB”", "gm: /house physical-dice on")
    verbs = [verb for verb in verb_table(system).verbs if verb.name not in ("table", "gm")]
    for prefix, speech in (("/", "en"), ("。", "zh")):
        for _ in range(2):
            for verb in verbs:
                for person in ("ann", "gm"):
                    story.hear(f"{person}: {prefix}{getattr(verb.example, speech)}")
    events = list(story.log.read(story.table.id))
    assert len(events) > 20
    assert import_of(events, tmp_path) == Imported(story.table.id, len(events), len(events))


def test_a_long_record_is_taken_in_within_seconds(tmp_path: Path) -> None:
    lines = (
        "ann: /trait agility", "ann: /roll 4d6kh3 # hm", "gm: /init deal", "gm: /undo", "gm: /benny give Ann",
        "gm: /roll 2d6 secret", "gm: /scene x", "ann: /set stealth=d6",
    )  # fmt: skip
    story = savage("ann: /char new Ann agility=d8", "gm: /char new Wolf wild", "gm: /init join Wolf")
    while story.log.head(story.table.id).seq < 10_000:
        for line in lines:
            story.hear(line)
    events = list(story.log.read(story.table.id))
    began = time.perf_counter()
    assert import_of(events, tmp_path).added == len(events)
    assert time.perf_counter() - began < 10


# ---- nothing that no table could have written


PLAIN = dict(
    roll=1, system="savage", kind="roll", label="7", character="gm", dice=(), modifiers=(), modifier=0, target=None,
    results=(7,), total=7, rolled_total=7, outcome=None, raises=None, reroll_of=None, source="fair", secret=None,
    period=1, first=0, next=0,
)  # fmt: skip
ANN = CharacterAdded(character="Ann", kind="wild", owner="gm", gm=True, ally=False)


@pytest.mark.parametrize(
    ("events", "why"),
    [
        (acts(first=opened(system="chess")), "rule system"),
        (acts(first=opened(system="savage.rules")), "rule system"),
        (acts(first=opened(title="x" * 121)), "title"),
        (acts(first=opened(title="\x1b[31m")), "control characters"),
        (acts(first=opened(title="\u202eevil")), "control characters"),
        (acts(first=opened(title="\x9b31m")), "control characters"),
        (acts(first=opened(gm="a\nb")), "control characters"),
        (acts(first=opened(gm="x" * 300)), "too long an id"),
        (acts(table="t\x1b"), "table's id"),
        (acts(table=" "), "table's id"),
        (acts(table="x" * 300), "table's id"),
        (acts(actor="x\x1b"), "control characters"),
        (acts(actor="x" * 300), "actor"),
        (acts(at="yesterday"), "time"),
        (acts(at="2026-13-30T05:00:00.000Z"), "time"),
        (acts(at="2026-11-30T05:00:00+00:00"), "time"),
        (acts(SceneStarted(number=1, title="x" * 121)), "title"),
        (acts(SceneStarted(number=2**31, title="")), "number"),
        (acts(PeriodOpened(period=2**63, commitment="0" * 64, reason="")), "period"),
        (acts(LuckAdded(period=1, text="x" * 201)), "luck"),
        (acts(*[LuckAdded(period=1, text=str(n)) for n in range(101)]), "luck"),
        (acts(LineSpoken(text="x" * 4001)), "text is too long"),
        (acts(LineSpoken(text="x", comment="x" * 4001)), "comment is too long"),
        (acts(HouseRuleSet(key="wild-mark", value="\x1b[5m")), "control characters"),
        (acts(HouseRuleSet(key="wild-mark", value="x" * 9)), "too_large.mark"),
        (acts(HouseRuleSet(key="bennies", value="many")), "bad_argument"),
        (acts(HouseRuleSet(key="bennies", value="03")), "not kept in this way"),
        (acts(HouseRuleSet(key="physical-dice", value="perhaps")), "house_value"),
        (acts(HouseRuleSet(key="gravity", value="off")), "not_found.house"),
        (acts(CharacterAdded(character="x" * 65, kind="wild", owner="gm", gm=True, ally=False)), "too_large.name"),
        (acts(CharacterAdded(character=" Ann ", kind="wild", owner="gm", gm=True, ally=False)), "name is none"),
        (acts(*[CharacterAdded(character=f"c{n}", kind="extra", owner="gm", gm=True, ally=False) for n in range(201)]),
         "characters"),
        (acts(TraitSet(character="Ann", trait="agility", value="d8", was=None)), "not at the table"),
        (acts(ANN, TraitSet(character="Ann", trait="agility", value="a lot", was=None)), "trait_die"),
        (acts(ANN, TraitSet(character="Ann", trait="toughness", value="7", was=None)), "no value"),
        (acts(ANN, *[TraitSet(character="Ann", trait=f"x{n}", value="d8", was=None) for n in range(101)]), "entries"),
        (acts(ChoiceMade(choice=7, option=1)), "replayed"),
        (acts(ChoiceOffered(choice=1, owner="gm", kind="card", about="", options=("XX", "no card"))), "told"),
        (acts(SessionEnded(number=1)), "replayed"),
        (acts(RollMade(**{**PLAIN, "roll": 2**31})), "roll"),  # type: ignore[arg-type]
        (acts(RollMade(**{**PLAIN, "label": "8"})), "total_differs"),  # type: ignore[arg-type]
        (acts(BennyAwarded(to="gm", count=2**62, reason="")), "count"),
    ],
)  # fmt: skip
def test_what_this_program_could_not_have_written_is_refused(events: list[Stored], why: str, tmp_path: Path) -> None:
    assert why in not_imported(events, tmp_path)


def test_the_event_that_is_refused_is_named(tmp_path: Path) -> None:
    events = acts(PlayerJoined(player="ann"), ChoiceMade(choice=7, option=1))
    assert not_imported(events, tmp_path).startswith("Event 3 ")


def test_dice_that_their_seed_does_not_give_are_refused(tmp_path: Path) -> None:
    story = savage("ann: /roll 5d10", "gm: /reveal")
    head, forged = Head(), []
    for one in story.log.read(story.table.id):
        body = read_json(one.body)
        if body["type"] == "RollMade":
            body["data"]["dice"] = [{**die, "faces": [1]} for die in body["data"]["dice"]]
            body["data"].update(total=5, rolled_total=5, results=[5])
        body["prev"] = head.hash
        forged.append(Stored(one.seq, write_json(body), sha256(write_json(body)).hexdigest()))
        head = Head(one.seq, forged[-1].hash)
    assert "face_differs" in not_imported(forged, tmp_path)


def test_escapes_in_the_json_hide_no_control_characters(tmp_path: Path) -> None:
    (one,) = acts()
    body = one.body.replace(b'"title":""', b'"title":"\\u001b[31m"')
    assert "control characters" in not_imported([Stored(1, body, sha256(body).hexdigest())], tmp_path)


@pytest.mark.parametrize("count", [501, 100_000])
def test_an_act_has_an_end(count: int, tmp_path: Path) -> None:
    events = acts()
    events += seal(head_of(events, Head()), "t1", AT, "gm", "c:one", None, [LineSpoken(text="x")] * count)
    began = time.perf_counter()
    assert "more than 500" in not_imported(events, tmp_path)
    assert time.perf_counter() - began < 10


def test_undos_have_an_end(tmp_path: Path) -> None:
    events, lines = acts(), [SceneStarted(number=1, title="x")] * 400
    for cause in range(190):
        events += seal(head_of(events, Head()), "t1", AT, "gm", f"long:{cause}", None, lines)
    for cause in range(100):
        events += seal(head_of(events, Head()), "t1", AT, "gm", f"undo:{cause}", None, [Undone(event=2, reason="")])
    assert "undos" in not_imported(events, tmp_path)


def test_a_table_that_could_not_be_played_on_is_refused(tmp_path: Path) -> None:
    """It can be replayed and told, but whoever makes the choice that it leaves open would bring the program down."""
    odd = ChoiceOffered(choice=1, owner="gm", kind="none of ours", about="nobody", options=("this", "that"))
    assert "cannot be played on (choose: KeyError)" in not_imported(acts(odd), tmp_path)


# ---- a table that is played here


def test_nothing_is_put_behind_a_table_that_is_played_here(tmp_path: Path) -> None:
    story = savage("ann: /char new Ann agility=d8")
    assert isinstance(story.log, MemoryLog)
    ours = list(story.log.read(story.table.id))
    elsewhere = MemoryLog()
    import_of(ours, tmp_path, elsewhere)
    other = Story(elsewhere, seeds=Seeds(50))
    elsewhere.append(story.table.id, 0, (), Beside(chat=("test", other.chat)))
    other.given("ann: /roll d6")
    assert "being played here" in not_imported(list(elsewhere.read(story.table.id)), tmp_path, story.log)
    assert import_of(ours, tmp_path, story.log).added == 0
    assert import_of(ours[:2], tmp_path, story.log).added == 0


# ---- the command


def test_a_file_that_is_refused_leaves_no_log_behind(tmp_path: Path) -> None:
    db, file = tmp_path / "folder" / "log.db", tmp_path / "in.jsonl"
    file.write_bytes(line_of(acts()[0]).replace(b"savage", b"adventure"))
    assert "does not hold" in refused(run("import", "--db", db, "--table", "snow", file))
    assert not db.parent.exists()


def test_an_import_says_how_to_play_on(tmp_path: Path) -> None:
    db, new, file = tmp_path / "log.db", tmp_path / "new log.db", tmp_path / "out.jsonl"
    play(db, "gm: /table new savage Glacier", "ann: /roll d6")
    file.write_text(exported(db))
    said = run("import", "--db", new, file).stdout
    command = said.split("To play on: rollbook ")[1].strip()
    done = run(*shlex.split(command), given="ann: /roll d6\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "d6" in done.stdout
    named = run("import", "--db", tmp_path / "third.db", "--table", " my table ", file).stdout
    assert named.rstrip().endswith("--table 'my table'")
    assert "needs a name" in refused(run("import", "--db", new, "--table", " ", file))
