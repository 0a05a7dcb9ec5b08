"""What is reported of tests for versions, capabilities and features: where a reader must act, once."""

from __future__ import annotations

import pytest

from hipify_py import Options, Translation, translate
from hipify_py.core.targeting import Targeting

PLAIN = Options(implicit_runtime=False)


def run(source: str) -> Translation:
    return translate(source, path="a.cu", options=PLAIN)


def ids(source: str) -> list[str]:
    return [finding.id for finding in run(source).findings]


@pytest.mark.parametrize(
    "source",
    [
        "__device__ int f(int a) {\n#if __CUDA_ARCH__ >= 800\nreturn __hmin(a, a);\n#else\nreturn a;\n#endif\n}\n",
        "#if CUDA_VERSION >= 11000\nint a;\n#else\nint b;\n#endif\n",
        "#if __CUDACC_VER_MAJOR__ > 11 || (__CUDACC_VER_MAJOR__ == 11 && __CUDACC_VER_MINOR__ >= 4)\nint a;\n#endif\n",
        '#if __CUDA_ARCH__ >= 800\nvoid f() { asm("mma.sync ;"); }\n#else\nvoid f() { plain(); }\n#endif\n',
        "#if CUDA_VERSION >= 12000\ncudaGridDependencySynchronize();\n#endif\n",
        "#ifdef __CUDACC__\nint a;\n#elif defined(__HIPCC__)\nint b;\n#endif\n",
        "#ifdef __CUDA_ARCH_FEAT_SM90_ALL\nint a;\n#endif\n",
    ],
)
def test_a_branch_that_does_its_work_is_not_mentioned(source: str) -> None:
    assert ids(source) == []


@pytest.mark.parametrize(
    "stop",
    [
        'NVTE_DEVICE_ERROR("only on SM 9.0+");',
        'MY_FATAL("no", 3);',
        'PANIC("no");',
        "__trap();",
        "NO_DEVICE_CODE;",
        'throw std::runtime_error("old");',
        "return;",
    ],
)
@pytest.mark.parametrize("code", ['asm volatile("cp.async.bulk.commit_group;");', 'asm("mma.sync ;");'])
def test_a_branch_that_only_stops_is_a_warning(stop: str, code: str) -> None:
    source = f"__device__ void f() {{\n#if (defined __CUDA_ARCH__) && __CUDA_ARCH__ >= 900\n{code}\n#else\n{stop}\n#endif\n}}\n"
    assert ids(source) == ["HIP401"]


def test_an_error_that_is_handled_is_work() -> None:
    source = (
        '#if __CUDA_ARCH__ >= 800\n__device__ void f() { asm("mma.sync ;"); }\n#else\n'
        '__device__ void f() { if (!ready) MY_ERROR("not ready"); work(); more(); }\n#endif\n'
    )
    assert ids(source) == []


def test_one_condition_on_both_numbers_is_one_finding() -> None:
    code = 'asm("tcgen05.fence::before_thread_sync;");'
    source = f"__device__ void f() {{\n#if __CUDA_ARCH__ >= 1000 && __CUDACC_VER_MAJOR__ >= 12\n{code}\n#endif\n}}\n"
    assert ids(source) == []  # above what AMD GPUs count as
    source = source.replace("1000", "900")
    assert ids(source) == ["HIP401"]


def test_flags_that_are_known_by_name_are_one_finding() -> None:
    flag = "#if __CUDA_ARCH__ >= {}\n#define AMPERE_MMA_{}\n#endif\n"
    (found,) = run("".join(flag.format(number, number) for number in (800, 860, 890))).findings
    assert found.id == "HIP401"
    assert "AMPERE_MMA_800 stays undefined; by its name it stands for a feature that AMD GPUs lack" in found.message
    assert found.message.endswith("(and 2 more in this file)")


