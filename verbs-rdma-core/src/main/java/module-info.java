/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/** libibverbs through JNA: the base of the providers of native devices, and the provider of all that have none. */
module io.verbs4j.rdmacore {
    requires transitive io.verbs4j.spi;
    requires com.sun.jna;
    requires jdk.unsupported;
}
