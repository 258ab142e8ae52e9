/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.GlobalRoute;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.Resources;
import io.verbs4j.SendFlags;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.strategy.Abilities;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections by real queue pairs of type UD, between the two embedded devices. */
class QueuePairWireTest {
    private static final int KEY = 5;
    private static final int QKEY = 0x1234;
    private static final int SLOTS = 16;
    private static final int SLOT_BYTES = 8192;
    private static final int SIZE = 8 << 20;
    private static final long RECEIVE = Long.MIN_VALUE;

    private final Resources resources = new Resources();
    private final End a = new End(0, 100, 200);
    private final End b = new End(1, 200, 100);

    private final class End implements DatagramUser {
        final Context context;
        final CompletionQueue cq;
        final MemoryRegion source;
        final ByteBuffer bytes = ByteBuffer.allocateDirect(SIZE);
        final ByteBuffer target = ByteBuffer.allocate(SIZE);
        final ByteBuffer slotBytes =
                ByteBuffer.allocate(SLOTS * SLOT_BYTES + ControlLayout.SIZE).order(ByteOrder.LITTLE_ENDIAN);
        final QueuePairWire wire;
        final DatagramPosts posts;
        final long peerToken;
        final List<ByteBuffer> messages = new ArrayList<>();
        final List<Integer> values = new ArrayList<>();
        final List<Integer> failures = new ArrayList<>();
        final WorkCompletion[] completions = {new WorkCompletion()};
        int flushed;
        int sent = -1;
        int status;

        End(int device, long token, long peerToken) {
            this.peerToken = peerToken;
            context = resources.add(Verbs.open(Verbs.devices().get(device), VerbsLevel.CURRENT));
            ProtectionDomain pd = resources.add(context.allocPd());
            cq = resources.add(context.createCq(512));
            source = resources.add(pd.regMr(bytes, AccessFlags.LOCAL_WRITE));
            for (int i = 0; i < SIZE; i += Long.BYTES) {
                bytes.putLong(i, i * 0x9e37_79b9_7f4aL + device);
            }
            wire = resources.add(
                    new QueuePairWire(pd, new Abilities(Abilities.DATAGRAMS), cq, 1, QKEY, 128, 128, 0, RECEIVE));
            posts = new DatagramPosts(
                    wire,
                    new DatagramSlots(slotBytes, 0, SLOT_BYTES, SLOTS),
                    this,
                    new DatagramSettings(token, 64, 64),
                    System::nanoTime);
            for (int i = 0; i < SLOTS; i++) {
                assertThat(posts.receive(new RecvWorkRequest().wrId(i))).isZero();
            }
            assertThat(posts.prepare()).isZero();
        }

        void connect(End peer) {
            wire.connect(
                    new AhAttr()
                            .isGlobal(true)
                            .portNum(1)
                            .grh(new GlobalRoute()
                                    .dgid(peer.context.queryGid(1, 0))
                                    .sgidIndex(0)
                                    .hopLimit(1)),
                    peer.wire.number(),
                    QKEY);
            posts.peer(peerToken, peer.wire.mtu());
            posts.connected();
        }

        boolean turn() {
            boolean any = false;
            while (cq.poll(1, completions) == 1) {
                any = true;
                WorkCompletion wc = completions[0];
                if (wc.wrId() < 0) {
                    posts.arrived((int) wc.wrId(), wc.status(), wire.length(wc.byteLen()));
                } else {
                    posts.completed((int) wc.wrId(), wc.status());
                }
            }
            posts.advance();
            return any;
        }

        @Override
        public void sent(int number, int with) {
            sent = number;
            status = with;
        }

        @Override
        public void received(int slot, int with, boolean told, int immediate, int length) {
            if (with != WcStatus.SUCCESS) {
                flushed++;
                return;
            }
            if (told) {
                values.add(immediate);
            } else {
                byte[] message = new byte[length];
                slotBytes.get(slot * SLOT_BYTES, message);
                messages.add(ByteBuffer.wrap(message));
            }
            assertThat(posts.receive(new RecvWorkRequest().wrId(slot))).isZero();
        }

