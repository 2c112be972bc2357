"""Permalinks and Software Heritage ids for lines of a vendor's file.

A link is made only from a remote address that was taken apart, a full commit id and a percent-encoded path, so
that nothing from a registry can lead elsewhere; whatever is left over gives a reason instead of a link. What
was read from a release has neither a permalink nor a revision id, since the commit is one that only this
machine's copy of the archive has.
"""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from claimcheck.model import FULL_ID, Lines, Revision, Vendor
from claimcheck.values import frozen

_HOST = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\Z")
_SCP = re.compile(r"(?:(?P<user>[A-Za-z0-9_.+-]+)@)?(?P<host>[A-Za-z0-9.-]+):(?P<path>[^:]*)\Z")
_PART = re.compile(r"~?[A-Za-z0-9_.-]+\Z")
_ODD = re.compile(r"[^!-~]|[\"<>\\^`{|}]")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_PLACEHOLDERS = frozenset({"commit", "path", "first", "last"})
_SCHEMES = frozenset({"https", "http", "ssh", "git", "git+ssh", "ssh+git"})
_LONGEST_ADDRESS = 2000

# Hosts that answer ssh on the https port, and where their pages are.
_SSH_HOSTS = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}

# Files that forges show as pages, where line numbers lead nowhere unless the source is asked for.
_RENDERED = frozenset(
    {"adoc", "asciidoc", "csv", "ipynb", "markdown", "md", "mdown", "mediawiki", "mkd", "mkdn", "org", "pod"}
    | {"rdoc", "rst", "svg", "textile", "tsv"}
)


@frozen
class Forge:
    """A kind of site and how its permalinks look.

    Any host with `word` in its name is taken for one. `source` is the query that shows a rendered file as
    text; `nested` allows groups inside groups. `kinds` has the words that tell a commit from a branch and a tag
    where addresses have one, a commit's first.
    """

    name: str
    hosts: tuple[str, ...]
    word: str | None
    page: str
    one: str
    several: str
    source: str = ""
    nested: bool = False
    kinds: tuple[str, ...] = ()


FORGES: tuple[Forge, ...] = (
    Forge(
        name="GitHub",
        hosts=("github.com", "www.github.com"),
        word="github",
        page="https://{host}/{name}/blob/{commit}/{path}",
        one="#L{first}",
        several="#L{first}-L{last}",
        source="?plain=1",
    ),
    Forge(
        name="GitLab",
        hosts=("gitlab.com", "salsa.debian.org", "invent.kde.org", "framagit.org"),
        word="gitlab",
        page="https://{host}/{name}/-/blob/{commit}/{path}",
        one="#L{first}",
        several="#L{first}-{last}",
        source="?plain=1",
        nested=True,
    ),
    Forge(
        name="Gitea",
        hosts=("gitea.com",),
        word="gitea",
        page="https://{host}/{name}/src/{kind}/{commit}/{path}",
        one="#L{first}",
        several="#L{first}-L{last}",
        source="?display=source",
        kinds=("commit", "branch", "tag"),
    ),
    Forge(
        name="Forgejo",
        hosts=("codeberg.org",),
        word="forgejo",
        page="https://{host}/{name}/src/{kind}/{commit}/{path}",
        one="#L{first}",
        several="#L{first}-L{last}",
        source="?display=source",
        kinds=("commit", "branch", "tag"),
    ),
    Forge(
        name="Bitbucket",
        hosts=("bitbucket.org",),
        word=None,  # the server edition has other addresses
        page="https://{host}/{name}/src/{commit}/{path}",
        one="#lines-{first}",
        several="#lines-{first}:{last}",
    ),
    Forge(
        name="sourcehut",
        hosts=("git.sr.ht",),
        word=None,
        page="https://{host}/{name}/tree/{commit}/item/{path}",
        one="#L{first}",
        several="#L{first}-{last}",
    ),
)


@frozen
class NoLink:
    """Why there is no permalink, in words that never hold the address itself, which may have a secret in it."""

    reason: str


@frozen
class Remote:
    """A repository's address without user, password and `.git`: the host and the path's parts.

    `web` says that the address as written is one that a browser can open.
    """

    host: str
    parts: tuple[str, ...]
    web: bool

    @property
    def name(self) -> str:
        return "/".join(self.parts)

    @property
    def url(self) -> str:
        return f"https://{self.host}/{self.name}"

    @property
    def forge(self) -> Forge | None:
        """The kind of site: by its host's name, else by a word in it."""
        bare = self.host.partition(":")[0]
        known = next((forge for forge in FORGES if bare in forge.hosts), None)
        return known or next((forge for forge in FORGES if forge.word and forge.word in bare), None)


def parse_remote(address: str) -> Remote | NoLink:
    """Take a remote address apart: https, ssh and `git@host:owner/name.git`."""
    if len(address) > _LONGEST_ADDRESS or _ODD.search(address) or "::" in address:
        return NoLink("its url is not the address of a repository")
    if "://" in address:
        return _parse_url(address)
    match = _SCP.match(address)
    if match is None or not (match["user"] or "." in match["host"]):
        return NoLink("its url is a place on this machine")
    return _remote(match["host"], match["path"], web=False)


