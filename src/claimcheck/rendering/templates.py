"""Templates: the package's own pieces and the project's over them, run where they can do nothing but make text.

Whatever comes from repositories, registries and documents is a value, never the source of a template. Values are
escaped for the target whatever the template is called: for HTML by the engine, for Markdown by the same mechanism with
Markdown's escapes. A template gets plain data; it reaches no file, no module and no name that begins with `_`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import resources
from types import TracebackType
from typing import Any

from jinja2 import BaseLoader, StrictUndefined, TemplateError, TemplateNotFound, TemplateSyntaxError
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from claimcheck.errors import ClaimcheckError
from claimcheck.library import TEMPLATES
from claimcheck.model import Place
from claimcheck.terminal import CI_COMMAND, escaped
from claimcheck.values import frozen

CONTENTS = "claimcheck.rendering.contents"
MOST_OUTPUT = 20_000_000
MOST_PRODUCT = 1_000_000
MOST_EXPONENT = 1000

HTML = "html"
MARKDOWN = "md"


class TemplateFailed(ClaimcheckError):
    """A template cannot be used, or what it does is stopped; the place is the template's name and line."""


BUILT_IN = "claimcheck/"


@frozen(slots=False, eq=False)
class Templates:
    """The project's own templates by name, such as `page.html.jinja`; what it lacks is the package's.

    The package's are there as `claimcheck/page.html.jinja` too, so that a project's can extend what it replaces.
    """

    own: Mapping[str, str]

    def __contains__(self, name: str) -> bool:
        return name in self.own or name.removeprefix(BUILT_IN) in built_in()

    def source(self, name: str) -> str:
        """A file as it is, for those that are no templates."""
        return self.own[name] if name in self.own else built_in()[name.removeprefix(BUILT_IN)]


@cache
def built_in() -> Mapping[str, str]:
    """The templates of the package by name."""
    folder = resources.files("claimcheck.rendering") / "builtin"
    return {entry.name: entry.read_bytes().decode("utf-8") for entry in folder.iterdir() if entry.is_file()}


class _Loader(BaseLoader):
    def __init__(self, templates: Templates) -> None:
        self._templates = templates

    def get_source(self, environment: Any, template: str) -> tuple[str, str, Callable[[], bool]]:
        if template not in self._templates:
            raise TemplateNotFound(template)
        return self._templates.source(template), _file_name(template, self._templates), lambda: True


class _Sandbox(ImmutableSandboxedEnvironment):
    """The engine's sandbox, in which numbers and repetitions cannot grow without end."""

    intercepted_binops = frozenset({"*", "**", "%"})

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        # The fields of contents are most of what is asked for; what the engine would look at else takes its time.
        if type(obj).__module__ == CONTENTS and attr in type(obj).__dataclass_fields__:
            return True
        return super().is_safe_attribute(obj, attr, value)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "**" and not (_small(left) and _small(right)):
            raise SecurityError("a power of numbers that are not small")
        if operator == "*" and _size(left) * _size(right) > MOST_PRODUCT:
            raise SecurityError("a repetition that is too long")
        if operator == "%" and not isinstance(left, int | float):
            raise SecurityError("`%` is for numbers only")
        return super().call_binop(context, operator, left, right)


def _small(value: object) -> bool:
    return isinstance(value, int | float) and abs(value) <= MOST_EXPONENT


def _size(value: object) -> int:
    """How much a factor makes of a repetition: a number its own value beside a text or list, the latter their length."""
    if isinstance(value, str | bytes | list | tuple):
        return max(1, len(value)) if value else 0
    return max(0, min(int(value), 10**12)) if isinstance(value, int) else 1


class Engine:
    """Runs the templates of one project for one target."""

    def __init__(self, templates: Templates, target: str, functions: Mapping[str, Callable[..., object]]) -> None:
        self._templates = templates
        self._environment = _Sandbox(
            loader=_Loader(templates),
            autoescape=True,  # for Markdown too: its own escapes come first, as markup, and so what macros give is whole
            undefined=StrictUndefined,
            finalize=_for_html if target == HTML else _for_markdown,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            cache_size=-1,
            auto_reload=False,
        )
        for dangerous in ("lipsum", "cycler", "joiner"):
            del self._environment.globals[dangerous]
        for filter in ("xmlattr", "random", "pprint"):
            del self._environment.filters[filter]
        self._environment.globals |= functions

    def render(self, name: str, /, **values: object) -> str:
        """What a template makes of values; raises TemplateFailed with its name and line for whatever goes wrong."""
        try:
            pieces = list(_limited(self._environment.get_template(name).generate(values)))
        except TemplateSyntaxError as error:
            raise TemplateFailed(
                _sentence(error.message or "it cannot be read"), place=self._place(error.name or name, error.lineno)
            ) from None
        except TemplateNotFound as error:
            raise TemplateFailed(
                f"there is no template {escaped(str(error.name))}", place=self._where(error, name)
            ) from None
        except (TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise TemplateFailed(_sentence(str(error)), place=self._where(error, name)) from None
        except RecursionError as error:
            raise TemplateFailed("it calls or includes itself without end", place=self._where(error, name)) from None
        except MemoryError as error:
            raise TemplateFailed("it needs too much memory", place=self._where(error, name)) from None
        except TimeoutError as error:
            raise TemplateFailed("it takes too long", place=self._where(error, name)) from None
        return "".join(pieces)

    def _where(self, error: BaseException, name: str) -> Place:
        """The last line of a template in a traceback, in which the engine writes templates' own lines."""
        known = {_file_name(each, self._templates): each for each in (*self._templates.own, *built_in())}
        place = self._place(name, None)
        trace: TracebackType | None = error.__traceback__
        while trace is not None:
            file = trace.tb_frame.f_code.co_filename
            if file in known:
                place = Place(file, trace.tb_lineno)
            trace = trace.tb_next
        return place

    def _place(self, name: str, line: int | None) -> Place:
        return Place(_file_name(name, self._templates), line)


def _file_name(name: str, templates: Templates) -> str:
    """What people know a template by: its path in the project, or where it is in the package."""
    if name in templates.own:
        return f"{TEMPLATES}/{name}"
    return f"claimcheck/rendering/builtin/{name.removeprefix(BUILT_IN)}"


def _limited(pieces: Iterator[str]) -> Iterator[str]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > MOST_OUTPUT:
            raise SecurityError(f"it makes more than {MOST_OUTPUT // 1_000_000} million characters")
        yield piece


def _sentence(message: str) -> str:
    return escaped(" ".join(message.split()))[:300] or "it failed"


def _for_html(value: object) -> object:
    """Hidden characters as escapes, and no command for a CI runner; what is markup already has been here before."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return html_text(value)


def html_text(value: str) -> Markup:
    """A text as character data or the value of a quoted attribute."""
    return shown_text(value if value.isascii() and value.isprintable() else escaped(value))


def shown_text(value: str) -> Markup:
    """As `html_text`, of a text without hidden characters."""
    text = escape(value)
    return Markup(CI_COMMAND.sub("#&#35;", str(text))) if "##" in text else text


def _for_markdown(value: object) -> object:
    from claimcheck.reports.excerpts_markdown import plain

    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return Markup(plain(value))
