// Warps of one block have different work: one reduces, one scans, one votes, each with full masks, in a switch.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void roles(const int *in, int *out) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int v = in[threadIdx.x];
    switch (warp) {
        case 0: {
            int s = v;
            for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(0xffffffff, s, d);
            out[threadIdx.x] = s;
            break;
        }
        case 1: {
            int s = v;
            for (int d = 1; d < 32; d <<= 1) {
                int o = __shfl_up_sync(0xffffffff, s, d);
                if (lane >= d) s += o;
            }
            out[threadIdx.x] = s;
            break;
        }
        case 2:
            out[threadIdx.x] = (int)__ballot_sync(0xffffffff, v & 1);
            break;
        default:
            if (lane < 16) out[threadIdx.x] = __shfl_sync(0x0000ffff, v, 15 - lane);
            else out[threadIdx.x] = __shfl_sync(0xffff0000, v, 47 - lane);
    }
    __syncthreads();
    if (warp == 1) out[threadIdx.x] += out[0];
}

int main() {
    const int n = 128;
    int host[n], got[n], want[n], *in, *out, errors = 0;
    for (int i = 0; i < n; ++i) host[i] = i * i % 37;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    roles<<<1, n>>>(in, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    int sum = 0, scan = 0;
    unsigned odd = 0;
    for (int l = 0; l < 32; ++l) sum += host[l], odd |= (host[64 + l] & 1u) << l;
    for (int l = 0; l < 32; ++l) {
        want[l] = sum;
        want[32 + l] = (scan += host[32 + l]) + sum;
        want[64 + l] = (int)odd;
        want[96 + l] = l < 16 ? host[96 + 15 - l] : host[96 + 47 - l];
    }
    for (int i = 0; i < n; ++i) errors += got[i] != want[i];
    printf("errors %d\n", errors);
    return errors != 0;
}
