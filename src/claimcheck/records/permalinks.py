"""What a link to a file on a forge says: repository, commit, path and lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from claimcheck.model import FULL_ID, MAX_LINE, Lines

# An address is kept as https without credentials, whatever was written: nothing else is fetched from or linked to.
_HOST = r"https?://(?:[^/@\s]*@)?(?P<host>[A-Za-z0-9][A-Za-z0-9.-]*(?::[0-9]+)?)/"
_NAME = r"[A-Za-z0-9_.-]+"
_REST = r"(?P<path>[^?#]+)(?:\?[^#]*)?(?:#(?P<fragment>.*))?"
_REV = r"(?P<rev>[^/?#]+)"

# The first one that fits; GitHub's and Bitbucket's forms are the loosest.
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("GitLab", re.compile(rf"{_HOST}(?P<repo>{_NAME}(?:/{_NAME})+)/-/blob/{_REV}/{_REST}")),
    ("Gitea, Forgejo", re.compile(rf"{_HOST}(?P<repo>{_NAME}/{_NAME})/src/(?:commit|branch|tag)/{_REV}/{_REST}")),
    ("sourcehut", re.compile(rf"{_HOST}(?P<repo>~{_NAME}/{_NAME})/tree/{_REV}/item/{_REST}")),
    ("GitHub", re.compile(rf"{_HOST}(?P<repo>{_NAME}/{_NAME})/blob/{_REV}/{_REST}")),
    ("Bitbucket", re.compile(rf"{_HOST}(?P<repo>{_NAME}/{_NAME})/src/{_REV}/{_REST}")),
)
_FRAGMENT = re.compile(
    r"L(?P<first>[0-9]{1,8})(?:C[0-9]+)?(?:-L?(?P<last>[0-9]{1,8})(?:C[0-9]+)?)?"
    r"|lines-(?P<from>[0-9]{1,8})(?::(?P<to>[0-9]{1,8}))?"
)
_REPOSITORY = re.compile(rf"{_HOST}(?P<repo>~?{_NAME}(?:/{_NAME})*)")
_SCP = re.compile(rf"(?:ssh://)?git@(?P<host>[A-Za-z0-9][A-Za-z0-9.-]*)[:/](?P<repo>~?{_NAME}(?:/{_NAME})*)")
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
    """A link to lines of a file, as GitHub, GitLab, Gitea, Forgejo, Bitbucket and sourcehut write it."""
    match = next((match for _, form in _FORMS if (match := form.fullmatch(url))), None)
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
    for form in (_REPOSITORY, _SCP):
        if match := form.match(text):
            repository = match["repo"].rstrip(".").removesuffix(".git")
            return f"https://{match['host']}/{repository}" if "/" in repository else None
    if match := _BARE.match(text):
        return match[0].rstrip(".").removesuffix(".git")
    return None


def same_repository(one: str, other: str) -> bool:
    """Whether two addresses name one repository; one without a host is equal to any that ends in it."""
    one, other = (address.rpartition("://")[2].casefold() for address in (one, other))
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")
