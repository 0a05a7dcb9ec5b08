"""`hipify-py build`, with a ROCm whose compiler says what the sources ask it to say; and with a real one."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run

needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
needs_cmake = pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no cmake")
SDK = os.environ.get("HIPIFY_PY_ROCM_SDK", "")

HIPCC = """\
#!/bin/sh
# Says for each line with `SAY text` in a source `place: text`, and fails then.
status=0
for source in "$@"; do
    case $source in
        *.cu) case $source in /*) place=$source ;; *) place=$PWD/$source ;; esac
              grep -n 'SAY' "$source" | sed "s|^\\([0-9]*\\):.*SAY \\(.*\\)|$place:\\1:5: \\2|" >&2
              grep -q 'SAY error' "$source" && status=1 ;;
        -lnosuch) echo "ld.lld: error: unable to find library -lnosuch" >&2; status=1 ;;
        -o) named=1 ;;
    esac
done
[ $status = 0 ] && for last in "$@"; do :; done && echo made > "$last"
exit $status
"""

MAKEFILE = """\
all: main.o app
main.o: main.cu
\thipcc -c main.cu -o main.o
app: k.cu
\thipcc k.cu $(LIBS) -o app
clean: ; rm -f app
"""

MAIN = """\
#include <cuda_runtime.h>
int main() {
    float *p; cudaMalloc(&p, 4);
    cudaFree(p);
}
"""


@pytest.fixture
def rocm(tmp_path: Path) -> Path:
    place = tmp_path / "rocm"
    (place / "bin").mkdir(parents=True)
    (place / "bin/hipcc").write_text(HIPCC)
    (place / "bin/hipcc").chmod(0o755)
    (place / ".info").mkdir()
    (place / ".info/version").write_text("6.4.1\n")
    return place


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A project with a Makefile."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "Makefile").write_text(MAKEFILE)
    (root / "main.cu").write_text(MAIN)
    (root / "k.cu").write_text(MAIN)
    return root


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@needs_make
def test_a_project_is_built_and_nothing_is_kept(quickly: Run, rocm: Path, made: Path) -> None:
    before = files_of(made.parent)
    run = quickly("build", "project", "--rocm-path", str(rocm), "--arch", "gfx90a")
    assert (run.returncode, run.stdout) == (0, b"")
    said = run.stderr.decode()
    assert "building with Make\n" in said
    assert f"using the ROCm in {rocm} for gfx90a\n" in said
    assert "built; the result was not kept" in said
    assert files_of(made.parent) == before


@needs_make
def test_makefiles_get_the_gpus_as_they_are_converted(quickly: Run, rocm: Path, made: Path) -> None:
    (made / "Makefile").write_text("all: main.cu\n\tnvcc -gencode arch=compute_80,code=sm_80 main.cu -o main\n")
    run = quickly("build", "project", "--rocm-path", str(rocm), "-v", "--arch", "gfx90a", "--arch", "gfx1100")
    assert run.returncode == 0, run.stdout
    assert b"\nhipcc --offload-arch=gfx90a --offload-arch=gfx1100 main.cu -o main\n" in run.stderr


@needs_make
def test_a_folder_for_it_keeps_what_is_built(quickly: Run, rocm: Path, made: Path, tmp_path: Path) -> None:
    for _ in range(2):
        run = quickly("build", "project", "--rocm-path", str(rocm), "--build-dir", "b")
        assert run.returncode == 0, run.stderr
        assert f"built: {tmp_path}/b/source\n".encode() in run.stderr
    assert (tmp_path / "b/source/app").read_text() == "made\n"
    assert b"hipMalloc" in (tmp_path / "b/source/main.cu").read_bytes()
    assert not (made / "app").exists()


@needs_make
def test_a_folder_within_the_project_is_no_part_of_it(quickly: Run, rocm: Path, made: Path, tmp_path: Path) -> None:
    said = []
    for _ in range(2):
        run = quickly("build", ".", "--rocm-path", str(rocm), "--build-dir", "b", cwd=made)
        assert run.returncode == 0, run.stderr
        said.append(run.stderr.splitlines()[0])
    assert said[0] == said[1]
    assert said[0].startswith(b"3 files: 2 converted, ")
    assert not (made / "b/source/b").exists()
    assert quickly("convert", ".", "-o", str(tmp_path / "out"), cwd=made).returncode == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["Makefile", "k.cu", "main.cu"]
    run = quickly("build", ".", "--rocm-path", str(rocm), "--build-dir", ".", cwd=made)
    assert (run.returncode, b"this is the project folder itself" in run.stderr) == (2, True)


@needs_make
def test_errors_are_shown_at_the_cuda_lines(quickly: Run, rocm: Path, made: Path) -> None:
    (made / "main.cu").write_text(MAIN.replace("cudaFree(p);", "cudaFree(p); // SAY error: no such thing"))
    (made / "k.cu").write_text(MAIN.replace("cudaFree(p);", "cudaFree(p); // SAY warning: dubious"))
    run = quickly("build", "project", "--rocm-path", str(rocm), "-q")
    assert (run.returncode, run.stderr) == (1, b"")
    assert run.stdout.decode() == (
        "project/main.cu:4:5: error: no such thing\n        cudaFree(p); // SAY error: no such thing\n        ^\n"
        "    in HIP: hipFree(p); // SAY error: no such thing\n"
    )
    run = quickly("build", "project", "--rocm-path", str(rocm), "-v")
    assert b"project/k.cu:4:5: warning: dubious\n" in run.stdout
    assert b"hipcc k.cu  -o app\n" in run.stderr
    assert b"building failed: 1 error\n" in run.stderr


@needs_make
def test_a_file_that_the_build_changes_is_shown_as_it_is_then(
    quickly: Run, rocm: Path, made: Path, tmp_path: Path
) -> None:
    (made / "Makefile").write_text(
        "all:\n\t(echo; cat k.cu; echo '// SAY error: here') > new; mv new k.cu; hipcc k.cu -o k\n"
    )
    run = quickly("build", "project", "--rocm-path", str(rocm), "--build-dir", "b")
    line = len((tmp_path / "b/source/k.cu").read_text().splitlines())
    assert run.stdout.startswith(f"{tmp_path}/b/source/k.cu:{line}:5: error: here\n".encode())


@needs_make
def test_errors_in_headers_of_others_are_shown_where_they_are_included(quickly: Run, rocm: Path, made: Path) -> None:
    included = "In file included from k.cu:1:\\n/usr/include/x.h:7:2: error: not this one"
    (made / "Makefile").write_text(f"all:\n\t@printf '{included}\\n'; exit 1\n")
    run = quickly("build", "project", "--rocm-path", str(rocm))
    assert run.stdout.decode() == (
        "project/k.cu:1:1: error: not this one (in /usr/include/x.h:7)\n    #include <cuda_runtime.h>\n    ^\n"
        "    in HIP: #include <hip/hip_runtime.h>\n"
    )


@needs_make
def test_an_error_in_a_macro_of_the_project_is_shown_at_its_use(quickly: Run, rocm: Path, made: Path) -> None:
    (made / "k.cu").write_text("#define INNER(x) lost(x)\n#define OUTER(x) INNER(x)\n" + MAIN + "int a = OUTER(1);\n")
    said = (
        "k.cu:1:18: error: lost was not declared",
        "k.cu:2:18: note: in expansion of macro 'INNER'",
        "k.cu:8:9: note: in expansion of macro 'OUTER'",
        "k.cu:5:7: error: another",
    )
    (made / "Makefile").write_text("all:\n" + "".join(f'\t@echo "{line}"\n' for line in said) + "\t@exit 1\n")
    run = quickly("build", "project", "--rocm-path", str(rocm))
    lines = [line.partition("project/k.cu:")[2] for line in run.stdout.decode().splitlines() if "k.cu:" in line]
    assert lines == [
        "8:9: error: lost was not declared",
        "2:18: note: expanded from macro 'OUTER'",
        "1:18: note: expanded from macro 'INNER'",
        "5:7: error: another",
    ]


@needs_make
def test_arguments_go_to_the_build_system_and_its_lines_are_blamed(quickly: Run, rocm: Path, made: Path) -> None:
    run = quickly("build", "project", "--rocm-path", str(rocm), "--", "app", "LIBS=-lnosuch")
    assert run.returncode == 1
    assert run.stdout.decode().startswith("project/Makefile:5:2: error: unable to find library -lnosuch\n")
    (made / "Makefile").write_text("LIBS = -lnosuch # -lnosuch\n" + MAKEFILE)
    run = quickly("build", "project", "--rocm-path", str(rocm), "--", "app")
    assert run.stdout.decode().startswith("project/Makefile:1:8: error: unable to find library -lnosuch\n")


@needs_make
def test_what_is_hip_already_is_built_as_it_is(quickly: Run, rocm: Path, made: Path) -> None:
    (made / "main.cu").write_text(MAIN + "// SAY error: here\n")
    assert quickly("convert", "project", "-o", "hip").returncode == 0
    run = quickly("build", "hip", "--rocm-path", str(rocm))
    assert run.returncode == 1
    assert b"hip/main.cu:6:5: error: here\n" in run.stdout
    assert b"no CUDA found: errors refer" in run.stderr


@needs_make
def test_failures_that_say_nothing_known_are_shown_as_they_are(quickly: Run, rocm: Path, made: Path) -> None:
    (made / "Makefile").write_text("all:\n\t@echo it is odd\n\t@exit 7\n")
    run = quickly("build", "project", "--rocm-path", str(rocm))
    assert run.returncode == 1
    assert run.stdout.decode().startswith("project/Makefile:3:2: error: it is odd (Error 7)\n")


@needs_make
def test_a_file_that_cannot_be_converted(quickly: Run, rocm: Path, made: Path) -> None:
    (made / "bad.cu").write_bytes(b"\0\0")
    run = quickly("build", "project", "--rocm-path", str(rocm))
    assert run.returncode == 3
    assert b"project/bad.cu: error HIP90" in run.stderr
    assert b"built; " in run.stderr


@needs_make
def test_the_build_file_may_be_in_a_folder_of_the_project(quickly: Run, rocm: Path, made: Path, tmp_path: Path) -> None:
    (tmp_path / "outer").mkdir()
    made.rename(tmp_path / "outer/src")
    run = quickly("build", "outer", "--rocm-path", str(rocm))
    assert run.returncode == 2
    assert b"no build file in" in run.stderr
    assert b"\n  --in src has Makefile\n" in run.stderr
    assert quickly("build", "outer", "--rocm-path", str(rocm), "--in", "src").returncode == 0
    for wrong in ("..", "nowhere", str(tmp_path)):
        run = quickly("build", "outer", "--rocm-path", str(rocm), "--in", wrong)
        assert (run.returncode, b"is not a folder in" in run.stderr) == (2, True)


@needs_make
def test_names_of_the_tree_are_no_options(quickly: Run, rocm: Path, made: Path, tmp_path: Path) -> None:
    (tmp_path / "outer").mkdir()
    made.rename(tmp_path / "outer/--version")
    run = quickly("build", "outer", "--rocm-path", str(rocm), "--in", "--version")
    assert run.returncode == 0
    assert b"building with Make\n" in run.stderr


@needs_make
def test_the_system_can_be_chosen(quickly: Run, rocm: Path, made: Path) -> None:
    (made / "CMakeLists.txt").write_text("message(FATAL_ERROR wrong)\n")
    assert quickly("build", "project", "--rocm-path", str(rocm), "--system", "make").returncode == 0
    run = quickly("build", "project", "--rocm-path", str(rocm), "--system", "meson")
    assert run.returncode == 2
    assert b"(meson.build)" in run.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), b"nowhere is not a folder."),
        (("project/main.cu",), b"project/main.cu is not a folder."),
        (("project", "rocm"), b"build takes one folder"),
        (("project", "--rocm-path", "project"), b"no ROCm found: no bin/hipcc in --rocm-path"),
    ],
)
def test_wrong_usage(quickly: Run, rocm: Path, made: Path, arguments: tuple[str, ...], message: bytes) -> None:
    more = () if "--rocm-path" in arguments else ("--rocm-path", str(rocm))
    run = quickly("build", *arguments, *more)
    assert (run.returncode, message in run.stderr) == (2, True), run.stderr


def test_a_program_that_is_missing_is_named(
    quickly: Run, rocm: Path, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(rocm / "bin"))
    run = quickly("build", "project", "--rocm-path", str(rocm))
    assert run.returncode == 2
    assert b"make is not installed; install it with: apt-get install make" in run.stderr


CMAKE = """\
cmake_minimum_required(VERSION 3.18)
project(p LANGUAGES NONE)
add_custom_target(app ALL COMMAND hipcc -c ${CMAKE_SOURCE_DIR}/main.cu -o main.o)
"""


@needs_cmake
@needs_make
def test_cmake_configures_and_builds_apart(quickly: Run, rocm: Path, made: Path, tmp_path: Path) -> None:
    command = ("build", "project", "--rocm-path", str(rocm), "--build-dir", "b", "--", "-G", "Unix Makefiles")
    (made / "CMakeLists.txt").write_text(CMAKE)
    run = quickly(*command)
    assert run.returncode == 0
    assert "configuring with CMake\nbuilding with CMake\n" in run.stderr.decode()
    assert f"built: {tmp_path}/b/build\n".encode() in run.stderr
    assert (tmp_path / "b/build/main.o").read_text() == "made\n"
    (made / "main.cu").write_text(MAIN + "// SAY error: here\n")
    run = quickly(*command)
    assert run.returncode == 1
    assert run.stdout.startswith(b"project/main.cu:6:5: error: here\n")
    (made / "CMakeLists.txt").write_text(CMAKE.replace("hipcc", "false"))
    run = quickly(*command)
    assert run.returncode == 1
    assert run.stdout.startswith(b"project/CMakeLists.txt:3:1: error: ")


AUTORECONF = """\
#!/bin/sh
grep -q 'PROG(NVCC, hipcc)' configure.ac && cat >configure <<'END'
#!/bin/sh
echo "configured in $PWD"
sed "s|@srcdir@|$(dirname "$0")|" <"$(dirname "$0")/Makefile.in" >Makefile && echo >config.status
END
"""


@needs_make
@pytest.mark.parametrize(("place", "first"), [("build", "VPATH = @srcdir@\n"), ("source", "")])
@pytest.mark.parametrize("maker", ["autoreconf", "autoconf"])
def test_configure_is_made_anew_from_what_has_changed(
    quickly: Run,
    rocm: Path,
    made: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    first: str,
    maker: str,
) -> None:
    """Makefiles that look for the sources are used in a folder of their own, others beside the sources.

    Where the macros of Automake are there, too, its templates need not be made anew.
    """
    for name in ("autoreconf", "autoconf"):
        (rocm / "bin" / name).write_text(AUTORECONF if name == maker else "#!/bin/sh\nexit 1\n")
        (rocm / "bin" / name).chmod(0o755)
    if maker == "autoconf":
        (made / "aclocal.m4").write_text("")
    monkeypatch.setenv("PATH", f"{rocm}/bin{os.pathsep}{os.environ['PATH']}")
    (made / "Makefile").unlink()
    (made / "Makefile.in").write_text(f"{first}main.o: main.cu\n\tnvcc -c $< -o $@\n")
    (made / "configure.ac").write_text("AC_INIT(a, 1)\nAC_PATH_PROG(NVCC, nvcc)\nAC_OUTPUT\n")
    (made / "configure").write_text("#!/bin/sh\necho no nvcc; exit 1\n")
    for _ in range(2):
        run = quickly("build", "project", "--rocm-path", str(rocm), "--build-dir", "b", "-v")
        assert run.returncode == 0, run.stderr
        assert f"configured in {tmp_path}/b/{place}\n".encode() in run.stderr
    assert (tmp_path / "b" / place / "main.o").read_text() == "made\n"


@needs_cmake
@needs_make
def test_a_project_with_a_build_for_hip_of_its_own_is_told_of(quickly: Run, rocm: Path, made: Path) -> None:
    (made / "CMakeLists.txt").write_text(
        CMAKE + "if(USE_HIP)\n  enable_language(HIP)\nelseif(USE_CUDA)\n  enable_language(CUDA)\nendif()\n"
    )
    run = quickly("build", "project", "--rocm-path", str(rocm), "--", "-G", "Unix Makefiles")
    assert b"CMakeLists.txt:7:3: note HIP607 " in run.stderr


@needs_cmake
def test_errors_of_cmake_are_shown_at_the_lines_before_the_conversion(quickly: Run, rocm: Path, made: Path) -> None:
    (made / "find.cmake").write_text("message(WARNING dubious)\nmessage(FATAL_ERROR\n   wrong)\n")
    (made / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES NONE)\nfind_package(CUDAToolkit)\n"
        "if(FALSE)\nenable_language(CUDA)\nadd_executable(a main.cu)\ntarget_link_libraries(a CUDA::cublas)\nendif()\n"
        "include(find.cmake)\n"
    )
    run = quickly("build", "project", "--rocm-path", str(rocm), "-v")
    assert run.returncode == 1
    assert b"project/find.cmake:2:1: error: wrong\n" in run.stdout
    assert b"project/find.cmake:1:1: warning: dubious\n" in run.stdout
    assert b"configuring failed: 1 error\n" in run.stderr
    (made / "CMakeLists.txt").write_text((made / "CMakeLists.txt").read_text() + "include(/nowhere.cmake)\n")
    (made / "find.cmake").write_text("")
    run = quickly("build", "project", "--rocm-path", str(rocm))
    assert b"project/CMakeLists.txt:10:1: error: include could not find requested file: /nowhere.cmake\n" in run.stdout


PROJECT = {
    "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.18)
project(p LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
add_executable(one one.cu)
# nosuchlib is named here, too
target_link_libraries(one PRIVATE CUDA::cudart nosuchlib)
add_executable(two two.cu)
target_compile_options(two PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--no-such-flag>)
add_executable(three three.cu)
add_executable(four four.cu)
""",
    "one.cu": "#include <cuda_runtime.h>\nint main() { return 0; }\n",
    "two.cu": "#include <cuda_runtime.h>\nint main() { return 0; }\n",
    "three.cu": (
        "#include <cuda_runtime.h>\nvoid missing(float *p); // missing(p)\n"
        "int main() {\n    float *p;\n    if (cudaMalloc(&p, 4) == cudaSuccess) missing(p);\n}\n"
    ),
    "four.cu": "#include <cuda_runtime.h>\nint main() { float *p; return cudaFree(p), oops(p); }\n",
}


@pytest.mark.compiler
@pytest.mark.skipif(not SDK, reason="HIPIFY_PY_ROCM_SDK names no ROCm prefix to build in")
@needs_cmake
@pytest.mark.parametrize("generator", ["Unix Makefiles", "Ninja"])
def test_compilers_linkers_and_cmake_in_a_real_build(
    quickly: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, generator: str
) -> None:
    if generator == "Ninja" and shutil.which("ninja") is None:
        pytest.skip("there is no ninja")
    monkeypatch.setenv("CCC_OVERRIDE_OPTIONS", f"^-isystem{SDK}/include")  # before another HIP's in /usr/include
    (tmp_path / "p").mkdir()
    for name, text in PROJECT.items():
        (tmp_path / "p" / name).write_text(text)
    run = quickly("build", "p", "--rocm-path", SDK, "--arch", "gfx942", "--", "-G", generator)
    assert run.returncode == 1, run.stderr
    said = [line for line in run.stdout.decode().splitlines() if not line.startswith(" ")]
    assert sorted(said) == [
        "p/CMakeLists.txt:6:48: error: cannot find -lnosuchlib",
        "p/CMakeLists.txt:8:63: error: unknown argument: '--no-such-flag'",
        "p/four.cu:2:44: error: use of undeclared identifier 'oops'",
        "p/three.cu:5:43: error: undefined symbol: missing(float*)",
    ]
