/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands of Ethernet by hand: the forms that libibverbs takes only where the kernel has no newer ones, and each of them with
 * one thing wrong.
 */
#include "eth_kit.h"

#include <endian.h>
#include <sys/ioctl.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/rdma_user_ioctl_cmds.h>

#define EXTENDED 0x80000000u /* of the numbers of commands */

static uint8_t frame[2000];

/* Up to eight bytes travel in the attribute itself. */
static struct ib_uverbs_attr given(uint16_t id, const void *at, size_t size)
{
    struct ib_uverbs_attr a = {.attr_id = id, .len = (uint16_t)size, .data = (uintptr_t)at};

    if (size && size <= sizeof a.data)
        memcpy(&a.data, at, size);
    return a;
}

/* 0 or the errno. */
static int command(struct ibv_context *ctx, uint32_t which, const void *in, size_t in_size, void *out, size_t out_size,
    const void *own, size_t own_size)
{
    struct {
        struct ib_uverbs_ioctl_hdr h;
        struct ib_uverbs_attr a[4];
    } c = {.h = {.length = sizeof c, .object_id = UVERBS_OBJECT_DEVICE, .method_id = UVERBS_METHOD_INVOKE_WRITE,
        .num_attrs = 4, .driver_id = RDMA_DRIVER_MLX5}};

    c.a[0] = given(UVERBS_ATTR_CORE_IN, in, in_size);
    c.a[1] = (struct ib_uverbs_attr){.attr_id = UVERBS_ATTR_CORE_OUT, .len = (uint16_t)out_size,
        .data = (uintptr_t)out};
    c.a[2] = (struct ib_uverbs_attr){.attr_id = UVERBS_ATTR_WRITE_CMD, .len = 8, .data = EXTENDED | which};
    c.a[3] = given(UVERBS_ATTR_UHW_IN, own, own_size);
    return ioctl(ctx->cmd_fd, RDMA_VERBS_IOCTL, &c) ? errno : 0;
}

/* -- work queues ------------------------------------------------------------------------------- */

struct world {
    struct end *a, *b;
    struct ibv_cq *cq;
    uint8_t *ring;
    uint32_t *record;
};

#define SHIFT 5

static struct world open_world(void)
{
    struct world w = {.a = open_end(NULL), .b = open_end(&(struct end_how){.device = 1, .receives = -1})};

    w.cq = SOME(ibv_create_cq(w.b->ctx, 15, NULL, NULL, 0));
    w.ring = SOME(aligned_alloc(4096, 4096));
    w.record = SOME(aligned_alloc(64, 64));
    memset(w.ring, 0, 4096);
    memset(w.record, 0, 64);
    return w;
}

static void close_world(struct world *w)
{
    OK(ibv_destroy_cq(w->cq));
    close_end(w->a);
    close_end(w->b);
    free(w->ring);
    free(w->record);
}

struct wq_command {
    struct ib_uverbs_ex_create_wq in;
    struct mlx5_ib_create_wq own;
};

static struct wq_command wq_of(struct world *w)
{
    return (struct wq_command){
        .in = {.wq_type = IBV_WQT_RQ, .pd_handle = w->b->pd->handle, .cq_handle = w->cq->handle, .max_wr = 8,
            .max_sge = 2},
        .own = {.buf_addr = (uintptr_t)w->ring, .db_addr = (uintptr_t)w->record, .rq_wqe_count = 8,
        .rq_wqe_shift = SHIFT,
            .user_index = 0xabcdef},
    };
}

static int create_wq(struct world *w, const struct wq_command *c, struct ib_uverbs_ex_create_wq_resp *r)
{
    return command(w->b->ctx, IB_USER_VERBS_EX_CMD_CREATE_WQ, &c->in, sizeof c->in, r, sizeof *r, &c->own,
        sizeof c->own);
}

static int modify_wq(struct world *w, uint32_t handle, uint32_t mask, uint32_t state)
{
    /* from ready, where the mask has that: which none is here */
    struct ib_uverbs_ex_modify_wq in = {.attr_mask = mask, .wq_handle = handle, .wq_state = state,
        .curr_wq_state = IBV_WQS_RDY};

    return command(w->b->ctx, IB_USER_VERBS_EX_CMD_MODIFY_WQ, &in, sizeof in, NULL, 0, NULL, 0);
}

