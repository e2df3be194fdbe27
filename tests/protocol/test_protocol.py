"""docs/protocol.md is true and enough: its example is what the program gives, and a verifier that knows nothing but
this page says of every record, honest or tampered with, what `rollbook verify` says."""

from __future__ import annotations

import ast
import hashlib
import hmac
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.export import from_jsonl
from core.dice.source import FairDice
from core.messages import Deleted, Edited
from core.verify import Broken, verify
from events.beside import MessageKey
from events.envelope import Head
from events.types import EVENT_TYPES
from tests.adapters.terminal import run
from tests.laws import played, systems
from tests.protocol import records, verifier
from tests.protocol.example import blocks, exported
from tests.protocol.records import appended, written
from tests.protocol.verifier import Verifier
from tests.story import Seeds, Story, code_in, told
from tests.test_cases import CASES, Case

ROOT = Path(__file__).parents[2]
PAGES = ("docs/protocol.md", "docs/protocol.zh.md")
FENCED = re.compile(r"^```\w+\n(.*?)\n```$", re.DOTALL | re.MULTILINE)
COUNTED = ("events", "dice", "cards", "physical", "foreign", "unprovable", "sealed", "unbound")
EVENING = (
    "gm: /log on",
    'ann: "Don\'t" look \\ down.',
    "ann: /luck north wind",
    "bob: /luck 今晚不要一",
    "ann: /trait agility",
    "ann: /roll 3#4d6!",
    "bob: /trait stealth dice=3,4",
    "gm: /roll 2d6 secret",
    "gm: /init deal",
    "gm: /undo",
    "gm: /init deal",
    "ann: /reroll",
    "gm: /session end",
    "gm: /session start Two",
    "gm: /damage 3d8 raise vs=Ann as=Boss",
    "gm: /init deal",
    "bob: /roll d%+4dF-7",
    "gm: /reveal",
    "ann: /roll 5d10",
)
Event = dict[str, Any]
Change = Callable[[list[Event]], list[Event]]


def evening() -> Story:
    """Two sessions with luck, talk, Aces, physical and secret dice, cards and undone deals."""
    story = played.begun()
    for line in EVENING:
        story.hear(line)
    return story


def game(system: str, seed: int) -> Story:
    return played.begun(start=seed) if system == "savage" else systems.begun(system, start=seed)


def lines_of(system: str) -> st.SearchStrategy[list[str]]:
    return played.games(most=15) if system == "savage" else systems.games(system, most=15)


def both(lines: list[bytes], file: Path, noted: Head | None = None, *, part: bool = False) -> tuple[Verifier, Any]:
    """What the verifier of the page says of these lines, and what the program's says."""
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    start = from_jsonl.before(next(from_jsonl.read(file))) if part else Head()
    theirs = verify(from_jsonl.read(file), noted, start)
    return Verifier(part=part).verify(lines, (noted.seq, noted.hash) if noted else (0, "")), theirs


def flaw(broken: Broken | None) -> tuple[str, int]:
    return (broken.why, broken.seq) if broken else ("", 0)


def require_the_same(lines: list[bytes], file: Path, *, part: bool = False) -> Verifier:
    """An honest record: nothing is broken, and both have counted the same."""
    ours, theirs = both(lines, file, part=part)
    assert (ours.broken, flaw(theirs.broken)) == (("", 0), ("", 0))
    assert {name: ours.found[name] for name in COUNTED} == {name: getattr(theirs, name) for name in COUNTED}
    assert tuple(ours.proved) == theirs.proved
    return ours


def parsed(lines: list[bytes]) -> list[Event]:
    return [json.loads(line) for line in lines]


def chained(events: list[Event]) -> list[bytes]:
    """A forger's copy: numbered and hashed anew from the first event on, words taken off as the page says."""
    prev, lines = "0" * 64, []
    for seq, event in enumerate(events, 1):
        bare = {name: value for name, value in event["data"].items() if name not in ("text", "salt")}
        forged = {**event, "seq": seq, "prev": prev}
        hashed = {**forged, "data": bare} if event["data"].get("digest") else forged
        prev = hashlib.sha256(written({name: hashed[name] for name in hashed if name != "hash"})).hexdigest()
        lines.append(written({**forged, "hash": prev}))
    return lines


def places(events: list[Event], kind: str) -> list[int]:
    return [at for at, event in enumerate(events) if event["type"] == kind]


# ---- the page


@pytest.mark.parametrize("page", PAGES)
def test_the_example_in_the_page_is_what_the_program_gives(page: str) -> None:
    assert FENCED.findall((ROOT / page).read_text(encoding="utf-8")) == blocks()


