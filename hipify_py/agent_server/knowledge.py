"""What hipify-py knows without a project: names, findings and tables."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from hipify_py.agent_server.limits import (
    LONGEST_NAME,
    LONGEST_RESOURCE,
    MOST_NAMES,
    bounded,
    page_of,
    shortened,
)
from hipify_py.agent_server.roots import Refused
from hipify_py.catalog import Targeting, load_catalog
from hipify_py.catalog.installed import default_rocm, parse_cuda_version, parse_rocm_version
from hipify_py.catalog.places import mappings_dir
from hipify_py.cli.query import look_up_all, symbol_documents
from hipify_py.core.targeting import HIP
from hipify_py.report.explain import canonical, document, explain, known_ids, list_lines, near_ids, page
from hipify_py.report.query.document import document as query_document

_TABLE = re.compile(r"[a-z0-9_]{1,64}")


class Unknown(Refused):
    """There is no finding or table of a name."""


def query(
    names: Sequence[str], *, cuda: str = "", rocm: str = "", target: str = "", offset: int, limit: int
) -> dict[str, Any]:
    """What `hipify-py query` says of names.

    Raises:
        Refused: too many or too long names, or a version that is none.
    """
    if not names or len(names) > MOST_NAMES:
        raise Refused(f"give 1 to {MOST_NAMES} names")
    if any(not name or len(name) > LONGEST_NAME or "\0" in name for name in names):
        raise Refused(f"a name has 1 to {LONGEST_NAME} characters, and no NUL")
    try:
        chosen = parse_rocm_version(rocm) if rocm else default_rocm().version
        targeting = Targeting(parse_cuda_version(cuda) if cuda else "", chosen or "", target or HIP)
    except ValueError as error:
        raise Refused(shortened(str(error))) from error
    catalog = load_catalog(targeting)
    whole = query_document(catalog, symbol_documents(catalog, look_up_all(catalog, names)))
    found = page_of(whole["symbols"], offset, limit)
    return {
        "versions": whole["for"],
        "symbols": [bounded(symbol) for symbol in found.items],
        "symbols_in_all": len(whole["symbols"]),
        "left_out": found.left_out,
        "next_offset": found.next_offset,
    }


def explained(id: str) -> dict[str, Any]:
    """What `hipify-py explain` says of a finding.

    Raises:
        Unknown: there is none with this id.
    """
    found = document(explain(_known(id)))
    return {**{key: bounded(value) for key, value in found.items()}, "page": f"hipify-py://finding/{found['id']}"}


def finding_page(id: str) -> str:
    """The page of a finding, in Markdown.

    Raises:
        Unknown: there is none with this id.
    """
    return page(explain(_known(id)))


def finding_list() -> str:
    """The findings, one a line."""
    return "".join(f"{line}\n" for line in list_lines(known_ids()))


def table_names() -> list[str]:
    """The mapping tables."""
    return sorted(name.removesuffix(".yaml") for name in os.listdir(mappings_dir()) if name.endswith(".yaml"))


def table(name: str, offset: int) -> str:
    """A part of a mapping table, in YAML; a last line says how to get the rest.

    Raises:
        Unknown: there is none of this name.
    """
    if not _TABLE.fullmatch(name) or name not in table_names():
        raise Unknown(f"there is no table {shortened(name, 100)!r}; hipify-py://tables lists them")
    with open(os.path.join(mappings_dir(), f"{name}.yaml"), encoding="utf-8") as file:
        text = file.read()
    shown = text[offset : offset + LONGEST_RESOURCE]
    end = offset + len(shown)
    if end >= len(text):
        return shown
    # A whole line, so that the part can be read.
    cut = shown.rpartition("\n")[0] + "\n" if "\n" in shown else shown
    end = offset + len(cut)
    return f"{cut}# {len(text) - end:,} more characters: hipify-py://table/{name}?offset={end}\n"


def _known(id: str) -> str:
    found = canonical(id) if len(id) <= LONGEST_NAME else None
    if found is None:
        near = near_ids(id[:LONGEST_NAME])
        hint = f"; did you mean {', '.join(near)}?" if near else "; hipify-py://findings lists them"
        raise Unknown(f"{shortened(id, 100)!r} is not a finding of hipify-py{hint}")
    return found
