/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the connection manager share: files of /dev/infiniband/rdma_cm, ids, events and messages. */
#ifndef SIM_CM_H
#define SIM_CM_H

#include <netinet/in.h>
#include <rdma/rdma_user_cm.h>

#include "netdev.h"

/* Newer than the headers this may be built with. */
enum { CM_RESOLVE_IB_SERVICE = 23, CM_WRITE_CM_EVENT = 24, CM_COMMANDS };

enum cm_event_type {
    CM_ADDR_RESOLVED, CM_ADDR_ERROR, CM_ROUTE_RESOLVED, CM_ROUTE_ERROR, CM_CONNECT_REQUEST, CM_CONNECT_RESPONSE,
    CM_CONNECT_ERROR, CM_UNREACHABLE, CM_REJECTED, CM_ESTABLISHED, CM_DISCONNECTED, CM_DEVICE_REMOVAL,
    CM_MULTICAST_JOIN, CM_MULTICAST_ERROR, CM_ADDR_CHANGE, CM_TIMEWAIT_EXIT, CM_USER = 18, CM_INTERNAL
};

enum cm_state {
    CM_IDLE, CM_BOUND, CM_RESOLVING, CM_HAS_ADDRESS, CM_HAS_ROUTE, CM_LISTENING,
    CM_REQ_SENT, CM_REP_RCVD, CM_REQ_RCVD, CM_REP_SENT, CM_CONNECTED, CM_DREQ_SENT, CM_DREQ_RCVD, CM_TIMEWAIT,
    CM_SIDR_SENT, CM_SIDR_RCVD, CM_ENDED
};

enum cm_kind { CM_REQ, CM_REP, CM_RTU, CM_REJ, CM_DREQ, CM_DREP, CM_SIDR_REQ, CM_SIDR_REP };

/* Reasons of a rejection, and statuses of a SIDR answer. */
enum { CM_REJ_TIMEOUT = 4, CM_REJ_SERVICE = 8, CM_REJ_CONSUMER = 28, CM_REJ_VENDOR_OPTION = 35 };
enum { CM_SIDR_GOOD, CM_SIDR_NO_SERVICE, CM_SIDR_REJECT };

/* Room for private data: what is left behind the addresses in a request. */
enum { CM_REQ_DATA = 56, CM_REP_DATA = 196, CM_REJ_DATA = 148, CM_SIDR_REQ_DATA = 180, CM_SIDR_REP_DATA = 136 };

#define CM_UDP_QKEY 0x01234567u
#define CM_MTU IBV_MTU_1024 /* of a network device with 1500 bytes */
#define CM_PACKET_LIFE 16
#define CM_HOPS 64

/* A message between connection managers. Numbers and depths are the sender's. */
struct cm_mad {
    uint32_t magic, kind, slot; /* of the sender's process */
    uint32_t local, remote; /* the sender's number of the connection, and the receiver's */
    uint16_t ps;
    uint8_t qp_type;
    union sim_address src, dst;
    uint8_t sgid[16];
    uint32_t qpn, psn, qkey, reason;
    uint8_t responder_resources, initiator_depth, flow_control, retry_count, rnr_retry_count, srq, timeout, tos;
    struct rdma_ucm_ece ece;
    uint8_t data[256];
};

struct cm_file {
    struct cm_file *next;
    struct cm_event *events;
    int fd; /* our own copy of the descriptor, which is readable while there are events */
    unsigned descriptors, waiters;
    bool readable, inherited;
};

struct cm_group {
    struct cm_group *next;
    struct cm_id *id;
    uint32_t handle, reported;
    uint64_t uid;
};

struct cm_id {
    uint32_t handle, number; /* the process' and the connection's */
    uint64_t uid; /* 0: not accepted yet */
    struct cm_file *file;
    uint16_t ps;
    uint8_t qp_type;
    enum cm_state state;
    union sim_address src, dst;
    struct sim_device *dev;
    int port; /* of the device, from 0 */
    uint8_t sgid_index, sgid[16], dgid[16];
    bool has_route, reuse, afonly, has_timeout;
    uint8_t timeout, tos;
    struct cm_port *held;
    uint32_t backlog;
    uint32_t reported; /* events that were taken */
    struct cm_group *groups;

    /* the connection */
    uint32_t peer_slot, peer; /* its number there */
    uint32_t qpn, psn, peer_qpn, peer_psn, qkey;
    uint8_t responder_resources, initiator_depth, retry_count, rnr_retry_count, peer_timeout;
    struct cm_mad *request; /* to send again */
    unsigned tries;
    uint64_t deadline; /* ns; 0: none */
    uint64_t peer_look; /* when to look next whether the peer's process is there */
};

