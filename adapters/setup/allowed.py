"""The question whom the bot serves, which is much the same for every chat.

Here: a list of names read and asked for. Never: what a name of a chat looks like.
"""

from __future__ import annotations

import re

from adapters.setup.dialogue import Dialogue
from adapters.setup.options import Known

EVERYBODY = "*"


def allowed(dialogue: Dialogue, known: Known, question: str, no_name: str, shape: re.Pattern[str]) -> list[str] | None:
    """What `allow` of a chat is to hold, names of this shape; None: everybody is served.

    `question` and `no_name` are the keys of the sentences that ask and that refuse {name}.
    """
    given, before = known.given.get("allow"), _names(known.has.get("allow"))
    while True:
        names = _names(given or dialogue.ask(question, " ".join(before) or EVERYBODY))
        if EVERYBODY in names:
            return None
        wrong = [name for name in names if not shape.fullmatch(name)]
        if not wrong:
            return names
        dialogue.complain(no_name, name=wrong[0])
        given = None


def _names(listed: object) -> list[str]:
    """What is neither text nor a list names nobody."""
    text = " ".join(map(str, listed)) if isinstance(listed, list) else listed if isinstance(listed, str) else ""
    return [name for name in re.split(r"[\s,，、]+", text) if name]
