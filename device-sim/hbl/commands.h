/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The vendor's part of the commands, ABI 1. No installed header has it. */
#ifndef SIM_HBL_COMMANDS_H
#define SIM_HBL_COMMANDS_H

#include <stdint.h>

struct hbl_open {
    uint64_t ports;
    int32_t core_fd;
    uint8_t own_ports; /* the program sets them up */
    uint8_t reserved[3];
};

enum { HBL_MAPS_REGISTERS = 1, HBL_CONGESTION = 2 };

struct hbl_opened {
    uint64_t ports, caps;
};

struct hbl_pd {
    uint32_t pdn, reserved;
};

enum { HBL_CQ_NATIVE = 1 };

struct hbl_make_cq {
    uint32_t port;
    uint8_t type, flags, reserved[2];
};

struct hbl_made_cq {
    uint64_t ring, pi, registers;
    uint32_t offset, number, size, reserved;
};

struct hbl_modify {
    uint32_t local_key, remote_key, window, hint, dest_size;
    uint8_t priority, type, loopback, congestion, collective, migrate, compression, reserved_27, encap, encap_number,
        reserved_30, granularity, reserved[8];
};

struct hbl_modified {
    uint64_t sends, receives;
    uint32_t sends_size, receives_size, number, reserved;
};

struct hbl_array {
    uint32_t queues, elements;
    uint8_t memory, granularity, reserved[22];
};

struct hbl_set_port {
    struct hbl_array array[5];
    uint64_t pressure;
    uint32_t n_pressure, port;
    uint8_t reserved[13];
    uint8_t advanced, adaptive, reserved_191;
};

struct hbl_port_told {
    uint32_t max_qps, qps, highest_qp, cq_size;
    uint32_t max_scale_out, max_collective, base_scale_out, base_collective, offset;
    uint8_t advanced, max_cqs, max_fifos, max_encaps, macro, lane, reserved[6];
};

struct hbl_make_fifo {
    uint32_t port, reserved[2], hint;
    uint8_t type, reserved_17[7];
};

struct hbl_made_fifo {
    uint64_t ci, registers;
    uint32_t number, offset, size, threshold;
};

struct hbl_make_encap {
    uint64_t header;
    uint32_t size, port, ipv4;
    uint16_t udp_port, ip_protocol;
    uint8_t type, reserved[7];
};

struct hbl_made_encap {
    uint32_t number, reserved;
};

/*
 * Collectives: the commands of shipped drivers are in no public source. These are the simulator's own, for the libhbl
 * that stands in beside it; the object is the one that is reserved for them.
 */
struct hbl_reserve {
    uint8_t scale_out, reserved[7];
    uint64_t ports;
};

struct hbl_migrate {
    uint32_t to, from; /* handles */
};

enum { HBL_OBJECT_FIFO = 0x1000, HBL_OBJECT_SET_PORT, HBL_OBJECT_QUERY_PORT, HBL_OBJECT_COLLECTIVE, HBL_OBJECT_ENCAP };
enum { HBL_METHOD_FIRST = 0x1000, HBL_METHOD_SECOND };
enum { HBL_ATTR_FIRST = 0x1000, HBL_ATTR_SECOND, HBL_ATTR_THIRD };

_Static_assert(sizeof(struct hbl_open) == 16 && sizeof(struct hbl_opened) == 16 && sizeof(struct hbl_make_cq) == 8, "ABI");
_Static_assert(sizeof(struct hbl_made_cq) == 40 && sizeof(struct hbl_modify) == 40, "ABI");
_Static_assert(sizeof(struct hbl_modified) == 32 && sizeof(struct hbl_set_port) == 192, "ABI");
_Static_assert(sizeof(struct hbl_port_told) == 48 && sizeof(struct hbl_make_fifo) == 24, "ABI");
_Static_assert(sizeof(struct hbl_made_fifo) == 32 && sizeof(struct hbl_make_encap) == 32, "ABI");

#endif
