"""`make audit`: whether a package that is installed has a known vulnerability, or that nobody could be asked.

pip-audit asks the registry for its advisories. Where it cannot be reached, pip-audit leaves packages out and ends well;
here that is told as what it is. Exit code 0: all were asked for, none is vulnerable; 1: one is; 2: some were not.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LOCK = Path(__file__).parents[2] / "requirements.lock"
ASK = (
    "uv", "tool", "run", "--from", "pip-audit>=2.7", "pip-audit", "--progress-spinner", "off", "--disable-pip",
    "--require-hashes", "--format", "json", "--requirement", str(LOCK),
)  # fmt: skip


def verdict(report: dict[str, Any]) -> tuple[int, list[str]]:
    """The exit code for a report of pip-audit's, and what is to be said of it."""
    packages = report["dependencies"]
    left_out = [one["name"] for one in packages if "skip_reason" in one]
    flaws = [
        f"{one['name']} {one['version']}: {flaw['id']}, mended in {', '.join(flaw['fix_versions']) or 'no release yet'}"
        for one in packages
        for flaw in one.get("vulns", ())
    ]
    if flaws:
        return 1, [f"VULNERABLE: {one}" for one in flaws]
    if left_out or not packages:
        return 2, [
            f"NOT AUDITED: {len(left_out)} of {len(packages)} packages could not be asked for; is there a network?",
            f"What holds all the same: {LOCK.name} pins each to its hashes, and nothing else is installed.",
        ]
    return 0, [f"AUDITED: {len(packages)} packages, none with a known vulnerability."]


def main() -> int:
    done = subprocess.run(ASK, capture_output=True, text=True, check=False)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        report = {"dependencies": []}
    code, lines = verdict(report)
    sys.stdout.write("\n".join(lines) + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
