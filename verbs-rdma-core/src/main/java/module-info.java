/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/** libibverbs through JNA: the base of the providers of native devices, and the provider of all that have none. */
module io.verbs4j.rdmacore {
    requires transitive io.verbs4j.spi;
    requires static com.sun.jna;
    requires static io.verbs4j.cm;
    requires jdk.unsupported;

    exports io.verbs4j.rdmacore;
    exports io.verbs4j.rdmacore.call;
    exports io.verbs4j.rdmacore.event;
    exports io.verbs4j.rdmacore.layout;
    exports io.verbs4j.rdmacore.lock;
    exports io.verbs4j.rdmacore.marshal;
    exports io.verbs4j.rdmacore.memory;
    exports io.verbs4j.rdmacore.object;
    exports io.verbs4j.rdmacore.ring;

    uses io.verbs4j.rdmacore.NativeClaim;

    provides io.verbs4j.spi.VerbsProvider with
            io.verbs4j.rdmacore.RdmaCoreProvider;
}
