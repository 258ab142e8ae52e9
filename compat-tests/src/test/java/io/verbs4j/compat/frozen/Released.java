/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.frozen;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The list of released levels, with the checksum of each at its release. */
public final class Released {
    static final String FILE = "RELEASED";

    private static final Pattern LINE = Pattern.compile("([1-9][0-9]*) (\\S+) ([0-9a-f]{64})");

    private final Map<Integer, String> sums = new TreeMap<>();
    private final List<String> malformed = new ArrayList<>();

    private Released() {}

    /** Reads the list in a folder of frozen levels. Without a list, no level is released. */
    public static Released in(Path folder) {
        Released released = new Released();
        Path file = folder.resolve(FILE);
        if (Files.exists(file)) {
            try {
                Files.readAllLines(file).stream()
                        .filter(line -> !line.startsWith("#"))
                        .forEach(released::add);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + file, e);
            }
        }
        return released;
    }

    private void add(String line) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches() || sums.put(Integer.parseInt(parts.group(1)), parts.group(3)) != null) {
            malformed.add(line);
        }
    }

    /** Whether the level is released and so must never change. */
    public boolean contains(int level) {
        return sums.containsKey(level);
    }

    List<String> problems(List<FrozenLevel> levels) {
        List<String> problems = new ArrayList<>();
        malformed.forEach(line -> problems.add(FILE + ": the line '" + line
                + "' is not a level, its release and a SHA-256, each level once; compat-tests/freeze"
                + " --release writes it"));
        sums.forEach((level, sum) -> {
            Path file = levels.stream()
                    .filter(frozen -> frozen.level() == level)
                    .map(frozen -> frozen.folder().resolve(FrozenLevelCheck.SUMS))
                    .findFirst()
                    .orElse(null);
            if (file == null || !Files.exists(file)) {
                problems.add(FILE + ": level " + level + " is released, but not frozen");
            } else if (!Sha256.of(file).equals(sum)) {
                problems.add(FILE + ": level " + level + " is not what was released: its " + FrozenLevelCheck.SUMS
                        + " has changed since. Restore it from the history");
            }
        });
        return problems;
    }
}
