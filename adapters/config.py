"""The configuration of `rollbook serve`: a TOML file, and for every key an environment variable that goes before it.

`telegram.token` is ROLLBOOK_TELEGRAM_TOKEN, `db` is ROLLBOOK_DB. A token need not stand in a file. Where none is named,
the file is the user's own, which `rollbook setup` writes.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import parse_qs, unquote, urlsplit

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import fields
from platformdirs import user_config_path

from adapters.zones import Iana, unknown
from core.language import Language
from core.zones import Zones

BOT_TOKEN = r"^\d+:[A-Za-z0-9_-]+$"  # noqa: S105  the shape of one
PORT = r"(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})"  # 1 to 65535
HOST = r"(?:\[[0-9a-fA-F:.]+\]|[^\s/?#@:\[\]]+)"
PATH = r"(?:/[^\s?#]*)?"
SERVER = rf"^https?://{HOST}(?::{PORT})?{PATH}\Z"
WEB_ADDRESS = rf"^(?:https://{HOST}|http://(?:127\.0\.0\.1|localhost))(?::{PORT})?{PATH}\Z"
HOST_AND_PORT = rf"^{HOST}:{PORT}\Z"
EXPECTED = {
    "language": '"en" or "zh"',
    "log_format": '"text" or "json"',
    "time_zone": 'a name as in "Asia/Shanghai" or "UTC+8"',
    "patience_minutes": "a number of minutes, from 1 to 10080",
    "telegram": "a section of its own that begins with [telegram]",
    "telegram.token": "digits, a colon, and what @BotFather gave behind it",
    "telegram.webhook_url": "an address that begins with https:// and has no question mark",
    "telegram.webhook_listen": "a host and a port up to 65535, as in 127.0.0.1:8443",
    "telegram.webhook_secret": "at most 256 of A-Z, a-z, 0-9, _ and -",
    "telegram.base_url": "an address as in https://api.telegram.org/bot",
    "telegram.base_file_url": "an address as in https://api.telegram.org/file/bot",
    "telegram.allow": 'people and groups, as in ["@ann", "123456789", "-1001234567890"]',
    "matrix": "a section of its own that begins with [matrix]",
    "matrix.homeserver": "an address that begins with https://",
    "matrix.user": "a name as in @rollbook:example.org",
    "matrix.allow": 'accounts and servers, as in ["@ann:example.org", "example.com"], or rooms, as in ["!abc"]',
    "matrix.encryption": "true or false",
    "metrics": "a section of its own that begins with [metrics]",
    "metrics.listen": "a host and a port up to 65535, as in 127.0.0.1:9464",
    "limits": "a section of its own that begins with [limits]",
    "limits.person_per_minute": "a number of commands from 0 (no limit) to 100000",
    "limits.person_at_once": "a number of commands from 1 to 100000",
    "limits.chat_per_minute": "a number of commands from 0 (no limit) to 100000",
    "limits.chat_at_once": "a number of commands from 1 to 100000",
}
TEXT = "text between quotation marks"  # what all other keys are
PREFIX = "ROLLBOOK_"


class NotConfigured(Exception):
    """The configuration cannot be used; str() names the key and what would do."""


class Telegram(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`token` is what @BotFather gave; `base_url` another Bot API server.

    `allow` names the people (`@name` or their number) and groups (`@name` or number) that are served; none: everybody.
    A group is served too once one of these people has brought the bot there or written in it; and who has
    written in a group that is served may write in private.

    With `webhook_url`, a public https address, Telegram brings the updates there, and we listen for them on the same
    path at `webhook_listen` (host:port), behind a proxy that does TLS. Without a `webhook_secret` one is made of token
    and address. Without `webhook_url` we ask for updates ourselves.
    """

    token: Annotated[str, Meta(pattern=BOT_TOKEN)]
    webhook_url: Annotated[str, Meta(pattern=WEB_ADDRESS)] | None = None
    webhook_listen: Annotated[str, Meta(pattern=HOST_AND_PORT)] = "127.0.0.1:8443"
    webhook_secret: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,256}$")] | None = None
    base_url: Annotated[str, Meta(pattern=SERVER)] = "https://api.telegram.org/bot"
    base_file_url: Annotated[str, Meta(pattern=SERVER)] = "https://api.telegram.org/file/bot"
    allow: tuple[Annotated[str, Meta(pattern=r"^(?:@?[A-Za-z]\w{1,31}|-?\d{1,19})$")], ...] = ()


