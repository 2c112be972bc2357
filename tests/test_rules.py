"""Every rule's own examples: what passes has no finding of it, what fails has exactly the ones it says."""

from __future__ import annotations

import pytest

from claimcheck import mentions, records, registry, rules
from claimcheck.corpus import build
from claimcheck.library import Library
from claimcheck.project import Project
from claimcheck.reports.text import first_line
from claimcheck.rules import OF_RENDERING, ON_REQUEST, RULES, waiver_unmatched
from claimcheck.rules.cases import Case
from claimcheck.sources import Sources
from conftest import MakeProject, fill, git, make_release

EVERY = (*RULES, *ON_REQUEST, *OF_RENDERING, waiver_unmatched)
CASES = [
    pytest.param(rule.INFO.name, case, id=f"{rule.INFO.name}: {case.title}")
    for rule in EVERY
    for case in (*rule.PASSES, *rule.FAILS)
]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_a_rule_finds_what_its_examples_say(name: str, case: Case, make_project: MakeProject) -> None:
    project = make_project(case.files, *case.commits)
    for version, files in case.releases.items():
        make_release(project.root, version, files)
    loaded = registry.load(Project.find(project.root))
    if case.remote:
        git(project.root / "vendor/lib", "update-ref", "refs/remotes/origin/main", fill(case.remote, project.commits))
    at = {"lib": fill(case.at, project.commits)} if case.at else {}
    with Sources(project.root, loaded.vendors) as sources:
        found = rules.run(
            build(loaded, sources, (), at, Library.of(Project.find(project.root), loaded)), **case.options
        )
    assert [first_line(finding) for finding in found if finding.rule.name == name] == [
        fill(line, project.commits) for line in case.finds
    ]


def test_failing_examples_find_something_and_passing_ones_nothing() -> None:
    for rule in EVERY:
        assert rule.FAILS and rule.PASSES, rule.INFO.name
        assert all(case.finds for case in rule.FAILS), rule.INFO.name
        assert not any(case.finds for case in rule.PASSES), rule.INFO.name


def test_names_are_unique_and_every_rule_explains_itself() -> None:
    names = [info.name for info in (*registry.RULES, *records.RULES, *mentions.RULES, *(rule.INFO for rule in EVERY))]
    assert len(names) == len(set(names)) == len(rules.catalogue())
    for rule in EVERY:
        assert rule.INFO.summary.endswith(".") and len(rule.INFO.help) > 40, rule.INFO.name
