"""无限恐怖 (Infinite Terror): every sentence and every trait's name, Chinese and English side by side.

Here: Phrases and names. Never: code that chooses between them (tell.py and answer.py do).
"""

from __future__ import annotations

from core.language import Phrase

ATTRIBUTE_NAMES: dict[str, tuple[str, ...]] = {
    "strength": ("力量", "str"),
    "dexterity": ("敏捷", "dex"),
    "stamina": ("耐力", "体质", "sta"),
    "intelligence": ("智力", "int"),
    "perception": ("感知", "per"),
    "resolve": ("决心", "res"),
    "presence": ("风度", "风采", "pre"),
    "manipulation": ("操控", "操纵", "man"),
    "composure": ("沉着", "镇定", "com"),
}
SKILL_NAMES: dict[str, tuple[str, ...]] = {
    "academics": ("学识", "学术"),
    "computer": ("电脑", "计算机"),
    "crafts": ("手艺", "工艺"),
    "investigation": ("调查",),
    "medicine": ("医学", "医疗"),
    "occult": ("神秘学",),
    "politics": ("政治",),
    "science": ("科学",),
    "athletics": ("运动",),
    "brawl": ("格斗", "肉搏"),
    "drive": ("驾驶",),
    "firearms": ("枪械", "射击"),
    "larceny": ("盗窃", "偷窃"),
    "stealth": ("潜行",),
    "survival": ("生存", "求生"),
    "weaponry": ("白刃", "兵器"),
    "animal-ken": ("动物沟通", "驯兽"),
    "empathy": ("共情", "感受"),
    "expression": ("表达",),
    "intimidation": ("威吓", "胁迫"),
    "persuasion": ("说服", "交涉"),
    "socialize": ("交际", "社交"),
    "streetwise": ("街头", "街头智慧"),
    "subterfuge": ("掩饰", "欺瞒"),
}
DEFENCE_NAMES: dict[str, tuple[str, ...]] = {
    "attack-extra": ("攻击附加", "攻击附加成功"),
    "defence-extra": ("防御附加", "防御附加成功", "defense-extra"),
    "legendary-dexterity": ("传奇敏捷", "legendary-dex"),
    "legendary-perception": ("传奇感知", "legendary-per"),
    "base-defence": ("基础防御", "base-defense"),
}
# Canonical name to what else it is called; the first Chinese one is shown.
TRAIT_NAMES = {**ATTRIBUTE_NAMES, **SKILL_NAMES, **DEFENCE_NAMES}
ATTRIBUTES = tuple(ATTRIBUTE_NAMES)
GIVING = {**ATTRIBUTE_NAMES, **SKILL_NAMES}  # each may have extras of its own on a sheet, such as 运动附加

NAMES: dict[str, Phrase] = {
    **{f"trait.{trait}": Phrase(names[0], trait) for trait, names in TRAIT_NAMES.items()},
    **{f"trait.{trait}-extra": Phrase(f"{names[0]}附加", f"{trait}-extra") for trait, names in GIVING.items()},
    "kind.wild": Phrase("角色", "character"),
    "kind.extra": Phrase("配角", "minor character"),
    "system.infinite": Phrase("无限恐怖", "Infinite Terror"),
    "source.extra": Phrase("另加", "given"),
    "source.split": Phrase("分得", "share"),
    "source.gain": Phrase("中途获得", "gained"),
    "house.opposed-tie": Phrase("对抗平手", "opposed-tie"),
    "house.late-defence": Phrase("事后防御", "late-defence"),
    "what.dc": Phrase("难度 dc", "the DC"),
    "what.extra": Phrase("附加成功 extra", "extra successes"),
    "what.lose": Phrase("失去的成功 lose", "successes lost"),
    "what.defence": Phrase("防御附加成功的点数", "the defence extras to put up"),
    "what.target": Phrase("目标 target", "a target"),
    "what.weapon": Phrase("武器 weapon", "a weapon"),
    "what.speed": Phrase("高速 speed", "High Speed"),
    "what.gain": Phrase("中途获得的附加成功 gain", "extras gained on the way"),
}  # fmt: skip

