/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.CompletionChannel;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.rdmacore.object.IbvCq;
import io.verbs4j.rdmacore.object.IbvCqEx;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import java.nio.ByteBuffer;

/** A completion queue of EFA. One without a channel may have no doorbell, which libefa does not look for before it arms. */
final class EfaCompletionQueueHandle extends NativeCompletionQueue {
    @SuppressWarnings("unused") // it only has to be reachable: who polls reads it
    private final ByteBuffer memory;

    EfaCompletionQueueHandle(Context context, Object userContext, CompletionChannel channel, IbvCq ibv) {
        super(context, userContext, channel, ibv);
        memory = null;
    }

    EfaCompletionQueueHandle(Context context, CqInitAttrEx attr, IbvCqEx ibv, ByteBuffer memory) {
        super(context, attr.userContext(), attr.channel(), ibv, attr.wcFlags(), ibv);
        this.memory = memory;
    }

    /** Of a queue that libefa can't read. */
    EfaCompletionQueueHandle(Context context, CqInitAttrEx attr, IbvCq ibv) {
        super(context, attr.userContext(), attr.channel(), ibv, attr.wcFlags(), null);
        memory = null;
    }

    @Override
    public int reqNotify(boolean solicitedOnly) {
        return channel() == null ? Errno.EINVAL : super.reqNotify(solicitedOnly);
    }
}
