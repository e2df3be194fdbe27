"""A house option: a rule that a table may set its own way.

Here: the shape of an option. Never: a certain option (they stand in `verbs.py` of each room).
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from core.language import Phrase
from core.refusal import Refusal


class Option(Struct, frozen=True, kw_only=True):
    """`key` in English, `zh` its Chinese name; `values` the values allowed in the order told, empty for free text."""

    key: str
    zh: str
    default: str
    values: tuple[str, ...] = ()
    says: Phrase
    check: Callable[[str], str] | None = None

    def read(self, value: str) -> str:
        """The value as stored; one that is not allowed: bad_argument with those that are."""
        meant = WORDS.get(value, value)
        if self.values and meant not in self.values:
            raise Refusal("bad_argument", "house_value", key=Phrase(self.zh, self.key), got=value, values=self.values)
        return self.check(meant) if self.check else meant


WORDS = {"开": "on", "关": "off", "是": "on", "否": "off", "yes": "on", "no": "off", "true": "on", "false": "off"}
