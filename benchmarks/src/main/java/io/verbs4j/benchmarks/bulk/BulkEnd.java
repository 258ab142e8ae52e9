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
 * One end of a verbs-bulk connection that the program drives itself. As with plain verbs, messages are sent from one
 * buffer and arrive in a ring of {@link Places}.
 */
abstract class BulkEnd implements Transport {
    private static final int RING = 1024;
    private static final int BYTES_UNDER_WAY = 2 << 20;
    private static final int LEAST_UNDER_WAY = 4;

    /** Maximum number of entries in flight: a connection has at most 128 requests, some of which messages need. */
    private static final int MOST_UNDER_WAY = 112;

    private static final int STUCK_SECONDS = 60;

    final int size;

    /** Maximum number of entries in flight. */
    final int depth;

    /** Number of places for messages, which are used in turn. */
    final int places;

    final BulkRing ring;
    final BulkPeer peer;
    final BulkBuffer buffer;

    /** Window with the peer's memory. */
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

    /** Lets each side use the other's window once. Only this first use needs the other side's cooperation. */
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

    /** Returns the offset of the message to send in the memory, in bytes. */
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

    /** Takes the available completions and notifications. Returns whether there were any. */
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

    /** Waits as a program does: polls for a while, then sleeps. */
    final void sleep() {
        if (!ring.await(STUCK_SECONDS, TimeUnit.SECONDS)) {
            throw stuck();
        }
        boolean unused = take();
    }

    /** Polls until something has completed or arrived. */
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

    /** Polls until the given number of this side's entries has completed. */
    final void awaitCompletions(int count) {
        while (completions < count) {
            poll();
        }
        completions -= count;
    }

    /** Polls until a notification arrives. */
    final void awaitNotification() {
        while (notifications == 0) {
            poll();
        }
        notifications--;
    }

    /** Returns the number of entries completed since the last call. */
    final int completions() {
        int count = completions;
        completions = 0;
        return count;
    }

    /** Returns the number of notifications that arrived since the last call. */
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

    /** Records the peer that has connected. */
    private final class Acceptance implements BulkListener {
        @Override
        public void peerUp(BulkPeer up) {
            accepted = up;
        }
    }
}
