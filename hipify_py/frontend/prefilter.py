"""Decides in one pass over the bytes whether a file can have anything CUDA in it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hipify_py.options import Options
from hipify_py.project_context import ProjectContext, renamed_endings

# How the names of the tables begin, by first letter (so that the engine tries few branches a word): every name
# that is not valid HIP as it stands, every launch and every CUDA keyword (tests/frontend/test_prefilter.py).
_BEGINNINGS = (
    r"c(?:u(?:[A-Z]\w|da|b(?:::|/|\b)|blas|fft|rand|sparse|solver|dnn|tensor|file|pti|te\b|tlass|uint|vid|dss|statevec|densitymat|stabilizer|pauliprop|graph|spatial|(?:df|ml|vs|co|cim|opt)(?:/|::))|ooperative_groups|rt/"
    r"|hannel_desc|ommon_functions|srcholInfo|srluInfo|srqrInfo|vcuda|ommondx|reateInfer|l_(?:context|event)_flags)",
    r"C(?:U(?:[a-z_]|DA|DNN|B_|BLAS|FFT|RAND|SPARSE|SOLVER|TENSOR|FILE|File|G[LP]|I|PTI|TLASS|TE_|Core|VID|DSS_|STATEVEC_|DENSITYMAT_)|uda|ub[VD]|IG_DATA|CCL_)",
    r"n(?:v(?:rtc|tx|ml|blas|perf|jpeg|[jJ]it[lL]ink|shmem|graph|vm|enc|Enc|cuvid|cuda|PTX|Tools|_|functional|/target|::|comp|cv|imgcodec|tiff|infer1|onnxparser|caffeparser|uffparser)|ccl|pp|ppi)",
    r"N(?:V(?:RTC|TX|ML|JPEG|JITLINK|SHMEM|GRAPH|ENC|VM|PTX|_|FFT_|CL_|P[WA]_|COMP_|IMGCODEC_|TIFF_)|v(?:Enc|Infer|Onnx|Uff|Caffe|Decoder|Codec)|CCL|pp|PP)",
    r"__(?!attribute|inline|builtin|restrict|asm|func|cplusplus|has_|typeof|extension|declspec)[a-z]|__(?:NV|CU|DRIVER_)|_CUFFT_H_",
    r"t(?:hrust|hreadIdx|ex(?:[1-3C]|ture))|T(?:HRUST_)|s(?:urf\w|m_\d+_|yevjInfo)|b(?:lockIdx|lockDim|uiltin_types)|g(?:ridDim|esvdjInfo)",
    r"w(?:arpSize|mma)|mma\.h|m(?:ake_(?:cu|[a-z]+\d)|ath_(?:functions|constants))|o(?:ptix|ptiX)|O(?:pti[xX]|PTIX)|h2?tanh|h(?:ost_(?:defines|config))",
    r"d(?:evice_(?:launch|types|functions|double|atomic)|river_(?:types|functions)|ouble4_\d)|v(?:ector_(?:types|functions))|atomic[A-Z]|g(?:enerated_)|dynlink_|MAX_CUFFT",
    r"a(?:mgx)|AMGX_|DALI_|i(?:nitLibNv)|getPluginReg|kvikio|vpi(?:/|S|I)|ffnvcodec|pnccl|mtgp32|dali(?:/|::|P|C)|LIB_(?:FORMAT|XT_)",
    r"PFN_(?:cu|Graph)|device(?:_host)?/logical|STREAM_CIG|MAX_CUDA|IS_CUFILE|REGISTER_TENSORRT",
    r"l(?:ibFormat|ibrary_types|ibraryPropertyType|ong4_|onglong4_)|fatbinary|u(?:long4_|longlong4_)",
)
_CUDA = re.compile((r"<<<|\b(?:" + "|".join(_BEGINNINGS) + ")").encode())


def may_need_translation(data: bytes, options: Options, project: ProjectContext) -> bool:
    """False only for a file that a translation leaves as it is.

    Raises:
        TableError: when one of the user's own tables cannot be loaded.
    """
    return (
        may_have_cuda(data)
        or may_include_renamed(data, project.renames)
        or (bool(options.targeting.tables) and _may_have_further(data, options))
    )


def _may_have_further(data: bytes, options: Options) -> bool:
    """The file may hold a name of the user's own tables, which may look like anything."""
    from hipify_py.catalog import load_catalog

    pattern = load_catalog(options.targeting).further
    return pattern is not None and pattern.search(data) is not None


def may_include_renamed(data: bytes, renames: Mapping[str, str]) -> bool:
    """True when a file may include one of the renamed ones, which a plain C++ file can do as well."""
    return any(ending.encode() + quote in data for ending in renamed_endings(renames) for quote in (b'"', b">"))


def may_have_cuda(data: bytes) -> bool:
    """False only for a file in which no mapping table can have a say."""
    return _CUDA.search(data) is not None