@pytest.mark.parametrize("page", PAGES)
def test_every_flaw_that_the_verifier_names_is_in_the_page(page: str) -> None:
    listed = set(re.findall(r"`(\w+)`", (ROOT / page).read_text(encoding="utf-8")))
    source = Path(verifier.__file__).read_text(encoding="utf-8")
    named = set(re.findall(r'"([a-z]+_[a-z_]+)"', source)) - {"black_joker", "red_joker"} | {"unreadable"}
    assert len(named) > 20
    assert named <= listed


@pytest.mark.parametrize("page", PAGES)
def test_the_page_names_events_that_there_are(page: str) -> None:
    named = set(re.findall(r"`([A-Z]\w+[a-z])`", (ROOT / page).read_text(encoding="utf-8")))
    assert named - {"BigInt"} <= set(EVENT_TYPES)


def test_the_verifier_knows_nothing_of_the_program() -> None:
    tree = ast.parse(Path(verifier.__file__).read_text(encoding="utf-8"))
    names = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    assert names
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


# ---- honest records


@pytest.mark.parametrize("system", ["savage", *sorted(systems.GAMES)])
@given(data=st.data())
def test_a_game_of_any_system_is_proved_alike(
    system: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / f"{system}.jsonl"
    story = game(system, data.draw(st.integers(0, 1000)))
    for line in data.draw(lines_of(system)):
        story.hear(line)
    require_the_same(exported(story), file)
    story.hear(f"{story.table.play.gm}: /session end")
    require_the_same(exported(story), file)
    require_the_same(exported(story, session=1), file, part=True)


@pytest.mark.parametrize("case", CASES)
def test_an_evening_of_the_cases_is_proved_alike(case: Case, tmp_path: Path) -> None:
    story = Story()
    for step in case.steps:
        story.hear(f"{step.person}: {step.text}")
    if lines := exported(story) if story.app.log.tables() else []:
        require_the_same(lines, tmp_path / "out.jsonl")


def test_an_evening_with_all_that_the_page_speaks_of_is_proved_alike(tmp_path: Path) -> None:
    ours = require_the_same(exported(evening()), tmp_path / "out.jsonl")
    assert ours.proved == [1, 2, 3, 4]
    assert all(ours.found[name] for name in ("dice", "cards", "physical"))


def test_a_players_export_with_sealed_entries_is_proved_as_far_as_it_is_open(tmp_path: Path) -> None:
    story = evening().given("gm: /roll 2d6 secret", "ann: /roll d6", "gm: /roll 3d6 secret=gm", "bob: /roll d4")
    ours = require_the_same(exported(story, "player"), tmp_path / "out.jsonl")
    assert ours.found["sealed"] == 2
    story.given("gm: /reveal")
    assert require_the_same(exported(story, "player"), tmp_path / "out.jsonl").found["sealed"] == 0


def test_what_opens_a_period_is_not_sealed_with_the_secret_throw_behind_it() -> None:
    lines = parsed(records.secret_throw_that_opens_a_period())
    assert [one.get("type", "sealed") for one in lines][-3:] == ["PeriodOpened", "sealed", "RollMade"]


def test_cards_behind_a_shuffle_are_proved(tmp_path: Path) -> None:
    story = played.begun()
    for line in ["gm: /init deal", "gm: /init next", "gm: /init next"] * 60:  # who has nobody left to act deals
        story.hear(line)
    story.given("gm: /reveal")
    assert places(parsed(exported(story)), "DeckShuffled")
    assert require_the_same(exported(story), tmp_path / "out.jsonl").found["cards"] > 54


def test_a_second_session_alone_is_proved_as_a_part(tmp_path: Path) -> None:
    ours = require_the_same(exported(evening(), session=2), tmp_path / "out.jsonl", part=True)
    assert ours.proved == [4]
    assert ours.found["unprovable"]


@pytest.mark.parametrize("made", [*records.WHOLE, *records.PARTS], ids=lambda made: made.__name__)
def test_honest_records_of_rare_shapes_are_proved_alike(made: Callable[[], list[bytes]], tmp_path: Path) -> None:
    require_the_same(made(), tmp_path / "out.jsonl", part=made in records.PARTS)


def test_words_of_luck_say_that_no_sealed_entry_before_them_has_used_a_number(tmp_path: Path) -> None:
    *before, roll, _seed, _period = records.luck_behind_a_secret_target()
    data = json.loads(roll)["data"]
    later = {**data, "first": data["first"] + 1, "next": data["next"] + 1}
    forged = appended(before, {"type": "RollMade", "v": 1, "data": later})
    ours, theirs = both(forged, tmp_path / "out.jsonl")
    assert ours.broken == flaw(theirs.broken) == ("dice_skipped", len(forged))


def test_what_was_edited_deleted_or_forgotten_breaks_nothing(tmp_path: Path) -> None:
    story = evening()
    for number, text in enumerate(("wrnog", "oops", "forgotten")):
        story.hear(f"bob: {text}", f"m{number}")
    keys = [MessageKey("test", story.chat, f"m{number}") for number in (0, 1)]
    story.app.edited(Edited(key=keys[0], person="bob", text='wrong \\ "', edit="1"))
    story.app.deleted(Deleted(key=keys[1], person="bob"))
    for eyes in ("audit", "player"):
        require_the_same(exported(story, eyes), tmp_path / "out.jsonl")
    story.given(f"bob: /forget me {code_in(told(story.when('bob: /forget me'), 'bob'))}")
    left = exported(story)
    assert b"forgotten" not in b"".join(left)
    require_the_same(left, tmp_path / "out.jsonl")


# ---- what was tampered with


def changed(kind: str, change: Callable[[Event], object], number: int = 0) -> Change:
    """One event of this type changed, the rest as it is."""

    def forge(events: list[Event]) -> list[Event]:
        change(events[places(events, kind)[number]]["data"])
        return events

    return forge


def other_face(data: Event) -> None:
    die = data["dice"][0]
    die["faces"][0] = die["faces"][0] % die["sides"] + 1


def other_card(data: Event) -> None:
    data["card"] = "2C" if data["card"] != "2C" else "3C"


def removed(kind: str, number: int = 0) -> Change:
    def forge(events: list[Event]) -> list[Event]:
        del events[places(events, kind)[number]]
        return events

    return forge


def swapped(kind: str) -> Change:
    def forge(events: list[Event]) -> list[Event]:
        one, other = places(events, kind)[:2]
        events[one], events[other] = events[other], events[one]
        return events

    return forge


def moved_behind_its_seed(events: list[Event]) -> list[Event]:
    """The last throw of the second period."""
    seed = places(events, "SeedRevealed")[1]
    throw = [at for at in places(events, "RollMade") if at < seed][-1]
    return [*events[:throw], *events[throw + 1 : seed + 1], events[throw], *events[seed + 1 :]]


def aged(events: list[Event]) -> list[Event]:
    """A card as version 1 had it, without numbers."""
    card = events[places(events, "CardDealt")[0]]
    card.update(v=1, data={name: card["data"][name] for name in ("character", "card")})
    return events


def promised_twice(events: list[Event]) -> list[Event]:
    events[places(events, "SessionStarted")[1]]["data"]["commitment"] = events[0]["data"]["commitment"]
    return events


def dealt_twice(events: list[Event]) -> list[Event]:
    one, other = places(events, "CardDealt")[:2]
    events[other]["data"]["card"] = events[one]["data"]["card"]
    return events


def next_number(name: str, by: int) -> Callable[[Event], object]:
    return lambda data: data.update({name: data[name] + by})


TAMPERED = {
    "a face": (changed("RollMade", other_face), "face_differs"),
    "a face of an Ace": (changed("RollMade", other_face, 1), "face_differs"),
    "an impossible face": (changed("RollMade", lambda data: data["dice"][0]["faces"].append(99)), "impossible_face"),
    "a seed": (changed("SeedRevealed", lambda data: data.update(seed="00" * 32)), "seed_differs"),
    "a seed that is none": (changed("SeedRevealed", lambda data: data.update(seed="no seed")), "seed_differs"),
    "a seed of another period": (changed("SeedRevealed", next_number("period", 5)), "seed_unasked"),
    "a promise": (changed("SessionStarted", lambda data: data.update(commitment="00" * 32)), "seed_differs"),
    "a period": (changed("SessionStarted", next_number("period", 1)), "period_out_of_order"),
    "luck": (changed("LuckAdded", lambda data: data.update(text="south wind")), "face_differs"),
    "luck left out": (removed("LuckAdded"), "face_differs"),
    "words of luck swapped": (swapped("LuckAdded"), "face_differs"),
    "a roll left out": (removed("RollMade"), "dice_skipped"),
    "two rolls swapped": (swapped("RollMade"), "dice_skipped"),
    "numbers skipped": (changed("RollMade", next_number("first", 4)), "dice_skipped"),
    "numbers used twice": (changed("RollMade", next_number("first", -1), 1), "dice_reused"),
    "a row too long": (changed("RollMade", next_number("next", 1)), "dice_reused"),
    "the last row too long": (changed("RollMade", next_number("next", 1), -2), "numbers_differ"),
    "a roll behind its seed": (moved_behind_its_seed, "wrong_period"),
    "a seed promised twice": (promised_twice, "seed_reused"),
    "an old card": (aged, "no_numbers"),
    "a row too short": (changed("RollMade", lambda data: data.update(next=data["first"])), "numbers_differ"),
    "no numbers": (changed("RollMade", lambda data: data.update(first=None)), "no_numbers"),
    "a roll of a period gone by": (changed("RollMade", lambda data: data.update(period=1)), "wrong_period"),
    "fair dice called physical": (changed("RollMade", lambda data: data.update(source="physical")), "no_numbers"),
    "a card": (changed("CardDealt", other_card), "card_differs"),
    "a card dealt twice": (dealt_twice, "not_in_deck"),
    "an undo left out": (removed("Undone"), "card_differs"),
    "a house rule": (changed("HouseRuleSet", lambda data: data.update(value="off")), "physical_not_allowed"),
    "a second opening": (lambda events: [*events, events[0]], "opened_again"),
    "no opening": (lambda events: events[1:], "not_opened"),
    "another table": (lambda events: [*events[:-1], {**events[-1], "table": "other"}], "other_table"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_what_a_forger_changed_who_can_chain_is_named_alike(name: str, tmp_path: Path) -> None:
    """`total_differs` is the one word that the page leaves to the rules: then the event must be the same."""
    forge, why = TAMPERED[name]
    ours, theirs = both(chained(forge(parsed(exported(evening())))), tmp_path / "out.jsonl")
    assert ours.broken[0] == why
    assert theirs.broken is not None
    assert theirs.broken.seq == ours.broken[1]
    assert theirs.broken.why in (why, "total_differs")


def test_a_forgers_copy_without_a_change_is_the_record_itself() -> None:
    lines = exported(evening())
    assert chained(parsed(lines)) == lines


def test_whatever_is_changed_without_chaining_anew_is_named_alike(tmp_path: Path) -> None:
    """A byte, a line gone, doubled, moved, cut, and words that were never said."""
    lines, file, seen = exported(evening()), tmp_path / "out.jsonl", set()
    for at, line in enumerate(lines):
        half = len(line) // 2
        spoilt = line[:half] + bytes([line[half] ^ 1]) + line[half + 1 :]
        unsaid = line.replace(b'"text":"', b'"text":"not ')
        junk = [b"[]"] if at else []  # a file that begins so is no export at all
        junk += [b" " + line] if at else []
        for other in (
            [*lines[:at], *lines[at + 1 :]], [*lines[: at + 1], *lines[at:]], [*lines[:at], *lines[at:][::-1]],
            [*lines[:at], spoilt, *lines[at + 1 :]], [*lines[:at], line[:-9], *lines[at + 1 :]],
            [*lines[:at], unsaid, *lines[at + 1 :]], [*lines[:at], line[:-75] + b"}", *lines[at + 1 :]],
            *([*lines[:at], one, *lines[at + 1 :]] for one in junk),
        ):  # fmt: skip
            ours, theirs = both(other, file)
            assert ours.broken == flaw(theirs.broken), at
            seen.add(ours.broken[0])
    assert {"hash_differs", "seq_missing", "seq_out_of_order", ""} <= seen


@pytest.mark.parametrize(("acts", "why"), [(150, ""), (198, ""), (199, "not_in_deck"), (250, "not_in_deck")])
def test_an_undo_reaches_back_over_two_hundred_acts(acts: int, why: str, tmp_path: Path) -> None:
    """It is forged here: the card of an undone deal can be dealt again, that of one out of reach cannot."""
    lines = exported(played.begun("gm: /init deal", *["gm: /scene"] * acts))
    events = parsed(lines)
    card = events[places(events, "CardDealt")[0]]
    deal = next(event for event in events if event["cause"] == card["cause"])
    after = max(event["data"]["next"] for event in events if event["type"] == "CardDealt")
    undone = {"type": "Undone", "v": 1, "data": {"event": deal["seq"], "reason": ""}}
    again = {"type": "CardDealt", "v": 2, "data": {**card["data"], "first": after, "next": after + 1}}
    ours, theirs = both(appended(lines, undone, again), tmp_path / "out.jsonl")
    assert ours.broken == flaw(theirs.broken)
    assert ours.broken[0] == why


def test_behind_a_sealed_entry_numbers_may_be_left_out_only_once(tmp_path: Path) -> None:
    lines = exported(evening().given("gm: /roll 2d6 secret", "ann: /roll d6"), "player")
    data = json.loads(lines[-1])["data"]
    for left_out in (0, 1):
        roll = {"data": {**data, "first": data["next"] + left_out, "next": data["next"] + left_out + 1}}
        ours, theirs = both(appended(lines, roll), tmp_path / "out.jsonl")
        assert ours.broken == flaw(theirs.broken)
        assert ours.broken[0] == ("dice_skipped" if left_out else "")


def test_in_a_part_an_undo_of_what_it_does_not_show_may_have_allowed_physical_dice(tmp_path: Path) -> None:
    events = parsed(exported(evening()))
    roll = next(event for event in events if event["data"].get("source") == "physical")
    off = {"type": "HouseRuleSet", "v": 1, "data": {"key": "physical-dice", "value": "off"}}
    undone = {"type": "Undone", "v": 1, "data": {"event": 3, "reason": ""}}
    thrown = {"type": "RollMade", "v": 1, "data": roll["data"]}
    for found, why in (((off, thrown), "physical_not_allowed"), ((off, undone, thrown), "")):
        ours, theirs = both(appended(exported(evening(), session=2), *found), tmp_path / "out.jsonl", part=True)
        assert ours.broken == flaw(theirs.broken)
        assert ours.broken[0] == why


@pytest.mark.parametrize("name", records.MISQUOTED)
def test_a_line_of_talk_with_anything_else_in_it_is_named_alike(name: str, tmp_path: Path) -> None:
    lines, why = records.misquoted(exported(evening()), name)
    ours, theirs = both(lines, tmp_path / "out.jsonl")
    assert ours.broken == flaw(theirs.broken)
    assert ours.broken[0] == why


@pytest.mark.parametrize("name", records.FORGED)
def test_a_line_of_talk_by_a_forger_who_can_chain_is_named_alike(name: str, tmp_path: Path) -> None:
    event, why = records.FORGED[name]
    ours, theirs = both(appended(exported(evening()), event), tmp_path / "out.jsonl")
    assert ours.broken == flaw(theirs.broken)
    assert ours.broken[0] == why


def test_changes_by_chance_are_named_alike(tmp_path: Path) -> None:
    """Numbers of an event changed by somebody who can chain; but for totals and what is no event of ours any more."""
    chance, seen, honest = random.Random(6), set(), exported(evening())
    for _ in range(300):
        events = parsed(honest)
        at = chance.randrange(len(events))
        data = written(events[at]["data"]).decode()
        spoilt = re.sub(r"(?<=[:\[,])\d+(?=[,\]}])", lambda _: str(chance.randrange(12)), data)
        events[at]["data"] = json.loads(spoilt)
        ours, theirs = both(chained(events), tmp_path / "out.jsonl")
        if flaw(theirs.broken)[0] not in ("total_differs", "unreadable"):
            assert ours.broken == flaw(theirs.broken)
            seen.add(ours.broken[0])
    assert len(seen) > 5, seen


def test_a_head_noted_outside_shows_what_was_cut_off_and_what_was_written_anew(tmp_path: Path) -> None:
    lines = exported(evening())
    last = parsed(lines)[-1]
    head = Head(last["seq"], last["hash"][:16])
    for found, noted in ((lines, head), (lines[:-3], head), (lines, Head(5, "f" * 16))):
        ours, theirs = both(found, tmp_path / "out.jsonl", noted)
        assert ours.broken == flaw(theirs.broken)
    assert both(lines[:-3], tmp_path / "out.jsonl", head)[0].broken == ("cut_off", last["seq"] - 2)


def test_numbers_are_discarded_alike() -> None:
    """No die of ours is so large that it ever happens in a game: of so many sides almost half of all numbers are."""
    seed, many = Seeds()(32), 2**63 + 1
    key = hmac.digest(seed, "好\n".encode(), "sha256")
    fair, k = FairDice(seed, ["好"], "t", 7), 0
    for _ in range(50):
        place, k = verifier.draw(key, "rollbook-dice-1|t|7|", many, k)
        assert (place, k) == (fair.pick(many), fair.next)
    assert k > 60


# ---- as programs


def test_both_programs_leave_alike(tmp_path: Path) -> None:
    file, lines = tmp_path / "out.jsonl", exported(evening())
    for found, code in ((lines, 0), ([*lines[:4], *lines[5:]], 1)):
        file.write_bytes(b"\n".join(found) + b"\n")
        ours = subprocess.run([sys.executable, verifier.__file__, file], check=False, capture_output=True, cwd=tmp_path)
        assert (ours.returncode, ours.stderr) == (code, b"")
        assert run("verify", file).returncode == code
