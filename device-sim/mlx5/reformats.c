/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Headers that are put in front of a frame, or taken off it. */
#include <string.h>

#include "steering.h"

enum { UDP = 17 };

size_t mlx5_l2_size(const struct sim_flight *f)
{
    size_t size = SIM_ETHERNET;

    while (size + SIM_VLAN <= f->length && sim_is_tag(f->bytes + size - 2))
        size += SIM_VLAN;
    return size;
}

bool mlx5_push_tag(struct sim_flight *f, uint32_t tag)
{
    if (f->length < SIM_ETHERNET || f->length + SIM_VLAN > sizeof f->bytes)
        return false;
    memmove(f->bytes + 12 + SIM_VLAN, f->bytes + 12, f->length - 12);
    sim_put_be(f->bytes + 12, 2, tag >> 16);
    sim_put_be(f->bytes + 14, 2, tag & 0xffff);
    f->length += SIM_VLAN;
    sim_flight_changed(f);
    return true;
}

bool mlx5_pop_tag(struct sim_flight *f)
{
    if (mlx5_l2_size(f) == SIM_ETHERNET)
        return false;
    f->length -= SIM_VLAN;
    memmove(f->bytes + 12, f->bytes + 12 + SIM_VLAN, f->length - 12);
    sim_flight_changed(f);
    return true;
}

/* What the outer headers say of lengths is that of the frame; checksum and length go together. */
static void set_lengths(struct sim_flight *f)
{
    const struct sim_frame *frame = &f->frame;
    size_t l3 = frame->outer.l3, behind = f->length - l3;
    uint8_t *b = f->bytes + l3;

    if (frame->h.outer.ip == 4)
        sim_put_be(b + 2, 2, behind);
    if (frame->h.outer.ip == 6)
        sim_put_be(b + 4, 2, behind - 40);
    if (frame->outer.l4 && frame->h.outer.proto == UDP)
        sim_put_be(f->bytes + frame->outer.l4 + 4, 2, f->length - frame->outer.l4);
    sim_fill_checksums(f->bytes, f->length, true, false);
    sim_flight_changed(f);
}

bool mlx5_encapsulate(struct sim_flight *f, const uint8_t *header, size_t size, bool without_l2)
{
    size_t off = without_l2 ? mlx5_l2_size(f) : 0;

    if (f->length < off || size + f->length - off > SIM_MAX_FRAME)
        return false;
    memmove(f->bytes + size, f->bytes + off, f->length - off);
    memcpy(f->bytes, header, size);
    f->length += size - off;
    sim_flight_changed(f);
    set_lengths(f);
    return true;
}

bool mlx5_decapsulate(struct sim_flight *f, size_t room)
{
    size_t below = f->frame.below;
    bool ethernet = below && f->frame.inner.l2 == below;

    if (!below || ethernet != !room)
        return false;
    memmove(f->bytes + room, f->bytes + below, f->length - below);
    memset(f->bytes, 0, room);
    f->length += room - below;
    if (room > SIM_ETHERNET)
        sim_put_be(f->bytes + 12, 2, SIM_CUSTOMER_TAG);
    sim_flight_changed(f);
    return true;
}
