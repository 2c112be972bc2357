"""A plan -> the changes of the registry's files: new entries added, differing ones changed where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from claimcheck.edit import FileChange
from claimcheck.model import Claim, Pin, Registry, Vendor
from claimcheck.project import Project
from claimcheck.records.plan import Plan, PlannedAnchor, PlannedClaim, PlannedVendor, State
from claimcheck.registry import ANCHORS, make_sure_it_loads
from claimcheck.registry.edits import Editor, anchors_file, claims_file


def changes(plan: Plan, project: Project, registry: Registry, *, add: bool, update: bool) -> list[FileChange]:
    """The files that importing would write: with new entries (`add`), with the record's values of differing ones
    (`update`), or with both. Vendors, releases, waivers and comments that are there stay as they are."""
    found = [*_anchors(plan, project, registry, add, update), *_claims(plan, project, registry, add, update)]
    wanted = [change for change in found if change.changes]
    if wanted:
        make_sure_it_loads(project, wanted)
    return wanted


@dataclass(slots=True)
class _Editors:
    """The files that are being changed, each read once."""

    project: Project
    files: dict[str, Editor] = field(default_factory=dict)

    def __getitem__(self, path: str) -> Editor:
        if path not in self.files:
            self.files[path] = Editor(path, self.project.read(path))
        return self.files[path]


def _anchors(plan: Plan, project: Project, registry: Registry, add: bool, update: bool) -> Iterator[FileChange]:
    new = [anchor for anchor in plan.anchors if add and anchor.state is State.NEW]
    vendors = [_vendor(vendor) for vendor in plan.new_vendors] if add else []
    if new and not registry.anchors and not registry.vendors and project.read(ANCHORS) is None:
        text = anchors_file(vendors, [anchor.proposed for anchor in new])
        yield FileChange(ANCHORS, None, text.encode())
        return
    editors = _Editors(project)
    for vendor in vendors:
        editors[ANCHORS].add_vendor(vendor)
    for anchor in plan.anchors:
        if update and anchor.state is State.DIFFERS and not by_hand(anchor):
            _change_anchor(editors, anchor)
    homes = _homes(registry)
    for index, anchor in enumerate(plan.anchors):
        if anchor in new:
            path = homes.get(anchor.proposed.vendor, ANCHORS)
            editors[path].add_anchor(
                anchor.proposed, after=_before(plan.anchors[:index], path), prefix_says_vendor=not anchor.names_vendor
            )
    yield from (editor.change() for editor in editors.files.values())


def _vendor(vendor: PlannedVendor) -> Vendor:
    assert vendor.proposed.commit is not None
    return Vendor(vendor.name, Pin(vendor.proposed.commit), vendor.prefixes, vendor.proposed.url)


def _homes(registry: Registry) -> dict[str, str]:
    """The file in which the anchors of each vendor stand; the last one's, should they be in several."""
    return {anchor.vendor: anchor.places[""].path for anchor in registry.anchors.values()}


def _before(anchors: Sequence[PlannedAnchor], path: str) -> str | None:
    """The nearest anchor before a new one, in the record's order, that the file has already."""
    there = (a.there for a in reversed(anchors) if a.there is not None)
    return next((anchor.id for anchor in there if anchor.places[""].path == path), None)


def by_hand(entry: PlannedAnchor | PlannedClaim) -> bool:
    """Whether a differing entry cannot be changed here: the record does not say which string is for which region."""
    if isinstance(entry, PlannedClaim) or entry.there is None or not entry.there.long_form:
        return False
    there, proposed = entry.there, entry.proposed
    return len(there.regions) != len(proposed.regions) or sorted(there.strings) != sorted(proposed.strings)


def _change_anchor(editors: _Editors, anchor: PlannedAnchor) -> None:
    assert anchor.there is not None
    there, proposed = anchor.there, anchor.proposed
    editor = editors[there.places[""].path]
    if proposed.path != there.path:
        editor.set_value(there.id, "path", proposed.path)
    ranges = [region.lines for region in proposed.regions]
    if ranges != [region.lines for region in there.regions]:
        editor.set_lines(there.id, ranges)
    if not there.long_form and proposed.find != there.find:
        editor.set_find(there.id, proposed.find)


def _claims(plan: Plan, project: Project, registry: Registry, add: bool, update: bool) -> Iterator[FileChange]:
    by_file: dict[str, list[PlannedClaim]] = {}
    for claim in plan.claims:
        if claim.state is State.NEW or claim.there is None:
            path = claims_path(claim.proposed, registry)
        else:
            path = claim.there.places[""].path
        by_file.setdefault(path, []).append(claim)
    titles = {lesson.id: lesson.title for lesson in plan.record.lessons}
    for path, claims in by_file.items():
        content = project.read(path)
        if content is None and add:
            lesson = claims[0].proposed.lesson
            text = claims_file([c.proposed for c in claims], lesson=lesson, title=titles.get(lesson or "") or None)
            yield FileChange(path, None, text.encode())
        elif content is not None:
            yield _change_claims(Editor(path, content), claims, add, update)


def claims_path(claim: Claim, registry: Registry) -> str:
    """The file of a lesson's claims: the one that has some already, or `claims/LESSON.yaml`."""
    there: Mapping[str | None, str] = {c.lesson: c.places[""].path for c in registry.claims.values()}
    return there.get(claim.lesson) or f"claims/{claim.lesson}.yaml"


def _change_claims(editor: Editor, claims: Sequence[PlannedClaim], add: bool, update: bool) -> FileChange:
    before: str | None = None
    for claim in claims:
        if claim.there is not None:
            before = claim.there.id
        if add and claim.state is State.NEW:
            editor.add_claim(claim.proposed, after=before)
        elif update and claim.state is State.DIFFERS:
            editor.set_cites(claim.proposed.id, claim.proposed.cites)
    return editor.change()
