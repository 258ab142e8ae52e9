/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes of headers: a list of eight bytes each. The device knows fields of 64 bits, by their numbers; a change is of
 * some bits of one. Two changes are made at once, so two of a pair can't be of the same field. Commands name smaller
 * fields, by other numbers.
 */
#include <string.h>

#include "steering.h"

enum { NO_CHANGE, COPY, SET, ADD }; /* as entries have them; the next ones as commands do */
enum { COMMAND_SET = 1, COMMAND_ADD, COMMAND_COPY };
enum { L2_DESTINATION, L2_SOURCE, L2_TYPE, L3_FIRST, L3_SERVICE, L3_SECOND, L3_THIRD, L3_FOURTH, L4_PORTS, L4_NUMBERS,
    MARKS_0 = 0x0c, MARKS_3 = 0x0f, MARKS_AB = 0x16 };

/* A change, whichever form it had. */
struct change {
    unsigned op, field, shift, width; /* in bits, from the last one */
    unsigned from, from_shift; /* of a copy */
    uint32_t data;
};

/* -- the fields -------------------------------------------------------------------------------- */

/* Where the type behind all tags lies. */
static uint8_t *type_at(struct sim_flight *f)
{
    return f->bytes + mlx5_l2_size(f) - 2;
}

static bool has_tag(const struct sim_flight *f)
{
    return mlx5_l2_size(f) > SIM_ETHERNET;
}

/* Where half a field is in the network header, by its halves in the order of the numbers; NULL: there is none. */
static uint8_t *address_at(struct sim_flight *f, unsigned field)
{
    static const uint8_t six[] = {[L3_FIRST] = 24, [L3_SECOND] = 32, [L3_THIRD] = 8, [L3_FOURTH] = 16};

    return f->frame.h.outer.ip == 6 ? f->bytes + f->frame.outer.l3 + six[field] : NULL;
}

static bool is_four(const struct sim_flight *f)
{
    return f->frame.h.outer.ip == 4;
}

static bool is_tcp(const struct sim_flight *f)
{
    return f->frame.outer.l4 && f->frame.h.outer.proto == 6;
}

static uint64_t load_service(struct sim_flight *f)
{
    const struct sim_layer *l = &f->frame.h.outer;

    return l->ip ? (uint64_t)l->ttl << 8 | (uint64_t)(l->tos & 3) << 6 | l->tos >> 2 : 0;
}

static uint64_t load_transport(struct sim_flight *f, unsigned field)
{
    const uint8_t *b = f->bytes + f->frame.outer.l4;

    if (!f->frame.outer.l4 || (field == L4_NUMBERS && !is_tcp(f)))
        return 0;
    if (field == L4_NUMBERS)
        return sim_be(b + 4, 8);
    return (is_tcp(f) ? (sim_be(b + 12, 2) & 0x1ff) << 48 : 0) | sim_be(b + 2, 2) << 16 | sim_be(b, 2);
}

static uint64_t load(struct sim_flight *f, unsigned field)
{
    const uint8_t *l3 = f->bytes + f->frame.outer.l3, *at;

    switch (field) {
    case L2_DESTINATION:
        return sim_be(f->bytes, 6);
    case L2_SOURCE:
        return sim_be(f->bytes + 6, 6);
    case L2_TYPE:
        return sim_be(type_at(f), 2) << 32 | (has_tag(f) ? sim_be(f->bytes + 14, 2) : 0) |
            (has_tag(f) ? (sim_be(f->bytes + 12, 2) == SIM_CUSTOMER_TAG ? 2ull : 1ull) << 48 : 0);
    case L3_SERVICE:
        return load_service(f);
    case L3_FIRST:
        if (is_four(f))
            return sim_be(l3 + 16, 4) << 32 | sim_be(l3 + 12, 4);
        /* fall through */
    case L3_SECOND:
    case L3_THIRD:
    case L3_FOURTH:
        at = address_at(f, field);
        return at ? sim_be(at, 8) : 0;
    case L4_PORTS:
    case L4_NUMBERS:
        return load_transport(f, field);
    case MARKS_AB:
        return (uint64_t)f->mark[SIM_REGISTER_B] << 32 | f->mark[SIM_REGISTER_A];
    }
    return (uint64_t)f->mark[2 * (field - MARKS_0)] << 32 | f->mark[2 * (field - MARKS_0) + 1];
}

static void store_type(struct sim_flight *f, uint64_t value)
{
    sim_put_be(type_at(f), 2, value >> 32);
    if (!has_tag(f))
        return;
    sim_put_be(f->bytes + 14, 2, value);
    if (value >> 48 & 3)
        sim_put_be(f->bytes + 12, 2, (value >> 48 & 3) == 2 ? SIM_CUSTOMER_TAG : SIM_SERVICE_TAG);
}

static void store_service(struct sim_flight *f, uint64_t value)
{
    uint8_t *b = f->bytes + f->frame.outer.l3, tos = (uint8_t)((value & 0x3f) << 2 | (value >> 6 & 3));

    if (is_four(f)) {
        b[1] = tos;
        b[8] = (uint8_t)(value >> 8);
    } else if (f->frame.h.outer.ip == 6) {
        sim_put_be(b, 2, (sim_be(b, 2) & 0xf00f) | (uint64_t)tos << 4);
        b[7] = (uint8_t)(value >> 8);
    }
}

