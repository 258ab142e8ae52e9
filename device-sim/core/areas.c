/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * What a device lends to the process: rings, registers, counters. All of a context's lies in one file in memory, each part
 * at a place of its own, which is also the key that the process maps it by.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim.h"

bool sim_areas_open(struct sim_context *ctx)
{
    struct sim_areas *a = &ctx->areas;
    char name[32];

    snprintf(name, sizeof name, "device-sim-%s", ctx->dev->vendor->name);
    a->memfd = memfd_create(name, MFD_CLOEXEC);
    a->end = SIM_PAGE; /* a key of zero would hide a forgotten one */
    return a->memfd >= 0;
}

void sim_areas_close(struct sim_context *ctx)
{
    struct sim_areas *a = &ctx->areas;

    for (unsigned i = 0; i < a->n; i++)
        if (a->area[i].map)
            sim_take_back_area(ctx, i);
    free(a->area);
    close(a->memfd);
}

int sim_lend(struct sim_context *ctx, size_t size, bool writable, enum sim_watch watch)
{
    struct sim_areas *all = &ctx->areas;
    struct sim_area *grown = realloc(all->area, (all->n + 1) * sizeof *grown), *a;

    if (!grown)
        return -1;
    all->area = grown;
    size = (size + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE;
    a = &grown[all->n];
    a->at = all->end;
    a->size = size;
    a->writable = writable;
    a->watch = watch;
    if (ftruncate(all->memfd, all->end + (off_t)size))
        return -1;
    a->map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, all->memfd, a->at);
    if (a->map == MAP_FAILED)
        return -1;
    all->end += (off_t)size;
    return (int)all->n++;
}

/* The place is not given out again: the process may have it mapped still. */
void sim_take_back_area(struct sim_context *ctx, unsigned i)
{
    struct sim_area *a = &ctx->areas.area[i];

    munmap(a->map, a->size);
    fallocate(ctx->areas.memfd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, a->at, (off_t)a->size);
    a->map = NULL;
}

static const struct sim_area *find(const struct sim_context *ctx, off_t key)
{
    for (unsigned i = 0; ctx->ready && i < ctx->areas.n; i++)
        if (ctx->areas.area[i].map && ctx->areas.area[i].at == key)
            return &ctx->areas.area[i];
    return NULL;
}

int sim_map_area(struct sim_context *ctx, off_t offset, size_t length, int prot, int *fd, off_t *at)
{
    const struct sim_area *a = find(ctx, offset);

    if (!a || length > a->size || (prot & PROT_WRITE && !a->writable))
        return EINVAL;
    *fd = ctx->areas.memfd;
    *at = offset;
    return 0;
}

enum sim_watch sim_watch_area(const struct sim_context *ctx, off_t offset)
{
    const struct sim_area *a = find(ctx, offset);

    return a ? a->watch : SIM_WATCH_NOTHING;
}