static int destroy_wq(struct world *w, uint32_t handle, uint32_t mask)
{
    struct ib_uverbs_ex_destroy_wq in = {.comp_mask = mask, .wq_handle = handle};
    struct ib_uverbs_ex_destroy_wq_resp r = {.events_reported = 77};
    int error = command(w->b->ctx, IB_USER_VERBS_EX_CMD_DESTROY_WQ, &in, sizeof in, &r, sizeof r, NULL, 0);

    if (!error)
        EQ(r.events_reported, 0);
    return error;
}

static int create_table(struct world *w, uint32_t mask, uint32_t log_size, uint32_t handle, size_t size, uint32_t *made)
{
    struct {
        struct ib_uverbs_ex_create_rwq_ind_table head;
        uint32_t wq[4];
    } in = {{.comp_mask = mask, .log_ind_tbl_size = log_size}, {handle, handle, handle, handle}};
    struct ib_uverbs_ex_create_rwq_ind_table_resp r = {0};
    int error = command(w->b->ctx, IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL, &in, size, &r, sizeof r, NULL, 0);

    if (!error) {
        CHECK(r.ind_tbl_num && r.response_length == sizeof r);
        *made = r.ind_tbl_handle;
    }
    return error;
}

static int destroy_table(struct world *w, uint32_t handle, uint32_t mask)
{
    struct ib_uverbs_ex_destroy_rwq_ind_table in = {.comp_mask = mask, .ind_tbl_handle = handle};

    return command(w->b->ctx, IB_USER_VERBS_EX_CMD_DESTROY_RWQ_IND_TBL, &in, sizeof in, NULL, 0, NULL, 0);
}

static int create_flow(struct world *w, const void *in, size_t size, const void *own, size_t own_size, uint32_t *made)
{
    struct ib_uverbs_create_flow_resp r = {0};
    int error = command(w->b->ctx, IB_USER_VERBS_EX_CMD_CREATE_FLOW, in, size, &r, sizeof r, own, own_size);

    *made = r.flow_handle;
    return error;
}

static int destroy_flow(struct world *w, uint32_t handle, uint32_t mask)
{
    struct ib_uverbs_destroy_flow in = {.comp_mask = mask, .flow_handle = handle};

    return command(w->b->ctx, IB_USER_VERBS_EX_CMD_DESTROY_FLOW, &in, sizeof in, NULL, 0, NULL, 0);
}

