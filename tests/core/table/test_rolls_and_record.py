"""Plain dice, secret rolls, choices, the history, undo, odds, arithmetic."""

from __future__ import annotations

import pytest

from events.types import CardKept, ChoiceMade, ChoiceOffered, RollMade, SeedRevealed, TraitSet, Undone
from tests.story import Story, all_of, one_of, refused, savage, told

# ---- plain dice


@pytest.mark.parametrize(
    ("line", "total", "working"),
    [
        ("roll 4d6kh3+2 dice=1,5,3,6", 16, "[~1~, 5, 3, 6] + 2"),
        ("roll 4d6dl1 dice=1,5,3,6", 14, "[~1~, 5, 3, 6]"),
        ("roll 2d20kl dice=15,4", 4, "[~15~, 4]"),
        ("roll 2d6! dice=6,6,2,3", 17, "[6+6+2, 3]"),
        ("roll 4dF dice=1,2,3,3", 1, None),
        ("roll d% dice=100", 100, "[100]"),
        ("roll (2d6+1)*2 dice=3,4", 16, None),
        ("roll 7/2", 3, None),
        ("roll 10-d4 dice=4", 6, None),
    ],
)
def test_a_plain_roll_comes_to_its_total(line: str, total: int, working: str | None) -> None:
    roll = one_of(savage().when(f"ann: /{line}"), RollMade)
    assert (roll.total, roll.rolled_total, roll.results, roll.kind, roll.outcome) == (
        total,
        total,
        (total,),
        "roll",
        None,
    )
    assert working is None or roll.working == working


def test_each_repeat_is_a_roll_of_its_own() -> None:
    rolls = all_of(savage().when("ann: /roll 3#2d6 dice=1,2,3,4,5,6"), RollMade)
    assert [roll.total for roll in rolls] == [3, 7, 11]
    assert [roll.roll for roll in rolls] == [1, 2, 3]


def test_fair_repeats_follow_one_another_in_the_period() -> None:
    rolls = all_of(savage().when("ann: /roll 3#2d6"), RollMade)
    assert rolls[0].first == 0
    assert [roll.first for roll in rolls[1:]] == [roll.next for roll in rolls[:-1]]


def test_a_comment_is_kept_with_the_roll_and_told() -> None:
    answer = savage().when("ann: /roll d6 # ＋２ for luck")
    assert one_of(answer, RollMade).comment == "＋２ for luck"
    assert told(answer).endswith("# ＋２ for luck")


@pytest.mark.parametrize("line", ["roll 1001d6", "roll 20#51d6", "roll d1000001", "roll 2000d6"])
def test_too_many_dice_are_too_large(line: str) -> None:
    assert refused(savage().when(f"ann: /{line}")) == "too_large"


@pytest.mark.parametrize(
    "line",
    [
        "roll",
        "roll d0",
        "roll 0d6",
        "roll 2d",
        "roll 2d6 2d6",
        "roll 2d6 fire",
        "roll d1!",
        "roll 4d6kh5",
        "roll 1/0",
        "roll (2d6",
        "roll 2d6 [fire]",
    ],
)
def test_what_is_no_expression_is_refused_and_never_read_in_part(line: str) -> None:
    assert refused(savage().when(f"ann: /{line}")) == "bad_argument"


# ---- choices


def choosing() -> Story:
    """Ann has three cards and an open choice between them."""
    return savage(
        "ann: /char new Ann", "bob: /char new Bob", "gm: /session start", "gm: /init deal", "ann: /benny spend card"
    )


def test_a_choice_is_offered_with_its_options_numbered() -> None:
    story = savage("ann: /char new Ann", "gm: /session start", "gm: /init deal")
    answer = story.when("ann: /benny spend card")
    offered = one_of(answer, ChoiceOffered)
    assert offered.owner == "ann"
    (letter,) = answer.letters
    assert [number for number, _ in letter.choices] == [1, 2]
    shown = told(story.when("bob: /choices"))
    assert all(label in shown for _, label in letter.choices)


