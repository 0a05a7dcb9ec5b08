"""Writes the digests of what is taken of each wheel for parsing: `python tools/update_header_digests.py [SET]...`.

They pin what the package index had when they were written; a wheel that has another one is not taken (`fetch-headers`).
All sets are fetched, some 150 MB; named ones alone are fetched and put beside the digests that are there.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import yaml

from hipify_py.headers import sets
from hipify_py.headers.fetch import digest_of, fetch_wheels
from hipify_py.headers.index import index_of

DIGESTS = Path(sets.__file__).with_name("digests.yaml")
HEAD = "# Written by tools/update_header_digests.py: the SHA-256 of what is taken of each wheel, as it was published.\n"


def main(names: list[str]) -> None:
    """Fetch, and write the file."""
    everything = [found for side in sets.FOR_PARSING for found in sets.for_parsing(side)]
    wanted = [found for found in everything if not names or found.name in names]
    known = yaml.safe_load(DIGESTS.read_text("utf-8")) if names and DIGESTS.exists() else {}
    for header_set in wanted:
        known[header_set.name] = {n: digest_of(files) for n, files in fetch_wheels(header_set, index_of(os.environ))}
        print(header_set.name)
    with tempfile.NamedTemporaryFile("w", dir=DIGESTS.parent, delete=False, encoding="utf-8") as file:
        file.write(HEAD + yaml.safe_dump(known))
    os.chmod(file.name, 0o644)
    os.replace(file.name, DIGESTS)


if __name__ == "__main__":
    main(sys.argv[1:])
