"""Makefiles: statements, references, which options are whose, and what takes the place of what."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from hipify_py.build_systems.make.reader import read
from hipify_py.build_systems.make.references import references
from hipify_py.build_systems.make.translate import build_contexts
from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS, Options
from hipify_py.core.project_context import NO_PROJECT
from hipify_py.core.targeting import Targeting
from hipify_py.project.api import convert

GPUS = "$(addprefix --offload-arch=,$(HIP_ARCH))"


def translated(text: str, path: str = "Makefile") -> str:
    once = translate_build_file(text.encode(), path, DEFAULT_OPTIONS).output
    assert translate_build_file(once, path, DEFAULT_OPTIONS).output == once
    return once.decode()


def findings(text: str, path: str = "Makefile") -> list[tuple[str, str]]:
    return [(one.id, one.name) for one in translate_build_file(text.encode(), path, DEFAULT_OPTIONS).findings]


def tree(files: Mapping[str, str]) -> dict[str, str]:
    """The files of a tree, each translated with what the others say."""
    data = {path: text.encode() for path, text in files.items()}
    told = build_contexts(data, DEFAULT_OPTIONS)
    done = {}
    for path, text in data.items():
        project = NO_PROJECT._replace(build=told[path]) if path in told else NO_PROJECT
        done[path] = translate_build_file(text, path, DEFAULT_OPTIONS, project).output.decode()
    return done


def statements(text: bytes) -> list[tuple[str, str, bytes]]:
    return [(one.kind, one.name, text[slice(*one.value)]) for one in read(text).statements]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"A = 1 # c", [("assignment", "A", b"1")]),
        (b"A=a\\\n b\r\nB:=c", [("assignment", "A", b"a\\\n b"), ("assignment", "B", b"c")]),
        (b"A ::= 1\nB :::= 2", [("assignment", "A", b"1"), ("assignment", "B", b"2")]),
        (b"C ?= 3\nD != e", [("assignment", "C", b"3"), ("assignment", "D", b"e")]),
        (b"A = \\# # c", [("assignment", "A", b"\\#")]),
        (b"A = $(shell echo '#') # c", [("assignment", "A", b"$(shell echo '#')")]),
        (b"a b: c | d ; e # f\n\tg # h\n", [("rule", "", b"c | d "), ("recipe", "", b"g # h")]),
        (
            b"%.o: %.c\n\n# c\n\tcc\nifdef X\n\tx\nendif\n",
            [
                *(("rule", "", b"%.c"), ("recipe", "", b"cc"), ("condition", "ifdef", b"X")),
                *(("recipe", "", b"x"), ("condition", "endif", b"")),
            ],
        ),
        (b"\tA = 1\n", [("assignment", "A", b"1")]),
        (b"x: A += -G\n", [("assignment", "A", b"-G")]),
        (b"x:: y\n", [("rule", "", b"y")]),
        (b"$(A:x=y): b\n", [("rule", "", b"b")]),
        (b"-include a.mk $(B)\n", [("include", "-include", b"a.mk $(B)")]),
        (b"export A := 1\nexport B\n", [("assignment", "A", b"1"), ("other", "export", b"B")]),
        (
            b"define F =\nA = 1\ndefine G\nendef\n\t$(CC) -c\nendef\nB = 2",
            [
                ("define", "F", b"F ="),
                ("assignment", "A", b"1"),
                ("recipe", "", b"define G"),
                ("recipe", "", b"endef"),
                ("recipe", "", b"$(CC) -c"),
                ("assignment", "B", b"2"),
            ],
        ),
        (b"@X_TRUE@A = 1\na:\n@X_FALSE@\tcc\n", [("assignment", "A", b"1"), ("rule", "", b""), ("recipe", "", b"cc")]),
        (
            b"if HAVE_CUDA\nA = 1\nelse\nendif\n",
            [
                ("other", "if", b"if HAVE_CUDA"),
                ("assignment", "A", b"1"),
                ("condition", "else", b""),
                ("condition", "endif", b""),
            ],
        ),
        (b"include = 1\n", [("assignment", "include", b"1")]),
        (b"\xef\xbb\xbfA = 1", [("assignment", "A", b"1")]),
        (b"A = $(B\nC = 1\n", [("assignment", "A", b"$(B"), ("assignment", "C", b"1")]),
        (
            b"ifeq ($(A),b)\nelse ifneq ($(A),c)\nendif",
            [
                ("condition", "ifeq", b"($(A),b)"),
                ("condition", "ifneq", b"ifneq ($(A),c)"),
                ("condition", "endif", b""),
            ],
        ),
    ],
)
def test_statements(text: bytes, expected: list[tuple[str, str, bytes]]) -> None:
    assert statements(text) == expected


def test_references() -> None:
    text = b"$(A) ${B:.c=.o} $@ $$(C) $(if $(D),a (b, c),d,e) $(shell x $$y) $(E$(F))"
    found = references(text, 0, len(text))
    assert [one.name for one in found] == ["A", "B", "@", "if", "D", "shell", "", "F"]
    (chosen,) = [one for one in found if one.name == "if"]
    assert [text[slice(*argument)] for argument in chosen.arguments] == [b"$(D)", b"a (b, c)", b"d,e"]
    assert [one.name for one in references(text, 0, len(text), is_template=True)][3] == "C"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("NVCC = nvcc\n", "NVCC = hipcc\n"),
        ("NVCC:=/usr/bin/nvcc\n", "NVCC:=/usr/bin/hipcc\n"),
        ("GPUCC ?= ccache nvcc\na.o: a.cu\n\t$(GPUCC) -c $<\n", "GPUCC ?= ccache hipcc\na.o: a.cu\n\t$(GPUCC) -c $<\n"),
        ("CC = nvcc\nifeq ($(CC),nvcc)\nendif\n", "CC = hipcc\nifeq ($(CC),hipcc)\nendif\n"),
        (
            "CC = nvcc\nifneq (,$(findstring nvcc,$(CC)))\nendif\n",
            "CC = hipcc\nifneq (,$(findstring hipcc,$(CC)))\nendif\n",
        ),
        ("a:\n\t@-nvcc a.cu\n", "a:\n\t@-hipcc a.cu\n"),
        ("a:\n\tcd x && nvcc a.cu || true\n", "a:\n\tcd x && hipcc a.cu || true\n"),
        ("a:\n\tif [ -x `which nvcc` ]; then nvcc a.cu; fi\n", "a:\n\tif [ -x `which hipcc` ]; then hipcc a.cu; fi\n"),
        ("a:\n\t@echo nvcc -arch=sm_70\n\tnvcc a.cu\n", "a:\n\t@echo nvcc -arch=sm_70\n\thipcc a.cu\n"),
        ("# nvcc -arch=sm_70\nNVCC=nvcc # nvcc\n", "# nvcc -arch=sm_70\nNVCC=hipcc # nvcc\n"),
        ("NVCC=nvcc\r\na:\r\n\t$(NVCC) -G a.cu\r\n", "NVCC=hipcc\r\na:\r\n\t$(NVCC) -g a.cu\r\n"),
        ("nvcc: a\n\tcp a nvcc.txt\n", "nvcc: a\n\tcp a nvcc.txt\n"),
        ("USE_NVCC = yes\nMODE = nvcc\nA = $(MODE)\n", "USE_NVCC = yes\nMODE = nvcc\nA = $(MODE)\n"),
    ],
)
def test_the_compiler(before: str, after: str) -> None:
    assert translated(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("-O3 -arch=sm_70", f"-O3 {GPUS}"),
        ("-arch sm_70 -O3", f"{GPUS} -O3"),
        ("-gencode arch=compute_60,code=sm_60 -gencode arch=compute_70,code=sm_70 -O2", f"{GPUS} -O2"),
        ('-gencode=arch=compute_70,code=\\"sm_70,compute_70\\"', GPUS),
        ("--gpu-architecture=compute_70 --gpu-code=sm_70,compute_70", GPUS),
        ("-arch=$(MY_ARCH)", GPUS),
        ("-gencode arch=compute_$(SM),code=sm_$(SM)", GPUS),
        ("-Xcompiler -Wall -Xcompiler -fopenmp", "-Wall -fopenmp"),
        ('-Xcompiler "-Wall -O2" -g', "-Wall -O2 -g"),
        ("-Xcompiler=-Wall,-fPIC", "-Wall -fPIC"),
        ("-Xcompiler '-Wall,$(subst a,b,$(X))'", "-Wall $(subst a,b,$(X))"),
        ("-Xcompiler -Wl,-rpath,/x", "-Wl,-rpath,/x"),
        (
            "-Xcompiler $(subst $(space),$(comma),$(strip $(A) -Wall,-g))",
            "$(strip $(A) -Wall,-g)",
        ),
        ("-Xcompiler=$(subst $S,$(COMMA),$(filter -O%,$(A)))", "$(filter -O%,$(A))"),
        ("-Xcompiler $(subst $(A),$(B),$(C))", "$(subst $(A),$(B),$(C))"),
        ("--compiler-options $(CFLAGS)", "$(CFLAGS)"),
        ("-O3 -Xcompiler", "-O3"),
        ("-Xptxas -v,-O3 -O2 --ptxas-options=-v", "-O2"),
        ("-rdc=true", "-fgpu-rdc"),
        ("-ccbin $(CXX) -m64", "-m64"),
        ("-ccbin=g++-9", ""),
        ("-maxrregcount 64 -O3", "-O3"),
        (
            "-lineinfo --use_fast_math",
            "-gline-tables-only -fgpu-flush-denormals-to-zero -fno-hip-fp32-correctly-rounded-divide-sqrt -fgpu-approx-transcendentals",
        ),
        ("--expt-relaxed-constexpr --expt-extended-lambda -DX", "-DX"),
        ("-x cu", "-x hip"),
        ("-G -t 4 -t0 --threads=8 -g", "-g"),
        ("--default-stream per-thread", "-fgpu-default-stream=per-thread"),
        ("-O2 \\\n  -Xptxas -v \\\n  -g", "-O2 \\\n  -g"),
        ("$(if $(D),-G,-lineinfo)", "$(if $(D),-g,-gline-tables-only)"),
        ("--include-path $(X)/include --define-macro=A=1", "-I$(X)/include -DA=1"),
    ],
)
def test_options(before: str, after: str) -> None:
    text = "NVCCFLAGS = {}\na.o: a.cu\n\thipcc_or_so\n"
    assert translated(text.format(before)).replace("= \n", "=\n") == text.format(after).replace("= \n", "=\n")


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("F = -G\na.o: a.cu\n\tnvcc $(F) -c $<\n", True),
        ("F = -G\nE = $(F)\na.o: a.cu\n\tnvcc $(E) -c $<\n", True),
        ("F = -G\nN = nvcc $(F)\na.o: a.cu\n\t$(N) -c $<\n", True),
        ("Q = @\nF = -G\nN = nvcc\na.o: a.cu\n\t$(Q)$(N) $(F) -c $<\n", True),
        ("F = -G\ndefine build\nnvcc $(F) -c $(1)\nendef\na.o: a.cu\n\t$(call build,$<)\n", True),
        ("CFLAGS = -G\nCC = nvcc\n", True),
        ("a.o: F = -G\na.o: a.cu\n\tnvcc $(F) -c $<\n", True),
        ("F = -G\na.o: a.cu\n\tnvcc $(F) -c $<\nb.o: b.cc\n\tg++ $(F) -c $<\n", False),
        ("F = -G\na.o: a.cu\n\tnvcc -O2 -c $<\nb.o: b.cc\n\t$(CXX) $(F) -c $<\n", False),
        ("F = -G\na.o: a.cu\n\tnvcc -O2 -ccbin gcc -c $<\n", False),
    ],
)
def test_an_option_of_other_compilers_too_is_translated_where_only_nvcc_is_given_it(text: str, changed: bool) -> None:
    assert ("-G" not in translated(text)) == changed


def test_what_only_nvcc_has_is_translated_for_all() -> None:
    text = "F = -G -lineinfo\na.o: a.cu\n\tnvcc $(F) -c $<\nb.o: b.cc\n\tg++ $(F) -c $<\n"
    assert translated(text).startswith("F = -G -gline-tables-only\n")


def test_a_variable_that_holds_an_architecture() -> None:
    text = "ARCH ?= sm_70\na: a.cu\n\tnvcc -arch=$(ARCH) $<\n"
    assert translated(text) == ("ARCH ?= $(HIP_ARCH)\na: a.cu\n\thipcc $(addprefix --offload-arch=,$(ARCH)) $<\n")
    used = f"{text}b: b.c\n\tgcc -DARCH=$(ARCH) $<\n"
    assert translated(used).startswith(f"ARCH ?= sm_70\na: a.cu\n\thipcc {GPUS} $<\n")
    assert findings(text) == [("HIP620", "-arch")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A = -lcublas -lcudart -lcuda -lm", "A = -lhipblas -lamdhip64 -lm"),
        ("A = -lcudadevrt -lculibos -lz", "A = -lz"),
        ("A = -lcublas_static", "A = -lhipblas"),
        ("A = -lOpenCL -lcudart", "A = -lOpenCL -lamdhip64"),
        ("A = -lnccl -lnvToolsExt", "A = -lrccl -lroctx64"),
        ("A = -l:libcufft_static.a", "A = -lhipfft"),
        ("A = -lcublasXt", "A = -lcublasXt"),
        ('A = "-lcufft -lm"', 'A = "-lhipfft -lm"'),
        (
            "libcublas.so: x.o\n\tld -o $@\nA = -lcublas -lcudart",
            "libcublas.so: x.o\n\tld -o $@\nA = -lcublas -lamdhip64",
        ),
    ],
)
def test_libraries(before: str, after: str) -> None:
    assert translated(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "L = cudart cublas m\nF = $(foreach l,$(L),-l$(l))\n",
            "L = amdhip64 hipblas m\nF = $(foreach l,$(L),-l$(l))\n",
        ),
        (
            "L = m\nL += cublas cudart cuda\nF = $(addprefix -l,$(L))\n",
            "L = m\nL += hipblas amdhip64\nF = $(addprefix -l,$(L))\n",
        ),
        ("L := cufft m\nF = $(patsubst %,-l%,$(L))\n", "L := hipfft m\nF = $(patsubst %,-l%,$(L))\n"),
        ("L = curand cudadevrt\nF = $(L:%=-l%)\n", "L = hiprand\nF = $(L:%=-l%)\n"),
        ("L = cusparse\na: a.o\n\tg++ a.o -l$(L) -o a\n", "L = hipsparse\na: a.o\n\tg++ a.o -l$(L) -o a\n"),
        ("L = cudadevrt\nF = -l$(L) -lcudart\n", "L = amdhip64\nF = -l$(L) -lamdhip64\n"),
        ("F = $(addprefix -l,cudart $(X) cublas)\n", "F = $(addprefix -l,amdhip64 $(X) hipblas)\n"),
        (
            "G = nccl\nL = m $(if $(filter cuda,$(WITH)),$(G) cudart)\nF = $(addprefix -l,$(sort $(L)))\n",
            "G = rccl\nL = m $(if $(filter cuda,$(WITH)),$(G) amdhip64)\nF = $(addprefix -l,$(sort $(L)))\n",
        ),
        (
            "L = cudart cublas\nifneq (,$(filter cublas,$(L)))\nB = 1\nendif\nF = $(L:%=-l%)\n",
            "L = amdhip64 hipblas\nifneq (,$(filter hipblas,$(L)))\nB = 1\nendif\nF = $(L:%=-l%)\n",
        ),
        (
            "F = $(foreach l,$(filter-out cudart,$(L)),-l$(l))\nL = cudart cublas\n",
            "F = $(foreach l,$(filter-out amdhip64,$(L)),-l$(l))\nL = amdhip64 hipblas\n",
        ),
        (
            "D = cuda cublas\nL = cublas\nX = $(foreach l,$(D),src/$(l))\nF = $(foreach l,$(L),-l$(l))\n",
            "D = cuda cublas\nL = hipblas\nX = $(foreach l,$(D),src/$(l))\nF = $(foreach l,$(L),-l$(l))\n",
        ),
        (
            "M = io cuda\nlib%.a: %.o\n\tar rc $@ $<\nall: $(M:%=lib%.a)\n\tg++ $(M:%=-l%) -lcudart\n",
            "M = io cuda\nlib%.a: %.o\n\tar rc $@ $<\nall: $(M:%=lib%.a)\n\tg++ $(M:%=-l%) -lamdhip64\n",
        ),
        (
            "L = torch_cuda c10_cuda nppc\nF = $(addprefix -l,$(L))\n",
            "L = torch_hip c10_hip nppc\nF = $(addprefix -l,$(L))\n",
        ),
        ("NAMES = cudart cublas\nX = $(NAMES)\n", "NAMES = cudart cublas\nX = $(NAMES)\n"),
    ],
)
def test_names_that_get_their_option_later(before: str, after: str) -> None:
    assert translated(before) == after


def test_names_in_a_fragment_that_another_makefile_makes_options_of() -> None:
    files = {
        "Makefile": "include libs.mk\nF = $(addprefix -l,$(LIBS))\na: a.o\n\tg++ a.o $(F)\n",
        "libs.mk": "LIBS = cudart cusolver\n",
    }
    assert tree(files)["libs.mk"] == "LIBS = amdhip64 hipsolver\n"


def test_a_library_without_a_counterpart_stays_and_is_told() -> None:
    assert translated("A = -lnppc -lcudart") == "A = -lnppc -lamdhip64"
    assert findings("A = -lnppc -lcudart") == [("HIP613", "-lnppc")]
    assert findings("# hipify: ignore[HIP613]\nA = -lnppc -lcudart") == []
    assert findings("A = -lnppc -lcudart # hipify: ignore[HIP613]") == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("CUDA_HOME ?= /usr/local/cuda\n", "ROCM_PATH ?= /opt/rocm\n"),
        ("CUDA_PATH := /usr/local/cuda-11.8\n", "ROCM_PATH ?= /opt/rocm\n"),
        ("CUDA_PATH ?= /usr/local/cuda-$(V)\n", "ROCM_PATH ?= /opt/rocm\n"),
        ("CUDA_HOME = /shared/apps/nvidia\n", "ROCM_PATH ?= /opt/rocm\n"),
        ("CUDA_HOME ?= $(shell python3 -c 'print(1)')\n", "ROCM_PATH ?= /opt/rocm\n"),
        ("CUDA_HOME ?= $(or $(CUDA_PATH),/usr/local/cuda)\n", "ROCM_PATH ?= /opt/rocm\n"),
        ("CUDA_HOME = /usr/local/cuda\nCUDA_PATH = $(CUDA_HOME)\n", "ROCM_PATH ?= /opt/rocm\n"),
        ("ifndef CUDA_HOME\nCUDA_HOME = /usr/local/cuda\nendif\n", "ifndef ROCM_PATH\nROCM_PATH = /opt/rocm\nendif\n"),
        ("ifdef CUDA_HOME\nL = -L$(CUDA_HOME)/lib64\nendif\n", "ifdef ROCM_PATH\nL = -L$(ROCM_PATH)/lib\nendif\n"),
        ("L = -L$(CUDA_HOME)/lib64\n", "ROCM_PATH ?= /opt/rocm\nL = -L$(ROCM_PATH)/lib\n"),
        ("L = -L/usr/local/cuda/lib64/stubs\n", "ROCM_PATH ?= /opt/rocm\nL = -L$(ROCM_PATH)/lib\n"),
        (
            "MY = /usr/local/cuda\nN = $(MY)/bin/nvcc\n",
            "ROCM_PATH ?= /opt/rocm\nMY = $(ROCM_PATH)\nN = $(MY)/bin/hipcc\n",
        ),
        (
            "all:\n\tmake -C sub CUDA_PATH=$(CUDA_PATH)\n",
            "ROCM_PATH ?= /opt/rocm\nall:\n\tmake -C sub ROCM_PATH=$(ROCM_PATH)\n",
        ),
        ("CUDA_DIR = src/cuda\nA = $(CUDA_DIR)/lib64\n", "CUDA_DIR = src/cuda\nA = $(CUDA_DIR)/lib64\n"),
        ("L = ${CUDA_HOME}/lib64/libcudart.so\n", "ROCM_PATH ?= /opt/rocm\nL = ${ROCM_PATH}/lib/libamdhip64.so\n"),
        (
            "CUDA_HOME = /usr/local/cuda\na:\n\tPATH=$$CUDA_HOME/bin:$$PATH nvcc a.cu\n",
            "ROCM_PATH ?= /opt/rocm\na:\n\tPATH=$$ROCM_PATH/bin:$$PATH hipcc a.cu\n",
        ),
        (
            "CUDA_HOME := $(patsubst %/bin/nvcc,%,$(shell which nvcc))\n",
            "ROCM_PATH := $(patsubst %/bin/hipcc,%,$(shell which hipcc))\n",
        ),
    ],
)
def test_the_folder_of_the_toolkit(before: str, after: str) -> None:
    assert translated(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a.o: a.c\n\tgcc -I$(CUDA_HOME)/include -c $<\n", "gcc -I$(ROCM_PATH)/include -D__HIP_PLATFORM_AMD__ -c $<\n"),
        (
            "a.o: a.c\n\tgcc -isystem $(CUDA_HOME)/include -c $<\n",
            "-isystem $(ROCM_PATH)/include -D__HIP_PLATFORM_AMD__ -c",
        ),
        ("I = $(CUDA_HOME)/include\na.o: a.c\n\tgcc -I$(I) -c $<\n", "gcc -I$(I) -D__HIP_PLATFORM_AMD__ -c $<\n"),
        ("CFLAGS = -I$(CUDA_HOME)/include -g\n", "CFLAGS = -I$(ROCM_PATH)/include -D__HIP_PLATFORM_AMD__ -g\n"),
        (
            "D = src $(CUDA_HOME)/include\nCFLAGS = $(addprefix -I,$(D)) -g\n",
            "CFLAGS = $(addprefix -I,$(D)) -D__HIP_PLATFORM_AMD__ -g\n",
        ),
        (
            "D = src\nD += /usr/local/cuda/include\nCFLAGS = $(foreach d,$(D),-I$(d))\n",
            "CFLAGS = $(foreach d,$(D),-I$(d)) -D__HIP_PLATFORM_AMD__\n",
        ),
        (
            "C = $(CUDA_HOME)/include\nD = src $(C)\na.o: a.c\n\tgcc $(D:%=-isystem%) -c $<\n",
            "gcc $(D:%=-isystem%) -D__HIP_PLATFORM_AMD__ -c $<\n",
        ),
        (
            "CFLAGS = $(strip $(patsubst %,-I%,src $(CUDA_HOME)/include))\n",
            "CFLAGS = $(strip $(patsubst %,-I%,src $(ROCM_PATH)/include) -D__HIP_PLATFORM_AMD__)\n",
        ),
        (
            "D = $(MPI) $(CUDA_HOME)\nCFLAGS = $(foreach d,$(D),-I$(d)/include)\n",
            "CFLAGS = $(foreach d,$(D),-I$(d)/include) -D__HIP_PLATFORM_AMD__\n",
        ),
        ("D = src $(CUDA_HOME)/lib64\nCFLAGS = $(addprefix -I,$(D)) -g\n", "CFLAGS = $(addprefix -I,$(D)) -g\n"),
        (
            "MY = /usr/local/cuda\nI = $(MY)/include\na.o: a.c\n\tgcc -I$(I) -c $<\n",
            "gcc -I$(I) -D__HIP_PLATFORM_AMD__ -c $<\n",
        ),
        (
            "D = $(CUDA_HOME)/include\nF = $(addprefix -I,$(D))\na.o: a.cu\n\tnvcc $(F) -c $<\n",
            "F = $(addprefix -I,$(D))\n",
        ),
        ("a.o: a.cu\n\tnvcc -I$(CUDA_HOME)/include -c $<\n", "hipcc -I$(ROCM_PATH)/include -c $<\n"),
        ("F = -I$(CUDA_HOME)/include\na.o: a.cu\n\tnvcc $(F) -c $<\n", "F = -I$(ROCM_PATH)/include\n"),
    ],
)
def test_compilers_of_the_host_are_told_the_platform(before: str, after: str) -> None:
    assert after in translated(before)


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("a.o: a.cu\n\tnvcc -dc a.cu\na: a.o\n\tnvcc a.o -o a\n", "hipcc -fgpu-rdc --hip-link a.o -o a"),
        ("F = -rdc=true\na.o: a.cu\n\tnvcc $(F) -c a.cu\na: a.o\n\tnvcc a.o -o a\n", "hipcc -fgpu-rdc --hip-link a.o"),
        ("F = -rdc=true\na.o: a.cu\n\tnvcc $(F) -c a.cu\na: a.o\n\tnvcc $(F) a.o -o a\n", "hipcc $(F) a.o -o a"),
        ("a.o: a.cu\n\tnvcc -c a.cu\na: a.o\n\tnvcc a.o -o a\n", "hipcc a.o -o a"),
        ("F = -rdc true\na.o: a.cu\n\tnvcc $(F) -c a.cu\na: a.o\n\tnvcc a.o -o a\n", "hipcc -fgpu-rdc --hip-link a.o"),
        ("N = nvcc\na.o: a.cu\n\t$(N) -dc a.cu\na: a.o\n\t@$(N) a.o\n", "@$(N) -fgpu-rdc --hip-link a.o"),
        ("N = @NVCC@\na.o: a.cu\n\t$(N) -dc a.cu\na: a.o\n\t@@NVCC@ a.o\n", "@@NVCC@ -fgpu-rdc --hip-link a.o"),
    ],
)
def test_device_code_that_is_linked_later(text: str, links: str) -> None:
    assert links in translated(text)


@pytest.mark.parametrize(
    ("step", "links"),
    [
        ("l.o: a.o\n\tnvcc -dlink a.o -o l.o\np: a.o l.o\n\tg++ a.o l.o -o p -lcudart\n", f"{GPUS} a.o l.o -o p"),
        ("l.o: a.o\n\tnvcc -dlink $^ -o $@\np: a.o l.o\n\t$(CXX) $^ -o $@\n", f"{GPUS} $^ -o $@"),
        (
            "L = l.o\n$(L): a.o\n\tnvcc --device-link a.o -o $(L)\np: a.o $(L)\n\tg++ a.o $(L) -o p\n",
            f"{GPUS} a.o $(L) -o p",
        ),
        ("l.o: a.o\n\tnvcc -dlink a.o -o l.o\nlibp.so: a.o l.o\n\t@g++ -shared $^ -o $@\n", f"{GPUS} -shared $^ -o $@"),
        ("G = g++\np: a.o\n\tnvcc -dlink a.o -o l.o\n\t$(G) a.o l.o -o p\n", f"{GPUS} a.o l.o -o p"),
        ("p: a.o\n\tnvcc -dlink a.o --output-file l.o\n\tg++ a.o l.o -o p\n", f"{GPUS} a.o l.o -o p"),
        ("p: a.o\n\tnvcc -dlink a.o -o l.o\n\tg++ a.o l.o -o p\n\trm -f l.o\n", f"{GPUS} a.o l.o -o p"),
        ("O = a.o l.o\nl.o: a.o\n\tnvcc -dlink a.o -o l.o\np: $(O)\n\tg++ $(O) -o p\n", f"{GPUS} $(O) -o p"),
    ],
)
def test_a_step_that_links_device_code_is_left_to_the_linker(step: str, links: str) -> None:
    text = f"a.o: a.cu\n\tnvcc -dc $< -o $@\n{step}"
    done = translated(text)
    assert f"hipcc -fgpu-rdc --hip-link {links}" in done
    assert "hipcc -x c++ -c /dev/null -o" in done
    assert "dlink" not in done
    assert findings(text) == []


@pytest.mark.parametrize(
    "step",
    [
        "l.o: a.o\n\tnvcc -dlink a.o -o l.o\nlibp.a: a.o l.o\n\tar rcs $@ $^\n",
        "l.o: a.o\n\tnvcc -dlink a.o -o l.o\np: a.o l.o\n\tmpicxx a.o l.o -o p\n",
        "L = mpicxx\nl.o: a.o\n\tnvcc a.o -o l.o --device-link\np: a.o l.o\n\t$(L) a.o l.o -o p\n",
        "%_l.o: %.o\n\tnvcc -dlink $< -o $@\np: a.o a_l.o\n\tg++ $^ -o p\n",
        "l.o: a.o\n\tnvcc -dlink a.o -o l.o\n",
        "l.o: a.o\n\tnvcc -dlink a.o -o l.o\nm.o: l.o\n\tg++ -c l.o -o m.o\n",
        "define link\nnvcc -dlink a.o -o l.o\nendef\np: a.o\n\t$(call link)\n\tg++ a.o l.o -o p\n",
    ],
)
def test_a_step_that_links_device_code_for_others_makes_an_object(step: str) -> None:
    done = translated(step)
    made = "$@" if "$@.a" in done else "l.o"
    assert " -fgpu-rdc --hip-link --emit-static-lib $(addprefix --offload-arch=,$(HIP_ARCH))" in done
    assert f' && ar p {made}.a "`ar t {made}.a | tail -n 1`" >{made} && rm {made}.a\n' in done
    assert (translated(done), findings(step)) == (done, [])


@pytest.mark.parametrize(
    "command", ["nvcc -dlink a.o", "nvcc -dlink a.o -o l.o 2>log", "nvcc -dlink a.o -o 'l .o'", "nvcc $(F) a.o -o l.o"]
)
def test_other_steps_that_link_device_code_are_reported(command: str) -> None:
    text = f"F = -dlink\na.o: a.cu\n\tnvcc -dc $< -o $@\nlibp.a: a.o\n\t{command}\n\tar rcs $@ *.o\n"
    done = translated(text)
    assert f"\t{command.replace('nvcc', 'hipcc')}\n" in done
    assert translated(done) == done
    assert ("HIP603", "-dlink") in findings(text)


def test_commands_that_link_device_code_name_the_gpus() -> None:
    text = "A = -arch=sm_70\na.o: a.cu\n\tnvcc $(A) -dc $<\np: a.o\n\tnvcc a.o -o p\nq: a.o\n\tnvcc $(A) a.o -o q\n"
    done = translated(text)
    assert f"hipcc -fgpu-rdc --hip-link {GPUS} a.o -o p\n" in done
    assert "hipcc -fgpu-rdc --hip-link $(A) a.o -o q\n" in done


def test_a_fragment_is_told_of_those_that_read_it() -> None:
    files = {
        "Makefile": "include common/flags.mk\na.o: a.cu\n\t$(GPUCC) $(GPU) $(BOTH) -c $<\nb.o: b.cc\n\t$(CXX) $(BOTH) -c $<\n",
        "common/flags.mk": "GPUCC = nvcc\nGPU = -G -t 4\nBOTH = -G\n",
        "other/Makefile": "BOTH = -G\na.o: a.cu\n\tnvcc $(BOTH) -c $<\n",
    }
    done = tree(files)
    assert done["common/flags.mk"] == "GPUCC = hipcc\nGPU = -g\nBOTH = -G\n"
    assert done["Makefile"] == files["Makefile"]
    assert done["other/Makefile"] == "BOTH = -g\na.o: a.cu\n\thipcc $(BOTH) -c $<\n"


def test_a_fragment_below_a_folder_in_a_variable() -> None:
    files = {
        "src/Makefile": "TOP = ..\ninclude $(TOP)/make/rules.mk\n",
        "make/rules.mk": "%.o: %.cu\n\t$(NVCC) $(X) -c $<\nX = -G\n",
    }
    assert tree(files)["make/rules.mk"].endswith("X = -g\n")


def test_makefiles_below_are_given_what_is_exported() -> None:
    files = {
        "Makefile": "export OPTS = -G\nall:\n\t$(MAKE) -C sub\n",
        "sub/Makefile": "a.o: a.cu\n\tnvcc $(OPTS) -c $<\n",
    }
    assert tree(files)["Makefile"] == "export OPTS = -g\nall:\n\t$(MAKE) -C sub\n"


def test_makefiles_that_read_each_other() -> None:
    files = {"a.mk": "include b.mk\nF = -G\n", "b.mk": "include a.mk\na.o: a.cu\n\tnvcc $(F) -c $<\n"}
    assert tree(files)["a.mk"] == "include b.mk\nF = -g\n"


def test_a_makefile_for_hip_stays() -> None:
    text = "ifdef HIP\nCC = hipcc\nelse\nCC = nvcc\nendif\na: a.cu\n\t$(CC) -G a.cu\n"
    assert translated(text) == text
    assert findings(text) == [("HIP607", "nvcc")]


def test_a_makefile_with_a_target_for_hip_is_reported_with_it() -> None:
    text = "cuda: a.cu\n\tnvcc a.cu -o $@\n%.o: %.hip\n\thipcc -c $<\nP = .\n$(P)/rocm: a.o\n\t@hipcc a.o -o $@\n"
    done = translate_build_file(text.encode(), "Makefile", DEFAULT_OPTIONS)
    assert done.output == text.encode()
    (finding,) = done.findings
    assert finding.message.startswith("nvcc: Makefile (target $(P)/rocm) already builds for HIP")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k.ptx: k.cu\n\tnvcc -ptx $<\n", [("HIP621", "-ptx")]),
        ("V := $(shell nvcc --version | grep release)\n", [("HIP622", "nvcc")]),
        ("a.h: a.fatbin\n\t$(CUDA_HOME)/bin/bin2c $< > $@\n", [("HIP640", "bin2c")]),
        ("a: a.cu\n\tnvcc -dlink a.o\n", [("HIP603", "-dlink")]),
        ("a.d: a.cu\n\tnvcc -M a.cu -odir x -o a.d\n", [("HIP603", "-odir")]),
        ("L = nppc cudart\nF = $(addprefix -l,$(L))\n", [("HIP613", "nppc")]),
        ("NVCCFLAGS = -maxrregcount=32\n", [("HIP603", "-maxrregcount")]),
        ("I = -I$(CUDA_HOME)/samples/common/inc\n", [("HIP601", "$(CUDA_HOME)/samples/common/inc")]),
        ("NVCCFLAGS = -rdc=$(X)\n", [("HIP603", "-rdc=$(X)")]),
    ],
)
def test_findings(text: str, expected: list[tuple[str, str]]) -> None:
    assert findings(text) == expected


def test_the_makefiles_of_automake() -> None:
    text = "if HAVE_CUDA\nAM_CPPFLAGS = -I/usr/local/cuda/include\nLIBS += -L$(CUDA_PATH)/lib64 -lcudart\nendif\n"
    assert translated(text + ".cu.o:\n\t$(NVCC) -arch=sm_70 -c $<\n", "src/Makefile.am") == (
        "if HAVE_CUDA\nAM_CPPFLAGS = -I/opt/rocm/include -D__HIP_PLATFORM_AMD__\n"
        "LIBS += -L$(ROCM_PATH)/lib -lamdhip64\nendif\n.cu.o:\n\t$(NVCC) $(HIP_ARCH:%=--offload-arch=%) -c $<\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("AC_CHECK_LIB([cufft], [cufftPlan1d], [LIBS=x])", "AC_CHECK_LIB([hipfft], [hipfftPlan1d], [LIBS=x])"),
        ("AC_SEARCH_LIBS(cudaFree, cudart)", "AC_SEARCH_LIBS(hipFree, amdhip64)"),
        ('LIBS="-L$CUDA_HOME/lib64 -lcudart"', 'LIBS="-L$ROCM_PATH/lib -lamdhip64"'),
        ("NVCC=${CUDA_PATH}/bin/nvcc", "NVCC=${ROCM_PATH}/bin/hipcc"),
        ("AC_MSG_CHECKING([for nvcc in /usr/local/cuda])", "AC_MSG_CHECKING([for nvcc in /usr/local/cuda])"),
        ("dnl nvcc -lcudart", "dnl nvcc -lcudart"),
        ("case $CC in nvcc*) ;; esac", "case $CC in nvcc*) ;; esac"),
        ('F="-Xcompiler -fPIC -arch sm_13"', 'F="-fPIC"'),
        ('F="-Xcompiler $CUDA_HOME/lib64 -O2"', 'F="$ROCM_PATH/lib -O2"'),
        ('F="-Xcompiler=-fPIC,-I$CUDA_HOME/include"', 'F="-fPIC -I$ROCM_PATH/include -D__HIP_PLATFORM_AMD__"'),
        ('F="-Xcompiler -lcudart,-lm"', 'F="-lamdhip64 -lm"'),
        ('F="-Xcompiler -Wl,-rpath,/usr/local/cuda/lib64"', 'F="-Wl,-rpath,/opt/rocm/lib"'),
    ],
)
def test_configure(before: str, after: str) -> None:
    start = "AC_INIT([cuda])\n"
    assert translated(start + before, "configure.ac") == start + after


def test_macros_that_configure_defines() -> None:
    assert findings("AC_CHECK_LIB([cudart], [cudaMalloc])", "configure.ac") == [("HIP623", "HAVE_LIBCUDART")]
    assert findings("AC_CHECK_HEADERS([cuda.h])", "configure.ac") == [("HIP623", "HAVE_CUDA_H")]


def test_standards_that_rocprim_cannot_be_compiled_with() -> None:
    text = b"NVCCFLAGS = -std=c++11 -O2\nCXXFLAGS = -std=c++11\na.o: a.cu\n\t$(NVCC) $(NVCCFLAGS) -std=gnu++14 -c $<\n"
    told = build_contexts({"Makefile": text}, DEFAULT_OPTIONS)["Makefile"]._replace(needs_cpp17=True)
    done = translate_build_file(text, "Makefile", DEFAULT_OPTIONS, NO_PROJECT._replace(build=told))
    assert done.output == (
        b"NVCCFLAGS = -std=c++17 -O2\nCXXFLAGS = -std=c++11\na.o: a.cu\n\t$(NVCC) $(NVCCFLAGS) -std=gnu++17 -c $<\n"
    )
    assert [one.id for one in done.findings] == ["HIP611", "HIP611"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a.o: a.cu\n\tnvcc -c a.cu\n", "a.o: a.hip\n\thipcc -c a.hip\n"),
        ("%.o: %.cu\n\tnvcc -c $<\n", "%.o: %.hip\n\thipcc -c $<\n"),
        (".SUFFIXES: .cu .o\n.cu.o:\n\tnvcc -c $<\n", ".SUFFIXES: .hip .o\n.hip.o:\n\thipcc -c $<\n"),
        ("S = $(wildcard *.cu)\nO = $(S:.cu=.o)\n", "S = $(wildcard *.hip)\nO = $(S:.hip=.o)\n"),
        ("O = $(patsubst %.cu,%.o,$(S))\n", "O = $(patsubst %.hip,%.o,$(S))\n"),
        ("S = $(DIR)/a.cu # a.cu\n", "S = $(DIR)/a.hip # a.cu\n"),
    ],
)
def test_names_of_renamed_files(before: str, after: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "Makefile").write_text(before)
    (tmp_path / "in" / "a.cu").write_text("__global__ void f() {}\n")
    convert([tmp_path / "in"], output=tmp_path / "out", rename=True)
    assert (tmp_path / "out" / "Makefile").read_text() == after


def test_fast_math_keeps_infinities_and_is_what_the_chosen_rocm_takes() -> None:
    makefile = b"NVCCFLAGS = --use_fast_math\n"
    older = Options(targeting=Targeting(rocm="5.7"))
    plain = b"-fgpu-flush-denormals-to-zero -fno-hip-fp32-correctly-rounded-divide-sqrt"
    assert (
        b"= %b -fgpu-approx-transcendentals\n" % plain
        in translate_build_file(makefile, "Makefile", DEFAULT_OPTIONS).output
    )
    assert b"= %b\n" % plain in translate_build_file(makefile, "Makefile", older).output


@pytest.mark.parametrize("value", ["/EHsc", '"/std:c++20"', '"/EHsc /W0 /nologo"', "/MD,/O2", "/Zc:preprocessor"])
def test_options_for_microsofts_compiler_stay_and_are_reported(value: str) -> None:
    text = f"NVCC = nvcc\nNVCCFLAGS = -O2 -Xcompiler {value}\na: a.cu\n\t$(NVCC) $(NVCCFLAGS) a.cu -o a\n"
    done = translate_build_file(text.encode(), "Makefile", DEFAULT_OPTIONS)
    assert f"NVCCFLAGS = -O2 -Xcompiler {value}\n" in done.output.decode()
    assert "HIP603" in [finding.id for finding in done.findings]


def test_a_windows_path_that_a_recipe_sets_stays() -> None:
    text = "a: a.cu\n\tCUDA_PATH='C:/CUDA/v12.4' nvcc a.cu -o a\n"
    done = translate_build_file(text.encode(), "Makefile", DEFAULT_OPTIONS)
    assert done.output.decode() == text.replace("nvcc a.cu", "hipcc a.cu")


def test_options_in_a_form_that_clang_does_not_take() -> None:
    before = (
        "V := $(shell nvcc -V)\nFLAGS = -std c++17 -t3 -nodlink -cudadevrt=none\na: a.cu\n\tnvcc $(FLAGS) -cuda a.cu\n"
    )
    after = "V := $(shell hipcc --version)\nFLAGS = -std=c++17\na: a.cu\n\thipcc $(FLAGS) -c a.cu\n"
    assert translated(before) == after
    assert findings(before) == [("HIP622", "nvcc"), ("HIP603", "-cuda")]
    kept = "list:\n\tnvcc --list-gpu-code\n"
    assert translated(kept) == kept.replace("nvcc", "hipcc")
    assert findings(kept) == [("HIP603", "--list-gpu-code")]


@pytest.mark.parametrize(
    "asks",
    ["ifneq ($({}),)", "ifneq ($(strip $({})),)", "ifdef {}", 'ifneq "$({})" ""', "ifneq (,$({}))", "ifneq ($({}), )"],
)
def test_options_for_gpus_that_only_a_query_sets(asks: str) -> None:
    body = "  F += -arch=sm_$(SM)\n  G += -gencode arch=compute_$(SM),code=sm_$(SM)\nendif\na: a.cu\n\tnvcc $(F) $(G) a.cu\n"
    after = f"  F += {GPUS}\n  G += {GPUS}\nendif\na: a.cu\n\thipcc $(F) $(G) a.cu\n"
    assert translated(asks.format("SM") + "\n" + body) == asks.format("HIP_ARCH") + "\n" + after


@pytest.mark.parametrize(
    "text",
    [
        "ifneq ($(SM),)\nF += -arch=sm_$(SM) -O2\nendif\na:\n\tnvcc $(F) a.cu\n",
        "ifneq ($(SM),)\nF += -arch=sm_70\nendif\na:\n\tnvcc $(F) a.cu\n",
        "ifneq ($(SM),70)\nF += -arch=sm_$(SM)\nendif\na:\n\tnvcc $(F) a.cu\n",
        "ifneq ($(SM),)\nF += -arch=sm_$(SM)\nelse\nF += -arch=sm_70\nendif\na:\n\tnvcc $(F) a.cu\n",
        "ifneq ($(SM),)\nendif\na:\n\tnvcc -arch=sm_$(SM) a.cu\n",
    ],
)
def test_conditions_that_decide_more_than_gpus_stay(text: str) -> None:
    assert translated(text).splitlines()[0] == text.splitlines()[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            'ifneq ("$(wildcard /opt/cuda/bin/nvcc)","")\nCUDA_HOME = /opt/cuda\nendif\n',
            'ifneq ("$(wildcard /opt/rocm/bin/hipcc)","")\nROCM_PATH ?= /opt/rocm\nendif\n',
        ),
        (
            "I := -I/usr/local/cuda/include\nL = -L/usr/local/cuda/lib64\nCUDA_HOME = /opt/cuda\nJ := -I/opt/cuda/include\n",
            "I := -I/opt/rocm/include -D__HIP_PLATFORM_AMD__\nL = -L$(ROCM_PATH)/lib\nROCM_PATH ?= /opt/rocm\n"
            "J := -I$(ROCM_PATH)/include -D__HIP_PLATFORM_AMD__\n",
        ),
        ("L = -L$(CUDA_HOME)/lib$(BITS) -lcudart\n", "ROCM_PATH ?= /opt/rocm\nL = -L$(ROCM_PATH)/lib -lamdhip64\n"),
        ("L = $(CUDA_HOME)/lib$(A)/x -lcudart\n", "ROCM_PATH ?= /opt/rocm\nL = $(ROCM_PATH)/lib/x -lamdhip64\n"),
        ("L = $(CUDA_HOME)/lib$(A).so -lcudart\n", "ROCM_PATH ?= /opt/rocm\nL = $(ROCM_PATH)/lib$(A).so -lamdhip64\n"),
        ("N = /opt/cuda/11.8/bin/nvcc\n", "ROCM_PATH ?= /opt/rocm\nN = $(ROCM_PATH)/bin/hipcc\n"),
        ("N = /opt/cuda-9.2/cuda/bin/nvcc\n", "ROCM_PATH ?= /opt/rocm\nN = $(ROCM_PATH)/bin/hipcc\n"),
        ("F = -arch arm64 -O2\na:\n\tnvcc a.cu\n", "F = -arch arm64 -O2\na:\n\thipcc a.cu\n"),
    ],
)
def test_where_the_toolkit_is(before: str, after: str) -> None:
    assert translated(before) == after


def test_an_option_whose_value_stands_elsewhere_stays() -> None:
    text = (
        "ALL = $(addprefix -Xlinker ,$(OWN))\nALL += $(addprefix -Xlinker ,$(MORE))\n\n# c\nDIRS := -Ix\n"
        "all:\n\tnvcc $(ALL) $(DIRS) a.cu\n"
    )
    assert translated(text) == text.replace("nvcc", "hipcc")


def test_each_value_of_a_list_gets_its_option() -> None:
    text = "all:\n\tnvcc --define-macro A=$(call f,1,2),B=2 --include-path x,y a.cu\n"
    assert translated(text) == "all:\n\thipcc -DA=$(call f,1,2) -DB=2 -Ix -Iy a.cu\n"


@pytest.mark.parametrize(
    "rules",
    ["tool.o: tool.cpp tool.h\n", "tool.o: tool.cpp ; $(COMPILE.cc) $< -o $@\n", "tool.o part.o: part.h tool.cc\n\n"],
)
def test_make_runs_host_compilers_by_its_own_rules(rules: str) -> None:
    text = "CPPFLAGS = -I/usr/local/cuda/include\nk.o: k.cu\n\tnvcc $(CPPFLAGS) -c k.cu\n"
    assert "-D__HIP_PLATFORM_AMD__" not in translated(text)
    assert "CPPFLAGS = -I$(ROCM_PATH)/include -D__HIP_PLATFORM_AMD__\n" in translated(text + rules)


def test_folders_that_are_exported_to_makefiles_below() -> None:
    files = {
        "Makefile": "TOOLS = /usr/local/cuda\nHEADERS = $(TOOLS)/include\nexport TOOLS HEADERS\nall:\n\t$(MAKE) -C lib\n",
        "lib/Makefile": "a.o: a.cpp\n\t$(CXX) -I$(HEADERS) -c a.cpp\nb: a.o\n\t$(CXX) a.o -L$(TOOLS)/lib64 -lcudart\n",
        "own/Makefile": "HEADERS = inc\na.o: a.cpp\n\t$(CXX) -I$(HEADERS) -c a.cpp\n",
    }
    done = tree(files)
    below = "a.o: a.cpp\n\t$(CXX) -I$(HEADERS) -D__HIP_PLATFORM_AMD__ -c a.cpp\nb: a.o\n\t$(CXX) a.o -L$(TOOLS)/lib -lamdhip64\n"
    assert done["lib/Makefile"] == below
    assert done["own/Makefile"] == files["own/Makefile"]
    alone = tree(
        {"a/Makefile": files["Makefile"].replace("$(MAKE) -C lib", "true"), "a/lib/Makefile": files["lib/Makefile"]}
    )
    assert "-D__HIP_PLATFORM_AMD__" not in alone["a/lib/Makefile"]


def test_a_keyword_of_the_shell_right_before_a_continued_line() -> None:
    before = "a:\n\tfor f in $(S); do\\\n\t\t$(NVCC) -G -c $$f -o\\\n\t\t$$f.o;\\\n\tdone\n"
    assert translated(before) == before.replace("-G", "-g")


def test_a_variable_before_a_compiler_is_no_compiler() -> None:
    text = (
        "CUC = $(RUN) nvcc\nHOSTC = $(RUN) mpicc\nDIRS = -I/usr/local/cuda/include\n"
        "all:\n\t$(HOSTC) $(DIRS) -c a.c\n\t$(CUC) -c b.cu\n"
    )
    output = translated(text)
    assert "CUC = $(RUN) hipcc\nHOSTC = $(RUN) mpicc\n" in output
    assert "-I$(ROCM_PATH)/include -D__HIP_PLATFORM_AMD__\n" in output


def test_quotes_for_the_shell_of_nvcc_go_away() -> None:
    text = 'all:\n\tnvcc -Xcompiler \\"-Wl,-rpath,$(X)/lib\\" -Xcompiler -rdynamic a.cu\n'
    assert translated(text) == "all:\n\thipcc -Wl,-rpath,$(X)/lib -rdynamic a.cu\n"


def test_makefiles_by_absolute_paths() -> None:
    text = "all: ; $(MAKE) -C sub\nX = -I/usr/local/cuda/include\nb: ; cc $(X) b.c\n"
    assert translated(text, "/home/project/Makefile") == translated(text, "project/Makefile")


def test_architectures_of_macos_are_not_gpus() -> None:
    found = translate_build_file(b"a:\n\tcc -arch x86_64 a.c\n\tnvcc a.cu\n", "Makefile", DEFAULT_OPTIONS).findings
    assert [finding.id for finding in found] == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("nvcc $< -O2 -x cu -o $@", "hipcc -x hip -include hip/hip_runtime.h $< -O2 -o $@"),
        ("nvcc prices.cpp -x cu", "hipcc -x hip -include hip/hip_runtime.h prices.cpp"),
        ("nvcc -x cu -c prices.cpp", "hipcc -x hip -include hip/hip_runtime.h -c prices.cpp"),
        ("nvcc -x cu -c prices.cu", "hipcc -x hip -c prices.cu"),
        ("nvcc prices.cu -x cu -c", "hipcc -x hip prices.cu -c"),
    ],
)
def test_the_language_comes_before_the_sources(before: str, after: str) -> None:
    """For clang, it is for what follows it only."""
    assert f"\t{after} " in translated(f"prices: prices.cpp\n\t{before} -arch=sm_80\n")
