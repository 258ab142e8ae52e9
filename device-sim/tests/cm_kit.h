/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What tests of the connection manager share: ids, events, and connections over librdmacm. */
#ifndef CM_KIT_H
#define CM_KIT_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <rdma/rdma_cma.h>

#include "kit.h"

#define FIRST "192.0.2.1" /* of mlx5_0's first port */
#define SECOND "192.0.2.5" /* of mlx5_1's */

static inline struct sockaddr_in at(const char *host, uint16_t port)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};

    EQ(inet_pton(AF_INET, host, &a.sin_addr), 1);
    return a;
}

static inline struct sockaddr *any(struct sockaddr_in *a)
{
    return (struct sockaddr *)a;
}

static inline struct rdma_cm_id *new_id(struct rdma_event_channel *ch, enum rdma_port_space ps)
{
    struct rdma_cm_id *id;

    OK(rdma_create_id(ch, &id, &id, ps));
    return id;
}

/* The next event, which is of this type. */
static inline struct rdma_cm_event *next(struct rdma_event_channel *ch, enum rdma_cm_event_type type, int status)
{
    struct rdma_cm_event *e;

    OK(rdma_get_cm_event(ch, &e));
    if (e->event != type || e->status != status)
        fail(__FILE__, __LINE__, "%s, status %d, wanted %s, %d", rdma_event_str(e->event), e->status, rdma_event_str(type), status);
    return e;
}

static inline void take(struct rdma_event_channel *ch, enum rdma_cm_event_type type, int status)
{
    OK(rdma_ack_cm_event(next(ch, type, status)));
}

static inline struct rdma_cm_id *listening(struct rdma_event_channel *ch, enum rdma_port_space ps, const char *host, uint16_t port)
{
    struct rdma_cm_id *id = new_id(ch, ps);
    struct sockaddr_in a = at(host, port);

    OK(rdma_bind_addr(id, any(&a)));
    OK(rdma_listen(id, 5));
    return id;
}

static inline struct rdma_cm_id *resolved(struct rdma_event_channel *ch, enum rdma_port_space ps, const char *from, const char *host,
    uint16_t port)
{
    struct rdma_cm_id *id = new_id(ch, ps);
    struct sockaddr_in a = at(host, port), src = at(from ? from : host, 0);

    OK(rdma_resolve_addr(id, from ? any(&src) : NULL, any(&a), 1000));
    take(ch, RDMA_CM_EVENT_ADDR_RESOLVED, 0);
    OK(rdma_resolve_route(id, 1000));
    take(ch, RDMA_CM_EVENT_ROUTE_RESOLVED, 0);
    return id;
}

static inline void make_qp(struct rdma_cm_id *id)
{
    struct ibv_qp_init_attr a = {.cap = {.max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1},
        .qp_type = id->ps == RDMA_PS_TCP ? IBV_QPT_RC : IBV_QPT_UD, .sq_sig_all = 1};

    OK(rdma_create_qp(id, NULL, &a));
}

static inline void drop(struct rdma_cm_id *id)
{
    if (id->qp)
        rdma_destroy_qp(id);
    OK(rdma_destroy_id(id));
}

#endif
