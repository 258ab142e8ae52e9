/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of steering tables, as software has written them. An entry compares sixteen bytes of the frame under a mask.
 * Where they are the same, it does something and leads to a table of 2^n entries, one of which is chosen by a CRC of
 * what the next entries will compare; else it leads to another entry. All of an entry that means nothing must be zero.
 */
#include <string.h>

#include "steering.h"

enum { SENDS = 1, RECEIVES = 2, REWRITES = 6 }; /* kinds of entries */
enum { PUSH_TAG = 1, ENCAPSULATE_L3 = 3, ENCAPSULATE = 4 }; /* what is done with what is sent */
enum { DECAPSULATE = 2, DECAPSULATE_L3 = 3, POP_TAG = 4 }; /* and with what arrives */

#define MAX_HOPS 1000
#define ANY_KIND 0x0f /* of what lies at a single address: it is not chosen */
#define TAG_AT 32 /* bytes */
#define MASK_AT 48
#define HAS_TAG (1u << 31)

struct walk {
    struct sim_flight *f;
    uint64_t base, size; /* of the table: where it is, how many entries */
    unsigned kind, byte_mask; /* which bytes of what is compared the entry is chosen by */
    uint64_t at; /* the entry */
    const uint8_t *ste;
};

static uint64_t field(const struct walk *w, unsigned at, unsigned width)
{
    return devx_get(w->ste, at, width);
}

static bool wrong(const struct walk *w, unsigned at, unsigned width, const char *why)
{
    sim_violation(w->ste, ICM_STE, at / 8, (at % 8 + width + 7) / 8, "%s entry 0x%llx: %s", w->f->dev->name,
        (unsigned long long)w->at, why);
    return false;
}

/* -- what may be in an entry ------------------------------------------------------------------- */

static bool judge_common(const struct walk *w)
{
    static const struct { uint8_t at, width; } zero[] = {{0x04, 4}, {0x5b, 5}, {0xfa, 1}, {0xfc, 4}};

    for (unsigned i = 0; i < sizeof zero / sizeof *zero; i++)
        if (field(w, zero[i].at, zero[i].width))
            return wrong(w, zero[i].at, zero[i].width, "reserved bits");
    if (field(w, 0x70, 16) != mlx5_gvmi(w->f->dev))
        return wrong(w, 0x70, 16, "the number of another function");
    if (field(w, 0x20, 16) != mlx5_gvmi(w->f->dev))
        return wrong(w, 0x20, 16, "it leads to another function");
    return field(w, 0xc0, 16) == mlx5_gvmi(w->f->dev) || wrong(w, 0xc0, 16,
        "it leads to another function where it does not match");
}

static bool judge_sends(const struct walk *w)
{
    unsigned action = (unsigned)field(w, 0x66, 3);

    if (!w->f->egress)
        return wrong(w, 0, 4, "an entry of what is sent, for a frame that arrives");
    if (field(w, 0x60, 6) || field(w, 0x69, 1) || field(w, 0xa0, 16))
        return wrong(w, 0x60, 16, "reserved bits");
    if (action && action != PUSH_TAG && action != ENCAPSULATE && action != ENCAPSULATE_L3)
        return wrong(w, 0x66, 3, "there is no such action");
    return action || !field(w, 0x80, 32) || wrong(w, 0x80, 32, "something to put in front, and no action");
}

static bool judge_receives(const struct walk *w)
{
    unsigned action = (unsigned)field(w, 0xa1, 3);

    if (w->f->egress)
        return wrong(w, 0, 4, "an entry of what arrives, for a frame that is sent");
    if (field(w, 0x60, 16) || field(w, 0xa0, 1) || field(w, 0xa4, 12))
        return wrong(w, 0xa0, 16, "reserved bits");
    if (action && action != DECAPSULATE && action != POP_TAG)
        return wrong(w, 0xa1, 3, "there is no such action");
    return !field(w, 0x80, 32) || field(w, 0x80, 8) == HAS_TAG >> 24 || wrong(w, 0x80, 32,
        "a tag that is not announced");
}

