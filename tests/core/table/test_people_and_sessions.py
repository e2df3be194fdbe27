"""Tables, people, house rules, sessions with their seeds, scenes, luck."""

from __future__ import annotations

import hashlib

import pytest

from events.beside import Beside
from events.chain import first_break
from events.envelope import Head
from events.types import (
    GmNamed,
    HouseRuleSet,
    LanguageSet,
    LuckAdded,
    PeriodOpened,
    PlayerJoined,
    RollMade,
    SceneStarted,
    SeedRevealed,
    SessionEnded,
    SessionStarted,
    TableOpened,
)
from tests.story import Seeds, Story, all_of, one_of, refused, savage, told

# ---- the table


def test_whoever_opens_a_table_is_its_gm() -> None:
    opened = one_of(Story().when("red: /table new savage Glacier"), TableOpened)
    assert (opened.system, opened.title, opened.gm, opened.language, opened.period) == (
        "savage",
        "Glacier",
        "red",
        "en",
        1,
    )


def test_a_table_opened_in_chinese_speaks_chinese() -> None:
    story = Story()
    opened = one_of(story.when("red: 。开团 savage"), TableOpened)
    assert opened.language == "zh"
    assert "主持人" in told(story.when("red: /table"))


@pytest.mark.parametrize(
    "line", ["/table new savage Ice", "。开团 savage Ice", "/table savage Ice", "。开团 新建 狂野世界 Ice"]
)
def test_a_table_is_opened_in_several_words(line: str) -> None:
    assert one_of(Story().when(f"red: {line}"), TableOpened).title == "Ice"


def test_the_commitment_is_told_when_the_table_opens() -> None:
    answer = Story().when("red: /table new savage")
    assert one_of(answer, TableOpened).commitment in told(answer)


def test_nothing_but_a_new_table_help_and_arithmetic_works_without_a_table() -> None:
    story = Story()
    for line in ("/roll d6", "/trait d8", "/join", "/session start", "/undo", "/history", "/benny", "。骰 d6"):
        assert refused(story.when(f"red: {line}")) == "no_table"
    assert refused(story.when("red: /rool d6")) == "unknown_command"
    assert "table new SYSTEM" in told(story.when("red: /help"))
    assert told(story.when("red: /calc 7*6")) == "🧮 7*6 = 42"
    assert story.log.tables() == []


def test_the_gm_may_open_another_table_in_the_same_chat_and_it_is_a_chain_of_its_own() -> None:
    story = savage("ann: /roll d6")
    first = story.table
    answer = story.when("gm: /table new savage Second")
    assert story.table.id != first.id
    assert [one.seq for one in answer.events] == [1]
    assert story.log.head(first.id).seq == first.ledger.seq
    assert story.table.play.players == ()


def test_a_player_cannot_open_another_table_and_nobody_can_during_a_session() -> None:
    story = savage("ann: /join")
    assert refused(story.when("ann: /table new savage Mine")) == "not_allowed"
    story.given("gm: /session start")
    assert refused(story.when("gm: /table new savage Second")) == "not_allowed"
    story.given("gm: /session end", "gm: /table new savage Second")


@pytest.mark.parametrize("system", ["gurps", "d20", ""])
def test_an_unknown_rule_system_is_refused(system: str) -> None:
    assert refused(Story().when(f"red: /table new {system}")) == "bad_argument"


def test_the_table_shows_its_people_and_its_session() -> None:
    shown = told(savage("ann: /join", "gm: /session start The first night").when("ann: /table"))
    assert all(word in shown for word in ("Glacier", "gm", "ann", "The first night"))


# ---- people


def test_a_player_joins_once() -> None:
    story = savage()
    assert one_of(story.when("ann: /join"), PlayerJoined).player == "ann"
    assert refused(story.when("ann: /join")) == "already_done"


def test_the_gm_is_no_player() -> None:
    assert refused(savage().when("gm: /join")) == "already_done"


def test_the_gm_hands_the_chair_over_and_has_it_no_longer() -> None:
    story = savage("ann: /join")
    named = one_of(story.when("gm: /gm Ann"), GmNamed)
    assert (named.gm, named.was) == ("ann", "gm")
    assert refused(story.when("gm: /session start")) == "not_allowed"
    story.given("ann: /session start")


