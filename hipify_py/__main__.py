"""`hipify-py` and `python -m hipify_py`."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

# Signals that end a run: it stops as for Ctrl-C, with its workers ended and its temporary files removed.


class Ended(BaseException):
    """A signal has asked the run to end; `status` is the exit status for that."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = 128 + number


def install_signal_handlers() -> None:
    """Let SIGTERM and SIGHUP raise `Ended`, unless they are ignored, as under nohup."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # while it clears up
    raise Ended(number)


def main() -> None:
    """Run the command line and exit with its status."""
    try:
        status = _quick_check()
        if status is None:
            status = _run()
        sys.stdout.flush()
    except BrokenPipeError:
        status = _reader_gone()
    except KeyboardInterrupt:
        status = 130
    except Exception:
        status = _internal_error()
    sys.exit(status)


def _quick_check() -> int | None:
    """The status of a `check` that needs no command line (see `cli/quick.py`); None for all else."""
    if sys.argv[1:2] != ["check"]:
        return None
    from hipify_py.cli.quick import quick_check

    return quick_check(sys.argv[1:])


def _run() -> int:
    """Run the whole command line, which signals can end."""
    from hipify_py.cli.main import run

    install_signal_handlers()
    try:
        status = run()
        sys.stdout.flush()
    except Ended as error:
        return error.status
    return status


def _internal_error() -> int:
    """Report a bug of ours, which must not be taken for findings."""
    import traceback

    from hipify_py.core.installation import VERSION

    traceback.print_exc()
    sys.stderr.write(f"Error: an internal error in hipify-py {VERSION}. Please report it, with the lines above.\n")
    return 4


def _reader_gone() -> int:
    """The reader of our output has closed the pipe (`| head`): write no more, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 141


if __name__ == "__main__":
    main()
