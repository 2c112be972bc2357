"""A change to a file of the project, as data: it can be shown, checked or written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from claimcheck.values import frozen


@frozen(order=True)
class Edit:
    """Replace the code points `start` to `end` of a file's text by `text`."""

    start: int
    end: int
    text: str


@frozen
class FileChange:
    """A file's whole content before and after; `before` is None for a file that does not exist yet.

    Both are bytes, so that line ends, encoding mark and final newline are what they are. `project.write`
    refuses when the file no longer holds `before`.
    """

    path: str
    before: bytes | None
    after: bytes

    @property
    def changes(self) -> bool:
        return self.before != self.after


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made; they must not overlap."""
    pieces: list[str] = []
    done = 0
    for edit in sorted(edits):
        if edit.start < done:
            raise ValueError(f"edits overlap at {edit.start}")
        pieces += (text[done : edit.start], edit.text)
        done = edit.end
    return "".join(pieces) + text[done:]


def unified_diff(changes: Sequence[FileChange]) -> str:
    """The changes as `diff -u` shows them, with `a/` and `b/` paths."""
    import difflib

    out: list[str] = []
    for change in changes:
        before = _with_ends((change.before or b"").decode("utf-8", "replace"))
        after = _with_ends(change.after.decode("utf-8", "replace"))
        source = "/dev/null" if change.before is None else f"a/{change.path}"
        for line in difflib.unified_diff(before, after, source, f"b/{change.path}"):
            out.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(out)


def _with_ends(text: str) -> list[str]:
    """The lines of a text with their LF; other characters that Unicode calls line ends stay inside a line."""
    lines = text.split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])
