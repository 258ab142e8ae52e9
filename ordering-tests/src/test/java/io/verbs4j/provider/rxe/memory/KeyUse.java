/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.verbs4j.AccessFlags;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.rdmacore.PlainContext;
import io.verbs4j.rdmacore.object.NativeProtectionDomain;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A message uses a key without counting the use, while another thread invalidates it: they must not both believe they
 * came first.
 */
public final class KeyUse {
    private static final ProtectionDomain PD = new NativeProtectionDomain(new PlainContext(), 1);
    private static final long FROM = 4096;

    private KeyUse() {}

    private static MemoryKey key() {
        return new MemoryKey(1 << 8, PD, new RegionMemory(FROM, 100, FROM, false, null, null), AccessFlags.LOCAL_WRITE);
    }

    /** The two steps of each. r1: the message continues; r2: the thread that invalidates the key waits. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "false, true", "false, false"},
            expect = ACCEPTABLE)
    @Outcome(id = "true, false", expect = FORBIDDEN, desc = "memory is touched that is said to be no more")
    @State
    public static class SaysSoOrIsToldSo {
        private final MemoryKey key = key();
        private final LastKey user = new LastKey();

        @Actor
        public void message(ZZ_Result r) {
            user.begin(key);
            r.r1 = LastKey.mayTouch(key, key);
        }

        @Actor
        public void end(ZZ_Result r) {
            key.shut();
            r.r2 = user.uses(key);
        }
    }

    /** Control: what happens without the fence. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "false, true", "false, false"},
            expect = ACCEPTABLE)
    @Outcome(
            id = "true, false",
            expect = ACCEPTABLE_INTERESTING,
            desc = "control: memory is touched that is said to be no more")
    @State
    public static class ControlWithoutFence {
        private final MemoryKey key = key();
        private final LastKey user = new LastKey();

        @Actor
        public void message(ZZ_Result r) {
            user.begin(key);
            r.r1 = !key.isRevoked();
        }

        @Actor
        public void end(ZZ_Result r) {
            key.shut();
            r.r2 = user.uses(key);
        }
    }

    /** Both complete sequences: a message never finds what is written after the key is invalidated. */
    @JCStressTest
    @Outcome(
            id = {"0", "1"},
            expect = ACCEPTABLE)
    @Outcome(id = "2", expect = FORBIDDEN, desc = "touched after the end")
    @State
    public static class Ended {
        private final MemoryKeys keys = new MemoryKeys();
        private final MemoryKey key =
                keys.add(PD, new RegionMemory(FROM, 100, FROM, false, null, null), AccessFlags.LOCAL_WRITE);
        private final LastKey user = new LastKey();
        private int memory = 1;

        public Ended() {
            keys.pin(user, key.key(), PD, null, FROM, 1, 0).unpin();
        }

        @Actor
        public void message(I_Result r) {
            MemoryKey used = keys.use(user, key.key(), PD, null, FROM, 1, 0);
            if (used != null) {
                r.r1 = LastKey.mayTouch(used, used) ? memory : 0;
                user.end(used);
            }
        }

        @Actor
        public void end() {
            keys.remove(key);
            memory = 2;
        }
    }
}
