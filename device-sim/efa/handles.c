/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Address handles: their numbers go with requests and completions, and a request may outlive its handle. */
#include <errno.h>
#include <stdlib.h>

#include "efa.h"

/* A handle that was destroyed while descriptors of it lay in the ring: those in front of `until` are flushed. */
struct efa_gone {
    struct efa_gone *next;
    uint16_t ah, until;
};

uint16_t efa_handle_to(const struct sim_qp *qp, const uint8_t *gid)
{
    const struct sim_context *ctx = qp->obj.ctx;

    for (uint32_t i = 0; gid && i < ctx->n_objs; i++)
        if (ctx->obj[i] && ctx->obj[i]->type == SIM_AH && ((struct sim_ah *)ctx->obj[i])->pd == qp->pd &&
            !memcmp(((struct sim_ah *)ctx->obj[i])->gid, gid, 16))
            return (uint16_t)i;
    return 0xffff;
}

bool efa_knows(const struct sim_qp *qp, const uint8_t *gid)
{
    return efa_handle_to(qp, gid) != 0xffff;
}

/* The device's commands say that there must not be two to the same address; the kernel lets them through. */
static bool second(const struct sim_ah *ah)
{
    const struct sim_context *ctx = ah->obj.ctx;

    for (uint32_t i = 0; i < ctx->n_objs; i++) {
        const struct sim_ah *other = (const struct sim_ah *)ctx->obj[i];

        if (other && other != ah && other->obj.type == SIM_AH && other->pd == ah->pd && !memcmp(other->gid, ah->gid, 16))
            return true;
    }
    return false;
}

int efa_create_ah(struct sim_cmd *cmd, struct sim_ah *ah, const struct ib_uverbs_ah_attr *attr)
{
    struct efa_ibv_create_ah_resp r = {.efa_address_handle = (uint16_t)ah->obj.handle};

    if (!attr->is_global && !attr->grh.dgid[0])
        return EINVAL;
    if (second(ah))
        sim_command_error(NULL, 0, 0, 0, "%s: a second address handle to the same address in a protection domain",
            cmd->ctx->dev->name);
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

void efa_free_ah(struct sim_ah *ah)
{
    struct sim_context *ctx = ah->obj.ctx;

    efa_look_at_doorbells(ctx); /* what was rung before was posted before */
    for (uint32_t i = 0; i < ctx->n_objs; i++) {
        struct sim_qp *qp = sim_obj_get(ctx, i, SIM_QP);
        struct efa_gone *g;
        struct efa_qp *h;

        if (!qp || qp->pd != ah->pd)
            continue;
        h = qp->hw;
        while (sim_unpark_to(qp, ah->obj.handle)) {
            qp->wr.vendor_err = 0;
            sim_finish(qp, IBV_WC_WR_FLUSH_ERR, NULL);
        }
        g = h->sq_ci != h->sq_rung ? malloc(sizeof *g) : NULL;
        if (g) {
            *g = (struct efa_gone){.next = h->gone, .ah = (uint16_t)ah->obj.handle, .until = h->sq_rung};
            h->gone = g;
        }
    }
}

bool efa_is_gone(struct efa_qp *h, uint16_t ah, uint16_t index)
{
    struct efa_gone **at = &h->gone, *g;
    bool found = false;

    while ((g = *at)) {
        if ((int16_t)(g->until - h->sq_ci) <= 0) {
            *at = g->next;
            free(g);
            continue;
        }
        found |= g->ah == ah && (int16_t)(g->until - index) > 0;
        at = &g->next;
    }
    return found;
}

void efa_forget_gone(struct efa_qp *h)
{
    while (h->gone) {
        struct efa_gone *g = h->gone;

        h->gone = g->next;
        free(g);
    }
}
