/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.wire.Packet;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** A ring whose sender writes arbitrary data: each packet that comes out is well-formed, and nothing takes forever. */
@Tag("attack")
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
@ParameterizedClass(name = "older sender {0}")
@ValueSource(booleans = {false, true})
class HostileRingTest {
    private static final int ROUNDS = Extent.isHours() ? 20_000 : 300;

    @Parameter
    boolean older;

    private final Random random = new Random(7);
    private final ByteBuffer from = ByteBuffer.allocateDirect(8192);
    private final ByteBuffer small = ByteBuffer.allocateDirect(64);
    private long handed;

    private long base(RingWriter ring) {
        return NativeMemory.address(ring.buffer());
    }

    private void look(Packet packet) {
        handed++;
        assertThat(packet.offset()).isZero();
        assertThat(packet.payloadOffset() + packet.payloadLength()).isLessThanOrEqualTo(RingLayout.MAX_PACKET);
        packet.psn();
        packet.destQpn();
        if (packet.remote() != null) {
            assertThat(packet.remote().bytes()).isBetween(1L, (long) RingWriter.SPAN_BYTES);
            int n = (int) Math.min(small.capacity(), packet.remote().bytes());
            packet.remote().fetch(0, NativeMemory.address(small), n);
            packet.remote().fetch(packet.remote().bytes() - n, NativeMemory.address(small), n);
            assertThat(packet.remote().fetch(-1, NativeMemory.address(small), 1))
                    .isFalse();
            assertThat(packet.remote()
                            .fetch(
                                    0,
                                    NativeMemory.address(small),
                                    packet.remote().bytes() + 1))
                    .isFalse();
            assertThat(packet.remote()
                            .fetch(
                                    1,
                                    NativeMemory.address(small),
                                    packet.remote().bytes()))
                    .isFalse();
        }
    }

    /** Returns a number near a significant one. */
    private long number() {
        long n = 1L << random.nextInt(64);
        return switch (random.nextInt(6)) {
            case 0 -> random.nextLong();
            case 1 -> random.nextInt(128);
            case 2 -> -random.nextInt(128);
            case 3 -> n;
            case 4 -> n - 1;
            default -> RingLayout.BYTES - random.nextInt(64);
        };
    }

    @Test
    void randomRingContentsDoNoHarm() throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            try (TwoAddresses two = new TwoAddresses()) {
                two.older = older;
                RingWriter ring = two.connect().ring();
                long base = base(ring);
                good(ring);
                for (int i = 0; i < 200; i++) {
                    spoil(base);
                    two.receiver.poll(this::look, 100, () -> {});
                }
            }
        }
        assertThat(handed).isPositive();
    }

    private void good(RingWriter ring) {
        for (int i = 0; i < 50; i++) {
            int length = TwoAddresses.packet(from, 0, new byte[random.nextInt(4000)]);
            ring.put(NativeMemory.address(from), length, length);
            int at = ring.beginSpan();
            if (at > 0) {
                ring.buffer().put(at, from, 0, 16);
                NativeMemory.putLong(ring.pieces(16), NativeMemory.address(from));
                NativeMemory.putLong(ring.pieces(16) + 8, 8192);
                ring.endSpan(16, 1, 8192);
            }
        }
    }

    private void spoil(long base) {
        switch (random.nextInt(8)) {
            case 0 -> NativeMemory.putLong(base + RingLayout.TAIL, number());
            case 1 ->
                NativeMemory.putLong(base + RingLayout.TAIL, NativeMemory.getLong(base + RingLayout.HEAD) + number());
            case 2 -> NativeMemory.putLong(base + RingLayout.HEAD, number());
            case 3 -> NativeMemory.putLong(base + RingLayout.EPOCH, number());
            case 4 -> NativeMemory.putLong(base + RingLayout.STATE, number());
            default -> {
                long at =
                        base + RingLayout.DATA + (NativeMemory.getLong(base + RingLayout.HEAD) & RingLayout.BYTES - 8);
                long end = base + RingLayout.SIZE - 8;
                at = Math.min(at + 8L * random.nextInt(30), end);
                if (random.nextBoolean()) {
                    NativeMemory.putInt(at, random.nextInt(5000));
                    NativeMemory.putInt(
                            at + 4, random.nextInt(4) | (random.nextBoolean() ? RingLayout.AFTER_PACKETS : 0));
                } else {
                    NativeMemory.putLong(at, number());
                }
            }
        }
    }

    @Test
    void lyingReceiverCausesNoWriteBeyondRing() throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            try (TwoAddresses two = new TwoAddresses()) {
                two.older = older;
                Channel channel = two.connect();
                RingWriter ring = channel.ring();
                long base = base(ring);
                for (int i = 0; i < 300; i++) {
                    if (random.nextInt(4) == 0) {
                        NativeMemory.putLong(base + RingLayout.HEAD, number());
                    }
                    if (random.nextInt(50) == 0) {
                        NativeMemory.putLong(base + RingLayout.COPYING, number());
                    }
                    ring.hasRoom();
                    int length = TwoAddresses.packet(from, 0, new byte[random.nextInt(4000)]);
                    ring.put(NativeMemory.address(from), length, length);
                    if (ring.beginSpan() > 0) {
                        ring.abandon();
                    }
                }
                NativeMemory.putLong(base + RingLayout.COPYING, 0); // otherwise closing waits for it
                assertThat(NativeMemory.getLong(base)).isEqualTo(RingLayout.MAGIC);
            }
        }
    }
}
