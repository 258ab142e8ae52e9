/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * With `--watch` every single access to registers of the device is seen, by the faults that it makes: the pages can't be
 * accessed, the fault opens one for the instruction, which is made to trap behind it. So no store is hidden by the next
 * one, and what must not be read is told when it is. The handlers run where the program stores, never inside of ours: they
 * may lock.
 * Stores to pages of registers are carried out by the vendor, and the page stays closed. Where the instruction is not known
 * it is opened, and what was stored is what is there afterwards.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "sim.h"

#if defined __x86_64__

#define MAX_WATCHED 16384
#define TRAP_FLAG 0x100
#define WRITE_FAULT 2
#define PAGE 4096ul

static struct watched {
    uintptr_t start;
    size_t length; /* 0: free */
    off_t offset; /* that it was mapped by */
    struct sim_context *ctx;
    enum sim_watch kind;
} watched[MAX_WATCHED];
static unsigned n_watched;

/* The pages that are open for the instruction this thread is at: it may touch several. */
#define MAX_OPEN 8
static __thread __attribute__((tls_model("initial-exec"))) struct {
    uintptr_t page[MAX_OPEN];
    unsigned n;
    bool stored; /* to a doorbell */
    struct sim_context *ctx;
    struct watched *registers; /* one of the pages is of these */
} step;

static struct sigaction before_segv, before_trap;

static struct watched *find(uintptr_t at)
{
    unsigned n = __atomic_load_n(&n_watched, __ATOMIC_ACQUIRE);

    for (unsigned i = 0; i < n; i++) {
        struct watched *w = &watched[i];
        size_t length = __atomic_load_n(&w->length, __ATOMIC_ACQUIRE);

        if (length && at >= w->start && at - w->start < length)
            return w;
    }
    return NULL;
}

/* A signal that is none of ours. */
static void hand_on(int sig, siginfo_t *info, void *context, const struct sigaction *before)
{
    if (before->sa_flags & SA_SIGINFO)
        before->sa_sigaction(sig, info, context);
    else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN)
        before->sa_handler(sig);
    else
        sigaction(sig, before, NULL); /* it comes again, and ends the process */
}

static bool is_doorbell(const struct watched *w)
{
    return w->kind == SIM_WATCH_STORES || w->kind == SIM_WATCH_REQUESTS;
}

static void judge(const struct watched *w, uintptr_t at, bool write)
{
    if (!write)
        sim_violation(NULL, 0, 0, 0, "%s: %s was read, at byte %zu", w->ctx->dev->name,
            is_doorbell(w) ? "a doorbell" : w->kind == SIM_WATCH_REGISTERS ? "a register" : "the send ring", at - w->start);
    else if (is_doorbell(w))
        step.stored = true;
    step.ctx = w->ctx;
}

/* Whether the vendor has carried out the store. */
static bool carry_out(struct watched *w, uintptr_t at, ucontext_t *uc)
{
    struct sim_store store;
    unsigned length = sim_decode_store(uc, &store);

    if (!length)
        return false;
    sim_enter();
    w->ctx->dev->vendor->store(w->ctx, w->offset, at - w->start, store.value, store.size);
    sim_leave();
    uc->uc_mcontext.gregs[REG_RIP] += (greg_t)length;
    return true;
}

/* What another instruction has left there: of eight bytes, or of four where the others are zero. */
static void carry_out_left(struct watched *w, uintptr_t page)
{
    uint64_t *word = (uint64_t *)page;

    sim_enter();
    for (unsigned i = 0; i < PAGE / sizeof *word; i++) {
        uint64_t value = __atomic_exchange_n(&word[i], 0, __ATOMIC_ACQ_REL);

        if (value)
            w->ctx->dev->vendor->store(w->ctx, w->offset, page + i * sizeof *word - w->start, value, value >> 32 ? 8 : 4);
    }
    sim_leave();
}