struct cm_event {
    struct cm_event *next;
    struct cm_id *id;
    struct cm_group *group; /* NULL: it is about the id */
    struct cm_id *child; /* of a connection request that was not taken yet */
    struct rdma_ucm_event_resp resp;
};

/* -- cm.c: files and events -- */
struct cm_event *cm_tell(struct cm_id *id, int event, int status);
struct cm_event *cm_tell_group(struct cm_group *g, int event, int status);
struct cm_event *cm_tell_request(struct cm_id *listener, struct cm_id *child);
void cm_drop_events(struct cm_file *file, const struct cm_id *id, const struct cm_group *g);
void cm_move_events(struct cm_id *id, struct cm_file *to);
struct cm_file *cm_file_of(int fd);
/* Waits for the next one, unless the descriptor says otherwise. 0 or an errno. */
int cm_get_event(struct cm_file *file, int flags, uint64_t to, size_t room);

/* -- cm_ids.c -- */
struct cm_id *cm_id_new(struct cm_file *file);
struct cm_id *cm_id_find(uint32_t handle);
struct cm_id *cm_id_of(const struct cm_file *file, uint32_t handle);
struct cm_id *cm_id_next(uint32_t *handle); /* from this handle on; NULL: no more */
void cm_id_drop(struct cm_id *id); /* the peer is told */
void cm_ids_forget(void);
struct cm_group *cm_group_new(struct cm_id *id);
struct cm_group *cm_group_find(uint32_t handle);
void cm_group_drop(struct cm_group *g);

/* -- cm_ports.c: who has which port -- */
int cm_port_take(struct cm_id *id);
void cm_port_give_back(struct cm_id *id);
/* Whether a listener may be there, beside others that have the port. */
int cm_port_alone(const struct cm_id *id);
struct cm_id *cm_listener(uint16_t ps, const union sim_address *at);
/* The process that listens there, -1: none. */
int cm_listening_slot(uint16_t ps, const union sim_address *at);
void cm_ports_forget(void);
/* Whether it is no address of a device: of loopback, too. */
bool cm_is_any(const union sim_address *a);

/* -- cm_address.c: commands before a connection -- */
/* The device, and its GID of RoCE v2: that of the id's address. */
void cm_use(struct cm_id *id, const struct sim_netdev *n);
int cm_bind(struct cm_id *id, const union sim_address *to);
int cm_resolve(struct cm_id *id, const union sim_address *src, const union sim_address *dst, uint32_t timeout_ms);
int cm_listen(struct cm_id *id, uint32_t backlog);
int cm_join(struct cm_id *id, const union sim_address *group, uint64_t uid, uint32_t *handle);

/* -- cm_query.c: what is asked -- */
int cm_query(const struct cm_file *file, const struct rdma_ucm_query *in, void *to, size_t room);
int cm_query_route(const struct cm_file *file, uint32_t handle, struct rdma_ucm_query_route_resp *r);
int cm_set_option(struct cm_id *id, const struct rdma_ucm_set_option *in);

/* -- cm_connect.c -- */
int cm_connect(struct cm_id *id, const struct rdma_ucm_conn_param *p, const struct rdma_ucm_ece *ece);
int cm_accept(struct cm_id *id, uint64_t uid, const struct rdma_ucm_conn_param *p, const struct rdma_ucm_ece *ece);
int cm_reject(struct cm_id *id, uint8_t reason, const uint8_t *data, size_t length);
int cm_disconnect(struct cm_id *id);
int cm_notify(struct cm_id *id, uint32_t event);
void cm_end(struct cm_id *id); /* it is destroyed */
void cm_arrived(const struct cm_mad *m);
void cm_timer(struct cm_id *id, uint64_t now);

/* -- cm_attributes.c: how a queue pair is to be changed -- */
int cm_init_qp_attr(const struct cm_id *id, uint32_t state, struct ib_uverbs_qp_attr *a);
void cm_address_handle(const struct cm_id *id, struct ib_uverbs_ah_attr *ah);

/* -- cm_wire.c: messages between processes, and time -- */
bool cm_wire_open(void);
void cm_send(struct cm_mad *m, uint32_t slot);
bool cm_slot_lives(uint32_t slot);
void cm_wake(void); /* something has a deadline now */
void cm_wire_forget(void);

#endif
