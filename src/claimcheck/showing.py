"""An anchor that was seen in a run, as an excerpt or a citation.

Where only some regions have a place, because what is missing was accepted by a waiver, only those are shown; the
others are for the caller to name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from claimcheck.corpus import Corpus
from claimcheck.errors import EnvironmentProblem
from claimcheck.excerpts import Excerpt, citing, cut, symbols_in
from claimcheck.footnotes import Citation, cite
from claimcheck.model import Anchor, Lines
from claimcheck.outcome import spot_of
from claimcheck.sighting import Sighting, recorded_lines
from claimcheck.texts import NoSource, SourceText


def text_of(corpus: Corpus, sighting: Sighting) -> SourceText:
    """The text in which the regions of an anchor were seen; the first one's, should they be in several files."""
    assert sighting.revision is not None and sighting.spots
    anchor = sighting.anchor
    source = corpus.sources.read(anchor.vendor, sighting.revision.commit, sighting.path)
    if isinstance(source, NoSource):
        raise EnvironmentProblem(
            f"{anchor.id}: {sighting.path} {source.message}", place=anchor.places["path"], help=source.help
        )
    return source


def placed(sighting: Sighting) -> tuple[int, ...]:
    """The indexes of the regions that have a place."""
    return tuple(index for index, outcome in enumerate(sighting.outcomes) if spot_of(outcome) is not None)


def excerpt_of(
    corpus: Corpus, sighting: Sighting, *, region: int | None = None, context: int = 0, cited_by: bool = False
) -> Excerpt:
    """The excerpt of an anchor that was seen; `region` counts from 1 among the regions that have a place."""
    assert sighting.revision is not None
    source = text_of(corpus, sighting)
    anchor, recorded = _as_placed(sighting, source)
    registry = corpus.registry
    return cut(
        anchor,
        registry.vendors[anchor.vendor],
        sighting.revision,
        registry.pin_of(anchor),
        source,
        sighting.spots,
        recorded,
        registry.review_of(sighting.anchor),
        context=context,
        region=region,
        symbols_of=_symbols_of(sighting, source),
        outcomes=[sighting.outcomes[index].name for index in placed(sighting)],
        cited_by=citing(corpus.cited_by(anchor.id), corpus.sentences(anchor.id)) if cited_by else None,
    )


def citation_of(corpus: Corpus, sighting: Sighting, *, region: int | None = None) -> Citation:
    """The citation of an anchor that was seen; `region` counts from 1 among the regions that have a place."""
    assert sighting.revision is not None
    source = text_of(corpus, sighting)
    anchor, recorded = _as_placed(sighting, source)
    registry = corpus.registry
    return cite(
        anchor,
        registry.vendors[anchor.vendor],
        sighting.revision,
        registry.pin_of(anchor),
        source,
        sighting.spots,
        recorded,
        region=region,
    )


def _as_placed(sighting: Sighting, source: SourceText) -> tuple[Anchor, tuple[Lines, ...]]:
    """The anchor and its recorded lines, of the regions that have a place."""
    anchor, there = sighting.anchor, placed(sighting)
    recorded = recorded_lines(anchor, source)
    if len(there) == len(sighting.outcomes) or not anchor.regions:
        return anchor, recorded
    regions = tuple(anchor.regions[index] for index in there)
    return replace(anchor, regions=regions), tuple(recorded[index] for index in there)


def _symbols_of(sighting: Sighting, source: SourceText) -> Callable[[Lines], Sequence[str]] | None:
    """Who names what the regions are: nobody where the lock or the search did, else the structure of the text."""
    if all(spot.symbol for spot in sighting.spots):
        return None
    from claimcheck.syntax import outline

    return symbols_in(outline(source.text, sighting.path))
