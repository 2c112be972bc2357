"""Which files are documents, and where they cite what."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from claimcheck import registry
from claimcheck.library import Library
from claimcheck.project import OUTPUT_MARK, Project
from conftest import write_files

HEAD = 'vendors: {lib: {url: "https://github.com/o/lib", commit: "' + "ab" * 20 + '", prefix: L}}\n'
ANCHORS = HEAD + "anchors: {L-TAKE: {path: pool.py, lines: 5-6}}\n"
TEXT = "Taken [L-TAKE]. Given back [L-GIVE]. Taken [L-TAKE].\n"


def library(root: Path, files: dict[str, str | bytes], documents: str = "") -> Library:
    head = f"documents: {documents}\n" if documents else ""
    write_files(root, {"anchors.yaml": head + ANCHORS, **files})
    project = Project.find(root)
    return Library.of(project, registry.load(project))


def paths(root: Path, names: list[str], documents: str = "") -> list[str]:
    return list(library(root, dict.fromkeys(names, TEXT), documents).documents)


class TestFiles:
    def test_by_default_pages_below_lessons(self, tmp_path: Path) -> None:
        names = ["lessons/a.html", "lessons/b/c.md", "other/d.md", "README.md", "lessons/e.txt", "lessons/f.min.js"]
        assert paths(tmp_path, names) == ["lessons/a.html", "lessons/b/c.md"]

    def test_never_vendors_hidden_folders_and_what_other_tools_put_out(self, tmp_path: Path) -> None:
        names = [
            "a.md",
            "vendor/lib/doc.html",
            "node_modules/a.md",
            "site/_build/x.html",
            ".hidden/y.md",
            "b/vendor/z.md",
        ]
        assert paths(tmp_path, names, '{include: ["**/*.md", "**/*.html"]}') == ["a.md", "b/vendor/z.md"]

    def test_an_output_folder_that_is_spelt(self, tmp_path: Path) -> None:
        assert paths(tmp_path, ["docs/_build/x.html"], '{include: "docs/_build/*.html"}') == ["docs/_build/x.html"]

    def test_never_what_claimcheck_put_out(self, tmp_path: Path) -> None:
        names = ["site/x.html", f"site/{OUTPUT_MARK}", "a.html"]
        assert paths(tmp_path, names, '{include: ["site/*.html", "*.html"]}') == ["a.html"]

    def test_what_is_excluded(self, tmp_path: Path) -> None:
        names = ["lessons/a.md", "lessons/old/b.md"]
        assert paths(tmp_path, names, '{exclude: "lessons/old/**/*"}') == ["lessons/a.md"]

    def test_a_pattern_for_everything_takes_what_has_a_format(self, tmp_path: Path) -> None:
        assert paths(tmp_path, ["lessons/a.MD", "lessons/b.png"], '{include: "lessons/*"}') == ["lessons/a.MD"]

    def test_a_file_that_is_named_and_has_no_format(self, tmp_path: Path) -> None:
        (problem,) = library(tmp_path, {"notes.txt": TEXT}, "{include: notes.txt}").unread
        assert problem.message.startswith("is no document")

    def test_loops_of_links_and_links_that_leave_the_project(self, tmp_path: Path) -> None:
        root = tmp_path / "project"
        write_files(root, {"lessons/a.md": TEXT})
        write_files(tmp_path, {"outside.md": TEXT})
        os.symlink("..", root / "lessons/loop")
        os.symlink("../../outside.md", root / "lessons/b.md")
        os.symlink("a.md", root / "lessons/c.md")
        found = library(root, {})
        assert list(found.documents) == ["lessons/a.md", "lessons/c.md"]
        assert [(problem.place.path, problem.message) for problem in found.unread] == [
            ("lessons/b.md", "a link that leaves the project")
        ]

    def test_one_bad_page_does_not_stop_the_others(self, tmp_path: Path) -> None:
        found = library(tmp_path, {"lessons/a.html": b"\x92", "lessons/b.html": TEXT})
        assert list(found.documents) == ["lessons/b.html"] and found.paths == ["lessons/b.html", "lessons/a.html"]

    def test_a_page_that_is_too_large(self, tmp_path: Path) -> None:
        (problem,) = library(tmp_path, {"lessons/a.html": b"<" * (10 * 1024 * 1024 + 1)}).unread
        assert problem.message == "larger than 10 MiB"

    def test_patterns_that_match_nothing(self, tmp_path: Path) -> None:
        found = library(tmp_path, {"a.md": TEXT}, '{include: ["*.md", "b/*.md"]}')
        assert found.unmatched == ("b/*.md",)


def test_where_an_id_is_cited(tmp_path: Path) -> None:
    found = library(tmp_path, {"lessons/b.md": TEXT, "lessons/a.html": "<p>x ［L-TAKE］。"})
    assert [(str(one.place), one.text) for one in found.sentences("L-TAKE")] == [
        ("lessons/a.html:1:7", "x ［L-TAKE］。"),
        ("lessons/b.md:1:8", "Taken [L-TAKE]."),
    ]
    assert len(found.citations["L-TAKE"]) == 3 and found.sentences("L-NONE") == []
    assert found.naming("L-GIVE") == ["lessons/b.md"] and found.cited == {"L-TAKE", "L-GIVE"}


@pytest.mark.parametrize(
    ("path", "text", "belongs"),
    [
        ("lessons/V2.html", "", True),
        ("lessons/v2-the-pool.md", "", True),
        ("lessons/V2.en.md", "", True),
        ("lessons/one.md", "---\nlesson: V2\n---\n", True),
        ("lessons/one.html", "<meta name=lesson content=V2>", True),
        ("lessons/one.md", "<!-- claimcheck: claims V2 -->\n<!-- claimcheck: end -->\n", True),
        ("lessons/V20.html", "", False),
        ("lessons/V2.md", "---\nlesson: V3\n---\n", False),
        ("lessons/one-V2.md", "", False),
        ("lessons/one.md", "<!-- claimcheck: claims V3 -->\n<!-- claimcheck: end -->\n", False),
    ],
)
def test_the_documents_of_a_lesson(path: str, text: str, belongs: bool, tmp_path: Path) -> None:
    found = library(tmp_path, {path: text}).of_lesson("V2")
    assert [document.path for document in found] == ([path] if belongs else [])
