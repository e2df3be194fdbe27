"""Every sentence that only Matrix needs, Chinese and English side by side.

Here: Phrases and nothing else. Never: what the bot says elsewhere too (that comes from core) or code.
"""

from __future__ import annotations

from core.language import Phrase

HELLO = Phrase(
    "大家好，我是 {bot}，来帮大家掷骰。发“。帮助”看我会什么，发“。开团 savage 冰川”就能开一张桌。",
    "Hello, I am {bot} and roll dice for your table. Write `!help` to see what I can do, "
    "and `!table new savage Glacier` to open a table.",
)
INVITED = Phrase(
    "{name}，有话只能对你一个人说：接受我发给你的私聊邀请，我就发给你。",
    "{name}, I have something for you alone: accept my invitation to a direct chat, and you get it.",
)
NOT_INVITED = Phrase(
    "{name}，有话只能对你一个人说，但我没能邀请你私聊：请你开一个和我的私聊，我就发给你。",
    "{name}, I have something for you alone, but could not invite you: open a direct chat with me, and you get it.",
)
UNSENT = Phrase(
    "文件没能发出来，请再要一次，或者换一种格式。",
    "The file could not be sent; please ask for it once more, or in another form.",
)
UNREADABLE = Phrase(
    "{name}，你的消息我读不了：没有收到它的密钥。请再发一次；还不行的话，请在客户端里允许给未验证的设备发密钥。",
    "{name}, I cannot read your message: its key has not reached me. Please write it again; if that does not help, "
    "let your client send keys to devices that are not verified.",
)
DEAF = Phrase(
    "我的密钥丢了，这里加密的消息我一条也读不了，要等管理我的人让我重新登录。在那之前，我在不加密的房间里照常工作。",
    "My keys are lost: I cannot read anything encrypted here until whoever runs me logs me in anew. "
    "Until then I work as usual in rooms without encryption.",
)
RENEWED = Phrase(
    "我的密钥丢了，现在换了新的：之前没有回答的消息我读不了，请再发一次。",
    "My keys were lost and I have new ones now: what I have not answered I cannot read, so please write it again.",
)
