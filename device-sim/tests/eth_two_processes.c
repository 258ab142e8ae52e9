/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Frames from process to process: to other ports, and back to the same port of the same device. */
#include "across.h"
#include "eth_kit.h"

static uint8_t frame[9300], other[9300];

static struct got arrives(struct end *e)
{
    struct ibv_poll_cq_attr attr = {0};
    struct got g = {0};
    int tries = 0;

    while (ibv_start_poll(e->cqx, &attr) == ENOENT) {
        device_sim_pump(-1);
        CHECK(tries++ < 10000000);
    }
    g = (struct got){.id = e->cqx->wr_id, .status = e->cqx->status, .length = ibv_wc_read_byte_len(e->cqx),
        .flags = ibv_wc_read_wc_flags(e->cqx)};
    g.bytes = e->buf + (g.id - 1000) * SLOT;
    ibv_end_poll(e->cqx);
    return g;
}

static size_t nth(uint8_t *to, unsigned i, const uint8_t *dmac)
{
    fill(other, sizeof other, i);
    return build(to, &(struct frame_of){.dmac = dmac, .payload = other, .size = 20 + i * 300});
}

/* Each sends to the other's device, and hears nothing of itself. */
static void both_ways(void)
{
    struct end *e = open_end(&(struct end_how){.device = child});
    struct ibv_flow *f = to_mac(e, child ? unicast : other_unicast, 0);

    meet();
    for (unsigned i = 0; i < 30; i++) {
        size_t n = nth(frame, i, child ? other_unicast : unicast);
        struct got g;

        send_frame(e, frame, n, IBV_SEND_IP_CSUM);
        g = arrives(e);
        n = nth(frame, i, child ? unicast : other_unicast);
        EQ(g.status, 0);
        EQ(g.length, n);
        CHECK(!memcmp(g.bytes, frame, n));
        EQ(g.flags & IBV_WC_IP_CSUM_OK, IBV_WC_IP_CSUM_OK);
        meet();
    }
    none_of(e);
    no_violations();
    drop_rule(f);
    close_end(e);
    meet();
}

/* The same device in both: it is one port, so that only what is to many comes from the other process. */
static void one_port(void)
{
    struct end *e = open_end(NULL);
    struct ibv_flow *f = everything(e);
    size_t n = nth(frame, 1, multicast);
    struct got g;

    meet();
    send_frame(e, frame, n, 0);
    for (int i = 0; i < 2; i++) {
        g = arrives(e);
        EQ(g.length, n);
        CHECK(!memcmp(g.bytes, frame, n));
    }
    meet();
    send_frame(e, frame, nth(frame, 2, unicast), 0);
    meet();
    none_of(e);
    meet();
    drop_rule(f);
    close_end(e);
    meet();
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {{"both-ways", both_ways}, {"one-port", one_port}, {0}};

    return run_across("eth_two_processes", cases, argc, argv);
}
