"""The page of a session in real Chromium: what it shows, what it proves, and that nothing gets in or out."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe
from msgspec import to_builtins
from playwright.sync_api import Browser, Error, Locator, Page, expect

from adapters.export import from_sealdice, to_html
from adapters.export.extract import Extract
from adapters.export.from_jsonl import before, read_line
from adapters.export.page.words import PAGE
from adapters.export.words import WHY
from adapters.zones import Iana
from core.evolve import MAX_ACTS
from core.language import Language
from core.messages import Deleted, Edited
from core.secrecy import Role
from core.verify import verify
from core.zones import UTC, Zone
from events.beside import MessageKey
from events.codec import decode
from events.envelope import Head
from events.log import EventLog
from events.types import EVENT_TYPES, LineSpoken, RollMade
from tests.adapters import terminal
from tests.adapters.page import packed, repacked
from tests.protocol import records
from tests.servers.browser import READY, WHOLE, Visit, chromium
from tests.story import Clock, Seeds, Story, code_in

MOST_BYTES = 3 * 2**20
PATIENCE_MS = 60_000
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 860}
EVENING = (
    "gm: /table new savage Glacier",
    "gm: /house physical-dice on",
    "ann: /char new Ann athletics=d8 toughness=5 vigor=d6",
    "bob: /char new 小波 潜行=d6",
    "gm: /session start Night",
    "ann: /luck no ones",
    "ann: /trait athletics -2(dark) dice=8,3,6,6,2 # up the ice",
    "bob: /trait 潜行",
    "gm: /benny give Ann 2 # brave",
    "gm: /wound 1 as=Ann",
    "gm: /init deal",
    "gm: /roll 3d6",
    "ann: /roll 2d10",
    "gm: /undo",
    "gm: /session end",
)
Open: TypeAlias = Callable[..., Visit]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Not for longer than this module: while it runs, nothing else here may start an event loop."""
    with chromium() as found:
        yield found


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens pages; in the end none of them has complained, or asked for anything but itself."""
    visits, contexts = [], []

    def visit(page: str, *, ready: bool = True, script: str = "", **options: Any) -> Visit:
        context = browser.new_context(**{"viewport": DESK, "accept_downloads": True, **options})
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        if script:
            context.add_init_script(script)
        file = tmp_path / f"page{len(visits)}.html"
        file.write_text(page, encoding="utf-8")
        visits.append(Visit(context, file))
        if ready:
            visits[-1].page.wait_for_selector(WHOLE, state="attached")
        return visits[-1]

    yield visit
    for context in contexts:
        context.close()
    assert [one.complaints for one in visits] == [[] for _ in visits]
    assert [one.requests for one in visits] == [[one.url] for one in visits]


def played(*lines: str) -> Story:
    return Story(seeds=Seeds(7)).given(*(lines or EVENING))


def page_of(
    story: Story, role: Role = "player", speech: Language = "en", session: int | None = None,
    speed: float | None = None, zone: Zone = UTC,
) -> str:  # fmt: skip
    table = story.table
    extract = Extract(table.id, table.ledger.seq, role, session, undone=role == "audit", zone=zone)
    found = to_html.lines(story.log, extract, story.log.names(), speech, title=table.play.title, speed=speed)
    return "".join(one.decode() + "\n" for one in found)


@pytest.fixture(scope="module")
def evening() -> str:
    return page_of(played())


def seqs(visit: Visit) -> list[str]:
    """The numbers of the acts that are to be seen."""
    return visit.page.locator("article .seq").filter(visible=True).all_inner_texts()


def here(visit: Visit) -> str:
    """As it stands in the document: what is out of sight may not be laid out yet, and has no text to look at then."""
    return (visit.page.text_content("[aria-current=step] .seq") or "").strip()


def box(visit: Visit, name: str) -> Locator:
    return visit.page.get_by_role("checkbox", name=name)


def step_to(visit: Visit, text: str) -> None:
    """To the act in which this was heard."""
    visit.page.locator("article", has_text=text).first.locator(".seq").click()


def proved(visit: Visit) -> str:
    """What the page says once it has verified itself."""
    visit.page.click("#badge")
    visit.page.wait_for_selector(".verdict")
    return visit.text("#verdict")


# ---- the transcript


def test_what_the_chat_heard_stands_there_with_a_colour_for_each_speaker(opened: Open, evening: str) -> None:
    visit = opened(evening)
    assert "up the ice" in visit.page.locator("article", has_text="dark").inner_text()
    colours = {
        name: {one.evaluate("node => getComputedStyle(node).color") for one in found}
        for name in ("gm", "ann", "bob")
        if (found := visit.page.locator(".name", has_text=re.compile(f"^{name}$")).all())
    }
    assert {name: len(of) for name, of in colours.items()} == {"gm": 1, "ann": 1, "bob": 1}
    assert len(set.union(*colours.values())) == 3
    assert visit.page.locator("#transcript h2").all_inner_texts()[:2] == ["Between sessions", "Session 1 “Night”"]


def test_a_roll_opens_to_its_dice_modifiers_target_and_rules(opened: Open, evening: str) -> None:
    visit = opened(evening)
    roll = visit.page.locator("article", has_text="up the ice")
    roll.get_by_text("dice and rules").click()
    expect(roll.locator("dl")).to_be_visible()
    rows = {row.locator("dt").inner_text(): row.inner_text() for row in roll.locator("dl div").all()}
    assert "trait d8\n8\n3" in rows["dice"]
    assert "Wild Die d6\n6\n6\n2" in rows["dice"]
    assert "-2 dark" in rows["modifiers"]
    assert rows["target"].endswith("4")
    assert re.findall(r"SW-\d\d", rows["rules"]) == ["SW-03", "SW-04", "SW-06", "SW-08", "SW-09"]
    assert "Ace" in rows["rules"]
    assert rows["die numbers"].endswith("thrown by hand: nobody can prove it")


def test_a_roll_of_fair_dice_names_its_numbers(opened: Open) -> None:
    story = played(*EVENING[:5])
    (event,) = (one.data for one in story.when("bob: /roll 2d6").events if isinstance(one.data, RollMade))
    roll = opened(page_of(story)).page.locator("article", has_text="2d6")
    roll.get_by_text("dice and rules").click()
    assert event.next is not None
    expect(roll.locator("dl")).to_contain_text(f"period 2, numbers {event.first} to {event.next - 1}")


def test_filters_hide_what_is_not_asked_for_and_steps_pass_it_by(opened: Open, evening: str) -> None:
    visit = opened(evening)
    before = seqs(visit)
    box(visit, "system").uncheck()
    rolls = seqs(visit)
    assert 0 < len(rolls) < len(before)
    assert visit.text("#shown") == f"showing {len(rolls)} of {len(before)}"
    visit.page.click("#first")
    assert here(visit) == rolls[0]
    visit.page.click("#forward")
    assert here(visit) == rolls[1]
    box(visit, "rolls").uncheck()
    assert seqs(visit) == []
    assert visit.text("#position") == "nothing to step through"
    box(visit, "system").check()
    box(visit, "rolls").check()
    assert seqs(visit) == before


def test_talk_in_and_out_of_character_is_told_apart(opened: Open) -> None:
    said = ("Up we go.", "(pizza is here)", "// brb", "（等等）")
    story = played(*EVENING[:5], "gm: /log on", *(f"ann: {text}" for text in said))
    visit = opened(page_of(story))
    kinds = [visit.page.locator("article", has_text=text).get_attribute("data-kind") for text in said]
    assert kinds == ["talk", "aside", "aside", "aside"]
    box(visit, "out of character").uncheck()
    assert [visit.page.get_by_text(text, exact=True).is_visible() for text in said] == [True, False, False, False]


def append(story: Story, *events: LineSpoken) -> None:
    """Facts that no verb of today leads to, each an act of its own."""
    from events.chain import seal

    for event in events:
        head = story.log.head(story.table.id)
        cause = f"test:{head.seq}"
        sealed = seal(head, story.table.id, "2026-11-30T06:00:00.000Z", "ann", cause, 1, [event])
        story.log.append(story.table.id, head.seq, sealed)


def test_what_was_taken_back_says_so_and_only_the_audit_shows_it(opened: Open) -> None:
    story = played()
    player, audit = opened(page_of(story)), opened(page_of(story, "audit"))
    for visit, shown in ((player, False), (audit, True)):
        undone = visit.page.locator("article.undone")
        expect(undone).to_have_count(1)
        assert "taken back later, by number" in undone.inner_text()
        assert ("2d10" in undone.inner_text()) is shown


# ---- the timeline


def test_buttons_slider_and_numbers_step_through_the_session(opened: Open, evening: str) -> None:
    visit = opened(evening)
    every = seqs(visit)
    assert here(visit) == every[-1]
    visit.page.click("#back")
    assert here(visit) == every[-2]
    visit.page.click("#first")
    assert here(visit) == every[0]
    visit.page.click("#forward")
    visit.page.click("#forward")
    assert here(visit) == every[2]
    visit.page.locator("#slider").fill("4")
    assert here(visit) == every[4]
    visit.page.locator("article .seq").nth(1).click()
    assert here(visit) == every[1]
    assert visit.text("#position").startswith(f"step 2 of {len(every)}, number {every[1]}")
    visit.page.click("#last")
    assert here(visit) == every[-1]


def test_the_table_beside_it_is_as_it_was_then(opened: Open, evening: str) -> None:
    visit = opened(evening)
    step_to(visit, "up the ice")
    early = visit.text("#parts")
    assert "athletics d8" in early
    assert "wounds" not in early
    assert "Ann: 3" in early
    step_to(visit, "brave")
    assert "Ann: 5" in visit.text("#parts")
    visit.page.click("#forward")
    assert "wounds 1" in visit.text(".part.changed")
    visit.page.click("#forward")
    assert "Round 1" in visit.text("#parts")
    visit.page.click("#first")
    assert "Ann" not in visit.text("#parts")


def test_every_system_has_its_table(opened: Open) -> None:
    tables = {
        "storytelling": (("gm: /extended new Car target=10 every=15m 5", "gm: /contest open Race"), ("Car", "Race")),
        "infinite": (("ann: /char new Ann 防御附加=5 力量=11",), ("defence extras 5/5",)),
        "adventure": (
            ("ann: /char new Ann STR=1 hp=7 max_hp=7", "ann: /mark angry", "gm: /ritual new Seal mag=2"),
            ("HP 7/7", "angry", "Seal"),
        ),
    }
    for system, (lines, shown) in tables.items():
        visit = opened(page_of(played(f"gm: /table new {system} T", *lines)))
        assert [text for text in shown if text not in visit.text("#parts")] == []


def test_it_plays_to_the_end_by_itself_and_pauses(opened: Open, evening: str) -> None:
    visit = opened(evening)
    play = visit.page.get_by_role("button", name="Play", exact=True)
    play.click()
    pause = visit.page.get_by_role("button", name="Pause")
    expect(pause).to_be_visible()
    pause.click()
    expect(play).to_be_visible()
    visit.page.select_option("#speed", "120")
    play.click()
    expect(play).to_be_visible(timeout=PATIENCE_MS)
    assert here(visit) == seqs(visit)[-1]


def test_it_waits_between_two_steps_as_long_as_people_did_but_never_long(opened: Open) -> None:
    story = played(*EVENING[:5])
    clock = story.app.tables.clock
    assert isinstance(clock, Clock)
    for pause in (0, 7, 59, 3600):
        clock.seconds += pause
        story.given("ann: /roll 2d6")
    page, places = opened(page_of(story)).page, range(4, 8)
    expected = {"1": [1000, 2000, 2000, 2000], "8": [125, 1000, 2000, 2000], "30": [33, 267, 2000, 2000]}
    for speed, waits in expected.items():
        page.select_option("#speed", speed)
        assert [round(page.evaluate("place => (goTo(place, 1), waitMs())", place)) for place in places] == waits


STEPS_TAKEN = """addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
  for (const { target } of changes) if (target.ariaCurrent) (window.taken ??= []).push(target.firstChild.textContent);
}).observe(document.getElementById("transcript"), {subtree: true, attributeFilter: ["aria-current"]}))"""


def test_a_page_with_a_speed_plays_from_the_start_as_little_as_was_known_then(opened: Open) -> None:
    visit = opened(page_of(played(), speed=250.5), script=STEPS_TAKEN)
    assert visit.page.input_value("#speed") == "250.5"
    expect(visit.page.get_by_role("button", name="Play", exact=True)).to_be_visible(timeout=PATIENCE_MS)
    assert visit.page.get_attribute("#later", "aria-pressed") == "true"
    every = seqs(visit)
    assert here(visit) == every[-1]
    first, *taken = visit.page.evaluate("window.taken")
    assert [first, *taken] in (every, every[1:])


def test_what_comes_later_can_be_hidden(opened: Open, evening: str) -> None:
    visit = opened(evening)
    every = seqs(visit)
    visit.page.click("#first")
    visit.page.get_by_role("button", name="Hide what comes later").click()
    assert seqs(visit) == every[:1]
    visit.page.click("#forward")
    assert seqs(visit) == every[:2]
    visit.page.click("#last")
    assert seqs(visit) == every


# ---- language, colours, sizes, paper


def test_the_language_is_the_tables_until_it_is_changed(opened: Open) -> None:
    story = played()
    visit = opened(page_of(story, speech="zh"))
    assert visit.page.get_attribute("html", "lang") == "zh-Hans"
    assert "不羁骰" in visit.text("#transcript")
    assert "Wild d6" not in visit.text("#transcript")
    visit.page.get_by_role("button", name="English").click()
    assert visit.page.get_attribute("html", "lang") == "en"
    assert "Wild d6" in visit.text("#transcript")
    assert visit.page.get_by_role("tab").all_inner_texts() == ["Transcript", "Figures", "Verify"]
    expect(visit.page.get_by_role("slider", name="Position")).to_be_visible()
    visit.page.get_by_role("button", name="中文").click()
    assert "不羁骰" in visit.text("#transcript")


def test_times_are_by_the_clock_of_the_table_and_the_page_says_which(opened: Open) -> None:
    shanghai = Iana().find("上海")
    assert shanghai is not None
    visit = opened(page_of(played(), zone=shanghai))
    times = visit.page.locator("article time").all_inner_texts()
    assert len(times) > 3
    assert {one[:5] for one in times} == {"08:00"}
    assert "all times are in Asia/Shanghai" in visit.page.inner_text(".about")
    visit.page.click("#language")
    assert "时间都按 Asia/Shanghai" in visit.page.inner_text(".about")


def test_the_colours_follow_the_system_until_they_are_chosen(opened: Open, evening: str) -> None:
    def brightness(visit: Visit) -> int:
        colour = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, re.findall(r"\d+", colour)[:3]))

    light, dark = opened(evening, color_scheme="light"), opened(evening, color_scheme="dark")
    assert (brightness(dark) < 150, brightness(light) > 600) == (True, True)
    dark.page.get_by_label("Colours").select_option("light")
    assert brightness(dark) == brightness(light)


def test_on_a_phone_nothing_is_wider_than_the_screen_and_the_table_is_folded(opened: Open, evening: str) -> None:
    visit = opened(evening, viewport=PHONE)
    for tab in ("Transcript", "Figures", "Verify"):
        visit.page.get_by_role("tab", name=tab).click()
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    visit.page.get_by_role("tab", name="Transcript").click()
    assert not visit.page.locator("#parts").is_visible()
    visit.page.get_by_text("The table at this moment").click()
    assert visit.page.locator("#parts").is_visible()


def test_on_paper_there_is_the_transcript_and_no_button(opened: Open, evening: str) -> None:
    visit = opened(evening)
    visit.page.emulate_media(media="print")
    assert visit.page.locator("button").filter(visible=True).count() == 0
    assert visit.page.locator("article").last.is_visible()
    assert visit.page.locator("figure").first.is_visible()


def test_without_script_or_with_a_damaged_file_the_page_says_why_it_is_empty(opened: Open, evening: str) -> None:
    dumb = opened(evening, ready=False, java_script_enabled=False)
    assert "needs JavaScript" in dumb.text("noscript")
    cut = re.sub(r'(id="steps">\n.{40}).*?(\n</script>)', r"\1\2", evening, count=1, flags=re.DOTALL)
    damaged = opened(cut, ready=False)
    expect(damaged.page.get_by_role("alert").first).to_have_text(PAGE["unreadable"].en)


# ---- figures


def test_the_figures_are_those_of_the_record(opened: Open) -> None:
    story = played(*EVENING[:5], *["gm: /roll 6d6"] * 10, "bob: /trait 潜行", "bob: /trait 潜行")
    visit = opened(page_of(story))
    visit.page.get_by_role("tab", name="Figures").click()
    rolls = [one.data for one in map(decode, story.log.read(story.table.id)) if isinstance(one.data, RollMade)]
    faces = [face for roll in rolls for die in roll.dice if die.sides == 6 for face in die.faces]
    figure = visit.page.locator("figure", has_text="d6").first
    assert f"d6, {len(faces)} thrown" in figure.inner_text()
    assert "χ² = " in figure.inner_text()
    assert figure.locator("rect.bar").count() == 6
    figure.get_by_text("The numbers").click()
    cells = figure.locator("tbody td").all_inner_texts()
    assert list(map(int, cells)) == [faces.count(face) for face in range(1, 7)]
    people = visit.page.locator("figure").last
    people.get_by_text("The numbers").click()
    row = people.locator("tr", has_text="小波").locator("td").all_inner_texts()
    outcomes = [roll.outcome for roll in rolls if roll.character == "小波"]
    assert row[:2] == ["2", str(outcomes.count("success"))]
    bennies = visit.page.locator("figure", has_text="Bennies over time")
    assert bennies.locator("path.purse").count() >= 2


# ---- the proof


def test_an_honest_page_verifies_itself(opened: Open) -> None:
    story = played()
    found = verify(story.log.read(story.table.id))
    visit = opened(page_of(story))
    told = proved(visit)
    assert visit.page.locator(".verdict.good").count() == 1
    assert f"Each event follows on the one before it (events: {found.events}): none was changed" in told
    assert f"Dice ({found.dice}) and cards ({found.cards}) came out again" in told
    assert "Rolls of physical dice, which nobody can prove: 1." in told
    assert "Web Crypto" in told
    assert visit.text("#badge") == "✔ It holds"
    assert visit.page.get_attribute("#verdict", "aria-live") == "polite"


def flip_a_face(record: str) -> str:
    """One face of a fair roll is another, and nothing else; its hash stays."""
    return re.sub(r'("sides":6,"role":"plain","faces":\[)(\d)', lambda m: f"{m[1]}{int(m[2]) % 6 + 1}", record, count=1)


def turn_faces_round(record: str) -> str:
    """The faces of one throw stand in another order, so that its total is the same."""
    (line,) = (line for line in record.splitlines() if '"label":"3d6"' in line)
    faces = re.findall(r'(?<="faces":)\[\d\]', line)
    turned = iter([*faces[1:], faces[0]])
    assert len(set(faces)) > 1
    return record.replace(line, re.sub(r'(?<="faces":)\[\d\]', lambda found: next(turned), line))


def remove_an_event(record: str) -> str:
    lines = record.splitlines(keepends=True)
    return "".join(lines[:9] + lines[10:])


@pytest.mark.parametrize(("tamper", "why"), [(flip_a_face, "hash_differs"), (remove_an_event, "seq_missing")])
def test_a_tampered_page_turns_red_and_names_the_first_event(
    opened: Open, evening: str, tamper: Callable[[str], str], why: str
) -> None:
    page = repacked(evening, "record", tamper)
    assert page != repacked(evening, "record", str)
    lines = tamper(packed(evening, "record")).encode().splitlines()
    broken = verify(read_line(line, place) for place, line in enumerate(lines, 1)).broken
    assert broken is not None
    assert broken.why == why
    visit = opened(page)
    told = proved(visit)
    assert visit.page.locator(".verdict.bad").count() == 1
    assert f"It does not hold: event {broken.seq}" in told
    assert WHY[why].en in told
    assert visit.text("#badge") == f"✘ It does not hold: event {broken.seq}"
    visit.page.get_by_role("button", name=f"Show number {broken.seq}").click()
    assert int(here(visit)) <= broken.seq


def test_a_face_forged_with_all_hashes_made_anew_does_not_follow_from_its_seed(opened: Open, evening: str) -> None:
    page = repacked(evening, "record", lambda record: chained(turn_faces_round(record)))
    told = proved(opened(page))
    assert WHY["face_differs"].en in told


def chained(record: str, prev: str = "0" * 64) -> str:
    """The lines with hashes that fit them, as a forger of the whole log would write them."""
    lines = []
    for line in record.splitlines():
        body = re.sub(r'"prev":"[0-9a-f]{64}","hash":"[0-9a-f]{64}"}$', f'"prev":"{prev}"}}', line)
        prev = hashlib.sha256(body.encode()).hexdigest()
        lines.append(f'{body[:-1]},"hash":"{prev}"}}\n')
    return "".join(lines)


def test_the_head_told_in_chat_shows_an_end_that_was_cut_off(opened: Open, evening: str) -> None:
    lines = packed(evening, "record").splitlines(keepends=True)
    head = f"{len(lines)}:{json.loads(lines[-1])['hash'][:16]}"
    whole = opened(evening)
    cut = opened(repacked(evening, "record", lambda record: "".join(record.splitlines(keepends=True)[:-2])))
    for visit, said in ((whole, "the end was not cut off"), (cut, WHY["cut_off"].en)):
        visit.page.get_by_role("tab", name="Verify").click()
        noted = visit.page.get_by_label("The head as the chat was told it")
        noted.fill("nonsense")
        visit.page.get_by_role("button", name="Verify now").click()
        assert visit.text("#noted-wrong") == PAGE["noted_wrong"].en
        noted.fill(f"🔗 {head}")
        visit.page.get_by_role("button", name="Verify now").click()
        expect(visit.page.locator("#verdict")).to_contain_text(said)


def test_for_players_what_is_secret_stays_sealed_and_its_hashes_verify(opened: Open) -> None:
    story = played(*EVENING[:5], "ann: /roll d1000000 secret # hush", "bob: /trait 潜行")
    page = page_of(story)
    assert "hush" not in packed(page, "steps") + packed(page, "record") + packed(page, "facts")
    told = proved(opened(page))
    assert "Still sealed, with only a place in the chain here: 1." in told
    assert "The " in told
    assert "none was changed" not in told
    assert "hush" in opened(page_of(story, "gm")).text("#transcript")


def test_the_target_that_the_st_keeps_to_the_st_is_nowhere_in_a_players_page() -> None:
    story = played("gm: /table new storytelling T", "ann: /char new Ann wits=3")
    story.given("gm: /extended new Car target=17 secret", "ann: /extended roll Car wits", "ann: /pool wits")
    for role, shown in (("player", False), ("gm", True)):
        page = page_of(story, role)  # type: ignore[arg-type]
        found = [part for part in ("steps", "record", "facts") if re.search(r"\b17\b", packed(page, part))]
        assert bool(found) is shown, (role, found)


def test_one_session_alone_verifies_as_a_part(opened: Open) -> None:
    story = played(*EVENING, "gm: /session start Dawn", "ann: /roll 3d6", "gm: /session end")
    visit = opened(page_of(story, session=2))
    assert "Night" not in visit.text("#transcript")
    assert "athletics d8" in visit.text("#parts")
    assert "✔ It holds" in proved(visit)


def test_where_the_browser_has_no_web_crypto_the_page_has_its_own(opened: Open, evening: str) -> None:
    script = "Object.defineProperty(crypto, 'subtle', {value: undefined})"
    visit = opened(evening, script=script)
    told = proved(visit)
    assert "✔ It holds" in told
    assert "the SHA-256 in this page" in told
    assert WHY["hash_differs"].en in proved(opened(repacked(evening, "record", flip_a_face), script=script))


def test_its_own_sha_256_and_hmac_are_pythons(opened: Open, evening: str) -> None:
    page, chance = opened(evening).page, random.Random(1)
    texts = [chance.randbytes(size) for size in (*range(130), 1000, 4096)]
    keys = [chance.randbytes(size) for size in (0, 1, 32, 63, 64, 65, 200)]
    found = page.evaluate("texts => texts.map((one) => hex(sha256Here(unhex(one))))", [one.hex() for one in texts])
    assert found == [hashlib.sha256(one).hexdigest() for one in texts]
    macs = "([key, texts]) => texts.map((one) => hex(hmacHere(unhex(key), unhex(one))))"
    for key in keys:
        found = page.evaluate(macs, [key.hex(), [one.hex() for one in texts]])
        assert found == [hmac.digest(key, one, "sha256").hex() for one in texts]


# ---- talk


def conversation() -> Story:
    """Kept talk: in and out of character, two lines in one message, one edited, one deleted, one forgotten."""
    story = played(*EVENING[:5], "gm: /log on")
    said = ("ann: It is c0ld.", "bob: (pizza!)", "gm: Two\nlines.", "ann: a mistake", "tom: my secret")
    for number, line in enumerate(said):
        story.hear(line, f"m{number}")
    cold, mistake = (MessageKey("test", "test", message) for message in ("m0", "m3"))
    story.app.edited(Edited(key=cold, person="ann", text="It is cold.", edit="1"))
    story.app.deleted(Deleted(key=mistake, person="ann"))
    code = code_in("\n".join(letter.text for letter in story.when("tom: /forget me").letters))
    return story.given(f"tom: /forget me {code}")


@pytest.mark.parametrize(("role", "texts"), [("player", 3), ("gm", 3), ("audit", 5)])
def test_what_was_said_is_proved_to_be_what_its_digests_stand_for(opened: Open, role: Role, texts: int) -> None:
    told = proved(opened(page_of(conversation(), role)))
    assert "✔ It holds" in told
    assert f"these very words (lines: {texts})" in told
    assert "Lines of talk of which only the digest is in this copy" in told


def test_talk_that_was_changed_after_its_session_does_not_make_the_page_of_that_session_red(opened: Open) -> None:
    story = played(*EVENING[:5], "gm: /log on")
    for number, line in enumerate(("ann: Frist!", "ann: gone", "bob: as it stands")):
        story.hear(line, f"m{number}")
    story.given("gm: /session end", "gm: /session start Dawn")
    key, gone = (MessageKey("test", "test", message) for message in ("m0", "m1"))
    story.app.edited(Edited(key=key, person="ann", text="First!", edit="1"))
    story.app.deleted(Deleted(key=gone, person="ann"))
    for session in (1, 2, None):
        assert "✔ It holds" in proved(opened(page_of(story, session=session)))


def test_the_log_of_another_program_has_its_times_and_its_words_are_proved_but_not_its_rolls(
    opened: Open, tmp_path: Path
) -> None:
    rows = [("小红", "天好冷。", False, 1645000000), ("海豹", "<小红>掷出了 2d6=7", True, 1645000007)]
    items = [
        {"nickname": who, "IMUserId": who, "time": time, "message": text, "isDice": dice}
        for who, text, dice, time in rows
    ]
    file = tmp_path / "log.json"
    file.write_text(json.dumps({"version": 105, "items": items}, ensure_ascii=False), encoding="utf-8")
    story = Story()
    table = taken_in(story.log, file)
    extract = Extract(table, story.log.head(table).seq)
    found = to_html.lines(story.log, extract, story.log.names(), "en", title="雪山", speed=None)
    visit = opened("".join(one.decode() + "\n" for one in found))
    assert visit.page.locator("article", has_text="2d6=7").locator("time").inner_text() == "08:26:47"
    told = proved(visit)
    assert "these very words (lines: 2)" in told
    assert "Rolls from another program's log, which nobody can prove: 1." in told


def taken_in(log: EventLog, file: Path) -> str:
    """The table that a log of SealDice has become."""
    logged = from_sealdice.read(file)
    assert logged is not None
    return from_sealdice.import_into(log, logged, "雪山", "savage", "2026-11-30T06:00:00.000Z", Seeds()).table


def seq_of(page: str, text: str) -> int:
    """The event that holds these words."""
    return next(int(json.loads(line)["seq"]) for line in packed(page, "record").splitlines() if text in line)


@pytest.mark.parametrize("role", ["player", "audit"])
def test_other_words_in_the_record_turn_the_page_red_and_name_the_event(opened: Open, role: Role) -> None:
    page = page_of(conversation(), role)
    for old, new in (("Two\\nlines.", "Two\\nlies."), ("It is cold.", "It is warm."), ("pizza", "pasta")):
        changed = repacked(page, "record", lambda record, old=old, new=new: record.replace(old, new))  # type: ignore[misc]
        told = proved(opened(changed))
        assert f"It does not hold: event {seq_of(page, old)}" in told
        assert WHY["text_differs"].en in told


def test_other_words_in_the_transcript_than_in_the_record_turn_the_page_red(opened: Open) -> None:
    page = page_of(conversation())
    said = seq_of(page, "lines.")
    for change in (
        lambda steps: steps.replace("lines.", "lies."),
        lambda steps: steps.replace('"name":"gm","kind":"talk"', '"name":"bob","kind":"aside"'),
        lambda steps: "".join(line for line in steps.splitlines(keepends=True) if "lines." not in line),
    ):
        visit = opened(repacked(page, "steps", change))
        told = proved(visit)
        assert f"It does not hold: event {said}" in told
        assert PAGE["shown_differs"].en in told
        visit.page.get_by_role("button", name=f"Show number {said}").click()
        assert int(here(visit)) <= said


def test_a_line_in_the_transcript_that_nobody_said_turns_the_page_red(opened: Open) -> None:
    page = page_of(conversation())
    lines = packed(page, "steps").splitlines()
    spoken = next(json.loads(line) for line in lines if "lines." in line)
    invented = json.dumps({**spoken, "seq": spoken["seq"] + 1_000, "zh": ["I owe Ann ten Bennies."]})
    told = proved(opened(repacked(page, "steps", lambda steps: steps + invented + "\n")))
    assert f"It does not hold: event {spoken['seq'] + 1_000}" in told


def test_a_record_that_was_taken_out_altogether_is_not_proved(opened: Open, evening: str) -> None:
    assert WHY["seq_missing"].en in proved(opened(repacked(evening, "record", lambda record: "")))


# ---- totals


RULED = {
    "savage": (
        "ann: /char new Ann vigor=d6", "ann: /trait d8", "ann: /trait d8 x3 -1", "gm: /damage 2d6+1", "gm: /group d6",
        "ann: /trait d4", "ann: /reroll", "gm: /roll 3d6 + 2", "gm: /roll 2#d20-1", "gm: /roll 4d6kh3",
        "gm: /roll 2d6!", "gm: /roll (1d6+2)*3-2d4", "gm: /roll 4dF", "gm: /roll -d6+d%", "gm: /roll 10-d10-d10+1",
    ),
    "storytelling": ("ann: /pool 7", "ann: /pool 0", "gm: /roll d8-2d4"),
    "infinite": ("ann: /check 9", "ann: /attack 6", "gm: /roll 2d10"),
    "adventure": (
        "ann: /char new Ann STR=1 DEX=2 hp=7 max_hp=7", "ann: /move defy STR", "ann: /move defy STR adv",
        "ann: /move defy DEX dis +1", "ann: /move clash STR melee dmg=d8 foe=d6", "gm: /roll 3d6",
    ),
}  # fmt: skip


def test_totals_that_only_take_adding_up_are_added_up_in_every_system(opened: Open, evening: str) -> None:
    """The page never doubts an honest total, and sees each of those that it counts when it is one more."""
    page, counted = opened(evening).page, set()
    for system, lines in RULED.items():
        story = played(f"gm: /table new {system} T")
        for line in lines * 4:
            story.hear(line)
        for roll in (one.data for one in map(decode, story.log.read(story.table.id)) if isinstance(one.data, RollMade)):
            told = json.loads(msgspec.json.encode(roll))
            right = page.evaluate("addsUp", told)
            assert right in (True, None), told
            if right:
                counted.add((system, roll.kind))
                assert page.evaluate("addsUp", told | {"rolled_total": roll.rolled_total + 1}) is False
                assert roll.reroll_of or page.evaluate("addsUp", told | {"total": roll.total + 1}) is False
            else:
                assert system in ("storytelling", "infinite") or re.search(r"[k!(F%]", roll.label), told
    assert counted >= {
        ("savage", "trait"), ("savage", "damage"), ("savage", "group"), ("adventure", "move"), ("infinite", "roll"),
    }  # fmt: skip


def test_a_forged_total_turns_the_page_red_and_what_takes_rules_is_said_to_be_unproved(opened: Open) -> None:
    story = played(*EVENING[:5], "gm: /roll 3d6", "gm: /roll 4d6kh3", "gm: /session end")
    page = page_of(story)
    told = proved(opened(page))
    assert "Rolls whose totals were added up again from their faces and modifiers: 1." in told
    assert "rollbook verify does: 1." in told
    forged = repacked(page, "record", lambda record: chained(re.sub(r'"total":\d+', '"total":99', record, count=1)))
    assert WHY["total_differs"].en in proved(opened(forged))


VERDICT = """async ([lines, noted, part]) => verify(lines.map(encoded), {noted, part, types: page.facts.types})"""


def verdict_of(page: Page, lines: Sequence[str], noted: Head | None = None, *, part: bool = False) -> dict[str, Any]:
    found = page.evaluate(VERDICT, [list(lines), to_builtins(noted) if noted else None, part])
    return {key: value for key, value in found.items() if key not in ("totals", "uncounted", "texts", "silent")}


def verdict_here(lines: Sequence[str], noted: Head | None = None, *, part: bool = False) -> dict[str, Any]:
    """What core/verify.py says of the same lines, in the page's form: without English details."""
    read = [read_line(line.encode(), place) for place, line in enumerate(lines, 1)]
    found = verify(read, noted, before(read[0]) if part else Head())
    told = dict(json.loads(json.dumps(to_builtins(found))))
    return told | {"broken": told["broken"] and {key: told["broken"][key] for key in ("seq", "why")}}


