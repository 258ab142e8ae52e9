/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
#include "pair.h"

#ifdef EFA
#include <infiniband/efadv.h>
#else
#include <infiniband/mlx5dv.h>
#endif

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pair_with;
static uint32_t depth = DEPTH;
static int (*sim_pump)(int);
static uint64_t (*sim_count)(int);

void fail(const char *what, const char *why)
{
	fprintf(stderr, "verb_cost: %s: %s\n", what, why);
	exit(1);
}

static void *some(const char *what, void *result)
{
	if (!result)
		fail(what, strerror(errno));
	return result;
}

static void ok(const char *what, int rc)
{
	if (rc)
		fail(what, strerror(rc < 0 ? errno : rc));
}

static void open_device(struct pair *p)
{
	int n = 0;
	struct ibv_device **list = some("ibv_get_device_list", ibv_get_device_list(&n));

	if (!n)
		fail("no device", "its library, which drives the simulated one, is missing; install it (Debian: apt-get install ibverbs-providers)");
	p->ctx = some("ibv_open_device", ibv_open_device(list[0]));
	ibv_free_device_list(list);
	p->pd = some("ibv_alloc_pd", ibv_alloc_pd(p->ctx));
}

#ifdef EFA
static struct ibv_qp *make_qp(struct pair *p, struct ibv_cq *sends, struct ibv_cq *receives, uint32_t most)
{
	struct efadv_qp_init_attr efa = {.driver_qp_type = EFADV_QP_DRIVER_TYPE_SRD};
	struct ibv_qp_init_attr_ex ex = {
		.send_cq = sends, .recv_cq = receives, .qp_type = IBV_QPT_DRIVER, .pd = p->pd,
		.cap = {.max_send_wr = most, .max_recv_wr = most, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 32},
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_SEND,
	};

	return some("efadv_create_qp_ex", efadv_create_qp_ex(p->ctx, &ex, &efa, sizeof efa));
}
#else
static struct ibv_qp *make_qp(struct pair *p, struct ibv_cq *sends, struct ibv_cq *receives, uint32_t most)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = sends, .recv_cq = receives, .qp_type = IBV_QPT_RC,
		.cap = {.max_send_wr = most, .max_recv_wr = most, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 64},
	};

	struct ibv_qp_init_attr_ex ex = {
		.send_cq = sends, .recv_cq = receives, .qp_type = IBV_QPT_RC, .cap = attr.cap, .pd = p->pd,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_SEND,
	};

	if (pair_with & WITH_BUILDER)
		return some("ibv_create_qp_ex", ibv_create_qp_ex(p->ctx, &ex));
	return some("ibv_create_qp", ibv_create_qp(p->pd, &attr));
}
#endif

static struct ibv_cq *make_send_cq(struct pair *p)
{
	const char *single = getenv("MLX5_SINGLE_THREADED");
	struct ibv_cq_init_attr_ex ex = {
		.cqe = depth, .wc_flags = IBV_WC_EX_WITH_BYTE_LEN, .comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS,
		.flags = single && !strcmp(single, "1") ? IBV_CREATE_CQ_ATTR_SINGLE_THREADED : 0,
	};

	if (pair_with & WITH_READER)
		return ibv_cq_ex_to_cq(some("ibv_create_cq_ex", ibv_create_cq_ex(p->ctx, &ex)));
	return some("ibv_create_cq", ibv_create_cq(p->ctx, (int)depth, NULL, NULL, 0));
}

#ifndef EFA
static void init_qp(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};

	ok("RESET to INIT", ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
}
#else
static void init_qp(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = QKEY};

	ok("RESET to INIT", ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY));
	attr.qp_state = IBV_QPS_RTR;
	ok("INIT to RTR", ibv_modify_qp(qp, &attr, IBV_QP_STATE));
	attr.qp_state = IBV_QPS_RTS;
	ok("RTR to RTS", ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN));
}
#endif

static void make_end(struct pair *p, struct end *e)
{
	e->memory = some("aligned_alloc", aligned_alloc(4096, BATCH * SIZE));
	memset(e->memory, 0, BATCH * SIZE);
	e->mr = some("ibv_reg_mr", ibv_reg_mr(p->pd, e->memory, BATCH * SIZE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE));
	e->sends = make_send_cq(p);
	e->receives = some("ibv_create_cq", ibv_create_cq(p->ctx, (int)depth, NULL, NULL, 0));
	e->qp = make_qp(p, e->sends, e->receives, depth);
	init_qp(e->qp);
}