def test_only_the_gm_names_a_gm_and_only_somebody_of_the_table() -> None:
    story = savage("ann: /join", "bob: /help")
    assert refused(story.when("ann: /gm ann")) == "not_allowed"
    assert refused(story.when("gm: /gm gm")) == "already_done"
    assert refused(story.when("gm: /gm bob")) == "not_found"
    assert refused(story.when("gm: /gm nobody")) == "not_found"


def test_any_player_chooses_the_language_and_a_stranger_does_not() -> None:
    story = savage("ann: /join")
    assert one_of(story.when("ann: /lang 中文"), LanguageSet).language == "zh"
    assert "主持人" in story.when("ann: /session end").error[1]  # type: ignore[index]
    assert refused(story.when("bob: /lang en")) == "not_allowed"
    assert refused(story.when("gm: /lang fr")) == "bad_argument"


# ---- house rules


@pytest.mark.parametrize(
    "line",
    [
        "/house physical-dice on",
        "。房规 实体骰 开",
        "/house physical-dice=on",
        "/house PHYSICAL-DICE yes",
        "。房规 实体骰＝开",
    ],
)
def test_a_house_rule_is_set_in_either_language(line: str) -> None:
    rule = one_of(savage(physical=False).when(f"gm: {line}"), HouseRuleSet)
    assert (rule.key, rule.value) == ("physical-dice", "on")


def test_only_the_gm_sets_a_house_rule_and_everybody_sees_it() -> None:
    story = savage("ann: /join", physical=False)
    assert refused(story.when("ann: /house physical-dice on")) == "not_allowed"
    assert "physical-dice = off" in told(story.when("ann: /house"))
    story.given("gm: /house physical-dice on")
    assert "physical-dice = on" in told(story.when("ann: /house physical-dice"))


def test_an_unknown_house_rule_or_value_is_refused() -> None:
    story = savage()
    assert refused(story.when("gm: /house flying on")) == "not_found"
    assert refused(story.when("gm: /house physical-dice maybe")) == "bad_argument"
    assert refused(story.when("ann: /house flying")) == "not_found"


def test_given_faces_need_the_house_rule() -> None:
    story = savage(physical=False)
    assert refused(story.when("ann: /roll d6 dice=3")) == "not_allowed"
    story.given("gm: /house physical-dice on")
    roll = one_of(story.when("ann: /roll d6 dice=3"), RollMade)
    assert (roll.total, roll.source, roll.period, roll.first, roll.next) == (3, "physical", None, None, None)


@pytest.mark.parametrize("faces", ["3", "3,3,3", "7,1", "0,1"])
def test_given_faces_that_do_not_fit_are_a_mismatch(faces: str) -> None:
    assert refused(savage().when(f"ann: /roll 2d6 dice={faces}")) == "dice_mismatch"


# ---- sessions and seeds


def test_a_session_opens_a_period_and_publishes_the_seed_of_the_one_before() -> None:
    story = savage()
    promised = story.table.ledger.commitment
    answer = story.when("gm: /session start The first night")
    revealed, started = one_of(answer, SeedRevealed), one_of(answer, SessionStarted)
    assert (revealed.period, started.period, started.number, started.title) == (1, 2, 1, "The first night")
    assert hashlib.sha256(bytes.fromhex(revealed.seed)).hexdigest() == promised
    assert story.table.ledger.commitment == started.commitment != promised
    assert revealed.seed in told(answer)
    assert started.commitment in told(answer)


def test_the_end_of_a_session_publishes_the_seed_that_its_start_promised() -> None:
    story = savage()
    promised = one_of(story.when("gm: /session start"), SessionStarted).commitment
    story.given("ann: /roll 3d6")
    answer = story.when("gm: /session end")
    revealed, opened = one_of(answer, SeedRevealed), one_of(answer, PeriodOpened)
    assert one_of(answer, SessionEnded).number == 1
    assert hashlib.sha256(bytes.fromhex(revealed.seed)).hexdigest() == promised
    assert (revealed.period, opened.period, opened.reason) == (2, 3, "ended")
    assert story.table.ledger.commitment == opened.commitment


