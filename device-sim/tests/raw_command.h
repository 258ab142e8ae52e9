/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Commands as the kernel has them, for what the library that the tests are built with has no function. */
#ifndef RAW_COMMAND_H
#define RAW_COMMAND_H

#include <string.h>
#include <sys/ioctl.h>
#include <infiniband/verbs.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>

static inline struct ib_uverbs_attr pointed(uint16_t id, const void *at, size_t length)
{
    return (struct ib_uverbs_attr){.attr_id = id, .flags = UVERBS_ATTR_F_MANDATORY, .len = (uint16_t)length,
        .data = (uintptr_t)at};
}

static inline struct ib_uverbs_attr number(uint16_t id, uint16_t length, uint64_t value)
{
    return (struct ib_uverbs_attr){.attr_id = id, .flags = UVERBS_ATTR_F_MANDATORY, .len = length, .data = value};
}

/* What the kernel answers in the attributes is there afterwards. 0, or -1 and errno. */
static inline int raw_command(struct ibv_context *ctx, uint16_t object, uint16_t method, struct ib_uverbs_attr *attrs,
    unsigned n)
{
    struct {
        struct ib_uverbs_ioctl_hdr h;
        struct ib_uverbs_attr a[12];
    } c = {.h = {.length = (uint16_t)(sizeof c.h + n * sizeof *attrs), .object_id = object, .method_id = method,
        .num_attrs = (uint16_t)n, .driver_id = RDMA_DRIVER_MLX5}};
    int result;

    memcpy(c.a, attrs, n * sizeof *attrs);
    result = ioctl(ctx->cmd_fd, RDMA_VERBS_IOCTL, &c);
    memcpy(attrs, c.a, n * sizeof *attrs);
    return result;
}

#endif
