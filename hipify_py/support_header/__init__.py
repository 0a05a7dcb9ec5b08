"""The support header: what CUDA has and HIP lacks, written in HIP, in sections of which a project gets what it uses."""

HEADER = "hipify_support.hpp"
"""The file's name, wherever it is written."""

MARK = b"// hipify_support.hpp, written by hipify-py"
"""How the header begins: any file that does is taken for it."""
