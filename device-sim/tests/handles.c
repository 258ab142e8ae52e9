/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * What newer libraries ask for by handles: hints for the bus, pages of other kinds, register pages that are exported.
 */
#include "kit.h"
#include "raw_command.h"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>
#include <rdma/mlx5_user_ioctl_cmds.h>

enum { DMAH = 17, ALLOC = 0, FREE = 1, CPU = 1, MEMORY = 2, HINT = 3 };
enum { REG_MR = 5, REG_PD = 1, REG_DMAH, REG_IOVA, REG_ADDR, REG_LENGTH, REG_ACCESS, REG_LKEY = 9, REG_RKEY };

/* 0 or an errno. A processor or a kind of memory that is negative is left out. */
static int alloc_handle(struct ibv_context *ctx, int cpu, int memory, int hint, uint32_t *handle)
{
    struct ib_uverbs_attr attrs[4] = {number(0, 0, 0), number(HINT, 1, (uint64_t)hint)};
    unsigned n = 2;

    if (cpu >= 0)
        attrs[n++] = number(CPU, 4, (uint64_t)cpu);
    if (memory >= 0) {
        attrs[n] = number(MEMORY, 0, 0);
        attrs[n++].attr_data.enum_data.elem_id = (uint8_t)memory;
    }
    if (raw_command(ctx, DMAH, ALLOC, attrs, n))
        return errno;
    *handle = (uint32_t)attrs[0].data;
    return 0;
}

static int free_handle(struct ibv_context *ctx, uint32_t handle)
{
    struct ib_uverbs_attr attr = number(0, 0, handle);

    return raw_command(ctx, DMAH, FREE, &attr, 1) ? errno : 0;
}

/* A processor that this process may run on. */
static int allowed(void)
{
    cpu_set_t may;
    int cpu = 0;

    OK(sched_getaffinity(0, sizeof may, &may));
    while (!CPU_ISSET(cpu, &may))
        cpu++;
    return cpu;
}

static void hints(void)
{
    struct ibv_context *ctx = open_nth(0);
    uint32_t a, b, c;
    int cpu = allowed();

    OK(alloc_handle(ctx, -1, -1, 3, &a));
    OK(alloc_handle(ctx, cpu, 1, 0, &b));
    OK(alloc_handle(ctx, cpu, 0, 2, &c));
    CHECK(a != b && b != c);
    EQ(alloc_handle(ctx, -1, -1, 4, &a), EINVAL);
    EQ(alloc_handle(ctx, cpu, 2, 0, &a), EINVAL);
    EQ(alloc_handle(ctx, cpu, -1, 0, &a), EINVAL);
    EQ(alloc_handle(ctx, -1, 0, 0, &a), EINVAL);
    EQ(alloc_handle(ctx, 0xffff, 0, 0, &a), EPERM);
    OK(free_handle(ctx, b));
    EQ(free_handle(ctx, b), EINVAL);
    OK(free_handle(ctx, c));
    OK(free_handle(ctx, a));
    OK(ibv_close_device(ctx));
}

/* 0 or an errno; the region's handle and key. */
static int reg(struct ibv_pd *pd, uint8_t *at, uint32_t access, uint32_t dma, uint32_t *handle, uint32_t *key)
{
    uint64_t iova = (uintptr_t)at;
    uint32_t rkey = 0;
    struct ib_uverbs_attr attrs[] = {number(0, 0, 0), number(REG_PD, 0, pd->handle), number(REG_DMAH, 0, dma),
        number(REG_IOVA, 8, iova), number(REG_ADDR, 8, iova), number(REG_LENGTH, 8, 4096), number(REG_ACCESS, 4,
            access),
        pointed(REG_LKEY, key, 4), pointed(REG_RKEY, &rkey, 4)};

    if (raw_command(pd->context, UVERBS_OBJECT_MR, REG_MR, attrs, sizeof attrs / sizeof *attrs))
        return errno;
    *handle = (uint32_t)attrs[0].data;
    return 0;
}

/* A region that was registered with hints is one like any, and the hints stay as long as it does. */
static void region_with_hints(void)
{
    struct pair *p = make_pair(NULL);
    struct ib_uverbs_attr dereg = number(0, 0, 0);
    struct ibv_sge from = piece(&p->a, 0, 100);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &from);
    uint32_t dma, handle, key;

    OK(alloc_handle(p->ctx, -1, -1, 1, &dma));
    EQ(reg(p->pd, p->b.buf, IBV_ACCESS_LOCAL_WRITE, dma + 1000, &handle, &key), EINVAL);
    EQ(reg(p->pd, p->b.buf, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ON_DEMAND, dma, &handle, &key), EOPNOTSUPP);
    OK(reg(p->pd, p->b.buf, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE, dma, &handle, &key));
    EQ(free_handle(p->ctx, dma), EBUSY);
    fill(p->a.buf, 100, 4);
    to_remote(&wr, &p->b, 50);
    wr.wr.rdma.rkey = key;
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_RDMA_WRITE);
    CHECK(!memcmp(p->a.buf, p->b.buf + 50, 100));
    dereg.data = handle;
    OK(raw_command(p->ctx, UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY, &dereg, 1));
    OK(free_handle(p->ctx, dma));
    no_violations();
    free_pair(p);
}

/* -- pages ------------------------------------------------------------------------------------- */

struct var {
    uint64_t at;
    uint32_t length, page, handle;
};

