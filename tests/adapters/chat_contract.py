"""What every chat keeps to. A platform's own tests inherit this class and give it a fixture `chat`."""

from __future__ import annotations

import re
from typing import Protocol

from events.beside import MessageKey
from events.log import EventLog
from events.talk import latest, recorded
from events.types import LineEdited, LineSpoken


class Chat(Protocol):
    """A group chat with gm, ann and tom in it, and the bot; gm and ann have written to the bot in private before."""

    def say(self, name: str, text: str) -> str:
        """Somebody writes; the message's id. What it led to has been heard when this returns."""

    def again(self, message: str) -> None:
        """The platform delivers the same message once more."""

    def edit(self, message: str, text: str) -> None:
        """Its writer changes it."""

    def heard(self) -> list[str]:
        """What the bot has said to everybody so far."""

    def heard_by(self, name: str) -> list[str]:
        """What it has said to this person alone."""

    def key(self, message: str) -> MessageKey:
        """What the message is called in the log."""

    def restart(self) -> None:
        """The bot ends and starts again on its log."""

    def log(self) -> EventLog:
        """The bot's log, to look at."""


def rolls(chat: Chat) -> int:
    log = chat.log()
    return sum(b'"type":"RollMade"' in one.body for table in log.tables() for one in log.read(table))


def plain(texts: list[str]) -> str:
    """Without spaces and word joiners: what a cut into parts may change."""
    return re.sub(r"[\s\u2060]", "", "".join(texts))


class ChatContract:
    def test_a_command_is_answered_and_talk_is_not(self, chat: Chat) -> None:
        chat.say("gm", "/table new savage Glacier")
        assert "Glacier" in chat.heard()[0]
        before = len(chat.heard())
        chat.say("ann", "hello everybody")
        assert len(chat.heard()) == before
        chat.say("ann", "。骰 2d6")
        assert rolls(chat) == 1
        assert re.search(r"\d", chat.heard()[-1])

    def test_a_refusal_is_a_sentence_and_changes_nothing(self, chat: Chat) -> None:
        chat.say("gm", "/table new savage Glacier")
        before = len(chat.heard())
        chat.say("ann", "/rolll 2d6")
        assert "rolll" in "\n".join(chat.heard()[before:])
        assert rolls(chat) == 0

    def test_a_choice_is_offered_to_its_owner_and_made_once(self, chat: Chat) -> None:
        for name, text in (
            ("gm", "/table new adventure Glacier"), ("ann", "/char new Ann DEX=1"), ("gm", "/house physical-dice on"),
            ("gm", "/session start"), ("ann", "/move defy DEX dice=4,3"),
        ):  # fmt: skip
            chat.say(name, text)
        assert "1) mark a condition" in "\n".join(chat.heard())
        made = b'"type":"ChoiceMade"'
        (table,) = chat.log().tables()
        for name, count in (("gm", 0), ("ann", 1), ("ann", 1)):
            chat.say(name, "/choose 1 2")
            assert sum(made in one.body for one in chat.log().read(table)) == count

    def test_a_secret_is_told_in_private_alone(self, chat: Chat) -> None:
        chat.say("gm", "/table new savage Glacier")
        chat.say("gm", "/house physical-dice on")
        before = chat.heard()
        chat.say("ann", "/roll 2d100 dice=97,89 secret")
        public = plain(chat.heard()[len(before) :])
        assert public
        assert not re.search(r"97|89|186", public)
        for name in ("ann", "gm"):
            assert "186" in "\n".join(chat.heard_by(name))
        assert chat.heard_by("tom") == []

    def test_a_long_reply_comes_whole_and_in_order(self, chat: Chat) -> None:
        chat.say("gm", "/table new savage Glacier")
        for number in range(40):
            chat.say("gm", f"/char new {number}<b>&@x_y" + "长" * 45)
        chat.say("gm", "/roll " + "+".join(["9d100"] * 40))
        before = len(chat.heard())
        message = chat.say("gm", "/history 50")
        heard = chat.heard()[before:]
        kept = chat.log().receipt(chat.key(message))
        assert kept
        assert len(kept.letters[0].text) > 4096
        assert plain(heard) == plain([kept.letters[0].text])

    def test_what_is_delivered_again_is_neither_done_nor_said_again(self, chat: Chat) -> None:
        chat.say("gm", "/table new savage Glacier")
        message = chat.say("ann", "/roll 2d6")
        before = chat.heard()
        chat.again(message)
        assert rolls(chat) == 1
        assert chat.heard() == before

    def test_an_edit_never_rolls(self, chat: Chat) -> None:
        chat.say("gm", "/table new savage Glacier")
        message = chat.say("ann", "/roll 2d6")
        chat.edit(message, "/roll 3d6")
        chat.say("ann", "/calc 1+1")
        assert rolls(chat) == 1

    def test_talk_is_kept_where_a_log_is_on_with_its_edits_and_nobody_is_answered(self, chat: Chat) -> None:
        chat.say("gm", "/table new savage Glacier")
        chat.say("gm", "/log on")
        before = chat.heard()
        message = chat.say("ann", "helo everybody")
        chat.edit(message, "hello everybody")
        chat.say("tom", "(brb)")
        chat.say("gm", "/log off")
        chat.say("ann", "unheard")
        chat.again(message)
        log = chat.log()
        (table,) = log.tables()
        lines = [one.data for one in latest(log, table) if isinstance(one.data, LineSpoken)]
        assert [(one.text, one.ooc) for one in lines] == [("hello everybody", False), ("(brb)", True)]
        history = [one.data.text for one in recorded(log, table) if isinstance(one.data, LineSpoken | LineEdited)]
        assert history == ["helo everybody", "hello everybody", "(brb)"]
        assert len(chat.heard()) == len(before) + 1

    def test_after_a_restart_the_table_goes_on_and_nothing_is_said_again(self, chat: Chat) -> None:
        chat.say("gm", "/table new savage Glacier")
        message = chat.say("ann", "/roll 2d6")
        before = chat.heard()
        chat.restart()
        chat.again(message)
        chat.say("ann", "/roll 3d6")
        assert rolls(chat) == 2
        assert chat.heard()[: len(before)] == before
        assert len(chat.heard()) == len(before) + 1

    def test_what_people_write_is_shown_as_they_wrote_it(self, chat: Chat) -> None:
        chat.say("gm", "/table new savage <b>Ice</b>&amp")
        assert "<b>Ice</b>&amp" in chat.heard()[0]
