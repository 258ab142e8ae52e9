/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* With `run --watch` each access to the device's registers is seen: each doorbell by itself, and reads. */
#include "efa_kit.h"

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

static uint64_t doorbells(void)
{
    return device_sim_count(DEVICE_SIM_COUNT_DOORBELLS);
}

static struct end with_ring(uint32_t wr)
{
    return make_end(&(struct efa_making){.wr = wr});
}

/* A send of nothing to itself, as libefa would write it; never read back. */
static void write_send(struct end *e, uint8_t *ring, unsigned index, unsigned size)
{
    uint64_t block[16] = {0};
    uint8_t *b = (uint8_t *)block;
    struct efadv_ah_attr ah;

    OK(efadv_query_ah(e->ah, &ah, sizeof ah));
    b[0] = (uint8_t)index;
    b[2] = 0x80;
    b[3] = 0x1c;
    b[4] = (uint8_t)e->qp->qp_num;
    b[5] = (uint8_t)(e->qp->qp_num >> 8);
    b[12] = (uint8_t)ah.ahn;
    b[16] = b[17] = b[18] = b[19] = 0x11;
    for (unsigned i = 0; i < size / 8; i++)
        ((volatile uint64_t *)(ring + index * size))[i] = block[i];
}

static void announce(uint8_t *registers, uint32_t value)
{
    *(volatile uint32_t *)registers = value;
}

/* libefa keeps to batches of 16, and each doorbell counts. */
static void batches(void)
{
    struct end a = with_ring(64), b = with_ring(64);
    struct ibv_sge from = at(&a, 0, 4), to = at(&b, 0, 4);
    struct ibv_send_wr wr[50];

    for (unsigned round = 0; round < 5; round++) {
        uint64_t before;

        for (unsigned n = 0; n < 50; n++) {
            receive(b.qp, n, &to);
            wr[n] = request(IBV_WR_SEND, n, &from);
            wr[n].wr.ud.ah = a.ah;
            wr[n].wr.ud.remote_qpn = b.qp->qp_num;
            wr[n].wr.ud.remote_qkey = QKEY;
            wr[n].next = n < 49 ? &wr[n + 1] : NULL;
        }
        before = doorbells();
        post(a.qp, wr);
        EQ(doorbells() - before, 4);
        for (unsigned n = 0; n < 50; n++) {
            good(a.cq, n, IBV_WC_SEND);
            good(b.cq, n, IBV_WC_RECV);
        }
    }
    no_violations();
    destroy(&a);
    destroy(&b);
}

static void too_many(void)
{
    struct end a = with_ring(32);
    uint8_t *ring = mapped(SEND_RING), *registers = mapped(DOORBELLS);

    for (unsigned i = 0; i < 17; i++)
        write_send(&a, ring, i, 64);
    announce(registers, 16);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 0);
    announce(registers, 17);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 0);
    destroy(&a);
    a = with_ring(32);
    ring = mapped(SEND_RING);
    registers = mapped(DOORBELLS);
    for (unsigned i = 0; i < 17; i++)
        write_send(&a, ring, i, 64);
    announce(registers, 17);
    expect_message("17 descriptors since the last doorbell, the device takes 16");
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    destroy(&a);
}

/* Half as many where they are twice as large. */
static void large_ones(void)
{
    struct end a = make_end(&(struct efa_making){.wr = 16, .inline_data = 80, .send_ops = IBV_QP_EX_WITH_SEND |
        IBV_QP_EX_WITH_RDMA_READ});
    uint8_t *ring = mapped(SEND_RING);

    for (unsigned i = 0; i < 9; i++)
        write_send(&a, ring, i, 128);
    announce(mapped(DOORBELLS), 8);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 0);
    destroy(&a);
    a = make_end(&(struct efa_making){.wr = 16, .inline_data = 80, .send_ops = IBV_QP_EX_WITH_SEND |
        IBV_QP_EX_WITH_RDMA_READ});
    ring = mapped(SEND_RING);
    for (unsigned i = 0; i < 9; i++)
        write_send(&a, ring, i, 128);
    announce(mapped(DOORBELLS), 9);
    expect_message("9 descriptors since the last doorbell, the device takes 8");
    destroy(&a);
}

