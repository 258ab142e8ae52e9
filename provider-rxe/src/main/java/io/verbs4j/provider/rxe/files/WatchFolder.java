/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.files;

import io.verbs4j.provider.rxe.base.OwnProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The folder in which a user's processes record their counters while a program watches them.
 *
 * <pre>
 *   verbs4j-{user}/watch/
 *     wanted                                     its modification time is that of the last request
 *     4026531840-4026531836-{process}-{device}   when the process started, then a counter and its value in each line
 * </pre>
 */
public final class WatchFolder {
    private static final String SUBFOLDER = "watch";
    private static final String WANTED = "wanted";
    private static final String PREFIX = OwnNamespaces.names() + "-";

    /** How long a request stays valid. */
    private static final long WANTED_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final Path folder;

    /** The counters that a process has recorded. */
    public record Entry(long pid, String device, Map<String, Long> counters) {
        public Entry {
            counters = Collections.unmodifiableMap(counters);
        }
    }

    private WatchFolder(Path folder) {
        this.folder = folder;
    }

    /** Returns the folder, which exists only after the first call of {@link #want}. */
    public static WatchFolder find() throws IOException {
        return new WatchFolder(UserFolder.find().path().resolve(SUBFOLDER));
    }

    // ---- watchers

    /** Asks all processes to record their counters. */
    public void want() throws IOException {
        Path wanted = folder.resolve(WANTED);
        UserFolder.make(folder);
        if (!Files.exists(wanted)) {
            Files.createFile(wanted);
        }
        Files.setLastModifiedTime(wanted, FileTime.fromMillis(System.currentTimeMillis()));
    }

    /** Returns what running processes have recorded last. Deletes the files of ended processes. */
    public List<Entry> read() throws IOException {
        List<Entry> all = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return all; // nothing was requested yet
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "*")) {
            for (Path file : files) {
                Entry entry = read(file);
                if (entry != null) {
                    all.add(entry);
                }
            }
        }
        return all;
    }

    private static Entry read(Path file) throws IOException {
        String[] name = file.getFileName().toString().substring(PREFIX.length()).split("-", 2);
        try {
            long pid = Long.parseLong(name[0]);
            List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            if (lines.isEmpty() || !new OwnProcess(pid, lines.get(0)).isAlive()) {
                Files.deleteIfExists(file);
                return null;
            }
            Map<String, Long> counters = new LinkedHashMap<>();
            for (String line : lines.subList(1, lines.size())) {
                int space = line.indexOf(' ');
                counters.put(line.substring(0, space), Long.parseLong(line.substring(space + 1)));
            }
            return new Entry(pid, name[1], counters);
        } catch (NoSuchFileException | IllegalArgumentException | IndexOutOfBoundsException e) {
            return null; // deleted meanwhile, or in another format
        }
    }

    // ---- watched processes

    /** Returns whether counters were requested in the last ten seconds. */
    public boolean isWanted() throws IOException {
        try {
            long asked = Files.getLastModifiedTime(folder.resolve(WANTED)).toMillis();
            return Math.abs(System.currentTimeMillis() - asked) < WANTED_MILLIS;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private Path file(String device) {
        return folder.resolve(PREFIX + OwnProcess.find().pid() + "-" + device);
    }

    /** Records this process's counters. */
    public void write(String device, Map<String, Long> counters) throws IOException {
        StringBuilder text = new StringBuilder(OwnProcess.find().began()).append('\n');
        counters.forEach((counter, value) ->
                text.append(counter).append(' ').append(value).append('\n'));
        Path written = Files.createTempFile(folder, "new", "");
        try {
            Files.writeString(written, text);
            Files.move(written, file(device), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(written);
        }
    }

    /** Deletes this process's counters. */
    public void remove(String device) throws IOException {
        Files.deleteIfExists(file(device));
    }
}
