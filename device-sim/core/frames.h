/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Ethernet: frames, the rules that say where a frame goes, work queues and how frames spread over them. */
#ifndef FRAMES_H
#define FRAMES_H

#include "sim.h"

#define SIM_MAX_FRAME 9216 /* bytes, without a VLAN tag that the device inserts */
#define SIM_ETHERNET 14 /* bytes of the header */
#define SIM_VLAN 4
#define SIM_CUSTOMER_TAG 0x8100 /* the types that announce a tag */
#define SIM_SERVICE_TAG 0x88a8
#define SIM_MAX_TSO 262144 /* bytes of payload that one request may have */
#define SIM_MAX_TABLES 1024
#define SIM_LOG_TABLE 7 /* places in an indirection table */
#define SIM_MAX_WQS 16384
#define SIM_TOEPLITZ_KEY 40

/* -- frames.c ---------------------------------------------------------------------------------- */

/* The headers of one layer, and those of a frame. All are bytes, without gaps: a rule compares them under a mask. */
struct sim_layer {
    uint8_t dmac[6], smac[6], ether_type[2]; /* the type behind all tags */
    uint8_t has_vlan, vlan[2]; /* 0xff where there is a customer's tag; its 16 bits */
    uint8_t ip, src[16], dst[16]; /* 4 or 6; an IPv4 address has the last 4 bytes */
    uint8_t proto, tos, ttl, flags; /* of IPv4: 2 for "don't fragment", 4 for "more fragments" */
    uint8_t fragment; /* 0xff for one of several */
    uint8_t flow_label[4];
    uint8_t sport[2], dport[2]; /* TCP and UDP */
    uint8_t tcp_flags[2]; /* 9 bits */
};

struct sim_headers {
    struct sim_layer outer, inner;
    uint8_t has_vxlan, vni[3];
    uint8_t has_gre, gre_flags[2], gre_protocol[2], gre_key[4];
    uint8_t mpls_over, mpls[4]; /* what the first label of the stack lies behind: enum sim_mpls */
    uint8_t has_inner_mpls, inner_mpls[4]; /* behind an inner Ethernet header */
    uint8_t has_geneve, geneve[8]; /* its first bytes */
};

enum sim_mpls { SIM_NO_MPLS, SIM_MPLS_ETHERNET, SIM_MPLS_UDP, SIM_MPLS_GRE };

/*
 * Where the headers of a layer are in the frame; 0: it has none, but for the outer Ethernet header, which is there.
 * `end` is behind its last byte, by the IP header.
 */
struct sim_place {
    size_t l2, l3, l4, payload, end;
    bool fragment; /* one of several */
};

struct sim_frame {
    const uint8_t *bytes;
    size_t length;
    struct sim_headers h;
    struct sim_place outer, inner;
    size_t below; /* where begins what a tunnel carries; 0: there is none */
};

static inline uint64_t sim_be(const uint8_t *b, unsigned n)
{
    uint64_t value = 0;

    while (n--)
        value = value << 8 | *b++;
    return value;
}

static inline void sim_put_be(uint8_t *b, unsigned n, uint64_t value)
{
    for (; n; value >>= 8)
        b[--n] = (uint8_t)value;
}

static inline bool sim_is_tag(const uint8_t *type)
{
    return sim_be(type, 2) == SIM_CUSTOMER_TAG || sim_be(type, 2) == SIM_SERVICE_TAG;
}

void sim_parse_frame(struct sim_frame *f, const uint8_t *bytes, size_t length);
static inline bool sim_to_many(const uint8_t *frame)
{
    return frame[0] & 1;
}
/* Fills in the checksums of the outer headers: of IPv4, and of TCP or UDP. */
void sim_fill_checksums(uint8_t *bytes, size_t length, bool l3, bool l4);
bool sim_l3_good(const struct sim_frame *f);
bool sim_l4_good(const struct sim_frame *f);
/* The ones' complement sum of what lies behind the Ethernet header and its tags. */
uint16_t sim_frame_sum(const struct sim_frame *f);
#define SIM_CRC32 0xedb88320u /* the usual polynomial, its bits the other way round */
/* Goes on from a value, and inverts nothing. */
uint32_t sim_crc32(uint32_t crc, uint32_t reversed, const uint8_t *bytes, size_t length);
uint32_t sim_frame_crc(const uint8_t *bytes, size_t length);

/* -- toeplitz.c -------------------------------------------------------------------------------- */

struct sim_rss {
    uint32_t fields; /* IBV_RX_HASH_... */
    uint8_t key[SIM_TOEPLITZ_KEY];
};

uint32_t sim_toeplitz(const uint8_t *key, const uint8_t *data, size_t length);
/* Of the fields that the frame has; `kind` says which, in two bits each: source, destination, and the two ports. */
uint32_t sim_rss_hash(const struct sim_rss *rss, const struct sim_frame *f, uint8_t *kind);

/* -- work_queues.c ----------------------------------------------------------------------------- */

struct sim_wq {
    struct sim_obj obj;
    uint32_t wqn;
    uint64_t user_handle;
    struct sim_pd *pd;
    struct sim_cq *cq;
    struct sim_channel *async;
    uint32_t async_events;
    uint32_t max_wr, max_sge;
    int state; /* IBV_WQS_... */
    bool strip_vlan, with_crc;
    struct sim_recv recv;
    void *hw;
};

