/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.verbs4j.netty.VerbsIoHandler;
import io.verbs4j.netty.VerbsSocketChannel;
import io.verbs4j.netty.grpc.programs.EchoServerProgram;
import io.verbs4j.testsupport.program.Jdk;
import java.io.BufferedReader;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gRPC server in another process. */
@Timeout(120)
class TwoProcessesIT {
    private Process process;
    private BufferedReader output;
    private int port;
    private EventLoopGroup group;

    @BeforeEach
    void start() throws Exception {
        process = new ProcessBuilder(Jdk.own().command(List.of(), EchoServerProgram.class))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        output = process.inputReader();
        port = Integer.parseInt(output.readLine().replace("port ", ""));
        group = new MultiThreadIoEventLoopGroup(1, VerbsIoHandler.newFactory());
    }

    @AfterEach
    void stop() throws Exception {
        group.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
        process.destroyForcibly().waitFor();
    }

    private ManagedChannel channel() {
        return NettyChannelBuilder.forAddress(new InetSocketAddress("localhost", port))
                .channelType(VerbsSocketChannel.class)
                .eventLoopGroup(group)
                .maxInboundMessageSize(1 << 30)
                .usePlaintext()
                .build();
    }

    @Test
    void callsAreAnsweredAndServerEndsCleanly() throws Exception {
        ManagedChannel channel = channel();
        for (int length : new int[] {0, 64, 100_000, 8 << 20}) {
            byte[] request = new byte[length];
            new Random(length).nextBytes(request);
            assertThat(ClientCalls.blockingUnaryCall(channel, EchoService.UNARY, CallOptions.DEFAULT, request))
                    .isEqualTo(request);
        }
        channel.shutdown().awaitTermination(10, TimeUnit.SECONDS);
        process.getOutputStream().close();
        assertThat(output.readLine()).isEqualTo("ended");
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void killedServerFailsPendingCalls() throws Exception {
        ManagedChannel channel = channel();
        ClientCalls.blockingUnaryCall(channel, EchoService.UNARY, CallOptions.DEFAULT, new byte[1]);
        ListenableFuture<byte[]> waiting =
                ClientCalls.futureUnaryCall(channel.newCall(EchoService.SILENT, CallOptions.DEFAULT), new byte[1]);
        process.destroyForcibly();
        assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS))
                .satisfies(e -> assertThat(Status.fromThrowable(e).getCode()).isEqualTo(Status.Code.UNAVAILABLE));
        channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }

    @Test
    void killedPeerResetsConnection() throws Exception {
        CompletableFuture<String> end = new CompletableFuture<>();
        Channel client = new Bootstrap()
                .group(group)
                .channel(VerbsSocketChannel.class)
                .handler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                        end.complete(cause.getMessage());
                    }
                })
                .connect(new InetSocketAddress("localhost", port))
                .sync()
                .channel();
        process.destroyForcibly();
        assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo("Connection reset by peer");
        assertThat(client.closeFuture().await(10, TimeUnit.SECONDS)).isTrue();
    }
}
