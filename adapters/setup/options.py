"""What is given to `rollbook setup` beforehand: by options, and by the variables that `rollbook serve` reads.

Here: which of the keys of the configuration are given, and by what. Never: a question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import fields

from adapters.config import PREFIX, SECTIONS, Config
from core.language import Language

Answers: TypeAlias = dict[str, Any]  # keys of a section and what they are to be; None: not there
BESIDE = ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "XDG_DATA_HOME")  # they change what a program does


class Options(Struct, frozen=True, kw_only=True):
    """`telegram` and `matrix` hold what is given of these sections; `service` None: it is asked for."""

    telegram: Answers = field(default_factory=dict)
    matrix: Answers = field(default_factory=dict)
    language: Language | None = None
    time_zone: str | None = None
    service: bool | None = None
    check: bool = True
    silent: bool = False


class Known:
    """What is known of one section before anything is asked: what the environment has goes before the options."""

    def __init__(
        self, section: str, options: Answers, has: Mapping[str, Any], environment: Mapping[str, str], *, first: bool
    ) -> None:  # fmt: skip
        """`first`: no chat before this one is configured."""
        variables = {one.name: variable(section, one.name) for one in fields(SECTIONS[section])}
        self.fixed = {key: environment[name] for key, name in variables.items() if environment.get(name)}
        self.given = {key: value for key, value in options.items() if value is not None} | self.fixed
        self.has, self.first = has, first

    def has_any(self, *keys: str) -> bool:
        """Whether one of these is given."""
        return any(self.given.get(key) not in (None, "") for key in keys)

    def to_write(self, answers: Answers) -> Answers:
        """Of these what is not in the environment."""
        return {key: value for key, value in answers.items() if key not in self.fixed}


def variable(*key: str) -> str:
    """`telegram`, `token` → ROLLBOOK_TELEGRAM_TOKEN."""
    return PREFIX + "_".join(key).upper()


def configuring(environment: Mapping[str, str]) -> list[str]:
    """The variables of the configuration that are set."""
    names = [variable(one.name) for one in fields(Config) if one.name not in SECTIONS]
    names += [variable(section, one.name) for section, kind in SECTIONS.items() for one in fields(kind)]
    return [name for name in names if environment.get(name)]


def beside(environment: Mapping[str, str]) -> list[str]:
    """The other variables that are set and matter."""
    return [name for name in BESIDE if environment.get(name)]
