/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.CompletionChannel;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.flight.FailedRequests;
import io.verbs4j.rdmacore.object.IbvCq;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import java.nio.ByteBuffer;

/** A completion queue that Java polls and arms. */
public final class EfaRingCompletionQueue extends NativeCompletionQueue {
    /** Reads EFA's additional completion fields; null if single completions cannot be read. */
    public final EfaReader efaReader;

    private final CqRing ring;

    @SuppressWarnings("unused") // keeps the buffer reachable, which polling reads
    private final ByteBuffer memory;

    /** Creates a queue whose completions cannot be read one at a time. */
    public EfaRingCompletionQueue(
            Context context, Object userContext, CompletionChannel channel, IbvCq cq, CqRing ring) {
        super(context, userContext, channel, cq);
        this.ring = ring;
        efaReader = null;
        memory = null;
    }

    /** Creates a queue that lies in the program's memory, unless {@code memory} is null. */
    public EfaRingCompletionQueue(
            Context context, CqInitAttrEx attr, IbvCq cq, CqRing ring, EfaReader reader, ByteBuffer memory) {
        super(context, attr.userContext(), attr.channel(), cq, attr.wcFlags(), reader);
        this.ring = ring;
        efaReader = reader;
        this.memory = memory;
    }

    @Override
    public int poll(int numEntries, WorkCompletion[] wc) {
        int taken = FailedRequests.polled(this, wc, ring.poll(numEntries, wc));
        return taken == 0 && numEntries > 0 && ibv.isOverrun() ? -Errno.EOVERFLOW : taken;
    }

    @Override
    public int reqNotify(boolean solicitedOnly) {
        return channel() == null ? Errno.EINVAL : ring.arm(solicitedOnly);
    }
}
