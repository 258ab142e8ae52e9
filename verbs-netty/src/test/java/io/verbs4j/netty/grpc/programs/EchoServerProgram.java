/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.grpc.programs;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.verbs4j.netty.VerbsIoHandler;
import io.verbs4j.netty.VerbsServerSocketChannel;
import io.verbs4j.netty.grpc.EchoService;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** A process with a gRPC server; exits at the end of its input. */
public final class EchoServerProgram {
    private EchoServerProgram() {}

    public static void main(String[] args) throws Exception {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, VerbsIoHandler.newFactory());
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .channelType(VerbsServerSocketChannel.class)
                .bossEventLoopGroup(group)
                .workerEventLoopGroup(group)
                .maxInboundMessageSize(1 << 30)
                .addService(new EchoService().definition())
                .build()
                .start();
        System.out.println("port " + server.getPort());
        while (System.in.read() >= 0) {
            // until the end
        }
        server.shutdown().awaitTermination(10, TimeUnit.SECONDS);
        group.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
        System.out.println("ended");
    }
}
