"""setup.py and pyproject.toml: places, one by one."""

from __future__ import annotations

import ast

import pytest

from hipify_py.build_systems.kinds import is_build_file
from hipify_py.build_systems.python.reader import read
from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS

TORCH = "from torch.utils.cpp_extension import CUDAExtension\n"


def translated(text: str, path: str = "setup.py") -> str:
    once = translate_build_file(text.encode(), path, DEFAULT_OPTIONS).output
    assert translate_build_file(once, path, DEFAULT_OPTIONS).output == once
    return once.decode()


def ids(text: str, path: str = "setup.py") -> list[str]:
    return [found.id for found in translate_build_file(text.encode(), path, DEFAULT_OPTIONS).findings]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = {'nvcc': ['-O3', '-G']}", "x = {'nvcc': ['-O3', '-g']}"),
        ("x = {'cxx': ['-O3', '-G']}", "x = {'cxx': ['-O3', '-G']}"),
        ("x = ['-arch', 'arm64']  # cuda", "x = ['-arch', 'arm64']  # cuda"),
        ("x = ['-arch', 'sm_70', '-O3']", "x = ['-O3']"),
        ("x = ('-gencode=arch=compute_70,code=sm_70',)", "x = ()"),
        ("x = ['-O3', '-lineinfo', '-Xptxas', '-v']", "x = ['-O3', '-gline-tables-only']"),
        ("x = ['-Xfatbin', '-compress-all', '-O3']", "x = ['-O3']"),
        ("x = ['-Xfatbin=-compress-all', '-compress-mode=size']", "x = []"),
        ("x = ['-Xcompiler', '-fPIC,-Wall']", "x = ['-fPIC', '-Wall']"),
        ("x = ['-Xcompiler', '-fPIC -Wall']", "x = ['-fPIC', '-Wall']"),
        ("x = ['-Xcompiler=-fPIC -Wall']", "x = ['-fPIC', '-Wall']"),
        ("x = ['-Xcompiler', '-Wl,-rpath,/x']", "x = ['-Wl,-rpath,/x']"),
        ("x = ['-Xcompiler', '-g,-O2 -Wl,-z,now']", "x = ['-g', '-O2', '-Wl,-z,now']"),
        ("x = ['-Xcompiler', '-fPIC -Wl,-z,now']", "x = ['-fPIC', '-Wl,-z,now']"),
        ("x = ['-Xcompiler', f'-fPIC {y}']", "x = [f'-fPIC', f'{y}']"),
        ("x = ['-Xcompiler', '-fPIC ' + y]", "x = [*('-fPIC ' + y).split()]"),
        ("x = ['-Xcompiler', '-O2,' + y, '-O3']", "x = [*('-O2,' + y).replace(',', ' ').split(), '-O3']"),
        ("x = ['-Xcompiler', ','.join(y)]", "x = [*(','.join(y)).replace(',', ' ').split()]"),
        ("x = ['-Xcompiler', ' '.join(y)]", "x = [*(' '.join(y)).split()]"),
        ("x = ['-Xcompiler', '-march=' + y]", "x = ['-march=' + y]"),
        ("x = ['-Xcompiler', y]", "x = [y]"),
        ('x = ["--compiler-options=-fPIC"]', 'x = ["-fPIC"]'),
        ('x = ["--compiler-options", "\'-fPIC\'"]', 'x = ["-fPIC"]'),
        ("x = ['-Xcompiler', flag, '-rdc=true']", "x = [flag, '-fgpu-rdc']"),
        ("x = ['-maxrregcount', count, '-O2']", "x = ['-O2']"),
        ("x = ['-arch=sm_' + cc, '-O2']", "x = ['-O2']"),
        ("x = ['-arch=sm_{}'.format(cc), '-O2']", "x = ['-O2']"),
        ("x = [f'-gencode=arch=compute_{a},code=sm_{a}' for a in cuda]", "x = []"),
        ("x = ' '.join(f'-gencode arch=compute_{a},code=sm_{a}' for a in cuda)", "x = ' '.join([])"),
        ("x = ['-gencode=arch=compute_{0},code=sm_{0}'.format(a) for a in cuda]", "x = []"),
        ("x = [f'-Xcompiler={a}' for a in cuda]", "x = [f'{a}' for a in cuda]"),
        ("x = ['-Xcompiler=' + a for a in cuda]", "x = ['' + a for a in cuda]"),
        ("nvcc = ['-G' if a else '-O2' for a in b]", None),
        ("nvcc = ['-Xcompiler', '-fopenmp,' '--shared', '-O3']", "nvcc = ['-fopenmp', '--shared', '-O3']"),
        ("nvcc = ['-arch=' 'sm_70', '-O' '3', '-Xcom' 'piler', '-g']", "nvcc = ['-O' '3', '-g']"),
        ("nvcc = ['-use_' \"fast_math\"]", None),
        ("nvcc = ['--compiler-options', \"'-D HALF'\", '-O2']", 'nvcc = ["-D", "HALF", \'-O2\']'),
        ("nvcc = ['-Xcompiler', '\"-a,-b -c\"']", "nvcc = ['-a', '-b', '-c']"),
        ("nvcc_flags = \"--compiler-options '-Wall -g' -G\"", 'nvcc_flags = "-Wall -g -g"'),
        ("nvcc_flags = '-O3 -arch=sm_70 -G'.split()", "nvcc_flags = '-O3 -g'.split()"),
        ("flags = ['-G']\nx = {'nvcc': flags + more}", "flags = ['-g']\nx = {'nvcc': flags + more}"),
        ("def f(a):\n    return a + ['-G']\nx['nvcc'] = f([])", "def f(a):\n    return a + ['-g']\nx['nvcc'] = f([])"),
        (
            "self.nvcc_args.append('--use_fast_math')",
            "self.nvcc_args.extend(['-fgpu-flush-denormals-to-zero', '-fno-hip-fp32-correctly-rounded-divide-sqrt', "
            "'-fgpu-approx-transcendentals'])",
        ),
        ("nvcc.append('-Xcompiler=' + d)", "nvcc.extend(('' + d).replace(',', ' ').split())"),
        (
            "nvcc.append('-Xcompiler')\nnvcc.append(','.join(host))",
            "nvcc.extend((','.join(host)).replace(',', ' ').split())",
        ),
        ("x.append('-Xcompiler=-g,-O2')", "x.extend(['-g', '-O2'])"),
        ("if a:\n    x.append('-gencode')\n    x.append('arch=compute_70')\ny()", "if a:\n    pass\ny()"),
        ("if a:\n    x.append('-gencode')\n    x.append('arch=compute_70')\n    y()", "if a:\n    y()"),
        ("if a: x.append('-arch=sm_70')", "if a: pass"),
        ("x.append('-arch=sm_70'); y()", "pass; y()"),
        ("x += ['-arch=sm_70']\ny()", "y()"),
        ("x.extend(['-arch=sm_70'])\ny()", "y()"),
        ("x = [\n    '-O3',\n    '-arch=sm_70',\n]", "x = [\n    '-O3',\n]"),
        ("x = [\n    '-O3',\n    '-arch=sm_70'\n]", "x = [\n    '-O3'\n]"),
        ("x = [\n    '-arch=sm_70',  # Volta\n    '-O3']", "x = [\n    # Volta\n    '-O3']"),
        ("parser.add_argument('--use_fast_math', help='-arch=sm_70')", None),
        ("print('-arch=sm_70')", None),
        ("if '--keep' in sys.argv and cuda: pass", None),
        ("'''nvcc -arch=sm_70'''", None),
        ("subprocess.call(['nvcc', '-G', '-ptx', 'a.cu'])", "subprocess.call(['hipcc', '-g', '--genco', 'a.cu'])"),
        ("cmd = ['nvcc'] + flags + [source, '-o', output]", "cmd = ['hipcc'] + flags + [source, '-o', output]"),
        ("self.spawn(['nvcc'] + flags)", "self.spawn(['hipcc'] + flags)"),
        ("names = tools + ['nvcc']", None),
        ("for k in ['nvcc'] + ['cxx']: a[k].append('-g')", None),
        ("for k in ['nvcc'] + more: a[k].append('-g')", None),
        ("setup(keywords=['nvcc'] + more)", None),
        ("found = name in ['nvcc'] + others", None),
        ("tools = ['nvcc'] + ['gcc']", None),
        ("tools = ['nvcc'] + others + ['gcc', 'clang']", None),
        ("tools += ['nvcc'] + others", None),
        ("cmd: list = ['nvcc'] + flags", "cmd: list = ['hipcc'] + flags"),
        ("cmd = ['nvcc'] + ['a.cu', 'b.cu']", "cmd = ['hipcc'] + ['a.cu', 'b.cu']"),
        ("cmd = ['nvcc'] + ['-c', source] + flags", "cmd = ['hipcc'] + ['-c', source] + flags"),
        ("subprocess.check_call(['nvcc'] + ['-c'] + files)", "subprocess.check_call(['hipcc'] + ['-c'] + files)"),
        ("os.system('echo nvcc')", None),
        ("nvcc = home + '/bin/nvcc'", "nvcc = home + '/bin/hipcc'"),
        ("nvcc = Path(cuda) / 'bin' / 'nvcc'", "nvcc = Path(cuda) / 'bin' / 'hipcc'"),
        ("nvcc = os.environ.get('NVCC', 'nvcc')", "nvcc = os.environ.get('NVCC', 'hipcc')"),
        ("x = d.get('nvcc')", None),
        ("if 'nvcc' in d: d['nvcc'] += []", None),
        ("h = os.getenv('CUDA_HOME', '/usr/local/cuda')", "h = os.getenv('ROCM_PATH', '/opt/rocm')"),
        ("h = os.environ['CUDA_PATH']\nl = join(h, 'lib64')", "h = os.environ['ROCM_PATH']\nl = join(h, 'lib')"),
        ("l = join(mkl, 'lib64', 'cuda')", None),
        ("x = dict(CUDA_HOME=1)", None),
        ("l = '/usr/local/cuda-11.8/lib64/stubs'", "l = '/opt/rocm/lib'"),
        ("l = ['-L/usr/local/cuda/lib64', '-lcudart']", "l = ['-L/opt/rocm/lib', '-lamdhip64']"),
        ("l = '/usr/local/cudaxx/lib'", None),
        ("f(libraries=['cudart', 'z', 'cudadevrt'])", "f(libraries=['amdhip64', 'z'])"),
        ("libs = ['cublas']\nf(libraries=libs)", "libs = ['hipblas']\nf(libraries=libs)"),
        ("names = ['cublas', 'cudart']", None),
        ("a = ['-DCMAKE_CUDA_STANDARD=17', '-DCMAKE_CUDA_ARCHITECTURES=' + x]", "a = ['-DCMAKE_HIP_STANDARD=17']"),
        ("for p in ['CUDA_PATH', 'CUDA_HOME', 'HOME']:\n    pass", "for p in ['ROCM_PATH', 'HOME']:\n    pass"),
        ("for p in ('CUDA_PATH', 'CUDA_HOME'):\n    pass", "for p in ('ROCM_PATH', 'ROCM_PATH'):\n    pass"),
        ("app = 'nvcc.exe' if windows else 'nvcc'", "app = 'hipcc.exe' if windows else 'hipcc'"),
        ("find_in_path('nvcc' if a else 'nvcc.exe')", "find_in_path('hipcc' if a else 'hipcc.exe')"),
        ("def f():\n    return 'nvcc'", "def f():\n    return 'hipcc'"),
        ("a = 1 if 'nvcc' else 2", None),
        ("a = b == 'nvcc'", None),
        ("import cupy  # cudart\nx = cupy.RawKernel(code, 'f', options=('-arch=x',))", None),
        ("@triton.jit\ndef f(): cuda", None),
    ],
)
def test_places(before: str, after: str | None) -> None:
    done = translated(f"import cuda\n{before}\n").removeprefix("import cuda\n").rstrip("\n")
    assert done == (before if after is None else after)
    ast.parse(done)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if torch.version.cuda is None: f()", "if torch.version.hip is None: f()"),
        ("if torch.version.cuda: f()", "if torch.version.hip: f()"),
        ("if float(torch.version.cuda) > 11: f()", "if float('13.5') > 11: f()"),
        ("v = parse(torch.version.cuda).major", "v = parse('13.5').major"),
        ("print(torch.version.cuda)", "print(torch.version.cuda)"),
        ("if 'cu' in torch.__version__: f()", "if 'rocm' in torch.__version__: f()"),
        ("x = CUDA_HOME", "x = CUDA_HOME"),
        (
            "from torch.utils.cpp_extension import CUDA_HOME\nx = CUDA_HOME",
            "from torch.utils.cpp_extension import ROCM_HOME\nx = ROCM_HOME",
        ),
        ("from torch.utils import cpp_extension\nx = cpp_extension.CUDA_HOME", None),
        ("from torch.utils.cpp_extension import CUDA_HOME\nCUDA_HOME = 'x'", "as it is"),
    ],
)
def test_what_torch_calls_things(before: str, after: str | None) -> None:
    wanted = {None: before.replace("CUDA_HOME", "ROCM_HOME"), "as it is": before}.get(after, after)
    assert translated(f"import torch  # cuda\n{before}\n") == f"import torch  # cuda\n{wanted}\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("e = CUDAExtension('a', ['a.cu'])", ["HIP630"]),
        ("e = CUDAExtension if a else CppExtension", ["HIP630"]),
        ("e = CUDAExtension('a', ['a.cu'], extra_compile_args={'nvcc': ['-DUSE_CUDA']})", ["HIP630", "HIP631"]),
        ("e = CUDAExtension('a', ['a.cu'], extra_compile_args={'nvcc': ['-D__CUDA_NO_HALF_OPERATORS__']})", ["HIP630"]),
        ("e = CUDAExtension('a', ['a.cu'], extra_compile_args={'cxx': ['-DUSE_CUDA']})", ["HIP630"]),
        ("setup(install_requires=['nvidia-cublas-cu12>=12', 'cupy-cuda12x', 'triton'])", ["HIP632"]),
        ("os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'", ["HIP605"]),
        ("x = f'+cu{torch.version.cuda}'", ["HIP605"]),
        ("x = ['-maxrregcount=32']", ["HIP603"]),
        ("x = ['-rdc', y]", ["HIP603"]),
        ("f(libraries=['nppc', 'cufftw'])", ["HIP613", "HIP613"]),
        ("x = ['-arch=sm_70']\nif torch.version.hip: x = []", ["HIP607"]),
        ("x = ['-O3']\nif torch.version.hip: x = []", []),
        ("x = (1\n", ["HIP605"]),
        ("x = ['-maxrregcount=32']  # hipify: ignore[HIP603]", []),
        ("# hipify: ignore[HIP603]\nx = ['-maxrregcount=32']", []),
    ],
)
def test_findings(text: str, found: list[str]) -> None:
    assert ids(TORCH + text + "\n") == found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a = ['cudart', 'm']\nb = ['-l' + n for n in a]", "a = ['amdhip64', 'm']\nb = ['-l' + n for n in a]"),
        (
            "a = ('cufft',)\nfor n in a:\n    b.append('-l%s' % n)",
            "a = ('hipfft',)\nfor n in a:\n    b.append('-l%s' % n)",
        ),
        ("b = [f'-l{n}' for n in ['cublas']]", "b = [f'-l{n}' for n in ['hipblas']]"),
        ("b = '-L. -l' + ' -l'.join(['cusolver'])", "b = '-L. -l' + ' -l'.join(['hipsolver'])"),
        ("b = map('-l{}'.format, ['curand'])", "b = map('-l{}'.format, ['hiprand'])"),
        ("b = map(lambda n: '-l' + n, ['nccl'])", "b = map(lambda n: '-l' + n, ['rccl'])"),
        ("a = ['cuda']\nb = ['src/' + n for n in a]", "a = ['cuda']\nb = ['src/' + n for n in a]"),
        (
            "a = ['cuda']\nb = ['src/' + n for n in a]\nc = ['-l' + n for n in ['cudart']]",
            "a = ['cuda']\nb = ['src/' + n for n in a]\nc = ['-l' + n for n in ['amdhip64']]",
        ),
    ],
)
def test_libraries_that_get_their_option_later(before: str, after: str) -> None:
    assert translated(before) == after


