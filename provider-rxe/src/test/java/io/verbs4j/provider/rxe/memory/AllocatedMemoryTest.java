/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.verbs4j.natives.memory.MemoryAccess;
import io.verbs4j.natives.memory.NativeMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which direct buffers are known to be allocated memory, which does not go away, without reading the list of mappings.
 */
class AllocatedMemoryTest {
    private static final int BYTES = 4096;

    @TempDir
    Path scratch;

    @Test
    void allocatedBuffersAndTheirPartsAreKnown() {
        boolean known = !MemoryAccess.isForeign(); // the foreign memory API does not tell
        ByteBuffer all = ByteBuffer.allocateDirect(BYTES);
        ByteBuffer part = all.slice(8, 64).order(ByteOrder.nativeOrder());

        assertThat(NativeMemory.isAllocated(all)).isEqualTo(known);
        assertThat(NativeMemory.isAllocated(part)).isEqualTo(known);
        assertThat(NativeMemory.isAllocated(part.duplicate().slice())).isEqualTo(known);
        assertThat(NativeMemory.isAllocated(all.asReadOnlyBuffer())).isEqualTo(known);
        assertThat(NativeMemory.isAllocated(all.asReadOnlyBuffer().slice(8, 8))).isEqualTo(known);
    }

    @Test
    void mappedFileIsNotAllocated() throws IOException {
        try (FileChannel file = FileChannel.open(
                scratch.resolve("mapped"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            ByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);

            assertThat(NativeMemory.isAllocated(mapped)).isFalse();
            assertThat(NativeMemory.isAllocated(mapped.slice(8, 8))).isFalse();
            assertThat(NativeMemory.isAllocated(mapped.asReadOnlyBuffer())).isFalse();
        }
    }

    /** The JVM does not know what a native pointer refers to. */
    @Test
    void nativePointerIsNotAllocated() {
        assumeTrue(hasJna(), "JNA can't be used here");
        long memory = Native.malloc(BYTES);
        try {
            ByteBuffer buffer = new Pointer(memory).getByteBuffer(0, BYTES);
            assertThat(NativeMemory.isAllocated(buffer)).isFalse();
            assertThat(NativeMemory.isAllocated(buffer.slice(8, 8))).isFalse();
        } finally {
            Native.free(memory);
        }
    }

    private static boolean hasJna() {
        try {
            return Native.POINTER_SIZE > 0;
        } catch (LinkageError e) {
            return false;
        }
    }
}
