/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The accelerator's own file: it gives addresses of the device's for memory of the process, and memory on the device. The
 * addresses are none that a process could have, and of no two devices the same.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "hbl.h"

#define FIRST_ADDRESS 0x1001000000000000ull
#define REQUEST_MEMORY 0xc0286444ul /* of DRM */
#define REQUEST_MEMORY_OLD 0xc0284805ul /* before there was DRM */

enum { ALLOC, FREE, MAP, UNMAP };
enum { FLAG_USERPTR = 4 };

struct request {
    uint64_t first, second, third;
    uint32_t op, flags, context, reserved;
};

struct range {
    struct range *next;
    uint64_t device, length, host;
};

struct memory { /* on the device */
    struct memory *next;
    void *map;
    uint64_t length, handle;
    unsigned maps;
};

struct hbl_accel {
    struct sim_node node;
    unsigned users; /* the descriptor, and the context that has it */
    struct range *ranges;
    struct memory *memory;
    uint64_t next_address, next_handle;
};

static struct hbl_accel *opened[SIM_MAX_DEVICES];

/* One at a time, as the driver has it. */
struct sim_node *hbl_open_node(struct sim_device *dev)
{
    struct hbl_accel *a = opened[dev->index] ? NULL : calloc(1, sizeof *a);

    if (!a)
        return NULL;
    a->node.dev = dev;
    a->users = 1;
    a->next_address = FIRST_ADDRESS + ((uint64_t)dev->index << 44);
    a->next_handle = 1;
    opened[dev->index] = a;
    return &a->node;
}

struct hbl_accel *hbl_accel_use(int fd)
{
    struct hbl_accel *a = sim_fd_get(fd, SIM_FD_NODE);

    if (a)
        a->users++;
    return a;
}

void hbl_accel_unuse(struct hbl_accel *a)
{
    if (--a->users)
        return;
    opened[a->node.dev->index] = NULL;
    while (a->ranges) {
        struct range *gone = a->ranges;

        a->ranges = gone->next;
        free(gone);
    }
    while (a->memory) {
        struct memory *gone = a->memory;

        a->memory = gone->next;
        munmap(gone->map, gone->length);
        free(gone);
    }
    free(a);
}

void hbl_close_node(struct sim_node *node)
{
    hbl_accel_unuse((struct hbl_accel *)node);
}

/* The page offset stays; behind each range a page is free, so that what runs over the end is seen. */
static int map_range(struct hbl_accel *a, uint64_t host, uint64_t length, uint64_t *device)
{
    struct range *r = malloc(sizeof *r);
    uint64_t offset = host % SIM_PAGE;

    if (!r)
        return ENOMEM;
    r->device = a->next_address + offset;
    r->length = length;
    r->host = host;
    r->next = a->ranges;
    a->ranges = r;
    a->next_address += (offset + length + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE + SIM_PAGE;
    *device = r->device;
    return 0;
}

static int alloc(struct hbl_accel *a, struct request *r)
{
    uint64_t length = (r->first + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE;
    struct memory *m;

    if (!length || length < r->first || length > 1u << 30)
        return EINVAL;
    m = calloc(1, sizeof *m);
    if (!m)
        return ENOMEM;
    m->map = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (m->map == MAP_FAILED) {
        free(m);
        return ENOMEM;
    }
    m->length = length;
    m->handle = a->next_handle++;
    m->next = a->memory;
    a->memory = m;
    r->first = m->handle;
    return 0;
}

static struct memory **find_memory(struct hbl_accel *a, uint64_t handle)
{
    struct memory **at = &a->memory;

    while (*at && (*at)->handle != handle)
        at = &(*at)->next;
    return at;
}

static int free_memory(struct hbl_accel *a, const struct request *r)
{
    struct memory **at = find_memory(a, r->first), *gone = *at;

    if (!gone)
        return EINVAL;
    for (const struct range *m = a->ranges; m; m = m->next)
        if (m->host == (uint64_t)(uintptr_t)gone->map)
            return EBUSY;
    *at = gone->next;
    munmap(gone->map, gone->length);
    free(gone);
    return 0;
}

static int map(struct hbl_accel *a, struct request *r)
{
    uint64_t host = r->first, length = r->third;

    if (!(r->flags & FLAG_USERPTR)) {
        const struct memory *m = *find_memory(a, r->second);

        if (!m)
            return EINVAL;
        return map_range(a, (uint64_t)(uintptr_t)m->map, m->length, &r->first);
    }
    if (!length || host + length < host)
        return EINVAL;
    if (!sim_mem_mapped(host, true) || !sim_mem_mapped(host + length - 1, true))
        return EFAULT;
    return map_range(a, host, length, &r->first);
}

static int unmap(struct hbl_accel *a, const struct request *r)
{
    struct range **at = &a->ranges, *gone;

    while (*at && (*at)->device != r->first)
        at = &(*at)->next;
    gone = *at;
    if (!gone)
        return EINVAL;
    *at = gone->next;
    free(gone);
    return 0;
}

int hbl_node_ioctl(struct sim_node *node, unsigned long request, void *arg)
{
    struct hbl_accel *a = (struct hbl_accel *)node;
    struct request r;
    int error;

    if ((request & 0xffffffff) != REQUEST_MEMORY && (request & 0xffffffff) != REQUEST_MEMORY_OLD) {
        sim_say("%s: the accelerator's ioctl 0x%lx is not known", node->dev->name, request);
        sim_count(DEVICE_SIM_COUNT_REFUSED);
        return ENOTTY;
    }
    if (!sim_mem_read(&r, (uint64_t)(uintptr_t)arg, sizeof r))
        return EFAULT;
    if (r.reserved)
        return EINVAL;
    switch (r.op) {
    case ALLOC:
        error = alloc(a, &r);
        break;
    case FREE:
        return free_memory(a, &r);
    case MAP:
        error = map(a, &r);
        break;
    case UNMAP:
        return unmap(a, &r);
    default:
        sim_say("%s: the accelerator's memory operation %u is not known", node->dev->name, r.op);
        sim_count(DEVICE_SIM_COUNT_REFUSED);
        return ENOTTY;
    }
    if (!error && !sim_mem_write((uint64_t)(uintptr_t)arg, &r.first, sizeof r.first))
        error = EFAULT;
    return error;
}

const char *hbl_span(const struct sim_access *access, uint64_t addr, uint64_t length, struct sim_span *span)
{
    const struct sim_context *ctx = hbl_context(access->dev);

    for (const struct range *r = ctx ? hbl_of(ctx)->accel->ranges : NULL; r; r = r->next)
        if (addr >= r->device && addr - r->device < r->length) {
            if (length > r->length - (addr - r->device))
                return "beyond the end of what the accelerator has mapped";
            *span = (struct sim_span){.at = r->host + (addr - r->device), .length = length};
            return NULL;
        }
    return sim_mem_mapped(addr, false) ? "an address of the process, where one of the device's is wanted" :
        "the accelerator has mapped nothing there";
}
