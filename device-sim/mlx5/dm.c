/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Memory on the device: the vendor's part, and how the process maps and exports it. */
#include <errno.h>
#include <fcntl.h>

#include "steering.h"

/* Newer than the headers this may be built with. */
enum { OBJECT_DMABUF = 18, DMABUF_ALLOC = 0, DMABUF_HANDLE = 0, DMABUF_PGOFF = 1 };

/* The upper byte of the index is apart, above the command. */
static unsigned index_of(unsigned page)
{
    return (page & 0xff) | (page >> 16) << 8;
}

static int alloc(struct sim_cmd *cmd)
{
    uint64_t type = sim_in_u64(cmd, MLX5_IB_ATTR_ALLOC_DM_REQ_TYPE, MLX5_IB_UAPI_DM_TYPE_MEMIC), start;
    struct sim_dm *dm;
    uint16_t page;
    int error;

    if (type != MLX5_IB_UAPI_DM_TYPE_MEMIC)
        return mlx5_icm_alloc(cmd, type);
    error = sim_alloc_dm(cmd, &dm);
    if (error)
        return error;
    start = dm->start;
    page = (uint16_t)dm->index;
    sim_out(cmd, MLX5_IB_ATTR_ALLOC_DM_RESP_START_OFFSET, &start, sizeof start);
    sim_out(cmd, MLX5_IB_ATTR_ALLOC_DM_RESP_PAGE_INDEX, &page, sizeof page);
    return 0;
}

/* For who imports it. */
static int query(struct sim_cmd *cmd)
{
    const struct sim_dm *dm = sim_in_obj(cmd, MLX5_IB_ATTR_QUERY_DM_REQ_HANDLE, SIM_DM);
    uint64_t start;
    uint16_t page;

    if (!dm || dm->icm)
        return EINVAL;
    start = dm->start;
    page = (uint16_t)dm->index;
    sim_out(cmd, MLX5_IB_ATTR_QUERY_DM_RESP_START_OFFSET, &start, sizeof start);
    sim_out(cmd, MLX5_IB_ATTR_QUERY_DM_RESP_PAGE_INDEX, &page, sizeof page);
    sim_out(cmd, MLX5_IB_ATTR_QUERY_DM_RESP_LENGTH, &dm->length, sizeof dm->length);
    return 0;
}

/* A descriptor of the process' own, which outlives the handle of the memory, or of the register page. */
static int export(struct sim_cmd *cmd)
{
    uint64_t page = sim_in_u64(cmd, DMABUF_PGOFF, 0) / PAGE;
    struct ib_uverbs_attr *handle = sim_attr(cmd, DMABUF_HANDLE);
    struct sim_dm *dm = (page >> 8 & 0xff) == MLX5_IB_MMAP_DEVICE_MEM ?
        sim_dm_find(cmd->ctx, index_of((unsigned)page)) : NULL;
    int fd;

    if (!handle)
        return EINVAL;
    fd = dm ? fcntl(dm->memfd, F_DUPFD_CLOEXEC, 0) : mlx5_page_export(cmd->ctx->hw, page);
    if (fd < 0)
        return dm ? EMFILE : EINVAL;
    handle->data_s64 = fd;
    return 0;
}

/* 0 or an errno; -1 for a method that is not about memory on the device. */
int mlx5_dm_method(struct sim_cmd *cmd)
{
    uint16_t object = cmd->hdr->object_id, method = cmd->hdr->method_id;

    if (object == UVERBS_OBJECT_DM && method == UVERBS_METHOD_DM_ALLOC)
        return alloc(cmd);
    if (object == UVERBS_OBJECT_DM && method == MLX5_IB_METHOD_DM_QUERY)
        return query(cmd);
    if (object == UVERBS_OBJECT_DM && method == UVERBS_METHOD_DM_FREE)
        return sim_free_dm(cmd);
    if (object == UVERBS_OBJECT_DM && method == MLX5_IB_METHOD_DM_MAP_OP_ADDR)
        return mlx5_dm_map_operation(cmd);
    if (object == UVERBS_OBJECT_MR && method == UVERBS_METHOD_DM_MR_REG)
        return sim_reg_dm_mr(cmd);
    if (object == OBJECT_DMABUF && method == DMABUF_ALLOC)
        return export(cmd);
    return -1;
}

int mlx5_dm_map(struct sim_context *ctx, unsigned page, size_t length, int *fd, off_t *at)
{
    unsigned index = index_of(page);
    struct sim_dm *dm = index & 0x8000 ? mlx5_dm_of_operation(ctx, index) : sim_dm_find(ctx, index);

    if (!dm || length != dm->size)
        return EINVAL;
    *fd = dm->memfd;
    *at = 0;
    return 0;
}
