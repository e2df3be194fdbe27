"""Every sentence that every table needs, Chinese and English side by side.

Here: Phrases and nothing else. `{p}` is the sign before a verb. A Refusal's sentence stands under `code.why`.
Never: code that chooses between them (tell.py and answer.py do).
"""

from __future__ import annotations

from core.language import Phrase

NAMES: dict[str, Phrase] = {
    "value.on": Phrase("开", "on"),
    "value.off": Phrase("关", "off"),
    "house.physical-dice": Phrase("实体骰", "physical-dice"),
    "house.time-zone": Phrase("时区", "time-zone"),
    "modifier": Phrase("{value} {name}", "{value} {name}"),
    "session.number": Phrase("第 {number} 场", "session {number}"),
    "session.titled": Phrase("第 {number} 场「{title}」", "session {number} “{title}”"),
}

SUBVERBS: dict[str, Phrase] = {
    "expected.new": Phrase("新建", "new"),
    "expected.use": Phrase("使用", "use"),
    "expected.list": Phrase("列表", "list"),
    "expected.retire": Phrase("退休", "retire"),
    "expected.start": Phrase("开始", "start"),
    "expected.end": Phrase("结束", "end"),
    "expected.give": Phrase("给", "give"),
    "expected.spend": Phrase("花", "spend"),
    "expected.on": Phrase("开", "on"),
    "expected.off": Phrase("关", "off"),
    "expected.deal": Phrase("发牌", "deal"),
    "expected.next": Phrase("下一个", "next"),
    "expected.join": Phrase("加入", "join"),
    "expected.keep": Phrase("保留", "keep"),
    "expected.leave": Phrase("离开", "leave"),
    "expected.roll": Phrase("掷", "roll"),
    "expected.retry": Phrase("再试", "retry"),
    "expected.mod": Phrase("修正", "mod"),
    "expected.open": Phrase("开", "open"),
    "expected.again": Phrase("再来", "again"),
    "expected.void": Phrase("作废", "void"),
    "expected.need": Phrase("要求", "need"),
    "expected.done": Phrase("完成", "done"),
    "expected.adv": Phrase("优势", "adv"),
    "expected.dis": Phrase("劣势", "dis"),
    "expected.link": Phrase("连接", "link"),
    "expected.me": Phrase("我", "me"),
    "expected.none": Phrase("无", "none"),
}

WHAT: dict[str, Phrase] = {
    "what.name": Phrase("角色名字", "a character's name"),
    "what.table_id": Phrase("团的编号", "a table's id"),
    "what.code": Phrase("连接码", "a code"),
    "what.modifier": Phrase("修正", "a modifier"),
    "what.person": Phrase("玩家名字", "a player's name"),
    "what.system": Phrase(
        "规则（savage、storytelling、infinite、adventure）", "a rule system (savage, storytelling, infinite, adventure)"
    ),
    "what.language": Phrase("语言（zh 或 en）", "a language (zh or en)"),
    "what.expression": Phrase("算式，例如 2d6+1", "an expression such as 2d6+1"),
    "what.change": Phrase("要改的内容，例如 潜行=d6", "a change such as stealth=d6"),
    "what.luck": Phrase("要加的话", "the words to add"),
    "what.option": Phrase("第几项（数字）", "the number of an option"),
    "what.count": Phrase("数量", "a number"),
    "what.number": Phrase("数字", "a number"),
    "what.event": Phrase("记录里的编号", "a number from the history"),
    "what.subverb": Phrase("要做什么", "what to do"),
    "what.log": Phrase("哪份日志", "the name or number of a log"),
    "what.session": Phrase("第几场（数字）", "the number of a session"),
    "what.tn": Phrase("目标数", "the target number"),
}

