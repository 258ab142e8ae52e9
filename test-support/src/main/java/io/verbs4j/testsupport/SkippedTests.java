/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The list of the tests that one build skipped: a text file to which all modules of the build add. Its first line names
 * the build; entries of another build are ignored, and removed when this build adds its first.
 */
final class SkippedTests {
    private final Path file;
    private final String heading;

    SkippedTests(Path file, String build) {
        this.file = file;
        this.heading = "# tests skipped in build " + build;
    }

    /** Adds lines. Safe with other test JVMs that add lines at the same time. */
    void append(List<String> lines) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            try (FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE);
                    FileLock lock = channel.lock()) {
                if (!heading.equals(firstLine(channel))) {
                    channel.truncate(0);
                    write(channel, heading);
                }
                channel.position(channel.size());
                for (String line : lines) {
                    write(channel, line);
                }
                channel.force(lock.isShared());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot add to " + file, e);
        }
    }

    /** Returns the lines that this build added, in their order. */
    List<String> read() {
        try {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            return lines.isEmpty() || !lines.get(0).equals(heading) ? List.of() : lines.subList(1, lines.size());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static String firstLine(FileChannel channel) throws IOException {
        ByteBuffer start = ByteBuffer.allocate((int) Math.min(channel.size(), 1024));
        channel.read(start, 0);
        String text = new String(start.array(), 0, start.position(), StandardCharsets.UTF_8);
        return text.lines().findFirst().orElse("");
    }

    private static void write(FileChannel channel, String line) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(line + "\n");
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
