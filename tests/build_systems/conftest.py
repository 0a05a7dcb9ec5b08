"""The command line, as the tests of `tests/cli` run it."""

from tests.cli.conftest import quickly

__all__ = ["quickly"]
