// cuda::atomic, cuda::atomic_ref and their scopes: std::atomic does not exist in device code.
// Source: libcu++ documentation, cuda::atomic; clang, __hip_atomic built-ins.
#if defined(__NVCC__)
#include <cuda/atomic>

namespace hipify {
using ::cuda::atomic;
using ::cuda::atomic_ref;
using ::cuda::atomic_thread_fence;
using ::cuda::memory_order;
using ::cuda::memory_order_acq_rel;
using ::cuda::memory_order_acquire;
using ::cuda::memory_order_consume;
using ::cuda::memory_order_relaxed;
using ::cuda::memory_order_release;
using ::cuda::memory_order_seq_cst;
using ::cuda::thread_scope;
using ::cuda::thread_scope_block;
using ::cuda::thread_scope_device;
using ::cuda::thread_scope_system;
using ::cuda::thread_scope_thread;
}  // namespace hipify
#else
#include <atomic>

namespace hipify {

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

/// Who sees an operation as one: all of the machine, the GPU, the block, the thread.
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

/// The operations on an object at an address; host code, which has no scopes, takes them all as the machine's.
template <class T, thread_scope Scope>
struct atomic_access {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    static constexpr int scope = Scope == thread_scope_system   ? __HIP_MEMORY_SCOPE_SYSTEM
                                 : Scope == thread_scope_device ? __HIP_MEMORY_SCOPE_AGENT
                                 : Scope == thread_scope_block  ? __HIP_MEMORY_SCOPE_WORKGROUP
                                                                : __HIP_MEMORY_SCOPE_SINGLETHREAD;
#endif

    /// The built-ins' number of an order.
    __host__ __device__ static constexpr int number(memory_order order) {
        return order == memory_order_relaxed   ? __ATOMIC_RELAXED
               : order == memory_order_consume ? __ATOMIC_CONSUME
               : order == memory_order_acquire ? __ATOMIC_ACQUIRE
               : order == memory_order_release ? __ATOMIC_RELEASE
               : order == memory_order_acq_rel ? __ATOMIC_ACQ_REL
                                                    : __ATOMIC_SEQ_CST;
    }
    /// The order of the load that a failed exchange is: without the release part.
    __host__ __device__ static constexpr memory_order of_failure(memory_order order) {
        return order == memory_order_acq_rel   ? memory_order_acquire
               : order == memory_order_release ? memory_order_relaxed
                                                    : order;
    }

    __host__ __device__ static T load(const T* object, memory_order order) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
        return __hip_atomic_load(object, number(order), scope);
#else
        T result;
        __atomic_load(const_cast<T*>(object), &result, number(order));
        return result;
#endif
    }
    __host__ __device__ static void store(T* object, T value, memory_order order) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
        __hip_atomic_store(object, value, number(order), scope);
#else
        __atomic_store(object, &value, number(order));
#endif
    }
    __host__ __device__ static T exchange(T* object, T value, memory_order order) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
        return __hip_atomic_exchange(object, value, number(order), scope);
#else
        T result;
        __atomic_exchange(object, &value, &result, number(order));
        return result;
#endif
    }
    __host__ __device__ static bool compare_exchange(
        T* object, T& expected, T value, memory_order success, memory_order failure) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
        return __hip_atomic_compare_exchange_strong(
            object, &expected, value, number(success), number(failure), scope);
#else
        return __atomic_compare_exchange(object, &expected, &value, false, number(success), number(failure));
#endif
    }
    /// Applies a function that has no instruction of its own; returns what was there before.
    template <class Function>
    __host__ __device__ static T update(T* object, memory_order order, Function function) {
        T old = load(object, memory_order_relaxed);
        while (!compare_exchange(object, old, function(old), order, of_failure(order))) {
        }
        return old;
    }
};

/// What atomic and atomic_ref have in common, also for volatile ones; Self says where the object is.
template <class Self, class T, thread_scope Scope>
class atomic_operations {
    using access = atomic_access<T, Scope>;
    __host__ __device__ T* object() const volatile { return static_cast<const volatile Self*>(this)->address(); }

public:
    using value_type = T;

