"""Global names of a source that namespace `std` has too."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.edits import Edit
from hipify_py.core.ranges import Range
from hipify_py.frontend.lexer import Name
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words
from hipify_py.semantics.device_code import is_device_source

_NAMES = ("complex", "real", "imag", "norm", "conj", "polar", "proj", "data", "size", "empty", "byte")
"""What HIP's header brings by <complex>, and what C++17 added to every container's header."""

_MEMBERS = (b".", b"->", b"::")


class StdNames(Rule):
    """`using namespace std;` makes `complex` ambiguous where the file defines its own: HIP's header includes <complex>,
    CUDA's does not. `data`, `size` and `byte` are in `std` from C++17 on, which is hipcc's default.

    The file's own is named with `::` then. (Altis and CUDAMicroBench have a kernel with its own `complex`.)
    """

    id = "std-names"
    triggers = words(*_NAMES)
    VALID = (
        Example("struct complex { float x; };\n__device__ complex f(complex a) { return a; }\n"),
        Example(
            "#include <complex>\nusing namespace std;\n__global__ void k() {}\n"
            "complex<float> f() { return complex<float>(1); }\n"
        ),
    )
    INVALID = (
        Example(
            "#include <cstdio>\nusing namespace std;\nstruct complex {\n  float x;\n"
            "  __device__ complex(float a) : x(a) {}\n};\n"
            "__device__ complex twice(const complex &a) { return complex(a.x * 2); }\n",
            "#include <cstdio>\nusing namespace std;\nstruct complex {\n  float x;\n"
            "  __device__ complex(float a) : x(a) {}\n};\n"
            "__device__ ::complex twice(const ::complex &a) { return ::complex(a.x * 2); }\n",
        ),
        Example(
            "using namespace std;\nint *data;\n__global__ void k(int *data) { data[0] = 1; }\n"
            "void f(Own own) { own.data = data; k<<<1, 1>>>(data); }\n",
            "using namespace std;\nint *data;\n__global__ void k(int *data) { data[0] = 1; }\n"
            "void f(Own own) { own.data = ::data; hipLaunchKernelGGL(k, dim3(1), dim3(1), 0, 0, ::data); }\n",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit]:
        if unit.is_hip or not is_device_source(unit) or not (unit.project.opens_std or _opens_std(unit)):
            return
        from hipify_py.semantics.scopes import scopes_of
        from hipify_py.semantics.structure import structure_of

        for name in map(str.encode, _NAMES):
            places = [Name(at, at + len(name), name) for at in unit.lexemes.places(name)]
            scopes = {place: scopes_of(unit, place) for place in places}
            whole = Range(0, len(unit.source.data))
            if not any(whole in found for found in scopes.values()):
                continue
            hidden = [found for regions in scopes.values() for found in regions if found != whole]
            hidden += structure_of(unit).record_regions(name)
            for place in places:
                is_hidden = any(found.start <= place.start < found.end for found in hidden)
                if not is_hidden and _is_unqualified_use(unit, place):
                    yield Edit(place.start, place.start, b"::")


def _opens_std(unit: Unit) -> bool:
    """Whether the source says `using namespace std;`."""
    lexemes, data = unit.lexemes, unit.source.data
    for place in lexemes.places(b"std"):
        ends = data[lexemes.after(place + len(b"std")) :][:1] == b";"
        before = lexemes.before(place) + 1 - len(b"namespace")
        if ends and lexemes.word_before(place) == b"namespace" and lexemes.word_before(before) == b"using":
            return True
    return False


def _is_unqualified_use(unit: Unit, name: Name) -> bool:
    from hipify_py.semantics.scopes import declares_name

    end = unit.lexemes.before(name.start) + 1
    is_qualified = unit.source.data[max(end - 2, 0) : end].endswith(_MEMBERS)
    return not (is_qualified or unit.lexemes.in_directive(name.start) or declares_name(unit, name))
