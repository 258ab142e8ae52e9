/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Completion counters: two words in memory of the process, one of what went well and one of what did not, which the device
 * counts up with the completions of the queue pairs that they are attached to.
 */
#include <errno.h>
#include <sys/mman.h>
#include <rdma/ib_user_ioctl_cmds.h>

#include "efa.h"

struct word {
    uint64_t *at;
    struct sim_mapping behind;
};

struct efa_counter {
    struct sim_obj obj;
    struct word word[2]; /* good, bad */
};

enum { STATES = 1 << IBV_QPS_RESET | 1 << IBV_QPS_INIT };

/* -- making them ------------------------------------------------------------------------------- */

static int place(struct sim_cmd *cmd, uint16_t id, struct word *w)
{
    struct efa_buffer b;
    int error;

    if (!sim_in(cmd, id, &b, sizeof b) || b.flags || b.length < sizeof *w->at || b.addr % sizeof *w->at)
        return EINVAL;
    if (b.type == BUFFER_DMABUF) {
        error = sim_map_behind(b.fd, b.addr, b.length, &w->behind);
        w->at = (uint64_t *)w->behind.at;
        return error;
    }
    if (b.type != BUFFER_VA)
        return EINVAL;
    /* The kernel would pin it. */
    if (msync((void *)(uintptr_t)(b.addr / PAGE * PAGE), PAGE, MS_ASYNC))
        return EFAULT;
    w->at = (uint64_t *)(uintptr_t)b.addr;
    return 0;
}

static unsigned there_are(const struct sim_context *ctx)
{
    unsigned n = 0;

    for (int i = 0; i < sim_n_contexts; i++)
        for (uint32_t h = 0; sim_contexts[i] && sim_contexts[i]->dev == ctx->dev && h < sim_contexts[i]->n_objs; h++)
            n += sim_obj_get(sim_contexts[i], h, SIM_COUNTER) != NULL;
    return n;
}

static int create(struct sim_cmd *cmd)
{
    struct efa_counter *c;
    int error;

    if (there_are(cmd->ctx) >= MAX_COUNTERS)
        return ENOMEM;
    c = sim_obj_new(cmd->ctx, SIM_COUNTER, sizeof *c);
    if (!c)
        return ENOMEM;
    error = place(cmd, COUNTER_COMP_BUFFER, &c->word[0]);
    if (!error)
        error = place(cmd, COUNTER_ERR_BUFFER, &c->word[1]);
    if (error) {
        sim_obj_drop(&c->obj);
        return error;
    }
    for (unsigned i = 0; i < 2; i++)
        __atomic_store_n(c->word[i].at, 0, __ATOMIC_RELEASE);
    sim_out_obj(cmd, COUNTER_HANDLE, &c->obj);
    return 0;
}

void efa_free_counter(struct sim_obj *obj)
{
    struct efa_counter *c = (struct efa_counter *)obj;

    for (unsigned i = 0; i < 2; i++)
        if (c->word[i].behind.map)
            munmap(c->word[i].behind.map, c->word[i].behind.size);
}

/* -- using them -------------------------------------------------------------------------------- */

static void add(struct word *w, uint64_t amount)
{
    uint64_t value = __atomic_load_n(w->at, __ATOMIC_RELAXED);

    __atomic_store_n(w->at, amount > MAX_COUNT - value ? amount - (MAX_COUNT - value) - 1 : value + amount, __ATOMIC_RELEASE);
}

static struct word *word_of(struct sim_cmd *cmd)
{
    struct efa_counter *c = sim_in_obj(cmd, COUNTER_HANDLE, SIM_COUNTER);
    uint64_t entry = sim_in_u64(cmd, COUNTER_ENTRY, 2);

    return c && entry < 2 ? &c->word[entry] : NULL;
}

static int modify(struct sim_cmd *cmd)
{
    struct word *w = word_of(cmd);
    uint64_t op = sim_in_u64(cmd, COUNTER_OP, 2), value = sim_in_u64(cmd, COUNTER_VALUE, 0);

    if (!w || op > 1 || value > MAX_COUNT)
        return EINVAL;
    if (op)
        add(w, value);
    else
        __atomic_store_n(w->at, value, __ATOMIC_RELEASE);
    return 0;
}

