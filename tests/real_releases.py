"""The six releases of vLLM that the registry declares, for tests that compare them.

They are taken from this repository's vendor/ if all are there. Otherwise what is missing is brought as a user would bring
it, by `claimcheck vendor fetch`, into a project of its own in pytest's cache; that is done once for all workers.
"""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import sys
from pathlib import Path

from claimcheck import registry
from claimcheck.project import Project
from claimcheck.sources import Sources

ROOT = Path(__file__).parent.parent
VENDOR = "vllm"


class NotHere(Exception):
    """Some releases are not here and cannot be brought; the text says which and why."""


def declared() -> tuple[str, ...]:
    return tuple(release.version for release in registry.load(Project.find(ROOT)).vendors[VENDOR].releases)


def missing(root: Path) -> list[str]:
    """The declared releases that a project has not."""
    with Sources(root, registry.load(Project.find(ROOT)).vendors) as sources:
        here = sources.state(VENDOR).releases
    return [version for version in declared() if version not in here]


def all_of_them(cache: Path) -> Path:
    """Our own bare copy with all the releases, to be copied from; raises NotHere."""
    if not missing(ROOT):
        return ROOT / "vendor" / f"{VENDOR}.git"
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        copy = cache / "vendor" / f"{VENDOR}.git"
        shutil.copy(ROOT / "anchors.yaml", cache)
        ours = ROOT / "vendor" / f"{VENDOR}.git"
        if ours.exists() and not copy.exists():
            shutil.copytree(ours, copy)
        for version in missing(cache):
            fetch = [sys.executable, "-m", "claimcheck", "vendor", "fetch", VENDOR, f"release/{version}"]
            done = subprocess.run(fetch, cwd=cache, capture_output=True, text=True, check=False)
            if done.returncode:
                raise NotHere(f"{VENDOR} {version} is not here: {done.stderr.strip()}")
    return copy
