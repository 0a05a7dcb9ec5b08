import os
import sys

import torch
from setuptools import find_packages, setup
from torch.utils.cpp_extension import ROCM_HOME, BuildExtension, CppExtension, CUDAExtension

root = os.path.dirname(os.path.abspath(__file__))
with_cuda = ROCM_HOME is not None and torch.version.hip is not None
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
    libraries += ['hipblas', 'hipsolver']
    sources.append('csrc/cuda/ops_kernel.cu')
    nvcc_args = [
        '-O3',
        '-DUSE_CUDA_FAST=1',
        '-U__CUDA_NO_HALF_OPERATORS__',
        '-gline-tables-only',  # for the profiler
    ]
    if os.getenv('OPS_DEBUG'):
        nvcc_args += ['-g', '-g']
    else:
        nvcc_args += ['-fgpu-flush-denormals-to-zero', '-fno-hip-fp32-correctly-rounded-divide-sqrt', '-fgpu-approx-transcendentals']
    for arch in ('70', '80'):
        pass
    if torch.version.hip and int('13.5'.split('.')[0]) >= 11:
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
            extra_link_args=['-L/opt/rocm/lib', '-lamdhip64'] if with_cuda else [],
        )
    ],
    cmdclass={'build_ext': BuildExtension},
)
