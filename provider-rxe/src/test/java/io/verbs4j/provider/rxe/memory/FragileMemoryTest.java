/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.PageSize;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Memory that has gone away is detected, also by compiled code, and nothing is thrown. */
@Timeout(Patience.TEST_SECONDS)
class FragileMemoryTest {
    private static final int PAGES = 16;
    private static final int BYTES = PAGES * PageSize.BYTES;

    /** Enough for the loop over pages to be compiled. */
    private static final int COMPILED = 50_000;

    private static final int FILES = 300;

    @TempDir
    Path folder;

    @Test
    void truncatedFilesAreUnreadable() throws IOException {
        ByteBuffer whole = ByteBuffer.allocateDirect(BYTES);
        for (int i = 0; i < COMPILED; i++) {
            assertThat(FragileMemory.isReadable(NativeMemory.address(whole), BYTES))
                    .isTrue();
        }
        for (int i = 0; i < FILES; i++) {
            int left = i % PAGES * PageSize.BYTES;
            boolean writing = i % 3 == 0;
            try (FileChannel file = FileChannel.open(
                    folder.resolve("memory" + i),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE)) {
                ByteBuffer memory = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
                assertThat(FragileMemory.touch(NativeMemory.address(memory), BYTES, writing))
                        .as("file %d", i)
                        .isTrue();
                file.truncate(left);
                assertThat(FragileMemory.touch(NativeMemory.address(memory), BYTES, writing))
                        .as("file %d with %d bytes left", i, left)
                        .isFalse();
                assertThat(FragileMemory.touch(NativeMemory.address(memory), left, writing))
                        .as("%d bytes of file %d", left, i)
                        .isTrue();
            }
        }
    }
}
