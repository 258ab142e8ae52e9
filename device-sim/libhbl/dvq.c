/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Completion queues and queue pairs; collectives, which only the shipped layouts have. */
#include <errno.h>
#include <string.h>

#include "libhbl.h"

EXPORT struct ibv_cq *hbldv_create_cq(struct ibv_context *context, int cqe, struct ibv_comp_channel *channel, int vector,
    struct hbldv_cq_attr *attr)
{
    struct hbl_make_cq in = {.port = attr->port_num, .type = (uint8_t)attr->cq_type};
    struct ibv_cq *cq;

    if (!is_ours(context->device)) {
        errno = EOPNOTSUPP;
        return NULL;
    }
    log_bytes("hbldv_create_cq", "in", attr, sizeof *attr);
    cq = make_cq(context, cqe, channel, vector, &in);
    if (cq)
        CALL(void (*)(struct ibv_cq *, struct ibv_context *, struct ibv_comp_channel *, void *), "verbs_init_cq", cq, context,
            channel, NULL);
    return cq;
}

EXPORT int hbldv_query_cq(struct ibv_cq *cq, struct hbldv_query_cq_attr *attr)
{
    if (!is_ours(cq->context->device))
        return answer(EOPNOTSUPP);
    *attr = ((struct cq *)cq)->told;
    log_bytes("hbldv_query_cq", "out", attr, sizeof *attr);
    return 0;
}

EXPORT int hbldv_query_qp(struct ibv_qp *qp, struct hbldv_query_qp_attr *attr)
{
    const struct qp *q = (const struct qp *)qp;

    if (!is_ours(qp->context->device))
        return answer(EOPNOTSUPP);
    attr->qp_num = q->number;
    attr->swq_cpu_addr = q->sends;
    attr->rwq_cpu_addr = q->receives;
    log_bytes("hbldv_query_qp", "out", attr, sizeof *attr);
    return 0;
}

/* A queue pair that takes another's place is told less; the rest is as usual. */
static int migrating(struct ibv_qp_attr *attr)
{
    if (attr->qp_state == IBV_QPS_RTR) {
        attr->path_mtu = IBV_MTU_4096;
        attr->max_dest_rd_atomic = 1;
        return IBV_QP_PATH_MTU | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
    }
    attr->timeout = 13;
    attr->retry_cnt = attr->rnr_retry = 7;
    attr->max_rd_atomic = 1;
    return IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC;
}

EXPORT int hbldv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, void *hbl_attr)
{
    struct hbldv_qp_attr a = {0};
    struct hbl_modify in = {0};
    struct ibv_qp_attr filled;
    int error;

    if (!qp || !is_ours(qp->context->device))
        return answer(EOPNOTSUPP);
    if (!attr)
        return answer(EINVAL);
    if (!hbl_attr)
        return ibv_modify_qp(qp, attr, mask);
    memcpy(&a, hbl_attr, QP_ATTR_SIZE);
    log_call("hbldv_modify_qp", "state %d mask 0x%x", attr->qp_state, mask);
    log_bytes("hbldv_modify_qp", "in", hbl_attr, QP_ATTR_SIZE);
    in.local_key = a.local_key;
    in.remote_key = a.remote_key;
    in.window = a.congestion_wnd;
    in.dest_size = a.dest_wq_size;
    in.priority = a.priority;
    in.type = (uint8_t)a.wq_type;
    in.granularity = (uint8_t)a.wq_granularity;
    in.loopback = a.caps & HBLDV_QP_CAP_LOOPBACK ? 1 : 0;
    in.congestion = a.caps & HBLDV_QP_CAP_CONG_CTRL ? 1 : 0;
    in.compression = a.caps & HBLDV_QP_CAP_COMPRESSION ? 1 : 0;
    in.encap = a.caps & HBLDV_QP_CAP_ENCAP ? 1 : 0;
    in.encap_number = a.encap_num;
    if (HAS_COLLECTIVES && a.caps & HBLDV_QP_CAP_COLL) {
        in.collective = attr->qp_state == IBV_QPS_INIT;
        in.hint = in.collective ? a.qp_num_hint : 0;
    }
    filled = *attr;
    if (HAS_MIGRATE && a.caps & HBLDV_QP_CAP_MIGRATE && (attr->qp_state == IBV_QPS_RTR || attr->qp_state == IBV_QPS_RTS)) {
        mask |= migrating(&filled);
        in.priority = in.priority ? in.priority : 1;
    }
    error = change_qp(qp, &filled, mask, &in);
    if (!error && HAS_MIGRATE && a.caps & HBLDV_QP_CAP_MIGRATE && attr->qp_state == IBV_QPS_RTR)
        ((struct qp *)qp)->to_leave = a.qp_to_migrate;
    return error;
}

