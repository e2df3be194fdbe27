"""Which part of a message is a command, of which verb, and what stands behind the verb."""

from __future__ import annotations

import pytest

from core.dice import expression
from core.grammar.parse import Invocation, addressed_elsewhere, command_lines, nearest, parse
from core.refusal import Refusal
from core.systems.savage.verbs import GiveBenny, RollTrait
from core.table.verbs import AddCharacter, AddLuck, Choose, RollDice, SetTraits, StartScene, Undo
from core.vocabulary import verb_table
from events.types import Modifier

TABLE = verb_table("savage")
ALL, TELEGRAM, MATRIX = "/!.。", "/.。", "!.。"


def read(text: str) -> Invocation:
    return parse(text, TABLE)


def refusal(text: str) -> Refusal:
    with pytest.raises(Refusal) as told:
        read(text)
    return told.value


# ---- prefixes and talk


@pytest.mark.parametrize(
    "text", ["/roll d6", "!roll d6", ".roll d6", "。roll d6", "／roll d6", "！roll d6", "  /roll d6 "]
)
def test_each_prefix_begins_a_command(text: str) -> None:
    assert command_lines(text, ALL) == ["roll d6"]


@pytest.mark.parametrize(
    "text",
    ["...", "。。。", "……", ". . .", "//aside", "/ /aside", ".5", "。5 点", "!", "。", ".", "!!", "!?", "", " ", "\n"],
)
def test_punctuation_at_the_start_of_talk_is_no_command(text: str) -> None:
    assert command_lines(text, ALL) == []


@pytest.mark.parametrize("text", ["hello", "roll d6", "骰 d6", "3d6", "hi /roll d6", "¿roll d6"])
def test_a_line_without_a_prefix_is_talk(text: str) -> None:
    assert command_lines(text, ALL) == []


def test_a_chat_knows_its_own_prefixes_alone() -> None:
    assert command_lines("/roll d6", MATRIX) == []
    assert command_lines("!roll d6", TELEGRAM) == []
    assert command_lines("!roll d6", MATRIX) == ["roll d6"]


def test_dice_behind_a_dot_are_a_command_and_a_number_is_talk() -> None:
    assert command_lines(".3d6", ALL) == ["3d6"]
    assert command_lines("。ｄ２０", ALL) == ["ｄ２０"]
    assert command_lines(".5", ALL) == []
    assert command_lines(".50 is cheap", ALL) == []


def test_a_slash_alone_is_an_empty_command() -> None:
    assert command_lines("/", ALL) == [""]
    assert refusal("").key == "unknown_command.empty"
    assert refusal("# only a note").key == "unknown_command.empty"


def test_each_line_with_a_prefix_is_a_command_and_the_others_are_talk() -> None:
    assert command_lines("/roll d6\nand then\r\n。骰 d8\r!roll d4\n\n//no", ALL) == ["roll d6", "骰 d8", "roll d4"]


def test_a_message_that_begins_with_talk_is_talk() -> None:
    assert command_lines("look:\n/roll d6", ALL) == []


def test_twenty_commands_fit_in_a_message_and_no_more() -> None:
    assert len(command_lines("/roll d6\n" * 20, ALL)) == 20
    with pytest.raises(Refusal) as told:
        command_lines("/roll d6\n" * 21, ALL)
    assert told.value.key == "too_large.commands"


def test_a_command_over_4000_characters_is_too_large_and_talk_never_is() -> None:
    assert command_lines("/" + "x" * 3999, ALL) == ["x" * 3999]
    with pytest.raises(Refusal) as told:
        command_lines("/" + "x" * 4000, ALL)
    assert told.value.key == "too_large.message"
    assert command_lines("x" * 5000, ALL) == []


# ---- whose command it is


@pytest.mark.parametrize("text", ["roll@rollbook d6", "roll@RollBook d6", "roll＠rollbook d6", "骰@rollbook d6"])
def test_a_command_that_names_us_is_ours(text: str) -> None:
    assert not addressed_elsewhere(text, ("rollbook",))
    assert read(text).command == RollDice(expression="d6")


@pytest.mark.parametrize("text", ["roll@other d6", "roll＠other d6", "骰@other d6", "roll@rollbook2 d6"])
def test_a_command_that_names_another_bot_is_not_ours(text: str) -> None:
    assert addressed_elsewhere(text, ("rollbook",))


@pytest.mark.parametrize("text", ["roll d6", "roll d6 # @other", "gm @other", "roll@ d6", ""])
def test_an_at_sign_elsewhere_names_no_bot(text: str) -> None:
    assert not addressed_elsewhere(text, ("rollbook",))


