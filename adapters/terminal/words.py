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
UNDONE_LATER = Phrase("（后来被第 {by} 条撤销）", "(taken back later, by number {by})")

VERIFY: PhraseBook = {
    "chain": Phrase(
        "{name}：{events} 条记录，哈希链完整，链首 {seq}:{hash}",
        "{name}: {events} events, the chain holds, its head is {seq}:{hash}",
    ),
    "chain_sealed": Phrase(
        "{name}：{events} 条记录，链首 {seq}:{hash}",
        "{name}: {events} events, the head is {seq}:{hash}",
    ),
    "chain_broken": Phrase("{name}：核对未通过。", "{name}: this does not hold."),
    "proved": Phrase(
        "  由已公布的种子重新算出：{dice} 个骰子、{cards} 张牌（种子期 {periods}），全部相符",
        "  worked out again from the revealed seeds: {dice} dice and {cards} cards (periods {periods}), as recorded",
    ),
    "nothing_revealed": Phrase("  还没有公布任何种子", "  no seed is revealed yet"),
    "open": Phrase(
        "  第 {period} 期的种子还没公布：其中 {waiting} 个骰子和牌暂时无法核对",
        "  the seed of period {period} is not revealed yet: {waiting} dice and cards cannot be checked until then",
    ),
    "lost": Phrase(
        "  第 {periods} 期的种子没有公布，已经换了新期：那里的骰子无法核对",
        "  the seeds of periods {periods} were never revealed: their dice cannot be checked",
    ),
    "physical": Phrase(
        "  {physical} 次掷骰用的是实体骰：无法证明", "  {physical} rolls were of physical dice: nobody can prove those"
    ),
    "unprovable": Phrase(
        "  {unprovable} 张牌无法核对：这份副本里看不出当时牌堆里还剩哪些牌",
        "  {unprovable} cards cannot be checked: what was left of the deck is not in this copy",
    ),
    "sealed": Phrase(
        "  这份副本里有 {sealed} 条仍然保密，看不到内容。链首只能证明它们之后的记录："
        "第 1 到 {unbound} 条可能被做这份副本的人改过，链看不出来",
        "  {sealed} events are still sealed in this copy. The head proves only what stands behind them: "
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

WHY: PhraseBook = {
    "hash_differs": Phrase("内容与哈希不符", "its content does not give its hash"),
    "prev_differs": Phrase("与前一条接不上", "it does not follow the event before it"),
    "seq_missing": Phrase("缺了这一条", "it is missing"),
    "seq_out_of_order": Phrase("次序被打乱", "another stands in its place"),
    "unreadable": Phrase("无法读取", "it cannot be read"),
    "cut_off": Phrase("记录在这里被截断", "the log is cut off here"),
    "head_differs": Phrase("与聊天里的 🔗 不符", "it is not the one that the chat was told"),
    "other_table": Phrase("属于另一个团", "it belongs to another table"),
    "not_opened": Phrase("第一条不是开团", "a table begins with being opened"),
    "opened_again": Phrase("团不能开两次", "a table is opened once"),
    "period_out_of_order": Phrase("种子期编号不连续", "its seed period is not the next"),
    "seed_reused": Phrase("这个种子以前承诺过", "this seed was promised before"),
    "seed_differs": Phrase("种子与承诺不符", "the seed is not the one that was promised"),
    "seed_unasked": Phrase("这个种子期没有开着", "that seed period is not open"),
    "wrong_period": Phrase("种子期不对", "it is not of the open seed period"),
    "no_numbers": Phrase("骰号不对", "its die numbers are not as they must be"),
    "dice_skipped": Phrase("跳过了骰子", "dice before it were left out"),
    "dice_reused": Phrase("骰子用了两次", "its dice were used before"),
    "luck_late": Phrase("加话时骰子已经掷过", "words were added after the first die"),
    "impossible_face": Phrase("没有这样的点数", "no die shows this"),
    "face_differs": Phrase("点数与种子不符", "the seed gives another face"),
    "card_differs": Phrase("牌与种子不符", "the seed gives another card"),
    "numbers_differ": Phrase("骰号与种子不符", "the seed gives other die numbers"),
    "physical_not_allowed": Phrase("房规没有开实体骰", "physical dice were not allowed at this table then"),
    "total_differs": Phrase("总数与骰面不符", "its total is not what its dice give"),
    "not_in_deck": Phrase("这张牌已不在牌堆里", "this card was not in the deck"),
}