/* From the making of a work queue to a frame in it, and all is destroyed. */
static void old_forms(void)
{
    struct world w = open_world();
    struct wq_command c = wq_of(&w);
    struct ib_uverbs_ex_create_wq_resp r = {0};
    struct ibv_rwq_ind_table table = {.context = w.b->ctx};
    struct ib_uverbs_create_flow all = {.flow_attr = {.type = IBV_FLOW_ATTR_ALL_DEFAULT, .port = 1}};
    struct mlx5_ib_create_flow none = {0};
    uint8_t key[40] = {1};
    struct mlx5dv_cq ring;
    struct mlx5dv_obj obj = {.cq = {.in = w.cq, .out = &ring}};
    struct ibv_qp *qp;
    const uint8_t *e;
    uint32_t flow;
    size_t n;

    EQ(create_wq(&w, &c, &r), 0);
    EQ(r.max_wr, 8);
    EQ(r.max_sge, 2);
    EQ(r.response_length, sizeof r);
    CHECK(r.wqn);
    EQ(create_table(&w, 0, 0, r.wq_handle, 12, (uint32_t *)&table.ind_tbl_handle), 0);
    qp = SOME(ibv_create_qp_ex(w.b->ctx, &(struct ibv_qp_init_attr_ex){.qp_type = IBV_QPT_RAW_PACKET, .pd = w.b->pd,
        .rwq_ind_tbl = &table, .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_IND_TABLE | IBV_QP_INIT_ATTR_RX_HASH,
        .rx_hash_conf = {IBV_RX_HASH_FUNC_TOEPLITZ, 40, key, 0}}));
    all.qp_handle = qp->handle;
    EQ(create_flow(&w, &all, sizeof all, &none, sizeof none, &flow), 0);
    EQ(modify_wq(&w, r.wq_handle, IBV_WQ_ATTR_STATE, IBV_WQS_RDY), 0);
    mlx5dv_set_data_seg((void *)w.ring, 2000, w.b->mr->lkey, (uintptr_t)w.b->buf);
    mlx5dv_set_data_seg((void *)(w.ring + 16), 0, 0x100, 0);
    w.record[0] = htobe32(1);
    n = udp4(frame);
    send_frame(w.a, frame, n, 0);
    device_sim_pump(-1);
    CHECK(!memcmp(w.b->buf, frame, n));
    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ));
    e = (uint8_t *)ring.buf + ring.cqe_size - 64;
    EQ(e[33] << 16 | e[34] << 8 | e[35], 0xabcdef);
    EQ(e[63], MLX5_CQE_RESP_SEND << 4);
    EQ(destroy_wq(&w, r.wq_handle, 0), EBUSY);
    EQ(destroy_table(&w, table.ind_tbl_handle, 0), EBUSY);
    EQ(destroy_flow(&w, flow, 1), EINVAL);
    EQ(destroy_flow(&w, flow, 0), 0);
    EQ(destroy_flow(&w, flow, 0), EINVAL);
    OK(ibv_destroy_qp(qp));
    EQ(destroy_table(&w, table.ind_tbl_handle, 1), EINVAL);
    EQ(destroy_table(&w, table.ind_tbl_handle, 0), 0);
    EQ(destroy_wq(&w, r.wq_handle, 1), EINVAL);
    EQ(destroy_wq(&w, r.wq_handle, 0), 0);
    EQ(destroy_wq(&w, r.wq_handle, 0), EINVAL);
    no_violations();
    close_world(&w);
}

/* Changes one thing, and wants the error. */
#define WRONG_WQ(error, ...) do { \
    struct wq_command c = wq_of(&w); \
    struct ib_uverbs_ex_create_wq_resp r; \
    __VA_ARGS__; \
    EQ(create_wq(&w, &c, &r), error); \
    } while (0)

static void wrong_work_queues(void)
{
    struct world w = open_world();
    struct wq_command right = wq_of(&w);
    struct ib_uverbs_ex_create_wq_resp r;
    uint32_t table;

    WRONG_WQ(EINVAL, c.in.comp_mask = 1);
    WRONG_WQ(EINVAL, c.in.reserved = 1);
    WRONG_WQ(EINVAL, c.in.wq_type = 1);
    WRONG_WQ(EINVAL, c.in.pd_handle = 9999);
    WRONG_WQ(EINVAL, c.in.cq_handle = w.b->pd->handle);
    WRONG_WQ(EINVAL, c.in.max_wr = 0);
    WRONG_WQ(EINVAL, c.in.max_wr = 32769);
    WRONG_WQ(EINVAL, c.in.max_sge = 32);
    WRONG_WQ(EOPNOTSUPP, c.in.create_flags = IBV_WQ_FLAGS_PCI_WRITE_END_PADDING);
    WRONG_WQ(EOPNOTSUPP, c.own.comp_mask = MLX5_IB_CREATE_WQ_STRIDING_RQ);
    WRONG_WQ(EINVAL, c.own.flags = 2);
    WRONG_WQ(EINVAL, c.own.single_stride_log_num_of_bytes = 6);
    WRONG_WQ(EINVAL, c.own.single_wqe_log_num_of_strides = 9);
    WRONG_WQ(EINVAL, c.own.two_byte_shift_en = 1);
    WRONG_WQ(EINVAL, c.own.rq_wqe_count = 0);
    WRONG_WQ(EINVAL, c.own.rq_wqe_count = 12);
    WRONG_WQ(EINVAL, c.own.rq_wqe_shift = 3);
    WRONG_WQ(EINVAL, c.own.rq_wqe_shift = 10);
    WRONG_WQ(EFAULT, c.own.buf_addr = 4096);
    WRONG_WQ(EFAULT, c.own.db_addr = 0);
    WRONG_WQ(EFAULT, c.own.db_addr += 4);
    EQ(create_wq(&w, &right, &r), 0);
    EQ(modify_wq(&w, r.wq_handle, 0, 0), EINVAL);
    EQ(modify_wq(&w, r.wq_handle, 8, 0), EINVAL);
    EQ(modify_wq(&w, r.wq_handle, IBV_WQ_ATTR_STATE, 3), EINVAL);
    EQ(modify_wq(&w, r.wq_handle, IBV_WQ_ATTR_STATE | IBV_WQ_ATTR_CURR_STATE, IBV_WQS_RDY), EINVAL);
    EQ(modify_wq(&w, r.wq_handle + 1000, IBV_WQ_ATTR_STATE, 1), EINVAL);
    EQ(create_table(&w, 1, 0, r.wq_handle, 12, &table), EINVAL);
    EQ(create_table(&w, 0, 2, r.wq_handle, 20, &table), EINVAL); /* four are announced, three are there */
    EQ(create_table(&w, 0, 8, r.wq_handle, 24, &table), EINVAL);
    EQ(create_table(&w, 0, 1, w.cq->handle, 16, &table), EINVAL);
    EQ(destroy_wq(&w, r.wq_handle, 0), 0);
    close_world(&w);
}

