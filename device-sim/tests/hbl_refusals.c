/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What the kernel's driver refuses, and the library: who may open, which order, which numbers. Three devices of four ports. */
#include "hbl_kit.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define REFUSED(error, call) do { \
    errno = 0; \
    EQ((call) ? errno : 0, error); \
    } while (0)
#define NONE(error, call) do { \
    errno = 0; \
    CHECK(!(call)); \
    EQ(errno, error); \
    } while (0)

static const struct hbl_making usual;

static void opening(void)
{
    struct ibv_device *device = find_device(0);
    int accel = open_accel(0), other = open_accel(1), null = open("/dev/null", O_RDWR);
    struct hbldv_ucontext_attr attr = {.core_fd = accel};
    struct ibv_context *ctx;
    struct hbldv_device_attr d = {0};
    uint64_t mask;

    CHECK(hbldv_is_supported(device));
    NONE(EBUSY, open_accel(0) >= 0);
    attr.ports_mask = 1; /* ports count from 1 */
    NONE(EINVAL, hbldv_open_device(device, &attr));
    attr.ports_mask = 1 << 5;
    NONE(EINVAL, hbldv_open_device(device, &attr));
    attr = (struct hbldv_ucontext_attr){.core_fd = null};
    NONE(EBADF, hbldv_open_device(device, &attr));
    attr.core_fd = other; /* of another device */
    NONE(EBADF, hbldv_open_device(device, &attr));
    attr.core_fd = -1;
    NONE(EBADF, hbldv_open_device(device, &attr));
    NONE(EBUSY, hbldv_open_device(device, NULL)); /* as ibv_open_device: it opens the accelerator itself */
    attr = (struct hbldv_ucontext_attr){.core_fd = accel, .ports_mask = 6};
    ctx = SOME(hbldv_open_device(device, &attr));
    NONE(EBUSY, hbldv_open_device(device, &attr));
    OK(hbldv_query_device(ctx, &d));
    memcpy(&mask, (char *)&d + 8, 8);
    EQ(mask, 6);
    OK(close(accel)); /* the context keeps it */
    OK(ibv_close_device(ctx));
    attr = (struct hbldv_ucontext_attr){.core_fd = accel = open_accel(0)};
    ctx = SOME(hbldv_open_device(device, &attr));
    OK(hbldv_query_device(ctx, &d));
    memcpy(&mask, (char *)&d + 8, 8);
    EQ(mask, 30);
    OK(ibv_close_device(ctx));
    OK(close(accel));
    OK(close(other));
    OK(close(null));
}

/* The trap of the vendor's library: the verbs open the same device, whichever is asked for; hbldv_open_device does not. */
static void default_context(void)
{
    struct ibv_context *first = SOME(ibv_open_device(find_device(0))), *again = SOME(ibv_open_device(find_device(1)));
    struct card right;

    CHECK(first == again);
    right = open_card(1, &(struct hbl_making){.ports = 2});
    CHECK(right.ctx != first);
    close_card(&right);
    OK(ibv_close_device(again));
    OK(ibv_close_device(first));
}

