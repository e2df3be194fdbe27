"""Every sentence of `rollbook setup` that no chat's checkup says, Chinese and English side by side.

Here: Phrases and nothing else. Never: what is found at a server (each chat's `words.py`) or code.
"""

from __future__ import annotations

from core.language import Phrase, PhraseBook

BOTH = "Language / 语言 (en, zh)"  # the question before there is a language

SETUP: PhraseBook = {
    "hello": Phrase(
        "几个问题，机器人就能用了。直接回车用方括号里的答案；Ctrl-C 随时退出，问完之前什么都不写。",
        "A few questions and the bot is ready. Enter alone takes the answer in brackets; Ctrl-C leaves, and nothing is "
        "written before the end.",
    ),
    "aborted": Phrase("已退出，什么都没有写。", "Left; nothing was written."),
    "yes_or_no": Phrase("请回答 y（是）或 n（否）。", "Please answer y or n."),
    "unprintable": Phrase("里面有显示不了的字符。", "It has characters that cannot be shown."),
    "no_such_language": Phrase("请回答 zh 或 en。Please answer en or zh.", "Please answer en or zh. 请回答 zh 或 en。"),
    "has": Phrase("已经有配置了：{path}", "There is a configuration: {path}"),
    "has.telegram": Phrase("  Telegram：令牌 {token}", "  Telegram: token {token}"),
    "has.matrix": Phrase("  Matrix：{user}，服务器 {homeserver}", "  Matrix: {user} at {homeserver}"),
    "from_environment": Phrase(
        "这些用环境变量里的，不写进文件：{names}", "From the environment, and not written down: {names}"
    ),
    "unchecked": Phrase("不检查，就用它？", "Use it unchecked?"),
    "offline": Phrase("（不检查：--no-check）", "(to go on without checking: --no-check)"),
    "unanswered": Phrase(
        "Telegram（--telegram-token-file）和 Matrix（--matrix-user、--matrix-password-file）都不用，就没有要配置的。",
        "Without Telegram (--telegram-token-file) and Matrix (--matrix-user, --matrix-password-file) there is nothing "
        "to set up.",
    ),
    "missing": Phrase("--yes 什么都不问，但还缺：{what}", "--yes asks nothing, but this is missing: {what}"),
    "telegram.wanted": Phrase("用在 Telegram 上吗？", "Is it for Telegram?"),
    "telegram.change": Phrase("改 Telegram 的设置吗？", "Change Telegram?"),
    "telegram.token": Phrase(
        "Telegram 令牌（@BotFather 里 /newbot 给的，粘贴时不显示）",
        "Telegram token (from /newbot at @BotFather; not shown while you paste it)",
    ),
    "telegram.keep_token": Phrase("令牌不变吗？", "Keep the token?"),
    "telegram.allow": Phrase(
        "给谁用？写 Telegram 用户名（比如 @ann，所在的群也能用），空格隔开；* 是所有人",
        "Whom does it serve? Telegram names, such as @ann (and the groups they are in), blanks between; * is everybody",
    ),
    "telegram.nobody": Phrase(
        "“{name}”不像用户名：要像 @ann 这样，或者是数字。", "{name} is no Telegram name; one is @ann, or a number."
    ),
    "telegram.shape": Phrase(
        "这不像令牌：令牌是数字、冒号，再加一串字母，比如 123456:ABC-def。",
        "That is no token: one has digits, a colon, and letters behind it, as in 123456:ABC-def.",
    ),
    "telegram.base_url": Phrase(
        "这不是地址：要像 https://api.telegram.org/bot 这样。", "That is no address; one is https://api.telegram.org/bot."
    ),
    "telegram.group": Phrase("  拉进群：{link}", "  To add it to a group: {link}"),
    "matrix.wanted": Phrase("用在 Matrix 上吗？", "Is it for Matrix?"),
    "matrix.change": Phrase("改 Matrix 的设置吗？", "Change Matrix?"),
    "matrix.keep_login": Phrase("账号还是 {user} 吗？", "Keep the account, {user}?"),
    "matrix.user": Phrase(
        "机器人的 Matrix 账号（比如 @rollbook:example.org）", "The bot's Matrix account (as in @rollbook:example.org)"
    ),
    "matrix.no_account": Phrase(
        "这不像账号：账号要像 @rollbook:example.org 这样。", "That is no account; one is @rollbook:example.org."
    ),
    "matrix.homeserver": Phrase(
        "服务器的地址（比如 https://matrix.example.org）", "The homeserver's address (as in https://matrix.example.org)"
    ),
    "matrix.no_address": Phrase(
        "这不是地址：要像 https://matrix.example.org 这样。", "That is no address; one is https://matrix.example.org."
    ),
    "matrix.password": Phrase(
        "密码（输入时不显示；直接回车改用 access token）",
        "Password (not shown; Enter alone: an access token instead)",
    ),
    "matrix.access_token": Phrase("Access token（粘贴时不显示）", "Access token (not shown)"),
    "matrix.allow": Phrase(
        "接受谁的邀请？写账号或服务器，空格隔开；* 是所有人",
        "Whose invitations does it accept? Accounts and servers, blanks between; * is everybody",
    ),
    "matrix.nobody": Phrase(
        "“{name}”既不是账号也不是服务器：要像 @ann:example.org 或 example.org 这样。",
        "{name} is neither account nor server; they are @ann:example.org and example.org.",
    ),
    "matrix.encryption": Phrase("加密的房间也能用吗？", "Shall it work in encrypted rooms too?"),
    "matrix.no_library": Phrase(
        "这里没有加密的库，读不了加密的房间：pip install 'matrix-nio[e2e]' 之后才行。",
        "The encryption library is missing here: encrypted rooms cannot be read until pip install 'matrix-nio[e2e]'.",
    ),
    "matrix.room": Phrase("  在房间里邀请 {user}", "  Invite {user} to your room"),
    "time_zone": Phrase("时间按哪里的算？（城市或时区）", "By which clock are times told? (a city or a time zone)"),
    "no_time_zone": Phrase("没有叫“{name}”的时区，比如有：{near}。", "There is no time zone {name}; there are {near}."),
    "service": Phrase("开机就自动启动吗？（systemd 用户服务）", "Start it with this machine? (a systemd user service)"),
    "service.root": Phrase(
        "你是 root：要开机自动启动，最好用单独的用户，见源码里的 deploy/rollbook.service。",
        "You are root: to start it with this machine a user of its own is better; see deploy/rollbook.service in the "
        "source.",
    ),
    "service.written": Phrase("服务写好了：{path}", "The service is written: {path}"),
    "service.runs": Phrase(
        "服务已经启动，重启后也会自动启动。日志：journalctl --user -u rollbook -f",
        "The service runs, and starts again with this machine. Its log: journalctl --user -u rollbook -f",
    ),
    "service.by_hand": Phrase("还要请你运行：{command}", "Please run this yourself: {command}"),
    "service.environment": Phrase(
        "服务看不到这个终端里的环境变量 {names}：用 systemctl --user edit rollbook 写进去。",
        "A service does not see this terminal's variables {names}: set them with systemctl --user edit rollbook.",
    ),
    "write": Phrase("写到 {path} 吗？", "Write it to {path}?"),
    "unchanged": Phrase("{path} 没有变。", "{path} is as it was."),
    "written": Phrase("写好了，只有你能读：{path}", "Written, for you alone to read: {path}"),
    "backup": Phrase("原来的在 {path}", "What it was before is in {path}"),
    "still_wrong": Phrase("但这个文件还用不了：{said}", "But the file cannot be used yet: {said}"),
    "start": Phrase("现在启动吗？（Ctrl-C 结束）", "Start it now? (Ctrl-C ends it)"),
    "next": Phrase("启动：{command}", "To start it: {command}"),
    "runs": Phrase(
        "机器人已经在运行，用的还是原来的配置：先停掉，再启动：{command}",
        "The bot runs already, the way it was set up before; end it, then start it: {command}",
    ),
    "then": Phrase(
        "然后在群里说 /table new savage 桌名（Matrix 上用 。开团 savage 桌名），/help 看其余的；检查：{doctor}",
        "Then say /table new savage TITLE in the group (on Matrix !table …); /help has the rest. To check it: {doctor}",
    ),
}
