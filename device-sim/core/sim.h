/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of the simulator know of each other. The core knows verbs: objects, memory,
 transport. A vendor knows its
 * rings: how a work request, a completion and a doorbell look in memory. They meet in struct sim_vendor.
 */
#ifndef SIM_H
#define SIM_H

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <infiniband/verbs.h>

#include "device_sim.h"

#define SIM_MAX_DEVICES 8
#define SIM_MAX_PORTS 4
#define SIM_PCI_DOMAIN "0051" /* that no machine has */
#define SIM_FIRMWARE "16.35.0"
/* The number of a device's file; /dev/null, which stands for them all, has another. */
#define SIM_DEVICE_MAJOR 231u
#define SIM_DEVICE_MINOR 192u /* and the device's index */
#define SIM_MAX_SGE 64
#define SIM_QPN_BITS 14
#define SIM_MAX_QPS (1 << SIM_QPN_BITS) /* of a device in a process: the numbers that it has */
/* Of completions that an event waits for, and of microseconds that it waits. */
#define SIM_MAX_COUNT 0xffff
#define SIM_MAX_PERIOD 0xfff
#define SIM_MAX_INLINE 1024
#define SIM_MAX_MSG (1u << 30)
#define SIM_MAX_REORDER 64
#define SIM_MAX_DATAGRAM 8928 /* where the vendor has a fabric of its own */
#define SIM_CHUNK 32768u /* the payload of one packet */
#define SIM_GIDS 4
#define SIM_EMPTY_GIDS 2 /* behind those of an Ethernet port of mlx5 */
#define SIM_UD_HEADER 40 /* the room for a GRH in front of a datagram */

struct sim_access;
struct sim_arrival;
struct sim_cmd;
struct sim_context;
struct sim_counters;
struct sim_device;
struct sim_flight;
struct sim_packet;
struct sim_rss;
struct sim_rule;
struct sim_span;
struct sim_table;
struct sim_wq;
struct sockaddr_un;

/* -- objects ----------------------------------------------------------------------------------- */

enum sim_type {
    SIM_PD, SIM_MR, SIM_MW, SIM_CQ, SIM_SRQ, SIM_QP, SIM_AH, SIM_XRCD, SIM_DM, SIM_COUNTER, SIM_VENDOR_OBJECT, SIM_PACING,
    SIM_DEVX_OBJECT, SIM_RULE, SIM_COUNTERS, SIM_WQ, SIM_TABLE, SIM_MATCHER, SIM_DMA_HANDLE, SIM_FLOW_ACTION, SIM_ANCHOR
};

struct sim_obj {
    enum sim_type type;
    uint32_t handle;
    unsigned users; /* objects that refer to this one */
    struct sim_context *ctx;
};

struct sim_pd {
    struct sim_obj obj;
    uint32_t pdn;
};

/*
 * What a key is made of that has no memory of its own: pieces behind other keys, one after the other, for several rounds; in
 * each of them a piece lies further on by its stride.
 */
struct sim_piece {
    uint64_t addr;
    uint32_t length, stride, lkey;
};

#define SIM_MAX_PIECES 56 /* of one work request */

struct sim_pieces {
    unsigned room, n;
    uint32_t rounds;
    uint64_t round; /* bytes of one */
    struct sim_piece piece[];
};

/* Signatures behind the blocks of a key's data, in memory or on the wire. */
enum sim_signed { SIM_SIGNED_NOT, SIM_SIGNED_CRC32, SIM_SIGNED_CRC32C, SIM_SIGNED_DIF_CRC, SIM_SIGNED_DIF_CHECKSUM };

struct sim_domain {
    enum sim_signed kind;
    uint32_t block; /* bytes of data */
    bool ones; /* what it begins with; else zeros */
    bool counts; /* the reference is another one for each block */
    enum { SIM_ESCAPE_NOT, SIM_ESCAPE_APPLICATION, SIM_ESCAPE_BOTH } escape;
    uint16_t application;
    uint32_t reference;
};

struct sim_signature {
    bool on;
    bool same; /* so that bytes may be copied from one to the other */
    uint8_t check, copied; /* which bytes of a signature, the first one in the highest bit */
    struct sim_domain memory, wire;
    bool failed; /* which was told, and not heard yet */
    uint8_t heard; /* what work requests said last */
    uint8_t coming[8]; /* the signature that is arriving */
};

struct sim_signature_error {
    bool wire, is_crc;
    uint8_t differs; /* as `check` */
    uint64_t offset; /* of the block, in the data */
    const uint8_t *is, *wanted;
};

struct sim_mkey {
    uint32_t key; /* index << 8 | a byte that changes with each use of the index */
    struct sim_pd *pd;
    uint64_t iova, length; /* what the peer or the work request addresses */
    uint64_t start; /* where that lies in this process */
    uint32_t access; /* IB_UVERBS_ACCESS_... */
    int window; /* 0 for a memory region, else the type of the memory window */
    bool bound;
    uint32_t qpn; /* windows of type 2 belong to one queue pair */
    uint32_t region; /* the key a window is bound to */
    struct sim_pieces *pieces; /* NULL: it is one piece of memory, or a window; else bound says whether it has some now */
    struct sim_signature *signature; /* NULL: it can't have any */
    bool changeable; /* by work requests */
    bool remote_invalidate; /* the peer may take the memory from it */
};

struct sim_mr { /* memory region or window */
    struct sim_obj obj;
    struct sim_mkey *mkey;
    struct sim_obj *of; /* memory on the device that it is made of, or NULL */
    void *mapped; /* what lies behind a descriptor, or NULL */
    size_t mapped_size;
};

/* What lies behind a descriptor of the process. */
struct sim_mapping {
    void *map; /* NULL: nothing */
    size_t size;
    uint8_t *at; /* inside it */
};

#define SIM_DM_SIZE (128 * 1024) /* bytes that a device has to give */

struct sim_dm { /* memory on the device: a file of its own, so that it can be mapped and exported alone */
    struct sim_obj obj;
    int memfd;
    uint8_t *map;
    size_t size; /* whole pages */
    unsigned start; /* in the first of them */
    uint64_t length;
    unsigned index; /* that the process maps it by */
    uint64_t icm; /* where it lies in the device, for steering; 0: it is none of that */
    struct sim_dm *next_icm;
};

