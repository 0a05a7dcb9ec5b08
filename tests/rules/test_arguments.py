"""Calls whose arguments HIP takes differently."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py import Options, Translation, translate
from hipify_py.catalog import Targeting


def run(source: str) -> Translation:
    return translate(source, options=Options(implicit_runtime=False))


def call(code: str) -> str:
    """What becomes of a statement."""
    output = run(f"void f() {{ {code} }}").output.decode()
    return output.removeprefix("void f() { ").removesuffix(" }")


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        ("cudaMemcpyToSymbol(a, b, 4);", "hipMemcpyToSymbol(HIP_SYMBOL(a), b, 4);"),
        ("::cudaMemcpyToSymbol(a, b, 4);", "::hipMemcpyToSymbol(HIP_SYMBOL(a), b, 4);"),
        ("cudaMemcpyToSymbol( a , b, 4);", "hipMemcpyToSymbol( HIP_SYMBOL(a) , b, 4);"),
        ("cudaMemcpyToSymbol (ns::a[2], b, 4);", "hipMemcpyToSymbol (HIP_SYMBOL(ns::a[2]), b, 4);"),
        ("cudaMemcpyToSymbol(a<int, 3>, b, 4);", "hipMemcpyToSymbol(HIP_SYMBOL((a<int, 3>)), b, 4);"),
        ("cudaMemcpyToSymbol<T>(a, b, 4);", "hipMemcpyToSymbol<T>(HIP_SYMBOL(a), b, 4);"),
        ("cudaMemcpyToSymbol(HIP_SYMBOL(a), b, 4);", "hipMemcpyToSymbol(HIP_SYMBOL(a), b, 4);"),
        ("cudaMemcpyToSymbol(HIP_SYMBOL (a), b, 4);", "hipMemcpyToSymbol(HIP_SYMBOL (a), b, 4);"),
        (
            "cudaMemcpyToSymbol(HIP_SYMBOL /* wrapped */ (a), b, 4);",
            "hipMemcpyToSymbol(HIP_SYMBOL /* wrapped */ (a), b, 4);",
        ),
        (
            "cudaMemcpyToSymbol(HIP_SYMBOL(\n    a // the table\n    ), b, 4);",
            "hipMemcpyToSymbol(HIP_SYMBOL(\n    a // the table\n    ), b, 4);",
        ),
        ("cudaMemcpyToSymbol(HIP_SYMBOL((a<1, 2>)), b, 4);", "hipMemcpyToSymbol(HIP_SYMBOL((a<1, 2>)), b, 4);"),
        ("COPY(cudaMemcpyToSymbol(HIP_SYMBOL( a ), b, 4));", "COPY(hipMemcpyToSymbol(HIP_SYMBOL( a ), b, 4));"),
        ("cudaMemcpyToSymbol(a /* the table */, b, 4);", "hipMemcpyToSymbol(HIP_SYMBOL(a) /* the table */, b, 4);"),
        (
            "cudaMemcpyToSymbol(\n    a, // the table\n    b, 4);",
            "hipMemcpyToSymbol(\n    HIP_SYMBOL(a), // the table\n    b, 4);",
        ),
        ("cudaMemcpyFromSymbol(&b, a, 4);", "hipMemcpyFromSymbol(&b, HIP_SYMBOL(a), 4);"),
        ("cudaMemcpyFromSymbol(h({1, 2}), a, 4);", "hipMemcpyFromSymbol(h({1, 2}), HIP_SYMBOL(a), 4);"),
        ("cudaMemcpyFromSymbol(f<1, 2>(x), a, 4);", "hipMemcpyFromSymbol(f<1, 2>(x), HIP_SYMBOL(a), 4);"),
        ("cudaGetSymbolAddress((void **)&p, a);", "hipGetSymbolAddress((void **)&p, HIP_SYMBOL(a));"),
        ("CHECK(cudaMemcpyToSymbol(a, b, 4));", "CHECK(hipMemcpyToSymbol(HIP_SYMBOL(a), b, 4));"),
        ("CHECK(cudaMemcpyToSymbol(a, b, 4), 1, 2);", "CHECK(hipMemcpyToSymbol(HIP_SYMBOL(a), b, 4), 1, 2);"),
        (
            "if (cudaMemcpyToSymbol(a, b, 4) < cudaSuccess) {}",
            "if (hipMemcpyToSymbol(HIP_SYMBOL(a), b, 4) < hipSuccess) {}",
        ),
    ],
)
def test_a_symbol_is_wrapped_once(cuda: str, expected: str) -> None:
    assert call(cuda) == expected


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        ("cudaEventCreate(&e);", "hipEventCreate(&e);"),
        ("cudaEventCreate(&e, 0);", "hipEventCreateWithFlags(&e, 0);"),
        ("cudaEventCreate(&e, flags(1, 2));", "hipEventCreateWithFlags(&e, flags(1, 2));"),
        ("cudaEventCreate(e<1, 2>());", "hipEventCreate(e<1, 2>());"),
        ("cudaGraphInstantiate(&e, g, 0);", "hipGraphInstantiateWithFlags(&e, g, 0);"),
        ("cudaGraphInstantiate(&e, g);", "hipGraphInstantiateWithFlags(&e, g, 0);"),
        ("cudaGraphInstantiate(&e, g, NULL, NULL, 0);", "hipGraphInstantiate(&e, g, NULL, NULL, 0);"),
        ("cuCtxCreate(&c, 0, d);", "hipCtxCreate(&c, 0, d);"),
        ("cuCtxCreate(&c, nullptr, 0, d);", "hipCtxCreate(&c, 0, d);"),
        ("cuCtxCreate(&c,\n  params(1, 2), // new\n  0, d);", "hipCtxCreate(&c, // new\n  0, d);"),
    ],
)
def test_the_target_depends_on_the_number_of_arguments(cuda: str, expected: str) -> None:
    assert call(cuda) == expected


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        ("cudaMallocHost(&p, n);", "hipHostMalloc(&p, n, hipHostMallocDefault);"),
        ("cudaMallocHost(&p, n, 2);", "hipHostMalloc(&p, n, 2);"),
        ("cudaMallocHost((void **)&p, f<a, b>(n));", "hipHostMalloc((void **)&p, f<a, b>(n), hipHostMallocDefault);"),
        ("cudaMallocHost(\n  &p,\n  n // bytes\n);", "hipHostMalloc(\n  &p,\n  n, hipHostMallocDefault // bytes\n);"),
        ("cuMemcpy(a, b, n);", "hipMemcpy(a, b, n, hipMemcpyDefault);"),
        ("cuMemcpyAsync(a, b, n, s);", "hipMemcpyAsync(a, b, n, hipMemcpyDefault, s);"),
        (
            "cuMemcpy(a, b, cuMemcpy(c, d, cudaMemcpyDefault));",
            "hipMemcpy(a, b, hipMemcpy(c, d, hipMemcpyDefault, hipMemcpyDefault), hipMemcpyDefault);",
        ),
    ],
)
def test_an_argument_is_added(cuda: str, expected: str) -> None:
    assert call(cuda) == expected


def test_an_argument_is_dropped_with_one_comma() -> None:
    assert call("cuGraphAddNode_v2(&n, g, deps, data(1, 2), 3, &p);") == "hipGraphAddNode(&n, g, deps, 3, &p);"


def test_arguments_are_reordered_with_the_edits_inside_of_them() -> None:
    cuda = "cudnnConvolutionForward(h, &a, xd, cudaX0(x), wd, w, cd, algo, ws, sizeof(cudaStream_t), &b, yd, y);"
    output = run("static int *cudaX0(int *);\nvoid f() { " + cuda + " }").output.decode()
    assert (
        "miopenConvolutionForward(h, &a, xd, cudaX0(x), wd, w, cd, algo, &b, yd, y, ws, sizeof(hipStream_t));" in output
    )


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        (
            "#define PUT(s, d) cudaMemcpyToSymbol(s, d, 4)\n",
            "#define PUT(s, d) hipMemcpyToSymbol(HIP_SYMBOL(s), d, 4)\n",
        ),
        (
            "#define PUT(s, ...) \\\n  cudaMemcpyToSymbol( \\\n    s, __VA_ARGS__)\n",
            "#define PUT(s, ...) \\\n  hipMemcpyToSymbol( \\\n    HIP_SYMBOL(s), __VA_ARGS__)\n",
        ),
        (
            "#define MAKE(e) do { cudaEventCreate(e, 1); } while (0)\n",
            "#define MAKE(e) do { hipEventCreateWithFlags(e, 1); } while (0)\n",
        ),
        (
            "template <class T> void f() { cudaMemcpyToSymbol(C<T>::table, C<T>::host(), sizeof(T)); }",
            "template <class T> void f() { hipMemcpyToSymbol(HIP_SYMBOL(C<T>::table), C<T>::host(), sizeof(T)); }",
        ),
        (
            "void f() { cudaMemcpyToSymbol(a, b, 4); ) }\nvoid g() { { cudaMallocHost(&p, n);",
            "void f() { hipMemcpyToSymbol(HIP_SYMBOL(a), b, 4); ) }\nvoid g() { { hipHostMalloc(&p, n, hipHostMallocDefault);",
        ),
        (
            "void f() {\r\n  cudaMemcpyToSymbol(a,\r\n    b, 4);\r\n}",
            "void f() {\r\n  hipMemcpyToSymbol(HIP_SYMBOL(a),\r\n    b, 4);\r\n}",
        ),
    ],
)
def test_edited_in_macros_templates_and_broken_code(cuda: str, expected: str) -> None:
    result = run(cuda)
    assert result.output.decode() == expected
    assert result.findings == []


def test_a_macro_with_an_open_call_does_not_take_in_the_next_line() -> None:
    source = "#define OPEN cudaMallocHost(&p, n\nint x(3);\n"
    assert run(source).output.decode() == "#define OPEN hipHostMalloc(&p, n\nint x(3);\n"


@pytest.mark.parametrize("cuda", ["auto g = &cudaMemcpyToSymbol;", "g(cudaMallocHost, 1);", "cudaMallocHost"])
def test_a_name_without_arguments_is_renamed_and_reported(cuda: str) -> None:
    result = run(f"void f() {{ {cuda} }}")
    assert b"cuda" not in result.output
    assert [finding.id for finding in result.findings] == ["HIP104"]


@pytest.mark.parametrize(
    "code", ["o.cudaMallocHost(&p, n);", "my::cudaMemcpyToSymbol(a, b, 4);", "// cudaMallocHost(&p, n)\n"]
)
def test_arguments_of_other_functions_stay(code: str) -> None:
    assert call(code) == code


def test_argument_edits_are_not_done_twice() -> None:
    once = run("void f() { cudaMemcpyToSymbol(a, b, 4); cudaMallocHost(&p, n); cuMemcpy(a, b, n); }").output
    again = translate(once, options=Options(implicit_runtime=False))
    assert again.output == once


def test_the_note_of_a_target_by_arity_is_its_own() -> None:
    result = run("void f() { cudaMemPrefetchAsync(p, n, location, 0, s); }")
    assert result.output.decode() == "void f() { hipMemPrefetchAsync_v2(p, n, location, 0, s); }"
    assert not any("CUDA 12" in finding.message for finding in result.findings)


# -- edits beside each other, by a table of the test's own


@pytest.mark.parametrize(
    ("row", "call", "result"),
    [
        ("{hip: g, args: {'1': 'w({})'}, insert: {'1': new}}", "f(a, b)", "g(a, new, w(b))"),
        ("{hip: g, args: {'1': 'w({})'}, insert: {'2': new}}", "f(a, b)", "g(a, w(b), new)"),
        ("{hip: g, args: {'0': 'w({})', '1': null}}", "f(a, b, c)", "g(w(a), c)"),
        ("{hip: g, args: {'0': null, '1': 'w({})'}}", "f(a, b, c)", "g(w(b), c)"),
        ("{hip: g, args: {'0': '*({0}) = {1}', '1': null}}", "f(p, f(q, v))", "g(*p = g(*q = v))"),
        (
            "{hip: g, args: {'0': '(const void**)({})'}}",
            "f((const void **) p); f(q)",
            "g((const void **) p); g((const void**)(q))",
        ),
        ("{hip: g, args: {'0': '({}) == 1 ? a : b'}}", "f((x))", "g(((x)) == 1 ? a : b)"),
        ("{hip: g, args: {'1': null}, insert: {'2': new}}", "f(a, b)", "g(a, new)"),
        ("{hip: g, args: {'1': 'w({})', '2': null}, insert: {'0': '{2}'}}", "f(a, b, c)", "g(c, a, w(b))"),
        (
            "{hip: g, args: {'0': 'w({})'}, insert: {'1': '{0}'}}",
            "f(f(x, y), b)",
            "g(w(g(w(x), x, y)), g(w(x), x, y), b)",
        ),
        (
            "{hip: g, by_type: {'1': {cudaMemLocation: h}}}",
            "cudaMemLocation l; f(a, l); f(a, m)",
            "hipMemLocation l; h(a, l); g(a, m)",
        ),
        (
            "{hip: g, by_type: {'1': {CUDA_R_32F: h}}}",
            "f(a, CUDA_R_32F); f(a, CUDA_R_64F)",
            "h(a, HIP_R_32F); g(a, HIP_R_64F)",
        ),
    ],
)
def test_edits_beside_each_other(tmp_path: Path, row: str, call: str, result: str) -> None:
    table = tmp_path / "mine.yaml"
    table.write_text(f"library: mine\ntitle: Mine\nfunctions:\n  f: {row}\n")
    options = Options(targeting=Targeting(tables=(str(table),)), implicit_runtime=False)
    output = translate(f"void k() {{ {call}; }}", path="a.cpp", options=options).output.decode()
    assert output == f"void k() {{ {result}; }}"


def test_what_stands_in_a_dropped_argument_is_not_left_to_do(tmp_path: Path) -> None:
    table = tmp_path / "mine.yaml"
    table.write_text("library: mine\ntitle: Mine\nfunctions:\n  f: {hip: g, args: {'1': null}}\n")
    options = Options(targeting=Targeting(tables=(str(table),)), implicit_runtime=False)
    kept = translate("int k = f(CU_TENSOR_MAP_SWIZZLE_NONE, b);", path="a.cpp", options=options)
    assert [finding.id for finding in kept.findings] == ["HIP101"]
    gone = translate("int k = f(a, CU_TENSOR_MAP_SWIZZLE_NONE);", path="a.cpp", options=options)
    assert (gone.output, gone.findings, gone.counts.unsupported, gone.counts.total) == (b"int k = g(a);", [], 0, 2)


@pytest.mark.parametrize(
    ("call_", "result"),
    [
        ("cudaMemAdvise(p, n, a, device)", "hipMemAdvise(p, n, a, device)"),
        ("cudaMemAdvise(p, n, a, location)", "hipMemAdvise_v2(p, n, a, location)"),
        ("cudaMemAdvise(p, n, a, cudaMemLocation{t, 0})", "hipMemAdvise_v2(p, n, a, hipMemLocation{t, 0})"),
        ("cudaMemAdvise(p, n, a, {t, 0})", "hipMemAdvise_v2(p, n, a, {t, 0})"),
        ("cudaMemPrefetchAsync(p, n, device)", "hipMemPrefetchAsync(p, n, device)"),
        ("cudaMemPrefetchAsync(p, n, device, s)", "hipMemPrefetchAsync(p, n, device, s)"),
        ("cudaMemPrefetchAsync(p, n, location, 0)", "hipMemPrefetchAsync_v2(p, n, location, 0)"),
        ("cudaMemPrefetchAsync(p, n, {t, 0}, 0)", "hipMemPrefetchAsync_v2(p, n, {t, 0}, 0)"),
        ("cudaMemPrefetchAsync(p, n, location, 0, s)", "hipMemPrefetchAsync_v2(p, n, location, 0, s)"),
        ("cuCtxCreate(c, 0, d)", "hipCtxCreate(c, 0, d)"),
        ("cuCtxCreate(c, nullptr, 0, d)", "hipCtxCreate(c, 0, d)"),
        ("cudaGraphInstantiate(&e, g, nullptr, nullptr, 0)", "hipGraphInstantiate(&e, g, nullptr, nullptr, 0)"),
        ("cudaGraphInstantiate(&e, g, 0)", "hipGraphInstantiateWithFlags(&e, g, 0)"),
        ("cudaGraphAddDependencies(g, f, t, 1)", "hipGraphAddDependencies(g, f, t, 1)"),
        ("cudaGraphAddDependencies(g, f, t, nullptr, 1)", "hipGraphAddDependencies(g, f, t, 1)"),
        ("cudaGraphGetEdges(g, f, t, &n)", "hipGraphGetEdges(g, f, t, &n)"),
        ("cudaGraphGetEdges(g, f, t, nullptr, &n)", "hipGraphGetEdges(g, f, t, &n)"),
    ],
)
def test_the_forms_of_cuda_11_12_and_13(call_: str, result: str) -> None:
    output = run(f"void f(cudaMemLocation location) {{ {call_}; }}").output.decode()
    assert output == f"void f(hipMemLocation location) {{ {result}; }}"


def test_a_macro_for_hips_name_is_given_what_it_was_given() -> None:
    source = "#define hipMemcpyToSymbol(s, h, n) mine(s, h, n)\nvoid f() { cudaMemcpyToSymbol(t, h, 4); }\n"
    assert "hipMemcpyToSymbol(t, h, 4)" in translate(source, path="a.cu").output.decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("cudaMemcpyToSymbolAsync(c, p, 4)", "hipMemcpyToSymbolAsync(HIP_SYMBOL(c), p, 4, 0, hipMemcpyHostToDevice)"),
        (
            "cudaMemcpyToSymbolAsync(c, p, 4, 0)",
            "hipMemcpyToSymbolAsync(HIP_SYMBOL(c), p, 4, 0, hipMemcpyHostToDevice)",
        ),
        (
            "cudaMemcpyFromSymbolAsync(p, c, n())",
            "hipMemcpyFromSymbolAsync(p, HIP_SYMBOL(c), n(), 0, hipMemcpyDeviceToHost)",
        ),
        (
            "cudaMemcpyFromSymbolAsync(p, c, 4, N)",
            "hipMemcpyFromSymbolAsync(p, HIP_SYMBOL(c), 4, N, hipMemcpyDeviceToHost)",
        ),
        (
            "cudaMemcpyToSymbolAsync(c, p, 4, 8, cudaMemcpyDeviceToDevice, s)",
            "hipMemcpyToSymbolAsync(HIP_SYMBOL(c), p, 4, 8, hipMemcpyDeviceToDevice, s)",
        ),
    ],
)
def test_defaults_of_cudas_that_hip_has_not_are_written(before: str, after: str) -> None:
    once = translate(f"void f() {{ {before}; }}", options=Options(implicit_runtime=False)).output
    assert once == f"void f() {{ {after}; }}".encode()
    assert translate(once, options=Options(implicit_runtime=False)).output == once


@pytest.mark.parametrize(
    ("cuda", "expected"),
    [
        (
            "cub::DeviceReduce::ArgMin(t, bytes, in, out, n);",
            "hipcub::DeviceReduce::ArgMin(t, bytes, in, out, static_cast<int>(n));",
        ),
        (
            "::cub::DeviceReduce::ArgMax(t, bytes, in, out, v.size(), stream);",
            "::hipcub::DeviceReduce::ArgMax(t, bytes, in, out, static_cast<int>(v.size()), stream);",
        ),
        (
            "CHECK(cub::DeviceReduce::ArgMax(t, bytes, ~in, ~out, f(a, b)));",
            "CHECK(hipcub::DeviceReduce::ArgMax(t, bytes, ~in, ~out, static_cast<int>(f(a, b))));",
        ),
        (
            "cub::DeviceReduce::ArgMin<I, O>(t, bytes, in, out, static_cast<int>(n));",
            "hipcub::DeviceReduce::ArgMin<I, O>(t, bytes, in, out, static_cast<int>(n));",
        ),
        (
            "cub::DeviceReduce::Sum(t, bytes, in, out, n);",
            "hipcub::DeviceReduce::Sum(t, bytes, in, out, n);",
        ),
        (
            "cub::DeviceSegmentedReduce::ArgMin(t, bytes, in, out, n, begin, end);",
            "hipcub::DeviceSegmentedReduce::ArgMin(t, bytes, in, out, n, begin, end);",
        ),
    ],
)
def test_pairs_of_index_and_value_are_counted_in_int(cuda: str, expected: str) -> None:
    assert call(cuda) == expected
    assert run(run(cuda).output.decode()).output == run(cuda).output


@pytest.mark.parametrize(
    ("declaration", "argument", "expected"),
    [
        ("const char *const *flags", "flags", "(const char **)(flags)"),
        ("char **flags", "flags", "(const char **)(flags)"),
        ("const std::vector<const char *> &flags", "flags.data()", "(const char **)(flags.data())"),
        ("const char **flags", "flags", "flags"),
        ("const char *flags[3]", "flags", "flags"),
        ("const char *flags[3]", "&flags[1]", "&flags[1]"),
        ("int flags", "nullptr", "nullptr"),
    ],
)
def test_an_array_of_constant_pointers_is_cast(declaration: str, argument: str, expected: str) -> None:
    output = run(f"void f(nvrtcProgram p, {declaration}) {{ nvrtcCompileProgram(p, 2, {argument}); }}").output
    assert f"hiprtcCompileProgram(p, 2, {expected});".encode() in output
    assert run(output.decode()).output == output
