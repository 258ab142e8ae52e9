/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
#include "builder.h"

/* Inlined into loops with constant opcode and flags, as in a program that is written for one kind of request. */
static inline void build(struct pair *p, struct ibv_qp_ex *qp, const struct ibv_send_wr *wr, int write, unsigned int flags)
{
	const struct ibv_sge *sge = wr->sg_list;

	qp->wr_id = wr->wr_id;
	qp->wr_flags = flags;
	if (write)
		ibv_wr_rdma_write(qp, wr->wr.rdma.rkey, wr->wr.rdma.remote_addr);
	else
		ibv_wr_send(qp);
#ifdef EFA
	ibv_wr_set_ud_addr(qp, p->ah, p->to.qp->qp_num, QKEY);
#else
	(void)p;
#endif
	if (flags & IBV_SEND_INLINE)
		ibv_wr_set_inline_data(qp, (void *)(uintptr_t)sge->addr, sge->length);
	else
		ibv_wr_set_sge(qp, sge->lkey, sge->addr, sge->length);
}

static inline void build_each(struct pair *p, const struct ibv_send_wr *wrs, int write, unsigned int flags)
{
	struct ibv_qp_ex *qp = ibv_qp_to_qp_ex(p->from.qp);

	for (int i = 0; i < OPERATIONS; i++) {
		ibv_wr_start(qp);
		build(p, qp, &wrs[i % BATCH], write, flags);
		p->error |= ibv_wr_complete(qp);
	}
}

void build_writes(struct pair *p)
{
	build_each(p, p->writes, 1, IBV_SEND_SIGNALED);
}

void build_inline_writes(struct pair *p)
{
	build_each(p, p->writes, 1, IBV_SEND_SIGNALED | IBV_SEND_INLINE);
}

void build_sends(struct pair *p)
{
	build_each(p, p->sends, 0, IBV_SEND_SIGNALED);
}

void build_write_list64(struct pair *p)
{
	struct ibv_qp_ex *qp = ibv_qp_to_qp_ex(p->from.qp);

	for (int repeat = 0; repeat < REPEATS; repeat++) {
		ibv_wr_start(qp);
		for (int i = 0; i < BATCH; i++)
			build(p, qp, &p->writes[i], 1, IBV_SEND_SIGNALED);
		p->error |= ibv_wr_complete(qp);
	}
}
