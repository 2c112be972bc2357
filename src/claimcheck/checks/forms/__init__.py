"""The forms of checks: each one module with its information, its check and its own examples."""

from __future__ import annotations

from collections.abc import Mapping

from claimcheck.checks.form import Form
from claimcheck.checks.forms import (
    bases,
    calls,
    comment,
    comment_against_code,
    count,
    exists,
    formula,
    inside,
    lines,
    never_calls,
    no_path,
    order,
    path,
    rule,
    signature,
    value,
)

FORMS: Mapping[str, Form] = {
    "value": value,
    "calls": calls,
    "never-calls": never_calls,
    "inside": inside,
    "order": order,
    "formula": formula,
    "signature": signature,
    "bases": bases,
    "exists": exists,
    "count": count,
    "lines": lines,
    "path": path,
    "no-path": no_path,
    "comment": comment,
    "comment-against-code": comment_against_code,
    "rule": rule,
}
