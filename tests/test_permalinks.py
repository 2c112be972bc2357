"""What links to files say: every forge's, and those of a vendor's own template."""

from __future__ import annotations

import pytest

from claimcheck.forges import permalink
from claimcheck.model import Lines, Pin, Revision, Vendor
from claimcheck.permalinks import FileLink, read_by_template, read_file_link

COMMIT = "ab" * 20


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://github.com/o/r/blob/main/a/b.py#L3-L5", ("https://github.com/o/r", "main", "a/b.py", Lines(3, 5))),
        ("https://github.com/o/r/blame/v1.2/a%20b.py#L3", ("https://github.com/o/r", "v1.2", "a b.py", Lines(3, 3))),
        (f"https://github.com/o/r/raw/{COMMIT}/a.md?plain=1", ("https://github.com/o/r", COMMIT, "a.md", None)),
        ("https://gitlab.com/g/s/r/-/blob/main/a.py#L3-5", ("https://gitlab.com/g/s/r", "main", "a.py", Lines(3, 5))),
        ("https://codeberg.org/o/r/src/branch/main/a.py#L3", ("https://codeberg.org/o/r", "main", "a.py", Lines(3, 3))),
        (
            "https://bitbucket.org/o/r/src/main/a.py#lines-3:5",
            ("https://bitbucket.org/o/r", "main", "a.py", Lines(3, 5)),
        ),
        ("https://git.sr.ht/~o/r/tree/main/item/a.py#L3-5", ("https://git.sr.ht/~o/r", "main", "a.py", Lines(3, 5))),
        ("https://user:token@github.com/o/r/blob/main/a.py", ("https://github.com/o/r", "main", "a.py", None)),
    ],
)
def test_links_to_files(url: str, found: tuple[str, str, str, Lines | None]) -> None:
    assert read_file_link(url) == FileLink(*found)


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/o/r",
        "https://github.com/o/r/tree/main/a",
        "https://github.com/o/r/issues/1",
        "https://example.org/a.py",
    ],
)
def test_links_to_something_else(url: str) -> None:
    assert read_file_link(url) is None


def test_what_is_no_range_of_lines_is_kept() -> None:
    link = read_file_link("https://github.com/o/r/blob/main/a.py#L5-L3")
    assert link is not None and link.lines is None and link.unread == "L5-L3"


TEMPLATES = (
    "https://h/p/{path}?id={commit}#n{first}-{last}",
    "https://h/{commit}/{path}#L{first},{last}",
    "https://h/{commit}/{path}",
)


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("lines", [Lines(3, 3), Lines(3, 9), None])
def test_what_a_template_writes_is_read_back(template: str, lines: Lines | None) -> None:
    vendor = Vendor("lib", Pin(COMMIT), ("L",), permalink=template)
    url = permalink(vendor, Revision(COMMIT), "a b/ü.py", lines)
    assert isinstance(url, str)
    link = read_by_template(url, template)
    assert link is not None and (link.commit, link.path) == (COMMIT, "a b/ü.py")
    assert link.lines == (lines if "{first}" in template else None)
    assert read_by_template("https://h/elsewhere", template) is None