TOLD: dict[str, Phrase] = {
    "physical": Phrase("{told}　✋实体骰", "{told}  ✋ physical dice"),
    "commented": Phrase("{told}　# {comment}", "{told}  # {comment}"),
    "table.opened": Phrase(
        "📖「{title}」开团了（{system}），主持人：{gm}。", "📖 “{title}” is open ({system}); the GM is {gm}."
    ),
    "table.former": Phrase("原来的「{title}」还在：{p}开团 回到 {id}", "“{title}” is kept: {p}table use {id} goes back to it."),
    "table.list": Phrase("📖 你主持的团（{p}开团 回到 编号）：", "📖 The tables of which you are the GM ({p}table use ID):"),
    "table.listed": Phrase("「{title}」{system}　{id}", "“{title}”, {system}: {id}"),
    "table.listed_none": Phrase("你还没有主持的团。", "You are not the GM of any table yet."),
    "table.used": Phrase("📖 回到「{title}」。", "📖 Back at “{title}”."),
    "table.link": Phrase(
        "🔗 在另一个群里发指令：开团 加入 {code}，那里就也是「{title}」了（Telegram 上写 /开团 加入 {code}，Matrix 上写 !table join {code}）；"
        "只能用一次，{minutes} 分钟内有效。",
        "🔗 In the other chat, say /table join {code} (Telegram) or !table join {code} (Matrix), and it is at “{title}” too. "
        "Good once, for {minutes} minutes.",
    ),
    "chat.linked": Phrase(
        "🔗 「{title}」现在也在{platform}的一个群里：两边是同一桌，骰子两边都看得到。",
        "🔗 “{title}” is open in a chat on {platform} too: one table, and both chats hear its dice.",
    ),
    "chat.unlinked": Phrase(
        "🔗 {platform}上的一个群离开了「{title}」。", "🔗 A chat on {platform} has left “{title}”."
    ),
    "platform.terminal": Phrase("终端", "the terminal"),
    "account.linked": Phrase("🔗 {was} 和 {name} 是同一个人。", "🔗 {was} and {name} are the same person."),
    "me.link": Phrase(
        "🔗 用另一个账号发：我 连接 {code}（Telegram 上写 /我 连接 {code}，Matrix 上写 !me link {code}），那个账号就也是你了。"
        "只能用一次，{minutes} 分钟内有效；别告诉任何人：谁用了它，谁就成了你。",
        "🔗 With your other account, say /me link {code} (Telegram) or !me link {code} (Matrix), and that is you too. "
        "Good once, for {minutes} minutes. Tell nobody: whoever uses it becomes you.",
    ),
    "me.sure": Phrase(
        "🔗 这个连接码是 {name} 的。确认后你们就是同一个人：你的角色、你主持的团、你的暗骰，{name} 也都能用、能看，而且收不回来。"
        "如果 {name} 真的是你自己，请发：{p}我 连接 {code} 确认",
        "🔗 That code is {name}'s. From then on you two are one person: your characters, the tables of which you are the GM and "
        "your secret rolls are {name}'s too, and there is no way back. If {name} is really you, say {p}me link {code} yes",
    ),
    "me.link_sent": Phrase("🔗 {name}，连接码已私下发给你。", "🔗 {name}, your code comes to you in private."),
    "me.joined": Phrase("🔗 好，你和 {name} 是同一个人了。", "🔗 Done: you and {name} are one person now."),
    "table.next_steps": Phrase(
        "玩家：{p}角色 新建 名字；主持人：{p}场次 开始。用法：{p}帮助",
        "Players: {p}char new NAME. GM: {p}session start. How it works: {p}help",
    ),
    "table.shown": Phrase(
        "📖「{title}」（{system}），主持人 {gm}，玩家：{players}。{session}编号 {id}",
        "📖 “{title}” ({system}), GM {gm}, players: {players}. {session} Its id is {id}",
    ),
    "table.no_session": Phrase("没有进行中的场次。", "No session is running."),
    "table.in_session": Phrase("进行中：{session}。", "Running: {session}."),
    "nobody": Phrase("（无）", "(none)"),
    "seed.promised": Phrase("🔒 种子承诺 sha256 {commitment}", "🔒 seed commitment sha256 {commitment}"),
    "seed.revealed": Phrase(
        "🔓 第 {period} 期种子 {seed}（可用 rollbook verify 核对每一骰）",
        "🔓 seed of period {period}: {seed} (rollbook verify checks every die)",
    ),
    "seed.missing": Phrase(
        "这台机器上没有上一期的种子，所以换了新种子；那一期的骰子无法核对。",
        "The last period's seed is not at hand here, so a new one begins; that period cannot be checked.",
    ),
    "seed.restored": Phrase(
        "⏪ 记录从备份恢复，从这里接着走：备份以后说的、掷的都不在里面。当时的种子已公开，往后换新种子掷，掷过的不会再来。",
        "⏪ The record was restored from a backup and goes on from here: what came after the backup is not in it. Its seed "
        "is published, and dice fall by a new one from now on, so that none comes again.",
    ),
    "head": Phrase("🔗 记录到 {seq}:{hash}", "🔗 the record stands at {seq}:{hash}"),
    "session.started": Phrase("▶️ {session}开始。", "▶️ {session} begins."),
    "session.ended": Phrase("⏹️ 第 {number} 场结束。", "⏹️ Session {number} is over."),
    "shown.picture": Phrase("[图片]", "[picture]"),
    "shown.video": Phrase("[视频]", "[video]"),
    "shown.voice": Phrase("[语音]", "[voice message]"),
    "shown.audio": Phrase("[音频]", "[audio]"),
    "shown.file": Phrase("[文件]", "[file]"),
    "shown.sticker": Phrase("[贴纸]", "[sticker]"),
    "log.number": Phrase("日志 {number}", "log {number}"),
    "log.named": Phrase("日志 {number}「{name}」", "log {number} “{name}”"),
    "log.opened": Phrase("💬 {log}：开始记聊天。", "💬 Talk is kept from now on: {log}."),
    "log.resumed": Phrase("💬 {log}：接着记聊天。", "💬 Talk is kept again: {log}."),
    "log.goes_on": Phrase("💬 {log}：这里的聊天正在记。", "💬 Talk is being kept here: {log}."),
    "log.now_paused": Phrase(
        "💬 {log}：暂停，不再记聊天；继续用 {p}日志 开。",
        "💬 Talk is kept no longer: {log} is paused. {p}log on goes on with it.",
    ),
    "log.now_ended": Phrase(
        "💬 {log}：结束，不再记聊天；拿全文用 {p}导出 txt 日志={number}。",
        "💬 Talk is kept no longer: {log} is over. {p}export txt log={number} gives all of it.",
    ),
    "log.consent": Phrase(
        "记的是这桌各个群里的聊天（指令、私聊、机器人的话不记，图片只记下面的文字；括号里的和 // 开头的算场外），同桌的人导出时都能看到，"
        "改过和删掉的话只在审计版里留着。谁都可以用 {p}日志 关 停下，用 {p}遗忘 我 删掉自己说过的话。",
        "Kept is what is said in this table's chats (not commands, private chats or bots, and of pictures only the words below; "
        "in brackets or behind // it counts as out of character). Whoever is at the table sees it in an export; what was edited or deleted stays in the audit alone. "
        "Anybody at the table may stop it with {p}log off, and take back all they said with {p}forget me.",
    ),
    "talk.said": Phrase("💬 {text}", "💬 {text}"),
    "talk.said_as": Phrase("💬 {name}：{text}", "💬 {name}: {text}"),
    "talk.ooc": Phrase("（场外）{text}", "(out of character) {text}"),
    "talk.foreign": Phrase("{text}　[外来，未经证明]", "{text}  [from another program, unproved]"),
    "talk.edited": Phrase("✏️ 第 {line} 条改成：{text}", "✏️ Number {line} now reads: {text}"),
    "talk.deleted": Phrase("🗑️ 第 {line} 条的消息删掉了。", "🗑️ The message of number {line} was deleted."),
    "talk.gone": Phrase("（不在这里了）", "(no longer here)"),
    "somebody": Phrase("某人", "somebody"),
    "person.forgotten": Phrase(
        "🕊️ 有人要求被遗忘：名字和 {lines} 句聊天的文字已经删掉。",
        "🕊️ Somebody asked to be forgotten: the name is gone, and so is the text of what they said (lines: {lines}).",
    ),
    "forget.asked": Phrase(
        "🕊️ 会删掉：你的名字「{name}」、账号关联（{accounts} 个）、你说过的聊天（{lines} 句：{tables}）。会留下：骰子、角色和 # 后的备注，"
        "在记录里归「某人」，哈希链不变；别人已经导出的文件和备份管不到。想好了就在 {minutes} 分钟内由你本人发「{p}遗忘 我 {code}」，删了找不回来；"
        "在私聊里发就没有回复，因为那时我已经不认识你。",
        "🕊️ This would go: your name “{name}”, your accounts ({accounts}), what you said (lines: {lines}; {tables}). This stays: dice, "
        "characters and notes behind #, as somebody's, and the chain holds; exports and backups that others have are out of reach. "
        "If you are sure, say “{p}forget me {code}” yourself within {minutes} minutes; it cannot be brought back. Said in private "
        "it has no answer, since I do not know you any more then.",
    ),
    "forget.sent": Phrase("🕊️ {name}，会删掉什么、怎样确认，已私下发给你。", "🕊️ {name}, what would go and how to confirm it comes to you in private."),
    "forget.at": Phrase("「{title}」{lines}", "“{title}” {lines}"),
    "forget.gm": Phrase(
        "🕊️ {name} 想被遗忘。一旦确认，「{title}」里 {name} 说过的 {lines} 句聊天就没有文字了，名字改成「某人」；骰子和其他记录都留着。要留底请先 {p}导出。",
        "🕊️ {name} wishes to be forgotten. Once that is confirmed, the text of what {name} said at “{title}” is gone (lines: {lines}), and the name; "
        "dice and all else stay. If you need a copy, {p}export comes first.",
    ),
    "forget.done": Phrase(
        "🕊️ 忘了：名字、账号和 {lines} 句聊天都删掉了，记录里只剩「某人」。",
        "🕊️ Forgotten: the name, the accounts and what was said (lines: {lines}) are gone; the record knows somebody.",
    ),
    "scene.started": Phrase("🎬 场景 {number} {title}", "🎬 Scene {number} {title}"),
    "luck.added": Phrase("🍀 种子里加上了「{text}」。", "🍀 “{text}” is part of the seed now."),
    "player.joined": Phrase("👋 {name} 加入了。", "👋 {name} joins the table."),
    "gm.named": Phrase("主持人现在是 {name}。", "The GM is {name} now."),
    "language.set": Phrase("好，从现在起用中文。", "English it is."),
    "rule.set": Phrase("📜 房规：{key} = {value}", "📜 House rule: {key} = {value}"),
    "undone": Phrase("↩️ 撤销了第 {event} 条：{what}", "↩️ Taken back, number {event}: {what}"),
    "undone.because": Phrase(
        "↩️ 撤销了第 {event} 条（{reason}）：{what}", "↩️ Taken back, number {event} ({reason}): {what}"
    ),
    "character.added": Phrase(
        "🧑 {name}（{kind}）登场，玩家 {owner}。", "🧑 {name} ({kind}) enters, played by {owner}."
    ),
    "character.added_gm": Phrase(
        "🎭 {name}（{kind}）登场，由主持人扮演。", "🎭 {name} ({kind}) enters, a GM character."
    ),
    "character.activated": Phrase("{player} 现在扮演 {name}。", "{player} plays {name} now."),
    "character.retired": Phrase("{name} 离场。", "{name} leaves the stage."),
    "sheet.set": Phrase("✏️ {name}：{trait} = {value}", "✏️ {name}: {trait} = {value}"),
    "sheet.changed": Phrase("✏️ {name}：{trait} {was} → {value}", "✏️ {name}: {trait} {was} → {value}"),
    "roll.plain": Phrase("🎲 {name}：{label} = {working} = {total}", "🎲 {name}: {label} = {working} = {total}"),
    "roll.plain_short": Phrase("🎲 {name}：{label} = {total}", "🎲 {name}: {label} = {total}"),
    "secret.rolled": Phrase("🤫 {name} 掷了一次暗骰。", "🤫 {name} made a secret roll."),
    "secret.for_both": Phrase("🤫 暗骰，只有掷骰人和主持人看得到：", "🤫 Secret, for the roller and the GM only:"),
    "secret.for_gm": Phrase("🤫 盲骰，只有主持人看得到：", "🤫 A blind roll, for the GM only:"),
    "secret.for_me": Phrase("🤫 暗骰，只有你看得到：", "🤫 Secret, for your eyes only:"),
    "secret.opened": Phrase("👁️ 暗骰公开：", "👁️ Secret rolls, now open:"),
    "button.again": Phrase("再来一次", "Again"),
    "choice.offered": Phrase(
        "❓ 选择 {number}（{owner}）：{p}选择 {number} 加项数", "❓ Choice {number} for {owner}: {p}choose {number} N"
    ),
}

