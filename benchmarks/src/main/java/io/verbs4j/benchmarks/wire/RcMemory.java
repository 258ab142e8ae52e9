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
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.HdrHistogram.Histogram;

/**
 * RDMA writes to memory where the other program looks for them: each message ends with its number, which arrives last.
 * Polling the completion queue lets the embedded device receive.
 */
final class RcMemory implements Transport {
    private static final int DEPTH = 64;
    private static final int LOOKS = 1 << 14;
    private static final long STUCK_NANOS = 60_000_000_000L;

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer source;
    private final ByteBuffer target;
    private final int last;
    private final Context context;
    private final RcEnd end;
    private final SendWorkRequest request;
    private final int flags;
    private long posted;
    private long completed;

    RcMemory(Link link, int size) throws IOException {
        ByteBuffer all = Contents.allocate(2 * size);
        target = all.slice(0, size).order(all.order());
        source = all.slice(size, size).order(all.order());
        last = size - Long.BYTES;
        flags = size <= RcEnd.INLINE ? SendFlags.INLINE : 0;
        context = RcEnd.openDevice();
        end = new RcEnd(context, all, 2 * DEPTH, 1);
        RcAddress peer = RcAddress.parse(link.exchange(end.address().toText()));
        request = new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .remoteAddr(peer.addr())
                .rkey(peer.rkey())
                .sgList(ScatterGatherElement.of(end.memory(), size, size));
        end.connect(peer);
        link.exchange("connected");
    }

    @Override
    public void prepare(long seed) {
        Contents.fill(source, seed);
        Contents.clear(target);
    }

    private void write(long number) {
        source.putLong(last, number);
        boolean signal = ++posted % DEPTH == 0;
        request.wrId(posted).sendFlags(flags | (signal ? SendFlags.SIGNALED : 0));
        RcEnd.posted(end.qp().postSend(request));
        while (posted - completed >= 2 * DEPTH) {
            look();
        }
    }

    /** Lets the device receive. */
    private void look() {
        int n = end.sends().poll();
        if (n > 0) {
            completed = end.sends().get(n - 1).wrId();
        }
    }

    private void await(long number) throws IOException {
        long start = 0;
        for (int i = 1; (long) WORD.getAcquire(target, last) != number; i++) {
            if (i % LOOKS == 0) {
                long now = System.nanoTime();
                start = start == 0 ? now : start;
                if (now - start > STUCK_NANOS) {
                    throw new IOException("message " + number + " does not arrive");
                }
            }
            look();
        }
    }

    @Override
    public void ping(long messages, Histogram roundTrips) throws IOException {
        for (long i = 1; i <= messages; i++) {
            long start = System.nanoTime();
            write(i);
            await(i);
            roundTrips.recordValue(System.nanoTime() - start);
        }
    }

    @Override
    public void pong(long messages) throws IOException {
        for (long i = 1; i <= messages; i++) {
            await(i);
            write(i);
        }
    }

    /** Each end has sent the same, the last message's number included. */
    @Override
    public void check(long messages) {
        Contents.check(target, source);
    }

    @Override
    public void close() {
        end.close();
        context.close();
    }
}
