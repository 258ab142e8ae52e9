/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
#include "efa_kit.h"

void start(struct ibv_qp *qp)
{
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = QKEY};

    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY));
    attr.qp_state = IBV_QPS_RTR;
    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE));
    attr.qp_state = IBV_QPS_RTS;
    OK(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN));
}

static struct ibv_qp *make_qp(struct end *e, const struct efa_making *how)
{
    uint32_t wr = how->wr ? how->wr : 16;
    struct ibv_qp_cap cap = {.max_send_wr = wr, .max_recv_wr = wr, .max_send_sge = 2, .max_recv_sge = 2,
        .max_inline_data = how->inline_data ? how->inline_data : 32};
    struct ibv_qp_init_attr init = {.cap = cap, .qp_type = how->ud ? IBV_QPT_UD : IBV_QPT_DRIVER, .sq_sig_all = 1,
        .send_cq = e->cq, .recv_cq = e->cq};
    struct ibv_qp_init_attr_ex ex = {.cap = cap, .qp_type = IBV_QPT_DRIVER, .sq_sig_all = 1, .send_cq = e->cq,
        .recv_cq = e->cq, .pd = e->pd, .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
        .send_ops_flags = how->send_ops};
    struct new_qp_init_attr attr = how->attr;

    if (how->ud)
        return ibv_create_qp(e->pd, &init);
    if (!how->send_ops)
        return efadv_create_driver_qp(e->pd, &init, EFADV_QP_DRIVER_TYPE_SRD);
    return efadv_create_qp_ex(e->ctx, &ex, (void *)&attr, sizeof attr);
}

/* What was made before it turned out that the rest can't be. */
static void __attribute__((noreturn)) give_up(struct end *e, const char *why)
{
    if (e->cq)
        OK(ibv_destroy_cq(e->cq));
    if (e->channel)
        OK(ibv_destroy_comp_channel(e->channel));
    OK(ibv_dealloc_pd(e->pd));
    OK(ibv_close_device(e->ctx));
    skip(why);
}

struct end make_end(const struct efa_making *how)
{
    struct end e = {.ctx = open_nth(0)};
    struct ibv_ah_attr to = {.port_num = 1, .is_global = 1};

    e.pd = SOME(ibv_alloc_pd(e.ctx));
    if (how->channel)
        e.channel = SOME(ibv_create_comp_channel(e.ctx));
    e.cq = ibv_create_cq(e.ctx, 64, NULL, e.channel, 0);
    if (!e.cq && how->channel)
        give_up(&e, "this libefa has no completion channels");
    CHECK(e.cq);
    e.qp = make_qp(&e, how);
    if (!e.qp && how->send_ops && (errno == EINVAL || errno == EOPNOTSUPP))
        give_up(&e, "this libefa has no such queue pairs");
    CHECK(e.qp);
    e.buf = SOME(aligned_alloc(4096, BUFFER));
    memset(e.buf, 0, BUFFER);
    e.mr = SOME(ibv_reg_mr(e.pd, e.buf, BUFFER,
        IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE));
    OK(ibv_query_gid(e.ctx, 1, 0, &to.grh.dgid));
    e.ah = SOME(ibv_create_ah(e.pd, &to));
    start(e.qp);
    return e;
}

struct end make(bool ud, bool channel)
{
    return make_end(&(struct efa_making){.ud = ud, .channel = channel});
}

void destroy(struct end *e)
{
    OK(ibv_destroy_ah(e->ah));
    OK(ibv_destroy_qp(e->qp));
    OK(ibv_destroy_cq(e->cq));
    if (e->channel)
        OK(ibv_destroy_comp_channel(e->channel));
    OK(ibv_dereg_mr(e->mr));
    OK(ibv_dealloc_pd(e->pd));
    OK(ibv_close_device(e->ctx));
    free(e->buf);
}

struct ibv_sge at(struct end *e, size_t offset, uint32_t length)
{
    return (struct ibv_sge){(uintptr_t)(e->buf + offset), length, e->mr->lkey};
}

void put(struct end *from, struct end *to, uint64_t id, struct ibv_sge *sge, int n, int flags)
{
    struct ibv_send_wr wr = request(IBV_WR_SEND_WITH_IMM, id, sge);

    wr.num_sge = n;
    wr.send_flags |= flags;
    wr.imm_data = htobe32((uint32_t)id);
    wr.wr.ud.ah = from->ah;
    wr.wr.ud.remote_qpn = to->qp->qp_num;
    wr.wr.ud.remote_qkey = QKEY;
    post(from->qp, &wr);
}

int one_side(struct end *from, struct end *to, const struct one_sided *r)
{
    struct ibv_qp_ex *qp = ibv_qp_to_qp_ex(from->qp);
    uint32_t rkey = r->rkey ? r->rkey : to->mr->rkey;
    uint64_t there = (uintptr_t)to->buf + r->offset;

    ibv_wr_start(qp);
    qp->wr_id = r->id;
    qp->wr_flags = IBV_SEND_SIGNALED;
    if (r->opcode == IBV_WR_RDMA_READ)
        ibv_wr_rdma_read(qp, rkey, there);
    else if (r->opcode == IBV_WR_RDMA_WRITE)
        ibv_wr_rdma_write(qp, rkey, there);
    else
        ibv_wr_rdma_write_imm(qp, rkey, there, htobe32(r->imm));
    if (r->is_inline)
        ibv_wr_set_inline_data(qp, from->buf, r->length);
    else
        ibv_wr_set_sge(qp, from->mr->lkey, (uintptr_t)from->buf, r->length);
    ibv_wr_set_ud_addr(qp, from->ah, to->qp->qp_num, QKEY);
    return ibv_wr_complete(qp);
}

void rings(struct ibv_qp *qp, struct new_wq_attr *sq, struct new_wq_attr *rq)
{
    int (*query)(struct ibv_qp *, struct new_wq_attr *, struct new_wq_attr *, uint32_t) = dlsym(RTLD_DEFAULT,
        "efadv_query_qp_wqs");

    if (!query)
        skip("this libefa does not tell of its rings");
    OK(query(qp, sq, rq, sizeof *sq));
}

uint8_t *mapped(unsigned long wanted)
{
    return mapped_as(wanted, "-w-s");
}

uint8_t *mapped_as(unsigned long wanted, const char *how)
{
    FILE *maps = SOME(fopen("/proc/self/maps", "r"));
    unsigned long from, to, offset;
    char line[300], may[8];
    void *found = NULL;

    while (fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s %lx", &from, &to, may, &offset) == 4 && (!strcmp(may, how) || !strcmp(may, "---s")) &&
            offset == wanted && strstr(line, "device-sim-efa"))
            found = (void *)from;
    fclose(maps);
    return SOME(found);
}
