/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.clock;

import java.util.function.LongSupplier;

/** The clock of {@link System#nanoTime()}, which the device uses unless a test supplies another. */
public final class SystemClock implements LongSupplier {
    @Override
    public long getAsLong() {
        return System.nanoTime();
    }
}
