/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.mlx5.layout.CqeLayout;
import io.verbs4j.rdmacore.memory.NativeMemory;
import io.verbs4j.rdmacore.object.Mlx5Clock;
import io.verbs4j.rdmacore.ring.RingReader;
import java.util.function.BooleanSupplier;

/** Reads completions with time stamps, in ticks and in time. */
public final class TimedReader extends RingReader {
    private final boolean hasTicks;
    private final boolean hasTime;
    private final Mlx5Clock clock;

    /**
     * For a ring.
     *
     * @param wcFlags what is wanted of its completions
     * @param clock makes time of ticks; null where it is not wanted
     * @param overrun whether completions were lost
     */
    public TimedReader(CqRing ring, long wcFlags, Mlx5Clock clock, BooleanSupplier overrun) {
        super(ring, overrun);
        this.hasTicks = (wcFlags & WcExFlags.COMPLETION_TIMESTAMP) != 0;
        this.hasTime = clock != null;
        this.clock = clock;
    }

    @Override
    protected long take(WorkCompletion to, int size) {
        long cqe = super.take(to, size);
        if (cqe != 0 && (hasTicks || hasTime) && to.status() == WcStatus.SUCCESS) { // else its error is there
            long ticks = NativeMemory.getNetLong(cqe + CqeLayout.TIMESTAMP);
            if (hasTicks) {
                to.completionTs(ticks);
            }
            if (hasTime) {
                to.completionWallclockNs(clock.toNanos(ticks));
            }
        }
        return cqe;
    }

    @Override
    protected void begin() {
        if (hasTime) {
            clock.refresh();
        }
    }
}
