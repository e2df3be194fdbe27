"""Every transcript in tests/cases, played twice: through the App in this process, and through the program itself.

Behind each, the log is read back: it gives the same table again, and it proves itself.

    # comment
    == TITLE               a new case: a fresh log
    name> text             that person sends this line
    = Type field=value …   among the line's events there is one of this type with these values
    = none                 the line appended no event
    ! code                 the line was refused with this code, and appended nothing
    ~ text / !~ text       some reply, or none, contains this text
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from core.evolve import Table, replay
from core.verify import verify
from events import codec
from events.log import EventLog
from events.sqlite import SqliteLog
from tests.story import Story

ROOT = Path(__file__).parents[1]
SIGNS = ("=", "!", "~", "!~")


@dataclass
class Step:
    """One line of chat and what is expected of it: (sign, rest, line number)."""

    person: str
    text: str
    expected: list[tuple[str, str, int]] = field(default_factory=list)


@dataclass
class Case:
    title: str
    steps: list[Step] = field(default_factory=list)


def cases_of(text: str) -> list[Case]:
    """A file's cases; a line that is none of the format's is an error of the file."""
    cases: list[Case] = []
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        sign, _, rest = line.partition(" ")
        if not line or sign.startswith("#"):
            continue
        if sign == "==":
            cases.append(Case(rest))
        elif sign in SIGNS:
            cases[-1].steps[-1].expected.append((sign, rest, number))
        else:
            person, arrow, said = line.partition("> ")
            assert arrow, f"line {number} is no line of a case: {line}"
            cases[-1].steps.append(Step(person, said))
    return cases


FILES = sorted((ROOT / "tests/cases").glob("*.case"))
CASES = [
    pytest.param(case, id=f"{file.stem}: {case.title}")
    for file in FILES
    for case in cases_of(file.read_text(encoding="utf-8"))
]


# ---- what an answer must be


def at(data: Any, path: str) -> Any:
    """The value at `dice.0.faces`; KeyError, IndexError or TypeError where there is none."""
    for part in path.split("."):
        data = data[int(part)] if isinstance(data, list) else data[part]
    return data


def value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def fits(event: dict[str, Any], kind: str, wanted: list[str]) -> bool:
    """Whether an event is of this type and has these values."""
    if event["type"] != kind:
        return False
    for pair in wanted:
        path, _, text = pair.partition("=")
        try:
            found = at(event["data"], path)
        except (KeyError, IndexError, TypeError):
            return False
        if text != "*" and found != value(text):
            return False
    return True


def flaws(step: Step, answer: dict[str, Any]) -> Iterator[str]:
    """What is wrong with one line's answer, a sentence each."""
    events, error = answer["events"], answer["error"] or {}
    said = "\n".join([*(reply["text"] for reply in answer["replies"]), error.get("message", "")])
    if error and events:
        yield "refused, and yet appended events"
    if error and "\n" in error["message"]:
        yield "a refusal is one sentence"
    if error and not any(sign == "!" for sign, _, _ in step.expected):
        yield f"refused: {error}"
    for sign, rest, number in step.expected:
        if not _holds(sign, rest, events, error.get("code"), said):
            yield f"line {number}: {sign} {rest}; got {[event['type'] for event in events]} {error or said!r}"


def _holds(sign: str, rest: str, events: list[dict[str, Any]], code: str | None, said: str) -> bool:
    if sign == "!":
        return code == rest
    if sign == "~":
        return rest in said
    if sign == "!~":
        return rest not in said
    if rest == "none":
        return not events
    kind, *wanted = shlex.split(rest)
    return any(fits(event, kind, wanted) for event in events)


def all_flaws(case: Case, answers: list[dict[str, Any]]) -> list[str]:
    assert len(answers) == len(case.steps)
    return [
        f"{step.person}> {step.text[:80]}: {flaw}"
        for step, answer in zip(case.steps, answers, strict=True)
        for flaw in flaws(step, answer)
    ]


def prove(log: EventLog, answers: list[dict[str, Any]]) -> None:
    """The log holds exactly what was answered, gives the same tables once more, and every die comes out again."""
    told = [event for answer in answers for event in answer["events"]]
    kept = [msgspec.to_builtins(codec.decode(one)) for name in log.tables() for one in log.read(name)]
    assert json.loads(json.dumps(kept)) == told
    for name in log.tables():
        verdict = verify(log.read(name))
        assert verdict.broken is None
        assert verdict.unprovable == 0
        assert verdict.head == log.head(name)


# ---- in this process


def heard(story: Story, step: Step) -> dict[str, Any]:
    """One line's answer in the shape that `play --json` gives it."""
    answers = story.hear(f"{step.person}: {step.text}")
    error = next((one.error for one in answers if one.error), None)
    events = [msgspec.to_builtins(event) for one in answers for event in one.events]
    return {
        "events": json.loads(json.dumps(events)),
        "replies": [{"to": letter.to, "text": letter.text} for one in answers for letter in one.letters],
        "error": {"code": error[0], "message": error[1]} if error else None,
    }


@pytest.mark.parametrize("case", CASES)
def test_a_case_is_played_as_it_says(case: Case) -> None:
    story = Story()
    answers = [heard(story, step) for step in case.steps]
    assert all_flaws(case, answers) == []
    prove(story.log, answers)
    for name in story.log.tables():
        again = replay(Table(name), map(codec.decode, story.log.read(name)))
        assert again == story.app.table(name)


# ---- through the program


def program(*words: str, script: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "adapters", *words], cwd=ROOT, input=script, capture_output=True, encoding="utf-8",
        check=False, timeout=120,
    )  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_program_plays_a_case_as_it_says(case: Case, tmp_path: Path) -> None:
    file = tmp_path / "case.db"
    script = "".join(f"{step.person}: {step.text}\n" for step in case.steps)
    done = program("play", "--json", "--db", str(file), script=script)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert all_flaws(case, answers) == []
    log = SqliteLog(file)
    prove(log, answers)
    log.close()
    checked = program("verify", str(file))
    assert checked.returncode == 0, checked.stdout + checked.stderr


# ---- the reader of cases can say no


ANSWER: dict[str, Any] = {
    "events": [{"type": "RollMade", "data": {"total": 7, "dice": [{"faces": [5, 2]}]}}],
    "replies": [{"to": "table", "text": "seven"}],
    "error": None,
}


@pytest.mark.parametrize(
    ("expectation", "holds"),
    [
        ("= RollMade", True),
        ("= RollMade total=7 dice.0.faces=[5,2]", True),
        ("= RollMade total=*", True),
        ("= RollMade total=8", False),
        ("= RollMade other=*", False),
        ("= RollMade dice.1.faces=*", False),
        ("= BennySpent", False),
        ("= none", False),
        ("! not_found", False),
        ("~ seven", True),
        ("~ eight", False),
        ("!~ eight", True),
        ("!~ seven", False),
    ],
)
def test_an_expectation_can_fail(expectation: str, holds: bool) -> None:
    (case,) = cases_of(f"== one\nred> /trait d8\n{expectation}")
    assert (list(flaws(case.steps[0], ANSWER)) == []) is holds


def test_a_refusal_that_nobody_expected_is_a_flaw() -> None:
    (case,) = cases_of("== one\nred> /trait d8")
    refused = {"events": [], "replies": [], "error": {"code": "not_found", "message": "No."}}
    assert list(flaws(case.steps[0], refused)) != []


def test_there_are_cases_and_each_has_steps() -> None:
    assert {file.stem for file in FILES} >= {"evening", "bad_input"}
    assert all(case.values[0].steps for case in CASES)
