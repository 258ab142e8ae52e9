/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.quirk;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.layout.DvClockInfoLayout;

/**
 * Converts the ticks in libmlx5's completions to nanoseconds since 1970, by the page that the kernel maintains for it,
 * as {@code mlx5dv_get_clock_info} reads it. The conversion is that of {@code mlx5dv_ts_to_ns}.
 *
 * <p>libmlx5 does the same for a queue that is created with wall-clock time, but its {@code start_poll} takes a
 * completion before it reads the page. If the kernel is writing the page then, it returns EBUSY, the completion is
 * lost, and in some releases the lock stays taken. So only ticks are requested from the driver.
 */
final class Mlx5Clock extends TickClock {
    private static final String VERB = "create_cq_ex";

    private final NativeFunction getClockInfo;
    private final long context;
    private final long area = NativeMemory.allocate(DvClockInfoLayout.SIZEOF);

    /**
     * Creates the clock of a {@code struct ibv_context} of libmlx5.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the kernel provides no time for the device
     */
    Mlx5Clock(long context) {
        this.context = context;
        try {
            getClockInfo = Libmlx5.function("mlx5dv_get_clock_info", 17);
            int error = ask();
            for (int i = 0; error == Errno.EBUSY && i < 1000; i++) {
                Thread.onSpinWait();
                error = ask();
            }
            if (error == Errno.EINVAL) { // the page does not exist
                throw new VerbsException(
                        Errno.EOPNOTSUPP,
                        VERB,
                        "the kernel does not report this device's clock; use COMPLETION_TIMESTAMP");
            }
            if (error != 0) {
                throw Answers.failed(VERB, error);
            }
        } catch (RuntimeException e) {
            free();
            throw e;
        }
    }

    private int ask() {
        int error = Answers.errno(getClockInfo.call(context, area));
        if (error == 0) { // otherwise its fields may belong to two moments
            set(
                    NativeMemory.getLong(area + DvClockInfoLayout.NSEC),
                    NativeMemory.getLong(area + DvClockInfoLayout.LAST_CYCLES),
                    NativeMemory.getLong(area + DvClockInfoLayout.FRAC),
                    NativeMemory.getInt(area + DvClockInfoLayout.MULT),
                    NativeMemory.getInt(area + DvClockInfoLayout.SHIFT),
                    NativeMemory.getLong(area + DvClockInfoLayout.MASK));
        }
        return error;
    }

    /** Reads the page again. While it is being written, the last values stay in use; they remain good for minutes. */
    @Override
    public void refresh() {
        ask();
    }

    @Override
    public void free() {
        NativeMemory.free(area);
    }
}
