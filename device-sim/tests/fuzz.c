/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Garbage: in descriptors, doorbell records, registers and commands. The simulator may complain, and must not fall. */
#include "kit.h"

#include <sys/ioctl.h>
#include <infiniband/mlx5dv.h>
#include <rdma/rdma_user_ioctl_cmds.h>

static uint32_t state;

static uint32_t any(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % below;
}

static void clear(struct ibv_cq *cq)
{
    struct ibv_wc wc[16];

    while (ibv_poll_cq(cq, 16, wc) > 0)
        ;
}

static void again(struct pair *p)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};

    OK(ibv_modify_qp(p->a.qp, &attr, IBV_QP_STATE));
    OK(ibv_modify_qp(p->b.qp, &attr, IBV_QP_STATE));
    connect_pair(p);
}

/* Something right of any kind, by the library; then a few bytes of it are changed before the doorbell is seen. */
static void descriptors_of(enum ibv_qp_type type, unsigned rounds)
{
    struct pair *p = make_pair(&(struct making){.type = type, .sge = 8, .inline_data = 200});
    struct mlx5dv_qp dv = {0};
    struct mlx5dv_obj obj = {.qp = {.in = p->a.qp, .out = &dv}};
    static const enum ibv_wr_opcode opcodes[] = {IBV_WR_RDMA_WRITE, IBV_WR_RDMA_WRITE_WITH_IMM, IBV_WR_SEND,
        IBV_WR_SEND_WITH_IMM,
        IBV_WR_SEND_WITH_INV, IBV_WR_RDMA_READ, IBV_WR_ATOMIC_CMP_AND_SWP, IBV_WR_ATOMIC_FETCH_AND_ADD,
        IBV_WR_LOCAL_INV};
    struct ibv_ah_attr to_self = {.port_num = 1, .is_global = 1, .grh = {.sgid_index = 1}};
    struct ibv_ah *ah;

    OK(ibv_query_gid(p->ctx, 1, 1, &to_self.grh.dgid));
    ah = SOME(ibv_create_ah(p->pd, &to_self));
    OK(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
    for (unsigned round = 0; round < rounds; round++) {
        struct ibv_sge sge[8], to = piece(&p->b, any(1000), any(2000) + 1);
        unsigned kinds = sizeof opcodes / sizeof *opcodes;
        struct ibv_send_wr wr = request(opcodes[any(type == IBV_QPT_RC ? kinds : 4)], round, sge), *first_bad;
        struct ibv_recv_wr rwr = {.sg_list = &to, .num_sge = 1}, *bad_recv;
        struct ibv_qp_attr attr;
        struct ibv_qp_init_attr init;
        uint8_t *ring = dv.sq.buf;

        wr.num_sge = wr.opcode == IBV_WR_LOCAL_INV ? 0 : 1 + (int)any(8);
        if (wr.opcode == IBV_WR_ATOMIC_CMP_AND_SWP || wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD)
            wr.num_sge = 1;
        if (type == IBV_QPT_UD)
            wr.opcode = IBV_WR_SEND;
        for (int i = 0; i < wr.num_sge; i++)
            sge[i] = piece(&p->a, any(5000), 8 + any(17));
        to_remote(&wr, &p->b, any(1000) & ~7u);
        if (type == IBV_QPT_UD) {
            wr.wr.ud.ah = ah;
            wr.wr.ud.remote_qpn = p->b.qp->qp_num;
            wr.wr.ud.remote_qkey = 0x11111111;
        }
        if (any(4) == 0 && wr.opcode <= IBV_WR_SEND_WITH_IMM)
            wr.send_flags |= IBV_SEND_INLINE;
        ibv_post_recv(p->b.qp, &rwr, &bad_recv);
        if (!ibv_post_send(p->a.qp, &wr, &first_bad)) {
            uint32_t posted = be32toh(dv.dbrec[MLX5_SND_DBR]);

            for (unsigned n = any(4); n > 0; n--)
                ring[((posted - 1 - any(2)) * 64 + any(64)) & (dv.sq.wqe_cnt * 64 - 1)] = (uint8_t)any(256);
            if (any(20) == 0)
                dv.dbrec[any(2)] ^= htobe32(1u << any(32));
            if (any(20) == 0)
                ((uint64_t *)dv.bf.reg)[any(2) * 32] = (uint64_t)any(UINT32_MAX) << 32 | any(UINT32_MAX);
        }
        device_sim_pump(200);
        clear(p->a.cq);
        clear(p->b.cq);
        OK(ibv_query_qp(p->a.qp, &attr, IBV_QP_STATE, &init));
        if (attr.qp_state != IBV_QPS_RTS || any(10) == 0) {
            again(p);
            continue;
        }
        OK(ibv_query_qp(p->b.qp, &attr, IBV_QP_STATE, &init));
        if (attr.qp_state != IBV_QPS_RTS)
            again(p);
    }
    CHECK(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS) > rounds / 10);
    OK(ibv_destroy_ah(ah));
    free_pair(p);
}

static void descriptors(void)
{
    state = 1;
    descriptors_of(IBV_QPT_RC, 20000);
    descriptors_of(IBV_QPT_UC, 5000);
    descriptors_of(IBV_QPT_UD, 10000);
}

