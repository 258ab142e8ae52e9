/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections: requests, answers, and what each message does to an id. Messages are not lost, so each is sent once,
 * but for requests, which a listener with a full backlog does not answer.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cm.h"

#define SECOND 1000000000ull
#define TRIES 16 /* of a request */
#define LOOK (SECOND / 10) /* whether the peer's process is there */
#define DREQ_TIME (98 * SECOND) /* after which nobody waits for the answer */

static uint64_t life(uint8_t timeout)
{
    return (timeout > 8 ? 1ull << (timeout - 8) : 1) * 1000000;
}

static struct cm_mad message(const struct cm_id *id, enum cm_kind kind)
{
    struct cm_mad m = {.kind = kind, .local = id->number, .remote = id->peer, .ps = id->ps, .qp_type = id->qp_type};

    return m;
}

static void after(struct cm_id *id, uint64_t time)
{
    id->deadline = sim_real_time() + time;
    cm_wake();
}

static void send_plain(const struct cm_id *id, enum cm_kind kind)
{
    struct cm_mad m = message(id, kind);

    cm_send(&m, id->peer_slot);
}

static void send_rejection(const struct cm_id *id, uint32_t reason, const uint8_t *data, size_t length)
{
    struct cm_mad m = message(id, id->qp_type == IB_UVERBS_QPT_UD ? CM_SIDR_REP : CM_REJ);

    m.reason = reason;
    if (length)
        memcpy(m.data, data, length);
    cm_send(&m, id->peer_slot);
}

/* The same to a request that no id here is for. */
static void refuse(const struct cm_mad *request, uint32_t reason)
{
    struct cm_mad m = {.kind = request->kind == CM_SIDR_REQ ? CM_SIDR_REP : CM_REJ, .remote = request->local,
        .reason = reason};

    cm_send(&m, request->slot);
}

static void stop_asking(struct cm_id *id)
{
    free(id->request);
    id->request = NULL;
    id->deadline = 0;
}

/* -- what the process wants -------------------------------------------------------------------- */

static void fill_parameters(struct cm_mad *m, const struct cm_id *id, const struct rdma_ucm_conn_param *p)
{
    m->src = id->src;
    m->dst = id->dst;
    memcpy(m->sgid, id->sgid, 16);
    m->qpn = p->qp_num & 0xffffff;
    m->psn = id->psn;
    m->responder_resources = p->responder_resources;
    m->initiator_depth = p->initiator_depth;
    m->flow_control = p->flow_control;
    m->retry_count = p->retry_count < 7 ? p->retry_count : 7;
    m->rnr_retry_count = p->rnr_retry_count < 7 ? p->rnr_retry_count : 7;
    m->srq = !!p->srq;
    m->tos = id->tos;
    m->timeout = id->has_timeout ? id->timeout : CM_PACKET_LIFE + 1;
    memcpy(m->data, p->private_data, p->private_data_len);
}

/* To who listens there; who does may change between tries. */
static void ask(struct cm_id *id)
{
    int slot = cm_listening_slot(id->ps, &id->dst);

    id->tries++;
    after(id, SECOND);
    if (slot >= 0) {
        id->peer_slot = (uint32_t)slot;
        cm_send(id->request, (uint32_t)slot);
        return;
    }
    /* The peer's kernel knows of no listener. */
    struct cm_mad m = {.kind = id->state == CM_SIDR_SENT ? CM_SIDR_REP : CM_REJ, .remote = id->number,
        .reason = id->state == CM_SIDR_SENT ? CM_SIDR_NO_SERVICE : CM_REJ_SERVICE};
    cm_send(&m, sim_wire_slot());
}

int cm_connect(struct cm_id *id, const struct rdma_ucm_conn_param *p, const struct rdma_ucm_ece *ece)
{
    bool ud = id->qp_type == IB_UVERBS_QPT_UD;

    if (id->state != CM_HAS_ROUTE || p->private_data_len > (ud ? CM_SIDR_REQ_DATA : CM_REQ_DATA))
        return EINVAL;
    if (!ud && id->qp_type != IB_UVERBS_QPT_RC && id->qp_type != IB_UVERBS_QPT_UC) {
        sim_say("rdma_cm: refused: a connection of queue pairs of type %d", id->qp_type);
        sim_count(DEVICE_SIM_COUNT_REFUSED);
        return EOPNOTSUPP;
    }
    id->request = malloc(sizeof *id->request);
    if (!id->request)
        return ENOMEM;
    *id->request = message(id, ud ? CM_SIDR_REQ : CM_REQ);
    fill_parameters(id->request, id, p);
    id->request->ece = *ece;
    id->qpn = id->request->qpn;
    id->responder_resources = p->responder_resources;
    id->initiator_depth = p->initiator_depth;
    id->retry_count = id->request->retry_count;
    id->peer_timeout = CM_PACKET_LIFE + 1;
    id->state = ud ? CM_SIDR_SENT : CM_REQ_SENT;
    ask(id);
    return 0;
}

