/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AethTest {
    /** Table 45 of the specification. */
    private static final int[] CREDITS = {
        0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768
    };

    /** Table 46 of the specification, in hundredths of a millisecond. */
    private static final int[] TIMERS = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    @Test
    void creditCodesMatchSpecification() {
        for (int code = 0; code < CREDITS.length; code++) {
            assertThat(Aeth.credits(code)).isEqualTo(CREDITS[code]);
            assertThat(Aeth.creditCode(CREDITS[code])).isEqualTo(code);
        }
        assertThat(Aeth.credits(Aeth.CREDITS_UNLIMITED)).isEqualTo(Integer.MAX_VALUE);
    }

    /** A responder never promises more credits than it has. */
    @Test
    void creditsAreRoundedDown() {
        for (int credits = -2; credits < 70_000; credits++) {
            int code = Aeth.creditCode(credits);
            assertThat(code).isBetween(0, 30);
            assertThat(Aeth.credits(code)).isLessThanOrEqualTo(Math.max(credits, 0));
            if (code < 30) {
                assertThat(Aeth.credits(code + 1)).isGreaterThan(credits);
            }
        }
    }

    @Test
    void rnrTimersMatchSpecification() {
        for (int code = 0; code < TIMERS.length; code++) {
            assertThat(Aeth.rnrTimerNanos(code)).isEqualTo(TIMERS[code] * 10_000L);
        }
    }

    @Test
    void everySyndromeHasAtMostOneKind() {
        for (int syndrome = 0; syndrome < 256; syndrome++) {
            int upper = syndrome >>> 5;
            assertThat(Aeth.isAck(syndrome)).isEqualTo(upper == 0);
            assertThat(Aeth.isRnrNak(syndrome)).isEqualTo(upper == 1);
            assertThat(Aeth.isNak(syndrome)).isEqualTo(upper == 3);
            assertThat(Aeth.value(syndrome)).isEqualTo(syndrome & 31);
        }
        assertThat(Aeth.ack(5)).isEqualTo(0x05);
        assertThat(Aeth.rnrNak(5)).isEqualTo(0x25);
        assertThat(Aeth.nak(Aeth.NAK_PSN_SEQUENCE_ERROR)).isEqualTo(0x60);
        assertThat(Aeth.nak(Aeth.NAK_INVALID_REQUEST)).isEqualTo(0x61);
        assertThat(Aeth.nak(Aeth.NAK_REMOTE_ACCESS_ERROR)).isEqualTo(0x62);
        assertThat(Aeth.nak(Aeth.NAK_REMOTE_OPERATIONAL_ERROR)).isEqualTo(0x63);
        assertThat(Aeth.nak(Aeth.NAK_INVALID_RD_REQUEST)).isEqualTo(0x64);
        assertThat(Aeth.ACK_UNLIMITED).isEqualTo(Aeth.ack(Aeth.CREDITS_UNLIMITED));
    }
}
