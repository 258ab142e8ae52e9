/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Descriptors, doorbells, addresses and keys with one thing wrong each: what is said, which event, which syndrome. */
#include "hbl_kit.h"

#include <sys/mman.h>

static struct card one, two;
static struct line a, b;

static void begin(const struct joining *how)
{
    one = open_card(0, NULL);
    two = open_card(1, NULL);
    a = make_line(&one, 1, 16);
    b = make_line(&two, 1, 16);
    join(&a, &b, how);
}

static void end(void)
{
    destroy_line(&a);
    destroy_line(&b);
    close_card(&one);
    close_card(&two);
}

static struct write usual(void)
{
    return (struct write){.from = one.dva, .to = two.dva, .size = 64, .tag = 1};
}

/* One bit or field of a good descriptor is another: the requester's queue pair is dead of it. */
static void descriptor(unsigned word, uint32_t clear, uint32_t set, int syndrome, const char *message)
{
    struct write w;
    uint32_t *at;

    begin(NULL);
    w = usual();
    at = put_write(&a, &w);
    at[word] = (at[word] & ~clear) | set;
    announce_lines(&a);
    no_completion(&a);
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), 1);
    expect_message(message);
    broken(&a, IBV_EVENT_QP_REQ_ERR, syndrome);
    end();
    device_sim_reset_counts();
}

static void descriptors(void)
{
    descriptor(0, 0xff00, 0x0100, 0x91, "the index is not that of its place: 0x1");
    descriptor(0, 0x1f, 1, 0x80, "not an operation that is simulated: 0x1");
    descriptor(0, 0x1f, 4, 0x80, "not an operation that is simulated: 0x4");
    descriptor(0, 0, 1 << 7, 0x81, "bit 7 is set");
    for (unsigned bit = 5; bit <= 30; bit++)
        if (bit <= 6 || (bit >= 16 && bit != 29)) /* the index, and that it is solicited, are no error */
            descriptor(0, 0, 1u << bit, 0x81, "trace, reduction and inline");
    for (unsigned bit = 0; bit <= 29; bit++)
        descriptor(7, 0, 1u << bit, 0x81, "a sync object");
    descriptor(7, 3u << 30, 1u << 30, 0x81, "completions by sync objects are not simulated: 0x1");
    descriptor(7, 0, 3u << 30, 0x81, "completions by sync objects are not simulated: 0x3");
    descriptor(1, ~0u, 0, 0x82, "the size: 0x0");
    descriptor(1, ~0u, 0x40000001, 0x82, "the size: 0x40000001");
}

/* Elements of 64 bytes, of which a write has the first half. */
static void wide(void)
{
    const struct hbl_making how = {.granularity = 1};
    struct write w;

    for (unsigned word = 7; word < 16; word++) { /* 7: nothing is wrong */
        one = open_card(0, &how);
        two = open_card(1, &how);
        a = make_line(&one, 1, 16);
        b = make_line(&two, 1, 16);
        join(&a, &b, NULL);
        w = usual();
        put_write(&a, &w)[word] |= word == 7 ? 0 : 1;
        announce_lines(&a);
        if (word == 7) {
            done(&a, 1, 64);
        } else {
            no_completion(&a);
            expect_message("the second half is for strides: 0x1");
            broken(&a, IBV_EVENT_QP_REQ_ERR, 0x81);
        }
        end();
    }
}

