/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.sim.programs;

import io.verbs4j.rdmacore.sim.Check;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** The bytes that have reached the library that stands in for libhbl. */
final class LibraryLog {
    private final Path file;

    LibraryLog(String file) {
        this.file = Path.of(file);
    }

    /** Returns the structure in the last line about a function. */
    ByteBuffer last(String function, String direction) {
        String begin = function + " " + direction + " ";
        String[] words = line(begin).split(" ", -1);
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(words[3])).order(ByteOrder.LITTLE_ENDIAN);
        Check.equal(Integer.parseInt(words[2]), bytes.capacity(), "length of " + begin);
        return bytes;
    }

    /** Returns the mask of the last change of a queue pair. */
    int modifiedMask() {
        return Integer.decode(line("hbldv_modify_qp state ").replaceFirst(".* mask ", ""));
    }

    private String line(String begin) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(l -> l.startsWith(begin))
                    .reduce((first, second) -> second)
                    .orElseThrow(() -> new IllegalStateException("no " + begin + "in the log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
