/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * What the simulated Gaudi2 keeps. Its rings are of the memory that it lends; addresses in them are the device's own, which the
 * accelerator gives for memory of the process.
 */
#ifndef SIM_HBL_H
#define SIM_HBL_H

#include "../core/sim.h"
#include "commands.h"

#define HBL_QPS 8192 /* numbers of a port; 0 is none */
#define HBL_FIRST_FIFO 1
#define HBL_LAST_FIFO 30
#define HBL_FIRST_CQ 2
#define HBL_LAST_CQ 15
#define HBL_MAX_CQE 8192
#define HBL_CQE 16 /* bytes */
#define HBL_ENCAPS 2
#define HBL_FIFO_ENTRIES 64
#define HBL_FIFO_ENTRY 8 /* bytes */
#define HBL_PAGES 16 /* of registers, of a port */
#define HBL_COLLECTIVES 64 /* of each kind */
#define HBL_BASE_COLLECTIVE 4096
#define HBL_BASE_SCALE_OUT 6144

/* Where in a page of registers: the second one is for the even FIFO, the odd completion queue. */
enum { HBL_AT_FIFO = 0, HBL_AT_FIFO_2 = 0x80, HBL_AT_CQ = 0x100, HBL_AT_CQ_2 = 0x180 };

enum { HBL_MEM_HOST = 1, HBL_MEM_DEVICE = 2 };
enum { HBL_WQ_WRITE = 1 };

/*
 * Why a queue pair broke. Known are the groups (receive side up to 0x18, context 0x40 to 0x4d, transmit 0x80 to 0x95) and
 * KEY, RETRY and INDEX; the others are the simulator's own numbers, each in its group.
 */
enum hbl_syndrome {
    HBL_RX_KEY = 0x10, HBL_RX_ADDRESS = 0x11, HBL_RX_ACCESS = 0x12,
    HBL_RETRY = 0x40, HBL_REMOTE_ACCESS = 0x41, HBL_REMOTE_REQUEST = 0x42, HBL_REMOTE_OPERATION = 0x43,
    HBL_TX_OPCODE = 0x80, HBL_TX_RESERVED = 0x81, HBL_TX_SIZE = 0x82, HBL_TX_ADDRESS = 0x83, HBL_TX_INDEX = 0x91
};

/* Eight bytes that come as one store, or as two with the lower half first. */
struct hbl_pair {
    bool half;
    uint32_t low;
};

struct hbl_fifo {
    bool used;
    uint8_t type;
    unsigned ci; /* area */
    unsigned pushed, taken;
    uint64_t entry[HBL_FIFO_ENTRIES];
    struct hbl_pair pair;
};

struct hbl_port {
    bool set, advanced, device_memory;
    uint32_t queues, elements; /* of the generic array */
    uint8_t granularity;
    int page[HBL_PAGES]; /* areas, -1: not there yet */
    struct hbl_fifo fifo[HBL_LAST_FIFO + 1];
    struct sim_cq *cq[HBL_LAST_CQ + 1];
    bool encap[HBL_ENCAPS];
    struct sim_qp *qp[HBL_QPS];
    bool reserved[2 * HBL_COLLECTIVES]; /* scale-out is the second half */
};

struct hbl_ctx {
    struct hbl_accel *accel;
    uint64_t ports; /* bit 1 is port 1 */
    unsigned busy; /* collectives that are being destroyed, as far as it is told */
    struct hbl_port port[SIM_MAX_PORTS];
};

struct hbl_ring {
    uint32_t number; /* 0: none at this port */
    unsigned ring, pi; /* areas */
    uint64_t written;
    uint32_t taken; /* as the process tells */
    struct hbl_pair pair;
};

struct hbl_cq {
    uint32_t n;
    struct hbl_ring of[SIM_MAX_PORTS];
};

