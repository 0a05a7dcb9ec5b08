"""What a source uses of CUDA Fortran: what is defined, launched, called and declared, and nothing else."""

from __future__ import annotations

import pytest

from hipify_py.fortran.cuda_fortran import CudaFortran, cuda_fortran_in
from tests.growth import assert_linear

FREE = """\
module vectors
  use cudafor
  use, intrinsic :: iso_c_binding
  use cublas, only: cublasDaxpy   ! calls nothing: cudaMalloc(a)
  implicit none
  real(8), device, allocatable :: x_d(:), y_d(:, :), z_d
  real, managed :: m(10)
  integer, parameter :: n = 100
  real, dimension(n), pinned, allocatable :: staging
  real, constant :: factor(3) = (/ 1., 2., 3. /)
  attributes(device) :: later, &
                        latest
  type holder
    real(8), allocatable, device :: inside(:)
  end type
  interface
    attributes(global) subroutine elsewhere(a) bind(c, name="elsewhere")
      real :: a(*)
    end subroutine
    integer function own_malloc(p, n) bind(c, name='cudaMalloc')
    end function
  end interface
contains
  attributes(global) subroutine Scale(a, s)
    real(8) :: a(:)
    real(8), value :: s
    real(8), shared :: tile(32, 32), edge(32)
    a(threadIdx%x) = square(s)
    call syncthreads()
  end subroutine Scale

  attributes(host, device) real(8) function square(v)
    real(8), value :: v
    square = v * v
  end function

  pure attributes(device) integer function index_of(i) result(r)
  end function

  attributes(grid_global) &
    subroutine together(a)
  end subroutine

  subroutine host(stream)
    integer(kind=cuda_stream_kind) :: stream
    istat = cudaMalloc(p, 8_8) ; if (istat /= cudaSuccess) print *, 'call k<<<1,1>>>() !$cuf kernel do'
    if (cond) call Scale<<<dim3(1, 1, 1), 32, 0, stream>>>(x_d, 2.d0)
    call obj%methods%run<<<grid, &
      block>>>(y_d)
    call CUDAMEMCPY(a, b, n)
    call cublas_dgemm('N', 'N', n, n, n, 1.d0, a, n, b, n, 0.d0, c, n)
    istat = cublasDgemm_v2(h, CUBLAS_OP_N, cudaMalloc)
    call wrapper%cudaMalloc(1)
    !$cuf kernel do(2) <<<*, *, stream=stream>>>
    do j = 1, n
    end do
    !$cuf kernel do <<<*, &
    !$cuf& *>>>
    do j = 1, n
    end do
    !@cuf istat = cudaDeviceSynchronize()
    x = a < b .and. c > d
  end subroutine
end module
"""

FIXED = """\
      module vectors
      use cudafor
      real, device, allocatable :: x(:),
     &                             y(:)
c     attributes(global) subroutine no(a)
      contains
      attributes(global) subroutine scale(a)
      end subroutine
      attributes(device)
     1  real function f(x)
      end function
      subroutine host
      call scale<<<grid,
     &           block>>>(x)
c$cuf kernel do(1) <<<*,*>>>
      do i = 1, n
      end do
*$cuf kernel do <<<*,*>>>
      do 10 i = 1, n
   10 continue
!@cuf istat = cudaGetLastError()
      istat = cuda
     &Free(x)
      end
      end
"""


def test_free_form() -> None:
    found = cuda_fortran_in("a.cuf", FREE)
    assert found._replace(first=0, first_name="") == CudaFortran(
        kernels=("Scale", "together"),
        device_subprograms=("square", "index_of"),
        loops=2,
        launches=2,
        calls={"cudaMalloc": 1, "cudaMemcpy": 1, "cublasDgemm": 1, "cublasDgemm_v2": 1, "cudaDeviceSynchronize": 1},
        interfaces=("cudaMalloc",),
        variables={"device": 6, "managed": 1, "pinned": 1, "constant": 1, "shared": 2},
        modules=("cudafor", "cublas"),
        conditional=1,
        first=0,
    )
    assert (FREE[found.first :].startswith("cudafor"), found.first_name) == (True, "cudafor")


