/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Two connected queue pairs on a simulated device and their messages: the same as the Java side's Pair, with the same
 * capacities, flags and sizes. With EFA defined, they are of type SRD, and each request names its destination.
 */
#ifndef PAIR_H
#define PAIR_H

#include <infiniband/verbs.h>

#define BATCH 64 /* requests of each kind; same as Batches.BATCH */
#define REPEATS 4 /* posts of each between two clock readings; same as Batches.REPEATS */
#define OPERATIONS (BATCH * REPEATS)
#define SIZE 64	 /* bytes of a message; same as Pair.SIZE */
#define DEPTH OPERATIONS
#define QKEY 0x11111111 /* of EFA; same as RcEnd.QKEY */
#define INLINE_SIZE 16 /* bytes of an inline message; same as InlineBenchmark.SIZE */
#define CROWD 10000 /* queue pairs of a crowd; same as Crowd.MANY */
#define CROWD_DEPTH 4 /* requests in flight on each; same as Crowd.DEPTH */
#define CROWD_STRIDE 3331 /* same as Crowd.STRIDE */

struct end {
	struct ibv_mr *mr;
	struct ibv_cq *sends, *receives;
	struct ibv_qp *qp;
	char *memory; /* BATCH messages */
};

struct pair {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct end from, to;
	struct ibv_ah *ah;		/* of EFA: to the device itself */
	struct ibv_qp *spare;		/* connected to nothing, in RESET */
	struct ibv_qp **crowd;		/* each connected to itself, or none */
	int turn;			/* index of the one used last */
	char *page;			/* not registered */
	struct ibv_sge from_sge[BATCH], to_sge[BATCH];
	struct ibv_send_wr writes[BATCH], write_list[BATCH], sends[BATCH], send_list[BATCH];
	struct ibv_recv_wr receives[BATCH], receive_list[BATCH];
	struct ibv_wc wc[BATCH];
	uint64_t stamp;			/* last value written to the first message of the source */
	int error;			/* errors of the timed verbs, ORed together */
	int polled;			/* completions taken by the timed polls */
	uint64_t ids;			/* the sum of their wr_id */
	uint64_t bytes;			/* the sum of their lengths, if they are read */
};

/*
 * Options for creating a pair: queue pairs with the builder of ibv_wr_*, completion queues for reading single
 * completions, an additional crowd of queue pairs. With a crowd, queues have room for twice the OPERATIONS.
 */
enum { WITH_BUILDER = 1, WITH_READER = 2, WITH_CROWD = 4 };
extern int pair_with;

/* Exits with a message. */
_Noreturn void fail(const char *what, const char *why);

void open_pair(struct pair *p);
/* Checks all of the memory and the device's error counters, and closes the pair. */
void close_pair(struct pair *p);

/* Changes the contents of the messages. */
void fill(struct pair *p);
/* Lets the device work until nothing is left to do. */
void pump(void);
/* Takes OPERATIONS completions; fails unless they are successful and in the order of the requests. */
void take(struct pair *p, struct ibv_cq *cq);
/* Takes a number of completions, a multiple of BATCH, in any order. */
void take_any(struct pair *p, struct ibv_cq *cq, int operations);
/* Fails if a message has not arrived, or a timed verb has failed. */
void check(struct pair *p);

/* Posts a list, REPEATS times. */
void post_send(struct ibv_qp *qp, struct ibv_send_wr *wr);
void post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr);
/* Posts OPERATIONS writes, each on another queue pair of the crowd. */
void post_crowd_writes(struct pair *p);
#endif
