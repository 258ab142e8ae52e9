/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Which EFA a device is, by the environment. What each generation has is told by no paper: here the newer ones have what
 * newer libraries know. All of it can be said one by one.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "efa.h"

#define OLD (EFA_READ | EFA_RNR_RETRY | EFA_NOTIFY | EFA_SGID)

static const struct efa_profile generations[] = {
    {.part_id = 0xefa0, .caps = 0, .sub_cqs = 2},
    {.part_id = 0xefa1, .caps = OLD | EFA_WRITE, .sub_cqs = 1},
    {.part_id = 0xefa2, .caps = OLD | EFA_WRITE | EFA_POLL_128, .sub_cqs = 1},
    {.part_id = 0xefa3, .caps = OLD | EFA_WRITE | EFA_POLL_128 | EFA_UNSOLICITED | EFA_CQ_IN_MEMORY, .sub_cqs = 1,
        .batch = 16},
    {.part_id = 0xefa4, .caps = OLD | EFA_WRITE | EFA_POLL_128 | EFA_UNSOLICITED | EFA_CQ_IN_MEMORY | EFA_IDS_64 | EFA_COUNTERS,
        .sub_cqs = 1, .batch = 16, .min_sq = 16, .inline_ex = 80},
};

static const struct {
    const char *name;
    uint32_t cap;
} caps[] = {
    {"read", EFA_READ}, {"rnr", EFA_RNR_RETRY}, {"notify", EFA_NOTIFY}, {"sgid", EFA_SGID}, {"poll128", EFA_POLL_128},
    {"write", EFA_WRITE}, {"unsolicited", EFA_UNSOLICITED}, {"ids64", EFA_IDS_64}, {"extmem", EFA_CQ_IN_MEMORY},
    {"counters", EFA_COUNTERS},
};

static const struct {
    const char *name;
    size_t offset;
    unsigned none, min, max;
} numbers[] = {
    {"inline", offsetof(struct efa_profile, inline_ex), 0, MAX_INLINE, MAX_INLINE_EX},
    {"batch", offsetof(struct efa_profile, batch), 0, 2, MAX_TX}, /* a descriptor of 128 bytes must fit */
    {"minsq", offsetof(struct efa_profile, min_sq), 0, 1, MAX_TX},
    {"subcqs", offsetof(struct efa_profile, sub_cqs), 1, 1, MAX_SUB_CQS},
};

static struct efa_profile profiles[SIM_MAX_DEVICES];

const struct efa_profile *efa_profile(const struct sim_device *dev)
{
    return &profiles[dev->index];
}

static void __attribute__((noreturn)) wrong(const char *text)
{
    fprintf(stderr, "device-sim: DEVICE_SIM_EFA: '%s', wanted efa0 to efa4, and after it +NAME, -NAME or +NAME=NUMBER"
        " with", text);
    for (unsigned i = 0; i < sizeof caps / sizeof *caps; i++)
        fprintf(stderr, " %s", caps[i].name);
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fprintf(stderr, " %s=%u..%u", numbers[i].name, numbers[i].min, numbers[i].max);
    fprintf(stderr, "\n");
    exit(2);
}

/* One +NAME, -NAME or +NAME=NUMBER; where the next one begins. */
static const char *change(struct efa_profile *p, const char *at, const char *text)
{
    bool add = *at++ == '+';
    size_t n = strcspn(at, "+-=,");
    char *end;

    for (unsigned i = 0; i < sizeof caps / sizeof *caps; i++)
        if (strlen(caps[i].name) == n && !strncmp(at, caps[i].name, n) && at[n] != '=') {
            p->caps = add ? p->caps | caps[i].cap : p->caps & ~caps[i].cap;
            return at + n;
        }
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strlen(numbers[i].name) == n && !strncmp(at, numbers[i].name, n)) {
            unsigned long value = numbers[i].none;

            if (add && (at[n] != '=' || !isdigit((unsigned char)at[n + 1])))
                wrong(text);
            end = (char *)(at + n);
            if (add)
                value = strtoul(at + n + 1, &end, 10);
            if (add && (value < numbers[i].min || value > numbers[i].max))
                wrong(text);
            *(unsigned *)((char *)p + numbers[i].offset) = (unsigned)value;
            return end;
        }
    wrong(text);
}

/* The next of a list with commas; the last one goes on for all EFA that follow. */
void efa_configure(struct sim_device *dev)
{
    static struct efa_profile last;
    static const char *at;
    const char *text = getenv("DEVICE_SIM_EFA");

    if (!last.part_id)
        last = generations[1]; /* the one that libefa 33 knows as well */
    if (text && !at)
        at = text;
    if (at && *at) {
        if (strncmp(at, "efa", 3) || at[3] < '0' || at[3] > '4')
            wrong(text);
        last = generations[at[3] - '0'];
        at += 4;
        while (*at == '+' || *at == '-')
            at = change(&last, at, text);
        if (*at == ',' && at[1])
            at++;
        else if (*at)
            wrong(text);
    }
    profiles[dev->index] = last;
    dev->part_id = last.part_id;
}
