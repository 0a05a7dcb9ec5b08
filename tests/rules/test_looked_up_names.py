"""API names as texts: looked up while a program runs, made of names by macros, beside functions in tables."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate

PLAIN = Options(implicit_runtime=False)


def outcome(source: str, path: str = "a.cpp") -> tuple[str, list[str]]:
    result = translate(source, path=path, options=PLAIN)
    assert translate(result.output, path=path, options=PLAIN).output == result.output
    return result.output.decode(), [finding.id for finding in result.findings]


def hip(source: str) -> str:
    for cuda in ("cudaFree", "cudaSetDevice"):
        source = source.replace(cuda, "hip" + cuda[4:])
    return source.replace("cuInit", "hipInit")


@pytest.mark.parametrize(
    "source",
    [
        'auto f = dlsym(lib, "cudaFree");\n',
        'void g() { f = (Free)GetProcAddress(module, "cudaFree"); h = dlvsym(lib, "cuInit", "V"); }\n',
        'void *find(const char *name) { return dlsym(lib, name); }\nauto f = (Free)find("cudaFree");\n',
        'struct L { void *get(const char *n) { return dlsym(l, n); } void *l; };\nvoid g(L l) { l.get("cudaSetDevice"); }\n',
        'E t[] = {{"cudaFree", 0}, {"cuInit", 0}};\nvoid g() { for (E &e : t) e.f = dlsym(lib, e.name); }\n',
        "#define LOAD(f) dlsym(lib, #f)\nvoid *a = LOAD(cudaFree), *b = LOAD(cudaSetDevice);\n",
        "#define LIST(X) X(cudaFree) X(cudaSetDevice)\n#define LOAD(f) dlsym(lib, #f);\nvoid g() { LIST(LOAD) }\n",
        "#define LOAD(f) dlsym(lib, # /* the name */ f)\nvoid *a = LOAD(cudaFree);\n",
        "#define LIST(X) X(cudaFree) X(cudaSetDevice)\n#define LOAD(f) dlsym(lib, #f);\nvoid g() { LIST /* all */ (LOAD) }\n",
        "#define GET(f, needed) dlsym(lib, #f)\n#define LOAD(f) GET(f, 1)\nvoid *a = LOAD(cudaFree);\n",
    ],
)
def test_all_that_is_looked_up_is_renamed(source: str) -> None:
    assert outcome(source) == (hip(source), ["HIP137"])


@pytest.mark.parametrize(
    "source",
    [
        'auto f = dlsym(lib, "cudaFree"); auto g = dlsym(lib, "cudaFuncGetName");\n',
        'E t[] = {{"cudaFree", 0}, {"cudaFuncGetName", 0}};\nvoid g() { for (E &e : t) e.f = dlsym(lib, e.name); }\n',
        'auto f = dlsym(lib, "cuInit"); auto g = dlsym(lib, "cudaMemcpyToSymbol");\n',
    ],
)
def test_none_is_renamed_where_one_has_no_plain_counterpart(source: str) -> None:
    assert outcome(source) == (source, ["HIP138"])


def test_names_that_a_macro_makes_a_text_of_stay_with_them() -> None:
    source = (
        "#define LOAD(f) dlsym(lib, #f)\nvoid *a = LOAD(cudaFree), *b = LOAD(cudaFuncGetName);\nint c = cudaFree(0);\n"
    )
    output, found = outcome(source)
    assert output == source.replace("cudaFree(0)", "hipFree(0)")
    assert sorted(found) == ["HIP101", "HIP101", "HIP138"]


def test_libraries_are_told_apart() -> None:
    source = 'auto f = dlsym(lib, "cudaFree"); auto g = dlsym(nvml, "nvmlInit_v2");\n'
    output, found = outcome(source)
    assert output == hip(source)
    assert sorted(found) == ["HIP137", "HIP138"]


@pytest.mark.parametrize(
    "source",
    [
        'void g() { puts("cudaFree"); dlsym(lib, "mine"); }\n',
        'const char *names[] = {"cudaFree"};\nvoid g() { dlsym(lib, "mine"); }\n',
        '// dlsym(lib, "cudaFree")\nconst char *s = "dlsym(cudaFree)";\n',
        'auto f = dlsym(lib, "hipFree");\n',
    ],
)
def test_other_texts_stay(source: str) -> None:
    assert outcome(source) == (source, [])


@pytest.mark.parametrize(
    ("source", "renamed"),
    [
        ('auto f = dlsym(dlopen("libcudart.so.12", RTLD_NOW), "cudaFree");\n', {"libcudart.so.12": "libamdhip64.so"}),
        (
            'void *l = dlopen("libcuda.so.1", 1);\nif (!l) l = dlopen("libcuda.so", 1);\nauto f = dlsym(l, "cuInit");\n',
            {"libcuda.so.1": "libamdhip64.so", "libcuda.so": "libamdhip64.so"},
        ),
        (
            'const char *const names[] = {"libcudart.so", "libcudart.so.11.0"};\n'
            'void *open() { for (auto n : names) if (auto l = dlopen(n, 1)) return l; }\nauto f = dlsym(l, "cudaFree");\n',
            {"libcudart.so.11.0": "libamdhip64.so", "libcudart.so": "libamdhip64.so"},
        ),
        (
            "struct L { L(const char *name) : l(dlopen(name, 1)) {} void *l; };\n"
            'const char *name = "libcudart.so";\nauto f = dlsym(L(name).l, "cudaSetDevice");\n',
            {"libcudart.so": "libamdhip64.so"},
        ),
        (
            'void *load(const char *n) { return dlopen(n, 1); }\nauto f = dlsym(load("libnvrtc.so.12"), "nvrtcVersion");\n',
            {"libnvrtc.so.12": "libhiprtc.so", "nvrtcVersion": "hiprtcVersion"},
        ),
        (
            'auto f = dlsym(dlopen("libcublas.so.12", 1), "cublasSasum_v2");\n',
            {"libcublas.so.12": "libhipblas.so", "cublasSasum_v2": "hipblasSasum"},
        ),
    ],
)
def test_the_library_that_is_asked_follows(source: str, renamed: dict[str, str]) -> None:
    expected = hip(source)
    for cuda, new in renamed.items():
        expected = expected.replace(f'"{cuda}"', f'"{new}"')
    assert outcome(source) == (expected, [])


HEAD = 'void *l = dlopen("libcuda.so.1", 1);\nauto f = dlsym(l, "cuInit");\n'


@pytest.mark.parametrize(
    "other",
    [
        'void g() { l = dlopen("/usr/lib/x86_64-linux-gnu/libcuda.so", 1); }\n',
        'void g() { if (!l) { l = dlmopen(LM_ID_BASE, "/usr/lib/libcuda.so.1", 1); } }\n',
        'void g() { l = dlopen("libcuda" ".so", 1); }\n',
        'void g() { l = dlopen(getenv("DRIVER"), 1); }\n',
        'void g(bool b) { l = dlopen(b ? "libcuda.so" : "/lib/libcuda.so", 1); }\n',
        'void g(std::string folder) { std::string p = folder + "/libcuda.so"; l = dlopen(p.c_str(), 1); }\n',
        'void g() { const char *n = "libcuda.so"; n = "/lib/libcuda.so"; l = dlopen(n, 1); }\n',
        'void g() { char n[99] = {0}; snprintf(n, 99, "%s/libcuda.so", folder); l = dlopen(n, 1); }\n',
        'const char *const names[] = {"libcuda.so", "/lib/libcuda.so"};\nvoid g() { for (auto n : names) dlopen(n, 1); }\n',
        'void *open(const char *n) { return dlopen(n, 1); }\nvoid g() { open("/lib/libcuda.so"); }\n',
        "void *open(const char *n) { return dlopen(n, 1); }\n",
        '#define OPEN(n) dlopen(n, 1)\nvoid g() { l = OPEN("/lib/libcuda.so"); }\n',
        '#define PATH "/lib/libcuda.so"\nvoid g() { l = dlopen(PATH, 1); }\n',
        'void g() { l = dlopen("nvcuda.dll", 1); }\n',
    ],
)
def test_a_file_that_is_opened_and_stays_is_pointed_out(other: str) -> None:
    output, found = outcome(HEAD + other)
    assert output.startswith('void *l = dlopen("libamdhip64.so", 1);\nauto f = dlsym(l, "hipInit");\n')
    assert found == ["HIP137"]


@pytest.mark.parametrize(
    "other",
    [
        'void g() { m = dlopen("libm.so.6", 1); n = dlopen("/opt/libmine.so", 1); own = dlopen(NULL, 1); }\n',
        'void g(bool b) { const char *n = nullptr; n = b ? "libcuda.so" : (const char *)"libcuda.so.1"; l = dlopen(n, 1); }\n',
        'const char *names[] = {"libcuda.so", NULL};\nvoid g() { for (int i = 0; names[i]; i++) dlopen(names[i], 1); }\n',
        'void g() { std::string n("libcuda.so"); l = dlopen(n.c_str(), 1); }\n',
        'void *open(int how, const char *n) { return dlopen(n, how); }\nvoid g() { open(flags(), "libcuda.so"); }\n',
        'void g() { log("/lib/libcuda.so"); }\n',
    ],
)
def test_files_that_all_follow_need_no_word(other: str) -> None:
    output, found = outcome(HEAD + other)
    assert '"libcuda.so' not in output
    assert found == []


def test_a_file_that_no_call_opens_is_no_answer() -> None:
    source = 'const char *unused = "libcudart.so";\nauto f = dlsym(dlopen(path(), 1), "cudaFree");\n'
    assert outcome(source)[1] == ["HIP137"]


@pytest.mark.parametrize(
    ("source", "ids"),
    [
        ('void *l = dlopen("libcudart.so", 1);\n', []),
        ('void *l = dlopen("libcudart.so", 1); auto f = dlsym(l, "cudaFuncGetName");\n', ["HIP138"]),
        ('void *l = dlopen("libnvidia-ml.so.1", 1); auto f = dlsym(l, "mine");\n', []),
        ('puts("libcudart.so"); auto f = dlsym(l, "mine");\n', []),
        ('void *l = dlopen("libnvrtc.so", 1); auto f = dlsym(l, "mine");\n', []),
    ],
)
def test_other_libraries_stay(source: str, ids: list[str]) -> None:
    assert outcome(source) == (source, ids)


def test_what_a_macro_holds_stays() -> None:
    source = '#define LIB "libcudart.so"\nauto f = dlsym(dlopen(LIB, 1), "cudaFree");\n'
    assert outcome(source) == (hip(source), ["HIP137"])


def test_a_path_is_no_plain_name() -> None:
    source = 'auto f = dlsym(dlopen("/opt/x/libcudart.so", 1), "cudaFree");\n'
    assert outcome(source) == (hip(source), ["HIP137"])


@pytest.mark.parametrize("load", ["GET(n)", "NEED(n, 1)"])
def test_pointers_with_the_names_of_functions_that_a_macro_fills(load: str) -> None:
    """The pointers keep their names, so what is looked up for them does, too (NVIDIA's matrixMulDynlinkJIT)."""
    macros = "#define GET(n) n = (T *)dlsym(lib, #n);\n#define NEED(n, must) GET(n) if (must && !n) exit(1);\n"
    source = (
        f"T *cuParamSeti;\nT *cuInit;\n{macros}#define LOAD(n) {load}\nvoid g() {{ LOAD(cuInit) LOAD(cuParamSeti) }}\n"
    )
    assert outcome(source) == (source, ["HIP138"])
