/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that create a key without memory: the argument of {@link ProtectionDomain#allocMrKey(MrKeyInitAttr)}.
 *
 * <p>Since level 3. Source: {@code ib_alloc_mr} of the Linux kernel, {@code mlx5dv_create_mkey(3)}. Not thread-safe.
 */
public final class MrKeyInitAttr extends InputAttr {
    private int maxEntries;

    /** Creates an instance whose masks are empty. */
    public MrKeyInitAttr() {}

    /**
     * {@return the maximum number of pieces of memory in one fast register, 1 to {@link DeviceAttrEx#maxFastRegLen()}}
     */
    public int maxEntries() {
        return maxEntries;
    }

    /**
     * Sets {@link #maxEntries()}.
     *
     * @param value maximum number of pieces of memory in one fast register, 1 to {@link DeviceAttrEx#maxFastRegLen()}
     * @return this
     */
    public MrKeyInitAttr maxEntries(int value) {
        maxEntries = value;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
