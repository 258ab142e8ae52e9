/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Two processes that found each other by the rendezvous directory. */
#include "across.h"

#include <unistd.h>

/* What each tells the other of itself. */
struct card {
    uint32_t qpn, rkey;
    uint64_t addr;
};

static struct pair *connect_across(enum ibv_qp_type type, struct card *other)
{
    struct pair *p = make_pair(&(struct making){.unconnected = true, .type = type});
    struct card mine = {p->a.qp->qp_num, p->a.mr->rkey, (uintptr_t)p->a.buf};

    exchange(&mine, other, sizeof mine);
    to_init(p->a.qp);
    to_rtr(p->a.qp, other->qpn);
    to_rts(p->a.qp, p);
    meet();
    return p;
}

static void write_and_read(struct pair *p, const struct card *other)
{
    struct ibv_sge sge = piece(&p->a, 0, 200000);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

    fill(p->a.buf, 200000, 5);
    wr.wr.rdma.remote_addr = other->addr + 300000;
    wr.wr.rdma.rkey = other->rkey;
    post(p->a.qp, &wr);
    EQ(wait_for(p->a.cq).status, IBV_WC_SUCCESS);
    sge = piece(&p->a, 500000, 200000);
    wr.opcode = IBV_WR_RDMA_READ;
    post(p->a.qp, &wr);
    EQ(wait_for(p->a.cq).status, IBV_WC_SUCCESS);
    CHECK(!memcmp(p->a.buf, p->a.buf + 500000, 200000));
    sge.length = 8;
    wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
    wr.wr.atomic.remote_addr = other->addr;
    wr.wr.atomic.rkey = other->rkey;
    wr.wr.atomic.compare_add = 3;
    for (int i = 0; i < 10; i++) {
        post(p->a.qp, &wr);
        EQ(wait_for(p->a.cq).status, IBV_WC_SUCCESS);
    }
}

static void one_sided(void)
{
    struct card other;
    struct pair *p = connect_across(IBV_QPT_RC, &other);

    if (child) {
        write_and_read(p, &other);
        meet();
    } else {
        meet();
        EQ(*(uint64_t *)p->a.buf, 30);
    }
    no_violations();
    free_pair(p);
}

static void messages(void)
{
    struct card other;
    struct pair *p = connect_across(IBV_QPT_RC, &other);
    unsigned sent = 0, received = 0;

    for (unsigned i = 0; i < 8; i++)
        receive(p->a.qp, i, &(struct ibv_sge){(uintptr_t)p->a.buf + i * 100000, 100000, p->a.mr->lkey});
    /* Both send at once; each receive is posted again when it was used. */
    while (sent < 100 || received < 100) {
        uint32_t length = 1 + sent * 331 % 90000;
        struct ibv_sge sge = piece(&p->a, 900000, length < 100000 ? length : 100000);
        struct ibv_send_wr wr = request(IBV_WR_SEND_WITH_IMM, 1000, &sge), *first_bad;
        struct ibv_wc wc;

        wr.imm_data = htobe32(sent);
        if (sent < 100 && !ibv_post_send(p->a.qp, &wr, &first_bad))
            sent++;
        device_sim_pump(-1);
        while (ibv_poll_cq(p->a.cq, 1, &wc)) {
            EQ(wc.status, IBV_WC_SUCCESS);
            if (!(wc.opcode & IBV_WC_RECV))
                continue;
            EQ(be32toh(wc.imm_data), received);
            EQ(wc.byte_len, 1 + received * 331 % 90000);
            received++;
            receive(p->a.qp, wc.wr_id,
                &(struct ibv_sge){(uintptr_t)p->a.buf + wc.wr_id * 100000, 100000, p->a.mr->lkey});
        }
        usleep(10);
    }
    meet();
    no_violations();
    free_pair(p);
}

static void datagrams(void)
{
    struct card other;
    struct pair *p = connect_across(IBV_QPT_UD, &other);
    struct ibv_ah_attr attr = {.port_num = 1, .is_global = 1, .grh = {.sgid_index = 1, .hop_limit = 64}};
    struct ibv_sge from = piece(&p->a, 0, 100), to = piece(&p->a, 1000, 200);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);
    struct ibv_ah *ah;

    OK(ibv_query_gid(p->ctx, 1, 1, &attr.grh.dgid));
    ah = SOME(ibv_create_ah(p->pd, &attr));
    fill(p->a.buf, 100, child);
    receive(p->a.qp, 2, &to);
    meet();
    wr.wr.ud.ah = ah;
    wr.wr.ud.remote_qpn = other.qpn;
    wr.wr.ud.remote_qkey = 0x11111111;
    post(p->a.qp, &wr);
    for (int i = 0; i < 2; i++) {
        struct ibv_wc wc = wait_for(p->a.cq);

        EQ(wc.status, IBV_WC_SUCCESS);
        if (wc.opcode == IBV_WC_RECV)
            EQ(wc.src_qp, other.qpn);
    }
    fill(p->a.buf, 100, !child);
    CHECK(!memcmp(p->a.buf, p->a.buf + 1040, 100));
    meet();
    OK(ibv_destroy_ah(ah));
    free_pair(p);
}

/* The peer destroys its queue pair: retries, then an error. */
static void peer_gone(void)
{
    struct card other;
    struct pair *p = connect_across(IBV_QPT_RC, &other);

    if (!child) {
        OK(ibv_destroy_qp(p->a.qp));
        p->a.qp = NULL;
        meet();
        meet();
    } else {
        struct ibv_sge sge = piece(&p->a, 0, 8);
        struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &sge);

        wr.wr.rdma.remote_addr = other.addr;
        wr.wr.rdma.rkey = other.rkey;
        meet();
        post(p->a.qp, &wr);
        EQ(wait_for(p->a.cq).status, IBV_WC_RETRY_EXC_ERR);
        meet();
    }
    free_pair(p);
}

static const struct test_case cases[] = {
    {"one-sided", one_sided}, {"messages", messages}, {"datagrams", datagrams}, {"peer-gone", peer_gone}, {0},
};

int main(int argc, char **argv)
{
    return run_across("two_processes", cases, argc, argv);
}