#ifndef EFA
static void connect_qp(struct pair *p, struct ibv_qp *qp, const struct ibv_qp *peer)
{
	struct ibv_port_attr port;
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR, .dest_qp_num = peer->qp_num, .max_dest_rd_atomic = 1, .min_rnr_timer = 1,
		.ah_attr = {.port_num = 1, .is_global = 1, .grh = {.hop_limit = 64}},
	};

	ok("ibv_query_port", ibv_query_port(p->ctx, 1, &port));
	attr.path_mtu = port.active_mtu;
	ok("ibv_query_gid", ibv_query_gid(p->ctx, 1, 0, &attr.ah_attr.grh.dgid));
	ok("INIT to RTR", ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
		IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
	attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS, .timeout = 18, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};
	ok("RTR to RTS", ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
		IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC));
}

static void make_crowd(struct pair *p)
{
	p->crowd = some("calloc", calloc(CROWD, sizeof *p->crowd));
	for (int i = 0; i < CROWD; i++) {
		p->crowd[i] = make_qp(p, p->from.sends, p->from.sends, CROWD_DEPTH);
		init_qp(p->crowd[i]);
		connect_qp(p, p->crowd[i], p->crowd[i]);
	}
}
#endif

static void make_requests(struct pair *p)
{
	for (int i = 0; i < BATCH; i++) {
		struct ibv_send_wr wr = {
			.wr_id = (uint64_t)i, .sg_list = &p->from_sge[i], .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE,
			.send_flags = IBV_SEND_SIGNALED,
			.wr.rdma = {.remote_addr = (uintptr_t)(p->to.memory + i * SIZE), .rkey = p->to.mr->rkey},
		};
		struct ibv_recv_wr receive = {.wr_id = (uint64_t)i, .sg_list = &p->to_sge[i], .num_sge = 1};
		int last = i == BATCH - 1;

		p->from_sge[i] = (struct ibv_sge){(uintptr_t)(p->from.memory + i * SIZE), SIZE, p->from.mr->lkey};
		p->to_sge[i] = (struct ibv_sge){(uintptr_t)(p->to.memory + i * SIZE), SIZE, p->to.mr->lkey};
		p->writes[i] = p->write_list[i] = wr;
		p->write_list[i].next = last ? NULL : &p->write_list[i + 1];
		wr.opcode = IBV_WR_SEND;
#ifdef EFA
		wr.wr.ud.ah = p->ah;
		wr.wr.ud.remote_qpn = p->to.qp->qp_num;
		wr.wr.ud.remote_qkey = QKEY;
#endif
		p->sends[i] = p->send_list[i] = wr;
		p->send_list[i].next = last ? NULL : &p->send_list[i + 1];
		p->receives[i] = p->receive_list[i] = receive;
		p->receive_list[i].next = last ? NULL : &p->receive_list[i + 1];
	}
}

#ifndef EFA
static struct mlx5dv_qp rings_of(struct ibv_qp *qp)
{
	struct mlx5dv_qp rings = {.comp_mask = 0};
	struct mlx5dv_obj obj = {.qp = {.in = qp, .out = &rings}};

