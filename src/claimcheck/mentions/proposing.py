"""What documents name -> anchors at one commit, with what is in doubt about each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from claimcheck.drift import carries
from claimcheck.finding import Finding, Quote, RuleInfo
from claimcheck.mentions import rules
from claimcheck.mentions.finding import Mention
from claimcheck.model import Anchor, Lines, Region, Vendor
from claimcheck.outcome import Outcome, spot_of
from claimcheck.proposals import propose_strings
from claimcheck.syntax import Outline, Symbol, outline
from claimcheck.texts import NoSource, SourceText, Tree
from claimcheck.values import frozen

LONGEST_ID = 60
_NOTHING = re.compile(r"[\s{}()\[\];,]*\Z")


class VendorFiles(Protocol):
    """The files of one vendor at any commit that is here."""

    def read(self, commit: str, path: str, /) -> SourceText | NoSource: ...

    def paths(self, commit: str, /) -> Sequence[str]:
        """Every file of a commit."""
        ...

    def has(self, commit: str, /) -> bool:
        """Whether a commit is here."""
        ...

    def tree(self, commit: str, before: str, /) -> Tree: ...


@frozen
class Proposal:
    """An anchor for everything that names the same lines. `exists` says that the registry has it already."""

    anchor: Anchor
    symbol: str | None
    mentions: tuple[Mention, ...]
    exists: bool = False


@frozen
class Proposals:
    """What importing documents comes to: anchors, findings, and the links to whole files, which propose nothing."""

    vendor: Vendor
    commit: str
    label: str
    mentions: tuple[Mention, ...]
    anchors: tuple[Proposal, ...]
    findings: tuple[Finding, ...]
    whole_files: tuple[Mention, ...]

    @property
    def new(self) -> tuple[Proposal, ...]:
        return tuple(proposal for proposal in self.anchors if not proposal.exists)

    @property
    def doubtful(self) -> int:
        """How many places are proposed although something is in doubt."""
        kept = {id(mention) for proposal in self.anchors for mention in proposal.mentions}
        return sum(id(mention) in kept for mention in self._in_doubt)

    @property
    def _in_doubt(self) -> list[Mention]:
        places = {finding.place for finding in self.findings}
        return [mention for mention in self.mentions if mention.place in places]


def propose(
    vendor: Vendor,
    commit: str,
    label: str,
    found: Sequence[Mention],
    files: VendorFiles,
    known: Mapping[str, Anchor],
) -> Proposals:
    """Propose an anchor for each place that is there at a commit; `known` are the registry's anchors."""
    proposing = _Proposing(vendor, commit, label, files, known)
    for mention in found:
        proposing.take(mention)
    return Proposals(
        vendor,
        commit,
        label,
        tuple(found),
        tuple(proposing.proposals()),
        tuple(proposing.findings),
        tuple(proposing.whole_files),
    )


