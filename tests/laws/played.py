"""Strategies for whole games: who says what, from lines that make sense to plain junk."""

from __future__ import annotations

from hypothesis import strategies as st

from core.vocabulary import verb_table
from tests.story import Seeds, Story

PEOPLE = ("gm", "ann", "bob")
OPENING = (
    "gm: /table new savage Glacier",
    "gm: /house physical-dice on",
    "ann: /char new Ann agility=d8 spirit=d6 vigor=d6 toughness=5 pp=5 max_pp=10",
    "bob: /char new 小波 敏捷=d6 坚韧=6",
    "gm: /char new Boss wild toughness=7 spirit=d8",
    "gm: /char new Guard extra toughness=5",
)

_people = st.sampled_from(PEOPLE)
_names = st.sampled_from(("Ann", "小波", "Boss", "Guard", "Lise", "bob"))
_dice = st.sampled_from(("d8", "d6", "d4", "agility", "spirit", "stealth"))
_steps = st.sampled_from(
    ("", " +2", " -1(dark)", " hard", " tn=6", " x3", " extra", " crit", " unskilled", " wild=d10")
)
_secrets = st.sampled_from(("", "", "", " secret", " secret=gm", " secret=me"))
_as = st.sampled_from(("", "", "", " as=Ann", " as=Boss", " as=Guard"))
_notes = st.sampled_from(("", "", " # 好 luck", " # as=Ann 3d6"))
_plain = st.sampled_from(("2d6+1", "3#4d6kh3", "d%", "4dF", "2d6!", "(d4+1)*2", "7", "2d6 dice=3,4", "d6 dice=7"))
_numbers = st.integers(1, 40).map(str)


def _joined(*parts: st.SearchStrategy[str] | str) -> st.SearchStrategy[str]:
    return st.tuples(*(st.just(part) if isinstance(part, str) else part for part in parts)).map("".join)


THROWS = st.one_of(
    _joined("/roll ", _plain, _secrets, _as, _notes),
    _joined("/trait ", _dice, _steps, _secrets, _as, _notes),
    _joined("/group ", _dice, _secrets),
    _joined("/oppose ", _dice, _as),
    _joined("/resist ", _dice, _as),
    _joined("/damage 2d6 vs=", _names, _secrets, _as),
    _joined("/damage 3d8 raise vs=", _names, _as),
    _joined("/reroll", _as),
    _joined("/reroll edge=Elan", _as),
    _joined("/unshake", _as),
    _joined("/benny spend ", st.sampled_from(("soak", "damage", "card")), _as),
    st.sampled_from(("/init deal", "/init deal", "/init next")),
)
DEEDS = st.one_of(
    st.sampled_from(
        (
            "/join",
            "/scene",
            "/scene The crevasse (night)",
            "/init end",
            "/luck no ones",
            "/house unskilled off",
            "/house bennies 5",
        )
    ),
    _joined("/char new ", _names, st.sampled_from(("", " wild", " extra", " luck=1", " agility=d10"))),
    _joined("/char use ", _names),
    _joined("/char retire ", _names),
    _joined("/set ", _names, st.sampled_from((" agility=d10", " pp+=1", " toughness-=1", " note=tired"))),
    _joined("/benny give ", _names, st.sampled_from(("", " 2")), _notes),
    _joined("/benny spend ", st.sampled_from(("story", "power", "unshake")), _as),
    _joined("/wound ", st.sampled_from(("1", "2", "-1")), _as),
    _joined("/shaken ", st.sampled_from(("on", "off")), _as),
    _joined("/init join ", _names, st.sampled_from(("", " quick", " level-headed"))),
    _joined("/init leave ", _names),
    _joined("/gm ", st.sampled_from(("ann", "bob", "gm"))),
)
STANDING = st.sampled_from(("/session start The first night", "/session end", "/reveal"))
CHOICES = st.sampled_from(("/choose 1", "/choose 2", "/init keep 1"))
UNDOS = st.one_of(st.just("/undo"), _joined("/undo ", _numbers), st.just("/undo wrong player"))
QUESTIONS = st.sampled_from(
    ("/history", "/benny", "/sheet", "/init", "/choices", "/char list", "/house", "/help", "/table")
)
LINES = st.one_of(THROWS, THROWS, DEEDS, DEEDS, STANDING, CHOICES, UNDOS, QUESTIONS)


def said(lines: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """`name: line`, as a Story takes it."""
    return st.tuples(_people, lines).map(": ".join)


def games(lines: st.SearchStrategy[str] = LINES, most: int = 25) -> st.SearchStrategy[list[str]]:
    return st.lists(said(lines), max_size=most)


def begun(*lines: str, language: str = "en", start: int = 0) -> Story:
    """A Savage Worlds table of three with the same dice in every run, unless `start` says otherwise."""
    return Story(seeds=Seeds(start)).given(*OPENING, f"gm: /lang {language}", "gm: /session start", *lines)


# ---- junk

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
_words = sorted({name for verb in verb_table("savage").verbs for name in verb.names()})
_parts = st.one_of(
    st.sampled_from(
        (
            "d8",
            "3d6",
            "1001d6",
            "d0",
            "d1!",
            "1/0",
            "9" * 40,
            "-",
            "+",
            "+2",
            "+2(",
            "(",
            ")",
            "((((",
            "[",
            "]",
            "“",
            "”",
            "「",
            "」",
            '"',
            "#",
            "3#",
            "=",
            "+=",
            "as=",
            "as=Ann",
            "as=nobody",
            "dice=",
            "dice=1,2",
            "dice=x",
            "dice=0",
            "secret",
            "secret=",
            "secret=x",
            "tn=",
            "tn=-1",
            "tn=9999999",
            "x3",
            "x0",
            "x99999",
            "wild=d7",
            "vs=",
            "vs=Ann",
            "vs=-3",
            "new",
            "新建",
            "give",
            "给",
            "spend",
            "花",
            "start",
            "开始",
            "end",
            "结束",
            "list",
            "列表",
            "join",
            "next",
            "deal",
            "keep",
            "on",
            "off",
            "Ann",
            "小波",
            "gm",
            "bob",
            "pool",
            "soak",
            "化解",
            "agility=d8",
            "agility=d99",
            "pp+=1",
            "pp-=99",
            "luck=x",
            "Ａｎｎ",
            "ｄ８",
            "＋２",
            "＝",
            "，",
            "x" * 65,
            "龘" * 70,
            "@bot",
            "/",
            "。",
            "\u200b",
            "\u2028",
            "\u202e",
            "٣",
            "²",
            "①",
            "ﷺ",
            "★",
            "{p}",
            "{0}",
            "%s",
            "\\",
            "0",
            "1",
            "2",
            "-1",
            "1e9",
            "1.5",
            "∞",
        )
    ),
    st.integers(-(10**20), 10**20).map(str),
    st.text(max_size=6),
)
JUNK = st.tuples(
    st.sampled_from("/!.。／！"),
    st.sampled_from(_words),
    st.lists(st.tuples(st.sampled_from((" ", " ", " ", "")), _parts), max_size=6),
).map(lambda made: made[0] + made[1] + "".join(space + part for space, part in made[2]))  # fmt: skip
