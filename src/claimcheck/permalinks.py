"""What a link to a file on a forge says: repository, commit, path and lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from claimcheck.forges import FORGES, Forge, Remote, parse_remote
from claimcheck.model import FULL_ID, MAX_LINE, Lines

# An address is kept as https without credentials, whatever was written: nothing else is fetched from or linked to.
_SCHEME = r"https?://(?:[^/@\s]*@)?"
_HOST = r"(?P<host>[A-Za-z0-9][A-Za-z0-9.-]*(?::[0-9]+)?)"
_NAME = r"[A-Za-z0-9_.-]+"
_REST = r"(?P<path>[^?#]+)(?:\?[^#]*)?(?:#(?P<fragment>.*))?"
_REV = r"(?P<rev>[^/?#]+)"


def _form(forge: Forge) -> re.Pattern[str]:
    """What a forge's pages look like, at any host."""
    groups = {
        "https://": _SCHEME,
        "{host}": _HOST,
        "{name}": rf"(?P<repo>~?{_NAME}{f'(?:/{_NAME})+' if forge.nested else f'/{_NAME}'})",
        "{kind}": f"(?:{'|'.join(forge.kinds)})",
        "{commit}": _REV,
        "{path}": _REST,
    }
    pattern = re.escape(forge.page)
    for part, group in groups.items():
        pattern = pattern.replace(re.escape(part), group)
    return re.compile(pattern)


_FORMS = tuple(map(_form, FORGES))
_FRAGMENT = re.compile(
    r"L(?P<first>[0-9]{1,8})(?:C[0-9]+)?(?:-L?(?P<last>[0-9]{1,8})(?:C[0-9]+)?)?"
    r"|lines-(?P<from>[0-9]{1,8})(?::(?P<to>[0-9]{1,8}))?"
)
_BARE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9_][A-Za-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class Permalink:
    """A file at a full commit id; no `lines` when the link shows the whole file."""

    repository: str
    commit: str
    path: str
    lines: Lines | None


@dataclass(frozen=True, slots=True)
class NoPermalink:
    """A link that leads to no file at a full commit id, and why not."""

    reason: str


def read_permalink(url: str) -> Permalink | NoPermalink:
    """A link to lines of a file, as the forges that are known here write it."""
    match = next((match for form in _FORMS if (match := form.fullmatch(url))), None)
    if not match:
        return NoPermalink("is no link to a file on a forge")
    if not FULL_ID.match(match["rev"].lower()):
        return NoPermalink(f"leads to `{match['rev'][:40]}`, not to the full id of a commit")
    lines = _lines(match["fragment"])
    if isinstance(lines, NoPermalink):
        return lines
    repository = f"https://{match['host']}/{match['repo']}"
    return Permalink(repository, match["rev"].lower(), unquote(match["path"]), lines)


def _lines(fragment: str | None) -> Lines | NoPermalink | None:
    if not fragment:
        return None
    match = _FRAGMENT.fullmatch(fragment)
    if not match:
        return NoPermalink(f"ends in `#{fragment[:40]}`, which is no range of lines")
    first = int(match["first"] or match["from"])
    last = int(match["last"] or match["to"] or first)
    if not 1 <= first <= last <= MAX_LINE:
        return NoPermalink(f"ends in `#{fragment[:40]}`, which is no range of lines")
    return Lines(first, last)


def read_repository(text: str) -> str | None:
    """The https address of a repository given as `OWNER/NAME`, a URL or `git@HOST:OWNER/NAME`, without credentials.

    `OWNER/NAME` alone gives just that; which forge is meant, links may say.
    """
    address = re.sub(r"^http://", "https://", re.split(r"[?#]", text)[0].rstrip(".,;:!"))
    if "://" in address or "@" in address:
        remote = parse_remote(address)
        return remote.url if isinstance(remote, Remote) and len(remote.parts) > 1 else None
    match = _BARE.match(address)
    return match[0].rstrip(".").removesuffix(".git") if match else None


def same_repository(one: str, other: str) -> bool:
    """Whether two addresses name one repository; one without a host is equal to any that ends in it."""
    one, other = (address.rpartition("://")[2].casefold() for address in (one, other))
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")
