/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that create a thread domain: the argument of {@link Context#allocTd(TdInitAttr)}.
 *
 * <p>Since level 3. Source: {@code ibv_alloc_td(3)}. Not thread-safe.
 */
public final class TdInitAttr extends InputAttr {

    /** Creates an instance whose masks are empty. */
    public TdInitAttr() {}
}
