"""Permalinks and Software Heritage ids: their exact form, and when there is none."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimcheck.forges import FORGES, NoLink, Remote, parse_remote, permalink, swhid, template_problem
from claimcheck.model import Lines, Pin, Release, Revision, Vendor

COMMIT = "0123456789abcdef0123456789abcdef01234567"
BLOB = "89abcdef0123456789abcdef0123456789abcdef"
AT = Revision(COMMIT)
FIVE_TO_NINE = Lines(5, 9)
AT_RELEASE = Revision("f" * 40, Release("1.2.0", "ab" * 32))


def vendor(url: str | None, permalink: str | None = None) -> Vendor:
    return Vendor("ferry", Pin(COMMIT), ("F",), url=url, permalink=permalink)


def link(url: str | None, path: str = "src/dock.py", lines: Lines | None = FIVE_TO_NINE) -> str | NoLink:
    return permalink(vendor(url), AT, path, lines)


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/o/r",
        "https://github.com/o/r.git",
        "https://github.com/o/r.git/",
        "https://github.com/o/r/",
        "https://GitHub.com/o/r",
        "http://github.com/o/r",
        "https://github.com:443/o/r",
        "https://user:tok3n@github.com/o/r",
        "https://tok3n@github.com/o/r.git",
        "git://github.com/o/r.git",
        "git@github.com:o/r.git",
        "git@github.com:/o/r.git",
        "github.com:o/r",
        "ssh://git@github.com/o/r",
        "ssh://git@github.com:22/o/r.git",
        "ssh://git@ssh.github.com:443/o/r.git",
        "git+ssh://git@github.com/o/r.git",
    ],
)
def test_every_spelling_of_a_remote_gives_the_same_permalink(url: str) -> None:
    assert link(url) == f"https://github.com/o/r/blob/{COMMIT}/src/dock.py#L5-L9"


@pytest.mark.parametrize(
    ("url", "several", "one"),
    [
        ("https://github.com/o/r", "/o/r/blob/{commit}/src/dock.py#L5-L9", "#L5"),
        ("https://github.example.com/o/r", "/o/r/blob/{commit}/src/dock.py#L5-L9", "#L5"),
        ("https://gitlab.com/o/r", "/o/r/-/blob/{commit}/src/dock.py#L5-9", "#L5"),
        ("git@gitlab.example.com:group/sub/r.git", "/group/sub/r/-/blob/{commit}/src/dock.py#L5-9", "#L5"),
        ("https://salsa.debian.org/o/r", "/o/r/-/blob/{commit}/src/dock.py#L5-9", "#L5"),
        ("https://codeberg.org/o/r", "/o/r/src/commit/{commit}/src/dock.py#L5-L9", "#L5"),
        ("https://gitea.com/o/r", "/o/r/src/commit/{commit}/src/dock.py#L5-L9", "#L5"),
        ("https://forgejo.example.org/o/r", "/o/r/src/commit/{commit}/src/dock.py#L5-L9", "#L5"),
        ("https://my-gitea.example.org:3000/o/r", "/o/r/src/commit/{commit}/src/dock.py#L5-L9", "#L5"),
        ("https://bitbucket.org/o/r", "/o/r/src/{commit}/src/dock.py#lines-5:9", "#lines-5"),
        ("https://git.sr.ht/~o/r", "/~o/r/tree/{commit}/item/src/dock.py#L5-9", "#L5"),
        ("git@git.sr.ht:~o/r", "/~o/r/tree/{commit}/item/src/dock.py#L5-9", "#L5"),
    ],
)
def test_each_forge_has_its_own_form(url: str, several: str, one: str) -> None:
    remote = parse_remote(url)
    assert isinstance(remote, Remote)
    expected = f"https://{remote.host}" + several.format(commit=COMMIT)
    assert link(url) == expected
    page = expected.partition("#")[0]
    assert link(url, lines=Lines(5, 5)) == page + one
    assert link(url, lines=None) == page
    assert link(url, lines=Lines(1, 0)) == page


def test_every_forge_of_the_table_is_reached_by_its_hosts() -> None:
    for forge in FORGES:
        for host in forge.hosts:
            remote = parse_remote(f"https://{host}/o/r")
            assert isinstance(remote, Remote) and remote.forge is forge


@pytest.mark.parametrize(
    ("url", "path", "expected"),
    [
        ("https://github.com/o/r", "README.md", "README.md?plain=1#L5-L9"),
        ("https://gitlab.com/o/r", "docs/a.RST", "docs/a.RST?plain=1#L5-9"),
        ("https://codeberg.org/o/r", "README.md", "README.md?display=source#L5-L9"),
        ("https://bitbucket.org/o/r", "README.md", "README.md#lines-5:9"),
        ("https://github.com/o/r", "mdfile", "mdfile#L5-L9"),
    ],
)
def test_lines_of_a_rendered_file_are_linked_in_its_source(url: str, path: str, expected: str) -> None:
    found = link(url, path)
    assert isinstance(found, str) and found.endswith(f"/{expected}")


def test_a_whole_rendered_file_is_linked_as_it_is_shown() -> None:
    found = link("https://github.com/o/r", "README.md", None)
    assert isinstance(found, str) and found.endswith("/README.md")


@pytest.mark.parametrize(
    ("path", "encoded"),
    [
        ("a b#c.py", "a%20b%23c.py"),
        ("dir/é.py", "dir/%C3%A9.py"),
        ("a?b&c=d.py", "a%3Fb%26c%3Dd.py"),
        ("100%.py", "100%25.py"),
        ("(x)'\"<y>.py", "%28x%29%27%22%3Cy%3E.py"),
        ("caf\udce9.py", "caf%E9.py"),
        ("a:b@c/~d.py", "a%3Ab%40c/~d.py"),
    ],
)
def test_paths_are_percent_encoded(path: str, encoded: str) -> None:
    assert link("https://github.com/o/r", path) == f"https://github.com/o/r/blob/{COMMIT}/{encoded}#L5-L9"


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "javascript://github.com/o/r",
        "data:text/html,x",
        "file:///home/me/r",
        "/home/me/r",
        "../r",
        "C:/src/r",
        "C:\\work\\r",
        "ext::sh -c evil",
        "https://github.com@evil.example/o/r",
        "https://github.com:x@evil.example/o/r",
        "https://evil.example/github.com/o/r",
        "https://github.com/o/..",
        "https://github.com/../r",
        "https://github.com/o/r/../../x/y",
        "https://github.com/o",
        "https://github.com/",
        "https://github.com/o/r/tree/main",
        "https://github.com/o/.git",
        "https://github.com/o//r",
        "https://github.com/o/r?x=1",
        "https://github.com/o/r#frag",
        "https://github.com/o/r\n",
        "https://github.com\\@evil.example/o/r",
        'https://github.com/o/"onclick=',
        "https://github.com/o/<b>",
        "https://github.com/o%2f/r",
        "https://gıthub.com/o/r",
        "https://[::1/o/r",
        "https://[::1]/o/r",
        "https://github.com:99999/o/r",
        "http://github.com:8080/o/r",
        "https:///o/r",
        "--upload-pack=evil",
        "gh-work:o/r",
        "",
        "https://github.com/o/" + "r" * 3000,
    ],
)
def test_no_link_is_made_from_anything_else(url: str) -> None:
    found = link(url)
    assert isinstance(found, NoLink)
    assert found.reason


@pytest.mark.parametrize(
    "url", ["https://user:tok3n@git.example.org/o/r", "https://tok3n@github.com/o", "/home/tok3n/r"]
)
def test_a_reason_never_shows_the_address(url: str) -> None:
    found = link(url)
    assert isinstance(found, NoLink)
    assert "tok3n" not in found.reason
    assert "/home" not in found.reason


def test_an_unknown_host_says_how_to_get_links() -> None:
    found = link("https://git.example.org/o/r")
    assert found == NoLink("git.example.org is no forge known here; `permalink:` of the vendor gives a template")
    assert link(None) == NoLink("ferry has no url")


@pytest.mark.parametrize("path", ["../x.py", "a/../../x", "/etc/passwd", "a//b", "./a", "", "a/"])
def test_no_link_for_a_path_that_is_none(path: str) -> None:
    assert isinstance(link("https://github.com/o/r", path), NoLink)


@pytest.mark.parametrize("commit", ["main", "0123456", "HEAD", "0" * 39, "release/1.2.0", COMMIT.upper()])
def test_no_link_without_a_full_commit_id(commit: str) -> None:
    assert isinstance(permalink(vendor("https://github.com/o/r"), Revision(commit), "a.py", None), NoLink)


def test_a_release_has_no_permalink_whatever_the_vendor_says() -> None:
    for one in (vendor("https://github.com/o/r"), vendor(None, "https://x.example/{commit}/{path}")):
        assert permalink(one, AT_RELEASE, "a.py", Lines(1, 2)) == NoLink("a source archive has no permalink")


def test_the_users_template_comes_first() -> None:
    template = "https://code.example.org/x/{commit}/{path}?from={first}#L{first}-L{last}"
    found = permalink(vendor("https://github.com/o/r", template), AT, "a b/{first}.py", Lines(5, 9))
    assert found == f"https://code.example.org/x/{COMMIT}/a%20b/%7Bfirst%7D.py?from=5#L5-L9"


def test_a_template_loses_its_lines_for_a_whole_file() -> None:
    template = "https://code.example.org/{commit}/{path}#L{first}"
    assert permalink(vendor(None, template), AT, "a.py") == f"https://code.example.org/{COMMIT}/a.py"
    elsewhere = "https://code.example.org/{commit}/{path}?l={first}"
    assert isinstance(permalink(vendor(None, elsewhere), AT, "a.py"), NoLink)


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        ("http://x.example/{commit}/{path}", "it does not begin with https:// and a host"),
        ("javascript:alert({commit}{path})", "it does not begin with https:// and a host"),
        ("https://u:tok3n@x.example/{commit}/{path}", "it does not begin with https:// and a host"),
        ("https://{path}.example/{commit}", "it does not begin with https:// and a host"),
        ("https://x.example/{commit}", "it has no {path}"),
        ("https://x.example/{path}", "it has no {commit}"),
        ("https://x.example/{sha}/{path}", "it has {sha}; there are {commit}, {path}, {first} and {last}"),
        ("https://x.example/{commit}/{path}/{", "it has a character that an address cannot have"),
        ('https://x.example/{commit}/{path}"', "it has a character that an address cannot have"),
        ("https://[x/{commit}/{path}", "it is not an address"),
    ],
)
def test_what_is_wrong_with_a_template(template: str, problem: str) -> None:
    assert template_problem(template) == problem
    found = permalink(vendor("https://github.com/o/r", template), AT, "a.py", Lines(1, 2))
    assert isinstance(found, NoLink) and problem in found.reason


def test_a_good_template_has_no_problem() -> None:
    assert template_problem("https://x.example:8443/r/{path}@{commit}#L{first}-{last}") is None


def test_a_content_id_has_its_context_in_the_canonical_order() -> None:
    assert swhid(vendor("git@github.com:o/r.git"), AT, BLOB, "src/a;b%.py", Lines(9, 15)) == (
        f"swh:1:cnt:{BLOB};origin=https://github.com/o/r;anchor=swh:1:rev:{COMMIT};path=/src/a%3Bb%25.py;lines=9-15"
    )
    assert swhid(vendor(None), AT, BLOB, "a.py", Lines(7, 7)) == (
        f"swh:1:cnt:{BLOB};anchor=swh:1:rev:{COMMIT};path=/a.py;lines=7"
    )
    assert swhid(vendor(None), AT, BLOB, "a.py") == f"swh:1:cnt:{BLOB};anchor=swh:1:rev:{COMMIT};path=/a.py"


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://user:tok3n@git.example.org/o/r", ";origin=https://git.example.org/o/r;"),
        ("git@gitlab.example.org:o/r", ";origin=https://gitlab.example.org/o/r;"),
        ("git@git.example.org:o/r", ""),
        ("file:///home/tok3n/r", ""),
    ],
)
def test_an_origin_is_an_address_that_was_not_guessed(url: str, origin: str) -> None:
    found = swhid(vendor(url), AT, BLOB, "a.py", Lines(1, 2))
    assert "tok3n" not in found
    assert (origin in found) if origin else ("origin" not in found)


def test_of_a_release_only_content_and_lines_are_said() -> None:
    found = swhid(vendor("https://github.com/o/r"), AT_RELEASE, BLOB, "src/a.py", Lines(9, 15))
    assert found == f"swh:1:cnt:{BLOB};lines=9-15"


@given(st.text(max_size=80) | st.text("abc.:/@~-_%?#[] \\git\t\n", max_size=60), st.text(max_size=30))
def test_whatever_the_address_and_path_a_link_leads_to_the_named_host(url: str, path: str) -> None:
    shapes = (
        "{}",
        "https://github.com/{}",
        "https://{}@gitlab.com/o/r",
        "git@codeberg.org:{}",
        "https://git.sr.ht/~o/r",
    )
    for address in (shape.format(url) for shape in shapes):
        remote = parse_remote(address)
        found = link(address, path or "x")
        if isinstance(found, NoLink):
            assert found.reason
            continue
        assert isinstance(remote, Remote)
        parts = urlsplit(found)
        assert (parts.scheme, parts.netloc) == ("https", remote.host)
        assert found.isascii() and not set(found) & set(" \"'<>()\\^`{|}")
        assert ".." not in parts.path.split("/")
        assert unquote(parts.path).endswith(f"/{path or 'x'}")
        assert f"/{COMMIT}/" in parts.path
