/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

/** A work queue element of a receive queue. Created once and reused. */
public final class RecvWqe {
    public long wrId;
    public final ScatterList data;

    /** Creates an element. */
    public RecvWqe(int maxSge) {
        data = new ScatterList(Math.max(1, maxSge));
    }

    void copyFrom(RecvWqe other) {
        wrId = other.wrId;
        data.copyFrom(other.data);
    }
}
