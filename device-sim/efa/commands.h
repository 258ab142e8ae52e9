/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The vendor's part of the commands of an EFA, where that is newer than the headers this may be built with. */
#ifndef SIM_EFA_COMMANDS_H
#define SIM_EFA_COMMANDS_H

#include <stdint.h>

/* What a device can do, as the kernel numbers it; libefa tells some of it by numbers of its own. */
enum {
    EFA_READ = 1 << 0,
    EFA_RNR_RETRY = 1 << 1,
    EFA_NOTIFY = 1 << 2,
    EFA_SGID = 1 << 3,
    EFA_POLL_128 = 1 << 4,
    EFA_WRITE = 1 << 5,
    EFA_UNSOLICITED = 1 << 6,
    EFA_CQ_IN_MEMORY = 1 << 7,
    EFA_COUNTERS = 1 << 8,
    EFA_IDS_64 = 1 << 9,
};

/* What a library says that it keeps to. */
enum { EFA_LIBRARY_BATCH = 1 << 0, EFA_LIBRARY_MIN_SQ = 1 << 1 };

struct efa_open {
    uint32_t library;
    uint8_t reserved[4];
};

struct efa_opened {
    uint32_t comp_mask, commands;
    uint16_t sub_cqs, inline_size;
    uint32_t llq_size; /* bytes */
    uint16_t batch; /* units of 64 bytes */
    uint16_t min_sq;
    uint16_t inline_size_ex;
    uint8_t reserved[2];
};

enum { EFA_CQ_CHANNEL = 1 << 0, EFA_CQ_SGID = 1 << 1, EFA_CQ_IDS_64 = 1 << 2 };

struct efa_make_cq {
    uint32_t comp_mask, entry_size;
    uint16_t sub_cqs;
    uint8_t flags;
    uint8_t reserved[5];
    uint8_t newer[16]; /* whatever it will be: it must be zero */
};

enum { EFA_QP_UNSOLICITED = 1 << 0, EFA_QP_IDS_64 = 1 << 1 };

struct efa_make_qp {
    uint32_t comp_mask, rq_size, sq_size; /* bytes */
    uint32_t type;
    uint16_t flags;
    uint8_t sl;
    uint8_t reserved[5];
    uint8_t newer[16];
};

/* The attributes of a completion queue that lies behind a descriptor. */
enum { CQ_BUFFER_LENGTH = 9, CQ_BUFFER_FD = 10, CQ_BUFFER_OFFSET = 11 };

/* Completion counters: an object of the kernel's own, whose memory is told by attributes of the vendor's. */
enum { OBJECT_COUNTER = 19 };
enum { METHOD_COUNTER_CREATE, METHOD_COUNTER_DESTROY, METHOD_COUNTER_MODIFY, METHOD_COUNTER_READ };
enum { COUNTER_HANDLE = 0, COUNTER_ENTRY = 1, COUNTER_OP = 2, COUNTER_VALUE = 3, COUNTER_READ_VALUE = 2 };
enum { COUNTER_COMP_BUFFER = 1 << 12, COUNTER_ERR_BUFFER };
enum { METHOD_QP_ATTACH_COUNTER = 2 };
enum { ATTACH_QP = 0, ATTACH_COUNTER = 1, ATTACH_OPS = 2 };
enum { METHOD_QUERY_COUNTERS = 8 };
enum { COUNTERS_MAX = 0, COUNTERS_MAX_VALUE = 1, COUNTERS_OPS = 2 };

/* What is counted, by number of the bit. */
enum { COUNT_SEND, COUNT_RECV, COUNT_READ, COUNT_REMOTE_READ, COUNT_WRITE, COUNT_REMOTE_WRITE, COUNTED };

enum { BUFFER_DMABUF, BUFFER_VA };

struct efa_buffer {
    uint32_t type;
    int32_t fd;
    uint32_t flags, optional_flags;
    uint64_t addr, length;
};

#endif