/*
 * A descriptor of the process that the simulator reads or writes behind a pipe: asynchronous events or completion
 * events.
 */
struct sim_channel {
    int read_fd, write_fd; /* read_fd is the number that the process has */
    int own_read_fd; /* our own copy of it, to take back events of an object that is destroyed */
    bool async;
    struct sim_context *ctx;
};

/* A descriptor of the process that whole messages are read from, each with its own read. */
struct sim_messages {
    struct sim_messages *next;
    struct sim_message *first;
    int fd, own_fd; /* the number that the process has; our own copy of it */
    int too_small; /* errno of a reader that has no room for the message, which stays */
    struct sim_context *ctx; /* NULL when it is closed */
    void *owner;
    void (*closed)(struct sim_messages *m); /* the descriptor, or its context */
    void (*taken)(struct sim_messages *m, size_t size); /* may be NULL */
};

struct sim_cq {
    struct sim_obj obj;
    uint32_t cqn;
    uint64_t user_handle;
    struct sim_channel *channel;
    struct sim_channel *async; /* NULL: the context's, here as below */
    uint32_t comp_events, async_events; /* put into the pipes, for the answer to destroy */
    bool overrun;
    bool silent; /* it is none of the verbs', which are not told of it */
    void *hw;
};

struct sim_sge {
    uint64_t addr;
    uint32_t length, lkey;
};

struct sim_recv {
    uint16_t index;
    unsigned n_sge;
    uint64_t length;
    struct sim_sge sge[SIM_MAX_SGE];
};

struct sim_xrcd {
    struct sim_obj obj;
    uint64_t inode; /* of the file that names the domain, 0 for none */
};

struct sim_srq {
    struct sim_obj obj;
    uint32_t srqn;
    uint64_t user_handle;
    int type;
    struct sim_pd *pd;
    struct sim_cq *cq; /* XRC */
    struct sim_xrcd *xrcd;
    uint32_t max_wr, max_sge, limit;
    uint32_t max_tags; /* of one that matches tags */
    struct sim_channel *async;
    uint32_t async_events;
    bool silent; /* it is none of the verbs', which are not told of it */
    void *hw;
};

enum sim_op {
    SIM_SEND, SIM_WRITE, SIM_READ, SIM_CAS, SIM_FETCH_ADD, SIM_BIND, SIM_LOCAL_INV, SIM_NOP,
    SIM_MASKED_CAS, SIM_MASKED_FA, SIM_WAIT, SIM_SEND_ENABLE, SIM_RECV_ENABLE, SIM_UPDATE_KEY,
    SIM_MEMCPY /* from the first piece to the second */
};

/* How a work request changes a key that is made of pieces; what is not changed stays. */
struct sim_update {
    uint32_t key; /* as the work request has it */
    bool if_free, if_bound; /* else it fails */
    bool to_free, to_bound;
    bool has_tag, has_start, has_length, has_pieces, has_invalidate, remote_invalidate;
    uint8_t tag;
    uint32_t access, access_mask; /* IB_UVERBS_ACCESS_... */
    uint64_t start, length;
    unsigned n;
    uint32_t rounds;
    bool has_signature, has_heard;
    struct sim_signature signature;
    uint8_t heard;
};

/* A work request of the send queue as the core understands it, whatever the vendor's descriptor looked like. */
struct sim_wr {
    enum sim_op op;
    uint16_t index; /* of the vendor's descriptor, for the completion */
    uint64_t more_index; /* what more of it comes back there */
    uint8_t vendor_op;
    bool signaled, solicited, has_imm, has_inv;
    uint32_t imm; /* as it lies in memory; or the key to invalidate, in host order */
    int refused; /* IBV_WC_... : complete with this, do not execute */
    uint8_t vendor_err; /* told along with it */
    unsigned n_sge;
    struct sim_sge sge[SIM_MAX_SGE];
    struct sim_piece piece[SIM_MAX_PIECES]; /* of the update */
    uint64_t length;
    uint32_t inline_length; /* of the message so many bytes come first, from here; the pieces follow */
    uint8_t data[SIM_MAX_INLINE];
    uint64_t raddr;
    uint32_t rkey;
    uint64_t compare, swap_add;
    uint64_t compare_mask, swap_mask; /* masked atomics; the first is the boundaries of a fetch and add */
    uint8_t width; /* their bytes: 4 or 8 */
    uint32_t srqn; /* XRC */
    uint32_t dest_qpn, qkey; /* datagrams */
    uint32_t ah; /* handle, where the descriptor names one */
    uint64_t dc_key;
    uint16_t stream;
    bool by_gid;
    uint8_t dgid[16];
    uint8_t sgid_index, sl;
    uint16_t dlid;
    struct {
        uint32_t key, new_key, region, access;
        uint64_t addr, iova, length;
    } bind;
    struct { /* cross channel: the number of a completion queue or queue pair, and how far */
        uint32_t number, index;
    } cross;
    struct sim_update update;
    struct { /* Ethernet: so many of the inline bytes are the header of segments of so many bytes; 0: of one frame */
        uint16_t header, mss;
        bool l3, l4; /* checksums that the device fills in */
        bool tags; /* it inserts this customer's tag */
        uint16_t tag;
    } frame;
};

/* How a message was received that has a tag. */
struct sim_tagged {
    uint8_t how; /* as the vendor's completions have it; 0: no tags are looked at */
    bool matched; /* no receive was taken */
    uint16_t index; /* of the tag in the list */
    uint64_t skip; /* bytes of the message that are not for the memory: its first ones */
    uint32_t length; /* of what is */
    uint8_t header[16];
};

struct sim_group {
    struct sim_group *next;
    uint8_t gid[16];
    uint16_t lid;
};

#define SIM_MULTICAST_QPN 0xffffff

/*
 * Dynamically connected transport, of vendors that have it: an initiator names its target with each request, and a target
 * answers whoever knows its key. Both are of type DRIVER.
 */
enum sim_dc { SIM_NO_DC, SIM_DC_INITIATOR, SIM_DC_TARGET };

#define SIM_DC_PEERS 16

/* What a target remembers of an initiator: the request that it executed last, in case the answer was lost. */
struct sim_dc_peer {
    uint32_t qpn, life, psn;
    uint64_t atomic;
};

