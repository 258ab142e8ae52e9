/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendFlags;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Packets, requests and their repetition allocate nothing. */
class DatagramAllocationTest {
    private static final int MTU = 1024;
    private static final int PLACES = 96;
    private static final int SLOT_BYTES = 4096;
    private static final int ROUNDS = 3_000;

    private long now;
    private int completed;
    private int arrived;

    /** Delivers datagrams to the other side immediately, except one in eleven. */
    private static final class DirectWire implements Wire {
        private final ByteBuffer headers = ByteBuffer.allocate(PLACES * 128).order(ByteOrder.LITTLE_ENDIAN);
        private final ByteBuffer received = ByteBuffer.allocate(PLACES * MTU).order(ByteOrder.LITTLE_ENDIAN);
        private final int[] free = new int[PLACES];
        private final int[] full = new int[PLACES];
        private final int[] lengths = new int[PLACES];
        private final int[] sent = new int[PLACES];
        private int freeCount;
        private int fullCount;
        private int sentCount;
        private int count;
        private DirectWire peer;

        @Override
        public ByteBuffer headers() {
            return headers;
        }

        @Override
        public ByteBuffer received() {
            return received;
        }

        @Override
        public int receivedAt(int place) {
            return place * MTU;
        }

        @Override
        public int sends() {
            return PLACES;
        }

        @Override
        public int receives() {
            return PLACES;
        }

        @Override
        public boolean isLossless() {
            return false;
        }

        @Override
        public int write(int place, int lkey, long address, int length, int rkey, long remoteAddress) {
            throw new AssertionError("writes are sent as datagrams");
        }

        @Override
        public int read(int place, int lkey, long address, int length, int rkey, long remoteAddress) {
            throw new AssertionError("there are no reads");
        }

        @Override
        public int mtu() {
            return MTU;
        }

        @Override
        public int send(int place, int headerLength, int lkey, long address, int length) {
            sent[sentCount++] = place;
            if (count++ % 11 > 0 && peer.freeCount > 0) {
                int to = peer.free[--peer.freeCount];
                peer.received.put(to * MTU, headers, place * 128, headerLength);
                peer.lengths[to] = headerLength + length;
                peer.full[peer.fullCount++] = to;
            }
            return 0;
        }

        @Override
        public int flush() {
            return 0;
        }

        @Override
        public int receive(int place) {
            free[freeCount++] = place;
            return 0;
        }

        @Override
        public void fail() {
            throw new AssertionError("failed");
        }

        void turn(DatagramPosts posts) {
            for (int i = 0; i < fullCount; i++) {
                posts.arrived(full[i], 0, lengths[full[i]]);
            }
            fullCount = 0;
            while (sentCount > 0) {
                posts.completed(sent[--sentCount], 0);
            }
            posts.advance();
        }
    }

    private final class CountingUser implements DatagramUser {
        private final RecvWorkRequest[] receives = new RecvWorkRequest[64];
        private DatagramPosts posts;

        @Override
        public void sent(int number, int status) {
            completed = number;
        }

        @Override
        public void received(int slot, int status, boolean told, int immediate, int length) {
            arrived++;
            post(slot);
        }

        void post(int slot) {
            if (posts.receive(receives[slot]) != 0) {
                throw new AssertionError("no room for slot " + slot);
            }
        }

        @Override
        public boolean place(int key, long address, ByteBuffer from, int at, int length) {
            return true;
        }

        @Override
        public void active() {
            // each turn advances
        }

        @Override
        public void failedBy(int status) {
            throw new AssertionError("failed: " + status);
        }

        @Override
        public void failed(int errno) {
            throw new AssertionError("failed: " + errno);
        }
    }

    private DatagramPosts end(DirectWire wire, long token) {
        ByteBuffer bytes = ByteBuffer.allocate(64 * SLOT_BYTES + 64 * 64).order(ByteOrder.LITTLE_ENDIAN);
        CountingUser user = new CountingUser();
        user.posts = new DatagramPosts(
                wire,
                new DatagramSlots(bytes, 0, SLOT_BYTES, 64),
                user,
                new DatagramSettings(token, 64, 64),
                () -> now);
        for (int i = 0; i < 64; i++) {
            user.receives[i] = new RecvWorkRequest().wrId(i);
            user.post(i);
        }
        assertThat(user.posts.prepare()).isZero();
        return user.posts;
    }

    private void exchange(DirectWire aWire, DirectWire bWire, DatagramPosts a, DatagramPosts b, int first) {
        for (int n = first; n < first + ROUNDS; n++) {
            if (a.send(n, SendFlags.SIGNALED, 0, 64 * SLOT_BYTES, 64, 0, 0, 2000) != 0
                    || a.write(n, SendFlags.SIGNALED, 0, 0, 5000, 1, 0) != 0
                    || a.writeAndTell(n, SendFlags.SIGNALED, 0, 0, 100, 1, 0, n) != 0
                    || a.flush() != 0) {
                throw new AssertionError("not posted");
            }
            while (completed != n || arrived < 2 * (n + 1)) {
                now += 1_000_000;
                bWire.turn(b);
                aWire.turn(a);
            }
        }
    }

    @Test
    void packetAllocatesNothing() {
        DirectWire aWire = new DirectWire();
        DirectWire bWire = new DirectWire();
        aWire.peer = bWire;
        bWire.peer = aWire;
        DatagramPosts a = end(aWire, 5);
        DatagramPosts b = end(bWire, 6);
        a.peer(6, MTU);
        b.peer(5, MTU);
        a.connected();
        b.connected();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 6 && least > 0; i++) { // the JVM itself allocates occasionally
            long before = threads.getCurrentThreadAllocatedBytes();
            exchange(aWire, bWire, a, b, i * ROUNDS);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes allocated").isZero();
    }
}
