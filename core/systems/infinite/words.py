"""无限恐怖 (Infinite Terror): every sentence and every trait's name, Chinese and English side by side.

Here: Phrases and names. Never: code that chooses between them (tell.py and answer.py do).
"""

from __future__ import annotations

from core.language import Phrase

# Canonical name to what else it is called; the first Chinese one is shown. The nine attributes come first.
TRAIT_NAMES: dict[str, tuple[str, ...]] = {
    "strength": ("力量", "str"),
    "dexterity": ("敏捷", "dex"),
    "stamina": ("耐力", "体质", "sta"),
    "intelligence": ("智力", "int"),
    "perception": ("感知", "per"),
    "resolve": ("决心", "res"),
    "presence": ("风度", "风采", "pre"),
    "manipulation": ("操控", "操纵", "man"),
    "composure": ("沉着", "镇定", "com"),
    "attack-extra": ("攻击附加", "攻击附加成功", "attack extra"),
    "defence-extra": ("防御附加", "防御附加成功", "defense-extra", "defence extra"),
    "legendary-dexterity": ("传奇敏捷", "legendary-dex"),
    "legendary-perception": ("传奇感知", "legendary-per"),
    "base-defence": ("基础防御", "base-defense", "base defence"),
}

NAMES: dict[str, Phrase] = {f"trait.{trait}": Phrase(names[0], trait) for trait, names in TRAIT_NAMES.items()} | {
    "system.infinite": Phrase("无限恐怖", "Infinite Terror"),
    "step.extra": Phrase("另加", "given"),
    "house.opposed-tie": Phrase("对抗平手", "opposed-tie"),
    "house.late-defence": Phrase("事后防御", "late-defence"),
    "what.dc": Phrase("难度 dc", "the DC"),
    "what.extra": Phrase("附加成功 extra", "extra successes"),
    "what.lose": Phrase("失去的成功 lose", "successes lost"),
    "what.defence": Phrase("防御附加成功的点数", "the defence extras to put up"),
    "what.split": Phrase("分配 split", "the split"),
    "what.speed": Phrase("高速 speed", "High Speed"),
    "what.gain": Phrase("中途获得的附加成功 gain", "extras gained on the way"),
    "what.trait": Phrase("特性", "a trait"),
}  # fmt: skip

TOLD: dict[str, Phrase] = {
    "check.rolled": Phrase("骰出 {rolled}", "rolled {rolled}"),
    "check.lost": Phrase("　失去 {lost}，剩 {left}", "  {lost} lost, {left} left"),
    "check.extra": Phrase("　附加成功 +{extra}（{why}）", "  extra successes +{extra} ({why})"),
    "check.part": Phrase("{name} {value}", "{name} {value}"),
    "check.no_extra": Phrase("　没有骰出成功，附加成功（{why}）不算。", "  No rolled success is left, so the extras ({why}) do not count."),
    "check.no_extra_chance": Phrase("　机运骰不算附加成功（{why}）。", "  Extras ({why}) do not count on a chance die."),
    "check.total": Phrase("　结果 {total}：{outcome}", "  total {total}: {outcome}"),
    "check.total_dc": Phrase("　结果 {total}，难度 {target}：{outcome}（差 {margin}）", "  total {total} against DC {target}: {outcome} (margin {margin})"),
    "outcome.success": Phrase("成功", "success"),
    "outcome.failure": Phrase("失败", "failure"),
    "outcome.dramatic_failure": Phrase("💥 大失败", "💥 dramatic failure"),
    "opposed.waiting": Phrase("　难度就是 {total}；等对方 {p}抵抗 骰池", "  The DC is {total}; waiting for {p}resist POOL"),
    "opposed.settled": Phrase("🏁 {winner} 胜过 {loser}。", "🏁 {winner} beats {loser}."),
    "defence.declared": Phrase("🛡️ {name} 宣言防御 {attacks}（还剩 {left}）", "🛡️ {name} puts up {attacks} ({left} left)"),
    "defence.restored": Phrase("🛡️ {name} 行动，防御附加回到 {left}。", "🛡️ {name} acts: the defence extras are back at {left}."),
    "attack.hit": Phrase("💢 {attacker} 对 {target}{weapon}：骰出 {rolled}，防去 {cancelled}，附加 {extra} → 命中 {total}", "💢 {attacker} at {target}{weapon}: rolled {rolled}, {cancelled} cancelled, extra {extra} → hit for {total}"),
    "attack.missed": Phrase("🛡️ {attacker} 对 {target}{weapon}：骰出 {rolled}，防去 {cancelled} → 未命中，附加成功和命中效果都不算", "🛡️ {attacker} at {target}{weapon}: rolled {rolled}, {cancelled} cancelled → a miss; extras and effects are void"),
    "attack.weapon": Phrase("（{weapon}）", " ({weapon})"),
    "attack.late": Phrase("（事后防御）{told}", "(late defence) {told}"),
}  # fmt: skip

