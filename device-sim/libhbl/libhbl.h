/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the library that stands in for libhbl know of each other. */
#ifndef LIBHBL_H
#define LIBHBL_H

#include <stddef.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>

#include "hbldv.h"
#include "layout.h"
#include "../hbl/commands.h"

#define EXPORT __attribute__((visibility("default")))
#define DRIVER_ID 21

/* Room for what libibverbs has there, which grows at its front with each release; its end is the public struct. */
#define VERBS_CONTEXT_ROOM 2048

struct context {
    char verbs[VERBS_CONTEXT_ROOM]; /* the first */
    struct ibv_context *base; /* in there */
    uint64_t ports;
    int own_fd; /* of the accelerator, -1: the program's */
    unsigned users; /* of the default context */
};

struct cq {
    struct ibv_cq base; /* the first */
    struct hbldv_query_cq_attr told; /* nothing, of a queue that the verbs made */
    size_t ring_size;
};

struct qp {
    struct ibv_qp base; /* the first */
    uint32_t number;
    void *sends, *receives;
    size_t sends_size, receives_size;
    struct ibv_qp *to_leave; /* whose place it is to take */
};

struct fifo {
    struct hbldv_usr_fifo base; /* the first */
    struct ibv_context *context;
    uint32_t handle;
};

struct encap {
    struct hbldv_encap base; /* the first */
    struct ibv_context *context;
    uint32_t handle;
};

/* In front of the public struct there is the size of all that it is the end of. */
static inline struct context *to_context(struct ibv_context *c)
{
    return (struct context *)((char *)(c + 1) - ((const size_t *)c)[-1]);
}

/* plugin.c: libibverbs' side. Names and places of what is not in its public headers, by its release. */
bool is_ours(struct ibv_device *device);
void *in_libibverbs(const char *name); /* ends the process where it has not that */
#define CALL(type, name, ...) ((type)in_libibverbs(name))(__VA_ARGS__)

/* context.c */
struct verbs_context *open_context(struct ibv_device *device, int cmd_fd, void *attr);
void set_operations(struct verbs_context *context);

/* verbs.c: what the verbs can do */
struct operations {
    void *alloc_pd, *dealloc_pd, *create_cq, *destroy_cq, *create_qp, *create_qp_ex, *destroy_qp, *modify_qp, *query_qp,
        *query_device_ex, *query_port, *free_context;
};
extern const struct operations operations;
int free_context_of(struct ibv_context *context);
struct ibv_cq *make_cq(struct ibv_context *context, int cqe, struct ibv_comp_channel *channel, int vector,
    const struct hbl_make_cq *in);
int change_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, const struct hbl_modify *in);

/* command.c: a method of the kernel's driver */
struct field {
    uint16_t id;
    uint16_t size; /* of an object's handle: 0 */
    bool out;
    uint64_t data; /* address, or handle */
};
#define IN(i, p) {.id = (i), .size = sizeof *(p), .data = (uintptr_t)(p)}
#define OUT(i, p) {.id = (i), .size = sizeof *(p), .out = true, .data = (uintptr_t)(p)}
#define HANDLE(i, h) {.id = (i), .data = (h)}
/* 0 or an errno. A handle that is new is in the field afterwards. */
int command(int fd, uint16_t object, uint16_t method, struct field *field, unsigned n);
int answer(int error); /* sets errno to it, when there is one */
void *map(const struct ibv_context *context, uint64_t handle, size_t size, int prot);

/* log.c: the bytes that came and went */
void log_bytes(const char *function, const char *what, const void *bytes, size_t size);
void log_call(const char *function, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
