"""A comment says one thing, and the code does another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from claimcheck.checks.form import LINE, Example, FormInfo, fails, mapping
from claimcheck.checks.forms import comment
from claimcheck.checks.looking import Look
from claimcheck.checks.result import Answer, Result
from claimcheck.checks.saying import lines_said, quoted
from claimcheck.model import Check
from claimcheck.values import frozen

INFO = FormInfo(
    "comment-against-code",
    "A comment says one thing, and the code does another.",
    mapping({"comment": LINE, "code": {"$ref": "#/$defs/check"}}, ("comment", "code")),
    "`comment:` is looked for as by the form `comment`, `code:` is a check of its own, which looks where this one looks "
    "unless it says otherwise. It holds if both do, so that it fails on the day on which the comment is put right.",
)


@frozen
class CommentAgainstCode:
    comment: str
    code: Check


def read(data: Mapping[str, Any]) -> CommentAgainstCode:
    from claimcheck.checks.reading import read_check

    return CommentAgainstCode(data["comment"], read_check(data["code"], ("code",)))


def check(arguments: CommentAgainstCode, look: Look) -> Result:
    from claimcheck.checks.running import answer

    said = comment.where(arguments.comment, look)
    if not said:
        return comment.check(comment.Comment(arguments.comment), look)
    inner, outer = arguments.code, look.check
    own = inner.scope or inner.symbol or inner.path
    placed = inner if own else replace(inner, scope=outer.scope, symbol=outer.symbol, path=outer.path)
    code = answer(placed, look.anchors)
    says = f"a comment says {quoted(arguments.comment)}, {lines_said(said)}"
    if code.answer is Answer.HOLDS:
        return replace(code, message=f"{says}; {code.message}", hits=(*said, *code.hits))
    if code.answer is Answer.FAILS:
        return fails(f"{says}, but of the code: {code.message}", *said, *code.hits, nearest=code.nearest)
    return code


EXAMPLES = (
    Example(
        "the code does the opposite",
        ".py",
        "def f(q):\n    # take the shortest\n    q.sort(reverse=True)\n    return q[0]\n",
        "comment-against-code: {comment: take the shortest, code: {calls: {call: sort, with: [reverse=True]}}}",
    ),
    Example(
        "also in C++",
        ".cpp",
        "// at most 16\nconstexpr int kMost = 32;\n",
        "{comment-against-code: {comment: at most 16, code: {value: {of: kMost, is: 32}}}, scope: file}",
    ),
    Example(
        "the comment was put right",
        ".py",
        "def f(q):\n    # take the longest\n    q.sort(reverse=True)\n",
        "comment-against-code: {comment: take the shortest, code: {calls: sort}}",
        Answer.FAILS,
        "no comment in f says `take the shortest`",
    ),
    Example(
        "the code was put right",
        ".cpp",
        "// at most 16\nconstexpr int kMost = 16;\n",
        "{comment-against-code: {comment: at most 16, code: {value: {of: kMost, is: 32}}}, scope: file}",
        Answer.FAILS,
        "a comment says `at most 16`, line 1, but of the code: `kMost` is 16, expected 32",
    ),
)
