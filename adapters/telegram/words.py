"""Every sentence that only Telegram needs, Chinese and English side by side.

Here: Phrases and nothing else. Never: what the bot says elsewhere too (that comes from core) or code.
"""

from __future__ import annotations

from core.language import Phrase, PhraseBook

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
NOT_SERVED = Phrase(
    "不好意思，我只为管理我的人选定的聊天掷骰；想用的话请找他们，或者自己架一个 Rollbook。",
    "Sorry, I roll dice only where those who run me have said so: please ask them, or run a Rollbook of your own.",
)
GROUP_NOT_SERVED = Phrase(
    "不好意思，我只为管理我的人选定的聊天掷骰，这就先退群了；想用的话请找他们，或者自己架一个 Rollbook。",
    "Sorry, I roll dice only where those who run me have said so, and leave this group: please ask them, or run a "
    "Rollbook of your own.",
)

# What `rollbook doctor` finds at Telegram; under `key.do`, what to do about it.
CHECKUP: PhraseBook = {
    "known": Phrase("Telegram：令牌有效，机器人是 @{bot}", "Telegram: the token is known, the bot is @{bot}"),
    "token": Phrase("Telegram：不认识 telegram.token", "Telegram: telegram.token is not known"),
    "token.do": Phrase(
        "在 @BotFather 那里用 /mybots 找到现在的令牌（用了 telegram.base_url 的话，那里得是 Bot API 服务器）",
        "@BotFather shows the right one under /mybots (and telegram.base_url, if set, must be a Bot API server)",
    ),
    "unreached": Phrase("Telegram：连不上：{why}", "Telegram: it cannot be reached: {why}"),
    "unreached.do": Phrase(
        "看看网络、代理，以及 telegram.base_url（如果设置了）",
        "look at the network, the proxy, and telegram.base_url if it is set",
    ),
    "hears_all": Phrase(
        "Telegram：隐私模式已关，/ 和 。 开头的命令都听得到",
        "Telegram: privacy mode is off: /, . and 。 commands are heard",
    ),
    "privacy": Phrase(
        "Telegram：隐私模式开着：群里听得到 / 开头的命令，听不到 . 和 。 开头的，除非机器人是管理员",
        "Telegram: privacy mode is on: in groups / commands are heard, . and 。 commands only where the bot is admin",
    ),
    "privacy.do": Phrase(
        "只用 / 的话不用管；否则在 @BotFather 那里用 /setprivacy 关掉，再把机器人移出群重新加入",
        "nothing, if / is enough; else turn it off with /setprivacy at @BotFather, and add the bot to its groups again",
    ),
    "joins": Phrase("Telegram：可以拉进群", "Telegram: the bot can be added to groups"),
    "joins_nothing": Phrase("Telegram：机器人不能拉进群", "Telegram: the bot cannot be added to groups"),
    "joins_nothing.do": Phrase(
        "在 @BotFather 那里用 /setjoingroups 打开", "allow it with /setjoingroups at @BotFather"
    ),
    "polling": Phrase(
        "Telegram：消息由我们去取，现在有 {waiting} 条等着", "Telegram: updates are asked for; waiting: {waiting}"
    ),
    "webhook": Phrase(
        "Telegram：消息送到 {host}，现在有 {waiting} 条等着",
        "Telegram: updates are brought to {host}; waiting: {waiting}",
    ),
    "webhook_set": Phrase(
        "Telegram：消息被送到 {host}，但配置里没有 telegram.webhook_url；有 {waiting} 条等着",
        "Telegram: updates are brought to {host}, but telegram.webhook_url is not set here; waiting: {waiting}",
    ),
    "webhook_set.do": Phrase(
        "别的程序在用这个令牌的话，先停掉它；rollbook serve 启动时会把消息改由自己取",
        "end the other program if one uses this token; rollbook serve asks for updates itself from its next start on",
    ),
    "webhook_other": Phrase(
        "Telegram：消息被送到 {host}，而不是配置里的地址（{due}）；有 {waiting} 条等着",
        "Telegram: updates are brought to {host}, not to the address that is configured ({due}); waiting: {waiting}",
    ),
    "webhook_other.do": Phrase(
        "别的程序在用这个令牌的话，先停掉它；rollbook serve 启动时会改过来",
        "end the other program if one uses this token; rollbook serve sets its own address when it starts",
    ),
    "webhook_not_set": Phrase(
        "Telegram：还没有把消息送到 {due}；有 {waiting} 条等着",
        "Telegram: updates are not yet brought to {due}; waiting: {waiting}",
    ),
    "webhook_not_set.do": Phrase("启动 rollbook serve，它会设好", "start rollbook serve, which sees to it"),
    "webhook_failing": Phrase(
        "Telegram：消息送不到 {host}：{why}（{at}）；有 {waiting} 条等着",
        "Telegram: updates do not get to {host}: {why} ({at}); waiting: {waiting}",
    ),
    "webhook_failing.do": Phrase(
        "看看 rollbook serve 是否开着，它前面的代理是否把这个地址转到 telegram.webhook_listen",
        "see that rollbook serve runs, and that the proxy before it hands this address on to telegram.webhook_listen",
    ),
    "there": Phrase(
        "Telegram：有桌的 {count} 个聊天都在，也能说话",
        "Telegram: chats with a table, all of which the bot can write to: {count}",
    ),
    "away": Phrase(
        "Telegram：这些桌所在的群里，机器人不在或不能说话：{tables}",
        "Telegram: the bot is not in the chats of these tables, or may not write there: {tables}",
    ),
    "away.do": Phrase(
        "把它重新加进群、允许它发消息；那些桌不再用的话不用管",
        "add it again or let it send messages; nothing, if these tables are over",
    ),
}
