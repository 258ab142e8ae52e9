/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.Context;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.benchmarks.rc.RcAddress;
import io.verbs4j.benchmarks.rc.RcEnd;
import java.io.IOException;

/**
 * One end of a connection of the embedded device. The send queue is kept full, and one request in several asks for a
 * completion. As in rdma-core's perftest, messages are sent from one buffer and arrive in a ring of {@link Places}.
 */
abstract class Rc implements Transport {
    /** Maximum number of bytes and of messages in flight. */
    static final int BYTES_UNDER_WAY = 2 << 20;

    static final int MOST_UNDER_WAY = 512;

    private static final int LEAST_UNDER_WAY = 4;
    private static final int RECEIVES = 4; // multiple of the sends in flight, since the receiver may be late

    /** Maximum number of sends in flight. */
    final int sendDepth;

    /** Number of posted receives. */
    final int recvDepth;

    /** Number of places for messages, which are used in turn. */
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
        // A power of two, so that the ring of receives is a multiple of the ring of places.
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

    /** Returns the requests of a list, for a subclass to set what is the same for all messages. */
    final SendWorkRequest[] requests() {
        return requests;
    }

    /** Returns the offset of the message to send in the memory, in bytes. */
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
            completed = end.sends().get(n - 1).wrId(); // a completion covers all earlier requests
        }
    }

    /** Sets what differs from message to message. */
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
