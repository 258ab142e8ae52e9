/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * Offsets of the members of C types, for 64-bit Linux with glibc: one class of constants for each type, and nothing
 * else. The classes are generated from the tables in {@code src/main/layout}.
 *
 * <p>The constants are compile-time constants, so reading one costs nothing. Members at the same offset form a union,
 * or are a member and its own first member.
 *
 * <p>The size of {@code pthread_mutex_t} is 48 on aarch64 and 40 on the other processors, so members behind one have a
 * second constant for aarch64.
 *
 * <p>The annotations define each constant in terms of C; the tests turn them into assertions for the C compiler.
 */
package io.verbs4j.rdmacore.layout;