static bool judge_rewrites(const struct walk *w)
{
    unsigned action = (unsigned)field(w, 0xa1, 3);

    if (action && (w->f->egress || action != DECAPSULATE_L3))
        return wrong(w, 0xa1, 3, "there is no such action");
    if (field(w, 0xa0, 1) || field(w, 0xa8, 8) || field(w, 0xa4, 4) > (action == DECAPSULATE_L3))
        return wrong(w, 0xa0, 16, "reserved bits");
    return field(w, 0x60, 16) || wrong(w, 0x60, 16, "no changes");
}

static bool judge(const struct walk *w)
{
    switch (field(w, 0, 4)) {
    case SENDS:
        return judge_sends(w) && judge_common(w);
    case RECEIVES:
        return judge_receives(w) && judge_common(w);
    case REWRITES:
        return judge_rewrites(w) && judge_common(w);
    }
    return wrong(w, 0, 4, "there is no such kind of entry");
}

/* -- what an entry does -------------------------------------------------------------------------- */

static bool rewrite(const struct walk *w)
{
    unsigned n = (unsigned)field(w, 0x60, 16);
    uint64_t at = ICM_REWRITES + ICM_REWRITE_LINE * field(w, 0x80, 32);
    const uint8_t *changes = mlx5_icm_at(w->f->dev, at, 8 * (uint64_t)n);
    const char *why = changes ? mlx5_rewrite(w->f, changes, n) : "there is no memory with changes";

    return !why || wrong(w, 0x80, 32, why);
}

static bool encapsulate(const struct walk *w, bool without_l2)
{
    const struct devx_object *o = mlx5_devx_anywhere(w->f->dev, OP_ALLOC_REFORMAT, (uint32_t)field(w, 0x80, 32));
    size_t size = o ? devx_get(o->body, 0x16, 10) : 0;

    if (!o)
        return wrong(w, 0x80, 32, "there are no such headers");
    if (size != 2 * field(w, 0x6a, 6))
        return wrong(w, 0x6a, 6, "the headers have another size");
    return mlx5_encapsulate(w->f, o->body + 6, size, without_l2);
}

static bool act_sends(const struct walk *w)
{
    switch (field(w, 0x66, 3)) {
    case PUSH_TAG:
        return mlx5_push_tag(w->f, (uint32_t)field(w, 0x80, 32));
    case ENCAPSULATE:
    case ENCAPSULATE_L3:
        return encapsulate(w, field(w, 0x66, 3) == ENCAPSULATE_L3);
    }
    return true;
}

static bool act_receives(const struct walk *w)
{
    if (field(w, 0x80, 32) & HAS_TAG)
        w->f->tag = (uint32_t)field(w, 0x88, 24);
    switch (field(w, 0xa1, 3)) {
    case DECAPSULATE:
        return mlx5_decapsulate(w->f, 0);
    case POP_TAG:
        return mlx5_pop_tag(w->f);
    }
    return true;
}

static bool act_rewrites(const struct walk *w)
{
    if (field(w, 0xa1, 3) && !mlx5_decapsulate(w->f, field(w, 0xa4, 4) ? SIM_ETHERNET + SIM_VLAN : SIM_ETHERNET))
        return false;
    return rewrite(w);
}

/* Whether the frame is still there. One that an action can't be done with is dropped. */
static bool act(const struct walk *w)
{
    uint32_t counter = (uint32_t)(field(w, 0xd0, 8) << 16 | field(w, 0xb0, 16));

    if (counter && !mlx5_count_flow(w->f, counter))
        return wrong(w, 0xb0, 16, "there is no such counter");
    switch (field(w, 0, 4)) {
    case SENDS:
        return act_sends(w);
    case RECEIVES:
        return act_receives(w);
    }
    return act_rewrites(w);
}

/* -- from entry to entry ------------------------------------------------------------------------- */

static bool is_device(uint64_t address)
{
    return address >> ICM_KIND_SHIFT & 0x80;
}

