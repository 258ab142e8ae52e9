/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * DevX: the device's own command language. The kernel hands a command on when it is one of those that it allows, and of
 * an object that the caller has; the device judges the rest. Fields are counted in bits from the start of a mailbox, as
 * the programmer's reference does; all numbers are big-endian.
 */
#ifndef SIM_DEVX_H
#define SIM_DEVX_H

#include "mlx5.h"

enum {
    OP_QUERY_HCA_CAP = 0x100, OP_QUERY_ISSI = 0x10a,
    OP_CREATE_MKEY = 0x200, OP_QUERY_MKEY = 0x201,
    OP_CREATE_CQ = 0x400, OP_QUERY_CQ = 0x402, OP_MODIFY_CQ = 0x403,
    OP_CREATE_PSV = 0x600,
    OP_CREATE_QP = 0x500, OP_RST2INIT_QP = 0x502, OP_INIT2RTR_QP = 0x503, OP_RTR2RTS_QP = 0x504, OP_RTS2RTS_QP = 0x505,
    OP_SQERR2RTS_QP = 0x506, OP_2ERR_QP = 0x507, OP_2RST_QP = 0x50a, OP_QUERY_QP = 0x50b, OP_INIT2INIT_QP = 0x50e,
    OP_CREATE_SRQ = 0x700, OP_QUERY_SRQ = 0x702, OP_ARM_RQ = 0x703,
    OP_CREATE_DCT = 0x710, OP_QUERY_DCT = 0x713,
    OP_CREATE_XRC_SRQ = 0x705, OP_QUERY_XRC_SRQ = 0x707, OP_ARM_XRC_SRQ = 0x708,
    OP_ALLOC_Q_COUNTER = 0x771, OP_QUERY_Q_COUNTER = 0x773,
    OP_ALLOC_PD = 0x800, OP_NOP = 0x80d, OP_ALLOC_XRCD = 0x80e, OP_ALLOC_TRANSPORT_DOMAIN = 0x816,
    OP_QUERY_LAG = 0x842,
    OP_CREATE_TIR = 0x900,
    OP_CREATE_RQ = 0x908, OP_QUERY_RQ = 0x90b,
    OP_CREATE_RMP = 0x90c, OP_QUERY_RMP = 0x90f,
    OP_CREATE_FLOW_TABLE = 0x930, OP_QUERY_FLOW_TABLE = 0x932, OP_CREATE_FLOW_GROUP = 0x933, OP_SET_FLOW_ENTRY = 0x936,
    OP_ALLOC_REFORMAT = 0x93d, OP_QUERY_NIC_VPORT = 0x754, OP_SYNC_STEERING = 0xb00,
    OP_CREATE_TIS = 0x912, OP_MODIFY_TIS = 0x913, OP_QUERY_TIS = 0x915,
    OP_ALLOC_FLOW_COUNTER = 0x939, OP_QUERY_FLOW_COUNTER = 0x93b,
    OP_CREATE_GENERAL_OBJECT = 0xa00, OP_MODIFY_GENERAL_OBJECT = 0xa01, OP_QUERY_GENERAL_OBJECT = 0xa02,
    OP_CREATE_UMEM = 0xa08,
};

enum devx_status {
    DEVX_BAD_OP = 0x02, DEVX_BAD_PARAM = 0x03, DEVX_BAD_RES = 0x05, DEVX_RES_BUSY = 0x06, DEVX_NO_RES = 0x0f,
    DEVX_BAD_QP_STATE = 0x10, DEVX_BAD_INP_LEN = 0x50, DEVX_BAD_OUTP_LEN = 0x51,
};

#define DEVX_SPARE 64 /* zero bytes behind an input, where a number is looked for that a short one does not have */
#define DEVX_EQN 7 /* of the one completion vector */
#define DEVX_OBJECT_FLOW_METER 0x0a /* general objects */
#define DEVX_OBJECT_FLOW_SAMPLER 0x20
#define DEVX_OBJECT_SCHEDULING 0x26
#define DEVX_OBJECT_RESERVED_QPN 0x2c
#define DEVX_OBJECT_AV_QP_MAPPING 0x3a
#define DEVX_LOG_RESERVED 3 /* of the numbers in one of the third kind */

