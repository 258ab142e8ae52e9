/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Mapping what a device lends. Libraries that follow memory, as UCX does, overwrite the beginning of the functions that they
 * find by the names mmap and munmap, which are ours, with a jump to their own; those then ask the kernel directly. So there
 * are two of each here: one that is found by its name, and may be overwritten, and one that programs and libraries are bound
 * to, as they want the function in the C library's version. The second one looks for devices, and calls the first.
 */
#include <errno.h>
#include <sys/mman.h>

#include "interpose.h"

#if defined __x86_64__
#define LIBC "GLIBC_2.2.5"
#else
#define LIBC "GLIBC_2.17"
#endif

/* `bound` is what programs are bound to that want `name` of the C library. */
#define BINDS(bound, name) __asm__(".symver " #bound "," #name "@" LIBC)

/* By these a function's own code is called, whatever it has become, and whoever stands in front of us. */
#define ITSELF(of) extern __typeof__(of) own_##of __attribute__((alias(#of), visibility("hidden"), nothrow, leaf))

/* Where a thread is the device, it looks at any time, and so must not miss what is overwritten. */
static bool is_watched(enum sim_watch kind)
{
    if (kind == SIM_WATCH_NOTHING || kind == SIM_WATCH_REGISTERS || kind == SIM_WATCH_OPERATIONS)
        return kind != SIM_WATCH_NOTHING;
    return sim_config.watch || (kind == SIM_WATCH_REQUESTS && sim_config.thread && !sim_config.no_watch && sim_can_watch());
}

static void *map_device(struct sim_context *ctx, void *addr, size_t length, int prot, int flags, off_t offset)
{
    int fd = -1, error;
    enum sim_watch kind;
    off_t at = 0;

    sim_enter();
    error = ctx->dev->vendor->map(ctx, offset, length, prot, &fd, &at);
    sim_leave();
    if (error) {
        errno = sim_refuse(ctx, error, "mmap of offset 0x%llx, %zu bytes", (unsigned long long)offset, length);
        return MAP_FAILED;
    }
    addr = NEXT(mmap)(addr, length, prot, flags, fd, at);
    kind = ctx->dev->vendor->watch ? ctx->dev->vendor->watch(ctx, offset) : SIM_WATCH_NOTHING;
    if (is_watched(kind))
        sim_watch_begin(ctx, addr, length, offset, kind);
    return addr;
}

/* -- found by their names ---------------------------------------------------------------------- */

EXPORT __attribute__((noinline)) void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
    struct sim_context *ctx = sim_fd_get(fd, SIM_FD_CONTEXT);

    return ctx ? map_device(ctx, addr, length, prot, flags, offset) : NEXT(mmap)(addr, length, prot, flags, fd, offset);
}

EXPORT __attribute__((noinline)) void *mmap64(void *addr, size_t length, int prot, int flags, int fd, off64_t offset)
{
    struct sim_context *ctx = sim_fd_get(fd, SIM_FD_CONTEXT);

    return ctx ? map_device(ctx, addr, length, prot, flags, offset) : NEXT(mmap64)(addr, length, prot, flags, fd,
        offset);
}

EXPORT __attribute__((noinline)) int munmap(void *addr, size_t length)
{
    sim_watch_end(addr, length);
    return NEXT(munmap)(addr, length);
}

ITSELF(mmap);
ITSELF(mmap64);
ITSELF(munmap);

/* -- bound to ---------------------------------------------------------------------------------- */

EXPORT __typeof__(mmap) sim_bound_mmap;
EXPORT __typeof__(mmap64) sim_bound_mmap64;
EXPORT __typeof__(munmap) sim_bound_munmap;
BINDS(sim_bound_mmap, mmap);
BINDS(sim_bound_mmap64, mmap64);
BINDS(sim_bound_munmap, munmap);

void *sim_bound_mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
    struct sim_context *ctx = sim_fd_get(fd, SIM_FD_CONTEXT);

    return ctx ? map_device(ctx, addr, length, prot, flags, offset) : own_mmap(addr, length, prot, flags, fd, offset);
}

void *sim_bound_mmap64(void *addr, size_t length, int prot, int flags, int fd, off64_t offset)
{
    struct sim_context *ctx = sim_fd_get(fd, SIM_FD_CONTEXT);

    return ctx ? map_device(ctx, addr, length, prot, flags, offset) : own_mmap64(addr, length, prot, flags, fd, offset);
}

int sim_bound_munmap(void *addr, size_t length)
{
    sim_watch_end(addr, length);
    return own_munmap(addr, length);
}