    __host__ __device__ bool is_lock_free() const volatile { return sizeof(T) <= 8; }
    __host__ __device__ T load(memory_order order = memory_order_seq_cst) const volatile {
        return access::load(object(), order);
    }
    __host__ __device__ void store(T value, memory_order order = memory_order_seq_cst) const volatile {
        access::store(object(), value, order);
    }
    __host__ __device__ T exchange(T value, memory_order order = memory_order_seq_cst) const volatile {
        return access::exchange(object(), value, order);
    }
    __host__ __device__ bool compare_exchange_strong(
        T& expected, T value, memory_order success, memory_order failure) const volatile {
        return access::compare_exchange(object(), expected, value, success, failure);
    }
    __host__ __device__ bool compare_exchange_strong(
        T& expected, T value, memory_order order = memory_order_seq_cst) const volatile {
        return access::compare_exchange(object(), expected, value, order, access::of_failure(order));
    }
    __host__ __device__ bool compare_exchange_weak(
        T& expected, T value, memory_order success, memory_order failure) const volatile {
        return access::compare_exchange(object(), expected, value, success, failure);
    }
    __host__ __device__ bool compare_exchange_weak(
        T& expected, T value, memory_order order = memory_order_seq_cst) const volatile {
        return access::compare_exchange(object(), expected, value, order, access::of_failure(order));
    }

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define HIPIFY_FETCH(NAME, EXPRESSION)                                                                       \
    __host__ __device__ T fetch_##NAME(T value, memory_order order = memory_order_seq_cst) const volatile { \
        return __hip_atomic_fetch_##NAME(object(), value, access::number(order), access::scope);             \
    }
#else
#define HIPIFY_FETCH(NAME, EXPRESSION)                                                                       \
    __host__ __device__ T fetch_##NAME(T value, memory_order order = memory_order_seq_cst) const volatile { \
        return access::update(object(), order, [value](T old) { return static_cast<T>(EXPRESSION); });       \
    }
#endif
    HIPIFY_FETCH(add, old + value)
    HIPIFY_FETCH(and, old & value)
    HIPIFY_FETCH(or, old | value)
    HIPIFY_FETCH(xor, old ^ value)
    HIPIFY_FETCH(min, value < old ? value : old)
    HIPIFY_FETCH(max, old < value ? value : old)
#undef HIPIFY_FETCH
    __host__ __device__ T fetch_sub(T value, memory_order order = memory_order_seq_cst) const volatile {
        return fetch_add(static_cast<T>(-value), order);
    }

    __host__ __device__ operator T() const volatile { return load(); }
    __host__ __device__ T operator=(T value) const volatile {
        store(value);
        return value;
    }
    __host__ __device__ T operator++() const volatile { return fetch_add(T(1)) + T(1); }
    __host__ __device__ T operator++(int) const volatile { return fetch_add(T(1)); }
    __host__ __device__ T operator--() const volatile { return fetch_sub(T(1)) - T(1); }
    __host__ __device__ T operator--(int) const volatile { return fetch_sub(T(1)); }
    __host__ __device__ T operator+=(T value) const volatile { return fetch_add(value) + value; }
    __host__ __device__ T operator-=(T value) const volatile { return fetch_sub(value) - value; }
    __host__ __device__ T operator&=(T value) const volatile { return fetch_and(value) & value; }
    __host__ __device__ T operator|=(T value) const volatile { return fetch_or(value) | value; }
    __host__ __device__ T operator^=(T value) const volatile { return fetch_xor(value) ^ value; }

    /// Waits while the object has this value; a wavefront that waits for its own lanes waits for ever.
    __host__ __device__ void wait(T old, memory_order order = memory_order_seq_cst) const volatile {
        while (load(order) == old) {
        }
    }
    __host__ __device__ void notify_one() const volatile {}
    __host__ __device__ void notify_all() const volatile {}
};

/// cuda::atomic_ref: atomic operations on an object of somebody else's.
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public atomic_operations<atomic_ref<T, Scope>, T, Scope> {
    T* object_;

public:
    __host__ __device__ explicit atomic_ref(T& object) : object_(&object) {}
    __host__ __device__ T* address() const volatile { return const_cast<const atomic_ref*>(this)->object_; }
    using atomic_operations<atomic_ref<T, Scope>, T, Scope>::operator=;
};

/// cuda::atomic: an object that is only used atomically.
template <class T, thread_scope Scope = thread_scope_system>
class atomic : public atomic_operations<atomic<T, Scope>, T, Scope> {
    mutable T object_;

public:
    atomic() = default;
    __host__ __device__ constexpr atomic(T value) : object_(value) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;
    __host__ __device__ T* address() const volatile { return const_cast<T*>(&object_); }
    using atomic_operations<atomic<T, Scope>, T, Scope>::operator=;
};

/// cuda::atomic_thread_fence, with the strongest order whatever was asked for.
__host__ __device__ inline void atomic_thread_fence(memory_order, thread_scope scope = thread_scope_system) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    if (scope == thread_scope_system) {
        __threadfence_system();
    } else if (scope == thread_scope_device) {
        __threadfence();
    } else if (scope == thread_scope_block) {
        __threadfence_block();
    }
#else
    (void)scope;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

}  // namespace hipify
#endif
