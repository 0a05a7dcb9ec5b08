"""Kernels in Python programs."""

from __future__ import annotations

import ast

import pytest

from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.translation import Counts
from hipify_py.embedded.translate import translate_host
from hipify_py.support_header.inlined import INLINED

OLD, NEW = "cudaTextureObject_t", "hipTextureObject_t"
KERNEL = f'extern "C" __global__ void k({OLD} t, float *p) {{ p[0] = 1; }}'


def output(program: str) -> str:
    translated = translate_host(program.encode(), "program.py")
    again = translate_host(translated.output, "program.py")
    assert again.output == translated.output
    ast.parse(translated.output)
    return translated.output.decode()


def found(program: str) -> list[tuple[str, int]]:
    return [(finding.id, finding.line) for finding in translate_host(program.encode(), "program.py").findings]


@pytest.mark.parametrize(
    "program",
    [
        "import cupy\nk = cupy.RawKernel('''{}''', 'k')\n",
        "import cupy as cp\nk = cp.RawModule(code=r'''{}''', backend='nvrtc')\n",
        "from cupy import RawKernel\nCODE = '''{}'''\nk = RawKernel(CODE, 'k')\n",
        "def make():\n    code = '''{}'''\n    return cp.RawKernel(code, 'k')\n",
        "class Op:\n    CODE = '''{}'''\n    def make(self):\n        return cp.RawKernel(self.CODE, 'k')\n",
        "class Op:\n    def __init__(self):\n        self.code = '''{}'''\n    def make(self):\n"
        "        return cp.RawKernel(self.code, 'k')\n",
        "CODES = dict(a=1)\nCODES = {{'k': '''{}'''}}\nk = cp.RawKernel(CODES['k'], 'k')\n",
        "def text():\n    return '''{}'''\nk = cp.RawKernel(text(), 'k')\n",
        "def make(code, name):\n    return cp.RawKernel(code, name)\nk = make('''{}''', 'k')\n",
        "from pycuda.compiler import SourceModule\nm = SourceModule('''{}''')\n",
        "import pycuda.compiler as c\nm = c.SourceModule(source='''{}''', no_extern_c=True)\n",
        "import textwrap\nm = cp.RawModule(code=textwrap.dedent('''{}'''))\n",
        "from cuda.bindings import nvrtc\nCODE = '''{}'''\n"
        "err, p = nvrtc.nvrtcCreateProgram(str.encode(CODE), b'k.cu', 0, [], [])\n",
        "from cuda.core import Program\np = Program('''{}''', code_type='c++')\n",
        "from torch.utils.cpp_extension import load_inline\nSOURCE = '''{}'''\n"
        "m = load_inline(name='m', cpp_sources='', cuda_sources=[SOURCE], functions=['f'])\n",
        "import torch\nm = torch.utils.cpp_extension.load_inline('m', '', '''{}''')\n",
        "from kernel_tuner import tune_kernel\ntune_kernel('k', '''{}''', 128, [], {{}})\n",
        "k = cp.RawKernel('''{}''' if fast else '', 'k')\n",
        "HEAD = '''{}'''\nk = cp.RawKernel(HEAD + 'int x;', 'k')\n",
        "import cupy\nk = cupy.ElementwiseKernel('T x', 'T y', 'y = x', 'k', preamble='''{}''')\n",
    ],
)
def test_a_source_is_translated_where_it_is_written(program: str) -> None:
    assert output(program.format(KERNEL)) == program.format(KERNEL.replace(OLD, NEW))


def test_escapes_stay_as_they_are() -> None:
    before = 'k = cp.RawKernel("#include <cuda_fp16.h>\\n__global__ void k(\\t__half *p)\\x20{}\\n", "k")\n'
    after = (
        'k = cp.RawKernel("#if !defined(__HIPCC_RTC__)  // hipRTC has it built in\\n#include <hip/hip_fp16.h>\\n#endif\\n'
        '__global__ void k(\\t__half *p)\\x20{}\\n", "k")\n'
    )
    assert output(before) == after


def test_adjacent_literals_are_one_source() -> None:
    before = "k = cp.RawKernel('__global__ void k(cudaTexture'  # begins here\n    'Object_t t) {}', 'k')\n"
    after = f"k = cp.RawKernel('__global__ void k({NEW}'  # begins here\n    ' t) {{}}', 'k')\n"
    assert output(before) == after


