"""The log streamed away by a real Litestream, with our example of a configuration, and put back."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.adapters.terminal import ROOT, exported, play, refused, run
from tests.soak.programs import wait_for

EXAMPLE = ROOT / "deploy" / "litestream.yml"
LOG, REPLICA = "/var/lib/rollbook/rollbook.db", "/srv/backup/rollbook"


@pytest.fixture
def litestream() -> str:
    found = shutil.which("litestream")
    if found is None:
        pytest.skip("there is no litestream here, and Debian has none")
    return found


@contextmanager
def streaming(litestream: str, config: Path) -> Iterator[None]:
    program = subprocess.Popen([litestream, "replicate", "-config", str(config)], stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        program.terminate()
        program.wait()


def test_what_was_streamed_away_is_restored_with_new_seeds(litestream: str, tmp_path: Path) -> None:
    log, copy, config = tmp_path / "rollbook.db", tmp_path / "copy.db", tmp_path / "litestream.yml"
    text = EXAMPLE.read_text(encoding="utf-8")
    config.write_text(text.replace(LOG, str(log)).replace(REPLICA, str(tmp_path / "replica")))

    def restored() -> bool:
        copy.unlink(missing_ok=True)
        command = [litestream, "restore", "-config", str(config), "-o", str(copy), str(log)]
        done = subprocess.run(command, capture_output=True, check=False)
        return done.returncode == 0 and exported(copy) == exported(log)

    play(log, "gm: /table new savage Glacier", "gm: /roll 2d6")
    with streaming(litestream, config):
        play(log, "gm: /roll 3d6")
        wait_for(restored)
        assert "held by another program" in refused(run("restore", "--db", log, "--replace", copy))
    done = run("restore", "--db", log, "--replace", copy)
    assert (done.returncode, "tables with a new seed: 1" in done.stdout) == (0, True)
    assert run("verify", log).returncode == 0


def test_the_example_names_the_places_that_the_service_has() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert f"path: {LOG}\n" in text
    assert f"path: {REPLICA} " in text
