"""`python -I -m claimcheck`; the console script is the usual way, which does not look into the current folder."""

from claimcheck.cli import main

if __name__ == "__main__":
    main()
