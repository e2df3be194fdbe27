"""Real Chromium, driven by Playwright, and a page opened in it as people open it: as a file.

The browser is Debian's package `chromium`, or one that is named in ROLLBOOK_CHROMIUM.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

READY = "html[data-ready]"  # it can be read and stepped through
WHOLE = "html[data-whole]"  # nothing is made any more
NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window. Without one installed the tests are skipped, but for CI, where one must be."""
    path = os.environ.get("ROLLBOOK_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None and not os.environ.get("CI"):
        pytest.skip("no Chromium here: apt-get install chromium, or name one in ROLLBOOK_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


class Visit:
    """One page in one browser context, and all that went wrong or out while it was open."""

    def __init__(self, context: BrowserContext, file: Path) -> None:
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda said: self._complain(said.text) if said.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self._complain(str(error)))
        self.page.on("dialog", lambda dialog: self._complain(dialog.message))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.url = file.as_uri()
        self.page.goto(self.url)

    def _complain(self, what: str) -> None:
        self.complaints.append(what)

    def text(self, selector: str) -> str:
        return self.page.inner_text(selector)
