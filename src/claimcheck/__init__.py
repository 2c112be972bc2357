"""claimcheck keeps writing about other people's code true."""

__version__ = "0.1.0"