def test_its_owner_makes_a_choice_once() -> None:
    story = choosing()
    assert refused(story.when("bob: /choose 1 1")) == "not_yours"
    assert refused(story.when("bob: /choose 1")) == "not_found"
    assert refused(story.when("ann: /choose 3")) == "bad_argument"
    assert refused(story.when("ann: /choose 0")) == "bad_argument"
    assert refused(story.when("ann: /choose 9 1")) == "not_found"
    answer = story.when("ann: /choose 1")
    assert one_of(answer, ChoiceMade) == ChoiceMade(choice=1, option=1)
    assert one_of(answer, CardKept).character == "Ann"
    assert refused(story.when("ann: /choose 1 2")) == "already_done"
    assert refused(story.when("ann: /choose 2")) == "not_found"
    assert told(story.when("ann: /choices")) == "No choice is open."


def test_of_several_choices_one_says_which() -> None:
    story = choosing().given("ann: /char new Lise", "gm: /init join Lise", "gm: /init deal")
    story.given("ann: /benny spend card as=Lise")
    assert refused(story.when("ann: /choose 1")) == "bad_argument"
    assert one_of(story.when("ann: /choose 2 1"), ChoiceMade).choice == 2
    assert one_of(story.when("ann: /choose 2"), ChoiceMade).choice == 1


# ---- undo


def sheet(story: Story, name: str = "Ann") -> dict[str, str | int]:
    return story.table.play.characters[name].traits


def two() -> Story:
    return savage("ann: /char new Ann agility=d8", "bob: /char new Bob")


def test_the_last_own_act_is_taken_back_and_the_record_keeps_both_lines() -> None:
    story = two().given("ann: /set agility=d10", "bob: /set pp=3")
    before = list(story.log.read(story.table.id))
    answer = story.when("ann: /undo wrong die")
    undone = one_of(answer, Undone)
    assert (undone.event, undone.reason) == (before[-2].seq, "wrong die")
    assert sheet(story) == {"agility": "d8"}
    assert sheet(story, "Bob") == {"pp": 3}
    assert list(story.log.read(story.table.id))[:-1] == before
    history = told(story.when("ann: /history"))
    assert "(taken back)" in history
    assert "wrong die" in history


def test_the_reason_may_stand_in_a_comment() -> None:
    assert one_of(two().when("ann: /undo # wrong name"), Undone).reason == "wrong name"


def test_there_may_be_nothing_to_undo() -> None:
    assert refused(savage().when("ann: /undo")) == "not_found"


def test_undo_goes_back_step_by_step() -> None:
    story = two().given("ann: /set pp=1", "ann: /set pp=2", "ann: /undo")
    assert sheet(story)["pp"] == 1
    story.given("ann: /undo")
    assert "pp" not in sheet(story)


def test_an_act_is_taken_back_by_any_number_of_its_events() -> None:
    for part in (0, 1):
        story = two()
        acted = story.when("ann: /set pp=1 toughness=5").events
        story.given("ann: /set gear=rope", f"ann: /undo {acted[part].seq}")
        assert sheet(story) == {"agility": "d8", "gear": "rope"}


def test_a_number_that_is_not_in_the_record_is_not_found() -> None:
    story = two()
    assert refused(story.when("ann: /undo 999")) == "not_found"
    assert refused(story.when("ann: /undo 0")) == "bad_argument"


def test_nobody_but_the_gm_takes_back_somebody_elses_act() -> None:
    story = two()
    number = story.when("bob: /set pp=3").events[0].seq
    assert refused(story.when(f"ann: /undo {number}")) == "not_yours"
    story.given(f"gm: /undo {number}")
    assert sheet(story, "Bob") == {}


def test_a_player_never_takes_back_a_roll_and_the_gm_may() -> None:
    story = two()
    roll = one_of(story.when("ann: /roll d6"), RollMade)
    assert refused(story.when("ann: /undo")) == "not_allowed"
    number = story.table.ledger.seq
    assert refused(story.when(f"ann: /undo {number}")) == "not_allowed"
    story.given(f"gm: /undo {number}")
    again = one_of(story.when("ann: /roll d6"), RollMade)
    assert (again.roll, again.first) == (roll.roll + 1, roll.next)


