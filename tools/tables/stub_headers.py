"""The little of the C and C++ standard library, and of graphics headers, that reading API headers takes.

libclang from PyPI brings no headers, and a maintainer's machine need not have a compiler: what the readers are
after are declarations, for which these few types are enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_STDDEF = """
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#define NULL __null
#define offsetof(type, member) __builtin_offsetof(type, member)
namespace std { using ::size_t; using ::ptrdiff_t; typedef decltype(nullptr) nullptr_t; }
"""
_STDINT = """
#include <stddef.h>
typedef signed char int8_t; typedef unsigned char uint8_t;
typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned int uint32_t;
typedef __INT64_TYPE__ int64_t; typedef __UINT64_TYPE__ uint64_t;
typedef __INTPTR_TYPE__ intptr_t; typedef __UINTPTR_TYPE__ uintptr_t;
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::intptr_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::uintptr_t;
}
"""
_LIMITS = """
#define CHAR_BIT 8
#define SHRT_MAX __SHRT_MAX__
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-__LONG_MAX__ - 1L)
#define LLONG_MAX __LONG_LONG_MAX__
#define ULLONG_MAX (__LONG_LONG_MAX__ * 2ULL + 1ULL)
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615UL
#define INT32_MAX 2147483647
#define SIZE_MAX UINT64_MAX
"""
_TYPE_TRAITS = """
#include <stddef.h>
namespace std {
template <class T, T v> struct integral_constant { static constexpr T value = v; typedef T type; };
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <bool, class T = void> struct enable_if { typedef T type; };
template <bool b, class T = void> using enable_if_t = typename enable_if<b, T>::type;
template <class, class> struct is_same : false_type {};
template <class, class> inline constexpr bool is_same_v = false;
template <class T> struct remove_cv { typedef T type; };
template <class T> struct remove_reference { typedef T type; };
template <class T> struct decay { typedef T type; };
template <class T> using decay_t = T;
template <class T> struct is_integral : true_type {};
template <class T> struct is_floating_point : false_type {};
template <class T> struct is_trivially_copyable : true_type {};
template <bool, class A, class> struct conditional { typedef A type; };
}
"""
_STDIO = """
#include <stddef.h>
typedef struct _IO_FILE FILE;
"""
_SOCKET = """
#include <sys/types.h>
typedef struct sockaddr { char data[16]; } sockaddr_t;
"""
_TYPES = """
#include <stdint.h>
typedef long ssize_t; typedef long off_t; typedef long long loff_t; typedef int pid_t; typedef long time_t;
"""
_FEATURES = """
#define __THROW
#define __GLIBC__ 2
#define __GLIBC_PREREQ(major, minor) 1
"""
_TIME = """
#include <stddef.h>
typedef long clock_t;
"""
_EGL = "typedef void *EGLImageKHR, *EGLStreamKHR, *EGLSyncKHR; typedef int EGLint; typedef unsigned EGLBoolean;"
_GL = "typedef unsigned int GLuint, GLenum; typedef int GLint; typedef int GLsizei;"
_VDPAU = (
    "typedef unsigned int VdpDevice, VdpVideoSurface, VdpOutputSurface, VdpFuncId, VdpStatus; "
    "typedef VdpStatus VdpGetProcAddress(VdpDevice, VdpFuncId, void **);"
)

_STUBS = {
    "stddef.h": _STDDEF,
    "stdint.h": _STDINT,
    "limits.h": _LIMITS,
    "stdio.h": _STDIO,
    "sys/types.h": _TYPES,
    "sys/socket.h": _SOCKET,
    "arpa/inet.h": _SOCKET,
    "features.h": _FEATURES,
    "time.h": _TIME,
    "ctime": _TIME,
    "type_traits": _TYPE_TRAITS,
    "EGL/egl.h": _EGL,
    "EGL/eglext.h": _EGL,
    "GL/gl.h": _GL,
    "vdpau/vdpau.h": _VDPAU,
    **dict.fromkeys(("cstddef", "stdlib.h", "string.h", "memory.h", "math.h"), "#include <stddef.h>"),
    **dict.fromkeys(("cstdint", "inttypes.h"), "#include <stdint.h>"),
    **dict.fromkeys(("climits", "float.h", "cfloat"), "#include <limits.h>"),
    **dict.fromkeys(("cstdlib", "cstring", "cmath", "new", "utility"), "#include <stddef.h>"),
    **dict.fromkeys(("cstdio",), "#include <stdio.h>"),
    **dict.fromkeys(("algorithm", "array", "functional", "memory", "tuple", "vector"), "#include <type_traits>"),
    **dict.fromkeys(("assert.h", "cassert", "errno.h", "stdbool.h", "complex.h", "unistd.h", "ctype.h"), ""),
    **dict.fromkeys(("string", "iostream", "ostream", "sstream", "stdexcept", "exception", "limits"), ""),
}

_GRAPHICS = ("EGL/", "GL/", "vdpau/")


def write_stubs(folder: Path) -> None:
    """Write the stubs into a folder that is then searched for system headers."""
    _write(folder, _STUBS)


def write_graphics_stubs(folder: Path) -> None:
    """Those of graphics libraries alone, for a compiler that has the standard library."""
    _write(folder, {name: text for name, text in _STUBS.items() if name.startswith(_GRAPHICS)})


def _write(folder: Path, stubs: Mapping[str, str]) -> None:
    for name, text in stubs.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#pragma once\n{text}\n", encoding="utf-8")
