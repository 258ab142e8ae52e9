/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** RDMA-CM: connections by address, over any device that can carry its messages. */
module io.verbs4j.cm {
    requires transitive io.verbs4j.spi;
    requires static jdk.jfr; // events, if the JVM has a recorder

    exports io.verbs4j.cm;
    exports io.verbs4j.cm.spi;

    uses io.verbs4j.cm.spi.CmProvider;
}
