/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbs4j.Errno;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.ordering.Blocks;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.JI_Result;

/**
 * A device as an actor that reads EFA's rings, and two threads at the ends of one ring. It has the same limits as the
 * tests of ConnectX.
 */
final class EfaOrder {
    private static final int QPN = 0x7;
    private static final int IMMEDIATE = 5;
    private static final int RECEIVE = 2;
    private static final int ARM = 1 << 31;

    private EfaOrder() {}

    /** A post stores the descriptor in ascending order, then the doorbell. */
    @JCStressTest
    @Outcome(
            id = {"0, 0, 0", "0, 0, 1", "0, 1, 1", "1, 1, 1"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "the doorbell before the descriptor, or its end before its beginning")
    @State
    public static class SeesPost {
        private final Posts posts = new Posts();

        @Actor
        public void post() {
            posts.send(1);
        }

        @Actor
        public void device(III_Result r) {
            r.r1 = NativeMemory.getLongAcquire(posts.sendBell) != 0 ? 1 : 0;
            r.r2 = NativeMemory.getLongAcquire(posts.memory + Descriptor.BLOCK - Long.BYTES) != 0 ? 1 : 0;
            r.r3 = NativeMemory.getLongAcquire(posts.memory) != 0 ? 1 : 0;
        }

        @Arbiter
        public void end(III_Result r) {
            posts.sends.free();
        }
    }

    /** A completion queue of two places with one receive under way. */
    private static final class Cq {
        final long memory = Blocks.take();
        final long doorbell = memory + 128;
        final Posts posts = new Posts();
        final CqRing ring;
        final WorkCompletion[] wc = {new WorkCompletion()};

        Cq() {
            Rings rings = new Rings();
            posts.receive(1);
            rings.add(QPN, this, posts.sends, posts.receives);
            ring = new CqRing(new CqPlace(memory, 16, 2, doorbell), rings, new RingLock(false));
        }

        /** Writes a completion as a device does: the word with the phase comes last. */
        void complete() {
            NativeMemory.putLong(memory + Long.BYTES, (long) IMMEDIATE << 32);
            int flags = Descriptor.COMPLETION_PHASE | RECEIVE << 1 | Descriptor.HAS_IMMEDIATE;
            NativeMemory.putLongRelease(memory, (long) QPN << 32 | (long) flags << 24);
        }

        boolean armed() {
            return (NativeMemory.getInt(doorbell) & ARM) != 0;
        }
    }

    /** A poll that sees the phase sees the rest. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, " + IMMEDIATE},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "a completion without its contents")
    @State
    public static class IsPolled {
        private final Cq cq = new Cq();

        @Actor
        public void device() {
            cq.complete();
        }

        @Actor
        public void poll(II_Result r) {
            r.r1 = cq.ring.poll(1, cq.wc);
            r.r2 = cq.wc[0].immData();
        }

        @Arbiter
        public void end(II_Result r) {
            cq.posts.sends.free();
        }
    }

    /**
     * A program arms and polls once more; a device completes and checks whether an event is wanted. One of the two must
     * see the other.
     */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 0", "1, 1"},
            expect = ACCEPTABLE)
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "the program sleeps, and the device tells nobody")
    @State
    public static class IsArmed {
        private final Cq cq = new Cq();

        @Actor
        public void program(II_Result r) {
            cq.ring.arm(false);
            r.r1 = cq.ring.poll(1, cq.wc);
        }

        @Actor
        public void device(II_Result r) {
            cq.complete();
            NativeMemory.fullFence();
            r.r2 = cq.armed() ? 1 : 0;
        }

        @Arbiter
        public void end(II_Result r) {
            cq.posts.sends.free();
        }
    }

    /** A full send queue: the completion's id is that of the completed request, not of the next one with its number. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "completed, then posted")
    @Outcome(id = "1, " + Errno.ENOMEM, expect = ACCEPTABLE, desc = "still full")
    @Outcome(expect = FORBIDDEN, desc = "the id of a request that is not complete")
    @State
    public static class NumbersOfSends {
        private final Posts posts = new Posts();

        public NumbersOfSends() {
            posts.send(1);
        }

        @Actor
        public void poll(JI_Result r) {
            r.r1 = posts.sends.ids.complete(0);
        }

        @Actor
        public void post(JI_Result r) {
            r.r2 = posts.send(2);
        }

        @Arbiter
        public void end(JI_Result r) {
            posts.sends.free();
        }
    }

    /** A full receive queue. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "completed, then posted")
    @Outcome(id = "1, " + Errno.ENOMEM, expect = ACCEPTABLE, desc = "still full")
    @Outcome(expect = FORBIDDEN, desc = "the id of a receive that is not complete")
    @State
    public static class NumbersOfReceives {
        private final Posts posts = new Posts();

        public NumbersOfReceives() {
            posts.receive(1);
        }

        @Actor
        public void poll(JI_Result r) {
            r.r1 = posts.receives.ids.complete(0);
        }

        @Actor
        public void post(JI_Result r) {
            r.r2 = posts.receive(2);
        }

        @Arbiter
        public void end(JI_Result r) {
            posts.sends.free();
        }
    }
}
