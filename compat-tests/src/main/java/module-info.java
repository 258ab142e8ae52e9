/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/** The conformance kit for authors of providers. */
module io.verbs4j.compat {
    requires transitive io.verbs4j.spi;
    requires io.verbs4j.core;
    requires transitive org.junit.jupiter.api;

    exports io.verbs4j.compat.kit;

    opens io.verbs4j.compat.kit to
            org.junit.platform.commons;

    uses io.verbs4j.spi.VerbsProvider;
}
