"""What stands in deploy/, each looked at by the program that will read it; where that is missing, the test says so."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import fields

from adapters.config import PREFIX, SECTIONS, Config
from tests.deploy.conftest import Evening

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
EXAMPLES = sorted(path for path in DEPLOY.iterdir() if path.suffix != ".md")
IMAGE = "rollbook-test"
METRIC = re.compile(r"\b(?:rollbook|process|python)_[a-z_]+\b(?!\()")


def program(name: str) -> str:
    """Where it is; it may have been installed beside Python. The test is skipped where there is none."""
    found = shutil.which(name) or shutil.which(name, path=str(Path(sys.executable).parent))
    if found is None:
        pytest.skip(f"{name} is not installed here")
    return found


def said(*command: object, cwd: Path = DEPLOY, timeout_s: float = 120) -> str:
    """What a program that is content with its input said."""
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, capture_output=True, text=True, check=False, timeout=timeout_s
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


# ---- the service of the system


def test_the_unit_is_one_that_systemd_takes_without_a_word(tmp_path: Path) -> None:
    analyze, unit = program("systemd-analyze"), tmp_path / "rollbook.service"
    text = (DEPLOY / "rollbook.service").read_text()
    unit.write_text(text.replace("/opt/rollbook/bin/rollbook", sys.executable))  # something that is there
    assert said(analyze, "verify", "--man=no", unit) == ""


def test_the_unit_leaves_little_to_whoever_breaks_in() -> None:
    analyze = program("systemd-analyze")
    told = said(analyze, "security", "--offline=true", "--threshold=15", DEPLOY / "rollbook.service")
    assert "Overall exposure level" in told


# ---- the container


def test_the_dockerfile_is_one_that_hadolint_takes() -> None:
    assert said(program("hadolint"), "Dockerfile") == ""


def copied() -> Iterator[str]:
    """What the Dockerfile takes from the project."""
    for line in (DEPLOY / "Dockerfile").read_text().splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            yield from line.split()[1:-1]


def test_the_engine_is_sent_what_the_image_is_made_of_and_nothing_else() -> None:
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert lines[1] == "*"
    assert sorted(line[1:] for line in lines if line.startswith("!")) == sorted(copied())
    assert [name for name in copied() if not (ROOT / name).exists()] == []


def test_the_image_is_built_and_runs() -> None:
    docker = program("docker")
    if subprocess.run([docker, "info"], capture_output=True, check=False, timeout=60).returncode:
        pytest.skip("no Docker engine is at hand")
    base = re.search(r"^FROM (\S+)$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    assert base
    if subprocess.run([docker, "pull", base[1]], capture_output=True, check=False, timeout=600).returncode:
        pytest.skip("the base image cannot be fetched")
    said(docker, "build", "--file", DEPLOY / "Dockerfile", "--tag", IMAGE, ".", cwd=ROOT, timeout_s=1800)
    assert said(docker, "run", "--rm", "--read-only", "--tmpfs=/tmp", IMAGE, "--version").startswith("rollbook ")


def test_the_compose_file_is_one_that_docker_compose_takes(tmp_path: Path) -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    for name in re.findall(r"env_file: (\S+)", text):
        (tmp_path / name).touch()
    docker = shutil.which("docker")
    if docker and not subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        compose = [docker, "compose"]
    else:
        compose = [program("docker-compose")]
        text = re.sub(r"^name: .*\n", "", text, flags=re.MULTILINE)  # the old one does not know it yet
    (tmp_path / "compose.yaml").write_text(text)
    assert "rollbook" in said(*compose, "--file", tmp_path / "compose.yaml", "config", cwd=tmp_path)


# ---- the proxy in front of a webhook


def test_nginx_takes_its_example(tmp_path: Path) -> None:
    nginx, openssl = program("nginx"), program("openssl")
    key, certificate = tmp_path / "privkey.pem", tmp_path / "fullchain.pem"
    said(
        openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=dice.example.org",
        "-keyout", key, "-out", certificate,
    )  # fmt: skip
    server = (DEPLOY / "nginx.conf").read_text().replace("/etc/letsencrypt/live/dice.example.org", str(tmp_path))
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{server}\n}}\n"
    )  # fmt: skip
    assert "successful" in said(nginx, "-t", "-e", tmp_path / "errors", "-c", tmp_path / "nginx.conf")


def test_caddy_takes_its_example() -> None:
    assert "Valid configuration" in said(
        program("caddy"), "validate", "--adapter", "caddyfile", "--config", "Caddyfile"
    )  # fmt: skip


# ---- what watches it


@pytest.mark.parametrize(
    ("look", "at", "file"),
    [("check", "config", "prometheus.yml"), ("check", "rules", "alerts.yaml"), ("test", "rules", "alerts.test.yaml")],
)
def test_prometheus_takes_its_rules_and_they_do_what_they_say(look: str, at: str, file: str) -> None:
    assert "FAILED" not in said(program("promtool"), look, at, file)


def test_each_alert_is_tried() -> None:
    alerts = set(re.findall(r"- alert: (\w+)", (DEPLOY / "alerts.yaml").read_text()))
    tried = re.findall(r"alertname: (\w+)", (DEPLOY / "alerts.test.yaml").read_text())
    assert alerts
    assert {alert: tried.count(alert) for alert in alerts if tried.count(alert) < 2} == {}


def queries() -> list[str]:
    """What the dashboard asks Prometheus."""
    board = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
    return [target["expr"] for panel in board["panels"] for target in panel["targets"]]


def test_dashboard_and_alerts_ask_for_metrics_that_there_are(evening: Evening) -> None:
    measured = {one.name for one in evening.samples}
    alerts = re.findall(r"expr: (.*)", (DEPLOY / "alerts.yaml").read_text())
    assert len(queries()) > 15
    assert len(alerts) > 5
    asked = {name for query in (*queries(), *alerts) for name in METRIC.findall(query)}
    assert asked - measured == set()


@pytest.mark.parametrize("query", queries())
def test_each_query_of_the_dashboard_is_one_that_prometheus_understands(tmp_path: Path, query: str) -> None:
    asked = query.replace("$__rate_interval", "1m")
    (tmp_path / "rules.yaml").write_text(
        json.dumps({"groups": [{"name": "board", "rules": [{"record": "asked", "expr": asked}]}]})
    )  # JSON is YAML
    said(program("promtool"), "check", "rules", tmp_path / "rules.yaml")


@pytest.mark.parametrize("language", ["README.md", "README.zh.md"])
def test_each_metric_and_each_file_is_explained(evening: Evening, language: str) -> None:
    names = {one.name for one in evening.samples if one.name.startswith("rollbook_")}
    ours = {re.sub(r"_(bucket|count|sum)$", "", name) for name in names}
    text = (DEPLOY / language).read_text(encoding="utf-8")
    assert set(re.findall(r"`(rollbook_\w+)`", text)) == ours
    assert [path.name for path in EXAMPLES if path.name not in text] == []


# ---- all of them


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_variable_in_an_example_is_one_that_is_read(path: Path) -> None:
    keys = {PREFIX + field.name.upper() for field in fields(Config)}
    for name, section in SECTIONS.items():
        keys |= {f"{PREFIX}{name.upper()}_{field.name.upper()}" for field in fields(section)}
    assert set(re.findall(rf"\b{PREFIX}[A-Z_]+\b", path.read_text(encoding="utf-8"))) - keys == set()
