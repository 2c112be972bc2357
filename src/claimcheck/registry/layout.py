"""Where lines, indentations, comments and entries begin and end in a YAML text.

What belongs to an entry when it is removed or when another is put behind it: its key and value, the comment behind
them, comment lines below that are indented deeper than its key, and, for removing, the comment lines right above
that are indented like its key, up to the first blank line.
"""

from __future__ import annotations

from claimcheck.registry.yaml_nodes import Node, Scalar
from claimcheck.values import frozen


@frozen
class Layout:
    """Positions in a text, as code points from its start."""

    source: str

    def line_start(self, at: int) -> int:
        return self.source.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        """The end of the line of a position, before its LF or CRLF."""
        end = self.source.find("\n", at)
        if end < 0:
            return len(self.source)
        return end - 1 if end > at and self.source[end - 1] == "\r" else end

    def next_line(self, at: int) -> int:
        end = self.source.find("\n", at)
        return len(self.source) if end < 0 else end + 1

    def newline(self, at: int) -> str:
        """The line end that is used around a position."""
        end = self.source.find("\n", at)
        end = self.source.rfind("\n", 0, at) if end < 0 else end
        return "\r\n" if end > 0 and self.source[end - 1] == "\r" else "\n"

    def indent(self, at: int) -> str:
        return " " * (at - self.line_start(at))

    def line(self, start: int) -> str:
        return self.source[start : self.line_end(start)]

    def entry_end(self, name: Scalar, below: Node) -> int:
        """The end of an entry's last line; comment lines below it that are indented deeper belong to it."""
        end = self.line_end(max(name.end, below.end))
        column = len(self.indent(name.start))
        while True:
            start = self.next_line(end)
            line = self.line(start)
            body = line.lstrip(" ")
            if start <= end or not body.startswith("#") or len(line) - len(body) <= column:
                return end
            end = self.line_end(start)

    def comments_above(self, at: int) -> int:
        """The start of the comment lines right above a key that are indented like it, or of its own line."""
        start = self.line_start(at)
        indent = self.source[start:at]
        while start > 0:
            above = self.line_start(start - 1)
            if not self.line(above).startswith(f"{indent}#"):
                break
            start = above
        return start

    def is_blank_line(self, start: int) -> bool:
        return start < len(self.source) and not self.line(start).strip()

    def before_blank_lines(self, start: int) -> int:
        """The start of the blank lines that stand before a line, or of the line itself."""
        while start > 0 and self.is_blank_line(self.line_start(start - 1)):
            start = self.line_start(start - 1)
        return start
