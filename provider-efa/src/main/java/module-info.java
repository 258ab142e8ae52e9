/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/** The Elastic Fabric Adapter of AWS, by libefa: SRD and UD. */
module io.verbs4j.provider.efa {
    requires transitive io.verbs4j.spi;
    requires io.verbs4j.rdmacore;
    requires static com.sun.jna;

    exports io.verbs4j.efadv;

    provides io.verbs4j.rdmacore.NativeClaim with
            io.verbs4j.provider.efa.EfaProvider;
    provides io.verbs4j.spi.VerbsProvider with
            io.verbs4j.provider.efa.EfaProvider;
}
