"""How something is asked and told in the terminal, or not asked at all.

Here: one question and its answer. Never: which questions there are, or what is right about an answer.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import NoReturn
from unicodedata import normalize

import click

from adapters.config import NotConfigured
from adapters.findings import Checked, Finding
from adapters.setup.words import SETUP
from adapters.terminal import wire
from core.language import Language, line, say

PASTED = "\r\t\xa0\u200b\ufeff"  # what cannot be seen and comes along, at the ends, with what was copied from a page
YES, NO = ("y", "yes", "是", "好", "对"), ("n", "no", "否", "不", "不要")


class Dialogue:
    """In one language. `silent`: nobody is there to answer, so what is not given or goes wrong is NotConfigured."""

    def __init__(self, speech: Language, *, silent: bool) -> None:
        self.speech, self.silent = speech, silent

    def said(self, key: str, **facts: object) -> str:
        """A sentence as it may go to a terminal."""
        return wire.plain(say(line(key, **facts), self.speech, SETUP))

    def tell(self, key: str, **facts: object) -> None:
        click.echo(self.said(key, **facts))

    def complain(self, key: str, **facts: object) -> None:
        """The answer is no good, and the question comes again."""
        if self.silent:
            raise NotConfigured(self.said(key, **facts))
        self.tell(key, **facts)

    def stop(self, key: str) -> NoReturn:
        """What was given is no good."""
        raise NotConfigured(self.said(key))

    def ask(self, key: str, default: str = "") -> str:
        """An answer of one line without blanks round it, full-width signs as the plain ones. "": Enter alone."""
        return normalize("NFKC", self._asked(key, default, hidden=False)).strip()

    def ask_secret(self, key: str) -> str:
        """An answer as it is typed, which is not shown. From a pipe it is read like any other."""
        return self._asked(key, "", hidden=sys.stdin.isatty())

    def _asked(self, key: str, default: str, *, hidden: bool) -> str:
        if self.silent and not default:
            raise NotConfigured(self.said("missing", what=self.said(key)))
        if self.silent:
            return default
        while True:
            answer: str = click.prompt(
                self.said(key), default, hide_input=hidden, show_default=bool(default), prompt_suffix=self._colon()
            ).strip(PASTED)
            if answer.isprintable():
                return answer
            self.tell("unprintable")

    def _colon(self) -> str:
        return "：" if self.speech == "zh" else ": "

    def confirm(self, key: str, *, default: bool, **facts: object) -> bool:
        """y or n, or the same in Chinese."""
        while not self.silent:
            question = f"{self.said(key, **facts)} [{'Y/n' if default else 'y/N'}]"
            answer = click.prompt(question, "", show_default=False, prompt_suffix=" ")
            match normalize("NFKC", answer).strip().lower():
                case "":
                    return default
                case word if word in YES:
                    return True
                case word if word in NO:
                    return False
            self.tell("yes_or_no")
        return default

    def show(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            click.echo(wire.plain(f"  {finding.told(self.speech)}"))

    def accepts(self, checked: Checked, *, final: bool = False) -> bool:
        """Whether to go on with what a server was asked about. `final`: there is no other answer (NotConfigured)."""
        if checked.answer != "taken" and (self.silent or final):
            last = wire.plain(checked.findings[-1].told(self.speech))
            raise NotConfigured(last if checked.answer == "refused" else f"{last} {self.said('offline')}")
        self.show(checked.findings)
        if checked.answer == "unreached":
            return self.confirm("unchecked", default=False)
        return checked.answer == "taken"
