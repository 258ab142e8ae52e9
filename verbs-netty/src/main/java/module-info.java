/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** A transport for Netty: its channels over RDMA. */
module io.verbs4j.netty {
    requires transitive io.netty.buffer;
    requires transitive io.netty.common;
    requires transitive io.netty.transport;
    requires io.verbs4j.cm;
    requires io.verbs4j.core;
    requires io.verbs4j.spi;

    exports io.verbs4j.netty;
}
