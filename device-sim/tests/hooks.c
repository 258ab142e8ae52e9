/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries that follow memory overwrite the code of mmap and munmap, as UCX does: a jump to their own function, which asks
 * the kernel. Devices opened before and after must go on, and the others' functions must still be called.
 */
#include "kit.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define LIBC "GLIBC_2.2.5"
#else
#define LIBC "GLIBC_2.17"
#endif

static unsigned mapped, unmapped;

static void *their_mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
    mapped++;
    return (void *)syscall(SYS_mmap, addr, length, prot, flags, fd, offset);
}

static int their_munmap(void *addr, size_t length)
{
    unmapped++;
    return (int)syscall(SYS_munmap, addr, length);
}

#define HOOKS 3
#define JUMP 16

static struct hook {
    const char *name;
    void *to, *at;
    uint8_t before[JUMP];
} hooks[HOOKS] = {{"mmap", their_mmap, NULL, {0}}, {"mmap64", their_mmap, NULL, {0}}, {"munmap", their_munmap, NULL, {0}}};

static void write_code(uint8_t *at, const uint8_t *code)
{
    uint8_t *page = (uint8_t *)((uintptr_t)at & ~4095ul);

    OK(mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC));
    memcpy(at, code, JUMP);
    __builtin___clear_cache((char *)at, (char *)at + JUMP);
    OK(mprotect(page, 8192, PROT_READ | PROT_EXEC));
}

static void hook(void)
{
    for (int i = 0; i < HOOKS; i++) {
        struct hook *h = &hooks[i];
        uint8_t jump[JUMP] = {0x48, 0xb8, [10] = 0xff, 0xe0}; /* mov to rax, jmp to it */
        Dl_info where;

        h->at = SOME(dlsym(RTLD_DEFAULT, h->name));
        if (!dladdr(h->at, &where) || !strstr(where.dli_fname, "libdevice_sim"))
            skip("another library stands in front of the simulator");
        memcpy(h->before, h->at, JUMP);
        memcpy(jump + 2, &h->to, sizeof h->to);
        memcpy(jump + 12, h->before + 12, JUMP - 12);
        write_code(h->at, jump);
    }
    mapped = unmapped = 0;
}

static void unhook(void)
{
    for (int i = 0; i < HOOKS; i++)
        if (hooks[i].at)
            write_code(hooks[i].at, hooks[i].before);
}

static void one_write(struct pair *p)
{
    struct ibv_sge sge = piece(&p->a, 0, 1000);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    fill(p->a.buf, 1000, (unsigned)p->a.qp->qp_num);
    to_remote(&wr, &p->b, 0);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    CHECK(!memcmp(p->a.buf, p->b.buf, 1000));
}

static void devices_go_on(void)
{
    struct pair *before, *after;

#if !defined __x86_64__
    skip("the jump is one of x86-64");
#endif
    before = make_pair(NULL);
    hook();
    one_write(before);
    after = make_pair(NULL); /* whose registers are mapped now */
    one_write(after);
    free_pair(before);
    free_pair(after);
    no_violations();
}

/* By who is bound to the C library's function, as all libraries are. */
static void theirs_are_called(void)
{
    __typeof__(mmap) *map = (__typeof__(mmap) *)SOME(dlvsym(RTLD_DEFAULT, "mmap", LIBC));
    __typeof__(munmap) *unmap = (__typeof__(munmap) *)SOME(dlvsym(RTLD_DEFAULT, "munmap", LIBC));
    void *at;

#if !defined __x86_64__
    skip("the jump is one of x86-64");
#endif
    hook();
    at = map(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(at != MAP_FAILED);
    EQ(mapped, 1);
    OK(unmap(at, 4096));
    EQ(unmapped, 1);
}

static const struct test_case cases[] = {
    {"devices-go-on", devices_go_on}, {"theirs-are-called", theirs_are_called}, {0},
};

int main(int argc, char **argv)
{
    after_case = unhook;
    return run_cases("hooks", cases, argc, argv);
}
