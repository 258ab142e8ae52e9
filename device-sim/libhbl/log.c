/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * With DEVICE_SIM_LIBHBL_LOG, a file: a line for each call and for each structure that reaches the library or leaves it, byte by
 * byte, so that a test sees which byte was written.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "libhbl.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static FILE *file(void)
{
    static FILE *log;
    const char *path = getenv("DEVICE_SIM_LIBHBL_LOG");

    if (!log && path && *path)
        log = fopen(path, "ae");
    return log;
}

void log_call(const char *function, const char *fmt, ...)
{
    va_list args;

    pthread_mutex_lock(&lock);
    if (file()) {
        va_start(args, fmt);
        fprintf(file(), "%s ", function);
        vfprintf(file(), fmt, args);
        fprintf(file(), "\n");
        fflush(file());
        va_end(args);
    }
    pthread_mutex_unlock(&lock);
}

void log_bytes(const char *function, const char *what, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;

    pthread_mutex_lock(&lock);
    if (file()) {
        fprintf(file(), "%s %s %zu ", function, what, size);
        for (size_t i = 0; i < size; i++)
            fprintf(file(), "%02x", b[i]);
        fprintf(file(), "\n");
        fflush(file());
    }
    pthread_mutex_unlock(&lock);
}
