"""Documents in the commands: verify of a file and of what changed, mv, rm, list, excerpt, drift; waivers of documents."""

from __future__ import annotations

import json

import pytest

from conftest import Claimcheck, MakeProject, SmallProject, git
from small import ANCHORS, CLAIMS, COMMITS, FILES, HEAD, SOURCE, findings

PAGE = (
    "\ufeff<!doctype html>\r\n<p>Blocks are taken from a queue [L-TAKE]. Given back <b>later</b> [L-GIVE, L-TAKE].\r\n"
    "<code>[L-TAKE]</code>\r\n<!-- claimcheck: excerpt L-TAKE -->\r\n<!-- claimcheck: end -->\r\n<p>no end"
)
NOTES = "Taken [L-TAKE], see [the pool][L-TAKE].\n\n[L-TAKE]: https://github.com/o/lib/blob/{c1}/pool.py#L5-L6\n"
ALL = {**FILES, "lessons/one.html": PAGE, "lessons/two.md": NOTES}


@pytest.fixture
def project(make_project: MakeProject) -> SmallProject:
    return make_project(ALL, *COMMITS)


class TestVerify:
    def test_counts_documents(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        ran = claimcheck("verify", cwd=project.root)
        assert ran.code == 0 and "lessons    2   5 citations, 1 excerpt\n" in ran.out
        summary = json.loads(claimcheck("verify", "--format", "json", cwd=project.root).out)["summary"]
        assert (summary["documents"], summary["citations"], summary["anchors"]) == (2, 5, 2)

    def test_a_document_and_the_anchors_that_it_cites(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        project.write("lessons/two.md", NOTES + "\nAnd [L-GIV].\n")
        ran = claimcheck("verify", "lessons/two.md", cwd=project.root)
        assert ran.code == 1 and "anchors    1   1 verified" in ran.out and "lessons    1   3 citations" in ran.out
        assert findings(ran) == [
            "lessons/two.md:5:6: error: lessons/two.md: cites L-GIV, which nothing defines; did you mean L-GIVE? [unknown-id]"
        ]
        assert claimcheck("verify", "./lessons/one.html", cwd=project.root).code == 0

    def test_an_anchor_alone_opens_no_document(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        project.write("lessons/two.md", "And [L-GIV].\n")
        ran = claimcheck("verify", "L-TAKE", cwd=project.root)
        assert ran.code == 0 and "lessons" not in ran.out

    def test_a_file_that_is_no_document(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        ran = claimcheck("verify", "lessons/tow.md", cwd=project.root)
        assert ran.code == 2 and "no document lessons/tow.md; did you mean lessons/two.md?" in ran.err

    def test_one_page_that_is_no_text(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        (project.root / "lessons/bad.html").write_bytes(b"<p>It\x92s [L-TAKE]")
        ran = claimcheck("verify", cwd=project.root)
        assert ran.code == 1 and "lessons    3   5 citations, 1 excerpt, 1 could not be read\n" in ran.out
        assert findings(ran) == [
            "lessons/bad.html:1:6: error: lessons/bad.html: byte 0x92 at offset 5 is not UTF-8 [document-unreadable]"
        ]


class TestWaivers:
    WAIVER = "waivers:\n  - {rule: unknown-id, subject: lessons/old.md, reason: to be mended%s}\n"

    def ran(self, make_project: MakeProject, claimcheck: Claimcheck, until: str, text: str) -> tuple[int, list[str]]:
        files = {**FILES, "anchors.yaml": HEAD + self.WAIVER % until + ANCHORS, "lessons/old.md": text}
        ran = claimcheck("verify", cwd=make_project(files, *COMMITS).root)
        return ran.code, findings(ran)

    def test_accept_what_an_old_course_has(self, make_project: MakeProject, claimcheck: Claimcheck) -> None:
        assert self.ran(make_project, claimcheck, "", "Old [L-NONE] and [L-NIL] [L-TAKE].\n") == (0, [])

    def test_one_that_accepts_nothing_any_more(self, make_project: MakeProject, claimcheck: Claimcheck) -> None:
        code, found = self.ran(make_project, claimcheck, "", "Mended [L-TAKE].\n")
        assert code == 1 and [line.rpartition(" ")[2] for line in found] == ["[waiver-unmatched]"]

    def test_until_the_pin_of_what_it_cites_is_another(self, make_project: MakeProject, claimcheck: Claimcheck) -> None:
        assert self.ran(make_project, claimcheck, ', until: "{c1}"', "Old [L-NONE] [L-TAKE].\n") == (0, [])
        other = ', until: "' + "ab" * 20 + '"'
        files = {
            **FILES,
            "anchors.yaml": HEAD + self.WAIVER % other + ANCHORS,
            "lessons/old.md": "Old [L-NONE] [L-TAKE].\n",
        }
        root = make_project(files, *COMMITS).root
        assert findings(claimcheck("verify", cwd=root))[0].endswith("[unknown-id]")


class TestChanged:
    def committed(self, project: SmallProject) -> SmallProject:
        (project.root / ".gitignore").write_text("vendor\n")
        git(project.root, "init", "--quiet", "--initial-branch", "main")
        git(project.root, "config", "core.autocrlf", "false")
        git(project.root, "add", "--all")
        git(project.root, "commit", "--quiet", "--message", "one")
        return project

    def test_nothing(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        self.committed(project)
        ran = claimcheck("verify", "--changed", "HEAD", cwd=project.root)
        assert (ran.code, ran.err) == (0, "Nothing that is looked at changed since HEAD\n")
        assert "anchors" not in ran.out
        data = json.loads(claimcheck("verify", "--changed", "HEAD", "--format", "json", cwd=project.root).out)
        assert data["summary"]["anchors"] == 0 and data["findings"] == []

    def test_a_document(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        self.committed(project).write("lessons/two.md", NOTES.replace("Taken", "Token"))
        ran = claimcheck("verify", "--changed", "HEAD", cwd=project.root)
        assert ran.err == "Changed since HEAD: lessons/two.md\n" and "anchors    1   1 verified" in ran.out

    def test_a_new_one_and_claims_since_an_earlier_commit(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        self.committed(project).write("claims/one.yaml", CLAIMS.replace("to it", "there"))
        project.write("lessons/new.md", "New [L-GIVE].\n")
        git(project.root, "commit", "--quiet", "--all", "--message", "two")
        git(project.root, "tag", "--annotate", "--message", "x", "t2")
        for rev in ("HEAD~1", "main^", "t2~", "@~1", git(project.root, "rev-parse", "HEAD~1"), "refs/heads/main~1"):
            ran = claimcheck("verify", "--changed", rev, cwd=project.root)
            assert ran.err == f"Changed since {rev}: claims/one.yaml, lessons/new.md\n"
            assert "claims     2 " in ran.out and "lessons    1 " in ran.out
        assert claimcheck("verify", "--changed", "t2", cwd=project.root).err == "Changed since t2: lessons/new.md\n"

    def test_the_registry_says_something_of_every_anchor(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        self.committed(project).write("anchors.yaml", HEAD + ANCHORS + "# more\n")
        assert "anchors    2 " in claimcheck("verify", "--changed", "HEAD", cwd=project.root).out

    def test_line_ends_are_no_change(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        text = self.committed(project).read("lessons/two.md")
        (project.root / "lessons/two.md").write_bytes(text.replace("\n", "\r\n").encode())
        assert "Nothing" in claimcheck("verify", "--changed", "HEAD", cwd=project.root).err

    def test_a_project_in_a_folder_of_a_repository(self, make_project: MakeProject, claimcheck: Claimcheck) -> None:
        project = make_project(ALL, *COMMITS)
        top = project.root.parent
        git(top, "init", "--quiet")
        git(top, "add", "project/lessons", "project/claims", "project/anchors.yaml")
        git(top, "commit", "--quiet", "--message", "one")
        project.write("lessons/two.md", "Two [L-GIVE].\n")
        ran = claimcheck("verify", "--changed", "HEAD", cwd=project.root)
        assert ran.err == "Changed since HEAD: lessons/two.md\n"

    @pytest.mark.parametrize(
        ("rev", "says"), [("nope", "no revision nope"), ("HEAD~9", "before the first commit"), ("ab" * 20, "abababab")]
    )
    def test_revisions_that_are_not_there(
        self, rev: str, says: str, project: SmallProject, claimcheck: Claimcheck
    ) -> None:
        self.committed(project)
        ran = claimcheck("verify", "--changed", rev, cwd=project.root)
        assert ran.code == 2 and says in ran.err and ran.out == ""

    def test_without_a_repository(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        ran = claimcheck("verify", "--changed", "HEAD", cwd=project.root)
        assert ran.code == 2 and "the project is in no git repository" in ran.err

    def test_nothing_of_the_repositorys_configuration_is_run(
        self, project: SmallProject, claimcheck: Claimcheck
    ) -> None:
        self.committed(project).write("lessons/two.md", "Two [L-GIVE].\n")
        canary = project.root / "canary"
        for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "filter.x.clean", "diff.external"):
            git(project.root, "config", key, f"touch {canary}")
        assert claimcheck("verify", "--changed", "HEAD", cwd=project.root).code == 0
        assert not canary.exists()

    def test_with_names(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        assert claimcheck("verify", "L-TAKE", "--changed", "HEAD", cwd=project.root).code == 2


class TestRenaming:
    def test_changes_citations_markers_and_labels_and_no_other_byte(
        self, project: SmallProject, claimcheck: Claimcheck
    ) -> None:
        page, notes = project.read("lessons/one.html"), project.read("lessons/two.md")
        ran = claimcheck("mv", "L-TAKE", "L-GET", cwd=project.root)
        assert ran.out == "L-TAKE is L-GET now; 2 entries cite it, 4 citations in documents.\n"
        kept = page.replace("<code>[L-TAKE]</code>", "<code>[KEPT]</code>").replace("L-TAKE", "L-GET")
        assert project.read("lessons/one.html") == kept.replace("[KEPT]", "[L-TAKE]")
        assert project.read("lessons/two.md") == notes.replace("L-TAKE", "L-GET")
        assert claimcheck("verify", cwd=project.root).code == 0

    def test_shows_it_first(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        ran = claimcheck("mv", "L-GIVE", "L-BACK", "--diff", cwd=project.root)
        assert ran.code == 1 and "--- a/lessons/one.html" in ran.out and "lessons/two.md" not in ran.out

    def test_says_which_pages_were_not_looked_at(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        (project.root / "lessons/bad.html").write_bytes(b"[L-TAKE]\x92")
        ran = claimcheck("mv", "L-TAKE", "L-GET", cwd=project.root)
        assert ran.code == 0 and "lessons/bad.html:1:9: warning: not looked at: byte 0x92" in ran.err
        assert (project.root / "lessons/bad.html").read_bytes() == b"[L-TAKE]\x92"


class TestRemoving:
    def test_what_a_document_cites_stays(self, make_project: MakeProject, claimcheck: Claimcheck) -> None:
        project = make_project({"anchors.yaml": HEAD + ANCHORS, "lessons/one.html": PAGE}, *COMMITS)
        ran = claimcheck("rm", "L-GIVE", cwd=project.root)
        assert (
            ran.code == 1 and "L-GIVE: still cited by lessons/one.html\n    cited in lessons/one.html:2:69\n" in ran.err
        )
        assert claimcheck("rm", "L-GIVE", "--force", cwd=project.root).code == 0
        assert project.read("lessons/one.html") == PAGE

    def test_what_none_cites_goes(self, make_project: MakeProject, claimcheck: Claimcheck) -> None:
        files = {"anchors.yaml": HEAD + ANCHORS, "lessons/two.md": "`[L-GIVE]` [L-TAKE]\n"}
        assert claimcheck("rm", "L-GIVE", cwd=make_project(files, *COMMITS).root).code == 0


class TestCitedBy:
    def test_list_counts_and_shows(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        assert "cited by 2, 4 times in documents\n" in claimcheck("list", cwd=project.root).out
        lines = claimcheck("list", "--cited-by", cwd=project.root).out.split("\n")
        assert lines[1:5] == [
            "    C1.1  Blocks are taken from a queue.",
            "    C1.2  They go back to it.",
            "    lessons/one.html:2:35  Blocks are taken from a queue [L-TAKE].",
            "    lessons/one.html:2:77  Given back later [L-GIVE, L-TAKE].",
        ]
        first = json.loads(claimcheck("list", "--cited-by", "--format", "json", cwd=project.root).out)["anchors"][0]
        assert first["citations"] == 4 and first["sentences"][0] == {
            "place": {"path": "lessons/one.html", "line": 2, "column": 35},
            "text": "Blocks are taken from a queue [L-TAKE].",
        }

    def test_excerpt_adds_the_sentences(self, project: SmallProject, claimcheck: Claimcheck) -> None:
        out = claimcheck("excerpt", "L-GIVE", "--cited-by", cwd=project.root).out
        assert out.endswith("C1.2  They go back to it.\nlessons/one.html:2:69  Given back later [L-GIVE, L-TAKE].\n")


class TestDrift:
    LATER = SOURCE.replace("self.free.get()", "self.free.get_nowait()")

    @pytest.fixture
    def drifting(self, make_project: MakeProject) -> SmallProject:
        return make_project({**ALL, "claims/one.yaml": "claims: {}\n"}, *COMMITS, {"pool.py": self.LATER})

    def test_quotes_the_sentences(self, drifting: SmallProject, claimcheck: Claimcheck) -> None:
        out = claimcheck("drift", "lib", drifting.commits[1], cwd=drifting.root).out
        assert (
            "          lessons/one.html:2\n"
            '          "Blocks are taken from a queue [L-TAKE]."\n'
            "          lessons/one.html:2\n"
            '          "Given back later [L-GIVE, L-TAKE]."\n'
        ) in out
        assert (
            '\nlessons/two.md:1\n"Taken [L-TAKE], see the pool [L-TAKE]."\n'
            in claimcheck("drift", "lib", drifting.commits[1], "L-TAKE", cwd=drifting.root).out
        )

    def test_in_every_format(self, drifting: SmallProject, claimcheck: Claimcheck) -> None:
        command = ("drift", "lib", drifting.commits[1], "--format")
        anchors = json.loads(claimcheck(*command, "json", cwd=drifting.root).out)["anchors"]
        assert [len(anchor["sentences"]) for anchor in anchors] == [3, 1]
        assert anchors[0]["sentences"][0]["place"] == {"path": "lessons/one.html", "line": 2, "column": 35}
        markdown = claimcheck(*command, "markdown", cwd=drifting.root).out
        assert "`lessons/one.html:2`" in markdown and "- `lessons/two.md:1`: Taken \\[L\\-TAKE\\]" in markdown
        page = claimcheck(*command, "html", cwd=drifting.root).out
        assert "lessons/one.html:2" in page and "Blocks are taken from a queue [L-TAKE]." in page

    def test_without_documents_there_are_none(self, make_project: MakeProject, claimcheck: Claimcheck) -> None:
        project = make_project(FILES, *COMMITS, {"pool.py": self.LATER})
        anchors = json.loads(claimcheck("drift", "lib", project.commits[1], "--format", "json", cwd=project.root).out)[
            "anchors"
        ]
        assert [anchor["sentences"] for anchor in anchors] == [[], []]


def test_what_a_document_cites_can_be_walked_through(project: SmallProject, claimcheck: Claimcheck) -> None:
    from claimcheck import registry
    from claimcheck.citations_in import anchors_cited_in
    from claimcheck.library import Library
    from claimcheck.project import Project

    opened = Project.find(project.root)
    loaded = registry.load(opened)
    library = Library.of(opened, loaded)
    assert anchors_cited_in(loaded, library, "lessons/one.html") == ("L-TAKE", "L-GIVE")
    assert anchors_cited_in(loaded, library, "./lessons/two.md") == ("L-TAKE",)


class TestLinks:
    """Links to a vendor's files at other forges than GitHub, and of vendors with addresses for ssh."""

    @pytest.mark.parametrize(
        ("url", "link", "proposed"),
        [
            (
                "git@gitlab.com:g/s/lib.git",
                "https://gitlab.com/g/s/lib/-/blob/main/pool.py#L5-6",
                "https://gitlab.com/g/s/lib/-/blob/{c1}/pool.py#L5-6",
            ),
            (
                "ssh://git@codeberg.org/o/lib",
                "https://codeberg.org/o/lib/src/branch/main/pool.py#L5-L6",
                "https://codeberg.org/o/lib/src/commit/{c1}/pool.py#L5-L6",
            ),
        ],
    )
    def test_to_a_branch(
        self, url: str, link: str, proposed: str, make_project: MakeProject, claimcheck: Claimcheck
    ) -> None:
        files = {**FILES, "anchors.yaml": HEAD.replace("https://github.com/o/lib", url) + ANCHORS}
        project = make_project({**files, "lessons/a.md": f"Taken [here]({link}).\n"}, *COMMITS)
        ran = claimcheck("verify", "--verbose", cwd=project.root)
        assert ran.code == 0 and [line.rpartition(" ")[2] for line in findings(ran)] == ["[link-to-branch]"]
        assert f"    help: {proposed.replace('{c1}', project.commits[0])}\n" in ran.out
        assert "  5 |     def take(self):\n" in ran.out

    def test_by_the_template_of_a_vendor(self, make_project: MakeProject, claimcheck: Claimcheck) -> None:
        head = HEAD.replace(
            "https://github.com/o/lib",
            "https://code.example/lib\n    permalink: https://code.example/lib/{path}?id={commit}#n{first}-{last}",
        )
        page = "<p>[L-TAKE](x) <a href='https://code.example/lib/%s?id={c1}#n%s'>[L-TAKE]</a>\n"
        files = {**FILES, "anchors.yaml": head + ANCHORS, "lessons/a.html": page % ("pool.py", "5-6")}
        project = make_project(files, *COMMITS)
        assert findings(claimcheck("verify", cwd=project.root)) == []
        project.write("lessons/a.html", page % ("pool.py", "8-9"))
        assert [line.rpartition(" ")[2] for line in findings(claimcheck("verify", cwd=project.root))] == [
            "[citation-link-differs]"
        ]
        project.write("lessons/a.html", page % ("gone.py", "1-1"))
        assert sorted(line.rpartition(" ")[2] for line in findings(claimcheck("verify", cwd=project.root))) == [
            "[citation-link-differs]",
            "[link-dead]",
        ]
