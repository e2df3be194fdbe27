"""What people write in a chat reaches no interpreter, no shell and no file: our code has nothing that would let it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORBIDDEN = {
    "eval", "exec", "compile", "__import__", "execfile",  # of Python's own
    "pickle", "marshal", "shelve", "dill", "cloudpickle", "yaml", "ctypes", "code", "codeop", "runpy", "pty",
    "os.system", "os.popen", "os.startfile", "os.exec", "os.spawn", "os.posix_spawn",
}  # fmt: skip
PROGRAMS = ("subprocess", "asyncio.create_subprocess")
STARTS_PROGRAMS = {"adapters/setup/service.py"}  # `rollbook setup`, typed by the operator: systemd, by fixed words
WRITES = {  # to files, each for what the operator names, or under a fixed name
    "adapters/cli.py", "adapters/files.py", "adapters/export/whole.py", "adapters/matrix/device.py",
    "adapters/setup/service.py", "adapters/setup/configuration.py", "adapters/backup/making.py",
    "adapters/backup/restoring.py", "adapters/backup/keys.py", "adapters/terminal/prompt.py", "adapters/heads.py",
}  # fmt: skip
WRITING = {
    "write_text", "write_bytes", "touch", "mkdir", "makedirs", "rename", "renames", "unlink", "rmtree", "rmdir",
    "symlink_to", "hardlink_to", "remove_tree", "copyfile", "copytree", "copy2", "fdopen",
}  # fmt: skip


def modules() -> Iterator[tuple[str, ast.Module]]:
    for folder in ("adapters", "core", "events"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


MODULES = dict(modules())


def named(tree: ast.AST) -> Iterator[str]:
    """Every module that is imported and every name that is called, with its dots."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{one.name}" for one in node.names)
    yield from (ast.unparse(call.func) for call in calls(tree))


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def keywords(call: ast.Call) -> set[str | None]:
    return {one.arg for one in call.keywords}


def method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def is_forbidden(name: str) -> bool:
    return any(name == one or name.startswith((f"{one}.", f"{one}v", f"{one}l")) for one in FORBIDDEN)


@pytest.mark.parametrize(
    "source", ["eval(text)", "import pickle", "from yaml import load", "os.system(text)", "os.execv(text)"]
)
def test_what_is_forbidden_is_known_when_it_is_seen(source: str) -> None:
    assert any(map(is_forbidden, named(ast.parse(source))))


def test_no_text_is_run_as_a_program_and_none_is_read_as_objects() -> None:
    found = {path: [name for name in named(tree) if is_forbidden(name)] for path, tree in MODULES.items()}
    assert {path: names for path, names in found.items() if names} == {}


def test_programs_are_started_by_the_operator_alone_and_never_by_a_shell() -> None:
    starting = {path for path, tree in MODULES.items() if any(name.startswith(PROGRAMS) for name in named(tree))}
    assert starting == STARTS_PROGRAMS
    assert [path for path, tree in MODULES.items() for call in calls(tree) if "shell" in keywords(call)] == []


def test_only_what_the_operator_runs_writes_files() -> None:
    """`adapters/files.py` is called by the terminal: its names are held in tests/adapters/test_files.py."""
    writing = {path for path, tree in MODULES.items() for call in calls(tree) if method(call) in WRITING}
    assert {path for path in writing if not path.startswith(("events/sqlite/", "events/postgres/"))} <= WRITES
