"""The direction of imports: values at the bottom, thin commands on top, and each dangerous thing in one place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "claimcheck"
VALUES = {"values", "model", "texts", "outcome", "finding", "edit", "errors", "verdict"}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__") or "__init__"
        yield name, ast.parse(path.read_bytes())


def imports(tree: ast.Module) -> set[str]:
    """The modules that a module imports anywhere, our own ones without the package's name."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name.removeprefix("claimcheck.") for name in found}


def top(name: str) -> str:
    return name.partition(".")[0]


def test_the_package_is_found() -> None:
    assert {"cli", "model", "git.reader", "registry.load"} <= {name for name, _ in modules()}


def test_values_know_only_values() -> None:
    ours = {top(name) for name, _ in modules()}
    for name, tree in modules():
        if name in VALUES:
            used = {top(used) for used in imports(tree)} & ours
            assert used <= VALUES, f"{name} imports {used - VALUES}"


def test_nothing_imports_the_command_line() -> None:
    for name, tree in modules():
        if top(name) not in ("cli", "commands", "__main__"):
            used = {top(used) for used in imports(tree)}
            assert not used & {"cli", "commands", "click"}, name


def test_the_lower_packages_know_nothing_above_them() -> None:
    ours = {top(name) for name, _ in modules()}
    below = {
        "git": {*VALUES, "git", "flock", "terminal"},
        "project": {*VALUES, "flock"},
        "registry": {*VALUES, "registry", "project", "forges", "terminal", "checks"},
        "checks": {*VALUES, "checks", "syntax", "grammars", "kept", "phrases"},
        "documents": {*VALUES, "documents", "registry", "project", "terminal"},
        "records": {*VALUES, "records", "documents", "registry", "project", "forges", "permalinks", "terminal"},
    }
    for name, tree in modules():
        if top(name) in below:
            used = {top(used) for used in imports(tree)} & ours
            assert used <= below[top(name)], f"{name} imports {used - below[top(name)]}"


def test_formats_read_values_only() -> None:
    forbidden = {"git", "project", "registry", "vendors", "sources", "releases"}
    for name, tree in modules():
        if top(name) == "reports":
            assert not {top(used) for used in imports(tree)} & forbidden, name


def test_rendering_reads_and_writes_no_files() -> None:
    forbidden = {"git", "project", "registry", "sources", "vendors", "output_folder"}
    for name, tree in modules():
        if top(name) == "rendering":
            assert not {top(used) for used in imports(tree)} & forbidden, name


def test_each_library_has_its_place() -> None:
    places = {
        "yaml": {"registry"},
        "tree_sitter": {"grammars", "parsing", "syntax", "tokens"},
        "ast_grep_py": {"checks"},
        "jsonschema_rs": {"registry"},
        "click": {"cli", "commands"},
        "pypi_simple": {"releases"},
        "requests": {"releases"},
        "markdown_it": {"documents", "records", "rendering"},
        "pygments": {"highlighting"},
        "jinja2": {"reports", "rendering"},
        "rich": {"commands"},
        "subprocess": {"git"},
        "multiprocessing": {"workers"},
    }
    for name, tree in modules():
        for library, allowed in places.items():
            if library in {top(used) for used in imports(tree)}:
                assert top(name) in allowed, f"{name} imports {library}"


def test_relocation_sees_texts_and_no_repositories() -> None:
    for name, tree in modules():
        if top(name) in ("relocate", "locate", "syntax", "tokens", "checks"):
            assert not {top(used) for used in imports(tree)} & {"git", "sources", "project", "registry", "corpus"}, name


def test_no_module_has_a_name_that_says_nothing() -> None:
    for name, _ in modules():
        assert name.rpartition(".")[2] not in {"utils", "helpers", "common", "misc", "manager"}, name


def test_no_broad_except_but_the_outermost() -> None:
    for name, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ExceptHandler):
                caught = {part.id for part in ast.walk(node.type) if isinstance(part, ast.Name)} if node.type else {""}
                broad = caught & {"", "Exception", "BaseException"}
                assert not broad or name == "cli", f"{name}:{node.lineno}"