@pytest.mark.parametrize(
    ("path", "translates"),
    [
        ("cuda_setup.py", True),
        ("tools/setup_utils.py", True),
        ("setup_helpers.py", True),
        ("hatch_build.py", True),
        ("build_ext.py", True),
        ("test_setup.py", False),
        ("model.py", False),
        ("setups.py", False),
    ],
)
def test_modules_that_build_scripts_are_made_of(path: str, translates: bool) -> None:
    assert is_build_file(path) == translates


@pytest.mark.parametrize(
    "call",
    [
        "check_output([home + '/bin/nvcc', '-V'], universal_newlines=True)",
        "subprocess.check_output(['nvcc', '--version']).decode('utf-8')",
        "check_output([join(home, 'bin', 'nvcc'), '-V'], encoding='ascii')",
        "subprocess.getoutput('nvcc --version')",
        "subprocess.run(['nvcc', '-V'], stdout=PIPE, text=True).stdout",
        "Popen([nvcc_bin, '--version'], stdout=PIPE).communicate()",
    ],
)
def test_a_question_for_nvccs_version_stays_and_is_reported(call: str) -> None:
    text = f"import cuda\nx = {call}\n"
    assert translated(text) == text
    assert ids(text) == ["HIP622"]


def test_what_is_compiled_by_a_call_is_no_question() -> None:
    assert ids("import cuda\nx = check_output(['gcc', '--version'])\ny = check_output(['nvcc', '-V', 'a.cu'])\n") == [
        "HIP606"
    ]


