"""What untrusted text looks like when it is shown, and which hidden characters are found in it."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from claimcheck.terminal import (
    CI_COMMAND,
    HIDDEN,
    HiddenKind,
    encodable,
    escaped,
    hidden,
    visible,
    visible_block,
)

ANY_TEXT = st.text(st.characters(codec=None), max_size=60)

ACTING_ON_A_TERMINAL = {
    "link": "\x1b]8;;https://evil.example/\x1b\\text\x1b]8;;\x1b\\",
    "clipboard": "\x1b]52;c;ZWNobyBoaQ==\x07",
    "reset": "\x1bc",
    "cursor up and erase": "\x1b[1A\x1b[2K",
    "device control": "\x1bP1$r0m\x1b\\",
    "overwriting the line": "secret\rpublic",
    "one-byte introducer": "\x9b31mred",
    "backspaces": "yes\x08\x08\x08no",
    "delete": "a\x7fb",
    "null": "a\x00b",
    "form feed and vertical tab": "a\x0c\x0bb",
    "next line": "a\x85b",
    "line and paragraph separator": "a\u2028b\u2029c",
}


@pytest.mark.parametrize("text", ACTING_ON_A_TERMINAL.values(), ids=ACTING_ON_A_TERMINAL.keys())
def test_nothing_that_acts_on_a_terminal_is_left(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    assert len(shown.split("\n")) == 1
    assert len(shown) > len(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("a\u202eb", r"a\u202eb"),
        ("a\u2066b\u2069", r"a\u2066b\u2069"),
        ("na\u200bme", r"na\u200bme"),
        ("x\ufeffy", r"x\ufeffy"),
        ("a\rb\nc", r"a\rb\nc"),
        ("\x9b", r"\x9b"),
        ("\U000e0041", r"\U000e0041"),
        ("caf\udce9.py", r"caf\xe9.py"),
        ("\ud800", r"\ud800"),
    ],
)
def test_hidden_characters_are_shown_by_their_code(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert escaped(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\tif (a && b) { return '\\x1b'; }",
        '变量 = "café"  # 命中后的 touch 增加引用计数，必要时……',
        "def 変数(): …",
        "⚠️ 👩‍💻 1️⃣ ✔︎ 👍🏽 🏳️‍🌈",
        "naïve — “quoted” – done",
        "مرحبا بالعالم",
        "x = {{ title }} ${{ secrets.X }} ## heading [link]",
        'case "${name##[!0-9]*}" in ${x##[a-zA-Z]*}',
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert visible(text) == text
    assert hidden(text) == ()


@pytest.mark.parametrize(
    "text", ["a\u200db", "e\ufe0f", "⚠\ufe0f\ufe0f", "\u200d👩", "👩\u200dx", "1\ufe0f", "if\u200c_x"]
)
def test_joiners_and_selectors_stay_only_inside_an_emoji(text: str) -> None:
    assert visible(text) != text
    assert len(hidden(text)) == 1


@pytest.mark.parametrize(
    "command",
    [
        "##vso[task.setvariable variable=PATH]/evil",
        "##teamcity[buildStatus status='SUCCESS']",
        "##[error]forged",
        "##[add-mask]e",
        "##[set-env name=PATH]x",
        "##[GROUP]x",
    ],
)
def test_a_command_that_counts_anywhere_in_a_line_is_broken(command: str) -> None:
    assert not CI_COMMAND.search(visible(f"  7 | {command} {command}"))
    assert visible(command) == rf"#\x23{command[2:]}"


def test_in_a_block_line_feeds_stay_and_nothing_else_does() -> None:
    assert visible_block("a\n\tb\r\n\x1b[0mc\n") == "a\n\tb\\r\n\\x1b[0mc\n"


def test_hidden_characters_have_their_column_name_and_kind() -> None:
    found = hidden('变 = "a\u202e\u200b"\x1b\x01')
    assert [(one.column, one.label, one.kind) for one in found] == [
        (7, "U+202E RIGHT-TO-LEFT OVERRIDE", HiddenKind.BIDI),
        (8, "U+200B ZERO WIDTH SPACE", HiddenKind.INVISIBLE),
        (10, "U+001B ESCAPE", HiddenKind.CONTROL),
        (11, "U+0001", HiddenKind.CONTROL),
    ]


def test_only_what_the_reader_cannot_see_deceives() -> None:
    assert [one.deceives for one in hidden("\u2067\u00ad\x0c\r\u2028")] == [True, True, False, False, False]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "utf-8", "utf-16", "no-such-encoding"])
def test_any_stream_can_write_what_is_encodable(encoding: str) -> None:
    text = encodable("块 … café \udcff", encoding)
    known = "ascii" if encoding == "no-such-encoding" else encoding
    assert text.encode(known).decode(known) == text
    assert "caf" in text


def test_what_the_stream_can_write_is_not_touched() -> None:
    assert encodable("café …", "cp1252") == "café …"
    assert encodable("块", "utf-8") == "块"
    assert encodable("块 ok", "ascii") == r"\u5757 ok"


@given(ANY_TEXT)
@example("é 块 \U0001f600 \x80")
def test_a_json_document_is_one_in_every_encoding(text: str) -> None:
    document = json.dumps({"text": text.encode("utf-16", "ignore").decode("utf-16", "ignore")}, ensure_ascii=False)
    for encoding in ("ascii", "cp1252", "utf-8"):
        assert json.loads(encodable(document, encoding)) == json.loads(document)


@given(ANY_TEXT)
@example("\ud83d\ude00")
def test_shown_text_hides_nothing_and_needs_no_second_pass(text: str) -> None:
    shown = visible(text)
    assert not HIDDEN.search(shown)
    assert not CI_COMMAND.search(shown)
    assert visible(shown) == shown
    assert not re.search(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", shown)
    shown.encode("utf-8")


@given(ANY_TEXT)
def test_every_hidden_character_stands_at_its_column_and_the_rest_is_kept(text: str) -> None:
    found = hidden(text)
    assert all(text[one.column - 1] == one.character for one in found)
    if not found:
        assert escaped(text) == text
