"""Shell scripts that call CUDA's tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.translation import Translation
from hipify_py.project.api import convert


def done(text: str) -> Translation:
    result = translate_build_file(text.encode(), "build.sh", DEFAULT_OPTIONS)
    again = translate_build_file(result.output, "build.sh", DEFAULT_OPTIONS)
    assert again.output == result.output
    return result


def translated(text: str) -> str:
    return done(text).output.decode()


def ids(text: str) -> list[str]:
    return [found.id for found in done(text).findings]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("nvcc a.cu -o a", "hipcc a.cu -o a"),
        ("/usr/local/cuda/bin/nvcc a.cu", "/opt/rocm/bin/hipcc a.cu"),
        ("/opt/cuda/bin/nvcc a.cu", "/opt/rocm/bin/hipcc a.cu"),
        ("$HOME/tools/nvcc a.cu", "$HOME/tools/hipcc a.cu"),
        ('"$CUDA_HOME"/bin/nvcc a.cu', '"$ROCM_PATH"/bin/hipcc a.cu'),
        ('"${CUDA_PATH}/bin/nvcc" a.cu', '"${ROCM_PATH}/bin/hipcc" a.cu'),
        ("ccache nvcc -G a.cu", "ccache hipcc -g a.cu"),
        ("CC=x nvcc a.cu && nvcc b.cu || nvcc c.cu; nvcc d.cu &", "CC=x hipcc a.cu && hipcc b.cu || hipcc c.cu; hipcc d.cu &"),
        ("(cd x; nvcc a.cu)", "(cd x; hipcc a.cu)"),
        ("out=`nvcc -c a.cu`", "out=`hipcc -c a.cu`"),
        ("nvcc -gencode arch=compute_70,code=sm_70 -gencode=arch=compute_80,code=sm_80 a.cu", "hipcc a.cu"),
        ("nvcc -arch sm_70 a.cu", "hipcc a.cu"),
        ("nvcc \\\n  -arch=sm_70 \\\n  a.cu", "hipcc \\\n  a.cu"),
        ("nvcc a.cu \\\n  -arch=sm_70\nls", "hipcc a.cu\nls"),
        ("nvcc -Xcompiler -Wall,-O2 a.cu", "hipcc -Wall -O2 a.cu"),
        ("nvcc -Xcompiler '-Wall -O2' a.cu", "hipcc -Wall -O2 a.cu"),
        ('nvcc -Xcompiler "$CFLAGS" a.cu', "hipcc $CFLAGS a.cu"),
        ("nvcc -Xcompiler '-DX=\"y\"' a.cu", "hipcc '-DX=\"y\"' a.cu"),
        ("nvcc -Xcompiler=-fPIC --compiler-options -g a.cu", "hipcc -fPIC -g a.cu"),
        ("nvcc -x cu a.cpp", "hipcc -x hip a.cpp"),
        ("nvcc -dc a.cu; nvcc -rdc=true a.o -lcudadevrt", "hipcc -fgpu-rdc -c a.cu; hipcc -fgpu-rdc a.o"),
        ("nvcc a.o -lcublas -l cufft --library=curand", "hipcc a.o -lhipblas -l hipfft -lhiprand"),
        ("g++ a.o -lcublas -lm", "g++ a.o -lhipblas -lm"),
        ("g++ a.o /usr/local/cuda/lib64/libcudart.so", "g++ a.o /opt/rocm/lib/libamdhip64.so"),
        ("g++ a.o /usr/local/cuda/lib64/libcublas_static.a", "g++ a.o /opt/rocm/lib/libhipblas.so"),
        ("gcc -c -I$CUDA_HOME/include a.c", "gcc -D__HIP_PLATFORM_AMD__ -c -I$ROCM_PATH/include a.c"),
        ("gcc -c -G a.c", "gcc -c -G a.c"),
        ("export CUDA_HOME=/usr/local/cuda-11.8", "export ROCM_PATH=/opt/rocm"),
        ("CUDA_HOME=/x ./configure", "ROCM_PATH=/x ./configure"),
        ("unset CUDA_HOME", "unset ROCM_PATH"),
        ("nvcc -V; gcc -V", "hipcc --version; gcc -V"),
        ("nvcc -t3 -std c++17 -o=x a.cu --library m", "hipcc -std=c++17 -o x a.cu -l m"),
        ("gcc -t3 -o=x a.c --library m; nvcc b.cu", "gcc -t3 -o=x a.c --library m; hipcc b.cu"),
        ("CUDA=/usr/local/cuda-$V/lib64", "CUDA=/opt/rocm/lib"),
        ("L=/usr/local/cuda/lib$BITS:$CUDA_HOME/lib${BITS}", "L=/opt/rocm/lib:$ROCM_PATH/lib"),
        ("ls /opt/cuda/7.5/cuda/bin /opt/cuda-8.0/cuda", "ls /opt/rocm/bin /opt/rocm"),
        ("ls /opt/cuda/cuda_samples /opt/cuda/7", "ls /opt/rocm/cuda_samples /opt/rocm/7"),
        ("ls /usr/local/cuda_samples /my/usr/local/cuda", "ls /usr/local/cuda_samples /my/usr/local/cuda"),
        ("which nvcc; type nvcc; command -v nvcc; hash nvcc", "which hipcc; type hipcc; command -v hipcc; hash hipcc"),
        ("NVCC=nvcc\n$NVCC -G a.cu", "NVCC=hipcc\n$NVCC -g a.cu"),
        ("${NVCC} -G a.cu", "${NVCC} -g a.cu"),
        ("F='-G -O3'\nnvcc $F a.cu", "F='-g -O3'\nhipcc $F a.cu"),
        ("F=(-G -O3)\nnvcc a.cu", "F=(-G -O3)\nhipcc a.cu"),
        ("F='-G -O3'\ngcc $F a.c; nvcc a.cu", "F='-G -O3'\ngcc $F a.c; hipcc a.cu"),
        ("cmake -DCMAKE_CUDA_ARCHITECTURES=80 -DCMAKE_CUDA_FLAGS='-G' .", "cmake -DCMAKE_HIP_FLAGS='-g' ."),
        ("cmake -DCUDA_CUDART_LIBRARY=/x -DA=1 .", "cmake -DA=1 ."),
        ("F+=' -DCMAKE_CUDA_ARCHITECTURES=80 -DA=1'\ncmake $F .", "F+=' -DA=1'\ncmake $F ."),
        ('echo "CUDA_HOME=$CUDA_HOME" >> "$GITHUB_ENV"', 'echo "ROCM_PATH=$ROCM_PATH" >> "$GITHUB_ENV"'),
        ("cp $CUDA_HOME/lib64/libcudart.so.* .", "cp $ROCM_PATH/lib/libamdhip64.so.* ."),
        ("docker run nvidia/cuda:12.4.1-devel-ubuntu22.04 ls", "docker run rocm/dev-ubuntu-22.04:10.0.0-full ls"),
    ],
)  # fmt: skip
def test_commands(before: str, after: str) -> None:
    assert translated(before + "\n") == after + "\n"


@pytest.mark.parametrize(
    "text",
    [
        "# nvcc -G a.cu",
        "ls # nvcc -G a.cu",
        "echo nvcc -G; echo 'nvcc' \"nvcc -arch=sm_70\"",
        "printf '%s\\n' /usr/local/cuda",
        "cat <<EOF\nnvcc -G a.cu\nEOF",
        "cat <<-'EOF'\n\tnvcc $CUDA_HOME\n\tEOF",
        "case $x in nvcc) ls;; a | nvcc) ls;; esac",
        "grep nvcc log; [ $CC = nvcc ]",
        "x='$CUDA_HOME'",
        "my_nvcc a.cu -G",
        "ln -s cuda-12.1 /usr/local/cuda",
        "rm -rf /usr/local/cuda-11.8",
        "CUDA_HOME=/c/Program\\ Files/NVIDIA\\ GPU\\ Computing\\ Toolkit/CUDA/v12.1\nPATH=${CUDA_HOME}/bin:$PATH",
        "nvcc_flags=1",
        "CUDA_VISIBLE_DEVICES=0 ./app",
        "make -j cuda",
        "cd cuda/bin",
    ],
)
def test_what_is_no_command_of_cudas_stays(text: str) -> None:
    assert translated(f"{text}\n") == f"{text}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nvcc -arch=sm_70 a.cu -gencode arch=compute_80,code=sm_80", ["HIP602"]),
        ("nvcc -maxrregcount=32 a.cu", ["HIP603"]),
        ("nvcc -lnppc a.cu", ["HIP613"]),
        ("nvcc --cubin a.cu", ["HIP606"]),
        ("nvcc --version", []),
        ("nvcc --version | grep V11", ["HIP605"]),
        ("v=$(nvcc -V)", ["HIP605"]),
        ("nvcc -Xcompiler '-DX=\"y\" -DY' a.cu", ["HIP605"]),
        ("nvidia-smi", ["HIP640"]),
        ("/usr/bin/ncu ./app && nsys profile ./app; cuda-memcheck ./app", ["HIP640"] * 3),
        ("echo nvidia-smi", []),
        ("docker run --gpus all nvcr.io/nvidia/pytorch:24.05-py3", ["HIP644", "HIP641"]),
        ("podman run docker.io/nvidia/cuda:11.8.0-base-ubi9 ls", ["HIP641"]),
        ("docker run pytorch/pytorch:2.1.0-cuda12.1-cudnn8-devel", ["HIP641"]),
        ("docker run pytorch/pytorch-cpu:1 cuda", []),
        ("sudo apt-get install -y libcudnn8-dev cuda-nvcc-12-4 cmake", ["HIP642"] * 2),
        ("yum install cuda-toolkit-12-4", ["HIP642"]),
        ("apt-get remove cuda", []),
        ("python3 -m pip install cupy-cuda12x numpy", ["HIP642"]),
        ("pip install torch==2.1.0+cu118", ["HIP642"]),
        ("conda install -c nvidia cudatoolkit=11.3 cuda-nvcc", ["HIP642"] * 2),
        ("cat <<EOF\n$CUDA_HOME\nEOF", ["HIP605"]),
        ("hipcc a.cu; nvcc b.cu", ["HIP607"]),
        ("ln -s cuda-12.1 /usr/local/cuda", ["HIP605"]),
        ("CUDA_PATH='/c/NVIDIA/CUDA'", ["HIP605"]),
        ('export CUDA_HOME="D:\\cuda\\v12.4"', ["HIP605"]),
        ("nvcc -Xcompiler /MD,/EHsc a.cu", ["HIP603"]),
        ("curl https://developer.download.nvidia.com/a; wget https://developer.download.nvidia.com/b", ["HIP642"]),
        ("hipcc a.cu; nvidia-smi", []),
        ("nvidia-smi # hipify: ignore[HIP640]", []),
        ("# hipify: ignore[HIP640]\nnvidia-smi", []),
    ],
)
def test_findings(text: str, expected: list[str]) -> None:
    assert ids(f"{text}\n") == expected


def test_images_go_by_the_chosen_rocm() -> None:
    text = b"docker run nvidia/cuda:12.4.1-devel-rockylinux8 ls\n"
    for rocm, image in (("6.4", b"rocm/dev-almalinux-8:6.4-complete"), ("10.0", b"nvidia/cuda")):
        options = DEFAULT_OPTIONS._replace(targeting=DEFAULT_OPTIONS.targeting._replace(rocm=rocm))
        assert image in translate_build_file(text, "a.sh", options).output


def test_an_installer_that_unpacks_itself_stays() -> None:
    data = b"#!/bin/sh\nnvcc a.cu\nexit 0\n\x00\x01\x02"
    assert translate_build_file(data, "install.sh", DEFAULT_OPTIONS).output == data


def test_names_of_files_follow(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p/a.cu").write_text("__global__ void k() {}\n")
    (tmp_path / "p/build.sh").write_text("nvcc -c a.cu -o a.o\nfor f in *.cu; do echo a.cu; done\nnvcc -c b.cu\n")
    convert([tmp_path / "p"], output=tmp_path / "out", rename=True)
    assert (tmp_path / "out/build.sh").read_text() == (
        "hipcc -c a.hip -o a.o\nfor f in *.hip; do echo a.cu; done\nhipcc -c b.cu\n"
    )


def test_what_is_to_do_is_said_once() -> None:
    script = "apt-get install cuda-driver-dev-12-4 cuda-cudart-dev-12-4\napt-get install cuda-cudart-dev-12-4 cuda-nvcc-12-4\n"
    findings = translate_build_file(script.encode(), "ci.sh", DEFAULT_OPTIONS).findings
    assert [(found.line, found.name, found.message.endswith(" (and 2 more in this file)")) for found in findings] == [
        (1, "cuda-driver-dev-12-4", True),
        (2, "cuda-nvcc-12-4", False),
    ]


def test_a_tool_is_told_once_and_each_image() -> None:
    script = "nvidia-smi\nnvidia-smi -L\n" + "docker run nvcr.io/nvidia/pytorch:24.05-py3\n" * 2
    script += "docker run nvcr.io/nvidia/tensorflow:24.05-tf2-py3\n"
    findings = translate_build_file(script.encode(), "ci.sh", DEFAULT_OPTIONS).findings
    assert [(found.id, found.line) for found in findings] == [("HIP640", 1), ("HIP641", 3), ("HIP641", 5)]
