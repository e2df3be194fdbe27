"""Every sentence that only Matrix needs, Chinese and English side by side.

Here: Phrases and nothing else. Never: what the bot says elsewhere too (that comes from core) or code.
"""

from __future__ import annotations

from core.language import Phrase, PhraseBook

HELLO = Phrase(
    "大家好，我是 {bot}，来帮大家掷骰。发“。帮助”看我会什么，发“。开团 savage 冰川”就能开一张桌。",
    "Hello, I am {bot} and roll dice for your table. Write `!help` to see what I can do, "
    "and `!table new savage Glacier` to open a table.",
)
INVITED = Phrase(
    "{name}，有话只能对你一个人说：接受我发给你的私聊邀请，我就发给你。",
    "{name}, I have something for you alone: accept my invitation to a direct chat, and you get it.",
)
NOT_INVITED = Phrase(
    "{name}，有话只能对你一个人说，但我没能邀请你私聊：请你开一个和我的私聊，我就发给你。",
    "{name}, I have something for you alone, but could not invite you: open a direct chat with me, and you get it.",
)
UNSENT = Phrase(
    "文件没能发出来，请再要一次，或者换一种格式。",
    "The file could not be sent; please ask for it once more, or in another form.",
)
UNREADABLE = Phrase(
    "{name}，你的消息我读不了：没有收到它的密钥。请再发一次；还不行的话，请在客户端里允许给未验证的设备发密钥。",
    "{name}, I cannot read your message: its key has not reached me. Please write it again; if that does not help, "
    "let your client send keys to devices that are not verified.",
)
DEAF = Phrase(
    "我的密钥丢了，这里加密的消息我一条也读不了，要等管理我的人让我重新登录。在那之前，我在不加密的房间里照常工作。",
    "My keys are lost: I cannot read anything encrypted here until whoever runs me logs me in anew. "
    "Until then I work as usual in rooms without encryption.",
)
RENEWED = Phrase(
    "我的密钥丢了，现在换了新的：之前没有回答的消息我读不了，请再发一次。",
    "My keys were lost and I have new ones now: what I have not answered I cannot read, so please write it again.",
)

