/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.Resources;
import io.verbs4j.testsupport.Patience;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Peers that all have more data share the device by bytes. */
@ParameterizedClass
@EnumSource(
        value = Strategy.class,
        names = {"EVERYTHING", "WRITE_ALONE"})
class BulkFairnessTest {
    private static final int PEERS = 8;
    private static final int PIECE = 4096;

    private static final int LENGTH = 4 * PIECE;

    /** Each has at least this many bytes submitted and not completed: more than may be in flight. */
    private static final long AHEAD = 64L * PIECE;

    private static final long TOTAL = 64L << 20;

    @Parameter
    Strategy strategy;

    private final Resources resources = new Resources();
    private Context first;
    private Context second;

    @BeforeEach
    void open() {
        first = resources.add(strategy.openFirst());
        second = resources.add(strategy.openSecond());
    }

    @AfterEach
    void close() {
        resources.close();
    }

    /** Opens an endpoint that a thread drives. */
    private BulkEndpoint endpoint(Context context, boolean listens) {
        BulkConfig config = strategy.config(context).withPieceBytes(PIECE);
        return resources.add(BulkEndpoint.open(listens ? config.withAddress(new InetSocketAddress(0)) : config));
    }

    /** Endless PUTs of equal length to a peer. */
    private static final class Puts {
        final BulkPeer peer;
        final BulkRing ring;
        final BulkBuffer from;
        final long window;
        final int length;
        final int number;
        long ahead;
        long done;

        Puts(BulkPeer peer, BulkRing ring, BulkBuffer from, long window, int length, int number) {
            this.peer = peer;
            this.ring = ring;
            this.from = from;
            this.window = window;
            this.number = number;
            this.length = length;
        }

        void submit() {
            while (ahead < AHEAD) {
                ring.put(ring.next(), peer, from, 0, window, 0, length, number);
                ahead += length;
            }
            ring.submit();
        }

        void completed(long result) {
            assertThat(result).isEqualTo(length);
            ahead -= length;
            done += length;
        }
    }

    private static long done(Puts... all) {
        return Arrays.stream(all).mapToLong(puts -> puts.done).sum();
    }

    private static void assertFair(Puts... all) {
        long[] shares = Arrays.stream(all).mapToLong(puts -> puts.done).toArray();
        long mean = done(all) / all.length;
        assertThat(Arrays.stream(shares).min().orElseThrow())
                .as("smallest of %s", Arrays.toString(shares))
                .isGreaterThanOrEqualTo(mean / 2);
    }

    private static void run(Puts[] all, BulkRing[] rings, BulkRing... others) {
        long start = System.nanoTime();
        while (done(all) < TOTAL) {
            assertThat(System.nanoTime() - start).as("nanoseconds").isLessThan(Patience.NANOS);
            for (Puts puts : all) {
                puts.submit();
            }
            for (BulkRing ring : rings) {
                ring.handle((number, result, flags, peer, value) -> all[(int) number].completed(result));
            }
            for (BulkRing other : others) {
                other.handle((userData, result, flags, peer, value) -> {});
            }
        }
        assertFair(all);
    }

    /** Shares do not depend on the length of entries, from half a piece to 32 pieces. */
    @Test
    void endpointDividesBandwidthAmongPeers() {
        BulkEndpoint source = endpoint(first, false);
        BulkRing ring = source.ring(4096);
        BulkBuffer from = source.allocate((int) AHEAD);
        Puts[] all = new Puts[PEERS];
        BulkRing[] others = new BulkRing[PEERS];
        for (int n = 0; n < PEERS; n++) {
            BulkEndpoint target = endpoint(second, true);
            others[n] = target.ring(2);
            BulkBuffer to = target.allocate((int) AHEAD);
            BulkWindow window = to.window(0, to.length(), BulkWindow.WRITE);
            BulkPeer peer = source.connect(target.address(), Patience.SECONDS, TimeUnit.SECONDS);
            all[n] = new Puts(peer, ring, from, window.id(), PIECE / 2 << n % 4 * 2, n);
        }
        run(all, new BulkRing[] {ring}, others);
    }

    /** Each peer is an endpoint of its own. */
    @Test
    void peersOfEndpointGetEqualShares() {
        BulkEndpoint target = endpoint(second, true);
        BulkRing other = target.ring(2);
        BulkBuffer to = target.allocate((int) AHEAD);
        BulkWindow window = to.window(0, to.length(), BulkWindow.WRITE);
        Puts[] all = new Puts[PEERS];
        BulkRing[] rings = new BulkRing[PEERS];
        for (int n = 0; n < PEERS; n++) {
            BulkEndpoint source = endpoint(first, false);
            rings[n] = source.ring(1024);
            BulkPeer peer = source.connect(target.address(), Patience.SECONDS, TimeUnit.SECONDS);
            all[n] = new Puts(peer, rings[n], source.allocate((int) AHEAD), window.id(), LENGTH, n);
        }
        run(all, rings, other);
    }
}