ANSWERED: dict[str, Phrase] = {
    "help.title": Phrase("指令（{p}帮助 指令名 看用法）：", "Commands ({p}help VERB shows how):"),
    "help.more": Phrase("怎样把我放进群里：{p}帮助 接入", "How to have me in a chat: {p}help setup"),
    "help.private": Phrase(
        "好，以后只该你看的暗骰结果，我就发到这里。掷骰和选择还是在群里发；要看我会什么：{p}帮助",
        "Good: from now on, secret results that are for you alone come here. Roll and choose in the group as before; "
        "{p}help lists what I can do.",
    ),
    "help.setup_telegram": Phrase(
        "Telegram：把我加进群，/ 开头的指令就收得到。想用「。骰」这样的指令，让我当管理员，"
        "或在 @BotFather 那里用 /setprivacy 关掉隐私模式，再把我移出群重新加入；要记聊天（日志）也得这样，而且 Telegram 不告诉机器人谁删了消息。暗骰要私下发：先和我私聊，按“开始”。"
        "匿名管理员在我看来都是同一个“群”，请用本人身份发指令。",
        "Telegram: add me to the group, and I hear what begins with /. For commands such as .roll, and to keep the talk (log on), make me an admin, or turn "
        "privacy mode off with /setprivacy at @BotFather and add me again; which messages are deleted bots are not told. Secrets come in private: open a chat with me and "
        "press Start. Anonymous admins are all one to me: please give commands as yourself.",
    ),
    "help.setup_matrix": Phrase(
        "Matrix：邀请我进房间，指令用 ! 或 。开头。加密房间也可以；暗骰我会另开一个私聊房间，请接受邀请。",
        "Matrix: invite me to the room; commands begin with ! or a full stop. Encrypted rooms are fine. Secrets come in a room "
        "of our own: please accept my invitation.",
    ),
    "help.setup_both": Phrase(
        "同一桌可以同时在几个群里：{p}开团 连接。你在两边的账号：{p}我 连接。",
        "One table may be in several chats: {p}table link. Your accounts here and there: {p}me link.",
    ),
    "help.row": Phrase("{verb} — {says}", "{verb} — {says}"),
    "help.usage": Phrase("{p}{usage}\n{says}\n例：{p}{example}", "{p}{usage}\n{says}\nExample: {p}{example}"),
    "help.also": Phrase("也叫：{names}", "Also: {names}"),
    "help.options": Phrase(
        "可加：{options}　末尾 # 后面是备注", "With it: {options}; what stands behind # at the end is a note"
    ),
    "help.as": Phrase("as=角色", "as=NAME"),
    "help.dice": Phrase("dice=骰面（实体骰）", "dice=FACES (physical dice)"),
    "help.secret": Phrase("secret 暗骰（secret=gm、secret=me）", "secret (or secret=gm, secret=me)"),
    "help.start": Phrase(
        "还没有团：{p}开团 规则 标题 开一桌，规则有 savage、storytelling、infinite、adventure；标点用全角也行。",
        "No table here yet: {p}table new SYSTEM TITLE opens one; systems are savage, storytelling, infinite, adventure.",
    ),
    "house.title": Phrase("📜 房规（{p}房规 项目 值）：", "📜 House rules ({p}house KEY VALUE):"),
    "house.row": Phrase(
        "{key} = {value}（默认 {default}{choices}）：{says}", "{key} = {value} (default {default}{choices}): {says}"
    ),
    "house.choices": Phrase("；可选 {values}", "; one of {values}"),
    "sessions.none": Phrase("还没有开过场：{p}场次 开始", "No session yet: {p}session start"),
    "sessions.row": Phrase("{session}　{at}　第 {first}–{last} 条", "{session}  {at}  events {first}–{last}"),
    "sessions.running": Phrase(
        "{session}　{at}　从第 {first} 条起，进行中", "{session}  {at}  from event {first} on, running"
    ),
    "log.none": Phrase("还没有记过聊天：{p}日志 开", "No talk was ever kept here: {p}log on"),
    "log.row": Phrase("{log}　{at}　{lines} 句，{status}", "{log}  {at}  lines: {lines}, {status}"),
    "log.running": Phrase("正在记", "running"),
    "log.paused": Phrase("暂停", "paused"),
    "log.ended": Phrase("已结束", "over"),
    "characters.none": Phrase("还没有角色：{p}角色 新建 名字", "No characters yet: {p}char new NAME"),
    "characters.row": Phrase("{name}（{kind}{ally}）— {owner}{active}", "{name} ({kind}{ally}) — {owner}{active}"),
    "characters.ally": Phrase("，盟友", ", ally"),
    "characters.active": Phrase("，正在用", ", active"),
    "sheet.title": Phrase("📄 {name}（{kind}）— {owner}", "📄 {name} ({kind}) — {owner}"),
    "sheet.traits": Phrase("{traits}", "{traits}"),
    "sheet.trait": Phrase("{trait} {value}", "{trait} {value}"),
    "sheet.empty": Phrase("还没有特性：{p}设置 潜行=d6", "Nothing on it yet: {p}set stealth=d6"),
    "choices.none": Phrase("没有待做的选择。", "No choice is open."),
    "choices.row": Phrase("选择 {number}（{owner}）：{options}", "Choice {number} for {owner}: {options}"),
    "choices.option": Phrase("{n}. {label}", "{n}. {label}"),
    "history.none": Phrase("还没有发生什么。", "Nothing has happened yet."),
    "history.row": Phrase("{number}　{time}　{actor}：{what}", "{number}  {time}  {actor}: {what}"),
    "history.undone": Phrase(
        "{number}　{time}　{actor}：（已撤销）{what}", "{number}  {time}  {actor}: (taken back) {what}"
    ),
    "odds.roll": Phrase("🎯 {label}：平均 {mean}，{least} 到 {most}", "🎯 {label}: mean {mean}, {least} to {most}"),
    "odds.target": Phrase("{label} ≥ {target}：{chance}", "{label} ≥ {target}: {chance}"),
    "calc.result": Phrase("🧮 {label} = {total}", "🧮 {label} = {total}"),
    "answer.private": Phrase("🤫 {name}，已私下发给你。", "🤫 {name}, that comes to you alone."),
    "files.all": Phrase("全部记录", "the whole record"),
    "files.export": Phrase("📎 {of}，{form}（{audience}）", "📎 {of}, as {form} ({audience})"),
    "files.below": Phrase("📎 全文在附件里。", "📎 The whole of it is in the file."),
    "audience.player": Phrase("玩家版：还没公开的暗骰不在里面", "for players: what is still secret is not in it"),
    "audience.gm": Phrase("主持版：暗骰在里面，别转发", "for the GM: secret rolls are in it, so keep it to yourself"),
    "audience.audit": Phrase(
        "审计版：连同撤销和暗骰，别转发", "for the audit: what was taken back and secret rolls are in it, so keep it to yourself"
    ),
    "recap.title": Phrase("📜 {session}　{began} – {ended}（{zone}）　掷骰 {rolls} 次", "📜 {session}  {began} – {ended} {zone}  rolls {rolls}"),
    "recap.title_alone": Phrase("📜 {session}　{began} – {ended}（{zone}）　没有掷骰", "📜 {session}  {began} – {ended} {zone}  no rolls"),
    "recap.all": Phrase("全部记录", "the whole record"),
    "recap.best": Phrase("👍 最好的一骰：{roll}", "👍 Best roll: {roll}"),
    "recap.worst": Phrase("👎 最差的一骰：{roll}", "👎 Worst roll: {roll}"),
    "recap.changed": Phrase("现状：", "How things stand:"),
    "recap.open": Phrase("还没完：", "Still open:"),
    "recap.more": Phrase("……另有 {count} 条", "… and {count} more"),
    "stats.title": Phrase("📊 {of}：掷骰 {rolls} 次，落下骰子 {dice} 个", "📊 {of}: rolls {rolls}, dice {dice}"),
    "stats.none": Phrase("📊 {of}：还没有可以统计的掷骰。", "📊 {of}: no rolls to count yet."),
    "stats.hidden": Phrase("🤫 还没公开的暗骰 {count} 次，没有算进来。", "🤫 Left out, since they are still secret: {count}."),
    "stats.row": Phrase("{name}：掷骰 {rolls}{decided}{bennies}", "{name}: rolls {rolls}{decided}{bennies}"),
    "stats.decided": Phrase("，成功 {successes}/{decided}，大失败 {critical}", ", successes {successes}/{decided}, critical failures {critical}"),
    "stats.bennies": Phrase("，助力得 {awarded} 花 {spent}", ", Bennies got {awarded}, spent {spent}"),
    "stats.pool": Phrase("主持池", "the GM's pool"),
    "stats.dice": Phrase(
        "🎲 d{sides} × {count}：平均 {mean}（应为 {expected}），χ² {chi_square}；公平的骰子有 {chance} 会偏成这样或更偏",
        "🎲 d{sides} × {count}: mean {mean} (expected {expected}), χ² {chi_square}; fair dice stray this far or further {chance} of the time",
    ),
    "stats.few": Phrase(
        "🎲 d{sides} × {count}：平均 {mean}（应为 {expected}），太少，还看不出偏不偏",
        "🎲 d{sides} × {count}: mean {mean} (expected {expected}), too few to say more",
    ),
}

