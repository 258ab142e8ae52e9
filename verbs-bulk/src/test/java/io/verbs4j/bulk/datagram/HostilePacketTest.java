/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.WcStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Datagrams that no honest peer sends: from strangers, of an old connection, or of a peer that violates the protocol.
 */
class HostilePacketTest {
    private static final int KEY = 77;
    private static final int SIZE = 500;

    private final ModelPair pair = new ModelPair(1, Faults.NONE);
    private final byte[] target = new byte[SIZE];

    HostilePacketTest() {
        pair.b.targets.put(KEY, target);
    }

    /** Returns a valid write of 8 bytes. */
    private ByteBuffer packet() {
        ByteBuffer packet = ByteBuffer.allocate(PacketLayout.SIZE + 8).order(ByteOrder.LITTLE_ENDIAN);
        packet.putLong(PacketLayout.TOKEN, pair.b.token);
        packet.put(PacketLayout.KIND, (byte) PacketLayout.WRITE);
        packet.put(PacketLayout.FLAGS, (byte) PacketLayout.LAST);
        packet.putShort(PacketLayout.LENGTH, (short) 8);
        packet.putInt(PacketLayout.SEQUENCE, (int) pair.b.token);
        packet.putInt(PacketLayout.ACKNOWLEDGED, (int) pair.a.token);
        packet.putInt(PacketLayout.KEY, KEY);
        packet.putLong(PacketLayout.SIZE, -1);
        return packet;
    }

    private static byte[] bytes(ByteBuffer packet) {
        byte[] bytes = new byte[packet.capacity()];
        packet.get(0, bytes);
        return bytes;
    }

    private void take(ByteBuffer packet) {
        pair.b.wire.take(bytes(packet));
        pair.b.turn();
    }

    private void assertUntouched() {
        assertThat(target).containsOnly(0);
        assertThat(pair.b.arrivals).isEmpty();
    }

    /** Asserts that the packet was dropped without any effect, because anyone may have sent it. */
    private void assertDropped() {
        assertUntouched();
        assertThat(pair.b.failures).isEmpty();
        assertThat(pair.b.posts.dropped()).isEqualTo(1);
        assertThat(pair.b.wire.posted()).isEqualTo(pair.b.wire.receives());
        assertThat(pair.a.tell(KEY, 0, 3, new byte[] {9})).isTrue();
        assertThat(pair.a.posts.flush()).isZero();
        pair.pass(1_000_000);
        assertThat(pair.b.arrivals).hasSize(1);
        assertThat(target[0]).isEqualTo((byte) 9);
    }

    /** Asserts that the connection has ended and the peer knows why, because only the peer can have sent the packet. */
    private void assertRefused() {
        assertEnded();
        assertThat(pair.a.write(KEY, 0, new byte[1])).isTrue();
        assertThat(pair.a.write(KEY, 0, new byte[1])).isTrue();
        pair.pass(5_000_000);
        assertThat(pair.a.failures).containsExactly(Errno.ECONNRESET);
        assertThat(pair.a.sents)
                .containsExactly(
                        new ModelEnd.Sent(0, WcStatus.REM_ACCESS_ERR), new ModelEnd.Sent(1, WcStatus.WR_FLUSH_ERR));
    }

    private void assertEnded() {
        assertUntouched();
        assertThat(pair.b.failures).containsExactly(Errno.EPROTO);
        pair.b.turn();
        assertThat(pair.b.flushedSlots).as("returned slots").isEqualTo(ModelEnd.SLOTS);
    }

