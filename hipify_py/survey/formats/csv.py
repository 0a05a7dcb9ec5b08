"""A row for each repository, as spreadsheets read it (RFC 4180)."""

from __future__ import annotations

import csv
import io
from typing import Any

from hipify_py.survey.account import Account
from hipify_py.survey.table import COLUMNS, LISTS, lists_of, row_of

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def render(account: Account) -> bytes:
    """The table; lists are joined by spaces or semicolons."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([*COLUMNS, *LISTS])
    for record in account.records:
        row, lists = row_of(record), lists_of(record)
        writer.writerow(map(_cell, [*(row[name] for name in COLUMNS), *("; ".join(lists[name]) for name in LISTS)]))
    return out.getvalue().encode()


def _cell(value: Any) -> Any:
    # Names come from trees that nobody has vouched for, and a spreadsheet runs what looks like a formula.
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
