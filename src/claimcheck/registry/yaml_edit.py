"""Changes to a YAML text by source position: what is not meant to change keeps its bytes.

A YamlEditor reads a text once, gathers changes, and gives the new content. Values keep their quotes, lists their
layout, lines their comments and line ends; nothing is loaded and dumped. Beside the text it changes the data that
the text stands for, and the result is parsed again and compared with that before anybody gets it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from claimcheck.edit import Edit, FileChange, apply
from claimcheck.errors import RegistryError, WriteRefused
from claimcheck.model import Place
from claimcheck.registry import yaml_write
from claimcheck.registry.layout import Layout
from claimcheck.registry.yaml_data import data_of, normal, same
from claimcheck.registry.yaml_nodes import ListNode, MapNode, Node, Path, Scalar, Tree, resolved
from claimcheck.registry.yaml_parse import Unreadable, parse
from claimcheck.registry.yaml_text import BOM, YamlText, decode
from claimcheck.registry.yaml_write import Value, block, flow

_VERSION_COMMENT = re.compile(r"[ \t]*#[ \t]*v?[0-9][\w.+-]*[ \t]*\Z")


class YamlEditor:
    """A YAML mapping that is being changed. Every change is about the text as read, so their order does not matter."""

    def __init__(self, path: str, content: bytes | None) -> None:
        """`content` is None for a file that does not exist yet; raises RegistryError for one that is no YAML."""
        self.path = path
        self._before = content
        text = decode(path, content or b"")
        if not isinstance(text, YamlText):
            raise RegistryError(text)
        self._text = text
        self._source = text.text
        self._layout = Layout(text.text)
        root = self._parse(text)
        self._tree = Tree(root if isinstance(root, MapNode) else MapNode((), 0, 0, False))
        self._expected: dict[str, Any] = data_of(self._tree.root, "")
        self._replaced: dict[tuple[int, int], str] = {}
        self._inserted: dict[int, str] = {}
        self._dropped: dict[Path, set[str | int]] = {}
        self._new: set[Path] = set()
        self._started: dict[str, list[str]] = {}

    def change(self) -> FileChange:
        """The file before and after, after making sure that the new text says what was intended."""
        for path, gone in self._dropped.items():
            self._drop(path, gone)
        self._start_sections()
        edits = [Edit(start, end, text) for (start, end), text in self._replaced.items() if text]
        edits += [Edit(start, end, "") for start, end in self._removed()]
        edits += [Edit(at, at, text) for at, text in self._inserted.items()]
        try:
            after = apply(self._source, edits)
        except ValueError:
            raise self._refused() from None
        content = ((BOM if self._text.bom else "") + after).encode()
        self._compare(content)
        return FileChange(self.path, self._before, content)

    def has(self, *path: str | int) -> bool:
        return self._tree.at(path) is not None

    def keys(self, *path: str | int) -> list[str]:
        """The keys of the mapping at a path, in order; of what is no mapping none."""
        node = self._tree.at(path)
        return [key.value for key, _ in node.entries] if isinstance(node, MapNode) else []

    def value(self, *path: str | int) -> Any:
        """The value at a path as plain data, with the changes made so far."""
        here: Any = self._expected
        for part in path:
            here = here[part]
        return here

    def scalars(self, *path: str | int) -> Iterable[tuple[Path, str]]:
        """The paths and texts of all scalars at and below a path."""
        node = self._tree.at(path)
        return _scalars(node, path) if node is not None else ()

    def set_scalar(self, path: Path, text: str, *, version: str | None = None) -> None:
        """Replace one scalar, in its quotes. `version` replaces a comment behind it that names a version only."""
        node = self._tree.at(path)
        if not isinstance(node, Scalar):
            raise self._refused(path)
        if node.value != text or resolved(node) != "str":
            source = self._source[node.start : node.end]
            new = yaml_write.in_the_style_of(source, text, flow=self._in_flow(path)) if source else ""
            self._replace(node.start, node.end, new or " " + yaml_write.scalar(text, flow=self._in_flow(path)))
            self._put(path, text)
        if version is not None and not self._in_flow(path):
            self._set_version_comment(node.end, version)

    def set_range(self, path: Path, text: str) -> None:
        """Replace a line range, which is no number although it may be digits alone."""
        node = self._tree.at(path)
        if not isinstance(node, Scalar):
            raise self._refused(path)
        if node.value != text:
            source = self._source[node.start : node.end]
            quote = source[0] if source[:1] in ("'", '"') else ""
            self._replace(node.start, node.end, f"{quote}{text}{quote}")
            self._put(path, text)

    def set_list(self, path: Path, key: str, texts: Sequence[str], *, after: Sequence[str]) -> None:
        """Make the texts the value of a key: only items that differ are touched; without texts the key goes."""
        parent = self._tree.at(path)
        node = self._tree.at((*path, key))
        write = (lambda text, _: text) if key == "lines" else (lambda text, flow: yaml_write.scalar(text, flow=flow))
        if not texts:
            if node is not None:
                self.remove_key(path, key)
        elif node is None or parent is None:
            value = [int(text) if key == "lines" and text.isdigit() else text for text in texts]
            self.insert_key(path, key, value if len(value) > 1 else value[0], after=after)
        elif isinstance(node, ListNode):
            self._set_items((*path, key), node, texts, write)
        elif not isinstance(node, Scalar):
            raise self._refused((*path, key))
        elif len(texts) == 1:
            (self.set_range if key == "lines" else self.set_scalar)((*path, key), texts[0])
        else:
            self._replace(node.start, node.end, "[" + ", ".join(write(text, True) for text in texts) + "]")
            self._put((*path, key), list(texts))

    def insert_key(
        self, path: Path, key: str, value: Value, *, after: Sequence[str], comment: str | None = None
    ) -> None:
        """Add a key to a mapping, behind the last of the keys `after` that it has, or else behind its last key."""
        parent = self._tree.at(path)
        if not isinstance(parent, MapNode) or not parent.entries:
            raise self._refused(path)
        names = [name.value for name, _ in parent.entries]
        behind = max((names.index(name) for name in after if name in names), default=len(names) - 1)
        anchor_key, anchor_value = parent.entries[behind]
        if parent.flow:
            self._insert(max(anchor_value.end, anchor_key.end), f", {flow({key: value})[1:-1]}")
        else:
            indent = self._layout.indent(parent.entries[0][0].start)
            lines = block({key: value}, step=2, depth=1)
            if comment:
                lines[0] += f"  # {comment}"
            self._insert_lines(self._layout.line_end(anchor_value.end), [indent + line for line in lines])
        self._put_behind(path, names[behind], key, normal(value, key))

    def remove_key(self, path: Path, key: str) -> None:
        """Remove a key with its value and the comment behind it; comment lines around it stay."""
        parent = self._tree.at(path)
        if not isinstance(parent, MapNode) or self._tree.at((*path, key)) is None:
            raise self._refused((*path, key))
        if parent.flow:
            self._dropped.setdefault(path, set()).add(key)
        else:
            self._remove_block_key(parent, key)
        del self.value(*path)[key]

    def insert_entry(self, section: Path, key: str, value: Mapping[str, Value], *, after: str | None = None) -> None:
        """Add an entry to a section in the layout of its neighbour: behind `after`, or behind the last one."""
        node = self._tree.at(section)
        if not isinstance(node, MapNode) or not node.entries:
            self._first_entry(section, key, value)
            return
        names = [name.value for name, _ in node.entries]
        neighbour = names.index(after) if after in names else len(names) - 1
        name, below = node.entries[neighbour]
        if node.flow:
            self._insert(max(below.end, name.end), f", {flow({key: value})[1:-1]}")
        else:
            lines = self._like(name, below, key, value)
            gap = [""] if self._blank_around(node, neighbour) else []
            self._insert_lines(self._layout.entry_end(name, below), gap + lines)
        self._put_behind(section, names[neighbour], key, normal(value, key))

    def insert_first(self, path: Path, key: str, text: str) -> None:
        """Add a key with a text in front of a mapping's first key."""
        node = self._tree.at(path)
        if not isinstance(node, MapNode) or not node.entries:
            raise self._refused(path)
        first = node.entries[0][0].start
        pair = f"{yaml_write.scalar(key, flow=node.flow)}: {yaml_write.scalar(text, flow=node.flow)}"
        self._insert(first, pair + (", " if node.flow else self._layout.newline(first) + self._layout.indent(first)))
        mapping = self.value(*path)
        rest = dict(mapping)
        mapping.clear()
        mapping.update({key: text}, **rest)

    def remove_entry(self, section: Path, key: str) -> None:
        """Remove an entry with the comments that belong to it, and a blank line that would be one too many."""
        node = self._tree.at(section)
        name, below = self._tree.key((*section, key)), self._tree.at((*section, key))
        if not isinstance(node, MapNode) or name is None or below is None:
            raise self._refused((*section, key))
        if node.flow:
            self._dropped.setdefault(section, set()).add(key)
        else:
            start = self._layout.comments_above(name.start)
            self._remove_lines(start, self._layout.entry_end(name, below), blank=True, first=name is node.entries[0][0])
        del self.value(*section)[key]

    def rename_key(self, path: Path, new: str) -> None:
        """Give an entry another key; its place and value stay."""
        parent = self._tree.at(path[:-1])
        if not isinstance(parent, MapNode):
            raise self._refused(path)
        key = self._tree.key(path)
        if key is None:
            raise self._refused(path)
        source = self._source[key.start : key.end]
        self._replace(key.start, key.end, yaml_write.in_the_style_of(source, new, flow=parent.flow))
        mapping = self.value(*path[:-1])
        renamed = {new if name == path[-1] else name: value for name, value in mapping.items()}
        mapping.clear()
        mapping.update(renamed)

    # Positions

    def _in_flow(self, path: Path) -> bool:
        above = [self._tree.at(path[:length]) for length in range(len(path))]
        return any(isinstance(node, (ListNode, MapNode)) and node.flow for node in above)

    def _blank_around(self, node: MapNode, n: int) -> bool:
        """Whether a blank line stands before or behind an entry of a block mapping."""
        name, below = node.entries[n]
        start = self._layout.comments_above(name.start)
        before = n > 0 and start > 0 and self._layout.is_blank_line(self._layout.line_start(start - 1))
        end = self._layout.next_line(self._layout.entry_end(name, below))
        return before or (n + 1 < len(node.entries) and self._layout.is_blank_line(end))

    # Making edits

    def _replace(self, start: int, end: int, text: str) -> None:
        self._replaced[start, end] = text

    def _insert(self, at: int, text: str) -> None:
        self._inserted[at] = self._inserted.get(at, "") + text

    def _insert_lines(self, line_end: int, lines: Iterable[str]) -> None:
        newline = self._layout.newline(line_end)
        self._insert(line_end, "".join(newline + line for line in lines))

    def _remove_lines(self, start: int, end: int, *, blank: bool = False, first: bool = False) -> None:
        """Remove whole lines, from the start of one to the end of another.

        With `blank` the blank lines behind them go too where the lines before would do: a blank one, or, for the
        `first` entry, its section's.
        """
        after = self._layout.next_line(end)
        before_is_blank = start > 0 and self._layout.is_blank_line(self._layout.line_start(start - 1))
        if blank and (before_is_blank or first):
            while self._layout.is_blank_line(after):
                after = self._layout.next_line(after)
        if blank and after == len(self._source):
            start = self._layout.before_blank_lines(start)
        self._replace(start, after, "")

    def _remove_block_key(self, parent: MapNode, key: str) -> None:
        n = [name.value for name, _ in parent.entries].index(key)
        name, below = parent.entries[n]
        start = self._layout.line_start(name.start)
        if self._source[start : name.start].strip():
            # The first key stands behind a list item's dash: the next one moves up to it.
            if n + 1 == len(parent.entries):
                raise self._refused()
            self._replace(name.start, parent.entries[n + 1][0].start, "")
        else:
            self._remove_lines(start, self._layout.line_end(max(name.end, below.end)))

    def _drop(self, path: Path, gone: set[str | int]) -> None:
        """Remove items of a collection on one line, each run of them with the commas that separated it."""
        node = self._tree.at(path)
        spans: list[tuple[str | int, int, int]] = []
        if isinstance(node, MapNode):
            spans = [(name.value, name.start, max(name.end, value.end)) for name, value in node.entries]
        elif isinstance(node, ListNode):
            spans = [(n, item.start, item.end) for n, item in enumerate(node.items)]
        kept_end: int | None = None
        run: list[tuple[int, int]] = []
        for key, start, end in spans:
            if key in gone:
                run.append((start, end))
                continue
            if run:
                self._drop_run(run, kept_end, start)
            run, kept_end = [], end
        if run:
            self._drop_run(run, kept_end, None)

    def _drop_run(self, run: list[tuple[int, int]], kept_end: int | None, next_start: int | None) -> None:
        if kept_end is not None:
            self._replace(kept_end, run[-1][1], "")
        else:
            self._replace(run[0][0], next_start if next_start is not None else run[-1][1], "")

    def _set_items(self, path: Path, node: ListNode, texts: Sequence[str], write: Any) -> None:
        if not all(isinstance(item, Scalar) for item in node.items):
            raise self._refused(path)
        old = [item.value for item in node.items if isinstance(item, Scalar)]
        set_one = self.set_range if path[-1] == "lines" else self.set_scalar
        for tag, i, i_end, j, j_end in SequenceMatcher(None, old, list(texts), autojunk=False).get_opcodes():
            if tag == "equal":
                continue
            both = min(i_end - i, j_end - j)
            for n in range(both):
                set_one((*path, i + n), texts[j + n])
            for n in range(i + both, i_end):
                self._remove_item(path, node, n)
            self._insert_items(node, i + both, [write(text, node.flow) for text in texts[j + both : j_end]])
        self._put(path, list(texts))

    def _remove_item(self, path: Path, node: ListNode, n: int) -> None:
        item = node.items[n]
        if node.flow:
            self._dropped.setdefault(path, set()).add(n)
        else:
            self._remove_lines(self._layout.line_start(item.start), self._layout.line_end(item.end))

    def _insert_items(self, node: ListNode, at: int, written: Sequence[str]) -> None:
        """Put items before the one at an index, or behind the last."""
        if not written:
            return
        if node.flow:
            if at == 0:
                self._insert(node.items[0].start if node.items else node.start + 1, ", ".join(written) + ", ")
            else:
                self._insert(node.items[at - 1].end, "".join(f", {text}" for text in written))
            return
        first = node.items[0].start
        dash = self._source[self._layout.line_start(first) : first]
        if dash.strip() != "-":
            raise self._refused()
        if at == 0:
            newline = self._layout.newline(first)
            self._insert(self._layout.line_start(first), "".join(f"{dash}{text}{newline}" for text in written))
        else:
            self._insert_lines(self._layout.line_end(node.items[at - 1].end), [f"{dash}{text}" for text in written])

    def _set_version_comment(self, value_end: int, version: str) -> None:
        end = self._layout.line_end(value_end)
        behind = self._source[value_end:end]
        if not behind.strip():
            self._insert(value_end, f"  # {version}")
        elif _VERSION_COMMENT.match(behind):
            hash = behind.index("#")
            self._replace(value_end + hash, value_end + len(behind.rstrip()), f"# {version}")

    def _first_entry(self, section: Path, key: str, value: Mapping[str, Value]) -> None:
        """An entry in a section that is missing or empty; its lines are put down when all are known."""
        name = str(section[-1])
        lines = [f"  {line}" for line in block({key: value}, step=2)]
        self._started.setdefault(name, []).extend(lines)
        self._expected[name] = self._expected.get(name) or {}
        self._expected[name][key] = normal(value, key)

    def _start_sections(self) -> None:
        new: list[str] = []
        for name, lines in self._started.items():
            key, empty = self._tree.key((name,)), self._tree.at((name,))
            if key is None or empty is None:
                new += [f"{name}:", *lines]
                continue
            if empty.end > key.end + 1:
                self._replace(key.end + 1, empty.end, "")
            self._insert_lines(self._layout.line_end(max(empty.end, key.end)), lines)
        if not new:
            return
        end = len(self._source.rstrip("\r\n")) if self._source.strip() else 0
        newline = self._layout.newline(end)
        body = newline.join(new)
        self._insert(end, newline + body if end else body + ("" if self._source else newline))

    def _removed(self) -> list[tuple[int, int]]:
        """What is removed, with removals that touch each other's blank lines joined."""
        joined: list[tuple[int, int]] = []
        for start, end in sorted(span for span, text in self._replaced.items() if not text):
            if joined and start <= joined[-1][1]:
                joined[-1] = joined[-1][0], max(end, joined[-1][1])
            else:
                joined.append((start, end))
        if joined and joined[-1][1] == len(self._source):
            start = self._new_end(joined.pop()[0])
            while joined and joined[-1][1] >= start:
                start = self._new_end(joined.pop()[0])
            joined.append((start, len(self._source)))
        return joined

    def _new_end(self, start: int) -> int:
        """Where the text is to end when it goes from a position on: without blank lines, with a line end if it had one."""
        if start == 0 or start != self._layout.line_start(start):
            return start
        start = self._layout.before_blank_lines(start)
        return (
            start
            if self._source.endswith("\n") or not start
            else self._layout.line_end(self._layout.line_start(start - 1))
        )

    def _like(self, name: Scalar, below: Node, key: str, value: Mapping[str, Value]) -> list[str]:
        """The lines of a new entry in the layout of a neighbour: on one line, or indented as it is."""
        indent = self._layout.indent(name.start)
        if isinstance(below, MapNode) and below.flow and "\n" not in self._source[below.start : below.end]:
            return [f"{indent}{yaml_write.scalar(key)}: {flow(value)}"]
        step = 2
        if isinstance(below, MapNode) and not below.flow and below.entries:
            step = max(len(self._layout.indent(below.entries[0][0].start)) - len(indent), 1)
        return [indent + line for line in block({key: value}, step=step)]

    # The data that the new text must stand for

    def _put(self, path: Path, value: Any) -> None:
        here = self.value(*path[:-1])
        if isinstance(here, list) and len(path) > 1 and path[-2] == "lines":
            value = str(value)
        here[path[-1]] = normal(value, path[-1])

    def _put_behind(self, path: Path, behind: str, key: str, value: Any) -> None:
        mapping = self.value(*path)
        names = list(mapping)
        # Several entries put behind the same one stand in the order in which they came.
        place = names.index(behind) + 1 if behind in names else len(names)
        while place < len(names) and (*path, names[place]) in self._new:
            place += 1
        items = list(mapping.items())
        items.insert(place, (key, value))
        mapping.clear()
        mapping.update(items)
        self._new.add((*path, key))

    def _compare(self, content: bytes) -> None:
        text = decode(self.path, content)
        if not isinstance(text, YamlText):
            raise self._refused()
        try:
            parsed = parse(text)
        except Unreadable:
            raise self._refused() from None
        root = parsed.root or MapNode((), 0, 0, False)
        if parsed.refused or not same(data_of(root, ""), self._expected):
            raise self._refused()

    def _parse(self, text: YamlText) -> Node | None:
        try:
            return parse(text).root
        except Unreadable as error:
            raise RegistryError([error.finding]) from None

    def _refused(self, path: Path = ()) -> WriteRefused:
        node = self._tree.at(path) if path else None
        place = self._text.place(node.start) if node else Place(self.path)
        what = ".".join(str(part) for part in path) or "this"
        return WriteRefused(
            f"{what} is written in a way that cannot be changed in place; nothing was written",
            place=place,
            help="change it by hand, or write it in the usual form first",
        )


def _scalars(node: Node, path: Path) -> Iterable[tuple[Path, str]]:
    if isinstance(node, Scalar):
        yield path, node.value
    elif isinstance(node, ListNode):
        for n, item in enumerate(node.items):
            yield from _scalars(item, (*path, n))
    else:
        for key, value in node.entries:
            yield from _scalars(value, (*path, key.value))
