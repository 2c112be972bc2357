"""What a link to a file on a forge says: repository, commit, path and lines."""

from __future__ import annotations

import functools
import re
from urllib.parse import unquote

from claimcheck.forges import FORGES, Forge, Remote, parse_remote
from claimcheck.model import FULL_ID, MAX_LINE, Lines
from claimcheck.values import frozen

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
    pattern = re.escape(forge.page).replace("/blob/", "/(?:blob|blame|raw)/")
    for part, group in groups.items():
        pattern = pattern.replace(re.escape(part), group)
    return re.compile(pattern)


_FORMS = tuple(map(_form, FORGES))
_FRAGMENT = re.compile(
    r"L(?P<first>[0-9]{1,8})(?:C[0-9]+)?(?:-L?(?P<last>[0-9]{1,8})(?:C[0-9]+)?)?"
    r"|lines-(?P<from>[0-9]{1,8})(?::(?P<to>[0-9]{1,8}))?"
)
_BARE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9_][A-Za-z0-9_.-]*")


@frozen
class Permalink:
    """A file at a full commit id; no `lines` when the link shows the whole file."""

    repository: str
    commit: str
    path: str
    lines: Lines | None


@frozen
class NoPermalink:
    """A link that leads to no file at a full commit id, and why not."""

    reason: str


@frozen
class FileLink:
    """A link to a file on a forge, at whatever revision: `rev` may be a branch. `unread` is what stands behind `#`.

    No `repository` where a vendor's own template was matched, which is a repository's by itself.
    """

    repository: str | None
    rev: str
    path: str
    lines: Lines | None
    unread: str = ""

    @property
    def commit(self) -> str | None:
        """The full id of a commit, if the link has one."""
        return self.rev.lower() if FULL_ID.match(self.rev.lower()) else None


def read_file_link(url: str) -> FileLink | None:
    """A link to a file, as the forges that are known here write it."""
    match = next((match for form in _FORMS if (match := form.fullmatch(url))), None)
    if not match:
        return None
    fragment = match["fragment"] or ""
    lines = _lines(fragment)
    unread = fragment if lines is None else ""
    return FileLink(f"https://{match['host']}/{match['repo']}", match["rev"], unquote(match["path"]), lines, unread)


def read_by_template(url: str, template: str) -> FileLink | None:
    """A link as a vendor's `permalink:` template writes it, with or without what stands behind `#`."""
    match = _template_form(template).fullmatch(url)
    if match is None:
        return None
    groups = match.groupdict()
    first = int(groups.get("first") or 0)
    last = int(groups.get("last") or first)
    lines = Lines(first, last) if 1 <= first <= last <= MAX_LINE else None
    return FileLink(None, match["rev"], unquote(match["path"]), lines)


@functools.cache
def _template_form(template: str) -> re.Pattern[str]:
    groups = {"commit": r"(?P<rev>[^/?#&]+)", "path": r"(?P<path>[^?#]+)"}
    groups |= {"first": r"(?P<first>[0-9]{1,8})", "last": r"(?P<last>[0-9]{1,8})"}
    page, mark, fragment = re.escape(template).partition(r"\#")
    pattern = f"{page}(?:{mark}{fragment})?" if mark else page
    for name, group in groups.items():
        placeholder = re.escape(f"{{{name}}}")
        pattern = pattern.replace(placeholder, group, 1).replace(placeholder, rf"(?P={group[3:].partition('>')[0]})")
    return re.compile(pattern)


def read_permalink(url: str) -> Permalink | NoPermalink:
    """A link to lines of a file, as the forges that are known here write it."""
    link = read_file_link(url)
    if link is None:
        return NoPermalink("is no link to a file on a forge")
    if link.commit is None:
        return NoPermalink(f"leads to `{link.rev[:40]}`, not to the full id of a commit")
    if link.unread:
        return NoPermalink(f"ends in `#{link.unread[:40]}`, which is no range of lines")
    assert link.repository is not None
    return Permalink(link.repository, link.commit, link.path, link.lines)


def _lines(fragment: str) -> Lines | None:
    match = _FRAGMENT.fullmatch(fragment)
    if not match:
        return None
    first = int(match["first"] or match["from"])
    last = int(match["last"] or match["to"] or first)
    return Lines(first, last) if 1 <= first <= last <= MAX_LINE else None


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
