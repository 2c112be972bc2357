"""Write the parts of the documentation that follow from the code; with --check, only say whether they differ.

- docs/rules.md from the rules and their examples
- docs/commands.md from the commands' own help
- in README.md and docs/*.md, every block after `<!-- output: COMMAND -->` from running the command here. Lines of a
  vendor's source are shown as `…`, since source code of others is not kept in this repository. What they show is what
  a fresh machine without the pins has; where more is here, these blocks are left as they are.
"""

from __future__ import annotations

import argparse
import difflib
import functools
import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

from claimcheck import registry, rules
from claimcheck.checks import FORMS, Answer
from claimcheck.checks.form import Example
from claimcheck.checks.schema import definitions
from claimcheck.cli import COMMANDS, cli
from claimcheck.model import Place
from claimcheck.project import Project
from claimcheck.reports import explanations
from claimcheck.rules.lines_never_there import ENOUGH
from claimcheck.sources import Sources

ROOT = Path(__file__).resolve().parent.parent
MARKER = re.compile(r"(<!-- output: (?P<command>[^\n]+) -->\n```\n)(?P<block>.*?)(```\n)", re.DOTALL)
SOURCE_LINE = re.compile(r"^( *\d+ [|:]) .*$")
SHOWN_LINES = 3
CHECKS = Path("docs/checks.md")
BELOW = "<!-- From here on the page is generated from the forms themselves. -->\n"
SHOWN_CHECKS = 2
CHECK_INDENT = 6
LANGUAGES = {".py": "python", ".cpp": "cpp", ".md": "markdown"}
SCHEMA = Path("src/claimcheck/registry/schema.json")
FORM_DEFINITION = re.compile(r'(?:    "check(?:-[a-z-]+)?": \{.*\},\n)+')
SIZES = re.compile(r"\d+ releases?, +\d+ MB")  # they depend on git's version and on what else was fetched


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 when something would change")
    check = parser.parse_args().check
    wanted = {Path("docs/rules.md"): rules_page(), Path("docs/commands.md"): commands_page()}
    wanted[SCHEMA] = schema_text()
    wanted[CHECKS] = checks_page()
    if not as_on_a_fresh_machine():
        print("more is here than a fresh machine has: blocks with output are left as they are")
    for path in (Path("README.md"), *sorted(Path("docs").glob("*.md"))):
        if path not in wanted and (ROOT / path).exists() and as_on_a_fresh_machine():
            text = (ROOT / path).read_text("utf-8")
            wanted[path] = MARKER.sub(lambda match: match[1] + output_of(match["command"]) + match[4], text)
    differing = 0
    for path, text in wanted.items():
        before = (ROOT / path).read_text("utf-8") if (ROOT / path).exists() else ""
        if SIZES.sub("", before) == SIZES.sub("", text):
            continue
        differing += 1
        if check:
            lines = difflib.unified_diff(before.split("\n"), text.split("\n"), f"a/{path}", f"b/{path}", lineterm="")
            print("\n".join(list(lines)[:60]))
        else:
            (ROOT / path).write_text(text, "utf-8")
            print(f"wrote {path}")
    if check and differing:
        print(f"{differing} generated files differ; `make golden` writes them")
    return 1 if check and differing else 0


@functools.cache
def as_on_a_fresh_machine() -> bool:
    """Whether what is here of the vendors is what `vendor sync` brings where no forge can be reached."""
    project = Project.find(ROOT)
    loaded = registry.load(project)
    with Sources(project.root, loaded.vendors) as sources:
        states = [sources.state(name) for name in loaded.vendors]
    return all(state.stand_in_present and not state.pin_present and len(state.releases) < ENOUGH for state in states)


def schema_text() -> str:
    """The registry's schema with the definitions of the checks as their forms have them."""
    made = "".join(f'    "{name}": {json.dumps(each)},\n' for name, each in definitions().items())
    return FORM_DEFINITION.sub(lambda _: made, (ROOT / SCHEMA).read_text("utf-8"), count=1)


def checks_page() -> str:
    """The page on checks: what is written by hand, then every form with its examples."""
    by_hand = (ROOT / CHECKS).read_text("utf-8").partition(BELOW)[0]
    out = ["## Forms", "", "| form | |", "| --- | --- |"]
    out += [f"| [{name}](#{name}) | {form.INFO.summary} |" for name, form in FORMS.items()]
    for name, form in FORMS.items():
        out += ["", f"### {name}", "", form.INFO.summary, "", textwrap.fill(form.INFO.help, 120)]
        out += ["", *in_the_course(name)]
        for example in form.EXAMPLES:
            out += ["", *example_of(example)]
    return by_hand + BELOW + "\n" + "\n".join(out) + "\n"


