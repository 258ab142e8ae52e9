/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The vendor's part of Ethernet: work queues, queue pairs that spread frames, counters of rules, and completions. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../core/frames.h"
#include "wqe.h"

/* -- work queues ------------------------------------------------------------------------------- */

int mlx5_create_wq(struct sim_cmd *cmd, struct sim_wq *wq)
{
    struct mlx5_wq *h = wq->hw;
    struct mlx5_ib_create_wq in;
    struct mlx5_ib_create_wq_resp r = {.response_length = sizeof r};

    sim_in_driver(cmd, &in, sizeof in);
    if (in.comp_mask)
        return sim_refuse(cmd->ctx, EOPNOTSUPP, "work queues of strides");
    if (in.flags & ~(uint32_t)MLX5_WQ_FLAG_SIGNATURE || in.single_stride_log_num_of_bytes ||
        in.single_wqe_log_num_of_strides || in.two_byte_shift_en)
        return EINVAL;
    if (!in.rq_wqe_count || in.rq_wqe_count & (in.rq_wqe_count - 1) || in.rq_wqe_count > 32768 || in.rq_wqe_shift < 4 ||
        in.rq_wqe_shift > 9)
        return EINVAL;
    if (!mlx5_is_ring(in.buf_addr, (uint64_t)in.rq_wqe_count << in.rq_wqe_shift, in.db_addr))
        return EFAULT;
    h->rq = (uint8_t *)(uintptr_t)in.buf_addr;
    h->db = (uint32_t *)(uintptr_t)in.db_addr;
    h->n = in.rq_wqe_count;
    h->shift = in.rq_wqe_shift;
    h->skip = in.flags & MLX5_WQ_FLAG_SIGNATURE ? 1 : 0;
    h->uidx = in.user_index;
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

void mlx5_reset_wq(struct sim_wq *wq)
{
    ((struct mlx5_wq *)wq->hw)->ci = 0;
}

int mlx5_next_wq_recv(struct sim_wq *wq, struct sim_recv *recv)
{
    struct mlx5_wq *h = wq->hw;
    uint32_t record = mlx5_record(&h->db[MLX5_RCV_DBR]);
    unsigned posted = (uint16_t)(record - h->ci);
    struct sim_device *dev = wq->obj.ctx->dev;
    const uint8_t *b;
    char what[24];

    if (!posted)
        return 0;
    snprintf(what, sizeof what, "WQ 0x%06x", wq->wqn);
    recv->index = h->ci;
    if (record > 0xffff || posted > h->n) {
        sim_violation(NULL, 0, 0, 0, "%s %s: the receive doorbell record went from %u to %u, the ring has %u", dev->name,
            what, h->ci, record, h->n);
        h->ci = (uint16_t)record;
        return -1;
    }
    b = h->rq + ((size_t)(h->ci & (h->n - 1)) << h->shift);
    h->ci++;
    return mlx5_take_list(dev, what, b + 16 * h->skip, (1u << (h->shift - 4)) - h->skip, recv);
}

/* -- spreading --------------------------------------------------------------------------------- */

/* Fields of both kinds of a layer can't be chosen together. */
static bool contradict(uint32_t fields)
{
    return (fields & 0x03 && fields & 0x0c) || (fields & 0x30 && fields & 0xc0);
}

int mlx5_create_rss(struct sim_cmd *cmd, struct sim_qp *qp)
{
    struct mlx5_ib_create_qp_rss in;
    struct mlx5_ib_create_qp_resp r = {0};
    const uint32_t known = MLX5_QP_FLAG_TUNNEL_OFFLOADS | MLX5_QP_FLAG_TIR_ALLOW_SELF_LB_UC |
        MLX5_QP_FLAG_TIR_ALLOW_SELF_LB_MC;
    bool tunnels;
    uint32_t fields;

    mlx5_put_rings(qp, &(struct mlx5_rings){.uar = UAR_PAGES});
    sim_in_driver(cmd, &in, sizeof in);
    tunnels = in.flags & MLX5_QP_FLAG_TUNNEL_OFFLOADS;
    fields = (uint32_t)in.rx_hash_fields_mask;
    for (unsigned i = 0; i < sizeof in.reserved; i++)
        if (in.reserved[i])
            return EOPNOTSUPP;
    if (in.comp_mask || in.flags & ~known || in.rx_hash_fields_mask & ~(uint64_t)(MLX5_RSS_FIELDS | IBV_RX_HASH_INNER))
        return EOPNOTSUPP;
    if ((fields & IBV_RX_HASH_INNER && !tunnels) || in.rx_hash_function != MLX5_RX_HASH_FUNC_TOEPLITZ)
        return EOPNOTSUPP;
    if (in.rx_key_len != SIM_TOEPLITZ_KEY || contradict(fields))
        return EINVAL;
    if (!fields && qp->table->n > 1)
        return EINVAL; /* nothing to spread by */
    qp->rss->fields = fields;
    memcpy(qp->rss->key, in.rx_hash_key, SIM_TOEPLITZ_KEY);
    qp->own_unicast = in.flags & MLX5_QP_FLAG_TIR_ALLOW_SELF_LB_UC;
    mlx5_name_receiver(qp, &r);
    sim_out_driver(cmd, &r, sizeof r);
    return 0;
}

/* -- counters ---------------------------------------------------------------------------------- */

/* The first rule of a counters object says where each value goes, the others must not. */
int mlx5_rule_counters(struct sim_cmd *cmd, struct sim_counters *counters)
{
    struct {
        struct mlx5_ib_create_flow head;
        struct mlx5_ib_flow_counters_data data;
    } in;
    unsigned max = sizeof counters->place / sizeof *counters->place;

    sim_in_driver(cmd, &in, sizeof in);
    if (in.head.reserved || in.head.ncounters_data > 1)
        return EINVAL;
    if (!in.head.ncounters_data)
        return counters && !counters->n ? EINVAL : 0;
    if (!counters || counters->n || in.data.reserved || !in.data.ncounters)
        return EINVAL;
    if (in.data.ncounters > max)
        return sim_refuse(cmd->ctx, EINVAL, "%u places of counters, there are %u", in.data.ncounters, max);
    for (unsigned i = 0; i < in.data.ncounters; i++) {
        struct mlx5_ib_flow_counters_desc d;

        if (!sim_mem_read(&d, (uintptr_t)in.data.counters_data + i * sizeof d, sizeof d))
            return EFAULT;
        if (d.description > IBV_COUNTER_BYTES || d.index >= max)
            return EINVAL;
        counters->place[i].what = d.description;
        counters->place[i].index = d.index;
    }
    counters->n = in.data.ncounters;
    return 0;
}

/* -- completions ------------------------------------------------------------------------------- */

enum { L4_TCP_BARE = 1, L4_UDP = 2, L4_TCP_EMPTY = 3, L4_TCP = 4 };

static unsigned l4_type(const struct sim_frame *f)
{
    if (!f->outer.l4)
        return 0;
    if (f->h.outer.proto != 6)
        return L4_UDP;
    if (!(f->h.outer.tcp_flags[1] & 0x10))
        return L4_TCP_BARE;
    return f->outer.end == f->outer.payload ? L4_TCP_EMPTY : L4_TCP;
}

static void put16(uint8_t *to, uint16_t value)
{
    to[0] = (uint8_t)(value >> 8);
    to[1] = (uint8_t)value;
}

/* Fields that mlx5dv.h has no names for are filled by their place. */
void mlx5_fill_arrival(struct mlx5_cqe64 *e, const struct sim_arrival *a)
{
    uint8_t *b = (uint8_t *)e;
    const struct sim_frame *f = a->frame;
    unsigned l3 = f->h.outer.ip == 4 ? MLX5_CQE_L3_HDR_TYPE_IPV4 : f->h.outer.ip == 6 ? MLX5_CQE_L3_HDR_TYPE_IPV6 :
        MLX5_CQE_L3_HDR_TYPE_NONE;

    b[0] &= 0xfe; /* no tunnel was looked into */
    put16(b + 12, (uint16_t)(a->hash >> 16));
    put16(b + 14, (uint16_t)a->hash);
    b[16] = a->hash_kind;
    put16(b + 20, sim_frame_sum(f));
    e->flags_rqpn = htobe32(be32toh(e->flags_rqpn) & 0xc0000000); /* nothing that a datagram would have */
    e->hds_ip_ext = (uint8_t)((e->hds_ip_ext & 0xf8) | MLX5_CQE_L2_OK | (sim_l3_good(f) ? MLX5_CQE_L3_OK : 0) |
        (sim_l4_good(f) ? MLX5_CQE_L4_OK : 0));
    e->l4_hdr_type_etc = (uint8_t)((e->l4_hdr_type_etc & 0x82) | l4_type(f) << 4 | l3 << 2 | a->stripped);
    if (a->stripped)
        e->vlan_info = htobe16(a->vlan);
}