@pytest.mark.parametrize(
    ("otherwise", "found"),
    [
        ("plain(a);", []),
        ("", ["HIP401"]),
        ("__trap();", ["HIP401"]),
        ("assert(LIB_ARCH_SM80);", ["HIP401"]),
        ("return;", ["HIP401"]),
        ("a += 1; g(a);", []),
    ],
)
def test_a_flag_is_reported_where_its_code_has_no_other_way(otherwise: str, found: list[str]) -> None:
    source = (
        "#if __CUDA_ARCH__ >= 800\n#define FAST\n#endif\n"
        f'__device__ void f(int a) {{\n#ifdef FAST\nasm("ldmatrix.sync ;");\n#else\n{otherwise}\n#endif\n}}\n'
    )
    assert ids(source) == found


@pytest.mark.parametrize(
    ("code", "output"),
    [
        (
            "bool f() { return __CUDACC_VER_MAJOR__ >= 11; }",
            "bool f() { return true /* __CUDACC_VER_MAJOR__ >= 11 */; }",
        ),
        ("#define X (CUDA_VERSION >= 12080)\n", "#define X (HIP_VERSION >= 12080)\n"),
        (
            "#define X(a) (a && 11 <= __CUDACC_VER_MAJOR__)\n",
            "#define X(a) (a && 1 /* 11 <= __CUDACC_VER_MAJOR__ */)\n",
        ),
        ("#define X (__CUDACC_VER_MAJOR__ * 10 >= 112)\n", "#define X (1 /* __CUDACC_VER_MAJOR__ * 10 >= 112 */)\n"),
        (
            "bool f() { return __CUDACC_VER_MAJOR__ > 10 || (__CUDACC_VER_MAJOR__ == 10 && __CUDACC_VER_MINOR__ > 1); }",
            "bool f() { return true /* __CUDACC_VER_MAJOR__ > 10 || "
            "(__CUDACC_VER_MAJOR__ == 10 && __CUDACC_VER_MINOR__ > 1) */; }",
        ),
        (
            "bool f(int n) { return n && CUDART_VERSION / 1000 >= 12; }",
            "bool f(int n) { return n && true /* CUDART_VERSION / 1000 >= 12 */; }",
        ),
    ],
)
def test_a_version_that_is_compared_is_no_number(code: str, output: str) -> None:
    result = run(code)
    assert (result.output.decode(), result.findings) == (output, [])


@pytest.mark.parametrize(
    ("code", "output"),
    [
        (
            "bool f() { return __CUDACC_VER_MAJOR__ >= 12; }",
            "bool f() { return false /* __CUDACC_VER_MAJOR__ >= 12 */; }",
        ),
        (
            "bool f() { return __CUDACC_VER_MAJOR__ >= 11; }",
            "bool f() { return true /* __CUDACC_VER_MAJOR__ >= 11 */; }",
        ),
        ("bool f() { return CUDA_VERSION < 12000; }", "bool f() { return true /* CUDA_VERSION < 12000 */; }"),
        ("bool f() { return CUDART_VERSION >= 11080; }", "bool f() { return HIP_VERSION >= 11080; }"),
        ("#define X (CUDA_VERSION / 1000 > 11)\n", "#define X (0 /* CUDA_VERSION / 1000 > 11 */)\n"),
        (
            "#define X (__CUDACC_VER_MAJOR__ == 11 && __CUDACC_VER_MINOR__ > 7)\n",
            "#define X (1 /* __CUDACC_VER_MAJOR__ == 11 && __CUDACC_VER_MINOR__ > 7 */)\n",
        ),
    ],
)
def test_a_version_that_is_compared_is_that_of_the_chosen_cuda(code: str, output: str) -> None:
    result = translate(code, path="a.cu", options=PLAIN._replace(targeting=Targeting(cuda="11.8")))
    assert (result.output.decode(), result.findings) == (output, [])


