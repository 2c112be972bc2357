"""Waiting for each other: a lock on an open file or folder, which the system takes back when its process dies."""

from __future__ import annotations

import errno
import fcntl

# What file systems say that have no such locks, as some network ones do.
_NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EBADF, errno.EINVAL, errno.ENOSYS})


def try_lock(handle: int) -> bool | None:
    """Whether the lock is ours now, or another process has it; None where the file system has no locks."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _NO_LOCKS:
            return None
        if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
            raise
        return False
    return True
