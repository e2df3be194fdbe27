"""What Telegram makes of `parse_mode=HTML`: the text that people see, its entities, or the error it answers with."""

from __future__ import annotations

import re
from typing import Any

TAGS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "tg-spoiler": "spoiler", "span": "spoiler",
    "a": "text_link", "code": "code", "pre": "pre", "blockquote": "blockquote",
}  # fmt: skip
TAG = re.compile(r"<(/?)([a-zA-Z-]*)([^<>]*)>")
NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
REFERENCE = re.compile(r"&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(lt|gt|amp|quot));?")
FOUND = {
    "mention": re.compile(r"(?<![\w@])@[A-Za-z][A-Za-z0-9_]{2,31}\b"),
    "bot_command": re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,32}(?:@[A-Za-z0-9_]{3,32})?"),
    "url": re.compile(r"https?://\S+"),
}


class Unparsable(Exception):
    """The markup is refused; str() is Telegram's own sentence."""


def units(text: str) -> int:
    """The length of a text as Telegram counts: in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def parsed(markup: str) -> tuple[str, list[dict[str, Any]]]:
    """The text that is seen and its entities, their offsets in UTF-16 units."""
    text, entities, at = "", [], 0
    open_tags: list[tuple[str, int, str]] = []
    while at < len(markup):
        if markup[at] != "<":
            end = markup.find("<", at)
            end = len(markup) if end < 0 else end
            text += REFERENCE.sub(_character, markup[at:end])
            at = end
            continue
        tag = TAG.match(markup, at)
        byte = len(markup[:at].encode())
        if tag is None:
            raise Unparsable(f'Unsupported start tag "" at byte offset {byte}')
        closing, name, rest = tag[1], tag[2].lower(), tag[3]
        if closing:
            entities.append(_closed(open_tags, name, byte, text))
        else:
            open_tags.append((_known(name, rest, byte), units(text), rest))
        at = tag.end()
    if open_tags:
        raise Unparsable(f'Can\'t find end tag corresponding to start tag "{open_tags[-1][0]}"')
    return text, [one for one in entities if one["length"]]


def _character(found: re.Match[str]) -> str:
    if found[3]:
        return NAMED[found[3]]
    return chr(int(found[1]) if found[1] else int(found[2], 16))


def _known(name: str, rest: str, byte: int) -> str:
    spoiler = name != "span" or 'class="tg-spoiler"' in rest
    if name not in TAGS or not spoiler:
        raise Unparsable(f'Unsupported start tag "{name}" at byte offset {byte}')
    return name


def _closed(open_tags: list[tuple[str, int, str]], name: str, byte: int, text: str) -> dict[str, Any]:
    if not open_tags:
        raise Unparsable(f"Unexpected end tag at byte offset {byte}")
    expected, start, rest = open_tags.pop()
    if name not in (expected, ""):
        raise Unparsable(f'Unmatched end tag at byte offset {byte}, expected "</{expected}>", found "</{name}>"')
    entity: dict[str, Any] = {"type": TAGS[expected], "offset": start, "length": units(text) - start}
    if expected == "a":
        entity["url"] = rest.partition("=")[2].strip(" \"'")
    return entity


def found_in(text: str, marked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What Telegram finds in a text by itself: mentions, commands and addresses, but not in code or links."""
    shut = [one for one in marked if one["type"] in ("code", "pre", "text_link")]
    closed = [(one["offset"], one["offset"] + one["length"]) for one in shut]
    entities = []
    for kind, pattern in FOUND.items():
        for match in pattern.finditer(text):
            start = units(text[: match.start()])
            if not any(first <= start < last for first, last in closed):
                entities.append({"type": kind, "offset": start, "length": units(match[0])})
    return entities
