/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys, and every access to the process' memory that goes by a key. Payload is touched through process_vm_readv and
 * process_vm_writev: when the program freed the memory too early, that is an error completion and no crash.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "sim.h"

/* -- keys -------------------------------------------------------------------------------------- */

struct sim_mkey *sim_mkey_new(struct sim_device *dev, struct sim_pd *pd)
{
    struct sim_mkey *m = calloc(1, sizeof *m), **grown;
    uint32_t i = 5; /* 1 << 8 is a key that descriptors use for "none", 4 << 8 one that lists use for "in rounds" */

    if (!m)
        return NULL;
    while (i < dev->n_mkeys && dev->mkey[i])
        i++;
    if (i >= dev->n_mkeys) {
        uint32_t n = dev->n_mkeys ? 2 * dev->n_mkeys : 64;

        grown = realloc(dev->mkey, n * sizeof *grown);
        if (!grown) {
            free(m);
            return NULL;
        }
        memset(grown + dev->n_mkeys, 0, (n - dev->n_mkeys) * sizeof *grown);
        dev->mkey = grown;
        dev->n_mkeys = n;
    }
    dev->mkey[i] = m;
    m->key = i << 8 | dev->key_variant++; /* so that the key of a freed region is not the next one's */
    m->pd = pd;
    pd->obj.users++;
    return m;
}

struct sim_mkey *sim_mkey_find(struct sim_device *dev, uint32_t key)
{
    struct sim_mkey *m = key >> 8 < dev->n_mkeys ? dev->mkey[key >> 8] : NULL;

    return m && m->key == key ? m : NULL;
}

void sim_mkey_free(struct sim_device *dev, struct sim_mkey *m)
{
    dev->mkey[m->key >> 8] = NULL;
    m->pd->obj.users--;
    free(m->pieces);
    free(m->signature);
    free(m);
}

static const char *check(const struct sim_access *a, const struct sim_mkey *m, uint64_t addr, uint64_t length)
{
    if (!m || !m->bound)
        return "no such key";
    if (a->pd && m->pd != a->pd)
        return "the key belongs to another protection domain";
    if (m->window == 2 && m->qpn != a->qpn)
        return "the window belongs to another queue pair";
    if (addr < m->iova || addr - m->iova > m->length || length > m->length - (addr - m->iova))
        return "outside of the memory region";
    if ((m->access & a->access) != a->access)
        return "the memory region does not allow this access";
    return NULL;
}

const char *sim_key_span(const struct sim_access *a, uint64_t addr, uint64_t length, unsigned depth,
    struct sim_span *span)
{
    const struct sim_mkey *m = sim_mkey_find(a->dev, a->key), *region;
    const char *why;

    if (a->dev->vendor->span)
        return a->dev->vendor->span(a, addr, length, span);
    *span = (struct sim_span){.length = length, .nowhere = a->key == SIM_NULL_KEY};
    if (span->nowhere)
        return NULL;
    why = check(a, m, addr, length);
    if (why)
        return why;
    if (m->pieces)
        return sim_pieces_span(a, m, addr, length, depth, span);
    if (m->window) {
        region = sim_mkey_find(a->dev, m->region);
        if (!region)
            return "the memory region below the window is gone";
        span->at = region->start + (m->start + (addr - m->iova) - region->iova);
    } else {
        span->at = m->start + (addr - m->iova);
    }
    return NULL;
}

const char *sim_mem_span(const struct sim_access *a, uint64_t addr, uint64_t length, struct sim_span *span)
{
    return sim_key_span(a, addr, length, 0, span);
}

const char *sim_mem_check(const struct sim_access *a, uint64_t addr, uint64_t length)
{
    const struct sim_mkey *m = a->dev->vendor->span ? NULL : sim_signed(a->dev, a->key);
    struct sim_span span;

    if (m)
        return sim_signed_check(a, m, addr, length);
    do {
        const char *why = sim_mem_span(a, addr, length, &span);

        if (why)
            return why;
        addr += span.length;
        length -= span.length;
    } while (length);
    return NULL;
}

const char *sim_mem_copy(const struct sim_access *a, uint64_t addr, void *buffer, size_t length, bool write)
{
    struct sim_mkey *m = a->dev->vendor->span ? NULL : sim_signed(a->dev, a->key);

    return m ? sim_signed_copy(a, m, addr, buffer, length, write) : sim_mem_copy_plain(a, addr, buffer, length, write);
}

