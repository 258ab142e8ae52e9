/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.frozen;

import io.verbs4j.compat.built.JarContent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.FindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.objectweb.asm.tree.ClassNode;

/** Checks that a frozen level is complete and unchanged. */
final class FrozenLevelCheck {
    static final String SUMS = "SHA256SUMS";
    static final String PROVENANCE = "PROVENANCE";
    static final String REFREEZES = "REFREEZES";
    static final String REQUIRED = "required";
    static final String PROMISED = "promised";

    private static final Pattern SUM_LINE = Pattern.compile("([0-9a-f]{64})  (\\S+)");
    private static final List<String> KEYS = List.of("level", "release", "commit", "date", "jdk");
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");
    private static final Pattern REFREEZE = Pattern.compile("\\S+ ([0-9a-f]{40}) in place of [0-9a-f]{40}: .*\\S.*");

    private final FrozenLevel level;
    private final List<String> problems = new ArrayList<>();

    FrozenLevelCheck(FrozenLevel level) {
        this.level = level;
    }

    List<String> problems() {
        Map<String, String> provenance = provenance();
        Set<String> expected = new TreeSet<>();
        for (String artifact : FrozenLevel.ARTIFACTS) {
            expected.add(artifact + "-" + provenance.getOrDefault("release", "?") + ".jar");
        }
        Set<String> present = new TreeSet<>();
        for (Path entry : FrozenFolder.list(level.folder())) {
            present.add(entry.getFileName().toString());
        }
        for (String jar : expected) {
            if (!present.contains(jar)) {
                problem(jar + " is missing");
            }
        }
        for (String name : present) {
            if (!expected.contains(name)
                    && !Set.of(SUMS, PROVENANCE, REFREEZES, REQUIRED, PROMISED).contains(name)) {
                problem(name + " does not belong here: a level has " + expected);
            }
        }
        checkSums(level.folder(), SUMS, expected);
        checkRequired();
        checkPromised(provenance.getOrDefault("release", "?"));
        checkRefreezes(provenance.get("commit"));
        if (problems.isEmpty()) {
            checkHeader();
            checkModules();
        }
        return problems;
    }

    private Map<String, String> provenance() {
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : lines(PROVENANCE, true)) {
            int equals = line.indexOf('=');
            if (equals < 0 || values.put(line.substring(0, equals), line.substring(equals + 1)) != null) {
                problem(PROVENANCE + " has the line '" + line + "': expected key=value, each key once");
            }
        }
        if (!List.copyOf(values.keySet()).equals(KEYS)) {
            problem(PROVENANCE + " has the keys " + values.keySet() + ", expected " + KEYS);
            return values;
        }
        if (!values.get("level").equals(Integer.toString(level.level()))) {
            problem(PROVENANCE + " names level " + values.get("level"));
        }
        if (!COMMIT.matcher(values.get("commit")).matches()) {
            problem(PROVENANCE + " names the commit '" + values.get("commit") + "': expected 40 hexadecimal digits");
        }
        try {
            OffsetDateTime.parse(values.get("date"));
        } catch (DateTimeParseException e) {
            problem(PROVENANCE + " has the date '" + values.get("date") + "': expected one like 2026-01-31T12:00:00Z");
        }
        if (values.get("jdk").isBlank()) {
            problem(PROVENANCE + " does not name the JDK");
        }
        return values;
    }

    private void checkSums(Path folder, String name, Set<String> expected) {
        Map<String, String> sums = new HashMap<>();
        for (String line : lines(name, true)) {
            Matcher parts = SUM_LINE.matcher(line);
            if (!parts.matches()) {
                problem(name + " has the line '" + line + "', which sha256sum did not write");
            } else {
                sums.put(parts.group(2), parts.group(1));
            }
        }
        if (!sums.keySet().equals(expected)) {
            problem(name + " lists " + new TreeSet<>(sums.keySet()) + ", expected " + expected);
        }
        sums.forEach((jar, sum) -> {
            Path file = folder.resolve(jar);
            if (Files.exists(file) && !Sha256.of(file).equals(sum)) {
                problem(jar + " is not the frozen jar: its SHA-256 differs from the one in " + name
                        + ". Restore it: git checkout -- compat-tests/frozen");
            }
        });
    }

    private void checkRequired() {
        Path folder = level.folder().resolve(REQUIRED);
        if (!Files.exists(folder)) {
            return;
        }
        Set<String> jars = new TreeSet<>();
        for (Path entry : FrozenFolder.list(folder)) {
            jars.add(entry.getFileName().toString());
        }
        jars.remove(SUMS);
        checkSums(folder, REQUIRED + "/" + SUMS, jars);
    }

    /** The gate cannot compare later builds without these jars. */
    private void checkPromised(String release) {
        Path folder = level.folder().resolve(PROMISED);
        if (!level.hasPromised()) {
            if (Files.exists(folder)) {
                problem(PROMISED + " does not belong here: this level is older than its content");
            }
            return;
        }
        Set<String> expected = new TreeSet<>();
        FrozenLevel.PROMISED.forEach(artifact -> expected.add(artifact + "-" + release + ".jar"));
        Set<String> present = new TreeSet<>();
        if (Files.exists(folder)) {
            for (Path entry : FrozenFolder.list(folder)) {
                present.add(entry.getFileName().toString());
            }
        }
        present.remove(SUMS);
        if (!present.equals(expected)) {
            problem(PROMISED + " has " + present + ", expected " + expected);
        }
        checkSums(folder, PROMISED + "/" + SUMS, expected);
    }

    /** Nothing starts on the module path if a required module is missing. */
    private void checkModules() {
        try {
            for (String missing : level.missingModules()) {
                problem(missing + ", which is not frozen with it: compat-tests/freeze --required " + level.level());
            }
        } catch (FindException e) {
            problem("the jars do not form a consistent set of modules: " + e.getMessage());
        }
    }

    private void checkRefreezes(String commit) {
        List<String> lines = lines(REFREEZES, false);
        for (int i = 0; i < lines.size(); i++) {
            Matcher parts = REFREEZE.matcher(lines.get(i));
            if (!parts.matches()) {
                problem(REFREEZES + " has the line '" + lines.get(i) + "': expected date, commit, commit and why");
            } else if (i == lines.size() - 1 && !parts.group(1).equals(commit)) {
                problem(REFREEZES + " ends with commit " + parts.group(1) + ", but " + PROVENANCE + " names " + commit);
            }
        }
    }

    /**
     * Checks only jars that are unchanged since the freeze: otherwise the header of another level would be read as this
     * one's.
     */
    private void checkHeader() {
        ClassNode header = JarContent.of(level.jar("verbs-spi")).classes().get("io/verbs4j/VerbsLevel");
        Object current = header == null
                ? null
                : header.fields.stream()
                        .filter(field -> field.name.equals("CURRENT"))
                        .map(field -> field.value)
                        .findFirst()
                        .orElse(null);
        if (!Integer.valueOf(level.level()).equals(current)) {
            problem("the header in it has VerbsLevel.CURRENT = " + current);
        }
    }

    private List<String> lines(String name, boolean needed) {
        Path file = level.folder().resolve(name);
        if (!Files.exists(file)) {
            if (needed) {
                problem(name + " is missing");
            }
            return List.of();
        }
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private void problem(String text) {
        problems.add("level " + level.level() + ": " + text);
    }
}
