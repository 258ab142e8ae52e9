/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What the tests of Ethernet share: raw packet queue pairs at ports, frames, and rules. */
#ifndef ETH_KIT_H
#define ETH_KIT_H

#include "kit.h"

#include <infiniband/mlx5dv.h>

#define SLOT 16384 /* a receive's part of the buffer; the sends are in the last quarter */
#define SLOTS 48

/* A queue pair at a port, with its receives. */
struct end {
    struct ibv_context *ctx;
    struct ibv_pd *pd;
    struct ibv_cq_ex *cqx;
    struct ibv_cq *cq, *scq; /* of receives, of sends */
    struct ibv_qp *qp;
    struct ibv_mr *mr;
    uint8_t *buf;
    int port;
};

struct end_how {
    int device, port; /* port 0: the first */
    uint32_t flags, max_tso; /* of the queue pair */
    uint64_t send_ops, dv_flags;
    struct end *with; /* shares context, domain and buffer with this one */
    int receives; /* -1: none; 0: as many as there are slots */
    bool unready; /* it stays in INIT */
};

/* A completion of a receive. */
struct got {
    uint64_t id;
    int status;
    unsigned opcode, flags;
    uint32_t length, tag;
    uint16_t cvlan;
    const uint8_t *bytes;
};

struct end *open_end(const struct end_how *how);
void close_end(struct end *e);
/* The next completion, after pumping; fails where there is none. */
struct got next_of(struct end *e);
void none_of(struct end *e);
void post_slot(struct end *e, unsigned slot, uint32_t length);
/* Sends, and wants a completion without error. */
void send_frame(struct end *e, const uint8_t *frame, size_t length, unsigned flags);
/* Wants exactly this frame there. */
struct got wants_frame(struct end *e, const uint8_t *frame, size_t length);

/* A frame; what is zero is the usual. */
struct frame_of {
    const uint8_t *dmac, *smac;
    uint32_t vlan; /* 0x10000 | the tag's 16 bits; 0: none */
    int ip; /* 4, 6, or -1: none, of `type` */
    uint16_t type;
    uint8_t src[16], dst[16]; /* all zero: the usual */
    uint8_t proto, tos, ttl, tcp_flags;
    uint16_t id, fragment; /* as in the header */
    uint32_t flow_label, seq;
    uint16_t sport, dport;
    const void *payload;
    size_t size;
    bool no_sums; /* the checksums are to be filled in by the device */
};

extern const uint8_t unicast[6], other_unicast[6], multicast[6], source_mac[6];

size_t build(uint8_t *to, const struct frame_of *f);
/* As the standards have it: the checksum of bytes, with what is added to it beforehand. */
uint16_t checksum(const uint8_t *b, size_t length, uint32_t before);
/* Of the frame's TCP or UDP, without a tag or options; 0 when it is right. */
uint16_t transport_check(const uint8_t *frame);

/* Frames of all kinds, no two fields of which have the same value. The size. */
#define IN_PAYLOAD 42 /* where that of an IPv4 frame with UDP begins */
size_t udp4(uint8_t *frame);
size_t tcp4(uint8_t *frame);
size_t udp6(uint8_t *frame);
size_t tagged(uint8_t *frame);
size_t vxlan(uint8_t *frame); /* with a tag, IPv4 and TCP inside */
size_t gre(uint8_t *frame); /* with a checksum, a key and a number; IPv6 and UDP inside */
size_t geneve(uint8_t *frame); /* of Ethernet inside */
size_t mpls_udp(uint8_t *frame);
size_t mpls_gre(uint8_t *frame);
size_t mpls(uint8_t *frame);
size_t mpls_inside(uint8_t *frame); /* of VXLAN, behind an Ethernet header */

/* Rules: what is put behind the attributes, one specification after the other. */
struct rule {
    struct ibv_flow_attr attr;
    uint8_t specs[512];
    size_t used;
};

struct rule new_rule(int type, int priority);
void add_spec(struct rule *r, const void *spec, size_t size);
struct ibv_flow *apply(struct end *e, struct rule *r);
void refused_rule(struct end *e, struct rule *r, int error);
/* All frames to this address. */
struct ibv_flow *to_mac(struct end *e, const uint8_t *mac, int priority);
struct ibv_flow *everything(struct end *e);
void drop_rule(struct ibv_flow *f);

#endif
