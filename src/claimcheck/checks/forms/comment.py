"""A comment or a docstring says something."""

from __future__ import annotations

from typing import Any

from claimcheck.checks.form import LINE, WORDS, Example, FormInfo, Strength, fails, holds, mapping
from claimcheck.checks.looking import Look
from claimcheck.checks.result import Answer, Hit, Result
from claimcheck.checks.saying import lines_said, quoted
from claimcheck.checks.texts import comments, found_in
from claimcheck.values import frozen

INFO = FormInfo(
    "comment",
    "A comment or a docstring says something.",
    mapping({"text": LINE}, ("text",), or_="string", also=WORDS),
    "White space and line breaks count as one blank; comments on neighbouring lines are read as one, and so is what stands "
    "right above a definition. In files without a grammar all text is looked at. A claim whose basis is `code` is never "
    "verified by it.",
    Strength.COMMENT,
    needs_code=False,
)


@frozen
class Comment:
    text: str


def read(data: Any) -> Comment:
    return Comment(data if isinstance(data, str) else data["text"])


def check(arguments: Comment, look: Look) -> Result:
    hits = where(arguments.text, look)
    if hits:
        return holds(f"a comment in {look.name} says {quoted(arguments.text)}, {lines_said(hits)}", *hits)
    for part in look.parts:
        if part.code is not None:
            part.make_sure_it_parsed()
    in_code = [part.hit(line) for part in look.parts for line in part.source.hits(arguments.text, part.lines)]
    nearest = f"{lines_said(in_code)} has it, in no comment" if in_code else None
    return fails(f"no comment in {look.name} says {quoted(arguments.text)}", *in_code[:3], nearest=nearest)


def where(text: str, look: Look) -> list[Hit]:
    """The lines on which comments begin to say it."""
    found: list[Hit] = []
    for part in look.parts:
        if part.code is None:
            found += [part.hit(line) for line in found_in(part, text)]
        else:
            found += [part.hit(line) for passage in comments(part) for line in passage.find(text)]
    return found


EXAMPLES = (
    Example(
        "over two lines",
        ".py",
        "def f():\n    # must recompute the\n    # last token\n    return 1\n",
        "comment: recompute the last token",
    ),
    Example("in a docstring", ".py", 'def f():\n    """Runs one step."""\n', "comment: Runs one step"),
    Example(
        "above a function",
        ".cpp",
        "/**\n * Preempts the shortest\n * sequence.\n */\nvoid f() {}\n",
        "{comment: the shortest sequence, symbol: f}",
    ),
    Example("in a document", ".md", "Some text\nof two lines.\n", "comment: text of two"),
    Example(
        "code is no comment",
        ".py",
        "def f():\n    x = 'the last token'\n",
        "comment: the last token",
        Answer.FAILS,
        "no comment in f says `the last token`",
        "line 2 has it, in no comment",
    ),
    Example(
        "another text",
        ".cpp",
        "// the longest one\nvoid f() {}\n",
        "comment: the shortest one",
        Answer.FAILS,
        "no comment in f says `the shortest one`",
    ),
)
