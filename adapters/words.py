"""Sentences that all chats share and the core has not, and those of `rollbook doctor` that no chat's checkup says.

Here: Phrases and nothing else, Chinese and English side by side. Never: what one chat alone needs (its `words.py`) or
code.
"""

from __future__ import annotations

from core.language import Phrase, PhraseBook

CHATS: PhraseBook = {"telegram": Phrase("Telegram", "Telegram"), "matrix": Phrase("Matrix", "Matrix")}
ENVIRONMENT = Phrase("环境变量", "the environment")
SOMEBODY = Phrase("还没有名字的人", "somebody without a name yet")

FLOODED: PhraseBook = {
    "person": Phrase(
        "{name}，你一下子发得太多了，先歇一歇：大约 {seconds} 秒后我再听你的，这之前的不算，也不记。",
        "{name}, that was a lot at once, so let us take a breath: in about {seconds} seconds I listen to you again, "
        "and what you write until then is neither carried out nor kept.",
    ),
    "chat": Phrase(
        "这里一下子来得太多了，大家先歇一歇：大约 {seconds} 秒后我再接着听，这之前的不算，也不记。",
        "That was a lot at once here, so let us take a breath: in about {seconds} seconds I listen again, and what is "
        "written until then is neither carried out nor kept.",
    ),
}

