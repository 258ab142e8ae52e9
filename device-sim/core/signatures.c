/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys whose data has signatures: each block of it is followed by one, in memory, on the wire, or both. By such a key
 * the bytes are seen as they are on the wire; signatures are made and checked on the way. All is told by the place in
 * the key alone, so that a packet may be sent again. Blocks are counted from the start of the key; what is less than a
 * block at the end has no signature.
 */
#include <string.h>

#include "frames.h"

#define MAX_BLOCK 4160

/* -- signatures of a block --------------------------------------------------------------------- */

static uint32_t crc32_of(const uint8_t *b, size_t n, uint32_t reversed, bool ones)
{
    return ~sim_crc32(ones ? UINT32_MAX : 0, reversed, b, n);
}

static uint16_t crc16_of(const uint8_t *b, size_t n, bool ones)
{
    uint16_t crc = ones ? UINT16_MAX : 0;

    for (size_t i = 0; i < n; i++) {
        crc ^= (uint16_t)(b[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x8bb7 : crc << 1);
    }
    return crc;
}

static uint16_t checksum_of(const uint8_t *b, size_t n, bool ones)
{
    uint32_t sum = ones ? UINT16_MAX : 0;

    for (size_t i = 0; i + 1 < n; i += 2)
        sum += (uint32_t)(b[i] << 8 | b[i + 1]);
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

unsigned sim_signature_size(const struct sim_domain *d)
{
    return d->kind == SIM_SIGNED_NOT ? 0 : d->kind < SIM_SIGNED_DIF_CRC ? 4 : 8;
}

static void make(const struct sim_domain *d, const uint8_t *block, uint32_t size, uint64_t number, uint8_t to[8])
{
    switch (d->kind) {
    case SIM_SIGNED_CRC32:
        sim_put_be(to, 4, crc32_of(block, size, SIM_CRC32, d->ones));
        break;
    case SIM_SIGNED_CRC32C:
        sim_put_be(to, 4, crc32_of(block, size, 0x82f63b78, d->ones));
        break;
    case SIM_SIGNED_DIF_CRC:
    case SIM_SIGNED_DIF_CHECKSUM:
        sim_put_be(to, 2, d->kind == SIM_SIGNED_DIF_CRC ? crc16_of(block, size, d->ones) :
            checksum_of(block, size, d->ones));
        sim_put_be(to + 2, 2, d->application);
        sim_put_be(to + 4, 4, d->reference + (d->counts ? (uint32_t)number : 0));
        break;
    case SIM_SIGNED_NOT:
        break;
    }
}

/* Marks by which a block says that it is not to be checked. */
static bool escapes(const struct sim_domain *d, const uint8_t *is)
{
    static const uint8_t ones[] = {0xff, 0xff, 0xff, 0xff};

    if (d->kind < SIM_SIGNED_DIF_CRC || memcmp(is + 2, ones, 2))
        return false;
    return d->escape == SIM_ESCAPE_APPLICATION || (d->escape == SIM_ESCAPE_BOTH && !memcmp(is + 4, ones, 4));
}

/* -- places ------------------------------------------------------------------------------------ */

static uint32_t block_of(const struct sim_signature *s)
{
    return s->wire.kind != SIM_SIGNED_NOT ? s->wire.block : s->memory.block;
}

struct sim_mkey *sim_signed(struct sim_device *dev, uint32_t key)
{
    struct sim_mkey *m = sim_mkey_find(dev, key);

    return m && m->signature && m->signature->on ? m : NULL;
}

/* How many bytes on the wire so many of the data are. */
static uint64_t on_wire(const struct sim_signature *s, uint64_t data)
{
    return data + data / block_of(s) * sim_signature_size(&s->wire);
}

static uint64_t in_memory(const struct sim_signature *s, uint64_t data)
{
    return data + data / block_of(s) * sim_signature_size(&s->memory);
}

void sim_signed_piece(struct sim_device *dev, struct sim_sge *sge)
{
    const struct sim_mkey *m = sim_signed(dev, sge->lkey);
    uint64_t offset, end;

    if (!m || sge->addr < m->iova)
        return;
    offset = sge->addr - m->iova;
    end = offset + sge->length;
    sge->addr = m->iova + on_wire(m->signature, offset);
    sge->length = (uint32_t)(on_wire(m->signature, end) - on_wire(m->signature, offset));
}

/* The whole of a key, as it is on the wire. */
static uint64_t length_of(const struct sim_mkey *m)
{
    const struct sim_signature *s = m->signature;
    uint64_t stored = block_of(s) + sim_signature_size(&s->memory), rest = m->length % stored;

    return on_wire(s, m->length / stored * block_of(s)) + (rest < block_of(s) ? rest : block_of(s));
}

const char *sim_signed_check(const struct sim_access *a, const struct sim_mkey *m, uint64_t addr, uint64_t length)
{
    uint64_t whole = length_of(m);

    if (!m->bound)
        return "no such key";
    if (a->pd && m->pd != a->pd)
        return "the key belongs to another protection domain";
    if ((m->access & a->access) != a->access)
        return "the memory region does not allow this access";
    if (addr < m->iova || addr - m->iova > whole || length > whole - (addr - m->iova))
        return "outside of the memory region";
    return NULL;
}

/* -- what is read, and written ----------------------------------------------------------------- */

/* A check that fails is told once, until work requests say that it was heard. */
static void judge(const struct sim_access *a, struct sim_mkey *m, bool wire, uint64_t number, const uint8_t *is,
    const uint8_t *wanted)
{
    struct sim_signature *s = m->signature;
    const struct sim_domain *d = wire ? &s->wire : &s->memory;
    uint8_t differs = 0;

    for (unsigned i = 0; i < sim_signature_size(d); i++)
        differs |= (uint8_t)(is[i] != wanted[i] ? 0x80 >> i : 0);
    if (!(differs & s->check) || escapes(d, is) || s->failed)
        return;
    s->failed = true;
    a->dev->vendor->signature_failed(a, m, &(struct sim_signature_error){.wire = wire,
        .is_crc = d->kind < SIM_SIGNED_DIF_CRC,
        .differs = differs & s->check, .offset = number * block_of(s), .is = is, .wanted = wanted});
}

struct block {
    const struct sim_access *a;
    struct sim_mkey *m;
    uint64_t number;
    uint8_t data[MAX_BLOCK], stored[8], wire[8], wanted[8];
};

static const char *fetch(struct block *b, bool stored)
{
    const struct sim_signature *s = b->m->signature;
    struct sim_access reads = *b->a;
    uint64_t at = b->m->iova + in_memory(s, b->number * block_of(s));
    const char *why;

    reads.access = 0;
    why = sim_mem_copy_plain(&reads, at, b->data, block_of(s), false);
    if (!why && stored && sim_signature_size(&s->memory))
        why = sim_mem_copy_plain(&reads, at + block_of(s), b->stored, sim_signature_size(&s->memory), false);
    return why;
}

/*
 * A block is read to its end: what memory has is checked, what the wire gets is made; of that, what is to be copied
 * is.
 */
static const char *read_end(struct block *b)
{
    const struct sim_signature *s = b->m->signature;
    const char *why = fetch(b, true);

    if (why)
        return why;
    make(&s->memory, b->data, block_of(s), b->number, b->wanted);
    if (sim_signature_size(&s->memory))
        judge(b->a, b->m, false, b->number, b->stored, b->wanted);
    make(&s->wire, b->data, block_of(s), b->number, b->wire);
    for (unsigned i = 0; s->same && i < sim_signature_size(&s->wire); i++)
        if (s->copied >> (7 - i) & 1)
            b->wire[i] = b->stored[i];
    return NULL;
}

/* The same in the other direction. */
static const char *write_end(struct block *b)
{
    const struct sim_signature *s = b->m->signature;
    unsigned size = sim_signature_size(&s->memory);
    const char *why = fetch(b, false);

    if (why)
        return why;
    make(&s->wire, b->data, block_of(s), b->number, b->wanted);
    if (sim_signature_size(&s->wire))
        judge(b->a, b->m, true, b->number, s->coming, b->wanted);
    make(&s->memory, b->data, block_of(s), b->number, b->stored);
    for (unsigned i = 0; s->same && i < size; i++)
        if (s->copied >> (7 - i) & 1)
            b->stored[i] = s->coming[i];
    return size ? sim_mem_copy_plain(b->a, b->m->iova + in_memory(s, b->number * block_of(s)) + block_of(s),
        b->stored, size,
        true) : NULL;
}

const char *sim_signed_copy(const struct sim_access *a, struct sim_mkey *m, uint64_t addr, uint8_t *b, size_t length,
    bool write)
{
    static struct block block; /* under the lock */
    struct sim_signature *s = m->signature;
    uint32_t size = block_of(s), wire = sim_signature_size(&s->wire), part;
    uint64_t offset = addr - m->iova;
    const char *why = sim_signed_check(a, m, addr, length);

    for (; length && !why; offset += part, b += part, length -= part) {
        uint32_t in_block = (uint32_t)(offset % (size + wire));

        block.a = a;
        block.m = m;
        block.number = offset / (size + wire);
        if (in_block < size) {
            part = size - in_block < length ? size - in_block : (uint32_t)length;
            why = sim_mem_copy_plain(a, m->iova + in_memory(s, block.number * size) + in_block, b, part, write);
            if (!why && in_block + part == size && (!write || !wire))
                why = write ? write_end(&block) : read_end(&block);
            continue;
        }
        in_block -= size;
        part = wire - in_block < length ? wire - in_block : (uint32_t)length;
        if (write) {
            memcpy(s->coming + in_block, b, part);
            why = in_block + part == wire ? write_end(&block) : NULL;
        } else {
            why = read_end(&block);
            memcpy(b, block.wire + in_block, part);
        }
    }
    return why;
}
