/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The hot path makes no garbage: not one byte in 100,000 packets. */
class WireAllocationTest {
    private static final int WARM_UP = 50_000;
    private static final int PACKETS = 100_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ByteBuffer[] buffers = new ByteBuffer[16];
    private final Icrc icrc = new Icrc();
    private final Packet packet = new Packet();
    private long sink;

    @Test
    void packetsAllocateNothing() {
        SplittableRandom random = new SplittableRandom(9);
        int length = 0;
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = i % 4 == 3 ? ByteBuffer.allocate(2048) : ByteBuffer.allocateDirect(2048);
            length = TestPackets.send(buffers[i], 0, 1024, random);
        }
        run(WARM_UP, length);
        long thread = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(thread);
        long calibrated = threads.getThreadAllocatedBytes(thread) - before;
        before = threads.getThreadAllocatedBytes(thread);
        run(PACKETS, length);
        long allocated = threads.getThreadAllocatedBytes(thread) - before - calibrated;
        assertThat(allocated).isZero();
        assertThat(sink).isNotZero();
    }

    private void run(int packets, int length) {
        for (int i = 0; i < packets; i++) {
            ByteBuffer b = buffers[i % buffers.length];
            Bth.write(b, 0, Opcode.RC_SEND_ONLY, false, true, 0, 0xffff, 17, true, i);
            if (i % 3 == 0) {
                TestPackets.appendV6(icrc, b, 0, length);
                sink += TestPackets.verifyV6(icrc, b, 0, length) ? 1 : 0;
            } else {
                TestPackets.appendV4(icrc, b, 0, length, i & 0xffff);
                sink += TestPackets.verifyV4(icrc, b, 0, length) ? 1 : 0;
            }
            sink += packet.parse(b, 0, length + 1);
            sink += packet.parse(b, 0, length + Icrc.LENGTH);
            packet.source(0, i, 4791);
            packet.destination(0, i);
            sink += packet.psn() + packet.payloadLength() + icrc.solvedId();
        }
    }
}
