/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
#include "hbl_kit.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define REQUEST_MEMORY 0xc0286444ul

int open_accel(int index)
{
    char path[32];

    snprintf(path, sizeof path, "/dev/accel/accel%d", index);
    return open(path, O_RDWR | O_CLOEXEC);
}

uint64_t map_memory(int accel, void *at, uint64_t size)
{
    uint64_t request[5] = {(uintptr_t)at, 0, size, 2 | 4ull << 32, 0};

    return ioctl(accel, REQUEST_MEMORY, request) ? 0 : request[0];
}

int unmap_memory(int accel, uint64_t device)
{
    uint64_t request[5] = {device, 0, 0, 3, 0};

    return ioctl(accel, REQUEST_MEMORY, request);
}

/* -- devices ----------------------------------------------------------------------------------- */

/* Those that a case has open; what a failed one leaves behind goes with the context. */
static struct {
    struct ibv_context *ctx;
    int accel;
} open_now[8];

static void close_left(void)
{
    for (unsigned i = 0; i < 8; i++)
        if (open_now[i].ctx) {
            ibv_close_device(open_now[i].ctx);
            close(open_now[i].accel);
            open_now[i].ctx = NULL;
        }
}

struct ibv_device *find_device(int index)
{
    static struct ibv_device **list; /* kept, so that the devices stay */
    char name[16];

    if (!list)
        list = SOME(ibv_get_device_list(NULL));
    snprintf(name, sizeof name, "hbl_%d", index);
    for (int i = 0; list[i]; i++)
        if (!strcmp(ibv_get_device_name(list[i]), name))
            return list[i];
    fail(__FILE__, __LINE__, "no %s", name);
}

struct hbldv_port_ex_attr port_attr(uint32_t port, const struct hbl_making *how)
{
    return (struct hbldv_port_ex_attr){
        .wq_arr_attr = {{how->wqs ? how->wqs : 64, how->wqes ? how->wqes : 1024, how->memory ? how->memory : HBLDV_MEM_HOST,
            how->granularity}},
        .caps = how->advanced ? HBLDV_PORT_CAP_ADVANCED : 0, .port_num = port,
    };
}

void set_up(struct card *c, uint32_t port, const struct hbl_making *how)
{
    struct hbldv_port_ex_attr attr = port_attr(port, how);
    struct hbldv_cq_attr cq = {.port_num = (uint8_t)port};
    struct hbldv_usr_fifo_attr fifo = {.port_num = port};

    OK(hbldv_set_port_ex(c->ctx, &attr));
    c->cq[port] = SOME(hbldv_create_cq(c->ctx, how->cqe ? how->cqe : 256, NULL, 0, &cq));
    OK(hbldv_query_cq(c->cq[port], &c->cqa[port]));
    c->fifo[port] = SOME(hbldv_create_usr_fifo(c->ctx, &fifo));
    c->ci[port] = c->fifo_pi[port] = 0;
}

struct card open_card(int index, const struct hbl_making *how)
{
    static const struct hbl_making usual;
    struct card c = {.accel = open_accel(index)};
    struct hbldv_ucontext_attr attr = {.core_fd = c.accel};
    struct ibv_device_attr device;

    if (!how)
        how = &usual;
    CHECK(c.accel >= 0);
    c.ctx = SOME(hbldv_open_device(find_device(index), &attr));
    after_case = close_left;
    open_now[index].ctx = c.ctx;
    open_now[index].accel = c.accel;
    c.pd = SOME(ibv_alloc_pd(c.ctx));
    OK(ibv_query_device(c.ctx, &device));
    for (uint32_t p = 1; p <= device.phys_port_cnt; p++) {
        struct ibv_port_attr port;

        OK(ibv_query_port(c.ctx, (uint8_t)p, &port));
        if (how->ports ? how->ports >> p & 1 : port.state == IBV_PORT_ACTIVE)
            set_up(&c, p, how);
    }
    c.buf = SOME(aligned_alloc(4096, ROOM));
    memset(c.buf, 0, ROOM);
    c.dva = SOME(map_memory(c.accel, c.buf, ROOM));
    return c;
}

