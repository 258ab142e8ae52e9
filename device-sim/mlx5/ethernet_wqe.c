/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The Ethernet segment of a send: what the device does to the frame, and the header that lies in the descriptor. */
#include <string.h>

#include "../core/frames.h"
#include "wqe.h"

#define START 14 /* where the inline header begins in the segment */
#define INSERT_TAG 0x8000 /* in place of the header's size */

static bool header(struct wqe *w, size_t at, unsigned size)
{
    struct sim_wr *wr = w->wr;
    size_t more = size > 2 ? (size_t)(size - 2 + 15) / 16 * 16 : 0;

    if (size && size < SIM_ETHERNET)
        return wqe_bad(w, at + 12, 2, "the inline header has %u bytes, an Ethernet header has %u", size, SIM_ETHERNET);
    if (w->at + more > w->length)
        return wqe_bad(w, at + 12, 2, "an inline header of %u bytes reaches past the end, ds is %zu", size,
            w->length / 16);
    memcpy(wr->data, w->bytes + at + START, size);
    wr->inline_length = size;
    wr->length = size;
    w->at += more;
    return true;
}

bool wqe_ethernet(struct wqe *w, bool segments)
{
    struct sim_wr *wr = w->wr;
    size_t at = w->at;
    const uint8_t *b = wqe_part(w, 16, "Ethernet");
    unsigned size;

    if (!b)
        return false;
    size = be16(b + 12);
    if (be32(b))
        return wqe_bad(w, at, 4, "offsets for the parsing of headers, which the device does itself");
    if (b[4] & 0x3f)
        return wqe_bad(w, at + 4, 1, "reserved bits of the checksum flags are set: 0x%02x", b[4]);
    if (b[5])
        return wqe_bad(w, at + 5, 1, "a reserved byte of the Ethernet segment is set");
    if (be32(b + 8))
        return wqe_bad(w, at + 8, 4, "reserved bytes of the Ethernet segment are set");
    if (segments && !be16(b + 6))
        return wqe_bad(w, at + 6, 2, "segments of 0 bytes");
    if (!segments && be16(b + 6))
        return wqe_bad(w, at + 6, 2, "segments of %u bytes, but the opcode is not TSO", be16(b + 6));
    wr->frame.l3 = b[4] & MLX5_ETH_WQE_L3_CSUM;
    wr->frame.l4 = b[4] & MLX5_ETH_WQE_L4_CSUM;
    wr->frame.mss = be16(b + 6);
    if (size & INSERT_TAG) {
        if (size != INSERT_TAG)
            return wqe_bad(w, at + 12, 2, "reserved bits beside the insertion of a tag are set: 0x%04x", size);
        wr->frame.tags = true;
        wr->frame.tag = be16(b + START);
        size = 0;
    } else if (!size && be16(b + START)) {
        return wqe_bad(w, at + START, 2, "bytes of an inline header, but it has none");
    }
    if (segments && !size)
        return wqe_bad(w, at + 12, 2, "a segmented request without an inline header");
    wr->frame.header = (uint16_t)(segments ? size : 0);
    return header(w, at, size);
}