# ---- verbs


@pytest.mark.parametrize("text", ["roll d6", "ROLL d6", "Roll\td6", "ｒｏｌｌ　ｄ６", "骰 d6", "掷 d6", "r d6"])
def test_a_verb_is_known_in_both_languages_and_in_any_case_and_width(text: str) -> None:
    assert read(text).command == RollDice(expression="d6")


def test_an_invocation_says_in_which_language_its_verb_was_typed() -> None:
    assert read("骰 d6").chinese
    assert not read("roll d6 # 力量").chinese


@pytest.mark.parametrize("text", ["r3d6", "R3D6", "骰3d6", "roll3d6", "3d6", "掷3d6"])
def test_dice_may_be_glued_to_the_verb_or_stand_without_one(text: str) -> None:
    command = read(text).command
    assert isinstance(command, RollDice)
    assert command.expression.lower() == "3d6"


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("d20", "d20"),
        ("d%", "d%"),
        ("4dF", "4dF"),
        ("d20 + 3", "d20 + 3"),
        ("rd20", "d20"),
        ("r(2d6+1)*2", "(2d6+1)*2"),
    ],
)
def test_plain_dice_are_a_roll(text: str, expression: str) -> None:
    command = read(text).command
    assert isinstance(command, RollDice)
    assert command.expression.replace(" ", "") == expression.replace(" ", "")


@pytest.mark.parametrize("text", ["助力给小红", "助力给 小红", "助力 给小红", "助力 给 小红", "benny give 小红"])
def test_chinese_words_may_be_written_without_spaces(text: str) -> None:
    assert read(text).command == GiveBenny(to="小红", count=1)


@pytest.mark.parametrize("text", ["角色卡", "角色卡 小红"])
def test_the_longest_chinese_verb_is_meant(text: str) -> None:
    assert read(text).verb.name == "sheet"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("rool d6", "roll"),
        ("trat d8", "trait"),
        ("bennny", "benny"),
        ("特牲 d8", "特性"),
        ("对杭 d8", "对抗"),
        ("undoo", "undo"),
    ],
)
def test_an_unknown_verb_is_refused_with_the_nearest(text: str, meant: str) -> None:
    told = refusal(text)
    assert told.key == "unknown_command.verb"
    assert meant in told.facts["nearest"]  # type: ignore[operator]


@pytest.mark.parametrize("word", ["xyzzy", "q", "龘", "@", "ﷺ" * 200])
def test_there_is_always_something_to_suggest_and_at_most_three_things(word: str) -> None:
    assert 1 <= len(nearest(word, TABLE)) <= 3


# ---- comments, asides, quotes


@pytest.mark.parametrize("text", ["roll d6 # for Ann", "roll d6 #for Ann", "roll d6# for Ann", "roll d6 ＃ for Ann"])
def test_what_stands_behind_the_hash_is_a_comment(text: str) -> None:
    assert read(text).command == RollDice(expression="d6", note="for Ann")


def test_a_comment_is_kept_as_typed_and_never_read() -> None:
    command = read("trait d8 # ＋２ dice=1,1 “ ( 3d6 # ！").command
    assert command == RollTrait(trait="d8", note="＋２ dice=1,1 “ ( 3d6 # ！")


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("roll 3#4d6", "3#4d6"),
        ("roll 3＃4d6", "3#4d6"),
        ("3#4d6", "3#4d6"),
        ("r3#4d6", "3#4d6"),
        ("骰3#4d6", "3#4d6"),
        ("roll 3#d20", "3#d20"),
        ("roll 3#(d6+1)", "3#(d6+1)"),
        ("骰３＃ｄ２０", "3#d20"),
    ],
)
def test_a_hash_between_a_number_and_dice_is_no_comment(text: str, expression: str) -> None:
    assert read(text).command == RollDice(expression=expression)
    assert read(f"{text} # why").command == RollDice(expression=expression, note="why")


def test_a_hash_behind_a_space_begins_a_comment_whatever_follows() -> None:
    assert read("roll 3 #4d6").command == RollDice(expression="3", note="4d6")
    assert read("roll d8#3rd try").command == RollDice(expression="d8", note="3rd try")


def test_a_number_behind_a_verb_and_a_hash_with_words_is_a_comment() -> None:
    assert read("wound 1#ouch").command.note == "ouch"