static void key(void)
{
    struct write w;

    begin(&(struct joining){.local_key = 5, .remote_key = 6});
    w = usual();
    memset(one.buf, 7, 64);
    put_write(&a, &w);
    announce_lines(&a);
    done(&a, 1, 64);
    end();
    /* the sender's key is not the receiver's */
    one = open_card(0, NULL);
    two = open_card(1, NULL);
    a = make_line(&one, 1, 16);
    b = make_line(&two, 1, 16);
    OK(to_init_hbl(&a, NULL));
    OK(to_init_hbl(&b, NULL));
    OK(to_rtr_hbl(&a, b.at.qp_num, &(union ibv_gid){0}, &(struct joining){.local_key = 1}));
    OK(to_rts_hbl(&a, &(struct joining){.remote_key = 2}));
    OK(to_rtr_hbl(&b, a.at.qp_num, &(union ibv_gid){0}, &(struct joining){.local_key = 3}));
    OK(to_rts_hbl(&b, &(struct joining){.remote_key = 1}));
    w = usual();
    put_write(&a, &w);
    announce_lines(&a);
    no_completion(&a);
    EQ(two.buf[0], 0);
    EQ(device_sim_count(DEVICE_SIM_COUNT_KEY_ERRORS), 1);
    expect_message("the key is 0x2, which is not the queue pair's own");
    broken(&b, IBV_EVENT_QP_FATAL, 0x10);
    broken(&a, IBV_EVENT_QP_REQ_ERR, 0x41);
    end();
}

static void local_address(uint64_t from, uint32_t size, const char *message)
{
    struct write w = {.from = from, .to = two.dva, .size = size};

    put_write(&a, &w);
    announce_lines(&a);
    no_completion(&a);
    expect_message(message);
    broken(&a, IBV_EVENT_QP_REQ_ERR, 0x83);
    end();
}

static void own_address(void)
{
    begin(NULL);
    local_address((uintptr_t)one.buf, 8, "an address of the process, where one of the device's is wanted");
    begin(NULL);
    local_address(one.dva - 1, 8, "the accelerator has mapped nothing there");
    begin(NULL);
    local_address(one.dva + ROOM - 7, 8, "beyond the end of what the accelerator has mapped");
    begin(NULL);
    local_address(two.dva, 8, "the accelerator has mapped nothing there"); /* another device's */
    begin(NULL);
    OK(unmap_memory(one.accel, one.dva));
    local_address(one.dva, 8, "the accelerator has mapped nothing there");
}

static void remote_address(uint64_t to, uint32_t size, const char *message)
{
    struct write w = {.from = one.dva, .to = to, .size = size};

    put_write(&a, &w);
    announce_lines(&a);
    no_completion(&a);
    expect_message(message);
    broken(&b, IBV_EVENT_QP_FATAL, 0x11);
    broken(&a, IBV_EVENT_QP_REQ_ERR, 0x41);
    end();
}

static void peers_address(void)
{
    begin(NULL);
    remote_address((uintptr_t)two.buf, 8, "an address of the process, where one of the device's is wanted");
    begin(NULL);
    remote_address(two.dva + ROOM - 7, 8, "beyond the end");
    begin(NULL);
    remote_address(one.dva, 8, "the accelerator has mapped nothing there");
    begin(NULL);
    memset(two.buf, 9, 8);
    remote_address(two.dva + ROOM - 50000, 60000, "beyond the end"); /* and nothing of it is written */
}

/* Memory that the process has given back though it is mapped. */
static void gone_memory(void)
{
    uint8_t *gone = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint64_t dva;

    begin(NULL);
    dva = SOME(map_memory(one.accel, gone, 1 << 20));
    EQ(dva % 4096, 0);
    OK(munmap(gone, 1 << 20));
    put_write(&a, &(struct write){.from = dva, .to = two.dva, .size = 1 << 20});
    announce_lines(&a);
    no_completion(&a);
    broken(&a, IBV_EVENT_QP_REQ_ERR, 0x83);
    end();
}

