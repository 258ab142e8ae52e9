/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * With EFA defined they are of type SRD, and each request says where it goes.
 *
 * Two connected queue pairs on a simulated device, and what they are to move: the same as the Java side's OnPair, with the
 * same capacities, flags and sizes.
 */
#ifndef PAIR_H
#define PAIR_H

#include <infiniband/verbs.h>

#define BATCH 64 /* requests of each kind; as Batches.BATCH */
#define REPEATS 4 /* how often each is posted between two looks at the clock; as Batches.REPEATS */
#define OPERATIONS (BATCH * REPEATS)
#define SIZE 64	 /* bytes of a message; as OnPair.SIZE */
#define DEPTH OPERATIONS
#define QKEY 0x11111111 /* of EFA; as RcEnd.QKEY */
#define INLINE_SIZE 16 /* bytes of an inline message; as InlineBenchmark.SIZE */
#define CROWD 10000 /* queue pairs of a crowd; as Crowd.MANY */
#define CROWD_DEPTH 4 /* of each of them; as Crowd.DEPTH */
#define CROWD_STRIDE 3331 /* as Crowd.STRIDE */

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
	int turn;			/* whose turn it was of those */
	char *page;			/* registered by nobody */
	struct ibv_sge from_sge[BATCH], to_sge[BATCH];
	struct ibv_send_wr writes[BATCH], write_list[BATCH], sends[BATCH], send_list[BATCH];
	struct ibv_recv_wr receives[BATCH], receive_list[BATCH];
	struct ibv_wc wc[BATCH];
	uint64_t stamp;			/* what was written last to the first message of the source */
	int error;			/* of verbs that were timed, or'ed */
	int polled;			/* what the timed polls took */
	uint64_t ids;			/* the sum of their wr_id */
	uint64_t bytes;			/* the sum of their lengths, where they were read */
};

/*
 * What is asked for when something is created: queue pairs with the builder of ibv_wr_*, completion queues that are read one by one, a
 * crowd of queue pairs besides; then queues have room for twice the OPERATIONS.
 */
enum { WITH_BUILDER = 1, WITH_READER = 2, WITH_CROWD = 4 };
extern int pair_with;

/* Ends the program with a message. */
_Noreturn void fail(const char *what, const char *why);

void open_pair(struct pair *p);
/* Looks at all of the memory once more, and at what the device says of its checks. */
void close_pair(struct pair *p);

/* Other contents for the messages. */
void fill(struct pair *p);
/* Lets the device work until nothing is left to do. */
void pump(void);
/* Takes OPERATIONS completions, in the order of the requests and without an error, or fails. */
void take(struct pair *p, struct ibv_cq *cq);
/* As take, in any order, of a multiple of BATCH. */
void take_any(struct pair *p, struct ibv_cq *cq, int operations);
/* Fails where a message did not arrive, or one of the timed verbs has failed. */
void check(struct pair *p);

/* Posts a list, REPEATS times. */
void post_send(struct ibv_qp *qp, struct ibv_send_wr *wr);
void post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr);
/* Posts OPERATIONS writes, each on another queue pair of the crowd. */
void post_crowd_writes(struct pair *p);
#endif