        @Override
        public boolean place(int key, long address, ByteBuffer from, int at, int length) {
            if (key != KEY || address < 0 || address > SIZE - length) {
                return false;
            }
            target.put((int) address, from, at, length);
            return true;
        }

        @Override
        public void active() {
            // each turn advances
        }

        @Override
        public void failedBy(int with) {
            failed(Errno.ECONNRESET);
        }

        @Override
        public void failed(int errno) {
            failures.add(errno);
            posts.fail();
        }
    }

    private void connect() {
        a.connect(b);
        b.connect(a);
    }

    private void until(BooleanSupplier holds) {
        long start = System.nanoTime();
        int turn = 0;
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - start > Patience.NANOS) {
                throw new AssertionError("timed out");
            }
            boolean any = a.turn();
            any |= b.turn();
            if (!any) {
                Patience.pause(turn++);
            }
        }
    }

    @AfterEach
    void close() {
        resources.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 983, 984, 985, 4055, 4056, 4057, 100_000, SIZE})
    void writeArrivesBeforeItsValue(int size) {
        connect();
        assertThat(a.posts.writeAndTell(
                        7, SendFlags.SIGNALED, a.source.lkey(), a.source.addr(), size, KEY, SIZE - size, 99))
                .isZero();
        assertThat(a.posts.flush()).isZero();
        until(() -> !b.values.isEmpty());
        assertThat(b.values).containsExactly(99);
        assertThat(b.target.slice(SIZE - size, size)).isEqualTo(a.bytes.slice(0, size));
        until(() -> a.sent == 7);
        assertThat(a.status).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 919, 920, 921, 4032, SLOT_BYTES - 64})
    void messageOfAnySizeArrives(int size) {
        connect();
        a.slotBytes.putLong(SLOTS * SLOT_BYTES, 42);
        assertThat(a.posts.send(
                        9,
                        SendFlags.SIGNALED,
                        0,
                        SLOTS * SLOT_BYTES,
                        64,
                        a.source.lkey(),
                        size == 0 ? 0 : a.source.addr() + 8,
                        size))
                .isZero();
        assertThat(a.posts.flush()).isZero();
        until(() -> a.sent == 9);
        assertThat(b.messages).hasSize(1);
        ByteBuffer message = b.messages.get(0).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(message.getLong(0)).isEqualTo(42);
        assertThat(message.slice(64, size)).isEqualTo(a.bytes.slice(8, size));
    }

    @Test
    void bothSidesSendAtOnce() {
        connect();
        for (int i = 0; i < 8; i++) {
            for (End end : List.of(a, b)) {
                long address = end.source.addr() + (i << 20);
                assertThat(end.posts.write(i, SendFlags.SIGNALED, end.source.lkey(), address, 1 << 20, KEY, i << 20))
                        .isZero();
                assertThat(end.posts.flush()).isZero();
            }
        }
        until(() -> a.sent == 7 && b.sent == 7);
        assertThat(b.target).isEqualTo(a.bytes);
        assertThat(a.target).isEqualTo(b.bytes);
    }

    @Test
    void refusedWriteEndsConnection() {
        connect();
        assertThat(a.posts.write(1, SendFlags.SIGNALED, a.source.lkey(), a.source.addr(), 8, KEY + 1, 0))
                .isZero();
        assertThat(a.posts.flush()).isZero();
        until(() -> a.flushed == SLOTS && b.flushed == SLOTS);
        assertThat(a.sent).isEqualTo(1);
        assertThat(a.status).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(b.failures).containsExactly(Errno.EPROTO);
        assertThat(a.failures).containsExactly(Errno.ECONNRESET);
        assertThat(b.target).isEqualTo(ByteBuffer.allocate(SIZE));
    }

    /** Datagrams that arrive before the peer is known are kept. */
    @Test
    void sideConnectedLaterAcknowledgesEarlierPackets() {
        a.connect(b);
        assertThat(a.posts.writeAndTell(3, SendFlags.SIGNALED, a.source.lkey(), a.source.addr(), 5, KEY, 0, 1))
                .isZero();
        assertThat(a.posts.flush()).isZero();
        until(() -> !b.values.isEmpty());
        assertThat(a.sent).isEqualTo(-1);
        b.connect(a);
        until(() -> a.sent == 3);
    }
}
