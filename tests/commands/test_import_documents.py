"""`claimcheck import` for documents that name places in somebody's code."""

from __future__ import annotations

import json

import pytest

from conftest import MakeRepo, SmallProject, git, write_files

FIRST = """\
import queue


class Pool:
    def take(self):
        return self.free.get()

    def give(self, block):
        self.free.put(block)
"""
SECOND = "# Blocks.\n" + FIRST.replace("return self.free.get()", "return self.free.get_nowait()")
URL = "https://github.com/o/lib/blob"
DOCUMENT = """\
# The pool

A block is given back in [`give`]({url}/{c1}/lib/pool.py#L8-L9), which is `pool.py:9-10` now.
The class is [here](../lib/pool.py#L5-L10), on the main branch
[there]({url}/main/lib/pool.py#L5-L10).

Gone: {url}/{c1}/lib/pool.py#L5-L6 and lib/old.py:3. Too far: `lib/pool.py:90`. Wrong: [`give`](lib/pool.py#L6-L7).
Nothing: lib/pool.py:3. At 10:20 somebody else's main.rs:5 [said so](https://github.com/p/lib/blob/main/a.py#L1).

See [`Pool.give`]({url}/{c2}/lib/pool.py) and [the file]({url}/{c2}/lib/pool.py).

```
lib/pool.py:5: in take
```
"""


@pytest.fixture
def project(tmp_path, make_repo: MakeRepo) -> SmallProject:
    """A folder without a registry, a document, and a clone beside it."""
    root = tmp_path / "course"
    commits = make_repo(tmp_path / "lib", {"lib/pool.py": FIRST}, {"lib/pool.py": SECOND, "other/names.py": "x = 1\n"})
    git(tmp_path / "lib", "tag", "v2", commits[1])
    git(tmp_path / "lib", "remote", "add", "origin", "https://github.com/o/lib.git")
    write_files(root, {"pool.md": DOCUMENT.format(url=URL, c1=commits[0], c2=commits[1])})
    return SmallProject(root, commits)


def test_what_a_document_names_becomes_anchors_and_the_rest_is_told(project, claimcheck):
    ran = claimcheck("import", "pool.md", "--vendor", "lib=../lib@v2", cwd=project.root)
    assert (ran.code, ran.err) == (1, "")
    c1 = project.commits[0][:8]
    head, *rows = ran.out.splitlines()
    label = f"{project.commits[1][:8]} (v2)"
    assert head == (
        f"1 document, 12 places in lib {label}: 4 new anchors, 3 in doubt, 3 without an anchor, 1 link to a whole file"
    )
    said = [(row.split(": ")[0], row.split("[")[-1]) for row in rows if row.startswith("pool.md")]
    assert said == [
        ("pool.md:5:9", "named-on-a-branch]"),
        ("pool.md:7:7", "named-lines-changed]"),
        ("pool.md:7:100", "named-file-missing]"),
        ("pool.md:7:124", "named-lines-beyond]"),
        ("pool.md:7:157", "named-elsewhere]"),
        ("pool.md:8:10", "named-lines-empty]"),
    ]
    assert f"lib/pool.py:5-6 of {c1} is edited at {label}, now lib/pool.py:6-7 [named-lines-changed]" in ran.out
    assert "`give` is not in lib/pool.py:6-7; it is defined at 9-10 [named-elsewhere]" in ran.out
    anchors = [row for row in rows if row.startswith("  L-")]
    assert anchors[0].split()[:3] == ["L-GIVE", "lib/pool.py:9-10", "Pool.give"]
    assert (project.root / "anchors.yaml").exists() is False


