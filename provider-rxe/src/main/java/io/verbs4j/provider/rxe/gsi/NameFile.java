/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.port.OwnProcess;
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
 * A file with one line: the address of a listener, its process, and when that began. Nothing here waits for whoever
 * else writes to the folder: what is not a short regular file is no name. Streams and not channels, which an
 * interrupted thread would close.
 *
 * @param address where the listener is reached
 * @param process its process
 */
record NameFile(Gid address, OwnProcess process) {
    private static final int MOST_BYTES = 200;
    private static final int WORDS = 3;
    private static final int ATTEMPTS = 16;

    /** Not the generated one: by it the JDK would keep the class loader of this class. */
    @Override
    public boolean equals(Object other) {
        return other instanceof NameFile file && address.equals(file.address) && process.equals(file.process);
    }

    @Override
    public int hashCode() {
        return Objects.hash(address, process);
    }

    String line() {
        return address.toHex() + " " + process.pid() + " " + process.began();
    }

    private static NameFile parse(String line) {
        String[] words = line.split(" ", -1);
        try {
            return words.length == WORDS
                    ? new NameFile(Gid.parseHex(words[0]), new OwnProcess(Long.parseLong(words[1]), words[2]))
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * What a file says; null where there is no such file, where it says something else, and where its process is gone.
     */
    static NameFile read(Path file) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!attributes.isRegularFile()) {
                return null;
            }
            try (InputStream in = new FileInputStream(file.toFile())) {
                NameFile found = parse(new String(in.readNBytes(MOST_BYTES), StandardCharsets.US_ASCII));
                return found != null && found.process.isAlive() ? found : null;
            }
        } catch (NoSuchFileException | FileNotFoundException e) {
            return null;
        }
    }

    /** Gives this a name in a folder, where no living process has that; answers who has it then. */
    NameFile publish(Path file) throws IOException {
        Path written = Files.createTempFile(file.getParent(), "new", "");
        try {
            try (OutputStream out = new FileOutputStream(written.toFile())) {
                out.write(line().getBytes(StandardCharsets.US_ASCII));
            }
            for (int i = 0; i < ATTEMPTS; i++) {
                try {
                    Files.createLink(file, written); // a whole file, or none
                    return this;
                } catch (FileAlreadyExistsException e) {
                    NameFile there = read(file);
                    if (there != null) {
                        return there;
                    }
                    removeDead(file);
                }
            }
            throw new IOException(file + " changes all the time");
        } finally {
            Files.deleteIfExists(written);
        }
    }

    /** Removes what nobody living has published; another process may do the same, and publish meanwhile. */
    static void removeDead(Path file) throws IOException {
        Path aside = file.resolveSibling("old" + OwnProcess.find().pid() + "-" + file.getFileName());
        try {
            Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return;
        }
        try {
            if (read(aside) != null) {
                Files.createLink(file, aside); // has been published since it was looked at
            }
        } catch (FileAlreadyExistsException e) {
            // and once more since: the earlier one finds out when it is looked after
        } finally {
            delete(aside);
        }
    }

    private static void delete(Path file) throws IOException {
        try {
            Files.deleteIfExists(file);
        } catch (DirectoryNotEmptyException e) {
            // somebody's folder, which has made room
        }
    }
}
