"""The input rules: what can be wrong with the registry's own files, each with examples that show it.

`RULES` is read by `claimcheck explain`; `EXAMPLES` has for each rule one registry that passes and one that does
not, as dictionaries of files. A test runs them all. What no dictionary of files can show has no failing example.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from claimcheck.finding import FindingClass, RuleInfo, Severity
from claimcheck.values import frozen


@frozen
class RuleExample:
    """A project that has nothing of a rule's kind, and one that has."""

    passes: Mapping[str, str | bytes]
    fails: Mapping[str, str | bytes]


EXAMPLES: dict[str, RuleExample] = {}


class Trouble(NamedTuple):
    """A rule that is broken, the sentence that says how, and what can be pasted in its place."""

    rule: RuleInfo
    message: str
    help: str | None = None


_PIN = "1f0c94c2a7d14b6f8f3b5d0f6a2f9f0c4be7a811"
_SHA256 = "5e884898da28047151d0e56f8dc6292773603d0d6aabbd62a11ef721d1542d8a"
_HEAD = f'vendors:\n  lib:\n    commit: "{_PIN}"\n    prefix: L\n'
_ANCHOR = "  L-LOOP:\n    path: src/loop.c\n"
_GOOD = f"{_HEAD}anchors:\n{_ANCHOR}    lines: 10-20\n"


def _registry(text: str | bytes) -> Mapping[str, str | bytes]:
    return {"anchors.yaml": text}


def _anchor(lines: str) -> Mapping[str, str | bytes]:
    """A registry with one anchor that has these further lines."""
    return _registry(f"{_HEAD}anchors:\n{_ANCHOR}" + "".join(f"    {line}\n" for line in lines.split("\n")))


def _vendor(lines: str, head: str = f'    commit: "{_PIN}"\n    prefix: L\n') -> Mapping[str, str | bytes]:
    """A registry with one vendor that has these further lines."""
    return _registry(f"vendors:\n  lib:\n{head}" + "".join(f"    {line}\n" for line in lines.split("\n")))


def _claims(text: str) -> Mapping[str, str | bytes]:
    return {"anchors.yaml": _GOOD, "claims/ONE.yaml": text}


def _rule(
    name: str,
    summary: str,
    help: str,
    *,
    passes: Mapping[str, str | bytes],
    fails: Mapping[str, str | bytes],
    kind: FindingClass = FindingClass.INPUT,
) -> RuleInfo:
    EXAMPLES[name] = RuleExample(passes, fails)
    return RuleInfo(name, Severity.ERROR, summary, kind, help)