struct devx_object {
    struct sim_obj obj;
    uint16_t opcode; /* of the command that made it: with the id that is its name */
    uint16_t type; /* of a general object, of a flow table */
    uint32_t id;
    uint8_t *body; /* its context, as it was given and changed since */
    size_t size;
    struct devx_object *uses[3];
    struct sim_pd *pd; /* that it lies in, of either kind */
    struct sim_pd *own_pd; /* what ALLOC_PD made */
    struct sim_mkey *mkey;
    uint64_t addr, length; /* of a umem */
    struct sim_mapping behind; /* its memory, if that is a dma-buf's */
    uint32_t access;
    struct sim_qp *qp; /* a queue pair or DC target that DevX made */
    struct sim_srq *srq; /* a receive memory pool */
    struct sim_cq *cq;
    uint64_t *tally; /* of flow counters: packets and bytes of each */
    uint32_t n_tallies;
    struct sim_table *table; /* that is its own */
    uint64_t frames; /* that a sampler had */
    int64_t bucket; /* of a meter: bytes that may pass, and when it was filled */
    uint64_t filled_at;
};

/* A command on its way. `target` is the object of a query or modification, of DevX or of the verbs. */
struct devx_call {
    struct sim_context *ctx;
    const char *name;
    const uint8_t *in;
    uint8_t *out;
    size_t in_length, out_length;
    struct sim_obj *target;
    struct devx_object *made;
};

static inline uint64_t devx_get(const uint8_t *m, unsigned at, unsigned width)
{
    uint64_t value = 0;

    for (unsigned bit = at; bit < at + width; bit++)
        value = value << 1 | (m[bit / 8] >> (7 - bit % 8) & 1);
    return value;
}

static inline void devx_set(uint8_t *m, unsigned at, unsigned width, uint64_t value)
{
    for (unsigned bit = at + width; bit-- > at; value >>= 1)
        m[bit / 8] = (uint8_t)((m[bit / 8] & ~(0x80 >> bit % 8)) | (value & 1 ? 0x80 >> bit % 8 : 0));
}

static inline uint16_t devx_opcode(const uint8_t *in)
{
    return (uint16_t)devx_get(in, 0, 16);
}

/* devx.c */
struct devx_object *devx_find(struct sim_context *ctx, uint16_t opcode, uint32_t id);
/* Whether the mailbox names this object. */
bool devx_names(const uint8_t *in, struct sim_obj *obj);

/* devx_commands.c */
/* 0, or EREMOTEIO with status and syndrome in the mailbox, or another errno where that can't be. */
int devx_execute(struct devx_call *c);
/* The device refuses, because of `width` bits at `at`. The syndrome says which: opcode << 16 | at. */
int devx_refuse(struct devx_call *c, enum devx_status status, unsigned at, unsigned width, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
void devx_object_free(struct devx_object *o);

/* devx_objects.c: what the commands do */
int devx_alloc(struct devx_call *c);
int devx_create_mkey(struct devx_call *c);
int devx_create_cq(struct devx_call *c);
int devx_create_tis(struct devx_call *c);
int devx_modify_cq(struct devx_call *c);
int devx_modify_tis(struct devx_call *c);
int devx_query_lag(struct devx_call *c);
int devx_modify_qp(struct devx_call *c);
int devx_query_body(struct devx_call *c);
int devx_query_cq(struct devx_call *c);
int devx_query_qp(struct devx_call *c);
int devx_query_dct(struct devx_call *c);
int devx_query_srq(struct devx_call *c);
int devx_query_rq(struct devx_call *c);
int devx_query_counters(struct devx_call *c);
int devx_query_caps(struct devx_call *c);

struct devx_object *devx_make(struct devx_call *c, unsigned body_at, size_t size);
void devx_uses(struct devx_object *o, struct devx_object *uses[3]);
struct sim_pd *devx_find_pd(struct devx_call *c, uint32_t number, struct devx_object **devx);
/* The queue pair that a target is, of the verbs or of DevX. */
struct sim_qp *devx_qp_of(struct sim_obj *target);

/* devx_general.c */
int devx_create_general(struct devx_call *c);
int devx_modify_general(struct devx_call *c);
/* The two groups of queues that begin at a bit: whose requests, and whose answers, the queue pair's are. */
int devx_join_groups(struct devx_call *c, struct sim_qp *qp, unsigned at);

/* devx_queues.c */
int devx_create_rmp(struct devx_call *c);
int devx_create_qp(struct devx_call *c);
int devx_create_dct(struct devx_call *c);
int devx_bring_up_qp(struct devx_call *c);

/* devx_ethernet.c */
int devx_create_tir(struct devx_call *c);
int devx_query_qp_tis(struct devx_call *c);
int devx_modify_qp_tis(struct devx_call *c);

/* signatures.c */
int devx_create_psv(struct devx_call *c);

/* devx_events.c */
int devx_command_fd(struct sim_cmd *cmd);
int devx_query_later(struct sim_cmd *cmd, struct devx_call *c);
int devx_event_fd(struct sim_cmd *cmd);
int devx_subscribe(struct sim_cmd *cmd);
void devx_unsubscribe(const struct devx_object *o);

#endif