DOCTOR: PhraseBook = {
    "config": Phrase("配置：来自{where}，聊天平台是 {chats}", "Configuration: from {where}, for {chats}"),
    "no_chat": Phrase(
        "配置：来自{where}，没有配置任何聊天平台", "Configuration: from {where}, and no chat is configured in it"
    ),
    "no_chat.do": Phrase(
        "只用 rollbook play 的话不用管；要上 Telegram 或 Matrix，请运行 rollbook setup",
        "nothing, if you only use rollbook play; for Telegram or Matrix run rollbook setup",
    ),
    "public": Phrase(
        "配置：{chat} 上谁都可以用（{setting} 可以只留给一些人）",
        "Configuration: on {chat} everybody is served ({setting} can keep the bot to some)",
    ),
    "open_file": Phrase(
        "配置：{path} 里有令牌或密码，这台机器上的其他用户也能读",
        "Configuration: {path} holds a token or password, and others on this machine can read it",
    ),
    "open_file.do": Phrase("只留给自己：chmod 600 {path}", "keep it to yourself: chmod 600 {path}"),
    "versions": Phrase("程序：Rollbook {rollbook}，Python {python}", "Program: Rollbook {rollbook} on Python {python}"),
    "fonts": Phrase("图片：字体能显示中文", "Pictures: their font shows Chinese"),
    "no_fonts": Phrase("图片：没有能显示中文的字体", "Pictures: no font here shows Chinese"),
    "no_fonts.do": Phrase(
        "安装一种中文字体，比如 Debian 的 fonts-wqy-microhei",
        "install a Chinese font, for example Debian's fonts-wqy-microhei",
    ),
    "disk": Phrase("磁盘：{path} 还有 {free} 可用", "Disk: {free} free at {path}"),
    "disk_low": Phrase("磁盘：{path} 只剩 {free}", "Disk: only {free} free at {path}"),
    "disk_low.do": Phrase("早点腾些空间", "make room soon"),
    "disk_full": Phrase("磁盘：{path} 只剩 {free}，快写不下了", "Disk: only {free} free at {path}, almost nothing"),
    "disk_full.do": Phrase(
        "马上腾出空间：写不进去，什么都掷不了", "make room now: what cannot be written cannot be rolled"
    ),
    "clock": Phrase("时钟：与 {server} 相差不到 {most} 秒", "Clock: within {most} seconds of {server}"),
    "clock_off": Phrase("时钟：与 {server} 相差 {seconds} 秒", "Clock: {seconds} seconds away from {server}"),
    "clock_off.do": Phrase(
        "打开这台机器的网络对时（NTP）：太久以前的命令按这个时钟判断",
        "let this machine keep time by network (NTP): it decides which commands came too late",
    ),
    "log_new": Phrase(
        "记录：{path} 还没有，第一次启动时会建好",
        "Log: {path} is not there yet; the first start makes it",
    ),
    "log_unwritable": Phrase(
        "记录：{path} 没法建，{folder} 不能写",
        "Log: {path} cannot be made, for {folder} is not writable",
    ),
    "log_unwritable.do": Phrase(
        "让运行 Rollbook 的用户能写 {folder}，或者用 db 换个地方",
        "let the user who runs Rollbook write in {folder}, or name another place with db",
    ),
    "log": Phrase(
        "记录：{path}，{tables} 桌、{events} 条，每桌最后 {last} 条的哈希链都完整（全部核对：rollbook verify）",
        "Log: {path}, tables: {tables}, events: {events}; the last {last} of each hold (rollbook verify checks all)",
    ),
    "chain": Phrase(
        "记录：{path} 里 {table} 的第 {seq} 条不成立",
        "Log: event {seq} of {table} in {path} does not hold",
    ),
    "chain.do": Phrase(
        "用 rollbook verify 看看坏在哪里，再从备份恢复", "rollbook verify tells what is wrong; restore a backup"
    ),
    "log.not_a_log": Phrase("记录：{path} 不是 Rollbook 的记录", "Log: {path} is not a Rollbook log"),
    "log.not_a_log.do": Phrase("用 db 换一个文件", "name another file with db"),
    "log.other_program": Phrase("记录：{path} 是别的程序的", "Log: {path} belongs to another program"),
    "log.other_program.do": Phrase("用 db 换一个文件", "name another file with db"),
    "log.newer": Phrase("记录：{path} 是更新版本的 Rollbook 写的", "Log: {path} was written by a newer Rollbook"),
    "log.newer.do": Phrase("请更新这里的 Rollbook", "update the Rollbook here"),
    "log.read_only": Phrase("记录：{path} 能读不能写", "Log: {path} can be read but not written"),
    "log.read_only.do": Phrase(
        "让运行 Rollbook 的用户能写这个文件和它的文件夹", "let the user who runs Rollbook write the file and its folder"
    ),
    "log.locked": Phrase(
        "记录：{path} 被别的程序占用太久",
        "Log: {path} has been held by another program for too long",
    ),
    "log.locked.do": Phrase("结束那个程序，再试一次", "end that program and try again"),
    "log.full": Phrase("记录：存放 {path} 的磁盘满了", "Log: the disk that holds {path} is full"),
    "log.full.do": Phrase("腾出空间", "make room"),
    "log.no_access": Phrase("记录：{path} 打不开", "Log: {path} cannot be opened"),
    "log.no_access.do": Phrase(
        "看看它是不是文件，运行 Rollbook 的用户能不能读写",
        "see that it is a file which Rollbook's user may read and write",
    ),
    "log.missing": Phrase("记录：{path} 刚刚不见了", "Log: {path} has just gone"),
    "log.missing.do": Phrase("再试一次", "try again"),
    "log.damaged": Phrase("记录：{path} 已损坏", "Log: {path} is damaged"),
    "log.damaged.do": Phrase("从备份恢复", "restore a backup"),
    "log.unknown": Phrase("记录：{path} 断开了：{said}", "Log: {path} was lost: {said}"),
    "log.unknown.do": Phrase("再试一次", "try again"),
    "log.failed": Phrase("记录：{path} 用不了：{said}", "Log: {path} cannot be used: {said}"),
    "log.failed.do": Phrase("看看那块磁盘和文件夹", "look at the disk and the folder that it is on"),
    "database_new": Phrase(
        "记录：{place} 里还没有记录，第一次启动时会建好",
        "Log: there is none in {place} yet; the first start makes it",
    ),
    "database_unreached": Phrase("记录：连不上数据库：{said}", "Log: its database cannot be used: {said}"),
    "database_unreached.do": Phrase(
        "看看 db 里的地址、用户和密码，数据库服务器是否在运行",
        "look at address, user and password in db, and whether the database server runs",
    ),
    "database_taken": Phrase("记录：那个数据库是别的程序的：{said}", "Log: that database is not ours: {said}"),
    "database_taken.do": Phrase("用 db 换一个数据库，或者换一个 schema", "name another database or schema with db"),
    "database_unusable": Phrase("记录：数据库用不了：{said}", "Log: its database does not work: {said}"),
    "database_unusable.do": Phrase("看看数据库服务器和它的日志", "look at the database server and its log"),
    "no_library": Phrase(
        "记录：没有安装 psycopg，用不了 PostgreSQL", "Log: psycopg is not installed, so PostgreSQL cannot be used"
    ),
    "no_library.do": Phrase('pip install "psycopg[binary]"', 'pip install "psycopg[binary]"'),
    "served": Phrase("运行：{chats} 正在服务", "Service: being served now: {chats}"),
    "not_served": Phrase(
        "运行：现在没有程序在服务（rollbook serve）",
        "Service: nothing serves now (rollbook serve does)",
    ),
    "service_unknown": Phrase(
        "运行：看不出有没有程序在服务", "Service: it cannot be seen whether a program serves"
    ),
    "service_unknown.do": Phrase(
        "用运行 Rollbook 的那个用户来检查", "call rollbook doctor as the user who runs rollbook serve"
    ),
    "outbox_empty": Phrase("发件箱：没有等着发的信", "Outbox: no letter waits"),
    "outbox": Phrase("发件箱：群里有 {count} 封信等着发", "Outbox: letters waiting for chats: {count}"),
    "outbox_old": Phrase(
        "发件箱：群里有 {count} 封信等着发，其中 {old} 封超过一天了",
        "Outbox: letters waiting for chats: {count}, for more than a day: {old}",
    ),
    "outbox_old.do": Phrase(
        "开着 rollbook serve，看看它的日志：也许它不在那些群里了",
        "let rollbook serve run and look at what it logs: perhaps it is no longer in those chats",
    ),
    "held": Phrase(
        "发件箱：有 {count} 封私信等着发（{people}），其中 {old} 封超过一天了",
        "Outbox: private letters waiting: {count} ({people}), for more than a day: {old}",
    ),
    "held.do": Phrase(
        "请他们各自私聊一下机器人（Telegram 按“开始”，Matrix 接受邀请），信就会送到",
        "ask them to write to the bot in private (Telegram: Start; Matrix: accept its invitation), and they get them",
    ),
}