@pytest.mark.parametrize(
    ("path", "code", "output"),
    [
        ("a.cu", "#define FP16 (__CUDA_ARCH__ >= 530)\n", "#define FP16 (__HIP_DEVICE_COMPILE__)\n"),
        ("a.cu", "#define OLD(x) (x && __CUDA_ARCH__ < 530)\n", "#define OLD(x) (x && !__HIP_DEVICE_COMPILE__)\n"),
        (
            "a.cu",
            "#define FP16 defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 530\n",
            "#define FP16 defined(__HIP_DEVICE_COMPILE__)\n",
        ),
        ("a.cu", "#define TILES (__CUDA_ARCH__ >= 800)\n", "#define TILES (0 /* __CUDA_ARCH__ >= 800 */)\n"),
        (
            "a.cuh",
            "__device__ bool f() { return __CUDA_ARCH__ >= 600 && ready; }\n",
            "__device__ bool f() { return true /* __CUDA_ARCH__ >= 600 */ && ready; }\n",
        ),
        (
            "a.h",
            "static int f() { return CUDA_VERSION < 9000; }\n",
            "static int f() { return 0 /* CUDA_VERSION < 9000 */; }\n",
        ),
        (
            "a.cu",
            "bool f(S s) { return s.on && (CUDA_VERSION < 9000 || CUDA_VERSION > 13 * 1000); }\n",
            "bool f(S s) { return s.on && (true /* CUDA_VERSION < 9000 || CUDA_VERSION > 13 * 1000 */); }\n",
        ),
    ],
)
def test_a_decided_test_in_code_is_its_value(path: str, code: str, output: str) -> None:
    once = translate(code, path=path, options=PLAIN)
    assert once.output.decode() == output
    assert {finding.id for finding in once.findings} <= {"HIP401"}
    twice = translate(once.output, path=path, options=PLAIN)
    assert (twice.output, twice.findings) == (once.output, [])


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("#define MINOR __CUDACC_VER_MINOR__\n", "#define MINOR 8\n"),
        ("int f() { return __CUDACC_VER__; }", "int f() { return 110800; }"),
        ("int f() { return CUDA_VERSION; }", "int f() { return HIP_VERSION; }"),
    ],
)
def test_a_version_that_is_used_as_a_number_is_that_of_the_chosen_cuda(code: str, output: str) -> None:
    result = translate(code, path="a.cu", options=PLAIN._replace(targeting=Targeting(cuda="11.8")))
    assert result.output.decode() == output
    assert [finding.id for finding in result.findings] == ["HIP402"]


@pytest.mark.parametrize(
    "code",
    [
        "int f() { return CUDA_VERSION; }",
        "void f() { print(CUDA_VERSION); }",
        "bool f(int driver) { return driver >= CUDA_VERSION; }",
        "#define MAJOR __CUDACC_VER_MAJOR__\n",
        "int major = std::min(10, CUDA_VERSION / 1000);",
    ],
)
def test_a_version_that_is_used_as_a_number_is_a_warning(code: str) -> None:
    assert ids(code) == ["HIP402"]


def test_versions_used_as_numbers_are_one_finding() -> None:
    (found,) = run("void f() { print(CUDA_VERSION); }\n" * 4).findings
    assert found.message.endswith("(and 3 more in this file)")


@pytest.mark.parametrize(
    ("condition", "output"),
    [
        ("CUB_VERSION >= 200800", "HIPCUB_VERSION >= 200800"),
        ("CUB_VERSION < 101200", "HIPCUB_VERSION < 101200"),
        ("CUB_VERSION >= 300000", "0 /* CUB_VERSION >= 300000 */"),
        ("CUB_VERSION >= 400000", "0 /* CUB_VERSION >= 400000 */"),  # hipCUB 4 is no CUB 4
        ("CUB_MAJOR_VERSION >= 2", "1 /* CUB_MAJOR_VERSION >= 2 */"),
        ("CCCL_VERSION >= 2000000", "1 /* CCCL_VERSION >= 2000000 */"),
        ("CUDNN_VERSION >= 8000", "1 /* CUDNN_VERSION >= 8000 */"),
        ("CUDA_VERSION >= 11000 && CUDNN_MAJOR >= 8", "1 /* CUDA_VERSION >= 11000 && CUDNN_MAJOR >= 8 */"),
        ("CUSPARSE_VERSION >= 11000", "1 /* CUSPARSE_VERSION >= 11000 */"),
    ],
)
def test_hips_version_answers_for_cudas_alone(condition: str, output: str) -> None:
    once = run(f"#if {condition}\nint a;\n#endif\n").output.decode()
    assert once == f"#if {output}\nint a;\n#endif\n"
    assert run(once).output.decode() == once


