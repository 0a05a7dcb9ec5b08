"""Units for the tests of the program model."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hipify_py.catalog import load_catalog
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.source import Source
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.references import resolve
from hipify_py.translator.translate import lexer


@pytest.fixture
def unit_of() -> Callable[[str], Unit]:
    """Makes the unit of a source, its names resolved."""

    def make(source: str) -> Unit:
        catalog = load_catalog(DEFAULT_OPTIONS.targeting)
        data = source.encode()
        unit = Unit(Source(data, "a.cu"), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS)
        resolve(unit)
        return unit

    return make
