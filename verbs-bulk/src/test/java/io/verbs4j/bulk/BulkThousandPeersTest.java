/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.Resources;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.OwnThreads;
import io.verbs4j.testsupport.Patience;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** One endpoint has a thousand peers; when they are gone, the process uses no more resources than before. */
@Full
@ParameterizedClass
@EnumSource(
        value = Strategy.class,
        names = {"EVERYTHING", "BY_TCP"})
class BulkThousandPeersTest {
    private static final int CLIENTS = 4;
    private static final int PEERS = 1000;
    private static final int FEW = 2 * CLIENTS;
    private static final int MESSAGE = 48;
    private static final int AREA = 6000;

    /** More than a piece, but not a multiple of it. */
    private static final int LENGTH = 5000;

    private static final int SLOTS = 8;
    private static final int SLOT_BYTES = 4096;

    /** Heap that a peer may leave behind: a table entry, not a connection. */
    private static final long MORE_HEAP = PEERS * 1024L;

    /** The two devices keep buffers of packets, at most 17 MB. The connections of one side had 42 MB. */
    private static final long MORE_DIRECT = PEERS * SLOTS * SLOT_BYTES;

    @Parameter
    Strategy strategy;

    private BulkConfig config(Context context) {
        return strategy.config(context)
                .withProgress(BulkProgress.SERVICE)
                .withSlots(SLOTS)
                .withSlotBytes(SLOT_BYTES)
                .withPieceBytes(4096);
    }

    private static void until(BooleanSupplier holds) {
        long start = System.nanoTime();
        for (int turn = 0; !holds.getAsBoolean(); turn++) {
            assertThat(System.nanoTime() - start).as("nanoseconds of waiting").isLessThan(Patience.NANOS);
            Patience.pause(turn);
        }
    }

    private static byte pattern(int peer, int at) {
        return (byte) (peer * 31 + at * 7);
    }

    private static void fill(BulkBuffer buffer, int offset, int length, int peer) {
        for (int i = 0; i < length; i++) {
            buffer.bytes().put(offset + i, pattern(peer, i));
        }
    }

    private static void assertFilled(BulkBuffer buffer, int offset, int length, int peer) {
        for (int i = 0; i < length; i++) {
            if (buffer.bytes().get(offset + i) != pattern(peer, i)) {
                throw new AssertionError("byte " + i + " of peer " + peer + " is wrong");
            }
        }
    }

    /** The endpoint with all the peers. */
    private static final class Server {
        final Map<Integer, BulkPeer> peers = new ConcurrentHashMap<>();
        final BulkEndpoint endpoint;
        final BulkRing ring;
        final BulkBuffer messages;
        final BulkBuffer memory;
        final BulkWindow window;

        Server(BulkConfig config) {
            BulkListener listener = new BulkListener() {
                @Override
                public void peerUp(BulkPeer peer) {
                    peers.put(peer.id(), peer);
                }

                @Override
                public void peerDown(BulkPeer peer, int errno) {
                    peers.remove(peer.id());
                }
            };
            endpoint = BulkEndpoint.open(
                    config.withAddress(new InetSocketAddress(0)).withListener(listener));
            ring = endpoint.ring(4096);
            messages = endpoint.allocate(PEERS * MESSAGE);
            memory = endpoint.allocate(PEERS * AREA);
            window = memory.window(0, memory.length(), BulkWindow.WRITE);
        }

        /** Receives a message and a notification from each peer, and checks all bytes. */
        void takeAll(int count) {
            until(() -> peers.size() == count);
            messages.bytes().put(0, new byte[PEERS * MESSAGE]);
            List<BulkPeer> all = new ArrayList<>(peers.values());
            for (int n = 0; n < count; n++) {
                ring.receive(ring.next(), all.get(n), 0, messages, (long) n * MESSAGE, MESSAGE, n);
            }
            ring.submit();
            Map<Integer, Integer> numbers = new ConcurrentHashMap<>(); // by this side's identifier
            Map<Integer, Integer> notified = new ConcurrentHashMap<>();
            while (numbers.size() < count || notified.size() < count) {
                assertThat(ring.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
                ring.handle((userData, result, flags, peer, value) -> {
                    int number = (int) value;
                    if ((flags & BulkResult.NOTIFY_ARRIVED) != 0) {
                        assertFilled(memory, number * AREA, LENGTH, number);
                        assertThat(notified.put(peer, number))
                                .as("notified again")
                                .isNull();
                        return;
                    }
                    assertThat(result).isEqualTo(MESSAGE);
                    assertFilled(messages, (int) userData * MESSAGE, MESSAGE, number);
                    assertThat(numbers.put(peer, number)).as("received again").isNull();
                });
            }
            assertThat(notified).isEqualTo(numbers);
            assertThat(numbers.values()).doesNotHaveDuplicates();
        }
    }

