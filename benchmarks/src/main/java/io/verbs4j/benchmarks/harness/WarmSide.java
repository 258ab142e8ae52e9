/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

/** A side that needs more warm-up than others: runs additional times before its first measurement. */
public final class WarmSide implements Side {
    private final Side side;
    private int left;

    /**
     * Wraps a side.
     *
     * @param side the side to measure
     * @param times number of additional runs
     */
    public WarmSide(Side side, int times) {
        this.side = side;
        left = times;
    }

    @Override
    public double[] measure(double seconds) throws Exception {
        for (; left > 0; left--) {
            side.measure(seconds);
        }
        return side.measure(seconds);
    }

    @Override
    public boolean needsWarmUp() {
        return side.needsWarmUp();
    }
}
