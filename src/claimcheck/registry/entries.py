"""Checked plain data to the values of the model; what no schema can say is looked at here.

Nothing is built from a part that is known to be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, cast

from claimcheck import model
from claimcheck.model import Lines, Pin, Place, Places
from claimcheck.registry import problems
from claimcheck.registry.problems import Trouble
from claimcheck.registry.shaped import Shaped
from claimcheck.registry.wording import Written, range_trouble
from claimcheck.registry.yaml_nodes import Node, Path, children

Data = Mapping[str, Any]


class EntryPlaces(Mapping[str, Place]):
    """The places of an entry's parts, found when first asked for: most are never looked at."""

    __slots__ = ("_at", "_path", "_shaped")

    def __init__(self, shaped: Shaped, path: Path) -> None:
        self._shaped = shaped
        self._path = path
        self._at: dict[str, Place] | None = None

    def _all(self) -> dict[str, Place]:
        if self._at is None:
            place = self._shaped.text.place
            self._at = {"": place(self._shaped.node(self._path, on_key=True).start)}
            node = self._shaped.tree.at(self._path)
            if node is not None:
                self._at.update((part, place(below.start)) for part, below in _parts(node, ""))
        return self._at

    def __getitem__(self, part: str) -> Place:
        return self._all()[part]

    def __contains__(self, part: object) -> bool:
        return part in self._all()

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def strings(value: Any) -> tuple[str, ...]:
    """A value that is one text or a list of them."""
    return (value,) if isinstance(value, str) else tuple(value)


def _parts(node: Node, above: str) -> Iterator[tuple[str, Node]]:
    for key, below in children(node):
        part = f"{above}.{key}" if above else str(key)
        yield part, below
        yield from _parts(below, part)


def places(shaped: Shaped, *path: str | int) -> Places:
    return Places(EntryPlaces(shaped, path))


def vendor(shaped: Shaped, name: str) -> model.Vendor:
    data = cast(Data, shaped.data["vendors"][name])
    releases = data.get("releases", {})
    return model.Vendor(
        name=name,
        pin=Pin(data["commit"]),
        prefixes=strings(data.get("prefix", ())),
        url=data.get("url"),
        pypi=releases.get("pypi"),
        releases=tuple(model.Release(version, sha256) for version, sha256 in releases.get("versions", {}).items()),
        permalink=data.get("permalink"),
        places=places(shaped, "vendors", name),
    )


def anchor(shaped: Shaped, id: str, vendor_name: str) -> model.Anchor:
    data = cast(Data, shaped.data["anchors"][id])
    if "regions" in data:
        regions = tuple(
            model.Region(_range(region["lines"]), strings(region.get("find", ()))) for region in data["regions"]
        )
    else:
        regions = tuple(model.Region(lines) for lines in _ranges(data.get("lines")))
    return model.Anchor(
        id=id,
        vendor=vendor_name,
        path=data["path"],
        regions=regions,
        find=strings(data.get("find", ())),
        commit=Pin(data["commit"]) if "commit" in data else None,
        symbol=data.get("symbol"),
        watch=model.Watch(data["watch"]) if "watch" in data else None,
        places=places(shaped, "anchors", id),
    )


def check_ranges(shaped: Shaped, section: str, id: str) -> None:
    """Report ranges of an entry that run backwards, overlap, do not ascend, or count too far."""
    data = shaped.data[section][id]
    if not isinstance(data, dict):
        return
    found: list[tuple[Path, Lines]] = []
    for path, value in _written_ranges(data):
        whole = (section, id, *path)
        lines = None if shaped.is_broken(*whole) or not isinstance(value, (str, int)) else Lines.parse(str(value))
        if lines is None:
            continue
        if lines.first > lines.last or lines.last > model.MAX_LINE:
            written = Written("lines", str(value), in_list=isinstance(whole[-1], int))
            shaped.report(whole, range_trouble(written))
        else:
            found.append((whole, lines))
    for (_, before), (whole, lines) in pairwise(found):
        if before.overlaps(lines):
            shaped.report(whole, Trouble(problems.RANGE_ORDER, f"lines {lines} overlap {before}"))
        elif lines < before:
            message = f"lines {lines} stand after {before}; regions stand in the order of the file"
            shaped.report(whole, Trouble(problems.RANGE_ORDER, message))


