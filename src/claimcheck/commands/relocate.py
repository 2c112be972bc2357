"""`claimcheck relocate --batch`: the engine alone, questions and answers as JSON Lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import BinaryIO

import click

from claimcheck.commands.options import Settings, common_options, echo
from claimcheck.errors import UsageError
from claimcheck.terminal import visible


@click.command()
@click.option("--batch", metavar="FILE", required=True, help="The questions as JSON Lines; - is standard input.")
@click.option("--workers", metavar="N", type=click.IntRange(1, 64), default=1, help="Processes that work side by side.")
@common_options
def relocate(batch: str, workers: int, settings: Settings) -> int:
    """Re-find line ranges of files at other commits, without a project.

    \b
    A question: {"id", "repo", "from", "to", "path", "lines": [first, last], "find": [...]?}
    An answer:  {"id", "outcome", "path", "lines", "confidence", "evidence", "seconds"} or {"id", "error"}

    `repo` is a folder with a git repository, taken on trust; `from` and `to` are full commit ids. The answers come in
    the order of the questions, each as soon as it is known. The exit code is 1 if a question could not be answered.

    \b
    Examples:
      claimcheck relocate --batch questions.jsonl
      claimcheck relocate --batch questions.jsonl --workers 4
      ask | claimcheck relocate --batch -
    """
    failed = False
    with ExitStack() as stack:
        for answer in _answered(_lines(stack, batch), workers):
            failed = failed or "error" in json.loads(answer)
            echo(answer)
    return 1 if failed else 0


def _answered(lines: Iterator[str], workers: int) -> Iterator[str]:
    from claimcheck.batch import answer_chunk, answer_lines, chunks, lost_chunk

    if workers == 1:
        yield from answer_lines(lines)
        return
    from claimcheck.workers import in_order

    for chunk in in_order(answer_chunk, lost_chunk, chunks(lines), workers):
        yield from chunk


def _lines(stack: ExitStack, batch: str) -> Iterator[str]:
    """The lines of a file or of standard input, each as soon as it is there."""
    if batch == "-":
        stream: BinaryIO = sys.stdin.buffer
    else:
        try:
            stream = stack.enter_context(open(batch, "rb"))  # noqa: SIM115
        except OSError as problem:
            raise UsageError(f"{visible(batch)} cannot be read: {problem.strerror}") from problem
    return (line.decode("utf-8", "replace") for line in iter(stream.readline, b""))
