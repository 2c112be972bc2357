"""A file's nodes against the JSON Schema: plain data for the validator, its errors in our own words with places."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from claimcheck.finding import Finding, RuleInfo
from claimcheck.registry import problems, wording
from claimcheck.registry.problems import Trouble, shown
from claimcheck.registry.wording import Written
from claimcheck.registry.yaml_nodes import (
    ListNode,
    MapNode,
    Node,
    Parsed,
    Path,
    Refused,
    Scalar,
    Tree,
    canonical_value,
    is_canonical,
    reading,
    resolved,
)
from claimcheck.registry.yaml_text import YamlText

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator, ValidationError

# Sections whose keys are IDs or names, so that a key that stands twice is a thing defined twice.
DEFINING = frozenset({"vendors", "anchors", "claims", "examples", "errata"})


@cache
def schema() -> str:
    """The JSON Schema of the registry's files, as `claimcheck schema` prints it."""
    return files("claimcheck.registry").joinpath("schema.json").read_text(encoding="utf-8")


@cache
def _definitions() -> dict[str, Any]:
    return cast(dict[str, Any], json.loads(schema()))


@cache
def _validator(definition: str) -> Draft202012Validator:
    from jsonschema_rs import Draft202012Validator

    whole = _definitions()
    return Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": whole["$defs"]}, offline=True)


@dataclass(slots=True)
class Shaped:
    """A file as plain data, with what was found wrong.

    `wrong` has the paths of values that are wrong themselves, so that nothing more is said about them; `broken`
    those and the paths whose key is wrong or that lack one, so that nothing is built from them.
    """

    text: YamlText
    tree: Tree
    data: Any
    findings: list[Finding] = field(default_factory=list)
    wrong: set[Path] = field(default_factory=set)
    broken: set[Path] = field(default_factory=set)
    _touched: set[Path] = field(default_factory=set)

    def report(self, path: Path, trouble: Trouble, *, on_key: bool = False) -> None:
        """Add a finding about the value at a path, or about its key."""
        node = self.node(path, on_key=on_key)
        finding = self.text.finding(
            trouble.rule, subject(self.text.path, path), node.start, node.end, trouble.message, trouble.help
        )
        self.findings.append(finding)
        self.spoil(path, value=not on_key)

    def spoil(self, path: Path, *, value: bool) -> None:
        """Note that nothing is to be built from what stands at a path; `value` says that it is wrong itself."""
        self.broken.add(path)
        self._touched.update(path[:length] for length in range(len(path) + 1))
        if value:
            self.wrong.add(path)

    def node(self, path: Path, *, on_key: bool = False) -> Node:
        """The node at a path, or its key's; of what is not there, the nearest above."""
        while path:
            found = (self.tree.key(path) if on_key else None) or self.tree.at(path)
            if found is not None:
                return found
            path, on_key = path[:-1], True
        return self.tree.root

    def is_broken(self, *path: str | int) -> bool:
        """Whether anything at, below or above a path was found wrong."""
        if not self.broken:
            return False
        return path in self._touched or any(path[:length] in self.broken for length in range(len(path)))


def subject(file: str, path: Path) -> str:
    """What a finding at a path is about: an ID, a vendor's name, or a section."""
    if len(path) > 1 and path[0] in DEFINING:
        return shown(str(path[1]))
    return shown(str(path[0])) if path else file


def shape(text: YamlText, parsed: Parsed, definition: str, findings: list[Finding]) -> Shaped:
    """The file's data, checked against one definition of the schema; errors join `findings`."""
    root = parsed.root or MapNode((), 0, 0, False)
    shaped = Shaped(text, Tree(root), None, findings)
    shaped.data = _Converter(shaped, parsed.refused).convert(root, ())
    errors = list(_validator(definition).iter_errors(shaped.data))
    if errors:
        _Explainer(shaped).explain(errors)
    return shaped


