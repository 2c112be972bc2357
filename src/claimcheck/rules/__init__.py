"""The rules of `verify`: each one file with its information, its check and its own examples.

A new rule is a module here and a line in `RULES`; its test, its `explain` text and its page in the
documentation come from the module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from claimcheck.corpus import Corpus
from claimcheck.documents import is_document
from claimcheck.finding import Finding, RuleInfo
from claimcheck.model import Anchor, Revision, Waiver
from claimcheck.rules import (
    block_edited,
    block_filled,
    block_stale,
    block_unfillable,
    check_failed,
    check_not_run,
    citation_link_differs,
    cites_nothing,
    document_conflict,
    document_unreadable,
    find_elsewhere,
    find_nowhere,
    head_differs,
    invisible_characters,
    lines_never_there,
    link_beside_differs,
    link_commit,
    link_dead,
    link_to_branch,
    lock_differs,
    lock_stale,
    look_alike_ids,
    marker_malformed,
    markup_unclosed,
    no_documents,
    not_text,
    path_missing,
    pin_missing,
    pin_not_pushed,
    place_uncited,
    quote_gone,
    quoted_block_differs,
    quoted_code_differs,
    quoted_name_absent,
    range_beyond_file,
    region_ambiguous,
    region_changed,
    region_gone,
    region_unfindable,
    region_unlocated,
    source_not_utf8,
    source_unavailable,
    symbol_missing,
    symbol_unresolved,
    template_failed,
    translations_differ,
    uncited_anchor,
    unknown_id,
    unreviewed,
    vendor_missing,
    vendor_unusable,
    waiver_unknown_rule,
    waiver_unmatched,
    weak_check,
)
from claimcheck.rules.cases import Case
from claimcheck.rules.filled import filled_again
from claimcheck.values import frozen

if TYPE_CHECKING:
    from claimcheck.rendering.rendered import Rendered


class Rule(Protocol):
    """What a module in this package has."""

    INFO: RuleInfo

    @property
    def PASSES(self) -> Sequence[Case]: ...

    @property
    def FAILS(self) -> Sequence[Case]: ...

    def check(self, corpus: Corpus, /) -> Iterable[Finding]: ...


RULES: tuple[Rule, ...] = (
    vendor_missing,
    vendor_unusable,
    pin_missing,
    pin_not_pushed,
    head_differs,
    path_missing,
    not_text,
    source_unavailable,
    range_beyond_file,
    find_elsewhere,
    find_nowhere,
    symbol_missing,
    symbol_unresolved,
    region_unfindable,
    region_gone,
    region_ambiguous,
    region_changed,
    region_unlocated,
    lines_never_there,
    lock_differs,
    lock_stale,
    source_not_utf8,
    invisible_characters,
    look_alike_ids,
    uncited_anchor,
    unknown_id,
    cites_nothing,
    check_failed,
    check_not_run,
    no_documents,
    document_unreadable,
    document_conflict,
    markup_unclosed,
    marker_malformed,
    block_filled,
    block_edited,
    block_unfillable,
    link_commit,
    link_dead,
    citation_link_differs,
    link_beside_differs,
    link_to_branch,
    quoted_block_differs,
    quoted_code_differs,
    quoted_name_absent,
    place_uncited,
    translations_differ,
    quote_gone,
    weak_check,
    waiver_unknown_rule,
)

# Only on request: a young project has reviewed nothing yet.
ON_REQUEST: tuple[Rule, ...] = (unreviewed,)


class RuleOfRendering(Protocol):
    """A rule about documents filled once more, for which it has to be settled first what holds."""

    INFO: RuleInfo

    @property
    def PASSES(self) -> Sequence[Case]: ...

    @property
    def FAILS(self) -> Sequence[Case]: ...

    def check_rendered(self, rendered: Rendered, /) -> Iterable[Finding]: ...


OF_RENDERING: tuple[RuleOfRendering, ...] = (block_stale, template_failed)


@frozen
class _Order:
    """Where a finding stands in the report: by entry in registry order, then by place."""

    positions: Mapping[str, int]

    def key(self, finding: Finding) -> tuple[int, str, int, int, str]:
        place = finding.place
        return (
            self.positions.get(finding.subject, len(self.positions)),
            place.path,
            place.line or 0,
            place.column or 0,
            finding.rule.name,
        )


def run(
    corpus: Corpus, *, require_reviewed: bool = False, waivers: bool = True, rendering: bool = True
) -> tuple[Finding, ...]:
    """Every finding about the selected entries, in registry order, with the waivers applied unless they are left out.

    A waiver in force that accepts nothing is itself a finding; a waived finding stays in the list. Without `rendering`
    the rules that need the documents filled once more are left out.
    """
    rules = RULES + ON_REQUEST if require_reviewed else RULES
    found = [finding for rule in rules for finding in rule.check(corpus)]
    in_force = [waiver for waiver in corpus.registry.waivers if waivers and is_in_force(waiver, corpus)]
    waived = [_waive(finding, in_force) for finding in found]
    if rendering:
        waived += [_waive(finding, in_force) for finding in _of_rendering(corpus, waived)]
    used = {finding.waiver for finding in waived}
    waived += waiver_unmatched.check_waivers(corpus, [waiver for waiver in in_force if waiver not in used])
    registry = corpus.registry
    order = _Order({subject: position for position, subject in enumerate([*registry.vendors, *registry.entries])})
    return tuple(sorted(waived, key=order.key))


def _of_rendering(corpus: Corpus, findings: Sequence[Finding]) -> Iterator[Finding]:
    rendered = filled_again(corpus, findings, lambda other: run(other, rendering=False))
    if rendered is not None:
        for rule in OF_RENDERING:
            yield from rule.check_rendered(rendered)


def _waive(finding: Finding, waivers: Sequence[Waiver]) -> Finding:
    for waiver in waivers:
        if waiver.rule == finding.rule.name and waiver.subject == finding.subject:
            return replace(finding, waiver=waiver)
    return finding


def is_in_force(waiver: Waiver, corpus: Corpus) -> bool:
    """Whether a waiver applies to this run, by its `until`."""
    if waiver.until is None:
        return True
    looked_at = list(_revisions_of(waiver.subject, corpus))
    if waiver.until == "release":
        return any(revision is not None and revision.release is not None for _, revision in looked_at)
    return any(pin == waiver.until for pin, _ in looked_at)


def _revisions_of(subject: str, corpus: Corpus) -> Iterator[tuple[str, Revision | None]]:
    """The pin and the revision looked at, for each anchor that a subject is or rests on."""
    registry = corpus.registry
    if subject in registry.vendors:
        looked_at = corpus.looked_at.get(subject)
        yield registry.vendors[subject].pin.text, looked_at if isinstance(looked_at, Revision) else None
    entry = registry.entries.get(subject)
    document = corpus.library.documents.get(subject) if entry is None and is_document(subject) else None
    cited = (subject,) if entry is None or isinstance(entry, Anchor) else entry.cites
    for id in document.cited if document else cited:
        sighting = corpus.sightings.get(id)
        if sighting is not None:
            yield registry.pin_of(sighting.anchor).text, sighting.revision


def catalogue() -> dict[str, RuleInfo]:
    """Every rule by name, those of loading the registry included, for `explain` and for waivers."""
    from claimcheck import mentions, records, registry

    ours: tuple[Rule, ...] = (*RULES, *ON_REQUEST)
    infos = [*(rule.INFO for rule in ours), *(rule.INFO for rule in OF_RENDERING), waiver_unmatched.INFO]
    return {info.name: info for info in (*registry.RULES, *records.RULES, *mentions.RULES, *infos)}


def cases_of(name: str) -> tuple[Case, ...]:
    """The examples of a rule, failing ones first; none for a rule that has no example in files."""
    known: tuple[Rule, ...] = (*RULES, *ON_REQUEST)
    for rule in known:
        if rule.INFO.name == name:
            return (*rule.FAILS, *rule.PASSES)
    for late in OF_RENDERING:
        if late.INFO.name == name:
            return (*late.FAILS, *late.PASSES)
    if name == waiver_unmatched.INFO.name:
        return (*waiver_unmatched.FAILS, *waiver_unmatched.PASSES)
    return _input_cases(name)


def _input_cases(name: str) -> tuple[Case, ...]:
    """The example of a rule of loading the registry, as far as its files can be shown."""
    from claimcheck import registry

    example = registry.EXAMPLES.get(name)
    if example is None:
        return ()
    files = {
        path: text for path, text in example.fails.items() if isinstance(text, str) and text != example.passes.get(path)
    }
    return (Case("a registry that has it", files),) if files else ()