static int alloc_var(struct ibv_context *ctx, uint32_t flags, struct var *v)
{
    struct ib_uverbs_attr attrs[] = {number(MLX5_IB_ATTR_VAR_OBJ_ALLOC_HANDLE, 0, 0),
        pointed(MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_OFFSET, &v->at, 8), pointed(MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_LENGTH,
            &v->length, 4),
        pointed(MLX5_IB_ATTR_VAR_OBJ_ALLOC_PAGE_ID, &v->page, 4), number(MLX5_IB_ATTR_VAR_OBJ_ALLOC_PAGE_ID + 1, 4,
            flags)};

    if (raw_command(ctx, MLX5_IB_OBJECT_VAR, MLX5_IB_METHOD_VAR_OBJ_ALLOC, attrs, 5))
        return errno;
    v->handle = (uint32_t)attrs[0].data;
    return 0;
}

static void free_var(struct ibv_context *ctx, const struct var *v)
{
    struct ib_uverbs_attr attr = number(MLX5_IB_ATTR_VAR_OBJ_DESTROY_HANDLE, 0, v->handle);

    OK(raw_command(ctx, MLX5_IB_OBJECT_VAR, MLX5_IB_METHOD_VAR_OBJ_DESTROY, &attr, 1));
}

/* Pages of both kinds: each is its own memory, and there are fewer of the second. */
static void pages(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct var usual, tlp[5];
    uint8_t *a, *b;
    unsigned n = 0;

    OK(alloc_var(ctx, 0, &usual));
    EQ(alloc_var(ctx, 2, &tlp[0]), EINVAL);
    while (n < 5 && !alloc_var(ctx, 1, &tlp[n]))
        n++;
    EQ(n, 4);
    EQ(errno, ENOMEM);
    CHECK(tlp[0].at != usual.at && tlp[1].at != tlp[0].at);
    EQ(usual.length, tlp[0].length);
    a = mmap(NULL, usual.length, PROT_READ | PROT_WRITE, MAP_SHARED, ctx->cmd_fd, (off_t)usual.at);
    b = mmap(NULL, usual.length, PROT_READ | PROT_WRITE, MAP_SHARED, ctx->cmd_fd, (off_t)tlp[0].at);
    CHECK(a != MAP_FAILED && b != MAP_FAILED);
    a[0] = 1;
    b[0] = 2;
    EQ(a[0], 1);
    munmap(a, usual.length);
    munmap(b, usual.length);
    free_var(ctx, &tlp[0]);
    CHECK(mmap(NULL, 4096, PROT_READ, MAP_SHARED, ctx->cmd_fd, (off_t)tlp[0].at) == MAP_FAILED);
    OK(alloc_var(ctx, 1, &tlp[0]));
    free_var(ctx, &usual);
    for (n = 0; n < 4; n++)
        free_var(ctx, &tlp[n]);
    OK(ibv_close_device(ctx));
}

/* 0 or an errno. */
static int export(struct ibv_context *ctx, uint64_t at, int *fd)
{
    struct ib_uverbs_attr attrs[2] = {number(0, 0, 0), number(1, 8, at)};

    if (raw_command(ctx, 18, 0, attrs, 2))
        return errno;
    *fd = (int)attrs[0].data_s64;
    return 0;
}

static uint64_t alloc_uar(struct ibv_context *ctx, uint32_t *handle)
{
    uint64_t at;
    uint32_t length, page;
    struct ib_uverbs_attr attrs[] = {number(MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE, 0, 0),
        number(MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE, 8, 1),
        pointed(MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET, &at, 8), pointed(MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH,
            &length, 4),
        pointed(MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID, &page, 4)};

    OK(raw_command(ctx, MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_ALLOC, attrs, 5));
    *handle = (uint32_t)attrs[0].data;
    return at;
}

static void free_uar(struct ibv_context *ctx, uint32_t handle)
{
    struct ib_uverbs_attr attr = number(MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE, 0, handle);

    OK(raw_command(ctx, MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_DESTROY, &attr, 1));
}

static volatile uint64_t *map(int fd, uint64_t at)
{
    void *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)at);

    CHECK(map != MAP_FAILED);
    return map;
}

/* A register page alone, also when it was given back. */
static void register_page(void)
{
    struct ibv_context *ctx = open_nth(0);
    uint32_t handle, other;
    uint64_t at = alloc_uar(ctx, &handle), other_at = alloc_uar(ctx, &other);
    volatile uint64_t *one = map(ctx->cmd_fd, at), *two = map(ctx->cmd_fd, other_at), *exported, *next;
    int fd;

    OK(export(ctx, at, &fd));
    EQ(lseek(fd, 0, SEEK_END), 4096);
    exported = map(fd, 0);
    one[3] = 33;
    two[3] = 44;
    EQ(exported[3], 33);
    exported[4] = 55;
    EQ(one[4], 55);
    free_uar(ctx, handle);
    EQ(exported[4], 55);
    EQ(export(ctx, at, &fd), EINVAL);
    EQ(alloc_uar(ctx, &handle), at); /* the same place, a page of its own */
    next = map(ctx->cmd_fd, at);
    EQ(next[4], 0);
    next[4] = 66;
    EQ(exported[4], 55);
    free_uar(ctx, handle);
    free_uar(ctx, other);
    close(fd);
    OK(ibv_close_device(ctx));
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"hints", hints},
        {"region-with-hints", region_with_hints},
        {"pages", pages},
        {"register-page", register_page},
        {NULL, NULL},
    };

    return run_cases("handles", cases, argc, argv);
}
