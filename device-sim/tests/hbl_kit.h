/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What the tests of hbl share: a device that is set up by hbldv, connected queue pairs, and a program's own use of the rings. */
#ifndef HBL_KIT_H
#define HBL_KIT_H

#include "kit.h"
#include "../libhbl/hbldv.h"

#define ROOM (4u << 20) /* of a buffer */
#define MAX_DEVICE_PORTS 4

/* Accelerator. */
int open_accel(int index);
uint64_t map_memory(int accel, void *at, uint64_t size); /* 0: refused, errno is set */
int unmap_memory(int accel, uint64_t device);

struct card { /* a device with its ports set up, one completion queue and FIFO at each */
    int accel;
    struct ibv_context *ctx;
    struct ibv_pd *pd;
    struct ibv_cq *cq[MAX_DEVICE_PORTS + 1];
    struct hbldv_query_cq_attr cqa[MAX_DEVICE_PORTS + 1];
    uint32_t ci[MAX_DEVICE_PORTS + 1]; /* of completions */
    struct hbldv_usr_fifo *fifo[MAX_DEVICE_PORTS + 1];
    uint32_t fifo_pi[MAX_DEVICE_PORTS + 1]; /* free running */
    uint8_t *buf;
    uint64_t dva; /* of buf */
};

struct hbl_making { /* zero means the usual */
    uint64_t ports; /* which are set up; all */
    uint32_t wqs, wqes, memory, granularity;
    bool advanced;
    int cqe;
};

struct ibv_device *find_device(int index);
struct card open_card(int index, const struct hbl_making *how);
void close_card(struct card *c);
void set_up(struct card *c, uint32_t port, const struct hbl_making *how);
struct hbldv_port_ex_attr port_attr(uint32_t port, const struct hbl_making *how);

struct line { /* a queue pair, and what a program keeps of it */
    struct card *card;
    struct ibv_qp *qp;
    struct hbldv_query_qp_attr at;
    uint32_t port, size, pi;
};

struct line make_line(struct card *c, uint32_t port, uint32_t size);
void destroy_line(struct line *l);

struct joining { /* how two are connected; zero means the usual */
    uint32_t local_key, remote_key, priority;
    uint64_t caps;
    uint8_t timeout, retry;
};
int to_init_hbl(struct line *l, const struct hbldv_qp_attr *attr);
int to_rtr_hbl(struct line *l, uint32_t number, const union ibv_gid *gid, const struct joining *how);
int to_rts_hbl(struct line *l, const struct joining *how);
void join(struct line *a, struct line *b, const struct joining *how);
/* The GID that the other end is addressed by. */
union ibv_gid gid_of(struct card *c, uint32_t port);

struct write { /* one descriptor */
    uint64_t from, to;
    uint32_t size, tag;
    bool silent; /* no completion */
};
/* Writes a descriptor, rings, and returns where the descriptor is. */
uint32_t *put_write(struct line *l, const struct write *w);
void ring_fifo(struct line *l, uint32_t pi);
void announce_lines(struct line *l);

struct done {
    uint32_t number, index, tag, size;
};
bool poll_hbl(struct card *c, uint32_t port, struct done *d);
/* Pumps, and wants this completion. */
void done(struct line *l, uint32_t tag, uint32_t size);
void no_completion(struct line *l);

/* The event that is there, and what broke the queue pair. */
bool event_of(struct ibv_context *ctx, struct ibv_async_event *e);
void broken(struct line *l, int event, int syndrome);

#endif
