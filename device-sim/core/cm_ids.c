/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The ids of the connection manager, and the multicast groups that they are in: each has a number in its process. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cm.h"

#define MAX_IDS 0x10000u /* librdmacm finds no id beyond that */

static struct cm_id **ids;
static uint32_t room;
static uint32_t last_number, last_group;

struct cm_id *cm_id_new(struct cm_file *file)
{
    struct cm_id *id = calloc(1, sizeof *id);
    uint32_t h = 1; /* zero would hide a forgotten one */

    while (h < room && ids[h])
        h++;
    if (id && h >= room && room < MAX_IDS) {
        uint32_t n = room ? 2 * room : 64;
        struct cm_id **grown = realloc(ids, n * sizeof *grown);

        if (grown) {
            memset(grown + room, 0, (n - room) * sizeof *grown);
            ids = grown;
            room = n;
        }
    }
    if (!id || h >= room) {
        free(id);
        return NULL;
    }
    if (!last_number) /* another process that has our place after us must not be taken for us */
        last_number = (uint32_t)getpid() << 12;
    id->handle = h;
    id->number = ++last_number;
    id->psn = (id->number * 2654435761u) >> 8;
    id->file = file;
    ids[h] = id;
    return id;
}

struct cm_id *cm_id_find(uint32_t handle)
{
    return handle < room ? ids[handle] : NULL;
}

/* A connection request that the process has not taken yet is none of its ids. */
struct cm_id *cm_id_of(const struct cm_file *file, uint32_t handle)
{
    struct cm_id *id = cm_id_find(handle);

    return id && id->file == file ? id : NULL;
}

struct cm_id *cm_id_next(uint32_t *handle)
{
    while (*handle < room && !ids[*handle])
        ++*handle;
    return *handle < room ? ids[*handle] : NULL;
}

static void free_id(struct cm_id *id)
{
    ids[id->handle] = NULL;
    free(id->request);
    free(id);
}

void cm_id_drop(struct cm_id *id)
{
    while (id->groups)
        cm_group_drop(id->groups);
    cm_end(id);
    cm_drop_events(id->file, id, NULL);
    cm_port_give_back(id);
    free_id(id);
}

void cm_ids_forget(void)
{
    struct cm_id *id;

    for (uint32_t h = 0; (id = cm_id_next(&h)); h++) {
        while (id->groups) {
            struct cm_group *g = id->groups;

            id->groups = g->next;
            free(g);
        }
        free_id(id);
    }
    last_number = 0;
}

/* -- groups ------------------------------------------------------------------------------------ */

struct cm_group *cm_group_new(struct cm_id *id)
{
    struct cm_group *g = calloc(1, sizeof *g);

    if (!g)
        return NULL;
    g->id = id;
    g->handle = ++last_group;
    g->next = id->groups;
    id->groups = g;
    return g;
}

struct cm_group *cm_group_find(uint32_t handle)
{
    struct cm_id *id;

    for (uint32_t h = 0; (id = cm_id_next(&h)); h++)
        for (struct cm_group *g = id->groups; g; g = g->next)
            if (g->handle == handle)
                return g;
    return NULL;
}

void cm_group_drop(struct cm_group *g)
{
    for (struct cm_group **at = &g->id->groups; *at; at = &(*at)->next)
        if (*at == g) {
            *at = g->next;
            break;
        }
    cm_drop_events(g->id->file, NULL, g);
    free(g);
}