static void store_transport(struct sim_flight *f, unsigned field, uint64_t value)
{
    uint8_t *b = f->bytes + f->frame.outer.l4;

    if (!f->frame.outer.l4 || (field == L4_NUMBERS && !is_tcp(f)))
        return;
    if (field == L4_NUMBERS) {
        sim_put_be(b + 4, 8, value);
        return;
    }
    sim_put_be(b, 2, value);
    sim_put_be(b + 2, 2, value >> 16);
    if (is_tcp(f))
        sim_put_be(b + 12, 2, (sim_be(b + 12, 2) & 0xfe00) | (value >> 48 & 0x1ff));
}

/* What the frame does not have stays without. */
static void store(struct sim_flight *f, unsigned field, uint64_t value)
{
    uint8_t *l3 = f->bytes + f->frame.outer.l3, *at;

    switch (field) {
    case L2_DESTINATION:
        sim_put_be(f->bytes, 6, value);
        return;
    case L2_SOURCE:
        sim_put_be(f->bytes + 6, 6, value);
        return;
    case L2_TYPE:
        store_type(f, value);
        return;
    case L3_SERVICE:
        store_service(f, value);
        return;
    case L3_FIRST:
        if (is_four(f)) {
            sim_put_be(l3 + 16, 4, value >> 32);
            sim_put_be(l3 + 12, 4, value);
            return;
        }
        /* fall through */
    case L3_SECOND:
    case L3_THIRD:
    case L3_FOURTH:
        at = address_at(f, field);
        if (at)
            sim_put_be(at, 8, value);
        return;
    case L4_PORTS:
    case L4_NUMBERS:
        store_transport(f, field, value);
        return;
    case MARKS_AB:
        f->mark[SIM_REGISTER_B] = (uint32_t)(value >> 32);
        f->mark[SIM_REGISTER_A] = (uint32_t)value;
        return;
    }
    f->mark[2 * (field - MARKS_0)] = (uint32_t)(value >> 32);
    f->mark[2 * (field - MARKS_0) + 1] = (uint32_t)value;
}

static bool is_field(unsigned field)
{
    return field <= L4_NUMBERS || (field >= MARKS_0 && field <= MARKS_3) || field == MARKS_AB;
}

/* -- changes ----------------------------------------------------------------------------------- */

static uint64_t bits(unsigned width)
{
    return (1ull << width) - 1;
}

static uint64_t changed(struct sim_flight *f, const struct change *c)
{
    uint64_t old = load(f, c->field), value = c->data;

    if (c->op == COPY)
        value = load(f, c->from) >> c->from_shift;
    if (c->op == ADD)
        value += old >> c->shift;
    return (old & ~(bits(c->width) << c->shift)) | (value & bits(c->width)) << c->shift;
}

/* What can't be a change, or NULL. */
static const char *judge(const struct change *c)
{
    if (c->op > ADD)
        return "there is no such change";
    if (!is_field(c->field) || (c->op == COPY && !is_field(c->from)))
        return "there is no such field";
    if (c->shift + c->width > 64 || (c->op == COPY && c->from_shift + c->width > 64))
        return "bits beyond the field's end";
    return c->width > 32 || !c->width ? "a change of no bits, or more than 32" : NULL;
}

/* Of UDP there may be none. */
static bool has_l4_sum(const struct sim_flight *f)
{
    return sim_l4_good(&f->frame) && (is_tcp(f) || sim_be(f->bytes + f->frame.outer.l4 + 6, 2));
}

/* Checksums that were right stay so. */
static void settle(struct sim_flight *f, bool l3, bool l4)
{
    sim_flight_changed(f);
    sim_fill_checksums(f->bytes, f->length, l3, l4);
    sim_flight_changed(f);
}

static void apply(struct sim_flight *f, const struct change *c, unsigned n)
{
    uint64_t value[2] = {0};

    for (unsigned i = 0; i < n; i++)
        if (c[i].op != NO_CHANGE)
            value[i] = changed(f, &c[i]);
    for (unsigned i = 0; i < n; i++)
        if (c[i].op != NO_CHANGE)
            store(f, c[i].field, value[i]);
    sim_flight_changed(f);
}

/* -- as entries have them ------------------------------------------------------------------------ */

static const char *take(const uint8_t *b, struct change *c)
{
    bool copy = b[0] == COPY;

    *c = (struct change){.op = b[0], .field = b[1], .shift = b[2] & 0x3f, .width = b[3] & (copy ? 0x3f : 0x1f)};
    if (b[0] == NO_CHANGE)
        return memcmp(b, (uint8_t[8]){0}, 8) ? "a change without a code, but with bits" : NULL;
    if (!copy && !c->width)
        c->width = 32;
    if (b[2] & 0xc0 || b[3] & ~(copy ? 0x3f : 0x1f) || (copy && (b[4] || b[6] & 0xc0 || b[7])))
        return "reserved bits";
    if (copy) {
        c->from = b[5];
        c->from_shift = b[6];
    } else {
        c->data = (uint32_t)sim_be(b + 4, 4);
    }
    return judge(c);
}