/* Its ports are set up as the driver does it, in host memory; its completion queues can't be reached. */
static void plain_open(void)
{
    struct ibv_context *ctx = SOME(ibv_open_device(find_device(0)));
    struct card c = {.ctx = ctx, .pd = SOME(ibv_alloc_pd(ctx)), .cq[1] = SOME(ibv_create_cq(ctx, 5, NULL, NULL, 0))};
    struct hbldv_query_cq_attr cq = {.cq_num = 5};
    struct line l = make_line(&c, 1, 256);
    struct hbldv_query_port_attr port;
    struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};

    EQ(c.cq[1]->cqe, 8);
    OK(hbldv_query_cq(c.cq[1], &cq));
    CHECK(!cq.mem_cpu_addr && !cq.cq_num && !cq.cq_size);
    OK(ibv_modify_qp(l.qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
    OK(hbldv_query_qp(l.qp, &l.at));
    EQ(l.at.qp_num, 1);
    EQ(l.qp->qp_num, 0);
    OK(hbldv_query_port(ctx, 2, &port));
    EQ(port.num_allocated_qps, 0);
    OK(hbldv_query_port(ctx, 1, &port));
    EQ(port.num_allocated_qps, 1);
    EQ(port.max_allocated_qp_num, 1);
    destroy_line(&l);
    OK(ibv_destroy_cq(c.cq[1]));
    OK(ibv_dealloc_pd(c.pd));
    OK(ibv_close_device(ctx));
}

static void what_it_has_not(void)
{
    struct card c = open_card(0, NULL);
    struct line l = make_line(&c, 1, 16);
    struct ibv_send_wr wr = {0}, *bad_wr;
    struct ibv_recv_wr rwr = {0}, *bad_rwr;
    struct ibv_ah_attr ah = {.port_num = 1, .is_global = 1};
    struct ibv_srq_init_attr srq = {.attr = {.max_wr = 1, .max_sge = 1}};
    struct ibv_device_attr attr;
    struct ibv_wc wc;

    OK(ibv_query_device(c.ctx, &attr));
    EQ(attr.max_pd, 1);
    EQ(attr.max_mr, 1);
    EQ(attr.max_cq, 1);
    EQ(attr.max_srq, 0);
    EQ(attr.max_ah, 0);
    EQ(attr.atomic_cap, IBV_ATOMIC_NONE);
    EQ(attr.vendor_id, 0x1da3);
    NONE(ESRCH, ibv_alloc_pd(c.ctx));
    NONE(EOPNOTSUPP, ibv_reg_mr(c.pd, c.buf, 4096, IBV_ACCESS_LOCAL_WRITE));
    NONE(EOPNOTSUPP, ibv_create_ah(c.pd, &ah));
    NONE(EOPNOTSUPP, ibv_create_srq(c.pd, &srq));
    EQ(ibv_post_send(l.qp, &wr, &bad_wr), EOPNOTSUPP);
    EQ(ibv_post_recv(l.qp, &rwr, &bad_rwr), EOPNOTSUPP);
    EQ(ibv_poll_cq(c.cq[1], 1, &wc), EOPNOTSUPP);
    EQ(ibv_req_notify_cq(c.cq[1], 0), EOPNOTSUPP);
    destroy_line(&l);
    OK(ibv_dealloc_pd(c.pd));
    c.pd = SOME(ibv_alloc_pd(c.ctx)); /* there is one again */
    close_card(&c);
}

static void setting_up(void)
{
    const struct hbl_making nothing = {.ports = 1};
    struct card c = open_card(0, &nothing);
    struct hbldv_port_ex_attr attr = port_attr(1, &usual);
    struct hbldv_query_port_attr port;
    struct hbldv_cq_attr cq = {.port_num = 1};
    struct hbldv_usr_fifo_attr fifo = {.port_num = 1};
    struct hbldv_encap_attr encap = {.port_num = 4};

    NONE(EPERM, hbldv_create_cq(c.ctx, 4, NULL, 0, &cq));
    NONE(EPERM, hbldv_create_usr_fifo(c.ctx, &fifo));
    NONE(EPERM, hbldv_create_encap(c.ctx, &encap));
    REFUSED(EPERM, hbldv_query_port(c.ctx, 1, &port));
    REFUSED(EINVAL, hbldv_query_port(c.ctx, 5, &port));
    REFUSED(EINVAL, hbldv_query_port(c.ctx, 1, NULL));
    REFUSED(EINVAL, hbldv_set_port_ex(c.ctx, NULL));
#define WRONG(field, value) do { \
        attr = port_attr(1, &usual); \
        attr.field = (value); \
        REFUSED(EINVAL, hbldv_set_port_ex(c.ctx, &attr)); \
    } while (0)
    WRONG(port_num, 0);
    WRONG(port_num, 5);
    WRONG(wq_arr_attr[0].max_num_of_wqs, 1);
    WRONG(wq_arr_attr[0].max_num_of_wqs, 0);
    WRONG(wq_arr_attr[0].max_num_of_wqs, 8193);
    WRONG(wq_arr_attr[0].max_num_of_wqes_in_wq, 0);
    WRONG(wq_arr_attr[0].max_num_of_wqes_in_wq, 8);
    WRONG(wq_arr_attr[0].max_num_of_wqes_in_wq, 100);
    WRONG(wq_arr_attr[0].max_num_of_wqes_in_wq, 65536);
    WRONG(wq_arr_attr[0].mem_id, 0);
    WRONG(wq_arr_attr[0].mem_id, 3);
    WRONG(wq_arr_attr[0].swq_granularity, 2);
    WRONG(qp_wq_bp_offs[3], 0x100); /* only for advanced ports */
#undef WRONG
    OK(device_sim_port_state(0, 1, IBV_PORT_DOWN));
    attr = port_attr(1, &usual);
    REFUSED(ENODEV, hbldv_set_port_ex(c.ctx, &attr));
    OK(device_sim_port_state(0, 1, IBV_PORT_ACTIVE));
    OK(device_sim_fault(0, DEVICE_SIM_FAULT_PORT_BUSY, 0, 1));
    REFUSED(EAGAIN, hbldv_set_port_ex(c.ctx, &attr));
    OK(hbldv_set_port_ex(c.ctx, &attr));
    REFUSED(EPERM, hbldv_set_port_ex(c.ctx, &attr));
    OK(hbldv_query_port(c.ctx, 1, &port));
    EQ(port.max_num_of_qps, 8192);
    EQ(port.max_num_of_cqs, 14);
    EQ(port.max_num_of_usr_fifos, 30);
    EQ(port.max_num_of_encaps, 2);
    EQ(port.max_cq_size, 8192 * 16);
    EQ(port.advanced, 0);
    attr = port_attr(2, &usual);
    attr.qp_wq_bp_offs[3] = 0x100;
    attr.caps = HBLDV_PORT_CAP_ADVANCED;
    OK(hbldv_set_port_ex(c.ctx, &attr));
    OK(hbldv_query_port(c.ctx, 2, &port));
    EQ(port.advanced, 1);
    EQ(port.nic_macro_idx, 0);
    EQ(port.nic_phys_port_idx, 1);
    close_card(&c);
}

