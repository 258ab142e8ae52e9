/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The published functions of libhbl, and their structures as the newest of the seven layouts has them. Written for the library
 * that stands in for the vendor's; names, sizes and offsets are the interface's. Which functions and fields an older one lacks
 * is in layout.h.
 */
#ifndef LIBHBL_HBLDV_H
#define LIBHBL_HBLDV_H

#include <stdbool.h>
#include <stdint.h>
#include <infiniband/verbs.h>

#define HBLDV_RESOURCES 256 /* 128 before 1.18 */
#define HBLDV_PRESSURES 16
#define HBLDV_MTU_8192 6

enum { HBLDV_QP_CAP_LOOPBACK = 1, HBLDV_QP_CAP_CONG_CTRL = 2, HBLDV_QP_CAP_COMPRESSION = 4, HBLDV_QP_CAP_SACK = 8,
    HBLDV_QP_CAP_ENCAP = 0x10, HBLDV_QP_CAP_COLL = 0x20, HBLDV_QP_CAP_MIGRATE = 0x40 };
enum { HBLDV_PORT_CAP_ADVANCED = 1, HBLDV_PORT_CAP_ADAPTIVE_TIMEOUT = 2 };
enum { HBLDV_DEVICE_ATTR_CAP_CC = 1, HBLDV_DEVICE_ATTR_CAP_COLL = 2 };
enum { HBLDV_MEM_HOST = 1, HBLDV_MEM_DEVICE = 2 };
enum { HBLDV_SWQE_GRAN_32B = 0, HBLDV_SWQE_GRAN_64B = 1 };
enum { HBLDV_WQ_WRITE = 1, HBLDV_WQ_RECV_RDV = 2, HBLDV_WQ_READ_RDV = 4, HBLDV_WQ_SEND_RDV = 8, HBLDV_WQ_READ_RDV_ENDP = 16 };
enum { HBLDV_USR_FIFO_TYPE_DB = 0, HBLDV_USR_FIFO_TYPE_CC = 1, HBLDV_USR_FIFO_TYPE_COLL_OPS_SHORT = 2,
    HBLDV_USR_FIFO_TYPE_COLL_OPS_LONG = 3, HBLDV_USR_FIFO_TYPE_DWQ_LIN = 4, HBLDV_USR_FIFO_TYPE_DWQ_MS = 5,
    HBLDV_USR_FIFO_TYPE_COLL_DIR_OPS_SHORT = 6, HBLDV_USR_FIFO_TYPE_COLL_DIR_OPS_LONG = 7, HBLDV_USR_FIFO_TYPE_COLL_LAG = 8,
    HBLDV_USR_FIFO_TYPE_LAG_COMPLETION = 9 };
enum { HBLDV_CQ_TYPE_QP = 0, HBLDV_CQ_TYPE_CC = 1 };
enum { HBLDV_ENCAP_TYPE_NO_ENC = 0, HBLDV_ENCAP_TYPE_ENC_OVER_IPV4 = 1, HBLDV_ENCAP_TYPE_ENC_OVER_UDP = 2 };
enum { HBLDV_WQ_ARRAY_TYPE_GENERIC = 0, HBLDV_WQ_ARRAY_TYPE_COLLECTIVE = 1, HBLDV_WQ_ARRAY_TYPE_SCALE_OUT_COLLECTIVE = 2,
    HBLDV_WQ_ARRAY_TYPE_MAX = 5 };

struct hbldv_ucontext_attr {
    uint64_t ports_mask;
    int core_fd;
};

struct hbldv_wq_array_attr {
    uint32_t max_num_of_wqs, max_num_of_wqes_in_wq;
    uint32_t mem_id, swq_granularity;
};

struct hbldv_port_ex_attr {
    struct hbldv_wq_array_attr wq_arr_attr[HBLDV_WQ_ARRAY_TYPE_MAX];
    uint64_t caps;
    uint32_t qp_wq_bp_offs[HBLDV_PRESSURES];
    uint32_t atomic_fna_fifo_offs[2];
    uint32_t port_num;
    uint8_t atomic_fna_mask_size;
};

struct hbldv_query_port_attr {
    uint32_t max_num_of_qps, num_allocated_qps, max_allocated_qp_num, max_cq_size;
    uint32_t max_num_of_scale_out_coll_qps, max_num_of_coll_qps, base_scale_out_coll_qp_num, base_coll_qp_num;
    uint32_t coll_qps_offset;
    uint8_t advanced, max_num_of_cqs, max_num_of_usr_fifos, max_num_of_encaps, nic_macro_idx, nic_phys_port_idx;
};

