/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.testsupport.Patience;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process is stopped for so long that the device gives it up, and then continues or stays away. */
class BulkRecoveryIT {
    private static final int SIZE = 1 << 20;
    private static final int GETS = 20;

    private static void signal(Process process, String name) throws Exception {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        assertThat(status).isZero();
    }

    private static BulkPeer connect(BulkEndpoint endpoint, String port) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
        return endpoint.connect(address, Patience.SECONDS, TimeUnit.SECONDS);
    }

    private static void get(BulkRing ring, BulkPeer peer, BulkBuffer buffer, long window) {
        for (int n = 0; n < GETS; n++) {
            ring.get(ring.next(), peer, buffer, (long) n * SIZE, window, 0, SIZE, n);
        }
        ring.submit();
    }

    /** Waits until the loss is noticed; on a busy machine, a short recovery can be over before this thread looks. */
    private static void awaitLoss(BulkRing ring, BulkPeer peer) {
        long start = System.nanoTime();
        while (!peer.isRecovering() && peer.isOpen()) {
            assertThat(System.nanoTime() - start)
                    .as("time until the loss is detected")
                    .isLessThan(Patience.NANOS);
            boolean unused = ring.await(10, TimeUnit.MILLISECONDS);
        }
    }

    private static void assertResults(BulkRing ring, long least, long most) {
        for (int n = 0; n < GETS; n++) {
            assertThat(ring.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(ring.result(ring.peek())).isIn(least, most);
            ring.advance(1);
        }
        assertThat(ring.await(200, TimeUnit.MILLISECONDS))
                .as("further completions")
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"EVERYTHING", "WITHOUT_READ", "WRITE_ALONE"})
    void stoppedPeerResumes(Strategy strategy) throws Exception {
        Process server = BulkProcessesIT.start(strategy);
        try (BufferedReader said = server.inputReader();
                Context context = strategy.openFirst();
                BulkEndpoint endpoint =
                        BulkEndpoint.open(BulkConfig.of(context).withRecovery(Patience.SECONDS, TimeUnit.SECONDS))) {
            String[] words = said.readLine().split(" ", -1);
            BulkPeer peer = connect(endpoint, words[0]);
            BulkRing ring = endpoint.ring(64);
            BulkBuffer buffer = endpoint.allocate(GETS * SIZE);
            signal(server, "STOP");
            Canaries out = new Canaries(endpoint, SIZE).fill(7);
            ring.put(ring.next(), peer, out.buffer, Canaries.MARGIN, Long.parseLong(words[1]), 0, SIZE, GETS);
            get(ring, peer, buffer, Long.parseLong(words[1]));
            awaitLoss(ring, peer);
            signal(server, "CONT");
            assertThat(ring.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(BulkResult.toString(ring.result(ring.peek()))).isEqualTo(SIZE + " bytes");
            ring.advance(1);
            assertResults(ring, SIZE, SIZE);
            assertThat(peer.reconnections()).isPositive();
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    /** The peer's machine still answers for the process, but the process does not. */
    @Test
    void unresponsivePeerIsGivenUp() throws Exception {
        Process server = BulkProcessesIT.start(Strategy.EVERYTHING);
        try (BufferedReader said = server.inputReader();
                Context context = Strategy.EVERYTHING.openFirst();
                BulkEndpoint endpoint = BulkEndpoint.open(BulkConfig.of(context).withRecovery(1, TimeUnit.SECONDS))) {
            String[] words = said.readLine().split(" ", -1);
            BulkPeer peer = connect(endpoint, words[0]);
            BulkRing ring = endpoint.ring(64);
            BulkBuffer buffer = endpoint.allocate(GETS * SIZE);
            signal(server, "STOP");
            get(ring, peer, buffer, Long.parseLong(words[1]));
            awaitLoss(ring, peer);
            assertResults(ring, -Errno.ECONNRESET, -Errno.ECONNRESET);
            assertThat(peer.isOpen()).isFalse();
            assertThat(peer.isRecovering()).isFalse();
        } finally {
            signal(server, "CONT");
            server.destroyForcibly().waitFor();
        }
    }
}
