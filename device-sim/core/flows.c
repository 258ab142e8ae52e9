/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Queue pairs that keep no order (SRD) have many work requests under way: one that has to wait is put aside, and the next
 * one has its turn. Whose turn it is lies in the queue pair itself, as with all others. And what a responder remembers of
 * them, since no sequence of packets tells it what came twice.
 */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

#define SEEN 16384

struct sim_flow {
    struct sim_flow *next;
    struct sim_wr wr;
    uint64_t done, not_before;
    uint32_t psn;
    unsigned tries, rnr_tries;
    bool waiting, again;
};

/* Packets that were executed, or refused for good. */
struct sim_seen {
    struct {
        uint32_t qpn, life, psn;
        uint8_t answer;
    } packet[SEEN];
    unsigned n;
};

bool sim_unordered(const struct sim_qp *qp)
{
    return qp->type == IB_UVERBS_QPT_DRIVER && !qp->dc;
}

/* False where there is no memory: then it goes on having its turn, and the others wait. */
bool sim_park(struct sim_qp *qp)
{
    struct sim_flow *f = malloc(sizeof *f), **last = &qp->parked;

    if (!f)
        return false;
    while (*last)
        last = &(*last)->next;
    *f = (struct sim_flow){.done = qp->done, .not_before = qp->not_before, .psn = qp->psn, .tries = qp->tries,
        .rnr_tries = qp->rnr_tries, .waiting = qp->waiting, .again = qp->again};
    f->wr = qp->wr;
    *last = f;
    qp->n_parked++;
    qp->active = qp->waiting = false;
    return true;
}

static void unpark(struct sim_qp *qp, struct sim_flow **at)
{
    struct sim_flow *f = *at;

    *at = f->next;
    qp->wr = f->wr;
    qp->done = f->done;
    qp->not_before = f->not_before;
    qp->psn = f->psn;
    qp->tries = f->tries;
    qp->rnr_tries = f->rnr_tries;
    qp->waiting = f->waiting;
    qp->again = f->again;
    qp->active = true;
    qp->n_parked--;
    free(f);
}

bool sim_unpark(struct sim_qp *qp)
{
    if (qp->active || !qp->parked)
        return false;
    unpark(qp, &qp->parked);
    return true;
}

bool sim_unpark_answered(struct sim_qp *qp, uint32_t psn, uint32_t from)
{
    struct sim_flow **at = &qp->parked;

    while (*at && !((*at)->waiting && (*at)->psn == psn && (*at)->wr.dest_qpn == from))
        at = &(*at)->next;
    if (qp->active || !*at)
        return false;
    unpark(qp, at);
    return true;
}

bool sim_unpark_to(struct sim_qp *qp, uint32_t ah)
{
    struct sim_flow **at = &qp->parked;

    while (*at && (*at)->wr.ah != ah)
        at = &(*at)->next;
    if (qp->active || !*at)
        return false;
    unpark(qp, at);
    return true;
}

void sim_forget_flows(struct sim_qp *qp)
{
    while (qp->parked) {
        struct sim_flow *f = qp->parked;

        qp->parked = f->next;
        free(f);
    }
    qp->n_parked = 0;
    free(qp->seen);
    qp->seen = NULL;
}

/* -- the responder ----------------------------------------------------------------------------- */

void sim_remember(struct sim_qp *qp, const struct sim_packet *p, int answer)
{
    unsigned i;

    if (!qp->seen)
        qp->seen = calloc(1, sizeof *qp->seen);
    if (!qp->seen)
        return;
    i = qp->seen->n++ % SEEN;
    qp->seen->packet[i].qpn = p->src_qpn;
    qp->seen->packet[i].life = p->dc_life;
    qp->seen->packet[i].psn = p->psn;
    qp->seen->packet[i].answer = (uint8_t)answer;
}

/* The answer that it was given before, -1 when it was not. */
int sim_recall(const struct sim_qp *qp, const struct sim_packet *p)
{
    unsigned n = !qp->seen ? 0 : qp->seen->n < SEEN ? qp->seen->n : SEEN;

    for (unsigned i = 0; i < n; i++)
        if (qp->seen->packet[i].qpn == p->src_qpn && qp->seen->packet[i].life == p->dc_life &&
            qp->seen->packet[i].psn == p->psn)
            return qp->seen->packet[i].answer;
    return -1;
}
