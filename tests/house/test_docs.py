"""What people read is what the program does: lists, transcripts, commands, files, links; both languages alike."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adapters import config
from adapters.export.page.words import PAGE
from core.grammar.verb import Command
from core.language import Language
from core.refusal import Refusal
from core.registry import SYSTEMS
from tests.house import reading
from tests.house.docs import PLAYED, ROOT, pages, written
from tests.house.test_rule_ids import ids

PAGES = pages()
SIDES = [(file, f"{file.removesuffix('.md')}.zh.md") for file, speech in PAGES.items() if speech == "en"]
LINKING = sorted(str(path.relative_to(ROOT)) for at in ("", "docs/", "deploy/") for path in ROOT.glob(f"{at}*.md"))
RULES = {"savage": "SW", "storytelling": "ST", "infinite": "IT", "adventure": "AD"}
PAIR = re.compile(r"^\| `(/[^`]+)` \| `(。[^`]+)` \|$", re.MULTILINE)
WORDS = re.compile(r"^\| English \| 中文 \|\n(?:\|.*\n)+", re.MULTILINE)


def read(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def systems_of(file: str) -> tuple[str, ...]:
    """The system that a page is about; any for the others."""
    return tuple(system for system in SYSTEMS if Path(file).name.startswith(system)) or SYSTEMS


# ---- what is made from the program


@pytest.mark.parametrize(("file", "speech"), PAGES.items())
def test_lists_and_transcripts_are_what_the_program_has_and_says(file: str, speech: Language) -> None:
    assert read(file) == written(read(file), speech), "python -m tests.house.docs writes them"


@pytest.mark.parametrize("side", ["", ".zh"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_system_has_a_page_with_all_commands_keys_options_an_evening_and_every_rule(system: str, side: str) -> None:
    text = read(f"docs/{system}{side}.md")
    for made in (f"verbs: {system}", "verbs: table", f"options: {system}", f"names: {system} TRAIT_NAMES"):
        assert f"<!-- {made} -->" in text
    assert PLAYED.search(text)
    assert re.findall(r"^\| ([A-Z]{2}-\d{2}) \|", text, re.MULTILINE) == ids(RULES[system])


def test_the_readme_shows_an_evening_and_leads_to_every_system() -> None:
    for side in ("", ".zh"):
        text = read(f"README{side}.md")
        assert PLAYED.search(text)
        assert {f"docs/{system}{side}.md" for system in SYSTEMS} <= dict(reading.links(text)).keys()


@pytest.mark.parametrize(("file", "speech"), [("docs/fairness.md", "en"), ("docs/fairness.zh.md", "zh")])
def test_what_a_player_is_told_to_press_stands_on_the_page_of_a_session(file: str, speech: Language) -> None:
    steps = next(part for part in reading.parts(read(file)) if "/export html" in part or "。导出 html" in part)
    bold = re.findall(r"\*\*(.+?)\*\*", steps)
    assert len(bold) == 5
    assert set(bold) <= {phrase.zh if speech == "zh" else phrase.en for phrase in PAGE.values()}


# ---- both languages


def test_every_page_is_there_in_both_languages() -> None:
    assert {side for both in SIDES for side in both} == set(PAGES)


@pytest.mark.parametrize(("english", "chinese"), SIDES)
def test_both_sides_have_the_same_headings(english: str, chinese: str) -> None:
    one, other = ([level for level, _ in reading.headings(read(file))] for file in (english, chinese))
    assert one == other


@pytest.mark.parametrize(("english", "chinese"), SIDES)
def test_both_sides_name_the_same_commands_in_each_part(english: str, chinese: str) -> None:
    one, other = (
        [commands_in(part, systems_of(file)) for part in reading.parts(read(file))] for file in (english, chinese)
    )
    assert one == other


def commands_in(part: str, systems: tuple[str, ...]) -> dict[str, list[str]]:
    said = [verb.name for code in reading.chat_commands(part) if (verb := reading.verb_of(code, systems))]
    played = [verb.name for line in reading.script(part) if (verb := reading.verb_of(line, systems))]
    return {
        "said": sorted(said), "played": played, "made": sorted(reading.targets(part)),
        "run": sorted(" ".join(words) for words in reading.programs(part)),
    }  # fmt: skip


@pytest.mark.parametrize("system", SYSTEMS)
def test_commands_that_stand_side_by_side_are_the_same_command(system: str) -> None:
    english, chinese = read(f"docs/{system}.md"), read(f"docs/{system}.zh.md")
    assert WORDS.findall(english) == WORDS.findall(chinese)
    assert len(PAIR.findall(english)) > 5
    for one, other in PAIR.findall(english):
        command = reading.read_as(one, (system,))
        assert isinstance(command, Command), one
        assert command == reading.read_as(other, (system,))


# ---- commands, configurations, links


@pytest.mark.parametrize("file", PAGES)
def test_every_command_of_a_chat_is_one_that_the_program_reads(file: str) -> None:
    """A verb alone may lack its words; one that has some is read with them."""
    for code in reading.chat_commands(read(file)):
        assert reading.verb_of(code, systems_of(file)), code
        if " " in code:
            assert isinstance(reading.read_as(code, systems_of(file)), Command), code


@pytest.mark.parametrize("file", PAGES)
def test_every_command_of_a_shell_exists_with_its_options(file: str) -> None:
    for words in reading.programs(read(file)):
        command = reading.command_of(words)
        assert command, words
        options = {name for parameter in command.params for name in parameter.opts} | {"--help"}
        assert {word for word in words if word.startswith("-")} <= options, words
    assert reading.targets(read(file)) <= set(re.findall(r"^([a-z]+):", read("Makefile"), re.MULTILINE))


@pytest.mark.parametrize("file", PAGES)
def test_every_configuration_is_one_that_the_program_takes(file: str, tmp_path: Path) -> None:
    path = tmp_path / "rollbook.toml"
    for indent, form, text in reading.BLOCK.findall(read(file)):
        if form == "toml":
            path.write_text(re.sub(rf"^{indent}", "", text, flags=re.MULTILINE), encoding="utf-8")
            config.read(path, {"ROLLBOOK_MATRIX_PASSWORD": "in the environment"})


def keys() -> set[str]:
    """Every key of the configuration, as `db` and `telegram.token`."""
    sections = {f"{name}.{key}" for name, section in config.SECTIONS.items() for key in section.__struct_fields__}
    return {*config.Config.__struct_fields__} - {*config.SECTIONS} | sections


@pytest.mark.parametrize("file", ["docs/running.md", "docs/running.zh.md"])
def test_every_key_of_the_configuration_is_shown(file: str) -> None:
    text = next(text for _, form, text in reading.BLOCK.findall(read(file)) if form == "toml")
    head, *named = re.split(r"^\[(\w+)\]", text, flags=re.MULTILINE)
    sections = {"": head, **dict(zip(named[::2], named[1::2], strict=True))}
    missing = {key for key in keys() if key.rpartition(".")[2] not in sections[key.rpartition(".")[0]]}
    assert missing == set()


def variables() -> set[str]:
    """Every variable of the environment that the program reads."""
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "adapters").rglob("*.py"))
    known = {config.PREFIX + key.replace(".", "_").upper() for key in keys()}
    return known | set(reading.VARIABLE.findall(source))


@pytest.mark.parametrize("file", PAGES)
def test_every_variable_of_the_environment_is_one_that_the_program_reads(file: str) -> None:
    assert set(reading.VARIABLE.findall(read(file))) <= variables()


@pytest.mark.parametrize("file", LINKING)
def test_every_link_leads_somewhere(file: str) -> None:
    for name, anchor in reading.links(read(file)):
        path = (ROOT / file).parent / name if name else ROOT / file
        assert path.exists(), name
        assert not anchor or anchor in reading.anchors(path.read_text(encoding="utf-8")), anchor


# ---- the reading of pages can say no


def test_what_is_no_command_is_found() -> None:
    assert reading.verb_of("/rool 2d6") is None
    assert isinstance(reading.read_as("/roll"), Refusal)
    assert reading.chat_commands("`/trait d8`, `/newbot` and `docs/x.md`") == ["/trait d8"]
    assert list(reading.script("<!-- played\nseed: 1\ngm: /join\n-->\n<!-- end -->")) == ["/join"]
    assert reading.programs("`rollbook log copy A --head N`") == [["log", "copy", "--head"]]
    assert reading.command_of(["log", "copy"])
    assert reading.command_of(["copy"]) is None
    assert list(reading.headings("# A\n```sh\n# no heading\n```\n## B\n")) == [(1, "A"), (2, "B")]
    assert list(reading.links("[a](b.md#c) [d](https://e)")) == [("b.md", "c")]