TOLD: dict[str, Phrase] = {
    "check.rolled": Phrase("骰出 {rolled}", "rolled {rolled}"),
    "check.lost": Phrase("　失去 {lost}，剩 {left}", "  {lost} lost, {left} left"),
    "check.extra": Phrase("　附加成功 +{extra}（{why}）", "  extra successes +{extra} ({why})"),
    "check.part": Phrase("{name} {value}", "{name} {value}"),
    "check.part_of": Phrase("{name} {of} 得 {value}", "{name} {of} gives {value}"),
    "check.no_extra": Phrase("　没有有效成功，附加成功（{why}）不算。", "  No rolled success is left, so the extras ({why}) do not count."),
    "check.no_extra_chance": Phrase("　机运骰不算附加成功（{why}）。", "  Extras ({why}) do not count on a chance die."),
    "check.total": Phrase("　结果 {total}：{outcome}", "  total {total}: {outcome}"),
    "check.total_dc": Phrase("　结果 {total}，难度 {target}：{outcome}（超出 {margin}）", "  total {total} against DC {target}: {outcome} (margin {margin})"),
    "check.short": Phrase("　结果 {total}，难度 {target}：{outcome}（还差 {short}）", "  total {total} against DC {target}: {outcome} ({short} short)"),
    "outcome.success": Phrase("成功", "success"),
    "outcome.failure": Phrase("失败", "failure"),
    "outcome.dramatic_failure": Phrase("💥 大失败", "💥 dramatic failure"),
    "opposed.waiting": Phrase("　难度就是 {total}；等对方 {p}抵抗 骰池", "  The DC is {total}; waiting for {p}resist POOL"),
    "opposed.settled": Phrase("🏁 {winner} 胜过 {loser}。", "🏁 {winner} beats {loser}."),
    "defence.declared": Phrase("🛡️ {name} 宣言防御 {attacks}（还剩 {left}）", "🛡️ {name} puts up {attacks} ({left} left)"),
    "defence.restored": Phrase("🛡️ {name} 行动，防御附加回到 {left}。", "🛡️ {name} acts: the defence extras are back at {left}."),
    "attack.dramatic": Phrase("　{outcome}", "  {outcome}"),
    "attack.hit": Phrase("💢 {attacker}{target}{weapon}：骰出 {rolled}，防去 {cancelled}{notes}，附加 {extra} → 命中 {total}", "💢 {attacker}{target}{weapon}: rolled {rolled}, {cancelled} cancelled{notes}, extra {extra} → hit for {total}"),
    "attack.missed": Phrase("🛡️ {attacker}{target}{weapon}：骰出 {rolled}，防去 {cancelled}{notes} → 未命中，附加成功和命中效果都不算", "🛡️ {attacker}{target}{weapon}: rolled {rolled}, {cancelled} cancelled{notes} → a miss; extras and effects are void"),
    "attack.at": Phrase(" 对 {target}", " at {target}"),
    "attack.weapon": Phrase("（{weapon}）", " ({weapon})"),
    "attack.notes": Phrase("（{notes}）", " ({notes})"),
    "attack.declared": Phrase("宣言 {declared}", "{declared} put up"),
    "attack.wasted": Phrase("浪费 {wasted}", "{wasted} wasted"),
    "attack.lost": Phrase("能力减去 {lost}", "{lost} taken by abilities"),
    "attack.void": Phrase("基础防御归零，{void} 点失效", "base defence is 0, so {void} more are void"),
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
    "bad_argument.target_count": Phrase("写了 {targets} 个目标，却有 {attacks} 次攻击；每次攻击写一个目标。", "There are {targets} targets and {attacks} attacks; name a target for each attack."),
    "bad_argument.gain": Phrase("gain 只用在一次动作里对同一目标的多次攻击，例：target=守卫,守卫 gain=2", "gain is for several attacks on one target in one action, as in target=Guard,Guard gain=2."),
    "bad_argument.split_missing": Phrase("对 {name} 有多次攻击，先用 split=2,2 分配附加成功。", "There are several attacks on {name}; say first how the extras are split, as in split=2,2."),
    "bad_argument.weapon": Phrase("武器「{got}」看不懂；例：weapon=长剑,巨斧+4", "I cannot read the weapon “{got}”; for example weapon=sword,axe+4"),
    "bad_argument.weapon_count": Phrase("有 {attacks} 次攻击，却写了 {got} 件武器。", "There are {attacks} attacks and {got} weapons."),
    "bad_argument.calc_step": Phrase("算式里看不懂「{mark}」（第 {at} 个字符）；例：{p}计算 30 x2 x4 +50", "In the calculation I do not understand “{mark}” (character {at}); for example {p}calc 30 x2 x4 +50"),
    "bad_argument.calc_order": Phrase("先写乘除再写加减，「{mark}」（第 {at} 个字符）放错了；后面的值要再乘就加括号，例：{p}计算 (30 x2 +10) x4", "Multiply and divide before you add: “{mark}” (character {at}) comes too late; brackets make a value of its own, for example {p}calc (30 x2 +10) x4"),
    "bad_argument.calc_zero": Phrase("不能除以零。", "Nothing can be divided by zero."),
    "too_large.attacks": Phrase("一次最多 {limit} 次攻击。", "One action makes at most {limit} attacks."),
    "too_large.calc": Phrase("数字太大：最多 {limit}。", "That number is too large: at most {limit}."),
    "not_found.opposition": Phrase("没有等待抵抗的对抗检定；先 {p}对抗 骰池，已有人抵抗过的写 vs=名字。", "No opposed roll is waiting; the first side begins with {p}oppose POOL, and one that was resisted already takes vs=NAME."),
    "not_allowed.resist_oneself": Phrase("不能抵抗自己的检定；用 as=角色 换一个角色。", "Nobody resists an own roll; say as=NAME for another character."),
    "already_done.resisted": Phrase("{name} 已经抵抗过 {first} 的这次检定了。", "{name} has resisted this roll of {first} already."),
    "nothing_to_spend.defence": Phrase("{name} 的防御附加只剩 {left}，宣言不了 {asked}；角色卡上用 {p}设置 防御附加=5 写明。", "{name} has {left} defence extras left and cannot put up {asked}; {p}set defence-extra=5 puts them on the sheet."),
    "limit_reached.split": Phrase("攻击附加一共 {most}，分了 {asked}。", "There are {most} attack extras, and {asked} were split."),
    "limit_reached.weapon": Phrase("{weapon} 的附加成功一共 {most}，用了 {asked}。", "{weapon} has {most} extras, and {asked} were used."),
}  # fmt: skip

