/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * A JDK of this machine.
 *
 * @param version its version, for instance 17.0.2
 * @param home its folder
 */
public record Jdk(String version, Path home) {
    private static final String HOME_OF_25 = "JAVA25_HOME";
    private static final Path USUAL_PLACE = Path.of("/usr/lib/jvm");

    /**
     * {@return the JDKs to test with: the current one, and a JDK 25 if there is one, from {@code JAVA25_HOME} or {@code
     * /usr/lib/jvm}; {@code .ci/run} prints which there are}
     */
    public static List<Jdk> all() {
        List<Jdk> all = new ArrayList<>();
        all.add(new Jdk(System.getProperty("java.version"), Path.of(System.getProperty("java.home"))));
        if (!all.get(0).isFeature("25")) {
            String named = System.getenv(HOME_OF_25);
            if (named != null) {
                Jdk jdk = at(Path.of(named));
                if (jdk == null || !jdk.isFeature("25")) {
                    throw new IllegalStateException(HOME_OF_25 + " is " + named + ", which is "
                            + (jdk == null ? "not a JDK" : "a JDK " + jdk.version())
                            + ": point it at a JDK 25 or unset it");
                }
                all.add(jdk);
            } else {
                usual().stream().filter(jdk -> jdk.isFeature("25")).findFirst().ifPresent(all::add);
            }
        }
        return all;
    }

    public boolean isFeature(String feature) {
        return version.split("[.+-]", 2)[0].equals(feature);
    }

    public Path java() {
        return home.resolve("bin/java");
    }

    private static List<Jdk> usual() {
        List<Jdk> found = new ArrayList<>();
        if (Files.isDirectory(USUAL_PLACE)) {
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(USUAL_PLACE)) {
                for (Path folder : folders) {
                    Jdk jdk = at(folder);
                    if (jdk != null) {
                        found.add(jdk);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot list " + USUAL_PLACE, e);
            }
        }
        return found;
    }

    /** {@return the JDK at a place, or null} Every JDK has a file with its version. */
    static Jdk at(Path home) {
        Path file = home.resolve("release");
        if (!Files.isExecutable(home.resolve("bin/java")) || !Files.isReadable(file)) {
            return null;
        }
        Properties release = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            release.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
        String version = release.getProperty("JAVA_VERSION");
        return version == null ? null : new Jdk(version.replace("\"", ""), home);
    }

    @Override
    public String toString() {
        return "JDK " + version;
    }
}