def _parse_url(address: str) -> Remote | NoLink:
    try:
        url = urlsplit(address)
        host, port = url.hostname or "", url.port
    except ValueError:
        return NoLink("its url is not the address of a repository")
    if url.scheme not in _SCHEMES or url.query or url.fragment:
        return NoLink("its url is not the address of a repository")
    if url.scheme == "http" and port is not None:
        return NoLink("its url is not https")
    web = url.scheme in ("https", "http")
    port = port if url.scheme == "https" and port != 443 else None
    return _remote(host, url.path, web=web, port=port)


def _remote(host: str, path: str, *, web: bool, port: int | None = None) -> Remote | NoLink:
    host = _SSH_HOSTS.get(host.lower(), host.lower())
    parts = path.strip("/").removesuffix(".git").split("/")
    if not _HOST.match(host):
        return NoLink("its url is not the address of a repository")
    if not all(_PART.match(part) and part.strip(".") for part in parts):
        return NoLink(f"its url names no repository at {host}")
    return Remote(f"{host}:{port}" if port else host, tuple(parts), web)


def permalink(vendor: Vendor, revision: Revision, path: str, lines: Lines | None = None) -> str | NoLink:
    """The address of a file's lines at a commit, or of the whole file; or why there is none.

    The vendor's own `permalink` template comes before the built-in ones.
    """
    if revision.release is not None:
        return NoLink("a source archive has no permalink")
    if not FULL_ID.match(revision.commit):
        return NoLink("a permalink needs the full id of a commit")
    if any(part in ("", ".", "..") for part in path.split("/")):
        return NoLink("the path is not one of a file in a repository")
    if lines is not None and not len(lines):
        lines = None
    if vendor.permalink is not None:
        return _from_template(vendor.permalink, revision.commit, path, lines)
    return _from_forge(vendor, revision.commit, path, lines)


def _from_forge(vendor: Vendor, commit: str, path: str, lines: Lines | None) -> str | NoLink:
    if vendor.url is None:
        return NoLink(f"{vendor.name} has no url")
    remote = parse_remote(vendor.url)
    if isinstance(remote, NoLink):
        return remote
    forge = remote.forge
    if forge is None:
        return NoLink(f"{remote.host} is no forge known here; `permalink:` of the vendor gives a template")
    if len(remote.parts) < 2 or (len(remote.parts) > 2 and not forge.nested):
        return NoLink(f"its url names no repository at {remote.host}")
    kind = forge.kinds[0] if forge.kinds else ""
    page = forge.page.format(host=remote.host, name=remote.name, kind=kind, commit=commit, path=_encoded(path))
    if lines is None:
        return page
    source = forge.source if path.rpartition(".")[2].lower() in _RENDERED else ""
    fragment = forge.one if len(lines) == 1 else forge.several
    return page + source + fragment.format(first=lines.first, last=lines.last)


def template_problem(template: str) -> str | None:
    """What is wrong with a `permalink` template, if anything is."""
    try:
        url = urlsplit(template)
        host = url.hostname or ""
    except ValueError:
        return "it is not an address"
    if url.scheme != "https" or not _HOST.match(host) or url.username is not None or _PLACEHOLDER.search(url.netloc):
        return "it does not begin with https:// and a host"
    named = set(_PLACEHOLDER.findall(template))
    if unknown := sorted(named - _PLACEHOLDERS):
        return f"it has {{{unknown[0]}}}; there are {{commit}}, {{path}}, {{first}} and {{last}}"
    if missing := sorted({"commit", "path"} - named):
        return f"it has no {{{missing[0]}}}"
    if _ODD.search(_PLACEHOLDER.sub("", template)):
        return "it has a character that an address cannot have"
    return None


def _from_template(template: str, commit: str, path: str, lines: Lines | None) -> str | NoLink:
    if problem := template_problem(template):
        return NoLink(f"the vendor's `permalink` template cannot be used: {problem}")
    values = {"commit": commit, "path": _encoded(path)}
    if lines is None:
        page, _, fragment = template.partition("#")
        template = page if _PLACEHOLDER.search(fragment) else template
        if {"first", "last"} & set(_PLACEHOLDER.findall(template)):
            return NoLink("the vendor's `permalink` template has no form for a whole file")
    else:
        values |= {"first": str(lines.first), "last": str(lines.last)}
    return _PLACEHOLDER.sub(lambda match: values[match[1]], template)


def swhid(vendor: Vendor, revision: Revision, blob: str, path: str, lines: Lines | None = None) -> str:
    """The Software Heritage id of a file's content and lines, with where it stands in the repository.

    What was read from a release has no context: the commit is known to nobody else, the archive was not seen at
    the origin, and a path means something only from a revision or directory down.
    """
    qualifiers = []
    if revision.release is None:
        if origin := _origin(vendor):
            qualifiers.append(f"origin={origin}")
        qualifiers += [f"anchor=swh:1:rev:{revision.commit}", f"path=/{_encoded(path)}"]
    if lines is not None and len(lines):
        qualifiers.append(f"lines={lines}")
    return ";".join([f"swh:1:cnt:{blob}", *qualifiers])


def _origin(vendor: Vendor) -> str | None:
    """The address under which an archive knows the repository; no guess from an ssh address of an unknown host."""
    remote = parse_remote(vendor.url) if vendor.url else None
    if isinstance(remote, Remote) and (remote.web or remote.forge):
        return remote.url
    return None


def _encoded(path: str) -> str:
    """A path as it may stand in an address; bytes that are no UTF-8 come out as themselves."""
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")