static int answer_request(struct cm_id *id, uint64_t uid, const struct rdma_ucm_conn_param *p,
    const struct rdma_ucm_ece *ece)
{
    bool ud = id->state == CM_SIDR_RCVD;
    struct cm_mad m = message(id, ud ? CM_SIDR_REP : CM_REP);

    if (p->private_data_len > (ud ? CM_SIDR_REP_DATA : CM_REP_DATA)) {
        cm_reject(id, ud ? CM_SIDR_REJECT : CM_REJ_CONSUMER, NULL, 0);
        return EINVAL;
    }
    id->uid = uid;
    fill_parameters(&m, id, p);
    m.ece = *ece;
    m.qkey = ud && p->qkey ? p->qkey : CM_UDP_QKEY;
    if (ud)
        m.reason = CM_SIDR_GOOD;
    id->qpn = m.qpn;
    id->responder_resources = p->responder_resources;
    id->initiator_depth = p->initiator_depth;
    id->state = ud ? CM_ENDED : CM_REP_SENT;
    cm_send(&m, id->peer_slot);
    return 0;
}

/* Of who was asked the answer to a request, with parameters; of who asked the confirmation, without. */
int cm_accept(struct cm_id *id, uint64_t uid, const struct rdma_ucm_conn_param *p, const struct rdma_ucm_ece *ece)
{
    if (id->state == CM_REQ_RCVD || id->state == CM_SIDR_RCVD)
        return p ? answer_request(id, uid, p, ece) : (cm_reject(id, CM_REJ_CONSUMER, NULL, 0), EINVAL);
    if (id->state != CM_REP_RCVD || p)
        return EINVAL;
    id->state = CM_CONNECTED;
    send_plain(id, CM_RTU);
    return 0;
}

int cm_reject(struct cm_id *id, uint8_t reason, const uint8_t *data, size_t length)
{
    bool ud = id->state == CM_SIDR_RCVD;

    if (!ud && (id->state < CM_REQ_SENT || id->state > CM_REP_SENT))
        return EINVAL;
    if (length > (ud ? CM_SIDR_REP_DATA : CM_REJ_DATA))
        return EINVAL;
    stop_asking(id);
    send_rejection(id, ud ? CM_SIDR_REJECT : reason, data, length);
    id->state = CM_ENDED;
    return 0;
}

static void begin_timewait(struct cm_id *id)
{
    id->state = CM_TIMEWAIT;
    after(id, life(id->has_timeout ? id->timeout : id->peer_timeout));
}

/* The first one asks, the second one answers; of an id without a connection it is nothing. */
int cm_disconnect(struct cm_id *id)
{
    if (id->state < CM_REQ_SENT)
        return EINVAL;
    if (id->state == CM_CONNECTED) {
        id->state = CM_DREQ_SENT;
        after(id, DREQ_TIME);
        send_plain(id, CM_DREQ);
    } else if (id->state == CM_DREQ_RCVD) {
        send_plain(id, CM_DREP);
        begin_timewait(id);
    }
    return 0;
}

int cm_notify(struct cm_id *id, uint32_t event)
{
    if (id->state < CM_REQ_SENT)
        return EINVAL;
    if (event == IBV_EVENT_PATH_MIG)
        return id->state == CM_CONNECTED ? 0 : EINVAL;
    if (event != IBV_EVENT_COMM_EST)
        return EINVAL;
    if (id->state == CM_CONNECTED)
        return EISCONN;
    if (id->state != CM_REP_SENT)
        return EINVAL;
    id->state = CM_CONNECTED; /* the peer's confirmation is on its way */
    cm_tell(id, CM_ESTABLISHED, 0);
    return 0;
}

void cm_end(struct cm_id *id)
{
    switch (id->state) {
    case CM_REQ_SENT:
        stop_asking(id);
        send_rejection(id, CM_REJ_TIMEOUT, NULL, 0);
        break;
    case CM_REQ_RCVD:
    case CM_REP_SENT:
    case CM_REP_RCVD:
        send_rejection(id, CM_REJ_CONSUMER, NULL, 0);
        break;
    case CM_SIDR_RCVD:
        send_rejection(id, CM_SIDR_REJECT, NULL, 0);
        break;
    case CM_CONNECTED:
        send_plain(id, CM_DREQ);
        break;
    case CM_DREQ_RCVD:
        send_plain(id, CM_DREP);
        break;
    default:
        break;
    }
    id->state = CM_ENDED;
}

/* -- messages that arrive ---------------------------------------------------------------------- */

