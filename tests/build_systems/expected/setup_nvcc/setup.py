"""A Python module whose kernels nvcc compiles: setuptools is shown which compiler is for which sources."""
import os
import shutil
from os.path import join as pjoin

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


def locate_cuda():
    """Where the toolkit is: $CUDA_HOME, else what nvcc in $PATH belongs to."""
    if 'ROCM_PATH' in os.environ:
        home = os.environ['ROCM_PATH']
        nvcc = pjoin(home, 'bin', 'hipcc')
    else:
        nvcc = shutil.which('hipcc')
        if nvcc is None:
            raise EnvironmentError('nvcc is not in your $PATH; set $CUDA_HOME (for example to /usr/local/cuda)')
        home = os.path.dirname(os.path.dirname(nvcc))
    return {'home': home, 'nvcc': nvcc, 'include': pjoin(home, 'include'), 'lib64': pjoin(home, 'lib')}


CUDA = locate_cuda()

nvcc_flags = [
    '-O3',
    # Ampere
    '-fgpu-flush-denormals-to-zero', '-fno-hip-fp32-correctly-rounded-divide-sqrt', '-fgpu-approx-transcendentals',
    '-c',
    "-fPIC",
    '-Wall', '-Wno-unused-function',
]
for cc in os.environ.get('SCALE_GPUS', '').split():
    pass

extension = Extension(
    'scale',
    sources=['src/scale.cu', 'src/module.cpp'],
    include_dirs=['src', CUDA['include']],
    library_dirs=[CUDA['lib64']],
    runtime_library_dirs=[CUDA['lib64']],
    define_macros=[('__HIP_PLATFORM_AMD__', '1')],
    libraries=['amdhip64', 'hipblas'],
    language='c++',
    extra_compile_args={'gcc': ['-O2'], 'nvcc': nvcc_flags},
)


def customize_compiler(compiler):
    """Have .cu files compiled by nvcc, and all others as before."""
    compiler.src_extensions.append('.cu')
    usual_program, usual = compiler.compiler_so, compiler._compile

    def _compile(obj, src, ext, cc_args, extra_postargs, pp_opts):
        if os.path.splitext(src)[1] == '.cu':
            compiler.set_executable('compiler_so', CUDA['nvcc'])
            options = extra_postargs['nvcc']
        else:
            options = extra_postargs['gcc']
        usual(obj, src, ext, cc_args, options, pp_opts)
        compiler.compiler_so = usual_program

    compiler._compile = _compile


class CudaBuild(build_ext):
    def build_extensions(self):
        customize_compiler(self.compiler)
        super().build_extensions()


setup(name='scale', version='1.0', ext_modules=[extension], cmdclass={'build_ext': CudaBuild})
