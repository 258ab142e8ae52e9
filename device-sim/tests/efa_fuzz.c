/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Garbage on EFA: in descriptors, registers and commands. The simulator may complain, and must not fall. libefa only makes
 * the queues; what comes back it does not see, for it believes the device.
 */
#include "efa_kit.h"

#include <sys/ioctl.h>
#include <rdma/rdma_user_ioctl_cmds.h>

#define N 64 /* entries of each ring */

static uint32_t state;

static uint32_t any(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % below;
}

static void put32(uint8_t *at, uint64_t value)
{
    uint32_t v = (uint32_t)value;

    memcpy(at, &v, 4);
}

struct device {
    struct end e;
    uint8_t *sends, *receives;
    volatile uint32_t *send_doorbell, *receive_doorbell;
    uint32_t size; /* of a send descriptor */
    uint16_t sent, received, ah;
};

static struct device fresh(uint32_t size)
{
    struct efa_making how = {.wr = N, .inline_data = size == 128 ? 80 : 32,
        .send_ops = size == 128 ? IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_RDMA_READ : 0};
    struct device d = {.e = make_end(&how), .size = size};
    struct efadv_ah_attr ah;

    OK(efadv_query_ah(d.e.ah, &ah, sizeof ah));
    d.ah = ah.ahn;
    d.sends = mapped(SEND_RING);
    d.receives = mapped(SEND_RING + (N * size + 4095) / 4096 * 4096);
    d.send_doorbell = (void *)mapped(SEND_RING + (N * size + 4095) / 4096 * 4096 + 4096);
    d.receive_doorbell = d.send_doorbell + 16;
    return d;
}

/* Two pieces of which each is right, as a rule. */
static void post_receive(struct device *d)
{
    for (unsigned i = 0; i < 2; i++) {
        uint8_t *b = d->receives + d->received++ % (2 * N) * 16;

        memset(b, 0, 16);
        put32(b, (uintptr_t)d->e.buf + any(1000));
        put32(b + 4, (uintptr_t)d->e.buf >> 32);
        b[8] = (uint8_t)any(N);
        b[11] = (uint8_t)any(8);
        put32(b + 12, d->e.mr->lkey | (i ? 0x80000000u : 0x40000000u));
        if (any(10) == 0)
            b[any(16)] = (uint8_t)any(256);
    }
    *d->receive_doorbell = any(50) ? d->received : any(2) ? any(0x10000) : any(UINT32_MAX);
}

static void post_any(struct device *d)
{
    uint8_t *b = d->sends + d->sent % N * d->size;
    unsigned op = any(3);
    bool is_inline = any(3) == 0;

    memset(b, 0, d->size);
    b[0] = (uint8_t)any(N);
    b[2] = (uint8_t)(0x80 | op | (is_inline ? 0x20 : 0) | (any(3) ? 0 : 0x10));
    b[3] = (uint8_t)(0x1c | (d->sent / N & 1));
    b[4] = (uint8_t)d->e.qp->qp_num;
    b[5] = (uint8_t)(d->e.qp->qp_num >> 8);
    b[6] = (uint8_t)(is_inline ? any(33) : 1);
    b[12] = (uint8_t)d->ah;
    put32(b + 16, QKEY);
    if (op) {
        put32(b + 32, is_inline ? b[6] : 100);
        put32(b + 36, d->e.mr->rkey);
        put32(b + 40, (uintptr_t)d->e.buf + 5000);
        put32(b + 44, (uintptr_t)d->e.buf >> 32);
    }
    if (!is_inline) {
        uint8_t *piece = b + (op ? 48 : 32);

        put32(piece, 100);
        put32(piece + 4, d->e.mr->lkey);
        put32(piece + 8, (uintptr_t)d->e.buf);
        put32(piece + 12, (uintptr_t)d->e.buf >> 32);
    }
    for (unsigned n = any(3); n > 0; n--)
        b[any(d->size)] = (uint8_t)any(256);
    d->sent++;
    *d->send_doorbell = any(50) ? d->sent : any(2) ? any(0x10000) : any(UINT32_MAX);
}