def in_the_course(form: str) -> Iterator[str]:
    """The first checks of a form that claims of this project have, as they are written."""
    found = [
        (claim, f"checks.{n}")
        for claim in registry.load(Project.find(ROOT)).claims.values()
        for n, check in enumerate(claim.checks)
        if check.form == form
    ]
    if not found:
        yield "No claim of the course has one."
        return
    shown = list({claim.id: (claim, part) for claim, part in reversed(found)}.values())[::-1][:SHOWN_CHECKS]
    yield f"In the course, {' and '.join(claim.id for claim, _ in shown)}:"
    yield from ("", "```yaml")
    for claim, part in shown:
        yield from (line.removeprefix("      ") for line in written_check(claim.places[part]))
    yield "```"


def written_check(place: Place) -> Iterator[str]:
    """The lines of a check in its file."""
    lines = (ROOT / place.path).read_text("utf-8").split("\n")[(place.line or 1) - 1 :]
    yield lines[0]
    for line in lines[1:]:
        if len(line) - len(line.lstrip()) <= CHECK_INDENT:
            return
        yield line


def example_of(example: Example) -> Iterator[str]:
    """An example's source, its check, and what is said of it."""
    said = {Answer.HOLDS: "Holds", Answer.FAILS: "Fails", Answer.UNVERIFIED: "Unverified"}[example.answer]
    message = f": {example.says}" if example.says else ""
    nearest = f" (nearest: {example.nearest})" if example.nearest else ""
    yield f"{said}, {example.title}{message}{nearest}."
    yield from ("", f"```{LANGUAGES[example.language]}", *example.source.rstrip("\n").split("\n"), "```")
    yield from ("```yaml", f"- {example.check}", "```")


def rules_page() -> str:
    """All rules, with what each means and an example that it finds."""
    infos = sorted(rules.catalogue().values(), key=lambda info: info.name)
    out = [
        "# Rules",
        "",
        "Every finding ends with the name of its rule in brackets. `claimcheck explain RULE` prints the same as this page,",
        "which is generated from the rules themselves. A finding can be accepted by a waiver in `anchors.yaml`:",
        "`{rule: NAME, subject: ID, reason: ..., until: ...}`.",
        "",
        "| rule | severity | class | |",
        "| --- | --- | --- | --- |",
        *(f"| [{i.name}](#{i.name}) | {i.severity.value} | {i.kind.value} | {i.summary} |" for i in infos),
        "",
    ]
    for info in infos:
        page = explanations.page(info, rules.cases_of(info.name)).split("\n", 1)[1].strip()
        body, example, rest = page.partition("\nExample (")
        out += [f"## {info.name}", "", body.strip(), ""]
        if example:
            out += [f"Example ({rest.partition('):')[0]}):", "", "```", *dedented(rest.partition("):")[2]), "```", ""]
    return "\n".join(out).rstrip() + "\n"


def dedented(text: str) -> Iterator[str]:
    for line in text.strip("\n").split("\n"):
        yield line.removeprefix("    ")


def commands_page() -> str:
    """The help of every command."""
    out = ["# Commands", "", "Generated from `claimcheck COMMAND --help`.", ""]
    context = click.Context(cli, info_name="claimcheck")
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        out += help_of(command, context, name)
    return "\n".join(out).rstrip() + "\n"


def help_of(command: click.Command, parent: click.Context, name: str) -> list[str]:
    context = click.Context(command, info_name=name, parent=parent, terminal_width=100, max_content_width=100)
    title = context.command_path.removeprefix("claimcheck ")
    out = [f"## {title}", "", "```", *context.get_help().split("\n"), "```", ""]
    if isinstance(command, click.Group):
        for sub in command.list_commands(context):
            inner = command.get_command(context, sub)
            assert inner is not None
            out += help_of(inner, context, sub)
    return out


def output_of(command: str) -> str:
    """What a command prints in this project, with the lines of vendors' sources left out."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(shlex.split(command), cwd=ROOT, env=environment, capture_output=True, check=False)
    lines = (done.stdout + done.stderr).decode("utf-8").rstrip("\n").split("\n")
    return "\n".join([f"$ {command}", *without_source(lines)]) + "\n"


def without_source(lines: list[str]) -> Iterator[str]:
    """The lines with `…` for each line of source; of a long run of them the first and the last few."""
    run: list[str] = []
    for line in [*lines, None]:
        if line is not None and (SOURCE_LINE.match(line) or re.match(r"^ *\d+ \|$", line)):
            run.append(SOURCE_LINE.sub(r"\1 …", line))
            continue
        if len(run) > 2 * SHOWN_LINES:
            middle = f"[... {len(run) - 2 * SHOWN_LINES} lines]"
            run = [*run[:SHOWN_LINES], middle, *run[-SHOWN_LINES:]]
        yield from run
        run = []
        if line is not None:
            yield line


if __name__ == "__main__":
    sys.exit(main())