static void fifos(void)
{
    struct card c = open_card(0, NULL);
    struct hbldv_usr_fifo_attr attr = {.port_num = 1};
    struct hbldv_usr_fifo *all[30], *f;
    char *first = c.fifo[1]->regs_cpu_addr;

    for (unsigned i = 2; i <= 30; i++) {
        all[i - 1] = SOME(hbldv_create_usr_fifo(c.ctx, &attr));
        EQ(all[i - 1]->usr_fifo_num, i);
        EQ(all[i - 1]->regs_offset, i % 2 ? 0 : 0x80);
        CHECK(all[i - 1]->regs_cpu_addr != first);
    }
    NONE(ENOSPC, hbldv_create_usr_fifo(c.ctx, &attr));
    OK(hbldv_destroy_usr_fifo(all[16]));
    attr.usr_fifo_num_hint = 17;
    all[16] = SOME(hbldv_create_usr_fifo(c.ctx, &attr));
    EQ(all[16]->usr_fifo_num, 17);
    NONE(EBUSY, hbldv_create_usr_fifo(c.ctx, &attr));
    attr.usr_fifo_num_hint = 31;
    NONE(EINVAL, hbldv_create_usr_fifo(c.ctx, &attr));
    attr = (struct hbldv_usr_fifo_attr){.port_num = 2, .usr_fifo_type = 2};
    NONE(EOPNOTSUPP, hbldv_create_usr_fifo(c.ctx, &attr));
    attr.usr_fifo_type = HBLDV_USR_FIFO_TYPE_CC;
    f = SOME(hbldv_create_usr_fifo(c.ctx, &attr));
    EQ(f->usr_fifo_num, 2);
    OK(hbldv_destroy_usr_fifo(f));
    for (unsigned i = 2; i <= 30; i++)
        OK(hbldv_destroy_usr_fifo(all[i - 1]));
    close_card(&c);
}

static void cqs(void)
{
    struct card c = open_card(0, &(struct hbl_making){.ports = 2});
    struct hbldv_cq_attr attr = {.port_num = 1};
    struct hbldv_query_cq_attr q;
    struct ibv_cq *all[16];

    for (unsigned i = 3; i <= 15; i++) {
        all[i] = SOME(hbldv_create_cq(c.ctx, (int)(1u << (i - 2)), NULL, 0, &attr));
        OK(hbldv_query_cq(all[i], &q));
        EQ(q.cq_num, i);
        EQ(q.regs_offset, i % 2 ? 0x180 : 0x100);
        EQ(all[i]->cqe, i < 4 ? 4 : 1 << (i - 2));
        CHECK(q.ibvcq == all[i]);
    }
    NONE(ENOSPC, hbldv_create_cq(c.ctx, 4, NULL, 0, &attr));
    for (unsigned i = 3; i <= 15; i++)
        OK(ibv_destroy_cq(all[i]));
    NONE(EINVAL, hbldv_create_cq(c.ctx, 8193, NULL, 0, &attr));
    attr.cq_type = HBLDV_CQ_TYPE_CC; /* wants an advanced port */
    NONE(EINVAL, hbldv_create_cq(c.ctx, 4, NULL, 0, &attr));
    set_up(&c, 2, &(struct hbl_making){.advanced = true});
    attr.port_num = 2;
    all[0] = SOME(hbldv_create_cq(c.ctx, 4, NULL, 0, &attr));
    OK(hbldv_query_cq(all[0], &q));
    CHECK(!q.regs_cpu_addr);
    OK(ibv_destroy_cq(all[0]));
    close_card(&c);
}

