/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Messages, the counters, and the verdicts of the checker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim.h"

static uint64_t counters[DEVICE_SIM_COUNTERS];
static char last_message[512];
static int strictness;

void sim_count(enum device_sim_counter counter)
{
    counters[counter]++;
}

void sim_say(const char *fmt, ...)
{
    char text[512];
    va_list args;

    if (sim_config.quiet)
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    fprintf(stderr, "device-sim: %s\n", text);
}

int sim_refuse(const struct sim_context *ctx, int error, const char *fmt, ...)
{
    char text[400];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    sim_count(DEVICE_SIM_COUNT_REFUSED);
    sim_say("%s: refused: %s", ctx->dev->name, text);
    return error;
}

/* Sixteen bytes a line, with a line of ^^ below those at fault. */
static void print_hex(const uint8_t *hex, size_t length, size_t at, size_t width)
{
    for (size_t line = 0; line < length; line += 16) {
        size_t n = length - line < 16 ? length - line : 16;

        fprintf(stderr, "  %04zx ", line);
        for (size_t i = 0; i < n; i++)
            fprintf(stderr, "%s%02x", i % 4 ? " " : "  ", hex[line + i]);
        fprintf(stderr, "\n");
        if (at + width <= line || at >= line + n)
            continue;
        fprintf(stderr, "       ");
        for (size_t i = 0; i < n && line + i < at + width; i++)
            fprintf(stderr, "%s%s", i % 4 ? " " : "  ", line + i >= at ? "^^" : "  ");
        fprintf(stderr, "\n");
    }
}

static void verdict(const char *what, const void *hex, size_t length, size_t at, size_t width, const char *fmt,
    va_list args)
{
    vsnprintf(last_message, sizeof last_message, fmt, args);
    if (sim_config.quiet)
        return;
    fprintf(stderr, "device-sim: %s: %s\n", what, last_message);
    if (hex)
        print_hex(hex, length, at, width);
}

void sim_violation(const void *hex, size_t length, size_t at, size_t width, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    verdict("violation", hex, length, at, width, fmt, args);
    va_end(args);
    sim_count(DEVICE_SIM_COUNT_VIOLATIONS);
    if (strictness >= DEVICE_SIM_ABORT)
        abort();
}

void sim_remark(const void *hex, size_t length, size_t at, size_t width, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    verdict("remark", hex, length, at, width, fmt, args);
    va_end(args);
}

void sim_key_error(const void *hex, size_t length, size_t at, size_t width, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    verdict("key error", hex, length, at, width, fmt, args);
    va_end(args);
    sim_count(DEVICE_SIM_COUNT_KEY_ERRORS);
    if (strictness >= DEVICE_SIM_ABORT_ON_KEYS)
        abort();
}

void sim_command_error(const void *hex, size_t length, size_t at, size_t width, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    verdict("command error", hex, length, at, width, fmt, args);
    va_end(args);
    sim_count(DEVICE_SIM_COUNT_COMMAND_ERRORS);
    if (strictness >= DEVICE_SIM_ABORT_ON_KEYS)
        abort();
}

uint64_t device_sim_count(int counter)
{
    uint64_t value;

    if (counter < 0 || counter >= DEVICE_SIM_COUNTERS)
        return 0;
    sim_enter();
    value = counters[counter];
    sim_leave();
    return value;
}

void device_sim_reset_counts(void)
{
    sim_enter();
    memset(counters, 0, sizeof counters);
    last_message[0] = 0;
    sim_leave();
}

int device_sim_message(char *to, int size)
{
    int n;

    sim_enter();
    n = snprintf(to, size > 0 ? (size_t)size : 0, "%s", last_message);
    sim_leave();
    return n;
}

int device_sim_strict(int strict)
{
    int before;

    sim_enter();
    before = strictness;
    if (strict >= DEVICE_SIM_REPORT && strict <= DEVICE_SIM_ABORT_ON_KEYS)
        strictness = strict;
    sim_leave();
    return before;
}

__attribute__((constructor)) static void strict_by_environment(void)
{
    const char *text = getenv("DEVICE_SIM_STRICT");

    if (text && !strcmp(text, "abort"))
        strictness = DEVICE_SIM_ABORT;
    else if (text && !strcmp(text, "abort-on-keys"))
        strictness = DEVICE_SIM_ABORT_ON_KEYS;
}
