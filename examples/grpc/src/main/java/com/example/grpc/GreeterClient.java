/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.grpc;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.verbs4j.netty.VerbsIoHandler;
import io.verbs4j.netty.VerbsSocketChannel;
import java.util.concurrent.TimeUnit;

/** Has a {@link GreeterServer} greet somebody. */
public final class GreeterClient {
    private static final int SECONDS = 60;

    private GreeterClient() {}

    /** Runs the client; arguments: host, port, name. */
    public static void main(String... arguments) throws Exception {
        // 1 of 2 lines that differ; over TCP: NioIoHandler.newFactory()
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, VerbsIoHandler.newFactory());
        ManagedChannel channel = NettyChannelBuilder.forAddress(arguments[0], Integer.parseInt(arguments[1]))
                // 2 of 2 lines that differ; over TCP: NioSocketChannel.class
                .channelType(VerbsSocketChannel.class)
                .eventLoopGroup(group)
                .usePlaintext()
                .build();
        try {
            CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(SECONDS, TimeUnit.SECONDS);
            System.out.println(ClientCalls.blockingUnaryCall(channel, Greeter.GREET, options, arguments[2]));
            ClientCalls.blockingServerStreamingCall(channel, Greeter.GREET_IN_ALL, options, arguments[2])
                    .forEachRemaining(System.out::println);
        } finally {
            channel.shutdownNow().awaitTermination(SECONDS, TimeUnit.SECONDS);
            group.shutdownGracefully(0, SECONDS, TimeUnit.SECONDS).sync();
        }
    }
}
