"""One message of ours: a text, or a file with the text below it. Here stands what is asked of Telegram for each."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from telegram import Bot, InlineKeyboardMarkup, LinkPreviewOptions, ReplyParameters

from adapters.files import File
from adapters.telegram.wire import Place

MOST_PHOTO, MOST_FILE = 10_000_000, 50_000_000  # bytes that Telegram takes from a bot
UPLOAD_S = 120.0
NO_PREVIEW = LinkPreviewOptions(is_disabled=True)


class Part(Struct, frozen=True):
    """`text` is HTML. `plain`: without all that Telegram may have against it, which is not the text."""

    text: str
    buttons: InlineKeyboardMarkup | None = None
    file: File | None = None
    plain: bool = False

    def made_plain(self) -> Part:
        """No buttons, and a picture as a file like any other."""
        return replace(self, buttons=None, plain=True)

    @property
    def is_photo(self) -> bool:
        file = self.file
        return bool(file and file.media_type == "image/png" and len(file.content) <= MOST_PHOTO and not self.plain)


async def put(bot: Bot, part: Part, where: Place) -> None:
    """Raises what Telegram raises."""
    reply = ReplyParameters(where.reply_to, allow_sending_without_reply=True) if where.reply_to else None
    about: dict[str, Any] = {
        "parse_mode": "HTML", "message_thread_id": where.thread, "reply_parameters": reply,
        "reply_markup": part.buttons,
    }  # fmt: skip
    if part.file is None:
        await bot.send_message(where.chat, part.text, link_preview_options=NO_PREVIEW, **about)
        return
    about |= {"caption": part.text or None, "filename": part.file.name, "write_timeout": UPLOAD_S}
    send = bot.send_photo if part.is_photo else bot.send_document
    await send(where.chat, part.file.content, **about)
