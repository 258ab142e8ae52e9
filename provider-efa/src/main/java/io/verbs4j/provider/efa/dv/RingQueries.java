/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.dv;

import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.efa.layout.EfaAhAttrLayout;
import io.verbs4j.provider.efa.layout.EfaCqAttrLayout;
import io.verbs4j.provider.efa.layout.EfaWqAttrLayout;
import io.verbs4j.provider.efa.ring.CqPlace;
import io.verbs4j.provider.efa.ring.WorkQueuePlace;
import io.verbs4j.rdmacore.call.Answers;

/** Queries the memory layout of the device's queues, and the numbers of address handles. */
public final class RingQueries {
    private static final String WORK_QUEUES = "efadv_query_qp_wqs";
    private static final String COMPLETION_QUEUE = "efadv_query_cq";

    private RingQueries() {}

    /** Returns whether the loaded libefa can report where queues are. */
    public static boolean areThere() {
        return Libefa.has(WORK_QUEUES) && Libefa.has(COMPLETION_QUEUE);
    }

    /** Returns the layout of the send queue or the receive queue of a {@code struct ibv_qp}. */
    public static WorkQueuePlace workQueue(long qp, boolean sends) {
        try (Scratch c = new Scratch(2 * EfaWqAttrLayout.SIZEOF)) {
            long sq = c.address();
            long rq = sq + EfaWqAttrLayout.SIZEOF;
            NativeFunction function = Libefa.function(WORK_QUEUES, 59);
            Answers.check(WORK_QUEUES, function.call(qp, sq, rq, EfaWqAttrLayout.SIZEOF));
            long at = sends ? sq : rq;
            return new WorkQueuePlace(
                    NativeMemory.getLong(at + EfaWqAttrLayout.BUFFER),
                    NativeMemory.getInt(at + EfaWqAttrLayout.ENTRY_SIZE),
                    NativeMemory.getInt(at + EfaWqAttrLayout.NUM_ENTRIES),
                    NativeMemory.getLong(at + EfaWqAttrLayout.DOORBELL),
                    NativeMemory.getInt(at + EfaWqAttrLayout.MAX_BATCH),
                    NativeMemory.getShort(at + EfaWqAttrLayout.CAPS));
        }
    }

    /** Returns the layout of a {@code struct ibv_cq}. */
    public static CqPlace completionQueue(long cq) {
        try (Scratch c = new Scratch(EfaCqAttrLayout.SIZEOF)) {
            long at = c.address();
            NativeFunction function = Libefa.function(COMPLETION_QUEUE, 59);
            Answers.check(COMPLETION_QUEUE, function.call(cq, at, EfaCqAttrLayout.SIZEOF));
            return new CqPlace(
                    NativeMemory.getLong(at + EfaCqAttrLayout.BUFFER),
                    NativeMemory.getInt(at + EfaCqAttrLayout.ENTRY_SIZE),
                    NativeMemory.getInt(at + EfaCqAttrLayout.NUM_ENTRIES),
                    NativeMemory.getLong(at + EfaCqAttrLayout.DOORBELL));
        }
    }

    /** Returns the device's number of a {@code struct ibv_ah}. */
    public static int number(long ah) {
        String verb = "efadv_query_ah";
        try (Scratch c = new Scratch(EfaAhAttrLayout.SIZEOF)) {
            NativeFunction function = Libefa.function(verb, 26);
            Answers.check(verb, function.call(ah, c.address(), EfaAhAttrLayout.SIZEOF));
            return NativeMemory.getShort(c.address() + EfaAhAttrLayout.AHN);
        }
    }
}