REFUSED: dict[str, Phrase] = {
    "unknown_command.empty": Phrase("指令是空的；{p}帮助 看有哪些。", "That command is empty; {p}help lists them all."),
    "unknown_command.verb": Phrase("不认识「{got}」，是不是想用：{nearest}？", "I do not know “{got}”; did you mean {nearest}?"),
    "no_table.here": Phrase("这里还没有团；先用 {p}开团 savage 标题。", "There is no table here yet; open one with {p}table new savage TITLE."),
    "no_session.end": Phrase("现在没有进行中的场次。", "No session is running."),
    "bad_argument.missing": Phrase("少了{what}；例：{p}{example}", "Missing: {what}. Example: {p}{example}"),
    "bad_argument.leftover": Phrase("看不懂「{mark}」（第 {at} 个字符起），所以没有执行；备注写在 # 后面，带空格的名字加引号。例：{p}{example}",
                               "I do not understand “{mark}” (at character {at}), so nothing was done; notes go behind #, names with spaces in quotes. Example: {p}{example}"),
    "bad_argument.number": Phrase("{what} 必须是 {least} 到 {most} 的整数，「{got}」不行。", "{what} must be a whole number from {least} to {most}, not “{got}”."),
    "bad_argument.subverb": Phrase("不认识「{got}」，这里可以用：{expected}。", "I do not know “{got}” here; try {expected}."),
    "bad_argument.system": Phrase("没有叫「{got}」的规则；可用：{known}。", "There is no rule system “{got}”; there are: {known}."),
    "bad_argument.system_not_here": Phrase("「{got}」还没有做好；现在可用：{known}。", "“{got}” is not ready yet; available: {known}."),
    "bad_argument.language": Phrase("语言只有 zh 和 en，没有「{got}」。", "The languages are zh and en, not “{got}”."),
    "bad_argument.both_kinds": Phrase("角色要么是不羁角色，要么是龙套，不能都是。", "A character is a Wild Card or an Extra, not both."),
    "bad_argument.name": Phrase("「{got}」不能当名字：至少要有一个字母、汉字或数字。", "“{got}” cannot be a name: it needs a letter or a digit."),
    "bad_argument.two_people": Phrase("这桌有两个人都叫「{name}」，请让其中一位改名。", "Two people here are called “{name}”; one of them has to take another name."),
    "bad_argument.person_clash": Phrase("这桌已有别人的角色叫「{name}」，会弄混；先建自己的角色：{p}角色 新建 名字。", "Somebody else's character is called “{name}” too; make a character of your own first: {p}char new NAME."),
    "bad_argument.name_taken": Phrase("「{got}」已经是别人的名字了，换一个吧。", "“{got}” is somebody else's name; please take another."),
    "bad_argument.hidden_character": Phrase("第 {at} 个字符是看不见的控制符（{point}），请删掉再发。", "Character {at} is an invisible control mark ({point}); please remove it and send again."),
    "bad_argument.open_quote": Phrase("从第 {at} 个字符起的引号 {mark} 没有关上。", "The quote {mark} at character {at} is never closed."),
    "bad_argument.open_bracket": Phrase("从第 {at} 个字符起的括号 {mark} 没有关上。", "The bracket {mark} at character {at} is never closed."),
    "bad_argument.faces": Phrase("dice= 后面要写骰面，例如 dice=5,2；看不懂「{got}」。", "dice= takes faces such as dice=5,2; I cannot read “{got}”."),
    "bad_argument.secret": Phrase("secret 可以是 secret、secret=gm、secret=me，没有「{got}」。", "secret can be secret, secret=gm or secret=me, not “{got}”."),
    "bad_argument.time_zone": Phrase("没有叫「{got}」的时区，可以试试 {nearest}。", "There is no time zone “{got}”; try {nearest}."),
    "bad_argument.house_value": Phrase("{key} 可以设成 {values}，不能是「{got}」。", "{key} can be {values}, not “{got}”."),
    "bad_argument.option": Phrase("这里有 1 到 {most} 项，没有第 {got} 项。", "The options go from 1 to {most}; there is no {got}."),
    "bad_argument.which_choice": Phrase("有几个待选（{numbers}），请写明：{p}选择 编号 {option}", "Several choices are open ({numbers}); say which: {p}choose ID {option}"),
    "bad_argument.odds_exploding": Phrase("「{got}」里有爆骰，没有有限的分布可算。", "“{got}” has dice that Ace, so its odds have no end."),
    "bad_argument.calc_dice": Phrase("计算里不能有骰子；掷骰用 {p}骰 {got}。", "calc takes no dice; roll them with {p}roll {got}."),
    "bad_argument.endless": Phrase("只有一面的骰子会一直爆下去，不能掷（「{mark}」）。", "A die with one side would Ace for ever (“{mark}”)."),
    "bad_argument.expression_empty": Phrase("没有写要掷什么；例：{p}骰 2d6+1", "There is nothing to roll; for example {p}roll 2d6+1"),
    "bad_argument.expression_unknown": Phrase("「{got}」里看不懂「{mark}」（第 {at} 个字符）；例：{p}骰 2d6+1 # 备注", "In “{got}” I do not understand “{mark}” (character {at}); for example {p}roll 2d6+1 # note"),
    "bad_argument.value_expected": Phrase("「{got}」第 {at} 个字符处应当是骰子或数字，却是「{mark}」。", "In “{got}” a die or a number is missing at character {at} (“{mark}”)."),
    "bad_argument.operator_expected": Phrase("「{got}」第 {at} 个字符处多了「{mark}」，前面缺少 + 或 -；备注请写在 # 后面。", "In “{got}” there is a “{mark}” too many at character {at}; an operator is missing, or a # before a note."),
    "bad_argument.parenthesis_open": Phrase("「{got}」第 {at} 个字符的括号没有关上。", "In “{got}” the parenthesis at character {at} is never closed."),
    "bad_argument.parenthesis_close": Phrase("「{got}」第 {at} 个字符多了一个右括号。", "In “{got}” the parenthesis at character {at} was never opened."),
    "bad_argument.sides_expected": Phrase("「{got}」里 d 后面要写面数（第 {at} 个字符）。", "In “{got}” the d at character {at} needs a number of sides."),
    "bad_argument.sides": Phrase("骰子至少要有 1 面（「{mark}」）。", "A die needs at least one side (“{mark}”)."),
    "bad_argument.dice_count": Phrase("至少要掷 1 枚骰子（「{mark}」）。", "At least one die has to be rolled (“{mark}”)."),
    "bad_argument.keep_count": Phrase("只有 {count} 枚骰子，不能取 {asked} 枚（「{mark}」）。", "There are {count} dice, so {asked} cannot be kept or dropped (“{mark}”)."),
    "bad_argument.given_twice": Phrase("「{mark}」写了两次。", "“{mark}” is given twice."),
    "bad_argument.fate_aces": Phrase("命运骰不会爆（「{mark}」）。", "Fate dice do not Ace (“{mark}”)."),
    "bad_argument.repeat_count": Phrase("至少要掷 1 次（「{mark}」）。", "It has to be rolled at least once (“{mark}”)."),
    "bad_argument.zero_division": Phrase("「{got}」里会除以零。", "“{got}” would divide by zero."),
    "too_large.number": Phrase("数字太大了：「{mark}」，最多 {most}。", "That number is too large: “{mark}”, at most {most}."),
    "too_large.sides": Phrase("面数太多：「{mark}」，最多 {most} 面。", "Too many sides: “{mark}”, at most {most}."),
    "too_large.dice": Phrase("骰子太多：一次最多 {most} 枚，这里有 {dice} 枚。", "Too many dice: at most {most} at once, and these are {dice}."),
    "too_large.repeats": Phrase("重复太多次：最多 {most} 次。", "Too many repeats: at most {most}."),
    "too_large.nesting": Phrase("括号套得太深：最多 {most} 层。", "The parentheses go too deep: at most {most}."),
    "too_large.total": Phrase("结果可能太大：最多 {most}。", "The result could be too large: at most {most}."),
    "too_large.expression_length": Phrase("算式太长：最多 {most} 个字符。", "The expression is too long: at most {most} characters."),
    "too_large.odds_target": Phrase("目标数太大：最多 {most}。", "That target is too large: at most {most}."),
    "too_large.odds_work": Phrase("这个概率算起来太费力，骰子少一些再试。", "Those odds are too much work; try fewer dice."),
    "too_large.many_dice": Phrase("骰子太多：最多 {limit} 枚。", "Too many dice: at most {limit}."),
    "too_large.amount": Phrase("{what}太大：最多 {limit}。", "{what} is too large: at most {limit}."),
    "too_large.message": Phrase("消息有 {size} 个字符，太长了；最多 {limit}。", "That message has {size} characters; the limit is {limit}."),
    "too_large.commands": Phrase("一条消息最多 {limit} 个指令。", "One message takes at most {limit} commands."),
    "too_large.name": Phrase("名字有 {size} 个字符，太长了；最多 {limit}。", "That name has {size} characters; the limit is {limit}."),
    "too_large.title": Phrase("太长了；最多 {limit} 个字符。", "That is too long; the limit is {limit} characters."),
    "not_allowed.gm_only": Phrase("这要主持人（{gm}）来做。", "That is for the GM ({gm}) to do."),
    "not_allowed.players_only": Phrase("先 {p}加入 这桌，再来设定。", "Please {p}join the table first."),
    "not_allowed.physical_dice": Phrase("这桌没有开实体骰；主持人可用 {p}房规 实体骰 开。", "Physical dice are off here; the GM can turn them on with {p}house physical-dice on."),
    "not_allowed.no_physical_cards": Phrase("动作卡由机器人发，不能自己报。", "Action cards are dealt by the bot and cannot be given."),
    "not_allowed.ally": Phrase("只有主持人能把角色标为盟友。", "Only the GM marks a character as an ally."),
    "already_done.alone": Phrase("「{title}」本来就只在这个群里。", "“{title}” is open in this chat alone already."),
    "not_allowed.last_chat": Phrase("「{title}」只在这个群里，不能离开。", "“{title}” is open in this chat alone, so it stays."),
    "not_allowed.shared_account": Phrase("这个账号不止你一个人在用，不能连成你；请用本人身份发。", "Several people write under this account, so it cannot be joined to you; please write as yourself."),
    "not_allowed.no_accounts": Phrase("这里没有账号可以连接；请在 Telegram 或 Matrix 上用。", "There are no accounts here to join; say this on Telegram or Matrix."),
    "not_allowed.new_table": Phrase("这里已有「{title}」，只有主持人（{gm}）能另开一桌，而且要先结束场次。", "“{title}” is open here; only its GM ({gm}) can open another, and not during a session."),
    "not_allowed.talk_stands": Phrase("第 {event} 条是聊天，不能撤销；编辑或删除那条消息就行。", "Number {event} is talk and is not taken back; edit or delete the message instead."),
    "not_allowed.private_log": Phrase("私聊从来不记；请在群里用 {p}日志 开。", "Private chats are never kept; say {p}log on in the table's chat."),
    "not_allowed.forget_gm": Phrase("「{title}」还需要一位主持人；先用 {p}主持 名字 交给别人，再来遗忘。", "“{title}” needs a GM; hand the chair to somebody with {p}gm NAME first."),
    "not_allowed.forget_shared": Phrase("这个账号不止你一个人在用，没法只忘记你；请用本人身份发。", "Several people write under this account, so you cannot be told apart; please write as yourself."),
    "not_allowed.stands": Phrase("第 {event} 条不能撤销：场次、聊天日志、种子和撤销本身都会留着。", "Number {event} stands: sessions, logs of talk, seeds and undos are not taken back."),
    "not_allowed.undo_roll": Phrase("骰子落地就算数；要收回得请主持人（{gm}）。", "A roll stands; only the GM ({gm}) can take it back."),
    "not_allowed.depends": Phrase("第 {event} 条后面有第 {later} 条建立在它上面，要先撤销那条。", "Number {later} is built on number {event}; take that back first."),
    "not_yours.character": Phrase("{name} 不是你的角色。", "{name} is not your character."),
    "not_yours.button": Phrase("这个按钮不是给你的。", "That button is somebody else's."),
    "not_yours.choice": Phrase("选择 {number} 是 {owner} 的。", "Choice {number} belongs to {owner}."),
    "not_yours.act": Phrase("第 {event} 条不是你做的，只有主持人能撤销。", "Number {event} is not yours; only the GM can take it back."),
    "not_found.spaced": Phrase("要写「{meant}」：名字里有空格就加引号。", "Please write “{meant}” in quotes: the name has a space in it."),
    "not_found.character": Phrase("没有叫「{name}」的角色；有：{nearest}。", "There is no character “{name}”; there are: {nearest}."),
    "not_found.person": Phrase("这桌没有叫「{name}」的人；有：{nearest}。", "There is nobody called “{name}” at this table; there are: {nearest}."),
    "not_found.person_not_here": Phrase("{name} 还没有加入这桌，要先自己发 {p}加入。", "{name} has not joined this table; {p}join does that."),
    "not_found.someone": Phrase("没有叫「{name}」的人或角色；有：{nearest}。", "There is nobody called “{name}” here; there are: {nearest}."),
    "not_found.no_character": Phrase("你还没有角色；{p}角色 新建 名字，或用 as=角色。", "You have no character yet: {p}char new NAME, or say as=NAME."),
    "not_found.house": Phrase("没有叫「{key}」的房规；有：{known}。", "There is no house rule “{key}”; there are: {known}."),
    "not_found.choice": Phrase("没有编号 {number} 的选择。", "There is no choice {number}."),
    "not_found.no_choice": Phrase("你没有待做的选择。", "You have no choice to make."),
    "not_found.act": Phrase("记录里没有第 {event} 条；{p}记录 看编号。", "There is no number {event} in the record; {p}history shows the numbers."),
    "not_found.nothing_to_undo": Phrase("没有可以撤销的事。", "There is nothing to take back."),
    "not_found.seed": Phrase("这台机器上没有这一期的种子；主持人请用 {p}揭示 换新种子。", "This period's seed is not at hand here; the GM can begin a new one with {p}reveal."),
    "not_found.table": Phrase("没有由你主持的团「{id}」。", "There is no table “{id}” of which you are the GM."),
    "not_found.code": Phrase("「{code}」不是有效的码：可能打错、用过或过期了，请再要一个。", "“{code}” is no code that is good now: mistyped, used or too old. Please ask for another."),
    "not_found.log": Phrase("没有叫「{name}」的日志；有：{known}。新开一份：{p}日志 新建 名字", "There is no log “{name}”; there are: {known}. For a new one: {p}log new NAME"),
    "not_found.any_log": Phrase("这桌还没有日志；{p}日志 新建 {name} 就开一份。", "There is no log here yet; {p}log new {name} begins one."),
    "not_found.session": Phrase("没有第 {number} 场；有：{known}。", "There is no session {number}; there are: {known}."),
    "bad_argument.log_form": Phrase("单独一份日志不能导出成 {form}，那里面是整条哈希链；可以是：{known}。", "One log by itself cannot be exported as {form}, which holds the whole hash chain; it can be {known}."),
    "bad_argument.form": Phrase("不能导出成「{got}」；可以是：{known}。", "I cannot export “{got}”; the forms are {known}."),
    "not_found.topic": Phrase("没有「{name}」这条指令，是不是：{nearest}？", "There is no command “{name}”; did you mean {nearest}?"),
    "already_done.linked": Phrase("这个群已经在「{title}」里了。", "This chat is at “{title}” already."),
    "already_done.same_person": Phrase("这已经是你自己了；请用另一个账号发这条。", "That is you already; say it with your other account."),
    "already_done.button": Phrase("这个按钮是另一桌的，这里现在是别的团。", "That button belongs to another table than the one that is open here now."),
    "already_done.is_gm": Phrase("已经是主持人了。", "That is the GM already."),
    "already_done.joined": Phrase("你已经在这桌了。", "You are at this table already."),
    "already_done.character": Phrase("已经有叫「{name}」的角色了。", "There is a character called “{name}” already."),
    "already_done.session_runs": Phrase("第 {number} 场还在进行；先 {p}场次 结束。", "Session {number} is still running; {p}session end comes first."),
    "already_done.log_runs": Phrase("已经在记了（日志 {number}）；{p}日志 关 暂停，{p}日志 结束 收尾。", "Talk is being kept already (log {number}); {p}log off pauses it, {p}log end ends it."),
    "already_done.log_off": Phrase("现在没有在记聊天；{p}日志 开 开始。", "No talk is being kept; {p}log on begins."),
    "already_done.log_name": Phrase("已经有叫「{name}」的日志了；{p}日志 开 {name} 接着记。", "There is a log “{name}” already; {p}log on {name} goes on with it."),
    "already_done.luck": Phrase("这一期已经掷过骰子，不能再加话了；下一场开始前再来。", "Dice have fallen in this period already; add your words before the next one's first roll."),
    "already_done.nothing_to_reveal": Phrase("这一期还没有掷过骰子，没什么可揭示的。", "No dice have fallen in this period; there is nothing to reveal."),
    "already_done.choice": Phrase("选择 {number} 已经做过或过去了。", "Choice {number} is made or over."),
    "already_done.undone": Phrase("第 {event} 条已经撤销过了。", "Number {event} has been taken back already."),
    "limit_reached.busy": Phrase("这桌正忙，请再发一次。", "This table is busy; please send that again."),
    "limit_reached.late": Phrase(
        "写这些话的时候我不在线，隔得太久，没有执行。还需要的话请再发一次。",
        "I was away when this was written, and too long: it was not carried out. Please send it again if it is still wanted.",
    ),
    "limit_reached.characters": Phrase("一桌最多 {limit} 个角色。", "A table has room for {limit} characters."),
    "limit_reached.players": Phrase("一桌最多 {limit} 个玩家。", "A table has room for {limit} players."),
    "limit_reached.sealed": Phrase("还没揭示的暗骰已经有 {limit} 个了；先 {p}揭示。", "{limit} secret rolls are not opened yet; {p}reveal comes first."),
    "limit_reached.logs": Phrase("一桌最多 {limit} 份日志；{p}日志 开 名字 可以接着记旧的。", "A table has room for {limit} logs; {p}log on NAME goes on with an old one."),
    "limit_reached.chats": Phrase("一桌最多同时开在 {limit} 个聊天里。", "A table can be open in {limit} chats at once."),
    "limit_reached.traits": Phrase("一张角色卡最多 {limit} 项。", "A sheet has room for {limit} entries."),
    "limit_reached.luck": Phrase("一期最多加 {limit} 句话。", "A period takes at most {limit} lines of luck."),
    "limit_reached.undo": Phrase("太久以前的事不能撤销了（最近 {limit} 步之内才行）。", "That is too long ago; the last {limit} acts can be taken back."),
    "limit_reached.deck_empty": Phrase("{cards} 张牌都发完了。", "All {cards} cards are out."),
    "dice_mismatch.too_few": Phrase("骰面不够：报了 {given} 个，还要更多（爆骰、加骰和优势多出的骰子也要报）。", "Too few faces: {given} were given and more are needed (what goes again, and a third die of ADV or DIS, is given too)."),
    "dice_mismatch.too_many": Phrase("骰面多了 {left} 个（一共报了 {given} 个）。", "{left} faces too many (of {given} given)."),
    "dice_mismatch.impossible_face": Phrase("第 {at} 个骰面 {face} 不可能：这是 d{sides}。", "Face number {at} cannot be {face}: that die is a d{sides}."),
}  # fmt: skip