const char *sim_mem_copy_plain(const struct sim_access *a, uint64_t addr, void *buffer, size_t length, bool write)
{
    uint8_t *b = buffer;
    struct sim_span span;

    while (length) {
        const char *why = sim_mem_span(a, addr, length, &span);

        if (why)
            return why;
        if (span.nowhere) {
            if (!write)
                memset(b, 0, span.length);
        } else if (!(write ? sim_mem_write(span.at, b, span.length) : sim_mem_read(b, span.at, span.length))) {
            return "the memory is not there any more";
        }
        b += span.length;
        addr += span.length;
        length -= span.length;
    }
    return NULL;
}

/* -- memory windows ---------------------------------------------------------------------------- */

bool sim_bind(struct sim_qp *qp, const struct sim_wr *wr, const char **why)
{
    struct sim_device *dev = qp->obj.ctx->dev;
    /* whatever its last byte */
    struct sim_mkey *w = wr->bind.key >> 8 < dev->n_mkeys ? dev->mkey[wr->bind.key >> 8] : NULL;
    struct sim_mkey *region = sim_mkey_find(dev, wr->bind.region);
    const struct sim_access access = {.dev = dev, .pd = qp->pd, .qpn = qp->qpn, .key = wr->bind.region};

    if (!w || !w->window || w->pd != qp->pd) {
        *why = "no memory window of this protection domain has this key";
        return false;
    }
    if (!wr->bind.length) { /* takes the binding away */
        w->bound = false;
        w->key = (w->key & ~0xffu) | (wr->bind.new_key & 0xff);
        return true;
    }
    if (w->window == 2 && w->bound) {
        *why = "the window is bound already";
        return false;
    }
    if (!region || region->window || region->pieces || !(region->access & IB_UVERBS_ACCESS_MW_BIND)) {
        *why = "no memory region has this key, or it does not allow binding";
        return false;
    }
    *why = check(&access, region, wr->bind.addr, wr->bind.length);
    if (*why)
        return false;
    if (wr->bind.access & (IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_ATOMIC) &&
        !(region->access & IB_UVERBS_ACCESS_LOCAL_WRITE)) {
        *why = "the memory region is not writable";
        return false;
    }
    w->key = (w->key & ~0xffu) | (wr->bind.new_key & 0xff);
    w->bound = true;
    w->qpn = qp->qpn;
    w->region = region->key;
    w->start = wr->bind.addr;
    w->iova = wr->bind.iova;
    w->length = wr->bind.length;
    w->access = wr->bind.access;
    return true;
}

bool sim_invalidate(struct sim_qp *qp, const struct sim_pd *pd, uint32_t key, bool by_peer, const char **why)
{
    struct sim_mkey *m = sim_mkey_find(qp->obj.ctx->dev, key);

    if (m && m->pieces && by_peer) {
        if (!m->bound || m->pd != pd || !m->remote_invalidate) {
            *why = "the key has no memory, is of another protection domain, or is not the peer's to invalidate";
            return false;
        }
    } else if (!m || m->window != 2 || !m->bound || m->pd != pd || m->qpn != qp->qpn) {
        *why = "no window of type 2 with this key is bound to this queue pair";
        return false;
    }
    m->bound = false;
    return true;
}

/* -- the memory itself ------------------------------------------------------------------------- */

static bool not_allowed; /* where the kernel forbids process_vm_*, plain copies have to do */

bool sim_mem_read(void *to, uint64_t from, size_t length)
{
    struct iovec local = {to, length}, remote = {(void *)(uintptr_t)from, length};

    if (!not_allowed) {
        if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)length)
            return true;
        if (errno != EPERM && errno != ENOSYS)
            return false;
        not_allowed = true;
    }
    memcpy(to, (void *)(uintptr_t)from, length);
    return true;
}

bool sim_mem_write(uint64_t to, const void *from, size_t length)
{
    struct iovec local = {(void *)(uintptr_t)from, length}, remote = {(void *)(uintptr_t)to, length};

    if (!not_allowed) {
        if (process_vm_writev(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)length)
            return true;
        if (errno != EPERM && errno != ENOSYS)
            return false;
        not_allowed = true;
    }
    memcpy((void *)(uintptr_t)to, from, length);
    return true;
}