void close_card(struct card *c)
{
    for (uint32_t p = 1; p <= MAX_DEVICE_PORTS; p++) {
        if (c->fifo[p])
            OK(hbldv_destroy_usr_fifo(c->fifo[p]));
        if (c->cq[p])
            OK(ibv_destroy_cq(c->cq[p]));
    }
    OK(ibv_dealloc_pd(c->pd));
    for (unsigned i = 0; i < 8; i++)
        if (open_now[i].ctx == c->ctx)
            open_now[i].ctx = NULL;
    OK(ibv_close_device(c->ctx));
    OK(close(c->accel));
    free(c->buf);
}

/* -- queue pairs ------------------------------------------------------------------------------- */

struct line make_line(struct card *c, uint32_t port, uint32_t size)
{
    struct line l = {.card = c, .port = port, .size = size};
    struct ibv_qp_init_attr attr = {
        .send_cq = c->cq[port], .recv_cq = c->cq[port], .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = size, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
    };

    l.qp = SOME(ibv_create_qp(c->pd, &attr));
    return l;
}

void destroy_line(struct line *l)
{
    OK(ibv_destroy_qp(l->qp));
}

int to_init_hbl(struct line *l, const struct hbldv_qp_attr *attr)
{
    struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT, .port_num = (uint8_t)l->port, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
    struct hbldv_qp_attr usual = {.wq_type = HBLDV_WQ_WRITE};
    int error;

    if (attr)
        usual = *attr;
    error = hbldv_modify_qp(l->qp, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS, &usual);
    if (!error)
        OK(hbldv_query_qp(l->qp, &l->at));
    return error;
}

union ibv_gid gid_of(struct card *c, uint32_t port)
{
    struct ibv_port_attr attr;
    union ibv_gid gid;

    OK(ibv_query_port(c->ctx, (uint8_t)port, &attr));
    OK(ibv_query_gid(c->ctx, (uint8_t)port, attr.gid_tbl_len - 1, &gid));
    return gid;
}

int to_rtr_hbl(struct line *l, uint32_t number, const union ibv_gid *gid, const struct joining *how)
{
    struct ibv_qp_attr a = {
        .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_4096, .dest_qp_num = number, .max_dest_rd_atomic = 1,
        .ah_attr = {.port_num = (uint8_t)l->port, .is_global = 1, .grh = {.dgid = *gid, .hop_limit = 255}},
    };
    struct hbldv_qp_attr h = {.local_key = how->local_key, .caps = how->caps, .priority = 1};

    return hbldv_modify_qp(l->qp, &a, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
        IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER, &h);
}

int to_rts_hbl(struct line *l, const struct joining *how)
{
    struct ibv_qp_attr a = {.qp_state = IBV_QPS_RTS, .timeout = how->timeout ? how->timeout : 13,
        .retry_cnt = how->retry ? how->retry : 7, .rnr_retry = 7, .max_rd_atomic = 1};
    struct hbldv_qp_attr h = {.remote_key = how->remote_key, .priority = (uint8_t)(how->priority ? how->priority : 1)};
    int error = hbldv_modify_qp(l->qp, &a, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
        IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC, &h);

    if (!error)
        OK(hbldv_query_qp(l->qp, &l->at));
    l->pi = 0;
    return error;
}

static void join_one(struct line *l, struct line *other, const struct joining *how)
{
    union ibv_gid gid = gid_of(other->card, other->port);

    OK(to_rtr_hbl(l, other->at.qp_num, &gid, how));
    OK(to_rts_hbl(l, how));
}

/* Keys as they are told, crosswise for the second one. */
void join(struct line *a, struct line *b, const struct joining *how)
{
    static const struct joining usual;
    struct joining crosswise = how ? *how : usual;

    if (!a->at.qp_num)
        OK(to_init_hbl(a, NULL));
    if (!b->at.qp_num)
        OK(to_init_hbl(b, NULL));
    join_one(a, b, how ? how : &usual);
    crosswise.local_key = how ? how->remote_key : 0;
    crosswise.remote_key = how ? how->local_key : 0;
    if (a != b)
        join_one(b, a, &crosswise);
}

