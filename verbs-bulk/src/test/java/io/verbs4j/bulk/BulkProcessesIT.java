/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.testsupport.Patience;
import io.verbs4j.testsupport.program.Jdk;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transfers between two processes, and with one that is killed in their middle. */
class BulkProcessesIT {
    private static final int SIZE = 8 << 20;

    /** Exports a window and echoes messages; prints its port and the window. */
    static final class Server {
        private Server() {}

        public static void main(String... args) {
            Strategy strategy = Strategy.valueOf(args[0]);
            try (Context context = strategy.openFirst();
                    BulkEndpoint endpoint = BulkEndpoint.open(strategy.config(context)
                            .withProgress(BulkProgress.SERVICE)
                            .withAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))) {
                BulkRing ring = endpoint.ring(64);
                BulkBuffer buffer = endpoint.allocate(SIZE);
                BulkWindow window = buffer.window(0, SIZE, BulkWindow.READ | BulkWindow.WRITE);
                System.out.println(endpoint.address().getPort() + " " + window.id());
                int[] end = new int[1];
                BulkHandler echo = (userData, result, flags, peer, value) -> {
                    if ((flags & BulkResult.NOTIFY_ARRIVED) != 0) {
                        ring.send(ring.next(), endpoint.peer(peer), 0, buffer, 0, value, 1);
                        ring.submit();
                    } else if (result < 0) {
                        end[0] = 1;
                    } else if (userData == 1) {
                        ring.receive(ring.next(), endpoint.peer(peer), 1, buffer, 0, 8, 2); // ends with the peer
                        ring.submit();
                    }
                };
                while (end[0] == 0) {
                    boolean unused = ring.await(1, TimeUnit.SECONDS);
                    ring.handle(echo);
                }
            }
        }
    }

    static Process start(Strategy strategy) throws Exception {
        List<String> command = new ArrayList<>(Jdk.own().command(List.of(), Server.class));
        command.add(strategy.name());
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @ParameterizedTest
    @EnumSource(names = {"EVERYTHING", "BY_TCP", "WITHOUT_READ", "WRITE_ALONE", "DATAGRAMS"})
    void transfersBetweenProcessesSucceedUntilPeerIsKilled(Strategy strategy) throws Exception {
        Process server = start(strategy);
        try (BufferedReader said = server.inputReader();
                Context context = strategy.openFirst();
                BulkEndpoint endpoint = BulkEndpoint.open(strategy.config(context))) {
            String[] words = said.readLine().split(" ", -1);
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(words[0]));
            long window = Long.parseLong(words[1]);
            BulkPeer peer = endpoint.connect(address, Patience.SECONDS, TimeUnit.SECONDS);
            BulkRing ring = endpoint.ring(64);
            Canaries out = new Canaries(endpoint, SIZE).fill(7);
            Canaries in = new Canaries(endpoint, SIZE);

            int put = ring.next();
            ring.put(put, peer, out.buffer, Canaries.MARGIN, window, 0, SIZE, 1);
            ring.flags(put, BulkFlags.NOTIFY);
            ring.value(put, SIZE);
            ring.receive(ring.next(), peer, 0, in.buffer, Canaries.MARGIN, SIZE, 2);
            ring.submit();
            next(ring, 1, SIZE);
            next(ring, 2, SIZE);
            assertThat(in.part()).isEqualTo(out.part());
            in.assertMargins();

            in.buffer.bytes().put(new byte[SIZE]);
            ring.get(ring.next(), peer, in.buffer, Canaries.MARGIN, window, 0, SIZE, 3);
            ring.submit();
            next(ring, 3, SIZE);
            assertThat(in.part()).isEqualTo(out.part());

            kill(server, ring, peer, in, window);
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private static void kill(Process server, BulkRing ring, BulkPeer peer, Canaries in, long window)
            throws InterruptedException {
        for (int n = 0; n < 30; n++) {
            ring.get(ring.next(), peer, in.buffer, Canaries.MARGIN, window, 0, SIZE, n);
        }
        ring.receive(ring.next(), peer, 5, in.buffer, Canaries.MARGIN, 8, 30);
        ring.submit();
        next(ring, 0, SIZE);
        long start = System.nanoTime();
        server.destroyForcibly().waitFor();
        boolean[] seen = new boolean[31];
        int failed = 0;
        for (int n = 1; n < 31; n++) {
            assertThat(ring.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
            int place = ring.peek();
            int userData = (int) ring.userData(place);
            assertThat(seen[userData]).isFalse();
            seen[userData] = true;
            assertThat(ring.result(place)).isIn((long) SIZE, (long) -Errno.ECONNRESET);
            failed += ring.result(place) < 0 ? 1 : 0;
            ring.advance(1);
        }
        assertThat(failed).isPositive();
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(60));
        byte[] canary = new byte[SIZE];
        Arrays.fill(canary, (byte) 0x77);
        in.buffer.bytes().put(Canaries.MARGIN, canary);
        assertThat(ring.await(200, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(in.part()).isEqualTo(canary);
        assertThat(peer.isOpen()).isFalse();
    }

    private static void next(BulkRing ring, long userData, long result) {
        assertThat(ring.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(ring.userData(ring.peek())).isEqualTo(userData);
        assertThat(BulkResult.toString(ring.result(ring.peek()))).isEqualTo(BulkResult.toString(result));
        ring.advance(1);
    }
}
