/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import io.verbs4j.provider.efa.ring.CqPlace;

/**
 * The memory layout of a completion queue, returned by {@link EfaDv#queryCq}. Source: {@code efadv_query_cq(3)},
 * {@code struct efadv_cq_attr}.
 */
public final class EfaCompletionQueue extends Answer {
    private final CqPlace values;

    EfaCompletionQueue(CqPlace values) {
        super(values);
        this.values = values;
    }

    /** {@return the address of the ring} */
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

    /** {@return the address of the doorbell; 0 if the queue has none} */
    public long doorbell() {
        return values.doorbell();
    }
}
