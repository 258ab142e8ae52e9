/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.local;

import io.verbs4j.Context;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Contents;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Side;
import io.verbs4j.benchmarks.harness.Sizes;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.rc.RcEnd;
import java.nio.ByteBuffer;

/**
 * Within one JVM: an RDMA write that is posted to a queue pair and polled for, against a copy of the same bytes between
 * the same two buffers.
 */
public final class LocalWrites implements Comparison {
    static final int[] SIZES = {64, 4 << 10, 64 << 10, 1 << 20};
    private static final int DEPTH = 16;

    /** Number of bytes moved between two clock readings. */
    private static final int BYTES_PER_LOOK = 4 << 20;

    private static final int MOST_PER_LOOK = 1024;

    @Override
    public void run(Rounds rounds) throws Exception {
        for (int size : SIZES) {
            ByteBuffer source = Contents.allocate(size);
            ByteBuffer target = Contents.allocate(size);
            try (Context context = RcEnd.openDevice();
                    RcEnd from = new RcEnd(context, source, DEPTH, 1);
                    RcEnd to = new RcEnd(context, target, DEPTH, 1)) {
                from.connect(to.address());
                to.connect(from.address());
                rounds.compare(
                        new Repeated(source, target, new Write(from, to, size)),
                        new Repeated(source, target, new Copy(source, target, size)),
                        new Metric("write-" + Sizes.text(size), Unit.MEGABYTES_PER_SECOND));
            }
        }
    }

    /** Moves a message many times. */
    private interface Mover {
        void move(int times);
    }

    /** Has its own loop, as has Copy, so that each loop is compiled together with the code it calls. */
    private static final class Write implements Mover {
        private final RcEnd from;
        private final SendWorkRequest request;

        Write(RcEnd from, RcEnd to, int size) {
            this.from = from;
            this.request = new SendWorkRequest()
                    .opcode(WrOpcode.RDMA_WRITE)
                    .sendFlags(SendFlags.SIGNALED)
                    .sgList(ScatterGatherElement.of(from.memory(), 0, size))
                    .remoteAddr(to.memory().addr())
                    .rkey(to.memory().rkey());
        }

        @Override
        public void move(int times) {
            for (int i = 0; i < times; i++) {
                RcEnd.posted(from.qp().postSend(request));
                from.sends().await();
            }
        }
    }

    private static final class Copy implements Mover {
        private final ByteBuffer source;
        private final ByteBuffer target;
        private final int size;

        Copy(ByteBuffer source, ByteBuffer target, int size) {
            this.source = source;
            this.target = target;
            this.size = size;
        }

        @Override
        public void move(int times) {
            for (int i = 0; i < times; i++) {
                target.put(0, source, 0, size);
            }
        }
    }

    /** Repeats a move for some time, with new contents in each measurement. */
    private static final class Repeated implements Side {
        private final ByteBuffer source;
        private final ByteBuffer target;
        private final Mover mover;
        private long seed;

        Repeated(ByteBuffer source, ByteBuffer target, Mover mover) {
            this.source = source;
            this.target = target;
            this.mover = mover;
        }

        @Override
        public double[] measure(double seconds) {
            Contents.fill(source, ++seed);
            Contents.clear(target);
            int size = source.capacity();
            int times = Math.max(1, Math.min(MOST_PER_LOOK, BYTES_PER_LOOK / size));
            long start = System.nanoTime();
            long moved = 0;
            long nanos;
            do {
                mover.move(times);
                moved += times;
                nanos = System.nanoTime() - start;
            } while (nanos < seconds * 1e9);
            Contents.check(target, source);
            return new double[] {1e3 * moved * size / nanos};
        }
    }
}
