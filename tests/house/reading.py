"""What stands in a page: headings, commands of a chat and of a shell, configurations, links.

Here: pages taken apart. Never: whether what stands there is right (test_docs.py asks that).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from adapters.cli import rollbook
from core.grammar.parse import parse, verb_known
from core.grammar.verb import Command, Verb
from core.refusal import Refusal
from core.registry import SYSTEMS
from core.vocabulary import verb_table
from tests.house.docs import PLAYED, own

CODE = re.compile(r"`([^`\n]+)`")
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
CHAT = re.compile(r"[/!。](?=[^\W_])")  # what begins a command in a chat; a dot begins many other things
PROGRAM = re.compile(r"(?<![\w/.-])(?:\.venv/bin/)?rollbook ([a-z]+[^`|\n#]*)")
TARGET = re.compile(r"\bmake ([a-z]+)")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"")
VARIABLE = re.compile(r"\bROLLBOOK_[A-Z_]+\b")
# Commands of others: BotFather's, and paths of an address.
NOT_OURS = {"/newbot", "/setprivacy", "/mybots", "/metrics", "/healthz"}


def outside_code(text: str) -> str:
    return BLOCK.sub("", text)


def headings(text: str) -> Iterator[tuple[int, str]]:
    """(level, words) of each heading."""
    for match in re.finditer(r"^(#+) (.+)$", outside_code(text), re.MULTILINE):
        yield len(match[1]), match[2]


def parts(text: str) -> list[str]:
    """What stands before the first heading, and under each."""
    found = [""]
    in_code = False
    for line in text.splitlines(keepends=True):
        in_code ^= line.lstrip().startswith("```")
        if line.startswith("#") and not in_code:
            found.append("")
        found[-1] += line
    return found


def anchors(text: str) -> set[str]:
    """As GitHub and its kin name them."""
    return {re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-") for _, words in headings(text)}


def links(text: str) -> Iterator[tuple[str, str]]:
    """(file, anchor) of each link that leads to no other site."""
    for match in LINK.finditer(outside_code(text)):
        target = match[1] or match[2]
        if not re.match(r"[a-z]+:", target):
            name, _, anchor = target.partition("#")
            yield name, anchor


# ---- commands in the chat


def chat_commands(text: str) -> list[str]:
    """What is written in code and begins as a command does, but for what is made from the program."""
    found = (match[1] for match in CODE.finditer(outside_code(own(text))))
    return [code for code in found if CHAT.match(code) and code.split()[0] not in NOT_OURS and "/" not in code[1:]]


def script(text: str) -> Iterator[str]:
    """What is said in the evenings that are played there, without the names of those who say it."""
    for match in PLAYED.finditer(text):
        for line in match[2].splitlines():
            _, _, said = line.replace("：", ": ", 1).partition(": ")
            if CHAT.match(said.strip()):
                yield said.strip()


def verb_of(code: str, systems: tuple[str, ...] = SYSTEMS) -> Verb | None:
    """The verb of a command, as a table of one of these systems has it; its whole name goes first."""
    tables = [verb_table(system) for system in systems]
    name = code[1:].split(maxsplit=1)[0]
    named = (table.find(name) or table.find(name.partition("@")[0]) for table in tables)
    guessed = (verb_known(code[1:], table) for table in tables)
    return next((verb for verb in (*named, *guessed) if verb), None)


def read_as(code: str, systems: tuple[str, ...] = SYSTEMS) -> Command | Refusal:
    """The command, as the table of one of these systems reads it, or what it is refused for."""
    refused = Refusal("unknown_command", "empty")
    for system in systems:
        try:
            return parse(code[1:], verb_table(system)).command
        except Refusal as refusal:
            refused = refusal
    return refused


# ---- commands of a shell


def shell_code(text: str) -> list[str]:
    return [match[1] for match in CODE.finditer(outside_code(text))] + [match[3] for match in BLOCK.finditer(text)]


def programs(text: str) -> list[list[str]]:
    """Every `rollbook …`: the words that name the command, and the options that it is given."""
    found = (match[1] for code in shell_code(text) for match in PROGRAM.finditer(code))
    return [[*_names(words), *re.findall(r"(?<![\w-])--?[a-z][a-z-]*", words)] for words in found]


def _names(words: str) -> list[str]:
    first, *rest = words.split()
    return [first, *rest[:1]] if isinstance(rollbook.commands.get(first), click.Group) else [first]


def targets(text: str) -> set[str]:
    """Every `make …`."""
    return {target for code in shell_code(text) for target in TARGET.findall(code)}


def command_of(words: list[str]) -> click.Command | None:
    """The command that the words name; options are passed over."""
    found: click.Command | None = rollbook
    for word in (word for word in words if not word.startswith("-")):
        found = found.commands.get(word) if isinstance(found, click.Group) else None
    return found
