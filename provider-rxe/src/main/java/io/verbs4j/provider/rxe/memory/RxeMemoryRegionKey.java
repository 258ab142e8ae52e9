/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;

/** The program's handle of a key that work requests register memory with. */
public final class RxeMemoryRegionKey extends MemoryRegion {
    /** The key. */
    public final FastKey key;

    /** Creates a key without memory, and its handle. */
    public RxeMemoryRegionKey(MemoryKeys keys, ProtectionDomain pd, int maxEntries) {
        this(new FastKey(keys, pd, maxEntries));
    }

    private RxeMemoryRegionKey(FastKey key) {
        super(key.pd(), 0, 0, 0, key.shown(), key.shown());
        this.key = key;
        key.onChange(this::update);
    }
}
