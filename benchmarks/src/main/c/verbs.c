/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
#include "verbs.h"

#include "builder.h"

#include <errno.h>
#include <string.h>

static void post_writes(struct pair *p)
{
	struct ibv_send_wr *bad;

	for (int i = 0; i < OPERATIONS; i++)
		p->error |= ibv_post_send(p->from.qp, &p->writes[i % BATCH], &bad);
}

static void before_list32(struct pair *p)
{
	fill(p);
	p->write_list[BATCH / 2 - 1].next = NULL;
}

static void post_write_list32(struct pair *p)
{
	struct ibv_send_wr *bad;

	for (int i = 0; i < OPERATIONS; i += BATCH / 2)
		p->error |= ibv_post_send(p->from.qp, &p->write_list[i % BATCH], &bad);
}

static void post_write_list64(struct pair *p)
{
	struct ibv_send_wr *bad;

	for (int i = 0; i < OPERATIONS; i += BATCH)
		p->error |= ibv_post_send(p->from.qp, p->write_list, &bad);
}

static void after_writes(struct pair *p)
{
	pump();
	take(p, p->from.sends);
	check(p);
}

/* Posts full-size writes once, since inline messages are shorter and do not transfer the rest. */
static void before_inline(struct pair *p)
{
	if (!p->stamp) {
		fill(p);
		post_send(p->from.qp, p->write_list);
		after_writes(p);
		for (int i = 0; i < BATCH; i++) {
			p->writes[i].send_flags |= IBV_SEND_INLINE;
			p->from_sge[i].length = INLINE_SIZE;
		}
	}
	fill(p);
}

static void before_sends(struct pair *p)
{
	fill(p);
	post_recv(p->to.qp, p->receive_list);
}

static void post_sends(struct pair *p)
{
	struct ibv_send_wr *bad;

	for (int i = 0; i < OPERATIONS; i++)
		p->error |= ibv_post_send(p->from.qp, &p->sends[i % BATCH], &bad);
}

static void after_sends(struct pair *p)
{
	pump();
	take(p, p->to.receives);
	take(p, p->from.sends);
	check(p);
}

static void post_receives(struct pair *p)
{
	struct ibv_recv_wr *bad;

	for (int i = 0; i < OPERATIONS; i++)
		p->error |= ibv_post_recv(p->to.qp, &p->receives[i % BATCH], &bad);
}

static void after_receives(struct pair *p)
{
	post_send(p->from.qp, p->send_list);
	after_sends(p);
}

static void before_polls(struct pair *p)
{
	fill(p);
#ifdef EFA
	build_write_list64(p); /* ibv_post_send has no writes */
#else
	post_send(p->from.qp, p->write_list);
#endif
	pump();
	p->polled = 0;
	p->ids = 0;
	p->bytes = 0;
}

static inline void poll_by(struct pair *p, int most)
{
	for (int i = 0; i < OPERATIONS; i += most) {
		int n = ibv_poll_cq(p->from.sends, most, p->wc);

		for (int k = 0; k < n; k++) {
			p->error |= (int)p->wc[k].status;
			p->ids += p->wc[k].wr_id;
		}
		p->polled += n;
	}
}

static void poll_by_1(struct pair *p)
{
	poll_by(p, 1);
}

static void poll_by_16(struct pair *p)
{
	poll_by(p, 16);
}

/* Reads single completions, with all fields that the program needs. */
static inline void read_by(struct pair *p, int most)
{
	struct ibv_cq_ex *cq = (struct ibv_cq_ex *)p->from.sends;
	struct ibv_poll_cq_attr attr = {.comp_mask = 0};

	for (int i = 0; i < OPERATIONS; i += most) {
		int n = 0;

		if (ibv_start_poll(cq, &attr))
			return;
		do {
			p->error |= (int)cq->status | (ibv_wc_read_opcode(cq) ^ IBV_WC_RDMA_WRITE);
			p->ids += cq->wr_id;
			p->bytes += ibv_wc_read_byte_len(cq);
		} while (++n < most && !ibv_next_poll(cq));
		ibv_end_poll(cq);
		p->polled += n;
	}
}

static void read_by_1(struct pair *p)
{
	read_by(p, 1);
}

static void read_by_16(struct pair *p)
{
	read_by(p, 16);
}

static void after_polls(struct pair *p)
{
	if (p->polled != OPERATIONS || p->ids != OPERATIONS * (BATCH - 1) / 2)
		fail("ibv_poll_cq", "a completion is missing");
	check(p);
}

