"""What builds say, read line by line."""

from __future__ import annotations

import pytest

from hipify_py.compile.builds.build_message import BuildMessage
from hipify_py.compile.builds.output import Listener


def heard(text: str) -> list[BuildMessage]:
    found: list[BuildMessage] = []
    listener = Listener(found.append)
    for line in text.splitlines():
        listener.hear(line)
    listener.end()
    return found


def test_compilers_say_the_place_themselves() -> None:
    text = """\
clang++ -c /t/a.cu
In file included from /t/a.cu:1:
/t/k.cuh:3:63: error: cannot initialize a variable
  hipError_t e = 3.5f;
/t/a.cu:9:1: note: in instantiation of function template
b.c:4:7: fatal error: x.h: No such file or directory
c.s:12: Error: no such instruction: `foo'
sub/meson.build:3:0: ERROR: Unknown function "f".
"""
    assert [(said.severity, said.path, said.line, said.column) for said in heard(text)] == [
        ("error", "/t/k.cuh", 3, 63),
        ("note", "/t/a.cu", 9, 1),
        ("error", "b.c", 4, 7),
        ("error", "c.s", 12, 0),
        ("error", "sub/meson.build", 3, 0),
    ]


def test_who_includes_a_file_is_told_with_its_errors() -> None:
    clang = """\
In file included from /t/a.cu:1:
In file included from /t/b.h:2:
/opt/rocm/include/x.h:3:1: error: one
/opt/rocm/include/x.h:4:1: error: two
/t/a.cu:9:1: error: three
"""
    gcc = """\
In file included from /t/b.h:2,
                 from /t/a.cu:1:
/opt/rocm/include/x.h:3:1: error: one
"""
    gcc_again = """\
In file included from /t/a.cu:1:
/t/b.h:1:1: error: zero
In file included from /t/b.h:2:
/opt/rocm/include/x.h:3:1: error: one
"""
    chain = (("/t/b.h", 2), ("/t/a.cu", 1))
    assert [said.others for said in heard(gcc_again)] == [chain[1:], chain]
    assert [said.others for said in heard(clang)] == [chain, chain, ()]
    assert [said.others for said in heard(gcc)] == [chain]


def test_what_names_no_place_gets_that_of_the_rule_that_failed() -> None:
    text = """\
hipcc -c --nonsense a.cu
clang++: error: unknown argument: '--nonsense'
make: *** [Makefile:12: a.o] Error 1
hipcc b.o -o b -lfoo
ld.lld: error: unable to find library -lfoo
clang++: error: linker command failed with exit code 1 (use -v to see invocation)
gmake[2]: *** [CMakeFiles/b.dir/build.make:97: b] Error 1
gmake[1]: *** [CMakeFiles/Makefile2:141: CMakeFiles/b.dir/all] Error 2
gmake: *** [Makefile:91: all] Error 2
"""
    argument, library = heard(text)
    assert (argument.text, argument.words[0]) == ("unknown argument: '--nonsense'", "--nonsense")
    assert (argument.target, argument.rule) == ("a.o", ("Makefile", 12))
    assert (library.text, library.words[:2]) == ("unable to find library -lfoo", ("-lfoo", "foo"))
    assert (library.target, library.rule) == ("b", ("CMakeFiles/b.dir/build.make", 97))


def test_ninja_says_before_which_command_failed() -> None:
    text = """\
[1/2] Building
FAILED: CMakeFiles/a.dir/a.cu.o\x20
/opt/rocm/llvm/bin/clang++ -c a.cu
clang++: error: unsupported option '-rdc=true'
FAILED: [code=1] app\x20
: && clang++ main.o -o app
/usr/bin/ld: cannot find -lcudart: No such file or directory
collect2: error: ld returned 1 exit status
ninja: error: cannot make progress due to previous errors.
"""
    option, library = heard(text)
    assert (option.target, option.words) == ("CMakeFiles/a.dir/a.cu.o", ("-rdc=true",))
    assert (library.text, library.target, library.words[1]) == ("cannot find -lcudart", "app", "cudart")


def test_symbols_that_linkers_miss() -> None:
    lld = """\
ld.lld: error: undefined symbol: missing(float*)
>>> referenced by main.cu
>>>               /tmp/main-1a2b3c.o:(main)
ld.lld: error: undefined symbol: other
>>> referenced by k.cu:17 (/t/src/k.cu:17)
>>>               k.o:(f(int))
ld.lld: error: duplicate symbol: twice()
>>> defined at a.cu
>>>            a.o:(twice())
>>> defined at b.cu
"""
    missing, other, twice = heard(lld)
    assert (missing.symbol, missing.objects, missing.within) == (
        "missing(float*)",
        ("main.cu", "/tmp/main-1a2b3c.o"),
        "main",
    )
    assert (other.path, other.line) == ("/t/src/k.cu", 17)
    assert (twice.symbol, twice.objects) == ("twice()", ("a.cu", "a.o", "b.cu"))
    gnu = """\
/usr/bin/ld: obj/main.o: in function `main':
main.cu:(.text+0xa): undefined reference to `missing(float*)'
/usr/bin/ld: k.o: in function `f(int)':
/t/src/k.cu:17: undefined reference to `other'
"""
    other, missing = heard(gnu)
    assert (missing.text, missing.objects, missing.within) == (
        "undefined symbol: missing(float*)",
        ("main.cu", "obj/main.o"),
        "main",
    )
    assert (other.path, other.line, other.within) == ("/t/src/k.cu", 17, "f(int)")


