/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.bulk.progress.Adapter;
import io.verbs4j.bulk.progress.Devices;

/** Replaces a lost device, completely or not at all. */
final class BulkReplacement {
    private final Devices devices;
    private final BulkMemories memories;

    BulkReplacement(Devices devices, BulkMemories memories) {
        this.devices = devices;
        this.memories = memories;
    }

    /** Registers all memory with the new device, listens on it and opens it to connections. */
    void run(Adapter gone, Adapter adapter) {
        boolean done = false;
        try {
            memories.renew(adapter, () -> devices.acceptors().renew(adapter), () -> devices.replace(gone, adapter));
            done = true;
        } finally {
            if (!done) {
                memories.lose(adapter.index());
                devices.discard(adapter);
            }
        }
    }
}
