"""The rules in the order in which they run, each with the bytes without which it has nothing to look at.

A rule's module is imported when a source has such bytes: most files need few of them, and a commit hook
should not wait for the others.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from hipify_py.rules.base import Rule

_ALWAYS = (b"",)
_RULES: tuple[tuple[str, str, tuple[bytes, ...]], ...] = (
    ("headers.implicit", "ImplicitRuntime", _ALWAYS),
    ("headers.includes", "Includes", (b"include",)),
    ("api.names", "ApiNames", _ALWAYS),
    ("api.strangers", "Strangers", _ALWAYS),
    ("api.members", "StructMembers", (b".", b"->")),
    ("api.arguments", "CallArguments", _ALWAYS),
    ("launch.chevrons", "Launches", (b"<<<",)),
    ("device.embedded", "EmbeddedKernels", (b'R"',)),
    ("ptx.inline_asm", "InlineAssembly", (b"asm",)),
    ("wavefront.lane_masks", "LaneMasks", (b"_sync",)),
    ("wavefront.warp_size", "WarpSizeLiterals", (b"WARP", b"arp", b"LANES")),
    ("preprocessor.versions", "VersionComparisons", (b"VERSION", b"__CUDA_ARCH__")),
)


def rules() -> tuple[Rule, ...]:
    """Every rule, one instance each."""
    return tuple(_rule(module, name) for module, name, _ in _RULES)


def rules_for(data: bytes) -> list[Rule]:
    """The rules that may have a say in a source."""
    return [_rule(module, name) for module, name, triggers in _RULES if any(trigger in data for trigger in triggers)]


@cache
def _rule(module: str, name: str) -> Rule:
    rule: Rule = getattr(import_module(f"hipify_py.rules.{module}"), name)()
    return rule
