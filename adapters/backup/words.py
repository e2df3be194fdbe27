"""Every sentence of `rollbook backup` and `rollbook restore`, Chinese and English side by side.

Here: Phrases and nothing else. Never: code.
"""

from __future__ import annotations

from core.language import Phrase, PhraseBook

BACKUP: PhraseBook = {
    "made": Phrase(
        "已备份到 {path}：{tables} 个团、{events} 条记录，写完又读了一遍，链和骰子都对得上。",
        "Backed up to {path}: tables {tables}, events {events}; it was read again, and chains and dice hold.",
    ),
    "made_broken": Phrase(
        "已备份到 {path}，但记录本身有对不上的地方；旧备份一个也没删。",
        "Backed up to {path}, but the log itself does not hold; no older backup was removed.",
    ),
    "broken": Phrase("  {name}：第 {seq} 条对不上：{why}", "  {name}: event {seq} does not hold: {why}"),
    "head": Phrase("  {name}：{events} 条，链首 {seq}:{hash}", "  {name}: events {events}, its head is {seq}:{hash}"),
    "more": Phrase("  另有 {count} 个团", "  and further tables: {count}"),
    "keys": Phrase(
        "  Matrix 的登录和密钥也在里面（{count} 个文件）", "  the Matrix login and keys are in it (files: {count})"
    ),
    "no_keys": Phrase(
        "  里面没有 Matrix 密钥：请加上 serve 用的 --config，不然加密的房间恢复后读不了",
        "  no Matrix keys are in it: give the --config of serve, or encrypted rooms cannot be read after a restore",
    ),
    "thinned": Phrase("  删掉的旧备份：{count} 个", "  older backups removed: {count}"),
    "private": Phrase(
        "请只留给自己：里面有还没公开的种子、人名和私下的结果。",
        "Keep it to yourself: seeds not yet revealed, names and private results are in it.",
    ),
    "not_restored": Phrase(
        "{path} 对不上，什么也没恢复；换一份更早的备份试试。",
        "{path} does not hold, and nothing was restored; please try an older backup.",
    ),
    "restored": Phrase(
        "已恢复到 {place}：{tables} 个团、{events} 条记录，链和骰子都对得上。",
        "Restored to {place}: tables {tables}, events {events}; chains and dice hold.",
    ),
    "renewed": Phrase(
        "  {count} 个团换了新种子，旧种子（连同当时的暗骰）已公开，下次 serve 时会告诉各群。",
        "  tables with a new seed: {count}. Their old seeds are published, and with them the secret rolls so far; the "
        "chats are told when serve starts.",
    ),
    "aside": Phrase("  原来的记录留在 {path}", "  The log that was there is kept at {path}"),
    "keys_back": Phrase("  Matrix 的登录和密钥已放回 {folder}", "  The Matrix login and keys are back in {folder}"),
    "keys_stay": Phrase(
        "  {folder} 里已有 Matrix 密钥，比备份新，没有动",
        "  {folder} has Matrix keys already, newer than the backup's: they stay",
    ),
    "keys_nowhere": Phrase(
        "  备份里有 Matrix 密钥，要放回去请加上 serve 用的 --config",
        "  The backup has Matrix keys; to have them put back give the --config of serve",
    ),
}