static void revive(struct device *d)
{
    struct ibv_qp_init_attr init;
    struct ibv_qp_attr attr;

    OK(ibv_query_qp(d->e.qp, &attr, IBV_QP_STATE, &init));
    if (attr.qp_state == IBV_QPS_RTS)
        return;
    device_sim_pump(100);
    OK(ibv_modify_qp(d->e.qp, &(struct ibv_qp_attr){.qp_state = IBV_QPS_RESET}, IBV_QP_STATE));
    start(d->e.qp);
    d->sent = d->received = 0;
}

static void descriptors_of(uint32_t size)
{
    OK(device_sim_reorder(5, 3));
    OK(device_sim_loss(50, 4));
    for (unsigned round = 0; round < 60; round++) {
        struct device d = fresh(size);

        for (unsigned n = 0; n < 500; n++) {
            post_receive(&d);
            post_any(&d);
            if (any(3) == 0)
                device_sim_pump((int)any(100));
            if (any(200) == 0)
                OK(ibv_modify_qp(d.e.qp, &(struct ibv_qp_attr){.qp_state = IBV_QPS_ERR}, IBV_QP_STATE));
            if (any(20) == 0)
                revive(&d);
        }
        device_sim_pump(1000);
        destroy(&d.e);
    }
    CHECK(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS) > 5000);
    CHECK(device_sim_count(DEVICE_SIM_COUNT_RECEIVES) > 2000);
}

static void descriptors(void)
{
    state = 1;
    descriptors_of(64);
}

static void large_descriptors(void)
{
    state = 2;
    descriptors_of(128);
}

/* Every object and method, with attributes of any length; small numbers, so that some are handles of something. */
static void commands(void)
{
    struct ibv_context *ctx = open_nth(0);
    struct ibv_pd *pd = SOME(ibv_alloc_pd(ctx));
    static uint8_t room[64][256];

    state = 7;
    for (unsigned round = 0; round < 200000; round++) {
        struct {
            struct ib_uverbs_ioctl_hdr hdr;
            struct ib_uverbs_attr attr[16];
        } c = {.hdr = {.driver_id = 17}};
        unsigned n = any(16);

        c.hdr.object_id = (uint16_t)any(17);
        c.hdr.method_id = (uint16_t)(any(8) ? any(8) : 0x1000);
        if (c.hdr.object_id == 7 || c.hdr.object_id == 0)
            c.hdr.method_id = 0;
        c.hdr.num_attrs = (uint16_t)n;
        c.hdr.length = (uint16_t)(sizeof c.hdr + n * sizeof c.attr[0]);
        for (unsigned i = 0; i < n; i++) {
            c.attr[i].attr_id = (uint16_t)(any(3) ? i : 0x1000 + any(5));
            c.attr[i].flags = (uint16_t)any(2);
            c.attr[i].len = (uint16_t)(any(3) ? 9 + any(240) : 0);
            for (unsigned b = 0; b < 256; b += 4)
                put32(room[i] + b, any(3) ? any(3) ? any(5) : 16u << any(8) : any(UINT32_MAX));
            c.attr[i].data = c.attr[i].len ? (uintptr_t)room[i] : any(64);
        }
        /* attribute 2 of INVOKE_WRITE is the command, and travels in the attribute */
        if (!c.hdr.object_id && n > 2) {
            c.attr[2].attr_id = 2;
            c.attr[2].len = 4;
            c.attr[2].data = any(41) | (any(3) ? 0 : 0x80000000u);
        }
        ioctl(ctx->cmd_fd, RDMA_VERBS_IOCTL, &c.hdr);
        device_sim_pump(3);
    }
    free(pd); /* whatever was destroyed in there, the context can be closed */
    OK(ibv_close_device(ctx));
}

static const struct test_case cases[] = {
    {"descriptors", descriptors}, {"large-descriptors", large_descriptors}, {"commands", commands}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("efa_fuzz", cases, argc, argv);
}
