"""The command line as a process of its own, as in the tests of the commands."""

from tests.cli.conftest import hipify, project

__all__ = ["hipify", "project"]
