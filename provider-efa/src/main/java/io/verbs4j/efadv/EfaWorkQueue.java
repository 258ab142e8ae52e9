/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import io.verbs4j.provider.efa.ring.WorkQueuePlace;

/**
 * The memory layout of a work queue, returned by {@link EfaDv#querySendQueue} and {@link EfaDv#queryReceiveQueue}. The
 * provider posts there; a program that writes there as well corrupts the queue. Source: {@code efadv_query_qp_wqs(3)},
 * {@code struct efadv_wq_attr}.
 */
public final class EfaWorkQueue extends Answer {
    private final WorkQueuePlace values;

    EfaWorkQueue(WorkQueuePlace values) {
        super(values);
        this.values = values;
    }

    /** {@return the address of the ring; a send ring lies on the device and must never be read} */
    public long buffer() {
        return values.buffer();
    }

    /** {@return the size of an entry in bytes} */
    public int entrySize() {
        return values.entrySize();
    }

    /** {@return the number of entries} */
    public int numEntries() {
        return values.numEntries();
    }

    /** {@return the address of the doorbell} */
    public long doorbell() {
        return values.doorbell();
    }

    /** {@return the maximum number of entries between two doorbells} */
    public int maxBatch() {
        return values.maxBatch();
    }

    /** {@return the capabilities, {@link EfaWqCaps} bits; 0 before rdma-core 65} */
    public int caps() {
        return values.caps();
    }
}