def test_an_answer_of_nvccs_in_a_string_stays() -> None:
    text = "import cuda\nfaked = b'nvcc: NVIDIA (R) Cuda compiler driver\\nCuda compilation tools, release 12.4, V12.4.9'\n"
    assert translated(text) == text


@pytest.mark.parametrize(
    "line",
    [
        "os.environ['CUDA_PATH'] = r'C:\\CUDA\\v12.4'",
        "home = os.environ.get('CUDA_HOME', 'D:/NVIDIA/CUDA/v12.4')",
        "home = os.getenv('CUDA_PATH', 'C:/Program Files/NVIDIA GPU Computing Toolkit/CUDA/v12.4')",
        "os.environ['CUDA_HOME'] = os.path.join('C:\\\\', 'cuda')",
    ],
)
def test_a_variable_that_has_a_windows_path_of_cuda_stays(line: str) -> None:
    assert translated(f"import os\n{line}\n") == f"import os\n{line}\n"


def test_a_file_that_knows_rocm_stays() -> None:
    text = "import os\nif 'ROCM_HOME' in os.environ:\n    x = []\nelse:\n    x = ['-arch=sm_70']\n"
    assert translated(text) == text


def test_bytes_that_are_no_utf8_and_windows_lines_stay() -> None:
    data = b"# \xe9 cuda\r\nx = [\r\n    '-arch=sm_70',\r\n    '-O3',\r\n]\r\n"
    done = translate_build_file(data, "setup.py", DEFAULT_OPTIONS).output
    assert done == b"# \xe9 cuda\r\nx = [\r\n    '-O3',\r\n]\r\n"


