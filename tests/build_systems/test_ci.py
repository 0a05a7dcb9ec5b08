"""Files of CI."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.ci import read
from hipify_py.build_systems.kinds import CI, kind_of
from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.translation import Translation

CUDA = "nvidia/cuda:12.4.1-devel-ubuntu22.04"
ROCM = "rocm/dev-ubuntu-22.04:10.0.0-full"


def done(text: str, path: str = ".gitlab-ci.yml") -> Translation:
    result = translate_build_file(text.encode(), path, DEFAULT_OPTIONS._replace(ci_files=True))
    assert translate_build_file(result.output, path, DEFAULT_OPTIONS._replace(ci_files=True)).output == result.output
    return result


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (".github/workflows/any.yml", CI),
        ("p/.github/workflows/any.yaml", CI),
        (".gitlab-ci.yml", CI),
        ("azure-pipelines-gpu.yml", CI),
        (".circleci/config.yml", CI),
        ("config.yml", ""),
        ("data/environments/x.yml", ""),
        ("workflows/any.yml", ""),
    ],
)
def test_kinds(path: str, kind: str) -> None:
    assert kind_of(path) == kind


def test_scalars_and_their_places() -> None:
    text = b"a:\n  b: x # no\n  'c': [\"d\", e]\n  f: |\n    g\n     h\n  i: &k !t j\n  l: *k\n- bad"
    assert read(text).scalars == []
    text = text.removesuffix(b"- bad") + "é: ö\n".encode()
    found = read(text)
    said = [(text[one.start : one.end], one.keys, one.is_key) for one in found.scalars]
    assert said[:-2] == [
        (b"a", ("a",), True),
        (b"b", ("a", "b"), True),
        (b"x", ("a", "b"), False),
        (b"c", ("a", "c"), True),
        (b"d", ("a", "c"), False),
        (b"e", ("a", "c"), False),
        (b"f", ("a", "f"), True),
        (b"    g\n     h\n", ("a", "f"), False),
        (b"i", ("a", "i"), True),
        (b"j", ("a", "i"), False),
        (b"l", ("a", "l"), True),
    ]
    assert [text.decode() for text, _, _ in said[-2:]] == ["é", "ö"]
    assert [text[start:end] for start, end in found.comments] == [b"# no"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"image: {CUDA}", f"image: {ROCM}"),
        (f'image: "{CUDA}"', f'image: "{ROCM}"'),
        (f"image:\n  name: {CUDA}", f"image:\n  name: {ROCM}"),
        (f"name: {CUDA}", f"name: {CUDA}"),
        (f"# image: {CUDA}", f"# image: {CUDA}"),
        ("container: nvidia/cuda:${{ matrix.cuda }}-devel-ubuntu22.04", f"container: {ROCM}"),
        (f"services:\n  gpu:\n    image: {CUDA}", f"services:\n  gpu:\n    image: {ROCM}"),
        (f"steps:\n- uses: docker://{CUDA}", f"steps:\n- uses: docker://{ROCM}"),
        ("run: nvcc -G a.cu", "run: hipcc -g a.cu"),
        ("run: 'nvcc -G a.cu'", "run: 'hipcc -g a.cu'"),
        ("script:\n- nvcc -G a.cu\n- echo nvcc", "script:\n- hipcc -g a.cu\n- echo nvcc"),
        ("script: [make, nvcc -G a.cu]", "script: [make, hipcc -g a.cu]"),
        ("run: |\n  nvcc -G a.cu # nvcc\n  # nvcc\n  nvcc -lcublas b.o", "run: |\n  hipcc -g a.cu # nvcc\n  # nvcc\n  hipcc -lhipblas b.o"),
        ("run: |\n  cat <<EOF\n  nvcc\n  EOF\n  nvcc a.cu", "run: |\n  cat <<EOF\n  nvcc\n  EOF\n  hipcc a.cu"),
        ("run: |\n\n    cat <<'EOF' > x\n    nvcc\n      EOF\n    EOF\n    nvcc a.cu", "run: |\n\n    cat <<'EOF' > x\n    nvcc\n      EOF\n    EOF\n    hipcc a.cu"),
        ("script:\n- |\n  cat <<-EOF\n  \tnvcc\n  \tEOF\n  nvcc a.cu", "script:\n- |\n  cat <<-EOF\n  \tnvcc\n  \tEOF\n  hipcc a.cu"),
        ("run: |\n  cat <<A <<B\n  nvcc\n  A\n  nvcc\n  B\n  nvcc a.cu", "run: |\n  cat <<A <<B\n  nvcc\n  A\n  nvcc\n  B\n  hipcc a.cu"),
        ("run: |\n  cat <<EOF\n  nvcc\n   EOF\n  nvcc a.cu", "run: |\n  cat <<EOF\n  nvcc\n   EOF\n  nvcc a.cu"),
        ("run: >-\n  nvcc\n  -G\n  a.cu", "run: >-\n  hipcc\n  -g\n  a.cu"),
        ("run: nvcc -DA=${{ a && b }} -G a.cu", "run: hipcc -DA=${{ a && b }} -g a.cu"),
        ("env:\n  CUDA_HOME: /usr/local/cuda\n  X: $CUDA_HOME/lib64", "env:\n  ROCM_PATH: /opt/rocm\n  X: $ROCM_PATH/lib"),
        ("with:\n  CUDA_HOME: /usr/local/cuda", "with:\n  CUDA_HOME: /usr/local/cuda"),
        ("description: nvcc -G", "description: nvcc -G"),
        ("x: 'ü'\nrun: nvcc -G é.cu", "x: 'ü'\nrun: hipcc -g é.cu"),
        ("run: nvcc -G\nx: [", "run: nvcc -G\nx: ["),
        ("a: &a {image: nvidia/cuda:12.4.1-devel-ubuntu22.04}\nb: *a", f"a: &a {{image: {ROCM}}}\nb: *a"),
        ("jobs:\n  a:\n    image: rocm/dev-ubuntu-22.04:6.4\n  b:\n    run: nvcc a.cu", "jobs:\n  a:\n    image: rocm/dev-ubuntu-22.04:6.4\n  b:\n    run: nvcc a.cu"),
    ],
)  # fmt: skip
def test_values(before: str, after: str) -> None:
    assert done(before + "\n").output.decode() == after + "\n"


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("steps:\n- uses: Jimver/cuda-toolkit@v0.2.16", ".github/workflows/a.yml", ["HIP643"]),
        ("steps:\n- uses: actions/checkout@v4 # cuda", ".github/workflows/a.yml", []),
        ("image: nvcr.io/nvidia/pytorch:24.05-py3", ".gitlab-ci.yml", ["HIP641"]),
        ("run: nvcc -arch=sm_70 a.cu; nvidia-smi", ".github/workflows/a.yml", ["HIP602", "HIP640"]),
        ("run: |\n  nvidia-smi # hipify: ignore[HIP640]", ".github/workflows/a.yml", []),
        ("# hipify: ignore[HIP643]\nuses: Jimver/cuda-toolkit@v0.2.16", ".github/workflows/a.yml", []),
        ("{% set x = 'cuda' %}\nscript: nvcc -maxrregcount=3 a.cu", ".gitlab-ci.yml", ["HIP603"]),
        ("jobs:\n- test:\n    requires:\n    - cuda", ".circleci/config.yml", []),
        ("container:\n  options: --gpus all\n# cuda", ".github/workflows/a.yml", ["HIP644"]),
    ],
)  # fmt: skip
def test_findings(text: str, path: str, expected: list[str]) -> None:
    assert [found.id for found in done(f"{text}\n", path).findings] == expected


@pytest.mark.parametrize(
    ("rocm", "wheels"),
    [
        ("6.4", "whl/rocm6.4"),
        ("7.1", "whl/rocm7.1"),
        ("5.4", "whl/rocm5.4.2"),
        ("10.0", "whl/rocm7.1, or at the URL there that ends with your ROCm version"),
        ("5.1", "whl/rocm5.2, or at the URL there that ends with your ROCm version"),
    ],
)
@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("run: pip install torch --index-url https://download.pytorch.org/whl/cu121\n", ".gitlab-ci.yml"),
        ("run: conda install pytorch-cuda=12.1\n", ".gitlab-ci.yml"),
        ("FROM x\nRUN pip install torch==2.4+cu121\n", "Dockerfile"),
    ],
)
def test_the_wheels_are_those_of_the_chosen_rocm(text: str, path: str, rocm: str, wheels: str) -> None:
    options = DEFAULT_OPTIONS._replace(ci_files=True, targeting=DEFAULT_OPTIONS.targeting._replace(rocm=rocm))
    (found,) = translate_build_file(text.encode(), path, options).findings
    assert found.message.endswith(f"https://download.pytorch.org/{wheels}")


def test_a_large_file_is_read_and_a_larger_one_reported() -> None:
    large = "steps:\n" + "# x\n" * 100_000 + "- run: nvcc a.cu\n"
    assert done(large).output.endswith(b"- run: hipcc a.cu\n")
    huge = large + "# x\n" * 1_000_000
    result = translate_build_file(huge.encode(), ".gitlab-ci.yml", DEFAULT_OPTIONS._replace(ci_files=True))
    assert result.output == huge.encode()
    assert [found.id for found in result.findings] == ["HIP605"]


def test_an_alias_is_not_followed() -> None:
    text = "a: &a [nvcc]\n" + "".join(f"a{n}: &a{n} [*a{n - 1 or ''}, *a{n - 1 or ''}]\n" for n in range(1, 60))
    assert done(text).output == text.encode()


@pytest.mark.parametrize(
    ("path", "text", "named"),
    [
        (".github/workflows/gpu.yml", "steps:\n- run: nvcc a.cu\n", "a CI job"),
        (".gitlab-ci.yml", "image: nvidia/cuda:12.4.1-devel-ubuntu22.04\n", "a CI job"),
        ("docker/Dockerfile", "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\n", "a Dockerfile"),
    ],
)
def test_without_being_asked_it_is_only_reported(path: str, text: str, named: str) -> None:
    result = translate_build_file(text.encode(), path, DEFAULT_OPTIONS)
    assert (result.output, result.edits, result.references) == (text.encode(), [], [])
    assert [found.message for found in result.findings if found.id == "HIP614"] == [
        f"{named} for CUDA stays as it is; --ci-files translates it"
    ]