struct sim_qp {
    struct sim_obj obj;
    uint32_t qpn;
    int type, state;
    enum sim_dc dc;
    uint64_t dc_key; /* of a target */
    uint32_t dc_life; /* another one after each reset: sequence numbers may start again */
    struct sim_dc_peer dc_peer[SIM_DC_PEERS];
    uint32_t dc_sender; /* of the message that a target is receiving */
    /* Streams of an initiator: an error stops the one that it is of, and the last of so many errors the queue pair. */
    unsigned max_failed_streams; /* 0: it has no streams */
    uint16_t *failed_stream; /* as many as there is room for */
    unsigned n_failed_streams;
    struct sim_pd *pd;
    struct sim_cq *scq, *rcq;
    struct sim_srq *srq;
    struct sim_xrcd *xrcd;
    uint64_t user_handle;
    struct sim_channel *async;
    uint32_t async_events;
    bool silent; /* it is none of the verbs', which are not told of it */
    bool sig_all;
    bool unsolicited; /* writes with immediate take no receive where the peer has this, too */
    bool first; /* it has its turn before others, and needs no pump: the library itself waits for it */
    bool block_self; /* multicasts of its own don't come back to it */
    /* Frames: tags are taken off, checksums put behind, and what its own port sends to one address comes, too. */
    bool strip_vlan, with_crc, own_unicast;
    struct sim_table *table; /* it spreads frames over work queues, and has nothing else */
    struct sim_rss *rss;
    /* Cross channel: it may wait for others and enable them; others enable its sends, or its receives. */
    bool cross_master, managed_send, managed_recv;
    bool last_wqe_told, comm_est_told, draining;
    unsigned opens; /* by ibv_open_qp, beyond the creation */
    struct ib_uverbs_qp_cap cap;
    struct ib_uverbs_modify_qp attr; /* what modify set, merged */

    struct sim_group *groups; /* multicast groups of a datagram queue pair */

    /* requester */
    bool active; /* wr is under way */
    bool waiting; /* for an answer of another process */
    struct sim_wr wr;
    uint64_t done; /* bytes of wr that were answered for */
    uint32_t psn;
    unsigned tries, rnr_tries; /* left */
    uint64_t not_before; /* clock, ns: a retry waits for this in thread mode */
    bool again; /* the packet was sent before */
    struct sim_flow *parked; /* work requests that are put aside, where no order is kept */
    unsigned n_parked;
    bool retry_turn; /* they have it, before new ones */
    uint32_t next_psn; /* there each packet has a number of its own */
    uint32_t rate, burst; /* kbit/s, 0: no limit; bytes that may go ahead of it */
    uint64_t paced_until; /* clock, ns: what was sent takes that long at this rate */

    /* responder */
    bool receiving;
    struct sim_recv recv;
    struct sim_srq *recv_srq;
    struct sim_tagged tagged;
    uint64_t received;
    uint32_t epsn;
    uint64_t last_atomic; /* the answer to the last one, in case it was lost */
    struct sim_seen *seen; /* what came, where no order is kept */

    void *hw;
};

struct sim_ah {
    struct sim_obj obj;
    struct sim_pd *pd;
    uint8_t gid[16];
    bool answered; /* somebody there did, ever */
};

struct sim_completion {
    struct sim_qp *qp;
    struct sim_srq *srq; /* the receive came from here */
    bool responder;
    int status; /* IBV_WC_... */
    enum sim_op op;
    uint8_t vendor_op;
    uint8_t vendor_err;
    uint16_t index;
    uint64_t more_index;
    uint32_t length;
    bool solicited, has_imm, has_inv, grh;
    bool unsolicited; /* no receive was taken */
    uint32_t imm;
    uint32_t src_qp;
    uint16_t slid;
    uint8_t sl;
    const uint8_t *sgid; /* of the sender, or NULL */
    const uint8_t *data; /* bytes that travel in the completion itself, or NULL */
    const struct sim_arrival *arrival; /* of a frame; then the queue pair may be NULL */
    const struct sim_tagged *tagged; /* NULL: no tags are looked at */
};

/* -- devices and contexts ---------------------------------------------------------------------- */

struct sim_port {
    uint16_t lid;
    int state; /* IBV_PORT_... */
    bool internal; /* wired to another device, no Ethernet around it */
    unsigned n_gids;
    uint8_t gid[SIM_GIDS][16];
};

enum { SIM_CROSS_WAITS, SIM_CROSS_DONE, SIM_CROSS_FAILED };

#define SIM_TYPE(type) (1u << ((type) & 31))

/* Whether single accesses to a part that is mapped are of interest: reads are wrong, of a doorbell stores are looked at. */
enum sim_watch { SIM_WATCH_NOTHING, SIM_WATCH_STORES, SIM_WATCH_READS,
    SIM_WATCH_OPERATIONS /* loads and stores, which the vendor carries out */,
    SIM_WATCH_REQUESTS /* stores of which the last one does not tell what those before it asked for */,
    SIM_WATCH_REGISTERS /* each store is carried out by the vendor, whatever the settings; nothing is read there */ };

#define SIM_PAGE 4096

/* -- areas.c: all that a device lends to the process lies in one file in memory, each part at an offset of its own -- */
struct sim_area {
    off_t at;
    size_t size;
    uint8_t *map;
    bool writable; /* by the process */
    enum sim_watch watch;
};

struct sim_areas {
    int memfd;
    off_t end;
    struct sim_area *area;
    unsigned n;
};

bool sim_areas_open(struct sim_context *ctx);
void sim_areas_close(struct sim_context *ctx);
/* The index of a new area, -1 when there is no memory. */
int sim_lend(struct sim_context *ctx, size_t size, bool writable, enum sim_watch watch);
void sim_take_back_area(struct sim_context *ctx, unsigned area);
/* What a vendor that has no others can have as its `map` and `watch`. */
int sim_map_area(struct sim_context *ctx, off_t offset, size_t length, int prot, int *fd, off_t *at);
enum sim_watch sim_watch_area(const struct sim_context *ctx, off_t offset);

