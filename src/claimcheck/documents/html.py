"""HTML documents, taken apart as browsers do it and only as far as needed: text, tags, comments.

Parsers of whole pages repair what is broken, and their positions are then those of the repaired page; Python's own
gives other positions from one patch release to the next. The states of the standard's tokenizer are few, and every
token has its place. What tags mean is asked only for where text is code, a link or not shown at all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape

from claimcheck.documents.blocks import END, IGNORE, Marker, Markers
from claimcheck.documents.citable import Citable
from claimcheck.documents.conflicts import conflicts
from claimcheck.documents.document import Document, LineStarts, LinkForm, Problem, Span, Trouble
from claimcheck.documents.running import Running, without_ignored

CITE_CLASS = "cc-cite"

# Elements whose content is no markup, and how it ends.
RAW = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"})
# Elements whose content is not shown as running text.
HIDDEN = frozenset({"template", "svg", "math"})
CODE = frozenset({"code", "tt", "kbd", "samp"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
# Elements before and behind which a paragraph ends. A table's row is one, so that its cells explain each other.
# fmt: off
BLOCKS = HEADINGS | {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "col", "colgroup", "dd", "details",
    "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "head", "header",
    "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "optgroup", "option", "p", "search",
    "section", "select", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul",
}
# fmt: on

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
_NAME = re.compile(r"[A-Za-z][^\s/>]*")
_PLAIN_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)>")
_BEFORE_ATTRIBUTE = re.compile(r"[\s/]*")
_ATTRIBUTE = re.compile(r"=?[^\s/>=]*")
_EQUALS = re.compile(r"\s*=\s*")
_UNQUOTED = re.compile(r"[^\s>]*")
_LANGUAGE = re.compile(r"(?:^|\s)lang(?:uage)?-([\w+#.-]+)")
_RAW_END = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in RAW}
_IN_SCRIPT = re.compile(r"<!--|<(?P<closing>/)script(?=[\s/>])", re.IGNORECASE)
_IN_COMMENT = re.compile(r"-->|<(?P<closing>/?)script(?=[\s/>])", re.IGNORECASE)
_COMMENT_END = re.compile(r"--!?>")

Attributes = Mapping[str, tuple[int, int]]
_NO_ATTRIBUTES: Attributes = {}


@dataclass(slots=True)
class _OpenAnchor:
    """A link whose end was not read yet; `first` is where it begins in the paragraph's text."""

    target: str
    ours: bool
    address: Span
    start: int
    first: int


