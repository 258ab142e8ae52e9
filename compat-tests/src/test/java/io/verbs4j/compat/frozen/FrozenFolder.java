/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.frozen;

import io.verbs4j.testsupport.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder of the frozen levels, which {@code compat-tests/freeze} fills.
 *
 * @param path the folder
 */
public record FrozenFolder(Path path) {
    /** The message if no level is frozen. */
    public static final String NOTHING_FROZEN =
            "no level is frozen yet: commit everything, then run compat-tests/freeze 1 and commit the result";

    private static final Pattern LEVEL = Pattern.compile("level-([1-9][0-9]*)");

    /** {@return the folder of the work tree} */
    public static FrozenFolder ofThisProject() {
        return new FrozenFolder(Checkout.path("compat-tests", "frozen"));
    }

    /** {@return the frozen levels in order; empty if there are none} */
    public List<FrozenLevel> levels() {
        List<FrozenLevel> levels = new ArrayList<>();
        for (Path entry : list(path)) {
            Matcher name = LEVEL.matcher(entry.getFileName().toString());
            if (Files.isDirectory(entry) && name.matches()) {
                levels.add(new FrozenLevel(Integer.parseInt(name.group(1)), entry));
            }
        }
        levels.sort(Comparator.comparingInt(FrozenLevel::level));
        return levels;
    }

    /** Returns the frozen levels, and fails if there are none. */
    public List<FrozenLevel> requireLevels() {
        List<FrozenLevel> levels = levels();
        if (levels.isEmpty()) {
            throw new AssertionError(NOTHING_FROZEN + " (looked in " + path + ")");
        }
        return levels;
    }

    /** {@return the problems of the folder; empty if there are none} */
    public List<String> problems() {
        List<FrozenLevel> levels = levels();
        if (levels.isEmpty()) {
            return List.of(NOTHING_FROZEN);
        }
        List<String> problems = new ArrayList<>();
        for (Path entry : list(path)) {
            String name = entry.getFileName().toString();
            boolean level = Files.isDirectory(entry) && LEVEL.matcher(name).matches();
            if (!level && !name.equals(Released.FILE)) {
                problems.add(name + ": neither a level nor " + Released.FILE + "; it does not belong here");
            }
        }
        for (int i = 0; i < levels.size(); i++) {
            if (levels.get(i).level() != i + 1) {
                problems.add("level " + (i + 1) + " is missing: the existing levels are " + numbers(levels)
                        + ", and each stays forever");
                break;
            }
        }
        for (FrozenLevel level : levels) {
            problems.addAll(new FrozenLevelCheck(level).problems());
        }
        problems.addAll(Released.in(path).problems(levels));
        return problems;
    }

    private static List<Integer> numbers(List<FrozenLevel> levels) {
        return levels.stream().map(FrozenLevel::level).toList();
    }

    static List<Path> list(Path folder) {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + folder, e);
        }
    }
}