def test_fixed_form() -> None:
    found = cuda_fortran_in("a.f", FIXED)
    assert (found.kernels, found.device_subprograms) == (("scale",), ("f",))
    assert (found.loops, found.launches, found.conditional) == (2, 1, 1)
    assert found.variables == {"device": 2}
    assert found.calls["cudaGetLastError"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "! attributes(global) subroutine k()\n",
        "print *, 'attributes(global) subroutine k()'\n",
        "character(len=20) :: s = 'use cudafor'\n",
        "integer :: device, shared\n",
        "device = 1\n",
        "attributes = attributes + 1\n",
        "x = attributes(device)\n",
        "call attributes(global)\n",
        "real :: cuda_time\n",
        "call cuda_malloc(a)\n",
        "call my%cudaMalloc(a)\n",
        "use cuda_helpers\n",
        "use = 1\n",
        "!$omp target\n",
        "!dir$ attributes offload:mic :: a\n",
        "interface = 3\nsubroutine s\nend\n",
        "function subroutine_of(x)\nend\n",
        "if (a <b) call c\n",
        "end subroutine\n",
        "real, dimension(device) :: a\n",
        "type(device) :: d\n",
        "class(shared), pointer :: p\n",
        "integer, parameter :: n = merge(1, 2, a == device)\n",
    ],
)
def test_fortran_without_cuda_has_nothing(text: str) -> None:
    assert cuda_fortran_in("a.f90", text) == CudaFortran()


@pytest.mark.parametrize(
    ("text", "kernels", "device"),
    [
        ("attributes(global) subroutine k(a)\n", 1, 0),
        ("ATTRIBUTES ( GLOBAL ) SUBROUTINE K ( A )\n", 1, 0),
        ("attributes(global) launch_bounds(128, 2) subroutine k(a)\n", 1, 0),
        ("recursive attributes(device) subroutine k(a)\n", 0, 1),
        ("attributes(device) elemental real(kind=8) function k(a)\n", 0, 1),
        ("real(8) attributes(device) function k(a)\n", 0, 1),
        ("attributes(device, host) function k(a)\n", 0, 1),
        ("attributes(host) subroutine k(a)\n", 0, 0),
        ("attributes(global) subroutine k\n", 1, 0),
        ("attributes(device) :: subroutine\n", 0, 0),
        ("abstract interface\nattributes(global) subroutine k(a)\nend subroutine\nend interface\n", 0, 0),
        ("interface run\nmodule procedure k\nend interface run\nattributes(global) subroutine k(a)\n", 1, 0),
        ("endinterface\nattributes(global) subroutine k(a)\n", 1, 0),
    ],
)
def test_subprograms(text: str, kernels: int, device: int) -> None:
    found = cuda_fortran_in("a.cuf", text)
    assert (len(found.kernels), len(found.device_subprograms)) == (kernels, device)


@pytest.mark.parametrize("name", ["a.cuf", "a.f"])
def test_any_bytes_can_be_read(name: str) -> None:
    text = bytes(range(256)).decode("latin-1") * 50
    assert cuda_fortran_in(name, text).kernels == ()
    assert cuda_fortran_in(name, "'" * 10_000 + "(" * 10_000 + "<<<" * 1_000 + "&\n" * 1_000).launches == 0


@pytest.mark.parametrize(
    "part",
    [
        FREE,
        "call k<<<1, 1>>>(a)\n",
        "attributes(device) ",
        "attributes (",
        "a <<< ",
        "'",
        "&\n",
        "real, device :: a(",
        ";",
    ],
)
def test_time_grows_linearly(part: str) -> None:
    assert_linear(
        lambda text: cuda_fortran_in("a.cuf", text), lambda count: part * count, 60 if part is FREE else 3_000
    )
