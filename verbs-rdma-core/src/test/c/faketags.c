/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
 *
 * Beside fakeverbs.c: shared receive queues that match tags, and options of connections, as the man pages have them. Each operation on a
 * list writes a line. The completions of a queue are always the same, and begin again when all have been read.
 * FAKE_WITHOUT_TAGS is a device that matches none. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POST_SRQ_OPS = -176, CREATE_CQ_EX = -120, QUERY_DEVICE_EX = -104, CREATE_SRQ_EX = -40, CREATE_QP_EX = -56 };

static const struct {
	int status;
	int opcode;
	unsigned flags;
	uint64_t wr_id;
	uint32_t bytes;
} completions[] = {
	{ 0, IBV_WC_TM_ADD, IBV_WC_TM_SYNC_REQ, 99, 0 },
	{ 0, IBV_WC_TM_RECV, IBV_WC_TM_MATCH, 7, 0 },
	{ 0, IBV_WC_TM_RECV, IBV_WC_TM_DATA_VALID, 7, 300 },
	{ 0, IBV_WC_TM_RECV, 0, 8, 400 },
	{ 0, IBV_WC_TM_NO_TAG, 0, 9, 500 },
	{ IBV_WC_TM_RNDV_INCOMPLETE, IBV_WC_TM_RECV, IBV_WC_TM_MATCH, 10, 32 },
};

enum { COMPLETIONS = sizeof completions / sizeof completions[0] };

static int now;
static unsigned handles;
static struct ibv_ece options = { .vendor_id = 0x15b3, .options = 0xf0 };

static void current(struct ibv_cq_ex *cq)
{
	cq->status = completions[now].status;
	cq->wr_id = completions[now].wr_id;
}

static int start_poll(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr)
{
	if (now == COMPLETIONS) {
		now = 0;
		return ENOENT;
	}
	current(cq);
	return 0;
}

static int next_poll(struct ibv_cq_ex *cq)
{
	if (++now == COMPLETIONS)
		return ENOENT;
	current(cq);
	return 0;
}

static void end_poll(struct ibv_cq_ex *cq) { now += now < COMPLETIONS; }
static enum ibv_wc_opcode read_opcode(struct ibv_cq_ex *cq) { return completions[now].opcode; }
static uint32_t read_byte_len(struct ibv_cq_ex *cq) { return completions[now].bytes; }
static unsigned read_wc_flags(struct ibv_cq_ex *cq) { return completions[now].flags; }
static uint32_t nothing(struct ibv_cq_ex *cq) { return 0; }

static void read_tm_info(struct ibv_cq_ex *cq, struct ibv_wc_tm_info *info)
{
	/* As libmlx5, which reads what is there, of each completion. */
	info->tag = 0x500000000 + now;
	info->priv = 60 + now;
}

static struct ibv_cq_ex *create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
	struct ibv_cq_ex *cq = calloc(1, sizeof *cq);
	cq->context = context;
	cq->cqe = attr->cqe;
	cq->start_poll = start_poll;
	cq->next_poll = next_poll;
	cq->end_poll = end_poll;
	cq->read_opcode = read_opcode;
	cq->read_vendor_err = nothing;
	cq->read_byte_len = read_byte_len;
	cq->read_imm_data = nothing;
	cq->read_qp_num = nothing;
	cq->read_src_qp = nothing;
	cq->read_wc_flags = read_wc_flags;
	cq->read_slid = nothing;
	cq->read_sl = (void *)nothing;
	cq->read_dlid_path_bits = (void *)nothing;
	cq->read_tm_info = attr->wc_flags & IBV_WC_EX_WITH_TM_INFO ? read_tm_info : NULL;
	return cq;
}

int ibv_destroy_cq(struct ibv_cq *cq)
{
	free(cq);
	return 0;
}

static struct ibv_srq *create_srq_ex(struct ibv_context *context, struct ibv_srq_init_attr_ex *attr)
{
	struct ibv_srq *srq = calloc(1, sizeof *srq);
	srq->context = context;
	srq->pd = attr->pd;
	printf("create_srq_ex type %d, mask %u, %u tags, %u ops\n", attr->srq_type, attr->comp_mask,
		attr->tm_cap.max_num_tags, attr->tm_cap.max_ops);
	fflush(stdout);
	return srq;
}