PHRASES: dict[str, Phrase] = {**NAMES, **TOLD, **ANSWERED, **REFUSED}

# What the rules are called where a record is read: those that a roll can show (`rules.applied`).
RULES: dict[str, Phrase] = {
    "IT-01": Phrase("骰池：属性、技能与修正，8、9、10 成功", "Pool: attribute, skill and modifiers; 8, 9 and 10 succeed"),
    "IT-02": Phrase("加骰：默认 10 再掷，最低 8", "Again: a 10 rolls again, by ability down to 8"),
    "IT-03": Phrase("先有成功才加附加成功", "Extra successes count only on top of a success"),
    "IT-04": Phrase("属性带来的附加成功：(值 − 1) ÷ 5", "Extras of an attribute: (value − 1) / 5"),
    "IT-05": Phrase("难度：总数达到 DC 即成功", "Difficulty: a total of the DC succeeds"),
    "IT-06": Phrase("对抗：先手的总数就是对方的 DC", "Opposed: the first side's total is the other's DC"),
    "IT-07": Phrase("骰池为 0：机运骰，什么都不能加", "Pool of 0: a chance die, to which nothing is added"),
    "IT-08": Phrase("多次攻击同一目标：附加成功要分开", "Several attacks on one target: extras are split"),
    "IT-10": Phrase("连续攻击中途得到的附加成功可立即用一次", "Extras gained in the middle may be used once"),
    "IT-13": Phrase("攻击：防御先抵掷出的成功，抵光即未命中", "Attack: defence cancels rolled successes first; none left is a miss"),
}
