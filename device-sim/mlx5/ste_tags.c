/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* What an entry of a steering table compares: sixteen bytes of the frame, by the kind of the entry. */
#include <string.h>

#include "steering.h"

enum { TCP = 6, UDP = 17, ICMP = 1, ICMP6 = 58 };
enum { L3_IPV4 = 1, L3_IPV6 = 2, L4_TCP = 1, L4_UDP = 2 };
enum { SERVICE = 1, CUSTOMER = 2 }; /* kinds of tags */
/* Of the parsers that look for headers of a kind, four are in one entry. */
enum { PARSER_MPLS_GRE = 1, PARSER_MPLS_UDP = 2, PARSER_ICMP = 4, PARSER_ICMP_DATA = 5, PARSER_ICMP6 = 6,
    PARSER_ICMP6_DATA = 7 };

/* A layer of headers as it is looked at. */
struct view {
    const struct sim_flight *f;
    const struct sim_layer *l;
    const struct sim_place *at;
    bool inner;
};

static const uint8_t *bytes(const struct view *v, size_t at)
{
    return v->f->bytes + at;
}

static bool has_l2(const struct view *v)
{
    return !v->inner || v->at->l2;
}

/* The nth tag of the Ethernet header: its two words, or NULL. */
static const uint8_t *tag_of(const struct view *v, unsigned nth)
{
    size_t at = v->at->l2 + 12 + 4 * (size_t)nth;

    for (unsigned i = 0; i <= nth; i++) {
        size_t type = v->at->l2 + 12 + 4 * (size_t)i;

        if (!has_l2(v) || type + 4 > v->f->length || !sim_is_tag(bytes(v, type)))
            return NULL;
    }
    return bytes(v, at);
}

static void put_tag(const struct view *v, unsigned nth, uint8_t *t, unsigned priority, unsigned qualifier, unsigned id)
{
    const uint8_t *b = tag_of(v, nth);

    if (!b)
        return;
    devx_set(t, priority, 4, b[2] >> 4); /* with its fourth bit behind it */
    devx_set(t, qualifier, 2, sim_be(b, 2) == SIM_CUSTOMER_TAG ? CUSTOMER : SERVICE);
    devx_set(t, id, 12, sim_be(b + 2, 2) & 0xfff);
}

static unsigned l3_type(const struct view *v)
{
    return v->l->ip == 4 ? L3_IPV4 : v->l->ip == 6 ? L3_IPV6 : 0;
}

static unsigned l4_type(const struct view *v)
{
    return !v->at->l4 ? 0 : v->l->proto == TCP ? L4_TCP : L4_UDP;
}

static bool is_tcp(const struct view *v)
{
    return v->at->l4 && v->l->proto == TCP;
}

static void put_kinds(const struct view *v, uint8_t *t)
{
    devx_set(t, 0x60, 1, v->l->fragment != 0);
    devx_set(t, 0x61, 1, is_tcp(v) && v->l->tcp_flags[1] & 2);
    devx_set(t, 0x64, 2, l3_type(v));
    devx_set(t, 0x66, 2, l4_type(v));
}

/* -- the kinds --------------------------------------------------------------------------------- */

static void address_and_tags(const struct view *v, uint8_t *t, const uint8_t *mac)
{
    if (has_l2(v)) {
        memcpy(t, mac, 6);
        memcpy(t + 6, v->l->ether_type, 2);
    }
    devx_set(t, 0x46, 1, v->f->own);
    put_tag(v, 0, t, 0x4c, 0x50, 0x54);
    put_tag(v, 1, t, 0x6c, 0x70, 0x74);
    put_kinds(v, t);
}

static void l2_destination(const struct view *v, uint8_t *t)
{
    address_and_tags(v, t, v->l->dmac);
}

static void l2_source(const struct view *v, uint8_t *t)
{
    address_and_tags(v, t, v->l->smac);
}

static void l2_both(const struct view *v, uint8_t *t)
{
    if (has_l2(v)) {
        memcpy(t, v->l->dmac, 6);
        memcpy(t + 6, v->l->smac, 6);
    }
    devx_set(t, 0x62, 1, v->f->own);
    devx_set(t, 0x64, 2, l3_type(v));
    put_tag(v, 0, t, 0x6c, 0x70, 0x74);
}

