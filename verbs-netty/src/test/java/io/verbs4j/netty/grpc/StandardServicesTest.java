/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.verbs4j.netty.VerbsIoHandler;
import io.verbs4j.netty.VerbsServerSocketChannel;
import io.verbs4j.netty.VerbsSocketChannel;
import io.verbs4j.testsupport.Patience;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The standard health and reflection services of gRPC, which tools rely on. */
@Timeout(Patience.TEST_SECONDS)
class StandardServicesTest {
    private static final String SERVICE = "test.Echo";

    private final HealthStatusManager health = new HealthStatusManager();
    private EventLoopGroup group;
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws Exception {
        group = new MultiThreadIoEventLoopGroup(1, VerbsIoHandler.newFactory());
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .channelType(VerbsServerSocketChannel.class)
                .bossEventLoopGroup(group)
                .workerEventLoopGroup(group)
                .addService(new EchoService().definition())
                .addService(health.getHealthService())
                .addService(ProtoReflectionServiceV1.newInstance())
                .build()
                .start();
        channel = NettyChannelBuilder.forAddress(new InetSocketAddress("localhost", server.getPort()))
                .channelType(VerbsSocketChannel.class)
                .eventLoopGroup(group)
                .usePlaintext()
                .build();
    }

    @AfterEach
    void stop() throws Exception {
        channel.shutdownNow().awaitTermination(Patience.SECONDS, TimeUnit.SECONDS);
        server.shutdownNow().awaitTermination(Patience.SECONDS, TimeUnit.SECONDS);
        group.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
    }

    @Test
    void healthServiceReportsStatus() {
        HealthGrpc.HealthBlockingStub stub = HealthGrpc.newBlockingStub(channel);
        assertThat(stub.check(HealthCheckRequest.getDefaultInstance()).getStatus())
                .isEqualTo(ServingStatus.SERVING);
        health.setStatus(SERVICE, ServingStatus.NOT_SERVING);
        HealthCheckRequest request =
                HealthCheckRequest.newBuilder().setService(SERVICE).build();
        assertThat(stub.check(request).getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
    }

    @Test
    void watcherGetsChangedHealth() throws Exception {
        health.setStatus(SERVICE, ServingStatus.SERVING);
        Responses<HealthCheckResponse> responses = new Responses<>();
        HealthGrpc.newStub(channel)
                .watch(HealthCheckRequest.newBuilder().setService(SERVICE).build(), responses);
        assertThat(responses.next().getStatus()).isEqualTo(ServingStatus.SERVING);
        health.setStatus(SERVICE, ServingStatus.NOT_SERVING);
        assertThat(responses.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
    }

    @Test
    void reflectionListsAndDescribesServices() throws Exception {
        Responses<ServerReflectionResponse> responses = new Responses<>();
        StreamObserver<ServerReflectionRequest> requests =
                ServerReflectionGrpc.newStub(channel).serverReflectionInfo(responses);
        requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
        assertThat(responses.next().getListServicesResponse().getServiceList())
                .extracting(ServiceResponse::getName)
                .contains(HealthGrpc.SERVICE_NAME, ServerReflectionGrpc.SERVICE_NAME);
        requests.onNext(ServerReflectionRequest.newBuilder()
                .setFileContainingSymbol(HealthGrpc.SERVICE_NAME)
                .build());
        FileDescriptorProto file = FileDescriptorProto.parseFrom(
                responses.next().getFileDescriptorResponse().getFileDescriptorProto(0));
        assertThat(file.getService(0).getName()).isEqualTo("Health");
        requests.onCompleted();
    }

    /** Keeps responses until they are requested. */
    private static final class Responses<T> implements StreamObserver<T> {
        private final BlockingQueue<Object> queue = new LinkedBlockingQueue<>();

        @SuppressWarnings("unchecked") // only responses and errors are added
        T next() throws InterruptedException {
            Object next = queue.poll(Patience.SECONDS, TimeUnit.SECONDS);
            if (next == null || next instanceof Throwable) {
                throw new AssertionError("no response: " + next);
            }
            return (T) next;
        }

        @Override
        public void onNext(T value) {
            queue.add(value);
        }

        @Override
        public void onError(Throwable t) {
            queue.add(t);
        }

        @Override
        public void onCompleted() {
            // the stream of the test ends with its channel
        }
    }
}
