/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles with hints for the bus: into which processor's cache data is to go, and how it is used. Here they are
 * objects that regions are registered with, and nothing more.
 */
#include <errno.h>
#include <sched.h>

#include "mlx5.h"

/* Newer than the headers this may be built with. */
enum { OBJECT_DMAH = 17, DMAH_ALLOC = 0, DMAH_FREE = 1, DMAH_HANDLE = 0, DMAH_CPU = 1, DMAH_MEMORY = 2, DMAH_HINT = 3 };
enum { MEMORY_TYPES = 2 /* volatile, persistent */, HINTS = 4 };

static int alloc(struct sim_cmd *cmd)
{
    struct ib_uverbs_attr *memory = sim_attr(cmd, DMAH_MEMORY);
    uint64_t cpu = sim_in_u64(cmd, DMAH_CPU, 0);
    struct sim_obj *handle;
    cpu_set_t may;

    if (!sim_attr(cmd, DMAH_HANDLE) || !sim_attr(cmd, DMAH_HINT) || !memory != !sim_attr(cmd, DMAH_CPU))
        return EINVAL;
    if (memory && (sched_getaffinity(0, sizeof may, &may) || cpu >= CPU_SETSIZE || !CPU_ISSET((size_t)cpu, &may)))
        return EPERM; /* as of a processor that the process may not run on */
    if ((memory && memory->attr_data.enum_data.elem_id >= MEMORY_TYPES) || sim_in_u64(cmd, DMAH_HINT, HINTS) >= HINTS)
        return EINVAL;
    handle = sim_obj_new(cmd->ctx, SIM_DMA_HANDLE, sizeof *handle);
    if (!handle)
        return ENOMEM;
    sim_out_obj(cmd, DMAH_HANDLE, handle);
    return 0;
}

/* 0 or an errno; -1 for a method that is not about these handles. */
int mlx5_dma_handle_method(struct sim_cmd *cmd)
{
    struct sim_obj *handle;

    if (cmd->hdr->object_id != OBJECT_DMAH)
        return -1;
    if (cmd->hdr->method_id == DMAH_ALLOC)
        return alloc(cmd);
    if (cmd->hdr->method_id != DMAH_FREE)
        return -1;
    handle = sim_in_obj(cmd, DMAH_HANDLE, SIM_DMA_HANDLE);
    return handle ? sim_obj_destroy(handle) : EINVAL;
}
