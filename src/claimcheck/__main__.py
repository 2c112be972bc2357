"""Where a run begins: the console script, and `python -I -m claimcheck`, which does not look into the current folder."""

from __future__ import annotations

import gc
import signal


def main() -> None:
    """Load the command line and run it."""
    # Modules and a registry of ten thousand anchors are many small values that stay; looking through them again and
    # again for cycles took a third of the time.
    gc.set_threshold(100_000, 50, 50)
    # Until it is loaded there is nothing to undo or to say: whoever interrupts gets no traceback.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from claimcheck import cli

    cli.main()


if __name__ == "__main__":
    main()
