"""What the README and the pages in docs/ have from the program: lists of commands, options and names, transcripts.

`python -m tests.house.docs` writes them; test_docs.py fails where a file differs.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from core.grammar.verb import Verb
from core.house import Option
from core.language import Language, Phrase
from core.registry import room
from tests.house.transcripts import played

ROOT = Path(__file__).parents[2]
LIST = re.compile(r"(<!-- (verbs|options|names): (\w+)(?: (\w+))? -->\n).*?(<!-- end -->)", re.DOTALL)
PLAYED = re.compile(r"(<!-- played\n(.*?)-->\n).*?(<!-- end -->)", re.DOTALL)
HEADS: dict[str, tuple[str, str]] = {
    "verbs": ("| 指令 | 作用 | 也叫 |", "| command | does | also |"),
    "options": ("| 项目 | 作用 | 可选 | 默认 |", "| key | does | values | default |"),
    "names": ("| 中文 | 英文 | 也可以写 |", "| key | Chinese | also |"),
}


def pages() -> dict[str, Language]:
    """Every file that people who play or run the bot read, and its language."""
    found = [*ROOT.glob("README*.md"), *(ROOT / "docs").glob("*.md")]
    return {str(path.relative_to(ROOT)): "zh" if path.name.endswith(".zh.md") else "en" for path in sorted(found)}


def _in(phrase: Phrase, speech: Language) -> str:
    return (phrase.zh if speech == "zh" else phrase.en).replace("|", "\\|")


def verb_row(verb: Verb, speech: Language) -> str:
    names = " · ".join(name for name in verb.names() if name not in (verb.called(speech), "?"))
    return f"| `{_in(verb.usage, speech)}` | {_in(verb.says, speech)} | {names} |"


def option_row(option: Option, speech: Language) -> str:
    name = option.zh if speech == "zh" else option.key
    values = " ".join(f"`{value}`" for value in option.values) or "…"
    return f"| `{name}` | {_in(option.says, speech)} | {values} | `{option.default}` |"


def name_row(name: str, also: tuple[str, ...], speech: Language) -> str:
    chinese, others = also[0], " · ".join(also[1:])
    return f"| `{chinese}` | `{name}` | {others} |" if speech == "zh" else f"| `{name}` | `{chinese}` | {others} |"


def rows(what: str, system: str, which: str, speech: Language) -> Iterable[str]:
    if what == "names":
        return (name_row(*names, speech) for names in getattr(room(system, "words"), which).items())
    verbs = room("" if system == "table" else system, "verbs")
    if what == "options":
        return (option_row(option, speech) for option in (*room("", "verbs").HOUSE, *verbs.HOUSE))
    return (verb_row(verb, speech) for verb in verbs.VERBS)


def listed(what: str, system: str, which: str, speech: Language) -> str:
    """One list as a table in Markdown."""
    head = HEADS[what][0 if speech == "zh" else 1]
    return "\n".join([head, "|" + "---|" * (head.count("|") - 1), *rows(what, system, which, speech), ""])


def written(text: str, speech: Language) -> str:
    """A page with its lists and transcripts as they should be."""
    text = LIST.sub(lambda match: match[1] + listed(match[2], match[3], match[4] or "", speech) + match[5], text)
    return PLAYED.sub(lambda match: f"{match[1]}```text\n{played(match[2], speech)}\n```\n{match[3]}", text)


def own(text: str) -> str:
    """A page without what is made from the program."""
    return PLAYED.sub("", LIST.sub("", text))


if __name__ == "__main__":
    for file, spoken in pages().items():
        if not sys.argv[1:] or file in sys.argv[1:]:
            path = ROOT / file
            path.write_text(written(path.read_text(encoding="utf-8"), spoken), encoding="utf-8")
