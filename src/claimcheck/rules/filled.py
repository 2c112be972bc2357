"""What the rules about filled blocks have in common: the documents of a run, rendered once more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from claimcheck.corpus import Corpus, build
from claimcheck.finding import Finding

if TYPE_CHECKING:
    from claimcheck.rendering.rendered import Rendered


def filled_again(
    corpus: Corpus, findings: Sequence[Finding], run: Callable[[Corpus], Sequence[Finding]]
) -> Rendered | None:
    """What filling the documents gives now; None where no block of them is filled.

    `findings` are those of the run, with waivers applied; `run` finds them for another corpus, since what a document
    shows may be more than what was asked about.
    """
    if corpus.registry.documents.blocks == "site":
        return None
    documents = [document for document in corpus.documents if any(block.digest for block in document.blocks)]
    if not documents:
        return None
    from claimcheck.rendering.making import needed
    from claimcheck.rendering.material import Material
    from claimcheck.rendering.plan import keys_of
    from claimcheck.rendering.rendered import in_place
    from claimcheck.rendering.templates import Templates
    from claimcheck.verification import judge

    registry, library = corpus.registry, corpus.library
    ids = needed(documents, registry)
    if not all(id in corpus.selection for id in ids):
        names = [*ids, *(document.path for document in documents)]
        corpus = build(registry, corpus.sources, names, corpus.targets, library)
        findings = run(corpus)
    material = Material.of(judge(corpus, tuple(findings)))
    return in_place(documents, material, keys_of([*library.documents]), Templates(library.templates), force=True)