int ibv_destroy_srq(struct ibv_srq *srq)
{
	free(srq);
	return 0;
}

static int post_srq_ops(struct ibv_srq *srq, struct ibv_ops_wr *wr, struct ibv_ops_wr **bad)
{
	printf("op %d: wr_id %lu, flags %d, count %u, handle %u, id %lu, tag %lx, mask %lx,", wr->opcode, wr->wr_id, wr->flags,
		wr->tm.unexpected_cnt, wr->tm.handle, wr->tm.add.recv_wr_id, wr->tm.add.tag, wr->tm.add.mask);
	for (int i = 0; i < wr->tm.add.num_sge; i++)
		printf(" %lx+%u by %x", wr->tm.add.sg_list[i].addr, wr->tm.add.sg_list[i].length, wr->tm.add.sg_list[i].lkey);
	puts(wr->next ? " and more" : "");
	fflush(stdout);
	if (wr->opcode == IBV_WR_TAG_ADD && wr->tm.add.tag == 404) {
		*bad = wr;
		return ENOMEM;
	}
	if (wr->opcode == IBV_WR_TAG_ADD)
		wr->tm.handle = handles++;
	return 0;
}

static int query_device_ex(struct ibv_context *c, const struct ibv_query_device_ex_input *input,
	struct ibv_device_attr_ex *attr, size_t size)
{
	memset(attr, 0, size);
	attr->orig_attr = (struct ibv_device_attr){ .max_qp = 8, .max_qp_wr = 64, .max_sge = 4, .max_srq = 8, .max_srq_wr = 64,
		.max_srq_sge = 4, .max_cq = 8, .max_cqe = 64, .phys_port_cnt = 1 };
	if (!getenv("FAKE_WITHOUT_TAGS"))
		attr->tm_caps = (struct ibv_tm_caps){ .max_rndv_hdr_size = 64, .max_num_tags = 127, .flags = IBV_TM_CAP_RC,
			.max_ops = 32, .max_sge = 1 };
	return 0;
}

/* Instead of fakeverbs.c's, which has no queues. */
int ibv_query_device(struct ibv_context *c, struct ibv_device_attr *attr)
{
	struct ibv_device_attr_ex all;
	query_device_ex(c, NULL, &all, sizeof all);
	*attr = all.orig_attr;
	return 0;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *pd = calloc(1, sizeof *pd);
	pd->context = context;
	return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	free(pd);
	return 0;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *own, struct ibv_comp_channel *channel, int vector)
{
	struct ibv_cq *cq = calloc(1, sizeof(struct ibv_cq_ex));
	cq->context = context;
	cq->cqe = cqe;
	return cq;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct ibv_qp *qp = calloc(1, sizeof(struct ibv_qp_ex));
	qp->context = pd->context;
	qp->pd = pd;
	qp->qp_num = 12;
	qp->qp_type = attr->qp_type;
	return qp;
}

static struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	return ibv_create_qp(attr->pd, (struct ibv_qp_init_attr *)attr);
}

int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init)
{
	attr->qp_state = IBV_QPS_RESET;
	return 0;
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	free(qp);
	return 0;
}

/* Takes the lower half of what is offered. */
int ibv_set_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	printf("set_ece of %u: %x, %x, %u\n", qp->qp_num, ece->vendor_id, ece->options, ece->comp_mask);
	fflush(stdout);
	if (ece->vendor_id != options.vendor_id)
		return errno = EINVAL;
	ece->options &= 0xf;
	options = *ece;
	return 0;
}

int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	*ece = options;
	return 0;
}

void fake_more(struct ibv_context *context)
{
	char *at = (char *)context;
	context->num_comp_vectors = 1;
	*(void **)(at + POST_SRQ_OPS) = post_srq_ops;
	*(void **)(at + CREATE_CQ_EX) = create_cq_ex;
	*(void **)(at + CREATE_SRQ_EX) = create_srq_ex;
	*(void **)(at + CREATE_QP_EX) = create_qp_ex;
	*(void **)(at + QUERY_DEVICE_EX) = query_device_ex;
}
