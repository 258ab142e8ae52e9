/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbs4j.Errno;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.memory.NativeMemory;
import io.verbs4j.rdmacore.memory.RegionTable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JI_Result;

/**
 * A full ring of one place: one thread takes the completion, another posts into the place that this frees. The completion's id must be
 * that of the work request that is complete, not of the next.
 */
final class Completions {
    private static final int BYTES = 256;

    /**
     * Memory that a ring of one place and its doorbell lie in. It is one block for all instances of a test: what is in it does not
     * matter here, and an instance is too short-lived to give it back.
     */
    private static final long MEMORY = NativeMemory.allocate(BYTES);

    private static final long RECORD = MEMORY + 64;
    private static final long REGISTER = MEMORY + 128;

    private Completions() {}

    /** A receive queue. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "completed, then posted")
    @Outcome(id = "1, " + Errno.ENOMEM, expect = ACCEPTABLE, desc = "still full")
    @Outcome(expect = FORBIDDEN, desc = "the id of a receive that is not complete")
    @State
    public static class OfReceives {
        private final ReceiveRing ring = new ReceiveRing(MEMORY, 1, Wqe.SEGMENT, RECORD, 1, 1);

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
        private final SendRing ring = new SendRing(new SendRing.Setup(
                MEMORY,
                1,
                RECORD,
                new Doorbell(REGISTER, 0),
                7,
                QpType.RC,
                true,
                1,
                1,
                0,
                false,
                null,
                new RegionTable()));

        public OfSends() {
            ring.post(request(1), null);
        }

        private static SendWorkRequest request(long id) {
            return new SendWorkRequest().wrId(id).opcode(WrOpcode.SEND);
        }

        @Actor
        public void poll(JI_Result r) {
            r.r1 = ring.complete(0);
        }

        @Actor
        public void post(JI_Result r) {
            r.r2 = ring.post(request(2), null);
        }
    }

    /** The control: the place is freed before its id is read. */
    @JCStressTest
    @Outcome(id = {"1, 0", "1, " + Errno.ENOMEM}, expect = ACCEPTABLE)
    @Outcome(id = "2, 0", expect = ACCEPTABLE_INTERESTING, desc = "the id of a request that is not complete")
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