struct sim_table {
    struct sim_obj obj;
    uint32_t number;
    unsigned n; /* a power of two */
    struct sim_wq *wq[];
};

int sim_wq_create(struct sim_cmd *cmd);
int sim_wq_create_ex(struct sim_cmd *cmd);
int sim_wq_modify_ex(struct sim_cmd *cmd);
int sim_wq_destroy(struct sim_cmd *cmd);
int sim_wq_destroy_ex(struct sim_cmd *cmd);
int sim_table_create_ex(struct sim_cmd *cmd);
int sim_table_destroy_ex(struct sim_cmd *cmd);
void sim_wq_drop(struct sim_wq *wq);
void sim_table_drop(struct sim_table *t);
void sim_wq_to_error(struct sim_wq *wq);
/* Work queues in error flush their receives. Whether there was one. */
bool sim_wq_step(struct sim_device *dev);

/* -- rules.c: the rules of ports --------------------------------------------------------------- */

struct sim_counters {
    struct sim_obj obj; /* its users are rules */
    uint64_t tally[2]; /* packets, bytes */
    unsigned n; /* where the values go, as the first rule says: 0 while there is none */
    struct {
        uint32_t what, index; /* IBV_COUNTER_... */
    } place[64];
};

#define SIM_RULE_PARTS 5
#define SIM_RULE_CHANGES 2 /* the first of two that change frames */

struct sim_rule {
    struct sim_obj obj;
    struct sim_rule *next; /* in the order that frames are looked at */
    struct sim_device *dev;
    int port, type; /* from 0; IBV_FLOW_ATTR_... */
    unsigned order; /* the smaller, the earlier */
    bool egress; /* it looks at what is sent by the port */
    bool rdma; /* and at packets of queue pairs, not at frames */
    bool go_on, drop; /* later rules see the frame, too; nobody gets it */
    uint32_t tag;
    struct sim_headers value, mask;
    struct sim_qp *qp; /* NULL: nobody */
    struct sim_counters *counters;
    uint64_t *tally; /* packets and bytes, of these or others; NULL: it is not counted */
    struct sim_obj *of[SIM_RULE_PARTS]; /* what else it is made of, or NULL */
    bool carried; /* the vendor carries it out: it changes frames, or leads them to a table */
};

#define SIM_LAST_PRIORITY 15

/* Puts a rule in its place, which is complete but for that. 0, or EEXIST where it contradicts another one. */
int sim_rule_place(struct sim_rule *r);
void sim_rule_drop(struct sim_rule *r);
unsigned sim_rule_order(unsigned priority, bool go_on);
int sim_rule_create_ex(struct sim_cmd *cmd);
int sim_rule_destroy_ex(struct sim_cmd *cmd);
int sim_rule_destroy(struct sim_cmd *cmd);
int sim_counters_create(struct sim_cmd *cmd);
int sim_counters_destroy(struct sim_cmd *cmd);
int sim_counters_read(struct sim_cmd *cmd);

/* -- specs.c: what a rule of the verbs asks for ------------------------------------------------ */
int sim_take_specs(struct sim_context *ctx, const uint8_t *specs, size_t length, unsigned n, struct sim_rule *r);

/* -- switch.c: frames that are sent and received ----------------------------------------------- */

/* What a completion tells of a frame. */
struct sim_arrival {
    const struct sim_frame *frame;
    struct sim_wq *wq; /* that took it, or NULL */
    bool stripped;
    uint16_t vlan;
    uint32_t tag, hash;
    uint8_t hash_kind;
};

/* Sends the frames of the work request that has its turn. */
void sim_send_frames(struct sim_qp *qp);
/* It has found its receiver. Where nothing is posted it is lost, as on a real port. */
void sim_frame_deliver(struct sim_qp *qp, const struct sim_frame *f, uint32_t tag);

/* -- flights.c: frames from port to port, and what rules make of them -------------------------- */

/* A frame on its way through rules and tables, which may change it, and mark it. */
#define SIM_REGISTERS 10 /* C0 to C7, A, B */
#define SIM_REGISTER_A 8
#define SIM_REGISTER_B 9

struct sim_flight {
    struct sim_device *dev;
    int port; /* from 0 */
    bool egress; /* it is about to leave the port; else it has arrived there */
    bool rdma; /* it is a packet of a queue pair, which no rule looks into */
    bool own, to_many; /* it comes back to its port; it is for many */
    uint32_t sender, tag;
    unsigned tables; /* that it came through */
    uint32_t mark[SIM_REGISTERS];
    struct sim_frame frame; /* of these bytes */
    size_t length;
    uint8_t bytes[2 * SIM_MAX_FRAME];
};

/* To be freed; NULL: there is no memory. */
struct sim_flight *sim_flight_copy(const struct sim_flight *f);
/* After a change of the bytes. */
void sim_flight_changed(struct sim_flight *f);
/* To a queue pair, or what its table says; unless it does not want its port's own. */
void sim_flight_deliver(struct sim_flight *f, struct sim_qp *qp);
/* What the rules behind this order make of it. Whether it goes on: never where it has arrived. */
bool sim_flight_steer(struct sim_flight *f, unsigned from_order);
/* Whether it does, and as what: the packet may be another one then. */
bool sim_frame_leaves(const struct sim_qp *qp, struct sim_packet *p);
void sim_frame_arrives(const struct sim_packet *p);
extern struct sim_rule *sim_rules;

#endif
