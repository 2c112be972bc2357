"""Questions about a user's clone: is all of a commit here, does the work tree differ, where was it cloned from.

Git is asked without the clone's configuration, only to tell people something; no text is ever read this way.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from claimcheck.git.places import ObjectDirectory, PlaceKind
from claimcheck.git.program import EMPTY_REPOSITORY, GitFailed, reading_environment, run_git

SECONDS = 60.0
MOST_PRINTED = 32 * 1024 * 1024


def is_whole(places: Sequence[ObjectDirectory], commit: str) -> bool:
    """Whether all files of a commit are here; a partial clone can have the commit and lack them."""
    first, *others = places
    environment = reading_environment(
        {
            "GIT_OBJECT_DIRECTORY": str(first.objects),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.pathsep.join(str(place.objects) for place in others),
        }
    )
    arguments = ("rev-list", "--objects", "--no-walk", "--missing=print", commit)
    try:
        listed = run_git(EMPTY_REPOSITORY, *arguments, environment=environment, seconds=SECONDS, limit=MOST_PRINTED)
    except GitFailed:
        return False
    return not re.search(rb"^\?", listed, re.MULTILINE)


def has_changes(place: ObjectDirectory, work_tree: Path) -> bool:
    """Whether files of a work tree differ from the clone's index; False where that cannot be told.

    Submodules are not looked into: git would run there with their configuration.
    """
    if place.kind is PlaceKind.BARE:
        return False
    environment = reading_environment(
        {
            "GIT_OBJECT_DIRECTORY": str(place.objects),
            "GIT_INDEX_FILE": str(place.head_dir / "index"),
            "GIT_WORK_TREE": str(work_tree),
        }
    )
    # With `--numstat` contents decide: in a copied clone every file has another time than the index says.
    arguments = ("diff-files", "--numstat", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
    try:
        return bool(run_git(EMPTY_REPOSITORY, *arguments, environment=environment, seconds=SECONDS, limit=MOST_PRINTED))
    except GitFailed:
        return False


def origin(place: ObjectDirectory) -> str | None:
    """The address that a repository was cloned from, as its configuration has it; includes are not followed."""
    config = str(place.common_dir / "config")
    try:
        said = run_git(EMPTY_REPOSITORY, "config", "--file", config, "--no-includes", "--get", "remote.origin.url")
    except GitFailed:
        return None
    return said.decode("utf-8", "replace").strip() or None
