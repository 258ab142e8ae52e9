/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;

/** Memory for a message of some size. */
final class Message implements AutoCloseable {
    /** Id of the request that receives it. */
    static final int RECEIVED = 2;

    private final ByteBuffer memory;
    private final MemoryRegion mr;

    Message(ProtectionDomain pd, int size) {
        memory = ByteBuffer.allocateDirect(size);
        mr = pd.regMr(memory, AccessFlags.LOCAL_WRITE);
    }

    private ScatterGatherElement all() {
        return ScatterGatherElement.of(mr, 0, memory.capacity());
    }

    void receive(QueuePair qp) {
        assertThat(qp.postRecv(new RecvWorkRequest().wrId(RECEIVED).sgList(all())))
                .isZero();
    }

    /** Sends it without a completion. */
    void send(QueuePair qp) {
        assertThat(qp.postSend(new SendWorkRequest().opcode(WrOpcode.SEND).sgList(all())))
                .isZero();
    }

    void fill(long seed) {
        fill(memory, seed);
    }

    private static void fill(ByteBuffer to, long seed) {
        int words = to.capacity() / Long.BYTES;
        for (int i = 0; i < words; i++) {
            to.putLong(i * Long.BYTES, (i + seed) * 0x9e37_79b9_7f4a_7c15L);
        }
        for (int i = words * Long.BYTES; i < to.capacity(); i++) {
            to.put(i, (byte) (i + seed));
        }
    }

    boolean isFilled(long seed) {
        ByteBuffer expected = ByteBuffer.allocateDirect(memory.capacity());
        fill(expected, seed);
        return memory.equals(expected);
    }

    @Override
    public void close() {
        mr.close();
    }
}
