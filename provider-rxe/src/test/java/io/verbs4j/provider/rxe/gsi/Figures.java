/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.testsupport.LiveHeap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What a process holds: bytes of reachable heap, descriptors, mappings, and rings among these. */
record Figures(long heap, long descriptors, long mappings, long rings) {
    private static final String RING = "memfd:verbs4j";
    private static final int COLLECTIONS = 3;

    /** Returns those of this process, after garbage collection. */
    static Figures now() throws IOException, InterruptedException {
        for (int i = 0; i < COLLECTIONS; i++) { // memory freed by a cleaner goes with the next one
            System.gc();
            Thread.sleep(50);
        }
        List<String> maps = Files.readAllLines(Path.of("/proc/self/maps"));
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return new Figures(
                    LiveHeap.bytes(),
                    open.count(),
                    maps.size(),
                    maps.stream().filter(line -> line.contains(RING)).count());
        }
    }

    /** Parses the output of {@link #toString}. */
    static Figures parse(String line) {
        String[] words = line.split(" ", -1);
        return new Figures(
                Long.parseLong(words[1]), Long.parseLong(words[3]), Long.parseLong(words[5]), Long.parseLong(words[7]));
    }

    @Override
    public String toString() {
        return "heap " + heap + " descriptors " + descriptors + " mappings " + mappings + " rings " + rings;
    }
}
