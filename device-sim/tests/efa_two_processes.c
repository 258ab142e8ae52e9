/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* SRD between two processes: many messages are under way at once, and one that has to wait does not hold up the others. */
#include "across.h"
#include "efa_kit.h"

#include <unistd.h>

struct card {
    uint32_t qpn[2], rkey;
    uint64_t addr;
};

/* Two queue pairs; the second one of the other process. */
static struct end connect_across(struct end *second, struct card *other)
{
    struct end e = make(false, false);
    struct card mine = {.rkey = e.mr->rkey, .addr = (uintptr_t)e.buf};

    *second = make(false, false);
    mine.qpn[0] = e.qp->qp_num;
    mine.qpn[1] = second->qp->qp_num;
    exchange(&mine, other, sizeof mine);
    return e;
}

static void to_peer(struct end *from, uint32_t qpn, uint64_t id)
{
    struct ibv_qp there = {.qp_num = qpn};
    struct end peer = {.qp = &there};
    struct ibv_sge sge = at(from, 0, 8);

    put(from, &peer, id, &sge, 1, 0);
}

static void messages(void)
{
    struct end second, e;
    struct card other;
    unsigned seen[300] = {0};

    e = connect_across(&second, &other);
    if (child) {
        for (unsigned n = 0; n < 300; n += 10) {
            for (unsigned i = n; i < n + 10; i++)
                to_peer(&e, other.qpn[0], i);
            for (unsigned i = 0; i < 10; i++)
                EQ(wait_for(e.cq).status, IBV_WC_SUCCESS);
        }
    } else {
        struct ibv_sge to = at(&e, 100, 8);

        for (unsigned n = 0; n < 16; n++)
            receive(e.qp, n, &to);
        for (unsigned n = 0; n < 300; n++) {
            struct ibv_wc wc = wait_for(e.cq);

            EQ(wc.status, IBV_WC_SUCCESS);
            EQ(wc.src_qp, other.qpn[0]);
            seen[be32toh(wc.imm_data)]++;
            receive(e.qp, n, &to);
        }
        for (unsigned n = 0; n < 300; n++)
            EQ(seen[n], 1);
    }
    meet();
    no_violations();
    destroy(&e);
    destroy(&second);
}

static void nobody_waits(void)
{
    struct end second, e;
    struct card other;
    struct ibv_sge to;

    e = connect_across(&second, &other);
    to = at(&second, 100, 8);
    if (child) {
        meet();
        to_peer(&e, other.qpn[0], 1); /* not ready */
        to_peer(&e, other.qpn[1], 2);
        EQ(wait_for(e.cq).wr_id, 2);
        to_peer(&e, other.qpn[1] + 50, 3); /* not there */
        EQ(wait_for(e.cq).vendor_err, 9);
        meet();
        EQ(wait_for(e.cq).wr_id, 1);
    } else {
        receive(second.qp, 7, &to);
        meet();
        EQ(wait_for(second.cq).wr_id, 7);
        meet();
        to = at(&e, 100, 8);
        receive(e.qp, 8, &to);
        EQ(wait_for(e.cq).wr_id, 8);
    }
    meet();
    no_violations();
    destroy(&e);
    destroy(&second);
}

static void long_reads(void)
{
    struct end second, e;
    struct card other;
    struct end r = make_end(&(struct efa_making){.send_ops = IBV_QP_EX_WITH_RDMA_READ});

    e = connect_across(&second, &other);
    fill(e.buf, 200000, 3);
    meet();
    if (child) {
        struct ibv_qp there = {.qp_num = other.qpn[0]};
        struct ibv_mr mr = {.rkey = other.rkey};
        struct end peer = {.qp = &there, .mr = &mr, .buf = (uint8_t *)(uintptr_t)other.addr};

        for (unsigned n = 0; n < 4; n++)
            OK(one_side(&r, &peer, &(struct one_sided){.opcode = IBV_WR_RDMA_READ, .id = n, .length = 200000}));
        for (unsigned n = 0; n < 4; n++)
            EQ(wait_for(r.cq).status, IBV_WC_SUCCESS);
        CHECK(!memcmp(r.buf, e.buf, 200000));
    }
    meet();
    no_violations();
    destroy(&e);
    destroy(&second);
    destroy(&r);
}

static const struct test_case cases[] = {
    {"messages", messages}, {"nobody-waits", nobody_waits}, {"long-reads", long_reads}, {0},
};

int main(int argc, char **argv)
{
    return run_across("efa_two_processes", cases, argc, argv);
}