@pytest.mark.parametrize(
    "text",
    [
        "trait d8 (in the dark 3d6)",
        "trait d8 （in the dark 3d6）",
        "trait d8 [in the dark 3d6]",
        "trait (in the dark 3d6) d8",
    ],
)
def test_what_stands_in_brackets_of_its_own_is_a_note(text: str) -> None:
    assert read(text).command == RollTrait(trait="d8", note="in the dark 3d6")


@pytest.mark.parametrize("text", ["scene The cave (night)", "scene The cave （night）"])
def test_in_a_title_brackets_belong_to_the_title(text: str) -> None:
    command = read(text).command
    assert isinstance(command, StartScene)
    assert command.title == text.removeprefix("scene ")
    assert command.note == ""


def test_luck_is_kept_as_typed() -> None:
    assert read("luck ｎｏ ones (please)").command == AddLuck(text="ｎｏ ones (please)")


@pytest.mark.parametrize("name", ['"Ann of Ulm"', "“Ann of Ulm”", "「Ann of Ulm」", "『Ann of Ulm』", "”Ann of Ulm”"])
def test_a_name_with_spaces_stands_in_quotes_of_any_style(name: str) -> None:
    assert read(f"char new {name} wild").command == AddCharacter(name="Ann of Ulm", kind="wild", ally=False, traits=())
    assert read(f"roll d6 as={name}").command.as_ == "Ann of Ulm"
    assert read(f"roll d6 as = {name}").command.as_ == "Ann of Ulm"
    assert read(f"set {name} agility=d8").command == SetTraits(name="Ann of Ulm", changes=(("agility", "=", "d8"),))


def test_quoted_words_are_no_options() -> None:
    command = read('char new "wild" extra').command
    assert command == AddCharacter(name="wild", kind="extra", ally=False, traits=())


@pytest.mark.parametrize(
    ("text", "at"), [('char new "Ann', 10), ("char new “Ann", 10), ("roll (2d6", 6), ("gm 「Ann", 4)]
)
def test_what_is_opened_and_never_closed_is_refused_with_its_place(text: str, at: int) -> None:
    told = refusal(text)
    assert told.key in ("bad_argument.open_quote", "bad_argument.open_bracket")
    assert told.facts["at"] == at


# ---- modifiers, keys


@pytest.mark.parametrize(
    "text", ["trait d8 +2", "trait d8+2", "trait d8 + 2", "trait d8 ＋２", "trait +2 d8", "特性d8+2"]
)
def test_a_modifier_may_stand_anywhere_and_apart_from_its_sign(text: str) -> None:
    assert read(text).command == RollTrait(trait="d8", modifiers=(Modifier("", 2),))


@pytest.mark.parametrize("dash", ["-", "‐", "‑", "‒", "–", "—", "−", "－", "﹣"])
def test_every_dash_that_a_phone_types_is_a_minus(dash: str) -> None:
    assert read(f"trait d8 {dash}2").command == RollTrait(trait="d8", modifiers=(Modifier("", -2),))


@pytest.mark.parametrize(
    "text", ["trait d8 +2(cover)", "trait d8 +2（cover）", "trait d8+2(cover)", "trait d8 + 2(cover)"]
)
def test_a_modifier_may_have_a_name(text: str) -> None:
    assert read(text).command == RollTrait(trait="d8", modifiers=(Modifier("cover", 2),))


def test_modifiers_add_up_in_the_order_typed() -> None:
    command = read("trait d8 +2(cover) -1 困难 -1(dark night)").command
    assert isinstance(command, RollTrait)
    assert [(one.name, one.value) for one in command.modifiers] == [
        ("cover", 2),
        ("", -1),
        ("困难", -2),
        ("dark night", -1),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "trait d8 dice=5,2",
        "trait d8 dice = 5, 2",
        "trait d8 dice＝5，2",
        "trait d8 dice=5、2",
        "trait dice=５,２ d8",
        "trait d8 点数=5,2",
    ],
)
def test_given_faces_may_be_typed_with_spaces_and_full_width_signs(text: str) -> None:
    assert read(text).command == RollTrait(trait="d8", given=(5, 2))


@pytest.mark.parametrize("value", ["", "x", "1,,x", "1.5", "-1", "d6"])
def test_given_faces_that_are_none_are_refused(value: str) -> None:
    assert refusal(f"trait d8 dice={value}").code == "bad_argument"