struct sim_vendor {
    const char *name;
    const char *device_name; /* format with the index */
    const char *modalias; /* format with the part's number, twice */
    int driver_id, abi_version;
    uint32_t vendor_id, part_id; /* as query_device tells them */
    uint16_t pci_vendor; /* as sysfs tells it */
    uint32_t pci_class;
    const char *driver; /* of the kernel */
    int node_type; /* RDMA_NODE_... of sysfs */
    bool own_fabric; /* neither Ethernet nor InfiniBand */
    bool bare; /* nothing of query_device_ex but what the core's struct has; no memory windows */
    bool no_regions; /* memory is not registered with it */
    bool mtu_8192; /* path MTU 6; and 0, which is the default */
    bool counts_from_zero; /* the number of a queue pair that creation tells: the one on the wire comes later */
    int first_port; /* of its events: 1 as in the verbs, or 0 */
    void (*configure)(struct sim_device *dev); /* part_id, when there are several; else NULL */
    void (*configure_port)(struct sim_device *dev, int port); /* where it is not as the core says; may be NULL */
    uint32_t qp_types; /* SIM_TYPE(IB_UVERBS_QPT_...) */
    size_t qp_hw_size, cq_hw_size, srq_hw_size, wq_hw_size, ctx_hw_size;
    bool frames; /* on Ethernet: raw packets, rules and work queues */

    int (*get_context)(struct sim_cmd *cmd);
    int (*query_context)(struct sim_cmd *cmd); /* NULL: a context can't be imported */
    void (*free_context)(struct sim_context *ctx);
    /* Before anything else of a context is freed: objects of the vendor that the core can't put in order. NULL: none. */
    void (*free_objects)(struct sim_context *ctx);
    /* Work beside the queue pairs; whether there was some. May be NULL. */
    bool (*step)(struct sim_device *dev);
    int (*query_device)(struct sim_cmd *cmd);
    void (*fill_device)(struct ib_uverbs_query_device_resp *r); /* where it is not as the core says; may be NULL */
    uint32_t (*rights)(const struct sim_device *dev); /* that a region may have; NULL: all that there are */
    uint32_t query_mask; /* what may be asked of a queue pair; 0: anything */
    /* What the vendor's driver refuses of a change: 0 or an errno. `known`: the states are judged, and right. May be NULL. */
    int (*refuses)(const struct sim_qp *qp, const struct ib_uverbs_modify_qp *to, bool known);
    uint64_t (*next_timer)(const struct sim_context *ctx); /* clock, ns, of the first that runs, or 0; may be NULL */
    void (*run_timers)(struct sim_context *ctx);
    int (*alloc_pd)(struct sim_cmd *cmd, struct sim_pd *pd);
    int (*create_ah)(struct sim_cmd *cmd, struct sim_ah *ah, const struct ib_uverbs_ah_attr *attr);
    void (*free_ah)(struct sim_ah *ah); /* may be NULL */
    bool cq_in_memory; /* a completion queue may lie in memory of the process */
    int (*create_cq)(struct sim_cmd *cmd, struct sim_cq *cq, uint32_t *cqe);
    int (*resize_cq)(struct sim_cmd *cmd, struct sim_cq *cq, uint32_t *cqe);
    int (*modify_cq)(struct sim_cq *cq, uint16_t count, uint16_t period); /* NULL: events can't be moderated */
    /* Whether the queue pair's rate can be limited to this, and *burst, which the vendor's part of the command has. */
    int (*limit_rate)(struct sim_cmd *cmd, const struct sim_qp *qp, uint32_t rate, uint32_t *burst); /* NULL: never */
    int (*create_srq)(struct sim_cmd *cmd, struct sim_srq *srq);
    void (*free_srq)(struct sim_srq *srq); /* may be NULL */
    /* What a device that matches tags tells of itself; NULL: none does. */
    void (*tag_caps)(const struct sim_device *dev, struct ib_uverbs_tm_caps *caps);
    /* Looks at a message's tag. True where the memory for it is found by that: as a receive. */
    bool (*match)(struct sim_qp *qp, struct sim_srq *srq, const struct sim_packet *p);
    int (*create_qp)(struct sim_cmd *cmd, struct sim_qp *qp);
    int (*modify_qp)(struct sim_cmd *cmd, struct sim_qp *qp);
    void (*tell_silent)(struct sim_qp *qp, int event); /* where there are some */
    void (*tell_silent_cq)(struct sim_cq *cq, bool error); /* of a completion, or of an overrun */
    void (*free_qp)(struct sim_qp *qp); /* may be NULL, as the next one */
    void (*free_cq)(struct sim_cq *cq);
    void (*free_counter)(struct sim_obj *counter);
    void (*reset_qp)(struct sim_qp *qp);
    /* An object or method of the vendor's own; -1 when it is not known. */
    int (*method)(struct sim_cmd *cmd);
    /* Gives the memory behind an offset of the device file: which file, and where in it. 0 or an errno. */
    int (*map)(struct sim_context *ctx, off_t offset, size_t length, int prot, int *fd, off_t *at);
    enum sim_watch (*watch)(const struct sim_context *ctx, off_t offset); /* NULL: nothing of it can be watched */

    /* A store to registers (SIM_WATCH_REGISTERS): where in the area that was mapped by this offset. */
    void (*store)(struct sim_context *ctx, off_t area, size_t at, uint64_t value, size_t size);
    /* A store of the value, or a load that is given one (SIM_WATCH_OPERATIONS). */
    void (*operate)(struct sim_context *ctx, off_t area, size_t at, uint64_t *value, unsigned size, bool write);
    /* With an address space of its own: NULL and where it lies in the process, or what is wrong. NULL: by memory keys. */
    const char *(*span)(const struct sim_access *a, uint64_t addr, uint64_t length, struct sim_span *span);
    /* Numbers of queue pairs that are a port's own: where a packet goes, and who it is for. NULL: numbers are the core's. */
    void (*route)(struct sim_qp *qp, struct sim_packet *p);
    struct sim_qp *(*arrives)(struct sim_device *dev, const struct sim_packet *p);
    /* Whether a packet may be executed: SIM_ACK, or what to answer. May be NULL. */
    int (*admit)(struct sim_qp *qp, const struct sim_packet *p);
    /* What a queue pair that broke on a request tells. NULL: the events of the verbs. */
    void (*rejected)(struct sim_qp *qp, int answer);

    /* Another file of the device: its path, with the index; NULL: none. Closed when no descriptor is left. */
    const char *node;
    struct sim_node *(*open_node)(struct sim_device *dev);
    int (*node_ioctl)(struct sim_node *node, unsigned long request, void *arg);
    void (*close_node)(struct sim_node *node);

