/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* A method of the kernel's driver, by the ioctl that the kernel's headers describe. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "libhbl.h"

#define MAX_FIELDS 4

int command(int fd, uint16_t object, uint16_t method, struct field *field, unsigned n)
{
    struct {
        struct ib_uverbs_ioctl_hdr hdr;
        struct ib_uverbs_attr attrs[MAX_FIELDS];
    } c;

    memset(&c, 0, sizeof c);
    c.hdr.length = (uint16_t)(sizeof c.hdr + n * sizeof c.attrs[0]);
    c.hdr.object_id = object;
    c.hdr.method_id = method;
    c.hdr.num_attrs = (uint16_t)n;
    c.hdr.driver_id = DRIVER_ID;
    for (unsigned i = 0; i < n; i++) {
        struct ib_uverbs_attr *a = &c.attrs[i];

        a->attr_id = field[i].id;
        a->len = field[i].size;
        a->flags = UVERBS_ATTR_F_MANDATORY;
        a->data = field[i].data;
        if (!field[i].out && field[i].size && field[i].size <= sizeof a->data) {
            a->data = 0;
            memcpy(&a->data, (const void *)(uintptr_t)field[i].data, field[i].size);
        }
    }
    if (ioctl(fd, RDMA_VERBS_IOCTL, &c))
        return errno;
    for (unsigned i = 0; i < n; i++)
        if (!field[i].size)
            field[i].data = c.attrs[i].data;
    return 0;
}

int answer(int error)
{
    if (error)
        errno = error;
    return error;
}

void *map(const struct ibv_context *context, uint64_t handle, size_t size, int prot)
{
    return mmap(NULL, size, prot, MAP_SHARED, context->cmd_fd, (off_t)handle);
}
