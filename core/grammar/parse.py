"""Text in, commands out: prefixes, lines, verbs glued to their words, the options that all verbs share.

Here: which part of a message is talk and which a command, and of which verb. Never: a rule, a table's state.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from core.grammar.arguments import Arguments, faces
from core.grammar.text import MAX_MESSAGE, Token, check_characters, fold, normalise, tokenise
from core.grammar.verb import Command, Secret, Verb, VerbTable
from core.language import Language
from core.refusal import Refusal

DICE = re.compile(r"(?:\d{1,4}#)?(?:\d{1,7}[dD][\d%fF(]|[dD][\d%fF]).*", re.DOTALL)
GLUED = re.compile(r"([a-zA-Z]+?)((?:\d|[dD][\d%fF]|[(+-]).*)", re.DOTALL)
SECRET_WORDS = ("secret", "暗骰", "秘密")
SECRETS: dict[str, Secret] = {
    "both": "both", "on": "both", "yes": "both", "gm": "gm", "主持": "gm", "主持人": "gm", "me": "me", "我": "me",
}  # fmt: skip
_LINE_END = re.compile(r"\r\n|\r|\n")
MAX_COMMANDS = 20  # in one message


class Invocation(Struct, frozen=True, gc=False):
    """A verb with the command it was read as; `chinese` says whether the verb was typed in Chinese."""

    verb: Verb
    command: Command
    chinese: bool


def command_lines(text: str, prefixes: str) -> list[str]:
    """The command lines of a message without their prefixes; none if the message is talk.

    A message is talk unless its first line is a command; later lines without a prefix are talk too.
    More than 20 commands, or a message over 4,000 characters: too_large.
    """
    lines = [one for one in _LINE_END.split(text.strip()) if one.strip()] or [""]
    found = [_without_prefix(one, prefixes) for one in lines]
    if found[0] is None:
        return []
    if len(text) > MAX_MESSAGE:
        raise Refusal("too_large", "message", size=len(text), limit=MAX_MESSAGE)
    wanted = [one for one in found if one is not None]
    if len(wanted) > MAX_COMMANDS:
        raise Refusal("too_large", "commands", limit=MAX_COMMANDS)
    return wanted


def _without_prefix(text: str, prefixes: str) -> str | None:
    """What stands behind the prefix; None where the line is talk (`...`, `。。。`, `//aside`, `.5`)."""
    text = text.strip()
    prefix = unicodedata.normalize("NFKC", text[:1])
    rest = text[1:].lstrip()
    if not prefix or prefix not in prefixes:
        return None
    if prefix == "/":
        return None if rest.startswith(("/", "／")) else rest
    first = unicodedata.normalize("NFKC", rest[:1])
    if not first.isalnum() or (first.isdigit() and not DICE.fullmatch(normalise(rest).text)):
        return None
    return rest


def addressed_elsewhere(text: str, bots: tuple[str, ...]) -> bool:
    """Whether the command names another bot behind `@`."""
    if "@" not in text and "＠" not in text and "﹫" not in text:
        return False
    first = next(iter(normalise(text).text.split(maxsplit=1)), "")
    name = first.partition("@")[2]
    return bool(name) and fold(name) not in map(fold, bots)


@lru_cache(maxsize=2_048)  # a table says the same few lines again and again
def parse(text: str, table: VerbTable) -> Invocation:
    """One command line, prefix taken off, as a verb and its command.

    Refusals: unknown_command, bad_argument, too_large.
    """
    check_characters(text)
    tokens, comment = tokenise(normalise(text))
    if not tokens:
        raise Refusal("unknown_command", "empty")
    verb, word, rest = _find(tokens, table)
    arguments = Arguments(rest)
    common = _common(arguments, verb.takes)
    command = verb.read(arguments)
    arguments.finish()
    note = comment or " ".join(token.raw.strip("()（）[]【】") for token in arguments.asides)
    return Invocation(verb, replace(command, note=note, **common), not word.isascii())


def verb_known(text: str, table: VerbTable) -> Verb | None:
    """The verb that a command line calls, whatever is wrong with the rest of it."""
    try:
        tokens, _ = tokenise(normalise(text.split("#", maxsplit=1)[0]))
        return _find(tokens, table)[0] if tokens else None
    except Refusal:
        return None


def _find(tokens: list[Token], table: VerbTable) -> tuple[Verb, str, list[Token]]:
    """The verb, the word it was called by, and its words: by name, glued to its words, or a bare form."""
    head, rest = tokens[0], tokens[1:]
    word = head.text.partition("@")[0]
    if verb := table.find(word):
        return verb, word, rest
    if bare := table.bare(word):
        again, _ = tokenise(normalise(bare))
        return table.by_name[again[0].text], again[0].text, again[1:] + rest
    if found := _glued(word, table):
        name, tail = found
        return table.by_name[name], name, [Token(tail, tail, head.at + len(name)), *rest]
    raise Refusal("unknown_command", "verb", got=head.raw, nearest=nearest(word, table))


def _glued(word: str, table: VerbTable) -> tuple[str, str] | None:
    """`r3d6` is `r 3d6`, `d20` is `roll d20`, `骰3d6` is `骰 3d6`."""
    low = fold(word)
    if DICE.fullmatch(word) and "roll" in table.by_name:
        return "roll", word
    match = GLUED.fullmatch(word)
    if match and fold(match[1]) in table.by_name:
        return fold(match[1]), match[2]
    chinese = [name for name in table.by_name if not name.isascii() and low.startswith(name)]
    longest = max(chinese, key=len, default="")
    return (longest, word[len(longest) :]) if longest else None


def nearest(word: str, table: VerbTable) -> tuple[str, ...]:
    """Up to three verbs that look like `word`, each once, named as the word's script suggests."""
    low = fold(word)
    close = difflib.get_close_matches(low, table.by_name, n=6, cutoff=0.5)
    close += [name for name in table.by_name if len(low) > 1 and name.startswith(low[:2])]
    close += [name for name in table.by_name if not low.isascii() and set(name) & set(low)]
    speech: Language = "en" if low.isascii() else "zh"
    return tuple(dict.fromkeys(table.by_name[name].called(speech) for name in close))[:3] or (
        table.by_name["help"].called(speech),
    )


def _common(arguments: Arguments, takes: frozenset[str]) -> dict[str, object]:
    """`as=`, `dice=` and `secret`, for the verbs that take them; elsewhere they are left and refused as leftovers."""
    common: dict[str, object] = {}
    if "as" in takes and (name := arguments.key("as", "扮演", "用角色")) is not None:
        if not name.strip():
            raise Refusal("bad_argument", "missing", what="name")
        common["as_"] = name
    if "dice" in takes and (value := arguments.key("dice", "点数", "骰面")) is not None:
        common["given"] = faces(value)
    if "secret" in takes:
        common["secret"] = _secret(arguments)
    return common


def _secret(arguments: Arguments) -> Secret | None:
    value = arguments.key(*SECRET_WORDS)
    if value is None:
        return "both" if arguments.flag(*SECRET_WORDS) else None
    if fold(value) not in SECRETS:
        raise Refusal("bad_argument", "secret", got=value)
    return SECRETS[fold(value)]
