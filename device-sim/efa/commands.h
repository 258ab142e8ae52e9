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

#endif
