/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Frames as bytes: which headers they have, and their checksums. A header that is cut short ends the parsing. */
#include <string.h>

#include "frames.h"

enum { IPV4 = 0x0800, IPV6 = 0x86dd, MPLS = 0x8847, BRIDGED = 0x6558 };
enum { HOP_BY_HOP = 0, IP_IN_IP = 4, TCP = 6, UDP = 17, IPV6_IN_IP = 41, ROUTING = 43, FRAGMENT = 44, GRE = 47,
    OPTIONS = 60 };
enum { VXLAN_PORT = 4789, GENEVE_PORT = 6081, MPLS_PORT = 6635 };

static uint16_t be16(const uint8_t *b)
{
    return (uint16_t)(b[0] << 8 | b[1]);
}

static void put16(uint8_t *b, uint16_t value)
{
    b[0] = (uint8_t)(value >> 8);
    b[1] = (uint8_t)value;
}

/* -- headers ----------------------------------------------------------------------------------- */

struct parser {
    struct sim_frame *f;
    size_t at, end;
    struct sim_layer *layer;
    struct sim_place *place;
};

/* The next `size` bytes; NULL: the frame ends before. */
static const uint8_t *peek(const struct parser *p, size_t size)
{
    return p->at + size <= p->end ? p->f->bytes + p->at : NULL;
}

static uint16_t ethernet(struct parser *p)
{
    const uint8_t *b = peek(p, SIM_ETHERNET);
    uint16_t type;

    if (!b)
        return 0;
    p->place->l2 = p->at;
    memcpy(p->layer->dmac, b, 6);
    memcpy(p->layer->smac, b + 6, 6);
    type = be16(b + 12);
    p->at += SIM_ETHERNET;
    while ((type == SIM_CUSTOMER_TAG || type == SIM_SERVICE_TAG) && (b = peek(p, SIM_VLAN))) {
        if (type == SIM_CUSTOMER_TAG && !p->layer->has_vlan) {
            p->layer->has_vlan = 0xff;
            memcpy(p->layer->vlan, b, 2);
        }
        type = be16(b + 2);
        p->at += SIM_VLAN;
    }
    put16(p->layer->ether_type, type);
    return type;
}

/* The protocol that follows, or -1. */
static int ipv4(struct parser *p)
{
    const uint8_t *b = peek(p, 20);
    size_t header, total;

    if (!b || b[0] >> 4 != 4)
        return -1;
    header = (size_t)(b[0] & 15) * 4;
    total = be16(b + 2);
    if (header < 20 || !peek(p, header) || (total && total < header))
        return -1;
    p->place->l3 = p->at;
    if (total && p->at + total < p->end) /* 0: to the end, as headers of segmented requests have it */
        p->end = p->at + total;
    p->layer->ip = 4;
    p->layer->tos = b[1];
    p->layer->flags = (uint8_t)((b[6] & 0x40 ? 2 : 0) | (b[6] & 0x20 ? 4 : 0));
    p->layer->ttl = b[8];
    p->layer->proto = b[9];
    memcpy(p->layer->src + 12, b + 12, 4);
    memcpy(p->layer->dst + 12, b + 16, 4);
    p->place->fragment = be16(b + 6) & 0x3fff;
    p->layer->fragment = p->place->fragment ? 0xff : 0;
    p->at += header;
    return be16(b + 6) & 0x1fff ? -1 : b[9];
}

/* Past the headers that may lie in front of the protocol. */
static int behind_options(struct parser *p, uint8_t next)
{
    const uint8_t *b;

    while ((next == HOP_BY_HOP || next == ROUTING || next == OPTIONS || next == FRAGMENT) && (b = peek(p, 8))) {
        p->layer->proto = b[0];
        if (next == FRAGMENT) {
            p->place->fragment = be16(b + 2) & 0xfff9;
            p->layer->fragment = p->place->fragment ? 0xff : 0;
            p->at += 8;
            if (be16(b + 2) & 0xfff8)
                return -1;
        } else {
            p->at += (size_t)(b[1] + 1) * 8;
        }
        next = b[0];
    }
    return next;
}

