/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The verbs that the library has. Everything else is libibverbs' own answer for what a provider lacks: EOPNOTSUPP. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "libhbl.h"

/* In front of a command in the old form there is a header, which libibverbs fills. */
struct header {
    uint32_t words[2];
};
struct extended_header {
    struct header header;
    uint64_t words[2];
};

static struct ibv_pd *alloc_pd(struct ibv_context *context)
{
    struct {
        struct header header;
        struct ib_uverbs_alloc_pd core;
    } in = {0};
    struct {
        struct ib_uverbs_alloc_pd_resp core;
        struct hbl_pd driver;
    } out = {0};
    struct ibv_pd *pd = calloc(1, sizeof *pd);
    int error;

    if (!pd)
        return NULL;
    error = CALL(int (*)(struct ibv_context *, struct ibv_pd *, void *, size_t, void *, size_t), "ibv_cmd_alloc_pd", context, pd,
        &in, sizeof in, &out, sizeof out);
    if (!error)
        return pd;
    free(pd);
    errno = error;
    return NULL;
}

static int dealloc_pd(struct ibv_pd *pd)
{
    int error = CALL(int (*)(struct ibv_pd *), "ibv_cmd_dealloc_pd", pd);

    if (!error)
        free(pd);
    return error;
}

/* -- completion queues ------------------------------------------------------------------------- */

static int map_cq(struct cq *cq, struct ibv_context *context, const struct hbl_made_cq *made, uint32_t type)
{
    struct hbldv_query_cq_attr *t = &cq->told;

    t->ibvcq = &cq->base;
    t->cq_size = made->size;
    t->cq_num = made->number;
    t->regs_offset = made->offset;
    t->cq_type = type;
    cq->ring_size = made->size;
    t->mem_cpu_addr = map(context, made->ring, made->size, PROT_READ | PROT_WRITE);
    t->pi_cpu_addr = map(context, made->pi, 4096, PROT_READ);
    if (made->registers)
        t->regs_cpu_addr = map(context, made->registers, 4096, PROT_WRITE);
    return t->mem_cpu_addr == MAP_FAILED || t->pi_cpu_addr == MAP_FAILED || t->regs_cpu_addr == MAP_FAILED ? ENOMEM : 0;
}

static void unmap(void *at, size_t size)
{
    if (at && at != MAP_FAILED)
        munmap(at, size);
}

static void free_cq(struct cq *cq)
{
    unmap(cq->told.mem_cpu_addr, cq->ring_size);
    unmap(cq->told.pi_cpu_addr, 4096);
    unmap(cq->told.regs_cpu_addr, 4096);
    free(cq);
}

static int destroy_cq(struct ibv_cq *cq)
{
    int error = CALL(int (*)(struct ibv_cq *), "ibv_cmd_destroy_cq", cq);

    if (!error)
        free_cq((struct cq *)cq);
    return error;
}

struct ibv_cq *make_cq(struct ibv_context *context, int cqe, struct ibv_comp_channel *channel, int vector,
    const struct hbl_make_cq *driver)
{
    struct {
        struct header header;
        struct ib_uverbs_create_cq core;
        struct hbl_make_cq driver;
    } in = {.driver = *driver};
    struct {
        struct ib_uverbs_create_cq_resp core;
        struct hbl_made_cq driver[65];
    } out;
    struct cq *cq = calloc(1, sizeof *cq);
    int error;

    if (!cq)
        return NULL;
    memset(&out, 0, sizeof out);
    error = CALL(int (*)(struct ibv_context *, int, struct ibv_comp_channel *, int, struct ibv_cq *, void *, size_t, void *,
        size_t), "ibv_cmd_create_cq", context, cqe, channel, vector, &cq->base, &in, sizeof in, &out, sizeof out);
    if (error) {
        free(cq);
        errno = error;
        return NULL;
    }
    if (!(driver->flags & HBL_CQ_NATIVE) && map_cq(cq, context, &out.driver[0], driver->type)) {
        destroy_cq(&cq->base);
        errno = ENOMEM;
        return NULL;
    }
    return &cq->base;
}

/* One at each port. What the kernel says of them is not kept, as it is there: their rings can't be reached. */
static struct ibv_cq *create_cq(struct ibv_context *context, int cqe, struct ibv_comp_channel *channel, int vector)
{
    static const struct hbl_make_cq all = {.flags = HBL_CQ_NATIVE};

    return make_cq(context, cqe, channel, vector, &all);
}

/* -- queue pairs ------------------------------------------------------------------------------- */

static struct ibv_qp *create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
    struct {
        struct header header;
        struct ib_uverbs_create_qp core;
    } in = {0};
    struct ib_uverbs_create_qp_resp out = {0};
    struct qp *qp = calloc(1, sizeof *qp + 256); /* libibverbs may look at a longer struct */
    int error;

    if (!qp)
        return NULL;
    error = CALL(int (*)(struct ibv_pd *, struct ibv_qp *, struct ibv_qp_init_attr *, void *, size_t, void *, size_t),
        "ibv_cmd_create_qp", pd, &qp->base, attr, &in, sizeof in, &out, sizeof out);
    if (!error)
        return &qp->base;
    free(qp);
    errno = error;
    return NULL;
}

