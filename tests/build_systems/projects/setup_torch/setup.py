import os
import sys

import torch
from setuptools import find_packages, setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CppExtension, CUDAExtension

root = os.path.dirname(os.path.abspath(__file__))
with_cuda = CUDA_HOME is not None and torch.version.cuda is not None
if os.getenv('FORCE_CUDA') == '1':
    with_cuda = True

sources = ['csrc/ops.cpp']
extension, macros, libraries = CppExtension, [], []
compile_args = {'cxx': ['-O3']}
if sys.platform == 'darwin':
    compile_args['cxx'] += ['-arch', 'arm64']

if with_cuda:
    extension = CUDAExtension
    macros += [('WITH_CUDA', None)]
    libraries += ['cublas', 'cusolver']
    sources.append('csrc/cuda/ops_kernel.cu')
    nvcc_args = [
        '-O3',
        '-DUSE_CUDA_FAST=1',
        '--expt-relaxed-constexpr', '--expt-extended-lambda',
        '-U__CUDA_NO_HALF_OPERATORS__',
        '-lineinfo',  # for the profiler
        '-Xptxas', '-v',
    ]
    if os.getenv('OPS_DEBUG'):
        nvcc_args += ['-G', '-g']
    else:
        nvcc_args += ['--use_fast_math']
    for arch in ('70', '80'):
        nvcc_args += ['-gencode', 'arch=compute_%s,code=sm_%s' % (arch, arch)]
    if torch.version.cuda and int(torch.version.cuda.split('.')[0]) >= 11:
        nvcc_args.append('-std=c++17')
    compile_args['nvcc'] = nvcc_args

setup(
    name='ops',
    version='1.0',
    packages=find_packages(),
    ext_modules=[
        extension(
            'ops._C',
            sources,
            include_dirs=[os.path.join(root, 'csrc')],
            define_macros=macros,
            libraries=libraries,
            extra_compile_args=compile_args,
            extra_link_args=['-L/usr/local/cuda/lib64/stubs', '-lcuda'] if with_cuda else [],
        )
    ],
    cmdclass={'build_ext': BuildExtension},
)
