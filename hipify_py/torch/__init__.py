"""A drop-in for `torch.utils.hipify`, PyTorch's translator of extensions, with the translation of hipify-py.

`hipify_py.torch.hipify_python` has the names that public code uses of `torch.utils.hipify.hipify_python`, and `install`
lets PyTorch's own extension builder use it. Facts about the original are those of PyTorch 2.10 (version 1.0.0 of its
translator) and PyTorch 2.11 (2.0.0). PyTorch need not be installed, and is not imported.
"""

from hipify_py.torch.extension_hook import install, uninstall
from hipify_py.torch.hipify_python import GeneratedFileCleaner, get_hip_file_path, hipify
from hipify_py.torch.result import CurrentState, HipifyResult

__all__ = [
    "CurrentState",
    "GeneratedFileCleaner",
    "HipifyResult",
    "get_hip_file_path",
    "hipify",
    "install",
    "uninstall",
]
