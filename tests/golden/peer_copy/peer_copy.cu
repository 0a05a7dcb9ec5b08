/*
 * Sends a buffer around between two devices, directly where they can reach each
 * other.  With a single device both ends are that device, and the result is the
 * same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hip/hip_runtime.h>

#define COUNT (1 << 18)

static void die_if(hipError_t err, const char *what)
{
    if (err != hipSuccess) {
        fprintf(stderr, "%s: %s (%s)\n", what, hipGetErrorString(err), hipGetErrorName(err));
        exit(1);
    }
}

struct end {
    int device;
    unsigned *data;
    hipStream_t stream;
    hipEvent_t done;
};

__global__ void step(unsigned *v, unsigned n, unsigned add)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i] = v[i] * 1664525u + add;
}

static void open_end(struct end *e, int device)
{
    e->device = device;
    die_if(hipSetDevice(device), "cudaSetDevice");
    die_if(hipMalloc((void **)&e->data, COUNT * sizeof(unsigned)), "cudaMalloc");
    die_if(hipStreamCreateWithFlags(&e->stream, hipStreamNonBlocking), "stream");
    die_if(hipEventCreateWithFlags(&e->done, hipEventDisableTiming), "event");
}

static void close_end(struct end *e)
{
    die_if(hipSetDevice(e->device), "cudaSetDevice");
    die_if(hipEventDestroy(e->done), "event");
    die_if(hipStreamDestroy(e->stream), "stream");
    die_if(hipFree(e->data), "cudaFree");
}

/* Lets "from" read and write the memory of "to", if the hardware can. */
static void connect(int from, int to)
{
    int can = 0;
    if (from == to)
        return;
    die_if(hipDeviceCanAccessPeer(&can, from, to), "cudaDeviceCanAccessPeer");
    if (!can)
        return; /* the copies then go through the host */
    die_if(hipSetDevice(from), "cudaSetDevice");
    hipError_t err = hipDeviceEnablePeerAccess(to, 0);
    if (err == hipErrorPeerAccessAlreadyEnabled) {
        hipGetLastError(); /* no error for us: clear it */
        return;
    }
    die_if(err, "cudaDeviceEnablePeerAccess");
}

/* One step on the sender, then the copy; the receiver's stream waits for it. */
static void pass_on(struct end *from, struct end *to, unsigned add)
{
    die_if(hipSetDevice(from->device), "cudaSetDevice");
    hipLaunchKernelGGL(step, dim3(COUNT / 256), dim3(256), 0, from->stream, from->data, COUNT, add);
    die_if(hipGetLastError(), "step");
    die_if(hipMemcpyPeerAsync(to->data, to->device, from->data, from->device,
                               COUNT * sizeof(unsigned), from->stream), "cudaMemcpyPeerAsync");
    die_if(hipEventRecord(from->done, from->stream), "record");
    die_if(hipSetDevice(to->device), "cudaSetDevice");
    die_if(hipStreamWaitEvent(to->stream, from->done, 0), "wait");
}

/*
 * How another process would be given the buffer.  Not called: a process cannot
 * open its own handle, and there is no second process here.
 */
hipError_t export_buffer(unsigned *data, hipIpcMemHandle_t *handle)
{
    return hipIpcGetMemHandle(handle, data);
}

hipError_t import_buffer(hipIpcMemHandle_t handle, unsigned **data)
{
    return hipIpcOpenMemHandle((void **)data, handle, hipIpcMemLazyEnablePeerAccess);
}

hipError_t drop_buffer(unsigned *data)
{
    return hipIpcCloseMemHandle(data);
}

int main(void)
{
    struct end a, b;
    int devices = 0, back = -1, wrong = 0, round;
    const int rounds = 5;
    char bus[32];
    struct hipPointerAttribute_t where;
    unsigned *host = (unsigned *)malloc(COUNT * sizeof(unsigned));
    unsigned i, mix = 0;

    die_if(hipGetDeviceCount(&devices), "cudaGetDeviceCount");
    if (!host || devices < 1)
        return 1;

    open_end(&a, 0);
    open_end(&b, devices > 1 ? 1 : 0);
    connect(a.device, b.device);
    connect(b.device, a.device);

    /* a device can be found again by its place on the bus */
    die_if(hipDeviceGetPCIBusId(bus, (int)sizeof bus, b.device), "bus id");
    die_if(hipDeviceGetByPCIBusId(&back, bus), "by bus id");
    wrong += back != b.device;
    die_if(hipPointerGetAttributes(&where, b.data), "pointer attributes");
    wrong += where.device != b.device || where.devicePointer != b.data;

    for (i = 0; i < COUNT; i++)
        host[i] = i;
    die_if(hipSetDevice(a.device), "cudaSetDevice");
    die_if(hipMemcpy(a.data, host, COUNT * sizeof(unsigned), hipMemcpyHostToDevice), "upload");
    die_if(hipDeviceSynchronize(), "upload");

    for (round = 0; round < rounds; round++) {
        pass_on(&a, &b, 2 * round + 1);
        pass_on(&b, &a, 2 * round + 2);
    }
    die_if(hipSetDevice(a.device), "cudaSetDevice");
    die_if(hipStreamSynchronize(a.stream), "synchronize");

    /* and once more with the call that needs no stream */
    die_if(hipMemcpyPeer(b.data, b.device, a.data, a.device, COUNT * sizeof(unsigned)), "cudaMemcpyPeer");
    die_if(hipDeviceSynchronize(), "synchronize");
    memset(host, 0, COUNT * sizeof(unsigned));
    die_if(hipSetDevice(b.device), "cudaSetDevice");
    die_if(hipMemcpy(host, b.data, COUNT * sizeof(unsigned), hipMemcpyDeviceToHost), "download");

    for (i = 0; i < COUNT; i++) {
        unsigned want = i;
        for (round = 1; round <= 2 * rounds; round++)
            want = want * 1664525u + (unsigned)round;
        wrong += host[i] != want;
        mix ^= host[i] + i;
    }
    printf("values %d passes %d\n", COUNT, 2 * rounds + 1);
    printf("mix %08x wrong %d\n", mix, wrong);

    close_end(&b);
    close_end(&a);
    free(host);
    puts(wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
