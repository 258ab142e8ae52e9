/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Gid;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Queries a socket option for some seconds while memory of the same size is collected and reallocated all the time. If
 * the kernel writes to collected memory, either the C library aborts the process or somebody else's bytes change.
 */
final class CollectedMemoryProgram {
    private static final long CANARY = -1;
    private static final int CANARIES = 2_000;
    private static final int LOOKS = 20;

    private static volatile boolean over;
    private static int dead; // written by the keeper until it has ended

    private CollectedMemoryProgram() {}

    public static void main(String... args) throws Exception {
        String problem = Posix.enter();
        if (problem != null) {
            System.out.println("not here: " + problem);
            return;
        }
        UdpSocket socket = UdpSocket.unicast(Gid.of(0, 0xffff_7f00_0009L), 0, LinkOptions.defaults());
        Thread collector = new Thread(CollectedMemoryProgram::collect);
        Thread keeper = new Thread(CollectedMemoryProgram::keep);
        collector.start();
        keeper.start();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[0]));
        boolean segments = socket.canSegment();
        while (System.nanoTime() - end < 0) {
            if (socket.canSegment() != segments) {
                throw new IllegalStateException("the answer has changed");
            }
        }
        over = true;
        collector.join();
        keeper.join();
        socket.close();
        System.out.println("canaries that died: " + dead);
    }

    private static void collect() {
        while (!over) {
            System.gc();
        }
    }

    private static void keep() {
        while (!over) {
            ByteBuffer[] canaries = new ByteBuffer[CANARIES];
            for (int i = 0; i < CANARIES; i++) {
                canaries[i] = ByteBuffer.allocateDirect(Long.BYTES).putLong(0, CANARY);
            }
            for (int look = 0; look < LOOKS; look++) {
                Thread.onSpinWait();
                for (ByteBuffer canary : canaries) {
                    if (canary.getLong(0) != CANARY) {
                        canary.putLong(0, CANARY);
                        dead++;
                    }
                }
            }
        }
    }
}
