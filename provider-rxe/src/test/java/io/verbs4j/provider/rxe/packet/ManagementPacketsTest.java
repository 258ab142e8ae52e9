/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Gid;
import io.verbs4j.cm.spi.GsiPort;
import io.verbs4j.cm.spi.GsiReceiver;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.wire.Deth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.testsupport.Patience;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Packets to and from queue pair 1. */
class ManagementPacketsTest {
    private static final long PATIENCE = Patience.SECONDS;
    private static final int UDP_PORT = 4791;

    private final TestContext context = TestContext.open((String) null);
    private final ScriptedPeer peer = new ScriptedPeer();
    private final GsiPort gsi = context.vendor(GsiPort.class);
    private final BlockingQueue<byte[]> received = new ArrayBlockingQueue<>(16);
    private final GsiReceiver receiver = new GsiReceiver() {
        @Override
        public void received(Gid source, Gid destination, ByteBuffer packet, int offset, int length) {
            assertThat(source).isEqualTo(peer.gid());
            assertThat(destination).isEqualTo(gsi.gids().get(0));
            byte[] mad = new byte[length];
            packet.get(offset, mad);
            received.add(mad);
        }

        @Override
        public void communicationEstablished(int qpNum) {
            throw new AssertionError(qpNum);
        }
    };

    @AfterEach
    void close() {
        gsi.close();
        peer.close();
        context.close();
    }

    private void send(int opcode, int qkey, int length) {
        peer.connect(gsi.gids().get(0), 1);
        peer.send(opcode, 0, false, bytes(length, length), (b, at) -> Deth.write(b, at, qkey, 1));
    }

    private void send(int length) {
        send(Opcode.UD_SEND_ONLY, Deth.GSI_QKEY, length);
    }

    private void dropped(int counter, Runnable what) throws InterruptedException {
        TransportCounters counters = context.port().transportCounters();
        long before = counters.get(counter);
        what.run();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        while (counters.get(counter) == before) {
            assertThat(System.nanoTime()).as("time until the drop is counted").isLessThan(end);
            Thread.sleep(1);
        }
        assertThat(counters.get(counter)).isEqualTo(before + 1);
        assertThat(received).isEmpty();
    }

    @Test
    void onlyManagementPacketsAreReceived() throws Exception {
        gsi.open(receiver);
        for (int length : new int[] {232, 256, 253}) {
            send(length);
            assertThat(received.poll(PATIENCE, TimeUnit.SECONDS)).isEqualTo(bytes(length, length));
        }
        // Linux does not check the sender.
        peer.send(Opcode.UD_SEND_ONLY, 0, false, bytes(256, 5), (b, at) -> Deth.write(b, at, Deth.GSI_QKEY, 77));
        assertThat(received.poll(PATIENCE, TimeUnit.SECONDS)).isEqualTo(bytes(256, 5));
        dropped(TransportCounters.WRONG_MAD_LENGTH, () -> send(231));
        dropped(TransportCounters.WRONG_MAD_LENGTH, () -> send(257));
        dropped(TransportCounters.WRONG_MAD_LENGTH, () -> send(0));
        dropped(TransportCounters.WRONG_MAD_LENGTH, () -> send(4096));
        dropped(TransportCounters.WRONG_QKEY, () -> send(Opcode.UD_SEND_ONLY, 0x8001_0001, 256));
        dropped(TransportCounters.WRONG_SERVICE, () -> send(Opcode.RC_SEND_ONLY, Deth.GSI_QKEY, 248));
        dropped(TransportCounters.WRONG_SERVICE, () -> send(Opcode.UD_SEND_ONLY_WITH_IMM, Deth.GSI_QKEY, 252));
        peer.pkey(0x1234);
        dropped(TransportCounters.WRONG_PKEY, () -> send(256));
        peer.pkey(0x7fff);
        send(256);
        assertThat(received.poll(PATIENCE, TimeUnit.SECONDS)).isEqualTo(bytes(256, 256));
    }

    @Test
    void packetsAreDroppedUnlessOpen() throws Exception {
        context.port().link(gsi.gids().get(0));
        dropped(TransportCounters.UNKNOWN_QP, () -> send(256));
        gsi.open(receiver);
        gsi.close();
        dropped(TransportCounters.UNKNOWN_QP, () -> send(256));
        assertThat(context.again().vendor(GsiPort.class)).isSameAs(gsi);
    }

    /** The port is in use while it is open, with or without contexts; afterwards its address is free. */
    @Test
    void closeReleasesAddress() throws Exception {
        gsi.open(receiver);
        InetAddress own = gsi.gids().get(0).toInetAddress();
        context.close();
        assertThatThrownBy(() -> new DatagramSocket(UDP_PORT, own)).isInstanceOf(BindException.class);
        gsi.close();
        new DatagramSocket(UDP_PORT, own).close();
    }

    @Test
    void packetsLookLikeThoseOfLinux() {
        gsi.open(receiver);
        Received got = null;
        for (int psn = 0; psn < 3; psn++) {
            gsi.send(gsi.gids().get(0), peer.gid(), 0, ByteBuffer.wrap(bytes(256, 9)));
            got = peer.next();
            assertThat(got.psn()).isEqualTo(psn);
        }
        assertThat(got.opcode()).isEqualTo(Opcode.UD_SEND_ONLY);
        assertThat(got.packet.destQpn()).isEqualTo(1);
        assertThat(got.packet.srcQpn()).isEqualTo(1);
        assertThat(got.packet.qkey()).isEqualTo(0x8001_0000);
        assertThat(got.packet.pkey()).isEqualTo(0xffff);
        assertThat(got.payload).isEqualTo(bytes(256, 9));
    }

    @Test
    void sourceAddressReachesDestination() throws Exception {
        gsi.open(receiver);
        Gid own = gsi.gids().get(0);
        assertThat(gsi.sourceFor(own)).isEqualTo(own);
        assertThat(gsi.sourceFor(peer.gid())).isEqualTo(own);
        assertThat(gsi.sourceFor(Gid.of(InetAddress.getByName("192.0.2.1")))).isNull();
    }
}