/* Where the device has something itself. */
static bool end(struct sim_flight *f, uint64_t address)
{
    uint32_t number = (uint32_t)address >> ICM_NUMBER_SHIFT;
    struct devx_object *o;
    struct sim_qp *qp;

    switch (address >> ICM_KIND_SHIFT) {
    case ICM_DROP_RX:
    case ICM_DROP_TX:
        return false;
    case ICM_ALLOW_TX:
        return f->egress;
    case ICM_TABLE:
        if ((o = mlx5_flow_table(f->dev, number)))
            return mlx5_into_table(f, o);
        break;
    case ICM_SAMPLER:
        if ((o = mlx5_steering_object(f->dev, number, DEVX_OBJECT_FLOW_SAMPLER)))
            return mlx5_sample(f, o);
        break;
    case ICM_METER:
        if ((o = mlx5_steering_object(f->dev, number, DEVX_OBJECT_FLOW_METER)))
            return mlx5_meter(f, o);
        break;
    case ICM_RECEIVER:
        qp = f->egress ? NULL : mlx5_receiver(f->dev, number);
        if (qp) {
            sim_flight_deliver(f, qp);
            return false;
        }
    }
    sim_violation(NULL, 0, 0, 0, "%s: entries lead to 0x%llx, where there is nothing", f->dev->name,
        (unsigned long long)address);
    return false;
}

/* Which entry of the table it is: by the CRC-32 without its inversions, with its bytes the other way round. */
static bool choose(struct walk *w)
{
    uint8_t tag[STE_TAG] = {0};
    uint64_t index = 0;

    if (w->size > 1 && w->byte_mask) {
        if (!mlx5_ste_tag(w->f, w->kind, tag))
            return wrong(w, 0x30, 8, "it leads to entries of a kind that there is not");
        for (unsigned i = 0; i < STE_TAG; i++)
            if (!(w->byte_mask >> (STE_TAG - 1 - i) & 1))
                tag[i] = 0;
        index = __builtin_bswap32(sim_crc32(0, SIM_CRC32, tag, sizeof tag)) % w->size;
    }
    w->at = w->base + ICM_STE * index;
    w->ste = mlx5_icm_at(w->f->dev, w->at, ICM_STE);
    if (!w->ste)
        sim_violation(NULL, 0, 0, 0, "%s: entries lead to 0x%llx, where there is no memory for them", w->f->dev->name,
            (unsigned long long)w->at);
    return w->ste;
}

/* 1: the frame is the one that the entry wants, 0: another one, -1: it is no entry. */
static int matches(const struct walk *w)
{
    const uint8_t *wanted = w->ste + TAG_AT, *mask = w->ste + MASK_AT;
    uint8_t is[STE_TAG] = {0};
    bool any = false, same = true;

    for (unsigned i = 0; i < STE_TAG; i++)
        any = any || mask[i];
    if (any && !mlx5_ste_tag(w->f, (unsigned)field(w, 0x08, 8), is)) {
        wrong(w, 0x08, 8, "there is no such kind of comparison");
        return -1;
    }
    for (unsigned i = 0; i < STE_TAG; i++)
        same = same && (is[i] & mask[i]) == wanted[i];
    return same;
}

/* The size of the table is the lowest bit that is set, where its address has none. */
static bool to_next(struct walk *w)
{
    uint64_t both = field(w, 0x38, 8) << 27 | field(w, 0x40, 27);

    w->kind = (unsigned)field(w, 0x30, 8);
    w->byte_mask = (unsigned)field(w, 0x10, 16);
    w->size = both & -both;
    w->base = (both & ~w->size) << 5;
    return both || wrong(w, 0x38, 35, "it leads nowhere");
}

static void to_miss(struct walk *w)
{
    w->kind = ANY_KIND;
    w->byte_mask = 0;
    w->size = 1;
    w->base = field(w, 0xd8, 8) << 32 | field(w, 0xe0, 26) << 6;
}

bool mlx5_walk(struct sim_flight *f, uint64_t address)
{
    struct walk w = {.f = f, .base = address, .size = 1, .kind = ANY_KIND};

    for (unsigned hops = 0; hops < MAX_HOPS; hops++) {
        int same;

        if (is_device(w.base))
            return end(f, w.base);
        if (!choose(&w) || !judge(&w) || (same = matches(&w)) < 0)
            return false;
        if (!same)
            to_miss(&w);
        else if (!act(&w) || !to_next(&w))
            return false;
    }
    sim_violation(NULL, 0, 0, 0, "%s: entries lead from 0x%llx in a circle", f->dev->name, (unsigned long long)address);
    return false;
}
