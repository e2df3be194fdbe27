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
ANONYMOUS_GM = Phrase(
    "{name} 是以匿名管理员的身份主持的：匿名管理员在我看来都是同一个人，秘密也送不到。"
    "请在管理员设置里关掉“保持匿名”，或者用 /gm 把主持交给别人。",
    "{name} is GM as an anonymous admin: all of them are one person to me, and nothing secret can reach them. "
    "Please turn off “Remain anonymous” in the admin settings, or hand the chair to somebody with /gm.",
)
ANONYMOUS_READER = Phrase(
    "有话只能对 {name} 一个人说，但匿名管理员收不到私聊：请在管理员设置里关掉“保持匿名”；这一条可以用 /reveal 公开。",
    "I have something for {name} alone, but an anonymous admin cannot be written to: please turn off "
    "“Remain anonymous” in the admin settings; /reveal opens this one to everybody.",
)
UNSHOWN = Phrase(
    "有一条回答在这里显示不了；它已经记下来了，用 /history 可以看到。",
    "One answer could not be shown here; it is in the record, and /history has it.",
)
UNSENT = Phrase(
    "文件没能发出来，请再要一次，或者换一种格式。",
    "The file could not be sent; please ask for it once more, or in another form.",
)
TOO_LARGE = Phrase(
    "这个文件有 {size} MB，Telegram 只让我发 {most} MB 以内的；请只要其中一场的。",
    "The file has {size} MB, and Telegram lets me send {most}; please ask for a single session.",
)
