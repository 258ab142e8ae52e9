/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.faults;

import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/** What one side sends, message by message: both sides derive it from a seed. */
final class Schedule {
    static final int MAX_MESSAGE = 1 << 20;

    /** Random bytes, twice as many as in the largest message: a message is a part of them. */
    static final int PATTERN_BYTES = 2 * MAX_MESSAGE;

    private static final int[] OPCODES = {
        WrOpcode.SEND, WrOpcode.SEND_WITH_IMM, WrOpcode.RDMA_WRITE_WITH_IMM, WrOpcode.RDMA_READ
    };
    private static final int LOG_SIZES = 20; // 1 B to 1 MiB

    final int[] opcode;
    final int[] size;

    /** Where the message's bytes are in the pattern. */
    final int[] offset;

    final long bytes;

    Schedule(long seed, long leastBytes) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] opcodes = new int[1 << 20];
        int[] sizes = new int[opcodes.length];
        int[] offsets = new int[opcodes.length];
        int n = 0;
        long sum = 0;
        while (sum < leastBytes) {
            opcodes[n] = OPCODES[random.nextInt(OPCODES.length)];
            // By powers of two, so that there are as many small messages as large ones, with 1 MiB itself now and then.
            int limit = 1 << random.nextInt(LOG_SIZES + 1);
            sizes[n] = random.nextInt(50) == 0 ? MAX_MESSAGE : 1 + random.nextInt(limit);
            offsets[n] = random.nextInt(PATTERN_BYTES - sizes[n]);
            sum += sizes[n++];
        }
        opcode = Arrays.copyOf(opcodes, n);
        size = Arrays.copyOf(sizes, n);
        offset = Arrays.copyOf(offsets, n);
        bytes = sum;
    }

    int length() {
        return size.length;
    }

    /** Whether a message causes a completion at the other side. */
    boolean isReceived(int message) {
        return opcode[message] != WrOpcode.RDMA_READ;
    }

    static ByteBuffer pattern(long seed) {
        ByteBuffer pattern = ByteBuffer.allocateDirect(PATTERN_BYTES);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < PATTERN_BYTES; i += Long.BYTES) {
            pattern.putLong(i, random.nextLong());
        }
        return pattern;
    }
}
