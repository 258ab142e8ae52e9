/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.PlainContext;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.NativeProtectionDomain;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A list may be cyclic. One post accepts at most as many of its requests as an empty queue holds, however much room
 * concurrent polls make.
 */
class LongListsTest {
    private static final int COUNT = 16;
    private static final int POLLED_MEANWHILE = 10 * COUNT;

    private final long memory = NativeMemory.allocate((COUNT + 1) * Descriptor.BLOCK);
    private final WorkQueuePlace where =
            new WorkQueuePlace(memory, Descriptor.BLOCK, COUNT, memory + COUNT * Descriptor.BLOCK, 4, 0);
    private final NativeProtectionDomain pd = new NativeProtectionDomain(new PlainContext(), 1);
    private final ScatterGatherElement element =
            new ScatterGatherElement().length(8).lkey(1).addr(2);

    @AfterEach
    void free() {
        NativeMemory.free(memory);
    }

    private int accepted(SendWorkRequest wr) {
        SendRing ring = new SendRing(
                new SendElements.Setup(where, true, false, true, 2, 32, -1, pd, new RegionTable()),
                new RingLock(false));
        ring.setOpen(true);
        assertThat(ring.ids.isWide()).isTrue();
        for (int i = 0; i < POLLED_MEANWHILE; i++) {
            ring.ids.complete();
        }
        assertThat(ring.post(wr, null)).isEqualTo(Errno.ENOMEM);
        return ring.written();
    }

    private SendWorkRequest send() {
        return new SendWorkRequest()
                .opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED)
                .ah(new EfaAddressHandle(pd, 1, 7))
                .sgList(element);
    }

    @Test
    void cyclicListOfSendsEnds() {
        SendWorkRequest plain = send();
        assertThat(accepted(plain.next(plain))).isEqualTo(COUNT);
        SendWorkRequest other = send().sgList(element, element);
        assertThat(accepted(other.next(other))).isEqualTo(COUNT);
        SendWorkRequest mixed = send();
        assertThat(accepted(mixed.next(other.next(mixed)))).isEqualTo(COUNT);
    }

    @Test
    void cyclicListOfReceivesEnds() {
        ReceiveRing ring = new ReceiveRing(where, COUNT, 1, new RingLock(false));
        ring.setOpen(true);
        for (int i = 0; i < POLLED_MEANWHILE; i++) {
            ring.ids.complete(i & COUNT - 1);
        }
        RecvWorkRequest wr = new RecvWorkRequest().sgList(element);
        RecvWorkRequest[] bad = new RecvWorkRequest[1];
        assertThat(ring.post(wr.next(wr), bad)).isEqualTo(Errno.ENOMEM);
        assertThat(bad[0]).isSameAs(wr);
        assertThat(ring.ids.taken()).isEqualTo(COUNT);
    }
}
