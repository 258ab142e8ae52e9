/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.Context;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.benchmarks.rc.RcAddress;
import io.verbs4j.benchmarks.rc.RcEnd;
import java.io.IOException;

/**
 * An end of a connection of the embedded device. A send queue is kept full, and one request in several asks for a
 * completion. Messages are sent from one buffer and arrive in a ring of {@link Places}, as with rdma-core's perftest.
 */
abstract class Rc implements Transport {
    private static final int BYTES_UNDER_WAY = 2 << 20;
    private static final int LEAST_UNDER_WAY = 4;
    private static final int MOST_UNDER_WAY = 512;
    private static final int RECEIVES = 4; // times as many as can be under way: the receiver may be late

    /** What is under way at most. */
    final int sendDepth;

    /** How many receives are posted. */
    final int recvDepth;

    /** How many messages there is room for; the next goes where the first one was. */
    final int places;

    final int size;
    final RcEnd end;
    final RcAddress peer;

    private final Context context;
    private final Places memory;
    private final SendWorkRequest[] requests;
    private final int signalEach;
    private final int flags;

    Rc(Link link, int size, int list, int flags) throws IOException {
        this.size = size;
        this.flags = flags;
        // Powers of two: then the ring of receives goes round the places without a break.
        sendDepth = Integer.highestOneBit(Math.max(LEAST_UNDER_WAY, Math.min(MOST_UNDER_WAY, BYTES_UNDER_WAY / size)));
        recvDepth = RECEIVES * sendDepth;
        memory = new Places(size);
        places = memory.count();
        signalEach = Math.max(list, sendDepth / 4);
        context = RcEnd.openDevice();
        end = new RcEnd(context, memory.memory(), sendDepth, recvDepth);
        peer = RcAddress.parse(link.exchange(end.address().toText()));
        requests = new SendWorkRequest[list];
        for (int i = 0; i < list; i++) {
            requests[i] = new SendWorkRequest();
        }
    }

    /** The requests of a list, for a subclass to set what does not change. */
    final SendWorkRequest[] requests() {
        return requests;
    }

    /** Where messages are sent from: bytes from the beginning of the memory. */
    final int sourceOffset() {
        return memory.sourceOffset();
    }

    @Override
    public final void prepare(long seed) {
        memory.prepare(seed);
    }

    @Override
    public final void send(long messages) {
        int list = requests.length;
        long posted = 0;
        long completed = 0;
        while (completed < messages) {
            while (posted < messages && posted - completed + list <= sendDepth) {
                int n = (int) Math.min(list, messages - posted);
                for (int i = 0; i < n; i++) {
                    posted++;
                    boolean last = i == n - 1;
                    boolean signal = posted == messages || last && posted % signalEach < list;
                    requests[i]
                            .wrId(posted)
                            .sendFlags(flags | (signal ? SendFlags.SIGNALED : 0))
                            .next(last ? null : requests[i + 1]);
                    address(requests[i], posted - 1);
                }
                RcEnd.posted(end.qp().postSend(requests[0]));
            }
            int n = end.sends().await();
            completed = end.sends().get(n - 1).wrId(); // and with it all before
        }
    }

    /** Sets what is different for each message. */
    abstract void address(SendWorkRequest request, long number);

    @Override
    public final void check(long messages) {
        memory.check(messages, false);
    }

    @Override
    public final void close() {
        end.close();
        context.close();
    }
}
