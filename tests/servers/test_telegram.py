"""The fake Bot API server keeps to the protocol: as python-telegram-bot and aiogram understand it, each strict."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from aiogram import Bot as AioBot
from aiogram import Dispatcher
from aiogram.client.default import DefaultBotProperties
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import TelegramForbiddenError, TelegramRetryAfter
from aiogram.types import Message as AioMessage
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, ReplyParameters, Update
from telegram.error import BadRequest, ChatMigrated, Conflict, Forbidden, NetworkError, RetryAfter
from telegram.ext import Application, CallbackQueryHandler, CommandHandler, ContextTypes, filters
from telegram.request import HTTPXRequest

from tests.servers.telegram import FakeTelegram
from tests.servers.telegram_html import Unparsable, parsed, units

KINDS = ["message", "edited_message", "callback_query", "my_chat_member"]
BUTTON = InlineKeyboardMarkup([[InlineKeyboardButton("Again", callback_data="again")]])


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeTelegram]:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # or else python-telegram-bot warns of its next version
    with FakeTelegram() as server:
        yield server


@asynccontextmanager
async def client(server: FakeTelegram) -> AsyncIterator[Bot]:
    """python-telegram-bot's Bot at the server."""
    request = [HTTPXRequest(httpx_kwargs={"trust_env": False}) for _ in range(2)]
    bot = Bot(server.token, server.base_url, server.base_file_url, request[0], request[1])
    async with bot:
        yield bot


