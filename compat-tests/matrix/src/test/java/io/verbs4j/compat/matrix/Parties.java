/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.frozen.FrozenFolder;
import io.verbs4j.testsupport.Extent;
import java.nio.file.Path;
import java.util.List;

/** The releases that the tests use. */
final class Parties {
    /** Whether the long forms run, which are started by hand: see CONTRIBUTING. */
    static final boolean FULL = Extent.isHours();

    private Parties() {}

    /** {@return the folder of this build's jars, copied by the build before the *IT tests} */
    static Path jars() {
        String folder = System.getProperty("verbs4j.jars");
        assertThat(folder)
                .as("system property verbs4j.jars: these tests run in ./mvnw verify, which copies the jars")
                .isNotNull();
        return Path.of(folder);
    }

    static Path frozenFolder() {
        return FrozenFolder.ofThisProject().path();
    }

    static Release oldest() {
        return Release.frozen(frozenFolder()).get(0);
    }

    static Release build() {
        return Release.build(jars());
    }

    static Matrix matrix(Path scratch) {
        return new Matrix(scratch, Release.jar(jars(), "jna"), 2);
    }

    static Jdk jdk() {
        return Jdk.all().get(0);
    }

    static List<CellResult> run(Path scratch, List<Cell> cells) throws InterruptedException {
        return matrix(scratch).run(cells, result -> {});
    }

    static void assertGreen(List<CellResult> results) {
        assertThat(TextReports.red(results))
                .as(() -> TextReports.table(results))
                .isEmpty();
    }
}