def test_what_something_later_is_built_on_stands_until_that_is_taken_back() -> None:
    story = two()
    first = story.when("ann: /set pp=1").events[0].seq
    second = story.when("ann: /set pp+=2").events[0].seq
    answer = story.when(f"gm: /undo {first}")
    assert refused(answer) == "not_allowed"
    assert str(second) in answer.error[1]  # type: ignore[index]
    story.given(f"gm: /undo {second}", f"gm: /undo {first}")
    assert sheet(story) == {"agility": "d8"}


def test_a_handover_stands_once_the_new_gm_has_done_something() -> None:
    story = two()
    number = story.when("gm: /gm ann").events[0].seq
    story.given("ann: /scene Night")
    assert refused(story.when(f"ann: /undo {number}")) == "not_allowed"
    story.given("ann: /undo", f"ann: /undo {number}")
    assert story.table.play.gm == "gm"


def test_an_act_is_taken_back_once_and_an_undo_never() -> None:
    story = two()
    number = story.when("ann: /set pp=1").events[0].seq
    undo = story.when("ann: /undo").events[0].seq
    assert refused(story.when(f"ann: /undo {number}")) == "already_done"
    assert refused(story.when(f"gm: /undo {undo}")) == "not_allowed"


@pytest.mark.parametrize("line", ["/session start", "/session end", "/reveal"])
def test_sessions_and_seeds_stand(line: str) -> None:
    story = two().given("ann: /roll d6", *(["gm: /session start"] if line.endswith("end") else []))
    number = story.when(f"gm: {line}").events[0].seq
    assert refused(story.when(f"gm: /undo {number}")) == "not_allowed"


def test_the_table_itself_stands() -> None:
    assert refused(savage(physical=False).when("gm: /undo 1")) == "not_allowed"


def test_after_an_undo_a_number_can_be_given_away_again() -> None:
    story = two().given("bob: /undo", "bob: /char new Bob agility=d12")
    assert sheet(story, "Bob") == {"agility": "d12"}


# ---- history


def test_history_shows_the_latest_acts_oldest_first_with_their_numbers() -> None:
    story = two().given("ann: /set pp=1", "bob: /roll d6 # ouch")
    lines = told(story.when("gm: /history 2")).split("\n")
    assert len(lines) == 2
    assert "pp" in lines[0]
    assert "ouch" in lines[1]
    assert lines[1].startswith(str(story.table.ledger.seq))
    assert refused(story.when("gm: /history 51")) == "too_large"
    assert refused(story.when("gm: /history x")) == "bad_argument"


# ---- secrets


@pytest.mark.parametrize(
    ("kind", "readers"), [("secret", ["ann", "gm"]), ("secret=gm", ["gm"]), ("secret=me", ["ann"])]
)
def test_a_secret_roll_is_told_in_private_and_announced(kind: str, readers: list[str]) -> None:
    story = two()
    answer = story.when(f"ann: /roll 2d6 {kind} # hush")
    roll = one_of(answer, RollMade)
    assert roll.secret == {"secret": "both", "secret=gm": "gm", "secret=me": "me"}[kind]
    assert [letter.to for letter in answer.letters] == ["table", *readers]
    assert "hush" not in told(answer)
    assert all(f"= {roll.total}" in told(answer, reader) for reader in readers)
    history = told(story.when("ann: /history"))
    assert "hush" not in history
    assert "secret roll" in history


def test_reveal_tells_the_table_every_secret_roll_of_the_period() -> None:
    story = two()
    rolls = [one_of(story.when(f"{who}: /roll d1000 secret # {who}"), RollMade) for who in ("ann", "bob")]
    answer = story.when("gm: /reveal")
    assert one_of(answer, SeedRevealed).period == rolls[0].period
    assert all(f"= {roll.total}  # {roll.comment}" in told(answer) for roll in rolls)
    assert "hush" not in told(story.when("gm: /history"))
    assert str(rolls[0].total) in told(story.when("gm: /history"))


def test_secret_dice_rolled_by_hand_are_revealed_too() -> None:
    story = two().given("ann: /roll d6 dice=5 secret")
    assert "[5] = 5" in told(story.when("gm: /reveal"))


def test_a_secret_roll_that_was_taken_back_stays_sealed_in_the_history() -> None:
    story = two()
    roll = one_of(story.when("ann: /roll d1000000 secret"), RollMade)
    answer = story.when("gm: /undo")
    assert one_of(answer, Undone)
    for shown in (told(answer), told(story.when("ann: /history"))):
        assert str(roll.total) not in shown
        assert "secret roll" in shown


