"""Every sentence that stands in a file or a picture and is not the core's, Chinese and English side by side.

Here: Phrases and nothing else. Never: code.
"""

from __future__ import annotations

from core.language import Phrase, PhraseBook

NAME: PhraseBook = {
    "session": Phrase("第{number}场", "session-{number}"),
    "replay": Phrase("回放", "recap"),
    "stats": Phrase("统计", "stats"),
    "gm": Phrase("主持", "gm"),
    "audit": Phrase("审计", "audit"),
}

TRANSCRIPT: PhraseBook = {
    "utc": Phrase("时间都是 UTC。", "All times are UTC."),
    "session": Phrase("第 {number} 场", "Session {number}"),
    "session_titled": Phrase("第 {number} 场「{title}」", "Session {number} “{title}”"),
    "between": Phrase("场次之外", "Between sessions"),
    "left_out": Phrase("（第 {seq} 条后来被第 {by} 条撤销）", "(number {seq} was taken back later, by number {by})"),
    "undone": Phrase("（后来被第 {by} 条撤销）", "(taken back later, by number {by})"),
}

COLUMNS: PhraseBook = {
    "seq": Phrase("编号", "number"),
    "at": Phrase("时间（UTC）", "time (UTC)"),
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