struct hbldv_qp_attr {
    uint64_t caps;
    uint32_t local_key, remote_key, congestion_wnd, qp_num_hint, dest_wq_size, wq_type, wq_granularity;
    uint8_t priority, coll_lag_idx, coll_last_in_lag, encap_num, coll_lag_size;
    struct ibv_qp *qp_to_migrate;
};

struct hbldv_query_qp_attr {
    uint32_t qp_num;
    void *swq_cpu_addr, *rwq_cpu_addr;
};

struct hbldv_usr_fifo_attr {
    uint32_t port_num, base_sob_addr, num_sobs, usr_fifo_num_hint, usr_fifo_type;
    uint8_t dir_dup_mask;
};

struct hbldv_usr_fifo {
    void *ci_cpu_addr, *regs_cpu_addr;
    uint32_t regs_offset, usr_fifo_num, size, bp_thresh;
};

struct hbldv_cq_attr {
    uint8_t port_num;
    uint32_t cq_type;
};

struct hbldv_query_cq_attr {
    struct ibv_cq *ibvcq;
    void *mem_cpu_addr, *pi_cpu_addr, *regs_cpu_addr;
    uint32_t cq_size, cq_num, regs_offset, cq_type;
};

struct hbldv_encap_attr {
    uint64_t tnl_hdr_ptr;
    uint32_t tnl_hdr_size, ipv4_addr, port_num;
    uint16_t udp_dst_port;
    uint32_t encap_type;
};

struct hbldv_encap {
    uint32_t encap_num;
};

struct hbldv_device_attr {
    uint64_t caps;
    union {
        uint64_t ports_mask; /* before 1.20 */
        uint8_t num_ports;
    };
    uint64_t ext_ports_mask, hw_ports_mask;
};

struct hbldv_coll_qp_attr {
    uint8_t is_scale_out;
    uint64_t ports_mask;
};

struct hbldv_coll_qp {
    uint32_t qp_num;
};

struct hbldv_coll_sched_resource {
    uint32_t type;
    uint8_t id;
    uint64_t size;
    uint32_t pa_offs;
    void *virt_addr;
};

struct hbldv_coll_sched_resources {
    uint32_t num_resources;
    struct hbldv_coll_sched_resource resource[HBLDV_RESOURCES];
};

bool hbldv_is_supported(struct ibv_device *device);
struct ibv_context *hbldv_open_device(struct ibv_device *device, struct hbldv_ucontext_attr *attr);
int hbldv_query_device(struct ibv_context *context, void *attr);
int hbldv_set_port_ex(struct ibv_context *context, struct hbldv_port_ex_attr *attr);
int hbldv_query_port(struct ibv_context *context, uint32_t port, struct hbldv_query_port_attr *attr);
int hbldv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, void *hbl_attr);
int hbldv_query_qp(struct ibv_qp *qp, struct hbldv_query_qp_attr *attr);
struct hbldv_usr_fifo *hbldv_create_usr_fifo(struct ibv_context *context, struct hbldv_usr_fifo_attr *attr);
int hbldv_destroy_usr_fifo(struct hbldv_usr_fifo *fifo);
struct ibv_cq *hbldv_create_cq(struct ibv_context *context, int cqe, struct ibv_comp_channel *channel, int vector,
    struct hbldv_cq_attr *attr);
int hbldv_query_cq(struct ibv_cq *cq, struct hbldv_query_cq_attr *attr);
struct hbldv_encap *hbldv_create_encap(struct ibv_context *context, struct hbldv_encap_attr *attr);
int hbldv_destroy_encap(struct hbldv_encap *encap);

_Static_assert(sizeof(struct hbldv_port_ex_attr) == 168 && sizeof(struct hbldv_query_port_attr) == 44, "published size");
_Static_assert(sizeof(struct hbldv_qp_attr) == 56 && sizeof(struct hbldv_query_qp_attr) == 24, "published size");
_Static_assert(sizeof(struct hbldv_usr_fifo_attr) == 24 && sizeof(struct hbldv_usr_fifo) == 32, "published size");
_Static_assert(sizeof(struct hbldv_query_cq_attr) == 48 && sizeof(struct hbldv_encap_attr) == 32, "published size");
_Static_assert(sizeof(struct hbldv_device_attr) == 32 && sizeof(struct hbldv_cq_attr) == 8, "published size");
_Static_assert(sizeof(struct hbldv_coll_qp_attr) == 16 && sizeof(struct hbldv_coll_sched_resource) == 32, "published size");

#endif