static void l2_tunnel(const struct view *v, uint8_t *t)
{
    const struct sim_headers *h = &v->f->frame.h;

    if (has_l2(v)) {
        memcpy(t, v->l->dmac, 6);
        memcpy(t + 6, v->l->ether_type, 2);
    }
    if (h->has_vxlan)
        memcpy(t + 8, h->vni, 3);
    put_tag(v, 0, t, 0x68, 0x70, 0x74);
    put_kinds(v, t);
}

static void ipv6_destination(const struct view *v, uint8_t *t)
{
    if (v->l->ip == 6)
        memcpy(t, v->l->dst, 16);
}

static void ipv6_source(const struct view *v, uint8_t *t)
{
    if (v->l->ip == 6)
        memcpy(t, v->l->src, 16);
}

/* From the traffic class and the flags of TCP, which lie apart in both places that have them. */
static void put_service(const struct view *v, uint8_t *t, unsigned ecn, unsigned dscp)
{
    devx_set(t, ecn, 2, v->l->tos & 3);
    devx_set(t, dscp, 6, v->l->tos >> 2);
    if (is_tcp(v))
        devx_set(t, ecn + 2, 9, sim_be(v->l->tcp_flags, 2) & 0x1ff);
}

static void ipv4_tuple(const struct view *v, uint8_t *t)
{
    if (v->l->ip != 4)
        return;
    memcpy(t, v->l->dst + 12, 4);
    memcpy(t + 4, v->l->src + 12, 4);
    memcpy(t + 8, v->l->sport, 2);
    memcpy(t + 10, v->l->dport, 2);
    devx_set(t, 0x60, 1, v->l->fragment != 0);
    devx_set(t, 0x61, 1, v->l->fragment && !(sim_be(bytes(v, v->at->l3 + 6), 2) & 0x1fff));
    put_service(v, t, 0x65, 0x70);
    t[15] = v->l->proto;
}

static void ipv4_rest(const struct view *v, uint8_t *t)
{
    const uint8_t *b = bytes(v, v->at->l3);

    if (v->l->ip != 4)
        return;
    t[0] = b[0];
    memcpy(t + 2, b + 2, 6); /* lengths, identification, flags */
    t[8] = b[8];
    memcpy(t + 10, b + 10, 2);
}

static void transport(const struct view *v, uint8_t *t)
{
    const uint8_t *b = bytes(v, v->at->l3);

    if (!v->l->ip)
        return;
    devx_set(t, 0x00, 1, v->l->fragment != 0);
    t[1] = v->l->proto;
    memcpy(t + 2, v->l->dport, 2);
    devx_set(t, 0x20, 4, v->l->ip);
    put_service(v, t, 0x25, 0x58);
    memcpy(t + 6, v->l->sport, 2);
    if (v->l->ip == 6)
        memcpy(t + 8, b + 4, 2);
    t[10] = v->l->ttl;
    if (is_tcp(v))
        devx_set(t, 0x60, 4, bytes(v, v->at->l4)[12] >> 4);
    devx_set(t, 0x6c, 20, sim_be(v->l->flow_label, 4));
}

static void transport_rest(const struct view *v, uint8_t *t)
{
    const uint8_t *b = bytes(v, v->at->l4);

    if (!v->at->l4)
        return;
    if (!is_tcp(v)) {
        memcpy(t, b + 6, 2);
        memcpy(t + 2, b + 4, 2);
        return;
    }
    memcpy(t, b + 16, 2);
    memcpy(t + 4, b + 4, 8);
    memcpy(t + 12, b + 18, 2);
    memcpy(t + 14, b + 14, 2);
}

static void mpls(const struct view *v, uint8_t *t)
{
    const struct sim_headers *h = &v->f->frame.h;

    if (v->inner && h->has_inner_mpls)
        memcpy(t, h->inner_mpls, 4);
    if (!v->inner && h->mpls_over == SIM_MPLS_ETHERNET)
        memcpy(t, h->mpls, 4);
}

static void gre(const struct view *v, uint8_t *t)
{
    const struct sim_headers *h = &v->f->frame.h;

    if (!h->has_gre)
        return;
    memcpy(t, h->gre_flags, 2);
    memcpy(t + 2, h->gre_protocol, 2);
    memcpy(t + 8, h->gre_key, 4);
}

