"""Macros before functions, defined in whatever file, stand for specifiers: what follows is read as without them."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.frontend.lexer import Lexer
from hipify_py.frontend.parsed_source import replace_specifier_macros
from hipify_py.semantics.functions import functions_of
from tests.parsed import members_of, unit_of

_OPTIONS = Options(implicit_runtime=False, fixes=frozenset())
_HEAD = "constexpr unsigned kFull = 0xffffffffu;\n"
_CLASS = """template <bool P>
struct Ops {{
  int row;
  unsigned mask;
  {constructor}
      : row{{lane / 8}},
        mask{{kFull}} {{
    if constexpr (P) {{
      mask = __activemask();
    }}
  }}
  template <typename T>
  {function} {{
    if constexpr (P) {{
      return __shfl_sync(mask, value, 0, 8);
    }} else {{
      return value;
    }}
  }}
}};
"""
_PLAIN = {"constructor": "__device__ Ops(int lane)", "function": "__device__ T Sum(T value) const"}


def hip(source: str) -> str:
    return translate(_HEAD + source, path="a.cu", options=_OPTIONS).output.decode()


def masked(source: str) -> str:
    data = f"\n{source}\n".encode()
    lexer = Lexer(frozenset())
    result = replace_specifier_macros(lexer.scan(data), data)
    assert len(result) == len(data)
    return result.decode()[1:-1]


@pytest.mark.parametrize(
    "heads",
    [
        {"constructor": "DEV_INLINE Ops(int lane)"},
        {"constructor": "DEV_INLINE explicit Ops(int lane)"},
        {"constructor": "explicit DEV_INLINE Ops(int lane)"},
        {"function": "DEV_INLINE T Sum(T value) const"},
        {"function": "[[nodiscard]] DEV_INLINE T const& Sum(T value) const"},
        {"function": "DEV_INLINE MY_EXPORT std::uint8_t Sum(T value) const"},
        {"function": "static\n  DEV_INLINE\n  lib::array<T, 2>& Sum(T value)"},
        {"constructor": "DEV_INLINE Ops(int lane)", "function": "MY_DEVICE unsigned long Sum(T value) const"},
    ],
)
def test_a_class_is_read_as_with_the_specifiers_themselves(heads: dict[str, str]) -> None:
    heads = _PLAIN | heads
    plain, source = _CLASS.format(**_PLAIN), _CLASS.format(**heads)
    assert members_of(source, "Ops") == members_of(plain, "Ops") == ["row", "mask"]
    assert len(functions(source)) == len(functions(plain)) == 2


def functions(source: str) -> list[tuple[bytes, bool]]:
    """The names of the functions that have bodies in the tree, and whether they are known as the device's."""
    unit = unit_of(source)
    return [(function.name, function.body is not None) for function in functions_of(unit)]


@pytest.mark.parametrize("macro", ["DEV_INLINE ", "MY_API DEV_INLINE ", ""])
def test_a_function_that_a_macro_makes_the_devices_is_no_host_code(macro: str) -> None:
    """The copy has a specifier where the macro stands, so that the function still begins there."""
    source = f"\n{macro}float f(float x) {{ return __expf(x) + atomicAdd(&total, 1); }}\n"
    assert hip(source).endswith(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("MY_DEVICE float f(int a) {", "inline    float f(int a) {"),
        (
            "template <class T>\nMY_DEVICE std::vector<T> f(T a);",
            "template <class T>\ninline    std::vector<T> f(T a);",
        ),
        ("MY_DEVICE A::A(int a) : b{a} {}", "inline    A::A(int a) : b{a} {}"),
        ("MY_DEVICE A<T>::~A() {", "inline    A<T>::~A() {"),
        ("MY_DEVICE operator bool() const {", "inline    operator bool() const {"),
        ("MY_DEVICE bool operator==(A a) const;", "inline    bool operator==(A a) const;"),
    ],
)
def test_what_stands_before_a_function_is_a_specifier(source: str, expected: str) -> None:
    assert masked(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "HRESULT f(int a) {",
        "HRESULT_T const& f(int a) {",
        "SIZE_TYPE WINAPI f(int a) {",
        "MY_DEVICE LONG_TYPE f(int a) {",
        "CHECK_LAST\n  float x(3);",
        "CHECK_LAST\n  else if (a) {",
        "CHECK_LAST return f(3);",
        "CHECK_LAST(a) int f(int b) {",
        "#define BOTH \\\nMY_DEVICE int f(int a) {",
        "/*\nMY_DEVICE int f(int a) {\n*/",
        "MY_TYPE a = f(3);",
    ],
)
def test_what_may_be_a_type_or_a_statement_stays(source: str) -> None:
    assert masked(source) == source


def test_macros_that_begin_with_underscores() -> None:
    assert (
        masked("  _LIB_DEVICE __LIB_INLINE unsigned int f() const {")
        == "  inline      inline       unsigned int f() const {"
    )
