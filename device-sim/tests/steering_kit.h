/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What the tests of steering share: fields by bits, and the tables of libmlx5's steering by software. */
#ifndef STEERING_KIT_H
#define STEERING_KIT_H

#include <endian.h>

#include "eth_kit.h"

#define MATCH_BYTES 320 /* five parts */

enum { OUTER = 1, MISC = 2, INNER = 4, MISC_2 = 8, MISC_3 = 16 };

static inline void put_bits(uint8_t *m, unsigned at, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++) {
        unsigned bit = at + width - 1 - i;

        m[bit / 8] = (uint8_t)((m[bit / 8] & ~(0x80 >> bit % 8)) | (value >> i & 1 ? 0x80 >> bit % 8 : 0));
    }
}

static inline uint64_t take_bits(const uint8_t *m, unsigned at, unsigned width)
{
    uint64_t value = 0;

    for (unsigned bit = at; bit < at + width; bit++)
        value = value << 1 | (m[bit / 8] >> (7 - bit % 8) & 1);
    return value;
}

/* What is compared, or the values. */
struct match {
    union {
        struct mlx5dv_flow_match_parameters p;
        uint8_t room[sizeof(struct mlx5dv_flow_match_parameters) + MATCH_BYTES];
    };
};

static inline struct match no_match(void)
{
    return (struct match){.p = {.match_sz = MATCH_BYTES}};
}

static inline void match_bits(struct match *m, unsigned at, unsigned width, uint64_t value)
{
    put_bits(m->room + sizeof m->p, at, width, value);
}

static inline uint8_t *match_bytes(struct match *m)
{
    return m->room + sizeof m->p;
}

/* A list of up to eight actions. */
struct actions {
    struct mlx5dv_dr_action *of[8];
    size_t n;
};

/* A domain whose frames all go from the root to a table. */
struct steering {
    struct mlx5dv_dr_domain *domain;
    struct mlx5dv_dr_table *root, *table;
    struct mlx5dv_dr_matcher *root_matcher;
    struct mlx5dv_dr_action *to_table;
    struct mlx5dv_dr_rule *root_rule;
};

static inline struct mlx5dv_dr_rule *dr_rule(struct mlx5dv_dr_matcher *m, struct match *value, struct actions a)
{
    return mlx5dv_dr_rule_create(m, &value->p, a.n, a.of);
}

#define ACTIONS(...) \
    ((struct actions){{__VA_ARGS__}, sizeof (struct mlx5dv_dr_action *[]){__VA_ARGS__} / sizeof (void *)})

static inline struct steering open_steering(struct ibv_context *ctx, enum mlx5dv_dr_domain_type type)
{
    struct steering s = {.domain = SOME(mlx5dv_dr_domain_create(ctx, type))};
    struct match none = no_match();

    s.root = SOME(mlx5dv_dr_table_create(s.domain, 0));
    s.table = SOME(mlx5dv_dr_table_create(s.domain, 1));
    s.root_matcher = SOME(mlx5dv_dr_matcher_create(s.root, 0, 0, &none.p));
    s.to_table = SOME(mlx5dv_dr_action_create_dest_table(s.table));
    s.root_rule = SOME(dr_rule(s.root_matcher, &none, ACTIONS(s.to_table)));
    return s;
}

static inline void close_steering(struct steering *s)
{
    OK(mlx5dv_dr_rule_destroy(s->root_rule));
    OK(mlx5dv_dr_action_destroy(s->to_table));
    OK(mlx5dv_dr_matcher_destroy(s->root_matcher));
    OK(mlx5dv_dr_table_destroy(s->table));
    OK(mlx5dv_dr_table_destroy(s->root));
    OK(mlx5dv_dr_domain_destroy(s->domain));
}

/* A change of a header, as commands have it. */
static inline __be64 change_of(unsigned kind, unsigned field, unsigned offset, unsigned width, uint32_t data)
{
    uint8_t b[8] = {0};
    __be64 whole;

    put_bits(b, 0x00, 4, kind);
    put_bits(b, 0x04, 12, field);
    put_bits(b, 0x13, 5, offset);
    put_bits(b, 0x1b, 5, width);
    put_bits(b, 0x20, 32, data);
    memcpy(&whole, b, 8);
    return whole;
}

static inline __be64 copy_of(unsigned from, unsigned to, unsigned width)
{
    return change_of(3, from, 0, width, to << 16);
}

struct counter {
    struct mlx5dv_devx_obj *of;
    uint32_t id;
};

static inline struct counter counter_of(struct ibv_context *ctx)
{
    uint8_t in[16] = {0}, out[16] = {0};
    struct counter c;

    put_bits(in, 0, 16, 0x939);
    c.of = SOME(mlx5dv_devx_obj_create(ctx, in, sizeof in, out, sizeof out));
    c.id = (uint32_t)take_bits(out, 0x40, 32);
    return c;
}

/* Packets, or bytes. */
static inline uint64_t counted(const struct counter *c, unsigned which)
{
    uint8_t in[32] = {0}, out[32] = {0};

    put_bits(in, 0, 16, 0x93b);
    put_bits(in, 0xe0, 32, c->id);
    OK(mlx5dv_devx_obj_query(c->of, in, sizeof in, out, sizeof out));
    return take_bits(out, 0x80 + 64 * which, 64);
}

/* The frame arrives at one end, and what it is there; the receive is posted again. */
static inline struct got wants(struct end *a, const uint8_t *sent, size_t n, struct end *to, const uint8_t *is,
    size_t length)
{
    struct got g;

    send_frame(a, sent, n, 0);
    g = wants_frame(to, is, length);
    post_slot(to, (unsigned)(g.id - 1000), SLOT);
    return g;
}

static inline void wants_none(struct end *a, const uint8_t *sent, size_t n, struct end *of)
{
    send_frame(a, sent, n, 0);
    none_of(of);
}

#endif