def _written_ranges(data: Data) -> Iterator[tuple[Path, Any]]:
    if isinstance(data.get("regions"), list):
        for n, region in enumerate(data["regions"]):
            if isinstance(region, dict) and "lines" in region:
                yield ("regions", n, "lines"), region["lines"]
    elif isinstance(data.get("lines"), list):
        for n, value in enumerate(data["lines"]):
            yield ("lines", n), value
    elif "lines" in data:
        yield ("lines",), data["lines"]


def _range(written: str | int) -> Lines:
    lines = Lines.parse(str(written))
    assert lines is not None, written
    return lines


def _ranges(written: Any) -> list[Lines]:
    if written is None:
        return []
    return [_range(item) for item in (written if isinstance(written, list) else [written])]


def claim(shaped: Shaped, id: str, with_checks: bool) -> model.Claim:
    data = cast(Data, shaped.data["claims"][id])
    return model.Claim(
        id=id,
        text=data["text"],
        cites=strings(data.get("cites", ())),
        basis=model.Basis(data.get("basis", "code")),
        lesson=shaped.data.get("lesson"),
        checks=_checks(data) if with_checks else (),
        caveats=tuple(
            model.Caveat(caveat["text"], _checks(caveat) if with_checks else ()) for caveat in data.get("caveats", ())
        ),
        quote=data.get("quote"),
        note=data.get("note"),
        places=places(shaped, "claims", id),
    )


def _checks(data: Data) -> tuple[model.Check, ...]:
    if not data.get("checks"):
        return ()
    from claimcheck.checks import read_check

    return tuple(read_check(check) for check in data["checks"])


def example(shaped: Shaped, id: str) -> model.Example:
    data = cast(Data, shaped.data["examples"][id])
    return model.Example(
        id=id,
        title=data["title"],
        cites=strings(data.get("cites", ())),
        assumptions=strings(data.get("assumptions", ())),
        inputs=data.get("inputs", {}),
        tables=tuple(
            model.Table(table.get("caption", ""), tuple(table["columns"]), tuple(tuple(row) for row in table["rows"]))
            for table in data.get("tables", ())
        ),
        places=places(shaped, "examples", id),
    )


def erratum(shaped: Shaped, id: str) -> model.Erratum:
    data = cast(Data, shaped.data["errata"][id])
    return model.Erratum(
        id=id,
        lesson=data["lesson"],
        lines=tuple(_ranges(data.get("lines"))),
        quote=data["quote"],
        wrong=data["wrong"],
        instead=data["instead"],
        cites=strings(data.get("cites", ())),
        replaceable=data.get("replaceable", False),
        expected_missing="expected" in data,
        places=places(shaped, "errata", id),
    )


def waivers(shaped: Shaped) -> Iterator[model.Waiver]:
    for n, data in enumerate(shaped.data.get("waivers") or ()):
        if not shaped.is_broken("waivers", n):
            yield model.Waiver(
                rule=data["rule"],
                subject=data["subject"],
                reason=data["reason"],
                until=data.get("until"),
                places=places(shaped, "waivers", n),
            )


def documents(shaped: Shaped) -> model.Documents:
    data = cast(Data, shaped.data["documents"])
    default = model.Documents()
    return model.Documents(
        include=strings(data["include"]) if "include" in data else default.include,
        exclude=strings(data.get("exclude", ())),
        pairs=tuple((pair[0], pair[1]) for pair in data.get("pairs", ())),
        blocks=data.get("blocks", default.blocks),
        places=places(shaped, "documents"),
    )