    void (*look_at_doorbells)(struct sim_context *ctx);
    void (*look_at_page_of)(struct sim_qp *qp); /* where that queue pair's are, alone; of those that are first */
    bool (*has_send)(struct sim_qp *qp);
    bool wakes; /* calls sim_wake where has_send becomes true, so that it need not be asked all the time */
    /* Takes the next descriptor of the ring, checks it and tells what it says. False when there is none. */
    bool (*next_send)(struct sim_qp *qp, struct sim_wr *wr);
    /* 1: taken, 0: none there, -1: it was no valid descriptor. */
    int (*next_recv)(struct sim_qp *qp, struct sim_srq *srq, struct sim_recv *recv);
    unsigned (*srq_posted)(struct sim_srq *srq);
    int (*create_wq)(struct sim_cmd *cmd, struct sim_wq *wq); /* these where it has frames */
    void (*reset_wq)(struct sim_wq *wq);
    int (*next_wq_recv)(struct sim_wq *wq, struct sim_recv *recv); /* as next_recv */
    /* What the vendor's part of a rule says about its counters, or that it must say something. */
    int (*rule_counters)(struct sim_cmd *cmd, struct sim_counters *counters);
    /* A rule that is carried out has matched. Whether the frame goes on: never where it has arrived. */
    bool (*carry_out)(const struct sim_rule *r, struct sim_flight *f);
    void (*free_icm)(struct sim_dm *dm); /* memory for steering */
    /* Whether the queue pair may be read and written from this address. NULL: from any. */
    bool (*knows)(const struct sim_qp *qp, const uint8_t *gid);
    /* Carries out a request of cross channel: SIM_CROSS_... NULL: no device of this kind has it. */
    int (*cross)(struct sim_qp *qp, const char **why);
    /* The peer has read or written memory of the queue pair's, to the end of its request. May be NULL. */
    void (*served)(struct sim_qp *qp, enum sim_op op);
    /* How many bytes may travel in a completion instead of being written to memory. */
    unsigned (*completion_room)(struct sim_qp *qp, bool responder);
    void (*complete)(struct sim_cq *cq, const struct sim_completion *c);
    /* A signature of the key's data is wrong. NULL: no key of this vendor has any. */
    void (*signature_failed)(const struct sim_access *a, const struct sim_mkey *m, const struct sim_signature_error *e);
    /* Reports work that was announced by half: written, but no doorbell. */
    void (*check_idle)(struct sim_context *ctx);
    void (*set_clock)(struct sim_context *ctx, uint64_t ticks);
};

struct sim_device {
    int index;
    char name[16];
    const struct sim_vendor *vendor;
    uint32_t part_id;
    char modalias[80];
    int n_ports;
    unsigned n_gids;
    int link_layer; /* IBV_LINK_LAYER_... */
    uint64_t guid;
    struct sim_port port[SIM_MAX_PORTS];

    struct sim_mkey **mkey;
    uint32_t n_mkeys;
    struct sim_qp **qp; /* NULL where one was destroyed */
    uint64_t *awake; /* a bit for each: whether it may have something to do */
    uint32_t n_qps, turn;
    uint32_t next_number; /* cqn, srqn, pdn */
    uint64_t dm_used; /* bytes of memory on the device */
    unsigned n_wqs;
    uint8_t key_variant;  /* the consumer's part of the next memory key */
};

struct sim_context {
    unsigned descriptors; /* that the process has of it: the first, and duplicates */
    bool inherited; /* by a child of fork: a copy, whose queues are the parent's */
    struct sim_device *dev;
    struct sim_obj **obj; /* by handle */
    uint32_t n_objs;
    struct sim_channel *async; /* the first; importing a context makes another */
    struct sim_channel **channel;
    uint32_t n_channels;
    bool ready; /* GET_CONTEXT was answered */
    struct sim_areas areas; /* of a vendor that lends some */
    void *hw;
};

static inline uint8_t *sim_area(const struct sim_context *ctx, unsigned area)
{
    return ctx->areas.area[area].map;
}

/* What the process maps it by. */
static inline uint64_t sim_area_key(const struct sim_context *ctx, unsigned area)
{
    return (uint64_t)ctx->areas.area[area].at;
}

struct sim_config {
    int n_devices, n_ports;
    int tick; /* of the devices' clock, in nanoseconds */
    bool thread, infiniband, quiet, no_devx, no_cm, lag, caps, watch, no_watch;
    unsigned reorder;
    int internal; /* ports of an hbl device that are wired to others of its kind */
    const char *rendezvous;
};

extern struct sim_config sim_config;
extern struct sim_device sim_devices[SIM_MAX_DEVICES];
/* Those that are open, with NULL where one was closed. */
extern struct sim_context *sim_contexts[];
extern int sim_n_contexts;
#define SIM_MAX_CONTEXTS 1024

/* Whether the devices look at it: it is open, and not a child's copy. */
static inline bool sim_is_live(const struct sim_context *ctx)
{
    return ctx && ctx->ready && !ctx->inherited;
}

extern const struct sim_vendor sim_mlx5, sim_efa, sim_hbl;

static inline unsigned sim_empty_gids(const struct sim_device *dev)
{
    return dev->link_layer == IBV_LINK_LAYER_ETHERNET && dev->vendor == &sim_mlx5 ? SIM_EMPTY_GIDS : 0;
}

static inline bool sim_has_frames(const struct sim_device *dev)
{
    return dev->vendor->frames && dev->link_layer == IBV_LINK_LAYER_ETHERNET;
}

/* -- config.c: what there is, by the environment -- */
void sim_configure(void);
bool sim_port_has(const struct sim_device *dev, int port, bool by_gid, const uint8_t *gid, uint16_t lid);

/* -- sysfs.c: the tree that libibverbs finds devices in -- */
int sim_write_sysfs(const char *root);

/* -- interpose.c -- */
enum sim_fd_kind { SIM_FD_NONE, SIM_FD_CONTEXT, SIM_FD_CHANNEL, SIM_FD_MESSAGES, SIM_FD_NODE, SIM_FD_NETLINK,
    SIM_FD_ROUTE, SIM_FD_CM };
/* A descriptor of another file that the vendor has for its devices. */
struct sim_node {
    struct sim_device *dev;
};
void sim_fd_set(int fd, enum sim_fd_kind kind, void *what);
void *sim_fd_get(int fd, enum sim_fd_kind kind);
void sim_fd_forked(void); /* they are this process' now */