@dataclass(frozen=True, slots=True)
class _Converter:
    """Nodes to plain data. What YAML would convert silently is reported and its value marked as broken."""

    shaped: Shaped
    refused: Mapping[int, Refused]

    def convert(self, node: Node, path: Path) -> object:
        if node.start in self.refused and not _begins_with_key(node):
            self._refuse(node, path)
            return ""
        if isinstance(node, Scalar):
            if not node.plain:
                return self._text(node, path)
            kind = resolved(node)
            if kind == "str":
                return node.value
            if is_canonical(node, kind):
                return canonical_value(node, kind)
            self._report(node, kind, path)
            return node.value
        if isinstance(node, ListNode):
            return [self.convert(item, (*path, n)) for n, item in enumerate(node.items)]
        return self._mapping(node, path)

    def _text(self, node: Scalar, path: Path) -> str:
        try:
            node.value.encode()
        except UnicodeEncodeError:
            message = f"{_key(path)} has an escape for half a character (a surrogate)"
            self.shaped.report(path, Trouble(problems.YAML_SYNTAX, message))
            return ""
        return node.value

    def _mapping(self, node: MapNode, path: Path) -> dict[str, object]:
        data: dict[str, object] = {}
        places: dict[str, Scalar] = {}
        for key, value in node.entries:
            name = key.value
            kind = resolved(key)
            if key.start in self.refused:
                self._refuse(key, (*path, name))
            elif kind != "str":
                self._key_is_no_text(key, kind, path)
            if name in data:
                self._twice(key, places[name], path)
                continue
            places[name] = key
            data[name] = self.convert(value, (*path, name))
        return data

    def _refuse(self, node: Node, path: Path) -> None:
        """Report an alias, an anchor or a tag, and let nothing follow from it."""
        refused = self.refused[node.start]
        text = self.shaped.text
        about = subject(text.path, path)
        self.shaped.findings.append(text.finding(refused.rule, about, node.start, refused.end, refused.message))
        self.shaped.spoil(path, value=True)

    def _report(self, node: Scalar, kind: str, path: Path) -> None:
        said = f"{_key(path)} `{shown(node.value)}` is read by YAML as {reading(node, kind)}"
        self.shaped.report(path, _conversion(said, _written(node, path)))

    def _key_is_no_text(self, key: Scalar, kind: str, path: Path) -> None:
        rule = problems.YAML_ALIAS if kind == "merge" else problems.YAML_CONVERSION
        message = f"the key `{shown(key.value)}` is read by YAML as {reading(key, kind)}"
        if kind == "merge":
            message = "merge keys are not used in a registry; write the values out"
        whole = (*path, key.value)
        text = self.shaped.text
        help = None if kind == "merge" else f'"{shown(key.value)}":'
        self.shaped.findings.append(
            text.finding(rule, subject(text.path, whole), key.start, max(key.end, key.start + 1), message, help)
        )
        self.shaped.spoil(whole, value=False)

    def _twice(self, key: Scalar, first: Scalar, path: Path) -> None:
        text = self.shaped.text
        whole = (*path, key.value)
        defines = len(path) == 1 and path[0] in DEFINING
        rule = problems.DUPLICATE_ID if defines else problems.DUPLICATE_KEY
        what = "defined twice" if defines else f"the key `{shown(key.value)}` stands twice"
        message = f"{what}; first in {text.place(first.start)}"
        self.shaped.findings.append(text.finding(rule, subject(text.path, whole), key.start, key.end, message))


def _begins_with_key(node: Node) -> bool:
    """Whether what stands before a block mapping belongs to its first key, which begins at the same place."""
    return isinstance(node, MapNode) and bool(node.entries) and node.entries[0][0].start == node.start


def _conversion(said: str, written: Written) -> Trouble:
    """The help for a value that YAML converts: the range that was meant, or the value in quotes."""
    if written.key == "lines":
        return Trouble(problems.YAML_CONVERSION, said, wording.range_trouble(written).help)
    if written.key == "commit" and len(written.text) != 40:
        # Both at once: the quotes alone would only bring the next error.
        return Trouble(problems.YAML_CONVERSION, f"{said}; a commit stands in quotes, with all its 40 digits")
    help = written.paste(f'"{shown(written.text)}"') if written.text else None
    return Trouble(problems.YAML_CONVERSION, said, help)


def _key(path: Path) -> str:
    """The key that a value belongs to; of a list's item the list's."""
    return shown(str(next((part for part in reversed(path) if isinstance(part, str)), "the file")))


def _written(node: Node, path: Path) -> Written:
    text = node.value if isinstance(node, Scalar) else ""
    vendor = str(path[1]) if len(path) > 2 and path[0] == "vendors" else None
    return Written(_key(path), text, bool(path) and isinstance(path[-1], int), vendor)


_KINDS = {
    "string": "text",
    "integer": "a number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "a mapping",
}


