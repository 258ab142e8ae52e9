/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

/** The codes of the receiver-not-ready timer. Source: InfiniBand Architecture Specification 9.7.5.2.8, table 45. */
public final class RnrTimer {
    /** Times by code, in units of 10 µs; code 0 is the longest. */
    private static final int[] TENS_OF_MICROS = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192,
        256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    private RnrTimer() {}

    /** Returns the time of a code in nanoseconds. */
    public static long nanos(int code) {
        return TENS_OF_MICROS[code & 31] * 10_000L;
    }
}