@dataclass
class _Proposing:
    vendor: Vendor
    commit: str
    label: str
    files: VendorFiles
    known: Mapping[str, Anchor]
    findings: list[Finding] = field(default_factory=list)
    whole_files: list[Mention] = field(default_factory=list)
    _places: dict[tuple[str, Lines], list[Mention]] = field(default_factory=dict)
    _ends: dict[str, list[str]] | None = None

    def take(self, mention: Mention) -> None:
        followed = self._followed(mention)
        if followed is None:
            return
        path, lines = followed
        source = self.files.read(self.commit, path)
        if isinstance(source, NoSource):
            self._report(rules.FILE_MISSING, mention, f"`{mention.written}`: {path} {source.message}")
            return
        if lines is None:
            lines = self._named_symbol(mention, path, source)
            if lines is None:
                self.whole_files.append(mention)
                return
        if lines.last > len(source):
            message = f"`{mention.written}`: {path} has {len(source)} lines at {self.label}"
            self._report(rules.BEYOND_FILE, mention, message)
            return
        self._doubt(mention, path, lines, source)
        self._places.setdefault((path, lines), []).append(mention)

    def _followed(self, mention: Mention) -> tuple[str, Lines | None] | None:
        """The place at the commit that was given; None, with a finding, for one that cannot be had."""
        if mention.commit not in (None, self.commit) and mention.lines is not None:
            assert mention.commit is not None
            if self.files.has(mention.commit):
                return self._relocated(mention, mention.commit, mention.lines)
            message = f"its link to {mention} is of {mention.commit[:8]}, which is not here"
            self._report(
                rules.OTHER_COMMIT, mention, message, f"claimcheck vendor fetch {self.vendor.name} {mention.commit}"
            )
        if mention.lines is None and self._is_folder(mention.path):
            self.whole_files.append(mention)
            return None
        path = self._path(mention)
        return None if path is None else (path, mention.lines)

    def _relocated(self, mention: Mention, commit: str, lines: Lines) -> tuple[str, Lines | None] | None:
        from claimcheck.relocate import relocate

        old = self.files.read(commit, mention.path)
        if isinstance(old, NoSource) or lines.last > len(old):
            why = old.message if isinstance(old, NoSource) else f"has {len(old)} lines"
            self._report(rules.BEYOND_FILE, mention, f"`{mention.written}`: at {commit[:8]} {mention.path} {why}")
            return None
        anchor = Anchor("X-X", self.vendor.name, mention.path, (Region(lines),))
        (outcome,) = relocate(anchor, old, None, self.files.tree(self.commit, commit))
        spot = spot_of(outcome)
        if spot is None or not carries(outcome):
            self._report(
                rules.NOT_FOLLOWED, mention, self._became(mention, commit, outcome), _help(self.vendor, mention)
            )
            return None
        return spot.path, spot.lines

    def _became(self, mention: Mention, commit: str, outcome: Outcome) -> str:
        spot = spot_of(outcome)
        where = f", now {spot.path}:{spot.lines}" if spot else ""
        return f"{mention} of {commit[:8]} is {outcome.name} at {self.label}{where}"

    def _path(self, mention: Mention) -> str | None:
        """The vendor's file that is named: as it stands, or the only one that ends so."""
        if not isinstance(self.files.read(self.commit, mention.path), NoSource):
            return mention.path
        ends = self._by_name.get(mention.path.rpartition("/")[2], [])
        fitting = [path for path in ends if f"/{path}".endswith(f"/{mention.path}")]
        if len(fitting) == 1 and mention.rev is None:
            return fitting[0]
        folder = mention.path.rpartition("/")[0]
        if mention.rev is None and not fitting and not ends and not (folder and self._is_folder(folder)):
            return None  # `README.md:3` of another project, a time, a host: nothing that this vendor has
        several = f"{len(fitting)} files end so" if len(fitting) > 1 else f"there is no such file at {self.label}"
        near = fitting or ends
        hint = f"one of that name: {near[0]}" if len(near) == 1 else None
        self._report(rules.FILE_MISSING, mention, f"`{mention.written}`: {several}", hint)
        return None

    def _is_folder(self, path: str) -> bool:
        beginning = path.rstrip("/") + "/"
        return any(path.startswith(beginning) for paths in self._by_name.values() for path in paths)

    @property
    def _by_name(self) -> dict[str, list[str]]:
        if self._ends is None:
            self._ends = {}
            for path in self.files.paths(self.commit):
                self._ends.setdefault(path.rpartition("/")[2], []).append(path)
        return self._ends

    def _named_symbol(self, mention: Mention, path: str, source: SourceText) -> Lines | None:
        """The definition that a link to a whole file names in its words, if the file has exactly one."""
        structure = outline(source.text, path)
        for name in mention.names:
            defined = structure.named(name.removesuffix("()")) if structure else ()
            if len(defined) == 1:
                return defined[0].lines
        return None

    def _doubt(self, mention: Mention, path: str, lines: Lines, source: SourceText) -> None:
        quote = Quote(
            self.vendor.name,
            f"{self.vendor.name} {self.label}",
            self.commit,
            path,
            ((lines.first, source.lines[lines.first - 1]),),
        )
        if mention.rev is not None and mention.commit is None and mention.lines is not None:
            message = f"its link to {mention} leads to `{mention.rev[:40]}`, whose lines may have been others"
            self._report(rules.BRANCH, mention, message, quote=quote)
            return
        if _NOTHING.match(source.lines[lines.first - 1]):
            self._report(rules.NOTHING_THERE, mention, f"{path}:{lines.first} has nothing", quote=quote)
            return
        text = source.cut(lines)
        for name in mention.names:
            last = re.split(r"\.|::", name.removesuffix("()"))[-1]
            if not re.search(rf"(?<!\w){re.escape(last)}(?!\w)", text):
                self._report(rules.SAYS_OTHERWISE, mention, *self._elsewhere(name, path, lines, source), quote=quote)
                return

    def _elsewhere(self, name: str, path: str, lines: Lines, source: SourceText) -> tuple[str, str | None]:
        structure = outline(source.text, path)
        defined: Sequence[Symbol] = structure.named(name.removesuffix("()")) if structure else ()
        message = f"`{name}` is not in {path}:{lines}"
        if len(defined) == 1:
            return f"{message}; it is defined at {defined[0].lines}", f"{path}:{defined[0].lines}"
        return message, None

    def _report(
        self, rule: RuleInfo, mention: Mention, message: str, help: str | None = None, *, quote: Quote | None = None
    ) -> None:
        evidence = (quote,) if quote else ()
        self.findings.append(Finding(rule, mention.document.path, mention.place, message, evidence, help))

    def proposals(self) -> Iterator[Proposal]:
        taken = set(self.known)
        for (path, lines), named in self._places.items():
            there = next((anchor for anchor in self.known.values() if self._is(anchor, path, lines)), None)
            source = self.files.read(self.commit, path)
            assert isinstance(source, SourceText)
            structure = outline(source.text, path)
            symbol = _symbol(structure, lines)
            if there is not None:
                yield Proposal(there, symbol, tuple(named), exists=True)
                continue
            id = _id(self.vendor.prefixes[0], symbol, path, lines, taken)
            taken.add(id)
            find = propose_strings(source, [lines], structure)
            yield Proposal(Anchor(id, self.vendor.name, path, (Region(lines),), find), symbol, tuple(named))

    def _is(self, anchor: Anchor, path: str, lines: Lines) -> bool:
        same = anchor.vendor == self.vendor.name and anchor.path == path
        return same and [region.lines for region in anchor.regions] == [lines]


def _help(vendor: Vendor, mention: Mention) -> str | None:
    return f"claimcheck drift {vendor.name} REV {mention.path}:{mention.lines}" if mention.lines else None


def _symbol(structure: Outline | None, lines: Lines) -> str | None:
    """The definition that some lines are, begin with, or lie in."""
    if structure is None:
        return None
    inside = structure.inside(lines)
    if inside:
        return inside[0].name
    around = structure.innermost(lines)
    return around.name if around else None


def _id(prefix: str, symbol: str | None, path: str, lines: Lines, taken: set[str]) -> str:
    """An ID from the symbol's last name, else from the file's; with a number where it is taken."""
    said = re.split(r"\.|::", symbol)[-1] if symbol else path.rpartition("/")[2].partition(".")[0]
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", said)
    base = f"{prefix}-{'-'.join(word.upper() for word in words) or f'L{lines.first}'}"[:LONGEST_ID].rstrip("-")
    if re.fullmatch(r"[A-Z][A-Z0-9]*-E[0-9]+", base):
        base += "-CODE"  # PREFIX-E1 is an example's
    if base not in taken:
        return base
    return next(id for n in range(2, 10_000) if (id := f"{base}-{n}") not in taken)
