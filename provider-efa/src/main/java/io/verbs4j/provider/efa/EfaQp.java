/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.rdmacore.object.IbvQp;

/** A queue pair of EFA: of either type, each request says where it goes. */
final class EfaQp extends IbvQp {
    /** What a receive descriptor has room to tell of an element. No message of EFA is as long; before rdma-core 57, libefa cut off the rest. */
    private static final int LONGEST_ELEMENT = 0xffff;

    private final boolean takesHints;
    private final boolean writesInline;

    EfaQp(EfaContext base, QpInitAttrEx attr, long operations, long qp) {
        super(attr, operations, qp, base.functions(), base.regions(), base.windows());
        takesHints = EfaQueuePairs.takesHints(EfaQueuePairs.of(attr));
        writesInline = EfaQueuePairs.writesInline(EfaQueuePairs.of(attr));
        requireReceiveElements(); // libefa takes others, and writes nothing
        limitReceiveElements(LONGEST_ELEMENT);
    }

    boolean takesHints() {
        return takesHints;
    }

    @Override
    protected int addressing() {
        return QpType.UD;
    }

    @Override
    protected boolean writesInline() {
        return writesInline;
    }

    @Override
    public String broken(SendWorkRequest wr) {
        return EfaQueuePairs.broken(wr, writesInline);
    }
}
