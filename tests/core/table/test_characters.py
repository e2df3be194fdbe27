"""Characters, their sheets, and for whom somebody acts."""

from __future__ import annotations

import pytest

from events.types import CharacterActivated, CharacterAdded, CharacterRetired, PlayerJoined, RollMade, TraitSet
from tests.story import Story, all_of, one_of, refused, savage, told


def three() -> Story:
    return savage(
        "ann: /char new Ann agility=d8", "bob: /char new Bob", "gm: /char new Boss wild", "gm: /char new Guard"
    )


def test_a_players_first_character_becomes_the_active_one_and_brings_the_player_to_the_table() -> None:
    answer = savage().when("ann: /char new Ann agility=d8 sneak=d6")
    assert one_of(answer, PlayerJoined).player == "ann"
    added = one_of(answer, CharacterAdded)
    assert (added.character, added.kind, added.owner, added.gm, added.ally) == ("Ann", "wild", "ann", False, False)
    assert one_of(answer, CharacterActivated) == CharacterActivated(player="ann", character="Ann")
    assert len(all_of(answer, TraitSet)) == 2


def test_a_second_character_waits_until_it_is_used() -> None:
    story = three()
    assert all_of(story.when("ann: /char new Lise"), CharacterActivated) == []
    assert one_of(story.when("ann: /roll d6"), RollMade).character == "Ann"
    story.given("ann: /char use lise")
    assert one_of(story.when("ann: /roll d6"), RollMade).character == "Lise"


def test_the_gms_characters_are_gm_characters_and_extras_unless_said_otherwise() -> None:
    story = savage()
    guard, boss = (one_of(story.when(f"gm: /char new {name}"), CharacterAdded) for name in ("Guard", "Boss wild"))
    assert [(one.gm, one.kind) for one in (guard, boss)] == [(True, "extra"), (True, "wild")]
    assert one_of(story.when("gm: /roll d6"), RollMade).character == "gm"


@pytest.mark.parametrize("name", ["Ann", "ANN", "ann", "Ａｎｎ", '"ann "'])
def test_names_are_unique_in_any_case_and_width(name: str) -> None:
    assert refused(three().when(f"bob: /char new {name}")) == "already_done"


def test_a_retired_characters_name_stays_its_own() -> None:
    story = three().given("ann: /char retire Ann")
    assert refused(story.when("ann: /char new Ann")) == "already_done"


@pytest.mark.parametrize("name", ["gm", "ANN", "pool", "POOL"])
def test_nobody_takes_somebody_elses_name_or_the_pools(name: str) -> None:
    story = savage("ann: /join")
    assert refused(story.when(f"bob: /char new {name}")) == "bad_argument"


def test_a_player_may_give_a_character_the_own_name() -> None:
    savage("ann: /char new ann")


def test_a_name_has_64_characters_at_most_and_a_letter_at_least() -> None:
    story = savage(f"ann: /char new {'龘' * 64}")
    assert refused(story.when(f"ann: /char new {'x' * 65}")) == "too_large"
    assert refused(story.when("ann: /char new ★")) == "bad_argument"
    assert refused(story.when("ann: /char new")) == "bad_argument"


def test_a_character_is_wild_or_an_extra_and_not_both() -> None:
    story = savage()
    assert refused(story.when("ann: /char new Ann wild extra")) == "bad_argument"
    assert one_of(story.when("ann: /char new Ann extra"), CharacterAdded).kind == "extra"


def test_only_the_gm_marks_an_ally() -> None:
    story = savage()
    assert refused(story.when("ann: /char new Ann ally")) == "not_allowed"
    assert one_of(story.when("gm: /char new Friend wild ally"), CharacterAdded).ally


def test_a_character_that_cannot_have_its_traits_is_not_made() -> None:
    story = savage()
    assert refused(story.when("ann: /char new Ann agility=d7")) == "bad_argument"
    assert story.table.play.characters == {}


def test_only_the_owner_uses_a_character_and_the_gm_the_gms() -> None:
    story = three()
    assert refused(story.when("bob: /char use Ann")) == "not_yours"
    assert refused(story.when("ann: /char use Boss")) == "not_yours"
    assert refused(story.when("gm: /char use Ann")) == "not_yours"
    assert refused(story.when("ann: /char use Nobody")) == "not_found"
    story.given("gm: /char use Boss")
    assert one_of(story.when("gm: /roll d6"), RollMade).character == "Boss"


@pytest.mark.parametrize(
    ("person", "name", "code"),
    [
        ("ann", "Boss", "not_yours"),
        ("ann", "Bob", "not_yours"),
        ("gm", "Ann", "not_yours"),
        ("ann", "Nobody", "not_found"),
    ],
)
def test_nobody_acts_for_somebody_elses_character(person: str, name: str, code: str) -> None:
    assert refused(three().when(f"{person}: /roll d6 as={name}")) == code


