/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

/** Formats sizes. */
public final class Sizes {
    private Sizes() {}

    /** Formats a size, for instance as 64B, 4KiB or 1MiB. */
    public static String text(int bytes) {
        if (bytes % (1 << 20) == 0) {
            return (bytes >> 20) + "MiB";
        }
        return bytes % (1 << 10) == 0 ? (bytes >> 10) + "KiB" : bytes + "B";
    }
}