static const char *pair_of(const uint8_t *b, unsigned n, struct change c[2])
{
    const char *why = NULL;

    for (unsigned i = 0; i < n && !why; i++)
        why = take(b + 8 * i, &c[i]);
    if (!why && n == 2 && c[0].op && c[1].op && (c[0].field == c[1].field || (c[1].op == COPY &&
        c[1].from == c[0].field)))
        return "two of a pair are of one field";
    return why;
}

const char *mlx5_rewrite(struct sim_flight *f, const uint8_t *changes, unsigned n)
{
    bool l3 = sim_l3_good(&f->frame), l4 = has_l4_sum(f);

    for (unsigned i = 0; i < n; i += 2) {
        struct change c[2] = {{0}};
        unsigned of = n - i < 2 ? 1 : 2;
        const char *why = pair_of(changes + 8 * (size_t)i, of, c);

        if (why)
            return why;
        apply(f, c, of);
    }
    settle(f, l3, l4);
    return NULL;
}

/* -- as commands have them ----------------------------------------------------------------------- */

static const struct name {
    uint8_t number, field, shift, width;
} names[] = {
    {0x01, L2_SOURCE, 16, 32}, {0x02, L2_SOURCE, 0, 16}, {0x03, L2_TYPE, 32, 16}, {0x04, L2_DESTINATION, 16, 32},
    {0x05, L2_DESTINATION, 0, 16}, {0x06, L3_SERVICE, 0, 6}, {0x07, L4_PORTS, 48, 9}, {0x08, L4_PORTS, 0, 16},
    {0x09, L4_PORTS, 16, 16}, {0x0a, L3_SERVICE, 8, 8}, {0x0b, L4_PORTS, 0, 16}, {0x0c, L4_PORTS, 16, 16},
    {0x0d, L3_THIRD, 32, 32}, {0x0e, L3_THIRD, 0, 32}, {0x0f, L3_FOURTH, 32, 32}, {0x10, L3_FOURTH, 0, 32},
    {0x11, L3_FIRST, 32, 32}, {0x12, L3_FIRST, 0, 32}, {0x13, L3_SECOND, 32, 32}, {0x14, L3_SECOND, 0, 32},
    {0x15, L3_FIRST, 0, 32}, {0x16, L3_FIRST, 32, 32}, {0x17, L2_TYPE, 0, 12}, {0x47, L3_SERVICE, 8, 8},
    {0x49, MARKS_AB, 0, 32}, {0x50, MARKS_AB, 32, 32}, {0x51, MARKS_0, 32, 32}, {0x52, MARKS_0, 0, 32},
    {0x53, MARKS_0 + 1, 32, 32}, {0x54, MARKS_0 + 1, 0, 32}, {0x55, MARKS_0 + 2, 32, 32}, {0x56, MARKS_0 + 2, 0, 32},
    {0x59, L4_NUMBERS, 32, 32}, {0x5b, L4_NUMBERS, 0, 32}, {0x73, L3_SERVICE, 6, 2},
};

static const struct name *name_of(unsigned number)
{
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number)
            return &names[i];
    return NULL;
}

static const char *take_command(const uint8_t *b, struct change *c)
{
    static const uint8_t ops[] = {NO_CHANGE, SET, ADD, COPY};
    unsigned op = b[0] >> 4, offset = b[2] & 0x1f, width = b[3] & 0x1f;
    const struct name *to = name_of((unsigned)sim_be(b + (op == COMMAND_COPY ? 4 : 0), 2) & 0xfff);
    const struct name *from = op == COMMAND_COPY ? name_of((unsigned)sim_be(b, 2) & 0xfff) : to;

    if (op < COMMAND_SET || op > COMMAND_COPY)
        return "there is no such change";
    if (!to || !from)
        return "there is no such field";
    *c = (struct change){.op = ops[op], .field = to->field, .data = (uint32_t)sim_be(b + 4, 4)};
    if (op == COMMAND_ADD) { /* of the whole field */
        offset = 0;
        width = to->width;
    }
    width = width ? width : 32;
    c->width = width;
    c->shift = to->shift + (op == COMMAND_COPY ? b[6] & 0x1f : offset);
    if ((op == COMMAND_COPY ? b[6] & 0x1fu : offset) + width > to->width || (op == COMMAND_COPY &&
        offset + width > from->width))
        return "bits beyond the field's end";
    c->from = from->field;
    c->from_shift = from->shift + offset;
    return judge(c);
}

const char *mlx5_rewrite_command(struct sim_flight *f, const uint8_t *changes, unsigned n, bool change)
{
    bool l3 = change && sim_l3_good(&f->frame), l4 = change && has_l4_sum(f);

    for (unsigned i = 0; i < n; i++) {
        struct change c;
        const char *why = take_command(changes + 8 * (size_t)i, &c);

        if (why)
            return why;
        if (change)
            apply(f, &c, 1);
    }
    if (change)
        settle(f, l3, l4);
    return NULL;
}
