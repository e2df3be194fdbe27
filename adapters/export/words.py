"""Every sentence that stands in a file or a picture and is not the core's, Chinese and English side by side.

Here: Phrases and nothing else. Never: code.
"""

from __future__ import annotations

from core.language import Phrase, PhraseBook

NAME: PhraseBook = {
    "session": Phrase("第{number}场", "session-{number}"),
    "log": Phrase("日志{number}", "log-{number}"),
    "replay": Phrase("回放", "recap"),
    "stats": Phrase("统计", "stats"),
    "gm": Phrase("主持", "gm"),
    "audit": Phrase("审计", "audit"),
}

TRANSCRIPT: PhraseBook = {
    "zone": Phrase("时间都按 {zone}。", "All times are in {zone}."),
    "session": Phrase("第 {number} 场", "Session {number}"),
    "session_titled": Phrase("第 {number} 场「{title}」", "Session {number} “{title}”"),
    "between": Phrase("场次之外", "Between sessions"),
    "left_out": Phrase("（第 {seq} 条后来被第 {by} 条撤销）", "(number {seq} was taken back later, by number {by})"),
    "undone": Phrase("（后来被第 {by} 条撤销）", "(taken back later, by number {by})"),
    "out_of_character": Phrase("（场外）", "(out of character)"),
}

COLUMNS: PhraseBook = {
    "seq": Phrase("编号", "number"),
    "at": Phrase("时间（{zone}）", "time ({zone})"),
    "session": Phrase("场次", "session"),
    "person": Phrase("玩家", "person"),
    "character": Phrase("角色", "character"),
    "kind": Phrase("种类", "kind"),
    "label": Phrase("项目", "label"),
    "dice": Phrase("骰面", "dice"),
    "modifiers": Phrase("修正明细", "modifiers"),
    "modifier": Phrase("修正", "modifier"),
    "target": Phrase("目标数", "target"),
    "results": Phrase("各项结果", "results"),
    "rolled": Phrase("这次掷得", "rolled"),
    "total": Phrase("结果", "total"),
    "outcome": Phrase("判定", "outcome"),
    "raises": Phrase("优良", "raises"),
    "successes": Phrase("成功数", "successes"),
    "reroll_of": Phrase("重骰自第几骰", "reroll of roll"),
    "roll": Phrase("第几骰", "roll"),
    "source": Phrase("骰子来源", "source"),
    "secret": Phrase("暗骰", "secret"),
    "undone": Phrase("撤销于", "taken back by"),
    "comment": Phrase("备注", "comment"),
}
SEALED = Phrase("未公开", "sealed")
# What stands in a cell, where neither the verb table nor the system has a word for it.
CELLS: PhraseBook = {
    "kind.soak": Phrase("化解", "soak"),
    "kind.damage": Phrase("伤害", "damage"),
    "outcome.success": Phrase("成功", "success"),
    "outcome.failure": Phrase("失败", "failure"),
    "outcome.exceptional": Phrase("额外成功", "exceptional success"),
    "outcome.dramatic_failure": Phrase("大失败", "dramatic failure"),
    "source.fair": Phrase("种子", "fair"),
    "source.physical": Phrase("实体骰", "physical"),
    "secret.both": Phrase("掷骰人和主持人", "both"),
    "secret.gm": Phrase("主持人", "gm"),
    "secret.me": Phrase("掷骰人", "me"),
}

PICTURE: PhraseBook = {
    "title": Phrase("{title}　掷骰 {rolls} 次", "{title}: rolls {rolls}"),
    "dice": Phrase(
        "d{sides} × {count}　χ² = {chi_square}，公平的骰子有 {chance} 偏成这样或更偏",
        "d{sides} × {count}, χ² = {chi_square}: fair dice stray so far {chance} of the time",
    ),
    "few": Phrase("d{sides} × {count}（还太少，看不出偏不偏）", "d{sides} × {count} (too few to tell)"),
    "expected": Phrase("应有", "expected"),
    "people": Phrase("各人的结果", "How rolls came out"),
    "succeeded": Phrase("成功", "success"),
    "failed": Phrase("失败", "failure"),
    "critical": Phrase("大失败", "critical failure"),
    "undecided": Phrase("无判定", "no target"),
    "pool": Phrase("主持池", "GM's pool"),
    "somebody": Phrase("第 {number} 位", "no. {number}"),
}

# Why an event does not hold: the flaws of core/verify.py.
WHY: PhraseBook = {
    "hash_differs": Phrase("内容与哈希不符", "its content does not give its hash"),
    "prev_differs": Phrase("与前一条接不上", "it does not follow the event before it"),
    "seq_missing": Phrase("缺了这一条", "it is missing"),
    "seq_out_of_order": Phrase("次序被打乱", "another stands in its place"),
    "unreadable": Phrase("无法读取", "it cannot be read"),
    "cut_off": Phrase("记录在这里被截断", "the log is cut off here"),
    "text_differs": Phrase("聊天的文字与摘要不符", "what was said is not what its digest stands for"),
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