def test_an_extension_of_setuptools_names_the_platform_for_the_host() -> None:
    text = "Extension('a', ['a.cu'],\n          libraries=['cudart'])\n"
    assert translated(text) == (
        "Extension('a', ['a.cu'],\n          define_macros=[('__HIP_PLATFORM_AMD__', '1')],\n"
        "          libraries=['amdhip64'])\n"
    )
    text = "Extension('a', ['a.cu'], libraries=['cudart'], define_macros=[('A', None)])\n"
    assert "define_macros=[('__HIP_PLATFORM_AMD__', '1'), ('A', None)]" in translated(text)
    assert ids("m = []\nExtension('a', ['a.cu'], libraries=['cudart'], define_macros=m)\n") == ["HIP605"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('[tool.scikit-build]\ncmake.args = ["-DCMAKE_CUDA_COMPILER=x", "-DA=1"]', '["-DA=1"]'),
        ('[tool.scikit-build.cmake]\nargs = [\n  "-DCMAKE_CUDA_STANDARD=17",\n]', '[\n  "-DCMAKE_HIP_STANDARD=17",\n]'),
        ("[tool.scikit-build.cmake.define]\nCMAKE_CUDA_FLAGS = '-G -arch=sm_70'", "CMAKE_HIP_FLAGS = '-g'"),
        ("[tool.scikit-build]\ncmake.define.CMAKE_CUDA_STANDARD = 14", "cmake.define.CMAKE_HIP_STANDARD = 14"),
        (
            "[tool.scikit-build]\ncmake.define = { CMAKE_CUDA_ARCHITECTURES = '70', A = 'b' }",
            "cmake.define = { A = 'b' }",
        ),
        (
            "[tool.scikit-build]\ncmake.define = { A = 'b', CMAKE_CUDA_ARCHITECTURES = '70' }",
            "cmake.define = { A = 'b' }",
        ),
        (
            '[[tool.setuptools.ext-modules]]\nlibraries = ["cublas"]\nlibrary-dirs = ["/usr/local/cuda/lib64"]',
            'libraries = ["hipblas"]\nlibrary-dirs = ["/opt/rocm/lib"]',
        ),
        ("[tool.other]\nCMAKE_CUDA_FLAGS = '-G'", "CMAKE_CUDA_FLAGS = '-G'"),
        ("[project]\ndescription = 'nvcc -arch=sm_70 in /usr/local/cuda'", "'nvcc -arch=sm_70 in /usr/local/cuda'"),
    ],
)
def test_pyproject(before: str, after: str) -> None:
    done = translated(before + "\n", "pyproject.toml")
    assert done.rstrip("\n").endswith(after)