class Matrix(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`user` (`@rollbook:example.org`) at `homeserver`, by its `password` or by an `access_token` of its own.

    With a password the bot makes a device of its own once, and keeps login and keys in the folder `store`, encrypted
    with `pickle_key`. `allow` names the people and servers whose invitations are accepted, and rooms (`!…`) to which
    anybody's are; none: all invitations are accepted.
    Without `encryption` no encrypted room can be read.
    """

    homeserver: Annotated[str, Meta(pattern=SERVER)]
    user: Annotated[str, Meta(pattern=r"^@[^:\s]+:\S+$")]
    access_token: str | None = None
    password: str | None = None
    device_id: str | None = None
    store: str | None = None
    pickle_key: str | None = None
    allow: tuple[str, ...] = ()
    encryption: bool = True


class Metrics(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """At `listen` (host:port) Prometheus finds /metrics, and whoever looks after the program /healthz.

    Anybody who gets there may read them, so it is not a public address.
    """

    listen: Annotated[str, Meta(pattern=HOST_AND_PORT)]


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many commands are taken up, against floods: of one person in a chat, and of a whole chat.

    So many at once, and then so many a minute (0: no limit). Five lines of talk that is kept count as one command,
    a new table counts as ten.
    """

    person_per_minute: Annotated[int, Meta(ge=0, le=100_000)] = 30
    person_at_once: Annotated[int, Meta(ge=1, le=100_000)] = 60
    chat_per_minute: Annotated[int, Meta(ge=0, le=100_000)] = 120
    chat_at_once: Annotated[int, Meta(ge=1, le=100_000)] = 240


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`db` is the log's file, `language` what is spoken where no table says otherwise, `time_zone` by which clock times
    are told there (IANA's names; UTC).

    Commands that waited longer than `patience_minutes` while the bot was away are told so and not run. `log_format` is
    the form of what `serve` writes to stderr: lines of text, or an object of JSON on each.
    """

    db: str | None = None
    language: Language | None = None
    time_zone: str | None = None
    patience_minutes: Annotated[int, Meta(ge=1, le=10_080)] = 15
    log_format: Literal["text", "json"] = "text"
    telegram: Telegram | None = None
    matrix: Matrix | None = None
    metrics: Metrics | None = None
    limits: Limits = Limits()


SECTIONS: Mapping[str, type[Struct]] = {
    "telegram": Telegram, "matrix": Matrix, "metrics": Metrics, "limits": Limits,
}  # fmt: skip
LISTS = ("allow",)  # they may be given as one text, with commas or spaces between
PATHS = ("db", "store")


def own_file() -> Path:
    """The file in the user's configuration folder."""
    return user_config_path("rollbook") / "rollbook.toml"


def chosen(named: Path | None) -> Path | None:
    """The file to be read: the one that is named, or the user's own if there is one."""
    own = own_file()
    return named or (own if os.access(own, os.F_OK) else None)


def read(path: Path | None, environment: Mapping[str, str] = os.environ) -> Config:
    """The configuration; NotConfigured where something is missing, misspelt or of the wrong kind."""
    given = _file(path) if path else {}
    _lay_over(given, Config, PREFIX, environment)
    for name, section in SECTIONS.items():
        part = given.setdefault(name, {})
        if isinstance(part, dict):
            _lay_over(part, section, f"{PREFIX}{name.upper()}_", environment)
            if not part:
                del given[name]
    try:
        config = convert(given, Config, strict=False)
    except ValidationError as error:
        raise NotConfigured(_sentence(str(error), path)) from None  # the value may be a secret
    if config.matrix and not (config.matrix.access_token or config.matrix.password):
        raise NotConfigured(_missing("matrix.password", path))
    zones(config.time_zone, path or "the environment")
    return config


def zones(name: str | None, where: object) -> Zones:
    """All time zones, this one for whoever has set none. NotConfigured: there is none called so."""
    if not name:
        return Iana()
    if (found := Iana().find(name)) is None:
        raise NotConfigured(f"time_zone in {where} (or {_variable('time_zone')}) is wrong: {unknown(name)}.")
    return Iana(found)


def secrets_in(config: Config) -> Iterator[str]:
    """What nobody but the operator may see: tokens, passwords, keys, and what in the address of a database is one."""
    if telegram := config.telegram:
        yield telegram.token
        yield telegram.token.partition(":")[2]  # what is before it is the bot's public id
        yield from filter(None, [telegram.webhook_secret])
    if matrix := config.matrix:
        yield from filter(None, (matrix.access_token, matrix.password, matrix.pickle_key))
    if config.db and "://" in config.db:
        yield from _passwords(config.db)


def _passwords(address: str) -> Iterator[str]:
    try:
        parts = urlsplit(address)
    except ValueError:  # no address at all
        yield address
        return
    if parts.password:
        yield from (parts.password, unquote(parts.password))
    given = parse_qs(parts.query)
    for name in ("password", "sslpassword"):
        yield from given.get(name, [])


def _file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))  # some editors begin a file with a mark
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise NotConfigured(f"{path} is not TOML: {error}") from None
    except OSError as error:
        raise NotConfigured(f"{path} cannot be read: {error.strerror}") from None


def _lay_over(given: dict[str, Any], kind: type[Struct], prefix: str, environment: Mapping[str, str]) -> None:
    """Environment variables that are set and not empty; and what is given, as it is meant."""
    for field in fields(kind):
        if field.name not in SECTIONS and (value := environment.get(f"{prefix}{field.name.upper()}")):
            given[field.name] = value
        if isinstance(text := given.get(field.name), str):
            given[field.name] = _meant(field.name, text)


def _meant(name: str, text: str) -> str | list[str]:
    if name in LISTS:
        return text.replace(",", " ").split()
    return os.path.expanduser(text) if name in PATHS else text  # noqa: PTH111  Path's fails for somebody unknown


def _sentence(error: str, path: Path | None) -> str:
    """What msgspec says, in plain words, with the key as people write it: `telegram.token`, ROLLBOOK_TELEGRAM_TOKEN."""
    where = path or "the environment"
    if missing := re.search(r"missing required field `([^`]+)`(?: - at `\$\.?([\w.]*)`)?", error):
        return _missing(".".join(filter(None, (missing[2], missing[1]))), path)
    if unknown := re.search(r"contains unknown field `([^`]+)`(?: - at `\$\.?([\w.]*)`)?", error):
        return f"{'.'.join(filter(None, (unknown[2], unknown[1])))} in {where} is not a key that Rollbook knows."
    key = error.partition(" - at `$.")[2].strip("`").partition("[")[0]
    other = "" if key in SECTIONS else f" (or {_variable(key)})"
    return f"{key} in {where} is wrong: expected {EXPECTED.get(key, TEXT)}{other}."


def _missing(key: str, path: Path | None) -> str:
    return f"{key} is missing: set it in {path or own_file()}, or {_variable(key)} in the environment."


def _variable(key: str) -> str:
    return PREFIX + key.replace(".", "_").upper()
