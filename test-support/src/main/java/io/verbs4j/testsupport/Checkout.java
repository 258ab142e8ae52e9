/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout that is built: where tests find scripts, pages and frozen jars, from whichever module they run in. */
public final class Checkout {
    /** Its folder. */
    public static final Path ROOT = root();

    private Checkout() {}

    /** Returns a file or folder in it. */
    public static Path path(String first, String... more) {
        return ROOT.resolve(Path.of(first, more));
    }

    private static Path root() {
        Path start = Path.of("").toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("mvnw"))) {
                return folder;
            }
        }
        throw new IllegalStateException("no mvnw in " + start + " or above: start tests in a folder of the checkout");
    }
}
