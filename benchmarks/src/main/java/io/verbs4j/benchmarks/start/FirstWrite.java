/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.start;

import io.verbs4j.Context;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.benchmarks.harness.Contents;
import io.verbs4j.benchmarks.rc.RcEnd;
import java.nio.ByteBuffer;

/**
 * Measures once the time from {@code Verbs.devices()} to the first completed RDMA write, and prints it in microseconds.
 */
final class FirstWrite {
    static final int SIZE = 64;

    private static final int DEPTH = 16;

    private FirstWrite() {}

    public static void main(String[] args) {
        ByteBuffer source = Contents.allocate(SIZE);
        ByteBuffer target = Contents.allocate(SIZE);
        Contents.fill(source, 1);
        long begin = System.nanoTime();
        long end;
        try (Context context = RcEnd.openDevice();
                RcEnd from = new RcEnd(context, source, DEPTH, DEPTH);
                RcEnd to = new RcEnd(context, target, DEPTH, DEPTH)) {
            from.connect(to.address());
            to.connect(from.address());
            RcEnd.posted(from.qp()
                    .postSend(new SendWorkRequest()
                            .opcode(WrOpcode.RDMA_WRITE)
                            .sendFlags(SendFlags.SIGNALED)
                            .sgList(ScatterGatherElement.of(from.memory()))
                            .remoteAddr(to.memory().addr())
                            .rkey(to.memory().rkey())));
            from.sends().await();
            end = System.nanoTime();
        }
        Contents.check(target, source);
        System.out.println((end - begin) / 1000);
    }
}
