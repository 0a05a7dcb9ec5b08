"""Lines make statements, in free and in fixed form."""

from __future__ import annotations

import textwrap

import pytest

from hipify_py.core.source import is_fortran
from hipify_py.fortran.source_form import is_fixed_form
from hipify_py.fortran.statements import statements_of


def statements(text: str, path: str = "a.f90") -> list[str]:
    """The statements of a text; a directive has `$` before it, a conditional one `@`."""
    return [
        ("$ " * each.is_directive + "@ " * each.is_conditional + " ".join(each.words))
        for each in statements_of(path, textwrap.dedent(text) if path.endswith("90") else text)
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.cuf", True),
        ("A.CUF", True),
        ("a.F90", True),
        ("a.f", True),
        ("b.FOR", True),
        ("a.cu", False),
        ("f90", False),
    ],
)
def test_names_of_fortran(path: str, expected: bool) -> None:
    assert is_fortran(path) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("call A(b) ! call c(d)\n", ["call a ( b )"]),
        ("s = 'it''s ! no' ; call b()\n", ["s = 'it''s ! no'", "call b ( )"]),
        ("s = \"a ; b\" // '!'\n", ["s = \"a ; b\" // '!'"]),
        ("call a( &\n   ! a comment\n\n   & b, &\n   c)\n", ["call a ( b , c )"]),
        ("call lo&\n     &ng(b)\n", ["call long ( b )"]),
        ("s = 'one &\n   &two'; call b\n", ["s = 'one two'", "call b"]),
        ("s = 'one &\n   ! a comment\n   &two'\n", ["s = 'one two'"]),
        ("#ifdef CUDA\ncall a\n#else\ncall b\n#endif\n", ["call a", "call b"]),
        ("10 continue\n20 call a\n", ["continue", "call a"]),
        ("!$cuf kernel do(2) <<<*,*>>>\ndo i = 1, n\n", ["$ kernel do ( 2 ) <<< * , * >>>", "do i = 1 , n"]),
        ("  !$CUF kernel do &\n  !$cuf& <<<*, *>>>\n", ["$ kernel do <<< * , * >>>"]),
        ("!@cuf use cudafor\n", ["@ use cudafor"]),
        ("!$omp parallel do\n!$acc kernels\n!$cufx\n! $cuf kernel do\n", []),
        ("call a\r\ncall b\r\n", ["call a", "call b"]),
        ("call a", ["call a"]),
        ("", []),
        ("&\n", []),
    ],
)
def test_free_form(text: str, expected: list[str]) -> None:
    assert statements(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("      CALL A(B)\n", ["call a ( b )"]),
        ("c     call a\nC     call b\n*     call c\n!     call d\n", []),
        ("      call a(b,\n     &       c)\n", ["call a ( b , c )"]),
        ("      call a\n     1  (b)\n     +  \n", ["call a ( b )"]),
        ("   10 call a\n", ["call a"]),
        ("      integer function\n     $f(x)\n", ["integer function f ( x )"]),
        ("c$cuf kernel do(1) <<<*,*>>>\n      do i=1,n\n", ["$ kernel do ( 1 ) <<< * , * >>>", "do i = 1 , n"]),
        ("*$cuf kernel do\n!$CUF kernel do\nC$CUF kernel do\n", ["$ kernel do"] * 3),
        ("c$cuf kernel do\nc$cuf&<<<*,*>>>\n", ["$ kernel do <<< * , * >>>"]),
        ("!@cuf integer istat\n      call a\n", ["@ integer istat", "call a"]),
        ("\tcall a\n\t1(b)\n", ["call a ( b )"]),
        ("      s = 'c ! d'  ! e\n", ["s = 'c ! d'"]),
        ('#include "x.h"\n      call a\n', ["call a"]),
    ],
)
def test_fixed_form(text: str, expected: list[str]) -> None:
    assert statements(text, "a.f") == expected


def test_a_name_of_fixed_form_with_a_text_of_free_form() -> None:
    assert not is_fixed_form("a.f", "subroutine a\nend subroutine\n")
    assert is_fixed_form("a.f", "      subroutine a\n      end\nc comment\n   10 continue\n")
    assert not is_fixed_form("a.f90", "      call a\n")
    assert statements("call a( & ! here\n  b)\nprogram p\n", "a.f") == ["call a ( b )", "program p"]


def test_offsets_are_those_of_the_file() -> None:
    text = "! comment\ncall a( &\n   b)\n"
    (statement,) = statements_of("a.f90", text)
    assert [text[token.offset : token.offset + len(token.text)] for token in statement.tokens] == statement.words


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
def test_only_a_newline_ends_a_line(separator: str) -> None:
    assert statements(f"! a comment {separator} call a\ncall b\n") == ["call b"]
