/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.memory.RegisteredMemory;
import io.verbs4j.bulk.memory.RemoteWindow;
import io.verbs4j.bulk.ring.EntryCode;
import io.verbs4j.bulk.strategy.Protocol;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The peer revokes a window while transfers use it, or are about to; the test is the peer. */
class RevokedWindowTest {
    private static final int PIECE = LinkHarness.PIECE;

    /** More than may be in flight. */
    private static final int PIECES = 40;

    private static final long WINDOW = 0x0102_0304_0506_0708L;
    private static final long REMOTE = 1L << 40;

    private LinkHarness harness;
    private Link link;
    private RegisteredMemory memory;
    private long sequence;

    @BeforeEach
    void open() {
        harness = new LinkHarness(new Protocol(false, true, false, true, true));
        link = harness.link;
        ByteBuffer bytes = ByteBuffer.allocateDirect(PIECES * PIECE);
        MemoryRegion region = harness.resources.add(harness.pd.regMr(bytes, AccessFlags.LOCAL_WRITE));
        memory = new RegisteredMemory(0, bytes, new MemoryRegion[] {region});
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private Transfer submit(int opcode) {
        Transfer transfer = harness.transfers.pool.take();
        transfer.opcode = opcode;
        transfer.flags = EntryCode.QUIET;
        transfer.peer = link.id();
        transfer.memory = memory;
        memory.use();
        transfer.length = (long) PIECES * PIECE;
        transfer.windowId = WINDOW;
        link.submit(transfer);
        harness.turn();
        return transfer;
    }

    private void receive(int kind, long a, long b, int rights) {
        ByteBuffer slots = link.slots.bytes();
        ControlLayout.body(slots, 0, kind, WINDOW, a, b, 0, rights);
        ControlLayout.message(slots, 0, 0, 0);
        ControlLayout.header(slots, 0, 1, LinkHarness.SLOTS + (int) sequence, 0, sequence++);
        link.received(0, 0, false, 0, ControlLayout.SIZE);
        harness.turn();
    }

    /** Completes all posted requests. */
    private void complete() {
        link.sent(link.posted.next() - 1 & PostedQueue.NUMBER_MASK, 0);
        harness.turn();
    }

    private List<Integer> kinds() {
        return harness.posts.messages.stream()
                .map(message -> (int) message.get(ControlLayout.KIND))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {EntryCode.PUT, EntryCode.GET})
    void startedEntryCompletesBeforeWindowIsReturned(int opcode) {
        Transfer transfer = submit(opcode);
        receive(ControlKind.WINDOW, (long) PIECES * PIECE, REMOTE, RemoteWindow.WRITE | RemoteWindow.READ);
        assertThat(transfer.posted).isBetween((long) PIECE, transfer.length - PIECE);
        receive(ControlKind.REVOKE, 0, 0, 0);
        while (transfer.posted < transfer.length) {
            int before = harness.posts.requests.size();
            complete();
            assertThat(harness.posts.requests).as("posting continues").hasSizeGreaterThan(before);
            assertThat(kinds()).doesNotContain(ControlKind.REVOKED);
        }
        assertThat(transfer.error).isZero();
        assertThat(harness.posts.requests).hasSize(PIECES);
        complete();
        assertThat(kinds()).contains(ControlKind.REVOKED);
    }

    @Test
    void entryNotStartedIsStale() {
        Transfer begun = submit(EntryCode.PUT);
        Transfer waiting = submit(EntryCode.PUT);
        receive(ControlKind.WINDOW, (long) PIECES * PIECE, REMOTE, RemoteWindow.WRITE | RemoteWindow.READ);
        int generation = waiting.generation;
        assertThat(waiting.posted).isZero();
        receive(ControlKind.REVOKE, 0, 0, 0);
        while (begun.phase == Transfer.Phase.QUEUED) {
            complete();
        }
        complete();
        assertThat(waiting.generation).as("it has ended").isNotEqualTo(generation);
        assertThat(harness.posts.requests).as("of the first one").hasSize(PIECES);
        assertThat(kinds()).contains(ControlKind.REVOKED);
        assertThat(link.state().isUp()).isTrue();
    }
}
