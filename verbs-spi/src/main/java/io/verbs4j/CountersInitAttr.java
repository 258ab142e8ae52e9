/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that create counters: the argument of {@link Context#createCounters(CountersInitAttr)}. None are defined
 * yet.
 *
 * <p>Since level 4. Source: {@code ibv_create_counters(3)}. Not thread-safe.
 */
public final class CountersInitAttr extends InputAttr {
    /** Creates an instance whose masks are empty. */
    public CountersInitAttr() {}
}
