/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/** Provider of Intel's Gaudi, based on libhbl: RDMA writes between accelerators. */
module io.verbs4j.provider.gaudi {
    requires transitive io.verbs4j.spi;
    requires io.verbs4j.rdmacore;
    requires static com.sun.jna;

    exports io.verbs4j.hbldv;

    provides io.verbs4j.rdmacore.NativeClaim with
            io.verbs4j.provider.gaudi.GaudiProvider;
    provides io.verbs4j.spi.VerbsProvider with
            io.verbs4j.provider.gaudi.GaudiProvider;
}
