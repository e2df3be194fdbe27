"""The lists of verbs and house options in the README files, made from the verb table.

`python -m tests.house.readme` writes them; test_readme.py fails where a file differs.
"""

from __future__ import annotations

import re
from pathlib import Path

from core.grammar.verb import Verb
from core.house import Option
from core.language import Language, Phrase
from core.registry import room

ROOT = Path(__file__).parents[2]
FILES: dict[str, Language] = {"README.md": "en", "README.zh.md": "zh"}
LIST = re.compile(r"(<!-- (verbs|options): (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def _in(phrase: Phrase, speech: Language) -> str:
    return (phrase.zh if speech == "zh" else phrase.en).replace("|", "\\|")


def verb_row(verb: Verb, speech: Language) -> str:
    names = " · ".join(name for name in verb.names() if name not in (verb.called(speech), "?"))
    return f"| `{_in(verb.usage, speech)}` | {_in(verb.says, speech)} | {names} |"


def option_row(option: Option, speech: Language) -> str:
    name = option.zh if speech == "zh" else option.key
    values = " ".join(f"`{value}`" for value in option.values) or "…"
    return f"| `{name}` | {_in(option.says, speech)} | {values} | `{option.default}` |"


def listed(what: str, name: str, speech: Language) -> str:
    """One list as a table in Markdown."""
    verbs = room("" if name == "table" else name, "verbs")
    if what == "verbs":
        head = "| 指令 | 作用 | 也叫 |" if speech == "zh" else "| command | does | also |"
        rows = [verb_row(verb, speech) for verb in verbs.VERBS]
    else:
        head = "| 项目 | 作用 | 可选 | 默认 |" if speech == "zh" else "| key | does | values | default |"
        rows = [option_row(option, speech) for option in (*room("", "verbs").HOUSE, *verbs.HOUSE)]
    return "\n".join([head, "|" + "---|" * (head.count("|") - 1), *rows, ""])


def written(text: str, speech: Language) -> str:
    """A README with its lists as they should be."""
    return LIST.sub(lambda match: match[1] + listed(match[2], match[3], speech) + match[4], text)


if __name__ == "__main__":
    for file, spoken in FILES.items():
        path = ROOT / file
        path.write_text(written(path.read_text(encoding="utf-8"), spoken), encoding="utf-8")
