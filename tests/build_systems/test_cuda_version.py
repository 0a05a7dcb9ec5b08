"""A project's build is decided for the CUDA that its sources are read as."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import Options
from hipify_py.core.targeting import NEWEST_CUDA, Targeting
from hipify_py.translator.translate import translate

SOURCE = "#include <cuda.h>\nint version = CUDA_VERSION / 1000;\nint major = __CUDACC_VER_MAJOR__;\n"


@pytest.mark.parametrize("cuda", [None, "11.8", "12.8"])
@pytest.mark.parametrize(
    ("name", "text", "converted"),
    [
        (
            "CMakeLists.txt",
            "if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS ${MOST})\nendif()\n",
            "if({} VERSION_LESS ${{MOST}})",
        ),
        ("setup.py", "import torch\nnew = float(torch.version.cuda) > 13\n", "float('{}') > 13"),
    ],
)
def test_build_and_sources_go_by_one_version(cuda: str | None, name: str, text: str, converted: str) -> None:
    options, version = Options(targeting=Targeting(cuda=cuda)), cuda or NEWEST_CUDA
    assert converted.format(version) in translate_build_file(text.encode(), name, options).output.decode()
    source = translate(SOURCE, path="a.cu", options=options).output.decode()
    assert f"int major = {version.partition('.')[0]};" in source


@pytest.mark.parametrize("cuda", [None, "11.8"])
def test_mesons_finding_names_it(cuda: str | None) -> None:
    text = b"project('p', 'cuda')\ncuda = dependency('cuda', version: '>=11')\n"
    translation = translate_build_file(text, "meson.build", Options(targeting=Targeting(cuda=cuda)))
    (finding,) = [each for each in translation.findings if each.id == "HIP609"]
    assert finding.message.endswith(f"CUDA {cuda or NEWEST_CUDA}")
