/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Writes of hbl devices: between ports, around every wrap, with FIFOs that are full; what a program can read of them. */
#include "hbl_kit.h"

#include <pthread.h>

/* A write of `size` bytes from a's buffer to b's, and back. */
static void there_and_back(struct line *a, struct line *b, uint32_t size)
{
    struct write w = {.from = a->card->dva + 3, .to = b->card->dva + (1 << 21) + 5, .size = size, .tag = size ^ 0x55aa};

    fill(a->card->buf, size + 3, size);
    memset(b->card->buf + (1 << 21), 0, size + 16);
    put_write(a, &w);
    announce_lines(a);
    done(a, w.tag, size);
    CHECK(!memcmp(a->card->buf + 3, b->card->buf + (1 << 21) + 5, size));
    EQ(b->card->buf[(1 << 21) + 4], 0);
    EQ(b->card->buf[(1 << 21) + 5 + size], 0);
}

static void between(uint32_t port)
{
    static const uint32_t sizes[] = {1, 2, 3, 31, 4096, 32768, 32769, 100000, (1 << 21) - 64};
    struct card one = open_card(0, NULL), two = open_card(1, NULL);
    struct line a = make_line(&one, port, 16), b = make_line(&two, port, 16);

    join(&a, &b, NULL);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        there_and_back(&a, &b, sizes[i]);
        there_and_back(&b, &a, sizes[i]);
    }
    no_violations();
    EQ(device_sim_check_idle(), 0);
    destroy_line(&a);
    destroy_line(&b);
    close_card(&one);
    close_card(&two);
}

static void wired(void)
{
    between(1);
}

static void by_gid(void)
{
    between(2);
}

/* The GID decides where it goes: to another port of the same device, too. */
static void own_port(void)
{
    struct card one = open_card(0, NULL);
    struct line a = make_line(&one, 2, 16), b = make_line(&one, 2, 16);
    const struct joining loopback = {.caps = HBLDV_QP_CAP_LOOPBACK, .local_key = 7, .remote_key = 7};

    join(&a, &b, &loopback);
    there_and_back(&a, &b, 1000);
    there_and_back(&b, &a, 1000);
    no_violations();
    destroy_line(&a);
    destroy_line(&b);
    close_card(&one);
}

/* Without its being allowed to, nothing comes back to the port that it left from. */
static void no_loopback(void)
{
    struct card one = open_card(0, NULL);
    struct line a = make_line(&one, 2, 16), b = make_line(&one, 2, 16);
    struct write w = {.from = one.dva, .to = one.dva + 4096, .size = 10};

    join(&a, &b, &(struct joining){.retry = 1});
    put_write(&a, &w);
    announce_lines(&a);
    no_completion(&a);
    broken(&a, IBV_EVENT_QP_REQ_ERR, 0x40);
    destroy_line(&a);
    destroy_line(&b);
    close_card(&one);
}

/* The ring of 16, the index byte of a ring of 1024, the completion queue of 256, the FIFO of 64. */
static void wraps(void)
{
    struct card one = open_card(0, NULL), two = open_card(1, NULL);
    struct line a = make_line(&one, 1, 16), b = make_line(&two, 1, 1024);

    join(&a, &b, NULL);
    for (unsigned i = 0; i < 600; i++) {
        there_and_back(&a, &b, 1 + i % 100);
        there_and_back(&b, &a, 1 + i % 90);
    }
    for (unsigned i = 0; i < 1000; i++) {
        struct write w = {.from = two.dva, .to = one.dva, .size = 8, .tag = i, .silent = i % 100 != 99};

        put_write(&b, &w);
    }
    announce_lines(&b);
    for (unsigned i = 99; i < 1000; i += 100)
        done(&b, i, 8);
    no_completion(&b);
    no_violations();
    destroy_line(&a);
    destroy_line(&b);
    close_card(&one);
    close_card(&two);
}

/* Each doorbell of many is taken, in order, though they go to one address; the index in memory is one behind. */
static void fifo(void)
{
    struct card one = open_card(0, NULL), two = open_card(1, NULL);
    struct line a = make_line(&one, 1, 128), b = make_line(&two, 1, 128), c = make_line(&one, 1, 128), d = make_line(&two, 1, 128);
    volatile uint32_t *ci = one.fifo[1]->ci_cpu_addr;

    EQ(one.fifo[1]->size, 512);
    EQ(one.fifo[1]->bp_thresh, 256);
    join(&a, &b, NULL);
    join(&c, &d, NULL);
    for (unsigned i = 0; i < 32; i++) {
        struct write w = {.from = one.dva, .to = two.dva + 64 * i, .size = 8, .tag = i};

        put_write(&a, &w);
        announce_lines(&a);
        put_write(&c, &w);
        announce_lines(&c);
    }
    EQ(device_sim_count(DEVICE_SIM_COUNT_DOORBELLS), 64);
    EQ(*ci, 0);
    EQ(device_sim_pump(1), 1);
    EQ(*ci, 0);
    device_sim_pump(-1);
    EQ(*ci, 63);
    for (unsigned i = 0; i < 64; i++) {
        struct done e;

        CHECK(poll_hbl(&one, 1, &e));
    }
    put_write(&a, &(struct write){.from = one.dva, .to = two.dva, .size = 8, .tag = 99});
    announce_lines(&a);
    done(&a, 99, 8);
    EQ(*ci, 0);
    no_violations();
    destroy_line(&a);
    destroy_line(&b);
    destroy_line(&c);
    destroy_line(&d);
    close_card(&one);
    close_card(&two);
}

