/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

/** A side that takes longer to warm up than others: before it is measured first, it is run some times more. */
public final class WarmSide implements Side {
    private final Side side;
    private int left;

    /**
     * Makes one.
     *
     * @param side what is measured
     * @param times how often more
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