static int read_word(struct sim_cmd *cmd)
{
    struct word *w = word_of(cmd);

    if (!w)
        return EINVAL;
    sim_out(cmd, COUNTER_READ_VALUE, w->at, sizeof *w->at);
    return 0;
}

static uint32_t ops(const struct sim_device *dev)
{
    uint32_t caps = efa_profile(dev)->caps;

    return 1u << COUNT_SEND | 1u << COUNT_RECV |
        (caps & EFA_READ ? 1u << COUNT_READ | 1u << COUNT_REMOTE_READ : 0) |
        (caps & EFA_WRITE ? 1u << COUNT_WRITE | 1u << COUNT_REMOTE_WRITE : 0);
}

static int attach(struct sim_cmd *cmd)
{
    struct sim_qp *qp = sim_in_obj(cmd, ATTACH_QP, SIM_QP);
    struct efa_counter *c = sim_in_obj(cmd, ATTACH_COUNTER, SIM_COUNTER);
    uint32_t mask = (uint32_t)sim_in_u64(cmd, ATTACH_OPS, 0);
    struct efa_qp *h = qp ? qp->hw : NULL;

    if (!qp || !c || !mask || !(STATES >> qp->state & 1))
        return EINVAL;
    if (mask & ~ops(cmd->ctx->dev))
        return EOPNOTSUPP;
    for (unsigned i = 0; i < COUNTED; i++)
        if (mask >> i & 1 && h->counter[i])
            return EBUSY;
    for (unsigned i = 0; i < COUNTED; i++)
        if (mask >> i & 1) {
            h->counter[i] = c;
            c->obj.users++;
        }
    return 0;
}

void efa_detach(struct efa_qp *h)
{
    for (unsigned i = 0; i < COUNTED; i++) {
        if (h->counter[i])
            h->counter[i]->obj.users--;
        h->counter[i] = NULL;
    }
}

void efa_count(struct sim_qp *qp, unsigned what, bool good)
{
    struct efa_counter *c = ((struct efa_qp *)qp->hw)->counter[what];

    if (c)
        add(&c->word[!good], 1);
}

void efa_served(struct sim_qp *qp, enum sim_op op)
{
    efa_count(qp, op == SIM_READ ? COUNT_REMOTE_READ : COUNT_REMOTE_WRITE, true);
}

/* -- methods ----------------------------------------------------------------------------------- */

static int query(struct sim_cmd *cmd)
{
    uint32_t most = MAX_COUNTERS, can = ops(cmd->ctx->dev);
    uint64_t value = MAX_COUNT;

    sim_out(cmd, COUNTERS_MAX, &most, sizeof most);
    sim_out(cmd, COUNTERS_MAX_VALUE, &value, sizeof value);
    sim_out(cmd, COUNTERS_OPS, &can, sizeof can);
    return 0;
}

static int destroy(struct sim_cmd *cmd)
{
    struct efa_counter *c = sim_in_obj(cmd, COUNTER_HANDLE, SIM_COUNTER);

    return c ? sim_obj_destroy(&c->obj) : EINVAL;
}

int efa_counter_method(struct sim_cmd *cmd)
{
    static const struct {
        uint16_t object, method;
        int (*run)(struct sim_cmd *cmd);
    } methods[] = {
        {OBJECT_COUNTER, METHOD_COUNTER_CREATE, create}, {OBJECT_COUNTER, METHOD_COUNTER_DESTROY, destroy},
        {OBJECT_COUNTER, METHOD_COUNTER_MODIFY, modify}, {OBJECT_COUNTER, METHOD_COUNTER_READ, read_word},
        {UVERBS_OBJECT_QP, METHOD_QP_ATTACH_COUNTER, attach}, {UVERBS_OBJECT_DEVICE, METHOD_QUERY_COUNTERS, query},
    };

    for (unsigned i = 0; i < sizeof methods / sizeof *methods; i++)
        if (methods[i].object == cmd->hdr->object_id && methods[i].method == cmd->hdr->method_id)
            return efa_profile(cmd->ctx->dev)->caps & EFA_COUNTERS ? methods[i].run(cmd) : EOPNOTSUPP;
    return -1;
}
