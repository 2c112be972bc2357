"""What a history found before, kept in the user's own cache folder: never a file of the project, never needed.

An answer is kept with the ids of the contents that were read for it. It is taken again for every revision at which those
paths have the same contents; what depends on a whole commit only for that commit. A folder that cannot be read or
written, or a file that makes no sense, is as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from claimcheck import __version__

FORMAT = 1
MOST_ANSWERS_A_KEY = 64
LARGEST = 64 * 1024 * 1024

Json = dict[str, object]
BlobOf = Callable[[str], str | None]


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Where users keep what can be made again; None without a home."""
    if folder := environment.get("XDG_CACHE_HOME"):
        return Path(folder) / "claimcheck" if os.path.isabs(folder) else None
    home = environment.get("HOME")
    return Path(home) / ".cache" / "claimcheck" if home and os.path.isabs(home) else None


def key_of(*parts: object) -> str:
    """A key for everything that an answer depends on beside the files of the revision."""
    return hashlib.sha256(repr((FORMAT, __version__, parts)).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass
class Memory:
    """Answers by key; `path` is None for a memory that forgets."""

    path: Path | None = None
    _answers: dict[str, list[Json]] = field(default_factory=dict)
    _changed: bool = False

    @classmethod
    def open(cls, name: str, folder: Path | None) -> Memory:
        """The memory of one vendor, as far as there is one."""
        if folder is None:
            return cls()
        path = folder / "history" / f"{name}.json"
        try:
            if path.stat().st_size > LARGEST:
                return cls(path)
            found = json.loads(path.read_bytes())
        except (OSError, ValueError):
            return cls(path)
        kept = found.get("answers") if isinstance(found, dict) and found.get("format") == FORMAT else None
        return cls(path, kept if isinstance(kept, dict) else {})

    def find(self, key: str, commit: str, blob_of: BlobOf) -> object | None:
        """The answer that was found from the same contents, if there is one."""
        for kept in self._answers.get(key, ()):
            files, of = kept.get("files"), kept.get("commit")
            if of is not None and of != commit:
                continue
            if isinstance(files, dict) and all(blob_of(path) == blob for path, blob in files.items()):
                return kept.get("value")
        return None

    def keep(self, key: str, commit: str | None, files: Mapping[str, str | None], value: object) -> None:
        """Keep an answer with what it was found from; `commit` where it depends on more than these files."""
        answers = self._answers.setdefault(key, [])
        answers.insert(0, {"commit": commit, "files": dict(files), "value": value})
        del answers[MOST_ANSWERS_A_KEY:]
        self._changed = True

    def save(self) -> None:
        """Write it, whole or not at all; the next run does without if that cannot be."""
        if self.path is None or not self._changed:
            return
        content = json.dumps({"format": FORMAT, "answers": self._answers}).encode()
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(dir=self.path.parent)
            try:
                with os.fdopen(handle, "wb") as out:
                    out.write(content)
                os.replace(name, self.path)
            except OSError:
                os.unlink(name)
                raise
