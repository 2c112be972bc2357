"""Proposals -> changes: new anchors in the registry, and citations beside the places that they are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from claimcheck.documents import Document, splice
from claimcheck.edit import Edit, FileChange
from claimcheck.mentions.files import Opened
from claimcheck.mentions.proposing import Proposal, Proposals
from claimcheck.model import Anchor, Pin
from claimcheck.project import Project
from claimcheck.registry import ANCHORS, make_sure_it_loads
from claimcheck.registry.edits import Editor, anchors_file


def registry_changes(project: Project, opened: Opened, found: Proposals) -> list[FileChange]:
    """The change of anchors.yaml that adds the new anchors, and the vendor where it is not declared."""
    anchors = [_written(proposal.anchor, opened) for proposal in found.new]
    if not anchors:
        return []
    content = project.read(ANCHORS)
    if content is None:
        change = FileChange(ANCHORS, None, anchors_file([opened.vendor], anchors).encode())
    else:
        editor = Editor(ANCHORS, content)
        if not opened.declared:
            editor.add_vendor(opened.vendor)
        for anchor in anchors:
            editor.add_anchor(anchor)
        change = editor.change()
    make_sure_it_loads(project, [change])
    return [change]


def _written(anchor: Anchor, opened: Opened) -> Anchor:
    """The anchor with a commit of its own where documents are about another one than the vendor's pin."""
    same = opened.vendor.pin.text in (opened.commit, opened.label, f"release/{opened.label}")
    return anchor if same else replace(anchor, commit=Pin(opened.commit))


def citations(found: Proposals) -> list[FileChange]:
    """The documents with ` [ID]` behind each place that has an anchor, and nothing else changed.

    A place behind which the ID is cited already is left alone.
    """
    edits: dict[str, dict[int, Edit]] = {}
    documents: dict[str, Document] = {}
    for proposal in found.anchors:
        for document, end in _ends(proposal):
            documents[document.path] = document
            mark = f" [{proposal.anchor.id}]"
            if not document.text.startswith(mark, end):
                edits.setdefault(document.path, {})[end] = Edit(end, end, mark)
    return [splice(documents[path], list(made.values())) for path, made in edits.items()]


def _ends(proposal: Proposal) -> Sequence[tuple[Document, int]]:
    return [(mention.document, mention.end) for mention in proposal.mentions if mention.end is not None]
