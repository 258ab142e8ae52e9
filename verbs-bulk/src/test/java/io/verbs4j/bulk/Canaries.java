/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** A buffer with a part in its middle, surrounded by bytes that must not change. */
final class Canaries {
    static final int MARGIN = 64;
    private static final byte CANARY = (byte) 0xa5;

    final BulkBuffer buffer;
    final int length;

    Canaries(BulkEndpoint endpoint, int length) {
        this.length = length;
        buffer = endpoint.allocate(MARGIN + length + MARGIN);
        byte[] all = new byte[MARGIN + length + MARGIN];
        Arrays.fill(all, CANARY);
        buffer.bytes().put(0, all);
    }

    /** Fills the part with random bytes. */
    Canaries fill(long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        buffer.bytes().put(MARGIN, bytes);
        return this;
    }

    byte[] part() {
        byte[] bytes = new byte[length];
        buffer.bytes().get(MARGIN, bytes);
        return bytes;
    }

    /** Asserts that the bytes around the part have not changed. */
    void assertMargins() {
        ByteBuffer bytes = buffer.bytes();
        for (int i = 0; i < MARGIN; i++) {
            assertThat(bytes.get(i)).as("byte %d before the range", i).isEqualTo(CANARY);
            assertThat(bytes.get(MARGIN + length + i))
                    .as("byte %d after the range", i)
                    .isEqualTo(CANARY);
        }
    }
}
