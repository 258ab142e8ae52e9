/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * What an instruction stores, of those that compilers use for a store of 4 or 8 bytes; or loads, of those for a move of 1 to 8. Where
 * the store is to go the fault has told. So registers whose pages are never open lose no store, however many threads there are.
 */
#include <string.h>
#include <ucontext.h>

#include "sim.h"

#if defined __x86_64__

struct prefixes {
    bool size_16, f3;
    uint8_t rex; /* or the same bits of VEX */
    uint8_t map; /* 0, or 1 for the opcodes behind 0F */
    uint8_t pp; /* of VEX: 1 for 66, 2 for F3 */
};

/* Of all sixteen, in the order of their numbers. */
static greg_t *general(ucontext_t *uc, unsigned number)
{
    static const uint8_t where[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI, REG_R8,
        REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

    return &uc->uc_mcontext.gregs[where[number]];
}

static const uint8_t *legacy(const uint8_t *at, struct prefixes *p)
{
    for (;; at++)
        switch (*at) {
        case 0x66:
            p->size_16 = true;
            break;
        case 0xf3:
            p->f3 = true;
            break;
        case 0x2e: case 0x36: case 0x3e: case 0x26: case 0x64: case 0x65: case 0x67: case 0xf2: case 0xf0:
            break;
        default:
            return at;
        }
}

/* Up to the opcode. */
static const uint8_t *prefixes(const uint8_t *at, struct prefixes *p)
{
    at = legacy(at, p);
    if (*at == 0xc5) {
        p->rex = (uint8_t)((at[1] & 0x80) ? 0 : 4);
        p->pp = at[1] & 3;
        p->map = 1;
        return at + 2;
    }
    if (*at == 0xc4) {
        p->rex = (uint8_t)((~at[1] >> 5 & 7) | (at[2] & 0x80 ? 8 : 0));
        p->map = at[1] & 0x1f;
        p->pp = at[2] & 3;
        return at + 3;
    }
    if ((*at & 0xf0) == 0x40)
        p->rex = *at++ & 15;
    if (*at == 0x0f) {
        p->map = 1;
        p->pp = p->size_16 ? 1 : p->f3 ? 2 : 0;
        at++;
    }
    return at;
}

/* Behind ModRM, SIB and displacement, none of which is looked at. */
static const uint8_t *behind_address(const uint8_t *modrm)
{
    unsigned mod = *modrm >> 6, rm = *modrm & 7;
    const uint8_t *at = modrm + 1;

    if (rm == 4) {
        unsigned base = *at++ & 7;

        if (base == 5 && !mod)
            at += 4;
    } else if (rm == 5 && !mod) {
        at += 4;
    }
    return at + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

static uint64_t immediate(const uint8_t *at)
{
    int32_t value;

    memcpy(&value, at, sizeof value);
    return (uint64_t)(int64_t)value;
}

unsigned sim_decode_store(const void *ucontext, struct sim_store *store)
{
    ucontext_t *uc = (ucontext_t *)(uintptr_t)ucontext;
    const uint8_t *start = (const uint8_t *)(uintptr_t)uc->uc_mcontext.gregs[REG_RIP], *at, *end;
    struct prefixes p = {0};
    unsigned number;

    at = prefixes(start, &p);
    if (at[1] >> 6 == 3)
        return 0;
    number = (at[1] >> 3 & 7u) | (p.rex & 4 ? 8 : 0);
    end = behind_address(at + 1);
    store->size = p.rex & 8 ? 8 : 4;
    if (!p.map && !p.size_16 && *at == 0x89) { /* mov from a register */
        store->value = (uint64_t)*general(uc, number);
    } else if (!p.map && !p.size_16 && *at == 0xc7 && !(at[1] & 0x38)) { /* mov of a number */
        store->value = immediate(end);
        end += 4;
    } else if (!p.map && !p.size_16 && *at == 0x87) { /* xchg: what was there reads as zero */
        store->value = (uint64_t)*general(uc, number);
        *general(uc, number) = 0;
    } else if (p.map == 1 && !p.pp && *at == 0xc3) { /* movnti */
        store->value = (uint64_t)*general(uc, number);
    } else if (p.map == 1 && p.pp == 1 && (*at == 0xd6 || *at == 0x7e)) { /* movq, movd from a vector */
        memcpy(&store->value, &uc->uc_mcontext.fpregs->_xmm[number], sizeof store->value);
        if (*at == 0xd6)
            store->size = 8;
    } else {
        return 0;
    }
    if (store->size == 4)
        store->value &= 0xffffffff;
    return (unsigned)(end - start);
}

static uint64_t low(uint64_t value, unsigned bytes)
{
    return bytes == 8 ? value : value & ((1ull << 8 * bytes) - 1);
}

unsigned sim_decode_transfer(const void *ucontext, struct sim_transfer *t)
{
    ucontext_t *uc = (ucontext_t *)(uintptr_t)ucontext;
    const uint8_t *start = (const uint8_t *)(uintptr_t)uc->uc_mcontext.gregs[REG_RIP], *at, *end;
    struct prefixes p = {0};
    unsigned operand;
    bool bytes, has_rex;

    at = legacy(start, &p);
    has_rex = (*at & 0xf0) == 0x40;
    if (*at == 0xc4 || *at == 0xc5)
        return 0;
    p = (struct prefixes){0};
    at = prefixes(start, &p);
    if (at[1] >> 6 == 3)
        return 0;
    t->number = (at[1] >> 3 & 7u) | (p.rex & 4 ? 8 : 0);
    end = behind_address(at + 1);
    operand = p.rex & 8 ? 8 : p.size_16 ? 2 : 4;
    bytes = !(*at & 1);
    t->size = bytes ? 1 : operand;
    t->width = operand == 4 ? 8 : operand; /* of 32 bits: the others become zero */
    if (!p.map && (*at == 0x8a || *at == 0x88) && !has_rex && t->number >= 4) { /* the second byte of the first four */
        t->number -= 4;
        t->shift = 8;
    }
    t->write = !p.map && (*at == 0x88 || *at == 0x89 || ((*at == 0xc6 || *at == 0xc7) && !(at[1] & 0x38)));
    if (t->write && *at < 0xc0) {
        t->value = low((uint64_t)*general(uc, t->number) >> t->shift, t->size);
    } else if (t->write) {
        unsigned length = t->size < 4 ? t->size : 4;
        uint32_t raw = 0;

        memcpy(&raw, end, length);
        t->value = low(t->size == 8 ? (uint64_t)(int64_t)(int32_t)raw : raw, t->size);
        end += length;
    } else if (!p.map && (*at == 0x8a || *at == 0x8b)) {
        if (bytes)
            t->width = 1;
    } else if (p.map == 1 && (*at == 0xb6 || *at == 0xb7 || *at == 0xbe || *at == 0xbf)) { /* extended by zeros, or by the sign */
        t->size = bytes ? 1 : 2;
        t->sign = *at >= 0xbe;
        if (t->sign && operand == 4)
            t->width = 4;
    } else if (!p.map && *at == 0x63) {
        t->size = 4;
        t->sign = true;
    } else {
        return 0;
    }
    return (unsigned)(end - start);
}

void sim_finish_load(void *ucontext, const struct sim_transfer *t, uint64_t value)
{
    greg_t *to = general(ucontext, t->number);
    uint64_t kept = t->width == 8 || t->width == 4 ? 0 : (uint64_t)*to & ~(low(UINT64_MAX, t->width) << t->shift);

    if (t->sign)
        value = (uint64_t)((int64_t)(value << (64 - 8 * t->size)) >> (64 - 8 * t->size));
    *to = (greg_t)(kept | low(value, t->width) << t->shift);
}

#else

unsigned sim_decode_transfer(const void *ucontext, struct sim_transfer *t)
{
    (void)ucontext;
    (void)t;
    return 0;
}

void sim_finish_load(void *ucontext, const struct sim_transfer *t, uint64_t value)
{
    (void)ucontext;
    (void)t;
    (void)value;
}

unsigned sim_decode_store(const void *ucontext, struct sim_store *store)
{
    (void)ucontext;
    (void)store;
    return 0;
}

#endif