@pytest.mark.parametrize(("person", "name"), [("ann", "Ann"), ("ann", "ａＮＮ"), ("gm", "Boss"), ("gm", "guard")])
def test_one_acts_for_ones_own(person: str, name: str) -> None:
    assert one_of(three().when(f"{person}: /roll d6 as={name}"), RollMade).character in ("Ann", "Boss", "Guard")


def test_the_new_gm_acts_for_the_gms_characters() -> None:
    story = three().given("gm: /gm ann")
    assert one_of(story.when("ann: /roll d6 as=Boss"), RollMade).character == "Boss"
    assert refused(story.when("gm: /roll d6 as=Boss")) == "not_yours"


def test_somebody_without_a_character_rolls_as_a_person() -> None:
    assert one_of(savage().when("bob: /roll d6"), RollMade).character == "bob"


def test_a_retired_character_leaves_the_list_and_acts_no_more() -> None:
    story = three()
    assert one_of(story.when("ann: /char retire Ann"), CharacterRetired).character == "Ann"
    assert "Ann (" not in told(story.when("ann: /char list"))
    assert refused(story.when("ann: /char use Ann")) == "not_found"
    assert refused(story.when("ann: /sheet Ann")) == "not_found"
    assert one_of(story.when("ann: /roll d6"), RollMade).character == "ann"
    assert one_of(story.when("ann: /char new Lise"), CharacterActivated).character == "Lise"


def test_the_owner_and_the_gm_retire_a_character_and_nobody_else() -> None:
    story = three()
    assert refused(story.when("bob: /char retire Ann")) == "not_yours"
    story.given("gm: /char retire Ann", "bob: /char retire bob")


def test_the_list_shows_kind_owner_and_who_is_active() -> None:
    shown = told(three().when("ann: /char list")).split("\n")
    assert len(shown) == 4
    assert [("active" in line, "Wild Card" in line) for line in shown] == [
        (True, True),
        (True, True),
        (False, True),
        (False, False),
    ]
    assert told(savage().when("ann: /char")).startswith("No characters")


# ---- sheets


@pytest.mark.parametrize(
    ("line", "trait", "value", "was"),
    [
        ("/set agility=d10", "agility", "d10", "d8"),
        ("。设置 敏捷＝d10", "agility", "d10", "d8"),
        ("/set Ann agility=d10", "agility", "d10", "d8"),
        ("/set agility=d10 as=ann", "agility", "d10", "d8"),
        ("/set pp=5", "pp", 5, None),
        ("/set toughness+=2", "toughness", 2, None),
        ("/set gear=rope", "gear", "rope", None),
        ('/set gear="two ropes"', "gear", "two ropes", None),
    ],
)
def test_a_sheet_is_set(line: str, trait: str, value: str | int, was: str | None) -> None:
    assert one_of(three().when(f"ann: {line}"), TraitSet) == TraitSet(
        character="Ann", trait=trait, value=value, was=was
    )


def test_numbers_count_up_and_down_within_one_command() -> None:
    story = three().given("ann: /set pp=5 max_pp=10")
    assert [one.value for one in all_of(story.when("ann: /set pp+=3 pp-=1"), TraitSet)] == [8, 7]
    assert refused(story.when("ann: /set pp-=8")) == "limit_reached"
    assert refused(story.when("ann: /set pp+=4")) == "limit_reached"
    assert refused(story.when("ann: /set agility+=1")) == "bad_argument"


def test_of_several_changes_all_are_made_or_none() -> None:
    story = three()
    assert refused(story.when("ann: /set pp=5 agility=d7")) == "bad_argument"
    assert story.table.play.characters["Ann"].traits == {"agility": "d8"}


def test_the_gm_sets_any_sheet_and_a_player_the_own() -> None:
    story = three().given("gm: /set Ann pp=3", "gm: /set Boss pp=3", "ann: /set pp=4")
    assert refused(story.when("ann: /set Bob pp=3")) == "not_yours"
    assert refused(story.when("ann: /set Nobody pp=3")) == "not_found"
    assert refused(story.when("gm: /set pp=3")) == "not_found"
    assert refused(story.when("ann: /set")) == "bad_argument"
    assert refused(story.when("ann: /set Ann")) == "bad_argument"


def test_a_sheet_has_room_for_100_entries() -> None:
    story = three()
    for start in range(0, 100, 20):
        story.given("gm: /set Boss " + " ".join(f"note{n}=1" for n in range(start, start + 20)))
    assert refused(story.when("gm: /set Boss one-more=1")) == "limit_reached"
    story.given("gm: /set Boss note5=2")


def test_anybody_reads_a_sheet() -> None:
    story = three()
    for line in ("ann: /sheet", "bob: /sheet Ann", "gm: /sheet ANN", "bob: 。角色卡 Ａｎｎ"):
        assert "agility d8" in told(story.when(line))
    assert refused(story.when("gm: /sheet")) == "not_found"
    assert refused(story.when("ann: /sheet Nobody")) == "not_found"
