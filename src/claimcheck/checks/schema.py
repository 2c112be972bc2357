"""The part of the registry's JSON Schema that the forms make: one definition a form, and that of a check."""

from __future__ import annotations

from collections.abc import Mapping

from claimcheck.checks.form import Json
from claimcheck.checks.forms import FORMS

PLACE: Json = {
    "in": {"$ref": "#/$defs/cited-anchor"},
    "scope": {"enum": ["region", "symbol", "file", "tree"], "default": "symbol"},
    "symbol": {"$ref": "#/$defs/line"},
    "path": {"$ref": "#/$defs/path"},
}


def definitions() -> Mapping[str, Json]:
    """The definitions by name. `path` is a form where it stands alone and a place beside one, a text both times."""
    forms = {name: {"$ref": f"#/$defs/check-{name}"} for name in FORMS if name != "path"}
    check = {
        "description": "One form with its arguments; beside it where it looks.",
        "type": "object",
        "additionalProperties": False,
        "properties": {**PLACE, **forms},
    }
    return {
        "check": check,
        **{
            f"check-{name}": {"description": form.INFO.summary, **form.INFO.schema}
            for name, form in FORMS.items()
            if name != "path"
        },
    }
