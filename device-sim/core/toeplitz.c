/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* How frames spread over work queues: Toeplitz' hash of what was chosen of their headers. */
#include <string.h>

#include "frames.h"

enum { TCP = 6, UDP = 17 };

/* Each bit of the data that is set adds the 32 bits of the key that begin at its place. */
uint32_t sim_toeplitz(const uint8_t *key, const uint8_t *data, size_t length)
{
    uint32_t hash = 0, window = (uint32_t)key[0] << 24 | (uint32_t)key[1] << 16 | (uint32_t)key[2] << 8 | key[3];

    for (size_t bit = 0; bit < length * 8; bit++) {
        size_t next = bit + 32;

        if (data[bit / 8] & 0x80 >> bit % 8)
            hash ^= window;
        window = window << 1 | (next / 8 < SIM_TOEPLITZ_KEY ? key[next / 8] >> (7 - next % 8) & 1 : 0);
    }
    return hash;
}

struct choice {
    uint8_t data[36];
    size_t length;
};

/* A field that was chosen: of kind 1 or 2, which the completion tells in two bits. */
static uint8_t take(struct choice *c, bool chosen, const uint8_t *field, size_t size, int kind, int shift)
{
    if (!chosen)
        return 0;
    memcpy(c->data + c->length, field, size);
    c->length += size;
    return (uint8_t)(kind << shift);
}

uint32_t sim_rss_hash(const struct sim_rss *rss, const struct sim_frame *f, uint8_t *kind)
{
    bool inner = rss->fields & IBV_RX_HASH_INNER;
    const struct sim_layer *l = inner ? &f->h.inner : &f->h.outer;
    const struct sim_place *p = inner ? &f->inner : &f->outer;
    uint32_t wanted = rss->fields;
    int ip = l->ip == 4 ? 1 : 2, l4 = l->proto == TCP ? 1 : 2;
    size_t size = l->ip == 4 ? 4 : 16;
    const uint8_t *src = l->src + 16 - size, *dst = l->dst + 16 - size;
    struct choice c = {.length = 0};

    *kind = 0;
    if (l->ip) {
        *kind |= take(&c, wanted & (l->ip == 4 ? IBV_RX_HASH_SRC_IPV4 : IBV_RX_HASH_SRC_IPV6), src, size, ip, 0);
        *kind |= take(&c, wanted & (l->ip == 4 ? IBV_RX_HASH_DST_IPV4 : IBV_RX_HASH_DST_IPV6), dst, size, ip, 2);
    }
    if (p->l4 && !p->fragment) {
        *kind |= take(&c, wanted & (l4 == 1 ? IBV_RX_HASH_SRC_PORT_TCP : IBV_RX_HASH_SRC_PORT_UDP), l->sport, 2, l4, 4);
        *kind |= take(&c, wanted & (l4 == 1 ? IBV_RX_HASH_DST_PORT_TCP : IBV_RX_HASH_DST_PORT_UDP), l->dport, 2, l4, 6);
    }
    return sim_toeplitz(rss->key, c.data, c.length);
}