static void whole_ring(void)
{
    struct end a = with_ring(16);
    uint8_t *ring = mapped(SEND_RING);

    for (unsigned i = 0; i < 16; i++)
        write_send(&a, ring, i, 64);
    announce(mapped(DOORBELLS), 16);
    expect_message("a doorbell for all 16 descriptors of the ring");
    destroy(&a);
}

static void reading(void)
{
    struct end a = with_ring(16);
    struct ibv_sge from = at(&a, 0, 4), to = at(&a, 100, 4);
    volatile uint8_t *ring = mapped(SEND_RING), *registers = mapped(DOORBELLS);

    receive(a.qp, 1, &to);
    put(&a, &a, 2, &from, 1, 0);
    EQ(completion(a.cq).status, IBV_WC_SUCCESS);
    no_violations();
    EQ(ring[2], 0x90); /* it is told, and then answered */
    expect_message("the send ring was read, at byte 2");
    EQ(*(volatile uint32_t *)registers, 1);
    expect_message("a doorbell was read, at byte 0");
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 2);
    destroy(&a);
}

/* A copy from the ring to the doorbells: one instruction that touches both. */
static void one_instruction(void)
{
    struct end a = with_ring(16);
    const uint8_t *from = mapped(SEND_RING);
    uint8_t *to = mapped(DOORBELLS) + 1024;
    size_t n = 3;

    __asm__ volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(n) : : "memory");
    EQ(n, 0);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 3);
    expect_message("the send ring was read, at byte 2");
    destroy(&a);
}

/* The device takes a descriptor with the doorbell. What is written later comes too late. */
static void too_late(void)
{
    struct end a = with_ring(16);
    struct ibv_sge from = at(&a, 0, 4), to = at(&a, 100, 4);
    uint8_t *ring = mapped(SEND_RING);

    receive(a.qp, 1, &to);
    put(&a, &a, 2, &from, 1, 0);
    ring[2] = 0;
    ring[0] = 99;
    EQ(completion(a.cq).status, IBV_WC_SUCCESS);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 0);
    announce(mapped(DOORBELLS), 2);
    write_send(&a, ring, 1, 64);
    device_sim_pump(-1);
    expect_message("ctrl1 is 0x00");
    destroy(&a);
}

/* A poll stores to the doorbell that was asked for an event; both are seen. */
static void events(void)
{
    struct end a = with_ring(16), b = make(false, true);
    struct ibv_sge from = at(&a, 0, 4), to = at(&b, 0, 4);
    struct pollfd p;
    struct ibv_cq *cq;
    void *context;
    int known;

    receive(b.qp, 1, &to);
    receive(b.qp, 2, &to);
    put(&a, &b, 1, &from, 1, 0);
    good(a.cq, 1, IBV_WC_SEND);
    known = ibv_req_notify_cq(b.cq, 0);
    if (known == EOPNOTSUPP) {
        destroy(&a);
        destroy(&b);
        skip("this libefa has no completion channels");
    }
    /* there is one already: an event at once, nobody pumps */
    p = (struct pollfd){.fd = b.channel->fd, .events = POLLIN};
    EQ(poll(&p, 1, 0), 1);
    OK(ibv_get_cq_event(b.channel, &cq, &context));
    ibv_ack_cq_events(cq, 1);
    OK(ibv_req_notify_cq(b.cq, 0));
    OK(ibv_get_cq_event(b.channel, &cq, &context));
    ibv_ack_cq_events(cq, 1);
    good(b.cq, 1, IBV_WC_RECV);
    OK(ibv_req_notify_cq(b.cq, 0));
    EQ(poll(&p, 1, 0), 0);
    put(&a, &b, 2, &from, 1, 0);
    good(a.cq, 2, IBV_WC_SEND);
    EQ(poll(&p, 1, 0), 1);
    good(b.cq, 2, IBV_WC_RECV); /* consumed behind the request */
    OK(ibv_get_cq_event(b.channel, &cq, &context));
    ibv_ack_cq_events(cq, 1);
    no_violations();
    destroy(&a);
    destroy(&b);
}