/* One entry too many is told, and the event names port and FIFO. */
static void fifo_overrun(void)
{
    struct card one = open_card(0, NULL), two = open_card(1, NULL);
    struct line a = make_line(&one, 2, 128), b = make_line(&two, 2, 128);
    struct ibv_async_event e;

    join(&a, &b, NULL);
    for (unsigned i = 0; i < 65; i++) {
        put_write(&a, &(struct write){.from = one.dva, .to = two.dva, .size = 8, .tag = i, .silent = true});
        CHECK(!event_of(one.ctx, &e));
        announce_lines(&a);
    }
    expect_message("a doorbell while all 64 entries are occupied");
    CHECK(event_of(one.ctx, &e));
    EQ(e.event_type, IBV_EVENT_DEVICE_FATAL);
    EQ(e.element.port_num, 1 | (int)one.fifo[2]->usr_fifo_num << 16);
    device_sim_pump(-1);
    EQ(device_sim_count(DEVICE_SIM_COUNT_SENDS), 64);
    destroy_line(&a);
    destroy_line(&b);
    close_card(&one);
    close_card(&two);
}

/* Two halves of four bytes are a doorbell as well. */
static void halves(void)
{
    struct card one = open_card(0, NULL), two = open_card(1, NULL);
    struct line a = make_line(&one, 1, 16), b = make_line(&two, 1, 16);
    volatile uint32_t *registers = (volatile uint32_t *)((char *)one.fifo[1]->regs_cpu_addr + one.fifo[1]->regs_offset);

    join(&a, &b, NULL);
    put_write(&a, &(struct write){.from = one.dva, .to = two.dva, .size = 8, .tag = 5});
    registers[0] = a.pi;
    EQ(device_sim_count(DEVICE_SIM_COUNT_DOORBELLS), 0);
    registers[1] = a.at.qp_num | a.port << 24;
    done(&a, 5, 8);
    no_violations();
    registers[1] = 1;
    expect_message("a store of 4 bytes at 0x4 of the registers, wanted 8, or 4 and then 4");
    *(volatile uint8_t *)registers = 1;
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1); /* a half that was written another way: it waits */
    EQ(registers[0], 0);
    expect_message("a register was read, at byte 0");
    destroy_line(&a);
    destroy_line(&b);
    close_card(&one);
    close_card(&two);
}

struct poster {
    struct line *line;
    uint64_t to;
    pthread_mutex_t *lock;
};

static void *post_many(void *arg)
{
    struct poster *p = arg;

    for (unsigned i = 0; i < 500; i++) {
        put_write(p->line, &(struct write){.from = p->line->card->dva, .to = p->to, .size = 8, .silent = true});
        if (i % 8 == 7) { /* so that the FIFO, which all share, has room */
            pthread_mutex_lock(p->lock);
            device_sim_pump(-1);
            pthread_mutex_unlock(p->lock);
        }
        ring_fifo(p->line, p->line->pi);
    }
    return NULL;
}

/* Threads ring at one address at the same time. */
static void threads(void)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct card one = open_card(0, NULL), two = open_card(1, NULL);
    struct line a[4], b[4];
    struct poster p[4];
    pthread_t t[4];

    for (unsigned i = 0; i < 4; i++) {
        a[i] = make_line(&one, 1, 1024);
        b[i] = make_line(&two, 1, 16);
        join(&a[i], &b[i], NULL);
        p[i] = (struct poster){&a[i], two.dva, &lock};
    }
    for (unsigned i = 0; i < 4; i++)
        OK(pthread_create(&t[i], NULL, post_many, &p[i]));
    for (unsigned i = 0; i < 4; i++)
        OK(pthread_join(t[i], NULL));
    EQ(device_sim_count(DEVICE_SIM_COUNT_DOORBELLS), 2000);
    device_sim_pump(-1);
    EQ(device_sim_count(DEVICE_SIM_COUNT_SENDS), 2000);
    no_violations();
    for (unsigned i = 0; i < 4; i++) {
        destroy_line(&a[i]);
        destroy_line(&b[i]);
    }
    close_card(&one);
    close_card(&two);
}