def test_messages_of_cmake_are_read_to_their_end() -> None:
    text = """\
-- The CXX compiler identification is GNU
CMake Error at /usr/share/cmake/Modules/Find.cmake:230 (message):
  Could NOT find Foo (missing: FOO)

  Set Foo_DIR.
Call Stack (most recent call first):
  cmake/FindBar.cmake:12 (find_package_handle)
  CMakeLists.txt:7 (find_package)


CMake Warning (dev) at CMakeLists.txt:9 (project):
  Policy.
This warning is for project developers.

CMake Error: CMAKE_HIP_COMPILER not set, after EnableLanguage
CMake Error at sub/CMakeLists.txt:3:
  Parse error.  Expected "(", got newline with text "
-- Configuring incomplete, errors occurred!
"""
    foo, policy, language, parse = heard(text)
    assert foo.text == "Could NOT find Foo (missing: FOO) Set Foo_DIR."
    assert foo.others == (("cmake/FindBar.cmake", 12), ("CMakeLists.txt", 7))
    assert (policy.severity, policy.path, policy.line, policy.text) == ("warning", "CMakeLists.txt", 9, "Policy.")
    assert (language.path, language.text) == ("", "CMAKE_HIP_COMPILER not set, after EnableLanguage")
    assert (parse.path, parse.line) == ("sub/CMakeLists.txt", 3)


def test_messages_of_cmake_that_name_their_subject_on_a_line_of_its_own() -> None:
    text = """\
CMake Error: The following variables are used in this project, but they are set to NOTFOUND.
Please set them or make sure they are set and tested correctly in the CMake files:
FOO_LIBRARY
    linked by target "app" in directory /t

CMake Error: Error in cmake code at
/t/sub/CMakeLists.txt:5:
Parse error.  Function missing ending ")".
-- Configuring incomplete, errors occurred!
"""
    variable, parse = heard(text)
    assert variable.words == ("FOO_LIBRARY",)
    assert variable.text.endswith('FOO_LIBRARY linked by target "app" in directory /t')
    assert (parse.path, parse.line) == ("/t/sub/CMakeLists.txt", 5)


def test_colours_are_passed_over() -> None:
    (said,) = heard("\x1b[1m/t/a.cu:3:5: \x1b[0m\x1b[0;1;31merror: \x1b[0m\x1b[1mwrong\x1b[0m\n")
    assert (said.path, said.line, said.text) == ("/t/a.cu", 3, "wrong")


def test_make_itself() -> None:
    text = """\
make: *** No rule to make target 'k.cu', needed by 'k.o'.  Stop.
make[1]: Entering directory '/t/lib'
Makefile:3: *** missing separator.  Stop.
make[1]: Leaving directory '/t/lib'
make: nvcc: No such file or directory
make: *** [Makefile:8: a.o] Error 127
/bin/sh: 1: ptxas: not found
make: *** [<builtin>: b.o] Error 127
./check
3 of 5 are wrong
make: *** [Makefile:20: test] Error 1
"""
    rule, separator, nvcc, ptxas, test = heard(text)
    assert rule.text == "no rule to make 'k.cu', needed by 'k.o'"
    assert rule.words == ("k.cu", "k.o")
    assert (separator.path, separator.line, separator.folder) == ("Makefile", 3, "/t/lib")
    assert (nvcc.text, nvcc.rule, nvcc.folder) == ("nvcc: not found", ("Makefile", 8), "")
    assert (ptxas.text, ptxas.rule) == ("ptxas: not found", ("", 0))
    assert (test.text, test.rule) == ("3 of 5 are wrong (Error 1)", ("Makefile", 20))


def test_a_rule_that_failed_below_is_not_told_again_above() -> None:
    text = """\
false
make[1]: *** [Makefile:2: x.o] Error 1
make: *** [Makefile:11: sub] Error 2
"""
    (only,) = heard(text)
    assert only.target == "x.o"


def test_python_raises_at_the_last_line_of_its_own() -> None:
    text = """\
running build
Traceback (most recent call last):
  File "/t/setup.py", line 12, in <module>
    setup(ext_modules=[f()])
  File "/usr/lib/python3/dist-packages/setuptools/__init__.py", line 107, in setup
    raise OSError("CUDA_HOME is not set")
OSError: CUDA_HOME is not set
error: command '/usr/bin/hipcc' failed with exit code 1
"""
    (raised,) = heard(text)
    assert (raised.text, raised.others) == ("OSError: CUDA_HOME is not set", (("/t/setup.py", 12),))


def test_scons() -> None:
    text = """\
g++ -o app main.o -lnosuch
/usr/bin/ld: cannot find -lnosuch: No such file or directory
collect2: error: ld returned 1 exit status
scons: *** [app] Error 1
scons: *** [check] Error 2
scons: *** Do not know how to make File target `other'.  Stop.
"""
    library, check, other = heard(text)
    assert (library.text, library.target) == ("cannot find -lnosuch", "app")
    assert (check.text, check.target) == ("check: Error 2", "check")
    assert (other.text, other.words) == ("Do not know how to make File target `other'.  Stop.", ("other",))


def test_what_is_no_error_is_none() -> None:
    text = """\
gcc -DERROR=1 -c error.c
-- Looking for error.h - found
time: 12:30:05 done
0 errors: all is well
configure: creating ./config.status
make: Nothing to be done for 'all'.
make[1]: Leaving directory '/t'
"""
    assert heard(text) == []


@pytest.mark.parametrize("before", ["", "checking for a GPU compiler... ", "checking whether a... b works..."])
def test_errors_of_configure_may_follow_what_it_checks(before: str) -> None:
    (message,) = heard(f"{before}configure: error: no compiler of 'hipcc' works\n")
    assert (message.text, message.words) == ("no compiler of 'hipcc' works", ("hipcc",))
