/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * Where the members of the C types lie, for 64-bit Linux with glibc: one class of constants for each type, and nothing
 * else. The classes are generated from the tables in {@code src/main/layout}.
 *
 * <p>The constants are compile-time constants, so reading one costs nothing. Members at one offset are a union, or a
 * member and the first of its own.
 *
 * <p>The size of {@code pthread_mutex_t} is 48 on aarch64 and 40 on the other processors. So what lies behind one has a second
 * constant for aarch64.
 *
 * <p>The annotations say what each constant is in C; the tests make assertions for the C compiler of them.
 */
package io.verbs4j.rdmacore.layout;
