/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.Resources;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.bulk.BulkConfig;
import io.verbs4j.bulk.BulkConnections;
import io.verbs4j.bulk.BulkEndpoint;
import io.verbs4j.bulk.control.Hello;
import io.verbs4j.cm.CmRejectedException;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.Patience;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A refused connection throws the same type with both connection methods. */
@ParameterizedClass
@EnumSource(
        value = BulkConnections.class,
        names = {"CM", "TCP"})
class ConnectionRejectedTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final InetSocketAddress NOBODY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final Hello HELLO = new Hello(Hello.VERSION, 32, 1, 77, 0, 0, 4096, 0xf);

    @Parameter
    BulkConnections way;

    private final Resources resources = new Resources();
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private Context context;
    private Connections connections;
    private ConnectionSide side;

    @BeforeEach
    void open() {
        context = resources.add(Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT));
        connections = resources.add(byTcp() ? new TcpConnections("rejected") : new CmConnections());
        ProtectionDomain pd = resources.add(context.allocPd());
        CompletionQueue cq = resources.add(context.createCq(64, null, null, 0));
        QpInitAttr attr = new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(8).maxSendSge(1).maxRecvWr(1).maxRecvSge(1));
        side = ConnectionSide.reliable(pd, HELLO, attr, qp -> {});
    }

    @AfterEach
    void close() throws InterruptedException {
        executor.shutdown();
        assertThat(executor.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS))
                .as("requests are closed")
                .isTrue();
        resources.close(); // EBUSY if anything were left
    }

    private boolean byTcp() {
        return way == BulkConnections.TCP;
    }

    private ConnectionRejectedException rejection(Consumer<ConnectionRequest> handler) {
        Consumer<ConnectionRequest> closing = request -> {
            try (request) {
                handler.accept(request);
            }
        };
        try (ConnectionListener listener = connections.listen(context, ANY, executor, closing)) {
            return rejection(listener.address());
        }
    }

    private ConnectionRejectedException rejection(InetSocketAddress address) {
        ConnectionRejectedException rejected = catchThrowableOfType(
                ConnectionRejectedException.class, () -> connections.connect(side, address, Patience.NANOS));
        assertThat(rejected.errno()).isEqualTo(Errno.ECONNREFUSED);
        return rejected;
    }

    @Test
    void reasonOfPeerIsReported() {
        ConnectionRejectedException rejected = rejection(request -> request.reject("not yet"));
        assertThat(rejected.reason).isEqualTo("not yet");
        if (byTcp()) {
            assertThat(rejected)
                    .hasMessageMatching("bulk_connect: ECONNREFUSED: \\S+ rejected the connection: not yet");
        } else {
            assertThat(rejected).hasCauseInstanceOf(CmRejectedException.class);
            assertThat(rejected).hasMessage(rejected.getCause().getMessage());
        }
    }

    /** RDMA-CM has room for at most 148 bytes. */
    @Test
    void longReasonIsTruncated() {
        String reason = "x".repeat(147) + "yz";
        assertThat(rejection(request -> request.reject(reason)).reason)
                .isEqualTo(byTcp() ? reason : reason.substring(0, 148));
    }

    /** Reasons from a peer are written to logs. */
    @Test
    void reasonHasNoControlCharacters() {
        assertThat(rejection(request -> request.reject("a\n\u001b[1mb")).reason).isEqualTo("a??[1mb");
    }

    @Test
    void closedRequestIsRejected() {
        ConnectionRejectedException rejected = rejection(ConnectionRequest::close);
        assertThat(rejected.reason).isEqualTo(byTcp() ? "it was not accepted" : "");
    }

    @Test
    void connectingWithoutListenerIsRejectedWithoutReason() {
        ConnectionRejectedException rejected = rejection(NOBODY);
        assertThat(rejected.reason).isNull();
        assertThat(rejected).hasMessage(rejected.getCause().getMessage());
        assertThat(rejected.getCause()).isInstanceOf(byTcp() ? VerbsException.class : CmRejectedException.class);
    }

    @Test
    void endpointRejectsWithReason() {
        Hello wrong = new Hello(Hello.VERSION, 1, 1, 77, 0, 0, 4096, 0xf);
        ConnectionSide one = ConnectionSide.reliable(side.pd(), wrong, side.attr(), side.prepare());
        try (BulkEndpoint endpoint =
                BulkEndpoint.open(BulkConfig.of(context).withConnections(way).withAddress(ANY))) {
            assertThatThrownBy(() -> connections.connect(one, endpoint.address(), Patience.NANOS))
                    .isInstanceOfSatisfying(
                            ConnectionRejectedException.class,
                            e -> assertThat(e.reason)
                                    .startsWith("this is a bulk endpoint: ")
                                    .contains("1 slots"));
        }
    }

    /** A program sees a VerbsException with the text of the device or of TCP. */
    @Test
    void endpointReportsMissingListener() {
        try (BulkEndpoint endpoint = BulkEndpoint.open(BulkConfig.of(context).withConnections(way))) {
            assertThatThrownBy(() -> endpoint.connect(NOBODY, Patience.SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining(byTcp() ? "refused" : "no listener there");
        }
    }
}
