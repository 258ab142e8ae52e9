/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelRandomTest {
    private static final int BYTES = 512;

    @TempDir
    private Path folder;

    @Test
    void numbersComeFromFile() throws IOException {
        byte[] bytes = new byte[2 * BYTES];
        new Random(7).nextBytes(bytes);
        Random random = new KernelRandom(file(bytes));
        for (int fills = 0; fills < 2; fills++) { // each reads the file from its beginning
            ByteBuffer expected = ByteBuffer.wrap(bytes, 0, BYTES);
            while (expected.hasRemaining()) {
                assertThat(random.nextInt()).isEqualTo(expected.getInt());
            }
        }
    }

    /** Unreadable or too short files are not used as a source. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 8, BYTES - 1})
    void numbersAreRandomWithoutFile(int length) throws IOException {
        String source = length < 0 ? folder.resolve("none").toString() : file(new byte[length]);
        assertDiffer(new KernelRandom(source));
    }

    @Test
    void numbersDiffer() {
        assertDiffer(new KernelRandom());
    }

    @Test
    void boundIsRespected() {
        Random random = new KernelRandom();
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            seen.add(random.nextInt(7));
        }
        assertThat(seen).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6);
    }

    private String file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("random"), bytes).toString();
    }

    /** Asserts that among 1,000 numbers of 63 bits no two are equal. */
    private static void assertDiffer(Random random) {
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            seen.add(random.nextLong());
        }
        assertThat(seen).hasSize(1000);
    }
}
