// cudaGraphExecUpdate in the form of CUDA 12, whose result is one struct; HIP kept the form with two.
// Source: CUDA runtime header driver_types.h; hip_runtime_api.h.
namespace hipify {

#if defined(__NVCC__)
using graph_exec_update_result_info = cudaGraphExecUpdateResultInfo;

inline cudaError_t graph_exec_update(cudaGraphExec_t exec, cudaGraph_t graph, graph_exec_update_result_info* info) {
    return cudaGraphExecUpdate(exec, graph, info);
}
#else
/// cudaGraphExecUpdateResultInfo; HIP does not tell where the edge to the failing node begins.
struct graph_exec_update_result_info {
    hipGraphExecUpdateResult result;
    hipGraphNode_t errorNode, errorFromNode;
};

inline hipError_t graph_exec_update(hipGraphExec_t exec, hipGraph_t graph, graph_exec_update_result_info* info) {
    info->errorFromNode = nullptr;
    return hipGraphExecUpdate(exec, graph, &info->errorNode, &info->result);
}
#endif

}  // namespace hipify