@dataclass(slots=True)
class Scanner:
    """Takes HTML apart and tells `running` what is read. The Markdown reader uses it for the HTML in Markdown."""

    text: str
    running: Running
    markers: Markers
    problems: list[Problem] = field(default_factory=list)
    title: str | None = None
    language: str | None = None
    meta: dict[str, str] = field(default_factory=dict)
    hidden: list[tuple[str, int]] = field(default_factory=list)
    code: list[tuple[str, int]] = field(default_factory=list)
    code_language: str | None = None
    code_text: list[str] = field(default_factory=list)
    pre: list[tuple[str, int]] = field(default_factory=list)
    link: _OpenAnchor | None = None
    literal: list[Span] = field(default_factory=list)
    in_markdown: bool = False

    def scan(self, start: int, end: int) -> None:
        """Read a part of the text."""
        at = start
        while at < end:
            opens = self.text.find("<", at, end)
            if opens < 0:
                self.characters(at, end)
                return
            if at < opens:
                self.characters(at, opens)
            at = self.markup(opens, end)

    def characters(self, start: int, end: int) -> None:
        """Text between tags: seen, or code, or not shown."""
        if self.hidden:
            return
        if self.code or self.pre:
            seen = unescape(self.text[start:end])
            self.code_text.append(seen)
            if not self.pre:
                self.running.masked(start, seen)
            return
        ampersand = self.text.find("&", start, end)
        while ampersand >= 0:
            entity = _ENTITY.match(self.text, ampersand, end)
            meant = unescape(entity[0]) if entity else "&"
            if entity and meant != entity[0]:
                self.running.text(start, ampersand)
                self.running.shown(ampersand, meant)
                start = entity.end()
            ampersand = self.text.find("&", entity.end() if entity else ampersand + 1, end)
        self.running.text(start, end)

    def markup(self, at: int, end: int) -> int:
        """Read what a `<` begins; gives where it ends."""
        text = self.text
        if plain := _PLAIN_TAG.match(text, at, end):
            closing = text[at + 1] == "/"
            return self.tag(plain[1].lower(), closing, _NO_ATTRIBUTES, Span(at, plain.end()), end)
        second = text[at + 1 : at + 2]
        if second == "!":
            return self.declaration(at, end)
        closing = second == "/"
        name = _NAME.match(text, at + 1 + closing, end)
        if name is not None:
            return self.long_tag(name, closing, at, end)
        if second == "?" or (closing and at + 2 < end):
            stop = text.find(">", at, end)
            return self.unclosed(at, "a tag", end) if stop < 0 else stop + 1
        self.characters(at, at + 1)
        return at + 1

    def declaration(self, at: int, end: int) -> int:
        """A comment, or what starts like one: `<!doctype …>`."""
        if not self.text.startswith("<!--", at):
            stop = self.text.find(">", at, end)
            return self.unclosed(at, "a declaration", end) if stop < 0 else stop + 1
        if self.text.startswith((">", "->"), at + 4):
            return self.text.index(">", at) + 1
        ends = _COMMENT_END.search(self.text, at + 4, end)
        if ends is None:
            return self.unclosed(at, "a comment", end)
        return self.comment(Span(at, ends.end()))

    def comment(self, span: Span) -> int:
        """A comment; one of ours says how what follows is read."""
        self.literal.append(span)
        marker = self.markers.read(span) if "claimcheck" in self.text[span.start : span.start + 40] else None
        if marker is None or self.hidden:
            return span.end
        if self.in_markdown and marker.word != IGNORE:
            self.markers.report(span.start, "a marker stands on a line of its own, outside of other HTML")
            return span.end
        if marker.opens:
            return self.block(marker)
        if marker.word == END:
            self.markers.report(span.start, "an end marker without a block that it could end")
        else:
            self.markers.ignore(marker)
        return span.end

    def block(self, opening: Marker) -> int:
        """A block of ours, up to behind its end marker; its content is not read."""
        if not alone(self.text, opening):
            self.markers.report(opening.span.start, "a marker stands on a line of its own")
            return opening.span.end
        closing = self.closing(opening)
        if closing is None:
            return opening.span.end
        self.running.finish()
        self.markers.pair(opening, closing, "")
        self.literal.append(Span(opening.span.start, closing.span.end))
        return closing.span.end

    def closing(self, opening: Marker) -> Marker | None:
        """The end marker of a block, if the next marker is one."""
        at = opening.span.end
        while (at := self.text.find("<!--", at)) >= 0:
            stop = self.text.find("-->", at)
            if stop < 0:
                break
            if "claimcheck" in self.text[at : at + 40]:
                marker = self.markers.read(Span(at, stop + 3))
                if marker is not None and marker.word == END and alone(self.text, marker):
                    return marker
                break
            at = stop + 3
        self.markers.without_end(opening)
        return None

    def unclosed(self, at: int, what: str, end: int) -> int:
        """Note markup that has no end: a browser shows nothing of what follows."""
        message = f"{what} never ends, so that nothing behind it is shown"
        self.problems.append(Problem(Trouble.UNCLOSED, self.running.lines.place(at), message))
        return end

    # Tags

    def long_tag(self, name: re.Match[str], closing: bool, at: int, end: int) -> int:
        """A tag with attributes."""
        text = self.text
        attributes: dict[str, tuple[int, int]] = {}
        position = name.end()
        while True:
            before = _BEFORE_ATTRIBUTE.match(text, position, end)
            position = before.end() if before else position
            if position >= end:
                return self.unclosed(at, f"the tag <{name[0][:20]}", end)
            if text[position] == ">":
                break
            attribute = _ATTRIBUTE.match(text, position, end)
            assert attribute is not None
            position = attribute.end()
            value = (position, position)
            if equals := _EQUALS.match(text, position, end):
                quote = text[equals.end() : equals.end() + 1]
                if quote and quote in "\"'":
                    stop = text.find(quote, equals.end() + 1, end)
                    if stop < 0:
                        return self.unclosed(at, f"the tag <{name[0][:20]}", end)
                    value, position = (equals.end() + 1, stop), stop + 1
                else:
                    unquoted = _UNQUOTED.match(text, equals.end(), end)
                    assert unquoted is not None
                    value, position = unquoted.span(), unquoted.end()
            attributes.setdefault(attribute[0].lower(), value)
        return self.tag(name[0].lower(), closing, attributes, Span(at, position + 1), end)

    def tag(self, name: str, closing: bool, attributes: Attributes, span: Span, end: int) -> int:
        """A tag that was read; gives where reading goes on."""
        if name in BLOCKS:
            self.end_paragraph(span.start)
            self.running.heading = name in HEADINGS and not closing
        if name in RAW and not closing:
            return self.raw(name, span, end)
        if name in HIDDEN:
            self.hide(name, closing, span)
        elif self.hidden:
            return span.end
        elif name == "pre":
            self.preformatted(closing, attributes, span)
        elif name in CODE:
            self.code_element(name, closing, attributes, span)
        elif name == "a":
            self.anchor(closing, attributes, span)
        elif name in ("td", "th") and not closing and not self.running.is_blank:
            self.running.shown(span.start, " | ")
        elif name == "br":
            self.running.shown(span.start, "\n")
        elif name == "html" and not closing and "lang" in attributes:
            self.language = self.value(attributes["lang"]) or None
        elif name == "meta" and "name" in attributes and "content" in attributes:
            self.meta.setdefault(self.value(attributes["name"]), self.value(attributes["content"]))
        return span.end

    def value(self, at: tuple[int, int]) -> str:
        return unescape(self.text[at[0] : at[1]])

    def raw(self, name: str, span: Span, end: int) -> int:
        """An element whose content is no markup."""
        stop = _script_end(self.text, span.end, end) if name == "script" else _raw_end(name, self.text, span.end, end)
        if stop is None:
            return self.unclosed(span.start, f"<{name}>", end)
        self.literal.append(Span(span.end, stop))
        if name == "title" and self.title is None and not self.hidden:
            self.title = " ".join(unescape(self.text[span.end : stop]).split())
        closes = self.text.find(">", stop, end)
        return self.unclosed(stop, f"the tag </{name}", end) if closes < 0 else closes + 1

    def hide(self, name: str, closing: bool, span: Span) -> None:
        if not closing:
            if not (name != "template" and self.text[span.end - 2] == "/"):
                self.hidden.append((name, span.start))
            return
        for depth in range(len(self.hidden) - 1, -1, -1):
            if self.hidden[depth][0] == name:
                del self.hidden[depth:]
                return

    def preformatted(self, closing: bool, attributes: Attributes, span: Span) -> None:
        """`<pre>`: a block of code."""
        if not closing:
            if not self.pre:
                self.end_paragraph(span.start)
                self.code_language, self.code_text = self.language_in(attributes), []
            self.pre.append(("pre", span.start))
        elif self.pre:
            _, start = self.pre.pop()
            if not self.pre:
                self.end_preformatted(start, span.start)
                self.code.clear()

    def end_preformatted(self, start: int, end: int) -> None:
        inner = self.text.index(">", start) + 1
        # The standard drops a line end behind the opening tag.
        text = "".join(self.code_text).replace("\r\n", "\n").removeprefix("\n")
        self.literal.append(Span(inner, end))
        self.running.code_block(inner, end, text, self.code_language)

    def code_element(self, name: str, closing: bool, attributes: Attributes, span: Span) -> None:
        """`<code>` and its like: what is in them cites nothing."""
        if not closing:
            if self.pre:
                self.code_language = self.code_language or self.language_in(attributes)
            elif not self.code:
                self.code_text = []
            self.code.append((name, span.start))
            return
        depth = next((n for n in range(len(self.code) - 1, -1, -1) if self.code[n][0] == name), None)
        if depth is None:
            return
        start = self.code[depth][1]
        del self.code[depth:]
        if not self.code and not self.pre and name in ("code", "tt"):
            inner = self.text.index(">", start) + 1
            self.running.code(inner, span.start, "".join(self.code_text))

    def language_in(self, attributes: Attributes) -> str | None:
        found = _LANGUAGE.search(self.value(attributes["class"])) if "class" in attributes else None
        return found[1] if found else None

    def anchor(self, closing: bool, attributes: Attributes, span: Span) -> None:
        """`<a>`: a link from here to the next tag of an `a`."""
        if self.pre:
            return
        self.end_link(span.end if closing else span.start)
        self.link = None
        if not closing and "href" in attributes:
            ours = "class" in attributes and CITE_CLASS in self.value(attributes["class"]).split()
            href = Span(*attributes["href"])
            self.link = _OpenAnchor(self.value(href).strip(), ours, href, span.start, self.running.index)

    def end_link(self, end: int) -> None:
        """Give the link that is open to the paragraph, as far as it is in it."""
        if self.link is not None:
            whole = Span(self.link.start, end)
            target, ours, address = self.link.target, self.link.ours, self.link.address
            self.running.link(target, LinkForm.ELEMENT, address, whole, self.link.first, self.running.index, ours)

    def end_paragraph(self, at: int) -> None:
        self.end_link(at)
        if self.link is not None:
            self.link.first = 0
        self.running.finish()

    # What Markdown has inside its paragraphs

    def escape(self, at: int, characters: str) -> None:
        """A character that is written with a backslash, or a line end."""
        if self.hidden or self.pre:
            return
        if self.code:
            self.code_text.append(characters)
            self.running.masked(at, characters)
        else:
            self.running.shown(at, characters)

    def code_span(self, start: int, end: int, text: str) -> None:
        if not self.hidden and not self.pre:
            self.running.masked(start, text)
            if not self.code:
                self.running.code(start, end, text)

    def address(self, at: int, address: str) -> None:
        """`<https://…>`."""
        if not self.hidden and not self.pre and not self.code:
            first = self.running.index
            self.running.masked(at, address)
            span = Span(at, at + len(address))
            whole = Span(at - 1, span.end + 1)
            self.running.link(address, LinkForm.BARE, span, whole, first, self.running.index)

    def description(self, at: int, text: str) -> None:
        """The words that stand for an image; they cite nothing."""
        if not self.hidden and not self.pre and not self.code:
            self.running.masked(at, text)

    def inline_tag(self, at: int, end: int) -> None:
        name = _NAME.match(self.text, at + 1 + (self.text[at + 1] == "/"))
        if name and name[0].lower() in RAW:
            self.hide(name[0].lower(), self.text[at + 1] == "/", Span(at, end))
        else:
            self.markup(at, end)

    def inline_comment(self, span: Span) -> None:
        self.comment(span)

    def end_inline(self, at: int) -> None:
        self.end_paragraph(at)

    def finish(self) -> None:
        """End the last paragraph, and note what is still open."""
        self.end_paragraph(len(self.text))
        if self.pre:
            self.end_preformatted(self.pre[0][1], len(self.text))
        self.running.end()
        left = [*self.hidden, *self.code[:1], *self.pre[:1]]
        for name, at in sorted(left, key=lambda one: one[1])[:1]:
            what = "nothing behind it is shown" if name in HIDDEN | RAW else "all that follows is code"
            message = f"<{name}> never ends, so that {what}"
            self.problems.append(Problem(Trouble.UNCLOSED, self.running.lines.place(at), message, f"</{name}>"))