def test_warps_keep_32_lanes_by_what_the_source_gets() -> None:
    text = output("k = cp.RawKernel('''__global__ void k(unsigned *p) { p[0] = __ballot_sync(~0u, p[1]); }''', 'k')\n")
    assert "hipify::warp32::ballot_sync(~0u, p[1])" in text
    assert INLINED.decode() in text
    translated = translate_host(
        b"k = cp.RawKernel('''__global__ void k(unsigned *p) { p[0] = __ballot_sync(~0u, p[1]); }''', 'k')\n", "a.py"
    )
    assert translated.warps.kept == 1


@pytest.mark.parametrize(
    "program",
    [
        'print("""__global__ cudaTextureObject_t""" in text)\n',
        '"""Documentation: __global__ void k(cudaTextureObject_t t)."""\n',
        "k = cp.RawKernel('''__global__ void k(float *p) { p[threadIdx.x] = 1; }''', 'k')\n",
        "k = cp.RawKernel(f'''__global__ void {name}(float *p) {{}}''', name)\n",
        "x = 1  # cupy.RawKernel\n",
        "from kernel_tuner import tune_kernel\ntune_kernel('k', '__kernel void k(__global float *p) {}', 1, [], {})\n",
        "from kernel_tuner import tune_kernel\ntune_kernel('k', sources.get('k'), 1, [], {})\n",
    ],
)
def test_what_is_valid_hip_stays_and_is_no_finding(program: str) -> None:
    if "in text" in program:
        program = program.replace("print(", "assert (")
    translated = translate_host(program.encode(), "program.py")
    assert translated.output == program.encode()
    assert [one.id for one in translated.findings if "in text" not in program] == []


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("n = 1\nk = cp.RawKernel(f'''__global__ void k{n}(cudaTextureObject_t t) {{}}''', 'k')\n", 2),
        ("k = cp.RawKernel('__global__ void k(cudaTextureObject_t t, %s *p) {}' % t, 'k')\n", 1),
        ("T = '__global__ void k(cudaTextureObject_t t, {} *p) {{}}'\nk = cp.RawKernel(T.format(t), 'k')\n", 1),
        ("k = cp.RawKernel('__global__ void k(cudaTextureObject_t t) {' + body + '}', 'k')\n", 1),
        (
            "from string import Template\nT = Template('__global__ void k(cudaTextureObject_t t, $T *p) {}')\n"
            "m = SourceModule(T.substitute(T='int'))\n",
            2,
        ),
        (
            "import jinja2\nT = jinja2.Template('__global__ void k(cudaTextureObject_t t, {{ T }} *p) {}')\n"
            "m = cp.RawModule(code=T.render(T='int'))\n",
            2,
        ),
        ("code = '__global__ void k('\ncode += 'cudaTextureObject_t t) {}'\nk = cp.RawKernel(code, 'k')\n", 1),
        ("TEXT = '__global__ void k(cudaTextureObject_t t) {}'\ncompile_it(TEXT)\n", 1),
        ("k = cp.RawKernel(registry.source('k'), 'k')\n", 1),
    ],
)
def test_a_source_that_cannot_be_followed_is_a_finding(program: str, line: int) -> None:
    assert ("HIP240", line) in found(program)
    assert translate_host(program.encode(), "program.py").edits == []


def test_a_source_that_two_sums_need_differently_stays() -> None:
    program = (
        "HEAD = 'struct A {};'\n"
        "a = cp.RawKernel(HEAD + '__global__ void a(unsigned *p) { p[0] = __ballot_sync(~0u, 1); }', 'a')\n"
        "b = cp.RawKernel(HEAD + '__global__ void b(int *p) { p[0] = 1; }', 'b')\n"
    )
    translated = translate_host(program.encode(), "program.py")
    assert translated.edits == []
    assert [finding.id for finding in translated.findings] == ["HIP240"]


def test_options_of_the_compiler_are_translated() -> None:
    before = "k = cp.RawKernel(CODE, 'k', ('--std=c++17', '-arch=sm_80', '-fmad=false', '-I.'))\n"
    assert output(before) == "k = cp.RawKernel(CODE, 'k', ('--std=c++17', '-ffp-contract=off', '-I.'))\n"
    before = "OPTS = ['-lineinfo']\nm = cp.RawModule(code='', options=tuple(OPTS))\n"
    assert "['-gline-tables-only']" in output(before)


