/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What the tests of DevX share: the mailboxes of a command, and their fields, which are counted in bits from the first. */
#ifndef DEVX_KIT_H
#define DEVX_KIT_H

#include "kit.h"

#include <infiniband/mlx5dv.h>

#define EREMOTE_IO 121
#define MAILBOX 4112

static uint8_t in[MAILBOX], out[MAILBOX];

static inline void set(unsigned at, unsigned width, uint64_t value)
{
    for (unsigned bit = at + width; bit-- > at; value >>= 1)
        in[bit / 8] = (uint8_t)((in[bit / 8] & ~(0x80 >> bit % 8)) | (value & 1 ? 0x80 >> bit % 8 : 0));
}

static inline uint64_t get(unsigned at, unsigned width)
{
    uint64_t value = 0;

    for (unsigned bit = at; bit < at + width; bit++)
        value = value << 1 | (out[bit / 8] >> (7 - bit % 8) & 1);
    return value;
}

/* Begins a command: what it does not set is 0, and what the device does not answer is 0xee. */
static inline void command(unsigned opcode)
{
    memset(in, 0, sizeof in);
    memset(out, 0xee, sizeof out);
    set(0, 16, opcode);
}

#endif