UNREADABLE = _rule(
    "unreadable",
    "A registry file is there and cannot be read.",
    "The system refuses to give the file's content: its permissions, or the disk. Nothing is known about what it "
    "says, so nothing is checked.",
    passes=_registry(_GOOD),
    fails={},
    kind=FindingClass.ENVIRONMENT,
)
NOT_A_FILE = _rule(
    "not-a-file",
    "A registry file is no regular file of the project.",
    "A folder, a named pipe, a device or a link that leaves the project stands where a registry file is looked "
    "for. Links that stay inside the project are followed.",
    passes={"anchors.yaml": _GOOD, "claims/ONE.yaml": "claims: {}\n"},
    fails={"anchors.yaml": _GOOD, "claims/ONE.yaml/keep": ""},
)
TOO_LARGE = _rule(
    "too-large",
    "A registry file is larger than claimcheck reads.",
    "A YAML file of the registry has at most 10 MiB, `anchors.lock` at most 256 MiB. Large projects keep their "
    "anchors in several files, `anchors/NAME.yaml`.",
    passes=_registry(_GOOD),
    fails={},
)
NOT_READ = _rule(
    "not-read",
    "A file looks like a part of the registry and is not read.",
    "Read are `anchors.yaml`, `anchors/*.yaml`, `claims/*.yaml` and `anchors.lock`: the ending is `.yaml` in small "
    "letters, and folders below `anchors/` and `claims/` are not searched. So that no claim is left out "
    "unnoticed, a file that would be is an error.",
    passes={"anchors.yaml": _GOOD, "claims/ONE.yaml": "claims: {}\n"},
    fails={"anchors.yaml": _GOOD, "claims/ONE.yml": "claims: {}\n"},
)
NOT_UTF8 = _rule(
    "not-utf8",
    "A registry file is not UTF-8.",
    "Files are read as UTF-8, with or without byte order mark, whatever the locale is. Save the file as UTF-8.",
    passes=_registry(_GOOD + "# caf\u00e9\n"),
    fails=_registry(_GOOD.encode() + b"# caf\xe9\n"),
)
CONTROL_CHARACTER = _rule(
    "control-character",
    "A registry file has a character that YAML readers do not agree on.",
    "Control characters are not YAML. NEL, U+2028 and U+2029 end a line for some YAML readers only, and so does a "
    "carriage return without a line feed. In a text in double quotes each can be written as an escape.",
    passes=_anchor('find: "one\\u2028two"'),
    fails=_anchor('find: "one\u2028two"'),
)
MERGE_CONFLICT = _rule(
    "merge-conflict",
    "A registry file has an unresolved merge conflict.",
    "The markers that git leaves at the margin are still there. Decide for one side, or take both, and remove the "
    "markers. For `anchors.lock`, take either side and run `claimcheck lock`.",
    passes=_registry(_GOOD),
    fails=_registry(f"{_HEAD}anchors:\n<<<<<<< ours\n{_ANCHOR}=======\n>>>>>>> theirs\n"),
)
YAML_SYNTAX = _rule(
    "yaml-syntax",
    "A file cannot be read as YAML.",
    "Mostly it is text that needs quotes: it begins with one of @ ` % & * ! | > { } [ ] , # ?, or has `: ` or ` #` in "
    "it. Single quotes take everything as it is; a single quote inside is doubled.",
    passes=_anchor("find: '@overload'"),
    fails=_anchor("find: @overload"),
)
YAML_ALIAS = _rule(
    "yaml-alias",
    "YAML anchors, aliases and merge keys are not used in the registry.",
    "They make a file mean something else than what stands there, and edits by position would change more than one "
    "entry. Write the value out; text that begins with & or * needs quotes.",
    passes=_anchor("find: '*ptr = 1;'"),
    fails=_anchor("find: &name loop"),
)
YAML_TAG = _rule(
    "yaml-tag",
    "YAML tags are not used in the registry.",
    "Nothing is constructed from a tag such as `!!python/name`. Text that begins with ! needs quotes.",
    passes=_anchor("find: '!ready'"),
    fails=_anchor("find: !ready"),
)
YAML_DEPTH = _rule(
    "yaml-depth",
    "A file is nested deeper than a registry is.",
    "At most 50 levels are read. Nothing in a registry needs more than ten.",
    passes=_registry(_GOOD),
    fails=_registry("[" * 60 + "]" * 60 + "\n"),
)
YAML_DOCUMENTS = _rule(
    "yaml-documents",
    "A file has several YAML documents.",
    "What stands after a second `---` would be left out by most readers. A registry file has one document.",
    passes=_registry("---\n" + _GOOD),
    fails=_registry(_GOOD + "---\nanchors: {}\n"),
)
YAML_CONVERSION = _rule(
    "yaml-conversion",
    "An unquoted value is read by YAML as something else than what stands there.",
    "YAML takes `10:20` for 620, `on` and `no` for true and false, `012` for 10, `2024-01-02` for a date, digits for "
    "a number and `~`, nothing or ` # ...` for null. Where text is meant, put it in quotes.",
    passes=_anchor('find: "12345"'),
    fails=_anchor("lines: 10:20"),
)
DUPLICATE_KEY = _rule(
    "duplicate-key",
    "A key stands twice in one mapping.",
    "YAML readers keep one of the two without a word, mostly the later one. Remove or rename one.",
    passes=_anchor("lines: 10-20"),
    fails=_anchor("lines: 10-20\nlines: 30-40"),
)
DUPLICATE_ID = _rule(
    "duplicate-id",
    "An ID or a name is defined twice.",
    "Anchors, claims, examples and errata share one name space over all files, since documents cite them by ID "
    "alone. Vendors have one of their own.",
    passes={"anchors.yaml": _GOOD, "anchors/more.yaml": "anchors:\n  L-MORE: {path: src/more.c}\n"},
    fails={"anchors.yaml": _GOOD, "anchors/more.yaml": "anchors:\n  L-LOOP: {path: src/more.c}\n"},
)
UNKNOWN_KEY = _rule(
    "unknown-key",
    "A key is not one that claimcheck knows.",
    "Unknown keys are errors, since a misspelt one would be left out silently. `claimcheck schema` prints all keys.",
    passes=_anchor("lines: 10-20"),
    fails=_anchor("line: 10-20"),
)
MISSING_KEY = _rule(
    "missing-key",
    "An entry lacks a key that it needs.",
    "A vendor needs `commit`, an anchor `path`, a claim `text`, a waiver `rule`, `subject` and `reason`.",
    passes=_registry(_GOOD),
    fails=_registry(f"{_HEAD}anchors:\n  L-LOOP:\n    lines: 10-20\n"),
)
WRONG_TYPE = _rule(
    "wrong-type",
    "A value is of another kind than its key wants.",
    "A list or a mapping stands where text is meant, or the other way round. Code that was pasted without quotes "
    "is often the cause: `{x}` is a mapping, `[x]` a list and `a: b` a mapping again.",
    passes=_anchor("find: '{key: value}'"),
    fails=_anchor("find: {key: value}"),
)
BAD_VALUE = _rule(
    "bad-value",
    "A value is not one that its key can have.",
    "The message says which values there are, or what the value should look like.",
    passes=_anchor("watch: code"),
    fails=_anchor("watch: sources"),
)
BAD_ID = _rule(
    "bad-id",
    "An ID has not the form that IDs of its kind have.",
    "Anchors: PREFIX-NAME in capital letters, digits and hyphens, the prefix of at most eight characters "
    "(`V-POOL`). Examples: PREFIX-E and a number (`V-E1`). Claims: LESSON.NUMBER (`V1.5`, `V1.5b`). Errata: E, "
    "two numbers (`E08-1`).",
    passes=_registry(_GOOD),
    fails=_registry(f"{_HEAD}anchors:\n  L-Loop: {{path: src/loop.c}}\n"),
)
RESERVED_ID = _rule(
    "reserved-id",
    "An anchor has an ID that is reserved for examples.",
    "`PREFIX-E` and a number is an example's ID. Give the anchor another name.",
    passes=_registry(f"{_HEAD}anchors:\n  L-EDGE: {{path: src/loop.c}}\n"),
    fails=_registry(f"{_HEAD}anchors:\n  L-E1: {{path: src/loop.c}}\n"),
)
BAD_NAME = _rule(
    "bad-name",
    "A vendor's name or an ID prefix cannot be one.",
    "A vendor's name is its folder's name below vendor/: small letters, digits, dots, hyphens and underscores, not "
    "ending in .git. A prefix is a capital letter and at most seven more capital letters or digits.",
    passes=_registry(_GOOD),
    fails=_registry(_GOOD.replace("  lib:", "  Lib/Core:")),
)
PREFIX_TAKEN = _rule(
    "prefix-taken",
    "Two vendors declare the same ID prefix.",
    "An anchor's prefix says to which vendor it belongs, so each prefix has one vendor.",
    passes=_registry(_GOOD),
    fails=_registry(f'{_HEAD}  other:\n    commit: "{_PIN}"\n    prefix: [O, L]\n'),
)
UNKNOWN_PREFIX = _rule(
    "unknown-prefix",
    "No vendor has the prefix of an anchor's ID.",
    "Add the prefix to its vendor (`prefix: [V, W]`), or say at the anchor which vendor is meant (`vendor: NAME`).",
    passes=_registry(f"{_HEAD}anchors:\n  X-LOOP: {{path: src/loop.c, vendor: lib}}\n"),
    fails=_registry(f"{_HEAD}anchors:\n  X-LOOP: {{path: src/loop.c}}\n"),
)
UNKNOWN_VENDOR = _rule(
    "unknown-vendor",
    "An anchor names a vendor that is not declared, or another one than its prefix.",
    "Vendors are declared under `vendors:`. An anchor needs `vendor:` only when its prefix is no vendor's.",
    passes=_anchor("vendor: lib"),
    fails=_anchor("vendor: lob"),
)
BAD_RANGE = _rule(
    "bad-range",
    "A line range cannot be one.",
    "FIRST-LAST or LINE, counted from 1, in the digits 0 to 9 without a leading zero, at most 10,000,000; both "
    "ends belong to it.",
    passes=_anchor("lines: [7-7, 10-20]"),
    fails=_anchor("lines: 20-10"),
)
RANGE_ORDER = _rule(
    "range-order",
    "An anchor's line ranges overlap or do not ascend.",
    "Regions stand in the order of the file and have no line in common.",
    passes=_anchor("lines: [1-5, 6-8]"),
    fails=_anchor("lines: [1-5, 3-8]"),
)
BAD_FIND = _rule(
    "bad-find",
    "A search string cannot single anything out.",
    "It is literal, one line, and has at least three characters that are not blanks. A character of Chinese, Japanese "
    "or Korean writing counts double, since it singles out as much: `\u53d8\u91cf` is enough.",
    passes=_anchor("find: int loop"),
    fails=_anchor('find: "  }"'),
)
BAD_PATH = _rule(
    "bad-path",
    "A path is not spelt as git spells it.",
    "Paths are relative to the vendor's root, with single slashes, without `.`, `..`, a drive, a backslash, a blank "
    "at an end or a slash at the end. One file has one spelling.",
    passes=_registry(_GOOD),
    fails=_registry(_GOOD.replace("src/loop.c", "./src//loop.c")),
)
SHORT_PIN = _rule(
    "short-pin",
    "A commit id has not 40 digits.",
    "A short id may stand for another commit tomorrow, or for a branch of that name. Write all 40 digits.",
    passes=_registry(_GOOD),
    fails=_registry(_GOOD.replace(_PIN, _PIN[:8])),
)
FLOATING_PIN = _rule(
    "floating-pin",
    "A commit is named by something that moves.",
    "A branch, `HEAD`, or a tag can point elsewhere tomorrow, and every citation with it. Write the full commit "
    "id, or `release/VERSION` for a declared release.",
    passes=_registry(_GOOD),
    fails=_registry(_GOOD.replace(f'"{_PIN}"', "main")),
)
BAD_PIN = _rule(
    "bad-pin",
    "A commit id is not spelt as git spells it.",
    "40 hexadecimal digits in small letters, without blanks.",
    passes=_registry(_GOOD),
    fails=_registry(_GOOD.replace(_PIN, _PIN.upper())),
)
UNKNOWN_RELEASE = _rule(
    "unknown-release",
    "A pin names a release that is not declared.",
    "`release/VERSION` needs VERSION with its sha256 under the vendor's `releases: versions:`.",
    passes=_vendor(f'releases: {{versions: {{"0.1.0": {_SHA256}}}}}', "    commit: release/0.1.0\n"),
    fails=_vendor(f'releases: {{versions: {{"0.1.0": {_SHA256}}}}}', "    commit: release/0.2.0\n"),
)
BAD_SHA256 = _rule(
    "bad-sha256",
    "A release's checksum is no sha256.",
    "64 hexadecimal digits in small letters, as the index shows them.",
    passes=_vendor(f'releases: {{versions: {{"0.1.0": {_SHA256}}}}}'),
    fails=_vendor(f'releases: {{versions: {{"0.1.0": {_SHA256[:40]}}}}}'),
)
BAD_URL = _rule(
    "bad-url",
    "A vendor's URL is not one that claimcheck fetches from.",
    "`https://HOST/PATH`, `ssh://HOST/PATH` or `git@HOST:PATH`, without user names and passwords. A local clone is "
    "used by `vendor sync --from`.",
    passes=_vendor("url: https://git.example.org/o/lib"),
    fails=_vendor("url: https://me:secret@git.example.org/o/lib"),
)
BAD_PERMALINK = _rule(
    "bad-permalink",
    "A permalink template cannot be used.",
    "An https URL with the fields {commit} and {path} after the host, and with {first} and {last} where links to lines "
    "are wanted. Without a commit or a path every link would be the same.",
    passes=_vendor("permalink: 'https://code.example.org/lib/{commit}/{path}#{first}-{last}'"),
    fails=_vendor("permalink: 'https://code.example.org/lib'"),
)
BAD_CHECK = _rule(
    "bad-check",
    "A check cannot be run as it is written.",
    "A check is one form with its arguments; beside it stand only `in:`, `scope:`, `symbol:` and `path:`. Code in it has to "
    "be complete in the language of the file: what does not parse would match nothing, without a word, and absence would "
    "be shown of everything. The page on checks has every form with examples.",
    passes=_claims(
        "claims:\n  ONE.1:\n    text: t\n    cites: L-LOOP\n    checks: [{calls: 'run($$$)', scope: file}]\n"
    ),
    fails=_claims("claims:\n  ONE.1:\n    text: t\n    cites: L-LOOP\n    checks: [{calls: 'run($$$', scope: file}]\n"),
)

