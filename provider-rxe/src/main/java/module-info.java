/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/** Soft-RoCE: the embedded device in pure Java, and the kernel's rdma_rxe through libibverbs. */
module io.verbs4j.provider.rxe {
    requires io.verbs4j.natives;
    requires io.verbs4j.spi;
    requires io.verbs4j.rdmacore;
    requires static io.verbs4j.cm;
    requires static io.verbs4j.devicecode; // for programs that have it
    requires static jdk.jfr; // events, if the JVM has a flight recorder

    exports io.verbs4j.rxedv;

    provides io.verbs4j.rdmacore.NativeClaim with
            io.verbs4j.provider.rxe.KernelDevices;
    provides io.verbs4j.spi.VerbsProvider with
            io.verbs4j.provider.rxe.RxeProvider;
}
