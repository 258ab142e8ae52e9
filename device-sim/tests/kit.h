/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What the tests share: named cases, checks, and two connected queue pairs with a buffer each. */
#ifndef KIT_H
#define KIT_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <infiniband/verbs.h>

#include "device_sim.h"

struct test_case {
    const char *name;
    void (*run)(void);
};

/* Clears up after a case, which may have failed; NULL: nothing. */
extern void (*after_case)(void);

/* Runs the cases, or those whose names are given as arguments. The exit status of the program. */
int run_cases(const char *program, const struct test_case *cases, int argc, char **argv);

void fail(const char *file, int line, const char *fmt, ...) __attribute__((noreturn, format(printf, 3, 4)));
void skip(const char *why) __attribute__((noreturn));

#define CHECK(cond) do { if (!(cond)) fail(__FILE__, __LINE__, "%s", #cond); } while (0)
#define EQ(is, wanted) do { \
    long long i_ = (long long)(is), w_ = (long long)(wanted); \
    if (i_ != w_) \
        fail(__FILE__, __LINE__, "%s is %lld (0x%llx), wanted %s = %lld", #is, i_, i_, #wanted, w_); \
    } while (0)
#define OK(call) do { \
    int r_ = (call); \
    if (r_) \
        fail(__FILE__, __LINE__, "%s: %d, %s", #call, r_, strerror(errno)); \
    } while (0)
#define SOME(call) ({ \
    __typeof__(call) r_ = (call); \
    if (!r_) \
        fail(__FILE__, __LINE__, "%s: %s", #call, strerror(errno)); \
    r_; })

#define BUFFER (1 << 20)

struct side {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    struct ibv_mr *mr;
    uint8_t *buf;
};

struct pair {
    struct ibv_context *ctx;
    struct ibv_pd *pd;
    struct side a, b;
    uint8_t rnr_retry, retry, timeout; /* set before connect() */
};

/* How the queue pairs of a pair are made; zero means the usual. */
struct making {
    enum ibv_qp_type type;
    int sig_all, cqe, wr, sge, inline_data;
    struct ibv_srq *srq; /* of side b */
    struct ibv_comp_channel *channel; /* of both */
    bool unconnected;
    int send_ops; /* as extended queue pair */
    int index; /* which device */
};

struct ibv_context *open_nth(int index);
struct pair *make_pair(const struct making *how);
void free_pair(struct pair *p);
void to_init(struct ibv_qp *qp);
void to_rtr(struct ibv_qp *qp, uint32_t dest);
void to_rts(struct ibv_qp *qp, const struct pair *p);
void connect_pair(struct pair *p);

struct ibv_sge piece(const struct side *s, size_t offset, uint32_t length);
struct ibv_send_wr request(enum ibv_wr_opcode opcode, uint64_t id, struct ibv_sge *sge);
void to_remote(struct ibv_send_wr *wr, const struct side *s, size_t offset);
void post(struct ibv_qp *qp, struct ibv_send_wr *wr);
void receive(struct ibv_qp *qp, uint64_t id, struct ibv_sge *sge);
/* One completion after pumping; fails when there is none. */
struct ibv_wc completion(struct ibv_cq *cq);
void good(struct ibv_cq *cq, uint64_t id, enum ibv_wc_opcode opcode);
void bad(struct ibv_cq *cq, uint64_t id, enum ibv_wc_status status);
void nothing(struct ibv_cq *cq);
/* Nor remarks. */
void no_violations(void);
void expect_message(const char *part);
void fill(uint8_t *to, size_t length, unsigned seed);

#endif