def test_more_than_1000_given_faces_are_too_large() -> None:
    assert refusal(f"roll d6 dice={','.join(['1'] * 1001)}").key == "too_large.many_dice"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("roll d6 secret", "both"),
        ("roll d6 暗骰", "both"),
        ("roll secret d6", "both"),
        ("roll d6 secret=gm", "gm"),
        ("roll d6 secret=me", "me"),
        ("roll d6 SECRET=GM", "gm"),
        ("骰 d6 暗骰=我", "me"),
        ("roll d6", None),
    ],
)
def test_three_kinds_of_secret(text: str, secret: str | None) -> None:
    command = read(text).command
    assert isinstance(command, RollDice)
    assert (command.secret, command.expression) == (secret, "d6")


def test_another_kind_of_secret_is_refused() -> None:
    assert refusal("roll d6 secret=everybody").key == "bad_argument.secret"


@pytest.mark.parametrize("text", ["roll d6 as=", "trait d8 as=", 'roll d6 as=""'])
def test_an_empty_name_is_refused_and_never_read_as_ones_own(text: str) -> None:
    assert refusal(text).key == "bad_argument.missing"


@pytest.mark.parametrize(
    "text",
    [
        "join as=Ann",
        "join dice=1",
        "help roll secret",
        "session end now",
        "choices 3",
        "trait d8 as=A as=B",
        "trait d8 1d6",
    ],
)
def test_what_a_verb_does_not_take_is_refused_and_the_place_marked(text: str) -> None:
    told = refusal(text)
    assert told.key == "bad_argument.leftover"
    place = told.facts["at"]
    assert isinstance(place, int)
    assert text[place - 1 :].startswith(str(told.facts["mark"]))


def test_the_marked_place_is_never_empty() -> None:
    """A sign that becomes several words in normal form is shown as it was typed."""
    assert refusal("trait d8 ﷺ").facts["mark"] == "ﷺ"


def test_changes_of_a_sheet() -> None:
    command = read('set pp+=2 bennies-=1 运动＝d8 note="two words"').command
    assert isinstance(command, SetTraits)
    assert command.changes == (
        ("pp", "+=", "2"),
        ("bennies", "-=", "1"),
        ("运动", "=", "d8"),
        ("note", "=", "two words"),
    )


def test_undo_and_choose_take_numbers_and_words() -> None:
    assert read("undo").command == Undo(event=0, reason="")
    assert read("undo wrong player").command == Undo(event=0, reason="wrong player")
    assert read("undo 12 wrong player").command == Undo(event=12, reason="wrong player")
    assert read("choose 2").command == Choose(choice=0, option=2)
    assert read("choose 7 2").command == Choose(choice=7, option=2)


# ---- sizes and hidden characters


@pytest.mark.parametrize("char", ["\x00", "\x07", "\x1b", "\x85", "\u202e", "\u2066", "\u200f", "\ud800"])
def test_a_character_that_could_hide_something_is_refused_with_its_place(char: str) -> None:
    told = refusal(f"roll d6 # a{char}b")
    assert told.key == "bad_argument.hidden_character"
    assert told.facts["at"] == 12


@pytest.mark.parametrize("char", ["\u200b", "\u2060", "\ufeff", "\u00ad"])
def test_invisible_characters_that_come_with_pasting_are_dropped(char: str) -> None:
    assert read(f"ro{char}ll{char} 2{char}d6{char}").command == RollDice(expression="2d6")


def test_a_name_has_at_most_64_characters() -> None:
    assert read(f"char new {'x' * 64}").command.name == "x" * 64  # type: ignore[attr-defined]
    assert refusal(f"char new {'x' * 65}").key == "too_large.name"


@pytest.mark.parametrize("name", ["@@", "★", '""', '"  "', "…"])
def test_a_name_needs_a_letter_or_a_digit(name: str) -> None:
    assert refusal(f"char new {name}").key == "bad_argument.name"


def test_titles_and_luck_have_their_limits() -> None:
    assert refusal(f"scene {'x' * 121}").key == "too_large.title"
    assert refusal(f"luck {'x' * 201}").key == "too_large.title"
    assert refusal("luck").key == "bad_argument.missing"


@pytest.mark.parametrize(
    "text", ["roll 1001d6", "roll d1000001", "roll 9999999999d6", "roll 21#d6", "choose 99999999", "history 51"]
)
def test_what_is_too_large_is_called_too_large(text: str) -> None:
    assert refusal_of_a_roll(text).code == "too_large"


def refusal_of_a_roll(text: str) -> Refusal:
    """Of the parser, or of the expression that a roll holds."""
    with pytest.raises(Refusal) as told:
        expression.parse(read(text).command.expression)  # type: ignore[attr-defined]
    return told.value