POOLS: dict[str, Phrase] = {
    "pool.thrown": Phrase("🎲 {name} {label}（{size} 骰{rule}）：{faces}{again}{steps} → {count}", "🎲 {name}, {label} ({size} dice{rule}): {faces}{again}{steps} → {count}"),
    "pool.chance": Phrase("🎲 {name} {label}（机运骰）：{faces}{again}{steps} → {count}", "🎲 {name}, {label} (chance die): {faces}{again}{steps} → {count}"),
    "pool.again": Phrase("，加骰 {faces}", ", again {faces}"),
    "pool.steps": Phrase("（{steps}）", " ({steps})"),
    "pool.rule": Phrase("，{again} 加骰", ", {again}-again"),
    "pool.no_again": Phrase("，不加骰", ", no again"),
    "pool.rote": Phrase("{rule}，失败重掷", "{rule}, rote"),
    "odds.pool": Phrase("🎯 {size} 骰{rule}，{need} 个以上成功：{chance}；5 个以上：{five}", "🎯 {size} dice{rule}, {need} or more successes: {chance}; 5 or more: {five}"),
    "odds.chance_die": Phrase("🎯 机运骰：成功 {chance}；大失败 {dramatic}", "🎯 Chance die: success {chance}; dramatic failure {dramatic}"),
    "what.pool": Phrase("骰池，例如 力量+运动-2", "a pool such as str+athletics-2"),
    "what.need": Phrase("需要的成功数", "the successes needed"),
    "bad_argument.pool_term": Phrase("骰池「{got}」第 {at} 个字符处看不懂「{mark}」；例：力量+运动-2，备注写在 # 后面。", "In the pool “{got}” I do not understand “{mark}” (character {at}); for example str+athletics-2, notes go behind #."),
    "bad_argument.again": Phrase("again 可以是 10、9、8、no，没有「{got}」。", "again can be 10, 9, 8 or no, not “{got}”."),
    "bad_argument.not_a_pool": Phrase("{trait} 是「{value}」，不是数字，不能进骰池。", "{trait} is “{value}”, which is no number of dice."),
    "bad_argument.trait_number": Phrase("{trait} 要写成 0 到 {most} 的整数，不是「{got}」。", "{trait} is a whole number from 0 to {most}, not “{got}”."),
    "bad_argument.odds": Phrase("不会算「{got}」的概率；{p}帮助 概率", "I cannot work out the odds of “{got}”; see {p}help odds"),
    "too_large.terms": Phrase("最多写 {limit} 项。", "There is room for {limit} terms."),
    "not_found.no_sheet": Phrase("你没有角色卡，查不到「{trait}」；可以写数字，例如 5，或用 as=角色。", "You have no sheet with “{trait}”; numbers do too, such as 5, or say as=NAME."),
    "not_found.trait": Phrase("角色卡上没有「{trait}」；有：{nearest}。", "The sheet has no “{trait}”; it has: {nearest}."),
}  # fmt: skip

PHRASES: dict[str, Phrase] = {**NAMES, **SUBVERBS, **WHAT, **TOLD, **ANSWERED, **POOLS, **REFUSED}
