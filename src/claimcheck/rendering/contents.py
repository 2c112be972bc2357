"""What the blocks of a document show, as plain data: this is all that a template gets to see.

Texts are as they came from a repository or a registry; the template engine escapes them. No value here has a method
that does more than look at the value itself.
"""

from __future__ import annotations

from claimcheck.values import frozen


@frozen
class Origin:
    """Which state of a vendor is shown. `archive` is the beginning of a release's checksum, None for a commit.

    `stands_in_for` and `pinned_at` have the pin when something else was looked at: the first for a release that was
    taken in its place, the second where somebody asked for another revision.
    """

    vendor: str
    version: str
    archive: str | None = None
    stands_in_for: str = ""
    pinned_at: str = ""

    @property
    def pin(self) -> str:
        """What is pinned, where something else was looked at."""
        return self.stands_in_for or self.pinned_at


@frozen
class Stretch:
    """Lines of a region one below the other, shown or folded away. `lines` counts within the region, from 0."""

    first: int
    last: int
    folded: bool
    start: int
    stop: int

    @property
    def count(self) -> int:
        return self.last - self.first + 1


@frozen
class CodeRegion:
    """A region of an excerpt with its lines, without the indentation that all of the excerpt's lines share.

    `marks` are the strings to show highlighted. `gap` is how many lines of the file lie between this region and the
    one before it. `recorded` is given where the registry has other lines. `missing` says why there is no text.
    """

    number: int
    first: int
    last: int
    texts: tuple[str, ...]
    stretches: tuple[Stretch, ...]
    label: str
    marks: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    more_symbols: int = 0
    gap: int = 0
    recorded: str = ""
    link: str = ""
    remark: str = ""
    missing: str = ""

    @property
    def folded(self) -> int:
        """How many lines are folded away."""
        return sum(stretch.count for stretch in self.stretches if stretch.folded)


@frozen
class HiddenCharacter:
    """Characters that are shown as escapes: what they are and where (`801:7, 803:1`)."""

    what: str
    at: str


@frozen
class ExcerptContent:
    """The code behind an anchor. `missing` says why nothing of it can be shown."""

    id: str
    element: str
    note_href: str
    origin: Origin
    path: str
    language: str
    regions: tuple[CodeRegion, ...]
    whole: bool = False
    caption: str = ""
    print_full: bool = False
    style: str = "plain"
    swhid: str = ""
    hidden: tuple[HiddenCharacter, ...] = ()
    decoded: str = ""
    missing: str = ""

    @property
    def folded(self) -> int:
        return sum(region.folded for region in self.regions)


@frozen
class CitedLines:
    """A region as a footnote names it."""

    label: str
    link: str = ""


@frozen
class MissingRegion:
    """A region of an anchor that has no place where it was looked for: its number, and its lines in the registry."""

    number: int
    lines: str


@frozen
class Reference:
    """Where a note is cited: the letter that stands for it and the address within the page."""

    letter: str
    href: str


@frozen
class Note:
    """A footnote about an anchor, or (`text`) about another entry that is cited."""

    number: int
    id: str
    element: str
    origin: Origin | None = None
    path: str = ""
    whole: bool = False
    regions: tuple[CitedLines, ...] = ()
    recorded: str = ""
    swhid: str = ""
    review: str = ""
    missing: str = ""
    missing_regions: tuple[MissingRegion, ...] = ()
    text: str = ""
    code_href: str = ""
    references: tuple[Reference, ...] = ()


@frozen
class FootnotesContent:
    """The notes of a page. Here and below, `heading` is the element of the title, where there is one."""

    title: str
    heading: str
    notes: tuple[Note, ...]
    style: str = "plain"


@frozen
class CitedId:
    """An ID that an entry cites: `href` leads to its note, `element` is the mark to come back to."""

    id: str
    href: str = ""
    element: str = ""


@frozen
class ClaimItem:
    """A claim of a lesson; `state` and `basis` are names of labels."""

    id: str
    element: str
    text: str
    state: str
    basis: str
    cites: tuple[CitedId, ...]
    caveats: tuple[str, ...] = ()
    note: str = ""


@frozen
class ClaimsContent:
    lesson: str
    title: str
    heading: str
    claims: tuple[ClaimItem, ...]


@frozen
class ExampleTable:
    """A table of an example; `numeric` says of each column whether it holds numbers only."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]


@frozen
class Input:
    """An input of an example: a value, or a table where it is a list of things with the same properties."""

    name: str
    value: str = ""
    table: ExampleTable | None = None


@frozen
class ExampleContent:
    """A worked example. `data` has its inputs and tables as the registry has them, for a drawing made of them."""

    id: str
    element: str
    title: str
    assumptions: tuple[str, ...]
    inputs: tuple[Input, ...]
    tables: tuple[ExampleTable, ...]
    cites: tuple[CitedId, ...]
    data: ExampleData


@frozen
class ExampleData:
    """What an example is made of: plain numbers, texts, tuples and mappings."""

    inputs: dict[str, object]
    tables: tuple[TableData, ...]


@frozen
class TableData:
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


@frozen
class ErratumItem:
    id: str
    element: str
    where: str
    lines: str
    quote: str
    wrong: str
    instead: str
    cites: tuple[CitedId, ...]


@frozen
class ErrataContent:
    title: str
    heading: str
    errata: tuple[ErratumItem, ...]


@frozen
class PinsContent:
    """At which states of which vendors a page is true, and how much of them it cites."""

    origins: tuple[Origin, ...]
    cited: int
    claims: int


Content = ExcerptContent | FootnotesContent | ClaimsContent | ExampleContent | ErrataContent | PinsContent


@frozen
class Lead:
    """A way to another page, or to a place in one; `name` is short for the title."""

    title: str
    href: str
    name: str = ""


@frozen
class TocEntry:
    level: int
    href: str
    text: str


@frozen
class Around:
    """What a page has around it: the way to the site's root, the index pages, and the pages before and after."""

    root: str
    lessons: str
    anchors: str
    previous: Lead | None = None
    next: Lead | None = None


@frozen
class LessonEntry:
    """A page in the index of lessons."""

    title: str
    href: str
    language: str
    cited: int
    claims: int
    lessons: tuple[str, ...]


@frozen
class AnchorEntry:
    """A row of the index of anchors: what it is and in which pages it is cited."""

    id: str
    origin: Origin
    path: str
    regions: tuple[CitedLines, ...]
    recorded: str
    review: str
    missing: str
    missing_regions: tuple[MissingRegion, ...]
    cited_in: tuple[Lead, ...]