@pytest.mark.parametrize(
    "program",
    [
        "k = cp.RawKernel(f'''__global__ void k(unsigned *p) {{ p[0] = __ballot_sync(~0u, p[1]); }}''', 'k')\n",
        "k = cp.RawKernel(f'__global__ void {n}(float *p) {{ p[0] = __shfl_down(p[0], 1); }}', n)\n",
        "k = cp.RawKernel('__global__ void k(%s *p) { asm(\"mov.u32 %%0, %%%%smid;\" : \"=r\"(p[0])); }' % t, 'k')\n",
        "k = cp.RawKernel(f'#include <cuda_fp16.h>\\n__global__ void {n}(__half *p) {{}}', n)\n",
        "S = '__global__ void k(int *p) { p[0] = __any_sync(~0u, p[1]); }'\nk = cp.RawKernel(S, 'k')\n"
        "m = cp.RawKernel(S.replace('int', 'long'), 'k')\n",
        "S = '__global__ void k(int *p) { p[0] = __any_sync(~0u, p[1]); }'\nk = cp.RawKernel(S, 'k')\n"
        "assert 'any_sync' in S\n",
        "S = '__global__ void k(int *p) { p[0] = __any_sync(~0u, p[1]); }'\nk = cp.RawKernel(S, 'k')\n"
        "at = S.index('{')\n",
    ],
)
def test_a_text_that_the_program_works_with_stays_and_is_a_finding(program: str) -> None:
    assert output(program) == program
    assert {id for id, _ in found(program)} == {"HIP240"}


def test_a_finding_names_what_has_to_change() -> None:
    program = (
        "k = cp.RawKernel(f'''\n#include <cuda_fp16.h>\n__global__ void {n}(float *p) {{\n"
        "  p[0] = __shfl_down(p[0], 1);\n}}''', n)\n"
    )
    (finding,) = translate_host(program.encode(), "program.py").findings
    assert finding.message.endswith("an f-string makes it of text with cuda_fp16.h, __shfl_down")


def test_names_of_a_text_that_stays_are_counted() -> None:
    program = "k = cp.RawKernel(f'__global__ void {n}(int *p) {{ p[0] = __any_sync(~0u, threadIdx.x); }}', n)\n"
    counts = Counts.of(translate_host(program.encode(), "program.py").references)
    assert (counts.unsupported, counts.native, counts.converted) == (1, 2, 0)


def test_a_loop_over_a_mapping_and_another_name_for_a_constructor() -> None:
    program = (
        "from cupy import RawKernel as Kernel\nSOURCES = {'a': '''KERNEL'''}\n"
        "for name, source in SOURCES.items():\n    Kernel(source, name)\n"
    ).replace("KERNEL", KERNEL)
    assert output(program) == program.replace(OLD, NEW)


def test_dual_builds_leave_a_program_as_it_is() -> None:
    program = f"k = cp.RawKernel('''{KERNEL}''', 'k')\n"
    done = translate_host(program.encode(), "program.py", DEFAULT_OPTIONS._replace(dual=True))
    assert done.output == program.encode()
    assert done.edits == []


def test_options_of_pytorchs_builder_are_translated() -> None:
    before = (
        "from torch.utils.cpp_extension import load\n"
        "m = load('m', ['a.cu'], extra_cuda_cflags=['-arch=sm_90a', '-O3'], extra_ldflags=['-lcudart', '-lcublas'])\n"
    )
    after = "m = load('m', ['a.cu'], extra_cuda_cflags=['-O3'], extra_ldflags=['-lamdhip64', '-lhipblas'])\n"
    assert output(before).endswith(after)


def test_a_call_that_counts_its_options_counts_those_that_are_left() -> None:
    before = (
        "from cuda.bindings import nvrtc\n"
        "opts = [b'--fmad=false', b'--gpu-architecture=compute_80']\n"
        "nvrtc.nvrtcCompileProgram(program, 2, opts)\n"
    )
    after = "opts = [b'-ffp-contract=off']\nnvrtc.nvrtcCompileProgram(program, len(opts), opts)\n"
    assert output(before).endswith(after)
    before = "from cuda.bindings import nvrtc\nnvrtc.nvrtcCompileProgram(program, 2, [b'--use_fast_math', b'-I.'])\n"
    assert "nvrtcCompileProgram(program, 4, [" in output(before)


def test_an_architecture_that_is_put_together_is_a_finding() -> None:
    program = (
        "from cuda.bindings import nvrtc\n"
        "arch = bytes(f'--gpu-architecture=compute_{major}{minor}', 'ascii')\n"
        "opts = [b'-I.', arch]\n"
        "nvrtc.nvrtcCompileProgram(program, len(opts), opts)\n"
    )
    assert ("HIP603", 2) in found(program)