def test_written_and_cited(project, claimcheck):
    before = (project.root / "pool.md").read_text(encoding="utf-8")
    ran = claimcheck("import", "pool.md", "--vendor", "lib=../lib@v2", "--write", "--cite", cwd=project.root)
    assert ran.out.endswith("Wrote anchors.yaml, pool.md.\n")
    text = (project.root / "pool.md").read_text(encoding="utf-8")
    assert "`pool.py:9-10` [L-GIVE] now." in text
    assert "#L5-L10) [L-POOL], on the main branch" in text
    assert (
        text.replace(" [L-GIVE]", "").replace(" [L-POOL]", "").replace(" [L-TAKE]", "").replace(" [L-POOL-2]", "")
        == before
    )
    registry = (project.root / "anchors.yaml").read_text(encoding="utf-8")
    assert project.commits[1] in registry
    again = claimcheck("import", "pool.md", "--vendor", "lib@" + project.commits[1], "--write", cwd=project.root)
    assert again.code == 2  # the vendor is declared now, and its clone is not in vendor/


def test_a_second_import_proposes_nothing_new(project, claimcheck):
    claimcheck("import", "pool.md", "--vendor", "lib=../lib@v2", "--write", "--cite", cwd=project.root)
    (project.root / "vendor").mkdir()
    (project.root.parent / "lib").rename(project.root / "vendor" / "lib")
    before = {name: (project.root / name).read_bytes() for name in ("pool.md", "anchors.yaml")}
    ran = claimcheck("import", "pool.md", "--vendor", "lib", "--write", "--cite", cwd=project.root)
    assert "0 new anchors, 4 already there" in ran.out
    assert ran.out.endswith("Nothing written.\n")
    assert {name: (project.root / name).read_bytes() for name in before} == before


def test_html(project, claimcheck):
    page = f'<p>Given back in <code>lib/pool.py:9-10</code>。<a href="{URL}/{project.commits[1]}/lib/pool.py#L6-L7">take</a>。\n'
    write_files(project.root, {"pool.html": page})
    ran = claimcheck("import", "pool.html", "--vendor", "lib=../lib@v2", "--write", "--cite", cwd=project.root)
    assert ran.code == 0
    text = (project.root / "pool.html").read_text(encoding="utf-8")
    assert "9-10</code> [L-GIVE]。<a href" in text
    assert text.endswith("take</a> [L-TAKE]。\n")


def test_json(project, claimcheck):
    ran = claimcheck("import", "pool.md", "--vendor", "lib=../lib@v2", "--format", "json", cwd=project.root)
    found = json.loads(ran.out)
    assert found["schema"] == "claimcheck.import-documents/1"
    assert found["summary"]["new"] == 4
    assert found["anchors"][0]["named"][0]["place"]["path"] == "pool.md"
    assert found["written"] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("pool.md", "--vendor", "lib"), "no vendor lib"),
        (("pool.md", "--vendor", "lib=../nowhere"), "../nowhere is no folder on this machine"),
        (("pool.md", "--vendor", "lib=../lib@v9"), "lib: v9 is no full commit id and no tag in ../lib"),
        (("pool.md", "--vendor", "lib=../lib@" + "0" * 40), "cannot be read in ../lib"),
        (("pool.md", "--vendor", "=x"), "--vendor =x"),
        (("none.md", "--vendor", "lib=../lib"), "none.md: error: no such file"),
        (("../lib/lib/pool.py", "--vendor", "lib=../lib"), "is outside the project"),
        (("pool.txt", "--vendor", "lib=../lib"), "neither Markdown nor HTML"),
        (("pool.md", "--vendor", "lib=../lib", "--cite"), "--cite writes into documents"),
        (("pool.md", "--cite"), "--prefix and --cite are for documents"),
        (("pool.md", "pool.md"), "one research record at a time"),
    ],
)
def test_what_cannot_be_meant_is_said(project, claimcheck, arguments, said):
    ran = claimcheck("import", *arguments, cwd=project.root)
    assert ran.code == 2
    assert said in ran.err


def test_a_document_that_names_nothing_changes_nothing(project, claimcheck):
    write_files(project.root, {"other.md": "At 10:20 nobody said `x.y`; see <https://example.org/a.py#L3>.\n"})
    ran = claimcheck("import", "other.md", "--vendor", "lib=../lib", "--write", cwd=project.root)
    assert ran.code == 0
    assert ran.out.endswith(": 0 new anchors\nNothing written.\n")
    assert not (project.root / "anchors.yaml").exists()
