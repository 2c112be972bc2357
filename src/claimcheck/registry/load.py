"""All registry files of a project to one Registry, or all that is wrong with them.

One bad file or entry does not hide the others, and what follows from it is not reported again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from claimcheck.errors import EnvironmentProblem, ReadRefused, RegistryError
from claimcheck.finding import Finding, RuleInfo
from claimcheck.model import (
    Anchor,
    Claim,
    Documents,
    Erratum,
    Example,
    LockEntry,
    Place,
    Registry,
    Vendor,
    in_order,
    prefix_of,
)
from claimcheck.project import Project, TooLarge
from claimcheck.registry import checks, entries, lock, problems
from claimcheck.registry.problems import Trouble
from claimcheck.registry.shape import shape
from claimcheck.registry.shaped import Shaped
from claimcheck.registry.yaml_parse import Unreadable, parse
from claimcheck.registry.yaml_text import YamlText, decode
from claimcheck.terminal import shown

ANCHORS = "anchors.yaml"
MORE_ANCHORS = "anchors/*.yaml"
CLAIMS = "claims/*.yaml"
LOCK = lock.PATH

_SECTIONS = ("claims", "examples", "errata")


def load(project: Project, *, checks: bool = True, compiled: bool = True) -> Registry:
    """Everything that the project's files say; raises RegistryError with every problem, in the order of the files.

    Without `checks` those of claims are left out, and what is wrong with them is not seen. With `compiled` off the code
    in them is not looked at yet.
    """
    loading = _Loading(project, checks, compiled)
    loading.read_all()
    loading.build()
    if loading.findings:
        raise RegistryError(loading.sorted_findings())
    return loading.registry()


@dataclass(slots=True)
class _Loading:
    project: Project
    with_checks: bool
    compiled: bool
    findings: list[Finding] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    shaped: list[Shaped] = field(default_factory=list)
    vendors: dict[str, Vendor] = field(default_factory=dict)
    anchors: dict[str, Anchor] = field(default_factory=dict)
    claims: dict[str, Claim] = field(default_factory=dict)
    examples: dict[str, Example] = field(default_factory=dict)
    errata: dict[str, Erratum] = field(default_factory=dict)
    defined: dict[str, Place] = field(default_factory=dict)
    vendor_names: dict[str, Place] = field(default_factory=dict)
    prefixes: dict[str, str] = field(default_factory=dict)
    vendors_incomplete: bool = False
    lock: dict[str, LockEntry] | lock.LazyLock = field(default_factory=dict)

    def registry(self) -> Registry:
        documents = next((entries.documents(each) for each in self.shaped if each.data.get("documents")), Documents())
        return Registry(
            vendors=self.vendors,
            anchors=self.anchors,
            claims=self.claims,
            examples=self.examples,
            errata=self.errata,
            waivers=tuple(waiver for each in self.shaped for waiver in entries.waivers(each)),
            documents=documents,
            lock=self.lock,
            compiled=self.compiled,
        )

    def sorted_findings(self) -> list[Finding]:
        order = {path: n for n, path in enumerate(self.files)}

        def position(finding: Finding) -> tuple[int, str, int, int]:
            place = finding.place
            return order.get(place.path, len(order)), place.path, place.line or 0, place.column or 0

        return sorted(self.findings, key=position)

    # Reading

    def read_all(self) -> None:
        self._read(ANCHORS, "anchors-file")
        for path in self.project.files(MORE_ANCHORS):
            self._read(path, "more-anchors-file")
        for path in self.project.files(CLAIMS):
            self._read(path, "claims-file")
        self._refuse_unread()
        self._read_lock()

    def _read(self, path: str, definition: str) -> None:
        self.files.append(path)
        read = self._bytes(path)
        if read is None:
            return
        text = decode(path, read)
        if isinstance(text, YamlText):
            shaped = self._shape(text, definition)
            if shaped is not None:
                self.shaped.append(shaped)
                return
        else:
            self.findings += text
        self.vendors_incomplete |= definition != "claims-file"

    def _shape(self, text: YamlText, definition: str) -> Shaped | None:
        try:
            parsed = parse(text)
        except Unreadable as error:
            self.findings.append(error.finding)
            return None
        shaped = shape(text, parsed, definition, self.findings)
        return shaped if isinstance(shaped.data, dict) else None

    def _bytes(self, path: str) -> bytes | None:
        try:
            return self.project.read(path)
        except TooLarge as error:
            self._refused(problems.TOO_LARGE, path, error)
        except ReadRefused as error:
            self._refused(problems.NOT_A_FILE, path, error)
        except EnvironmentProblem as error:
            self._refused(problems.UNREADABLE, path, error)
        self.vendors_incomplete |= not path.startswith("claims/")
        return None

    def _refused(self, rule: RuleInfo, path: str, error: ReadRefused | EnvironmentProblem) -> None:
        self.findings.append(Finding(rule, path, Place(path), error.message, help=error.help))

    def _refuse_unread(self) -> None:
        """Report what looks like a part of the registry and would be left out."""
        for path in self.project.files("anchors.*", "anchors/*", "claims/*", "anchors/*/*", "claims/*/*"):
            if path in self.files or not path.lower().endswith((".yaml", ".yml")):
                continue
            if path.count("/") > 1:
                message = "not read, since folders below anchors/ and claims/ are not searched"
            else:
                message = "not read, since its name does not end in .yaml"
            better = path.rpartition(".")[0].split("/")
            help = f"git mv {path} {'/'.join((better[0], *better[-1:]) if len(better) > 1 else better)}.yaml"
            self.findings.append(Finding(problems.NOT_READ, shown(path), Place(path), message, help=shown(help, 200)))

    def _read_lock(self) -> None:
        self.files.append(LOCK)
        content = self._bytes(LOCK)
        if content is None:
            return
        try:
            self.lock = lock.parse(content)
        except RegistryError as error:
            self.findings += error.findings

    # Building

    def build(self) -> None:
        for shaped in self.shaped:
            self._vendors(shaped)
        unresolved = _Unresolved(self)
        for shaped in self.shaped:
            for id in _ids(shaped, "anchors"):
                self._anchor(shaped, id, unresolved)
            for section in _SECTIONS:
                for id in _ids(shaped, section):
                    self._claims_entry(shaped, section, id)
        unresolved.report()
        for shaped in self.shaped if self.with_checks and self.compiled else ():
            for id in _ids(shaped, "claims"):
                if id in self.claims and not shaped.is_broken("claims", id):
                    checks.check_code(shaped, self.claims[id], self.anchors)

    def _vendors(self, shaped: Shaped) -> None:
        for name in _ids(shaped, "vendors"):
            data = shaped.data["vendors"][name]
            self._define(shaped, "vendors", name, self.vendor_names)
            if isinstance(data, dict):
                self._prefixes(shaped, name, data)
            else:
                self.vendors_incomplete = True
            if not shaped.is_broken("vendors", name):
                vendor = entries.vendor(shaped, name)
                self._check_pin(shaped, ("vendors", name, "commit"), vendor.pin.version, vendor)
                self.vendors.setdefault(name, vendor)

    def _prefixes(self, shaped: Shaped, name: str, data: dict[str, Any]) -> None:
        """Take the prefixes of a vendor, also of one that is wrong elsewhere, and report those already taken."""
        path = ("vendors", name, "prefix")
        if shaped.is_broken(*path) or "prefix" not in data:
            self.vendors_incomplete |= shaped.is_broken("vendors", name)
            return
        written = data["prefix"]
        for n, prefix in enumerate(written if isinstance(written, list) else [written]):
            other = self.prefixes.setdefault(prefix, name)
            if other != name:
                where = self.vendor_names[other]
                message = f"the prefix {prefix} is {other}'s already ({where})"
                part = (*path, n) if isinstance(written, list) else path
                shaped.report(part, Trouble(problems.PREFIX_TAKEN, message))

    def _check_pin(self, shaped: Shaped, path: tuple[str, ...], version: str | None, vendor: Vendor) -> None:
        if version is None or vendor.release(version):
            return
        declared = ", ".join(release.version for release in vendor.releases)
        there = f"{vendor.name} declares {declared or 'none'}"
        message = f"release {shown(version)} is not declared; {there}"
        shaped.report(path, Trouble(problems.UNKNOWN_RELEASE, message))

    def _define(self, shaped: Shaped, section: str, name: str, names: dict[str, Place]) -> bool:
        """Note where an ID is defined; False, and a finding, if it is defined elsewhere already."""
        place = shaped.text.place(shaped.node((section, name), on_key=True).start)
        first = names.setdefault(name, place)
        if first is place:
            return True
        message = f"defined twice; first in {first}"
        shaped.report((section, name), Trouble(problems.DUPLICATE_ID, message), on_key=True)
        return False

    def _anchor(self, shaped: Shaped, id: str, unresolved: _Unresolved) -> None:
        new = self._define(shaped, "anchors", id, self.defined)
        sound = new and not shaped.is_broken("anchors", id)
        name = unresolved.vendor_of(shaped, id, shaped.data["anchors"][id].get("vendor")) if sound else None
        if name is None:
            entries.check_ranges(shaped, "anchors", id)
            return
        anchor = entries.anchor(shaped, id, name)
        if not in_order(region.lines for region in anchor.regions):
            entries.check_ranges(shaped, "anchors", id)
        vendor = self.vendors.get(name)
        if anchor.commit and vendor:
            self._check_pin(shaped, ("anchors", id, "commit"), anchor.commit.version, vendor)
        self.anchors[id] = anchor

    def _claims_entry(self, shaped: Shaped, section: str, id: str) -> None:
        if section == "claims" and self.with_checks:
            checks.check_arguments(shaped, id)
        elif section == "errata":
            entries.check_ranges(shaped, section, id)
        if not self._define(shaped, section, id, self.defined) or shaped.is_broken(section, id):
            return
        match section:
            case "claims":
                self.claims[id] = entries.claim(shaped, id, self.with_checks)
            case "examples":
                self.examples[id] = entries.example(shaped, id)
            case _:
                self.errata[id] = entries.erratum(shaped, id)


@dataclass(slots=True)
class _Unresolved:
    """Which vendor an anchor belongs to; what names none is gathered, so that one cause is one finding."""

    loading: _Loading
    prefixes: dict[str, list[tuple[Shaped, str]]] = field(default_factory=dict)
    names: dict[str, list[tuple[Shaped, str]]] = field(default_factory=dict)

    def vendor_of(self, shaped: Shaped, id: str, named: str | None) -> str | None:
        prefix = prefix_of(id)
        owner = self.loading.prefixes.get(prefix)
        if named is None:
            if owner is None:
                self.prefixes.setdefault(prefix, []).append((shaped, id))
            return owner
        if named not in self.loading.vendor_names:
            self.names.setdefault(named, []).append((shaped, id))
            return None
        if owner is not None and owner != named:
            message = f"the prefix {prefix} is {owner}'s, not {named}'s"
            help = f"vendor: {owner}    or leave `vendor` out"
            shaped.report(("anchors", id, "vendor"), Trouble(problems.UNKNOWN_VENDOR, message, help))
            return None
        return named

    def report(self) -> None:
        # A vendor that could not be read may be the one that is missed.
        if self.loading.vendors_incomplete:
            return
        for prefix, missing in self.prefixes.items():
            shaped, id = missing[0]
            others = f", which {len(missing)} anchors have" if len(missing) > 1 else ""
            message = f"no vendor has the prefix {prefix}{others}; {self._known_prefixes()}"
            shaped.report(("anchors", id), Trouble(problems.UNKNOWN_PREFIX, message), on_key=True)
        for name, missing in self.names.items():
            shaped, id = missing[0]
            others = f", which {len(missing)} anchors name" if len(missing) > 1 else ""
            known = list(self.loading.vendor_names)
            import difflib

            close = difflib.get_close_matches(name, known, n=1)
            message = f"no vendor is called {shown(name)}{others}; declared: {', '.join(known) or 'none'}"
            help = f"vendor: {close[0]}" if close else None
            shaped.report(("anchors", id, "vendor"), Trouble(problems.UNKNOWN_VENDOR, message, help))

    def _known_prefixes(self) -> str:
        known = [f"{prefix} ({name})" for prefix, name in self.loading.prefixes.items()]
        return f"declared: {', '.join(known) or 'none'}"


def _ids(shaped: Shaped, section: str) -> Iterator[str]:
    below = shaped.data.get(section)
    if isinstance(below, dict):
        yield from below
