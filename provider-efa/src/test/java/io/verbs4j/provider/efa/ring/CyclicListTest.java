/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.PlainContext;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.NativeProtectionDomain;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Posting a cyclic list ends, even if another thread polls and makes room all the time. */
@Timeout(60)
class CyclicListTest {
    private static final int COUNT = 64;

    private final long memory = NativeMemory.allocate((COUNT + 1) * Descriptor.BLOCK);
    private final NativeProtectionDomain pd = new NativeProtectionDomain(new PlainContext(), 1);

    private SendRing ring(int maxBatch) {
        long doorbell = memory + COUNT * Descriptor.BLOCK;
        SendRing ring = new SendRing(
                new SendElements.Setup(
                        new WorkQueuePlace(memory, Descriptor.BLOCK, COUNT, doorbell, maxBatch, 0),
                        true,
                        false,
                        false,
                        2,
                        32,
                        -1,
                        pd,
                        new RegionTable()),
                new RingLock(false));
        ring.setOpen(true);
        return ring;
    }

    private SendWorkRequest cycle(int length, int numSge) {
        SendWorkRequest last = null;
        SendWorkRequest first = null;
        for (int i = 0; i < length; i++) {
            ScatterGatherElement[] pieces = new ScatterGatherElement[numSge];
            for (int n = 0; n < numSge; n++) {
                pieces[n] = new ScatterGatherElement().length(8).lkey(1).addr(2);
            }
            SendWorkRequest wr = new SendWorkRequest()
                    .wrId(i)
                    .opcode(WrOpcode.SEND)
                    .sendFlags(SendFlags.SIGNALED)
                    .ah(new EfaAddressHandle(pd, 1, 7))
                    .sgList(pieces);
            if (last == null) {
                first = wr;
            } else {
                last.next(wr);
            }
            last = wr;
        }
        last.next(first);
        return first;
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 16", "3, 1, 16", "1, 2, 16", "2, 2, 1", "5, 1, 64"})
    void cyclicListEndsThoughAnotherThreadPolls(int length, int numSge, int maxBatch) throws InterruptedException {
        SendRing ring = ring(maxBatch);
        SendWorkRequest[] bad = new SendWorkRequest[1];
        SendWorkRequest first = cycle(length, numSge);
        AtomicBoolean ended = new AtomicBoolean();
        Thread poller = new Thread(() -> {
            int completed = 0;
            while (!ended.get()) {
                // The device completes every request at once when its doorbell rings.
                short rung = (short) NativeMemory.getInt(memory + COUNT * Descriptor.BLOCK);
                while ((short) completed != rung) {
                    ring.ids.complete();
                    completed++;
                }
                Thread.onSpinWait();
            }
        });
        poller.setDaemon(true);
        poller.start();
        try {
            for (int i = 0; i < 100; i++) {
                int before = ring.written();
                assertThat(ring.post(first, bad)).isEqualTo(Errno.ENOMEM);
                assertThat(ring.written() - before).isLessThanOrEqualTo(COUNT);
                assertThat(bad[0]).isNotNull();
            }
        } finally {
            ended.set(true);
            poller.join();
        }
    }

    @Test
    void listAsLongAsQueueIsAccepted() {
        SendRing ring = ring(16);
        SendWorkRequest first = cycle(COUNT, 1);
        SendWorkRequest last = first;
        for (int i = 1; i < COUNT; i++) {
            last = last.next();
        }
        last.next(null);
        assertThat(ring.post(first, null)).isZero();
    }
}
