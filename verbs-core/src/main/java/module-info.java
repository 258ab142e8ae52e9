/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The library: discovery, negotiation and the library-side functions. */
module io.verbs4j.core {
    requires transitive io.verbs4j.spi;
    requires static jdk.jfr; // events, where the JVM has a recorder

    exports io.verbs4j.core;

    uses io.verbs4j.spi.VerbsProvider;
}
