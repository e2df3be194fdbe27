"""A refusal: why a command is not carried out, as facts.

Here: the exception and its codes. Never: a sentence in any language (those stand in the `words.py` of each
room), and never anything that catches it: `app.py` is the one place.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

Code: TypeAlias = Literal[
    "unknown_command", "bad_argument", "no_table", "no_session", "not_allowed", "not_yours", "not_found",
    "nothing_to_spend", "limit_reached", "already_done", "critical_failure", "dice_mismatch", "too_large",
]  # fmt: skip
CODES: tuple[str, ...] = Code.__args__  # type: ignore[attr-defined]


class Refusal(Exception):
    """The command is refused with `code`; `why` picks the sentence, `facts` fill it.

    The sentence is looked up under `code.why`, for example Refusal("bad_argument", "die", got="d7").
    """

    def __init__(self, code: Code, why: str, /, **facts: object) -> None:
        super().__init__(code, why, facts)
        self.code = code
        self.why = why
        self.facts = facts

    @property
    def key(self) -> str:
        """The name of its sentence in the phrase books."""
        return f"{self.code}.{self.why}"
