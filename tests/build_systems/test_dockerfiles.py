"""Dockerfiles that build on NVIDIA's images."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.docker import read
from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.translation import Translation

DEVEL = "nvidia/cuda:12.4.1-devel-ubuntu22.04"
ROCM = "rocm/dev-ubuntu-22.04:10.0.0-full"


def done(text: str, rocm: str = "") -> Translation:
    options = DEFAULT_OPTIONS._replace(ci_files=True, targeting=DEFAULT_OPTIONS.targeting._replace(rocm=rocm))
    result = translate_build_file(text.encode(), "Dockerfile", options)
    assert translate_build_file(result.output, "Dockerfile", options).output == result.output
    return result


def translated(text: str, rocm: str = "") -> str:
    return done(text, rocm).output.decode()


def ids(text: str) -> list[str]:
    return [found.id for found in done(text).findings]


def test_what_instructions_there_are() -> None:
    text = (
        b"# syntax=docker/dockerfile:1\n\nfrom a\\\n b\nRUN x \\\n# why\n\n  && y # no comment\n  # a comment\n"
        b"RUN <<A <<-'B'\nFROM\nA\n\t b\n\tB\nCOPY x \\"
    )
    found = read(text)
    assert [(one.name, text[one.body : one.end]) for one in found.instructions] == [
        ("FROM", b" a\\\n b"),
        ("RUN", b" x \\\n# why\n\n  && y # no comment"),
        ("RUN", b" <<A <<-'B'"),
        ("COPY", b" x \\"),
    ]
    assert [text[start:end] for start, end in found.comments] == [
        b"# syntax=docker/dockerfile:1",
        b"# why",
        b"# a comment",
    ]
    assert [text[start:end] for start, end in found.instructions[2].documents] == [b"FROM\n", b"\t b\n"]
    assert len(found.text) == len(text)
    assert found.text[found.instructions[1].body : found.instructions[1].end] == b" x \\\n    \\\n\n  && y # no comment"


@pytest.mark.parametrize(
    ("before", "rocm", "after"),
    [
        ("nvidia/cuda:12.4.1-devel-ubuntu22.04", "", "rocm/dev-ubuntu-22.04:10.0.0-full"),
        ("nvidia/cuda:12.4.1-cudnn-runtime-ubuntu24.04", "6.4", "rocm/dev-ubuntu-24.04:6.4-complete"),
        ("docker.io/nvidia/cuda:11.8.0-base-ubuntu20.04", "6.1", "rocm/dev-ubuntu-20.04:6.1-complete"),
        ("nvcr.io/nvidia/cuda:12.2.0-devel-rockylinux8", "6.4", "rocm/dev-almalinux-8:6.4-complete"),
        ("nvidia/cuda:12.4.1-devel-ubuntu22.04@sha256:0123", "7.1", "rocm/dev-ubuntu-22.04:7.1-complete"),
        ("nvidia/cuda:12.4.1-devel-ubuntu20.04", "", "nvidia/cuda:12.4.1-devel-ubuntu20.04"),
        ("nvidia/cuda:12.4.1-devel-ubi9", "", "nvidia/cuda:12.4.1-devel-ubi9"),
        ("nvidia/cuda", "", "nvidia/cuda"),
        ("mine/cuda:12.4.1-devel-ubuntu22.04", "", "mine/cuda:12.4.1-devel-ubuntu22.04"),
        ("ubuntu:22.04", "", "ubuntu:22.04"),
    ],
)
def test_images(before: str, rocm: str, after: str) -> None:
    assert translated(f"FROM {before} AS build\n# cuda\n", rocm) == f"FROM {after} AS build\n# cuda\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("ARG V=12.4.1\nFROM nvidia/cuda:${V}-devel-ubuntu22.04", f"ARG V=12.4.1\nFROM {ROCM}"),
        ("ARG V=12\nARG O=ubuntu22.04\nFROM nvidia/cuda:$V-devel-$O", f"ARG V=12\nARG O=ubuntu22.04\nFROM {ROCM}"),
        (f"ARG B={DEVEL}\nFROM $B", f"ARG B={ROCM}\nFROM $B"),
        (f'ARG B="{DEVEL}"\nFROM ${{B}} AS x', f'ARG B="{ROCM}"\nFROM ${{B}} AS x'),
        (f"ARG I={DEVEL}\nARG B=$I\nFROM $B", f"ARG I={DEVEL}\nARG B={ROCM}\nFROM $B"),
        (f"FROM {DEVEL} AS a\nFROM a AS b\nCOPY --from=a /x /y", f"FROM {ROCM} AS a\nFROM a AS b\nCOPY --from=a /x /y"),
        (f"FROM a\nCOPY --from={DEVEL} /usr/local/cuda/lib64/x /y", f"FROM a\nCOPY --from={ROCM} /opt/rocm/lib/x /y"),
        ("ENV CUDA_HOME=/usr/local/cuda\nENV PATH $CUDA_HOME/bin:$PATH", "ENV ROCM_PATH=/opt/rocm\nENV PATH $ROCM_PATH/bin:$PATH"),
        ("ENV CUDA_HOME /usr/local/cuda", "ENV ROCM_PATH /opt/rocm"),
        ("RUN nvcc -G a.cu \\\n # nvcc -G\n && nvcc -G b.cu", "RUN hipcc -g a.cu \\\n # nvcc -G\n && hipcc -g b.cu"),
        ("RUN --mount=type=cache,target=/x nvcc -G a.cu", "RUN --mount=type=cache,target=/x hipcc -g a.cu"),
        ('RUN ["nvcc", "-Xcompiler", "-Wall,-O2", "-arch=sm_70", "a.cu"]', 'RUN ["hipcc", "-Wall", "-O2", "a.cu"]'),
        ("RUN <<EOF\nnvcc -G a.cu\nEOF\nCMD nvcc -V", "RUN <<EOF\nhipcc -g a.cu\nEOF\nCMD hipcc --version"),
        ("RUN cat <<EOF\nnvcc -G a.cu\nEOF", "RUN cat <<EOF\nnvcc -G a.cu\nEOF"),
        ("COPY <<EOF /x\nnvcc -G a.cu\nEOF", "COPY <<EOF /x\nnvcc -G a.cu\nEOF"),
        ("RUN cat <<<'x' \"<<EOF\"\nRUN nvcc -G a.cu", "RUN cat <<<'x' \"<<EOF\"\nRUN hipcc -g a.cu"),
        ("LABEL x=nvcc\nEXPOSE 80 # cuda", "LABEL x=nvcc\nEXPOSE 80 # cuda"),
        ("# escape=`\nRUN nvcc -G a.cu", "# escape=`\nRUN nvcc -G a.cu"),
        (f"FROM {DEVEL}\nRUN apt-get install -y \\\n    libcudnn8-dev \\\n    git", f"FROM {ROCM}\nRUN apt-get install -y \\\n    git"),
        (f"FROM {DEVEL}\nRUN apt-get install -y git \\\n  libnccl2 \\\n  # why\n  libcudnn8 \\\n  vim", f"FROM {ROCM}\nRUN apt-get install -y git \\\n  # why\n  vim"),
        (f"FROM {DEVEL}\nRUN apt-get install -y git libnccl2=2.18.3-1+cuda12.1", f"FROM {ROCM}\nRUN apt-get install -y git"),
    ],
)  # fmt: skip
def test_instructions(before: str, after: str) -> None:
    assert translated(before + "\n") == after + "\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"FROM {DEVEL}\nRUN nvcc -arch=sm_70 a.cu", ["HIP602"]),
        (f"FROM {DEVEL}\nRUN apt-get install -y libnccl-dev", ["HIP642"]),
        (f"FROM {DEVEL}\nRUN apt-get install -y git cuda-drivers", ["HIP642"]),
        ("FROM ubuntu\nRUN apt-get install -y git cuda-toolkit-12-4", ["HIP642"]),
        ("ARG V\nFROM nvidia/cuda:${V}", ["HIP641"]),
        ("FROM nvcr.io/nvidia/pytorch:24.05-py3", ["HIP641"]),
        ("FROM nvcr.io/nvidia/some/thing:1", ["HIP641"]),
        ("FROM pytorch/pytorch:2.4.0-cuda12.4-cudnn9-devel", ["HIP641"]),
        ("FROM tensorflow/tensorflow:2.16.1-gpu\n# cuda", ["HIP641"]),
        ("FROM tensorflow/tensorflow:2.16.1\n# cuda", []),
        ("ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute", ["HIP644"] * 2),
        ("RUN curl -O https://developer.download.nvidia.com/compute/x.deb", ["HIP642"]),
        ("# hipify: ignore[HIP641]\nFROM nvcr.io/nvidia/pytorch:24.05-py3", []),
        ("FROM rocm/dev-ubuntu-22.04:6.4\nRUN nvidia-smi", []),
    ],
)
def test_findings(text: str, expected: list[str]) -> None:
    assert ids(f"{text}\n") == expected