/*
 * With a crowd, the device repeatedly scans all of it, which evicts other data from the caches. So before timing, each
 * verb is called as often as it is timed.
 */
static void before_write_of_crowd(struct pair *p)
{
	fill(p);
	post_writes(p);
}

static void before_crowd_writes(struct pair *p)
{
	fill(p);
	post_crowd_writes(p);
}

static void after_crowd_writes(struct pair *p)
{
	pump();
	take_any(p, p->from.sends, 2 * OPERATIONS);
	check(p);
}

static void poll_half(struct pair *p)
{
	p->polled = 0;
	p->ids = 0;
	pump();
	poll_by_1(p);
}

static void before_polls_of_crowd(struct pair *p)
{
	before_write_of_crowd(p);
	post_writes(p);
	poll_half(p);
}

static void before_crowd_polls(struct pair *p)
{
	before_crowd_writes(p);
	post_crowd_writes(p);
	poll_half(p);
}

static void after_crowd_polls(struct pair *p)
{
	if (p->polled != 2 * OPERATIONS || p->ids != OPERATIONS * (BATCH - 1))
		fail("ibv_poll_cq", "a completion is missing");
	check(p);
}

static void poll_empty(struct pair *p)
{
	for (int i = 0; i < OPERATIONS; i++)
		p->error |= ibv_poll_cq(p->from.sends, 1, p->wc);
}

static void register_page(struct pair *p)
{
	for (int i = 0; i < OPERATIONS; i++) {
		struct ibv_mr *mr = ibv_reg_mr(p->pd, p->page, 4096, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);

		p->error |= mr ? ibv_dereg_mr(mr) : errno;
	}
}

/* RESET to INIT and back: two of the few pairs of transitions that can be repeated without a peer. */
static void modify_spare(struct pair *p)
{
	struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
	struct ibv_qp_attr reset = {.qp_state = IBV_QPS_RESET};

	for (int i = 0; i < OPERATIONS; i += 2) {
		p->error |= ibv_modify_qp(p->spare, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
		p->error |= ibv_modify_qp(p->spare, &reset, IBV_QP_STATE);
	}
}

static void nothing(struct pair *p)
{
	(void)p;
}

const struct verb verbs[] = {
	{"post_send-write", fill, post_writes, after_writes, 0},
	{"post_send-write-list32", before_list32, post_write_list32, after_writes, 0},
	{"post_send-write-list64", fill, post_write_list64, after_writes, 0},
	{"post_send-inline", before_inline, post_writes, after_writes, 0},
	{"post_send-send", before_sends, post_sends, after_sends, 0},
	{"wr-write", fill, build_writes, after_writes, WITH_BUILDER},
	{"wr-write-list64", fill, build_write_list64, after_writes, WITH_BUILDER},
	{"wr-inline", before_inline, build_inline_writes, after_writes, WITH_BUILDER},
	{"wr-send", before_sends, build_sends, after_sends, WITH_BUILDER},
	{"post_recv", fill, post_receives, after_receives, 0},
	{"poll_cq-1", before_polls, poll_by_1, after_polls, 0},
	{"poll_cq-16", before_polls, poll_by_16, after_polls, 0},
	{"start_poll-1", before_polls, read_by_1, after_polls, WITH_READER},
	{"start_poll-16", before_polls, read_by_16, after_polls, WITH_READER},
	{"post_send-one-of-crowd", before_write_of_crowd, post_writes, after_crowd_writes, WITH_CROWD},
	{"post_send-each-of-crowd", before_crowd_writes, post_crowd_writes, after_crowd_writes, WITH_CROWD},
	{"poll_cq-one-of-crowd", before_polls_of_crowd, poll_by_1, after_crowd_polls, WITH_CROWD},
	{"poll_cq-each-of-crowd", before_crowd_polls, poll_by_1, after_crowd_polls, WITH_CROWD},
	{"poll_cq-empty", nothing, poll_empty, check, 0},
	{"reg_mr-dereg_mr-4KiB", nothing, register_page, check, 0},
	{"modify_qp", nothing, modify_spare, check, 0},
	{NULL, NULL, NULL, NULL, 0},
};

const struct verb *find_verb(const char *name)
{
	for (const struct verb *v = verbs; v->name; v++)
		if (!strcmp(v->name, name))
			return v;
	return NULL;
}
