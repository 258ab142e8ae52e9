/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.Context;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.benchmarks.harness.Contents;
import io.verbs4j.benchmarks.rc.RcAddress;
import io.verbs4j.benchmarks.rc.RcEnd;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Small RDMA writes in lists of {@link #BATCH}, with a completion for each write. */
final class RcBatches implements Transport {
    /** Number of requests in a list. */
    static final int BATCH = 16;

    /** Maximum number of lists in flight. */
    static final int WINDOW = 7;

    private final int depth;
    private final ByteBuffer source;
    private final ByteBuffer target;
    private final Context context;
    private final RcEnd end;
    private final SendWorkRequest[] requests = new SendWorkRequest[BATCH];

    RcBatches(Link link, int size, int lists) throws IOException {
        depth = lists * BATCH;
        ByteBuffer all = Contents.allocate((BATCH + 1) * size);
        target = all.slice(0, BATCH * size);
        source = all.slice(BATCH * size, size);
        context = RcEnd.openDevice();
        end = new RcEnd(context, all, depth, 1);
        RcAddress peer = RcAddress.parse(link.exchange(end.address().toText()));
        for (int i = BATCH - 1; i >= 0; i--) {
            requests[i] = new SendWorkRequest()
                    .opcode(WrOpcode.RDMA_WRITE)
                    .sendFlags(SendFlags.SIGNALED)
                    .remoteAddr(peer.addr() + (long) i * size)
                    .rkey(peer.rkey())
                    .sgList(ScatterGatherElement.of(end.memory(), (long) BATCH * size, size))
                    .next(i == BATCH - 1 ? null : requests[i + 1]);
        }
        end.connect(peer);
        link.exchange("connected");
    }

    @Override
    public void prepare(long seed) {
        Contents.fill(source, seed);
        Contents.clear(target);
    }

    /** Sends whole lists, so possibly a few more messages than requested. */
    @Override
    public void send(long messages) {
        long posted = 0;
        long completed = 0;
        while (completed < messages) {
            while (posted < messages && posted - completed + BATCH <= depth) {
                RcEnd.posted(end.qp().postSend(requests[0]));
                posted += BATCH;
            }
            completed += end.sends().await();
        }
        while (completed < posted) {
            completed += end.sends().await();
        }
    }

    @Override
    public boolean isOneSided() {
        return true;
    }

    @Override
    public void check(long messages) {
        int size = source.capacity();
        for (int i = 0; i < BATCH; i++) {
            Contents.check(target.slice(i * size, size), source);
        }
    }

    @Override
    public void close() {
        end.close();
        context.close();
    }
}