@pytest.mark.parametrize(
    "text", ["[a\n", "a = 'cuda\n", "a = [[[[['cuda'", "\0", "[tool.scikit-build.cmake.define]\ncuda ="]
)
def test_what_is_no_toml_stays(text: str) -> None:
    if "\0" not in text:
        assert translated(text, "pyproject.toml") == text


def test_places_of_strings_are_exact() -> None:
    data = b"x = [r'a\\b', f'{c}d', '''e\nf''', b'\xc3\xa9', 'g' 'h']\n"
    from hipify_py.build_systems.expressions import STRING, walk

    strings = [node for node in walk(read(data).root) if node.kind == STRING]
    assert [data[slice(*node.inner)] for node in strings] == [b"a\\b", b"{c}d", b"e\nf", b"\xc3\xa9", b"g", b"h"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("t = ('-Xcompiler', ' '.join(host))", "t = (*(' '.join(host)).split(),)"),
        ("t = ('-Xcompiler', (' '.join(host)))", "t = (*((' '.join(host))).split(),)"),
        ("t = ['-Xcompiler', ( ' '.join(host)\n)]", "t = [*(( ' '.join(host)\n)).split()]"),
        ("f(('-Xcompiler', ' '.join(host)))", "f((*(' '.join(host)).split(),))"),
        ("t = ('-Xcompiler', flag)", "t = (flag,)"),
        ("t = ('-Xcompiler', (flag))", "t = ((flag),)"),
        ("t = ('-Xcompiler', flag,)", "t = (flag,)"),
        ("t = ('-Xcompiler', '-fPIC')", "t = ('-fPIC',)"),
        ("t = ('-Xcompiler', '-fPIC -Wall')", "t = ('-fPIC', '-Wall')"),
        ("t = ('-arch=sm_70', '-O3')", "t = ('-O3',)"),
        ("t = ('-O3', '-arch=sm_70')", "t = ('-O3',)"),
        ("t = ('-O3', '-g', '-arch=sm_70')", "t = ('-O3', '-g')"),
        ("t = ('-O3',  # fast\n     '-arch=sm_70')", "t = ('-O3',  # fast\n     )"),
        ("t = '%s %s' % ('-Xcompiler', ' '.join(host))", "t = '%s %s' % ('-Xcompiler', ' '.join(host))"),
    ],
)
def test_tuples_stay_tuples(before: str, after: str) -> None:
    text = translated(f"import cuda\n{before}\n")
    assert text == f"import cuda\n{after}\n"
    ast.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "nvcc.append('-Xcompiler=' + ','.join(host))",
        "nvcc.append('-Xcompiler=%s' % ','.join(host))",
        "nvcc.append('-Xcompiler=%s,%s' % (a, b))",
        "nvcc.append('--compiler-options={}'.format(','.join(host)))",
        "nvcc.append('-Xcompiler=' + a + ',' + b)",
        "nvcc.append('-Xcompiler=-Wall,' + a)",
        "nvcc.append(f\"-Xcompiler={','.join(host)}\")",
        "nvcc = ['-O3', '-Xcompiler=' + ','.join(host)]",
        "nvcc = ['-Xcompiler', f\"{','.join(host)}\"]",
        "nvcc = ['-Xcompiler=' + ','.join(a) for a in b]",
        "nvcc_flags = '-O3 -Xcompiler=' + ','.join(host)",
        "nvcc_flags = '-O3 -Xcompiler ' + ','.join(host)",
        "nvcc_flags = '-O3 -Xcompiler=%s' % ','.join(host)",
        "nvcc_flags = '-O3 -Xcompiler=' + flag",
    ],
)
def test_options_for_the_host_that_are_joined_to_a_text_are_reported_and_stay(text: str) -> None:
    assert translated(text + "\n") == text + "\n"
    assert ids(text + "\n") == ["HIP605"]