/* A poll that takes nothing leaves the doorbell alone, since a request for an event may lie there. */
static void empty_polls(void)
{
    struct end e = make(false, true);
    volatile uint32_t *doorbell;
    struct ibv_wc wc;
    int error = ibv_req_notify_cq(e.cq, 0);

    if (error == EOPNOTSUPP) {
        destroy(&e);
        skip("this libefa has no completion channels");
    }
    OK(error);
    EQ(ibv_poll_cq(e.cq, 1, &wc), 0);
    no_violations();
    doorbell = (volatile uint32_t *)mapped(CQ_DOORBELL);
    *doorbell = 0;
    expect_message("asked for an event and was rung again, with nothing taken");
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    *doorbell = 0;
    expect_message("was rung with nothing taken and no event asked for");
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 2);
    *doorbell = 1u << 31;
    *doorbell = 1u << 31;
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 2);
    destroy(&e);
}

/* -- others' faults are theirs -- */

static sigjmp_buf back;
static volatile sig_atomic_t faults;

static void count_fault(int sig)
{
    (void)sig;
    faults++;
    siglongjmp(back, 1);
}

static void other_faults(void)
{
    struct end a = with_ring(16);
    volatile int *nowhere = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK(nowhere != MAP_FAILED);
    for (int i = 0; i < 3; i++)
        if (!sigsetjmp(back, 1))
            *nowhere = 1;
    EQ(faults, 3);
    OK(munmap((void *)nowhere, 4096));
    destroy(&a);
}

/* Rings come and go; threads post at once. */
static void *poster(void *arg)
{
    struct end *e = arg;
    struct ibv_sge from = at(e, 0, 4), to = at(e, 100, 4);

    for (unsigned n = 0; n < 200; n++) {
        struct ibv_recv_wr rwr = {.wr_id = n, .sg_list = &to, .num_sge = 1}, *bad_wr;
        struct ibv_send_wr wr = request(IBV_WR_SEND, n, &from), *first_bad;
        struct ibv_wc wc[2];
        int got = 0;

        wr.wr.ud.ah = e->ah;
        wr.wr.ud.remote_qpn = e->qp->qp_num;
        wr.wr.ud.remote_qkey = QKEY;
        if (ibv_post_recv(e->qp, &rwr, &bad_wr) || ibv_post_send(e->qp, &wr, &first_bad))
            return "post";
        while (got < 2) {
            device_sim_pump(10);
            got += ibv_poll_cq(e->cq, 2 - got, wc);
            if (got && wc[0].status != IBV_WC_SUCCESS)
                return "status";
        }
    }
    return NULL;
}

static void threads(void)
{
    for (unsigned round = 0; round < 3; round++) {
        struct end e[3];
        pthread_t t[3];

        for (unsigned i = 0; i < 3; i++) {
            e[i] = with_ring(16);
            OK(pthread_create(&t[i], NULL, poster, &e[i]));
        }
        for (unsigned i = 0; i < 3; i++) {
            void *wrong;

            OK(pthread_join(t[i], &wrong));
            CHECK(!wrong);
        }
        for (unsigned i = 0; i < 3; i++)
            destroy(&e[i]);
    }
    no_violations();
}

static const struct test_case cases[] = {
    {"batches", batches}, {"too-many", too_many}, {"large-ones", large_ones}, {"whole-ring", whole_ring},
    {"reading", reading}, {"one-instruction", one_instruction}, {"too-late", too_late}, {"events", events}, {"empty-polls", empty_polls},
    {"other-faults", other_faults}, {"threads", threads}, {0},
};

int main(int argc, char **argv)
{
    signal(SIGSEGV, count_fault); /* before any device is opened */
    return run_cases("efa_watch", cases, argc, argv);
}