@dataclass(frozen=True, slots=True)
class _Explainer:
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
            if kind in ("additionalProperties", "unevaluatedProperties"):
                for key in error.kind.unexpected:  # type: ignore[attr-defined]
                    suggested.setdefault(path, set()).add(self._unknown_key(path, key, error))
            elif kind == "propertyNames":
                self._bad_name(path, error)
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
        known = list(_schema_at(error.schema_path[:-1]).get("properties", {}))
        import difflib

        close = difflib.get_close_matches(key.lower(), known, n=1, cutoff=0.6)
        near = close[0] if close else ""
        message = f"unknown key `{shown(key)}`; "
        message += f"did you mean `{near}`?" if near else f"known are {', '.join(known)}"
        self._about_key(path, key, Trouble(problems.UNKNOWN_KEY, message))
        return near

    def _bad_name(self, path: Path, error: ValidationError) -> None:
        inner = error.kind.error  # type: ignore[attr-defined]
        key = str(inner.instance)
        if (*path, key) in self.shaped.broken:
            return
        word = wording.WORDINGS[_definition_name(error.schema_path)]
        self._about_key(path, key, word(Written(_key(path), key)))

    def _about_key(self, path: Path, key: str, trouble: Trouble) -> None:
        self.shaped.report((*path, key), trouble, on_key=True)

    def _missing_key(self, path: Path, missing: str) -> None:
        self.shaped.report(path, Trouble(problems.MISSING_KEY, f"`{missing}` is missing"), on_key=True)

    def _value_trouble(self, path: Path, kind: str, error: ValidationError) -> Trouble:
        node = self.shaped.node(path)
        key = _key(path)
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
                return self._length_trouble(node, key, error)
            case "uniqueItems":
                return Trouble(problems.BAD_VALUE, f"{key} has the same item twice")
        word = wording.WORDINGS.get(_definition_name(error.schema_path), wording.text_trouble)
        return word(_written(node, path))

    def _length_trouble(self, node: Node, key: str, error: ValidationError) -> Trouble:
        limit = error.kind.limit  # type: ignore[attr-defined]
        have = len(node.items) if isinstance(node, ListNode) else 0
        if have:
            return Trouble(problems.BAD_VALUE, f"{key} has {have} items, not {limit}")
        rule: RuleInfo = {"lines": problems.BAD_RANGE, "find": problems.BAD_FIND}.get(key, problems.BAD_VALUE)
        whole = "; leave `lines` out if the whole file is meant" if key == "lines" else ""
        return Trouble(rule, f"{key} is an empty list{whole}")

    def _type_trouble(self, path: Path, node: Node, key: str, error: ValidationError) -> Trouble:
        expected: list[str] = error.kind.types  # type: ignore[attr-defined]
        wanted = " or ".join(dict.fromkeys(_KINDS[kind] for kind in expected if kind != "null"))
        if key == "lines":
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
            return _conversion(said, _written(node, path))
        have = {"str": "text", "int": "a number", "float": "a number", "bool": "true or false"}.get(kind, "nothing")
        return Trouble(problems.WRONG_TYPE, f"{key} is {have}, expected {wanted}")

    def _empty(self, path: Path, node: Scalar, key: str, wanted: str) -> Trouble:
        """A key without a value; what was meant as one may have become a comment."""
        source = self.shaped.text.text
        line = source[node.start : max(source.find("\n", node.start), node.start)].strip()
        if line.startswith("#") and len(line) > 1:
            message = f"{key} is empty, since ` #` begins a comment"
            quoted = "'" + shown(line).replace("'", "''") + "'"
            return Trouble(problems.YAML_CONVERSION, message, _written(node, path).paste(quoted))
        return Trouble(problems.WRONG_TYPE, f"{key} is empty, expected {wanted}")


def _causes_first(error: ValidationError) -> tuple[int, int]:
    """Wrong types before what they entail, unknown keys before missing ones, outer before inner."""
    order = {"additionalProperties": 0, "type": 1, "propertyNames": 2}
    return order.get(error.kind.name, 4 if error.kind.name == "required" else 3), len(error.instance_path)


def _definition_name(schema_path: Iterable[str | int]) -> str:
    """The innermost named definition that an error arose in."""
    parts = list(schema_path)
    names = [parts[n + 1] for n, part in enumerate(parts[:-1]) if part in ("$defs", "$ref")]
    return str(names[-1]) if names else ""


def _schema_at(schema_path: Iterable[str | int]) -> Mapping[str, Any]:
    """The part of the schema that a path leads to."""
    here: Any = _definitions()
    for part in schema_path:
        here = here[part]
    return cast(Mapping[str, Any], here)


def strings(value: object) -> tuple[str, ...]:
    """A value that is one text or a list of them."""
    return (value,) if isinstance(value, str) else tuple(cast(list[str], value))
