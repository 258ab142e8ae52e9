/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * A transport for Netty, with channels over RDMA. Unlike on the class path, the module provides no service to Vert.x,
 * because it could then not be resolved without Vert.x.
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