/* An operation is no memory: what no single move accesses has no meaning, and ends the program as any such access. */
static bool operate(struct watched *w, uintptr_t at, ucontext_t *uc)
{
    struct sim_transfer t = {0};
    unsigned length = sim_decode_transfer(uc, &t);

    sim_enter();
    if (length)
        w->ctx->dev->vendor->operate(w->ctx, w->offset, at - w->start, &t.value, t.size, t.write);
    else
        sim_violation(NULL, 0, 0, 0, "%s: an operation by an instruction that is none of a single move", w->ctx->dev->name);
    sim_leave();
    if (!length)
        return false;
    if (!t.write)
        sim_finish_load(uc, &t, t.value);
    uc->uc_mcontext.gregs[REG_RIP] += (greg_t)length;
    return true;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    uintptr_t at = (uintptr_t)info->si_addr, page = at & ~(PAGE - 1);
    int error = errno;
    struct watched *w = info->si_code == SEGV_ACCERR ? find(at) : NULL;
    bool open = false, write = uc->uc_mcontext.gregs[REG_ERR] & WRITE_FAULT;

    if (w && w->kind == SIM_WATCH_OPERATIONS && operate(w, at, uc)) {
        errno = error;
        return;
    }
    if (!w || w->kind == SIM_WATCH_OPERATIONS || step.n == MAX_OPEN) {
        hand_on(sig, info, context, &before_segv);
        return;
    }
    if (w->kind == SIM_WATCH_REGISTERS && write && !step.n && carry_out(w, at, uc)) {
        errno = error;
        return;
    }
    if (w->kind == SIM_WATCH_REGISTERS && write)
        step.registers = w;
    for (unsigned i = 0; i < step.n; i++)
        open |= step.page[i] == page; /* another thread has closed it again */
    if (!open) {
        sim_enter();
        judge(w, at, write);
        sim_leave();
        step.page[step.n++] = page;
    }
    mprotect((void *)page, PAGE, write || w->kind != SIM_WATCH_REGISTERS ? PROT_READ | PROT_WRITE : PROT_READ);
    uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    errno = error;
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    int error = errno;

    if (!step.n) {
        hand_on(sig, info, context, &before_trap);
        return;
    }
    uc->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    while (step.n) {
        uintptr_t page = step.page[--step.n];

        if (step.registers && find(page) == step.registers)
            carry_out_left(step.registers, page);
        mprotect((void *)page, PAGE, PROT_NONE);
    }
    step.registers = NULL;
    if (step.stored) {
        step.stored = false;
        sim_enter();
        step.ctx->dev->vendor->look_at_doorbells(step.ctx);
        sim_leave();
    }
    errno = error;
}

static void install(int sig, void (*handler)(int, siginfo_t *, void *), struct sigaction *before)
{
    struct sigaction ours = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};

    sigaction(sig, NULL, before);
    ours.sa_mask = before->sa_mask;
    sigaction(sig, &ours, NULL);
}

void sim_watch_begin(struct sim_context *ctx, void *start, size_t length, off_t offset, enum sim_watch kind)
{
    static bool installed;
    unsigned i = 0;

    if (kind == SIM_WATCH_NOTHING || start == MAP_FAILED)
        return;
    sim_enter();
    if (!installed) {
        install(SIGSEGV, on_fault, &before_segv);
        install(SIGTRAP, on_trap, &before_trap);
        installed = true;
    }
    while (i < n_watched && watched[i].length)
        i++;
    if (i < MAX_WATCHED && !mprotect(start, length, PROT_NONE)) {
        watched[i].start = (uintptr_t)start;
        watched[i].offset = offset;
        watched[i].ctx = ctx;
        watched[i].kind = kind;
        __atomic_store_n(&watched[i].length, length, __ATOMIC_RELEASE);
        if (i == n_watched)
            __atomic_store_n(&n_watched, i + 1, __ATOMIC_RELEASE);
    } else {
        sim_say("%s: no more pages can be watched", ctx->dev->name);
    }
    sim_leave();
}

/* They are unmapped. What is mapped there next is another's. */
void sim_watch_end(const void *start, size_t length)
{
    if (!n_watched)
        return;
    sim_enter();
    for (unsigned i = 0; i < n_watched; i++)
        if (watched[i].length && watched[i].start >= (uintptr_t)start && watched[i].start - (uintptr_t)start < length)
            __atomic_store_n(&watched[i].length, 0, __ATOMIC_RELEASE);
    sim_leave();
}

/* The context is closed: what is mapped still is memory like any. */
void sim_watch_end_all(const struct sim_context *ctx)
{
    for (unsigned i = 0; i < n_watched; i++)
        if (watched[i].length && watched[i].ctx == ctx) {
            mprotect((void *)watched[i].start, watched[i].length, PROT_WRITE);
            __atomic_store_n(&watched[i].length, 0, __ATOMIC_RELEASE);
        }
}

bool sim_can_watch(void)
{
    return true;
}

#else

void sim_watch_begin(struct sim_context *ctx, void *start, size_t length, off_t offset, enum sim_watch kind)
{
    (void)offset;
    (void)ctx;
    (void)start;
    (void)length;
    (void)kind;
}

void sim_watch_end(const void *start, size_t length)
{
    (void)start;
    (void)length;
}

void sim_watch_end_all(const struct sim_context *ctx)
{
    (void)ctx;
}

bool sim_can_watch(void)
{
    return false;
}

#endif
