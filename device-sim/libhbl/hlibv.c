/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The shipped libraries have libibverbs inside, by names of their own. Here they lead to libibverbs itself. */
#include "libhbl.h"

#if HAS_HLIBV

#define FORWARD(type, name, parameters, ...) \
    type hlibv_##name parameters; \
    EXPORT type hlibv_##name parameters \
    { \
        return ibv_##name(__VA_ARGS__); \
    }

FORWARD(struct ibv_device **, get_device_list, (int *n), n)
FORWARD(const char *, get_device_name, (struct ibv_device *device), device)
FORWARD(int, close_device, (struct ibv_context *context), context)
FORWARD(struct ibv_pd *, alloc_pd, (struct ibv_context *context), context)
FORWARD(int, dealloc_pd, (struct ibv_pd *pd), pd)
FORWARD(int, destroy_cq, (struct ibv_cq *cq), cq)
FORWARD(struct ibv_qp *, create_qp, (struct ibv_pd *pd, struct ibv_qp_init_attr *attr), pd, attr)
FORWARD(int, modify_qp, (struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask), qp, attr, mask)
FORWARD(int, destroy_qp, (struct ibv_qp *qp), qp)
FORWARD(int, query_qp, (struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init), qp, attr, mask,
    init)
FORWARD(int, query_port, (struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr), context, port, attr)
FORWARD(int, query_gid, (struct ibv_context *context, uint8_t port, int index, union ibv_gid *gid), context, port, index, gid)
FORWARD(int, get_async_event, (struct ibv_context *context, struct ibv_async_event *event), context, event)

void hlibv_free_device_list(struct ibv_device **list);
EXPORT void hlibv_free_device_list(struct ibv_device **list)
{
    ibv_free_device_list(list);
}

void hlibv_ack_async_event(struct ibv_async_event *event);
EXPORT void hlibv_ack_async_event(struct ibv_async_event *event)
{
    ibv_ack_async_event(event);
}

/* 0 for IB and RoCE v1, 1 for RoCE v2: as libibverbs tells it to providers. */
int hlibv_query_gid_type(struct ibv_context *context, uint8_t port, unsigned index, int *type);
EXPORT int hlibv_query_gid_type(struct ibv_context *context, uint8_t port, unsigned index, int *type)
{
    return CALL(int (*)(struct ibv_context *, uint8_t, unsigned, int *), "ibv_query_gid_type", context, port, index, type);
}

#endif
