"""`hipify-py` and `python -m hipify_py`."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import TextIO

# Signals that end a run: it stops as for Ctrl-C, with its workers ended and its temporary files removed.


class Ended(BaseException):
    """A signal has asked the run to end; `status` is the exit status for that."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = 128 + number


def install_signal_handlers() -> None:
    """Let SIGTERM and SIGHUP raise `Ended`, unless they are ignored, as under nohup."""
    import signal

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    import signal

    signal.signal(number, signal.SIG_IGN)  # while it clears up
    raise Ended(number)


# Standard streams that are closed or full.


class OutputError(Exception):
    """Standard output cannot be written to.

    No `OSError`, which libraries make their own of: click ends with status 1 after a broken pipe.
    """


class ReaderGone(OutputError):
    """The reader of standard output has closed the pipe, as in `| head`."""


class _Output(io.FileIO):
    def write(self, data: object) -> int | None:  # type: ignore[override]
        try:
            return super().write(data)  # type: ignore[arg-type]
        except BrokenPipeError as error:
            raise ReaderGone from error
        except OSError as error:
            raise OutputError(error.strerror) from error


class _Messages(io.FileIO):
    def write(self, data: object) -> int | None:  # type: ignore[override]
        """Messages that nobody can get change nothing about what is done."""
        try:
            return super().write(data)  # type: ignore[arg-type]
        except OSError:
            return len(data)  # type: ignore[arg-type]


def open_standard_streams() -> None:
    """Have standard streams that can always be used; closed ones lead nowhere.

    Their numbers would else be those of the next files that are opened, which programs would then write to.
    """
    if os.name != "posix":
        return
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # noqa: PERF203
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = _stream(sys.stdout, _Output(1, "w", closefd=False), "strict")
    sys.stderr = _stream(sys.stderr, _Messages(2, "w", closefd=False), "backslashreplace")


def _stream(before: TextIO | None, raw: io.FileIO, errors: str) -> TextIO:
    encoding = "utf-8" if before is None else before.encoding
    errors = errors if before is None else before.errors or errors
    is_by_line = raw.isatty() or raw.fileno() == 2
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding, errors, line_buffering=is_by_line)


def main() -> None:
    """Run the command line and exit with its status."""
    gc.disable()  # until a command is loaded: the search for garbage among modules takes longer than a check of a file
    _exit_with(_command_line)


def _exit_with(run: Callable[[], int]) -> None:
    """Run something and exit with its status, or with that of what stops it."""
    open_standard_streams()
    try:
        status = run()
        sys.stdout.flush()
    except (BrokenPipeError, ReaderGone):
        status = _without_output(141)
    except OutputError as error:
        sys.stderr.write(f"Error: cannot write to standard output: {error}\n")
        status = _without_output(3)
    except KeyboardInterrupt:
        status = 130
    except Exception:
        status = _internal_error()
    gc.freeze()  # nor is there any to search for at exit
    sys.exit(status)


def _command_line() -> int:
    status = _quick_check()
    return _run() if status is None else status


def _quick_check() -> int | None:
    """The status of a `check` that needs no command line (see `cli/quick.py`); None for all else."""
    if sys.argv[1:2] != ["check"]:
        return None
    from hipify_py.cli.quick import quick_check

    return quick_check(sys.argv[1:])


def _run(arguments: list[str] | None = None) -> int:
    """Run the whole command line, which signals can end; `arguments` replace those of the process."""
    from hipify_py.cli.main import run

    install_signal_handlers()
    try:
        status = run(arguments)
        sys.stdout.flush()
    except Ended as error:
        return error.status
    return status


def _internal_error() -> int:
    """Report a bug of ours, which must not be taken for findings."""
    with suppress(Exception):  # where nothing can be loaded or written any more, the status is left to tell
        import traceback

        from hipify_py.core.installation import VERSION

        traceback.print_exc()
        sys.stderr.write(f"Error: an internal error in hipify-py {VERSION}. Please report it, with the lines above.\n")
    return 4


def _without_output(status: int) -> int:
    """The reader of our output has closed the pipe (`| head`), or the disk is full: write no more, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


# The commands that stand in for AMD's tools: `hipify-py-perl …` is `hipify-py as perl …`.


def _stand_in(tool: str) -> None:
    _exit_with(lambda: _run(["as", tool, *sys.argv[1:]]))


perl = partial(_stand_in, "perl")
clang = partial(_stand_in, "clang")
hipexamine = partial(_stand_in, "hipexamine")
hipexamine_perl = partial(_stand_in, "hipexamine-perl")
hipconvertinplace = partial(_stand_in, "hipconvertinplace")
hipconvertinplace_perl = partial(_stand_in, "hipconvertinplace-perl")

if __name__ == "__main__":
    main()
