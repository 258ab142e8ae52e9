/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams of a DC initiator: requests of different ones have nothing to do with each other. Where one fails, the others go on,
 * until as many have failed as the queue pair can remember.
 */
#include <stdlib.h>

#include "sim.h"

bool sim_streams_make(struct sim_qp *qp, unsigned max_failed)
{
    qp->failed_stream = calloc(max_failed, sizeof *qp->failed_stream);
    qp->max_failed_streams = qp->failed_stream ? max_failed : 0;
    return qp->failed_stream;
}

static unsigned find(const struct sim_qp *qp, uint16_t stream)
{
    unsigned i = 0;

    while (i < qp->n_failed_streams && qp->failed_stream[i] != stream)
        i++;
    return i;
}

bool sim_stream_has_failed(const struct sim_qp *qp, uint16_t stream)
{
    return find(qp, stream) < qp->n_failed_streams;
}

bool sim_stream_fail(struct sim_qp *qp, uint16_t stream)
{
    if (!sim_stream_has_failed(qp, stream))
        qp->failed_stream[qp->n_failed_streams++] = stream;
    return qp->n_failed_streams == qp->max_failed_streams;
}

bool sim_stream_reset(struct sim_qp *qp, uint16_t stream)
{
    unsigned i = find(qp, stream);

    if (i == qp->n_failed_streams)
        return false;
    qp->failed_stream[i] = qp->failed_stream[--qp->n_failed_streams];
    return true;
}
