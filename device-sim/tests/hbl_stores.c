/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* The instructions that a store to the registers may be made by: each is one doorbell, with the right number, and changes nothing else. */
#include "hbl_kit.h"

static struct card one, two;
static struct line a, b;
static char *at; /* the FIFO's register */

/* What the next doorbell has to be: one write more. */
static uint64_t next_entry(void)
{
    put_write(&a, &(struct write){.from = one.dva, .to = two.dva, .size = 8, .tag = a.pi + 1});
    return (a.pi & (a.size - 1)) | (uint64_t)a.at.qp_num << 32 | (uint64_t)a.port << 56;
}

static void rung(const char *how)
{
    struct done d = {0};

    device_sim_pump(-1);
    if (!poll_hbl(&one, 1, &d) || d.tag != a.pi)
        fail(__FILE__, __LINE__, "%s: no completion", how);
    no_violations();
}

static void begin(void)
{
    one = open_card(0, &(struct hbl_making){.ports = 2});
    two = open_card(1, &(struct hbl_making){.ports = 2});
    a = make_line(&one, 1, 256);
    b = make_line(&two, 1, 16);
    join(&a, &b, NULL);
    at = (char *)one.fifo[1]->regs_cpu_addr + one.fifo[1]->regs_offset;
}

static void end(void)
{
    destroy_line(&a);
    destroy_line(&b);
    close_card(&one);
    close_card(&two);
}

#define FORM(instruction, ...) do { \
    uint64_t entry = next_entry(); \
    __asm__ volatile(instruction : : __VA_ARGS__ : "memory", "r8", "r9", "r12", "r13", "r14", "xmm1", "xmm9"); \
    rung(instruction); \
    } while (0)

/* By each way to say an address: none of the registers that it needs may matter. */
static void addresses(void)
{
    begin();
    FORM("mov %0, (%1)", "r"(entry), "r"(at));
    FORM("mov %0, 16(%1)", "r"(entry), "r"(at - 16));
    FORM("mov %0, 4096(%1)", "r"(entry), "r"(at - 4096));
    FORM("mov %0, (%1,%2,8)", "r"(entry), "r"(at - 80), "r"(10ll));
    FORM("mov %0, 8(%1,%2,4)", "r"(entry), "r"(at - 48), "r"(10ll));
    FORM("mov %0, %%r9\n mov %1, %%r12\n mov %%r9, (%%r12)", "r"(entry), "r"(at));
    FORM("mov %0, %%r8\n mov %1, %%r13\n mov %%r8, (%%r13)", "r"(entry), "r"(at));
    FORM("mov %0, %%r14\n mov %1, %%r8\n mov %%r14, 0x1000(%%r8)", "r"(entry), "r"(at - 0x1000));
    FORM("push %%rsp\n pop %%r9\n mov %0, %%r8\n mov %1, %%rsp\n mov %%r8, (%%rsp)\n mov %%r9, %%rsp", "a"(entry), "c"(at));
    end();
}

/* By each instruction that compilers take for it. */
static void instructions(void)
{
    uint64_t first;

    begin();
    first = next_entry();
    __asm__ volatile("movl $1, (%0)\n movl %1, 4(%0)" : : "r"(at), "r"((uint32_t)(first >> 32)) : "memory");
    rung("movl of a number");
    FORM("movnti %0, (%1)", "r"(entry), "r"(at));
    FORM("movq %0, %%xmm1\n movq %%xmm1, (%1)", "r"(entry), "r"(at));
    FORM("movq %0, %%xmm9\n movq %%xmm9, (%1)", "r"(entry), "r"(at));
    FORM("mov %0, %%r8\n mov %1, %%r9\n xchg %%r8, (%%r9)\n test %%r8, %%r8\n jz 1f\n ud2\n 1:", "r"(entry), "r"(at));
    FORM("movl %k0, (%1)\n shr $32, %0\n movl %k0, 4(%1)", "r"(entry), "r"(at));
    FORM("movl %k0, (%1)\n shr $32, %0\n movd %k0, %%xmm1\n movd %%xmm1, 4(%1)", "r"(entry), "r"(at));
    if (__builtin_cpu_supports("avx")) {
        FORM("vmovq %0, %%xmm1\n vmovq %%xmm1, (%1)", "r"(entry), "r"(at));
        FORM("vmovq %0, %%xmm9\n mov %1, %%r12\n vmovq %%xmm9, (%%r12)", "r"(entry), "r"(at));
    }
    end();
}

/* One that is not known: it is carried out, and what it left is taken. */
static void others(void)
{
    begin();
    FORM("mov %0, %%r8\n mov %1, %%r9\n lock or %%r8, (%%r9)", "r"(entry), "r"(at));
    FORM("mov %0, %%r8\n mov %1, %%r9\n xor %%eax, %%eax\n lock cmpxchg %%r8, (%%r9)", "r"(entry), "r"(at));
    for (unsigned i = 0; i < 300; i++) /* also with a zero half, where the ring begins anew */
        FORM("mov %0, %%r8\n mov %1, %%r9\n lock xadd %%r8, (%%r9)", "r"(entry), "r"(at));
    end();
}

static const struct test_case cases[] = {
    {"addresses", addresses}, {"instructions", instructions}, {"others", others}, {0},
};

int main(int argc, char **argv)
{
    return run_cases("hbl_stores", cases, argc, argv);
}