static void encapsulations(void)
{
    struct card c = open_card(0, NULL);
    static uint32_t header[9];
    struct hbldv_encap_attr attr = {.tnl_hdr_ptr = (uintptr_t)header, .tnl_hdr_size = 32, .port_num = 4, .encap_type = 2};
    struct hbldv_encap *e[2];

    e[0] = SOME(hbldv_create_encap(c.ctx, &attr));
    e[1] = SOME(hbldv_create_encap(c.ctx, &attr));
    EQ(e[0]->encap_num, 0);
    EQ(e[1]->encap_num, 1);
    NONE(ENOSPC, hbldv_create_encap(c.ctx, &attr));
    OK(hbldv_destroy_encap(e[0]));
    attr.tnl_hdr_size = 36;
    NONE(EINVAL, hbldv_create_encap(c.ctx, &attr));
    attr.tnl_hdr_size = 30;
    NONE(EINVAL, hbldv_create_encap(c.ctx, &attr));
    attr.tnl_hdr_size = 4;
    attr.encap_type = 3;
    NONE(EINVAL, hbldv_create_encap(c.ctx, &attr));
    attr.encap_type = 1;
    attr.port_num = 1; /* wired to another device */
    NONE(EINVAL, hbldv_create_encap(c.ctx, &attr));
    NONE(EINVAL, hbldv_create_encap(c.ctx, NULL));
    OK(hbldv_destroy_encap(e[1]));
    close_card(&c);
}

static void is_reset(struct line *l)
{
    struct ibv_qp_init_attr init;
    struct ibv_qp_attr attr;

    OK(ibv_query_qp(l->qp, &attr, IBV_QP_STATE, &init));
    EQ(attr.qp_state, IBV_QPS_RESET);
}

static void init_refused(struct line *l, struct hbldv_qp_attr attr)
{
    REFUSED(EINVAL, to_init_hbl(l, &attr));
    is_reset(l);
}

static void rtr_refused(struct line *l, uint64_t caps, uint32_t encap, int error)
{
    union ibv_gid gid = gid_of(l->card, l->port);
    struct ibv_qp_attr a = {
        .qp_state = IBV_QPS_RTR, .path_mtu = HBLDV_MTU_8192, .dest_qp_num = 1, .max_dest_rd_atomic = 1,
        .ah_attr = {.port_num = (uint8_t)l->port, .is_global = 1, .grh = {.dgid = gid}},
    };
    struct hbldv_qp_attr h = {.caps = caps, .encap_num = (uint8_t)encap};

    OK(to_init_hbl(l, NULL));
    REFUSED(error, hbldv_modify_qp(l->qp, &a, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
        IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER, &h));
    if (error)
        is_reset(l);
}

static void rts_refused(struct line *l, struct hbldv_qp_attr h, int error)
{
    struct ibv_qp_attr a = {.qp_state = IBV_QPS_RTS, .timeout = 13, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};

    rtr_refused(l, 0, 0, 0);
    REFUSED(error, hbldv_modify_qp(l->qp, &a, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
        IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC, &h));
    if (error)
        is_reset(l);
}