static void tunnel(const struct view *v, uint8_t *t)
{
    if (v->f->frame.h.has_geneve)
        memcpy(t, v->f->frame.h.geneve, 8);
}

/* The parser's place among those of its entry: the last one comes first. */
static uint8_t *parser(uint8_t *t, unsigned number)
{
    return t + 4 * (3 - number % 4);
}

static void parsers_0(const struct view *v, uint8_t *t)
{
    const struct sim_headers *h = &v->f->frame.h;

    if (h->mpls_over == SIM_MPLS_GRE)
        memcpy(parser(t, PARSER_MPLS_GRE), h->mpls, 4);
    if (h->mpls_over == SIM_MPLS_UDP)
        memcpy(parser(t, PARSER_MPLS_UDP), h->mpls, 4);
}

static void parsers_1(const struct view *v, uint8_t *t)
{
    size_t at = v->at->l3 + (v->l->ip == 6 ? 40 : (size_t)(bytes(v, v->at->l3)[0] & 15) * 4);
    bool four = v->l->ip == 4 && v->l->proto == ICMP, six = v->l->ip == 6 && v->l->proto == ICMP6;

    if ((!four && !six) || v->l->fragment || at + 8 > v->f->length)
        return;
    memcpy(parser(t, four ? PARSER_ICMP : PARSER_ICMP6), bytes(v, at), 4);
    memcpy(parser(t, four ? PARSER_ICMP_DATA : PARSER_ICMP6_DATA), bytes(v, at + 4), 4);
}

static void put_marks(const struct view *v, uint8_t *t, unsigned first, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        devx_set(t, 32 * i, 32, v->f->mark[first + i]);
}

static void general(const struct view *v, uint8_t *t)
{
    put_marks(v, t, SIM_REGISTER_A, 1);
}

static void registers_0(const struct view *v, uint8_t *t)
{
    put_marks(v, t, 0, 4);
}

static void registers_1(const struct view *v, uint8_t *t)
{
    put_marks(v, t, 4, 4);
}

static void source(const struct view *v, uint8_t *t)
{
    if (v->f->egress || v->f->own)
        devx_set(t, 0x10, 16, mlx5_gvmi(v->f->dev));
    devx_set(t, 0x26, 1, !v->f->egress && v->f->own);
    if (v->f->egress || v->f->own)
        devx_set(t, 0x28, 24, v->f->sender);
}

/* -- by their numbers: of outer headers, of what is sent and of what arrives, and of inner ones -------- */

static const struct kind {
    uint8_t outer, arrived, inner; /* 0: there is none */
    void (*fill)(const struct view *v, uint8_t *t);
} kinds[] = {
    {0x06, 0x1b, 0x07, l2_destination}, {0x08, 0x1c, 0x09, l2_source}, {0x36, 0x38, 0x37, l2_both},
    {0, 0, 0x0a, l2_tunnel}, {0x0d, 0x1e, 0x0e, ipv6_destination}, {0x0f, 0x1f, 0x10, ipv6_source},
    {0x11, 0x20, 0x12, ipv4_tuple}, {0x29, 0x2b, 0x2a, ipv4_rest}, {0x13, 0x21, 0x14, transport},
    {0x2c, 0x2e, 0x2d, transport_rest}, {0x15, 0x25, 0x24, mpls}, {0x16, 0, 0, gre}, {0x19, 0, 0, tunnel},
    {0x22, 0, 0, parsers_0}, {0x23, 0, 0, parsers_1}, {0x18, 0, 0, general}, {0x2f, 0, 0, registers_0},
    {0x30, 0, 0, registers_1}, {0x05, 0, 0, source},
};

bool mlx5_ste_tag(const struct sim_flight *f, unsigned kind, uint8_t tag[STE_TAG])
{
    memset(tag, 0, STE_TAG);
    for (unsigned i = 0; kind && i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *k = &kinds[i];
        struct view v = {.f = f, .inner = kind == k->inner};

        if (kind != k->outer && kind != k->arrived && kind != k->inner)
            continue;
        v.l = v.inner ? &f->frame.h.inner : &f->frame.h.outer;
        v.at = v.inner ? &f->frame.inner : &f->frame.outer;
        k->fill(&v, tag);
        return true;
    }
    return false;
}