/* -- collectives ------------------------------------------------------------------------------- */

#if HAS_COLLECTIVES

struct resources {
    uint32_t number;
    uint32_t reserved;
    struct hbldv_coll_sched_resource resource[MAX_RESOURCES];
};
_Static_assert(sizeof(struct resources) == RESOURCES_SIZE, "published size");

int hbldv_reserve_coll_qps(struct ibv_pd *pd, void *attr, struct hbldv_coll_qp *qp);
int hbldv_reserve_coll_sched_resources(struct ibv_context *context, struct resources *resources);

/* Before 1.21 the structure is one byte, and there is no mask: all ports of the kind. */
EXPORT int hbldv_reserve_coll_qps(struct ibv_pd *pd, void *attr, struct hbldv_coll_qp *qp)
{
    struct hbldv_coll_qp_attr a = {0};
    struct hbl_reserve in = {0};
    uint32_t id = 0;
    struct field field[] = {IN(HBL_ATTR_FIRST, &in), OUT(HBL_ATTR_SECOND, &id)};
    int error;

    if (!pd || !attr || !qp)
        return answer(EINVAL);
    if (!is_ours(pd->context->device))
        return answer(EOPNOTSUPP);
    memcpy(&a, attr, COLL_QP_ATTR_SIZE);
    log_bytes("hbldv_reserve_coll_qps", "in", attr, COLL_QP_ATTR_SIZE);
    in.scale_out = a.is_scale_out;
    in.ports = a.ports_mask;
    error = command(pd->context->cmd_fd, HBL_OBJECT_COLLECTIVE, HBL_METHOD_FIRST, field, 2);
    if (error)
        return answer(error);
    qp->qp_num = id;
    log_bytes("hbldv_reserve_coll_qps", "out", qp, sizeof *qp);
    return 0;
}

/* Only the chip's own scheduler has any, and a Gaudi2 has none to give to a program. */
EXPORT int hbldv_reserve_coll_sched_resources(struct ibv_context *context, struct resources *resources)
{
    if (!context || !is_ours(context->device))
        return answer(EOPNOTSUPP);
    if (!resources)
        return answer(EINVAL);
    memset(resources, 0, RESOURCES_SIZE);
    log_bytes("hbldv_reserve_coll_sched_resources", "out", resources, 8);
    return 0;
}

#endif

#if HAS_MIGRATE

/* Who takes over said at RTR whose place it is. 1.19 is given both, in whatever order. */
static int migrate(struct ibv_qp *one, struct ibv_qp *other)
{
    struct qp *to = (struct qp *)(one && ((struct qp *)one)->to_leave ? one : other);
    struct hbl_migrate in = {0};
    uint32_t number = 0;
    struct field field[] = {IN(HBL_ATTR_FIRST, &in), OUT(HBL_ATTR_SECOND, &number)};
    int error;

    if (!to || !to->to_leave)
        return answer(EINVAL);
    log_call("hbldv_migrate_qp", "from %u to %u", ((struct qp *)to->to_leave)->number, to->number);
    in.to = to->base.handle;
    in.from = to->to_leave->handle;
    error = command(to->base.context->cmd_fd, HBL_OBJECT_COLLECTIVE, HBL_METHOD_SECOND, field, 2);
    if (error)
        return answer(error);
    to->number = number;
    to->to_leave = NULL;
    return 0;
}

#if MIGRATE_TAKES_TWO

int hbldv_migrate_qp(struct ibv_qp *qp, struct ibv_qp *other);
EXPORT int hbldv_migrate_qp(struct ibv_qp *qp, struct ibv_qp *other)
{
    return migrate(qp, other);
}

#else

int hbldv_migrate_qp(struct ibv_qp *qp);
EXPORT int hbldv_migrate_qp(struct ibv_qp *qp)
{
    return migrate(qp, NULL);
}

#endif

#endif
