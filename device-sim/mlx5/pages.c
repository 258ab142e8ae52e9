/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Pages of the device that the process holds and maps: registers (UAR), and doorbells of virtio emulation (VAR). */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mlx5.h"

#define UAR_OFFSET 0x10000 /* of the register pages in the device file, in pages */
#define VAR_OFFSET 0x20000
#define TLP_VAR_OFFSET 0x30000

/* Newer than the headers this may be built with. */
enum { VAR_ALLOC_FLAGS = MLX5_IB_ATTR_VAR_OBJ_ALLOC_PAGE_ID + 1, VAR_TLP = 1 };

/* A register page gets a file of its own in its place. */
static int replace(struct mlx5_ctx *m, uint32_t index)
{
    int fd = memfd_create("device-sim-uar", MFD_CLOEXEC);

    if (fd < 0 || ftruncate(fd, PAGE) || mmap(m->map + (size_t)(FIRST_UAR + index) * PAGE, PAGE, PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
        if (fd >= 0)
            close(fd);
        return ENOMEM;
    }
    m->uar_fd[index] = fd;
    return 0;
}

void mlx5_pages_free(const struct mlx5_ctx *m)
{
    for (unsigned i = 0; i < UAR_PAGES; i++)
        if (m->used[i])
            close(m->uar_fd[i]);
}

/* The attributes of both objects: handle, then three answers. */
static int alloc(struct sim_cmd *cmd, bool *used, unsigned n, unsigned first, uint64_t offset, const uint16_t attr[4])
{
    struct mlx5_ctx *m = cmd->ctx->hw;
    struct mlx5_page *page;
    uint32_t index = first == FIRST_UAR ? FIRST_UAR_ID : 0, length = PAGE;
    uint64_t at;

    while (index < n && used[index])
        index++;
    if (index == n || (first == FIRST_UAR && replace(m, index)))
        return ENOMEM;
    page = sim_obj_new(cmd->ctx, SIM_VENDOR_OBJECT, sizeof *page);
    if (!page) {
        if (first == FIRST_UAR)
            close(m->uar_fd[index]);
        return ENOMEM;
    }
    page->used = &used[index];
    used[index] = true;
    if (first == FIRST_UAR && index > m->highest)
        m->highest = index;
    memset(m->map + (first + index) * PAGE, 0, PAGE);
    at = (offset + index) * PAGE;
    sim_out_obj(cmd, attr[0], &page->obj);
    sim_out(cmd, attr[1], &at, sizeof at);
    sim_out(cmd, attr[2], &length, sizeof length);
    sim_out(cmd, attr[3], &index, sizeof index);
    return 0;
}

/* A page that some queue still rings stays: the kernel counts its users, too. */
static bool is_in_use(const struct sim_context *ctx, unsigned uar)
{
    if (((const struct mlx5_ctx *)ctx->hw)->users[uar])
        return true;
    for (uint32_t i = 0; i < ctx->n_objs; i++) {
        const struct sim_obj *obj = ctx->obj[i];

        if (obj && obj->type == SIM_CQ && ((struct mlx5_cq *)((struct sim_cq *)obj)->hw)->uar == uar)
            return true;
    }
    return false;
}

static int destroy(struct sim_cmd *cmd, uint16_t attr, const bool *table, unsigned n)
{
    struct mlx5_ctx *m = cmd->ctx->hw;
    struct mlx5_page *page = sim_in_obj(cmd, attr, SIM_VENDOR_OBJECT);
    bool *used;
    int error;

    if (!page || page->used < table || page->used >= table + n)
        return -1;
    used = page->used;
    if (table == m->used && is_in_use(cmd->ctx, (unsigned)(used - table)))
        return EBUSY;
    error = sim_obj_destroy(&page->obj);
    if (!error)
        *used = false;
    if (!error && table == m->used)
        close(m->uar_fd[used - table]);
    return error;
}

static int alloc_var(struct sim_cmd *cmd)
{
    static const uint16_t var[] = {MLX5_IB_ATTR_VAR_OBJ_ALLOC_HANDLE, MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_OFFSET,
        MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_LENGTH, MLX5_IB_ATTR_VAR_OBJ_ALLOC_PAGE_ID};
    struct mlx5_ctx *m = cmd->ctx->hw;
    uint64_t flags = sim_in_u64(cmd, VAR_ALLOC_FLAGS, 0);

    if (flags & ~(uint64_t)VAR_TLP)
        return EINVAL;
    return flags ? alloc(cmd, m->tlp_var_used, TLP_VAR_PAGES, FIRST_TLP_VAR, TLP_VAR_OFFSET, var) :
        alloc(cmd, m->var_used, VAR_PAGES, FIRST_VAR, VAR_OFFSET, var);
}

static int destroy_var(struct sim_cmd *cmd)
{
    struct mlx5_ctx *m = cmd->ctx->hw;
    int error = destroy(cmd, MLX5_IB_ATTR_VAR_OBJ_DESTROY_HANDLE, m->var_used, VAR_PAGES);

    if (error < 0)
        error = destroy(cmd, MLX5_IB_ATTR_VAR_OBJ_DESTROY_HANDLE, m->tlp_var_used, TLP_VAR_PAGES);
    return error < 0 ? EINVAL : error;
}

/* 0 or an errno; -1 for a method that is not about pages. */
int mlx5_page_method(struct sim_cmd *cmd)
{
    static const uint16_t uar[] = {MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET,
        MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH, MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID};
    struct mlx5_ctx *m = cmd->ctx->hw;
    uint16_t method = cmd->hdr->method_id;
    int error;

    if (cmd->hdr->object_id == MLX5_IB_OBJECT_UAR && method == MLX5_IB_METHOD_UAR_OBJ_ALLOC) {
        if (sim_in_u64(cmd, MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE, 99) > MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC)
            return EINVAL;
        return alloc(cmd, m->used, UAR_PAGES, FIRST_UAR, UAR_OFFSET, uar);
    }
    if (cmd->hdr->object_id == MLX5_IB_OBJECT_UAR && method == MLX5_IB_METHOD_UAR_OBJ_DESTROY) {
        error = destroy(cmd, MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE, m->used, UAR_PAGES);
        return error < 0 ? EINVAL : error;
    }
    if (cmd->hdr->object_id == MLX5_IB_OBJECT_VAR && method == MLX5_IB_METHOD_VAR_OBJ_ALLOC)
        return alloc_var(cmd);
    if (cmd->hdr->object_id == MLX5_IB_OBJECT_VAR && method == MLX5_IB_METHOD_VAR_OBJ_DESTROY)
        return destroy_var(cmd);
    return -1;
}

/* Where a page of the device file lies, for pages that the process holds: in which file of ours, and where in that. -1: nowhere. */
int mlx5_page_at(const struct mlx5_ctx *m, uint64_t page, off_t *at)
{
    if (page >= UAR_OFFSET && page < UAR_OFFSET + UAR_PAGES && m->used[page - UAR_OFFSET]) {
        *at = 0;
        return m->uar_fd[page - UAR_OFFSET];
    }
    if (page >= VAR_OFFSET && page < VAR_OFFSET + VAR_PAGES && m->var_used[page - VAR_OFFSET])
        *at = (off_t)(FIRST_VAR + page - VAR_OFFSET) * PAGE;
    else if (page >= TLP_VAR_OFFSET && page < TLP_VAR_OFFSET + TLP_VAR_PAGES && m->tlp_var_used[page - TLP_VAR_OFFSET])
        *at = (off_t)(FIRST_TLP_VAR + page - TLP_VAR_OFFSET) * PAGE;
    else
        return -1;
    return m->memfd;
}

/* A descriptor of the process' own for a register page, or -1 where there is no such page. */
int mlx5_page_export(const struct mlx5_ctx *m, uint64_t page)
{
    return page >= UAR_OFFSET && page < UAR_OFFSET + UAR_PAGES && m->used[page - UAR_OFFSET] ?
        fcntl(m->uar_fd[page - UAR_OFFSET], F_DUPFD_CLOEXEC, 0) : -1;
}
