/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Comparisons of verbs4j with its alternatives, and with the best possible results. */
module io.verbs4j.benchmarks {
    requires io.verbs4j.bulk;
    requires io.verbs4j.cm;
    requires com.google.gson;
    requires io.grpc;
    requires io.grpc.netty;
    requires io.grpc.stub;
    requires io.netty.transport.classes.epoll;
    requires io.verbs4j.core;
    requires io.verbs4j.netty;
    requires io.verbs4j.provider.mlx5;
    requires io.verbs4j.rdmacore;
    requires com.sun.jna;
    requires java.management;
    requires jdk.management;
    requires jmh.core;
    requires jucx;
    requires HdrHistogram;
    requires io.aeron.client;
    requires io.aeron.driver;
    requires org.agrona.core;
}
