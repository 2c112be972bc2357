"""The command line itself: help with examples, exit codes, odd environments, closed pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from claimcheck.cli import COMMANDS, cli
from conftest import Claimcheck, MakeProject
from small import COMMITS, FILES

COMMAND = [sys.executable, "-I", "-m", "claimcheck"]
HEEDING = [sys.executable, "-P", "-m", "claimcheck"]  # heeds PYTHON… variables, which -I ignores


def every_command() -> list[click.Context]:
    top = click.Context(cli, info_name="claimcheck")
    found = []
    for name in COMMANDS:
        command = cli.get_command(top, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=top)
        found.append(context)
        if isinstance(command, click.Group):
            for sub in command.list_commands(context):
                inner = command.get_command(context, sub)
                assert inner is not None
                found.append(click.Context(inner, info_name=sub, parent=context))
    return found


@pytest.mark.parametrize("context", every_command(), ids=lambda context: context.command_path)
def test_every_command_explains_itself(context: click.Context) -> None:
    text = context.get_help()
    if context.command.name not in ("schema",):
        assert "Example" in text
    for parameter in context.command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{context.command_path} {parameter.name}"


def test_version(tmp_path: Path, claimcheck: Claimcheck) -> None:
    ran = claimcheck("--version", cwd=tmp_path)
    assert ran.code == 0
    assert ran.out.startswith("claimcheck 0.") and "claimcheck-toolkit" in ran.out


@pytest.mark.parametrize("arguments", [["verfy"], ["verify", "--nope"], ["verify", "--format", "xml"], ["excerpt"]])
def test_usage_errors(arguments: list[str], tmp_path: Path, claimcheck: Claimcheck) -> None:
    ran = claimcheck(*arguments, cwd=tmp_path)
    assert ran.code == 2
    assert ran.err.startswith("error: ")


def test_a_mistyped_command_is_guessed(tmp_path: Path, claimcheck: Claimcheck) -> None:
    assert claimcheck("verfy", cwd=tmp_path).err.startswith("error: no command verfy; did you mean verify?\n")


def test_outside_a_project(tmp_path: Path, claimcheck: Claimcheck) -> None:
    ran = claimcheck("verify", cwd=tmp_path)
    assert ran.code == 2
    assert "no anchors.yaml" in ran.err


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "C.UTF-8"},
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "ascii"},
        {"HOME": "/nonexistent", "TZ": "Pacific/Kiritimati"},
    ],
    ids=str,
)
def test_locale_and_encoding_change_nothing_but_how_it_is_written(
    environment: dict[str, str], make_project: MakeProject
) -> None:
    files = {
        "anchors.yaml": FILES["anchors.yaml"].replace("find: def take", "find: 变量名"),
        "claims/one.yaml": FILES["claims/one.yaml"],
    }
    source = COMMITS[0]["pool.py"].replace("free.get()", "free.get()  # 变量名 — café")
    project = make_project(files, {"pool.py": source})
    wanted = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    done = subprocess.run(
        [*HEEDING, "verify"], cwd=project.root, env={**wanted, **environment}, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(b"All verified, 2 claims by citation only.\n")
    shown = subprocess.run(
        [*HEEDING, "excerpt", "L-TAKE"],
        cwd=project.root,
        env={**wanted, **environment},
        capture_output=True,
        check=False,
    )
    assert shown.returncode == 0, shown.stderr
    assert b"Traceback" not in shown.stderr


def test_a_closed_pipe_ends_quietly(make_project: MakeProject) -> None:
    rows = "".join(f"  L-A{n}: {{path: pool.py, lines: 1-2, find: nothing {n}}}\n" for n in range(2000))
    files = {**FILES, "anchors.yaml": FILES["anchors.yaml"] + rows}
    project = make_project(files, *COMMITS)
    child = subprocess.Popen(
        [*COMMAND, "verify", "--verbose"], cwd=project.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None and child.stderr is not None
    child.stdout.readline()
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait(timeout=60) == 141


def test_interrupts_have_their_exit_codes(tmp_path: Path) -> None:
    script = (
        "import signal, time\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # whoever runs the tests may ignore it
        "import claimcheck.cli as c\n"
        "c.run = lambda a=None: (print('up', flush=True), time.sleep(30))\n"
        "c.main([])\n"
    )
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(0.05)
            child.send_signal(number)
            try:
                _, err = child.communicate(timeout=20)
            finally:
                child.kill()
        assert (child.returncode, err) == (128 + number, b"")


def test_a_bug_is_one_line_and_its_own_exit_code() -> None:
    script = "import claimcheck.cli as c\ndef f(a=None): raise KeyError('secret /home/x')\nc.run = f\nc.main([])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert done.returncode == 3
    assert done.stderr.startswith(b"claimcheck: internal error: KeyError\n")
    assert b"secret" not in done.stderr


def test_a_hostile_folder_is_not_imported_from(make_project: MakeProject) -> None:
    project = make_project(FILES, *COMMITS)
    for name in ("yaml", "git", "click", "claimcheck"):
        (project.root / f"{name}.py").write_text("open('canary', 'w')\n")
    done = subprocess.run([*COMMAND, "verify"], cwd=project.root, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not (project.root / "canary").exists()


def test_reading_commands_open_nothing_for_writing(make_project: MakeProject) -> None:
    project = make_project(FILES, *COMMITS)
    before = {path: path.stat().st_mtime_ns for path in project.root.rglob("*")}
    for arguments in (["verify"], ["excerpt", "L-TAKE"], ["cite", "L-TAKE"], ["list"], []):
        done = subprocess.run([*COMMAND, *arguments], cwd=project.root, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
    assert {path: path.stat().st_mtime_ns for path in project.root.rglob("*")} == before