	ok("mlx5dv_init_obj", mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
	return rings;
}

/*
 * Checks that the register is of the kind that the figure is for: a BlueFlame register of the queue pair's own, or the
 * context's only one on an uncached page, which has no halves.
 */
static void check_registers(const struct pair *p)
{
	const char *shut_up = getenv("MLX5_SHUT_UP_BF");
	struct mlx5dv_qp from = rings_of(p->from.qp), to = rings_of(p->to.qp);

	if (shut_up && strcmp(shut_up, "0")) {
		if (from.bf.size || from.bf.reg != to.bf.reg)
			fail("register", "MLX5_SHUT_UP_BF is set, but the register is not that of the uncached page");
	} else if (!from.bf.size || from.bf.reg == to.bf.reg) {
		fail("register", "it is not a BlueFlame register of the queue pair's own");
	}
}
#else
static void make_way(struct pair *p)
{
	struct ibv_ah_attr attr = {.port_num = 1, .is_global = 1, .grh = {.hop_limit = 64}};

	ok("ibv_query_gid", ibv_query_gid(p->ctx, 1, 0, &attr.grh.dgid));
	p->ah = some("ibv_create_ah", ibv_create_ah(p->pd, &attr));
}
#endif

void open_pair(struct pair *p)
{
	memset(p, 0, sizeof *p);
	*(void **)&sim_pump = dlsym(RTLD_DEFAULT, "device_sim_pump");
	*(void **)&sim_count = dlsym(RTLD_DEFAULT, "device_sim_count");
	if (!sim_pump || !sim_count)
		fail("no simulated device", "start this program with device-sim/run");
	if (pair_with & WITH_CROWD)
		depth *= 2;
	open_device(p);
	make_end(p, &p->from);
	make_end(p, &p->to);
#ifdef EFA
	make_way(p);
#else
	connect_qp(p, p->from.qp, p->to.qp);
	connect_qp(p, p->to.qp, p->from.qp);
	check_registers(p);
	if (pair_with & WITH_CROWD)
		make_crowd(p);
#endif
	p->spare = make_qp(p, p->from.sends, p->from.receives, depth);
	p->page = some("aligned_alloc", aligned_alloc(4096, 4096));
	memset(p->page, 0, 4096);
	make_requests(p);
	for (int i = 0; p->crowd && i < CROWD; i += OPERATIONS) {
		post_crowd_writes(p);
		pump();
		take_any(p, p->from.sends, OPERATIONS);
	}
}

static void close_end(struct end *e)
{
	ok("ibv_destroy_qp", ibv_destroy_qp(e->qp));
	ok("ibv_destroy_cq", ibv_destroy_cq(e->sends));
	ok("ibv_destroy_cq", ibv_destroy_cq(e->receives));
	ok("ibv_dereg_mr", ibv_dereg_mr(e->mr));
	free(e->memory);
}

void close_pair(struct pair *p)
{
	if (p->stamp && memcmp(p->from.memory, p->to.memory, BATCH * SIZE))
		fail("wrong data", "the memory of both ends differs");
	if (sim_count(0) || sim_count(1))
		fail("device", "it refused a descriptor or a key");
	for (int i = 0; p->crowd && i < CROWD; i++)
		ok("ibv_destroy_qp", ibv_destroy_qp(p->crowd[i]));
	free(p->crowd);
	ok("ibv_destroy_qp", ibv_destroy_qp(p->spare));
	close_end(&p->from);
	close_end(&p->to);
	if (p->ah)
		ok("ibv_destroy_ah", ibv_destroy_ah(p->ah));
	free(p->page);
	ok("ibv_dealloc_pd", ibv_dealloc_pd(p->pd));
	ok("ibv_close_device", ibv_close_device(p->ctx));
}

void fill(struct pair *p)
{
	if (!p->stamp)
		for (int i = 0; i < BATCH * SIZE; i++)
			p->from.memory[i] = (char)(i * 31 + 7);
	p->stamp += BATCH;
	for (int i = 0; i < BATCH; i++)
		*(uint64_t *)(p->from.memory + i * SIZE) = p->stamp + (uint64_t)i;
}

void pump(void)
{
	sim_pump(-1);
}

void take(struct pair *p, struct ibv_cq *cq)
{
	for (int repeat = 0; repeat < REPEATS; repeat++) {
		int n = ibv_poll_cq(cq, BATCH, p->wc);

		if (n != BATCH)
			fail("ibv_poll_cq", "a completion is missing");
		for (int i = 0; i < n; i++) {
			if (p->wc[i].status != IBV_WC_SUCCESS)
				fail("a work request", ibv_wc_status_str(p->wc[i].status));
			if (p->wc[i].wr_id != (uint64_t)i)
				fail("ibv_poll_cq", "completions are out of order");
		}
	}
}

void take_any(struct pair *p, struct ibv_cq *cq, int operations)
{
	uint64_t ids = 0;

	for (int taken = 0; taken < operations; taken += BATCH) {
		int n = ibv_poll_cq(cq, BATCH, p->wc);

		if (n != BATCH)
			fail("ibv_poll_cq", "a completion is missing");
		for (int i = 0; i < n; i++) {
			if (p->wc[i].status != IBV_WC_SUCCESS)
				fail("a work request", ibv_wc_status_str(p->wc[i].status));
			ids += p->wc[i].wr_id;
		}
	}
	if (ids != (uint64_t)operations * (BATCH - 1) / 2)
		fail("ibv_poll_cq", "a request completed twice");
}

void check(struct pair *p)
{
	ok("a timed verb", p->error);
	for (int i = 0; p->stamp && i < BATCH; i++)
		if (*(uint64_t *)(p->to.memory + i * SIZE) != p->stamp + (uint64_t)i)
			fail("wrong data", "a message did not arrive");
}

void post_send(struct ibv_qp *qp, struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad;

	for (int repeat = 0; repeat < REPEATS; repeat++)
		ok("ibv_post_send", ibv_post_send(qp, wr, &bad));
}

void post_crowd_writes(struct pair *p)
{
	struct ibv_send_wr *bad;

	for (int i = 0; i < OPERATIONS; i++) {
		p->turn += CROWD_STRIDE;
		if (p->turn >= CROWD)
			p->turn -= CROWD;
		p->error |= ibv_post_send(p->crowd[p->turn], &p->writes[i % BATCH], &bad);
	}
}

void post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr)
{
	struct ibv_recv_wr *bad;

	for (int repeat = 0; repeat < REPEATS; repeat++)
		ok("ibv_post_recv", ibv_post_recv(qp, wr, &bad));
}