PROP = "void f(cudaDeviceProp p, cudaDeviceProp *q) {{ {} }}"
ASKED = "void f() {{ int m; cudaDeviceGetAttribute(&m, cudaDevAttrComputeCapabilityMajor, 0); {} }}"


@pytest.mark.parametrize(
    "code",
    [
        PROP.format("bool old = p.major < 3;"),
        PROP.format("bool texture = q->major < 2 && big;"),
        PROP.format("if (p.major == 9999 && p.minor == 9999) g();"),
        PROP.format("if (p.major < 6) exit(1);"),
        PROP.format('if (p.major < 7) { puts("old"); return; }'),
        PROP.format("if (!(p.major > 5 || (p.major == 5 && p.minor >= 3))) { throw 1; }"),
        PROP.format("if (q->major * 10 + q->minor < 75) std::abort();"),
        PROP.format('TORCH_CHECK(p.major >= 8, "bfloat16");'),
        PROP.format("bool newer = (p.major > q->major) || all;"),
        ASKED.format("bool fine = m >= 3;"),
        ASKED.format("if (m < 7) return;"),
    ],
)
def test_a_capability_that_every_gpu_has_is_not_asked_for(code: str) -> None:
    assert ids(code) == []


@pytest.mark.parametrize(
    "code",
    [
        PROP.format("bool tensor = p.major >= 7;"),
        PROP.format("if (p.major < 8) { slow(); } else { fast(); }"),
        PROP.format("if (p.major < 8) slow();"),
        PROP.format("if (p.major != 7) return;"),
        PROP.format("int sm = q->major * 10 + q->minor; launch(sm);"),
        PROP.format("if (p.major >= 9) return;"),
        PROP.format('TORCH_CHECK(p.major == 9, "Hopper");'),
        ASKED.format("if (m >= 8) fast();"),
        PROP.format("bool tensor = p . /* the */ major /* number */ >= 7;"),
        PROP.format("// gcnArchName\nbool tensor = p.major >= 7;"),
        PROP.format("if (7 <= p. \\\n major) fast();"),
        PROP.format("bool tensor = (((p.major))) >= 7;"),
        PROP.format("if (p.major < 8 || other()) return;"),
    ],
)
def test_a_capability_that_decides_is_a_warning(code: str) -> None:
    assert ids(code) == ["HIP408"]


def test_decisions_by_capability_are_one_finding() -> None:
    (found,) = run(PROP.format("bool a = p.major < 3; bool b = p.major >= 8; bool c = q->major >= 9;")).findings
    assert found.name == "p.major"
    assert found.message.endswith("(and 1 more in this file)")


@pytest.mark.parametrize(
    "code",
    [
        "__device__ int mma_plain(int a) { return a; }",
        "__device__ int ldmatrix(const int *p);",
        "struct Loop { int cp_async_stages = 3; };",
        "__device__ void f(Args a) { Mma mma(a, 1); run(mma.sum); }",
        "template <class T> __device__ T tma_load(T *p) { return *p; }",
    ],
)
def test_what_a_branch_declares_is_no_evidence_against_it(code: str) -> None:
    result = run(f"#if __CUDA_ARCH__ >= 900\n{code}\n#endif\n")
    assert b"#if defined(__HIP_DEVICE_COMPILE__)\n" in result.output
    assert result.findings == []


def test_what_a_branch_calls_is_evidence() -> None:
    source = "__device__ void f(int *p) {\n#if __CUDA_ARCH__ >= 900\nldmatrix_x4(p);\n#else\nplain(p);\n#endif\n}\n"
    assert b"#if 0 /* __CUDA_ARCH__ >= 900 */\n" in run(source).output


