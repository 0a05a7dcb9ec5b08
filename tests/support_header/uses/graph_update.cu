#include "hipify_support.hpp"

template <class Exec, class Graph>
int update(Exec exec, Graph graph) {
    hipify::graph_exec_update_result_info info;
    return static_cast<int>(hipify::graph_exec_update(exec, graph, &info)) + static_cast<int>(info.result);
}

#if defined(__NVCC__)
int use(cudaGraphExec_t exec, cudaGraph_t graph) { return update(exec, graph); }
#else
int use(hipGraphExec_t exec, hipGraph_t graph) { return update(exec, graph); }
#endif