def alone(text: str, marker: Marker) -> bool:
    """Whether there is nothing but blanks beside a marker on its line."""
    before, after = text[marker.line.start : marker.span.start], text[marker.span.end : marker.line.end]
    return not before.strip("\ufeff \t") and not after.strip()


def _raw_end(name: str, text: str, start: int, end: int) -> int | None:
    found = _RAW_END[name].search(text, start, end)
    return found.start() if found else None


def _script_end(text: str, start: int, end: int) -> int | None:
    """Where a script ends: `</script`, but not that of a script inside a comment inside it."""
    commented = inside = False
    at = start
    while found := (_IN_COMMENT if commented else _IN_SCRIPT).search(text, at, end):
        at = found.end()
        if found[0] == "<!--":
            commented = True
            at -= 2  # `<!-->` ends where it begins
        elif found[0] == "-->":
            commented = inside = False
        elif not found["closing"]:
            inside = True
        elif inside:
            inside = False
        else:
            return found.start()
    return None


def read(path: str, text: str, citable: Citable) -> Document:
    """An HTML file."""
    lines = LineStarts(path, text)
    running = Running(text, lines, citable)
    markers = Markers.of(text, lines)
    scanner = Scanner(text, running, markers)
    scanner.scan(text.startswith("\ufeff"), len(text))
    scanner.finish()
    markers.finish()
    problems = [*markers.problems, *scanner.problems, *conflicts(text, lines, scanner.literal)]
    return Document(
        path,
        text,
        "html",
        scanner.language,
        tuple(without_ignored(running.paragraphs, markers.ignored)),
        blocks=tuple(markers.blocks),
        problems=tuple(dict.fromkeys(problems)),
        ignored=tuple(markers.ignored),
        title=scanner.title,
        front=scanner.meta,
    )