def tampered(lines: list[str], chance: random.Random) -> list[str]:
    """Another record, chained anew or not: a value changed, a line gone, doubled, moved, spoilt."""
    at = chance.randrange(len(lines))
    number = re.sub(r"(?<=[:\[,])\d+(?=[,\]}])", lambda found: str(chance.randrange(12)), lines[at], count=9)
    other = [
        [*lines[:at], number, *lines[at + 1 :]], [*lines[:at], *lines[at + 1 :]], [*lines[: at + 1], *lines[at:]],
        [*lines[:at], lines[-1], *lines[at + 1 :]], [*lines[:at], lines[at][:-9], *lines[at + 1 :]],
        [*lines[:at], re.sub(r'"faces":\[\d+', '"faces":[3', lines[at], count=1), *lines[at + 1 :]],
        [*lines[:at], re.sub(r'"(seed|commitment|card|text)":"[^"]{0,6}', r'"\1":"4D', lines[at]), *lines[at + 1 :]],
        [*lines[:at], *chained(lines[at], chance.randbytes(32).hex()).splitlines(), *lines[at + 1 :]],
    ][chance.randrange(8)]  # fmt: skip
    return chained("\n".join(other)).splitlines() if chance.random() < 0.7 else other


def test_whatever_was_tampered_with_the_page_says_what_our_verifier_says(opened: Open, evening: str) -> None:
    """But for totals: the page adds up what it can, and there looks at what a reader is shown too."""
    page, chance = opened(evening).page, random.Random(4)
    story = played(*EVENING, "gm: /session start", "gm: /init deal", "gm: /init end", "gm: /undo")
    story.given("ann: /roll 3d6 secret")
    honest = packed(page_of(story, "audit"), "record").splitlines()
    sealed = packed(page_of(story), "record").splitlines()
    part = packed(page_of(story, session=2), "record").splitlines()
    assert [verdict_of(page, lines)["broken"] for lines in (honest, sealed)] == [None, None]
    assert verdict_of(page, part, part=True) == verdict_here(part, part=True)
    why = set()
    for _ in range(300):
        lines = tampered(chance.choice([honest, sealed]), chance)
        here_, there = verdict_here(lines), verdict_of(page, lines)
        if "total_differs" in [one["broken"] and one["broken"]["why"] for one in (here_, there)]:
            continue
        assert there == here_, lines
        why.add(here_["broken"] and here_["broken"]["why"])
    assert {"hash_differs", "prev_differs", "seq_missing", "face_differs", "seed_differs", None} <= why


