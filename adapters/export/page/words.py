"""Every sentence of the page, Chinese and English side by side.

Here: Phrases and nothing else; `{fact}` is filled in by the page itself. Never: code.
"""

from __future__ import annotations

from core.language import Phrase, PhraseBook

PAGE: PhraseBook = {
    "skip": Phrase("跳到记录", "Skip to the transcript"),
    "no_script": Phrase(
        "这个页面要用 JavaScript 才能读出记录；它不会连接任何网络。",
        "This page needs JavaScript to read the record in it; it connects to no network.",
    ),
    "too_old": Phrase(
        "这个浏览器太旧，读不出压缩的记录。请换一个新一些的浏览器。",
        "This browser is too old to unpack the record. Please open the page in a newer one.",
    ),
    "unreadable": Phrase(
        "页面里的记录读不出来：文件可能残缺。",
        "The record in this page cannot be read: the file may be damaged.",
    ),
    "language": Phrase("English", "中文"),
    "theme": Phrase("配色", "Colours"),
    "theme_auto": Phrase("跟随系统", "as the system"),
    "theme_light": Phrase("浅色", "light"),
    "theme_dark": Phrase("深色", "dark"),
    "views": Phrase("看什么", "Views"),
    "transcript": Phrase("记录", "Transcript"),
    "figures": Phrase("图表", "Figures"),
    "proof": Phrase("核对", "Verify"),
    "audience_player": Phrase("玩家版：仍然保密的不在里面", "for players: what is still secret is left out"),
    "audience_gm": Phrase("主持版", "for the GM"),
    "audience_audit": Phrase("审计版：全部，撤销的也在", "for the audit: everything, with what was taken back"),
    "zone": Phrase("时间都按 {zone}", "all times are in {zone}"),
    # the transcript
    "show": Phrase("显示", "Show"),
    "kind_talk": Phrase("发言", "talk"),
    "kind_roll": Phrase("掷骰", "rolls"),
    "kind_aside": Phrase("场外", "out of character"),
    "kind_system": Phrase("系统", "system"),
    "shown": Phrase("显示 {shown} / {all} 条", "showing {shown} of {all}"),
    "later": Phrase("藏起后面的", "Hide what comes later"),
    "session": Phrase("第 {number} 场", "Session {number}"),
    "session_titled": Phrase("第 {number} 场「{title}」", "Session {number} “{title}”"),
    "between": Phrase("场次之外", "Between sessions"),
    "left_out": Phrase("（后来被第 {by} 条撤销）", "(taken back later, by number {by})"),
    "go_to": Phrase("第 {seq} 条：看这时的桌面", "number {seq}: show the table as it was then"),
    # a roll
    "details": Phrase("骰子与规则", "dice and rules"),
    "dice": Phrase("骰子", "dice"),
    "modifiers": Phrase("修正", "modifiers"),
    "target": Phrase("目标", "target"),
    "results": Phrase("各项结果", "results"),
    "total": Phrase("结果", "total"),
    "outcome": Phrase("判定", "outcome"),
    "raises": Phrase("优良", "raises"),
    "successes": Phrase("成功数", "successes"),
    "extra": Phrase("附加成功", "extra successes"),
    "against": Phrase("对", "against"),
    "reroll_of": Phrase("重骰自第几骰", "reroll of roll"),
    "comment": Phrase("备注", "comment"),
    "rules": Phrase("规则", "rules"),
    "proof_of": Phrase("骰号", "die numbers"),
    "numbers": Phrase("第 {period} 期，第 {first} 到 {last} 个", "period {period}, numbers {first} to {last}"),
    "by_hand": Phrase("实体骰：无法证明", "thrown by hand: nobody can prove it"),
    "role_trait": Phrase("特性骰", "trait"),
    "role_wild": Phrase("不羁骰", "Wild Die"),
    "role_damage": Phrase("伤害", "damage"),
    "role_pool": Phrase("骰池", "pool"),
    "role_again": Phrase("再掷", "again"),
    "role_chance": Phrase("机运骰", "chance die"),
    "role_move": Phrase("动作", "move"),
    "role_check": Phrase("判定骰", "check"),
    "role_plain": Phrase("骰", "dice"),
    # the timeline
    "timeline": Phrase("时间轴", "Timeline"),
    "first": Phrase("回到开头", "To the beginning"),
    "back": Phrase("上一步", "One step back"),
    "play": Phrase("播放", "Play"),
    "pause": Phrase("暂停", "Pause"),
    "forward": Phrase("下一步", "One step forward"),
    "last": Phrase("到最后", "To the end"),
    "position": Phrase("位置", "Position"),
    "speed": Phrase("速度", "Speed"),
    "step": Phrase("第 {place} / {all} 步，第 {seq} 条，{name}", "step {place} of {all}, number {seq}, {name}"),
    "no_step": Phrase("没有可以看的", "nothing to step through"),
    "board": Phrase("这时的桌面", "The table at this moment"),
    "board_empty": Phrase("桌上还什么都没有。", "There is nothing on the table yet."),
    "changed": Phrase("刚变", "changed"),
    "part_where": Phrase("场次", "Session"),
    "part_choices": Phrase("待做的选择", "Open choices"),
    "part_bennies": Phrase("助力点", "Bennies"),
    "part_initiative": Phrase("先攻", "Initiative"),
    "part_extended": Phrase("持续动作", "Extended actions"),
    "part_contests": Phrase("竞赛", "Contests"),
    "part_stored": Phrase("存下的成功数", "Stored opposition"),
    "part_rituals": Phrase("仪式", "Rituals"),
    # figures
    "no_figures": Phrase("还没有可以统计的掷骰。", "There are no rolls to count yet."),
    "hidden": Phrase("{count} 次仍然保密的掷骰没有算进来。", "Rolls still secret, and so not counted: {count}."),
    "faces": Phrase("骰面分布", "How the faces fell"),
    "faces_of": Phrase("d{sides}，{count} 个", "d{sides}, {count} thrown"),
    "faces_caption": Phrase("{faces}；{test}", "{faces}; {test}"),
    "fair": Phrase(
        "χ² = {chi_square}：公平的骰子有 {chance} 会偏成这样或更偏",
        "χ² = {chi_square}: fair dice stray at least so far {chance} of the time",
    ),
    "few": Phrase("还太少，看不出偏不偏", "too few to tell"),
    "expected": Phrase("应有 {expected}", "expected {expected}"),
    "face": Phrase("点数", "face"),
    "count": Phrase("次数", "count"),
    "bennies": Phrase("助力点的变化", "Bennies over time"),
    "pool": Phrase("主持池", "GM's pool"),
    "after": Phrase("第几条之后", "after number"),
    "people": Phrase("各人的结果", "How everybody's rolls came out"),
    "who": Phrase("谁", "who"),
    "rolls": Phrase("掷骰", "rolls"),
    "succeeded": Phrase("成功", "success"),
    "failed": Phrase("失败", "failure"),
    "critical": Phrase("大失败", "critical failure"),
    "undecided": Phrase("无判定", "no target"),
    "as_table": Phrase("用数字看", "The numbers"),
    # the proof
    "proof_what": Phrase(
        "这个页面里有这份记录的原样字节。按下按钮，浏览器就在本机重新计算：哈希链、由已公布的种子得出的每一个骰子和每一张牌、"
        "只需相加的总数，以及每句发言的摘要。",
        "This page holds the bytes of the record as they are stored. The button makes your own browser work out again "
        "the hash chain, every die and card from the seeds that were revealed, the totals that only take adding up, "
        "and the digest of each line of talk.",
    ),
    "noted": Phrase("聊天里 🔗 那一行的链首（可不填）", "The head as the chat was told it, the 🔗 line (optional)"),
    "noted_wrong": Phrase(
        "链首写作 条数:哈希，例如 12:abcdef0123456789。",
        "A head is written SEQ:HASH, for example 12:abcdef0123456789.",
    ),
    "run": Phrase("开始核对", "Verify now"),
    "save": Phrase("把记录另存为 jsonl", "Save the record as jsonl"),
    "unchecked": Phrase("尚未核对，点此核对", "not verified yet: press to verify"),
    "good": Phrase("✔ 核对通过", "✔ It holds"),
    "bad": Phrase("✘ 核对未通过：第 {seq} 条不成立", "✘ It does not hold: event {seq}"),
    "broken_why": Phrase("第 {seq} 条：{why}。", "Event {seq}: {why}."),
    "proved": Phrase("证明了什么", "What was proved"),
    "not_proved": Phrase("没有证明什么", "What was not proved"),
    "chain": Phrase(
        "{events} 条记录一条接一条，没有改动、缺失或调换；链首是 {head}。",
        "Each event follows on the one before it (events: {events}): none was changed, removed or moved. "
        "The head is {head}.",
    ),
    "chain_sealed": Phrase(
        "{events} 条记录一条接一条；链首是 {head}。",
        "Each event follows on the one before it (events: {events}); the head is {head}.",
    ),
    "noted_good": Phrase(
        "链首与聊天里的一致，末尾没有被截断。",
        "The head is the one that the chat was told: the end was not cut off.",
    ),
    "again": Phrase(
        "{dice} 个骰子和 {cards} 张牌由种子重新算出，全部相符，没有跳过或重用（第 {periods} 期）。"
        "每个种子都与事先公布的承诺相符。",
        "Dice ({dice}) and cards ({cards}) came out again from their seeds, none skipped or used twice "
        "(periods {periods}). Each seed is the one that was promised beforehand.",
    ),
    "nothing_again": Phrase(
        "还没有公布任何种子，所以骰子都还没法核对。",
        "No seed is revealed yet, so no die could be checked.",
    ),
    "waiting": Phrase(
        "第 {open} 期的种子还没公布：{waiting} 个骰子和牌要等到那时。",
        "The seed of period {open} is still to come. Dice and cards that have to wait for it: {waiting}.",
    ),
    "lost": Phrase(
        "第 {periods} 期的种子一直没有公布：那里的骰子无法核对。",
        "The seeds of periods {periods} were never revealed: their dice cannot be checked.",
    ),
    "physical": Phrase(
        "{physical} 次掷骰用的是实体骰：谁也无法证明。",
        "Rolls of physical dice, which nobody can prove: {physical}.",
    ),
    "foreign": Phrase(
        "{foreign} 条掷骰来自别的程序的日志：谁也无法证明。",
        "Rolls from another program's log, which nobody can prove: {foreign}.",
    ),
    "unprovable": Phrase(
        "{unprovable} 张牌无法核对：这份副本里看不出牌堆还剩什么。",
        "Cards that cannot be checked, since what was left of the deck is not in this copy: {unprovable}.",
    ),
    "sealed": Phrase(
        "{sealed} 条仍然保密，只看得到它们在链上的位置。第 1 到 {unbound} 条可能被做这份副本的人改过，链看不出来。",
        "Still sealed, with only a place in the chain here: {sealed}. Events up to {unbound} could have been "
        "changed by whoever made this copy, and the chain would not show it.",
    ),
    "no_head": Phrase(
        "末尾是否被截断、记录是否整个重写，只有与聊天里 🔗 那一行比较才看得出。",
        "That the end was not cut off, or all of it written anew, shows only against the 🔗 line in the chat.",
    ),
    "totals": Phrase(
        "{totals} 次掷骰的总数由骰面和修正重新加出，全部相符。",
        "Rolls whose totals were added up again from their faces and modifiers: {totals}.",
    ),
    "texts": Phrase(
        "{texts} 句发言与当时写进链里的摘要相符，记录页上显示的就是这些话。",
        "What was said is what the digests in the chain stand for, and the transcript shows these very words "
        "(lines: {texts}).",
    ),
    "shown_differs": Phrase(
        "记录页上显示的话与记录里的不一样", "the transcript shows other words than the record holds"
    ),
    "only_shown": Phrase(
        "记录本身的 {events} 条是好的：被改的是页面上显示的文字。",
        "The record itself holds (events: {events}): what was changed is the text that the page shows.",
    ),
    "silent": Phrase(
        "{silent} 句发言的文字不在这份副本里（改过、删了或已遗忘），只有摘要还在链上。",
        "Lines of talk of which only the digest is in this copy, and not the words (edited, deleted or forgotten): "
        "{silent}.",
    ),
    "uncounted": Phrase(
        "{uncounted} 次掷骰的结果要按规则才算得出（例如骰池的成功数），这里不算；rollbook verify 会算。",
        "Rolls whose result takes the rules of the game (the successes of a pool, say) and is not worked out here; "
        "rollbook verify does: {uncounted}.",
    ),
    "outcomes": Phrase(
        "成败的判定按规则而来，这里不核对。助力点给了谁、说话的先后，只由聊天里的链首约束。",
        "Whether a total is a success is up to the rules and not checked here. Who got how many Bennies, and in what "
        "order people spoke, is bound by the head told in the chat alone.",
    ),
    "page_itself": Phrase(
        "页面也可以骗人：给你这个文件的人也能改它的核对程序。不放心就把记录另存，用 rollbook verify 再核一遍。",
        "A page can lie about itself: whoever gave you the file could have changed its checking too. If in doubt, save "
        "the record and run rollbook verify on it.",
    ),
    "shown_too": Phrase(
        "发言之外的文字、各人的名字、桌面与图表是导出时由这份记录生成的，没有再核对；“骰子与规则”里的骰面直接取自记录。",
        "What the transcript tells besides talk, people's names, the table and the figures were made from the record "
        "when the page was written and are not checked again; the faces under “dice and rules” are the record's own.",
    ),
    "by_subtle": Phrase("用浏览器自带的 Web Crypto 计算。", "Worked out with the browser's own Web Crypto."),
    "by_own": Phrase(
        "浏览器没让这个页面用 Web Crypto，改用页面自带的 SHA-256。",
        "Worked out with the SHA-256 in this page, since the browser keeps Web Crypto from it.",
    ),
    "stopped": Phrase(
        "在它之前的 {events} 条是好的；之后的没有再看。",
        "What stands before it holds (events: {events}); what stands behind it was not looked at.",
    ),
    "see": Phrase("看第 {seq} 条", "Show number {seq}"),
}
