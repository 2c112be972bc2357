"""What is wrong with a text that has not the form of its key, in a sentence, and what to write instead.

The schema says that a value has not its form; here the value is looked at to say why.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import NamedTuple

from claimcheck.forges import template_problem
from claimcheck.model import FULL_ID, MAX_LINE, SHA256_ID, Lines
from claimcheck.registry import problems
from claimcheck.registry.problems import Trouble
from claimcheck.registry.schema import fits
from claimcheck.registry.yaml_write import scalar
from claimcheck.terminal import shown
from claimcheck.texts import DASHES


class Written(NamedTuple):
    """A value as it is written: its key, its text, whether it is an item of a list, and whose entry it is in."""

    key: str
    text: str
    in_list: bool = False
    vendor: str | None = None

    @property
    def named(self) -> str:
        return f"{self.key} `{shown(self.text)}`"

    def paste(self, value: str) -> str:
        """A value to write instead, with its key unless it stands in a list."""
        return value if self.in_list else f"{self.key}: {value}"


_HEX = re.compile(r"[0-9a-fA-F]+\Z")
_SAFE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._/~^-]*\Z")
_DASHES = str.maketrans(dict.fromkeys(DASHES + ":", "-"))


def range_trouble(written: Written) -> Trouble:
    def trouble(message: str, fixed: str | None = None) -> Trouble:
        help = written.paste(fixed) if fixed is not None and Lines.parse(fixed) else None
        return Trouble(problems.BAD_RANGE, message, help)

    text, name = written.text, written.named
    if not text.strip():
        return trouble(f"{written.key} is empty; a range is FIRST-LAST or LINE")
    fixed = _plain_range(text)
    if match := re.fullmatch(r"([0-9]+)-([0-9]+)", text):
        first, last = int(match[1][:20]), int(match[2][:20])
        if first > MAX_LINE or last > MAX_LINE:
            return trouble(f"{name} goes beyond line {MAX_LINE:,}, the last that claimcheck counts")
        if first == 0 or last == 0:
            return trouble(f"{name}: lines are counted from 1")
        if match[1][0] == "0" or match[2][0] == "0":
            return trouble(f"{name} has a leading zero", fixed)
        return trouble(f"{name} runs backwards", f"{last}-{first}")
    if re.fullmatch(r"-?[0-9]+", text):
        if len(text) > 8 or int(text) > MAX_LINE:
            return trouble(f"{name} is beyond line {MAX_LINE:,}, the last that claimcheck counts")
        if int(text) <= 0:
            return trouble(f"{name}: lines are counted from 1")
        return trouble(f"{name} has a leading zero", fixed)
    if re.search(r"\d", text) and not re.search(r"[0-9]", text):
        return trouble(f"{name} has other digits than 0 to 9", fixed)
    return trouble(f"{name} is not a range; a range is FIRST-LAST or LINE", fixed)


def _plain_range(text: str) -> str | None:
    """What was probably meant: other dashes and digits, blanks and leading zeros taken for the plain ones."""
    digits = "".join(str(unicodedata.digit(char, char)) for char in text.translate(_DASHES))
    parts = re.sub(r"\s+", "", digits).lstrip("L").replace("-L", "-").split("-")
    if not 1 <= len(parts) <= 2 or not all(re.fullmatch(r"[0-9]+", part) for part in parts):
        return None
    return "-".join(part.lstrip("0") or "0" for part in parts)


def pin_trouble(written: Written) -> Trouble:
    stripped = written.text.strip()
    if FULL_ID.match(stripped.lower()) or SHA256_ID.match(stripped.lower()):
        what = "has blanks around it" if stripped != written.text else "has capital letters; git writes small ones"
        return Trouble(problems.BAD_PIN, f"{written.named} {what}", written.paste(f'"{stripped.lower()}"'))
    if _HEX.match(stripped):
        return _short_pin(written, stripped)
    if stripped.startswith("release/"):
        return Trouble(problems.BAD_PIN, f"{written.named} names no version; a release is release/VERSION")
    if not stripped:
        return Trouble(problems.BAD_PIN, f"{written.key} is empty; a pin is a full commit id or release/VERSION")
    message = f"{written.named} can come to mean another commit; a pin is a full commit id or release/VERSION"
    return Trouble(problems.FLOATING_PIN, message, _rev_parse(stripped, written.vendor))


def _short_pin(written: Written, digits: str) -> Trouble:
    number = "1 digit" if len(digits) == 1 else f"{len(digits)} digits"
    help = _rev_parse(digits, written.vendor) if len(digits) < 40 else None
    return Trouble(problems.SHORT_PIN, f"{written.named} has {number}; a pin has 40", help)


def _rev_parse(name: str, vendor: str | None) -> str | None:
    """The command that prints the full id; only for names that can be pasted into a shell as they are."""
    if vendor is None or not _SAFE_NAME.match(name):
        return None
    return f"git -C vendor/{vendor} rev-parse {name}    prints the full id, as it is today"


def until_trouble(written: Written) -> Trouble:
    if _HEX.match(written.text.strip()):
        return pin_trouble(written)
    message = f"{written.named} is neither a full commit id nor `release`"
    return Trouble(problems.BAD_VALUE, message)


def path_trouble(written: Written) -> Trouble:
    canonical = canonical_path(written.text)
    help = written.paste(scalar(canonical)) if canonical else None
    return Trouble(problems.BAD_PATH, f"{written.key} {_path_fault(written.text)}", help)


def _path_fault(text: str) -> str:
    control = next((char for char in text if unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs")), None)
    name = f"`{shown(text)}`"
    if not text:
        return "is empty; it names a file below the vendor's root"
    if control:
        return f"{name} has a control character, U+{ord(control):04X}"
    if "\\" in text:
        return f"{name} has a backslash; git separates folders by /"
    if re.match(r"[A-Z]:|[A-Za-z]:/", text):
        return f"{name} has a drive letter; paths are relative to the root"
    if text.startswith("/"):
        return f"{name} is absolute; paths are relative to the root"
    if text.startswith("~"):
        return f"{name} begins with ~, which is not expanded; paths are relative to the root"
    if text != text.strip():
        return f"{name} has a blank at an end"
    segments = text.split("/")
    if ".." in segments:
        return f"{name} has `..` in it"
    if "." in segments:
        return f"{name} has `.` in it"
    if text.endswith("/"):
        return f"{name} ends with a slash; a file is meant, not a folder"
    return f"{name} has two slashes in a row" if "//" in text else f"{name} is too long"


def canonical_path(text: str) -> str | None:
    """The one spelling of a path that git knows, or None where it cannot be guessed."""
    path = re.sub(r"^[A-Za-z]:(?=[/\\])|^[A-Z]:", "", text.strip()).replace("\\", "/")
    path = posixpath.normpath(path.lstrip("/")) if path.strip("/") else "."
    if path == "." or path.startswith(("../", "~")) or path == ".." or len(path) > 4096:
        return None
    return None if any(unicodedata.category(char) in ("Cc", "Cs") for char in path) else path


def find_trouble(written: Written) -> Trouble:
    text = written.text
    if "\n" in text.strip("\n") or "\r" in text.strip("\r\n"):
        message = f"{written.named} has several lines; a search string is one line"
    elif "\n" in text:
        message = f"{written.named} ends with a line break, which no line has; a block text is written with |-"
    elif not text.strip():
        message = f"{written.key} {'has only blanks' if text else 'is empty'}; it would be found everywhere"
    elif len(text) > 1000:
        message = f"{written.named} is longer than 1,000 characters"
    else:
        double = "" if text.isascii() else "; Chinese, Japanese and Korean ones count double"
        message = f"{written.named} has fewer than three characters that are not blanks{double}"
    return Trouble(problems.BAD_FIND, message)


def url_trouble(written: Written) -> Trouble:
    text = written.text
    if match := re.match(r"(https?|ssh)://([^/@\s]+)@(\S*)", text):
        clean = f"{match[1]}://{match[3]}"
        if match[1] != "ssh" or ":" in match[2]:
            # The text itself is not shown: it may hold a password.
            message = f"{written.key} has a user name or a password in it; it would be printed and committed"
            return Trouble(problems.BAD_URL, message, written.paste(clean) if match[1] != "http" else None)
    if re.search(r":.*@", text):
        return Trouble(problems.BAD_URL, f"{written.key} has an @ where a host is expected")
    name = written.named
    if len(text) > 1000:
        return Trouble(problems.BAD_URL, f"{name} is longer than 1,000 characters")
    if "::" in text:
        return Trouble(problems.BAD_URL, f"{name} can name a program to run; fetched are https, ssh and git@HOST:PATH")
    if text.startswith("-"):
        return Trouble(problems.BAD_URL, f"{name} begins with -, like an option")
    if text.startswith("http://"):
        help = written.paste("https://" + text.removeprefix("http://"))
        return Trouble(problems.BAD_URL, f"{name} is not encrypted", help if not re.search(r"\s", text) else None)
    if text.startswith(("file:", "/", ".", "~")):
        message = f"{name} is a place on this machine; leave url out, and use claimcheck vendor sync --from PATH"
        return Trouble(problems.BAD_URL, message)
    return Trouble(problems.BAD_URL, f"{name} is not https://HOST/PATH, ssh://HOST/PATH or git@HOST:PATH")


def permalink_trouble(written: Written) -> Trouble:
    fault = template_problem(written.text) or "there is no slash after its host"
    return Trouble(problems.BAD_PERMALINK, f"{written.named} cannot be used: {fault}")


def sha256_trouble(written: Written) -> Trouble:
    stripped = written.text.strip().removeprefix("sha256:")
    if fits("sha256", stripped.lower()):
        message = f"the checksum of {written.key} is 64 hexadecimal digits in small letters and nothing else"
        return Trouble(problems.BAD_SHA256, message, f'"{written.key}": {stripped.lower()}')
    if re.fullmatch(r"[0-9a-fA-F]+", stripped):
        message = f"the checksum of {written.key} has {len(stripped)} digits; a sha256 has 64"
        return Trouble(problems.BAD_SHA256, message)
    return Trouble(problems.BAD_SHA256, f"the checksum of {written.key}, `{shown(written.text)}`, is no sha256")


def prefix_trouble(written: Written) -> Trouble:
    message = f"{written.named} is not a capital letter and at most seven more capital letters or digits"
    fixed = written.text.strip().rstrip("-").upper()
    help = written.paste(fixed) if fits("prefix", fixed) else None
    return Trouble(problems.BAD_NAME, message, help)


def name_trouble(written: Written) -> Trouble:
    text = written.text
    message = f"`{shown(text)}` is not a vendor's name: small letters, digits, dots, hyphens, underscores"
    if text.endswith(".git"):
        message = f"`{shown(text)}` is not a vendor's name: vendor/NAME.git is claimcheck's own copy"
    return Trouble(problems.BAD_NAME, message)


def package_trouble(written: Written) -> Trouble:
    return Trouble(problems.BAD_NAME, f"{written.named} is not a package's name")


def version_trouble(written: Written) -> Trouble:
    return Trouble(problems.BAD_VALUE, f"`{shown(written.text)}` is not a version such as 0.33.0")


def language_trouble(written: Written) -> Trouble:
    return Trouble(problems.BAD_VALUE, f"{written.named} is not a language such as zh or en-GB")


def line_trouble(written: Written) -> Trouble:
    if not written.text.strip():
        return Trouble(problems.BAD_VALUE, f"{written.key} is empty")
    what = "is longer than 1,000 characters" if len(written.text) > 1000 else "has a line break; it is one line"
    return Trouble(problems.BAD_VALUE, f"{written.named} {what}")


def text_trouble(written: Written) -> Trouble:
    what = "is longer than 100,000 characters" if written.text.strip() else "is empty"
    return Trouble(problems.BAD_VALUE, f"{written.key} {what}")


def code_trouble(written: Written) -> Trouble:
    what = "is longer than 4,000 characters" if written.text.strip() else "is empty"
    return Trouble(problems.BAD_VALUE, f"{written.key} {what}")


def expectation_trouble(written: Written) -> Trouble:
    return Trouble(problems.BAD_VALUE, f"{written.named} is neither `present`, `absent` nor a number")


def anchor_id_trouble(written: Written) -> Trouble:
    if fits("example-id", written.text):
        message = "an ID of PREFIX-E and a number is an example's, not an anchor's"
        return Trouble(problems.RESERVED_ID, message)
    return _id_trouble(written.text, "an anchor's ID: PREFIX-NAME in capital letters and digits, such as V-POOL")


def example_id_trouble(written: Written) -> Trouble:
    return _id_trouble(written.text, "an example's ID: a prefix, -E and a number, such as V-E1")


def claim_id_trouble(written: Written) -> Trouble:
    return _id_trouble(written.text, "a claim's ID: a lesson, a dot and a number, such as V1.5 or V1.5b")


def erratum_id_trouble(written: Written) -> Trouble:
    return _id_trouble(written.text, "an erratum's ID: E and two numbers, such as E08-1")


def cited_id_trouble(written: Written) -> Trouble:
    stripped = written.text.strip().removeprefix("[").removesuffix("]")
    help = written.paste(stripped) if stripped != written.text and fits("cited-id", stripped) else None
    message = f"{written.named} is not an ID such as V-POOL or V1.5"
    return Trouble(problems.BAD_ID, message, help)


def _id_trouble(text: str, what: str) -> Trouble:
    if len(text) > 80:
        return Trouble(problems.BAD_ID, f"`{shown(text)}` is longer than 80 characters")
    return Trouble(problems.BAD_ID, f"`{shown(text)}` is not {what}")


Wording = Callable[[Written], Trouble]

# By the name of the definition in the schema that the value does not fit.
WORDINGS: Mapping[str, Wording] = {
    "line": line_trouble,
    "text": text_trouble,
    "language": language_trouble,
    "words": line_trouble,
    "code": code_trouble,
    "expectation": expectation_trouble,
    "cited-anchor": cited_id_trouble,
    "anchor-id": anchor_id_trouble,
    "example-id": example_id_trouble,
    "claim-id": claim_id_trouble,
    "erratum-id": erratum_id_trouble,
    "cited-id": cited_id_trouble,
    "vendor-name": name_trouble,
    "prefix": prefix_trouble,
    "package": package_trouble,
    "version": version_trouble,
    "sha256": sha256_trouble,
    "pin": pin_trouble,
    "until": until_trouble,
    "url": url_trouble,
    "permalink": permalink_trouble,
    "path": path_trouble,
    "path-or-list": path_trouble,
    "range": range_trouble,
    "ranges": range_trouble,
    "string": find_trouble,
    "strings": find_trouble,
}
