"""Changes to registry files in the registry's words, made by source position.

`Editor` gathers changes to one file and gives a FileChange in which nothing else differs; `yaml_edit` says how. The
texts of whole new files come from `anchors_file` and `claims_file`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from claimcheck.edit import FileChange
from claimcheck.model import Anchor, Claim, Lines, Pin, Region, Vendor, prefix_of
from claimcheck.project import Project
from claimcheck.registry import render
from claimcheck.registry.render import anchors_file, claims_file
from claimcheck.registry.yaml_edit import YamlEditor
from claimcheck.registry.yaml_nodes import Path
from claimcheck.registry.yaml_write import Value

__all__ = ["Editor", "anchors_file", "changes", "claims_file", "editors"]

ANCHOR_ORDER = ("vendor", "path", "commit", "lines", "regions", "find", "symbol", "watch")
SECTIONS = ("anchors", "claims", "examples", "errata")


class Editor:
    """A registry file (`anchors.yaml`, `anchors/*.yaml` or `claims/*.yaml`) that is being changed."""

    def __init__(self, path: str, content: bytes | None) -> None:
        """`content` is the file as it was read, or None for a new one."""
        self._yaml = YamlEditor(path, content)

    def change(self) -> FileChange:
        """The file before and after; raises WriteRefused if the new text does not say what was intended."""
        return self._yaml.change()

    def defines(self, id: str) -> bool:
        """Whether an anchor, claim, example or erratum of this ID stands in the file."""
        return self._section_of(id) is not None

    # Anchors

    def set_lines(self, id: str, ranges: Sequence[Lines]) -> None:
        """Make these the anchor's ranges; none means the whole file. Only what differs is touched.

        An anchor in the long form keeps its strings, so it must get as many ranges as it has.
        """
        path = ("anchors", id)
        texts = [str(lines) for lines in ranges]
        if not self._yaml.has(*path, "regions"):
            self._yaml.set_list(path, "lines", texts, after=self._before("lines"))
            return
        for n, text in enumerate(texts):
            self._yaml.set_range((*path, "regions", n, "lines"), text)
        if self._yaml.has(*path, "regions", len(texts)):
            raise ValueError(f"{id} has more regions than the {len(texts)} ranges given; use set_regions")

    def set_range(self, id: str, index: int, lines: Lines) -> None:
        """Make this the anchor's range of an index, counted from 0."""
        path: Path = ("anchors", id)
        if self._yaml.has(*path, "regions"):
            self._yaml.set_range((*path, "regions", index, "lines"), str(lines))
        elif self._yaml.has(*path, "lines", index):
            self._yaml.set_range((*path, "lines", index), str(lines))
        else:
            self._yaml.set_range((*path, "lines"), str(lines))

    def set_find(self, id: str, strings: Sequence[str], *, region: int | None = None) -> None:
        """Make these the anchor's search strings, or in the long form those of one region."""
        path: Path = ("anchors", id) if region is None else ("anchors", id, "regions", region)
        self._yaml.set_list(path, "find", strings, after=self._before("find"))

    def set_regions(self, id: str, regions: Sequence[Region]) -> None:
        """Write the anchor's ranges and strings anew in the long form."""
        path = ("anchors", id)
        for key in ("lines", "find", "regions"):
            if self._yaml.has(*path, key):
                self._yaml.remove_key(path, key)
        self._yaml.insert_key(path, "regions", render.regions_data(regions), after=("path",))

    def set_value(self, id: str, key: str, text: str, *, comment: str | None = None) -> None:
        """Set `path`, `commit`, `symbol`, `vendor` or `watch` of an anchor; `comment` names the commit's version."""
        path = ("anchors", id)
        if self._yaml.has(*path, key):
            self._yaml.set_scalar((*path, key), text, version=comment)
        else:
            self._yaml.insert_key(path, key, text, after=self._before(key), comment=comment)

    def set_commit(self, id: str, pin: Pin, *, comment: str | None = None) -> None:
        """Hold an anchor at a commit of its own."""
        self.set_value(id, "commit", pin.text, comment=comment)

    def remove_key(self, id: str, key: str) -> None:
        """Take a key away from an anchor, if it has it."""
        if self._yaml.has("anchors", id, key):
            self._yaml.remove_key(("anchors", id), key)

    def add_anchor(self, anchor: Anchor, *, after: str | None = None, prefix_says_vendor: bool = True) -> None:
        """Add an anchor behind another one, or behind the last of its prefix, in the layout of its neighbour."""
        data = render.anchor_data(anchor, anchor.vendor if prefix_says_vendor else None)
        if after is None:
            prefix = prefix_of(anchor.id)
            kin = [id for id in self._yaml.keys("anchors") if prefix_of(id) == prefix]
            after = kin[-1] if kin else None
        self._yaml.insert_entry(("anchors",), anchor.id, data, after=after)

    def remove_entry(self, id: str) -> None:
        """Remove an anchor, claim, example or erratum with the comments that belong to it."""
        section = self._section_of(id)
        if section is None:
            raise KeyError(id)
        self._yaml.remove_entry((section,), id)

    def rename_id(self, old: str, new: str) -> bool:
        """Rename an ID where it is defined, cited, waived or named in a check; whether the file had it.

        Prose is left alone: an ID in a text or a note is for the author to change.
        """
        places = [*self._citing(old), *self._waiving(old)]
        for path in places:
            self._yaml.set_scalar(path, new)
        section = self._section_of(old)
        if section is not None:
            self._yaml.rename_key((section, old), new)
        return bool(places) or section is not None

    # Claims

    def add_claim(self, claim: Claim, *, after: str | None = None) -> None:
        """Add a claim behind another one, or behind the last, in the layout of its neighbour."""
        self._yaml.insert_entry(("claims",), claim.id, render.claim_data(claim), after=after)

    def set_cites(self, id: str, cites: Sequence[str]) -> None:
        """Make these the IDs that a claim cites."""
        self._yaml.set_list(("claims", id), "cites", cites, after=("text",))

    # Vendors

    def set_pin(self, vendor: str, pin: Pin, *, comment: str | None = None) -> None:
        """Pin a vendor elsewhere; `comment` replaces a comment that names a version only."""
        self._yaml.set_scalar(("vendors", vendor, "commit"), pin.text, version=comment)

    def add_vendor(self, vendor: Vendor) -> None:
        self._yaml.insert_entry(("vendors",), vendor.name, render.vendor_data(vendor))

    def add_release(
        self, vendor: str, version: str, sha256: str, *, first: bool = False, pypi: str | None = None
    ) -> None:
        """Declare a release of a vendor; the first one declared is the one that stands in."""
        path: Path = ("vendors", vendor)
        versions: Path = (*path, "releases", "versions")
        if self._yaml.keys(*versions):
            if first:
                self._yaml.insert_first(versions, version, sha256)
            else:
                self._yaml.insert_key(versions, version, sha256, after=())
        elif self._yaml.keys(*path, "releases"):
            self._yaml.insert_key((*path, "releases"), "versions", {version: sha256}, after=())
        else:
            data: Mapping[str, Value] = ({"pypi": pypi} if pypi else {}) | {"versions": {version: sha256}}
            self._yaml.insert_key(path, "releases", data, after=("url", "commit", "prefix"))

    def _section_of(self, id: str) -> str | None:
        return next((section for section in SECTIONS if self._yaml.has(section, id)), None)

    def _before(self, key: str) -> tuple[str, ...]:
        """The keys that usually stand before a key."""
        return ANCHOR_ORDER[: ANCHOR_ORDER.index(key)]

    def _citing(self, id: str) -> Iterable[Path]:
        """The places of an ID in `cites` and in the arguments of checks."""
        for section in ("claims", "examples", "errata"):
            for path, text in self._yaml.scalars(section):
                if text == id and ("cites" in path[2:] or "checks" in path[2:]):
                    yield path

    def _waiving(self, id: str) -> Iterable[Path]:
        for path, text in self._yaml.scalars("waivers"):
            if text == id and path[-1] == "subject":
                yield path


def editors(project: Project, paths: Iterable[str]) -> dict[str, Editor]:
    """An editor for each of these files of the project."""
    return {path: Editor(path, project.read(path)) for path in paths}


def changes(editing: Mapping[str, Editor]) -> list[FileChange]:
    """The changes of those files that differ."""
    return [change for change in (editor.change() for editor in editing.values()) if change.changes]