    /** An endpoint with some of the peers, numbered from {@code first}. */
    private static final class Client {
        final BulkEndpoint endpoint;
        final BulkRing ring;
        final BulkBuffer buffer;

        Client(BulkConfig config) {
            endpoint = BulkEndpoint.open(config);
            ring = endpoint.ring(1024);
            buffer = endpoint.allocate(PEERS / CLIENTS * AREA);
        }

        List<BulkPeer> run(Server server, int first, int count) {
            InetSocketAddress address = server.endpoint.address();
            List<BulkPeer> peers = new ArrayList<>();
            for (int n = 0; n < count; n++) {
                BulkPeer peer = endpoint.connect(address, Patience.SECONDS, TimeUnit.SECONDS);
                peers.add(peer);
                fill(buffer, n * AREA, AREA, first + n);
                int i = ring.next();
                ring.send(i, peer, 0, buffer, (long) n * AREA, MESSAGE, n);
                ring.value(i, first + n);
                i = ring.next();
                long to = (long) (first + n) * AREA;
                ring.put(i, peer, buffer, (long) n * AREA, server.window.id(), to, LENGTH, n);
                ring.flags(i, BulkFlags.NOTIFY);
                ring.value(i, first + n);
                ring.submit();
            }
            int[] bytes = {0};
            for (int left = 2 * count; left > 0; ) {
                assertThat(ring.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
                left -= ring.handle((userData, result, flags, peer, value) -> {
                    assertThat(result).isIn((long) MESSAGE, (long) LENGTH);
                    bytes[0] += (int) result;
                });
            }
            assertThat(bytes[0]).isEqualTo(count * (MESSAGE + LENGTH));
            return peers;
        }
    }

    /** Each peer sends, puts and notifies; then all close, one half from each side. */
    private static void connectAndClose(Server server, List<Client> clients, int count) throws Exception {
        List<CompletableFuture<List<BulkPeer>>> running = new ArrayList<>();
        int share = count / clients.size();
        for (int c = 0; c < clients.size(); c++) {
            int number = c;
            running.add(OwnThreads.supply(() -> clients.get(number).run(server, number * share, share)));
        }
        server.takeAll(count);
        List<BulkPeer> peers = new ArrayList<>();
        for (CompletableFuture<List<BulkPeer>> one : running) {
            peers.addAll(one.get(Patience.SECONDS, TimeUnit.SECONDS));
        }
        peers.stream().limit(count / 2).forEach(BulkPeer::close);
        until(() -> server.peers.size() == count - count / 2);
        new ArrayList<>(server.peers.values()).forEach(BulkPeer::close);
        until(() -> server.peers.isEmpty() && peers.stream().noneMatch(BulkPeer::isOpen));
    }

    private void openAndClose(int count) throws Exception {
        try (Resources resources = new Resources()) {
            Server server = new Server(config(resources.add(strategy.openSecond())));
            resources.add(server.endpoint);
            Context context = resources.add(strategy.openFirst());
            List<Client> clients = new ArrayList<>();
            for (int c = 0; c < CLIENTS; c++) {
                clients.add(new Client(config(context)));
                resources.add(clients.get(c).endpoint);
            }
            connectAndClose(server, clients, count); // its queues have grown and its pools are filled
            Footprint before = Footprint.now();
            connectAndClose(server, clients, count);
            before.assertReturns(MORE_HEAP, MORE_DIRECT);
        } // EBUSY if a region or a queue pair were left
    }

    @Test
    void thousandPeersLeaveNothing() throws Exception {
        openAndClose(FEW);
        Footprint before = Footprint.now();
        openAndClose(PEERS);
        before.assertReturns(MORE_HEAP, MORE_DIRECT);
    }
}
