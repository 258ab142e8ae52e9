/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Pages of the device that the process holds and maps: registers (UAR), and doorbells of virtio emulation (VAR). */
#include <errno.h>
#include <string.h>

#include "mlx5.h"

#define UAR_OFFSET 0x10000 /* of the register pages in the device file, in pages */
#define VAR_OFFSET 0x20000

/* The attributes of both objects: handle, then three answers. */
static int alloc(struct sim_cmd *cmd, bool *used, unsigned n, unsigned first, uint64_t offset, const uint16_t attr[4])
{
    struct mlx5_ctx *m = cmd->ctx->hw;
    struct mlx5_page *page;
    uint32_t index = first == FIRST_UAR ? FIRST_UAR_ID : 0, length = PAGE;
    uint64_t at;

    while (index < n && used[index])
        index++;
    if (index == n)
        return ENOMEM;
    page = sim_obj_new(cmd->ctx, SIM_VENDOR_OBJECT, sizeof *page);
    if (!page)
        return ENOMEM;
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
        return EINVAL;
    used = page->used;
    if (table == m->used && is_in_use(cmd->ctx, (unsigned)(used - table)))
        return EBUSY;
    error = sim_obj_destroy(&page->obj);
    if (!error)
        *used = false;
    return error;
}

/* 0 or an errno; -1 for a method that is not about pages. */
int mlx5_page_method(struct sim_cmd *cmd)
{
    static const uint16_t uar[] = {MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET,
        MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH, MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID};
    static const uint16_t var[] = {MLX5_IB_ATTR_VAR_OBJ_ALLOC_HANDLE, MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_OFFSET,
        MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_LENGTH, MLX5_IB_ATTR_VAR_OBJ_ALLOC_PAGE_ID};
    struct mlx5_ctx *m = cmd->ctx->hw;
    uint16_t method = cmd->hdr->method_id;

    if (cmd->hdr->object_id == MLX5_IB_OBJECT_UAR && method == MLX5_IB_METHOD_UAR_OBJ_ALLOC) {
        if (sim_in_u64(cmd, MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE, 99) > MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC)
            return EINVAL;
        return alloc(cmd, m->used, UAR_PAGES, FIRST_UAR, UAR_OFFSET, uar);
    }
    if (cmd->hdr->object_id == MLX5_IB_OBJECT_UAR && method == MLX5_IB_METHOD_UAR_OBJ_DESTROY)
        return destroy(cmd, MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE, m->used, UAR_PAGES);
    if (cmd->hdr->object_id == MLX5_IB_OBJECT_VAR && method == MLX5_IB_METHOD_VAR_OBJ_ALLOC) {
        for (unsigned i = 0; i < cmd->hdr->num_attrs; i++)
            if (cmd->hdr->attrs[i].attr_id > MLX5_IB_ATTR_VAR_OBJ_ALLOC_PAGE_ID)
                return sim_refuse(cmd->ctx, EOPNOTSUPP, "doorbells of virtio emulation with flags");
        return alloc(cmd, m->var_used, VAR_PAGES, FIRST_VAR, VAR_OFFSET, var);
    }
    if (cmd->hdr->object_id == MLX5_IB_OBJECT_VAR && method == MLX5_IB_METHOD_VAR_OBJ_DESTROY)
        return destroy(cmd, MLX5_IB_ATTR_VAR_OBJ_DESTROY_HANDLE, m->var_used, VAR_PAGES);
    return -1;
}

/* Where a page of the device file lies in ours, for pages that the process holds. */
bool mlx5_page_at(const struct mlx5_ctx *m, uint64_t page, off_t *at)
{
    if (page >= UAR_OFFSET && page < UAR_OFFSET + UAR_PAGES && m->used[page - UAR_OFFSET])
        *at = (off_t)(FIRST_UAR + page - UAR_OFFSET) * PAGE;
    else if (page >= VAR_OFFSET && page < VAR_OFFSET + VAR_PAGES && m->var_used[page - VAR_OFFSET])
        *at = (off_t)(FIRST_VAR + page - VAR_OFFSET) * PAGE;
    else
        return false;
    return true;
}
