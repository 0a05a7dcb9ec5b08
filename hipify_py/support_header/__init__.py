"""The support header: what CUDA has and HIP lacks, written in HIP, in sections of which a project gets what it uses."""

from hipify_py.core.options import SUPPORT_HEADER as HEADER

__all__ = ["HEADER", "MARK"]

MARK = b"// hipify_support.hpp, written by hipify-py"
"""The first line of the header: any file that begins so counts as it."""
