/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Memory of the device that steering by software is written to: where it lies, and what is at an address. */
#include <errno.h>
#include <sys/mman.h>

#include "steering.h"

#define GRANULE 4096

static struct sim_dm *blocks; /* of all devices */

static bool is_free(const struct sim_device *dev, uint64_t address, uint64_t size, uint64_t *behind)
{
    for (const struct sim_dm *dm = blocks; dm; dm = dm->next_icm)
        if (dm->obj.ctx->dev == dev && address < dm->icm + dm->size && dm->icm < address + size) {
            *behind = dm->icm + dm->size;
            return false;
        }
    return true;
}

/* The first place that is aligned as the size is; 0: there is none. */
static uint64_t find_place(const struct sim_device *dev, uint64_t size, uint64_t from, uint64_t end)
{
    uint64_t at = from, behind;

    while (at + size <= end && !is_free(dev, at, size, &behind))
        at = (behind + size - 1) / size * size;
    return at + size <= end ? at : 0;
}

static int place(struct sim_dm *dm, uint64_t length, bool rewrites)
{
    uint64_t from = rewrites ? ICM_REWRITES : ICM_STEERING;
    uint64_t end = from + (1ull << (rewrites ? ICM_LOG_REWRITES : ICM_LOG_STEERING));

    dm->size = GRANULE;
    while (dm->size < length)
        dm->size *= 2;
    dm->length = dm->size;
    dm->icm = find_place(dm->obj.ctx->dev, dm->size, from, end);
    if (!dm->icm)
        return ENOMEM;
    dm->next_icm = blocks;
    blocks = dm;
    dm->map = mmap(NULL, dm->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (dm->map == MAP_FAILED)
        dm->map = NULL;
    return dm->map ? 0 : ENOMEM;
}

int mlx5_icm_alloc(struct sim_cmd *cmd, uint64_t type)
{
    uint64_t length = sim_in_u64(cmd, UVERBS_ATTR_ALLOC_DM_LENGTH, 0);
    struct sim_dm *dm;
    int error;

    if (!sim_has_frames(cmd->ctx->dev))
        return EOPNOTSUPP;
    if (type != MLX5_IB_UAPI_DM_TYPE_STEERING_SW_ICM && type != MLX5_IB_UAPI_DM_TYPE_HEADER_MODIFY_SW_ICM)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "memory on the device of type %u", (unsigned)type);
    if (!length || length > 1ull << ICM_LOG_STEERING)
        return EINVAL;
    dm = sim_obj_new(cmd->ctx, SIM_DM, sizeof *dm);
    if (!dm)
        return ENOMEM;
    dm->memfd = -1;
    dm->index = UINT32_MAX; /* it can't be mapped */
    error = place(dm, length, type == MLX5_IB_UAPI_DM_TYPE_HEADER_MODIFY_SW_ICM);
    if (error) {
        dm->length = 0;
        sim_obj_drop(&dm->obj);
        return error;
    }
    sim_out(cmd, MLX5_IB_ATTR_ALLOC_DM_RESP_START_OFFSET, &dm->icm, sizeof dm->icm);
    sim_out_obj(cmd, UVERBS_ATTR_ALLOC_DM_HANDLE, &dm->obj);
    return 0;
}

void mlx5_icm_free(struct sim_dm *dm)
{
    struct sim_dm **at = &blocks;

    while (*at && *at != dm)
        at = &(*at)->next_icm;
    if (*at)
        *at = dm->next_icm;
}

const uint8_t *mlx5_icm_at(const struct sim_device *dev, uint64_t address, uint64_t size)
{
    for (const struct sim_dm *dm = blocks; dm; dm = dm->next_icm)
        if (dm->obj.ctx->dev == dev && address >= dm->icm && address - dm->icm < dm->size)
            return size <= dm->size - (address - dm->icm) ? dm->map + (address - dm->icm) : NULL;
    return NULL;
}
