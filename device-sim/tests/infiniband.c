/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* InfiniBand ports: addressed by LID, with and without a GRH. `run --infiniband`. */
#include "kit.h"

static void ports(void)
{
    struct ibv_context *ctx = open_nth(1);
    struct ibv_port_attr port[2];

    for (uint8_t i = 0; i < 2; i++) {
        OK(ibv_query_port(ctx, (uint8_t)(i + 1), &port[i]));
        EQ(port[i].link_layer, IBV_LINK_LAYER_INFINIBAND);
        EQ(port[i].gid_tbl_len, 1);
        CHECK(port[i].lid);
    }
    CHECK(port[0].lid != port[1].lid);
    OK(ibv_close_device(ctx));
}

static void connection(void)
{
    struct pair *p = make_pair(&(struct making){.unconnected = true});
    struct ibv_port_attr port;
    struct ibv_sge from = piece(&p->a, 0, 100), to = piece(&p->b, 0, 100);
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);
    struct ibv_wc wc;

    OK(ibv_query_port(p->ctx, 1, &port));
    for (int i = 0; i < 2; i++) {
        struct ibv_qp *qp = i ? p->b.qp : p->a.qp;
        struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .rq_psn = 7,
            .max_dest_rd_atomic = 4,
            .dest_qp_num = i ? p->a.qp->qp_num : p->b.qp->qp_num, .min_rnr_timer = 1,
            .ah_attr = {.port_num = 1, .dlid = port.lid}};

        to_init(qp);
        OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
            IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
        to_rts(qp, p);
    }
    fill(p->a.buf, 100, 1);
    receive(p->b.qp, 2, &to);
    post(p->a.qp, &wr);
    good(p->a.cq, 1, IBV_WC_SEND);
    wc = completion(p->b.cq);
    EQ(wc.status, IBV_WC_SUCCESS);
    CHECK(!memcmp(p->a.buf, p->b.buf, 100));
    no_violations();
    free_pair(p);
}

static void datagrams(void)
{
    struct pair *p = make_pair(&(struct making){.unconnected = true, .type = IBV_QPT_UD});
    struct ibv_port_attr port;

    OK(ibv_query_port(p->ctx, 1, &port));
    for (int i = 0; i < 2; i++) {
        struct ibv_qp *qp = i ? p->b.qp : p->a.qp;

        to_init(qp);
        OK(ibv_modify_qp(qp, &(struct ibv_qp_attr){.qp_state = IBV_QPS_RTR}, IBV_QP_STATE));
        to_rts(qp, p);
    }
    for (int global = 0; global < 2; global++) {
        struct ibv_ah_attr attr = {.port_num = 1, .dlid = port.lid, .is_global = (uint8_t)global, .sl = 3};
        struct ibv_sge from = piece(&p->a, 0, 100), to = piece(&p->b, 0, 140);
        struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &from);
        struct ibv_ah *ah;
        struct ibv_wc wc;

        OK(ibv_query_gid(p->ctx, 1, 0, &attr.grh.dgid));
        ah = SOME(ibv_create_ah(p->pd, &attr));
        wr.wr.ud.ah = ah;
        wr.wr.ud.remote_qpn = p->b.qp->qp_num;
        wr.wr.ud.remote_qkey = 0x11111111;
        fill(p->a.buf, 100, 7);
        receive(p->b.qp, 2, &to);
        post(p->a.qp, &wr);
        good(p->a.cq, 1, IBV_WC_SEND);
        wc = completion(p->b.cq);
        EQ(wc.status, IBV_WC_SUCCESS);
        EQ(wc.slid, port.lid);
        EQ(wc.sl, 3);
        EQ(wc.byte_len, 140);
        EQ(!!(wc.wc_flags & IBV_WC_GRH), global);
        CHECK(!memcmp(p->a.buf, p->b.buf + 40, 100));
        OK(ibv_destroy_ah(ah));
    }
    no_violations();
    free_pair(p);
}

/* There are no frames, and the device promises none. */
static void no_ethernet(void)
{
    struct pair *p = make_pair(&(struct making){.unconnected = true});
    struct ibv_device_attr_ex attr;
    struct ibv_qp_init_attr init = {.send_cq = p->a.cq, .recv_cq = p->a.cq, .qp_type = IBV_QPT_RAW_PACKET,
        .cap = {1, 1, 1, 1, 0}};
    struct ibv_wq_init_attr wq = {.wq_type = IBV_WQT_RQ, .max_wr = 1, .max_sge = 1, .pd = p->pd, .cq = p->a.cq};

    OK(ibv_query_device_ex(p->ctx, NULL, &attr));
    EQ(attr.raw_packet_caps, 0);
    EQ(attr.tso_caps.supported_qpts, 0);
    EQ(attr.rss_caps.supported_qpts, 0);
    EQ(attr.max_wq_type_rq, 0);
    EQ(attr.device_cap_flags_ex & (IBV_DEVICE_RAW_IP_CSUM | IBV_DEVICE_MANAGED_FLOW_STEERING |
        IBV_DEVICE_RAW_SCATTER_FCS), 0);
    CHECK(!ibv_create_qp(p->pd, &init));
    EQ(errno, EOPNOTSUPP);
    CHECK(!ibv_create_wq(p->ctx, &wq));
    EQ(errno, EOPNOTSUPP);
    CHECK(!ibv_create_counters(p->ctx, &(struct ibv_counters_init_attr){0}));
    free_pair(p);
}

static const struct test_case cases[] = {
    {"ports", ports}, {"connection", connection}, {"datagrams", datagrams}, {"no-ethernet", no_ethernet}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("infiniband", cases, argc, argv);
}
