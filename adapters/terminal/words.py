"""Every sentence of the terminal's own, Chinese and English side by side.

Here: Phrases and nothing else. Never: what the bot says (that comes from core) or code.
"""

from __future__ import annotations

from core.language import Phrase, PhraseBook

FIRST_START = Phrase(
    "欢迎！这里还没有开团。下面几行可以原样输入（冒号前是说话的人）：\n"
    "  主持: 。开团 savage 冰川\n"
    "  小安: 。角色 新建 安 运动=d8\n"
    "  主持: 。场次 开始\n"
    "  小安: 。特性 运动\n"
    "  小安: 。重骰\n"
    "  主持: 。场次 结束\n"
    "  。记录\n"
    "所有命令：。帮助　按 Tab 补全，Ctrl-D 离开。",
    "Welcome! No table is open here yet. These lines can be typed as they stand (the speaker is before the colon):\n"
    "  gm: /table new savage Glacier\n"
    "  ann: /char new Ann athletics=d8\n"
    "  gm: /session start\n"
    "  ann: /trait athletics\n"
    "  ann: /reroll\n"
    "  gm: /session end\n"
    "  /history\n"
    "Every command: /help. Tab completes, Ctrl-D leaves.",
)
GOODBYE = Phrase("再见！记录都在 {path}", "Goodbye! Everything is kept in {path}")
FILE_KEPT = Phrase("📁 {path}", "📁 {path}")
FILE_NOT_KEPT = Phrase("📁 文件没能写到 {path}：{why}", "📁 The file was not written to {path}: {why}")
NO_TABLE = Phrase("还没开团", "no table yet")
NO_SESSION = Phrase("场次未开始", "no session")
SESSION = Phrase("第 {number} 场", "session {number}")
ROUND = Phrase("第 {round} 轮", "round {round}")
TURN = Phrase("轮到 {name}", "{name}'s turn")
POOL = Phrase("主持池", "GM pool")

# What a rule system's state is called in a replay; a part that is not here goes by its own name.
STATE: PhraseBook = {
    "bennies": Phrase("助力", "Bennies"),
    "wounds": Phrase("损伤", "wounds"),
    "shaken": Phrase("动摇", "Shaken"),
    "down": Phrase("失能", "incapacitated"),
    "round": Phrase("轮", "round"),
    "turn": Phrase("行动中", "turn"),
    "cards": Phrase("行动牌", "cards"),
    "acted": Phrase("已行动", "acted"),
    "combatants": Phrase("参战", "in the fight"),
    "joker": Phrase("鬼牌", "Joker"),
}

IMPORT: PhraseBook = {
    "imported": Phrase(
        "导入了 {added} 条记录；团 {table} 现有 {events} 条。", "Events imported: {added}; table {table} has {events}."
    ),
    "left_out": Phrase("没有文字、因此略去的项：{count}。", "Items left out, since there is no text in them: {count}."),
    "undated": Phrase(
        "时间读不出、因此用了前一条时间的行：{count}。",
        "Lines whose time cannot be read, put at that of the line before: {count}.",
    ),
    "into_chat": Phrase(
        "要在群里接着玩：在 play 里以主持身份（--as {gm}）发 /table link；在群里发 /table join 和得到的码，再 /join；"
        "最后在 play 里发 /gm 和自己在群里的名字。",
        "To take it into a chat: say /table link in `play` as its GM (--as {gm}); in the chat /table join with that "
        "code, then /join; then in `play` /gm with your name in the chat.",
    ),
    "play_on": Phrase("接着玩：{command}", "To play on: {command}"),
}

VERIFY: PhraseBook = {
    "chain": Phrase(
        "{name}：{events} 条记录，哈希链完整，链首 {seq}:{hash}",
        "{name}: events {events}, the chain holds, its head is {seq}:{hash}",
    ),
    "chain_sealed": Phrase(
        "{name}：{events} 条记录，链首 {seq}:{hash}",
        "{name}: events {events}, the head is {seq}:{hash}",
    ),
    "chain_broken": Phrase("{name}：核对未通过。", "{name}: this does not hold."),
    "proved": Phrase(
        "  由已公布的种子重新算出：{dice} 个骰子、{cards} 张牌（种子期 {periods}），全部相符",
        "  worked out again from the revealed seeds: dice {dice}, cards {cards} (periods {periods}), as recorded",
    ),
    "nothing_revealed": Phrase("  还没有公布任何种子", "  no seed is revealed yet"),
    "open": Phrase(
        "  第 {period} 期的种子还没公布：其中 {waiting} 个骰子和牌暂时无法核对",
        "  the seed of period {period} is not revealed yet; dice and cards that wait for it: {waiting}",
    ),
    "lost": Phrase(
        "  第 {periods} 期的种子没有公布，已经换了新期：那里的骰子无法核对",
        "  the seeds of periods {periods} were never revealed: their dice cannot be checked",
    ),
    "physical": Phrase(
        "  {physical} 次掷骰用的是实体骰：无法证明", "  rolls of physical dice, which nobody can prove: {physical}"
    ),
    "foreign": Phrase(
        "  {foreign} 条掷骰来自别的程序的日志：无法证明",
        "  rolls from another program's log, which nobody can prove: {foreign}",
    ),
    "unprovable": Phrase(
        "  {unprovable} 张牌无法核对：这份副本里看不出当时牌堆里还剩哪些牌",
        "  cards that cannot be checked, since what was left of the deck is not in this copy: {unprovable}",
    ),
    "sealed": Phrase(
        "  这份副本里有 {sealed} 条仍然保密，看不到内容。链首只能证明它们之后的记录："
        "第 1 到 {unbound} 条可能被做这份副本的人改过，链看不出来",
        "  still sealed in this copy, events: {sealed}. The head proves only what stands behind them: "
        "events up to {unbound} could have been changed by whoever made this copy, and the chain would not show it",
    ),
    "no_head": Phrase(
        "  末尾是否被截断要靠聊天里的 🔗 那一行：--head 条数:哈希",
        "  a log cut off at its end shows only against the 🔗 line in the chat: --head SEQ:HASH",
    ),
    "broken": Phrase("  第 {seq} 条不成立：{why}", "  event {seq} does not hold: {why}"),
    "late": Phrase("  如果这是单独一场的导出：--part", "  if this is an export of one session alone: --part"),
    "empty": Phrase("一条记录也没有", "there is no event in it"),
}