/* -- netlink.c: RDMA's netlink -- */
struct sockaddr;
struct sim_netlink *sim_netlink_open(int type, int *fd);
void sim_netlink_close(struct sim_netlink *n);
void sim_netlink_bind(struct sim_netlink *n, const struct sockaddr *address, size_t size);
/* Of the socket; NULL: of the kernel. */
void sim_netlink_address(const struct sim_netlink *n, void *to, size_t room, uint32_t *size);
void sim_netlink_take(struct sim_netlink *n, const void *data, size_t size);

/* -- cm.c: the file of the connection manager -- */
struct cm_file;
#define SIM_CM_MAJOR 10u
#define SIM_CM_MINOR 121u
#define SIM_CM_ABI 4
struct cm_file *sim_cm_open(int *fd);
void sim_cm_closed(struct cm_file *file); /* one of its descriptors */
void sim_cm_shared(struct cm_file *file); /* it has one more */
int sim_cm_write(struct cm_file *file, int fd, const void *from, size_t size); /* 0 or an errno */
void sim_cm_forked(void);

/* -- watch.c: every access to what is mapped, seen -- */
bool sim_can_watch(void);
void sim_watch_begin(struct sim_context *ctx, void *start, size_t length, off_t offset, enum sim_watch kind);
/* -- stores.c: the store that an instruction makes. The length of the instruction, 0 where it is none that is known. -- */
struct sim_store {
    uint64_t value;
    unsigned size; /* bytes: 4 or 8 */
};
unsigned sim_decode_store(const void *ucontext, struct sim_store *store);
/* One of 1 to 8 bytes by a move between memory and a general register, or of a number: the same. */
struct sim_transfer {
    bool write;
    uint64_t value; /* of a store */
    unsigned size;
    unsigned number, width, shift; /* of a load: the register, the bits of it that are written and from which on */
    bool sign; /* extended */
};
unsigned sim_decode_transfer(const void *ucontext, struct sim_transfer *t);
void sim_finish_load(void *ucontext, const struct sim_transfer *t, uint64_t value);
void sim_watch_end(const void *start, size_t length);
void sim_watch_end_all(const struct sim_context *ctx);

