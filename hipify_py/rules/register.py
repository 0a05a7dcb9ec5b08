"""The rules in the order in which they run."""

from __future__ import annotations

from functools import cache

from hipify_py.rules.base import Rule


@cache
def rules() -> tuple[Rule, ...]:
    """Every rule, one instance each."""
    from hipify_py.rules.api.arguments import CallArguments
    from hipify_py.rules.api.members import StructMembers
    from hipify_py.rules.api.names import ApiNames
    from hipify_py.rules.api.strangers import Strangers
    from hipify_py.rules.device.embedded import EmbeddedKernels
    from hipify_py.rules.headers.implicit import ImplicitRuntime
    from hipify_py.rules.headers.includes import Includes
    from hipify_py.rules.launch.chevrons import Launches
    from hipify_py.rules.preprocessor.versions import VersionComparisons
    from hipify_py.rules.ptx.inline_asm import InlineAssembly
    from hipify_py.rules.wavefront.lane_masks import LaneMasks
    from hipify_py.rules.wavefront.warp_size import WarpSizeLiterals

    return (
        ImplicitRuntime(),
        Includes(),
        ApiNames(),
        Strangers(),
        StructMembers(),
        CallArguments(),
        Launches(),
        EmbeddedKernels(),
        InlineAssembly(),
        LaneMasks(),
        WarpSizeLiterals(),
        VersionComparisons(),
    )
