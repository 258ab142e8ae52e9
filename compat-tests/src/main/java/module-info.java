/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/** Checks that verbs4j's parties fit together: the conformance kit for provider authors, and the matrix. */
module io.verbs4j.compat {
    requires transitive io.verbs4j.spi;
    requires io.verbs4j.core;
    requires transitive org.junit.jupiter.api;
    // Needed by the matrix only, not by users of the kit.
    requires static info.picocli;
    requires static java.compiler;

    exports io.verbs4j.compat.kit;

    opens io.verbs4j.compat.kit to
            org.junit.platform.commons;
    opens io.verbs4j.compat.matrix to
            info.picocli;

    uses io.verbs4j.spi.VerbsProvider;
}
