/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/** Provider of AWS's Elastic Fabric Adapter, based on libefa: SRD and UD queue pairs. */
module io.verbs4j.provider.efa {
    requires transitive io.verbs4j.spi;
    requires io.verbs4j.rdmacore;
    requires static com.sun.jna;
    requires static io.verbs4j.devicecode; // for programs that have it

    exports io.verbs4j.efadv;

    provides io.verbs4j.rdmacore.NativeClaim with
            io.verbs4j.provider.efa.EfaProvider;
    provides io.verbs4j.spi.VerbsProvider with
            io.verbs4j.provider.efa.EfaProvider;
}
