"""Kernel launches, written as macro calls and kept in chevrons."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from hipify_py import Options, Translation, translate


def run(source: str, launch: str) -> Translation:
    return translate(source, options=Options(launch=launch, implicit_runtime=False))


class Case(NamedTuple):
    """A launch as it stands in CUDA, as a macro call, and in chevrons where that is not the CUDA text."""

    cuda: str
    ggl: str
    chevron: str | None = None


STATEMENTS = {
    "plain": Case("k<<<1, 2>>>(a, b);", "hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, a, b);"),
    "templated": Case("k<T><<<g, b>>>(a);", "hipLaunchKernelGGL(k<T>, dim3(g), dim3(b), 0, 0, a);"),
    "templated with a comma": Case(
        "k<T, 3><<<g, b>>>(a);", "hipLaunchKernelGGL(HIP_KERNEL_NAME(k<T, 3>), dim3(g), dim3(b), 0, 0, a);"
    ),
    "namespaced": Case("ns::k<<<g, b>>>(a);", "hipLaunchKernelGGL(ns::k, dim3(g), dim3(b), 0, 0, a);"),
    "from the global scope": Case(
        "::ns::k<T><<<g, b>>>(a);", "hipLaunchKernelGGL(::ns::k<T>, dim3(g), dim3(b), 0, 0, a);"
    ),
    "member of a template": Case(
        "S<T, 2>::k<<<g, b>>>(a);", "hipLaunchKernelGGL(HIP_KERNEL_NAME(S<T, 2>::k), dim3(g), dim3(b), 0, 0, a);"
    ),
    "member of a dependent type": Case(
        "S<T>::template k<3><<<g, b>>>(a);", "hipLaunchKernelGGL(S<T>::template k<3>, dim3(g), dim3(b), 0, 0, a);"
    ),
    "member of an object": Case("obj.k<<<g, b>>>(a);", "hipLaunchKernelGGL(obj.k, dim3(g), dim3(b), 0, 0, a);"),
    "member through a pointer": Case("p->k<<<g, b>>>(a);", "hipLaunchKernelGGL(p->k, dim3(g), dim3(b), 0, 0, a);"),
    "member of a member": Case("o.p->q.k<<<g, b>>>(a);", "hipLaunchKernelGGL(o.p->q.k, dim3(g), dim3(b), 0, 0, a);"),
    "pointer": Case("(*kp)<<<g, b>>>(a);", "hipLaunchKernelGGL((*kp), dim3(g), dim3(b), 0, 0, a);"),
    "array of pointers": Case("table[i]<<<g, b>>>(a);", "hipLaunchKernelGGL(table[i], dim3(g), dim3(b), 0, 0, a);"),
    "two-dimensional table": Case(
        "t.rows[i + 1][j]<<<g, b>>>(a);", "hipLaunchKernelGGL(t.rows[i + 1][j], dim3(g), dim3(b), 0, 0, a);"
    ),
    "no arguments": Case("k<<<g, b>>>();", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0);"),
    "shared memory given": Case("k<<<g, b, n>>>(a);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), n, 0, a);"),
    "stream given": Case("k<<<g, b, n, s>>>(a);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), n, s, a);"),
    "stream given, no arguments": Case("k<<<g, b, n, s>>>();", "hipLaunchKernelGGL(k, dim3(g), dim3(b), n, s);"),
    "no blanks": Case("k<<<g,b,0,s>>>(a,b);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, s, a,b);"),
    "many blanks": Case("k <<< g , b >>> ( a );", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, a);"),
    "blanks and no arguments": Case("k <<< g, b >>> ( );", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0);"),
    "blanks behind commas": Case("k<<<g ,b ,n ,s>>> (a);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), n, s, a);"),
    "blanks and a comment": Case(
        "k <<< g /* blocks */ , b >>> /* of */ (a);",
        "hipLaunchKernelGGL(k, dim3(g) /* blocks */, dim3(b), 0, 0, /* of */ a);",
    ),
    "blanks in a template's name": Case(
        "k<T, 3> <<< g, b >>>(a);", "hipLaunchKernelGGL(HIP_KERNEL_NAME(k<T, 3>), dim3(g), dim3(b), 0, 0, a);"
    ),
    "tabs": Case("k\t<<<\tg\t,\tb\t>>>\t(\ta\t);", "hipLaunchKernelGGL(k, dim3(g),\tdim3(b), 0, 0, a);"),
    "shared memory by a function of two": Case(
        "k<<<g, b, bytes(n, 4)>>>(a);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), bytes(n, 4), 0, a);"
    ),
    "braced argument": Case(
        "k<<<g, b>>>(int2{1, 2}, c);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, int2{1, 2}, c);"
    ),
    "templated argument": Case(
        "k<<<g, b>>>(f<a, b>(c), d);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, f<a, b>(c), d);"
    ),
    "lambda argument": Case(
        "k<<<g, b>>>([=] __device__(int i, int j) { return i, j; }, n);",
        "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, [=] __device__(int i, int j) { return i, j; }, n);",
    ),
    "string argument": Case(
        "k<<<g, b>>>(\">>>(\", ')');", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, \">>>(\", ')');"
    ),
    "grid computed": Case(
        "k<<<(n - 1) / B + 1, B>>>(a);", "hipLaunchKernelGGL(k, dim3((n - 1) / B + 1), dim3(B), 0, 0, a);"
    ),
    "grid in parentheses": Case("k<<<(n), (b)>>>(a);", "hipLaunchKernelGGL(k, dim3((n)), dim3((b)), 0, 0, a);"),
    "sizeof": Case(
        "k<<<g, b, sizeof(float)*n>>>(a);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), sizeof(float)*n, 0, a);"
    ),
    "grid by a macro": Case("k<<<GRID(n), B>>>(a);", "hipLaunchKernelGGL(k, dim3(GRID(n)), dim3(B), 0, 0, a);"),
    "grid by a function of two": Case(
        "k<<<up(n, B), B>>>(a);", "hipLaunchKernelGGL(k, dim3(up(n, B)), dim3(B), 0, 0, a);"
    ),
    "dim3 not wrapped again": Case(
        "k<<<dim3(1, 2), dim3(3)>>>(a);", "hipLaunchKernelGGL(k, dim3(1, 2), dim3(3), 0, 0, a);"
    ),
    "product of dim3 values wrapped": Case(
        "k<<<dim3(1).x * dim3(2).x, b>>>(a);", "hipLaunchKernelGGL(k, dim3(dim3(1).x * dim3(2).x), dim3(b), 0, 0, a);"
    ),
    "name that begins like dim3": Case(
        "k<<<dim3_of(n), b>>>(a);", "hipLaunchKernelGGL(k, dim3(dim3_of(n)), dim3(b), 0, 0, a);"
    ),
    "templated shared memory size": Case(
        "k<<<g, b, bytes<T, 4>()>>>(a);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), (bytes<T, 4>()), 0, a);"
    ),
    "name from a macro": Case(
        "NAME(float)<<<g, b>>>(a);", "hipLaunchKernelGGL(HIP_KERNEL_NAME(NAME(float)), dim3(g), dim3(b), 0, 0, a);"
    ),
    "glued template closers": Case(
        "k<wrap<int>><<<g, b>>>(a);", "hipLaunchKernelGGL(k<wrap<int>>, dim3(g), dim3(b), 0, 0, a);"
    ),
    "three glued template closers": Case(
        "k<w<w<int>>><<<g, b>>>(a);", "hipLaunchKernelGGL(k<w<w<int>>>, dim3(g), dim3(b), 0, 0, a);"
    ),
    "template closer glued to the launch's": Case(
        "k<<<1, size_of<int>>>>(a);", "hipLaunchKernelGGL(k, dim3(1), dim3(size_of<int>), 0, 0, a);"
    ),
    "comparison among the template arguments": Case(
        "k<(a > b)><<<g, b>>>(a);", "hipLaunchKernelGGL(HIP_KERNEL_NAME(k<(a > b)>), dim3(g), dim3(b), 0, 0, a);"
    ),
    "shifts in the configuration": Case(
        "k<<<a >> 2, (b >> 2), c << 3>>>(a);", "hipLaunchKernelGGL(k, dim3(a >> 2), dim3((b >> 2)), c << 3, 0, a);"
    ),
    "comparison in the configuration": Case(
        "k<<<a < b ? a : b, c>>>(a);", "hipLaunchKernelGGL(k, dim3(a < b ? a : b), dim3(c), 0, 0, a);"
    ),
    "arrow in the configuration": Case(
        "k<<<p->g, p->b>>>(a);", "hipLaunchKernelGGL(k, dim3(p->g), dim3(p->b), 0, 0, a);"
    ),
    "branches": Case(
        "if (c) k<<<g, b>>>(1); else k<<<g, b>>>(2);",
        "if (c) hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, 1); else hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, 2);",
    ),
    "loops": Case(
        "for (;;) k<<<g, b>>>(1); do k<<<g, b>>>(2); while (c);",
        "for (;;) hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, 1); do hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, 2); while (c);",
    ),
    "after a label": Case("again: k<<<g, b>>>(a);", "again: hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, a);"),
    "after a case": Case(
        "switch (c) { case 1: k<<<g, b>>>(1); default: k<<<g, b>>>(2); }",
        "switch (c) { case 1: hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, 1);"
        " default: hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, 2); }",
    ),
    "in a lambda's body": Case(
        "auto l = [&] { k<<<g, b>>>(a); };", "auto l = [&] { hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, a); };"
    ),
    "as a macro's argument": Case("CHECK(k<<<g, b>>>(a));", "CHECK(hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, a));"),
    "as one of a macro's arguments": Case(
        'RUN(k<<<g, b>>>(a), "k", 1);', 'RUN(hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, a), "k", 1);'
    ),
    "API names inside": Case(
        "k<<<g, b, 0, cudaStreamPerThread>>>(cudaMemcpyDefault);",
        "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, hipStreamPerThread, hipMemcpyDefault);",
        "k<<<g, b, 0, hipStreamPerThread>>>(hipMemcpyDefault);",
    ),
    "a call of another API inside": Case(
        "k<<<g, b>>>(cuMemcpy(p, q, n));",
        "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, hipMemcpy(p, q, n, hipMemcpyDefault));",
        "k<<<g, b>>>(hipMemcpy(p, q, n, hipMemcpyDefault));",
    ),
    "two on one line": Case(
        "k<<<1, 2>>>(a); l<<<3, 4>>>(b);",
        "hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, a); hipLaunchKernelGGL(l, dim3(3), dim3(4), 0, 0, b);",
    ),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_written_as_a_macro_call(name: str) -> None:
    cuda, ggl, _ = STATEMENTS[name]
    result = run(f"void f() {{ {cuda} }}\n", "ggl")
    assert result.output.decode() == f"void f() {{ {ggl} }}\n"
    assert result.findings == []


@pytest.mark.parametrize("name", STATEMENTS)
def test_kept_in_chevrons(name: str) -> None:
    cuda, _, chevron = STATEMENTS[name]
    result = run(f"void f() {{ {cuda} }}\n", "chevron")
    assert result.output.decode() == f"void f() {{ {chevron or cuda} }}\n"
    assert result.findings == []


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_launch_is_converted_as_a_macro_call_and_native_in_chevrons(name: str) -> None:
    source = f"void f() {{ {STATEMENTS[name].cuda} }}\n"
    for launch, outcome in (("ggl", "converted"), ("chevron", "native")):
        outcomes = {reference.outcome for reference in run(source, launch).references if reference.name == "<<<>>>"}
        assert outcomes == {outcome}


@pytest.mark.parametrize("name", STATEMENTS)
def test_crlf_line_ends_change_nothing(name: str) -> None:
    cuda, ggl, _ = STATEMENTS[name]
    result = run(f"void f() {{\r\n  {cuda}\r\n}}\r\n", "ggl")
    assert result.output.decode() == f"void f() {{\r\n  {ggl}\r\n}}\r\n"


def test_a_braced_dim3_keeps_its_comma_from_the_macro() -> None:
    """`dim3{1, 2}` bare would be two arguments of the macro."""
    result = run("void f() { k<<<dim3(1, 2), dim3{3, 4}>>>(a); }", "ggl")
    assert result.output.decode() in (
        "void f() { hipLaunchKernelGGL(k, dim3(1, 2), (dim3{3, 4}), 0, 0, a); }",
        "void f() { hipLaunchKernelGGL(k, dim3(1, 2), dim3(dim3{3, 4}), 0, 0, a); }",
    )


def test_a_braced_grid_is_made_a_dim3() -> None:
    result = run("void f() { k<<<{1, 2}, b>>>(a); }", "ggl")
    assert result.output.decode() in (
        "void f() { hipLaunchKernelGGL(k, (dim3{1, 2}), dim3(b), 0, 0, a); }",
        "void f() { hipLaunchKernelGGL(k, dim3({1, 2}), dim3(b), 0, 0, a); }",
    )


DECLARED = {
    "variables": ("dim3 g(1, 2), b = dim3(3);", "g", "b"),
    "braces": ("dim3 g{1, 2}; const dim3 b{8};", "g", "b"),
    "deduced": ("auto g = dim3(1, 2); const auto b = g;", "g", "b"),
    "members": ("struct B { dim3 b; }; struct S { dim3 g; B in; } s;", "s.g", "s.in.b"),
    "elements": ("dim3 g[2]; std::array<int, 2> unused; dim3 b[2][2];", "g[n]", "b[0][1]"),
    "behind pointers": ("dim3 *g; dim3 **b;", "*g", "(*b)[1]"),
    "aliases": ("using Grid = dim3; typedef Grid Block; Grid g(1); Block b(2);", "g", "b"),
    "elements of a vector": ("std::vector<dim3> g; auto b = g.back();", "g[0]", "b"),
    "one of two": ("dim3 g, h, b;", "n > 2 ? g : h", "(b)"),
    "made there": ("using Grid = dim3;", "Grid(n, 2)", "dim3{8}"),
}


@pytest.mark.parametrize("name", DECLARED)
def test_what_is_declared_as_a_dim3_needs_none_around_it(name: str) -> None:
    declarations, grid, block = DECLARED[name]
    output = run(f"void f(int n) {{ {declarations} k<<<{grid}, {block}>>>(n); }}\n", "ggl").output.decode()
    assert output == f"void f(int n) {{ {declarations} hipLaunchKernelGGL(k, {grid}, {block}, 0, 0, n); }}\n"


UNDECLARED = {
    "numbers": ("int g = 1; unsigned b = 2;", "g", "b"),
    "one of a dim3's three": ("dim3 g, b;", "g.x", "b.x * b.y"),
    "a number or a dim3": ("dim3 g; int b;", "n ? g : b", "b"),
    "another's": ("{ dim3 g, b; } int g, b;", "g", "b"),
    "not seen here": ("Shape s; dim3 unused;", "s.grid", "block_of(n)"),
}


@pytest.mark.parametrize("name", UNDECLARED)
def test_what_is_not_known_as_a_dim3_is_made_one(name: str) -> None:
    declarations, grid, block = UNDECLARED[name]
    output = run(f"void f(int n) {{ {declarations} k<<<{grid}, {block}>>>(n); }}\n", "ggl").output.decode()
    assert f"hipLaunchKernelGGL(k, dim3({grid}), dim3({block}), 0, 0, n);" in output


@pytest.mark.parametrize(
    ("functions", "grid", "output"),
    [
        ("dim3 grid_of(int n);", "grid_of(n)", "grid_of(n)"),
        ("auto grid_of(int n) -> dim3 { return dim3(n); }", "grid_of(n)", "grid_of(n)"),
        ("struct S { dim3 grid(int n) const; };", "s.grid(n)", "s.grid(n)"),
        ("template <class A, int B> dim3 grid_of(int n);", "grid_of<int, 2>(n)", "(grid_of<int, 2>(n))"),
        ("dim3 *grids(int n);", "grids(n)[1]", "grids(n)[1]"),
        ("int grid_of(dim3 n);", "grid_of(n)", "dim3(grid_of(n))"),
        ("dim3 *grid_of(int n);", "*grid_of(n)", "*grid_of(n)"),
    ],
)
def test_functions_that_return_a_dim3(functions: str, grid: str, output: str) -> None:
    result = run(f"{functions}\nvoid f(S s, int n) {{ k<<<{grid}, 64>>>(n); }}\n", "ggl").output.decode()
    assert f"hipLaunchKernelGGL(k, {output}, dim3(64), 0, 0, n);" in result


MULTILINE = """\
void f() {
  k /* name */ <<< // the grid:
      g, // comma, here
      dim3(8, /* y */ 4)
  >>> // arguments:
  (
      a, // first )
      /* second ( */ b
  );
}
"""


def test_line_breaks_and_comments_inside_stay() -> None:
    expected = """\