static void put_connection(struct cm_event *e, const struct cm_mad *m, uint8_t length)
{
    struct rdma_ucm_conn_param *p = &e->resp.param.conn;

    p->qp_num = m->qpn;
    p->responder_resources = m->initiator_depth; /* what the peer wants to begin, this side has to answer */
    p->initiator_depth = m->responder_resources;
    p->flow_control = m->flow_control;
    p->retry_count = m->kind == CM_REQ ? m->retry_count : 0;
    p->rnr_retry_count = m->rnr_retry_count;
    p->srq = m->srq;
    p->private_data_len = length;
    memcpy(p->private_data, m->data, length);
    e->resp.ece = m->ece;
}

static void put_datagram(struct cm_event *e, const struct cm_mad *m, uint8_t length)
{
    e->resp.param.ud.private_data_len = length;
    memcpy(e->resp.param.ud.private_data, m->data, length);
}

/* The id that has sent what this is about, or got it: by both numbers. */
static struct cm_id *id_for(const struct cm_mad *m)
{
    struct cm_id *id;

    for (uint32_t h = 0; (id = cm_id_next(&h)); h++)
        if (id->number == m->remote && (!id->peer || !m->local || id->peer == m->local))
            return id;
    return NULL;
}

/* The peer that begins has no number of this side yet. */
static struct cm_id *begun_by(const struct cm_mad *m)
{
    struct cm_id *id;

    for (uint32_t h = 0; (id = cm_id_next(&h)); h++)
        if (id->peer == m->local && id->peer_slot == m->slot)
            return id;
    return NULL;
}

static void fill_child(struct cm_id *id, const struct cm_mad *m, const struct cm_id *listener,
    const struct sim_netdev *n)
{
    id->ps = listener->ps;
    id->qp_type = listener->qp_type;
    id->src = m->dst;
    id->dst = m->src;
    cm_use(id, n);
    memcpy(id->dgid, m->sgid, 16);
    id->has_route = true;
    id->tos = m->tos;
    id->peer = m->local;
    id->peer_slot = m->slot;
    id->peer_qpn = m->qpn;
    id->peer_psn = m->psn;
    id->responder_resources = m->initiator_depth;
    id->initiator_depth = m->responder_resources;
    id->retry_count = m->retry_count;
    id->rnr_retry_count = m->rnr_retry_count;
    id->peer_timeout = m->timeout;
    id->state = m->kind == CM_SIDR_REQ ? CM_SIDR_RCVD : CM_REQ_RCVD;
}

static void request_arrived(const struct cm_mad *m)
{
    struct cm_id *listener, *id;
    struct cm_event *e;
    struct sim_netdev n;
    bool ud = m->kind == CM_SIDR_REQ;

    if (begun_by(m))
        return; /* it comes again */
    listener = cm_listener(m->ps, &m->dst);
    if (!listener) {
        refuse(m, ud ? CM_SIDR_NO_SERVICE : CM_REJ_SERVICE);
        return;
    }
    if (!sim_netdev_by_address(&m->dst, &n) || listener->qp_type != m->qp_type) { /* loopback is nobody's */
        refuse(m, ud ? CM_SIDR_REJECT : CM_REJ_CONSUMER);
        return;
    }
    if (!listener->backlog)
        return; /* the peer asks again */
    id = cm_id_new(listener->file);
    if (!id)
        return;
    fill_child(id, m, listener, &n);
    listener->backlog--;
    e = cm_tell_request(listener, id);
    if (!e) {
        cm_id_drop(id);
        return;
    }
    if (ud)
        put_datagram(e, m, CM_SIDR_REQ_DATA);
    else
        put_connection(e, m, CM_REQ_DATA);
    e->resp.ece = m->ece;
    cm_wake();
}

static void answer_arrived(struct cm_id *id, const struct cm_mad *m)
{
    if (id->state != CM_REQ_SENT)
        return;
    stop_asking(id);
    id->state = CM_REP_RCVD;
    id->peer = m->local;
    id->peer_slot = m->slot;
    id->peer_qpn = m->qpn;
    id->peer_psn = m->psn;
    id->responder_resources = m->initiator_depth;
    id->initiator_depth = m->responder_resources;
    id->rnr_retry_count = m->rnr_retry_count;
    put_connection(cm_tell(id, CM_CONNECT_RESPONSE, 0), m, CM_REP_DATA);
    cm_wake();
}

static void datagram_answer_arrived(struct cm_id *id, const struct cm_mad *m)
{
    struct cm_event *e;

    if (id->state != CM_SIDR_SENT)
        return;
    stop_asking(id);
    id->state = CM_ENDED;
    e = cm_tell(id, m->reason == CM_SIDR_GOOD ? CM_ESTABLISHED : CM_UNREACHABLE, (int)m->reason);
    put_datagram(e, m, CM_SIDR_REP_DATA);
    e->resp.ece = m->ece;
    if (m->reason != CM_SIDR_GOOD)
        return;
    e->resp.param.ud.qp_num = m->qpn;
    e->resp.param.ud.qkey = m->qkey;
    cm_address_handle(id, &e->resp.param.ud.ah_attr);
}

