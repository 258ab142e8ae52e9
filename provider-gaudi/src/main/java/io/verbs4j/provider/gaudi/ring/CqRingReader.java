/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.Errno;
import io.verbs4j.PollCqAttr;
import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.ring.RingReader;
import java.util.function.BooleanSupplier;

/** Reads single completions of a port's completion queue, and counts empty polls. */
public final class CqRingReader extends RingReader {
    private final CqRing ring;

    /**
     * Creates a reader of a ring.
     *
     * @param overrun returns whether completions were lost
     */
    public CqRingReader(CqRing ring, BooleanSupplier overrun) {
        super(ring, overrun);
        this.ring = ring;
    }

    @Override
    public int startPoll(PollCqAttr attr) {
        int answer = super.startPoll(attr);
        if (answer == Errno.ENOENT) {
            ring.foundNothing();
        }
        return answer;
    }

    @Override
    public int poll(int numEntries, WorkCompletion[] wc, int wcSize) {
        int taken = super.poll(numEntries, wc, wcSize);
        if (taken == 0) {
            ring.foundNothing();
        }
        return taken;
    }
}
