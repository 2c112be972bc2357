"""The validator's errors in our own words, with places; what follows from another error is left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from claimcheck.finding import RuleInfo
from claimcheck.registry import problems, wording
from claimcheck.registry.conversion import conversion
from claimcheck.registry.problems import Trouble
from claimcheck.registry.schema import definition_name, part_at
from claimcheck.registry.shaped import Shaped, key_of, written
from claimcheck.registry.yaml_nodes import ListNode, Node, Path, Scalar, reading, resolved
from claimcheck.terminal import shown
from claimcheck.values import frozen

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

_KINDS = {
    "string": "text",
    "integer": "a number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "a mapping",
}


@frozen
class Explainer:
    """The validator's errors in our words; what follows from another error is left out."""

    shaped: Shaped

    def explain(self, errors: Iterable[ValidationError]) -> None:
        seen: set[tuple[Path, str]] = set()
        suggested: dict[Path, set[str]] = {}
        for error in sorted(errors, key=_causes_first):
            path: Path = tuple(error.instance_path)
            kind = error.kind.name
            if self._follows(path):
                continue
            if kind == "additionalProperties":
                for key in error.kind.unexpected:  # type: ignore[attr-defined]
                    suggested.setdefault(path, set()).add(self._unknown_key(path, key, error))
            elif kind == "required":
                missing = error.kind.property  # type: ignore[attr-defined]
                if missing not in suggested.get(path, ()):
                    self._missing_key(path, missing)
            elif (path, "value") not in seen:
                seen.add((path, "value"))
                self.shaped.report(path, self._value_trouble(path, kind, error))

    def _follows(self, path: Path) -> bool:
        """Whether a value at or above the path is known to be wrong already."""
        return any(path[:length] in self.shaped.wrong for length in range(1, len(path) + 1))

    def _unknown_key(self, path: Path, key: str, error: ValidationError) -> str:
        import difflib

        known = list(part_at(error.schema_path[:-1]).get("properties", {}))
        close = difflib.get_close_matches(key.lower(), known, n=1, cutoff=0.6)
        near = close[0] if close else ""
        message = f"unknown key `{shown(key)}`; "
        message += f"did you mean `{near}`?" if near else f"known are {', '.join(known)}"
        self._about_key(path, key, Trouble(problems.UNKNOWN_KEY, message))
        return near

    def _about_key(self, path: Path, key: str, trouble: Trouble) -> None:
        self.shaped.report((*path, key), trouble, on_key=True)

    def _missing_key(self, path: Path, missing: str) -> None:
        self.shaped.report(path, Trouble(problems.MISSING_KEY, f"`{missing}` is missing"), on_key=True)

    def _value_trouble(self, path: Path, kind: str, error: ValidationError) -> Trouble:
        node = self.shaped.node(path)
        key = key_of(path)
        match kind:
            case "type":
                return self._type_trouble(path, node, key, error)
            case "enum":
                options = ", ".join(f"`{option}`" for option in error.kind.options)  # type: ignore[attr-defined]
                value = f" `{shown(node.value)}`" if isinstance(node, Scalar) else ""
                return Trouble(problems.BAD_VALUE, f"{key}{value} is none of {options}")
            case "falseSchema":
                message = f"`{key}` beside `regions`; each region has its own"
                return Trouble(problems.BAD_VALUE, message)
            case "minItems" | "maxItems":
                return self._length_trouble(node, key, "at least" if kind == "minItems" else "at most", error)
            case "uniqueItems":
                return Trouble(problems.BAD_VALUE, f"{key} has the same item twice")
        word = wording.WORDINGS.get(definition_name(error.schema_path), wording.text_trouble)
        return word(written(node, path))

    def _length_trouble(self, node: Node, key: str, bound: str, error: ValidationError) -> Trouble:
        limit = error.kind.limit  # type: ignore[attr-defined]
        have = len(node.items) if isinstance(node, ListNode) else 0
        if have:
            return Trouble(problems.BAD_VALUE, f"{key} has {have} items, expected {bound} {limit}")
        rule: RuleInfo = {"lines": problems.BAD_RANGE, "find": problems.BAD_FIND}.get(key, problems.BAD_VALUE)
        whole = "; leave `lines` out if the whole file is meant" if key == "lines" else ""
        return Trouble(rule, f"{key} is an empty list{whole}")

    def _type_trouble(self, path: Path, node: Node, key: str, error: ValidationError) -> Trouble:
        expected: list[str] = error.kind.types  # type: ignore[attr-defined]
        wanted = " or ".join(dict.fromkeys(_KINDS[kind] for kind in expected if kind != "null"))
        if key == "lines" and "object" not in expected:  # the form of a check has the same name
            wanted = "a range such as 710-740" + (", or a list of ranges" if "array" in expected else "")
        if not isinstance(node, Scalar):
            have = "list" if isinstance(node, ListNode) else "mapping"
            if "string" in expected and key != "lines":
                hint = "; code that begins with [ or { or has `: ` in it needs quotes"
                return Trouble(problems.WRONG_TYPE, f"{key} is a {have}, expected {wanted}{hint}")
            return Trouble(problems.WRONG_TYPE, f"{key} is a {have}, expected {wanted}")
        kind = resolved(node)
        if kind == "null" and not node.value:
            return self._empty(path, node, key, wanted)
        if kind != "str" and "string" in expected:
            said = f"{key} `{shown(node.value)}` is read by YAML as {reading(node, kind)}"
            return conversion(said, written(node, path))
        have = {"str": "text", "int": "a number", "float": "a number", "bool": "true or false"}.get(kind, "nothing")
        return Trouble(problems.WRONG_TYPE, f"{key} is {have}, expected {wanted}")

    def _empty(self, path: Path, node: Scalar, key: str, wanted: str) -> Trouble:
        """A key without a value; what was meant as one may have become a comment."""
        source = self.shaped.text.text
        line = source[node.start : max(source.find("\n", node.start), node.start)].strip()
        if line.startswith("#") and len(line) > 1:
            message = f"{key} is empty, since ` #` begins a comment"
            quoted = "'" + shown(line).replace("'", "''") + "'"
            return Trouble(problems.YAML_CONVERSION, message, written(node, path).paste(quoted))
        return Trouble(problems.WRONG_TYPE, f"{key} is empty, expected {wanted}")


def _causes_first(error: ValidationError) -> tuple[int, int]:
    """Wrong types before what they entail, unknown keys before missing ones, outer before inner."""
    order = {"additionalProperties": 0, "type": 1, "required": 3}
    return order.get(error.kind.name, 2), len(error.instance_path)