# What `rollbook doctor` finds at the homeserver and in the store; under `key.do`, what to do about it.
CHECKUP: PhraseBook = {
    "reached": Phrase("Matrix：{homeserver} 有回应", "Matrix: {homeserver} answers"),
    "unreached": Phrase("Matrix：{homeserver} 连不上：{why}", "Matrix: {homeserver} cannot be reached: {why}"),
    "unreached.do": Phrase(
        "看看网络，以及 matrix.homeserver 写得对不对",
        "look at the network, and at matrix.homeserver",
    ),
    "no_homeserver": Phrase("Matrix：{homeserver} 不是 Matrix 服务器", "Matrix: {homeserver} is no Matrix homeserver"),
    "no_homeserver.do": Phrase(
        "matrix.homeserver 要写客户端用的地址，比如 https://matrix.example.org",
        "matrix.homeserver is the address that clients use, such as https://matrix.example.org",
    ),
    "known": Phrase(
        "Matrix：登录有效，账号是 {user}，设备 {device}",
        "Matrix: the login is known: {user}, device {device}",
    ),
    "other_user": Phrase(
        "Matrix：matrix.access_token 是 {user} 的，不是 matrix.user 的",
        "Matrix: matrix.access_token belongs to {user}, not to matrix.user",
    ),
    "other_user.do": Phrase("换成同一个账号的令牌或用户名", "let token and user be of one account"),
    "token": Phrase(
        "Matrix：服务器不认识 matrix.access_token",
        "Matrix: the homeserver does not know matrix.access_token",
    ),
    "token.do": Phrase(
        "重新登录一次，换上新的令牌；也可以改用 matrix.password",
        "log in once more and set the new token, or set matrix.password instead",
    ),
    "run_out": Phrase("Matrix：保存的登录已经失效", "Matrix: the login that was kept has run out"),
    "run_out.do": Phrase(
        "重新启动 rollbook serve，它会用 matrix.password 再登录",
        "start rollbook serve anew: it logs in by matrix.password",
    ),
    "not_entered": Phrase(
        "Matrix：还没有登录过；rollbook serve 第一次启动时会用 matrix.password 登录（密码要到那时才知道对不对）",
        "Matrix: not logged in yet; the first start of rollbook serve does it, and tries matrix.password only then",
    ),
    "refused": Phrase("Matrix：服务器不回答这个账号：{code}", "Matrix: the homeserver refuses this account: {code}"),
    "refused.do": Phrase("过一会儿再试，或者问服务器的管理员", "try again later, or ask who runs the homeserver"),
    "encryption": Phrase("Matrix：能加密（matrix-nio[e2e] 已安装）", "Matrix: encryption is there (matrix-nio[e2e])"),
    "no_encryption": Phrase(
        "Matrix：缺少加密的库，读不了加密的房间",
        "Matrix: the encryption library is missing, so encrypted rooms cannot be read",
    ),
    "no_encryption.do": Phrase(
        "pip install 'matrix-nio[e2e]'，或者设置 matrix.encryption = false",
        "pip install 'matrix-nio[e2e]', or set matrix.encryption = false",
    ),
    "no_pickle_key": Phrase(
        "Matrix：没有设置 matrix.pickle_key，存着的密钥谁拿到都能打开",
        "Matrix: matrix.pickle_key is not set, so whoever gets the stored keys can open them",
    ),
    "no_pickle_key.do": Phrase(
        "下次换新设备时设一个（已有的密钥打不开：先删掉 {folder}，机器人就会换一个新设备）",
        "set one for the bot's next device: it opens no keys that are there, but without {folder} new ones are made",
    ),
    "store": Phrase(
        "Matrix：密钥放在 {folder}，只有主人能读",
        "Matrix: the keys' folder is {folder}, its owner's alone",
    ),
    "store_new": Phrase(
        "Matrix：密钥的文件夹 {folder} 还没有，第一次启动时会建好",
        "Matrix: the keys' folder {folder} is not there yet; the first start makes it",
    ),
    "store_open": Phrase(
        "Matrix：其他用户也能进 {folder}，密钥在那里",
        "Matrix: others can get at the keys in {folder}",
    ),
    "store_open.do": Phrase("chmod 700 {folder}", "chmod 700 {folder}"),
    "store_unwritable": Phrase(
        "Matrix：密钥的文件夹 {folder} 不能写",
        "Matrix: the keys' folder {folder} is not writable",
    ),
    "store_unwritable.do": Phrase(
        "让运行 Rollbook 的用户能写它，或者用 matrix.store 换个地方",
        "let the user who runs Rollbook write there, or name another folder with matrix.store",
    ),
    "keys": Phrase(
        "Matrix：设备 {device} 的密钥在，打得开，和服务器上的一致",
        "Matrix: the keys of device {device} open, and are those that the server knows",
    ),
    "keys_new": Phrase(
        "Matrix：设备 {device} 还没有密钥，下次启动时会做好",
        "Matrix: device {device} has no keys yet; the next start makes them",
    ),
    "keys_unpublished": Phrase(
        "Matrix：设备 {device} 的密钥在，打得开，下次启动时会交给服务器",
        "Matrix: the keys of device {device} open; the next start gives them to the server",
    ),
    "sealed": Phrase(
        "Matrix：matrix.pickle_key 打不开 {folder} 里的密钥",
        "Matrix: matrix.pickle_key does not open the keys in {folder}",
    ),
    "sealed.do": Phrase(
        "换回做密钥时用的那个；找不回来的话，删掉 {folder}、换一个新的登录",
        "set the one that they were made with; if it is lost, remove {folder} and log in anew",
    ),
    "keys_unreadable": Phrase(
        "Matrix：{folder} 里的密钥读不了：{why}",
        "Matrix: the keys in {folder} cannot be read: {why}",
    ),
    "keys_unreadable.do": Phrase(
        "看看文件的权限；坏了的话从备份恢复，或者换一个新的登录",
        "look at the rights of the file; if it is damaged, restore a backup or log in anew",
    ),
    "deaf": Phrase(
        "Matrix：设备 {device} 的密钥丢了，加密的消息一条也读不了",
        "Matrix: the keys of device {device} are lost: nothing that is encrypted can be read",
    ),
    "deaf.do": Phrase("重新登录，换上新的 matrix.access_token", "log in anew and set the new matrix.access_token"),
    "keys_lost": Phrase(
        "Matrix：设备 {device} 的密钥丢了，加密的消息一条也读不了",
        "Matrix: the keys of device {device} are lost: nothing that is encrypted can be read",
    ),
    "keys_lost.do": Phrase(
        "重新启动 rollbook serve，它会作为新设备登录", "start rollbook serve anew: it logs in as a new device"
    ),
    "rooms": Phrase(
        "Matrix：在 {joined} 个房间里，有 {invited} 个邀请等着",
        "Matrix: rooms: {joined}, invitations waiting: {invited}",
    ),
    "rooms_unknown": Phrase("Matrix：没能看到有哪些房间：{why}", "Matrix: the rooms could not be looked at: {why}"),
    "rooms_unknown.do": Phrase("过一会儿再试", "try again later"),
    "locked_out": Phrase(
        "Matrix：{count} 个房间是加密的，而 matrix.encryption 是 false：那里什么也读不了",
        "Matrix: encrypted rooms, where nothing can be read while matrix.encryption is false: {count}",
    ),
    "locked_out.do": Phrase("设置 matrix.encryption = true", "set matrix.encryption = true"),
}