struct hbl_qp {
    uint32_t number; /* on the wire; 0: none */
    int port; /* from 0 */
    uint32_t local_key, remote_key;
    uint32_t size; /* elements of the ring */
    unsigned element; /* bytes */
    int sends, receives; /* areas, -1: none */
    uint32_t rung, taken; /* free running */
    uint8_t type, rejecting; /* the syndrome of the packet that is being judged */
    bool made, loopback, collective, broken;
    int peer_device, peer_port; /* -1: nobody */
};

/* An object of the vendor's: a FIFO or an encapsulation. */
struct hbl_object {
    struct sim_obj obj;
    bool encap;
    int port;
    unsigned number;
};

static inline struct hbl_ctx *hbl_of(const struct sim_context *ctx)
{
    return ctx->hw;
}

/* wires.c */
void hbl_configure_port(struct sim_device *dev, int port);
/* The other end of an internal port: the device, or -1. Its port has the same number. */
int hbl_wired_to(const struct sim_device *dev, int port);

/* device.c: the context that has the device, or NULL; the port by its number in the verbs, or why it can't be used */
struct sim_context *hbl_context(const struct sim_device *dev);
int hbl_usable_port(struct sim_context *ctx, uint32_t number, int *port);

/* accel.c: memory of the process, and the device's addresses for it */
struct sim_node *hbl_open_node(struct sim_device *dev);
int hbl_node_ioctl(struct sim_node *node, unsigned long request, void *arg);
void hbl_close_node(struct sim_node *node);
struct hbl_accel *hbl_accel_use(int fd);
void hbl_accel_unuse(struct hbl_accel *accel);
const char *hbl_span(const struct sim_access *a, uint64_t addr, uint64_t length, struct sim_span *span);

/* ports.c: how ports are set up; FIFOs and encapsulations */
int hbl_method(struct sim_cmd *cmd);
int hbl_prepare_port(struct hbl_port *p, const struct hbl_set_port *in);
int hbl_register_page(struct sim_context *ctx, int port, unsigned page);

/* collective.c */
int hbl_collective(struct sim_cmd *cmd);
uint32_t hbl_collective_offset(int port);
/* The place among reserved of a number on this port, or -1. */
int hbl_collective_place(int port, uint32_t number);

/* cqs.c */
int hbl_create_cq(struct sim_cmd *cmd, struct sim_cq *cq, uint32_t *cqe);
void hbl_free_cq(struct sim_cq *cq);
void hbl_complete(struct sim_cq *cq, const struct sim_completion *c);
void hbl_cq_consumed(struct sim_cq *cq, int port, uint32_t number, uint32_t index);

/* qps.c */
int hbl_create_qp(struct sim_cmd *cmd, struct sim_qp *qp);
int hbl_modify_qp(struct sim_cmd *cmd, struct sim_qp *qp);
int hbl_refuses(const struct sim_qp *qp, const struct ib_uverbs_modify_qp *to, bool known);
void hbl_reset_qp(struct sim_qp *qp);
void hbl_free_qp(struct sim_qp *qp);

/* fifos.c: doorbells */
void hbl_store(struct sim_context *ctx, off_t area, size_t at, uint64_t value, size_t size);
bool hbl_step(struct sim_device *dev);
void hbl_forget_doorbells(struct hbl_port *p, uint32_t number);

/* wqes.c */
bool hbl_has_send(struct sim_qp *qp);
bool hbl_next_send(struct sim_qp *qp, struct sim_wr *wr);
void hbl_check_idle(struct sim_context *ctx);

/* packets.c */
void hbl_route(struct sim_qp *qp, struct sim_packet *p);
struct sim_qp *hbl_arrives(struct sim_device *dev, const struct sim_packet *p);
int hbl_admit(struct sim_qp *qp, const struct sim_packet *p);
void hbl_rejected(struct sim_qp *qp, int answer);
void hbl_break(struct sim_qp *qp, uint8_t syndrome, int event);

#endif
