/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A program fills in submissions and reads completions; an engine does the reverse. Each place belongs to one side at a
 * time.
 */
public final class BulkRingOrder {
    private static final long NONE = -1;

    private BulkRingOrder() {}

    /** A ring with one place for submissions, so that each submission reuses the place of the one before. */
    private abstract static class Ring {
        static final int COMPLETIONS = 2;

        /** Reused in turn, since there are millions of instances and no event says when one is no longer used. */
        private static final RingMemory[] MEMORY = new RingMemory[1 << 15];

        private static final AtomicInteger NEXT = new AtomicInteger();

        static {
            Arrays.setAll(MEMORY, i -> new RingMemory(1, COMPLETIONS));
        }

        final RingMemory memory = MEMORY[NEXT.getAndIncrement() & MEMORY.length - 1];
        final UserSide user = new UserSide(memory);
        final EngineSide engine = new EngineSide(memory);

        Ring() {
            for (int at = RingLayout.SQ_TAIL; at < memory.bytes().capacity(); at += Long.BYTES) {
                memory.bytes().putLong(at, 0);
            }
        }

        final boolean submit(long value) {
            int at = user.next();
            if (at < 0) {
                return false;
            }
            memory.bytes().putLong(at + RingLayout.SQE_USER_DATA, value);
            memory.bytes().putLong(at + RingLayout.SQE_VALUE, value);
            user.publish();
            return true;
        }
    }

    /** The engine sees all of a submission or nothing. */
    @JCStressTest
    @Outcome(
            id = {"-1, -1", "7, 7"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "a submission that is not filled in")
    @State
    public static class Submission extends Ring {
        @Actor
        public void program() {
            submit(7);
        }

        @Actor
        public void engine(JJ_Result r) {
            int at = engine.peek();
            r.r1 = at < 0 ? NONE : engine.i64(at + RingLayout.SQE_USER_DATA);
            r.r2 = at < 0 ? NONE : engine.i64(at + RingLayout.SQE_VALUE);
        }
    }

    /** The program does not overwrite a submission before the engine has returned it. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "the next submission in the place of one that is read")
    @State
    public static class SubmissionPlace extends Ring {
        public SubmissionPlace() {
            submit(1);
        }

        @Actor
        public void program() {
            submit(2);
        }

        @Actor
        public void engine(J_Result r) {
            int at = engine.peek();
            r.r1 = engine.i64(at + RingLayout.SQE_USER_DATA);
            engine.taken();
        }
    }

    /** Control: what happens if the place is returned too early. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE)
    @Outcome(id = "2", expect = ACCEPTABLE_INTERESTING, desc = "control: the next submission in place of the first")
    @State
    public static class ControlTakenTooEarly extends Ring {
        public ControlTakenTooEarly() {
            submit(1);
        }

        @Actor
        public void program() {
            submit(2);
        }

        @Actor
        public void engine(J_Result r) {
            int at = engine.peek();
            engine.taken();
            r.r1 = engine.i64(at + RingLayout.SQE_USER_DATA);
        }
    }

    /** The program sees all of a completion or nothing. */
    @JCStressTest
    @Outcome(
            id = {"-1, -1", "7, 8"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "a completion that is not filled in")
    @State
    public static class Completion extends Ring {
        @Actor
        public void engine() {
            engine.complete(7, 0, 0, 0, 8);
        }

        @Actor
        public void program(JJ_Result r) {
            int at = user.peek();
            r.r1 = at < 0 ? NONE : memory.bytes().getLong(at + RingLayout.CQE_USER_DATA);
            r.r2 = at < 0 ? NONE : memory.bytes().getLong(at + RingLayout.CQE_VALUE);
        }
    }

    /** The engine does not overwrite a completion before the program has returned it; it holds the next one back. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "the next completion in the place of one that is read")
    @State
    public static class CompletionPlace extends Ring {
        public CompletionPlace() {
            for (int i = 0; i < COMPLETIONS; i++) {
                engine.complete(1, 0, 0, 0, 1);
            }
        }

        @Actor
        public void engine() {
            engine.complete(2, 0, 0, 0, 2);
        }

        @Actor
        public void program(J_Result r) {
            int at = user.peek();
            r.r1 = memory.bytes().getLong(at + RingLayout.CQE_USER_DATA);
            user.advance(1);
        }
    }

    /** The engine goes to sleep. r1: the program wakes it; r2: the engine sees the submission. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "true, false", "false, true"},
            expect = ACCEPTABLE)
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "it sleeps on a submission, and nobody wakes it")
    @State
    public static class WakesOrIsSeen extends Ring {
        @Actor
        public void program(ZZ_Result r) {
            submit(7);
            r.r1 = user.needsWakeup();
        }

        @Actor
        public void engine(ZZ_Result r) {
            engine.needWakeup(true);
            r.r2 = engine.hasSubmissions();
        }
    }

    /** Control: what happens without the program's fence. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "true, false", "false, true"},
            expect = ACCEPTABLE)
    @Outcome(
            id = "false, false",
            expect = ACCEPTABLE_INTERESTING,
            desc = "control: it sleeps on a submission, and nobody wakes it")
    @State
    public static class ControlWakesWithoutFence extends Ring {
        @Actor
        public void program(ZZ_Result r) {
            submit(7);
            r.r1 = (memory.flags() & RingLayout.NEED_WAKEUP) != 0;
        }

        @Actor
        public void engine(ZZ_Result r) {
            engine.needWakeup(true);
            r.r2 = engine.hasSubmissions();
        }
    }
}
