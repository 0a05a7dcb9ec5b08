import os
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


class CMakeExtension(Extension):
    def __init__(self, name, folder='.'):
        super().__init__(name, sources=[])
        self.folder = os.path.abspath(folder)


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        target = os.path.abspath(os.path.dirname(self.get_ext_fullpath(extension.name)))
        cmake_args = [
            f'-DCMAKE_LIBRARY_OUTPUT_DIRECTORY={target}',
            f'-DPYTHON_EXECUTABLE={sys.executable}',
            '-DCMAKE_CUDA_COMPILER=nvcc',
            '-DCMAKE_CUDA_FLAGS=-lineinfo --expt-relaxed-constexpr',
            '-DCMAKE_CUDA_STANDARD=17',
            '-DWITH_CUDA=ON',
        ]
        if 'CUDA_ARCHS' in os.environ:
            cmake_args.append(f"-DCMAKE_CUDA_ARCHITECTURES={os.environ['CUDA_ARCHS']}")
        if 'CMAKE_ARGS' in os.environ:
            cmake_args += os.environ['CMAKE_ARGS'].split()
        os.makedirs(self.build_temp, exist_ok=True)
        subprocess.check_call(['cmake', extension.folder] + cmake_args, cwd=self.build_temp)
        subprocess.check_call(['cmake', '--build', '.'], cwd=self.build_temp)


setup(name='thirds', version='1.0', ext_modules=[CMakeExtension('thirds')], cmdclass={'build_ext': CMakeBuild})
