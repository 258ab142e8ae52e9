/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/** What checks that verbs4j's parties fit together: the conformance kit for authors of providers, and the matrix. */
module io.verbs4j.compat {
    requires transitive io.verbs4j.spi;
    requires io.verbs4j.core;
    requires transitive org.junit.jupiter.api;
    // The matrix' own: who runs the kit does not need them.
    requires static info.picocli;
    requires static java.compiler;

    exports io.verbs4j.compat.kit;

    opens io.verbs4j.compat.kit to
            org.junit.platform.commons;
    opens io.verbs4j.compat.matrix to
            info.picocli;

    uses io.verbs4j.spi.VerbsProvider;
}