/* Two ports of both devices at once; each has numbers, queues and FIFOs of its own. */
static void two_ports(void)
{
    struct card one = open_card(0, NULL), two = open_card(1, NULL);
    struct line a = make_line(&one, 1, 16), b = make_line(&two, 1, 16), c = make_line(&one, 2, 16), d = make_line(&two, 2, 16);

    join(&a, &b, NULL);
    join(&c, &d, NULL);
    EQ(a.at.qp_num, c.at.qp_num);
    CHECK(a.qp->qp_num != c.qp->qp_num);
    put_write(&a, &(struct write){.from = one.dva, .to = two.dva, .size = 8, .tag = 1});
    put_write(&c, &(struct write){.from = one.dva + 8, .to = two.dva + 8, .size = 8, .tag = 2});
    memcpy(one.buf, "abcdefghijklmnop", 16);
    announce_lines(&c);
    announce_lines(&a);
    done(&a, 1, 8);
    done(&c, 2, 8);
    CHECK(!memcmp(two.buf, "abcdefghijklmnop", 16));
    no_violations();
    destroy_line(&a);
    destroy_line(&b);
    destroy_line(&c);
    destroy_line(&d);
    close_card(&one);
    close_card(&two);
}

/* A queue pair begins anew after a reset, with another ring. */
static void reset(void)
{
    struct card one = open_card(0, NULL), two = open_card(1, NULL);
    struct line a = make_line(&one, 1, 16), b = make_line(&two, 1, 16);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};

    join(&a, &b, NULL);
    there_and_back(&a, &b, 10);
    OK(ibv_modify_qp(a.qp, &attr, IBV_QP_STATE));
    OK(ibv_modify_qp(b.qp, &attr, IBV_QP_STATE));
    OK(hbldv_query_qp(a.qp, &a.at));
    EQ(a.at.qp_num, 0);
    b.at.qp_num = 0;
    join(&a, &b, NULL);
    there_and_back(&a, &b, 10);
    no_violations();
    destroy_line(&a);
    destroy_line(&b);
    close_card(&one);
    close_card(&two);
}

/* What was rung for a queue pair that is gone is nobody's, also when its number is another's. */
static void destroyed(void)
{
    struct card one = open_card(0, NULL), two = open_card(1, NULL);
    struct line a = make_line(&one, 1, 16), b = make_line(&two, 1, 16), c;

    join(&a, &b, NULL);
    put_write(&a, &(struct write){.from = one.dva, .to = two.dva, .size = 8});
    announce_lines(&a);
    destroy_line(&a);
    c = make_line(&one, 1, 16);
    OK(to_init_hbl(&c, NULL));
    EQ(c.at.qp_num, a.at.qp_num);
    device_sim_pump(-1);
    EQ(device_sim_count(DEVICE_SIM_COUNT_SENDS), 0);
    no_violations();
    destroy_line(&b);
    destroy_line(&c);
    close_card(&one);
    close_card(&two);
}

/* A lost packet is sent again; one write each, whatever is lost. */
static void loss(void)
{
    struct card one = open_card(0, NULL), two = open_card(1, NULL);
    struct line a = make_line(&one, 2, 16), b = make_line(&two, 2, 16);

    join(&a, &b, NULL);
    OK(device_sim_loss(200, 5));
    for (unsigned i = 0; i < 50; i++)
        there_and_back(&a, &b, 100000);
    CHECK(device_sim_count(DEVICE_SIM_COUNT_RETRIES) > 20);
    no_violations();
    destroy_line(&a);
    destroy_line(&b);
    close_card(&one);
    close_card(&two);
}

/* A thread makes the device work; the program only looks at memory. */
static void by_thread(void)
{
    struct card one = open_card(0, NULL), two = open_card(1, NULL);
    struct line a = make_line(&one, 1, 64), b = make_line(&two, 1, 64);

    join(&a, &b, NULL);
    device_sim_mode(DEVICE_SIM_THREAD);
    for (unsigned i = 1; i < 2000; i++) {
        struct done d;

        memcpy(one.buf, &i, sizeof i);
        put_write(&a, &(struct write){.from = one.dva, .to = two.dva + 512, .size = sizeof i, .tag = i});
        announce_lines(&a);
        while (!poll_hbl(&one, 1, &d))
            ;
        EQ(d.tag, i);
        EQ(*(volatile unsigned *)(two.buf + 512), i);
    }
    device_sim_mode(DEVICE_SIM_PUMP);
    no_violations();
    destroy_line(&a);
    destroy_line(&b);
    close_card(&one);
    close_card(&two);
}

static const struct test_case cases[] = {
    {"wired", wired}, {"by-gid", by_gid}, {"own-port", own_port}, {"no-loopback", no_loopback}, {"wraps", wraps},
    {"fifo", fifo}, {"fifo-overrun", fifo_overrun}, {"halves", halves}, {"threads", threads}, {"two-ports", two_ports},
    {"reset", reset}, {"destroyed", destroyed}, {"loss", loss}, {"by-thread", by_thread}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("hbl", cases, argc, argv);
}