/* Of the mask only the domain is looked at, as it is there. */
static struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
    (void)context;
    if (!(attr->comp_mask & IBV_QP_INIT_ATTR_PD)) {
        errno = EINVAL;
        return NULL;
    }
    return create_qp(attr->pd, (struct ibv_qp_init_attr *)attr); /* begins with the same fields */
}

static void unmap_rings(struct qp *qp)
{
    unmap(qp->sends, qp->sends_size);
    unmap(qp->receives, qp->receives_size);
    qp->sends = qp->receives = NULL;
}

static int destroy_qp(struct ibv_qp *base)
{
    struct qp *qp = (struct qp *)base;
    int error = CALL(int (*)(struct ibv_qp *), "ibv_cmd_destroy_qp", base);

    if (error)
        return error;
    unmap_rings(qp);
    free(qp);
    return 0;
}

int change_qp(struct ibv_qp *base, struct ibv_qp_attr *attr, int mask, const struct hbl_modify *driver)
{
    struct {
        struct extended_header header;
        struct ib_uverbs_ex_modify_qp core;
        struct hbl_modify driver;
    } in = {.driver = *driver};
    struct {
        struct ib_uverbs_ex_modify_qp_resp core;
        struct hbl_modified driver;
    } out;
    struct qp *qp = (struct qp *)base;
    int error;

    memset(&out, 0, sizeof out);
    error = CALL(int (*)(struct ibv_qp *, struct ibv_qp_attr *, int, void *, size_t, void *, size_t), "ibv_cmd_modify_qp_ex", base,
        attr, mask, &in, sizeof in, &out, sizeof out);
    if (error || !(mask & IBV_QP_STATE))
        return answer(error);
    base->state = attr->qp_state;
    if (attr->qp_state == IBV_QPS_INIT)
        qp->number = out.driver.number;
    if (attr->qp_state == IBV_QPS_RESET)
        qp->number = 0; /* the rings stay mapped and told, as they do there, though they are nobody's now */
    if (attr->qp_state == IBV_QPS_RTS && out.driver.sends) {
        qp->sends_size = out.driver.sends_size;
        qp->receives_size = out.driver.receives_size;
        qp->sends = map(base->context, out.driver.sends, qp->sends_size, PROT_READ | PROT_WRITE);
        qp->receives = map(base->context, out.driver.receives, qp->receives_size, PROT_READ | PROT_WRITE);
        if (qp->sends == MAP_FAILED || qp->receives == MAP_FAILED) {
            unmap_rings(qp);
            return answer(ENOMEM);
        }
    }
    return 0;
}

/* With what the library puts in where nothing is said. Errors and drains are hbldv_modify_qp's business. */
static int modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
    struct hbl_modify in = {0};

    if (mask & IBV_QP_STATE)
        switch (attr->qp_state) {
        case IBV_QPS_INIT:
            in.type = HBLDV_WQ_WRITE;
            break;
        case IBV_QPS_RTS:
            in.priority = 1;
            break;
        case IBV_QPS_RTR:
        case IBV_QPS_RESET:
            break;
        default:
            return EINVAL;
        }
    return change_qp(qp, attr, mask, &in);
}

static int query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init)
{
    struct {
        struct header header;
        struct ib_uverbs_query_qp core;
    } in = {0};

    return CALL(int (*)(struct ibv_qp *, struct ibv_qp_attr *, int, struct ibv_qp_init_attr *, void *, size_t),
        "ibv_cmd_query_qp", qp, attr, mask, init, &in, sizeof in);
}

/* -- questions --------------------------------------------------------------------------------- */

static int query_device_ex(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
    struct ibv_device_attr_ex *attr, size_t size)
{
    struct ib_uverbs_ex_query_device_resp out = {0};
    size_t out_size = sizeof out;

    return CALL(int (*)(struct ibv_context *, const struct ibv_query_device_ex_input *, struct ibv_device_attr_ex *, size_t,
        void *, size_t *), "ibv_cmd_query_device_any", context, input, attr, size, &out, &out_size);
}

static int query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr)
{
    struct {
        struct header header;
        struct ib_uverbs_query_port core;
    } in = {0};

    return CALL(int (*)(struct ibv_context *, uint8_t, struct ibv_port_attr *, void *, size_t), "ibv_cmd_query_port", context,
        port, attr, &in, sizeof in);
}

const struct operations operations = {
    .alloc_pd = (void *)alloc_pd, .dealloc_pd = (void *)dealloc_pd, .create_cq = (void *)create_cq,
    .destroy_cq = (void *)destroy_cq, .create_qp = (void *)create_qp, .create_qp_ex = (void *)create_qp_ex,
    .destroy_qp = (void *)destroy_qp, .modify_qp = (void *)modify_qp, .query_qp = (void *)query_qp,
    .query_device_ex = (void *)query_device_ex, .query_port = (void *)query_port, .free_context = (void *)free_context_of,
};
