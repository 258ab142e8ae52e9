/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.verbs4j.netty.VerbsIoHandler;
import io.verbs4j.netty.VerbsServerSocketChannel;
import io.verbs4j.netty.VerbsSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** An unchanged grpc-netty works over RDMA as it does over TCP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class GrpcTest {
    private static final int MAX_MESSAGE = 100 << 20;
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);

    private final EchoService service = new EchoService();
    private EventLoopGroup group;
    private Server server;
    private ManagedChannel channel;

    @BeforeAll
    void start() throws Exception {
        group = new MultiThreadIoEventLoopGroup(2, VerbsIoHandler.newFactory());
        server = serverBuilder().build().start();
        channel = channelBuilder(server).usePlaintext().build();
    }

    private NettyServerBuilder serverBuilder() {
        return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .channelType(VerbsServerSocketChannel.class)
                .bossEventLoopGroup(group)
                .workerEventLoopGroup(group)
                .maxInboundMessageSize(MAX_MESSAGE)
                .addService(service.definition());
    }

    private NettyChannelBuilder channelBuilder(Server of) {
        return NettyChannelBuilder.forAddress(new InetSocketAddress("localhost", of.getPort()))
                .channelType(VerbsSocketChannel.class)
                .eventLoopGroup(group)
                .maxInboundMessageSize(MAX_MESSAGE);
    }

    @AfterAll
    void stop() throws Exception {
        channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        group.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
    }

    @Test
    void unaryCallReturnsResponse() {
        assertThat(call(channel, HELLO)).isEqualTo(HELLO);
    }

    private static byte[] call(ManagedChannel channel, byte[] request) {
        return ClientCalls.blockingUnaryCall(channel, EchoService.UNARY, CallOptions.DEFAULT, request);
    }

    @Test
    void serverStreamsResponses() {
        Iterator<byte[]> responses =
                ClientCalls.blockingServerStreamingCall(channel, EchoService.FROM_SERVER, CallOptions.DEFAULT, HELLO);
        int count = 0;
        for (; responses.hasNext(); count++) {
            assertThat(responses.next()).isEqualTo(HELLO);
        }
        assertThat(count).isEqualTo(EchoService.RESPONSES);
    }

    @Test
    void bothSidesStream() throws Exception {
        int messages = 1000;
        CompletableFuture<List<Integer>> lengths = new CompletableFuture<>();
        StreamObserver<byte[]> requests = ClientCalls.asyncBidiStreamingCall(
                channel.newCall(EchoService.BOTH, CallOptions.DEFAULT), new Lengths(lengths));
        for (int i = 0; i < messages; i++) {
            requests.onNext(new byte[i]);
        }
        requests.onCompleted();
        assertThat(lengths.get(60, TimeUnit.SECONDS))
                .hasSize(messages)
                .isSorted()
                .endsWith(messages - 1);
    }

    @Test
    void deadlineEndsCall() {
        assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(
                        channel,
                        EchoService.SILENT,
                        CallOptions.DEFAULT.withDeadlineAfter(200, TimeUnit.MILLISECONDS),
                        HELLO))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
    }

    @Test
    void serverSeesCancelledCall() throws Exception {
        ListenableFuture<byte[]> call =
                ClientCalls.futureUnaryCall(channel.newCall(EchoService.SILENT, CallOptions.DEFAULT), HELLO);
        Thread.sleep(100);
        call.cancel(true);
        assertThat(service.cancelled.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void largeMessageComesBack() {
        byte[] large = new byte[64 << 20];
        new Random(1).nextBytes(large);
        assertThat(call(channel, large)).isEqualTo(large);
    }

    @Test
    void concurrentCallsAreAnswered() throws Exception {
        List<ListenableFuture<byte[]>> calls = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            calls.add(ClientCalls.futureUnaryCall(
                    channel.newCall(EchoService.UNARY, CallOptions.DEFAULT),
                    ("call " + i).getBytes(StandardCharsets.UTF_8)));
        }
        for (int i = 0; i < calls.size(); i++) {
            assertThat(new String(calls.get(i).get(60, TimeUnit.SECONDS), StandardCharsets.UTF_8))
                    .isEqualTo("call " + i);
        }
    }

    @Test
    void callsAreEncryptedByTls() throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .subject("CN=localhost")
                .addSanDnsName("localhost")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Server secured = serverBuilder()
                .sslContext(GrpcSslContexts.configure(SslContextBuilder.forServer(
                                bundle.getKeyPair().getPrivate(), bundle.getCertificatePath()))
                        .build())
                .build()
                .start();
        ManagedChannel client = channelBuilder(secured)
                .sslContext(GrpcSslContexts.forClient()
                        .trustManager(bundle.getCertificate())
                        .build())
                .build();
        try {
            assertThat(call(client, HELLO)).isEqualTo(HELLO);
            byte[] large = new byte[1 << 20];
            new Random(2).nextBytes(large);
            assertThat(call(client, large)).isEqualTo(large);
        } finally {
            client.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
            secured.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    /** Records the lengths of the responses. */
    private static final class Lengths implements StreamObserver<byte[]> {
        private final List<Integer> lengths = new ArrayList<>();
        private final CompletableFuture<List<Integer>> result;

        Lengths(CompletableFuture<List<Integer>> result) {
            this.result = result;
        }

        @Override
        public void onNext(byte[] value) {
            lengths.add(value.length);
        }

        @Override
        public void onError(Throwable t) {
            result.completeExceptionally(t);
        }

        @Override
        public void onCompleted() {
            result.complete(lengths);
        }
    }
}
