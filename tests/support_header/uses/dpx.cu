#include "hipify_support.hpp"

__global__ void use(unsigned* u, int* s, bool* first) {
    *s ^= hipify::viaddmax_s32(s[1], s[2], s[3]);
    *s ^= hipify::vimax3_s32(s[1], s[2], s[3]);
    *s ^= hipify::viaddmax_s32_relu(s[1], s[2], s[3]);
    *s ^= hipify::vimax3_s32_relu(s[1], s[2], s[3]);
    *u ^= hipify::viaddmax_u32(u[1], u[2], u[3]);
    *u ^= hipify::vimax3_u32(u[1], u[2], u[3]);
    *u ^= hipify::viaddmax_s16x2(u[1], u[2], u[3]);
    *u ^= hipify::vimax3_s16x2(u[1], u[2], u[3]);
    *u ^= hipify::viaddmax_s16x2_relu(u[1], u[2], u[3]);
    *u ^= hipify::vimax3_s16x2_relu(u[1], u[2], u[3]);
    *u ^= hipify::viaddmax_u16x2(u[1], u[2], u[3]);
    *u ^= hipify::vimax3_u16x2(u[1], u[2], u[3]);
    *s ^= hipify::viaddmin_s32(s[1], s[2], s[3]);
    *s ^= hipify::vimin3_s32(s[1], s[2], s[3]);
    *s ^= hipify::viaddmin_s32_relu(s[1], s[2], s[3]);
    *s ^= hipify::vimin3_s32_relu(s[1], s[2], s[3]);
    *u ^= hipify::viaddmin_u32(u[1], u[2], u[3]);
    *u ^= hipify::vimin3_u32(u[1], u[2], u[3]);
    *u ^= hipify::viaddmin_s16x2(u[1], u[2], u[3]);
    *u ^= hipify::vimin3_s16x2(u[1], u[2], u[3]);
    *u ^= hipify::viaddmin_s16x2_relu(u[1], u[2], u[3]);
    *u ^= hipify::vimin3_s16x2_relu(u[1], u[2], u[3]);
    *u ^= hipify::viaddmin_u16x2(u[1], u[2], u[3]);
    *u ^= hipify::vimin3_u16x2(u[1], u[2], u[3]);
    *s ^= hipify::vimax_s32_relu(s[1], s[2]);
    *u ^= hipify::vimax_s16x2_relu(u[1], u[2]);
    *s ^= hipify::vimin_s32_relu(s[1], s[2]);
    *u ^= hipify::vimin_s16x2_relu(u[1], u[2]);
    *s ^= hipify::vibmax_s32(s[1], s[2], first);
    *u ^= hipify::vibmax_u32(u[1], u[2], first);
    *s ^= hipify::vibmin_s32(s[1], s[2], first);
    *u ^= hipify::vibmin_u32(u[1], u[2], first);
    *u ^= hipify::vibmax_s16x2(u[1], u[2], first, first + 1);
    *u ^= hipify::vibmax_u16x2(u[1], u[2], first, first + 1);
    *u ^= hipify::vibmin_s16x2(u[1], u[2], first, first + 1);
    *u ^= hipify::vibmin_u16x2(u[1], u[2], first, first + 1);
}
