"""The rules in the order in which they run, each with the condition without which it has nothing to look at.

A rule's module is imported when a source meets its condition: most files need few of them, and a commit hook
should not wait for the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module

from hipify_py.rules.base import Rule
from hipify_py.unit import Unit

_Condition = Callable[[Unit], bool]


def _always(unit: Unit) -> bool:
    return True


def _with(*texts: bytes) -> _Condition:
    """The source holds one of the texts."""
    return lambda unit: any(text in unit.source.data for text in texts)


_WARP_BUILT_INS = (b"__shfl", b"__ballot", b"__any", b"__all", b"__match_", b"__reduce_", b"__activemask")


_MASKS = (b"_sync", b"MASK", b"ballot", b".match_a", b"__activemask", b"lanemask", b"0xffffffff", b"0xFFFFFFFF")


def _may_hold_masks(unit: Unit) -> bool:
    """The source has what gives or takes lane masks, or may ask a helper of the project's headers for one."""
    project = unit.project
    return bool(project.mask_parameters) or _with(*_MASKS, *project.warp_helpers.masks)(unit)


def _may_ask_hardware_lanes(unit: Unit) -> bool:
    """The source names the hardware's lane, or may ask a helper of the project's headers for it."""
    return bool(unit.project.warp_helpers.lanes) or _with(b"%laneid", b"LaneId", b"__lane_id")(unit)


def _merged(unit: Unit, kind: str) -> bool:
    """Two names of a kind in the source have one HIP name."""
    names: dict[str | None, str] = {}
    return any(names.setdefault(use.row.hip, use.row.name) != use.row.name for use in unit.uses if use.row.kind == kind)


def _has_merged_values(unit: Unit) -> bool:
    return _merged(unit, "enumerator")


def _has_merged_types(unit: Unit) -> bool:
    """Besides two names of one HIP type, CUdeviceptr: its HIP type is a pointer, and its CUDA type is none."""
    return _merged(unit, "type") or b"CUdeviceptr" in unit.source.data


_UINT3 = re.compile(rb"uint3\b")  # uint32_t is nearly everywhere

