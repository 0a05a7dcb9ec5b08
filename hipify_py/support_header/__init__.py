"""The support header: what CUDA has and HIP lacks, written in HIP, in sections of which a project gets what it uses."""

HEADER = "hipify_support.hpp"
"""The file's name, wherever it is written."""

MARK = b"// hipify_support.hpp, written by hipify-py"
"""The first line of the header: any file that begins so counts as it."""
