"""The engine alone: questions as JSON Lines, each with a folder, two commits, a path and a range; answers in order.

A question: `{"id", "repo", "from", "to", "path", "lines": [first, last], "find": [...]?}`. An answer: `{"id", "outcome",
"path", "lines", "confidence", "evidence", "seconds"}`, with null for path and lines where no place is the answer; or
`{"id", "error"}` for a question that cannot be asked. One bad question does not stop the others.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator

from claimcheck.clones import Clones
from claimcheck.errors import EnvironmentProblem
from claimcheck.model import FULL_ID, Anchor, Lines, Region
from claimcheck.outcome import Outcome, spot_of
from claimcheck.relocate import relocate
from claimcheck.syntax import keep_outlines
from claimcheck.terminal import printable
from claimcheck.texts import NoSource
from claimcheck.values import frozen

MOST_LINES = 10_000_000
LARGEST_CHUNK = 32
OUTLINES_KEPT = 40 << 20  # those of the file that is asked about, and of some others in which it may be now
REQUIRED = ("id", "repo", "from", "to", "path", "lines")


@frozen
class Question:
    id: object
    folder: str
    old: str
    new: str
    path: str
    lines: Lines
    find: tuple[str, ...] = ()


@frozen
class Answer:
    question: Question
    outcome: Outcome
    seconds: float

    def as_json(self) -> dict[str, object]:
        spot = spot_of(self.outcome)
        return {
            "id": self.question.id,
            "outcome": self.outcome.name,
            "path": spot.path if spot else None,
            "lines": [spot.lines.first, spot.lines.last] if spot else None,
            "confidence": self.outcome.confidence,
            "evidence": getattr(self.outcome, "reason", "") or self.outcome.evidence,
            "seconds": round(self.seconds, 4),
        }


@frozen
class NoAnswer:
    id: object
    error: str

    def as_json(self) -> dict[str, object]:
        return {"id": self.id, "error": self.error}


def parse_question(line: str) -> Question | NoAnswer:
    """A line of input, or what is wrong with it."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as problem:
        return NoAnswer(None, f"not JSON: {str(problem).splitlines()[0]}")
    if not isinstance(data, dict):
        return NoAnswer(None, "not a JSON object")
    id = data.get("id")
    if not isinstance(id, str | int | None):
        id = None
    missing = [key for key in REQUIRED if key not in data]
    if missing:
        return NoAnswer(id, f"{', '.join(missing)} missing")
    for key in ("repo", "from", "to", "path"):
        if not isinstance(data[key], str) or not data[key]:
            return NoAnswer(id, f"{key} is not a text")
    for key in ("from", "to"):
        if not FULL_ID.match(data[key]):
            return NoAnswer(id, f"{key} is not a full commit id: {printable(data[key][:60])}")
    lines, find = _lines(data["lines"]), data.get("find") or []
    if lines is None:
        return NoAnswer(id, "lines is not [FIRST, LAST] with 1 <= FIRST <= LAST")
    if not isinstance(find, list) or not all(isinstance(one, str) and one for one in find):
        return NoAnswer(id, "find is not a list of texts")
    path = re.sub(r"/+", "/", data["path"])
    return Question(id, data["repo"], data["from"], data["to"], path, lines, tuple(find))


def _lines(value: object) -> Lines | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    first, last = value
    if type(first) is not int or type(last) is not int or not 1 <= first <= last <= MOST_LINES:
        return None
    return Lines(first, last)


def answer(question: Question, clones: Clones) -> Answer | NoAnswer:
    """What became of the question's region."""
    begin = time.perf_counter()
    try:
        old = clones.read(question.folder, question.old, question.path)
        if isinstance(old, NoSource):
            return NoAnswer(question.id, f"{question.path} at {question.old[:8]}: {old.message}")
        # A target that cannot be read would look like one in which everything is gone.
        clones.reader(question.folder).look_up(question.new, question.path)
        tree = clones.tree(question.folder, question.new, question.old)
        anchor = Anchor("BATCH", question.folder, question.path, (Region(question.lines),), question.find)
        (outcome,) = relocate(anchor, old, None, tree, named=False)
    except EnvironmentProblem as problem:
        return NoAnswer(question.id, printable(problem.message))
    return Answer(question, outcome, time.perf_counter() - begin)


def answers(lines: Iterable[str], clones: Clones) -> Iterator[Answer | NoAnswer]:
    """The answers to lines of input, one each, in order; blank lines are passed over."""
    keep_outlines(OUTLINES_KEPT)
    for line in lines:
        if line.strip():
            question = parse_question(line)
            yield question if isinstance(question, NoAnswer) else answer(question, clones)


def answer_lines(lines: Iterable[str]) -> Iterator[str]:
    """The answers to lines of input as lines of output, each as soon as it is known."""
    with Clones() as clones:
        for one in answers(lines, clones):
            yield json.dumps(one.as_json())


def chunks(lines: Iterable[str]) -> Iterator[list[str]]:
    """Lines of input in runs that ask about one file at one commit, so that it is read and parsed once."""
    chunk: list[str] = []
    last: tuple[str, str, str] | None = None
    for line in lines:
        question = parse_question(line) if line.strip() else None
        file = (question.folder, question.old, question.path) if isinstance(question, Question) else None
        if chunk and (file != last or len(chunk) >= LARGEST_CHUNK):
            yield chunk
            chunk = []
        chunk.append(line)
        last = file
    if chunk:
        yield chunk


def answer_chunk(lines: list[str]) -> list[str]:
    """The answers to some lines of input as lines of output; what a worker process is asked."""
    global _of_this_process
    if _of_this_process is None:
        _of_this_process = Clones()
    return [json.dumps(one.as_json()) for one in answers(lines, _of_this_process)]


def lost_chunk(lines: list[str]) -> list[str]:
    """What is put out for lines of input whose worker process died."""
    questions = [parse_question(line) for line in lines if line.strip()]
    said = "the process that worked on it ended without an answer"
    return [json.dumps(NoAnswer(question.id, said).as_json()) for question in questions]


# Of a worker process: its clones stay open between chunks, and end with it.
_of_this_process: Clones | None = None