static void states(void)
{
    struct card c = open_card(0, &(struct hbl_making){.ports = 0x16}); /* not 3 */
    struct line l = make_line(&c, 1, 16), big = make_line(&c, 1, 2048), odd = make_line(&c, 1, 24), none = make_line(&c, 1, 16);
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};
    struct ibv_qp_init_attr halves = {
        .qp_type = IBV_QPT_RC, .cap = {.max_send_wr = 16, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
    };

    none.port = 3;
    REFUSED(EPERM, to_init_hbl(&none, NULL));
    is_reset(&none);
    none.port = 2; /* its completion queues are another port's */
    init_refused(&none, (struct hbldv_qp_attr){.wq_type = HBLDV_WQ_WRITE});
    halves.send_cq = c.cq[1]; /* and the other one is not */
    halves.recv_cq = c.cq[2];
    OK(ibv_destroy_qp(none.qp));
    none = (struct line){.card = &c, .port = 1, .size = 16, .qp = SOME(ibv_create_qp(c.pd, &halves))};
    init_refused(&none, (struct hbldv_qp_attr){.wq_type = HBLDV_WQ_WRITE});
    init_refused(&l, (struct hbldv_qp_attr){.wq_type = 0});
    init_refused(&l, (struct hbldv_qp_attr){.wq_type = 3});
    init_refused(&l, (struct hbldv_qp_attr){.wq_type = HBLDV_WQ_SEND_RDV}); /* wants an advanced port */
    init_refused(&l, (struct hbldv_qp_attr){.wq_type = HBLDV_WQ_WRITE, .wq_granularity = HBLDV_SWQE_GRAN_64B});
    init_refused(&l, (struct hbldv_qp_attr){.wq_type = HBLDV_WQ_WRITE, .caps = HBLDV_QP_CAP_ENCAP << 20, .wq_granularity = 2});
    rtr_refused(&l, 0, 1, EINVAL);
    rtr_refused(&l, HBLDV_QP_CAP_ENCAP, 1, EINVAL);
    rts_refused(&l, (struct hbldv_qp_attr){.priority = 0}, EINVAL);
    rts_refused(&l, (struct hbldv_qp_attr){.priority = 4}, EINVAL);
    rts_refused(&l, (struct hbldv_qp_attr){.priority = 1, .dest_wq_size = 24}, EINVAL);
    rts_refused(&l, (struct hbldv_qp_attr){.priority = 1, .caps = HBLDV_QP_CAP_CONG_CTRL}, EINVAL);
    rts_refused(&big, (struct hbldv_qp_attr){.priority = 1}, EINVAL);
    rts_refused(&odd, (struct hbldv_qp_attr){.priority = 1}, EINVAL);
    rts_refused(&l, (struct hbldv_qp_attr){.priority = 3, .dest_wq_size = 64}, 0);
    attr.qp_state = IBV_QPS_ERR; /* only by hbldv */
    REFUSED(EINVAL, (errno = ibv_modify_qp(l.qp, &attr, IBV_QP_STATE)));
    attr.qp_state = IBV_QPS_SQD;
    REFUSED(EINVAL, hbldv_modify_qp(l.qp, &attr, IBV_QP_STATE, &(struct hbldv_qp_attr){0}));
    attr.qp_state = IBV_QPS_ERR;
    OK(hbldv_modify_qp(l.qp, &attr, IBV_QP_STATE, &(struct hbldv_qp_attr){0}));
    destroy_line(&l);
    destroy_line(&big);
    destroy_line(&odd);
    destroy_line(&none);
    close_card(&c);
}

/* The peer's ring is four times as long at least. */
static void rendezvous(void)
{
    static const struct {
        uint32_t size;
        int error;
    } peers[] = {{0, EINVAL}, {32, EINVAL}, {64, 0}};
    struct card c = open_card(0, &(struct hbl_making){.advanced = true});
    struct ibv_qp_attr a = {.qp_state = IBV_QPS_RTS, .timeout = 13, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};

    for (unsigned i = 0; i < sizeof peers / sizeof *peers; i++) {
        struct line l = make_line(&c, 1, 16);
        union ibv_gid gid = gid_of(&c, 1);

        OK(to_init_hbl(&l, &(struct hbldv_qp_attr){.wq_type = HBLDV_WQ_SEND_RDV}));
        OK(to_rtr_hbl(&l, 1, &gid, &(struct joining){0}));
        REFUSED(peers[i].error, hbldv_modify_qp(l.qp, &a, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
            IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC,
            &(struct hbldv_qp_attr){.priority = 1, .dest_wq_size = peers[i].size}));
        destroy_line(&l);
    }
    close_card(&c);
}

/* So many as there are rings, but for the one that is Ethernet's. */
static void numbers(void)
{
    struct card c = open_card(0, &(struct hbl_making){.wqs = 5});
    struct line l[5];

    for (unsigned i = 0; i < 5; i++) {
        l[i] = make_line(&c, 1, 16);
        if (i < 4) {
            OK(to_init_hbl(&l[i], NULL));
            EQ(l[i].at.qp_num, i + 1);
        }
    }
    REFUSED(ENOSPC, to_init_hbl(&l[4], NULL));
    destroy_line(&l[1]);
    OK(to_init_hbl(&l[4], NULL));
    EQ(l[4].at.qp_num, 2);
    for (unsigned i = 0; i < 5; i++)
        if (i != 1)
            destroy_line(&l[i]);
    close_card(&c);
}