@pytest.mark.parametrize(
    "definition",
    [
        "__device__ int packed(int a) { return a; }",
        "__device__ int packed(int (*make)(int), int b = f(1, (2))) { return b; }",
        "__device__ int packed(" + ", ".join(f"const int *argument_{at}" for at in range(60)) + ") { return 0; }",
        "__device__ auto packed(int a) -> decltype(a) { return a; }",
        "__device__ int packed(int a) // of { four }\n{ return a; }",
        "template <class T> __device__ T packed(T a) noexcept(true) { return a; }",
        "#define packed(a) \\\n  { *p = a; }\n",
    ],
)
def test_calls_of_what_only_a_lost_branch_defines_are_lost_too(definition: str) -> None:
    source = (
        f'#if __CUDA_ARCH__ >= 800\n{definition}\n__device__ void g() {{ asm("mma.sync.aligned;"); }}\n'
        "#else\n__device__ void g() { plain(); }\n#endif\n"
        "__device__ void f(int *p) {\n#if __CUDA_ARCH__ >= 700 && FAST\npacked(3);\n#else\nplain(p);\n#endif\n}\n"
    )
    output = run(source).output
    assert b"#if 0 /* __CUDA_ARCH__ >= 800 */\n" in output
    assert b"#if 0 /* __CUDA_ARCH__ >= 700 */ && FAST\n" in output


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("mma.sync.aligned;");',
        'asm /* the */ volatile /* tensor (cores) */ ("mma.sync.aligned;");',
        'asm volatile("{' + "mov.u32 a, b;" * 200 + '"\n"mma.sync.aligned; }");',
        'asm volatile(";\\n"\n"mma.sync.aligned;"\n);',
        'asm("" ::: "memory"); __asm__ __volatile__("mma.sync.aligned;" :: "r"(f(1)) : "memory");',
    ],
)
def test_an_asm_statement_is_read_whole(statement: str) -> None:
    source = f"#if __CUDA_ARCH__ >= 800\n__device__ void f() {{ {statement} }}\n#else\n__device__ void f() {{ g(); }}\n#endif\n"
    assert b"#if 0 /* __CUDA_ARCH__ >= 800 */\n" in run(source).output


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("membar.gl;"); // mma.sync\n',
        'asm volatile(/* no mma.sync */ "membar.gl;");',
        'asm volatile("membar.gl;"); const char *s = "mma.sync";',
        'int asm_ = 3; h(asm_); log("mma.sync");',
    ],
)
def test_what_stands_behind_an_asm_statement_is_not_in_it(statement: str) -> None:
    source = f"#if __CUDA_ARCH__ >= 800\n__device__ void f() {{ {statement} }}\n#else\n__device__ void f() {{ g(); }}\n#endif\n"
    assert b"#if defined(__HIP_DEVICE_COMPILE__)\n" in run(source).output


@pytest.mark.parametrize(
    ("stub", "is_taken"),
    [
        ('printf("no"); __trap();', False),
        ("/* " + "not for these " * 400 + "*/ __trap();", False),
        ('printf("' + "not for these " * 400 + '"); __trap();', False),
        ("int unused[] = {" + "0, " * 2000 + "0}; (void)unused; __trap();", False),
        ("slow(p); " * 40 + "if (!p) __trap();", True),
        ('printf("no; not; here; see; below;"); __trap();', False),
        ('printf("; ; ; ; ; ; ; ; ; ; ; ; ; ; ; ; ; ; ; ;"); assert(false);', False),
        ('printf(R"(; ; ; ; ; ; ; ; ; ; ; ; ; ; ; ; ; ; ;)"); __trap();', False),
        ("char c = ';'; (void)c; puts(\"; ; ; ; ; ; ; ; ; ; ; ; ; ; ; ; ;\"); __trap();", False),
        ('slow(p, "throw; abort(); exit(); __trap();");', True),
        ('#define WHY "abort(); assert(false);"\nslow(p, WHY);\n', True),
    ],
)
def test_a_stub_is_one_by_its_statements(stub: str, is_taken: bool) -> None:
    """With no other way than a stub, what is lost is reported."""
    source = (
        '#if __CUDA_ARCH__ >= 800\n__device__ void f(int *p) { asm("mma.sync.aligned;"); }\n'
        f"#else\n__device__ void f(int *p) {{ {stub} }}\n#endif\n"
    )
    assert (not run(source).findings) == is_taken