@pytest.mark.parametrize("line", ["/session start", "/session end"])
def test_the_chat_is_told_the_head_of_the_chain(line: str) -> None:
    story = savage("gm: /session start", "gm: /session end", *(["gm: /session start"] if line.endswith("end") else []))
    answer = story.when(f"gm: {line}")
    head = story.log.head(story.table.id)
    assert f"{head.seq}:{head.hash[:16]}" in told(answer)
    record = list(story.log.read(story.table.id))
    assert first_break(record, expect=Head(head.seq, head.hash[:16])) is None
    assert first_break(record[:-1], expect=Head(head.seq, head.hash[:16])) is not None


def test_events_within_a_session_bear_its_number() -> None:
    story = savage()
    assert {one.session for one in story.when("ann: /roll d6").events} == {None}
    assert {one.session for one in story.when("gm: /session start").events} == {1}
    assert {one.session for one in story.when("ann: /roll d6").events} == {1}
    assert {one.session for one in story.when("gm: /session end").events} == {1}
    assert {one.session for one in story.when("ann: /roll d6").events} == {None}
    assert {one.session for one in story.when("gm: /session start").events} == {2}


def test_sessions_are_the_gms_and_one_runs_at_a_time() -> None:
    story = savage("ann: /join")
    assert refused(story.when("ann: /session start")) == "not_allowed"
    assert refused(story.when("gm: /session end")) == "no_session"
    story.given("gm: /session start")
    assert refused(story.when("gm: /session start")) == "already_done"
    assert refused(story.when("ann: /session end")) == "not_allowed"


def test_sessions_are_listed_with_their_place_in_the_record() -> None:
    story = savage("gm: /session start One", "gm: /session end", "gm: /session start Two")
    first, second = told(story.when("ann: /session list")).split("\n")
    assert "One" in first
    assert "events" in first
    assert "running" in second
    assert told(savage().when("ann: /session"))


def test_reveal_publishes_the_seed_and_begins_a_new_period() -> None:
    story = savage("ann: /roll d6")
    promised = story.table.ledger.commitment
    answer = story.when("gm: /reveal")
    revealed, opened = one_of(answer, SeedRevealed), one_of(answer, PeriodOpened)
    assert hashlib.sha256(bytes.fromhex(revealed.seed)).hexdigest() == promised
    assert (opened.period, opened.reason) == (revealed.period + 1, "revealed")
    assert one_of(story.when("ann: /roll d6"), RollMade).first == 0


def test_only_the_gm_reveals_and_only_where_dice_have_fallen() -> None:
    story = savage("ann: /join")
    assert refused(story.when("gm: /reveal")) == "already_done"
    story.given("ann: /roll d6")
    assert refused(story.when("ann: /reveal")) == "not_allowed"


def test_a_seed_is_in_no_event_before_it_is_revealed() -> None:
    story = savage("gm: /session start", "ann: /roll 3d6", "gm: /scene")
    seed = story.log.seed(story.table.id, story.table.ledger.period)
    assert seed is not None
    record = b"".join(one.body for one in story.log.read(story.table.id))
    assert seed.hex().encode() not in record
    story.given("gm: /session end")
    assert story.log.seed(story.table.id, 2) is None


def test_a_table_whose_seed_is_not_at_hand_goes_on_with_a_new_period() -> None:
    """As after an import: the events are here, the seed is not."""
    source = savage("ann: /char new Ann", "ann: /roll d6")
    story = Story(seeds=Seeds(1000))
    table = source.table.id
    story.log.append(table, 0, tuple(source.log.read(table)), Beside(chat=("test", "test")))
    answer = story.when("ann: /roll d6")
    opened, roll = one_of(answer, PeriodOpened), one_of(answer, RollMade)
    assert (opened.reason, opened.period) == ("seed_missing", 2)
    assert (roll.period, roll.first) == (2, 0)
    assert "not at hand" in told(answer)
    seed = story.log.seed(table, 2)
    assert seed is not None
    assert hashlib.sha256(seed).hexdigest() == opened.commitment
    (second,) = all_of(story.when("ann: /roll d6"), RollMade)
    assert (second.period, second.first) == (2, roll.next)


