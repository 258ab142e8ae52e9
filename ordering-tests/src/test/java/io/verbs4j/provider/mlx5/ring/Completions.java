/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbs4j.Errno;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ordering.Blocks;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JI_Result;

/**
 * A full ring of one place: one thread takes the completion, and another posts into the place that this frees. The
 * completion's id must be that of the completed work request, not of the next.
 */
final class Completions {
    private Completions() {}

    /** A receive queue. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "completed, then posted")
    @Outcome(id = "1, " + Errno.ENOMEM, expect = ACCEPTABLE, desc = "still full")
    @Outcome(expect = FORBIDDEN, desc = "the id of a receive that is not complete")
    @State
    public static class OfReceives {
        private final long memory = Blocks.take();
        private final ReceiveRing ring = new ReceiveRing(memory, 1, Wqe.SEGMENT, memory + Wqe.BLOCK, 1, 1);

        public OfReceives() {
            ring.post(new RecvWorkRequest().wrId(1), null);
        }

        @Actor
        public void poll(JI_Result r) {
            r.r1 = ring.complete(0);
        }

        @Actor
        public void post(JI_Result r) {
            r.r2 = ring.post(new RecvWorkRequest().wrId(2), null);
        }
    }

    /** A send queue. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "completed, then posted")
    @Outcome(id = "1, " + Errno.ENOMEM, expect = ACCEPTABLE, desc = "still full")
    @Outcome(expect = FORBIDDEN, desc = "the id of a request that is not complete")
    @State
    public static class OfSends {
        private final Sends sends = new Sends(1);

        public OfSends() {
            sends.post(1);
        }

        @Actor
        public void poll(JI_Result r) {
            r.r1 = sends.ring.complete(0);
        }

        @Actor
        public void post(JI_Result r) {
            r.r2 = sends.post(2);
        }
    }

    /** Control: what happens if the place is freed before its id is read. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "1, " + Errno.ENOMEM},
            expect = ACCEPTABLE)
    @Outcome(id = "2, 0", expect = ACCEPTABLE_INTERESTING, desc = "control: the id of a request that is not complete")
    @Outcome(expect = FORBIDDEN)
    @State
    public static class ControlFreedTooEarly {
        private final long[] ids = {1};
        private volatile int tail;

        @Actor
        public void poll(JI_Result r) {
            tail = 1;
            r.r1 = ids[0];
        }

        @Actor
        public void post(JI_Result r) {
            r.r2 = Errno.ENOMEM;
            if (tail == 1) {
                ids[0] = 2;
                r.r2 = 0;
            }
        }
    }
}