async def answer(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
    assert update.effective_message
    await update.effective_message.reply_text("<b>7</b>", parse_mode="HTML", reply_markup=BUTTON, do_quote=True)


async def pressed(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
    assert update.callback_query
    await update.callback_query.answer("again it is")
    await update.callback_query.edit_message_text("<b>9</b>", parse_mode="HTML")


def application(server: FakeTelegram) -> Application:  # type: ignore[type-arg]
    request = [HTTPXRequest(httpx_kwargs={"trust_env": False}) for _ in range(2)]
    built = Application.builder().token(server.token).base_url(server.base_url).base_file_url(server.base_file_url)
    app = built.request(request[0]).get_updates_request(request[1]).build()
    app.add_handler(CommandHandler("roll", answer, filters.UpdateType.MESSAGE))
    app.add_handler(CallbackQueryHandler(pressed))
    return app


def converse(server: FakeTelegram) -> None:
    """A command, its answer, an edit that does nothing, a button: what a person does and sees."""
    red = server.person("Red")
    chat = server.private(red)
    message = server.text(chat, red, "/roll 2d6")
    (seen,) = server.wait_for(lambda: server.of_bot(chat))
    assert (seen.text, seen.marks, seen.buttons, seen.reply_to) == ("7", (("bold", "7"),), (("Again",),), message)
    server.edit(chat, message, "/roll 3d6")
    query = server.press(chat, seen.id, "Again", red)
    server.wait_for(lambda: server.of_bot(chat)[0].text == "9")
    assert server.notices[query] == ("again it is", False)
    assert len(server.of_bot(chat)) == 1
    server.wait_for(lambda: server.pending == 0)


# ---- python-telegram-bot


def test_python_telegram_bot_converses_by_polling(server: FakeTelegram) -> None:
    async def play() -> None:
        async with application(server) as app:
            await app.updater.start_polling(allowed_updates=KINDS, timeout=5)
            await app.start()
            await asyncio.to_thread(converse, server)
            await app.updater.stop()
            await app.stop()

    asyncio.run(play())


def test_python_telegram_bot_converses_by_webhook(server: FakeTelegram) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    async def play() -> None:
        async with application(server) as app:
            url = f"http://127.0.0.1:{port}/hook"
            await app.updater.start_webhook(
                "127.0.0.1", port, "hook", webhook_url=url, secret_token="s3cret", allowed_updates=KINDS
            )
            await app.start()
            await asyncio.to_thread(converse, server)
            info = await app.bot.get_webhook_info()
            assert (info.url, info.pending_update_count, info.last_error_message) == (url, 0, None)
            with pytest.raises(Conflict, match="webhook is active"):
                await app.bot.get_updates()
            await app.bot.set_webhook(url, secret_token="another", allowed_updates=KINDS)
            red = server.person("Red")
            server.text(server.private(red), red, "/roll")
            await asyncio.sleep(0.3)
            info = await app.bot.get_webhook_info()
            assert (info.pending_update_count, info.last_error_message) == (1, "Wrong response from the webhook: 403")
            await app.bot.set_webhook(url, secret_token="s3cret", allowed_updates=KINDS)
            await asyncio.to_thread(server.wait_for, lambda: server.pending == 0)
            await app.updater.stop()
            await app.stop()

    asyncio.run(play())


def test_updates_come_again_until_they_are_confirmed(server: FakeTelegram) -> None:
    async def play() -> None:
        async with client(server) as bot:
            red = server.person("Red")
            chat = server.private(red)
            for number in range(3):
                server.text(chat, red, f"line {number}")
            first = await bot.get_updates(timeout=1, limit=2)
            assert [one.message.text for one in first if one.message] == ["line 0", "line 1"]
            assert await bot.get_updates(timeout=1, limit=2) == first
            (last,) = await bot.get_updates(offset=first[-1].update_id + 1, timeout=1)
            assert last.message
            assert last.message.text == "line 2"
            assert await bot.get_updates(offset=last.update_id + 1, timeout=0) == ()

    asyncio.run(play())


def test_a_newer_poll_ends_the_older_one_and_the_long_poll_waits_for_news(server: FakeTelegram) -> None:
    async def play() -> None:
        async with client(server) as bot, client(server) as other:
            older = asyncio.create_task(bot.get_updates(timeout=5))
            await asyncio.sleep(0.2)
            newer = asyncio.create_task(other.get_updates(timeout=5))
            with pytest.raises(Conflict, match="only one bot instance"):
                await older
            assert not newer.done()
            red = server.person("Red")
            server.text(server.private(red), red, "here")
            assert len(await newer) == 1

    asyncio.run(play())


def test_what_telegram_refuses_is_refused_in_its_words(server: FakeTelegram) -> None:
    red, tom = server.person("Red"), server.person("Tom")
    chat, group = server.private(red), server.supergroup("Night", red, tom)
    server.text(chat, red, "hello")

    async def play() -> None:
        async with client(server) as bot:

            async def refused(error: type[Exception], why: str, **given: object) -> None:
                with pytest.raises(error, match=f"(?i){why}"):
                    await bot.send_message(**{"chat_id": chat, "text": "x", **given})  # type: ignore[arg-type]

            await refused(BadRequest, "text is empty", text=" ")
            await refused(BadRequest, "too long", text="🎲" * 2049)
            await bot.send_message(chat, "<b>" + "🎲" * 2048 + "</b>", parse_mode="HTML")
            await refused(BadRequest, "parse entities", text="a < b", parse_mode="HTML")
            await refused(BadRequest, "end tag", text="<b>x", parse_mode="HTML")
            await refused(BadRequest, "chat not found", chat_id=-99)
            await refused(Forbidden, "can't initiate", chat_id=tom["id"])
            await refused(BadRequest, "replied not found", reply_parameters=ReplyParameters(77))
            await bot.send_message(chat, "x", reply_parameters=ReplyParameters(77, allow_sending_without_reply=True))
            await refused(BadRequest, "thread not found", chat_id=group, message_thread_id=1)
            long = InlineKeyboardMarkup([[InlineKeyboardButton("x", callback_data="骰" * 21 + "xx")]])
            await refused(BadRequest, "button_data_invalid", reply_markup=long)
            with pytest.raises(BadRequest, match=r"(?i)can't be edited"):
                await bot.edit_message_text("x", chat, 1)
            with pytest.raises(BadRequest, match=r"(?i)to edit not found"):
                await bot.edit_message_text("x", chat, 99)
            sent = await bot.send_message(chat, "x")
            with pytest.raises(BadRequest, match=r"(?i)not modified"):
                await sent.edit_text("x")
            assert await sent.delete()
            with pytest.raises(BadRequest, match=r"(?i)to delete not found"):
                await sent.delete()
            with pytest.raises(BadRequest, match=r"(?i)query is too old"):
                await bot.answer_callback_query("5")
            server.block(red)
            await refused(Forbidden, "blocked by the user")
            server.kick_bot(group, red)
            await refused(Forbidden, "kicked from the supergroup", chat_id=group)

    asyncio.run(play())


def test_a_parameter_that_a_method_does_not_have_is_a_complaint(server: FakeTelegram) -> None:
    red = server.person("Red")
    chat = server.private(red)

    async def play() -> None:
        async with client(server) as bot:
            with pytest.raises(BadRequest, match="Unknown parameters"):
                await bot.send_message(chat, "x", api_kwargs={"parse_modus": "HTML"})

    asyncio.run(play())
    assert server.complaints == ["sendMessage has no ['parse_modus']"]
    server.complaints.clear()


def test_faults_happen_once_and_as_ordered(server: FakeTelegram) -> None:
    red = server.person("Red")
    chat = server.private(red)

    async def play() -> None:
        async with client(server) as bot:
            server.refuse_next("sendMessage", 429, "Too Many Requests: retry after 3", retry_after=3)
            with pytest.raises(RetryAfter):
                await bot.send_message(chat, "one")
            server.drop_connection_next("sendMessage")
            with pytest.raises(NetworkError):
                await bot.send_message(chat, "two")
            assert server.of_bot(chat) == []
            server.lose_answer_next("sendMessage")
            with pytest.raises(NetworkError):
                await bot.send_message(chat, "three")
            assert [one.text for one in server.of_bot(chat)] == ["three"]
            server.flood = True
            with pytest.raises(RetryAfter):
                await bot.send_message(chat, "four")

    asyncio.run(play())


def test_a_group_becomes_a_supergroup(server: FakeTelegram) -> None:
    red = server.person("Red")
    loud, quiet = server.group("Loud", red), server.group("Quiet", red)
    assert min(loud, quiet) > -1_000_000_000_000
    new = server.migrate(loud)
    other = server.migrate(quiet, quietly=True)

    async def play() -> None:
        async with client(server) as bot:
            messages = [one.message for one in await bot.get_updates(allowed_updates=["message"]) if one.message]
            assert [(one.chat.id, one.migrate_to_chat_id, one.migrate_from_chat_id) for one in messages] == [
                (loud, new, None),
                (new, None, loud),
            ]
            with pytest.raises(ChatMigrated) as told:
                await bot.send_message(quiet, "x")
            assert told.value.new_chat_id == other
            await bot.send_message(other, "x")

    asyncio.run(play())
    assert [one.text for one in server.of_bot(other)] == ["x"]


def test_topics_are_threads_and_a_reply_elsewhere_is_none(server: FakeTelegram) -> None:
    red = server.person("Red")
    forum, plain = server.supergroup("Forum", red, forum=True), server.supergroup("Plain", red)
    topic = server.topic(forum, "Night", red)
    inside = server.text(forum, red, "in the topic", thread=topic)
    server.text(forum, red, "in General")
    first = server.text(plain, red, "first")
    server.text(plain, red, "a reply", reply_to=first)

    async def play() -> None:
        async with client(server) as bot:
            found = [one.message for one in await bot.get_updates(allowed_updates=["message"]) if one.message]
            threads = [(one.text, one.message_thread_id, one.is_topic_message) for one in found if one.text]
            assert threads == [
                ("in the topic", topic, True),
                ("in General", None, None),
                ("first", None, None),
                ("a reply", first, None),
            ]
            await bot.send_message(forum, "x", message_thread_id=topic, reply_parameters=ReplyParameters(inside))

    asyncio.run(play())
    assert [one.text for one in server.seen(forum, topic)][1:] == ["in the topic", "x"]


def test_files_go_to_the_chat_and_come_back(server: FakeTelegram) -> None:
    red = server.person("Red")
    chat = server.private(red)

    async def play() -> None:
        async with client(server) as bot:
            caption = "<i>rolls</i>"
            sent = await bot.send_document(chat, b"a,b\n", caption, filename="rolls.csv", parse_mode="HTML")
            assert sent.document
            file = await sent.document.get_file()
            assert bytes(await file.download_as_bytearray()) == b"a,b\n"

    asyncio.run(play())
    (seen,) = server.of_bot(chat)
    assert (seen.text, seen.document, seen.marks) == ("rolls", "rolls.csv", (("italic", "rolls"),))


# ---- aiogram, whose types refuse what is not there


def test_aiogram_converses_with_it_too(server: FakeTelegram) -> None:
    red = server.person("Red", username="red_one")
    chat, group = server.private(red), server.supergroup("Night", red)
    dispatcher, heard = Dispatcher(), []

    @dispatcher.message()
    async def taken(message: AioMessage) -> None:
        heard.append((message.chat.id, message.text))
        await message.reply("<b>7</b>")

    async def play() -> None:
        session = AiohttpSession(api=TelegramAPIServer.from_base(f"http://127.0.0.1:{server.port}"))
        bot = AioBot(server.token, session, DefaultBotProperties(parse_mode="HTML"))
        polling = asyncio.create_task(
            dispatcher.start_polling(bot, handle_signals=False, polling_timeout=1, allowed_updates=["message"])
        )
        for place in (chat, group):
            server.text(place, red, "/roll")
            await asyncio.to_thread(server.wait_for, lambda place=place: server.of_bot(place))
        assert (await bot.get_me()).username == "rollbook_bot"
        assert [one.status for one in await bot.get_chat_administrators(group)] == ["creator"]
        assert (await bot.get_chat_member(group, server.bot["id"])).status == "member"
        assert (await bot.get_chat(group)).title == "Night"
        server.refuse_next("sendMessage", 429, "Too Many Requests: retry after 3", retry_after=3)
        with pytest.raises(TelegramRetryAfter):
            await bot.send_message(chat, "x")
        server.block(red)
        with pytest.raises(TelegramForbiddenError):
            await bot.send_message(chat, "x")
        await dispatcher.stop_polling()
        await polling
        await bot.session.close()

    asyncio.run(play())
    assert heard == [(chat, "/roll"), (group, "/roll")]
    assert server.of_bot(chat)[0].marks == (("bold", "7"),)


# ---- markup


@pytest.mark.parametrize(
    ("markup", "text", "marks"),
    [
        ("plain", "plain", []),
        ("a &lt;b&gt; &amp; &#127922;", "a <b> & 🎲", []),
        ("🎲<b>d6</b>", "🎲d6", [("bold", 2, 2)]),
        ("<b><i>x</i></b>", "x", [("italic", 0, 1), ("bold", 0, 1)]),
        ('<a href="https://x.org">x</a>', "x", [("text_link", 0, 1)]),
        ("<b></b>x", "x", []),
    ],
)
def test_markup_is_read_as_people_see_it(markup: str, text: str, marks: list[tuple[str, int, int]]) -> None:
    seen, entities = parsed(markup)
    assert seen == text
    assert [(one["type"], one["offset"], one["length"]) for one in entities] == marks


@pytest.mark.parametrize("markup", ["<b>x", "x</b>", "<b><i>x</b></i>", "<h1>x</h1>", "1 < 2", "<script>", "<b"])
def test_markup_that_telegram_cannot_read_is_refused(markup: str) -> None:
    with pytest.raises(Unparsable):
        parsed(markup)


def test_lengths_are_counted_in_utf_16_units() -> None:
    assert [units(one) for one in ("", "a", "骰", "🎲", "👩‍🚀")] == [0, 1, 1, 2, 5]


def test_a_mention_is_found_in_a_text_but_not_in_code(server: FakeTelegram) -> None:
    red = server.person("Red")
    chat = server.private(red)

    async def play() -> None:
        async with client(server) as bot:
            await bot.send_message(chat, "hi @tom_one <code>@red_one</code>", parse_mode="HTML")

    asyncio.run(play())
    assert server.of_bot(chat)[0].marks == (("code", "@red_one"), ("mention", "@tom_one"))
    assert json.loads(json.dumps(server.called("sendMessage")[0].given))["parse_mode"] == "HTML"
