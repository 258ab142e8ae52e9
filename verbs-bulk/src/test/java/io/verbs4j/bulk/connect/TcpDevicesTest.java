/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Gid;
import io.verbs4j.Mtu;
import io.verbs4j.Resources;
import io.verbs4j.VerbsLevel;
import io.verbs4j.bulk.BulkConfig;
import io.verbs4j.bulk.BulkConnections;
import io.verbs4j.bulk.BulkEndpoint;
import io.verbs4j.bulk.BulkProgress;
import io.verbs4j.bulk.control.Hello;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An endpoint of two devices with one TCP port: a peer gets the device whose address it connected to. */
class TcpDevicesTest {
    private static final QueuePairAddress NOWHERE = new QueuePairAddress(
            0x999, 1, Gid.of(InetAddress.getLoopbackAddress()), 0, Mtu.MTU_1024, false, 1, 1, 0, 0);
    private static final Hello HELLO = new Hello(Hello.VERSION, 32, 1, 77, 0, 0, 4096, 0xf);

    private final Resources resources = new Resources();
    private final List<Context> contexts = new ArrayList<>();
    private int port;

    @BeforeEach
    void open() {
        for (Device device : Verbs.devices().subList(0, 2)) {
            contexts.add(resources.add(Verbs.open(device, VerbsLevel.CURRENT)));
        }
        BulkEndpoint endpoint = resources.add(BulkEndpoint.open(BulkConfig.of(contexts.get(0), contexts.get(1))
                .withProgress(BulkProgress.SERVICE)
                .withConnections(BulkConnections.TCP)
                .withAddress(new InetSocketAddress(0))));
        port = endpoint.address().getPort();
    }

    @AfterEach
    void close() {
        resources.close();
    }

    private InetAddress address(int device) {
        return contexts.get(device).queryGid(1, 0).toInetAddress();
    }

    /** Returns the GID of the queue pair in the answer to a peer. */
    private Gid answered(InetAddress address) throws IOException {
        try (Socket socket = new Socket(address, port)) {
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(Patience.SECONDS));
            ByteBuffer request =
                    TcpMessage.of(TcpMessage.REQUEST, NOWHERE, HELLO).encode();
            byte[] bytes = new byte[request.remaining()];
            request.get(bytes);
            socket.getOutputStream().write(bytes);
            byte[] reply = socket.getInputStream().readNBytes(bytes.length);
            TcpMessage message = TcpMessage.decode(ByteBuffer.allocate(TcpMessage.MAX)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(reply));
            assertThat(message.kind()).isEqualTo(TcpMessage.REPLY);
            return message.address().gid();
        }
    }

    @Test
    void peerGetsDeviceOfAddress() throws IOException {
        assertThat(address(0)).isNotEqualTo(address(1));
        for (int device : new int[] {0, 1, 0}) {
            assertThat(answered(address(device))).isEqualTo(contexts.get(device).queryGid(1, 0));
        }
    }

    /** For an address that no device has, the first device is used. */
    @Test
    void peerGetsFirstDeviceForUnknownAddress() throws IOException {
        InetAddress other = InetAddress.getByAddress(new byte[] {127, 77, 77, 77});
        assertThat(answered(other)).isEqualTo(contexts.get(0).queryGid(1, 0));
    }
}