/* -- rules ------------------------------------------------------------------------------------- */

struct flow_command {
    struct ib_uverbs_create_flow in;
    struct ib_uverbs_flow_spec_eth eth;
    struct ib_uverbs_flow_spec_action_count count;
};

struct flow_own {
    struct mlx5_ib_create_flow head;
    struct mlx5_ib_flow_counters_data data[2];
};

#define WRONG_FLOW(error, ...) do { \
    struct flow_command c = right; \
    struct flow_own own = right_own; \
    uint32_t made; \
    struct mlx5_ib_flow_counters_desc d[2] = {{IBV_COUNTER_PACKETS, 0}, {IBV_COUNTER_BYTES, 1}}; \
    own.data[0].counters_data = d; \
    __VA_ARGS__; \
    EQ(create_flow(&w, &c, sizeof c, &own, sizeof own, &made), error); \
    flow = made ? made : flow; \
    } while (0)

/* By the method, so that its number is known; it goes with the context. */
static uint32_t make_counters(struct ibv_context *ctx)
{
    struct {
        struct ib_uverbs_ioctl_hdr h;
        struct ib_uverbs_attr a;
    } c = {.h = {.length = sizeof c, .object_id = UVERBS_OBJECT_COUNTERS, .method_id = UVERBS_METHOD_COUNTERS_CREATE,
        .num_attrs = 1, .driver_id = RDMA_DRIVER_MLX5}, .a = {.attr_id = UVERBS_ATTR_CREATE_COUNTERS_HANDLE,
        .flags = UVERBS_ATTR_F_MANDATORY}};

    OK(ioctl(ctx->cmd_fd, RDMA_VERBS_IOCTL, &c));
    return (uint32_t)c.a.data;
}

