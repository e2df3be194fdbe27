"""The wheel and the sdist: what is in them, and that what was installed from them works without the tree."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from email.parser import HeaderParser
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("events", "core", "adapters")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BUILD = "import sys; from setuptools import build_meta; print(getattr(build_meta, sys.argv[1])(sys.argv[2]))"


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip("not a git clone: what belongs to the project cannot be told from what lies about")
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def built(what: str, tree: Path, to: Path) -> Path:
    """`what` is build_wheel or build_sdist. With the setuptools that are here, so without a network."""
    done = subprocess.run(
        [sys.executable, "-c", BUILD, what, str(to)], cwd=tree, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return to / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean clone."""
    tree = tmp_path_factory.mktemp("tree")
    for name in tracked():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tree / name)
    return tree


@pytest.fixture(scope="module")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("build_wheel", tree, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("build_sdist", tree, tmp_path_factory.mktemp("sdist"))


def contents(wheel: Path) -> dict[str, bytes]:
    with ZipFile(wheel) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_the_wheel_holds_every_file_of_the_three_packages_and_nothing_else(wheel: Path) -> None:
    found = {name for name in contents(wheel) if ".dist-info/" not in name}
    assert found == {name for name in tracked() if name.split("/")[0] in PACKAGES}
    assert any(name.endswith(".j2") for name in found), "what is no Python is in it too"


def test_its_metadata_says_what_the_project_file_says(wheel: Path) -> None:
    info = f"rollbook-{PROJECT['version']}.dist-info"
    found = contents(wheel)
    metadata = HeaderParser().parsestr(found[f"{info}/METADATA"].decode())
    assert (metadata["Name"], metadata["Version"]) == ("rollbook", PROJECT["version"])
    assert metadata["License-Expression"] == "MIT"
    assert metadata.get_all("Requires-Dist")
    assert found[f"{info}/licenses/LICENSE"] == (ROOT / "LICENSE").read_bytes()
    assert b"rollbook = adapters.__main__:main" in found[f"{info}/entry_points.txt"]


def test_a_wheel_made_of_the_sdist_is_the_same(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as file:
        file.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    for name in ("LICENSE", "CHANGELOG.md", "README.zh.md", "tests/story.py", "docs/protocol.md"):
        assert (unpacked / name).is_file(), name
    again = tmp_path / "wheel"
    again.mkdir()
    assert contents(built("build_wheel", unpacked, again)) == contents(wheel)


def test_what_is_installed_from_the_wheel_plays_without_the_tree(wheel: Path, tmp_path: Path) -> None:
    place = tmp_path / "site"
    with ZipFile(wheel) as file:
        file.extractall(place)
    environment = {**os.environ, "PYTHONPATH": str(place), "LC_ALL": "C.UTF-8"}

    def rollbook(*arguments: object, given: str = "") -> str:
        command = [sys.executable, "-m", "adapters", *map(str, arguments)]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, input=given, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert rollbook("--version") == f"rollbook {PROJECT['version']}\n"
    db, page = tmp_path / "rollbook.db", tmp_path / "page.html"
    assert "Glacier" in rollbook("play", "--db", db, given="gm: /table new savage Glacier\ngm: /roll 2d6\n")
    rollbook("export", "--db", db, "--format", "html", "-o", page)
    assert "<script" in page.read_text(encoding="utf-8")


def test_the_changelog_tells_of_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## [{PROJECT['version']}] - 20" in text
    assert text.index("\n## [Unreleased]") < text.index(f"\n## [{PROJECT['version']}]")
