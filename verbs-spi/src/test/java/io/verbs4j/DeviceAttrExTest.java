/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DeviceAttrExTest {
    private static DeviceAttrEx clock(long khz) {
        DeviceAttrEx attr = new DeviceAttrEx();
        attr.offer(DeviceAttrEx.HCA_CORE_CLOCK, khz);
        return attr;
    }

    @Test
    void ticksConvertAtOddRate() {
        assertThat(clock(156_250).nanosOfTicks(156_250)).isEqualTo(1_000_000);
        assertThat(clock(156_250).nanosOfTicks(1)).isEqualTo(6);
        assertThat(clock(156_250).nanosOfTicks(1_000_000_007L)).isEqualTo(6_400_000_044L);
        assertThat(clock(2_000_000).nanosOfTicks(3)).isEqualTo(1);
        assertThat(clock(333_333).nanosOfTicks(0)).isZero();
    }

    @Test
    void allTickBitsConvert() {
        assertThat(clock(1_000_000).nanosOfTicks(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThat(clock(1_000_000).nanosOfTicks(1L << 62)).isEqualTo(1L << 62);
        assertThat(clock(4_000_000).nanosOfTicks(-1)).isEqualTo((1L << 62) - 1);
    }

    /** For any ticks and rate, the result equals that of BigInteger. */
    @Test
    void conversionIsExact() {
        Random random = new Random(3);
        for (int i = 0; i < 100_000; i++) {
            long ticks = random.nextLong() >>> random.nextInt(Long.SIZE);
            long khz = Math.max(1, random.nextLong() >>> 1 + random.nextInt(Long.SIZE - 1));
            khz = i % 100 == 0 ? ~khz : khz; // among the largest unsigned numbers
            BigInteger exact =
                    unsigned(ticks).multiply(BigInteger.valueOf(1_000_000)).divide(unsigned(khz));
            assertThat(clock(khz).nanosOfTicks(ticks))
                    .as(Long.toUnsignedString(ticks) + " ticks of " + Long.toUnsignedString(khz) + " kHz")
                    .isEqualTo(exact.longValue());
        }
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    @Test
    void convertingTicksWithoutRateFails() {
        assertThatThrownBy(() -> new DeviceAttrEx().nanosOfTicks(1))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP))
                .hasMessageContaining("does not report its clock rate");
    }

    /** A type without its own field does not get that of the vendor's types. */
    @Test
    void sendOperationsBelongToOneType() {
        DeviceAttrEx attr = new DeviceAttrEx();
        for (int field = DeviceAttrEx.SEND_OPS_RC; field <= DeviceAttrEx.SEND_OPS_DRIVER; field++) {
            attr.offer(field, 1L << field);
        }
        assertThat(attr.sendOps(QpType.RC)).isEqualTo(1L << DeviceAttrEx.SEND_OPS_RC);
        assertThat(attr.sendOps(QpType.UC)).isEqualTo(1L << DeviceAttrEx.SEND_OPS_UC);
        assertThat(attr.sendOps(QpType.UD)).isEqualTo(1L << DeviceAttrEx.SEND_OPS_UD);
        assertThat(attr.sendOps(QpType.XRC_SEND)).isEqualTo(1L << DeviceAttrEx.SEND_OPS_XRC_SEND);
        assertThat(attr.sendOps(QpType.DRIVER)).isEqualTo(1L << DeviceAttrEx.SEND_OPS_DRIVER);
        for (int other : new int[] {QpType.RAW_PACKET, QpType.XRC_RECV, 0, 77, -1, Integer.MIN_VALUE}) {
            assertThat(attr.sendOps(other)).as("type %d", other).isZero();
        }
    }
}
