"""A row for each repository, as pandas, DuckDB, Spark and their kind read it."""

from __future__ import annotations

import io

import pyarrow
import pyarrow.parquet

from hipify_py.survey.account import Account
from hipify_py.survey.table import COLUMNS, LISTS, NUMBER, SHARE, TEXT, lists_of, row_of


def render(account: Account) -> bytes:
    """The table; lists are lists of texts."""
    types = {TEXT: pyarrow.string(), NUMBER: pyarrow.int64(), SHARE: pyarrow.float64()}
    fields = [pyarrow.field(name, types[kind]) for name, kind in COLUMNS.items()]
    fields += [pyarrow.field(name, pyarrow.list_(pyarrow.string())) for name in LISTS]
    rows = [{**row_of(record), **lists_of(record)} for record in account.records]
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema=pyarrow.schema(fields)), out)
    return out.getvalue()
