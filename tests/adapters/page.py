"""A page taken apart and put together again: what is packed into it, and a browser to open it in."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable

PARTS = ("facts", "steps", "record")


def _block(part: str) -> re.Pattern[str]:
    return re.compile(rf'(<script type="[a-z/]+" id="{part}">)(.*?)(</script>)', re.DOTALL)


def packed(page: str, part: str) -> str:
    """What a page holds of facts, steps or record: text as the page's own script reads it, a line each."""
    found = _block(part).findall(page)
    assert len(found) == 1, part
    text = found[0][1]
    if part == "facts":
        return json.dumps(json.loads(text), ensure_ascii=False)
    return gzip.decompress(b"".join(map(b64decode, text.split()))).decode()


def repacked(page: str, part: str, change: Callable[[str], str]) -> str:
    """The page with another content of `part`, as somebody who tampers with it would write it."""
    content = b64encode(gzip.compress(change(packed(page, part)).encode())).decode()
    return _block(part).sub(lambda found: f"{found[1]}\n{content}\n{found[3]}", page)