static void rejection_arrived(struct cm_id *id, const struct cm_mad *m)
{
    struct cm_event *e;

    if (id->state < CM_REQ_SENT || id->state > CM_CONNECTED)
        return;
    stop_asking(id);
    id->state = CM_ENDED;
    e = cm_tell(id, CM_REJECTED, (int)m->reason);
    e->resp.param.conn.private_data_len = CM_REJ_DATA;
    memcpy(e->resp.param.conn.private_data, m->data, CM_REJ_DATA);
}

static void end_arrived(struct cm_id *id)
{
    switch (id->state) {
    case CM_DREQ_SENT: /* both at once */
        send_plain(id, CM_DREP);
        cm_tell(id, CM_DISCONNECTED, 0);
        begin_timewait(id);
        break;
    case CM_REP_SENT: /* its confirmation was overtaken by nothing: the peer is connected */
    case CM_CONNECTED:
        id->state = CM_DREQ_RCVD;
        cm_tell(id, CM_DISCONNECTED, 0);
        break;
    default:
        send_plain(id, CM_DREP);
    }
}

/* An end of a connection that nobody here knows is confirmed. */
static void end_of_unknown(const struct cm_mad *m)
{
    struct cm_mad a = {.kind = CM_DREP, .local = m->remote, .remote = m->local};

    cm_send(&a, m->slot);
}

void cm_arrived(const struct cm_mad *m)
{
    struct cm_id *id = m->kind == CM_REJ && !m->remote ? begun_by(m) : id_for(m);

    if (m->kind == CM_REQ || m->kind == CM_SIDR_REQ) {
        request_arrived(m);
        return;
    }
    if (!id) {
        if (m->kind == CM_DREQ)
            end_of_unknown(m);
        return;
    }
    switch (m->kind) {
    case CM_REP: answer_arrived(id, m); break;
    case CM_SIDR_REP: datagram_answer_arrived(id, m); break;
    case CM_REJ: rejection_arrived(id, m); break;
    case CM_DREQ: end_arrived(id); break;
    case CM_RTU:
        if (id->state == CM_REP_SENT) {
            id->state = CM_CONNECTED;
            cm_tell(id, CM_ESTABLISHED, 0);
        }
        break;
    case CM_DREP:
        if (id->state == CM_DREQ_SENT) {
            cm_tell(id, CM_DISCONNECTED, 0);
            begin_timewait(id);
        }
        break;
    }
}

/* -- time -------------------------------------------------------------------------------------- */

static void try_again(struct cm_id *id)
{
    if (id->tries < TRIES) {
        ask(id);
        return;
    }
    stop_asking(id);
    id->state = CM_ENDED;
    cm_tell(id, CM_UNREACHABLE, -ETIMEDOUT);
}

static void time_is_up(struct cm_id *id)
{
    id->deadline = 0;
    switch (id->state) {
    case CM_RESOLVING:
        id->state = CM_BOUND;
        cm_tell(id, CM_ADDR_ERROR, -ETIMEDOUT);
        break;
    case CM_REQ_SENT:
    case CM_SIDR_SENT:
        try_again(id);
        break;
    case CM_DREQ_SENT:
        cm_tell(id, CM_DISCONNECTED, 0);
        begin_timewait(id);
        break;
    case CM_TIMEWAIT:
        id->state = CM_ENDED;
        cm_tell(id, CM_TIMEWAIT_EXIT, 0);
        break;
    default:
        break;
    }
}

/* A process that is gone has not closed its connections: its kernel would. */
static void look_for_peer(struct cm_id *id)
{
    struct cm_mad m = {.slot = id->peer_slot, .local = id->peer, .remote = id->number, .reason = CM_REJ_CONSUMER};

    if (cm_slot_lives(id->peer_slot))
        return;
    if (id->state == CM_REQ_RCVD || id->state == CM_REP_RCVD || id->state == CM_REP_SENT)
        rejection_arrived(id, &m);
    else if (id->state == CM_CONNECTED)
        end_arrived(id);
    else if (id->state == CM_DREQ_SENT)
        time_is_up(id);
}

void cm_timer(struct cm_id *id, uint64_t now)
{
    if (id->deadline && now >= id->deadline)
        time_is_up(id);
    if (!id->peer || id->peer_slot == sim_wire_slot() || now < id->peer_look)
        return;
    id->peer_look = now + LOOK;
    look_for_peer(id);
}
