"""One page for a browser that fetches nothing: the repositories as a table that sorts, and what is in the way of most.

Its style and its script are the only ones that its Content Security Policy lets run, by their digests; whatever comes
from a repository is text.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from hipify_py.core.terminal_escape import visible
from hipify_py.core.translation import OUTCOMES
from hipify_py.report.figures import percent
from hipify_py.report.places import shown_path
from hipify_py.survey.account import Account
from hipify_py.survey.record import READY, UNDONE
from hipify_py.survey.table import row_of

_SCRIPTS = ("elements.js", "tables.js")
_SHARED = 500
"""Rows of the table of blockers."""


def render(account: Account) -> bytes:
    """The page."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["shown"] = lambda text: visible(shown_path(text))
    style, script = _part("page.css"), '"use strict";\n(() => {\n' + "".join(map(_part, _SCRIPTS)) + "})();\n"
    page = (files("hipify_py.survey") / "page.html").read_text(encoding="utf-8")
    text = environment.from_string(page).render(
        style=style,
        script=script,
        style_digest=_digest(style),
        script_digest=_digest(script),
        document=account.head_document(),
        account=account,
        shared=account.blockers[:_SHARED],
        rows=[(record, row_of(record)) for record in account.records],
        builds=account.builds,
        causes=account.causes[:_SHARED],
        outcomes=OUTCOMES,
        ready=READY,
        undone=UNDONE,
        percent=percent,
        number="{:,}".format,
    )
    return text.encode()


@cache
def _part(name: str) -> str:
    return (files("hipify_py.report") / "page" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
