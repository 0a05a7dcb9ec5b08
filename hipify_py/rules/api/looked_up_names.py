"""Renames functions that are looked up by their names."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.dlsym_names import DlsymNames, library_of
from hipify_py.semantics.name_lookups import LOOKUP_FUNCTIONS


class LookedUp(Rule):
    """`dlsym(library, "cudaMalloc")` asks a library for a function by name; HIP's library has it under HIP's name.

    hipify-py renames the names in such calls, in the tables that they use and in macros that make strings from names:
    all names of a library in a source, or none if one of them has no direct counterpart. If the source opens the
    library by its plain name, that becomes the name of HIP's library, without a version number, because CUDA's version
    numbers mean nothing there. If the library is opened in another file, by a path, or by a name that is put together
    from parts, change that name yourself. The warning also appears if only one of several names is of that kind.
    """

    id = "HIP137"
    reports = ("HIP138",)
    triggers = words(*(f"*{name.decode()}*" for name in LOOKUP_FUNCTIONS))
    VALID = (
        Example('const char *s = "cudaMalloc"; void f() { puts("cudaMalloc"); }'),
        Example('auto f = dlsym(library, "hipMalloc");'),
    )
    INVALID = (
        Example(
            'auto f = dlsym(library, "cudaMalloc");',
            'auto f = dlsym(library, "hipMalloc");',
            ("HIP137",),
        ),
        Example(
            'auto f = dlsym(dlopen("libcudart.so.12", RTLD_NOW), "cudaMalloc");',
            'auto f = dlsym(dlopen("libamdhip64.so", RTLD_NOW), "hipMalloc");',
        ),
        Example(
            'auto f = dlsym(library, "cudaMalloc"); auto g = dlsym(library, "cudaFuncGetName");',
            None,
            ("HIP138",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding]:
        names = unit.analysis(DlsymNames)
        for text in names.texts:
            if library_of(text.row) not in names.missing:
                yield Edit(text.start, text.end, str(text.row.hip).encode())
        for files in names.files.values():
            for file in files:
                yield Edit(file.start, file.end, file.hip.encode())
        places = [*((text.start, text.row) for text in names.texts), *((use.start, use.row) for use in names.uses)]
        places += [(use.start, use.row) for use in names.own if library_of(use.row) in names.missing]
        reported: set[str] = set()
        for place, row in sorted(places, key=lambda found: found[0]):
            library = library_of(row)
            if library in reported:
                continue
            reported.add(library)
            if library in names.missing:
                yield unit.finding("HIP138", place, name=row.name, library=row.library, detail=names.missing[library])
            elif library not in names.opened:
                yield unit.finding("HIP137", place, name=row.name, library=row.library, target=str(row.hip))
