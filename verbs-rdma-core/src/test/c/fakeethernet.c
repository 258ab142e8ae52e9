/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
 *
 * Beside fakeverbs.c: a driver with Ethernet, whose functions are in the slots of struct verbs_context, as the header of this
 * machine has it. Each call writes a line with what it was called with. FAKE_WITHOUT_ETHERNET is a device that has nothing of it,
 * while its library has all functions. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FULL = 99, NO_SUCH = 404 };

static struct ibv_async_event pending;
static int is_pending;

static void say(const char *format, ...)
{
	int before = errno;
	va_list list;
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	puts("");
	fflush(stdout);
	errno = before; /* that of the call alone counts */
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *pd = calloc(1, sizeof *pd);
	pd->context = context;
	pd->handle = 31;
	return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	free(pd);
	return 0;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *own, struct ibv_comp_channel *channel, int vector)
{
	struct ibv_cq *cq = calloc(1, sizeof *cq);
	cq->context = context;
	cq->cqe = cqe;
	cq->handle = 32;
	return cq;
}

int ibv_destroy_cq(struct ibv_cq *cq)
{
	free(cq);
	return 0;
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	say("destroy_qp %u", qp->qp_num);
	free(qp);
	return 0;
}

int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event)
{
	uint64_t count;
	if (!is_pending) {
		errno = EAGAIN;
		return -1;
	}
	read(context->async_fd, &count, sizeof count);
	is_pending = 0;
	*event = pending;
	return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
	say("ack_async_event %d", event->event_type);
}

/* ---- work queues */

static int post_recv(struct ibv_wq *wq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	for (; wr; wr = wr->next) {
		if (wr->wr_id == FULL) {
			*bad = wr;
			return ENOMEM;
		}
		say("post_recv %u: %lu of %d, %lx %u %x", wq->wq_num, wr->wr_id, wr->num_sge, wr->sg_list->addr,
			wr->sg_list->length, wr->sg_list->lkey);
	}
	return 0;
}

static struct ibv_wq *create_wq(struct ibv_context *context, struct ibv_wq_init_attr *attr)
{
	struct ibv_wq *wq;
	say("create_wq type %d wr %u sge %u pd %u cq %u mask %u flags %u", attr->wq_type, attr->max_wr, attr->max_sge,
		attr->pd->handle, attr->cq->handle, attr->comp_mask, attr->create_flags);
	wq = calloc(1, sizeof *wq);
	wq->context = context;
	wq->wq_num = 0x77 + attr->max_sge;
	wq->post_recv = post_recv;
	attr->max_wr = 128;
	attr->max_sge = 4;
	return wq;
}

static int modify_wq(struct ibv_wq *wq, struct ibv_wq_attr *attr)
{
	uint64_t one = 1;
	say("modify_wq %u: mask %u state %d from %d flags %u of %u", wq->wq_num, attr->attr_mask, attr->wq_state,
		attr->curr_wq_state, attr->flags, attr->flags_mask);
	if ((attr->attr_mask & IBV_WQ_ATTR_FLAGS) && attr->flags_mask == IBV_WQ_FLAGS_PCI_WRITE_END_PADDING)
		return -EOPNOTSUPP;
	if ((attr->attr_mask & IBV_WQ_ATTR_FLAGS) && attr->flags_mask == IBV_WQ_FLAGS_SCATTER_FCS) {
		pending.event_type = IBV_EVENT_WQ_FATAL;
		pending.element.wq = wq;
		is_pending = 1;
		write(wq->context->async_fd, &one, sizeof one);
	}
	return 0;
}

static int destroy_wq(struct ibv_wq *wq)
{
	say("destroy_wq %u", wq->wq_num);
	free(wq);
	return 0;
}

static struct ibv_rwq_ind_table *create_table(struct ibv_context *context, struct ibv_rwq_ind_table_init_attr *attr)
{
	struct ibv_rwq_ind_table *table = calloc(1, sizeof *table);
	printf("create_table mask %u:", attr->comp_mask);
	for (int i = 0; i < 1 << attr->log_ind_tbl_size; i++)
		printf(" %u", attr->ind_tbl[i]->wq_num);
	say("");
	table->context = context;
	table->ind_tbl_num = 55;
	return table;
}

static int destroy_table(struct ibv_rwq_ind_table *table)
{
	say("destroy_table %d", table->ind_tbl_num);
	free(table);
	return 0;
}

static struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	struct ibv_qp *qp = calloc(1, sizeof *qp);
	struct ibv_rx_hash_conf *hash = &attr->rx_hash_conf;
	say("create_qp_ex type %d mask %u pd %u flags %u cqs %d caps %u %u", attr->qp_type, attr->comp_mask, attr->pd->handle,
		attr->create_flags, !!attr->send_cq + 2 * !!attr->recv_cq, attr->cap.max_send_wr, attr->cap.max_recv_wr);
	if (attr->comp_mask & IBV_QP_INIT_ATTR_RX_HASH)
		say("spreads by table %d, function %u, key of %u from %u to %u, fields %lx", attr->rwq_ind_tbl->ind_tbl_num,
			hash->rx_hash_function, hash->rx_hash_key_len, hash->rx_hash_key[0],
			hash->rx_hash_key[hash->rx_hash_key_len - 1], hash->rx_hash_fields_mask);
	qp->context = context;
	qp->pd = attr->pd;
	qp->qp_num = 0x123;
	return qp;
}

/* ---- what the device has */

void fake_slots(struct verbs_context *context)
{
	context->create_qp_ex = create_qp_ex;
	context->create_wq = create_wq;
	context->modify_wq = modify_wq;
	context->destroy_wq = destroy_wq;
	context->create_rwq_ind_table = create_table;
	context->destroy_rwq_ind_table = destroy_table;
}

void fake_device(struct ibv_device_attr_ex *attr)
{
	attr->orig_attr.max_qp_wr = 4096;
	attr->orig_attr.max_sge = 16;
	if (getenv("FAKE_WITHOUT_ETHERNET"))
		return;
	attr->max_wq_type_rq = 1024;
	attr->rss_caps.supported_qpts = 1 << IBV_QPT_RAW_PACKET;
	attr->rss_caps.max_rwq_indirection_tables = 8;
	attr->rss_caps.max_rwq_indirection_table_size = 16;
	attr->rss_caps.rx_hash_function = IBV_RX_HASH_FUNC_TOEPLITZ;
	attr->rss_caps.rx_hash_fields_mask = 0xff | IBV_RX_HASH_INNER;
}
