"""`python -m hipify_py.torch setup.py …`: run a build script whose extensions hipify-py translates."""

from __future__ import annotations

import os
import runpy
import sys

from hipify_py.torch.extension_hook import install


def main() -> None:
    """Run the script that the command line names, with the rest of the command line."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.stderr.write("Usage: python -m hipify_py.torch SCRIPT [ARGUMENT]...\n")
        sys.exit(0 if sys.argv[1:] in (["-h"], ["--help"]) else 2)
    script = sys.argv[1]
    if not os.path.isfile(script):
        sys.stderr.write(f"Error: {script} is not a file\n")
        sys.exit(2)
    install()
    del sys.argv[0]
    sys.path[0] = os.path.dirname(os.path.abspath(script))  # as if the script had been run itself
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main()