def test_statements_are_translated_as_a_part_of_a_function() -> None:
    program = "import cupy\nk = cupy.ElementwiseKernel('T x', 'T y', 'y = __shfl_sync(~0u, x, 3)', 'k')\n"
    assert "__shfl(x, 3, 32)" in output(program)
    program = "import cupy\nk = cupy.ElementwiseKernel('T x', 'T y', 'y = __ballot_sync(~0u, x)', 'k')\n"
    assert found(program) == [("HIP240", 2)]  # the kernel is CuPy's, and has no place for the support header


def test_the_names_that_a_package_defines_stay() -> None:
    code = "'''#include <{}math_constants.h>\n__global__ void k(double *p) {{ p[0] = CUDART_INF; }}'''"
    assert "CUDART_INF" in output(f"k = cp.RawKernel({code.format('cupy/')}, 'k')\n")
    assert "HIP_INF" in output(f"k = cp.RawKernel({code.format('')}, 'k')\n")


def test_the_texture_of_a_source_is_bound_elsewhere() -> None:
    code = "'''texture<float, 1> t;\n__global__ void k(float *p) { p[0] = tex1Dfetch(t, 3); }'''"
    assert "HIP251" in [id for id, _ in found(f"m = SourceModule({code})\n")]


@pytest.mark.parametrize(
    ("program", "id"),
    [
        ("import pycuda.driver as drv\n", "HIP241"),
        ("from numba import cuda\n", "HIP241"),
        ("@cuda.jit\ndef f(a):\n    pass\n", "HIP241"),
        ("import cuda.core.experimental\n", "HIP241"),
        ("from cuda.bindings import runtime\n", "HIP243"),
        ("from cuda.bindings import runtime\nruntime.cudaGraphConditionalHandleCreate(g, 0, 0)\n", "HIP242"),
        ("m = cupy.RawModule(path='k.cubin')\n", "HIP242"),
        ("import triton.language as tl\nx = tl.extra.cuda.globaltimer()\n", "HIP241"),
        ("import cudf\n", "HIP241"),
        ("m = cupy.RawModule(code='', jitify=True)\n", "HIP242"),
        ("m = cupy.RawKernel('', 'k', enable_cooperative_groups=True)\n", "HIP242"),
        ("import cupy as cp\nw = cp.linalg.eig(a)\n", "HIP242"),
        ("from cupy.linalg import eigvals\nw = eigvals(a)\n", "HIP242"),
        ("y = tl.inline_asm_elementwise('rsqrt.approx.f32 $0, $1;', '=r,r', [x], tl.float32, True, 1)\n", "HIP201"),
        ("from triton.language.extra.cuda import libdevice\n", "HIP241"),
    ],
)
def test_packages_and_names_that_rocm_lacks_are_findings(program: str, id: str) -> None:
    assert id in [each for each, _ in found(program)]
    assert output(program) == program


def test_a_comment_suppresses_a_finding() -> None:
    program = "from numba import cuda  # hipify: ignore[HIP241]\n"
    translated = translate_host(program.encode(), "program.py")
    assert (translated.findings, len(translated.suppressed)) == ([], 1)


def test_a_finding_inside_a_source_has_its_place_in_the_file() -> None:
    program = "n = 3\nk = cp.RawKernel('''\n__global__ void k() {\n  cudaMystery(1);\n}''', 'k')\n"
    (finding,) = translate_host(program.encode(), "program.py").findings
    assert (finding.id, finding.line, finding.column, finding.path) == ("HIP102", 4, 3, "program.py")


def test_broken_python_loses_nothing() -> None:
    program = f"def f(:\nk = cp.RawKernel('''{KERNEL}''', 'k'\n"
    assert translate_host(program.encode(), "program.py", DEFAULT_OPTIONS).output.startswith(b"def f(:\n")
    assert translate_host(b"cupy.RawKernel('", "program.py").output == b"cupy.RawKernel('"


@pytest.mark.parametrize(
    "program",
    [
        "a = b\nb = a\nk = cp.RawKernel(a, 'k')\n",
        "def f(x):\n    return g(x)\ndef g(x):\n    return f(x)\nk = cp.RawKernel(f('__global__ void k() {}'), 'k')\n",
        "def run(code):\n" + "    run(code + code)\n    run(code)\n" * 40 + "    cp.RawKernel(code, 'k')\n",
        "".join(f"a{n} = a{n + 1} if x else a{n + 2}\n" for n in range(300)) + "k = cp.RawKernel(a0, 'k')\n",
    ],
    ids=["names", "functions", "calls", "choices"],
)
def test_circles_and_chains_of_names_come_to_an_end(program: str) -> None:
    assert output(program) == program
