/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

/** A side that takes longer to warm up than others: it runs some more times before its first measurement. */
public final class WarmSide implements Side {
    private final Side side;
    private int left;

    /**
     * Makes one.
     *
     * @param side the side to measure
     * @param times how many more times it runs
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
