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
 * A JDK of this machine that a test starts programs on.
 *
 * @param feature its release, for instance 17
 * @param home its folder
 */
public record Jdk(int feature, Path home) {
    /** Option for a program that is to be compiled as well as it can be: a long one, or one of which what compilers do is tested. */
    public static final String OPTIMIZED = "-XX:TieredStopAtLevel=4";

    /** Option for a program that is over before the second compiler has paid for itself, which takes a third of the processor's time. */
    public static final String QUICK = "-XX:TieredStopAtLevel=1";

    /** Option for a program with another class path than the test's, which is the next option. */
    public static final String CLASS_PATH = "-cp";

    private static final int OLDEST = 17;
    private static final int FOREIGN_MEMORY = 22;
    private static final int NATIVE_ACCESS_ASKED = 24;
    private static final int UNSAFE_WARNS = 23;
    private static final String HOME_OF_25 = "JAVA25_HOME";
    private static final Path USUAL_PLACE = Path.of("/usr/lib/jvm");

    /** The one that the tests run on. */
    public static Jdk own() {
        return new Jdk(Runtime.version().feature(), Path.of(System.getProperty("java.home")));
    }

    /**
     * One of each release from 17 on, the oldest first: the own one, that of {@code JAVA25_HOME}, and those in {@code /usr/lib/jvm}.
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

    /** The last of {@link #all}. */
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

    /** Whether it has the foreign function and memory API, no preview of it. */
    public boolean hasForeignMemory() {
        return feature >= FOREIGN_MEMORY;
    }

    /** The last of {@link #all}, which has the foreign function and memory API, with its arenas; skips the test where it has not. */
    public static Jdk withForeignMemory() {
        return newest(FOREIGN_MEMORY);
    }

    /** The last of {@link #all}, which denies native access and {@code sun.misc.Unsafe} when told so; skips the test where it can't. */
    public static Jdk thatCanDeny() {
        return newest(NATIVE_ACCESS_ASKED);
    }

    private static Jdk newest(int since) {
        Jdk newest = newest();
        assumeTrue(newest.feature >= since, () -> "no JDK of " + since + " or newer here");
        return newest;
    }

    /** The first of {@link #all}, which has no foreign function and memory API; skips the test where it has. */
    public static Jdk withoutForeignMemory() {
        Jdk oldest = oldest();
        assumeTrue(!oldest.hasForeignMemory(), () -> "no JDK older than " + FOREIGN_MEMORY + " here");
        return oldest;
    }

    /** Every JDK has a file that tells its version. */
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

    /** Options for what this release warns about else, among what a program prints. */
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

    /** The command that starts a class of the test's own class path, compiled quickly if it isn't {@link #OPTIMIZED}; without arguments. */
    public List<String> command(List<String> options, Class<?> main) {
        return command(options, main.getName());
    }

    /** As the other; for a class that the tests are not compiled with. */
    public List<String> command(List<String> options, String main) {
        List<String> all = permissions();
        all.addAll(options);
        return commandWithoutPermissions(all, main);
    }

    /** As {@link #command(List, String)}, for a test of what the JVM permits. */
    public List<String> commandWithoutPermissions(List<String> options, String main) {
        List<String> command = new ArrayList<>();
        command.add(home.resolve("bin/java").toString());
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
