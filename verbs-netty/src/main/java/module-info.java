/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * A transport for Netty: its channels over RDMA. It provides no service to Vert.x, as the class path does: without
 * Vert.x the module could not be resolved then.
 */
module io.verbs4j.netty {
    requires transitive io.netty.buffer;
    requires transitive io.netty.common;
    requires transitive io.netty.transport;
    requires static io.vertx.core;
    requires io.verbs4j.cm;
    requires io.verbs4j.core;
    requires io.verbs4j.spi;

    exports io.verbs4j.netty;
    exports io.verbs4j.netty.vertx;
}