static void no_access(void)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTS};
    struct hbldv_qp_attr init = {.wq_type = HBLDV_WQ_WRITE};
    struct write w;

    one = open_card(0, NULL);
    two = open_card(1, NULL);
    a = make_line(&one, 1, 16);
    b = make_line(&two, 1, 16);
    attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_INIT, .port_num = 1};
    OK(hbldv_modify_qp(b.qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS, &init));
    OK(hbldv_query_qp(b.qp, &b.at));
    join(&a, &b, NULL);
    w = usual();
    put_write(&a, &w);
    announce_lines(&a);
    no_completion(&a);
    EQ(two.buf[0], 0);
    broken(&b, IBV_EVENT_QP_FATAL, 0x12);
    broken(&a, IBV_EVENT_QP_REQ_ERR, 0x42);
    end();
}

/* A number that nobody has, and a queue pair there that is connected with another one. */
static void destination(void)
{
    struct line c;

    begin(NULL);
    c = make_line(&one, 1, 16);
    OK(to_init_hbl(&c, NULL));
    OK(to_rtr_hbl(&c, b.at.qp_num, &(union ibv_gid){0}, &(struct joining){0}));
    OK(to_rts_hbl(&c, &(struct joining){.retry = 2}));
    put_write(&c, &(struct write){.from = one.dva, .to = two.dva, .size = 8});
    announce_lines(&c);
    no_completion(&c);
    broken(&c, IBV_EVENT_QP_REQ_ERR, 0x40);
    destroy_line(&c);
    c = make_line(&one, 1, 16);
    OK(to_init_hbl(&c, NULL));
    OK(to_rtr_hbl(&c, 60, &(union ibv_gid){0}, &(struct joining){0}));
    OK(to_rts_hbl(&c, &(struct joining){.retry = 2}));
    put_write(&c, &(struct write){.from = one.dva, .to = two.dva, .size = 8});
    announce_lines(&c);
    no_completion(&c);
    broken(&c, IBV_EVENT_QP_REQ_ERR, 0x40);
    destroy_line(&c);
    end();
}

/* Ports from 0 in the events, as the driver has them; what is sent meanwhile is lost. */
static void link_down(void)
{
    struct ibv_async_event e;
    struct ibv_port_attr attr;
    struct write w;

    begin(&(struct joining){.retry = 1});
    OK(device_sim_port_state(1, 1, IBV_PORT_DOWN));
    CHECK(event_of(two.ctx, &e));
    EQ(e.event_type, IBV_EVENT_PORT_ERR);
    EQ(e.element.port_num, 0);
    OK(ibv_query_port(two.ctx, 1, &attr));
    EQ(attr.state, IBV_PORT_DOWN);
    w = usual();
    put_write(&a, &w);
    announce_lines(&a);
    no_completion(&a);
    broken(&a, IBV_EVENT_QP_REQ_ERR, 0x40);
    OK(device_sim_port_state(1, 1, IBV_PORT_ACTIVE));
    CHECK(event_of(two.ctx, &e));
    EQ(e.event_type, IBV_EVENT_PORT_ACTIVE);
    end();
}

static void doorbells(void)
{
    volatile uint64_t *db;

    begin(NULL);
    ring_fifo(&a, 0);
    device_sim_pump(-1);
    expect_message("the doorbell went from 0 to 0");
    for (unsigned i = 0; i < 16; i++)
        put_write(&a, &(struct write){.from = one.dva, .to = two.dva, .size = 8, .silent = true});
    ring_fifo(&a, 15);
    EQ(device_sim_pump(1), 1);
    ring_fifo(&a, 1); /* one more than the ring has */
    EQ(device_sim_pump(1), 1);
    expect_message("the doorbell went from 15 to 1, the ring has 16 and 15 are under way");
    device_sim_pump(-1);
    EQ(device_sim_count(DEVICE_SIM_COUNT_SENDS), 15);
    db = (volatile uint64_t *)((char *)one.fifo[1]->regs_cpu_addr + one.fifo[1]->regs_offset);
    *db = 1 | 77ull << 32 | 1ull << 56;
    device_sim_pump(-1);
    expect_message("a doorbell for QP 77 of port 1, which is not there");
    *db = 1 | (uint64_t)a.at.qp_num << 32 | 2ull << 56;
    device_sim_pump(-1);
    expect_message("of port 2");
    db[2] = 1;
    expect_message("a store at 0x10 of the registers, where there is none");
    db[0x80 / 8] = 1;
    expect_message("but FIFO 2 is not there");
    end();
}