/* What the library keeps of these objects is lost with them; the name is for tests/leaks.txt. */
static __attribute__((noinline)) struct pair *abandoned(void)
{
    return make_pair(NULL);
}

/* Every object and method, with attributes of any length; small numbers, so that some are handles of something. */
static void commands(void)
{
    struct pair *p = abandoned();
    static uint8_t room[64][256];

    state = 7;
    for (unsigned round = 0; round < 200000; round++) {
        struct {
            struct ib_uverbs_ioctl_hdr hdr;
            struct ib_uverbs_attr attr[16];
        } c = {.hdr = {.driver_id = 1}};
        unsigned n = any(16);

        c.hdr.object_id = (uint16_t)(any(4) ? any(17) : 0x1000 + any(12));
        c.hdr.method_id = (uint16_t)(any(4) ? any(8) : 0x1000 + any(5));
        if (c.hdr.object_id == 1 + 6 || (c.hdr.object_id == 0 && c.hdr.method_id == 0))
            c.hdr.method_id = 0;
        c.hdr.num_attrs = (uint16_t)n;
        c.hdr.length = (uint16_t)(sizeof c.hdr + n * sizeof c.attr[0]);
        for (unsigned i = 0; i < n; i++) {
            c.attr[i].attr_id = (uint16_t)(any(4) ? i : 0x1000 + any(4));
            c.attr[i].flags = (uint16_t)any(2);
            c.attr[i].len = (uint16_t)(any(3) ? 9 + any(240) : 0);
            for (unsigned b = 0; b < 256; b += 4) {
                uint32_t value = any(3) ? any(12) : any(UINT32_MAX);

                memcpy(room[i] + b, &value, 4);
            }
            c.attr[i].data = c.attr[i].len ? (uintptr_t)room[i] : any(64);
        }
        /* attribute 2 of INVOKE_WRITE is the command, and travels in the attribute */
        if (!c.hdr.object_id && !c.hdr.method_id && n > 2) {
            c.attr[2].attr_id = 2;
            c.attr[2].len = 4;
            c.attr[2].data = any(41) | (any(3) ? 0 : 0x80000000u);
        }
        ioctl(p->ctx->cmd_fd, RDMA_VERBS_IOCTL, &c.hdr);
        device_sim_pump(3);
    }
    /* whatever was destroyed in there, the context can be closed */
    OK(ibv_close_device(p->ctx));
    p->ctx = NULL;
    p->pd = NULL;
    p->a.qp = p->b.qp = NULL;
    p->a.cq = p->b.cq = NULL;
    p->a.mr = p->b.mr = NULL;
    free_pair(p);
}

/* Commands of DevX: a number that is one, anything behind it, to objects of any kind, which come and go meanwhile. */
static void mailboxes(void)
{
    struct ibv_context *ctx = open_nth(0);
    static const uint16_t numbers[] = {0x100, 0x10a, 0x80d, 0x842, 0x200, 0x201, 0x400, 0x402, 0x403, 0x800, 0x816, 0x80e,
        0x771, 0x773, 0x939, 0x93b, 0x912, 0x913, 0x915, 0xa00, 0xa01, 0xa02, 0x50b, 0x507, 0x505, 0x707, 0x90f};
    static const uint16_t lengths[] = {16, 32, 80, 192, 272, 16, 16, 80, 300, 12};
    struct mlx5dv_devx_obj *objects[16] = {0};
    struct mlx5dv_devx_cmd_comp *comp = SOME(mlx5dv_devx_create_cmd_comp(ctx));
    static uint32_t in[128], out[1024];

    state = 3;
    for (unsigned round = 0; round < 200000; round++) {
        size_t length = lengths[any(10)], room = 16 << any(8);
        unsigned i = any(16);

        memset(in, 0, sizeof in);
        in[0] = htobe32((uint32_t)numbers[any(sizeof numbers / sizeof *numbers)] << 16);
        for (unsigned n = any(6); n; n--)
            in[1 + any(70)] = htobe32(any(3) ? any(300) : any(UINT32_MAX));
        if (!objects[i])
            objects[i] = mlx5dv_devx_obj_create(ctx, in, length, out, room);
        else if (any(8) == 0 && !mlx5dv_devx_obj_destroy(objects[i]))
            objects[i] = NULL;
        else if (any(3) == 0)
            mlx5dv_devx_obj_modify(objects[i], in, length, out, room);
        else if (any(3) == 0)
            mlx5dv_devx_obj_query_async(objects[i], in, length, room, round, comp);
        else
            mlx5dv_devx_obj_query(objects[i], in, length, out, room);
        mlx5dv_devx_general_cmd(ctx, in, length, out, room);
        device_sim_pump((int)any(2));
    }
    CHECK(device_sim_count(DEVICE_SIM_COUNT_COMMAND_ERRORS) > 1000);
    for (unsigned i = 0; i < 32; i++) /* those that another one uses are free after it */
        if (objects[i % 16] && !mlx5dv_devx_obj_destroy(objects[i % 16]))
            objects[i % 16] = NULL;
    mlx5dv_devx_destroy_cmd_comp(comp);
    OK(ibv_close_device(ctx));
}

static const struct test_case cases[] = {{"descriptors", descriptors}, {"commands", commands}, {"mailboxes", mailboxes},
    {0}};

int main(int argc, char **argv)
{
    return run_cases("fuzz", cases, argc, argv);
}
