/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/** Soft-RoCE: the embedded device in pure Java. */
module io.verbs4j.provider.rxe {
    requires io.verbs4j.spi;
    requires static com.sun.jna;
    requires jdk.unsupported;

    provides io.verbs4j.spi.VerbsProvider with
            io.verbs4j.provider.rxe.RxeProvider;
}
