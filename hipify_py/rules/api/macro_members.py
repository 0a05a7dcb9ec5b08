"""Reports macro arguments that name a member and an API function at once."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import Fact, facts
from hipify_py.semantics.effective_rows import effective_row
from hipify_py.semantics.macro_arguments import CODE, MEMBER, MacroArguments, roles_of


class MacroMembers(Rule):
    """Tables of API functions are filled by macros: `#define BIND(api, name) (api).name = &::name`.

    The function becomes HIP's. A member that the project declares under CUDA's name keeps its name, so one argument
    cannot name both. An argument that a macro makes only a member or a string of is no reference, and stays.
    """

    id = "HIP139"
    triggers = facts(Fact.USES)
    VALID = (
        Example("#define IS(name, text) is(#name, text)\nint cudaX = IS(cudaFree, 0);"),
        Example("struct T { int cudaFree; };\n#define GET(t, name) t.name\nint f(T t) { return GET(t, cudaFree); }"),
    )
    INVALID = (
        Example(
            "struct T { int (*cudaFree)(void *); };\n#define SET(t, n) t.n = n\nvoid f(T t) { SET(t, cudaFree); }",
            "struct T { int (*cudaFree)(void *); };\n#define SET(t, n) t.n = n\nvoid f(T t) { SET(t, hipFree); }",
            ("HIP139",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        if not unit.lexemes.defines:
            return
        for use, macro, parameter in unit.analysis(MacroArguments).arguments:
            hip = effective_row(unit, use).hip
            if not hip or hip == use.row.name or not {CODE, MEMBER} <= roles_of(unit, macro, parameter):
                continue
            if _is_member(unit, use.row.name.encode()):
                yield unit.finding(
                    "HIP139",
                    use.start,
                    name=use.row.name,
                    library=use.row.library,
                    target=hip,
                    detail=macro.name.decode(errors="replace"),
                )


def _is_member(unit: Unit, name: bytes) -> bool:
    """Whether the source, or a header of it, declares a member of that name."""
    if any(own.name == name and own.is_member for own in unit.project.own_names):
        return True
    from hipify_py.semantics.symbols import names_of

    return any(declared.record is not None for declared in names_of(unit).declared(name))