def test_a_refused_throw_on_such_a_table_opens_no_period() -> None:
    source = savage("ann: /roll d6")
    story = Story(seeds=Seeds(1000))
    story.log.append(source.table.id, 0, tuple(source.log.read(source.table.id)), Beside(chat=("test", "test")))
    assert refused(story.when("ann: /roll d6 as=nobody")) == "not_found"
    assert one_of(story.when("ann: /roll d6 dice=4"), RollMade).source == "physical"
    assert story.table.ledger.period == 1


# ---- luck


def test_words_before_the_first_die_change_the_dice() -> None:
    plain, lucky, other = (
        savage(),
        savage("ann: /join", "ann: /luck no ones"),
        savage("ann: /join", "ann: /luck no twos"),
    )
    rolls = [one_of(story.when("ann: /roll 20d20"), RollMade) for story in (plain, lucky, other)]
    assert len({roll.dice for roll in rolls}) == 3


def test_words_are_added_in_order_and_told() -> None:
    story = savage("ann: /join", "bob: /join")
    answer = story.when("ann: /luck 今晚 不要一")
    assert one_of(answer, LuckAdded).text == "今晚 不要一"
    assert "今晚 不要一" in told(answer)
    story.given("bob: /luck second")
    assert story.table.ledger.luck == ("今晚 不要一", "second")


def test_after_the_first_die_no_words_are_added_until_the_next_period() -> None:
    story = savage("ann: /join", "ann: /roll d6")
    assert refused(story.when("ann: /luck please")) == "already_done"
    story.given("gm: /session start", "ann: /luck please", "ann: /roll d6")
    assert refused(story.when("ann: /luck more")) == "already_done"


def test_dice_rolled_by_hand_leave_the_seed_unused() -> None:
    savage("ann: /join", "ann: /roll d6 dice=3", "ann: /luck please")


def test_only_people_of_the_table_add_words() -> None:
    assert refused(savage().when("bob: /luck please")) == "not_allowed"


# ---- scenes


def test_scenes_are_the_gms_and_are_numbered() -> None:
    story = savage("ann: /join")
    first = one_of(story.when("gm: /scene The crevasse (night)"), SceneStarted)
    second = one_of(story.when("gm: /scene"), SceneStarted)
    assert [(one.number, one.title) for one in (first, second)] == [(1, "The crevasse (night)"), (2, "")]
    assert refused(story.when("ann: /scene Mine")) == "not_allowed"


def test_a_gm_goes_back_to_a_table_that_another_took_the_place_of() -> None:
    story = Story().given("gm: /table new savage First", "gm: /char new Guard", "gm: /table new savage Second")
    assert story.table.play.characters == {}
    answer = story.when(f"gm: /table use {story.log.tables()[0]}")
    assert (answer.events, answer.error) == ((), None)
    assert "First" in told(answer)
    assert list(story.table.play.characters) == ["Guard"]


def test_the_way_back_is_told_when_a_table_takes_the_place_of_another() -> None:
    story = Story().given("gm: /table new savage First")
    assert f"table use {story.log.tables()[0]}" in told(story.when("gm: /table new savage Second"))


@pytest.mark.parametrize("line", ["red: /table use {id}", "gm: /table use nowhere"])
def test_a_table_is_its_gms_to_go_back_to(line: str) -> None:
    story = Story().given("gm: /table new savage First")
    first = story.log.tables()[0]
    other = Story(story.log, chat="other").given("red: /table new savage Red's", "gm: /join")
    other.hear("red: /table use nowhere")
    assert refused(Story(story.log, chat="third").when(line.format(id=first))) == "not_found"


def test_nobody_goes_elsewhere_in_the_middle_of_a_session() -> None:
    story = Story().given("gm: /table new savage First", "gm: /table new savage Second", "gm: /session start")
    assert refused(story.when(f"gm: /table use {story.log.tables()[0]}")) == "not_allowed"