#ifndef MADV_POPULATE_READ /* Linux 5.14 */
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

static bool populate(const void *at, bool write)
{
    return !madvise((void *)((uintptr_t)at & ~4095ull), 4096, write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
}

bool sim_mem_mapped(uint64_t at, bool write)
{
    static uint8_t ours;
    uint8_t byte;

    if (populate((void *)(uintptr_t)at, write))
        return true;
    return !populate(&ours, true) && sim_mem_read(&byte, at, 1); /* an older kernel does not know the question */
}

bool sim_mem_atomic(uint64_t at, bool cas, uint64_t compare, uint64_t swap_add, uint64_t *before)
{
    uint64_t *word = (uint64_t *)(uintptr_t)at;

    /* Proves that it is still there; then atomic towards the CPU as well. */
    if (!sim_mem_read(before, at, 8))
        return false;
    if (cas) {
        *before = compare;
        __atomic_compare_exchange_n(word, before, swap_add, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    } else {
        *before = __atomic_fetch_add(word, swap_add, __ATOMIC_SEQ_CST);
    }
    return true;
}

bool sim_is_atomic(int op)
{
    return op == SIM_CAS || op == SIM_FETCH_ADD || op == SIM_MASKED_CAS || op == SIM_MASKED_FA;
}

/* Bit by bit: a carry ends where a field does. */
static uint64_t add_fields(uint64_t a, uint64_t b, uint64_t tops)
{
    uint64_t sum = 0, carry = 0;

    for (int bit = 0; bit < 64; bit++) {
        uint64_t one = (a >> bit & 1) + (b >> bit & 1) + carry;

        sum |= (one & 1) << bit;
        carry = tops >> bit & 1 ? 0 : one >> 1;
    }
    return sum;
}

static uint64_t masked(const struct sim_packet *p, uint64_t old)
{
    if (p->op == SIM_MASKED_FA)
        return add_fields(old, p->swap_add, p->compare_mask);
    return (old ^ p->compare) & p->compare_mask ? old : (old & ~p->swap_mask) | (p->swap_add & p->swap_mask);
}

bool sim_mem_masked(uint64_t at, const struct sim_packet *p, uint64_t *before)
{
    uint32_t *half = (uint32_t *)(uintptr_t)at, old;
    uint64_t *word = (uint64_t *)(uintptr_t)at;

    *before = 0;
    if (!sim_mem_read(before, at, p->width))
        return false;
    if (p->width == 8) {
        while (!__atomic_compare_exchange_n(word, before, masked(p, *before), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            ;
        return true;
    }
    old = (uint32_t)*before;
    while (!__atomic_compare_exchange_n(half, &old, (uint32_t)masked(p, old), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    *before = old;
    return true;
}

/* -- lists of pieces --------------------------------------------------------------------------- */

static const char *walk(struct sim_qp *qp, struct sim_pd *pd, const struct sim_sge *sge, unsigned n, uint64_t offset,
    void *buffer, size_t length, bool write)
{
    struct sim_access access = {.dev = qp->obj.ctx->dev, .pd = pd, .qpn = qp->qpn,
        .access = write ? IB_UVERBS_ACCESS_LOCAL_WRITE : 0};
    uint8_t *b = buffer;

    for (unsigned i = 0; i < n && length; i++) {
        size_t part;
        const char *why;

        if (offset >= sge[i].length) {
            offset -= sge[i].length;
            continue;
        }
        part = sge[i].length - offset < length ? (size_t)(sge[i].length - offset) : length;
        access.key = sge[i].lkey;
        why = sim_mem_copy(&access, sge[i].addr + offset, b, part, write);
        if (why)
            return why;
        b += part;
        length -= part;
        offset = 0;
    }
    return length ? "the list is too short" : NULL;
}

const char *sim_gather(struct sim_qp *qp, const struct sim_sge *sge, unsigned n, uint64_t offset, void *to,
    size_t length)
{
    return walk(qp, qp->pd, sge, n, offset, to, length, false);
}

const char *sim_scatter(struct sim_qp *qp, struct sim_pd *pd, const struct sim_sge *sge, unsigned n, uint64_t offset,
    const void *from, size_t length)
{
    return walk(qp, pd, sge, n, offset, (void *)(uintptr_t)from, length, true);
}
