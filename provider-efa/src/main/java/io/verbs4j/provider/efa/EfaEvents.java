/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.Errno;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.provider.efa.dv.Libefa;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.call.Libibverbs;

/**
 * Detects whether libefa supports completion events, which came with rdma-core 38. libibverbs creates channels whatever
 * the driver supports, and no symbol distinguishes 37 from 38. So unless the release is known to be newer, a queue is
 * created and armed.
 */
final class EfaEvents {
    private static final String NEWER = "efadv_create_cq"; // since rdma-core 43

    private final long context;
    private final ContextFunctions functions;
    private Boolean known;

    /** Creates the check for an open {@code struct ibv_context}. */
    EfaEvents(long context, ContextFunctions functions) {
        this.context = context;
        this.functions = functions;
    }

    /** Returns whether libefa supports events. */
    synchronized boolean areThere() {
        if (known == null) {
            known = Libefa.has(NEWER) || armed();
        }
        return known;
    }

    private boolean armed() {
        long channel = Answers.checkPointer("create_comp_channel", Libibverbs.ibv_create_comp_channel(context));
        try {
            long cq = Answers.checkPointer("create_cq", Libibverbs.ibv_create_cq(context, 1, 0, channel, 0));
            try {
                NativeFunction arm = functions.reqNotifyCq();
                return arm != null && Answers.errno(arm.call(cq, 0)) != Errno.EOPNOTSUPP;
            } finally {
                Libibverbs.ibv_destroy_cq(cq);
            }
        } finally {
            Libibverbs.ibv_destroy_comp_channel(channel);
        }
    }
}
