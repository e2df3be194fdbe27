"""Whether Telegram knows the bot, what it lets the bot do, and how updates come: for `rollbook doctor` and `setup`.

Here: questions alone. Never: getUpdates, which would take the updates away from a bot that runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from telegram import Bot, ChatMember, ChatMemberRestricted, User, WebhookInfo
from telegram.constants import ChatMemberStatus
from telegram.error import BadRequest, Forbidden, InvalidToken, TelegramError
from telegram.request import HTTPXRequest

from adapters.config import Telegram
from adapters.findings import MISSHAPEN, Checked, Checkup, Finding, Findings, ServerClock
from adapters.telegram.words import CHECKUP

ANSWER_S, LIMIT_S = 8.0, 20.0  # for one answer, for all of them
MOST_CHATS = 20  # that are looked at one by one
TROUBLE = (TelegramError, TimeoutError, *MISSHAPEN)
OUTSIDE = (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)
found = Findings(CHECKUP)


async def checkup(settings: Telegram, clock: Callable[[], float], tables: Mapping[str, str]) -> Checkup:
    """`tables` gives the title of the table in each of our chats; `clock` seconds since 1970."""
    server, findings = ServerClock(clock), []
    try:
        async with asyncio.timeout(LIMIT_S), _bot(settings, server) as bot:
            async for finding in _looked_over(bot, settings, tables):
                findings.append(finding)  # noqa: PERF401  what was found before a failure counts
    except TROUBLE as error:
        findings.append(_trouble(error, settings))
    return Checkup(findings, server.ahead_s)


async def checked(settings: Telegram, clock: Callable[[], float]) -> Checked:
    """The token alone: whose it is, and what BotFather was told of that bot."""
    try:
        async with asyncio.timeout(LIMIT_S), _bot(settings, ServerClock(clock)) as bot:
            return Checked("taken", list(_told_to_botfather(bot.bot)), str(bot.bot.username))
    except TROUBLE as error:
        return Checked("refused" if isinstance(error, InvalidToken) else "unreached", [_trouble(error, settings)])


def _trouble(error: Exception, settings: Telegram) -> Finding:
    match error:
        case InvalidToken():
            return found.fault("token")
        case TimeoutError():
            return found.fault("unreached", why="Timed out")
        case TelegramError():
            return found.fault("unreached", why=_without_token(error.message, settings))
        case _:
            return found.fault("unreached", why=type(error).__name__)


def _bot(settings: Telegram, server: ServerClock) -> Bot:
    async def asked(_request: object) -> None:
        server.asked()

    async def answered(response: Any) -> None:
        server.answered(response.headers.get("Date"))

    hooks = {"event_hooks": {"request": [asked], "response": [answered]}}
    request = HTTPXRequest(read_timeout=ANSWER_S, connect_timeout=ANSWER_S, httpx_kwargs=hooks)
    return Bot(settings.token, settings.base_url, settings.base_file_url, request)


def _without_token(said: str, settings: Telegram) -> str:
    """What a library says may hold the address that was asked, and Telegram's hold the token."""
    number, _, secret = settings.token.partition(":")
    return said.replace(secret, "…").replace(f"bot{number}", "bot…")


async def _looked_over(bot: Bot, settings: Telegram, tables: Mapping[str, str]) -> AsyncIterator[Finding]:
    for finding in _told_to_botfather(bot.bot):
        yield finding
    for finding in _updates(await bot.get_webhook_info(), settings):
        yield finding
    if chats := list(tables)[-MOST_CHATS:]:
        away = [tables[chat] for chat in chats if not await _may_write(bot, chat)]
        yield found.warning("away", tables=away) if away else found.ok("there", count=len(chats))


def _told_to_botfather(me: User) -> Iterator[Finding]:
    yield found.ok("known", bot=me.username)
    yield found.ok("hears_all") if me.can_read_all_group_messages else found.warning("privacy")
    yield found.ok("joins") if me.can_join_groups else found.warning("joins_nothing")


def _updates(info: WebhookInfo, settings: Telegram) -> list[Finding]:
    """How updates come, against how they are to come. Of addresses the host alone: the path may be a secret."""
    waiting, set_to = info.pending_update_count, _host(info.url)
    if settings.webhook_url is None:
        if info.url:
            return [found.warning("webhook_set", host=set_to, waiting=waiting)]
        return [found.ok("polling", waiting=waiting)]
    if info.url != settings.webhook_url:
        due, key = _host(settings.webhook_url), "webhook_other" if info.url else "webhook_not_set"
        return [found.warning(key, host=set_to, due=due, waiting=waiting)]
    if info.last_error_message and waiting:
        at = info.last_error_date and info.last_error_date.strftime("%Y-%m-%d %H:%M:%S UTC")
        return [found.warning("webhook_failing", host=set_to, waiting=waiting, why=info.last_error_message, at=at)]
    return [found.ok("webhook", host=set_to, waiting=waiting)]


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


async def _may_write(bot: Bot, chat: str) -> bool:
    """Whether the bot is in this chat (`-100123`, `-100123/45` for a topic) and may write there."""
    number = chat.partition("/")[0]
    if not number.startswith("-"):  # a private chat: it goes by its person's opaque id
        return True
    try:
        return _writes(await bot.get_chat_member(int(number), bot.id))
    except (BadRequest, Forbidden):
        return False


def _writes(member: ChatMember) -> bool:
    if isinstance(member, ChatMemberRestricted):
        return member.is_member and member.can_send_messages
    return member.status not in OUTSIDE
