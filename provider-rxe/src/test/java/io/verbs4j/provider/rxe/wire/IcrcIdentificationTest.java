/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The IPv4 identification, which UDP sockets do not show, is computed. */
class IcrcIdentificationTest {
    private final Icrc icrc = new Icrc();
    private final Icrc strict = new Icrc(true);
    private final SplittableRandom random = new SplittableRandom(5);
    private final ByteBuffer b = ByteBuffer.allocateDirect(70_000);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 203, 204, 216, 217, 256, 1024, 4096, 9000})
    void everyIdentificationIsFound(int payload) {
        int length = TestPackets.send(b, 0, payload, random);
        for (int id = 0; id <= 0xffff; id++) {
            TestPackets.appendV4(icrc, b, 0, length, id);
            if (!TestPackets.verifyV4(icrc, b, 0, length) || icrc.solvedId() != id) {
                throw new AssertionError("id " + id + " found as " + icrc.solvedId());
            }
        }
    }

    /** All lengths of packets, on both sides of every step of the tables. */
    @Test
    void identificationIsFoundForEveryLength() {
        int padded = TestPackets.send(b, 0, 65_400, random);
        for (int length = 12; length <= padded; length += length < 5000 ? 4 : 252) {
            int id = random.nextInt(1 << 16);
            TestPackets.appendV4(icrc, b, 0, length, id);
            assertThat(TestPackets.verifyV4(icrc, b, 0, length)).isTrue();
            assertThat(icrc.solvedId()).isEqualTo(id);
        }
    }

    @Test
    void strictModeAcceptsOwnIdentificationsOnly() {
        int length = TestPackets.send(b, 0, 1024, random);
        for (int id = 0; id <= 0xffff; id++) {
            TestPackets.appendV4(icrc, b, 0, length, id);
            if (TestPackets.verifyV4(strict, b, 0, length) != (id <= Icrc.MAX_STRICT_ID)) {
                throw new AssertionError("id " + id);
            }
        }
        TestPackets.appendV4(icrc, b, 0, length, 64);
        assertThat(TestPackets.verifyV4(strict, b, 0, length)).isFalse();
        assertThat(strict.solvedId()).isEqualTo(Icrc.NO_ID);
    }

    /** A packet from a wrong address or port cannot be explained by an identification, except one in 65536. */
    @Test
    void addressesAndPortsAreCovered() {
        int length = TestPackets.send(b, 0, 64, random);
        TestPackets.appendV4(icrc, b, 0, length, 7);
        int whole = length + Icrc.LENGTH;
        long a = TestPackets.V4_A;
        long z = TestPackets.V4_B;
        assertThat(icrc.verify(b, 0, whole, 0, a, 0, z, 49152, 4791)).isTrue();
        assertThat(icrc.verify(b, 0, whole, 0, a, 0, z, 49153, 4791)).isFalse();
        assertThat(icrc.verify(b, 0, whole, 0, a, 0, z, 49152, 4790)).isFalse();
        assertThat(icrc.verify(b, 0, whole, 0, a + 1, 0, z, 49152, 4791)).isFalse();
        assertThat(icrc.verify(b, 0, whole, 0, a, 0, z + 1, 49152, 4791)).isFalse();
        assertThat(icrc.verify(b, 0, whole - 4, 0, a, 0, z, 49152, 4791)).isFalse();
    }

    @Test
    void multiplicationObeysFieldLaws() {
        int one = 1 << 31;
        for (int i = 0; i < 10_000; i++) {
            int x = random.nextInt();
            int y = random.nextInt();
            int z = random.nextInt();
            assertThat(CrcPowers.multiply(x, one)).isEqualTo(x);
            assertThat(CrcPowers.multiply(x, y)).isEqualTo(CrcPowers.multiply(y, x));
            assertThat(CrcPowers.multiply(CrcPowers.multiply(x, y), z))
                    .isEqualTo(CrcPowers.multiply(x, CrcPowers.multiply(y, z)));
            assertThat(CrcPowers.multiply(x, y ^ z)).isEqualTo(CrcPowers.multiply(x, y) ^ CrcPowers.multiply(x, z));
        }
    }
}