_RULES: tuple[tuple[str, str, _Condition], ...] = (
    (
        "headers.warp_sync_macro",
        "WarpSyncMacro",
        lambda unit: bool(unit.options.targeting.rocm) or _with(b"cooperative_groups", b"bfloat16")(unit),
    ),
    ("headers.half_macro", "HalfMacro", _with(b"cublasH")),
    ("headers.implicit", "ImplicitRuntime", _always),
    ("headers.implicit_standard", "ImplicitStandard", _with(b"mem", b"str", b"is", b"signbit")),
    ("headers.implicit_thrust", "ImplicitThrust", _with(b"thrust/")),
    ("headers.implicit_half", "ImplicitHalf", _with(b"cublas", b"cusolver")),
    (
        "headers.host_math",
        "HostMath",
        _with(b"rsqrt", b"rcbrt", b"ospi", b"sinpi", b"erf", b"normcdf", b"umin", b"umax", b"llmin", b"llmax"),
    ),
    ("headers.includes", "Includes", _with(b"include", b".h>")),
    ("collisions.own_functions", "OwnFunctions", _with(b"__device__")),
    ("collisions.vector_operators", "VectorOperators", _with(b"operator")),
    (
        "collisions.macro_operators",
        "MacroOperators",
        lambda unit: bool(unit.lexemes.defines) and b"operator" in unit.source.data,
    ),
    ("launch.bounds", "LaunchBounds", _with(b"__launch_bounds__")),
    ("launch.attributes", "KernelAttributes", _with(b"__maxnreg__", b"__cluster_dims__")),
    ("types.warp_size", "WarpSizeObject", _with(b"warpSize")),
    ("types.indices", "IndexConversions", lambda unit: _UINT3.search(unit.source.data) is not None),
    ("types.vector_values", "VectorValues", lambda unit: any(use.row.kind == "type" for use in unit.uses)),
    ("types.bit_counts", "BitCounts", _with(b"__popc")),
    (
        "types.braced_halves",
        "BracedHalves",
        lambda unit: b"= {" in unit.source.data and _with(b"half", b"bfloat16")(unit),
    ),
    (
        "types.half_conversions",
        "HalfConversions",
        lambda unit: b"half" in unit.source.data and b"bfloat16" in unit.source.data,
    ),
    ("types.bit_scans", "BitScans", _with(b"__ffsll")),
    ("types.sincos", "SingleSincos", _with(b"sincos(", b"sincospi(")),
    ("types.device_pointers", "DevicePointers", _with(b"CUdeviceptr")),
    ("api.names", "ApiNames", lambda unit: bool(unit.uses)),
    ("api.unknown_symbols", "UnknownSymbols", lambda unit: bool(unit.unmapped_candidates)),
    ("api.redefinitions", "Redefinitions", lambda unit: bool(unit.redefinitions)),
    ("api.token_pasting", "PastedNames", _with(b"##")),
    ("api.looked_up_names", "LookedUp", _with(b"dlsym", b"dlvsym", b"GetProcAddress", b"cudaGetDriverEntryPoint")),
    ("api.name_texts", "NameTexts", lambda unit: any(use.row.kind == "function" for use in unit.uses)),
    ("api.pasted_arguments", "PastedArguments", lambda unit: b"##" in unit.source.data and bool(unit.lexemes.defines)),
    ("api.merged_cases", "MergedCases", lambda unit: b"switch" in unit.source.data and _has_merged_values(unit)),
    ("api.merged_values", "MergedValues", _has_merged_values),
    ("api.merged_overloads", "MergedOverloads", _has_merged_types),
    ("api.members", "StructMembers", lambda unit: any(use.row.kind == "type" for use in unit.uses)),
    ("api.arguments", "CallArguments", lambda unit: any(use.row.edits_arguments for use in unit.uses)),
    (
        "api.template_arguments",
        "TemplateArguments",
        lambda unit: any("template_order" in use.row.details for use in unit.uses),
    ),
    (
        "api.enumerators",
        "EnumeratorNumbers",
        lambda unit: any("values" in use.row.details or "enums" in use.row.details for use in unit.uses),
    ),
    ("api.cuda_version", "CudaVersion", lambda unit: bool(unit.options.targeting.cuda)),
    ("launch.chevrons", "Launches", lambda unit: bool(unit.lexemes.launches)),
    ("device.tiles_of_tiles", "TilesOfTiles", _with(b"tiled_partition", b"thread_block_tile")),
    ("device.group_members", "GroupMembers", _with(b"num_", b"dim", b"_index", b"_rank")),
    ("device.host_calls", "HostCalls", _with(b"__global__", b"__device__")),
    ("device.capability", "CapabilityDecisions", _with(b"major", b"apability")),
    (
        "device.read_only_loads",
        "ReadOnlyLoads",
        lambda unit: b"__ldg" in unit.source.data and (b"bfloat16" in unit.source.data or b"bf16" in unit.source.data),
    ),
    ("runtime.managed", "ManagedMemory", _with(b"anaged")),
    ("headers.samples", "SampleHeaders", _with(b"helper", b"cutil", b"sdkHelper", b"shr")),
    ("device.texture_references", "TextureReferences", _with(b"texture<", b"texture <")),
    ("device.images", "Images", _with(b"tex1D", b"tex2D", b"tex3D", b"texCube", b"surf1D", b"surf2D", b"surf3D")),
    ("device.embedded", "EmbeddedKernels", lambda unit: bool(unit.lexemes.raw_strings)),
    ("ptx.inline_asm", "InlineAssembly", _with(b"asm")),
    (
        "device.half_atomics",
        "HalfAtomics",
        lambda unit: _with(b"half", b"bfloat16")(unit) and b"atomicAdd" in unit.source.data,
    ),
    ("device.signed_atomics", "SignedAtomics", _with(b"atomicAnd", b"atomicOr", b"atomicXor")),
    (
        "wavefront.lane_masks",
        "LaneMasks",
        _may_hold_masks,
    ),
    ("wavefront.unused_masks", "UnusedMasks", _with(b"_sync")),
    ("wavefront.project_warp_size", "ProjectWarpSize", lambda unit: bool(unit.project.warp_counts)),
    ("wavefront.warp_size_constant", "WarpSizeConstants", _with(b"warpSize")),
    ("wavefront.cross_warp_shuffles", "CrossWarpShuffles", _with(*_WARP_BUILT_INS)),
    (
        "wavefront.warp32_not_emulated",
        "Warp32NotEmulated",
        lambda unit: bool(unit.project.mixed_in) or _with(*_WARP_BUILT_INS)(unit),
    ),
    ("wavefront.mixed_counts", "MixedCounts", _with(*_WARP_BUILT_INS)),
    ("wavefront.foreign_helpers", "ForeignHelpers", lambda unit: any(unit.project.warp_helpers[:3])),
    ("wavefront.last_lane", "LastLane", lambda unit: b"warpSize" in unit.source.data and _with(*_WARP_BUILT_INS)(unit)),
    ("wavefront.rows_of_32", "RowsOf32", lambda unit: b"warpSize" in unit.source.data and bool(unit.lexemes.launches)),
    (
        "wavefront.launch_counts",
        "LaunchCounts",
        lambda unit: bool(unit.lexemes.launches) and _with(b"warpSize", b"WarpSize")(unit),
    ),
    ("wavefront.hardware_counts", "HardwareCounts", _may_ask_hardware_lanes),
    ("wavefront.inactive_lanes_in_mask", "InactiveLanesInMask", _with(b"_sync", b"__syncwarp")),
    ("wavefront.warp_synchronous", "WarpSynchronous", _with(b"__shared__", b"__device__")),
    ("wavefront.partial_barrier", "PartialBarriers", _with(b"__syncthreads")),
    (
        "wavefront.intra_warp_locks",
        "IntraWarpLocks",
        _with(b"atomicCAS", b"atomicExch", b"__shared__", b"volatile", b"atomicAdd"),
    ),
    (
        "libraries.call_operators",
        "CallOperators",
        lambda unit: b"operator" in unit.source.data and _with(b"cub::Device")(unit),
    ),
    (
        "libraries.logical_warps",
        "LogicalWarps",
        lambda unit: any(use.row.library == "cub" and use.row.name.startswith("cub::Warp") for use in unit.uses),
    ),
    ("libraries.fragments", "FragmentShapes", _with(b"fragment")),
    ("libraries.fragment_threads", "FragmentThreads", _with(b"fragment")),
    ("libraries.fragment_values", "FragmentValues", _with(b"fragment")),
    (
        "preprocessor.existing_hip_branch",
        "ExistingHipBranch",
        lambda unit: _with(b"elif", b"__HIP")(unit) and any(use.row.kind == "macro" for use in unit.uses),
    ),
    ("preprocessor.architecture", "ArchitectureNumbers", _with(b"__CUDA_ARCH__")),
    ("preprocessor.versions", "VersionComparisons", _with(b"_VER")),
)


def rules() -> tuple[Rule, ...]:
    """Every rule, one instance each."""
    return tuple(_rule(module, name) for module, name, _ in _RULES)


def rules_for(unit: Unit) -> list[Rule]:
    """The rules that may have a say in a unit whose names are resolved."""
    return [_rule(module, name) for module, name, applies in _RULES if applies(unit)]


@cache
def _rule(module: str, name: str) -> Rule:
    rule: Rule = getattr(import_module(f"hipify_py.rules.{module}"), name)()
    return rule