void f() {
  hipLaunchKernelGGL(k, /* name */ // the grid:
      dim3(g), // comma, here
      dim3(8, /* y */ 4)
  , 0, 0, // arguments:
{blank}
      a, // first )
      /* second ( */ b
  );
}
"""
    assert run(MULTILINE, "ggl").output.decode() == expected.replace("{blank}", "  ")
    assert run(MULTILINE, "chevron").output.decode() == MULTILINE


def test_line_breaks_and_comments_inside_stay_with_crlf() -> None:
    source = MULTILINE.replace("\n", "\r\n")
    lf = run(MULTILINE, "ggl").output.decode()
    assert run(source, "ggl").output.decode() == lf.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("cuda", "ggl"),
    [
        pytest.param(
            "#define RUN(k, n) k<<<n, 256>>>(x)\n",
            "#define RUN(k, n) hipLaunchKernelGGL(HIP_KERNEL_NAME(k), dim3(n), dim3(256), 0, 0, x)\n",
            id="callee a parameter",
        ),
        pytest.param(
            "#define RUN kernel<<<1, 256>>>(x)\nint y;\n",
            "#define RUN hipLaunchKernelGGL(HIP_KERNEL_NAME(kernel), dim3(1), dim3(256), 0, 0, x)\nint y;\n",
            id="no parameters",
        ),
        pytest.param(
            "#define RUN(name, n) \\\n  do { \\\n    name##_kernel<<<n, 256, 0, s>>>( \\\n        x, y); \\\n  } while (0)\n",
            "#define RUN(name, n) \\\n  do { \\\n    hipLaunchKernelGGL(HIP_KERNEL_NAME(name##_kernel), dim3(n), dim3(256), 0, s, \\\n"
            "        x, y); \\\n  } while (0)\n",
            id="pasted name over several lines",
        ),
        pytest.param(
            "#define RUN(T, ...) k<T><<<1, 2>>>(__VA_ARGS__)",
            "#define RUN(T, ...) hipLaunchKernelGGL(k<T>, dim3(1), dim3(2), 0, 0, __VA_ARGS__)",
            id="variadic, no final newline",
        ),
        pytest.param(
            "#define RUN(T, N) k<T, N> \\\r\n  <<<1, 2>>> \\\r\n  (x);\r\nint y;\r\n",
            "#define RUN(T, N) hipLaunchKernelGGL(HIP_KERNEL_NAME(k<T, N>), \\\r\n  dim3(1), dim3(2), 0, 0, \\\r\n  x);\r\nint y;\r\n",
            id="crlf continuations",
        ),
        pytest.param(
            "#define RUN(k) if (n) k<<<1, 2>>>(x); else l<<<1, 2>>>(x)\n",
            "#define RUN(k) if (n) hipLaunchKernelGGL(HIP_KERNEL_NAME(k), dim3(1), dim3(2), 0, 0, x);"
            " else hipLaunchKernelGGL(HIP_KERNEL_NAME(l), dim3(1), dim3(2), 0, 0, x)\n",
            id="branches",
        ),
    ],
)
def test_in_a_macros_body(cuda: str, ggl: str) -> None:
    result = run(cuda, "ggl")
    assert result.output.decode() == ggl
    assert result.findings == []
    assert run(cuda, "chevron").output.decode() == cuda


def test_a_macros_launch_never_takes_in_the_lines_behind_it() -> None:
    source = "#define BROKEN k<<<1, 2>>>(a\nvoid f() { l<<<1, 2>>>(b); }\n"
    result = run(source, "ggl")
    assert result.output.decode().splitlines()[0] == source.splitlines()[0]
    assert result.output.decode().splitlines()[1] == "void f() { hipLaunchKernelGGL(l, dim3(1), dim3(2), 0, 0, b); }"


KEPT = {
    "directive between the chevrons": "void f() {\n  k<<<\n#ifdef BIG\n    8,\n#else\n    4,\n#endif\n    b>>>(a);\n}\n",
    "directive among the arguments": "void f() {\n  k<<<g, b>>>(a\n#if N\n    , n\n#endif\n  );\n}\n",
    "operand of a comma": "int x = (k<<<1, 1>>>(), 0);",
    "argument of another call": "void f() { CHECK2((k<<<g, b>>>(a)), 1); }",
    "returned": "void f() { return k<<<g, b>>>(a); }",
    "operand of a conditional": "void f() { c ? k<<<g, b>>>(a) : l<<<g, b>>>(a); }",
    "no argument list": "void f() { k<<<g, b>>>; }",
    "no end": "void f() { k<<<g, b; }",
    "one configuration argument": "void f() { k<<<g>>>(a); }",
    "five configuration arguments": "void f() { k<<<g, b, 0, s, x>>>(a); }",
    "no kernel": "void f() { ; <<<g, b>>>(a); }",
}


@pytest.mark.parametrize("name", KEPT)
def test_a_launch_stays_and_is_not_reported_with(name: str) -> None:
    result = run(KEPT[name], "ggl")
    assert result.output.decode() == KEPT[name]
    assert [finding.id for finding in result.findings] == []
    assert result.counts.converted == 0


@pytest.mark.parametrize("name", list(KEPT)[:2])
def test_names_inside_of_a_kept_launch_are_translated(name: str) -> None:
    source = KEPT[name].replace("(a", "(cudaMemcpyDefault")
    assert run(source, "ggl").output.decode() == KEPT[name].replace("(a", "(hipMemcpyDefault")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("void f() { int x = ; ) ", " } } class {\n", id="around syntax errors"),
        pytest.param(
            "#if A\nvoid f() { if (x) {\n#else\nvoid f() { {\n#endif\n  ", "\n} }\n", id="unbalanced branches"
        ),
        pytest.param("#if 0\n", "\n#endif\n", id="in a branch never taken"),
        pytest.param("template <class T> void C<T>::f() const {\n  ", "\n}\n", id="in a template's member"),
        pytest.param("BEGIN_TEST(name)\n  ", "\nEND_TEST\n", id="in a body that macros open and close"),
        pytest.param('extern "C" {\nvoid f() {\n', "\n}\n}\n", id='in extern "C"'),
        pytest.param("void f() {\n#pragma unroll\n", "\n}\n", id="after a pragma"),
        pytest.param("void f() { // k<<<1, 2>>>(x);\n", " /* k<<<1, 2>>>(x); */ }\n", id="beside launches in comments"),
        pytest.param('void f() { s = "k<<<1, 2>>>(x);"; ', "}", id="beside a launch in a string"),
    ],
)
def test_rewritten(before: str, after: str) -> None:
    result = run(before + "k<T><<<g, b>>>(a);" + after, "ggl")
    assert result.output.decode() == before + "hipLaunchKernelGGL(k<T>, dim3(g), dim3(b), 0, 0, a);" + after
    assert result.counts.converted == 1


def test_merge_conflict_marks_are_no_launches() -> None:
    source = "<<<<<<< ours\ncudaStream_t s;\n=======\n>>>>>>> theirs\n"
    assert run(source, "ggl").output.decode() == source.replace("cuda", "hip")


def test_a_launch_in_a_kernel_is_unsupported() -> None:
    source = "__global__ void k(int n) { if (n) k<<<1, 1>>>(n - 1); }"
    result = run(source, "ggl")
    assert result.output.decode() == source
    assert [finding.id for finding in result.findings] == ["HIP202"]
    assert result.counts.unsupported == 1


def test_a_launch_in_host_device_code_is_rewritten() -> None:
    source = "__host__ __device__ void f() { k<<<1, 1>>>(); }"
    assert b"hipLaunchKernelGGL(k, dim3(1), dim3(1), 0, 0)" in run(source, "ggl").output


SPACED = {
    "blanks within the chevrons": Case(
        "k << < g, b >> > (a);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, a);", "k <<< g, b >>> (a);"
    ),
    "blanks within the opening chevrons": Case(
        "k<T> << <g, b, 0, s>>>(a);",
        "hipLaunchKernelGGL(k<T>, dim3(g), dim3(b), 0, s, a);",
        "k<T> <<<g, b, 0, s>>>(a);",
    ),
    "a tab within the closing chevrons": Case(
        "k<<<g, b>>\t>();", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0);", "k<<<g, b>>>();"
    ),
    "blanks within chevrons around templates and shifts": Case(
        "k<A<1>, 2> << <n >> 1, f<A<B<int>>>(n) >> >(a);",
        "hipLaunchKernelGGL(HIP_KERNEL_NAME(k<A<1>, 2>), dim3(n >> 1), dim3(f<A<B<int>>>(n)), 0, 0, a);",
        "k<A<1>, 2> <<<n >> 1, f<A<B<int>>>(n) >>>(a);",
    ),
    "in a macro's body": Case(
        "\n#define RUN(k, ...) k << <1, 2 >> >(__VA_ARGS__)\n",
        "\n#define RUN(k, ...) hipLaunchKernelGGL(HIP_KERNEL_NAME(k), dim3(1), dim3(2), 0, 0, __VA_ARGS__)\n",
        "\n#define RUN(k, ...) k <<<1, 2 >>>(__VA_ARGS__)\n",
    ),
}
"""nvcc takes blanks before the last bracket of each, which clang does not."""


@pytest.mark.parametrize("launch", ["ggl", "chevron"])
@pytest.mark.parametrize("name", SPACED)
def test_chevrons_with_blanks_are_launches(name: str, launch: str) -> None:
    case = SPACED[name]
    result = run(f"void f() {{ {case.cuda} }}\n", launch)
    assert result.output.decode() == f"void f() {{ {case.ggl if launch == 'ggl' else case.chevron} }}\n"
    assert [r.outcome for r in result.references if r.name == "<<<>>>"] == ["converted"]


@pytest.mark.parametrize("comment", ["// x (y\n", "/* ) */", "// it's <<<1, 2>>>\n"])
def test_comments_behind_chevrons_with_blanks_are_none_of_their_code(comment: str) -> None:
    source = f"void f() {{ k << <1, 2 >> > (a, {comment}b); j << <1, 2>> >({comment}); }}"
    expected = source.replace("k << <1, 2 >> > (", "hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, ")
    expected = expected.replace("j << <1, 2>> >(", "hipLaunchKernelGGL(j, dim3(1), dim3(2), 0, 0")
    assert run(source, "ggl").output.decode() == expected


def test_chevrons_with_blanks_that_stay_lose_them() -> None:
    """The macro cannot stand in an expression."""
    assert run("int x = (k << <1, 1 >> >(), 0);", "ggl").output == b"int x = (k <<<1, 1 >>>(), 0);"


@pytest.mark.parametrize(
    "source",
    [
        "void f(S &s) { operator<< <T>(s, 1); }",
        "friend S &operator << <>(S &s, T t);",
        "friend S &operator<< /* of all */ <T>(S &s, T t);",
        "bool f(int a, int b, int c) { return a << b >> c > (b); }",
        "int x = a >> (b > (c));",
    ],
)
def test_operators_are_no_launches(source: str) -> None:
    result = run(source, "ggl")
    assert result.output.decode() == source
    assert [r.name for r in result.references] == []


@pytest.mark.parametrize(
    "launch",
    [
        "k<\n    A,\n    B><<<1, 2>>>(x);",
        "ns::k<A,  // the first\n    B>\n    <<<1, 2>>>(x);",
        "k\n/* why */\n<A\n><<<1, 2>>>(x);",
        "k\n<<<1, 2>>>(x);",
    ],
)
def test_a_launch_in_device_code_is_named_in_one_line(launch: str) -> None:
    """Written above the launch, the finding does not become a part of the kernel's name."""
    options = Options(annotate=True)
    source = f"__global__ void outer(int *x) {{\n    {launch}\n}}\nvoid stays() {{ cudaNotYetKnown(); }}\n"
    once = translate(source, path="a.cu", options=options)
    found = next(finding for finding in once.findings if finding.id == "HIP202")
    assert "\n" not in found.message
    assert "//" not in found.message
    assert translate(once.output, path="a.cu", options=options).output.decode() == once.output.decode()


@pytest.mark.parametrize(
    "before",
    [
        "#if A && \\\n B",
        "#if A \\ \n || B",
        "/* c */ #ifdef A",
        "#ifdef A // c \\\n d",
        "#define A(x) x",
        "#define A(x) \\\n x",
        "#pragma omp \\\r\n single",
    ],
)
def test_a_launch_behind_a_directive_is_a_statement(before: str) -> None:
    source = f"__global__ void k(int *p) {{}}\nvoid f(int *p) {{\n{before}\n  @;\n}}\n"
    output = run(source.replace("@", "k<<<1, 2>>>(p)"), "macro").output.decode()
    assert output.endswith(source.replace("@", "hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, p)"))


@pytest.mark.parametrize("before", ["#ifdef A", "#define A \\\n g(),"])
def test_a_launch_in_a_longer_expression_stays_behind_a_directive(before: str) -> None:
    source = f"__global__ void k(int *p) {{}}\nvoid f(int *p) {{\n{before}\n k<<<1, 2>>>(p), g();\n#endif\n}}\n"
    assert run(source, "macro").output.decode().endswith(source)
