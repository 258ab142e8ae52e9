/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.LinkOptions;
import io.verbs4j.provider.rxe.share.RingWriter;
import io.verbs4j.testsupport.Patience;
import java.lang.ref.Reference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Somebody overwrites the epoch of the spans in a ring: the spans are missed, but messages still arrive. */
@Tag("attack")
@Timeout(Patience.TEST_SECONDS)
class LostSpanTest {
    private static final int BYTES = 300_000;

    /** Offset of the epoch in a ring. */
    private static final int EPOCH = 136;

    private Subject a;
    private Subject b;
    private volatile boolean stopped;

    @BeforeEach
    void connect() {
        LinkOptions options = TestContext.oneCopy();
        a = new Subject(TestContext.open(options), QpType.RC, BYTES);
        b = new Subject(TestContext.open(options), QpType.RC, BYTES);
        a.connect(b.gid(), b.qp.qpNum(), 0xffff00, 77);
        b.connect(a.gid(), a.qp.qpNum(), 77, 0xffff00);
        ring();
    }

    @AfterEach
    void end() {
        stopped = true;
        for (Subject each : new Subject[] {a, b}) {
            if (each != null) {
                each.close();
            }
        }
    }

    private RingWriter ring() {
        return a.awaitRing(b.gid());
    }

    private void write() {
        SendWorkRequest wr =
                a.wr(WrOpcode.RDMA_WRITE, 1, 0, BYTES).remoteAddr(b.address(0)).rkey(b.mr.rkey());
        a.post(wr);
        a.next(1, WcStatus.SUCCESS);
    }

    private long missed() {
        return b.counters().get(TransportCounters.LOST_SPAN);
    }

    @Test
    void wrongEpochCostsOneSpan() {
        RingWriter ring = ring();
        NativeMemory.putLong(NativeMemory.address(ring.buffer()) + EPOCH, -1);
        write();
        write();
        assertThat(missed()).isLessThanOrEqualTo(1);
        assertThat(ring()).isSameAs(ring);
    }

    @Test
    void secondMissSendsPacketsAndEndsRing() throws InterruptedException {
        RingWriter ring = ring();
        long word = NativeMemory.address(ring.buffer()) + EPOCH;
        Thread scribbler = new Thread(() -> {
            for (long n = 1 << 20; !stopped; n++) {
                NativeMemory.putLong(word, n);
                if (n % (1 << 20) == 0) { // it has to hit spans, which restore the word
                    LockSupport.parkNanos(1); // lets other threads run
                }
            }
        });
        scribbler.start();
        try {
            // How many spans it takes depends on scheduling: the scribbler has to hit two of them.
            long end = System.nanoTime() + Patience.NANOS;
            while (ring() == ring) {
                assertThat(System.nanoTime()).as("time until the ring ends").isLessThan(end);
                write();
            }
        } finally {
            stopped = true;
            scribbler.join();
            Reference.reachabilityFence(ring); // keeps its memory mapped until here
        }
        assertThat(missed()).isGreaterThanOrEqualTo(2);
        long before = missed();
        for (int i = 0; i < 3; i++) {
            write();
        }
        assertThat(missed()).isEqualTo(before);
    }
}
