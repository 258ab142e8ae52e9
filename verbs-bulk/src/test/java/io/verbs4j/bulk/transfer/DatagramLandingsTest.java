/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.MemoryRegion;
import io.verbs4j.bulk.memory.RegisteredMemory;
import io.verbs4j.bulk.memory.WindowWriter;
import io.verbs4j.bulk.ring.EngineSide;
import io.verbs4j.bulk.ring.RingMemory;
import io.verbs4j.bulk.strategy.Protocol;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A peer may write only the bytes that it was asked for. */
class DatagramLandingsTest {
    private static final int OFFSET = 32;
    private static final int LENGTH = 100;
    private static final ByteBuffer SENT = ByteBuffer.allocate(2 * LENGTH);

    static {
        for (int i = 0; i < SENT.capacity(); i++) {
            SENT.put(i, (byte) (i + 1));
        }
    }

    private LinkHarness harness;
    private TransferPool pool;
    private DatagramLandings landings;
    private ByteBuffer memory;
    private Transfer transfer;

    @BeforeEach
    void open() {
        harness = new LinkHarness(new Protocol(false, true, false, true, true));
        pool = harness.transfers.pool;
        landings = new DatagramLandings(pool);
        memory = ByteBuffer.allocate(LENGTH + 2 * OFFSET);
        pool.give(pool.take()); // so that there is a generation
        transfer = pool.take();
        transfer.ring = harness.transfers.addRing(new EngineSide(new RingMemory(16, 32)));
        transfer.memory = new RegisteredMemory(0, memory, new MemoryRegion[0]);
        transfer.localOffset = OFFSET;
        transfer.length = LENGTH;
        assertThat(landings.open(transfer)).isZero();
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private boolean write(long offset, int length) {
        return landings.write(landings.key(transfer), landings.address(transfer) + offset, SENT, 3, length);
    }

    private void assertUntouched() {
        assertThat(memory).isEqualTo(ByteBuffer.allocate(memory.capacity()));
        assertThat(transfer.copied).isFalse();
    }

    @Test
    void bytesArriveAtRequestedPlace() {
        assertThat(DatagramLandings.isMeant(landings.address(transfer))).isTrue();
        assertThat(write(10, LENGTH - 10)).isTrue();
        ByteBuffer expected = ByteBuffer.allocate(memory.capacity()).put(OFFSET + 10, SENT, 3, LENGTH - 10);
        assertThat(memory).isEqualTo(expected);
        assertThat(transfer.copied).isTrue();
    }

    @Test
    void bytesOutsideAreRefused() {
        assertThat(write(0, LENGTH + 1)).isFalse();
        assertThat(write(LENGTH, 1)).isFalse();
        assertThat(write(LENGTH - 8, 9)).isFalse();
        assertThat(write(Integer.MAX_VALUE, 1)).isFalse();
        assertThat(write(-1, 1)).as("an address before it").isFalse();
        assertUntouched();
    }

    @Test
    void otherTransfersAreRefused() {
        int key = landings.key(transfer);
        long address = landings.address(transfer);
        assertThat(landings.write(key + 1, address, SENT, 0, 1))
                .as("no transfer")
                .isFalse();
        assertThat(landings.write(-1, address, SENT, 0, 1)).isFalse();
        assertThat(landings.write(key, address + (1L << 32), SENT, 0, 1))
                .as("a later one in its place")
                .isFalse();
        assertThat(new DatagramLandings(pool).write(key, address, SENT, 0, 1))
                .as("one of another connection")
                .isFalse();
        landings.close(transfer);
        assertThat(landings.write(key, address, SENT, 0, 1))
                .as("one that is over")
                .isFalse();
        assertUntouched();
    }

    /** No window address is taken for a landing, whatever its identifier and offset. */
    @Test
    void windowAddressIsNotLanding() {
        for (long id : new long[] {0, -1, 1L << 31, 1L << 63, transfer.id()}) {
            assertThat(DatagramLandings.isMeant(WindowWriter.address(id) + Integer.MAX_VALUE))
                    .isFalse();
        }
    }
}
