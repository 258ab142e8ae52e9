/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.files;

import io.verbs4j.provider.rxe.base.OwnProcess;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * A file with one line: a word, the process that wrote it, and when that process started. The file is ignored once the
 * process has ended.
 *
 * <p>No method waits for another process that writes to the folder, and anything but a short regular file is ignored.
 * Uses streams, because an interrupt would close a channel.
 *
 * @param word the content, without spaces
 * @param process the owner
 */
public record OwnedFile(String word, OwnProcess process) {
    private static final int MOST_BYTES = 200;
    private static final int WORDS = 3;
    private static final int ATTEMPTS = 16;

    /** Not the generated method: with that, the JDK would keep this class's class loader alive. */
    @Override
    public boolean equals(Object other) {
        return other instanceof OwnedFile file && word.equals(file.word) && process.equals(file.process);
    }

    @Override
    public int hashCode() {
        return Objects.hash(word, process);
    }

    /** {@return the line} */
    public String line() {
        return word + " " + process.pid() + " " + process.began();
    }

    private static OwnedFile parse(String line) {
        String[] words = line.split(" ", -1);
        try {
            return words.length == WORDS
                    ? new OwnedFile(words[0], new OwnProcess(Long.parseLong(words[1]), words[2]))
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Reads a file; returns null if it does not exist, has another format, or its process has ended. */
    public static OwnedFile read(Path file) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!attributes.isRegularFile()) {
                return null;
            }
            try (InputStream in = new FileInputStream(file.toFile())) {
                OwnedFile found = parse(new String(in.readNBytes(MOST_BYTES), StandardCharsets.US_ASCII));
                return found != null && found.process.isAlive() ? found : null;
            }
        } catch (NoSuchFileException | FileNotFoundException e) {
            return null;
        }
    }

    /**
     * Creates the file unless a living process owns it. Returns the owner's entry: this one on success, otherwise that
     * of the other process.
     */
    public OwnedFile publish(Path file) throws IOException {
        Path written = Files.createTempFile(file.getParent(), "new", "");
        try {
            try (OutputStream out = new FileOutputStream(written.toFile())) {
                out.write(line().getBytes(StandardCharsets.US_ASCII));
            }
            for (int i = 0; i < ATTEMPTS; i++) {
                try {
                    Files.createLink(file, written); // either the whole file or none
                    return this;
                } catch (FileAlreadyExistsException e) {
                    OwnedFile there = read(file);
                    if (there != null) {
                        return there;
                    }
                    removeDead(file);
                }
            }
            throw new IOException(file + " keeps changing");
        } finally {
            Files.deleteIfExists(written);
        }
    }

    /**
     * Removes a file whose process has ended. Another process may do the same, or publish the file, at the same time.
     */
    public static void removeDead(Path file) throws IOException {
        Path aside = file.resolveSibling("old" + OwnProcess.find().pid() + "-" + file.getFileName());
        try {
            Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return;
        }
        try {
            if (read(aside) != null) {
                Files.createLink(file, aside); // published since it was read
            }
        } catch (FileAlreadyExistsException e) {
            // and published again since: the earlier owner notices at its next refresh
        } finally {
            delete(aside);
        }
    }

    private static void delete(Path file) throws IOException {
        try {
            Files.deleteIfExists(file);
        } catch (DirectoryNotEmptyException e) {
            // another process's folder, now out of the way
        }
    }
}
