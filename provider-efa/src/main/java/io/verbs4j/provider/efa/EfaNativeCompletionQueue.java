/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.CompletionChannel;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.efa.ring.RawStatus;
import io.verbs4j.rdmacore.flight.FailedRequests;
import io.verbs4j.rdmacore.object.IbvCq;
import io.verbs4j.rdmacore.object.IbvCqEx;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import java.nio.ByteBuffer;

/**
 * A completion queue of EFA that libefa reads.
 *
 * <p>A queue without a channel may have no doorbell, which libefa does not check before it arms; arming such a queue is
 * refused here. Older releases report some errors as a general error; they are translated here from {@code vendorErr},
 * so that all releases report the same status.
 */
final class EfaNativeCompletionQueue extends NativeCompletionQueue {
    @SuppressWarnings("unused") // keeps the buffer reachable, which polling reads
    private final ByteBuffer memory;

    private final boolean hasEvents;

    EfaNativeCompletionQueue(
            Context context, Object userContext, CompletionChannel channel, IbvCq ibv, boolean hasEvents) {
        super(context, userContext, channel, ibv);
        this.hasEvents = hasEvents;
        memory = null;
    }

    EfaNativeCompletionQueue(Context context, CqInitAttrEx attr, IbvCqEx ibv, boolean hasEvents, ByteBuffer memory) {
        super(context, attr.userContext(), attr.channel(), ibv, attr.wcFlags(), ibv);
        this.hasEvents = hasEvents;
        this.memory = memory;
    }

    /** Creates the handle of a queue that libefa cannot read. */
    EfaNativeCompletionQueue(Context context, CqInitAttrEx attr, IbvCq ibv, boolean hasEvents) {
        super(context, attr.userContext(), attr.channel(), ibv, attr.wcFlags(), null);
        this.hasEvents = hasEvents;
        memory = null;
    }

    @Override
    public int poll(int numEntries, WorkCompletion[] wc) {
        int taken = ibv.poll(numEntries, wc);
        for (int i = 0; i < taken; i++) {
            if (wc[i].status() == WcStatus.GENERAL_ERR) {
                wc[i].status(RawStatus.toStatus(wc[i].vendorErr()));
            }
        }
        return FailedRequests.polled(this, wc, taken);
    }

    @Override
    public int status() {
        int told = super.status();
        return told == WcStatus.GENERAL_ERR ? RawStatus.toStatus(readVendorErr()) : told;
    }

    @Override
    public int reqNotify(boolean solicitedOnly) {
        return hasEvents && channel() == null ? Errno.EINVAL : super.reqNotify(solicitedOnly);
    }
}