/* Rings in the device's memory are not for the process. */
static void device_memory(void)
{
    struct card c = open_card(0, &(struct hbl_making){.memory = HBLDV_MEM_DEVICE});
    struct line l = make_line(&c, 1, 16);

    rts_refused(&l, (struct hbldv_qp_attr){.priority = 1}, 0);
    OK(hbldv_query_qp(l.qp, &l.at));
    CHECK(l.at.qp_num && !l.at.swq_cpu_addr && !l.at.rwq_cpu_addr);
    destroy_line(&l);
    close_card(&c);
}

static void memory(void)
{
    int accel = open_accel(0);
    uint64_t request[5] = {0}, a, b;
    static uint8_t buf[3 * 4096];

    a = SOME(map_memory(accel, buf + 5, 100));
    EQ(a % 4096, (uintptr_t)(buf + 5) % 4096);
    b = SOME(map_memory(accel, buf + 5, 100));
    CHECK(a != b && a != (uintptr_t)(buf + 5));
    NONE(EFAULT, map_memory(accel, (void *)16, 100));
    NONE(EINVAL, map_memory(accel, buf, 0));
    OK(unmap_memory(accel, a));
    EQ(unmap_memory(accel, a), -1);
    EQ(errno, EINVAL);
    request[0] = 100000; /* memory of the device's own */
    OK(ioctl(accel, 0xc0286444ul, request));
    request[1] = request[0];
    request[0] = 0;
    request[3] = 2;
    OK(ioctl(accel, 0xc0286444ul, request));
    CHECK(request[0] != 0);
    EQ(ioctl(accel, 0x1234), -1);
    EQ(errno, ENOTTY);
    OK(close(accel));
}

/* Two devices that are wired, one that is not since its partner is missing; external ports have a table of GIDs. */
static void ports(void)
{
    struct card c = open_card(2, &(struct hbl_making){.ports = 1 << 2});
    struct ibv_port_attr attr;
    union ibv_gid gid;

    OK(ibv_query_port(c.ctx, 1, &attr)); /* its partner were device 3 */
    EQ(attr.state, IBV_PORT_DOWN);
    EQ(attr.gid_tbl_len, 1);
    OK(ibv_query_port(c.ctx, 2, &attr)); /* to device 0 */
    EQ(attr.state, IBV_PORT_ACTIVE);
    OK(ibv_query_gid(c.ctx, 2, 0, &gid));
    EQ(gid.global.interface_id, UINT64_MAX);
    EQ(gid.global.subnet_prefix, UINT64_MAX);
    OK(ibv_query_port(c.ctx, 4, &attr));
    EQ(attr.gid_tbl_len, 4);
    EQ(attr.link_layer, IBV_LINK_LAYER_ETHERNET);
    OK(ibv_query_gid(c.ctx, 4, 3, &gid));
    EQ(gid.raw[10], 0xff);
    close_card(&c);
}

/* Port 2 leads from device 2 to device 0, port 1 from device 0 to device 1. */
static void wires(void)
{
    for (uint32_t port = 1; port <= 2; port++) {
        const struct hbl_making how = {.ports = 1u << port};
        struct card one = open_card(0, &how), other = open_card((int)port, &how);
        struct line a = make_line(&one, port, 16), b = make_line(&other, port, 16);

        join(&a, &b, NULL);
        memset(one.buf, (int)port, 8);
        put_write(&a, &(struct write){.from = one.dva, .to = other.dva, .size = 8, .tag = port});
        announce_lines(&a);
        done(&a, port, 8);
        EQ(other.buf[7], port);
        destroy_line(&a);
        destroy_line(&b);
        close_card(&one);
        close_card(&other);
    }
}

static const struct test_case cases[] = {
    {"opening", opening}, {"default-context", default_context}, {"plain-open", plain_open},
    {"what-it-has-not", what_it_has_not}, {"setting-up", setting_up}, {"fifos", fifos}, {"cqs", cqs},
    {"encapsulations", encapsulations}, {"states", states}, {"rendezvous", rendezvous}, {"numbers", numbers}, {"device-memory", device_memory},
    {"memory", memory}, {"ports", ports}, {"wires", wires}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("hbl_refusals", cases, argc, argv);
}
