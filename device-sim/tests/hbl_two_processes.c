/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Two processes, each with a device of its own: a device is one process' at a time. */
#include "across.h"
#include "hbl_kit.h"

#include <unistd.h>

struct who {
    uint32_t number;
    union ibv_gid gid;
    uint64_t dva;
};

static struct card card;
static struct line line;
static struct who other;

static void begin(uint32_t port, const struct joining *how)
{
    struct who mine;

    card = open_card(child, NULL);
    line = make_line(&card, port, 64);
    OK(to_init_hbl(&line, NULL));
    mine = (struct who){.number = line.at.qp_num, .gid = gid_of(&card, port), .dva = card.dva};
    exchange(&mine, &other, sizeof mine);
    OK(to_rtr_hbl(&line, other.number, &other.gid, how));
    OK(to_rts_hbl(&line, how));
    meet();
}

static void end(void)
{
    meet();
    destroy_line(&line);
    close_card(&card);
    meet();
}

static void wait_done(uint32_t tag)
{
    struct done d;

    for (int i = 0; i < 100000; i++) {
        device_sim_pump(-1);
        if (poll_hbl(&card, line.port, &d)) {
            EQ(d.tag, tag);
            return;
        }
        usleep(100);
    }
    fail(__FILE__, __LINE__, "no completion");
}

/* Both write at once, and each sees the other's bytes in its memory, in order. */
static void write_both(uint32_t port)
{
    begin(port, &(struct joining){.timeout = 20});
    for (unsigned n = 0; n < 20; n++) {
        uint32_t size = n % 5 ? 100 + n : 200000;

        fill(card.buf, size, n + child);
        put_write(&line, &(struct write){.from = card.dva, .to = other.dva + (1 << 20) + n * 65536 % (1 << 20), .size = size,
            .tag = n});
        announce_lines(&line);
        wait_done(n);
        meet();
        if (!(n % 5)) {
            fill(card.buf, size, n + !child);
            CHECK(!memcmp(card.buf, card.buf + (1 << 20) + n * 65536 % (1 << 20), size));
        }
        meet();
    }
    no_violations();
    end();
}

static void wired(void)
{
    write_both(1);
}

static void by_gid(void)
{
    write_both(2);
}

static void exclusive(void)
{
    struct hbldv_ucontext_attr attr;
    struct ibv_context *ctx;

    if (!child)
        card = open_card(0, NULL);
    meet();
    if (child) {
        attr = (struct hbldv_ucontext_attr){.core_fd = open_accel(0)};
        CHECK(!hbldv_open_device(find_device(0), &attr));
        EQ(errno, EBUSY);
    }
    meet();
    if (!child)
        close_card(&card);
    meet();
    if (child) {
        ctx = SOME(hbldv_open_device(find_device(0), &attr));
        OK(ibv_close_device(ctx));
        OK(close(attr.core_fd));
    }
    meet();
}

/* The other's address is not in its map: both ends hear of it. */
static void wrong_address(void)
{
    struct ibv_async_event e;

    begin(1, &(struct joining){.timeout = 20});
    if (child) {
        put_write(&line, &(struct write){.from = card.dva, .to = other.dva + ROOM, .size = 8});
        announce_lines(&line);
        for (int i = 0; i < 100000 && !event_of(card.ctx, &e); i++) {
            device_sim_pump(-1);
            usleep(100);
        }
        EQ(e.event_type, IBV_EVENT_QP_REQ_ERR);
        meet();
    } else {
        meet();
        broken(&line, IBV_EVENT_QP_FATAL, 0x11);
    }
    end();
}

static void wrong_key(void)
{
    begin(1, &(struct joining){.timeout = 20, .local_key = (uint32_t)child, .remote_key = (uint32_t)child});
    if (child) {
        struct ibv_async_event e;

        put_write(&line, &(struct write){.from = card.dva, .to = other.dva, .size = 8});
        announce_lines(&line);
        for (int i = 0; i < 100000 && !event_of(card.ctx, &e); i++) {
            device_sim_pump(-1);
            usleep(100);
        }
        EQ(e.event_type, IBV_EVENT_QP_REQ_ERR);
        meet();
    } else {
        meet();
        broken(&line, IBV_EVENT_QP_FATAL, 0x10);
    }
    end();
}

static const struct test_case cases[] = {
    {"wired", wired}, {"by-gid", by_gid}, {"exclusive", exclusive}, {"wrong-address", wrong_address},
    {"wrong-key", wrong_key}, {0},
};

int main(int argc, char **argv)
{
    return run_across("hbl_two_processes", cases, argc, argv);
}