/* -- report.c: what the simulator says -- */
void sim_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Something that is not simulated: said, counted, and `error` is the answer. */
int sim_refuse(const struct sim_context *ctx, int error, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The device found a descriptor or doorbell that no correct library writes. hex may be NULL. */
void sim_violation(const void *hex, size_t length, size_t at, size_t width, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* Something that means nothing to the device, and that some programs leave behind. Said, not counted. */
void sim_remark(const void *hex, size_t length, size_t at, size_t width, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* A key or a bound that the application got wrong: an error completion, not a broken descriptor. */
void sim_key_error(const void *hex, size_t length, size_t at, size_t width, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* A command that the device refuses: the application's mistake, told by the command's status. */
void sim_command_error(const void *hex, size_t length, size_t at, size_t width, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
void sim_count(enum device_sim_counter counter);

/* -- uverbs.c: the ioctl -- */
struct sim_cmd {
    struct sim_context *ctx;
    struct ib_uverbs_ioctl_hdr *hdr;
    uint32_t write_cmd; /* of INVOKE_WRITE */
};
int sim_ioctl(struct sim_context *ctx, struct ib_uverbs_ioctl_hdr *hdr);
struct ib_uverbs_attr *sim_attr(struct sim_cmd *cmd, uint16_t id);
bool sim_in(struct sim_cmd *cmd, uint16_t id, void *to, size_t size);
uint64_t sim_in_u64(struct sim_cmd *cmd, uint16_t id, uint64_t none);
void *sim_in_obj(struct sim_cmd *cmd, uint16_t id, enum sim_type type);
void sim_out(struct sim_cmd *cmd, uint16_t id, const void *from, size_t size);
void sim_out_obj(struct sim_cmd *cmd, uint16_t id, const struct sim_obj *obj);
size_t sim_out_room(struct sim_cmd *cmd, uint16_t id);
/* The vendor's part of a command. */
bool sim_in_driver(struct sim_cmd *cmd, void *to, size_t size);
void sim_out_driver(struct sim_cmd *cmd, const void *from, size_t size);

/* -- write_cmds.c: the commands inside INVOKE_WRITE -- */
int sim_write_cmd(struct sim_cmd *cmd);

/* -- objects.c -- */
struct sim_context *sim_context_open(struct sim_device *dev);
void sim_context_close(struct sim_context *ctx);
void sim_contexts_forked(void);
void *sim_obj_new(struct sim_context *ctx, enum sim_type type, size_t size);
void *sim_obj_get(struct sim_context *ctx, uint32_t handle, enum sim_type type);
int sim_obj_destroy(struct sim_obj *obj);
void sim_obj_drop(struct sim_obj *obj); /* whatever still refers to it */
int sim_cq_create(struct sim_cmd *cmd);
int sim_cq_destroy(struct sim_cmd *cmd);
int sim_qp_destroy(struct sim_cmd *cmd);
int sim_attach(struct sim_qp *qp, const uint8_t *gid, uint16_t lid);
int sim_detach(struct sim_qp *qp, const uint8_t *gid, uint16_t lid);
int sim_srq_create(struct sim_cmd *cmd);
int sim_srq_destroy(struct sim_cmd *cmd);
struct sim_qp *sim_qp_find(struct sim_device *dev, uint32_t qpn);
/* A queue pair may have something to do. */
void sim_wake(const struct sim_qp *qp);
struct sim_srq *sim_srq_find(struct sim_device *dev, uint32_t srqn);

/* -- qp_create.c -- */
/* One that is not in its place yet; NULL: there is no memory. */
struct sim_qp *sim_qp_begin(struct sim_context *ctx, int type);
/* Its parents are known: they are used, and it gets its number. 0 or an errno. */
int sim_qp_place(struct sim_qp *qp);
int sim_qp_create(struct sim_cmd *cmd);
int sim_qp_create_ex(struct sim_cmd *cmd, const struct ib_uverbs_ex_create_qp *in,
    struct ib_uverbs_ex_create_qp_resp *r);

/* -- qp_state.c -- */
int sim_qp_modify(struct sim_qp *qp, const struct ib_uverbs_modify_qp *to);
void sim_qp_to_error(struct sim_qp *qp);
void sim_qp_defaults(struct sim_qp *qp);

/* -- memory.c -- */
#define SIM_NULL_KEY 0x1ff /* reads as zero, swallows what is written; no other key has the index 1 */
struct sim_mkey *sim_mkey_new(struct sim_device *dev, struct sim_pd *pd);
struct sim_mkey *sim_mkey_find(struct sim_device *dev, uint32_t key);
void sim_mkey_free(struct sim_device *dev, struct sim_mkey *mkey);
int sim_check_access(const struct sim_device *dev, uint32_t access);
int sim_set_region(struct sim_mkey *m, uint64_t start, uint64_t length, uint64_t iova);
/* Who accesses memory by a key. The domain may be NULL, which is any. */
struct sim_access {
    struct sim_device *dev;
    const struct sim_pd *pd;
    uint32_t qpn, key, access;
    bool remote; /* the peer's */
};

/* Bytes that lie next to each other; `nowhere`: they read as zero, and what is written to them vanishes. */
struct sim_span {
    uint64_t at, length;
    bool nowhere;
};

/* NULL and the first bytes of a range, or what is wrong with the access. */
const char *sim_mem_span(const struct sim_access *a, uint64_t addr, uint64_t length, struct sim_span *span);
/* Whatever signatures the key has: as it is in memory. */
const char *sim_mem_copy_plain(const struct sim_access *a, uint64_t addr, void *buffer, size_t length, bool write);

/* -- signatures.c -- */
struct sim_mkey *sim_signed(struct sim_device *dev, uint32_t key); /* the key, or NULL where its data has no signatures */
unsigned sim_signature_size(const struct sim_domain *d);
/* As descriptors name data, to what is on the wire. */
void sim_signed_piece(struct sim_device *dev, struct sim_sge *sge);
const char *sim_signed_check(const struct sim_access *a, const struct sim_mkey *m, uint64_t addr, uint64_t length);
const char *sim_signed_copy(const struct sim_access *a, struct sim_mkey *m, uint64_t addr, uint8_t *b, size_t length, bool write);

/* -- memory.c, pieces.c -- */
/* The same of a key that is made of pieces; `depth` says how many of those are around it. */
const char *sim_pieces_span(const struct sim_access *a, const struct sim_mkey *m, uint64_t addr, uint64_t length,
    unsigned depth, struct sim_span *span);
const char *sim_key_span(const struct sim_access *a, uint64_t addr, uint64_t length, unsigned depth,
    struct sim_span *span);
/* NULL, or what is wrong with the access to a whole range. */
const char *sim_mem_check(const struct sim_access *a, uint64_t addr, uint64_t length);
/* Copies a range to or from a buffer. NULL, or what is wrong. */
const char *sim_mem_copy(const struct sim_access *a, uint64_t addr, void *buffer, size_t length, bool write);
/* Whether the process has memory there, writable if `write`. */
bool sim_mem_mapped(uint64_t at, bool write);
bool sim_mem_read(void *to, uint64_t from, size_t length);
bool sim_mem_write(uint64_t to, const void *from, size_t length);
bool sim_mem_atomic(uint64_t at, bool cas, uint64_t compare, uint64_t swap_add, uint64_t *before);
/* Whether it is an atomic, masked or not. */
bool sim_is_atomic(int op);
struct sim_packet;
bool sim_mem_masked(uint64_t at, const struct sim_packet *p, uint64_t *before);
bool sim_bind(struct sim_qp *qp, const struct sim_wr *wr, const char **why);
/* The domain is that of the receives where the queue pair has none. */
bool sim_invalidate(struct sim_qp *qp, const struct sim_pd *pd, uint32_t key, bool by_peer, const char **why);
/* Copies between a list of pieces and a buffer, from byte `offset` of the list. Tells what is wrong, or NULL. */
const char *sim_gather(struct sim_qp *qp, const struct sim_sge *sge, unsigned n, uint64_t offset, void *to,
    size_t length);
const char *sim_scatter(struct sim_qp *qp, struct sim_pd *pd, const struct sim_sge *sge, unsigned n, uint64_t offset,
    const void *from, size_t length);

/* -- pieces.c: keys that are made of pieces -- */
struct sim_pieces *sim_pieces_new(unsigned room);
bool sim_update_key(struct sim_qp *qp, const struct sim_wr *wr, const char **why);

/* -- regions.c: regions that come by an ioctl, and memory on the device -- */
int sim_reg_dmabuf(struct sim_cmd *cmd);
int sim_reg_mr(struct sim_cmd *cmd);
/* Maps what a program has given by a descriptor; 0 or an errno. */
int sim_map_behind(int fd, uint64_t offset, uint64_t length, struct sim_mapping *m);
int sim_advise_mr(struct sim_cmd *cmd);
int sim_alloc_dm(struct sim_cmd *cmd, struct sim_dm **made);
int sim_free_dm(struct sim_cmd *cmd);
int sim_reg_dm_mr(struct sim_cmd *cmd);
void sim_dm_drop(struct sim_dm *dm);
struct sim_dm *sim_dm_find(struct sim_context *ctx, unsigned index);

/* -- events.c -- */
struct sim_channel *sim_channel_new(struct sim_context *ctx, bool async);
void sim_channel_closed(struct sim_channel *ch);
/* To all channels of a context. */
void sim_async(struct sim_context *ctx, int event, uint64_t element);
/* The channel that the command names for events of the object that it makes; it stays as it was where there is none. */
int sim_async_wanted(struct sim_cmd *cmd, uint16_t attr, struct sim_channel **to);
void sim_async_port(struct sim_device *dev, int event, int port);
void sim_async_qp(struct sim_qp *qp, int event);
void sim_async_cq(struct sim_cq *cq, int event);
void sim_async_srq(struct sim_srq *srq, int event);
void sim_async_wq(struct sim_wq *wq, int event);
void sim_comp_event(struct sim_cq *cq);
/* Takes events of an object that the process did not read out of the pipe; how many. */
unsigned sim_take_back(struct sim_channel *ch, uint64_t element);

/* -- messages.c -- */
struct sim_messages *sim_messages_new(struct sim_context *ctx, int too_small, void *owner,
    void (*closed)(struct sim_messages *m));
/* The tag is the writer's, to find the message again. False where there is no memory. */
bool sim_messages_put(struct sim_messages *m, const void *tag, const void *data, size_t size);
bool sim_messages_has(const struct sim_messages *m, const void *tag);
void sim_messages_drop(struct sim_messages *m, const void *tag);
void sim_messages_closed(struct sim_messages *m);
void sim_messages_end(struct sim_context *ctx);
ssize_t sim_messages_read(int fd, void *to, size_t room);

/* -- wire.c: packets between queue pairs, within this process or to another one -- */
enum sim_answer { SIM_ACK, SIM_RNR, SIM_NAK_SEQUENCE, SIM_NAK_REQUEST, SIM_NAK_ACCESS, SIM_NAK_OPERATION,
    /* SRD: no such queue pair; the sender has no address handle there, which remote access wants */
    SIM_NAK_QPN, SIM_NAK_PEER, SIM_LOST };

struct sim_packet {
    uint32_t magic;
    uint8_t is_answer, op, answer, type;
    uint8_t first, last, solicited, has_imm;
    uint8_t has_inv, by_gid, sl, rnr_timer;
    uint8_t dc, unsolicited, again;
    uint32_t src_qpn, dest_qpn, src_slot;
    uint8_t sgid[16], dgid[16];
    uint16_t slid, dlid;
    uint32_t qkey, psn, rkey, imm, srqn, dc_life;
    /* Where numbers are a port's own: the device and its port, and the sender's number there. */
    uint8_t by_port, to_device, to_port, from_device, from_port;
    uint32_t from_number, to_slot; /* 1 + the slot of the process, 0: the number tells */
    uint64_t raddr, compare, swap_add, compare_mask, swap_mask, total, dc_key;
    uint8_t width;
    uint32_t wanted; /* bytes that a read asks for */
    uint32_t length; /* of data */
    uint8_t data[SIM_CHUNK];
};

void sim_wire_open(void);
uint32_t sim_wire_slot(void); /* this process' place */
/* The name of a file of a slot; false where it is too long. */
bool sim_wire_address(struct sockaddr_un *to, uint32_t slot, const char *suffix);
void sim_wire_forked(void); /* a child has a place of its own, when it opens a device */
uint32_t sim_first_qpn(void);
/* The process that has the device open alone: false when another one has. Where there is no rendezvous, any. */
bool sim_device_take(const struct sim_device *dev);
void sim_device_give_back(const struct sim_device *dev);
/* 1 + the slot of the process that has it, or 0. */
uint32_t sim_device_slot(const struct sim_device *dev);
/* Answers at once when the peer is in this process: true, with *answer. Else it was sent, or has to be tried again. */
enum sim_sent { SIM_ANSWERED, SIM_ON_ITS_WAY, SIM_TRY_AGAIN } sim_wire_send(struct sim_packet *p,
    struct sim_packet *answer);
bool sim_wire_receive(void);
void sim_wire_release(void); /* datagrams that a reordering holds back */
bool sim_wire_release_one(void);

/* -- clock.c -- */
extern int sim_callers; /* waiting for the lock: the device's thread lets them through */
void sim_enter(void);
void sim_leave(void);
void sim_clock_forked(void);
uint64_t sim_clock(void); /* nanoseconds */
uint64_t sim_real_time(void);
uint64_t sim_ticks(void); /* what devices count */
void sim_clock_move(uint64_t to); /* in pump mode; never back */
void sim_clock_step(void);
void sim_show_clock(void);

/* -- engine.c -- */
bool sim_step(void);
void sim_engine_start(void);
/* A thread of our own, which no signals of the program's come to. */
bool sim_start_thread(void *(*run)(void *));
/* There is a queue pair that needs no pump. */
void sim_engine_first(void);

/* -- requester.c -- */
/* The next work request of the ring has its turn; false when there is none yet. */
bool sim_begin(struct sim_qp *qp);
/* The one that has, as far as it goes at once. False when nothing has changed. */
bool sim_run(struct sim_qp *qp);
/* Where no order is kept, what is not done lets the others have their turn. */
void sim_put_aside(struct sim_qp *qp);
void sim_answered(struct sim_packet *answer);
void sim_complete(struct sim_cq *cq, const struct sim_completion *c);

/* Connected to one peer; answered for; in the order of the ring. A queue pair of SRD is reliable and nothing else. */
bool sim_connected(const struct sim_qp *qp);
bool sim_reliable(const struct sim_qp *qp);

/* Ends the work request that has its turn; an error stops the send queue, if it is one that keeps order. */
void sim_finish(struct sim_qp *qp, int status, const uint8_t *data);

/* -- streams.c: those of a DC initiator -- */
bool sim_streams_make(struct sim_qp *qp, unsigned max_failed);
bool sim_stream_has_failed(const struct sim_qp *qp, uint16_t stream);
/* A request of this stream has failed. True when the whole queue pair does, too. */
bool sim_stream_fail(struct sim_qp *qp, uint16_t stream);
/* It may go on. False where it had not failed. */
bool sim_stream_reset(struct sim_qp *qp, uint16_t stream);

/* -- flows.c: work requests of queue pairs that keep no order -- */
bool sim_unordered(const struct sim_qp *qp);
/* Puts the one that has its turn aside. The first that was, the one an answer is for, or one to an address, has its turn. */
bool sim_park(struct sim_qp *qp);
bool sim_unpark(struct sim_qp *qp);
bool sim_unpark_answered(struct sim_qp *qp, uint32_t psn, uint32_t from);
bool sim_unpark_to(struct sim_qp *qp, uint32_t ah);
void sim_forget_flows(struct sim_qp *qp);
void sim_remember(struct sim_qp *qp, const struct sim_packet *p, int answer);
int sim_recall(const struct sim_qp *qp, const struct sim_packet *p);

/* -- flights.c -- */
/* Whether rules let a queue pair's packets through at its port, as it sends or receives them. */
bool sim_rdma_passes(const struct sim_qp *qp, bool egress);

/* -- responder.c -- */
bool sim_respond(struct sim_packet *request, struct sim_packet *answer);

/* -- faults.c -- */
bool sim_fault_take(uint32_t qpn, enum device_sim_fault kind, int *arg);
unsigned sim_reorder_depth(void);
bool sim_lose(void);
unsigned sim_random(unsigned below);

#endif
