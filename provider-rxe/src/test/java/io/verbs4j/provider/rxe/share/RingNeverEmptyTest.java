/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.link.SystemKernel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever a sender writes to a ring, or was about to write when killed: a waiting thread finds the ring empty after a
 * poll, and sleeps.
 */
@Tag("attack")
@EnabledOnOs(OS.LINUX)
@Timeout(60)
@ParameterizedClass(name = "older sender {0}")
@ValueSource(booleans = {false, true})
class RingNeverEmptyTest {
    private static final int MANY = Readers.FEW + 4;

    @Parameter
    boolean older;

    private final SystemKernel kernel = new SystemKernel();
    private final List<RingEnd> senders = new ArrayList<>();
    private final RingEnd receiver;

    RingNeverEmptyTest() throws IOException {
        receiver = new RingEnd(kernel.calls());
    }

    @AfterEach
    void close() {
        senders.forEach(RingEnd::close);
        receiver.close();
        kernel.close();
    }

    private void senders(int count) throws IOException {
        while (senders.size() < count) {
            RingEnd sender = new RingEnd(kernel.calls(), older);
            sender.connect(receiver, senders.size());
            assertThat(sender.isConnected()).isTrue();
            senders.add(sender);
        }
        receiver.poll(16);
        assertThat(receiver.oneCopy.isEmpty()).isTrue();
    }

    /** Removes what is there, like the thread that waits when nothing is there; it must eventually wait. */
    private void emptied() {
        for (int i = 0; i < 10 && !receiver.oneCopy.isEmpty(); i++) {
            receiver.poll(16);
        }
        assertThat(receiver.oneCopy.isEmpty()).as("rings are empty").isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, MANY})
    void headWrittenBySenderIsIgnored(int count) throws IOException {
        senders(count);
        RingEnd liar = senders.get(0);
        for (long head : new long[] {1, 8, -8, RingLayout.BYTES, Long.MIN_VALUE}) {
            NativeMemory.putLong(liar.base() + RingLayout.HEAD, head);
            emptied();
        }
        assertThat(receiver.oneCopy.readerCount()).isEqualTo(count);
    }

    /** The state left by a sender killed between the two writes. */
    @Test
    void unmarkedRecordIsReceivedBeforeSleep() throws IOException {
        senders(MANY);
        receiver.oneCopy.mailbox().put(Mailbox.MANY, 0); // so that nothing is marked
        senders.get(3).send();
        assertThat(receiver.poll(16)).isZero();
        assertThat(receiver.oneCopy.isEmpty()).isFalse();
        emptied();
        assertThat(receiver.got).isEqualTo(1);
    }

    /** While a program polls, nobody checks before a sleep. */
    @Test
    void unmarkedRecordIsFoundWithoutSleep() throws IOException {
        senders(MANY);
        receiver.oneCopy.mailbox().put(Mailbox.MANY, 0);
        senders.get(3).send();
        assertThat(receiver.poll(16)).isZero();
        receiver.oneCopy.lookAfter(System.nanoTime());
        assertThat(receiver.poll(16)).isEqualTo(1);
    }

    @Test
    void ringFilledByOthersEndsAfterItsSender() throws Exception {
        senders(2);
        RingEnd dead = senders.get(0);
        dead.send();
        dead.close();
        receiver.oneCopy.lookAfter(System.nanoTime());
        assertThat(receiver.oneCopy.readerCount()).isEqualTo(2); // what was sent has to be received
        assertThat(receiver.poll(16)).isEqualTo(1);
        fill(dead.base());
        receiver.oneCopy.lookAfter(System.nanoTime());
        assertThat(receiver.oneCopy.readerCount()).isEqualTo(1);
        emptied();
        senders.get(1).send();
        assertThat(receiver.poll(16)).isEqualTo(1);
    }

    /** Writes what is no record. */
    private static void fill(long ring) {
        long tail = NativeMemory.getLong(ring + RingLayout.TAIL);
        NativeMemory.putLong(ring + RingLayout.DATA + tail, -1);
        NativeMemory.putLong(ring + RingLayout.TAIL, tail + 8);
    }

    @Test
    void rememberedRingIsReleasedByPoll() throws Exception {
        senders(1);
        senders.get(0).close();
        receiver.oneCopy.lookAfter(System.nanoTime());
        assertThat(receiver.oneCopy.readerCount()).isZero();
        assertThat(receiver.oneCopy.isReceiving()).isTrue();
        emptied();
        assertThat(receiver.oneCopy.isReceiving()).isFalse();
    }
}
