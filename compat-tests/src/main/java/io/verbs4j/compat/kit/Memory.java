/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Memory with a pattern that is different for each seed. */
final class Memory {
    static final int PAGE = 4096;

    /** Computed once for each seed, because every rule has its own memory. */
    private static final Map<Integer, byte[]> PATTERNS = new ConcurrentHashMap<>();

    final ByteBuffer buffer;
    private final byte[] pattern;

    Memory(int bytes, int seed) {
        pattern = PATTERNS.computeIfAbsent(seed, Memory::pattern);
        buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        buffer.put(0, pattern, 0, bytes);
    }

    private static byte[] pattern(int seed) {
        byte[] pattern = new byte[Side.BYTES];
        for (int i = 0; i < pattern.length; i++) {
            pattern[i] = (byte) (seed * 31 + i * 7 + (i >>> 8) * 13);
        }
        return pattern;
    }

    byte at(int i) {
        return pattern[i];
    }

    /** {@return the index of the first byte that differs from the pattern of another memory, or -1} */
    private int mismatch(int offset, Memory of, int from, int length) {
        return buffer.slice(offset, length).mismatch(ByteBuffer.wrap(of.pattern, from, length));
    }

    /** Checks that bytes are those of another memory. */
    void holds(int offset, Memory of, int from, int length) {
        int i = mismatch(offset, of, from, length);
        if (i >= 0) {
            Seen.check(
                    false,
                    "byte " + i + " of " + length + " at offset " + offset + " is " + buffer.get(offset + i) + ", not "
                            + of.at(from + i) + " as sent");
        }
    }

    /** Checks that bytes are unchanged. */
    void untouched(int offset, int length) {
        int i = mismatch(offset, this, offset, length);
        Seen.check(i < 0, "the byte at offset " + (offset + i) + " was changed; nothing may write there");
    }

    /** {@return memory that begins at a page} */
    static ByteBuffer pages(int bytes) {
        return ByteBuffer.allocateDirect(bytes + PAGE)
                .alignedSlice(PAGE)
                .slice(0, bytes)
                .order(ByteOrder.nativeOrder());
    }

    static MappedByteBuffer map(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
        }
    }
}
