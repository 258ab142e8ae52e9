/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * What a verb costs a C program, on a simulated device that has nothing to do meanwhile:
 *   device-sim/run --pump -- verb_cost VERB SECONDS
 * prints nanoseconds per operation, the median of all batches. BATCH operations lie between two looks at the clock; what
 * must be done before and after them (contents, the device's work, polling, checks) is not timed. The Java side does the
 * same, verb by verb.
 */
#include "builder.h"
#include "pair.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void post_writes(struct pair *p)
{
	struct ibv_send_wr *bad;

	for (int i = 0; i < BATCH; i++)
		p->error |= ibv_post_send(p->from.qp, &p->writes[i], &bad);
}

static void before_list32(struct pair *p)
{
	fill(p);
	p->write_list[BATCH / 2 - 1].next = NULL;
}

static void post_write_list32(struct pair *p)
{
	struct ibv_send_wr *bad;

	p->error |= ibv_post_send(p->from.qp, &p->write_list[0], &bad);
	p->error |= ibv_post_send(p->from.qp, &p->write_list[BATCH / 2], &bad);
}

static void post_write_list64(struct pair *p)
{
	struct ibv_send_wr *bad;

	p->error |= ibv_post_send(p->from.qp, p->write_list, &bad);
}

static void after_writes(struct pair *p)
{
	pump();
	take(p, p->from.sends);
	check(p);
}

/* Inline messages are shorter: what they leave out is brought over once before. */
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

	for (int i = 0; i < BATCH; i++)
		p->error |= ibv_post_send(p->from.qp, &p->sends[i], &bad);
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

	for (int i = 0; i < BATCH; i++)
		p->error |= ibv_post_recv(p->to.qp, &p->receives[i], &bad);
}

static void after_receives(struct pair *p)
{
	post_send(p->from.qp, p->send_list);
	after_sends(p);
}

static void before_polls(struct pair *p)
{
	fill(p);
	post_send(p->from.qp, p->write_list);
	pump();
	p->polled = 0;
	p->ids = 0;
}

static inline void poll_by(struct pair *p, int most)
{
	for (int i = 0; i < BATCH; i += most) {
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

static void after_polls(struct pair *p)
{
	if (p->polled != BATCH || p->ids != BATCH * (BATCH - 1) / 2)
		fail("ibv_poll_cq", "a completion is missing");
	check(p);
}

static void poll_empty(struct pair *p)
{
	for (int i = 0; i < BATCH; i++)
		p->error |= ibv_poll_cq(p->from.sends, 1, p->wc);
}

static void register_page(struct pair *p)
{
	for (int i = 0; i < BATCH; i++) {
		struct ibv_mr *mr = ibv_reg_mr(p->pd, p->page, 4096, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);

		p->error |= mr ? ibv_dereg_mr(mr) : errno;
	}
}

/* RESET to INIT and back: two of the few pairs of transitions that can be repeated without a peer. */
static void modify_spare(struct pair *p)
{
	struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
	struct ibv_qp_attr reset = {.qp_state = IBV_QPS_RESET};

	for (int i = 0; i < BATCH; i += 2) {
		p->error |= ibv_modify_qp(p->spare, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
		p->error |= ibv_modify_qp(p->spare, &reset, IBV_QP_STATE);
	}
}

static void nothing(struct pair *p)
{
	(void)p;
}

static const struct verb {
	const char *name;
	void (*before)(struct pair *);
	void (*timed)(struct pair *);
	void (*after)(struct pair *);
	int with_builder;
} verbs[] = {
	{"post_send-write", fill, post_writes, after_writes, 0},
	{"post_send-write-list32", before_list32, post_write_list32, after_writes, 0},
	{"post_send-write-list64", fill, post_write_list64, after_writes, 0},
	{"post_send-inline", before_inline, post_writes, after_writes, 0},
	{"post_send-send", before_sends, post_sends, after_sends, 0},
	{"wr-write", fill, build_writes, after_writes, 1},
	{"wr-write-list64", fill, build_write_list64, after_writes, 1},
	{"wr-inline", before_inline, build_inline_writes, after_writes, 1},
	{"wr-send", before_sends, build_sends, after_sends, 1},
	{"post_recv", fill, post_receives, after_receives, 0},
	{"poll_cq-1", before_polls, poll_by_1, after_polls, 0},
	{"poll_cq-16", before_polls, poll_by_16, after_polls, 0},
	{"poll_cq-empty", nothing, poll_empty, check, 0},
	{"reg_mr-dereg_mr-4KiB", nothing, register_page, check, 0},
	{"modify_qp", nothing, modify_spare, check, 0},
	{NULL, NULL, NULL, NULL, 0},
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static double measure(const struct verb *v, struct pair *p, double seconds)
{
	static uint64_t times[1 << 20];
	size_t batches = 0;
	uint64_t begin = now();

	do {
		uint64_t start;

		v->before(p);
		start = now();
		v->timed(p);
		times[batches++] = now() - start;
		v->after(p);
	} while ((double)(now() - begin) < seconds * 1e9 && batches < sizeof times / sizeof *times);
	qsort(times, batches, sizeof *times, by_size);
	return (double)times[batches / 2] / BATCH;
}

int main(int argc, char **argv)
{
	static struct pair p;
	const struct verb *v = verbs;
	double seconds = argc == 3 ? atof(argv[2]) : 0;

	while (argc == 3 && v->name && strcmp(v->name, argv[1]))
		v++;
	if (!v->name || seconds <= 0) {
		fprintf(stderr, "usage: verb_cost VERB SECONDS; verbs:");
		for (v = verbs; v->name; v++)
			fprintf(stderr, " %s", v->name);
		fprintf(stderr, "\n");
		return 2;
	}
	with_builder = v->with_builder;
	open_pair(&p);
	measure(v, &p, seconds / 4);
	printf("%.3f\n", measure(v, &p, seconds));
	close_pair(&p);
	return 0;
}
