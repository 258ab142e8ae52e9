/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/** A provider of a device that is made of nothing but this JVM's memory. */
module com.example.loop {
    requires transitive io.verbs4j.spi;

    exports com.example.loopdv;

    provides io.verbs4j.spi.VerbsProvider with
            com.example.loop.LoopProvider;
}