@pytest.mark.parametrize("made", [*records.WHOLE, *records.PARTS], ids=lambda made: made.__name__)
def test_an_honest_record_of_a_rare_shape_holds_on_the_page(
    made: Callable[[], list[bytes]], opened: Open, evening: str
) -> None:
    lines, part = [line.decode() for line in made()], made in records.PARTS
    told = verdict_of(opened(evening).page, lines, part=part)
    assert told["broken"] is None
    assert told == verdict_here(lines, part=part)


def test_words_of_luck_say_that_no_sealed_event_before_them_has_used_a_number(opened: Open, evening: str) -> None:
    *before, roll, _seed, _period = (line.decode() for line in records.luck_behind_a_secret_target())
    forged = json.loads(roll)
    forged["data"] |= {"first": forged["data"]["first"] + 1, "next": forged["data"]["next"] + 1}
    late = chained(json.dumps(forged, ensure_ascii=False, separators=(",", ":")), forged["prev"]).splitlines()
    told = verdict_of(opened(evening).page, [*before, *late])
    assert told["broken"] == {"seq": forged["seq"], "why": "dice_skipped"}


def test_talk_with_anything_else_in_it_is_named_as_our_verifier_names_it(opened: Open, evening: str) -> None:
    page, story = opened(evening).page, played(*EVENING[:5], "gm: /log on", "ann: Don't look \\ down.", "ann: /roll d6")
    honest = packed(page_of(story, "audit"), "record").encode().splitlines()
    spoilt = {name: records.misquoted(honest, name) for name in records.MISQUOTED}
    spoilt |= {name: (records.appended(honest, event), why) for name, (event, why) in records.FORGED.items()}
    for name, (lines, why) in spoilt.items():
        texts = [line.decode() for line in lines]
        told = verdict_of(page, texts)
        assert told == verdict_here(texts), name
        assert (told["broken"]["why"] if told["broken"] else "") == why, name


