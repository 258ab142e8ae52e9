/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts. As in the vendor's library a program that opens devices by the verbs has one context, whichever device it asks
 * for: the trap that hbldv_open_device is the way around.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <rdma/ib_user_ioctl_cmds.h>

#include "libhbl.h"

static struct context *usual;

static int open_accelerator(struct ibv_device *device)
{
    char path[32];
    int index;

    if (sscanf(device->name, "hbl_%d", &index) != 1)
        return -1;
    snprintf(path, sizeof path, "/dev/accel/accel%d", index);
    return open(path, O_RDWR | O_CLOEXEC);
}

/* Where the public struct is: behind a word that is the size of all up to its end. */
static struct ibv_context *find_base(struct context *c, const struct ibv_device *device)
{
    for (size_t at = 0; at + sizeof(size_t) + sizeof(struct ibv_context) <= VERBS_CONTEXT_ROOM; at += sizeof(size_t)) {
        struct ibv_context *base = (struct ibv_context *)(c->verbs + at + sizeof(size_t));

        if (((const size_t *)base)[-1] == at + sizeof(size_t) + sizeof *base && base->device == device)
            return base;
    }
    abort();
}

static int get_context(struct context *c, const struct hbl_open *in)
{
    struct hbl_opened out = {0};
    struct field field[] = {IN(UVERBS_ATTR_UHW_IN, in), OUT(UVERBS_ATTR_UHW_OUT, &out)};
    int error = command(c->base->cmd_fd, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT, field, 2);

    c->ports = out.ports;
    return error;
}

struct verbs_context *open_context(struct ibv_device *device, int cmd_fd, void *attr)
{
    const struct hbldv_ucontext_attr *wanted = attr;
    struct hbl_open in = {.core_fd = -1};
    struct context *c;
    int error;

    if (!wanted && usual) {
        usual->users++;
        return (struct verbs_context *)usual; /* the descriptor is lost, as it is there */
    }
    c = CALL(void *(*)(struct ibv_device *, int, size_t, void *, uint32_t), "_verbs_init_and_alloc_context", device, cmd_fd,
        sizeof *c, NULL, DRIVER_ID);
    if (!c)
        return NULL;
    c->base = find_base(c, device);
    c->own_fd = -1;
    c->users = 1;
    if (wanted) {
        in.ports = wanted->ports_mask;
        in.core_fd = wanted->core_fd;
        in.own_ports = 1;
    } else {
        in.core_fd = c->own_fd = open_accelerator(device);
    }
    error = in.core_fd < 0 && !wanted ? errno : get_context(c, &in);
    if (error) {
        if (c->own_fd >= 0)
            close(c->own_fd);
        CALL(void (*)(struct verbs_context *), "verbs_uninit_context", (struct verbs_context *)c);
        free(c);
        errno = error;
        return NULL;
    }
    c->base->num_comp_vectors = 1;
    set_operations((struct verbs_context *)c);
    if (!wanted)
        usual = c;
    return (struct verbs_context *)c;
}

int free_context_of(struct ibv_context *context)
{
    struct context *c = to_context(context);

    if (--c->users)
        return 0;
    usual = NULL; /* whichever this one is, as it is there */
    CALL(void (*)(struct verbs_context *), "verbs_uninit_context", (struct verbs_context *)c);
    if (c->own_fd >= 0)
        close(c->own_fd);
    free(c);
    return 0;
}