static void wrong_rules(void)
{
    struct world w = open_world();
    struct flow_command right = {
        .in = {.qp_handle = w.b->qp->handle, .flow_attr = {.port = 1, .num_of_specs = 2,
            .size = sizeof right.eth + sizeof right.count}},
        .eth = {.type = IBV_FLOW_SPEC_ETH, .size = sizeof right.eth, .val.dst_mac = {2}, .mask.dst_mac = {2}},
        .count = {.type = IBV_FLOW_SPEC_ACTION_COUNT, .size = sizeof right.count, .handle = make_counters(w.b->ctx)},
    };
    struct flow_own right_own = {.head.ncounters_data = 1, .data[0].ncounters = 2};
    uint32_t flow = 0;

    WRONG_FLOW(EINVAL, c.in.comp_mask = 1);
    WRONG_FLOW(EINVAL, c.in.qp_handle = w.cq->handle);
    WRONG_FLOW(EINVAL, c.in.flow_attr.reserved[0] = 1);
    WRONG_FLOW(EINVAL, c.in.flow_attr.reserved[1] = 1);
    WRONG_FLOW(EINVAL, c.in.flow_attr.port = 0);
    WRONG_FLOW(EINVAL, c.in.flow_attr.num_of_specs = 1); /* something is left */
    WRONG_FLOW(EINVAL, c.in.flow_attr.num_of_specs = 3);
    WRONG_FLOW(EINVAL, c.in.flow_attr.size += 8); /* more than there is */
    WRONG_FLOW(EINVAL, c.in.flow_attr.size -= 1);
    WRONG_FLOW(EINVAL, c.eth.reserved = 1);
    WRONG_FLOW(EINVAL, c.eth.size = 0);
    WRONG_FLOW(EINVAL, c.eth.size = 41);
    WRONG_FLOW(EOPNOTSUPP, c.eth.type = 0x21);
    WRONG_FLOW(EINVAL, c.count.reserved = 1);
    WRONG_FLOW(EINVAL, c.count.reserved1 = 1);
    WRONG_FLOW(EINVAL, c.count.size = 24);
    WRONG_FLOW(EINVAL, c.count.handle = w.cq->handle);
    WRONG_FLOW(EINVAL, own.head.reserved = 1);
    WRONG_FLOW(EINVAL, own.head.ncounters_data = 2);
    WRONG_FLOW(EINVAL, own.head.ncounters_data = 0); /* nobody has said what is counted */
    WRONG_FLOW(EINVAL, own.data[0].reserved = 1);
    WRONG_FLOW(EINVAL, own.data[0].ncounters = 0);
    WRONG_FLOW(EINVAL, own.data[0].ncounters = 65);
    WRONG_FLOW(EFAULT, own.data[0].counters_data = (void *)16);
    WRONG_FLOW(EINVAL, d[1].description = 2);
    WRONG_FLOW(EINVAL, d[0].index = 64);
    WRONG_FLOW(0, (void)d);
    WRONG_FLOW(EINVAL, c.eth.val.dst_mac[0] = c.eth.mask.dst_mac[0] = 4); /* it was said already */
    EQ(destroy_flow(&w, flow + 1000, 0), EINVAL);
    EQ(destroy_flow(&w, flow, 0), 0);
    close_world(&w);
}

/* A filter of newer headers: what it has more must not be compared. */
static void longer_filters(void)
{
    struct world w = open_world();
    struct {
        struct ib_uverbs_create_flow in;
        uint8_t spec[8 + 2 * 12]; /* of a UDP filter with 4 bytes here */
    } c = {.in = {.qp_handle = w.b->qp->handle, .flow_attr = {.port = 1, .num_of_specs = 1, .size = sizeof c.spec}},
        .spec = {IBV_FLOW_SPEC_UDP, [4] = sizeof c.spec, [8] = 0x56, 0x78, [20] = 0xff, 0xff}};
    struct mlx5_ib_create_flow none = {0};
    uint32_t flow;

    for (int i = 24; i < 32; i++) {
        c.spec[i] = 1;
        EQ(create_flow(&w, &c, sizeof c, &none, sizeof none, &flow), EINVAL);
        c.spec[i] = 0;
    }
    EQ(create_flow(&w, &c, sizeof c, &none, sizeof none, &flow), 0);
    post_slot(w.b, 0, SLOT);
    send_frame(w.a, frame, build(frame, &(struct frame_of){.dport = 0x5679}), 0);
    none_of(w.b);
    send_frame(w.a, frame, udp4(frame), 0);
    wants_frame(w.b, frame, udp4(frame));
    EQ(destroy_flow(&w, flow, 0), 0);
    close_world(&w);
}

/* The device has no table of rates, so it takes none; none at all is what a queue pair has. */
static void no_rates(void)
{
    struct end *e = open_end(&(struct end_how){.unready = true, .receives = -1});
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR, .rate_limit = 5000};

    OK(ibv_modify_qp(e->qp, &attr, IBV_QP_STATE));
    attr.qp_state = IBV_QPS_RTS;
    EQ(ibv_modify_qp(e->qp, &attr, IBV_QP_STATE | IBV_QP_RATE_LIMIT), EOPNOTSUPP);
    OK(ibv_modify_qp(e->qp, &attr, IBV_QP_STATE));
    close_end(e);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"old-forms", old_forms}, {"wrong-work-queues", wrong_work_queues}, {"wrong-rules", wrong_rules},
        {"longer-filters", longer_filters}, {"no-rates", no_rates}, {0},
    };

    return run_cases("eth_commands", cases, argc, argv);
}
