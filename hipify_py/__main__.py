"""`hipify-py` and `python -m hipify_py`."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify_py.cli.replay import Record


def main() -> None:
    """Run the command line, and leave with its exit status."""
    gc.disable()  # what is imported stays, and what is done at once ends before there is much to collect
    import hipify_py
    from hipify_py.cli.finder import find_own_modules

    find_own_modules(hipify_py)
    from hipify_py.cli.replay import record_of

    try:
        record = record_of(sys.argv[1:])
        code = _at_once(record)
        if code is not None:
            _leave_at_once(code)
        code = _run(record)
    except BrokenPipeError:
        code = _reader_gone()
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def _at_once(record: Record | None) -> int | None:
    """What can be done without loading the command line; None for all else."""
    if record is not None:
        from hipify_py.cli.replay import replay

        return replay(record)
    if sys.argv[1:2] != ["check"]:
        return None
    import hipify_py
    from hipify_py.cache_files import map_files
    from hipify_py.cli.kept_modules import recall_modules

    map_files(True)
    try:
        modules = recall_modules(hipify_py)
        from hipify_py.cli.quick import quick_check

        code = quick_check(sys.argv[1:])
    finally:
        map_files(False)
    if code is not None and modules is not None:
        modules.keep()
    return code


def _run(record: Record | None) -> int:
    """The whole command line, which signals can end."""
    gc.enable()
    from hipify_py.cli.main import run
    from hipify_py.cli.signals import Ended, heed_signals

    heed_signals()
    try:
        if record is None:
            code = run()
        else:
            from hipify_py.cli.recording import recorded

            code = recorded(record, run)
        sys.stdout.flush()
    except Ended as error:
        return error.status
    return code


def _leave_at_once(code: int) -> None:
    """Exit without taking the catalog apart name by name, which a commit hook would wait for."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _reader_gone() -> int:
    """The reader of our output has seen enough (`| head`): say no more, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 141


if __name__ == "__main__":
    main()
