/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Ece;
import io.verbs4j.QueuePair;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.EceLayout;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.slot.QueryEce;
import io.verbs4j.slot.SetEce;

/**
 * Implements connection options (ECE), which came with release 31. Drivers without them refuse; in release 65 only
 * libmlx5 has them.
 */
final class EceVerbs {
    private final NativeFunction setEce = Libibverbs.find("ibv_set_ece");
    private final NativeFunction queryEce = Libibverbs.find("ibv_query_ece");

    void fill(ContextTable table) {
        if (setEce != null && queryEce != null) {
            table.fillProvider(ContextSlot.SET_ECE, (SetEce) this::setEce);
            table.fillProvider(ContextSlot.QUERY_ECE, (QueryEce) this::queryEce);
        }
    }

    private void setEce(QueuePair qp, Ece ece) {
        String verb = "set_ece";
        Answers.refuseUnknown(verb, ece, 0);
        try (Scratch c = new Scratch(EceLayout.SIZEOF)) {
            NativeMemory.putInt(c.address() + EceLayout.VENDOR_ID, ece.vendorId());
            NativeMemory.putInt(c.address() + EceLayout.OPTIONS, ece.options());
            Answers.check(verb, setEce.call(addressOf(qp), c.address()));
            ece.options(NativeMemory.getInt(c.address() + EceLayout.OPTIONS)); // the accepted ones
        }
    }

    private Ece queryEce(QueuePair qp) {
        try (Scratch c = new Scratch(EceLayout.SIZEOF)) {
            Answers.check("query_ece", queryEce.call(addressOf(qp), c.address()));
            return new Ece()
                    .vendorId(NativeMemory.getInt(c.address() + EceLayout.VENDOR_ID))
                    .options(NativeMemory.getInt(c.address() + EceLayout.OPTIONS));
        }
    }

    private static long addressOf(QueuePair qp) {
        return ((NativeQueuePair) qp).ibv.address();
    }
}