# What `rollbook setup` hears about an address and a login; under `key.do`, what to do about it.
CREDENTIALS: PhraseBook = {
    **{key: CHECKUP[key] for key in ("reached", "unreached", "no_homeserver", "no_homeserver.do")},
    "unreached.do": Phrase("看看网络，以及地址写得对不对", "look at the network, and at the address"),
    "known": Phrase("Matrix：登录有效，账号是 {user}", "Matrix: the login is known: {user}"),
    "password": Phrase(
        "Matrix：服务器不认这个账号和密码", "Matrix: the homeserver does not take this account with this password"
    ),
    "password.do": Phrase("看看有没有打错", "look whether both are typed right"),
    "no_passwords": Phrase(
        "Matrix：这个服务器不让程序用密码登录", "Matrix: this homeserver lets no program log in by password"
    ),
    "no_passwords.do": Phrase("密码留空，改用 access token", "leave the password empty, and use an access token"),
    "token": Phrase("Matrix：服务器不认识这个 access token", "Matrix: the homeserver does not know this access token"),
    "token.do": Phrase(
        "重新复制一次完整的，或者登录一次拿个新的", "copy it once more, whole, or log in again for a new one"
    ),
    "other_user": Phrase(
        "Matrix：这个 access token 是 {user} 的，不是这个账号的",
        "Matrix: this access token belongs to {user}, not to this account",
    ),
    "other_user.do": Phrase("换成同一个账号的", "let both be of one account"),
    "foreign_keys": Phrase(
        "Matrix：这个 access token 的设备 {device} 的密钥不在 {folder}：多半是别的程序在用，加密的消息会读不了",
        "Matrix: device {device} of this access token has keys that are not in {folder}: another program seems to use "
        "it, and nothing encrypted could be read",
    ),
    "foreign_keys.do": Phrase("改用密码，机器人就会有自己的设备", "use the password: the bot gets a device of its own"),
    "too_often": Phrase("Matrix：服务器说登录得太频繁了", "Matrix: the homeserver says that logins come too often"),
    "too_often.do": Phrase("过几分钟再试", "try again in a few minutes"),
    "refused": CHECKUP["refused"],
    "refused.do": CHECKUP["refused.do"],
}
