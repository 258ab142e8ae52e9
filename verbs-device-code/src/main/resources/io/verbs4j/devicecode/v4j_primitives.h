/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The primitives for which C has no portable form: byte order, atomics that other processors and devices see, and
 * stores to registers. There is one section per language; everything else builds on these. Nothing is included.
 *
 * Loads acquire and stores release for the whole system: the host, the device, other GPUs. v4j_order() makes all
 * earlier stores, even to write-combining memory, reach memory and registers before later ones.
 */
#ifndef V4J_PRIMITIVES_H
#define V4J_PRIMITIVES_H

typedef unsigned char v4j_u8;
typedef unsigned short v4j_u16;
typedef unsigned int v4j_u32;
typedef unsigned long long v4j_u64;

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "verbs4j's device code needs compute capability 7.0: threads of a warp wait for each other"
#endif

#define V4J_FN static __device__ __forceinline__

V4J_FN v4j_u32 v4j_swap32(v4j_u32 x) {
    return __byte_perm(x, 0, 0x0123);
}

V4J_FN v4j_u64 v4j_swap64(v4j_u64 x) {
    return (v4j_u64)v4j_swap32((v4j_u32)x) << 32 | v4j_swap32((v4j_u32)(x >> 32));
}

V4J_FN v4j_u32 v4j_load8(const void *at) {
    v4j_u32 x;
    asm volatile("ld.acquire.sys.global.u8 %0, [%1];" : "=r"(x) : "l"(at) : "memory");
    return x;
}

V4J_FN v4j_u32 v4j_load32(const void *at) {
    v4j_u32 x;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(x) : "l"(at) : "memory");
    return x;
}

V4J_FN v4j_u64 v4j_load64(const void *at) {
    v4j_u64 x;
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(x) : "l"(at) : "memory");
    return x;
}

V4J_FN void v4j_store32(void *at, v4j_u32 x) {
    asm volatile("st.release.sys.global.u32 [%0], %1;" : : "l"(at), "r"(x) : "memory");
}

V4J_FN void v4j_store64(void *at, v4j_u64 x) {
    asm volatile("st.release.sys.global.u64 [%0], %1;" : : "l"(at), "l"(x) : "memory");
}

/* Replaces `was` by x. Returns whether `was` was there. */
V4J_FN int v4j_swap_if32(void *at, v4j_u32 was, v4j_u32 x) {
    v4j_u32 seen;
    asm volatile("atom.acq_rel.sys.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(seen)
                 : "l"(at), "r"(was), "r"(x)
                 : "memory");
    return seen == was;
}

V4J_FN int v4j_swap_if64(void *at, v4j_u64 was, v4j_u64 x) {
    v4j_u64 seen;
    asm volatile("atom.acq_rel.sys.global.cas.b64 %0, [%1], %2, %3;"
                 : "=l"(seen)
                 : "l"(at), "l"(was), "l"(x)
                 : "memory");
    return seen == was;
}

/* Stores to a register of a device, in one access of that size. */
V4J_FN void v4j_register32(v4j_u64 at, v4j_u32 x) {
    asm volatile("st.mmio.relaxed.sys.global.u32 [%0], %1;" : : "l"(at), "r"(x) : "memory");
}

V4J_FN void v4j_register64(v4j_u64 at, v4j_u64 x) {
    asm volatile("st.mmio.relaxed.sys.global.u64 [%0], %1;" : : "l"(at), "l"(x) : "memory");
}

V4J_FN void v4j_order(void) {
    asm volatile("fence.acq_rel.sys;" : : : "memory");
}

V4J_FN void v4j_pause(void) {
    __nanosleep(20);
}

#elif defined(__GNUC__)

#define V4J_FN static inline __attribute__((unused))

V4J_FN v4j_u32 v4j_swap32(v4j_u32 x) {
    return __builtin_bswap32(x);
}

V4J_FN v4j_u64 v4j_swap64(v4j_u64 x) {
    return __builtin_bswap64(x);
}

V4J_FN v4j_u32 v4j_load8(const void *at) {
    return __atomic_load_n((const v4j_u8 *)at, __ATOMIC_ACQUIRE);
}

V4J_FN v4j_u32 v4j_load32(const void *at) {
    return __atomic_load_n((const v4j_u32 *)at, __ATOMIC_ACQUIRE);
}

V4J_FN v4j_u64 v4j_load64(const void *at) {
    return __atomic_load_n((const v4j_u64 *)at, __ATOMIC_ACQUIRE);
}

V4J_FN void v4j_store32(void *at, v4j_u32 x) {
    __atomic_store_n((v4j_u32 *)at, x, __ATOMIC_RELEASE);
}

V4J_FN void v4j_store64(void *at, v4j_u64 x) {
    __atomic_store_n((v4j_u64 *)at, x, __ATOMIC_RELEASE);
}

/* Replaces `was` by x. Returns whether `was` was there. */
V4J_FN int v4j_swap_if32(void *at, v4j_u32 was, v4j_u32 x) {
    return __atomic_compare_exchange_n((v4j_u32 *)at, &was, x, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

V4J_FN int v4j_swap_if64(void *at, v4j_u64 was, v4j_u64 x) {
    return __atomic_compare_exchange_n((v4j_u64 *)at, &was, x, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Stores to a register of a device, in one access of that size. */
V4J_FN void v4j_register32(v4j_u64 at, v4j_u32 x) {
    *(volatile v4j_u32 *)at = x;
}

V4J_FN void v4j_register64(v4j_u64 at, v4j_u64 x) {
    *(volatile v4j_u64 *)at = x;
}

V4J_FN void v4j_order(void) {
#if defined(__x86_64__)
    __asm__ __volatile__("sfence" : : : "memory");
#elif defined(__aarch64__)
    __asm__ __volatile__("dmb oshst" : : : "memory");
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

V4J_FN void v4j_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield" : : : "memory");
#endif
}

#else
#error "verbs4j's device code is written for GNU C and for CUDA"
#endif

#endif
