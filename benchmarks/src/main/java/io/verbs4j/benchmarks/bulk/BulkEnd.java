/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.bulk;

import io.verbs4j.Context;
import io.verbs4j.benchmarks.rc.RcEnd;
import io.verbs4j.benchmarks.wire.Link;
import io.verbs4j.benchmarks.wire.Places;
import io.verbs4j.benchmarks.wire.Transport;
import io.verbs4j.bulk.BulkBuffer;
import io.verbs4j.bulk.BulkConfig;
import io.verbs4j.bulk.BulkEndpoint;
import io.verbs4j.bulk.BulkFlags;
import io.verbs4j.bulk.BulkListener;
import io.verbs4j.bulk.BulkPeer;
import io.verbs4j.bulk.BulkResult;
import io.verbs4j.bulk.BulkRing;
import io.verbs4j.bulk.BulkWindow;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * An end of a connection of verbs-bulk, whose program drives it. As with plain verbs, messages are sent from one buffer
 * and arrive in a ring of {@link Places}.
 */
abstract class BulkEnd implements Transport {
    private static final int RING = 1024;
    private static final int BYTES_UNDER_WAY = 2 << 20;
    private static final int LEAST_UNDER_WAY = 4;

    /** A connection has 128 requests under way at most, of which messages need some. */
    private static final int MOST_UNDER_WAY = 112;

    private static final int STUCK_SECONDS = 60;

    final int size;

    /** What is under way at most. */
    final int depth;

    /** How many messages there is room for; the next goes where the first one was. */
    final int places;

    final BulkRing ring;
    final BulkPeer peer;
    final BulkBuffer buffer;

    /** The peer's memory. */
    final long window;

    private final Context context;
    private final BulkEndpoint endpoint;
    private final Places memory;
    private volatile BulkPeer accepted;
    private int completions;
    private int notifications;

    BulkEnd(Link link, boolean client, int size) throws IOException {
        this.size = size;
        depth = Math.max(LEAST_UNDER_WAY, Math.min(MOST_UNDER_WAY, BYTES_UNDER_WAY / size));
        memory = new Places(size);
        places = memory.count();
        context = RcEnd.openDevice();
        BulkConfig config = BulkConfig.of(context).withListener(new Acceptance());
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        endpoint = BulkEndpoint.open(client ? config : config.withAddress(anyPort));
        ring = endpoint.ring(RING);
        buffer = endpoint.register(memory.memory());
        String own = Long.toString(buffer.window(0, memory.memory().capacity(), BulkWindow.READ | BulkWindow.WRITE)
                .id());
        if (client) {
            int port = Integer.parseInt(link.hear());
            peer = endpoint.connect(new InetSocketAddress(anyPort.getAddress(), port), STUCK_SECONDS, TimeUnit.SECONDS);
        } else {
            link.tell(Integer.toString(endpoint.address().getPort()));
            peer = acceptedPeer();
        }
        window = Long.parseLong(link.exchange(own));
        meet(client);
        link.exchange("connected");
    }

    private BulkPeer acceptedPeer() throws IOException {
        long start = System.nanoTime();
        while (accepted == null) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(STUCK_SECONDS)) {
                throw new IOException("no connection within " + STUCK_SECONDS + " s");
            }
            take();
        }
        return accepted;
    }

    /** Each side uses the other's window once, for which the other must answer: from then on it need not. */
    private void meet(boolean client) {
        if (!client) {
            awaitNotification();
        }
        put(0, 1, true);
        ring.submit();
        awaitCompletions(1);
        if (client) {
            awaitNotification();
        }
    }

    /** Where messages are sent from: bytes from the beginning of the memory. */
    final long sourceOffset() {
        return memory.sourceOffset();
    }

    /** Fills in a PUT of the next message. */
    final void put(long number, int length, boolean notify) {
        int entry = ring.next();
        ring.put(entry, peer, buffer, sourceOffset(), window, number % places * size, length, number);
        if (notify) {
            ring.flags(entry, BulkFlags.NOTIFY);
            ring.value(entry, number & Integer.MAX_VALUE);
        }
    }

    /** Takes completions and notifications that are there; answers whether there were any. */
    final boolean take() {
        int place = ring.peek();
        boolean any = place >= 0;
        for (; place >= 0; place = ring.peek()) {
            long result = ring.result(place);
            if (result < 0) {
                throw new IllegalStateException("an entry failed: " + BulkResult.toString(result));
            }
            if ((ring.resultFlags(place) & BulkResult.NOTIFY_ARRIVED) != 0) {
                notifications++;
            } else {
                completions++;
            }
            ring.advance(1);
        }
        return any;
    }

    /** Waits as a program does: by looking for a while, then asleep. */
    final void sleep() {
        if (!ring.await(STUCK_SECONDS, TimeUnit.SECONDS)) {
            throw stuck();
        }
        boolean unused = take();
    }

    /** Polls until there is something. */
    final void poll() {
        if (!take()) {
            long start = System.nanoTime();
            while (!take()) {
                if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(STUCK_SECONDS)) {
                    throw stuck();
                }
            }
        }
    }

    private static IllegalStateException stuck() {
        return new IllegalStateException("no completion within " + STUCK_SECONDS + " s");
    }

    /** Polls for so many completions of this side's entries. */
    final void awaitCompletions(int count) {
        while (completions < count) {
            poll();
        }
        completions -= count;
    }

    /** Polls for a notification. */
    final void awaitNotification() {
        while (notifications == 0) {
            poll();
        }
        notifications--;
    }

    /** How many entries have completed since the last time. */
    final int completions() {
        int count = completions;
        completions = 0;
        return count;
    }

    /** How many notifications have come since the last time. */
    final int notifications() {
        int count = notifications;
        notifications = 0;
        return count;
    }

    @Override
    public final void prepare(long seed) {
        memory.prepare(seed);
    }

    @Override
    public final void check(long messages) {
        memory.check(messages, true);
    }

    @Override
    public final void close() {
        endpoint.close();
        context.close();
    }

    /** Notes who has connected. */
    private final class Acceptance implements BulkListener {
        @Override
        public void peerUp(BulkPeer up) {
            accepted = up;
        }
    }
}
