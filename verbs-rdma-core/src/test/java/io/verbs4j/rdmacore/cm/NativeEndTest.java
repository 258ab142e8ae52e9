/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.AhAttr;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.DeviceAttr;
import io.verbs4j.Errno;
import io.verbs4j.GlobalRoute;
import io.verbs4j.LinkLayer;
import io.verbs4j.NodeType;
import io.verbs4j.OpenAttr;
import io.verbs4j.PortAttr;
import io.verbs4j.TransportType;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmOption;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.RejectReason;
import io.verbs4j.cm.UdParam;
import io.verbs4j.cm.spi.CmEndpoint;
import io.verbs4j.cm.spi.CmSignal;
import io.verbs4j.cm.spi.CmSink;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.rdmacore.call.Librdmacm;
import io.verbs4j.rdmacore.call.VendorLibrary;
import io.verbs4j.rdmacore.object.Children;
import io.verbs4j.testsupport.Patience;
import io.verbs4j.testsupport.program.Program;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The order of calls of librdmacm, with a test library that overwrites acknowledged events and, like librdmacm, waits
 * for acknowledgements.
 */
class NativeEndTest {
    private static final long PATIENCE = Patience.SECONDS;
    private static final String SOURCE = "src/test/c/fakerdmacm.c";

    /** An event that a sink received, and how many events were unacknowledged at that time. */
    private record Told(int type, int status, ConnParam conn, UdParam ud, CmEndpoint child, long unacked) {}

    private static VendorLibrary library;

    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();
    private final Children children = new Children("the context");
    private final NativeCm manager = new NativeCm(new Plain(), "uverbs0", name -> Optional.empty(), children);

    /** A context that has limits and nothing else. */
    private static final class Plain extends Context {
        private final ContextOps ops = new ContextOps() {
            @Override
            public void queryDevice(DeviceAttr attr) {
                attr.maxQpRdAtom(4).maxQpInitRdAtom(4).physPortCnt(1);
            }

            @Override
            public void queryPort(int portNum, PortAttr attr) {
                attr.linkLayer(LinkLayer.ETHERNET);
            }
        };

        Plain() {
            super(new Device("plain0", 1, NodeType.CA, TransportType.IB) {}, new OpenAttr());
        }

        @Override
        protected ContextOps libraryOps() {
            return ops;
        }
    }

    private class Noting implements CmSink {
        @Override
        public void event(int type, int status, ConnParam conn, UdParam ud, Object context) {
            told.add(new Told(type, status, conn, ud, null, fake("unacked")));
        }

        @Override
        public CmSink connectRequest(CmEndpoint child, ConnParam conn) {
            told.add(new Told(CmEventType.CONNECT_REQUEST, 0, conn, null, child, fake("unacked")));
            return this;
        }
    }

    @BeforeAll
    static void compile(@TempDir Path scratch) throws Exception {
        Program.assumeOnPath("gcc");
        assumeTrue(
                Files.isRegularFile(Path.of("/usr/include/rdma/rdma_cma.h")),
                "no rdma/rdma_cma.h here: .ci/run installs librdmacm-dev");
        Path made = scratch.resolve("libfakerdmacm.so");
        int status = new ProcessBuilder("gcc", "-shared", "-fPIC", "-w", "-o", made.toString(), SOURCE)
                .inheritIO()
                .start()
                .waitFor();
        assertThat(status).isZero();
        System.setProperty(Librdmacm.LIBRARY_PROPERTY, made.toString()); // no other test here loads it
        library = new VendorLibrary(made.toString(), "verbs4j.test.none");
    }

    private static NativeFunction function(String name) {
        return library.function("fake_" + name, 0);
    }

    private static long fake(String name) {
        return function(name).call(0);
    }

    private static void happens(long id, int type, int status, int device) {
        assertThat(function("event").call(id, type, status, device)).isEqualTo(Long.BYTES);
    }

    private CmEndpoint create(CmSink sink) {
        return manager.create(manager.context(), PortSpace.TCP, sink);
    }

    private Told next() throws InterruptedException {
        Told next = told.poll(PATIENCE, TimeUnit.SECONDS);
        assertThat(next).as("no event was reported").isNotNull();
        return next;
    }

    @AfterEach
    void nothingIsLeft() {
        children.closeFor("close_device", () -> {});
        assertThat(fake("ids")).isZero();
        assertThat(fake("unacked")).isZero();
        assertThat(fake("channels")).isZero();
        assertThat(told).isEmpty();
    }

    @Test
    void signalOutlivesItsEnd() {
        CmEndpoint end = create(new Noting());
        CmSignal signal = end.newSignal();
        end.close();
        int flags = Libc.fcntl(signal.descriptor(), Libc.F_GETFL, 0);
        signal.close();
        assertThat(flags).isPositive();
        assertThat(flags & Libc.O_NONBLOCK).isEqualTo(Libc.O_NONBLOCK);
    }

