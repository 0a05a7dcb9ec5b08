"""Which names are references to CUDA symbols, and what becomes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py import Options, Translation, translate
from hipify_py.catalog import Targeting


def run(source: str, path: str = "<input>") -> Translation:
    return translate(source, path=path, options=Options(implicit_runtime=False))


def hip(source: str) -> str:
    return run(source).output.decode()


def ids(source: str) -> list[str]:
    return [finding.id for finding in run(source).findings]


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        ("cudaFree(p);", "hipFree(p);"),
        ("::cudaFree(p);", "::hipFree(p);"),
        (":: cudaFree(p);", ":: hipFree(p);"),
        ("return ::cudaFree(p);", "return ::hipFree(p);"),
        ("(cudaFree)(p);", "(hipFree)(p);"),
        ("cudaFree /* c */ (p);", "hipFree /* c */ (p);"),
        ("auto f = &cudaFree;", "auto f = &hipFree;"),
        ("f(cudaFree, cudaStreamDefault);", "f(hipFree, hipStreamDefault);"),
        ("auto k = cudaMemcpyKind::cudaMemcpyHostToDevice;", "auto k = hipMemcpyKind::hipMemcpyHostToDevice;"),
        ("enum cudaMemcpyKind kind;", "enum hipMemcpyKind kind;"),
        ("cudaStream_t s{}, *t = new cudaStream_t[2];", "hipStream_t s{}, *t = new hipStream_t[2];"),
        ("std::vector<cudaEvent_t> v(sizeof(cudaEvent_t));", "std::vector<hipEvent_t> v(sizeof(hipEvent_t));"),
        ("(cudaError_t)0; (const cudaStream_t *)p;", "(hipError_t)0; (const hipStream_t *)p;"),
        ("static_cast<cudaError_t>(0);", "static_cast<hipError_t>(0);"),
        ("if (cudaFree(p) != cudaSuccess) {}", "if (hipFree(p) != hipSuccess) {}"),
        ("case cudaErrorInvalidValue: break;", "case hipErrorInvalidValue: break;"),
        ("x ? cudaSuccess : cudaErrorUnknown;", "x ? hipSuccess : hipErrorUnknown;"),
        ("CHECK(cudaFree(p));", "CHECK(hipFree(p));"),
        ("a.b = cudaSuccess;", "a.b = hipSuccess;"),
        ("a...; cudaFree(p);", "a...; hipFree(p);"),
        ("cuInit(0); CUdevice d; CUresult r = CUDA_SUCCESS;", "hipInit(0); hipDevice_t d; hipError_t r = hipSuccess;"),
        ("cublasHandle_t h; cublasCreate(&h);", "hipblasHandle_t h; hipblasCreate(&h);"),
        ("cuComplex z = make_cuComplex(1, 2);", "hipComplex z = make_hipComplex(1, 2);"),
        ("cudaError_t cudaResult = cudaFree(p); cudaResult;", "hipError_t cudaResult = hipFree(p); cudaResult;"),
    ],
)
def test_a_use_is_renamed(cuda: str, expected: str) -> None:
    assert hip(f"void f(void *p) {{ {cuda} }}") == f"void f(void *p) {{ {expected} }}"


@pytest.mark.parametrize(
    "code",
    [
        "obj.cudaMalloc(1);",
        "obj . cudaMalloc(1);",
        "obj. /* c */ cudaMalloc(1);",
        "p->cudaFree(q);",
        "p -> cudaFree(q);",
        "p->\n    cudaFree(q);",
        "p-> // why\n    cudaFree(q);",
        "f().cudaFree(q);",
        "a[0].cudaFree(q);",
        "my::cudaFree(q);",
        "my :: cudaFree(q);",
        "::my::cudaFree(q);",
        "my<int>::cudaFree(q);",
        "P q{.cudaFree = 1};",
        "// cudaFree(q)",
        "/* cudaFree(q) */",
        'puts("cudaFree");',
        'puts("a" "cudaFree(\\"q\\")");',
        'puts(R"(cudaFree)");',
        "my_cudaMalloc(1);",
        "xcudaFree(1); _cudaFree(1); CUDAFree(1);",
        "#error cudaFree isn't there\n",
    ],
)
def test_what_is_no_reference_stays(code: str) -> None:
    source = f"void f() {{\n{code}\n}}"
    result = run(source)
    assert result.output.decode() == source
    assert (result.references, result.findings) == ([], [])


SHADOWS = {
    "parameter": (
        "void f(int cudaMalloc) { int y = cudaMalloc; cudaFree(p); }\nvoid g() { cudaMalloc(&p, 1); }",
        "void f(int cudaMalloc) { int y = cudaMalloc; hipFree(p); }\nvoid g() { hipMalloc(&p, 1); }",
    ),
    "pointer parameter": (
        "int f(const int *cudaSuccess) { return *cudaSuccess; }\nint e = cudaSuccess;",
        "int f(const int *cudaSuccess) { return *cudaSuccess; }\nint e = hipSuccess;",
    ),
    "parameter of a lambda": (
        "auto l = [](int cudaSuccess) { return cudaSuccess; };\nint e = cudaSuccess;",
        "auto l = [](int cudaSuccess) { return cudaSuccess; };\nint e = hipSuccess;",
    ),
    "parameter of a prototype": (
        "void f(int cudaSuccess);\nint e = cudaSuccess;",
        "void f(int cudaSuccess);\nint e = hipSuccess;",
    ),
    "local variable": (
        "void f() { { int cudaSuccess = 3; use(cudaSuccess); } use(cudaSuccess); }",
        "void f() { { int cudaSuccess = 3; use(cudaSuccess); } use(hipSuccess); }",
    ),
    "local used before its declaration": (
        "void f() { use(cudaSuccess); int cudaSuccess = 3; use(cudaSuccess); }",
        "void f() { use(hipSuccess); int cudaSuccess = 3; use(cudaSuccess); }",
    ),
    "loop variable": (
        "void f() { for (int cudaSuccess = 0; cudaSuccess < 3; ++cudaSuccess) use(cudaSuccess); use(cudaSuccess); }",
        "void f() { for (int cudaSuccess = 0; cudaSuccess < 3; ++cudaSuccess) use(cudaSuccess); use(hipSuccess); }",
    ),
    "range loop variable": (
        "void f() { for (auto &cudaSuccess : v) { use(cudaSuccess); } use(cudaSuccess); }",
        "void f() { for (auto &cudaSuccess : v) { use(cudaSuccess); } use(hipSuccess); }",
    ),
    "field": (
        "struct S { int cudaFree = 1; int m() { return cudaFree; } };\nvoid f() { cudaFree(p); }",
        "struct S { int cudaFree = 1; int m() { return cudaFree; } };\nvoid f() { hipFree(p); }",
    ),
    "method": (
        "class S { void cudaMalloc(int n) { cudaFree(p); } void m() { cudaMalloc(1); } };\nvoid f() { cudaMalloc(&p, 1); }",
        "class S { void cudaMalloc(int n) { hipFree(p); } void m() { cudaMalloc(1); } };\nvoid f() { hipMalloc(&p, 1); }",
    ),
    "function of a namespace": (
        "namespace my { void cudaFree(void *p) {} void g() { cudaFree(0); } }\nvoid f() { cudaFree(0); my::cudaFree(0); }",
        "namespace my { void cudaFree(void *p) {} void g() { cudaFree(0); } }\nvoid f() { hipFree(0); my::cudaFree(0); }",
    ),
    "variable of a namespace": (
        "namespace my { int cudaSuccess; int g() { return cudaSuccess; } }\nint e = cudaSuccess;",
        "namespace my { int cudaSuccess; int g() { return cudaSuccess; } }\nint e = hipSuccess;",
    ),
    "function of the file": (
        "static void cudaFree(void *p) { free(p); }\nvoid f() { cudaFree(0); cudaMalloc(&p, 1); }",
        "static void cudaFree(void *p) { free(p); }\nvoid f() { cudaFree(0); hipMalloc(&p, 1); }",
    ),
    "macro of the user's": (
        "#define cudaFree(p) my_free(p)\nvoid f() { cudaFree(0); cudaMalloc(&p, 1); }",
        "#define cudaFree(p) my_free(p)\nvoid f() { cudaFree(0); hipMalloc(&p, 1); }",
    ),
    "enumerator behind a value in braces": (
        "namespace my { enum E { first = int{1}, cudaSuccess }; E e = cudaSuccess; }\nint e = cudaSuccess;",
        "namespace my { enum E { first = int{1}, cudaSuccess }; E e = cudaSuccess; }\nint e = hipSuccess;",
    ),
    "enumerator behind a comment with a brace": (
        "namespace my { enum E { first, // }\n cudaSuccess }; E e = cudaSuccess; }\nint e = cudaSuccess;",
        "namespace my { enum E { first, // }\n cudaSuccess }; E e = cudaSuccess; }\nint e = hipSuccess;",
    ),
    "enumerator of a wide type": (
        "namespace my { enum E : unsigned /* { */ { first, cudaSuccess }; E e = cudaSuccess; }\nint e = cudaSuccess;",
        "namespace my { enum E : unsigned /* { */ { first, cudaSuccess }; E e = cudaSuccess; }\nint e = hipSuccess;",
    ),
    "part of a value that is taken apart": (
        "void f() { auto /* two */ [a, cudaSuccess] = g(); use(cudaSuccess); }\nint e = cudaSuccess;",
        "void f() { auto /* two */ [a, cudaSuccess] = g(); use(cudaSuccess); }\nint e = hipSuccess;",
    ),
    "name of a namespace that is taken up": (
        "namespace my { void cudaFree(void *); }\nvoid f() { using my /* own */ :: cudaFree; cudaFree(0); }\nvoid g() { cudaFree(0); }",
        "namespace my { void cudaFree(void *); }\nvoid f() { using my /* own */ :: cudaFree; cudaFree(0); }\nvoid g() { hipFree(0); }",
    ),
    "macro of the user's that ends in hip": (
        "#define cudaFree(p) /* no */ hipSuccess\nvoid f() { cudaFree(0); cudaMalloc(&p, 1); }",
        "#define cudaFree(p) /* no */ hipSuccess\nvoid f() { cudaFree(0); hipMalloc(&p, 1); }",
    ),
    "local with CRLF": (
        "void f() {\r\n  int cudaSuccess = 3;\r\n  use(cudaSuccess);\r\n}\r\nint e = cudaSuccess;\r\n",
        "void f() {\r\n  int cudaSuccess = 3;\r\n  use(cudaSuccess);\r\n}\r\nint e = hipSuccess;\r\n",
    ),
}


@pytest.mark.parametrize("name", SHADOWS)
def test_an_own_declaration_shadows_the_api_in_its_scope_only(name: str) -> None:
    cuda, expected = SHADOWS[name]
    assert hip(cuda) == expected


def test_a_pointer_may_be_called_like_a_device_function() -> None:
    source = "void f(R r) {\n  Random *curand = (Random *)r->data;\n  g(curand->gen, curand);\n}\n"
    assert hip(source) == source


def test_a_prototype_of_the_apis_own_function_is_renamed() -> None:
    assert (
        hip('extern "C" cudaError_t cudaMalloc(void **p, size_t n);')
        == 'extern "C" hipError_t hipMalloc(void **p, size_t n);'
    )


def test_an_initialised_variable_is_no_declaration_of_its_initialiser() -> None:
    assert hip("int f() { int a = cudaSuccess, b(cudaSuccess), c{cudaSuccess}; }") == (
        "int f() { int a = hipSuccess, b(hipSuccess), c{hipSuccess}; }"
    )


def test_a_macro_call_that_reads_as_a_declaration_is_a_use() -> None:
    assert hip("void f() { CHECK cudaFree(p); RETURN_IF cudaGetLastError(); }") == (
        "void f() { CHECK hipFree(p); RETURN_IF hipGetLastError(); }"
    )


# -- macros


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        ("#define FREE(p) cudaFree(p)\n", "#define FREE(p) hipFree(p)\n"),
        ("#define FREE cudaFree\n", "#define FREE hipFree\n"),
        (
            "#define CHECK(x) \\\n  do { cudaError_t e = (x); \\\n       if (e != cudaSuccess) die(cudaGetErrorString(e)); } while (0)\n",
            "#define CHECK(x) \\\n  do { hipError_t e = (x); \\\n       if (e != hipSuccess) die(hipGetErrorString(e)); } while (0)\n",
        ),
        ("#if defined(cudaStreamDefault)\n#endif\n", "#if defined(hipStreamDefault)\n#endif\n"),
        ("#define NAME(x) #x cudaFree\n", "#define NAME(x) #x hipFree\n"),
    ],
)
def test_names_in_macros_are_renamed(cuda: str, expected: str) -> None:
    assert hip(cuda) == expected


def test_a_pasted_name_stays() -> None:
    source = "#define CALL(name) cuda##name()\n"
    assert hip(source) == source


# -- namespaces


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        ("cub::DeviceReduce::Sum(a, b);", "hipcub::DeviceReduce::Sum(a, b);"),
        ("::cub::DeviceReduce::Sum(a, b);", "::hipcub::DeviceReduce::Sum(a, b);"),
        ("typename cub::BlockReduce<T, 128>::TempStorage t;", "typename hipcub::BlockReduce<T, 128>::TempStorage t;"),
        ("using namespace cub;", "using namespace hipcub;"),
        ("namespace c = cub;", "namespace c = hipcub;"),
        ("using cub::BlockScan;", "using hipcub::BlockScan;"),
        ("thrust::sort(thrust::cuda::par.on(s), a, b);", "thrust::sort(thrust::hip::par.on(s), a, b);"),
        ("thrust::cuda::par_nosync;", "thrust::hip::par_nosync;"),
        ("nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16> a;", "rocwmma::fragment<rocwmma::matrix_a, 16> a;"),
        ("nvcuda::wmma::mma_sync(c, a, b, c);", "rocwmma::mma_sync(c, a, b, c);"),
    ],
)
def test_a_qualified_name_is_renamed(cuda: str, expected: str) -> None:
    assert hip(f"void f() {{ {cuda} }}") == f"void f() {{ {expected} }}"


@pytest.mark.parametrize(
    "code",
    [
        "my::cub::DeviceReduce::Sum(a, b);",
        "obj.cub(1);",
        "int cub = 1; cub + 1;",
        "struct cub { int x; };",
        "thrust::sort(v.begin(), v.end());",
        "namespace cg = cooperative_groups; cg::thread_block b = cg::this_thread_block();",
        "auto g = cooperative_groups::this_grid();",
    ],
)
def test_other_namespaces_and_native_names_stay(code: str) -> None:
    source = f"void f() {{ {code} }}"
    assert hip(source) == source
    assert ids(source) == []


def test_names_through_an_alias_of_cooperative_groups_are_native_references() -> None:
    result = run(
        "namespace cg = cooperative_groups;\n__device__ void f() { cg::thread_block b = cg::this_thread_block(); }"
    )
    names = [reference.name for reference in result.references if reference.library == "cooperative_groups"]
    assert names == ["cooperative_groups", "cooperative_groups::thread_block", "cooperative_groups::this_thread_block"]
    assert result.counts.native == result.counts.total


def test_wmma_through_using_namespace_is_renamed_with_the_using() -> None:
    result = run(
        "using namespace nvcuda;\nvoid f() { wmma::fragment<wmma::accumulator, 16> a; wmma::mma_sync(c, a, b, c); }"
    )
    assert result.output.decode().splitlines()[0] == "using namespace rocwmma;"
    assert result.output.decode().splitlines()[1] == (
        "void f() { rocwmma::fragment<rocwmma::accumulator, 16> a; rocwmma::mma_sync(c, a, b, c); }"
    )


@pytest.mark.parametrize(
    "source",
    [
        "using namespace cooperative_groups;\ntemplate <class T>\nT // all\nreduce(T a, int n);\nint f(int a) { return reduce(a, 3); }\n",
        "using namespace cooperative_groups;\nint (reduce)(int a, int n);\nint f(int a) { return reduce(a, 3); }\n",
        "using namespace cooperative_groups;\n[[nodiscard]] auto reduce(int a, int n) -> int;\nint f(int a) { return reduce(a, 3); }\n",
        "void g() { using namespace cooperative_groups; }\nint f(int a) { return reduce(a, 3); }\n",
        "using namespace cooperative_groups;\nint f(S *s, int a) { return s /* of s */ -> reduce(a, 3) + mine :: reduce(a); }\n",
    ],
)
def test_what_is_not_the_namespaces_stays(source: str) -> None:
    assert "hipify::" not in translate(source, path="a.cu").output.decode()


@pytest.mark.parametrize(
    "call",
    ["reduce /* all */ (t, 1, plus<int>())", "reduce\n(t, 1, plus<int>())", "f(1) + reduce(t, 1, plus /**/ <int>())"],
)
def test_bare_names_of_a_namespace_are_found_whatever_stands_behind(call: str) -> None:
    source = f"using namespace cooperative_groups;\ntemplate <class G> __device__ int k(G t) {{ return {call}; }}\n"
    output = translate(source, path="a.cu").output.decode()
    assert "hipify::reduce" in output
    assert "hipify::plus" in output


def test_wmma_of_the_users_own_stays() -> None:
    source = "namespace wmma { void load(); }\nvoid f() { wmma::load(); __syncthreads(); }"
    assert hip(source) == source


# -- unknown and unsupported names


@pytest.mark.parametrize(
    "name", ["cudaMallocX", "cublasFooBar", "cuFooBar", "CU_FOO_BAR", "cudnnFooBar", "ncclFooBar", "CUDNN_FOO"]
)
def test_a_cuda_looking_name_of_no_table_is_unknown(name: str) -> None:
    source = f"void f() {{\n  {name}(1);\n}}"
    result = run(source)
    assert result.output.decode() == source
    assert [(found.id, found.line, found.column, found.name) for found in result.findings] == [("HIP102", 2, 3, name)]
    assert result.counts == (0, 0, 0, 1, 0)


@pytest.mark.parametrize(
    "source",
    [
        "int cudaFooBar = 1; int g() { return cudaFooBar; }",
        "int cudaFooBar(int x) { return x; } int y = cudaFooBar(3);",
        "void cudaFooBar(int); void g() { cudaFooBar(3); }",
        "#define cudaFooBar(x) (x)\nint g() { return cudaFooBar(1); }",
        "struct cudaFooBar { int x; }; cudaFooBar b;",
        "enum class cudaFooBar { a }; auto b = cudaFooBar::a;",
        "enum E { cudaFooA, cudaFooB = 2 }; E e = cudaFooB;",
        "using cudaFooBar = int; cudaFooBar b;",
        "typedef int cudaFooBar; cudaFooBar b;",
        "template <class cudaFooBar> cudaFooBar f(cudaFooBar x);",
        "namespace cudaFooBar { int x; } int y = cudaFooBar::x;",
        "namespace a::b::cudaFooBar { int x; } int y = a::b::cudaFooBar::x;",
        "namespace a::cudaFooBar::b { int x; } int y = a::cudaFooBar::b::x;",
        "void g(int cudaFooBar) { use(cudaFooBar); }",
        "void g() { auto cudaFooBar = 3; use(cudaFooBar); }",
        "void g() { auto [cudaFooA, cudaFooB] = pair(); use(cudaFooA, cudaFooB); }",
        "auto l = [cudaFooBar = 3] { return cudaFooBar; };",
        "struct S { S() : cudaFooBar(1) {} int cudaFooBar; };",
        "CUBLAS_CHECK(x); NCCLCHECK(y); CUDA_CHECK_ERROR(z); CU_SAFE_CALL(w);",
        "#ifdef CUDA_FOO_BAR\n#endif\n#if defined(CUDA_FOO_BAR) && CUDA_FOO > 1\n#endif",
    ],
)
def test_a_cuda_looking_name_of_the_users_own_is_not_reported(source: str) -> None:
    result = run(source)
    assert result.output.decode() == source
    assert result.findings == []
    assert result.counts.unknown == 0


def test_names_that_the_source_declares_are_told() -> None:
    assert run("int cudaFooBar(int x) { return cudaFree(0), x; }").declared == {"cudaFooBar"}


def test_a_symbol_without_a_counterpart_stays_and_is_reported_with_advice() -> None:
    source = (
        "cusolverStatus_t f() {\n\treturn cusolverDnDestroyParams(p), cudaGraphConditionalHandleCreate(a, b, 0, 0);\n}"
    )
    result = run(source)
    assert b"cudaGraphConditionalHandleCreate(a, b, 0, 0)" in result.output
    (found,) = [finding for finding in result.findings if finding.name == "cudaGraphConditionalHandleCreate"]
    assert (found.id, found.severity, found.line, found.column) == ("HIP101", "error", 2, 37)


def test_a_family_without_tables_is_unsupported() -> None:
    result = run("void f() { cutlass::gemm::device::Gemm<int> g; }")
    assert [(finding.id, finding.library) for finding in result.findings] == [("HIP101", "cutlass")]
    assert result.counts == (0, 0, 1, 0, 0)


def test_experimental_names_are_used_when_asked_for(tmp_path: Path) -> None:
    table = tmp_path / "mine.yaml"
    table.write_text("library: mine\ntitle: Mine\nfunctions:\n  cudaNew: {hip: hipNew, experimental: true}\n")
    options = Options(targeting=Targeting(tables=(str(table),)), implicit_runtime=False)
    plain = translate("void f() { cudaNew(); }", options=options)
    assert plain.output == b"void f() { cudaNew(); }"
    assert [finding.id for finding in plain.findings] == ["HIP101"]
    asked = translate("void f() { cudaNew(); }", options=options._replace(experimental=True))
    assert (asked.output, asked.findings) == (b"void f() { hipNew(); }", [])


def test_legacy_cublas_is_not_renamed_to_a_function_with_a_handle() -> None:
    result = run('#include "cublas.h"\nvoid f() { cublasSaxpy(n, a, x, 1, y, 1); }')
    assert b"hipify::blas::Saxpy(n, a, x, 1, y, 1)" in result.output
    assert not result.findings


def test_cublas_with_handles_is_renamed() -> None:
    assert hip('#include "cublas_v2.h"\nvoid f() { cublasSaxpy(h, n, &a, x, 1, y, 1); }') == (
        '#include "hipblas/hipblas.h"\nvoid f() { hipblasSaxpy(h, n, &a, x, 1, y, 1); }'
    )


# -- members


def test_a_missing_member_is_reported_where_the_struct_is_known() -> None:
    from hipify_py.catalog import load_catalog

    struct, field = next(
        row.name.split(".")
        for row in load_catalog().rows()
        if row.kind == "member" and row.hip is None and row.name[:4] == "cuda"
    )
    result = run(f"int f({struct} a, Mine b) {{ return a.{field} + b.{field}; }}")
    assert [(found.id, found.name) for found in result.findings] == [("HIP106", f"{struct}.{field}")]
    assert result.counts.unsupported == 1


def test_a_member_of_another_name_is_renamed_where_the_struct_is_known() -> None:
    from hipify_py.catalog import load_catalog

    renamed = [row for row in load_catalog().rows() if row.kind == "member" and row.hip and "::" not in row.name]
    for row in renamed[:40]:
        struct, field = row.name.split(".")
        output = hip(f"void f({struct} *a, Mine b) {{ a->{field} = b.{field}; }}")
        assert f"a->{row.hip} = b.{field};" in output


# -- native names


def test_device_built_ins_are_native_references() -> None:
    source = (
        "__global__ void k(int *p) { p[threadIdx.x + blockIdx.x * blockDim.x] = 1; __syncthreads(); atomicAdd(p, 1); }"
    )
    result = run(source)
    assert result.output.decode() == source
    assert result.counts.converted == 0
    assert {"__global__", "threadIdx", "blockIdx", "blockDim", "__syncthreads", "atomicAdd"} <= {
        r.name for r in result.references
    }


def test_names_of_the_c_library_are_no_references() -> None:
    result = run('__device__ float f(float x) { return sqrtf(x) + std::min(x, 1.0f) + printf(""); }')
    assert [reference.name for reference in result.references] == ["__device__"]


# -- versions and forms


def _ids(source: str, **targeting: str) -> list[tuple[str, int]]:
    options = Options(targeting=Targeting(**targeting), implicit_runtime=False)
    return [(finding.id, finding.line) for finding in translate(source, path="a.cpp", options=options).findings]


def test_symbols_outside_of_the_chosen_cuda_are_noted_once() -> None:
    source = (
        "void f() {\ncudaGraphConditionalHandleCreate(a, b, c, d);\ncudaGraphConditionalHandleCreate(a, b, c, d);\n}"
    )
    assert ("HIP115", 2) in _ids(source, cuda="11.8")
    assert ("HIP115", 3) not in _ids(source, cuda="11.8")
    assert "HIP115" not in {id for id, _ in _ids(source, cuda="12.9")}
    assert "HIP115" not in {id for id, _ in _ids(source)}


def test_symbols_that_the_chosen_cuda_dropped_are_noted() -> None:
    source = "void f() { cudaBindTexture(a, b, c, d, e); }"
    assert "HIP115" in {id for id, _ in _ids(source, cuda="12.0")}
    assert "HIP115" not in {id for id, _ in _ids(source, cuda="11.8")}


@pytest.mark.parametrize(
    ("headers", "name"),
    [
        ("#include <cublas_v2.h>\n", "rocblas_datatype_f32_r"),
        ("#include <cusparse.h>\n", "rocsparse_datatype_f32_r"),
        ("#include <cusparse.h>\n#include <cublas_v2.h>\n", "rocblas_datatype_f32_r"),
        ("#include <cublasLt.h>\n", "HIP_R_32F"),
        ("", "rocblas_datatype_f32_r"),
    ],
)
def test_data_types_are_those_of_the_included_library(headers: str, name: str) -> None:
    options = Options(targeting=Targeting(target="roc"))
    output = translate(headers + "auto t = CUDA_R_32F;", path="a.cpp", options=options).output.decode()
    assert output.endswith(f"auto t = {name};")
    assert translate(headers + "auto t = CUDA_R_32F;", path="a.cpp").output.decode().endswith("auto t = HIP_R_32F;")


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("namespace tc = thrust::cuda; auto p = tc::par;", "namespace tc = thrust::hip; auto p = tc::par;"),
        ("namespace th = thrust; auto p = th::cuda::par;", "namespace th = thrust; auto p = th::hip::par;"),
        ("namespace c = cub; c::Sum s;", "namespace c = hipcub; c::Sum s;"),
        ("namespace c = ::cub; int n = c :: WarpSize;", "namespace c = ::hipcub; int n = c :: WarpSize;"),
        ("using namespace nvcuda; wmma::mem_row_major;", "using namespace rocwmma; rocwmma::mem_row_major;"),
        (
            "namespace c /* short */ = thrust; auto p = c::cuda::par;",
            "namespace c /* short */ = thrust; auto p = c::hip::par;",
        ),
        (
            "namespace c =\n    thrust; auto p = c // p\n :: cuda::par;",
            "namespace c =\n    thrust; auto p = c::hip:: // p\n par;",
        ),
        (
            "using /* all */ namespace\n  nvcuda; wmma::mem_row_major;",
            "using /* all */ namespace\n  rocwmma; rocwmma::mem_row_major;",
        ),
        (
            "using namespace ::nvcuda; auto l = wmma /* l */ ::mem_row_major;",
            "using namespace ::rocwmma; auto l = rocwmma:: /* l */ mem_row_major;",
        ),
        ("// namespace th = thrust;\nauto p = th::cuda::par;", "// namespace th = thrust;\nauto p = th::cuda::par;"),
        (
            "#define SHORT namespace th = thrust;\nSHORT auto p = th::cuda::par;",
            "#define SHORT namespace th = thrust;\nSHORT auto p = th::hip::par;",
        ),
        (
            "namespace th = thrust; auto p = a.th::cuda::par + my :: th::cuda::par;",
            "namespace th = thrust; auto p = a.th::cuda::par + my :: th::cuda::par;",
        ),
        ("auto p = thrust /* on */ :: cuda /* the */ :: par;", "auto p = thrust::hip:: /* on */  /* the */ par;"),
        ("int x = cuda::std::\n  // mine\n  abs(1);", "int x = std::\n  // mine\n  abs(1);"),
    ],
)
def test_names_behind_an_alias_of_a_namespace(source: str, output: str) -> None:
    assert hip(source) == output


@pytest.mark.parametrize(
    "code",
    [
        "bool f(float a, float b) { return a > ::cuda::std::fabs(b); }",
        "bool f(float a, float b) { return (a - b) > ::cuda::std::fabs(b); }",
        "bool f(float* a, float b) { return a[0]> ::cuda::std::fabs(b); }",
        "bool f(float a, float b) { return g(a)>::cuda::std::fabs(b); }",
        "int f(int a) { return 8 >> ::cuda::std::min(1, a); }",
        "template <class T>\n::cuda::std::size_t f(T);",
        "#define LESS(a, b) ((a) > ::cuda::std::fabs(b))\n",
    ],
)
def test_a_name_behind_an_angle_bracket_that_closes_no_template_arguments(code: str) -> None:
    assert hip("#include <cuda/std/cmath>\n" + code).endswith(code.replace("::cuda::std", "::std"))


@pytest.mark.parametrize(
    "code",
    ["using T = my<int>::cuda::std::size_t;", "auto x = my<int> /* a */::cuda::stream_ref();", "my<int>::cudaFree(0);"],
)
def test_a_name_of_a_templates_class_is_not_cudas(code: str) -> None:
    assert code in hip(code)


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("cub::TransformInputIterator<V, F, I> it;", "rocprim::transform_iterator<I, F, V> it;"),
        ("cub::TransformInputIterator<T<A, B>, F, S<C>> it;", "rocprim::transform_iterator<S<C>, F, T<A, B>> it;"),
        ("cub::TransformInputIterator<V, F, I, ptrdiff_t> it;", "rocprim::transform_iterator<I, F, V> it;"),
        (
            "cub::TransformInputIterator<V, F, cub::TransformInputIterator<A, B, C>> it;",
            "rocprim::transform_iterator<rocprim::transform_iterator<C, B, A>, F, V> it;",
        ),
        ("auto it = cub::DiscardOutputIterator<int>();", "auto it = rocprim::discard_iterator();"),
    ],
)
def test_template_arguments_in_another_order(source: str, output: str) -> None:
    assert hip(source) == output
    assert ids(source) == []


def test_template_arguments_that_are_not_to_be_seen() -> None:
    assert ids("template <class... T> using It = cub::TransformInputIterator<T...>;") == ["HIP104"]
    assert ids("f<cub::TransformInputIterator>();") == ["HIP104"]


def test_an_older_target_takes_the_template_arguments_as_they_are() -> None:
    options = Options(targeting=Targeting(rocm="7.1"), implicit_runtime=False)
    output = translate("cub::DiscardOutputIterator<int> it;", options=options).output
    assert output == b"hipcub::DiscardOutputIterator<int> it;"


@pytest.mark.parametrize(
    "source",
    [
        "class EXPORT B : public C {\n  bool cudaAvailable() const override;\n};",
        "class EXPORT B : public C {\n  std::int64_t cudaElapsedUs();\n};",
        "#define OK(cudaMethod) \\\n  if ((cudaMethod) != 0) return 1",
    ],
)
def test_what_the_source_declares_is_its_own(source: str) -> None:
    assert ids(source) == []


def test_a_cast_call_of_an_unknown_name_declares_nothing() -> None:
    assert ids("int f() { return (int)cudaFooBar(1); }") == ["HIP102"]


def test_a_namespace_called_cuda_is_libcudacxx_where_its_headers_are() -> None:
    assert ids("void f(cuda::GpuMat &a, cuda::detail::Info b);") == []
    assert ids("#include <cuda/barrier>\nvoid f(cuda::no_such_thing &a);") == ["HIP101"]


def test_a_condition_keeps_the_name_of_what_becomes_an_expression() -> None:
    assert hip("#ifndef CUB_MAX\n#define X 1\n#endif\nint m = CUB_MAX(a, b);") == (
        "#ifndef CUB_MAX\n#define X 1\n#endif\nint m = (a > b ? a : b);"
    )


@pytest.mark.parametrize("splice", ["\\\n", "\\\r\n", "\\ \n"])
def test_a_parameter_made_a_string_at_the_start_of_a_line_is_no_directive(splice: str) -> None:
    source = "#define NAME(define, x) call({0}#define cudaFree, {0}#x, cudaFree)\nvoid f() {{ cudaFree(0); }}\n"
    result = translate(source.format(splice).encode(), path="a.cu")
    assert result.output.decode().endswith(source.replace("cudaFree", "hipFree").format(splice))


@pytest.mark.parametrize("parameter", ["error", "warning", "ident", "region", "endregion", "elseif", "pragma"])
def test_names_behind_a_parameter_made_a_string_are_converted(parameter: str) -> None:
    source = f"#define NAME({parameter}) call(#{parameter}, cudaFree)\nvoid f() {{ cudaFree(0); }}\n"
    result = translate(source.encode(), path="a.cu")
    assert result.output.decode().endswith(source.replace("cudaFree", "hipFree"))


@pytest.mark.parametrize("splice", ["\\\n", "\\\r\n", "\\ \n"])
def test_a_string_that_goes_on_in_the_next_line_is_no_code(splice: str) -> None:
    source = f'const char *s = "a {splice} cudaFree";\nvoid f() {{ cudaFree(0); g("cudaFree"); }}\n'
    result = translate(source.encode(), path="a.cu")
    assert result.output.decode().endswith(source.replace("cudaFree(0)", "hipFree(0)"))


def test_what_is_known_to_fail_at_run_time_is_no_conversion() -> None:
    result = translate(b"void f(cublasHandle_t h) { cublasSetMathMode(h, CUBLAS_PEDANTIC_MATH); }")
    assert b"hipblasSetMathMode(h, HIPBLAS_PEDANTIC_MATH)" in result.output
    assert [(found.id, found.severity, found.name) for found in result.findings] == [
        ("HIP109", "warning", "CUBLAS_PEDANTIC_MATH")
    ]
    assert [each.outcome for each in result.references if each.name == "CUBLAS_PEDANTIC_MATH"] == ["unsupported"]
    native = translate(
        b"void f(cublasHandle_t h) { cublasSetMathMode(h, CUBLAS_PEDANTIC_MATH); }",
        options=Options(targeting=Targeting(target="roc")),
    )
    assert native.findings == []


def test_a_name_that_is_only_declared_weak_may_be_missing() -> None:
    result = translate(b"#pragma weak ncclDevCommCreate\nint weak, f() { return weak; }\n")
    assert (result.findings, [each.outcome for each in result.references]) == ([], ["inactive"])
    assert len(translate(b"void f(C *c) { ncclDevCommCreate(c); }").findings) == 1
