// Places for strings of many lengths: a scan of the lengths, carried from warp to warp.
#include "warp_traits.cuh"
#include "lengths.h"

using device::Warp;

__global__ void place(const int *lengths, int n, int *places, Warp::Mask *empty) {
    int carry = 0;
    for (int base = 0; base < n; base += Warp::kLanes) {
        const int i = base + device::lane();
        const int mine = i < n ? lengths[i] : 0;
        const int sum = device::prefix_sum(mine);
        if (i < n) places[i] = carry + sum - mine;
        carry += device::broadcast(sum);
        const auto zero = device::votes(i < n && mine == 0);
        if (device::lane() == 0) empty[base / Warp::kLanes] = zero;
    }
}

void place_strings(const int *lengths, int n, int *places, unsigned *empty) {
    place<<<1, Warp::kLanes>>>(lengths, n, places, empty);
}