    @Test
    void eventsAreCopiedAndAcknowledgedBeforeDelivery() throws Exception {
        try (CmEndpoint end = create(new Noting())) {
            long id = fake("last");
            happens(id, CmEventType.ADDR_RESOLVED, 0, 0);
            happens(id, CmEventType.CONNECT_RESPONSE, 0, 0);
            assertThat(next().type()).isEqualTo(CmEventType.ADDR_RESOLVED);
            Told response = next();
            assertThat(response.type()).isEqualTo(CmEventType.CONNECT_RESPONSE);
            assertThat(response.conn().privateData()).containsExactly(7, 7, 7, 7, 7, 7, 7, 7);
            assertThat(response.unacked()).isZero();
            assertThat(end.portNum()).isEqualTo(1);
        }
    }

    /** Closes an end while its own event is delivered; in C that waits for ever. */
    @Test
    void sinkMayCloseItsEnd() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        CmEndpoint[] end = new CmEndpoint[1];
        end[0] = create(new Noting() {
            @Override
            public void event(int type, int status, ConnParam conn, UdParam ud, Object context) {
                end[0].close();
                closed.countDown();
            }
        });
        happens(fake("last"), CmEventType.ROUTE_ERROR, -Errno.ETIMEDOUT, 0);
        assertThat(closed.await(PATIENCE, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void unclaimedRequestIsDestroyed() throws Exception {
        CmEndpoint listener = create(new Noting() {
            @Override
            public CmSink connectRequest(CmEndpoint child, ConnParam conn) {
                super.connectRequest(child, conn);
                return null;
            }
        });
        listener.listen(1);
        happens(fake("last"), CmEventType.CONNECT_REQUEST, 0, 0);
        Told request = next();
        assertThat(request.unacked()).isZero();
        listener.close();
        request.child().close(); // a first or second close, depending on the order
    }

    /** A wildcard listener gets requests on all devices. */
    @Test
    void requestAtOtherDeviceIsDestroyed() throws Exception {
        try (CmEndpoint listener = create(new Noting())) {
            long id = fake("last");
            listener.listen(1);
            happens(id, CmEventType.CONNECT_REQUEST, 0, 1);
            happens(id, CmEventType.CONNECT_REQUEST, 0, 0);
            Told request = next();
            assertThat(request.conn().privateData()).hasSize(8);
            assertThat(fake("ids")).as("the listener's id and one more").isEqualTo(2);
            request.child().close();
        }
    }

    @Test
    void resolvingToOtherDeviceFails() throws Exception {
        try (CmEndpoint end = create(new Noting())) {
            happens(fake("last"), CmEventType.ADDR_RESOLVED, 0, 1);
            Told error = next();
            assertThat(error.type()).isEqualTo(CmEventType.ADDR_ERROR);
            assertThat(error.status()).isEqualTo(-Errno.EADDRNOTAVAIL);
            assertThatThrownBy(() -> end.resolveRoute(1)).isInstanceOf(VerbsException.class);
        }
    }

    /** Answers once; the program's own disconnect then does nothing. */
    @Test
    void disconnectOfPeerIsAnswered() throws Exception {
        try (CmEndpoint end = create(new Noting())) {
            long id = fake("last");
            happens(id, CmEventType.ROUTE_RESOLVED, 0, 0);
            next();
            end.connect(ConnParam.DEFAULT);
            long before = fake("disconnects");
            happens(id, CmEventType.DISCONNECTED, 0, 0);
            assertThat(next().type()).isEqualTo(CmEventType.DISCONNECTED);
            end.disconnect();
            assertThat(fake("disconnects")).isEqualTo(before + 1);
            happens(id, CmEventType.DEVICE_REMOVAL, 0, 0);
            assertThat(next().type()).isEqualTo(CmEventType.DEVICE_REMOVAL);
        }
    }

    @Test
    void errorsAreTranslatedToApi() throws Exception {
        try (CmEndpoint end = create(new Noting())) {
            long id = fake("last");
            assertThatThrownBy(() -> end.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7)))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE));
            end.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 8));
            assertThat(end.localAddress()).isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 8));
            happens(id, CmEventType.ADDR_ERROR, -Errno.ENODEV, 0);
            assertThat(next().status()).isEqualTo(-Errno.EADDRNOTAVAIL);
            happens(id, CmEventType.REJECTED, -Errno.ECONNREFUSED, 0); // on iWARP
            assertThat(next().status()).isEqualTo(RejectReason.CONSUMER_DEFINED);
        }
    }

    /** librdmacm would dereference a missing device; the test library ends the process. */
    @Test
    void callsOutOfOrderNeverReachC() {
        try (CmEndpoint end = create(new Noting())) {
            assertThatThrownBy(() -> end.accept(ConnParam.DEFAULT)).isInstanceOf(VerbsException.class);
            assertThatThrownBy(end::establish).isInstanceOf(VerbsException.class);
            assertThatThrownBy(() -> end.reject(RejectReason.CONSUMER_DEFINED, new byte[0]))
                    .isInstanceOf(VerbsException.class);
            assertThatThrownBy(() -> end.connect(ConnParam.DEFAULT)).isInstanceOf(VerbsException.class);
        }
    }

    private static void refused(int errno, org.assertj.core.api.ThrowableAssert.ThrowingCallable what) {
        assertThatThrownBy(what)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    /** Fails before the kernel is called, which would return EINVAL. */
    @Test
    void acceptingAbandonedRequestFails() throws Exception {
        try (CmEndpoint listener = create(new Noting())) {
            long id = fake("last");
            listener.listen(1);
            happens(id, CmEventType.CONNECT_REQUEST, 0, 0);
            try (CmEndpoint child = next().child()) {
                happens(fake("last"), CmEventType.REJECTED, RejectReason.TIMEOUT, 0);
                assertThat(next().type()).isEqualTo(CmEventType.REJECTED);
                refused(Errno.ECONNABORTED, () -> child.qpAttr(io.verbs4j.QpState.INIT));
                refused(Errno.ECONNABORTED, () -> child.accept(ConnParam.DEFAULT));
            }
        }
    }

    /** Requests count as well, even after their listener is closed. */
    @Test
    void contextIsBusyWhileIdsAreOpen() throws Exception {
        CmEndpoint listener = create(new Noting());
        long id = fake("last");
        listener.listen(1);
        refused(Errno.EBUSY, () -> children.closeFor("close_device", () -> {}));
        happens(id, CmEventType.CONNECT_REQUEST, 0, 0);
        CmEndpoint child = next().child();
        listener.close();
        assertThatThrownBy(() -> children.closeFor("close_device", () -> {}))
                .hasMessageContaining("EBUSY")
                .hasMessageContaining("the context still has {id of the connection manager=1}");
        child.close();
        child.close();
        children.closeFor("close_device", () -> {});
        refused(Errno.EINVAL, () -> create(new Noting()));
    }

    @Test
    void addressOfDatagramsIsReadCompletely() throws Exception {
        try (CmEndpoint end = manager.create(manager.context(), PortSpace.UDP, new Noting())) {
            happens(fake("last"), CmEventType.ESTABLISHED, 0, 0);
            UdParam ud = next().ud();
            assertThat(ud.ahAttr())
                    .usingRecursiveComparison()
                    .isEqualTo(new AhAttr()
                            .dlid(0x1234)
                            .sl(3)
                            .srcPathBits(1)
                            .staticRate(4)
                            .portNum(2)
                            .grh(new GlobalRoute()
                                    .flowLabel(0xabcde)
                                    .sgidIndex(7)
                                    .hopLimit(9)
                                    .trafficClass(10)));
            assertThat(ud.qpNum()).isEqualTo(0x123456);
            assertThat(ud.qkey()).isEqualTo(0x8000_0001);
            assertThat(ud.privateData()).containsExactly(7, 7, 7, 7, 7, 7, 7, 7);
            assertThat(end.context()).isSameAs(manager.context());
        }
    }

    @Test
    void resolvingBroadcastOrMulticastAddressFails() throws Exception {
        for (String address : new String[] {"255.255.255.255", "224.0.0.5"}) {
            try (CmEndpoint end = create(new Noting())) {
                end.resolveAddress(null, new InetSocketAddress(address, 7), 1);
                assertThat(next().status()).isEqualTo(-Errno.EADDRNOTAVAIL);
            }
        }
    }

    /** The kernel applies it to active ends only. */
    @Test
    void ackTimeoutOfListenersAndRequestsIsKeptInJava() throws Exception {
        try (CmEndpoint listener = create(new Noting())) {
            long id = fake("last");
            listener.listen(1);
            listener.setOption(CmOption.ACK_TIMEOUT, 12);
            refused(Errno.EINVAL, () -> listener.setOption(CmOption.ACK_TIMEOUT, 32));
            happens(id, CmEventType.CONNECT_REQUEST, 0, 0);
            try (CmEndpoint child = next().child()) {
                child.setOption(CmOption.ACK_TIMEOUT, 13);
            }
        }
        try (CmEndpoint end = manager.create(manager.context(), PortSpace.UDP, new Noting())) {
            refused(Errno.EINVAL, () -> end.setOption(CmOption.ACK_TIMEOUT, 12));
        }
    }
}
