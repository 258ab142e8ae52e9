/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.built;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Class paths with tests, for programs that tests start. */
public final class TestClasses {
    private TestClasses() {}

    /** {@return the class path of this JVM, preceded by the tests of other modules} */
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

    /** {@return the test folder of the module of a class; skips the test if it was not built} */
    public static Path of(Class<?> module) {
        Path classes = location(module).resolveSibling("test-classes");
        assumeTrue(Files.isDirectory(classes), "no " + classes + ": build that module too (-am)");
        return classes;
    }

    /** {@return a class path with the modules of these classes only} */
    public static String only(Class<?>... modules) {
        return Stream.of(modules)
                .map(TestClasses::location)
                .map(Path::toString)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** {@return the folder or jar of a class} */
    public static Path location(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
