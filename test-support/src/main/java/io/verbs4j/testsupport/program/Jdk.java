/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport.program;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * A JDK of this machine on which a test starts programs.
 *
 * @param feature its release, for instance 17
 * @param home its folder
 */
public record Jdk(int feature, Path home) {
    /** Option that compiles a program as well as possible: for a long one, or one that tests what compilers do. */
    public static final String OPTIMIZED = "-XX:TieredStopAtLevel=4";

    /**
     * Option for a program that ends before the second compiler, which uses a third of the processor's time, has paid
     * for itself.
     */
    public static final String QUICK = "-XX:TieredStopAtLevel=1";

    /** Option for a program with another class path than the test's; the class path is the next option. */
    public static final String CLASS_PATH = "-cp";

    private static final int OLDEST = 17;
    private static final int FOREIGN_MEMORY = 22;
    private static final int NATIVE_ACCESS_ASKED = 24;
    private static final int UNSAFE_WARNS = 23;
    private static final String HOME_OF_25 = "JAVA25_HOME";
    private static final Path USUAL_PLACE = Path.of("/usr/lib/jvm");

    /** Returns the JDK that the tests run on. */
    public static Jdk own() {
        return new Jdk(Runtime.version().feature(), Path.of(System.getProperty("java.home")));
    }

    /**
     * Returns one JDK of each release from 17 on, the oldest first: the test's own, that of {@code JAVA25_HOME}, and
     * those in {@code /usr/lib/jvm}.
     */
    public static List<Jdk> all() throws IOException {
        Map<Integer, Jdk> found = new TreeMap<>();
        found.put(own().feature, own());
        String named = System.getenv(HOME_OF_25);
        if (named != null) {
            add(found, Path.of(named));
        }
        if (Files.isDirectory(USUAL_PLACE)) {
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(USUAL_PLACE)) {
                for (Path folder : folders) {
                    add(found, folder);
                }
            }
        }
        return List.copyOf(found.values());
    }

    /** Returns the last of {@link #all}. */
    public static Jdk newest() {
        List<Jdk> all = allFound();
        return all.get(all.size() - 1);
    }

    private static Jdk oldest() {
        return allFound().get(0);
    }

    private static List<Jdk> allFound() {
        try {
            return all();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the program that starts a JVM. */
    public Path java() {
        return home.resolve("bin/java");
    }

    /** Returns whether it has the foreign function and memory API, other than as a preview. */
    public boolean hasForeignMemory() {
        return feature >= FOREIGN_MEMORY;
    }

    /**
     * Returns the last of {@link #all} if it has the foreign function and memory API, with its arenas; otherwise skips
     * the test.
     */
    public static Jdk withForeignMemory() {
        return newest(FOREIGN_MEMORY);
    }

    /**
     * Returns the last of {@link #all} if it can deny native access and {@code sun.misc.Unsafe} on request; otherwise
     * skips the test.
     */
    public static Jdk thatCanDeny() {
        return newest(NATIVE_ACCESS_ASKED);
    }

    private static Jdk newest(int since) {
        Jdk newest = newest();
        assumeTrue(newest.feature >= since, () -> "no JDK of " + since + " or newer here");
        return newest;
    }

    /** Returns the first of {@link #all} if it lacks the foreign function and memory API; otherwise skips the test. */
    public static Jdk withoutForeignMemory() {
        Jdk oldest = oldest();
        assumeTrue(!oldest.hasForeignMemory(), () -> "no JDK older than " + FOREIGN_MEMORY + " here");
        return oldest;
    }

    /** Every JDK has a file that states its version. */
    private static void add(Map<Integer, Jdk> found, Path home) throws IOException {
        Path file = home.resolve("release");
        if (!Files.isExecutable(home.resolve("bin/java")) || !Files.isReadable(file)) {
            return;
        }
        Properties release = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            release.load(reader);
        }
        String version = release.getProperty("JAVA_VERSION", "0").replace("\"", "");
        int feature = Integer.parseInt(version.split("[.+-]", 2)[0]);
        if (feature >= OLDEST) {
            found.putIfAbsent(feature, new Jdk(feature, home));
        }
    }

    /** Returns options without which this release prints warnings among the program's output. */
    public List<String> permissions() {
        List<String> options = new ArrayList<>();
        if (feature >= NATIVE_ACCESS_ASKED) {
            options.add("--enable-native-access=ALL-UNNAMED");
        }
        if (feature >= UNSAFE_WARNS) {
            options.add("--sun-misc-unsafe-memory-access=allow");
        }
        return options;
    }

    /**
     * Returns the command that starts a class of the test's own class path, without arguments; compiled quickly unless
     * it is {@link #OPTIMIZED}.
     */
    public List<String> command(List<String> options, Class<?> main) {
        return command(options, main.getName());
    }

    /**
     * Returns the command that starts a class that the tests are not compiled with, as {@link #command(List, Class)}.
     */
    public List<String> command(List<String> options, String main) {
        List<String> all = permissions();
        all.addAll(options);
        return commandWithoutPermissions(all, main);
    }

    /** Returns the command for a test of what the JVM permits, as {@link #command(List, String)}. */
    public List<String> commandWithoutPermissions(List<String> options, String main) {
        List<String> command = new ArrayList<>();
        command.add(java().toString());
        command.add(QUICK);
        command.addAll(options);
        if (!options.contains(CLASS_PATH)) {
            command.add(CLASS_PATH);
            command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        }
        command.add(main);
        return command;
    }

    @Override
    public String toString() {
        return "JDK " + feature;
    }
}