/* A ring that is full would look like an empty one: it takes one less. */
static void whole_ring(void)
{
    begin(NULL);
    for (unsigned i = 0; i < 16; i++)
        put_write(&a, &(struct write){.from = one.dva, .to = two.dva, .size = 8, .silent = true});
    ring_fifo(&a, 8);
    EQ(device_sim_pump(1), 1);
    ring_fifo(&a, 0);
    EQ(device_sim_pump(1), 1);
    expect_message("the doorbell went from 8 to 0, the ring has 16 and 8 are under way");
    device_sim_pump(-1);
    EQ(device_sim_count(DEVICE_SIM_COUNT_SENDS), 8);
    end();
}

static void forgotten(void)
{
    struct write w;

    begin(NULL);
    w = usual();
    EQ(device_sim_check_idle(), 0);
    put_write(&a, &w);
    EQ(device_sim_check_idle(), 1);
    expect_message("WQE 0: written, but the doorbell is missing");
    announce_lines(&a);
    done(&a, 1, 64);
    EQ(device_sim_check_idle(), 0);
    end();
}

/* Nobody takes completions: the queue is dead, and who owns it is told. */
static void cq_overrun(void)
{
    const struct hbl_making how = {.cqe = 4};
    struct ibv_async_event e;

    one = open_card(0, &how);
    two = open_card(1, &how);
    a = make_line(&one, 1, 16);
    b = make_line(&two, 1, 16);
    join(&a, &b, NULL);
    EQ(one.cq[1]->cqe, 4);
    EQ(one.cqa[1].cq_size, 4096);
    for (unsigned i = 0; i < 4; i++)
        put_write(&a, &(struct write){.from = one.dva, .to = two.dva, .size = 8, .tag = i});
    announce_lines(&a);
    device_sim_pump(-1);
    CHECK(!event_of(one.ctx, &e));
    put_write(&a, &(struct write){.from = one.dva, .to = two.dva, .size = 8});
    announce_lines(&a);
    device_sim_pump(-1);
    expect_message("no room for a completion, 4 of 4 are not consumed");
    CHECK(event_of(one.ctx, &e));
    EQ(e.event_type, IBV_EVENT_CQ_ERR);
    CHECK(e.element.cq == one.cq[1]);
    end();
}

static void cq_register(void)
{
    volatile uint64_t *r;
    struct done d;

    begin(NULL);
    r = (volatile uint64_t *)((char *)one.cqa[1].regs_cpu_addr + one.cqa[1].regs_offset);
    *r = one.cqa[1].cq_num | 1ull << 32;
    expect_message("1 were consumed after 0, of 0 that were written");
    put_write(&a, &(struct write){.from = one.dva, .to = two.dva, .size = 8, .tag = 3});
    announce_lines(&a);
    done(&a, 3, 8);
    *r = (one.cqa[1].cq_num + 1) | 1ull << 32;
    expect_message("its register was told of CQ 3");
    *r = one.cqa[1].cq_num;
    expect_message("0 were consumed after 1, of 1 that were written");
    CHECK(!poll_hbl(&one, 1, &d));
    end();
}

static const struct test_case cases[] = {
    {"descriptors", descriptors}, {"wide", wide}, {"key", key}, {"own-address", own_address}, {"peers-address", peers_address},
    {"gone-memory", gone_memory}, {"no-access", no_access}, {"destination", destination}, {"link-down", link_down},
    {"doorbells", doorbells}, {"whole-ring", whole_ring}, {"forgotten", forgotten}, {"cq-overrun", cq_overrun}, {"cq-register", cq_register}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("hbl_checker", cases, argc, argv);
}
