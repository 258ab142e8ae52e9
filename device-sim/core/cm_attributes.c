/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The attributes that a queue pair of a connection is given, state by state. */
#include <errno.h>
#include <string.h>

#include "cm.h"

#define REMOTE_WRITE IBV_ACCESS_REMOTE_WRITE
#define REMOTE_OTHERS (IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)

void cm_address_handle(const struct cm_id *id, struct ib_uverbs_ah_attr *ah)
{
    memset(ah, 0, sizeof *ah);
    ah->is_global = 1;
    memcpy(ah->grh.dgid, id->dgid, 16);
    ah->grh.sgid_index = id->sgid_index;
    ah->grh.hop_limit = CM_HOPS;
    ah->grh.traffic_class = id->tos;
    ah->port_num = (uint8_t)(id->port + 1);
}

static bool is_connected_type(const struct cm_id *id)
{
    return id->qp_type == IB_UVERBS_QPT_RC;
}

static int to_init(const struct cm_id *id, bool has_connection, struct ib_uverbs_qp_attr *a)
{
    a->qp_attr_mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;
    a->port_num = (uint8_t)(id->port + 1);
    if (id->qp_type == IB_UVERBS_QPT_UD) {
        a->qkey = CM_UDP_QKEY;
        a->qp_attr_mask |= IBV_QP_QKEY;
        return 0;
    }
    a->qp_attr_mask |= IBV_QP_ACCESS_FLAGS;
    if (has_connection)
        a->qp_access_flags = REMOTE_WRITE | (id->responder_resources ? REMOTE_OTHERS : 0);
    return 0;
}

static int to_rtr(const struct cm_id *id, struct ib_uverbs_qp_attr *a)
{
    a->qp_attr_mask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
    cm_address_handle(id, &a->ah_attr);
    a->path_mtu = CM_MTU;
    a->dest_qp_num = id->peer_qpn;
    a->rq_psn = id->psn;
    if (!is_connected_type(id))
        return 0;
    a->qp_attr_mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
    a->max_dest_rd_atomic = id->responder_resources;
    return 0;
}

static int to_rts(const struct cm_id *id, struct ib_uverbs_qp_attr *a)
{
    a->qp_attr_mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
    a->sq_psn = id->peer_psn;
    if (!is_connected_type(id))
        return 0;
    a->qp_attr_mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
    a->timeout = id->has_timeout ? id->timeout : id->peer_timeout;
    a->retry_cnt = id->retry_count;
    a->rnr_retry = id->rnr_retry_count;
    a->max_rd_atomic = id->initiator_depth;
    return 0;
}

int cm_init_qp_attr(const struct cm_id *id, uint32_t state, struct ib_uverbs_qp_attr *a)
{
    bool has_connection = id->state >= CM_REQ_SENT && id->state <= CM_CONNECTED;

    memset(a, 0, sizeof *a);
    a->qp_state = state;
    if (!id->dev)
        return EINVAL;
    if (id->qp_type == IB_UVERBS_QPT_UD || id->state < CM_REQ_SENT) /* whatever the state is */
        return to_init(id, false, a);
    if (!has_connection)
        return EINVAL;
    switch (state) {
    case IBV_QPS_INIT: return to_init(id, true, a);
    case IBV_QPS_RTR: return id->state == CM_REQ_SENT ? EINVAL : to_rtr(id, a);
    case IBV_QPS_RTS: return id->state == CM_REQ_SENT ? EINVAL : to_rts(id, a);
    }
    return EINVAL;
}