# ---- odds and arithmetic


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("odds roll 2d6 tn=7", "58.33%"),
        ("odds roll 2d6 tn=13", "0.00%"),
        ("odds roll 2d6 tn=2", "100.00%"),
        ("odds roll 2d6", "mean 7.00, 2 to 12"),
        ("odds roll 10d10 tn=100", "<0.01%"),
        ("odds roll 10d10 tn=11", ">99.99%"),
        ("odds roll 4d6kh3", "12.24"),
    ],
)
def test_odds_are_exact(line: str, shown: str) -> None:
    story = two()
    assert shown in told(story.when(f"ann: /{line}"))
    assert story.table.ledger.next_die == 0


@pytest.mark.parametrize("line", ["odds roll 2d6!", "odds roll", "odds"])
def test_what_has_no_odds_is_refused(line: str) -> None:
    assert refused(two().when(f"ann: /{line}")) == "bad_argument"


@pytest.mark.parametrize(
    ("text", "total"),
    [("(7+5)/2", 6), ("7/2", 3), ("-7/2", -4), ("2*3+4", 10), ("2*(3+4)", 14), ("－２＋５", 3), ("plain 2+2", 4)],
)
def test_calc_is_arithmetic(text: str, total: int) -> None:
    assert told(savage().when(f"ann: /calc {text}")).endswith(f"= {total}")


@pytest.mark.parametrize("text", ["2d6", "d6+1", "", "1/0", "2 3", "x", "3#2"])
def test_calc_takes_no_dice_and_nothing_else(text: str) -> None:
    assert refused(savage().when(f"ann: /calc {text}")) == "bad_argument"


def test_a_question_appends_nothing() -> None:
    story = two()
    head = story.log.head(story.table.id)
    for line in (
        "help",
        "history",
        "sheet",
        "char list",
        "house",
        "choices",
        "odds roll d6",
        "calc 1+1",
        "session list",
        "table",
    ):
        assert story.when(f"ann: /{line}").events == ()
    assert story.log.head(story.table.id) == head
    assert isinstance(story.when("ann: /set pp=1").events[0].data, TraitSet)


# ---- help


@pytest.mark.parametrize("line", ["/help roll", "。帮助 骰", "/help /roll", "/help ROLL", "/h r"])
def test_help_of_a_verb_shows_its_usage(line: str) -> None:
    assert "roll EXPRESSION" in told(savage().when(f"ann: {line}"))


def test_help_of_an_unknown_verb_names_the_nearest() -> None:
    answer = savage().when("ann: /help rol")
    assert refused(answer) == "not_found"
    assert "roll" in answer.error[1]  # type: ignore[index]


def test_dice_that_people_threw_themselves_are_marked_in_the_chat() -> None:
    story = Story().given("gm: /table new savage", "gm: /house physical-dice on")
    assert "physical" in told(story.when("gm: /roll 2d6 dice=3,4"))
    assert "physical" not in told(story.when("gm: /roll 2d6"))


def test_a_name_with_a_space_and_without_quotes_is_told_how_to_write_it() -> None:
    story = Story().given("gm: /table new savage", "gm: /session start", 'ann: /char new "Red Fox"')
    for line in ("/benny give Red", "/sheet Red", "/trait d8 as=Red"):
        answer = story.when(f"gm: {line}")
        assert refused(answer) == "not_found"
        assert "“Red Fox”" in str(answer.error)


def test_the_history_is_shown_after_an_act_and_what_it_was_built_on_are_both_taken_back() -> None:
    story = Story().given("gm: /table new savage", "ann: /char new Bo", "ann: /set foo=3", "ann: /undo", "ann: /undo")
    assert told(story.when("ann: /history")).count("taken back") == 2
    assert "Bo" not in story.table.play.characters


def test_a_value_left_empty_is_missed_and_not_passed_over() -> None:
    story = Story().given("gm: /table new storytelling")
    for line in ("/extended new A target=5 every=", "/contest open A target=", "/contest open A sides="):
        assert refused(story.when(f"gm: {line}")) == "bad_argument"
