/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.grpc;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.verbs4j.netty.VerbsIoHandler;
import io.verbs4j.netty.VerbsServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Serves {@link Greeter} at an address and a port, which may be 0, until its input ends. */
public final class GreeterServer {
    private static final int SECONDS = 60;

    private GreeterServer() {}

    /** Runs the server; arguments: address, port. */
    public static void main(String... arguments) throws Exception {
        InetSocketAddress address = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        // 1 of 2 lines that differ; over TCP: NioIoHandler.newFactory()
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(VerbsIoHandler.newFactory());
        try {
            Server server = NettyServerBuilder.forAddress(address)
                    // 2 of 2 lines that differ; over TCP: NioServerSocketChannel.class
                    .channelType(VerbsServerSocketChannel.class)
                    .bossEventLoopGroup(group)
                    .workerEventLoopGroup(group)
                    .addService(Greeter.service())
                    .build()
                    .start();
            System.out.println("listening on port " + server.getPort());
            while (System.in.read() >= 0) {
                // until the end
            }
            server.shutdown().awaitTermination(SECONDS, TimeUnit.SECONDS);
        } finally {
            group.shutdownGracefully(0, SECONDS, TimeUnit.SECONDS).sync();
        }
    }
}
