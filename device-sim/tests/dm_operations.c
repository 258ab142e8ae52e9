/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Atomic operations on memory of the device: by addresses that the process stores to, or loads from. */
#include "kit.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <infiniband/mlx5dv.h>

#define SIZE 4096u
enum { INCREMENT = 0, TEST_AND_SET = 1 };

struct memory {
    struct ibv_context *ctx;
    struct ibv_dm *dm;
    volatile uint8_t *op;
};

/* The address, or NULL and errno. */
static void *address(struct ibv_dm *dm, uint8_t op)
{
    void *(*get)(struct ibv_dm *, uint8_t) = dlsym(RTLD_DEFAULT, "mlx5dv_dm_map_op_addr");

    if (!get)
        skip("this libmlx5 has no operations on device memory");
    return get(dm, op);
}

static struct memory map(uint8_t op)
{
    struct ibv_alloc_dm_attr attr = {.length = SIZE - 64};
    struct memory m = {.ctx = open_nth(0)};
    uint8_t start[SIZE - 64];

    CHECK(mlx5dv_is_supported(m.ctx->device)); /* and so libmlx5 is among the libraries that are searched */
    m.dm = SOME(ibv_alloc_dm(m.ctx, &attr));
    m.op = address(m.dm, op);
    if (!m.op && errno == EOPNOTSUPP)
        skip("this processor's accesses can't be seen");
    CHECK(m.op);
    fill(start, sizeof start, 7);
    OK(ibv_memcpy_to_dm(m.dm, 0, start, sizeof start));
    return m;
}

/* What is in the memory, where `fill` has put what was there before. */
static uint64_t now(const struct memory *m, unsigned at, unsigned size)
{
    uint64_t value = 0, whole;

    OK(ibv_memcpy_from_dm(&whole, m->dm, at & ~7u, 8));
    memcpy(&value, (uint8_t *)&whole + (at & 7), size);
    return value;
}

static uint64_t before(unsigned at, unsigned size)
{
    uint8_t start[SIZE - 64];
    uint64_t value = 0;

    fill(start, sizeof start, 7);
    memcpy(&value, start + at, size);
    return value;
}

static void unmap(struct memory *m)
{
    munmap((void *)((uintptr_t)m->op & ~4095ul), SIZE);
    OK(ibv_free_dm(m->dm));
    OK(ibv_close_device(m->ctx));
}

static void increments(void)
{
    struct memory m = map(INCREMENT);

    m.op[11] = 250;
    *(volatile uint16_t *)(m.op + 34) = 0xff01;
    *(volatile uint32_t *)(m.op + 100) = 0xfedcba98;
    *(volatile uint64_t *)(m.op + 208) = 0xfedcba9876543210;
    *(volatile uint64_t *)(m.op + 216) = 5; /* a number in the instruction */
    EQ(now(&m, 11, 1), (uint8_t)(before(11, 1) + 250));
    EQ(now(&m, 34, 2), (uint16_t)(before(34, 2) + 0xff01));
    EQ(now(&m, 100, 4), (uint32_t)(before(100, 4) + 0xfedcba98));
    CHECK(now(&m, 208, 8) == before(208, 8) + 0xfedcba9876543210);
    CHECK(now(&m, 216, 8) == before(216, 8) + 5);
    EQ(now(&m, 10, 1), before(10, 1)); /* the neighbours */
    EQ(now(&m, 12, 1), before(12, 1));
    EQ(now(&m, 32, 2), before(32, 2));
    EQ(now(&m, 36, 4), before(36, 4));
    EQ(now(&m, 104, 4), before(104, 4));
    no_violations();
    unmap(&m);
}

static void tests_and_sets(void)
{
    struct memory m = map(TEST_AND_SET);
    unsigned negative = 4;

    while (before(negative, 1) < 0x80)
        negative++;
    EQ(m.op[3], before(3, 1));
    EQ(m.op[3], 1);
    EQ(*(volatile int8_t *)(m.op + negative), (int8_t)before(negative, 1)); /* with its sign */
    CHECK(negative < 50);
    EQ(*(volatile uint16_t *)(m.op + 50), before(50, 2));
    EQ(*(volatile uint32_t *)(m.op + 60), before(60, 4));
    CHECK(*(volatile uint64_t *)(m.op + 72) == before(72, 8));
    EQ(now(&m, 50, 2), 1);
    EQ(now(&m, 60, 4), 1);
    EQ(now(&m, 72, 8), 1);
    EQ(now(&m, 2, 1), before(2, 1));
    EQ(now(&m, 52, 2), before(52, 2));
    EQ(now(&m, 80, 8), before(80, 8));
    no_violations();
    unmap(&m);
}

static void *adds(void *memory)
{
    for (int i = 0; i < 500; i++)
        *(volatile uint32_t *)(((struct memory *)memory)->op + 16) = 3;
    return NULL;
}

static void threads(void)
{
    struct memory m = map(INCREMENT);
    pthread_t thread[4];

    for (int i = 0; i < 4; i++)
        OK(pthread_create(&thread[i], NULL, adds, &m));
    for (int i = 0; i < 4; i++)
        OK(pthread_join(thread[i], NULL));
    EQ(now(&m, 16, 4), (uint32_t)(before(16, 4) + 4 * 500 * 3));
    unmap(&m);
}

struct anywhere {
    uint16_t value;
} __attribute__((packed));

static void wrong(void)
{
    struct memory m = map(INCREMENT);
    long violations = device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS);
    volatile uint8_t *op = m.op, seen = op[0];

    (void)seen;
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), ++violations);
    expect_message("is read by an operation that is for writing, at byte 64");
    ((volatile struct anywhere *)(op + 21))->value = 1;
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), ++violations);
    expect_message("2 bytes at byte 85, which are not aligned");
    op[-1] = 1;
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), ++violations);
    expect_message("1 bytes at byte 63, which are not of this memory");
    EQ(now(&m, 20, 4), before(20, 4));
    CHECK(!address(m.dm, 2));
    EQ(errno, EOPNOTSUPP);
    OK(ibv_free_dm(m.dm));
    op[0] = 1;
    EQ(device_sim_count(DEVICE_SIM_COUNT_VIOLATIONS), ++violations);
    expect_message("which were freed");
    munmap((void *)((uintptr_t)op & ~4095ul), SIZE);
    OK(ibv_close_device(m.ctx));
}

static void other_operation(void)
{
    struct memory m = map(TEST_AND_SET);

    m.op[8] = 9;
    expect_message("is written by an operation that is for reading");
    EQ(now(&m, 8, 1), before(8, 1));
    unmap(&m);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"increments", increments},
        {"tests-and-sets", tests_and_sets},
        {"threads", threads},
        {"wrong", wrong},
        {"other-operation", other_operation},
        {NULL, NULL},
    };

    return run_cases("dm_operations", cases, argc, argv);
}
