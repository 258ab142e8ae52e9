/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.built;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Class paths with tests, for programs that tests start. */
public final class TestClasses {
    private TestClasses() {}

    /** This JVM's class path, behind the tests of other modules. */
    public static String path(Class<?>... modules) {
        List<String> entries = new ArrayList<>();
        for (Class<?> module : modules) {
            entries.add(of(module).toString());
        }
        Stream.of(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                        .split(":", -1))
                .forEach(entries::add);
        return String.join(":", entries);
    }

    /** The folder with the tests of the module that a class is of; skips the test where it was not built. */
    public static Path of(Class<?> module) {
        Path classes = location(module).resolveSibling("test-classes");
        assumeTrue(Files.isDirectory(classes), "no " + classes + ": build that module too (-am)");
        return classes;
    }

    /** The folder or jar that a class came from. */
    public static Path location(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
