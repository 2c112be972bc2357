"""What the course's checks say at the releases, how good they are, and how long its history takes.

Needs the vendors (`claimcheck vendor sync`); the history is looked at where at least two releases of vLLM are here. Prints
what the README says, and with --json FILE writes the same as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLAIMCHECK = str(Path(sys.executable).parent / "claimcheck")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    figures = {"claims": claims(), "mutation": mutation(), "history": history()}
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def said(*arguments: str, environment: dict[str, str] | None = None) -> str:
    """What claimcheck prints; an exit code of 1 is an answer, too."""
    done = subprocess.run(
        [CLAIMCHECK, *arguments], cwd=ROOT, capture_output=True, text=True, env=environment, check=False
    )
    if done.returncode > 1:
        raise SystemExit(f"claimcheck {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def claims() -> dict[str, int]:
    """How many claims hold, hold with caveats, fail, are unverified; waived ones by what their own checks say."""
    found = json.loads(said("verify", "--at", "release", "--format", "json"))
    counts = Counter(claim["status"] for claim in found["claims"])
    checks = Counter(check["status"] for claim in found["claims"] for check in claim["checks"])
    print(f"claims at the releases: {', '.join(f'{count} {status}' for status, count in sorted(counts.items()))}")
    print(f"checks at the releases: {', '.join(f'{count} {status}' for status, count in sorted(checks.items()))}")
    return {**counts, **{f"checks {status}": count for status, count in checks.items()}}


def mutation() -> dict[str, object]:
    """The mutation score of the course."""
    began = time.perf_counter()
    found = json.loads(said("mutate", "--at", "release", "--format", "json"))
    summary: dict[str, object] = found["summary"]
    seconds = time.perf_counter() - began
    print(
        f"mutation score {100 * float(str(summary['score'])):.1f} %: {summary['noticed']} of {summary['changes']} changes "
        f"noticed, {summary['claims']} claims, {seconds:.0f} s (target >= 80 %)"
    )
    return {**summary, "seconds": round(seconds, 1)}


def history() -> dict[str, float]:
    """The seconds that the history of the whole course takes, for the first time and again."""
    with tempfile.TemporaryDirectory(prefix="claimcheck-bench-") as folder:
        environment = {**os.environ, "XDG_CACHE_HOME": folder}
        seconds = []
        for _ in range(2):
            began = time.perf_counter()
            found = json.loads(said("history", "--releases", "--format", "json", environment=environment))
            seconds.append(time.perf_counter() - began)
    vllm = next(vendor for vendor in found["vendors"] if vendor["name"] == "vllm")
    count = len(vllm["revisions"])
    print(
        f"history of the whole course over {count} releases of vLLM: {seconds[0]:.1f} s, again {seconds[1]:.1f} s "
        f"({seconds[0] / seconds[1]:.0f} times as fast; targets for six: < 30 s, 5 times)"
    )
    return {"releases": count, "first": round(seconds[0], 2), "again": round(seconds[1], 2)}


if __name__ == "__main__":
    main()
