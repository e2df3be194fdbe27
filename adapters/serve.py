"""`rollbook serve`: the chats that are configured, on one log, until SIGTERM."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from pathlib import Path

from adapters import wiring
from adapters.config import Config, NotConfigured, Telegram
from events.sqlite import SqliteLog

QUIET = ("httpx", "httpcore", "telegram")  # they write addresses, and Telegram's hold the token
logger = logging.getLogger(__name__)


def run(config: Config) -> None:
    """Until SIGTERM or SIGINT; what was accepted by then is answered, or stays in the log to be.

    NotConfigured: no chat is configured, or the platform does not know the token.
    """
    if config.telegram is None:
        raise NotConfigured("No chat is configured: telegram.token is missing (or ROLLBOOK_TELEGRAM_TOKEN).")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    log = SqliteLog(Path(config.db) if config.db else wiring.default_log())
    try:
        asyncio.run(_serve(config, config.telegram, log))
    finally:
        log.close()


async def _serve(config: Config, telegram: Telegram, log: SqliteLog) -> None:
    from telegram import Bot
    from telegram.error import InvalidToken

    from adapters.telegram.bot import TelegramBot

    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    app = wiring.build(log, config.language or wiring.user_language())
    bot = Bot(telegram.token, telegram.base_url, telegram.base_file_url)
    logger.info("Serving Telegram from %s", log.path)
    try:
        await TelegramBot(app, bot, time.time, config.patience_minutes * 60).run(stop)
    except InvalidToken:
        raise NotConfigured("Telegram does not know telegram.token; @BotFather tells the right one.") from None
    logger.info("Ended")
