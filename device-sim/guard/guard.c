/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that the RDMA libraries have given back is never used again, and can't be accessed: whoever still reads or
 * writes
 * it gets SIGSEGV at once. Preloaded by `run --guard`; knows nothing of the simulator.
 *
 * What libibverbs and the vendors' libraries allocate lies in pages of its own, its end against a page without access.
 * When
 * they free it, or unmap what a device has lent, the pages stay where they are, without access. All other callers get
 * the C
 * library's memory.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)
#define PAGE ((size_t)4096)
#define ROOM ((size_t)1 << 37)
#define CALLERS 4096

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *at, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *at);

static _Atomic uintptr_t arena; /* ROOM bytes without access, given out once */
static _Atomic size_t given;
static uint32_t *pages; /* of the chunk that begins at a page: how many it has; 0: none, or it was freed */
static _Atomic uintptr_t callers[CALLERS]; /* return addresses that were looked up */

static bool is_rdma(const char *file)
{
    static const char *const names[] = {"libibverbs", "libmlx5", "libefa", "libhbl", "librxe", "librdmacm"};
    const char *name = strrchr(file, '/');

    name = name ? name + 1 : file;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(name, names[i], strlen(names[i])))
            return true;
    return false;
}

/* Whether code of the RDMA libraries calls. Looked up once for each place in the code: the answer is kept in the
 * upper bit. */
static bool is_watched(void *caller)
{
    const uintptr_t yes = (uintptr_t)1 << 63;
    uintptr_t place = (uintptr_t)caller;
    _Atomic uintptr_t *slot = &callers[(place ^ place >> 12) % CALLERS];
    uintptr_t known = atomic_load_explicit(slot, memory_order_relaxed);
    Dl_info info;
    bool rdma;

    if ((known & ~yes) == place)
        return known & yes;
    rdma = dladdr(caller, &info) && info.dli_fname && is_rdma(info.dli_fname);
    atomic_store_explicit(slot, place | (rdma ? yes : 0), memory_order_relaxed);
    return rdma;
}

static void *reserve(size_t size)
{
    void *at = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

__attribute__((constructor)) static void begin(void)
{
    void *table = reserve(ROOM / PAGE * sizeof *pages), *room = reserve(ROOM);

    if (!table || !room || mprotect(table, ROOM / PAGE * sizeof *pages, PROT_READ | PROT_WRITE)) {
        fputs("guard: there is no address space\n", stderr);
        abort();
    }
    pages = table;
    arena = (uintptr_t)room;
}

static bool is_ours(const void *at)
{
    uintptr_t begins = atomic_load_explicit(&arena, memory_order_relaxed);

    return begins && (uintptr_t)at - begins < ROOM;
}

/* Zeros, since the pages are new. */
static void *take(size_t alignment, size_t size)
{
    size_t n, offset, usable;
    char *begins;

    if (alignment < 16)
        alignment = 16;
    if (size > ROOM / 2 || alignment > PAGE) {
        errno = ENOMEM;
        return NULL;
    }
    usable = ((size ? size : 1) + alignment - 1) / alignment * alignment;
    n = (usable + PAGE - 1) / PAGE;
    offset = atomic_fetch_add(&given, (n + 1) * PAGE);
    begins = (char *)arena + offset;
    if (offset + (n + 1) * PAGE > ROOM || mprotect(begins, n * PAGE, PROT_READ | PROT_WRITE)) {
        errno = ENOMEM;
        return NULL;
    }
    pages[offset / PAGE] = (uint32_t)n;
    return begins + n * PAGE - usable;
}

static void close_pages(void *at, size_t size)
{
    if (mmap(at, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
        mprotect(at, size, PROT_NONE); /* too many mappings: its memory is kept, too */
}

static void give_back(void *at)
{
    size_t page = ((uintptr_t)at - arena) / PAGE, n = pages[page];

    if (!n) {
        fprintf(stderr, "guard: %p is freed twice, or was never allocated\n", at);
        abort();
    }
    pages[page] = 0;
    close_pages((char *)arena + page * PAGE, n * PAGE);
}

EXPORT void *malloc(size_t size)
{
    return arena && is_watched(CALLER) ? take(0, size) : __libc_malloc(size);
}

EXPORT void *calloc(size_t n, size_t size)
{
    size_t all;

    if (!arena || !is_watched(CALLER) || __builtin_mul_overflow(n, size, &all))
        return __libc_calloc(n, size);
    return take(0, all);
}

EXPORT int posix_memalign(void **at, size_t alignment, size_t size)
{
    int before = errno, error;

    *at = arena && is_watched(CALLER) ? take(alignment, size) : __libc_memalign(alignment, size);
    error = *at ? 0 : errno;
    errno = before;
    return error;
}

EXPORT void free(void *at)
{
    if (is_ours(at))
        give_back(at);
    else
        __libc_free(at);
}

EXPORT void *realloc(void *at, size_t size)
{
    size_t page, had;
    void *to;

    if (!is_ours(at))
        return __libc_realloc(at, size);
    page = ((uintptr_t)at - arena) / PAGE;
    had = (page + pages[page]) * PAGE - ((uintptr_t)at - arena);
    to = take(0, size);
    if (to) {
        memcpy(to, at, had < size ? had : size);
        give_back(at);
    }
    return to;
}

/* What a device has lent. Its place is taken anew at once, so that nobody else gets it. */
EXPORT int munmap(void *at, size_t size)
{
    static int (*next)(void *, size_t);
    int error;

    if (!next)
        next = (int (*)(void *, size_t))dlsym(RTLD_NEXT, "munmap");
    error = next(at, size);
    if (!error && is_watched(CALLER))
        mmap(at, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    return error;
}