def test_the_page_knows_what_our_verifier_knows(opened: Open, evening: str) -> None:
    page = opened(evening).page
    assert page.evaluate("MAX_ACTS") == MAX_ACTS
    assert page.evaluate("page.facts.types") == {name: kind.version for name, kind in EVENT_TYPES.items()}
    assert set(page.evaluate("Object.keys(page.facts.why)")) == set(WHY)


def test_the_record_can_be_taken_out_of_the_page_as_it_is_stored(opened: Open, evening: str, tmp_path: Path) -> None:
    visit = opened(evening)
    visit.page.get_by_role("tab", name="Verify").click()
    with visit.page.expect_download() as download:
        visit.page.get_by_role("button", name="Save the record").click()
    assert download.value.suggested_filename == "Glacier.jsonl"
    download.value.save_as(tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == packed(evening, "record")
    visit.requests = visit.requests[:1]  # the download is a blob of the page's own


# ---- keys and screen readers


def test_everything_can_be_done_with_the_keyboard_alone(opened: Open, evening: str) -> None:
    visit = opened(evening)
    keyboard, every = visit.page.keyboard, seqs(visit)
    focused = "document.activeElement.id || document.activeElement.className || document.activeElement.tagName"
    keyboard.press("Tab")
    assert visit.page.evaluate(focused) == "skip"
    walk = [visit.page.evaluate(focused) for _ in range(5) if keyboard.press("Tab") is None]
    assert walk[:4] == ["badge", "theme", "language", "tab-transcript"]
    keyboard.press("Home")
    visit.page.evaluate("document.activeElement.blur()")
    keyboard.press("Home")
    assert here(visit) == every[0]
    keyboard.press("ArrowRight")
    keyboard.press("ArrowRight")
    assert here(visit) == every[2]
    keyboard.press("ArrowLeft")
    assert here(visit) == every[1]
    keyboard.press("End")
    assert here(visit) == every[-1]
    keyboard.press("Space")
    expect(visit.page.get_by_role("button", name="Pause")).to_be_visible()
    keyboard.press("Space")
    expect(visit.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    visit.page.locator("#tab-transcript").focus()
    keyboard.press("End")
    assert visit.page.evaluate(focused) == "tab-proof"
    while visit.page.evaluate(focused) != "run":
        keyboard.press("Tab")
    keyboard.press("Enter")
    expect(visit.page.get_by_role("status").filter(has_text="✔ It holds")).to_be_visible()


def test_what_has_the_focus_can_be_seen(opened: Open, evening: str) -> None:
    visit = opened(evening)
    for _ in range(12):
        visit.page.keyboard.press("Tab")
        outline = visit.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid", visit.page.evaluate("document.activeElement.outerHTML")


def test_a_screen_reader_finds_names_for_everything(opened: Open, evening: str) -> None:
    page = opened(evening).page
    for role, name in (
        ("tab", "Figures"), ("button", "One step back"), ("button", "Play"), ("slider", "Position"), ("group", "Show"),
        ("group", "Timeline"), ("checkbox", "rolls"), ("combobox", "Speed"), ("region", "The table at this moment"),
        ("region", "Transcript"), ("heading", "Glacier"), ("button", "not verified yet"),
    ):  # fmt: skip
        assert page.get_by_role(role, name=name).first.is_visible(), (role, name)  # type: ignore[arg-type]
    step = page.get_by_role("slider").get_attribute("aria-valuetext") or ""
    assert re.fullmatch(r"step \d+ of \d+, number \d+, gm", step)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_axe_finds_nothing_serious(opened: Open, scheme: str, size: dict[str, int]) -> None:
    people = [f"p{n}: /trait d6" for n in range(12)]  # more than there are colours
    story = played(*EVENING, "gm: /session start", *people, *["gm: /roll 6d6"] * 6)
    append(story, LineSpoken(text="Up we go."), LineSpoken(text="(brb)", ooc=True))
    visit = opened(page_of(story, "audit"), viewport=size, color_scheme=scheme)
    visit.page.evaluate("document.querySelectorAll('article details').forEach((one) => (one.open = true))")
    visit.page.evaluate("by('board').open = true")
    assert findings(visit.page) == []
    visit.page.get_by_role("tab", name="Figures").click()
    visit.page.evaluate("document.querySelectorAll('figure details').forEach((one) => (one.open = true))")
    assert findings(visit.page) == []
    proved(visit)
    assert findings(visit.page) == []
    spoilt = opened(repacked(page_of(story), "record", flip_a_face), viewport=size, color_scheme=scheme)
    proved(spoilt)
    assert findings(spoilt.page) == []


def findings(page: Page) -> list[str]:
    found = [one for one in Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")]
    return [f"{one['id']}: {node['html']}" for one in found for node in one["nodes"]]


# ---- nothing gets in


HOSTILE = (
    "</script><script>window.hacked=1</script>", "<img src=x onerror=window.hacked=1>", "<!--<script>", "]]>",
    "{{ 7*7 }}", "{% raw %}", "&lt;b&gt;", '"><svg onload=window.hacked=1>', "`${window.hacked=1}`", "{seq}", "\\u003c",
    "javascript:window.hacked=1", "a\u2028b", "a\u2029b", "__proto__", "constructor", "x' onfocus='window.hacked=1",
)  # fmt: skip


def test_a_hostile_table_injects_nothing(opened: Open, evening: str) -> None:
    story = Story(seeds=Seeds(3)).given(f"gm: /table new savage {HOSTILE[0]}", "gm: /session start </title><b>")
    for place, text in enumerate(HOSTILE):
        name = f"p{place} {text}"
        story.hear(f"{name}: /join")
        story.hear(f"{name}: /roll 2d6 # {text}")
        story.hear(f'{name}: /char new "{text[:60]}" athletics=d6')
        story.hear(f"{name}: /trait athletics +2({text})")
    append(story, *(LineSpoken(text=f"{text} \u202eevil\u2066") for text in HOSTILE))
    visit = opened(page_of(story, "audit"))
    said = visit.page.text_content("#transcript") or ""
    plain = [text for text in HOSTILE if "\u2028" not in text and "\u2029" not in text]
    assert [text for text in plain if text not in said] == []
    assert visit.page.evaluate("window.hacked") is None
    calm = opened(evening)
    count = "document.querySelectorAll('img, script, iframe, object, embed, link, base, form, style, a, meta').length"
    assert visit.page.evaluate(count) == calm.page.evaluate(count)
    assert visit.page.title() == HOSTILE[0]
    assert not re.search("[\u202e\u2066\u2028\u2029]", visit.page.content())
    assert "✔ It holds" in proved(visit)


def test_no_handler_stands_in_an_attribute_and_the_policy_forbids_everything(opened: Open, evening: str) -> None:
    markup = re.sub(r"<(style|script).*?</\1>", "", evening, flags=re.DOTALL)
    assert re.findall(r"<[^>]+\s(?:on\w+|style)=", markup) == []
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', evening)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy[1]


def test_even_a_script_that_got_in_would_not_run_or_call_home(browser: Browser, evening: str, tmp_path: Path) -> None:
    smuggled = "<main><script>window.bad = 1</script><img src='http://127.0.0.1:9/x'>"
    (tmp_path / "page.html").write_text(evening.replace("<main>", smuggled), encoding="utf-8")
    context = browser.new_context()
    visit = Visit(context, tmp_path / "page.html")
    visit.page.wait_for_selector(READY, state="attached")
    assert visit.page.evaluate("window.bad") is None
    with pytest.raises(Error):
        visit.page.evaluate("fetch('http://127.0.0.1:9/')")
    with pytest.raises(Error, match="TrustedHTML"):
        visit.page.evaluate("document.body.innerHTML = '<b>'")
    assert len(visit.complaints) >= 3
    context.close()


# ---- where pages come from


def test_export_and_replay_write_pages_and_chat_sends_one(tmp_path: Path) -> None:
    db, whole, early = tmp_path / "log.db", tmp_path / "whole.html", tmp_path / "early.html"
    terminal.play(db, *terminal.EVENING)
    for options in (("export", "--format", "html", "-o", whole), ("replay", "--to", 5, "--html", early)):
        done = terminal.run(options[0], "--db", db, *options[1:])
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr == f"The page is in {options[-1]}.\n"
    record = packed(whole.read_text(encoding="utf-8"), "record")
    assert record == terminal.exported(db, "--as", "player")
    shown = packed(early.read_text(encoding="utf-8"), "record")
    assert record.startswith(shown)
    assert 5 <= len(shown.splitlines()) < len(record.splitlines())
    asked = terminal.run("replay", "--db", db, "--session", 9, "--html", early)
    assert "no session 9" in terminal.refused(asked)
    faster = tmp_path / "faster.html"
    terminal.run("replay", "--db", db, "--speed", 2.5, "--html", faster)
    assert json.loads(packed(faster.read_text(encoding="utf-8"), "facts"))["speed"] == 2.5
    for speed in ("nan", "inf", "0", "-1", "x"):
        terminal.refused(terminal.run("replay", "--db", db, "--speed", speed, "--html", tmp_path / "none.html"))
    (letter,) = played().when("bob: /export html").letters
    assert letter.attached is not None
    assert letter.attached.form == "html"


# ---- sizes and words


def test_a_long_page_is_made_by_and_by_and_then_all_of_it_can_be_searched(opened: Open) -> None:
    story = played(*EVENING[:5], *(f"gm: /roll 2d6 # number {n}!" for n in range(400)), "ann: /roll d20 # the last one")
    visit = opened(page_of(story), script=READY_WITH)
    made, rows = visit.page.evaluate("window.made"), visit.page.locator("article").count()
    assert 0 < made < rows
    assert rows >= 400
    for text in ("number 3!", "number 211!", "the last one"):
        assert visit.page.evaluate("text => window.find(text, false, false, true)", text)
        assert visit.page.evaluate("getSelection().anchorNode.parentNode.closest('article').checkVisibility()")


def test_what_is_not_made_yet_is_made_for_paper(opened: Open) -> None:
    story = played(*EVENING[:5], *(f"gm: /roll 2d6 # number {n}!" for n in range(400)))
    page = opened(page_of(story), script=PRINTED_WHEN + READY_WITH).page
    assert page.evaluate("window.made") == page.locator("article").count() >= 400


READY_WITH = """addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  window.made ??= document.querySelectorAll("article").length;
}).observe(document.documentElement, {attributeFilter: ["data-ready"]}));"""
PRINTED_WHEN = READY_WITH.replace("window.made ??= document", 'dispatchEvent(new Event("beforeprint")) && document')


def test_five_thousand_events_fit_in_three_megabytes(opened: Open) -> None:
    visit = opened(page := page_of(long_evening(5_000), "audit"))
    assert len(page.encode()) < MOST_BYTES
    assert visit.page.locator("article").count() > 1_000
    assert "✔ It holds" in proved(visit)


def long_evening(events: int) -> Story:
    """Four at a table, dice that are not the same twice, until there are so many events."""
    story, chance = played(*EVENING[:5]), random.Random(5)
    lines = (
        "ann: /trait athletics # once more", "bob: /trait 潜行 -1(fog)", "gm: /damage 2d6+1 vs=Ann", "ann: /roll 3d6+2",
        "gm: /benny give Ann # good idea", "bob: /roll 4d10", "gm: /wound -1 as=Ann", "gm: /init deal",
    )  # fmt: skip
    while story.log.head(story.table.id).seq < events:
        story.hear(chance.choice(lines))
    return story


def test_every_word_of_the_page_is_said_in_it() -> None:
    files = [path for path in to_html.FOLDER.iterdir() if path.suffix in (".js", ".j2")]
    source = "\n".join(path.read_text(encoding="utf-8") for path in files)
    families = ("role_", "part_", "kind_", "theme_", "audience_")
    alone = [key for key in PAGE if not key.startswith(families)]
    assert [key for key in alone if not re.search(rf"\b{key}\b", source)] == []
    said = set(re.findall(r'say\("(\w+)"', source))
    assert said - set(families) <= PAGE.keys()
