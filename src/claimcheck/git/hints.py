"""What git says of two commits and what lies between them: renames, differences, the commits that touched lines.

Nothing of it is verified. These are hints: whoever follows one reads and hashes what it leads to.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from functools import lru_cache

from claimcheck.git.following import Followed, follow, renamed_pairs
from claimcheck.git.program import COMPARING_MEMORY, EMPTY_REPOSITORY, GitFailed, GitOutput, git_output
from claimcheck.git.reader import ObjectProblem, Reader
from claimcheck.git.touching import Stretch, Touching, common_ancestor, touching
from claimcheck.model import FULL_ID
from claimcheck.values import frozen

DIFF_SECONDS = 60.0
DIFF_BYTES = 64 * 1024 * 1024
RENAME_LIMIT = 3000
# Which commits touched some lines is good to know, not needed: a question gets some seconds, all together a minute.
TOUCHING_SECONDS = 15.0
TOUCHING_SECONDS_IN_ALL = 60.0

MOST_DIFFERENCES_CACHED = 8
MOST_FOLLOWED_CACHED = 4_000
MOST_ANSWERS_CACHED = 64
LARGEST_ANSWER_CACHED = 512 * 1024


@frozen
class Hints:
    """What git says of two commits, unverified, and `notes` on what it could not say.

    `renames` from old to new path; `touched` has the paths that differ and exist at the new commit, with their blobs.
    """

    renames: Mapping[str, str]
    touched: Mapping[str, str]
    notes: tuple[str, ...] = ()


class GitHints:
    """The hints about the objects of one reader, each asked for once as long as it is likely to be asked again."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._differences = lru_cache(MOST_DIFFERENCES_CACHED)(self._ask_differences)
        self._between = lru_cache(MOST_DIFFERENCES_CACHED)(self._ask_between)
        self._followed = lru_cache(MOST_FOLLOWED_CACHED)(self._ask_follow)
        self._answers: dict[tuple[str, ...], GitOutput] = {}
        self._bases: dict[tuple[str, str], str | None] = {}
        self._touching_left = TOUCHING_SECONDS_IN_ALL

    def differences(self, old: str, new: str) -> Hints:
        """The hints without the renames, for which git has to compare files."""
        return self._differences(old, new)

    def between(self, old: str, new: str) -> Hints:
        """What git says of the way from one commit to the other.

        What git cannot say, because objects are missing or it fails, is left out, with a note.
        """
        return self._between(old, new)

    def _ask_differences(self, old: str, new: str) -> Hints:
        try:
            said = self._differing(old, new, "--no-renames", "--diff-filter=AMT")
        except GitFailed as failed:
            return Hints({}, {}, (f"renames and differences are not known: {failed.reason}",))
        return Hints({}, dict(_touched(said.stdout)))

    def _ask_between(self, old: str, new: str) -> Hints:
        differences = self.differences(old, new)
        if differences.notes:
            return differences
        try:
            said = self._differing(old, new, f"-l{RENAME_LIMIT}", "--find-renames", "--diff-filter=R")
        except GitFailed as failed:
            return Hints({}, differences.touched, (f"renames are not known: {failed.reason}",))
        skipped = "rename detection was skipped" in said.stderr
        notes = ("too many files differ for git to find all renames",) if skipped else ()
        return Hints(dict(renamed_pairs(said.stdout)), differences.touched, notes)

    def _differing(self, old: str, new: str, *how: str) -> GitOutput:
        if not FULL_ID.match(old) or not FULL_ID.match(new):
            raise ValueError("full ids only")
        arguments = ("diff-tree", "-r", "-z", "--no-ext-diff", "--no-textconv", "--no-color", "--no-abbrev", "--raw")
        return self._diff(*arguments, *how, old, new)

    def follow(self, old: str, new: str, path: str) -> Followed:
        """The name at `new` of a file of `old`, through the commits between them."""
        return self._followed(old, new, path)

    def _ask_follow(self, old: str, new: str, path: str) -> Followed:
        if not FULL_ID.match(old) or not FULL_ID.match(new):
            raise ValueError("full ids only")

        def there(name: str) -> bool:
            try:
                return self._reader.entry(new, name) is not None
            except ObjectProblem:
                return False

        return follow(self._remembered, old, new, path, there)

    def touching(self, old: str, new: str, before: Stretch, after: Stretch | None) -> Touching:
        """The commits between two others that touched some lines."""
        if not FULL_ID.match(old) or not FULL_ID.match(new):
            raise ValueError("full ids only")
        try:
            if (old, new) not in self._bases:
                self._bases[old, new] = common_ancestor(self._log, old, new)
        except GitFailed as failed:
            return Touching(note=failed.reason)
        return touching(self._log, old, new, self._bases[old, new], before, after)

    def _log(self, *arguments: str) -> GitOutput:
        if self._touching_left <= 0:
            raise GitFailed(arguments[0], 0, "questions before this one took too long")
        began = time.monotonic()
        try:
            return self._diff(*arguments, seconds=min(TOUCHING_SECONDS, self._touching_left))
        finally:
            self._touching_left -= time.monotonic() - began

    def _diff(self, *arguments: str, seconds: float = DIFF_SECONDS) -> GitOutput:
        return git_output(
            EMPTY_REPOSITORY,
            *arguments,
            environment=self._reader.environment,
            seconds=seconds,
            limit=DIFF_BYTES,
            memory=COMPARING_MEMORY,
        )

    def _remembered(self, *arguments: str) -> GitOutput:
        """What git says to a question that another path may ask again: a commit that moves a folder renames many."""
        said = self._answers.pop(arguments, None) or self._diff(*arguments)
        if len(said.stdout) <= LARGEST_ANSWER_CACHED:
            self._answers[arguments] = said
            if len(self._answers) > MOST_ANSWERS_CACHED:
                del self._answers[next(iter(self._answers))]
        return said


def _touched(output: bytes) -> Iterator[tuple[str, str]]:
    """The paths of `diff-tree --raw -z` without renames, each with the id that it has at the new commit."""
    fields = output.split(b"\0")
    for meta, path in zip(fields[0::2], fields[1::2], strict=False):
        if meta.startswith(b":"):
            yield path.decode("utf-8", "surrogateescape"), meta.split()[3].decode("ascii")