static int ipv6(struct parser *p)
{
    const uint8_t *b = peek(p, 40);

    if (!b || b[0] >> 4 != 6)
        return -1;
    p->place->l3 = p->at;
    if (be16(b + 4) && p->at + 40 + be16(b + 4) < p->end)
        p->end = p->at + 40 + be16(b + 4);
    p->layer->ip = 6;
    p->layer->tos = (uint8_t)(b[0] << 4 | b[1] >> 4);
    p->layer->flow_label[1] = b[1] & 15;
    memcpy(p->layer->flow_label + 2, b + 2, 2);
    p->layer->proto = b[6];
    p->layer->ttl = b[7];
    memcpy(p->layer->src, b + 8, 16);
    memcpy(p->layer->dst, b + 24, 16);
    p->at += 40;
    return behind_options(p, b[6]);
}

static bool ports(struct parser *p, int proto)
{
    const uint8_t *b = peek(p, proto == TCP ? 20 : 8);
    size_t header = proto == TCP && b ? (size_t)(b[12] >> 4) * 4 : 8;

    if (!b || (proto == TCP && (header < 20 || !peek(p, header))))
        return false;
    p->place->l4 = p->at;
    memcpy(p->layer->sport, b, 2);
    memcpy(p->layer->dport, b + 2, 2);
    if (proto == TCP) {
        p->layer->tcp_flags[0] = b[12] & 1;
        p->layer->tcp_flags[1] = b[13];
    }
    p->at += header;
    p->place->payload = p->at;
    return true;
}

static void layer(struct parser *p, uint16_t type);

/* What a tunnel carries. There is one layer below the outer one, and no more. */
static void below(struct parser *p, uint16_t type)
{
    if (p->layer == &p->f->h.inner)
        return;
    p->place->end = p->end;
    p->f->below = p->at;
    p->layer = &p->f->h.inner;
    p->place = &p->f->inner;
    if (type == BRIDGED)
        type = ethernet(p);
    layer(p, type);
}

static void mpls(struct parser *p, enum sim_mpls over)
{
    struct sim_headers *h = &p->f->h;
    const uint8_t *b;
    bool bottom = false;

    while (!bottom && (b = peek(p, 4))) {
        if (p->layer == &h->inner && over == SIM_MPLS_ETHERNET && !h->has_inner_mpls) {
            h->has_inner_mpls = 0xff;
            memcpy(h->inner_mpls, b, 4);
        } else if (p->layer == &h->outer && !h->mpls_over) {
            h->mpls_over = (uint8_t)over;
            memcpy(h->mpls, b, 4);
        }
        bottom = b[2] & 1;
        p->at += 4;
    }
    b = bottom ? peek(p, 1) : NULL;
    if (b && (b[0] >> 4 == 4 || b[0] >> 4 == 6))
        below(p, b[0] >> 4 == 4 ? IPV4 : IPV6);
}

static void gre(struct parser *p)
{
    struct sim_headers *h = &p->f->h;
    const uint8_t *b = peek(p, 4), *key;
    uint8_t flags = b ? b[0] : 0;
    size_t size = 4 + (flags & 0x80 ? 4 : 0) + (flags & 0x20 ? 4 : 0) + (flags & 0x10 ? 4 : 0);
    uint16_t type;

    if (!b || !peek(p, size) || h->has_gre)
        return;
    type = be16(b + 2);
    key = b + (flags & 0x80 ? 8 : 4);
    h->has_gre = 0xff;
    memcpy(h->gre_flags, b, 2);
    memcpy(h->gre_protocol, b + 2, 2);
    if (flags & 0x20)
        memcpy(h->gre_key, key, 4);
    p->at += size;
    if (type == MPLS)
        mpls(p, SIM_MPLS_GRE);
    else
        below(p, type);
}

static void vxlan(struct parser *p)
{
    struct sim_headers *h = &p->f->h;
    const uint8_t *b = peek(p, 8);

    if (!b || h->has_vxlan || !(b[0] & 8))
        return;
    h->has_vxlan = 0xff;
    memcpy(h->vni, b + 4, 3);
    p->at += 8;
    below(p, BRIDGED);
}

static void geneve(struct parser *p)
{
    struct sim_headers *h = &p->f->h;
    const uint8_t *b = peek(p, 8);
    size_t size = b ? 8 + (size_t)(b[0] & 0x3f) * 4 : 0;

    if (!b || h->has_geneve || !peek(p, size) || b[0] >> 6)
        return;
    h->has_geneve = 0xff;
    memcpy(h->geneve, b, 8);
    p->at += size;
    below(p, be16(b + 2));
}