_LOCK_HEAD = '{"format": "claimcheck.lock", "version": 1}\n'

LOCK_DAMAGED = _rule(
    "lock-damaged",
    "A line of anchors.lock cannot be read.",
    "claimcheck alone writes `anchors.lock`: a first line that names the format, then one line an anchor. Restore it "
    "from version control; without it, review states are lost, and `claimcheck lock` writes the rest again.",
    passes={"anchors.yaml": _GOOD, "anchors.lock": _LOCK_HEAD},
    fails={"anchors.yaml": _GOOD, "anchors.lock": _LOCK_HEAD + '{"id": "L-LOOP", \n'},
)
LOCK_VERSION = _rule(
    "lock-version",
    "anchors.lock was written by another version of claimcheck.",
    "Its first line names a version that this claimcheck does not know. Use the claimcheck that wrote it, or a later "
    "one; nothing is lost meanwhile.",
    passes={"anchors.yaml": _GOOD, "anchors.lock": _LOCK_HEAD},
    fails={"anchors.yaml": _GOOD, "anchors.lock": '{"format": "claimcheck.lock", "version": 2}\n'},
)

RULES: tuple[RuleInfo, ...] = (
    UNREADABLE,
    NOT_A_FILE,
    TOO_LARGE,
    NOT_READ,
    NOT_UTF8,
    CONTROL_CHARACTER,
    MERGE_CONFLICT,
    YAML_SYNTAX,
    YAML_ALIAS,
    YAML_TAG,
    YAML_DEPTH,
    YAML_DOCUMENTS,
    YAML_CONVERSION,
    DUPLICATE_KEY,
    DUPLICATE_ID,
    UNKNOWN_KEY,
    MISSING_KEY,
    WRONG_TYPE,
    BAD_VALUE,
    BAD_ID,
    RESERVED_ID,
    BAD_NAME,
    PREFIX_TAKEN,
    UNKNOWN_PREFIX,
    UNKNOWN_VENDOR,
    BAD_RANGE,
    RANGE_ORDER,
    BAD_FIND,
    BAD_PATH,
    SHORT_PIN,
    FLOATING_PIN,
    BAD_PIN,
    UNKNOWN_RELEASE,
    BAD_SHA256,
    BAD_URL,
    BAD_PERMALINK,
    BAD_CHECK,
    LOCK_DAMAGED,
    LOCK_VERSION,
)
