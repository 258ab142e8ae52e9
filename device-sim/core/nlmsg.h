/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Messages of netlink, RDMA's and the network's: how answers are written, and attributes found. */
#ifndef SIM_NLMSG_H
#define SIM_NLMSG_H

#include <linux/netlink.h>
#include <stddef.h>
#include <stdint.h>

/* For all that eight devices of four ports can say; of RDMA's that is less than the 8192 bytes `rdma` reads at once. */
#define NL_ROOM 16384

/* An answer under way: messages, one behind the other. */
struct nl_writer {
    uint8_t bytes[NL_ROOM] __attribute__((aligned(8)));
    size_t used;
    const struct nlmsghdr *request;
    uint32_t port; /* as netlink calls the asker's number */
    size_t begin; /* of the message that attributes go to */
};

void nl_begin(struct nl_writer *w, uint16_t type, uint16_t flags);
/* So many bytes more of the message, all zero. */
void *nl_more(struct nl_writer *w, size_t size);
void nl_put(struct nl_writer *w, uint16_t type, const void *data, size_t size);
void nl_put_text(struct nl_writer *w, uint16_t type, const char *text);
void nl_put_u8(struct nl_writer *w, uint16_t type, uint8_t value);
void nl_put_u32(struct nl_writer *w, uint16_t type, uint32_t value);
void nl_put_u64(struct nl_writer *w, uint16_t type, uint64_t value);
/* 0: only that the request was carried out. */
void nl_put_error(struct nl_writer *w, int error);
/* The end of a dump. */
void nl_put_done(struct nl_writer *w);

/* The attribute at this place of a message, NULL where it has no more. */
const struct nlattr *nl_attribute(const struct nlmsghdr *h, size_t at);

#endif
