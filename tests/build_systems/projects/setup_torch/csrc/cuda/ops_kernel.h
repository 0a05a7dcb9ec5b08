#pragma once
#include <torch/extension.h>

torch::Tensor doubled_cuda(torch::Tensor input);