    @Test
    void validPacketIsAccepted() {
        take(packet());
        assertThat(ByteBuffer.wrap(target).getLong()).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1L << 32, 1L << 63})
    void packetWithWrongTokenIsDropped(long difference) {
        take(packet().putLong(PacketLayout.TOKEN, pair.b.token ^ difference));
        assertDropped();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 9, 0xffff})
    void packetWithWrongLengthIsDropped(int length) {
        take(packet().putShort(PacketLayout.LENGTH, (short) length));
        assertDropped();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 39})
    void datagramShorterThanHeaderIsDropped(int length) {
        take(ByteBuffer.wrap(Arrays.copyOf(bytes(packet()), length)));
        assertDropped();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 6, 255})
    void packetOfUnknownKindIsDropped(int kind) {
        take(packet().put(PacketLayout.KIND, (byte) kind));
        assertDropped();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 1 << 30})
    void acknowledgementOfUnsentPacketIsDropped(int ahead) {
        take(packet().putInt(PacketLayout.ACKNOWLEDGED, (int) pair.a.token + ahead));
        assertDropped();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, -64, ModelEnd.WINDOW, ModelEnd.WINDOW + 1, Integer.MIN_VALUE})
    void numberOutsideWindowIsIgnored(int difference) {
        take(packet().putInt(PacketLayout.SEQUENCE, (int) pair.b.token + difference));
        assertUntouched();
        assertThat(pair.b.failures).isEmpty();
        assertThat(pair.b.wire.posted()).isEqualTo(pair.b.wire.receives());
    }

    @Test
    void replayedPacketIsIgnored() {
        take(packet());
        target[0] = 5;
        take(packet());
        ByteBuffer.wrap(target).putLong(0, 0);
        take(packet());
        assertUntouched();
        assertThat(pair.b.wire.posted()).isEqualTo(pair.b.wire.receives());
    }

    /** Early packets are kept in their receives, each once. */
    @Test
    void earlyPacketIsKeptOnce() {
        ByteBuffer early = packet().putInt(PacketLayout.SEQUENCE, (int) pair.b.token + 1);
        take(early);
        take(early);
        assertUntouched();
        assertThat(pair.b.wire.posted()).isEqualTo(pair.b.wire.receives() - 1);
        take(packet());
        assertThat(pair.b.wire.posted()).isEqualTo(pair.b.wire.receives());
        assertThat(target[7]).isEqualTo((byte) -1);
    }

    @ParameterizedTest
    @CsvSource({"78,0", "77,-1", "77,493", "77,500", "77,9223372036854775807", "77,-9223372036854775808", "0,0"})
    void writeOutsideAllowedMemoryIsRefused(int key, long address) {
        take(packet().putInt(PacketLayout.KEY, key).putLong(PacketLayout.ADDRESS, address));
        assertRefused();
    }

    @Test
    void valueInMiddleOfMessageIsRefused() {
        take(packet().put(PacketLayout.KIND, (byte) PacketLayout.SEND).put(PacketLayout.FLAGS, (byte) 0));
        take(packet().putInt(PacketLayout.SEQUENCE, (int) pair.b.token + 1));
        assertEnded();
    }

    @Test
    void messageLongerThanSlotIsRefused() {
        ByteBuffer part = ByteBuffer.allocate(ModelPair.MTU).order(ByteOrder.LITTLE_ENDIAN);
        part.put(0, bytes(packet())).put(PacketLayout.KIND, (byte) PacketLayout.SEND);
        part.put(PacketLayout.FLAGS, (byte) 0).putShort(PacketLayout.LENGTH, (short) ModelPair.PAYLOAD);
        int parts = ModelEnd.SLOT_BYTES / ModelPair.PAYLOAD;
        for (int i = 0; i < parts; i++) {
            take(part.putInt(PacketLayout.SEQUENCE, (int) pair.b.token + i));
            assertThat(pair.b.failures).isEmpty();
        }
        take(part.putInt(PacketLayout.SEQUENCE, (int) pair.b.token + parts));
        assertEnded();
    }

    @Test
    void messageWithoutSlotIsRefused() {
        pair.b.keepsSlots = true;
        ByteBuffer message = packet().put(PacketLayout.KIND, (byte) PacketLayout.SEND);
        for (int i = 0; i < ModelEnd.SLOTS; i++) {
            take(message.putInt(PacketLayout.SEQUENCE, (int) pair.b.token + i));
        }
        assertThat(pair.b.arrivals).hasSize(ModelEnd.SLOTS);
        assertThat(pair.b.failures).isEmpty();
        take(packet().put(PacketLayout.FLAGS, (byte) (PacketLayout.LAST | PacketLayout.TELL))
                .putInt(PacketLayout.SEQUENCE, (int) pair.b.token + ModelEnd.SLOTS));
        assertThat(pair.b.failures).containsExactly(Errno.EPROTO);
    }

    @Test
    void packetAfterEndIsIgnored() {
        pair.b.posts.fail();
        take(packet());
        assertUntouched();
    }

    @Test
    void randomPacketsWithValidTokenAreHarmless() {
        Random random = new Random(5);
        for (int i = 0; i < 200; i++) {
            ModelPair noisy = new ModelPair(i, Faults.NONE);
            noisy.b.targets.put(KEY, target);
            for (int n = 0; n < 100; n++) {
                byte[] noise = new byte[random.nextInt(ModelPair.MTU + 1)];
                random.nextBytes(noise);
                if (noise.length > PacketLayout.SIZE) {
                    ByteBuffer packet = ByteBuffer.wrap(noise).order(ByteOrder.LITTLE_ENDIAN);
                    packet.putLong(PacketLayout.TOKEN, noisy.b.token);
                    packet.put(PacketLayout.KIND, (byte) random.nextInt(7));
                    packet.putShort(PacketLayout.LENGTH, (short) (noise.length - PacketLayout.SIZE));
                    packet.putInt(PacketLayout.SEQUENCE, (int) noisy.b.token + random.nextInt(4));
                    packet.putInt(PacketLayout.ACKNOWLEDGED, (int) noisy.a.token - random.nextInt(3));
                }
                noisy.b.wire.take(noise);
                noisy.b.turn();
            }
            assertThat(noisy.b.failures).hasSizeLessThanOrEqualTo(1);
        }
        assertThat(target).containsOnly(0);
    }
}