/* -- what a program does itself ---------------------------------------------------------------- */

uint32_t *put_write(struct line *l, const struct write *w)
{
    uint32_t index = l->pi & (l->size - 1);
    volatile uint32_t *at = (volatile uint32_t *)l->at.swq_cpu_addr + index * 8;

    at[1] = w->size;
    at[2] = (uint32_t)w->from;
    at[3] = (uint32_t)(w->from >> 32);
    at[4] = (uint32_t)w->to;
    at[5] = (uint32_t)(w->to >> 32);
    at[6] = w->tag;
    at[7] = w->silent ? 0 : 2u << 30;
    at[0] = 2 | (index & 0xff) << 8 | 1u << 31;
    l->pi++;
    return (uint32_t *)(uintptr_t)at;
}

void ring_fifo(struct line *l, uint32_t pi)
{
    const struct hbldv_usr_fifo *f = l->card->fifo[l->port];
    uint64_t entry = (pi & (l->size - 1)) | (uint64_t)l->at.qp_num << 32 | (uint64_t)l->port << 56;

    __atomic_thread_fence(__ATOMIC_RELEASE);
    *(volatile uint64_t *)((char *)f->regs_cpu_addr + f->regs_offset) = entry;
    l->card->fifo_pi[l->port]++;
}

void announce_lines(struct line *l)
{
    ring_fifo(l, l->pi);
}

bool poll_hbl(struct card *c, uint32_t port, struct done *d)
{
    const struct hbldv_query_cq_attr *a = &c->cqa[port];
    uint32_t n = (uint32_t)c->cq[port]->cqe, *entry = (uint32_t *)a->mem_cpu_addr + (c->ci[port] & (n - 1)) * 4;
    volatile uint32_t *registers = (volatile uint32_t *)((char *)a->regs_cpu_addr + a->regs_offset);

    if (__atomic_load_n((uint64_t *)a->pi_cpu_addr, __ATOMIC_ACQUIRE) == c->ci[port])
        return false;
    CHECK(entry[0] >> 31);
    CHECK(entry[0] >> 24 & 1);
    *d = (struct done){entry[0] & 0xffffff, entry[1], entry[2], entry[3]};
    entry[0] = 0;
    c->ci[port]++;
    registers[0] = a->cq_num;
    registers[1] = c->ci[port];
    return true;
}

void done(struct line *l, uint32_t tag, uint32_t size)
{
    struct done d = {0};

    device_sim_pump(-1);
    if (!poll_hbl(l->card, l->port, &d)) {
        char text[200];

        device_sim_message(text, sizeof text);
        fail(__FILE__, __LINE__, "no completion: %s", text);
    }
    EQ(d.tag, tag);
    EQ(d.size, size);
    EQ(d.number, l->at.qp_num);
}

void no_completion(struct line *l)
{
    struct done d;

    device_sim_pump(-1);
    CHECK(!poll_hbl(l->card, l->port, &d));
}

bool event_of(struct ibv_context *ctx, struct ibv_async_event *e)
{
    struct pollfd p = {.fd = ctx->async_fd, .events = POLLIN};

    if (poll(&p, 1, 0) != 1)
        return false;
    OK(ibv_get_async_event(ctx, e));
    ibv_ack_async_event(e);
    return true;
}

void broken(struct line *l, int event, int syndrome)
{
    struct ibv_qp_init_attr init;
    struct ibv_async_event e;
    struct ibv_qp_attr attr;

    CHECK(event_of(l->card->ctx, &e));
    EQ(e.event_type, event);
    CHECK(e.element.qp == l->qp);
    OK(ibv_query_qp(l->qp, &attr, IBV_QP_STATE | IBV_QP_ACCESS_FLAGS, &init));
    EQ(attr.qp_state, IBV_QPS_ERR);
    EQ(attr.qp_access_flags, syndrome);
}
