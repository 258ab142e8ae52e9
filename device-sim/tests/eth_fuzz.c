/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Frames of all kinds with wrong bytes, cut short, or of noise: none may do harm, and all but those that are too short arrive. */
#include "eth_kit.h"

static uint8_t frame[9300];
static uint32_t seed;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(seed >> 8) * n >> 24);
}

/* A sample with some bytes changed and its end cut off, or noise behind an Ethernet header. */
static size_t wrong(void)
{
    static size_t (*const makes[])(uint8_t *) = {udp4, tcp4, udp6, tagged, vxlan, gre, mpls_udp, mpls_gre, mpls};
    unsigned which = below(10);
    size_t n;

    memset(frame, 0, sizeof frame);
    if (which == 9) {
        n = 14 + below(300);
        fill(frame, n, seed);
        frame[12] = below(2) ? 0x08 : 0x86;
        frame[13] = frame[12] == 8 ? 0 : 0xdd;
        if (n > 14)
            frame[14] = (uint8_t)((frame[12] == 8 ? 0x40 : 0x60) | below(16));
    } else {
        n = makes[which](frame);
    }
    for (unsigned i = below(8); i; i--)
        frame[12 + below((uint32_t)n - 12)] = (uint8_t)below(256);
    return below(2) ? n : 14 + below((uint32_t)n - 13);
}

static void frames(void)
{
    struct end *a = open_end(&(struct end_how){.receives = -1}), *b = open_end(&(struct end_how){.device = 1,
        .flags = IBV_QP_CREATE_CVLAN_STRIPPING | IBV_QP_CREATE_SCATTER_FCS});
    struct ibv_flow *f = everything(b);
    struct rule r = new_rule(IBV_FLOW_ATTR_NORMAL, 0);
    struct ibv_flow_spec_ipv6 v6 = {.type = IBV_FLOW_SPEC_IPV6 | IBV_FLOW_SPEC_INNER, .size = sizeof v6};
    struct ibv_flow_spec_tcp_udp tcp = {.type = IBV_FLOW_SPEC_TCP | IBV_FLOW_SPEC_INNER, .size = sizeof tcp};
    struct ibv_flow *g;

    add_spec(&r, &v6, sizeof v6);
    add_spec(&r, &tcp, sizeof tcp);
    g = apply(b, &r);
    seed = 20261129;
    for (int i = 0; i < 20000; i++) {
        size_t n = wrong();
        struct got got;

        send_frame(a, frame, n, below(2) ? IBV_SEND_IP_CSUM : 0);
        got = next_of(b);
        EQ(got.status, 0);
        CHECK(got.length == n + 4 || got.length == n);
        post_slot(b, (unsigned)(got.id - 1000), SLOT);
    }
    no_violations();
    drop_rule(f);
    drop_rule(g);
    close_end(a);
    close_end(b);
}

/* Segmented requests with wrong headers: they are cut, or are errors, after which the queue pair begins anew. */
static void segments(void)
{
    struct end *a = NULL, *b = open_end(&(struct end_how){.device = 1});
    struct ibv_flow *f = everything(b);
    unsigned good = 0, bad = 0;

    seed = 7;
    for (int i = 0; i < 3000; i++) {
        size_t n = build(frame, &(struct frame_of){.ip = below(2) ? 4 : 6, .proto = 6}), header;
        struct ibv_send_wr wr;
        struct ibv_sge sge;
        struct ibv_wc wc;

        if (!a)
            a = open_end(&(struct end_how){.max_tso = 200, .receives = -1});
        for (unsigned k = below(3); k; k--)
            frame[12 + below((uint32_t)n - 12)] = (uint8_t)below(256);
        header = below(3) ? n : 14 + below((uint32_t)n - 13);
        sge = (struct ibv_sge){(uintptr_t)a->buf, below(4000), a->mr->lkey};
        wr = request(IBV_WR_TSO, 5, &sge);
        wr.tso.hdr = frame;
        wr.tso.hdr_sz = (uint16_t)header;
        wr.tso.mss = (uint16_t)(1 + below(1500) + (sge.length > 100 ? 99 : 0));
        wr.send_flags |= below(2) ? IBV_SEND_IP_CSUM : 0;
        post(a->qp, &wr);
        wc = completion(a->scq);
        good += wc.status == IBV_WC_SUCCESS;
        bad += wc.status != IBV_WC_SUCCESS;
        for (int got = 0; got < SLOTS; got++) {
            struct ibv_poll_cq_attr attr = {0};

            if (ibv_start_poll(b->cqx, &attr))
                break;
            post_slot(b, (unsigned)(b->cqx->wr_id - 1000), SLOT);
            ibv_end_poll(b->cqx);
        }
        if (wc.status != IBV_WC_SUCCESS || i % 20 == 0) { /* also so that no header comes around the ring's end */
            close_end(a);
            a = NULL;
        }
    }
    CHECK(good > 500 && bad > 500);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 0);
    if (a)
        close_end(a);
    drop_rule(f);
    close_end(b);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {{"frames", frames}, {"segments", segments}, {0}};

    return run_cases("eth_fuzz", cases, argc, argv);
}
