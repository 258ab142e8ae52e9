/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;

/** The handle of a key that work requests register memory with. */
public final class MrKeyHandle extends MemoryRegion {
    /** The key. */
    public final MrKey key;

    /**
     * Creates the handle of a {@code struct mlx5dv_mkey}.
     *
     * @param keys the keys of its context
     * @param number its key
     * @param maxEntries maximum number of pieces
     */
    public MrKeyHandle(ProtectionDomain pd, long mkey, MrKeys keys, int number, int maxEntries) {
        super(pd, 0, 0, 0, number, number);
        key = new MrKey(mkey, keys, number, maxEntries, this::changed);
    }

    private void changed(long addr, long length, int access, int number) {
        update(pd(), addr, length, access, number, number);
    }
}