/* From the network header on. */
static void layer(struct parser *p, uint16_t type)
{
    struct sim_layer *l = p->layer;
    struct sim_place *place = p->place;
    int proto = -1;

    if (type == MPLS)
        mpls(p, SIM_MPLS_ETHERNET);
    if (type == IPV4)
        proto = ipv4(p);
    if (type == IPV6)
        proto = ipv6(p);
    place->end = p->end;
    if (proto == GRE)
        gre(p);
    else if (proto == IP_IN_IP || proto == IPV6_IN_IP)
        below(p, proto == IP_IN_IP ? IPV4 : IPV6);
    else if ((proto == TCP || proto == UDP) && ports(p, proto) && proto == UDP && be16(l->dport) == VXLAN_PORT)
        vxlan(p);
    else if (proto == UDP && be16(l->dport) == GENEVE_PORT)
        geneve(p);
    else if (proto == UDP && be16(l->dport) == MPLS_PORT)
        mpls(p, SIM_MPLS_UDP);
}

void sim_parse_frame(struct sim_frame *f, const uint8_t *bytes, size_t length)
{
    struct parser p = {.f = f, .end = length, .layer = &f->h.outer, .place = &f->outer};

    memset(f, 0, sizeof *f);
    f->bytes = bytes;
    f->length = length;
    layer(&p, ethernet(&p));
}

/* -- checksums --------------------------------------------------------------------------------- */

static uint32_t add(uint32_t sum, const uint8_t *b, size_t length)
{
    for (size_t i = 0; i + 1 < length; i += 2)
        sum += be16(b + i);
    return length & 1 ? sum + (uint32_t)(b[length - 1] << 8) : sum;
}

static uint16_t fold(uint32_t sum)
{
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)sum;
}

/* Of the transport header with its payload and what the addresses add to it. */
static uint16_t transport_sum(const struct sim_frame *f)
{
    const struct sim_layer *l = &f->h.outer;
    const struct sim_place *p = &f->outer;
    size_t length = p->end - p->l4;
    uint32_t sum = l->proto + (uint32_t)length;

    sum = add(sum, l->src, sizeof l->src); /* of an IPv4 address the rest is zero */
    sum = add(sum, l->dst, sizeof l->dst);
    return fold(add(sum, f->bytes + p->l4, length));
}

static bool has_transport(const struct sim_frame *f)
{
    return f->outer.l4 && !f->outer.fragment;
}

static size_t network_header(const struct sim_frame *f)
{
    return (size_t)(f->bytes[f->outer.l3] & 15) * 4;
}

void sim_fill_checksums(uint8_t *bytes, size_t length, bool l3, bool l4)
{
    struct sim_frame f;
    uint8_t *at;
    uint16_t sum;

    sim_parse_frame(&f, bytes, length);
    if (l3 && f.h.outer.ip == 4) {
        at = bytes + f.outer.l3 + 10;
        put16(at, 0);
        put16(at, (uint16_t)~fold(add(0, bytes + f.outer.l3, network_header(&f))));
    }
    if (!l4 || !has_transport(&f))
        return;
    at = bytes + f.outer.l4 + (f.h.outer.proto == TCP ? 16 : 6);
    put16(at, 0);
    sum = (uint16_t)~transport_sum(&f);
    put16(at, !sum && f.h.outer.proto == UDP ? 0xffff : sum); /* where 0 is for none */
}

bool sim_l3_good(const struct sim_frame *f)
{
    if (f->h.outer.ip == 4)
        return fold(add(0, f->bytes + f->outer.l3, network_header(f))) == 0xffff;
    return f->h.outer.ip == 6;
}

bool sim_l4_good(const struct sim_frame *f)
{
    if (!has_transport(f))
        return false;
    if (f->h.outer.proto == UDP && !be16(f->bytes + f->outer.l4 + 6))
        return f->h.outer.ip == 4; /* it has none */
    return transport_sum(f) == 0xffff;
}

uint16_t sim_frame_sum(const struct sim_frame *f)
{
    size_t at = f->outer.l3 ? f->outer.l3 : SIM_ETHERNET;

    return at < f->length ? fold(add(0, f->bytes + at, f->length - at)) : 0;
}

uint32_t sim_crc32(uint32_t crc, uint32_t reversed, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? reversed : 0);
    }
    return crc;
}

uint32_t sim_frame_crc(const uint8_t *bytes, size_t length)
{
    return ~sim_crc32(UINT32_MAX, SIM_CRC32, bytes, length);
}
