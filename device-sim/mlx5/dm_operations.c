/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic operations on memory of the device: the process maps the memory once more, by an operation. What it stores
 * there is added to what is in the memory; what it loads there was in the memory, which is 1 then. Each access is a
 * fault that is carried out here.
 */
#include <errno.h>
#include <string.h>

#include "mlx5.h"

/* Of 16 bits: that it is an operation's, which one, and of which memory. */
#define OPERATION 0x8000u
#define OPERATION_SHIFT 14
#define MEMORY 0x3fffu

static unsigned index_at(off_t offset)
{
    uint64_t page = (uint64_t)offset / PAGE;

    return (page >> 8 & 0xff) == MLX5_IB_MMAP_DEVICE_MEM ? (unsigned)((page & 0xff) | (page >> 16) << 8) : 0;
}

struct sim_dm *mlx5_dm_of_operation(struct sim_context *ctx, unsigned index)
{
    return index & OPERATION ? sim_dm_find(ctx, index & MEMORY) : NULL;
}

int mlx5_dm_map_operation(struct sim_cmd *cmd)
{
    const struct sim_dm *dm = sim_in_obj(cmd, MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_HANDLE, SIM_DM);
    uint64_t op = sim_in_u64(cmd, MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_OP, MLX5_DM_OPERATIONS), start;
    uint16_t index;

    if (!dm)
        return EINVAL;
    if (op >= MLX5_DM_OPERATIONS || !sim_can_watch() || dm->index > MEMORY)
        return EOPNOTSUPP;
    start = dm->start;
    index = (uint16_t)(OPERATION | op << OPERATION_SHIFT | dm->index);
    sim_out(cmd, MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_START_OFFSET, &start, sizeof start);
    sim_out(cmd, MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_PAGE_INDEX, &index, sizeof index);
    return 0;
}

enum sim_watch mlx5_watch(const struct sim_context *ctx, off_t offset)
{
    (void)ctx;
    return index_at(offset) & OPERATION ? SIM_WATCH_OPERATIONS : SIM_WATCH_NOTHING;
}

/* In the byte order of the machine, which is a reading. */
void mlx5_operate(struct sim_context *ctx, off_t area, size_t at, uint64_t *value, unsigned size, bool write)
{
    unsigned index = index_at(area), op = index >> OPERATION_SHIFT & 1;
    const struct sim_dm *dm = mlx5_dm_of_operation(ctx, index);
    uint64_t there = 0;

    if (write != (op == MLX5_DM_INCREMENT)) {
        sim_violation(NULL, 0, 0, 0, "%s: memory of the device is %s by an operation that is for %s, at byte %zu",
            ctx->dev->name,
            write ? "written" : "read", write ? "reading" : "writing", at);
        return;
    }
    if (!dm || at < dm->start || at % size || at - dm->start + size > dm->length) {
        sim_violation(NULL, 0, 0, 0, "%s: an operation on %u bytes at byte %zu, which %s", ctx->dev->name, size, at,
            !dm ? "were freed" : at % size ? "are not aligned" : "are not of this memory");
        return;
    }
    memcpy(&there, dm->map + at, size);
    if (!write)
        *value = there;
    there = write ? there + *value : 1;
    memcpy(dm->map + at, &there, size);
}