ANSWERED: dict[str, Phrase] = {
    "sheet.defence": Phrase("防御附加 {left}/{most}", "defence extras {left}/{most}"),
    "sheet.extras": Phrase("属性附加成功：{extras}", "extra successes of attributes: {extras}"),
    "calc.step": Phrase("　{working}", "  {working}"),
}  # fmt: skip

REFUSED: dict[str, Phrase] = {
    "bad_argument.split": Phrase("分配 {got} 看不懂；例：split=2,2", "I cannot read the split “{got}”; for example split=2,2"),
    "bad_argument.split_count": Phrase("有 {attacks} 次要分配的攻击，split 却写了 {got} 份。", "{attacks} attacks share the extras, and the split has {got} parts."),
    "bad_argument.split_missing": Phrase("对 {name} 有多次攻击，先用 split=2,2 分配附加成功。", "There are several attacks on {name}; say first how the extras are split, as in split=2,2."),
    "bad_argument.weapon": Phrase("武器「{got}」看不懂；例：weapon=长剑,巨斧+4", "I cannot read the weapon “{got}”; for example weapon=sword,axe+4"),
    "bad_argument.weapon_count": Phrase("有 {attacks} 次攻击，却写了 {got} 件武器。", "There are {attacks} attacks and {got} weapons."),
    "bad_argument.calc_step": Phrase("算式里看不懂「{mark}」（第 {at} 个字符）；例：{p}计算 30 x2 x4 +50", "In the calculation I do not understand “{mark}” (character {at}); for example {p}calc 30 x2 x4 +50"),
    "bad_argument.calc_zero": Phrase("不能除以零。", "Nothing can be divided by zero."),
    "too_large.attacks": Phrase("一次最多 {limit} 次攻击。", "One action makes at most {limit} attacks."),
    "too_large.calc": Phrase("数字太大：最多 {limit}。", "That number is too large: at most {limit}."),
    "not_found.opposition": Phrase("没有等待抵抗的对抗检定；先 {p}对抗 骰池。", "No opposed roll is waiting; the first side begins with {p}oppose POOL."),
    "not_allowed.resist_oneself": Phrase("不能抵抗自己的检定；用 as=角色 换一个角色。", "Nobody resists an own roll; say as=NAME for another character."),
    "nothing_to_spend.defence": Phrase("{name} 的防御附加只剩 {left}，宣言不了 {asked}。", "{name} has {left} defence extras left and cannot put up {asked}."),
    "limit_reached.split": Phrase("攻击附加一共 {most}，分了 {asked}。", "There are {most} attack extras, and {asked} were split."),
    "limit_reached.weapon": Phrase("{weapon} 的附加成功一共 {most}，用了 {asked}。", "{weapon} has {most} extras, and {asked} were used."),
}  # fmt: skip

PHRASES: dict[str, Phrase] = {**NAMES, **TOLD, **ANSWERED, **REFUSED}
