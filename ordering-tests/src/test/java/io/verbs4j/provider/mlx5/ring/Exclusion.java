/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.lock.SpinLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.ordering.Blocks;
import io.verbs4j.rdmacore.memory.Pin;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two threads in places that admit one at a time. */
final class Exclusion {
    private Exclusion() {}

    /** The lock of an inner piece. */
    @JCStressTest
    @Outcome(id = "2", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "both were inside")
    @State
    public static class BySpinLock {
        private final SpinLock lock = new SpinLock();
        private int inside;

        @Actor
        public void one() {
            enter();
        }

        @Actor
        public void other() {
            enter();
        }

        private void enter() {
            lock.lock();
            inside++;
            lock.unlock();
        }

        @Arbiter
        public void count(I_Result r) {
            r.r1 = inside;
        }
    }

    /** The lock of a ring: the first thread to arrive owns it, and the other ends the ownership. */
    @JCStressTest
    @Outcome(id = "4", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "both were inside")
    @State
    public static class ByRingLock {
        private final RingLock lock = new RingLock(false);
        private int inside;

        @Actor
        public void one() {
            enter();
            enter();
        }

        @Actor
        public void other() {
            enter();
            enter();
        }

        private void enter() {
            boolean asOwner = lock.lock();
            inside++;
            lock.unlock(asOwner);
        }

        @Arbiter
        public void count(I_Result r) {
            r.r1 = inside;
        }
    }

    /** The same with a thread that regains ownership at its next turn: a previous owner may still be entering. */
    @JCStressTest
    @Outcome(id = "20", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "both were inside")
    @State
    public static class ByRingLockThatChangesOwners {
        private static final int TURNS = 10;
        private final RingLock lock = new RingLock(false, 0);
        private int inside;

        @Actor
        public void one() {
            enter();
        }

        @Actor
        public void other() {
            enter();
        }

        private void enter() {
            for (int i = 0; i < TURNS; i++) {
                boolean asOwner = lock.lock();
                inside++;
                lock.unlock(asOwner);
            }
        }

        @Arbiter
        public void count(I_Result r) {
            r.r1 = inside;
        }
    }

    /** Control: what happens without any lock. */
    @JCStressTest
    @Outcome(id = "2", expect = ACCEPTABLE)
    @Outcome(id = "1", expect = ACCEPTABLE_INTERESTING, desc = "control: both were inside")
    @State
    public static class ControlNoLock {
        private int inside;

        @Actor
        public void one() {
            inside++;
        }

        @Actor
        public void other() {
            inside++;
        }

        @Arbiter
        public void count(I_Result r) {
            r.r1 = inside;
        }
    }

    /** Control: what happens to a ring's lock without the barrier, if the owner's load passes its store. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1", "0, 0"},
            expect = ACCEPTABLE)
    @Outcome(id = "1, 1", expect = ACCEPTABLE_INTERESTING, desc = "control: both are inside")
    @State
    public static class ControlNoBarrier {
        private final long memory = Blocks.take();

        @Actor
        public void owner(II_Result r) {
            NativeMemory.putIntRelease(memory, 1); // inside
            r.r1 = NativeMemory.getByteAcquire(memory + 64) == 0 ? 1 : 0; // still the owner
        }

        @Actor
        public void other(II_Result r) {
            NativeMemory.putIntRelease(memory + 64, 1); // the ownership has ended
            NativeMemory.fullFence();
            r.r2 = NativeMemory.getByteAcquire(memory) == 0 ? 1 : 0; // nobody inside
        }
    }

    /** A pinned object must not be closed, and a closed object cannot be pinned. */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 1"},
            expect = ACCEPTABLE,
            desc = "refused; or used before it went")
    @Outcome(expect = FORBIDDEN, desc = "used when it was gone")
    @State
    public static class ByPin {
        private final Pin pin = new Pin();
        private int there = 1;

        @Actor
        public void user(II_Result r) {
            r.r2 = 1;
            if (pin.enter()) {
                r.r1 = 1;
                r.r2 = there;
                pin.leave();
            }
        }

        @Actor
        public void closer() {
            pin.close();
            there = 0;
        }
    }

    /** Two queue pairs that ring one register use different halves. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "both rang the same half")
    @State
    public static class ByDoorbell {
        private final Ringing ringing = new Ringing(2);

        @Actor
        public void one() {
            ringing.ring();
        }

        @Actor
        public void other() {
            ringing.ring();
        }

        @Arbiter
        public void count(II_Result r) {
            r.r1 = ringing.half(0);
            r.r2 = ringing.half(1);
        }
    }

    /** Control: what happens if two threads use a register meant for one. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE)
    @Outcome(id = "1, 0", expect = ACCEPTABLE_INTERESTING, desc = "control: both rang the same half")
    @Outcome(expect = FORBIDDEN)
    @State
    public static class ControlDoorbellOfOne {
        private final Ringing ringing = new Ringing(1);

        @Actor
        public void one() {
            ringing.ring();
        }

        @Actor
        public void other() {
            ringing.ring();
        }

        @Arbiter
        public void count(II_Result r) {
            r.r1 = ringing.half(0);
            r.r2 = ringing.half(1);
        }
    }

    /** A register that two threads ring. */
    private static final class Ringing {
        private final long memory = Blocks.take();
        private final Doorbell doorbell = new Doorbell(memory, Sends.HALF, true, false, false);

        Ringing(int users) {
            for (int i = 0; i < users; i++) {
                doorbell.join();
            }
        }

        void ring() {
            doorbell.ring(memory + 4 * Sends.HALF, 1, 1);
        }

        int half(int n) {
            return (int) NativeMemory.getLong(memory + (long) n * Sends.HALF);
        }
    }
}
