"""Every sentence that only Telegram needs, Chinese and English side by side.

Here: Phrases and nothing else. Never: what the bot says elsewhere too (that comes from core) or code.
"""

from __future__ import annotations

from core.language import Phrase

HELD = Phrase(
    "{name}，有话只能对你一个人说，但你还没和我私聊过。点开 https://t.me/{bot}?start=letters 再按“开始”，我就发给你。",
    "{name}, I have something for you alone, but you have not written to me yet. "
    "Open https://t.me/{bot}?start=letters and press Start: then you get it.",
)
