"""The rules in the order in which they run. The declarations of each are in `trigger_index`, made from them.

A rule's module is imported when a source meets its triggers: most files need few of them, and a commit hook
should not wait for the others.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from itertools import compress

from hipify_py.core.unit import Unit
from hipify_py.rules.base import Rule
from hipify_py.rules.trigger_index import INDEX
from hipify_py.rules.triggers import Gates

ORDER = (
    "headers.warp_sync_macro",
    "headers.half_macro",
    "headers.implicit",
    "headers.implicit_standard",
    "headers.implicit_thrust",
    "headers.implicit_half",
    "headers.host_math",
    "headers.includes",
    "headers.c_language",
    "collisions.own_functions",
    "collisions.vector_operators",
    "collisions.macro_operators",
    "launch.bounds",
    "launch.attributes",
    "types.indices",
    "types.vector_values",
    "types.bit_counts",
    "types.braced_halves",
    "types.half_conversions",
    "types.bit_scans",
    "types.sincos",
    "types.device_pointers",
    "api.names",
    "api.unknown_symbols",
    "api.redefinitions",
    "api.token_pasting",
    "api.looked_up_names",
    "api.name_texts",
    "api.pasted_arguments",
    "api.merged_cases",
    "api.merged_values",
    "api.merged_overloads",
    "api.members",
    "api.arguments",
    "api.template_arguments",
    "api.enumerators",
    "api.cuda_version",
    "launch.chevrons",
    "device.redeclared_attributes",
    "device.group_shuffles",
    "device.group_votes",
    "device.tiles_of_tiles",
    "device.group_members",
    "device.host_calls",
    "device.capability",
    "device.read_only_loads",
    "runtime.managed",
    "headers.samples",
    "device.constructed_variables",
    "device.texture_references",
    "device.images",
    "device.embedded",
    "ptx.inline_asm",
    "device.half_atomics",
    "device.signed_atomics",
    "wavefront.kept_warps",
    "wavefront.lane_masks",
    "wavefront.lane_shifts",
    "wavefront.warp_size_constant",
    "wavefront.intra_warp_locks",
    "wavefront.partial_masks",
    "wavefront.divided_barriers",
    "wavefront.own_builds",
    "wavefront.host_sizes",
    "libraries.call_operators",
    "libraries.logical_warps",
    "libraries.fragments",
    "libraries.fragment_threads",
    "libraries.fragment_values",
    "preprocessor.existing_hip_branch",
    "preprocessor.own_hip_build",
    "preprocessor.both_compilers",
    "preprocessor.both_switches",
    "preprocessor.architecture",
    "preprocessor.versions",
)
"""The modules of the rules below `hipify_py.rules`."""


def rules() -> tuple[Rule, ...]:
    """Every rule, one instance each."""
    return tuple(map(_rule, ORDER))


def rules_for(unit: Unit) -> list[Rule]:
    """The rules that may apply to a unit whose names are resolved."""
    return list(map(_rule, compress(ORDER, _gates().matching(unit))))


@cache
def _gates() -> Gates:
    return Gates(INDEX[module][1] for module in ORDER)


@cache
def _rule(module: str) -> Rule:
    rule: Rule = getattr(import_module(f"hipify_py.rules.{module}"), INDEX[module][0])()
    return rule
