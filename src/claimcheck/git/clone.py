"""Questions about a user's clone: is all of a commit here, was it pushed, does the work tree differ, where is it from.

Git is asked without the clone's configuration, only to tell people something; no text is ever read this way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from claimcheck.git.places import ObjectDirectory, PlaceKind, published
from claimcheck.git.program import EMPTY_REPOSITORY, GitFailed, reading_environment, run_git
from claimcheck.git.reader import places_environment

SECONDS = 60.0
MOST_PRINTED = 32 * 1024 * 1024

# Every `verify` asks this, for one warning; where history is so long that it takes more, nobody is told.
PUSHED_SECONDS = 2.0


def is_whole(places: Sequence[ObjectDirectory], commit: str) -> bool:
    """Whether all files of a commit are here; a partial clone can have the commit and lack them."""
    environment = reading_environment(places_environment(places))
    arguments = ("rev-list", "--objects", "--no-walk", "--missing=print", commit)
    try:
        listed = run_git(EMPTY_REPOSITORY, *arguments, environment=environment, seconds=SECONDS, limit=MOST_PRINTED)
    except GitFailed:
        return False
    return not re.search(rb"^\?", listed, re.MULTILINE)


def unpublished(place: ObjectDirectory, commits: Sequence[str]) -> tuple[str, ...]:
    """Those of some commits that neither a remote-tracking branch nor a tag of a clone leads to.

    Nothing where that cannot be told: there are no remote-tracking branches, the history is cut or too long, or the
    commit is not in this clone.
    """
    known = published(place)
    doubtful = [commit for commit in commits if commit not in known]
    if not known or not doubtful or place.shallow:
        return ()
    wanted = "".join([*(f"{commit}\n" for commit in doubtful), *(f"^{id}\n" for id in known)])
    try:
        listed = run_git(
            EMPTY_REPOSITORY,
            *("rev-list", "--ignore-missing", "--stdin"),
            input=wanted.encode("ascii"),
            environment=reading_environment(places_environment([place])),
            seconds=PUSHED_SECONDS,
            limit=MOST_PRINTED,
        )
    except GitFailed:
        return ()
    alone = set(listed.decode("ascii", "replace").split("\n"))
    return tuple(commit for commit in doubtful if commit in alone)


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
